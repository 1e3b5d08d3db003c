//! Reads the lines of a batch: splits chunks of bytes, parses lines, and feeds the searches as the window permits.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, StreamExt as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::bytes::BytesMut;
use tokio_util::codec::{Decoder as _, LinesCodec, LinesCodecError};

use super::line::is_comment;
use super::search::{Feed, Searches, Waiting, channel};
use super::window::{Permit, Window};
use super::{Adapter, Answered, Line, LineTask, Parsed, Unsolved};
use crate::api::problem::{Code, Problem};

/// Reads one batch.
pub struct Reader<S, A> {
    lines: Lines<S>,
    adapter: Arc<A>,
    window: Window,
    feed: Feed,
    answered: UnboundedSender<Answered>,
    /// Idle timeout: maximum time without a line, an answer and a search.
    idle: Duration,
}

/// Connects a reader with its searches, and returns the channel of the results.
pub fn connect<S, A: Adapter>(
    lines: Lines<S>,
    adapter: A,
    window: Window,
    idle: Duration,
) -> (Reader<S, A>, Searches<A>, UnboundedReceiver<Answered>) {
    let (adapter, (answered, answers)) = (Arc::new(adapter), unbounded_channel());
    let (feed, searches) = channel(Arc::clone(&adapter), window.clone(), answered.clone());
    (Reader { lines, adapter, window, feed, answered, idle }, searches, answers)
}

impl<S, B, A> Reader<S, A>
where
    S: Stream<Item = Result<B, Problem>> + Unpin,
    B: AsRef<[u8]>,
    A: Adapter,
{
    /// Reads every line, until the input or the solver threads end.
    ///
    /// # Errors
    /// Returns an error if the input is incomplete, or the batch is idle for too long.
    pub async fn run(mut self) -> Result<(), Problem> {
        let mut ordinal = 0;
        loop {
            // Most lines have arrived and a permit is free, so try first without a timer.
            tokio::task::consume_budget().await;
            let read = if let Some(line) = self.lines.arrived() {
                Some(Ok(line))
            } else {
                tokio::select! {
                    biased;
                    () = self.feed.closed() => return Ok(()),
                    read = self.window.unless_idle(self.idle, self.lines.next()) => {
                        read.ok_or_else(|| self.idle_problem("no line arrived"))?
                    }
                }
            };
            let Some(read) = read else { return Ok(()) };
            let (number, text) = match read {
                Ok(line) => line,
                Err(problem) => {
                    // The lines before the fault get their answers, unless the client takes none.
                    let _ = self.window.unless_idle(self.idle, self.window.empty()).await;
                    return Err(problem);
                }
            };
            let bytes = text.as_ref().map_or(0, String::len);
            let permit = match self.window.try_permit(bytes) {
                Some(permit) => permit,
                None => self
                    .window
                    .unless_idle(self.idle, self.window.permit(bytes))
                    .await
                    .ok_or_else(|| self.idle_problem("no answer was read"))?,
            };
            let parsed = match text {
                Ok(text) => self.adapter.parse(number, &text),
                Err(problem) => Some(Parsed { id: None, task: problem.into() }),
            };
            let Some(parsed) = parsed else { continue };
            if !self.pass_on(parsed, ordinal, number, permit) {
                return Ok(());
            }
            ordinal += 1;
        }
    }

    /// Passes a line on; returns `false` when all solver threads have ended.
    fn pass_on(&self, Parsed { id, task }: Parsed, ordinal: u64, number: usize, permit: Permit) -> bool {
        let line = Line { ordinal, number, id, permit };
        match task {
            LineTask::Ready(Ok(task)) => self.feed.send(line, Waiting::Read(task)).is_ok(),
            LineTask::Ready(Err(problem)) => {
                let result = Err(Unsolved { problem, effort: None });
                self.answered.send(Answered { line, result }).is_ok()
            }
            LineTask::Unread(unread) => self.feed.send(line, Waiting::Unread(unread)).is_ok(),
        }
    }

    fn idle_problem(&self, why: &str) -> Problem {
        let detail = format!("The batch was idle: {why} for {} ms.", self.idle.as_millis());
        Problem::new(Code::SlowRequest, detail)
    }
}

/// The lines of a stream of chunks.
pub struct Lines<S> {
    chunks: S,
    is_over: bool,
    bytes: BytesMut,
    codec: LinesCodec,
    number: usize,
}

/// A line with its number from 1, or the reason why it cannot be read.
pub type NumberedLine = (usize, Result<String, Problem>);

impl<S> Lines<S> {
    /// Splits chunks into lines of at most `limit` bytes.
    pub fn new(chunks: S, limit: usize) -> Self {
        let codec = LinesCodec::new_with_max_length(limit);
        Self { chunks, is_over: false, bytes: BytesMut::new(), codec, number: 0 }
    }

    /// Gives the first line this number instead of 1, for a part of an input.
    #[must_use]
    pub fn numbered_from(self, first: usize) -> Self {
        Self { number: first.saturating_sub(1), ..self }
    }

    /// Returns the next line that is not blank, if it has arrived.
    fn arrived(&mut self) -> Option<NumberedLine> {
        loop {
            let bytes = &mut self.bytes;
            let line = if self.is_over { self.codec.decode_eof(bytes) } else { self.codec.decode(bytes) };
            let line = match line.transpose()? {
                Ok(text) => Ok(without_mark(text)),
                Err(LinesCodecError::MaxLineLengthExceeded) => {
                    let detail = format!(
                        "The line is longer than {} bytes. Make it shorter, or let the operator raise `server.body_limit_bytes`.",
                        self.codec.max_length()
                    );
                    Err(Problem::new(Code::BodyTooLarge, detail))
                }
                Err(LinesCodecError::Io(_)) => Err(Problem::new(Code::MalformedJson, "The line is not UTF-8.")),
            };
            self.number += 1;
            let number = self.number;
            match line {
                Ok(text) if is_blank(&text) => {}
                Ok(text) => return Some((number, Ok(text))),
                Err(problem) => return Some((number, Err(problem.with(|document| document.line = Some(number))))),
            }
        }
    }
}

impl<S: Stream<Item = Result<B, Problem>> + Unpin, B: AsRef<[u8]>> Lines<S> {
    /// Returns the next line that is not blank. Dropping the future loses nothing.
    ///
    /// # Errors
    /// Returns an error if the stream is incomplete.
    pub async fn next(&mut self) -> Option<Result<NumberedLine, Problem>> {
        loop {
            if let Some(line) = self.arrived() {
                return Some(Ok(line));
            }
            if self.is_over {
                return None;
            }
            // Yield from time to time: the stream may be an endless sequence of blank lines.
            tokio::task::consume_budget().await;
            match self.chunks.next().await {
                Some(Ok(chunk)) => self.bytes.extend_from_slice(chunk.as_ref()),
                Some(Err(problem)) => return Some(Err(problem)),
                None => self.is_over = true,
            }
        }
    }
}

/// Returns whether a line has an answer: all have but blank lines and comments.
pub fn has_answer(line: &[u8]) -> bool {
    // Most lines begin with a visible character, so their text need not be checked.
    match line.first() {
        Some(first) if first.is_ascii_graphic() => *first != b'#',
        // A line that is not UTF-8 is answered with a problem.
        _ => str::from_utf8(line).map_or(true, |text| {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            !is_blank(text) && !is_comment(text)
        }),
    }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Removes a byte order mark.
fn without_mark(line: String) -> String {
    if line.starts_with('\u{feff}') { line.replacen('\u{feff}', "", 1) } else { line }
}
