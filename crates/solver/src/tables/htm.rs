//! All tables of a profile: memory-mapped, or computed in memory.

use std::path::Path;
use std::sync::LazyLock;

use super::catalogue::id::Id;
use super::catalogue::info::TableInfo;
use super::catalogue::spec::Spec;
use super::catalogue::specs;
use super::error::TableError;
use super::file::store;
use super::file::table::{Opened, Table};
use super::pruning::near::{self, NearSet};
use super::pruning::phase_one::PhaseOne;
use super::pruning::phase_two::PhaseTwo;
use super::set::{Profile, SetKey};
use super::tiny::{self, Tiny};
use crate::control::Control;
use crate::coord::{CORNER_PERM, Descriptor, FLIP_SLICE};
use crate::symmetry::{Classes, joint_representatives};

/// All tables of a profile: memory-mapped read-only, or computed in memory. They are shared behind an `Arc`.
pub struct Tables {
    profile: Profile,
    opened: Opened,
    /// The tables of [`Profile::Tiny`].
    tiny: Option<Box<Tiny>>,
}

/// The tables of a profile: mapped from files, or computed in memory.
#[derive(Clone, Copy)]
pub(crate) enum ByProfile<'t> {
    Mapped { phase_one: PhaseOne<'t>, phase_two: PhaseTwo<'t>, opened: &'t Opened },
    Tiny(&'t Tiny),
}

impl Tables {
    /// Opens the tables in `folder`, and builds those that are missing or unusable, as [`TableSet::open`](super::TableSet::open) does.
    /// The first build takes seconds for the small profile, and up to a minute for the standard profile.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or the work was stopped.
    pub fn open_or_build(folder: &Path, profile: Profile, control: &Control) -> Result<Self, TableError> {
        if profile == Profile::Tiny {
            return Ok(Self::in_memory());
        }
        let wanted: Vec<&Spec> = SetKey::of_profile(profile).specs().collect();
        Ok(Self::of_files(profile, store::open_or_build(folder, &wanted, control)?))
    }

    pub(crate) fn of_files(profile: Profile, opened: Opened) -> Self {
        Self { profile, opened, tiny: None }
    }

    /// Opens the largest complete profile in `folder` that is not larger than `largest`, and builds nothing. If none is
    /// complete, it computes the tables of [`Profile::Tiny`]. The observer of `control` gets the events; its stop flag is not checked.
    ///
    /// # Errors
    /// When the process lacks memory or open files.
    pub fn existing_or_tiny(folder: &Path, largest: Profile, control: &Control) -> Result<Self, TableError> {
        for profile in Profile::ALL.into_iter().skip_while(|&profile| profile != largest) {
            let key = SetKey::of_profile(profile);
            if !key.is_computed()
                && key.is_in(folder)
                && let Some(opened) = store::open_existing(folder, &key.specs().collect::<Vec<_>>(), control)?
            {
                return Ok(Self::of_files(profile, opened));
            }
        }
        Ok(Self::in_memory())
    }

    /// Computes the tables of [`Profile::Tiny`] in memory, which takes 20 to 40 ms. They need no folder.
    #[must_use]
    pub fn in_memory() -> Self {
        Self { profile: Profile::Tiny, opened: Opened::default(), tiny: Some(Box::new(Tiny::new())) }
    }

    /// Returns the tables, mapped or computed.
    pub(crate) fn by_profile(&self) -> ByProfile<'_> {
        match &self.tiny {
            Some(tiny) => ByProfile::Tiny(tiny),
            None => ByProfile::Mapped {
                phase_one: PhaseOne::new(&self.opened),
                phase_two: PhaseTwo::new(&self.opened),
                opened: &self.opened,
            },
        }
    }

    /// Returns the profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns the mapped tables by id.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// Returns the packed sym-coordinate of each flip x slice, and the representative of each class. Profiles without a table
    /// of them compute them at first use.
    pub fn flip_slice_classes(&self) -> (&[u32], &[u32]) {
        static FOUND: LazyLock<Classes> = LazyLock::new(|| Classes::new(&FLIP_SLICE));
        self.classes([Id::FlipSliceClass, Id::FlipSliceRepresentative], &FOUND)
    }

    /// Returns the same two lists for the corner permutation.
    pub fn corner_classes(&self) -> (&[u32], &[u32]) {
        static FOUND: LazyLock<Classes> = LazyLock::new(|| Classes::new(&CORNER_PERM));
        self.classes([Id::CornerClass, Id::CornerRepresentative], &FOUND)
    }

    fn classes<'t>(&'t self, tables: [Id; 2], computed: &'t LazyLock<Classes>) -> (&'t [u32], &'t [u32]) {
        let [of_raw, representatives] = tables.map(|id| self.opened.get(id).map(Table::view));
        of_raw.zip(representatives).unwrap_or_else(|| (&computed.of_raw, &computed.representatives))
    }

    /// Returns the representative of each class of flip x sorted slice, in rising order. Profiles
    /// without a table of them compute them at first use.
    pub fn flip_slice_sorted_representatives(&self) -> &[u32] {
        static FOUND: LazyLock<Vec<u32>> = LazyLock::new(joint_representatives);
        match self.profile {
            Profile::Standard => self.opened.u32s(Id::FlipSliceSortedRepresentative),
            Profile::Small | Profile::Tiny => &FOUND,
        }
    }

    /// Returns the move table of a coordinate, if there is a table of it.
    pub fn move_table(&self, coordinate: &Descriptor) -> Option<&[u16]> {
        specs::moves_of(coordinate).and_then(|spec| self.opened.get(spec.id)).map(Table::view)
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

    /// Returns the exact phase-1 table with the move tables of its coordinates; `None` in the tiny profile.
    pub fn phase_one(&self) -> Option<PhaseOne<'_>> {
        self.tiny.is_none().then(|| PhaseOne::new(&self.opened))
    }

    /// Returns the phase-2 tables; `None` in the tiny profile.
    pub fn phase_two(&self) -> Option<PhaseTwo<'_>> {
        self.tiny.is_none().then(|| PhaseTwo::new(&self.opened))
    }

    /// Returns the positions near solved.
    pub(crate) fn near(&self) -> NearSet<'_> {
        match &self.tiny {
            Some(tiny) => NearSet { words: &tiny.near, radius: tiny::RADIUS, half_turn: 1 },
            None => NearSet { words: self.opened.u32s(Id::Near), radius: near::RADIUS, half_turn: 1 },
        }
    }

    /// Describes the phase-1 table of this profile.
    pub fn phase_one_info(&self) -> Option<TableInfo> {
        let id = match self.profile() {
            Profile::Standard => Id::PhaseOneMasked,
            Profile::Small => Id::PhaseOneResidues,
            Profile::Tiny => return None,
        };
        self.list().into_iter().find(|table| table.id == id)
    }

    /// Returns the masked entries of phase 1, class by class; `None` except in the profile `standard`.
    pub fn phase_one_masked(&self) -> Option<&[u32]> {
        (self.profile() == Profile::Standard).then(|| self.opened().u32s(Id::PhaseOneMasked))
    }
}
