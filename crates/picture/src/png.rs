//! Draws scenes as PNG.
#![allow(clippy::cast_possible_truncation)] // the drawing library takes coordinates in single precision

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Stroke, Transform};

use crate::colour::Rgb;
use crate::geometry::Point;
use crate::scene::{Group, Scene, Shape};

/// A scene that cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PngError {
    /// A PNG has at least one pixel.
    #[error("a PNG has at least 1 pixel")]
    Empty,
    /// The encoder failed.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(String),
}

/// Draws a scene.
///
/// # Errors
/// Returns an error if the scene has no pixels.
pub fn write(scene: &Scene) -> Result<Vec<u8>, PngError> {
    draw(scene)?.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}

fn draw(scene: &Scene) -> Result<Pixmap, PngError> {
    let [width, height] = scene.pixels;
    let new = || Pixmap::new(width, height).ok_or(PngError::Empty);
    let mut picture = new()?;
    if let Some(colour) = scene.background {
        let Rgb([red, green, blue]) = colour;
        picture.fill(Color::from_rgba8(red, green, blue, 255));
    }
    let [left, top, across, down] = scene.window;
    // The default `preserveAspectRatio` of SVG: uniform scale, as large as fits, centred.
    let scale = (f64::from(width) / across).min(f64::from(height) / down);
    let margin = [(f64::from(width) - across * scale) / 2.0, (f64::from(height) - down * scale) / 2.0];
    let place = Transform::from_row(
        scale as f32,
        0.0,
        0.0,
        scale as f32,
        (margin[0] - left * scale) as f32,
        (margin[1] - top * scale) as f32,
    );
    for group in scene.groups.iter().filter(|group| !group.shapes.is_empty() && group.opacity > 0) {
        if group.opacity == 100 {
            draw_group(&mut picture, group, place);
            continue;
        }
        let mut layer = new()?;
        draw_group(&mut layer, group, place);
        let paint = PixmapPaint { opacity: f32::from(group.opacity) / 100.0, ..PixmapPaint::default() };
        picture.draw_pixmap(0, 0, layer.as_ref(), &paint, Transform::identity(), None);
    }
    Ok(picture)
}

fn draw_group(picture: &mut Pixmap, group: &Group, place: Transform) {
    for shape in &group.shapes {
        match shape {
            Shape::Quad(points, colour) => polygon(picture, points, *colour, group.outline, place),
            Shape::Triangle(points, colour) => polygon(picture, points, *colour, group.outline, place),
            Shape::Line { from, via, to, colour, width } => {
                let mut path = PathBuilder::new();
                path.move_to(from[0] as f32, from[1] as f32);
                match via {
                    Some(via) => path.quad_to(via[0] as f32, via[1] as f32, to[0] as f32, to[1] as f32),
                    None => path.line_to(to[0] as f32, to[1] as f32),
                }
                stroke(picture, path.finish(), *colour, *width, place);
            }
            Shape::Strokes { points, colour, width } => {
                stroke(picture, lines(points).finish(), *colour, *width, place);
            }
        }
    }
}

fn polygon(picture: &mut Pixmap, points: &[Point], colour: Rgb, outline: Option<(Rgb, f64)>, place: Transform) {
    let mut path = lines(points);
    path.close();
    // A path of less than two distinct points has no area.
    let Some(path) = path.finish() else { return };
    picture.fill_path(&path, &paint(colour), FillRule::Winding, place, None);
    if let Some((colour, width)) = outline {
        stroke(picture, Some(path), colour, width, place);
    }
}

fn lines(points: &[Point]) -> PathBuilder {
    let mut path = PathBuilder::new();
    for (at, [x, y]) in points.iter().enumerate() {
        if at == 0 {
            path.move_to(*x as f32, *y as f32);
        } else {
            path.line_to(*x as f32, *y as f32);
        }
    }
    path
}

fn stroke(picture: &mut Pixmap, path: Option<Path>, colour: Rgb, width: f64, place: Transform) {
    let style =
        Stroke { width: width as f32, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
    if let Some(path) = path {
        picture.stroke_path(&path, &paint(colour), &style, place, None);
    }
}

fn paint(Rgb([red, green, blue]): Rgb) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint.anti_alias = true;
    paint
}
