//! Sets of tables: their keys, and the one way to open them.

use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::sync::Arc;

use super::catalogue::info::TableInfo;
use super::catalogue::spec::Spec;
use super::catalogue::specs;
use super::error::TableError;
use super::file::store;
use super::file::table::Table;
use super::htm::Tables;
use super::metric::table::MetricTables;
use super::metric::{METRICS, StepSet};
use super::optimal::size::Size;
use super::optimal::table::OptimalTable;
use crate::control::Control;
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;

/// Tables of the two-phase search, by their size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Fast set of about 640 MB.
    #[default]
    Standard,
    /// Small set of about 50 MB.
    Small,
    /// Tiny set of 4 MB, computed in memory, without files.
    Tiny,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Small, Self::Tiny];

    /// `standard`, `small` or `tiny`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Small => "small",
            Self::Tiny => "tiny",
        }
    }
}

/// Names a set of tables, which are opened, built and checked together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetKey {
    /// What may be turned, and how it counts, in the holding of the tables.
    pub steps: StepSet,
    /// What the tables are for.
    pub role: Role,
}

/// What tables are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The two-phase search, with the tables of this profile. Those of [`Profile::Tiny`] are computed in memory.
    Phases(Profile),
    /// Proofs, with the coset table of this size.
    Proofs(Size),
}

impl SetKey {
    /// Returns the key of the tables of the two-phase search in a metric with some turns. Tables of some turns are always computed in
    /// memory. Those of a metric other than HTM are in files with every profile.
    #[must_use]
    pub fn phases(metric: Metric, turns: TurnSet, profile: Profile) -> Self {
        let profile = match profile {
            _ if !turns.is_all() => Profile::Tiny,
            Profile::Tiny if METRICS.contains(&metric) => Profile::Small,
            profile => profile,
        };
        Self { steps: StepSet::framed(metric, turns), role: Role::Phases(profile) }
    }

    /// Returns the key of the tables of a profile: those of HTM with all turns.
    #[must_use]
    pub fn of_profile(profile: Profile) -> Self {
        Self::phases(Metric::Htm, TurnSet::ALL, profile)
    }

    /// Returns the key of the coset table for proofs in a metric. HTM and QTM have one.
    #[must_use]
    pub fn proofs(metric: Metric, size: Size) -> Self {
        Self { steps: StepSet::of_metric(metric), role: Role::Proofs(size) }
    }

    /// Returns whether this is the set of a profile.
    #[must_use]
    pub fn is_profile(self) -> bool {
        self.steps == StepSet::of_metric(Metric::Htm) && matches!(self.role, Role::Phases(_))
    }

    /// Returns whether the set is computed in memory.
    #[must_use]
    pub fn is_computed(self) -> bool {
        self.role == Role::Phases(Profile::Tiny)
    }

    /// Iterates over the tables in files, in build order; none for a set that is computed.
    pub fn specs(self) -> impl Iterator<Item = &'static Spec> {
        specs::every().filter(move |spec| self.has(spec))
    }

    /// Returns whether the table belongs to the set.
    pub(crate) fn has(self, spec: &Spec) -> bool {
        let is_of_role = match self.role {
            Role::Phases(Profile::Tiny) => false,
            Role::Phases(profile) => spec.size.is_none() && spec.profile.is_none_or(|only| only == profile),
            Role::Proofs(size) => spec.size == Some(size),
        };
        is_of_role && self.steps == StepSet::of_metric(spec.metric)
    }

    /// Returns the size of the files in bytes.
    #[must_use]
    pub fn file_bytes(self) -> u64 {
        self.specs().map(store::file_bytes).sum()
    }

    /// Returns whether every file exists. Their contents are checked when they are opened.
    #[must_use]
    pub fn is_in(self, folder: &Path) -> bool {
        self.specs().all(|spec| store::is_there(folder, spec))
    }
}

impl Display for SetKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (metric, turns) = (self.steps.metric.name(), self.steps.turns);
        match self.role {
            Role::Proofs(size) => write!(f, "optimal table {} in {metric}", size.name()),
            Role::Phases(profile) if self.is_profile() => write!(f, "profile {}", profile.name()),
            Role::Phases(_) if turns.is_all() => write!(f, "metric {metric}"),
            Role::Phases(_) => write!(f, "turns {turns} in {metric}"),
        }
    }
}

/// A set of open tables. Clones share it.
#[derive(Clone)]
pub enum TableSet {
    /// The tables of a profile.
    Profile(Arc<Tables>),
    /// The tables of another metric, or of some turns.
    Steps(Arc<MetricTables>),
    /// A coset table.
    Proofs(Arc<OptimalTable>),
}

impl TableSet {
    /// Opens a set in `folder`, and builds the tables that are missing or unusable. A set without files is computed. Cancelling
    /// `control` ends it early; its observer gets the events.
    ///
    /// # Examples
    /// ```no_run
    /// use std::path::Path;
    /// use superflip_solver::tables::SetKey;
    /// use superflip_solver::{Control, Profile, TableSet};
    ///
    /// let set = TableSet::open(SetKey::of_profile(Profile::Small), Path::new("tables"), &Control::new())?;
    /// assert!(set.list().iter().any(|table| table.name == "near"));
    /// # Ok::<(), superflip_solver::tables::TableError>(())
    /// ```
    ///
    /// # Errors
    /// When the folder cannot be read or written, or the work was stopped.
    pub fn open(key: SetKey, folder: &Path, control: &Control) -> Result<Self, TableError> {
        if key.is_computed() {
            return if key.is_profile() {
                Ok(Tables::in_memory().into())
            } else {
                MetricTables::in_memory(key.steps.metric, key.steps.turns, control)
                    .map(Self::from)
                    .map_err(TableError::Cancelled)
            };
        }
        let wanted: Vec<_> = key.specs().collect();
        let opened = store::open_or_build(folder, &wanted, control)?;
        Ok(match key.role {
            Role::Proofs(size) => OptimalTable::of_file(wanted[0], size, opened).into(),
            Role::Phases(profile) if key.is_profile() => Tables::of_files(profile, opened).into(),
            Role::Phases(profile) => MetricTables::of_files(key.steps, profile, opened, &wanted).into(),
        })
    }

    /// Returns the key.
    #[must_use]
    pub fn key(&self) -> SetKey {
        match self {
            Self::Profile(tables) => SetKey::of_profile(tables.profile()),
            Self::Steps(tables) => SetKey { steps: tables.set(), role: Role::Phases(tables.profile()) },
            Self::Proofs(table) => SetKey::proofs(table.metric(), table.size()),
        }
    }

    /// Iterates over the mapped tables with their descriptions, in build order; none if they were computed.
    pub(crate) fn mapped(&self) -> impl Iterator<Item = (&'static Spec, &Table)> {
        self.key().specs().filter_map(|spec| {
            let table = match self {
                Self::Profile(tables) => tables.opened().get(spec.id),
                Self::Steps(tables) => tables.opened()?.get(spec.id),
                Self::Proofs(table) => Some(table.table()),
            };
            Some((spec, table?))
        })
    }

    /// Describes every table, in build order.
    #[must_use]
    pub fn list(&self) -> Vec<TableInfo> {
        self.mapped().map(|(spec, table)| TableInfo::new(spec, table)).collect()
    }

    /// Returns the size of the files in bytes.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.mapped().map(|(spec, _)| store::file_bytes(spec)).sum()
    }

    /// Returns the table of this name with its description.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<(TableInfo, &Table)> {
        let (spec, table) = self.mapped().find(|(spec, _)| spec.name == name)?;
        Some((TableInfo::new(spec, table), table))
    }

    /// Returns the tables of a profile, if these are.
    #[must_use]
    pub fn profile(&self) -> Option<&Arc<Tables>> {
        if let Self::Profile(tables) = self { Some(tables) } else { None }
    }

    /// Returns the tables, if they serve the two-phase search in this metric with these turns, and are not those of a profile.
    #[must_use]
    pub fn serving(&self, metric: Metric, turns: TurnSet) -> Option<&Arc<MetricTables>> {
        if let Self::Steps(tables) = self { Some(tables).filter(|tables| tables.serves(metric, turns)) } else { None }
    }

    /// Returns the coset table, if it is for proofs in this metric.
    #[must_use]
    pub fn proving(&self, metric: Metric) -> Option<&Arc<OptimalTable>> {
        if let Self::Proofs(table) = self { Some(table).filter(|table| table.metric() == metric) } else { None }
    }
}

impl From<Tables> for TableSet {
    fn from(tables: Tables) -> Self {
        Self::Profile(Arc::new(tables))
    }
}

impl From<Arc<Tables>> for TableSet {
    fn from(tables: Arc<Tables>) -> Self {
        Self::Profile(tables)
    }
}

impl From<MetricTables> for TableSet {
    fn from(tables: MetricTables) -> Self {
        Self::Steps(Arc::new(tables))
    }
}

impl From<OptimalTable> for TableSet {
    fn from(table: OptimalTable) -> Self {
        Self::Proofs(Arc::new(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use superflip_cube::Face;

    #[test]
    fn a_key_says_where_its_tables_are() {
        let key = |metric, turns| Profile::ALL.map(|profile| SetKey::phases(metric, turns, profile));
        let names = |key: SetKey| key.specs().map(|spec| spec.name).collect::<Vec<_>>();
        // Tables of some turns are computed, whatever the profile. A set and its images share them.
        let [standard, small, tiny] = key(Metric::Htm, TurnSet::without(Face::B));
        assert!(standard == small && small == tiny && tiny.is_computed() && names(tiny).is_empty());
        assert_eq!(standard, key(Metric::Htm, TurnSet::without(Face::L))[0]);
        assert_ne!(standard, key(Metric::Qtm, TurnSet::without(Face::B))[0]);
        // A metric has files with every profile.
        let [standard, small, tiny] = key(Metric::Axht, TurnSet::ALL);
        assert_eq!(names(standard), ["axht_phase_one_masked", "axht_phase_two", "axht_phase_two_corners"]);
        assert_eq!(names(small), ["axht_phase_one", "axht_phase_two", "axht_phase_two_corners"]);
        assert!(small == tiny && !tiny.is_computed());
        assert_eq!(names(SetKey::proofs(Metric::Qtm, Size::L)), ["qtm_optimal_l"]);
        assert!(names(SetKey::proofs(Metric::Stm, Size::L)).is_empty());
    }

    #[test]
    fn every_table_belongs_to_a_set() {
        let phases = |metric| Profile::ALL.map(|profile| SetKey::phases(metric, TurnSet::ALL, profile));
        let proofs = |metric| Size::ALL.map(|size| SetKey::proofs(metric, size));
        let keys = Metric::ALL.into_iter().flat_map(|metric| phases(metric).into_iter().chain(proofs(metric)));
        let known: HashSet<&str> = keys.flat_map(SetKey::specs).map(|spec| spec.name).collect();
        assert_eq!(known, specs::every().map(|spec| spec.name).collect());
        let of_metric = |name: &str| METRICS.into_iter().find(|metric| name.starts_with(metric.name()));
        for spec in specs::every() {
            assert_eq!(spec.metric, of_metric(spec.name).unwrap_or(Metric::Htm), "{}", spec.name);
        }
    }
}
