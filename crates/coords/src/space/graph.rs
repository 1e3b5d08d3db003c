//! A coordinate as a graph: values, moves, distances, classes, cubes.

use std::sync::{Arc, Mutex, OnceLock, Weak};

use super::catalogue::Construction;
use super::cube_values;
use super::cube_values::ClassOf;
use super::error::SpaceError;
use super::expression::Plan;
use super::memory::Array;
use super::product::{Histograms, Product, maneuver_to_solved};
use super::reduction::classes::{Membership, SpaceClasses};
use super::reduction::group;
use super::reduction::reduced::Reduced;
use superflip_cube::{Cube, Move, Symmetry};
use superflip_solver::coord::Descriptor;
use superflip_solver::tables::Tables;

/// A state: the raw values of the two parts, on which moves act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpaceState {
    /// Raw value of the first part.
    pub base: u32,
    /// Raw value of the second part; 0 if there is none.
    pub rest: u32,
}

pub(crate) enum Representation {
    /// Too many values for tables; everything is computed on a cube.
    Untabled(&'static Descriptor),
    /// Raw values, with their classes if the coordinate has a group in the catalogue.
    Raw { base: Product, classes: Option<SpaceClasses> },
    /// Classes; packed values also hold the symmetry.
    Sym { base: Product, classes: SpaceClasses, packed: bool, entry_histogram: Vec<u64> },
    /// Classes of the first part, and the second part conjugated by the same symmetry.
    SymComp { base: Product, classes: SpaceClasses, rest: Product, distances: Box<Reduced> },
}

/// Data shared by all downloads of a space.
#[derive(Default)]
pub(crate) struct BulkCache {
    pub(crate) page: OnceLock<Vec<u8>>,
    pub(crate) distances: Mutex<Weak<Array<u8>>>,
}

/// A coordinate with its graph. See the [module documentation](super).
pub struct Space {
    pub(crate) plan: Plan,
    pub(crate) form: Arc<Representation>,
    /// Tables, if the distances come from a mapped table.
    pub(crate) tables: Option<Arc<Tables>>,
    pub(crate) bulk: Arc<BulkCache>,
}

impl Space {
    pub(crate) fn built(plan: Plan, form: Representation) -> Self {
        Self { plan, form: Arc::new(form), tables: None, bulk: Arc::default() }
    }

    /// Returns whether the distances come from a mapped table.
    pub fn reads_tables(&self) -> bool {
        matches!(&*self.form, Representation::SymComp { distances, .. } if distances.distances().is_none())
    }

    /// Returns the same space with these tables attached. Pass `None` before caching it, so that the cache keeps no
    /// table mapped.
    #[must_use]
    pub fn reading(&self, tables: Option<Arc<Tables>>) -> Self {
        let form = Arc::clone(&self.form);
        let bulk = Arc::clone(&self.bulk);
        Self { plan: self.plan.clone(), form, tables: tables.filter(|_| self.reads_tables()), bulk }
    }

    /// Returns the plan of the space.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns how the coordinate is composed.
    pub fn kind(&self) -> Construction {
        kind(&self.plan)
    }

    /// Returns the number of values. Values are 0..size; some do not occur for any cube.
    pub fn size(&self) -> u64 {
        match &*self.form {
            Representation::Untabled(coordinate) => u64::from(coordinate.size),
            Representation::Raw { base, .. } => u64::from(base.size()),
            Representation::Sym { classes, packed: false, .. } => u64::from(classes.len()),
            Representation::Sym { classes, packed: true, .. } => {
                u64::from(classes.len()) * classes.group.order() as u64
            }
            Representation::SymComp { distances, .. } => distances.size(),
        }
    }

    /// Returns the number of classes of the first part, or of the values if there is one part only.
    pub fn classes(&self) -> Option<u32> {
        self.reduction().map(SpaceClasses::len)
    }

    /// Returns the number of raw values, without reduction.
    pub fn raw_size(&self) -> u64 {
        self.plan.base_size() * self.plan.rest_size()
    }

    /// Returns the memory used in bytes.
    pub fn bytes(&self) -> u64 {
        match &*self.form {
            Representation::Untabled(_) => 0,
            Representation::Raw { base, classes } => base.bytes() + classes.as_ref().map_or(0, SpaceClasses::bytes),
            Representation::Sym { base, classes, .. } => base.bytes() + classes.bytes(),
            Representation::SymComp { base, classes, rest, distances } => {
                base.bytes() + classes.bytes() + rest.bytes() + distances.bytes()
            }
        }
    }

    /// Returns the moves after which the coordinate has a value: all 18, or the ten of phase 2.
    pub fn moves(&self) -> &'static [Move] {
        self.plan.moves()
    }

    /// Returns the number of states at each distance, or `None` if there are too many to count. In a reduced space,
    /// each entry is weighted by the size of its class, so that states before reduction are counted.
    pub fn histograms(&self) -> Option<Histograms> {
        match &*self.form {
            Representation::Untabled(_) => None,
            Representation::Raw { base, .. } | Representation::Sym { base, .. } => Some(base.histograms().clone()),
            Representation::SymComp { distances, .. } => {
                let htm = distances.histograms(self.tables.as_deref())?.states;
                Some(Histograms { htm, qtm: None, phase_two: None })
            }
        }
    }

    /// Returns the number of states at each distance in moves: see [`Space::histograms`].
    pub fn depth_histogram(&self) -> Option<Vec<u64>> {
        self.histograms().map(|histograms| histograms.htm)
    }

    /// Returns the number of entries at each distance, as stored. An entry is a class of a sym-coordinate, or a class
    /// and a column of a reduced space.
    pub fn entry_histogram(&self) -> Option<Vec<u64>> {
        match &*self.form {
            Representation::Untabled(_) => None,
            Representation::Raw { base, .. } => Some(base.histograms().htm.clone()),
            Representation::Sym { entry_histogram, .. } => Some(entry_histogram.clone()),
            Representation::SymComp { distances, .. } => Some(distances.histograms(self.tables.as_deref())?.entries),
        }
    }

    pub(crate) fn reduction(&self) -> Option<&SpaceClasses> {
        match &*self.form {
            Representation::Untabled(_) => None,
            Representation::Raw { classes, .. } => classes.as_ref(),
            Representation::Sym { classes, .. } | Representation::SymComp { classes, .. } => Some(classes),
        }
    }

    /// Returns the state of a cube, or `None` if it has no value.
    pub fn state_of_cube(&self, cube: &Cube) -> Option<SpaceState> {
        match &*self.form {
            Representation::Untabled(coordinate) => (coordinate.index)(cube).map(|base| SpaceState { base, rest: 0 }),
            Representation::Raw { base, .. } | Representation::Sym { base, .. } => {
                base.index(cube).map(|base| SpaceState { base, rest: 0 })
            }
            Representation::SymComp { base, rest, .. } => {
                Some(SpaceState { base: base.index(cube)?, rest: rest.index(cube)? })
            }
        }
    }

    /// Returns the state of a value, or `None` if no cube has the value or it is out of range.
    pub fn state(&self, value: u64) -> Option<SpaceState> {
        if value >= self.size() {
            return None;
        }
        let raw = |base, rest| SpaceState { base, rest };
        let narrow = |value: u64| u32::try_from(value).ok();
        match &*self.form {
            Representation::Untabled(_) => Some(raw(narrow(value)?, 0)),
            Representation::Raw { base, .. } => {
                Some(narrow(value)?).filter(|value| base.occurs(*value)).map(|value| raw(value, 0))
            }
            Representation::Sym { classes, packed: false, .. } => {
                classes.representative(value).map(|base| raw(base, 0))
            }
            Representation::Sym { base, classes, packed: true, .. } => {
                let order = classes.group.order() as u64;
                let member = Membership { class: narrow(value / order)?, place: narrow(value % order)? };
                Some(raw(classes.raw(base, member), 0))
            }
            Representation::SymComp { classes, distances, .. } => {
                let columns = u64::from(distances.columns().count());
                let state = raw(classes.representative(value / columns)?, narrow(value % columns)?);
                distances.occurs(value).then_some(state)
            }
        }
    }

    /// Returns the value of a state.
    pub fn value(&self, state: SpaceState) -> u64 {
        match &*self.form {
            Representation::Untabled(_) | Representation::Raw { .. } => u64::from(state.base),
            Representation::Sym { base, classes, packed, .. } => {
                let member = classes.of(base, state.base);
                let order = classes.group.order() as u64;
                if *packed {
                    order * u64::from(member.class) + u64::from(member.place)
                } else {
                    u64::from(member.class)
                }
            }
            Representation::SymComp { base, classes, distances, .. } => {
                let member = classes.of(base, state.base);
                let columns = distances.columns();
                let column = columns.conjugate(state.rest, member.place);
                u64::from(member.class) * u64::from(columns.count()) + u64::from(column)
            }
        }
    }

    /// Returns the state after a move, or `None` if the coordinate has no value after it.
    pub fn after(&self, state: SpaceState, mv: Move) -> Option<SpaceState> {
        match &*self.form {
            Representation::Untabled(coordinate) => {
                let cube = (coordinate.representative)(state.base).then(mv.cube());
                (coordinate.index)(&cube).map(|base| SpaceState { base, rest: 0 })
            }
            Representation::Raw { base, .. } | Representation::Sym { base, .. } => {
                base.after(state.base, mv).map(|base| SpaceState { base, rest: 0 })
            }
            Representation::SymComp { base, rest, .. } => {
                Some(SpaceState { base: base.after(state.base, mv)?, rest: rest.after(state.rest, mv)? })
            }
        }
    }

    /// Returns the number of moves from a state to solved, or `None` if no table holds it.
    pub fn distance(&self, state: SpaceState) -> Option<u32> {
        match &*self.form {
            Representation::Untabled(_) => None,
            Representation::Raw { base, .. } | Representation::Sym { base, .. } => base.distance(state.base),
            Representation::SymComp { distances, .. } => distances.distance(self.tables.as_deref(), self.value(state)),
        }
    }

    /// Returns an optimal maneuver from a state to solved, or `None` if no table holds the distances.
    pub fn to_solved(&self, state: SpaceState) -> Option<Vec<Move>> {
        match &*self.form {
            Representation::Raw { base, .. } | Representation::Sym { base, .. } => base.to_solved(state.base),
            Representation::Untabled(_) | Representation::SymComp { .. } => {
                maneuver_to_solved(state, self.moves(), |state, mv| self.after(state, mv), |state| self.distance(state))
            }
        }
    }

    /// Returns a cube in this state.
    pub fn cube(&self, state: SpaceState) -> Cube {
        if let (Some(entry), true) = (self.plan.entry, self.plan.rest.is_empty()) {
            return (entry.descriptor.representative)(state.base);
        }
        let maneuver = self.to_solved(state).unwrap_or_default();
        Cube::SOLVED.after(&superflip_cube::Moves::from(&maneuver).inverse())
    }

    /// Returns the class of a state under the group of the space, or `None` if it has none.
    pub fn class_of(&self, state: SpaceState) -> Option<ClassOf> {
        if let Representation::Untabled(coordinate) = &*self.form {
            let group = self.plan.entry.and_then(|entry| group::named(entry.group))?;
            return Some(cube_values::class_by_images(coordinate, &(coordinate.representative)(state.base), group));
        }
        let (base, classes) = match &*self.form {
            Representation::Raw { base, classes: Some(classes) }
            | Representation::Sym { base, classes, .. }
            | Representation::SymComp { base, classes, .. } => (base, classes),
            Representation::Untabled(_) | Representation::Raw { classes: None, .. } => return None,
        };
        let member = classes.of(base, state.base);
        let representative = classes.representatives[member.class as usize];
        let self_symmetries = classes.self_symmetries(base, state.base);
        Some(ClassOf {
            group: classes.group.name,
            class: Some(member.class),
            symmetry: classes.group.symmetries[member.place as usize],
            representative,
            orbit: classes.group.order() / self_symmetries.len().max(1),
            self_symmetries,
            representative_self_symmetries: classes.self_symmetries(base, representative),
        })
    }

    /// Returns which of the symmetries act on the raw values of each part.
    pub fn acting(&self, symmetries: &[Symmetry]) -> Vec<Symmetry> {
        let (first, second) = match &*self.form {
            Representation::Untabled(coordinate) => (group::acting_cached(coordinate), None),
            Representation::Raw { base, .. } | Representation::Sym { base, .. } => (base.acting(), None),
            Representation::SymComp { base, rest, .. } => (base.acting(), Some(rest.acting())),
        };
        let acts = |s: &Symmetry| first.contains(s) && second.is_none_or(|second| second.contains(s));
        symmetries.iter().copied().filter(acts).collect()
    }

    /// Returns the state conjugated by a symmetry, `s * x * s^-1`.
    ///
    /// # Errors
    /// When the symmetry does not act on the values.
    pub fn transform(&self, state: SpaceState, s: Symmetry) -> Result<SpaceState, SpaceError> {
        let does_not_act = || SpaceError::DoesNotAct {
            group: None,
            part: self.plan.label.clone(),
            symmetry: s.index(),
            description: group::describe(s),
        };
        if !self.acting(&[s]).contains(&s) {
            return Err(does_not_act());
        }
        self.state_of_cube(&s.conjugate(&self.cube(state))).ok_or_else(does_not_act)
    }
}

/// Returns how a coordinate is composed.
pub fn kind(plan: &Plan) -> Construction {
    match plan.entry {
        Some(entry) => entry.kind,
        None if !plan.rest.is_empty() => Construction::SymComposite,
        None if plan.group.is_some() => Construction::Sym,
        None => Construction::Composite,
    }
}
