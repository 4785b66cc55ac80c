//! The tests of insight. One binary, since linking many takes longer than running them.

mod human;
mod properties;
mod story;
