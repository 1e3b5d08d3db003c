//! This engine as one of the engines, in this process.

use std::path::{Path, PathBuf};
use std::time::Instant;

use superflip_cube::metric::Metric;
use superflip_cube::{Moves, TurnSet};
use superflip_solver::search::Interleaved;
use superflip_solver::{Goal, Profile, Solver};

use crate::{Answer, Ask, Engine, PATIENCE, Position, Running};

/// Opens the tables of a profile and of these turns.
pub(crate) fn solver(name: &str, turns: TurnSet) -> Solver {
    let profile =
        Profile::ALL.into_iter().find(|profile| profile.name() == name).expect("a profile: standard or small");
    Solver::builder().folder(folder()).profile(profile).turns(Metric::Htm, turns).open().expect("tables")
}

/// Folder of the tables, kept between runs.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables")
}

/// This engine with the tables of one profile.
pub(crate) struct Ours<'t> {
    solver: &'t Solver,
    turns: TurnSet,
    in_flight: usize,
}

impl<'t> Ours<'t> {
    /// Returns it as an engine.
    pub(crate) fn boxed(solver: &'t Solver, turns: TurnSet, in_flight: usize) -> Box<dyn Engine + 't> {
        Box::new(Self { solver, turns, in_flight })
    }
}

impl Engine for Ours<'_> {
    fn name(&self) -> String {
        format!("superflip {}", self.solver.tables().profile().name())
    }

    fn start<'e>(&'e self, ask: Ask, threads: usize) -> Option<Box<dyn Running + 'e>> {
        // The small tables are slow to 19 moves.
        let is_measured = self.solver.tables().profile() == Profile::Standard
            || matches!(ask, Ask::AtMost(20 | 21))
            || !self.turns.is_all();
        is_measured.then(|| Box::new(OurSearch { engine: self, ask, threads }) as Box<dyn Running + 'e>)
    }
}

struct OurSearch<'e> {
    engine: &'e Ours<'e>,
    ask: Ask,
    threads: usize,
}

impl Running for OurSearch<'_> {
    fn solve(&mut self, positions: &[Position]) -> Vec<Answer> {
        if self.ask == Ask::Many {
            return self.many(positions);
        }
        let answers = positions.iter().map(|position| {
            let start = Instant::now();
            let (target_length, limit) = match self.ask {
                Ask::AtMost(length) => (length, PATIENCE),
                Ask::Within(limit) => (0, limit),
                Ask::Many => (20, PATIENCE),
            };
            let goal = Goal::default().target_length(target_length).turns(self.engine.turns).threads(self.threads);
            let search = self.engine.solver.search(&position.cube, &goal).until(start + limit);
            let outcome = search.finish().expect("a solution");
            let moves = Some(outcome.moves).filter(|moves| moves.len() <= self.ask.at_most());
            Answer { time: start.elapsed(), moves: moves.map(Vec::from) }
        });
        answers.collect()
    }
}

impl OurSearch<'_> {
    fn many(&self, positions: &[Position]) -> Vec<Answer> {
        let start = Instant::now();
        let (mut waiting, mut running) = (positions.iter().enumerate(), Interleaved::default());
        let mut answers = vec![None; positions.len()];
        while !running.is_empty() || waiting.len() > 0 {
            while running.len() < self.engine.in_flight
                && let Some((number, position)) = waiting.next()
            {
                running.push(number, self.engine.solver.search(&position.cube, &Goal::default()));
            }
            running.advance(|number: usize, answer, _| answers[number] = Some(answer.expect("a solution").moves));
        }
        let time = start.elapsed().div_f64(f64::from(u32::try_from(positions.len()).expect("fewer cubes")));
        answers.into_iter().map(|moves: Option<Moves>| Answer { time, moves: moves.map(Vec::from) }).collect()
    }
}
