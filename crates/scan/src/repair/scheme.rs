//! Schemes of colours that are known from their symbols: which centres are opposite, and on which side the others are.

use superflip_cube::face::Face;
use superflip_cube::geometry::CENTRE_FACELETS;
use superflip_cube::piece::Corner;

/// Symbols of the faces U R F D L B in texts that name faces.
const FACE_LETTERS: &str = "URFDLB";

/// Symbols of the same faces in the colours of the World Cube Association: white, red, green, yellow, orange, blue.
const COLOUR_LETTERS: &str = "WRGYOB";

/// How centres are arranged, compared with a scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arrangement {
    /// As in the scheme, up to a rotation of the whole cube.
    Regular,
    /// As in a mirror.
    Mirrored,
    /// Opposite centres are not those of the scheme.
    Other,
}

impl Arrangement {
    /// Compares centres, each named by its place in the scheme.
    fn of(centres: [Face; Face::COUNT]) -> Self {
        if Face::ALL.iter().any(|face| centres[face.opposite().index()] != centres[face.index()].opposite()) {
            return Self::Other;
        }
        // The faces of a corner are clockwise.
        let around = [Face::U, Face::R, Face::F].map(|face| centres[face.index()]);
        let is_corner = |corner: &Corner| (0..3).any(|k| (0..3).all(|i| corner.faces()[(i + k) % 3] == around[i]));
        if Corner::ALL.iter().any(is_corner) { Self::Regular } else { Self::Mirrored }
    }
}

/// Returns whether centres, each named by its place in the scheme, are as in a mirror.
pub(crate) fn is_mirrored(centres: [Face; Face::COUNT]) -> bool {
    Arrangement::of(centres) == Arrangement::Mirrored
}

/// Returns the centres of a cube as places in the scheme, if its symbols are those of the scheme.
fn centres(facelets: &str, scheme: &str) -> Option<[Face; Face::COUNT]> {
    let symbols: Vec<char> = facelets.chars().map(|symbol| symbol.to_ascii_uppercase()).collect();
    let mut faces = Face::ALL;
    for (face, centre) in faces.iter_mut().zip(CENTRE_FACELETS) {
        let symbol = symbols.get(centre)?;
        *face = Face::try_from_index(scheme.chars().position(|known| known == *symbol)?)?;
    }
    Some(faces)
}

/// Removes readings that contradict their symbols, which `facelets` returns. Returns whether that removed all of them.
pub(crate) fn retain<T>(readings: &mut Vec<T>, facelets: impl Fn(&T) -> &str) -> bool {
    let arrangement = |reading: &T, scheme: &str| centres(facelets(reading), scheme).map(Arrangement::of);
    let before = readings.len();
    for scheme in [FACE_LETTERS, COLOUR_LETTERS] {
        let is = |reading: &T, kind| arrangement(reading, scheme) == Some(kind);
        let names_faces = scheme == FACE_LETTERS;
        if names_faces && readings.iter().any(|reading| is(reading, Arrangement::Regular)) {
            readings.retain(|reading| is(reading, Arrangement::Regular));
        }
        // Other schemes of the same colours exist, such as the Japanese one.
        readings.retain(|reading| !is(reading, Arrangement::Mirrored));
    }
    before > 0 && readings.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centres_are_regular_mirrored_or_other() {
        let of = |text: &str| {
            let solved: String = text.chars().flat_map(|symbol| [symbol; 9]).collect();
            centres(&solved, COLOUR_LETTERS).map(Arrangement::of)
        };
        assert_eq!(of("WRGYOB"), Some(Arrangement::Regular));
        // Green on top and white in front puts orange on the right.
        assert_eq!(of("gowbry"), Some(Arrangement::Regular));
        assert_eq!(of("WOGYRB"), Some(Arrangement::Mirrored));
        // Blue opposite white, as on Japanese cubes.
        assert_eq!(of("WRGBOY"), Some(Arrangement::Other));
        assert_eq!(of("123456"), None);
    }
}
