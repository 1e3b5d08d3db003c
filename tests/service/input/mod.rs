//! What clients send: the forms of a cube, scans, and malformed requests.

mod bad_input;
mod forms;
mod scan_faces;
mod scans;
