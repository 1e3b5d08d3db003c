//! The tables that a command works with, if there is memory for them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Failure;
use crate::service::config::Config;
use crate::service::tables::progress::Progress;
use crate::service::tables::{loader, memory};
use crate::tables::optimal::{OptimalTable, Size};
use crate::tables::{Profile, Tables};

/// The tables of the profile, opened or built.
pub(crate) fn tables(config: &Config, stop: &AtomicBool) -> Result<Tables, Failure> {
    beside(config, None, stop)
}

/// Opens or builds the tables of the profile, leaving memory for a proof table of this size.
pub(crate) fn beside(config: &Config, size: Option<Size>, stop: &AtomicBool) -> Result<Tables, Failure> {
    let folder = loader::folder(&config.tables).map_err(Failure::runtime)?;
    let profile = profile(config, &folder, size)?;
    loader::load(&folder, profile, &Progress::new(None), stop).map_err(Failure::runtime)
}

/// The table for proofs, opened or built.
pub(crate) fn optimal(config: &Config, size: Size, stop: &AtomicBool) -> Result<Arc<OptimalTable>, Failure> {
    let folder = loader::folder(&config.tables).map_err(Failure::runtime)?;
    let table = loader::load_optimal(&folder, size, &Progress::new(None), stop);
    table.map(Arc::new).map_err(Failure::runtime)
}

/// The tables of the profile, and the table for proofs where proofs are asked for.
pub(crate) fn with_optimal(
    config: &Config,
    size: Option<Size>,
    stop: &AtomicBool,
) -> Result<(Tables, Option<Arc<OptimalTable>>), Failure> {
    let tables = beside(config, size, stop)?;
    Ok((tables, size.map(|size| optimal(config, size, stop)).transpose()?))
}

/// The profile that is used under the limits on memory, as the configuration has it; a table for proofs is not done without.
pub(crate) fn profile(config: &Config, folder: &Path, size: Option<Size>) -> Result<Profile, Failure> {
    let mut wanted = config.clone();
    wanted.optimal.table = size;
    let plan = memory::plan(&wanted, folder, &memory::limits(Path::new("/"))).map_err(Failure::runtime)?;
    if let Some(shortage) = plan.shortage.as_ref().filter(|_| plan.optimal != size) {
        return Err(Failure::Runtime(format!("{shortage}. Raise that limit, or choose a smaller table.")));
    }
    memory::tell(&plan);
    Ok(plan.profile)
}
