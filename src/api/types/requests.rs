//! Requests with a cube: their fields are declared once and shared by bodies, lines and queries.

use crate::contract::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};

use super::strict::{integers, word};
use super::{ChannelOrder, Colors, CubeValue, Cubies, Knowledge};
use superflip_cube::Form;
use superflip_cube::metric::Metric;

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
    /// Axial half-turn metric: consecutive turns of opposite faces are 1 together.
    Axht,
    /// Axial quarter-turn metric: consecutive turns of opposite faces are as many as the quarter turns of the face that turns most.
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

/// Declares a request out of shared fields, named after the colon, and fields of its own, in braces.
///
/// `schema` or `param` is the utoipa attribute of its fields: `schema` for a body, `param` for a query. The names `cube`, `cube_text`,
/// `stickers`, `stickers_text`, `faces` and `limits` stand for several fields. Every request gets two methods:
/// `take_cube` moves its cube fields into a [`CubeRequest`], and `take_solve` moves all shared fields into a [`SolveRequest`].
macro_rules! request {
    ($attr:ident $(#[$meta:meta])* $name:ident: $($field:tt)*) => {
        request! { @ $attr [$(#[$meta])* $name] [] [] {} $($field)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} cube $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* cube facelets scramble cubies colors format buffers inverse_moves channel_order face_rotations face_order] $options {
            $($fields)*
            /// Cube in any form: a text in one of the forms that `format` lists, a `KPattern` object or a cubies object. The form of a text is
            /// recognised; `format` names it if the text fits several forms.
            #[schema(value_type = Option<crate::api::types::CubeSchema>)]
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
            #[schema(value_type = Option<crate::api::types::ColorsSchema>)]
            pub colors: Option<Colors>,
            /// Form of the text in `cube` (default: the form is recognised).
            #[serde(default, deserialize_with = "word")]
            #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<Form>,
            /// Buffers of Speffz letters in `cube`: the letter of a corner sticker and of an edge sticker (default: `AU`).
            #[schema(example = "AU")]
            pub buffers: Option<String>,
            /// Moves on the inverse cube (NISS), applied to the inverse of the cube that is given in another field.
            #[schema(example = "R U")]
            pub inverse_moves: Option<String>,
            /// Order of the channels in `colors` (default: `rgb`).
            #[serde(default, deserialize_with = "word")]
            pub channel_order: Option<ChannelOrder>,
            /// Whether the faces in `facelets` or `colors` may be rotated (default: `known`). With `unknown`, the only legal rotations are
            /// found.
            #[serde(default, deserialize_with = "word")]
            pub face_rotations: Option<Knowledge>,
            /// Whether the faces in `facelets` may be in another order (default: `known`). With `unknown`, the only legal order is found.
            #[serde(default, deserialize_with = "word")]
            pub face_order: Option<Knowledge>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} stickers $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* cube facelets colors format channel_order face_rotations face_order] $options {
            $($fields)*
            /// Stickers as a text in any form that lists them: facelets in either order, a net or digits. `?` is an unknown sticker.
            #[schema(value_type = Option<String>)]
            pub cube: Option<CubeValue>,
            /// 54 symbols in the order U R F D L B, each face row by row. White space is ignored. Any six distinct symbols are accepted;
            /// the centres define which face each symbol stands for. `?` is an unknown sticker.
            #[schema(example = "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBB?")]
            pub facelets: Option<String>,
            /// 54 colour samples of a camera, as for POST /solve.
            #[schema(value_type = Option<crate::api::types::ColorsSchema>)]
            pub colors: Option<Colors>,
            /// Form of the text in `cube`: `facelets`, `ulfrbd`, `net` or `digits` (default: the form is recognised).
            #[serde(default, deserialize_with = "word")]
            #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<Form>,
            /// Order of the channels in `colors` (default: `rgb`).
            #[serde(default, deserialize_with = "word")]
            pub channel_order: Option<ChannelOrder>,
            /// Whether the faces in `facelets` or `colors` may be rotated (default: `known`). With `unknown`, `facelets` must be without
            /// errors.
            #[serde(default, deserialize_with = "word")]
            pub face_rotations: Option<Knowledge>,
            /// Whether the faces in `facelets` may be in another order (default: `known`). With `unknown`, they must be without errors.
            #[serde(default, deserialize_with = "word")]
            pub face_order: Option<Knowledge>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} stickers_text $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* cube facelets format] $options {
            $($fields)*
            /// Stickers as a text in any form that lists them, as in a body. Give exactly one of `cube` and `facelets`.
            #[param(value_type = Option<String>)]
            pub cube: Option<CubeValue>,
            /// 54 symbols in the order U R F D L B; `?` is an unknown sticker.
            #[param(example = "UUUUURUUURURRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB")]
            pub facelets: Option<String>,
            /// Form of the text in `cube`: `facelets`, `ulfrbd`, `net` or `digits` (default: the form is recognised).
            #[param(inline, value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<Form>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} cube_text $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* cube facelets scramble format buffers inverse_moves face_rotations face_order] $options {
            $($fields)*
            /// Cube as text in any form, as in a body. Give exactly one of `cube`, `facelets` and `scramble`.
            #[param(value_type = Option<String>)]
            pub cube: Option<CubeValue>,
            /// 54 symbols in the order U R F D L B; `?` is an unknown sticker.
            pub facelets: Option<String>,
            /// Moves from the solved cube; parentheses group, as in `(R U)3`.
            #[param(example = "R U R' U'")]
            pub scramble: Option<String>,
            /// Form of the text in `cube` (default: the form is recognised).
            #[param(inline, value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<Form>,
            /// Buffers of Speffz letters in `cube` (default: `AU`).
            pub buffers: Option<String>,
            /// Moves on the inverse cube (NISS), applied to the inverse of the cube that is given in another field.
            pub inverse_moves: Option<String>,
            /// Whether the faces in `facelets` may be rotated (default: `known`).
            #[param(inline)]
            pub face_rotations: Option<Knowledge>,
            /// Whether the faces in `facelets` may be in another order (default: `known`).
            #[param(inline)]
            pub face_order: Option<Knowledge>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} faces $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* format face_rotations face_order] $options {
            $($fields)*
            /// Form of the text in the path (default: the form is recognised).
            #[param(inline, value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<Form>,
            /// Whether the faces of 54 symbols may be rotated (default: `known`).
            #[param(inline)]
            pub face_rotations: Option<Knowledge>,
            /// Whether the faces of 54 symbols may be in another order (default: `known`).
            #[param(inline)]
            pub face_order: Option<Knowledge>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} target $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* target target_format target_up_to_rotation target_up_to_turn] $options {
            $($fields)*
            /// Cube that the moves must lead to, in any form that `cube` takes (default: the solved cube). If the forms of both cubes say how
            /// they are held, the target is turned to the holding of the cube. Stickers may be `?`: the moves lead to the nearest cube that has
            /// the known ones, of at most 1000.
            #[schema(value_type = Option<crate::api::types::CubeSchema>)]
            pub target: Option<CubeValue>,
            /// Form of the text in `target` (default: the form is recognised).
            #[serde(default, deserialize_with = "word")]
            #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
            pub target_format: Option<Form>,
            /// Whether the target may be reached in any of the 24 holdings: the same pattern on other faces, in their colours (default:
            /// false).
            pub target_up_to_rotation: Option<bool>,
            /// Face of the target whose turn is open: U, R, F, D, L or B. The cube after the moves may differ from the target by a turn of
            /// this face (default: none).
            pub target_up_to_turn: Option<String>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} target_text $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* target target_format target_up_to_rotation target_up_to_turn] $options {
            $($fields)*
            /// Cube that the moves must lead to, as text in any form (default: the solved cube).
            #[param(value_type = Option<String>)]
            pub target: Option<CubeValue>,
            /// Form of the text in `target` (default: the form is recognised).
            #[param(inline, value_type = Option<crate::api::types::described::CubeForm>)]
            pub target_format: Option<Form>,
            /// Whether the target may be reached in any of the 24 holdings: the same pattern on other faces, in their colours (default:
            /// false).
            pub target_up_to_rotation: Option<bool>,
            /// Face of the target whose turn is open: U, R, F, D, L or B. The cube after the moves may differ from the target by a turn of
            /// this face (default: none).
            pub target_up_to_turn: Option<String>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} limits $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* target_length max_length time_limit_ms] {
            $($fields)*
            /// Stop at the first solution of at most this many moves (default: 20). In another metric than `htm`: of at most this length,
            /// up to 60 (default: `qtm` 27, `stm` 19, `axht` 17, `axqt` 23).
            #[serde(default, deserialize_with = "integers")]
            #[$attr(minimum = 0, maximum = 60)]
            pub target_length: Option<u32>,
            /// Maximum length of a solution, up to 30, or 60 in another metric than `htm`; longer ones are discarded (default: none).
            #[serde(default, deserialize_with = "integers")]
            #[$attr(minimum = 0, maximum = 60)]
            pub max_length: Option<u32>,
            /// Time limit in milliseconds (default: 1000; with `optimal` 60000). The best solution found in that time is returned. For one
            /// cube it includes the wait for a thread, for a line of a batch it does not. A value above the server's maximum is refused.
            #[serde(default, deserialize_with = "integers")]
            #[$attr(minimum = 1)]
            pub time_limit_ms: Option<u64>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} solutions $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* solutions] {
            $($fields)*
            /// Number of distinct solutions to find, best first (default: 1). If above 1, the response lists them in `solutions`, and the
            /// search continues until each of them satisfies `target_length`.
            #[serde(default, deserialize_with = "integers")]
            #[$attr(minimum = 1, maximum = 100)]
            pub solutions: Option<u32>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} metrics $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* metric] {
            $($fields)*
            /// Metric in which all lengths count (default: `htm`). The first request in another metric may have to wait for its tables.
            #[serde(default, deserialize_with = "word")]
            #[$attr(inline)]
            pub metric: Option<SearchMetric>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} threads $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* threads] {
            $($fields)*
            /// Number of threads for this search (default: 1). A value above the server's maximum is refused.
            #[serde(default, deserialize_with = "integers")]
            #[$attr(minimum = 1)]
            pub threads: Option<u32>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} proofs $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* optimal all_solutions] {
            $($fields)*
            /// Continue until the solution is proven optimal (default: false). Cubes more than ten moves from solved need a server with a
            /// table for optimal solutions (`optimal.table`: `s`, `m`, `l` or `xl`). Cannot be combined with `target_length`.
            pub optimal: Option<bool>,
            /// Only with `optimal`: find and count all optimal solutions, and list the first `solutions` of them (then 100 by default).
            /// Solutions that differ only in the order of moves of opposite faces count once (default: false).
            pub all_solutions: Option<bool>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt $options:tt {$($fields:tt)*} {$($own:tt)*} $($rest:tt)*) => {
        request! { @ $attr $head $cube $options {$($fields)* $($own)*} $($rest)* }
    };
    (@ $attr:ident [$(#[$meta:meta])* $name:ident] [$($cube:ident)*] [$($option:ident)*] {$($fields:tt)*}) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(remote = "Self", deny_unknown_fields)]
        pub struct $name {
            $($fields)*
        }

        $crate::api::types::strict::objects! { $name }

        impl $name {
            /// Moves the fields that describe the cube.
            #[must_use]
            #[allow(clippy::needless_update)] // for requests with all of them
            pub fn take_cube(&mut self) -> $crate::api::types::CubeRequest {
                $crate::api::types::CubeRequest { $($cube: self.$cube.take(),)* ..Default::default() }
            }

            /// Moves the cube and the options into a request to solve.
            #[must_use]
            #[allow(clippy::needless_update)] // for requests that share all fields
            pub fn take_solve(&mut self) -> SolveRequest {
                SolveRequest { $($cube: self.$cube.take(),)* $($option: self.$option.take(),)* ..SolveRequest::default() }
            }
        }
    };
}

request! {
    schema
    /// A cube in exactly one of its forms, and how to solve it.
    #[derive(ToSchema)]
    SolveRequest: cube target limits metrics solutions threads proofs
}

request! {
    param
    /// A cube and how to solve it, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    SolveQuery: cube_text target_text limits metrics solutions threads proofs
}

request! {
    param
    /// How to solve the cube in the path, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    SolveOptions: faces target_text limits metrics solutions threads proofs
}

request! {
    schema
    /// One JSON line of a batch: a cube in exactly one of its forms, and how to solve it. An option that is absent here is that of the
    /// query, if the query has it.
    #[derive(ToSchema)]
    BatchLine: {
        /// Identifier of the line, repeated in its answer: a number, or a string of at most 256 bytes.
        pub id: Option<LineId>,
    } cube target limits metrics solutions proofs
}

request! {
    param
    /// Options of every line of a batch that has none of its own.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    BatchQuery: {
        /// Order of the answers: `input` (default), or `any`, in which each is sent as its search ends.
        #[param(inline)]
        pub order: Option<BatchOrder>,
        /// Form of the lines of text, and of each text in `cube` without a `format` beside it (default: the form is recognised).
        #[param(inline, value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
    } target_text limits metrics solutions proofs
}

request! {
    schema
    /// A cube in exactly one of its forms, and its solution, or how to find one.
    #[derive(ToSchema)]
    ExplainRequest: cube target {
        /// Moves that solve the cube, or lead to `target` (default: the cube is solved first, as by POST /solve). Cannot be combined with `target_length` or
        /// `max_length`.
        #[schema(example = "U R U' R'")]
        pub solution: Option<String>,
    } limits
}

request! {
    param
    /// A cube, and its solution, or how to find one, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    ExplainQuery: cube_text target_text {
        /// Moves that solve the cube (default: the cube is solved first). Cannot be combined with `target_length` or `max_length`.
        pub solution: Option<String>,
    } limits
}

request! {
    schema
    /// A cube in exactly one of its forms, and the coordinates to return.
    #[derive(ToSchema)]
    CoordsRequest: cube {
        /// Coordinates to return, by name, alias or expression (default: every named coordinate, and the two-phase coordinates along
        /// each axis as `directions`).
        #[schema(example = json!(["twist", "flip_slice_class", "comp(twist,slice)"]), max_items = 32)]
        pub names: Option<Vec<String>>,
    }
}

request! {
    param
    /// A cube, and the coordinates to return, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    CoordsQuery: cube_text {
        /// Coordinates to return, separated by commas.
        #[param(example = "twist,flip_slice_class")]
        pub names: Option<String>,
    }
}

request! {
    schema
    /// A cube in exactly one of its forms, and the forms to write.
    #[derive(ToSchema)]
    ConvertRequest: cube {
        /// Forms to write, by their names in `CubeForms` (default: all).
        #[schema(example = json!(["reid", "kpattern"]))]
        pub to: Option<Vec<String>>,
        /// How to hold the cube in the forms written: the centre on top, then the centre in front (default: as it is given).
        #[schema(example = "UF")]
        pub holding: Option<String>,
    }
}

request! {
    param
    /// A cube, and the forms to write, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    ConvertQuery: cube_text {
        /// Forms to write, separated by commas (default: all).
        #[param(example = "reid,kpattern")]
        pub to: Option<String>,
        /// How to hold the cube in the forms written: the centre on top, then the centre in front (default: as it is given).
        #[param(example = "UF")]
        pub holding: Option<String>,
    }
}

request! {
    schema
    /// Stickers that may contain errors, or colours.
    #[derive(ToSchema)]
    RepairRequest: stickers {
        /// Maximum number of repairs to list (default: 20).
        #[serde(default, deserialize_with = "integers")]
        #[schema(minimum = 1, maximum = 100)]
        pub limit: Option<u32>,
    }
}

request! {
    param
    /// Stickers that may contain errors, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    RepairQuery: stickers_text {
        /// Maximum number of repairs to list (default: 20).
        #[serde(default, deserialize_with = "integers")]
        #[param(minimum = 1, maximum = 100)]
        pub limit: Option<u32>,
    }
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
            solutions: self.solutions.or(defaults.solutions.filter(|_| lists)),
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
