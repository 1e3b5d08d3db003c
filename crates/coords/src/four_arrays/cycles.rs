//! Cycles of a permutation: as slot names, in words, and their order.

use superflip_cube::forms::{listed, plural};

/// Returns the inverse of a permutation.
pub(crate) fn inverse(permutation: &[usize]) -> Vec<usize> {
    let mut out = vec![0; permutation.len()];
    for (from, &to) in permutation.iter().enumerate() {
        out[to] = from;
    }
    out
}

/// The cycles of more than one slot, each from its smallest slot, in the direction of motion.
pub(crate) struct Cycles(pub(crate) Vec<Vec<usize>>);

impl Cycles {
    /// Finds the cycles of a permutation that maps each slot to the slot its piece goes to.
    pub(crate) fn of(goes_to: &[usize]) -> Self {
        let mut seen = vec![false; goes_to.len()];
        let mut out = Vec::new();
        for start in 0..goes_to.len() {
            let mut cycle = Vec::new();
            let mut slot = start;
            while !seen[slot] {
                seen[slot] = true;
                cycle.push(slot);
                slot = goes_to[slot];
            }
            if cycle.len() > 1 {
                out.push(cycle);
            }
        }
        Self(out)
    }

    /// Writes each cycle with slot names: `URF -> DFR -> DLF -> UFL`, a swap as `UF <-> DF`.
    pub(crate) fn written(&self, slots: &[&str]) -> Vec<String> {
        let names = |cycle: &Vec<usize>| cycle.iter().map(|&slot| slots[slot]).collect::<Vec<_>>();
        self.0.iter().map(|cycle| names(cycle).join(if cycle.len() == 2 { " <-> " } else { " -> " })).collect()
    }

    /// Returns the cycle lengths, longest first.
    pub(crate) fn shape(&self) -> Vec<usize> {
        let mut lengths: Vec<_> = self.0.iter().map(Vec::len).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    /// Returns whether the permutation is odd.
    pub(crate) fn is_odd(&self) -> bool {
        self.0.iter().filter(|cycle| cycle.len() % 2 == 0).count() % 2 == 1
    }

    /// Returns the slots whose pieces move, in order.
    pub(crate) fn moved(&self) -> Vec<usize> {
        let mut slots = self.0.concat();
        slots.sort_unstable();
        slots
    }
}

/// Describes cycle lengths in words: `one 4-cycle`, `two swaps`, `one 3-cycle and one swap`.
pub(crate) fn described(shape: &[usize]) -> String {
    const COUNTS: [&str; 7] = ["no", "one", "two", "three", "four", "five", "six"];
    let groups: Vec<_> = shape
        .chunk_by(|a, b| a == b)
        .map(|group| {
            let noun = if group[0] == 2 { "swap".to_owned() } else { format!("{}-cycle", group[0]) };
            // Twelve slots hold at most six cycles.
            format!("{} {noun}{}", COUNTS[group.len()], plural(group.len()))
        })
        .collect();
    if groups.is_empty() { "no cycle at all".to_owned() } else { listed(&groups) }
}

/// Returns the order of the motion: the number of repetitions that restore the cube. `deltas` are taken modulo
/// `modulus`, a prime.
pub(crate) fn order(goes_to: &[usize], deltas: &[u64], modulus: u64) -> u64 {
    let still = (0..goes_to.len()).filter(|&slot| goes_to[slot] == slot).map(|slot| vec![slot]);
    still.chain(Cycles::of(goes_to).0).fold(1, |order, cycle| {
        // After one round, each piece of the cycle has received every delta of the cycle.
        let once: u64 = cycle.iter().map(|&slot| deltas[slot] % modulus).sum();
        let rounds = if once.is_multiple_of(modulus) { 1 } else { modulus };
        lcm(order, cycle.len() as u64 * rounds)
    })
}

/// Returns the least common multiple of two positive numbers.
pub(crate) fn lcm(a: u64, b: u64) -> u64 {
    let mut x = a;
    let mut y = b;
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_follow_the_direction_of_motion() {
        let goes_to = [1, 2, 0, 4, 3, 5];
        let found = Cycles::of(&goes_to);
        assert_eq!(found.0, [vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(found.written(&["a", "b", "c", "d", "e", "f"]), ["a -> b -> c", "d <-> e"]);
        assert_eq!(found.moved(), [0, 1, 2, 3, 4]);
        assert_eq!(described(&found.shape()), "one 3-cycle and one swap");
        assert_eq!(described(&[2, 2]), "two swaps");
        assert_eq!(described(&[]), "no cycle at all");
        assert!(found.is_odd());
        assert_eq!(inverse(&goes_to), [2, 0, 1, 4, 3, 5]);
    }

    #[test]
    fn orientation_lengthens_the_order() {
        let goes_to = [1, 2, 0, 4, 3, 5];
        assert_eq!(order(&goes_to, &[0; 6], 3), 6);
        assert_eq!(order(&goes_to, &[1, 1, 1, 0, 0, 0], 3), 6);
        assert_eq!(order(&goes_to, &[1, 0, 0, 0, 0, 0], 3), 18);
        assert_eq!(order(&goes_to, &[0, 0, 0, 1, 0, 0], 2), 12);
        assert_eq!(order(&[0, 1], &[1, 2], 3), 3);
    }
}
