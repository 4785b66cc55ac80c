//! The tests of chess. One binary, since linking many takes longer than running them.

mod best_first;
mod certificates;
mod defuse;
mod limits;
mod mate;
mod network;
mod notation;
mod perft;
mod pgn;
mod quiescence;
mod recipes;
mod rules;
