//! Projection, visible faces, moves, stages and pixels, compared with other ways to compute them.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss)] // small numbers

use superflip_cube::forms::Read;
use superflip_cube::{Axis, Cube, Face, Holding};
use superflip_picture::colour::Scheme;
use superflip_picture::geometry::{Camera, Rotation};
use superflip_picture::parameters::{Parameters, Reading};
use superflip_picture::scene::Shape;
use superflip_picture::stickers::Stage;
use superflip_picture::{Picture, moves, png};

#[allow(clippy::large_types_passed_by_value)] // a test reads a few
fn read(parameters: Parameters<'_>) -> Picture {
    parameters.read(Reading::Strict).unwrap()
}

/// The default view by school trigonometry: the viewer goes 45 degrees to the right and 34 degrees up around the cube.
fn seen(point: [f64; 3]) -> [f64; 2] {
    let (azimuth, elevation) = (45.0_f64.to_radians(), 34.0_f64.to_radians());
    let to_eye = [elevation.cos() * azimuth.sin(), elevation.sin(), elevation.cos() * azimuth.cos()];
    let right = [azimuth.cos(), 0.0, -azimuth.sin()];
    let up = [-elevation.sin() * azimuth.sin(), elevation.cos(), -elevation.sin() * azimuth.cos()];
    let dot = |a: [f64; 3]| a[0] * point[0] + a[1] * point[1] + a[2] * point[2];
    // The eye is 5 from the centre, and the picture plane goes through the centre.
    let nearer = 5.0 / (5.0 - dot(to_eye));
    [dot(right) * nearer, -dot(up) * nearer]
}

#[test]
fn points_are_where_a_viewer_sees_them() {
    let camera = Camera::new(&Rotation::DEFAULT, 5.0);
    for corner in 0..8 {
        let point = [0, 1, 2].map(|bit| if corner >> bit & 1 == 1 { 0.5 } else { -0.5 });
        let (found, expected) = (camera.project(point), seen(point));
        assert!((found[0] - expected[0]).hypot(found[1] - expected[1]) < 1e-12, "{point:?}: {found:?} {expected:?}");
    }
}

/// A face is seen if its corners go round clockwise in the picture, where y points down.
#[test]
fn exactly_the_faces_whose_outside_is_seen_are_drawn() {
    let mut counts = [0; 4];
    for (x, y, z) in (0..36).flat_map(|x| (0..12).flat_map(move |y| [0, 50].map(|z| (x * 10, y * 31, z)))) {
        for distance in [1.0, 2.0, 5.0, 100.0] {
            let axes = [(Axis::Ud, y), (Axis::Rl, x), (Axis::Fb, z)];
            let rotations = axes.map(|(axis, degrees)| Rotation { axis, degrees: f64::from(degrees) });
            let camera = Camera::new(&rotations, distance);
            let mut count = 0;
            for face in Face::ALL {
                let [first, second, third, fourth] = camera.grid(face, 3).outline();
                let [across, along] = [[first, third], [second, fourth]].map(|[a, b]| [b[0] - a[0], b[1] - a[1]]);
                let area = across[0] * along[1] - across[1] * along[0];
                if area.abs() > 1e-6 {
                    assert_eq!(camera.sees(face), area > 0.0, "{face} {x} {y} {z} {distance}");
                }
                count += usize::from(camera.sees(face));
            }
            counts[count] += 1;
        }
    }
    assert!(counts[1] > 0 && counts[2] > 0 && counts[3] > 500 && counts[0] == 0, "{counts:?}");
}

/// The default view shows U, R and F with 9 stickers each, and each polygon lies around the projected centre of its sticker.
#[test]
fn the_default_view_shows_27_stickers_at_their_places() {
    let polygons = read(Parameters::default()).polygons();
    let mut facelets: Vec<usize> = polygons.iter().map(|(facelet, _)| *facelet).collect();
    facelets.sort_unstable();
    assert!(facelets.into_iter().eq(0..27));
    for (facelet, points) in polygons {
        let (row, column) = (facelet % 9 / 3, facelet % 3);
        let (across, along) = (column as f64 / 3.0 - 1.0 / 3.0, row as f64 / 3.0 - 1.0 / 3.0);
        let centre = match facelet / 9 {
            0 => [across, 0.5, along],
            1 => [0.5, -along, -across],
            _ => [across, -along, 0.5],
        };
        let expected = seen(centre);
        let found = [0, 1].map(|i| points.iter().map(|point| point[i]).sum::<f64>() / 4.0);
        assert!((found[0] - expected[0]).hypot(found[1] - expected[1]) < 0.01, "{facelet}: {found:?} {expected:?}");
    }
}

const ALGORITHMS: [&str; 9] = [
    "R U R' U'",
    "S2 M2 E2",
    "r U2 x r U2 r U2 r' U2 l U2 r' U2 r U2 r' U2 r'",
    "x y z",
    "Fw2 Dw' B 2R L'",
    "D L2 B' F M' E S",
    "u d f b l r",
    "3Rw 3U",
    "",
];

/// Returns the facelets of the engine, named by the centres of the cube before any rotation.
fn by_engine(scramble: &str) -> (Cube, Holding, String) {
    let Read { cube, holding, .. } = Read::of_scramble(scramble).unwrap();
    let holding = holding.unwrap_or_default();
    let letters = cube.to_string();
    let named = letters.chars().map(|letter| {
        let place = Face::from_letter(letter).unwrap();
        holding.centres()[place.index()].letter()
    });
    (cube, holding, named.collect())
}

#[test]
fn moves_lead_to_the_cube_of_the_engine() {
    for scramble in ALGORITHMS {
        let (cube, holding, letters) = by_engine(scramble);
        let scheme = Some("wrgyob");
        let expected: Vec<_> =
            letters.chars().map(|letter| Scheme::WCA.0[Face::from_letter(letter).unwrap().index()]).collect();
        let moved = read(Parameters { alg: Some(scramble), sch: scheme, ..Parameters::default() });
        assert_eq!(moved.stickers, expected, "{scramble}");
        let given = Parameters::default().read_cube(&cube, holding, Reading::Strict).unwrap();
        assert_eq!(given.stickers, expected, "{scramble}");
        // The case of moves is solved by them.
        let case = read(Parameters { case: Some(scramble), alg: Some(scramble), ..Parameters::default() });
        assert_eq!(case, read(Parameters::default()), "{scramble}");
    }
}

#[test]
fn a_stage_of_a_cube_shows_its_pieces_where_they_are() {
    let scramble = "R U F' D2 L B'";
    let cube = Cube::from_scramble(scramble).unwrap();
    for stage in Stage::ALL {
        let parameters = Parameters { stage: Some(stage.name()), sch: Some("wrgyob"), ..Parameters::default() };
        let given = parameters.read_cube(&cube, Holding::HOME, Reading::Strict).unwrap();
        assert_eq!(given, read(Parameters { alg: Some(scramble), ..parameters }), "{}", stage.name());
    }
}

/// On larger cubes: sizes of layers, orders of moves, and identities that hold for every size.
#[test]
fn moves_of_every_size_keep_the_laws_of_the_cube() {
    for size in 1..=10 {
        let apply = |text: &str| {
            let mut stickers: Vec<usize> = (0..6 * size * size).collect();
            moves::apply(&mut stickers, &moves::read(text, size).unwrap(), size);
            stickers
        };
        let solved = apply("");
        let moved = |text: &str| apply(text).iter().zip(&solved).filter(|(a, b)| a != b).count();
        for same in ["U2U2", "Uw2Uw2", "xx'", "y2y2", "RRRR"] {
            assert_eq!(apply(same), solved, "{size} {same}");
        }
        assert_eq!(apply("x y x'"), apply("z"), "{size}");
        assert_eq!(apply("y R y'"), apply("B"), "{size}");
        assert_eq!(apply("z U z'"), apply("L"), "{size}");
        if size > 1 {
            // A face without its centre, and a row on each of four sides.
            let centres = size % 2;
            assert_eq!(moved("R"), size * size - centres + 4 * size, "{size}");
            assert_eq!(apply("R"), apply(&format!("{}Lw x", size - 1)), "{size}");
        }
        if size > 2 {
            assert_eq!(moved("2R"), 4 * size, "{size}");
            assert_eq!(apply("Rw"), apply("R 2R"), "{size}");
        }
        if size % 2 == 1 {
            assert_eq!(apply("M"), apply(&format!("{}L", size / 2 + 1)), "{size}");
            assert_eq!(apply("E"), apply(&format!("{}D", size / 2 + 1)), "{size}");
            assert_eq!(apply("S"), apply(&format!("{}F", size / 2 + 1)), "{size}");
        }
    }
}

#[test]
fn stages_show_the_pieces_of_their_names() {
    let shown = |name: &str| Stage::from_name(name).unwrap().shown(3);
    let count = |name: &str| shown(name).iter().filter(|is_shown| **is_shown).count();
    // Stickers of centres, edges and corners: 1, 2 and 3 each.
    for (name, stickers) in [
        ("cross", 5 + 4 * 2),
        ("fl", 1 + 4 * 2 + 4 * 3),
        ("f2l", 5 + 8 * 2 + 4 * 3),
        ("ll", 1 + 4 * 2 + 4 * 3),
        ("cll", 1 + 4 * 3),
        ("ell", 1 + 4 * 2),
        ("oll", 9),
        ("line", 3 + 2 * 2),
        ("2x2x2", 3 + 3 * 2 + 3),
        ("2x2x3", 4 + 5 * 2 + 2 * 3),
        ("f2b", 2 + 6 * 2 + 4 * 3),
        ("f2l_3", 5 + 4 * 2 + 2 + 3),
        ("f2l_1", 5 + 4 * 2 + 3 * (2 + 3)),
        ("cmll", 2 + 6 * 2 + 8 * 3),
    ] {
        assert_eq!(count(name), stickers, "{name}");
    }
    // The cross: all of the lower face but its corners, and the two stickers below the middle of each side.
    let cross: Vec<usize> = (0..54).filter(|at| shown("cross")[*at]).collect();
    assert_eq!(cross, [13, 16, 22, 25, 28, 30, 31, 32, 34, 40, 43, 49, 52]);
}

/// The pixel at the centre of each sticker has its colour, and the corners have the background.
#[test]
fn pixels_have_the_colours_of_the_shapes() {
    let picture = read(Parameters { alg: Some("R U F"), size: Some("300"), bg: Some("t"), ..Parameters::default() });
    let pixels = tiny_skia::Pixmap::decode_png(&png::write(&picture.scene()).unwrap()).unwrap();
    assert_eq!((pixels.width(), pixels.height()), (300, 300));
    let colour = |x: f64, y: f64| {
        let at = |value: f64| ((value + 0.9) / 1.8 * 300.0) as u32;
        let pixel = pixels.pixel(at(x), at(y)).unwrap();
        (pixel.alpha() > 0).then(|| [pixel.red(), pixel.green(), pixel.blue()])
    };
    assert_eq!(colour(-0.89, -0.89), None);
    for (facelet, points) in picture.polygons() {
        let [x, y] = [0, 1].map(|i| points.iter().map(|point| point[i]).sum::<f64>() / 4.0);
        assert_eq!(colour(x, y), picture.stickers[facelet].map(|rgb| rgb.0), "{facelet}");
    }
    // Half of black on white.
    let faint = read(Parameters { fo: Some("0"), co: Some("50"), size: Some("90"), ..Parameters::default() });
    let pixels = tiny_skia::Pixmap::decode_png(&png::write(&faint.scene()).unwrap()).unwrap();
    let middle = pixels.pixel(45, 45).unwrap();
    // Front and back are each drawn at half opacity.
    assert!((62..=66).contains(&middle.red()), "{middle:?}");
}

#[test]
fn a_strip_shows_the_cube_before_each_move_and_after_the_last() {
    let moves = moves::read("R U' F2 M2 x Rw'", 3).unwrap();
    let names: Vec<String> = moves.iter().map(|mv| superflip_picture::steps::name(*mv)).collect();
    assert_eq!(names, ["R", "U'", "F2", "M2", "x", "Rw'"]);
    let start = read(Parameters::default());
    let scene = superflip_picture::steps::scene(&start, &moves);
    // Seven cells in two rows, each 2.2 / 1.8 times as high as wide.
    assert_eq!(scene.pixels, [6 * 128, 313]);
    let cubes = scene.groups.iter().filter(|group| group.outline.is_some()).count();
    assert_eq!(cubes, 7);
    // One arrow for each layer, two for each layer of a half turn; each is a line and a head, with an edge.
    let lines = scene.groups.iter().flat_map(|group| &group.shapes);
    let arrows = lines.filter(|shape| matches!(shape, Shape::Line { .. })).count();
    assert_eq!(arrows, 2 * (1 + 1 + 2 + 2 + 3 + 2));
}

/// The first arrow of a move leads from a sticker to the place to which the move carries it two cells further.
#[test]
fn arrows_follow_the_move() {
    let start = read(Parameters::default());
    let camera = Camera::new(&Rotation::DEFAULT, 5.0);
    // R takes the lower right sticker of F up; U' takes F to the right; F takes the left of U to the right.
    for (text, face, from, to) in [
        ("R", Face::F, (2, 2), (0, 2)),
        ("R'", Face::F, (0, 2), (2, 2)),
        ("U'", Face::F, (0, 0), (0, 2)),
        ("U", Face::F, (0, 2), (0, 0)),
        ("F", Face::U, (2, 0), (2, 2)),
        ("L", Face::F, (0, 0), (2, 0)),
        ("D", Face::F, (2, 0), (2, 2)),
        ("B", Face::U, (0, 2), (0, 0)),
    ] {
        let scene = superflip_picture::steps::scene(&start, &moves::read(text, 3).unwrap());
        let ends = scene.groups.iter().flat_map(|group| &group.shapes).find_map(|shape| match shape {
            Shape::Line { from, to, .. } => Some([*from, *to]),
            _ => None,
        });
        let grid = camera.grid(face, 3);
        let expected = [grid.centre(from.0, from.1), grid.centre(to.0, to.1)];
        let ends = ends.unwrap();
        let distance = ends.as_flattened().iter().zip(expected.as_flattened()).map(|(a, b)| (a - b).abs());
        assert!(distance.fold(0.0, f64::max) < 1e-9, "{text}: {ends:?} {expected:?}");
    }
}
