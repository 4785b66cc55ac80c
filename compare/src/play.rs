//! Equal time: games from all short openings, each with both colours.

use crate::games::{Compared, TheirStatics, Theirs};
use crate::{Family, MIB};
use cassius_search::{Engine, Game, Limits, Outcome, Request, Slots, Table, search};
use minimax::{IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, Strategy};
use std::error::Error;
use std::time::{Duration, Instant};

/// A limit of time.
struct Until(Instant);

impl Limits for Until {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (!self.ends_now()).then_some(nodes + 128)
    }

    fn ends_now(&self) -> bool {
        Instant::now() >= self.0
    }
}

/// One of our searches.
pub enum Ours<G: Compared> {
    AlphaBeta(Box<Slots<G::Searched, G::Exact>>),
    MonteCarlo(Engine<G>),
}

impl<G: Compared> Ours<G> {
    pub fn new(family: Family) -> Result<Ours<G>, Box<dyn Error>> {
        Ok(match family {
            Family::AlphaBeta => Ours::AlphaBeta(Box::new(G::slots(Table::new(MIB)?))),
            Family::MonteCarlo => Ours::MonteCarlo(Engine::new("uct", MIB)?),
        })
    }

    /// Returns the move, and the nodes searched for it. `None` if the game is over.
    pub fn choose(&mut self, position: &G, time: Duration) -> Option<(G::Move, u64)> {
        let until = Until(Instant::now() + time);
        let answer = match self {
            Ours::AlphaBeta(slots) => search(slots, &Request::new(&position.searched(), &until), &mut |_| {}),
            Ours::MonteCarlo(engine) => engine.search(&Request::new(position, &until), &mut |_| {}),
        };
        Some((answer.best()?, answer.nodes))
    }
}

/// The search of the crate `minimax` with its fast settings.
fn theirs<G: Compared>(family: Family) -> Box<dyn Strategy<Theirs<G>>> {
    match family {
        Family::AlphaBeta => {
            let options = IterativeOptions::new().with_table_byte_size(MIB << 20);
            Box::new(IterativeSearch::new(TheirStatics::<G>::default(), G::fastest(options)))
        }
        Family::MonteCarlo => Box::new(MonteCarloTreeSearch::new(MCTSOptions::default().with_num_threads(1))),
    }
}

/// Returns all positions after so many plies in which the game is not over.
fn openings<G: Game>(start: G, plies: usize) -> Vec<G> {
    let mut positions = vec![start];
    for _ in 0..plies {
        let after = |position: &G| {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let play = |mv| {
                let mut child = position.clone();
                child.play(mv);
                child
            };
            moves.into_iter().map(play).collect::<Vec<_>>()
        };
        positions = positions.iter().flat_map(after).collect();
    }
    positions.retain(|position| !position.is_over());
    positions
}

/// Plays a game and returns our result: 1, ½ or 0.
fn game<G: Compared>(
    opening: &G,
    mut our_turn: bool,
    family: Family,
    time: Duration,
) -> Result<f64, Box<dyn Error>> {
    let (mut ours, mut theirs) = (Ours::<G>::new(family)?, theirs::<G>(family));
    theirs.set_timeout(time);
    let mut position = opening.clone();
    while !position.is_over() {
        let mv = match our_turn {
            true => ours.choose(&position, time).map(|(mv, _)| mv),
            false => theirs.choose_move(&position),
        };
        position.play(mv.ok_or("no move, although the game is not over")?);
        our_turn = !our_turn;
    }
    let to_move = match position.outcome() {
        Outcome::Win => 1.0,
        Outcome::Loss => 0.0,
        Outcome::Draw | Outcome::Points(_) => 0.5,
    };
    Ok(if our_turn { to_move } else { 1.0 - to_move })
}

/// Plays every opening with both colours, and prints our score.
pub fn compare<G: Compared>(family: Family, time: Duration) -> Result<(), Box<dyn Error>> {
    let (mut results, mut pairs) = ([0; 3], Vec::new());
    for opening in openings(G::start(), G::OPENING) {
        let mut pair = 0.0;
        for our_turn in [true, false] {
            let result = game(&opening, our_turn, family, time)?;
            results[(2.0 * result) as usize] += 1;
            pair += result / 2.0;
        }
        pairs.push(pair);
    }
    let number = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / number;
    let variance = pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (number - 1.0);
    println!(
        "{}, {family:?}, {} ms a move, against minimax: +{} ={} -{}, {:.1} % ± {:.1}",
        G::TITLE,
        time.as_millis(),
        results[2],
        results[1],
        results[0],
        100.0 * mean,
        100.0 * 1.96 * (variance / number).sqrt(),
    );
    Ok(())
}
