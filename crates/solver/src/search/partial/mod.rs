//! Targets that leave most of the cube open: a cross, a block, a face.
//!
//! A [`PartialTarget`] says for each slot which pieces it may hold, and in which orientations. Pieces that it does not tell apart are one
//! *class*. Where the pieces of each class are, and how they are turned, is a coordinate: it says whether the target is reached, and a
//! move leads from each of its values to one value. The coordinate of a cross has 190 080 values.
//!
//! ```text
//!   slots -> classes of pieces -> orbit: one coordinate of corners, one of edges -> distances of their pairs -> depth-first search
//! ```
//!
//! A breadth-first search from all values of the target gives the distance of each value. With this exact bound, a depth-first search of
//! one length after the other goes straight to the shortest solutions ([`PartialSearch`](super::targets::PartialSearch)).

mod distances;
mod orbit;

pub(crate) use distances::Distances;

use std::sync::{Arc, OnceLock};

use orbit::Orbit;

use crate::control::{Cancelled, Control};
use superflip_cube::{Corner, Cube, Edge};

/// A set of cubes: for each slot, the pieces that it may hold and their orientations. Clones share the distances.
///
/// # Examples
/// ```
/// use superflip_cube::{Corner, Cube, Edge};
/// use superflip_solver::{Goal, Solver};
/// use superflip_solver::search::PartialTarget;
///
/// // The cross: each edge of the layer D is in its slot.
/// let is_of_cross = |edge: Edge| edge.name().starts_with('D');
/// let in_place = |slot, edge, flip| slot == edge && flip == 0;
/// let cross = PartialTarget::new(
///     Cube::SOLVED,
///     |_, _, _| true,
///     |slot, edge, flip| if is_of_cross(slot) { in_place(slot, edge, flip) } else { !is_of_cross(edge) },
/// );
/// assert_eq!(cross.values(), 12 * 11 * 10 * 9 * 16);
/// let cube = Cube::from_scramble("R2 U F'")?;
/// let way = Solver::open_default()?.solve(&cube, &Goal::default().to_partial(cross.clone()))?;
/// assert!(cross.contains(&cube.after(&way.moves)) && way.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartialTarget(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    /// One cube of the set.
    example: Cube,
    corners: Orbit,
    edges: Orbit,
    distances: OnceLock<Distances>,
}

impl PartialEq for PartialTarget {
    fn eq(&self, other: &Self) -> bool {
        (&self.0.corners, &self.0.edges) == (&other.0.corners, &other.0.edges)
    }
}

impl Eq for PartialTarget {}

impl PartialTarget {
    /// Greatest number of values that a search accepts.
    pub const MAX_VALUES: u64 = 1 << 31;

    /// Creates the target from one of its cubes, and from what is allowed: `corner(slot, piece, twist)` with twists 0..3, and
    /// `edge(slot, piece, flip)` with flips 0..2, in the convention of [`Cube`].
    ///
    /// # Panics
    /// When `example` is not allowed.
    pub fn new(
        example: Cube,
        corner: impl Fn(Corner, Corner, u8) -> bool,
        edge: impl Fn(Edge, Edge, u8) -> bool,
    ) -> Self {
        let target = Self(Arc::new(Parts {
            example,
            corners: Orbit::of_corners(|slot, piece, twist| corner(Corner::ALL[slot], Corner::ALL[piece], twist)),
            edges: Orbit::of_edges(|slot, piece, flip| edge(Edge::ALL[slot], Edge::ALL[piece], flip)),
            distances: OnceLock::new(),
        }));
        assert!(target.contains(&example), "{example:?} is not in the target");
        target
    }

    /// Returns one cube of the set.
    pub(crate) fn example(&self) -> &Cube {
        &self.0.example
    }

    /// Returns the number of values of its coordinate. A search needs one byte for each, and some milliseconds for a million.
    pub fn values(&self) -> u64 {
        self.0.corners.size().saturating_mul(self.0.edges.size())
    }

    /// Returns whether a cube is in the set.
    pub fn contains(&self, cube: &Cube) -> bool {
        self.0.corners.allows(cube) && self.0.edges.allows(cube)
    }

    /// Returns the number of values at each distance from the target.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub fn depth_histogram(&self, control: &Control) -> Result<Vec<u64>, Cancelled> {
        Ok(self.distances(control)?.histogram())
    }

    /// Returns the least number of moves from a cube to the target. The first call computes the distances of all values.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub fn distance(&self, cube: &Cube, control: &Control) -> Result<u8, Cancelled> {
        Ok(self.distances(control)?.get(self.values_of(cube)))
    }

    /// Returns the distances, which are computed at the first call.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub(crate) fn distances(&self, control: &Control) -> Result<&Distances, Cancelled> {
        if let Some(distances) = self.0.distances.get() {
            return Ok(distances);
        }
        let computed = Distances::new(&self.0.corners, &self.0.edges, control)?;
        Ok(self.0.distances.get_or_init(|| computed))
    }

    /// Returns the values of a cube: of the corners, and of the edges.
    pub(crate) fn values_of(&self, cube: &Cube) -> [u32; 2] {
        [self.0.corners.value_of(cube), self.0.edges.value_of(cube)]
    }
}
