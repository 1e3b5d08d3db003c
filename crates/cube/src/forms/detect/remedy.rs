//! What mends a text that is not read: the text one character away that is, and the other forms that the text has.

use super::detect;
use crate::forms::codec::{Read, parse};
use crate::forms::error::FormError;
use crate::forms::speffz::Buffers;
use crate::forms::{Form, reid};

/// Adds to an error what mends the text. `named` is the form that the caller named.
pub(super) fn mended(mut error: FormError, text: &str, named: Option<Form>, buffers: Buffers) -> FormError {
    let others = error.format().map_or_else(Vec::new, |form| fitting(text, form, named, buffers));
    match &mut error {
        FormError::Unreadable { format: Some(form), position, nearest: found, others: fit, .. } => {
            *found = nearest(text, *form, buffers, *position);
            *fit = others;
        }
        FormError::Impossible { others: fit, .. } => *fit = others,
        _ => {}
    }
    error
}

/// Returns the other forms in which the text is a cube. If the caller named the form, these are all that are recognised. Otherwise they
/// are orders of the stickers that were not tried, because the centres speak against them.
fn fitting(text: &str, form: Form, named: Option<Form>, buffers: Buffers) -> Vec<Form> {
    const ORDERS: [Form; 3] = [Form::Facelets, Form::Ulfrbd, Form::Net];
    let recognised = match named.map(|_| detect(text, buffers, false)) {
        Some(Ok(Read { format, .. })) => vec![format],
        Some(Err(FormError::Ambiguous(readings))) => readings.into_iter().map(|reading| reading.format).collect(),
        // Legal stickers are refused for the colours of their centres: no other order is meant.
        _ if ORDERS.contains(&form) && parse(text, form, buffers).is_err() => {
            ORDERS.into_iter().filter(|order| parse(text, *order, buffers).is_ok()).collect()
        }
        _ => Vec::new(),
    };
    recognised.into_iter().filter(|other| *other != form).collect()
}

/// Longest text, in characters, for which corrections are tried.
const MAX_BYTES: usize = 400;

/// Returns the first text that differs by one character at the position and is a cube in this form: with the case of the
/// character changed, the character exchanged with the next, replaced, removed, or another one inserted before it. Returns
/// `None` for links and for Reid strings that were named scrambles: one character is not what is wrong with them.
fn nearest(text: &str, form: Form, buffers: Buffers, position: usize) -> Option<String> {
    let given: Vec<char> = text.chars().collect();
    let is_other = form == Form::Link || (form == Form::Scramble && (reid::is_reid(text) || reid::names_pieces(text)));
    if is_other || given.len() > MAX_BYTES || position > given.len() {
        return None;
    }
    let mut candidates = Vec::new();
    let mut add = |with: &[char], skipped: usize| {
        let rest = given.get(position + skipped..).unwrap_or_default();
        candidates.push(given[..position].iter().chain(with).chain(rest).collect::<String>());
    };
    let alphabet: Vec<char> = form.codec().alphabet.chars().collect();
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
    candidates.into_iter().find(|candidate| candidate != text && parse(candidate, form, buffers).is_ok())
}
