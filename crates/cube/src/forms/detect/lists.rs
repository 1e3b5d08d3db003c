//! Lists of texts, as programs print them: `['WWW', 'RRR']`.

use std::borrow::Cow;

/// Returns the text without the marks of a list: brackets, quotes and commas become spaces, so that positions stay. Returns other texts as
/// they are.
///
/// A list begins with a bracket, and has only quoted texts, numbers, brackets and commas. So does a tuple of Python, an array of JSON and a
/// printed array of `NumPy`. No maneuver begins so.
///
/// # Examples
/// ```
/// use superflip_cube::forms::without_list;
///
/// assert_eq!(without_list(r#"["R", "U'"]"#), "  R    U'  ");
/// assert_eq!(without_list("[R, U']"), "[R, U']");
/// ```
pub fn without_list(text: &str) -> Cow<'_, str> {
    if text.trim_start().starts_with(['[', '(']) { plain(text).map_or(text.into(), Cow::Owned) } else { text.into() }
}

fn plain(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut quote, mut depth, mut has_items) = (None, 0_usize, false);
    for c in text.chars() {
        let kept = match (quote, c) {
            (Some(open), _) if c == open => {
                quote = None;
                ' '
            }
            (Some(_), _) => c,
            (None, '\'' | '"') => {
                (quote, has_items) = (Some(c), true);
                ' '
            }
            (None, '[' | '(') => {
                depth += 1;
                ' '
            }
            (None, ']' | ')') => {
                depth = depth.checked_sub(1)?;
                ' '
            }
            (None, ',') => ' ',
            (None, _) if c.is_whitespace() => c,
            (None, _) if c.is_ascii_digit() => {
                has_items = true;
                c
            }
            _ => return None,
        };
        out.push(kept);
    }
    (quote.is_none() && depth == 0 && has_items).then_some(out)
}
