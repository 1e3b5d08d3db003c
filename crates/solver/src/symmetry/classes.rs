//! The classes of a coordinate under the 16 symmetries that keep the UD axis.

use crate::coord::Descriptor;
use superflip_cube::{Cube, Symmetry};

/// A class, and the symmetry that maps a raw value to the representative of the class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SymCoordinate {
    /// Number of the class, 0..classes.
    pub class: u32,
    /// The symmetry S, 0..16, for which `S * x * S^-1` is the representative.
    pub symmetry: u8,
}

impl SymCoordinate {
    /// Returns `16 * class + symmetry`.
    pub const fn pack(self) -> u32 {
        16 * self.class + self.symmetry as u32
    }

    /// Returns the sym-coordinate of a packed value.
    pub const fn unpack(packed: u32) -> Self {
        Self { class: packed / 16, symmetry: (packed % 16) as u8 }
    }
}

/// The classes of one coordinate.
#[derive(Debug)]
pub struct Classes {
    /// Packed sym-coordinate of each raw value.
    pub of_raw: Vec<u32>,
    /// Raw value of each representative, rising: the smallest of its class.
    pub representatives: Vec<u32>,
}

impl Classes {
    /// Numbers the classes of a coordinate on which the 16 symmetries act, by rising representative.
    ///
    /// # Panics
    /// When the symmetries do not act on the coordinate.
    pub fn new(coordinate: &Descriptor) -> Self {
        const UNSEEN: u32 = u32::MAX;
        assert!(coordinate.symmetric, "the symmetries do not act on {}", coordinate.name);
        let mut of_raw = vec![UNSEEN; coordinate.size as usize];
        let mut representatives = Vec::new();
        for raw in 0..coordinate.size {
            if of_raw[raw as usize] != UNSEEN {
                continue;
            }
            let class = representatives.len() as u32;
            representatives.push(raw);
            let cube = (coordinate.representative)(raw);
            for (symmetry, image) in images(coordinate, &cube) {
                let seen = &mut of_raw[image as usize];
                if *seen == UNSEEN {
                    *seen = SymCoordinate { class, symmetry }.pack();
                }
            }
        }
        Self { of_raw, representatives }
    }

    /// Returns, for each class, the mask of the self-symmetries of its representative (bit 0, the identity, is
    /// always set). A class has 16 divided by their number members.
    pub fn self_symmetries(coordinate: &Descriptor, representatives: &[u32]) -> Vec<u64> {
        representatives
            .iter()
            .map(|&raw| {
                let cube = (coordinate.representative)(raw);
                images(coordinate, &cube).filter(|&(_, image)| image == raw).fold(0, |mask, (s, _)| mask | 1 << s)
            })
            .collect()
    }
}

/// Returns the raw value of `S^-1 * cube * S` for each of the 16 symmetries S.
fn images<'a>(coordinate: &'a Descriptor, cube: &'a Cube) -> impl Iterator<Item = (u8, u32)> + 'a {
    Symmetry::all().take(Symmetry::KEEPING_UD).filter_map(move |s| {
        let image = (coordinate.index)(&s.inverse().conjugate(cube))?;
        Some((s.index() as u8, image))
    })
}
