//! Responses of `/explain`: a solution, move by move.

use crate::contract::ToSchema;
use serde::Serialize;

use crate::api::types::{Direction, ScheduleStep, SymmetryBody};
use superflip_coords::explain::{Boundary, CubeSymmetry, Explanation, PhaseSplit, SolutionStep, symmetry_of};
use superflip_cube::metric::Metric;
use superflip_cube::{Axis, Cube, Move, Moves, Symmetry};
use superflip_solver::search::machine::Machine;
use superflip_solver::tables::DirectionCoordinates;

/// Length of a sequence of moves in each metric.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = Lengths)]
pub struct LengthsBody {
    /// Half-turn metric: each face move counts 1.
    pub htm: usize,
    /// Quarter-turn metric: a half turn counts 2.
    pub qtm: usize,
    /// Slice-turn metric: a slice move, made of moves of two opposite faces, counts 1.
    pub stm: usize,
    /// Axial metric: consecutive moves along one axis count as many as the moves of the face that moves most often, usually 1.
    pub axht: usize,
    /// Axial quarter-turn metric: consecutive moves along one axis count as much as the face that turns most.
    pub axqt: usize,
    /// Execution-turn metric: each physical action counts 1.
    pub etm: usize,
}

impl From<&[Move]> for LengthsBody {
    fn from(moves: &[Move]) -> Self {
        let [htm, qtm, stm, axht, axqt, etm] = Metric::ALL.map(|metric| metric.length(moves));
        Self { htm, qtm, stm, axht, axqt, etm }
    }
}

/// Bounds along one axis, of the cube or of its inverse.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AxisBounds)]
pub struct BoundBody {
    /// Axis.
    #[schema(value_type = crate::api::types::described::Axis)]
    pub axis: Axis,
    /// Whether the bounds are those of the inverse cube.
    pub inverse: bool,
    /// Exact distance to the subgroup of phase 2 along this axis; a lower bound on the length of every solution.
    pub phase_one_distance: u32,
    /// Lower bound on the length of the solutions that stay in this subgroup. Null if the cube is outside the subgroup.
    pub phase_two_bound: Option<u32>,
}

impl From<&DirectionCoordinates> for BoundBody {
    fn from(direction: &DirectionCoordinates) -> Self {
        let DirectionCoordinates { inverse, phase_one_distance, phase_two_bound, .. } = *direction;
        Self { axis: direction.axis, inverse, phase_one_distance, phase_two_bound }
    }
}

/// Cube after a move of the solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ExplanationStep)]
pub struct ExplainStep {
    /// Move that led here; null at the start.
    #[serde(rename = "move")]
    pub mv: Option<&'static str>,
    /// Number of remaining moves.
    pub moves_left: usize,
    /// Length of the remaining moves in `metric`.
    pub length_left: usize,
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// Phase of the move, 1 or 2, in the two-phase split; null at the start.
    pub phase: Option<u8>,
    /// Coordinates along the axis of the two-phase split, of the cube, or of its inverse if the split is on the inverse. Its distance and its
    /// bound count in `metric`.
    pub coordinates: Direction,
    /// Bounds along the three axes, of the cube and of its inverse, in `metric`.
    pub bounds: Vec<BoundBody>,
    /// Lower bound on the distance from solved, in `metric`.
    pub lower_bound: u32,
    /// Exact distance from solved, in `metric`; null if unknown.
    pub exact: Option<u32>,
    /// Whether the remaining moves are an optimal solution; null if unknown.
    pub shortest_from_here: Option<bool>,
    /// With `costs` or `machine`: cost of the move, and of all actions between the turn before it and the move. Of two moves that are made
    /// at once, the first one has the cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Moves that can be merged into fewer.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RedundantMoves)]
pub struct RedundantBody {
    /// Number of moves before them.
    pub after: usize,
    /// Moves.
    pub moves: String,
}

/// Last position from which an optimal solution is shorter than the rest of the given solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Detour)]
pub struct DetourBody {
    /// Number of moves before this position.
    pub after: usize,
    /// Move that the given solution makes there; null if the cube is solved there.
    #[serde(rename = "move")]
    pub mv: Option<&'static str>,
    /// Optimal solution from there.
    pub shorter: String,
    /// Length of that solution.
    pub shorter_length: usize,
    /// Number of moves of the given solution from there.
    pub moves_left: usize,
}

/// Optimal part of the solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ShortestPart)]
pub struct ShortestBody {
    /// Number of moves after which the rest is proven optimal.
    pub proven_from: usize,
    /// Last position at which a shorter solution was missed; null if none is known.
    pub detour: Option<DetourBody>,
    /// Whether optimality is unknown for some moves.
    pub unknown_before: bool,
}

/// Symmetry of the cube.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CubeSymmetry)]
pub struct CubeSymmetryBody {
    /// Number of symmetries, of 48, under which the cube is invariant.
    pub order: usize,
    /// Symmetries with s C s^-1 = C.
    pub symmetries: Vec<SymmetryName>,
    /// Indices of the symmetries with s C s^-1 = C^-1.
    pub antisymmetries: Vec<usize>,
    /// Number of different cubes that are this one up to symmetry.
    pub positions_like_it: usize,
}

/// Symmetry by index and description.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymmetrySummary)]
pub struct SymmetryName {
    /// Index, as in GET /symmetries.
    pub index: usize,
    /// Description.
    pub description: String,
}

impl From<CubeSymmetry> for CubeSymmetryBody {
    fn from(symmetry: CubeSymmetry) -> Self {
        let order = symmetry.symmetries.len();
        let named = symmetry.symmetries.into_iter().map(|s| {
            let SymmetryBody { index, description, .. } = s.into();
            SymmetryName { index, description }
        });
        Self {
            order,
            symmetries: named.collect(),
            antisymmetries: symmetry.antisymmetries.into_iter().map(Symmetry::index).collect(),
            positions_like_it: 48 / order.max(1),
        }
    }
}

/// Explanation of a solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Explanation)]
pub struct ExplainBody {
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// With `target`: the cube after the moves, as 54 letters URFDLB. Coordinates, bounds and symmetry are then those of the cube that the
    /// same moves solve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The solution, as face moves.
    pub solution: String,
    /// Whether the service searched for the solution, because none was given.
    pub searched: bool,
    /// Metric of the request, in which all distances and bounds count.
    #[schema(example = "htm")]
    pub metric: &'static str,
    /// Length of the solution in `metric`.
    pub length: usize,
    /// Length of the solution in each metric.
    pub lengths: LengthsBody,
    /// Lower bound on the length of every solution, in `metric`.
    pub lower_bound: u32,
    /// Whether the solution is proven optimal.
    pub proven_optimal: bool,
    /// Two-phase split with the longest part inside a subgroup.
    pub reading: TwoPhaseReading,
    /// Parts inside the subgroup of each axis.
    pub boundaries: Vec<BoundaryBody>,
    /// Moves of one face that are separated by moves of the same axis only.
    pub redundant: Vec<RedundantBody>,
    /// Solution with such moves merged; null if there are none.
    pub merged: Option<String>,
    /// Optimal part of the solution.
    pub shortest: ShortestBody,
    /// Symmetry of the cube.
    pub symmetry: CubeSymmetryBody,
    /// With `costs` or `machine`: cost of the cheapest execution of the solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// With `costs` or `machine`: lower bound on the cost of every solution, as for POST /solve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_lower_bound: Option<f64>,
    /// With `costs` or `machine`: what the machine does, step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Vec<ScheduleStep>>,
    /// Cube before the first move and after each move.
    pub steps: Vec<ExplainStep>,
}

impl ExplainBody {
    /// Creates the response from the explanation of `moves`. `start` is the cube before them, which differs from the explained cube if
    /// there is a target.
    pub fn new(start: &Cube, moves: &[Move], metric: Metric, searched: bool, explanation: &Explanation) -> Self {
        let Explanation { steps, boundaries, reading, redundant, merged, shortest_from, detour } = explanation;
        let first = &steps[0];
        let step = |(number, step)| ExplainStep::new(number, step, &start.after(&moves[..number]), reading);
        Self {
            facelets: start.to_string(),
            target: None,
            solution: Moves::from(moves).to_string(),
            searched,
            metric: metric.name(),
            length: metric.length(moves),
            lengths: moves.into(),
            lower_bound: first.lower_bound,
            proven_optimal: first.shortest_from_here == Some(true),
            reading: (*reading).into(),
            boundaries: boundaries.iter().copied().map(Into::into).collect(),
            redundant: redundant
                .iter()
                .map(|&(after, count)| RedundantBody {
                    after,
                    moves: Moves::from(&moves[after..after + count]).to_string(),
                })
                .collect(),
            merged: (merged.len() < moves.len()).then(|| Moves::from(merged).to_string()),
            shortest: ShortestBody {
                proven_from: *shortest_from,
                detour: detour.as_ref().map(|detour| DetourBody {
                    after: detour.after,
                    mv: moves.get(detour.after).filter(|_| !detour.shorter.is_empty()).map(|mv| mv.name()),
                    shorter: Moves::from(&detour.shorter).to_string(),
                    shorter_length: detour.shorter.len(),
                    moves_left: moves.len() - detour.after,
                }),
                unknown_before: steps.iter().any(|step| step.shortest_from_here.is_none()),
            },
            symmetry: symmetry_of(&first.cube).into(),
            cost: None,
            cost_lower_bound: None,
            schedule: None,
            steps: steps.iter().enumerate().map(step).collect(),
        }
    }

    /// Adds what a machine does to make the moves, if it can.
    #[must_use]
    pub fn executed(mut self, moves: &[Move], machine: &Machine, metric: Metric) -> Self {
        let Some(execution) = machine.execute(moves) else { return self };
        self.cost = Some(execution.cost.as_f64());
        self.cost_lower_bound = Some(machine.lower_bound(metric, self.lower_bound as usize).as_f64());
        self.schedule = Some(ScheduleStep::all(&execution));
        for (step, cost) in self.steps.iter_mut().skip(1).zip(execution.costs_by_move(moves)) {
            step.cost = Some(cost.as_f64());
        }
        self
    }
}

impl ExplainStep {
    fn new(number: usize, step: &SolutionStep, cube: &Cube, reading: &PhaseSplit) -> Self {
        let direction = reading.axis.index() + if reading.inverse { 3 } else { 0 };
        let second = number > reading.lengths[0];
        // On the inverse cube, the part inside the subgroup comes first and is phase 2.
        let phase = if second == reading.inverse { 1 } else { 2 };
        Self {
            mv: step.mv.map(Move::name),
            moves_left: step.moves_left,
            length_left: step.length_left,
            facelets: cube.to_string(),
            phase: (number > 0).then_some(phase),
            coordinates: (&step.directions[direction]).into(),
            bounds: step.directions.iter().map(Into::into).collect(),
            lower_bound: step.lower_bound,
            exact: step.exact,
            shortest_from_here: step.shortest_from_here,
            cost: None,
        }
    }
}

/// Parts of the solution inside the subgroup of one axis.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Boundary)]
pub struct BoundaryBody {
    /// Axis.
    #[schema(value_type = crate::api::types::described::Axis)]
    pub axis: Axis,
    /// Number of moves after which the cube stays inside the subgroup.
    pub inside_from: usize,
    /// Number of moves from the start that stay inside the subgroup.
    pub inside_until: usize,
}

impl From<Boundary> for BoundaryBody {
    fn from(from: Boundary) -> Self {
        let Boundary { axis, inside_from, inside_until } = from;
        Self { axis, inside_from, inside_until }
    }
}

/// Split of the solution into two phases.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TwoPhaseReading {
    /// Axis of the subgroup.
    #[schema(value_type = crate::api::types::described::Axis)]
    pub axis: Axis,
    /// Whether the split is on the inverse cube, so that the part inside the subgroup comes first.
    pub inverse: bool,
    /// Number of moves of each part, in the order of the solution.
    pub lengths: [usize; 2],
}

impl From<PhaseSplit> for TwoPhaseReading {
    fn from(from: PhaseSplit) -> Self {
        let PhaseSplit { axis, inverse, lengths } = from;
        Self { axis, inverse, lengths }
    }
}
