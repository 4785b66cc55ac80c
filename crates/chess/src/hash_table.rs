//! The memory of an engine: a hash table of the kind that its recipe asks for, or a tree's.

use cassius_search::{SingleBound, Table, TableError};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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
    /// No table: the memory is a best-first search's, which keeps thousandths of it here.
    Tree(Arc<AtomicUsize>),
}

impl HashTable {
    /// A table with two bounds for each position, of so many MiB.
    pub(crate) fn new(mib: usize) -> Result<HashTable, TableError> {
        Ok(HashTable { mib, kind: Kind::TwoBounds(Table::new(mib)?) })
    }

    /// Its size in MiB.
    pub fn mib(&self) -> usize {
        self.mib
    }

    /// This table, or a new one in the place of one of another kind.
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

    /// The same for the table with one bound for each position.
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

    /// Holds nothing, so that another table never lies beside the old one.
    fn give_back(&mut self) {
        self.kind = Kind::Tree(Arc::default());
    }

    /// No table any more, but its size in MiB for a tree, and where to write how full that is, in thousandths.
    pub(crate) fn tree(&mut self) -> (usize, Arc<AtomicUsize>) {
        let filled = Arc::new(AtomicUsize::new(0));
        self.kind = Kind::Tree(filled.clone());
        (self.mib, filled)
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        match &self.kind {
            Kind::TwoBounds(table) => table.clear(),
            Kind::OneBound(table) => table.clear(),
            Kind::Tree(filled) => filled.store(0, Relaxed),
        }
    }

    /// How full it is of entries of the present search, in thousandths.
    pub fn permille_full(&self) -> usize {
        match &self.kind {
            Kind::TwoBounds(table) => table.permille_full(),
            Kind::OneBound(table) => table.permille_full(),
            Kind::Tree(filled) => filled.load(Relaxed),
        }
    }
}
