//! `/`: the index of the service.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::links;
use crate::api::problem::Problem;
use crate::api::types::Link;
use crate::contract::{self, ToSchema};
use crate::http::extract::prefers;
use crate::http::json::Json;
use crate::http::routes::pages;
use crate::http::{AppState, operation};
use crate::service::VERSION;

/// Index of the service.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ServiceIndex {
    /// Name of the service.
    pub name: &'static str,
    /// Version of the service.
    pub version: &'static str,
    /// Links to the routes.
    pub links: Vec<Link>,
}

/// List the routes
///
/// Returns JSON. If `Accept` prefers `text/html`, as browsers do, returns the page of this service instead. `/docs` shows this contract
/// in a browser.
#[contract::path(get, path = "/", tag = "operation", operation_id = "index",
    responses((status = 200, description = "Links to the routes, or the page", content((ServiceIndex = "application/json"),
        (String = "text/html"))), Problems))]
pub(crate) async fn get(State(state): State<AppState>, headers: HeaderMap, uri: Uri) -> Result<Response, Problem> {
    let mut response = if prefers(&headers, "text/html") {
        pages::page(&state, &headers, uri).await?
    } else {
        Json(ServiceIndex { name: "superflip", version: VERSION, links: links() }).into_response()
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

operation! {
    routes {
        "/": get get;
    }
    links {}
    problems {
        /// Problems of `GET /`.
        Problems: [];
    }
}
