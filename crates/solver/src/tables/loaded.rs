//! All tables of a profile, memory-mapped.

use std::path::Path;
use std::sync::LazyLock;

use super::catalogue::id::Id;
use super::catalogue::info::TableInfo;
use super::catalogue::spec::Spec;
use super::catalogue::specs;
use super::error::TableError;
use super::file::store;
use super::file::table::Table;
use super::observer::TableObserver;
use super::opened::Opened;
use super::options::{Profile, Trust};
use super::pruning::phase_one::PhaseOne;
use super::pruning::phase_two::PhaseTwo;
use crate::control::Control;
use crate::coord::Descriptor;
use crate::symmetry::joint_representatives;

/// All tables of a profile, memory-mapped read-only and shared behind an `Arc`.
pub struct Tables {
    profile: Profile,
    opened: Opened,
}

impl Tables {
    /// Opens the tables in `folder`, and builds those that are missing or unusable. Cancelling `control` ends it early. The
    /// first build takes seconds for the small profile, and up to a minute for the standard profile.
    ///
    /// # Examples
    /// ```no_run
    /// use std::path::Path;
    /// use superflip_solver::{Control, Profile, Tables};
    ///
    /// let tables = Tables::open_or_build(Path::new("tables"), Profile::Small, &|_| (), &Control::new())?;
    /// assert!(tables.list().iter().any(|table| table.name == "near"));
    /// # Ok::<(), superflip_solver::tables::TableError>(())
    /// ```
    ///
    /// # Errors
    /// When the folder cannot be read or written, or the work was stopped.
    pub fn open_or_build(
        folder: &Path,
        profile: Profile,
        observer: TableObserver<'_>,
        control: &Control,
    ) -> Result<Self, TableError> {
        Self::trusting(Trust::Files, folder, profile, observer, control)
    }

    /// Does the same as [`Tables::open_or_build`], with a choice of which existing files to trust.
    ///
    /// # Errors
    /// As [`Tables::open_or_build`].
    pub fn trusting(
        trust: Trust,
        folder: &Path,
        profile: Profile,
        observer: TableObserver<'_>,
        control: &Control,
    ) -> Result<Self, TableError> {
        let wanted: Vec<&Spec> = specs::of_profile(profile).collect();
        Ok(Self { profile, opened: store::open_or_build(trust, folder, &wanted, observer, control)? })
    }

    /// Returns the profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns the mapped tables by id.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// Returns the representative of each class of flip x sorted slice, in rising order. The small profile has no table
    /// of them and computes them at first use.
    pub fn flip_slice_sorted_representatives(&self) -> &[u32] {
        static FOUND: LazyLock<Vec<u32>> = LazyLock::new(joint_representatives);
        match self.profile {
            Profile::Standard => self.opened.u32s(Id::FlipSliceSortedRepresentative),
            Profile::Small => &FOUND,
        }
    }

    /// Returns the move table of a coordinate, if there is a table of it.
    pub fn move_table(&self, coordinate: &Descriptor) -> Option<&[u16]> {
        specs::moves_of(coordinate).map(|spec| self.opened.u16s(spec.id))
    }

    /// Describes every table, in build order.
    pub fn list(&self) -> Vec<TableInfo> {
        specs::of_opened(&self.opened).map(|(spec, table)| TableInfo::new(spec, table)).collect()
    }

    /// Returns the table of this name with its description.
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

    /// Describes the phase-1 table of this profile.
    pub fn phase_one_info(&self) -> Option<TableInfo> {
        let id = match self.profile() {
            Profile::Standard => Id::PhaseOneMasked,
            Profile::Small => Id::PhaseOneResidues,
        };
        self.list().into_iter().find(|table| table.id == id)
    }

    /// Returns the masked entries of phase 1, class by class; `None` in the small profile.
    pub fn phase_one_masked(&self) -> Option<&[u32]> {
        (self.profile() == Profile::Standard).then(|| self.opened().u32s(Id::PhaseOneMasked))
    }
}
