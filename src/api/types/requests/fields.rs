//! The fields that requests share: each is declared once, for bodies, lines and queries.

/// Declares a request out of shared fields, named after the colon, and fields of its own, in braces. `Request as SolveRequest` has that name
/// in the contract.
///
/// `schema` or `param` is the utoipa attribute of its fields: `schema` for a body, `param` for a query. The names `cube`, `cube_text`,
/// `stickers`, `stickers_text`, `faces` and `limits` stand for several fields. Every request gets two methods:
/// `take_cube` moves its cube fields into a `CubeRequest`, and `take_solve` moves all shared fields into a `SolveRequest`.
macro_rules! request {
    ($attr:ident $(#[$meta:meta])* $name:ident as $schema:ident: $($field:tt)*) => {
        request! { $attr $(#[$meta])* #[schema(as = $schema)] $name: $($field)* }
    };
    ($attr:ident $(#[$meta:meta])* $name:ident: $($field:tt)*) => {
        request! { @ $attr [$(#[$meta])* $name] [] [] {} $($field)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} cube $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* cube facelets scramble cubies colors format buffers inverse_moves channel_order face_rotations face_order] $options {
            $($fields)*
            /// Cube in any form: a text in one of the forms that `format` lists, a `KPattern` object or a cubies object. The form of a text is
            /// recognised; `format` names it if the text fits several forms.
            #[schema(value_type = Option<crate::api::types::CubeSchema>)]
            pub cube: Option<$crate::api::types::CubeValue>,
            /// 54 symbols in the order U R F D L B, each face row by row. White space is ignored. Any six distinct symbols are accepted;
            /// the centres define which face each symbol stands for. `?` is an unknown sticker; the cube must then be the only legal one.
            #[schema(example = "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB")]
            pub facelets: Option<String>,
            /// Moves from the solved cube in WCA or `SiGN` notation; the cube to solve is the result. Parentheses group moves, as in
            /// `(R U)3`; they never mean moves on the inverse cube. A comment starts with `//` and ends with its line.
            #[schema(example = "R U R' U'")]
            pub scramble: Option<String>,
            /// Kociemba's arrays.
            pub cubies: Option<$crate::api::types::Cubies>,
            /// 54 colour samples of a camera; the cube is the most likely legal one. A list in the order U R F D L B, six matrices of three
            /// rows in that order, or an object with the names `1` to `54` in the order U L F R B D.
            #[schema(value_type = Option<crate::api::types::ColorsSchema>)]
            pub colors: Option<$crate::api::types::Colors>,
            /// Form of the text in `cube` (default: the form is recognised).
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<superflip_cube::Form>,
            /// Buffers of Speffz letters in `cube`: the letter of a corner sticker and of an edge sticker (default: `AU`).
            #[schema(example = "AU")]
            pub buffers: Option<String>,
            /// Moves on the inverse cube (NISS), applied to the inverse of the cube that is given in another field.
            #[schema(example = "R U")]
            pub inverse_moves: Option<String>,
            /// Order of the channels in `colors` (default: `rgb`).
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            pub channel_order: Option<$crate::api::types::ChannelOrder>,
            /// Whether the faces in `facelets` or `colors` may be rotated (default: `known`). With `unknown`, the only legal rotations are
            /// found.
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            pub face_rotations: Option<$crate::api::types::Knowledge>,
            /// Whether the faces in `facelets` or `colors` may be in another order (default: `known`). With `unknown`, the only legal order
            /// is found. For `colors`, only one of `face_order` and `face_rotations` may be `unknown`.
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            pub face_order: Option<$crate::api::types::Knowledge>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} stickers $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* cube facelets colors format channel_order face_rotations face_order] $options {
            $($fields)*
            /// Stickers as a text in any form that lists them: facelets in either order, a net or digits. `?` is an unknown sticker.
            #[schema(value_type = Option<String>)]
            pub cube: Option<$crate::api::types::CubeValue>,
            /// 54 symbols in the order U R F D L B, each face row by row. White space is ignored. Any six distinct symbols are accepted;
            /// the centres define which face each symbol stands for. `?` is an unknown sticker.
            #[schema(example = "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBB?")]
            pub facelets: Option<String>,
            /// 54 colour samples of a camera, as for POST /solve.
            #[schema(value_type = Option<crate::api::types::ColorsSchema>)]
            pub colors: Option<$crate::api::types::Colors>,
            /// Form of the text in `cube`: `facelets`, `ulfrbd`, `net` or `digits` (default: the form is recognised).
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<superflip_cube::Form>,
            /// Order of the channels in `colors` (default: `rgb`).
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            pub channel_order: Option<$crate::api::types::ChannelOrder>,
            /// Whether the faces in `facelets` or `colors` may be rotated (default: `known`). With `unknown`, `facelets` must be without
            /// errors.
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            pub face_rotations: Option<$crate::api::types::Knowledge>,
            /// Whether the faces in `facelets` or `colors` may be in another order (default: `known`). With `unknown`, `facelets` must be
            /// without errors.
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            pub face_order: Option<$crate::api::types::Knowledge>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} stickers_text $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* cube facelets format] $options {
            $($fields)*
            /// Stickers as a text in any form that lists them, as in a body. Give exactly one of `cube` and `facelets`.
            #[param(value_type = Option<String>)]
            pub cube: Option<$crate::api::types::CubeValue>,
            /// 54 symbols in the order U R F D L B; `?` is an unknown sticker.
            #[param(example = "UUUUURUUURURRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB")]
            pub facelets: Option<String>,
            /// Form of the text in `cube`: `facelets`, `ulfrbd`, `net` or `digits` (default: the form is recognised).
            #[param(value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<superflip_cube::Form>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} cube_text $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* cube facelets scramble format buffers inverse_moves face_rotations face_order] $options {
            $($fields)*
            /// Cube as text in any form, as in a body. Give exactly one of `cube`, `facelets` and `scramble`.
            #[param(value_type = Option<String>)]
            pub cube: Option<$crate::api::types::CubeValue>,
            /// 54 symbols in the order U R F D L B; `?` is an unknown sticker.
            pub facelets: Option<String>,
            /// Moves from the solved cube; parentheses group, as in `(R U)3`.
            #[param(example = "R U R' U'")]
            pub scramble: Option<String>,
            /// Form of the text in `cube` (default: the form is recognised).
            #[param(value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<superflip_cube::Form>,
            /// Buffers of Speffz letters in `cube` (default: `AU`).
            pub buffers: Option<String>,
            /// Moves on the inverse cube (NISS), applied to the inverse of the cube that is given in another field.
            pub inverse_moves: Option<String>,
            /// Whether the faces in `facelets` may be rotated (default: `known`).
            pub face_rotations: Option<$crate::api::types::Knowledge>,
            /// Whether the faces in `facelets` may be in another order (default: `known`).
            pub face_order: Option<$crate::api::types::Knowledge>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} faces $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* format face_rotations face_order] $options {
            $($fields)*
            /// Form of the text in the path (default: the form is recognised).
            #[param(value_type = Option<crate::api::types::described::CubeForm>)]
            pub format: Option<superflip_cube::Form>,
            /// Whether the faces of 54 symbols may be rotated (default: `known`).
            pub face_rotations: Option<$crate::api::types::Knowledge>,
            /// Whether the faces of 54 symbols may be in another order (default: `known`).
            pub face_order: Option<$crate::api::types::Knowledge>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt [$($cube:ident)*] $options:tt {$($fields:tt)*} target $($rest:tt)*) => {
        request! { @ $attr $head [$($cube)* target target_format target_up_to_rotation target_up_to_turn] $options {
            $($fields)*
            /// Cube that the moves must lead to, in any form that `cube` takes (default: the solved cube). If the forms of both cubes say how
            /// they are held, the target is turned to the holding of the cube. Stickers may be `?`: the moves lead to the nearest cube that has
            /// the known stickers.
            #[schema(value_type = Option<crate::api::types::CubeSchema>)]
            pub target: Option<$crate::api::types::CubeValue>,
            /// Form of the text in `target` (default: the form is recognised).
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
            pub target_format: Option<superflip_cube::Form>,
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
            pub target: Option<$crate::api::types::CubeValue>,
            /// Form of the text in `target` (default: the form is recognised).
            #[param(value_type = Option<crate::api::types::described::CubeForm>)]
            pub target_format: Option<superflip_cube::Form>,
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
            /// Stop at the first solution of at most this many moves (default: 20). In another metric than `htm` or with some turns only: of at
            /// most this length, up to 60 (default: `qtm` 27, `stm` 19, `axht` 17, `axqt` 23; with some turns only 0).
            #[serde(default, deserialize_with = "crate::api::types::strict::integers")]
            #[$attr(minimum = 0, maximum = 60)]
            pub target_length: Option<u32>,
            /// Maximum length of a solution, up to 30, or 60 in another metric than `htm` or with some turns only; longer solutions are discarded (default: none).
            #[serde(default, deserialize_with = "crate::api::types::strict::integers")]
            #[$attr(minimum = 0, maximum = 60)]
            pub max_length: Option<u32>,
            /// Time limit in milliseconds (default: 1000; with `optimal` 60000). The best solution found in that time is returned. For one
            /// cube it includes the wait for a thread, for a line of a batch it does not. A value above the server's maximum is refused.
            #[serde(default, deserialize_with = "crate::api::types::strict::integers")]
            #[$attr(minimum = 1)]
            pub time_limit_ms: Option<u64>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} solutions $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* solutions] {
            $($fields)*
            /// Number of distinct solutions to find, best first (default: 1). If above 1, the response lists them in `solutions`, and the
            /// search continues until each of them satisfies `target_length`.
            #[serde(default, deserialize_with = "crate::api::types::strict::integers")]
            #[$attr(minimum = 1, maximum = 100)]
            pub solutions: Option<u32>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} metrics $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* metric] {
            $($fields)*
            /// Metric in which all lengths count (default: `htm`). The first request in another metric may have to wait for its tables.
            #[serde(default, deserialize_with = "crate::api::types::strict::word")]
            pub metric: Option<$crate::api::types::SearchMetric>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} machines $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* costs machine candidates] {
            $($fields)*
            /// Cost of each turn of a robot, by the name of the turn; every turn of one face that the answer may have needs a cost. A pair
            /// of turns of opposite faces, such as `U D'`, costs the sum of both, unless the pair has a smaller cost of its own. The response has the
            /// cheapest of `candidates` solutions.
            #[schema(value_type = Option<std::collections::HashMap<String, f64>>, example = json!(null))]
            pub costs: Option<superflip_solver::search::machine::Costs>,
            /// Machine that executes the moves. The response has the cheapest of `candidates` solutions, with a `schedule`.
            pub machine: Option<Box<$crate::api::types::MachineBody>>,
            /// Only with `costs` or `machine`: number of solutions to find and compare (default: 100). The search continues until each of them
            /// satisfies `target_length`.
            #[serde(default, deserialize_with = "crate::api::types::strict::integers")]
            #[$attr(minimum = 1, maximum = 1000)]
            pub candidates: Option<u32>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} turns $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* faces moves] {
            $($fields)*
            /// Letters of the faces that may turn, such as `URFDL` (default: all). Five faces reach every cube; a cube that fewer faces do not
            /// reach is refused. The first request with these faces may have to wait for their tables. Without `target_length`, the search
            /// uses its whole time limit.
            pub faces: Option<String>,
            /// Moves that may be used, as a text or a list, such as `U U2 U' D D2 D' R2 L2 F2 B2` (default: all). The inverse of each move must be
            /// listed too. The moves must generate all cubes, the subgroup of phase 2 along an axis, or the group of half turns. Cannot be
            /// combined with `faces`.
            #[$attr(value_type = Option<String>)]
            pub moves: Option<$crate::api::types::TurnList>,
        } $($rest)* }
    };
    (@ $attr:ident $head:tt $cube:tt [$($option:ident)*] {$($fields:tt)*} threads $($rest:tt)*) => {
        request! { @ $attr $head $cube [$($option)* threads] {
            $($fields)*
            /// Number of threads for this search (default: 1). A value above the server's maximum is refused.
            #[serde(default, deserialize_with = "crate::api::types::strict::integers")]
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
        #[derive(Clone, Debug, Default, serde::Deserialize)]
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
            pub fn take_solve(&mut self) -> $crate::api::types::SolveRequest {
                $crate::api::types::SolveRequest { $($cube: self.$cube.take(),)* $($option: self.$option.take(),)* ..Default::default() }
            }
        }
    };
}

pub(crate) use request;
