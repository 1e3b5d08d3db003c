//! Arrangements of scanned faces: their order, their rotations, and whether they are mirrored.

use std::sync::LazyLock;

use crate::repair::faces::all_orders;
use crate::repair::scheme;
use superflip_cube::geometry::{FACELETS, TURNED_FACE};
use superflip_cube::{Cube, Face, Stickers};

/// Clockwise quarter turns of each face, 0..4, in the order U R F D L B.
pub type Turns = [u8; Face::COUNT];

/// How scanned faces become the faces of a cube: each is mirrored if the scan is mirrored, put in its place, and turned there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// For each place in the order U R F D L B: the scanned face that belongs there, 0..6.
    pub order: [u8; Face::COUNT],
    /// Whether each scanned face is mirrored from left to right.
    pub is_mirrored: bool,
    /// For each place: clockwise quarter turns by which the face there is turned.
    pub turns: Turns,
}

impl Arrangement {
    /// Faces in the order U R F D L B, neither turned nor mirrored.
    pub const AS_GIVEN: Self = Self { order: [0, 1, 2, 3, 4, 5], is_mirrored: false, turns: [0; Face::COUNT] };

    /// Faces in the order U R F D L B, turned.
    pub const fn turned(turns: Turns) -> Self {
        Self { turns, ..Self::AS_GIVEN }
    }

    /// Returns the scanned facelet that a facelet of the cube shows.
    pub fn source(&self, facelet: usize) -> usize {
        let (place, number) = (facelet / 9, TURNED_FACE[usize::from(self.turns[facelet / 9] % 4)][facelet % 9]);
        let number = if self.is_mirrored { number / 3 * 3 + 2 - number % 3 } else { number };
        9 * usize::from(self.order[place]) + number
    }

    /// Arranges the facelets of a scan.
    pub fn arrange<T: Copy>(&self, scanned: &[T; FACELETS]) -> [T; FACELETS] {
        std::array::from_fn(|facelet| scanned[self.source(facelet)])
    }

    /// Returns the place of each scanned face.
    pub fn places(&self) -> [Face; Face::COUNT] {
        let mut places = Face::ALL;
        self.order.iter().zip(Face::ALL).for_each(|(&scanned, place)| places[usize::from(scanned)] = place);
        places
    }

    /// Returns the cube of the stickers in this arrangement, if it is legal.
    fn cube_of(&self, stickers: &Stickers) -> Option<Cube> {
        let places = self.places();
        let shown = self.arrange(stickers.faces()).map(|colour| colour.map(|colour| places[colour.index()]));
        Cube::from_stickers(&shown).filter(Cube::is_reachable)
    }
}

/// The faces in every order, neither turned nor mirrored. The first is [`Arrangement::AS_GIVEN`].
pub(crate) static ORDERS: LazyLock<Vec<Arrangement>> = LazyLock::new(|| {
    let orders = all_orders(false).into_iter().map(|order| order.map(|face| face as u8));
    orders.map(|order| Arrangement { order, ..Arrangement::AS_GIVEN }).collect()
});

/// Returns the arrangements whose faces are all turned or mirrored alike, as by a program that reads columns as rows.
pub(crate) fn alike() -> impl Iterator<Item = Arrangement> {
    let turned = |turns: u8, is_mirrored| Arrangement { is_mirrored, ..Arrangement::turned([turns; Face::COUNT]) };
    (1..4).map(move |turns| turned(turns, false)).chain((0..4).map(move |turns| turned(turns, true)))
}

/// Returns the arrangements in which stickers are a legal cube: those in any order, and those whose faces are all mirrored or turned
/// alike. It takes about 0.1 ms.
///
/// There is none if a sticker is unknown. If the symbols are the letters of the faces or of the usual colours, arrangements with
/// mirrored centres are left out. Of arrangements that give the same stickers, only the first is returned.
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, Form};
/// use superflip_scan::legal_arrangements;
/// use superflip_scan::repair::Stickers;
///
/// // Another program lists the faces in the order U L F R B D.
/// let text = Cube::from_scramble("R U F2 L' D B")?.to_form(Form::Ulfrbd);
/// let found = legal_arrangements(&Stickers::parse(&text)?);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].places().map(|face| face.letter()), ['U', 'L', 'F', 'R', 'B', 'D']);
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
pub fn legal_arrangements(stickers: &Stickers) -> Vec<Arrangement> {
    let mut found: Vec<(Arrangement, String)> = Vec::new();
    let all = ORDERS.iter().copied().chain(alike());
    for arrangement in all.filter(|arrangement| arrangement.cube_of(stickers).is_some()) {
        let colours = arrangement.arrange(stickers.faces());
        let text = colours.iter().flatten().map(|&colour| stickers.symbol(colour)).collect();
        if found.iter().all(|(_, other)| *other != text) {
            found.push((arrangement, text));
        }
    }
    scheme::retain(&mut found, |(_, text)| text);
    found.into_iter().map(|(arrangement, _)| arrangement).collect()
}
