//! Many cubes on all cores, in order.
//!
//! The iterator reads cubes on the caller's thread, at most `buffersize` ahead of the answers. Threads take them from a queue, and
//! interleave several searches each. Answers wait until those before them are taken. Several threads may take answers: one at a time reads cubes.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{ThreadId, current, spawn};
use std::time::Instant;

use pyo3::exceptions::{PyException, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::{PyBytes, PyIterator, PyString};
use superflip::api::problem::{Code, Problem};
use superflip_cube::forms::{Buffers, Read};
use superflip_cube::{Cube, FormError};
use superflip_solver::search::Interleaved;
use superflip_solver::{Control, Solution, SolveError, Solver};

use crate::cube::CubeArgument;
use crate::exception;
use crate::solver::{Options, PySolution};
use crate::{SIGNAL_INTERVAL, check_signals};

/// Searches that are interleaved on each thread.
const IN_FLIGHT: usize = 8;
/// Cubes for each thread that are read ahead unless the caller says otherwise. While one search takes long, the others go on with them.
const AHEAD: usize = 1024;
/// Cubes between two checks for signals while they are read. An iterable that is not written in Python does not check.
const SIGNALS_AFTER: u64 = 1024;

/// A cube that waits for a thread.
enum Job {
    Cube(Cube),
    Text(String),
}

/// Why a cube has no solution.
enum Refusal {
    /// The item is neither a cube nor a text: a `TypeError`; or a text that is none, an `InvalidInput`.
    Item(PyErr),
    Form(FormError),
    Search(SolveError),
}

type Answer = Result<Solution, Refusal>;

/// What the threads share.
struct Shared {
    queue: Mutex<Queue>,
    /// Wakes threads that have no cube.
    work: Condvar,
    /// Wakes a thread that waits for the next answer.
    next: Condvar,
    control: Control,
    options: Options,
    /// The process that has the threads.
    process: u32,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<(u64, Job)>,
    /// Whether no further cubes come.
    is_closed: bool,
    /// The answers from the next one on; `None` while a cube is searched.
    answers: VecDeque<Option<Answer>>,
    /// Number of the first of `answers`.
    first: u64,
    /// Number of threads that run.
    threads: usize,
    /// Number of threads that wait for a cube.
    idle: usize,
}

impl Shared {
    /// Returns an error in a fork, which has none of the threads, and where their locks may be taken for ever.
    fn check_process(&self) -> PyResult<()> {
        let reason = "the answers belong to the process that called `solve_many`; call it in this process";
        if self.process == std::process::id() { Ok(()) } else { Err(PyRuntimeError::new_err(reason)) }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next cube. Waits for one if `may_wait`. Returns `None` if there is none, or none will come.
    fn take(&self, may_wait: bool) -> Option<(u64, Job)> {
        let mut queue = self.queue();
        loop {
            if self.control.is_cancelled() {
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            if !may_wait || queue.is_closed {
                return None;
            }
            queue.idle += 1;
            queue = self.work.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
        }
    }

    fn answer(&self, number: u64, answer: Answer) {
        let mut queue = self.queue();
        let at = usize::try_from(number - queue.first).unwrap_or(usize::MAX);
        if let Some(place) = queue.answers.get_mut(at) {
            *place = Some(answer);
        }
        drop(queue);
        if at == 0 {
            self.next.notify_one();
        }
    }

    /// Solves cubes until no further ones come.
    fn run(&self, solver: &Solver) {
        let mut running = Interleaved::default();
        loop {
            while running.len() < IN_FLIGHT {
                let Some((number, job)) = self.take(running.is_empty()) else { break };
                let read = match job {
                    Job::Cube(cube) => Ok(cube),
                    Job::Text(text) => Read::of(&text, None, Buffers::default()).map(|read| read.cube),
                };
                match read {
                    Ok(cube) => {
                        let mut search = solver.search(&cube, &self.options.goal);
                        if let Some(deadline) =
                            self.options.time_limit.and_then(|limit| Instant::now().checked_add(limit))
                        {
                            search = search.until(deadline);
                        }
                        running.push(number, search.controlled_by(&self.control));
                    }
                    Err(error) => self.answer(number, Err(Refusal::Form(error))),
                }
            }
            if running.is_empty() {
                return;
            }
            running.advance(|number, answer, _| self.answer(number, answer.map_err(Refusal::Search)));
        }
    }
}

/// Counts a thread that runs, also if it panics.
struct Running(Arc<Shared>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.queue().threads -= 1;
        self.0.next.notify_all();
    }
}

/// The cubes that are not read yet. One thread at a time reads them.
struct Reader {
    /// `None` after the last cube.
    cubes: Option<Py<PyIterator>>,
    /// An error of the iterator, which is raised after the answers to the cubes before it.
    failed: Option<PyErr>,
    /// The solver, until the threads have it.
    solver: Option<Solver>,
    /// Number of cubes that were read.
    read: u64,
}

impl Reader {
    /// Starts the threads at the first call.
    fn start(&mut self, shared: &Arc<Shared>, threads: usize) {
        let Some(solver) = self.solver.take() else { return };
        for _ in 0..threads {
            shared.queue().threads += 1;
            let (solver, running) = (solver.clone(), Running(Arc::clone(shared)));
            spawn(move || running.0.run(&solver));
        }
    }

    /// Reads cubes until enough of them wait for an answer. Returns an error that is no failure of the iterable, such as a `KeyboardInterrupt`.
    fn fill(&mut self, py: Python<'_>, shared: &Shared, buffersize: usize) -> PyResult<()> {
        while let Some(cubes) = &self.cubes {
            let mut queue = shared.queue();
            if queue.is_closed {
                drop(queue);
                self.cubes = None;
                return Ok(());
            }
            if queue.answers.len() >= buffersize {
                return Ok(());
            }
            drop(queue);
            if self.read.is_multiple_of(SIGNALS_AFTER) {
                py.check_signals()?;
            }
            let job = match cubes.bind(py).clone().next() {
                None => Ok(None),
                Some(Err(error)) if !error.is_instance_of::<PyException>(py) => return Err(error),
                Some(cube) => cube.map(|cube| Some(job(&cube))),
            };
            shared.check_process()?;
            queue = shared.queue();
            if queue.is_closed {
                // Python code may run when the job is dropped, and it may wait for the queue.
                drop(queue);
                drop(job);
                continue;
            }
            match job {
                Ok(Some(job)) => {
                    match job {
                        Ok(job) => {
                            queue.jobs.push_back((self.read, job));
                            queue.answers.push_back(None);
                        }
                        Err(refusal) => queue.answers.push_back(Some(Err(refusal))),
                    }
                    self.read += 1;
                    if queue.idle > 0 {
                        shared.work.notify_one();
                    }
                }
                ended => {
                    queue.is_closed = true;
                    drop(queue);
                    shared.work.notify_all();
                    self.failed = ended.err();
                    self.cubes = None;
                }
            }
        }
        Ok(())
    }
}

/// Iterator over the answers of `Solver.solve_many`, in the order of the cubes. Threads may share it: each answer goes to one of them.
#[pyclass(name = "Solutions", module = "superflip._native", frozen)]
pub(crate) struct PySolutions {
    reader: Mutex<Reader>,
    /// The thread whose turn with the reader it is. The iterable's code runs on it, and may not wait for the reader.
    reading: Mutex<Option<ThreadId>>,
    /// Wakes a thread that waits for its turn.
    turn: Condvar,
    shared: Arc<Shared>,
    threads: usize,
    buffersize: usize,
}

impl PySolutions {
    pub(crate) fn new(
        solver: Solver,
        threads: usize,
        cubes: &Bound<'_, PyAny>,
        options: Options,
        buffersize: Option<usize>,
    ) -> PyResult<Self> {
        let shared = Shared {
            queue: Mutex::default(),
            work: Condvar::new(),
            next: Condvar::new(),
            control: Control::new(),
            options,
            process: std::process::id(),
        };
        let cubes = Some(iterator(cubes)?.unbind());
        Ok(Self {
            reader: Mutex::new(Reader { cubes, failed: None, solver: Some(solver), read: 0 }),
            reading: Mutex::default(),
            turn: Condvar::new(),
            shared: Arc::new(shared),
            threads,
            buffersize: buffersize.unwrap_or(AHEAD * threads),
        })
    }

    /// Waits until no other thread reads cubes.
    fn reader(&self, py: Python<'_>) -> PyResult<Turn<'_>> {
        while !self.takes_turn()? {
            py.detach(|| {
                let reading = self.reading();
                if reading.is_some() {
                    drop(self.turn.wait_timeout(reading, SIGNAL_INTERVAL));
                }
            });
            py.check_signals().inspect_err(|_| self.stop())?;
        }
        let end = TurnEnd(self);
        let reader = self.reader.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        Ok(Turn { reader, _end: end })
    }

    /// Returns whether it is now the turn of this thread.
    fn takes_turn(&self) -> PyResult<bool> {
        let mut reading = self.reading();
        match *reading {
            None => {
                *reading = Some(current().id());
                Ok(true)
            }
            Some(thread) if thread == current().id() => {
                let reason = "`cubes` takes an answer of the call that reads it; take answers outside of the iterable";
                Err(PyRuntimeError::new_err(reason))
            }
            Some(_) => Ok(false),
        }
    }

    fn reading(&self) -> MutexGuard<'_, Option<ThreadId>> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads cubes until enough of them wait for an answer. Returns whether more may come.
    fn fill(&self, py: Python<'_>) -> PyResult<bool> {
        self.shared.check_process()?;
        let mut turn = self.reader(py)?;
        let reader = &mut *turn.reader;
        reader.start(&self.shared, self.threads);
        let filled = reader.fill(py, &self.shared, self.buffersize).map(|()| reader.cubes.is_some());
        drop(turn);
        filled.inspect_err(|_| self.stop())
    }

    /// Waits for the next answer, without the lock of the interpreter. Returns `None` if no cube waits for one.
    fn wait(shared: &Shared) -> PyResult<Option<Answer>> {
        let mut queue = shared.queue();
        let mut checked = Instant::now();
        loop {
            match queue.answers.front_mut() {
                None => return Ok(None),
                Some(answer) => {
                    if let Some(answer) = answer.take() {
                        queue.answers.pop_front();
                        queue.first += 1;
                        if !matches!(queue.answers.front(), Some(None)) {
                            // Another thread that waits takes the next answer, or reads cubes.
                            shared.next.notify_one();
                        }
                        return Ok(Some(answer));
                    }
                }
            }
            if queue.threads == 0 {
                return Err(PyRuntimeError::new_err("the threads of the search ended early"));
            }
            let waited = shared.next.wait_timeout(queue, SIGNAL_INTERVAL);
            (queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if checked.elapsed() >= SIGNAL_INTERVAL {
                drop(queue);
                check_signals()?;
                checked = Instant::now();
                queue = shared.queue();
            }
        }
    }

    fn stop(&self) {
        if self.shared.check_process().is_err() {
            return;
        }
        self.shared.control.cancel();
        let mut queue = self.shared.queue();
        queue.is_closed = true;
        queue.jobs.clear();
        let answers = std::mem::take(&mut queue.answers);
        drop(queue);
        drop(answers);
        self.shared.work.notify_all();
        self.shared.next.notify_all();
        // A thread that reads cubes drops them itself.
        let cubes = self.reader.try_lock().map(|mut reader| (reader.cubes.take(), reader.failed.take()));
        drop(cubes);
    }
}

impl Drop for PySolutions {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The reader, for the thread whose turn it is.
struct Turn<'a> {
    reader: MutexGuard<'a, Reader>,
    /// Dropped after the reader.
    _end: TurnEnd<'a>,
}

/// Ends a turn, also if the thread panics.
struct TurnEnd<'a>(&'a PySolutions);

impl Drop for TurnEnd<'_> {
    fn drop(&mut self) {
        *self.0.reading() = None;
        self.0.turn.notify_one();
    }
}

/// Returns what a thread needs of an item.
fn job(item: &Bound<'_, PyAny>) -> Result<Job, Refusal> {
    match item.extract() {
        Ok(CubeArgument::Cube(cube)) => Ok(Job::Cube(cube.0)),
        Ok(CubeArgument::Text(text)) => Ok(Job::Text(text)),
        Err(error) => Err(Refusal::Item(error)),
    }
}

/// Returns an iterator over cubes. A text is refused, because its items are characters.
fn iterator<'py>(cubes: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    let is_text = cubes.is_instance_of::<PyString>() || cubes.is_instance_of::<PyBytes>();
    let class = cubes.get_type();
    if is_text || !(class.hasattr("__iter__")? || class.hasattr("__getitem__")?) {
        return Err(PyTypeError::new_err(format!(
            "`cubes` must be an iterable of cubes, such as a list, not {}; `solve` takes one cube",
            class.name()?
        )));
    }
    cubes.try_iter()
}

#[pymethods]
impl PySolutions {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let answer = loop {
            let has_more = self.fill(py)?;
            match py.detach(|| Self::wait(&self.shared)) {
                Ok(Some(answer)) => break answer,
                // Other threads have taken the answers.
                Ok(None) if has_more => {}
                Ok(None) => return self.reader(py)?.reader.failed.take().map_or(Ok(None), Err),
                Err(error) => {
                    self.stop();
                    return Err(error);
                }
            }
        };
        let problem: Problem = match answer {
            Ok(solution) => return Ok(Some(Py::new(py, PySolution(solution))?.into_any())),
            Err(Refusal::Item(error)) if error.is_instance_of::<PyValueError>(py) => {
                return Ok(Some(error.into_value(py).into_any()));
            }
            Err(Refusal::Item(error)) => {
                Problem::new(Code::UnreadableCube, format!("The item cannot be used: {}.", error.value(py)))
            }
            Err(Refusal::Form(error)) => error.into(),
            Err(Refusal::Search(error)) => error.into(),
        };
        Ok(Some(exception(py, problem).into_value(py).into_any()))
    }

    /// Ends all searches.
    fn close(&self) {
        self.stop();
    }

    /// Shows the iterable to Python's cycle collector, unless a thread reads cubes.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.reader.try_lock() {
            Ok(reader) => visit.call(&reader.cubes),
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        self.stop();
    }
}
