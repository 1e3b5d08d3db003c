//! What the targets that go through the router have in common: a service without tables, and what every refusal must be.

use std::sync::OnceLock;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use serde_json::Value;
use superflip::http::AppState;
use superflip::http::contract::JSON;
use superflip::operations::app;
use superflip::service::config::load;
use superflip::service::tables::readiness::Readiness;
use superflip_cube::Cube;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

/// The solved cube.
const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
/// Longest text that a refusal may have, whatever it is about.
const MAX_DETAIL_BYTES: usize = 4096;

/// Paths of the contract, with values for their parameters, whose operation of this method satisfies `is_wanted`. It has no references to its
/// parameters.
pub fn paths(method: &str, is_wanted: fn(&Value) -> bool) -> Vec<String> {
    let api: Value = serde_json::from_str(&JSON).expect("a contract");
    let resolved = |operation: &Value| {
        let mut operation = operation.clone();
        for parameter in operation["parameters"].as_array_mut().into_iter().flatten() {
            if let Some(target) = parameter["$ref"].as_str().and_then(|name| api.pointer(name.trim_start_matches('#')))
            {
                *parameter = target.clone();
            }
        }
        operation
    };
    let paths = api["paths"].as_object().expect("paths").iter();
    let wanted = paths.filter(|(_, item)| item.get(method).is_some_and(|operation| is_wanted(&resolved(operation))));
    let path = |path: &String| path.replace("{cube}", SOLVED).replace("{name}", "slice").replace(['{', '}'], "");
    wanted.map(|(name, _)| path(name).replace("/value/", "/1/")).collect()
}

/// A status, and the problem document that came with it.
pub type Answer = (u16, Option<Value>);

fn service() -> &'static (Runtime, Router) {
    static SERVICE: OnceLock<(Runtime, Router)> = OnceLock::new();
    SERVICE.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let router = runtime.block_on(async {
            let config = load::load(None, [], &[]).expect("the defaults are valid");
            app(AppState::new(config, Readiness::starting()))
        });
        (runtime, router)
    })
}

/// Sends a request to a service whose tables are not there, so that what is read without fault is answered 503, and checks
/// that every refusal is a problem document which says what is wrong.
pub fn ask(request: Request<Body>) -> Answer {
    let (runtime, router) = service();
    let (status, content_type, body) = runtime.block_on(async {
        let response = router.clone().oneshot(request).await.expect("infallible");
        let content_type = response.headers().get("content-type").map(|value| value.as_bytes().to_vec());
        let status = response.status().as_u16();
        (status, content_type, response.into_body().collect().await.expect("a body").to_bytes())
    });
    if status == 200 {
        return (status, None);
    }
    assert!((400..500).contains(&status) || status == 503, "{status}: {body:?}");
    assert_eq!(content_type.as_deref(), Some(&b"application/problem+json"[..]));
    let document: Value = serde_json::from_slice(&body).expect("a document");
    let (code, detail) = (document["code"].as_str().expect("a code"), document["detail"].as_str().expect("a detail"));
    assert_eq!(document["status"], status);
    assert!(!detail.is_empty() && detail.len() <= MAX_DETAIL_BYTES, "{} bytes: {detail}", detail.len());
    assert!(status != 503 || matches!(code, "tables_not_ready" | "metric_not_ready"), "{document}");
    (status, Some(document))
}

/// What must not depend on how a request is written: all but the request id and the place of the fault.
pub fn sense((status, document): Answer) -> Option<(u16, Value, Value, Value)> {
    document.map(|document| {
        let [code, field, violations] = ["code", "field", "violations"].map(|member| document[member].clone());
        (status, code, field, violations)
    })
}

/// Checks that a cube is the same through every form.
pub fn is_the_same_through_every_form(cube: &Cube) {
    assert_eq!(Cube::from_facelets(&cube.to_string()).as_ref(), Ok(cube));
    let numbers = |pieces: &[u8]| pieces.iter().map(|&piece| u32::from(piece)).collect::<Vec<_>>();
    let (cp, ep) = (cube.corners().map(|piece| piece.index() as u8), cube.edges().map(|piece| piece.index() as u8));
    let again = Cube::from_cubies(&numbers(&cp), &numbers(cube.twists()), &numbers(&ep), &numbers(cube.flips()));
    assert_eq!(again.as_ref(), Ok(cube));
}
