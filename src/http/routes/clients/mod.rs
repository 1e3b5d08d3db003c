//! The routes of other programs, for their clients. Parsing and texts are in [`clients`](crate::api::request::clients).

pub mod kociemba;
pub mod twips;
