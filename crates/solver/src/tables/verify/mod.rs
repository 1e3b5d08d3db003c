//! Checks whole tables independently of the code that built them.
//!
//! | tables | what is checked |
//! | --- | --- |
//! | all | the current checksum, and the checksums of the tables used for the check |
//! | all but the three large ones | every entry and both histograms, rebuilt |
//! | `phase_one_*`, `phase_two` | both histograms, recounted; random entries, checked with moves at the cubie level (`sample`) |
//! | those with a published distribution | the number of states at each depth |
//! | `optimal_*` | [`optimal::check`](super::optimal::check) |
//!
//! `phase_one_residues` is also recomputed with [`CheckEffort::Full`].

mod sample;
pub(crate) mod verdict;

pub use verdict::{CheckEffort, Conclusion, Verdict};

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use verdict::CheckFault;

use crate::control::{Cancelled, Control};
use crate::coord::{CORNER_PERM, FLIP_SLICE, UD_EDGES};
use crate::symmetry::Classes;
use crate::tables::catalogue::spec::{Profile, Spec, TableInfo};
use crate::tables::catalogue::specs;
use crate::tables::error::is_shortage;
use crate::tables::file::format::HEADER_BYTES;
use crate::tables::file::sink::{BuildError, Sink, checksum_watched};
use crate::tables::file::store::{Unusable, look_at};
use crate::tables::file::table::{Id, Opened, Table};
use crate::tables::optimal::table::OptimalTable;
use crate::tables::pruning::packed;
use crate::tables::pruning::phase_one::{TWISTS, masked_distance, residue};
use crate::tables::set::{SetKey, TableSet};
use superflip_cube::metric::Metric;

/// Published distribution of phase 1 in the half-turn metric: number of states at each depth.
pub const PHASE_ONE_DISTRIBUTION: [u64; 13] =
    [1, 4, 50, 592, 7156, 87236, 1_043_817, 12_070_278, 124_946_368, 821_605_960, 1_199_128_738, 58_202_444, 476];
/// Published distribution of the whole cube in the half-turn metric: positions 0 to 5 moves from solved.
pub const NEAR_DISTRIBUTION: [u64; 6] = [1, 18, 243, 3240, 43239, 574_908];

/// Returns the published number of states at each depth and their name, for the tables that have one.
pub const fn published(id: Id) -> Option<(&'static str, &'static [u64])> {
    match id {
        Id::PhaseOneMasked | Id::PhaseOneResidues => Some(("phase 1, half-turn metric", &PHASE_ONE_DISTRIBUTION)),
        Id::Near => Some(("the whole cube to 5 moves, half-turn metric", &NEAR_DISTRIBUTION)),
        _ => None,
    }
}

/// Checks the header and checksum of each table of the profile in a folder. Builds nothing.
pub fn survey(folder: &Path, profile: Profile) -> Vec<(&'static str, Result<TableInfo, String>)> {
    let survey_one = |spec: &'static Spec| {
        let found = look_at(folder, spec).map(|table| TableInfo::new(spec, &table));
        (spec.name, found.map_err(|reason| reason.to_string()))
    };
    SetKey::of_profile(profile).specs().map(survey_one).collect()
}

/// Checks one table of a folder: of the profile, of a metric, or a coset table. An unknown name is reported as a problem.
///
/// # Errors
/// When the check was stopped.
pub fn verify(
    folder: &Path,
    profile: Profile,
    name: &str,
    effort: CheckEffort,
    control: &Control,
) -> Result<Verdict, Cancelled> {
    Verdict::of(|report| {
        let of_profile = SetKey::of_profile(profile);
        let is_known = |spec: &&Spec| of_profile.has(spec) || spec.size.is_some() || spec.metric != Metric::Htm;
        let wanted = specs::named(name).filter(is_known).ok_or_else(|| {
            let names =
                |specs: &mut dyn Iterator<Item = &Spec>| specs.map(|spec| spec.name).collect::<Vec<_>>().join(", ");
            CheckFault::Wrong(format!(
                "no table is called {name}; the profile {} has {}; for optimal answers there are {}",
                profile.name(),
                names(&mut of_profile.specs()),
                names(&mut specs::every().filter(|spec| spec.size.is_some()))
            ))
        })?;
        if let Some(size) = wanted.size {
            control.check()?;
            let found = OptimalTable::look_at(folder, wanted, size);
            let table = found.map_err(|reason| CheckFault::unusable(name, &reason))?;
            check_sum(table.table(), report, control)?;
            return table.check(report, control).map(|()| None);
        }
        control.check()?;
        let mut opened = Opened::default();
        let table = look_at(folder, wanted).map_err(|reason| CheckFault::unusable(name, &reason))?;
        check_sum(&table, report, control)?;
        opened.insert(wanted.id, table);
        for spec in of_profile.specs().filter(|spec| wanted.sources.contains(&spec.id)) {
            let source = look_at(folder, spec);
            let source =
                source.map_err(|reason| CheckFault::no_source(spec.name, format!("cannot be used: {reason}")))?;
            opened.insert(spec.id, source);
        }
        check(wanted, &opened, effort, report, control).map(|()| None)
    })
}

impl TableSet {
    /// Checks the mapped table of this name and its current file. Returns `None` if the set does not have it.
    ///
    /// # Errors
    /// When the check was stopped.
    pub fn verify(&self, name: &str, effort: CheckEffort, control: &Control) -> Option<Result<Verdict, Cancelled>> {
        let (spec, table) = self.mapped().find(|(spec, _)| spec.name == name)?;
        Some(Verdict::of(|report| {
            check_length(spec, table)?;
            check_sum(table, report, control)?;
            match self {
                Self::Profile(tables) => check(spec, tables.opened(), effort, report, control)?,
                Self::Steps(tables) => {
                    tables.opened().map_or(Ok(()), |opened| check(spec, opened, effort, report, control))?;
                }
                Self::Proofs(table) => table.check(report, control)?,
            }
            check_file(spec, table, report)
        }))
    }

    /// Checks the checksum of each mapped table and its file, one at each step. Returns the names and the verdicts.
    pub fn checksums<'t>(
        &'t self,
        control: &'t Control,
    ) -> impl Iterator<Item = Result<(&'static str, Verdict), Cancelled>> + 't {
        self.mapped().map(|(spec, table)| Ok((spec.name, checksum(spec, table, control)?)))
    }
}

fn checksum(spec: &Spec, table: &Table, control: &Control) -> Result<Verdict, Cancelled> {
    Verdict::of(|report| {
        check_length(spec, table)?;
        check_sum(table, report, control)?;
        check_file(spec, table, report)
    })
}

/// Checks the length of the file. This is the first check, because reading a mapping beyond the end of its file would
/// end the process.
fn check_length(spec: &Spec, table: &Table) -> Result<(), CheckFault> {
    let wanted = HEADER_BYTES as u64 + spec.payload_bytes();
    match table.file_bytes().ok().filter(|got| *got != wanted) {
        Some(got) => Err(CheckFault::Damaged(format!("its file: truncated or padded: {got} bytes, expected {wanted}"))),
        None => Ok(()),
    }
}

/// Compares the mapped table, whose checksum is correct, with its file, which may have been damaged, replaced or removed
/// since. Returns a warning if there is no file to compare.
fn check_file(spec: &Spec, table: &Table, report: &mut Vec<String>) -> Result<Option<String>, CheckFault> {
    let folder = table.path().parent().unwrap_or(Path::new(""));
    let mut warn = |warning: String| {
        report.push(warning.clone());
        Ok(Some(warning))
    };
    let file = match look_at(folder, spec) {
        Ok(file) => file,
        // The mapping keeps the entries of a removed file.
        Err(Unusable::Missing) => {
            return warn(
                "its file is missing: the loaded table stays in use, and the next start builds the file".into(),
            );
        }
        // A shortage says nothing about the file.
        Err(Unusable::Read(error)) if is_shortage(&error) => {
            return warn(format!("its file cannot be read at the moment and was not compared: {error}"));
        }
        Err(reason) => return Err(CheckFault::Damaged(format!("its file: {reason}"))),
    };
    if file.header.checksum != table.header.checksum {
        let (got, mapped) = (file.header.checksum, table.header.checksum);
        return Err(CheckFault::Damaged(format!(
            "its file has other entries than the loaded table: checksum {got:016x}, loaded {mapped:016x}"
        )));
    }
    report.push("its file has the same header and entries".into());
    Ok(None)
}

/// Checks the current checksum of the bytes.
fn check_sum(table: &Table, report: &mut Vec<String>, control: &Control) -> Result<(), CheckFault> {
    let total = table.bytes().len();
    let got = checksum_watched(table.bytes(), &control.stage("checksum"))?;
    if got != table.header.checksum {
        let recorded = table.header.checksum;
        return Err(CheckFault::Damaged(format!(
            "its entries are damaged: checksum {got:016x}, recorded {recorded:016x}"
        )));
    }
    report.push(format!("checksum {got:016x} of {total} bytes, as recorded"));
    Ok(())
}

/// Checks a table whose checksum is correct.
fn check(
    spec: &'static Spec,
    opened: &Opened,
    effort: CheckEffort,
    report: &mut Vec<String>,
    control: &Control,
) -> Result<(), CheckFault> {
    let Some(table) = opened.get(spec.id) else { return Err(CheckFault::Missing("it is missing".into())) };
    let unreported = control.reporting(|_, _, _| ());
    for (source, mapped) in specs::of_opened(opened).filter(|(source, _)| spec.sources.contains(&source.id)) {
        if checksum_watched(mapped.bytes(), &unreported)? != mapped.header.checksum {
            return Err(CheckFault::no_source(source.name, "is damaged"));
        }
    }
    // Too large to be rebuilt for a check.
    if matches!(spec.id, Id::PhaseOneMasked | Id::PhaseOneResidues | Id::PhaseTwo) {
        recount(spec, opened, table, report, control)?;
        let samples = sample::check(spec, opened, table, control)?;
        let seed = sample::SEED;
        report.push(format!("{samples} entries drawn at random (seed {seed}) match moves applied at the cubie level"));
        if spec.id == Id::PhaseOneResidues && effort == CheckEffort::Full {
            rebuild_and_compare(spec, opened, table, report, control)?;
        }
    } else {
        rebuild_and_compare(spec, opened, table, report, control)?;
    }
    if let Some((of, distribution)) = published(spec.id) {
        if table.header.depth_histogram != distribution {
            return Err(CheckFault::Wrong(format!(
                "its depth histogram differs from the published distribution of {of}"
            )));
        }
        report.push(format!("depth histogram equals the published distribution of {of}"));
    }
    Ok(())
}

/// Recomputes every entry and compares checksum and histograms.
fn rebuild_and_compare(
    spec: &Spec,
    opened: &Opened,
    table: &Table,
    report: &mut Vec<String>,
    control: &Control,
) -> Result<(), CheckFault> {
    let mut nowhere = io::sink();
    let mut sink = Sink::new(&mut nowhere);
    let histograms = (spec.build)(opened, &mut sink, &control.stage("recompute")).map_err(|error| match error {
        BuildError::Write(error) => CheckFault::Wrong(error.to_string()),
        BuildError::Cancelled(cancelled) => CheckFault::Cancelled(cancelled),
    })?;
    control.check()?;
    if sink.checksum() != table.header.checksum {
        return Err(CheckFault::Wrong("its entries differ from the rebuilt ones".into()));
    }
    if histograms.states != table.header.depth_histogram || histograms.entries != table.header.entry_histogram {
        return Err(CheckFault::Wrong("its histograms differ from the rebuilt ones".into()));
    }
    report.push(format!("all {} entries equal the rebuilt ones", spec.entries));
    Ok(())
}

/// Number of entries, or of states, by stored value.
type Counts = [u64; 16];

/// Recounts the entries of a large table and compares the counts with its header. Depths that are stored as the same
/// value are added up.
fn recount(
    spec: &Spec,
    opened: &Opened,
    table: &Table,
    report: &mut Vec<String>,
    control: &Control,
) -> Result<(), CheckFault> {
    let (coordinate, representatives) = match spec.id {
        Id::PhaseTwo => (&CORNER_PERM, Id::CornerRepresentative),
        _ => (&FLIP_SLICE, Id::FlipSliceRepresentative),
    };
    let bytes = table.bytes();
    let masked: &[u32] = if spec.id == Id::PhaseOneMasked { opened.u32s(spec.id) } else { &[] };
    let columns = if spec.id == Id::PhaseTwo { UD_EDGES.size as usize } else { TWISTS };
    let stored = |row: usize, column: usize| match spec.id {
        Id::PhaseOneMasked => masked_distance(masked[row * columns + column]),
        Id::PhaseOneResidues => residue(bytes, row, column),
        _ => packed::nibble(bytes, row * columns + column),
    };
    let stored_as = |depth: usize| if spec.id == Id::PhaseOneResidues { depth % 3 } else { depth.min(15) };
    let masks = Classes::self_symmetries(coordinate, opened.u32s(representatives));
    let (rows, done, control) = (masks.len(), AtomicU64::new(0), control.stage("count"));
    let (entries, states) = masks
        .par_iter()
        .enumerate()
        .map(|(row, mask)| {
            control.check()?;
            let mut entries: Counts = [0; 16];
            for column in 0..columns {
                entries[usize::from(stored(row, column))] += 1;
            }
            let done = done.fetch_add(1, Relaxed) + 1;
            if done.is_multiple_of(256) {
                control.report(done, rows as u64);
            }
            Ok((entries, entries.map(|count| count * u64::from(16 / mask.count_ones()))))
        })
        .try_reduce(|| ([0; 16], [0; 16]), |a, b| Ok::<_, Cancelled>((sum(&a.0, &b.0), sum(&a.1, &b.1))))?;
    let recorded = |histogram: &[u64]| {
        let mut counts: Counts = [0; 16];
        for (depth, count) in histogram.iter().enumerate() {
            counts[stored_as(depth)] += count;
        }
        counts
    };
    let header = &table.header;
    for (of, counts, histogram) in
        [("entry", entries, &header.entry_histogram), ("state", states, &header.depth_histogram)]
    {
        let recorded = recorded(histogram);
        if counts != recorded {
            return Err(CheckFault::Wrong(format!(
                "{of} counts by value are {counts:?}, expected {recorded:?} (header)"
            )));
        }
    }
    report.push(format!("all {} entries counted; the counts by value match the header", spec.entries));
    Ok(())
}

fn sum(a: &Counts, b: &Counts) -> Counts {
    std::array::from_fn(|i| a[i] + b[i])
}
