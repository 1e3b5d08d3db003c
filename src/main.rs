//! The binary: parse, then run.

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

/// What one thread allocates another frees, with every request: that of the C library then waits for locks.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    superflip::cli::run(superflip::cli::Cli::parse())
}
