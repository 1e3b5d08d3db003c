//! Writes moves in the notation that every page reads.

use crate::input::InputError;
use crate::input::notation::written_out;

/// Returns the text with comments between `/*` and `*/` replaced by as many spaces, so that positions stay.
pub(crate) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = ["//", "/*"].into_iter().filter_map(|open| rest.find(open)).min() {
        let (before, comment) = rest.split_at(at);
        out.push_str(before);
        rest = if comment.starts_with("//") {
            let end = comment.find(['\n', '\r']).unwrap_or(comment.len());
            out.push_str(&comment[..end]);
            &comment[end..]
        } else {
            let (inside, after) = comment[2..].split_once("*/").unwrap_or((&comment[2..], ""));
            out.extend(std::iter::repeat_n(' ', inside.chars().count() + 4));
            after
        };
    }
    out.push_str(rest);
    out
}

/// Returns moves in a notation that alg.cubing.net, alpha.twizzle.net and cubedb.net read: the text without block comments and repeated spaces if it is in such
/// a notation, and otherwise its turns without groups, in WCA notation.
///
/// # Examples
/// ```
/// use superflip_cube::forms::plain_moves;
///
/// assert_eq!(plain_moves("[R, U] // sexy")?, "[R, U] // sexy");
/// assert_eq!(plain_moves("(R U\u{2019})*2 3F m")?, "R U' R U' B' M");
/// # Ok::<(), superflip_cube::input::InputError>(())
/// ```
///
/// # Errors
/// Returns the errors of [`parse_scramble`](crate::input::parse_scramble), but only for a text in another notation.
pub fn plain_moves(text: &str) -> Result<String, InputError> {
    let lines = without_comments(text);
    let lines: Vec<String> =
        lines.trim().lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let text = lines.join("\n");
    if is_common(&text) { Ok(text) } else { written_out(&text) }
}

/// Returns whether a maneuver has only what all pages read: letters of turns, `w`, `2`, apostrophes, counts of groups, and separators.
fn is_common(text: &str) -> bool {
    text.lines().all(|line| {
        let mut before = ' ';
        line.split("//").next().unwrap_or_default().chars().all(|c| {
            let is_face = "URFDLB".contains(before);
            let is_turn = is_face || "urfdlbMESxyzw".contains(before);
            let is_amount = ")]".contains(before) || before.is_ascii_digit();
            let is_known = match c {
                'w' => is_face,
                '2' | '\'' => is_turn || is_amount,
                c if c.is_ascii_digit() => is_amount,
                c => "URFDLBurfdlbMESxyz ()[],:.".contains(c),
            };
            before = c;
            is_known
        })
    })
}
