//! Forms that list the 54 stickers: facelets in two orders, nets, digits.

mod layout;
pub(crate) mod read;
pub(crate) mod write;
