//! The HTTP layer: routes, connections, middleware and the contract; and the macro `operation`, which adds an operation to them.
//!
//! `operations::app` builds the router of the whole service, which tests call in memory. [`connection`] serves it on sockets.
//! Handlers are thin: `extract` and `api` parse the request, and `service` solves it.

pub mod connection;
pub mod contract;
pub(crate) mod download;
pub(crate) mod events;
pub(crate) mod extract;
pub(crate) mod json;
pub mod middleware;
mod read_cube;
pub(crate) mod routes;
mod state;
mod static_file;

pub use self::state::{AppState, StateParts};

/// Declares the entry of an operation, or of several that belong together.
///
/// `routes` has the paths, with a handler for each method; `or` is a handler for all other methods, which the contract does not contain.
/// `links` has examples for the index. `problems` has sets of problems for the handlers: names of common sets in
/// [`problems`](crate::http::contract), then the codes of its own.
macro_rules! operation {
    (
        routes { $($path:literal: $($method:ident $($handler:ident)::+),+ $(; or $other:path)?;)+ }
        links { $($verb:ident $href:literal $title:literal;)* }
        problems { $($(#[$doc:meta])* $problems:ident: $($set:ident)* [$($code:ident)*];)* }
    ) => {
        /// The paths of the operation, and a handler for each of their methods.
        pub(crate) fn routes() -> Vec<(&'static str, axum::routing::MethodRouter<$crate::http::AppState>)> {
            use axum::routing::MethodRouter;
            vec![$(($path, MethodRouter::new()$(.$method($($handler)::+))+$(.fallback($other))?)),+]
        }

        /// Its links in the index.
        pub(crate) const LINKS: &[$crate::api::types::Link] =
            &[$($crate::api::types::Link { method: stringify!($verb), href: $href, title: $title }),*];

        /// Its part of the contract.
        #[cfg(feature = "contract")]
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($($($($handler)::+),+),+))]
        pub(crate) struct Contract;

        $(
            $(#[$doc])*
            #[cfg(feature = "contract")]
            pub(crate) struct $problems;

            #[cfg(feature = "contract")]
            impl utoipa::IntoResponses for $problems {
                fn responses() -> $crate::http::contract::Responses {
                    $crate::http::contract::responses(&[
                        $(&$crate::http::contract::$set,)*
                        &[$($crate::api::problem::Code::$code),*],
                    ])
                }
            }
        )*
    };
}

pub(crate) use operation;
