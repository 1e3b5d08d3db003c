//! Tables that convert turns between the frame of a cube and the frame of its representative.
//!
//! A phase-1 node stores its coordinates in the frame of the representative of its class. It also stores the symmetry S
//! for which `S * x * S^-1` is the representative. A turn t in that frame is the turn `S^-1 t S` of the cube.

use std::sync::LazyLock;

use superflip_cube::{Move, Symmetry};

/// The last turn of a node at the root, where no turn was made.
pub const NO_TURN: u8 = Move::COUNT as u8;

/// Conversion tables, small enough for the first-level cache.
pub struct Frames {
    /// Turn of the cube, by symmetry and turn of the representative.
    pub to_cube: [[u8; Move::COUNT]; 16],
    /// Turn of the representative, by symmetry and turn of the cube.
    pub to_representative: [[u8; Move::COUNT]; 16],
    /// Turns of the representative that may follow in canonical order, as a mask, by symmetry and last turn of the cube
    /// (or [`NO_TURN`]).
    pub followers: [[u32; Move::COUNT + 1]; 16],
    /// Products of symmetries: `[a][b]` is first `a`, then `b`.
    pub products: [[u8; 16]; 16],
}

/// The tables, computed at first use.
pub static FRAMES: LazyLock<Frames> = LazyLock::new(|| {
    let mut frames = Frames {
        to_cube: [[0; Move::COUNT]; 16],
        to_representative: [[0; Move::COUNT]; 16],
        followers: [[0; Move::COUNT + 1]; 16],
        products: [[0; 16]; 16],
    };
    for s in Symmetry::all().take(Symmetry::KEEPING_UD) {
        for turn in Move::ALL {
            let seen = s.conjugate_move(turn);
            frames.to_representative[s.index()][turn.index()] = seen.index() as u8;
            frames.to_cube[s.index()][seen.index()] = turn.index() as u8;
            frames.followers[s.index()][usize::from(NO_TURN)] |= 1 << seen.index();
            for last in Move::ALL.into_iter().filter(|&last| turn.may_follow(last)) {
                frames.followers[s.index()][last.index()] |= 1 << seen.index();
            }
        }
        for t in Symmetry::all().take(Symmetry::KEEPING_UD) {
            frames.products[s.index()][t.index()] = s.then(t).index() as u8;
        }
    }
    frames
});

/// Iterates over the set bits of a mask, lowest first.
#[inline]
pub fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}
