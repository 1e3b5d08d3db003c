//! `superflip convert`: a cube from any form to the others.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::input::cube_of;
use crate::api::request::convert::convert;
use crate::api::request::coords::split_names;
use crate::api::types::{Conversion, ConvertedForms, CubeRequest};
use crate::cli::args::Convert;
use crate::cli::{Failure, print, print_json, refuse};

/// Reads a cube and prints it in other forms.
///
/// # Errors
/// Returns an error if the cube or a flag is invalid.
pub fn run(args: &Convert) -> Result<(), Failure> {
    let request = CubeRequest {
        format: args.format,
        buffers: args.buffers.clone(),
        inverse_moves: args.inverse_moves.clone(),
        ..cube_of(args.cube.as_deref(), &args.scan)?
    };
    let to = args.to.as_deref().map(split_names);
    let converted = convert(request, to.as_deref(), args.holding.as_deref());
    let converted = converted.map_err(|problem| refuse(args.json, &problem, 2))?;
    if args.json {
        return print_json(&converted);
    }
    // The links are none of the forms that `--to` names.
    let texts = texts(&converted, to.is_none())?;
    match &texts[..] {
        // One form is printed alone, for other programs to read.
        [(_, text)] => print(&format!("{text}\n")),
        _ => print(&texts.iter().map(|(name, text)| line(name, text)).collect::<String>()),
    }
}

/// Returns the name and the text of each form that is present, and of the links with `has_links`.
fn texts(converted: &Conversion, has_links: bool) -> Result<Vec<(&'static str, String)>, Failure> {
    let json = serde_json::to_string(&converted.forms).map_err(Failure::runtime)?;
    // Raw values keep the order of the members of an object, as the service writes them.
    let forms: BTreeMap<&str, &RawValue> = serde_json::from_str(&json).map_err(Failure::runtime)?;
    let text = |name| {
        let written = forms.get(name)?.get();
        Some((name, serde_json::from_str(written).unwrap_or_else(|_| written.to_owned())))
    };
    let mut texts: Vec<_> = ConvertedForms::NAMES.into_iter().filter_map(text).collect();
    if let Some(links) = converted.links.as_ref().filter(|_| has_links) {
        let links = [&links.alg_cubing_net, &links.twizzle, &links.cubedb];
        texts.extend(links.map(|link| ("link", link.clone())));
    }
    Ok(texts)
}

/// Formats a name and a text, whose further lines are indented.
fn line(name: &str, text: &str) -> String {
    format!("{name:9} {}\n", text.replace('\n', "\n          "))
}
