//! The tables that a command is about.

use std::path::PathBuf;

use crate::cli::args::{Configuration, flags};
use crate::cli::{Failure, configure, log_for_people};
use crate::service::config::Config;
use crate::service::config::load::Flag;
use crate::service::tables::loader;
use crate::tables::Profile;
use crate::tables::optimal::Size;

/// The configured tables and their folder.
pub(crate) struct Wanted {
    pub(crate) config: Config,
    pub(crate) folder: PathBuf,
    pub(crate) profile: Profile,
    pub(crate) optimal: Option<Size>,
}

impl Wanted {
    /// Loads the configuration and starts the log.
    pub(crate) fn new(configuration: &Configuration, flags: Vec<Flag>) -> Result<Self, Failure> {
        let config = configure(configuration, flags)?;
        log_for_people(&config);
        let folder = loader::folder(&config.tables).map_err(Failure::runtime)?;
        Ok(Self { folder, profile: config.tables.profile, optimal: config.optimal.table, config })
    }
}

/// Flag for the table of optimal solutions.
pub(crate) fn optimal_table(size: Option<&String>) -> Vec<Flag> {
    flags(&[("optimal.table", "--optimal-table", &size.cloned())])
}
