//! The pieces that stickers show, whether or not turns can reach the cube.

use superflip_cube::cubie::Cube;
use superflip_cube::face::Face;
use superflip_cube::geometry::FACELETS;
use superflip_cube::{Corner, Edge, PieceKind, parity};

/// Every piece once, in any slots and orientations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pieces {
    pub(crate) corners: [Corner; Corner::COUNT],
    pub(crate) twists: [u8; Corner::COUNT],
    pub(crate) edges: [Edge; Edge::COUNT],
    pub(crate) flips: [u8; Edge::COUNT],
}

/// Returns the piece in a slot and its orientation, or `None` if its stickers show no piece.
pub(crate) fn piece_in<P: PieceKind>(slot: P, shown: impl Fn(usize) -> Option<Face>) -> Option<(P, u8)> {
    let mut faces = [None; 3];
    let facelets = slot.facelets();
    facelets.iter().zip(&mut faces).for_each(|(&facelet, face)| *face = shown(facelet));
    P::showing(&faces[..facelets.len()])
}

impl Pieces {
    /// Reads the pieces, or returns `None` unless every slot shows a piece and no piece occurs twice.
    pub(crate) fn read(faces: &[Option<Face>; FACELETS]) -> Option<Self> {
        let shown = |facelet: usize| faces[facelet];
        let mut pieces =
            Self { corners: Corner::ALL, twists: [0; Corner::COUNT], edges: Edge::ALL, flips: [0; Edge::COUNT] };
        for (i, slot) in Corner::ALL.into_iter().enumerate() {
            (pieces.corners[i], pieces.twists[i]) = piece_in(slot, shown)?;
        }
        for (i, slot) in Edge::ALL.into_iter().enumerate() {
            (pieces.edges[i], pieces.flips[i]) = piece_in(slot, shown)?;
        }
        parity(&pieces.corners.map(Corner::index))?;
        parity(&pieces.edges.map(Edge::index))?;
        Some(pieces)
    }

    /// Returns the sum of the twists modulo 3.
    pub(crate) fn twist(&self) -> u8 {
        self.twists.iter().sum::<u8>() % 3
    }

    /// Returns whether the number of flipped edges is odd.
    pub(crate) fn is_flipped(&self) -> bool {
        self.flips.iter().sum::<u8>() % 2 == 1
    }

    /// Returns whether the permutations of corners and edges differ in parity.
    pub(crate) fn is_exchanged(&self) -> bool {
        parity(&self.corners.map(Corner::index)) != parity(&self.edges.map(Edge::index))
    }

    /// Returns the cube, if turns can reach it.
    pub(crate) fn legal(&self) -> Option<Cube> {
        let is_legal = self.twist() == 0 && !self.is_flipped() && !self.is_exchanged();
        is_legal.then(|| Cube::assemble(self.corners, self.twists, self.edges, self.flips))
    }

    /// Returns the number of pieces at home in their right orientation.
    pub(crate) fn at_home(&self) -> usize {
        let corners = (0..Corner::COUNT).filter(|&i| self.corners[i].index() == i && self.twists[i] == 0);
        let edges = (0..Edge::COUNT).filter(|&i| self.edges[i].index() == i && self.flips[i] == 0);
        corners.count() + edges.count()
    }
}
