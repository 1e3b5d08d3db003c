//! Flags of `tables`.

use clap::{Args, Subcommand};

use super::{Configuration, examples};
use crate::api::types::SearchMetric;
use crate::api::types::metric_of_name;

/// Build, check, list or remove the precomputed tables
///
/// The service builds missing tables at the start, and answers with tiny ones until then. These commands build them in advance, for example for an image, and check them.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip tables build --profile small --tables-dir ./tables
  superflip tables list --json
  superflip tables prune --dry-run
  superflip tables verify"),
)]
pub struct Tables {
    /// The action.
    #[command(subcommand)]
    pub command: TablesCommand,
}

/// The actions on tables.
#[derive(Subcommand, Debug)]
pub enum TablesCommand {
    /// Build missing and unusable tables, and list all
    #[command(help_template = examples!("
  superflip tables build
  superflip tables build --profile small --tables-dir ./tables
  superflip tables build --optimal-table l
  superflip tables build --metric qtm,axht"))]
    Build(TablesAll),
    /// Check tables; exit code 1 when one is wrong
    ///
    /// Every table is checked against the checksum of its entries, and against published counts where they exist. All but the three
    /// largest are computed again and compared. `phase_one_*` and `phase_two` are checked by counting their entries, and by computing a
    /// fixed sample from the cubies; `phase_one_residues` is computed again as well. Tables for --optimal are checked by counting, by a
    /// search around the solved cube, and by a sample with its neighbours. SIGINT stops the check.
    Verify(TablesVerify),
    /// List every table file in the folder, and the missing tables; builds nothing
    ///
    /// The state of a file is one of: `current`; `other_version`; `partial` (from a build that runs or was killed); `unusable`, with the
    /// reason; `missing`. `in use` means that a process holds a lock on the file. Current files are read and checked.
    #[command(help_template = examples!("
  superflip tables list
  superflip tables list --profile small --tables-dir ./tables
  superflip tables list --optimal-table l --json"))]
    List(TablesAll),
    /// Remove table files that this version does not need and no process uses
    ///
    /// The current tables of every profile, and of every size for --optimal, are kept, whatever is configured. A file that a process
    /// uses is kept. Other files are never removed.
    Prune(TablesPrune),
}

/// Flags of `tables prune`.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip tables prune --dry-run
  superflip tables prune --tables-dir /var/lib/superflip --json"),
    after_long_help =
        "Exit codes: 0 every unneeded file was removed or is in use, 1 a file could not be removed, 2 a flag or argument \
         is invalid."
)]
pub struct TablesPrune {
    /// Show what would be removed, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Write one JSON document
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Flags of `tables build` and `tables list`.
#[derive(Args, Debug)]
pub struct TablesAll {
    /// Include the table for --optimal: off, s (41 MB), m (438 MB), l (2.6 GB) or xl (7.5 GB) [default: optimal.table]
    #[arg(long, value_name = "SIZE")]
    pub optimal_table: Option<String>,
    /// Include the tables of a metric: qtm, stm, axht or axqt; several are separated by commas [default: search.metrics]
    #[arg(long = "metric", value_name = "METRIC", value_delimiter = ',', value_parser = metric_of_name)]
    pub metrics: Vec<SearchMetric>,
    /// Write one JSON document
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Flags of `tables verify`.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip tables verify
  superflip tables verify phase_one_masked --json
  superflip tables verify optimal_l"),
    after_long_help = "Exit codes: 0 all tables are sound, 1 one is wrong or the check was stopped, 2 a flag or argument is invalid."
)]
pub struct TablesVerify {
    /// Check these tables only, such as `twist_move` or `optimal_s`; `superflip tables list` shows the names
    #[arg(value_name = "TABLE")]
    pub names: Vec<String>,
    /// The tables and the form of the output.
    #[command(flatten)]
    pub all: TablesAll,
}
