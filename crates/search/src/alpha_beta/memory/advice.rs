//! A memory that only advises which move to try first.
//!
//! *Reference:* Marsland & Campbell 1981, §II.B, who use a table both to obtain values and to order
//! moves. This component makes only the second use.
//! *Soundness:* changes only the order of moves. Every value is found by the search itself, so that
//! plans can be extracted from it.
//! *Worth:* not measured.

use crate::alpha_beta::memory::{Found, Hit, Memory};
use crate::component::{Component, Visitor};
use crate::depth::Depths;
use crate::game::Game;

/// Uses the memory `M` only for hash moves.
#[derive(Clone, Debug)]
pub struct Advice<M>(pub M);

impl<M: Component> Component for Advice<M> {
    const NAME: &'static str = "Advice";

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.0.visit(visitor);
    }
}

impl<G: Game, M: Memory<G>> Memory<G> for Advice<M> {
    type Sharing = M::Sharing;

    fn sharing(&self) -> &M::Sharing {
        self.0.sharing()
    }

    fn serves(&self, remaining: Depths) -> bool {
        self.0.serves(remaining)
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

    fn begin_search(&self) {
        self.0.begin_search();
    }
}
