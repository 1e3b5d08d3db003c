//! Checks the text forms against examples that other programs print, and every form against every other.

mod detection;
mod errors;
mod links;
mod pieces;
mod readings;
mod stickers;

use rand::SeedableRng;
use rand::rngs::StdRng;
use superflip_cube::forms::{Buffers, Read};
use superflip_cube::{Cube, Form, FormError, Holding, random_cube};

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
    Read::of(text, None, Buffers::default())
}

fn read_as(text: &str, format: Form) -> Result<Read, FormError> {
    Read::of(text, Some(format), Buffers::default())
}

/// Checks which form is recognised, and which cube is read.
#[track_caller]
fn assert_read(text: &str, format: Form, cube: Cube) {
    assert_eq!(detect(text).map(|found| (found.format, found.cube)), Ok((format, cube)), "{text:?}");
}

/// Checks the first fault of an impossible cube, and the form that was assumed, where it is given.
#[track_caller]
fn assert_impossible(found: &Result<Read, FormError>, form: Option<Form>, code: &str) {
    let Err(FormError::Impossible { format, violations, .. }) = found else { panic!("{found:?}") };
    assert!(form.is_none() || *format == form, "{format:?}");
    assert_eq!(violations[0].code, code, "{violations:?}");
}

fn after(scramble: &str) -> Cube {
    Cube::from_scramble(scramble).expect(scramble)
}

/// Writes a cube in a form that can be written.
fn written(form: Form, cube: &Cube, holding: Holding) -> String {
    form.write(cube, holding).expect("a form that is written")
}

fn random_cubes(count: usize, seed: u64) -> impl Iterator<Item = Cube> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count).map(move |_| random_cube(&mut rng))
}

#[test]
fn ten_thousand_cubes_round_trip_through_every_form() {
    for (number, cube) in random_cubes(10_000, 11).enumerate() {
        let holding = Holding::ALL[number % Holding::COUNT];
        for format in Form::ALL.into_iter().filter(|form| form.is_writable()) {
            let text = written(format, &cube, holding);
            let found = read_as(&text, format).expect(&text);
            assert_eq!((found.cube, found.format), (cube, format), "{text}");
            let says_holding = format != Form::Speffz && (format != Form::Reid || holding != Holding::HOME);
            assert_eq!(found.holding, says_holding.then_some(holding), "{text}");
        }
    }
}

#[test]
fn every_form_is_recognised_as_itself() {
    for (number, cube) in random_cubes(2_000, 12).enumerate() {
        for format in Form::ALL.into_iter().filter(|form| form.is_writable()) {
            let text = written(format, &cube, Holding::ALL[number % Holding::COUNT]);
            assert_read(&text, format, cube);
        }
    }
}
