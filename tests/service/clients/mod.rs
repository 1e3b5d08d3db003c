//! Routes for clients of other programs, scrambles, pictures, and the page for browsers.

mod images;
mod routes;
mod scrambles;
mod twips;
mod web;
