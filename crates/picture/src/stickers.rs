//! Stickers of a cube: the kind of sticker in each place, before colours are assigned, and stages of solving methods, which show
//! some stickers of a solved cube and hide the others.

use superflip_cube::{Cube, Face, Holding};

use crate::colour::{DARK_GREY, GREY, Paint, Scheme};
use crate::moves;

/// A sticker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sticker {
    /// Sticker of a face, in the colour of the scheme.
    Of(Face),
    /// Blank sticker: `n`, dark grey.
    Blank,
    /// Sticker that is known to be oriented: `o`, grey.
    Oriented,
    /// Sticker in a colour of its own.
    Painted(Paint),
}

impl Sticker {
    /// Sticker that is not drawn.
    pub(crate) const TRANSPARENT: Self = Self::Painted(None);

    /// Returns the sticker of a lower-case letter: `u r f d l b`, `n` blank, `o` oriented, `t` transparent.
    pub(crate) fn of_letter(letter: char) -> Option<Self> {
        match letter {
            'n' => Some(Self::Blank),
            'o' => Some(Self::Oriented),
            't' => Some(Self::TRANSPARENT),
            'a'..='z' => Face::from_letter(letter.to_ascii_uppercase()).map(Self::Of),
            _ => None,
        }
    }

    /// Returns the paint of the sticker.
    pub fn paint(self, scheme: &Scheme) -> Paint {
        match self {
            Self::Of(face) => scheme.0[face.index()],
            Self::Blank => Some(DARK_GREY),
            Self::Oriented => Some(GREY),
            Self::Painted(paint) => paint,
        }
    }
}

/// Returns the stickers of a solved cube.
pub fn solved(size: usize) -> Vec<Sticker> {
    Face::ALL.into_iter().flat_map(|face| std::iter::repeat_n(Sticker::Of(face), size * size)).collect()
}

/// Returns the stickers of a cube that is held as `holding` says. `shown` says which stickers of the solved cube, held likewise, are
/// shown; the others become `hidden`.
pub fn of_cube(cube: &Cube, holding: Holding, shown: Option<&[bool]>, hidden: Sticker) -> Vec<Sticker> {
    let centres = holding.centres();
    let sticker = |from: u8| {
        let from = usize::from(from);
        let is_shown = shown.is_none_or(|shown| shown[from]);
        if is_shown { Sticker::Of(centres[from / 9]) } else { hidden }
    };
    cube.to_facelet_permutation().into_iter().map(sticker).collect()
}

macro_rules! stages {
    ($($(#[$meaning:meta])+ $stage:ident = $name:literal,)*) => {
        /// A stage, by the name that `VisualCube` gives it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Stage { $($(#[$meaning])+ $stage,)* }

        impl Stage {
            /// Every stage.
            pub const ALL: [Self; [$(Self::$stage,)*].len()] = [$(Self::$stage,)*];

            /// Returns the name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$stage => $name,)* }
            }
        }
    };
}

stages! {
    /// First layer.
    FirstLayer = "fl",
    /// First two layers.
    FirstTwoLayers = "f2l",
    /// Last layer.
    LastLayer = "ll",
    /// Corners of the last layer.
    LastCorners = "cll",
    /// Edges of the last layer.
    LastEdges = "ell",
    /// Orientation of the last layer: the upper face.
    Orientation = "oll",
    /// Orientation of the corners of the last layer.
    CornerOrientation = "ocll",
    /// Orientation of the edges of the last layer.
    EdgeOrientation = "oell",
    /// Orientation of the last layer, and its corners.
    OrientationAndCorners = "coll",
    /// Orientation of the last layer, and its edges.
    OrientationAndEdges = "ocell",
    /// Winter variation: first two layers, and orientation of the last.
    Winter = "wv",
    /// First two layers, and orientation of the edges of the last.
    VandenberghHarris = "vh",
    /// Edge of the last slot: as `vh`, without the corner DFR.
    EdgeOfLastSlot = "els",
    /// Corner of the last slot: first two layers, and orientation of the last.
    CornerOfLastSlot = "cls",
    /// First two blocks, and the corners of the last layer.
    CornersAfterBlocks = "cmll",
    /// Cross on the lower face.
    Cross = "cross",
    /// Cross and the pair FR; three pairs are left.
    ThreePairsLeft = "f2l_3",
    /// Cross and the pairs BR and BL; two pairs are left.
    TwoPairsLeft = "f2l_2",
    /// Cross and the pairs FR and BL, which are opposite; two pairs are left.
    TwoOppositePairsLeft = "f2l_sm",
    /// Cross and the pairs FL, BL and BR; one pair is left.
    OnePairLeft = "f2l_1",
    /// First two blocks: left and right side without the upper layer.
    FirstTwoBlocks = "f2b",
    /// Line: the edges DF and DB with the centres between them.
    Line = "line",
    /// Block of 2x2x2 at DFR.
    Block222 = "2x2x2",
    /// Block of 2x2x3 at DF.
    Block223 = "2x2x3",
}

/// Faces that a piece touches, as bits.
type Faces = u8;

const fn bit(face: Face) -> Faces {
    1 << face.index()
}

const fn faces<const N: usize>(faces: [Face; N]) -> Faces {
    let (mut bits, mut at) = (0, 0);
    while at < N {
        bits |= bit(faces[at]);
        at += 1;
    }
    bits
}

/// A sticker: its piece and its face.
#[derive(Clone, Copy)]
struct PieceSticker {
    piece: Faces,
    face: Face,
}

impl PieceSticker {
    fn touches(self, face: Face) -> bool {
        self.piece & bit(face) != 0
    }

    fn is_within(self, faces: Faces) -> bool {
        self.piece & !faces == 0
    }

    fn is_centre(self) -> bool {
        self.piece.is_power_of_two()
    }

    fn is_edge(self) -> bool {
        self.piece.count_ones() == 2
    }

    fn is_corner(self) -> bool {
        self.piece.count_ones() == 3
    }

    /// Returns whether the piece is the edge between these sides, or the lower corner beside it.
    fn is_in_pair(self, pair: [Face; 2]) -> bool {
        self.touches(pair[0]) && self.touches(pair[1]) && !self.touches(Face::U)
    }
}

impl Stage {
    /// Returns the stage with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }

    /// Returns whether there is a mask for cubes of `size` layers.
    pub(crate) fn is_for(self, size: usize) -> bool {
        size == 3 || (size == 2 && matches!(self, Self::FirstLayer | Self::LastLayer | Self::Orientation))
    }

    /// Returns for each sticker of a solved cube of 2 or 3 layers whether the stage shows it.
    pub fn shown(self, size: usize) -> Vec<bool> {
        let sticker = |index: usize| {
            let face = Face::ALL[index / (size * size)];
            PieceSticker { piece: moves::touched(index, size).map(bit).sum(), face }
        };
        (0..6 * size * size).map(|index| self.shows(sticker(index), size)).collect()
    }

    fn shows(self, sticker: PieceSticker, size: usize) -> bool {
        use Face::{B, D, F, L, R, U};
        let (is_upper, is_lower) = (sticker.touches(U), sticker.touches(D));
        let is_on_top = sticker.face == U;
        let first_two_layers = !is_upper;
        let cross = !is_upper && (sticker.is_centre() || (sticker.is_edge() && is_lower));
        let blocks = !is_upper && (sticker.touches(L) || sticker.touches(R));
        let has = |pairs: &[[Face; 2]]| cross || pairs.iter().any(|pair| sticker.is_in_pair(*pair));
        match self {
            Self::FirstLayer => is_lower,
            Self::FirstTwoLayers => first_two_layers,
            Self::LastLayer => is_upper,
            Self::LastCorners => is_upper && !sticker.is_edge(),
            Self::LastEdges => is_upper && !sticker.is_corner(),
            // The lower face of a 2x2x2 is oriented in the same step.
            Self::Orientation => is_on_top || (size == 2 && sticker.face == D),
            Self::CornerOrientation => is_on_top && !sticker.is_edge(),
            Self::EdgeOrientation => is_on_top && !sticker.is_corner(),
            Self::OrientationAndCorners => is_on_top || (is_upper && sticker.is_corner()),
            Self::OrientationAndEdges => is_on_top || (is_upper && sticker.is_edge()),
            Self::Winter | Self::CornerOfLastSlot => is_on_top || first_two_layers,
            Self::VandenberghHarris => (is_on_top && !sticker.is_corner()) || first_two_layers,
            Self::EdgeOfLastSlot => {
                let is_last_corner = sticker.piece == faces([D, F, R]);
                (is_on_top && !sticker.is_corner()) || (first_two_layers && !is_last_corner)
            }
            Self::CornersAfterBlocks => blocks || sticker.is_corner(),
            Self::Cross => cross,
            Self::ThreePairsLeft => has(&[[F, R]]),
            Self::TwoPairsLeft => has(&[[B, R], [B, L]]),
            Self::TwoOppositePairsLeft => has(&[[F, R], [B, L]]),
            Self::OnePairLeft => has(&[[F, L], [B, L], [B, R]]),
            Self::FirstTwoBlocks => blocks,
            Self::Line => sticker.is_within(faces([D, F, B])),
            Self::Block222 => sticker.is_within(faces([D, F, R])),
            Self::Block223 => sticker.is_within(faces([D, F, R, L])),
        }
    }
}
