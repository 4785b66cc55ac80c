//! A short search for a mate in which every move of the attacker gives check.
//!
//! *Reference:* Kaindl 1983, §II: a null move, and then the attempt to mate.
//! *Deviations:* it deepens check by check, so that the mate it finds is the shortest of its kind. Draws are not
//! looked for: a shortest mate does not repeat itself.
//! *Soundness:* a mate that it finds is one; it misses those with a quiet move.

use crate::worker::{MAX_PLY, Worker};
use crate::{Checks, NodeKind, Noisy, Observe, Recipe, Score, Stopped, Window};

/// Below every proven win: what a hunt without success is worth.
const NOTHING: Score = Score::MAX_ESTIMATE;

/// The windows of both sides: only a proven win matters.
const WINDOW: Window = Window { alpha: NOTHING, beta: Score::INFINITE };

/// The win that the side to move can force with at most so many checks, the last one included; if there is
/// none, no win.
pub(super) fn hunt<G: Noisy + Checks, R: Recipe<G>, N: NodeKind>(
    worker: &mut Worker<'_, G, R>,
    position: &G,
    ply: usize,
    checks: usize,
) -> Result<Score, Stopped> {
    let first = worker.stack.moves.len();
    position.moves(&mut worker.stack.moves);
    let last = worker.stack.moves.len();
    for allowed in 1..=checks {
        for index in first..last {
            if worker.is_unsettled() {
                break;
            }
            let mv = worker.stack.moves[index];
            let mut child = position.clone();
            child.play(mv);
            let ends = || child.may_be_over() && child.is_over();
            if !position.gives_check(mv) && !ends() {
                continue;
            }
            worker.count(ply + 1)?;
            worker.slots.observe.enter(&child, WINDOW.flip(), ply + 1);
            let value = -flee::<G, R, N>(worker, &child, ply + 1, allowed - 1)?;
            worker.slots.observe.leave(-value, ply + 1);
            if value.is_win() {
                if N::PV {
                    worker.pv.prepend(ply, mv);
                }
                worker.stack.close(first);
                return Ok(value);
            }
        }
    }
    worker.stack.close(first);
    Ok(NOTHING)
}

/// The loss that the side to move, in check, cannot avoid if the other side has so many checks more; if
/// there is none, no loss.
fn flee<G: Noisy + Checks, R: Recipe<G>, N: NodeKind>(
    worker: &mut Worker<'_, G, R>,
    position: &G,
    ply: usize,
    checks: usize,
) -> Result<Score, Stopped> {
    if N::PV {
        worker.pv.clear(ply);
    }
    let first = worker.stack.moves.len();
    position.moves(&mut worker.stack.moves);
    let last = worker.stack.moves.len();
    if first == last {
        return Ok(position.outcome().score(ply));
    }
    if checks == 0 || ply + 1 >= MAX_PLY {
        worker.stack.close(first);
        return Ok(-NOTHING);
    }
    let mut best = Score::loss_in(ply);
    for index in first..last {
        let mv = worker.stack.moves[index];
        let mut child = position.clone();
        child.play(mv);
        worker.count(ply + 1)?;
        worker.slots.observe.enter(&child, WINDOW, ply + 1);
        let value = -hunt::<G, R, N>(worker, &child, ply + 1, checks)?;
        worker.slots.observe.leave(-value, ply + 1);
        if value > best {
            best = value;
            if N::PV {
                worker.pv.prepend(ply, mv);
            }
        }
        if !value.is_loss() {
            break;
        }
    }
    worker.stack.close(first);
    Ok(best)
}
