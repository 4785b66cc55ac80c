//! Attack on the king: danger is summed up in units, then squared.

use super::Both;
use super::masks::*;
use super::scan::Scan;
use super::tapered::Tapered;
use super::trace::{Account, Trace};
use super::weights as w;
use shakmaty::{Bitboard, Color, Role, attacks};

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
#[inline(always)]
pub(super) fn king<T: Trace>(
    us: Color,
    scan: &Scan,
    shelter: Tapered,
    to_move: bool,
    trace: &mut T,
) -> Tapered {
    let (our, their) = (scan.of(us), scan.of(!us));
    let side = Account::Side(us);
    let in_danger = Account::Danger(us);
    let king = our.king;
    let zone = our.zone;

    let mut score = trace.one(side, &w::KING_SQUARE, (relative(us, king) as usize) ^ 56);
    let defenders = our.own
        & (scan.pieces.by_role(Role::Pawn)
            | scan.pieces.by_role(Role::Knight)
            | scan.pieces.by_role(Role::Bishop));
    score += trace.one(side, &w::KING_DEFENDERS, (defenders & zone).count().min(11));

    let queens = scan.pieces.by_role(Role::Queen) & their.own;
    if our.attackers < 1 + u8::from(queens.is_empty()) {
        trace.discard(in_danger);
        return score;
    }

    // A square is weak when it is defended at most once, and only by king or queen.
    let weak = their.attacked & !our.twice & (!our.attacked | our.by(Role::Queen) | our.by(Role::King));
    let safe = !their.own & (!our.attacked | (weak & their.twice));

    let knight_lines = attacks::knight_attacks(king);
    let bishop_lines = attacks::bishop_attacks(king, scan.occupied);
    let rook_lines = attacks::rook_attacks(king, scan.occupied);
    let knight_checks = knight_lines & their.by(Role::Knight) & !their.own;
    let bishop_checks = bishop_lines & their.by(Role::Bishop) & !their.own;
    let rook_checks = rook_lines & their.by(Role::Rook) & !their.own;
    let queen_checks = (bishop_lines | rook_lines) & their.by(Role::Queen) & safe;
    let unsafe_checks = (knight_checks | bishop_checks | rook_checks) & !safe;

    let knight_checks = (knight_checks & safe).count();
    let bishop_checks = (bishop_checks & safe).count();
    let rook_checks = (rook_checks & safe).count();
    let queen_checks = queen_checks.count();
    let checks = knight_checks + bishop_checks + rook_checks + queen_checks;
    let camp = CAMP[us] & FLANK[king.file().to_usize()];
    let (their_camp, twice) = (their.attacked & camp, their.twice & camp);

    let mut danger = shelter + our.pressure;
    let mut add = |term, count: usize| danger += trace.take(in_danger, term, 0, count as i32);
    add(&w::DANGER_ATTACKS, 9 * usize::from(our.attacks) / zone.count().max(1));
    add(&w::DANGER_WEAK_SQUARES, (weak & zone).count());
    add(&w::DANGER_NO_QUEEN, usize::from(queens.is_empty()));
    add(&w::DANGER_KNIGHT_CHECKS, knight_checks);
    add(&w::DANGER_BISHOP_CHECKS, bishop_checks);
    add(&w::DANGER_ROOK_CHECKS, rook_checks);
    add(&w::DANGER_QUEEN_CHECKS, queen_checks);
    add(&w::DANGER_UNSAFE_CHECKS, unsafe_checks.count());
    add(&w::DANGER_KNIGHT_DEFENDER, usize::from(our.by(Role::Knight).intersects(zone)));
    add(&w::DANGER_BISHOP_DEFENDER, usize::from(our.by(Role::Bishop).intersects(zone)));
    add(&w::DANGER_PINNED, pinned(us, scan));
    add(&w::DANGER_CAMP_ATTACKS, their_camp.count() + twice.count());
    add(&w::DANGER_CAMP_DEFENCES, (our.attacked & camp).count());
    add(&w::DANGER_BASE, 1);
    if !to_move {
        add(&w::DANGER_THEIR_MOVE, 1);
        add(&w::DANGER_THEIR_MOVE_CHECKS, checks);
    }

    score - penalty(danger)
}

/// The five ranks nearest to each side.
static CAMP: Both<Bitboard> = ranks(0, 4);

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
fn pinned(us: Color, scan: &Scan) -> usize {
    let (our, their) = (scan.of(us), scan.of(!us));
    let (king, theirs) = (our.king, their.own);
    let diagonal = scan.pieces.by_role(Role::Bishop) | scan.pieces.by_role(Role::Queen);
    let straight = scan.pieces.rooks_and_queens();
    // Computed as if our pieces were transparent.
    let snipers =
        (attacks::bishop_attacks(king, theirs) & diagonal) | (attacks::rook_attacks(king, theirs) & straight);
    (snipers & theirs)
        .into_iter()
        .filter(|&sniper| (attacks::between(king, sniper) & our.own).single_square().is_some())
        .count()
}
