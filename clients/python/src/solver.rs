//! The solver: one cube at a time on the caller's thread.

use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use superflip::api::problem::{Code, Problem};
use superflip_cube::Cube;
use superflip_solver::search::MAX_SOLUTIONS;
use superflip_solver::tables::TableInfo;
use superflip_solver::{Control, Goal, Profile, Solution, SolveError, Solver, TableError, TableEvent};

use crate::cube::{CubeArgument, PyCube, PyMoves};
use crate::exception;
use crate::many::PySolutions;
use crate::service::tiny;
use crate::{SIGNAL_INTERVAL, check_signals};

/// A solution. It was replayed on the cube.
#[pyclass(name = "Solution", module = "superflip", frozen)]
pub(crate) struct PySolution(pub(crate) Solution);

#[pymethods]
impl PySolution {
    /// The moves that solve the cube; none for a solved cube.
    #[getter]
    fn moves(&self) -> PyMoves {
        PyMoves(self.0.moves.clone())
    }

    /// Number of moves; half turns are 1.
    #[getter]
    fn length(&self) -> usize {
        self.0.len()
    }

    /// Lower bound on the number of moves of every solution.
    #[getter]
    fn lower_bound(&self) -> u8 {
        self.0.lower_bound
    }

    /// Whether no shorter solution exists.
    #[getter]
    fn is_optimal(&self) -> bool {
        self.0.is_optimal()
    }

    /// Why the search ended: `target_length`, `time_limit` or `proven_optimal`.
    #[getter]
    fn stopped_by(&self) -> &'static str {
        self.0.stopped_by.name()
    }

    /// All solutions, shortest first; more than one only if more were asked for.
    #[getter]
    fn all(&self) -> Vec<PyMoves> {
        self.0.all().map(|moves| PyMoves(moves.into())).collect()
    }

    /// Duration of the search in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.elapsed.as_secs_f64()
    }

    /// Number of nodes that the search expanded.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __str__(&self) -> String {
        self.0.moves.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Solution \"{}\", {} moves>", self.0.moves, self.0.len())
    }
}

/// Tables, and the searches that use them. Threads may share it.
#[pyclass(name = "Solver", module = "superflip._native", frozen)]
pub(crate) struct PySolver {
    solver: Solver,
    threads: usize,
}

/// Options of searches, checked.
pub(crate) struct Options {
    pub(crate) goal: Goal,
    pub(crate) time_limit: Option<Duration>,
}

/// Greatest length that a goal may name; every cube has a solution of 20 moves.
const MAX_LENGTH: u8 = 30;

/// A whole number as an argument. Each number that no `usize` holds is `usize::MAX`, which is out of every range.
pub(crate) struct Whole(usize);

impl FromPyObject<'_, '_> for Whole {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match given.extract::<usize>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => Ok(Self(usize::MAX)),
            number => number.map(Self),
        }
    }
}

/// Returns a number of moves, if a goal may name it.
fn length(name: &str, Whole(moves): Whole) -> PyResult<u8> {
    let length = u8::try_from(moves).ok().filter(|&length| length <= MAX_LENGTH);
    length.ok_or_else(|| PyValueError::new_err(format!("`{name}` must be from 0 to {MAX_LENGTH} moves")))
}

impl Options {
    fn new(target_length: Whole, max_length: Option<Whole>, time_limit: Option<f64>) -> PyResult<Self> {
        let target_length = length("target_length", target_length)?;
        let max_length = max_length.map(|most| length("max_length", most)).transpose()?;
        let time_limit = time_limit.map(|seconds| {
            if !(seconds.is_finite() && seconds > 0.0) {
                return Err(PyValueError::new_err(format!(
                    "`time_limit` must be a finite number of seconds above 0, not {seconds}; without it, there is no limit"
                )));
            }
            let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            Ok(limit.max(Duration::from_nanos(1)))
        });
        let target = max_length.map_or(target_length, |most| most.min(target_length));
        let goal = Goal::default().target_length(target).max_length(max_length);
        Ok(Self { goal, time_limit: time_limit.transpose()? })
    }
}

#[pymethods]
impl PySolver {
    /// Opens tables. Those that are missing are built.
    ///
    /// Args:
    ///     profile: `tiny` (4 MB, in memory), `small` (49 MB) or `standard` (645 MB)
    ///     folder: folder of the tables; without it, the cache folder of the user
    ///     threads: threads of `solve_many`, and of the build; without it, one per core
    ///     progress: called with the done part, 0 to 1, while tables are opened and built
    #[new]
    #[allow(clippy::needless_pass_by_value)] // Python's objects are converted
    #[pyo3(signature = (profile = "tiny", folder = None, threads = None, progress = None))]
    fn new(
        py: Python<'_>,
        profile: &str,
        folder: Option<PathBuf>,
        threads: Option<Whole>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let found = [Profile::Tiny, Profile::Small, Profile::Standard].into_iter().find(|own| own.name() == profile);
        let unknown = || PyValueError::new_err(format!("`{profile}` is no profile; expected tiny, small or standard"));
        let profile = found.ok_or_else(unknown)?;
        let threads = threads.map(|Whole(threads)| threads);
        if threads.is_some_and(|threads| !(1..=256).contains(&threads)) {
            return Err(PyValueError::new_err("`threads` must be from 1 to 256"));
        }
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
        let solver = match profile {
            Profile::Tiny => Solver::new(py.detach(tiny)),
            profile => py.detach(|| open(profile, folder, threads, progress.as_ref()))?,
        };
        Ok(Self { solver, threads })
    }

    /// Name of the profile.
    #[getter]
    fn profile(&self) -> &'static str {
        self.solver.tables().profile().name()
    }

    /// The files of the tables: name, path, rows, columns and bits of an entry. `tiny` has none.
    fn tables(&self) -> Vec<(&'static str, PathBuf, u64, u64, u32)> {
        let describe = |table: TableInfo| {
            (table.name, table.path, table.shape.rows.count(), table.shape.columns.count(), table.bits)
        };
        self.solver.tables().list().into_iter().map(describe).collect()
    }

    /// Number of threads of `solve_many`.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    #[pyo3(signature = (cube, *, target_length = Whole(20), max_length = None, time_limit = None, solutions = Whole(1), to = None))]
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // keywords in Python
    fn solve(
        &self,
        py: Python<'_>,
        cube: CubeArgument,
        target_length: Whole,
        max_length: Option<Whole>,
        time_limit: Option<f64>,
        solutions: Whole,
        to: Option<CubeArgument>,
    ) -> PyResult<PySolution> {
        let Options { mut goal, time_limit } = Options::new(target_length, max_length, time_limit)?;
        let Whole(solutions) = solutions;
        if !(1..=MAX_SOLUTIONS).contains(&solutions) {
            return Err(PyValueError::new_err(format!("`solutions` must be from 1 to {MAX_SOLUTIONS}")));
        }
        goal = goal.solutions(solutions);
        let cube = cube.read(py)?;
        if let Some(to) = to {
            goal = goal.to([to.read(py)?]);
        }
        let deadline = time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let found = py.detach(|| self.search(&cube, &goal, deadline))?;
        found.map(PySolution).map_err(|error| exception(py, error))
    }

    /// Returns a scramble to a random cube, drawn with equal probability from all cubes.
    fn scramble(&self, py: Python<'_>) -> PyResult<(PyMoves, PyCube)> {
        let cube = random_cube_of_two();
        let found = py.detach(|| self.search(&cube, &Goal::default().target_length(21), None))?;
        let solution = found.map_err(|error| exception(py, error))?;
        Ok((PyMoves(solution.moves.inverse()), PyCube(cube)))
    }

    #[pyo3(signature = (cubes, *, target_length = Whole(20), max_length = None, time_limit = None, buffersize = None))]
    fn solve_many(
        &self,
        cubes: &Bound<'_, PyAny>,
        target_length: Whole,
        max_length: Option<Whole>,
        time_limit: Option<f64>,
        buffersize: Option<Whole>,
    ) -> PyResult<PySolutions> {
        let options = Options::new(target_length, max_length, time_limit)?;
        let buffersize = buffersize.map(|Whole(cubes)| cubes);
        if buffersize.is_some_and(|cubes| isize::try_from(cubes).unwrap_or(0) < 1) {
            return Err(PyValueError::new_err(format!("`buffersize` must be from 1 to {}", isize::MAX)));
        }
        PySolutions::new(self.solver.clone(), self.threads, cubes, options, buffersize)
    }
}

/// Draws a cube that needs at least two moves, as regulation 4b3 of the World Cube Association asks for.
fn random_cube_of_two() -> Cube {
    loop {
        let cube = superflip_cube::random_cube(&mut rand::rng());
        let is_near = |mv: superflip_cube::Move| cube.after(&[mv]).is_solved();
        if !cube.is_solved() && !superflip_cube::Move::ALL.into_iter().any(is_near) {
            return cube;
        }
    }
}

impl PySolver {
    /// Searches on this thread. Runs the handlers of Python's signals meanwhile.
    fn search(&self, cube: &Cube, goal: &Goal, deadline: Option<Instant>) -> PyResult<Result<Solution, SolveError>> {
        let mut search = self.solver.search(cube, goal);
        if let Some(deadline) = deadline {
            search = search.until(deadline);
        }
        let mut checked = Instant::now();
        while !search.step(&mut |_, _| {}) {
            if checked.elapsed() >= SIGNAL_INTERVAL {
                check_signals()?;
                checked = Instant::now();
            }
        }
        Ok(search.finish())
    }
}

/// Opens or builds tables on threads of its own, so that signals and the report of progress run on this one.
fn open(profile: Profile, folder: Option<PathBuf>, threads: usize, progress: Option<&Py<PyAny>>) -> PyResult<Solver> {
    let (control, (sender, done)) = (Control::new(), sync_channel(64));
    let mut builder = Solver::builder().profile(profile).controlled_by(&control);
    if let Some(folder) = folder {
        builder = builder.folder(folder);
    }
    // A report that finds no place is left out.
    let builder = builder.on_progress(move |event: &TableEvent<'_>| {
        if let Some(done) = event.fraction() {
            let _ = sender.try_send(done);
        }
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
    let opening = std::thread::spawn(move || pool.install(|| builder.open()));
    let mut failed = None;
    loop {
        let told = match done.recv_timeout(SIGNAL_INTERVAL) {
            Ok(done) => progress.map_or(Ok(()), |tell| Python::attach(|py| tell.call1(py, (done,)).map(drop))),
            Err(RecvTimeoutError::Timeout) => check_signals(),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if let Err(error) = told {
            control.cancel();
            failed.get_or_insert(error);
        }
    }
    let opened = opening.join().map_err(|_| PyRuntimeError::new_err("the build of the tables panicked"))?;
    match (failed, opened) {
        (Some(error), _) => Err(error),
        (None, Ok(solver)) => Ok(solver),
        (None, Err(error)) => Err(Python::attach(|py| exception(py, unopened(&error)))),
    }
}

fn unopened(error: &TableError) -> Problem {
    Problem::new(Code::TablesFailed, format!("The tables cannot be opened: {error}."))
}
