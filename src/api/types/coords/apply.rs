//! Moves applied to a value of a coordinate, with the look-ups of a sym-coordinate.

use crate::contract::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};

use super::value::{OFFSET_NOTE, offset, raw_second};
use superflip_coords::space::{Space, SpaceState, SymRule};
use superflip_cube::{Move, join};

/// Value after one more move.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ManeuverStep)]
pub struct StepBody {
    /// Move.
    pub turn: &'static str,
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
    pub rule: Option<SymRule>,
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
    /// Returns the index of the first move after which the coordinate is undefined.
    pub fn new(space: &Space, state: SpaceState, moves: &[Move]) -> Result<Self, usize> {
        let value = space.value(state);
        let start = space.frame(value);
        let (mut frame, mut here, mut steps) = (start, state, Vec::with_capacity(moves.len()));
        for (number, &turn) in moves.iter().enumerate() {
            let (rule, after) = frame.and_then(|frame| space.sym_rule(frame, turn)).unzip();
            here = space.turn(here, turn).ok_or(number)?;
            frame = after;
            steps.push(StepBody {
                turn: turn.name(),
                value: space.value(here),
                offset: offset(space, frame),
                raw: here.base,
                raw_second: raw_second(space, here),
                distance: space.distance(here),
                rule,
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
            moves: join(moves),
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
