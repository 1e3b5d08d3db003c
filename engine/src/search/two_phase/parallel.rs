//! Searches one level on several threads.
//!
//! The roots are expanded to some hundreds of nodes. Each thread takes a few of them whenever its walker is about to
//! run out of work. A solution found by one thread tightens the bound of all.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::context::{PERIOD, SearchContext};
use super::incumbent::SolutionCallback;
use super::walker::{PendingNode, PhaseOneWalker};
use crate::search::stop::Halt;

/// Number of nodes to divide among the threads. With fewer, one thread may search a large node while the others are idle.
const PARTS: usize = 512;
/// Number of nodes that a thread takes at a time.
const HELPING: usize = 8;

/// Searches everything that `walker` was started with, on this thread and `threads - 1` more.
pub(crate) fn walk(
    walker: &mut PhaseOneWalker,
    threads: usize,
    context: &SearchContext<'_, '_>,
    news: SolutionCallback<'_>,
) {
    let mut steps = walker.split(PARTS, context);
    // A single walker starts at the top of its stack; this keeps its order.
    steps.reverse();
    let taken = AtomicUsize::new(0);
    let others = std::thread::scope(|scope| {
        let work = || {
            let mut walker = walker.sibling();
            share(&mut walker, &steps, &taken, context, &mut |_| {});
            (walker.effort.nodes, walker.effort.halted)
        };
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut own = walker.sibling();
        let before = walker.effort.nodes;
        share(&mut own, &steps, &taken, context, &mut |nodes| {
            if let Some(found) = context.incumbent.improvement() {
                news(&found, before + nodes);
            }
        });
        let others =
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        others.chain([(own.effort.nodes, own.effort.halted)]).collect::<Vec<(u64, Option<Halt>)>>()
    });
    walker.effort.nodes += others.iter().map(|(nodes, _)| nodes).sum::<u64>();
    walker.effort.halted = others.into_iter().find_map(|(_, halted)| halted);
}

/// Takes and searches nodes until none are left, the wanted solutions are found, or the search must end.
fn share(
    walker: &mut PhaseOneWalker,
    steps: &[PendingNode],
    taken: &AtomicUsize,
    context: &SearchContext<'_, '_>,
    report_nodes: &mut dyn FnMut(u64),
) {
    let mut look_at = PERIOD;
    loop {
        if walker.is_low() {
            let from = taken.fetch_add(HELPING, Relaxed).min(steps.len());
            walker.take_over(&steps[from..(from + HELPING).min(steps.len())]);
            if walker.is_idle() {
                return;
            }
        }
        walker.advance(context);
        report_nodes(walker.effort.nodes);
        if context.incumbent.is_reached() || walker.effort.halted.is_some() {
            return;
        }
        if walker.effort.nodes >= look_at {
            look_at = walker.effort.nodes + PERIOD;
            walker.effort.halted = context.incumbent.halt(context.deadline);
        }
    }
}
