//! Solves the cube that a scramble leads to: `cargo run --release --example solve -- "R2 U' F L2 D B'"`.

use superflip_solver::{Goal, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scramble = std::env::args().nth(1).ok_or("expected a scramble, such as \"R U R' U'\"")?;
    let solver = Solver::open_default()?;
    let solution = solver.solve(&scramble.parse()?, &Goal::within(20))?;
    println!("{solution}");
    println!("{} moves, at least {}", solution.len(), solution.lower_bound);
    Ok(())
}
