//! Drives a search in a metric through its levels.

use web_time::Instant;

use super::directions::MetricDirection;
use super::first_bound;
use super::roots::{Root, RunFacts};
use super::walker::{Context, MAX_LEVEL, PERIOD, PhaseOneWalker};
use crate::control::Control;
use crate::search::incumbent::{BestSolutions, NodesCallback};
use crate::search::shared_nodes::{SharedNodes, Walker as _, on_threads};
use crate::search::two_phase::TwoPhaseStatus;
use crate::tables::metric::table::MetricTables;
use crate::tables::metric::views::MetricViews;
use superflip_cube::metric::Metric;
use superflip_cube::{Axis, Corner, Cube, TurnSet, parity};

/// Greatest number of nodes of each phase 2 in the search for any solution.
const QUICK_PHASE_TWO: u64 = 10_000;
/// Level from which several threads are used. Lower levels take less time than starting a thread.
const PARALLEL_FROM: u8 = 9;
/// Number of nodes to divide among the threads, and how many a thread takes at a time.
const PARTS: [usize; 2] = [512, 8];

/// Returns the levels from which roots with one and with two runs as pre-moves are searched.
const fn premoves_from(metric: Metric) -> [u8; 2] {
    match metric {
        Metric::Qtm => [10, 12],
        Metric::Axht => [7, 9],
        Metric::Axqt => [8, 10],
        Metric::Htm | Metric::Etm | Metric::Stm => [9, 11],
    }
}

/// A search for one cube in a metric. It runs in time slices, so that several searches can share a core.
pub(crate) struct MetricSearch<'t> {
    views: MetricViews<'t>,
    facts: RunFacts,
    directions: Vec<MetricDirection>,
    roots: Vec<Root>,
    walker: PhaseOneWalker,
    level: u8,
    lower_bound: u8,
    control: Control,
    /// The control while nothing was found.
    empty_control: Control,
    look_at: u64,
    loaded: bool,
    is_thorough: bool,
    /// Whether the search looks for a first solution, whose length is not known for these turns, with short phase-2 searches.
    is_probing: bool,
    /// In QTM the parity of the length of every solution.
    parity: Option<u8>,
}

impl<'t> MetricSearch<'t> {
    /// Creates a search for a cube with these turns, which the tables serve.
    pub(crate) fn new(
        tables: &'t MetricTables,
        turns: TurnSet,
        cube: &Cube,
        empty_deadline: Option<Instant>,
        control: &Control,
    ) -> Self {
        let views = tables.views();
        let directions = MetricDirection::all(views.set, turns, cube);
        let metric = views.set.metric;
        let mut roots = Vec::new();
        Root::add_all(&mut roots, &views, &directions, 0, 0);
        let is_probing = first_bound(views.set).is_none() && !views.set.is_inside();
        let parity =
            (metric == Metric::Qtm).then(|| u8::from(parity(&cube.corners().map(Corner::index)) == Some(true)));
        let near_bound = directions.first().map_or(0, |direction| tables.near_bound(&direction.cube));
        let bound = lower_bound(&roots, directions.len() / 2).max(near_bound);
        Self {
            views,
            facts: RunFacts::new(views.set),
            lower_bound: of_parity(bound, parity),
            parity,
            directions,
            roots,
            walker: PhaseOneWalker::new(if is_probing { QUICK_PHASE_TWO } else { u64::MAX }),
            level: 0,
            empty_control: empty_deadline.map_or_else(|| control.clone(), |deadline| control.until(deadline)),
            control: control.clone(),
            look_at: PERIOD,
            loaded: false,
            is_thorough: !is_probing,
            is_probing,
        }
    }

    /// Returns the lower bound on the length.
    pub(crate) fn lower_bound(&self) -> u8 {
        self.lower_bound
    }

    /// Returns the number of nodes.
    pub(crate) fn nodes(&self) -> u64 {
        self.walker.effort.nodes
    }

    /// Restarts from the first level with a new control, for any solution of at most this length. The lower bound is
    /// kept. With `give_up_soon`, each phase 2 expands at most 10 000 nodes.
    pub(crate) fn restart_relaxed(
        &mut self,
        best: &mut BestSolutions,
        at_most: u8,
        control: &Control,
        give_up_soon: bool,
    ) {
        best.settle_for(at_most);
        self.restart(give_up_soon && !self.views.set.is_inside());
        self.control = control.clone();
        self.empty_control = control.clone();
    }

    fn restart(&mut self, give_up_soon: bool) {
        let nodes = self.nodes();
        self.walker = PhaseOneWalker::new(if give_up_soon { QUICK_PHASE_TWO } else { u64::MAX });
        self.walker.effort.nodes = nodes;
        self.is_thorough = !give_up_soon;
        self.is_probing = false;
        self.level = 0;
        self.loaded = false;
    }

    /// Searches for some microseconds, or with several threads until the level is done. Meanwhile, `notify` is told the number of nodes.
    pub(crate) fn advance(&mut self, best: &BestSolutions, notify: NodesCallback<'_>) -> TwoPhaseStatus {
        if !self.loaded {
            if self.level > best.at_most().min(MAX_LEVEL) || best.is_reached() {
                return TwoPhaseStatus::Over;
            }
            self.load();
        }
        let context = Context {
            views: self.views,
            facts: &self.facts,
            roots: &self.roots,
            directions: &self.directions,
            best,
            parity: self.parity,
            control: &self.control,
            empty_control: &self.empty_control,
        };
        let threads = best.goal().threads;
        if threads > 1 && self.level >= PARALLEL_FROM {
            walk_in_parallel(&mut self.walker, threads, &context, notify);
        } else {
            self.walker.advance(&context);
        }
        if best.is_reached() {
            return TwoPhaseStatus::Over;
        }
        if self.is_probing && best.best() != u8::MAX {
            self.restart(false);
            return TwoPhaseStatus::Going;
        }
        if let Some(halt) = self.walker.effort.halted {
            return TwoPhaseStatus::Halted(halt);
        }
        if self.walker.is_idle() {
            // If phase 2 is cut short, an exhausted level proves nothing.
            if self.is_thorough {
                let exhausted = of_parity(self.level + 1, self.parity);
                self.lower_bound = self.lower_bound.max(best.best().min(exhausted));
            }
            self.level += 1;
            self.loaded = false;
        }
        if self.walker.effort.nodes >= self.look_at {
            self.look_at = self.walker.effort.nodes + PERIOD;
            if let Err(halt) = context.check() {
                return TwoPhaseStatus::Halted(halt);
            }
        }
        TwoPhaseStatus::Going
    }

    /// Pushes the roots of this level to the walker.
    fn load(&mut self) {
        self.loaded = true;
        let [one, two] = premoves_from(self.views.set.metric);
        let mut added = self.roots.len();
        for (runs, from) in [(1, one), (2, two)] {
            // The lengths of pre-moves are added shortest first, each on its own level.
            if self.level >= from {
                let length = self.level - from + runs as u8;
                let is_new = self.roots.iter().all(|root| (root.premoves.len(), root.length) != (runs, length));
                if is_new {
                    Root::add_all(&mut self.roots, &self.views, &self.directions, runs, length);
                }
            }
        }
        added = added.min(self.roots.len());
        for (index, root) in self.roots.iter().enumerate() {
            let Some(depth) = self.level.checked_sub(root.length) else { continue };
            if root.distance > depth {
                continue;
            }
            // Roots that are added at this level also search all smaller depths.
            let first = if index >= added { root.distance } else { depth };
            for depth in first..=depth {
                self.walker.start(index as u16, root, depth);
            }
        }
    }
}

/// Returns the least length from `bound` on that has the parity.
fn of_parity(bound: u8, parity: Option<u8>) -> u8 {
    bound + u8::from(parity.is_some_and(|parity| bound % 2 != parity))
}

/// Returns a lower bound on the distance from solved: the greatest phase-1 distance. The last step of a solution lies in G1
/// of its own axis. So if the distances along all three axes are equal and not 0, the bound is that distance plus one.
fn lower_bound(roots: &[Root], axes: usize) -> u8 {
    let bound = |side: &[Root]| {
        let distances = || side.iter().map(|root| root.distance);
        let least = distances().min().unwrap_or(0);
        distances().max().unwrap_or(0).max(if least > 0 && axes == Axis::COUNT { least + 1 } else { 0 })
    };
    roots.chunks(axes).map(bound).max().unwrap_or(0)
}

/// Searches all nodes on the stack of `walker`, on this thread and `threads - 1` more.
fn walk_in_parallel(walker: &mut PhaseOneWalker, threads: usize, context: &Context<'_>, notify: NodesCallback<'_>) {
    let mut nodes = walker.split(PARTS[0], context);
    // A single walker pops its stack from the top. Reversing keeps that order.
    nodes.reverse();
    let nodes = SharedNodes::new(nodes, PARTS[1]);
    let phase_two_nodes = walker.effort.phase_two_nodes;
    let search = |report_nodes: &mut dyn FnMut(u64)| {
        let mut walker = PhaseOneWalker::new(phase_two_nodes);
        let mut look_at = PERIOD;
        nodes.search(&mut walker, |walker| {
            walker.advance(context);
            report_nodes(walker.effort.nodes);
            if walker.effort.halted.is_none() && walker.effort.nodes >= look_at {
                look_at = walker.effort.nodes + PERIOD;
                walker.effort.halted = context.check().err();
            }
            context.best.is_reached() || walker.effort.halted.is_some()
        });
        walker.effort
    };
    let before = walker.effort.nodes;
    let efforts = on_threads(threads, || search(&mut |nodes| notify(before + nodes)), || search(&mut |_| {}));
    walker.effort.nodes += efforts.iter().map(|effort| effort.nodes).sum::<u64>();
    walker.effort.halted = efforts.iter().find_map(|effort| effort.halted);
}
