//! The queue of log lines: one thread writes them to standard error.
//!
//! If the reader of standard error stalls, only that thread waits. The queue then fills up, and further lines are dropped and counted.

use std::io::{self, BufWriter, Stderr, Write};
use std::sync::mpsc::channel;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};

use crate::service::telemetry::metrics::LOG_LINES_DROPPED;

/// Maximum number of lines in the queue: some megabytes, and half a second of lines at full load.
const LINES: usize = 8192;
/// Pause of the thread after it has written all lines. To wake it for each line would cost a request two context switches, a tenth of its
/// CPU time.
const PAUSE: Duration = Duration::from_millis(5);
/// Maximum time to write the last lines of a process.
pub(crate) const LAST_LINES: Duration = Duration::from_secs(2);

/// Counts the dropped lines of this process.
static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// The thread of the queue. Dropping it writes the remaining lines, for at most [`LAST_LINES`].
pub(crate) struct LogQueue(Option<WorkerGuard>);

/// Starts the queue. Returns the writer for log lines.
pub(crate) fn start() -> (NonBlocking, LogQueue) {
    let builder = NonBlockingBuilder::default().buffered_lines_limit(LINES).lossy(true).thread_name("log");
    let (writer, guard) = builder.finish(Together(BufWriter::new(io::stderr())));
    let _ = DROPPED.set(writer.error_counter());
    (writer, LogQueue(Some(guard)))
}

/// Buffers the lines of some milliseconds, and writes them in one call.
struct Together(BufWriter<Stderr>);

impl Write for Together {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write(line)
    }

    /// Called when the queue is empty.
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()?;
        thread::sleep(PAUSE);
        Ok(())
    }
}

impl Drop for LogQueue {
    fn drop(&mut self) {
        // If the queue is full, the guard writes to standard output, whose reader may have stalled too.
        let guard = self.0.take();
        within(LAST_LINES, move || drop(guard));
    }
}

/// Runs `write` on a thread of its own, and waits for it for at most `limit`.
pub(crate) fn within(limit: Duration, write: impl FnOnce() + Send + 'static) {
    let (done, is_done) = channel();
    let write = move || {
        write();
        let _ = done.send(());
    };
    if thread::Builder::new().name("last lines".to_owned()).spawn(write).is_ok() {
        let _ = is_done.recv_timeout(limit);
    }
}

/// Sets the metric of dropped lines.
pub(crate) fn observe() {
    // Between reading the counter and raising it, another scrape may not raise it too.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let dropped = DROPPED.get().map_or(0, ErrorCounter::dropped_lines) as u64;
    let counter = LOG_LINES_DROPPED.with([]);
    counter.inc_by(dropped.saturating_sub(counter.get()));
}
