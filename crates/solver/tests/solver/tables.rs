//! Checks tables against the cubies, published counts, and damaged files.

use std::os::unix::fs::FileExt;

use superflip_solver::symmetry::SymCoordinate;
use superflip_solver::tables::pruning::layers::COLUMNS;
use superflip_solver::tables::pruning::packed;
use superflip_solver::tables::pruning::phase_one::{TWISTS, masked_distance};
use superflip_solver::tables::pruning::phase_two::level;
use superflip_solver::tables::verify::PHASE_ONE_DISTRIBUTION;
use tempfile::TempDir;

use crate::common::prelude::*;

fn value(coordinate: &Descriptor, cube: &Cube) -> usize {
    (coordinate.index)(cube).expect("valid here") as usize
}

/// No distribution is published for corners and slice edges of phase 2 alone, so it is counted here from the cubies,
/// without coordinates.
fn count_corners_and_slice() -> Vec<u64> {
    let key = |cube: &Cube| {
        let corners = cube.corners().iter().fold(0_u64, |key, piece| key * 8 + piece.index() as u64);
        cube.edges()[8..].iter().fold(corners, |key, piece| key * 12 + piece.index() as u64)
    };
    breadth_first(&Move::PHASE_TWO, usize::MAX, key)
}

fn histogram(tables: &Tables, name: &str) -> Vec<u64> {
    tables.list().into_iter().find(|table| table.name == name).expect("a table").depth_histogram
}

#[test]
fn phase_one_has_the_published_distribution() {
    assert_eq!(histogram(&SMALL, "phase_one_residues"), PHASE_ONE_DISTRIBUTION);
    assert_eq!(histogram(&STANDARD, "phase_one_masked"), PHASE_ONE_DISTRIBUTION);
    assert_eq!(PHASE_ONE_DISTRIBUTION.iter().sum::<u64>(), 2_217_093_120);
}

#[test]
fn phase_two_agrees_with_an_independent_count() {
    let counted = count_corners_and_slice();
    assert_eq!(counted.iter().sum::<u64>(), 40320 * 24);
    assert_eq!(histogram(&SMALL, "phase_two_corners"), counted);
    assert_eq!(histogram(&STANDARD, "phase_two").iter().sum::<u64>(), 40320 * 40320);
}

/// The bound from the edges of one layer never exceeds that of any permutation of all eight that contains them.
#[test]
fn the_layers_of_small_agree_with_the_table_of_standard() {
    let (whole, columns) = (STANDARD.opened().bytes(Id::PhaseTwo), SMALL.opened().u16s(Id::UdEdgesLayers));
    let levels = SMALL.opened().bytes(Id::PhaseTwoLayers);
    for class in (0..2768).step_by(53) {
        let mut nearest = [u8::MAX; COLUMNS];
        for (edges, both) in columns.chunks(2).enumerate() {
            let distance = packed::nibble(whole, class * 40320 + edges);
            for &column in both {
                let nearest = &mut nearest[usize::from(column)];
                *nearest = distance.min(*nearest);
            }
        }
        for (column, distance) in nearest.into_iter().enumerate() {
            assert_eq!(packed::pair(levels, class * COLUMNS + column), level(distance), "{class} {column}");
        }
    }
    let states = histogram(&SMALL, "phase_two_layers");
    assert_eq!((states[0], states.iter().sum::<u64>()), (2, 40320 * COLUMNS as u64));
}

/// The distance recovered from residues equals the one in the masked entries.
#[test]
fn both_layouts_of_phase_one_know_the_same_distances() {
    let masked = STANDARD.opened().u32s(Id::PhaseOneMasked);
    let small = SMALL.phase_one().expect("mapped");
    let mut at_each = [0; 13];
    for (at, entry) in masked.iter().enumerate() {
        let (class, distance) = (at / TWISTS, masked_distance(*entry));
        // All rare distances, and a sample of the rest.
        if !(5..=11).contains(&distance) || class % 199 == 0 {
            assert_eq!(small.distance(class as u32, (at % TWISTS) as u16), distance, "entry {at}");
            at_each[usize::from(distance)] += 1;
        }
    }
    assert!(at_each.iter().all(|&count| count > 0), "{at_each:?}");
}

#[test]
fn the_near_set_has_the_counts_of_the_whole_cube() {
    assert_eq!(histogram(&SMALL, "near"), [1, 18, 243, 3240, 43239, 574_908]);
}

#[test]
fn raw_move_tables_follow_the_cubies() {
    let opened = SMALL.opened();
    let tables = [
        (&TWIST, Id::TwistMove),
        (&FLIP, Id::FlipMove),
        (&SLICE, Id::SliceMove),
        (&SLICE_SORTED, Id::SliceSortedMove),
        (&U_EDGES, Id::UEdgesMove),
        (&D_EDGES, Id::DEdgesMove),
        (&CORNER_PERM, Id::CornerPermMove),
        (&UD_EDGES, Id::UdEdgesMove),
    ];
    for (coordinate, id) in tables {
        let (entries, moves) = (opened.u16s(id), coordinate.moves());
        assert_eq!(entries.len(), coordinate.size as usize * moves.len());
        for x in 0..coordinate.size {
            let cube = (coordinate.representative)(x);
            for (number, mv) in moves.iter().enumerate() {
                let to = usize::from(entries[x as usize * moves.len() + number]);
                assert_eq!(to, value(coordinate, &cube.then(mv.cube())), "{} {x} {mv}", coordinate.name);
            }
        }
    }
}

#[test]
fn class_move_tables_follow_the_cubies_by_the_three_look_ups() {
    let opened = SMALL.opened();
    let mut rng = rng(1);
    for (coordinate, classes, moves) in
        [(&FLIP_SLICE, Id::FlipSliceClass, Id::FlipSliceMove), (&CORNER_PERM, Id::CornerClass, Id::CornerMove)]
    {
        let (classes, moves) = (opened.u32s(classes), opened.u32s(moves));
        let mut cube = scrambled(&mut rng);
        let mut at = SymCoordinate::unpack(classes[value(coordinate, &cube)]);
        for _ in 0..20_000 {
            let mv = Move::ALL[rng.random_range(0..18)];
            cube = cube.then(mv.cube());
            let symmetry = Symmetry::try_from_index(usize::from(at.symmetry)).expect("below 16");
            let seen = symmetry.conjugate_move(mv);
            let to = SymCoordinate::unpack(moves[at.class as usize * 18 + seen.index()]);
            let relative = Symmetry::try_from_index(usize::from(to.symmetry)).expect("below 16");
            at = SymCoordinate { class: to.class, symmetry: relative.then(symmetry).index() as u8 };
            // Several symmetries may lead to one representative; the raw value tells whether this one does.
            let expected = SymCoordinate::unpack(classes[value(coordinate, &cube)]);
            assert_eq!(at.class, expected.class, "{}", coordinate.name);
            let (a, b) = [at.symmetry, expected.symmetry]
                .map(|s| Symmetry::try_from_index(usize::from(s)).expect("below 16").conjugate(&cube))
                .into();
            assert_eq!(value(coordinate, &a), value(coordinate, &b), "{}", coordinate.name);
        }
    }
}

#[test]
fn both_phase_one_layouts_agree_and_are_consistent_along_walks() {
    let mut rng = rng(2);
    let mut cube = scrambled(&mut rng);
    let distances = |cube: &Cube| [&SMALL, &STANDARD].map(|tables| tables.inspect(cube).map(|d| d.phase_one_distance));
    let [small, mut before] = distances(&cube);
    assert_eq!(small, before);
    for _ in 0..2_000 {
        cube = cube.then(Move::ALL[rng.random_range(0..18)].cube());
        let [small, standard] = distances(&cube);
        assert_eq!(small, standard);
        // One move changes the distance of the cube by at most one, along every axis.
        assert!((0..3).all(|axis| standard[axis].abs_diff(before[axis]) <= 1));
        before = standard;
    }
    for depth in 0..6 {
        for _ in 0..200 {
            let near = walk(&mut rng, depth, &Move::ALL);
            assert!(distances(&near)[1].iter().all(|&distance| distance as usize <= depth));
        }
    }
}

/// A distance is correct if it is 0 only at solved, differs from its neighbours by at most one, and has a neighbour one
/// nearer. Checked for random entries, with coordinates taken from cubies.
#[test]
fn sampled_phase_two_entries_are_distances() {
    let mut rng = rng(3);
    let parts = |cube: &Cube| [&CORNER_PERM, &UD_EDGES, &SLICE_SORTED].map(|c| value(c, cube) as u16);
    let small = SMALL.phase_two().expect("mapped");
    let phase_two = STANDARD.phase_two().expect("mapped");
    let corner = |cube: &Cube| u32::from(phase_two.corner_bound(parts(cube)[0], parts(cube)[2]));
    let edge = |cube: &Cube| u32::from(phase_two.edge_bound(parts(cube)[0], parts(cube)[1]));
    for _ in 0..5_000 {
        let cube = walk(&mut rng, 40, &Move::PHASE_TWO);
        for distance in [&corner as &dyn Fn(&Cube) -> u32, &edge] {
            let own = distance(&cube);
            let around = Move::PHASE_TWO.map(|mv| distance(&cube.then(mv.cube())));
            assert!(around.iter().all(|other| own.abs_diff(*other) <= 1));
            assert!(own == 0 || own == 15 || around.iter().any(|&other| other + 1 == own));
        }
        // The bounds of the small profile are weaker, but admissible.
        let [corners, edges, order] = parts(&cube);
        assert_eq!(u32::from(small.corner_bound(corners, order)), corner(&cube));
        assert!(u32::from(small.edge_bound(corners, edges)) <= edge(&cube));
    }
    assert_eq!((corner(&Cube::SOLVED), edge(&Cube::SOLVED)), (0, 0));
}

#[test]
fn verify_recounts_every_table() {
    for profile in Profile::ALL {
        let _ = [&SMALL, &STANDARD].map(|tables| tables.profile());
        for (name, found) in survey(&tables_folder(), profile) {
            assert!(found.is_ok(), "{name}");
            let verdict = verify(&tables_folder(), profile, name, CheckEffort::Full, &Control::new());
            let verdict = verdict.expect("not stopped");
            assert!(verdict.is_sound() && verdict.report.len() >= 2, "{name}: {verdict:?}");
        }
    }
    let unknown = verify(&tables_folder(), Profile::Small, "phase_three", CheckEffort::Full, &Control::new());
    let unknown = unknown.expect("not stopped");
    let unknown = unknown.problem.expect("unknown");
    assert!(unknown.contains("phase_three") && unknown.contains("phase_one_residues"));
}

/// Rejected tables with the reason, and built tables.
type Events = (Vec<(String, String)>, Vec<String>);

/// A change of a file, and the reason for which the file is then rejected.
type Damage = (fn(&mut Vec<u8>), &'static str);

/// A copy of the tables in a new folder.
fn copied(tables: &Tables) -> TempDir {
    let folder = tempfile::tempdir().expect("folder");
    for table in tables.list() {
        fs::copy(&table.path, folder.path().join(table.file_name())).expect("copy");
    }
    folder
}

fn reopen(folder: &Path, profile: Profile) -> Events {
    let log = Arc::<Mutex<Events>>::default();
    let heard = Arc::clone(&log);
    let control = Control::new().observing(move |event| {
        let mut heard = heard.lock().expect("no panic while held");
        match event {
            TableEvent::Rejected { table, reason, .. } => heard.0.push(((*table).to_owned(), (*reason).to_owned())),
            TableEvent::Built { table, .. } => heard.1.push((*table).to_owned()),
            _ => (),
        }
    });
    Tables::open_or_build(folder, profile, &control).expect("opens");
    std::mem::take(&mut *log.lock().expect("no panic while held"))
}

#[test]
fn damage_of_every_kind_to_every_table_is_named_and_mended() {
    let damages: [Damage; 5] = [
        (
            |bytes| {
                let middle = 2048 + bytes.len() / 2;
                bytes[middle] ^= 1;
            },
            "corrupted entries",
        ),
        (|bytes| _ = bytes.pop(), "truncated"),
        (|bytes| bytes[..9].copy_from_slice(b"something"), "not a superflip table"),
        (|bytes| bytes[16] = 0, "format version 0"),
        (|bytes| bytes[100] ^= 1, "corrupted header"),
    ];
    let folder = copied(&SMALL);
    assert_eq!(reopen(folder.path(), Profile::Small), (vec![], vec![]));
    let tables = survey(folder.path(), Profile::Small);
    for (i, (name, found)) in tables.iter().enumerate() {
        let sound = found.as_ref().expect("sound");
        let mut bytes = fs::read(&sound.path).expect("read");
        let (damage, expected) = damages[i % 5];
        damage(&mut bytes);
        fs::write(&sound.path, bytes).expect("write");
        let (rejected, built) = reopen(folder.path(), Profile::Small);
        assert_eq!(rejected.len(), 1, "{name}: {rejected:?}");
        assert!(rejected[0].0 == *name && rejected[0].1.contains(expected), "{rejected:?}");
        assert_eq!(built, [*name]);
    }
    for ((name, before), (_, after)) in tables.iter().zip(survey(folder.path(), Profile::Small)) {
        assert_eq!(before.as_ref().map(|t| t.checksum), after.as_ref().map(|t| t.checksum), "{name}");
    }
    // An intact file under the name of another table.
    fs::copy(file_of(folder.path(), "twist_move"), file_of(folder.path(), "flip_move")).expect("copy");
    let (rejected, _) = reopen(folder.path(), Profile::Small);
    assert!(rejected[0].1.contains("table twist_move") && rejected[0].1.contains("expected table flip_move"));
}

/// They are mended as the small ones are, which would take half a minute.
#[test]
fn damage_to_the_large_tables_is_named() {
    let folder = copied(&STANDARD);
    let large = ["phase_two", "phase_one_masked"];
    for name in large {
        let path = file_of(folder.path(), name);
        let file = fs::OpenOptions::new().write(true).open(&path).expect("open");
        let last = file.metadata().expect("metadata").len() - 1;
        file.write_all_at(&[0xa5], last).expect("write");
    }
    let damaged = survey(folder.path(), Profile::Standard).into_iter().filter_map(|(name, found)| {
        let reason = found.err()?;
        assert!(reason.contains("corrupted entries"), "{name}: {reason}");
        Some(name)
    });
    assert_eq!(damaged.collect::<Vec<_>>(), large);
}

#[test]
fn opening_is_told_table_by_table_before_each() {
    let log = Arc::<Mutex<Vec<(String, u32, bool)>>>::default();
    let heard = Arc::clone(&log);
    let control = Control::new().observing(move |event| {
        let mut heard = heard.lock().expect("no panic while held");
        match event {
            TableEvent::Opening { table, overall_permille } => match heard.last_mut() {
                Some(last) if last.0 == *table => assert!(!last.2 && last.1 < *overall_permille, "{last:?}"),
                _ => heard.push(((*table).to_owned(), *overall_permille, false)),
            },
            TableEvent::Opened { table, .. } => {
                let last = heard.last_mut().expect("told before");
                assert_eq!(last.0, *table);
                last.2 = true;
            }
            _ => panic!("nothing is built"),
        }
    });
    let _ = SMALL.profile();
    Tables::open_or_build(&tables_folder(), Profile::Small, &control).expect("opens");
    let heard = log.lock().expect("no panic while held");
    assert_eq!(heard.len(), survey(&tables_folder(), Profile::Small).len());
    assert!(heard.is_sorted_by_key(|(_, permille, _)| *permille) && heard.iter().all(|(_, _, opened)| *opened));
    // Weighted by bytes: the large tables dominate.
    assert!(heard[0].1 == 0 && (301..1000).contains(&heard[heard.len() - 1].1), "{heard:?}");
}

#[test]
fn starts_at_the_same_time_on_one_folder_build_each_table_once() {
    let folder = tempfile::tempdir().expect("folder");
    let mut built: Vec<String> = std::thread::scope(|scope| {
        let starts = [(); 4].map(|()| scope.spawn(|| reopen(folder.path(), Profile::Small).1));
        starts.into_iter().flat_map(|start| start.join().expect("no panic")).collect()
    });
    built.sort();
    let mut names: Vec<&str> = survey(folder.path(), Profile::Small).into_iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    assert_eq!(built, names);
}

#[test]
fn what_a_killed_build_left_is_cleared_away() {
    let folder = copied(&SMALL);
    let leftover = file_of(folder.path(), "twist_move").with_extension("partial");
    fs::write(&leftover, b"half a table").expect("write");
    fs::remove_file(file_of(folder.path(), "twist_move")).expect("remove");
    assert_eq!(reopen(folder.path(), Profile::Small).1, ["twist_move"]);
    assert!(!leftover.exists());
}

#[test]
fn a_build_can_be_stopped_and_an_unusable_folder_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let control = Control::new();
    control.cancel();
    let stopped = Tables::open_or_build(folder.path(), Profile::Small, &control);
    assert!(matches!(stopped, Err(TableError::Cancelled(_))));
    let file = folder.path().join("file");
    fs::write(&file, b"").expect("write");
    let error = Tables::open_or_build(&file.join("tables"), Profile::Small, &Control::new());
    let text = error.err().expect("not a folder").to_string();
    assert!(text.contains("cannot create the folder") && text.contains("is needed to build these tables"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_pipe_under_the_name_of_a_table_is_not_waited_for() {
    let folder = copied(&SMALL);
    let name = file_of(folder.path(), "twist_move");
    std::fs::remove_file(&name).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&name).status().unwrap().success());
    let tables = Tables::open_or_build(folder.path(), Profile::Small, &Control::new()).unwrap();
    assert!(std::fs::metadata(&name).unwrap().is_file());
    assert_eq!(tables.list().len(), SMALL.list().len());
}
