//! Rotation and perspective projection of the cube.
//!
//! The cube has edge 1 and its centre at the origin: x points right, y up, z to the viewer. The eye is on the z axis at distance `dist`.
//! The picture plane goes through the origin; in it x points right and y down, as in SVG.
#![allow(clippy::cast_possible_truncation)] // unit vectors, scaled to compare them

use superflip_cube::{Axis, Face};

/// A point or direction in space.
pub type Vector = [f64; 3];

/// A point in the picture plane.
pub type Point = [f64; 2];

/// A rotation of the whole cube about an axis. Positive angles turn clockwise, as the rotations `x`, `y` and `z` do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rotation {
    /// Axis: R to L for `x`, U to D for `y`, F to B for `z`.
    pub axis: Axis,
    /// Angle in degrees.
    pub degrees: f64,
}

impl Rotation {
    /// The default view: `y45x-34`.
    pub const DEFAULT: [Self; 2] = [Self { axis: Axis::Ud, degrees: 45.0 }, Self { axis: Axis::Rl, degrees: -34.0 }];
    /// The view from above: `x-90`.
    pub(crate) const FROM_ABOVE: [Self; 1] = [Self { axis: Axis::Rl, degrees: -90.0 }];
}

/// Distance of the eye by default.
pub(crate) const DEFAULT_DISTANCE: f64 = 5.0;

/// A direction from which the cube is seen.
#[derive(Clone, Debug)]
pub struct Camera {
    /// Images of the unit vectors.
    columns: [Vector; 3],
    distance: f64,
}

impl Camera {
    /// Creates a camera for the cube after `rotations`, seen from `distance`, which is at least 1.
    pub fn new(rotations: &[Rotation], distance: f64) -> Self {
        let mut columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for Rotation { axis, degrees } in rotations {
            let (sin, cos) = degrees.to_radians().sin_cos();
            // A clockwise rotation about x moves y to -z, about y it moves z to -x, about z it moves x to -y.
            let (from, to) = match axis {
                Axis::Rl => (1, 2),
                Axis::Ud => (2, 0),
                Axis::Fb => (0, 1),
            };
            for column in &mut columns {
                let (a, b) = (column[from], column[to]);
                (column[from], column[to]) = (a * cos + b * sin, b * cos - a * sin);
            }
        }
        Self { columns, distance }
    }

    /// Returns where a point of the cube is after the rotations.
    pub fn turned(&self, point: Vector) -> Vector {
        let [x, y, z] = self.columns;
        std::array::from_fn(|i| x[i] * point[0] + y[i] * point[1] + z[i] * point[2])
    }

    /// Returns where a point of the cube is in the picture.
    pub fn project(&self, point: Vector) -> Point {
        let [x, y, z] = self.turned(point);
        let scale = self.distance / (self.distance - z);
        [x * scale, -y * scale]
    }

    /// Returns the outward direction of a face after the rotations.
    pub fn normal(&self, face: Face) -> Vector {
        self.turned(normal(face))
    }

    /// Returns whether the eye is in front of the plane of a face.
    pub fn sees(&self, face: Face) -> bool {
        // The plane is half an edge before the centre.
        self.normal(face)[2] * self.distance > 0.5 + 1e-9
    }

    /// Returns the faces from the farthest to the nearest.
    pub(crate) fn back_to_front(&self) -> [Face; Face::COUNT] {
        // Rounded, so that faces at equal depth keep their order on every machine.
        let depth = |face: &Face| (self.normal(*face)[2] * 1e9).round() as i64;
        let mut faces = Face::ALL;
        faces.sort_by_key(depth);
        faces
    }

    /// Projects the corners of the stickers of a face: `size + 1` rows of `size + 1` points, as seen from outside.
    pub fn grid(&self, face: Face, size: usize) -> Grid {
        let [origin, right, down] = frame(face).map(|vector| self.turned(vector));
        let mut points = Vec::with_capacity((size + 1) * (size + 1));
        let step = 1.0 / size as f64;
        for row in 0..=size {
            for column in 0..=size {
                let (across, along) = (column as f64 * step, row as f64 * step);
                let [x, y, z]: Vector = std::array::from_fn(|i| origin[i] + right[i] * across + down[i] * along);
                let scale = self.distance / (self.distance - z);
                points.push([x * scale, -y * scale]);
            }
        }
        Grid { size, points }
    }
}

/// Projected corners of the stickers of a face.
pub struct Grid {
    size: usize,
    points: Vec<Point>,
}

impl Grid {
    /// Creates the grid of a face that is not needed.
    pub(crate) const fn empty(size: usize) -> Self {
        Self { size, points: Vec::new() }
    }

    /// Returns the corner in this row and column, each from 0 to the number of stickers in a row.
    pub fn corner(&self, row: usize, column: usize) -> Point {
        self.points[row * (self.size + 1) + column]
    }

    /// Returns the four corners of the face, clockwise from the first sticker.
    pub fn outline(&self) -> [Point; 4] {
        let end = self.size;
        [self.corner(0, 0), self.corner(0, end), self.corner(end, end), self.corner(end, 0)]
    }

    /// Returns the four corners of a sticker, clockwise from the top left, moved towards its centre so that its size is `scale` of a cell.
    pub fn sticker(&self, row: usize, column: usize, scale: f64) -> [Point; 4] {
        let centre = self.centre(row, column);
        let corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)];
        corners.map(|(row, column)| towards(centre, self.corner(row, column), scale))
    }

    /// Returns the centre of a sticker: the middle between two opposite corners.
    pub fn centre(&self, row: usize, column: usize) -> Point {
        middle(self.corner(row, column), self.corner(row + 1, column + 1))
    }
}

/// Returns the middle between two points.
pub fn middle(a: Point, b: Point) -> Point {
    [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])]
}

/// Returns the point at `scale` of the way from `centre` to `point`.
pub fn towards(centre: Point, point: Point, scale: f64) -> Point {
    [0, 1].map(|i| centre[i] + (point[i] - centre[i]) * scale)
}

/// Returns the outward direction of a face.
pub fn normal(face: Face) -> Vector {
    axes(face)[0].map(f64::from)
}

/// Returns the top left corner of a face as seen from outside, and its directions to the right and down.
pub fn frame(face: Face) -> [Vector; 3] {
    let [out, right, down] = axes(face).map(|axis| axis.map(f64::from));
    [std::array::from_fn(|i| (out[i] - right[i] - down[i]) / 2.0), right, down]
}

/// Returns the directions of a face: outward, and as seen from outside to the right and down.
pub(crate) const fn axes(face: Face) -> [[i32; 3]; 3] {
    match face {
        Face::U => [[0, 1, 0], [1, 0, 0], [0, 0, 1]],
        Face::R => [[1, 0, 0], [0, 0, -1], [0, -1, 0]],
        Face::F => [[0, 0, 1], [1, 0, 0], [0, -1, 0]],
        Face::D => [[0, -1, 0], [1, 0, 0], [0, 0, -1]],
        Face::L => [[-1, 0, 0], [0, 0, 1], [0, -1, 0]],
        Face::B => [[0, 0, -1], [-1, 0, 0], [0, -1, 0]],
    }
}
