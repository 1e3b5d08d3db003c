//! Finds the legal cubes nearest to given stickers.

use super::cube::ReadCube;
use super::options::in_range;
use super::scan::faces::put_together;
use super::scan::stickers::of_text;
use crate::api::problem::{Code, Problem, Repairs};
use crate::api::types::{CubeRequest, CubeValue, RepairAnswer, ScanDetails};
use superflip_cube::Form;
use superflip_scan::repair::{MAX_REPAIRS, Stickers};

/// Number of repairs listed without `limit`.
const LISTED: u32 = 20;

/// A checked request for repairs. Finding them takes about a millisecond, and some milliseconds for colours.
pub struct RepairTask {
    request: CubeRequest,
    limit: usize,
}

impl RepairTask {
    /// Checks the fields, but not the stickers.
    ///
    /// # Errors
    /// Returns an error if there is not exactly one form, if the cube is an object, or if `format` or `limit` is out of range.
    pub fn new(request: CubeRequest, limit: Option<u32>) -> Result<Self, Problem> {
        let limit = in_range("limit", limit.unwrap_or(LISTED), 1..=MAX_REPAIRS as u64, "")?;
        request.check("`cube`, `facelets` and `colors`")?;
        if matches!(request.cube, Some(CubeValue::Cubies(_) | CubeValue::Pattern(_))) {
            let detail = "`cube` is an object; expected a text that lists stickers. Pieces have no stickers to repair.";
            return Err(Problem::new(Code::InvalidField, detail).in_field("cube"));
        }
        if let Some(format) = request.format.filter(|format| !STICKERS.contains(format)) {
            let names = STICKERS.map(Form::name).join("`, `");
            let detail = format!("`format` is `{format}`, which does not list stickers; expected one of `{names}`.");
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("format"));
        }
        Ok(Self { request, limit })
    }

    /// Finds the repairs. They are in the symbols of the request; a cube from colours is in the letters URFDLB.
    ///
    /// # Errors
    /// Returns an error if the cube is not given as 54 symbols of six colours, or if its colours are ambiguous.
    pub fn run(self) -> Result<RepairAnswer, Problem> {
        let Self { request, limit } = self;
        let mut details = ScanDetails::default();
        let scanned = request.scanned();
        let (format, text) = match request {
            CubeRequest { facelets: Some(text), .. } => {
                // Faces can be put together only without errors; the cube is then legal.
                let faces = scanned.map(|scanned| put_together(&text, scanned)).transpose()?;
                let together = faces.as_ref().map_or(text, |faces| faces.facelets.clone());
                details.faces = faces.map(Box::new);
                (Some(Form::Facelets), together)
            }
            CubeRequest { cube: Some(cube), format, .. } => {
                let (text, known) = cube.text().ok_or_else(Problem::internal)?;
                let (format, text) = of_text(text, format.or(known))?;
                (Some(format), text)
            }
            request => {
                let ReadCube { cube, scan, .. } = request.read()?;
                details = scan;
                (None, cube.to_string())
            }
        };
        let stickers = Stickers::parse(&text).map_err(|error| Problem::from(error).of_stickers(&text))?;
        let ScanDetails { scan, faces } = details;
        Ok(RepairAnswer { format, repairs: Repairs::of(&stickers, limit), scan, faces })
    }
}

/// Forms that list stickers.
const STICKERS: [Form; 4] = [Form::Facelets, Form::Ulfrbd, Form::Net, Form::Digits];
