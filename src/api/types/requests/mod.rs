//! Requests with a cube. [`fields`] declares the fields that they share.

mod fields;
mod words;

pub(crate) use fields::request;
pub use words::*;

use crate::contract::{IntoParams, ToSchema};

use super::{ChannelOrder, Colors, CubeValue, Cubies, Knowledge};
use superflip_cube::Form;

request! {
    schema
    /// A cube in exactly one of its forms, and how to solve it.
    #[derive(ToSchema)]
    SolveRequest: cube target limits metrics turns solutions machines threads proofs
}

request! {
    param
    /// A cube and how to solve it, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    SolveQuery: cube_text target_text limits metrics turns solutions threads proofs
}

request! {
    param
    /// How to solve the cube in the path, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    SolveOptions: faces target_text limits metrics turns solutions threads proofs
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

request! {
    schema
    /// One JSON line of a batch: a cube in exactly one of its forms, and how to solve it. An option that is absent here is taken from
    /// the query.
    #[derive(ToSchema)]
    BatchLine: {
        /// Identifier of the line, repeated in its answer: a number, or a string of at most 256 bytes.
        pub id: Option<LineId>,
    } cube target limits metrics turns solutions machines proofs
}

request! {
    param
    /// Options of every line of a batch that does not set them itself.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    BatchQuery: {
        /// Order of the answers: `input` (default), or `any`: each answer is sent when its search ends.
        #[param(inline)]
        pub order: Option<BatchOrder>,
        /// Form of the lines of text, and of each text in `cube` without a `format` beside it (default: the form is recognised).
        #[param(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        /// Name of the column that has the cubes, if the lines are a table: CSV whose first line names the columns, separated by semicolons, tabs
        /// or commas (default: the lines are no table).
        #[param(example = "Scramble")]
        pub column: Option<String>,
    } target_text limits metrics turns solutions proofs
}

/// The fields of a request that describe the cube. A valid request has exactly one of `cube`, `facelets`, `scramble`, `cubies` and `colors`.
#[derive(Clone, Debug, Default)]
pub struct CubeRequest {
    /// Text in any form, or an object.
    pub cube: Option<CubeValue>,
    /// Stickers in the order U R F D L B.
    pub facelets: Option<String>,
    /// Moves from the solved cube.
    pub scramble: Option<String>,
    /// Kociemba's arrays.
    pub cubies: Option<Cubies>,
    /// Colour samples of a camera.
    pub colors: Option<Colors>,
    /// Form of the text in `cube`.
    pub format: Option<Form>,
    /// Buffers of Speffz letters in `cube`.
    pub buffers: Option<String>,
    /// Moves on the inverse cube.
    pub inverse_moves: Option<String>,
    /// Order of the channels in `colors`.
    pub channel_order: Option<ChannelOrder>,
    /// Whether the faces may be rotated.
    pub face_rotations: Option<Knowledge>,
    /// Whether the faces may be in another order.
    pub face_order: Option<Knowledge>,
    /// Cube that the moves must lead to.
    pub target: Option<CubeValue>,
    /// Form of the text in `target`.
    pub target_format: Option<Form>,
    /// Whether the target may be reached in any holding.
    pub target_up_to_rotation: Option<bool>,
    /// Face of the target whose turn is open.
    pub target_up_to_turn: Option<String>,
}

impl From<CubeRequest> for SolveRequest {
    fn from(request: CubeRequest) -> Self {
        let CubeRequest { cube, facelets, scramble, cubies, colors, format, buffers, inverse_moves, .. } = request;
        let CubeRequest { channel_order, face_rotations, face_order, .. } = request;
        let CubeRequest { target, target_format, target_up_to_rotation, target_up_to_turn, .. } = request;
        let read = Self { cube, facelets, scramble, cubies, colors, format, buffers, inverse_moves, ..Self::default() };
        let read = Self { channel_order, face_rotations, face_order, ..read };
        Self { target, target_format, target_up_to_rotation, target_up_to_turn, ..read }
    }
}

impl SolveRequest {
    /// Fills absent options from `defaults`, except those that would contradict the options of this request.
    #[must_use]
    pub fn or_options_of(self, defaults: &Self) -> Self {
        let optimal = self.optimal.or(defaults.optimal);
        let is_optimal = optimal == Some(true);
        let all_solutions = self.all_solutions.or(defaults.all_solutions.filter(|_| is_optimal));
        let lists = !is_optimal || all_solutions == Some(true);
        // Faces and moves are two ways to say the same.
        let turns = if self.faces.is_some() || self.moves.is_some() { &self } else { defaults };
        let (faces, moves) = (turns.faces.clone(), turns.moves.clone());
        // A line with costs of its own has no other machine, and the reverse.
        let (costs, machine) = match (self.costs, self.machine) {
            (None, None) => (defaults.costs.clone(), defaults.machine.clone()),
            own => own,
        };
        let is_text = matches!(self.cube, Some(CubeValue::Text(_)));
        Self {
            format: self.format.or(defaults.format.filter(|_| is_text)),
            target_format: self.target_format.or(defaults.target_format.filter(|_| self.target.is_none())),
            target: self.target.or_else(|| defaults.target.clone()),
            target_up_to_rotation: self.target_up_to_rotation.or(defaults.target_up_to_rotation),
            target_up_to_turn: self.target_up_to_turn.or_else(|| defaults.target_up_to_turn.clone()),
            target_length: self.target_length.or(defaults.target_length.filter(|_| !is_optimal)),
            max_length: self.max_length.or(defaults.max_length),
            time_limit_ms: self.time_limit_ms.or(defaults.time_limit_ms),
            metric: self.metric.or(defaults.metric),
            faces,
            moves,
            solutions: self.solutions.or(defaults.solutions.filter(|_| lists)),
            candidates: self.candidates.or(defaults.candidates),
            costs,
            machine,
            optimal,
            all_solutions,
            ..self
        }
    }
}

impl BatchQuery {
    /// Returns the options as a request without a cube.
    pub fn options(mut self) -> SolveRequest {
        SolveRequest { format: self.format, ..self.take_solve() }
    }
}
