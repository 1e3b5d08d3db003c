//! Forms that name the piece in each slot, and Speffz, which names the stickers to exchange.

pub(crate) mod assemble;
pub(crate) mod b32;
pub(crate) mod kpattern;
pub(crate) mod reid;
mod slots;
pub(crate) mod speffz;
pub(crate) mod twizzle;
