//! Problems: error responses, with their stable codes.

mod causes;
mod codes;
mod coordinates;
mod document;
mod machines;
mod readings;
mod repairs;
mod tables;
mod violation;

pub use codes::Code;
pub use document::{Document, Problem};
pub use machines::FaultBody;
pub use readings::{Candidate, CubeReading};
pub use repairs::{ActionKind, Physical, PhysicalAction, PhysicalWay, Repair, Repairs};
