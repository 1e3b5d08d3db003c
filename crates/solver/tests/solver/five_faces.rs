//! Checks the tables of five faces: their fallback, and against plain searches, which takes the whole build.

use std::fs::File;

use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::tables::store::file_bytes;
use superflip_solver::tables::{MetricTables, Trust, specs};

use crate::common::prelude::*;

fn turns() -> Vec<Move> {
    StepSet::FIVE_FACES.turns.moves().collect()
}

/// Without a complete and sound set of files, there are no tables of five faces, and the computed ones answer.
#[test]
fn incomplete_or_unsound_files_are_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let existing = |profile| {
        let found = MetricTables::existing_five_faces(folder.path(), profile, &Control::new());
        found.expect("no shortage").is_some()
    };
    let is_used = || [Profile::Standard, Profile::Small, Profile::Tiny].map(existing);
    assert_eq!(is_used(), [false; 3]);
    // Files of the right names and lengths, without entries.
    for spec in specs::five_faces(Profile::Small) {
        let file = File::create(file_of(folder.path(), spec.name)).expect("a file");
        file.set_len(file_bytes(spec)).expect("a sparse file");
    }
    assert_eq!(is_used(), [false; 3]);
    let turns = TurnSet::without(Face::L);
    let builder = Solver::builder().folder(folder.path()).turns(Metric::Htm, turns);
    let solution = builder.open().expect("computed tables").solve(Move::F.cube(), &Goal::shortest().turns(turns));
    assert_eq!(solution.expect("a solution").len(), 1);
}

/// Counts the values of a coordinate pair at each depth from solved, by a plain search over whole cubes.
fn counts(moves: &[Move], most: usize, value: impl Fn(&Cube) -> (u32, u32)) -> Vec<u64> {
    let mut seen = HashSet::from([value(&Cube::SOLVED)]);
    let mut layer = vec![Cube::SOLVED];
    let mut counts = vec![1];
    for _ in 0..most {
        let next = layer.iter().flat_map(|cube| moves.iter().map(move |mv| cube.then(mv.cube())));
        layer = next.filter(|cube| seen.insert(value(cube))).collect();
        counts.push(layer.len() as u64);
    }
    counts
}

/// Builds the tables of both profiles, and checks them and the answers with them.
#[test]
#[ignore = "takes two to five minutes, 3.5 GB of memory and 2.8 GB of disk"]
fn tables_of_five_faces_are_exact() {
    let mut rng = rng(72);
    let (turns, inside) = (turns(), turns().into_iter().filter(|mv| Move::PHASE_TWO.contains(mv)).collect::<Vec<_>>());
    let of = |coordinate: &Descriptor, cube: &Cube| coordinate.index(cube).expect("a value");
    let phase_one = counts(&turns, 5, |cube| (of(&TWIST, cube), of(&FLIP_SLICE, cube)));
    let phase_two = counts(&inside, 5, |cube| (of(&CORNER_PERM, cube), of(&UD_EDGES, cube)));
    let random = |rng: &mut _| random_cube(rng);
    for profile in [Profile::Small, Profile::Standard] {
        let folder = tables_folder();
        let tables = MetricTables::five_faces(Trust::Files, &folder, profile, &Control::new()).expect("tables");
        // Every state is counted once, and the first depths are those of plain searches.
        let histograms: Vec<Vec<u64>> = tables.list().iter().map(|info| info.depth_histogram.clone()).collect();
        assert_eq!(histograms[0].iter().sum::<u64>(), 2187 * 2048 * 495);
        assert_eq!(histograms[1].iter().sum::<u64>(), 40320 * 40320);
        assert_eq!((&histograms[0][..6], &histograms[1][..6]), (&phase_one[..], &phase_two[..]));
        // A distance that is 0 only at the end, and that the best turn lowers by one and no turn by more, is exact.
        for _ in 0..2000 {
            let cube = random(&mut rng);
            let own = tables.phase_one_distance(&cube);
            let next = turns.iter().map(|mv| tables.phase_one_distance(&cube.then(mv.cube()))).collect::<Vec<_>>();
            assert_eq!(next.iter().min(), Some(&own.saturating_sub(1)), "{cube:?}");
            assert!(own > 0 && next.iter().all(|&next| next <= own + 1), "{cube:?}");
            let inner =
                (0..200).fold(Cube::SOLVED, |cube, _| cube.then(inside[rng.random_range(0..inside.len())].cube()));
            let bound = |cube: &Cube| tables.phase_two_bound(cube).expect("a cube of the subgroup");
            let next = inside.iter().map(|mv| bound(&inner.then(mv.cube())));
            assert!(next.clone().all(|next| next.abs_diff(bound(&inner)) <= 1), "{inner:?}");
        }
        assert_eq!(tables.phase_two_bound(&Cube::SOLVED), Some(0));
        let solver = solver(&TINY).with_metrics([Arc::new(tables)]);
        for face in Face::ALL {
            let allowed = TurnSet::without(face);
            for number in 0..20 {
                let cube = random(&mut rng);
                let goal = Goal::default().target_length(0).turns(allowed).solutions(1 + number % 3);
                let search = solver.search(&cube, &goal).until(Instant::now() + Duration::from_millis(20));
                crate::turns::check(&cube, &goal, &search.finish().expect("a solution"));
            }
            crate::turns::near_positions_are_shortest(&solver, Metric::Htm, allowed, 4, &mut rng);
        }
    }
}
