//! Compares the library with the crate `minimax` 0.6: equal depth, and equal time. See README.md.

mod depth;
mod games;
mod play;

use cassius_games::{Connect4, Hex};
use games::Compared;
use play::Ours;
use std::error::Error;
use std::fmt::Display;
use std::io::{BufRead, Write};
use std::str::FromStr;
use std::time::Duration;

/// The memory of a table or a tree, in MiB.
const MIB: usize = 64;

const USAGE: &str = "usage: cassius-compare depth|play|answer connect4|hex [alpha-beta|monte-carlo] [NUMBER]
  depth   to NUMBER plies, and compare the times
  play    a match at NUMBER milliseconds a move
  answer  at NUMBER milliseconds a move: a position a line, its move and the nodes searched";

/// How a move is found.
#[derive(Clone, Copy, Debug)]
pub enum Family {
    AlphaBeta,
    MonteCarlo,
}

/// Answers positions from standard input.
fn answer<G>(family: Family, time: Duration) -> Result<(), Box<dyn Error>>
where
    G: Compared<Move: Display> + FromStr<Err: Error + 'static>,
{
    let mut ours = Ours::<G>::new(family)?;
    for line in std::io::stdin().lock().lines() {
        let position: G = line?.parse()?;
        let (mv, nodes) = ours.choose(&position, time).ok_or("the game is over")?;
        println!("{mv} {nodes}");
        std::io::stdout().flush()?;
    }
    Ok(())
}

fn run<G>(what: &str, family: Family, number: Option<u64>) -> Result<(), Box<dyn Error>>
where
    G: Compared<Move: Display> + FromStr<Err: Error + 'static>,
{
    let time = Duration::from_millis(number.unwrap_or(100));
    match what {
        "depth" => depth::compare::<G>(number.map_or(G::DEPTH, |depth| depth as usize)),
        "play" => play::compare::<G>(family, time),
        "answer" => answer::<G>(family, time),
        _ => Err(USAGE.into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = arguments.iter().find_map(|argument| argument.parse().ok());
    let family = match arguments.iter().any(|argument| argument == "monte-carlo") {
        true => Family::MonteCarlo,
        false => Family::AlphaBeta,
    };
    let is_known =
        |word: &String| matches!(word.as_str(), "alpha-beta" | "monte-carlo") || word.parse::<u64>().is_ok();
    if !arguments.iter().skip(2).all(is_known) {
        return Err(USAGE.into());
    }
    match arguments.as_slice() {
        [what, game, ..] if game == "connect4" => run::<Connect4>(what, family, number),
        [what, game, ..] if game == "hex" => run::<Hex>(what, family, number),
        _ => Err(USAGE.into()),
    }
}
