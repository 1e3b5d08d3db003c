//! HTTP client of `object_store`: hyper with rustls and ring, which the client of NATS uses too.

use std::error::Error;
use std::iter::successors;
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use object_store::ClientOptions;
use object_store::client::{
    ClientConfigKey, HttpClient, HttpConnector as Connect, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody,
    HttpResponse, HttpResponseBody, HttpService,
};

/// Time limit for a TCP connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Makes clients that trust the certificates of the platform. Reads only the option `allow_http`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connector;

impl Connect for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let tls = HttpsConnectorBuilder::new().with_native_roots().map_err(|error| object_store::Error::Generic {
            store: "S3",
            source: format!("no certificates of authorities: {error}; install ca-certificates, or set SSL_CERT_FILE")
                .into(),
        })?;
        let schemes = if is_true(options.get_config_value(&ClientConfigKey::AllowHttp)) {
            tls.https_or_http()
        } else {
            tls.https_only()
        };
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        let client = Client::builder(TokioExecutor::new()).build(schemes.enable_http1().wrap_connector(tcp));
        Ok(HttpClient::new(Service(client)))
    }
}

/// Reads a value as `object_store` does.
pub(super) fn is_true(value: Option<String>) -> bool {
    value.is_some_and(|value| matches!(value.to_ascii_lowercase().as_str(), "1" | "true" | "on" | "yes" | "y"))
}

#[derive(Debug)]
struct Service(Client<HttpsConnector<HttpConnector>, HttpRequestBody>);

#[async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let response = self.0.request(request).await.map_err(|error| {
            let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Interrupted };
            with_causes(kind, &error)
        })?;
        let body = |body| {
            HttpResponseBody::new(BodyExt::map_err(body, |error| with_causes(HttpErrorKind::Interrupted, &error)))
        };
        Ok(response.map(body))
    }
}

/// Returns an error whose message has all causes; those of hyper leave them out.
fn with_causes(kind: HttpErrorKind, error: &(dyn Error + 'static)) -> HttpError {
    let causes: Vec<_> = successors(Some(error), |&error| error.source()).map(ToString::to_string).collect();
    HttpError::new_boxed(kind, causes.join(": ").into())
}
