//! Drives a two-phase search through its levels, on one or several threads.

use web_time::Instant;

use crate::control::Control;
use crate::search::incumbent::{BestSolutions, NodesCallback};
use crate::search::shared_nodes::{SharedNodes, Walker as _, on_threads};
use crate::search::two_phase::alphabet::{
    Alphabet, Buffers, Context, Memory, PERIOD, Path, Root, TwoPhaseStatus, of_parity,
};
use crate::search::two_phase::walker::PhaseOneWalker;

/// Number of passes over the ring of the walker between two returns to the caller.
const PASSES: usize = 4;
/// Greatest number of nodes of each phase 2 in the search for any solution. Beyond it, the next arrival is more likely
/// to succeed sooner.
const QUICK_PHASE_TWO: u64 = 10_000;
/// Number of nodes to divide among the threads. With fewer, one thread may search a large node while the others are idle.
const PARTS: usize = 512;
/// Number of nodes that a thread takes at a time.
const TAKEN_AT_ONCE: usize = 8;
/// Greatest number of unused buffers that a thread keeps.
const MAX_KEPT: usize = 16;

/// A two-phase search over an alphabet. It runs in time slices, so that several searches can share a core.
pub(crate) struct Driver<A: Alphabet> {
    alphabet: A,
    facts: A::Facts,
    roots: Vec<Root<A::Own>>,
    walker: PhaseOneWalker,
    /// The first level that can have nodes. The level at which roots with pre-moves are added is not left out.
    first_level: u8,
    level: u8,
    /// Greatest level whose roots were added.
    joined: u8,
    lower_bound: u8,
    control: Control,
    /// The control while nothing was found.
    empty_control: Control,
    look_at: u64,
    is_loaded: bool,
    /// Whether the search looks for a first solution, of any length, and then begins anew.
    is_probing: bool,
}

impl<A: Alphabet> Driver<A> {
    /// Creates a search. `lower_bound` is a known lower bound on the length, and `empty_deadline` the time at which to stop if nothing was
    /// found. If it `is_probing`, phase 2 is cut short until there is a solution.
    pub(crate) fn new(
        alphabet: A,
        facts: A::Facts,
        lower_bound: u8,
        is_probing: bool,
        empty_deadline: Option<Instant>,
        control: &Control,
    ) -> Self {
        let buffers = A::buffers().with_borrow_mut(Vec::pop);
        let (mut roots, memory) = buffers.map_or_else(Default::default, |kept| (kept.roots, kept.walker));
        roots.clear();
        alphabet.add_roots(&facts, 0, 0, 0, &mut roots);
        let [one_premove_from, _] = alphabet.premoves_from();
        let first_level = roots.iter().map(|root| root.start.distance).fold(one_premove_from, u8::min);
        let is_probing = is_probing && alphabet.has_phase_one();
        Self {
            lower_bound: of_parity(lower_bound.max(first_level), alphabet.parity()),
            alphabet,
            facts,
            roots,
            walker: PhaseOneWalker::new(memory, if is_probing { QUICK_PHASE_TWO } else { u64::MAX }),
            first_level,
            level: first_level,
            joined: 0,
            empty_control: empty_deadline.map_or_else(|| control.clone(), |deadline| control.until(deadline)),
            control: control.clone(),
            look_at: PERIOD,
            is_loaded: false,
            is_probing,
        }
    }

    pub(crate) const fn lower_bound(&self) -> u8 {
        self.lower_bound
    }

    pub(crate) const fn nodes(&self) -> u64 {
        self.walker.effort.nodes
    }

    /// Restarts from the first level with a new control. The lower bound is kept. With `give_up_soon`, each phase 2 expands at most 10 000
    /// nodes.
    pub(crate) fn restart(&mut self, control: &Control, give_up_soon: bool) {
        self.control = control.clone();
        self.empty_control = control.clone();
        self.begin_again(give_up_soon && self.alphabet.has_phase_one());
    }

    fn begin_again(&mut self, give_up_soon: bool) {
        self.walker.reset(if give_up_soon { QUICK_PHASE_TWO } else { u64::MAX });
        self.level = self.first_level;
        self.is_loaded = false;
        self.is_probing = false;
    }

    /// Searches for some microseconds, or with several threads until the level is done. Meanwhile, `notify` is told the number of nodes.
    pub(crate) fn advance(&mut self, best: &BestSolutions, notify: NodesCallback<'_>) -> TwoPhaseStatus {
        if !self.is_loaded {
            if self.level > best.at_most().min(Path::CAPACITY) || best.is_reached() {
                return TwoPhaseStatus::Over;
            }
            self.load();
        }
        let context = Context {
            alphabet: self.alphabet,
            facts: &self.facts,
            roots: &self.roots,
            best,
            control: &self.control,
            empty_control: &self.empty_control,
        };
        let is_probed = || self.is_probing && best.best() != u8::MAX;
        let threads = best.goal().threads;
        if threads > 1 && self.level >= A::PARALLEL_FROM {
            walk_in_parallel(&mut self.walker, threads, &context, notify);
        } else {
            for _ in 0..PASSES {
                self.walker.advance(&context);
                if self.walker.is_idle() || context.is_over(&self.walker.effort) || is_probed() {
                    break;
                }
            }
        }
        if best.is_reached() {
            return TwoPhaseStatus::Over;
        }
        if is_probed() {
            self.begin_again(false);
            return TwoPhaseStatus::Going;
        }
        if let Some(halt) = self.walker.effort.halted {
            return TwoPhaseStatus::Halted(halt);
        }
        if self.walker.is_idle() {
            // If phase 2 is cut short, an exhausted level proves nothing. Solutions longer than the shortest one may be missing.
            if self.walker.is_thorough() {
                let exhausted = of_parity(self.level + 1, self.alphabet.parity());
                self.lower_bound = self.lower_bound.max(best.best().min(exhausted));
            }
            self.level += 1;
            self.is_loaded = false;
        }
        if self.walker.effort.nodes >= self.look_at {
            self.look_at = self.walker.effort.nodes + PERIOD;
            if let Err(halt) = context.check() {
                return TwoPhaseStatus::Halted(halt);
            }
        }
        TwoPhaseStatus::Going
    }

    /// Adds the roots that join at this level, and pushes all roots to the walker.
    fn load(&mut self) {
        self.is_loaded = true;
        if self.level > self.joined {
            self.joined = self.level;
            for (count, from) in (1..).zip(self.alphabet.premoves_from()) {
                // The shortest pre-moves join first, and longer ones at the following levels.
                if let Some(more) = self.level.checked_sub(from) {
                    self.alphabet.add_roots(&self.facts, count, count + more, self.level, &mut self.roots);
                }
            }
        }
        for (index, root) in (0..).zip(&mut self.roots) {
            let Some(depth) = self.level.checked_sub(root.length) else { continue };
            let distance = root.start.distance;
            if self.level < root.joins || distance > depth {
                continue;
            }
            let first = if self.level == root.joins { distance } else { depth };
            if first == distance {
                root.carried = self.alphabet.carried(root);
            }
            for depth in first..=depth {
                self.walker.start::<A>(index, root, depth);
            }
        }
    }
}

impl<A: Alphabet> Drop for Driver<A> {
    fn drop(&mut self) {
        let buffers =
            Buffers { roots: std::mem::take(&mut self.roots), walker: std::mem::take(&mut self.walker.memory) };
        // Without the storage of the thread, which is ending, the buffers are dropped.
        let _ = A::buffers().try_with(|kept| {
            let mut kept = kept.borrow_mut();
            if kept.len() < MAX_KEPT {
                kept.push(buffers);
            }
        });
    }
}

/// Searches all nodes on the stack of `walker`, on this thread and `threads - 1` more.
///
/// The nodes are expanded into about 500. Each thread takes eight of them when its stack runs low. A solution found by one thread lowers
/// the upper bound for all.
fn walk_in_parallel<A: Alphabet>(
    walker: &mut PhaseOneWalker,
    threads: usize,
    context: &Context<'_, A>,
    notify: NodesCallback<'_>,
) {
    let mut nodes = walker.split(PARTS, context);
    // A single walker pops its stack from the top. Reversing keeps that order.
    nodes.reverse();
    let nodes = SharedNodes::new(nodes, TAKEN_AT_ONCE, 1);
    let phase_two_nodes = walker.effort.phase_two_nodes;
    let search = |report_nodes: &mut dyn FnMut(u64)| {
        let mut walker = PhaseOneWalker::new(Memory::default(), phase_two_nodes);
        let mut look_at = PERIOD;
        nodes.search(&mut walker, |walker| {
            walker.advance(context);
            report_nodes(walker.effort.nodes);
            if walker.effort.halted.is_none() && walker.effort.nodes >= look_at {
                look_at = walker.effort.nodes + PERIOD;
                walker.effort.halted = context.check().err();
            }
            context.is_over(&walker.effort)
        });
        walker.effort
    };
    let before = walker.effort.nodes;
    let efforts = on_threads(threads, || search(&mut |nodes| notify(before + nodes)), || search(&mut |_| {}));
    walker.effort.nodes += efforts.iter().map(|effort| effort.nodes).sum::<u64>();
    walker.effort.halted = efforts.iter().find_map(|effort| effort.halted);
}
