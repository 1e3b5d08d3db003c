//! Reads and writes cubes in Speffz letters, in the form of vcube (`doc/speffz.md`).
//!
//! Speffz names the 24 corner stickers and the 24 edge stickers `a` to `x`: faces in the order U L F R B D, clockwise
//! from the top left. A text lists the letters that solve the cube: corners, `.`, edges. A lower-case letter exchanges
//! that place with the buffer. An upper-case letter turns the piece there in place, and the buffer the other way: a
//! corner until the named sticker is up or down. vcube defines how the letters are read and leaves the breaking of
//! cycles free. Here, a new cycle begins at the place with the lowest letter.

use super::codec::{Codec, Recognised};
use super::codec::{Parsed, Symbol, symbols, words};
use super::error::{FormError, shown};
use crate::cubie::Cube;
use crate::face::Face;
use crate::geometry::{CORNER_FACELETS, EDGE_FACELETS, FACELETS};
use crate::verify::{InputForm, ReadPieces, verify};

/// Number of letters.
const LETTERS: usize = 24;

/// Most letters in a text for corners and for edges that is recognised without being named.
const MAX_LETTERS: [usize; 2] = [12, 20];

/// The form.
pub(crate) const CODEC: Codec = Codec {
    name: "speffz",
    title: "Speffz letters",
    recognised: Recognised::Perhaps(is_alike),
    alphabet: "abcdefghijklmnopqrstuvwx.",
    read,
    write: Some(|cube, _| Buffers::default().write(cube)),
};

/// Buffer stickers of Speffz texts, as letters `A` to `X`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buffers {
    corner: usize,
    edge: usize,
}

impl Buffers {
    /// Returns these buffers, or `None` for a character that is not a letter from `A` to `X` or from `a` to `x`.
    pub fn new(corner: char, edge: char) -> Option<Self> {
        Some(Self { corner: number(corner)?, edge: number(edge)? })
    }

    /// Writes the letters that solve the cube, named by places as held: corners, `.`, edges.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::forms::Buffers;
    /// use superflip_cube::{Cube, Move};
    ///
    /// let cube = Cube::SOLVED.after(&[Move::R, Move::U, Move::F]);
    /// assert_eq!(Buffers::default().write(&cube), "dgtbcvc.onmqeilJ");
    /// ```
    pub fn write(self, cube: &Cube) -> String {
        let stickers = cube.to_facelet_permutation();
        let mut text = String::with_capacity(32);
        Letters::corners(self).write(&stickers, &mut text);
        text.push('.');
        Letters::edges(self).write(&stickers, &mut text);
        text
    }
}

impl Default for Buffers {
    /// Corner `A` and edge `U`, the defaults of vcube.
    fn default() -> Self {
        Self { corner: 0, edge: 20 }
    }
}

/// Corners or edges: their facelets by letter and by slot.
struct Letters {
    facelets: [usize; LETTERS],
    slots: Vec<&'static [usize]>,
    buffer: usize,
}

impl Letters {
    fn corners(buffers: Buffers) -> Self {
        let slots = CORNER_FACELETS.iter().map(<[usize; 3]>::as_slice).collect();
        Self { facelets: lettered([0, 2, 8, 6]), slots, buffer: buffers.corner }
    }

    fn edges(buffers: Buffers) -> Self {
        let slots = EDGE_FACELETS.iter().map(<[usize; 2]>::as_slice).collect();
        Self { facelets: lettered([1, 5, 7, 3]), slots, buffer: buffers.edge }
    }

    /// Returns the facelets of the slot of a facelet, beginning with it, clockwise.
    fn around(&self, facelet: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let slot = self.slots.iter().find(|slot| slot.contains(&facelet)).copied().unwrap_or_default();
        let first = slot.iter().position(|at| *at == facelet).unwrap_or(0);
        slot.iter().copied().cycle().skip(first).take(slot.len())
    }

    fn is_in_buffer(&self, facelet: usize) -> bool {
        self.around(self.facelets[self.buffer]).any(|at| at == facelet)
    }

    /// Returns how far the facelet is from the reference facelet of its slot.
    fn turned(&self, facelet: usize) -> usize {
        self.slots.iter().find_map(|slot| slot.iter().position(|at| *at == facelet)).unwrap_or(0)
    }

    /// Applies one letter to the stickers.
    fn apply(&self, stickers: &mut [u8; FACELETS], letter: char) {
        let at = self.facelets[number(letter).unwrap_or(self.buffer)];
        let buffer = self.facelets[self.buffer];
        // Letters of the buffer's own piece have no effect.
        if self.is_in_buffer(at) {
            return;
        }
        let before = *stickers;
        if letter.is_ascii_lowercase() {
            for (one, other) in self.around(at).zip(self.around(buffer)) {
                stickers[one] = before[other];
                stickers[other] = before[one];
            }
            return;
        }
        // The sticker at `at` goes to the reference facelet, `by` places back; an edge is flipped by either letter.
        let size = self.around(at).count();
        let by = if size == 2 { 1 } else { self.turned(at) };
        for (slot, by) in [(at, by), (buffer, size - by)] {
            for (to, from) in self.around(slot).zip(self.around(slot).cycle().skip(by)) {
                stickers[to] = before[from];
            }
        }
    }

    /// Returns the letters that solve these stickers.
    fn write(&self, stickers: &[u8; FACELETS], text: &mut String) {
        let mut is_seen = [false; FACELETS];
        let home = |at: usize| usize::from(stickers[at]);
        let mut at = self.facelets[self.buffer];
        loop {
            self.around(at).for_each(|facelet| is_seen[facelet] = true);
            at = home(at);
            if is_seen[at] {
                break;
            }
            text.push(self.letter(at));
        }
        for &start in &self.facelets {
            if is_seen[start] || home(start) == start {
                continue;
            }
            if self.around(start).any(|facelet| facelet == home(start)) {
                text.push(self.in_place(start, stickers));
                self.around(start).for_each(|facelet| is_seen[facelet] = true);
                continue;
            }
            let mut at = start;
            text.push(self.letter(at));
            while !is_seen[at] {
                self.around(at).for_each(|facelet| is_seen[facelet] = true);
                at = home(at);
                text.push(self.letter(at));
            }
        }
    }

    /// Returns the upper-case letter for a piece in its slot that is turned.
    fn in_place(&self, start: usize, stickers: &[u8; FACELETS]) -> char {
        let shows_reference = |at: &usize| self.turned(usize::from(stickers[*at])) == 0;
        let is_edge = self.around(start).count() == 2;
        let named = if is_edge { Some(start) } else { self.around(start).find(shows_reference) };
        self.letter(named.unwrap_or(start)).to_ascii_uppercase()
    }

    fn letter(&self, facelet: usize) -> char {
        let number = self.facelets.iter().position(|at| *at == facelet).unwrap_or(0);
        ('a'..='x').nth(number).unwrap_or('a')
    }
}

/// Returns the facelet of each letter, from the positions on a face of its four letters.
fn lettered(on_face: [usize; 4]) -> [usize; LETTERS] {
    const FACES: [Face; Face::COUNT] = [Face::U, Face::L, Face::F, Face::R, Face::B, Face::D];
    std::array::from_fn(|letter| 9 * FACES[letter / 4].index() + on_face[letter % 4])
}

/// Returns the number of a letter.
fn number(letter: char) -> Option<usize> {
    (letter.to_ascii_lowercase() as usize).checked_sub('a' as usize).filter(|number| *number < LETTERS)
}

/// Returns the letters of corners and of edges, if the text is one word of letters with at most one `.`.
fn split(text: &str) -> Option<[Vec<Symbol>; 2]> {
    let words = words(text);
    let [word] = words.as_slice() else { return None };
    let mut parts = word.split(|(_, symbol)| *symbol == '.');
    let corners = parts.next()?;
    let edges = parts.next().unwrap_or_default();
    let is_lettered = word.iter().all(|(_, symbol)| *symbol == '.' || number(*symbol).is_some());
    (parts.next().is_none() && is_lettered).then(|| [corners.to_vec(), edges.to_vec()])
}

/// Returns whether the text is well-formed by vcube's rules: one word with a `.`, which vcube always writes, not too long,
/// without letters of the buffers.
pub(crate) fn is_alike(text: &str, buffers: Buffers) -> bool {
    let Some(parts) = split(text) else { return false };
    let kinds = [Letters::corners(buffers), Letters::edges(buffers)];
    let is_well_formed = |(kind, letters): (&Letters, &Vec<Symbol>)| {
        letters.iter().all(|(_, letter)| {
            let at = kind.facelets[number(*letter).unwrap_or(kind.buffer)];
            let is_idle = letter.is_ascii_uppercase() && kind.around(at).count() == 3 && kind.turned(at) == 0;
            !kind.is_in_buffer(at) && !is_idle
        })
    };
    let is_short = parts.iter().zip(MAX_LETTERS).all(|(letters, most)| letters.len() <= most);
    is_short && text.contains('.') && kinds.iter().zip(&parts).all(is_well_formed)
}

/// Reads the letters.
pub(crate) fn read(text: &str, buffers: Buffers) -> Parsed {
    let given = symbols(text);
    let mut is_edges = false;
    let mut parts = [Vec::new(), Vec::new()];
    for (position, symbol) in given {
        match symbol {
            '.' if !is_edges => is_edges = true,
            letter if number(letter).is_some() => parts[usize::from(is_edges)].push(letter),
            _ => {
                let also = if is_edges { "" } else { " or `.` before the edges" };
                return Err(FormError::at(
                    position,
                    format!("found `{}`, expected a letter from a to x{also}", shown(symbol)),
                ));
            }
        }
    }
    let mut stickers = Cube::SOLVED.to_facelet_permutation();
    for (kind, letters) in [Letters::corners(buffers), Letters::edges(buffers)].iter().zip(&parts) {
        for letter in letters {
            kind.apply(&mut stickers, *letter);
        }
    }
    let cube = Cube::from_facelet_permutation(&stickers).inverse();
    let reading = ReadPieces::of_stickers(&cube.to_stickers().map(Some));
    Ok((verify(&reading, InputForm::Named, Vec::new())?, None))
}
