//! The facelets of each slot, as Kociemba publishes them.

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
