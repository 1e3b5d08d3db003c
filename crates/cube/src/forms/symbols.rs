//! The characters of a text with their positions, and what the parser of a form returns.

use super::error::FormError;
use crate::cubie::Cube;
use crate::holding::Holding;

/// What a parser of one form returns: the cube, named by places as held, and how it is held.
pub(crate) type Parsed = Result<(Cube, Option<Holding>), FormError>;

/// A character and its position in the text, counted in characters.
pub(crate) type Symbol = (usize, char);

/// Returns whether the character separates: white space, invisible marks, and the signs that programs put between faces or stickers.
fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{fe0f}' | '\u{feff}' | ',' | ';' | '|')
}

/// Returns the characters that do not separate.
pub(crate) fn symbols(text: &str) -> Vec<Symbol> {
    text.chars().enumerate().filter(|(_, character)| !is_separator(*character)).collect()
}

/// Returns the words between separators.
pub(crate) fn words(text: &str) -> Vec<Vec<Symbol>> {
    let mut words: Vec<Vec<Symbol>> = Vec::new();
    let mut is_inside = false;
    for (position, character) in text.chars().enumerate() {
        if is_separator(character) {
            is_inside = false;
            continue;
        }
        if !is_inside {
            words.push(Vec::new());
        }
        if let Some(word) = words.last_mut() {
            word.push((position, character));
        }
        is_inside = true;
    }
    words
}
