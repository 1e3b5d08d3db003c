//! Looking at tables without trusting them: what is in a folder, and whether a table holds what it should.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use super::phase_one::{TWISTS, masked_distance};
use super::specs::{self, Id, Spec};
use super::store::{self, BuildError, Context, Opened, Sink, Table};
use super::{Profile, TableInfo, packed};
use crate::coord::{CORNER_PERM, FLIP_SLICE, UD_EDGES};
use crate::symmetry::Classes;

/// Published for phase 1 in the half-turn metric: states at each depth.
pub const PHASE_ONE_DISTRIBUTION: [u64; 13] =
    [1, 4, 50, 592, 7156, 87236, 1_043_817, 12_070_278, 124_946_368, 821_605_960, 1_199_128_738, 58_202_444, 476];

/// What is in the folder for each table of the profile: the table, or why it cannot be used. Nothing is built.
pub fn survey(folder: &Path, profile: Profile) -> Vec<(&'static str, Result<TableInfo, String>)> {
    specs::of_profile(profile)
        .map(|spec| {
            let found = store::open(folder, spec).map(|table| TableInfo::new(spec, &table));
            (spec.name, found.map_err(|reason| reason.to_string()))
        })
        .collect()
}

/// Checks one table of the folder: its checksum; every entry of the tables that are quick to make, by making them again
/// from the cubies; the recounted histograms of the large ones, against their header and the published figures.
///
/// Returns one line for each thing that was checked.
///
/// # Errors
/// What is wrong, in one sentence.
pub fn verify(folder: &Path, profile: Profile, name: &str) -> Result<Vec<String>, String> {
    let names = || specs::of_profile(profile).map(|spec| spec.name).collect::<Vec<_>>().join(", ");
    let wanted = specs::of_profile(profile)
        .find(|spec| spec.name == name)
        .ok_or_else(|| format!("no table is called {name}; the profile {} has {}", profile.name(), names()))?;
    let mut opened = Opened::default();
    for spec in specs::of_profile(profile) {
        let is_source = spec.payload_bytes() < 8 << 20 || spec.id == wanted.id;
        if is_source {
            let table = store::open(folder, spec).map_err(|reason| format!("{}: {reason}", spec.name))?;
            opened.insert(spec.id, table);
        }
        if spec.id == wanted.id {
            break;
        }
    }
    let Some(table) = opened.get(wanted.id) else { return Err(format!("{name}: missing")) };
    let mut lines = vec![format!("checksum {:016x} of {} bytes", table.header.checksum, table.bytes().len())];
    match wanted.id {
        Id::PhaseOneMasked | Id::PhaseTwo => recount(wanted, &opened, table, &mut lines)?,
        _ => rebuild(wanted, &opened, table, &mut lines)?,
    }
    if matches!(wanted.id, Id::PhaseOneMasked | Id::PhaseOneResidues) {
        if table.header.depth_histogram != PHASE_ONE_DISTRIBUTION {
            return Err(format!("{name}: its depth histogram is not the published one"));
        }
        lines.push("depth histogram equals the published distribution of phase 1".into());
    }
    Ok(lines)
}

/// Makes the table again and compares.
fn rebuild(spec: &Spec, opened: &Opened, table: &Table, lines: &mut Vec<String>) -> Result<(), String> {
    let mut nowhere = io::sink();
    let mut sink = Sink::new(&mut nowhere);
    let context = Context { stop: &AtomicBool::new(false), report: &|_, _| () };
    let histograms = (spec.build)(opened, &mut sink, &context).map_err(|error| match error {
        BuildError::Write(error) => error.to_string(),
        BuildError::Stopped => "stopped".into(),
    })?;
    if sink.checksum() != table.header.checksum {
        return Err(format!("{}: entries differ from those made anew", spec.name));
    }
    if histograms.states != table.header.depth_histogram || histograms.entries != table.header.entry_histogram {
        return Err(format!("{}: histograms differ from those made anew", spec.name));
    }
    lines.push(format!("all {} entries equal those made anew", spec.entries));
    Ok(())
}

/// Counts the entries of a large table.
fn recount(spec: &Spec, opened: &Opened, table: &Table, lines: &mut Vec<String>) -> Result<(), String> {
    let (coordinate, representatives, columns) = match spec.id {
        Id::PhaseTwo => (&CORNER_PERM, Id::CornerRepresentative, UD_EDGES.size as usize),
        _ => (&FLIP_SLICE, Id::FlipSliceRepresentative, TWISTS),
    };
    let distance = |index: usize| match spec.id {
        Id::PhaseTwo => packed::nibble(table.bytes(), index),
        _ => masked_distance(opened.u32s(spec.id)[index]),
    };
    let masks = Classes::self_symmetries(coordinate, opened.u32s(representatives));
    let (entries, states) = masks
        .par_iter()
        .enumerate()
        .map(|(row, mask)| {
            let (mut entries, mut states) = ([0_u64; 16], [0_u64; 16]);
            for index in row * columns..(row + 1) * columns {
                entries[usize::from(distance(index))] += 1;
            }
            for (states, entries) in states.iter_mut().zip(entries) {
                *states = entries * u64::from(16 / mask.count_ones());
            }
            (entries, states)
        })
        .reduce(
            || ([0; 16], [0; 16]),
            |a, b| (std::array::from_fn(|i| a.0[i] + b.0[i]), std::array::from_fn(|i| a.1[i] + b.1[i])),
        );
    let same =
        |counted: &[u64; 16], recorded: &[u64]| (0..16).all(|i| counted[i] == recorded.get(i).copied().unwrap_or(0));
    if !same(&entries, &table.header.entry_histogram) {
        return Err(format!("{}: its entries, counted anew, are {entries:?}", spec.name));
    }
    let beyond_cap = table.header.depth_histogram.len() > 16;
    if !beyond_cap && !same(&states, &table.header.depth_histogram) {
        return Err(format!("{}: its states, counted anew, are {states:?}", spec.name));
    }
    lines.push(format!("all {} entries counted, as the header says", spec.entries));
    Ok(())
}
