//! Cubes between which a request does not decide.

use serde::Serialize;

use crate::contract::ToSchema;
use superflip_cube::Form;
use superflip_cube::forms::Reading;
use superflip_scan::Arrangement;
use superflip_scan::colours::Likely;
use superflip_scan::repair::{FaceReading, Scanned};

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
#[schema(as = ScanCandidate)]
pub struct Candidate {
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

impl Candidate {
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
