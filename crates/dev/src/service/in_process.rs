//! The service in this process: its state, requests in memory, a server on a socket, and what its JSON answers hold.

use std::borrow::Borrow;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use superflip::http::AppState;
use superflip::http::connection::serve;
use superflip::operations::app;
use superflip::service::config::Config;
use superflip::service::config::load;
use superflip::service::pool::{Deadline, Lane, Priority};
use superflip::service::tables::readiness::Readiness;
use superflip_solver::Control;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

pub const SUPERFLIP: &str = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB";
/// After `R U R' U'`.
pub const SEXY: &str = "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB";

pub use super::stickers::SOLVED;
pub use super::{small_tables, tables};

/// The default configuration.
pub fn config() -> Config {
    load::load(None, [], &[]).expect("the defaults are valid")
}

/// The default configuration with changes.
pub fn config_with(change: impl FnOnce(&mut Config)) -> Config {
    let mut config = config();
    change(&mut config);
    config
}

pub fn state(config: Config, readiness: Readiness) -> AppState {
    AppState::new(config, readiness)
}

/// A state with the tables of the profile `tiny`, for tests that need only some solution.
pub fn ready_state(config: Config) -> AppState {
    state(config, Readiness::ready(tables()))
}

/// A state with the small tables, which are files.
pub fn small_state(config: Config) -> AppState {
    state(config, Readiness::ready(small_tables()))
}

/// A state with the tables of the standard profile.
pub fn standard() -> AppState {
    state(config(), Readiness::ready(Arc::clone(&super::STANDARD)))
}

// The tests share these three services: each has seventy threads, which take longer to start than most requests take.
static READY: LazyLock<Router> = LazyLock::new(|| app(ready_state(config())));
static SMALL_SERVICE: LazyLock<Router> = LazyLock::new(|| app(small_state(config())));
static STARTING: LazyLock<Router> = LazyLock::new(|| app(state(config(), Readiness::starting())));

/// A service with the tables of the profile `tiny` and the default configuration.
pub fn ready() -> Router {
    READY.clone()
}

/// A service with the small tables and the default configuration.
pub fn small() -> Router {
    SMALL_SERVICE.clone()
}

/// A service whose tables are not loaded yet.
pub fn starting() -> Router {
    STARTING.clone()
}

/// A whole answer.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("ASCII"))
    }

    /// Checks the members that all problem documents share, and returns the document.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        let document = self.json();
        assert_eq!((self.status.as_u16(), document["code"].as_str()), (status, Some(code)), "{document}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(document["status"], status);
        assert_eq!(document["type"], format!("urn:superflip:problem:{code}"));
        assert_eq!(document["request_id"], self.header("x-request-id"));
        assert!(!self.header("x-request-id").is_empty());
        for member in ["title", "detail"] {
            assert!(document[member].as_str().is_some_and(|text| !text.is_empty()), "{member}: {document}");
        }
        if status == 503 && !code.ends_with("_failed") {
            let seconds: u64 = self.header("retry-after").parse().expect("Retry-After in seconds");
            assert!(seconds >= 1);
            assert_eq!(document["retry_after_s"], seconds);
        }
        document
    }

    /// Checks a problem document whose detail contains all parts, and returns it.
    #[track_caller]
    pub fn problem_with(&self, status: u16, code: &str, parts: &[&str]) -> Value {
        let document = self.problem(status, code);
        let detail = document["detail"].as_str().expect("a text");
        assert!(parts.iter().all(|part| detail.contains(part)), "{parts:?}: {detail}");
        document
    }

    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/json");
        self.json()
    }
}

pub async fn send(router: impl Borrow<Router>, request: Request<Body>) -> Answer {
    let response = router.borrow().clone().oneshot(request).await.expect("infallible");
    let (head, body) = response.into_parts();
    let body = body.collect().await.expect("a body").to_bytes().to_vec();
    Answer { status: head.status, headers: head.headers, body }
}

/// A request without a body.
pub fn request(method: &Method, uri: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let request = Request::builder().method(method).uri(uri);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    request.body(Body::empty()).expect("a request")
}

pub async fn get(router: impl Borrow<Router>, uri: &str) -> Answer {
    get_with(router, uri, &[]).await
}

pub async fn get_with(router: impl Borrow<Router>, uri: &str, headers: &[(&str, &str)]) -> Answer {
    send(router, request(&Method::GET, uri, headers)).await
}

/// A request with a body of a media type.
pub fn post_request(uri: &str, media_type: &str, body: impl Into<Body>) -> Request<Body> {
    Request::post(uri).header(header::CONTENT_TYPE, media_type).body(body.into()).expect("a request")
}

pub fn json_request(uri: &str, body: impl Into<Body>) -> Request<Body> {
    post_request(uri, "application/json", body)
}

pub fn batch_request(uri: &str, lines: impl Into<Body>) -> Request<Body> {
    post_request(uri, "application/x-ndjson", lines)
}

/// Sends a batch, and returns its answers.
pub async fn batch(router: impl Borrow<Router>, uri: &str, lines: impl Into<Body>) -> Vec<Value> {
    lines_of(&send(router, batch_request(uri, lines)).await)
}

/// The answers of a batch.
pub fn lines_of(answer: &Answer) -> Vec<Value> {
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/x-ndjson"));
    assert_eq!(answer.header("content-encoding"), "");
    let text = answer.text();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The events of a whole stream with their names, without comments.
pub fn events(answer: &Answer) -> Vec<(&str, Value)> {
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "text/event-stream"));
    let blocks = answer.text().split_terminator("\n\n").filter(|block| !block.starts_with(':'));
    let events = blocks.map(|block| {
        let (name, data) = block.split_once("\ndata: ").expect("a name and data");
        (name.strip_prefix("event: ").expect("a name"), serde_json::from_str(data).expect("JSON"))
    });
    events.collect()
}

/// What can be the body of a request.
pub trait IntoBody {
    fn into_body(self) -> Body;
}

impl IntoBody for Value {
    fn into_body(self) -> Body {
        self.to_string().into()
    }
}

impl IntoBody for &Value {
    fn into_body(self) -> Body {
        self.to_string().into()
    }
}

macro_rules! into_body {
    ($($kind:ty),*) => {$(impl IntoBody for $kind {
        fn into_body(self) -> Body {
            self.into()
        }
    })*};
}

into_body!(&'static str, String, Body);

pub async fn post(router: impl Borrow<Router>, uri: &str, body: impl IntoBody) -> Answer {
    send(router, json_request(uri, body.into_body())).await
}

/// The arrays of cubies in their places, with this twist of the first corner and these flips of the first and the other edges.
pub fn cubies(twist: u8, flip: u8, flips: u8) -> Value {
    let (mut co, mut eo) = ([0; 8], [flips; 12]);
    (co[0], eo[0]) = (twist, flip);
    json!({"cp": [0, 1, 2, 3, 4, 5, 6, 7], "co": co, "ep": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "eo": eo})
}

/// Checks that an answer solves the cube, and that its moves and length are those of
/// the solution. Returns the length.
#[track_caller]
pub fn assert_solves(facelets: &str, body: &Value) -> usize {
    let solution = body["solution"].text();
    assert!(super::stickers::solves(facelets, solution), "{body}");
    let moves: Vec<&str> = solution.split_whitespace().collect();
    assert_eq!((&body["length"], &body["moves"]), (&json!(moves.len()), &json!(moves)), "{body}");
    moves.len()
}

/// Checks the ranges of a file that is served here, and the head of its answer.
pub async fn assert_ranges(router: &Router, uri: &str, file: &[u8]) {
    let end = file.len();
    let ask = async |range: &str| get_with(router, uri, &[("range", range), ("accept-encoding", "gzip")]).await;
    let whole = get(router, uri).await;
    for (range, from, to) in [
        ("bytes=0-0", 0, 1),
        ("bytes=4090-4200", 4090, 4201),
        ("bytes=4096-4131", 4096, 4132),
        ("bytes=4096-", 4096, end),
        ("bytes=-10", end - 10, end),
        ("bytes=100-99999999", 100, end),
    ] {
        let answer = ask(range).await;
        assert_eq!((answer.status.as_u16(), answer.header("etag")), (206, whole.header("etag")), "{uri} {range}");
        assert!(answer.body == file[from..to], "{uri} {range}");
        assert_eq!(answer.header("content-range"), format!("bytes {from}-{}/{end}", to - 1));
    }
    let beyond = ask(&format!("bytes={end}-")).await;
    beyond.problem(416, "range_not_satisfiable");
    assert_eq!(beyond.header("content-range"), format!("bytes */{end}"));
    // An unknown unit and several ranges are ignored, and a suffix longer than the file is the file.
    for range in ["rows=0-1", "bytes=0-1,5-6", "bytes=-99999999", "bytes=-99999999999999999999999"] {
        let answer = ask(range).await;
        assert!(answer.status == 200 && answer.body == file, "{uri} {range}");
    }
    let head = send(router, request(&Method::HEAD, uri, &[("range", "bytes=0-9")])).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0), "{uri}");
    assert_eq!(head.header("content-length"), end.to_string());
    assert!(head.header("etag").starts_with('"'), "strong");
}

/// The value of a series of the metrics, which must be there.
pub async fn metric(router: impl Borrow<Router>, series: &str) -> f64 {
    let answer = get(router, "/metrics").await;
    let value = answer.text().lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("no {series}: {}", answer.text())).parse().expect("a number")
}

/// A server on its own port.
pub struct Server {
    pub address: SocketAddr,
    pub state: AppState,
    pub stop: CancellationToken,
    pub task: JoinHandle<std::io::Result<()>>,
}

impl Server {
    /// Starts one with the tables of the profile `tiny` and this change of the configuration; also returns its state.
    pub async fn ready(change: impl FnOnce(&mut Config)) -> (Self, AppState) {
        let state = ready_state(config_with(change));
        (Self::start(state.clone()).await, state)
    }

    /// Starts one without tables.
    pub async fn starting(change: impl FnOnce(&mut Config)) -> Self {
        Self::start(state(config_with(change), Readiness::starting())).await
    }

    pub async fn start(state: AppState) -> Self {
        Self::start_with(state, Router::new()).await
    }

    /// Starts it with additional routes.
    pub async fn start_with(state: AppState, more: Router) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let stop = CancellationToken::new();
        let router = app(state.clone()).merge(more);
        let task = tokio::spawn(serve(listener, router, state.clone(), stop.clone().cancelled_owned()));
        Self { address, state, stop, task }
    }

    pub async fn stopped(self) {
        self.stop.cancel();
        self.task.await.expect("no panic").expect("no I/O error");
    }
}

/// A job that holds its thread until it is stopped.
pub fn until_stopped(control: &Control) {
    while !control.is_cancelled() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Starts jobs that hold threads of a lane until they are dropped, and waits until so many run.
pub async fn hold(state: &AppState, lane: fn(&AppState) -> &Lane, jobs: usize, running: usize) -> JoinSet<()> {
    let mut held = JoinSet::new();
    for _ in 0..jobs {
        let state = state.clone();
        held.spawn(async move {
            let deadline = Deadline::StartBy(Instant::now() + Duration::from_mins(1));
            let _ = lane(&state).run(deadline, until_stopped).await;
        });
    }
    eventually("the threads are held", || lane(state).in_flight() == running).await;
    held
}

/// A lane that belongs to no service.
pub fn lane(threads: usize, queue_length: usize) -> Lane {
    Lane::new("quick", Priority::Normal, threads, queue_length, Arc::default())
}

/// Waits for a condition, and fails after 20 seconds.
pub async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "never: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// A JSON value of the kind that is asked for; any other kind fails the test with the value.
pub trait Document {
    fn text(&self) -> &str;
    fn number(&self) -> u64;
    fn list(&self) -> &Vec<Value>;
    fn members(&self) -> &Map<String, Value>;
}

impl Document for Value {
    #[track_caller]
    fn text(&self) -> &str {
        self.as_str().unwrap_or_else(|| panic!("no text: {self}"))
    }

    #[track_caller]
    fn number(&self) -> u64 {
        self.as_u64().unwrap_or_else(|| panic!("no number: {self}"))
    }

    #[track_caller]
    fn list(&self) -> &Vec<Value> {
        self.as_array().unwrap_or_else(|| panic!("no list: {self}"))
    }

    #[track_caller]
    fn members(&self) -> &Map<String, Value> {
        self.as_object().unwrap_or_else(|| panic!("no object: {self}"))
    }
}

/// Checks that an object has these members with these values.
#[track_caller]
pub fn assert_has(object: &Value, members: &Value) {
    for (name, value) in members.as_object().expect("an object") {
        assert_eq!(&object[name], value, "{name}: {object}");
    }
}

/// A list of a document.
#[track_caller]
pub fn list_of<T: DeserializeOwned>(value: &Value) -> Vec<T> {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}
