//! `superflip config`: prints the configuration.

use super::args::ShowConfig;
use super::{Failure, configure_with_sources, print};
use crate::service::config::load::DEFAULTS;

/// Prints the documented defaults, or the values in force.
///
/// # Errors
/// Returns an error for an invalid configuration, and for flags that have no effect on the defaults.
pub fn run(args: &ShowConfig) -> Result<(), Failure> {
    let flags = args.service.flags();
    if args.effective {
        return print(&configure_with_sources(&args.configuration, flags)?.to_toml());
    }
    let given = [flags, args.configuration.flags()].concat();
    let flag = given.first().map(|flag| flag.flag).or(args.configuration.config.is_some().then_some("--config"));
    match flag {
        None => print(DEFAULTS),
        Some(flag) => Err(Failure::Input(format!(
            "{flag} has no effect here, because `superflip config` prints the defaults; add --effective to print the values in force"
        ))),
    }
}
