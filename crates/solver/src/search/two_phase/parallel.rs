//! Searches one level on several threads.
//!
//! The roots are expanded into about 500 nodes. Each thread takes eight of them when its stack runs low. A solution
//! found by one thread lowers the upper bound for all.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::best_solutions::SolutionCallback;
use super::context::{PERIOD, SearchContext};
use super::walker::{PendingNode, PhaseOneWalker};
use crate::control::Cancelled;

/// Number of nodes to divide among the threads. With fewer, one thread may search a large node while the others are idle.
const PARTS: usize = 512;
/// Number of nodes that a thread takes at a time.
const TAKEN_AT_ONCE: usize = 8;

/// Searches all nodes on the stack of `walker`, on this thread and `threads - 1` more.
pub(crate) fn walk(
    walker: &mut PhaseOneWalker,
    threads: usize,
    context: &SearchContext<'_, '_>,
    notify: SolutionCallback<'_>,
) {
    let mut nodes = walker.split(PARTS, context);
    // A single walker pops its stack from the top. Reversing keeps that order.
    nodes.reverse();
    let taken = AtomicUsize::new(0);
    let others = std::thread::scope(|scope| {
        let work = || {
            let mut walker = walker.sibling();
            share(&mut walker, &nodes, &taken, context, &mut |_| {});
            (walker.effort.nodes, walker.effort.halted)
        };
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut own = walker.sibling();
        let before = walker.effort.nodes;
        share(&mut own, &nodes, &taken, context, &mut |expanded| {
            if let Some(found) = context.best_solutions.improvement() {
                notify(&found, before + expanded);
            }
        });
        let others =
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        others.chain([(own.effort.nodes, own.effort.halted)]).collect::<Vec<(u64, Option<Cancelled>)>>()
    });
    walker.effort.nodes += others.iter().map(|(nodes, _)| nodes).sum::<u64>();
    walker.effort.halted = others.into_iter().find_map(|(_, halted)| halted);
}

/// Takes and searches nodes until none are left, the wanted solutions are found, or the search must end.
fn share(
    walker: &mut PhaseOneWalker,
    nodes: &[PendingNode],
    taken: &AtomicUsize,
    context: &SearchContext<'_, '_>,
    report_nodes: &mut dyn FnMut(u64),
) {
    let mut look_at = PERIOD;
    loop {
        if walker.is_low() {
            let from = taken.fetch_add(TAKEN_AT_ONCE, Relaxed).min(nodes.len());
            walker.take_over(&nodes[from..(from + TAKEN_AT_ONCE).min(nodes.len())]);
            if walker.is_idle() {
                return;
            }
        }
        walker.advance(context);
        report_nodes(walker.effort.nodes);
        if context.best_solutions.is_reached() || walker.effort.halted.is_some() {
            return;
        }
        if walker.effort.nodes >= look_at {
            look_at = walker.effort.nodes + PERIOD;
            walker.effort.halted = context.check().err();
        }
    }
}
