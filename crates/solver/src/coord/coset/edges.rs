//! The labels of the edges in a coset: the slice of the piece in each slot, and which pieces are crooked.
//!
//! A move, a symmetry or a permutation of the axes acts on labels as an [`EdgeMap`]. It permutes slots and renames
//! slices. In certain slots, the pieces of one slice change between straight and crooked.
//!
//! A coset is numbered by separation and orientation. A *separation* is the slice of the edge in each of the twelve slots. There are 12! / 4!^3 = 34650 separations. If
//! the axes of the pieces may be permuted, and the slices with them, there are 34650 / 6 = 5775. The orientation is the
//! set of *crooked* edges ([`AxisMap`]), or a part of it:
//!
//! | orientation | bits | two cubes with the same separation share a coset when |
//! | --- | --- | --- |
//! | [`Orientation::Full`] | 11 | the same pieces are crooked |
//! | [`Orientation::Sliced`] | 8 | the same pieces are crooked, up to flipping all four pieces of slices |
//! | [`Orientation::Parities`] | 2 | the number of crooked pieces of each slice has the same parity |
//!
//! The number of a coset is the separation, followed by the orientation in the low bits.

use std::sync::LazyLock;

use crate::coord::coset::{AxisMap, NO_TURN, TURNS, edge_map, is_crooked, slice, straight};
use crate::coord::rank::is_odd;
use superflip_cube::simd::{Bytes16, Scalar, Simd};
use superflip_cube::{Axis, ByteCube, Corner, Cube, Edge, Face, Move, Symmetry, edge_byte};

/// The labels of the edges, as masks of slots (bit `i` for slot `i`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EdgeLabels {
    /// Slots that hold the pieces of each slice, in the order of the axes that name the slices.
    pub slices: [u16; 3],
    /// Slots whose piece is crooked.
    pub crooked: u16,
}

/// Reads `EdgeLabels` from bytes, conjugated by any symmetry.
///
/// Labels as a vector have one byte per slot: bits 0 to 2 for the slice, bit 4 for a crooked piece. A symmetry moves
/// labels to other slots and renames slices; straight pieces stay straight.
pub struct EdgeReader {
    /// For a quarter turn of each face before the cube, and at [`NO_TURN`] for none: the slice of each piece, and bit 4 if the turn flips it.
    pieces: [Bytes16; TURNS],
    /// For each slot, the slices whose pieces have flip 1 in that slot when they are straight.
    flipped: Bytes16,
    /// For each move after the cube: the slot from which each edge comes, and for each slot before the move the slices whose pieces change
    /// between straight and crooked.
    moves: [(Bytes16, Bytes16); Move::COUNT],
    /// For each symmetry, the slot from which each label comes, and the new name of each slice: bit 7, bit 6 or neither.
    views: Box<[(Bytes16, Bytes16); VIEWS]>,
}

/// Number of symmetries, rounded up to a power of two, so that a mask of the index replaces a check.
const VIEWS: usize = Symmetry::COUNT.next_power_of_two();
/// Bit of a crooked piece; the same as that of a flip in an edge byte.
const CROOKED: u8 = edge_byte(Edge::Ur, 1);
/// [`CROOKED`] for every index but 0.
const CROOKED_IF_ANY: Bytes16 = {
    let mut out = [CROOKED; 16];
    out[0] = 0;
    Bytes16(out)
};
/// An index that selects nothing.
const NOWHERE: u8 = 0x80;

impl Default for EdgeReader {
    fn default() -> Self {
        let (mut pieces, mut flipped) = ([Bytes16::default(); TURNS], Bytes16::default());
        for edge in Edge::ALL {
            pieces[NO_TURN].0[edge.index()] = 1 << slice(edge).index();
            for face in Face::ALL {
                // A turn of the solved cube: where a piece is, the turn puts another in its place.
                let turned = Move::ALL[3 * face.index()].cube();
                let (piece, flip) = (turned.edges()[edge.index()], turned.flips()[edge.index()]);
                pieces[face.index()].0[edge.index()] = (1 << slice(piece).index()) | (flip * CROOKED);
            }
            for own in Axis::ALL {
                flipped.0[edge.index()] |= ((STRAIGHT_FLIPS[own.index()] >> edge.index() & 1) as u8) << own.index();
            }
        }
        let moves = Move::ALL.map(|mv| {
            let (mut from, mut toggled) = (Bytes16([NOWHERE; 16]), Bytes16::default());
            let map = EdgeMap::of_move(mv);
            for slot in Edge::ALL {
                from.0[slot.index()] = mv.cube().edges()[slot.index()] as u8;
                for own in Axis::ALL {
                    toggled.0[slot.index()] |= ((map.toggles[own.index()] >> slot.index() & 1) as u8) << own.index();
                }
            }
            (from, toggled)
        });
        let mut views = Box::new([(Bytes16([NOWHERE; 16]), Bytes16::default()); VIEWS]);
        for symmetry in Symmetry::all() {
            let (from, renamed) = &mut views[symmetry.index()];
            for slot in Edge::ALL {
                from.0[symmetry.conjugate_edge(slot).index()] = slot.index() as u8;
            }
            let axes = AxisMap::of_symmetry(symmetry);
            for own in Axis::ALL {
                renamed.0[1 << own.index()] = [0x80, 0x40, 0][axes.image(own).index()];
            }
        }
        Self { pieces, flipped, moves, views }
    }
}

impl EdgeReader {
    /// Reads edges given as bytes, with a quarter turn of a face before them, or with [`NO_TURN`].
    #[inline(always)]
    pub(crate) fn read<K: Simd>(&self, simd: K, edges: K::Vector, turn: usize) -> K::Vector {
        let flips = simd.and(edges, simd.load(&Bytes16([CROOKED; 16])));
        let slices = simd.xor(simd.shuffle(simd.load(&self.pieces[turn % TURNS]), edges), flips);
        Self::toggled(simd, slices, &self.flipped)
    }

    /// Returns the labels after a move.
    #[inline(always)]
    pub(crate) fn after<K: Simd>(&self, simd: K, labels: K::Vector, mv: usize) -> K::Vector {
        let (from, slices) = &self.moves[mv];
        simd.select(Self::toggled(simd, labels, slices), simd.load(from))
    }

    /// Changes pieces of certain slices in each slot between straight and crooked.
    #[inline(always)]
    fn toggled<K: Simd>(simd: K, labels: K::Vector, slices: &Bytes16) -> K::Vector {
        let toggles = simd.shuffle(simd.load(&CROOKED_IF_ANY), simd.and(labels, simd.load(slices)));
        simd.xor(labels, toggles)
    }

    /// Returns labels conjugated by the symmetry with this index (0..48).
    #[inline(always)]
    pub(crate) fn seen<K: Simd>(&self, simd: K, labels: K::Vector, symmetry: usize) -> EdgeLabels {
        let (from, renamed) = &self.views[symmetry % VIEWS];
        let seen = simd.select(labels, simd.load(from));
        let slices = simd.shuffle(simd.load(renamed), seen);
        let [a, b, crooked] = simd.columns::<0, 1, 3>([slices, slices, seen]).map(|slots| slots as u16);
        EdgeLabels { slices: [a, b, !(a | b) & 0xfff], crooked }
    }

    /// Returns the labels of edges given as bytes, conjugated by the symmetry with this index (0..48).
    #[inline(always)]
    pub fn of_bytes<K: Simd>(&self, simd: K, edges: K::Vector, symmetry: usize) -> EdgeLabels {
        self.seen(simd, self.read(simd, edges, NO_TURN), symmetry)
    }

    /// Returns the labels of a cube.
    pub fn of_cube(&self, cube: &Cube) -> EdgeLabels {
        self.of_bytes(Scalar, ByteCube::of(cube).edges.0, Symmetry::IDENTITY.index())
    }
}

impl EdgeLabels {
    /// Returns the slots of each slice on the solved cube.
    pub fn home() -> [u16; Axis::COUNT] {
        static HOME: LazyLock<[u16; Axis::COUNT]> =
            LazyLock::new(|| Axis::ALL.map(|own| mask_of(|slot| slice(slot) == own)));
        *HOME
    }

    /// Returns whether the number of crooked pieces must be odd with these slices.
    ///
    /// All straight pieces of one slice have the same flip in a given slot. The flips of all pieces add up to an even
    /// number. So the slices determine the parity.
    pub(crate) fn odd_crooked(slices: [u16; Axis::COUNT]) -> bool {
        flips_of(EdgeLabels { slices, crooked: 0 }).count_ones() % 2 == 1
    }

    /// Returns a cube with these labels, with its corners at home.
    ///
    /// # Panics
    /// When the masks do not divide the slots into three times four.
    pub fn cube(self) -> Cube {
        // The pieces of each slice that have no slot yet, as a mask; the lowest comes next.
        let mut left = Self::home();
        let mut edges: [Edge; Edge::COUNT] = std::array::from_fn(|slot| {
            let own = self.slices.iter().position(|slots| slots >> slot & 1 == 1).expect("each slot has a slice");
            let next = left[own].trailing_zeros();
            left[own] &= left[own].wrapping_sub(1);
            Edge::ALL[next as usize]
        });
        if is_odd(&edges.map(|edge| edge as u8)) {
            // Two pieces of one slice are exchanged; their labels stay in the slots.
            let first = self.slices[0].trailing_zeros() as usize;
            let second = (self.slices[0] & (self.slices[0] - 1)).trailing_zeros() as usize;
            edges.swap(first, second);
        }
        let flips = flips_of(self);
        let flips = std::array::from_fn(|slot| (flips >> slot & 1) as u8);
        Cube::assemble(Corner::ALL, [0; 8], edges, flips)
    }
}

/// Returns the slots whose piece is flipped.
fn flips_of(labels: EdgeLabels) -> u16 {
    let straight = labels.slices.iter().zip(STRAIGHT_FLIPS.iter());
    straight.fold(labels.crooked, |flips, (slots, flipped)| flips ^ (slots & flipped))
}

/// For each slice, the slots in which its straight pieces are flipped.
static STRAIGHT_FLIPS: LazyLock<[u16; Axis::COUNT]> = LazyLock::new(|| {
    Axis::ALL.map(|own| {
        mask_of(|slot| {
            let piece = Edge::ALL.into_iter().find(|&edge| slice(edge) == own);
            piece.is_some_and(|piece| !is_crooked(own, edge_map(piece, slot, 1)))
        })
    })
});

fn mask_of(holds: impl Fn(Edge) -> bool) -> u16 {
    Edge::ALL.into_iter().filter(|&slot| holds(slot)).fold(0, |mask, slot| mask | 1 << slot.index())
}

/// A permutation of slots that acts on masks: images of either half of the slots.
#[derive(Clone)]
struct SlotMap([[u16; 64]; 2]);

impl SlotMap {
    fn new(to: impl Fn(Edge) -> Edge) -> Self {
        let image = |mask: usize| {
            let marked = Edge::ALL.into_iter().filter(|slot| mask >> slot.index() & 1 == 1);
            marked.fold(0, |image, slot| image | 1 << to(slot).index())
        };
        Self([std::array::from_fn(image), std::array::from_fn(|mask| image(mask << 6))])
    }

    #[inline]
    fn apply(&self, mask: u16) -> u16 {
        self.0[0][usize::from(mask & 63)] | self.0[1][usize::from(mask >> 6 & 63)]
    }
}

/// The action of a move, a symmetry or a permutation of the axes on labels.
#[derive(Clone)]
pub(crate) struct EdgeMap {
    slots: SlotMap,
    /// New name of each slice.
    slices: [u8; Axis::COUNT],
    /// For each slice, the slots (before the action) in which its pieces change between straight and crooked.
    toggles: [u16; Axis::COUNT],
}

impl EdgeMap {
    /// Returns the action of a face move.
    pub(crate) fn of_move(mv: Move) -> Self {
        let cube = mv.cube();
        // Slot `from` goes to slot `to`, with the axis map of a piece that was at home there.
        let to = |from: Edge| cube.edges().iter().position(|&piece| piece == from).unwrap_or(0);
        let toggles = Axis::ALL.map(|own| {
            mask_of(|from| {
                let moved = edge_map(from, Edge::ALL[to(from)], cube.flips()[to(from)]);
                is_crooked(own, moved.after(straight(own, slice(from))))
            })
        });
        Self { slots: SlotMap::new(|from| Edge::ALL[to(from)]), slices: [0, 1, 2], toggles }
    }

    /// Returns the action of conjugation by a symmetry: the labels of `S * x * S^-1`.
    pub(crate) fn of_symmetry(symmetry: Symmetry) -> Self {
        let axes = AxisMap::of_symmetry(symmetry);
        Self {
            slots: SlotMap::new(|slot| symmetry.conjugate_edge(slot)),
            slices: Axis::ALL.map(|own| axes.image(own) as u8),
            // Straight pieces stay straight under symmetries.
            toggles: [0; Axis::COUNT],
        }
    }

    /// Returns the action of a permutation of the axes, which also permutes the slices.
    pub(crate) fn relabelling(axes: AxisMap) -> Self {
        let toggles = Axis::ALL
            .map(|own| mask_of(|slot| is_crooked(axes.image(own), straight(own, slice(slot)).after(axes.inverse()))));
        Self { slots: SlotMap::new(|slot| slot), slices: Axis::ALL.map(|own| axes.image(own) as u8), toggles }
    }

    /// Returns the labels after the action.
    #[inline]
    pub(crate) fn apply(&self, labels: EdgeLabels) -> EdgeLabels {
        let EdgeLabels { slices, crooked } = self.relabel(labels);
        EdgeLabels { slices: slices.map(|slots| self.slots.apply(slots)), crooked: self.slots.apply(crooked) }
    }

    /// Returns the labels after a permutation of the axes, which leaves the slots unchanged.
    #[inline]
    pub(crate) fn relabel(&self, labels: EdgeLabels) -> EdgeLabels {
        let mut crooked = labels.crooked;
        let mut slices = [0; Axis::COUNT];
        for k in 0..Axis::COUNT {
            crooked ^= labels.slices[k] & self.toggles[k];
            slices[usize::from(self.slices[k]) % Axis::COUNT] = labels.slices[k];
        }
        EdgeLabels { slices, crooked }
    }
}

/// The part of the edge orientation that a coset determines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Orientation {
    /// The whole edge orientation: 2^11.
    Full,
    /// Up to flipping all four pieces of a slice: 2^8.
    Sliced,
    /// The parity of the crooked pieces of each slice: 2^2.
    Parities,
}

impl Orientation {
    /// Every one, the finest first.
    pub const ALL: [Self; 3] = [Self::Full, Self::Sliced, Self::Parities];

    /// Returns the number of bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Full => 11,
            Self::Sliced => 8,
            Self::Parities => 2,
        }
    }

    /// Returns its description.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Full => "which pieces stand crooked",
            Self::Sliced => "which pieces stand crooked, up to flipping all four pieces of a slice",
            Self::Parities => "whether an odd number of the pieces of each slice stands crooked",
        }
    }
}

/// A kind of edge cosets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeKind {
    /// Whether cosets that differ by a permutation of the axes are the same.
    pub relabelled: bool,
    /// The part of the orientation that is kept.
    pub orientation: Orientation,
}

impl EdgeKind {
    /// Returns the number of separations.
    pub const fn separations(self) -> u32 {
        if self.relabelled { 5775 } else { 34650 }
    }

    /// Returns the number of cosets.
    pub const fn size(self) -> u32 {
        self.separations() << self.orientation.bits()
    }
}

/// The orientation up to whole slices, by the crooked pieces of each slice in turn. Of the four pieces of a slice, the last one
/// in the order of the slots is made straight. The ninth bit follows from the others: the separation determines the parity of the crooked pieces.
static SLICED: [u8; 1 << Edge::COUNT] = {
    let mut out = [0; 1 << Edge::COUNT];
    let mut fours = 0;
    while fours < out.len() {
        let mut own = 0;
        while own < Axis::COUNT {
            let four = fours >> (4 * own) & 15;
            out[fours] |= (((four ^ ((four >> 3) * 7)) & 7) << (3 * own)) as u8;
            own += 1;
        }
        fours += 1;
    }
    out
};

/// Number of keys of a table over half of the slots: six bits each for two masks.
const KEYS: usize = 1 << 12;

/// Numbers the edge cosets of one kind with small look-up tables. The number is the separation, followed by the
/// orientation in the low bits. Solved is 0.
pub struct EdgeColumns {
    kind: EdgeKind,
    /// Number of separations before the first one with these masks in slots 0..6, by [`key`].
    first: Box<[u16; KEYS]>,
    /// Among the separations with the same slots 0..6, number of those before the one with these masks in slots 6..12.
    rest: Box<[u16; KEYS]>,
    /// Masks of each of the 34650 separations.
    separations: Vec<[u16; Axis::COUNT]>,
    /// For each of the 34650 separations, its number among the 5775 and the relabelling that leads there; empty without
    /// relabelling.
    canonical: Vec<(u16, u8)>,
    /// For each of the 5775 separations, its number among the 34650; empty without relabelling.
    of_canonical: Vec<u16>,
    relabellings: Vec<EdgeMap>,
}

/// Returns the key of one half of the slots (0 or 1) for two masks.
#[inline]
const fn key(a: u16, b: u16, half: u32) -> usize {
    (a >> (6 * half) & 63) as usize | ((b >> (6 * half) & 63) as usize) << 6
}

impl EdgeColumns {
    /// Computes the look-up tables.
    pub fn new(kind: EdgeKind) -> Self {
        let (first, rest, separations) = separations();
        let mut out = Self {
            kind,
            first,
            rest,
            separations,
            canonical: Vec::new(),
            of_canonical: Vec::new(),
            relabellings: AxisMap::all().map(EdgeMap::relabelling).collect(),
        };
        if kind.relabelled {
            (out.canonical, out.of_canonical) = out.relabelled();
        }
        out
    }

    /// Returns the kind.
    pub fn kind(&self) -> EdgeKind {
        self.kind
    }

    /// Returns the number of a separation, given by its masks, among all 34650.
    #[inline]
    fn separation(&self, slices: [u16; Axis::COUNT]) -> u16 {
        self.first[key(slices[0], slices[1], 0)] + self.rest[key(slices[0], slices[1], 1)]
    }

    /// Returns separation and orientation, each in its own range.
    #[inline(always)]
    pub(crate) fn split_with<K: Simd>(&self, simd: K, labels: EdgeLabels) -> (u16, u16) {
        let separation = self.separation(labels.slices);
        if !self.kind.relabelled {
            return (separation, self.orientation(simd, labels));
        }
        let (canonical, relabelling) = self.canonical[usize::from(separation)];
        (canonical, self.orientation(simd, self.relabellings[usize::from(relabelling)].relabel(labels)))
    }

    /// Returns separation and orientation, as `split_with`, without vector instructions.
    pub fn split(&self, labels: EdgeLabels) -> (u16, u16) {
        self.split_with(Scalar, labels)
    }

    /// Returns the number of the coset, 0..size.
    #[inline(always)]
    pub fn index_with<K: Simd>(&self, simd: K, labels: EdgeLabels) -> u32 {
        let (separation, orientation) = self.split_with(simd, labels);
        u32::from(separation) << self.kind.orientation.bits() | u32::from(orientation)
    }

    /// Returns the number of the coset, as [`EdgeColumns::index_with`], of the kind with separations as they are and orientation up to
    /// whole slices.
    #[inline(always)]
    pub(crate) fn plain<K: Simd>(&self, simd: K, labels: EdgeLabels) -> u32 {
        let [a, b, c] = labels.slices.map(u32::from);
        let [first, rest] = simd.extract_sixes(a | b << 12).map(|key| key as usize % KEYS);
        let separation = u32::from(self.first[first]) + u32::from(self.rest[rest]);
        let fours = simd.extract_fours(labels.crooked.into(), [a, b, c]) as usize;
        separation << 8 | u32::from(SLICED[fours % SLICED.len()])
    }

    /// Returns the number of the coset, as [`EdgeColumns::index_with`], without vector instructions.
    pub fn index(&self, labels: EdgeLabels) -> u32 {
        self.index_with(Scalar, labels)
    }

    #[inline(always)]
    fn orientation<K: Simd>(&self, simd: K, labels: EdgeLabels) -> u16 {
        let EdgeLabels { slices, crooked } = labels;
        match self.kind.orientation {
            Orientation::Full => crooked & 0x7ff,
            Orientation::Sliced => {
                let fours = simd.extract_fours(u32::from(crooked), slices.map(u32::from)) as usize;
                u16::from(SLICED[fours % SLICED.len()])
            }
            Orientation::Parities => {
                let odd = |slots: u16| (slots & crooked).count_ones() as u16 & 1;
                odd(slices[0]) | odd(slices[1]) << 1
            }
        }
    }

    /// Returns labels with this number (0..size).
    ///
    /// # Panics
    /// When there is no such coset.
    pub fn labels(&self, index: u32) -> EdgeLabels {
        let bits = self.kind.orientation.bits();
        self.join((index >> bits) as u16, (index & ((1 << bits) - 1)) as u16)
    }

    /// Returns labels with this separation and orientation; the inverse of [`EdgeColumns::split`].
    ///
    /// # Panics
    /// When the separation is out of range.
    pub fn join(&self, separation: u16, orientation: u16) -> EdgeLabels {
        let separation = if self.kind.relabelled { self.of_canonical[usize::from(separation)] } else { separation };
        let slices = self.separations[usize::from(separation)];
        let spread = |slots: u16, bits: u16| {
            let own = (0..12).filter(|slot| slots >> slot & 1 == 1);
            own.enumerate().fold(0, |mask, (k, slot)| mask | (bits >> k & 1) << slot)
        };
        let free = match self.kind.orientation {
            Orientation::Full => orientation,
            Orientation::Sliced => {
                let three = [orientation & 7, orientation >> 3 & 7, orientation >> 6 & 3];
                slices.iter().zip(three).fold(0, |mask, (&slots, bits)| mask | spread(slots, bits))
            }
            Orientation::Parities => spread(slices[0], orientation & 1) | spread(slices[1], orientation >> 1 & 1),
        };
        // The remaining slot corrects the parity of the crooked pieces.
        let last = match self.kind.orientation {
            Orientation::Full => 1 << 11,
            Orientation::Sliced => spread(slices[2], 0b100),
            Orientation::Parities => spread(slices[2], 1),
        };
        let odd = free.count_ones() % 2 == 1;
        let crooked = if odd == EdgeLabels::odd_crooked(slices) { free } else { free | last };
        EdgeLabels { slices, crooked }
    }

    /// Finds the canonical separations. Reading the slots from 0 on, their slices first appear in the same order as on
    /// the solved cube.
    fn relabelled(&self) -> (Vec<(u16, u8)>, Vec<u16>) {
        let order = |slices: [u16; Axis::COUNT]| {
            let mut order = Axis::ALL;
            order.sort_by_key(|own| slices[own.index()].trailing_zeros());
            order
        };
        let home = order(EdgeLabels::home());
        let all: Vec<AxisMap> = AxisMap::all().collect();
        let leading = |slices: [u16; Axis::COUNT]| {
            let order = order(slices);
            all.iter().position(|map| order.map(|own| map.image(own)) == home).unwrap_or(0)
        };
        let of_canonical: Vec<u16> = (0..self.separations.len())
            .filter(|&number| leading(self.separations[number]) == 0)
            .map(|number| number as u16)
            .collect();
        let canonical = self
            .separations
            .iter()
            .map(|&slices| {
                let relabelling = leading(slices);
                let labels = self.relabellings[relabelling].relabel(EdgeLabels { slices, crooked: 0 });
                let number = of_canonical.binary_search(&self.separation(labels.slices));
                (number.unwrap_or(0) as u16, relabelling as u8)
            })
            .collect();
        (canonical, of_canonical)
    }
}

/// Computes the tables that number separations, and the separations.
#[allow(clippy::type_complexity)] // three parts of one thing, named where they are stored
fn separations() -> (Box<[u16; KEYS]>, Box<[u16; KEYS]>, Vec<[u16; Axis::COUNT]>) {
    let home = EdgeLabels::home();
    // All keys, in an order in which the solved one comes first.
    let keys = |half: u32| (0..KEYS).map(move |other| other ^ key(home[0], home[1], half));
    // Number of pieces of each slice; `None` if a slot has two slices.
    let counts = |key: usize| {
        let (a, b) = (key & 63, key >> 6);
        (a & b == 0).then(|| [a.count_ones(), b.count_ones(), 6 - a.count_ones() - b.count_ones()])
    };
    let (mut first, mut rest) = (Box::new([0; KEYS]), Box::new([0; KEYS]));
    let mut alike = std::collections::HashMap::new();
    for key in keys(1) {
        if let Some(counts) = counts(key) {
            let alike: &mut Vec<usize> = alike.entry(counts).or_default();
            rest[key] = alike.len() as u16;
            alike.push(key);
        }
    }
    let mut separations = Vec::new();
    for key in keys(0) {
        let Some([a, b, c]) = counts(key) else { continue };
        if a > 4 || b > 4 || c > 4 {
            continue;
        }
        first[key] = separations.len() as u16;
        for other in alike.get(&[4 - a, 4 - b, 4 - c]).into_iter().flatten() {
            let (a, b) = ((key & 63 | (other & 63) << 6) as u16, (key >> 6 | other >> 6 << 6) as u16);
            separations.push([a, b, !(a | b) & 0xfff]);
        }
    }
    (first, rest, separations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use superflip_cube::{Cube, random_cube};

    #[test]
    fn maps_do_to_labels_what_moves_and_symmetries_do_to_cubes() {
        let reader = EdgeReader::default();
        let mut rng = StdRng::seed_from_u64(2);
        for _ in 0..50 {
            let cube = random_cube(&mut rng);
            let labels = reader.of_cube(&cube);
            for mv in Move::ALL {
                assert_eq!(EdgeMap::of_move(mv).apply(labels), reader.of_cube(&cube.then(mv.cube())), "{mv}");
            }
            for symmetry in Symmetry::all() {
                let seen = reader.of_cube(&symmetry.conjugate(&cube));
                assert_eq!(EdgeMap::of_symmetry(symmetry).apply(labels), seen, "{symmetry:?}");
                let bytes = ByteCube::of(&cube).edges.0;
                assert_eq!(reader.of_bytes(Scalar, bytes, symmetry.index()), seen, "{symmetry:?}");
            }
        }
    }

    fn kinds() -> impl Iterator<Item = EdgeKind> {
        [false, true]
            .into_iter()
            .flat_map(|relabelled| Orientation::ALL.map(|orientation| EdgeKind { relabelled, orientation }))
    }

    #[test]
    fn every_number_is_that_of_its_labels() {
        for kind in kinds() {
            let columns = EdgeColumns::new(kind);
            assert_eq!(columns.separations.len(), 34650);
            assert_eq!(columns.split(EdgeReader::default().of_cube(&Cube::SOLVED)), (0, 0));
            let step = if kind.size() > 1_000_000 { 41 } else { 1 };
            for index in (0..kind.size()).step_by(step) {
                let labels = columns.labels(index);
                assert_eq!(columns.index(labels), index, "{kind:?}");
                assert_eq!(labels.crooked.count_ones() % 2 == 1, EdgeLabels::odd_crooked(labels.slices));
            }
        }
    }
}
