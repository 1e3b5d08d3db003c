//! Chains: several steps, searched together for the shortest total.
//!
//! The search is a beam search in rounds. A round keeps the best branches of each step, up to its *width*. A branch is ranked by
//! the number of its moves and the lower bound of the next step. The width doubles from round to round, so the answer improves
//! until the time is up. A round is deterministic: how many are completed depends on the time limit.

use std::collections::HashSet;
use std::sync::Arc;

use super::answer::{Best, ChainSolution, StepAnswer};
use super::error::StepError;
use super::goal::Goal;
use super::sides::Position;
use super::sides::SideMoves;
use super::step::{MAX_LENGTH, Prepared, Step};
use super::unreached::{Furthest, Progress, Unreached};
use crate::space::memory::Memory;
use superflip_cube::Cube;
use superflip_solver::Cancelled;
use superflip_solver::control::{Clock, Control};
use superflip_solver::tables::Tables;

/// Width of the first round.
pub const FIRST_WIDTH: usize = 16;
/// Width of the last round, if no other is set.
pub const LAST_WIDTH: usize = 1 << 14;
/// Upper bound on the memory of a round, for each branch that goes on: of the branches that are ranked, their cubes, and the starts of the
/// next step. The widest rounds that were measured took 6 KB.
pub const BYTES_PER_WIDTH: u64 = 8 << 10;

/// A chain of steps.
///
/// # Examples
/// ```no_run
/// use std::time::{Duration, Instant};
/// use superflip_coords::steps::{Chain, Side, Step};
/// use superflip_cube::Cube;
/// use superflip_solver::Control;
///
/// let cube = Cube::from_scramble("R' U' F L2 D' B2 U R2 F' D2 L B' R U2")?;
/// let mut steps = ["eo", "dr", "htr", "finish"].map(Step::named).into_iter().collect::<Result<Vec<_>, _>>()?;
/// for step in &mut steps[..3] {
///     step.side = Side::Mixed;
/// }
/// let control = Control::new().until(Instant::now() + Duration::from_secs(1));
/// let found = Chain::new(steps)?.search(&cube, &control, &mut |better| println!("{}", better.solution))?;
/// assert!(cube.after(&found.solutions[0].solution).is_solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chain {
    steps: Vec<Step>,
    /// Greatest number of solutions.
    pub count: usize,
    /// Greatest number of branches that go on after a step, in the last round.
    pub last_width: usize,
    /// Memory for the branches of several searches. A round begins only if there is memory for its width; the first always does.
    pub memory: Arc<Memory>,
}

/// The result of a chain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChainSolutions {
    /// The best solutions, shortest first.
    pub solutions: Vec<ChainSolution>,
    /// Width of the last complete round; 0 if none is complete.
    pub width: usize,
    /// Whether the last round kept every branch, so that a wider one finds nothing more.
    pub is_exhausted: bool,
    /// Whether there was no memory for the next round.
    pub is_short_of_memory: bool,
    /// Why the search ended early.
    pub stopped: Option<Cancelled>,
    /// The step that found nothing; `None` if there is a solution.
    pub unreached: Option<Unreached>,
}

impl ChainSolutions {
    /// Returns whether the best solution is better than that of another search of the same chain.
    pub fn is_better_than(&self, other: &Self) -> bool {
        let rank = |found: &Self| {
            found.solutions.first().map(|first| (first.length, first.steps.last().map(|last| last.total)))
        };
        rank(self).is_some_and(|own| rank(other).is_none_or(|other| own < other))
    }
}

/// A chain up to some step.
struct Branch<'c> {
    position: Position,
    made: Option<Arc<Made<'c>>>,
    /// Number of moves, and a lower bound on the number of moves of the next step.
    rank: usize,
}

/// One step of branches. Those that continue the same branch share its steps.
struct Made<'c> {
    before: Option<Arc<Self>>,
    axis: &'c str,
    moves: SideMoves,
}

impl Made<'_> {
    /// Returns this step and those before it, the first one first.
    fn steps(&self) -> Vec<(&str, &SideMoves)> {
        let steps = std::iter::successors(Some(self), |made| made.before.as_deref());
        let mut out: Vec<_> = steps.map(|made| (made.axis, &made.moves)).collect();
        out.reverse();
        out
    }
}

impl Chain {
    /// Checks the steps. In a chain, `dr` after `eo` is `dr-eo`, and `finish` after `htr` is `htr-finish` unless its moves are
    /// given.
    ///
    /// # Errors
    /// When there are no steps, or one is not valid.
    pub fn new(mut steps: Vec<Step>) -> Result<Self, StepError> {
        if steps.is_empty() {
            return Err(StepError::NoSteps);
        }
        for at in 1..steps.len() {
            let before = steps[at - 1].goal.clone();
            let step = &mut steps[at];
            if step.goal.is("dr") && before.is("eo") {
                step.goal = Goal::named("dr-eo")?.0;
            } else if step.goal.is("finish") && before.is("htr") && step.moves.is_none() && step.axes.is_empty() {
                step.goal = Goal::named("htr-finish")?.0;
            }
        }
        steps.iter().try_for_each(Step::check)?;
        Ok(Self { steps, count: 1, last_width: LAST_WIDTH, memory: Memory::new(u64::MAX) })
    }

    /// Returns the same chain with the exact distances of tables of the solver: see [`Goal::reading`].
    #[must_use]
    pub fn reading(mut self, tables: &Arc<Tables>) -> Self {
        for step in &mut self.steps {
            step.goal = step.goal.clone().reading(tables);
        }
        self
    }

    /// Returns the steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Searches the chain on a cube until the deadline of `control`, or until a round finds every branch. Passes each solution
    /// that is better than all before to `better`. Tables of goals that are not in memory yet are built within this time.
    ///
    /// # Errors
    /// When the cube is not ready for the first step, or `control` was cancelled.
    pub fn search(
        &self,
        cube: &Cube,
        control: &Control,
        better: &mut dyn FnMut(&ChainSolution),
    ) -> Result<ChainSolutions, StepError> {
        self.steps[0].check_ready(cube)?;
        for (number, step) in self.steps.iter().enumerate() {
            match step.goal.prepare(control) {
                Err(Cancelled::Deadline) => {
                    let unreached = Some(Unreached::unbuilt(number, step.goal.name()));
                    return Ok(ChainSolutions { stopped: Some(Cancelled::Deadline), unreached, ..Default::default() });
                }
                built => built?,
            }
        }
        let root = Position::new(cube);
        let mut best = Best::new(self.count);
        let mut clock = Clock::new(control);
        let mut width = FIRST_WIDTH.min(self.last_width.max(1));
        let mut done = 0;
        let mut is_exhausted = false;
        let mut is_short_of_memory = false;
        let mut stopped = None;
        let mut claims = Vec::new();
        let mut furthest = Furthest::default();
        while !is_exhausted {
            match self.round(&root, width, &mut best, &mut clock, &mut furthest, better) {
                Ok(is_whole) => (done, is_exhausted) = (width, is_whole),
                Err(Cancelled::ByCaller) => return Err(Cancelled::ByCaller.into()),
                Err(deadline) => {
                    stopped = Some(deadline);
                    break;
                }
            }
            if width >= self.last_width {
                break;
            }
            let next = (2 * width).min(self.last_width);
            let claimed = if claims.is_empty() { 0 } else { width };
            let Some(claim) = self.memory.claim(BYTES_PER_WIDTH * (next - claimed) as u64) else {
                is_short_of_memory = true;
                break;
            };
            claims.push(claim);
            width = next;
        }
        let solutions = best.into_solutions();
        let unreached = solutions.is_empty().then(|| furthest.unreached(&self.steps));
        Ok(ChainSolutions { solutions, width: done, is_exhausted, is_short_of_memory, stopped, unreached })
    }

    /// Searches the chain with at most `width` branches after each step. Returns whether no branch was left out.
    fn round(
        &self,
        root: &Position,
        width: usize,
        best: &mut Best,
        clock: &mut Clock<'_>,
        furthest: &mut Furthest,
        better: &mut dyn FnMut(&ChainSolution),
    ) -> Result<bool, Cancelled> {
        let mut branches = vec![Branch { position: root.clone(), made: None, rank: 0 }];
        let mut is_whole = true;
        for number in 0..self.steps.len() - 1 {
            let (next, is_all) = self.widen(number, &branches, width, best, clock, furthest)?;
            is_whole &= is_all;
            branches = next;
            if branches.is_empty() {
                return Ok(is_whole);
            }
        }
        self.close(root, &branches, best, clock, furthest, better)?;
        Ok(is_whole)
    }

    /// Returns the best branches after a step, and whether they are all.
    fn widen<'c>(
        &'c self,
        number: usize,
        branches: &[Branch<'c>],
        width: usize,
        best: &Best,
        clock: &mut Clock<'_>,
        furthest: &mut Furthest,
    ) -> Result<(Vec<Branch<'c>>, bool), Cancelled> {
        let step = &self.steps[number];
        let next = &self.steps[number + 1];
        let mut growth = Growth::new(step, branches);
        furthest.reaches(number, growth.progress(None));
        let mut out: Vec<Branch<'c>> = Vec::new();
        // The cubes of `out`, and the rank from which a branch is not among the best.
        let (mut known, mut worst): (HashSet<Cube>, usize) = (HashSet::new(), usize::MAX);
        let gathered = GATHERED * width;
        let mut left = MOST_SOLUTIONS.max(SOLUTIONS_PER_BRANCH * width);
        for total in growth.totals() {
            if out.len() >= gathered || left == 0 || best.is_worse(total + 1) {
                return Ok((kept(out, width), false));
            }
            if step.goal.is_one_cube() && !out.is_empty() {
                // Longer solutions lead to the same cube.
                break;
            }
            growth.each(total, clock, &mut |branch, axis, moves| {
                left -= 1;
                let cube = moves.after(&branch.position.cube);
                if known.contains(&cube) {
                    return left == 0;
                }
                let position = branch.position.after(&moves);
                let prepared = next.prepare(&position);
                let bound = prepared.iter().map(|start| start.bound(next)).min();
                furthest.reaches(number + 1, if bound.is_none() { Progress::Unprepared } else { Progress::Waiting });
                let rank = bound.map_or(usize::MAX, |bound| total + usize::from(bound));
                if rank >= worst {
                    return left == 0;
                }
                known.insert(cube);
                let made = Some(Arc::new(Made { before: branch.made.clone(), axis, moves }));
                out.push(Branch { position, made, rank });
                if out.len() > 2 * gathered {
                    out = kept(std::mem::take(&mut out), gathered);
                    worst = out.last().map_or(worst, |last| last.rank);
                    known = out.iter().map(|branch| branch.position.cube).collect();
                }
                left == 0
            })?;
            furthest.reaches(number, growth.progress(Some(total)));
        }
        let is_all = out.len() <= width && left > 0;
        Ok((kept(out, width), is_all))
    }

    /// Finds the last step of each branch.
    fn close<'c>(
        &'c self,
        root: &Position,
        branches: &[Branch<'c>],
        best: &mut Best,
        clock: &mut Clock<'_>,
        furthest: &mut Furthest,
        better: &mut dyn FnMut(&ChainSolution),
    ) -> Result<(), Cancelled> {
        let number = self.steps.len() - 1;
        let mut growth = Growth::new(&self.steps[number], branches);
        furthest.reaches(number, growth.progress(None));
        for total in growth.totals() {
            // Moves on both sides can cancel where they meet, at most two of them.
            if best.is_worse(total.saturating_sub(2)) {
                break;
            }
            growth.each(total, clock, &mut |branch, axis, moves| {
                let made = Made { before: branch.made.clone(), axis, moves };
                let steps = made.steps();
                let cube = &root.cube;
                let moves = steps.iter().map(|(_, moves)| *moves);
                if let Some(solution) = best.offer(cube, moves, || self.answers(cube, &steps)) {
                    better(solution);
                }
                false
            })?;
            furthest.reaches(number, growth.progress(Some(total)));
        }
        Ok(())
    }

    fn answers(&self, cube: &Cube, steps: &[(&str, &SideMoves)]) -> Vec<StepAnswer> {
        let mut position = Position::new(cube);
        let mut out = Vec::with_capacity(steps.len());
        for (step, (axis, moves)) in self.steps.iter().zip(steps) {
            position = position.after(moves);
            out.push(StepAnswer::new(step.goal.name(), axis, moves, &position));
        }
        out
    }
}

/// Number of branches that are ranked, for each that goes on.
const GATHERED: usize = 4;
/// Greatest number of solutions of a step that are looked at for each branch that goes on, and at least in all. Only steps with a great
/// least length reach it.
const SOLUTIONS_PER_BRANCH: usize = 256;
const MOST_SOLUTIONS: usize = 1 << 18;

/// Returns the branches of the best ranks. Those of equal rank keep their order.
fn kept(mut branches: Vec<Branch<'_>>, width: usize) -> Vec<Branch<'_>> {
    branches.sort_by_key(|branch| branch.rank);
    branches.truncate(width);
    branches
}

/// The search of one step from many branches, by total length.
struct Growth<'b, 'c> {
    step: &'c Step,
    starts: Vec<(&'b Branch<'c>, Vec<Prepared<'c>>)>,
    /// Length of the shortest solution, and the number of solutions, of each branch.
    found: Vec<(Option<u8>, usize)>,
}

impl<'b, 'c> Growth<'b, 'c> {
    fn new(step: &'c Step, branches: &'b [Branch<'c>]) -> Self {
        let starts: Vec<_> = branches.iter().map(|branch| (branch, step.prepare(&branch.position))).collect();
        Self { step, found: vec![(None, 0); starts.len()], starts }
    }

    /// Returns the total lengths that a solution may have.
    fn totals(&self) -> std::ops::RangeInclusive<usize> {
        let lengths = || self.starts.iter().map(|(branch, _)| branch.position.len());
        let least = lengths().min().unwrap_or(1);
        let greatest = lengths().max().unwrap_or(0);
        least + usize::from(self.step.min)..=greatest + usize::from(self.step.max.min(MAX_LENGTH))
    }

    /// Returns what is known of the step after all total lengths up to this one were searched.
    fn progress(&self, total: Option<usize>) -> Progress {
        let prepared = self.starts.iter().filter(|(_, prepared)| !prepared.is_empty());
        let Some(longest) = prepared.map(|(branch, _)| branch.position.len()).max() else {
            return Progress::Unprepared;
        };
        let length = total.and_then(|total| u8::try_from(total.checked_sub(longest)?).ok());
        Progress::Searched(length.filter(|length| *length >= self.step.min))
    }

    /// Passes on every solution of this total length, until `report` returns true.
    fn each(
        &mut self,
        total: usize,
        clock: &mut Clock<'_>,
        report: &mut dyn FnMut(&Branch<'c>, &'c str, SideMoves) -> bool,
    ) -> Result<(), Cancelled> {
        let step = self.step;
        for ((branch, prepared), (shortest, count)) in self.starts.iter().zip(&mut self.found) {
            let Some(length) = total.checked_sub(branch.position.len()).and_then(|length| u8::try_from(length).ok())
            else {
                continue;
            };
            let is_over =
                shortest.zip(step.over_best).is_some_and(|(shortest, over)| length > shortest.saturating_add(over));
            if !(step.min..=step.max).contains(&length) || is_over {
                continue;
            }
            for start in prepared {
                if *count >= step.count {
                    break;
                }
                let mut is_ended = false;
                start.of_length(step, length, clock, &mut |moves| {
                    shortest.get_or_insert(length);
                    *count += 1;
                    is_ended = report(branch, &start.frame.name, moves);
                    is_ended || *count >= step.count
                })?;
                if is_ended {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
