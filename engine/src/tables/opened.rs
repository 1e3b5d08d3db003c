//! The tables opened so far, by their ids.

use std::collections::BTreeMap;

use super::catalogue::id::Id;
use super::file::table::Table;

/// The tables opened so far.
#[derive(Default)]
pub struct Opened(BTreeMap<u8, Table>);

impl Opened {
    /// The table, if it was opened.
    pub fn get(&self, id: Id) -> Option<&Table> {
        self.0.get(&(id as u8))
    }

    pub(crate) fn insert(&mut self, id: Id, table: Table) {
        self.0.insert(id as u8, table);
    }

    /// Takes a table that was opened.
    ///
    /// # Panics
    /// When it was not.
    pub(crate) fn take(&mut self, id: Id) -> Table {
        self.0.remove(&(id as u8)).expect("all that is wanted is opened, or an error tells why not")
    }

    fn table(&self, id: Id) -> &Table {
        self.get(id).expect("tables are listed, built and opened in the order in which they need each other")
    }

    /// The entries of a table of bytes or of packed bits.
    ///
    /// # Panics
    /// When the table was not opened: see [`Opened::get`].
    pub fn bytes(&self, id: Id) -> &[u8] {
        self.table(id).bytes()
    }

    /// The entries of a table of 16 bits an entry; panics as [`Opened::bytes`].
    pub fn u16s(&self, id: Id) -> &[u16] {
        self.table(id).view()
    }

    /// The entries of a table of 32 bits an entry; panics as [`Opened::bytes`].
    pub fn u32s(&self, id: Id) -> &[u32] {
        self.table(id).view()
    }
}
