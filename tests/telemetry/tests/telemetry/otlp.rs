//! Spans that leave the program, as a collector sees them.

use axum::extract::State;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;

use crate::common::prelude::*;
use crate::common::wire::blocking::{ask, fetch};
use crate::common::wire::{get, post as request, with};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";
const ENDPOINT: &str = "SUPERFLIP_TELEMETRY__OTLP_ENDPOINT";

/// What came in: spans, and the names of the services that sent them.
#[derive(Clone, Default)]
struct Received(Arc<Mutex<(Vec<Span>, Vec<String>)>>);

impl Received {
    fn spans(&self) -> Vec<Span> {
        self.0.lock().unwrap().0.clone()
    }
}

async fn take(State(received): State<Received>, headers: HeaderMap, body: Bytes) -> StatusCode {
    assert_eq!(headers["content-type"], "application/x-protobuf");
    let request = ExportTraceServiceRequest::decode(body).unwrap();
    let mut received = received.0.lock().unwrap();
    for of_resource in request.resource_spans {
        let resource = attributes(&of_resource.resource.unwrap().attributes);
        received.1.push(resource["service.name"].clone());
        received.0.extend(of_resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
    }
    StatusCode::OK
}

/// The service with spans, with these variables.
fn serve(environment: &[(&str, &str)]) -> Program {
    OTHER_BINARY.get_or_init(|| env!("CARGO_BIN_EXE_superflip-otlp"));
    Program::serve(&[], environment)
}

/// A collector on a port of its own.
async fn collector() -> (SocketAddr, Received) {
    let received = Received::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = axum::Router::new().route("/v1/traces", post(take)).with_state(received.clone());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (address, received)
}

fn attributes(list: &[opentelemetry_proto::tonic::common::v1::KeyValue]) -> HashMap<String, String> {
    let pairs = list.iter().map(|pair| {
        let text = match pair.value.as_ref().and_then(|value| value.value.as_ref()) {
            Some(Value::StringValue(text)) => text.clone(),
            Some(Value::IntValue(number)) => number.to_string(),
            other => format!("{other:?}"),
        };
        (pair.key.clone(), text)
    });
    pairs.collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Runs what blocks beside the collector.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

fn named<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let names: Vec<_> = spans.iter().map(|span| &span.name).collect();
    spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("no {name} in {names:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_reach_the_collector_in_the_trace_of_the_caller() {
    let (address, received) = collector().await;
    let logged = beside(move || {
        let endpoint = format!("http://{address}");
        let program = serve(&[(ENDPOINT, &endpoint), ("OTEL_BSP_SCHEDULE_DELAY", "3600000")]);
        let body = json!({"facelets": SUPERFLIP, "target_length": 22, "time_limit_ms": 30_000}).to_string();
        let parent = format!("traceparent: 00-{TRACE}-{CALLER}-01\r\ntracestate: vendor=1\r\nx-request-id: one");
        assert_eq!(ask(program.address(), &with(&request("/solve", "application/json", &body), &parent)).status, 200);
        ask(program.address(), &with(&get("/livez"), "x-request-id: two"));
        // The timer of the batches is far away: what comes is sent by the shutdown.
        program.stopped()
    })
    .await;
    let spans = received.spans();
    let request = named(&spans, "POST /solve");
    assert_eq!((hex(&request.trace_id).as_str(), hex(&request.parent_span_id).as_str()), (TRACE, CALLER));
    assert_eq!((request.kind, request.trace_state.as_str()), (2, "vendor=1"), "the kind of a server");
    let told = attributes(&request.attributes);
    for (key, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/solve"),
        ("http.response.status_code", "200"),
        ("request_id", "one"),
    ] {
        assert_eq!(told.get(key).map(String::as_str), Some(value), "{key}: {told:?}");
    }
    // A search that is too long for the task of the request, or for the quick lane of a busy machine, runs again with spans of its own.
    let within = |name: &str| {
        let all = spans.iter().filter(|span| span.name == name && span.parent_span_id == request.span_id);
        all.max_by_key(|span| span.start_time_unix_nano).unwrap_or_else(|| panic!("no {name} within the request"))
    };
    let (queue, search) = (within("queue"), within("search"));
    assert!(matches!(attributes(&queue.attributes)["lane"].as_str(), "quick" | "long"));
    let told = attributes(&search.attributes);
    let length: u32 = told["length"].parse().unwrap();
    assert!((20..=22).contains(&length) && told["nodes"].parse::<u64>().unwrap() > 0, "{told:?}");
    assert_eq!((told["profile"].as_str(), told["engine"].as_str()), ("tiny", "two_phase"));
    assert_eq!(told["outcome"], "target_length");
    assert!(request.start_time_unix_nano <= queue.start_time_unix_nano);
    assert!(queue.end_time_unix_nano <= search.start_time_unix_nano);
    assert!(search.end_time_unix_nano <= request.end_time_unix_nano);
    // A trace that begins here has one id, in the log and at the collector.
    let livez = spans.iter().find(|span| attributes(&span.attributes).get("request_id").is_some_and(|id| id == "two"));
    let livez = livez.expect("sent by the shutdown");
    let line = logged.iter().find(|line| line["message"] == "request" && line["request_id"] == "two").unwrap();
    assert_eq!(line["trace_id"], hex(&livez.trace_id));
    assert!(livez.parent_span_id.is_empty() && hex(&livez.trace_id) != TRACE);
    assert!(received.0.lock().unwrap().1.iter().all(|service| service == "superflip"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_standard_variable_names_the_collector_too() {
    let (address, received) = collector().await;
    let base = format!("http://{address}");
    beside(move || {
        let program = serve(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &base), ("OTEL_BSP_SCHEDULE_DELAY", "50")]);
        fetch(program.address(), "/livez");
        // A caller that did not record its trace does not want this part of it either.
        ask(program.address(), &with(&get("/coords"), &format!("traceparent: 00-{TRACE}-{CALLER}-00")));
        program.stopped()
    })
    .await;
    let spans = received.spans();
    named(&spans, "GET /livez");
    assert!(spans.iter().all(|span| hex(&span.trace_id) != TRACE));
}

/// Something that operators are told; requests before the service is ready have warnings of their own.
fn is_warning(line: &serde_json::Value) -> bool {
    line["level"] != "INFO" && line["message"] != "request"
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_down_costs_one_warning_and_no_request() {
    // Nothing listens on a port that was free a moment ago.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let log = beside(move || {
        let endpoint = format!("http://{address}");
        let program = serve(&[(ENDPOINT, &endpoint), ("OTEL_BSP_SCHEDULE_DELAY", "20")]);
        for _ in 0..20 {
            assert_eq!(fetch(program.address(), "/solve?scramble=R%20U%20F").status, 200);
            std::thread::sleep(Duration::from_millis(25));
        }
        program.line(is_warning);
        program.stopped()
    })
    .await;
    let warnings: Vec<_> = log.iter().filter(|line| is_warning(line)).collect();
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert!(warnings[0]["message"].text().contains("collector"), "{}", warnings[0]);
}
