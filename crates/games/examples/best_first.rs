//! The best-first family at work on one position: what each asks, what it answers, and how much it looks at.
//!
//! `cargo run -p cassius-games --example best_first`
//! `cargo run -p cassius-games --example best_first -- 44`: a position of Connect Four, by the columns played

use cassius_games::{Connect4, TicTacToe};
use cassius_search::best_first::{
    Assess, BStar, BestSuccessor, Bounds, ConspiracyNumbers, ControlledConspiracy, Evaluated, FirstNumbers,
    Grower, Growth, Interval, Leaf, MonteCarlo, Optimist, OutOfMemory, Payload, ProofNumberSearch, Proofs,
    RandomGames, Simulated, Star, Static, Uniform, Visits, sss_star,
};
use cassius_search::game::Threaded;
use cassius_search::{Game, Nodes, Off, Pass, Request, Score, Statics};
use std::fmt::Display;

/// The nodes that a tree may have, its memory in MiB, and the states of a list.
const NODES: u64 = 300_000;
const MIB: usize = 64;
const STATES: usize = 300_000;

/// Grows a tree for the position, and tells what came of it.
fn grow<G, P, R, A>(name: &str, position: &G, growth: R, assess: A) -> Result<(), OutOfMemory>
where
    G: Threaded<Move: Display>,
    P: Payload,
    R: Growth<P>,
    A: Assess<G, P>,
{
    let mut grower = Grower::<G, P, R, A, Off>::new(MIB, growth, assess)?;
    let answer = grower.search(&Request::new(position, &Nodes(NODES)), &mut |_| {});
    let Some(best) = answer.lines.first() else {
        println!("{name:<48} the game is over");
        return Ok(());
    };
    let mv = best.pv.first().map_or(String::new(), ToString::to_string);
    let (least, greatest) = best.range.unwrap_or((best.score, best.score));
    let ended = if answer.complete { "proven" } else { "not proven" };
    let range = format!("{least:?} to {greatest:?}");
    println!("{name:<48} move {mv:<3} {range:<28} {:>7} nodes, {ended}", answer.nodes);
    Ok(())
}

/// Nothing is known of a position before the end, which a move from here is at the earliest.
fn anything<G: Game>(position: &G, ply: usize) -> Leaf<Interval> {
    match position.is_over() {
        true => Leaf::Over(position.outcome().score(ply)),
        false => Leaf::Open(Interval::new(Score::loss_in(ply + 1), Score::win_in(ply + 1))),
    }
}

/// Every algorithm on one position; lists search it to `depth`.
fn all<G>(position: &G, depth: usize) -> Result<(), OutOfMemory>
where
    G: Threaded<Move: Display> + Pass + cassius_search::Static,
{
    type Sequences = Bounds<9>;
    let value = Static(Statics);
    grow::<_, Sequences, _, _>("conspiracy numbers", position, ConspiracyNumbers::default(), value)?;
    grow::<_, Sequences, _, _>("best successor", position, BestSuccessor::default(), value)?;
    grow::<_, Sequences, _, _>("controlled conspiracy", position, ControlledConspiracy::default(), value)?;
    for (by_moves, called) in [(0, "1"), (1, "by moves")] {
        for (question, asked) in [(0, "win?"), (1, "draw at least?"), (2, "win, or draw?")] {
            let name = format!("proof numbers, first {called}: {asked}");
            grow::<_, Proofs, _, _>(
                &name,
                position,
                ProofNumberSearch { question },
                FirstNumbers { by_moves },
            )?;
        }
    }
    for (strategy, called) in [(0, "by rivals"), (1, "prove best"), (2, "disprove rest")] {
        let name = format!("B*, nothing known: {called}");
        grow::<_, Interval, _, _>(&name, position, BStar { strategy }, anything::<G>)?;
        // Wrong bounds, wrong move: in the tic-tac-toe below a corner loses, which neither a pass nor
        // 10 more show.
        let threat = Optimist::new(Statics);
        let name = format!("B*, a pass to the value and 10: {called}");
        grow::<_, Interval, _, _>(&name, position, BStar { strategy }, threat)?;
    }
    for (growth, called) in [(MonteCarlo::uct(), "UCT"), (MonteCarlo::puct(), "PUCT")] {
        let games = Simulated { chance: RandomGames::default(), priors: Uniform };
        grow::<_, Visits, _, _>(&format!("{called}, random games"), position, growth.clone(), games)?;
        let values = Simulated { chance: Evaluated::new(Statics), priors: Uniform };
        grow::<_, Visits, _, _>(&format!("{called}, static values"), position, growth, values)?;
    }
    for (star, called) in [(Star::Sss, "SSS*"), (Star::Dual, "DUAL*")] {
        let name = format!("{called} to {depth} plies");
        match sss_star(position, depth, &mut Statics, star, STATES) {
            Ok(found) => {
                let mv = found.best.map_or(String::new(), |mv| mv.to_string());
                let value = format!("{:?}", found.value);
                let (leaves, states) = (found.leaves, found.states);
                println!("{name:<48} move {mv:<3} {value:<28} {leaves:>7} leaves, {states} states at once");
            }
            Err(full) => println!("{name:<48} {full}"),
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match std::env::args().nth(1) {
        Some(columns) => {
            let position: Connect4 = columns.parse()?;
            println!("{position}\n");
            all(&position, 8)?;
        }
        None => {
            let fork: TicTacToe = "X.. .O. ..X".parse()?;
            println!("{fork}\n");
            all(&fork, 6)?;
            let open: Connect4 = "4455".parse()?;
            println!("\n{open}\n");
            all(&open, 8)?;
        }
    }
    Ok(())
}
