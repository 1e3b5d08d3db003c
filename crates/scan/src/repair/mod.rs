//! Scans that contain errors: the nearest legal cubes, completions, physical repairs, and unknown holdings of faces.
//!
//! | task | function |
//! | --- | --- |
//! | stickers are wrong or unknown: the legal cubes that change the fewest | [`nearest()`] |
//! | stickers are unknown: the number of legal cubes, and the only one | [`completions`] |
//! | the pieces are assembled wrongly: what to twist, flip or exchange | [`reassemble`] |
//! | the faces were scanned in unknown rotations or order | [`read_faces`] |
//! | one face was scanned in another rotation | [`turned_faces`] |
//! | a centre was misread | [`misread_centres`] |
//! | any cost for each placement of a piece: all legal cubes by cost | [`Ranking`] |
//!
//! Legal means that moves can reach the cube: the permutations of corners and edges have the same parity, the twists add
//! up to a multiple of 3, the flips to an even number.

pub(crate) mod edge_table;
pub(crate) mod faces;
mod nearest;
mod physical;
pub(crate) mod ranking;
pub(crate) mod scheme;
pub(crate) mod table;
mod turned;
pub(crate) mod weights;

pub use faces::{FaceReading, FaceReadings, Scanned, read_faces};
pub use nearest::{Completions, MAX_REPAIRS, Repair, Repairs, completions, count, nearest};
pub use physical::{Action, Reassembly, Way, reassemble};
pub use ranking::{Ranked, Ranking};
pub use superflip_cube::Stickers;
pub use turned::{TurnedFace, misread_centres, turned_faces};
pub use weights::Costs;
