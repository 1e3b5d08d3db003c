//! Puts six faces together that were scanned in unknown rotations: `faces UUUUUUUUU...`.

use superflip_scan::repair::Scanned;
use superflip_scan::{Stickers, read_faces};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scan = Stickers::parse(&std::env::args().nth(1).ok_or("expected 54 stickers")?)?;
    let found = read_faces(&scan, Scanned { unknown_rotations: true, unknown_order: false }, 20)?;
    println!("{} cubes", found.total);
    for reading in found.readings {
        println!("{} {:?}", reading.facelets, reading.turns);
    }
    Ok(())
}
