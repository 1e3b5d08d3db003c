//! Uniform random integers, from the operating system or from a seed.

use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use super::error::ScrambleError;

/// Name and version of the generator behind seeds. The module documentation of [`scramble`](super) defines it.
pub const GENERATOR: &str = "superflip-scramble-1";

/// Number of bytes that one attempt at an integer takes.
const BYTES: usize = 16;

/// A source of random integers.
pub(super) enum Draw {
    /// The random number generator of the operating system.
    System,
    /// The generator [`GENERATOR`].
    Seeded(Box<Blocks>),
}

impl Draw {
    /// Returns the source for a seed, or the operating system without one.
    pub(super) fn of(seed: Option<&str>) -> Self {
        seed.map_or(Self::System, |seed| Self::Seeded(Box::new(Blocks::new(seed))))
    }

    /// Returns an integer from 0 to `bound` - 1, each with the same probability. `bound` is at least 1.
    pub(super) fn below(&mut self, bound: u128) -> Result<u128, ScrambleError> {
        let mask = u128::MAX.checked_shr((bound - 1).leading_zeros()).unwrap_or(0);
        loop {
            let number = u128::from_be_bytes(self.bytes()?) & mask;
            if number < bound {
                return Ok(number);
            }
        }
    }

    /// Puts the items in a random order. All orders have the same probability (Fisher-Yates).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) -> Result<(), ScrambleError> {
        for last in (1..items.len()).rev() {
            // Below the length, so it fits.
            let other = usize::try_from(self.below(last as u128 + 1)?).unwrap_or(last);
            items.swap(last, other);
        }
        Ok(())
    }

    fn bytes(&mut self) -> Result<[u8; BYTES], ScrambleError> {
        let mut bytes = [0; BYTES];
        match self {
            Self::System => {
                SysRng.try_fill_bytes(&mut bytes).map_err(|e| ScrambleError::NoRandomness { reason: e.to_string() })?;
            }
            Self::Seeded(blocks) => blocks.fill(&mut bytes),
        }
        Ok(bytes)
    }
}

/// SHA-256 in counter mode.
pub(super) struct Blocks {
    seed: String,
    /// Number of the next block.
    next: u64,
    block: [u8; 32],
    /// Number of bytes of the block that were taken.
    taken: usize,
}

impl Blocks {
    fn new(seed: &str) -> Self {
        Self { seed: seed.to_owned(), next: 0, block: [0; 32], taken: 32 }
    }

    fn fill(&mut self, bytes: &mut [u8; BYTES]) {
        // A block is two draws long.
        if self.taken == self.block.len() {
            let hash = Sha256::new().chain_update(GENERATOR).chain_update(self.next.to_be_bytes());
            self.block = hash.chain_update(&self.seed).finalize().into();
            self.next += 1;
            self.taken = 0;
        }
        bytes.copy_from_slice(&self.block[self.taken..self.taken + BYTES]);
        self.taken += BYTES;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected bytes are `hashlib.sha256(b"superflip-scramble-1" + i.to_bytes(8, "big") + b"abc")` of Python for i = 0 and 1.
    #[test]
    fn the_generator_is_sha_256_in_counter_mode() {
        let mut draw = Draw::of(Some("abc"));
        assert_eq!([(); 3].map(|()| u128::from_be_bytes(draw.bytes().unwrap())), EXPECTED);
    }

    const EXPECTED: [u128; 3] = [
        0x0a62_75a6_561d_3781_0225_b4cd_59ab_b7c2,
        0x0cc9_a941_5887_9c2d_23b5_542e_718c_2ddd,
        0x4d96_1215_d0ad_1502_5a4a_0150_039b_6d1f,
    ];

    #[test]
    fn integers_are_below_the_bound_and_reach_all_values() {
        for mut draw in [Draw::System, Draw::of(Some("1"))] {
            for bound in [1_u128, 2, 3, 8, 24] {
                let mut seen = std::collections::HashSet::new();
                for _ in 0..2000 {
                    seen.insert(draw.below(bound).unwrap());
                }
                assert_eq!(seen.len() as u128, bound);
                assert!(seen.iter().all(|number| *number < bound));
            }
        }
        assert!((0..100).any(|_| Draw::System.below(u128::MAX).unwrap() > u128::MAX / 2));
    }

    #[test]
    fn every_order_is_drawn() {
        for mut draw in [Draw::System, Draw::of(Some("1"))] {
            let mut seen = std::collections::HashSet::new();
            for _ in 0..1000 {
                let mut items = [1, 2, 3, 4];
                draw.shuffle(&mut items).unwrap();
                seen.insert(items);
            }
            assert_eq!(seen.len(), 24);
        }
    }

    #[test]
    fn the_system_does_not_repeat_itself() {
        let first: Vec<u128> = (0..4).map(|_| Draw::System.below(u128::MAX).unwrap()).collect();
        let second: Vec<u128> = (0..4).map(|_| Draw::System.below(u128::MAX).unwrap()).collect();
        assert!(first.iter().all(|number| !second.contains(number)));
    }
}
