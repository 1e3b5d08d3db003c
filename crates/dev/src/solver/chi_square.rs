//! Chi-square tests of the distribution of cubes. The examples of the engine use them too.

use superflip_cube::{Corner, Cube};

/// Quantile of the standard normal distribution at 0.99. The significance level alpha is thus 0.01: a correct generator fails one
/// test in 100. Samples of the tests come from fixed seeds, so a test that passes always passes.
const NORMAL_QUANTILE: f64 = 2.326_348;

/// A statistic with its number of degrees of freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct ChiSquare {
    pub name: String,
    pub statistic: f64,
    pub freedom: usize,
}

impl ChiSquare {
    /// Returns the value that the statistic exceeds with probability 0.01, by the approximation of Wilson and Hilferty.
    pub fn critical(&self) -> f64 {
        let freedom = float(self.freedom);
        let width = 2.0 / (9.0 * freedom);
        freedom * (1.0 - width + NORMAL_QUANTILE * width.sqrt()).powi(3)
    }

    pub fn passes(&self) -> bool {
        self.statistic <= self.critical()
    }
}

#[allow(clippy::cast_precision_loss)] // far below 2^52
pub fn float(n: usize) -> f64 {
    n as f64
}

/// Tests whether all counts have the same expectation.
pub fn even(name: &str, counts: &[usize]) -> ChiSquare {
    let expected = float(counts.iter().sum()) / float(counts.len());
    let statistic = counts.iter().map(|&count| (float(count) - expected).powi(2) / expected).sum();
    ChiSquare { name: name.to_owned(), statistic, freedom: counts.len() - 1 }
}

/// Tests whether each piece of a group is in each slot of the group equally often. `pieces` gives the piece in each slot of a cube.
///
/// The counts of `n` pieces in `n` slots have fixed sums over rows and columns. Summed over all cells, squared deviation divided by
/// expectation is `n / (n - 1)` times a chi-square variable with `(n - 1)^2` degrees of freedom.
pub fn positions(name: &str, cubes: &[Cube], group: &[usize], pieces: impl Fn(&Cube, usize) -> usize) -> ChiSquare {
    let n = group.len();
    let mut counts = vec![0; n * n];
    for cube in cubes {
        for (row, &slot) in group.iter().enumerate() {
            let piece = pieces(cube, slot);
            let column = group.iter().position(|&other| other == piece).expect("a piece of the group");
            counts[row * n + column] += 1;
        }
    }
    let freedom = (n - 1).pow(2);
    let cells = even(name, &counts);
    ChiSquare { statistic: cells.statistic * float(n - 1) / float(n), freedom, ..cells }
}

/// Tests whether the pieces in each slot of a group are oriented in each of `ways` ways equally often. With at least three slots the
/// orientations of any two are independent, so the statistics of the slots add up.
pub fn orientations(
    name: &str,
    cubes: &[Cube],
    group: &[usize],
    ways: usize,
    orientation: impl Fn(&Cube, usize) -> u8,
) -> ChiSquare {
    let slot_statistic = |&slot: &usize| {
        let mut counts = vec![0; ways];
        for cube in cubes {
            counts[usize::from(orientation(cube, slot))] += 1;
        }
        even(name, &counts).statistic
    };
    let statistic = group.iter().map(slot_statistic).sum();
    ChiSquare { name: name.to_owned(), statistic, freedom: group.len() * (ways - 1) }
}

/// Returns whether a permutation is odd, by its number of inversions.
pub fn is_odd(permutation: &[usize]) -> bool {
    let n = permutation.len();
    let inversions = (0..n).flat_map(|a| (a..n).map(move |b| (a, b))).filter(|&(a, b)| permutation[a] > permutation[b]);
    inversions.count() % 2 == 1
}

/// Tests whether odd and even permutations of the corners are equally frequent.
pub fn parities(name: &str, cubes: &[Cube]) -> ChiSquare {
    let odd = cubes.iter().filter(|cube| is_odd(&cube.corners().map(Corner::index))).count();
    even(name, &[odd, cubes.len() - odd])
}

/// Runs every test that makes sense for a subset whose pieces move within groups of corners and groups of edges. `oriented` tells
/// whether corners are twisted and edges are flipped.
pub fn battery(cubes: &[Cube], corners: &[&[usize]], edges: &[&[usize]], oriented: [bool; 2]) -> Vec<ChiSquare> {
    let mut tests = Vec::new();
    for group in corners {
        tests.push(positions("corner positions", cubes, group, |cube, slot| cube.corners()[slot].index()));
        if oriented[0] {
            tests.push(orientations("corner twists", cubes, group, 3, |cube, slot| cube.twists()[slot]));
        }
    }
    for group in edges {
        tests.push(positions("edge positions", cubes, group, |cube, slot| cube.edges()[slot].index()));
        if oriented[1] {
            tests.push(orientations("edge flips", cubes, group, 2, |cube, slot| cube.flips()[slot]));
        }
    }
    tests
}
