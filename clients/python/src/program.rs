//! The program `superflip`.

use std::ffi::OsString;
use std::io::{Write as _, stdout};
use std::process::ExitCode;

use clap::Parser as _;
use pyo3::prelude::*;
use superflip::operations::{Cli, run};

/// Runs the program `superflip` with these arguments, the first of which is its name. Returns its exit code. Standard input and output are those
/// of the process.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python's list is converted
pub(crate) fn main(py: Python<'_>, argv: Vec<OsString>) -> i32 {
    py.detach(|| {
        let code = match Cli::try_parse_from(argv) {
            Ok(cli) => {
                let ended = run(&cli);
                // The standard library does not tell the number of an exit code.
                (0..=u8::MAX).find(|&code| ExitCode::from(code) == ended).map_or(1, i32::from)
            }
            Err(error) => {
                let _ = error.print();
                error.exit_code()
            }
        };
        // The program ends in Python, which does not know this buffer.
        let _ = stdout().flush();
        code
    })
}
