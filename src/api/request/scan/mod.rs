//! Cubes from scans: colours, unknown stickers, and faces in unknown rotations or order.

pub(crate) mod arrangement;
pub(crate) mod colors;
pub(crate) mod faces;
pub(crate) mod stickers;
