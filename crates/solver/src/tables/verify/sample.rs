//! Checks random entries of the large tables at the cubie level, without other tables.
//!
//! For an entry (class, column), a matching cube is assembled, and moves are applied at the cubie level, without move tables. The
//! entry of a cube is found by trying all 16 symmetries, without the class and conjugation tables that the search and
//! the build use. An entry is correct if it meets four conditions:
//!
//! 1. It is 0 if and only if the cube is solved (phase 1: in G1).
//! 2. It differs from each neighbour by at most one.
//! 3. It is 0, or some neighbour is smaller. Entries at [`CAP`] are exempt.
//! 4. It equals its equivalent entries, of the same cube under the self-symmetries of the class.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::control::Control;
use crate::coord::rank::is_odd;
use crate::coord::{CORNER_PERM, Descriptor, FLIP_SLICE, TWIST, UD_EDGES};
use crate::tables::catalogue::spec::Spec;
use crate::tables::file::table::{Id, Opened, Table};
use crate::tables::pruning::packed::CAP;
use crate::tables::pruning::phase_one::{MoveEffects, TWISTS, masked_distance, residue};
use crate::tables::verify::verdict::CheckFault;
use superflip_cube::{Cube, Move, Symmetry};

/// Seed of the random samples: the same entries are drawn every time.
pub(crate) const SEED: u64 = 20;
/// Number of samples of a table that holds distances.
pub(crate) const SAMPLES: usize = 10_000;
/// Number of samples of `phase_one_residues`. It stores distances modulo 3 (*residues*), so each distance is found by a
/// path of moves to solved.
pub(crate) const RESIDUE_SAMPLES: usize = 500;
/// Greatest length of a path to solved. A longer path means that the table is damaged.
const MAX_PATH: u8 = 12;

/// A table over the classes of one coordinate and the values of another.
struct SampledTable<'t> {
    table: &'t Table,
    spec: &'static Spec,
    representatives: &'t [u32],
    rows: &'static Descriptor,
    columns: &'static Descriptor,
    moves: &'static [Move],
}

/// Checks random entries of a large table. Returns the number of entries checked.
pub(crate) fn check(
    spec: &'static Spec,
    opened: &Opened,
    table: &Table,
    control: &Control,
) -> Result<usize, CheckFault> {
    let phase_two = matches!(spec.id, Id::PhaseTwo);
    let representatives = opened.u32s(if phase_two { Id::CornerRepresentative } else { Id::FlipSliceRepresentative });
    let (rows, columns, moves): (_, _, &[Move]) =
        if phase_two { (&CORNER_PERM, &UD_EDGES, &Move::PHASE_TWO) } else { (&FLIP_SLICE, &TWIST, &Move::ALL) };
    let space = SampledTable { table, spec, representatives, rows, columns, moves };
    let samples = if spec.id == Id::PhaseOneResidues { RESIDUE_SAMPLES } else { SAMPLES };
    let mut rng = StdRng::seed_from_u64(SEED);
    let mut drawn: Vec<(usize, u32)> =
        (1..samples).map(|_| (rng.random_range(0..representatives.len()), rng.random_range(0..columns.size))).collect();
    // Entry (0, 0) is always among them.
    drawn.push((0, 0));
    let (done, control) = (AtomicU64::new(0), control.stage("sample"));
    drawn.par_iter().try_for_each(|&(row, column)| {
        control.check()?;
        space.check_entry(row, column).map_err(|problem| {
            CheckFault::Wrong(format!("entry at row {row}, column {column}, compared at the cubie level: {problem}"))
        })?;
        control.report(done.fetch_add(1, Relaxed) + 1, samples as u64);
        Ok::<(), CheckFault>(())
    })?;
    Ok(samples)
}

impl SampledTable<'_> {
    /// Returns a cube that the entry stands for.
    fn cube(&self, row: usize, column: u32) -> Cube {
        let (first, second) =
            ((self.rows.representative)(self.representatives[row]), (self.columns.representative)(column));
        if self.spec.id != Id::PhaseTwo {
            return Cube::assemble(*first.corners(), *second.twists(), *first.edges(), *first.flips());
        }
        let mut edges = *second.edges();
        if is_odd(&first.corners().map(|piece| piece as u8)) != is_odd(&edges.map(|piece| piece as u8)) {
            edges.swap(8, 9);
        }
        Cube::assemble(*first.corners(), [0; 8], edges, [0; 12])
    }

    /// Returns the indices of all equivalent entries of a cube: one for each symmetry that maps it to the
    /// representative.
    fn entries_of(&self, cube: &Cube) -> Result<Vec<u64>, String> {
        let values = Symmetry::all().take(Symmetry::KEEPING_UD).filter_map(|symmetry| {
            let seen = symmetry.conjugate(cube);
            Some(((self.rows.index)(&seen)?, (self.columns.index)(&seen)?))
        });
        let values: Vec<(u32, u32)> = values.collect();
        let least = values.iter().map(|(raw, _)| *raw).min().unwrap_or_default();
        let row = self.representatives.binary_search(&least);
        let row = row.map_err(|_| format!("{least} is not a representative of {}", self.rows.name))?;
        let columns = values.into_iter().filter(|(raw, _)| *raw == least).map(|(_, column)| column);
        Ok(columns.map(|column| row as u64 * u64::from(self.columns.size) + u64::from(column)).collect())
    }

    /// Returns the stored value of a cube: the distance, or its residue.
    fn value(&self, cube: &Cube) -> Result<u8, String> {
        self.entries_of(cube)?
            .first()
            .and_then(|&number| self.read(number))
            .ok_or_else(|| "the table has no such entry".into())
    }

    /// Reads entry number `number`.
    fn read(&self, number: u64) -> Option<u8> {
        if self.spec.id == Id::PhaseOneResidues {
            let number = usize::try_from(number).ok()?;
            let (row, column) = (number / TWISTS, number % TWISTS);
            return (row < self.representatives.len()).then(|| residue(self.table.bytes(), row, column));
        }
        let entry = self.table.entry(number)?;
        if self.spec.id == Id::PhaseOneMasked {
            u32::try_from(entry).ok().map(masked_distance)
        } else {
            u8::try_from(entry).ok()
        }
    }

    fn is_solved_entry(&self, cube: &Cube) -> bool {
        (self.rows.index)(cube) == Some(0) && (self.columns.index)(cube) == Some(0)
    }

    /// Returns the distance of a cube. With residues, it counts the moves of a path to solved.
    fn distance(&self, cube: &Cube) -> Result<u8, String> {
        if self.spec.id != Id::PhaseOneResidues {
            return self.value(cube);
        }
        let mut cube = *cube;
        for length in 0..=MAX_PATH {
            if self.is_solved_entry(&cube) {
                return Ok(length);
            }
            let wanted = (self.value(&cube)? + 2) % 3;
            let mut nearer = None;
            for mv in self.moves {
                let after = cube.then(mv.cube());
                if self.value(&after)? == wanted {
                    nearer = Some(after);
                    break;
                }
            }
            cube = nearer.ok_or("no move from this state has the next smaller residue; the table is damaged")?;
        }
        Err(format!("the path of falling residues is longer than {MAX_PATH} moves; the table is damaged"))
    }

    fn check_entry(&self, row: usize, column: u32) -> Result<(), String> {
        if self.representatives[row] >= self.rows.size {
            return Err(format!(
                "the table of representatives has {} for this row, which is out of range",
                self.representatives[row]
            ));
        }
        let cube = self.cube(row, column);
        let number = row as u64 * u64::from(self.columns.size) + u64::from(column);
        let (entries, own) = (self.entries_of(&cube)?, self.distance(&cube)?);
        if !entries.contains(&number) {
            return Err(
                "no symmetry maps the cube of this row and column to this entry; the table of representatives is damaged".into(),
            );
        }
        let stored = if self.spec.id == Id::PhaseOneResidues { own % 3 } else { own };
        for other_number in entries {
            let other = self.read(other_number).ok_or("the table has no such entry")?;
            if other != stored {
                return Err(format!(
                    "entry {number} is {stored}, but entry {other_number}, for the same state, is {other}"
                ));
            }
        }
        if (own == 0) != self.is_solved_entry(&cube) {
            return Err(match own {
                0 => "the distance is 0 for an unsolved state".to_owned(),
                _ => format!("the distance is {own} for the solved state"),
            });
        }
        let capped = self.spec.id == Id::PhaseTwo && own == CAP;
        let (mut nearer, mut not_farther) = (0, 0);
        for (number, mv) in self.moves.iter().enumerate() {
            let other = self.distance(&cube.then(mv.cube()))?;
            if own.abs_diff(other) > 1 {
                return Err(format!("the distance is {own}, but {other} after {mv}"));
            }
            nearer |= u32::from(other < own) << number;
            not_farther |= u32::from(other <= own) << number;
        }
        if own > 0 && nearer == 0 && !capped {
            return Err(format!("the distance is {own}, but no move leads nearer"));
        }
        if self.spec.id == Id::PhaseOneMasked {
            let entry = self.table.entry(number).and_then(|entry| u32::try_from(entry).ok()).unwrap_or_default();
            let stored_effects = MoveEffects::of_masked(entry);
            if stored_effects != (MoveEffects { nearer, not_farther }) || entry >> 28 != 0 {
                return Err(format!("the move masks in {entry:#010x} contradict the distances after these moves"));
            }
        }
        Ok(())
    }
}
