//! Tables that convert moves between the frame of a cube and the frame of its representative.
//!
//! A phase-1 node stores its coordinates in the frame of the representative of its class. It also stores the symmetry S
//! for which `S * x * S^-1` is the representative. A move t in that frame is the move `S^-1 t S` of the cube.
#![allow(clippy::cast_possible_truncation)] // indices of moves and symmetries fit in 8 bits

use std::sync::LazyLock;

use superflip_cube::{Move, Symmetry};

/// The last move of a node at the root, where no move was made.
pub const NO_MOVE: u8 = Move::COUNT as u8;

/// Conversion tables, small enough for the first-level cache.
pub struct Frames {
    /// Move of the cube, by symmetry and move of the representative.
    pub to_cube: [[u8; Move::COUNT]; 16],
    /// Move of the representative, by symmetry and move of the cube.
    pub to_representative: [[u8; Move::COUNT]; 16],
    /// Moves of the representative that may follow in canonical order, as a mask, by symmetry and last move of the cube
    /// (or [`NO_MOVE`]).
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
        for mv in Move::ALL {
            let seen = s.conjugate_move(mv);
            frames.to_representative[s.index()][mv.index()] = seen.index() as u8;
            frames.to_cube[s.index()][seen.index()] = mv.index() as u8;
            frames.followers[s.index()][usize::from(NO_MOVE)] |= 1 << seen.index();
            for last in Move::ALL.into_iter().filter(|&last| mv.may_follow(last)) {
                frames.followers[s.index()][last.index()] |= 1 << seen.index();
            }
        }
        for t in Symmetry::all().take(Symmetry::KEEPING_UD) {
            frames.products[s.index()][t.index()] = s.then(t).index() as u8;
        }
    }
    frames
});
