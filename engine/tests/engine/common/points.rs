//! The cube as points in space, independent of the crate.

pub type Point = [i32; 3];

/// The middle of each sticker in space, taken from the unfolded cube: x right, y up, z to the viewer.
pub fn sticker_points() -> Vec<Point> {
    // For each face in the order U R F D L B: its normal, and the directions of reading along a row and down the rows.
    let faces: [[Point; 3]; 6] = [
        [[0, 2, 0], [1, 0, 0], [0, 0, 1]],
        [[2, 0, 0], [0, 0, -1], [0, -1, 0]],
        [[0, 0, 2], [1, 0, 0], [0, -1, 0]],
        [[0, -2, 0], [1, 0, 0], [0, 0, -1]],
        [[-2, 0, 0], [0, 0, 1], [0, -1, 0]],
        [[0, 0, -2], [-1, 0, 0], [0, -1, 0]],
    ];
    let mut points = Vec::new();
    for [normal, right, down] in faces {
        for (row, column) in (0..9).map(|i| (i / 3 - 1, i % 3 - 1)) {
            points.push([0, 1, 2].map(|axis| normal[axis] + column * right[axis] + row * down[axis]));
        }
    }
    points
}
