//! A memory that only gives advice: the move to try first.
//!
//! *Reference:* Marsland & Campbell 1981, §II.B, who use a table both to know values and to order moves; this is
//! the second use alone.
//! *Deviations:* for one thread: what threads tell each other through a table is not passed on.
//! *Soundness:* changes the order of moves and nothing else. Every value is found by the search itself, which is what plans
//! can be taken from.
//! *Worth:* not measured.

use crate::{Component, Depths, Found, Game, Hit, Memory, Visitor};

/// Asks the memory `M` for moves only.
#[derive(Clone, Debug)]
pub struct Advice<M>(pub M);

impl<M: Component> Component for Advice<M> {
    const NAME: &'static str = "Advice";

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.0.visit(visitor);
    }
}

impl<G: Game, M: Memory<G>> Memory<G> for Advice<M> {
    fn serves(&self, owed: Depths) -> bool {
        self.0.serves(owed)
    }

    fn probe(&self, position: &G, ply: usize) -> Hit {
        Hit { mv: self.0.probe(position, ply).mv, ..Hit::NONE }
    }

    fn names(&self, code: u16, position: &G, mv: G::Move) -> bool {
        self.0.names(code, position, mv)
    }

    fn store(&self, position: &G, ply: usize, found: &Found<G::Move>) {
        self.0.store(position, ply, found);
    }

    fn prefetch(&self, position: &G, mv: G::Move) {
        self.0.prefetch(position, mv);
    }

    fn begin_search(&self, _: usize) {
        self.0.begin_search(1);
    }
}
