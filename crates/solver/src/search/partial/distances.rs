//! The distance of each pair of values of corners and edges from the target.

use super::orbit::{MoveTable, Orbit};
use crate::control::{Cancelled, Control};
use superflip_cube::{Face, Move};

/// Distance of a pair that no moves lead to.
const NONE: u8 = u8::MAX;

/// The distances, one byte for each pair, and the move tables.
pub(crate) struct Distances {
    corners: MoveTable,
    edges: MoveTable,
    /// Number of values of the edges.
    row: usize,
    by_pair: Vec<u8>,
}

impl std::fmt::Debug for Distances {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Distances").field("values", &self.by_pair.len()).finish_non_exhaustive()
    }
}

impl Distances {
    /// Computes the distances by a breadth-first search from the target.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub(super) fn new(corners: &Orbit, edges: &Orbit, control: &Control) -> Result<Self, Cancelled> {
        let (of_corners, corners) = corners.table(control)?;
        let (of_edges, edges) = edges.table(control)?;
        let row = of_edges.len();
        let allowed = of_corners.iter().flat_map(|&corners| of_edges.iter().map(move |&edges| corners && edges));
        let by_pair = allowed.map(|is_allowed| if is_allowed { 0 } else { NONE }).collect();
        let mut out = Self { corners, edges, row, by_pair };
        let mut depth = 0;
        while out.spread(depth, control)? {
            depth += 1;
        }
        Ok(out)
    }

    /// Gives the neighbours of all pairs of a depth the next depth. Returns whether there were new ones.
    fn spread(&mut self, depth: u8, control: &Control) -> Result<bool, Cancelled> {
        let (mut is_new, rows) = (false, self.by_pair.len() / self.row);
        let mut since_check = 0;
        for corners in 0..rows {
            since_check += self.row;
            if since_check >= CHECKED {
                since_check = 0;
                control.check()?;
            }
            for edges in 0..self.row {
                if self.by_pair[corners * self.row + edges] != depth {
                    continue;
                }
                for face in Face::ALL {
                    let mut at = [corners, edges].map(|value| u32::try_from(value).unwrap_or(u32::MAX));
                    for _ in 0..3 {
                        at = self.after_quarter(at, face);
                        let index = self.index(at);
                        let distance = &mut self.by_pair[index];
                        if *distance == NONE {
                            (*distance, is_new) = (depth + 1, true);
                        }
                    }
                }
            }
        }
        Ok(is_new)
    }

    #[inline]
    fn index(&self, [corners, edges]: [u32; 2]) -> usize {
        corners as usize * self.row + edges as usize
    }

    #[inline]
    fn after_quarter(&self, [corners, edges]: [u32; 2], face: Face) -> [u32; 2] {
        [self.corners.after(face, corners), self.edges.after(face, edges)]
    }

    /// Returns the pair of values after a move.
    pub(super) fn after(&self, at: [u32; 2], mv: Move) -> [u32; 2] {
        (0..mv.quarters()).fold(at, |at, _| self.after_quarter(at, mv.face()))
    }

    /// Returns the number of pairs at each distance.
    pub(super) fn histogram(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        for &distance in self.by_pair.iter().filter(|&&distance| distance != NONE) {
            let depth = usize::from(distance);
            counts.resize(counts.len().max(depth + 1), 0);
            counts[depth] += 1;
        }
        counts
    }

    /// Returns the number of moves from a pair of values to the target.
    pub(super) fn get(&self, at: [u32; 2]) -> u8 {
        self.by_pair[self.index(at)]
    }
}

/// Pairs between two checks of the control.
const CHECKED: usize = 1 << 16;
