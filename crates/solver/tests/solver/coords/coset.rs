//! Checks the cosets of tetrads and slices against stickers, published counts and group theory.

use superflip_cube::geometry::{CORNER_FACELETS, EDGE_FACELETS};
use superflip_solver::coord::coset::{CornerCosets, CornerKind, EdgeKind, Orientation};
use superflip_solver::symmetry::coset::{CornerClasses, CosetCell, CosetIndex, CosetKind};

use crate::common::prelude::*;

/// The label of one slot, read off the stickers: the kind of piece, and for each axis (0..3) with a sticker at home, the
/// axis of that sticker now.
type Label = (usize, [Option<usize>; 3]);

fn labels<const N: usize>(cube: &Cube, slots: &[[usize; N]], kind: impl Fn(&[usize]) -> usize) -> Vec<Label> {
    let from = cube.to_facelet_permutation();
    let label = |facelets: &[usize; N]| {
        let faces: Vec<usize> = facelets.iter().map(|&place| usize::from(from[place]) / 9).collect();
        let mut lies = [None; 3];
        for (face, place) in faces.iter().zip(facelets) {
            lies[face % 3] = Some(place / 9 % 3);
        }
        (kind(&faces), lies)
    };
    slots.iter().map(label).collect()
}

/// The tetrad of a corner is the parity of its stickers among D, L and B.
fn corner_labels(cube: &Cube) -> Vec<Label> {
    labels(cube, &CORNER_FACELETS, |faces| faces.iter().filter(|&&face| face >= 3).count() % 2)
}

/// The labels after the axes of the pieces at home were renamed; an odd permutation exchanges the tetrads.
fn relabelled(labels: &[Label], axes: [usize; 3]) -> Vec<Label> {
    let odd = usize::from((0..3).filter(|&axis| axes[axis] == axis).count() == 1);
    let one = |&(kind, lies): &Label| {
        let mut renamed = [None; 3];
        for axis in 0..3 {
            renamed[axes[axis]] = lies[axis];
        }
        (kind ^ odd, renamed)
    };
    labels.iter().map(one).collect()
}

/// The coset of the corners as a set of stickers: the least of all ways to write the labels.
fn corner_key(cube: &Cube, kind: CornerKind) -> Vec<Label> {
    let axes: &[[usize; 3]] = match kind {
        CornerKind::Tetrads => &[[0, 1, 2]],
        CornerKind::Turned => &[[0, 1, 2], [1, 2, 0], [2, 0, 1]],
        CornerKind::Relabelled => &[[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]],
    };
    let own = corner_labels(cube);
    axes.iter().map(|&axes| relabelled(&own, axes)).min().expect("some way")
}

#[test]
fn corner_cosets_are_those_of_the_stickers() {
    let mut rng = rng(31);
    for kind in CornerKind::ALL {
        let cosets = CornerCosets::new(kind);
        assert_eq!(cosets.index(&Cube::SOLVED), 0);
        let mut keys = HashSet::new();
        for coset in 0..kind.size() {
            let cube = cosets.representative(coset);
            assert_eq!(cosets.index(&cube), coset);
            assert!(keys.insert(corner_key(&cube, kind)), "{kind:?}: {coset} has the stickers of another");
        }
        for _ in 0..2000 {
            let cube = scrambled(&mut rng);
            let same = cosets.representative(cosets.index(&cube));
            assert_eq!(corner_key(&cube, kind), corner_key(&same, kind));
        }
    }
}

#[test]
fn there_are_as_many_corner_cosets_and_classes_as_published() {
    for (kind, cosets, count) in
        [(CornerKind::Tetrads, 153_090, 3393), (CornerKind::Turned, 51030, 1184), (CornerKind::Relabelled, 25515, 630)]
    {
        assert_eq!(kind.size(), cosets);
        let classes = CornerClasses::new(kind);
        assert_eq!(classes.len(), count);
        // Orbit and stabiliser.
        let orbits: u64 = (0..count as u32).map(|class| classes.orbit(class)).sum();
        assert_eq!(orbits, u64::from(cosets));
        let mut reached = vec![0_u64; count];
        for coset in 0..cosets {
            let class = classes.of(coset);
            reached[class.class as usize] += 1;
            let seen = class.symmetry.conjugate(&classes.cosets().representative(coset));
            let representative = classes.cosets().index(&classes.representative(class.class));
            assert_eq!(classes.cosets().index(&seen), representative);
        }
        assert!((0..count as u32).all(|class| reached[class as usize] == classes.orbit(class)));
    }
}

fn members() -> Vec<CosetKind> {
    let edges = [false, true]
        .into_iter()
        .flat_map(|relabelled| Orientation::ALL.map(|orientation| EdgeKind { relabelled, orientation }));
    edges.flat_map(|edges| CornerKind::ALL.map(|corners| CosetKind { corners, edges })).collect()
}

/// Labels of the edges: the least of all equivalent ones for this kind.
fn edge_key(cube: &Cube, kind: EdgeKind) -> (Vec<usize>, Vec<bool>) {
    let faces_missing = |faces: &[usize]| 3 - faces.iter().map(|face| face % 3).sum::<usize>();
    let own = labels(cube, &EDGE_FACELETS, faces_missing);
    let home = labels(&Cube::SOLVED, &EDGE_FACELETS, faces_missing);
    let all: Vec<[usize; 3]> = vec![[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let written = |axes: [usize; 3]| {
        let slices: Vec<usize> = own.iter().map(|&(slice, _)| axes[slice]).collect();
        let crooked: Vec<bool> = own
            .iter()
            .zip(&home)
            .map(|(&(slice, lies), &(slot, _))| {
                // The sticker of an axis that neither the slice nor the slot lacks, after the renaming.
                let shared = (0..3).find(|&axis| axes[axis] != axes[slice] && axes[axis] != slot);
                let shared = shared.expect("at most two of three are excluded");
                lies[shared] != Some(axes[shared])
            })
            .collect();
        (slices, crooked)
    };
    let coarser = |(slices, mut crooked): (Vec<usize>, Vec<bool>)| {
        for slice in 0..3 {
            let slots: Vec<usize> = (0..12).filter(|&slot| slices[slot] == slice).collect();
            match kind.orientation {
                Orientation::Full => {}
                Orientation::Sliced => {
                    if crooked[slots[0]] {
                        for slot in slots {
                            crooked[slot] = !crooked[slot];
                        }
                    }
                }
                Orientation::Parities => {
                    let odd = slots.iter().filter(|&&slot| crooked[slot]).count() % 2 == 1;
                    for &slot in &slots {
                        crooked[slot] = false;
                    }
                    crooked[slots[0]] = odd;
                }
            }
        }
        (slices, crooked)
    };
    let ways = if kind.relabelled { &all[..] } else { &all[..1] };
    ways.iter().map(|&axes| coarser(written(axes))).min().expect("some way")
}

#[test]
fn edge_cosets_are_those_of_the_stickers() {
    let mut rng = rng(32);
    for member in members().into_iter().step_by(CornerKind::ALL.len()) {
        let index = CosetIndex::new(member);
        let columns = index.columns();
        let at = |column: u32| index.representative(CosetCell { row: 0, column });
        // Different numbers, different stickers: all of them where there are few, else a stretch of them.
        let keys: BTreeSet<_> =
            (0..columns.kind().size().min(40_000)).map(|x| edge_key(&at(x), member.edges)).collect();
        assert_eq!(keys.len() as u32, columns.kind().size().min(40_000), "{member:?}");
        for _ in 0..3000 {
            let cube = scrambled(&mut rng);
            let place = index.all_of_cube(&cube);
            let symmetry = index.classes().of(index.classes().cosets().index(&cube)).symmetry;
            // The same stickers as a representative's, both as seen from the class of the corners.
            let seen = symmetry.conjugate(&cube);
            let key = edge_key(&seen, member.edges);
            assert!(place.iter().any(|place| edge_key(&at(place.column), member.edges) == key), "{member:?}");
        }
    }
    assert_eq!(EdgeKind { relabelled: false, orientation: Orientation::Full }.size(), 34650 * 2048);
    assert_eq!(Axis::COUNT, 3);
}

#[test]
fn moves_and_symmetries_lead_from_coset_to_coset() {
    let mut rng = rng(33);
    for member in members() {
        let index = CosetIndex::new(member);
        let places =
            |cube: &Cube| index.all_of_cube(cube).into_iter().map(|p| (p.row, p.column)).collect::<BTreeSet<_>>();
        for _ in 0..20 {
            let cube = scrambled(&mut rng);
            let class = index.classes().of(index.classes().cosets().index(&cube));
            let same = class.symmetry.inverse().conjugate(&index.representative(index.of_cube(&cube)));
            assert_ne!(same, cube, "equal only by an unlikely accident");
            assert!(places(&cube).contains(&{
                let place = index.of_cube(&cube);
                (place.row, place.column)
            }));
            for mv in Move::ALL {
                assert_eq!(places(&cube.then(mv.cube())), places(&same.then(mv.cube())), "{member:?} {mv}");
            }
            for symmetry in Symmetry::all() {
                // Normalised by the symmetry: what it makes of the coset depends on the coset alone; and as symmetric
                // cubes stand in one place, it is the same again.
                assert_eq!(places(&symmetry.conjugate(&cube)), places(&cube), "{member:?} {symmetry:?}");
                let mv = Move::ALL[rng.random_range(0..18)];
                let one = symmetry.conjugate(&cube);
                let other = symmetry.conjugate(&same);
                assert_eq!(places(&one.then(mv.cube())), places(&other.then(mv.cube())));
            }
        }
    }
}

#[test]
fn half_turns_lie_in_the_subgroup() {
    let mut rng = rng(34);
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|mv| mv.quarters() == 2).collect();
    for member in members() {
        let index = CosetIndex::new(member);
        let home = CosetCell { row: 0, column: 0 };
        assert_eq!(index.of_cube(&Cube::SOLVED), home);
        for _ in 0..20 {
            assert_eq!(index.of_cube(&walk(&mut rng, 30, &half_turns)), home);
            let cube = scrambled(&mut rng);
            let inverse = |mv: Move| index.of_cube(&cube.then(mv.cube()).inverse());
            for mv in Move::ALL {
                match mv.quarters() {
                    1 => assert_eq!(inverse(mv), inverse(mv.inverse())),
                    2 => assert_eq!(inverse(mv), index.of_cube(&cube.inverse())),
                    _ => {}
                }
            }
        }
        for mv in Move::ALL {
            let place = index.of_cube(mv.cube());
            assert_eq!(place == home, mv.quarters() == 2, "{mv}");
            assert_eq!(place, index.of_cube(mv.inverse().cube()));
        }
    }
}
