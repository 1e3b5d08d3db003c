//! Maps of the columns of a coset table: the effect of each symmetry and move.

use rayon::prelude::*;

use super::orientation_set::OrientationSet;
use crate::coord::coset::{EdgeColumns, EdgeMap};
use superflip_cube::{Move, Symmetry};

/// The effect of one symmetry or move on the columns.
pub(crate) struct ColumnMap<S: OrientationSet> {
    /// Image of each separation.
    to: Vec<u16>,
    /// Map of the orientations within each separation.
    maps: Vec<S::Map>,
}

impl<S: OrientationSet> ColumnMap<S> {
    fn of(columns: &EdgeColumns, map: &EdgeMap) -> Self {
        let after = |separation, orientation| columns.split(map.apply(columns.join(separation, orientation)));
        let separations = 0..columns.kind().separations() as u16;
        Self {
            to: separations.clone().map(|separation| after(separation, 0).0).collect(),
            maps: separations.map(|separation| S::map(|orientation| after(separation, orientation).1)).collect(),
        }
    }

    /// Returns the composition: first `self`, then `next`.
    fn then(&self, next: &Self) -> Self {
        let maps = self.to.iter().zip(&self.maps).map(|(&to, map)| {
            let second = &next.maps[usize::from(to)];
            S::map(|orientation| S::image(second, S::image(map, orientation)))
        });
        Self { to: self.to.iter().map(|&to| next.to[usize::from(to)]).collect(), maps: maps.collect() }
    }

    /// Returns the image of a separation and an orientation.
    pub(crate) fn image(&self, separation: u16, orientation: u16) -> (u16, u16) {
        let at = usize::from(separation);
        (self.to[at], S::image(&self.maps[at], orientation))
    }

    /// Adds the images of the orientation sets of one row to those of another.
    pub(crate) fn add_images(&self, from: &[S], to: &mut [S]) {
        for ((set, target), map) in from.iter().zip(&self.to).zip(&self.maps) {
            if !set.is_empty() {
                to[usize::from(*target)].add_images(*set, map);
            }
        }
    }
}

/// The effects of every symmetry, and of every symmetry followed by a move.
pub(crate) struct OrientationShuffles<S: OrientationSet> {
    symmetries: Vec<ColumnMap<S>>,
    /// Map of a symmetry followed by a move, at `18 * symmetry + move`.
    moved: Vec<ColumnMap<S>>,
}

impl<S: OrientationSet> OrientationShuffles<S> {
    pub(crate) fn new(columns: &EdgeColumns) -> Self {
        assert_eq!(columns.kind().orientation.bits(), S::BITS, "the set has one bit for each orientation");
        let all: Vec<Symmetry> = Symmetry::all().collect();
        let symmetries: Vec<ColumnMap<S>> =
            all.par_iter().map(|&symmetry| ColumnMap::of(columns, &EdgeMap::of_symmetry(symmetry))).collect();
        let moves: Vec<ColumnMap<S>> =
            Move::ALL.par_iter().map(|&mv| ColumnMap::of(columns, &EdgeMap::of_move(mv))).collect();
        let moved = (0..Symmetry::COUNT * Move::COUNT)
            .into_par_iter()
            .map(|at| symmetries[at / Move::COUNT].then(&moves[at % Move::COUNT]))
            .collect();
        Self { symmetries, moved }
    }

    /// Returns the effect of a symmetry.
    pub(crate) fn seen(&self, symmetry: Symmetry) -> &ColumnMap<S> {
        &self.symmetries[symmetry.index()]
    }

    /// Returns the effect of a symmetry followed by a move.
    pub(crate) fn seen_then(&self, symmetry: Symmetry, mv: Move) -> &ColumnMap<S> {
        &self.moved[symmetry.index() * Move::COUNT + mv.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::coset::{EdgeKind, EdgeReader, Orientation};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use superflip_cube::random_cube;

    fn check<S: OrientationSet>(relabelled: bool, orientation: Orientation) {
        let columns = EdgeColumns::new(EdgeKind { relabelled, orientation });
        let shuffles = OrientationShuffles::<S>::new(&columns);
        let reader = EdgeReader::default();
        let mut rng = StdRng::seed_from_u64(5);
        for _ in 0..5000 {
            let cube = random_cube(&mut rng);
            let symmetry = Symmetry::try_from_index(rng.random_range(0..48)).unwrap_or(Symmetry::IDENTITY);
            let mv = Move::ALL[rng.random_range(0..18)];
            let (separation, orientation) = columns.split(reader.of_cube(&cube));
            let seen = symmetry.conjugate(&cube);
            assert_eq!(shuffles.seen(symmetry).image(separation, orientation), columns.split(reader.of_cube(&seen)));
            assert_eq!(
                shuffles.seen_then(symmetry, mv).image(separation, orientation),
                columns.split(reader.of_cube(&seen.then(mv.cube())))
            );
        }
    }

    #[test]
    fn shuffles_follow_the_cubies() {
        check::<u8>(false, Orientation::Parities);
        check::<[u64; 4]>(true, Orientation::Sliced);
    }
}
