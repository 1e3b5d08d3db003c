//! Threads that search, each several cubes at a time.

use std::sync::Arc;
use std::thread::Scope;
use std::time::Duration;

use serde::Serialize;

use super::desk::{Answer, Desk, Guard, Verdict, Work};
use super::lines::{complain, json_line, no_table};
use crate::api::request::options::Task;
use crate::api::types::SolveResponse;
use crate::cube::join;
use crate::search::many::{Next, Queue, QueuedCube};
use crate::search::{Options, Outcome, Proof, SearchError, solve_many};
use crate::tables::Tables;
use crate::tables::optimal::OptimalTable;

/// The threads, and how they work.
pub(crate) struct Crew {
    /// How many.
    pub(crate) threads: usize,
    /// Searches of each that take turns.
    pub(crate) in_flight: usize,
    /// Whether answers are JSON.
    pub(crate) json: bool,
    /// For the cubes whose answers are to be proven.
    pub(crate) optimal: Option<Arc<OptimalTable>>,
}

impl Crew {
    /// Starts them.
    pub(crate) fn start<'s>(&self, scope: &'s Scope<'s, '_>, tables: &'s Tables, desk: &'s Desk) {
        let Self { in_flight, json, .. } = *self;
        for _ in 0..self.threads {
            let optimal = self.optimal.clone();
            scope.spawn(move || {
                let _guard = Guard(desk);
                let mut worker = Worker { desk, json, optimal, open: Vec::new() };
                solve_many(tables, in_flight, &mut worker, desk.stop_flag());
            });
        }
    }
}

/// One of them, with the cubes that it is at.
struct Worker<'d> {
    desk: &'d Desk,
    json: bool,
    optimal: Option<Arc<OptimalTable>>,
    /// Ticket, line and task of each cube.
    open: Vec<(u64, u64, Task)>,
}

impl Queue for Worker<'_> {
    fn next(&mut self, wait: bool) -> Next {
        let open = match self.desk.take(wait) {
            Work::Cube(open) => open,
            Work::Later => return Next::Later,
            Work::End => return Next::End,
        };
        let task = open.task;
        // The threads are busy with other cubes.
        let options = Options { threads: 1, ..task.options() };
        let proof = task.optimal.then(|| self.optimal.clone().map_or(Proof::Near, Proof::Table));
        let job =
            QueuedCube { ticket: open.ticket, cube: task.cube, options, time_limit: Some(task.time_limit), proof };
        self.open.push((open.ticket, open.line, task));
        Next::Cube(Box::new(job))
    }

    fn done(&mut self, ticket: u64, answer: Result<Outcome, SearchError>) {
        let Some(at) = self.open.iter().position(|(open, ..)| *open == ticket) else { return };
        let (_, line, task) = self.open.swap_remove(at);
        let answer = match answer {
            Ok(outcome) => solved(line, &task, &outcome, self.json),
            // Everything is about to end.
            Err(SearchError::Cancelled { .. }) => return,
            Err(SearchError::Unproven { lower_bound, .. }) => {
                complain(line, &no_table(lower_bound), Verdict::Unsolved, self.json)
            }
            Err(error) => complain(line, &error.into(), Verdict::Unsolved, self.json),
        };
        self.desk.answer(ticket, answer);
    }
}

fn solved(line: u64, task: &Task, outcome: &Outcome, json: bool) -> Answer {
    #[derive(Serialize)]
    struct Solved {
        line: u64,
        #[serde(flatten)]
        answer: SolveResponse,
    }
    let text = if json {
        json_line(&Solved { line, answer: task.answer(outcome, Duration::ZERO) })
    } else {
        join(&outcome.moves) + "\n"
    };
    Answer { text, complaint: None, verdict: Verdict::Solved }
}
