//! The key of a request: where it stands, and whether it is one of the configured.

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HeaderName, HeaderValue};

use crate::api::problem::{Code, Problem};
use crate::service::access::keys::which;
use crate::service::config::access::Key;

/// The header for callers that cannot set `Authorization`, as behind a proxy that uses it itself.
pub(crate) const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// How to send a key.
const HOW: &str = "send it as `Authorization: Bearer KEY` or as `X-Api-Key: KEY`";

/// Which of the keys the request has, by its place.
///
/// # Errors
/// No key, several, or none of the configured. What was sent is not repeated.
pub(crate) fn key_of(headers: &HeaderMap, keys: &[Key]) -> Result<u16, Problem> {
    let mut given = headers
        .get_all(AUTHORIZATION)
        .iter()
        .filter_map(bearer)
        .chain(headers.get_all(API_KEY).iter().map(HeaderValue::as_bytes));
    match (given.next(), given.next()) {
        (None, _) => Err(Problem::new(Code::MissingKey, format!("This server asks for an API key: {HOW}."))),
        (Some(_), Some(_)) => Err(Problem::new(Code::UnknownKey, format!("Several API keys were sent; send one: {HOW}."))),
        (Some(key), None) => which(keys, key).ok_or_else(|| {
            let detail = format!(
                "This server does not know the API key that was sent. Check that it is whole and not withdrawn, and {HOW}."
            );
            Problem::new(Code::UnknownKey, detail)
        }),
    }
}

/// What follows `Bearer`; other schemes are somebody else's.
fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, rest) = value.as_bytes().split_at_checked(6)?;
    let key = rest.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"bearer") && rest.first() == Some(&b' ')).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::access::keys::KeyDigest;

    fn code(headers: &[(HeaderName, &str)]) -> Result<u16, Code> {
        let keys = ["one", "two"].map(|secret| Key {
            name: secret.into(),
            sha256: KeyDigest::of(secret.as_bytes()),
            requests_per_second: None,
            request_burst: None,
            max_requests: None,
        });
        let headers = headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap()));
        key_of(&headers.collect(), &keys).map_err(|problem| problem.code())
    }

    #[test]
    fn a_key_is_read_from_either_header() {
        for good in ["Bearer two", "bearer two", "BEARER   two "] {
            assert_eq!(code(&[(AUTHORIZATION, good)]), Ok(1), "{good}");
        }
        assert_eq!(code(&[(API_KEY, "one")]), Ok(0));
        assert_eq!(code(&[(AUTHORIZATION, "Basic b25lOnR3bw=="), (API_KEY, "two")]), Ok(1));
    }

    #[test]
    fn everything_else_is_told_apart() {
        for none in ["", "Basic two", "Bearertwo", "two", "Bea"] {
            assert_eq!(code(&[(AUTHORIZATION, none)]), Err(Code::MissingKey), "{none}");
        }
        for wrong in ["Bearer ", "Bearer three", "Bearer two one", "Bearer twO"] {
            assert_eq!(code(&[(AUTHORIZATION, wrong)]), Err(Code::UnknownKey), "{wrong}");
        }
        assert_eq!(code(&[(AUTHORIZATION, "Bearer one"), (API_KEY, "two")]), Err(Code::UnknownKey));
        assert_eq!(code(&[(API_KEY, "one"), (API_KEY, "one")]), Err(Code::UnknownKey));
    }
}
