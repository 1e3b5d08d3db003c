//! Authentication: finds the API key of a request and compares it with the configured keys.

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HeaderName, HeaderValue};

use crate::api::problem::{Code, Problem};
use crate::service::access::keys::find_key;
use crate::service::config::api_keys::ApiKey;

/// Alternative header to `Authorization`, for clients behind a proxy that uses `Authorization` itself.
pub(crate) const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Instruction in problems about keys.
const HOW_TO_SEND: &str = "send it as `Authorization: Bearer KEY` or as `X-Api-Key: KEY`";

/// Returns the index of the request's key in the configuration.
///
/// # Errors
/// Returns an error if the request has no key, several keys or an unknown key. The problem does not repeat the key.
pub(crate) fn authenticate(headers: &HeaderMap, keys: &[ApiKey]) -> Result<u16, Problem> {
    let mut given = headers
        .get_all(AUTHORIZATION)
        .iter()
        .filter_map(bearer)
        .chain(headers.get_all(API_KEY).iter().map(HeaderValue::as_bytes));
    match (given.next(), given.next()) {
        (None, _) => Err(Problem::new(Code::MissingKey, format!("This server requires an API key; {HOW_TO_SEND}."))),
        (Some(_), Some(_)) => Err(Problem::new(
            Code::UnknownKey,
            format!("The request has several API keys; send only one: {HOW_TO_SEND}."),
        )),
        (Some(key), None) => find_key(keys.iter().map(|key| &key.sha256), key).ok_or_else(|| {
            let detail =
                format!("The API key is unknown. Check that it is complete and not revoked, and {HOW_TO_SEND}.");
            Problem::new(Code::UnknownKey, detail)
        }),
    }
}

/// Returns the credentials after `Bearer`. Other schemes are ignored, because a proxy may use them.
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
        let keys = ["one", "two"].map(|secret| ApiKey {
            name: secret.into(),
            sha256: KeyDigest::of(secret.as_bytes()),
            requests_per_second: None,
            request_burst: None,
            max_requests: None,
        });
        let headers = headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap()));
        authenticate(&headers.collect(), &keys).map_err(|problem| problem.code())
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
    fn missing_and_unknown_keys_have_different_codes() {
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
