//! Which trace a request belongs to, as W3C Trace Context has it (<https://www.w3.org/TR/trace-context-1/>).
//!
//! Every request has a trace id, which its log lines carry: its caller's, or a new one where the caller names none that can be
//! read. With the feature `otlp` and a collector the same id is that of the spans which are sent there.

use std::fmt;

use tracing::Span;

/// What a `traceparent` header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceParent {
    /// The trace.
    pub trace_id: TraceId,
    /// The caller's span.
    pub span_id: u64,
    /// Flags; the lowest bit: the caller may have recorded it.
    pub flags: u8,
}

/// The id of a trace; never zero. Written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceId(pub u128);

impl fmt::Display for TraceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

impl TraceId {
    /// A new one.
    pub fn random() -> Self {
        Self(rand::random::<u128>().max(1))
    }
}

impl TraceParent {
    /// Reads the value of the header: version, trace, span and flags, such as
    /// `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`. Later versions may have more to say after these.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(5, '-');
        let mut number = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits)?;
            let is_lower_hex = part.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
            is_lower_hex.then(|| u128::from_str_radix(part, 16).ok())?
        };
        let (version, trace_id, span_id, flags) = (number(2)?, number(32)?, number(16)?, number(2)?);
        let has_more = parts.next().is_some();
        let is_valid = version != 0xff && (version > 0 || !has_more) && trace_id != 0 && span_id != 0;
        is_valid.then_some(Self { trace_id: TraceId(trace_id), span_id: span_id as u64, flags: flags as u8 })
    }
}

/// The trace of a request, where that can be told before it has a span: a new trace is named by whoever sends the spans.
pub fn known(parent: Option<&TraceParent>) -> Option<TraceId> {
    let named = parent.map(|parent| parent.trace_id);
    if cfg!(feature = "otlp") { named } else { named.or_else(|| Some(TraceId::random())) }
}

/// Makes the span part of the trace that is [`known`], or else of a new one, and tells which that is.
pub fn join(span: &Span, known: Option<TraceId>, parent: Option<&TraceParent>, state: Option<&str>) -> TraceId {
    #[cfg(feature = "otlp")]
    if let Some(id) = crate::service::telemetry::otlp::join(span, parent, state) {
        return id;
    }
    let _ = (span, parent, state);
    known.unwrap_or_else(TraceId::random)
}

/// Gives the span that is sent the names which conventions have for it.
pub fn name_request(span: &Span, method: &str, route: &str) {
    #[cfg(feature = "otlp")]
    crate::service::telemetry::otlp::name_request(span, method, route);
    let _ = (span, method, route);
}

/// Tells the span that is sent how the request was answered.
pub fn answered(span: &Span, status: u16) {
    #[cfg(feature = "otlp")]
    crate::service::telemetry::otlp::answered(span, status);
    let _ = (span, status);
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    #[test]
    fn the_example_of_the_recommendation_is_read() {
        let read = TraceParent::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").unwrap();
        assert_eq!((read.trace_id.to_string().as_str(), format!("{:016x}", read.span_id).as_str()), (TRACE, SPAN));
        assert_eq!(read.flags, 1);
    }

    #[test]
    fn later_versions_may_say_more() {
        assert!(TraceParent::parse(&format!("01-{TRACE}-{SPAN}-01-more-of-it")).is_some());
        assert!(TraceParent::parse(&format!("cc-{TRACE}-{SPAN}-00")).is_some());
    }

    #[test]
    fn what_is_not_one_is_nothing() {
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
