//! Prints everything that is wrong with a cube: `check UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB`.

use superflip_cube::{Cube, FormError};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).ok_or("expected a cube in any form")?;
    match text.parse::<Cube>() {
        Ok(cube) => println!("{cube}"),
        Err(FormError::Impossible { violations, .. }) => violations.iter().for_each(|fault| println!("{fault}")),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
