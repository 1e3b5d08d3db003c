//! A picture as plane shapes, the same for SVG and PNG.

use crate::colour::Rgb;
use crate::geometry::Point;

/// A picture: its size, its part of the plane, and groups of shapes from back to front.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// Width and height in pixels.
    pub pixels: [u32; 2],
    /// View box: left, top, width and height of the part of the plane that is shown.
    pub window: [f64; 4],
    /// Colour behind all shapes; `None` is transparent.
    pub background: Option<Rgb>,
    /// Groups from back to front.
    pub groups: Vec<Group>,
    /// Text alternative: what the picture shows. It contains no characters that XML must escape.
    pub title: String,
}

/// Group of shapes with one opacity.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Opacity in percent.
    pub opacity: u8,
    /// Outline of the polygons: colour and width. Corners are round.
    pub outline: Option<(Rgb, f64)>,
    /// Shapes from back to front.
    pub shapes: Vec<Shape>,
}

impl Group {
    /// Creates an opaque group without outlines.
    pub(crate) fn opaque(shapes: Vec<Shape>) -> Self {
        Self { opacity: 100, outline: None, shapes }
    }
}

/// One shape.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// A filled quadrilateral: a sticker, or a side of the body.
    Quad([Point; 4], Rgb),
    /// A filled triangle: the head of an arrow.
    Triangle([Point; 3], Rgb),
    /// A line with round ends. With a control point it is a quadratic Bézier curve.
    Line {
        /// Start.
        from: Point,
        /// Control point.
        via: Option<Point>,
        /// End.
        to: Point,
        /// Colour.
        colour: Rgb,
        /// Width.
        width: f64,
    },
    /// Connected straight lines with round ends and corners: a stroke of a letter.
    Strokes {
        /// Points in order.
        points: Vec<Point>,
        /// Colour.
        colour: Rgb,
        /// Width.
        width: f64,
    },
}

impl Shape {
    /// Applies `place` to every point.
    #[must_use]
    pub fn moved(self, place: impl Fn(Point) -> Point) -> Self {
        match self {
            Self::Quad(points, colour) => Self::Quad(points.map(place), colour),
            Self::Triangle(points, colour) => Self::Triangle(points.map(place), colour),
            Self::Line { from, via, to, colour, width } => {
                Self::Line { from: place(from), via: via.map(&place), to: place(to), colour, width }
            }
            Self::Strokes { points, colour, width } => {
                Self::Strokes { points: points.into_iter().map(place).collect(), colour, width }
            }
        }
    }
}
