//! Keeps tables sound while the service runs: looks for damage now and then, and mends what a check found.
//!
//! ```text
//!   check, by a caller, by the clock,
//!   or after a panic --------------------wrong--> Readiness: Mending --> this one: open or build anew --> Ready
//!                                                      |                                          |
//!                                  searches with them end without an answer              cannot: Failed, the process ends
//! ```
//!
//! Tables whose bytes are not as they were written are opened again, so that a file that is sound is taken as it is and one that is
//! not is built anew. Tables that are wrong under right checksums were built wrong, and nothing of the folder is taken. Either way a
//! file is replaced by renaming, and other processes keep the one they have mapped.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::service::tables::loader::{
    LoadError, Loading, load_into, load_optimal_trusting, load_trusting, tell_optimal,
};
use crate::service::tables::progress::Progress;
use crate::service::tables::readiness::{Damage, Readiness, State};
use crate::service::telemetry::metrics::{OPTIMAL_READY, READY, TABLE_CHECKS, TABLE_MENDED};
use crate::tables::optimal::{OptimalTable, Size};
use crate::tables::{CheckControl, Effort, Profile, Stopped, Trust};

/// Which tables are kept, and how.
pub struct Keeper {
    /// Their folder.
    pub folder: PathBuf,
    /// The set of every search.
    pub profile: Profile,
    /// Where it is found.
    pub readiness: Readiness,
    /// The table for optimal answers, where there is one.
    pub optimal: Option<(Size, Readiness<OptimalTable>)>,
    /// Time from one look for damage to the next; `None`: none is made without a cause.
    pub every: Option<Duration>,
    /// Is told of each job that panics, which those with damaged tables may do.
    pub panicked: Arc<Notify>,
}

/// Time from one look after a panic to the next.
const BETWEEN_SUSPICIONS: Duration = Duration::from_mins(1);

impl Keeper {
    /// Mends what is found damaged; resolves only when the tables of the profile cannot be mended. Work ends with `loading`. Neither
    /// kind of tables waits for the other, nor either for a look.
    pub async fn keep(&self, loading: &Loading) -> LoadError {
        let stop = loading.flag();
        tokio::select! {
            error = self.keep_profile(&stop) => error,
            never = self.keep_optimal(&stop) => match never {},
            never = self.look_now_and_then(&stop) => match never {},
        }
    }

    async fn keep_profile(&self, stop: &Arc<AtomicBool>) -> LoadError {
        loop {
            let damage = self.readiness.damaged().await;
            if let Err(error) = self.mend(damage, stop).await {
                return error;
            }
        }
    }

    async fn keep_optimal(&self, stop: &Arc<AtomicBool>) -> Infallible {
        let Some((size, readiness)) = &self.optimal else { return std::future::pending().await };
        loop {
            let damage = readiness.damaged().await;
            // Whoever asks for a proof is told why there is none.
            let _ = self.mend_optimal(*size, readiness, damage, stop).await;
        }
    }

    async fn look_now_and_then(&self, stop: &Arc<AtomicBool>) -> Infallible {
        let mut next_suspicion = Instant::now();
        loop {
            let clock = async {
                match self.every {
                    Some(every) => tokio::time::sleep(every).await,
                    None => std::future::pending().await,
                }
            };
            let panic = async {
                self.panicked.notified().await;
                tokio::time::sleep_until(next_suspicion).await;
            };
            tokio::select! {
                () = clock => {}
                () = panic => {
                    tracing::warn!("a job panicked; looking whether its tables are damaged");
                    next_suspicion = Instant::now() + BETWEEN_SUSPICIONS;
                }
            }
            self.check(stop).await;
        }
    }

    /// Looks at every byte of what is mapped.
    async fn check(&self, stop: &Arc<AtomicBool>) {
        if let State::Ready(tables) = self.readiness.get() {
            let (of, flag) = (Arc::clone(&tables), Arc::clone(stop));
            let found = look(move || {
                let damage = of.first_damage(&quiet(&flag))?;
                Ok(damage.map(|(table, problem)| (table.to_owned(), problem)))
            });
            heard(&self.readiness, &tables, found.await);
        }
        if let Some((size, readiness)) = &self.optimal
            && let State::Ready(table) = readiness.get()
        {
            let (of, flag, name) = (Arc::clone(&table), Arc::clone(stop), size.spec().name);
            let found = look(move || Ok(of.damage(&quiet(&flag))?.map(|problem| (name.to_owned(), problem))));
            heard(readiness, &table, found.await);
        }
    }

    async fn mend(&self, damage: Damage, stop: &Arc<AtomicBool>) -> Result<(), LoadError> {
        metrics::gauge!(READY).set(0.0);
        let (folder, profile, readiness) = (self.folder.clone(), self.profile, self.readiness.clone());
        let (flag, trust) = (Arc::clone(stop), damage.trust);
        on_a_thread(move || {
            let load = |progress: &Progress| load_trusting(trust, &folder, profile, progress, &flag);
            load_into(&readiness, Some(damage), "no tables", load, |_| {})
        })
        .await?;
        metrics::gauge!(READY).set(1.0);
        metrics::counter!(TABLE_MENDED).increment(1);
        Ok(())
    }

    async fn mend_optimal(
        &self,
        size: Size,
        readiness: &Readiness<OptimalTable>,
        damage: Damage,
        stop: &Arc<AtomicBool>,
    ) -> Result<(), LoadError> {
        metrics::gauge!(OPTIMAL_READY).set(0.0);
        let (folder, readiness, flag, trust) = (self.folder.clone(), readiness.clone(), Arc::clone(stop), damage.trust);
        on_a_thread(move || {
            let load = |progress: &Progress| load_optimal_trusting(trust, &folder, size, progress, &flag);
            load_into(&readiness, Some(damage), "no table for optimal answers", load, tell_optimal)
        })
        .await?;
        tell_optimal(1000);
        metrics::gauge!(OPTIMAL_READY).set(1.0);
        metrics::counter!(TABLE_MENDED).increment(1);
        Ok(())
    }
}

/// Takes tables that a check found wrong out of use, and says so. Searches with them end without an answer.
pub fn doubt<T>(readiness: &Readiness<T>, tables: &Arc<T>, damage: Damage) {
    let Damage { table, problem, trust } = damage.clone();
    if readiness.doubt(tables, damage) {
        let remedy = match trust {
            Trust::Files => "its tables are opened again, and those whose files are damaged are built anew",
            Trust::Nothing => "it was built wrong, and its tables are all built anew",
        };
        tracing::error!(
            table,
            problem,
            remedy,
            "a table in use is wrong; there are no answers with it until that is mended"
        );
    }
}

/// What a look found, if it came to its end: the table, and what is wrong with it.
type Found = Option<(String, String)>;

fn heard<T>(readiness: &Readiness<T>, tables: &Arc<T>, found: Result<Found, Stopped>) {
    let Ok(found) = found else { return };
    count_check(found.is_none());
    if let Some((table, problem)) = found {
        doubt(readiness, tables, Damage { table, problem, trust: Trust::Files });
    }
}

/// Counts a look for damage, on whose ever behalf.
pub fn count_check(is_sound: bool) {
    metrics::counter!(TABLE_CHECKS, "outcome" => if is_sound { "sound" } else { "wrong" }).increment(1);
}

fn quiet(stop: &AtomicBool) -> CheckControl<'_> {
    CheckControl { stop, progress: &|_, _, _| (), effort: Effort::Lean }
}

/// Runs a look on one thread: it may take its time, and the cores are for searches.
async fn look(work: impl FnOnce() -> Result<Found, Stopped> + Send + 'static) -> Result<Found, Stopped> {
    let alone = move || match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(thread) => thread.install(work),
        Err(error) => {
            tracing::warn!(%error, "the tables are not checked: no thread can be had");
            Err(Stopped)
        }
    };
    tokio::task::spawn_blocking(alone).await.unwrap_or(Err(Stopped))
}

async fn on_a_thread(work: impl FnOnce() -> Result<(), LoadError> + Send + 'static) -> Result<(), LoadError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| LoadError::Panicked(error.to_string()))?
}
