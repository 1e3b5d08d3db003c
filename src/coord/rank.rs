//! Ranks of permutations and of subsets, the two building blocks of every coordinate here.

/// `FACTORIAL[n]` is n!, up to 12! (which still fits 32 bits).
pub const FACTORIAL: [u32; 13] = {
    let mut out = [1; 13];
    let mut n = 1;
    while n < 13 {
        out[n] = out[n - 1] * n as u32;
        n += 1;
    }
    out
};

/// `BINOMIAL[n][k]` is the number of k-subsets of n things; 0 when k > n.
pub const BINOMIAL: [[u32; 5]; 13] = {
    let mut out = [[0; 5]; 13];
    let mut n = 0;
    while n < 13 {
        out[n][0] = 1;
        let mut k = 1;
        while k < 5 && n > 0 {
            out[n][k] = out[n - 1][k - 1] + out[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    out
};

/// Rank 0..N! of a permutation of 0..N: the sum over i of i! times the number of greater entries to the left of i
/// (Kociemba). The identity has rank 0.
pub fn permutation_rank<const N: usize>(permutation: &[u8; N]) -> u32 {
    let mut rank = 0;
    for i in 1..N {
        let greater = permutation[..i].iter().filter(|&&left| left > permutation[i]).count() as u32;
        rank += greater * FACTORIAL[i];
    }
    rank
}

/// The permutation with this rank; the inverse of [`permutation_rank`].
///
/// # Panics
/// When `rank` is N! or more.
pub fn permutation_unrank<const N: usize>(rank: u32) -> [u8; N] {
    assert!(rank < FACTORIAL[N], "rank {rank} of a permutation of {N} things");
    let mut left: Vec<u8> = (0..N as u8).collect();
    let mut out = [0; N];
    let mut rest = rank;
    for i in (0..N).rev() {
        let greater = (rest / FACTORIAL[i]) as usize;
        rest %= FACTORIAL[i];
        out[i] = left.remove(i - greater);
    }
    out
}

/// Whether a permutation is odd.
pub fn is_odd(permutation: &[u8]) -> bool {
    let inversions: usize =
        (0..permutation.len()).map(|i| permutation[..i].iter().filter(|&&left| left > permutation[i]).count()).sum();
    inversions % 2 == 1
}

/// Rank 0..495 of which four of twelve slots are marked; 0 when they are the last four.
///
/// From slot 11 down to slot 0, with k = 3 less one per marked slot passed: each unmarked slot adds C(slot, k) while
/// k >= 0 (the numbering of Kociemba's Pascal programs).
pub fn four_slots_rank(marked: &[bool; 12]) -> u32 {
    let (mut rank, mut k) = (0, 4);
    for slot in (0..12).rev() {
        if k == 0 {
            break;
        }
        if marked[slot] {
            k -= 1;
        } else {
            rank += BINOMIAL[slot][k - 1];
        }
    }
    rank
}

/// The four marked slots with this rank; the inverse of [`four_slots_rank`]. Ranks from 495 on give those of 494.
pub fn four_slots_unrank(rank: u32) -> [bool; 12] {
    let (mut rest, mut k) = (rank.min(494), 4);
    let mut marked = [false; 12];
    for slot in (0..12).rev() {
        if k == 0 {
            break;
        }
        let unmarked = BINOMIAL[slot][k - 1];
        if rest >= unmarked {
            rest -= unmarked;
        } else {
            marked[slot] = true;
            k -= 1;
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_round_trip() {
        for rank in 0..FACTORIAL[8] {
            let permutation: [u8; 8] = permutation_unrank(rank);
            assert_eq!(permutation_rank(&permutation), rank);
        }
        assert_eq!(permutation_rank(&permutation_unrank::<12>(FACTORIAL[12] - 1)), FACTORIAL[12] - 1);
        assert_eq!(permutation_unrank::<12>(FACTORIAL[12] - 1), std::array::from_fn(|i| 11 - i as u8));
    }

    #[test]
    fn four_slots_round_trip_and_home_is_zero() {
        for rank in 0..495 {
            let marked = four_slots_unrank(rank);
            assert_eq!(marked.iter().filter(|&&m| m).count(), 4);
            assert_eq!(four_slots_rank(&marked), rank);
        }
        assert_eq!(four_slots_rank(&std::array::from_fn(|slot| slot >= 8)), 0);
    }

    #[test]
    fn parity_is_that_of_the_number_of_swaps() {
        assert!(!is_odd(&[0, 1, 2]) && is_odd(&[1, 0, 2]) && !is_odd(&[1, 2, 0]));
    }
}
