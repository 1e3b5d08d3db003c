//! Trace ids and the `traceparent` header of W3C Trace Context (<https://www.w3.org/TR/trace-context-1/>).

use std::fmt;

/// The value of a `traceparent` header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceParent {
    /// Id of the trace.
    pub trace_id: TraceId,
    /// Id of the client's span.
    pub span_id: u64,
    /// Flags of the trace. The lowest bit means that the client may have recorded the trace.
    pub flags: u8,
}

/// The id of a trace, which is never zero. It is written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceId(pub u128);

impl fmt::Display for TraceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

impl TraceId {
    /// Returns a random id.
    pub fn random() -> Self {
        Self(rand::random::<u128>().max(1))
    }
}

impl TraceParent {
    /// Parses a header: version, trace, span and flags, such as `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`.
    ///
    /// Later versions may append more fields, which are ignored.
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
