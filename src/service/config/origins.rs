//! Origins for CORS: refuses origins that no browser sends, and suggests the right spelling.
//!
//! A browser serializes an origin in one way (WHATWG URL, "serialization of an origin"): scheme, host in lower-case ASCII, and the port
//! unless it is the default of the scheme. The header is compared byte by byte, so any other spelling never matches.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Returns a message if no browser sends `text` as its origin, with the right spelling. Returns `None` if it can match, and for `*`.
pub(crate) fn origin_error(text: &str) -> Option<String> {
    if text == "*" {
        return None;
    }
    let lower = text.trim().to_ascii_lowercase();
    // Refuse `null` here: without a scheme it would be parsed as a host name.
    match canonical(&lower).filter(|_| lower != "null") {
        Some(origin) if origin == text => None,
        Some(origin) => Some(format!("`{text}` never matches, because browsers send `{origin}`; write that")),
        None => Some(format!(
            "`{text}` is not an origin; write scheme and host, such as `https://app.example.org`, and list each subdomain, or write \
             `*` alone for any origin (`null`, sent by local files and sandboxed frames, is allowed by `*` only)"
        )),
    }
}

/// Returns the origin of a URL, as a browser serializes it. A URL without a scheme is parsed as `https`.
fn canonical(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    let is_scheme_character = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c);
    if !scheme.starts_with(|c: char| c.is_ascii_lowercase()) || !scheme.chars().all(is_scheme_character) {
        return None;
    }
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        // Skip the colons inside the brackets of an IPv6 address, which precede no port.
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (authority, ""),
    };
    let host = canonical_host(host)?;
    let default = match scheme {
        "https" => Some(443),
        "http" => Some(80),
        // Browser extensions and apps that embed a browser.
        _ => None,
    };
    let port = match port {
        "" => None,
        digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => Some(digits.parse::<u16>().ok()?),
        _ => return None,
    };
    Some(match port.filter(|_| port != default) {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    })
}

fn canonical_host(host: &str) -> Option<String> {
    if let Some(inner) = host.strip_prefix('[') {
        let address = inner.strip_suffix(']')?.parse::<Ipv6Addr>().ok()?;
        return Some(match address.segments() {
            // Browsers never write the last part in IPv4 form.
            [0, 0, 0, 0, 0, 0xffff, a, b] => format!("[::ffff:{a:x}:{b:x}]"),
            _ => format!("[{address}]"),
        });
    }
    let is_label =
        |label: &str| !label.is_empty() && label.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_".contains(&c));
    let mut labels = host.strip_suffix('.').unwrap_or(host).split('.');
    // Refuse a host that ends in a number: browsers parse it as an IPv4 address.
    let is_number = |label: &str| label.bytes().all(|c| c.is_ascii_digit()) || label.starts_with("0x");
    let is_valid = labels.clone().all(is_label)
        && (!labels.next_back().is_some_and(is_number) || host.parse::<Ipv4Addr>().is_ok());
    is_valid.then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::origin_error;

    #[test]
    fn origins_that_browsers_send_are_accepted() {
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
            // Browser extensions, and apps that embed a browser.
            "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
            "moz-extension://0f2a1a5e-1c8c-4a40-9a3e-5f1a0f0b0c0d",
            "capacitor://localhost",
        ] {
            assert_eq!(origin_error(origin), None);
        }
    }

    /// The right column is the origin of a page at the left one, as the URL Standard serializes it.
    #[test]
    fn other_spellings_are_refused_with_the_right_one() {
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
            let rule = origin_error(given).unwrap_or_else(|| panic!("{given} is accepted"));
            assert!(rule.contains(&format!("`{right}`")) && rule.contains("write"), "{given}: {rule}");
            assert_eq!(origin_error(right), None);
        }
    }

    #[test]
    fn invalid_origins_are_refused_with_a_valid_example() {
        for given in [
            "https://*.example.org",
            "https://example.org:*",
            "*.example.org",
            "https://*",
            "https://",
            "https://.example.org",
            "https://example.org:99999",
            "https://example.org:http",
            "https://b\u{fc}cher.example",
            "https://exa mple.org",
            "https://127.1",
            "https://[::1",
            "file:///home/me",
            "h_ttp://example.org",
            "",
        ] {
            let rule = origin_error(given).unwrap_or_else(|| panic!("{given} is accepted"));
            assert!(rule.contains(&format!("`{given}` is not an origin")), "{given}: {rule}");
            assert!(rule.contains("https://app.example.org") && rule.contains("each subdomain"), "{given}: {rule}");
        }
    }

    #[test]
    fn the_null_origin_is_refused() {
        assert!(origin_error("null").is_some_and(|rule| rule.contains("sandboxed frames")));
    }
}
