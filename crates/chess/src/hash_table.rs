//! The memory of an engine: the kind of hash table that its recipe needs, or the memory of a tree.

use cassius_search::Table;
use cassius_search::alpha_beta::memory::{SingleBound, TableError};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A handle to an engine's hash table. Clones share the table.
#[derive(Clone)]
pub struct HashTable {
    mib: usize,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    TwoBounds(Table),
    OneBound(SingleBound),
    /// No table: the memory belongs to a best-first search, which stores the fill level of its tree
    /// here, in thousandths.
    Tree(Arc<AtomicUsize>),
}

impl HashTable {
    /// Creates a table of `mib` MiB with two bounds for each position.
    pub(crate) fn new(mib: usize) -> Result<HashTable, TableError> {
        Ok(HashTable { mib, kind: Kind::TwoBounds(Table::new(mib)?) })
    }

    /// Returns its size in MiB.
    pub fn mib(&self) -> usize {
        self.mib
    }

    /// Returns this table, which is first replaced if it is of another kind.
    pub(crate) fn two_bounds(&mut self) -> Result<Table, TableError> {
        let table = match &self.kind {
            Kind::TwoBounds(table) => table.clone(),
            Kind::OneBound(_) | Kind::Tree(_) => {
                self.give_back();
                Table::new(self.mib)?
            }
        };
        self.kind = Kind::TwoBounds(table.clone());
        Ok(table)
    }

    /// Returns the table with one bound for each position, which first replaces a table of another kind.
    pub(crate) fn one_bound(&mut self) -> Result<SingleBound, TableError> {
        let table = match &self.kind {
            Kind::OneBound(table) => table.clone(),
            Kind::TwoBounds(_) | Kind::Tree(_) => {
                self.give_back();
                SingleBound::new(self.mib)?
            }
        };
        self.kind = Kind::OneBound(table.clone());
        Ok(table)
    }

    /// Frees the memory, so that the old and the new table are never held at once.
    fn give_back(&mut self) {
        self.kind = Kind::Tree(Arc::default());
    }

    /// Frees the table. Returns its size in MiB for a tree, and the place to store the tree's fill level
    /// in thousandths.
    pub(crate) fn tree(&mut self) -> (usize, Arc<AtomicUsize>) {
        let filled = Arc::new(AtomicUsize::new(0));
        self.kind = Kind::Tree(filled.clone());
        (self.mib, filled)
    }

    /// Clears the table.
    pub(crate) fn clear(&self) {
        match &self.kind {
            Kind::TwoBounds(table) => table.clear(),
            Kind::OneBound(table) => table.clear(),
            Kind::Tree(filled) => filled.store(0, Relaxed),
        }
    }

    /// Returns its fill level by entries of the present search, in thousandths.
    pub fn permille_full(&self) -> usize {
        match &self.kind {
            Kind::TwoBounds(table) => table.permille_full(),
            Kind::OneBound(table) => table.permille_full(),
            Kind::Tree(filled) => filled.load(Relaxed),
        }
    }
}
