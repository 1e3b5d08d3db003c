//! Metrics: ways to count the length of a maneuver of face moves.
//!
//! Consecutive moves of one axis commute. The slice and axial metrics count such a *run* (`R L2 R'`) as a whole.

use super::face::Axis;
use super::moves::Move;

/// A way of counting moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Half-turn metric: each face move is 1 (cubing.js: OBTM; speedsolvers: HTM or FTM).
    Htm,
    /// Quarter-turn metric: a half turn is 2 (cubing.js: OBQTM).
    Qtm,
    /// Slice-turn metric: equal moves of two opposite faces in the same direction, which turn the layer between them,
    /// are 1.
    Stm,
    /// Axial half-turn metric (ATM, AXHT): moves of one axis together count as many moves as the face that moves most often, as
    /// for a robot that turns opposite faces at once. Unless a face moves twice in a row, that is 1.
    Axht,
    /// Axial quarter-turn metric: moves of one axis together count as many quarter turns as the face that turns most.
    Axqt,
    /// Execution-turn metric: every move is 1; equal to HTM for face moves.
    Etm,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 6] = [Self::Htm, Self::Qtm, Self::Stm, Self::Axht, Self::Axqt, Self::Etm];

    /// Returns its usual name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Htm => "htm",
            Self::Qtm => "qtm",
            Self::Stm => "stm",
            Self::Axht => "axht",
            Self::Axqt => "axqt",
            Self::Etm => "etm",
        }
    }

    /// Returns the length of a maneuver.
    pub fn length(self, moves: &[Move]) -> usize {
        match self {
            Self::Htm | Self::Etm => moves.len(),
            Self::Qtm => moves.iter().map(|&mv| quarter_turns(mv)).sum(),
            Self::Stm => runs(moves).map(slice_moves).sum(),
            Self::Axht => runs(moves).map(|run| simultaneous(run, |_| 1)).sum(),
            Self::Axqt => runs(moves).map(|run| simultaneous(run, quarter_turns)).sum(),
        }
    }
}

/// Splits a maneuver where the axis changes.
pub fn runs(moves: &[Move]) -> impl Iterator<Item = &[Move]> {
    moves.chunk_by(|a, b| axis(*a) == axis(*b))
}

fn axis(mv: Move) -> Axis {
    mv.face().axis()
}

/// Returns the number of quarter turns in the shorter direction.
const fn quarter_turns(mv: Move) -> usize {
    if mv.quarters() == 2 { 2 } else { 1 }
}

/// Counts the moves of a run; a pair that makes a slice move counts once.
fn slice_moves(run: &[Move]) -> usize {
    // Opposite faces that turn in the same direction in space turn by opposite amounts as seen from outside.
    let pairs = (1..4).map(|quarters| {
        let count = |mv: Option<Move>| run.iter().filter(|&&own| Some(own) == mv).count();
        let first = run[0].face();
        count(Move::of(first, quarters)).min(count(Move::of(first.opposite(), 4 - quarters)))
    });
    run.len() - pairs.sum::<usize>()
}

/// Counts the moves of each face of a run, each as `count` says. Returns the greater sum.
fn simultaneous(run: &[Move], count: impl Fn(Move) -> usize) -> usize {
    let of = |wanted| run.iter().filter(|mv| mv.face() == wanted).map(|&mv| count(mv)).sum();
    let face = run[0].face();
    usize::max(of(face), of(face.opposite()))
}

/// Merges moves of one face within each run. If a run vanishes, the runs around it may merge too, so this repeats until
/// nothing changes.
pub fn merged(moves: &[Move]) -> Vec<Move> {
    let mut out = moves.to_vec();
    if runs(moves).all(|run| run.len() == 1 || run.len() == 2 && run[0].face() != run[1].face()) {
        return out;
    }
    loop {
        let mut next: Vec<Move> = Vec::with_capacity(out.len());
        next.extend(runs(&out).flat_map(|run| {
            let face = run[0].face().min(run[0].face().opposite());
            [face, face.opposite()].into_iter().filter_map(move |wanted| {
                let quarters: usize = run.iter().filter(|mv| mv.face() == wanted).map(|mv| mv.quarters()).sum();
                Move::of(wanted, quarters)
            })
        }));
        if next.len() == out.len() {
            // Merging saved no move, so the original order within runs is kept.
            return out;
        }
        out = next;
    }
}

/// Returns the moves, each run sorted by face, so that maneuvers which differ only in the order of moves of opposite
/// faces are equal.
pub fn in_one_order(moves: &[Move]) -> Vec<Move> {
    let mut out = moves.to_vec();
    for run in out.chunk_by_mut(|a, b| axis(*a) == axis(*b)) {
        run.sort_unstable();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cube;
    use crate::Moves;

    fn lengths(text: &str) -> [usize; 6] {
        let moves = text.parse::<Moves>().unwrap();
        Metric::ALL.map(|metric| metric.length(&moves))
    }

    #[test]
    fn lengths_counted_by_hand() {
        //                                            htm qtm stm axht axqt etm
        assert_eq!(lengths(""), [0, 0, 0, 0, 0, 0]);
        assert_eq!(lengths("R U2 F'"), [3, 4, 3, 3, 4, 3]);
        assert_eq!(lengths("R L'"), [2, 2, 1, 1, 1, 2]);
        assert_eq!(lengths("R L"), [2, 2, 2, 1, 1, 2]);
        assert_eq!(lengths("R2 L2"), [2, 4, 1, 1, 2, 2]);
        assert_eq!(lengths("R2 L"), [2, 3, 2, 1, 2, 2]);
        assert_eq!(lengths("U D' R2 L2 F B"), [6, 8, 4, 3, 4, 6]);
        assert_eq!(lengths("R L' R"), [3, 3, 2, 2, 2, 3]);
        assert_eq!(lengths("U' U' D2"), [3, 4, 3, 2, 2, 3]);
    }

    #[test]
    fn the_superflip_has_its_published_lengths() {
        // U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2: 20 in HTM (Reid 1995), 28 quarter turns.
        let moves = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2".parse::<Moves>().unwrap();
        assert_eq!((Metric::Htm.length(&moves), Metric::Qtm.length(&moves)), (20, 28));
    }

    #[test]
    fn merging_keeps_the_position_and_nothing_is_left_to_merge() {
        let of = |text: &str| Moves::from(merged(&text.parse::<Moves>().unwrap()));
        assert_eq!(of("R L R'"), of("L"));
        assert_eq!(of("R U U' R'"), Moves::default());
        assert_eq!(of("L R"), "L R".parse::<Moves>().unwrap());
        assert_eq!(of("F R R B"), "F R2 B".parse::<Moves>().unwrap());
        for text in ["R L R' U2 U D U' D'", "F F F F", "R L' R2 L U"] {
            let moves = text.parse::<Moves>().unwrap();
            assert_eq!(Cube::SOLVED.after(&merged(&moves)), Cube::SOLVED.after(&moves), "{text}");
            assert_eq!(merged(&merged(&moves)), merged(&moves));
        }
    }
}
