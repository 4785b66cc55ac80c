//! The tests of the laboratory. One binary, since linking many takes longer than running them.

mod matches;
mod suite;
