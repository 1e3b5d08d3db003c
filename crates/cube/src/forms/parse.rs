//! Parses a text in one form.

use super::error::Fault;
use super::format::Format;
use super::found::Parsed;
use super::moves::{link_read, scramble};
use super::pieces::speffz::Buffers;
use super::pieces::{b32, reid, speffz, twizzle};
use super::stickers::read;

/// Parses a text in one form.
pub(crate) fn parse(text: &str, format: Format, buffers: Buffers) -> Parsed {
    match format {
        Format::Digits => read::digits(text),
        Format::Facelets => read::facelets(text),
        Format::Ulfrbd => read::ulfrbd(text),
        Format::Net => read::net(text),
        Format::Reid => reid::read(text),
        Format::B32 => b32::read(text),
        Format::Twizzle => twizzle::read(text),
        Format::Speffz => speffz::read(text, buffers),
        Format::Scramble => scramble::read(text),
        Format::Link => link_read::read(text),
        Format::KPattern => Err(Fault::at(0, "a KPattern is a JSON object, not a text: give it as JSON")),
    }
}
