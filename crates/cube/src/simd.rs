//! SIMD: operations on sixteen bytes at a time, enough to turn a cube and to number its cosets, and on eight numbers for sums of costs.
//!
//! A [`Simd`] is a set of these operations. [`Scalar`] works byte by byte on any machine. `Avx2` uses one instruction
//! for each operation, on x86-64 processors since 2013. A [`Kernel`] is code that is generic over the set. [`dispatch`]
//! runs it with the best set that the machine supports.
//!
//! Every function that a kernel calls must be inlined into its `run`. Otherwise it is compiled without the
//! instructions. So every function that uses a `Simd` is `#[inline(always)]`.
#![allow(unsafe_code)]
#![allow(clippy::cast_possible_truncation)] // the halves of a register, and 16 lanes

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
    /// Bitwise exclusive or.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Bitwise and.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Sums of bytes modulo 256.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Minimum of each pair of bytes.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Collects bit `7 - LEFT` of each byte; that of byte `i` becomes bit `i`.
    fn column<const LEFT: i32>(self, vector: Self::Vector) -> u32;
    /// Shifts each byte right by four; all bytes must be below 64.
    fn high(self, vector: Self::Vector) -> Self::Vector;
    /// Weighted sums of the first four and of the next four bytes, with weights below 128.
    fn weighted(self, bytes: Self::Vector, weights: Self::Vector) -> [u32; 2];
    /// Gathers the bits selected by `mask` at the low end (PEXT).
    fn extract(self, bits: u32, mask: u32) -> u32;
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
    fn column<const LEFT: i32>(self, vector: [u8; 16]) -> u32 {
        (0..16).fold(0, |bits, i| bits | u32::from(vector[i] >> (7 - LEFT) & 1) << i)
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
        let mut mask = mask;
        let mut out = 0;
        let mut place = 0;
        while mask != 0 {
            out |= (bits >> mask.trailing_zeros() & 1) << place;
            place += 1;
            mask &= mask - 1;
        }
        out
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

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64 as x;
    use std::sync::LazyLock;

    use super::{Bytes16, Kernel, Simd};

    /// The AVX2 implementation. A value proves that the machine has the instructions.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        /// Returns the implementation if the machine has the instructions.
        #[inline]
        pub(crate) fn find() -> Option<Self> {
            static HAS_ALL: LazyLock<bool> = LazyLock::new(|| {
                let vectors = is_x86_feature_detected!("avx2");
                let bits = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
                let counts = is_x86_feature_detected!("lzcnt") && is_x86_feature_detected!("popcnt");
                vectors && bits && counts
            });
            HAS_ALL.then_some(Self(()))
        }

        /// Runs a kernel compiled with the instructions.
        pub(crate) fn run<W: Kernel>(self, work: W) -> W::Output {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn with_features<W: Kernel>(simd: Avx2, work: W) -> W::Output {
                work.run(simd)
            }
            // SAFETY: values come only from `find`, which has detected all these features.
            unsafe { with_features(self, work) }
        }
    }

    /// Each of the functions below is safe to call if the machine has its instruction.
    macro_rules! one_instruction {
        ($call:expr) => {
            // SAFETY: a value of `Avx2` exists, so the machine has the instruction, which only touches registers.
            unsafe { $call }
        };
    }

    impl Simd for Avx2 {
        type Vector = x::__m128i;
        type Numbers = x::__m256i;

        #[inline(always)]
        fn load(self, bytes: &Bytes16) -> x::__m128i {
            // SAFETY: both types are sixteen bytes, and every bit pattern is valid.
            unsafe { std::mem::transmute::<[u8; 16], x::__m128i>(bytes.0) }
        }

        #[inline(always)]
        fn store(self, vector: x::__m128i) -> Bytes16 {
            // SAFETY: both types are sixteen bytes, and every bit pattern is valid.
            Bytes16(unsafe { std::mem::transmute::<x::__m128i, [u8; 16]>(vector) })
        }

        #[inline(always)]
        fn shuffle(self, table: x::__m128i, at: x::__m128i) -> x::__m128i {
            one_instruction!(x::_mm_shuffle_epi8(table, at))
        }

        #[inline(always)]
        fn xor(self, a: x::__m128i, b: x::__m128i) -> x::__m128i {
            one_instruction!(x::_mm_xor_si128(a, b))
        }

        #[inline(always)]
        fn and(self, a: x::__m128i, b: x::__m128i) -> x::__m128i {
            one_instruction!(x::_mm_and_si128(a, b))
        }

        #[inline(always)]
        fn add(self, a: x::__m128i, b: x::__m128i) -> x::__m128i {
            one_instruction!(x::_mm_add_epi8(a, b))
        }

        #[inline(always)]
        fn min(self, a: x::__m128i, b: x::__m128i) -> x::__m128i {
            one_instruction!(x::_mm_min_epu8(a, b))
        }

        #[inline(always)]
        fn column<const LEFT: i32>(self, vector: x::__m128i) -> u32 {
            // Pairs of bytes are shifted together; bits from the lower byte stay below the highest bit.
            one_instruction!(x::_mm_movemask_epi8(x::_mm_slli_epi16::<LEFT>(vector))).cast_unsigned()
        }

        #[inline(always)]
        fn high(self, vector: x::__m128i) -> x::__m128i {
            one_instruction!(x::_mm_and_si128(x::_mm_srli_epi16::<4>(vector), x::_mm_set1_epi8(3)))
        }

        #[inline(always)]
        fn weighted(self, bytes: x::__m128i, weights: x::__m128i) -> [u32; 2] {
            let sums = one_instruction!({
                let pairs = x::_mm_maddubs_epi16(bytes, weights);
                x::_mm_cvtsi128_si64(x::_mm_madd_epi16(pairs, x::_mm_set1_epi16(1))).cast_unsigned()
            });
            [sums as u32, (sums >> 32) as u32]
        }

        #[inline(always)]
        fn extract(self, bits: u32, mask: u32) -> u32 {
            one_instruction!(x::_pext_u32(bits, mask))
        }

        #[inline(always)]
        fn load_numbers(self, numbers: &[u32; 8]) -> x::__m256i {
            // SAFETY: both types are 32 bytes, and every bit pattern is valid.
            unsafe { std::mem::transmute::<[u32; 8], x::__m256i>(*numbers) }
        }

        #[inline(always)]
        fn store_numbers(self, numbers: x::__m256i) -> [u32; 8] {
            // SAFETY: both types are 32 bytes, and every bit pattern is valid.
            unsafe { std::mem::transmute::<x::__m256i, [u32; 8]>(numbers) }
        }

        #[inline(always)]
        fn least_sum(self, least: x::__m256i, a: x::__m256i, b: x::__m256i) -> x::__m256i {
            one_instruction!(x::_mm256_min_epu32(least, x::_mm256_add_epi32(a, b)))
        }
    }
}

/// Runs a kernel with the best implementation that the machine supports.
#[inline]
pub fn dispatch<W: Kernel>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = x86::Avx2::find() {
        return simd.run(work);
    }
    work.run(Scalar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// Every operation of a `Simd`, on bytes and bits.
    struct All<'a> {
        a: &'a Bytes16,
        b: &'a Bytes16,
        bits: u32,
        mask: u32,
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
            let weights = simd.and(b, simd.load(&Bytes16([0x7f; 16])));
            let vectors = [
                a,
                simd.shuffle(a, b),
                simd.xor(a, b),
                simd.and(a, b),
                simd.add(a, b),
                simd.min(a, b),
                simd.high(small),
            ];
            let mut numbers = simd.weighted(simd.high(small), weights).to_vec();
            numbers.extend([simd.column::<0>(a), simd.column::<3>(a), simd.column::<7>(a)]);
            numbers.push(simd.extract(self.bits, self.mask));
            numbers.extend(simd.store_numbers(simd.least_sum(first, second, third)));
            (vectors.map(|vector| simd.store(vector)).to_vec(), numbers)
        }
    }

    #[test]
    fn the_best_implementation_equals_the_scalar_one() {
        let mut rng = StdRng::seed_from_u64(11);
        for _ in 0..1000 {
            let a = Bytes16(rng.random());
            let b = Bytes16(rng.random());
            let bits = rng.random();
            let mask = rng.random();
            let plain = All { a: &a, b: &b, bits, mask }.run(Scalar);
            assert_eq!(dispatch(All { a: &a, b: &b, bits, mask }), plain);
        }
    }

    #[test]
    fn scalar_bit_operations_are_correct() {
        assert_eq!(Scalar.extract(0b1011_0110, 0b1111_0000), 0b1011);
        assert_eq!(Scalar.extract(0b1010, 0b1010), 0b11);
        let mut bytes = [0; 16];
        bytes[3] = 0b0000_1000;
        assert_eq!((Scalar.column::<4>(bytes), Scalar.column::<3>(bytes)), (1 << 3, 0));
        let table: [u8; 16] = std::array::from_fn(|i| i as u8 + 100);
        bytes[3] = 0x95;
        bytes[4] = 0x35;
        assert_eq!(Scalar.shuffle(table, bytes)[3..5], [0, 105]);
    }
}
