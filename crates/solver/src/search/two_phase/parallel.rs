//! Searches one level on several threads.
//!
//! The roots are expanded into about 500 nodes. Each thread takes eight of them when its stack runs low. A solution
//! found by one thread lowers the upper bound for all.

use super::context::{PERIOD, SearchContext};
use super::views::PhaseTables;
use super::walker::PhaseOneWalker;
use crate::search::incumbent::NodesCallback;
use crate::search::shared_nodes::{SharedNodes, on_threads};

/// Number of nodes to divide among the threads. With fewer, one thread may search a large node while the others are idle.
const PARTS: usize = 512;
/// Number of nodes that a thread takes at a time.
const TAKEN_AT_ONCE: usize = 8;

/// Searches all nodes on the stack of `walker`, on this thread and `threads - 1` more.
pub(crate) fn walk(
    walker: &mut PhaseOneWalker,
    threads: usize,
    context: &SearchContext<'_, impl PhaseTables>,
    notify: NodesCallback<'_>,
) {
    let mut nodes = walker.split(PARTS, context);
    // A single walker pops its stack from the top. Reversing keeps that order.
    nodes.reverse();
    let nodes = SharedNodes::new(nodes, TAKEN_AT_ONCE);
    let search = |report_nodes: &mut dyn FnMut(u64)| {
        let mut walker = walker.sibling();
        let mut look_at = PERIOD;
        nodes.search(&mut walker, |walker| {
            walker.advance(context);
            report_nodes(walker.effort.nodes);
            if walker.effort.halted.is_none() && walker.effort.nodes >= look_at {
                look_at = walker.effort.nodes + PERIOD;
                walker.effort.halted = context.check().err();
            }
            context.best_solutions.is_reached() || walker.effort.halted.is_some()
        });
        walker.effort
    };
    let before = walker.effort.nodes;
    let efforts = on_threads(threads, || search(&mut |nodes| notify(before + nodes)), || search(&mut |_| {}));
    walker.effort.nodes += efforts.iter().map(|effort| effort.nodes).sum::<u64>();
    walker.effort.halted = efforts.iter().find_map(|effort| effort.halted);
}
