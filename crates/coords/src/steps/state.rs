//! Names of what a cube has reached: oriented edges, domino reduction with its subset, half-turn reduction.
#![allow(clippy::cast_possible_truncation)] // slots and pieces are below 12

use std::fmt;
use std::sync::LazyLock;

use super::goal::catalogue::Needs;
use super::goal::digit::{Digit, is_of_first_tetrad};
use super::goal::frame::{Frame, Place};
use super::move_set::MoveSet;
use superflip_cube::{Cube, Face, Move};

/// What a cube has reached on one axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxisState {
    /// The axis: `ud`, `fb` or `rl`.
    pub axis: String,
    /// Number of edges that are not oriented on the axis.
    pub bad_edges: u8,
    /// Number of corners that are not oriented on the axis.
    pub bad_corners: u8,
    /// Number of edges of the slice of the axis that are outside that slice.
    pub misplaced_edges: u8,
    /// Name of the subset of domino reduction, such as `4a1 4e`, if it is reached on the axis: corners in slots of the other
    /// tetrad, the least number of quarter turns that their permutation needs, and edges in slots of the other slice.
    pub subset: Option<String>,
}

/// What a cube has reached. It is written as one line, such as `dr ud 4a1 4e`.
///
/// # Examples
/// ```
/// use superflip_coords::steps::CubeState;
///
/// assert_eq!(CubeState::of(&"U".parse()?).to_string(), "dr ud 4a1 4e");
/// assert_eq!(CubeState::of(&"R2 U2".parse()?).to_string(), "htr");
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CubeState {
    /// The three axes, in the order `ud`, `fb`, `rl`.
    pub axes: [AxisState; 3],
    /// Whether half turns solve the cube.
    pub is_half_turns: bool,
    /// Whether the cube is solved.
    pub is_solved: bool,
}

/// The rotations that bring the axes `ud`, `fb` and `rl` to UD.
static FRAMES: LazyLock<[Frame; 3]> = LazyLock::new(|| {
    let frames = Frame::all(&[Place::Axis(Face::U)]);
    ["ud", "fb", "rl"].map(|name| frames.iter().find(|frame| frame.name == name).cloned().expect("three axes"))
});

/// The class of corner permutations under half turns on both sides, by number of the coset.
struct Corners {
    digit: Digit,
    /// Least number of quarter turns.
    quarters: Vec<u8>,
    /// Whether the class is the one of U R2 U.
    is_b: Vec<bool>,
}

static CORNERS: LazyLock<Corners> = LazyLock::new(|| {
    let digit = Digit::half_turn_corner_cosets();
    // A turn of the middle slice turns U and D together as seen from it, and does not count.
    let up_to_slice =
        |moves: &[Move]| [Cube::SOLVED, Cube::SOLVED.after(&[Move::U, Move::Di])].map(|cube| cube.after(moves));
    let quarters = by_quarters(&digit, &up_to_slice(&[]), MoveSet::PHASE_TWO.without(MoveSet::HALF_TURNS));
    let twice = up_to_slice(&[Move::U, Move::R2, Move::U]);
    let is_b = by_quarters(&digit, &twice, MoveSet::default()).iter().map(|&quarters| quarters == 0).collect();
    Corners { digit, quarters, is_b }
});

/// Returns the least number of moves of a set, with half turns that do not count, from some cubes to each value.
fn by_quarters(digit: &Digit, starts: &[Cube], counted: MoveSet) -> Vec<u8> {
    let mut out = vec![u8::MAX; digit.size as usize];
    let mut layer: Vec<u16> = starts.iter().map(|cube| digit.value(cube)).collect();
    let mut depth = 0;
    while !layer.is_empty() {
        // First everything that half turns reach.
        let mut at = 0;
        while at < layer.len() {
            let value = layer[at];
            at += 1;
            if out[usize::from(value)] != u8::MAX {
                continue;
            }
            out[usize::from(value)] = depth;
            layer.extend(MoveSet::HALF_TURNS.iter().map(|mv| digit.after(value, mv)));
        }
        layer = layer.iter().flat_map(|&value| counted.iter().map(move |mv| digit.after(value, mv))).collect();
        layer.retain(|&value| out[usize::from(value)] == u8::MAX);
        depth += 1;
    }
    out
}

impl CubeState {
    /// Returns what a cube has reached.
    pub fn of(cube: &Cube) -> Self {
        let axes = std::array::from_fn(|number| AxisState::of(&FRAMES[number], cube));
        let base = &FRAMES[0].to_base.conjugate(cube);
        Self { axes, is_half_turns: Needs::HalfTurns.is_met(base), is_solved: cube.is_solved() }
    }
}

impl AxisState {
    fn of(frame: &Frame, cube: &Cube) -> Self {
        let seen = frame.to_base.conjugate(cube);
        let count = |flags: usize| u8::try_from(flags).unwrap_or(u8::MAX);
        let subset = Needs::DominoReduction.is_met(&seen).then(|| subset(&seen));
        // Edges are oriented on FB in the frame in which the axis is FB.
        let flipped = TO_FB.conjugate(&seen);
        Self {
            axis: frame.name.clone(),
            bad_edges: count(flipped.flips().iter().filter(|&&flip| flip != 0).count()),
            bad_corners: count(seen.twists().iter().filter(|&&twist| twist != 0).count()),
            misplaced_edges: count(seen.edges()[8..].iter().filter(|edge| edge.index() < 8).count()),
            subset,
        }
    }
}

/// A rotation that brings the axis UD to FB.
static TO_FB: LazyLock<superflip_cube::Symmetry> = LazyLock::new(|| {
    let leads = |s: &superflip_cube::Symmetry| s.conjugate_move(Move::U).face() == Face::F && !s.is_reflection();
    superflip_cube::Symmetry::all().find(leads).expect("some rotation turns U to F")
});

/// Returns whether a text has the form of the name of a subset, such as `4a1` or `4a1 4e`.
pub(crate) fn is_subset_name(name: &str) -> bool {
    let (corners, edges) =
        name.trim().split_once(' ').map_or((name.trim(), None), |(corners, edges)| (corners, Some(edges)));
    let is_corners = matches!(corners.as_bytes(), [b'0' | b'2' | b'4', b'a' | b'b' | b'c', b'0'..=b'5']);
    is_corners && edges.is_none_or(|edges| matches!(edges.as_bytes(), [b'0' | b'2' | b'4' | b'6' | b'8', b'e']))
}

/// Returns the subset of a cube in domino reduction on UD.
pub(crate) fn subset(cube: &Cube) -> String {
    let corners = &*CORNERS;
    let coset = usize::from(corners.digit.value(cube));
    let misplaced = |slot: usize| is_of_first_tetrad(slot as u8) != is_of_first_tetrad(cube.corners()[slot] as u8);
    let mut bad_corners = (0..8).filter(|&slot| misplaced(slot)).count();
    let is_of_first_slice = |edge: superflip_cube::Edge| edge.name().contains(['F', 'B']);
    let at = |slot: usize| superflip_cube::Edge::ALL[slot];
    let mut bad_edges =
        (0..8).filter(|&slot| is_of_first_slice(at(slot)) != is_of_first_slice(cube.edges()[slot])).count();
    // Seen with the layers U and D turned by a quarter, each piece counts the other way. The view with fewer is named.
    if (8 - bad_corners, 8 - bad_edges) < (bad_corners, bad_edges) {
        (bad_corners, bad_edges) = (8 - bad_corners, 8 - bad_edges);
    }
    let quarters = corners.quarters[coset];
    let letter = match (bad_corners, quarters) {
        (4, 2) if corners.is_b[coset] => 'b',
        (4, 1 | 2) => 'a',
        _ => 'c',
    };
    format!("{bad_corners}{letter}{quarters} {bad_edges}e")
}

impl fmt::Display for CubeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_solved {
            return f.write_str("solved");
        }
        if self.is_half_turns {
            return f.write_str("htr");
        }
        let reduced = self.axes.iter().filter_map(|axis| Some((axis, axis.subset.as_ref()?)));
        let mut parts: Vec<String> = reduced.map(|(axis, subset)| format!("dr {} {subset}", axis.axis)).collect();
        if parts.is_empty() {
            for eo in self.axes.iter().filter(|axis| axis.bad_edges == 0) {
                let others = self.axes.iter().filter(|axis| axis.axis != eo.axis);
                let others =
                    others.map(|axis| format!("{} {}c {}e", axis.axis, axis.bad_corners, axis.misplaced_edges));
                parts.push(format!("eo {} ({})", eo.axis, others.collect::<Vec<_>>().join(", ")));
            }
        }
        if parts.is_empty() {
            let bad = self.axes.iter().map(|axis| format!("{} {}", axis.axis, axis.bad_edges));
            parts.push(format!("bad edges {}", bad.collect::<Vec<_>>().join(", ")));
        }
        f.write_str(&parts.join("; "))
    }
}
