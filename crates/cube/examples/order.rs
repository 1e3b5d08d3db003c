//! Prints the order of a maneuver, which is how often it has to be repeated until the cube is solved: `order "R U R' U'"`.

use superflip_cube::{Cube, Moves};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let moves: Moves = std::env::args().nth(1).ok_or("expected a maneuver")?.parse()?;
    let powers = std::iter::successors(Some(Cube::SOLVED.after(&moves)), |cube| Some(cube.after(&moves)));
    let order = 1 + powers.take_while(|cube| !cube.is_solved()).count();
    println!("{moves}: order {order}, inverse {}", moves.inverse());
    Ok(())
}
