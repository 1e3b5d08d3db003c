//! The request handlers, one file per group of routes.

pub mod batch;
pub mod coords;
pub mod explain;
pub mod health;
pub mod moves;
pub mod pages;
pub mod solve;
pub mod space_raw;
pub mod spaces;
pub mod stream;
pub mod tables;
