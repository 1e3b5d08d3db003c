//! Checks written solutions of the event 3x3x3 Fewest Moves.
//!
//! The rules follow the [WCA regulations](https://www.worldcubeassociation.org/regulations/) of January 2024: the notation of
//! regulation 12a for a cube of three layers, and nothing else (E2c4).
//!
//! | moves | written | count in OBTM |
//! | --- | --- | --- |
//! | face moves | `R`, `R'`, `R2` | 1 |
//! | outer block moves | `Rw`, `Rw'`, `Rw2`, and the same with a 2 before them | 1 |
//! | rotations | `x`, `x'`, `x2` | 0 |
//!
//! White space may stand between moves, or be omitted. All apostrophes that keyboards write are one symbol here, because the
//! regulations describe handwriting. Moves in any other notation that scrambles accept break a rule, but they are still replayed.

use super::layer_move::{LayerMove, MAX_MOVES, inverse};
use super::without_length;
use super::written_moves::{WrittenMoves, is_ambiguous};
use crate::cubie::Cube;
use crate::face::Face;
use crate::forms::plural;
use crate::geometry::FACELETS;

/// Greatest number of moves of a solution, rotations included (regulation E2d1).
pub const MAX_EXECUTED: usize = 80;

/// A rule for written solutions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Moves of the middle layer are not defined.
    SliceMove,
    /// A face is an upper-case letter; an outer block move has a `w`.
    LowerCase,
    /// A rotation is a lower-case letter.
    UpperCaseRotation,
    /// Only 2 may stand before a move, and only before an outer block move.
    LayerNumber,
    /// Only 2 may stand behind a move.
    Amount,
    /// A half turn has no apostrophe.
    HalfTurnApostrophe,
    /// `w` stands before the amount or the apostrophe, and each stands once.
    SuffixOrder,
    /// Only an apostrophe marks an inverse move.
    Dash,
    /// Parentheses, brackets and their separators are not defined.
    Grouping,
    /// Comments are not defined.
    Comment,
    /// No other symbol is defined.
    Symbol,
    /// The sequence has one meaning.
    Ambiguous,
    /// At most [`MAX_EXECUTED`] moves, rotations included.
    TooLong,
    /// The moves solve the cube, in any holding.
    NotSolved,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 14] = [
        Self::SliceMove,
        Self::LowerCase,
        Self::UpperCaseRotation,
        Self::LayerNumber,
        Self::Amount,
        Self::HalfTurnApostrophe,
        Self::SuffixOrder,
        Self::Dash,
        Self::Grouping,
        Self::Comment,
        Self::Symbol,
        Self::Ambiguous,
        Self::TooLong,
        Self::NotSolved,
    ];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SliceMove => "slice_move",
            Self::LowerCase => "lower_case",
            Self::UpperCaseRotation => "upper_case_rotation",
            Self::LayerNumber => "layer_number",
            Self::Amount => "amount",
            Self::HalfTurnApostrophe => "half_turn_apostrophe",
            Self::SuffixOrder => "suffix_order",
            Self::Dash => "dash",
            Self::Grouping => "grouping",
            Self::Comment => "comment",
            Self::Symbol => "symbol",
            Self::Ambiguous => "ambiguous",
            Self::TooLong => "too_long",
            Self::NotSolved => "not_solved",
        }
    }

    /// Returns the number of the regulation.
    pub const fn regulation(self) -> &'static str {
        match self {
            Self::Ambiguous => "E2c2",
            Self::TooLong => "E2d1",
            Self::NotSolved => "E2c5",
            _ => "E2c4",
        }
    }
}

impl serde::Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A rule that a solution breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenRule {
    /// The rule.
    pub rule: Rule,
    /// Symbols that break it; empty if it concerns the whole solution.
    pub symbols: String,
    /// Number of the first of these symbols in the solution, in characters from 1; `None` if the rule concerns the whole solution.
    pub character: Option<usize>,
    /// Explanation, and what to write instead.
    pub message: String,
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionCheck {
    /// Rules that the solution breaks, in the order of the text; empty for a solution that counts.
    pub broken: Vec<BrokenRule>,
    /// Cube after the moves, each sticker named by the place of its centre. `None` if the moves cannot be read in any notation.
    pub end: Option<Cube>,
    /// Length in the outer block turn metric; `None` if the notation breaks a rule.
    pub length: Option<usize>,
    /// Length in the execution turn metric, which counts rotations too; `None` if the notation breaks a rule.
    pub executed: Option<usize>,
}

impl SolutionCheck {
    /// Checks a written solution of a cube.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::Cube;
    /// use superflip_cube::notation::fewest_moves::{Rule, SolutionCheck};
    ///
    /// let cube = Cube::from_scramble("R U F")?;
    /// let check = SolutionCheck::new(&cube, "x U' B' R'");
    /// assert_eq!((check.is_valid(), check.length, check.executed), (true, Some(3), Some(4)));
    ///
    /// let check = SolutionCheck::new(&cube, "F' U' R3");
    /// assert_eq!((check.broken[0].rule, check.broken[0].character), (Rule::Amount, Some(7)));
    /// assert_eq!((check.solves(), check.length), (Some(true), None));
    /// # Ok::<(), superflip_cube::FormError>(())
    /// ```
    pub fn new(cube: &Cube, text: &str) -> Self {
        let WrittenMoves { mut broken, moves: defined } = WrittenMoves::of(text);
        let (length, executed) = match &defined {
            Some(moves) => (Some(moves.iter().filter(|mv| !mv.is_rotation()).count()), Some(moves.len())),
            None => (None, None),
        };
        // Moves in another notation are replayed too: their writer may only have to rewrite them.
        let moves = defined.or_else(|| in_any_notation(text, &broken));
        let end = moves.as_ref().map(|moves| after(cube, moves));
        // If no rule is broken, the only reason for unreadable moves is that there are more than any maneuver may have.
        let is_endless = executed.is_none() && broken.is_empty();
        if is_endless || executed.is_some_and(|executed| executed > MAX_EXECUTED) {
            let count = executed.map_or_else(|| format!("more than {MAX_MOVES}"), |executed| executed.to_string());
            let message = format!(
                "The solution has {count} moves, rotations included; at most {MAX_EXECUTED} are allowed. Remove rotations, or find \
                 a shorter solution."
            );
            broken.push(BrokenRule::of_solution(Rule::TooLong, message));
        }
        if let (Some(moves), Some(end)) = (&moves, &end)
            && !end.is_solved()
        {
            broken.push(BrokenRule::of_solution(Rule::NotSolved, unsolved(cube, moves)));
        }
        Self { broken, end, length, executed }
    }

    /// Returns whether the solution counts: it breaks no rule, and solves the cube.
    pub fn is_valid(&self) -> bool {
        self.broken.is_empty()
    }

    /// Returns whether the moves solve the cube, or `None` if they cannot be read.
    pub fn solves(&self) -> Option<bool> {
        self.end.map(|end| end.is_solved())
    }
}

impl BrokenRule {
    fn of_solution(rule: Rule, message: String) -> Self {
        Self { rule, symbols: String::new(), character: None, message }
    }
}

/// Returns the number of first moves that a solution shares with the inverse of a scramble. Returns `None` if one of them cannot be
/// read. A solution is read as [`SolutionCheck`] reads it.
///
/// A solution must not be derived from the scramble (regulation E2e). By guideline E2e++, four shared moves are reason enough to
/// disqualify it.
///
/// # Examples
/// ```
/// use superflip_cube::notation::fewest_moves::moves_of_inverse;
///
/// assert_eq!(moves_of_inverse("R' U' F D2 L", "L' D2 F U"), Some(2));
/// ```
pub fn moves_of_inverse(scramble: &str, solution: &str) -> Option<usize> {
    let is_same = |(a, b): &(&LayerMove, &LayerMove)| (a.face, a.layers, a.quarters) == (b.face, b.layers, b.quarters);
    let undone = inverse(&super::moves(without_length(scramble)).ok()?);
    let moves = in_any_notation(solution, &WrittenMoves::of(solution).broken)?;
    Some(undone.iter().zip(&moves).take_while(is_same).count())
}

/// Returns the moves in any notation that scrambles accept, unless symbols have two meanings by the regulations.
fn in_any_notation(text: &str, broken: &[BrokenRule]) -> Option<Vec<LayerMove>> {
    if is_ambiguous(broken) { None } else { super::parser::parse(without_length(text)).ok() }
}

fn after(cube: &Cube, moves: &[LayerMove]) -> Cube {
    super::turned(cube, moves).0
}

/// Says that the moves do not solve the cube, and names the likely mistake.
fn unsolved(cube: &Cube, moves: &[LayerMove]) -> String {
    let hint = if let Some(count) = solved_after(cube, moves) {
        format!(" It is solved after {count} move{}; remove the rest.", plural(count))
    } else if after(cube, &inverse(moves)).is_solved() {
        " The inverse of the moves solves it; write that.".to_owned()
    } else {
        String::new()
    };
    format!("The moves do not solve the cube.{hint}")
}

/// Returns the number of moves after which the cube is solved for the first time, in any holding.
fn solved_after(cube: &Cube, moves: &[LayerMove]) -> Option<usize> {
    // A maneuver has up to 10 000 moves, so only the stickers are followed.
    let mut stickers = cube.to_facelet_permutation();
    let is_solved = |stickers: &[u8; FACELETS]| {
        stickers.chunks_exact(FACELETS / Face::COUNT).all(|face| face.iter().all(|from| from / 9 == face[0] / 9))
    };
    for (count, mv) in moves.iter().enumerate() {
        if is_solved(&stickers) {
            return Some(count);
        }
        stickers = mv.permutation().map(|facelet| stickers[usize::from(facelet)]);
    }
    None
}
