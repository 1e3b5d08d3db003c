//! The operations with NEON, which every aarch64 processor has.
#![allow(unsafe_code)] // each instruction is one that the target has
#![allow(clippy::cast_possible_truncation)] // the halves of a register, and masks of 16 lanes

use std::arch::{aarch64 as a, asm};

use super::{Bytes16, Scalar, Simd};

/// The NEON implementation. It exists only where the compiler may use NEON everywhere, so nothing is detected.
#[derive(Clone, Copy)]
pub(crate) struct Neon;

/// Each of the functions below is safe to call if the machine has its instruction.
macro_rules! instructions {
    ($call:expr) => {
        // SAFETY: this module is compiled only for targets with NEON, and the instructions only touch registers.
        unsafe { $call }
    };
}

/// The place of each byte in its half, as a bit.
const PLACES: Bytes16 = Bytes16([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);

impl Neon {
    /// For each byte with bit `7 - LEFT`, its place in its half as a bit; 0 for the others.
    #[inline(always)]
    fn marked<const LEFT: i32>(self, vector: a::uint8x16_t) -> a::uint8x16_t {
        let has_bit = instructions!(a::vtstq_u8(vector, a::vdupq_n_u8(0x80 >> LEFT)));
        self.and(has_bit, self.load(&PLACES))
    }

    /// Sums of neighbours: those of `a`, then those of `b`. Three of them in a row collect places into masks.
    ///
    /// The compiler replaces `vpaddq_u8` by three instructions, because it sees that the sums are unions of bits.
    #[inline(always)]
    fn sums(a: a::uint8x16_t, b: a::uint8x16_t) -> a::uint8x16_t {
        let sums;
        // SAFETY: the instruction reads two registers and writes one.
        unsafe {
            asm!("addp {sums:v}.16b, {a:v}.16b, {b:v}.16b", sums = lateout(vreg) sums, a = in(vreg) a, b = in(vreg) b,
                options(pure, nomem, nostack, preserves_flags));
        }
        sums
    }
}

impl Simd for Neon {
    type Vector = a::uint8x16_t;
    type Numbers = a::uint32x4x2_t;

    #[inline(always)]
    fn load(self, bytes: &Bytes16) -> a::uint8x16_t {
        // SAFETY: both types are sixteen bytes, and every bit pattern is valid.
        unsafe { std::mem::transmute::<[u8; 16], a::uint8x16_t>(bytes.0) }
    }

    #[inline(always)]
    fn store(self, vector: a::uint8x16_t) -> Bytes16 {
        // SAFETY: both types are sixteen bytes, and every bit pattern is valid.
        Bytes16(unsafe { std::mem::transmute::<a::uint8x16_t, [u8; 16]>(vector) })
    }

    #[inline(always)]
    fn shuffle(self, table: a::uint8x16_t, at: a::uint8x16_t) -> a::uint8x16_t {
        // The instruction takes all eight bits of an index, so the three that have no meaning are cleared.
        instructions!(a::vqtbl1q_u8(table, a::vandq_u8(at, a::vdupq_n_u8(0x8f))))
    }

    #[inline(always)]
    fn select(self, table: a::uint8x16_t, at: a::uint8x16_t) -> a::uint8x16_t {
        instructions!(a::vqtbl1q_u8(table, at))
    }

    #[inline(always)]
    fn xor(self, a: a::uint8x16_t, b: a::uint8x16_t) -> a::uint8x16_t {
        instructions!(a::veorq_u8(a, b))
    }

    #[inline(always)]
    fn and(self, a: a::uint8x16_t, b: a::uint8x16_t) -> a::uint8x16_t {
        instructions!(a::vandq_u8(a, b))
    }

    #[inline(always)]
    fn add(self, a: a::uint8x16_t, b: a::uint8x16_t) -> a::uint8x16_t {
        instructions!(a::vaddq_u8(a, b))
    }

    #[inline(always)]
    fn min(self, a: a::uint8x16_t, b: a::uint8x16_t) -> a::uint8x16_t {
        instructions!(a::vminq_u8(a, b))
    }

    #[inline(always)]
    fn columns<const A: i32, const B: i32, const C: i32>(self, [a, b, c]: [a::uint8x16_t; 3]) -> [u32; 3] {
        let (first, last) = (Self::sums(self.marked::<A>(a), self.marked::<B>(b)), self.marked::<C>(c));
        let fours = Self::sums(first, Self::sums(last, last));
        let masks = Self::sums(fours, fours);
        let masks = instructions!(a::vgetq_lane_u64::<0>(a::vreinterpretq_u64_u8(masks)));
        [0, 16, 32].map(|shift| u32::from((masks >> shift) as u16))
    }

    #[inline(always)]
    fn high(self, vector: a::uint8x16_t) -> a::uint8x16_t {
        instructions!(a::vshrq_n_u8::<4>(vector))
    }

    #[inline(always)]
    fn weighted(self, bytes: a::uint8x16_t, weights: a::uint8x16_t) -> [u32; 2] {
        let sums = instructions!({
            let pairs = a::vpaddlq_u16(a::vmull_u8(a::vget_low_u8(bytes), a::vget_low_u8(weights)));
            a::vgetq_lane_u64::<0>(a::vreinterpretq_u64_u32(a::vpaddq_u32(pairs, pairs)))
        });
        [sums as u32, (sums >> 32) as u32]
    }

    #[inline(always)]
    fn extract(self, bits: u32, mask: u32) -> u32 {
        Scalar.extract(bits, mask)
    }

    #[inline(always)]
    fn load_numbers(self, numbers: &[u32; 8]) -> a::uint32x4x2_t {
        // SAFETY: both types are 32 bytes, and every bit pattern is valid.
        unsafe { std::mem::transmute::<[u32; 8], a::uint32x4x2_t>(*numbers) }
    }

    #[inline(always)]
    fn store_numbers(self, numbers: a::uint32x4x2_t) -> [u32; 8] {
        // SAFETY: both types are 32 bytes, and every bit pattern is valid.
        unsafe { std::mem::transmute::<a::uint32x4x2_t, [u32; 8]>(numbers) }
    }

    #[inline(always)]
    fn least_sum(self, least: a::uint32x4x2_t, a: a::uint32x4x2_t, b: a::uint32x4x2_t) -> a::uint32x4x2_t {
        let half = |least, a, b| instructions!(a::vminq_u32(least, a::vaddq_u32(a, b)));
        a::uint32x4x2_t(half(least.0, a.0, b.0), half(least.1, a.1, b.1))
    }
}
