//! Maximum-likelihood reading of camera colours: the most likely legal cube, estimated jointly with the light.
//!
//! [`read_colours`] takes 54 samples in red, green and blue. A scan is explained by a legal cube, six sticker colours, a gain
//! for each face and noise; the most likely explanation is the answer. Legal cubes are searched exactly, with the
//! [`Ranking`](super::repair::Ranking) of all legal cubes by cost.
//!
//! Measured by `cargo bench --bench scans` on 2000 simulated scans per level; the levels are in `crates/dev/src/camera.rs`. A
//! refusal counts 1 and a wrong cube without a warning 2. rubiks-color-resolver (commit c1a7211, Python) read the first 120
//! scans of each level; it never refuses.
//!
//! | level | least gain | noise | right | refused | wrong | score | score of rubiks-color-resolver |
//! | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
//! | 1 | 0.45 | 7 | 99.95 % | 0.05 % | 0 % | 0.05 % | 72 % |
//! | 2 | 0.45 | 14 | 99.95 % | 0.05 % | 0 % | 0.05 % | 108 % |
//! | 3 | 0.3 | 14 | 99.85 % | 0.05 % | 0.1 % | 0.25 % | 153 % |
//! | 4 | 0.3 | 25 | 84.2 % | 9.1 % | 6.7 % | 22.5 % | 188 % |
//! | 5: three reflections | 0.45 | 7 | 87.85 % | 5.5 % | 6.65 % | 18.8 % | 177 % |

mod arranged;
mod candidate;
mod difference;
mod model;
mod reading;
mod samples;
mod search;
mod starts;
mod usual;

pub use reading::{
    CERTAIN, ColourReading, Likely, Margin, read_colours, read_colours_in_any_order, read_colours_in_any_rotation,
};
pub use samples::{Rgb, Samples};
pub use search::MAX_NOISE;
