//! A position of Hex, by Monte Carlo tree search: the moves with the most visits.
//!
//! `cargo run --release -p cassius-games --example hex`, with another position after `--`, such as `'5 c3'`

use cassius_games::Hex;
use cassius_search::best_first::{Grower, MonteCarlo, NodeId, RandomGames, Simulated, Uniform, Visits};
use cassius_search::{Nodes, Off, Request};
use std::time::Instant;

const NODES: u64 = 3_000_000;
const MIB: usize = 256;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position: Hex = std::env::args().nth(1).unwrap_or("7".into()).parse()?;
    println!("{position}\n");
    let assess = Simulated { chance: RandomGames::default(), priors: Uniform };
    let mut grower = Grower::<Hex, Visits, _, _, Off>::new(MIB, MonteCarlo::uct(), assess)?;
    let start = Instant::now();
    let answer = grower.search(&Request::new(&position, &Nodes(NODES)), &mut |_| {});
    let seconds = start.elapsed().as_secs_f64();

    let tree = &grower.tree;
    let mut children: Vec<NodeId> = tree.children(NodeId::ROOT).collect();
    children.sort_by_key(|&child| std::cmp::Reverse(tree.payload(child).visits()));
    for child in children.into_iter().take(5) {
        let (mv, found) = (tree.mv(child).map_or(String::new(), |mv| mv.to_string()), tree.payload(child));
        let chance = found.chance().map_or("?".into(), |other| format!("{:.3}", 1.0 - other));
        println!("{mv:<5} {:>8} visits, chance {chance}", found.visits());
    }
    let visits = tree.payload(NodeId::ROOT).visits();
    let best = answer.best().map_or("none".into(), |mv| mv.to_string());
    let proven = if answer.complete { "proven" } else { "not proven" };
    println!("best: {best}, {proven}; {visits} visits, {:.0} a second", f64::from(visits) / seconds);
    Ok(())
}
