//! Measures how many distinct pictures one thread draws per second of CPU time.

#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss)] // small numbers

use std::hint::black_box;
use std::time::Instant;

use superflip_picture::Picture;
use superflip_picture::parameters::{Parameters, Reading};
use superflip_picture::{png, svg};

const PICTURES: usize = 20_000;
const MOVES: [&str; 12] = ["R", "U", "F", "D'", "L2", "B", "R'", "U2", "F'", "D", "L", "B2"];

/// Returns scrambles of ten moves, each different.
fn scrambles() -> Vec<String> {
    let scramble = |mut number: usize| {
        (0..10)
            .map(|_| {
                let mv = MOVES[number % MOVES.len()];
                number /= 3;
                mv
            })
            .collect::<String>()
    };
    (0..PICTURES).map(scramble).collect()
}

/// Returns the CPU time of this process, so that other programs do not count; without `/proc` the time since `start`.
fn cpu_seconds(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn report(name: &str, count: usize, work: impl FnOnce()) {
    let start = Instant::now();
    let before = cpu_seconds(start);
    work();
    let seconds = cpu_seconds(start) - before;
    println!("{name}: {:.0} per second, {:.1} µs each", count as f64 / seconds, seconds * 1e6 / count as f64);
}

fn picture(parameters: &Parameters<'_>) -> Picture {
    parameters.read(Reading::Strict).expect("the parameters are valid")
}

fn main() {
    let scrambles = scrambles();
    let read = |alg: &String| picture(&Parameters { alg: Some(alg), ..Parameters::default() });
    report("parameters to SVG", PICTURES, || {
        for alg in &scrambles {
            black_box(svg::write(&read(alg).scene()));
        }
    });
    let pictures: Vec<Picture> = scrambles.iter().map(read).collect();
    report("picture to SVG", PICTURES, || {
        for picture in &pictures {
            black_box(svg::write(&picture.scene()));
        }
    });
    let largest = picture(&Parameters { pzl: Some("10"), co: Some("50"), fo: Some("50"), ..Parameters::default() });
    report("SVG, 10 layers, transparent", 1000, || {
        for _ in 0..1000 {
            black_box(svg::write(&largest.scene()));
        }
    });
    for (size, pzl, co, count) in [
        ("64", "3", "100", 300),
        ("128", "3", "100", 300),
        ("256", "3", "100", 100),
        ("128", "10", "50", 50),
        ("1024", "3", "100", 10),
        ("1024", "10", "50", 10),
    ] {
        let parameters =
            Parameters { size: Some(size), pzl: Some(pzl), co: Some(co), fo: Some(co), ..Parameters::default() };
        let scene = picture(&parameters).scene();
        report(&format!("PNG, {size} pixels, {pzl} layers, opacity {co}"), count, || {
            for _ in 0..count {
                black_box(png::write(&scene).expect("the picture has pixels"));
            }
        });
    }
}
