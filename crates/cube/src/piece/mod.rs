//! Corner and edge pieces, and the slots of the same names.

pub(crate) mod kind;

use crate::face::Face;

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
            #[inline]
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
