//! The cubes of each subset: how many there are, that each has one number, and that all are drawn equally often.

use superflip_solver::search::scramble::{Cross, RandomStates, ScrambleError, Subset};

use crate::common::chi_square::{ChiSquare, battery, even, is_odd, parities};
use crate::common::prelude::*;

const CORNERS: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
const EDGES: [usize; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

fn subset(name: &str) -> Subset {
    name.parse().unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn drawn(subset: Subset, seed: &str, count: usize) -> Vec<Cube> {
    let mut states = RandomStates::new(subset, Some(seed), 2).unwrap();
    (0..count).map(|_| states.next_cube().unwrap()).collect()
}

/// Cubes: 43 252 003 274 489 856 000; 4b3 leaves 43 252 003 274 489 855 981. Edge orientations: 2^11. Cubes in the subgroup
/// of Kociemba's phase 2: 19 508 428 800. Cubes in the square group: 663 552. Last layers: 62 208. Corners alone and edges alone:
/// half of 88 179 840 and of 980 995 276 800, because the parity of the other pieces is even.
#[test]
fn sizes_are_as_published() {
    let all = 43_252_003_274_489_856_000;
    let published = [
        ("all", all, 19),
        ("edges", 980_995_276_800 / 2, 1),
        ("corners", 88_179_840 / 2, 1),
        ("last_layer", 62_208, 4),
        // Four edges of the cross: 12 * 11 * 10 * 9 slots, 2^4 flips.
        ("after_cross", all / 190_080, 4),
        // Five corners and five edges.
        ("last_slot", 120 * 120 / 2 * 81 * 16, 4),
        ("zbll", 24 * 24 / 2 * 27, 4),
        ("pll", 24 * 24 / 2, 4),
        ("eo", all / 2048, 15),
        ("eo_ud", all / 2048, 15),
        ("dr", 19_508_428_800, 11),
        ("dr_rl", 19_508_428_800, 11),
        ("htr", 663_552, 7),
        // A 3-cycle of edges in two directions or none, with an even number of flips.
        ("UF UB UR", 3 * 4, 1),
        ("UF UB", 2, 1),
        ("URF DLF", 3, 1),
        ("URF UFL UF UL", 2 * 3 * 2, 1),
    ];
    for (name, size, near) in published {
        let subset = subset(name);
        assert_eq!(subset.size(), size, "{name}");
        assert_eq!(RandomStates::new(subset, None, 2).unwrap().count(), size - near, "{name}");
        assert!(subset.state(0).unwrap().is_solved(), "{name}");
        assert!(subset.state(size - 1).is_some() && subset.state(size).is_none(), "{name}");
    }
}

/// The place of one sticker of each piece, in six bits each. It determines the cube.
type Packed = u128;

/// The places in the sticker model of the reference stickers of all pieces.
fn reference_stickers() -> Vec<usize> {
    let corners = crate::common::slots::CORNERS.map(|slot| slot[0]);
    let edges = crate::common::slots::EDGES.map(|slot| slot[0]);
    corners.iter().chain(&edges).map(|name| crate::common::slots::facelet(name)).collect()
}

fn pack(places: impl Iterator<Item = usize>) -> Packed {
    places.fold(0, |packed, place| packed << 6 | place as Packed)
}

/// Counts by distance: Jaap Scherphuis, "Cube subgroups", squares group.
#[test]
fn half_turn_cubes_are_exactly_those_that_half_turns_reach() {
    let marks: String = (0..54).map(|i| char::from_u32(0x100 + i).unwrap()).collect();
    let moves = ["U2", "R2", "F2", "D2", "L2", "B2"].map(|mv| {
        let mut goes_to = [0; 54];
        for (at, mark) in stickers::apply(&marks, mv).chars().enumerate() {
            goes_to[mark as usize - 0x100] = at;
        }
        goes_to
    });
    let solved = pack(reference_stickers().into_iter());
    let mut reached = HashSet::from([solved]);
    let mut frontier = vec![solved];
    let mut counts = Vec::new();
    while !frontier.is_empty() {
        counts.push(frontier.len());
        let mut next = Vec::new();
        for packed in &frontier {
            for mv in &moves {
                let after = pack((0..20).rev().map(|i| mv[(packed >> (6 * i) & 63) as usize]));
                if reached.insert(after) {
                    next.push(after);
                }
            }
        }
        frontier = next;
    }
    let published =
        [1, 6, 27, 120, 519, 1932, 6484, 20310, 55034, 113_892, 178_495, 179_196, 89_728, 16_176, 1488, 144];
    assert_eq!(counts, published);
    assert_eq!(reached.len(), 663_552);
    for number in 0..Subset::HalfTurns.size() {
        let cube = Subset::HalfTurns.state(number).unwrap();
        let from = cube.to_facelet_permutation();
        let mut goes_to = [0; 54];
        from.iter().enumerate().for_each(|(at, &sticker)| goes_to[usize::from(sticker)] = at);
        let packed = pack(reference_stickers().into_iter().map(|sticker| goes_to[sticker]));
        // Removing proves that no cube has two numbers.
        assert!(reached.remove(&packed), "{number}: {cube:?}");
    }
    assert!(reached.is_empty());
}

#[test]
fn last_layers_are_distinct_and_keep_the_other_layers_solved() {
    let layers: Vec<usize> =
        (0..54).filter(|i| *i >= 9 && !matches!(i, 9..=11 | 18..=20 | 36..=38 | 45..=47)).collect();
    let solved: Vec<char> = stickers::SOLVED.chars().collect();
    let mut known = HashSet::new();
    for number in 0..62_208 {
        let cube = Subset::LAST_LAYER.state(number).unwrap();
        let shown: Vec<char> = letters(&cube).chars().collect();
        assert!(layers.iter().all(|&i| shown[i] == solved[i]), "{number}");
        assert!(known.insert(cube), "{number}");
    }
    for cube in known.iter().step_by(500) {
        assert_eq!(Cube::from_facelets(&letters(cube)), Ok(*cube));
    }
}

/// Returns all arrangements of these pieces in these slots, as replaced-by arrays.
fn arrangements(slots: &[usize], count: u32) -> Vec<Vec<u32>> {
    let mut out = vec![(0..count).collect::<Vec<u32>>()];
    for (at, &a) in slots.iter().enumerate() {
        let swapped = out.iter().flat_map(|array| {
            slots[at..].iter().map(|&b| {
                let mut array = array.clone();
                array.swap(a, b);
                array
            })
        });
        out = swapped.collect();
    }
    out
}

/// Returns all orientations of these slots.
fn all_orientations(slots: &[usize], count: usize, ways: u32) -> Vec<Vec<u32>> {
    slots.iter().fold(vec![vec![0; count]], |out, &slot| {
        let moved = out.iter().flat_map(|array| {
            (0..ways).map(move |way| {
                let mut array = array.clone();
                array[slot] = way;
                array
            })
        });
        moved.collect()
    })
}

#[test]
fn sets_of_pieces_have_every_possible_cube_and_no_other() {
    for names in
        ["UF UB", "UF UB UR", "URF DLF", "URF UFL ULB", "URF UFL UF UL", "URF UFL UF", "URF UF UL DB", "DR BL BR FL"]
    {
        let subset = subset(names);
        let Subset::Pieces(set) = subset else { panic!("{names} is a set of pieces") };
        let corners = set.corner_indices();
        let edges = set.edge_indices();
        let mut possible = HashSet::new();
        for cp in arrangements(&corners, 8) {
            for co in all_orientations(&corners, 8, 3) {
                for ep in arrangements(&edges, 12) {
                    for eo in all_orientations(&edges, 12, 2) {
                        possible.extend(Cube::from_cubies(&cp, &co, &ep, &eo));
                    }
                }
            }
        }
        let numbered: Vec<Cube> = (0..subset.size()).map(|number| subset.state(number).unwrap()).collect();
        assert_eq!(numbered.len(), possible.len(), "{names}");
        assert_eq!(numbered.into_iter().collect::<HashSet<_>>(), possible, "{names}");
    }
}

/// Moves that keep edges oriented or the domino reduced lead from cube to cube of the subset; any other move leaves it.
#[test]
fn subgroups_are_closed_under_their_moves_and_no_others() {
    let tables = small_tables();
    for axis in Axis::ALL {
        let eo = Subset::OrientedEdges(axis);
        let dr = Subset::DominoReduction(axis);
        let is_half = |mv: Move| mv.quarters() == 2;
        let is_along = |mv: Move| mv.face().axis() == axis;
        for subset in [eo, dr, Subset::HalfTurns] {
            let keeps = |mv: Move| {
                is_half(mv)
                    || match subset {
                        Subset::OrientedEdges(_) => !is_along(mv),
                        Subset::DominoReduction(_) => is_along(mv),
                        _ => false,
                    }
            };
            let moves: Vec<Move> = Move::ALL.into_iter().filter(|mv| keeps(*mv)).collect();
            let mut rng = rng(7);
            let walked = (0..200).map(|_| walk(&mut rng, 40, &moves));
            for cube in walked.chain(drawn(subset, "closed", 200)) {
                assert!(subset.contains(&cube), "{subset}");
                for mv in Move::ALL {
                    assert_eq!(subset.contains(&cube.then(mv.cube())), keeps(mv), "{subset} {mv}");
                }
            }
        }
        // The tables of the search agree on where phase 1 ends.
        for cube in drawn(dr, "search", 100) {
            assert_eq!(tables.inspect(&cube)[axis.index()].phase_one_distance, 0, "{axis:?}");
        }
    }
}

/// Asserts that all tests pass at a significance level of 0.01. All samples come from fixed seeds.
fn assert_passes(name: &str, tests: &[ChiSquare]) {
    assert!(!tests.is_empty());
    for test in tests {
        assert!(test.passes(), "{name}: {test:?} exceeds {}", test.critical());
    }
}

/// Returns the edges without a sticker on the faces of an axis, and the others.
fn slice(axis: Axis) -> (Vec<usize>, Vec<usize>) {
    let is_in = |edge: &usize| Edge::ALL[*edge].faces().iter().all(|face: &Face| face.axis() != axis);
    EDGES.into_iter().partition(is_in)
}

/// A subset, the groups of its corners and edges, and whether its corners are twisted and its edges flipped.
type Case<'a> = (&'a str, &'a [&'a [usize]], &'a [&'a [usize]], [bool; 2]);

#[test]
fn ten_thousand_cubes_of_each_subset_pass_chi_square_tests() {
    let first: &[usize] = &[0, 1, 2, 3];
    let (ud, not_ud) = slice(Axis::Ud);
    let (rl, not_rl) = slice(Axis::Rl);
    let (fb, _) = slice(Axis::Fb);
    let tetrads: [&[usize]; 2] = [&[0, 2, 5, 7], &[1, 3, 4, 6]];
    let cases: [Case<'_>; 12] = [
        ("all", &[&CORNERS], &[&EDGES], [true, true]),
        ("edges", &[], &[&EDGES], [true, true]),
        ("corners", &[&CORNERS], &[], [true, true]),
        ("last_layer", &[first], &[first], [true, true]),
        ("zbll", &[first], &[first], [true, false]),
        ("pll", &[first], &[first], [false, false]),
        ("eo", &[&CORNERS], &[&EDGES], [true, false]),
        ("eo_ud", &[&CORNERS], &[&EDGES], [false, false]),
        ("dr", &[&CORNERS], &[&ud, &not_ud], [false, false]),
        ("dr_rl", &[&CORNERS], &[&rl, &not_rl], [false, false]),
        ("htr", &tetrads, &[&ud, &rl, &fb], [false, false]),
        ("URF ULB DLF UF UL FR FL", &[&[0, 2, 5]], &[&[1, 2, 8, 9]], [true, true]),
    ];
    for (name, corners, edges, oriented) in cases {
        let cubes = drawn(subset(name), "chi-square", 10_000);
        assert_passes(name, &battery(&cubes, corners, edges, oriented));
        // Pieces with nothing of the other kind to exchange are permuted evenly. So are the corners and the edges by half turns.
        if !corners.is_empty() && !edges.is_empty() && name != "htr" {
            assert_passes(name, &[parities("parity", &cubes)]);
        } else {
            assert!(cubes.iter().all(|cube| !is_odd(&cube.corners().map(Corner::index))));
            assert!(cubes.iter().all(|cube| !is_odd(&cube.edges().map(Edge::index))));
        }
    }
}

/// Seven edges and six corners move; the corners are permuted by a group of order 120, which takes each corner to each of its slots
/// equally often (73 483 200 = 120 * 7! * 3^5 / 2).
#[test]
fn cubes_of_two_faces_pass_chi_square_tests() {
    let mut states = RandomStates::of_turns(TurnSet::of_faces([Face::R, Face::U]), Some("chi-square"), 2).unwrap();
    assert_eq!(states.count(), 73_483_200 - 7);
    let cubes: Vec<Cube> = (0..10_000).map(|_| states.next_cube().unwrap()).collect();
    assert_passes("RU", &battery(&cubes, &[&[0, 1, 2, 3, 4, 7]], &[&[0, 1, 2, 3, 4, 8, 11]], [true, false]));
    let fixed = |cube: &Cube| {
        [5, 6].iter().all(|&slot| cube.corners()[slot].index() == slot)
            && [5, 6, 7, 9, 10].iter().all(|&slot| cube.edges()[slot].index() == slot)
    };
    assert!(cubes.iter().all(fixed));
}

/// The length of the cross is that of a plain search for it.
#[test]
fn crosses_have_the_length_that_was_requested() {
    let cross = |cube: &Cube| {
        [Edge::Dr, Edge::Df, Edge::Dl, Edge::Db].map(|edge| {
            let slot = cube.edges().iter().position(|piece| *piece == edge).unwrap();
            (slot, cube.flips()[slot])
        })
    };
    // The crosses at most three moves from solved, by the distance.
    let mut known = HashMap::from([(cross(&Cube::SOLVED), 0)]);
    let mut frontier = vec![Cube::SOLVED];
    for depth in 1..=3 {
        let mut next = Vec::new();
        for cube in &frontier {
            for mv in Move::ALL {
                let after = cube.then(mv.cube());
                known.entry(cross(&after)).or_insert_with(|| {
                    next.push(after);
                    depth
                });
            }
        }
        frontier = next;
    }
    for length in 1..=8 {
        let states = RandomStates::new(Subset::ALL, Some("cross"), 2).unwrap();
        let mut states = states.with_cross(Some(Cross { face: Face::D, length }));
        for _ in 0..3 {
            let cube = states.next_cube().unwrap();
            match known.get(&cross(&cube)) {
                Some(&found) => assert_eq!(found, length),
                None => assert!(length > 3, "{length}"),
            }
        }
    }
}

/// The tests find faults.
#[test]
fn a_biased_shuffle_fails_the_chi_square_test() {
    let biased: Vec<Cube> = drawn(Subset::CORNERS, "biased", 10_000)
        .into_iter()
        .map(|cube| {
            // One corner is at home in a quarter of the cubes instead of an eighth.
            let home = cube.corners()[..2].contains(&Corner::Urf);
            if home { Cube::SOLVED } else { cube }
        })
        .collect();
    assert!(battery(&biased, &[&CORNERS], &[], [true, false]).iter().any(|test| !test.passes()));
}

#[test]
fn last_layers_two_moves_away_are_drawn_equally_often() {
    let mut counts: HashMap<Cube, usize> = HashMap::new();
    for cube in drawn(Subset::LAST_LAYER, "every", 12 * 62_204) {
        *counts.entry(cube).or_default() += 1;
    }
    assert!(!counts.contains_key(&Cube::SOLVED));
    assert!([Move::U, Move::U2, Move::Ui].iter().all(|mv| !counts.contains_key(mv.cube())));
    // With a mean of 12, a cube is missed with a probability of 6e-6.
    let missed = 62_204 - counts.len();
    assert!(missed < 5, "{missed}");
    let counts: Vec<usize> = counts.into_values().chain(std::iter::repeat_n(0, missed)).collect();
    assert_passes("last layer", &[even("cubes", &counts)]);
}

#[test]
fn names_of_subsets_are_read_and_written() {
    for (name, named) in Subset::NAMED {
        assert_eq!(subset(name), named);
        assert_eq!(subset(&named.to_string()), named);
    }
    assert_eq!(subset("eo"), Subset::OrientedEdges(Axis::Fb));
    assert_eq!(subset("RUF,FU LU").to_string(), "URF UF UL");
    assert_eq!(subset("URF UFL ULB UBR UR UF UL UB"), Subset::LAST_LAYER);
    for (text, message) in [
        ("", "no piece is named; name at least two corners or two edges, such as `UF UB`"),
        ("UF UX", "`UX` is not a piece; a piece is named by its faces, such as UF for an edge and URF for a corner"),
        ("UF UD", "`UD` is not a piece; a piece is named by its faces, such as UF for an edge and URF for a corner"),
        ("UF FU", "the piece `FU` is named twice; name each piece once"),
        (
            "zbls",
            "`zbls` is not a subset; expected one of: all, edges, corners, after_cross, last_slot, last_layer, zbll, pll, eo, eo_ud, eo_rl, eo_fb, dr, dr_ud, dr_rl, dr_fb, htr, or pieces such as `UF UB URF`",
        ),
    ] {
        assert_eq!(text.parse::<Subset>().map_err(|e| e.to_string()), Err(message.to_owned()));
    }
}

#[test]
fn pieces_that_cannot_move_are_refused() {
    for names in ["UF", "URF", "URF UF"] {
        let Err(error) = RandomStates::new(subset(names), None, 2) else { panic!("{names}") };
        assert_eq!(error, ScrambleError::NothingMoves { pieces: names.to_owned() });
        assert!(error.to_string().contains("name at least two corners or two edges"), "{error}");
    }
}
