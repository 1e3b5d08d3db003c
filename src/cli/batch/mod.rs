//! `superflip solve --batch`: a cube a line in, a solution a line out.
//!
//! One thread reads (`lines`), some search (`workers`), this one writes. Between them is the `desk`, which keeps the order and the
//! memory: input of any length is answered while it is read.

mod desk;
mod lines;
mod workers;

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, IsTerminal, Write, stderr, stdin, stdout};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::args::Solve;
use super::solve::{lift_caps, optimal_table, request};
use super::{Failure, configure, interruptible, load, log_for_people, refuse};
use crate::api::request::options::Task;
use crate::search::Stop;
use crate::service::telemetry;
use crate::tables::Tables;
use desk::{Answer, Desk, Verdict};
use lines::Lines;

/// Searches of a thread that take turns, unless told otherwise.
pub const IN_FLIGHT: u16 = 8;

/// Solves every cube of the file; `-` is standard input.
///
/// # Errors
/// Options that make no sense, a file or tables that cannot be had; in the end, when some line had no answer.
pub fn run(args: &Solve, path: &Path) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    if args.all_solutions && !args.json {
        return Err(Failure::Input("all solutions of many cubes would run into each other: add --json".into()));
    }
    // The options alone, which hold for every line; any cube will do.
    let options = request(args, "U");
    Task::new(options.clone(), &config).map_err(|problem| refuse(args.json, &problem, 2))?;
    let lines = Lines { input: open(path)?, options, config: config.clone(), json: args.json };

    let desk = Arc::new(Desk::new(Stop::default()));
    let crew = workers::Crew {
        threads: args.threads.map_or_else(|| config.search.threads(), usize::from),
        in_flight: usize::from(args.in_flight),
        json: args.json,
        optimal: None,
    };
    let at_work = Arc::clone(&desk);
    let args = args.clone();
    let work = move || {
        let size = optimal_table(&args, &config);
        let (tables, optimal) = load::with_optimal(&config, size, at_work.stop_flag().flag())?;
        solve_all(&tables, &at_work, lines, &workers::Crew { optimal, ..crew })
    };
    interruptible(move || desk.stop(), work)
}

fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(stdin())));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        Err(error) => Err(Failure::Input(format!("cannot read {}: {error}", path.display()))),
    }
}

fn solve_all(tables: &Tables, desk: &Arc<Desk>, lines: Lines, crew: &workers::Crew) -> Result<(), Failure> {
    // Nobody waits for this thread: it may be reading from somebody who has nothing more to say and does not hang up.
    let reading = Arc::clone(desk);
    std::thread::spawn(move || lines.read(&reading));
    let mut tally = Tally::default();
    let written = std::thread::scope(|scope| {
        crew.start(scope, tables, desk);
        let written = write(desk, &mut tally);
        desk.stop_unless_done();
        written
    });
    match written {
        // A reader that has gone has what it wanted.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
        Err(error) => return Err(Failure::runtime(error)),
        Ok(()) => {}
    }
    if let Some(error) = desk.read_error() {
        return Err(Failure::Runtime(format!("the input cannot be read to its end: {error}")));
    }
    tally.result(desk.stop_flag().is_stopped())
}

/// Writes answers in the order of their lines until there are no more.
fn write(desk: &Desk, tally: &mut Tally) -> std::io::Result<()> {
    let bar = bar();
    let mut out = stdout().lock();
    let mut text = String::new();
    loop {
        let answers = desk.ready();
        if answers.is_empty() {
            break;
        }
        text.clear();
        for answer in answers {
            tally.add(&answer);
            text += &answer.text;
            if let Some(complaint) = answer.complaint {
                // Standard error may be closed; the exit code tells it as well.
                telemetry::bars().suspend(|| drop(writeln!(stderr(), "superflip: {complaint}")));
            }
        }
        out.write_all(text.as_bytes())?;
        out.flush()?;
        if let Some(bar) = &bar {
            bar.set_position(tally.lines());
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(())
}

/// How far it is, for people who do not see the answers go by.
fn bar() -> Option<ProgressBar> {
    let is_wanted = stderr().is_terminal() && !stdout().is_terminal();
    is_wanted.then(|| {
        let bar = telemetry::bars().add(ProgressBar::no_length());
        let style = ProgressStyle::with_template("{spinner} {human_pos} cubes  {per_sec}  {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    })
}

/// How many lines came to what.
#[derive(Default)]
struct Tally {
    solved: u64,
    unsolved: u64,
    refused: u64,
}

impl Tally {
    fn add(&mut self, answer: &Answer) {
        *match answer.verdict {
            Verdict::Solved => &mut self.solved,
            Verdict::Unsolved => &mut self.unsolved,
            Verdict::Refused => &mut self.refused,
        } += 1;
    }

    fn lines(&self) -> u64 {
        self.solved + self.unsolved + self.refused
    }

    /// What the exit code tells.
    fn result(&self, is_stopped: bool) -> Result<(), Failure> {
        let Self { solved, unsolved, refused } = self;
        match (is_stopped, unsolved, refused) {
            (true, ..) => Err(Failure::Runtime(format!("stopped; lines answered: {}", self.lines()))),
            (_, 0, 0) => Ok(()),
            (_, _, 0) => Err(Failure::Runtime(format!("{unsolved} of {} cubes were not solved", solved + unsolved))),
            _ => Err(Failure::Input(format!("{refused} of {} lines hold no cube", self.lines()))),
        }
    }
}
