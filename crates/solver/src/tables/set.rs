//! Sets of tables: their keys, the one way to open them, and the tables of a profile, which give the two-phase coordinates of a cube.

use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use crate::control::Control;
use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, FLIP, FLIP_SLICE, SLICE, SLICE_SORTED, TWIST, U_EDGES, UD_EDGES};
use crate::symmetry::{Classes, SymCoordinate, joint_representatives};
use crate::tables::catalogue::spec::{Profile, Spec, TableInfo};
use crate::tables::catalogue::specs;
use crate::tables::error::TableError;
use crate::tables::file::table::{Id, Opened, Table};
use crate::tables::file::{folder, store};
use crate::tables::metric::steps::{METRICS, StepSet};
use crate::tables::metric::table::MetricTables;
use crate::tables::optimal::Size;
use crate::tables::optimal::table::OptimalTable;
use crate::tables::pruning::near::{self, NearSet};
use crate::tables::pruning::phase_one::PhaseOne;
use crate::tables::pruning::phase_two::PhaseTwo;
use crate::tables::tiny::inside::InsideTables;
use crate::tables::tiny::pairs::Pairs;
use superflip_cube::metric::Metric;
use superflip_cube::{Axis, Cube, Symmetry, TurnSet};

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

    /// Returns the key of the tables of a profile, for HTM with all turns.
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
        self.specs().map(folder::file_bytes).sum()
    }

    /// Returns whether every file exists. Their contents are checked when they are opened.
    #[must_use]
    pub fn is_in(self, folder: &Path) -> bool {
        self.specs().all(|spec| folder::is_there(folder, spec))
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
            Role::Proofs(size) => Self::Proofs(Arc::new(OptimalTable::of_file(wanted[0], size, opened))),
            Role::Phases(profile) if key.is_profile() => Tables::of_files(profile, opened).into(),
            Role::Phases(profile) => MetricTables::of_files(key.steps, profile, opened).into(),
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
        self.mapped().map(|(spec, _)| folder::file_bytes(spec)).sum()
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

    /// Returns the tables, if they serve the two-phase search in this metric with these turns, and are not the tables of a profile.
    #[must_use]
    pub fn serving(&self, metric: Metric, turns: TurnSet) -> Option<&Arc<MetricTables>> {
        if let Self::Steps(tables) = self {
            Some(tables).filter(|tables| tables.set() == StepSet::framed(metric, turns))
        } else {
            None
        }
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

/// The tables of the profile `tiny`: four megabytes, computed in memory, so that a search can begin at once. They fit into the last-level
/// cache of most processors, so the search rarely waits for memory.
pub(crate) struct Tiny {
    /// Phase 1: for each pair of twist, flip and slice, the change of the distance to G1 under each move.
    pub(crate) pairs: Pairs,
    /// Phase 2: corners or edges, with the order of the slice edges; corners with the slots of the S edges; edges with the slots
    /// of the U corners.
    pub(crate) inside: InsideTables,
    /// Near search: words of the set of the positions at most four moves from solved.
    pub(crate) near: Vec<u32>,
}

impl Tiny {
    /// Computes the tables, which takes 20 to 40 ms.
    fn new() -> Self {
        let (pairs, (inside, near)) = rayon::join(Pairs::new, || (InsideTables::new(), near::build(TINY_RADIUS).0));
        Self { pairs, inside, near }
    }
}

/// Radius of the near set of `tiny` in moves.
const TINY_RADIUS: u8 = 4;

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
    /// Opens the tables in `folder`, and builds those that are missing or unusable, as [`TableSet::open`](crate::tables::TableSet::open) does.
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
            Some(tiny) => NearSet { words: &tiny.near, radius: TINY_RADIUS, half_turn: 1 },
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

/// Raw value and its class under the 16 symmetries that keep the axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymValue {
    /// Raw value.
    pub raw: u32,
    /// Number of the class.
    pub class: u32,
    /// Symmetry S, 0 to 15, for which S x S^-1 is the representative.
    pub symmetry: u32,
    /// Raw value of the representative.
    pub representative: u32,
}

/// Two-phase coordinates along one axis, of the cube or of its inverse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectionCoordinates {
    /// Axis that takes the role of UD.
    pub axis: Axis,
    /// Whether these are the coordinates of the inverse cube.
    pub inverse: bool,
    /// Corner orientation, 0 to 2186.
    pub twist: u32,
    /// Edge orientation, 0 to 2047.
    pub flip: u32,
    /// Set of slots that hold the four edges of the middle layer, 0 to 494.
    pub slice: u32,
    /// Slots and order of these edges, 0 to 11879.
    pub slice_sorted: u32,
    /// Corner permutation, 0 to 40319.
    pub corner_perm: u32,
    /// Slots and order of the edges of the first face of the axis, 0 to 11879.
    pub u_edges: u32,
    /// Slots and order of the edges of the other face, 0 to 11879.
    pub d_edges: u32,
    /// Permutation of the eight edges outside the middle layer, 0 to 40319; null outside phase 2.
    pub ud_edges: Option<u32>,
    /// `2048 * slice + flip` with its class, 0 to 64429.
    pub flip_slice: SymValue,
    /// `corner_perm` with its class, 0 to 2767.
    pub corner_class: SymValue,
    /// Exact number of moves to phase 2 along this axis.
    pub phase_one_distance: u32,
    /// Lower bound on the number of phase 2 moves to solved; null outside phase 2.
    pub phase_two_bound: Option<u32>,
    /// Reason why the values of phase 2 are null; null if they are not.
    pub phase_two_reason: Option<String>,
}

/// Conjugates the cube by the diagonal symmetry until `axis` lies along UD.
pub(crate) fn along(axis: Axis, cube: &Cube) -> Cube {
    (0..axis.index()).fold(*cube, |cube, _| Symmetry::DIAGONAL.conjugate(&cube))
}

impl Tables {
    /// Returns the coordinates of the cube for the three axes, then the coordinates of its inverse.
    pub fn inspect(&self, cube: &Cube) -> [DirectionCoordinates; 6] {
        std::array::from_fn(|i| {
            let inverse = i >= Axis::COUNT;
            let axis = Axis::ALL[i % Axis::COUNT];
            let seen = if inverse { cube.inverse() } else { *cube };
            self.inspect_direction(axis, inverse, &along(axis, &seen))
        })
    }

    fn inspect_direction(&self, axis: Axis, inverse: bool, cube: &Cube) -> DirectionCoordinates {
        // Only `ud_edges` has no value on some cubes; it is computed separately below.
        let value = |coordinate: &Descriptor| (coordinate.index)(cube).unwrap_or_default();
        let flip_slice = sym_value(value(&FLIP_SLICE), self.flip_slice_classes());
        let corner = sym_value(value(&CORNER_PERM), self.corner_classes());
        let (twist, flip, slice, slice_sorted) = (value(&TWIST), value(&FLIP), value(&SLICE), value(&SLICE_SORTED));
        let in_g1 = (twist, flip, slice) == (0, 0, 0);
        let ud_edges = if in_g1 { (UD_EDGES.index)(cube) } else { None };
        let phase_two_bound = ud_edges.and_then(|edges| {
            let [corners, edges, slice] = [corner.raw, edges, slice_sorted].map(u16::try_from);
            Some(u32::from(match self.by_profile() {
                ByProfile::Mapped { phase_two, .. } => phase_two.bound(corners.ok()?, edges.ok()?, slice.ok()?),
                ByProfile::Tiny(tiny) => tiny.inside.bound(cube),
            }))
        });
        let phase_one_distance = u32::from(match self.by_profile() {
            ByProfile::Mapped { phase_one, opened, .. } => {
                let column = (twist * 16 + flip_slice.symmetry) as usize;
                phase_one.distance(flip_slice.class, opened.u16s(Id::TwistConjugate)[column])
            }
            ByProfile::Tiny(tiny) => tiny.pairs.exact_distance(cube),
        });
        let phase_two_reason = ud_edges.is_none().then(|| {
            let side = if inverse { "inverse cube" } else { "cube" };
            format!(
                "the {side} along {axis} is not in phase 2: twist {twist}, flip {flip} and slice {slice} are not all 0; \
                 moves to it: {phase_one_distance}"
            )
        });
        DirectionCoordinates {
            axis,
            inverse,
            twist,
            flip,
            slice,
            slice_sorted,
            corner_perm: corner.raw,
            u_edges: value(&U_EDGES),
            d_edges: value(&D_EDGES),
            ud_edges,
            flip_slice,
            corner_class: corner,
            phase_one_distance,
            phase_two_bound,
            phase_two_reason,
        }
    }
}

fn sym_value(raw: u32, (of_raw, representatives): (&[u32], &[u32])) -> SymValue {
    let packed = SymCoordinate::unpack(of_raw[raw as usize]);
    let representative = representatives[packed.class as usize];
    SymValue { raw, class: packed.class, symmetry: u32::from(packed.symmetry), representative }
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
