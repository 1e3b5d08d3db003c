//! Table files: format, names, locks, and how they are opened, built and removed.
//!
//! | module | contents |
//! | --- | --- |
//! | [`format`](mod@format) | the header of a file |
//! | [`sink`] | writing entries and their checksum |
//! | [`naming`] | file names and the recipes in them |
//! | `folder` | the lock, leftovers and free space of a folder |
//! | `mapping`, `table` | one mapped file |
//! | `open`, [`store`] | opening a file, and building what is missing |
//! | [`inventory`] | listing and pruning a folder |

pub(crate) mod folder;
pub mod format;
pub mod inventory;
pub(crate) mod mapping;
pub mod naming;
pub(crate) mod open;
pub mod sink;
pub(crate) mod space;
pub mod store;
pub(crate) mod table;

pub use open::Unusable;
pub use space::check_space;
pub use table::Table;
