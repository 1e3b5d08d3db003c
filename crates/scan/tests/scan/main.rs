//! Tests of scans: misread, unknown and wrongly held stickers, and the colours of a camera.

mod common;

mod orders;
mod repair;
mod repair_faces;
mod scan;
