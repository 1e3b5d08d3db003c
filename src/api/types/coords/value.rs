//! One value of a coordinate seen from all sides: its cube, class, neighbours, and where maneuvers and symmetries take it.

use crate::api::contract::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};

use super::catalogue::UNTABLED;
use crate::api::types::Cubies;
use crate::cube::{Move, Symmetry, input, join};
use crate::space::group::{self, GROUPS};
use crate::space::{ClassOf, Frame, Space, SpaceState, SymRule};

/// The class of a value.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Class)]
pub struct ClassBody {
    /// The group under which classes are formed.
    pub group: &'static str,
    /// The number of the class; null where classes are not numbered.
    pub class: Option<u32>,
    /// The symmetry S for which S x S^-1 is the representative.
    pub symmetry: usize,
    /// The raw value of the representative, the smallest of its class.
    pub representative: u32,
    /// How many raw values the class has.
    pub orbit: usize,
    /// The symmetries of the group that keep the value.
    pub self_symmetries: Vec<usize>,
    /// The symmetries of the group that keep the representative.
    pub representative_self_symmetries: Vec<usize>,
}

impl From<ClassOf> for ClassBody {
    fn from(class: ClassOf) -> Self {
        let indices = |list: Vec<Symmetry>| list.into_iter().map(Symmetry::index).collect();
        Self {
            group: class.group.name,
            class: class.class,
            symmetry: class.symmetry.index(),
            representative: class.representative,
            orbit: class.group.order() / class.kept_by.len().max(1),
            self_symmetries: indices(class.kept_by),
            representative_self_symmetries: indices(class.representative_kept_by),
        }
    }
}

/// Whether a turn leads nearer to solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DistanceChange)]
pub enum Leads {
    /// One turn nearer.
    Nearer,
    /// As far as before.
    Level,
    /// One turn farther.
    Farther,
}

/// Where one turn leads.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Neighbour)]
pub struct NeighbourBody {
    /// The turn.
    pub turn: &'static str,
    /// The value after it; null where the turn leads out of where the coordinate is valid.
    pub value: Option<u64>,
    /// Its distance from solved.
    pub distance: Option<u32>,
    /// Whether that is nearer.
    pub leads: Option<Leads>,
}

/// One value of a coordinate, seen from all sides.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CoordinateValue)]
pub struct ValueBody {
    /// The coordinate.
    pub name: String,
    /// The value; where several mean the same, the smallest of them, which is the one that `GET /coords` gives to a cube.
    pub value: u64,
    /// All packed values that mean the same raw value, including the requested one; null for other coordinates.
    pub equivalent: Option<Vec<u64>>,
    /// Offset of the walk: 0 (the identity), because the value stands for its representative. Null if the value includes its symmetry or has
    /// none.
    pub offset: Option<usize>,
    /// Explanation of `offset`; null without one.
    pub offset_note: Option<&'static str>,
    /// The raw value that turns act on; of a composed coordinate with two parts, that of the first.
    pub raw: u32,
    /// The raw value of the second part; null where there is none.
    pub raw_second: Option<u32>,
    /// A cube with this value, in the letters URFDLB.
    pub facelets: String,
    /// The same as Kociemba's arrays.
    pub cubies: Cubies,
    /// The class of the raw value; null where no group reduces the coordinate.
    pub class: Option<ClassBody>,
    /// How many turns the value is from solved, exact; null where nothing is tabulated.
    pub distance: Option<u32>,
    /// A shortest maneuver that takes the value to solved.
    pub to_solved: Option<String>,
    /// Why there is no distance; null where there is one.
    pub distance_reason: Option<&'static str>,
    /// Where each of the 18 turns leads.
    pub neighbours: Vec<NeighbourBody>,
}

fn raw_second(space: &Space, state: SpaceState) -> Option<u32> {
    (!space.plan().rest.is_empty()).then_some(state.rest)
}

/// What a value without its symmetry leaves open.
const OFFSET_NOTE: &str = "the value does not include the offset (the symmetry S for which S x S^-1 is the representative). This \
                           answer uses the representative itself, with offset 0";

/// The offset: the symmetry of the frame, where the value does not hold it.
fn offset(space: &Space, frame: Option<Frame>) -> Option<usize> {
    frame.filter(|_| !space.plan().packed).map(|frame| frame.symmetry.index())
}

impl ValueBody {
    /// Everything about a value that occurs.
    pub fn new(space: &Space, state: SpaceState) -> Self {
        let (cube, value) = (space.cube(state), space.value(state));
        let distance = space.distance(state);
        let neighbours = Move::ALL.iter().map(|&turn| {
            let after = space.turn(state, turn);
            let there = after.and_then(|after| space.distance(after));
            let leads = there.zip(distance).map(|(there, here)| match there.cmp(&here) {
                std::cmp::Ordering::Less => Leads::Nearer,
                std::cmp::Ordering::Equal => Leads::Level,
                std::cmp::Ordering::Greater => Leads::Farther,
            });
            let value = after.map(|after| space.value(after));
            NeighbourBody { turn: turn.name(), value, distance: there, leads }
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
            facelets: input::to_facelets(&cube),
            cubies: (&cube).into(),
            class: space.class_of(state).map(Into::into),
            distance,
            to_solved: space.to_solved(state).map(|maneuver| join(&maneuver)),
            distance_reason: distance.is_none().then_some(UNTABLED),
            neighbours: neighbours.collect(),
        }
    }
}

/// The look-ups for one turn of a coordinate of classes: Kociemba's three, with Nissy's for a second part.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymMoveRule)]
pub struct RuleBody {
    /// `SymMove[i, M]`: the turn M as the representative sees it.
    pub sym_move: SymMoveBody,
    /// `MoveTable[j, M1]`: the class, and the symmetry that leads to its representative.
    pub move_table: MoveTableBody,
    /// The look-ups for the second part; null where there is none.
    pub second: Option<SecondBody>,
    /// `SymMult[i1, i]`: the product of the two symmetries.
    pub sym_mult: SymMultBody,
    /// Where a symmetry keeps the representative of the new class, several products lead to it; of these the smallest is taken.
    pub canonical: CanonicalBody,
}

/// The first look-up.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymMoveLookup)]
pub struct SymMoveBody {
    /// The symmetry of the value; where the value does not hold it, the offset.
    pub i: usize,
    /// The turn.
    pub m: &'static str,
    /// S(i) M S(i)^-1.
    pub m1: &'static str,
}

/// The second look-up.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveTableLookup)]
pub struct MoveTableBody {
    /// The class of the value.
    pub j: u32,
    /// The turn as the representative sees it.
    pub m1: &'static str,
    /// The class after it.
    pub j1: u32,
    /// The symmetry that leads to the representative of that class.
    pub i1: usize,
}

/// The look-ups for the second part, which is stored as the representative of the first sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SecondLookup)]
pub struct SecondBody {
    /// Value of the second part before the turn.
    pub c: u32,
    /// The turn as the representative sees it.
    pub m1: &'static str,
    /// Its move table at (c, M1).
    pub turned: u32,
    /// The symmetry that leads to the representative of the new class.
    pub i1: usize,
    /// The value of S(i1) x S(i1)^-1 where that of x is `turned`.
    pub transformed: u32,
}

/// The third look-up.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymMultLookup)]
pub struct SymMultBody {
    /// The symmetry that was found.
    pub i1: usize,
    /// The symmetry of the value; where the value does not hold it, the offset.
    pub i: usize,
    /// S(i1) S(i).
    pub product: usize,
}

/// The choice among the symmetries that lead to the same representative.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CanonicalLookup)]
pub struct CanonicalBody {
    /// A symmetry that keeps the representative of the new class; 0 where the product stays as it is.
    pub t: usize,
    /// The product of the third look-up.
    pub product: usize,
    /// S(t) S(product), the smallest there is: the symmetry of the value after the turn, or the offset after it.
    pub symmetry: usize,
    /// The value of S(t) x S(t)^-1 where that of x is `transformed`; null where there is no second part.
    pub second: Option<u32>,
}

impl From<SymRule> for RuleBody {
    fn from(rule: SymRule) -> Self {
        let SymRule { before, after, .. } = rule;
        let (i, i1, m1) = (before.symmetry.index(), rule.symmetry_found.index(), rule.seen.name());
        let second = before.second.zip(rule.second);
        let product = rule.product.index();
        Self {
            sym_move: SymMoveBody { i, m: rule.turn.name(), m1 },
            move_table: MoveTableBody { j: before.class, m1, j1: rule.class_after, i1 },
            second: second.map(|(c, rule)| SecondBody {
                c,
                m1,
                turned: rule.turned,
                i1,
                transformed: rule.transformed,
            }),
            sym_mult: SymMultBody { i1, i, product },
            canonical: CanonicalBody {
                t: rule.keeping.index(),
                product,
                symmetry: after.symmetry.index(),
                second: after.second,
            },
        }
    }
}

/// The value after one more turn.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ManeuverStep)]
pub struct StepBody {
    /// The turn.
    pub turn: &'static str,
    /// The value after it.
    pub value: u64,
    /// The offset after it: the symmetry S for which S x S^-1 is the representative, where the value does not hold it; else null.
    pub offset: Option<usize>,
    /// The raw value after it, of the cube itself, not of its representative.
    pub raw: u32,
    /// The raw value of the second part, of the cube itself; null where there is none.
    pub raw_second: Option<u32>,
    /// The distance from solved after it.
    pub distance: Option<u32>,
    /// How a coordinate of classes was turned; null for others.
    pub rule: Option<RuleBody>,
}

/// A maneuver applied to a value.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AppliedManeuver)]
pub struct ApplyBody {
    /// The coordinate.
    pub name: String,
    /// The value before the first turn; where several mean the same, the smallest of them.
    pub value: u64,
    /// For packed sym-coordinates every value that means the same raw value; null for others.
    pub equivalent: Option<Vec<u64>>,
    /// The offset before the first turn, where a value does not hold it: always 0, the identity; else null.
    pub offset: Option<usize>,
    /// What that means; null where there is no offset.
    pub offset_note: Option<&'static str>,
    /// Its distance from solved.
    pub distance: Option<u32>,
    /// The turns, written out.
    pub moves: String,
    /// The value after each turn.
    pub steps: Vec<StepBody>,
    /// The value after the last turn.
    pub end: u64,
}

impl ApplyBody {
    /// Walks the maneuver.
    ///
    /// # Errors
    /// The number, from 0, of the first turn that leads out of where the coordinate is valid.
    pub fn new(space: &Space, state: SpaceState, moves: &[Move]) -> Result<Self, usize> {
        let value = space.value(state);
        let (start, mut here) = (space.frame(value), state);
        let (mut frame, mut steps) = (start, Vec::with_capacity(moves.len()));
        for (number, &turn) in moves.iter().enumerate() {
            let rule = frame.and_then(|frame| space.sym_rule(frame, turn));
            here = space.turn(here, turn).ok_or(number)?;
            frame = rule.map(|rule| rule.after);
            steps.push(StepBody {
                turn: turn.name(),
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
            moves: join(moves),
            steps,
            end: space.value(here),
        })
    }
}

/// The maneuver to apply.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ApplyQuery {
    /// Face turns, such as `R U R' U'`; groups, commutators and conjugates are written out.
    #[param(example = "R U R' U'")]
    pub moves: String,
}

/// The symmetry to see a value through.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TransformQuery {
    /// 0 to 47, as in `GET /symmetries`.
    #[param(minimum = 0, maximum = 47, example = 2)]
    pub symmetry: u32,
}

/// A value seen through a symmetry.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TransformedValue)]
pub struct TransformBody {
    /// The coordinate.
    pub name: String,
    /// The value that was asked for; where several mean the same, the smallest of them.
    pub value: u64,
    /// The symmetry.
    pub symmetry: SymmetryBody,
    /// The value of s x s^-1.
    pub transformed: u64,
    /// Its raw value.
    pub raw: u32,
    /// The raw value of its second part; null where there is none.
    pub raw_second: Option<u32>,
    /// Its distance from solved.
    pub distance: Option<u32>,
    /// A cube with that value.
    pub facelets: String,
}

impl TransformBody {
    /// The value of `from` seen through `s` as `state`.
    pub fn new(space: &Space, from: SpaceState, s: Symmetry, state: SpaceState) -> Self {
        Self {
            name: space.plan().label.clone(),
            value: space.value(from),
            symmetry: s.into(),
            transformed: space.value(state),
            raw: state.base,
            raw_second: raw_second(space, state),
            distance: space.distance(state),
            facelets: input::to_facelets(&space.cube(state)),
        }
    }
}

/// One of the 48 symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Symmetry)]
pub struct SymmetryBody {
    /// Its number, Kociemba's: 16 a + 8 b + 2 c + d.
    pub index: usize,
    /// What it does, in words.
    pub description: String,
    /// The number of the symmetry that undoes it.
    pub inverse: usize,
    /// What becomes of the turns `U U2 U' R ... B'`: s m s^-1.
    pub turns: Vec<&'static str>,
    /// The named groups that it belongs to.
    pub groups: Vec<&'static str>,
}

impl From<Symmetry> for SymmetryBody {
    fn from(s: Symmetry) -> Self {
        Self {
            index: s.index(),
            description: group::describe(s),
            inverse: s.inverse().index(),
            turns: Move::ALL.iter().map(|&turn| s.conjugate_move(turn).name()).collect(),
            groups: GROUPS.iter().filter(|group| group.position(s).is_some()).map(|group| group.name).collect(),
        }
    }
}
