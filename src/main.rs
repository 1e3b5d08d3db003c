//! The program `superflip`: parses the command line and runs the command.

use std::process::ExitCode;

use clap::Parser;

// musl's own allocator has one lock for all threads.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    superflip::operations::run(&superflip::operations::Cli::parse())
}
