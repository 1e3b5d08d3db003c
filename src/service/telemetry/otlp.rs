//! Exports spans with the OpenTelemetry protocol (OTLP), as protobuf over HTTP, from a separate thread.
//!
//! It exports the spans of this crate: one for each request, its wait for a thread, and its search. They are sent in batches, and
//! dropped when the collector does not accept them, so that the service never waits for a collector. The endpoint is
//! `telemetry.otlp_endpoint`, otherwise the value of `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or `OTEL_EXPORTER_OTLP_ENDPOINT`. The
//! libraries read the other variables of the specification (headers, timeout, batches, sampler, resource).

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceState, TracerProvider as _};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider};
use tracing::Span;
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt as _};
use ureq::Agent;

use crate::service::config::Telemetry;
use crate::service::telemetry::trace::{TraceId, TraceParent};

/// Maximum time to send the remaining spans at shutdown.
const LAST_SPANS: Duration = Duration::from_secs(3);

/// The exporter. Dropping it sends the remaining spans.
pub(crate) struct Exporter(SdkTracerProvider);

impl Exporter {
    /// Creates the exporter if the configuration or, with `is_in_environment`, a variable names an endpoint.
    pub(crate) fn new(config: &Telemetry, is_in_environment: bool) -> Result<Option<Self>, ExporterBuildError> {
        let mut builder =
            SpanExporter::builder().with_http().with_http_client(Client::new()).with_protocol(Protocol::HttpBinary);
        if config.otlp_endpoint.is_empty() {
            if !is_in_environment {
                return Ok(None);
            }
        } else {
            builder = builder.with_endpoint(format!("{}/v1/traces", config.otlp_endpoint.trim_end_matches('/')));
        }
        let mut provider = SdkTracerProvider::builder().with_batch_exporter(builder.build()?).with_resource(resource());
        // Set no sampler if this variable of the specification is set: the library reads it itself.
        if std::env::var_os("OTEL_TRACES_SAMPLER").is_none() {
            let ratio = Sampler::TraceIdRatioBased(config.sample_ratio);
            provider = provider.with_sampler(Sampler::ParentBased(Box::new(ratio)));
        }
        Ok(Some(Self(provider.build())))
    }

    /// Returns the layer that passes spans to the exporter.
    pub(crate) fn layer<S>(&self) -> OpenTelemetryLayer<S, SdkTracer>
    where
        S: tracing::Subscriber + for<'span> tracing_subscriber::registry::LookupSpan<'span>,
    {
        tracing_opentelemetry::layer().with_tracer(self.0.tracer("superflip")).with_location(false).with_threads(false)
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown_with_timeout(LAST_SPANS) {
            tracing::debug!(%error, "the remaining spans were not sent");
        }
    }
}

fn resource() -> Resource {
    let resource = Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    let is_named = std::env::var_os("OTEL_SERVICE_NAME").is_some();
    if is_named { resource.build() } else { resource.with_service_name("superflip").build() }
}

/// Sets the client's span as the parent of the span. Returns the trace id, or `None` if no spans are exported.
pub(crate) fn join(span: &Span, parent: Option<&TraceParent>, state: Option<&str>) -> Option<TraceId> {
    if let Some(parent) = parent {
        let state = state.and_then(|text| text.parse::<TraceState>().ok()).unwrap_or_default();
        let remote = SpanContext::new(
            parent.trace_id.0.into(),
            SpanId::from(parent.span_id),
            TraceFlags::new(parent.flags & 1),
            true,
            state,
        );
        // This fails only if no spans are exported. The id below is then invalid, and the result is `None`.
        let _ = span.set_parent(Context::new().with_remote_span_context(remote));
    }
    let id = span.context().span().span_context().trace_id();
    let id = u128::from_be_bytes(id.to_bytes());
    (id > 0).then_some(TraceId(id))
}

/// Sets the name and attributes of the span of a request.
pub(crate) fn name_request(span: &Span, method: &str, route: &str) {
    span.record("otel.name", format!("{method} {route}"));
    span.record("otel.kind", "server");
    span.set_attribute("http.request.method", method.to_owned());
    span.set_attribute("http.route", route.to_owned());
}

/// Records the status of the response.
pub(crate) fn answered(span: &Span, status: u16) {
    span.set_attribute("http.response.status_code", i64::from(status));
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
}

/// Sends batches over HTTP from the thread of the exporter, and logs the first failure of a series.
#[derive(Debug)]
struct Client {
    agent: Agent,
    is_failing: AtomicBool,
}

impl Client {
    fn new() -> Self {
        let config =
            Agent::config_builder().timeout_global(Some(Duration::from_secs(10))).http_status_as_error(false).build();
        Self { agent: Agent::new_with_config(config), is_failing: AtomicBool::new(false) }
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, ureq::Error> {
        let (head, body) = request.into_parts();
        let (head, mut body) = self.agent.run(Request::from_parts(head, &body[..]))?.into_parts();
        Ok(Response::from_parts(head, body.read_to_vec()?.into()))
    }

    /// Logs the first failure, and the first success after failures.
    fn log_outcome(&self, to: &str, failure: Option<String>) {
        let was_failing = self.is_failing.swap(failure.is_some(), Ordering::Relaxed);
        match failure {
            Some(reason) if !was_failing => tracing::warn!(
                to,
                reason,
                "spans cannot be sent and are dropped; check that the collector runs at this address. Further failures are not logged until one \
                 succeeds"
            ),
            None if was_failing => tracing::info!(to, "spans can be sent again"),
            _ => {}
        }
    }
}

impl HttpClient for Client {
    // The signature that `async_trait` generates for the trait.
    fn send_bytes<'a, 'b>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move {
            let to = request.uri().to_string();
            let answer = self.send(request);
            let failure = match &answer {
                Ok(answer) if answer.status().is_success() => None,
                Ok(answer) => Some(format!("the collector answered with status {}", answer.status())),
                Err(error) => Some(error.to_string()),
            };
            self.log_outcome(&to, failure);
            Ok(answer?)
        })
    }
}
