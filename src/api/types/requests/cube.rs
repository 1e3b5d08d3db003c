//! The fields that describe cubes: the cube of a request, and its target. `api::request::cube` reads them.

use clap::builder::{NonEmptyStringValueParser, TypedValueParser as _};
use clap::{ArgAction, Args};
use serde::Serialize;

use super::format_of_name;
use crate::api::types::fields::{Fields as _, fields};
use crate::api::types::{ChannelOrder, Colors, CubeValue, Cubies, Knowledge};
use superflip_cube::Form;

fields! {
    /// The fields of a request that describe the cube. A valid request has exactly one of `cube`, `facelets`, `scramble`, `cubies` and `colors`.
    pub struct CubeRequest {
        /// Cube in any form: a text in one of the forms that `format` lists, a `KPattern` object or a cubies object. The form of a text is
        /// recognised; `format` names it if the text fits several forms. Give the cube in exactly one field.
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
        pub face_rotations: Option<Knowledge>,
        /// Whether the faces in `facelets` or `colors` may be in another order (default: `known`). With `unknown`, the only legal order
        /// is found. For `colors`, only one of `face_order` and `face_rotations` may be `unknown`.
        pub face_order: Option<Knowledge>,
    } bodies { cubies colors channel_order }
}

fields! {
    /// How to read the cube that is the path of a request.
    pub struct PathForm {
        /// Form of the text in the path (default: the form is recognised).
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        /// Whether the faces of 54 symbols may be rotated (default: `known`).
        pub face_rotations: Option<Knowledge>,
        /// Whether the faces of 54 symbols may be in another order (default: `known`).
        pub face_order: Option<Knowledge>,
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
        #[schema(value_type = Option<crate::api::types::ColorsSchema>)]
        pub colors: Option<Colors>,
        /// Form of the text in `cube`: `facelets`, `ulfrbd`, `net` or `digits` (default: the form is recognised).
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        /// Order of the channels in `colors` (default: `rgb`).
        pub channel_order: Option<ChannelOrder>,
        /// Whether the faces in `facelets` or `colors` may be rotated (default: `known`). With `unknown`, `facelets` must be without
        /// errors.
        pub face_rotations: Option<Knowledge>,
        /// Whether the faces in `facelets` or `colors` may be in another order (default: `known`). With `unknown`, `facelets` must be
        /// without errors.
        pub face_order: Option<Knowledge>,
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
        #[schema(value_type = Option<crate::api::types::CubeSchema>)]
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
