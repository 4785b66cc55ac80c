//! Pieces that are attacked and not sufficiently defended, and space.

use super::Both;
use super::masks::*;
use super::scan::Scan;
use super::tapered::Tapered;
use super::trace::{Account, Trace};
use super::weights as w;
use shakmaty::{Bitboard, Color, Role, attacks};

/// Where a pawn stands after its first step, from which it may have gone on.
static ONE_STEP: Both<Bitboard> = ranks(2, 2);
/// The ranks where space counts.
static HOME: Both<Bitboard> = ranks(1, 3);

const VICTIMS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Evaluates the threats that US makes. They count more when US is to move.
#[inline(always)]
pub(super) fn threats<T: Trace>(us: Color, scan: &Scan, to_move: bool, trace: &mut T) -> Tapered {
    let (our, their) = (scan.of(us), scan.of(!us));
    let side = Account::Side(us);
    let pawns = scan.pieces.by_role(Role::Pawn);
    let theirs = their.own;
    let men = theirs & !pawns & !scan.pieces.by_role(Role::King);
    let mut score = Tapered::ZERO;
    let count = |set: Bitboard| set.count() as i32;

    let strong = their.by(Role::Pawn) | (their.twice & !our.twice);
    let weak = theirs & !strong & our.attacked;

    let by_minor = (weak | (men & strong)) & (our.by(Role::Knight) | our.by(Role::Bishop));
    if by_minor.any() {
        for (index, role) in VICTIMS.into_iter().enumerate() {
            score +=
                trace.take(side, &w::THREAT_BY_MINOR, index, count(by_minor & scan.pieces.by_role(role)));
        }
    }
    if weak.any() {
        let by_rook = weak & our.by(Role::Rook);
        for (index, role) in VICTIMS.into_iter().enumerate() {
            score += trace.take(side, &w::THREAT_BY_ROOK, index, count(by_rook & scan.pieces.by_role(role)));
        }
        let by_king = weak & our.by(Role::King);
        score += trace.take(side, &w::THREAT_BY_KING, 0, count(by_king & pawns));
        score += trace.take(side, &w::THREAT_BY_KING, 1, count(by_king & !pawns));
        let by_queen = weak & our.by(Role::Queen);
        score += trace.take(side, &w::THREAT_BY_QUEEN, 0, count(by_queen));
        let hanging = weak & (!their.attacked | (men & our.twice));
        let (pawns, others) = (count(hanging & pawns), count(hanging & !pawns));
        score += trace.take(side, &w::HANGING, 0, pawns);
        score += trace.take(side, &w::HANGING, 1, others);
        if to_move {
            score += trace.take(side, &w::TO_MOVE_HANGING, 0, pawns);
            score += trace.take(side, &w::TO_MOVE_HANGING, 1, others);
            score += trace.take(side, &w::TO_MOVE_WEAK, 0, count(by_minor & men));
            score += trace.take(side, &w::TO_MOVE_WEAK, 1, count(by_rook & men));
        }
        score += trace.take(side, &w::QUEEN_GUARDS, 0, count(weak & their.by(Role::Queen)));
    }

    // Pawns that attack pieces, now or after one step.
    let safe = !their.attacked | our.attacked;
    let our_pawns = pawns & our.own;
    let (west, east) = pawn_attacks(us, our_pawns & safe);
    let by_safe = count((west | east) & men);
    let (west, east) = pawn_attacks(us, our_pawns & !safe);
    let by_unsafe = count((west | east) & men);
    score += trace.take(side, &w::THREAT_BY_PAWN, 0, by_unsafe);
    score += trace.take(side, &w::THREAT_BY_PAWN, 1, by_safe);
    if to_move {
        score += trace.take(side, &w::TO_MOVE_BY_PAWN, 0, by_unsafe);
        score += trace.take(side, &w::TO_MOVE_BY_PAWN, 1, by_safe);
    }
    let free = !scan.occupied;
    let steps = up(us, our_pawns) & free;
    let steps = steps | (up(us, steps & ONE_STEP[us]) & free);
    let (west, east) = pawn_attacks(us, steps & !their.by(Role::Pawn) & safe);
    score += trace.take(side, &w::THREAT_BY_PUSH, 0, count((west | east) & men));

    // Pieces that must move or are lost. The side that has to answer can save only one at a time.
    let by_lesser = (our.by(Role::Pawn) & men)
        | (by_minor & scan.pieces.rooks_and_queens())
        | (our.by(Role::Rook) & theirs & scan.pieces.by_role(Role::Queen))
        | (men & weak & !their.attacked);
    let many = by_lesser.count().min(3) + 4 * usize::from(to_move);
    score += trace.one(side, &w::MANY_THREATS, many);

    // Squares from which a minor piece or rook could attack the queen next.
    let queens = scan.pieces.by_role(Role::Queen) & theirs;
    if let Some(queen) = queens.single_square() {
        let landing = !strong & !(our_pawns | Bitboard::from_square(our.king)) & !their.by(Role::Pawn);
        let knights = attacks::knight_attacks(queen) & our.by(Role::Knight) & landing;
        let bishops = attacks::bishop_attacks(queen, scan.occupied) & our.by(Role::Bishop);
        let rooks = attacks::rook_attacks(queen, scan.occupied) & our.by(Role::Rook);
        let sliders = (bishops | rooks) & landing & our.twice;
        score += trace.take(side, &w::QUEEN_SOON_ATTACKED, 0, count(knights));
        score += trace.take(side, &w::QUEEN_SOON_ATTACKED, 1, count(sliders));
    }

    // Squares that the other side attacks but cannot use well, and space behind our pawns.
    let restricted = their.attacked & !strong & our.attacked;
    score += trace.take(side, &w::RESTRICTED, 0, count(restricted & !scan.occupied));
    score += trace.take(side, &w::RESTRICTED, 1, count(restricted & theirs));
    let home = HOME[us] & Bitboard(0x3C3C_3C3C_3C3C_3C3C);
    let room = home & !our_pawns & !their.by(Role::Pawn);
    let behind = down(us, our_pawns);
    let behind = behind | down(us, behind) | down(us, down(us, behind));
    score += trace.take(side, &w::SPACE, 0, count(room));
    score += trace.take(side, &w::SPACE, 1, count(room & behind & !their.attacked));
    score
}
