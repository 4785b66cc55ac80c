//! Pieces that are attacked and not sufficiently defended, and space.

use super::masks::*;
use super::scan::Scan;
use super::tapered::Tapered;
use super::trace::{Account, Trace};
use super::weights as w;
use shakmaty::{Bitboard, Role, attacks};

const VICTIMS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Evaluates the threats that US makes. They count more when US is to move.
pub(super) fn threats<const US: usize, T: Trace>(scan: &Scan, to_move: bool, trace: &mut T) -> Tapered {
    let them = 1 - US;
    let side = Account::Side(color::<US>());
    let pawns = scan.pieces.by_role(Role::Pawn);
    let theirs = scan.own[them];
    let men = theirs & !pawns & !scan.pieces.by_role(Role::King);
    let mut score = Tapered::ZERO;
    let count = |set: Bitboard| set.count() as i32;

    let strong = scan.by(them, Role::Pawn) | (scan.twice[them] & !scan.twice[US]);
    let weak = theirs & !strong & scan.attacked[US];

    let by_minor = (weak | (men & strong)) & (scan.by(US, Role::Knight) | scan.by(US, Role::Bishop));
    if by_minor.any() {
        for (index, role) in VICTIMS.into_iter().enumerate() {
            score +=
                trace.take(side, &w::THREAT_BY_MINOR, index, count(by_minor & scan.pieces.by_role(role)));
        }
    }
    if weak.any() {
        let by_rook = weak & scan.by(US, Role::Rook);
        for (index, role) in VICTIMS.into_iter().enumerate() {
            score += trace.take(side, &w::THREAT_BY_ROOK, index, count(by_rook & scan.pieces.by_role(role)));
        }
        let by_king = weak & scan.by(US, Role::King);
        score += trace.take(side, &w::THREAT_BY_KING, 0, count(by_king & pawns));
        score += trace.take(side, &w::THREAT_BY_KING, 1, count(by_king & !pawns));
        let by_queen = weak & scan.by(US, Role::Queen);
        score += trace.take(side, &w::THREAT_BY_QUEEN, 0, count(by_queen));
        let hanging = weak & (!scan.attacked[them] | (men & scan.twice[US]));
        let (pawns, others) = (count(hanging & pawns), count(hanging & !pawns));
        score += trace.take(side, &w::HANGING, 0, pawns);
        score += trace.take(side, &w::HANGING, 1, others);
        if to_move {
            score += trace.take(side, &w::TO_MOVE_HANGING, 0, pawns);
            score += trace.take(side, &w::TO_MOVE_HANGING, 1, others);
            score += trace.take(side, &w::TO_MOVE_WEAK, 0, count(by_minor & men));
            score += trace.take(side, &w::TO_MOVE_WEAK, 1, count(by_rook & men));
        }
        score += trace.take(side, &w::QUEEN_GUARDS, 0, count(weak & scan.by(them, Role::Queen)));
    }

    // Pawns that attack pieces, now or after one step.
    let safe = !scan.attacked[them] | scan.attacked[US];
    let our_pawns = pawns & scan.own[US];
    let (west, east) = pawn_attacks::<US>(our_pawns & safe);
    let by_safe = count((west | east) & men);
    let (west, east) = pawn_attacks::<US>(our_pawns & !safe);
    let by_unsafe = count((west | east) & men);
    score += trace.take(side, &w::THREAT_BY_PAWN, 0, by_unsafe);
    score += trace.take(side, &w::THREAT_BY_PAWN, 1, by_safe);
    if to_move {
        score += trace.take(side, &w::TO_MOVE_BY_PAWN, 0, by_unsafe);
        score += trace.take(side, &w::TO_MOVE_BY_PAWN, 1, by_safe);
    }
    let free = !scan.occupied;
    let steps = up::<US>(our_pawns) & free;
    let steps = steps | (up::<US>(steps & ranks::<US>(2, 2)) & free);
    let (west, east) = pawn_attacks::<US>(steps & !scan.by(them, Role::Pawn) & safe);
    score += trace.take(side, &w::THREAT_BY_PUSH, 0, count((west | east) & men));

    // Pieces that must move or are lost. The side that has to answer can save only one at a time.
    let by_lesser = (scan.by(US, Role::Pawn) & men)
        | (by_minor & scan.pieces.rooks_and_queens())
        | (scan.by(US, Role::Rook) & theirs & scan.pieces.by_role(Role::Queen))
        | (men & weak & !scan.attacked[them]);
    let many = by_lesser.count().min(3) + 4 * usize::from(to_move);
    score += trace.one(side, &w::MANY_THREATS, many);

    // Squares from which a minor piece or rook could attack the queen next.
    let queens = scan.pieces.by_role(Role::Queen) & theirs;
    if let Some(queen) = queens.single_square() {
        let landing =
            !strong & !(our_pawns | Bitboard::from_square(scan.kings[US])) & !scan.by(them, Role::Pawn);
        let knights = attacks::knight_attacks(queen) & scan.by(US, Role::Knight) & landing;
        let bishops = attacks::bishop_attacks(queen, scan.occupied) & scan.by(US, Role::Bishop);
        let rooks = attacks::rook_attacks(queen, scan.occupied) & scan.by(US, Role::Rook);
        let sliders = (bishops | rooks) & landing & scan.twice[US];
        score += trace.take(side, &w::QUEEN_SOON_ATTACKED, 0, count(knights));
        score += trace.take(side, &w::QUEEN_SOON_ATTACKED, 1, count(sliders));
    }

    // Squares that the other side attacks but cannot use well, and space behind our pawns.
    let restricted = scan.attacked[them] & !strong & scan.attacked[US];
    score += trace.take(side, &w::RESTRICTED, 0, count(restricted & !scan.occupied));
    score += trace.take(side, &w::RESTRICTED, 1, count(restricted & theirs));
    let home = ranks::<US>(1, 3) & Bitboard(0x3C3C_3C3C_3C3C_3C3C);
    let room = home & !our_pawns & !scan.by(them, Role::Pawn);
    let behind = down::<US>(our_pawns);
    let behind = behind | down::<US>(behind) | down::<US>(down::<US>(behind));
    score += trace.take(side, &w::SPACE, 0, count(room));
    score += trace.take(side, &w::SPACE, 1, count(room & behind & !scan.attacked[them]));
    score
}
