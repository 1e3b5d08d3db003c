//! Log lines on standard error, so that standard output is left to answers; and spans to a collector, where there is one.

pub mod metrics;
#[cfg(feature = "otlp")]
mod otlp;
pub mod process_metrics;
pub mod request_metrics;
pub mod trace;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal, Write};
use std::sync::LazyLock;

use indicatif::{MultiProgress, ProgressDrawTarget};
use tracing::field::display;
#[cfg(feature = "otlp")]
use tracing_subscriber::filter::{FilterFn, LevelFilter};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use super::config::{Config, Log, LogFormat};
use super::pool::panic_message;
use crate::service::config::kubernetes::warn_of_ignored;

/// The progress bars of this process; log lines are written above them.
pub fn bars() -> &'static MultiProgress {
    static BARS: LazyLock<MultiProgress> =
        LazyLock::new(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr()));
    &BARS
}

/// The variables of OpenTelemetry that name a collector.
const ENDPOINT_VARIABLES: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// Starts the log of this process; a second call changes nothing.
pub fn init(config: &Log) {
    start(config, None::<tracing_subscriber::layer::Identity>);
}

/// The spans of a service; dropping this sends those that are left.
pub struct Spans {
    #[cfg(feature = "otlp")]
    _exporter: Option<crate::service::telemetry::otlp::Exporter>,
}

/// Starts the log of a service, and sends spans if a collector is configured.
///
/// # Errors
/// When the configuration of OpenTelemetry makes no sense.
pub fn init_service(config: &Config) -> Result<Spans, String> {
    #[cfg(feature = "otlp")]
    {
        let is_disabled = std::env::var("OTEL_SDK_DISABLED").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        let exporter =
            if is_disabled { Ok(None) } else { crate::service::telemetry::otlp::Exporter::new(&config.telemetry) };
        let exporter = exporter.map_err(|error| format!("spans cannot be sent: {error}"))?;
        // Lines are not sent, and neither is what other libraries do.
        let ours = FilterFn::new(|metadata| metadata.is_span() && metadata.target().starts_with("superflip"))
            .with_max_level_hint(LevelFilter::DEBUG);
        start(&config.log, exporter.as_ref().map(|exporter| exporter.layer().with_filter(ours)));
        warn_of_ignored(config);
        Ok(Spans { _exporter: exporter })
    }
    #[cfg(not(feature = "otlp"))]
    {
        init(&config.log);
        warn_of_ignored(config);
        if let Some(variable) = endpoint_variable() {
            tracing::warn!(variable, "this program sends no spans: it was built without the feature `otlp`");
        }
        Ok(Spans {})
    }
}

/// The variable of the environment that names a collector.
pub(crate) fn endpoint_variable() -> Option<&'static str> {
    ENDPOINT_VARIABLES.into_iter().find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// What lines become, and which of them.
fn start(config: &Log, spans: impl Layer<Registry> + Send + Sync) {
    // The filter was checked when the configuration was read.
    let filter = EnvFilter::try_new(&config.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let pretty = match config.format {
        LogFormat::Auto => io::stderr().is_terminal(),
        LogFormat::Pretty => true,
        LogFormat::Json => false,
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(StandardError { has_bars: io::stderr().is_terminal() });
    let lines = if pretty {
        lines.with_target(false).with_ansi(io::stderr().is_terminal()).with_filter(filter).boxed()
    } else {
        let json = lines.json().flatten_event(true).with_current_span(true).with_span_list(false);
        json.with_filter(filter).boxed()
    };
    if !pretty {
        // A panic is to be a line like others, for whoever reads lines of JSON.
        std::panic::set_hook(Box::new(|panic| {
            let (place, backtrace) = (panic.location().map(display), Backtrace::capture());
            let backtrace = (backtrace.status() == BacktraceStatus::Captured).then(|| display(backtrace));
            let thread = std::thread::current();
            let message = panic_message(panic.payload());
            tracing::error!(panic = message, place, thread = thread.name(), backtrace, "a thread panicked");
        }));
    }
    if tracing_subscriber::registry().with(spans).with(lines).try_init().is_err() {
        tracing::debug!("the log was started before");
    }
}

/// Writes whole lines to standard error, and where there are bars, which is on a terminal, makes them step aside.
#[derive(Clone, Copy)]
struct StandardError {
    has_bars: bool,
}

impl<'a> MakeWriter<'a> for StandardError {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        *self
    }
}

impl Write for StandardError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let write = || io::stderr().lock().write_all(bytes);
        if self.has_bars { bars().suspend(write) } else { write() }.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
