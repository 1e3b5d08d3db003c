//! Stickers as read from a cube: some may be wrong, some unknown.

use super::facelets::{is_symbol, repeated_centres};
use super::sticker;
use crate::cubie::Cube;
use crate::face::Face;
use crate::forms::{FormError, Violation, listed, plural, shown};
use crate::geometry::{CENTRE_FACELETS, FACELETS};

/// 54 stickers, each of a face's colour or unknown; the six centres are known and distinct.
///
/// # Examples
/// ```
/// use superflip_cube::Stickers;
///
/// let text = "www?wwwwwrrrrrrrrrgggggggggyyyyyyyyyooooooooobbbbbbbbb";
/// let stickers = Stickers::parse(text)?;
/// assert_eq!(stickers.unknown(), [3]);
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stickers {
    faces: [Option<Face>; FACELETS],
    /// Symbol of each face.
    symbols: [char; Face::COUNT],
}

impl Stickers {
    /// The symbol of an unknown sticker.
    pub const UNKNOWN: char = '?';

    /// Parses 54 symbols in the order of [`Cube::from_facelets`]: any six distinct
    /// characters, each defined by a centre, and `?` for a sticker that is unknown.
    ///
    /// # Errors
    /// [`FormError::Impossible`] with one of these codes: `wrong_length`; `unknown_centre`, a centre is `?`;
    /// `repeated_centre`; `too_many_symbols`, a symbol is on no centre.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let symbols: Vec<char> = text.chars().filter(|c| is_symbol(*c)).take(2 * FACELETS).collect();
        let symbols = <[char; FACELETS]>::try_from(symbols).map_err(|symbols| {
            let given = match symbols.len() {
                1 => "1 symbol was".to_owned(),
                length if length < 2 * FACELETS => format!("{length} symbols were"),
                _ => format!("{} or more symbols were", 2 * FACELETS),
            };
            let message = format!(
                "A cube has 54 stickers, but {given} given. Write `{}` for a sticker that is unknown.",
                Self::UNKNOWN
            );
            FormError::impossible(vec![Violation::new("wrong_length", Some(1), message)])
        })?;
        Self::from_symbols(&symbols)
    }

    fn from_symbols(symbols: &[char; FACELETS]) -> Result<Self, FormError> {
        let centres = CENTRE_FACELETS.map(|facelet| symbols[facelet]);
        let mut found: Vec<_> = unknown_centres(&centres).into_iter().collect();
        if found.is_empty() {
            found = repeated_centres(&centres);
        }
        let face_of = |symbol| Face::ALL.into_iter().find(|face| centres[face.index()] == symbol);
        if found.is_empty() {
            found.extend(foreign(symbols, &centres));
        }
        if found.is_empty() {
            Ok(Self { faces: symbols.map(face_of), symbols: centres })
        } else {
            Err(FormError::impossible(found))
        }
    }

    /// Returns the face of the colour of each sticker, or `None` if unknown.
    pub fn faces(&self) -> &[Option<Face>; FACELETS] {
        &self.faces
    }

    /// Returns the unknown stickers, ascending.
    pub fn unknown(&self) -> Vec<u8> {
        (0..).take(FACELETS).filter(|&facelet: &u8| self.faces[usize::from(facelet)].is_none()).collect()
    }

    /// Returns the symbol of the colour of a face.
    pub fn symbol(&self, face: Face) -> char {
        self.symbols[face.index()]
    }

    /// Returns the stickers as 54 symbols.
    pub fn text(&self) -> String {
        self.faces.iter().map(|face| face.map_or(Self::UNKNOWN, |face| self.symbol(face))).collect()
    }

    /// Writes a cube in the symbols of these stickers.
    pub fn write(&self, cube: &Cube) -> String {
        cube.to_stickers().into_iter().map(|face| self.symbol(face)).collect()
    }

    /// Returns the known stickers that differ on the cube, ascending.
    pub fn differences(&self, cube: &Cube) -> Vec<u8> {
        let shown = cube.to_stickers();
        let differs = |&facelet: &u8| {
            let facelet = usize::from(facelet);
            self.faces[facelet].is_some_and(|face| face != shown[facelet])
        };
        (0..).take(FACELETS).filter(differs).collect()
    }
}

fn unknown_centres(centres: &[char; Face::COUNT]) -> Option<Violation> {
    let unknown: Vec<Face> = Face::ALL.into_iter().filter(|face| centres[face.index()] == Stickers::UNKNOWN).collect();
    if unknown.is_empty() {
        return None;
    }
    let places = unknown.iter().map(|face| CENTRE_FACELETS[face.index()]);
    let named: Vec<_> = places.clone().map(sticker).collect();
    let message = format!(
        "The six centres must be known, because each defines the colour of its face. Give a symbol for centre{} {}.",
        plural(unknown.len()),
        listed(&named),
    );
    let slots = unknown.iter().map(|face| face.name()).collect();
    Some(Violation { slots, ..Violation::new("unknown_centre", Some(1), message).about(places) })
}

/// Finds symbols that are on no centre.
fn foreign(symbols: &[char; FACELETS], centres: &[char; Face::COUNT]) -> Option<Violation> {
    let is_foreign = |symbol: char| symbol != Stickers::UNKNOWN && !centres.contains(&symbol);
    let places: Vec<_> = (0..FACELETS).filter(|&facelet| is_foreign(symbols[facelet])).collect();
    if places.is_empty() {
        return None;
    }
    let named: Vec<_> =
        places.iter().map(|&facelet| format!("`{}` on {}", shown(symbols[facelet]), sticker(facelet))).collect();
    let message = format!(
        "Each sticker must have the symbol of a centre, or `{}` if it is unknown. Symbols of no centre: {}.",
        Stickers::UNKNOWN,
        listed(&named[..named.len().min(12)]),
    );
    Some(Violation::new("too_many_symbols", Some(1), message).about(places))
}
