//! Telemetry: the log on standard error, metrics, and spans for a collector.

pub(crate) mod log_queue;
pub mod metrics;
#[cfg(feature = "otlp")]
mod otlp;
pub(crate) mod trace;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal};

use tracing::field::display;
#[cfg(feature = "otlp")]
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry};

use super::config::{Config, Log, LogFormat};
use super::panic_message;
use crate::service::config::limits::log_targets;
use crate::service::telemetry::log_queue::LogQueue;

/// Environment variables of OpenTelemetry that name a collector.
const ENDPOINT_VARIABLES: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// Starts the log of this process. A second call changes nothing.
pub(crate) fn init(config: &Log) {
    start(config, BoxMakeWriter::new(io::stderr), None::<tracing_subscriber::layer::Identity>);
}

/// The telemetry of a service. Dropping it sends the remaining spans, if a collector is configured, and then writes the remaining log lines.
pub struct ServiceTelemetry {
    #[cfg(feature = "otlp")]
    _exporter: Option<otlp::Exporter>,
    _log: LogQueue,
}

/// Starts the log of a service, and the exporter of spans if a collector is configured.
///
/// # Errors
/// Returns an error if the configuration of OpenTelemetry is invalid.
pub fn init_service(config: &Config) -> Result<ServiceTelemetry, String> {
    let (writer, log) = log_queue::start();
    let writer = BoxMakeWriter::new(writer);
    #[cfg(feature = "otlp")]
    {
        let is_disabled = std::env::var("OTEL_SDK_DISABLED").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        let is_in_environment = endpoint_variable().is_some();
        let exporter = if is_disabled { Ok(None) } else { otlp::Exporter::new(&config.telemetry, is_in_environment) };
        let exporter = exporter.map_err(|error| format!("spans cannot be sent: {error}"))?;
        // Export only spans of this program: no log lines, and no spans of libraries.
        let ours = FilterFn::new(|metadata| metadata.is_span() && metadata.target().starts_with("superflip"))
            .with_max_level_hint(LevelFilter::DEBUG);
        start(&config.log, writer, exporter.as_ref().map(|exporter| exporter.layer().with_filter(ours)));
        warn_of_ignored(config);
        Ok(ServiceTelemetry { _exporter: exporter, _log: log })
    }
    #[cfg(not(feature = "otlp"))]
    {
        start(&config.log, writer, None::<tracing_subscriber::layer::Identity>);
        warn_of_ignored(config);
        if let Some(variable) = endpoint_variable() {
            tracing::warn!(variable, "this program sends no spans: it was built without the feature `otlp`");
        }
        Ok(ServiceTelemetry { _log: log })
    }
}

/// Logs one warning for each variable that was ignored.
pub(crate) fn warn_of_ignored(config: &Config) {
    for variable in &config.ignored_variables {
        tracing::warn!(
            variable,
            "ignored a variable that Kubernetes sets for a Service; set `enableServiceLinks: false` in the pod spec to stop this \
             warning (configuration variables contain two underscores, such as SUPERFLIP_SERVER__LISTEN)"
        );
    }
}

/// Returns the environment variable that names a collector, if any.
fn endpoint_variable() -> Option<&'static str> {
    ENDPOINT_VARIABLES.into_iter().find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Sets the format, the filter and the writer of log lines.
fn start(config: &Log, writer: BoxMakeWriter, spans: impl Layer<Registry> + Send + Sync) {
    // The filter was validated with the configuration.
    let filter = log_targets(&config.filter).unwrap_or_else(|_| Targets::new().with_default(LevelFilter::INFO));
    let pretty = match config.format {
        LogFormat::Auto => io::stderr().is_terminal(),
        LogFormat::Pretty => true,
        LogFormat::Json => false,
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    let lines = if pretty {
        lines.with_target(false).with_ansi(io::stderr().is_terminal()).with_filter(filter).boxed()
    } else {
        let json = lines.json().flatten_event(true).with_current_span(true).with_span_list(false);
        json.with_filter(filter).boxed()
    };
    if !pretty {
        // Log panics as JSON lines too, for programs that read the log.
        std::panic::set_hook(Box::new(|panic| {
            let (place, backtrace) = (panic.location().map(display), Backtrace::capture());
            let backtrace = (backtrace.status() == BacktraceStatus::Captured).then(|| display(backtrace));
            let thread = std::thread::current();
            let message = panic_message(panic.payload());
            tracing::error!(panic = message, place, thread = thread.name(), backtrace, "a thread panicked");
        }));
    }
    if tracing_subscriber::registry().with(spans).with(lines).try_init().is_err() {
        tracing::debug!("the log was already started");
    }
}
