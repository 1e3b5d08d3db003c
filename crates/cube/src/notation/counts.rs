//! Parses repeat counts and amounts in the spellings of other programs, and refuses those that have two meanings.

use super::layer_move::MAX_MOVES;
use super::parser::{NotationParser, is_dash, is_face_letter};
use crate::forms::FormError;

/// What stands behind a bracket.
pub(super) struct Count {
    /// Position of the count.
    pub(super) at: usize,
    pub(super) times: usize,
    pub(super) is_inverse: bool,
}

impl NotationParser<'_> {
    /// Parses what may stand behind a bracket: a repeat count, perhaps with a sign before it, and an apostrophe.
    pub(super) fn count(&mut self) -> Result<Count, FormError> {
        let mut ahead = self.clone();
        ahead.skip_spaces();
        if ahead.peek() == Some('^') {
            *self = ahead;
            let at = self.position;
            let (times, is_negative) = self.exponent()?;
            return Ok(Count { at, times, is_inverse: is_negative != self.eat_inverse() });
        }
        let has_sign = self.repeat_sign()?;
        let at = self.position;
        let times = self.number();
        if has_sign && times.is_none() {
            return self.unexpected("a repeat count behind `*` or `x`, as in `(R U)*3`");
        }
        if times == Some(0) {
            return Self::error(at, "found `0`, expected a repeat count of at least 1.".to_owned());
        }
        let is_inverse = self.eat_inverse();
        if !is_inverse && times.is_some() && self.peek().is_some_and(is_x) {
            let message = "found `x` behind a repeat count: write a space before the rotation, as in `(R U)3 x`, or leave the \
                           `x` out, as in `(R U)3`.";
            return Self::error(self.position, message.to_owned());
        }
        if times.is_none() && !is_inverse {
            self.refuse_spaced_number()?;
        }
        Ok(Count { at, times: times.unwrap_or(1), is_inverse })
    }

    /// Skips the sign of a repetition: `*` or `×`, or an `x` before a number, with or without spaces. `x` is also a rotation:
    ///
    /// | behind a bracket | read as |
    /// | --- | --- |
    /// | `x`, `x'`, ` x2` | rotations |
    /// | `x3` and more, `x 2` | repetitions |
    /// | `x2`, `x1`, `x 2F`, `2F` or `2` behind a space | nothing: the error has the spelling of each meaning |
    fn repeat_sign(&mut self) -> Result<bool, FormError> {
        let mut ahead = self.clone();
        let is_spaced = ahead.skip_spaces();
        let at = ahead.position;
        if ahead.eat(|c| matches!(c, '*' | '×')) {
            ahead.skip_spaces();
        } else if ahead.eat(is_x) {
            let is_apart = ahead.skip_spaces();
            let mut behind = ahead.clone();
            match behind.number() {
                None => return Ok(false),
                Some(2) if is_spaced && !is_apart => return Ok(false),
                Some(number @ 1..=2) if !is_apart => {
                    let rotation = if number == 1 { "x" } else { "x2" };
                    let message = format!(
                        "found `x{number}` behind a bracket, which is a rotation or a repeat count: write `(R U) {rotation}`, with a \
                         space, for the rotation, or `(R U){number}` for the repetition."
                    );
                    return Self::error(at, message);
                }
                Some(number @ 1..) if is_apart => behind.refuse_layer(at, number, "x ")?,
                Some(_) => {}
            }
        } else {
            return Ok(false);
        }
        *self = ahead;
        Ok(true)
    }

    /// Refuses a number behind a bracket and white space: a repeat count stands directly behind the bracket, and a layer number belongs
    /// to the next move.
    fn refuse_spaced_number(&self) -> Result<(), FormError> {
        let mut ahead = self.clone();
        ahead.skip_spaces();
        let at = ahead.position;
        let Some(number) = ahead.number().filter(|_| !ahead.peek().is_some_and(is_dash)) else { return Ok(()) };
        ahead.refuse_layer(at, number, "")?;
        let message = format!(
            "found the number {number} alone behind a bracket: write a repeat count without a space, as in `(R U){}`.",
            shown_count(number)
        );
        Self::error(at, message)
    }

    /// Refuses a number behind a bracket that stands before the letter of a face: it may be a repeat count, or the layer of a move. `x` is
    /// what stands before it.
    fn refuse_layer(&mut self, at: usize, number: usize, x: &str) -> Result<(), FormError> {
        let Some(letter) = self.peek().filter(|c| is_face_letter(*c)) else { return Ok(()) };
        let moves = if (1..=3).contains(&number) {
            format!("`(R U) ({x}{number}{letter})` for the moves, or ")
        } else {
            String::new()
        };
        let message = format!(
            "found `{x}{number}{letter}` behind a bracket, where the number may be a repeat count: write {moves}`(R U){} {letter}` for \
             the repetition.",
            shown_count(number)
        );
        Self::error(at, message)
    }

    /// Parses an exponent: `^2`, `^-1` or `^{-1}`. Returns the number, and whether it is negative.
    pub(super) fn exponent(&mut self) -> Result<(usize, bool), FormError> {
        self.advance();
        self.skip_spaces();
        let is_in_braces = self.eat(|c| c == '{');
        let is_negative = self.eat(is_dash);
        let Some(number @ 1..) = self.number() else {
            return self.unexpected("a number of at least 1 behind `^`, as in `R^2`, `R^-1` or `(R U)^3`");
        };
        if is_in_braces && !self.eat(|c| c == '}') {
            return self.unexpected("`}` to close the `{`");
        }
        Ok((number, is_negative))
    }

    /// Skips a 2 behind the mark of an inverse move, as in `R'2`. Before a letter it may also be a layer number, as in `R'2U`.
    pub(super) fn half_turn(&mut self) -> Result<bool, FormError> {
        let mut ahead = self.clone();
        if !ahead.eat(|c| c == '2') || ahead.peek().is_some_and(|c| c.is_ascii_digit() || is_dash(c)) {
            return Ok(false);
        }
        if ahead.peek().is_some_and(is_face_letter) {
            let message = "found `2` between an apostrophe and a letter: write a space before a layer number, as in `R' 2U`, and for \
                           a half turn `R2 U`.";
            return Self::error(self.position, message.to_owned());
        }
        *self = ahead;
        Ok(true)
    }
}

/// Explains an `x` with a number that no program writes for a rotation.
pub(super) fn doubtful_rotation(number: usize) -> String {
    let rotation = match number {
        0 => return "found `x0`, which does nothing: leave it out.".to_owned(),
        1 => "`x` for the rotation, or ",
        3 => "`x'` for the rotation, or ",
        _ => "",
    };
    let count = shown_count(number);
    format!(
        "found `x{number}`, which looks like a repeat count: write {rotation}the moves to repeat in parentheses, as in \
         `(R U){count}`."
    )
}

/// Returns the count for an example that is read: itself, unless it is 0 or makes too many moves.
const fn shown_count(number: usize) -> usize {
    if number > 0 && number <= MAX_MOVES / 2 { number } else { 3 }
}

const fn is_x(c: char) -> bool {
    matches!(c, 'x' | 'X')
}
