//! Authentication: finds the API key of a request and compares it with the configured keys.

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HeaderName, HeaderValue};

use crate::api::problem::{Code, Problem};
use crate::service::access::keys::find_key;
use crate::service::config::api_keys::ApiKey;

/// Alternative header to `Authorization`, for clients behind a proxy that uses `Authorization` itself.
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Instruction in problems about keys.
const HOW_TO_SEND: &str = "send it as `Authorization: Bearer KEY` or as `X-Api-Key: KEY`";

/// Returns the index of the request's key in the configuration. A key that is sent twice counts once.
///
/// # Errors
/// Returns an error if the request has no key, different keys or an unknown key. The problem does not repeat the key.
pub(crate) fn authenticate(headers: &HeaderMap, keys: &[ApiKey]) -> Result<u16, Problem> {
    let mut given = headers
        .get_all(AUTHORIZATION)
        .iter()
        .filter_map(bearer)
        .chain(headers.get_all(API_KEY).iter().map(HeaderValue::as_bytes));
    let Some(key) = given.next() else {
        return Err(Problem::new(Code::MissingKey, format!("This server requires an API key; {HOW_TO_SEND}.")));
    };
    if given.any(|other| other != key) {
        let detail = format!("The request has different API keys; send only one: {HOW_TO_SEND}.");
        return Err(Problem::new(Code::UnknownKey, detail));
    }
    find_key(keys.iter().map(|key| &key.sha256), key).ok_or_else(|| {
        let detail = format!("The API key is unknown. Check that it is complete and not revoked, and {HOW_TO_SEND}.");
        Problem::new(Code::UnknownKey, detail)
    })
}

/// Returns the credentials after `Bearer`. Other schemes are ignored, because a proxy may use them.
fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, rest) = value.as_bytes().split_at_checked(6)?;
    let key = rest.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"bearer") && rest.first() == Some(&b' ')).then_some(key)
}
