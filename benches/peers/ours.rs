//! This engine as one of the engines, in this process.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use superflip_solver::search::many::{Next, Queue, QueuedCube};
use superflip_solver::search::{Options, Outcome, SearchError, Stop, solve, solve_many};
use superflip_solver::tables::{Profile, Quiet, Tables};

use crate::{Answer, Ask, Engine, PATIENCE, Position, Running};

/// Opens the tables of a profile.
pub(crate) fn tables(name: &str) -> Tables {
    let profile =
        Profile::ALL.into_iter().find(|profile| profile.name() == name).expect("a profile: standard or small");
    Tables::open_or_build(&folder(), profile, &Quiet, &AtomicBool::new(false)).expect("tables")
}

/// Folder of the tables, kept between runs.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables")
}

/// This engine with the tables of one profile.
pub(crate) struct Ours<'t> {
    tables: &'t Tables,
    in_flight: usize,
}

impl<'t> Ours<'t> {
    /// Returns it as an engine.
    pub(crate) fn boxed(tables: &'t Tables, in_flight: usize) -> Box<dyn Engine + 't> {
        Box::new(Self { tables, in_flight })
    }
}

impl Engine for Ours<'_> {
    fn name(&self) -> String {
        format!("superflip {}", self.tables.profile().name())
    }

    fn start<'e>(&'e self, ask: Ask, threads: usize) -> Option<Box<dyn Running + 'e>> {
        // The small tables are slow to 19 turns.
        let is_measured = self.tables.profile() == Profile::Standard || matches!(ask, Ask::AtMost(20 | 21));
        is_measured.then(|| Box::new(Asked { engine: self, ask, threads }) as Box<dyn Running + 'e>)
    }
}

struct Asked<'e> {
    engine: &'e Ours<'e>,
    ask: Ask,
    threads: usize,
}

impl Running for Asked<'_> {
    fn solve(&mut self, positions: &[Position]) -> Vec<Answer> {
        if self.ask == Ask::Many {
            return self.many(positions);
        }
        let answers = positions.iter().map(|position| {
            let start = Instant::now();
            let (target_length, limit) = match self.ask {
                Ask::AtMost(turns) => (turns, PATIENCE),
                Ask::Within(limit) => (0, limit),
                Ask::Many => (20, PATIENCE),
            };
            let deadline = Some(start + limit);
            let options = Options { target_length, deadline, threads: self.threads, ..Options::default() };
            let outcome = solve(self.engine.tables, &position.cube, &options, &Stop::default()).expect("a solution");
            let moves = Some(outcome.moves).filter(|moves| moves.len() <= self.ask.at_most());
            Answer { time: start.elapsed(), moves }
        });
        answers.collect()
    }
}

impl Asked<'_> {
    fn many(&self, positions: &[Position]) -> Vec<Answer> {
        let mut feed = Feed { positions, next: 0, answers: positions.iter().map(|_| None).collect() };
        let start = Instant::now();
        solve_many(self.engine.tables, self.engine.in_flight, &mut feed, &Stop::default());
        let time = start.elapsed().div_f64(f64::from(u32::try_from(positions.len()).expect("fewer cubes")));
        feed.answers.into_iter().map(|outcome| Answer { time, moves: outcome.map(|found| found.moves) }).collect()
    }
}

/// All cubes and the answers so far.
struct Feed<'p> {
    positions: &'p [Position],
    next: usize,
    answers: Vec<Option<Outcome>>,
}

impl Queue for Feed<'_> {
    fn next(&mut self, _wait: bool) -> Next {
        let Some(position) = self.positions.get(self.next) else { return Next::End };
        self.next += 1;
        Next::Cube(Box::new(QueuedCube {
            ticket: self.next as u64 - 1,
            cube: position.cube,
            options: Options::default(),
            time_limit: None::<Duration>,
            proof: None,
        }))
    }

    fn done(&mut self, ticket: u64, answer: Result<Outcome, SearchError>, _: Duration) {
        self.answers[ticket as usize] = Some(answer.expect("a solution"));
    }
}
