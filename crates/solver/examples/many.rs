//! Solves a thousand random cubes on one thread: `cargo run --release --example many`.

use superflip_cube::random_cube;
use superflip_solver::{Goal, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let solver = Solver::open_default()?;
    let cubes = (0..1000).map(|_| random_cube(&mut rand::rng()));
    let solved = solver.solve_all(cubes, &Goal::within(20)).map(|(_, solution)| Ok(solution?.len()));
    let lengths = solved.collect::<Result<Vec<_>, superflip_solver::SolveError>>()?;
    println!("{} cubes, {} moves", lengths.len(), lengths.iter().sum::<usize>());
    Ok(())
}
