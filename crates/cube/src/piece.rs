//! Corner and edge pieces, the slots of the same names, and what both kinds have in common.

use super::face::Face;
use super::geometry::{CORNER_FACELETS, EDGE_FACELETS};

macro_rules! pieces {
    ($(#[$doc:meta])* $name:ident, $count:literal, $faces:literal, [$($piece:ident = $spelled:literal: $($face:ident)+;)+]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $(#[doc = $spelled] $piece,)+ }

        impl $name {
            /// Number of pieces.
            pub const COUNT: usize = $count;
            /// Every piece in index order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$piece,)+];
            /// Names in index order. A slot has the name of the piece that belongs there.
            pub const NAMES: [&'static str; Self::COUNT] = [$($spelled,)+];

            /// Returns the index.
            pub const fn index(self) -> usize {
                self as usize
            }

            /// Returns the piece with this index, or `None` if it is too large.
            pub const fn try_from_index(index: usize) -> Option<Self> {
                if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
            }

            /// Faces in index order.
            pub(crate) const FACES: [[Face; $faces]; Self::COUNT] = [$([$(Face::$face,)+],)+];

            /// Returns its faces, the reference face first, then clockwise as seen from outside.
            pub const fn faces(self) -> [Face; $faces] {
                Self::FACES[self.index()]
            }

            /// Returns its name: its faces in order.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self.index()]
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pieces! {
    /// A corner piece or corner slot in Kociemba's order; the reference face is the U or D face.
    Corner, 8, 3, [
        Urf = "URF": U R F;
        Ufl = "UFL": U F L;
        Ulb = "ULB": U L B;
        Ubr = "UBR": U B R;
        Dfr = "DFR": D F R;
        Dlf = "DLF": D L F;
        Dbl = "DBL": D B L;
        Drb = "DRB": D R B;
    ]
}

pieces! {
    /// An edge piece or edge slot in Kociemba's order; the reference face is the U or D face, else the F or B face.
    Edge, 12, 2, [
        Ur = "UR": U R;
        Uf = "UF": U F;
        Ul = "UL": U L;
        Ub = "UB": U B;
        Dr = "DR": D R;
        Df = "DF": D F;
        Dl = "DL": D L;
        Db = "DB": D B;
        Fr = "FR": F R;
        Fl = "FL": F L;
        Bl = "BL": B L;
        Br = "BR": B R;
    ]
}

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
