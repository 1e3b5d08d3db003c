//! Looking at tables without trusting them: what is in a folder, and whether a table holds what it should.
//!
//! | tables | what is checked |
//! | --- | --- |
//! | all | the checksum of the bytes as they are now, and those of the tables that they are checked with |
//! | all but the three large ones | every entry and both histograms, made anew |
//! | `phase_one_*`, `phase_two` | both histograms, counted anew; entries drawn at random, judged from the cubies ([`sample`]) |
//! | those with a published distribution | their states against it |
//! | `optimal_*` | [`optimal::check`](super::optimal::check) |
//!
//! `phase_one_residues` is also made anew where memory is no object ([`Effort::Full`]).

mod sample;
pub(crate) mod verdict;

pub use verdict::{CheckControl, Conclusion, Effort, Verdict};

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::coord::{CORNER_PERM, FLIP_SLICE, UD_EDGES};
use crate::symmetry::Classes;
use crate::tables::building::{BuildError, Context, Stopped};
use crate::tables::catalogue::id::Id;
use crate::tables::catalogue::info::TableInfo;
use crate::tables::catalogue::spec::Spec;
use crate::tables::catalogue::specs;
use crate::tables::error::is_shortage;
use crate::tables::file::format::HEADER_BYTES;
use crate::tables::file::open::{Unusable, look_at};
use crate::tables::file::sink::{Sink, checksum_watched};
use crate::tables::file::table::Table;
use crate::tables::loaded::Tables;
use crate::tables::opened::Opened;
use crate::tables::optimal::size::Size;
use crate::tables::optimal::table::OptimalTable;
use crate::tables::options::Profile;
use crate::tables::pruning::packed;
use crate::tables::pruning::phase_one::{TWISTS, masked_distance, residue};
use verdict::Fault;

/// Published for phase 1 in the half-turn metric: states at each depth.
pub const PHASE_ONE_DISTRIBUTION: [u64; 13] =
    [1, 4, 50, 592, 7156, 87236, 1_043_817, 12_070_278, 124_946_368, 821_605_960, 1_199_128_738, 58_202_444, 476];
/// Published for the whole cube in the half-turn metric: positions at 0 to 5 turns from solved.
pub const NEAR_DISTRIBUTION: [u64; 6] = [1, 18, 243, 3240, 43239, 574_908];

/// The published number of states at each depth, and what they are of, for the tables that have one.
pub const fn published(id: Id) -> Option<(&'static str, &'static [u64])> {
    match id {
        Id::PhaseOneMasked | Id::PhaseOneResidues => Some(("phase 1, half-turn metric", &PHASE_ONE_DISTRIBUTION)),
        Id::Near => Some(("the whole cube to 5 turns, half-turn metric", &NEAR_DISTRIBUTION)),
        _ => None,
    }
}

/// What is in the folder for each table of the profile: the table, or why it cannot be used. Nothing is built.
pub fn survey(folder: &Path, profile: Profile) -> Vec<(&'static str, Result<TableInfo, String>)> {
    specs::of_profile(profile).map(|spec| survey_one(folder, spec)).collect()
}

/// The same for one table.
pub fn survey_one(folder: &Path, spec: &'static Spec) -> (&'static str, Result<TableInfo, String>) {
    let found = look_at(folder, spec).map(|table| TableInfo::new(spec, &table));
    (spec.name, found.map_err(|reason| reason.to_string()))
}

/// Whether the table is too large to be made anew without a thought: it is counted and sampled.
fn is_large(id: Id) -> bool {
    matches!(id, Id::PhaseOneMasked | Id::PhaseOneResidues | Id::PhaseTwo)
}

/// The tables that one is checked with: those that it is made from, or that say what its rows stand for.
const fn checked_with(id: Id) -> &'static [Id] {
    match id {
        Id::FlipSliceRepresentative => &[Id::FlipSliceClass],
        Id::FlipSliceMove => &[Id::FlipSliceClass, Id::FlipSliceRepresentative],
        Id::CornerRepresentative => &[Id::CornerClass],
        Id::CornerMove => &[Id::CornerClass, Id::CornerRepresentative],
        Id::PhaseTwoCorners => &[Id::CornerPermMove, Id::SliceSortedMove],
        Id::PhaseTwoLayers => {
            &[Id::UEdgesMove, Id::DEdgesMove, Id::CornerRepresentative, Id::CornerMove, Id::LayerEdgesConjugate]
        }
        Id::FlipSliceDistance => &[Id::FlipSliceRepresentative, Id::FlipSliceMove],
        Id::PhaseTwo => &[Id::CornerRepresentative],
        Id::PhaseOneMasked => &[Id::FlipSliceRepresentative],
        Id::PhaseOneResidues => &[Id::TwistMove, Id::TwistConjugate, Id::FlipSliceRepresentative, Id::FlipSliceMove],
        _ => &[],
    }
}

/// Checks one table of a folder, of the profile or for optimal answers; another name is a problem too.
///
/// # Errors
/// When it was stopped.
pub fn verify(folder: &Path, profile: Profile, name: &str, watch: &CheckControl<'_>) -> Result<Verdict, Stopped> {
    Verdict::of(|report| {
        if let Some(size) = Size::ALL.into_iter().find(|size| size.spec().name == name) {
            watch.check()?;
            let found = OptimalTable::look_at(folder, size);
            let table = found.map_err(|reason| Fault::unusable(name, &reason))?;
            check_sum(table.table(), report, watch)?;
            return table.check(report, watch);
        }
        let names = || specs::of_profile(profile).map(|spec| spec.name).collect::<Vec<_>>().join(", ");
        let wanted = specs::of_profile(profile).find(|spec| spec.name == name).ok_or_else(|| {
            Fault::Wrong(format!(
                "no table is called {name}; the profile {} has {}; for optimal answers there are {}",
                profile.name(),
                names(),
                Size::ALL.map(|size| size.spec().name).join(", ")
            ))
        })?;
        watch.check()?;
        let mut opened = Opened::default();
        let table = look_at(folder, wanted).map_err(|reason| Fault::unusable(name, &reason))?;
        check_sum(&table, report, watch)?;
        opened.insert(wanted.id, table);
        for spec in specs::of_profile(profile).filter(|spec| checked_with(wanted.id).contains(&spec.id)) {
            let source = look_at(folder, spec);
            let source = source.map_err(|reason| Fault::no_source(spec.name, format!("cannot be used: {reason}")))?;
            opened.insert(spec.id, source);
        }
        check(wanted, &opened, report, watch)
    })
}

impl Tables {
    /// Checks one mapped table, and the file that now has its name. `None`: this profile does not have it.
    ///
    /// # Errors
    /// When it was stopped.
    pub fn verify(&self, id: Id, watch: &CheckControl<'_>) -> Option<Result<Verdict, Stopped>> {
        let (spec, table) = specs::of_opened(self.opened()).find(|(spec, _)| spec.id == id)?;
        Some(Verdict::of(|report| {
            check_length(spec, table)?;
            check_sum(table, report, watch)?;
            check(spec, self.opened(), report, watch)?;
            check_file(spec, table, report)
        }))
    }

    /// Looks at every mapped table and its file for bytes that are not as they were written; the name of the first that has
    /// some, and what is wrong.
    ///
    /// # Errors
    /// When it was stopped.
    pub fn first_damage(&self, watch: &CheckControl<'_>) -> Result<Option<(&'static str, String)>, Stopped> {
        for (spec, table) in specs::of_opened(self.opened()) {
            if let Some(problem) = damage(spec, table, watch)? {
                return Ok(Some((spec.name, problem)));
            }
        }
        Ok(None)
    }
}

impl OptimalTable {
    /// Checks the mapped table, and the file that now has its name.
    ///
    /// # Errors
    /// When it was stopped.
    pub fn verify(&self, watch: &CheckControl<'_>) -> Result<Verdict, Stopped> {
        Verdict::of(|report| {
            let (spec, table) = (self.size().spec(), self.table());
            check_length(spec, table)?;
            check_sum(table, report, watch)?;
            self.check(report, watch)?;
            check_file(spec, table, report)
        })
    }

    /// What of its bytes, mapped or in its file, is not as it was written.
    ///
    /// # Errors
    /// When it was stopped.
    pub fn damage(&self, watch: &CheckControl<'_>) -> Result<Option<String>, Stopped> {
        damage(self.size().spec(), self.table(), watch)
    }
}

fn damage(spec: &Spec, table: &Table, watch: &CheckControl<'_>) -> Result<Option<String>, Stopped> {
    let verdict = Verdict::of(|report| {
        check_length(spec, table)?;
        check_sum(table, report, watch)?;
        check_file(spec, table, report)
    });
    Ok(verdict?.problem)
}

/// First of all: to read a mapping beyond the end of its file would end the process.
fn check_length(spec: &Spec, table: &Table) -> Result<(), Fault> {
    let wanted = HEADER_BYTES as u64 + spec.payload_bytes();
    match table.file_bytes().ok().filter(|got| *got != wanted) {
        Some(got) => Err(Fault::Damaged(format!("its file: truncated or padded: {got} bytes, expected {wanted}"))),
        None => Ok(()),
    }
}

/// The file may have been damaged or replaced since it was mapped.
fn check_file(spec: &Spec, table: &Table, report: &mut Vec<String>) -> Result<(), Fault> {
    let folder = table.path().parent().unwrap_or(Path::new(""));
    let file = match look_at(folder, spec) {
        Ok(file) => file,
        // That says nothing of the file, and what is mapped was found right.
        Err(Unusable::Read(error)) if is_shortage(&error) => {
            report.push(format!("its file cannot be read now and was not compared: {error}"));
            return Ok(());
        }
        // What is mapped was found right, and it is for the next start to build a file.
        Err(Unusable::Missing) if table.lost_its_old_name() => {
            report.push("another version of the program has replaced its file, which was not compared".into());
            return Ok(());
        }
        Err(reason) => return Err(Fault::Damaged(format!("its file: {reason}"))),
    };
    if file.header.checksum != table.header.checksum {
        let (got, mapped) = (file.header.checksum, table.header.checksum);
        return Err(Fault::Damaged(format!("its file holds other entries: checksum {got:016x}, mapped {mapped:016x}")));
    }
    report.push("its file has the same header and entries".into());
    Ok(())
}

/// The checksum of the bytes as they are now.
fn check_sum(table: &Table, report: &mut Vec<String>, watch: &CheckControl<'_>) -> Result<(), Fault> {
    let (total, done) = (table.bytes().len() as u64, AtomicU64::new(0));
    let got = checksum_watched(table.bytes(), |bytes| {
        watch.progress("checksum", done.fetch_add(bytes, Relaxed) + bytes, total);
        watch.check()
    })?;
    if got != table.header.checksum {
        let recorded = table.header.checksum;
        return Err(Fault::Damaged(format!("its entries are damaged: checksum {got:016x}, recorded {recorded:016x}")));
    }
    report.push(format!("checksum {got:016x} of {total} bytes, as recorded"));
    Ok(())
}

/// What is left to be checked of a table whose checksum is right.
fn check(
    spec: &'static Spec,
    opened: &Opened,
    report: &mut Vec<String>,
    watch: &CheckControl<'_>,
) -> Result<(), Fault> {
    let Some(table) = opened.get(spec.id) else { return Err(Fault::Missing("it is missing".into())) };
    for (source, mapped) in specs::of_opened(opened).filter(|(source, _)| checked_with(spec.id).contains(&source.id)) {
        if checksum_watched(mapped.bytes(), |_| watch.check())? != mapped.header.checksum {
            return Err(Fault::no_source(source.name, "is damaged"));
        }
    }
    if is_large(spec.id) {
        recount(spec, opened, table, report, watch)?;
        let samples = sample::check(spec, opened, table, watch)?;
        let seed = sample::SEED;
        report.push(format!("{samples} entries drawn at random (seed {seed}) agree with the cubies"));
        if spec.id == Id::PhaseOneResidues && watch.effort == Effort::Full {
            make_anew(spec, opened, table, report, watch)?;
        }
    } else {
        make_anew(spec, opened, table, report, watch)?;
    }
    if let Some((of, distribution)) = published(spec.id) {
        if table.header.depth_histogram != distribution {
            return Err(Fault::Wrong(format!("its depth histogram is not the published one of {of}")));
        }
        report.push(format!("depth histogram equals the published distribution of {of}"));
    }
    Ok(())
}

/// Makes the table again and compares.
fn make_anew(
    spec: &Spec,
    opened: &Opened,
    table: &Table,
    report: &mut Vec<String>,
    watch: &CheckControl<'_>,
) -> Result<(), Fault> {
    let mut nowhere = io::sink();
    let mut sink = Sink::new(&mut nowhere);
    let tell = |done, total| watch.progress("make anew", done, total);
    let context = Context { stop: watch.stop, report: &tell };
    let histograms = (spec.build)(opened, &mut sink, &context).map_err(|error| match error {
        BuildError::Write(error) => Fault::Wrong(error.to_string()),
        BuildError::Stopped => Fault::Stopped,
    })?;
    watch.check()?;
    if sink.checksum() != table.header.checksum {
        return Err(Fault::Wrong("its entries differ from those made anew".into()));
    }
    if histograms.states != table.header.depth_histogram || histograms.entries != table.header.entry_histogram {
        return Err(Fault::Wrong("its histograms differ from those made anew".into()));
    }
    report.push(format!("all {} entries equal those made anew", spec.entries));
    Ok(())
}

/// Counts of entries, or of states, by what is stored.
type Counts = [u64; 16];

/// Counts the entries of a large table, and compares with its header, where depths that are stored alike are added up.
fn recount(
    spec: &Spec,
    opened: &Opened,
    table: &Table,
    report: &mut Vec<String>,
    watch: &CheckControl<'_>,
) -> Result<(), Fault> {
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
    let (rows, done) = (masks.len(), AtomicU64::new(0));
    let (entries, states) = masks
        .par_iter()
        .enumerate()
        .map(|(row, mask)| {
            watch.check()?;
            let mut entries: Counts = [0; 16];
            for column in 0..columns {
                entries[usize::from(stored(row, column))] += 1;
            }
            let done = done.fetch_add(1, Relaxed) + 1;
            if done.is_multiple_of(256) {
                watch.progress("count", done, rows as u64);
            }
            Ok((entries, entries.map(|count| count * u64::from(16 / mask.count_ones()))))
        })
        .try_reduce(|| ([0; 16], [0; 16]), |a, b| Ok::<_, Stopped>((sum(&a.0, &b.0), sum(&a.1, &b.1))))?;
    let recorded = |histogram: &[u64]| {
        let mut counts: Counts = [0; 16];
        for (depth, count) in histogram.iter().enumerate() {
            counts[stored_as(depth)] += count;
        }
        counts
    };
    if entries != recorded(&table.header.entry_histogram) {
        return Err(Fault::Wrong(format!("its entries, counted anew, are {entries:?}")));
    }
    if states != recorded(&table.header.depth_histogram) {
        return Err(Fault::Wrong(format!("its states, counted anew, are {states:?}")));
    }
    report.push(format!("all {} entries counted, as the header says", spec.entries));
    Ok(())
}

fn sum(a: &Counts, b: &Counts) -> Counts {
    std::array::from_fn(|i| a[i] + b[i])
}
