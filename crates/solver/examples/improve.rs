//! Prints ever shorter solutions for two seconds: `cargo run --release --example improve -- "R2 U' F L2 D B' R U2 F2 L"`.

use std::time::{Duration, Instant};
use superflip_solver::{Event, Goal, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cube = std::env::args().nth(1).ok_or("expected a scramble, such as \"R U R' U'\"")?.parse()?;
    let solver = Solver::open_default()?;
    for event in solver.search(&cube, &Goal::shortest()).until(Instant::now() + Duration::from_secs(2)) {
        match event {
            Event::Solution(solution) => println!("{solution}"),
            Event::LowerBound(length) => println!("at least {length}"),
            Event::Proof(_) => {}
        }
    }
    Ok(())
}
