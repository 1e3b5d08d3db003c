//! The subsets of cubes that scrambles are drawn from. The cubes of a subset are numbered from 0 to its size.
//!
//! A subset is described by what may vary: the groups of slots whose pieces are permuted among themselves, and the slots whose
//! pieces may be twisted or flipped. The number of a cube is a mixed-radix number. Its digits are the steps of a Fisher-Yates shuffle
//! of each group, the twists and the flips. Three digits are not free and are left out: the last twist, the last flip, and the last
//! step of one shuffle, which makes the parities of corners and edges equal. So each number is one cube, and each cube of the subset
//! has one number. The solved cube is 0.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::coord::rank::is_odd;
use crate::search::scramble::NameError;
use superflip_cube::{Axis, Corner, Cube, Edge, Move, Symmetry};

/// A subset of cubes. Faces and pieces are named as the cube is held before the scramble. This also applies to `333ni`, whose
/// scrambles may change the holding.
///
/// # Examples
/// ```
/// use superflip_solver::search::scramble::Subset;
///
/// let subset: Subset = "htr".parse()?;
/// assert_eq!(subset.size(), 663_552);
/// assert!(subset.state(0).is_some_and(|cube| cube.is_solved()));
/// # Ok::<(), superflip_solver::search::scramble::NameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subset {
    /// Cubes in which only these pieces are permuted and oriented, among themselves; all others are at home.
    Pieces(PieceSet),
    /// Cubes with all edges oriented: solvable without quarter turns of the two faces of this axis.
    OrientedEdges(Axis),
    /// Cubes after domino reduction (DR): solvable by moves of the two faces of this axis and half turns of the other four.
    DominoReduction(Axis),
    /// Cubes solvable by half turns (HTR).
    HalfTurns,
    /// Cubes that are solved but for the U layer, whose edges are oriented (ZBLL).
    LastLayerOrientedEdges,
    /// Cubes that are solved but for the U layer, whose pieces are oriented (PLL).
    LastLayerOriented,
}

impl Default for Subset {
    fn default() -> Self {
        Self::ALL
    }
}

impl Subset {
    /// All cubes.
    pub const ALL: Self = Self::Pieces(PieceSet::ALL);
    /// Cubes with solved corners.
    pub const EDGES: Self = Self::Pieces(PieceSet::EDGES);
    /// Cubes with solved edges.
    pub const CORNERS: Self = Self::Pieces(PieceSet::CORNERS);
    /// Cubes that are solved but for the U layer.
    pub const LAST_LAYER: Self = Self::Pieces(PieceSet::U_LAYER);
    /// Cubes that are solved but for the U layer and the slots DFR and FR.
    pub(crate) const LAST_SLOT: Self = Self::Pieces(PieceSet::U_LAYER.and_slot_fr());
    /// Cubes with a solved cross on D: all pieces but its four edges are scrambled.
    pub(crate) const AFTER_CROSS: Self = Self::Pieces(PieceSet::ALL_BUT_D_EDGES);

    /// Subsets with names. Any other subset of pieces is named by its pieces. `eo` is `eo_fb`, and `dr` is `dr_ud`.
    pub const NAMED: [(&'static str, Self); 17] = [
        ("all", Self::ALL),
        ("edges", Self::EDGES),
        ("corners", Self::CORNERS),
        ("after_cross", Self::AFTER_CROSS),
        ("last_slot", Self::LAST_SLOT),
        ("last_layer", Self::LAST_LAYER),
        ("zbll", Self::LastLayerOrientedEdges),
        ("pll", Self::LastLayerOriented),
        ("eo", Self::OrientedEdges(Axis::Fb)),
        ("eo_ud", Self::OrientedEdges(Axis::Ud)),
        ("eo_rl", Self::OrientedEdges(Axis::Rl)),
        ("eo_fb", Self::OrientedEdges(Axis::Fb)),
        ("dr", Self::DominoReduction(Axis::Ud)),
        ("dr_ud", Self::DominoReduction(Axis::Ud)),
        ("dr_rl", Self::DominoReduction(Axis::Rl)),
        ("dr_fb", Self::DominoReduction(Axis::Fb)),
        ("htr", Self::HalfTurns),
    ];

    /// Returns the number of cubes in it, the solved one included.
    pub fn size(&self) -> u128 {
        self.states().size()
    }

    /// Returns the cube with this number, or `None` from [`Subset::size`] on. Each cube of the subset has one number; the solved cube
    /// is 0. The numbers do not change between releases.
    pub fn state(&self, number: u128) -> Option<Cube> {
        let states = self.states();
        (number < states.size()).then(|| states.cube(number))
    }

    /// Returns whether the subset contains the cube, which must be solvable by moves.
    pub fn contains(&self, cube: &Cube) -> bool {
        self.states().contains(cube)
    }

    /// Returns the slots whose pieces may be permuted, twisted or flipped.
    pub(crate) fn states(&self) -> States {
        let whole = |count: usize| (0..count).collect::<Vec<usize>>();
        let slice = |axis: Axis| {
            let has_no_sticker_on = |edge: &Edge| edge.faces().iter().all(|face| face.axis() != axis);
            Edge::ALL.into_iter().filter(has_no_sticker_on).map(Edge::index).collect::<Vec<usize>>()
        };
        match *self {
            Self::Pieces(set) => States {
                corners: CornerPermutations::Of(set.corner_indices()),
                edges: vec![set.edge_indices()],
                twisted: set.corner_indices(),
                flipped: set.edge_indices(),
                seen: Symmetry::IDENTITY,
            },
            // Only quarter turns of F and B flip edges in the convention of the cube.
            Self::OrientedEdges(axis) => States {
                corners: CornerPermutations::Of(whole(8)),
                edges: vec![whole(12)],
                twisted: whole(8),
                flipped: Vec::new(),
                seen: carrying(Axis::Fb, axis),
            },
            Self::DominoReduction(axis) => {
                let middle = slice(Axis::Ud);
                let others = whole(12).into_iter().filter(|slot| !middle.contains(slot)).collect();
                States {
                    corners: CornerPermutations::Of(whole(8)),
                    edges: vec![others, middle],
                    twisted: Vec::new(),
                    flipped: Vec::new(),
                    seen: carrying(Axis::Ud, axis),
                }
            }
            Self::LastLayerOrientedEdges | Self::LastLayerOriented => States {
                corners: CornerPermutations::Of(PieceSet::U_LAYER.corner_indices()),
                edges: vec![PieceSet::U_LAYER.edge_indices()],
                twisted: match *self {
                    Self::LastLayerOriented => Vec::new(),
                    _ => PieceSet::U_LAYER.corner_indices(),
                },
                flipped: Vec::new(),
                seen: Symmetry::IDENTITY,
            },
            Self::HalfTurns => States {
                corners: CornerPermutations::ByHalfTurns,
                edges: Axis::ALL.map(slice).to_vec(),
                twisted: Vec::new(),
                flipped: Vec::new(),
                seen: Symmetry::IDENTITY,
            },
        }
    }
}

/// Returns a rotation under which moves about one axis become moves about another.
fn carrying(from: Axis, to: Axis) -> Symmetry {
    let image = |symmetry: Symmetry| symmetry.conjugate_move(Move::ALL[3 * from.index()]).face().axis();
    let once = Symmetry::DIAGONAL;
    [Symmetry::IDENTITY, once, once.inverse()].into_iter().find(|s| image(*s) == to).unwrap_or(Symmetry::IDENTITY)
}

impl FromStr for Subset {
    type Err = NameError;

    /// Reads one of the names in [`Subset::NAMED`], or the names of pieces.
    fn from_str(text: &str) -> Result<Self, NameError> {
        let text = text.trim();
        if let Some((_, subset)) = Self::NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(*subset);
        }
        // A word in lower case is a misspelt name of a subset; the names of pieces are in upper case.
        if text.starts_with(|c: char| c.is_lowercase()) {
            return Err(NameError::UnknownSubset { given: text.to_owned() });
        }
        text.parse().map(Self::Pieces)
    }
}

impl fmt::Display for Subset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Of two names for one subset, the last is the longer one.
        match (Self::NAMED.iter().rfind(|(_, subset)| subset == self), self) {
            (Some((name, _)), _) => f.write_str(name),
            (None, Self::Pieces(set)) => set.fmt(f),
            (None, _) => unreachable!("all other subsets are named"),
        }
    }
}

/// A set of corners and edges.
///
/// # Examples
/// ```
/// use superflip_solver::search::scramble::PieceSet;
///
/// let set: PieceSet = "UF, UB, RUF".parse()?;
/// assert_eq!(set.to_string(), "URF UF UB");
/// assert!("UF XY".parse::<PieceSet>().is_err());
/// # Ok::<(), superflip_solver::search::scramble::NameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PieceSet {
    /// Whether each corner is in the set.
    pub corners: [bool; Corner::COUNT],
    /// Whether each edge is in the set.
    pub edges: [bool; Edge::COUNT],
}

impl PieceSet {
    /// All corners and edges.
    pub const ALL: Self = Self { corners: [true; Corner::COUNT], edges: [true; Edge::COUNT] };
    /// All corners.
    pub const CORNERS: Self = Self { corners: [true; Corner::COUNT], edges: [false; Edge::COUNT] };
    /// All edges.
    pub const EDGES: Self = Self { corners: [false; Corner::COUNT], edges: [true; Edge::COUNT] };
    /// The four corners and four edges of the U layer.
    pub(crate) const U_LAYER: Self = {
        let mut set = Self { corners: [false; Corner::COUNT], edges: [false; Edge::COUNT] };
        let mut i = 0;
        while i < 4 {
            // The first four of either kind in Kociemba's order.
            set.corners[i] = true;
            set.edges[i] = true;
            i += 1;
        }
        set
    };

    /// All pieces but the four edges of the D layer.
    pub(crate) const ALL_BUT_D_EDGES: Self = {
        let mut set = Self::ALL;
        let mut edge = Edge::Dr.index();
        while edge <= Edge::Db.index() {
            set.edges[edge] = false;
            edge += 1;
        }
        set
    };

    /// Returns the set with the corner DFR and the edge FR.
    pub(super) const fn and_slot_fr(mut self) -> Self {
        self.corners[Corner::Dfr.index()] = true;
        self.edges[Edge::Fr.index()] = true;
        self
    }

    /// Returns the indices of its corners, ascending.
    pub fn corner_indices(&self) -> Vec<usize> {
        (0..Corner::COUNT).filter(|&i| self.corners[i]).collect()
    }

    /// Returns the indices of its edges, ascending.
    pub fn edge_indices(&self) -> Vec<usize> {
        (0..Edge::COUNT).filter(|&i| self.edges[i]).collect()
    }
}

/// Returns the letters of a name in one order.
fn sorted(name: &str) -> Vec<char> {
    let mut letters: Vec<char> = name.chars().collect();
    letters.sort_unstable();
    letters
}

impl FromStr for PieceSet {
    type Err = NameError;

    /// Reads names separated by spaces or commas. The letters of a name may be in any order: `FU` is `UF`.
    fn from_str(text: &str) -> Result<Self, NameError> {
        let mut set = Self::default();
        for name in text.split(|c: char| c.is_whitespace() || c == ',').filter(|name| !name.is_empty()) {
            let letters = sorted(name);
            let corner = Corner::NAMES.iter().position(|known| sorted(known) == letters).map(|i| &mut set.corners[i]);
            let edge = Edge::NAMES.iter().position(|known| sorted(known) == letters).map(|i| &mut set.edges[i]);
            let Some(entry) = corner.or(edge) else {
                return Err(NameError::UnknownPiece { given: name.to_owned() });
            };
            if std::mem::replace(entry, true) {
                return Err(NameError::RepeatedPiece { given: name.to_owned() });
            }
        }
        if set == Self::default() { Err(NameError::NoPieces) } else { Ok(set) }
    }
}

impl fmt::Display for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let corners = self.corner_indices().into_iter().map(|i| Corner::NAMES[i]);
        let edges = self.edge_indices().into_iter().map(|i| Edge::NAMES[i]);
        f.write_str(&corners.chain(edges).collect::<Vec<_>>().join(" "))
    }
}

/// The permutations of the corners.
pub(crate) enum CornerPermutations {
    /// All permutations of the pieces of these slots.
    Of(Vec<usize>),
    /// The 96 permutations that half turns generate.
    ByHalfTurns,
}

/// What may vary in a subset.
pub(crate) struct States {
    pub(crate) corners: CornerPermutations,
    /// Groups of slots. Each group keeps its pieces.
    pub(crate) edges: Vec<Vec<usize>>,
    pub(crate) twisted: Vec<usize>,
    pub(crate) flipped: Vec<usize>,
    /// Symmetry that leads from the cubes described by the other fields to the cubes of the subset.
    pub(crate) seen: Symmetry,
}

/// The permutations of the corners that half turns generate, solved first. There are 96: all 24 of one tetrad, and four of the other
/// for each, as each half turn acts alike on the three pairings of either tetrad.
static HALF_TURN_CORNERS: LazyLock<Vec<[Corner; 8]>> = LazyLock::new(|| {
    let mut found = vec![Cube::SOLVED];
    let mut next = 0;
    while let Some(&cube) = found.get(next) {
        for mv in Move::ALL.into_iter().filter(|mv| mv.quarters() == 2) {
            let after = cube.then(mv.cube());
            if found.iter().all(|known| known.corners() != after.corners()) {
                found.push(after);
            }
        }
        next += 1;
    }
    found.iter().map(|cube| *cube.corners()).collect()
});

/// The digits of a number, the least significant first.
struct Digits(u128);

impl Digits {
    fn next(&mut self, radix: usize) -> usize {
        let digit = self.0 % radix as u128;
        self.0 /= radix as u128;
        digit as usize
    }
}

fn factorial(n: usize) -> u128 {
    (1..=n as u128).product()
}

/// Shuffles the pieces of these slots and returns whether the permutation is odd. With `parity`, the last step makes it odd or even.
fn shuffle<T>(pieces: &mut [T], slots: &[usize], digits: &mut Digits, parity: Option<bool>) -> bool {
    let mut odd = false;
    for (at, &slot) in slots.iter().enumerate() {
        let step = match (slots.len() - at, parity) {
            (1, _) => break,
            (2, Some(parity)) => usize::from(odd != parity),
            (left, _) => digits.next(left),
        };
        if step > 0 {
            pieces.swap(slot, slots[at + step]);
            odd = !odd;
        }
    }
    odd
}

#[allow(clippy::cast_possible_truncation)] // digits are smaller than the radix, 2 or 3
/// Sets the orientations of these slots; the last one makes the sum divisible by `radix`.
fn orient(orientations: &mut [u8], slots: &[usize], radix: usize, digits: &mut Digits) {
    let Some((&last, others)) = slots.split_last() else { return };
    let mut sum = 0;
    for &slot in others {
        let digit = digits.next(radix);
        orientations[slot] = digit as u8;
        sum += digit;
    }
    orientations[last] = ((radix - sum % radix) % radix) as u8;
}

impl States {
    /// Returns the number of cubes.
    pub(crate) fn size(&self) -> u128 {
        let (corners, vary) = match &self.corners {
            CornerPermutations::Of(slots) => (factorial(slots.len()), slots.len() > 1),
            CornerPermutations::ByHalfTurns => (HALF_TURN_CORNERS.len() as u128, true),
        };
        let edges: u128 = self.edges.iter().map(|group| factorial(group.len())).product();
        let orientations = |radix: u128, slots: &[usize]| slots.iter().skip(1).map(|_| radix).product::<u128>();
        let halved = if vary || self.fitting_group().is_some() { 2 } else { 1 };
        corners * edges / halved * orientations(3, &self.twisted) * orientations(2, &self.flipped)
    }

    /// Returns the group of edges whose last step fits the parity to that of the corners.
    fn fitting_group(&self) -> Option<usize> {
        self.edges.iter().rposition(|group| group.len() > 1)
    }

    /// Returns the cube with this number, from 0 to the size.
    pub(crate) fn cube(&self, number: u128) -> Cube {
        let mut digits = Digits(number);
        let (mut corners, mut edges) = (Corner::ALL, Edge::ALL);
        let fitting = self.fitting_group();
        let mut odd = match &self.corners {
            // Without edges to exchange, the corners must be even themselves.
            CornerPermutations::Of(slots) => {
                shuffle(&mut corners, slots, &mut digits, fitting.is_none().then_some(false))
            }
            CornerPermutations::ByHalfTurns => {
                corners = HALF_TURN_CORNERS[digits.next(HALF_TURN_CORNERS.len())];
                is_odd(&corners.map(|corner| corner as u8))
            }
        };
        for (index, group) in self.edges.iter().enumerate() {
            odd ^= shuffle(&mut edges, group, &mut digits, (fitting == Some(index)).then_some(odd));
        }
        let (mut twists, mut flips) = ([0; 8], [0; 12]);
        orient(&mut twists, &self.twisted, 3, &mut digits);
        orient(&mut flips, &self.flipped, 2, &mut digits);
        self.seen.conjugate(&Cube::assemble(corners, twists, edges, flips))
    }

    /// Returns whether a cube that moves can reach is one of them.
    pub(crate) fn contains(&self, cube: &Cube) -> bool {
        let cube = self.seen.inverse().conjugate(cube);
        let corners = match &self.corners {
            CornerPermutations::Of(slots) => {
                (0..8).all(|slot| slots.contains(&slot) || cube.corners()[slot].index() == slot)
            }
            CornerPermutations::ByHalfTurns => HALF_TURN_CORNERS.contains(cube.corners()),
        };
        let edges = (0..12).all(|slot| {
            let piece = cube.edges()[slot].index();
            piece == slot || self.edges.iter().any(|group| group.contains(&slot) && group.contains(&piece))
        });
        let twists = (0..8).all(|slot| cube.twists()[slot] == 0 || self.twisted.contains(&slot));
        let flips = (0..12).all(|slot| cube.flips()[slot] == 0 || self.flipped.contains(&slot));
        corners && edges && twists && flips
    }
}
