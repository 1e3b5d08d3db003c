//! Tables: what they are, their rows, and what a check found.

use crate::api::contract::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};

use crate::cube::Move;
use crate::service::tables::check::Progress;
use crate::tables::format::{FORMAT_VERSION, HEADER_BYTES};
use crate::tables::shape::{Decoded, IndexKind};
use crate::tables::verify::published;
use crate::tables::{Profile, TableInfo, Verdict};

use crate::api::types::ProfileName;

/// What the rows or the columns of a table are numbered by.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TableIndex)]
pub struct IndexBody {
    /// How many there are, numbered from 0.
    pub count: u64,
    /// What one of them is called.
    pub name: &'static str,
    /// What they stand for.
    pub meaning: String,
}

impl From<IndexKind> for IndexBody {
    fn from(index: IndexKind) -> Self {
        Self { count: index.count(), name: index.name(), meaning: index.meaning() }
    }
}

/// A table in short.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TableSummary)]
pub struct TableBody {
    /// Its name.
    #[schema(example = "twist_move")]
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// Its rows.
    pub rows: IndexBody,
    /// Its columns; entry (row, column) has the number `row * columns + column`.
    pub columns: IndexBody,
    /// Rows times columns.
    pub entries: u64,
    /// Bits of one entry.
    pub bits: u32,
    /// Bytes of the file.
    pub bytes: u64,
    /// XXH3 of the list of XXH3 values of the blocks of 4 MiB of the entries, 16 hexadecimal digits.
    #[schema(example = "0123456789abcdef")]
    pub checksum: String,
    /// The version of the file layout.
    pub format_version: u32,
    /// Entries at each depth as stored; empty for tables without depths.
    pub entry_histogram: Vec<u64>,
    /// States at each depth, each class weighted by its orbit; empty for tables without depths.
    pub depth_histogram: Vec<u64>,
    /// Seconds it took to build.
    pub build_seconds: f64,
}

impl From<&TableInfo> for TableBody {
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

/// Where to go from a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableLinks {
    /// GET: all that is known of it.
    pub table: String,
    /// GET: its first row.
    pub first_row: String,
    /// GET: its file.
    pub raw: String,
    /// POST: check it.
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

/// A table in short, with links.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LinkedTable {
    /// The table.
    #[serde(flatten)]
    pub table: TableBody,
    /// Where to go from here.
    pub links: TableLinks,
}

impl From<&TableInfo> for LinkedTable {
    fn from(info: &TableInfo) -> Self {
        Self { table: info.into(), links: TableLinks::of(info.name) }
    }
}

/// Every table of the running service.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TableList)]
pub struct TablesResponse {
    /// The profile.
    pub profile: ProfileName,
    /// Bytes of all files.
    pub bytes: u64,
    /// The tables, each after those it is made from.
    pub tables: Vec<LinkedTable>,
}

impl TablesResponse {
    /// The list.
    pub fn new(profile: Profile, list: &[TableInfo]) -> Self {
        Self {
            profile: profile.into(),
            bytes: list.iter().map(|info| info.bytes).sum(),
            tables: list.iter().map(Into::into).collect(),
        }
    }
}

/// A distribution that was published, beside the one of the table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PublishedDistribution)]
pub struct PublishedBody {
    /// What was counted.
    pub of: &'static str,
    /// States at each depth.
    pub depth_histogram: &'static [u64],
    /// Whether the table says the same.
    pub agrees: bool,
}

/// How to find an entry in the file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TableFile)]
pub struct FileBody {
    /// Its name in the folder of the tables.
    pub name: String,
    /// Bytes before the first entry.
    pub header_bytes: usize,
    /// The byte order of entries of more than one byte: that of the machine that built it.
    #[schema(example = "little-endian")]
    pub byte_order: &'static str,
    /// Where entry number `i` lies.
    pub entry: &'static str,
    /// Where the layout is described in full.
    pub layout: &'static str,
}

/// All that is known of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Table)]
pub struct TableResponse {
    /// The table and its links.
    #[serde(flatten)]
    pub table: LinkedTable,
    /// How to read an entry.
    pub encoding: String,
    /// How to find it in the file.
    pub file: FileBody,
    /// The published distribution, where there is one.
    pub published: Option<PublishedBody>,
}

impl From<&TableInfo> for TableResponse {
    fn from(info: &TableInfo) -> Self {
        Self {
            table: info.into(),
            encoding: info.shape.entry.meaning(),
            file: FileBody {
                name: info.file_name(),
                header_bytes: HEADER_BYTES,
                byte_order: if cfg!(target_endian = "little") { "little-endian" } else { "big-endian" },
                entry: info.shape.entry.layout(),
                layout: "docs/tables.md",
            },
            published: published(info.id).map(|(of, depth_histogram)| PublishedBody {
                of,
                depth_histogram,
                agrees: info.depth_histogram == depth_histogram,
            }),
        }
    }
}

/// Which columns of a row.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RowQuery {
    /// The first column (default: 0).
    #[param(minimum = 0)]
    pub from: Option<u64>,
    /// How many, up to 4096 (default: all that are left, up to 4096).
    #[param(minimum = 1, maximum = 4096)]
    pub count: Option<u64>,
}

/// An entry taken apart; which form it has depends on the table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum DecodedEntry {
    /// A distance, and what the turns do to it.
    Masked {
        /// Turns to G1.
        distance: u8,
        /// Turns that lead nearer, in the frame of the representative.
        nearer: Vec<&'static str>,
        /// Turns that keep the distance.
        level: Vec<&'static str>,
    },
    /// A sym-coordinate.
    Sym {
        /// The class.
        class: u32,
        /// The symmetry S for which S x S^-1 is the representative.
        symmetry: u32,
    },
    /// A distance.
    Distance {
        /// Turns; at least that many where `capped`.
        distance: u8,
        /// Whether it may be more.
        capped: bool,
    },
    /// Residues.
    Residues {
        /// The distances modulo 3, of the twists c, c + 438 and so on of column c.
        distances_modulo_3: [u8; 5],
    },
    /// A place of the near set.
    Near {
        /// The fingerprint of the position there, eight hexadecimal digits; null where the place is empty.
        #[schema(required = true)]
        fingerprint: Option<String>,
        /// Its distance from solved.
        #[schema(required = true)]
        distance: Option<u8>,
    },
}

impl DecodedEntry {
    /// The wire form; `None` where the number says it all.
    pub fn new(decoded: Decoded) -> Option<Self> {
        let names = |turns: Vec<Move>| turns.into_iter().map(Move::name).collect();
        Some(match decoded {
            Decoded::Plain => return None,
            Decoded::Sym { class, symmetry } => Self::Sym { class, symmetry },
            Decoded::Distance { distance, capped } => Self::Distance { distance, capped },
            Decoded::Residues { residues } => Self::Residues { distances_modulo_3: residues },
            Decoded::Masked { distance, nearer, level } => {
                Self::Masked { distance, nearer: names(nearer), level: names(level) }
            }
            Decoded::Near(place) => Self::Near {
                fingerprint: place.map(|(fingerprint, _)| format!("{fingerprint:08x}")),
                distance: place.map(|(_, distance)| distance),
            },
        })
    }
}

/// A row of a table, or a part of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TableRow)]
pub struct RowResponse {
    /// The table.
    pub table: &'static str,
    /// The row.
    pub row: u64,
    /// How many columns there are.
    pub columns: u64,
    /// The column of the first entry here.
    pub from: u64,
    /// How many entries are here.
    pub count: u64,
    /// How many columns follow that are not here.
    pub left: u64,
    /// Where the next of them are; null after the last.
    pub next: Option<String>,
    /// The entries as they are stored.
    pub entries: Vec<u64>,
    /// The same taken apart; null where the numbers say it all.
    pub decoded: Option<Vec<DecodedEntry>>,
}

/// What a check of a table found.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TableVerdict)]
pub struct VerdictBody {
    /// The table.
    pub name: String,
    /// Whether everything that was checked is right.
    pub sound: bool,
    /// The first thing that is wrong; null where nothing is.
    pub problem: Option<String>,
    /// One line for each thing that was checked; the problem comes last.
    pub report: Vec<String>,
    /// Milliseconds of checking, without the wait.
    pub elapsed_ms: u64,
}

impl VerdictBody {
    /// What was found of the table `name`.
    pub fn new(name: &str, verdict: Verdict, elapsed: std::time::Duration) -> Self {
        let sound = verdict.is_sound();
        let Verdict { mut report, problem, .. } = verdict;
        report.extend(problem.clone());
        Self { name: name.to_owned(), sound, problem, report, elapsed_ms: elapsed.as_millis() as u64 }
    }
}

/// How far a check is: the data of a `progress` event.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckProgress {
    /// What is being done: `start`, `checksum`, `make anew`, `count` or `sample`.
    pub stage: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// Of how much.
    pub total: u64,
}

impl From<Progress> for CheckProgress {
    fn from(Progress { stage, done, total }: Progress) -> Self {
        Self { stage, done, total }
    }
}
