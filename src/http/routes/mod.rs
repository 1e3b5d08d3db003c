//! The request handlers, one file or folder per group of routes, and the list of all routes.

pub mod clients;
pub mod coords;
pub mod cubes;
pub mod health;
pub mod image;
pub mod moves;
pub mod pages;
pub mod scramble;
pub mod solve;
pub mod steps;
pub mod tables;

use axum::routing::MethodRouter;

use crate::api::types::Link;
use crate::http::AppState;

/// Declares the routes of the API: the path, and a handler for each method. `or` is a handler for all other methods, which the contract
/// does not contain.
macro_rules! routes {
    ($($path:literal: $($method:ident $($handler:ident)::+),+ $(; or $other:path)?;)+) => {
        /// Every route of the API: its path, and a handler for each of its methods.
        pub fn all() -> Vec<(&'static str, MethodRouter<AppState>)> {
            vec![$(($path, MethodRouter::new()$(.$method($($handler)::+))+$(.fallback($other))?)),+]
        }

        /// The same routes in the contract.
        #[cfg(feature = "contract")]
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($($($($handler)::+),+),+))]
        pub(crate) struct Documented;
    };
}

routes! {
    "/solve": post solve::post, get solve::get;
    "/solve/stream": post solve::stream::post, get solve::stream::get;
    "/solve/batch": post solve::batch::post;
    "/solve/{cube}": get solve::get_path;
    "/explain": post solve::explain::post, get solve::explain::get;
    "/check-solution": post solve::check::post;
    "/diagnose": post solve::diagnose::post;
    "/steps": post steps::post, get steps::get;
    "/steps/stream": post steps::post_stream, get steps::get_stream;
    "/convert": post cubes::convert, get cubes::convert_query;
    "/repair": post cubes::repair, get cubes::repair_query;
    "/scramble": get scramble::get;
    "/image.svg": get image::svg;
    "/image.png": get image::png;
    "/image/steps.svg": get image::steps_svg;
    "/image/steps.png": get image::steps_png;
    "/coords": post coords::post, get coords::get;
    "/coords/{name}": get coords::spaces::one;
    "/coords/{name}/raw": get coords::raw::get;
    "/coords/{name}/{value}": get coords::spaces::value;
    "/coords/{name}/{value}/apply": get coords::spaces::apply;
    "/coords/{name}/{value}/transform": get coords::spaces::transform;
    "/symmetries": get coords::spaces::symmetries;
    "/symmetries/{i}/{j}": get coords::spaces::symmetry_product;
    "/tables": get tables::list;
    "/tables/{name}": get tables::one;
    "/tables/{name}/rows/{index}": get tables::row;
    "/tables/{name}/raw": get tables::raw::get;
    "/tables/{name}/verify": post tables::verify::post;
    "/moves": get moves::list;
    "/moves/{move}": get moves::get;
    "/moves/check": post moves::check;
    "/{facelets}": get clients::kociemba::get; or clients::kociemba::other_method;
    "/v0/solve/pattern": post clients::twips::post;
    "/api/v0/puzzles": get clients::tnoodle::puzzles;
    "/api/v0/scramble/{key}": get clients::tnoodle::list;
    "/api/v0/scramble/{key}/raw": get clients::tnoodle::lines;
    "/api/v0/view/{key}/{format}": get clients::tnoodle::net;
    "/visualcube.php": get image::visualcube::php;
    "/visualcube.svg": get image::visualcube::svg;
    "/livez": get health::livez;
    "/readyz": get health::readyz;
    "/metrics": get health::metrics;
    "/version": get pages::version;
    "/openapi.yaml": get pages::openapi_yaml;
    "/openapi.json": get pages::openapi_json;
    "/": get pages::index;
}

/// The links of the index, with an example for each route.
pub(crate) const LINKS: &[Link] = &[
    Link { method: "POST", href: "/solve", title: "Solve a cube" },
    Link { method: "GET", href: "/solve?scramble=R%20U%20R'%20U'", title: "Solve a scramble" },
    Link {
        method: "GET",
        href: "/solve/UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB",
        title: "Solve facelets",
    },
    Link { method: "POST", href: "/solve/stream", title: "Solve a cube, with progress events" },
    Link { method: "POST", href: "/solve/batch", title: "Solve many cubes, one per line" },
    Link { method: "POST", href: "/explain", title: "Explain a solution, move by move" },
    Link { method: "GET", href: "/explain?scramble=R%20U%20F", title: "Solve a scramble and explain the solution" },
    Link { method: "POST", href: "/check-solution", title: "Check a written solution of fewest moves" },
    Link { method: "POST", href: "/diagnose", title: "Find which moves went wrong" },
    Link { method: "POST", href: "/steps", title: "Solve a cube in steps" },
    Link { method: "GET", href: "/steps", title: "The goals of steps" },
    Link { method: "POST", href: "/steps/stream", title: "Solve a cube in steps, with each better solution" },
    Link { method: "GET", href: "/convert?cube=R%20U%20F", title: "A cube in every form" },
    Link { method: "POST", href: "/repair", title: "The legal cubes nearest to a scan with errors" },
    Link { method: "GET", href: "/scramble", title: "A random-state scramble" },
    Link { method: "GET", href: "/image.svg?cube=R%20U%20F", title: "A picture of a cube (also /image.png)" },
    Link {
        method: "GET",
        href: "/image/steps.svg?cube=R%20U%20F&solution=F'%20U'%20R'",
        title: "Pictures of the steps of a solution (also /image/steps.png)",
    },
    Link { method: "GET", href: "/coords", title: "Catalogue of coordinates" },
    Link { method: "GET", href: "/coords/twist/1236", title: "One value of a coordinate" },
    Link { method: "GET", href: "/coords/twist/1236/apply?moves=R%20U", title: "Apply moves to a value" },
    Link { method: "GET", href: "/symmetries", title: "The 48 symmetries, their groups and their products" },
    Link { method: "GET", href: "/symmetries/16/2", title: "The product of two symmetries" },
    Link { method: "POST", href: "/coords", title: "The coordinates of a cube" },
    Link { method: "GET", href: "/coords?scramble=F", title: "The coordinates of one move" },
    Link { method: "GET", href: "/tables", title: "The precomputed tables" },
    Link { method: "GET", href: "/tables/twist_move/rows/0", title: "A row of a table" },
    Link { method: "GET", href: "/tables/twist_move/raw", title: "The file of a table" },
    Link { method: "POST", href: "/tables/{name}/verify", title: "Check a table" },
    Link { method: "GET", href: "/moves", title: "The 18 moves" },
    Link { method: "GET", href: "/moves/F", title: "A move as four arrays, in both conventions" },
    Link { method: "POST", href: "/moves/check", title: "Check four arrays that should be a move" },
    Link { method: "GET", href: "/openapi.yaml", title: "The contract (also /openapi.json)" },
    Link { method: "GET", href: "/docs", title: "The contract as a page" },
    Link { method: "GET", href: "/version", title: "The version of the service" },
    Link { method: "GET", href: "/livez", title: "Liveness" },
    Link { method: "GET", href: "/readyz", title: "Readiness" },
    Link { method: "GET", href: "/metrics", title: "Metrics for Prometheus" },
];
