//! Schemas of the enums that the engine serializes itself.
//!
//! They are in the contract only: `#[schema(value_type = ...)]` names them where a response has the enum of the engine.

use crate::api::contract::ToSchema;

/// Axis of the cube, named by its two faces.
#[derive(ToSchema)]
#[schema(as = Axis)]
pub enum AxisSchema {
    /// Up and down.
    #[schema(rename = "UD")]
    Ud,
    /// Right and left.
    #[schema(rename = "RL")]
    Rl,
    /// Front and back.
    #[schema(rename = "FB")]
    Fb,
}

/// Reason why the search ended.
#[derive(ToSchema)]
#[schema(as = StoppedBy, rename_all = "snake_case")]
pub enum StoppedBySchema {
    /// A solution of at most `target_length` moves was found.
    TargetLength,
    /// The time limit passed.
    TimeLimit,
    /// No shorter solution exists.
    ProvenOptimal,
}

/// Construction of a coordinate.
#[derive(ToSchema)]
#[schema(as = CoordinateKind, rename_all = "snake_case")]
pub enum KindSchema {
    /// Orientations, or places without order.
    Raw,
    /// Rank of a permutation of pieces.
    PermutationIndex,
    /// Several coordinates as the digits of one number.
    Composite,
    /// Classes under a group of symmetries.
    Sym,
    /// Classes of one coordinate, combined with another coordinate seen through the same symmetry.
    SymComposite,
}

/// Program that an alias comes from.
#[derive(ToSchema)]
#[schema(as = AliasSystem)]
pub enum SystemSchema {
    /// Kociemba's Cube Explorer, in Pascal.
    #[schema(rename = "Kociemba (Pascal)")]
    KociembaPascal,
    /// Kociemba's Python programs.
    #[schema(rename = "Kociemba (Python)")]
    KociembaPython,
    /// Nissy.
    #[schema(rename = "Nissy")]
    Nissy,
    /// `IndexCube`, in the paper "Cube Algorithm".
    #[schema(rename = "IndexCube (paper)")]
    IndexCubePaper,
    /// `IndexCube`, in its author's program.
    #[schema(rename = "IndexCube (program)")]
    IndexCubeProgram,
}
