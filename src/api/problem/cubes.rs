//! What a problem says of a cube: why it is impossible, the nearest legal cubes, or the cubes between which a request does not decide.

use serde::Serialize;

use crate::api::types::same_fields;
use crate::contract::ToSchema;
use superflip_cube::forms::{Reading, shown};
use superflip_cube::verify::sticker;
use superflip_cube::{self as cube, Face, Form};
use superflip_scan::Arrangement;
use superflip_scan::colours::Likely;
use superflip_scan::repair::{self, Action, FaceReading, Reassembly, Scanned, Stickers};

/// Reason why a cube is impossible.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Violation {
    /// Kind of the reason, as a stable word.
    pub code: &'static str,
    /// Explanation in one or two sentences.
    pub message: String,
    /// Slots concerned, such as `URF`.
    pub slots: Vec<&'static str>,
    /// Pieces concerned, such as `UR`.
    pub pieces: Vec<&'static str>,
    /// Stickers concerned, as indices into `facelets`, 0 to 53 in ascending order. Empty if no sticker can be singled out, or if the
    /// cube was given as `cubies`.
    pub stickers: Vec<u8>,
    /// Kociemba's error number, 1 to 6; null if there is none.
    #[schema(minimum = 1, maximum = 6)]
    pub kociemba: Option<u8>,
}

same_fields! {
    cube::Violation => Violation { code, message, slots, pieces, stickers, kociemba }
}

/// One way to read an ambiguous cube.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Reading)]
pub struct CubeReading {
    /// Form of the text; absent for faces in unknown rotations or order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
    pub format: Option<Form>,
    /// The cube in this reading, as 54 symbols in the order U R F D L B.
    pub facelets: String,
    /// For each face in the order U R F D L B, the number 0 to 5 of the given face that belongs there. Present if the order is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<[u8; 6]>,
    /// For each face in the order U R F D L B, the clockwise quarter turns, 0 to 3, by which the given face is to be turned. Present if
    /// the rotations are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<[u8; 6]>,
}

impl From<Reading> for CubeReading {
    fn from(reading: Reading) -> Self {
        Self { format: Some(reading.format), facelets: reading.facelets, order: None, turns: None }
    }
}

impl CubeReading {
    /// Creates the reading of faces in unknown order or rotations.
    pub fn of_faces(reading: FaceReading, has_order: bool, has_turns: bool) -> Self {
        let (order, turns) = (has_order.then_some(reading.order), has_turns.then_some(reading.turns));
        Self { format: None, facelets: reading.facelets, order, turns }
    }
}

/// A cube that explains the samples of a scan.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ScanCandidate {
    /// The cube as 54 letters in the order U R F D L B.
    pub facelets: String,
    /// Estimate of the probability that this is the cube, 0 to 1.
    pub probability: f64,
    /// For each face in the order U R F D L B, the number 0 to 5 of the scanned face that belongs there. Absent if the order is known and
    /// no face is in another place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<[u8; 6]>,
    /// True if each scanned face is to be mirrored from left to right, before it is turned; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirrored: Option<bool>,
    /// For each face in the order U R F D L B, the clockwise quarter turns, 0 to 3, by which the scanned face is to be turned. Absent if
    /// the rotations are known and none is turned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<[u8; 6]>,
}

impl ScanCandidate {
    /// Creates the candidate of a scan. `scanned` says what is unknown about its faces.
    pub(crate) fn new(likely: &Likely, scanned: Option<Scanned>) -> Self {
        let Likely { cube, probability, arrangement: Arrangement { order, is_mirrored, turns } } = *likely;
        let has_order = scanned.is_some_and(|scanned| scanned.unknown_order);
        let has_turns = scanned.is_some_and(|scanned| scanned.unknown_rotations);
        let as_given = Arrangement::AS_GIVEN;
        Self {
            facelets: cube.to_string(),
            probability,
            order: (has_order || order != as_given.order).then_some(order),
            mirrored: is_mirrored.then_some(true),
            turns: (has_turns || turns != as_given.turns).then_some(turns),
        }
    }
}

/// Greatest number of stickers named in a sentence.
const NAMED: usize = 4;

/// Number of physical ways that are listed.
const WAYS: usize = 3;

/// The legal cubes at the least distance from given stickers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Repairs {
    /// Number of stickers that change; 0 if the known stickers are those of a legal cube.
    pub distance: u32,
    /// Cubes at this distance: all of them, or the first ones in a fixed order.
    pub repairs: Vec<Repair>,
    /// Number of cubes at this distance, in decimal digits; at most 43252003274489856000.
    #[schema(example = "1")]
    pub total: String,
    /// Whether there are more cubes at this distance than listed.
    pub truncated: bool,
    /// Legal cubes that result if one face is turned, which was probably scanned in another rotation; absent if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turned_faces: Vec<TurnedFace>,
    /// Legal cubes that result if one centre is changed or two are exchanged; absent if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub centres: Vec<Repair>,
    /// Physical actions that make the cube legal. Present if every slot shows a piece, no piece occurs twice, and the cube is impossible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical: Option<PhysicalRepairs>,
}

/// One of the nearest legal cubes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Repair {
    /// The cube as 54 symbols in the order U R F D L B, in the symbols of the request.
    pub facelets: String,
    /// Stickers that change, as indices into `facelets`, 0 to 53 in ascending order; without those that were unknown.
    pub changed: Vec<u8>,
}

impl From<repair::Repair> for Repair {
    fn from(repair: repair::Repair) -> Self {
        Self { facelets: repair.facelets, changed: repair.changed }
    }
}

/// One scanned face in another rotation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TurnedFace {
    /// Letter of the face.
    #[schema(value_type = String)]
    pub face: Face,
    /// Clockwise quarter turns of the scanned face, 1 to 3.
    pub turns: u8,
    /// The legal cube that results, in the symbols of the request.
    pub facelets: String,
}

impl From<repair::TurnedFace> for TurnedFace {
    fn from(turned: repair::TurnedFace) -> Self {
        Self { face: turned.face, turns: turned.turns, facelets: turned.facelets }
    }
}

/// Fewest physical actions that make a wrongly assembled cube legal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PhysicalRepairs {
    /// Number of actions, 1 to 3: at most one twist, one flip and one exchange.
    pub actions: usize,
    /// Number of ways with this many actions, in decimal digits.
    #[schema(example = "12")]
    pub total: String,
    /// Some of the ways; those that leave the most pieces solved come first.
    pub ways: Vec<PhysicalWay>,
}

/// One way to make the cube legal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PhysicalWay {
    /// Actions in any order.
    pub actions: Vec<PhysicalAction>,
    /// The cube afterwards, in the symbols of the request.
    pub facelets: String,
}

/// One action on the pieces of a cube.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PhysicalAction {
    /// Kind of the action.
    pub action: PhysicalActionKind,
    /// Slot of the piece, or the slots of the two pieces to exchange, such as `URF`.
    pub slots: Vec<&'static str>,
}

/// Kind of a physical action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhysicalActionKind {
    /// Turn a corner in its slot by a third, clockwise.
    TwistClockwise,
    /// Turn a corner in its slot by a third, counterclockwise.
    TwistCounterclockwise,
    /// Turn an edge in its slot by a half.
    Flip,
    /// Exchange two corners. The sticker on U or D of one slot goes to U or D of the other.
    ExchangeCorners,
    /// Exchange two edges. The sticker on U or D, else on F or B, of one slot goes to that of the other.
    ExchangeEdges,
}

impl PhysicalActionKind {
    /// Returns the kind as words that the slots follow.
    pub const fn words(self) -> &'static str {
        match self {
            Self::TwistClockwise => "twist clockwise",
            Self::TwistCounterclockwise => "twist counterclockwise",
            Self::Flip => "flip",
            Self::ExchangeCorners | Self::ExchangeEdges => "exchange",
        }
    }
}

impl From<Action> for PhysicalAction {
    fn from(action: Action) -> Self {
        let (action, slots) = match action {
            Action::TwistClockwise(slot) => (PhysicalActionKind::TwistClockwise, vec![slot.name()]),
            Action::TwistCounterClockwise(slot) => (PhysicalActionKind::TwistCounterclockwise, vec![slot.name()]),
            Action::Flip(slot) => (PhysicalActionKind::Flip, vec![slot.name()]),
            Action::ExchangeCorners(one, other) => {
                (PhysicalActionKind::ExchangeCorners, vec![one.name(), other.name()])
            }
            Action::ExchangeEdges(one, other) => (PhysicalActionKind::ExchangeEdges, vec![one.name(), other.name()]),
        };
        Self { action, slots }
    }
}

impl From<Reassembly> for PhysicalRepairs {
    fn from(found: Reassembly) -> Self {
        let way = |way: repair::Way| PhysicalWay {
            actions: way.actions.into_iter().map(Into::into).collect(),
            facelets: way.facelets,
        };
        Self {
            actions: found.actions(),
            total: found.total.to_string(),
            ways: found.ways.into_iter().map(way).collect(),
        }
    }
}

impl Repairs {
    /// Finds the nearest legal cubes and lists at most `limit` of them. It takes about a millisecond.
    pub fn of(stickers: &Stickers, limit: usize) -> Self {
        let found = repair::nearest(stickers, limit);
        let physical = repair::reassemble(stickers, WAYS).filter(|found| found.actions() > 0);
        Self {
            distance: found.distance,
            repairs: found.repairs.into_iter().map(Into::into).collect(),
            turned_faces: repair::turned_faces(stickers).into_iter().map(Into::into).collect(),
            centres: repair::misread_centres(&stickers.text()).into_iter().map(Into::into).collect(),
            total: found.total.to_string(),
            truncated: found.truncated,
            physical: physical.map(Into::into),
        }
    }

    /// Describes the nearest cube as a sentence, if there is only one and it differs in two to four stickers. The violations name
    /// the sticker if it is only one.
    pub(crate) fn only_change(&self) -> String {
        let ([only], "1", true) = (&self.repairs[..], self.total.as_str(), self.turned_faces.is_empty()) else {
            return String::new();
        };
        if !(2..=NAMED).contains(&only.changed.len()) {
            return String::new();
        }
        let symbol = |facelet: &u8| only.facelets.chars().nth(usize::from(*facelet)).map_or_else(String::new, shown);
        let change = |facelet: &u8| format!("{} is `{}`", sticker((*facelet).into()), symbol(facelet));
        let changes: Vec<String> = only.changed.iter().map(change).collect();
        format!(" The nearest possible cube differs in {} stickers: {}.", changes.len(), changes.join(", "))
    }
}
