//! A picture of a cube before it is projected.

use superflip_cube::Face;

use crate::arrow::Arrow;
use crate::colour::{BLACK, GREY, Paint, Rgb, WHITE};
use crate::geometry::{Camera, DEFAULT_DISTANCE, Grid, Rotation, towards};
use crate::scene::{Group, Scene, Shape};

/// Part of the plane in a picture: left, top, width and height.
pub(crate) const WINDOW: [f64; 4] = [-0.9, -0.9, 1.8, 1.8];

/// Size of the body relative to the cube, and width of its outline, which rounds its corners.
const BODY: (f64, f64) = (0.94, 0.1);
/// Size of a sticker relative to its cell.
const STICKER: f64 = 0.85;
/// Size of a sticker of the rim relative to its cell, its distance from the cube and the width of its outline.
const RIM: (f64, f64, f64) = (0.94, 0.2, 0.02);
/// Faces of the rim in the order in which they are drawn.
const RIM_FACES: [Face; 4] = [Face::F, Face::L, Face::B, Face::R];

/// A picture of a cube: its stickers, and how they are drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Number of layers, from 1.
    pub size: usize,
    /// Paint of each sticker: faces in the order U R F D L B, each row by row as seen from outside.
    pub stickers: Vec<Paint>,
    /// Width and height in pixels.
    pub pixels: u32,
    /// Rotations of the cube before it is drawn.
    pub rotations: Vec<Rotation>,
    /// Distance of the eye from the centre of the cube, in edges of the cube, from 1.
    pub distance: f64,
    /// Whether the stickers of the upper layer are drawn around the upper face. For a view from above.
    pub has_rim: bool,
    /// Colour behind the cube; `None` is transparent.
    pub background: Paint,
    /// Colour of the body.
    pub body: Rgb,
    /// Opacity of the body in percent. Below 100 the faces at the back are drawn too.
    pub body_opacity: u8,
    /// Opacity of the stickers in percent.
    pub sticker_opacity: u8,
    /// Arrows.
    pub arrows: Vec<Arrow>,
    /// Colour of arrows that have none of their own.
    pub arrow_colour: Rgb,
}

impl Picture {
    /// Creates a picture with the default view and style.
    pub fn new(size: usize, stickers: Vec<Paint>) -> Self {
        Self {
            size,
            stickers,
            pixels: 128,
            rotations: Rotation::DEFAULT.to_vec(),
            distance: DEFAULT_DISTANCE,
            has_rim: false,
            background: Some(WHITE),
            body: BLACK,
            body_opacity: 100,
            sticker_opacity: 100,
            arrows: Vec::new(),
            arrow_colour: GREY,
        }
    }

    /// Projects the picture to plane shapes.
    pub fn scene(&self) -> Scene {
        Scene {
            pixels: [self.pixels; 2],
            window: WINDOW,
            background: self.background,
            groups: self.groups(),
            title: format!("Cube {0}x{0}x{0}", self.size),
        }
    }

    /// Returns the shapes of the picture, from back to front.
    pub fn groups(&self) -> Vec<Group> {
        let camera = Camera::new(&self.rotations, self.distance);
        let order = camera.back_to_front();
        let is_seen = |face: &&Face| self.body_opacity < 100 || camera.sees(**face);
        let back: &[Face] = if self.body_opacity < 100 { &order[..3] } else { &[] };
        let front: Vec<Face> = order[3..].iter().filter(is_seen).copied().collect();
        let needs =
            |face: Face| self.has_rim || !self.arrows.is_empty() || back.contains(&face) || front.contains(&face);
        let empty = || Grid::empty(self.size);
        let grids = Face::ALL.map(|face| if needs(face) { camera.grid(face, self.size) } else { empty() });
        let mut groups = vec![
            self.sticker_group(back, &grids),
            self.body_group(back, &grids),
            self.body_group(&front, &grids),
            self.sticker_group(&front, &grids),
        ];
        if self.has_rim {
            groups.push(self.rim_group(&camera, &grids));
        }
        let arrows = self.arrows.iter();
        groups
            .push(Group::opaque(arrows.flat_map(|arrow| arrow.shapes(&grids, self.size, self.arrow_colour)).collect()));
        groups.retain(|group| !group.shapes.is_empty());
        groups
    }

    /// Returns the stickers that are drawn of these faces: their numbers and corners.
    pub fn polygons(&self) -> Vec<(usize, [crate::geometry::Point; 4])> {
        let camera = Camera::new(&self.rotations, self.distance);
        let seen = camera.back_to_front().into_iter().filter(|face| camera.sees(*face));
        let of_face = |face: Face| {
            let (grid, size) = (camera.grid(face, self.size), self.size);
            (0..size * size)
                .map(move |at| (face.index() * size * size + at, grid.sticker(at / size, at % size, STICKER)))
        };
        seen.flat_map(of_face).collect()
    }

    fn sticker_group(&self, faces: &[Face], grids: &[Grid; 6]) -> Group {
        let size = self.size;
        let mut shapes = Vec::with_capacity(faces.len() * size * size);
        for face in faces {
            let grid = &grids[face.index()];
            for at in 0..size * size {
                if let Some(colour) = self.stickers[face.index() * size * size + at] {
                    shapes.push(Shape::Quad(grid.sticker(at / size, at % size, STICKER), colour));
                }
            }
        }
        Group { opacity: self.sticker_opacity, outline: None, shapes }
    }

    fn body_group(&self, faces: &[Face], grids: &[Grid; 6]) -> Group {
        let (scale, width) = BODY;
        let outline = |face: &Face| grids[face.index()].outline().map(|corner| towards([0.0; 2], corner, scale));
        let shapes = faces.iter().map(|face| Shape::Quad(outline(face), self.body)).collect();
        Group { opacity: self.body_opacity, outline: Some((self.body, width)), shapes }
    }

    /// Returns the stickers of the upper row of each side, folded outwards.
    fn rim_group(&self, camera: &Camera, grids: &[Grid; 6]) -> Group {
        let (scale, distance, width) = RIM;
        let mut shapes = Vec::with_capacity(4 * self.size);
        for face in RIM_FACES {
            let [x, y, _] = camera.normal(face);
            let outwards = [x * distance, -y * distance];
            for column in 0..self.size {
                let Some(colour) = self.stickers[face.index() * self.size * self.size + column] else { continue };
                let mut corners = grids[face.index()].sticker(0, column, scale);
                for corner in &mut corners[2..] {
                    *corner = [0, 1].map(|i| corner[i] + outwards[i]);
                }
                shapes.push(Shape::Quad(corners, colour));
            }
        }
        Group { opacity: self.sticker_opacity, outline: Some((self.body, width)), shapes }
    }
}
