//! Starts threads of normal priority, whatever the priority of the thread that asks for them.
//!
//! A thread inherits the priority of the thread that starts it, and Linux lets no thread raise its own without `CAP_SYS_NICE`. So one thread,
//! which the main thread starts, starts the others.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::{Builder, sleep};
use std::time::Duration;

type Work = Box<dyn FnOnce() + Send>;

/// The queue of the starting thread.
static STARTER: LazyLock<io::Result<Sender<(String, Work)>>> = LazyLock::new(|| {
    let (sender, receiver) = channel();
    Builder::new().name("starter".to_owned()).spawn(move || start_all(&receiver)).map(|_| sender)
});

/// Starts the starting thread, with the priority of this one.
pub(crate) fn init() {
    if let Err(error) = &*STARTER {
        tracing::warn!(%error, "cannot start the thread that starts others");
    }
}

/// Runs `work` on a new thread with the priority of the thread that called [`init`] first.
pub(crate) fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let asked = (name.to_owned(), Box::new(work) as Work);
    // It ends with the process only.
    let _ = STARTER.as_ref().map(|starter| starter.send(asked));
}

fn start_all(asked: &Receiver<(String, Work)>) {
    /// Time until the next attempt after the system refused to start a thread.
    const RETRY: Duration = Duration::from_millis(100);
    for (name, work) in asked {
        let work = Arc::new(Mutex::new(Some(work)));
        let start = || {
            let work = Arc::clone(&work);
            let run = move || {
                let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(work) = work {
                    work();
                }
            };
            Builder::new().name(name.clone()).spawn(run)
        };
        while let Err(error) = start() {
            tracing::warn!(%error, name, "cannot start a thread");
            sleep(RETRY);
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use crate::service::pool::Priority;

    /// The scheduling policy of the calling thread, which is 0 for the normal one: field 41 of its line in `/proc`.
    fn policy() -> String {
        let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        line.rsplit_once(") ").unwrap().1.split(' ').nth(41 - 3).unwrap().to_owned()
    }

    #[test]
    fn an_idle_thread_has_threads_of_normal_priority_started() {
        init();
        let (sender, policies) = channel();
        let idle = std::thread::spawn(move || {
            Priority::Idle.apply();
            let own = policy();
            start_thread("test", move || sender.send((own, policy())).unwrap());
        });
        idle.join().unwrap();
        assert_eq!(policies.recv(), Ok(("5".to_owned(), policy())));
    }
}
