//! Checks what the catalogue says about the coordinates of other programs.

use superflip_coords::space::catalogue::{Alias, CATALOGUE, Entry, System};
use superflip_cube::Cube;
use superflip_solver::coord;

use crate::common::index_cube::{CORNERS, LATER_CORNERS, PAPER_EDGES, PROGRAM_EDGES, goes_to, lexicographic};
use crate::common::stickers;

/// The notes of the catalogue on the numbering of paper and program are correct.
#[test]
fn the_catalogue_notes_match_the_index_cube_numbering() {
    let alias = |name: &str, system: System| -> &Alias {
        let entry = CATALOGUE.iter().find(|entry| entry.name == name).expect("a coordinate");
        entry.aliases.iter().find(|alias| alias.system == system).expect("an alias")
    };
    let says = |alias: &Alias, order: &[&str], value: u32| {
        let note = alias.note.expect("a note");
        assert!(note.contains(&order.join(" ")) && note.contains(&value.to_string()), "{note}");
    };
    let (paper, program) = (System::IndexCubePaper, System::IndexCubeProgram);
    let l = stickers::turn(stickers::SOLVED, "L");
    assert!(alias("index_cube.edges", paper).same_numbers && !alias("index_cube.edges", program).same_numbers);
    assert_eq!(lexicographic(&goes_to(&PROGRAM_EDGES, &l)), 127_008_000);
    says(alias("index_cube.edges", program), &PROGRAM_EDGES, 127_008_000);
    assert!(alias("index_cube.corners", paper).same_numbers && alias("index_cube.corners", program).same_numbers);
    assert_eq!(lexicographic(&goes_to(&LATER_CORNERS, &l)), 10200);
    says(alias("index_cube.corners", paper), &LATER_CORNERS, 10200);
    // F flips the four edges that it moves, along its own axis; the edge in slot 0 has the highest bit.
    let flips = |order: &[&str]| order.iter().fold(0, |value, slot| 2 * value + u32::from(slot.contains('F')));
    assert_eq!((coord::INDEX_FLIP_Z.index)(&Cube::from_scramble("F").unwrap()), Some(flips(&PAPER_EDGES)));
    assert!(!alias("index_cube.flip_z", program).same_numbers);
    says(alias("index_cube.flip_z", program), &PROGRAM_EDGES, flips(&PROGRAM_EDGES));
    assert!(alias("index_cube.flip_z", program).note.unwrap().contains(&format!("here {}", flips(&PAPER_EDGES))));
    let listed = |name: &str| CATALOGUE.iter().find(|entry| entry.name == name).and_then(Entry::slots);
    assert_eq!(listed("index_cube.edges"), Some(PAPER_EDGES.to_vec()));
    assert_eq!(listed("index_cube.corners"), Some(CORNERS.to_vec()));
    assert_eq!(listed("edge_perm"), None);
}
