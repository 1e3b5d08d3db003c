//! Tables over HTTP: rows, files, checks, and damage.

mod integrity;
mod raw;
mod rows;
mod verify;
