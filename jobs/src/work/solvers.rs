//! The solver threads of a worker.

use std::sync::Arc;

use superflip::cli::batch_lines::TextLines;
use superflip::cli::{Failure, load_metric, load_optimal};
use superflip::service::config::Config;
use superflip::service::pool::Priority;
use superflip_cube::metric::Metric;
use superflip_solver::tables::optimal::Size;
use superflip_solver::{Control, MetricTables, OptimalTable, Solver, Tables};
use tokio::sync::{Mutex, OnceCell, Semaphore, oneshot};

use crate::chunks::{Chunk, MAX_ANSWERS_BYTES};
use crate::job::JobOptions;
use crate::solve::solve;
use crate::work::packed::Packed;

/// Tables, and permits for threads.
pub(super) struct Solvers {
    config: Config,
    tables: Arc<Tables>,
    /// Size of the table for proofs.
    size: Size,
    optimal: OnceCell<Arc<OptimalTable>>,
    /// Tables of the metrics that jobs have asked for.
    metrics: Mutex<Vec<Arc<MetricTables>>>,
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
    pub(super) fn new(config: Config, tables: Tables, size: Option<Size>, threads: usize, in_flight: usize) -> Self {
        let (tables, threads) = (Arc::new(tables), Semaphore::new(threads));
        let (optimal, metrics) = (OnceCell::new(), Mutex::default());
        Self { config, tables, size: size.unwrap_or(Size::S), optimal, metrics, threads, in_flight }
    }

    /// Solves a chunk on a thread of its own, as soon as one is free.
    pub(super) async fn solve(
        &self,
        options: &JobOptions,
        chunk: Chunk,
        control: &Control,
    ) -> Result<Attempt, Failure> {
        let optimal = if options.optimal { Some(self.optimal().await?) } else { self.optimal.get().cloned() };
        let metrics = self.metrics(options.metric.map_or(Metric::Htm, Metric::from)).await?;
        let Ok(_thread) = self.threads.acquire().await else { return Ok(Attempt::Stopped) };
        if control.is_cancelled() {
            return Ok(Attempt::Stopped);
        }
        let solver = Solver::new(Arc::clone(&self.tables), optimal).with_metrics(metrics);
        let lines = TextLines::new(options.request(), self.config.clone());
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

    /// Returns the table for proofs, which the first such job loads.
    async fn optimal(&self) -> Result<Arc<OptimalTable>, Failure> {
        let load = || async {
            let (config, size) = (self.config.clone(), self.size);
            let loaded = tokio::task::spawn_blocking(move || load_optimal(&config, size, &Control::new()));
            loaded.await.map_err(Failure::runtime)?
        };
        self.optimal.get_or_try_init(load).await.cloned()
    }

    /// Returns the tables of all metrics so far, with those of `metric`, which its first job loads.
    async fn metrics(&self, metric: Metric) -> Result<Vec<Arc<MetricTables>>, Failure> {
        let mut loaded = self.metrics.lock().await;
        if metric != Metric::Htm && loaded.iter().all(|tables| tables.metric() != metric) {
            let config = self.config.clone();
            let load = move || load_metric(&config, config.tables.profile, metric, &Control::new());
            loaded.extend(tokio::task::spawn_blocking(load).await.map_err(Failure::runtime)??);
        }
        Ok(loaded.clone())
    }
}
