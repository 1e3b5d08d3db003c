//! Random cubes.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::cubie::Cube;
use super::piece::{Corner, Edge, parity};

/// Returns a random cube, uniformly distributed over the 43 252 003 274 489 856 000 reachable ones.
pub fn random_cube(rng: &mut (impl Rng + ?Sized)) -> Cube {
    let (mut corners, mut edges) = (Corner::ALL, Edge::ALL);
    corners.shuffle(rng);
    edges.shuffle(rng);
    // Exchanging two edges pairs up the arrangements of either parity, so the distribution stays uniform.
    if parity(&corners.map(Corner::index)) != parity(&edges.map(Edge::index)) {
        edges.swap(0, 1);
    }
    // All orientations but the last are free; the last one corrects the sum.
    let mut twists: [u8; Corner::COUNT] = std::array::from_fn(|_| rng.random_range(0..3));
    twists[7] = (3 - twists[..7].iter().sum::<u8>() % 3) % 3;
    let mut flips: [u8; Edge::COUNT] = std::array::from_fn(|_| rng.random_range(0..2));
    flips[11] = flips[..11].iter().sum::<u8>() % 2;
    Cube::assemble(corners, twists, edges, flips)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    #[test]
    fn every_piece_comes_to_every_slot_in_every_way_about_equally_often() {
        const CUBES: usize = 24_000;
        let mut rng = StdRng::seed_from_u64(1);
        let (mut corners, mut edges) = ([[[0_usize; 3]; 8]; 8], [[[0_usize; 2]; 12]; 12]);
        let mut odd = 0_usize;
        for _ in 0..CUBES {
            let cube = random_cube(&mut rng);
            assert_eq!(cube.twists().iter().sum::<u8>() % 3, 0);
            assert_eq!(cube.flips().iter().sum::<u8>() % 2, 0);
            let parities = (parity(&cube.corners().map(Corner::index)), parity(&cube.edges().map(Edge::index)));
            assert_eq!(parities.0, parities.1);
            odd += usize::from(parities.0 == Some(true));
            for i in 0..8 {
                corners[i][cube.corners()[i].index()][usize::from(cube.twists()[i])] += 1;
            }
            for i in 0..12 {
                edges[i][cube.edges()[i].index()][usize::from(cube.flips()[i])] += 1;
            }
        }
        // Each of the 24 cases is expected 1000 times with a standard deviation of 31.
        let counts = corners.iter().flatten().flatten().chain(edges.iter().flatten().flatten());
        assert!(counts.into_iter().all(|n| n.abs_diff(CUBES / 24) < 160));
        assert!(odd.abs_diff(CUBES / 2) < 400);
    }
}
