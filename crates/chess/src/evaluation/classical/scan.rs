//! Scans the pieces once: where they stand, what they attack, how mobile they are.

use super::masks::*;
use super::pawns::PawnEntry;
use super::tapered::Tapered;
use super::trace::{Account, Trace};
use super::weights as w;
use super::{Both, Pieces};
use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// The result of the scan, for the terms that need both sides' attacks.
pub(super) struct Scan<'p> {
    pub pieces: &'p Pieces,
    pub occupied: Bitboard,
    sides: Both<Half>,
}

/// The part of a scan that concerns one side.
pub(super) struct Half {
    pub own: Bitboard,
    pub king: Square,
    /// Squares attacked at least once.
    pub attacked: Bitboard,
    /// Squares attacked by at least two pieces.
    pub twice: Bitboard,
    attacked_by: [Bitboard; 8],
    /// The squares around the king that count as attacks on it.
    pub zone: Bitboard,
    /// The number of enemy pieces that attack the zone.
    pub attackers: u8,
    /// The number of attacks on the squares next to the king.
    pub attacks: u16,
    /// The weights of the attackers, in danger.
    pub pressure: Tapered,
    /// The squares that count for mobility: no enemy pawn attacks them, and they hold neither the own king
    /// nor an own pawn that cannot move or has not moved far.
    area: Bitboard,
}

/// Ranks 4 to 6, where an outpost can be.
static OUTPOST_RANKS: Both<Bitboard> = ranks(3, 5);
/// Ranks 2 and 3, where a pawn has not moved far.
static LOW_RANKS: Both<Bitboard> = ranks(1, 2);

impl Half {
    /// Pawns and king of a side.
    #[inline(always)]
    fn new(us: Color, pieces: &Pieces, occupied: Bitboard, kings: Both<Square>) -> Half {
        let (own_pawns, king) = (pieces.of(us, Role::Pawn), kings[us]);
        let (west, east) = pawn_attacks(us, own_pawns);
        let (pawns, next) = (west | east, attacks::king_attacks(king));
        let (their_west, their_east) = pawn_attacks(!us, pieces.of(!us, Role::Pawn));
        let stuck = own_pawns & (down(us, occupied) | LOW_RANKS[us]);
        let mut attacked_by = [Bitboard::EMPTY; 8];
        attacked_by[Role::Pawn as usize] = pawns;
        attacked_by[Role::King as usize] = next;
        Half {
            own: pieces.by_side(us),
            king,
            attacked: pawns | next,
            twice: (west & east) | (pawns & next),
            attacked_by,
            zone: KING_ZONE[us][king as usize] & !(west & east),
            attackers: 0,
            attacks: 0,
            pressure: Tapered::ZERO,
            area: !(stuck | Bitboard::from_square(king) | their_west | their_east),
        }
    }

    /// Returns the squares that the pieces of one role attack.
    #[inline(always)]
    pub fn by(&self, role: Role) -> Bitboard {
        self.attacked_by[role as usize & 7]
    }

    /// Records what one piece attacks. Returns its mobility.
    #[inline(always)]
    fn note<T: Trace>(
        &mut self,
        us: Color,
        their: &mut Half,
        role: Role,
        attacks: Bitboard,
        trace: &mut T,
    ) -> usize {
        self.twice |= self.attacked & attacks;
        self.attacked |= attacks;
        self.attacked_by[role as usize & 7] |= attacks;
        let hits = attacks & their.zone;
        if hits.any() {
            their.attackers += 1;
            their.attacks += (hits & attacks::king_attacks(their.king)).count() as u16;
            let weight = role as usize - Role::Knight as usize;
            their.pressure += trace.one(Account::Danger(!us), &w::DANGER_ATTACKER, weight);
        }
        (attacks & self.area).count()
    }
}

impl<'p> Scan<'p> {
    pub fn new(pieces: &'p Pieces, kings: Both<Square>) -> Scan<'p> {
        let occupied = pieces.occupied();
        let half = |us| Half::new(us, pieces, occupied, kings);
        Scan { pieces, occupied, sides: Both::new(half(Color::White), half(Color::Black)) }
    }

    /// Returns the half of a side.
    #[inline(always)]
    pub fn of(&self, side: Color) -> &Half {
        &self.sides[side]
    }

    /// Evaluates the knights, bishops, rooks and queens of one side: squares, mobility and all terms
    /// that depend on one piece and the pawns only.
    #[inline(always)]
    pub fn pieces<T: Trace>(&mut self, us: Color, entry: &PawnEntry, trace: &mut T) -> Tapered {
        let pieces = self.pieces;
        let (our, their) = self.sides.split(us);
        let side = Account::Side(us);
        let occupied = self.occupied;
        let (ours, theirs) = (our.own, their.own);
        let pawns = pieces.by_role(Role::Pawn);
        let (our_pawns, their_pawns) = (pawns & ours, pawns & theirs);
        let outposts = OUTPOST_RANKS[us] & !entry.reach[!us];
        let their_zone = their.zone;
        let behind_pawn = down(us, pawns);
        let closed = usize::from(entry.closedness).min(8);
        let mut score = Tapered::ZERO;

        let knights = pieces.of(us, Role::Knight);
        if knights.any() {
            let count = knights.count() as i32;
            score += trace.take(side, &w::KNIGHT_CLOSED, closed, count);
            score += trace.take(side, &w::BEHIND_PAWN, 0, (knights & behind_pawn).count() as i32);
        }
        for knight in knights {
            score += trace.one(side, &w::KNIGHT_SQUARE, (relative(us, knight) as usize) ^ 56);
            score += near_kings(side, our, their, knight, &w::KNIGHT_NEAR_KINGS, trace);
            let reach = attacks::knight_attacks(knight);
            let mobility = our.note(us, their, Role::Knight, reach, trace);
            score += trace.one(side, &w::KNIGHT_MOBILITY, mobility.min(8));
            score += outpost(side, our, knight, reach, outposts, &w::KNIGHT_OUTPOST, trace);
        }

        let bishops = pieces.of(us, Role::Bishop);
        let xray = occupied & !(ours & (pieces.by_role(Role::Bishop) | pieces.by_role(Role::Queen)));
        if bishops.any() {
            score += trace.take(side, &w::BEHIND_PAWN, 1, (bishops & behind_pawn).count() as i32);
            if bishops.intersects(LIGHT_SQUARES) && bishops.intersects(!LIGHT_SQUARES) {
                score += trace.one(side, &w::BISHOP_PAIR, 0);
            }
        }
        for bishop in bishops {
            score += trace.one(side, &w::BISHOP_SQUARE, (relative(us, bishop) as usize) ^ 56);
            score += near_kings(side, our, their, bishop, &w::BISHOP_NEAR_KINGS, trace);
            let reach = attacks::bishop_attacks(bishop, xray);
            let mobility = our.note(us, their, Role::Bishop, reach, trace);
            score += trace.one(side, &w::BISHOP_MOBILITY, mobility.min(13));
            score += outpost(side, our, bishop, reach, outposts, &w::BISHOP_OUTPOST, trace);
            let color = if LIGHT_SQUARES.contains(bishop) { LIGHT_SQUARES } else { !LIGHT_SQUARES };
            let same = our_pawns & color;
            let rammed = same & down(us, their_pawns);
            score += trace.take(side, &w::BISHOP_OWN_PAWNS, 0, same.count() as i32);
            score += trace.take(side, &w::BISHOP_RAMMED_PAWNS, 0, rammed.count() as i32);
            let through = attacks::bishop_attacks(bishop, pawns);
            if (through & CENTER).more_than_one() {
                score += trace.one(side, &w::BISHOP_LONG_DIAGONAL, 0);
            }
            if through.intersects(their_zone) {
                score += trace.one(side, &w::BISHOP_AT_KING, 0);
            }
            let aimed = DIAGONALS[bishop as usize] & their_pawns;
            score += trace.take(side, &w::BISHOP_AT_PAWNS, 0, aimed.count() as i32);
        }

        let rooks = pieces.of(us, Role::Rook);
        let xray = occupied & !(ours & pieces.rooks_and_queens());
        let king = our.king;
        if rooks.any() {
            let count = rooks.count() as i32;
            score += trace.take(side, &w::ROOK_CLOSED, closed, count);
        }
        for rook in rooks {
            score += trace.one(side, &w::ROOK_SQUARE, (relative(us, rook) as usize) ^ 56);
            score += near_kings(side, our, their, rook, &w::ROOK_NEAR_KINGS, trace);
            let reach = attacks::rook_attacks(rook, xray);
            let mobility = our.note(us, their, Role::Rook, reach, trace);
            score += trace.one(side, &w::ROOK_MOBILITY, mobility.min(14));
            if attacks::rook_attacks(rook, pawns).intersects(their_zone) {
                score += trace.one(side, &w::ROOK_AT_KING, 0);
            }
            let file = file_of(rook);
            if !our_pawns.intersects(file) {
                score += trace.one(side, &w::ROOK_FILE, usize::from(!their_pawns.intersects(file)));
            } else if mobility <= 3
                && (king.file().to_u32() < 4) == (rook.file().to_u32() < king.file().to_u32())
            {
                score += trace.one(side, &w::ROOK_TRAPPED, 0);
            }
            if relative_rank(us, rook) == 6
                && (relative_rank(us, their.king) >= 6 || their_pawns.intersects(rank_of(rook)))
            {
                score += trace.one(side, &w::ROOK_SEVENTH, 0);
            }
        }

        let queens = pieces.of(us, Role::Queen);
        for queen in queens {
            score += trace.one(side, &w::QUEEN_SQUARE, (relative(us, queen) as usize) ^ 56);
            score += near_kings(side, our, their, queen, &w::QUEEN_NEAR_KINGS, trace);
            let reach = attacks::queen_attacks(queen, occupied);
            let mobility = our.note(us, their, Role::Queen, reach, trace);
            score += trace.one(side, &w::QUEEN_MOBILITY, mobility.min(27));
            let diagonal = DIAGONALS[queen as usize] & pieces.by_role(Role::Bishop);
            let straight = STRAIGHTS[queen as usize] & pieces.by_role(Role::Rook);
            for slider in (diagonal | straight) & theirs {
                let between = attacks::between(queen, slider) & occupied;
                if between.any() && !between.more_than_one() {
                    let own = ours.intersects(between);
                    score += trace.one(side, &w::QUEEN_SHIELDED, usize::from(own));
                }
            }
        }
        score
    }
}

/// Evaluates a piece by its steps to its own king, and to the other king.
#[inline(always)]
fn near_kings<T: Trace>(
    side: Account,
    our: &Half,
    their: &Half,
    piece: Square,
    term: &super::trace::Term<16>,
    trace: &mut T,
) -> Tapered {
    let own = steps(our.king, piece);
    let other = steps(their.king, piece);
    trace.one(side, term, own) + trace.one(side, term, 8 + other)
}

/// Evaluates a minor piece on an outpost, or next to one.
#[inline(always)]
fn outpost<T: Trace>(
    side: Account,
    our: &Half,
    minor: Square,
    reach: Bitboard,
    outposts: Bitboard,
    term: &super::trace::Term<5>,
    trace: &mut T,
) -> Tapered {
    let guarded = our.by(Role::Pawn);
    if outposts.contains(minor) {
        let outside = EDGE_FILES.contains(minor);
        trace.one(side, term, 2 * usize::from(outside) + usize::from(guarded.contains(minor)))
    } else if reach.intersects(outposts & guarded & !our.own) {
        trace.one(side, term, 4)
    } else {
        Tapered::ZERO
    }
}
