//! Tables that convert moves between the frame of a cube and the frame of its representative.
//!
//! A phase-1 node stores its coordinates in the frame of the representative of its class. It also stores the symmetry S
//! for which `S * x * S^-1` is the representative. A move t in that frame is the move `S^-1 t S` of the cube.
#![allow(clippy::cast_possible_truncation)] // indices of moves and symmetries fit in 8 bits

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

/// The tables.
pub static FRAMES: Frames = {
    let mut frames = Frames {
        to_cube: [[0; Move::COUNT]; 16],
        to_representative: [[0; Move::COUNT]; 16],
        followers: [[0; Move::COUNT + 1]; 16],
        products: [[0; 16]; 16],
    };
    let mut s = 0;
    while s < Symmetry::KEEPING_UD {
        let symmetry = Symmetry::try_from_index(s).expect("one of the 48");
        let mut mv = 0;
        while mv < Move::COUNT {
            let seen = symmetry.conjugate_move(Move::ALL[mv]).index();
            frames.to_representative[s][mv] = seen as u8;
            frames.to_cube[s][seen] = mv as u8;
            frames.followers[s][Move::COUNT] |= 1 << seen;
            let mut last = 0;
            while last < Move::COUNT {
                if Move::ALL[mv].may_follow(Move::ALL[last]) {
                    frames.followers[s][last] |= 1 << seen;
                }
                last += 1;
            }
            mv += 1;
        }
        let mut t = 0;
        while t < Symmetry::KEEPING_UD {
            let next = Symmetry::try_from_index(t).expect("one of the 48");
            frames.products[s][t] = symmetry.then(next).index() as u8;
            t += 1;
        }
        s += 1;
    }
    frames
};
