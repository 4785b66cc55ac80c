//! What a game must tell a search, and what it may tell beyond that.
//!
//! [`Game`] is the whole minimum: list the moves, play one, say how a finished
//! game ended. Everything more is a capability of its own, so that a component
//! bounds what it needs: null move on a game that cannot
//! pass does not compile.

use crate::{Depth, Patience, Score, Stopped, Window};
use std::fmt::Debug;

/// A two-player zero-sum game of perfect information, as a position.
///
/// A position is a value: a search clones it and plays a move on the clone.
/// All values are seen from the side to move.
///
/// ```
/// use cassius_search::{Game, Outcome, minimax, Score};
///
/// /// Take one or two stones; who takes the last one wins.
/// #[derive(Clone)]
/// struct Stones(u8);
///
/// impl Game for Stones {
///     type Move = u8;
///     fn moves(&self, moves: &mut Vec<u8>) {
///         moves.extend((1..=2).filter(|taken| *taken <= self.0));
///     }
///     fn play(&mut self, taken: u8) {
///         self.0 -= taken;
///     }
///     fn outcome(&self) -> Outcome {
///         Outcome::Loss // no stone left: the other side took the last one
///     }
/// }
///
/// assert_eq!(minimax(&Stones(4), &mut |_: &Stones| Score::DRAW, 9), Score::win_in(3));
/// assert!(minimax(&Stones(3), &mut |_: &Stones| Score::DRAW, 9).is_loss());
/// ```
pub trait Game: Clone {
    /// A move of this game. Only meaningful in the position it was listed for.
    type Move: Copy + PartialEq + Debug;

    /// Appends every legal move to `moves`; none exactly when the game is over.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays, in place, a move listed by [`Game::moves`] for this position.
    fn play(&mut self, mv: Self::Move);

    /// How the game ended, for the side to move, in a position without moves.
    fn outcome(&self) -> Outcome;

    /// How many moves there are. Override it where that is cheaper to see.
    fn count_moves(&self) -> usize {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len()
    }

    /// Whether no move is left. Override it where that is cheaper to see.
    fn is_over(&self) -> bool {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.is_empty()
    }
}

/// The end of a game, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has won.
    Win,
    /// Nobody has won.
    Draw,
    /// The side to move has lost.
    Loss,
    /// An exact value, for games that are played for points.
    Points(Score),
}

impl Outcome {
    /// The score of a game that ended so, `ply` moves below the root.
    pub fn score(self, ply: usize) -> Score {
        match self {
            Outcome::Win => Score::win_in(ply),
            Outcome::Draw => Score::DRAW,
            Outcome::Loss => Score::loss_in(ply),
            Outcome::Points(score) => score,
        }
    }
}

/// A static evaluation: the value of a position without searching it.
///
/// It has `&mut self` so that it may keep caches. Any closure
/// `FnMut(&G) -> Score` is one.
pub trait Evaluate<G> {
    /// The value of `position` for the side to move, in the game's own unit,
    /// never in the proven range of [`Score`].
    fn evaluate(&mut self, position: &G) -> Score;

    /// The same as far as `window` is concerned: beyond an edge of it, a bound that is beyond it too.
    /// An evaluation that is a search of its own may save work.
    #[inline]
    fn evaluate_within(&mut self, position: &G, window: Window) -> Score {
        let _ = window;
        self.evaluate(position)
    }

    /// Whether an evaluation may look at many positions, so that limits must be asked within it
    /// ([`evaluate_patiently`](Evaluate::evaluate_patiently)).
    const LONG: bool = false;

    /// The same as [`evaluate_within`](Evaluate::evaluate_within) unless the limits come first.
    ///
    /// # Errors
    /// If they do.
    #[inline]
    fn evaluate_patiently(
        &mut self,
        position: &G,
        window: Window,
        patience: &Patience<'_>,
    ) -> Result<Score, Stopped> {
        let _ = patience;
        Ok(self.evaluate_within(position, window))
    }

    /// A value of `position` at once, where there is no time for the real one.
    #[inline]
    fn evaluate_at_a_glance(&mut self, position: &G) -> Score {
        self.evaluate(position)
    }

    /// The same at the horizon, where `left` is the depth that is left: zero, and less the further the line was extended. `None`
    /// says "go on": the position is too hard to judge. It is asked where [`EvaluatorAsks`](crate::EvaluatorAsks) is part of the
    /// depth rule, and nowhere else; others judge everything.
    ///
    /// ```
    /// use cassius_search::{Depth, Evaluate, Score};
    ///
    /// /// Positions that are numbers; odd ones are hard to judge.
    /// struct Careful;
    /// impl Evaluate<i32> for Careful {
    ///     fn evaluate(&mut self, position: &i32) -> Score {
    ///         Score(*position)
    ///     }
    ///     fn judge(&mut self, position: &i32, left: Depth) -> Option<Score> {
    ///         (position % 2 == 0 || left < Depth::plies(-3)).then(|| self.evaluate(position))
    ///     }
    /// }
    /// assert_eq!(Careful.judge(&4, Depth::ZERO), Some(Score(4)));
    /// assert_eq!(Careful.judge(&5, Depth::ZERO), None);
    /// ```
    fn judge(&mut self, position: &G, left: Depth) -> Option<Score> {
        let _ = left;
        Some(self.evaluate(position))
    }

    /// Whether a static value of `position` means anything: in check, say, it does not.
    /// Where it does not, the search may go without.
    #[inline]
    fn judges(&self, position: &G) -> bool {
        let _ = position;
        true
    }

    /// `position` may be evaluated soon: a cache may bring near what it knows. Changes no value.
    #[inline]
    fn prefetch(&self, position: &G) {
        let _ = position;
    }
}

impl<G, F: FnMut(&G) -> Score> Evaluate<G> for F {
    fn evaluate(&mut self, position: &G) -> Score {
        self(position)
    }
}

/// Games that several threads may play at once: all whose positions and moves may be sent and seen.
pub trait Threaded: Game<Move: Send + Sync> + Send + Sync {}

impl<G: Game<Move: Send + Sync> + Send + Sync> Threaded for G {}

/// Positions with a hash key and moves with a short code: what a
/// transposition table needs.
pub trait Keyed: Game {
    /// A 64-bit hash of everything that decides the value of the position.
    fn key(&self) -> u64;

    /// The same where [`key`](Keyed::key) is only nearly exact: a hash of everything that a static value depends on.
    #[inline]
    fn exact_key(&self) -> u64 {
        self.key()
    }

    /// What the key will be after a legal move. It may be wrong where that is hard to say: a memory
    /// uses it only to look ahead.
    #[inline]
    fn key_after(&self, mv: Self::Move) -> u64 {
        let mut child = self.clone();
        child.play(mv);
        child.key()
    }

    /// A code for a legal move, never 0, different for any two moves of one position.
    fn code(&self, mv: Self::Move) -> u16;
}

/// Games in which a position can come back, and games drawn by a rule.
pub trait Repeats: Game {
    /// Hash of what must be equal for a position to count as repeated.
    fn repetition_key(&self) -> u64;

    /// How many of the last plies could be taken back without leaving the
    /// stretch in which a repetition is possible.
    fn reversible_plies(&self) -> usize;

    /// Whether a rule ends the game as a draw here although moves remain.
    fn drawn_by_rule(&self) -> bool;
}

/// Games that end only where no move is left, and that only the last mover can win: the [outcome](Game::outcome) is
/// [`Outcome::Loss`] or [`Outcome::Draw`], and no rule ends them before. A claim, and nothing to implement.
pub trait LastMoveWins: Game {}

/// Games in which one side may be *in check*: it must answer an immediate
/// threat to lose, so that its static value means little and its moves are forced.
pub trait Checks: Game {
    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;

    /// Whether a legal move gives check.
    fn gives_check(&self, mv: Self::Move) -> bool {
        let mut child = self.clone();
        child.play(mv);
        child.in_check()
    }
}

/// Games in which passing can be tried, although the rules may forbid it.
pub trait Pass: Game {
    /// Whether a pass here is likely to be worse than the best move:
    /// not in check, zugzwang unlikely.
    fn may_pass(&self) -> bool;

    /// Hands the move to the other side, in place.
    fn pass(&mut self);
}

/// Games with *noisy* moves, which change the static value at once: captures
/// and promotions. Quiescence search plays them out.
pub trait Noisy: Game {
    /// Appends the noisy legal moves.
    fn noisy_moves(&self, moves: &mut Vec<Self::Move>);

    /// Whether a legal move is noisy.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// What a noisy move takes or makes, in evaluation units: the most it can gain at once.
    fn gain(&self, mv: Self::Move) -> Score;

    /// At least what any noisy move of this position gains, for less effort than listing them.
    fn greatest_gain(&self) -> Score {
        Score::MAX_ESTIMATE
    }

    /// Which of several noisy moves to try first: greater is earlier. Cheap;
    /// most valuable victim, then least valuable attacker, where that makes sense.
    fn noisy_rank(&self, mv: Self::Move) -> i32;

    /// Whether the static exchange that `mv` starts wins at least `threshold`.
    /// Defined for quiet moves too.
    fn exchange_at_least(&self, mv: Self::Move, threshold: Score) -> bool;

    /// Whether the noisy move `mv` takes back what `before`, the noisy move that led here, took.
    fn takes_back(&self, mv: Self::Move, before: Self::Move) -> bool {
        let _ = (mv, before);
        false
    }

    /// Whether the game may be over although nobody is in check. `false` saves quiescence
    /// search a look at all moves.
    fn may_be_over(&self) -> bool {
        true
    }
}

/// Games in which something of the side to move can be *hung*: were the other side to move, it would win it by an
/// exchange.
pub trait Hung: Noisy {
    /// Appends the quiet legal moves that bring something hung to safety, or guard it. Says whether anything is
    /// hung. Not in check.
    fn saving_moves(&self, moves: &mut Vec<Self::Move>) -> bool {
        let _ = moves;
        false
    }
}

/// What the other side may be about to do, although the static value does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threat {
    /// A noisy move that makes something strong of something weak.
    Promotion,
    /// The end of the game.
    Mate,
}

/// Games in which a look at the position tells what may threaten. Whether it does, a pass shows; it is asked for, and
/// tried, only out of check.
pub trait Threats: Noisy + Checks + Pass {
    /// Whether the other side may threaten this. Cheap, and often wrong.
    fn may_threaten(&self, threat: Threat) -> bool {
        let _ = threat;
        false
    }

    /// Whether a noisy move is a [promotion](Threat::Promotion).
    fn promotes(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Appends the quiet legal moves that may help against this threat.
    fn counter_moves(&self, threat: Threat, moves: &mut Vec<Self::Move>) {
        let _ = (threat, moves);
    }
}

/// Moves that can be remembered across positions, in numbered slots: what
/// killer, counter-move and history heuristics need.
pub trait Slotted: Game {
    /// Number of slots.
    const SLOTS: usize;

    /// The slot of a move, below [`Slotted::SLOTS`]. Two moves that mean the
    /// same thing in two positions share a slot: piece and target, say.
    fn slot(&self, mv: Self::Move) -> usize;
}

/// Games in which it can be seen that a move answers a threat before it is carried out: what counter-killers need.
pub trait Defuse: Slotted {
    /// Whether `mv`, legal here, makes the other side's move of the slot `threat` impossible, or answers
    /// it in advance. False if the other side threatens no such move.
    fn defuses(&self, mv: Self::Move, threat: usize) -> bool;
}

/// Games that can show between which values a position lies, whatever is played: for searches that work with intervals, as
/// [`BStar`](crate::best_first::BStar).
pub trait Bounded: Game {
    /// The least and the greatest value that the position can have for the side to move, `ply` moves after the root. Not asked where the game is
    /// over.
    fn bounds(&self, ply: usize) -> (Score, Score);
}
