//! A cube of 54 stickers in space, turned by rotating points. It shares only the order of the letters with the crate,
//! so a solution checked here is verified independently.

pub type Point = [i32; 3];

/// For each face in the order U R F D L B: its normal, and the directions right and down as seen from outside.
const FACES: [(char, Point, Point, Point); 6] = [
    ('U', [0, 1, 0], [1, 0, 0], [0, 0, 1]),
    ('R', [1, 0, 0], [0, 0, -1], [0, -1, 0]),
    ('F', [0, 0, 1], [1, 0, 0], [0, -1, 0]),
    ('D', [0, -1, 0], [1, 0, 0], [0, 0, -1]),
    ('L', [-1, 0, 0], [0, 0, 1], [0, -1, 0]),
    ('B', [0, 0, -1], [-1, 0, 0], [0, -1, 0]),
];

fn dot(a: Point, b: Point) -> i32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// A clockwise quarter turn about `axis` as seen from its tip.
pub fn clockwise(axis: Point, v: Point) -> Point {
    let along = dot(axis, v);
    add([axis[0] * along, axis[1] * along, axis[2] * along], cross(v, axis))
}

/// Returns the point of each sticker: three times its normal off the centre of its cell, so that all 54 differ.
pub fn places() -> Vec<(Point, Point)> {
    let mut places = Vec::new();
    for (_, normal, right, down) in FACES {
        for row in -1..=1 {
            for column in -1..=1 {
                let cell = std::array::from_fn(|i| normal[i] + row * down[i] + column * right[i]);
                places.push((cell, normal));
            }
        }
    }
    places
}

/// Returns the letters of a solved cube.
pub const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

/// Returns the letters after a maneuver of face moves, wide moves and rotations, such as `R U2 Fw' x`.
pub fn apply(facelets: &str, maneuver: &str) -> String {
    let mut letters: Vec<char> = facelets.chars().collect();
    for word in maneuver.split_whitespace() {
        let name = word.chars().next().expect("a move");
        let (face, innermost) = "xyz".find(name).map_or((name, 1), |about| (['R', 'U', 'F'][about], -1));
        let (_, axis, _, _) = FACES.into_iter().find(|other| other.0 == face).expect("a move");
        let (innermost, count) = word[1..].strip_prefix('w').map_or((innermost, &word[1..]), |count| (0, count));
        let quarters = match count {
            "" => 1,
            "2" => 2,
            "'" => 3,
            other => panic!("unexpected {other} after {name}"),
        };
        for _ in 0..quarters {
            letters = quarter(&letters, axis, innermost);
        }
    }
    letters.into_iter().collect()
}

/// Turns the layers from `innermost` (-1 to 1) to the face of this axis by a clockwise quarter.
fn quarter(before: &[char], axis: Point, innermost: i32) -> Vec<char> {
    let places = places();
    let mut letters = before.to_vec();
    for (from, &(cell, normal)) in places.iter().enumerate() {
        if dot(cell, axis) >= innermost {
            let target = (clockwise(axis, cell), clockwise(axis, normal));
            let to = places.iter().position(|&place| place == target).expect("a place");
            letters[to] = before[from];
        }
    }
    letters
}

/// Returns the letters of the six centres.
pub fn centres(facelets: &str) -> String {
    facelets.chars().skip(4).step_by(9).collect()
}

/// Rotates the whole cube until its centres are at home.
pub fn brought_home(facelets: &str) -> String {
    let mut letters: Vec<char> = facelets.chars().collect();
    for about in 0..64 {
        if centres(&letters.iter().collect::<String>()) == centres(SOLVED) {
            return letters.into_iter().collect();
        }
        // Quarter turns about F, and after each four of them one about U, and after each four of those one about R.
        letters = quarter(&letters, FACES[2].1, -1);
        if about % 4 == 3 {
            letters = quarter(&letters, FACES[0].1, -1);
        }
        if about % 16 == 15 {
            letters = quarter(&letters, FACES[1].1, -1);
        }
    }
    panic!("no rotation brings the centres of {facelets} home")
}

/// Renames the letters so that each centre has the letter of its place.
pub fn renamed(facelets: &str) -> String {
    let centres = centres(facelets);
    facelets.chars().map(|letter| FACES[centres.find(letter).expect("a centre")].0).collect()
}

/// Returns the letters of a slot, in the order of the faces that name it: `URF` for that corner of a solved cube.
pub fn shown(facelets: &str, slot: &str) -> String {
    let normals: Vec<Point> =
        slot.chars().map(|name| FACES.iter().find(|face| face.0 == name).expect("a face").1).collect();
    let cell = normals.iter().copied().fold([0; 3], add);
    let (places, letters): (_, Vec<char>) = (places(), facelets.chars().collect());
    let at = |normal: &Point| places.iter().position(|place| *place == (cell, *normal)).expect("a place");
    normals.iter().map(|normal| letters[at(normal)]).collect()
}

/// Returns whether every face has one colour.
pub fn is_solved(facelets: &str) -> bool {
    facelets.as_bytes().chunks(9).all(|face| face.iter().all(|&letter| letter == face[4]))
}

/// Returns how a solution violates the promised form: one face twice in a row, or three moves of one axis.
pub fn form_fault(maneuver: &str) -> Option<String> {
    let axis = |word: &str| "UDRLFB".find(&word[..1]).expect("a face") / 2;
    let words: Vec<&str> = maneuver.split_whitespace().collect();
    for pair in words.windows(2) {
        if pair[0][..1] == pair[1][..1] {
            return Some(format!("{} {} in {maneuver}", pair[0], pair[1]));
        }
    }
    for three in words.windows(3) {
        if axis(three[0]) == axis(three[1]) && axis(three[1]) == axis(three[2]) {
            return Some(format!("{} {} {} in {maneuver}", three[0], three[1], three[2]));
        }
    }
    None
}

/// Whether the maneuver solves the cube.
pub fn solves(facelets: &str, maneuver: &str) -> bool {
    is_solved(&apply(facelets, maneuver))
}

/// The text with the symbols at these facelets replaced.
pub fn with(text: &str, changes: &[(usize, char)]) -> String {
    let mut symbols: Vec<char> = text.chars().collect();
    for &(facelet, symbol) in changes {
        symbols[facelet] = symbol;
    }
    symbols.into_iter().collect()
}

/// The text with the symbols of these facelets moved along: each goes to the place of the next, the last to the first.
pub fn cycled(text: &str, places: &[usize]) -> String {
    let symbols: Vec<char> = text.chars().collect();
    let changes: Vec<_> = (0..places.len()).map(|i| (places[(i + 1) % places.len()], symbols[places[i]])).collect();
    with(text, &changes)
}

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
