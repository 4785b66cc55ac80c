//! The hash table of an engine, of the kind that its recipe asks for.

use cassius_search::{SingleBound, Table, TableError};

/// A handle to an engine's hash table; clones share it.
#[derive(Clone)]
pub struct HashTable {
    mib: usize,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    TwoBounds(Table),
    OneBound(SingleBound),
}

impl HashTable {
    /// A table with two bounds for each position, of so many MiB.
    pub(crate) fn new(mib: usize) -> Result<HashTable, TableError> {
        Ok(HashTable { mib, kind: Kind::TwoBounds(Table::new(mib)?) })
    }

    /// Its size in MiB.
    pub(crate) fn mib(&self) -> usize {
        self.mib
    }

    /// This table, or a new one in the place of one of another kind.
    pub(crate) fn two_bounds(&mut self) -> Result<Table, TableError> {
        let table = match &self.kind {
            Kind::TwoBounds(table) => table.clone(),
            Kind::OneBound(_) => Table::new(self.mib)?,
        };
        self.kind = Kind::TwoBounds(table.clone());
        Ok(table)
    }

    /// The same for the table with one bound for each position.
    pub(crate) fn one_bound(&mut self) -> Result<SingleBound, TableError> {
        let table = match &self.kind {
            Kind::OneBound(table) => table.clone(),
            Kind::TwoBounds(_) => SingleBound::new(self.mib)?,
        };
        self.kind = Kind::OneBound(table.clone());
        Ok(table)
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        match &self.kind {
            Kind::TwoBounds(table) => table.clear(),
            Kind::OneBound(table) => table.clear(),
        }
    }

    /// How full it is of entries of the present search, in thousandths.
    pub fn permille_full(&self) -> usize {
        match &self.kind {
            Kind::TwoBounds(table) => table.permille_full(),
            Kind::OneBound(table) => table.permille_full(),
        }
    }
}
