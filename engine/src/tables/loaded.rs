//! The tables of a profile, mapped and shared.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use super::catalogue::id::Id;
use super::catalogue::info::TableInfo;
use super::catalogue::spec::Spec;
use super::catalogue::specs;
use super::error::TableError;
use super::file::store;
use super::file::table::Table;
use super::observer::Observer;
use super::opened::Opened;
use super::options::{Profile, Trust};
use super::pruning::phase_one::PhaseOne;
use super::pruning::phase_two::PhaseTwo;
use crate::symmetry::joint_representatives;

/// Every table of a profile, mapped read-only; shared behind an `Arc`, never changed.
pub struct Tables {
    profile: Profile,
    opened: Opened,
}

impl Tables {
    /// Opens the tables in `folder`, building what is missing or unusable. Setting `stop` ends it early.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or when it was stopped.
    pub fn open_or_build(
        folder: &Path,
        profile: Profile,
        observer: &dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Self, TableError> {
        Self::trusting(Trust::Files, folder, profile, observer, stop)
    }

    /// The same, with what is to be trusted of the files that are there.
    ///
    /// # Errors
    /// As [`Tables::open_or_build`].
    pub fn trusting(
        trust: Trust,
        folder: &Path,
        profile: Profile,
        observer: &dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Self, TableError> {
        let wanted: Vec<&Spec> = specs::of_profile(profile).collect();
        Ok(Self { profile, opened: store::open_or_build(trust, folder, &wanted, observer, stop)? })
    }

    /// The profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The tables themselves.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The representative of each class of flip x sorted slice, rising. In `small`, which has no such table, found at first
    /// use and kept.
    pub fn flip_slice_sorted_representatives(&self) -> &[u32] {
        static FOUND: LazyLock<Vec<u32>> = LazyLock::new(joint_representatives);
        match self.profile {
            Profile::Standard => self.opened.u32s(Id::FlipSliceSortedRepresentative),
            Profile::Small => &FOUND,
        }
    }

    /// Every table, in the order in which they are built.
    pub fn list(&self) -> Vec<TableInfo> {
        specs::of_opened(&self.opened).map(|(spec, table)| TableInfo::new(spec, table)).collect()
    }

    /// The table of this name, and what is known of it.
    pub fn named(&self, name: &str) -> Option<(TableInfo, &Table)> {
        let (spec, table) = specs::of_opened(&self.opened).find(|(spec, _)| spec.name == name)?;
        Some((TableInfo::new(spec, table), table))
    }

    /// Returns the phase-1 table with the move tables of its coordinates.
    pub fn phase_one(&self) -> PhaseOne<'_> {
        PhaseOne::new(&self.opened, self.profile)
    }

    /// Returns the phase-2 tables.
    pub fn phase_two(&self) -> PhaseTwo<'_> {
        PhaseTwo::new(&self.opened, self.profile)
    }

    /// What is known of the phase-1 table of this profile.
    pub fn phase_one_info(&self) -> Option<TableInfo> {
        let id = match self.profile() {
            Profile::Standard => Id::PhaseOneMasked,
            Profile::Small => Id::PhaseOneResidues,
        };
        self.list().into_iter().find(|table| table.id == id)
    }

    /// The masked entries of phase 1, class by class; `None` in the profile that has residues.
    pub fn phase_one_masked(&self) -> Option<&[u32]> {
        (self.profile() == Profile::Standard).then(|| self.opened().u32s(Id::PhaseOneMasked))
    }
}
