//! The tests of the program. One binary, since linking many takes longer than running them.

// The bodies of the fuzz targets, which are built without this binary too, have `forgeries` as a module of
// their own.
#![allow(clippy::duplicate_mod)]

mod common;

mod certificates;
mod commands;
mod dependencies;
mod documents;
mod fuzz;
mod game;
mod grow;
mod insight;
mod judge;
mod laboratory;
mod matches;
mod mate;
mod schema;
mod seeds;
mod serve;
mod tree;
mod uci;
