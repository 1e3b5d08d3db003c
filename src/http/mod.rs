//! The HTTP layer: routes, connections, middleware and the contract.
//!
//! [`app`] builds the whole service as a router that tests call in memory. [`connection::server`] serves it on sockets. Handlers are
//! thin: [`extract`] and `api` parse the request, `service` solves it, and `api` defines the answer or the problem.

pub mod connection;
pub mod contract;
mod download;
mod events;
pub mod extract;
mod json;
pub mod middleware;
mod read_cube;
pub mod routes;
mod state;
mod static_file;

use axum::Router;

pub use self::state::{AppState, StateParts};

/// Builds the router of the whole service.
pub fn app(state: AppState) -> Router {
    let routes = routes::all().into_iter().chain(routes::pages::web::all());
    let router = routes.fold(Router::new(), |router, (path, methods)| router.route(path, methods));
    let router = router
        .fallback(routes::pages::unknown::not_found)
        .method_not_allowed_fallback(routes::pages::unknown::method_not_allowed);
    middleware::around(router, &state).with_state(state)
}
