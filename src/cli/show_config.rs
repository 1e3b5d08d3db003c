//! `superflip config`.

use super::args::ShowConfig;
use super::{Failure, configure_with_sources, print};
use crate::service::config::load::DEFAULTS;

/// Prints the manual of the configuration, or the values in force.
///
/// # Errors
/// A configuration that is refused, and flags that would change nothing.
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
            "{flag} changes nothing here: `superflip config` prints the defaults. Add --effective to print the values in force"
        ))),
    }
}
