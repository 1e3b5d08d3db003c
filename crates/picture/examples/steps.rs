//! Draws a solution step by step as a PNG file: `steps "R U R' U'" steps.png`.

use superflip_picture::parameters::{Parameters, Reading};
use superflip_picture::{moves, png, steps};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [moves, file] = [1, 2].map(|place| std::env::args().nth(place));
    let moves = moves::read(&moves.ok_or("expected moves")?, 3)?;
    let picture = Parameters::default().read(Reading::Strict)?;
    std::fs::write(file.ok_or("expected a file")?, png::write(&steps::scene(&picture, &moves))?)?;
    Ok(())
}
