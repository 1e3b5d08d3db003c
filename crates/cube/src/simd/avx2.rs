//! The operations with AVX2 and BMI2, on x86-64 processors since 2013.
#![allow(unsafe_code)] // each instruction is one that `find` has detected
#![allow(clippy::cast_possible_truncation)] // the halves of a register

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

impl Avx2 {
    /// Collects bit `7 - LEFT` of each byte.
    #[inline(always)]
    #[allow(clippy::unused_self)] // a value proves that the machine has the instruction
    fn mask<const LEFT: i32>(self, vector: x::__m128i) -> u32 {
        // Pairs of bytes are shifted together; bits from the lower byte stay below the highest bit.
        one_instruction!(x::_mm_movemask_epi8(x::_mm_slli_epi16::<LEFT>(vector))).cast_unsigned()
    }
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
    fn columns<const A: i32, const B: i32, const C: i32>(self, [a, b, c]: [x::__m128i; 3]) -> [u32; 3] {
        [self.mask::<A>(a), self.mask::<B>(b), self.mask::<C>(c)]
    }

    #[inline(always)]
    fn high(self, vector: x::__m128i) -> x::__m128i {
        one_instruction!(x::_mm_and_si128(x::_mm_srli_epi16::<4>(vector), x::_mm_set1_epi8(3)))
    }

    #[inline(always)]
    fn weighted(self, bytes: x::__m128i, weights: x::__m128i) -> [u32; 2] {
        let sums = one_instruction!({
            // The first operand has unsigned bytes, the second signed ones.
            let pairs = x::_mm_maddubs_epi16(weights, bytes);
            x::_mm_cvtsi128_si64(x::_mm_madd_epi16(pairs, x::_mm_set1_epi16(1))).cast_unsigned()
        });
        [sums as u32, (sums >> 32) as u32]
    }

    #[inline(always)]
    fn extract(self, bits: u32, mask: u32) -> u32 {
        one_instruction!(x::_pext_u32(bits, mask))
    }

    #[inline(always)]
    fn extract_fours(self, bits: u32, [a, b, c]: [u32; 3]) -> u32 {
        // Each mask has four ones, so what they select from three copies is already in place.
        let copies = u64::from(bits) * 0x100_1001;
        let masks = u64::from(a) | u64::from(b) << 12 | u64::from(c) << 24;
        one_instruction!(x::_pext_u64(copies, masks)) as u32
    }

    #[inline(always)]
    fn extract_sixes(self, bits: u32) -> [u32; 2] {
        one_instruction!([x::_pext_u32(bits, 0x03_f03f), x::_pext_u32(bits, 0xfc_0fc0)])
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
