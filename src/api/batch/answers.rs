//! Orders the answers of a batch and joins them into chunks.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::task::AbortOnDropHandle;

use super::window::Window;
use super::{Answered, Writer};
use crate::api::problem::Problem;
use crate::api::types::BatchOrder;

/// Size from which a chunk accepts no further answer, in bytes.
const CHUNK_BYTES: usize = 64 << 10;
/// Number of answers that are sent without waiting for more.
const CHUNK_LINES: usize = 128;
/// Expected size of an answer, in bytes.
const LINE_BYTES: usize = 512;
/// Maximum time for which an answer waits for others while searches run. A wakeup and a write for each answer would cost as much
/// as a search.
const JOIN_TIME: Duration = Duration::from_millis(20);

/// The answers of one batch; dropping it stops the batch.
pub struct Answers<W> {
    answered: UnboundedReceiver<Answered>,
    order: BatchOrder,
    /// Results that arrived before an earlier line's result, by ordinal. The window limits their number.
    waiting: BTreeMap<u64, Answered>,
    next: u64,
    /// Whether the last chunk was full, so that more answers may be ready.
    is_full: bool,
    window: Window,
    batch: Batch,
    writer: W,
}

/// The batch whose answers are written.
enum Batch {
    Running(AbortOnDropHandle<Result<(), Problem>>),
    Complete,
    Failed(Problem),
    /// Its last line is written.
    Over,
}

impl<W: Writer> Answers<W> {
    /// Creates the answers of a running batch from the channel of its results.
    pub fn new(
        answered: UnboundedReceiver<Answered>,
        order: BatchOrder,
        window: Window,
        batch: AbortOnDropHandle<Result<(), Problem>>,
        writer: W,
    ) -> Self {
        let waiting = BTreeMap::new();
        Self { answered, order, waiting, next: 0, is_full: false, window, batch: Batch::Running(batch), writer }
    }

    /// Returns the writer.
    pub fn writer(&self) -> &W {
        &self.writer
    }

    /// Returns the next chunk of whole lines, or `None` after the last.
    ///
    /// If the batch ended early, the last line is its problem. Answers in the order of the lines end before the first one that is missing, so
    /// that the client can send the batch again from there.
    pub async fn next_chunk(&mut self) -> Option<Vec<u8>> {
        if matches!(self.batch, Batch::Over) {
            return None;
        }
        // Wait for several answers at once: a wait for the first alone would wake this task twice.
        if !self.is_full && self.answered.len() < CHUNK_LINES {
            self.wait_for_more().await;
        }
        let lines = self.answered.len().clamp(1, CHUNK_LINES);
        let (mut text, mut permits) = (Vec::with_capacity(lines * LINE_BYTES), Vec::with_capacity(lines));
        loop {
            while text.len() < CHUNK_BYTES {
                let Some(Answered { line, result }) = self.ready() else { break };
                self.writer.answer(line.number, line.id, result, &mut text);
                permits.push(line.permit);
            }
            if !text.is_empty() {
                self.is_full = text.len() >= CHUNK_BYTES;
                // Release the permits together, so that the reader wakes up once.
                drop(permits);
                return Some(text);
            }
            if let Some(answered) = self.receive().await {
                self.waiting.insert(answered.line.ordinal, answered);
                self.wait_for_more().await;
            } else {
                let Batch::Failed(problem) = std::mem::replace(&mut self.batch, Batch::Over) else { return None };
                self.writer.failed(problem, &mut text);
                // Each answer that is left holds a place in the window. Those of searches that were cancelled may still arrive.
                self.answered.close();
                while self.answered.try_recv().is_ok() {}
                self.waiting.clear();
                return Some(text);
            }
        }
    }

    /// Waits for the next result. Returns `None` when there is none, and the batch has ended.
    async fn receive(&mut self) -> Option<Answered> {
        let Batch::Running(batch) = &mut self.batch else { return self.answered.try_recv().ok() };
        // The searches of a batch that failed stop soon, but they may have no core. So wait for the batch, not for the end of its channel.
        let ended = tokio::select! {
            biased;
            Some(answered) = self.answered.recv() => return Some(answered),
            ended = batch => ended,
        };
        self.batch = match ended {
            Ok(Ok(())) => Batch::Complete,
            Ok(Err(problem)) => Batch::Failed(problem),
            Err(_) => Batch::Failed(Problem::internal()),
        };
        if matches!(self.batch, Batch::Complete) { self.answered.recv().await } else { self.answered.try_recv().ok() }
    }

    /// Waits for more results while searches run.
    async fn wait_for_more(&self) {
        if self.window.is_searching() && !self.answered.is_closed() {
            let _ = tokio::time::timeout(JOIN_TIME, self.window.searched()).await;
        }
    }

    /// Returns the next result in the order of the answers, if it has arrived.
    fn ready(&mut self) -> Option<Answered> {
        loop {
            let waiting = match self.order {
                BatchOrder::Any => self.waiting.pop_first().map(|(_, answered)| answered),
                BatchOrder::Input => self.waiting.remove(&self.next),
            };
            let ready = match waiting {
                Some(answered) => answered,
                // Most results arrive in order, so they need no map.
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
}
