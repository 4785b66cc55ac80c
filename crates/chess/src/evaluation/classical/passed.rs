//! Passed pawns: how far advanced, how free, and how near the kings are.

use super::masks::*;
use super::scan::Scan;
use super::tapered::Tapered;
use super::trace::{Account, Trace};
use super::weights as w;
use shakmaty::{Bitboard, Color, Role, Square};

/// Evaluates the passed pawns of US, which are our pawns in `passed`.
#[inline(always)]
pub(super) fn passed<T: Trace>(
    us: Color,
    scan: &Scan,
    passed: Bitboard,
    to_move: bool,
    trace: &mut T,
) -> Tapered {
    let (our, their) = (scan.of(us), scan.of(!us));
    let side = Account::Side(us);
    let mut score = Tapered::ZERO;
    let bare = !their.own.intersects(!(scan.pieces.by_role(Role::Pawn) | scan.pieces.by_role(Role::King)));

    for pawn in passed & our.own {
        let rank = relative_rank(us, pawn);
        let path = FRONT[us][pawn as usize];
        let stop = up(us, Bitboard::from_square(pawn));
        let Some(stop_square) = stop.first() else { continue };

        let blocked = stop.intersects(scan.occupied);
        let safe = !stop.intersects(their.attacked);
        let index = 16 * usize::from(!blocked) + 8 * usize::from(safe) + rank;
        score += trace.one(side, &w::PASSED, index);
        score += trace.one(side, &w::PASSED_FILE, edge_distance(pawn.file()));

        let king_steps = |king: Square| steps(king, stop_square).min(5) as i32;
        score += trace.take(side, &w::PASSED_OWN_KING, rank, king_steps(our.king));
        score += trace.take(side, &w::PASSED_THEIR_KING, rank, king_steps(their.king));

        if !path.intersects(their.attacked | their.own) {
            score += trace.one(side, &w::PASSED_FREE_PATH, rank);
        }
        if stop.intersects(our.attacked) {
            score += trace.one(side, &w::PASSED_GUARDED_STEP, rank);
        }
        let behind = FRONT[!us][pawn as usize] & scan.pieces.rooks_and_queens();
        if behind.any() {
            // Only the nearest of them has a free line to the pawn.
            let nearest = if us.is_white() { behind.last() } else { behind.first() };
            if let Some(rook) = nearest
                && !shakmaty::attacks::between(rook, pawn).intersects(scan.occupied)
            {
                score += trace.one(side, &w::PASSED_ROOK_BEHIND, usize::from(their.own.contains(rook)));
            }
        }
        if to_move {
            score += trace.one(side, &w::PASSED_TO_MOVE, rank);
        }
        if bare && !path.intersects(scan.occupied) {
            // The rule of the square.
            let goal = Square::from_coords(pawn.file(), (!us).backrank());
            let moves = (7 - rank as u32).min(5);
            if their.king.distance(goal) > moves + u32::from(!to_move) {
                score += trace.one(side, &w::PASSED_UNSTOPPABLE, 0);
            }
        }
    }
    score
}
