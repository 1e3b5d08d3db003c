//! `superflip repair`: the legal cubes nearest to stickers that contain errors.

use super::input::cube_of;
use crate::api::problem::{PhysicalWay, Repairs};
use crate::api::request::repair::RepairTask;
use crate::api::types::CubeRequest;
use crate::cli::args::Repair;
use crate::cli::{Failure, print, print_json, refuse};
use superflip_cube::verify::sticker;

/// Prints the nearest legal cubes.
///
/// # Errors
/// Returns an error if the stickers, the colours or a flag are invalid.
pub fn run(args: &Repair) -> Result<(), Failure> {
    let request = CubeRequest { format: args.format, ..cube_of(args.cube.as_deref(), &args.scan)? };
    let answer = RepairTask::new(request, args.limit).and_then(RepairTask::run);
    let answer = answer.map_err(|problem| refuse(args.json, &problem, 2))?;
    if args.json { print_json(&answer) } else { print(&text(&answer.repairs)) }
}

/// Formats repairs: a summary, a line for each cube, and a line for each physical way.
fn text(found: &Repairs) -> String {
    let listed =
        if found.truncated { format!("; the first {} are listed", found.repairs.len()) } else { String::new() };
    let mut lines = vec![format!("stickers to change: {}; cubes: {}{listed}", found.distance, found.total)];
    for repair in &found.repairs {
        let changed: Vec<String> = repair.changed.iter().map(|&facelet| sticker(facelet.into())).collect();
        lines.push(format!("{}  {}", repair.facelets, changed.join(" ")).trim_end().to_owned());
    }
    for way in found.physical.iter().flat_map(|physical| &physical.ways) {
        lines.push(format!("{}  {}", way.facelets, actions(way)));
    }
    lines.join("\n") + "\n"
}

fn actions(way: &PhysicalWay) -> String {
    let actions = way.actions.iter().map(|action| format!("{} {}", action.action.words(), action.slots.join(" and ")));
    actions.collect::<Vec<_>>().join(", ")
}
