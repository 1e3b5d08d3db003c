//! Subcommands and flags, with their help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use superflip::api::request::options::{LimitOptions, ProofOptions};
use superflip::api::types::{JobOptions, TargetOptions, format_of_name};
use superflip::cli::args::{Configuration, EXIT_CODES, size_of_name, with_names_of_flags};
use superflip::examples;
use superflip::service::version_and_commit;
use superflip_cube::Form;
use superflip_solver::tables::optimal::Size;

use crate::job::JobId;

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "superflip-jobs", about = "Solves files of many Rubik's cubes on many machines, through a queue in NATS JetStream", version = version_and_commit(), after_help = EXIT_CODES, arg_required_else_help = true,
    mut_subcommands(with_names_of_flags))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

// The variants have no doc comments: these would hide the long help of the arguments.
#[allow(clippy::large_enum_variant)] // there is one value
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Submit(Submit),
    Status(Status),
    Results(Results),
    Cancel(Cancel),
    Work(Work),
}

/// The server.
#[derive(Args, Clone, Debug)]
pub(crate) struct Nats {
    /// Address of the NATS server, or of several servers of a cluster, separated by commas
    ///
    /// It may have a user and a password, as in `nats://user:password@host:4222`.
    #[arg(
        long = "nats",
        value_name = "URL",
        env = "SUPERFLIP_JOBS__URL",
        hide_env_values = true,
        default_value = "nats://127.0.0.1:4222",
        help_heading = "Queue"
    )]
    pub(crate) url: String,
}

/// The properties with which the streams are created.
#[derive(Args, Clone, Debug)]
pub(crate) struct Limits {
    /// The server.
    #[command(flatten)]
    pub(crate) nats: Nats,
    /// Number of servers that keep each stream; 3 in a cluster. Applies when the streams are created
    #[arg(long, value_name = "N", env = "SUPERFLIP_JOBS__REPLICAS", default_value_t = 1, help_heading = "Queue",
        value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) replicas: u8,
    /// Maximum number of chunks in the queue; `submit` waits while it is full. Applies when the streams are created
    #[arg(long, value_name = "N", env = "SUPERFLIP_JOBS__MAX_CHUNKS", default_value_t = 10_000, help_heading = "Queue",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_chunks: u32,
    /// Maximum size of the queue in bytes. Applies when the streams are created
    #[arg(long, value_name = "BYTES", env = "SUPERFLIP_JOBS__MAX_BYTES", default_value_t = 1 << 30, help_heading = "Queue",
        value_parser = clap::value_parser!(u32).range(1 << 20..))]
    pub(crate) max_bytes: u32,
}

/// The place of the results.
#[derive(Args, Clone, Debug)]
pub(crate) struct Place {
    /// Folder of the results, or an address `s3://BUCKET/PREFIX` [default: for `submit` the folder superflip/jobs in the platform's state folder; for `work` the place that was submitted]
    ///
    /// The flag of `work` replaces a submitted folder, but not an address.
    ///
    /// Credentials and the address of an S3 server come from the usual variables: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`,
    /// `AWS_ENDPOINT_URL`.
    #[arg(long, value_name = "PLACE", env = "SUPERFLIP_JOBS__RESULTS", help_heading = "Results")]
    pub(crate) results: Option<String>,
    /// The folder of the results is the same on all machines, for example a network file system
    #[arg(long, env = "SUPERFLIP_JOBS__SHARED", help_heading = "Results")]
    pub(crate) shared: bool,
}

/// Submit a file of cubes as a job
///
/// FILE has a cube on each line, as for POST /solve/batch: a JSON object, or a cube as text in any form. A flag sets an option for the lines
/// that do not set it. Prints the identifier of the job, then puts the lines into the queue in chunks. Waits while the queue is full.
///
/// The identifier is computed from the lines and the flags. So repeating the command continues an interrupted submission,
/// retries failed chunks, and resumes a cancelled job. Finished chunks are not solved again.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip-jobs submit cubes.jsonl
  superflip-jobs submit cubes.txt --target-length 19 --json
  superflip-jobs submit cubes.txt --metric qtm
  superflip-jobs submit cubes.txt --optimal --results /mnt/lengths --shared
  generate-cubes | superflip-jobs submit - --new"),
    after_long_help = EXIT_CODES,
    mut_arg("metric", |arg| arg.conflicts_with("optimal"))
)]
pub(crate) struct Submit {
    /// File with a cube on each line, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Limits of each search.
    #[command(flatten)]
    pub(crate) search: LimitOptions,
    /// Proofs.
    #[command(flatten)]
    pub(crate) proofs: ProofOptions,
    /// Form of the cubes, if their text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name)]
    pub(crate) format: Option<Form>,
    /// The cube that the moves must lead to.
    #[command(flatten)]
    pub(crate) target: TargetOptions,
    /// Number of lines in a chunk, which one thread solves and which is solved again if its worker dies [default: 1000; with --optimal 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) chunk_lines: Option<u32>,
    /// Start a new job, even if the same lines and options were submitted before
    #[arg(long)]
    pub(crate) new: bool,
    /// Print the identifier as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The place of the results.
    #[command(flatten)]
    pub(crate) place: Place,
    /// The queue.
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The limits of options.
    #[command(flatten)]
    pub(crate) configuration: Configuration,
}

impl Submit {
    /// Returns the options of the job.
    pub(crate) fn options(&self) -> JobOptions {
        JobOptions {
            proofs: self.proofs.of_flags(),
            limits: self.search.clone(),
            format: self.format,
            target: self.target.of_flags(),
        }
    }
}

/// Show the state of one job, or of all
///
/// The state is one of: `queued`; `running`; `done`; `failed`, when all chunks are done except those that failed too often; `cancelled`.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip-jobs status
  superflip-jobs status 5f0c6e1d9b3a4c2e8f7a6b5c4d3e2f10 --json
  superflip-jobs status --metrics > jobs.prom.new && mv jobs.prom.new /var/lib/node_exporter/jobs.prom"),
    after_long_help = EXIT_CODES
)]
pub(crate) struct Status {
    /// Identifier of the job
    #[arg(value_name = "JOB")]
    pub(crate) job: Option<JobId>,
    /// Write JSON: one object, or without JOB a list of them
    #[arg(long, conflicts_with = "metrics")]
    pub(crate) json: bool,
    /// Write metrics in the text format of Prometheus, for the textfile collector of `node_exporter`
    #[arg(long)]
    pub(crate) metrics: bool,
    /// The server.
    #[command(flatten)]
    pub(crate) nats: Nats,
}

/// Print the answers of a job as NDJSON, in the order of its lines
///
/// Verifies every checksum. With --results, reads a finished job from its place, without the server.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip-jobs results 5f0c6e1d9b3a4c2e8f7a6b5c4d3e2f10 > answers.jsonl
  superflip-jobs results 5f0c6e1d9b3a4c2e8f7a6b5c4d3e2f10 --partial | jq .length"),
    after_long_help = "Exit codes: 0 it worked, 1 it failed or the job is not done, 2 a flag or argument is invalid."
)]
#[allow(clippy::struct_field_names)] // the flag of the other commands
pub(crate) struct Results {
    /// Identifier of the job
    #[arg(value_name = "JOB")]
    pub(crate) job: JobId,
    /// Print the answers so far, even if the job is not done
    #[arg(long)]
    pub(crate) partial: bool,
    /// Folder of the results, or an address `s3://BUCKET/PREFIX` [default: as submitted]
    #[arg(long, value_name = "PLACE", env = "SUPERFLIP_JOBS__RESULTS", help_heading = "Results")]
    pub(crate) results: Option<String>,
    /// The server.
    #[command(flatten)]
    pub(crate) nats: Nats,
}

/// Cancel a job
///
/// Removes its chunks from the queue. Workers stop solving its chunks within seconds. Existing answers remain, and `results --partial` prints them. To
/// resume the job, repeat its `submit`.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip-jobs cancel 5f0c6e1d9b3a4c2e8f7a6b5c4d3e2f10"),
    after_long_help = EXIT_CODES
)]
pub(crate) struct Cancel {
    /// Identifier of the job
    #[arg(value_name = "JOB")]
    pub(crate) job: JobId,
    /// The server.
    #[command(flatten)]
    pub(crate) nats: Nats,
}

/// Solve chunks of any job until stopped
///
/// Builds missing tables first. The solver threads use only idle cores (on Linux, policy `SCHED_IDLE`). On SIGTERM or SIGINT, returns unfinished
/// chunks to the queue and stops; a second signal stops at once.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip-jobs work
  superflip-jobs work --nats nats://queue:4222 --threads 4
  superflip-jobs work --shared --optimal-table l --tables-dir /var/lib/superflip"),
    after_long_help = "Exit codes: 0 stopped by a signal, or idle with --until-idle; 1 it failed; 2 a flag is invalid, or a job keeps its results in a \
        folder of another machine."
)]
pub(crate) struct Work {
    /// Number of chunks that are solved at once, each on a thread of its own [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Number of cubes that each thread searches alternately, to hide memory latency
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), default_value_t = 8)]
    pub(crate) in_flight: u16,
    /// Table for jobs with --optimal: s (41 MB), m (438 MB), l (2.6 GB) or xl (7.5 GB); opened or built for the first such job [default: optimal.table of the configuration, else s]
    #[arg(long, value_name = "SIZE", value_parser = size_of_name)]
    pub(crate) optimal_table: Option<Size>,
    /// Acknowledgement deadline: without a heartbeat for this time, the chunks of a worker go to others. Workers send three heartbeats in this time. The first worker sets it for all
    #[arg(long, value_name = "MS", env = "SUPERFLIP_JOBS__ACK_WAIT_MS", default_value_t = 30_000, help_heading = "Queue",
        value_parser = clap::value_parser!(u64).range(100..))]
    pub(crate) ack_wait_ms: u64,
    /// Number of attempts after which a chunk counts as failed
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Queue", value_parser = clap::value_parser!(i64).range(1..))]
    pub(crate) max_attempts: i64,
    /// Stop when the queue is empty, and no worker has a chunk that may come back
    #[arg(long)]
    pub(crate) until_idle: bool,
    /// The place of the results, instead of a folder that was submitted.
    #[command(flatten)]
    pub(crate) place: Place,
    /// The queue.
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The location of the tables.
    #[command(flatten)]
    pub(crate) configuration: Configuration,
}
