//! Checks pieces that were read, and assembles a cube.

use crate::cubie::Cube;
use crate::forms::error::Fault;
use crate::forms::holding::Holding;
use crate::input::Violation;
use crate::input::verify::{InputForm, ReadPieces, verify};
use crate::piece::{Corner, Edge};

/// The piece of each slot with its orientation, in Kociemba's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pieces {
    pub(crate) corners: [(Corner, u8); Corner::COUNT],
    pub(crate) edges: [(Edge, u8); Edge::COUNT],
}

impl Pieces {
    /// Returns the cube, or every fault of it.
    pub(crate) fn verify(&self) -> Result<Cube, Fault> {
        let read = ReadPieces {
            corners: self.corners.map(|(piece, _)| Some(piece)),
            twists: self.corners.map(|(_, twist)| Some(twist)),
            edges: self.edges.map(|(piece, _)| Some(piece)),
            flips: self.edges.map(|(_, flip)| Some(flip)),
        };
        verify(&read, InputForm::Named, Vec::new()).map_err(Fault::from)
    }
}

/// Returns the holding with these centres in the order U R F D L B.
pub(crate) fn holding_of(centres: [crate::Face; 6]) -> Result<Holding, Fault> {
    Holding::from_centres(centres).ok_or_else(|| {
        let letters: Vec<_> = centres.iter().map(|face| face.name()).collect();
        let message = format!(
            "The centres at U R F D L B are {}, but no rotation of a cube leads to that: opposite centres stay opposite, \
             and a mirror image is not possible.",
            letters.join(" ")
        );
        Fault::Impossible(vec![Violation::new("impossible_centres", None, message)])
    })
}
