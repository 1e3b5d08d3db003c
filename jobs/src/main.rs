//! `superflip-jobs`: solves files of many cubes on many machines.
//!
//! A submitter splits a file into chunks of lines and publishes them to a stream of NATS `JetStream`. Workers pull chunks, solve their lines
//! with the library of `superflip`, store the answers, and acknowledge.
//!
//! ```text
//!   submit: file --Chunks--> [stream of chunks] --pull--> work: solve --> store of results --> results
//!              '--spec----> [stream of records] <--done, failed-- '           ^-- manifest
//!                                  '--> status
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | `args` | the flags |
//! | `job` | the records of a job, and its identifier |
//! | `chunks` | how an input is split |
//! | `queue` | the two streams |
//! | `store` | where results are kept |
//! | `solve` | solves the lines of one chunk on one thread |
//! | `submit` (and `cancel`), `work`, `status`, `results`, `finish` | the commands and their steps |

mod args;
mod chunks;
mod finish;
mod job;
mod queue;
mod results;
mod solve;
mod status;
mod store;
mod submit;
mod work;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use superflip::cli::Failure;
use tokio::task::LocalSet;

use args::{Cli, Command};

fn main() -> ExitCode {
    let Err(failure) = run(Cli::parse()) else { return ExitCode::SUCCESS };
    if !matches!(failure, Failure::Reported(_)) {
        // Ignore a closed standard error: the exit code reports the failure too.
        let _ = writeln!(std::io::stderr(), "superflip-jobs: {failure}");
    }
    ExitCode::from(failure.exit_code())
}

fn run(cli: Cli) -> Result<(), Failure> {
    // Solver threads are threads of their own, so one thread is enough for network and files.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::runtime)?;
    let result = LocalSet::new().block_on(&runtime, async {
        match cli.command {
            Command::Submit(args) => submit::run(&args).await,
            Command::Status(args) => status::run(&args).await,
            Command::Results(args) => results::run(&args).await,
            Command::Cancel(args) => submit::cancel(&args).await,
            Command::Work(args) => work::run(&args).await,
        }
    });
    // A read of standard input may never return, so do not wait for blocking threads.
    runtime.shutdown_background();
    result
}
