//! A game of your own, solved: Nim with three heaps, who takes the last piece wins.

use cassius_search::{
    Engine, Game, Keyed, LastMoveWins, Off, Outcome, Request, Static, Unlimited, mix, playable,
};

/// The sizes of the heaps.
#[derive(Clone)]
struct Nim([u8; 3]);

/// So many pieces from one heap.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Take {
    count: u8,
    heap: usize,
}

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
        Outcome::Loss // the other side took the last piece
    }
}

impl Keyed for Nim {
    fn key(&self) -> u64 {
        let [a, b, c] = self.0.map(u64::from);
        mix(a << 16 | b << 8 | c)
    }

    fn code(&self, take: Take) -> u16 {
        (take.heap as u16 + 1) << 8 | u16::from(take.count)
    }
}

impl LastMoveWins for Nim {}
impl Static for Nim {}
playable!(Nim, "Nim", draws: Off);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for recipe in ["pvs", "pns", "df-pn", "uct"] {
        let engine = Engine::<Nim>::new(recipe, 16)?;
        let answer = engine.search(&Request::new(&Nim([3, 4, 5]), &Unlimited).to_iteration(12), &mut |_| {});
        println!("{recipe:6} {:?}, {:?}, {} nodes", answer.proof(), answer.best(), answer.nodes);
    }
    Ok(())
}
