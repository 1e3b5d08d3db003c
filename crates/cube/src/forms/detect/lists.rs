//! Lists and dictionaries as programs print them: `['WWW', 'RRR']`.

use std::borrow::Cow;

use crate::face::Face;
use crate::geometry::FACELETS;
use crate::notation::is_one_move;

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
    List::of(text).map_or(text.into(), |list| list.text.into())
}

/// A text that is a list.
pub(super) struct List {
    /// The text without the marks of the list.
    pub(super) text: String,
    items: Vec<String>,
    is_nested: bool,
}

impl List {
    /// Parses a list. Returns `None` for any other text.
    pub(super) fn of(text: &str) -> Option<Self> {
        if !text.trim_start().starts_with(['[', '(']) {
            return None;
        }
        let mut list = Self { text: String::with_capacity(text.len()), items: Vec::new(), is_nested: false };
        let mut quote = None;
        let mut depth = 0_usize;
        let mut is_number = false;
        for c in text.chars() {
            let was_number = std::mem::take(&mut is_number);
            let kept = match (quote, c) {
                (Some(open), _) if c == open => {
                    quote = None;
                    ' '
                }
                (Some(_), _) => {
                    list.items.last_mut()?.push(c);
                    c
                }
                (None, '\'' | '"') => {
                    quote = Some(c);
                    list.items.push(String::new());
                    ' '
                }
                (None, '[' | '(') => {
                    depth += 1;
                    list.is_nested |= depth > 1;
                    ' '
                }
                (None, ']' | ')') => {
                    depth = depth.checked_sub(1)?;
                    ' '
                }
                (None, ',') => ' ',
                (None, _) if c.is_whitespace() => c,
                (None, _) if c.is_ascii_digit() => {
                    if !was_number {
                        list.items.push(String::new());
                    }
                    list.items.last_mut()?.push(c);
                    is_number = true;
                    c
                }
                _ => return None,
            };
            list.text.push(kept);
        }
        (quote.is_none() && depth == 0 && !list.items.is_empty()).then_some(list)
    }

    /// Returns whether the list is of stickers, not of moves.
    pub(super) fn is_of_stickers(&self) -> bool {
        are_stickers(&self.items, self.is_nested)
    }
}

/// Returns whether the items of a list are stickers, rows or faces, not moves. A list of moves has one move in each item. It has no lists in
/// it, and is not 54 face letters. A single item is a text of any form.
///
/// # Examples
/// ```
/// use superflip_cube::forms::are_stickers;
///
/// assert!(are_stickers(&["UUU", "UUU", "LLD"], false));
/// assert!(!are_stickers(&["R2", "U'", "M"], false));
/// ```
pub fn are_stickers<T: AsRef<str>>(items: &[T], is_nested: bool) -> bool {
    let mut texts = items.iter().map(AsRef::as_ref);
    let is_face = |text: &str| {
        let mut letters = text.chars();
        letters.next().is_some_and(|letter| Face::from_letter(letter).is_some()) && letters.next().is_none()
    };
    items.len() > 1 && (is_nested || (items.len() == FACELETS && texts.clone().all(is_face)) || !texts.all(is_one_move))
}

/// Returns a printed dictionary of Python as JSON: with `"` in place of `'`, and with lists in place of tuples. Positions stay. Returns other
/// texts as they are.
///
/// # Examples
/// ```
/// use superflip_cube::forms::dictionary_as_json;
///
/// assert_eq!(dictionary_as_json("{'cp': (0, 1)}"), r#"{"cp": [0, 1]}"#);
/// ```
pub fn dictionary_as_json(text: &str) -> String {
    let mut quote = None;
    let json = |c: char| match (quote, c) {
        (None, '\'' | '"') => {
            quote = Some(c);
            '"'
        }
        (Some(open), _) if c == open => {
            quote = None;
            '"'
        }
        (None, '(') => '[',
        (None, ')') => ']',
        _ => c,
    };
    text.chars().map(json).collect()
}
