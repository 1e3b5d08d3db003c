//! Reads a cube from colour samples in red, green and blue: here, of a solved cube whose right face is in the shade.

use superflip_scan::{Samples, read_colours};

fn main() {
    let faces = [[250, 248, 245], [70, 8, 12], [10, 140, 70], [240, 210, 20], [250, 110, 20], [10, 60, 160]];
    let samples = Samples::new(&std::array::from_fn(|facelet| faces[facelet / 9]));
    let reading = read_colours(&samples);
    println!("{} with probability {:.3}", reading.cube, reading.probability);
}
