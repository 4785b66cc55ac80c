//! `cassius perft`.

use crate::Error;
use crate::setup::parse_position;
use cassius_chess::{Position, divide};
use std::io::Write as _;
use std::time::Instant;

/// Arguments of `cassius perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cassius perft startpos 5
  cassius perft 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' 4")]
pub struct PerftArgs {
    /// A FEN in quotes, or `startpos`.
    #[arg(value_name = "FEN", value_parser = parse_position)]
    position: Position,
    /// Depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
}

/// Prints the count below each move, and the sum.
pub fn run(args: PerftArgs) -> Result<(), Error> {
    let start = Instant::now();
    let mut out = anstream::stdout().lock();
    let mut counts: Vec<(String, u64)> = divide(&args.position, args.depth as usize)
        .into_iter()
        .map(|(mv, count)| (args.position.uci(mv), count))
        .collect();
    counts.sort();
    for (mv, count) in &counts {
        writeln!(out, "{mv}: {count}")?;
    }
    let total = if args.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "\n{total} leaves in {seconds:.2} s")?;
    Ok(())
}
