//! `superflip solve`.

use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::args::Solve;
use super::{Failure, batch, configure, load, log_for_people, print, print_json, refuse};
use crate::api::request::cube::Forms;
use crate::api::request::options::Task;
use crate::api::types::SolveRequest;
use crate::cube::join;
use crate::search::{self, Options, Proof, SearchError, Stop};
use crate::service::config::Config;
use crate::tables::optimal::Size;

/// Longest text read from standard input, or line of a batch, in bytes.
pub(crate) const LONGEST_INPUT: u64 = 65_536;

/// Solves one cube, or a batch of them.
///
/// # Errors
/// A cube or an option that makes no sense, tables that cannot be had, no solution within the limits.
pub fn run(args: &Solve) -> Result<(), Failure> {
    let (Some(cube), None) = (&args.cube, &args.batch) else {
        return batch::run(args, args.batch.as_deref().unwrap_or(Path::new("-")));
    };
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    config.search.max_threads_per_solve = 256;
    let text = text_of(cube)?;
    let task = Task::new(request(args, &text), &config).map_err(|problem| refuse(args.json, &problem, 2))?;

    let (size, stop) = (optimal_table(args, &config), Stop::default());
    let tables = load::beside(&config, size, stop.flag())?;
    let within_limit = || Options { deadline: Some(Instant::now() + task.time_limit), ..task.options() };
    let outcome = if let Some(size) = size {
        let prove = |proof: Proof, options| proof.solve(&tables, &task.cube, &options, &stop, &mut |_, _| {});
        match prove(Proof::Near, within_limit()) {
            // Only a cube that is far from solved is worth the time to open or build a table.
            Err(SearchError::Unproven { .. }) => {
                let table = load::optimal(&config, size, stop.flag())?;
                let threads = args.threads.map_or_else(|| config.search.threads(), usize::from);
                prove(Proof::Table(table), Options { threads, ..within_limit() })
            }
            other => other,
        }
    } else {
        search::solve(&tables, &task.cube, &within_limit(), &stop)
    };
    match outcome {
        Ok(outcome) => {
            if args.json {
                return print_json(&task.answer(&outcome, Duration::ZERO));
            }
            let others = outcome.others.iter().map(|found| &found.moves);
            let listed = 1 + outcome.others.len() as u64;
            let unproven = args.optimal && !outcome.proven_optimal;
            let missing = match outcome.optimal_solutions {
                _ if unproven => {
                    let bound = outcome.lower_bound;
                    format!("the time was over before the proof: no solution has fewer than {bound} turns")
                }
                Some(count) if count > listed => format!("{count} shortest solutions, the first {listed} are listed"),
                None if args.all_solutions => "the time was over before all shortest solutions were found".to_owned(),
                _ => String::new(),
            };
            if !missing.is_empty() {
                // Standard error may be closed; what was asked for is on standard output.
                let _ = writeln!(std::io::stderr(), "superflip: {missing}");
            }
            print(&std::iter::once(&outcome.moves).chain(others).map(|moves| join(moves) + "\n").collect::<String>())
        }
        Err(error @ (SearchError::NoSolutionWithinLimits { .. } | SearchError::Unproven { .. })) => {
            Err(refuse(args.json, &error.into(), 1))
        }
        Err(error @ SearchError::Cancelled { .. }) => Err(Failure::runtime(error)),
    }
}

/// The caps protect a shared service; here the caller waits for nobody but himself. Whoever wants a proof wants it however long it
/// takes, unless he says otherwise.
pub(crate) fn lift_caps(config: &mut Config) {
    let Config { search, optimal, .. } = config;
    search.max_time_limit_ms = u64::from(u32::MAX);
    (optimal.default_time_limit_ms, optimal.max_time_limit_ms) = (u64::from(u32::MAX), u64::from(u32::MAX));
    optimal.threads = 256;
}

/// The table for proofs, if they are asked for.
pub(crate) fn optimal_table(args: &Solve, config: &Config) -> Option<Size> {
    args.optimal.then(|| args.optimal_table.or(config.optimal.table).unwrap_or(Size::S))
}

/// What an argument says, or standard input for `-`.
pub(crate) fn text_of(argument: &str) -> Result<String, Failure> {
    let text = if argument == "-" { standard_input()? } else { argument.to_owned() };
    if text.trim().is_empty() {
        // No turns make a solved cube, but an empty pipe is more likely a mistake.
        return Err(Failure::Input("the cube is empty: give 54 facelets or a scramble".into()));
    }
    // A mark of byte order, which some put before all they write.
    Ok(text.trim().trim_start_matches('\u{feff}').to_owned())
}

/// Whether the text is meant as facelets: 54 symbols in one piece, or six of them nine times each, or so many letters in long pieces
/// without an amount among them as nobody turns. If they are not 54 that is said of them: taken for turns, for `U` to `B` are both,
/// they would be another cube.
pub(crate) fn is_meant_as_facelets(text: &str) -> bool {
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

/// Facelets where that is what is [meant](is_meant_as_facelets), anything else is a scramble.
pub(crate) fn cube_forms(text: &str) -> Forms {
    let is_facelets = is_meant_as_facelets(text);
    let (facelets, scramble) = if is_facelets { (Some(text), None) } else { (None, Some(text)) };
    Forms { facelets: facelets.map(str::to_owned), scramble: scramble.map(str::to_owned), cubies: None }
}

/// The request that the flags make of this text.
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
        // In a batch they are shared among the cubes.
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
