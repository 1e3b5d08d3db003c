//! Server-sent events of work that runs while they are sent.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::HeaderName;
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::future::{BoxFuture, OptionFuture};
use futures_util::stream::{self, Stream, StreamExt as _};
use serde::Serialize;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::json;
use super::middleware::request_facts::RequestFacts;
use super::middleware::request_id::RequestIdText;
use crate::api::problem::{Document, Problem};

/// Interval of heartbeat comments.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Response header that disables buffering in nginx, and in proxies that support the same header.
pub(crate) const UNBUFFERED: [(HeaderName, &str); 1] = [(HeaderName::from_static("x-accel-buffering"), "no")];

/// A message from the work to the stream of its events.
pub(crate) enum Message<E> {
    /// Start of the work. The response can begin.
    Started,
    /// An event before the end.
    Event(E),
    /// The end of the work: its last event, or a problem.
    Ended(Result<E, Problem>),
}

/// Data of the events of a search, with their names.
pub(crate) trait SearchEvent: Serialize + Send + 'static {
    /// Returns the name of the event.
    fn name(&self) -> &'static str;

    /// Creates the last event of a search that failed.
    fn of_problem(problem: Document) -> Self;
}

/// Running work and its messages. Dropping it stops the work.
pub(crate) struct Work<E> {
    running: Option<BoxFuture<'static, ()>>,
    messages: UnboundedReceiver<Message<E>>,
}

impl<E: Send + 'static> Work<E> {
    /// Creates work that sends messages through `sender`, and its result at the end.
    pub(crate) fn new(
        (sender, messages): (UnboundedSender<Message<E>>, UnboundedReceiver<Message<E>>),
        work: impl Future<Output = Result<E, Problem>> + Send + 'static,
    ) -> Self {
        let running = async move {
            // Sending cannot fail: this future is dropped together with the receiver.
            let _ = sender.send(Message::Ended(work.await));
        };
        Self { running: Some(Box::pin(running)), messages }
    }

    /// Waits for the first message, then returns the stream of events.
    ///
    /// # Errors
    /// Returns the problem of work that ends before it sends a message, so that the response has the status of the problem.
    pub(crate) async fn events(mut self) -> Result<impl Stream<Item = Result<E, Problem>> + Send, Problem> {
        let first = match self.next().await {
            Some(Message::Ended(Err(problem))) => return Err(problem),
            first => first,
        };
        let messages = stream::unfold((first, Some(self)), async |(first, work)| {
            let mut work = work?;
            let message = match first {
                Some(first) => first,
                None => work.next().await?,
            };
            let is_last = matches!(message, Message::Ended(_));
            Some((message, (None, (!is_last).then_some(work))))
        });
        Ok(messages.filter_map(async |message| match message {
            Message::Started => None,
            Message::Event(event) => Some(Ok(event)),
            Message::Ended(result) => Some(result),
        }))
    }

    /// Answers with the events of a search, each of which is given to `seen` before it is sent.
    ///
    /// # Errors
    /// Returns the errors of [`Work::events`].
    pub(crate) async fn response(
        self,
        RequestIdText(id): RequestIdText,
        facts: RequestFacts,
        seen: impl Fn(&RequestFacts, &E) + Send + 'static,
    ) -> Result<Response, Problem>
    where
        E: SearchEvent,
    {
        let events = self.events().await?.map(move |event| {
            let event = event.unwrap_or_else(|problem| {
                facts.problem(&problem);
                E::of_problem(problem.in_request(&id))
            });
            seen(&facts, &event);
            Ok::<_, Infallible>(json::event(event.name(), &event))
        });
        let keep_alive = KeepAlive::new().interval(HEARTBEAT).text("searching");
        Ok((UNBUFFERED, Sse::new(events).keep_alive(keep_alive)).into_response())
    }

    async fn next(&mut self) -> Option<Message<E>> {
        loop {
            tokio::select! {
                biased;
                message = self.messages.recv() => return message,
                Some(()) = OptionFuture::from(self.running.as_mut()) => self.running = None,
            }
        }
    }
}
