//! Moves applied to a value of a coordinate, with the look-ups of a sym-coordinate.

use crate::contract::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};

use super::value::{OFFSET_NOTE, offset, raw_second};
use crate::api::problem::Problem;
use crate::api::request::coords::move_not_valid;
use superflip_coords::space::rule;
use superflip_coords::space::{Space, SpaceState};
use superflip_cube::{Move, Moves};

/// Value after one more move.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ManeuverStep)]
pub struct StepBody {
    /// Move that was applied.
    #[serde(rename = "move")]
    pub mv: &'static str,
    /// Value after the move.
    pub value: u64,
    /// Offset after the move: the symmetry S for which S x S^-1 is the representative; null if the value includes it.
    pub offset: Option<usize>,
    /// Raw value after the move, of the cube itself, not of its representative.
    pub raw: u32,
    /// Raw value of the second part, of the cube itself; null if there is none.
    pub raw_second: Option<u32>,
    /// Distance from solved after the move.
    pub distance: Option<u32>,
    /// Look-ups of a sym-coordinate; null for other coordinates.
    pub rule: Option<SymMoveRule>,
}

/// Moves applied to a value.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AppliedManeuver)]
pub struct ApplyBody {
    /// Name of the coordinate.
    pub name: String,
    /// Value before the first move; the smallest of those that mean the same.
    pub value: u64,
    /// All packed values that mean the same raw value; null for other coordinates.
    pub equivalent: Option<Vec<u64>>,
    /// Offset before the first move: 0 (the identity); null if the value includes its symmetry.
    pub offset: Option<usize>,
    /// Explanation of `offset`; null without one.
    pub offset_note: Option<&'static str>,
    /// Distance from solved.
    pub distance: Option<u32>,
    /// Moves, expanded.
    pub moves: String,
    /// Value after each move.
    pub steps: Vec<StepBody>,
    /// Value after the last move.
    pub end: u64,
}

impl ApplyBody {
    /// Applies the moves.
    ///
    /// # Errors
    /// Returns an error for the first move after which the coordinate is undefined.
    pub fn new(space: &Space, state: SpaceState, moves: &[Move]) -> Result<Self, Problem> {
        let value = space.value(state);
        let start = space.frame(value);
        let (mut frame, mut here, mut steps) = (start, state, Vec::with_capacity(moves.len()));
        for (number, &mv) in moves.iter().enumerate() {
            let (rule, after) = frame.and_then(|frame| space.sym_rule(frame, mv)).unzip();
            here = space.after(here, mv).ok_or_else(|| move_not_valid(space, mv.name(), number))?;
            frame = after;
            steps.push(StepBody {
                mv: mv.name(),
                value: space.value(here),
                offset: offset(space, frame),
                raw: here.base,
                raw_second: raw_second(space, here),
                distance: space.distance(here),
                rule: rule.map(Into::into),
            });
        }
        let offset = offset(space, start);
        Ok(Self {
            name: space.plan().label.clone(),
            value,
            equivalent: space.equivalent(state),
            offset,
            offset_note: offset.map(|_| OFFSET_NOTE),
            distance: space.distance(state),
            moves: Moves::from(moves).to_string(),
            steps,
            end: space.value(here),
        })
    }
}

/// Moves to apply.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ApplyQuery {
    /// Moves, such as `R U R' U'`; groups, commutators and conjugates are expanded.
    #[param(example = "R U R' U'")]
    pub moves: String,
}

/// Look-ups for one move of a sym-coordinate: Kociemba's three, and Nissy's for a second part.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SymMoveRule {
    /// `SymMove[i, M]`: the move M as seen from the representative.
    pub sym_move: SymMoveBody,
    /// `MoveTable[j, M1]`: the class, and the symmetry that leads to its representative.
    pub move_table: MoveTableBody,
    /// Look-ups for the second part; null if there is none.
    pub second: Option<SecondBody>,
    /// `SymMult[i1, i]`: the product of the two symmetries.
    pub sym_mult: SymMultBody,
    /// Choice of the smallest product, if symmetries keep the representative of the new class and several products lead to it.
    pub canonical: CanonicalBody,
}

impl From<rule::SymRule> for SymMoveRule {
    fn from(from: rule::SymRule) -> Self {
        let rule::SymRule { sym_move, move_table, second, sym_mult, canonical } = from;
        Self {
            sym_move: sym_move.into(),
            move_table: move_table.into(),
            second: second.map(Into::into),
            sym_mult: sym_mult.into(),
            canonical: canonical.into(),
        }
    }
}

/// First look-up: the move as seen from the representative.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymMoveLookup)]
pub struct SymMoveBody {
    /// Symmetry of the value, or the offset if the value does not include it.
    pub i: usize,
    /// Move M that is applied to the value.
    pub m: &'static str,
    /// Move as seen from the representative: S(i) M S(i)^-1.
    pub m1: &'static str,
}

impl From<rule::SymMoveLookup> for SymMoveBody {
    fn from(from: rule::SymMoveLookup) -> Self {
        let rule::SymMoveLookup { i, m, m1 } = from;
        Self { i, m, m1 }
    }
}

/// Second look-up: the class after the move.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveTableLookup)]
pub struct MoveTableBody {
    /// Class of the value.
    pub j: u32,
    /// Move as seen from the representative.
    pub m1: &'static str,
    /// Class after the move.
    pub j1: u32,
    /// Symmetry that leads to the representative of that class.
    pub i1: usize,
}

impl From<rule::MoveTableLookup> for MoveTableBody {
    fn from(from: rule::MoveTableLookup) -> Self {
        let rule::MoveTableLookup { j, m1, j1, i1 } = from;
        Self { j, m1, j1, i1 }
    }
}

/// Look-ups for the second part, which is stored as seen from the representative of the first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SecondLookup)]
pub struct SecondBody {
    /// Value of the second part before the move.
    pub c: u32,
    /// Move as seen from the representative.
    pub m1: &'static str,
    /// Value of the second part after the move `m1`: the entry of its move table in row `c` and column `m1`.
    pub moved: u32,
    /// Symmetry that leads to the representative of the new class.
    pub i1: usize,
    /// The value `moved` as seen from the representative of the new class: that of S(i1) x S(i1)^-1, where x has the value `moved`.
    pub transformed: u32,
}

impl From<rule::SecondLookup> for SecondBody {
    fn from(from: rule::SecondLookup) -> Self {
        let rule::SecondLookup { c, m1, moved, i1, transformed } = from;
        Self { c, m1, moved, i1, transformed }
    }
}

/// Third look-up: the product of the two symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymMultLookup)]
pub struct SymMultBody {
    /// Symmetry found by the second look-up.
    pub i1: usize,
    /// Symmetry of the value, or the offset if the value does not include it.
    pub i: usize,
    /// Product S(i1) S(i).
    pub product: usize,
}

impl From<rule::SymMultLookup> for SymMultBody {
    fn from(from: rule::SymMultLookup) -> Self {
        let rule::SymMultLookup { i1, i, product } = from;
        Self { i1, i, product }
    }
}

/// Choice among the symmetries that lead to the same representative.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CanonicalLookup)]
pub struct CanonicalBody {
    /// Symmetry that keeps the representative of the new class; 0 if the product is unchanged.
    pub t: usize,
    /// Product of the third look-up.
    pub product: usize,
    /// S(t) S(product), the smallest possible: the symmetry of the value after the move, or the offset after it.
    pub symmetry: usize,
    /// Value of S(t) x S(t)^-1, where x has the value `transformed`; null if there is no second part.
    pub second: Option<u32>,
}

impl From<rule::CanonicalLookup> for CanonicalBody {
    fn from(from: rule::CanonicalLookup) -> Self {
        let rule::CanonicalLookup { t, product, symmetry, second } = from;
        Self { t, product, symmetry, second }
    }
}
