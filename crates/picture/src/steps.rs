//! A strip of pictures: a cube before each move, with arrows on the layers that turn and the move below, then the cube after the last one.
#![allow(clippy::cast_possible_truncation)] // a picture has some thousand pixels

use superflip_cube::Face;

use crate::Picture;
use crate::arrow::drawn;
use crate::colour::{BLACK, WHITE};
use crate::geometry::{Camera, Point, axes};
use crate::moves::{LayerMove, apply, dot, quarter};
use crate::picture::WINDOW;
use crate::scene::{Group, Scene, Shape};

/// Greatest number of moves.
pub const MAX_STEPS: usize = 30;

/// Greatest number of pictures in a row.
const COLUMNS: usize = 6;
/// Height of the text below a picture.
const TEXT: f64 = 0.4;
/// Height of a letter.
const LETTER: f64 = 0.24;
/// Line width and head scale: first of the white outline of an arrow, then of the black arrow.
const ARROW: [(f64, f64); 2] = [(0.075, 0.02), (0.035, 0.014)];

/// Draws the steps of `moves` from the cube of `start`, which has three layers. The pictures have the size and style of `start`.
pub fn scene(start: &Picture, moves: &[LayerMove]) -> Scene {
    let mut picture = Picture { arrows: Vec::new(), ..start.clone() };
    let (width, height) = (WINDOW[2], WINDOW[3] + TEXT);
    let count = moves.len() + 1;
    let columns = count.min(COLUMNS);
    let rows = count.div_ceil(COLUMNS);
    let mut groups = Vec::with_capacity(3 * count);
    for at in 0..count {
        let corner = [(at % COLUMNS) as f64 * width, (at / COLUMNS) as f64 * height];
        let place = |[x, y]: Point| [x + corner[0], y + corner[1]];
        let mut cell = picture.groups();
        if let Some(mv) = moves.get(at) {
            cell.push(Group::opaque(arrows(&picture, *mv)));
            cell.push(Group::opaque(label(&name(*mv), WINDOW[1] + WINDOW[3])));
            apply(&mut picture.stickers, &[*mv], 3);
        }
        groups.extend(cell.into_iter().map(|Group { opacity, outline, shapes }| {
            let shapes = shapes.into_iter().map(|shape| shape.moved(place)).collect();
            Group { opacity, outline, shapes }
        }));
    }
    let down = f64::from(start.pixels) * height / width * rows as f64;
    let moves: Vec<String> = moves.iter().map(|mv| name(*mv)).collect();
    Scene {
        pixels: [start.pixels * columns as u32, down.round() as u32],
        window: [WINDOW[0], WINDOW[1], width * columns as f64, height * rows as f64],
        background: start.background,
        groups,
        title: if moves.is_empty() { "No moves".to_owned() } else { moves.join(" ") },
    }
}

/// Returns the name of a move of a cube of three layers.
pub fn name(mv: LayerMove) -> String {
    let LayerMove { face, first, end, quarters } = mv;
    let is_first = [Face::U, Face::R, Face::F].contains(&face);
    let rotation = ["y", "x", "z"][face.index() % 3];
    let middle = ["E", "M", "S"][face.index() % 3];
    // E turns like D, M like L and S like F.
    let is_middle = [Face::D, Face::L, Face::F].contains(&face);
    let (letters, is_same) = match (first, end) {
        (0, 1) => (face.name().to_owned(), true),
        (0, 2) => (format!("{face}w"), true),
        (0, _) => (rotation.to_owned(), is_first),
        (1, 2) => (middle.to_owned(), is_middle),
        (1, _) => (format!("{}w", face.opposite()), false),
        _ => (face.opposite().name().to_owned(), false),
    };
    let quarters = if is_same { quarters } else { 4 - quarters };
    letters + ["", "2", "'"][usize::from(quarters) - 1]
}

/// Returns an arrow with a white outline on each layer that turns: on one visible side, or for a half turn on two.
fn arrows(picture: &Picture, mv: LayerMove) -> Vec<Shape> {
    let camera = Camera::new(&picture.rotations, picture.distance);
    let is_beside = |side: &Face| side.axis() != mv.face.axis() && camera.sees(*side);
    let sides = [Face::F, Face::U, Face::R, Face::L, Face::D, Face::B].into_iter().filter(is_beside);
    let mut lines = Vec::new();
    for side in sides.take(if mv.quarters == 2 { 2 } else { 1 }) {
        let grid = camera.grid(side, 3);
        let [out, right, down] = axes(side);
        let towards = quarter(mv.face, out);
        for layer in mv.first..mv.end {
            let height = 1 - layer as i32;
            let end = |sign: i32| {
                let cell = std::array::from_fn(|i| out[i] + axes(mv.face)[0][i] * height + towards[i] * sign);
                grid.centre((dot(cell, down) + 1) as usize, (dot(cell, right) + 1) as usize)
            };
            lines.push(if mv.quarters == 3 { [end(1), end(-1)] } else { [end(-1), end(1)] });
        }
    }
    let styles = [WHITE, BLACK].into_iter().zip(ARROW);
    styles
        .flat_map(|(colour, (width, head))| {
            lines.iter().flat_map(move |[from, to]| drawn(*from, None, *to, colour, width, head)).collect::<Vec<_>>()
        })
        .collect()
}

/// Returns the letters of a text, centred below a picture.
fn label(text: &str, top: f64) -> Vec<Shape> {
    let unit = LETTER / HEIGHT;
    let width: f64 = text.chars().map(advance).sum::<f64>() - SPACE;
    let mut left = -width * unit / 2.0;
    let mut shapes = Vec::new();
    for letter in text.chars() {
        for stroke in strokes(letter) {
            let points = stroke.iter().map(|&(x, y)| [left + f64::from(x) * unit, top + f64::from(y) * unit]).collect();
            shapes.push(Shape::Strokes { points, colour: BLACK, width: unit });
        }
        left += advance(letter) * unit;
    }
    shapes
}

/// Height of a capital letter.
const HEIGHT: f64 = 6.0;
/// Space between letters.
const SPACE: f64 = 1.8;

/// A stroke of a letter, because a picture has no fonts: points, from the top left of the letter.
type Stroke = &'static [(i8, i8)];

/// Returns the width of a letter and the space behind it.
fn advance(letter: char) -> f64 {
    SPACE + if letter == '\'' { 1.0 } else { 4.0 }
}

/// Returns the strokes of a letter.
const fn strokes(letter: char) -> &'static [Stroke] {
    match letter {
        'U' => &[&[(0, 0), (0, 4), (1, 6), (3, 6), (4, 4), (4, 0)]],
        'R' => &[&[(0, 6), (0, 0), (3, 0), (4, 1), (4, 2), (3, 3), (0, 3)], &[(2, 3), (4, 6)]],
        'F' => &[&[(4, 0), (0, 0), (0, 6)], &[(0, 3), (3, 3)]],
        'D' => &[&[(0, 0), (0, 6), (2, 6), (4, 4), (4, 2), (2, 0), (0, 0)]],
        'L' => &[&[(0, 0), (0, 6), (4, 6)]],
        'B' => &[&[(0, 3), (3, 3), (4, 4), (4, 5), (3, 6), (0, 6), (0, 0), (3, 0), (4, 1), (4, 2), (3, 3)]],
        'M' => &[&[(0, 6), (0, 0), (2, 3), (4, 0), (4, 6)]],
        'E' => &[&[(4, 0), (0, 0), (0, 6), (4, 6)], &[(0, 3), (3, 3)]],
        'S' => &[&[(4, 1), (3, 0), (1, 0), (0, 1), (0, 2), (1, 3), (3, 3), (4, 4), (4, 5), (3, 6), (1, 6), (0, 5)]],
        'w' => &[&[(0, 2), (1, 6), (2, 3), (3, 6), (4, 2)]],
        'x' => &[&[(0, 2), (4, 6)], &[(4, 2), (0, 6)]],
        'y' => &[&[(0, 2), (2, 5)], &[(4, 2), (2, 5), (1, 7)]],
        'z' => &[&[(0, 2), (4, 2), (0, 6), (4, 6)]],
        '2' => &[&[(0, 1), (1, 0), (3, 0), (4, 1), (4, 2), (0, 6), (4, 6)]],
        '\'' => &[&[(1, 0), (0, 2)]],
        _ => &[],
    }
}
