//! Request handlers, one file or folder per group of routes, and the list of these routes. Other routes are in `operations`.

pub mod clients;
pub mod health;
pub mod image;
pub mod moves;
pub mod pages;
pub mod tables;

use crate::http::operation;

operation! {
    routes {
        "/image.svg": get image::svg;
        "/image.png": get image::png;
        "/image/steps.svg": get image::steps_svg;
        "/image/steps.png": get image::steps_png;
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
        "/visualcube.php": get image::visualcube::php;
        "/visualcube.svg": get image::visualcube::svg;
        "/livez": get health::livez;
        "/readyz": get health::readyz;
        "/metrics": get health::metrics;
        "/version": get pages::version;
        "/openapi.yaml": get pages::openapi_yaml;
        "/openapi.json": get pages::openapi_json;
    }
    links {
        GET "/image.svg?cube=R%20U%20F" "A picture of a cube (also /image.png)";
        GET "/image/steps.svg?cube=R%20U%20F&solution=F'%20U'%20R'" "Pictures of the steps of a solution (also /image/steps.png)";
        GET "/tables" "The precomputed tables";
        GET "/tables/twist_move/rows/0" "A row of a table";
        GET "/tables/twist_move/raw" "The file of a table";
        POST "/tables/{name}/verify" "Check a table";
        GET "/moves" "The 18 moves";
        GET "/moves/F" "A move as four arrays, in both conventions";
        POST "/moves/check" "Check four arrays that should be a move";
        GET "/openapi.yaml" "The contract (also /openapi.json)";
        GET "/docs" "The contract as a page";
        GET "/version" "The version of the service";
        GET "/livez" "Liveness";
        GET "/readyz" "Readiness";
        GET "/metrics" "Metrics for Prometheus";
    }
    problems {}
}
