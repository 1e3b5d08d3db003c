//! Log lines on standard error, so that standard output is left to answers.

use std::io::{self, IsTerminal, Write};
use std::sync::LazyLock;

use indicatif::{MultiProgress, ProgressDrawTarget};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use super::config::{Log, LogFormat};

/// The progress bars of this process; log lines are written above them.
pub fn bars() -> &'static MultiProgress {
    static BARS: LazyLock<MultiProgress> =
        LazyLock::new(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr()));
    &BARS
}

/// Starts the log of this process; a second call changes nothing.
pub fn init(config: &Log) {
    // The filter was checked when the configuration was read.
    let filter = EnvFilter::try_new(&config.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let pretty = match config.format {
        LogFormat::Auto => io::stderr().is_terminal(),
        LogFormat::Pretty => true,
        LogFormat::Json => false,
    };
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(AboveBars);
    let started = if pretty {
        builder.with_target(false).with_ansi(io::stderr().is_terminal()).try_init()
    } else {
        builder.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init()
    };
    if started.is_err() {
        tracing::debug!("the log was started before");
    }
}

/// Writes whole lines to standard error while the bars step aside.
struct AboveBars;

impl<'a> MakeWriter<'a> for AboveBars {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        Self
    }
}

impl Write for AboveBars {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        bars().suspend(|| io::stderr().lock().write_all(bytes)).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
