//! Numbers the cubes of a subset from 0 to its size.
//!
//! A subset is described by what may vary: the groups of slots whose pieces are permuted among themselves, and the slots whose
//! pieces may be twisted or flipped. The number of a cube is a mixed-radix number. Its digits are the steps of a Fisher-Yates shuffle
//! of each group, the twists and the flips. Three digits are not free and are left out: the last twist, the last flip, and the last
//! step of one shuffle, which makes the parities of corners and edges equal. So each number is one cube, and each cube of the subset
//! has one number. The solved cube is 0.

use std::sync::LazyLock;

use crate::coord::rank::is_odd;
use superflip_cube::{Corner, Cube, Edge, Move, Symmetry};

/// The permutations of the corners.
pub(crate) enum CornerPermutations {
    /// All permutations of the pieces of these slots.
    Of(Vec<usize>),
    /// The 96 permutations that half turns generate.
    ByHalfTurns,
}

/// What may vary in a subset.
pub(crate) struct States {
    pub(crate) corners: CornerPermutations,
    /// Groups of slots. Each group keeps its pieces.
    pub(crate) edges: Vec<Vec<usize>>,
    pub(crate) twisted: Vec<usize>,
    pub(crate) flipped: Vec<usize>,
    /// Symmetry that leads from the cubes described by the other fields to the cubes of the subset.
    pub(crate) seen: Symmetry,
}

/// The permutations of the corners that half turns generate, solved first. There are 96: all 24 of one tetrad, and four of the other
/// for each, as each half turn acts alike on the three pairings of either tetrad.
static HALF_TURN_CORNERS: LazyLock<Vec<[Corner; 8]>> = LazyLock::new(|| {
    let mut found = vec![Cube::SOLVED];
    let mut next = 0;
    while let Some(&cube) = found.get(next) {
        for mv in Move::ALL.into_iter().filter(|mv| mv.quarters() == 2) {
            let after = cube.then(mv.cube());
            if found.iter().all(|known| known.corners() != after.corners()) {
                found.push(after);
            }
        }
        next += 1;
    }
    found.iter().map(|cube| *cube.corners()).collect()
});

/// The digits of a number, the least significant first.
struct Digits(u128);

impl Digits {
    fn next(&mut self, radix: usize) -> usize {
        let digit = self.0 % radix as u128;
        self.0 /= radix as u128;
        digit as usize
    }
}

fn factorial(n: usize) -> u128 {
    (1..=n as u128).product()
}

/// Shuffles the pieces of these slots and returns whether the permutation is odd. With `parity`, the last step makes it odd or even.
fn shuffle<T>(pieces: &mut [T], slots: &[usize], digits: &mut Digits, parity: Option<bool>) -> bool {
    let mut odd = false;
    for (at, &slot) in slots.iter().enumerate() {
        let step = match (slots.len() - at, parity) {
            (1, _) => break,
            (2, Some(parity)) => usize::from(odd != parity),
            (left, _) => digits.next(left),
        };
        if step > 0 {
            pieces.swap(slot, slots[at + step]);
            odd = !odd;
        }
    }
    odd
}

#[allow(clippy::cast_possible_truncation)] // digits are smaller than the radix, 2 or 3
/// Sets the orientations of these slots; the last one makes the sum divisible by `radix`.
fn orient(orientations: &mut [u8], slots: &[usize], radix: usize, digits: &mut Digits) {
    let Some((&last, others)) = slots.split_last() else { return };
    let mut sum = 0;
    for &slot in others {
        let digit = digits.next(radix);
        orientations[slot] = digit as u8;
        sum += digit;
    }
    orientations[last] = ((radix - sum % radix) % radix) as u8;
}

impl States {
    /// Returns the number of cubes.
    pub(crate) fn size(&self) -> u128 {
        let (corners, vary) = match &self.corners {
            CornerPermutations::Of(slots) => (factorial(slots.len()), slots.len() > 1),
            CornerPermutations::ByHalfTurns => (HALF_TURN_CORNERS.len() as u128, true),
        };
        let edges: u128 = self.edges.iter().map(|group| factorial(group.len())).product();
        let orientations = |radix: u128, slots: &[usize]| slots.iter().skip(1).map(|_| radix).product::<u128>();
        let halved = if vary || self.fitting_group().is_some() { 2 } else { 1 };
        corners * edges / halved * orientations(3, &self.twisted) * orientations(2, &self.flipped)
    }

    /// Returns the group of edges whose last step fits the parity to that of the corners.
    fn fitting_group(&self) -> Option<usize> {
        self.edges.iter().rposition(|group| group.len() > 1)
    }

    /// Returns the cube with this number, from 0 to the size.
    pub(crate) fn cube(&self, number: u128) -> Cube {
        let mut digits = Digits(number);
        let (mut corners, mut edges) = (Corner::ALL, Edge::ALL);
        let fitting = self.fitting_group();
        let mut odd = match &self.corners {
            // Without edges to exchange, the corners must be even themselves.
            CornerPermutations::Of(slots) => {
                shuffle(&mut corners, slots, &mut digits, fitting.is_none().then_some(false))
            }
            CornerPermutations::ByHalfTurns => {
                corners = HALF_TURN_CORNERS[digits.next(HALF_TURN_CORNERS.len())];
                is_odd(&corners.map(|corner| corner as u8))
            }
        };
        for (index, group) in self.edges.iter().enumerate() {
            odd ^= shuffle(&mut edges, group, &mut digits, (fitting == Some(index)).then_some(odd));
        }
        let (mut twists, mut flips) = ([0; 8], [0; 12]);
        orient(&mut twists, &self.twisted, 3, &mut digits);
        orient(&mut flips, &self.flipped, 2, &mut digits);
        self.seen.conjugate(&Cube::assemble(corners, twists, edges, flips))
    }

    /// Returns whether a cube that moves can reach is one of them.
    pub(crate) fn contains(&self, cube: &Cube) -> bool {
        let cube = self.seen.inverse().conjugate(cube);
        let corners = match &self.corners {
            CornerPermutations::Of(slots) => {
                (0..8).all(|slot| slots.contains(&slot) || cube.corners()[slot].index() == slot)
            }
            CornerPermutations::ByHalfTurns => HALF_TURN_CORNERS.contains(cube.corners()),
        };
        let edges = (0..12).all(|slot| {
            let piece = cube.edges()[slot].index();
            piece == slot || self.edges.iter().any(|group| group.contains(&slot) && group.contains(&piece))
        });
        let twists = (0..8).all(|slot| cube.twists()[slot] == 0 || self.twisted.contains(&slot));
        let flips = (0..12).all(|slot| cube.flips()[slot] == 0 || self.flipped.contains(&slot));
        corners && edges && twists && flips
    }
}
