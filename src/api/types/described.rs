//! Schemas of types that have their own readers, and of library types that are sent or read as they are. That of an enumeration lists what the
//! library writes.

use std::collections::BTreeMap;

use serde_json::json;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use superflip_coords::{four_arrays, move_check, space::catalogue};
use superflip_cube::Form;
use superflip_solver::{search, tables};

/// Declares the schemas of enumerations: their descriptions, and all values.
macro_rules! enumerations {
    ($($(#[doc = $doc:literal])+ $name:ident: $values:expr;)*) => {$(
        $(#[doc = $doc])+
        pub struct $name;

        impl ToSchema for $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let description = concat!($($doc),+).trim_start();
                let names = $values.map(|value| json!(value));
                let strings = ObjectBuilder::new().schema_type(Type::String);
                strings.description(Some(description)).enum_values(Some(names)).into()
            }
        }
    )*};
}

enumerations! {
    /// A text form of a cube.
    CubeForm: Form::ALL;
    /// Rule for written solutions.
    SolutionRule: superflip_cube::notation::fewest_moves::Rule::ALL;
    /// Axis of the cube, named by its two faces.
    Axis: superflip_cube::Axis::ALL;
    /// Set of tables.
    Profile: tables::Profile::ALL;
    /// Reason why the search ended. If several solutions or the count of all shortest ones were requested, it refers to them.
    StoppedBy: search::StoppedBy::ALL;
    /// Meaning of the entries of the arrays of a move.
    Convention: four_arrays::Convention::ALL;
    /// Kind of the finding, as a stable word.
    FindingCode: move_check::FindingCode::ALL;
    /// Reason for the choice of the reference move.
    ReferenceChoice: move_check::Choice::ALL;
    /// Construction of a coordinate.
    CoordinateKind: catalogue::Construction::ALL;
    /// Program that an alias comes from.
    AliasSystem: catalogue::System::ALL;
}

/// A `KPattern` of cubing.js: a cube as numbers of pieces. Only its `patternData` is accepted too.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KPattern {
    /// Name of the puzzle, `3x3x3`.
    pub experimental_puzzle_name: String,
    /// The pieces.
    pub pattern_data: super::PatternPieces,
}

/// Cube in any form: a text, or an object.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum AnyCube {
    /// Text in any form.
    Text(String),
    /// Texts in a list: stickers, rows, faces or single moves. They are read as one text, with spaces between them. A list of moves
    /// has one move in each item.
    List(Vec<String>),
    /// Stickers of each face.
    Faces(super::Faces),
    /// Kociemba's arrays.
    Cubies(super::Cubies),
    /// Object of cubing.js, whole or only its `patternData`.
    Pattern(KPattern),
}

/// 54 colour samples.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum Colors {
    /// Samples in the order U R F D L B, each face row by row.
    Samples(Vec<ColorSample>),
    /// Six matrices of three rows of three samples, in the order U R F D L B.
    Faces(Vec<Vec<Vec<ColorSample>>>),
    /// Samples by their numbers from 1 to 54, in the order U L F R B D.
    Numbered(BTreeMap<String, ColorSample>),
}

/// One colour sample.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum ColorSample {
    /// Three numbers from 0 to 255, in the order `channel_order`. They may have fractions, as means of pixels do.
    Channels([f64; 3]),
    /// Hexadecimal digits, such as `#ffcc00`.
    Hex(String),
}

/// One state or several.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum StateNames {
    /// One state.
    One(String),
    /// Several states, at least one.
    Several(Vec<String>),
}
