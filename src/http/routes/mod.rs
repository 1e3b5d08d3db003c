//! Handlers of the routes that are no operations: tables, health, the contract and the files of the page.

pub mod health;
pub mod pages;
pub mod tables;

use crate::http::operation;

operation! {
    routes {
        "/tables": get tables::list;
        "/tables/{name}": get tables::one;
        "/tables/{name}/rows/{index}": get tables::row;
        "/tables/{name}/raw": get tables::raw::get;
        "/tables/{name}/verify": post tables::verify::post;
        "/livez": get health::livez;
        "/readyz": get health::readyz;
        "/metrics": get health::metrics;
        "/version": get pages::version;
        "/openapi.yaml": get pages::openapi_yaml;
        "/openapi.json": get pages::openapi_json;
    }
    links {
        GET "/tables" "The precomputed tables";
        GET "/tables/twist_move/rows/0" "A row of a table";
        GET "/tables/twist_move/raw" "The file of a table";
        POST "/tables/{name}/verify" "Check a table";
        GET "/openapi.yaml" "The contract (also /openapi.json)";
        GET "/docs" "The contract as a page";
        GET "/version" "The version of the service";
        GET "/livez" "Liveness";
        GET "/readyz" "Readiness";
        GET "/metrics" "Metrics for Prometheus";
    }
    problems {}
}
