//! Lines that wait for a search, and answers that wait for their turn.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::api::request::options::Task;
use crate::search::Stop;

/// Lines between being read and being answered. A search that takes its whole second holds up this many answers of others,
/// some seconds of work of a core; with all of them waiting they are some megabytes.
const WINDOW: usize = 16_384;

/// What became of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It has a solution.
    Solved,
    /// It has none within its limits.
    Unsolved,
    /// It holds no cube.
    Refused,
}

/// What is written for a line.
#[derive(Debug)]
pub(crate) struct Answer {
    /// To standard output, line end included.
    pub(crate) text: String,
    /// To standard error.
    pub(crate) complaint: Option<String>,
    /// For the exit code.
    pub(crate) verdict: Verdict,
}

/// A cube to solve.
pub(crate) struct Open {
    /// Its place in the order of answers.
    pub(crate) ticket: u64,
    /// Its number in the input, from 1.
    pub(crate) line: u64,
    /// What is asked.
    pub(crate) task: Task,
}

/// What there is to do.
pub(crate) enum Work {
    /// A cube.
    Cube(Box<Open>),
    /// Nothing now.
    Later,
    /// Nothing ever again.
    End,
}

/// The one place where reader, searching threads and writer meet.
pub(crate) struct Desk {
    inner: Mutex<Inner>,
    room: Condvar,
    work: Condvar,
    answered: Condvar,
    stop: Stop,
}

#[derive(Default)]
struct Inner {
    cubes: VecDeque<Box<Open>>,
    /// Lines that were read and are not written yet, in order.
    window: VecDeque<Option<Answer>>,
    /// The ticket of the first of them.
    first: u64,
    is_read: bool,
    read_error: Option<io::Error>,
}

impl Desk {
    /// An empty one.
    pub(crate) fn new(stop: Stop) -> Self {
        let (room, work, answered) = (Condvar::new(), Condvar::new(), Condvar::new());
        Self { inner: Mutex::default(), room, work, answered, stop }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `is_so` or until everything stops.
    fn wait<'d>(
        &self,
        what: &Condvar,
        inner: MutexGuard<'d, Inner>,
        is_so: impl Fn(&Inner) -> bool,
    ) -> MutexGuard<'d, Inner> {
        let waits = |inner: &mut Inner| !is_so(inner) && !self.stop.is_stopped();
        what.wait_while(inner, waits).unwrap_or_else(PoisonError::into_inner)
    }

    /// The flag that stops the searches.
    pub(crate) fn stop_flag(&self) -> &Stop {
        &self.stop
    }

    /// Ends everything; whoever waits goes.
    pub(crate) fn stop(&self) {
        // Under the lock, or somebody could look at the flag before and fall asleep after.
        let _inner = self.lock();
        self.stop.stop();
        self.room.notify_all();
        self.work.notify_all();
        self.answered.notify_all();
    }

    /// Ends everything, if there is anything left to end.
    pub(crate) fn stop_unless_done(&self) {
        let is_done = {
            let inner = self.lock();
            inner.is_read && inner.window.is_empty()
        };
        if !is_done {
            self.stop();
        }
    }

    /// Puts the next line at the end, once there is room; false when nobody wants it any more.
    pub(crate) fn put(&self, line: u64, found: Result<Task, Answer>) -> bool {
        let mut inner = self.wait(&self.room, self.lock(), |inner| inner.window.len() < WINDOW);
        let ticket = inner.first + inner.window.len() as u64;
        match found {
            Ok(task) => {
                inner.window.push_back(None);
                inner.cubes.push_back(Box::new(Open { ticket, line, task }));
                self.work.notify_one();
            }
            Err(answer) => {
                inner.window.push_back(Some(answer));
                self.answered.notify_one();
            }
        }
        !self.stop.is_stopped()
    }

    /// There are no more lines.
    pub(crate) fn end(&self, result: io::Result<()>) {
        let mut inner = self.lock();
        inner.is_read = true;
        inner.read_error = result.err();
        self.work.notify_all();
        self.answered.notify_all();
    }

    /// Why reading ended before its end, if it did.
    pub(crate) fn read_error(&self) -> Option<io::Error> {
        self.lock().read_error.take()
    }

    /// The next cube; with `wait` once there is one.
    pub(crate) fn take(&self, wait: bool) -> Work {
        let mut inner = self.lock();
        if wait {
            inner = self.wait(&self.work, inner, |inner| !inner.cubes.is_empty() || inner.is_read);
        }
        if self.stop.is_stopped() {
            return Work::End;
        }
        match inner.cubes.pop_front() {
            Some(open) => Work::Cube(open),
            None if inner.is_read => Work::End,
            None => Work::Later,
        }
    }

    /// Takes the answer to that ticket.
    pub(crate) fn answer(&self, ticket: u64, answer: Answer) {
        let mut inner = self.lock();
        let place = (ticket - inner.first) as usize;
        inner.window[place] = Some(answer);
        if place == 0 {
            self.answered.notify_one();
        }
    }

    /// Answers whose turn it is, once there are any; none at the end.
    pub(crate) fn ready(&self) -> Vec<Answer> {
        let is_ready = |inner: &Inner| match inner.window.front() {
            Some(front) => front.is_some(),
            None => inner.is_read,
        };
        let mut inner = self.wait(&self.answered, self.lock(), is_ready);
        let mut answers = Vec::new();
        while let Some(answer) = inner.window.front_mut().and_then(Option::take) {
            inner.window.pop_front();
            inner.first += 1;
            answers.push(answer);
        }
        self.room.notify_one();
        answers
    }
}

/// Stops everything when the thread that holds it panics: its answers would be waited for in vain.
pub(crate) struct Guard<'d>(pub(crate) &'d Desk);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
