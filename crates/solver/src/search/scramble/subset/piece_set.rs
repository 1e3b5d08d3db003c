//! Sets of pieces, read from their names.

use std::fmt;
use std::str::FromStr;

use crate::search::scramble::error::NameError;
use superflip_cube::{Corner, Edge};

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
    pub const U_LAYER: Self = {
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
    pub const ALL_BUT_D_EDGES: Self = {
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
