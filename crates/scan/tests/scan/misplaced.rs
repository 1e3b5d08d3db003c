//! Colours of faces that were given in another arrangement: the arrangement is named, and no advice leads to another cube.

use crate::common::rng;
use crate::scan::check;
use superflip_cube::Cube;
use superflip_dev::camera::{LEVELS, real_scans, scan};
use superflip_scan::colours::{Likely, Samples, read_colours, read_colours_in_any_order, read_colours_in_any_rotation};

type Scan = [[u8; 3]; 54];

/// The faces in another order, given as letters of their places.
fn in_order(samples: &Scan, order: &str) -> Scan {
    let places: Vec<usize> = order.chars().map(|place| "URFDLB".find(place).expect("a face")).collect();
    std::array::from_fn(|at| samples[9 * places[at / 9] + at % 9])
}

/// Each face with its columns in reverse.
fn mirrored(samples: &Scan) -> Scan {
    std::array::from_fn(|at| samples[at / 3 * 3 + 2 - at % 3])
}

/// Mistakes of programs: the order of the faces, and whether they are mirrored.
const MISTAKES: [(&str, bool); 7] = [
    ("ULFRBD", false),
    ("DRFULB", false),
    ("FRBLUD", false),
    ("BDLFRU", false),
    ("URFDLB", true),
    ("FRBLUD", true),
    ("BDLFRU", true),
];

fn mistaken(samples: &Scan, (order, is_mirrored): (&str, bool)) -> Scan {
    let samples = in_order(samples, order);
    if is_mirrored { mirrored(&samples) } else { samples }
}

/// Numbers of scans by outcome.
#[derive(Default, Debug)]
struct Outcomes {
    /// Read as the cube.
    right: usize,
    /// Refused, and only the right arrangement is named.
    named: usize,
    /// Refused, and the right arrangement is named among others, none as certain.
    among: usize,
    /// Refused without advice on the arrangement.
    refused: usize,
    /// Refused with advice that leads to another cube.
    misled: usize,
    /// Read as another cube.
    wrong: usize,
}

impl Outcomes {
    /// Reads a scan in which the faces of `cube` are mistaken. `own` is the cube that is read without the mistake.
    fn add(&mut self, own: Option<Cube>, cube: Cube, given: &Samples) {
        let reading = read_colours(given);
        check(&reading);
        let advised = reading.advised();
        let leads_to = |other: &Likely| {
            let followed = read_colours(&given.arranged(&other.arrangement));
            (!followed.is_ambiguous).then_some(followed.cube)
        };
        let is_right = |other: &Likely| leads_to(other) == own;
        let count = match (reading.is_ambiguous, advised.as_slice()) {
            (false, _) if reading.cube == cube => &mut self.right,
            (false, _) => &mut self.wrong,
            (true, []) => &mut self.refused,
            (true, [only]) if is_right(only) => &mut self.named,
            (true, several) if several.len() > 1 && several.iter().any(is_right) => &mut self.among,
            _ => &mut self.misled,
        };
        *count += 1;
        assert!(advised.len() < 2 || advised.iter().all(|other| other.probability < 0.9), "{advised:?}");
    }
}

/// Number of scans for each mistake.
const COUNT: usize = 6;

/// Without the comparison of orders, the advice for such scans was to turn faces, and to follow it gave another cube for every second one.
#[test]
fn advice_on_the_arrangement_leads_to_no_other_cube() {
    let (mut refused, mut wrong_rotations) = (0, 0);
    for (level, seed) in LEVELS.iter().zip(61..) {
        let mut outcomes = MISTAKES.map(|_| Outcomes::default());
        let mut rng = rng(seed);
        for _ in 0..COUNT {
            let (cube, samples) = scan(level, &mut rng);
            let own = read_colours(&Samples::new(&samples));
            check(&own);
            let own = (!own.is_ambiguous).then_some(own.cube);
            for (mistake, outcomes) in MISTAKES.into_iter().zip(&mut outcomes) {
                let given = Samples::new(&mistaken(&samples, mistake));
                outcomes.add(own, cube, &given);
                let rotated = read_colours_in_any_rotation(&given);
                check(&rotated);
                wrong_rotations += usize::from(!rotated.is_ambiguous && rotated.cube != cube);
                if own == Some(cube) {
                    let reading = read_colours_in_any_order(&given);
                    check(&reading);
                    let (_, is_mirrored) = mistake;
                    // Reflections change the colours, so that a mirrored scan may be unnoticed. A right one is never called mirrored.
                    let is_noticed = is_mirrored && level.reflections == 0;
                    let found = reading.has_mirrored_colours();
                    assert!(found == is_noticed || (is_mirrored && found), "{mistake:?} at noise {}", level.noise);
                    assert!(!reading.is_ambiguous, "{mistake:?} at noise {}", level.noise);
                    if is_mirrored {
                        continue;
                    }
                    assert_eq!(reading.cube, cube, "{mistake:?} at noise {}", level.noise);
                    let arranged = given.arranged(&reading.arrangement);
                    assert_eq!(arranged, Samples::new(&samples), "{mistake:?} at noise {}", level.noise);
                }
            }
        }
        for (mistake, outcomes) in MISTAKES.iter().zip(outcomes) {
            let Outcomes { right, named, misled, wrong, .. } = outcomes;
            // The mirror image fits as well, so it is always named too.
            assert_eq!(
                (right, named, misled, wrong),
                (0, 0, 0, 0),
                "{mistake:?} at noise {}: {outcomes:?}",
                level.noise
            );
            refused += outcomes.refused;
        }
    }
    assert!(
        refused <= 20 && wrong_rotations <= 20,
        "{refused} refused without advice, {wrong_rotations} wrong in any rotation"
    );
}

/// Each arrangement that is advised has the cube that reading the scan in it gives, in particular a mirror image.
#[test]
fn an_advised_mirror_image_has_its_own_cube() {
    let mut rng = rng(67);
    for mistake in MISTAKES {
        let (cube, samples) = scan(&LEVELS[0], &mut rng);
        let given = Samples::new(&mistaken(&samples, mistake));
        let advised = read_colours(&given).advised();
        assert!(advised.len() >= 2 && advised.iter().any(|one| one.cube == cube), "{mistake:?}: {advised:?}");
        for one in advised {
            let followed = read_colours(&given.arranged(&one.arrangement));
            assert_eq!((followed.cube, followed.is_ambiguous), (one.cube, false), "{mistake:?}: {:?}", one.arrangement);
        }
    }
}

/// The solved ones show one colour on each face, so that its brightness is unknown.
#[test]
fn colours_of_real_cubes_are_not_mirrored() {
    for (name, _, squares) in real_scans().into_iter().filter(|(name, ..)| !name.starts_with("solved")) {
        assert!(!read_colours(&Samples::from_ulfrbd(&squares)).has_mirrored_colours(), "{name}");
    }
}
