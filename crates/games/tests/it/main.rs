//! The tests of the games, and of the engine that plays them. One binary, since linking many takes
//! longer than running them.

#[path = "../../../search/tests/it/common/mod.rs"]
mod common;

mod architecture;
mod games;
mod recipes;
