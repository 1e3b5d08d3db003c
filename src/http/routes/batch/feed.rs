//! From bytes to checked cubes, line by line, no faster than the window lets them in.

use std::pin::pin;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use futures_util::StreamExt as _;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_util::bytes::BytesMut;
use tokio_util::codec::{Decoder as _, LinesCodec, LinesCodecError};

use crate::api::problem::{Code, Problem};
use crate::api::request::json::{Whole, parse};
use crate::api::request::options::Task;
use crate::api::types::{BatchLine, BatchQuery, LineId};
use crate::http::AppState;
use crate::http::routes::batch::{Answered, Line};
use crate::service::batch::{Feed, Window};
use crate::service::config::Config;

/// Longest `id`, in bytes: a thousand of them are in memory at once.
const LONGEST_ID: usize = 256;

/// Reads the body of one batch.
pub(crate) struct Feeder {
    lines: Lines,
    state: AppState,
    defaults: BatchQuery,
    idle: Duration,
    window: Window,
    feed: Feed<(Line, Box<Task>)>,
    answered: mpsc::UnboundedSender<Answered>,
}

impl Feeder {
    pub(crate) fn new(
        body: Body,
        state: &AppState,
        defaults: BatchQuery,
        window: Window,
        feed: Feed<(Line, Box<Task>)>,
        answered: mpsc::UnboundedSender<Answered>,
    ) -> Self {
        let config = &state.config;
        Self {
            lines: Lines::new(body, config.server.body_limit_bytes),
            state: state.clone(),
            defaults,
            idle: config.server.batch_idle_timeout(),
            window,
            feed,
            answered,
        }
    }

    /// Feeds every line, until the body or the solver thread ends.
    ///
    /// # Errors
    /// Why the rest of the body is not read.
    pub(crate) async fn run(mut self) -> Result<(), Problem> {
        let mut ordinal = 0;
        loop {
            // Most lines are there already, and have places: for them there is nothing to wait for, and no clock to set.
            tokio::task::consume_budget().await;
            let read = if let Some(line) = self.lines.arrived() {
                Some(Ok(line))
            } else {
                tokio::select! {
                    biased;
                    () = self.feed.closed() => return Ok(()),
                    read = unless_idle(self.idle, &self.window, self.lines.next()) => {
                        read.ok_or_else(|| self.stood_still("no line came in"))?
                    }
                }
            };
            let Some(read) = read else { return Ok(()) };
            let (number, text) = read?;
            let place = match self.window.try_place() {
                Some(place) => place,
                None => unless_idle(self.idle, &self.window, self.window.place())
                    .await
                    .ok_or_else(|| self.stood_still("no answer was taken"))?,
            };
            let (id, task) = understand(number, text, &self.defaults, &self.state.config);
            // The table may come to be there while lines come in.
            let proof = task.as_ref().ok().and_then(|task| self.state.proof_for(task));
            let line = Line { ordinal, number, id, place };
            ordinal += 1;
            match task {
                Ok(task) => {
                    let (cube, options, time_limit) = (task.cube, task.options(), task.time_limit);
                    let tag = (line, Box::new(task));
                    if self.feed.send(tag, cube, options, time_limit, proof).is_err() {
                        return Ok(());
                    }
                }
                Err(problem) => {
                    let _ = self.answered.send(Answered { line, answer: Err(problem.into()) });
                }
            }
        }
    }

    fn stood_still(&self, why: &str) -> Problem {
        let detail = format!("The batch stood still: {why} for {} ms.", self.idle.as_millis());
        Problem::new(Code::SlowRequest, detail)
    }
}

/// The name of a line and what it asks for, or why that is nothing.
fn understand(
    number: usize,
    text: Result<String, Problem>,
    defaults: &BatchQuery,
    config: &Config,
) -> (Option<LineId>, Result<Task, Problem>) {
    let text = match text {
        Ok(text) => text,
        Err(problem) => return (None, Err(problem)),
    };
    match parse::<BatchLine>(text.as_bytes(), Whole::Line(number)) {
        Ok(BatchLine { id: Some(id), .. }) if !id.is_short() => {
            let detail = format!("`id` is too long; it must have at most {LONGEST_ID} bytes.");
            let problem = Problem::new(Code::OptionOutOfRange, detail);
            (None, Err(problem.with(|document| document.field = Some("id".into()))))
        }
        Ok(line) => {
            let (id, request) = line.split(defaults);
            (id, Task::new(request, config))
        }
        // A line that is wrong is still told by its name, where that can be read.
        Err(problem) => (name_in(&text), Err(problem)),
    }
}

impl LineId {
    fn is_short(&self) -> bool {
        match self {
            Self::Text(text) => text.len() <= LONGEST_ID,
            Self::Number(_) => true,
        }
    }
}

/// The line without a mark of byte order, which some put before all they write.
fn without_mark(line: String) -> String {
    if line.starts_with('\u{feff}') { line.replacen('\u{feff}', "", 1) } else { line }
}

fn name_in(text: &str) -> Option<LineId> {
    #[derive(Deserialize)]
    struct Named {
        id: Option<LineId>,
    }
    // serde reads a list as an object whose names are left out.
    let object = Some(text).filter(|text| text.trim_start().starts_with('{'))?;
    serde_json::from_str::<Named>(object).ok()?.id.filter(LineId::is_short)
}

/// What comes of `future`, unless it comes to nothing for `idle` while no search of the batch is under way.
async fn unless_idle<T>(idle: Duration, window: &Window, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    loop {
        match tokio::time::timeout(idle, future.as_mut()).await {
            Ok(value) => return Some(value),
            Err(_) if window.is_searching() => {}
            Err(_) => return None,
        }
    }
}

/// The lines of a body.
struct Lines {
    body: BodyDataStream,
    is_over: bool,
    bytes: BytesMut,
    codec: LinesCodec,
    number: usize,
}

/// A line with its number from 1, or why it is none.
type Numbered = (usize, Result<String, Problem>);

impl Lines {
    fn new(body: Body, limit: usize) -> Self {
        let codec = LinesCodec::new_with_max_length(limit);
        Self { body: body.into_data_stream(), is_over: false, bytes: BytesMut::new(), codec, number: 0 }
    }

    /// The next line that is not blank, until the body ends or breaks off. What was read is kept when this is dropped.
    async fn next(&mut self) -> Option<Result<Numbered, Problem>> {
        loop {
            if let Some(line) = self.arrived() {
                return Some(Ok(line));
            }
            if self.is_over {
                return None;
            }
            // Chunks of blank lines alone may come without end.
            tokio::task::consume_budget().await;
            match self.body.next().await {
                Some(Ok(chunk)) => self.bytes.extend_from_slice(&chunk),
                Some(Err(error)) => {
                    let detail = format!("The body did not arrive whole: {error}.");
                    return Some(Err(Problem::new(Code::MalformedJson, detail)));
                }
                None => self.is_over = true,
            }
        }
    }

    /// The next line that is not blank, of those that have arrived whole.
    fn arrived(&mut self) -> Option<Numbered> {
        loop {
            let bytes = &mut self.bytes;
            let line = if self.is_over { self.codec.decode_eof(bytes) } else { self.codec.decode(bytes) };
            let line = match line.transpose()? {
                Ok(text) => Ok(without_mark(text)),
                Err(LinesCodecError::MaxLineLengthExceeded) => {
                    let detail = format!("The line may have at most {} bytes.", self.codec.max_length());
                    Err(Problem::new(Code::BodyTooLarge, detail))
                }
                Err(LinesCodecError::Io(_)) => Err(Problem::new(Code::MalformedJson, "The line is not UTF-8.")),
            };
            self.number += 1;
            let number = self.number;
            match line {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => return Some((number, Ok(text))),
                Err(problem) => return Some((number, Err(problem.with(|document| document.line = Some(number))))),
            }
        }
    }
}

/// What reads a batch, for the fuzz target; not there otherwise.
#[cfg(fuzzing)]
pub mod fuzzing {
    use futures_util::{FutureExt as _, stream};

    use crate::http::routes::batch::{BatchQuery, Body, Config, Lines, Numbered, Problem, understand};

    /// The lines of a body that comes in these chunks.
    pub fn lines(chunks: Vec<Vec<u8>>, limit: usize) -> Vec<Numbered> {
        let chunks = chunks.into_iter().map(Ok::<_, std::convert::Infallible>);
        let mut lines = Lines::new(Body::from_stream(stream::iter(chunks)), limit);
        // Every chunk is there, so there is nothing to wait for; and a body of chunks does not break off.
        std::iter::from_fn(|| lines.next().now_or_never().flatten()?.ok()).collect()
    }

    /// Reads the line of this number, and checks what it asks for.
    ///
    /// # Errors
    /// The problem that is answered to it.
    pub fn request(number: usize, text: &str, config: &Config) -> Result<(), Problem> {
        let defaults = BatchQuery::default();
        understand(number, Ok(text.to_owned()), &defaults, config).1.map(drop)
    }
}
