//! Compares this engine with two others on the same cubes, in one run.
//!
//! `cargo bench --bench peers -- --cubes FILE --rob PROGRAM --cube20src PROGRAM` prints one Markdown table. The peers are programs
//! that you have built, each in a folder with its tables; without them only this engine is measured. Engines take turns on
//! chunks of cubes, so that noise affects all of them alike, and every solution is replayed.
//!
//! - Time is the wait of a caller of the engine. This one is timed around `solve`. rob-twophase reports its own time, without the start
//!   of its threads. cube20src gets a chunk at once, and the time of a cube is the time between two answers.
//! - With `--repeats` the time of a cube is the median of its repeats; mean, percentiles and maximum are over cubes. Searches of a
//!   fixed time run once.
//! - `(N without)` in a cell is the number of searches without a solution in time; they are not in the mean length.
//! - With `--five-faces`, no engine turns B: rob-twophase must have been built with `-DF5`. Only the rows of a fixed time are measured.
//! - Proofs of optimality are compared separately, with `--scrambles` ([`proofs`]).
//! - Many cubes: each engine gets all cubes at once and uses one core; this one keeps `--in-flight` searches in flight.

mod child;
mod cube20src;
mod ours;
mod proofs;
mod report;
mod rob;

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use rand::{SeedableRng, rngs::StdRng};
use superflip_cube::{Cube, Face, Move, TurnSet, random_cube};

use report::{Row, Table};

/// Longest time for an answer; a peer that takes longer hangs.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
/// Cubes of the warm-up before each row: caches and page tables as in a running service.
const WARM_UP: usize = 20;

/// Compares this engine with others on the same cubes
#[derive(Parser)]
struct Args {
    /// Cubes as 54 facelets, one per line [default: random ones, always the same]
    #[arg(long, value_name = "FILE")]
    cubes: Option<PathBuf>,
    /// Number of cubes
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// The program of rob-twophase, beside its tables
    #[arg(long, value_name = "PROGRAM")]
    rob: Option<PathBuf>,
    /// The program twophase of cube20src, beside its tables
    #[arg(long, value_name = "PROGRAM")]
    cube20src: Option<PathBuf>,
    /// Number of searches per cube
    #[arg(long, default_value_t = 3)]
    repeats: usize,
    /// Profiles of this engine; small is measured to 21 and 20 moves
    #[arg(long, value_delimiter = ',', default_value = "standard,small")]
    profiles: Vec<String>,
    /// Rows to leave out: 21, 20, 19, 1ms, 10ms, 100ms, many, threads
    #[arg(long, value_delimiter = ',', value_name = "ROWS")]
    skip: Vec<String>,
    /// Cubes per turn of an engine
    #[arg(long, default_value_t = 50)]
    chunk: usize,
    /// Concurrent searches of this engine in the row for many cubes
    #[arg(long, default_value_t = 16)]
    in_flight: usize,
    /// Solve without turning B
    #[arg(long, conflicts_with = "cube20src")]
    five_faces: bool,
    #[command(flatten)]
    proofs: proofs::Proofs,
    /// Flag that cargo adds.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Task of an engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// The first solution of at most this many moves.
    AtMost(u8),
    /// The best solution after this time.
    Within(Duration),
    /// As `AtMost(20)`, for throughput: all cubes are given at once.
    Many,
}

impl Ask {
    /// Longest accepted solution.
    pub(crate) fn at_most(self) -> usize {
        match self {
            Self::AtMost(length) => usize::from(length),
            Self::Many => 20,
            Self::Within(_) => usize::MAX,
        }
    }
}

/// A cube and its facelets.
pub(crate) struct Position {
    pub(crate) cube: Cube,
    pub(crate) facelets: String,
}

/// Answer of an engine.
pub(crate) struct Answer {
    pub(crate) time: Duration,
    /// The solution, or `None` if there was none in time.
    pub(crate) moves: Option<Vec<Move>>,
}

/// A solver to compare.
pub(crate) trait Engine {
    /// Its name in the table.
    fn name(&self) -> String;
    /// Starts it; `None` if it does not support the task.
    fn start<'e>(&'e self, ask: Ask, threads: usize) -> Option<Box<dyn Running + 'e>>;
}

/// An engine that is ready.
pub(crate) trait Running {
    /// Solves these, in order.
    fn solve(&mut self, positions: &[Position]) -> Vec<Answer>;
}

fn main() {
    let args = Args::parse();
    if args.proofs.is_wanted() {
        return args.proofs.run();
    }
    if args.cubes.is_none() && args.rob.is_none() && args.cube20src.is_none() {
        // Keeps a plain `cargo bench` short.
        println!("peers: give --cubes, --rob or --cube20src, or --scrambles");
        return;
    }
    let positions = positions(&args);
    let turns = if args.five_faces { TurnSet::without(Face::B) } else { TurnSet::ALL };
    let solvers: Vec<_> = args.profiles.iter().map(|name| ours::solver(name, turns)).collect();
    let mut engines: Vec<Box<dyn Engine + '_>> = Vec::new();
    engines.extend(solvers.iter().map(|solver| ours::Ours::boxed(solver, turns, args.in_flight)));
    engines.extend(args.rob.clone().map(|program| Box::new(rob::Rob { program }) as Box<dyn Engine>));
    engines.extend(args.cube20src.clone().map(|program| Box::new(cube20src::Cube20src { program }) as Box<dyn Engine>));

    let mut table = Table::new(engines.iter().map(|engine| engine.name()).collect());
    let wanted = |row: &str| !args.skip.iter().any(|skipped| skipped == row) && (turns.is_all() || row.ends_with("ms"));
    let measure = |ask, threads| {
        engines.iter().map(|engine| engine.start(ask, threads)).collect::<Vec<_>>().run(&positions, ask, &args)
    };
    for length in [21, 20, 19] {
        if wanted(&length.to_string()) {
            table.add_times(length, &measure(Ask::AtMost(length), 1));
        }
    }
    for millis in [1, 10, 100] {
        if wanted(&format!("{millis}ms")) {
            table.add_lengths(millis, &measure(Ask::Within(Duration::from_millis(millis)), 1));
        }
    }
    if wanted("many") {
        table.add_throughput(&measure(Ask::Many, 1));
    }
    if wanted("threads") {
        let ask = Ask::AtMost(19);
        let two = engines.iter().map(|engine| engine.start(ask, 2));
        // Runs with one and two threads alternate, for engines that support two.
        let pairs = engines.iter().zip(two).map(|(engine, two)| [engine.start(ask, 1).filter(|_| two.is_some()), two]);
        let mut rows = pairs.flatten().collect::<Vec<_>>().run(&positions, ask, &args).into_iter();
        let (mut one, mut two) = (Vec::new(), Vec::new());
        while let (Some(with_one), Some(with_two)) = (rows.next(), rows.next()) {
            one.push(with_one);
            two.push(with_two);
        }
        table.add_speed_up(&one, &two);
    }
    println!("{} cubes, {} repeats\n\n{table}", positions.len(), args.repeats);
}

fn positions(args: &Args) -> Vec<Position> {
    let Some(path) = &args.cubes else {
        let mut rng = StdRng::seed_from_u64(1);
        let cubes = (0..args.count).map(|_| random_cube(&mut rng));
        return cubes.map(|cube| Position { cube, facelets: cube.to_string() }).collect();
    };
    let text = std::fs::read_to_string(path).expect("a file of cubes");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(args.count);
    lines.map(|line| Position { cube: Cube::from_facelets(line).expect("a cube"), facelets: line.to_owned() }).collect()
}

/// Runs several engines in turns.
trait TakeTurns {
    fn run(self, positions: &[Position], ask: Ask, args: &Args) -> Vec<Option<Row>>;
}

impl TakeTurns for Vec<Option<Box<dyn Running + '_>>> {
    fn run(mut self, positions: &[Position], ask: Ask, args: &Args) -> Vec<Option<Row>> {
        for engine in self.iter_mut().flatten() {
            engine.solve(&positions[..positions.len().min(WARM_UP)]);
        }
        let chunk = if ask == Ask::Many { positions.len() } else { args.chunk };
        let repeats = if matches!(ask, Ask::Within(_)) { 1 } else { args.repeats };
        let mut rows: Vec<_> = self.iter().map(|engine| engine.as_ref().map(|_| Row::default())).collect();
        for _ in 0..repeats {
            for (number, positions) in positions.chunks(chunk).enumerate() {
                for (engine, row) in self.iter_mut().zip(&mut rows) {
                    let (Some(engine), Some(row)) = (engine, row) else { continue };
                    let answers = engine.solve(positions);
                    assert_eq!(answers.len(), positions.len(), "an answer to each cube");
                    for (at, (position, answer)) in positions.iter().zip(answers).enumerate() {
                        if let Some(moves) = &answer.moves {
                            assert!(
                                position.cube.after(moves).is_solved(),
                                "a wrong solution of {}",
                                position.facelets
                            );
                            assert!(moves.len() <= ask.at_most(), "a long solution of {}", position.facelets);
                        }
                        row.add(number * chunk + at, &answer);
                    }
                }
            }
        }
        rows
    }
}
