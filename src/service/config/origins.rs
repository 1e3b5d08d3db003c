//! Origins for CORS: refuses origins that no browser sends, and suggests the right spelling.
//!
//! A browser serializes an origin in one way (WHATWG URL, "serialization of an origin"): scheme, host in lower-case ASCII, and the port
//! unless it is the default of the scheme. The header is compared byte by byte, so any other spelling never matches.

use http::Uri;

/// Returns a message if no browser sends `text` as its origin, with the right spelling. Returns `None` if it can match, and for `*`.
pub(crate) fn origin_error(text: &str) -> Option<String> {
    match canonical(&text.trim().to_ascii_lowercase()) {
        _ if text == "*" => None,
        Some(origin) if origin == text => None,
        Some(origin) => Some(format!("`{text}` never matches, because browsers send `{origin}`; write that")),
        None => Some(format!(
            "`{text}` is not an origin; write scheme and host, such as `https://app.example.org`, and list each subdomain, or write \
             `*` alone for any origin (`null`, sent by local files and sandboxed frames, is allowed by `*` only)"
        )),
    }
}

/// Returns the origin of a URL, as a browser serializes it.
fn canonical(url: &str) -> Option<String> {
    let uri: Uri = url.parse().ok()?;
    let (scheme, host) = (uri.scheme_str()?, uri.host()?);
    let is_host = host.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.:[]".contains(&c));
    let port = match uri.authority()?.as_str().rsplit('@').next()?.strip_prefix(host)? {
        "" | ":" => None,
        port => Some(port.strip_prefix(':')?.parse::<u16>().ok()?),
    };
    let is_default = matches!((scheme, port), ("https", Some(443)) | ("http", Some(80)));
    let port = port.filter(|_| !is_default).map_or(String::new(), |port| format!(":{port}"));
    is_host.then(|| format!("{scheme}://{host}{port}"))
}
