//! Ranks of permutations and of subsets, from which the coordinates are built.

/// `FACTORIAL[n]` is n!, up to 12!, which still fits into 32 bits.
pub(crate) const FACTORIAL: [u32; 13] = {
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

/// Returns the rank 0..N! of a permutation of 0..N (Kociemba). It is the sum over i of i! times the number of greater
/// entries to the left of i. The identity has rank 0.
pub(crate) const fn permutation_rank<const N: usize>(permutation: &[u8; N]) -> u32 {
    // For each entry, the number of greater entries so far, in four bits.
    let (mut rank, mut greater, mut i) = (0, 0_u64, 0);
    while i < N {
        let place = 4 * permutation[i] as u32;
        rank += (greater >> place & 15) as u32 * FACTORIAL[i];
        greater += 0x1111_1111_1111_1111 & ((1 << place) - 1);
        i += 1;
    }
    rank
}

/// Returns the permutation with this rank; the inverse of [`permutation_rank`].
///
/// # Panics
/// When `rank` is N! or more.
pub(crate) fn permutation_unrank<const N: usize>(rank: u32) -> [u8; N] {
    assert!(rank < FACTORIAL[N], "rank {rank} of a permutation of {N} things");
    // The entries left, in the first places.
    let mut left: [u8; N] = std::array::from_fn(|i| i as u8);
    let mut out = [0; N];
    let mut rest = rank;
    for i in (0..N).rev() {
        let at = i - (rest / FACTORIAL[i]) as usize;
        rest %= FACTORIAL[i];
        out[i] = left[at];
        left.copy_within(at + 1..=i, at);
    }
    out
}

/// Returns whether a permutation is odd.
pub fn is_odd(permutation: &[u8]) -> bool {
    let inversions: usize =
        (0..permutation.len()).map(|i| permutation[..i].iter().filter(|&&left| left > permutation[i]).count()).sum();
    inversions % 2 == 1
}

/// Returns the rank 0..495 of four marked slots of twelve; 0 if they are the last four.
///
/// From slot 11 down to slot 0, with k = 3 less one per marked slot passed, each unmarked slot adds C(slot, k) while k
/// >= 0 (the numbering of Kociemba's Pascal programs).
pub(crate) const fn four_slots_rank(marked: &[bool; 12]) -> u32 {
    let (mut rank, mut k, mut slot) = (0, 4, 12);
    while slot > 0 && k > 0 {
        slot -= 1;
        if marked[slot] {
            k -= 1;
        } else {
            rank += BINOMIAL[slot][k - 1];
        }
    }
    rank
}

/// Returns the four marked slots with this rank; the inverse of [`four_slots_rank`]. Ranks from 495 on are treated as
/// 494.
pub(crate) fn four_slots_unrank(rank: u32) -> [bool; 12] {
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

/// Returns the rank 0..495 of four marked slots of twelve. From slot 11 down, the x-th marked one, x = 1 to 4, adds
/// C(11 - slot, x) (the numbering of Kociemba's Python programs). The rank is 0 if they are the last four.
pub(crate) fn mirrored_slots_rank(marked: &[bool; 12]) -> u32 {
    let taken = (0..12).rev().filter(|&slot| marked[slot]);
    taken.zip(1..=4).map(|(slot, x)| BINOMIAL[11 - slot][x]).sum()
}

/// Returns the four marked slots with this rank; the inverse of [`mirrored_slots_rank`]. Ranks from 495 on are treated
/// as 494.
pub(crate) fn mirrored_slots_unrank(rank: u32) -> [bool; 12] {
    let mut rest = rank.min(494);
    let mut marked = [false; 12];
    let mut below = 12;
    for x in (1..=4).rev() {
        let from_the_end = (0..below).rev().find(|&n| BINOMIAL[n][x] <= rest).unwrap_or(0);
        rest -= BINOMIAL[from_the_end][x];
        marked[11 - from_the_end] = true;
        below = from_the_end;
    }
    marked
}

/// Returns the rank 0..N! of a permutation of 0..N in Kociemba's Python programs. For each place i from the last to place 1, the
/// entries up to place i are rotated left until i is in place i. The numbers of rotations are the digits, that of the last place the
/// most significant, in the bases i + 1. The identity has rank 0.
pub(crate) fn rotations_rank<const N: usize>(permutation: &[u8; N]) -> u32 {
    let mut left = *permutation;
    let mut rank = 0;
    for i in (1..N).rev() {
        let at = left[..=i].iter().position(|&entry| usize::from(entry) == i).unwrap_or_default();
        let rotations = (at + 1) % (i + 1);
        left[..=i].rotate_left(rotations);
        rank = rank * (i + 1) as u32 + rotations as u32;
    }
    rank
}

/// Returns the permutation with this rank; the inverse of [`rotations_rank`].
///
/// # Panics
/// When `rank` is N! or more.
pub(crate) fn rotations_unrank<const N: usize>(rank: u32) -> [u8; N] {
    assert!(rank < FACTORIAL[N], "rank {rank} of a permutation of {N} things");
    let mut out = std::array::from_fn(|i| i as u8);
    let mut rest = rank as usize;
    for i in 1..N {
        out[..=i].rotate_right(rest % (i + 1));
        rest /= i + 1;
    }
    out
}

/// Returns the lexicographic rank 0..N! of a permutation of 0..N. It is the sum over i of (N-1-i)! times the number of
/// smaller entries to the right of i.
pub(crate) fn lexicographic_rank<const N: usize>(permutation: &[u8; N]) -> u32 {
    (0..N)
        .map(|i| {
            permutation[i + 1..].iter().filter(|&&right| right < permutation[i]).count() as u32 * FACTORIAL[N - 1 - i]
        })
        .sum()
}

/// Returns the permutation with this lexicographic rank; the inverse of [`lexicographic_rank`].
///
/// # Panics
/// When `rank` is N! or more.
pub(crate) fn lexicographic_unrank<const N: usize>(rank: u32) -> [u8; N] {
    assert!(rank < FACTORIAL[N], "rank {rank} of a permutation of {N} things");
    let mut left: Vec<u8> = (0..N as u8).collect();
    let mut rest = rank;
    std::array::from_fn(|i| {
        let smaller = rest / FACTORIAL[N - 1 - i];
        rest %= FACTORIAL[N - 1 - i];
        left.remove(smaller as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_round_trip() {
        for rank in 0..FACTORIAL[8] {
            let permutation: [u8; 8] = permutation_unrank(rank);
            assert_eq!(permutation_rank(&permutation), rank);
            assert_eq!(rotations_rank(&rotations_unrank::<8>(rank)), rank);
        }
        assert_eq!(permutation_rank(&permutation_unrank::<12>(FACTORIAL[12] - 1)), FACTORIAL[12] - 1);
        assert_eq!(permutation_unrank::<12>(FACTORIAL[12] - 1), std::array::from_fn(|i| 11 - i as u8));
    }

    #[test]
    fn lexicographic_ranks_follow_the_order_of_words() {
        let mut last: Option<[u8; 8]> = None;
        for rank in 0..FACTORIAL[8] {
            let permutation = lexicographic_unrank::<8>(rank);
            assert_eq!(lexicographic_rank(&permutation), rank);
            assert!(last.is_none_or(|last| last < permutation));
            last = Some(permutation);
        }
    }

    #[test]
    fn four_slots_round_trip_and_home_is_zero() {
        for rank in 0..495 {
            let marked = four_slots_unrank(rank);
            assert_eq!(marked.iter().filter(|&&m| m).count(), 4);
            assert_eq!(four_slots_rank(&marked), rank);
            assert_eq!(mirrored_slots_rank(&mirrored_slots_unrank(rank)), rank);
        }
        assert_eq!(four_slots_rank(&std::array::from_fn(|slot| slot >= 8)), 0);
    }

    #[test]
    fn parity_is_that_of_the_number_of_swaps() {
        assert!(!is_odd(&[0, 1, 2]) && is_odd(&[1, 0, 2]) && !is_odd(&[1, 2, 0]));
    }
}
