//! The subsets of cubes that scrambles are drawn from.

mod piece_set;
mod states;

use std::fmt;
use std::str::FromStr;

pub use piece_set::PieceSet;
pub(crate) use states::States;

use states::CornerPermutations;

use super::error::NameError;
use superflip_cube::{Axis, Cube, Edge, Move, Symmetry};

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
    pub const LAST_SLOT: Self = Self::Pieces(PieceSet::U_LAYER.and_slot_fr());
    /// Cubes with a solved cross on D: all pieces but its four edges are scrambled.
    pub const AFTER_CROSS: Self = Self::Pieces(PieceSet::ALL_BUT_D_EDGES);

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
