//! What a scan of colours adds to a response.

use serde::Serialize;

use crate::contract::ToSchema;
use superflip_cube::Face;
use superflip_cube::geometry::CENTRE_FACELETS;
use superflip_scan::colours::{ColourReading, Margin};

/// What a scan adds to a response.
#[derive(Clone, Default, Debug)]
pub struct ScanDetails {
    /// Cube that was read from colours.
    pub scan: Option<Box<Scan>>,
    /// How faces in unknown rotations or order were put together.
    pub faces: Option<Box<ScannedFaces>>,
}

/// How the scanned faces were put together. A face of the cube that is solved is a scanned face, turned clockwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ScannedFaces {
    /// Cube that results, as 54 symbols in the order U R F D L B, in the symbols of the request.
    pub facelets: String,
    /// For each face in the order U R F D L B, the number 0 to 5 of the scanned face that is there.
    pub order: [u8; 6],
    /// For each face in the order U R F D L B, the clockwise quarter turns, 0 to 3, by which the scanned face was turned.
    pub turns: [u8; 6],
    /// Symbols of the centres in the order U R F D L B.
    #[schema(example = "URFDLB")]
    pub symbols: String,
}

impl ScannedFaces {
    /// Creates the description from the cube that results.
    pub fn new(facelets: String, order: [u8; 6], turns: [u8; 6]) -> Self {
        let symbols = facelets.chars().enumerate().filter(|(at, _)| CENTRE_FACELETS.contains(at));
        let symbols = symbols.map(|(_, symbol)| symbol).collect();
        Self { facelets, order, turns, symbols }
    }
}

/// Cube that was read from colours.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Scan {
    /// Most likely legal cube, as 54 letters in the order U R F D L B.
    pub facelets: String,
    /// Estimate of the probability that this is the cube, 0 to 1.
    pub probability: f64,
    /// How certain each sticker is, in the order of `facelets`; null for the six centres, which define the colours.
    #[schema(min_items = 54, max_items = 54)]
    pub margins: Vec<Option<StickerMargin>>,
    /// Next cubes, the most likely first.
    pub runners_up: Vec<String>,
    /// Colour of the stickers of each face in average light, estimated from the scan: red, green and blue, 0 to 255, in the order U R F D
    /// L B.
    pub references: Vec<[u8; 3]>,
}

/// Distance of a sticker from its next legal colour.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, ToSchema)]
pub struct StickerMargin {
    /// Letter of the face whose colour is the next most likely on this sticker: its colour on the most likely legal cube on which this
    /// sticker differs.
    #[schema(value_type = String)]
    pub next: Face,
    /// Colour difference (CIEDE2000) of the sample from that colour, less its difference from the chosen one. Negative if the sample
    /// looks like the other colour, and the pieces rule it out.
    pub delta_e: f64,
}

impl From<&Margin> for StickerMargin {
    fn from(margin: &Margin) -> Self {
        Self { next: margin.next, delta_e: margin.delta_e }
    }
}

impl From<&ColourReading> for Scan {
    fn from(reading: &ColourReading) -> Self {
        Self {
            facelets: reading.cube.to_string(),
            probability: reading.probability,
            margins: reading.margins.iter().map(|margin| margin.as_ref().map(Into::into)).collect(),
            runners_up: reading.runners_up.iter().map(|likely| likely.cube.to_string()).collect(),
            references: reading.references.to_vec(),
        }
    }
}
