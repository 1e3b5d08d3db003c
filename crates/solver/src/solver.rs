//! The solver: tables, and the searches that use them.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use etcetera::BaseStrategy;

use crate::control::{Control, Observer};
use crate::search::{Goal, Interleaved, Search, Solution, SolveError};
use crate::tables::metric::METRICS;
use crate::tables::{MetricTables, OptimalTable, Profile, Size, TableError, TableEvent, Tables};
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
    optimal: Option<Arc<OptimalTable>>,
    optimal_in_qtm: Option<Arc<OptimalTable>>,
    metrics: Vec<Arc<MetricTables>>,
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
            optimal: None,
            optimal_in_qtm: None,
            metrics: Vec::new(),
            turns: Vec::new(),
            control: Control::new(),
            progress: None,
        }
    }

    /// Creates a solver from open tables.
    #[must_use]
    pub fn new(tables: Arc<Tables>, optimal: Option<Arc<OptimalTable>>) -> Self {
        Self { tables, optimal: None, optimal_in_qtm: None, metrics: Vec::new() }.with_optimal_table(optimal)
    }

    /// Adds a coset table, for proofs in the metric of its distances. Proofs in QTM need the tables of this metric too.
    #[must_use]
    pub fn with_optimal_table(mut self, table: Option<Arc<OptimalTable>>) -> Self {
        if let Some(table) = table {
            let own = if table.size().metric() == Metric::Qtm { &mut self.optimal_in_qtm } else { &mut self.optimal };
            *own = Some(table);
        }
        self
    }

    /// Adds the tables of further metrics.
    #[must_use]
    pub fn with_metrics(self, metrics: impl IntoIterator<Item = Arc<MetricTables>>) -> Self {
        Self { metrics: self.metrics.into_iter().chain(metrics).collect(), ..self }
    }

    /// Returns the tables of further metrics.
    #[must_use]
    pub fn metrics(&self) -> &[Arc<MetricTables>] {
        &self.metrics
    }

    /// Returns the tables.
    #[must_use]
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// Returns the coset table for proofs in HTM, if there is one.
    #[must_use]
    pub fn optimal_table(&self) -> Option<&Arc<OptimalTable>> {
        self.optimal_table_in(Metric::Htm)
    }

    /// Returns the coset table for proofs in a metric, if there is one.
    #[must_use]
    pub fn optimal_table_in(&self, metric: Metric) -> Option<&Arc<OptimalTable>> {
        match metric {
            Metric::Htm => self.optimal.as_ref(),
            Metric::Qtm => self.optimal_in_qtm.as_ref(),
            Metric::Stm | Metric::Axht | Metric::Axqt | Metric::Etm => None,
        }
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
        let optimal = self.optimal_table_in(goal.metric).map(Arc::as_ref);
        Search::new(&self.tables, optimal, cube, goal).with_metrics(&self.metrics)
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
    optimal: Option<Size>,
    optimal_in_qtm: Option<Size>,
    metrics: Vec<Metric>,
    turns: Vec<(Metric, TurnSet)>,
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

    /// Adds a coset table, for proofs of any cube in the metric of its distances. Proofs in QTM need the tables of this
    /// [metric](Self::metric) too.
    #[must_use]
    pub fn optimal(self, size: Size) -> Self {
        match size.metric() {
            Metric::Qtm => Self { optimal_in_qtm: Some(size), ..self },
            _ => Self { optimal: Some(size), ..self },
        }
    }

    /// Adds the tables of a metric other than HTM, for goals in this metric. They are in the folder too, and built if they are
    /// missing: with [`Profile::Standard`] 0.6 to 1.2 GB, otherwise 130 MB.
    #[must_use]
    pub fn metric(mut self, metric: Metric) -> Self {
        if METRICS.contains(&metric) && !self.metrics.contains(&metric) {
            self.metrics.push(metric);
        }
        self
    }

    /// Adds the tables of a metric with some turns only, for goals with these turns. They are computed in memory, which takes some
    /// tenths of a second.
    #[must_use]
    pub fn turns(mut self, metric: Metric, turns: TurnSet) -> Self {
        if !turns.is_all() && !self.turns.contains(&(metric, turns)) {
            self.turns.push((metric, turns));
        }
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
        let in_folder = || folder.as_deref().map_err(|_| TableError::NoHome);
        let open_coset = |size| OptimalTable::open_or_build(in_folder()?, size, &control).map(Arc::new);
        let optimal = self.optimal.map(open_coset).transpose()?;
        let optimal_in_qtm = self.optimal_in_qtm.map(open_coset).transpose()?;
        let open = |metric| MetricTables::open_or_build(in_folder()?, metric, tables.profile(), &control).map(Arc::new);
        let metrics: Vec<_> = self.metrics.iter().copied().map(open).collect::<Result<_, TableError>>()?;
        let of_turns = |&(metric, turns)| {
            MetricTables::in_memory(metric, turns, &control).map(Arc::new).map_err(TableError::Cancelled)
        };
        let turns: Vec<_> = self.turns.iter().map(of_turns).collect::<Result<_, TableError>>()?;
        Ok(Solver::new(Arc::new(tables), optimal)
            .with_optimal_table(optimal_in_qtm)
            .with_metrics(metrics)
            .with_metrics(turns))
    }
}
