//! Assessors for Monte Carlo tree search: the chances of leaves and the priors of moves.
//!
//! *Reference:* random games are from Kocsis & Szepesvári 2006, §2.3; chances from an evaluation and
//! priors from the user in place of a network's are as in Silver and others 2017, *Expand and evaluate*.
//! *Deviations:* a random game ends as a draw after a number of plies, because it may be endless.
//! *Soundness:* a chance is an estimate. The result of a finished game is exact, except that a random
//! game does not see draws by repetition or by a rule.
//! *Worth:* not measured in play.

use super::{Asked, Assess, Child, Leaf, Visits};
use crate::component::{Component as _, Visitor};
use crate::game::{Evaluate, Game, split_mix};
use crate::score::Score;

/// Estimates the chance of a position.
pub trait Chance<G: Game>: Send {
    /// Returns the chance of the side to move, from 0 (lost) through ½ (drawn) to 1 (won).
    fn chance(&mut self, position: &G) -> f64;

    /// Starts a new search. Afterwards the same positions have the same chances as after any other start.
    fn begin(&mut self) {}

    /// Shows every parameter to `visitor`.
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        let _ = visitor;
    }
}

impl<G: Game, F: FnMut(&G) -> f64 + Send> Chance<G> for F {
    fn chance(&mut self, position: &G) -> f64 {
        self(position)
    }
}

/// Says how likely a move is to be best.
pub trait Priors<G: Game>: Send {
    /// Returns the weight of a legal move: a number of at least 0. The weights of a position's moves are
    /// divided by their sum. If they have no finite sum above 0, all moves get the same prior.
    fn weight(&mut self, position: &G, mv: G::Move) -> f32;
}

impl<G: Game, F: FnMut(&G, G::Move) -> f32 + Send> Priors<G> for F {
    fn weight(&mut self, position: &G, mv: G::Move) -> f32 {
        self(position, mv)
    }
}

/// Gives all moves of a position the same prior.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Priors<G> for Uniform {
    fn weight(&mut self, _: &G, _: G::Move) -> f32 {
        1.0
    }
}

/// Assesses a leaf by a chance when it is visited first, and gives its moves their priors.
#[derive(Clone, Debug, Default)]
pub struct Simulated<C, P = Uniform> {
    /// Estimates the chance of a leaf.
    pub chance: C,
    /// Gives the priors of moves.
    pub priors: P,
}

impl<G: Game, C: Chance<G>, P: Priors<G>> Assess<G, Visits> for Simulated<C, P> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Visits> {
        match position.is_over() {
            true => Leaf::Over(position.outcome().score(ply)),
            false => Leaf::Open(Visits::unvisited(1.0)),
        }
    }

    fn expanded(
        &mut self,
        position: &G,
        leaf: &Visits,
        children: &mut [Child<G::Move, Visits>],
        _: &Asked<'_>,
    ) -> Option<Visits> {
        for child in &mut *children {
            child.payload.set_prior(self.priors.weight(position, child.mv).max(0.0));
        }
        let sum: f32 = children.iter().map(|child| child.payload.prior()).sum();
        let even = 1.0 / children.len() as f32;
        for child in children {
            let prior = child.payload.prior() / sum;
            child.payload.set_prior(if sum > 0.0 && sum.is_finite() { prior } else { even });
        }
        Some(Visits::assessed(self.chance.chance(position), leaf.prior()))
    }

    fn begin(&mut self) {
        self.chance.begin();
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.chance.visit(visitor);
    }
}

crate::component! {
    /// Sets how random games are played.
    pub struct RandomPlay {
        /// Where the random numbers of a search begin.
        seed: 1 in 0..=2_147_483_647 "any number",
        /// When a game ends as a draw.
        plies: 1000 in 1..=10_000 "plies",
    }
}

/// Assesses a position by the result of one random game: every move is as likely as any other. The games
/// depend on nothing but the seed and the order in which positions are assessed.
#[derive(Clone, Debug)]
pub struct RandomGames<M> {
    /// The parameters.
    pub parameters: RandomPlay,
    state: u64,
    moves: Vec<M>,
}

impl<M> Default for RandomGames<M> {
    fn default() -> Self {
        RandomGames::new(RandomPlay::default())
    }
}

impl<M> RandomGames<M> {
    /// Plays random games with these parameters.
    pub fn new(parameters: RandomPlay) -> Self {
        let state = parameters.seed as u64;
        RandomGames { parameters, state, moves: Vec::new() }
    }

    /// Returns a random number below `below` (SplitMix64).
    fn draw(&mut self, below: usize) -> usize {
        (((split_mix(&mut self.state) >> 32) * below as u64) >> 32) as usize
    }
}

impl<G: Game<Move: Send>> Chance<G> for RandomGames<G::Move> {
    fn chance(&mut self, position: &G) -> f64 {
        let mut end = position.clone();
        for ply in 0..=self.parameters.plies {
            self.moves.clear();
            end.moves(&mut self.moves);
            if self.moves.is_empty() {
                let result = end.outcome().score(0).0.signum();
                return 0.5 + 0.5 * f64::from(if ply % 2 == 0 { result } else { -result });
            }
            if ply == self.parameters.plies {
                break;
            }
            let index = self.draw(self.moves.len());
            end.play(self.moves[index]);
        }
        0.5
    }

    fn begin(&mut self) {
        self.state = self.parameters.seed as u64;
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.parameters.visit(visitor);
    }
}

crate::component! {
    /// Sets how evaluations become chances.
    pub struct Odds {
        /// The value at which a win is ten times as likely as a loss.
        tenfold: 400 in 1..=30_000 "evaluation units",
    }
}

/// Assesses a position by its static value v: the chance is 1 / (1 + 10^(−v / s)) with the scale s of
/// [`Odds`].
///
/// ```
/// use cassius_search::Score;
/// use cassius_search::best_first::{Chance, Evaluated};
/// # use cassius_search::{Game, Outcome};
/// # #[derive(Clone)]
/// # struct Heap(u8);
/// # impl Game for Heap {
/// #     type Move = u8;
/// #     fn moves(&self, _: &mut Vec<u8>) {}
/// #     fn play(&mut self, _: u8) {}
/// #     fn outcome(&self) -> Outcome { Outcome::Draw }
/// # }
///
/// let mut chance = Evaluated::new(|_: &Heap| Score(400));
/// assert!((chance.chance(&Heap(3)) - 10.0 / 11.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Evaluated<E> {
    /// The evaluation.
    pub evaluate: E,
    /// The scale.
    pub parameters: Odds,
}

impl<E> Evaluated<E> {
    /// Uses this evaluation, with the default scale.
    pub fn new(evaluate: E) -> Self {
        Evaluated { evaluate, parameters: Odds::default() }
    }
}

impl<G: Game, E: Evaluate<G> + Send> Chance<G> for Evaluated<E> {
    fn chance(&mut self, position: &G) -> f64 {
        let Score(value) = self.evaluate.evaluate(position);
        1.0 / (1.0 + 10f64.powf(-f64::from(value) / f64::from(self.parameters.tenfold)))
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.parameters.visit(visitor);
    }
}
