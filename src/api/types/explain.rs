//! What a solution does, turn by turn.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::api::types::{AxisName, DirectionBody, SymmetryBody};
use crate::cube::metric::Metric;
use crate::cube::{Cube, Move, Symmetry, input, join};
use crate::search::explain::{CubeSymmetry, Explanation, PhaseSplit, SolutionStep, symmetry_of};
use crate::tables::DirectionCoordinates;

/// The length of a maneuver, by each way of counting.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = Lengths)]
pub struct LengthsBody {
    /// Half-turn metric: each face turn is 1.
    pub htm: usize,
    /// Quarter-turn metric: a half turn is 2.
    pub qtm: usize,
    /// Slice-turn metric: opposite faces turned the same way round by the same amount are 1.
    pub stm: usize,
    /// Axial metric: turns of one axis together are 1.
    pub axht: usize,
    /// Axial quarter-turn metric: turns of one axis together cost what the face that turns most costs.
    pub axqt: usize,
    /// Execution-turn metric: everything that is done is 1.
    pub etm: usize,
}

impl From<&[Move]> for LengthsBody {
    fn from(moves: &[Move]) -> Self {
        let [htm, qtm, stm, axht, axqt, etm] = Metric::ALL.map(|metric| metric.length(moves));
        Self { htm, qtm, stm, axht, axqt, etm }
    }
}

/// The bounds along one axis, of the cube or of its inverse.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AxisBounds)]
pub struct BoundBody {
    /// The axis.
    pub axis: AxisName,
    /// Whether it is that of the inverse cube.
    pub inverse: bool,
    /// Turns to phase 2 along this axis, exact; a bound for every solution.
    pub phase_one_distance: u32,
    /// At least so many turns of phase 2 to solved; no bound for solutions that leave it. Null outside phase 2.
    pub phase_two_bound: Option<u32>,
}

impl From<&DirectionCoordinates> for BoundBody {
    fn from(direction: &DirectionCoordinates) -> Self {
        let DirectionCoordinates { inverse, phase_one_distance, phase_two_bound, .. } = *direction;
        Self { axis: direction.axis.into(), inverse, phase_one_distance, phase_two_bound }
    }
}

/// One moment of the solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ExplanationStep)]
pub struct ExplainStep {
    /// The turn that led here; null at the start.
    pub turn: Option<&'static str>,
    /// The turns that are left.
    pub turns_left: usize,
    /// The cube, in the letters URFDLB.
    pub facelets: String,
    /// 1 or 2 in the reading as two phases; null at the start.
    pub phase: Option<u8>,
    /// The coordinates along the axis of the reading, of the cube or, where it is read so, of its inverse.
    pub coordinates: DirectionBody,
    /// The bounds of all six directions.
    pub bounds: Vec<BoundBody>,
    /// At least so many turns are needed from here, by all that is known.
    pub lower_bound: u32,
    /// Exactly so many are; null where that is not known.
    pub exact: Option<u32>,
    /// Whether the turns that are left are a shortest solution from here; null where that is not known.
    pub shortest_from_here: Option<bool>,
}

/// The solution as two phases.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TwoPhaseReading)]
pub struct ReadingBody {
    /// The axis of the subgroup.
    pub axis: AxisName,
    /// Whether it is read on the inverse cube, so that the part inside the subgroup comes first.
    pub inverse: bool,
    /// Turns of each part, in the order of the solution.
    pub lengths: [usize; 2],
}

/// How the solution goes through the subgroup of one axis.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Boundary)]
pub struct BoundaryBody {
    /// The axis.
    pub axis: AxisName,
    /// After so many turns the cube is inside the subgroup for good.
    pub inside_from: usize,
    /// So many turns from the beginning stay inside the subgroup.
    pub inside_until: usize,
}

/// Turns that could have been fewer.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RedundantTurns)]
pub struct RedundantBody {
    /// How many turns come before them.
    pub after: usize,
    /// The turns.
    pub turns: String,
}

/// The last turn that was not on a shortest way.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Detour)]
pub struct DetourBody {
    /// How many turns come before it.
    pub after: usize,
    /// The turn; null when the cube was solved already.
    pub turn: Option<&'static str>,
    /// A shortest solution from there.
    pub shorter: String,
    /// Its length.
    pub shorter_length: usize,
    /// The turns that the solution takes from there.
    pub turns_left: usize,
}

/// Where the solution is the shortest way.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ShortestPart)]
pub struct ShortestBody {
    /// After so many turns what is left is proven to be a shortest solution.
    pub proven_from: usize,
    /// The last turn that was not on a shortest way; null when none is known.
    pub detour: Option<DetourBody>,
    /// Whether there are turns of which neither is known.
    pub unknown_before: bool,
}

/// The symmetry of the cube.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CubeSymmetry)]
pub struct CubeSymmetryBody {
    /// How many of the 48 symmetries keep the cube.
    pub order: usize,
    /// Those with s C s^-1 = C.
    pub symmetries: Vec<SymmetryName>,
    /// The numbers of those with s C s^-1 = C^-1.
    pub antisymmetries: Vec<usize>,
    /// How many different cubes are this one seen another way.
    pub positions_like_it: usize,
}

/// A symmetry by number and in words.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymmetrySummary)]
pub struct SymmetryName {
    /// Its number, as in GET /symmetries.
    pub index: usize,
    /// What it does.
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

/// A solution explained.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Explanation)]
pub struct ExplainBody {
    /// The cube, in the letters URFDLB.
    pub facelets: String,
    /// The solution, as face turns.
    pub solution: String,
    /// Whether it was searched for here.
    pub searched: bool,
    /// Its length, by each way of counting.
    pub lengths: LengthsBody,
    /// No solution has fewer face turns.
    pub lower_bound: u32,
    /// Whether it is proven to be shortest.
    pub proven_optimal: bool,
    /// As two phases: the reading that leaves most to the part inside a subgroup.
    pub reading: ReadingBody,
    /// For each axis.
    pub boundaries: Vec<BoundaryBody>,
    /// Where a face turns more than once before another axis does.
    pub redundant: Vec<RedundantBody>,
    /// The solution with such turns merged; null where there are none.
    pub merged: Option<String>,
    /// Where it is the shortest way.
    pub shortest: ShortestBody,
    /// The symmetry of the cube.
    pub symmetry: CubeSymmetryBody,
    /// From the start to the solved cube.
    pub steps: Vec<ExplainStep>,
}

impl ExplainBody {
    /// Writes down what was found out about `moves`.
    pub fn new(cube: &Cube, moves: &[Move], searched: bool, explanation: &Explanation) -> Self {
        let Explanation { steps, boundaries, reading, redundant, merged, shortest_from, detour } = explanation;
        let start = &steps[0];
        Self {
            facelets: input::to_facelets(cube),
            solution: join(moves),
            searched,
            lengths: moves.into(),
            lower_bound: start.lower_bound,
            proven_optimal: start.shortest_from_here == Some(true),
            reading: ReadingBody { axis: reading.axis.into(), inverse: reading.inverse, lengths: reading.lengths },
            boundaries: boundaries
                .iter()
                .map(|b| BoundaryBody { axis: b.axis.into(), inside_from: b.inside_from, inside_until: b.inside_until })
                .collect(),
            redundant: redundant
                .iter()
                .map(|&(after, count)| RedundantBody { after, turns: join(&moves[after..after + count]) })
                .collect(),
            merged: (merged.len() < moves.len()).then(|| join(merged)),
            shortest: ShortestBody {
                proven_from: *shortest_from,
                detour: detour.as_ref().map(|detour| DetourBody {
                    after: detour.after,
                    turn: moves.get(detour.after).filter(|_| !detour.shorter.is_empty()).map(|turn| turn.name()),
                    shorter: join(&detour.shorter),
                    shorter_length: detour.shorter.len(),
                    turns_left: moves.len() - detour.after,
                }),
                unknown_before: steps.iter().any(|step| step.shortest_from_here.is_none()),
            },
            symmetry: symmetry_of(cube).into(),
            steps: steps.iter().enumerate().map(|(number, step)| ExplainStep::new(number, step, reading)).collect(),
        }
    }
}

impl ExplainStep {
    fn new(number: usize, step: &SolutionStep, reading: &PhaseSplit) -> Self {
        let direction = reading.axis.index() + if reading.inverse { 3 } else { 0 };
        let second = number > reading.lengths[0];
        // Read on the inverse cube, the part inside the subgroup comes first and is its phase 2.
        let phase = if second == reading.inverse { 1 } else { 2 };
        Self {
            turn: step.turn.map(Move::name),
            turns_left: step.turns_left,
            facelets: input::to_facelets(&step.cube),
            phase: (number > 0).then_some(phase),
            coordinates: (&step.directions[direction]).into(),
            bounds: step.directions.iter().map(Into::into).collect(),
            lower_bound: step.lower_bound,
            exact: step.exact,
            shortest_from_here: step.shortest_from_here,
        }
    }
}
