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
//! entries, other than their shape. A new coordinate or layout changes it, so that a file of another version is
//! recognised. Checksums are 64-bit XXH3; they detect damage, not tampering.

use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

/// Size of the header; the offset of the first entry.
pub const HEADER_BYTES: usize = 4096;
/// Greatest number of depths in a histogram.
pub const DEPTHS: usize = 32;
/// Version of this format.
pub const FORMAT_VERSION: u32 = 1;

const LABEL: [u8; 16] = *b"superflip table\n";
/// 0x01020304, in the byte order of the entries.
const BYTE_ORDER: [u8; 4] = 0x0102_0304_u32.to_ne_bytes();

// Offsets in bytes. Between the histograms and the checksum are zeros.
const VERSION: usize = 16;
const ORDER: usize = 20;
const NAME: usize = 24;
const NAME_BYTES: usize = 48;
const RECIPE: usize = 72;
const ENTRIES: usize = 80;
const BITS: usize = 88;
const DEPTH_COUNT: usize = 92;
const PAYLOAD_BYTES: usize = 96;
const PAYLOAD_CHECKSUM: usize = 104;
const BUILD_MICROS: usize = 112;
const ENTRY_HISTOGRAM: usize = 120;
const DEPTH_HISTOGRAM: usize = ENTRY_HISTOGRAM + 8 * DEPTHS;
const HEADER_CHECKSUM: usize = HEADER_BYTES - 8;

/// The bytes of a header.
type Page = [u8; HEADER_BYTES];

fn u32_at(page: &Page, at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| page[at + i]))
}

fn u64_at(page: &Page, at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| page[at + i]))
}

fn put(page: &mut Page, at: usize, bytes: &[u8]) {
    page[at..at + bytes.len()].copy_from_slice(bytes);
}

fn header_checksum(page: &Page) -> u64 {
    xxh3_64(&page[..HEADER_CHECKSUM])
}

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
#[allow(missing_docs)] // the fields are what their names say
pub enum FormatError {
    /// The file is shorter than a header.
    #[error("truncated: {got} bytes, shorter than the header of {HEADER_BYTES}")]
    NoHeader { got: u64 },
    /// The file does not begin with the label of a table.
    #[error("not a superflip table: it does not begin with the label")]
    Foreign,
    /// The file has another format version.
    #[error("format version {got}, this program reads version {FORMAT_VERSION}")]
    Version { got: u32 },
    /// The file was written on a machine with another byte order.
    #[error("written on a machine of another byte order")]
    ByteOrder,
    /// The header is damaged.
    #[error("corrupted header: checksum {got:016x}, recorded {recorded:016x}")]
    HeaderChecksum { got: u64, recorded: u64 },
    /// The header is intact, but describes an impossible table.
    #[error("invalid header: {0}")]
    Senseless(&'static str),
    /// The file is intact, but holds another table or another version of it.
    #[error("holds {got}, expected {expected}")]
    OtherTable { got: String, expected: String },
    /// The file has the wrong length.
    #[error("truncated or padded: {got} bytes, expected {expected}")]
    Length { got: u64, expected: u64 },
    /// The entries are damaged.
    #[error("corrupted entries: checksum {got:016x}, recorded {recorded:016x}")]
    Checksum { got: u64, recorded: u64 },
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
        let mut page = [0; HEADER_BYTES];
        put(&mut page, 0, &LABEL);
        put(&mut page, VERSION, &FORMAT_VERSION.to_le_bytes());
        put(&mut page, ORDER, &BYTE_ORDER);
        put(&mut page, NAME, &self.name.as_bytes()[..self.name.len().min(NAME_BYTES)]);
        put(&mut page, RECIPE, &self.recipe.to_le_bytes());
        put(&mut page, ENTRIES, &self.entries.to_le_bytes());
        put(&mut page, BITS, &self.bits.to_le_bytes());
        put(&mut page, DEPTH_COUNT, &u32::try_from(self.depth_histogram.len()).unwrap_or(u32::MAX).to_le_bytes());
        put(&mut page, PAYLOAD_BYTES, &self.payload_bytes().to_le_bytes());
        put(&mut page, PAYLOAD_CHECKSUM, &self.checksum.to_le_bytes());
        put(&mut page, BUILD_MICROS, &u64::try_from(self.build_time.as_micros()).unwrap_or(u64::MAX).to_le_bytes());
        for (at, histogram) in [(ENTRY_HISTOGRAM, &self.entry_histogram), (DEPTH_HISTOGRAM, &self.depth_histogram)] {
            for (depth, count) in histogram.iter().enumerate().take(DEPTHS) {
                put(&mut page, at + 8 * depth, &count.to_le_bytes());
            }
        }
        let checksum = header_checksum(&page);
        put(&mut page, HEADER_CHECKSUM, &checksum.to_le_bytes());
        page.to_vec()
    }

    /// Decodes the first page of a file of `file_bytes` bytes, and checks everything but the entries.
    ///
    /// # Errors
    /// The first fault, in this order: a page that is too short, label, version, checksum of the header, byte order, content, length.
    pub fn decode(page: &[u8], file_bytes: u64) -> Result<Self, FormatError> {
        let Some(page) = page.first_chunk::<HEADER_BYTES>() else {
            return Err(FormatError::NoHeader { got: file_bytes });
        };
        if !page.starts_with(&LABEL) {
            return Err(FormatError::Foreign);
        }
        let version = u32_at(page, VERSION);
        if version != FORMAT_VERSION {
            return Err(FormatError::Version { got: version });
        }
        let (got, recorded) = (header_checksum(page), u64_at(page, HEADER_CHECKSUM));
        if got != recorded {
            return Err(FormatError::HeaderChecksum { got, recorded });
        }
        if page[ORDER..NAME] != BYTE_ORDER {
            return Err(FormatError::ByteOrder);
        }
        let name = &page[NAME..NAME + NAME_BYTES];
        let name: String = name.iter().take_while(|&&b| b != 0).map(|&b| char::from(b)).collect();
        if !name.is_ascii() {
            return Err(FormatError::Senseless("its name is not ASCII"));
        }
        let depths = u32_at(page, DEPTH_COUNT) as usize;
        if depths > DEPTHS {
            return Err(FormatError::Senseless("it has more than 32 depths"));
        }
        let (entries, bits, bytes) = (u64_at(page, ENTRIES), u32_at(page, BITS), u64_at(page, PAYLOAD_BYTES));
        let needed = entries.checked_mul(u64::from(bits)).map(|bits| bits.div_ceil(8));
        let expected = bytes.checked_add(HEADER_BYTES as u64);
        let Some(expected) = expected.filter(|_| needed == Some(bytes)) else {
            return Err(FormatError::Senseless("its number of entries contradicts its number of bytes"));
        };
        let counts = |at: usize| (0..depths).map(|depth| u64_at(page, at + 8 * depth)).collect();
        let header = Self {
            name,
            recipe: u64_at(page, RECIPE),
            entries,
            bits,
            checksum: u64_at(page, PAYLOAD_CHECKSUM),
            build_time: Duration::from_micros(u64_at(page, BUILD_MICROS)),
            entry_histogram: counts(ENTRY_HISTOGRAM),
            depth_histogram: counts(DEPTH_HISTOGRAM),
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
    fn fields_are_where_the_format_has_them() {
        let page = header().encode();
        assert_eq!(page.len(), 4096);
        let expected: [(usize, &[u8]); 12] = [
            (0, b"superflip table\n"),
            (16, &[1, 0, 0, 0]),
            (20, if cfg!(target_endian = "little") { &[4, 3, 2, 1] } else { &[1, 2, 3, 4] }),
            (24, b"twist_move\0"),
            (72, &[7, 0, 0, 0, 0, 0, 0, 0]),
            (80, &[3, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 2, 0, 0, 0]),
            (96, &[6, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0]),
            (112, &[5, 0, 0, 0, 0, 0, 0, 0]),
            (120, &[1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]),
            (376, &[3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]),
            (632, &[0; 3456]),
            (4088, &xxh3_64(&page[..4088]).to_le_bytes()),
        ];
        for (at, bytes) in expected {
            assert_eq!(page[at..at + bytes.len()], *bytes, "at {at}");
        }
    }

    #[test]
    fn an_intact_header_may_be_invalid() {
        let with = |change: fn(&mut Page)| {
            let mut page: Page = header().encode().try_into().expect("a page");
            change(&mut page);
            let checksum = header_checksum(&page);
            put(&mut page, HEADER_CHECKSUM, &checksum.to_le_bytes());
            Header::decode(&page, 4096 + 6)
        };
        assert_eq!(with(|_| ()), Ok(header()));
        for change in [
            (|page| page[NAME] = 0xe9) as fn(&mut Page),
            |page| put(page, DEPTH_COUNT, &[33]),
            |page| put(page, ENTRIES, &[255; 8]),
            |page| put(page, BITS, &[8]),
            |page| put(page, PAYLOAD_BYTES, &[255; 8]),
        ] {
            let error = with(change).expect_err("senseless");
            assert!(matches!(error, FormatError::Senseless(_)), "{error}");
        }
    }
}
