//! One value of a coordinate: its cube, class, distance and neighbours, and its image under a symmetry.

use crate::contract::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};

use super::catalogue::UNTABLED;
use crate::api::types::Cubies;
use superflip_coords::space::group::{self, GROUPS};
use superflip_coords::space::{ClassOf, Frame, Space, SpaceError, SpaceState};
use superflip_cube::{Move, Moves, Symmetry};

/// Change of the distance from solved by a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DistanceChange)]
pub enum Leads {
    /// One less.
    Nearer,
    /// Unchanged.
    Level,
    /// One more.
    Farther,
}

/// Value after one move.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Neighbour)]
pub struct NeighbourBody {
    /// Move that leads to the neighbour.
    #[serde(rename = "move")]
    pub mv: &'static str,
    /// Value after the move; null if the coordinate is undefined there.
    pub value: Option<u64>,
    /// Distance from solved.
    pub distance: Option<u32>,
    /// Change of the distance.
    pub leads: Option<Leads>,
}

/// Value of a coordinate.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CoordinateValue)]
pub struct ValueBody {
    /// Name of the coordinate.
    pub name: String,
    /// Value; the smallest of those that mean the same, which is the one that `GET /coords` returns for a cube.
    pub value: u64,
    /// All packed values that mean the same raw value, including the requested one; null for other coordinates.
    pub equivalent: Option<Vec<u64>>,
    /// Offset: 0 (the identity), because the value stands for its representative. Null if the value includes its symmetry or has none.
    pub offset: Option<usize>,
    /// Explanation of `offset`; null without one.
    pub offset_note: Option<&'static str>,
    /// Raw value that moves act on; of the first part if the coordinate is composed of two.
    pub raw: u32,
    /// Raw value of the second part; null if there is none.
    pub raw_second: Option<u32>,
    /// Cube with this value, as 54 letters URFDLB.
    pub facelets: String,
    /// The same cube as Kociemba's arrays.
    pub cubies: Cubies,
    /// Class of the raw value; null if no group reduces the coordinate.
    pub class: Option<ClassBody>,
    /// Exact number of moves to solved; null if the coordinate has no table.
    pub distance: Option<u32>,
    /// Shortest sequence of moves to solved; null if the coordinate has no table.
    pub to_solved: Option<String>,
    /// Reason why there is no distance; null if there is one.
    pub distance_reason: Option<&'static str>,
    /// Value after each of the 18 moves.
    pub neighbours: Vec<NeighbourBody>,
}

/// Returns the raw value of the second part, if there is one.
pub(super) fn raw_second(space: &Space, state: SpaceState) -> Option<u32> {
    (!space.plan().rest.is_empty()).then_some(state.rest)
}

/// Explanation of the offset.
pub(super) const OFFSET_NOTE: &str = "the value does not include the offset (the symmetry S for which S x S^-1 is the representative). This \
                           answer uses the representative itself, with offset 0";

/// Returns the offset: the symmetry of the frame, if the value does not include it.
pub(super) fn offset(space: &Space, frame: Option<Frame>) -> Option<usize> {
    frame.filter(|_| !space.plan().packed).map(|frame| frame.symmetry.index())
}

impl ValueBody {
    /// Describes a value that occurs.
    pub fn new(space: &Space, state: SpaceState) -> Self {
        let (cube, value) = (space.cube(state), space.value(state));
        let distance = space.distance(state);
        let neighbours = Move::ALL.iter().map(|&mv| {
            let after = space.after(state, mv);
            let there = after.and_then(|after| space.distance(after));
            let leads = there.zip(distance).map(|(there, here)| match there.cmp(&here) {
                std::cmp::Ordering::Less => Leads::Nearer,
                std::cmp::Ordering::Equal => Leads::Level,
                std::cmp::Ordering::Greater => Leads::Farther,
            });
            let value = after.map(|after| space.value(after));
            NeighbourBody { mv: mv.name(), value, distance: there, leads }
        });
        let offset = offset(space, space.frame(value));
        Self {
            name: space.plan().label.clone(),
            value,
            equivalent: space.equivalent(state),
            offset,
            offset_note: offset.map(|_| OFFSET_NOTE),
            raw: state.base,
            raw_second: raw_second(space, state),
            facelets: cube.to_string(),
            cubies: (&cube).into(),
            class: space.class_of(state).map(Into::into),
            distance,
            to_solved: space.to_solved(state).map(|maneuver| Moves::from(&maneuver).to_string()),
            distance_reason: distance.is_none().then_some(UNTABLED),
            neighbours: neighbours.collect(),
        }
    }
}

/// Symmetry to transform a value by.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TransformQuery {
    /// Index of the symmetry, 0 to 47, as in `GET /symmetries`.
    #[param(minimum = 0, maximum = 47, example = 2)]
    pub symmetry: u32,
}

/// Value transformed by a symmetry.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TransformedValue)]
pub struct TransformBody {
    /// Name of the coordinate.
    pub name: String,
    /// Requested value; the smallest of those that mean the same.
    pub value: u64,
    /// Symmetry.
    pub symmetry: SymmetryBody,
    /// Value of s x s^-1.
    pub transformed: u64,
    /// Raw value of s x s^-1.
    pub raw: u32,
    /// Raw value of its second part; null if there is none.
    pub raw_second: Option<u32>,
    /// Distance from solved.
    pub distance: Option<u32>,
    /// Cube with that value.
    pub facelets: String,
}

impl TransformBody {
    /// Transforms `from` by `s`.
    ///
    /// # Errors
    /// Returns an error if the symmetry does not act on the coordinate.
    pub fn new(space: &Space, from: SpaceState, s: Symmetry) -> Result<Self, SpaceError> {
        let state = space.transform(from, s)?;
        Ok(Self {
            name: space.plan().label.clone(),
            value: space.value(from),
            symmetry: s.into(),
            transformed: space.value(state),
            raw: state.base,
            raw_second: raw_second(space, state),
            distance: space.distance(state),
            facelets: space.cube(state).to_string(),
        })
    }
}

/// Symmetry of the cube, one of 48.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Symmetry)]
pub struct SymmetryBody {
    /// Kociemba's index: 16 a + 8 b + 2 c + d.
    pub index: usize,
    /// Description.
    pub description: String,
    /// Index of the inverse.
    pub inverse: usize,
    /// Images s m s^-1 of the moves `U U2 U' R ... B'`.
    pub moves: Vec<&'static str>,
    /// Named groups that contain it.
    pub groups: Vec<&'static str>,
}

impl From<Symmetry> for SymmetryBody {
    fn from(s: Symmetry) -> Self {
        Self {
            index: s.index(),
            description: group::describe(s),
            inverse: s.inverse().index(),
            moves: Move::ALL.iter().map(|&mv| s.conjugate_move(mv).name()).collect(),
            groups: GROUPS.iter().filter(|group| group.position(s).is_some()).map(|group| group.name).collect(),
        }
    }
}

/// Class of a value.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Class)]
pub struct ClassBody {
    /// Group under which classes are formed.
    pub group: &'static str,
    /// Number of the class; null if classes are not numbered.
    pub class: Option<u32>,
    /// Symmetry S for which S x S^-1 is the representative.
    #[schema(value_type = usize)]
    pub symmetry: Symmetry,
    /// Raw value of the representative, the smallest of the class.
    pub representative: u32,
    /// Number of raw values in the class.
    pub orbit: usize,
    /// Symmetries of the group that keep the value.
    #[schema(value_type = Vec<usize>)]
    pub self_symmetries: Vec<Symmetry>,
    /// Symmetries of the group that keep the representative.
    #[schema(value_type = Vec<usize>)]
    pub representative_self_symmetries: Vec<Symmetry>,
}

impl From<ClassOf> for ClassBody {
    fn from(from: ClassOf) -> Self {
        let ClassOf { group, class, symmetry, representative, orbit, self_symmetries, representative_self_symmetries } =
            from;
        Self { group, class, symmetry, representative, orbit, self_symmetries, representative_self_symmetries }
    }
}
