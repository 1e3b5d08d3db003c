//! Measures what candidates save on the machines in `examples/machines`, on one thread.
//!
//! `cargo bench -p superflip-solver --bench machines -- [CUBES] [MS] [CANDIDATES...]` solves fixed random cubes, by default 1000 cubes in 10 ms each.
//! It executes three solutions on each machine: the first of at most 20 moves, the shortest one found in the time, and the
//! cheapest of the candidates found in the time. The time includes that of pricing them.
#![allow(clippy::cast_precision_loss)] // a thousand cubes

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, Face, Move, TurnSet};
use superflip_solver::search::machine::{Machine, MachineDescription};
use superflip_solver::{Goal, Profile, Solver};

/// The machines, with the turns of each.
const MACHINES: [(&str, TurnSet); 4] = [
    ("cubotino", TurnSet::ALL),
    ("five-faces", TurnSet::without(Face::B)),
    ("four-grippers", TurnSet::ALL),
    ("squidcuber", TurnSet::ALL),
];

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|argument| argument.parse::<usize>().ok());
    let count = numbers.next().unwrap_or(1000);
    let milliseconds = numbers.next().unwrap_or(10);
    let time = Duration::from_millis(milliseconds as u64);
    let candidates: Vec<usize> = numbers.collect();
    let candidates = if candidates.is_empty() { vec![100, 1000] } else { candidates };
    let mut rng = StdRng::seed_from_u64(1);
    let cubes: Vec<Cube> = (0..count)
        .map(|_| (0..100).fold(Cube::SOLVED, |cube, _| cube.then(Move::ALL[rng.random_range(0..18)].cube())))
        .collect();
    let five_faces = TurnSet::without(Face::B);
    let solver = Solver::builder().profile(Profile::Standard).turns(Metric::Htm, five_faces).open().expect("tables");
    println!("machine        search                cost   saved  turns  ms/cube  µs/price");
    for (name, turns) in MACHINES {
        let path = format!("{}/../../examples/machines/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the example");
        let description: MachineDescription = serde_json::from_str(&text).expect("a description");
        let machine = Machine::new(&description).expect("a machine");
        let default = Goal::default().turns(turns);
        let shortest = default.clone().target_length(0);
        let mut goals = vec![("default".to_owned(), default), ("shortest".to_owned(), shortest.clone())];
        for candidates in &candidates {
            let goal = shortest.clone().on_machine(machine.clone()).candidates(*candidates);
            goals.push((format!("{candidates} candidates"), goal));
        }
        let mut default = None;
        for (search, goal) in goals {
            let mut cost = 0.0;
            let mut turns = 0.0;
            let begun = Instant::now();
            let mut pricing = Duration::ZERO;
            for cube in &cubes {
                let outcome = solver.search(cube, &goal).until(Instant::now() + time).finish().expect("a solution");
                let priced = Instant::now();
                cost += machine.cost(&outcome.moves).expect("every turn").as_f64();
                pricing += priced.elapsed();
                turns += outcome.moves.len() as f64;
            }
            let of_cubes = |sum: f64| sum / count as f64;
            let mean = of_cubes(cost);
            let default = *default.get_or_insert(mean);
            println!(
                "{name:14} {search:16} {mean:9.3} {:6.1}% {:6.2} {:8.2} {:9.1}",
                100.0 * (1.0 - mean / default),
                of_cubes(turns),
                of_cubes(begun.elapsed().as_secs_f64() * 1e3),
                of_cubes(pricing.as_secs_f64() * 1e6)
            );
        }
    }
}
