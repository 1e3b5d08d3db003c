//! `superflip solve --batch`: one cube on each line in, one solution on each line out; see [`batch`](crate::api::batch).

use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Read, Write, stderr, stdin, stdout};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{Stream, stream};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::api::batch::answers::Answers;
use crate::api::batch::lines::{Lines, Reader, connect};
use crate::api::batch::search::Searches;
use crate::api::batch::window::Window;
use crate::api::problem::{Code, Problem};
use crate::api::request::options::Task;
use crate::api::types::{BatchOrder, CubeRequest, SolveRequest};
use crate::cli::args::Solve;
use crate::cli::batch_lines::{TextLines, TextWriter};
use crate::cli::input::{MAX_INPUT_BYTES, lift_caps, optimal_table, request};
use crate::cli::{Failure, configure, interruptible, load, load_solver, log_for_people, refuse};
use crate::service::pool::Refused;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, Solver};

/// Maximum number of lines in memory, a few megabytes. Answers keep the order of the lines. When one search takes its time limit of a
/// second, the answers after it wait in memory. This many lines keep the other threads busy meanwhile.
const WINDOW: usize = 16_384;
/// Size of one read, in bytes.
const CHUNK_BYTES: usize = 64 << 10;
/// Interval between progress lines.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

/// Solves every cube of the file; `-` is standard input.
///
/// # Errors
/// Returns an error if an option is invalid, if the file or the tables are not available, or if a line has no solution.
pub(super) fn run(args: &Solve, path: &Path) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    if args.proofs.lists_all() && !args.json {
        return Err(Failure::Input("--all-solutions writes several lines per cube; with --batch add --json".into()));
    }
    // The options are the same for every line, so check them once, with any cube.
    let options = request(args, CubeRequest::default());
    let solved_cube = SolveRequest { cube: CubeRequest::of_scramble(String::new()), ..options.clone() };
    let task = Task::new(solved_cube, &config).map_err(|problem| refuse(args.json, &problem, 2))?;
    let steps = StepSet { metric: task.goal.metric, turns: task.goal.turns };
    let (input, args) = (open(path)?, args.clone());
    let (control, stopping) = (Control::new(), CancellationToken::new());
    let on_signal = (control.clone(), stopping.clone());
    let work = move || {
        let proofs = optimal_table(&args, &config);
        let solver = load_solver(&config, steps, proofs, &control)?;
        let table = proofs.map(|key| load(&config, key, &control)).transpose()?;
        let threads = SolverThreads {
            count: args.threads.threads.map_or_else(|| config.search.threads(), |count| count as usize),
            in_flight: usize::from(args.in_flight),
            solver: solver.with(table),
            control,
        };
        let lines = TextLines::new(options, config).with_column(args.column.clone());
        Handle::current().block_on(solve_all(input, lines, threads, stopping, args.json))
    };
    interruptible(
        move || {
            on_signal.0.cancel();
            on_signal.1.cancel();
        },
        work,
    )
}

fn open(path: &Path) -> Result<Box<dyn Read + Send>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(stdin()));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(Failure::Input(format!("cannot read {}: {error}", path.display()))),
    }
}

/// Writes the answers until the batch has ended.
async fn solve_all(
    input: Box<dyn Read + Send>,
    lines: TextLines,
    threads: SolverThreads,
    stopping: CancellationToken,
    json: bool,
) -> Result<(), Failure> {
    let window = Window::new(WINDOW);
    let input = Lines::new(chunks(input), usize::try_from(MAX_INPUT_BYTES).unwrap_or(usize::MAX));
    let (reader, searches, answered) = connect(input, lines, window.clone(), Duration::MAX);
    let batch = AbortOnDropHandle::new(tokio::spawn(threads.run(reader, searches, stopping.clone())));
    let writer = TextWriter::new(json);
    let mut answers = Answers::new(answered, BatchOrder::Input, window, batch, writer);
    let (mut out, mut progress) = (stdout().lock(), ProgressLine::new());
    while let Some(text) = answers.next_chunk().await {
        match out.write_all(&text).and_then(|()| out.flush()) {
            // The program that reads standard output has closed the pipe. End without an error.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written.map_err(Failure::runtime)?,
        }
        progress.report(answers.writer().lines());
    }
    answers.writer().result(stopping.is_cancelled())
}

/// Reads the input in chunks.
fn chunks(mut input: Box<dyn Read + Send>) -> impl Stream<Item = Result<Vec<u8>, Problem>> + Unpin {
    let (sender, mut receiver) = mpsc::channel(1);
    // A plain thread: at exit the runtime waits for its own blocking threads, and a read of standard input may never return.
    std::thread::spawn(move || {
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            let chunk = match input.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => Ok(buffer[..count].to_vec()),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    Err(Problem::new(Code::MalformedJson, format!("the input cannot be read to its end: {error}")))
                }
            };
            let is_last = chunk.is_err();
            if sender.blocking_send(chunk).is_err() || is_last {
                return;
            }
        }
    });
    stream::poll_fn(move |context| receiver.poll_recv(context))
}

/// The threads that search.
struct SolverThreads {
    count: usize,
    /// Number of searches that are interleaved on each thread.
    in_flight: usize,
    solver: Solver,
    control: Control,
}

impl SolverThreads {
    /// Solves every line. Dropping the future stops the searches.
    async fn run(
        self,
        reader: Reader<impl Stream<Item = Result<Vec<u8>, Problem>> + Unpin, TextLines>,
        searches: Searches<TextLines>,
        stopping: CancellationToken,
    ) -> Result<(), Problem> {
        // A thread of a pool without a cube helps with the proofs of the others.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.count).build();
        let pool =
            Arc::new(pool.map_err(|error| Problem::new(Code::Internal, format!("cannot start threads: {error}")))?);
        let mut threads = JoinSet::new();
        for _ in 0..self.count {
            let (searches, solver, control, pool) =
                (searches.clone(), self.solver.clone(), self.control.clone(), Arc::clone(&pool));
            threads.spawn_blocking(move || pool.install(|| searches.run(&solver, self.in_flight, &control)));
        }
        drop(searches);
        let reading = async {
            tokio::select! {
                biased;
                () = stopping.cancelled() => Err(Refused::ShuttingDown.into()),
                read = reader.run() => read,
            }
        };
        let solving = async {
            while let Some(ended) = threads.join_next().await {
                ended.map_err(|_| Problem::new(Code::Internal, "a solver thread panicked"))?;
            }
            Ok(())
        };
        tokio::try_join!(reading, solving).map(drop)
    }
}

impl Drop for SolverThreads {
    fn drop(&mut self) {
        self.control.cancel();
    }
}

/// Reports progress on standard error if that is a terminal and standard output is not.
struct ProgressLine {
    is_wanted: bool,
    start: Instant,
    last: Instant,
}

impl ProgressLine {
    fn new() -> Self {
        let now = Instant::now();
        Self { is_wanted: stderr().is_terminal() && !stdout().is_terminal(), start: now, last: now }
    }

    fn report(&mut self, lines: u64) {
        if self.is_wanted && self.last.elapsed() >= PROGRESS_INTERVAL {
            self.last = Instant::now();
            let seconds = self.start.elapsed().as_secs().max(1);
            let _ = writeln!(stderr(), "superflip: {lines} cubes, {} per second", lines / seconds);
        }
    }
}
