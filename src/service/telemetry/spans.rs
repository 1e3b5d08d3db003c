//! The span of a request, and the trace it belongs to.
//!
//! Every request has a trace id, which its log lines contain. It is the client's id, or a new one if the client sent no valid
//! `traceparent`. With the feature `otlp` and a collector, the spans are exported with the same id.

use tracing::Span;

#[cfg(feature = "otlp")]
use crate::service::telemetry::otlp;
use crate::service::telemetry::trace::{TraceId, TraceParent};

/// Returns the trace of a request, if it is known before the request has a span. The exporter of spans chooses the id of a new trace.
pub fn known(parent: Option<&TraceParent>) -> Option<TraceId> {
    let named = parent.map(|parent| parent.trace_id);
    if cfg!(feature = "otlp") { named } else { named.or_else(|| Some(TraceId::random())) }
}

/// Adds the span to the [`known`] trace, or to a new one, and returns the trace id.
pub fn join(span: &Span, known: Option<TraceId>, parent: Option<&TraceParent>, state: Option<&str>) -> TraceId {
    #[cfg(feature = "otlp")]
    if let Some(id) = otlp::join(span, parent, state) {
        return id;
    }
    let _ = (span, parent, state);
    known.unwrap_or_else(TraceId::random)
}

/// Sets the name and attributes that the OpenTelemetry conventions give to the span of a request.
pub fn name_request(span: &Span, method: &str, route: &str) {
    #[cfg(feature = "otlp")]
    otlp::name_request(span, method, route);
    let _ = (span, method, route);
}

/// Records the status of the response in the span.
pub fn answered(span: &Span, status: u16) {
    #[cfg(feature = "otlp")]
    otlp::answered(span, status);
    let _ = (span, status);
}
