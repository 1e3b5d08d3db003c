//! `superflip key`.

use super::args::{Key, KeyCommand};
use super::{Failure, print};
use crate::service::access::keys::{KeyDigest, new_key};

/// Makes a key and prints it, the only time, with what the configuration needs of it.
///
/// # Errors
/// When the operating system has no randomness to give.
pub fn run(args: &Key) -> Result<(), Failure> {
    let KeyCommand::New(args) = &args.command;
    let key = new_key().map_err(Failure::runtime)?;
    let (name, sha256) = (&args.name, KeyDigest::of(key.as_bytes()).to_hex());
    print(&format!("{key}\n\n[[access.keys]]\nname = \"{name}\"\nsha256 = \"{sha256}\"\n"))
}
