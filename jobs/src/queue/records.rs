//! The records of jobs: a stream with one message for each subject.

use std::time::Duration;

use async_nats::datetime::DateTime;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use futures_util::StreamExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use superflip::cli::Failure;

use super::{Queue, retry, unanswered};
use crate::job::JobId;

/// Time for up to a thousand records.
const READ_TIME: Duration = Duration::from_secs(2);

/// The kind of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// [`Spec`](crate::job::Spec).
    Spec,
    /// [`Submitted`](crate::job::Submitted).
    Submitted,
    /// Time of the first attempt.
    Started,
    /// The job was cancelled.
    Cancelled,
    /// [`Finished`](crate::job::Finished).
    Finished,
    /// [`Done`](crate::job::Done), for each chunk.
    Done,
    /// [`Failed`](crate::job::Failed), for each chunk.
    Failed,
}

/// A record with the time at which the server received it, in seconds since 1970.
#[derive(Clone, Debug)]
pub(crate) struct Record<T> {
    pub(crate) value: T,
    pub(crate) time: f64,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Submitted => "submitted",
            Self::Started => "started",
            Self::Cancelled => "cancelled",
            Self::Finished => "finished",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    fn subject(self, job: &str) -> String {
        format!("superflip.jobs.{job}.{}", self.name())
    }
}

impl Queue {
    /// Stores a record. Waits while the server is unreachable.
    pub(crate) async fn put(&self, job: &JobId, kind: Kind, value: &impl Serialize) {
        self.put_at(kind.subject(job.as_str()), value).await;
    }

    /// Stores the record of a chunk.
    pub(crate) async fn put_chunk(&self, job: &JobId, kind: Kind, chunk: u64, value: &impl Serialize) {
        self.put_at(format!("{}.{chunk}", kind.subject(job.as_str())), value).await;
    }

    async fn put_at(&self, subject: String, value: &impl Serialize) {
        // Writing the records as JSON into memory cannot fail.
        let payload = super::bytes(serde_json::to_vec(value).unwrap_or_default());
        let publish = || async { self.context.publish(subject.clone(), payload.clone()).await?.await };
        retry("cannot store a record", publish).await;
    }

    /// Stores a record unless there is one.
    pub(crate) async fn put_first(&self, job: &JobId, kind: Kind, value: &impl Serialize) -> Result<(), Failure> {
        if self.get_text(job, kind).await?.is_some() {
            return Ok(());
        }
        let payload = serde_json::to_vec(value).map_err(Failure::runtime)?;
        let message = PublishMessage::build().payload(super::bytes(payload)).expected_last_subject_sequence(0);
        let sent = self.context.send_publish(kind.subject(job.as_str()), message).await.map_err(unanswered)?;
        match sent.await {
            Err(error) if !error.to_string().contains("wrong last sequence") => Err(unanswered(error)),
            _ => Ok(()),
        }
    }

    /// Returns a record.
    pub(crate) async fn get<T: DeserializeOwned>(&self, job: &JobId, kind: Kind) -> Result<Option<Record<T>>, Failure> {
        let Some(Record { value, time }) = self.get_text(job, kind).await? else { return Ok(None) };
        let value = serde_json::from_slice(&value).map_err(|error| {
            let subject = kind.subject(job.as_str());
            Failure::Runtime(format!(
                "the record {subject} is damaged: {error}; use one version of superflip-jobs, or submit with --new"
            ))
        })?;
        Ok(Some(Record { value, time }))
    }

    /// Returns the text of a record.
    pub(crate) async fn get_text(&self, job: &JobId, kind: Kind) -> Result<Option<Record<Vec<u8>>>, Failure> {
        match self.jobs.get_last_raw_message_by_subject(&kind.subject(job.as_str())).await {
            Ok(message) => Ok(Some(Record { time: seconds(message.time), value: message.payload.into() })),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(unanswered(error)),
        }
    }

    /// Returns the records of all jobs of a kind.
    pub(crate) async fn of_all_jobs<T: DeserializeOwned>(&self, kind: Kind) -> Result<Vec<Record<T>>, Failure> {
        Ok(self.list(kind.subject("*")).await?.into_iter().map(|(_, record)| record).collect())
    }

    /// Returns the records of the chunks of a job, with the number of each chunk.
    pub(crate) async fn of_chunks<T: DeserializeOwned>(
        &self,
        job: &JobId,
        kind: Kind,
    ) -> Result<Vec<(u64, Record<T>)>, Failure> {
        let records = self.list(format!("{}.*", kind.subject(job.as_str()))).await?;
        let number = |subject: &str| subject.rsplit('.').next().and_then(|number| number.parse().ok());
        Ok(records.into_iter().filter_map(|(subject, record)| Some((number(&subject)?, record))).collect())
    }

    /// Removes a record.
    pub(crate) async fn remove(&self, job: &JobId, kind: Kind) -> Result<(), Failure> {
        self.jobs.purge().filter(kind.subject(job.as_str())).await.map(drop).map_err(unanswered)
    }

    /// Removes the record of a chunk.
    pub(crate) async fn remove_chunk(&self, job: &JobId, kind: Kind, chunk: u64) -> Result<(), Failure> {
        let subject = format!("{}.{chunk}", kind.subject(job.as_str()));
        self.jobs.purge().filter(subject).await.map(drop).map_err(unanswered)
    }

    /// Removes the records of the chunks of a job.
    pub(crate) async fn remove_of_chunks(&self, job: &JobId, kind: Kind) -> Result<(), Failure> {
        self.jobs.purge().filter(format!("{}.*", kind.subject(job.as_str()))).await.map(drop).map_err(unanswered)
    }

    /// Returns the number of records of the chunks of a job, without reading them.
    pub(crate) async fn count_of_chunks(&self, job: &JobId, kind: Kind) -> Result<u64, Failure> {
        let consumer = self.reader(format!("{}.*", kind.subject(job.as_str()))).await?;
        self.close(&consumer).await;
        Ok(consumer.cached_info().num_pending)
    }

    /// Creates a consumer of the records whose subject matches.
    async fn reader(&self, filter_subject: String) -> Result<Consumer<pull::Config>, Failure> {
        let config = pull::Config {
            ack_policy: AckPolicy::None,
            filter_subject,
            inactive_threshold: Duration::from_secs(30),
            memory_storage: true,
            ..pull::Config::default()
        };
        self.jobs.create_consumer(config).await.map_err(unanswered)
    }

    async fn close(&self, consumer: &Consumer<pull::Config>) {
        // If this fails, the server still removes it, only later.
        let _ = self.jobs.delete_consumer(&consumer.cached_info().name).await;
    }

    /// Reads all records whose subject matches.
    async fn list<T: DeserializeOwned>(&self, filter_subject: String) -> Result<Vec<(String, Record<T>)>, Failure> {
        let consumer = self.reader(filter_subject).await?;
        let expected = consumer.cached_info().num_pending;
        let (mut records, mut count_read) = (Vec::new(), 0_u64);
        // A record may be replaced or removed while it is read, so there may be fewer.
        while count_read < expected {
            let count = usize::try_from(expected - count_read).unwrap_or(usize::MAX);
            // A pull without an end waits for ever when the records are removed after it has begun: the job is done.
            let pull = consumer.batch().max_messages(count.min(1000)).expires(READ_TIME).messages();
            let mut batch = pull.await.map_err(unanswered)?;
            let before = count_read;
            while let Some(message) = batch.next().await {
                let message = message.map_err(unanswered)?;
                let time = seconds(message.info().map_err(unanswered)?.published);
                count_read += 1;
                // One damaged record must not hide the others. A missing chunk is found by the next `submit`.
                match serde_json::from_slice(&message.payload) {
                    Ok(value) => records.push((message.subject.to_string(), Record { value, time })),
                    Err(error) => tracing::warn!(subject = %message.subject, %error, "ignored a damaged record"),
                }
            }
            if count_read == before {
                break;
            }
        }
        self.close(&consumer).await;
        Ok(records)
    }
}

/// Returns a time in seconds since 1970.
#[allow(clippy::cast_precision_loss)] // microseconds are exact
pub(crate) fn seconds(time: DateTime) -> f64 {
    time.unix_timestamp_nanos() as f64 / 1e9
}
