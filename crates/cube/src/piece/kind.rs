//! What corners and edges have in common, for code that is generic over both.

use super::{Corner, Edge};
use crate::face::Face;
use crate::geometry::{CORNER_FACELETS, EDGE_FACELETS};

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

    /// Returns the piece in this slot and its orientation, where `shown` is the face of the colour of a facelet. Returns `None` if a
    /// face is unknown, or if no piece shows these faces.
    fn piece_in(self, shown: impl Fn(usize) -> Option<Face>) -> Option<(Self, u8)>;
}

/// A piece and its orientation, by two consecutive faces in clockwise order, which determine the piece.
type ByTwoFaces<P> = [[Option<(P, u8)>; Face::COUNT]; Face::COUNT];

macro_rules! kind {
    ($kind:ident, $facelets:ident, $size:literal) => {
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

            fn piece_in(self, shown: impl Fn(usize) -> Option<Face>) -> Option<(Self, u8)> {
                $kind::showing($facelets[self as usize].map(shown))
            }
        }

        impl $kind {
            /// Returns the piece that shows these faces on the facelets of a slot, and its orientation. Returns `None` if a face is
            /// unknown, or if no piece shows them.
            #[allow(clippy::cast_possible_truncation)] // an orientation is below 3
            pub const fn showing(shown: [Option<Face>; $size]) -> Option<(Self, u8)> {
                const BY_TWO_FACES: &ByTwoFaces<$kind> = &{
                    let mut known = [[None; Face::COUNT]; Face::COUNT];
                    let mut index = 0;
                    while index < $kind::COUNT {
                        let faces = $kind::ALL[index].faces();
                        let mut first = 0;
                        while first < $size {
                            let by = ($size - first) % $size;
                            known[faces[first] as usize][faces[(first + 1) % $size] as usize] =
                                Some(($kind::ALL[index], by as u8));
                            first += 1;
                        }
                        index += 1;
                    }
                    known
                };
                let (Some(first), Some(second)) = (shown[0], shown[1]) else { return None };
                let Some((piece, by)) = BY_TWO_FACES[first.index()][second.index()] else { return None };
                let faces = piece.faces();
                let mut k = 0;
                while k < $size {
                    match shown[(k + by as usize) % $size] {
                        Some(face) if face as u8 == faces[k] as u8 => k += 1,
                        _ => return None,
                    }
                }
                Some((piece, by))
            }
        }
    };
}

kind!(Corner, CORNER_FACELETS, 3);
kind!(Edge, EDGE_FACELETS, 2);

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
