//! Bodies of `/tables` responses: descriptions, rows and results of checks.

use crate::api::types::TableSet;
use crate::contract::{IntoParams, ToSchema};
use crate::service::millis;
use crate::service::tables::readiness::TableState;
use serde::{Deserialize, Serialize};

use superflip_cube::Moves;
use superflip_solver::tables::format::{FORMAT_VERSION, HEADER_BYTES};
use superflip_solver::tables::shape::Decoded;
use superflip_solver::tables::shape::IndexKind;
use superflip_solver::tables::verify::published;
use superflip_solver::tables::{TableInfo, Verdict};
use superflip_solver::{self as solver, Profile};

/// Meaning of the row or column numbers of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableIndex {
    /// Number of rows or columns. Numbering starts at 0.
    pub count: u64,
    /// Name of the index.
    pub name: &'static str,
    /// Meaning of the numbers.
    pub meaning: String,
}

impl From<IndexKind> for TableIndex {
    fn from(index: IndexKind) -> Self {
        Self { count: index.count(), name: index.name(), meaning: index.meaning() }
    }
}

/// Summary of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableSummary {
    /// Name of the table.
    #[schema(example = "twist_move")]
    pub name: &'static str,
    /// Purpose of the table.
    pub purpose: &'static str,
    /// Rows of the table.
    pub rows: TableIndex,
    /// Columns of the table; entry (row, column) has the number `row * columns + column`.
    pub columns: TableIndex,
    /// Number of entries: rows times columns.
    pub entries: u64,
    /// Bits per entry.
    pub bits: u32,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// XXH3 over the XXH3 values of all 4 MiB blocks of the entries, as 16 hexadecimal digits.
    #[schema(example = "0123456789abcdef")]
    pub checksum: String,
    /// Version of the file format.
    pub format_version: u32,
    /// Number of stored entries at each depth; empty for tables without depths.
    pub entry_histogram: Vec<u64>,
    /// Number of states at each depth, each class counted with the number of states in its orbit; empty for tables without depths.
    pub depth_histogram: Vec<u64>,
    /// Build time in seconds.
    pub build_seconds: f64,
}

impl From<&TableInfo> for TableSummary {
    fn from(info: &TableInfo) -> Self {
        Self {
            name: info.name,
            purpose: info.purpose,
            rows: info.shape.rows.into(),
            columns: info.shape.columns.into(),
            entries: info.entries,
            bits: info.bits,
            bytes: info.bytes,
            checksum: format!("{:016x}", info.checksum),
            format_version: FORMAT_VERSION,
            entry_histogram: info.entry_histogram.clone(),
            depth_histogram: info.depth_histogram.clone(),
            build_seconds: info.build_time.as_secs_f64(),
        }
    }
}

/// Links of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableLinks {
    /// GET: the full description.
    pub table: String,
    /// GET: the first row.
    pub first_row: String,
    /// GET: the file.
    pub raw: String,
    /// POST: a check of the table.
    pub verify: String,
}

impl TableLinks {
    fn of(name: &str) -> Self {
        let table = format!("/tables/{name}");
        Self {
            first_row: format!("{table}/rows/0"),
            raw: format!("{table}/raw"),
            verify: format!("{table}/verify"),
            table,
        }
    }
}

/// Summary of a table, with links.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LinkedTable {
    /// Table.
    #[serde(flatten)]
    pub table: TableSummary,
    /// Links.
    pub links: TableLinks,
}

impl From<&TableInfo> for LinkedTable {
    fn from(info: &TableInfo) -> Self {
        Self { table: info.into(), links: TableLinks::of(info.name) }
    }
}

/// Tables of the running service.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableList {
    /// Profile.
    #[schema(value_type = crate::api::types::described::Profile)]
    pub profile: Profile,
    /// Total size of the files in bytes.
    pub bytes: u64,
    /// Sets of tables that are loaded.
    pub sets: Vec<TableSet>,
    /// Tables, set by set, each after those it is built from.
    pub tables: Vec<LinkedTable>,
}

impl TableList {
    /// Creates the list.
    pub fn new(profile: Profile, sets: &[solver::TableSet]) -> Self {
        let tables: Vec<LinkedTable> =
            sets.iter().flat_map(solver::TableSet::list).map(|info| (&info).into()).collect();
        let bytes = sets.iter().map(solver::TableSet::file_bytes).sum();
        let sets = sets.iter().map(|set| TableSet::new(set.key(), TableState::Ready(set.clone()))).collect();
        Self { profile, bytes, sets, tables }
    }
}

/// Published distribution, compared with that of the table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublishedDistribution {
    /// Description of what was counted.
    pub of: &'static str,
    /// Number of states at each depth.
    pub depth_histogram: &'static [u64],
    /// Whether the distribution of the table is the same.
    pub agrees: bool,
}

/// Layout of the file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableFile {
    /// Name in the table folder.
    pub name: String,
    /// Number of bytes before the first entry.
    pub header_bytes: usize,
    /// Byte order of entries of more than one byte: that of the machine that built the table.
    #[schema(example = "little-endian")]
    pub byte_order: &'static str,
    /// Location of entry number `i`.
    pub entry: &'static str,
    /// Full description of the format.
    pub layout: &'static str,
}

/// Full description of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Table)]
pub struct TableResponse {
    /// Table and its links.
    #[serde(flatten)]
    pub table: LinkedTable,
    /// Encoding of an entry.
    pub encoding: String,
    /// Layout of the file.
    pub file: TableFile,
    /// Published distribution; null if there is none.
    pub published: Option<PublishedDistribution>,
}

impl From<&TableInfo> for TableResponse {
    fn from(info: &TableInfo) -> Self {
        Self {
            table: info.into(),
            encoding: info.shape.entry.meaning(),
            file: TableFile {
                name: info.file_name(),
                header_bytes: HEADER_BYTES,
                byte_order: if cfg!(target_endian = "little") { "little-endian" } else { "big-endian" },
                entry: info.shape.entry.layout(),
                layout: "docs/tables.md",
            },
            published: published(info.id).map(|(of, depth_histogram)| PublishedDistribution {
                of,
                depth_histogram,
                agrees: info.depth_histogram == depth_histogram,
            }),
        }
    }
}

/// Range of columns of a row.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RowQuery {
    /// First column (default: 0).
    #[param(minimum = 0)]
    pub from: Option<u64>,
    /// Number of columns, at most 4096 (default: all remaining, at most 4096).
    #[param(minimum = 1, maximum = 4096)]
    pub count: Option<u64>,
}

/// Row of a table, or a part of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableRow {
    /// Name of the table.
    pub table: &'static str,
    /// Number of the row.
    pub row: u64,
    /// Number of columns of the table.
    pub columns: u64,
    /// Column of the first entry returned.
    pub from: u64,
    /// Number of entries returned.
    pub count: u64,
    /// Number of columns that follow.
    pub left: u64,
    /// Path of the next columns; null after the last.
    pub next: Option<String>,
    /// Entries as stored.
    pub entries: Vec<u64>,
    /// Decoded entries; null if the numbers need no decoding.
    pub decoded: Option<Vec<DecodedEntry>>,
}

/// Result of the check of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableVerdict {
    /// Name of the table.
    pub name: String,
    /// Whether the table passed every check.
    pub sound: bool,
    /// First failed check; null if there is none.
    pub problem: Option<String>,
    /// One line for each check; the failed one comes last.
    pub report: Vec<String>,
    /// Duration of the check in milliseconds, without the wait.
    pub elapsed_ms: u64,
}

impl TableVerdict {
    /// Creates the result for the table `name`.
    pub fn new(name: &str, verdict: Verdict, elapsed: std::time::Duration) -> Self {
        let sound = verdict.is_sound();
        let Verdict { mut report, problem, .. } = verdict;
        report.extend(problem.clone());
        Self { name: name.to_owned(), sound, problem, report, elapsed_ms: millis(elapsed) }
    }
}

/// Decoded entry; the form depends on the table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum DecodedEntry {
    /// Distance, and its change by each move.
    Masked {
        /// Number of moves to G1.
        distance: u8,
        /// Moves, or steps of the metric such as `U D'`, that reduce the distance, in the frame of the representative.
        nearer: Vec<String>,
        /// Moves, or steps of the metric, that keep the distance.
        level: Vec<String>,
    },
    /// Symmetry-reduced coordinate.
    Sym {
        /// Number of the symmetry class.
        class: u32,
        /// Symmetry S such that S * g * S^-1 is the representative, where g is the raw position.
        symmetry: u32,
    },
    /// Distance.
    Distance {
        /// Number of moves; a lower bound if `capped`.
        distance: u8,
        /// Whether the distance is a lower bound.
        capped: bool,
    },
    /// Distances modulo 3.
    Residues {
        /// Column c holds five twists: c, c + 438, c + 876, c + 1314 and c + 1752. This is the distance modulo 3 of each.
        distances_modulo_3: [u8; 5],
    },
    /// Slot of the hash table of near positions.
    Near {
        /// Fingerprint of the position, eight hexadecimal digits; null if the slot is empty.
        #[schema(required = true)]
        fingerprint: Option<String>,
        /// Distance from solved; null if the slot is empty.
        #[schema(required = true)]
        distance: Option<u8>,
    },
}

impl From<Decoded> for DecodedEntry {
    fn from(decoded: Decoded) -> Self {
        match decoded {
            Decoded::Masked { distance, nearer, level } => {
                let names = |moves: Vec<Moves>| moves.iter().map(Moves::to_string).collect();
                Self::Masked { distance, nearer: names(nearer), level: names(level) }
            }
            Decoded::Sym { class, symmetry } => Self::Sym { class, symmetry },
            Decoded::Distance { distance, capped } => Self::Distance { distance, capped },
            Decoded::Residues { distances_modulo_3 } => Self::Residues { distances_modulo_3 },
            Decoded::Near { fingerprint, distance } => Self::Near { fingerprint, distance },
        }
    }
}
