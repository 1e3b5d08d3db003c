//! Moves of layers of a cube of any size: two notations, and their effect on stickers.
#![allow(clippy::cast_possible_truncation)] // a cube has at most 10 layers

use superflip_cube::Face;

use crate::geometry::axes;

/// Greatest number of moves of a text.
pub const MAX_MOVES: usize = 1000;

/// Some adjacent layers, turned together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerMove {
    /// Face from which layers and direction are counted.
    pub face: Face,
    /// First layer that turns, from 0.
    pub first: usize,
    /// Layer behind the last one that turns.
    pub end: usize,
    /// Clockwise quarter turns, 1 to 3.
    pub quarters: u8,
}

impl LayerMove {
    /// Returns the move that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self { quarters: 4 - self.quarters, ..self }
    }
}

/// Text that cannot be read as moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {}: {message}", .position + 1)]
pub struct MoveError {
    /// Character, from 0. The message counts from 1.
    pub position: usize,
    /// What is wrong, and what is expected.
    pub message: String,
}

/// Reads moves in WCA and `SiGN` notation for a cube of `size` layers: `R`, `R2`, `R'`, `Rw` or `r` (two layers), `3Rw`, `2R` (the second
/// layer alone), `M E S` (the middle layer), `x y z`.
///
/// # Errors
/// Returns an error at the first character that is no move of this cube, and if there are more than [`MAX_MOVES`] moves.
pub fn read(text: &str, size: usize) -> Result<Vec<LayerMove>, MoveError> {
    let characters: Vec<char> = text.chars().collect();
    let mut moves = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        if characters[at].is_whitespace() || characters[at] == '.' {
            at += 1;
            continue;
        }
        let start = at;
        let error = |position: usize, message: String| Err(MoveError { position, message });
        let layer = number(&characters, &mut at);
        let Some(&letter) = characters.get(at) else {
            return error(at, "the text ends after a layer number; expected a move such as `2R`".to_owned());
        };
        let Some(kind) = MovedLayers::of(letter) else {
            let expected = "expected a move: U R F D L B, Rw or r, 2R, M E S, x y z, then nothing, `2` or `'`";
            return error(at, format!("found `{}`, {expected}", letter.escape_default()));
        };
        at += 1;
        let is_wide = matches!(kind, MovedLayers::Wide(_))
            || (matches!(kind, MovedLayers::Face(_)) && eat(&characters, &mut at, &['w']));
        if layer.is_some_and(|layer| layer == 0 || layer > size) {
            return error(start, format!("layer {} does not exist; this cube has {size}", layer.unwrap_or(0)));
        }
        let (face, first, end) = match kind {
            MovedLayers::Face(face) | MovedLayers::Wide(face) if is_wide => (face, 0, layer.unwrap_or(2).min(size)),
            MovedLayers::Face(face) | MovedLayers::Wide(face) => {
                let layer = layer.unwrap_or(1);
                (face, layer - 1, layer)
            }
            _ if layer.is_some() => {
                return error(start, format!("`{letter}` takes no layer number; remove the number before it"));
            }
            MovedLayers::Middle(_) if size.is_multiple_of(2) => {
                return error(start, format!("`{letter}` turns the middle layer; a cube of {size} layers has none"));
            }
            MovedLayers::Middle(face) => (face, size / 2, size / 2 + 1),
            MovedLayers::Whole(face) => (face, 0, size),
        };
        let amount_at = at;
        let quarters = match number(&characters, &mut at).map(u8::try_from) {
            None => 1,
            Some(Ok(quarters @ 1..=3)) => quarters,
            Some(_) => return error(amount_at, "expected an amount of 1, 2 or 3 quarter turns".to_owned()),
        };
        let mv = LayerMove { face, first, end, quarters };
        moves.push(if eat(&characters, &mut at, &['\'', '’', '`', '′']) { mv.inverse() } else { mv });
        if moves.len() > MAX_MOVES {
            return error(start, format!("there are more than {MAX_MOVES} moves; write fewer"));
        }
    }
    Ok(moves)
}

/// Reads moves as `VisualCube` does. A number before a face is a number of layers (`3R` and `3r` turn three), at most all but one. Other
/// characters are ignored.
///
/// # Errors
/// Returns an error if there are more than [`MAX_MOVES`] moves.
pub(crate) fn read_forgiving(text: &str, size: usize) -> Result<Vec<LayerMove>, MoveError> {
    // Some pages encode the apostrophe and the space twice.
    let text = text.replace("%27", "'").replace("%20", " ");
    let is_known = |c: &char| MovedLayers::of(*c).is_some() || matches!(c, 'w' | '\'' | ' ' | '0' | '2'..='9');
    let characters: Vec<char> = text.chars().map(|c| if c == '`' { '\'' } else { c }).filter(is_known).collect();
    let mut moves = Vec::new();
    let (mut at, mut layers) = (0, 1);
    while at < characters.len() {
        let c = characters[at];
        at += 1;
        let Some(kind) = MovedLayers::of(c) else {
            // Only a number directly before a letter counts.
            layers = c.to_digit(10).map_or(1, |digit| digit as usize);
            continue;
        };
        let is_wide = matches!(kind, MovedLayers::Wide(_))
            || (matches!(kind, MovedLayers::Face(_)) && eat(&characters, &mut at, &['w']));
        let layers = std::mem::replace(&mut layers, 1).clamp(1, size.max(2) - 1);
        let (face, first, end) = match kind {
            MovedLayers::Face(face) | MovedLayers::Wide(face) => {
                (face, 0, if is_wide { layers.max(2) } else { layers }.min(size))
            }
            MovedLayers::Middle(face) => (face, size / 2, size / 2 + size % 2),
            MovedLayers::Whole(face) => (face, 0, size),
        };
        let mut quarters = match characters.get(at) {
            Some('2') => 2,
            Some('\'' | '3') => 3,
            _ => 1,
        };
        at += usize::from(quarters > 1);
        // `2'` and `'2` are half turns.
        let marks = [characters.get(at - 1), characters.get(at)];
        if quarters > 1 && matches!(marks, [Some('2'), Some('\'')] | [Some('\''), Some('2')]) {
            (quarters, at) = (2, at + 1);
        }
        moves.push(LayerMove { face, first, end, quarters });
        if moves.len() > MAX_MOVES {
            let message = format!("there are more than {MAX_MOVES} moves; write fewer");
            return Err(MoveError { position: at, message });
        }
    }
    Ok(moves)
}

/// Layers that a letter turns.
#[derive(Clone, Copy)]
enum MovedLayers {
    Face(Face),
    Wide(Face),
    Middle(Face),
    Whole(Face),
}

impl MovedLayers {
    fn of(letter: char) -> Option<Self> {
        if let Some(face) = Face::from_letter(letter) {
            return Some(Self::Face(face));
        }
        match letter {
            'M' => Some(Self::Middle(Face::L)),
            'E' => Some(Self::Middle(Face::D)),
            'S' => Some(Self::Middle(Face::F)),
            'x' => Some(Self::Whole(Face::R)),
            'y' => Some(Self::Whole(Face::U)),
            'z' => Some(Self::Whole(Face::F)),
            _ if letter.is_ascii_lowercase() => Face::from_letter(letter.to_ascii_uppercase()).map(Self::Wide),
            _ => None,
        }
    }
}

fn eat(characters: &[char], at: &mut usize, wanted: &[char]) -> bool {
    let is_there = characters.get(*at).is_some_and(|c| wanted.contains(c));
    *at += usize::from(is_there);
    is_there
}

/// Reads a decimal number, if there is one. A number that is too large saturates.
fn number(characters: &[char], at: &mut usize) -> Option<usize> {
    let mut number = None;
    while let Some(digit) = characters.get(*at).and_then(|c| c.to_digit(10)) {
        number = Some(number.unwrap_or(0_usize).saturating_mul(10).saturating_add(digit as usize));
        *at += 1;
    }
    number
}

/// Applies moves to the stickers of a cube of `size` layers, face by face in the order U R F D L B, each row by row.
pub fn apply<T: Copy>(stickers: &mut Vec<T>, moves: &[LayerMove], size: usize) {
    let mut sources: Vec<(LayerMove, Vec<usize>)> = Vec::new();
    let mut moved = stickers.clone();
    for mv in moves.iter().filter(|mv| mv.first < mv.end) {
        let known = sources.iter().position(|(known, _)| known == mv);
        let at = known.unwrap_or_else(|| {
            sources.push((*mv, source(*mv, size)));
            sources.len() - 1
        });
        for (place, from) in moved.iter_mut().zip(&sources[at].1) {
            *place = stickers[*from];
        }
        std::mem::swap(stickers, &mut moved);
    }
}

/// Returns, for each sticker, the place it comes from.
fn source(mv: LayerMove, size: usize) -> Vec<usize> {
    let mut source: Vec<usize> = (0..6 * size * size).collect();
    for from in 0..source.len() {
        let mut place = Facet::of(from, size);
        let depth = (size as i32 - 1 - place.height(mv.face)) / 2;
        if !(mv.first as i32..mv.end as i32).contains(&depth) {
            continue;
        }
        for _ in 0..mv.quarters {
            place = Facet { cell: quarter(mv.face, place.cell), normal: quarter(mv.face, place.normal) };
        }
        source[place.index(size)] = from;
    }
    source
}

/// Returns for each face whether the piece of a sticker touches it.
pub(crate) fn touched(index: usize, size: usize) -> impl Iterator<Item = Face> {
    let place = Facet::of(index, size);
    Face::ALL.into_iter().filter(move |face| place.height(*face) == size as i32 - 1)
}

/// A sticker in space: twice the coordinates of its cell, from the centre of the cube, and its outward direction.
struct Facet {
    cell: [i32; 3],
    normal: [i32; 3],
}

impl Facet {
    fn of(index: usize, size: usize) -> Self {
        let face = Face::ALL[index / (size * size)];
        let (row, column) = (index % (size * size) / size, index % size);
        let [out, right, down] = axes(face);
        let (across, along) = (2 * column as i32 - (size as i32 - 1), 2 * row as i32 - (size as i32 - 1));
        let cell = std::array::from_fn(|i| out[i] * (size as i32 - 1) + right[i] * across + down[i] * along);
        Self { cell, normal: out }
    }

    /// Returns twice the distance from the centre towards a face.
    fn height(&self, face: Face) -> i32 {
        dot(self.cell, axes(face)[0])
    }

    fn index(&self, size: usize) -> usize {
        let face = match self.normal {
            [0, 1, 0] => Face::U,
            [1, 0, 0] => Face::R,
            [0, 0, 1] => Face::F,
            [0, -1, 0] => Face::D,
            [-1, 0, 0] => Face::L,
            _ => Face::B,
        };
        let [_, right, down] = axes(face);
        let step = |axis| ((dot(self.cell, axis) + size as i32 - 1) / 2) as usize;
        face.index() * size * size + step(down) * size + step(right)
    }
}

pub(crate) fn dot(a: [i32; 3], b: [i32; 3]) -> i32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Turns a direction by a quarter turn, clockwise as seen from outside the face.
pub(crate) fn quarter(face: Face, [x, y, z]: [i32; 3]) -> [i32; 3] {
    match face {
        Face::U => [-z, y, x],
        Face::D => [z, y, -x],
        Face::R => [x, z, -y],
        Face::L => [x, -z, y],
        Face::F => [y, -x, z],
        Face::B => [-y, x, z],
    }
}
