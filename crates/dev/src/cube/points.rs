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

/// All maps of the 54 stickers that turn the whole cube: signed axis permutations of determinant 1.
pub fn holdings() -> Vec<Vec<usize>> {
    let points = sticker_points();
    let mut maps = Vec::new();
    for (axes, even) in [
        ([0, 1, 2], true),
        ([1, 2, 0], true),
        ([2, 0, 1], true),
        ([1, 0, 2], false),
        ([0, 2, 1], false),
        ([2, 1, 0], false),
    ] {
        for signs in 0..8_u32 {
            if (signs.count_ones() % 2 == 0) != even {
                continue;
            }
            let turned =
                |p: &Point| [0, 1, 2].map(|axis| if signs >> axis & 1 == 1 { -p[axes[axis]] } else { p[axes[axis]] });
            let to = |p: &Point| points.iter().position(|q| *q == turned(p)).expect("a sticker goes to a sticker");
            maps.push(points.iter().map(to).collect());
        }
    }
    maps
}
