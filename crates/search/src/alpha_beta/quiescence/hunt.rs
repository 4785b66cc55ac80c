//! A short search for a mate in which every move of the attacker gives check.
//!
//! *Reference:* Kaindl 1983, §II: a null move, and then the attempt to mate.
//! *Deviations:* deepens check by check, so that the mate found is the shortest of its kind.
//! *Soundness:* a mate that it finds is correct. It misses mates with a quiet move.

use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::observe::Observe;
use crate::alpha_beta::{MAX_PLY, Worker};
use crate::alpha_beta::{NodeKind, Recipe};
use crate::game::{Checks, Noisy};
use crate::limits::Stopped;
use crate::score::Score;
use crate::window::Window;

/// The value of a hunt without success, below every proven win.
const NOTHING: Score = Score::MAX_ESTIMATE;

/// The window of the attacker. Only a proven win matters.
const WINDOW: Window = Window { alpha: NOTHING, beta: Score::INFINITE };

/// Returns the win that the side to move can force with at most `checks` checks, including the last one,
/// or `NOTHING` if there is none.
pub(super) fn hunt<G: Noisy + Checks, R: Recipe<G>, N: NodeKind>(
    worker: &mut Worker<'_, G, R>,
    position: &G,
    ply: usize,
    checks: usize,
) -> Result<Score, Stopped> {
    let first = worker.stack.moves.len();
    position.moves(&mut worker.stack.moves);
    let last = worker.stack.moves.len();
    worker.slots.draws.push(position);
    for allowed in 1..=checks {
        for index in first..last {
            if worker.is_unsettled() {
                break;
            }
            let mv = worker.stack.moves[index];
            let mut child = position.clone();
            child.play(mv);
            let ends = || child.may_be_over() && child.is_over();
            if !position.gives_check(mv) && !ends() || worker.slots.draws.is_draw(&child, ply + 1) {
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
                worker.slots.draws.pop();
                worker.stack.truncate(first);
                return Ok(value);
            }
        }
    }
    worker.slots.draws.pop();
    worker.stack.truncate(first);
    Ok(NOTHING)
}

/// Returns the loss that the side to move, in check, cannot avoid if the other side has `checks` more
/// checks, or `-NOTHING` if there is none.
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
        worker.stack.truncate(first);
        return Ok(-NOTHING);
    }
    let mut best = Score::loss_in(ply);
    worker.slots.draws.push(position);
    for index in first..last {
        let mv = worker.stack.moves[index];
        let mut child = position.clone();
        child.play(mv);
        if worker.slots.draws.is_draw(&child, ply + 1) {
            best = -NOTHING;
            break;
        }
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
    worker.slots.draws.pop();
    worker.stack.truncate(first);
    Ok(best)
}
