//! Explains a solution move by move: coordinates, bounds, phases, redundant moves, and the move from which it is
//! optimal.
//!
//! The exact distance of a position is known in two cases. The near search proves it (at most ten moves from solved),
//! or a lower bound equals the number of moves left. Other distances are reported as unknown. A *detour* is a move that
//! does not lead nearer to solved. The last moves of a solution, after its last detour, are an optimal solution of the
//! position before them.
//!
//! In a metric other than HTM, lengths, distances and bounds count in the metric. Then a distance is known only if a lower bound equals
//! the length of the rest, because the near search counts in HTM.

use superflip_cube::metric::{Metric, merged, runs};
use superflip_cube::{Axis, Cube, Move, Symmetry};
use superflip_solver::Cancelled;
use superflip_solver::control::{Clock, Control};
use superflip_solver::search::near::{Near, REACH};
use superflip_solver::search::phase_one::Direction;
use superflip_solver::tables::{DirectionCoordinates, MetricTables, Tables};

/// The state after one move of a solution.
#[derive(Clone, Debug)]
pub struct SolutionStep {
    /// Move that led here; `None` at the start.
    pub mv: Option<Move>,
    /// Number of moves left.
    pub moves_left: usize,
    /// Length of these moves in the metric.
    pub length_left: usize,
    /// The cube at this point.
    pub cube: Cube,
    /// Coordinates along the three axes, then the coordinates of the inverse cube.
    pub directions: [DirectionCoordinates; 6],
    /// Lower bound on the distance from solved.
    pub lower_bound: u32,
    /// Exact distance from solved, if known.
    pub exact: Option<u32>,
    /// Whether the remaining moves are an optimal solution from here, if known.
    pub shortest_from_here: Option<bool>,
}

/// Parts of the solution inside the subgroup of one axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boundary {
    /// Axis.
    pub axis: Axis,
    /// Number of moves after which the cube stays inside the subgroup.
    pub inside_from: usize,
    /// Number of moves from the start that stay inside the subgroup.
    pub inside_until: usize,
}

/// Split of the solution into two phases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseSplit {
    /// Axis of the subgroup.
    pub axis: Axis,
    /// Whether the split is on the inverse cube, so that the part inside the subgroup comes first.
    pub inverse: bool,
    /// Number of moves of each part, in the order of the solution.
    pub lengths: [usize; 2],
}

/// The position at which a shorter solution was missed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detour {
    /// Number of moves before that position.
    pub after: usize,
    /// An optimal solution from there.
    pub shorter: Vec<Move>,
}

/// The full explanation of one solution.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Every position from the start to the solved cube: one more than there are moves.
    pub steps: Vec<SolutionStep>,
    /// The boundary of each axis.
    pub boundaries: [Boundary; Axis::COUNT],
    /// The split into two phases.
    pub reading: PhaseSplit,
    /// First move and length of each run in which one face turns more than once.
    pub redundant: Vec<(usize, usize)>,
    /// The solution with such runs merged; the same solution if there are none.
    pub merged: Vec<Move>,
    /// Index of the first step from which the solution is proven optimal.
    pub shortest_from: usize,
    /// The last detour, if one is known.
    pub detour: Option<Detour>,
}

/// The symmetries and antisymmetries of one cube.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CubeSymmetry {
    /// Symmetries s with s C s^-1 = C; they form a group.
    pub symmetries: Vec<Symmetry>,
    /// Symmetries s with s C s^-1 = C^-1.
    pub antisymmetries: Vec<Symmetry>,
}

/// Finds the symmetries and antisymmetries of a cube.
pub fn symmetry_of(cube: &Cube) -> CubeSymmetry {
    let inverse = cube.inverse();
    let leading_to = |image: &Cube| Symmetry::all().filter(|s| s.conjugate(cube) == *image).collect();
    CubeSymmetry { symmetries: leading_to(cube), antisymmetries: leading_to(&inverse) }
}

/// Explains a solution of `cube`; returns `None` if `moves` do not solve it. Distances that are not proven by the
/// deadline of `control` stay unknown.
///
/// # Errors
/// [`Cancelled::ByCaller`] when `control` was cancelled.
///
/// # Examples
/// ```no_run
/// use superflip_cube::{Cube, Moves};
/// use superflip_coords::explain::explain;
/// use superflip_solver::{Control, Solver};
///
/// let solver = Solver::open_default()?;
/// let (cube, moves) = (Cube::from_scramble("R U F")?, "F' U' R'".parse::<Moves>()?);
/// let explanation = explain(solver.tables(), &cube, &moves, &Control::new())?.ok_or("no solution")?;
/// assert_eq!(explanation.shortest_from, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(
    tables: &Tables,
    cube: &Cube,
    moves: &[Move],
    control: &Control,
) -> Result<Option<Explanation>, Cancelled> {
    explain_in(tables, None, cube, moves, control)
}

/// Explains a solution in the metric of `metric`, or in HTM if it is `None`.
///
/// # Errors
/// As [`explain`].
pub fn explain_in(
    tables: &Tables,
    metric: Option<&MetricTables>,
    cube: &Cube,
    moves: &[Move],
    control: &Control,
) -> Result<Option<Explanation>, Cancelled> {
    if !cube.after(moves).is_solved() {
        return Ok(None);
    }
    let mut clock = Clock::new(control);
    let mut at = *cube;
    let mut steps = vec![step(tables, metric, None, moves, at)];
    for (number, &mv) in moves.iter().enumerate() {
        if control.is_cancelled() {
            return Err(Cancelled::ByCaller);
        }
        at = at.then(mv.cube());
        steps.push(step(tables, metric, Some(mv), &moves[number + 1..], at));
    }
    let detour = match metric {
        None => prove(tables, &mut steps, &mut clock)?,
        Some(metric) => bound_in(metric.metric(), &mut steps),
    };
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

fn step(tables: &Tables, metric: Option<&MetricTables>, mv: Option<Move>, left: &[Move], cube: Cube) -> SolutionStep {
    let mut directions = tables.inspect(&cube);
    if let Some(metric) = metric {
        for (of_direction, direction) in directions.iter_mut().zip(Direction::all(tables, &cube)) {
            let cube = direction.cube.cube();
            of_direction.phase_one_distance = metric.phase_one_distance(&cube).into();
            of_direction.phase_two_bound = metric.phase_two_bound(&cube).map(u32::from);
        }
    }
    // Every solution passes through each subgroup, so each distance to one is a lower bound.
    let lower_bound = directions.iter().map(|d| d.phase_one_distance).max().unwrap_or(0);
    let length_left = metric.map_or(Metric::Htm, MetricTables::metric).length(left);
    let moves_left = left.len();
    let exact = None;
    let shortest_from_here = None;
    SolutionStep { mv, moves_left, length_left, cube, directions, lower_bound, exact, shortest_from_here }
}

/// Raises the bounds of the steps in a metric, and finds the steps whose bound is the length of the rest. Returns the last detour: the
/// moves after the cube is solved.
fn bound_in(metric: Metric, steps: &mut [SolutionStep]) -> Option<Detour> {
    let of_parity = |bound: u32, left: usize| match metric {
        // All solutions of a cube have an even number of quarter turns, or all have an odd one.
        Metric::Qtm if !bound.abs_diff(count(left)).is_multiple_of(2) => bound + 1,
        _ => bound,
    };
    let length = |step: &SolutionStep| step.mv.map_or(0, |mv| count(metric.length(&[mv])));
    for step in &mut *steps {
        let is_solved = step.cube.is_solved();
        step.lower_bound = if is_solved { 0 } else { of_parity(step.lower_bound.max(1), step.length_left) };
    }
    // A move changes the distance by at most its length.
    for number in 1..steps.len() {
        let bound = steps[number - 1].lower_bound.saturating_sub(length(&steps[number]));
        steps[number].lower_bound = steps[number].lower_bound.max(bound);
    }
    for number in (1..steps.len()).rev() {
        let bound = steps[number].lower_bound.saturating_sub(length(&steps[number]));
        steps[number - 1].lower_bound = steps[number - 1].lower_bound.max(bound);
    }
    for step in &mut *steps {
        let bound = step.lower_bound;
        let left = count(step.length_left);
        step.exact = (bound == left || step.cube.is_solved()).then_some(bound);
        step.shortest_from_here = step.exact.map(|exact| exact == left);
    }
    let solved = steps.iter().rposition(|step| step.cube.is_solved() && step.length_left > 0);
    solved.map(|after| Detour { after, shorter: Vec::new() })
}

/// Proves the distances of the steps within reach of the near search, the last step first. Returns the last detour.
fn prove(tables: &Tables, steps: &mut [SolutionStep], clock: &mut Clock<'_>) -> Result<Option<Detour>, Cancelled> {
    let mut detour = None;
    let mut in_sight = true;
    for number in (0..steps.len()).rev() {
        let SolutionStep { cube, moves_left, lower_bound, .. } = steps[number];
        let left = count(moves_left);
        if cube.is_solved() {
            steps[number].exact = Some(0);
        } else if in_sight || number == 0 {
            match distance(tables, &cube, lower_bound.max(1), clock) {
                Ok(Ok(shortest)) => {
                    let exact = count(shortest.len());
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
                Err(Cancelled::Deadline) => in_sight = false,
                Err(Cancelled::ByCaller) => return Err(Cancelled::ByCaller),
            }
        } else {
            // One move changes the distance by at most one.
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
    // If a suffix of the solution is optimal, so is every shorter suffix.
    if let Some(first) = steps.iter().position(|step| step.shortest_from_here == Some(true)) {
        for step in &mut steps[first..] {
            step.exact = Some(count(step.moves_left));
            step.lower_bound = count(step.moves_left);
            step.shortest_from_here = Some(true);
        }
    }
    Ok(detour)
}

fn count(moves: usize) -> u32 {
    u32::try_from(moves).unwrap_or(u32::MAX)
}

/// Returns an optimal solution of at most [`REACH`] moves, or a lower bound on the length.
fn distance(
    tables: &Tables,
    cube: &Cube,
    lower_bound: u32,
    clock: &mut Clock<'_>,
) -> Result<Result<Vec<Move>, u32>, Cancelled> {
    let Some(least) = u8::try_from(lower_bound).ok().filter(|least| *least <= REACH) else {
        return Ok(Err(lower_bound));
    };
    let found =
        Near::new(tables, cube, &Direction::all(tables, cube)).search(least, clock).map_err(|(halt, _)| halt)?;
    Ok(found.map_err(u32::from))
}

fn boundary(axis: Axis, steps: &[SolutionStep], moves: &[Move]) -> Boundary {
    let is_inside = |step: &SolutionStep| step.directions[axis.index()].phase_one_distance == 0;
    let inside_from = steps.iter().rposition(|step| !is_inside(step)).map_or(0, |last| last + 1);
    // A move stays inside the subgroup if it is one of its ten generators, seen along the axis.
    let keeps_inside = |mv: &Move| mv.face().axis() == axis || mv.quarters() == 2;
    let inside_until = moves.iter().position(|mv| !keeps_inside(mv)).unwrap_or(moves.len());
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
    // Of equal splits the first is taken: the cube before its inverse, the UD axis before the others.
    all.into_iter().find(|reading| inside(reading) == most).unwrap_or(PhaseSplit {
        axis: Axis::Ud,
        inverse: false,
        lengths: [length, 0],
    })
}
