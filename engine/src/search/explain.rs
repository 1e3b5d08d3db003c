//! What a solution does, turn by turn: coordinates, bounds, phases, waste, and where it ceases to be the shortest way.
//!
//! Exact distances are known where a cube is at most ten turns from solved (the near search proves them) and where a lower
//! bound equals the turns that are left. A solution that ends well is shortest from some turn on; before that a turn may
//! lead no nearer, a *detour*. What lies further off than the near search sees is said to be unknown.

use std::time::Instant;

use super::directions::Direction;
use super::near::{Near, REACH};
use super::stop::{Clock, Halt, Stop};
use crate::cube::metric::{merged, runs};
use crate::cube::{Axis, Cube, Move, Symmetry};
use crate::tables::{DirectionCoordinates, Tables};

/// One moment of a solution.
#[derive(Clone, Debug)]
pub struct SolutionStep {
    /// The turn that led here; none at the start.
    pub turn: Option<Move>,
    /// The turns that are left.
    pub turns_left: usize,
    /// The cube.
    pub cube: Cube,
    /// Its coordinates along the three axes, then those of its inverse.
    pub directions: [DirectionCoordinates; 6],
    /// At least so many turns are needed from here.
    pub lower_bound: u32,
    /// Exactly so many turns are needed from here, where that is known.
    pub exact: Option<u32>,
    /// Whether the turns that are left are a shortest solution from here, where that is known.
    pub shortest_from_here: Option<bool>,
}

/// How a solution goes through the subgroup of one axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boundary {
    /// The axis.
    pub axis: Axis,
    /// After so many turns the cube is inside the subgroup for good: read forwards, phase 2 begins here.
    pub inside_from: usize,
    /// So many turns from the beginning stay inside the subgroup: read on the inverse cube, they are its phase 2.
    pub inside_until: usize,
}

/// The reading of a solution as two phases that leaves most to the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseSplit {
    /// The axis of the subgroup.
    pub axis: Axis,
    /// Whether it is read on the inverse cube, so that the part inside the subgroup comes first.
    pub inverse: bool,
    /// Turns of each part, in the order of the solution.
    pub lengths: [usize; 2],
}

/// The turn after which a shorter way was missed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detour {
    /// How many turns were made before it.
    pub after: usize,
    /// A shortest solution from there.
    pub shorter: Vec<Move>,
}

/// Everything about one solution.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// From the start to the solved cube, one more than there are turns.
    pub steps: Vec<SolutionStep>,
    /// For each axis.
    pub boundaries: [Boundary; Axis::COUNT],
    /// As two phases.
    pub reading: PhaseSplit,
    /// First turn and number of turns of each run in which one face turns more than once.
    pub redundant: Vec<(usize, usize)>,
    /// The solution with such turns merged; the same where there are none.
    pub merged: Vec<Move>,
    /// From which step on the solution is proven to be shortest.
    pub shortest_from: usize,
    /// The last turn that was not on a shortest way, where one is known.
    pub detour: Option<Detour>,
}

/// The symmetries of one cube.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CubeSymmetry {
    /// Those with s C s^-1 = C; a group.
    pub symmetries: Vec<Symmetry>,
    /// Those with s C s^-1 = C^-1.
    pub antisymmetries: Vec<Symmetry>,
}

/// Finds the symmetries of a cube.
pub fn symmetry_of(cube: &Cube) -> CubeSymmetry {
    let inverse = cube.inverse();
    let leading_to = |image: &Cube| Symmetry::all().filter(|s| s.conjugate(cube) == *image).collect();
    CubeSymmetry { symmetries: leading_to(cube), antisymmetries: leading_to(&inverse) }
}

/// Explains a solution of `cube`, or `None` when `moves` do not solve it. What is not proven by the deadline stays unknown.
///
/// # Errors
/// [`Halt::Cancelled`] when `stop` was set.
pub fn explain(
    tables: &Tables,
    cube: &Cube,
    moves: &[Move],
    deadline: Option<Instant>,
    stop: &Stop,
) -> Result<Option<Explanation>, Halt> {
    if !cube.after(moves).is_solved() {
        return Ok(None);
    }
    let mut clock = Clock::new(stop, deadline);
    let mut at = *cube;
    let mut steps = vec![step(tables, None, moves.len(), at)];
    for (number, &turn) in moves.iter().enumerate() {
        if stop.is_stopped() {
            return Err(Halt::Cancelled);
        }
        at = at.then(turn.cube());
        steps.push(step(tables, Some(turn), moves.len() - number - 1, at));
    }
    let detour = prove(tables, &mut steps, &mut clock)?;
    let boundaries = Axis::ALL.map(|axis| boundary(axis, &steps, moves));
    let shortest_from = steps.iter().rposition(|step| step.shortest_from_here != Some(true)).map_or(0, |last| last + 1);
    let mut first = 0;
    let mut redundant = Vec::new();
    for run in runs(moves) {
        if merged(run).len() < run.len() {
            redundant.push((first, run.len()));
        }
        first += run.len();
    }
    Ok(Some(Explanation {
        reading: reading(&boundaries, moves.len()),
        steps,
        boundaries,
        redundant,
        merged: merged(moves),
        shortest_from,
        detour,
    }))
}

fn step(tables: &Tables, turn: Option<Move>, turns_left: usize, cube: Cube) -> SolutionStep {
    let directions = tables.inspect(&cube);
    // Every solution leads through each subgroup, so each distance to one bounds it from below.
    let lower_bound = directions.iter().map(|d| d.phase_one_distance).max().unwrap_or(0);
    SolutionStep { turn, turns_left, cube, directions, lower_bound, exact: None, shortest_from_here: None }
}

/// Proves distances from the end backwards, as far as the near search sees, and finds the last detour.
fn prove(tables: &Tables, steps: &mut [SolutionStep], clock: &mut Clock<'_>) -> Result<Option<Detour>, Halt> {
    let mut detour = None;
    let mut in_sight = true;
    for number in (0..steps.len()).rev() {
        let SolutionStep { cube, turns_left, lower_bound, .. } = steps[number];
        let left = turns_left as u32;
        if cube.is_solved() {
            steps[number].exact = Some(0);
        } else if in_sight || number == 0 {
            match distance(tables, &cube, lower_bound.max(1), clock) {
                Ok(Ok(shortest)) => {
                    let exact = shortest.len() as u32;
                    steps[number].exact = Some(exact);
                    steps[number].lower_bound = exact;
                    if exact < left && detour.is_none() {
                        detour = Some(Detour { after: number, shorter: shortest });
                    }
                }
                Ok(Err(at_least)) => {
                    steps[number].lower_bound = lower_bound.max(at_least);
                    in_sight = false;
                }
                Err(Halt::Deadline) => in_sight = false,
                Err(Halt::Cancelled) => return Err(Halt::Cancelled),
            }
        } else {
            // One turn changes the distance by one at most.
            let bound = steps[number + 1].lower_bound.saturating_sub(1);
            steps[number].lower_bound = lower_bound.max(bound);
        }
        if cube.is_solved() && left > 0 && detour.is_none() {
            detour = Some(Detour { after: number, shorter: Vec::new() });
        }
        let known = &mut steps[number];
        if known.lower_bound == left {
            known.exact = Some(left);
        }
        known.shortest_from_here = match known.exact {
            Some(exact) => Some(exact == left),
            None if detour.is_some() => Some(false),
            None => None,
        };
    }
    // A way that is shortest from some step on is shortest from every later one.
    if let Some(first) = steps.iter().position(|step| step.shortest_from_here == Some(true)) {
        for step in &mut steps[first..] {
            step.exact = Some(step.turns_left as u32);
            step.lower_bound = step.turns_left as u32;
            step.shortest_from_here = Some(true);
        }
    }
    Ok(detour)
}

/// A shortest solution of at most [`REACH`] turns, or how many it takes at least.
fn distance(
    tables: &Tables,
    cube: &Cube,
    lower_bound: u32,
    clock: &mut Clock<'_>,
) -> Result<Result<Vec<Move>, u32>, Halt> {
    if lower_bound > u32::from(REACH) {
        return Ok(Err(lower_bound));
    }
    let found = Near::new(tables, cube, &Direction::all(tables, cube))
        .search(lower_bound as u8, clock)
        .map_err(|(halt, _)| halt)?;
    Ok(found.map_err(u32::from))
}

fn boundary(axis: Axis, steps: &[SolutionStep], moves: &[Move]) -> Boundary {
    let is_inside = |step: &SolutionStep| step.directions[axis.index()].phase_one_distance == 0;
    let inside_from = steps.iter().rposition(|step| !is_inside(step)).map_or(0, |last| last + 1);
    // A turn keeps inside the subgroup when it is one of its ten, seen along the axis.
    let keeps_inside = |turn: &Move| turn.face().axis() == axis || turn.quarters() == 2;
    let inside_until = moves.iter().position(|turn| !keeps_inside(turn)).unwrap_or(moves.len());
    Boundary { axis, inside_from, inside_until }
}

fn reading(boundaries: &[Boundary; Axis::COUNT], length: usize) -> PhaseSplit {
    let forwards = boundaries.iter().map(|b| PhaseSplit {
        axis: b.axis,
        inverse: false,
        lengths: [b.inside_from, length - b.inside_from],
    });
    let backwards = boundaries.iter().map(|b| PhaseSplit {
        axis: b.axis,
        inverse: true,
        lengths: [b.inside_until, length - b.inside_until],
    });
    let inside = |reading: &PhaseSplit| reading.lengths[usize::from(!reading.inverse)];
    let all: Vec<PhaseSplit> = forwards.chain(backwards).collect();
    let most = all.iter().map(inside).max().unwrap_or(0);
    // Of equals the first, so that the cube itself and the UD axis come before the others.
    all.into_iter().find(|reading| inside(reading) == most).unwrap_or(PhaseSplit {
        axis: Axis::Ud,
        inverse: false,
        lengths: [length, 0],
    })
}
