//! Nodes that the threads of a search share.

use std::panic::resume_unwind;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A search with a stack of nodes.
pub(crate) trait Walker {
    /// A node of the stack.
    type Node;

    /// Returns whether the stack is about to run empty.
    fn is_low(&self) -> bool;

    /// Returns whether no work is left.
    fn is_idle(&self) -> bool;

    /// Pushes nodes, for a round of the search (0..rounds), or `None` if there is only one.
    fn take_over(&mut self, nodes: &[Self::Node], round: Option<usize>);
}

/// Nodes that are divided among threads: each takes the next few when its stack runs low. After the last node, the next round begins with the
/// first.
pub(crate) struct SharedNodes<N> {
    nodes: Vec<N>,
    at_once: usize,
    rounds: usize,
    taken: AtomicUsize,
}

impl<N> SharedNodes<N> {
    /// A thread takes `at_once` nodes at a time.
    pub(crate) fn new(nodes: Vec<N>, at_once: usize, rounds: usize) -> Self {
        Self { nodes, at_once, rounds, taken: AtomicUsize::new(0) }
    }

    /// Returns whether all nodes are taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.taken.load(Relaxed) >= self.rounds * self.round()
    }

    /// Returns how much the counter advances in a round.
    fn round(&self) -> usize {
        self.nodes.len().next_multiple_of(self.at_once)
    }

    /// Calls `advance` until `walker` and the shared list have no nodes, or until `advance` returns true.
    pub(crate) fn search<W: Walker<Node = N>>(&self, walker: &mut W, mut advance: impl FnMut(&mut W) -> bool) {
        loop {
            if walker.is_low() {
                let taken = self.taken.fetch_add(self.at_once, Relaxed);
                if taken < self.rounds * self.round() {
                    let (round, from) = (taken / self.round(), taken % self.round());
                    let nodes = &self.nodes[from..(from + self.at_once).min(self.nodes.len())];
                    walker.take_over(nodes, (self.rounds > 1).then_some(round));
                }
                if walker.is_idle() {
                    return;
                }
            }
            if advance(walker) {
                return;
            }
        }
    }
}

/// Runs `search` on this thread and, in a thread of a rayon pool, on those threads of the pool that are idle before it ends. Returns all
/// results.
pub(crate) fn with_idle_threads<R: Send>(search: impl Fn() -> R + Sync) -> Vec<R> {
    if rayon::current_thread_index().is_none() {
        return vec![search()];
    }
    let results = Mutex::new(Vec::new());
    let run = || {
        let result = search();
        results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| run());
        }
        run();
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `own` on this thread and `other` on `threads - 1` new threads. Returns all results; the result of `own` is last.
pub(crate) fn on_threads<R: Send>(threads: usize, own: impl FnOnce() -> R, other: impl Fn() -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(&other)).collect();
        let own = own();
        let others = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        others.chain([own]).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn every_node_is_taken_once_in_each_round() {
        struct Takes(Vec<(Option<usize>, char)>);
        impl Walker for Takes {
            type Node = char;
            fn is_low(&self) -> bool {
                true
            }
            fn is_idle(&self) -> bool {
                false
            }
            fn take_over(&mut self, nodes: &[char], round: Option<usize>) {
                self.0.extend(nodes.iter().map(|&node| (round, node)));
            }
        }
        for (nodes, rounds) in [("", 2), ("abc", 1), ("abcd", 2), ("abcde", 3)] {
            let shared = SharedNodes::new(nodes.chars().collect(), 2, rounds);
            let mut walker = Takes(Vec::new());
            while !shared.is_empty() {
                shared.search(&mut walker, |_| true);
            }
            let round = |round| (rounds > 1).then_some(round);
            let expected: Vec<_> = (0..rounds).flat_map(|n| nodes.chars().map(move |node| (round(n), node))).collect();
            assert_eq!(walker.0, expected);
        }
    }

    #[test]
    fn idle_threads_of_a_pool_join_a_search() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let all_three = Barrier::new(3);
        let results = pool.install(|| with_idle_threads(|| all_three.wait().is_leader()));
        assert_eq!(results.into_iter().filter(|&is_leader| is_leader).count(), 1);
        assert_eq!(with_idle_threads(thread::current).len(), 1);
    }
}
