//! The trace of a request and its span.
//!
//! Every request has a trace id, which its log lines contain. It is the client's id, from the `traceparent` header of W3C Trace Context
//! (<https://www.w3.org/TR/trace-context-1/>), or a new one if the client sent no valid header. With the feature `otlp` and a collector,
//! the spans are exported with the same id.

use std::fmt;

use tracing::Span;

#[cfg(feature = "otlp")]
use crate::service::telemetry::otlp;

/// The value of a `traceparent` header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TraceParent {
    /// Id of the trace.
    pub trace_id: TraceId,
    /// Id of the client's span.
    pub span_id: u64,
    /// Flags of the trace. The lowest bit means that the client may have recorded the trace.
    pub flags: u8,
}

/// The id of a trace, which is never zero. It is written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TraceId(pub u128);

impl fmt::Display for TraceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

impl TraceId {
    /// Returns a random id.
    pub(crate) fn random() -> Self {
        Self(rand::random::<u128>().max(1))
    }
}

impl TraceParent {
    /// Parses a header: version, trace, span and flags, such as `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`.
    ///
    /// Later versions may append more fields, which are ignored.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(5, '-');
        let mut number = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits)?;
            let is_lower_hex = part.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
            is_lower_hex.then(|| u128::from_str_radix(part, 16).ok())?
        };
        let (version, trace_id, span_id, flags) = (number(2)?, number(32)?, number(16)?, number(2)?);
        let has_more = parts.next().is_some();
        let is_valid = version != 0xff && (version > 0 || !has_more) && trace_id != 0 && span_id != 0;
        let (span_id, flags) = (u64::try_from(span_id).ok()?, u8::try_from(flags).ok()?);
        is_valid.then_some(Self { trace_id: TraceId(trace_id), span_id, flags })
    }
}

/// Returns the trace of a request, if it is known before the request has a span. The exporter of spans chooses the id of a new trace.
pub(crate) fn known(parent: Option<&TraceParent>) -> Option<TraceId> {
    let named = parent.map(|parent| parent.trace_id);
    if cfg!(feature = "otlp") { named } else { named.or_else(|| Some(TraceId::random())) }
}

/// Adds the span to the [`known`] trace, or to a new one, and returns the trace id.
pub(crate) fn join(span: &Span, known: Option<TraceId>, parent: Option<&TraceParent>, state: Option<&str>) -> TraceId {
    #[cfg(feature = "otlp")]
    if let Some(id) = otlp::join(span, parent, state) {
        return id;
    }
    let _ = (span, parent, state);
    known.unwrap_or_else(TraceId::random)
}

/// Sets the name and attributes that the OpenTelemetry conventions give to the span of a request.
pub(crate) fn name_request(span: &Span, method: &str, route: &str) {
    #[cfg(feature = "otlp")]
    otlp::name_request(span, method, route);
    let _ = (span, method, route);
}

/// Records the status of the response in the span.
pub(crate) fn answered(span: &Span, status: u16) {
    #[cfg(feature = "otlp")]
    otlp::answered(span, status);
    let _ = (span, status);
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    #[test]
    fn parses_the_example_of_the_recommendation() {
        let read = TraceParent::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").unwrap();
        assert_eq!((read.trace_id.to_string().as_str(), format!("{:016x}", read.span_id).as_str()), (TRACE, SPAN));
        assert_eq!(read.flags, 1);
    }

    #[test]
    fn accepts_more_fields_in_later_versions() {
        assert!(TraceParent::parse(&format!("01-{TRACE}-{SPAN}-01-more")).is_some());
        assert!(TraceParent::parse(&format!("cc-{TRACE}-{SPAN}-00")).is_some());
    }

    #[test]
    fn rejects_malformed_headers() {
        let zeros = "0".repeat(32);
        for text in [
            String::new(),
            "00".to_owned(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("0-{TRACE}-{SPAN}-01"),
            format!("00-{zeros}-{SPAN}-01"),
            format!("00-{TRACE}-{}-01", &zeros[..16]),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{}-{SPAN}-01", &TRACE[1..]),
            format!("00-{TRACE}-{SPAN}-+1"),
            format!(" 00-{TRACE}-{SPAN}-01"),
        ] {
            assert_eq!(TraceParent::parse(&text), None, "{text}");
        }
    }
}
