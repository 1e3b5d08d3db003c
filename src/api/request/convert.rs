//! Converts a cube from any form to the others.

use super::cube::{ReadCube, buffers_of};
use super::read::short;
use crate::api::problem::{Code, Problem};
use crate::api::types::{Conversion, ConvertedForms, CubeRequest, ScanDetails};
use superflip_cube::Holding;
use superflip_cube::forms::Links;

/// Reads a cube and writes it in the forms named in `to`, or in all of them, as it is held in `holding`.
///
/// # Errors
/// Returns the errors of [`CubeRequest::read`], and an error for an unknown form or holding.
pub fn convert(mut request: CubeRequest, to: Option<&[String]>, holding: Option<&str>) -> Result<Conversion, Problem> {
    if to.is_some_and(<[String]>::is_empty) {
        let detail = "`to` is empty; name at least one form, or leave `to` out for all of them.";
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("to"));
    }
    let to: Option<Vec<&str>> = to.map(|to| to.iter().map(|name| form_named(name)).collect()).transpose()?;
    let to_be_held = holding.map(|name| Holding::from_name(name).ok_or_else(|| unknown_holding(name))).transpose()?;
    let buffers = buffers_of(request.buffers.as_deref())?;
    if !request.is_text() {
        // They are those of the letters to write.
        request.buffers = None;
    }
    let ReadCube { cube, format, holding, moves, scan } = request.read()?;
    let given = holding.unwrap_or_default();
    let (cube, holding) = match to_be_held {
        Some(held) => (held.from_home(&given.to_home(&cube)), held),
        None => (cube, given),
    };
    let wanted = |name: &str| to.as_ref().is_none_or(|to| to.contains(&name));
    let forms = ConvertedForms::new(&cube, holding, buffers, wanted);
    let links = moves.map(|moves| Links::of(&moves.setup, moves.alg.as_deref()));
    let ScanDetails { scan, faces } = scan;
    Ok(Conversion { format, holding, forms, links: links.map(Into::into), scan, faces })
}

/// Returns the name of a form that can be written.
fn form_named(name: &str) -> Result<&'static str, Problem> {
    let names = ConvertedForms::NAMES;
    names.into_iter().find(|known| *known == name).ok_or_else(|| {
        let detail =
            format!("`to` has the unknown form `{}`; expected one or more of: {}.", short(name), names.join(", "));
        Problem::new(Code::OptionOutOfRange, detail).in_field("to")
    })
}

fn unknown_holding(name: &str) -> Problem {
    let all: Vec<String> = Holding::ALL.iter().map(|holding| holding.name()).collect();
    let detail = format!(
        "`holding` is `{}`; expected the centre on top and the centre in front, one of: {}.",
        short(name),
        all.join(", ")
    );
    Problem::new(Code::OptionOutOfRange, detail).in_field("holding")
}
