//! Mapped tables by id.

use super::catalogue::id::Id;
use super::file::table::Table;

/// Mapped tables by id.
#[derive(Default)]
pub struct Opened(Vec<Option<Table>>);

impl Opened {
    /// Returns the table, if it is open.
    pub fn get(&self, id: Id) -> Option<&Table> {
        self.0.get(id as usize).and_then(Option::as_ref)
    }

    pub(crate) fn insert(&mut self, id: Id, table: Table) {
        let index = id as usize;
        if self.0.len() <= index {
            self.0.resize_with(index + 1, || None);
        }
        self.0[index] = Some(table);
    }

    /// Removes a table and returns it.
    ///
    /// # Panics
    /// When the table is not open.
    pub(crate) fn take(&mut self, id: Id) -> Table {
        self.0
            .get_mut(id as usize)
            .and_then(Option::take)
            .expect("all that is wanted is opened, or an error tells why not")
    }

    fn table(&self, id: Id) -> &Table {
        self.get(id).expect("tables are listed, built and opened in the order in which they need each other")
    }

    /// Returns the entries of a table as bytes.
    ///
    /// # Panics
    /// When the table is not open: see [`Opened::get`].
    pub fn bytes(&self, id: Id) -> &[u8] {
        self.table(id).bytes()
    }

    /// Returns the entries of a table with 16 bits per entry. Panics as [`Opened::bytes`] does.
    pub fn u16s(&self, id: Id) -> &[u16] {
        self.table(id).view()
    }

    /// Returns the entries of a table with 32 bits per entry. Panics as [`Opened::bytes`] does.
    pub fn u32s(&self, id: Id) -> &[u32] {
        self.table(id).view()
    }

    /// Returns the entries of a table with 64 bits per entry. Panics as [`Opened::bytes`] does.
    pub(crate) fn u64s(&self, id: Id) -> &[u64] {
        self.table(id).view()
    }
}
