//! `superflip key`.

use super::args::{Key, KeyCommand};
use super::{Failure, print};
use crate::service::access::keys::{KeyDigest, new_key};

/// Creates a key, and prints it with its entry for the configuration file. The key is stored nowhere.
///
/// # Errors
/// Returns an error if the operating system returns no random bytes.
pub fn run(args: &Key) -> Result<(), Failure> {
    let KeyCommand::New(args) = &args.command;
    let key = new_key().map_err(Failure::runtime)?;
    let (name, sha256) = (&args.name, KeyDigest::of(key.as_bytes()).to_hex());
    print(&format!("{key}\n\n[[access.keys]]\nname = \"{name}\"\nsha256 = \"{sha256}\"\n"))
}
