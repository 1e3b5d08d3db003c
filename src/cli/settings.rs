//! `superflip config` and `superflip key`: text for the configuration file.

use super::args::{Key, KeyCommand, ShowConfig};
use super::{Failure, configure_with_sources, print};
use crate::service::access::keys::{KeyDigest, new_key};
use crate::service::config::load::DEFAULTS;

/// Prints the documented defaults, or the values in force.
///
/// # Errors
/// Returns an error for an invalid configuration, and for flags that have no effect on the defaults.
pub fn show(args: &ShowConfig) -> Result<(), Failure> {
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

/// Creates a key, and prints it with its entry for the configuration file. The key is stored nowhere.
///
/// # Errors
/// Returns an error if the operating system returns no random bytes.
pub fn create_key(args: &Key) -> Result<(), Failure> {
    let KeyCommand::New(args) = &args.command;
    let key = new_key().map_err(Failure::runtime)?;
    let (name, sha256) = (&args.name, KeyDigest::of(key.as_bytes()).to_hex());
    print(&format!("{key}\n\n[[access.keys]]\nname = \"{name}\"\nsha256 = \"{sha256}\"\n"))
}
