//! The shapes are those that `VisualCube` 0.5.6 writes for the same parameters.
//!
//! `data/visualcube.json` has points and colours of its output: all shapes for the examples of its documentation and some other queries,
//! and the colours of the polygons in drawing order for the others.

use serde_json::Value;
use superflip_picture::Rgb;
use superflip_picture::parameters::{Parameters, Reading};
use superflip_picture::scene::{Scene, Shape};

const DATA: &str = include_str!("data/visualcube.json");

/// The points of the data have five decimals.
const TOLERANCE: f64 = 1.1e-5;

/// Reads a query in which no `+` stands for a space. The last of equal names counts.
fn scene(query: &str) -> Scene {
    let decode = |text: &str| text.replace("%2525", "%25").replace("%27", "'");
    let pairs: Vec<(String, String)> =
        query.split('&').filter_map(|pair| pair.split_once('=')).map(|(n, v)| (n.to_owned(), decode(v))).collect();
    let get = |name: &str| pairs.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let parameters = Parameters {
        pzl: get("pzl"),
        size: get("size"),
        view: get("view"),
        stage: get("stage"),
        r: get("r"),
        alg: get("alg"),
        case: get("case"),
        fd: get("fd"),
        fc: get("fc"),
        sch: get("sch"),
        bg: get("bg"),
        cc: get("cc"),
        ac: get("ac"),
        co: get("co"),
        fo: get("fo"),
        dist: get("dist"),
        arw: get("arw"),
    };
    parameters.read(Reading::Forgiving).unwrap().scene()
}

fn cases(kind: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(DATA).unwrap()[kind].as_array().unwrap().clone()
}

fn background(scene: &Scene) -> Value {
    scene.background.map_or(Value::Null, |colour| digits(colour).into())
}

fn digits(colour: Rgb) -> String {
    colour.to_string().trim_start_matches('#').to_owned()
}

#[test]
fn the_examples_have_the_same_shapes() {
    let cases = cases("full");
    assert_eq!(cases.len(), 12);
    for case in &cases {
        let query = case["query"].as_str().unwrap();
        let scene = scene(query);
        assert_eq!(background(&scene), case["background"], "{query}");
        let groups = scene.groups.iter();
        let mut drawn: Vec<_> =
            groups.flat_map(|group| group.shapes.iter().map(|shape| (group.opacity, shape))).collect();
        // Faces at equal depth may be drawn in either order, so the shapes are looked up.
        for expected in case["shapes"].as_array().unwrap() {
            let found = drawn.iter().position(|(opacity, shape)| is_same(*opacity, shape, expected));
            drawn.remove(found.unwrap_or_else(|| panic!("{query}: {expected} is not among {drawn:#?}")));
        }
        assert!(drawn.is_empty(), "{query}: {drawn:?}");
    }
}

/// Returns whether a shape has these points, this colour and this opacity.
fn is_same(opacity: u8, shape: &Shape, expected: &Value) -> bool {
    let numbers: Vec<f64> = expected[3].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
    let near = |points: &[f64]| {
        let distances = points.iter().zip(&numbers).map(|(point, number)| (point - number).abs());
        points.len() == numbers.len() && distances.fold(0.0, f64::max) < TOLERANCE
    };
    let (kind, points, colour) = match shape {
        Shape::Quad(points, colour) => ("polygon", points.as_flattened().to_vec(), *colour),
        Shape::Line { from, via, to, colour, .. } => {
            ("line", [Some(*from), *via, Some(*to)].into_iter().flatten().flatten().collect(), *colour)
        }
        // The data have the end of the line, the scale and the angle.
        Shape::Triangle(points, _) => return expected[0] == "head" && is_head(points, &numbers),
        Shape::Strokes { .. } => return false,
    };
    expected[0] == kind && near(&points) && expected[1] == digits(colour) && expected[2] == opacity
}

/// Returns whether the tip is 5.77 units before the end of the line, in the direction of the angle.
fn is_head(points: &[[f64; 2]; 3], numbers: &[f64]) -> bool {
    let (sin, cos) = numbers[3].to_radians().sin_cos();
    let tip = [numbers[0] + 5.77 * cos * numbers[2], numbers[1] + 5.77 * sin * numbers[2]];
    points[0].into_iter().zip(tip).all(|(found, expected)| (found - expected).abs() < 2.0 * TOLERANCE)
}

#[test]
fn colours_are_those_of_visualcube() {
    let cases = cases("fills");
    assert!(cases.len() > 100);
    for case in &cases {
        let query = case["query"].as_str().unwrap();
        let scene = scene(query);
        assert_eq!(background(&scene), case["background"], "{query}");
        let drawn = scene.groups.iter().flat_map(|group| &group.shapes).filter_map(|shape| match shape {
            Shape::Quad(_, colour) => Some(digits(*colour)),
            _ => None,
        });
        let drawn: Vec<String> = drawn.collect();
        assert_eq!(drawn.join(" "), case["fills"].as_str().unwrap(), "{query}");
    }
}
