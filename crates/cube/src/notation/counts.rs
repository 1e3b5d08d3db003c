//! Parses repeat counts and amounts in the spellings of other programs, and refuses those that have two meanings.

use super::parser::{NotationParser, is_dash, is_face_letter, is_prime};
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
        let mut behind = self.clone();
        if !is_inverse && times.is_some() && behind.eat(|c| matches!(c, 'x' | 'X' | '×')) {
            let is_rotation = behind.peek().is_some_and(|c| is_prime(c) || c.is_ascii_digit());
            if !is_rotation {
                let message = "found `x` behind a repeat count: write a space before the rotation, as in `(R U)3 x`, or leave the \
                               `x` out, as in `(R U)3`.";
                return Self::error(self.position, message.to_owned());
            }
        }
        Ok(Count { at, times: times.unwrap_or(1), is_inverse })
    }

    /// Skips the sign of a repetition: `*` or `×`, or an `x` before a number, with or without spaces. `x` is also a rotation. As such it
    /// has no 3 behind it, and no number after a space. `x2` is the rotation after a space, and ambiguous directly behind the bracket.
    fn repeat_sign(&mut self) -> Result<bool, FormError> {
        let mut ahead = self.clone();
        let is_spaced = ahead.skip_spaces();
        let at = ahead.position;
        let is_sign = match ahead.peek() {
            Some('*' | '×') => {
                ahead.advance();
                ahead.skip_spaces();
                true
            }
            Some('x' | 'X') => {
                ahead.advance();
                let is_apart = ahead.skip_spaces();
                let mut behind = ahead.clone();
                match behind.number() {
                    None => false,
                    Some(_) if is_apart => !behind.peek().is_some_and(is_face_letter),
                    Some(3..) => true,
                    Some(_) if is_spaced => false,
                    Some(number) => {
                        let message = format!(
                            "found `x{number}` behind a bracket, which is a rotation or a repeat count: write ` x{number}`, with a \
                             space before it, for the rotation, or `{number}` for the repetition, as in `(R U){number}`."
                        );
                        return Self::error(at, message);
                    }
                }
            }
            _ => false,
        };
        if is_sign {
            *self = ahead;
        }
        Ok(is_sign)
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
        1 => "`x` for the rotation, or ",
        3 => "`x'` for the rotation, or ",
        _ => "",
    };
    format!(
        "found `x{number}`, which looks like a repeat count: write {rotation}the moves to repeat in parentheses, as in \
         `(R U){number}`."
    )
}
