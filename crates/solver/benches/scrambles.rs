//! Prints chi-square figures, lengths and times of 10 000 scrambles for each greatest length.
//!
//! ```text
//! cargo bench -p superflip-solver
//! ```
#![allow(unreachable_pub, missing_docs, clippy::cast_possible_truncation)]

use std::time::Instant;

use superflip_cube::Cube;
use superflip_dev::solver::chi_square;
use superflip_solver::search::prepare;
use superflip_solver::search::scramble::{MAX_SCRAMBLES, ScrambleKind, ScrambleRequest, generate};
use superflip_solver::{Control, Profile, Solver, Tables};

const SCRAMBLES: usize = 10_000;
const CORNERS: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
const EDGES: [usize; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let solver = Solver::builder().profile(Profile::Small).open()?;
    prepare(Profile::Small);
    for kind in ScrambleKind::ALL {
        for max_length in [21, 20] {
            report(solver.tables(), kind, max_length)?;
        }
    }
    Ok(())
}

/// Generates scrambles and prints their figures.
fn report(tables: &Tables, kind: ScrambleKind, max_length: u8) -> Result<(), Box<dyn std::error::Error>> {
    let mut cubes: Vec<Cube> = Vec::new();
    let mut lengths = [0_usize; 40];
    let mut times = Vec::new();
    while cubes.len() < SCRAMBLES {
        let started = Instant::now();
        let request = ScrambleRequest { kind, count: MAX_SCRAMBLES, max_length, ..ScrambleRequest::default() };
        let answer = generate(tables, &request, &Control::new())?;
        times.push(started.elapsed() / MAX_SCRAMBLES as u32);
        for scramble in answer.scrambles {
            lengths[scramble.moves.len() - 2 * kind.padding().len()] += 1;
            cubes.push(scramble.cube);
        }
    }
    times.sort_unstable();
    let mean = times.iter().sum::<std::time::Duration>() / times.len() as u32;
    println!("{}, at most {max_length} random moves, {} scrambles", kind.name(), cubes.len());
    println!("  time of each: mean {mean:?}, slowest hundred {:?}", times[times.len() - 1]);
    for (length, count) in lengths.iter().enumerate().filter(|(_, count)| **count > 0) {
        println!("  {length} moves: {count}");
    }
    let mut tests = chi_square::battery(&cubes, &[&CORNERS], &[&EDGES], [true, true]);
    tests.push(chi_square::parities("parity", &cubes));
    for test in tests {
        let verdict = if test.passes() { "below" } else { "ABOVE" };
        let statistic = test.statistic;
        let critical = test.critical();
        println!("  {}: {statistic:.1}, {verdict} {critical:.1} ({} degrees)", test.name, test.freedom);
    }
    Ok(())
}
