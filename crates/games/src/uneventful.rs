//! A wrapper that adds trivial capabilities to a game, to try any component on a game that lacks the
//! capability it needs.

use cassius_search::game::{Defuse, Hung, MoveIndexed, Structured, Threats};
use cassius_search::{Checks, Depth, Game, Keyed, Noisy, Outcome, Pass, Score, Static};
use std::ops::Deref;

/// The game `G` with checks, noisy moves, hung pieces, threats and passes that never occur. Every component
/// of the search that needs these capabilities then compiles, and never meets them.
///
/// The wrapper makes a claim about the game, so it has to be named explicitly: a plain tree has none of
/// these capabilities, and a recipe that needs one does not compile for it.
///
/// ```
/// use cassius_games::random_tree::{RandomTree, Values};
/// use cassius_games::Uneventful;
/// use cassius_search::Noisy;
///
/// let tree = Uneventful(RandomTree::new(Values::Independent, 5, 4, 1));
/// assert!(!tree.is_noisy(0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uneventful<G>(pub G);

impl<G> Deref for Uneventful<G> {
    type Target = G;

    fn deref(&self) -> &G {
        &self.0
    }
}

impl<G: Game> Game for Uneventful<G> {
    type Move = G::Move;

    fn moves(&self, moves: &mut Vec<G::Move>) {
        self.0.moves(moves);
    }

    fn play(&mut self, mv: G::Move) {
        self.0.play(mv);
    }

    fn outcome(&self) -> Outcome {
        self.0.outcome()
    }

    fn count_moves(&self) -> usize {
        self.0.count_moves()
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

impl<G: Static> Static for Uneventful<G> {
    fn static_value(&self) -> Score {
        self.0.static_value()
    }

    fn is_unexpanded(&self) -> bool {
        self.0.is_unexpanded()
    }

    fn judged_value(&self, left: Depth) -> Option<Score> {
        self.0.judged_value(left)
    }
}

impl<G: Keyed> Keyed for Uneventful<G> {
    fn key(&self) -> u64 {
        self.0.key()
    }

    fn exact_key(&self) -> u64 {
        self.0.exact_key()
    }

    fn key_after(&self, mv: G::Move) -> u64 {
        self.0.key_after(mv)
    }

    fn code(&self, mv: G::Move) -> u16 {
        self.0.code(mv)
    }
}

impl<G: MoveIndexed> MoveIndexed for Uneventful<G> {
    const MOVE_INDICES: usize = G::MOVE_INDICES;

    const EXPOSURES: usize = G::EXPOSURES;

    fn move_index(&self, mv: G::Move) -> usize {
        self.0.move_index(mv)
    }

    fn exposure(&self, mv: G::Move) -> usize {
        self.0.exposure(mv)
    }
}

/// No move answers a threat.
impl<G: MoveIndexed> Defuse for Uneventful<G> {
    fn defuses(&self, _: G::Move, _: usize) -> bool {
        false
    }
}

/// There are no parts.
impl<G: Game> Structured for Uneventful<G> {
    const PARTS: usize = 0;

    fn part_key(&self, _: usize) -> u64 {
        0
    }
}

/// The side to move is never in check.
impl<G: Game> Checks for Uneventful<G> {
    fn in_check(&self) -> bool {
        false
    }

    fn gives_check(&self, _: G::Move) -> bool {
        false
    }
}

/// Passing is never allowed. Estimates of options may still ask what a pass would be worth, and find the
/// position unchanged.
impl<G: Game> Pass for Uneventful<G> {
    fn may_pass(&self) -> bool {
        false
    }

    fn pass(&mut self) {}
}

/// There are no noisy moves.
impl<G: Game> Noisy for Uneventful<G> {
    fn noisy_moves(&self, _: &mut Vec<G::Move>) {}

    fn is_noisy(&self, _: G::Move) -> bool {
        false
    }

    fn gain(&self, _: G::Move) -> Score {
        Score(0)
    }

    fn noisy_rank(&self, _: G::Move) -> i32 {
        0
    }

    fn exchange_at_least(&self, _: G::Move, threshold: Score) -> bool {
        threshold <= Score(0)
    }
}

/// Nothing is hung.
impl<G: Game> Hung for Uneventful<G> {}

/// The other side threatens nothing.
impl<G: Game> Threats for Uneventful<G> {}
