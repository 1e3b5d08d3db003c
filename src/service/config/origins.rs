//! Origins for CORS: which texts a browser can send as `Origin`, and how a slip is written rightly.
//!
//! A browser serialises an origin in one way only (WHATWG URL, "serialization of an origin"): scheme, host in small ASCII letters, and
//! the port unless it is the default of the scheme. The header is compared byte by byte, so every other spelling would never match.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Why no browser sends this text as its origin, and what to write instead; `None` for one that can match, and for `*`.
pub(crate) fn origin_rule(text: &str) -> Option<String> {
    const EXAMPLE: &str = "write scheme and host, such as `https://example.org`, or `*` for any origin";
    if text == "*" {
        return None;
    }
    if text.eq_ignore_ascii_case("null") {
        return Some(
            "`null` is not a single site: browsers send it for every local file and sandboxed frame. Serve the page over HTTP \
             and list its origin, or use `*` for any origin"
                .into(),
        );
    }
    if text.contains('*') {
        return Some(format!(
            "`{text}` has a wildcard, and origins are compared as a whole: list each origin, such as `https://app.example.org`, or \
             write `*` alone for any origin"
        ));
    }
    let lower = text.trim().to_ascii_lowercase();
    let Some((scheme, rest)) = lower.split_once("://") else {
        let remedy = match canonical("https", &lower) {
            Ok(origin) => format!("write `{origin}`, or `*` for any origin"),
            Err(_) => EXAMPLE.to_owned(),
        };
        return Some(format!("`{text}` is not an origin: it has no scheme; {remedy}"));
    };
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c);
    if !scheme.starts_with(|c: char| c.is_ascii_lowercase()) || !scheme.chars().all(is_letter) {
        return Some(format!("`{text}` is not an origin, for `{scheme}` is not a scheme: {EXAMPLE}"));
    }
    match canonical(scheme, rest) {
        Ok(origin) if origin == text => None,
        Ok(origin) => Some(format!("`{text}` never matches: browsers send `{origin}`; write that")),
        Err(reason) => Some(format!("`{text}` is not an origin: {reason}; {EXAMPLE}")),
    }
}

/// The origin as a browser sends it, of what stands behind `://`; or why there is none.
fn canonical(scheme: &str, rest: &str) -> Result<String, String> {
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        // A colon inside the brackets of IPv6 begins no port.
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (authority, ""),
    };
    let host = canonical_host(host)?;
    let default = match scheme {
        "https" => Some(443),
        "http" => Some(80),
        // Of browser extensions and of apps that embed a browser.
        _ => None,
    };
    match port {
        "" => Ok(format!("{scheme}://{host}")),
        digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => match digits.parse::<u16>() {
            Ok(port) if Some(port) == default => Ok(format!("{scheme}://{host}")),
            Ok(port) => Ok(format!("{scheme}://{host}:{port}")),
            Err(_) => Err(format!("`{digits}` is not a port, which is at most 65535")),
        },
        other => Err(format!("`{other}` is not a port, which is a number up to 65535")),
    }
}

fn canonical_host(host: &str) -> Result<String, String> {
    if let Some(inner) = host.strip_prefix('[') {
        let address = inner.strip_suffix(']').and_then(|inner| inner.parse::<Ipv6Addr>().ok());
        return address.map(written).ok_or_else(|| format!("`{host}` is not an IPv6 address"));
    }
    if host.is_empty() {
        return Err("it has no host".into());
    }
    if !host.is_ascii() {
        return Err(format!("browsers send `{host}` in ASCII letters, as the name that begins with `xn--`"));
    }
    if !host.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.".contains(&c)) {
        return Err(format!("`{host}` is not a host name"));
    }
    let mut labels = host.strip_suffix('.').unwrap_or(host).split('.');
    if labels.clone().any(str::is_empty) {
        return Err(format!("`{host}` has an empty part between its dots; subdomains are listed one by one"));
    }
    // What ends with a number is an address to a browser, however it is written.
    let is_number = |label: &str| label.bytes().all(|c| c.is_ascii_digit()) || label.starts_with("0x");
    if labels.next_back().is_some_and(is_number) && host.parse::<Ipv4Addr>().is_err() {
        return Err(format!("`{host}` is not an IPv4 address"));
    }
    Ok(host.to_owned())
}

/// An IPv6 address as browsers write it, which is never with the last part in IPv4 form.
fn written(address: Ipv6Addr) -> String {
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, a, b] => format!("[::ffff:{a:x}:{b:x}]"),
        _ => format!("[{address}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::origin_rule;

    #[test]
    fn what_browsers_send_is_accepted() {
        for origin in [
            "*",
            "https://example.org",
            "http://example.org:8080",
            "https://example.org:80",
            "http://example.org:443",
            "http://localhost:3000",
            "http://my_host",
            "https://xn--bcher-kva.example",
            "https://example.org.",
            "http://127.0.0.1:5173",
            "http://[::1]:8080",
            "https://[2001:db8::1]",
            "http://[::ffff:7f00:1]",
            // Of extensions, and of apps that embed a browser.
            "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
            "moz-extension://0f2a1a5e-1c8c-4a40-9a3e-5f1a0f0b0c0d",
            "capacitor://localhost",
        ] {
            assert_eq!(origin_rule(origin), None);
        }
    }

    /// The right column is the origin of a page at the left one, as the URL Standard serialises it.
    #[test]
    fn what_can_never_match_is_refused_with_the_right_spelling() {
        for (given, right) in [
            ("https://example.org:443", "https://example.org"),
            ("http://example.org:80", "http://example.org"),
            ("https://example.org:0443", "https://example.org"),
            ("https://example.org:", "https://example.org"),
            ("http://example.org:08080", "http://example.org:8080"),
            ("https://Example.ORG", "https://example.org"),
            ("HTTPS://example.org", "https://example.org"),
            ("https://example.org/", "https://example.org"),
            ("https://example.org/app?x=1#top", "https://example.org"),
            ("https://user:word@example.org:8443", "https://example.org:8443"),
            (" https://example.org", "https://example.org"),
            ("http://[0:0:0:0:0:0:0:1]:8080", "http://[::1]:8080"),
            ("http://[::FFFF:127.0.0.1]", "http://[::ffff:7f00:1]"),
            ("example.org", "https://example.org"),
            ("localhost:3000", "https://localhost:3000"),
        ] {
            let rule = origin_rule(given).unwrap_or_else(|| panic!("{given} is accepted"));
            assert!(rule.contains(&format!("`{right}`")) && rule.contains("write"), "{given}: {rule}");
            assert_eq!(origin_rule(right), None);
        }
    }

    #[test]
    fn what_is_no_origin_is_refused_with_the_reason() {
        for (given, reason) in [
            ("https://*.example.org", "list each origin"),
            ("https://example.org:*", "list each origin"),
            ("*.example.org", "list each origin"),
            ("https://*", "`*` alone"),
            ("null", "sandboxed frame"),
            ("https://", "no host"),
            ("https://.example.org", "empty part"),
            ("https://example.org:99999", "not a port"),
            ("https://example.org:http", "not a port"),
            ("https://bücher.example", "xn--"),
            ("https://exa mple.org", "not a host name"),
            ("https://127.1", "not an IPv4 address"),
            ("https://[::1", "not an IPv6 address"),
            ("file:///home/me", "no host"),
            ("h_ttp://example.org", "not a scheme"),
            ("", "no scheme"),
        ] {
            let rule = origin_rule(given).unwrap_or_else(|| panic!("{given} is accepted"));
            assert!(rule.contains(reason) && rule.contains('*'), "{given}: {rule}");
        }
    }
}
