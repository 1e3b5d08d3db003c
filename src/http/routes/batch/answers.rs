//! From answers as they come to lines in the order that was asked for.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream;
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use crate::api::problem::Problem;
use crate::api::types::{BatchAnswer, BatchOrder, BatchProblem, BatchSolved};
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::routes::batch::{Answered, Line, Solution, Spent, Unsolved};
use crate::service::batch::{Place, Window};
use crate::service::telemetry::metrics::LineMeters;

/// Lines that are ready together are sent together, up to about so many bytes.
const CHUNK: usize = 64 << 10;
/// As many lines need not wait for others.
const ENOUGH: usize = 128;
/// Most answers with one solution are shorter.
const LINE: usize = 512;
/// How long a line waits for company while others are being searched for: to wake for each, and to write it, would cost as much as
/// a search does.
const FOR_COMPANY: Duration = Duration::from_millis(20);

/// The answers of one batch; dropping this stops it.
pub(crate) struct Answers {
    answered: mpsc::UnboundedReceiver<Answered>,
    order: BatchOrder,
    /// By ordinal: those whose turn has not come, as many as the window has places at most.
    waiting: BTreeMap<u64, Answered>,
    next: u64,
    /// Whether the lines that were sent last were all that go together.
    is_full: bool,
    window: Window,
    /// Gone when everything is written.
    batch: Option<AbortOnDropHandle<Result<(), Problem>>>,
    id: String,
    facts: RequestFacts,
    meters: LineMeters,
}

impl Answers {
    pub(crate) fn new(
        answered: mpsc::UnboundedReceiver<Answered>,
        order: BatchOrder,
        window: Window,
        batch: AbortOnDropHandle<Result<(), Problem>>,
        id: String,
        facts: RequestFacts,
    ) -> Self {
        let meters = LineMeters::default();
        Self {
            answered,
            order,
            waiting: BTreeMap::new(),
            next: 0,
            is_full: false,
            window,
            batch: Some(batch),
            id,
            facts,
            meters,
        }
    }

    pub(crate) fn into_body(self) -> Body {
        Body::from_stream(stream::unfold(self, Self::chunk))
    }

    /// The next lines, and those after them.
    async fn chunk(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        // To hear of the first answer would be one waking more. Behind a full chunk there may be others that are ready.
        if !self.is_full && self.answered.len() < ENOUGH {
            self.wait_for_company().await;
        }
        let lines = self.answered.len().clamp(1, ENOUGH);
        let (mut text, mut places) = (Vec::with_capacity(lines * LINE), Vec::with_capacity(lines));
        loop {
            while text.len() < CHUNK {
                let Some(answered) = self.ready() else { break };
                places.push(self.write(answered, &mut text));
            }
            if !text.is_empty() {
                self.is_full = text.len() >= CHUNK;
                // Given back together, or the feeder would be woken for each.
                drop(places);
                return Some((Ok(text.into()), self));
            }
            if let Some(answered) = self.answered.recv().await {
                self.waiting.insert(answered.line.ordinal, answered);
                self.wait_for_company().await;
            } else if !self.waiting.is_empty() {
                // It ended early: what is missing will not come, the rest is in order.
                self.order = BatchOrder::Any;
            } else {
                let ended = self.batch.take()?.await;
                let problem = ended.unwrap_or_else(|_| Err(Problem::internal())).err()?;
                self.facts.problem(&problem);
                let problem = problem.in_request(&self.id);
                push(&BatchAnswer::Problem(BatchProblem { line: None, id: None, problem }), &mut text);
            }
        }
    }

    /// Waits for more answers, if there are searches that may bring some.
    async fn wait_for_company(&self) {
        if self.window.is_searching() && !self.answered.is_closed() {
            let _ = tokio::time::timeout(FOR_COMPANY, self.window.searched()).await;
        }
    }

    /// The answer whose turn it is, if it is there.
    fn ready(&mut self) -> Option<Answered> {
        loop {
            let waiting = match self.order {
                BatchOrder::Any => self.waiting.pop_first().map(|(_, answered)| answered),
                BatchOrder::Input => self.waiting.remove(&self.next),
            };
            let ready = match waiting {
                Some(answered) => answered,
                // Most come when it is their turn.
                None => match self.answered.try_recv().ok()? {
                    answered if self.order == BatchOrder::Any || answered.line.ordinal == self.next => answered,
                    early => {
                        self.waiting.insert(early.line.ordinal, early);
                        continue;
                    }
                },
            };
            self.next += 1;
            return Some(ready);
        }
    }

    /// Writes a line; the place that it gives up.
    fn write(&self, Answered { line, answer }: Answered, text: &mut Vec<u8>) -> Place {
        let Line { number, id, place, .. } = line;
        let answer = match answer {
            Ok(Solution { task, outcome, queued }) => {
                self.meters.solved.increment(1);
                let answer = task.answer(&outcome, queued);
                self.facts.line_solved(&answer);
                BatchAnswer::Solved(BatchSolved { line: number, id, answer })
            }
            Err(Unsolved { problem, effort }) => {
                if let Some((nodes, Spent { queued, elapsed })) = effort {
                    self.meters.unsolved.increment(1);
                    self.facts.line_unsolved(nodes, elapsed, queued);
                } else {
                    self.meters.refused.increment(1);
                    self.facts.line_refused();
                }
                BatchAnswer::Problem(BatchProblem { line: Some(number), id, problem: problem.in_request(&self.id) })
            }
        };
        push(&answer, text);
        place
    }
}

fn push(answer: &BatchAnswer, text: &mut Vec<u8>) {
    // Writing these as JSON into memory cannot fail.
    if serde_json::to_writer(&mut *text, answer).is_ok() {
        text.push(b'\n');
    }
}
