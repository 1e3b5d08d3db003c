//! Requests to solve cubes, made of groups of fields.

use std::borrow::Cow;

use clap::builder::{NonEmptyStringValueParser, TypedValueParser as _};
use clap::{ArgAction, Args};
use serde::{Deserialize, Serialize};

use crate::api::request::machine::MachineOptions;
use crate::api::request::options::{LimitOptions, ProofOptions, SearchOptions, ThreadOptions};
use crate::api::types::fields::{Fields as _, fields};
use crate::api::types::{ChannelOrder, Colors, CubeValue, Cubies, FaceKnowledge};
#[cfg(feature = "contract")]
use crate::contract::IntoParams;
use crate::contract::ToSchema;
use superflip_cube::Form;
use superflip_cube::metric::Metric;

fields! {
    /// A cube in exactly one of its forms, and how to solve it.
    pub struct SolveRequest {
        ..cube: CubeRequest,
        ..target: TargetOptions,
        ..limits: LimitOptions,
        ..search: SearchOptions,
        ..machine: MachineOptions,
        ..threads: ThreadOptions,
        ..proofs: ProofOptions,
    }
}

fields! {
    /// How to solve the cube in the path, as a query.
    pub struct SolveOptions in Query {
        ..form: PathForm,
        ..target: TargetOptions,
        ..limits: LimitOptions,
        ..search: SearchOptions,
        ..threads: ThreadOptions,
        ..proofs: ProofOptions,
    }
}

/// Headers of requests that may wait for tables.
#[cfg(feature = "contract")]
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code)] // it only describes the header
pub struct WaitHeader {
    /// `wait=SECONDS` (RFC 7240): how long to wait for the tables of a metric, beside the time limit.
    #[param(rename = "Prefer", example = "wait=60")]
    prefer: Option<String>,
}

fields! {
    /// One JSON line of a batch: a cube in exactly one of its forms, and how to solve it. An option that is absent here is taken from
    /// the query.
    pub struct BatchLine {
        /// Identifier of the line, repeated in its answer: a number, or a string of at most 256 bytes.
        pub id: Option<LineId>,
        ..cube: CubeRequest,
        ..target: TargetOptions,
        ..limits: LimitOptions,
        ..search: SearchOptions,
        ..machine: MachineOptions,
        ..proofs: ProofOptions,
    }
}

fields! {
    /// Options of every line of a batch that does not set them itself.
    pub struct BatchQuery in Query {
        /// Order of the answers: `input` (default), or `any`: each answer is sent when its search ends.
        #[schema(inline)]
        pub order: Option<BatchOrder>,
        /// Form of the lines of text, and of each text in `cube` without a `format` beside it (default: the form is recognised).
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        /// Name of the column that has the cubes, if the lines are a table: CSV whose first line names the columns, separated by semicolons, tabs
        /// or commas (default: the lines are no table).
        #[schema(example = "Scramble")]
        pub column: Option<String>,
        ..target: TargetOptions,
        ..limits: LimitOptions,
        ..search: SearchOptions,
        ..proofs: ProofOptions,
    }
}

fields! {
    /// Options of every line of a job that does not set them itself.
    #[derive(serde::Serialize)]
    pub struct JobOptions {
        #[serde(flatten)]
        ..proofs: ProofOptions,
        #[serde(flatten)]
        ..limits: LimitOptions,
        /// Form of the lines of text.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        #[serde(flatten)]
        ..target: TargetOptions,
    }
}

impl SolveRequest {
    /// Creates a request to solve this cube, with no options.
    pub fn of_cube(cube: CubeRequest) -> Self {
        Self { cube, ..Self::default() }
    }

    /// Takes the cube and the target.
    pub(crate) fn take_ends(&mut self) -> CubeAndTarget {
        CubeAndTarget { cube: std::mem::take(&mut self.cube), target: std::mem::take(&mut self.target) }
    }

    /// Fills absent options from `defaults`, except those that would contradict the options of this request.
    #[must_use]
    pub(crate) fn or_options_of(mut self, defaults: &Self) -> Self {
        if matches!(self.cube.cube, Some(CubeValue::Text(_))) {
            self.cube.format = self.cube.format.or(defaults.cube.format);
        }
        let proofs = self.proofs.or_of_query(&defaults.proofs);
        Self {
            target: self.target.or_of_query(&defaults.target),
            limits: self.limits.or_of_query(&defaults.limits, &proofs),
            search: self.search.or_of_query(&defaults.search, &proofs),
            machine: self.machine.or_of_query(&defaults.machine),
            proofs,
            ..self
        }
    }
}

impl From<BatchLine> for SolveRequest {
    fn from(line: BatchLine) -> Self {
        let BatchLine { id: _, cube, target, limits, search, machine, proofs } = line;
        Self { cube, target, limits, search, machine, proofs, ..Self::default() }
    }
}

impl From<BatchQuery> for SolveRequest {
    /// Returns the options as a request without a cube.
    fn from(query: BatchQuery) -> Self {
        let BatchQuery { format, target, limits, search, proofs, .. } = query;
        let cube = CubeRequest { format, ..CubeRequest::default() };
        Self { cube, target, limits, search, proofs, ..Self::default() }
    }
}

impl From<JobOptions> for SolveRequest {
    /// Returns the options as a request without a cube.
    fn from(options: JobOptions) -> Self {
        let JobOptions { proofs, limits, format, target } = options;
        let cube = CubeRequest { format, ..CubeRequest::default() };
        Self { cube, target, limits, proofs, ..Self::default() }
    }
}

/// The cube at the start, and the cube that the moves must lead to.
#[derive(Clone, Debug, Default)]
pub struct CubeAndTarget {
    /// The cube at the start.
    pub cube: CubeRequest,
    /// The target.
    pub target: TargetOptions,
}

fields! {
    /// The fields of a request that describe the cube. A valid request has exactly one of `cube`, `facelets`, `scramble`, `cubies` and `colors`.
    pub struct CubeRequest {
        /// Cube in any form: a text in one of the forms that `format` lists, a `KPattern` object or a cubies object. The form of a text is
        /// recognised; `format` names it if the text fits several forms. Give the cube in exactly one field.
        #[schema(value_type = Option<crate::api::types::described::AnyCube>)]
        pub cube: Option<CubeValue>,
        /// 54 symbols in the order U R F D L B, each face row by row. White space is ignored. Any six distinct symbols are accepted;
        /// the centres define which face each symbol stands for. `?` is an unknown sticker; the cube must then be the only legal one.
        #[schema(example = "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB")]
        pub facelets: Option<String>,
        /// Moves from the solved cube in WCA or `SiGN` notation; the cube to solve is the result. Parentheses group moves, as in
        /// `(R U)3`; they never mean moves on the inverse cube. A comment starts with `//` and ends with its line.
        #[schema(example = "R U R' U'")]
        pub scramble: Option<String>,
        /// Kociemba's arrays.
        pub cubies: Option<Cubies>,
        /// 54 colour samples of a camera; the cube is the most likely legal one. A list in the order U R F D L B, six matrices of three
        /// rows in that order, or an object with the names `1` to `54` in the order U L F R B D.
        #[schema(value_type = Option<crate::api::types::described::Colors>)]
        pub colors: Option<Colors>,
        /// Form of the text in `cube` (default: the form is recognised).
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        /// Buffers of Speffz letters in `cube`: the letter of a corner sticker and of an edge sticker (default: `AU`).
        #[schema(example = "AU")]
        pub buffers: Option<String>,
        /// Moves on the inverse cube (NISS), applied to the inverse of the cube that is given in another field.
        #[schema(example = "R U")]
        pub inverse_moves: Option<String>,
        /// Order of the channels in `colors` (default: `rgb`).
        pub channel_order: Option<ChannelOrder>,
        /// Whether the faces in `facelets` or `colors` may be rotated (default: `known`). With `unknown`, the only legal rotations are
        /// found.
        pub face_rotations: Option<FaceKnowledge>,
        /// Whether the faces in `facelets` or `colors` may be in another order (default: `known`). With `unknown`, the only legal order
        /// is found. For `colors`, only one of `face_order` and `face_rotations` may be `unknown`.
        pub face_order: Option<FaceKnowledge>,
    } bodies { cubies colors channel_order }
}

fields! {
    /// How to read the cube that is the path of a request.
    pub struct PathForm {
        /// Form of the text in the path (default: the form is recognised).
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        /// Whether the faces of 54 symbols may be rotated (default: `known`).
        pub face_rotations: Option<FaceKnowledge>,
        /// Whether the faces of 54 symbols may be in another order (default: `known`).
        pub face_order: Option<FaceKnowledge>,
    }
}

fields! {
    /// Stickers of a cube that may be impossible.
    pub struct StickerFields {
        /// Stickers as a text in any form that lists them: facelets in either order, a net or digits. `?` is an unknown sticker.
        #[schema(value_type = Option<String>)]
        pub cube: Option<CubeValue>,
        /// 54 symbols in the order U R F D L B, each face row by row. White space is ignored. Any six distinct symbols are accepted;
        /// the centres define which face each symbol stands for. `?` is an unknown sticker.
        #[schema(example = "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBB?")]
        pub facelets: Option<String>,
        /// 54 colour samples of a camera, as for POST /solve.
        #[schema(value_type = Option<crate::api::types::described::Colors>)]
        pub colors: Option<Colors>,
        /// Form of the text in `cube`: `facelets`, `ulfrbd`, `net` or `digits` (default: the form is recognised).
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        /// Order of the channels in `colors` (default: `rgb`).
        pub channel_order: Option<ChannelOrder>,
        /// Whether the faces in `facelets` or `colors` may be rotated (default: `known`). With `unknown`, `facelets` must be without
        /// errors.
        pub face_rotations: Option<FaceKnowledge>,
        /// Whether the faces in `facelets` or `colors` may be in another order (default: `known`). With `unknown`, `facelets` must be
        /// without errors.
        pub face_order: Option<FaceKnowledge>,
    } bodies { colors channel_order face_rotations face_order }
}

impl From<StickerFields> for CubeRequest {
    fn from(stickers: StickerFields) -> Self {
        let StickerFields { cube, facelets, colors, format, channel_order, face_rotations, face_order } = stickers;
        Self { cube, facelets, colors, format, channel_order, face_rotations, face_order, ..Self::default() }
    }
}

fields! {
    /// The cube that the moves must lead to.
    #[derive(Args, Serialize)]
    pub struct TargetOptions {
        /// Cube that the moves must lead to, in any form that `cube` takes (default: the solved cube). If the forms of both cubes say how
        /// they are held, the target is turned to the holding of the cube. Stickers may be `?`: the moves lead to the nearest cube that has
        /// the known stickers.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<crate::api::types::described::AnyCube>)]
        #[arg(long, value_name = "CUBE", allow_hyphen_values = true, value_parser = NonEmptyStringValueParser::new().map(CubeValue::Text),
            help = "Lead to this cube, in any form, instead of the solved one")]
        pub target: Option<CubeValue>,
        /// Form of the text in `target` (default: the form is recognised).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        #[arg(long, value_name = "FORM", value_parser = format_of_name, requires = "target")]
        pub target_format: Option<Form>,
        /// Whether the target may be reached in any of the 24 holdings: the same pattern on other faces, in their colours (default:
        /// false).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[arg(long, action = ArgAction::SetTrue, requires = "target",
            help = "Lead to --target in any of the 24 holdings: the same pattern on other faces")]
        pub target_up_to_rotation: Option<bool>,
        /// Face of the target whose turn is open: U, R, F, D, L or B. The cube after the moves may differ from the target by a turn of
        /// this face (default: none).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[arg(long, value_name = "FACE", requires = "target")]
        pub target_up_to_turn: Option<String>,
    }
}

impl TargetOptions {
    /// Returns the options of the shell, where an absent flag is false.
    #[must_use]
    pub fn of_flags(&self) -> Self {
        Self { target_up_to_rotation: self.target_up_to_rotation.filter(|is_given| *is_given), ..self.clone() }
    }

    /// Takes absent options of a line from the query. The form of the query is that of its own target.
    #[must_use]
    pub(super) fn or_of_query(self, query: &Self) -> Self {
        let of_own_target = self.target.is_some().then_some(self.target_format);
        let options = self.or(query);
        Self { target_format: of_own_target.unwrap_or(options.target_format), ..options }
    }
}

/// A metric in which lengths count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SearchMetric {
    /// Half-turn metric: each move is 1.
    Htm,
    /// Quarter-turn metric: a half turn is 2.
    Qtm,
    /// Slice-turn metric: turns of opposite faces that turn the slice between them are 1 together.
    Stm,
    /// Axial half-turn metric: a turn and the next turn of the opposite face are 1 together.
    Axht,
    /// Axial quarter-turn metric: consecutive turns of opposite faces count as many as the quarter turns of the face that turns most.
    Axqt,
}

impl SearchMetric {
    /// Every metric.
    pub const ALL: [Self; 5] = [Self::Htm, Self::Qtm, Self::Stm, Self::Axht, Self::Axqt];
}

impl From<SearchMetric> for Metric {
    fn from(metric: SearchMetric) -> Self {
        match metric {
            SearchMetric::Htm => Self::Htm,
            SearchMetric::Qtm => Self::Qtm,
            SearchMetric::Stm => Self::Stm,
            SearchMetric::Axht => Self::Axht,
            SearchMetric::Axqt => Self::Axqt,
        }
    }
}

/// Returns the metric of this name, for flags.
///
/// # Errors
/// Lists the names of the metrics.
pub(crate) fn metric_of_name(name: &str) -> Result<SearchMetric, String> {
    let of_name = |metric: &SearchMetric| Metric::from(*metric).name() == name;
    SearchMetric::ALL.into_iter().find(of_name).ok_or_else(|| "expected htm, qtm, stm, axht or axqt".to_owned())
}

/// Returns the form of this name, for flags.
///
/// # Errors
/// Lists the names of the forms.
pub fn format_of_name(name: &str) -> Result<Form, String> {
    let known = Form::ALL.map(Form::name).join(", ");
    Form::from_name(name).ok_or_else(|| format!("expected one of {known}"))
}

/// Moves in a text or in a list.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "expected moves such as `U U2 U'`, as a text or a list of texts")]
pub enum TurnList {
    /// Moves, separated by spaces.
    Text(String),
    /// One move in each text.
    List(Vec<String>),
}

impl TurnList {
    /// Returns the moves with spaces between them.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => text.into(),
            Self::List(moves) => moves.join(" ").into(),
        }
    }
}

impl Default for TurnList {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

/// Identifier of a line of a batch, chosen by the client.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(untagged, expecting = "expected a string or a number")]
pub enum LineId {
    /// Number; integers of up to 64 bits are repeated exactly.
    #[schema(value_type = f64)]
    Number(serde_json::Number),
    /// String of at most 256 bytes.
    Text(String),
}

/// Order of the answers of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BatchOrder {
    /// Order of the lines.
    #[default]
    Input,
    /// Order in which searches end, so that an easy cube does not wait for a hard one before it.
    Any,
}

#[cfg(test)]
mod tests {
    use super::JobOptions;
    use crate::api::request::read::parse;

    #[test]
    fn options_of_a_job_are_written_as_they_are_read() {
        let text =
            r#"{"optimal":true,"max_length":20,"metric":"qtm","format":"reid","target":"R U","target_up_to_turn":"U"}"#;
        let options: JobOptions = parse(text.as_bytes(), None).unwrap();
        assert_eq!(serde_json::to_string(&options).unwrap(), text);
    }
}
