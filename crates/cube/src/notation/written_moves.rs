//! Reads moves symbol by symbol in the notation of WCA regulation 12a, and explains all other symbols.

use super::fewest_moves::{BrokenRule, Rule};
use super::layer_move::LayerMove;
use super::parser::{is_dash, is_prime, parse};
use crate::face::Face;
use crate::forms::shown;

/// Moves as they are written.
pub(super) struct WrittenMoves {
    /// Rules of notation that they break, in the order of the text.
    pub(super) broken: Vec<BrokenRule>,
    /// The moves, if they break none.
    pub(super) moves: Option<Vec<LayerMove>>,
}

impl WrittenMoves {
    pub(super) fn of(text: &str) -> Self {
        let symbols: Vec<char> = text.chars().collect();
        let mut broken = Vec::new();
        let mut at = 0;
        while at < symbols.len() {
            let rest = &symbols[at..];
            let length = if rest[0].is_whitespace() {
                1
            } else if let Some(word) = Word::of(rest) {
                broken.extend(word.fault(&rest[word.length..]).map(|(rule, message)| word.breaks(rule, message, at)));
                word.length
            } else {
                let (rule, length, message) = foreign(rest);
                let symbols = rest[..length].iter().collect();
                broken.push(BrokenRule { rule, symbols, character: Some(at + 1), message });
                length
            };
            at += length;
        }
        let moves = if broken.is_empty() { parse(text).ok() } else { None };
        Self { broken, moves }
    }
}

/// Returns whether symbols have two meanings, so that the moves cannot be read.
pub(super) fn is_ambiguous(broken: &[BrokenRule]) -> bool {
    broken.iter().any(|broken| broken.rule == Rule::Ambiguous)
}

/// The symbols of one move: digits, a letter, and what follows it.
struct Word {
    digits: String,
    letter: char,
    /// `w`, digits, apostrophes and dashes behind the letter. Each apostrophe is `'`, and each dash `-`.
    suffix: String,
    /// Number of symbols.
    length: usize,
}

impl Word {
    fn of(symbols: &[char]) -> Option<Self> {
        let before = symbols.iter().take_while(|c| c.is_ascii_digit() || is_dash(**c)).count();
        let letter = *symbols.get(before).filter(|c| is_move_letter(**c))?;
        // A dash alone before a letter belongs to no move.
        if before > 0 && !symbols[0].is_ascii_digit() {
            return None;
        }
        let belongs = |c: char| c == 'w' || c.is_ascii_digit() || is_prime(c) || is_dash(c);
        let behind = &symbols[before + 1..];
        let count = behind.iter().take_while(|c| belongs(**c)).count();
        let suffix = behind[..count].iter().map(|&c| match c {
            c if is_prime(c) => '\'',
            c if is_dash(c) => '-',
            c => c,
        });
        let digits = symbols[..before].iter().collect();
        Some(Self { digits, letter, suffix: suffix.collect(), length: before + 1 + count })
    }

    fn breaks(&self, rule: Rule, message: String, at: usize) -> BrokenRule {
        BrokenRule { rule, symbols: self.text(), character: Some(at + 1), message }
    }

    fn text(&self) -> String {
        format!("{}{}{}", self.digits, self.letter, self.suffix)
    }

    /// Returns the rule that the move breaks, and an explanation. `rest` are the symbols behind it.
    fn fault(&self, rest: &[char]) -> Option<(Rule, String)> {
        let text = self.text();
        let letter = self.letter;
        let suffix = self.suffix.as_str();
        let (is_wide, amount) = suffix.strip_prefix('w').map_or((false, suffix), |amount| (true, amount));
        let face = Face::from_letter(letter);
        if let Some(same) = same_as_slice(letter, suffix) {
            let instead = if same.is_empty() { "an outer block move and a face move".to_owned() } else { same };
            return Some((
                Rule::SliceMove,
                format!(
                    "`{text}` moves the middle layer, which has no notation. Write {instead}; this counts as two moves."
                ),
            ));
        }
        if matches!(letter, 'u' | 'r' | 'f' | 'd' | 'l' | 'b') {
            let upper = letter.to_ascii_uppercase();
            let message = format!("`{text}`: a face is an upper-case letter. Write `{upper}w` for two layers.");
            return Some((Rule::LowerCase, message));
        }
        if matches!(letter, 'X' | 'Y' | 'Z') {
            let message =
                format!("`{text}`: a rotation is a lower-case letter. Write `{}`.", letter.to_ascii_lowercase());
            return Some((Rule::UpperCaseRotation, message));
        }
        if !(self.digits.is_empty() || (self.digits == "2" && face.is_some() && suffix.contains('w'))) {
            let message = format!(
                "`{text}`: only a 2 may stand before a move, and only before an outer block move. Write `Rw` or `2Rw`."
            );
            return Some((Rule::LayerNumber, message));
        }
        if suffix.contains('-') {
            return Some((Rule::Dash, format!("`{text}`: write an apostrophe for an inverse move, as in `R'`.")));
        }
        if is_wide && face.is_none() {
            return Some((Rule::Symbol, format!("`{text}`: `w` belongs to faces only. A rotation turns all layers.")));
        }
        match amount {
            "2" => self.ambiguity(rest),
            "" | "'" => None,
            "2'" => {
                let half = text.trim_end_matches('\'');
                Some((Rule::HalfTurnApostrophe, format!("`{text}`: a half turn has no apostrophe. Write `{half}`.")))
            }
            _ if amount.bytes().all(|byte| byte.is_ascii_digit()) || amount.ends_with('\'') && is_number(amount) => {
                let message = format!(
                    "`{text}`: only 2 may stand behind a move. Write `{letter}` for one quarter turn, and `{letter}'` for three."
                );
                Some((Rule::Amount, message))
            }
            _ => {
                let message = format!(
                    "`{text}`: write the letter, then `w` if two layers turn, then `2` or an apostrophe, each once: `Rw2`, `Rw'`."
                );
                Some((Rule::SuffixOrder, message))
            }
        }
    }

    /// Returns the fault of a 2 that may belong to this move or to the next one.
    fn ambiguity(&self, rest: &[char]) -> Option<(Rule, String)> {
        let [letter, 'w', ..] = rest else { return None };
        Face::from_letter(*letter)?;
        let (text, one) = (self.text(), self.text().trim_end_matches('2').to_owned());
        let message =
            format!("`{text}{letter}w` is `{text} {letter}w` or `{one} 2{letter}w`. Put a space between the moves.");
        Some((Rule::Ambiguous, message))
    }
}

/// Returns whether a text is digits and one apostrophe.
fn is_number(amount: &str) -> bool {
    let digits = &amount[..amount.len() - 1];
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

const fn is_move_letter(c: char) -> bool {
    matches!(
        c,
        'U' | 'R'
            | 'F'
            | 'D'
            | 'L'
            | 'B'
            | 'u'
            | 'r'
            | 'f'
            | 'd'
            | 'l'
            | 'b'
            | 'M'
            | 'E'
            | 'S'
            | 'm'
            | 'e'
            | 's'
            | 'x'
            | 'y'
            | 'z'
            | 'X'
            | 'Y'
            | 'Z'
    )
}

/// Returns the two moves, in words, that replace a move of the middle layer. The text is empty if the amount cannot be read. Returns `None`
/// for other letters.
fn same_as_slice(letter: char, suffix: &str) -> Option<String> {
    // The middle layer turns like L, D or F. Turning two layers and the outer one back leaves the middle one.
    let (face, turns_like_face) = match letter {
        'M' | 'm' => ('R', false),
        'E' | 'e' => ('U', false),
        'S' | 's' => ('F', true),
        _ => return None,
    };
    let (forth, back) = match suffix {
        "" | "3'" => ("", "'"),
        "'" | "3" => ("'", ""),
        "2" | "2'" => ("2", "2"),
        _ => return Some(String::new()),
    };
    let (wide, outer) = if turns_like_face { (forth, back) } else { (back, forth) };
    Some(format!("`{face}w{wide} {face}{outer}`"))
}

/// Returns the rule that symbols outside a move break, their number, and an explanation.
fn foreign(symbols: &[char]) -> (Rule, usize, String) {
    if symbols.starts_with(&['/', '/']) {
        let length = symbols.iter().take_while(|c| !matches!(c, '\n' | '\r')).count();
        return (Rule::Comment, length, "A comment is not part of a solution. Remove it.".to_owned());
    }
    let is_grouping = |c: char| "()[]{}<>,:*".contains(c);
    if is_grouping(symbols[0]) {
        // A repeat count, the sign before it and an apostrophe belong to the bracket before them.
        let belongs = |c: &&char| c.is_ascii_digit() || is_prime(**c);
        let is_signed =
            |behind: &[char]| matches!(behind, ['x' | 'X' | '×' | '*' | '^', digit, ..] if digit.is_ascii_digit());
        let count = if ")]".contains(symbols[0]) {
            let sign = usize::from(is_signed(&symbols[1..]));
            sign + symbols[1 + sign..].iter().take_while(belongs).count()
        } else {
            0
        };
        let found: String = symbols[..=count].iter().collect();
        let message = format!(
            "`{found}`: brackets are not in the notation. Write every move out, in the order in which it is made."
        );
        return (Rule::Grouping, 1 + count, message);
    }
    let belongs = |at: &usize| {
        let c = symbols[*at];
        !c.is_whitespace() && !is_grouping(c) && Word::of(&symbols[*at..]).is_none()
    };
    let length = (0..symbols.len()).take_while(belongs).count().max(1);
    let found: String = symbols[..length].iter().take(12).map(|&c| shown(c)).collect();
    let message = format!(
        "`{found}` is not in the notation of solutions. Write faces U R F D L B, outer block moves such as Rw, and rotations x y z."
    );
    (Rule::Symbol, length, message)
}
