//! Reads a cube in any form, and writes it in every form: `convert "R U F"`.

use superflip_cube::{Cube, Form};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).ok_or("expected a cube in any form")?;
    let cube: Cube = text.parse()?;
    for form in Form::ALL.into_iter().filter(|form| form.is_writable()) {
        println!("{form}: {}", cube.to_form(form));
    }
    Ok(())
}
