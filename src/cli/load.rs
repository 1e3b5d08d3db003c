//! Opens or builds the tables of a command, after a memory check.

use std::path::Path;
use std::sync::Arc;

use super::Failure;
use crate::service::config::Config;
use crate::service::tables::progress::ProgressReporter;
use crate::service::tables::{loader, memory};
use superflip_solver::{Control, OptimalTable, Size, Tables};

/// Opens or builds the tables of the profile, and leaves memory for a coset table of `size`.
pub(crate) fn tables(config: &Config, size: Option<Size>, control: &Control) -> Result<Tables, Failure> {
    let folder = loader::folder(&config.tables).map_err(Failure::runtime)?;
    check_memory(config, &folder, size)?;
    loader::load(&folder, config.tables.profile, &ProgressReporter::new(None), control).map_err(Failure::runtime)
}

/// Opens or builds the coset table of `size`.
pub(crate) fn optimal(config: &Config, size: Size, control: &Control) -> Result<Arc<OptimalTable>, Failure> {
    let folder = loader::folder(&config.tables).map_err(Failure::runtime)?;
    let table = loader::load_optimal(&folder, size, &ProgressReporter::new(None), control);
    table.map(Arc::new).map_err(Failure::runtime)
}

/// Checks that the memory is sufficient for the tables of the profile and a coset table of `size`.
pub(crate) fn check_memory(config: &Config, folder: &Path, size: Option<Size>) -> Result<(), Failure> {
    let mut wanted = config.clone();
    wanted.optimal.table = size;
    memory::check(&wanted, folder, memory::limit(Path::new("/"))).map_err(Failure::runtime)
}
