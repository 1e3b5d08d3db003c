//! Schemas of types of the libraries that are sent as they are. A test compares the names here with those that the libraries send.

use serde::Serialize;
use utoipa::ToSchema;

/// Set of tables.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Fast set of about 640 MB.
    Standard,
    /// Small set of about 50 MB.
    Small,
}

/// Reason why the search ended. If several solutions were requested, it refers to the list of them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// A solution of at most `target_length` moves was found; or as many of them as requested.
    TargetLength,
    /// The time limit passed.
    TimeLimit,
    /// There was no capacity to continue the search after its first solution.
    Overloaded,
    /// No shorter solution exists. For a list: every solution that is missing in a full list is at least as long as its last one, and no
    /// solution within the maximum length is missing in a shorter list.
    ProvenOptimal,
}

/// Meaning of the entries of the arrays of a move.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Convention {
    /// `perm[i]` is the slot to which the piece in slot i moves; delta i is added to the piece that arrives in slot i.
    GoesTo,
    /// `perm[i]` is the piece that arrives in slot i; delta i is added to it.
    ReplacedBy,
}

/// Reason for the choice of the reference move.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ReferenceChoice)]
pub enum Choice {
    /// The request names it.
    Named,
    /// At most 8 of 40 entries differ from it, fewer than from any other move.
    Nearest,
}

/// Kind of the finding, as a stable word.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingCode {
    /// The arrays describe another move than the named one, often its inverse.
    OtherMove,
    /// The arrays describe the named move in the other convention, and its inverse in this one.
    OtherConvention,
    /// The arrays describe no move, and no move is clearly nearest.
    NotAMove,
    /// The array does not have 8 or 12 entries, as required.
    WrongArrayLength,
    /// Entries are out of range for a slot, twist or flip.
    ValueOutOfRange,
    /// Not a permutation: some values occur more than once.
    DuplicateValue,
    /// Not a permutation: some values are missing.
    MissingValue,
    /// The array, followed by the inverse computed from it, does not restore these entries.
    InverseFails,
    /// The cycles are not one 4-cycle, as for a quarter turn, or not two swaps, as for a half turn.
    WrongCycles,
    /// The pieces of this kind move as in the inverse move.
    WrongDirection,
    /// Entries differ from those of the move in another way.
    PermutationDiffers,
    /// The sum of the twists is not a multiple of 3, or the sum of the flips is odd.
    OrientationSum,
    /// Deltas differ from those of the move.
    OrientationDiffers,
    /// The permutations of corners and edges have different parity.
    ParityDiffers,
    /// The order differs from that of the move: 4, or 2 for a half turn.
    WrongOrder,
}

/// Construction of a coordinate.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = CoordinateKind)]
pub enum Kind {
    /// Orientations, or places without order.
    Raw,
    /// Rank of a permutation of pieces.
    #[serde(rename = "permutation_index")]
    Permutation,
    /// Several coordinates as the digits of one number.
    Composite,
    /// Classes under a group of symmetries.
    Sym,
    /// Classes of one coordinate, combined with another coordinate seen through the same symmetry.
    SymComposite,
}

/// Program that an alias comes from.
#[derive(Serialize, ToSchema)]
#[schema(as = AliasSystem)]
pub enum System {
    /// Kociemba's Cube Explorer, in Pascal.
    #[serde(rename = "Kociemba (Pascal)")]
    KociembaPascal,
    /// Kociemba's Python programs.
    #[serde(rename = "Kociemba (Python)")]
    KociembaPython,
    /// Nissy.
    Nissy,
    /// `IndexCube`, in the paper "Cube Algorithm".
    #[serde(rename = "IndexCube (paper)")]
    IndexCubePaper,
    /// `IndexCube`, in its author's program.
    #[serde(rename = "IndexCube (program)")]
    IndexCubeProgram,
}

/// Axis of the cube, named by its two faces.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Axis {
    /// Up and down.
    Ud,
    /// Right and left.
    Rl,
    /// Front and back.
    Fb,
}

/// A text form of a cube.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CubeForm)]
pub enum Format {
    /// 55 or 54 digits in the order U L F R B D.
    Digits,
    /// 54 stickers in the order U R F D L B.
    Facelets,
    /// 54 stickers in the order U L F R B D.
    Ulfrbd,
    /// 54 stickers as an unfolded cube.
    Net,
    /// Names of the pieces in the twenty slots.
    Reid,
    /// One letter per piece, as nissy writes them.
    B32,
    /// Eleven bytes as hexadecimal digits or base64.
    Twizzle,
    /// Letters of stickers that are exchanged with a buffer.
    Speffz,
    /// Turns that lead from the solved cube to this one.
    Scramble,
    /// Address of a page that shows a cube.
    Link,
    /// JSON arrays of pieces and orientations.
    KPattern,
}

/// A `KPattern` of cubing.js: a cube as numbers of pieces.
///
/// Deserialization accepts the whole object with `patternData`, and the object inside `patternData` alone, as twips
/// takes it. Serialization writes the whole object.
///
/// # Examples
/// ```
/// use superflip_cube::forms::{Holding, KPattern};
/// use superflip_cube::{Cube, Move};
///
/// let pattern = KPattern::of(Move::U.cube(), Holding::HOME);
/// assert_eq!(pattern.pattern_data.edges.pieces[..4], [1, 2, 3, 0]);
/// assert_eq!(pattern.to_cube(), Ok((*Move::U.cube(), Holding::HOME)));
/// ```
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(
    description = "A `KPattern` of cubing.js: a cube as numbers of pieces. Only its `patternData` is accepted too."
)]
pub struct KPattern {
    /// Name of the puzzle, `3x3x3`.
    pub experimental_puzzle_name: String,
    /// The pieces.
    pub pattern_data: PatternData,
}

/// The pieces of a [`KPattern`].
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = PatternPieces)]
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
#[derive(Serialize, ToSchema)]
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
