//! One face that was scanned in another rotation, or centres that were misread: changes that leave a legal cube.

use super::nearest::Repair;
use superflip_cube::Stickers;
use superflip_cube::cubie::Cube;
use superflip_cube::face::Face;
use superflip_cube::geometry::{CENTRE_FACELETS, FACELETS, TURNED_FACE};

/// One scanned face in another rotation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnedFace {
    /// The face.
    pub face: Face,
    /// Clockwise quarter turns of the scanned face, 1 to 3.
    pub turns: u8,
    /// The cube.
    pub cube: Cube,
    /// The legal cube that results, in the symbols of the scan.
    pub facelets: String,
}

/// Finds the legal cubes that result if one scanned face is turned. Returns none if the cube is legal as it is, or if a sticker
/// is unknown. It takes microseconds.
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, Face};
/// use superflip_scan::repair::{Stickers, turned_faces};
///
/// let legal = Cube::from_scramble("R U F2 L' D B' R2 U' L F")?.to_string();
/// // The picture of the right face was upside down.
/// let scan = legal[..9].to_owned() + &legal[9..18].chars().rev().collect::<String>() + &legal[18..];
/// let found = turned_faces(&Stickers::parse(&scan)?);
/// assert_eq!((found.len(), found[0].face, found[0].turns), (1, Face::R, 2));
/// assert_eq!(found[0].facelets, legal);
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
pub fn turned_faces(stickers: &Stickers) -> Vec<TurnedFace> {
    let shown = stickers.faces();
    let legal = |faces: &[Option<Face>; FACELETS]| Cube::from_stickers(faces).filter(Cube::is_reachable);
    let mut found: Vec<TurnedFace> = Vec::new();
    if legal(shown).is_some() {
        return found;
    }
    for face in Face::ALL {
        for (turns, from) in (1..).zip(&TURNED_FACE[1..]) {
            let mut turned = *shown;
            for (i, from) in from.iter().enumerate() {
                turned[9 * face.index() + i] = shown[9 * face.index() + from];
            }
            if let Some(cube) = legal(&turned)
                && found.iter().all(|other| other.cube != cube)
            {
                found.push(TurnedFace { face, turns, cube, facelets: stickers.write(&cube) });
            }
        }
    }
    found
}

/// Finds the legal cubes that result if one centre is replaced by a symbol that is on no centre, or if two centres are
/// exchanged. `symbols` are 54 symbols in the order U R F D L B. Returns none if the cube is legal as it is.
///
/// # Examples
/// ```
/// use superflip_scan::repair::misread_centres;
///
/// // The white centre is read as yellow.
/// let scan = "wwwwywwwwrrrrrrrrrgggggggggyyyyyyyyyooooooooobbbbbbbbb";
/// let found = misread_centres(scan);
/// assert_eq!((found.len(), found[0].changed.as_slice()), (1, [4].as_slice()));
/// ```
pub fn misread_centres(symbols: &str) -> Vec<Repair> {
    let given: Vec<char> = symbols.chars().collect();
    let Ok(given) = <[char; FACELETS]>::try_from(given) else { return Vec::new() };
    let mut found: Vec<Repair> = Vec::new();
    let mut attempt = |changes: &[(usize, char)]| {
        let mut changed = given;
        for &(facelet, symbol) in changes {
            changed[facelet] = symbol;
        }
        let facelets: String = changed.iter().collect();
        if let Ok(cube) = Cube::from_facelets(&facelets) {
            let mut changed: Vec<u8> = changes.iter().filter_map(|&(facelet, _)| u8::try_from(facelet).ok()).collect();
            changed.sort_unstable();
            found.push(Repair { cube, facelets, changed });
        }
    };
    let centres = CENTRE_FACELETS.map(|facelet| given[facelet]);
    let mut missing: Vec<char> = given.iter().copied().filter(|symbol| !centres.contains(symbol)).collect();
    missing.sort_unstable();
    missing.dedup();
    if let [missing] = missing[..] {
        for centre in CENTRE_FACELETS {
            attempt(&[(centre, missing)]);
        }
    } else if missing.is_empty() && Cube::from_facelets(symbols).is_err() {
        for (i, &one) in CENTRE_FACELETS.iter().enumerate() {
            for &other in &CENTRE_FACELETS[i + 1..] {
                attempt(&[(one, given[other]), (other, given[one])]);
            }
        }
    }
    found
}
