//! Prints the projected stickers of a view from back to front: `polygons y45x-34`. Stickers are counted in the order U R F D L B.

use superflip_picture::parameters::{Parameters, Reading};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rotations = std::env::args().nth(1);
    let parameters = Parameters { r: rotations.as_deref(), ..Parameters::default() };
    for (facelet, points) in parameters.read(Reading::Strict)?.polygons() {
        println!("{facelet}: {points:.3?}");
    }
    Ok(())
}
