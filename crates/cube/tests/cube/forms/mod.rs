//! Checks the text forms against examples that other programs print, and every form against every other.

mod detection;
mod errors;
mod links;
mod niss;
mod pieces;
mod round_trip;
mod scrambles;
mod stickers;

use rand::SeedableRng;
use rand::rngs::StdRng;
use superflip_cube::forms::{Buffers, FormError, Format, Read, read};
use superflip_cube::input::parse_scramble;
use superflip_cube::{Cube, random_cube};

/// The cube after `R U F` in the forms of programs that were asked for it.
const FACELETS: &str = "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB";
const ULFRBD: &str = "UUUUUULLDFFDLLDLLBFFRFFRDDRFBBFRRFRRLLLUBBUBBRRUDDBDDB";
const DIGITS: &str = "0111111226336226225334334664355344344222155155441665665";
const NET: &str = "UUU\nUUU\nLLD\nFFDFFRFBBLLL\nLLDFFRFRRUBB\nLLBDDRFRRUBB\nRRU\nDDB\nDDB";
const REID: &str = "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR";
const B32: &str = "GETVSBAH=ZFCXBAGLYTKE=A";
const SPEFFZ: &str = "dgtbcvc.onmqeilJ";
const TWIZZLE: &str = "af 1e 24 f4 46 2a c2 82 d8 00 00";

fn detect(text: &str) -> Result<Read, FormError> {
    read(text, None, Buffers::default())
}

fn read_as(text: &str, format: Format) -> Result<Read, FormError> {
    read(text, Some(format), Buffers::default())
}

fn after(scramble: &str) -> Cube {
    parse_scramble(scramble).expect(scramble)
}

fn random_cubes(count: usize, seed: u64) -> impl Iterator<Item = Cube> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count).map(move |_| random_cube(&mut rng))
}
