//! Colours of faces that were given in another arrangement: the arrangement is named, and no advice leads to another cube.

use crate::common::rng;
use crate::scan::check;
use superflip_cube::Cube;
use superflip_dev::camera::{LEVELS, scan};
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

/// Mistakes of programs. `None` is a mirrored scan.
const MISTAKES: [Option<&str>; 5] = [Some("ULFRBD"), Some("DRFULB"), Some("FRBLUD"), Some("BDLFRU"), None];

fn mistaken(samples: &Scan, mistake: Option<&str>) -> Scan {
    mistake.map_or_else(|| mirrored(samples), |order| in_order(samples, order))
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
                if mistake.is_some() && own == Some(cube) {
                    let reading = read_colours_in_any_order(&given);
                    check(&reading);
                    assert_eq!(
                        (reading.cube, reading.is_ambiguous),
                        (cube, false),
                        "{mistake:?} at noise {}",
                        level.noise
                    );
                    let arranged = given.arranged(&reading.arrangement);
                    assert_eq!(arranged, Samples::new(&samples), "{mistake:?} at noise {}", level.noise);
                }
            }
        }
        for (mistake, outcomes) in MISTAKES.iter().zip(outcomes) {
            let Outcomes { right, named, among, misled, wrong, .. } = outcomes;
            assert_eq!((right, misled, wrong), (0, 0, 0), "{mistake:?} at noise {}: {outcomes:?}", level.noise);
            // The mirror image of these two looks the same.
            let is_twofold = matches!(mistake, Some("DRFULB") | None);
            assert_eq!(if is_twofold { named } else { among }, 0, "{mistake:?} at noise {}: {outcomes:?}", level.noise);
            refused += outcomes.refused;
        }
    }
    assert!(
        refused <= 15 && wrong_rotations <= 15,
        "{refused} refused without advice, {wrong_rotations} wrong in any rotation"
    );
}
