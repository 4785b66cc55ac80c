//! The tests of the search, on the games of `cassius-games`. One binary, since linking many takes
//! longer than running them.

#[macro_use]
mod common;

mod abc;
mod abc_paper;
mod best_first;
mod best_first_relatives;
mod certificates;
mod correction;
mod drivers;
mod horizons;
mod memory;
mod monte_carlo;
mod options;
mod oracle;
mod proof;
mod pruning;
mod quiescence;
mod selectivity;
mod serialization;
mod singular;
mod strategy;
mod survey;
