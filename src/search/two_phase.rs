//! The two-phase algorithm (Kociemba 1992) over six directions.
//!
//! Phase 1 enumerates, by rising length and direction after direction, the maneuvers that lead into the subgroup G1 of
//! the direction; each that arrives hands the cube to phase 2, which looks for the rest inside G1. A bound on the whole
//! length, tight from the start, cuts both, and falls with every solution found.
//!
//! Every solution splits, in each direction, into its longest tail of G1 turns and the rest, whose last turn enters G1.
//! So once phase 1 has been through length d in *one* direction, any solution left has more than d turns: that is how
//! the lower bound rises, and when it meets the best solution the search is over.

use super::directions::{Direction, Node};
use super::frames::{FRAMES, NO_TURN, bits};
use super::solution::{Found, Phases};
use super::stop::{Clock, Halt};
use crate::cube::Move;
use crate::tables::move_table::NO_MERGE;
use crate::tables::phase_one::{ALL_TURNS, PhaseOne};
use crate::tables::phase_two::{PhaseTwo, SLICE_ORDERS};
use crate::tables::{Id, Tables};

/// Longest maneuver that the arrays below hold.
const DEPTHS: usize = 32;
/// Nodes after which the hunt for any solution gives up a second phase: the next maneuver of phase 1 costs less.
const QUICK_PHASE_TWO: u64 = 10_000;

/// A two-phase search over one cube.
pub struct TwoPhase<'t> {
    phase_one: PhaseOne<'t>,
    phase_two: PhaseTwo<'t>,
    corner_moves: &'t [u16],
    slice_moves: &'t [u16],
    u_edges_moves: &'t [u16],
    d_edges_moves: &'t [u16],
    ud_edges_moves: &'t [u16],
    merge: &'t [u16],
    directions: [Direction; 6],
    lower_bound: u8,
    best: Option<Found>,
    /// Longest solution of use.
    at_most: u8,
    /// Nodes that one second phase may cost.
    phase_two_nodes: u64,
    /// The count of nodes at which the second phase under way is given up.
    give_up_at: u64,
    /// Which direction is searched.
    direction: usize,
    path: [u8; DEPTHS],
    /// Corner permutation and sorted slice after each turn of the path, right up to `parts_known`.
    parts: [(u16, u16); DEPTHS],
    parts_known: usize,
    /// U- and D-layer edges likewise.
    edges: [(u16, u16); DEPTHS],
    edges_known: usize,
}

impl<'t> TwoPhase<'t> {
    /// A search that has found nothing yet; no solution is known to be shorter than `lower_bound`.
    pub fn new(tables: &'t Tables, directions: [Direction; 6], lower_bound: u8) -> Self {
        let opened = tables.opened();
        Self {
            phase_one: tables.phase_one(),
            phase_two: tables.phase_two(),
            corner_moves: opened.u16s(Id::CornerPermMove),
            slice_moves: opened.u16s(Id::SliceSortedMove),
            u_edges_moves: opened.u16s(Id::UEdgesMove),
            d_edges_moves: opened.u16s(Id::DEdgesMove),
            ud_edges_moves: opened.u16s(Id::UdEdgesMove),
            merge: opened.u16s(Id::UdEdgesMerge),
            directions,
            lower_bound,
            best: None,
            at_most: 0,
            phase_two_nodes: u64::MAX,
            give_up_at: u64::MAX,
            direction: 0,
            path: [NO_TURN; DEPTHS],
            parts: [(0, 0); DEPTHS],
            parts_known: 0,
            edges: [(0, 0); DEPTHS],
            edges_known: 0,
        }
    }

    /// The best solution so far.
    pub fn best(&self) -> Option<&Found> {
        self.best.as_ref()
    }

    /// The best solution.
    pub fn into_best(self) -> Option<Found> {
        self.best
    }

    /// No solution is shorter than this.
    pub fn lower_bound(&self) -> u8 {
        self.lower_bound
    }

    /// Looks for solutions of at most `at_most` turns, ever shorter ones, until one has `target` turns or fewer or none
    /// shorter exists.
    ///
    /// # Errors
    /// When it was halted; the best solution so far is kept.
    pub fn improve(&mut self, at_most: u8, target: u8, clock: &mut Clock<'_>) -> Result<(), Halt> {
        self.at_most = at_most;
        self.phase_two_nodes = u64::MAX;
        self.sweep(target, clock)
    }

    /// Any solution of at most `at_most` turns, soon.
    ///
    /// # Errors
    /// When it was halted.
    pub fn first(&mut self, at_most: u8, clock: &mut Clock<'_>) -> Result<(), Halt> {
        let known = self.lower_bound;
        self.at_most = at_most;
        self.phase_two_nodes = QUICK_PHASE_TWO;
        let swept = self.sweep(u8::MAX, clock);
        // What was passed over for a quick second phase proves nothing.
        self.lower_bound = known;
        swept
    }

    fn sweep(&mut self, target: u8, clock: &mut Clock<'_>) -> Result<(), Halt> {
        let mut length = 0;
        while length <= self.at_most {
            for direction in 0..self.directions.len() {
                let start = self.directions[direction].start;
                if start.distance <= length {
                    self.enter(direction);
                    if length == 0 {
                        self.arrive(0, clock)?;
                    } else {
                        self.walk(start, 0, length, NO_TURN, target, clock)?;
                    }
                }
                if self.best.as_ref().is_some_and(|best| best.moves.len() <= usize::from(target)) {
                    return Ok(());
                }
                self.lower_bound = self.lower_bound.max(length + 1).min(self.at_most + 1);
            }
            length += 1;
        }
        Ok(())
    }

    fn enter(&mut self, direction: usize) {
        let d = &self.directions[direction];
        self.direction = direction;
        self.parts[0] = (d.corner_perm, d.slice_sorted);
        self.edges[0] = (d.u_edges, d.d_edges);
        self.parts_known = 0;
        self.edges_known = 0;
    }

    /// Phase 1: all maneuvers of exactly `togo` more turns that end in G1 with their last turn.
    fn walk(
        &mut self,
        node: Node,
        depth: usize,
        togo: u8,
        last: u8,
        target: u8,
        clock: &mut Clock<'_>,
    ) -> Result<(), Halt> {
        clock.tick()?;
        let symmetry = usize::from(node.symmetry);
        let steps = self.phase_one.steps(node.class, node.twist);
        // A last turn must enter G1, and one that enters it is never a turn of G1 itself.
        let useful = match togo - node.distance {
            0 => steps.nearer,
            1 if togo > 1 => steps.not_farther,
            1 => 0,
            _ => ALL_TURNS,
        };
        let useful = useful & FRAMES.followers[symmetry][usize::from(last)];
        if togo == 1 {
            for turn in bits(useful) {
                self.step(depth, FRAMES.to_cube[symmetry][turn]);
                self.arrive(depth + 1, clock)?;
            }
            return Ok(());
        }
        let mut children = [(Node::default(), 0_u8); Move::COUNT];
        let mut count = 0;
        for turn in bits(useful) {
            let child = node.after(&self.phase_one, steps, turn);
            self.phase_one.prefetch(child.class, child.twist);
            children[count] = (child, FRAMES.to_cube[symmetry][turn]);
            count += 1;
        }
        for &(child, turn) in &children[..count] {
            // A solution found meanwhile may have made this length useless.
            if depth + usize::from(togo) > usize::from(self.at_most) || self.is_done(target) {
                return Ok(());
            }
            self.step(depth, turn);
            self.walk(child, depth + 1, togo - 1, turn, target, clock)?;
        }
        Ok(())
    }

    fn is_done(&self, target: u8) -> bool {
        self.best.as_ref().is_some_and(|best| best.moves.len() <= usize::from(target))
    }

    #[inline]
    fn step(&mut self, depth: usize, turn: u8) {
        self.path[depth] = turn;
        self.parts_known = self.parts_known.min(depth);
        self.edges_known = self.edges_known.min(depth);
    }

    /// The cube is in G1 after `depth` turns: works out what phase 2 needs, the cheap half first, and searches on.
    fn arrive(&mut self, depth: usize, clock: &mut Clock<'_>) -> Result<(), Halt> {
        let Some(left) = usize::from(self.at_most).checked_sub(depth) else { return Ok(()) };
        let left = left as u8;
        for i in self.parts_known..depth {
            let (turn, (corners, slice)) = (usize::from(self.path[i]), self.parts[i]);
            self.parts[i + 1] = (
                self.corner_moves[usize::from(corners) * Move::COUNT + turn],
                self.slice_moves[usize::from(slice) * Move::COUNT + turn],
            );
        }
        self.parts_known = depth;
        let (corners, slice) = self.parts[depth];
        let bound = self.phase_two.corner_bound(corners, slice);
        if bound > left {
            return Ok(());
        }
        for i in self.edges_known..depth {
            let (turn, (u, d)) = (usize::from(self.path[i]), self.edges[i]);
            self.edges[i + 1] = (
                self.u_edges_moves[usize::from(u) * Move::COUNT + turn],
                self.d_edges_moves[usize::from(d) * Move::COUNT + turn],
            );
        }
        self.edges_known = depth;
        let (u, d) = self.edges[depth];
        let edges = self.merge[usize::from(u) * 24 + usize::from(d) % 24];
        debug_assert!(usize::from(slice) < SLICE_ORDERS && edges != NO_MERGE);
        let bound = bound.max(self.phase_two.edge_bound(corners, edges, slice));
        self.give_up_at = clock.nodes().saturating_add(self.phase_two_nodes);
        for togo in bound..=left {
            if self.finish(corners, edges, slice, depth, togo, clock)? {
                self.record(depth, depth + usize::from(togo));
                break;
            }
        }
        Ok(())
    }

    /// Phase 2: whether the cube can be solved inside G1 in exactly `togo` turns; they are then on the path.
    fn finish(
        &mut self,
        corners: u16,
        edges: u16,
        slice: u16,
        depth: usize,
        togo: u8,
        clock: &mut Clock<'_>,
    ) -> Result<bool, Halt> {
        if togo == 0 {
            return Ok((corners, edges, slice) == (0, 0, 0));
        }
        clock.tick()?;
        if clock.nodes() >= self.give_up_at {
            return Ok(false);
        }
        let last = if depth == 0 { None } else { Move::try_from_index(usize::from(self.path[depth - 1])) };
        for (number, turn) in Move::PHASE_TWO.into_iter().enumerate() {
            if last.is_some_and(|last| !turn.may_follow(last)) {
                continue;
            }
            let corners = self.corner_moves[usize::from(corners) * Move::COUNT + turn.index()];
            let slice = self.slice_moves[usize::from(slice) * Move::COUNT + turn.index()];
            if self.phase_two.corner_bound(corners, slice) >= togo {
                continue;
            }
            let edges = self.ud_edges_moves[usize::from(edges) * Move::PHASE_TWO.len() + number];
            if self.phase_two.edge_bound(corners, edges, slice) >= togo {
                continue;
            }
            self.path[depth] = turn.index() as u8;
            if self.finish(corners, edges, slice, depth + 1, togo - 1, clock)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn record(&mut self, entered: usize, length: usize) {
        let direction = &self.directions[self.direction];
        let path: Vec<Move> =
            self.path[..length].iter().filter_map(|&turn| Move::try_from_index(usize::from(turn))).collect();
        let (first, second) = (entered as u8, (length - entered) as u8);
        let (first, second) = if direction.inverse { (second, first) } else { (first, second) };
        self.best = Some(Found {
            moves: direction.translate(&path),
            phases: Phases::TwoPhase { axis: direction.axis, inverse: direction.inverse, first, second },
        });
        self.at_most = (length as u8).saturating_sub(1);
    }
}
