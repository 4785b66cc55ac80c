//! Your own game, searched: Nim, three heaps, who takes the last one wins.
//!
//! `cargo run -p cassius-games --example nim`

use cassius_search::game::LastMoveWins;
use cassius_search::{
    Engine, Game, Keyed, Off, Outcome, Playable, Request, Score, Static, Unlimited, playable,
};

/// The heaps.
#[derive(Clone, Copy, Debug)]
struct Nim([u8; 3]);

/// So many from this heap.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Take {
    count: u8,
    heap: usize,
}

// Four methods are a game.
impl Game for Nim {
    type Move = Take;

    fn moves(&self, moves: &mut Vec<Take>) {
        for (heap, size) in self.0.into_iter().enumerate() {
            moves.extend((1..=size).map(|count| Take { count, heap }));
        }
    }

    fn play(&mut self, take: Take) {
        self.0[take.heap] -= take.count;
    }

    fn outcome(&self) -> Outcome {
        Outcome::Loss // the other side took the last one
    }
}

/// Nothing is known of a position before the end.
impl Static for Nim {
    fn static_value(&self) -> Score {
        Score::DRAW
    }
}

/// A key opens the recipes with a table. The order of the heaps does not matter.
impl Keyed for Nim {
    fn key(&self) -> u64 {
        let mut heaps = self.0;
        heaps.sort_unstable();
        let [a, b, c] = heaps.map(u64::from);
        (a << 16 | b << 8 | c).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Positions that share a key share their codes: the heap counts by its place among the sorted ones.
    fn code(&self, take: Take) -> u16 {
        let size = |heap: usize| (self.0[heap], heap);
        let place = (0..3).filter(|heap| size(*heap) < size(take.heap)).count();
        (place as u16 + 1) << 8 | u16::from(take.count)
    }
}

/// A claim opens recipes that prove such wins.
impl LastMoveWins for Nim {}

playable!(Nim, "Nim", draws: Off);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for recipe in Nim::recipes() {
        let can = if recipe.can_be_played() { "can" } else { "cannot" };
        println!("{:<13}{can} be played: {}", recipe.name, recipe.summary);
    }
    for heaps in [[1, 2, 3], [3, 4, 5]] {
        let position = Nim(heaps);
        // Who moves wins exactly if the heaps, added without carry, are not zero (Bouton 1901).
        let expected = heaps.into_iter().fold(0, |sum, heap| sum ^ heap) != 0;
        let plies = heaps.iter().map(|size| usize::from(*size)).sum();
        for recipe in ["alphabeta", "pvs", "df-pn"] {
            let engine = Engine::<Nim>::new(recipe, 1)?;
            let request = Request::new(&position, &Unlimited).to_iteration(plies);
            let answer = engine.search(&request, &mut |_| {});
            let best = answer.lines.first().ok_or("the game is over")?;
            assert_eq!(best.score.is_win(), expected);
            let outcome = if best.score.is_win() { "wins" } else { "loses" };
            let length = best.score.plies_to_end().unwrap_or(0);
            println!(
                "{heaps:?} {recipe}: the side to move {outcome} in {length} plies; {} nodes",
                answer.nodes
            );
        }
    }
    println!("{}", Engine::<Nim>::new("lab", 1).unwrap_err());
    Ok(())
}
