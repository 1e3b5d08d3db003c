//! PEXT for at most four of twelve bits, by table: on processors without the instruction, a loop over bits takes three times as long.

/// For six bits, and above them six bits of a mask with at most four ones: the bits that the mask selects, and from bit 4 on their
/// number.
static SELECTED: [u8; 1 << 12] = {
    let mut out = [0; 1 << 12];
    let mut key = 0;
    while key < out.len() {
        let (bits, mask) = (key & 63, key >> 6);
        let (mut selected, mut count, mut place) = (0, 0, 0);
        while place < 6 {
            if mask >> place & 1 == 1 {
                selected |= (bits >> place & 1) << count;
                count += 1;
            }
            place += 1;
        }
        out[key] = (selected & 15 | count << 4) as u8;
        key += 1;
    }
    out
};

/// Gathers the bits selected by `mask`, at most four of the low twelve, at the low end.
#[inline(always)]
pub(super) fn portable(bits: u32, mask: u32) -> u32 {
    let selected = |half: u32| u32::from(SELECTED[(bits >> (6 * half) & 63 | (mask >> (6 * half) & 63) << 6) as usize]);
    let (low, high) = (selected(0), selected(1));
    low & 15 | (high & 15) << (low >> 4)
}

#[cfg(test)]
mod tests {
    use super::portable;

    #[test]
    fn equals_a_loop_over_bits() {
        for mask in (0_u32..1 << 12).filter(|mask| mask.count_ones() <= 4) {
            for bits in 0..1 << 12 {
                let places = (0..12).filter(|place| mask >> place & 1 == 1);
                let expected = places.enumerate().fold(0, |out, (count, place)| out | (bits >> place & 1) << count);
                assert_eq!(portable(bits, mask), expected, "{bits:b} {mask:b}");
            }
        }
    }
}
