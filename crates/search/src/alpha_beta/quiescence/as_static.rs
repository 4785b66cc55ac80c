//! Uses quiescence values in place of static values.
//!
//! *Reference:* McAllester & Yuret 1993, §8 ("the stand-pat or capture game"), §9.1 and §10.2. The value
//! of a position is that of a game in which each side in turn stands pat or plays a noisy move, and
//! options are counted by such values too. They must be exact, since they are compared with more than
//! one bar: there is no pruning except by alpha-beta. Where only one bar matters
//! ([`Evaluate::evaluate_within`]), the window is accordingly narrow (§10.2).
//! *Deviations:* the paper does not mention checks. In check there is no standing pat, and every evasion
//! is searched. Noisy moves that lose an exchange are not part of the game, because with them a single
//! position can take millions of positions to settle. Which moves are noisy is defined by the game.
//! Draws by repetition and by rule are not detected. The end of the game is detected in check, and
//! otherwise only in games whose positions can be over without a check. A mate in this search counts as
//! an estimate, because the mated side could have played a quiet move earlier.
//! *Soundness:* a static evaluation like any other: it depends only on the position. If so many pieces
//! take each other that the limit on positions ends it ([`StandPatOrCapture::settling_within`]), it
//! stands pat, and the value also depends on what was stored.
//! *Worth:* not measured.

use crate::game::{Checks, Evaluate, Keyed, Noisy};
use crate::limits::{Patience, Stopped, Unlimited};
use crate::score::Score;
use crate::window::{Bound, Window};

/// Values a position by standing pat or playing noisy moves that lose no exchange, over the evaluation
/// `E`.
pub struct StandPatOrCapture<G: Noisy, E> {
    evaluate: E,
    moves: Vec<G::Move>,
    known: Vec<Known>,
    /// The maximum number of positions for one value.
    most: u64,
    /// The number of positions visited for the current value.
    taken: u64,
}

/// The stored bounds of a position's value.
#[derive(Clone, Copy)]
struct Known {
    key: u64,
    lower: Score,
    upper: Score,
}

impl Known {
    const NOTHING: Known = Known { key: 0, lower: Score(-Score::INFINITE.0), upper: Score::INFINITE };

    /// Returns the stored value if it answers what `window` requires.
    fn answer(&self, window: Window) -> Option<Score> {
        if self.lower == self.upper || self.lower >= window.beta {
            return Some(self.lower);
        }
        (self.upper <= window.alpha).then_some(self.upper)
    }
}

/// The number of positions stored: a power of two.
const PLACES: usize = 1 << 17;

impl<G: Noisy + Checks + Keyed, E: Evaluate<G>> StandPatOrCapture<G, E> {
    /// Creates the search over an evaluation.
    pub fn new(evaluate: E) -> Self {
        let known = vec![Known::NOTHING; PLACES];
        StandPatOrCapture { evaluate, moves: Vec::new(), known, most: u64::MAX, taken: 0 }
    }

    /// Returns the same search with a limit of `positions` positions, at least one, for each value. A
    /// position that is not settled by then stands pat.
    #[must_use]
    pub fn settling_within(self, positions: u64) -> Self {
        StandPatOrCapture { most: positions.max(1), ..self }
    }

    /// Removes all stored bounds.
    pub fn forget(&mut self) {
        self.known.fill(Known::NOTHING);
    }

    /// Whether the current value has used all its positions.
    fn is_unsettled(&self) -> bool {
        self.taken >= self.most
    }

    /// Returns the value within a window, fail-soft.
    fn settle(&mut self, position: &G, window: Window, patience: &Patience<'_>) -> Result<Score, Stopped> {
        let key = position.exact_key();
        let place = key as usize & (PLACES - 1);
        let known = match self.known[place] {
            known if known.key == key => known,
            _ => Known { key, ..Known::NOTHING },
        };
        if let Some(value) = known.answer(window) {
            return Ok(value);
        }
        self.taken += 1;
        patience.judge(self.taken)?;
        let value = self.play_out(position, window, patience)?;
        if self.is_unsettled() {
            return Ok(value); // it was not played out completely
        }
        self.known[place] = match window.bound(value) {
            Bound::Lower => Known { lower: value, ..known },
            Bound::Upper => Known { upper: value, ..known },
            Bound::Exact => Known { key, lower: value, upper: value },
        };
        Ok(value)
    }

    fn play_out(&mut self, position: &G, window: Window, patience: &Patience<'_>) -> Result<Score, Stopped> {
        let in_check = position.in_check();
        let mut best = -Score::MAX_ESTIMATE;
        if (in_check || position.may_be_over()) && position.is_over() {
            return Ok(position.outcome().score(0).clamp_estimate());
        }
        if !in_check {
            best = self.evaluate.evaluate(position);
            if best >= window.beta {
                return Ok(best);
            }
        }
        let first = self.moves.len();
        match in_check {
            true => position.moves(&mut self.moves),
            false => position.noisy_moves(&mut self.moves),
        }
        // Evasions may be noisy or quiet. Noisy ones are tried first.
        let rank = |mv: &G::Move| match position.is_noisy(*mv) {
            true => position.noisy_rank(*mv),
            false => i32::MIN,
        };
        self.moves[first..].sort_unstable_by_key(rank);
        while !self.is_unsettled() && self.moves.len() > first && best < window.beta {
            let mv = self.moves.pop().expect("a move is left");
            if !in_check && !position.exchange_at_least(mv, Score::DRAW) {
                continue;
            }
            let mut child = position.clone();
            child.play(mv);
            let below = Window::new(window.alpha.max(best), window.beta).flip();
            best = best.max(-self.settle(&child, below, patience)?);
        }
        self.moves.truncate(first);
        if in_check && self.is_unsettled() {
            best = best.max(self.evaluate.evaluate(position));
        }
        Ok(best)
    }
}

impl<G: Noisy + Checks + Keyed, E: Evaluate<G>> Evaluate<G> for StandPatOrCapture<G, E> {
    const LONG: bool = true;

    fn evaluate(&mut self, position: &G) -> Score {
        self.evaluate_within(position, Window::FULL)
    }

    fn evaluate_within(&mut self, position: &G, window: Window) -> Score {
        let without_end = self.evaluate_patiently(position, window, &Patience::new(&Unlimited));
        without_end.expect("there are no limits")
    }

    fn evaluate_patiently(
        &mut self,
        position: &G,
        window: Window,
        patience: &Patience<'_>,
    ) -> Result<Score, Stopped> {
        self.moves.clear(); // the moves of an evaluation that was stopped
        self.taken = 0;
        self.settle(position, window, patience)
    }

    /// Returns the value of standing pat, even in check.
    fn evaluate_at_a_glance(&mut self, position: &G) -> Score {
        self.evaluate.evaluate(position)
    }
}
