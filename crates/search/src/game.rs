//! What a game must provide to a search, and what it may provide in addition.
//!
//! [`Game`] is the minimum: list the moves, play one, and report how a finished game ended. Every
//! further capability is a separate trait, and each component requires only the traits that it needs.
//! For example, null move does not compile for a game that cannot pass.

use crate::alpha_beta::options::Clues;
use crate::depth::Depth;
use crate::limits::{Patience, Stopped};
use crate::score::Score;
use crate::window::Window;
use std::fmt::Debug;

/// A two-player zero-sum game of perfect information, as a position.
///
/// A position is a value: a search clones it and plays a move on the clone. All values are from the
/// point of view of the side to move. The sides take turns, so that a forced pass is a move of its own.
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
    /// A move of this game. It is only meaningful in the position for which it was listed.
    type Move: Copy + PartialEq + Debug;

    /// Appends every legal move to `moves`, in the same order every time. Appends none exactly when the game
    /// is over.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move that [`Game::moves`] listed for this position, in place.
    fn play(&mut self, mv: Self::Move);

    /// Returns how the game ended for the side to move. The position must have no legal moves.
    fn outcome(&self) -> Outcome;

    /// Returns the number of legal moves. Override it where a cheaper way exists.
    fn count_moves(&self) -> usize {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len()
    }

    /// Whether no legal move is left. Override it where a cheaper way exists.
    fn is_over(&self) -> bool {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.is_empty()
    }
}

/// The result of a game, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The side to move has won.
    Win,
    /// Neither side has won.
    Draw,
    /// The side to move has lost.
    Loss,
    /// An exact value, for games that are played for points: at most [`Score::MAX_ESTIMATE`] either way.
    Points(Score),
}

impl Outcome {
    /// Returns the score of a game that ended with this outcome `ply` plies below the root.
    pub fn score(self, ply: usize) -> Score {
        match self {
            Outcome::Win => Score::win_in(ply),
            Outcome::Draw => Score::DRAW,
            Outcome::Loss => Score::loss_in(ply),
            Outcome::Points(score) => score,
        }
    }
}

/// A static evaluation: the value of a position without search.
///
/// It takes `&mut self` so that it can keep caches. Any closure `FnMut(&G) -> Score` implements it.
pub trait Evaluate<G> {
    /// Returns the value of `position` for the side to move, in the game's unit. It is never in the
    /// proven range of [`Score`].
    fn evaluate(&mut self, position: &G) -> Score;

    /// Returns the value as far as `window` requires it: the exact value inside the window, otherwise a
    /// bound on the same side of the window as the value. An evaluation that is itself a search may save
    /// work this way.
    #[inline]
    fn evaluate_within(&mut self, position: &G, window: Window) -> Score {
        let _ = window;
        self.evaluate(position)
    }

    /// Whether one evaluation may visit many positions. The limits must then be polled within it
    /// ([`evaluate_patiently`](Evaluate::evaluate_patiently)).
    const LONG: bool = false;

    /// Returns the same as [`evaluate_within`](Evaluate::evaluate_within), unless a limit is reached
    /// first.
    ///
    /// # Errors
    /// Returns [`Stopped`] if a limit is reached.
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

    /// Returns a quick value of `position`, for use when there is no time for the real evaluation.
    #[inline]
    fn evaluate_at_a_glance(&mut self, position: &G) -> Score {
        self.evaluate(position)
    }

    /// Estimates from clues how many moves of a position are options, for
    /// [`LearnedOptions`](crate::alpha_beta::options::LearnedOptions), or returns `None` if the evaluation
    /// has not learned it.
    #[inline]
    fn options(&mut self, clues: &Clues) -> Option<usize> {
        let _ = clues;
        None
    }

    /// Evaluates `position` at the horizon, or returns `None` if the search must go deeper because the
    /// position is too hard to judge. `left` is the remaining depth: zero, or negative by as much as the
    /// line was extended. It is called only if
    /// [`EvaluatorAsks`](crate::alpha_beta::horizon::EvaluatorAsks) is part of the depth rule. The
    /// default implementation evaluates every position.
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

    /// Whether a static value of `position` is meaningful. In check, for example, it is not. Where it is
    /// not, the search may do without one.
    #[inline]
    fn judges(&self, position: &G) -> bool {
        let _ = position;
        true
    }

    /// Prefetches cached data for `position`, which may be evaluated soon. Changes no value.
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

/// A game whose positions provide their own static value.
pub trait Static: Game {
    /// Returns the static value for the side to move, in a unit of the game's own, at most
    /// [`Score::MAX_ESTIMATE`] either way. The default knows nothing: a draw.
    fn static_value(&self) -> Score {
        Score::DRAW
    }

    /// Whether the game continues here although no move is known: an unexpanded node of a tree.
    fn is_unexpanded(&self) -> bool {
        false
    }

    /// Returns the static value at the horizon, with depth `left` remaining, or `None` to request a
    /// deeper search: see [`Evaluate::judge`].
    fn judged_value(&self, left: Depth) -> Option<Score> {
        let _ = left;
        Some(self.static_value())
    }
}

/// The evaluator of every [`Static`] game: it returns the position's own static value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statics;

impl<G: Static> Evaluate<G> for Statics {
    #[inline]
    fn evaluate(&mut self, position: &G) -> Score {
        position.static_value()
    }

    fn judge(&mut self, position: &G, left: Depth) -> Option<Score> {
        position.judged_value(left)
    }
}

/// Mixes the bits of a number that tells positions apart, so that it can be a [key](Keyed::key). Different
/// numbers stay different.
///
/// *Reference:* the finaliser of SplitMix64 (Steele, Lea & Flood 2014).
///
/// ```
/// use cassius_search::mix;
/// assert_eq!(mix(0), 0);
/// assert_ne!(mix(1) >> 32, mix(2) >> 32);
/// ```
#[inline]
#[must_use]
pub const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Returns the next of the random numbers of SplitMix64. They are the same on every machine. Any state is a
/// seed.
///
/// *Reference:* Steele, Lea & Flood 2014.
///
/// ```
/// use cassius_search::split_mix;
/// let (mut first, mut second) = (1, 1);
/// assert_eq!(split_mix(&mut first), split_mix(&mut second));
/// assert_ne!(split_mix(&mut first), split_mix(&mut 1));
/// ```
#[inline]
pub const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mix(*state)
}

/// Returns the hash of Fowler, Noll and Vo (FNV-1a, 64 bits) of bytes or of larger words. It is the same on
/// every machine and in every version, so that files can name by it what they belong to.
///
/// *Reference:* RFC 9923, whose tests have the hash of "foobar".
///
/// ```
/// use cassius_search::fnv;
/// assert_eq!(fnv("foobar".bytes()), 0x8594_4171_f739_67e8);
/// ```
#[must_use]
pub fn fnv(words: impl IntoIterator<Item: Into<u64>>) -> u64 {
    words
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word.into()).wrapping_mul(0x100_0000_01b3))
}

/// Games that several threads may search at once: those whose positions and moves are `Send` and `Sync`.
pub trait Threaded: Game<Move: Send + Sync> + Send + Sync {}

impl<G: Game<Move: Send + Sync> + Send + Sync> Threaded for G {}

/// Positions with a hash key and moves with a short code, as required by a transposition table.
pub trait Keyed: Game {
    /// Returns a 64-bit hash of everything that determines the value of the position. Positions with the same
    /// key must have the same codes for their moves.
    ///
    /// Every bit must depend on the whole position: a table uses the highest bits as the place of an entry
    /// and the lowest 32 to recognise it. Zobrist keys are like that. Send any other number through [`mix`]:
    /// as they are, positions that differ only in between would be taken for one another.
    fn key(&self) -> u64;

    /// Returns a hash of everything that the static value and [`Repeats::drawn_by_rule`] depend on, and the
    /// moves: positions with the same exact key have the same moves, not only the same codes. It differs from
    /// [`key`](Keyed::key) only in games where that key is not quite exact, or where mirror images share it.
    #[inline]
    fn exact_key(&self) -> u64 {
        self.key()
    }

    /// Returns the key of the position after a legal move. It may be wrong where the exact key is hard
    /// to compute: a memory uses it only to prefetch and for hints.
    #[inline]
    fn key_after(&self, mv: Self::Move) -> u64 {
        let mut child = self.clone();
        child.play(mv);
        child.key()
    }

    /// Returns a code for a legal move. It is never 0, and it differs for any two moves of one position.
    fn code(&self, mv: Self::Move) -> u16;
}

/// Games in which a position can repeat, and in which a rule can declare a draw.
pub trait Repeats: Game {
    /// Returns a hash of everything that must be equal for a position to count as repeated.
    fn repetition_key(&self) -> u64;

    /// Returns how many plies back a repetition of this position is possible: the number of plies since
    /// the last irreversible move.
    fn reversible_plies(&self) -> usize;

    /// Whether a rule ends the game as a draw here although legal moves remain.
    fn drawn_by_rule(&self) -> bool;

    /// Whether a legal move leads to the earlier position of the line with this
    /// [`repetition_key`](Repeats::repetition_key), from which only reversible moves were played. It must
    /// be cheap. A game that cannot tell says no.
    #[inline]
    fn leads_to(&self, earlier: u64) -> bool {
        let _ = earlier;
        false
    }
}

/// Games that end only when no move is left and that only the player who moved last can win. The
/// [outcome](Game::outcome) is [`Outcome::Loss`] or [`Outcome::Draw`], and no rule ends the game
/// earlier. This is a marker trait: there is nothing to implement.
pub trait LastMoveWins: Game {}

/// Games in which a side may be *in check*. It must then answer an immediate threat to lose, so its
/// static value means little and its moves are forced.
pub trait Checks: Game {
    /// Whether the side to move is in check. If it has lost already, it should be: where it is not, pruning
    /// trusts a static value or a pass without asking whether the game is over.
    fn in_check(&self) -> bool;

    /// Whether a legal move gives check.
    fn gives_check(&self, mv: Self::Move) -> bool {
        let mut child = self.clone();
        child.play(mv);
        child.in_check()
    }
}

/// Games in which a pass can be tried, although the rules may forbid it.
pub trait Pass: Game {
    /// Whether a null move is safe here: the side to move is not in check, and zugzwang is unlikely.
    fn may_pass(&self) -> bool;

    /// Passes the move to the other side, in place.
    fn pass(&mut self);
}

/// Games with *noisy* moves: captures and promotions, which change the static value at once. Quiescence
/// search plays them out. No line of noisy moves and of replies to check may be endless.
pub trait Noisy: Game {
    /// Appends the noisy legal moves.
    fn noisy_moves(&self, moves: &mut Vec<Self::Move>);

    /// Whether a legal move is noisy.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// Returns the most that a noisy move can gain at once, in evaluation units: what it captures or
    /// promotes to.
    fn gain(&self, mv: Self::Move) -> Score;

    /// Returns an upper bound on the gain of any noisy move of this position, more cheaply than by
    /// listing the moves.
    fn greatest_gain(&self) -> Score {
        Score::MAX_ESTIMATE
    }

    /// Ranks noisy moves: a greater value is tried earlier. It must be cheap. Where it makes sense, the
    /// order is most valuable victim first, then least valuable attacker. It must lie within ±50,000,000.
    fn noisy_rank(&self, mv: Self::Move) -> i32;

    /// Number of kinds of noisy moves. What is learned of one kind is not applied to another.
    const NOISY_KINDS: usize = 1;

    /// Returns the kind of a noisy move, below [`Noisy::NOISY_KINDS`]: what it takes, for example.
    #[inline]
    fn noisy_kind(&self, mv: Self::Move) -> usize {
        let _ = mv;
        0
    }

    /// Whether the static exchange that `mv` starts wins at least `threshold`. It is also defined for
    /// quiet moves.
    fn exchange_at_least(&self, mv: Self::Move, threshold: Score) -> bool;

    /// Whether the noisy move `mv` recaptures: `before` is the noisy move that led here.
    fn takes_back(&self, mv: Self::Move, before: Self::Move) -> bool {
        let _ = (mv, before);
        false
    }

    /// Whether the game may be over although no side is in check. If `false`, quiescence search need not
    /// list all moves to find out.
    fn may_be_over(&self) -> bool {
        true
    }
}

/// Games in which material of the side to move can be *hung*: the other side would win it by an exchange
/// if it were its turn to move.
pub trait Hung: Noisy {
    /// Appends the quiet legal moves that move hung material to safety or guard it. Returns whether
    /// anything is hung. It is not called in check.
    fn saving_moves(&self, moves: &mut Vec<Self::Move>) -> bool {
        let _ = moves;
        false
    }
}

/// A threat of the other side that the static value does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threat {
    /// A noisy move that turns a weak unit into a strong one.
    Promotion,
    /// A move that wins the game.
    Mate,
}

/// Games in which a cheap look at the position shows whether a threat is possible. A pass shows whether
/// it is real. Both are used only when the side to move is not in check.
pub trait Threats: Noisy + Checks + Pass {
    /// Whether the other side may have this threat. It is cheap and often wrong.
    fn may_threaten(&self, threat: Threat) -> bool {
        let _ = threat;
        false
    }

    /// Whether a noisy move is a [promotion](Threat::Promotion).
    fn promotes(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Appends the quiet legal moves that may parry this threat.
    fn counter_moves(&self, threat: Threat, moves: &mut Vec<Self::Move>) {
        let _ = (threat, moves);
    }
}

/// Games whose moves can be identified across positions by a slot number. Killer, counter-move and
/// history heuristics need this.
pub trait MoveIndexed: Game {
    /// Number of slots. Continuation history has two bytes for every pair of them, so thousands are too
    /// many for it.
    const MOVE_INDICES: usize;

    /// Returns the slot of a move, below [`MoveIndexed::MOVE_INDICES`]. Two moves with the same meaning
    /// in two positions share a slot, for example those with the same piece and target.
    fn move_index(&self, mv: Self::Move) -> usize;

    /// Number of exposures.
    const EXPOSURES: usize = 1;

    /// Returns, below [`MoveIndexed::EXPOSURES`], how exposed the piece that moves is before the move and
    /// after it. Moves that share a slot can be told apart by it. It must be cheap.
    #[inline]
    fn exposure(&self, mv: Self::Move) -> usize {
        let _ = mv;
        0
    }
}

/// Games whose positions have parts that recur in other positions, such as what stands still. Corrections
/// of the static value need this.
pub trait Structured: Game {
    /// Number of parts.
    const PARTS: usize;

    /// Returns a hash of a part of the position, below [`Structured::PARTS`], and of the side to move.
    /// Part 0 is the one that changes least. All bits of the hash vary.
    fn part_key(&self, part: usize) -> u64;
}

/// Games that can tell whether a move answers a threat before it is carried out. Counter-killers need
/// this.
pub trait Defuse: MoveIndexed {
    /// Whether the legal move `mv` makes the other side's move with slot `threat` impossible or answers
    /// it in advance. False if the other side does not threaten such a move.
    fn defuses(&self, mv: Self::Move, threat: usize) -> bool;
}

/// Games that can bound the value of a position whatever is played. Interval searches such as
/// [`BStar`](crate::best_first::BStar) need this.
pub trait Bounded: Game {
    /// Returns the smallest and the largest value that the position can have for the side to move, `ply`
    /// plies below the root. It is not called if the game is over.
    fn bounds(&self, ply: usize) -> (Score, Score);
}
