//! The facelets of each slot, as Kociemba publishes them, and the slots of `IndexCube`.

/// Kociemba's published corner and edge facelets: face, and number from 1 on that face; the reference facelet first.
pub const CORNERS: [[&str; 3]; 8] = [
    ["U9", "R1", "F3"],
    ["U7", "F1", "L3"],
    ["U1", "L1", "B3"],
    ["U3", "B1", "R3"],
    ["D3", "F9", "R7"],
    ["D1", "L9", "F7"],
    ["D7", "B9", "L7"],
    ["D9", "R9", "B7"],
];
pub const EDGES: [[&str; 2]; 12] = [
    ["U6", "R2"],
    ["U8", "F2"],
    ["U4", "L2"],
    ["U2", "B2"],
    ["D6", "R8"],
    ["D2", "F8"],
    ["D4", "L8"],
    ["D8", "B8"],
    ["F6", "R4"],
    ["F4", "L6"],
    ["B6", "L4"],
    ["B4", "R6"],
];

pub fn facelet(name: &str) -> usize {
    let (face, number) = name.split_at(1);
    "URFDLB".find(face).unwrap() * 9 + number.parse::<usize>().unwrap() - 1
}

/// The numbering of `IndexCube`, on the stickers of a cube.
pub mod index_cube {
    use crate::cube::stickers;

    /// The slots of `IndexCube` in the order of their numbers, as its author prints them.
    pub const PAPER_EDGES: [&str; 12] = ["DL", "BL", "FL", "UL", "DB", "DF", "UB", "UF", "DR", "BR", "FR", "UR"];
    pub const PROGRAM_EDGES: [&str; 12] = ["DL", "UL", "FL", "BL", "DR", "UR", "FR", "BR", "DF", "DB", "UF", "UB"];
    pub const CORNERS: [&str; 8] = ["DLF", "DBL", "UFL", "ULB", "DFR", "DRB", "URF", "UBR"];
    /// The corners on the branch `rework` of the author's repository.
    pub const LATER_CORNERS: [&str; 8] = ["DBL", "DLF", "ULB", "UFL", "DRB", "DFR", "UBR", "URF"];

    /// Reads the slot of each piece off the stickers.
    pub fn goes_to(slots: &[&str], facelets: &str) -> Vec<usize> {
        let sorted = |letters: &str| {
            let mut letters: Vec<char> = letters.chars().collect();
            letters.sort_unstable();
            letters
        };
        let home = |shown: &str| slots.iter().position(|slot| sorted(slot) == sorted(shown)).expect("a piece");
        let mut out = vec![0; slots.len()];
        for (number, slot) in slots.iter().enumerate() {
            out[home(&stickers::shown(facelets, slot))] = number;
        }
        out
    }

    /// The paper's formula: the sum over i of (N - 1 - i)! times the number of smaller entries to the right of i.
    pub fn lexicographic(permutation: &[usize]) -> u32 {
        let mut index = 0;
        for (i, here) in permutation.iter().enumerate() {
            let right = &permutation[i + 1..];
            index = index * (right.len() + 1) + right.iter().filter(|entry| *entry < here).count();
        }
        index as u32
    }
}
