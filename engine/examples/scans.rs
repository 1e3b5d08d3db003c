//! Simulates scans at five levels of light and noise, and prints how many are read correctly.
//!
//! ```text
//! cargo run --release -p superflip-engine --example scans [scans per level, 2000]
//! cargo run --release -p superflip-engine --example scans -- --export LEVEL COUNT
//! ```
//!
//! The levels are in `tests/engine/common/camera.rs`. Score: a refusal counts 1, a wrong cube without a warning 2, in percent.
//!
//! `--export` prints one scan per line for other programs: the facelets, a tab, and JSON of squares 1 to 54 in the order
//! U L F R B D, as rubiks-color-resolver reads them. The scans are the same.

use std::time::Instant;

use camera::{LEVELS, scan};
use rand::SeedableRng;
use rand::rngs::StdRng;
use superflip_engine::cube::input::to_facelets;
use superflip_engine::cube::scan::{Samples, read_colours};

#[path = "../tests/engine/common/camera.rs"]
mod camera;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, level, count] = arguments.as_slice()
        && flag == "--export"
    {
        export(level.parse()?, count.parse()?);
        return Ok(());
    }
    let count = arguments.first().map_or(Ok(2000), |count| count.parse())?;
    println!("level | right % | refused % | wrong % | score % | score without refusals % | median ms | p99 ms");
    for level in 1..=LEVELS.len() {
        measure(level, count);
    }
    Ok(())
}

fn measure(level: usize, count: usize) {
    let mut rng = StdRng::seed_from_u64(level as u64);
    let mut times = Vec::new();
    let (mut right, mut refused, mut wrong, mut wrong_at_all) = (0, 0, 0, 0);
    for _ in 0..count {
        let (cube, samples) = scan(&LEVELS[level - 1], &mut rng);
        let samples = Samples::new(&samples);
        let start = Instant::now();
        let reading = read_colours(&samples);
        times.push(start.elapsed());
        let is_right = reading.cube == cube;
        refused += usize::from(reading.is_ambiguous);
        right += usize::from(is_right && !reading.is_ambiguous);
        wrong += usize::from(!is_right && !reading.is_ambiguous);
        wrong_at_all += usize::from(!is_right);
    }
    times.sort_unstable();
    #[allow(clippy::cast_precision_loss)] // some thousand scans
    let share = |n: usize| 100.0 * n as f64 / count as f64;
    println!(
        "{level} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} | {:.1}",
        share(right),
        share(refused),
        share(wrong),
        share(refused + 2 * wrong),
        share(2 * wrong_at_all),
        times[count / 2].as_secs_f64() * 1e3,
        times[count * 99 / 100].as_secs_f64() * 1e3,
    );
}

fn export(level: usize, count: usize) {
    let mut rng = StdRng::seed_from_u64(level as u64);
    for _ in 0..count {
        let (cube, samples) = scan(&LEVELS[level - 1], &mut rng);
        // Faces U L F R B D.
        let order = [0, 4, 2, 1, 5, 3];
        let squares = order.iter().flat_map(|face| &samples[9 * face..9 * face + 9]).zip(1..);
        let squares: Vec<String> = squares.map(|(rgb, number)| format!("\"{number}\": {rgb:?}")).collect();
        println!("{}\t{{{}}}", to_facelets(&cube), squares.join(", "));
    }
}
