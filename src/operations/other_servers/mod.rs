//! Operations that answer as other servers do, for the clients of those servers.

pub(crate) mod kociemba;
pub(crate) mod tnoodle;
pub mod twips;
