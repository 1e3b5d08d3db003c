//! Fields of a request that describe a scan: colours, and faces in unknown rotations or order.

use serde::Deserialize;
use serde_json::Value;

use crate::contract::ToSchema;

/// Colour samples, as JSON whose numbers and lengths are not checked yet.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Colors(pub Value);

/// Order of the three numbers of a colour sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChannelOrder {
    /// Red, green, blue.
    #[default]
    Rgb,
    /// Blue, green, red, as `OpenCV` stores them.
    Bgr,
}

/// Whether the rotations or the order of the scanned faces are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = FaceKnowledge)]
pub enum Knowledge {
    /// As documented for `facelets`.
    #[default]
    Known,
    /// To be found.
    Unknown,
}

/// 54 colour samples.
#[cfg(feature = "contract")]
#[derive(utoipa::ToSchema)]
#[schema(as = Colors)]
#[serde(untagged)]
pub enum ColorsSchema {
    /// Samples in the order U R F D L B, each face row by row.
    Samples(Vec<ColorSample>),
    /// Six matrices of three rows of three samples, in the order U R F D L B.
    Faces(Vec<Vec<Vec<ColorSample>>>),
    /// Samples by their numbers from 1 to 54, in the order U L F R B D.
    Numbered(std::collections::BTreeMap<String, ColorSample>),
}

/// One colour sample.
#[cfg(feature = "contract")]
#[derive(utoipa::ToSchema)]
#[serde(untagged)]
pub enum ColorSample {
    /// Three numbers from 0 to 255, in the order `channel_order`. They may have fractions, as means of pixels do.
    Channels([f64; 3]),
    /// Hexadecimal digits, such as `#ffcc00`.
    Hex(String),
}
