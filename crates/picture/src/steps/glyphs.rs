//! The letters of turns as strokes, because a picture has no fonts.

/// Height of a capital letter.
pub(crate) const HEIGHT: f64 = 6.0;
/// Space between letters.
pub(crate) const SPACE: f64 = 1.8;

/// A stroke: points, from the top left of the letter.
type Stroke = &'static [(i8, i8)];

/// Returns the width of a letter and the space behind it.
pub(crate) fn advance(letter: char) -> f64 {
    SPACE + if letter == '\'' { 1.0 } else { 4.0 }
}

/// Returns the strokes of a letter.
pub(crate) const fn strokes(letter: char) -> &'static [Stroke] {
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
