//! Reads JSON that is the value of a flag, or in the file that the flag names.

use std::ffi::OsStr;
use std::marker::PhantomData;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use serde::de::DeserializeOwned;

use super::parse_as;

/// Reads the value of a flag: a JSON object or list, or the path of a file with one.
///
/// # Errors
/// Returns a message that names the flag or the file.
pub(crate) fn json_of<T: DeserializeOwned>(flag: &str, value: &str) -> Result<T, String> {
    let read = |source, text: &str| {
        parse_as("text", text.as_bytes(), None)
            .map_err(|problem| format!("cannot read {source}: {}", problem.document().detail))
    };
    if value.trim_start().starts_with(['{', '[']) {
        return read(flag, value);
    }
    let text = std::fs::read_to_string(value).map_err(|error| format!("cannot read {value}: {error}"))?;
    read(value, &text)
}

/// Parser of such a flag. Its errors do not repeat the value, which may be long.
#[derive(Clone)]
pub(crate) struct JsonOrFile<T>(PhantomData<T>);

impl<T> JsonOrFile<T> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<T: DeserializeOwned + Clone + Send + Sync + 'static> TypedValueParser for JsonOrFile<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let name = flag.and_then(Arg::get_long).unwrap_or_default();
        json_of(&format!("--{name}"), &value.to_string_lossy())
            .map_err(|message| Error::raw(ErrorKind::ValueValidation, message + "\n").with_cmd(command))
    }
}
