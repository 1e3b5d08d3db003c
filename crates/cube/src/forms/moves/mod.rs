//! Forms that give turns: scrambles, links to pages, and turns on the inverse.

pub(crate) mod link;
pub(crate) mod link_read;
pub(crate) mod niss;
pub(crate) mod plain;
pub(crate) mod scramble;
