//! Kociemba's arrays, as JSON and as bare numbers: what is accepted has the entries that were given, and is the same in every
//! other form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superflip::api::types::Cubies;
use superflip_cube::{Cube, FormError};

fn check(Cubies { cp, co, ep, eo, .. }: &Cubies) {
    match Cube::from_cubies(cp, co, ep, eo) {
        Ok(cube) => {
            let entries = |pieces: &[u8]| pieces.iter().map(|&piece| u32::from(piece)).collect::<Vec<_>>();
            assert_eq!(entries(&cube.corners().map(|piece| piece.index() as u8)), *cp);
            assert_eq!(entries(cube.twists()), *co);
            assert_eq!(entries(&cube.edges().map(|piece| piece.index() as u8)), *ep);
            assert_eq!(entries(cube.flips()), *eo);
            superflip_fuzz::is_the_same_through_every_form(&cube);
        }
        Err(FormError::Impossible { violations, .. }) => {
            assert!(!violations.is_empty());
            assert!(violations.iter().all(|violation| (1..2048).contains(&violation.message.len())), "{violations:?}");
        }
        Err(error) => panic!("arrays are no text: {error}"),
    }
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(cubies) = serde_json::from_slice::<Cubies>(bytes) {
        check(&cubies);
    }
    // Half of a byte for each entry, so that a few flips of bits lead from cube to cube.
    let mut entries = bytes.iter().map(|byte| u32::from(byte & 15));
    let mut take = |count| entries.by_ref().take(count).collect();
    check(&Cubies { cp: take(8), co: take(8), ep: take(12), eo: take(12), center: None });
});
