//! The format of a table file: a header page that describes the table, then the entries.
//!
//! ```text
//! 0      +--------------------------------------------------------------+
//!        | label, format version, byte order, name, recipe, shape,      |
//!        | histograms, checksum of the entries, checksum of this header |
//! 4096   +--------------------------------------------------------------+
//!        | entries, in the byte order of the machine that wrote them    |
//!        +--------------------------------------------------------------+
//! ```
//!
//! All numbers in the header are little-endian. The *recipe* is a fingerprint of everything that determines the
//! entries, other than their shape. It changes when a coordinate or a layout changes. So a file of another version is
//! recognised. Checksums are 64-bit XXH3; they detect damage, not tampering.

use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Size of the header; the offset of the first entry.
pub const HEADER_BYTES: usize = 4096;
/// Greatest number of depths in a histogram.
pub const DEPTHS: usize = 32;
/// Version of this format.
pub const FORMAT_VERSION: u32 = 1;

const LABEL: [u8; 16] = *b"superflip table\n";
const RESERVED: usize = HEADER_BYTES - 128 - 16 * DEPTHS;

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned, Clone)]
#[repr(C)]
struct Raw {
    label: [u8; 16],
    version: U32,
    /// 0x01020304, in the byte order of the entries.
    byte_order: [u8; 4],
    name: [u8; 48],
    recipe: U64,
    entries: U64,
    bits: U32,
    depths: U32,
    payload_bytes: U64,
    payload_checksum: U64,
    build_micros: U64,
    entry_histogram: [U64; DEPTHS],
    depth_histogram: [U64; DEPTHS],
    reserved: [u8; RESERVED],
    header_checksum: U64,
}

const _: () = assert!(size_of::<Raw>() == HEADER_BYTES);

/// The decoded header of a table file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Name of the table.
    pub name: String,
    /// Fingerprint of what determines the entries.
    pub recipe: u64,
    /// Number of entries.
    pub entries: u64,
    /// Bits per entry.
    pub bits: u32,
    /// Checksum of the entries (XXH3).
    pub checksum: u64,
    /// Duration of the build.
    pub build_time: Duration,
    /// Number of entries at each depth as stored; empty for tables without depths.
    pub entry_histogram: Vec<u64>,
    /// Number of states at each depth: entries weighted by the states they stand for.
    pub depth_histogram: Vec<u64>,
}

/// Why a file is not the expected table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// The file is shorter than a header.
    #[error("truncated: {got} bytes, not even the header of {HEADER_BYTES}")]
    NoHeader {
        /// Size of the file in bytes.
        got: u64,
    },
    /// The file does not begin with the label of a table.
    #[error("not a superflip table: it does not begin with the label")]
    Foreign,
    /// The file has another format version.
    #[error("format version {got}, this program reads version {FORMAT_VERSION}")]
    Version {
        /// Version in the file.
        got: u32,
    },
    /// The file was written on a machine with another byte order.
    #[error("written on a machine of another byte order")]
    ByteOrder,
    /// The header is damaged.
    #[error("corrupted header: checksum {got:016x}, recorded {recorded:016x}")]
    HeaderChecksum {
        /// Checksum of the current bytes.
        got: u64,
        /// Checksum recorded in the file.
        recorded: u64,
    },
    /// The header is intact, but describes an impossible table.
    #[error("invalid header: {0}")]
    Senseless(&'static str),
    /// The file is intact, but holds another table or an older definition.
    #[error("holds {got}, expected {expected}")]
    OtherTable {
        /// Description in the header.
        got: String,
        /// Expected description.
        expected: String,
    },
    /// The file has the wrong length.
    #[error("truncated or padded: {got} bytes, expected {expected}")]
    Length {
        /// Size of the file in bytes.
        got: u64,
        /// Size according to the header.
        expected: u64,
    },
    /// The entries are damaged.
    #[error("corrupted entries: checksum {got:016x}, recorded {recorded:016x}")]
    Checksum {
        /// Checksum of the current bytes.
        got: u64,
        /// Checksum recorded in the file.
        recorded: u64,
    },
}

/// Returns the fingerprint of a file: the XXH3 of its first page, which contains the checksum of the entries.
pub fn fingerprint(page: &[u8]) -> u64 {
    xxh3_64(page)
}

/// Returns the size of `entries` entries of `bits` bits, in bytes.
pub const fn payload_bytes(entries: u64, bits: u32) -> u64 {
    (entries * bits as u64).div_ceil(8)
}

impl Header {
    /// Returns the size of all entries in bytes.
    pub const fn payload_bytes(&self) -> u64 {
        payload_bytes(self.entries, self.bits)
    }

    /// Encodes the first page of the file.
    pub fn encode(&self) -> Vec<u8> {
        let mut name = [0; 48];
        for (to, from) in name.iter_mut().zip(self.name.bytes()) {
            *to = from;
        }
        let histogram = |counts: &[u64]| {
            let mut out = [U64::ZERO; DEPTHS];
            for (to, &from) in out.iter_mut().zip(counts) {
                *to = U64::new(from);
            }
            out
        };
        let mut raw = Raw {
            label: LABEL,
            version: U32::new(FORMAT_VERSION),
            byte_order: 0x0102_0304_u32.to_ne_bytes(),
            name,
            recipe: U64::new(self.recipe),
            entries: U64::new(self.entries),
            bits: U32::new(self.bits),
            depths: U32::new(self.depth_histogram.len() as u32),
            payload_bytes: U64::new(self.payload_bytes()),
            payload_checksum: U64::new(self.checksum),
            build_micros: U64::new(self.build_time.as_micros() as u64),
            entry_histogram: histogram(&self.entry_histogram),
            depth_histogram: histogram(&self.depth_histogram),
            reserved: [0; RESERVED],
            header_checksum: U64::ZERO,
        };
        raw.header_checksum = U64::new(xxh3_64(&raw.as_bytes()[..HEADER_BYTES - 8]));
        raw.as_bytes().to_vec()
    }

    /// Decodes the first page of a file of `file_bytes` bytes, and checks everything but the entries.
    ///
    /// # Errors
    /// The first fault, in this order: label, version, checksum of the header, byte order, content, length.
    pub fn decode(page: &[u8], file_bytes: u64) -> Result<Self, FormatError> {
        let Ok((raw, _)) = Raw::ref_from_prefix(page) else {
            return Err(FormatError::NoHeader { got: file_bytes });
        };
        if raw.label != LABEL {
            return Err(FormatError::Foreign);
        }
        if raw.version.get() != FORMAT_VERSION {
            return Err(FormatError::Version { got: raw.version.get() });
        }
        let (got, recorded) = (xxh3_64(&raw.as_bytes()[..HEADER_BYTES - 8]), raw.header_checksum.get());
        if got != recorded {
            return Err(FormatError::HeaderChecksum { got, recorded });
        }
        if raw.byte_order != 0x0102_0304_u32.to_ne_bytes() {
            return Err(FormatError::ByteOrder);
        }
        let name: String = raw.name.iter().take_while(|&&b| b != 0).map(|&b| char::from(b)).collect();
        if !name.is_ascii() {
            return Err(FormatError::Senseless("its name is not ASCII"));
        }
        let depths = raw.depths.get() as usize;
        if depths > DEPTHS {
            return Err(FormatError::Senseless("it has more depths than fit"));
        }
        let bits = raw.entries.get().checked_mul(u64::from(raw.bits.get()));
        let expected = raw.payload_bytes.get().checked_add(HEADER_BYTES as u64);
        let Some(expected) = expected.filter(|_| bits.map(|bits| bits.div_ceil(8)) == Some(raw.payload_bytes.get()))
        else {
            return Err(FormatError::Senseless("its number of entries contradicts its number of bytes"));
        };
        let counts = |histogram: &[U64; DEPTHS]| histogram[..depths].iter().map(|n| n.get()).collect();
        let header = Self {
            name,
            recipe: raw.recipe.get(),
            entries: raw.entries.get(),
            bits: raw.bits.get(),
            checksum: raw.payload_checksum.get(),
            build_time: Duration::from_micros(raw.build_micros.get()),
            entry_histogram: counts(&raw.entry_histogram),
            depth_histogram: counts(&raw.depth_histogram),
        };
        if file_bytes != expected {
            return Err(FormatError::Length { got: file_bytes, expected });
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            name: "twist_move".into(),
            recipe: 7,
            entries: 3,
            bits: 16,
            checksum: 11,
            build_time: Duration::from_micros(5),
            entry_histogram: vec![1, 2],
            depth_histogram: vec![3, 4],
        }
    }

    #[test]
    fn a_header_round_trips() {
        let page = header().encode();
        assert_eq!(Header::decode(&page, 4096 + 6), Ok(header()));
    }

    #[test]
    fn every_damage_has_its_own_name() {
        let page = header().encode();
        let with = |at: usize, byte: u8| {
            let mut page = page.clone();
            page[at] = byte;
            Header::decode(&page, 4096 + 6).expect_err("damaged")
        };
        assert!(matches!(Header::decode(&page[..100], 100), Err(FormatError::NoHeader { got: 100 })));
        assert!(matches!(Header::decode(&page, 4096 + 5), Err(FormatError::Length { .. })));
        assert_eq!(with(0, b'S'), FormatError::Foreign);
        assert_eq!(with(16, 99), FormatError::Version { got: 99 });
        for (at, byte) in page.iter().enumerate().skip(20) {
            let damaged = with(at, byte ^ 0x40);
            assert!(matches!(damaged, FormatError::HeaderChecksum { .. }), "byte {at}: {damaged}");
        }
    }
    #[test]
    fn an_intact_header_may_be_invalid() {
        let with = |change: fn(&mut Raw)| {
            let (mut raw, _) = Raw::read_from_prefix(&header().encode()).expect("a page");
            change(&mut raw);
            raw.header_checksum = U64::new(xxh3_64(&raw.as_bytes()[..HEADER_BYTES - 8]));
            Header::decode(raw.as_bytes(), 4096 + 6)
        };
        assert_eq!(with(|_| ()), Ok(header()));
        for change in [
            (|raw| raw.name[0] = 0xe9) as fn(&mut Raw),
            |raw| raw.depths = U32::new(33),
            |raw| raw.entries = U64::new(u64::MAX),
            |raw| raw.bits = U32::new(8),
            |raw| raw.payload_bytes = U64::new(u64::MAX),
        ] {
            let error = with(change).expect_err("senseless");
            assert!(matches!(error, FormatError::Senseless(_)), "{error}");
        }
    }
}
