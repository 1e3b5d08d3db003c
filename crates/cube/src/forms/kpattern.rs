//! `KPattern`, the JSON form of cubing.js and twips.
//!
//! Slots and pieces have Reid's numbers. `pieces` are "replaced-by": the entry of a slot is the piece that is in it.
//! `orientation` k means that the name of the piece, rotated left by k letters, is what the slot shows. Published in
//! cubing.js, `src/cubing/kpuzzle` and `3x3x3.kpuzzle.json`.

use super::Form;
use super::codec::{Codec, Recognised};
use super::codec::{Parsed, symbols};
use super::error::{FormError, Violation};
use super::reid::ReidPieces;
use crate::cubie::Cube;
use crate::holding::Holding;

/// Name of the puzzle in a whole `KPattern`.
const PUZZLE: &str = "3x3x3";

/// A `KPattern` of cubing.js: a cube as numbers of pieces.
///
/// Deserialization accepts the whole object with `patternData`, and the object inside `patternData` alone, as twips
/// takes it. Serialization writes the whole object.
///
/// # Examples
/// ```
/// use superflip_cube::forms::KPattern;
/// use superflip_cube::{Cube, Holding, Move};
///
/// let pattern = KPattern::of(Move::U.cube(), Holding::HOME);
/// assert_eq!(pattern.pattern_data.edges.pieces[..4], [1, 2, 3, 0]);
/// assert_eq!(pattern.to_cube(), Ok((*Move::U.cube(), Holding::HOME)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Given")]
pub struct KPattern {
    /// Name of the puzzle, `3x3x3`.
    pub experimental_puzzle_name: String,
    /// The pieces.
    pub pattern_data: PatternData,
}

/// The pieces of a [`KPattern`].
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct PatternData {
    /// Edges, 12 entries; orientations 0 and 1.
    pub edges: Orbit,
    /// Corners, 8 entries; orientations 0 to 2.
    pub corners: Orbit,
    /// Centres, 6 entries in the order U L F R B D; orientations 0 to 3 are ignored. Without it, the cube is held with U
    /// on top and F in front.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centers: Option<Orbit>,
}

/// The pieces of one kind in a [`KPattern`].
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Orbit {
    /// The piece in each slot.
    pub pieces: Vec<u32>,
    /// The orientation of the piece in each slot.
    pub orientation: Vec<u32>,
    /// Divisor of each orientation: 0 for exact orientations, 1 if the orientation does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation_mod: Option<Vec<u32>>,
}

/// The form.
pub(crate) const CODEC: Codec = Codec {
    name: "kpattern",
    title: "a KPattern",
    recognised: Recognised::Certainly(|text| symbols(text).first().is_some_and(|(_, symbol)| *symbol == '{')),
    alphabet: "",
    read: |text, _| read(text),
    // Writing these types as JSON cannot fail.
    write: Some(|cube, holding| serde_json::to_string(&KPattern::of(cube, holding)).unwrap_or_default()),
};

/// Both shapes that are accepted.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    experimental_puzzle_name: Option<String>,
    pattern_data: Option<PatternData>,
    #[serde(rename = "EDGES")]
    edges: Option<Orbit>,
    #[serde(rename = "CORNERS")]
    corners: Option<Orbit>,
    #[serde(rename = "CENTERS")]
    centers: Option<Orbit>,
}

impl TryFrom<Given> for KPattern {
    type Error = &'static str;

    fn try_from(given: Given) -> Result<Self, Self::Error> {
        let bare = || Some(PatternData { edges: given.edges?, corners: given.corners?, centers: given.centers });
        let pattern_data = given.pattern_data.or_else(bare);
        let pattern_data = pattern_data.ok_or("expected `patternData`, or `EDGES` and `CORNERS` (and `CENTERS`)")?;
        let experimental_puzzle_name = given.experimental_puzzle_name.unwrap_or_else(|| PUZZLE.to_owned());
        Ok(Self { experimental_puzzle_name, pattern_data })
    }
}

impl KPattern {
    /// Returns the pattern of a cube.
    pub fn of(cube: &Cube, holding: Holding) -> Self {
        let ReidPieces { edges, corners, centres } = ReidPieces::of(cube, holding);
        let orbit = |slots: &[(u8, u8)]| Orbit {
            pieces: slots.iter().map(|(piece, _)| u32::from(*piece)).collect(),
            orientation: slots.iter().map(|(_, orientation)| u32::from(*orientation)).collect(),
            orientation_mod: None,
        };
        let centers = Orbit { orientation_mod: Some(vec![1; 6]), ..orbit(&centres.map(|centre| (centre, 0))) };
        let pattern_data = PatternData { edges: orbit(&edges), corners: orbit(&corners), centers: Some(centers) };
        Self { experimental_puzzle_name: PUZZLE.to_owned(), pattern_data }
    }

    /// Returns the cube, named by places as held, and the holding.
    ///
    /// # Errors
    /// [`FormError::Impossible`] with all faults: wrong lengths, entries out of range, or a cube that no moves can reach.
    /// A pattern of another puzzle and unknown orientations of edges or corners are [`FormError::Unreadable`].
    pub fn to_cube(&self) -> Result<(Cube, Holding), FormError> {
        self.read().map_err(|error| error.in_form(Form::KPattern))
    }

    fn read(&self) -> Result<(Cube, Holding), FormError> {
        if self.experimental_puzzle_name != PUZZLE {
            return Err(FormError::at(0, "`experimentalPuzzleName` is not `3x3x3`; other puzzles are not supported"));
        }
        let PatternData { edges, corners, centers } = &self.pattern_data;
        for (name, orbit, exact) in [("EDGES", edges, 2), ("CORNERS", corners, 3)] {
            let is_unknown = |divisor: &u32| ![0, exact].contains(divisor);
            if orbit.orientation_mod.as_ref().is_some_and(|divisors| divisors.iter().any(is_unknown)) {
                let message =
                    format!("`orientationMod` of {name} is not 0: a cube with unknown orientations is not supported");
                return Err(FormError::at(0, message));
            }
        }
        let mut found = Vec::new();
        let edges = pairs::<12>("EDGES", edges, 2, &mut found);
        let corners = pairs::<8>("CORNERS", corners, 3, &mut found);
        let centres = centers.as_ref().map_or(Some([0, 1, 2, 3, 4, 5].map(|centre| (centre, 0))), |centers| {
            pairs::<6>("CENTERS", centers, 4, &mut found)
        });
        match (edges, corners, centres) {
            (Some(edges), Some(corners), Some(centres)) => {
                ReidPieces { edges, corners, centres: centres.map(|(centre, _)| centre) }.read()
            }
            _ => Err(FormError::impossible(found)),
        }
    }
}

/// Reads the JSON text of a pattern.
pub(crate) fn read(text: &str) -> Parsed {
    let pattern: KPattern = serde_json::from_str(text).map_err(|_| {
        FormError::at(0, "expected a KPattern: a JSON object with `patternData`, or with `EDGES` and `CORNERS`")
    })?;
    pattern.read().map(|(cube, holding)| (cube, Some(holding)))
}

/// Returns the entries, or reports entries of a wrong length or range.
fn pairs<const N: usize>(
    name: &str,
    orbit: &Orbit,
    orientations: usize,
    found: &mut Vec<Violation>,
) -> Option<[(u8, u8); N]> {
    let before = found.len();
    for (array, entries, range) in [("pieces", &orbit.pieces, N), ("orientation", &orbit.orientation, orientations)] {
        if entries.len() != N {
            let message = format!("`{name}.{array}` has {} entries, expected {N}.", entries.len());
            found.push(Violation::new("wrong_array_length", None, message));
        }
        let wrong: Vec<String> =
            entries.iter().take(N).filter(|entry| **entry as usize >= range).map(u32::to_string).collect();
        if !wrong.is_empty() {
            let message = format!("`{name}.{array}` has {}; entries are 0 to {}.", wrong.join(", "), range - 1);
            found.push(Violation::new("value_out_of_range", None, message));
        }
    }
    let number = |array: &[u32], slot: usize| array.get(slot).and_then(|&entry| u8::try_from(entry).ok());
    let entry = |slot: usize| Some((number(&orbit.pieces, slot)?, number(&orbit.orientation, slot)?));
    (found.len() == before).then(|| std::array::from_fn(|slot| entry(slot).unwrap_or_default()))
}
