//! Scans: fields of requests, and the response of `/repair`.

mod answer;
mod colors;

pub use answer::*;
pub use colors::*;
