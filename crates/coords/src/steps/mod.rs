//! Solving in steps, as people do: edge orientation, domino reduction, half-turn reduction, blocks, layers.
//!
//! | module | contents |
//! | --- | --- |
//! | `goal` | [`Goal`]: a named goal, or a coordinate that the caller composes |
//! | [`catalogue`] | the named goals, one entry each |
//! | `goal::digit`, `target`, `teaching` | small coordinates, and tables of the distances of their products |
//! | `goal::corners`, `solver_tables` | distances of all corners, reduced by symmetry; distances of the solver's tables |
//! | `goal::frame` | the images of a goal under rotations of the cube |
//! | `step` | [`Step`]: every solution of one step, shortest first |
//! | `chain` | [`Chain`]: several steps, searched together for the shortest total |
//! | `grammar` | [`Chain::parse`]: chains as text |
//! | `state` | [`CubeState`]: names what a cube has reached |
//! | `unreached` | [`Unreached`]: the step of a chain that found nothing |
//! | `walk` | iterative deepening in one frame, on one or both sides |
//!
//! A goal is a set of cubes, described by coordinates. A breadth-first search from the goal gives the distances. Moves may be
//! made on the cube (*normal*) and on its inverse; see [`Cube::after_on_inverse`](superflip_cube::Cube::after_on_inverse).
//! The first search for a goal builds its tables, within its time; if it ends before, the next one continues. They stay in memory.

mod answer;
mod chain;
mod error;
mod goal;
mod grammar;
mod move_set;
mod sides;
mod state;
mod step;
mod unreached;
mod walk;

pub use answer::{ChainSolution, StepAnswer};
pub use chain::{BYTES_PER_WIDTH, Chain, ChainSolutions, FIRST_WIDTH, LAST_WIDTH};
pub use error::StepError;
pub use goal::Goal;
pub use goal::catalogue::{self, Needs};
pub use move_set::MoveSet;
pub use sides::{Side, SideMoves};
pub use state::{AxisState, CubeState};
pub use step::{MAX_COUNT, MAX_LENGTH, Step, StepSolution, StepSolutions};
pub use unreached::{Unreached, UnreachedReason};
