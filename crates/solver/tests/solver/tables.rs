//! Checks tables against the cubies, published counts, and damaged files.

use superflip_solver::symmetry::SymCoordinate;
use superflip_solver::tables::verify::PHASE_ONE_DISTRIBUTION;
use tempfile::TempDir;

use crate::common::prelude::*;
use crate::common::rows::Rows;

fn value(coordinate: &Descriptor, cube: &Cube) -> usize {
    (coordinate.index)(cube).expect("valid here") as usize
}

fn histogram(tables: &Tables, name: &str) -> Vec<u64> {
    tables.list().into_iter().find(|table| table.name == name).expect("a table").depth_histogram
}

#[test]
fn corners_in_the_half_turn_metric_as_published() {
    assert_eq!(Rows::corners().states_with_twist(&Move::ALL), CORNERS);
    assert_eq!(CORNERS.iter().sum::<u64>(), 40_320 * 2_187);
}

#[test]
fn phase_one_has_the_published_distribution() {
    assert_eq!(histogram(&SMALL, "phase_one_residues"), PHASE_ONE_DISTRIBUTION);
    assert_eq!(PHASE_ONE_DISTRIBUTION.iter().sum::<u64>(), 2_217_093_120);
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
        let entries = opened.u16s(id);
        let moves = coordinate.moves();
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
        let classes = opened.u32s(classes);
        let moves = opened.u32s(moves);
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
    // Every third table at once; each kind of damage comes in each round.
    for round in 0..3 {
        let mut damaged = Vec::new();
        for (i, (name, found)) in tables.iter().enumerate().skip(round).step_by(3) {
            let sound = found.as_ref().expect("sound");
            let mut bytes = fs::read(&sound.path).expect("read");
            let (damage, expected) = damages[i % 5];
            damage(&mut bytes);
            fs::write(&sound.path, bytes).expect("write");
            damaged.push((*name, expected));
        }
        let (rejected, built) = reopen(folder.path(), Profile::Small);
        assert_eq!(built, damaged.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "{rejected:?}");
        assert_eq!(rejected.len(), damaged.len(), "{rejected:?}");
        for ((table, reason), (name, expected)) in rejected.iter().zip(&damaged) {
            assert!(table == name && reason.contains(expected), "{name}: {rejected:?}");
        }
    }
    for ((name, before), (_, after)) in tables.iter().zip(survey(folder.path(), Profile::Small)) {
        assert_eq!(before.as_ref().map(|t| t.checksum), after.as_ref().map(|t| t.checksum), "{name}");
    }
    // An intact file under the name of another table.
    fs::copy(file_of(folder.path(), "twist_move"), file_of(folder.path(), "flip_move")).expect("copy");
    let (rejected, _) = reopen(folder.path(), Profile::Small);
    assert!(rejected[0].1.contains("table twist_move") && rejected[0].1.contains("expected table flip_move"));
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
