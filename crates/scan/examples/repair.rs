//! Prints the legal cubes nearest to 54 stickers. Some of the stickers may be wrong or `?`: `repair UUURUUUUU...`.

use superflip_scan::{Stickers, nearest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scan = Stickers::parse(&std::env::args().nth(1).ok_or("expected 54 stickers")?)?;
    let found = nearest(&scan, 20);
    println!("{} cubes differ in {} stickers", found.total, found.distance);
    for repair in found.repairs {
        println!("{} {:?}", repair.facelets, repair.changed);
    }
    Ok(())
}
