//! Draws the cube after a maneuver as SVG: `draw "R U R' U'" > cube.svg`.

use superflip_picture::parameters::{Parameters, Reading};
use superflip_picture::svg;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let moves = std::env::args().nth(1).ok_or("expected moves")?;
    let parameters = Parameters { alg: Some(&moves), ..Parameters::default() };
    println!("{}", svg::write(&parameters.read(Reading::Strict)?.scene()));
    Ok(())
}
