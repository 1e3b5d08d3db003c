//! The tables that a command is about.

use std::path::PathBuf;

use crate::cli::args::{Configuration, flags};
use crate::cli::{Failure, configure, log_for_people};
use crate::service::config::Config;
use crate::service::tables::loader;
use superflip_solver::tables::Profile;
use superflip_solver::tables::optimal::Size;

/// The configured tables and their folder.
pub(crate) struct Wanted {
    pub(crate) config: Config,
    pub(crate) folder: PathBuf,
    pub(crate) profile: Profile,
    pub(crate) optimal: Option<Size>,
}

impl Wanted {
    /// Loads the configuration and starts the log. `optimal_table` is the value of that flag.
    pub(crate) fn new(configuration: &Configuration, optimal_table: Option<&String>) -> Result<Self, Failure> {
        let flags = flags(&[("optimal.table", "--optimal-table", &optimal_table.cloned())]);
        let config = configure(configuration, flags)?;
        log_for_people(&config);
        let folder = loader::folder(&config.tables).map_err(Failure::runtime)?;
        Ok(Self { folder, profile: config.tables.profile, optimal: config.optimal.table, config })
    }
}
