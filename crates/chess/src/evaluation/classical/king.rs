//! Attack on the king: danger is summed up in units, then squared.

use super::masks::*;
use super::scan::Scan;
use super::tapered::Tapered;
use super::trace::{Account, Trace};
use super::weights as w;
use shakmaty::{Bitboard, Role, attacks};

/// Returns the penalty for danger: its square in the middlegame, a fraction of it in the endgame.
///
/// The two halves of `danger` are summed up separately, so that a term may count in one phase only.
#[inline]
pub fn penalty(danger: Tapered) -> Tapered {
    let (mg, eg) = (danger.mg().max(0), danger.eg().max(0));
    Tapered::new((mg * mg / SQUARE_DIVISOR).min(MAX_PENALTY), eg / LINEAR_DIVISOR)
}

/// Middlegame danger of this size gives a penalty equal to the danger.
pub const SQUARE_DIVISOR: i32 = 720;
/// Endgame danger of this size gives a penalty of one centipawn.
pub const LINEAR_DIVISOR: i32 = 20;
/// The maximum penalty for danger.
pub const MAX_PENALTY: i32 = 2000;

/// Evaluates the king of US: its defenders, and the attack on it. `shelter` is the danger that the pawns
/// in front of it have already contributed.
pub(super) fn king<const US: usize, T: Trace>(
    scan: &Scan,
    shelter: Tapered,
    to_move: bool,
    trace: &mut T,
) -> Tapered {
    let them = 1 - US;
    let side = Account::Side(color::<US>());
    let in_danger = Account::Danger(color::<US>());
    let king = scan.kings[US];
    let zone = scan.zone[US];

    let mut score = trace.one(side, &w::KING_SQUARE, (relative::<US>(king) as usize) ^ 56);
    let defenders = scan.own[US]
        & (scan.pieces.by_role(Role::Pawn)
            | scan.pieces.by_role(Role::Knight)
            | scan.pieces.by_role(Role::Bishop));
    score += trace.one(side, &w::KING_DEFENDERS, (defenders & zone).count().min(11));

    let queens = scan.pieces.by_role(Role::Queen) & scan.own[them];
    if scan.attackers[US] < 1 + u8::from(queens.is_empty()) {
        trace.discard(in_danger);
        return score;
    }

    // A square is weak when it is defended at most once, and only by king or queen.
    let weak = scan.attacked[them]
        & !scan.twice[US]
        & (!scan.attacked[US] | scan.by(US, Role::Queen) | scan.by(US, Role::King));
    let safe = !scan.own[them] & (!scan.attacked[US] | (weak & scan.twice[them]));

    let knight_lines = attacks::knight_attacks(king);
    let bishop_lines = attacks::bishop_attacks(king, scan.occupied);
    let rook_lines = attacks::rook_attacks(king, scan.occupied);
    let knight_checks = knight_lines & scan.by(them, Role::Knight) & !scan.own[them];
    let bishop_checks = bishop_lines & scan.by(them, Role::Bishop) & !scan.own[them];
    let rook_checks = rook_lines & scan.by(them, Role::Rook) & !scan.own[them];
    let queen_checks = (bishop_lines | rook_lines) & scan.by(them, Role::Queen) & safe;
    let unsafe_checks = (knight_checks | bishop_checks | rook_checks) & !safe;

    let knight_checks = (knight_checks & safe).count();
    let bishop_checks = (bishop_checks & safe).count();
    let rook_checks = (rook_checks & safe).count();
    let queen_checks = queen_checks.count();
    let checks = knight_checks + bishop_checks + rook_checks + queen_checks;
    let camp = CAMP[US] & FLANK[king.file().to_usize()];
    let (their_camp, twice) = (scan.attacked[them] & camp, scan.twice[them] & camp);

    let mut danger = shelter + scan.pressure[US];
    let mut add = |term, count: usize| danger += trace.take(in_danger, term, 0, count as i32);
    add(&w::DANGER_ATTACKS, 9 * usize::from(scan.attacks[US]) / zone.count().max(1));
    add(&w::DANGER_WEAK_SQUARES, (weak & zone).count());
    add(&w::DANGER_NO_QUEEN, usize::from(queens.is_empty()));
    add(&w::DANGER_KNIGHT_CHECKS, knight_checks);
    add(&w::DANGER_BISHOP_CHECKS, bishop_checks);
    add(&w::DANGER_ROOK_CHECKS, rook_checks);
    add(&w::DANGER_QUEEN_CHECKS, queen_checks);
    add(&w::DANGER_UNSAFE_CHECKS, unsafe_checks.count());
    add(&w::DANGER_KNIGHT_DEFENDER, usize::from(scan.by(US, Role::Knight).intersects(zone)));
    add(&w::DANGER_BISHOP_DEFENDER, usize::from(scan.by(US, Role::Bishop).intersects(zone)));
    add(&w::DANGER_PINNED, pinned::<US>(scan));
    add(&w::DANGER_CAMP_ATTACKS, their_camp.count() + twice.count());
    add(&w::DANGER_CAMP_DEFENCES, (scan.attacked[US] & camp).count());
    add(&w::DANGER_BASE, 1);
    if !to_move {
        add(&w::DANGER_THEIR_MOVE, 1);
        add(&w::DANGER_THEIR_MOVE_CHECKS, checks);
    }

    score - penalty(danger)
}

/// The five ranks nearest to each side.
const CAMP: [Bitboard; 2] = [ranks::<BLACK>(0, 4), ranks::<WHITE>(0, 4)];

/// The files around each file: three at the edge, four otherwise.
const FLANK: [Bitboard; 8] = {
    const A: u64 = 0x0101_0101_0101_0101;
    let (queenside, center, kingside) = (A * 0x0F, A * 0x3C, A * 0xF0);
    [
        Bitboard(A * 0x07),
        Bitboard(queenside),
        Bitboard(queenside),
        Bitboard(center),
        Bitboard(center),
        Bitboard(kingside),
        Bitboard(kingside),
        Bitboard(A * 0xE0),
    ]
};

/// Counts the pieces of US that shield their king from a slider.
#[inline(always)]
fn pinned<const US: usize>(scan: &Scan) -> usize {
    let king = scan.kings[US];
    let theirs = scan.own[1 - US];
    let diagonal = scan.pieces.by_role(Role::Bishop) | scan.pieces.by_role(Role::Queen);
    let straight = scan.pieces.rooks_and_queens();
    // Computed as if our pieces were transparent.
    let snipers =
        (attacks::bishop_attacks(king, theirs) & diagonal) | (attacks::rook_attacks(king, theirs) & straight);
    (snipers & theirs)
        .into_iter()
        .filter(|&sniper| (attacks::between(king, sniper) & scan.own[US]).single_square().is_some())
        .count()
}
