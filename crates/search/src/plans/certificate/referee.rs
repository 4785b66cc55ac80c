//! Common parts of the referees of several games: draws by repetition, and an independent quiescence
//! search.
//!
//! *Reference:* McAllester & Yuret 1993, §8: the stand-pat or capture game.
//! *Deviations:* noisy moves that lose an exchange are not part of the game.
//! *Soundness:* this is a second implementation, as simple as possible, which starts from all legal
//! moves. A checker therefore shares no code with a search except the rules, the evaluation and the
//! value of exchanges.

use super::{Work, WorkLimit};
use crate::game::{Checks, Noisy, Repeats};
use crate::score::Score;
use crate::window::Window;

/// Whether the last position of a line is drawn by rule, or occurred before on the line, four or more
/// plies ago.
pub fn is_repeated_or_drawn<G: Repeats>(line: &[G]) -> bool {
    let Some((last, before)) = line.split_last() else { return false };
    let key = last.repetition_key();
    let reversible = before.iter().rev().take(last.reversible_plies());
    last.drawn_by_rule()
        || reversible
            .enumerate()
            .any(|(back, earlier)| back >= 3 && back % 2 == 1 && earlier.repetition_key() == key)
}

/// Returns the quiescence value: the side to move stands pat or plays noisy moves that do not lose an
/// exchange; in check it plays any move. `evaluate` gives the static values. The result is exact within
/// the window and a bound outside.
///
/// # Errors
/// If `work` is spent before the value is known.
pub fn quiescence_value<G: Noisy + Checks>(
    position: &G,
    window: Window,
    work: &mut Work,
    evaluate: &mut impl FnMut(&G) -> Score,
) -> Result<Score, WorkLimit> {
    fn between<G: Noisy + Checks>(
        position: &G,
        (alpha, beta): (Score, Score),
        work: &mut Work,
        evaluate: &mut impl FnMut(&G) -> Score,
    ) -> Result<Score, WorkLimit> {
        if (position.in_check() || position.may_be_over()) && position.is_over() {
            work.spend(1)?;
            return Ok(position.outcome().score(0).clamp_estimate());
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        work.spend(1 + moves.len())?;
        let mut best = -Score::MAX_ESTIMATE;
        if !position.in_check() {
            best = evaluate(position);
            moves.retain(|mv| position.is_noisy(*mv) && position.exchange_at_least(*mv, Score::DRAW));
            moves.sort_by_key(|mv| -position.noisy_rank(*mv));
        }
        for mv in moves {
            if best >= beta {
                break;
            }
            let mut child = position.clone();
            child.play(mv);
            best = best.max(-between(&child, (-beta, -alpha.max(best)), work, evaluate)?);
        }
        Ok(best)
    }
    between(position, (window.alpha, window.beta), work, evaluate)
}
