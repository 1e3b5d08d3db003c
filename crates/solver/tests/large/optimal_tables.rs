//! Checks coset tables against plain searches and the cubies, interrupted builds, and proofs with the larger tables.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use superflip_solver::symmetry::coset::{CosetCell, CosetIndex};

use crate::common::prelude::*;
use crate::common::{known_lengths_are_found, with_table};

/// Opens the smallest table, or builds it until it is cancelled.
fn opened(folder: &Path, control: &Control) -> Result<Arc<OptimalTable>, TableError> {
    let set = TableSet::open(SetKey::proofs(Metric::Htm, Size::S), folder, control)?;
    Ok(Arc::clone(set.proving(Metric::Htm).expect("a coset table")))
}

static SMALL_TABLE: LazyLock<Arc<OptimalTable>> = LazyLock::new(|| coset_table(&tables_folder(), Size::S));

/// New entries at each depth, and the cosets they stand for, by a breadth-first search over cells.
fn counted(size: Size, depth: usize) -> (Vec<u64>, Vec<u64>) {
    let index = CosetIndex::new(size.member());
    let key = |place: &CosetCell| (place.row, place.column);
    let weight = |places: &[CosetCell]| places.iter().map(|place| index.classes().orbit(place.row)).sum::<u64>();
    let home = index.all_of_cube(&Cube::SOLVED);
    let mut seen: FastSet<(u32, u32)> = home.iter().map(key).collect();
    let mut entries = vec![seen.len() as u64];
    let mut states = vec![1];
    let mut frontier = vec![Cube::SOLVED];
    for _ in 0..depth {
        let mut new = Vec::new();
        frontier = expanded(&frontier, &Move::ALL, |after| {
            let before = new.len();
            new.extend(index.all_of_cube(after).into_iter().filter(|place| seen.insert(key(place))));
            new.len() > before
        });
        entries.push(new.len() as u64);
        states.push(weight(&new));
    }
    (entries, states)
}

#[test]
fn the_largest_begins_as_published() {
    let (entries, _) = counted(Size::L, 6);
    assert_eq!(entries, [1, 1, 7, 46, 442, 4719, 52207]);
}

#[test]
fn the_smallest_table_counts_every_coset() {
    let info = SMALL_TABLE.info();
    let (entries, states) = counted(Size::S, 5);
    assert_eq!(info.entry_histogram[..6], entries);
    assert_eq!(info.depth_histogram[..6], states);
    assert_eq!(info.entry_histogram.len(), usize::from(Size::S.base(Metric::Htm)) + 4);
    assert_eq!(info.entry_histogram.iter().sum::<u64>(), 1184 * 34650 * 4);
    assert_eq!(info.depth_histogram.iter().sum::<u64>(), 51030 * 34650 * 4);
}

/// The entries of a table with each value, as its histogram has it.
fn by_value(size: Size, histogram: &[u64]) -> [u64; 4] {
    let base = usize::from(size.base(Metric::Htm));
    [histogram[..=base].iter().sum(), histogram[base + 1], histogram[base + 2], histogram[base + 3]]
}

/// How many entries hold each value.
fn counts(table: &OptimalTable) -> [u64; 4] {
    table.counts(&Control::new()).expect("it is not cancelled")
}

/// Whether the file holds the entries of each value but for two in each cache line of 256.
fn all_but_two_of_each_line(table: &OptimalTable) -> bool {
    let info = table.info();
    let stored = counts(table);
    let found = by_value(table.size(), &info.entry_histogram);
    let given_up = info.entries / 128;
    found.iter().sum::<u64>() - stored.iter().sum::<u64>() == given_up
        && found.iter().zip(stored).all(|(&found, stored)| {
            // They are one in 128 of each value, give or take a quarter, and what few entries allow.
            found >= stored && (128 * (found - stored)).abs_diff(found) <= found / 4 + 100_000
        })
}

#[test]
fn the_file_has_the_entry_counts_of_the_search() {
    assert!(all_but_two_of_each_line(&SMALL_TABLE));
}

/// Opens or builds the smallest table. Returns it, and the progress reported in permille: of building, and of opening.
fn progress(folder: &Path) -> (Arc<OptimalTable>, [Vec<u32>; 2]) {
    let heard = Arc::<Mutex<[Vec<u32>; 2]>>::default();
    let noted = Arc::clone(&heard);
    let note = move |kind: usize, permille| noted.lock().expect("no panic while held")[kind].push(permille);
    let control = Control::new().observing(move |event| match event {
        TableEvent::Building { overall_permille, .. } => note(0, *overall_permille),
        TableEvent::Opening { overall_permille, .. } => note(1, *overall_permille),
        _ => {}
    });
    let table = opened(folder, &control).expect("a table");
    (table, std::mem::take(&mut *heard.lock().expect("no panic while held")))
}

#[test]
fn progress_of_opening_rises_while_the_file_is_read() {
    let _ = SMALL_TABLE.size();
    let (_, [_, heard]) = progress(&tables_folder());
    // Blocks of 4 MiB of 41 MB that are read, and of 2 MiB that are copied where the kernel has large pages.
    assert!(heard.len() >= 10 && heard.is_sorted() && heard[0] == 0, "{heard:?}");
    let largest_step = heard.windows(2).map(|pair| pair[1] - pair[0]).max().expect("several");
    assert!(largest_step <= 110 && heard.last().is_some_and(|last| *last >= 400), "{heard:?}");
}

#[test]
fn a_stopped_build_leaves_nothing_and_the_next_one_reports_its_progress() {
    let folder = tempfile::tempdir().expect("a folder");
    // Before the search, in its first pass, in its second, and while rows are written.
    for limit in [0, 500, 2000, 2390] {
        let reports = AtomicU64::new(0);
        let control = Control::new();
        let stop = control.clone();
        let control = control.observing(move |event| {
            if matches!(event, TableEvent::Building { .. }) && reports.fetch_add(1, Relaxed) >= limit {
                stop.cancel();
            }
        });
        let stopped = opened(folder.path(), &control);
        assert!(matches!(stopped, Err(TableError::Cancelled(_))), "{limit}");
        let left: Vec<_> =
            std::fs::read_dir(folder.path()).expect("the folder").flatten().map(|e| e.file_name()).collect();
        assert!(left.iter().all(|name| name == "build.lock"), "{left:?}");
    }
    // Leftovers of a killed process are ignored, and a damaged table is rebuilt.
    let partial = file_of(folder.path(), "optimal_s").with_extension("partial");
    std::fs::write(&partial, "half a table").expect("a file");
    let (built, [mut heard, _]) = progress(folder.path());
    assert_eq!(built.info().checksum, SMALL_TABLE.info().checksum);
    assert!(!partial.exists());
    heard.sort_unstable();
    let largest_step = heard.windows(2).map(|pair| pair[1] - pair[0]).max().expect("several");
    assert!(heard[0] == 0 && heard.last() == Some(&1000) && largest_step <= 200, "{largest_step}");
    let path = built.info().path;
    drop(built);
    let mut bytes = std::fs::read(&path).expect("the file");
    bytes[20_000_000] ^= 4;
    std::fs::write(&path, bytes).expect("the file");
    let again = coset_table(folder.path(), Size::S);
    assert_eq!((again.info().checksum, counts(&again)), (SMALL_TABLE.info().checksum, counts(&SMALL_TABLE)));
}

#[test]
#[ignore = "takes minutes, 5.2 GB of memory and 3.1 GB of disk"]
fn the_large_ones_have_the_counts_of_their_members() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |size| coset_table(folder.path(), size);
    let middle = open(Size::M);
    let (entries, states) = counted(Size::M, 6);
    assert_eq!(middle.info().entry_histogram[..7], entries);
    assert_eq!(middle.info().depth_histogram[..7], states);
    assert_eq!(middle.info().depth_histogram.iter().sum::<u64>(), 51030 * 5775 * 256);
    assert!(all_but_two_of_each_line(&middle));
    drop(middle);
    let large = open(Size::L);
    let published = [1, 1, 7, 46, 442, 4719, 52207, 603_641, 7_363_436, 89_965_036, 1_025_607_799, 6_469_759_680];
    assert_eq!(large.info().entry_histogram[..12], published);
    assert_eq!(large.info().depth_histogram.iter().sum::<u64>(), 51030 * 34650 * 256);
    assert!(all_but_two_of_each_line(&large));
}

/// Whether the entry is one of the two replaced by the smallest distance in the cache line.
fn is_replaced(entry: usize) -> bool {
    entry % 256 < 2
}

#[test]
fn each_cache_line_knows_its_smallest_distance() {
    let table = &*SMALL_TABLE;
    let mut rng = rng(45);
    // Places near home by cache line, with the least distance at which the line is met.
    let mut nearest: HashMap<usize, u8> = HashMap::new();
    let mut frontier = vec![Cube::SOLVED];
    for depth in 0..=4 {
        for place in frontier.iter().flat_map(|cube| table.index().all_of_cube(cube)) {
            nearest.entry(table.entries().of(place) / 256).or_insert(depth);
        }
        frontier = expanded(&frontier, &Move::ALL, |_| true);
    }
    assert!(nearest.len() > 300, "{}", nearest.len());
    for (line, depth) in nearest {
        assert_eq!(table.entries().nearest(256 * line), depth);
        assert_eq!(table.entries().bound(256 * line + 1), depth);
    }
    for _ in 0..10_000 {
        let entry = table.entries().of(table.index().of_cube(&scrambled(&mut rng)));
        let line = entry / 256 * 256;
        let least = (line + 2..line + 256).map(|entry| table.entries().value(entry)).min().expect("254 entries");
        let base = table.base();
        // Replaced entries may be nearer.
        assert!(
            table.entries().nearest(entry) <= base + least && (least > 0 || table.entries().nearest(entry) <= base)
        );
        assert!(table.entries().nearest(entry) <= table.entries().bound(entry));
    }
}

#[test]
fn neighbours_differ_by_at_most_one_and_one_is_nearer() {
    let table = &*SMALL_TABLE;
    let entry = |cube: &Cube| table.entries().of(table.index().of_cube(cube));
    let mut rng = rng(41);
    let mut met = [0_u32; 4];
    for round in 0..40_000 {
        let cube = if round % 2 == 0 { scrambled(&mut rng) } else { walk(&mut rng, 9, &Move::ALL) };
        let own = entry(&cube);
        let neighbours = Move::ALL.map(|mv| entry(&cube.then(mv.cube())));
        if is_replaced(own) || neighbours.iter().any(|&entry| is_replaced(entry)) {
            continue;
        }
        let own = table.entries().value(own);
        let neighbours = neighbours.map(|entry| table.entries().value(entry));
        met[usize::from(own)] += 1;
        assert!(neighbours.iter().all(|other| other.abs_diff(own) <= 1));
        // Between the two ends of the scale the distance is exact, so that one move leads nearer.
        assert!(!matches!(own, 1 | 2) || neighbours.contains(&(own - 1)));
    }
    assert!(met.iter().all(|&count| count > 300), "{met:?}");
}

#[test]
fn all_cells_of_a_state_have_the_same_entry() {
    let table = &*SMALL_TABLE;
    let mut rng = rng(42);
    let mut several = 0;
    for _ in 0..3000 {
        // Short walks meet corners that symmetries keep.
        let length = rng.random_range(1..8);
        let cube = walk(&mut rng, length, &Move::ALL);
        let places = table.index().all_of_cube(&cube);
        several += usize::from(places.iter().any(|place| *place != places[0]));
        let images = Symmetry::all().map(|symmetry| table.index().of_cube(&symmetry.conjugate(&cube)));
        let values: HashSet<u8> = places
            .into_iter()
            .chain(images)
            .map(|place| table.entries().of(place))
            .filter(|&entry| !is_replaced(entry))
            .map(|entry| table.entries().value(entry))
            .collect();
        assert!(values.len() <= 1, "{values:?}");
    }
    assert!(several > 300, "{several}");
}

/// Distances by a bidirectional search without pruning.
#[test]
fn entries_are_the_distances_of_a_search_from_both_ends() {
    const HALF: usize = 4;
    let table = &*SMALL_TABLE;
    let index = table.index();
    let place = |cube: &Cube| {
        let place = index.of_cube(cube);
        (place.row, place.column)
    };
    // The distance of a row and column from solved, under all distances of the cube.
    let mut near = FastMap::from_iter([((0, 0), 0)]);
    let mut frontier = vec![Cube::SOLVED];
    for depth in 1..=HALF {
        frontier = expanded(&frontier, &Move::ALL, |after| {
            let is_new = !near.contains_key(&place(after));
            if is_new {
                for place in index.all_of_cube(after) {
                    near.entry((place.row, place.column)).or_insert(depth);
                }
            }
            is_new
        });
    }
    let mut rng = rng(43);
    let base = usize::from(table.base());
    let mut met = HashSet::new();
    for _ in 0..60 {
        let cube = scrambled(&mut rng);
        let entry = table.entries().of(index.of_cube(&cube));
        if is_replaced(entry) {
            continue;
        }
        let stored = usize::from(table.entries().value(entry));
        // All cosets within four moves of this one; the nearest to home adds to the distance.
        let mut seen = FastSet::from_iter([place(&cube)]);
        let mut frontier = vec![cube];
        let mut found = near.get(&place(&cube)).copied();
        for steps in 1..=HALF {
            frontier = expanded(&frontier, &Move::ALL, |after| {
                let place = place(after);
                let is_new = seen.insert(place);
                if let Some(depth) = near.get(&place).filter(|_| is_new) {
                    found = Some(found.map_or(depth + steps, |found| found.min(depth + steps)));
                }
                is_new
            });
        }
        let expected = found.map_or(3, |distance| distance.saturating_sub(base).min(3));
        // Beyond eight moves nothing is found: that is 1 or more beyond the base of seven, told no further.
        match found {
            Some(_) => assert_eq!(stored, expected),
            None => assert!(stored > 2 * HALF - base),
        }
        met.insert(stored);
    }
    assert!(met.len() > 1);
}

#[test]
fn known_lengths_are_found_with_the_middle_table() {
    known_lengths_are_found(&with_table(&STANDARD, Size::M, &tables_folder()), 12..=15);
}

#[test]
#[ignore = "takes minutes, 5.2 GB of memory and 2.7 GB of disk"]
fn known_lengths_are_proven_with_the_largest_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let solver = with_table(&STANDARD, Size::L, folder.path());
    known_lengths_are_found(&solver, 15..=18);
    let outcome = solver.solve(&superflip(), &Goal::proof().threads(2)).expect("an answer");
    assert!(outcome.is_optimal());
    assert_eq!(outcome.moves.len(), 20);
}
