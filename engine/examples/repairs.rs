//! Checks and times repairs of random scans with 0 to 8 wrong stickers, and the readings of unknown rotations and orders.
//!
//! ```text
//! cargo run --release -p superflip-engine --example repairs [scans per line, 10000]
//! ```
//!
//! Fails unless every scan yields its original cube or a nearer legal one.

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use superflip_engine::cube::input::{parse_facelets, to_facelets};
use superflip_engine::cube::random_cube;
use superflip_engine::cube::repair::{MAX_REPAIRS, Scanned, Stickers, nearest, read_faces};

const COLOURS: [char; 6] = ['U', 'R', 'F', 'D', 'L', 'B'];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scans = std::env::args().nth(1).map_or(Ok(10_000), |count| count.parse())?;
    let mut rng = StdRng::seed_from_u64(1);
    println!(
        "wrong | found at that distance | nearer | unique | more than {MAX_REPAIRS} | median us | p99 us | maximum us"
    );
    for wrong in [0, 1, 2, 3, 4, 5, 6, 8, 48] {
        repairs(wrong, scans, &mut rng)?;
    }
    println!("unknown | readings | most | median us | p99 us | maximum us");
    for (name, unknown_rotations, unknown_order) in
        [("rotations", true, false), ("order", false, true), ("both", true, true)]
    {
        readings(name, Scanned { unknown_rotations, unknown_order }, scans.min(1000), &mut rng)?;
    }
    Ok(())
}

fn repairs(wrong: usize, scans: usize, rng: &mut StdRng) -> Result<(), Box<dyn std::error::Error>> {
    let (mut same, mut nearer, mut unique, mut truncated) = (0, 0, 0, 0);
    let mut times = Vec::new();
    for _ in 0..scans {
        let original = to_facelets(&random_cube(rng));
        let mut symbols: Vec<char> = original.chars().collect();
        let mut places: Vec<usize> = (0..54).filter(|facelet| facelet % 9 != 4).collect();
        places.shuffle(rng);
        for &place in &places[..wrong] {
            let others: Vec<char> = COLOURS.into_iter().filter(|colour| *colour != symbols[place]).collect();
            symbols[place] = others[rng.random_range(0..5)];
        }
        let scan = Stickers::parse(&symbols.iter().collect::<String>())?;
        let start = Instant::now();
        let found = nearest(&scan, MAX_REPAIRS);
        times.push(start.elapsed());
        let is_listed = found.repairs.iter().any(|repair| repair.facelets == original);
        let is_found = found.distance as usize == wrong && (is_listed || found.truncated);
        same += usize::from(is_found);
        nearer += usize::from((found.distance as usize) < wrong);
        unique += usize::from(is_listed && found.total == 1);
        truncated += usize::from(found.truncated);
        if !is_found && found.distance as usize >= wrong {
            return Err(format!("{original} was not found").into());
        }
        for repair in &found.repairs {
            if parse_facelets(&repair.facelets)? != repair.cube {
                return Err(format!("{} is another cube", repair.facelets).into());
            }
        }
    }
    println!("{wrong} | {same} | {nearer} | {unique} | {truncated} | {}", quantiles(&mut times));
    Ok(())
}

fn readings(name: &str, scanned: Scanned, scans: usize, rng: &mut StdRng) -> Result<(), Box<dyn std::error::Error>> {
    let (mut total, mut most) = (0, 0);
    let mut times = Vec::new();
    for _ in 0..scans {
        let scan = Stickers::parse(&to_facelets(&random_cube(rng)))?;
        let start = Instant::now();
        let found = read_faces(&scan, scanned, 20)?;
        times.push(start.elapsed());
        total += found.total;
        most = most.max(found.total);
    }
    println!("{name} | {total} in {scans} | {most} | {}", quantiles(&mut times));
    Ok(())
}

/// Returns the median, the 99th percentile and the maximum, in microseconds.
fn quantiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_micros();
    format!("{} | {} | {}", at(50), at(99), at(100))
}
