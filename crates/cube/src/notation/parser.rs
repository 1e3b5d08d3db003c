//! A recursive-descent parser of maneuvers, with one character of lookahead.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

use super::counts::{Count, doubtful_rotation};
use super::layer_move::{LayerMove, MAX_DEPTH, MAX_MOVES, TooLong, commutator, conjugate, inverse, repeat};
use crate::face::Face;
use crate::forms::{FormError, shown};

const MOVE: &str = "a move (U R F D L B, Rw or r, 2R, M E S, x y z), `(` or `[`";

/// Parses a maneuver and expands its groups.
pub(crate) fn parse(text: &str) -> Result<Vec<LayerMove>, FormError> {
    let text = without_list_marks(text);
    parse_moves(&text)
}

fn parse_moves(text: &str) -> Result<Vec<LayerMove>, FormError> {
    let mut parser = NotationParser { rest: text.chars().peekable(), position: 0 };
    let moves = parser.sequence(0)?;
    match parser.peek() {
        None => Ok(moves),
        Some(')' | ']') => parser.unexpected(&format!("{MOVE}: there is no open group to close")),
        Some(',' | ':') => parser.unexpected(&format!("{MOVE}: `,` and `:` belong inside `[ ]`")),
        Some(_) => parser.unexpected(MOVE),
    }
}

/// Returns the text with the marks of a list replaced by spaces: a number at its beginning, as in `1. R U` or `1) R U`, and commas
/// between single moves, as in `F2, L, U'`. Two moves with a comma may be a commutator without its brackets, and keep it.
fn without_list_marks(text: &str) -> Cow<'_, str> {
    let start = text.trim_start();
    let behind = start.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = behind.len() < start.len() && behind.starts_with(['.', ')']);
    let mark = if is_numbered { text.len() - behind.len() + 1 } else { 0 };
    let has_commas = text[mark..].contains(',') && {
        let single = |part: &str| parse_moves(part).is_ok_and(|moves| moves.len() == 1);
        let parts: Vec<&str> = text[mark..].split(',').collect();
        parts.len() > 2 && parts.into_iter().all(single)
    };
    if mark == 0 && !has_commas {
        return text.into();
    }
    // Spaces keep the positions.
    let rest = if has_commas { text[mark..].replace(',', " ") } else { text[mark..].to_owned() };
    (" ".repeat(text[..mark].chars().count()) + &rest).into()
}

/// Returns whether the character is one of the apostrophes that keyboards and editors write for an inverse move.
pub(super) const fn is_prime(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '‛' | '′' | '‵' | '`' | '´' | 'ʹ' | 'ʼ' | 'ˈ' | '＇')
}

/// Returns whether the character is a hyphen, dash or minus sign, which some programs write for an apostrophe.
pub(crate) const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '‒' | '–' | '—' | '−' | '－')
}

#[derive(Clone)]
pub(super) struct NotationParser<'a> {
    rest: Peekable<Chars<'a>>,
    /// Number of characters read.
    pub(super) position: usize,
}

impl NotationParser<'_> {
    pub(super) fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    pub(super) fn advance(&mut self) {
        self.position += usize::from(self.rest.next().is_some());
    }

    pub(super) fn eat(&mut self, wanted: impl FnOnce(char) -> bool) -> bool {
        let there = self.peek().is_some_and(wanted);
        if there {
            self.advance();
        }
        there
    }

    /// Skips the mark of an inverse move: an apostrophe, or a dash. A dash before a digit, a letter or a bracket is not a mark: it may
    /// belong to a block of layers (`R2-3Rw`) or stand between moves or pieces (`UF-BD`).
    pub(super) fn eat_inverse(&mut self) -> bool {
        let mut rest = self.rest.clone();
        let joins = |c: char| c.is_alphanumeric() || is_dash(c) || matches!(c, '(' | '[');
        let is_mark = rest.next().is_some_and(is_dash) && !rest.next().is_some_and(joins);
        self.eat(|c| is_prime(c) || (is_mark && is_dash(c)))
    }

    /// Skips separators: white space, pauses, and comments up to the end of their line.
    fn skip_separators(&mut self) {
        loop {
            if self.is_at_comment() {
                while self.eat(|c| !matches!(c, '\n' | '\r')) {}
            } else if !self.eat(|c| c.is_whitespace() || c == '.') {
                return;
            }
        }
    }

    fn is_at_comment(&self) -> bool {
        let mut rest = self.rest.clone();
        rest.next() == Some('/') && rest.next() == Some('/')
    }

    pub(super) fn error<T>(position: usize, message: String) -> Result<T, FormError> {
        Err(FormError::at(position, message))
    }

    /// Reports an unexpected character.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Result<T, FormError> {
        let found = match self.peek() {
            Some(c) => format!("found `{}`", shown(c)),
            None => "the text ends here".to_owned(),
        };
        let hint = match self.peek() {
            Some('*' | '×') => " `*` stands between a group and its repeat count, as in `(R U)*3`.",
            Some('/') => " A comment begins with `//`.",
            Some(',') => " Write moves with spaces between them, and brackets around a commutator.",
            Some(c) if is_dash(c) => {
                " A dash is read as an apostrophe only at the end of a word. Write `'` for an inverse move, and spaces between moves."
            }
            _ => "",
        };
        Self::error(self.position, format!("{found}, expected {expected}.{hint}"))
    }

    fn bounded<T>(position: usize, result: Result<T, TooLong>) -> Result<T, FormError> {
        result.or_else(|TooLong| {
            let message = format!(
                "up to here the maneuver is longer than {MAX_MOVES} moves when groups are written out; shorten it, or \
                 lower the repeat counts."
            );
            Self::error(position, message)
        })
    }

    /// Parses moves and groups up to anything else.
    fn sequence(&mut self, depth: usize) -> Result<Vec<LayerMove>, FormError> {
        let mut moves = Vec::new();
        loop {
            self.skip_separators();
            let start = self.position;
            match self.peek() {
                Some(open @ ('(' | '[')) => {
                    let inner = self.group(open, depth)?;
                    moves.extend(inner);
                }
                Some(c) if c.is_ascii_digit() || is_move_letter(c) => moves.push(self.layer_move(depth)?),
                _ => return Ok(moves),
            }
            // Checked inside groups too, so that a long text is rejected as soon as it is too long.
            if moves.len() > MAX_MOVES {
                return Self::bounded(start, Err(TooLong));
            }
        }
    }

    /// Parses a sequence that must not be empty.
    fn part(&mut self, depth: usize) -> Result<Vec<LayerMove>, FormError> {
        let moves = self.sequence(depth)?;
        if moves.is_empty() { self.unexpected(MOVE) } else { Ok(moves) }
    }

    /// Parses the group that `open` begins, with its repeat count and apostrophe.
    fn group(&mut self, open: char, depth: usize) -> Result<Vec<LayerMove>, FormError> {
        let start = self.position;
        if depth == MAX_DEPTH {
            let message = format!("groups nest more than {MAX_DEPTH} deep; write some of them out.");
            return Self::error(start, message);
        }
        self.advance();
        let first = self.part(depth + 1)?;
        let inner = if open == '(' {
            self.close(')', '(', start)?;
            first
        } else {
            let combine = match self.peek() {
                Some(',') => commutator,
                Some(':') => conjugate,
                Some('/') => {
                    let message = "found `/` inside the brackets. If `[A/B]` stands for `A B A2' B' A`, write it out, or write \
                                   `[A: [B, (A)2']]`.";
                    return Self::error(self.position, message.to_owned());
                }
                _ => {
                    let expected = format!("`,` (commutator) or `:` (conjugate) in the `[` of character {}", start + 1);
                    return self.unexpected(&expected);
                }
            };
            self.advance();
            let second = self.part(depth + 1)?;
            let end = self.position;
            self.close(']', '[', start)?;
            Self::bounded(end, combine(&first, &second))?
        };
        let Count { at, times, is_inverse } = self.count()?;
        let inner = if is_inverse { inverse(&inner) } else { inner };
        Self::bounded(at, repeat(&[&inner], times))
    }

    pub(super) fn skip_spaces(&mut self) -> bool {
        let start = self.position;
        while self.eat(char::is_whitespace) {}
        self.position > start
    }

    fn close(&mut self, wanted: char, open: char, start: usize) -> Result<(), FormError> {
        if self.eat(|c| c == wanted) {
            return Ok(());
        }
        self.unexpected(&format!("a move or `{wanted}` to close the `{open}` of character {}", start + 1))
    }

    /// Parses a decimal number, if there is one. A number that is too large saturates.
    pub(super) fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = Some(number.unwrap_or(0_usize).saturating_mul(10).saturating_add(digit as usize));
            self.advance();
        }
        number
    }

    /// Parses one move: layer number, letter, `w`, amount, apostrophe.
    fn layer_move(&mut self, depth: usize) -> Result<LayerMove, FormError> {
        let at = self.position;
        let layer = self.number();
        if let (Some(first), Some('-')) = (layer, self.peek()) {
            return self.block(at, first);
        }
        let mut ahead = self.clone();
        ahead.skip_spaces();
        if layer.is_some() && ahead.peek().is_some_and(|c| matches!(c, '(' | '[')) {
            let message =
                "found a number before a bracket: a repeat count stands directly behind the bracket, as in `(R U)3`.";
            return Self::error(at, message.to_owned());
        }
        if let Some(n) = layer.filter(|n| !(1..=3).contains(n)) {
            let what = if n > 3 { " It is a move of a larger cube; only the 3x3x3 is solved here." } else { "" };
            return Self::error(at, format!("found layer number {n}, but the cube has three layers, 1 to 3.{what}"));
        }
        let letter = match self.peek() {
            Some(c) if layer.is_none() && is_move_letter(c) => c,
            Some(c) if is_face_letter(c) => c,
            Some(end @ (')' | ']' | ',' | ':')) if depth > 0 => {
                let inside = if end == ')' { "parentheses" } else { "brackets" };
                return self.unexpected(&format!(
                    "a move inside the {inside}; a number alone is not a move. Write a layer number before its move (2R) and an \
                     amount or repeat count directly after (R2, (R U)3)"
                ));
            }
            _ => {
                return self.unexpected(
                    "one of U R F D L B u r f d l b after a layer number (an amount stands right behind its move and \
                     before the apostrophe: R2')",
                );
            }
        };
        self.advance();
        let wide = letter.is_ascii_lowercase() || (is_face_letter(letter) && self.eat(|c| c == 'w'));
        let (face, layers) = match Face::from_letter(letter.to_ascii_uppercase()) {
            Some(face) => {
                let n = layer.unwrap_or(if wide { 2 } else { 1 });
                (face, std::array::from_fn(|depth| if wide { depth < n } else { depth + 1 == n }))
            }
            None => whole_or_middle(letter),
        };
        let amount_at = self.position;
        let (amount, is_negative) = if self.peek() == Some('^') {
            let (number, is_negative) = self.exponent()?;
            (Some(number), is_negative)
        } else {
            let amount = self.number();
            if let ('x' | 'X', Some(number)) = (letter, amount.filter(|number| *number != 2)) {
                return Self::error(at, doubtful_rotation(number));
            }
            (amount, false)
        };
        let quarters = match amount.map(u8::try_from) {
            None => 1,
            Some(Ok(n @ 1..=3)) => n,
            Some(_) => {
                return Self::error(amount_at, "found an amount that is not 1, 2 or 3 quarter turns.".to_owned());
            }
        };
        let mv = LayerMove { face, layers, quarters, at };
        let mv = if is_negative { mv.inverse() } else { mv };
        if !(self.eat_inverse() || self.eat(|c| c == 'i')) {
            return Ok(mv);
        }
        let is_half_turn = amount.is_none() && self.half_turn()?;
        Ok(if is_half_turn { LayerMove { quarters: 2, ..mv } } else { mv.inverse() })
    }

    /// Rejects a block of layers, whose first layer number has been read, and names the equivalent move.
    fn block<T>(&mut self, at: usize, first: usize) -> Result<T, FormError> {
        self.advance();
        let last = self.number();
        let letter = self.peek().filter(|c| is_face_letter(*c));
        self.eat(is_face_letter);
        let w = if self.eat(|c| c == 'w') { "w" } else { "" };
        let amount = self.number();
        let quarters = amount.unwrap_or(1);
        let is_inverse = self.eat_inverse();
        let message = match (last, letter) {
            (Some(last), Some(letter))
                if (1..=3).contains(&first) && (1..=3).contains(&last) && (1..=3).contains(&quarters) =>
            {
                let amount = amount.map_or_else(String::new, |amount| amount.to_string());
                let prime = if is_inverse { "'" } else { "" };
                let same = same_as_block(letter, first, last, if is_inverse { 4 - quarters } else { quarters });
                format!(
                    "block moves such as `{first}-{last}{letter}{w}{amount}{prime}` are not supported: write `{same}`, which \
                     turns the same layers of this cube."
                )
            }
            _ => {
                "block moves such as `2-3Rw` are not supported: write wide moves (Rw, 3Rw) or moves of one layer (2R)."
                    .to_owned()
            }
        };
        Self::error(at, message)
    }
}

/// Returns the equivalent of a clockwise turn of the layers from `first` to `last`, counted from the face.
fn same_as_block(letter: char, first: usize, last: usize, quarters: usize) -> String {
    let letter = letter.to_ascii_uppercase();
    let opposite = Face::from_letter(letter).map_or(letter, |face| face.opposite().letter());
    let (mv, quarters) = match (first.min(last), first.max(last)) {
        (1, 2) => (format!("{letter}w"), quarters),
        (1, 3) => (format!("3{letter}w"), quarters),
        // The two outer layers of the other side, which turn in the opposite direction as seen from there.
        (2, 3) => (format!("{opposite}w"), 4 - quarters),
        (one, _) => (format!("{one}{letter}"), quarters),
    };
    mv + ["", "2", "'"][quarters - 1]
}

pub(super) const fn is_face_letter(c: char) -> bool {
    matches!(c, 'U' | 'R' | 'F' | 'D' | 'L' | 'B' | 'u' | 'r' | 'f' | 'd' | 'l' | 'b')
}

const fn is_move_letter(c: char) -> bool {
    is_face_letter(c) || matches!(c, 'M' | 'E' | 'S' | 'm' | 'e' | 's' | 'x' | 'y' | 'z' | 'X' | 'Y' | 'Z')
}

/// Returns face and layers of the letters that name no face: the middle layer like L, D, F, or the whole cube like R,
/// U, F.
const fn whole_or_middle(letter: char) -> (Face, [bool; 3]) {
    const MIDDLE: [bool; 3] = [false, true, false];
    match letter {
        'M' | 'm' => (Face::L, MIDDLE),
        'E' | 'e' => (Face::D, MIDDLE),
        'S' | 's' => (Face::F, MIDDLE),
        'x' | 'X' => (Face::R, [true; 3]),
        'y' | 'Y' => (Face::U, [true; 3]),
        _ => (Face::F, [true; 3]),
    }
}
