//! What clients send: the forms of a cube, scans, and malformed requests.

mod bad_input;
mod checker;
mod colours;
mod forms;
mod links;
mod refusals;
mod scan_faces;
mod scans;
