//! Writes scenes as SVG.
//!
//! The text has no styles, scripts, fonts or references, so it is drawn alike under every content security policy.
#![allow(clippy::cast_possible_truncation)] // coordinates are rounded to a few decimals

use std::fmt::Write as _;

use crate::colour::Rgb;
use crate::geometry::Point;
use crate::scene::{Group, Scene, Shape};

/// Writes a scene.
pub fn write(scene: &Scene) -> String {
    let shapes: usize = scene.groups.iter().map(|group| group.shapes.len()).sum();
    let mut out = Writer(String::with_capacity(400 + shapes * 110));
    let [width, height] = scene.pixels;
    let [left, top, across, down] = scene.window;
    // `write!` is slow, but runs only once per picture.
    let _ = write!(
        out.0,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{left} {top} {across} {down}\">\n<title>{}</title>\n",
        scene.title
    );
    if let Some(colour) = scene.background {
        let _ =
            writeln!(out.0, "<rect fill=\"{colour}\" x=\"{left}\" y=\"{top}\" width=\"{across}\" height=\"{down}\"/>");
    }
    scene.groups.iter().for_each(|group| out.group(group));
    out.text("</svg>\n");
    out.0
}

struct Writer(String);

impl Writer {
    fn text(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn group(&mut self, group: &Group) {
        if group.shapes.is_empty() {
            return;
        }
        self.text("<g stroke-linejoin=\"round\" stroke-linecap=\"round\"");
        if group.opacity < 100 {
            self.attribute("opacity", f64::from(group.opacity) / 100.0);
        }
        if let Some((colour, width)) = group.outline {
            self.stroke(colour, width);
        }
        self.text(">\n");
        for shape in &group.shapes {
            match shape {
                Shape::Quad(points, colour) => self.polygon(points, *colour),
                Shape::Triangle(points, colour) => self.polygon(points, *colour),
                Shape::Line { from, via, to, colour, width } => {
                    self.text("<path fill=\"none\"");
                    self.stroke(*colour, *width);
                    self.text(" d=\"M");
                    self.point(*from);
                    match via {
                        Some(via) => {
                            self.text("Q");
                            self.point(*via);
                            self.text(" ");
                        }
                        None => self.text("L"),
                    }
                    self.point(*to);
                    self.text("\"/>\n");
                }
                Shape::Strokes { points, colour, width } => {
                    self.text("<polyline fill=\"none\"");
                    self.stroke(*colour, *width);
                    self.points(points);
                    self.text("/>\n");
                }
            }
        }
        self.text("</g>\n");
    }

    fn polygon(&mut self, points: &[Point], colour: Rgb) {
        self.text("<polygon fill=\"");
        self.colour(colour);
        self.text("\"");
        self.points(points);
        self.text("/>\n");
    }

    fn points(&mut self, points: &[Point]) {
        self.text(" points=\"");
        for (at, point) in points.iter().enumerate() {
            if at > 0 {
                self.text(" ");
            }
            self.point(*point);
        }
        self.text("\"");
    }

    fn stroke(&mut self, colour: Rgb, width: f64) {
        self.text(" stroke=\"");
        self.colour(colour);
        self.text("\"");
        self.attribute("stroke-width", width);
    }

    fn attribute(&mut self, name: &str, value: f64) {
        self.text(" ");
        self.text(name);
        self.text("=\"");
        self.number(value);
        self.text("\"");
    }

    fn colour(&mut self, Rgb(parts): Rgb) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        self.text("#");
        for part in parts {
            self.0.push(char::from(DIGITS[usize::from(part >> 4)]));
            self.0.push(char::from(DIGITS[usize::from(part & 15)]));
        }
    }

    fn point(&mut self, [x, y]: Point) {
        self.number(x);
        self.text(",");
        self.number(y);
    }

    /// Writes a number with at most four decimals, which is a sixteenth of a pixel in the largest picture. The formatter of `f64` takes ten times
    /// as long.
    fn number(&mut self, value: f64) {
        const UNIT: u64 = 10_000;
        let scaled = (value * UNIT as f64).round() as i64;
        let size = scaled.unsigned_abs();
        if scaled < 0 {
            self.0.push('-');
        }
        let (whole, mut rest) = (size / UNIT, size % UNIT);
        if whole < 10 {
            self.0.push(char::from(b'0' + whole as u8));
        } else {
            let _ = write!(self.0, "{whole}");
        }
        if rest == 0 {
            return;
        }
        self.0.push('.');
        let mut place = UNIT / 10;
        while rest > 0 {
            self.0.push(char::from(b'0' + (rest / place) as u8));
            rest %= place;
            place /= 10;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_four_decimals() {
        for (value, text) in [
            (0.0, "0"),
            (-0.000_01, "0"),
            (0.5, "0.5"),
            (-0.9, "-0.9"),
            (1.000_06, "1.0001"),
            (0.000_1, "0.0001"),
            (12.345_678, "12.3457"),
            (-0.999_96, "-1"),
            (0.070_1, "0.0701"),
        ] {
            let mut out = Writer(String::new());
            out.number(value);
            assert_eq!(out.0, text);
        }
    }
}
