//! The solver threads of a worker.

use superflip::api::types::JobOptions;
use superflip::cli::batch_lines::TextLines;
use superflip::cli::{Failure, load};
use superflip::service::config::Config;
use superflip::service::pool::Priority;
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::{Control, SetKey, Size, Solver, TableSet};
use tokio::sync::{Mutex, Semaphore, oneshot};

use crate::chunks::{Chunk, MAX_ANSWERS_BYTES};
use crate::solve::solve;
use crate::work::packed::Packed;

/// Tables, and permits for threads.
pub(super) struct Solvers {
    config: Config,
    /// The tables of the profile.
    solver: Solver,
    /// Size of the table for proofs.
    size: Size,
    /// The sets that jobs have asked for.
    sets: Mutex<Vec<TableSet>>,
    threads: Semaphore,
    in_flight: usize,
}

/// How the attempt to solve a chunk ended.
pub(super) enum Attempt {
    /// Solved: the file with the answers.
    Answered(Packed),
    /// Cancelled before its end.
    Stopped,
    /// The answers have more than [`MAX_ANSWERS_BYTES`].
    TooLarge,
    Failed(String),
}

impl Solvers {
    pub(super) fn new(config: Config, solver: Solver, size: Option<Size>, threads: usize, in_flight: usize) -> Self {
        let (size, threads) = (size.unwrap_or(Size::S), Semaphore::new(threads));
        Self { config, solver, size, sets: Mutex::default(), threads, in_flight }
    }

    /// Solves a chunk on a thread of its own, as soon as one is free.
    pub(super) async fn solve(
        &self,
        options: &JobOptions,
        chunk: Chunk,
        control: &Control,
    ) -> Result<Attempt, Failure> {
        let metric = options.limits.metric.map_or(Metric::Htm, Metric::from);
        let phases = SetKey::phases(metric, TurnSet::ALL, self.config.tables.profile);
        let proofs = options.proofs.is_optimal().then(|| SetKey::proofs(Metric::Htm, self.size));
        let sets = self.sets(std::iter::once(phases).chain(proofs)).await?;
        let Ok(_thread) = self.threads.acquire().await else { return Ok(Attempt::Stopped) };
        if control.is_cancelled() {
            return Ok(Attempt::Stopped);
        }
        let solver = self.solver.clone().with(sets);
        let lines = TextLines::new(options.clone().into(), self.config.clone());
        let options = options.clone();
        let (control, in_flight, (sender, answer)) = (control.clone(), self.in_flight, oneshot::channel());
        std::thread::spawn(move || {
            Priority::Idle.apply();
            let attempt = match solve(chunk.text, chunk.first_line, lines, &solver, in_flight, &control) {
                Ok(None) => Attempt::Stopped,
                Ok(Some(answers)) if answers.len() as u64 > MAX_ANSWERS_BYTES => Attempt::TooLarge,
                Ok(Some(answers)) => {
                    let packed = Packed::new(&answers, &options);
                    packed.map_or_else(|error| Attempt::Failed(error.to_string()), Attempt::Answered)
                }
                Err(problem) => Attempt::Failed(problem.document().detail.clone()),
            };
            // The receiver is gone only when the process ends.
            let _ = sender.send(attempt);
        });
        Ok(match answer.await {
            Ok(attempt) => attempt,
            Err(_) => Attempt::Failed("the solver thread panicked; the log of the worker has the message".to_owned()),
        })
    }

    /// Returns all sets so far with these, which the first job that asks for them loads. Those of the profile are loaded.
    async fn sets(&self, keys: impl Iterator<Item = SetKey>) -> Result<Vec<TableSet>, Failure> {
        let mut sets = self.sets.lock().await;
        for key in keys.filter(|key| !key.is_profile()) {
            if sets.iter().all(|set| set.key() != key) {
                let config = self.config.clone();
                let loaded = tokio::task::spawn_blocking(move || load(&config, key, &Control::new()));
                sets.push(loaded.await.map_err(Failure::runtime)??);
            }
        }
        Ok(sets.clone())
    }
}
