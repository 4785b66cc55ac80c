//! The subcommands, one module each: its arguments and `run`.

pub mod analyse;
pub mod annotate;
pub mod bench;
mod beside;
mod card;
pub mod certify;
pub mod check;
pub mod cli;
pub mod completions;
mod data;
pub mod explain;
pub mod game;
pub mod genfens;
pub mod grow;
mod human;
pub mod judge;
pub mod lab;
mod levels;
mod lichess;
mod man;
pub mod match_;
pub mod mate;
mod odds;
mod options;
pub mod perft;
pub mod recipes;
pub mod schema;
mod selfplay;
mod serve;
pub mod solve;
mod spsa;
mod study;
mod suites;
pub mod train;
pub mod tree;
mod tune;

use crate::Error;
use cli::Command;

/// Runs a command. Without a command, runs the UCI engine.
pub fn run(command: Option<Command>) -> Result<(), Error> {
    match command {
        None | Some(Command::Uci) => crate::uci::main(),
        Some(Command::Analyse(args)) => analyse::run(args),
        Some(Command::Explain(args)) => explain::run(args),
        Some(Command::Annotate(args)) => annotate::run(args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Lichess(args)) => lichess::run(args),
        Some(Command::Certify(args)) => certify::run(args),
        Some(Command::Check(args)) => check::run(args),
        Some(Command::Solve(args)) => solve::run(args),
        Some(Command::Study(args)) => study::run(args),
        Some(Command::Mate(args)) => mate::run(args),
        Some(Command::Match(args)) => match_::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Genfens(args)) => genfens::run(&args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Schema(args)) => schema::run(&args),
        Some(Command::Recipes(args)) => recipes::run(args),
        Some(Command::Grow(args)) => grow::run(args),
        Some(Command::Tree(args)) => tree::run(args),
        Some(Command::Game(args)) => game::run(args),
        Some(Command::Lab(args)) => lab::run(args),
        Some(Command::Man(args)) => man::run(&args),
        Some(Command::Completions(args)) => completions::run(args),
    }
}
