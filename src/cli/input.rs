//! Cubes and options from arguments and standard input.

use std::io::Read;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::api::request::options::ThreadOptions;
use crate::api::request::read;
use crate::api::types::{ChannelOrder, Colors, CubeRequest, SolveRequest};
use crate::cli::Failure;
use crate::cli::args::{ScanFile, Solve};
use crate::service::config::Config;
use superflip_cube::metric::Metric;
use superflip_solver::{SetKey, Size};

/// Maximum length of standard input, and of a line of a batch, in bytes.
pub const MAX_INPUT_BYTES: u64 = 65_536;

/// Lifts the limits that protect a shared service. A proof has no time limit unless one is given.
pub fn lift_caps(config: &mut Config) {
    config.caps_are_lifted = true;
    let Config { search, optimal, .. } = config;
    search.max_time_limit_ms = u64::from(u32::MAX);
    (optimal.default_time_limit_ms, optimal.max_time_limit_ms) = (u64::from(u32::MAX), u64::from(u32::MAX));
    (search.max_threads_per_solve, optimal.threads) = (256, 256);
}

/// Returns the key of the coset table in the metric, if proofs are requested.
pub(crate) fn optimal_table(args: &Solve, config: &Config) -> Option<SetKey> {
    let size = args.optimal_table.or(config.optimal.table).unwrap_or(Size::S);
    args.proofs.is_optimal().then(|| SetKey::proofs(args.limits.metric.map_or(Metric::Htm, Metric::from), size))
}

/// Returns the text of an argument; `-` reads standard input.
pub(crate) fn text_of(argument: &str) -> Result<String, Failure> {
    let text = if argument == "-" { standard_input()? } else { argument.to_owned() };
    if text.trim().is_empty() {
        // The empty scramble is the solved cube, but an empty pipe is more likely a mistake, so refuse it.
        return Err(Failure::Input(
            "the cube is empty; expected a cube in any form, such as 54 facelets or a scramble".into(),
        ));
    }
    // Remove the byte order mark that some programs write first.
    Ok(text.trim().trim_start_matches('\u{feff}').to_owned())
}

/// Reads the cube of a command: a text of any form, or a file of colours.
pub(crate) fn cube_of(cube: Option<&str>, scan: &ScanFile) -> Result<CubeRequest, Failure> {
    let ScanFile { face_rotations, face_order, .. } = *scan;
    let Some(path) = &scan.colors else {
        let text = text_of(cube.unwrap_or("-"))?;
        // Only the form `facelets` lists faces in a fixed order, which may then be unknown.
        return Ok(if face_rotations.or(face_order).is_some() {
            CubeRequest { facelets: Some(text), face_rotations, face_order, ..CubeRequest::default() }
        } else {
            CubeRequest::of_text(text)
        });
    };
    let invalid = |error: String| Failure::Input(format!("cannot read {}: {error}", path.display()));
    let text = if path == Path::new("-") {
        standard_input()?
    } else {
        std::fs::read_to_string(path).map_err(|error| invalid(error.to_string()))?
    };
    let colors = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
    let channel_order = scan.bgr.then_some(ChannelOrder::Bgr);
    let colors = Some(Colors(colors));
    Ok(CubeRequest { colors, channel_order, face_rotations, face_order, ..CubeRequest::default() })
}

/// Reads the value of a flag: a JSON object or list, or the path of a file with one.
pub(crate) fn json_of<T: DeserializeOwned>(flag: &str, value: &str) -> Result<T, Failure> {
    read::json_of(flag, value).map_err(Failure::Input)
}

/// Adds the flags to a request with a cube.
pub(crate) fn request(args: &Solve, cube: CubeRequest) -> SolveRequest {
    let Solve { format, target, limits, search, machine, proofs, .. } = args;
    // In a batch, each cube is searched on one thread, so `threads` is not an option of the cube.
    let threads = if args.batch.is_none() { args.threads.clone() } else { ThreadOptions::default() };
    SolveRequest {
        cube: CubeRequest { format: *format, ..cube },
        target: target.of_flags(),
        limits: limits.clone(),
        search: search.clone(),
        machine: machine.clone(),
        threads,
        proofs: proofs.of_flags(),
    }
}

/// Returns the text of a solution, whose characters count; `-` reads standard input without the end of its last line.
pub(crate) fn solution_of(argument: &str) -> Result<String, Failure> {
    let text = if argument == "-" { standard_input()? } else { return Ok(argument.to_owned()) };
    Ok(text.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r']).to_owned())
}

fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let failed = |error: &dyn std::fmt::Display| Failure::Input(format!("cannot read standard input: {error}"));
    // One byte more than is accepted, to see that the text is longer.
    std::io::stdin().lock().take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MAX_INPUT_BYTES {
        return Err(failed(&format!(
            "it has more than {MAX_INPUT_BYTES} bytes; send one cube, or many with `--batch`"
        )));
    }
    String::from_utf8(bytes).map_err(|error| failed(&error))
}
