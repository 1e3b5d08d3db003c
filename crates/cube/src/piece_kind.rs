//! What corners and edges have in common, for code that is generic over both.

use crate::face::Face;
use crate::geometry::{CORNER_FACELETS, EDGE_FACELETS};
use crate::piece::{Corner, Edge};

/// A corner or an edge: a piece, and the slot of the same name.
pub trait PieceKind: Copy + PartialEq + 'static {
    /// Every piece in index order.
    const ALL: &'static [Self];

    /// Returns its name: its faces in order.
    fn name(self) -> &'static str;

    /// Returns the index.
    fn index(self) -> usize;

    /// Returns its faces, the reference face first, then clockwise as seen from outside.
    fn faces(self) -> impl Iterator<Item = Face>;

    /// Returns the facelets of the slot, 0 to 53, in the order of the faces.
    fn facelets(self) -> &'static [usize];

    /// Returns the piece that shows these faces on the facelets of a slot, and its orientation. Returns `None` if a face is unknown, or if
    /// no piece shows them.
    fn showing(faces: &[Option<Face>]) -> Option<(Self, u8)>;
}

/// A piece and its orientation, by two consecutive faces in clockwise order, which determine the piece.
type ByTwoFaces<P> = [[Option<(P, u8)>; Face::COUNT]; Face::COUNT];

macro_rules! kind {
    ($kind:ident, $facelets:ident) => {
        impl PieceKind for $kind {
            const ALL: &'static [Self] = &$kind::ALL;

            fn name(self) -> &'static str {
                $kind::name(self)
            }

            fn index(self) -> usize {
                $kind::index(self)
            }

            fn faces(self) -> impl Iterator<Item = Face> {
                $kind::faces(self).into_iter()
            }

            fn facelets(self) -> &'static [usize] {
                &$facelets[self as usize]
            }

            fn showing(shown: &[Option<Face>]) -> Option<(Self, u8)> {
                static BY_TWO_FACES: ByTwoFaces<$kind> = {
                    let mut known = [[None; Face::COUNT]; Face::COUNT];
                    let mut index = 0;
                    while index < $kind::COUNT {
                        let faces = $kind::ALL[index].faces();
                        let mut first = 0;
                        while first < faces.len() {
                            let by = (faces.len() - first) % faces.len();
                            let next = faces[(first + 1) % faces.len()];
                            known[faces[first] as usize][next as usize] = Some(($kind::ALL[index], by as u8));
                            first += 1;
                        }
                        index += 1;
                    }
                    known
                };
                let (piece, by) = BY_TWO_FACES[shown[0]?.index()][shown[1]?.index()]?;
                let is_at = |(k, face)| shown[(k + usize::from(by)) % shown.len()] == Some(face);
                piece.faces().into_iter().enumerate().all(is_at).then_some((piece, by))
            }
        }
    };
}

kind!(Corner, CORNER_FACELETS);
kind!(Edge, EDGE_FACELETS);

/// Returns whether the permutation is odd, or `None` if an entry repeats.
pub fn parity(permutation: &[usize]) -> Option<bool> {
    let mut odd = false;
    for (i, a) in permutation.iter().enumerate() {
        for b in &permutation[i + 1..] {
            if a == b {
                return None;
            }
            odd ^= a > b;
        }
    }
    Some(odd)
}
