//! Finds a text one character away that can be read.

use super::format::Format;
use super::parse::parse;
use super::pieces::speffz::Buffers;
use crate::input::reid::is_reid;

/// Longest text, in characters, for which corrections are tried.
const MAX_BYTES: usize = 400;

/// Returns the first text that differs by one character at the position and is a cube in this form: with the case of the
/// character changed, the character exchanged with the next, replaced, removed, or another one inserted before it. Returns
/// `None` for links and for Reid strings that were named scrambles: one character is not what is wrong with them.
pub(crate) fn nearest(text: &str, format: Format, buffers: Buffers, position: usize) -> Option<String> {
    let given: Vec<char> = text.chars().collect();
    let is_other = format == Format::Link || (format == Format::Scramble && is_reid(text));
    if is_other || given.len() > MAX_BYTES || position > given.len() {
        return None;
    }
    let mut candidates = Vec::new();
    let mut add = |with: &[char], skipped: usize| {
        let rest = given.get(position + skipped..).unwrap_or_default();
        candidates.push(given[..position].iter().chain(with).chain(rest).collect::<String>());
    };
    let alphabet: Vec<char> = alphabet(format).chars().collect();
    if let Some(&wrong) = given.get(position) {
        let other_case: Vec<char> =
            if wrong.is_lowercase() { wrong.to_uppercase().collect() } else { wrong.to_lowercase().collect() };
        add(&other_case, 1);
        if let Some(&next) = given.get(position + 1) {
            add(&[next, wrong], 2);
        }
        for symbol in &alphabet {
            add(&[*symbol], 1);
        }
        add(&[], 1);
    }
    for symbol in &alphabet {
        add(&[*symbol], 0);
    }
    candidates.into_iter().find(|candidate| candidate != text && parse(candidate, format, buffers).is_ok())
}

/// Characters that may replace a wrong one.
const fn alphabet(format: Format) -> &'static str {
    match format {
        Format::Digits => "0123456",
        Format::Reid => "URFDLB ",
        Format::B32 => "=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef",
        Format::Twizzle => "0123456789abcdef",
        Format::Speffz => "abcdefghijklmnopqrstuvwx.",
        Format::Scramble => ")]'",
        Format::Facelets | Format::Ulfrbd | Format::Net | Format::Link | Format::KPattern => "",
    }
}
