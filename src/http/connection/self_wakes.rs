//! Polls a connection again at once when it wakes itself.
//!
//! hyper wakes the task of a connection from within its own poll, twice for each request with a body: when the handler asks for the body, and when
//! the body arrives. tokio then queues the task again and wakes another worker thread, which takes the task to another core. A waker of the connection
//! sees these wakes, so that the task stays on its thread. While several requests are in progress, the other threads are awake, and the queue of tokio
//! shares the work among them.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// Maximum number of polls at once. The other tasks of the thread come next.
const POLLS: usize = 4;

/// The wakes of one connection.
#[derive(Default)]
struct Wakes {
    task: AtomicWaker,
    is_polled: AtomicBool,
    is_woken: AtomicBool,
}

/// Runs `future`. Polls it again at once when it was woken during its poll and `may_stay` returns true.
pub(super) async fn poll_again<F: Future>(future: F, may_stay: impl Fn() -> bool) -> F::Output {
    let mut future = pin!(future);
    let wakes = Arc::<Wakes>::default();
    let waker = Waker::from(Arc::clone(&wakes));
    poll_fn(|context| {
        wakes.task.register(context.waker());
        for _ in 0..POLLS {
            let polled = wakes.poll(future.as_mut(), &waker);
            if polled.is_ready() || !wakes.is_woken.load(SeqCst) {
                return polled;
            }
            if !may_stay() {
                break;
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await
}

impl Wakes {
    fn poll<F: Future>(&self, future: Pin<&mut F>, waker: &Waker) -> Poll<F::Output> {
        self.is_woken.store(false, SeqCst);
        self.is_polled.store(true, SeqCst);
        let polled = future.poll(&mut Context::from_waker(waker));
        // A wake after this store wakes the task. The caller sees a wake before it.
        self.is_polled.store(false, SeqCst);
        polled
    }
}

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_woken.store(true, SeqCst);
        if !self.is_polled.load(SeqCst) {
            self.task.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// Counts the wakes of a task.
    #[derive(Default)]
    struct TaskWakes(AtomicUsize);

    impl Wake for TaskWakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, SeqCst);
        }
    }

    /// Polls once a future that is pending `pending` times and wakes itself each time, and may stay on its thread or not. Returns the result, the
    /// number of polls of the future, and the number of wakes of its task.
    fn polled_once(pending: usize, may_stay: bool) -> (Poll<()>, usize, usize) {
        let (task, mut polls) = (Arc::<TaskWakes>::default(), 0);
        let future = poll_fn(|context| {
            polls += 1;
            if polls > pending {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        });
        let waker = Waker::from(Arc::clone(&task));
        let polled = pin!(poll_again(future, || may_stay)).poll(&mut Context::from_waker(&waker));
        (polled, polls, task.0.load(SeqCst))
    }

    #[test]
    fn a_future_that_wakes_itself_is_polled_again_without_its_task() {
        assert_eq!(polled_once(2, true), (Poll::Ready(()), 3, 0));
    }

    #[test]
    fn a_future_that_goes_on_waking_itself_wakes_its_task() {
        assert_eq!(polled_once(POLLS, true), (Poll::Pending, POLLS, 1));
    }

    #[test]
    fn a_future_that_may_not_stay_wakes_its_task() {
        assert_eq!(polled_once(2, false), (Poll::Pending, 1, 1));
    }

    #[test]
    fn a_wake_between_polls_wakes_the_task() {
        let (task, mut kept) = (Arc::<TaskWakes>::default(), None);
        let future = poll_fn(|context| {
            kept = Some(context.waker().clone());
            Poll::<()>::Pending
        });
        let waker = Waker::from(Arc::clone(&task));
        let mut run = Box::pin(poll_again(future, || true));
        assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(task.0.load(SeqCst), 0);
        drop(run);
        kept.expect("the future was polled").wake();
        assert_eq!(task.0.load(SeqCst), 1);
    }
}
