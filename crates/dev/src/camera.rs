//! Real scans, and a simulated camera: scans of known cubes at five levels of light and noise.
//!
//! Each channel of a sticker is that of a standard scheme times the gain of its face (uniform, from the level's minimum to
//! 1.1) times a cast (0.85 to 1.15 per channel), plus normal noise, rounded and clamped to 0..255. Level 5 is level 1 with
//! near-white reflections on three stickers.
#![allow(clippy::cast_sign_loss)] // channels are clamped to 0..255

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use superflip_cube::{Cube, random_cube};

/// White, red, green, yellow, orange, blue.
const SCHEME: [[f64; 3]; 6] = [
    [255.0, 255.0, 255.0],
    [185.0, 0.0, 0.0],
    [0.0, 155.0, 72.0],
    [255.0, 213.0, 0.0],
    [255.0, 89.0, 0.0],
    [0.0, 69.0, 173.0],
];

pub struct Level {
    pub least_gain: f64,
    /// Standard deviation, in units of 0 to 255.
    pub noise: f64,
    pub reflections: usize,
}

pub const LEVELS: [Level; 5] = [
    Level { least_gain: 0.45, noise: 7.0, reflections: 0 },
    Level { least_gain: 0.45, noise: 14.0, reflections: 0 },
    Level { least_gain: 0.3, noise: 14.0, reflections: 0 },
    Level { least_gain: 0.3, noise: 25.0, reflections: 0 },
    Level { least_gain: 0.45, noise: 7.0, reflections: 3 },
];

fn normal(rng: &mut StdRng) -> f64 {
    let (a, b): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// Returns a random cube and its 54 samples in red, green and blue.
pub fn scan(level: &Level, rng: &mut StdRng) -> (Cube, [[u8; 3]; 54]) {
    let cube = random_cube(rng);
    let cast: [f64; 3] = std::array::from_fn(|_| rng.random_range(0.85..1.15));
    let gains: [f64; 6] = std::array::from_fn(|_| rng.random_range(level.least_gain..1.1));
    let stickers = cube.to_facelet_permutation();
    let mut samples: [[u8; 3]; 54] = std::array::from_fn(|facelet| {
        let colour = SCHEME[usize::from(stickers[facelet]) / 9];
        std::array::from_fn(|k| {
            (colour[k] * gains[facelet / 9] * cast[k] + level.noise * normal(rng)).round().clamp(0.0, 255.0) as u8
        })
    });
    let mut facelets: Vec<usize> = (0..54).collect();
    facelets.shuffle(rng);
    for &facelet in &facelets[..level.reflections] {
        samples[facelet] = std::array::from_fn(|_| rng.random_range(230..=255));
    }
    (cube, samples)
}

/// Published scans: name, the cube as its own program reads it, and squares 1 to 54 in the order U L F R B D.
pub fn real_scans() -> Vec<(&'static str, &'static str, [[u8; 3]; 54])> {
    let lines = include_str!("../../scan/tests/data/scans.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split(' ');
            let (name, cube) = (words.next().expect("a name"), words.next().expect("a cube"));
            let rgb = |word: &str| u32::from_str_radix(word, 16).expect("six digits").to_be_bytes();
            let squares: Vec<[u8; 3]> = words.map(rgb).map(|[_, red, green, blue]| [red, green, blue]).collect();
            (name, cube, squares.try_into().expect("54 squares"))
        })
        .collect()
}

/// A camera's reading of one sticker: red, green and blue.
pub type Sample = [u8; 3];

/// Published scans: name, the cube as its own program reads it, and 54 samples in the order U L F R B D.
pub fn published() -> Vec<(&'static str, &'static str, [Sample; 54])> {
    real_scans().into_iter().filter(|(_, cube, _)| *cube != "-").collect()
}

/// The samples in the order U R F D L B.
pub fn in_facelet_order(samples: &[Sample]) -> Vec<Sample> {
    [0, 3, 2, 5, 1, 4].iter().flat_map(|face| samples[9 * face..9 * face + 9].to_vec()).collect()
}
