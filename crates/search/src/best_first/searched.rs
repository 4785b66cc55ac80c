//! Assesses leaves by a search of their own.
//!
//! *Reference:* programs that played by conspiracy numbers did the same: P.ConNerS searches its leaves
//! by alpha-beta to a fixed depth (Lorenz 2000). McAllester 1988, §10, only proposes "a search of
//! capture moves".
//! *Deviations:* when the time is up, a leaf gets a quick estimate instead, so that the search can end.
//! *Soundness:* the result is an evaluation like any other. With several workers that share a table, it
//! may depend on which of them came first.
//! *Worth:* Measured in chess, five plies in `ccns`: at 10, 100 and 400 ms it solves 145, 215 and 224 of
//! 300 exercises, without searches 109, 151 and 193 (results/best-first.md).

use super::{Asked, Assess, Bounds, Leaf};
use crate::alpha_beta::{Recipe, Request, Slots, search};
use crate::component::{Component as _, Visitor};
use crate::game::Game;
use crate::limits::{Limits, Patience, Unlimited};

crate::component! {
    /// Sets how new leaves are searched.
    pub struct LeafSearch {
        /// How deep an alpha-beta search judges each of them; 0: standing pat or capturing does.
        depth: 0 in 0..=30 "plies",
    }
}

/// Assesses leaves by an alpha-beta search to a fixed depth. Another assessor gives a quick estimate
/// first. If that finds that the game is over, nothing is searched.
pub struct Searched<G: Game, R: Recipe<G>, A> {
    /// The assessor that gives the quick estimate.
    pub glance: A,
    /// The slots of the search.
    pub slots: Slots<G, R>,
    /// The depth.
    pub parameters: LeafSearch,
}

impl<G: Game, R: Recipe<G>, A> Searched<G, R, A> {
    /// Uses this assessor and these slots, with the default depth.
    pub fn new(glance: A, slots: Slots<G, R>) -> Self {
        Searched { glance, slots, parameters: LeafSearch::default() }
    }
}

impl<G, R, A, const N: usize> Assess<G, Bounds<N>> for Searched<G, R, A>
where
    G: Game,
    R: Recipe<G>,
    A: Assess<G, Bounds<N>>,
    Slots<G, R>: Send,
{
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Bounds<N>> {
        self.glance.assess(position, ply)
    }

    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<Bounds<N>> {
        let glance = self.glance.assess_as(position, asked);
        let no_time = asked.patience.is_some_and(Patience::is_out);
        if self.parameters.depth == 0 || no_time || matches!(glance, Leaf::Over(_)) {
            return glance;
        }
        let depth = self.parameters.depth as usize;
        let limits = asked.patience.map_or(&Unlimited as &dyn Limits, Patience::limits);
        let request = Request::new(position, limits).to_iteration(depth);
        let answer = search(&mut self.slots, &request, &mut |_| {});
        if !answer.complete {
            asked.patience.inspect(|patience| patience.give_up());
        }
        match answer.score() {
            Some(value) => Leaf::Open(Bounds::leaf(asked.window.clip(value.at_root(asked.ply)))),
            None => glance,
        }
    }

    fn begin(&mut self) {
        self.glance.begin();
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.parameters.visit(visitor);
        self.glance.visit(visitor);
    }
}
