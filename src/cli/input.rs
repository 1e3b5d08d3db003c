//! Cubes and options from arguments and standard input.

use std::io::Read;

use super::Failure;
use super::args::Solve;
use crate::api::request::cube::Forms;
use crate::api::types::SolveRequest;
use crate::service::config::Config;
use crate::tables::optimal::Size;

/// Maximum length of standard input, and of a line of a batch, in bytes.
pub(crate) const LONGEST_INPUT: u64 = 65_536;

/// Lifts the limits that protect a shared service. A proof has no time limit unless one is given.
pub(crate) fn lift_caps(config: &mut Config) {
    let Config { search, optimal, .. } = config;
    search.max_time_limit_ms = u64::from(u32::MAX);
    (optimal.default_time_limit_ms, optimal.max_time_limit_ms) = (u64::from(u32::MAX), u64::from(u32::MAX));
    optimal.threads = 256;
}

/// Returns the size of the coset table, if proofs are requested.
pub(crate) fn optimal_table(args: &Solve, config: &Config) -> Option<Size> {
    args.optimal.then(|| args.optimal_table.or(config.optimal.table).unwrap_or(Size::S))
}

/// Returns the text of an argument; `-` reads standard input.
pub(crate) fn text_of(argument: &str) -> Result<String, Failure> {
    let text = if argument == "-" { standard_input()? } else { argument.to_owned() };
    if text.trim().is_empty() {
        // The empty scramble is the solved cube, but an empty pipe is more likely a mistake, so refuse it.
        return Err(Failure::Input("the cube is empty; expected 54 facelets or a scramble".into()));
    }
    // Remove the byte order mark that some programs write first.
    Ok(text.trim().trim_start_matches('\u{feff}').to_owned())
}

/// Guesses whether the text is intended as facelets: 54 symbols in one piece, six symbols nine times each, or many letters in long pieces
/// without an amount. `U` to `B` are facelets and turns, so facelets with a symbol missing would be read as a scramble of another cube.
pub(crate) fn looks_like_facelets(text: &str) -> bool {
    const MANY: usize = 30;
    const SHORTEST_PIECE: usize = 3;
    let (pieces, symbols) = (text.split_whitespace().count(), text.chars().filter(|c| !c.is_whitespace()));
    let count = symbols.clone().count();
    let is_of_turns = |c: char| c.is_ascii_digit() || c.is_ascii_punctuation() || "’‘′´".contains(c);
    let mut sorted: Vec<char> = symbols.clone().collect();
    sorted.sort_unstable();
    let mut of_each = sorted.chunk_by(|a, b| a == b);
    let is_nine_of_each = count == 54 && of_each.all(|equal| equal.len() == 9);
    is_nine_of_each
        || (count == 54 && pieces == 1)
        || (count >= MANY && count >= SHORTEST_PIECE * pieces && !symbols.into_iter().any(is_of_turns))
}

/// Returns the text as facelets if it [looks like facelets](looks_like_facelets), otherwise as a scramble.
pub(crate) fn cube_forms(text: &str) -> Forms {
    let is_facelets = looks_like_facelets(text);
    let (facelets, scramble) = if is_facelets { (Some(text), None) } else { (None, Some(text)) };
    Forms { facelets: facelets.map(str::to_owned), scramble: scramble.map(str::to_owned), cubies: None }
}

/// Creates a request from the flags and the text of a cube.
pub(crate) fn request(args: &Solve, text: &str) -> SolveRequest {
    let Forms { facelets, scramble, cubies } = cube_forms(text);
    SolveRequest {
        facelets,
        scramble,
        cubies,
        target_length: args.target_length,
        max_length: args.max_length,
        time_limit_ms: args.time_limit_ms,
        solutions: args.solutions.map(u32::from),
        // In a batch, each cube is searched on one thread, so `threads` is not an option of the cube.
        threads: args.threads.filter(|_| args.batch.is_none()).map(u32::from),
        optimal: args.optimal.then_some(true),
        all_solutions: args.all_solutions.then_some(true),
    }
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LONGEST_INPUT).read_to_string(&mut text);
    read.map_err(|error| Failure::Input(format!("cannot read standard input: {error}")))?;
    Ok(text)
}
