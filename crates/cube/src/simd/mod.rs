//! SIMD: operations on sixteen bytes at a time, enough to turn a cube and to number its cosets, and on eight numbers for sums of costs.
//!
//! A [`Simd`] is a set of these operations. [`Scalar`] works byte by byte on any machine. `Avx2` uses one instruction
//! for each operation, on x86-64 processors since 2013. `Neon` uses one to seven, on every aarch64 processor. A [`Kernel`] is code that is
//! generic over the set. [`dispatch`] runs it with the best set that the machine supports. Compiled with `--cfg superflip_portable`,
//! it uses `Scalar` only, for comparisons.
//!
//! Every function that a kernel calls must be inlined into its `run`. Otherwise it is compiled without the
//! instructions. So every function that uses a `Simd` is `#[inline(always)]`.
#![allow(clippy::cast_possible_truncation)] // 16 lanes

#[cfg(all(target_arch = "x86_64", not(superflip_portable)))]
mod avx2;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(superflip_portable)))]
mod neon;

/// Sixteen bytes in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(align(16))]
pub struct Bytes16(pub [u8; 16]);

/// Operations on sixteen bytes, and on eight numbers.
pub trait Simd: Copy {
    /// Sixteen bytes in a register.
    type Vector: Copy;
    /// Eight numbers in a register.
    type Numbers: Copy;

    /// Loads bytes from memory.
    fn load(self, bytes: &Bytes16) -> Self::Vector;
    /// Stores bytes to memory.
    fn store(self, vector: Self::Vector) -> Bytes16;
    /// Selects bytes of `table`. Byte `i` of `at` selects byte `i` of the result by its low four bits. The result is 0
    /// if its highest bit is set.
    fn shuffle(self, table: Self::Vector, at: Self::Vector) -> Self::Vector;
    /// As [`Simd::shuffle`], for indices below 16 and the index 0x80 only. It takes fewer instructions on some processors.
    #[inline(always)]
    fn select(self, table: Self::Vector, at: Self::Vector) -> Self::Vector {
        self.shuffle(table, at)
    }
    /// Bitwise exclusive or.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Bitwise and.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Sums of bytes modulo 256.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Minimum of each pair of bytes.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Collects one bit of each byte of three vectors: bit `7 - A` of the bytes of the first, and so on.
    fn columns<const A: i32, const B: i32, const C: i32>(self, vectors: [Self::Vector; 3]) -> [u32; 3];
    /// Shifts each byte right by four; all bytes must be below 64.
    fn high(self, vector: Self::Vector) -> Self::Vector;
    /// Weighted sums of the first four and of the next four bytes; all bytes must be below 16.
    fn weighted(self, bytes: Self::Vector, weights: Self::Vector) -> [u32; 2];
    /// Gathers the bits selected by `mask`, at most four of the low twelve, at the low end (PEXT).
    fn extract(self, bits: u32, mask: u32) -> u32;
    /// Of twelve bits, those selected by three masks of four bits each, those of the first mask at the low end.
    #[inline(always)]
    fn extract_fours(self, bits: u32, [a, b, c]: [u32; 3]) -> u32 {
        self.extract(bits, a) | self.extract(bits, b) << 4 | self.extract(bits, c) << 8
    }
    /// Splits two numbers of twelve bits, one above the other: the low six bits of both, and the high six bits of both.
    #[inline(always)]
    fn extract_sixes(self, bits: u32) -> [u32; 2] {
        [bits & 0x3f | bits >> 6 & 0xfc0, bits >> 6 & 0x3f | bits >> 12 & 0xfc0]
    }
    /// Loads numbers from memory.
    fn load_numbers(self, numbers: &[u32; 8]) -> Self::Numbers;
    /// Stores numbers to memory.
    fn store_numbers(self, numbers: Self::Numbers) -> [u32; 8];
    /// For each place, the minimum of the number of `least` and the sum of the numbers of `a` and `b`, modulo 2^32.
    fn least_sum(self, least: Self::Numbers, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
}

/// Code generic over [`Simd`].
pub trait Kernel {
    /// Result of the kernel.
    type Output;
    /// Runs the kernel. Implementations must be `#[inline(always)]`.
    fn run<K: Simd>(self, simd: K) -> Self::Output;
}

/// PEXT by table: a loop over bits takes three times as long. For six bits, and above them six bits of a mask with at most four ones: the bits that the mask selects, and from bit 4 on their
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

/// The portable implementation, byte by byte.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

impl Simd for Scalar {
    type Vector = [u8; 16];
    type Numbers = [u32; 8];

    #[inline(always)]
    fn load(self, bytes: &Bytes16) -> [u8; 16] {
        bytes.0
    }

    #[inline(always)]
    fn store(self, vector: [u8; 16]) -> Bytes16 {
        Bytes16(vector)
    }

    #[inline(always)]
    fn shuffle(self, table: [u8; 16], at: [u8; 16]) -> [u8; 16] {
        at.map(|at| if at & 0x80 == 0 { table[usize::from(at & 15)] } else { 0 })
    }

    #[inline(always)]
    fn xor(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        std::array::from_fn(|i| a[i] ^ b[i])
    }

    #[inline(always)]
    fn and(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        std::array::from_fn(|i| a[i] & b[i])
    }

    #[inline(always)]
    fn add(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        std::array::from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    fn min(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        std::array::from_fn(|i| a[i].min(b[i]))
    }

    #[inline(always)]
    fn columns<const A: i32, const B: i32, const C: i32>(self, [a, b, c]: [[u8; 16]; 3]) -> [u32; 3] {
        let collected =
            |vector: [u8; 16], place: i32| (0..16).fold(0, |bits, i| bits | u32::from(vector[i] >> place & 1) << i);
        [collected(a, 7 - A), collected(b, 7 - B), collected(c, 7 - C)]
    }

    #[inline(always)]
    fn high(self, vector: [u8; 16]) -> [u8; 16] {
        vector.map(|byte| byte >> 4)
    }

    #[inline(always)]
    fn weighted(self, bytes: [u8; 16], weights: [u8; 16]) -> [u32; 2] {
        [0, 4].map(|first| (first..first + 4).map(|i| u32::from(bytes[i]) * u32::from(weights[i])).sum())
    }

    #[inline(always)]
    fn extract(self, bits: u32, mask: u32) -> u32 {
        let half = |from: u32| u32::from(SELECTED[(bits >> from & 63 | (mask >> from & 63) << 6) as usize]);
        let low = half(0);
        low & 15 | (half(6) & 15) << (low >> 4)
    }

    #[inline(always)]
    fn load_numbers(self, numbers: &[u32; 8]) -> [u32; 8] {
        *numbers
    }

    #[inline(always)]
    fn store_numbers(self, numbers: [u32; 8]) -> [u32; 8] {
        numbers
    }

    #[inline(always)]
    fn least_sum(self, least: [u32; 8], a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        std::array::from_fn(|i| least[i].min(a[i].wrapping_add(b[i])))
    }
}

#[cfg(not(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(superflip_portable)
)))]
use Scalar as Baseline;
/// The best implementation that needs no detection.
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", not(superflip_portable)))]
use neon::Neon as Baseline;

/// Runs a kernel with the best implementation that the machine supports.
#[inline]
pub fn dispatch<W: Kernel>(work: W) -> W::Output {
    #[cfg(all(target_arch = "x86_64", not(superflip_portable)))]
    if let Some(simd) = avx2::Avx2::find() {
        return simd.run(work);
    }
    work.run(Baseline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};

    /// Every operation of a `Simd`, on bytes and bits.
    struct All<'a> {
        a: &'a Bytes16,
        b: &'a Bytes16,
        bits: u32,
        mask: u32,
        fours: [u32; 3],
    }

    impl Kernel for All<'_> {
        type Output = (Vec<Bytes16>, Vec<u32>);

        #[inline(always)]
        fn run<K: Simd>(self, simd: K) -> Self::Output {
            let eight = |first: usize| std::array::from_fn(|i| u32::from(self.a.0[i + first]) << (4 * i) ^ self.bits);
            let [first, second, third] = [0, 4, 8].map(|first| simd.load_numbers(&eight(first)));
            let a = simd.load(self.a);
            let b = simd.load(self.b);
            let small = simd.and(a, simd.load(&Bytes16([0x3f; 16])));
            let vectors = [
                a,
                simd.shuffle(a, b),
                simd.select(a, simd.and(b, simd.load(&INDICES))),
                simd.xor(a, b),
                simd.and(a, b),
                simd.add(a, b),
                simd.min(a, b),
                simd.high(small),
            ];
            let digits = simd.and(a, simd.load(&Bytes16([0x0f; 16])));
            let mut numbers = simd.weighted(digits, b).to_vec();
            numbers.extend(simd.columns::<0, 3, 7>([b, a, b]));
            numbers.extend(simd.columns::<6, 4, 4>([a, b, b]));
            numbers.push(simd.extract(self.bits, self.mask));
            numbers.push(simd.extract_fours(self.bits & 0xfff, self.fours));
            numbers.extend(simd.extract_sixes(self.bits));
            numbers.extend(simd.store_numbers(simd.least_sum(first, second, third)));
            (vectors.map(|vector| simd.store(vector)).to_vec(), numbers)
        }
    }

    /// In every second byte the bits of an index below 16, in the others the bit of an index that selects nothing.
    const INDICES: Bytes16 = Bytes16([15, 0x80, 15, 0x80, 15, 0x80, 15, 0x80, 15, 0x80, 15, 0x80, 15, 0x80, 15, 0x80]);

    #[track_caller]
    fn check(a: &Bytes16, b: &Bytes16, bits: u32, mask: u32, fours: [u32; 3]) {
        let plain = All { a, b, bits, mask, fours }.run(Scalar);
        assert_eq!(dispatch(All { a, b, bits, mask, fours }), plain, "{a:?} {b:?} {bits:x} {mask:x} {fours:x?}");
    }

    /// Returns three masks of four bits that divide twelve bits among them.
    fn fours(rng: &mut StdRng) -> [u32; 3] {
        let mut places: [u32; 12] = std::array::from_fn(|place| place as u32);
        places.shuffle(rng);
        [0, 4, 8].map(|first| places[first..first + 4].iter().fold(0, |mask, place| mask | 1 << place))
    }

    /// Returns a mask of at most four of twelve bits.
    fn mask(rng: &mut StdRng) -> u32 {
        (0..rng.random_range(0..=4)).fold(0, |mask, _| mask | 1 << rng.random_range(0..12))
    }

    #[test]
    fn the_best_implementation_equals_the_scalar_one() {
        let mut rng = StdRng::seed_from_u64(11);
        for _ in 0..1000 {
            check(&Bytes16(rng.random()), &Bytes16(rng.random()), rng.random(), mask(&mut rng), fours(&mut rng));
        }
    }

    #[test]
    fn the_best_implementation_equals_the_scalar_one_at_the_edges() {
        let mut rng = StdRng::seed_from_u64(12);
        // Every value in every byte, alone, in all bytes, and beside random ones.
        for value in 0..=u8::MAX {
            for place in 0..16 {
                for background in [Bytes16([0; 16]), Bytes16([value; 16]), Bytes16([!value; 16]), Bytes16(rng.random())]
                {
                    let mut bytes = background;
                    bytes.0[place] = value;
                    let other = Bytes16(rng.random());
                    check(&bytes, &other, u32::MAX, mask(&mut rng), fours(&mut rng));
                    check(&other, &bytes, 0, 0, fours(&mut rng));
                }
            }
        }
    }

    #[test]
    fn scalar_bit_operations_are_correct() {
        assert_eq!(Scalar.extract(0b1011_0110, 0b1111_0000), 0b1011);
        assert_eq!(Scalar.extract(0b1010, 0b1010), 0b11);
        assert_eq!(Scalar.extract(0b1000_0010_0001, 0b1000_0011_0001), 0b1101);
        assert_eq!(Scalar.extract_fours(0b1010_0110_0011, [0xf0, 0xf00, 0xf]), 0b0011_1010_0110);
        assert_eq!(Scalar.extract_sixes(0o45_51_33_60), [0o51_60, 0o45_33]);
        let mut bytes = [0; 16];
        let table: [u8; 16] = std::array::from_fn(|i| i as u8 + 100);
        bytes[3] = 0x95;
        bytes[4] = 0x35;
        assert_eq!(Scalar.shuffle(table, bytes)[3..5], [0, 105]);
    }

    #[test]
    fn extract_equals_a_loop_over_bits() {
        for mask in (0_u32..1 << 12).filter(|mask| mask.count_ones() <= 4) {
            for bits in 0..1 << 12 {
                let places = (0..12).filter(|place| mask >> place & 1 == 1);
                let expected = places.enumerate().fold(0, |out, (count, place)| out | (bits >> place & 1) << count);
                assert_eq!(Scalar.extract(bits, mask), expected, "{bits:b} {mask:b}");
            }
        }
    }
}
