//! The two streams of the queue.
//!
//! | stream | subjects | holds |
//! | --- | --- | --- |
//! | `SUPERFLIP_CHUNKS` | `superflip.chunks.JOB` | chunks that are not done. A work queue: an acknowledged message is removed. When it is full, it refuses messages |
//! | `SUPERFLIP_JOBS` | `superflip.jobs.JOB.KIND` | [records]: the last message of each subject |

mod records;

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context, ErrorCode, Message};
use async_nats::{Client, ConnectOptions, ServerAddr};
use superflip::cli::Failure;
use tokio::time::sleep;

use crate::args::{Limits, Nats};
use crate::chunks::{Chunk, MAX_CHUNK_BYTES};
use crate::job::JobId;
pub(crate) use records::{Kind, seconds};

const CHUNKS: &str = "SUPERFLIP_CHUNKS";
const JOBS: &str = "SUPERFLIP_JOBS";
const CHUNK_SUBJECT: &str = "superflip.chunks";
const WORKERS: &str = "workers";
const CHUNK_HEADER: &str = "Superflip-Chunk";
const LINE_HEADER: &str = "Superflip-First-Line";
/// Time limit for an answer of the server.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum size of the message of a chunk: its lines, with room for headers and for what compression may add.
const MAX_MESSAGE: usize = MAX_CHUNK_BYTES + (64 << 10);
/// Longest pause between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(2);

/// The connection to the streams.
#[derive(Clone)]
pub(crate) struct Queue {
    context: Context,
    jobs: Stream,
    chunks: Stream,
}

/// A chunk that a worker has taken.
pub(crate) struct Taken {
    pub(crate) message: Message,
    pub(crate) job: JobId,
    pub(crate) number: u64,
    pub(crate) first_line: u64,
    /// Number of times that the chunk was given to a worker.
    pub(crate) attempts: i64,
}

impl Queue {
    /// Connects to existing streams.
    pub(crate) async fn connect(nats: &Nats) -> Result<Self, Failure> {
        let context = context(nats).await?;
        let open = async |name: &str| {
            context.get_stream(name).await.map_err(|error| {
                let server = shown(nats);
                Failure::Runtime(match error.kind() {
                    GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND => {
                        format!(
                            "there are no jobs on {server}: it has no stream {name}; `superflip-jobs submit FILE` creates it, or name another \
                             server with --nats"
                        )
                    }
                    _ => format!("cannot open the stream {name} on {server}: {error}; nats-server needs the option -js"),
                })
            })
        };
        let (jobs, chunks) = (open(JOBS).await?, open(CHUNKS).await?);
        Ok(Self { context, jobs, chunks })
    }

    /// Connects, and creates the streams if they do not exist.
    pub(crate) async fn create(limits: &Limits) -> Result<Self, Failure> {
        let context = context(&limits.nats).await?;
        let common = stream::Config {
            storage: StorageType::File,
            num_replicas: limits.replicas.into(),
            ..stream::Config::default()
        };
        let jobs = stream::Config {
            name: JOBS.to_owned(),
            subjects: vec!["superflip.jobs.>".to_owned()],
            max_messages_per_subject: 1,
            ..common.clone()
        };
        let chunks = stream::Config {
            name: CHUNKS.to_owned(),
            subjects: vec![format!("{CHUNK_SUBJECT}.*")],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_messages: limits.max_chunks.into(),
            max_bytes: limits.max_bytes.into(),
            duplicate_window: Duration::from_mins(2),
            ..common
        };
        let largest = context.client().server_info().max_payload;
        if largest < MAX_MESSAGE {
            return Err(Failure::Runtime(format!(
                "{} accepts messages of at most {largest} bytes, and chunks have up to {MAX_MESSAGE}; raise its `max_payload`",
                shown(&limits.nats)
            )));
        }
        let jobs = open_or_create(&context, jobs, &limits.nats).await?;
        let chunks = open_or_create(&context, chunks, &limits.nats).await?;
        Ok(Self { context, jobs, chunks })
    }

    /// Puts a chunk into the queue. Waits while the queue is full or the server is unreachable.
    pub(crate) async fn push(&self, job: &JobId, generation: u32, chunk: &Chunk, payload: Vec<u8>) {
        let (subject, payload) = (format!("{CHUNK_SUBJECT}.{job}"), bytes(payload));
        let id = format!("{job}.{}.{generation}", chunk.number);
        let message = || {
            PublishMessage::build()
                .payload(payload.clone())
                .message_id(&id)
                .header(CHUNK_HEADER, chunk.number.to_string())
                .header(LINE_HEADER, chunk.first_line.to_string())
        };
        retry("cannot put a chunk into the queue", || async {
            self.context.send_publish(subject.clone(), message()).await?.await
        })
        .await;
    }

    /// Returns the number of chunks of a job in the queue, with those that workers have taken.
    pub(crate) async fn queued(&self, job: &JobId) -> Result<u64, Failure> {
        use futures_util::TryStreamExt as _;
        let subjects = self.chunks.info_with_subjects(format!("{CHUNK_SUBJECT}.{job}")).await.map_err(unanswered)?;
        let counts: Vec<(String, usize)> = subjects.try_collect().await.map_err(unanswered)?;
        Ok(counts.into_iter().map(|(_, count)| count as u64).sum())
    }

    /// Removes the chunks of a job from the queue.
    pub(crate) async fn purge(&self, job: &JobId) -> Result<(), Failure> {
        self.chunks.purge().filter(format!("{CHUNK_SUBJECT}.{job}")).await.map(drop).map_err(unanswered)
    }

    /// Returns the consumer that all workers share. The first worker sets `ack_wait`.
    pub(crate) async fn workers(&self, ack_wait: Duration) -> Result<Consumer<pull::Config>, Failure> {
        let config = pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            // A worker counts the attempts, so that it can say which chunk failed.
            max_deliver: -1,
            max_ack_pending: -1,
            max_waiting: 8192,
            ..pull::Config::default()
        };
        self.chunks.get_or_create_consumer(WORKERS, config).await.map_err(unanswered)
    }

    /// Sends what is buffered.
    pub(crate) async fn flush(&self) {
        // If this fails, the server still redelivers unacknowledged chunks, only later.
        let _ = tokio::time::timeout(TIMEOUT, self.client().flush()).await;
    }

    fn client(&self) -> Client {
        self.context.client()
    }
}

impl Taken {
    /// Reads the headers of a message. `None` for a message that is no chunk.
    pub(crate) fn new(message: Message) -> Result<Self, Box<Message>> {
        let header = |name| message.headers.as_ref()?.get(name)?.as_str().parse::<u64>().ok();
        let job = message.subject.strip_prefix(CHUNK_SUBJECT).and_then(|rest| rest.strip_prefix('.')?.parse().ok());
        let attempts = message.info().map(|info| info.delivered).ok();
        match (job, header(CHUNK_HEADER), header(LINE_HEADER), attempts) {
            (Some(job), Some(number), Some(first_line), Some(attempts)) => {
                Ok(Self { message, job, number, first_line, attempts })
            }
            _ => Err(Box::new(message)),
        }
    }
}

/// Repeats an operation until it succeeds. The client reconnects by itself.
pub(crate) async fn retry<T, E: std::fmt::Display>(
    failure: &str,
    mut operation: impl AsyncFnMut() -> Result<T, E>,
) -> T {
    let (mut pause, mut is_reported) = (Duration::from_millis(50), false);
    loop {
        match operation().await {
            Ok(value) => return value,
            Err(error) => {
                let error = error.to_string();
                // A full queue is part of normal work.
                if error.contains("maximum messages exceeded") || error.contains("maximum bytes exceeded") {
                    tracing::debug!("the queue is full");
                } else if !is_reported {
                    tracing::warn!(error, "{failure}; trying again");
                    is_reported = true;
                }
                sleep(pause).await;
                pause = (pause * 2).min(MAX_PAUSE);
            }
        }
    }
}

/// Opens a stream, or creates it.
async fn open_or_create(context: &Context, wanted: stream::Config, nats: &Nats) -> Result<Stream, Failure> {
    let (name, server) = (wanted.name.clone(), shown(nats));
    let stream = context.get_or_create_stream(wanted.clone()).await.map_err(|error| {
        Failure::Runtime(format!(
            "cannot create the stream {name} on {server}: {error}; nats-server needs the option -js"
        ))
    })?;
    let found = &stream.cached_info().config;
    // The limits may be those of an earlier command. No limit per subject is 0 or -1.
    let properties = |config: &stream::Config| {
        (config.subjects.clone(), config.retention, config.discard, config.max_messages_per_subject.max(0))
    };
    if properties(found) == properties(&wanted) {
        return Ok(stream);
    }
    Err(Failure::Runtime(format!(
        "the stream {name} on {server} is not one of superflip-jobs: its subjects, retention, discard policy or limit per subject differ; \
         remove or rename it, or use an account of its own"
    )))
}

fn bytes(payload: Vec<u8>) -> tokio_util::bytes::Bytes {
    payload.into()
}

fn unanswered(error: impl std::fmt::Display) -> Failure {
    Failure::Runtime(format!("a request to the NATS server failed: {error}"))
}

/// Connects to the server. After that, the client reconnects by itself without a limit.
async fn context(nats: &Nats) -> Result<Context, Failure> {
    let addresses =
        nats.url.split(',').map(|address| address.trim().parse::<ServerAddr>()).collect::<Result<Vec<_>, _>>();
    // The message does not repeat the address, which may have a password.
    let addresses = addresses.map_err(|error| {
        Failure::Input(format!("--nats is not a list of addresses such as nats://127.0.0.1:4222: {error}"))
    })?;
    let options = ConnectOptions::new()
        .name("superflip-jobs")
        .request_timeout(Some(TIMEOUT))
        .ping_interval(Duration::from_secs(5))
        .reconnect_delay_callback(|attempts| Duration::from_millis(100 << attempts.min(4)));
    let client = options.connect(addresses).await.map_err(|error| {
        Failure::Runtime(format!(
            "cannot connect to {}: {error}; start nats-server with -js, or name the server with --nats",
            shown(nats)
        ))
    })?;
    let mut context = jetstream::new(client);
    context.set_timeout(TIMEOUT);
    Ok(context)
}

/// Returns the addresses without users and passwords.
pub(crate) fn shown(nats: &Nats) -> String {
    let host = |address: &str| address.rsplit('@').next().unwrap_or_default().trim().to_owned();
    nats.url.split(',').map(host).collect::<Vec<_>>().join(", ")
}
