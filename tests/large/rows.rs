//! Rows of the tables of the profile `standard` over HTTP.

use rand::RngExt;
use superflip_solver::coord;
use superflip_solver::coord::{CORNER_PERM, FLIP_SLICE, TWIST, UD_EDGES};
use superflip_solver::tables::verify::PHASE_ONE_DISTRIBUTION;

use crate::common::prelude::*;
use crate::common::tables::{decoded, row};

#[tokio::test]
async fn rows_of_conjugation_follow_the_cubies() {
    let mut rng = rng(11);
    for _ in 0..20 {
        let x = rng.random_range(0..UD_EDGES.size);
        let cube = (UD_EDGES.representative)(x);
        let seen = Symmetry::all().take(16).map(|s| (UD_EDGES.index)(&s.conjugate(&cube)));
        let expected: Vec<u64> = seen.map(|value| u64::from(value.unwrap())).collect();
        assert_eq!(row(&standard(), "ud_edges_conjugate", u64::from(x)).await, expected);
    }
}

#[tokio::test]
async fn published_distributions_are_reproduced() {
    let body = get(app(standard()), "/tables/phase_one_masked").await.ok();
    assert_eq!(list_of::<u64>(&body["depth_histogram"]), PHASE_ONE_DISTRIBUTION);
    assert_eq!(body["published"]["agrees"], true);
}

#[tokio::test]
async fn classes_lead_to_representatives_and_distances_to_g1() {
    let (state, small) = (standard(), small_state(config()));
    let mut rng = rng(12);
    for _ in 0..20 {
        let cube = scrambled(&mut rng);
        for (coordinate, prefix) in [(&CORNER_PERM, "corner"), (&FLIP_SLICE, "flip_slice")] {
            let raw = (coordinate.index)(&cube).unwrap();
            let sym = decoded(&state, &format!("{prefix}_class"), u64::from(raw), 0).await;
            let class = sym["class"].number();
            let symmetry = Symmetry::try_from_index(sym["symmetry"].number() as usize).unwrap();
            let representative = row(&state, &format!("{prefix}_representative"), class).await[0];
            assert_eq!((coordinate.index)(&symmetry.conjugate(&cube)), Some(representative as u32));
            if prefix == "flip_slice" {
                let twist = u64::from((TWIST.index)(&symmetry.conjugate(&cube)).unwrap());
                let masked = decoded(&state, "phase_one_masked", class, twist).await;
                let distance = STANDARD.inspect(&cube)[0].phase_one_distance;
                assert_eq!(masked["distance"], distance);
                // The moves as the table names them, played on the cube as the representative sees it.
                let seen = symmetry.conjugate(&cube);
                for mv in Move::ALL {
                    let after = STANDARD.inspect(&seen.then(mv.cube()))[0].phase_one_distance;
                    let lists = |list: &str| masked[list].list().contains(&json!(mv.name()));
                    assert_eq!((lists("nearer"), lists("level")), (after < distance, after == distance), "{mv}");
                }
                let residue = decoded(&small, "phase_one_residues", class, twist % 438).await;
                assert_eq!(residue["distances_modulo_3"][twist as usize / 438], distance % 3);
            }
        }
        let inside = walk(&mut rng, 30, &Move::PHASE_TWO);
        let corners = u64::from((CORNER_PERM.index)(&inside).unwrap());
        let order = u64::from((coord::SLICE_SORTED.index)(&inside).unwrap());
        let bound = decoded(&state, "phase_two_corners", corners, order).await;
        let known = STANDARD.phase_two().expect("mapped").corner_bound(corners as u16, order as u16);
        assert_eq!(bound, json!({"distance": known, "capped": false}));
    }
}

#[tokio::test]
async fn a_long_row_is_read_in_pages() {
    let state = standard();
    let (mut uri, mut entries) = ("/tables/phase_two/rows/5".to_owned(), Vec::new());
    loop {
        let body = get(app(state.clone()), &uri).await.ok();
        let page = list_of::<u64>(&body["entries"]);
        assert_eq!((page.len() as u64, entries.len() as u64), (body["count"].number(), body["from"].number()));
        assert!(page.len() <= 4096 && body["decoded"].list().len() == page.len());
        entries.extend(page);
        assert_eq!(entries.len() as u64 + body["left"].number(), 40320);
        let Some(next) = body["next"].as_str() else { break };
        next.clone_into(&mut uri);
    }
    // Nibbles, the first in the low bits, straight from the file.
    let file = fs::read(file_of(&tables_folder(), "phase_two")).unwrap();
    for (column, entry) in entries.iter().enumerate() {
        let number = 5 * 40320 + column;
        assert_eq!(*entry, u64::from(file[4096 + number / 2] >> (4 * (number % 2)) & 15));
    }
}
