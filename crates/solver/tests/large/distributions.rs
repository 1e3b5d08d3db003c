//! Checks the breadth-first search over symmetry-reduced products against published distributions.

use std::io::{Write, stderr};

use superflip_solver::symmetry::conjugation_table;

use crate::common::prelude::*;
use crate::common::rows::{Rows, SYMMETRIES};

/// Orders of the four slice edges inside G1: the values of sorted slice from 0 on.
const SLICE_ORDERS: usize = 24;

/// The twelve quarter turns.
fn quarter_turns() -> Vec<Move> {
    Move::ALL.into_iter().filter(|mv| mv.quarters() != 2).collect()
}

/// The eight U and D edges and the order of the slice edges, as columns: `24 * ud_edges + order`, moved and conjugated.
fn phase_two_edges() -> (Vec<u32>, Vec<u32>) {
    let opened = SMALL.opened();
    let edge_moves = opened.u16s(Id::UdEdgesMove);
    let order_moves = opened.u16s(Id::SliceSortedMove);
    let edge_images = conjugation_table(&UD_EDGES);
    let order_images = conjugation_table(&SLICE_SORTED);
    let join = |edges: u16, order: u16| {
        assert!(usize::from(order) < SLICE_ORDERS, "the slice edges stay in the slice");
        u32::from(edges) * SLICE_ORDERS as u32 + u32::from(order)
    };
    let columns = || (0..UD_EDGES.size as usize).flat_map(|edges| (0..SLICE_ORDERS).map(move |order| (edges, order)));
    let moved = columns().flat_map(|(edges, order)| {
        let moves = Move::PHASE_TWO.iter().enumerate();
        moves.map(move |(number, mv)| {
            join(edge_moves[edges * Move::PHASE_TWO.len() + number], order_moves[order * Move::COUNT + mv.index()])
        })
    });
    let edge_images = &edge_images;
    let order_images = &order_images;
    let seen = columns().flat_map(|(edges, order)| {
        (0..SYMMETRIES).map(move |s| join(edge_images[edges * SYMMETRIES + s], order_images[order * SYMMETRIES + s]))
    });
    (moved.collect(), seen.collect())
}

#[test]
fn corners_in_the_quarter_turn_metric_as_counted() {
    let moves = quarter_turns();
    let counted = breadth_first(&moves, 7, |cube| (*cube.corners(), *cube.twists()));
    let states = Rows::corners().states_with_twist(&moves);
    assert_eq!(states[..counted.len()], counted);
    assert_eq!(states.iter().sum::<u64>(), 40_320 * 2_187);
}

#[test]
fn phase_one_in_the_quarter_turn_metric_as_published() {
    let states = Rows::flip_slice().states_with_twist(&quarter_turns());
    let published = [
        1,
        4,
        34,
        312,
        2_772,
        24_996,
        225_949,
        2_017_078,
        17_554_890,
        139_132_730,
        758_147_361,
        1_182_378_518,
        117_594_403,
        14_072,
    ];
    assert_eq!(states, published);
    assert_eq!(states.iter().sum::<u64>(), 2_217_093_120);
}

/// The three parts of phase 2 at once. The tables hold no more than two of them. An entry for each class of corners, each
/// permutation of the U and D edges and each order of the slice edges; half of them have the wrong parity and are never
/// reached.
#[test]
#[ignore = "two to four minutes and 3 GB on two cores"]
fn the_whole_of_phase_two_as_published() {
    let start = Instant::now();
    // Written past the test harness, which keeps what `eprintln` says until the test fails.
    let control = Control::new().reporting(move |_, done, entries| {
        let seconds = start.elapsed().as_secs();
        writeln!(stderr(), "phase two: {seconds:4} s, {done} of {} entries", entries / 2)
            .expect("stderr can be written");
    });
    let (moves, conjugates) = phase_two_edges();
    let states = Rows::corners().states(&Move::PHASE_TWO, &moves, &conjugates, &control);
    let published = [
        1,
        10,
        67,
        456,
        3_079,
        19_948,
        123_074,
        736_850,
        4_185_118,
        22_630_733,
        116_767_872,
        552_538_680,
        2_176_344_160,
        5_627_785_188,
        7_172_925_794,
        3_608_731_814,
        224_058_996,
        1_575_608,
        1_352,
    ];
    assert_eq!(states, published);
    assert_eq!(states.iter().sum::<u64>(), 40_320 * 40_320 * 24 / 2);
}
