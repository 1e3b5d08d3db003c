//! Simulates scans at five levels of light and noise, and prints how many are read correctly.
//!
//! ```text
//! cargo bench --bench scans -- [scans per level, 2000]
//! cargo bench --bench scans -- --rotated [scans per level, 2000]
//! cargo bench --bench scans -- --export LEVEL COUNT
//! ```
//!
//! The levels are in `crates/dev/src/camera.rs`. Score: a refusal counts 1, a wrong cube without a warning 2, in percent.
//!
//! `--rotated` rotates one face of each scan, and then every face, which is given as unknown.
//! A time is the least of three runs.
//!
//! `--export` prints one scan per line for other programs: the facelets, a tab, and JSON of squares 1 to 54 in the order
//! U L F R B D, as rubiks-color-resolver reads them. The scans are the same.

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use superflip_dev::camera::{LEVELS, scan};
use superflip_scan::Arrangement;
use superflip_scan::colours::{Samples, read_colours, read_colours_in_any_rotation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, level, count] = arguments.as_slice()
        && flag == "--export"
    {
        export(level.parse()?, count.parse()?);
        return Ok(());
    }
    if let [flag, rest @ ..] = arguments.as_slice()
        && flag == "--rotated"
    {
        rotated(rest.first().map_or(Ok(2000), |count| count.parse())?);
        return Ok(());
    }
    let count = arguments.first().map_or(Ok(2000), |count| count.parse())?;
    println!(
        "level | right % | refused % | wrong % | score % | score without refusals % | greatest noise | median ms | p99 ms"
    );
    for level in 1..=LEVELS.len() {
        measure(level, count);
    }
    random(count);
    Ok(())
}

/// Prints how long samples without a cube take, which are all refused.
fn random(count: usize) {
    let mut rng = StdRng::seed_from_u64(0);
    let (mut times, mut refused, mut noise) = (Vec::new(), 0, Vec::new());
    for _ in 0..count {
        let samples = Samples::new(&std::array::from_fn(|_| rng.random()));
        let reading = timed(&mut times, || read_colours(&samples));
        refused += usize::from(reading.is_ambiguous);
        noise.push(reading.noise);
    }
    times.sort_unstable();
    noise.sort_by(f64::total_cmp);
    let [median, p99] = [count / 2, count * 99 / 100].map(|at| times[at].as_secs_f64() * 1e3);
    println!(
        "random samples: {refused} of {count} refused, noise at least {:.0}, median {median:.1} ms, p99 {p99:.1} ms",
        noise[0]
    );
}

/// Runs `read` three times, and records the least time, so that other programs on the machine have little effect.
fn timed<T>(times: &mut Vec<Duration>, read: impl Fn() -> T) -> T {
    let one = || {
        let start = Instant::now();
        (read(), start.elapsed())
    };
    let (_, first) = one();
    let (_, second) = one();
    let (found, third) = one();
    times.push(first.min(second).min(third));
    found
}

fn measure(level: usize, count: usize) {
    let mut rng = StdRng::seed_from_u64(level as u64);
    let (mut times, mut noise) = (Vec::new(), 0.0_f64);
    let (mut right, mut refused, mut wrong, mut wrong_at_all) = (0, 0, 0, 0);
    for _ in 0..count {
        let (cube, samples) = scan(&LEVELS[level - 1], &mut rng);
        let samples = Samples::new(&samples);
        let reading = timed(&mut times, || read_colours(&samples));
        noise = noise.max(reading.noise);
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
        "{level} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {noise:.0} | {:.1} | {:.1}",
        share(right),
        share(refused),
        share(wrong),
        share(refused + 2 * wrong),
        share(2 * wrong_at_all),
        times[count / 2].as_secs_f64() * 1e3,
        times[count * 99 / 100].as_secs_f64() * 1e3,
    );
}

/// Prints what happens to scans with one face rotated, and to scans with every face in a random rotation that is unknown.
#[allow(clippy::cast_precision_loss)] // some thousand scans
fn rotated(count: usize) {
    println!("level | one face rotated: right % | warned % | face named % | wrong % | median ms | p99 ms");
    println!("      | rotations unknown: right % | refused % | wrong % | median ms | p99 ms");
    for level in 1..=LEVELS.len() {
        let mut rng = StdRng::seed_from_u64(100 + level as u64);
        let (mut one, mut any) = ([0; 4], [0; 3]);
        let (mut times, mut times_any) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let (cube, samples) = scan(&LEVELS[level - 1], &mut rng);
            let samples = Samples::new(&samples);
            let mut turns = [0; 6];
            let face = rng.random_range(0..6);
            turns[face] = rng.random_range(1..4);
            let reading = timed(&mut times, || read_colours(&samples.turned(turns)));
            turns[face] = 4 - turns[face];
            let is_named =
                reading.misplaced.first().is_some_and(|other| other.arrangement == Arrangement::turned(turns));
            one[0] += usize::from(!reading.is_ambiguous && reading.cube == cube);
            one[1] += usize::from(reading.is_ambiguous);
            one[2] += usize::from(reading.is_ambiguous && is_named);
            one[3] += usize::from(!reading.is_ambiguous && reading.cube != cube);
            let turns = std::array::from_fn(|_| rng.random_range(0..4));
            let reading = timed(&mut times_any, || read_colours_in_any_rotation(&samples.turned(turns)));
            any[0] += usize::from(!reading.is_ambiguous && reading.cube == cube);
            any[1] += usize::from(reading.is_ambiguous);
            any[2] += usize::from(!reading.is_ambiguous && reading.cube != cube);
        }
        let share = |n: &usize| format!("{:.2}", 100.0 * *n as f64 / count as f64);
        for (counts, times) in [(&one[..], &mut times), (&any[..], &mut times_any)] {
            times.sort_unstable();
            let ms = |percent: usize| format!("{:.1}", times[(count - 1) * percent / 100].as_secs_f64() * 1e3);
            let shares: Vec<String> = counts.iter().map(share).collect();
            println!("{level} | {} | {} | {}", shares.join(" | "), ms(50), ms(99));
        }
    }
}

fn export(level: usize, count: usize) {
    let mut rng = StdRng::seed_from_u64(level as u64);
    for _ in 0..count {
        let (cube, samples) = scan(&LEVELS[level - 1], &mut rng);
        // Faces U L F R B D.
        let order = [0, 4, 2, 1, 5, 3];
        let squares = order.iter().flat_map(|face| &samples[9 * face..9 * face + 9]).zip(1..);
        let squares: Vec<String> = squares.map(|(rgb, number)| format!("\"{number}\": {rgb:?}")).collect();
        println!("{}\t{{{}}}", cube, squares.join(", "));
    }
}
