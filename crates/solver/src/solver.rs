//! The solver: tables, and the searches that use them.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;

use crate::control::{Control, Observer};
use crate::search::{Goal, Interleaved, Search, Solution, SolveError};
use crate::tables::{MetricTables, OptimalTable, Profile, SetKey, Size, TableError, TableEvent, TableSet, Tables};
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, TurnSet};

/// Number of searches of [`SolveAll`] that run at a time.
const IN_FLIGHT: usize = 8;
/// Greatest number of cubes that [`SolveAll`] has taken and not returned.
const WINDOW: usize = 64;

/// Tables and the searches that use them. Clones share the tables.
///
/// # Examples
/// ```
/// use superflip_solver::{Goal, Solver};
///
/// let solver = Solver::open_default()?;
/// let solution = solver.solve(&"R2 U' F L2 D B'".parse()?, &Goal::within(20))?;
/// println!("{solution}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solver {
    tables: Arc<Tables>,
    /// Sets for other metrics, for some turns, and for proofs.
    sets: Vec<TableSet>,
}

impl Solver {
    /// Opens the largest complete set of tables in the [default folder](default_folder), and builds none. If no set is complete,
    /// it computes the tables of [`Profile::Tiny`] in memory, which takes 20 to 40 ms. For a faster solver, build tables once
    /// with the [builder](Self::builder) and a profile.
    ///
    /// # Errors
    /// When the process lacks memory or open files.
    pub fn open_default() -> Result<Self, TableError> {
        Self::builder().open()
    }

    /// Returns a builder, to choose folder, profile and table for proofs.
    #[must_use]
    pub fn builder() -> SolverBuilder {
        SolverBuilder {
            folder: None,
            profile: None,
            phases: Vec::new(),
            proofs: Vec::new(),
            control: Control::new(),
            progress: None,
        }
    }

    /// Creates a solver from the tables of a profile.
    #[must_use]
    pub fn new(tables: Arc<Tables>) -> Self {
        Self { tables, sets: Vec::new() }
    }

    /// Adds sets of tables. Those of a profile replace the former ones. Proofs in QTM need the tables of this metric too.
    #[must_use]
    pub fn with(mut self, sets: impl IntoIterator<Item = TableSet>) -> Self {
        for set in sets {
            match set {
                TableSet::Profile(tables) => self.tables = tables,
                set => self.sets.push(set),
            }
        }
        self
    }

    /// Returns the sets of tables beside the tables of the profile.
    #[must_use]
    pub fn sets(&self) -> &[TableSet] {
        &self.sets
    }

    /// Returns the tables of the profile.
    #[must_use]
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// Returns the tables of a metric and some turns, if there are any. HTM with all turns needs none beside the tables of the profile.
    #[must_use]
    pub fn serving(&self, metric: Metric, turns: TurnSet) -> Option<&Arc<MetricTables>> {
        self.sets.iter().find_map(|set| set.serving(metric, turns))
    }

    /// Returns the coset table for proofs in a metric, if there is one.
    #[must_use]
    pub fn proving(&self, metric: Metric) -> Option<&Arc<OptimalTable>> {
        self.sets.iter().find_map(|set| set.proving(metric))
    }

    /// Solves the cube on this thread. The solution has been replayed on the cube.
    ///
    /// # Errors
    /// When no solution meets the goal.
    pub fn solve(&self, cube: &Cube, goal: &Goal) -> Result<Solution, SolveError> {
        self.search(cube, goal).finish()
    }

    /// Returns a search. It does nothing until it is asked for an event or for its end.
    pub fn search(&self, cube: &Cube, goal: &Goal) -> Search<'_> {
        Search::new(&self.tables, &self.sets, cube, goal)
    }

    /// Solves cubes on this thread, in order. Up to eight searches advance in turn, so that the table reads of one are in
    /// flight while another runs.
    pub fn solve_all<C: IntoIterator<Item = Cube>>(&self, cubes: C, goal: &Goal) -> SolveAll<'_, C::IntoIter> {
        SolveAll::new(self, cubes.into_iter(), goal.clone())
    }
}

/// Iterator over cubes and their solutions; see [`Solver::solve_all`].
pub struct SolveAll<'s, I> {
    solver: &'s Solver,
    cubes: I,
    goal: Goal,
    running: Interleaved<'s, usize>,
    /// The cubes that were taken and not returned, with the answers so far.
    taken: VecDeque<(Cube, Option<Result<Solution, SolveError>>)>,
    /// Number of cubes that were returned.
    returned: usize,
}

impl<'s, I> SolveAll<'s, I> {
    pub(crate) fn new(solver: &'s Solver, cubes: I, goal: Goal) -> Self {
        Self { solver, cubes, goal, running: Interleaved::default(), taken: VecDeque::new(), returned: 0 }
    }
}

impl<I: Iterator<Item = Cube>> Iterator for SolveAll<'_, I> {
    type Item = (Cube, Result<Solution, SolveError>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while self.running.len() < IN_FLIGHT && self.taken.len() < WINDOW {
                let Some(cube) = self.cubes.next() else { break };
                self.running.push(self.returned + self.taken.len(), self.solver.search(&cube, &self.goal));
                self.taken.push_back((cube, None));
            }
            let (cube, answer) = self.taken.front_mut()?;
            if let Some(answer) = answer.take() {
                let cube = *cube;
                self.taken.pop_front();
                self.returned += 1;
                return Some((cube, answer));
            }
            let (taken, returned) = (&mut self.taken, self.returned);
            self.running.advance(|number, answer, _| taken[number - returned].1 = Some(answer));
        }
    }
}

/// Returns the folder of tables in the cache folder of the user.
///
/// # Errors
/// When the user has no home folder.
pub fn default_folder() -> Result<PathBuf, TableError> {
    let strategy = etcetera::choose_base_strategy().map_err(|_| TableError::NoHome)?;
    Ok(strategy.cache_dir().join("superflip"))
}

/// Choices before a [`Solver`] opens its tables.
///
/// # Examples
/// ```no_run
/// use superflip_solver::{Profile, Solver};
///
/// let solver = Solver::builder()
///     .folder("/var/lib/superflip")
///     .profile(Profile::Standard)
///     .on_progress(|event| eprintln!("{event:?}"))
///     .open()?;
/// # Ok::<(), superflip_solver::TableError>(())
/// ```
pub struct SolverBuilder {
    folder: Option<PathBuf>,
    profile: Option<Profile>,
    phases: Vec<(Metric, TurnSet)>,
    proofs: Vec<(Metric, Size)>,
    control: Control,
    progress: Option<Box<Observer>>,
}

impl SolverBuilder {
    /// Sets the folder of the tables (default: [`default_folder`]).
    #[must_use]
    pub fn folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// Sets the tables of the two-phase search, which are built if they are missing. Without a profile, nothing is built: see
    /// [`Solver::open_default`].
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Self { profile: Some(profile), ..self }
    }

    /// Adds a coset table, for proofs of any cube.
    #[must_use]
    pub fn optimal(self, size: Size) -> Self {
        self.optimal_in(Metric::Htm, size)
    }

    /// Adds a coset table, for proofs in HTM or QTM. Proofs in QTM need the tables of this [metric](Self::metric) too.
    #[must_use]
    pub fn optimal_in(mut self, metric: Metric, size: Size) -> Self {
        self.proofs.push((metric, size));
        self
    }

    /// Adds the tables of a metric other than HTM, for goals in this metric. They are in the folder too, and built if they are
    /// missing: with [`Profile::Standard`] 0.6 to 1.2 GB, otherwise 130 MB.
    #[must_use]
    pub fn metric(self, metric: Metric) -> Self {
        self.turns(metric, TurnSet::ALL)
    }

    /// Adds the tables of a metric with some turns only, for goals with these turns. They are computed in memory, which takes some
    /// tenths of a second. [`StepSet::supports`](crate::tables::metric::StepSet::supports) says for which turns there are tables.
    #[must_use]
    pub fn turns(mut self, metric: Metric, turns: TurnSet) -> Self {
        self.phases.push((metric, turns));
        self
    }

    /// Sets the control that ends the build of tables early.
    #[must_use]
    pub fn controlled_by(self, control: &Control) -> Self {
        Self { control: control.clone(), ..self }
    }

    /// Sets the receiver of events while tables are opened and built. It is called from any thread.
    #[must_use]
    pub fn on_progress(self, progress: impl Fn(&TableEvent<'_>) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Box::new(progress)), ..self }
    }

    /// Opens the tables. With a profile, it builds those that are missing or unusable.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or the control ended the work.
    pub fn open(self) -> Result<Solver, TableError> {
        let folder = self.folder.map_or_else(default_folder, Ok);
        let control = match self.progress {
            Some(progress) => self.control.observing(progress),
            None => self.control,
        };
        let tables = match (self.profile, &folder) {
            (Some(Profile::Tiny), _) | (None, Err(_)) => Tables::in_memory(),
            (Some(profile), Ok(folder)) => Tables::open_or_build(folder, profile, &control)?,
            (None, Ok(folder)) => Tables::existing_or_tiny(folder, Profile::Standard, &control)?,
            (Some(_), Err(_)) => return Err(TableError::NoHome),
        };
        let phases = self.phases.iter().map(|&(metric, turns)| SetKey::phases(metric, turns, tables.profile()));
        let proofs = self.proofs.iter().map(|&(metric, size)| SetKey::proofs(metric, size));
        let mut keys: Vec<SetKey> = Vec::new();
        for key in phases.chain(proofs) {
            if !key.is_profile() && !keys.contains(&key) {
                keys.push(key);
            }
        }
        let open = |key: SetKey| match &folder {
            Err(_) if !key.is_computed() => Err(TableError::NoHome),
            folder => TableSet::open(key, folder.as_deref().unwrap_or(Path::new("")), &control),
        };
        let sets: Vec<_> = keys.into_iter().map(open).collect::<Result<_, _>>()?;
        Ok(Solver::new(Arc::new(tables)).with(sets))
    }
}
