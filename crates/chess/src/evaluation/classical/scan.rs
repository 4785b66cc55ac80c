//! Scans the pieces once: where they stand, what they attack, how mobile they are.

use super::Pieces;
use super::masks::*;
use super::pawns::PawnEntry;
use super::tapered::Tapered;
use super::trace::{Account, Trace};
use super::weights as w;
use shakmaty::{Bitboard, Role, Square, attacks};

/// The result of the scan, for the terms that need both sides' attacks. All arrays are indexed by `Color
/// as usize`.
pub(super) struct Scan<'p> {
    pub pieces: &'p Pieces,
    pub occupied: Bitboard,
    pub own: [Bitboard; 2],
    pub kings: [Square; 2],
    /// Squares attacked at least once.
    pub attacked: [Bitboard; 2],
    /// Squares attacked by at least two pieces.
    pub twice: [Bitboard; 2],
    attacked_by: [[Bitboard; 8]; 2],
    /// The squares around each king that count as attacks on it.
    pub zone: [Bitboard; 2],
    /// The number of pieces that attack the zone of this king.
    pub attackers: [u8; 2],
    /// The number of attacks on the squares next to this king.
    pub attacks: [u16; 2],
    /// The weights of the attackers, in danger.
    pub pressure: [Tapered; 2],
    /// The squares that count for mobility: see [`Scan::new`].
    area: [Bitboard; 2],
}

/// Ranks 4 to 6, where an outpost can be.
const OUTPOST_RANKS: [Bitboard; 2] = [ranks::<BLACK>(3, 5), ranks::<WHITE>(3, 5)];

impl<'p> Scan<'p> {
    pub fn new(pieces: &'p Pieces, kings: [Square; 2]) -> Scan<'p> {
        let mut scan = Scan {
            pieces,
            occupied: pieces.occupied(),
            own: [pieces.by_color::<BLACK>(), pieces.by_color::<WHITE>()],
            kings,
            attacked: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            attacked_by: [[Bitboard::EMPTY; 8]; 2],
            zone: [Bitboard::EMPTY; 2],
            attackers: [0; 2],
            attacks: [0; 2],
            pressure: [Tapered::ZERO; 2],
            area: [Bitboard::EMPTY; 2],
        };
        scan.set_up::<WHITE>();
        scan.set_up::<BLACK>();
        // A square counts for mobility if no enemy pawn attacks it, and if it does not hold the own king
        // or an own pawn that cannot move or has not moved far.
        for us in [WHITE, BLACK] {
            let pawns = pieces.by_role(Role::Pawn) & scan.own[us];
            let (blocked, low) = if us == WHITE {
                (down::<WHITE>(scan.occupied), ranks::<WHITE>(1, 2))
            } else {
                (down::<BLACK>(scan.occupied), ranks::<BLACK>(1, 2))
            };
            let stuck = pawns & (blocked | low);
            scan.area[us] = !(stuck | Bitboard::from_square(kings[us]) | scan.by(1 - us, Role::Pawn));
        }
        scan
    }

    fn set_up<const US: usize>(&mut self) {
        let (west, east) = pawn_attacks::<US>(self.pieces.of::<US>(Role::Pawn));
        let king = attacks::king_attacks(self.kings[US]);
        let pawns = west | east;
        self.attacked_by[US][Role::Pawn as usize] = pawns;
        self.attacked_by[US][Role::King as usize] = king;
        self.attacked[US] = pawns | king;
        self.twice[US] = (west & east) | (pawns & king);
        self.zone[US] = KING_ZONE[US][self.kings[US] as usize] & !(west & east);
    }

    /// Returns the squares that the pieces of one role and side attack.
    #[inline(always)]
    pub fn by(&self, side: usize, role: Role) -> Bitboard {
        self.attacked_by[side][role as usize & 7]
    }

    /// Records what one piece attacks. Returns its mobility.
    #[inline(always)]
    fn note<const US: usize, T: Trace>(
        &mut self,
        role: Role,
        attacks: Bitboard,
        weight: usize,
        trace: &mut T,
    ) -> usize {
        let them = 1 - US;
        self.twice[US] |= self.attacked[US] & attacks;
        self.attacked[US] |= attacks;
        self.attacked_by[US][role as usize & 7] |= attacks;
        let hits = attacks & self.zone[them];
        if hits.any() {
            self.attackers[them] += 1;
            self.attacks[them] += (hits & attacks::king_attacks(self.kings[them])).count() as u16;
            let account = Account::Danger(color::<US>().other());
            self.pressure[them] += trace.one(account, &w::DANGER_ATTACKER, weight);
        }
        (attacks & self.area[US]).count()
    }

    /// Evaluates the knights, bishops, rooks and queens of one side: squares, mobility and all terms
    /// that depend on one piece and the pawns only.
    pub fn pieces<const US: usize, T: Trace>(&mut self, entry: &PawnEntry, trace: &mut T) -> Tapered {
        let side = Account::Side(color::<US>());
        let (ours, theirs) = (self.own[US], self.own[1 - US]);
        let pawns = self.pieces.by_role(Role::Pawn);
        let (our_pawns, their_pawns) = (pawns & ours, pawns & theirs);
        let outposts = OUTPOST_RANKS[US] & !entry.reach[1 - US];
        let their_zone = self.zone[1 - US];
        let behind_pawn = down::<US>(pawns);
        let closed = usize::from(entry.closedness).min(8);
        let mut score = Tapered::ZERO;

        let knights = self.pieces.of::<US>(Role::Knight);
        if knights.any() {
            let count = knights.count() as i32;
            score += trace.take(side, &w::KNIGHT_CLOSED, closed, count);
            score += trace.take(side, &w::BEHIND_PAWN, 0, (knights & behind_pawn).count() as i32);
        }
        for knight in knights {
            score += trace.one(side, &w::KNIGHT_SQUARE, (relative::<US>(knight) as usize) ^ 56);
            score += self.near_kings::<US, T>(knight, &w::KNIGHT_NEAR_KINGS, trace);
            let reach = attacks::knight_attacks(knight);
            let mobility = self.note::<US, T>(Role::Knight, reach, 0, trace);
            score += trace.one(side, &w::KNIGHT_MOBILITY, mobility.min(8));
            score += self.outpost::<US, T>(knight, reach, outposts, &w::KNIGHT_OUTPOST, trace);
        }

        let bishops = self.pieces.of::<US>(Role::Bishop);
        let xray =
            self.occupied & !(ours & (self.pieces.by_role(Role::Bishop) | self.pieces.by_role(Role::Queen)));
        if bishops.any() {
            score += trace.take(side, &w::BEHIND_PAWN, 1, (bishops & behind_pawn).count() as i32);
            if bishops.intersects(LIGHT_SQUARES) && bishops.intersects(!LIGHT_SQUARES) {
                score += trace.one(side, &w::BISHOP_PAIR, 0);
            }
        }
        for bishop in bishops {
            score += trace.one(side, &w::BISHOP_SQUARE, (relative::<US>(bishop) as usize) ^ 56);
            score += self.near_kings::<US, T>(bishop, &w::BISHOP_NEAR_KINGS, trace);
            let reach = attacks::bishop_attacks(bishop, xray);
            let mobility = self.note::<US, T>(Role::Bishop, reach, 1, trace);
            score += trace.one(side, &w::BISHOP_MOBILITY, mobility.min(13));
            score += self.outpost::<US, T>(bishop, reach, outposts, &w::BISHOP_OUTPOST, trace);
            let color = if LIGHT_SQUARES.contains(bishop) { LIGHT_SQUARES } else { !LIGHT_SQUARES };
            let same = our_pawns & color;
            let rammed = same & down::<US>(their_pawns);
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

        let rooks = self.pieces.of::<US>(Role::Rook);
        let xray = self.occupied & !(ours & self.pieces.rooks_and_queens());
        let king = self.kings[US];
        if rooks.any() {
            let count = rooks.count() as i32;
            score += trace.take(side, &w::ROOK_CLOSED, closed, count);
        }
        for rook in rooks {
            score += trace.one(side, &w::ROOK_SQUARE, (relative::<US>(rook) as usize) ^ 56);
            score += self.near_kings::<US, T>(rook, &w::ROOK_NEAR_KINGS, trace);
            let reach = attacks::rook_attacks(rook, xray);
            let mobility = self.note::<US, T>(Role::Rook, reach, 2, trace);
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
            if relative_rank::<US>(rook) == 6
                && (relative_rank::<US>(self.kings[1 - US]) >= 6 || their_pawns.intersects(rank_of(rook)))
            {
                score += trace.one(side, &w::ROOK_SEVENTH, 0);
            }
        }

        let queens = self.pieces.of::<US>(Role::Queen);
        for queen in queens {
            score += trace.one(side, &w::QUEEN_SQUARE, (relative::<US>(queen) as usize) ^ 56);
            score += self.near_kings::<US, T>(queen, &w::QUEEN_NEAR_KINGS, trace);
            let reach = attacks::queen_attacks(queen, self.occupied);
            let mobility = self.note::<US, T>(Role::Queen, reach, 3, trace);
            score += trace.one(side, &w::QUEEN_MOBILITY, mobility.min(27));
            let diagonal = DIAGONALS[queen as usize] & self.pieces.by_role(Role::Bishop);
            let straight = STRAIGHTS[queen as usize] & self.pieces.by_role(Role::Rook);
            for slider in (diagonal | straight) & theirs {
                let between = attacks::between(queen, slider) & self.occupied;
                if between.any() && !between.more_than_one() {
                    let own = ours.intersects(between);
                    score += trace.one(side, &w::QUEEN_SHIELDED, usize::from(own));
                }
            }
        }
        score
    }

    /// Evaluates a piece by its steps to its own king, and to the other king.
    #[inline(always)]
    fn near_kings<const US: usize, T: Trace>(
        &self,
        piece: Square,
        term: &super::trace::Term<16>,
        trace: &mut T,
    ) -> Tapered {
        let side = Account::Side(color::<US>());
        let own = steps(self.kings[US], piece);
        let other = steps(self.kings[1 - US], piece);
        trace.one(side, term, own) + trace.one(side, term, 8 + other)
    }

    /// Evaluates a minor piece on an outpost, or next to one.
    #[inline(always)]
    fn outpost<const US: usize, T: Trace>(
        &self,
        minor: Square,
        reach: Bitboard,
        outposts: Bitboard,
        term: &super::trace::Term<5>,
        trace: &mut T,
    ) -> Tapered {
        let side = Account::Side(color::<US>());
        let guarded = self.by(US, Role::Pawn);
        if outposts.contains(minor) {
            let outside = EDGE_FILES.contains(minor);
            trace.one(side, term, 2 * usize::from(outside) + usize::from(guarded.contains(minor)))
        } else if reach.intersects(outposts & guarded & !self.own[US]) {
            trace.one(side, term, 4)
        } else {
            Tapered::ZERO
        }
    }
}
