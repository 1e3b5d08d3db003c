//! Measures the search on 1000 fixed random cubes, on one thread: time and nodes to a solution of at most 21 and at most 20 moves.
//!
//! `cargo bench --bench search` prints one row per profile and length. A client sees the latency of whole searches and its tail,
//! so the row has mean, median, 99th percentile and maximum.

use std::path::Path;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use superflip_cube::{Cube, Move};
use superflip_solver::{Goal, Profile, Solver};

const CUBES: usize = 1000;

fn main() {
    let mut rng = StdRng::seed_from_u64(1);
    let cubes: Vec<Cube> = (0..CUBES)
        .map(|_| (0..100).fold(Cube::SOLVED, |cube, _| cube.then(Move::ALL[rng.random_range(0..18)].cube())))
        .collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    println!("profile   at most  mean ms   p50 ms   p99 ms   max ms  mean moves  nodes/cube");
    for profile in Profile::ALL {
        let solver = Solver::builder().folder(&folder).profile(profile).open().expect("tables");
        for target_length in [21, 20] {
            let goal = Goal::default().target_length(target_length);
            // Warm-up: caches and page tables as in a running service.
            run(&solver, &cubes[..100], &goal);
            let row = run(&solver, &cubes, &goal);
            println!("{:9} {target_length:7}  {row}", profile.name());
        }
    }
}

fn run(solver: &Solver, cubes: &[Cube], goal: &Goal) -> String {
    let (mut times, mut nodes, mut moves) = (Vec::new(), 0, 0);
    for cube in cubes {
        let outcome = solver.solve(cube, goal).expect("a solution");
        assert!(outcome.moves.len() <= usize::from(goal.target_length) && cube.after(&outcome.moves).is_solved());
        times.push(outcome.elapsed.as_secs_f64() * 1e3);
        nodes += outcome.nodes;
        moves += outcome.moves.len();
    }
    times.sort_by(f64::total_cmp);
    let count = cubes.len();
    #[allow(clippy::cast_precision_loss)] // a thousand cubes
    let (mean, mean_moves) = (times.iter().sum::<f64>() / count as f64, moves as f64 / count as f64);
    let (p50, p99, max) = (times[count / 2], times[count * 99 / 100], times[count - 1]);
    format!("{mean:7.4}  {p50:7.4}  {p99:7.3}  {max:7.2}  {mean_moves:10.2}  {:10}", nodes / count as u64)
}
