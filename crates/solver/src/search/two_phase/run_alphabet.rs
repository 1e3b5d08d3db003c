//! The alphabet of runs: two-phase searches in metrics other than HTM, or with some turns only.
//!
//! A *run* is the joint effect of consecutive turns of one axis. A *unit run* is a run of length 1; the tables call it a
//! [step](crate::tables::metric::steps). A solution splits in one way into runs, whose lengths add up to its own:
//!
//! ```text
//!   solution = phase 1, in unit runs; its last run leads into G1 | runs inside G1, the first of another axis | pre-moves
//! ```
//!
//! - **Letters.** Phase 1 has the unit runs, and phase 2 the runs of G1, of any length. The canonical order needs
//!   the last run.
//! - **Endings.** Four last runs lead into G1 together, because they differ by half turns: `R`, `R'`, `R L2`, `R' L2`. Phase 1 ends with
//!   one of them. Each of its arrivals stands for all four, which differ in length and in their phase 2.
//! - **Pre-moves** are one or two runs. Those that differ by half turns share a phase 1 in the same way: half turns before the cube
//!   rename the pieces. So an arrival with pre-moves starts up to sixteen phase-2 searches; a table of corners and slice edges, which
//!   stays in the cache, rules most of them out.
//! - **Some turns only.** The runs are those that the turns make. The directions are the axes that a symmetry brings to UD, while it
//!   brings the turns to the turns of the tables.

use std::cell::RefCell;
use std::thread::LocalKey;

use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, NO_MERGE, SLICE_SORTED, U_EDGES};
use crate::search::phase_one::{Direction, FRAMES, PhaseOneNode};
use crate::search::two_phase::alphabet::{
    Alphabet, Arrival, Buffers, Carried, Child, Context, Frontier, Inside, Node, Path, PhaseTwoStart, Root, parity_of,
};
use crate::search::two_phase::premove::Twin;
use crate::tables::MetricTables;
use crate::tables::metric::steps::{G1_RUNS, LAST_RUNS, LastRun, Run, StepSet, g1_runs, g1_runs_of, numbers};
use crate::tables::metric::table::{ClassAndTwist, MetricViews};
use crate::tables::pruning::phase_one::Neighbours;
use crate::tables::pruning::phase_two::EdgeEntries;
use superflip_cube::metric::Metric;
use superflip_cube::{Axis, Cube, Move, TurnSet};

/// Quarter turns of runs that lead into G1. All others differ from one of them by half turns.
const LEADING: [[u8; 2]; 3] = [[1, 0], [0, 1], [1, 3]];
/// The half turns by which they differ.
const HALF_TURNS: [[u8; 2]; 4] = [[0, 0], [2, 0], [0, 2], [2, 2]];

/// What a root has in this alphabet only.
pub(crate) struct RunRoot {
    /// Pre-moves before the cube.
    premoves: Vec<Run>,
    /// Number of the first of them, whose variants have the same phase 1; 0 for none.
    first: LastRun,
    /// The cube after the pre-moves: edges of the U and of the D layer.
    edges: [u16; 2],
}

impl RunRoot {
    /// Returns the pre-moves of a variant.
    fn premoves(&self, variant: usize) -> impl Iterator<Item = Move> {
        let first = self.premoves.first().map(|run| run.joined(Run { quarters: HALF_TURNS[variant], ..*run }));
        first.into_iter().chain(self.premoves.iter().skip(1).copied()).flat_map(Run::moves)
    }
}

/// The unit runs, and the tables of a metric.
#[derive(Clone, Copy)]
pub(crate) struct RunAlphabet<'t> {
    views: MetricViews<'t>,
    /// In QTM the parity of the length of every solution.
    parity: Option<u8>,
}

impl<'t> RunAlphabet<'t> {
    /// Creates the alphabet for a cube.
    pub(crate) fn new(tables: &'t MetricTables, cube: &Cube) -> Self {
        Self { views: tables.views(), parity: parity_of(tables.metric(), cube) }
    }

    /// Returns the facts of a search for a cube with these turns, which the tables serve.
    pub(crate) fn facts(&self, turns: TurnSet, cube: &Cube) -> RunFacts {
        let set = self.views.set;
        RunFacts::new(set, Direction::of_frames(&set.frames(turns), cube, |cube| self.start(cube)))
    }

    /// Returns the phase-1 coordinates of a cube.
    fn start(&self, cube: &Cube) -> PhaseOneNode {
        let (at @ ClassAndTwist { class, twist }, symmetry) = self.views.position(cube);
        PhaseOneNode { class, twist, symmetry, distance: self.views.distance(at) }
    }

    /// Returns the permutation of the U and D edges after phase 1.
    fn edges_after(&self, root: &RunRoot, path: Path) -> u16 {
        let [_, _, u_moves, d_moves] = &self.views.moves.parts;
        let letters = self.views.moves.steps;
        let (u, d) = path.letters().fold((root.edges[0], root.edges[1]), |(u, d), letter| {
            (u_moves[usize::from(u) * letters + letter], d_moves[usize::from(d) * letters + letter])
        });
        let edges = self.views.single.merge[usize::from(u) * 24 + usize::from(d) % 24];
        debug_assert!(edges != NO_MERGE, "after phase 1, these edges are in their layers");
        edges
    }
}

thread_local! {
    static BUFFERS: RefCell<Vec<Buffers<RunRoot>>> = const { RefCell::new(Vec::new()) };
}

impl Alphabet for RunAlphabet<'_> {
    type Facts = RunFacts;
    type Own = RunRoot;
    type Children = [Child; G1_RUNS];

    const NO_LAST: u8 = 0;
    const PARALLEL_FROM: u8 = 9;

    fn buffers() -> &'static LocalKey<RefCell<Vec<Buffers<RunRoot>>>> {
        &BUFFERS
    }

    fn directions(facts: &RunFacts) -> &[Direction] {
        &facts.directions
    }

    fn parity(&self) -> Option<u8> {
        self.parity
    }

    fn has_phase_one(&self) -> bool {
        !self.views.set.is_inside()
    }

    fn premoves_from(&self) -> [u8; 2] {
        numbers(self.views.set.metric).premoves_from
    }

    fn add_roots(&self, facts: &RunFacts, count: u8, length: u8, joins: u8, roots: &mut Vec<Root<RunRoot>>) {
        let set = self.views.set;
        for premoves in
            premoves(count, set.metric).into_iter().filter(|premoves| length_of(premoves, set) == Some(length))
        {
            let moves: Vec<Move> = premoves.iter().flat_map(|run| run.moves()).collect();
            let made = Cube::SOLVED.after(&moves);
            for (direction, along) in (0..).zip(&facts.directions) {
                let cube = made.then(&along.cube.cube());
                // All four coordinates have a value on every cube.
                let part = |coordinate: &Descriptor| coordinate.index(&cube).unwrap_or_default() as u16;
                roots.push(Root {
                    direction,
                    length,
                    joins,
                    start: self.start(&cube),
                    carried: Carried { corners: part(&CORNER_PERM), slice: part(&SLICE_SORTED) },
                    own: RunRoot {
                        first: premoves.first().map_or(0, |run| run.number()),
                        premoves: premoves.clone(),
                        edges: [part(&U_EDGES), part(&D_EDGES)],
                    },
                });
            }
        }
    }

    fn carried(&self, root: &Root<RunRoot>) -> Carried {
        root.carried
    }

    #[inline]
    fn prefetch(&self, node: &Node) {
        self.views.prefetch(place(node.position));
        self.views.prefetch_corners(node.carried.corners);
    }

    #[inline]
    fn expand(&self, node: Node, _: Option<&Neighbours>, context: &Context<'_, Self>, out: &mut Frontier) {
        let views = &self.views;
        let (order, letters) = (views.order, views.moves.steps);
        let Node { position, left, last, .. } = node;
        let PhaseOneNode { symmetry, distance, .. } = position;
        let effects = views.effects(place(position), distance);
        let mut useful = effects.below(distance, left) & order.followers[usize::from(symmetry)][usize::from(last)];
        let to_cube = &order.to_cube[usize::from(symmetry)];
        let left = left - 1;
        while useful != 0 {
            let letter = useful.trailing_zeros() as usize;
            useful &= useful - 1;
            let cube_letter = to_cube[letter];
            let last = order.next[usize::from(last)][usize::from(cube_letter)];
            // Phase 1 ends with a run that leads into G1.
            if left == 0 && context.facts.leading[usize::from(last)].is_none() {
                continue;
            }
            let distance = effects.distance_after(distance, letter);
            let after = |table: &[u16], value: u16| table[usize::from(value) * letters + usize::from(cube_letter)];
            let carried = Carried {
                corners: after(&views.moves.parts[0], node.carried.corners),
                slice: after(&views.moves.parts[1], node.carried.slice),
            };
            let mut child = Node { path: node.path.with(cube_letter), carried, left, last, ..node };
            if left == 0 {
                out.arrivals.push(self.arrive(&child, context));
                continue;
            }
            let (ClassAndTwist { class, twist }, relative) = views.after(place(position), letter);
            let symmetry = FRAMES.products[usize::from(relative)][usize::from(symmetry)];
            child.position = PhaseOneNode { class, twist, symmetry, distance };
            out.nodes.push(child);
        }
    }

    /// The table of corners and slice edges stays in the cache.
    #[inline]
    fn arrive(&self, node: &Node, _: &Context<'_, Self>) -> Arrival {
        let &Node { path, carried, root, last, .. } = node;
        Arrival { path, carried: [carried; 2], root, last }
    }

    /// Half turns change the length of phase 2 by at most their own length, whether they are made before the cube or
    /// after it. So the bound of one variant rules out others without a look-up.
    fn enter(&self, arrival: Arrival, context: &Context<'_, Self>, out: &mut Vec<PhaseTwoStart>) {
        let Arrival { path, carried: [Carried { corners, slice }, _], root: index, last } = arrival;
        let views = &self.views;
        let facts = context.facts;
        let root = context.root(index);
        let (endings, beginnings) = (facts.variants(last), facts.variants(root.own.first));
        // No solution has a length of the other parity.
        let at_most = context.best.at_most();
        let at_most = at_most.saturating_sub(u8::from(self.parity.is_some_and(|parity| at_most % 2 != parity)));
        let Some(most_left) = at_most.checked_sub(path.len() + root.length) else { return };
        let longest_premoves = if beginnings.len() > 1 { facts.longest_half_turns } else { 0 };
        let first_bound = views.corner_bound(corners, slice, most_left);
        if first_bound > most_left + facts.longest_half_turns + longest_premoves {
            return;
        }
        let mut edges_before = None;
        for (end_number, end) in (0..).zip(endings) {
            // 255 for an ending that is not allowed.
            let Some(left) = most_left.checked_sub(end.more) else { continue };
            if first_bound > left + end.half_turns + longest_premoves {
                continue;
            }
            let g1 = |table: &[u16], value: u16| {
                end.run.map_or(value, |run| table[usize::from(value) * G1_RUNS + usize::from(run)])
            };
            let (corners, slice) = (g1(&views.single.g1.corners, corners), g1(&views.single.g1.slice, slice));
            let end_bound = if end.run.is_some() { views.corner_bound(corners, slice, left) } else { first_bound };
            for (number, premoves) in (0..).zip(beginnings) {
                let Some(left) = left.checked_sub(premoves.more) else { continue };
                if end_bound > left + premoves.half_turns {
                    continue;
                }
                let twins = || premoves.twins.iter().flatten();
                let (corners, slice) =
                    twins().fold((corners, slice), |(corners, slice), twin| twin.corners_and_slice(corners, slice));
                let bound = if number > 0 { views.corner_bound(corners, slice, left) } else { end_bound };
                if bound > left {
                    continue;
                }
                // The edges take a look-up for each letter, so they come last.
                let edges = *edges_before.get_or_insert_with(|| self.edges_after(&root.own, path));
                let edges = twins().fold(g1(&views.single.g1.edges, edges), |edges, twin| twin.edges(edges));
                out.push(PhaseTwoStart {
                    path,
                    root: index,
                    last,
                    variant: HALF_TURNS.len() as u8 * end_number + number,
                    used: at_most - left,
                    bound,
                    inside: Inside { corners, edges, slice, places: 0 },
                    entries: EdgeEntries::default(),
                });
            }
        }
    }

    #[inline]
    fn prefetch_entries(&self, start: &mut PhaseTwoStart) {
        self.views.prefetch_edges(parts(start.inside));
    }

    /// A letter of the axis of the last run, on which phase 2 does not begin.
    #[inline]
    fn boundary(facts: &RunFacts, last: u8) -> u8 {
        facts.leading[usize::from(last)].as_ref().map_or(G1_RUNS, |leading| g1_runs_of(leading.axis).start) as u8
    }

    #[inline]
    fn length(facts: &RunFacts, letter: u8) -> u8 {
        facts.g1_lengths[usize::from(letter)]
    }

    #[inline]
    fn children(&self, facts: &RunFacts, inside: Inside, last: u8, left: u8, out: &mut [Child; G1_RUNS]) -> usize {
        let (views, g1) = (&self.views, &self.views.single.g1);
        let mut count = 0;
        for runs in Axis::ALL.map(g1_runs_of) {
            if runs.contains(&usize::from(last)) {
                continue;
            }
            for run in runs {
                // Runs that are not allowed are longer than any length.
                let Some(left) = left.checked_sub(facts.g1_lengths[run]) else { continue };
                let after = |table: &[u16], value: u16| table[usize::from(value) * G1_RUNS + run];
                let (corners, slice) = (after(&g1.corners, inside.corners), after(&g1.slice, inside.slice));
                if views.corner_bound(corners, slice, left) <= left {
                    let inside = Inside { corners, edges: after(&g1.edges, inside.edges), slice, places: 0 };
                    views.prefetch_edges(parts(inside));
                    out[count] = Child { letter: run as u8, inside, entries: EdgeEntries::default() };
                    count += 1;
                }
            }
        }
        count
    }

    #[inline]
    fn bound(&self, inside: Inside, _: EdgeEntries, left: u8) -> u8 {
        self.views.edge_bound(parts(inside), left)
    }

    #[inline]
    fn is_solved(&self, inside: Inside) -> bool {
        parts(inside) == [0; 3]
    }

    fn write(&self, start: &PhaseTwoStart, way: &[u8], context: &Context<'_, Self>) -> (Vec<Move>, u8) {
        let facts = context.facts;
        let [end, premoves] = [start.variant / 4, start.variant % 4].map(usize::from);
        let half_turns = facts.variants(start.last)[end].run;
        let mut moves: Vec<Move> =
            start.path.letters().flat_map(|letter| self.views.order.steps[letter].moves()).collect();
        moves.extend(half_turns.iter().chain(way).flat_map(|&run| &facts.g1_moves[usize::from(run)]));
        let before = moves.len();
        moves.extend(context.root(start.root).own.premoves(premoves));
        let premoves = (moves.len() - before) as u8;
        (moves, premoves)
    }
}

/// Returns the position of a node as the tables number it.
#[inline]
fn place(PhaseOneNode { class, twist, .. }: PhaseOneNode) -> ClassAndTwist {
    ClassAndTwist { class, twist }
}

/// Returns corners, slice edges, and U and D edges.
#[inline]
fn parts(Inside { corners, slice, edges, .. }: Inside) -> [u16; 3] {
    [corners, slice, edges]
}

/// Returns the length of some runs; `None` if one is not allowed.
fn length_of(runs: &[Run], set: StepSet) -> Option<u8> {
    runs.iter().map(|&run| set.length(run)).sum()
}

/// Iterates over the runs that stand for all runs that lead into G1, or out of it: of those that differ by half turns, the first of
/// the shortest.
fn leading_runs(metric: Metric) -> impl Iterator<Item = Run> {
    let shortest = move |run: Run| {
        let variants = HALF_TURNS.map(|quarters| run.joined(Run { quarters, ..run }));
        variants.into_iter().min_by_key(|run| run.length(metric)).unwrap_or(run)
    };
    [Axis::Rl, Axis::Fb].into_iter().flat_map(move |axis| LEADING.map(|quarters| shortest(Run { axis, quarters })))
}

/// Returns the pre-moves of `count` runs, 0 to 2: 1, 6 and 180. The first leads out of G1, and the second has another axis.
fn premoves(count: u8, metric: Metric) -> Vec<Vec<Run>> {
    let all = Axis::ALL.into_iter().flat_map(Run::of_axis);
    let leading: Vec<Run> = if count > 0 { leading_runs(metric).collect() } else { Vec::new() };
    let before = |second: Run| leading.iter().copied().filter(move |first| first.axis != second.axis);
    match count {
        0 => vec![Vec::new()],
        1 => leading.iter().map(|&run| vec![run]).collect(),
        _ => all.flat_map(|second| before(second).map(move |first| vec![first, second])).collect(),
    }
}

/// What a search needs to know of the runs of a metric.
pub(crate) struct RunFacts {
    pub(crate) directions: Vec<Direction>,
    /// The runs that lead into G1, by their number. Phase 1 ends with one of them, and pre-moves begin with one.
    leading: [Option<Leading>; LAST_RUNS],
    /// Length of each run of G1; 255 for a run that is not allowed.
    g1_lengths: Vec<u8>,
    /// Moves of each run of G1.
    g1_moves: Vec<Vec<Move>>,
    /// Length of the longest run of half turns of faces other than U and D.
    longest_half_turns: u8,
}

/// A run that leads into G1.
#[derive(Clone, Copy)]
struct Leading {
    /// Axis of the run; phase 2 begins on another.
    axis: Axis,
    /// Its variants, the unchanged run first.
    variants: [Variant; HALF_TURNS.len()],
}

/// A run that leads into G1, with half turns of its axis: after it in phase 1, or before it as a pre-move.
#[derive(Clone, Copy)]
struct Variant {
    /// Additional length; 255 for a variant that is not allowed.
    more: u8,
    /// Length of the half turns alone.
    half_turns: u8,
    /// The half turns, as a run of G1; `None` for none.
    run: Option<u8>,
    /// The half turns, as pre-moves.
    twins: [Option<Twin>; 2],
}

impl Variant {
    /// The only variant where there is no run.
    const UNCHANGED: Self = Self { more: 0, half_turns: 0, run: None, twins: [None; 2] };

    /// Adds half turns to a run.
    fn new(set: StepSet, run: Run, quarters: [u8; 2]) -> Self {
        let half_turns = Run { quarters, ..run };
        if quarters == [0, 0] {
            return Self::UNCHANGED;
        }
        let [more, length] = match (set.length(run), set.length(half_turns), set.length(run.joined(half_turns))) {
            (Some(run), Some(half_turns), Some(joined)) => [joined - run, half_turns],
            _ => [u8::MAX, 0],
        };
        let mut twins = half_turns.moves().filter_map(|mv| Twin::of(mv.face()));
        Self {
            more,
            half_turns: length,
            run: g1_runs().iter().position(|own| *own == half_turns).map(|at| at as u8),
            twins: [twins.next(), twins.next()],
        }
    }
}

impl RunFacts {
    /// Collects the facts of a set of unit runs.
    fn new(set: StepSet, directions: Vec<Direction>) -> Self {
        let g1 = g1_runs();
        let mut leading = [None; LAST_RUNS];
        for run in leading_runs(set.metric).filter(|&run| set.length(run).is_some()) {
            let variants = HALF_TURNS.map(|quarters| Variant::new(set, run, quarters));
            leading[usize::from(run.number())] = Some(Leading { axis: run.axis, variants });
        }
        let half_turns = g1.iter().filter(|run| run.axis != Axis::Ud);
        Self {
            directions,
            leading,
            longest_half_turns: half_turns.filter_map(|&run| set.length(run)).max().unwrap_or(0),
            g1_lengths: g1.iter().map(|&run| set.length(run).unwrap_or(u8::MAX)).collect(),
            g1_moves: g1.iter().map(|run| run.moves().collect()).collect(),
        }
    }

    /// Returns the variants of a run.
    fn variants(&self, run: LastRun) -> &[Variant] {
        self.leading[usize::from(run)].as_ref().map_or(&[Variant::UNCHANGED], |leading| &leading.variants)
    }
}
