//! Pawn structure and king shelter, cached by the placement of the pawns.

use super::masks::*;
use super::tapered::Tapered;
use super::trace::{Account, Trace};
use super::weights as w;
use super::{Both, Pieces};
use shakmaty::{Bitboard, Color, File, Role, Square};

/// Everything that depends only on the pawns and on the squares of the kings.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct PawnEntry {
    pawns: Both<Bitboard>,
    /// Structure and pawn squares, white minus black.
    pub score: Tapered,
    /// Passed pawns of both sides.
    pub passed: Bitboard,
    /// The squares that the pawns of each side attack or may attack as they advance.
    pub reach: Both<Bitboard>,
    /// 0 for an open position, 8 for a closed one.
    pub closedness: u8,
    /// Square numbers of the kings for which the rest was computed.
    kings: Both<u8>,
    /// Shelter of each king, positive if it is good for that king.
    shelter: Both<Tapered>,
    /// The danger that the shelter contributes to each king.
    pub danger: Both<Tapered>,
}

impl PawnEntry {
    /// Returns structure and both shelters, white minus black.
    #[inline]
    pub fn total(&self) -> Tapered {
        self.score + self.shelter[Color::White] - self.shelter[Color::Black]
    }

    /// Computes the entry for these pawns and kings from scratch.
    pub fn new<T: Trace>(pieces: &Pieces, kings: Both<Square>, trace: &mut T) -> PawnEntry {
        let mut entry = PawnEntry::structure(pieces, trace);
        entry.shelters(kings, trace);
        entry
    }

    #[inline(never)]
    fn structure<T: Trace>(pieces: &Pieces, trace: &mut T) -> PawnEntry {
        let pawns = pawns(pieces);
        let mut passed = Bitboard::EMPTY;
        let white = structure_of(Color::White, pawns, &mut passed, trace);
        let black = structure_of(Color::Black, pawns, &mut passed, trace);
        PawnEntry {
            pawns,
            score: white - black,
            passed,
            reach: Both::new(
                reach(Color::White, pawns[Color::White]),
                reach(Color::Black, pawns[Color::Black]),
            ),
            closedness: closedness(pawns),
            kings: Both::new(64, 64),
            shelter: Both::new(Tapered::ZERO, Tapered::ZERO),
            danger: Both::new(Tapered::ZERO, Tapered::ZERO),
        }
    }

    #[inline(never)]
    fn shelters<T: Trace>(&mut self, kings: Both<Square>, trace: &mut T) {
        for side in Color::ALL {
            let number = kings[side] as u8;
            if self.kings[side] != number {
                self.kings[side] = number;
                (self.shelter[side], self.danger[side]) = shelter(side, self.pawns, kings[side], trace);
            }
        }
    }
}

/// Returns the pawns of black, and of white.
#[inline]
fn pawns(pieces: &Pieces) -> Both<Bitboard> {
    Both::new(pieces.of(Color::White, Role::Pawn), pieces.of(Color::Black, Role::Pawn))
}

/// Returns the squares that pawns attack now or after any advance.
fn reach(us: Color, pawns: Bitboard) -> Bitboard {
    let mut ahead = pawns;
    for _ in 0..5 {
        ahead |= up(us, ahead);
    }
    let (west, east) = pawn_attacks(us, ahead);
    west | east
}

/// Computes how closed the position is, 0 to 8. Many pawns and rams close it; open files open it.
fn closedness(pawns: Both<Bitboard>) -> u8 {
    let rams = (up(Color::White, pawns[Color::White]) & pawns[Color::Black]).count() as i32;
    let open = 8 - (file_fill(pawns[Color::White] | pawns[Color::Black]).0 & 0xFF).count_ones() as i32;
    let count = (pawns[Color::White] | pawns[Color::Black]).count() as i32;
    ((count + 3 * rams - 4 * open) / 3).clamp(0, 8) as u8
}

fn structure_of<T: Trace>(us: Color, pawns: Both<Bitboard>, passed: &mut Bitboard, trace: &mut T) -> Tapered {
    let side = Account::Side(us);
    let (ours, theirs) = (pawns[us], pawns[!us]);
    let (west, east) = pawn_attacks(!us, theirs);
    let attacked = west | east;
    let mut score = Tapered::ZERO;

    for pawn in ours {
        let square = pawn as usize;
        let rank = relative_rank(us, pawn);
        let neighbours = ours & adjacent_files(pawn);
        let support = neighbours & rank_of_below(us, pawn);
        let phalanx = neighbours & rank_of(pawn);
        let stoppers = theirs & FRONT_SPAN[us][square];
        let stop = up(us, Bitboard::from_square(pawn));
        let levers = theirs & lever_squares(us, pawn);
        let push_levers = theirs & up(us, lever_squares(us, pawn));
        let opposed = theirs.intersects(FRONT[us][square]);
        let doubled = ours.intersects(FRONT[us][square]);

        score += trace.one(side, &w::PAWN_SQUARE, (relative(us, pawn) as usize) ^ 56);

        if stoppers.is_empty() && !doubled {
            passed.add(pawn);
        } else if !opposed && !doubled && (stoppers & !levers & !push_levers).is_empty() {
            let enough =
                usize::from(support.count() >= levers.count() && phalanx.count() >= push_levers.count());
            score += trace.one(side, &w::CANDIDATE, 8 * enough + rank);
        }

        if neighbours.is_empty() {
            score += trace.one(side, &w::ISOLATED, 4 * usize::from(!opposed) + edge_distance(pawn.file()));
        } else if (neighbours & !FRONT_FLANKS[us][square]).is_empty() && (attacked | theirs).intersects(stop)
        {
            score += trace.one(side, &w::BACKWARD, 8 * usize::from(!opposed) + rank);
        }
        if doubled {
            score += trace.one(
                side,
                &w::DOUBLED,
                4 * usize::from(neighbours.is_empty()) + edge_distance(pawn.file()),
            );
        }
        if support.any() {
            score += trace.take(side, &w::SUPPORTED, rank, support.count() as i32);
        }
        if phalanx.any() {
            score += trace.one(side, &w::PHALANX, 8 * usize::from(opposed) + rank);
        }
        if levers.more_than_one() && support.is_empty() {
            score += trace.one(side, &w::WEAK_LEVER, 0);
        }
        if rank >= 4 && theirs.intersects(stop) {
            score += trace.one(side, &w::RAMMED_FAR, usize::from(rank > 4));
        }
    }
    score
}

/// Returns the squares that a pawn of ours on this square attacks.
#[inline(always)]
fn lever_squares(us: Color, square: Square) -> Bitboard {
    shakmaty::attacks::pawn_attacks(us, square)
}

/// Returns the rank behind that of a square.
#[inline(always)]
fn rank_of_below(us: Color, square: Square) -> Bitboard {
    down(us, rank_of(square))
}

/// Evaluates the pawns in front of a side's king, ours and theirs: as a bonus, and as danger.
fn shelter<T: Trace>(us: Color, pawns: Both<Bitboard>, king: Square, trace: &mut T) -> (Tapered, Tapered) {
    let side = Account::Side(us);
    let in_danger = Account::Danger(us);
    let rank = king.rank().to_u32();
    let not_behind = !ranks_behind(us, king);
    let mut score = Tapered::ZERO;
    let mut danger = Tapered::ZERO;

    let all = file_fill(pawns[Color::White] | pawns[Color::Black]).0 & 0xFF;
    let distance = usize::from(FILE_PROXIMITY[king.file().to_usize()][all as usize]);
    score += trace.one(side, &w::KING_PAWN_FILES, distance);

    let center = king.file().to_u32();
    for file in center.saturating_sub(1)..=(center + 1).min(7) {
        let file = File::new(file);
        let own_file = usize::from(file == king.file());
        let on_file = Bitboard::from_file(file) & not_behind;
        let steps = |pawns: Bitboard| {
            rearmost(us, pawns & on_file).map_or(7, |pawn| pawn.rank().to_u32().abs_diff(rank) as usize)
        };
        let (ours, theirs) = (steps(pawns[us]), steps(pawns[!us]));
        let blocked = usize::from(ours != 7 && ours + 1 == theirs);

        score += trace.one(side, &w::SHELTER, 32 * own_file + 8 * edge_distance(file) + ours);
        score += trace.one(side, &w::STORM, 32 * blocked + 8 * edge_distance(file) + theirs);
        danger += trace.one(in_danger, &w::DANGER_SHELTER, 8 * own_file + ours);
        danger += trace.one(in_danger, &w::DANGER_STORM, 8 * blocked + theirs);
    }
    (score, danger)
}

/// Returns the ranks behind a square, from its side's point of view.
#[inline(always)]
fn ranks_behind(us: Color, square: Square) -> Bitboard {
    let rank = square.rank().to_u32();
    if us.is_white() { Bitboard((1u64 << (8 * rank)) - 1) } else { Bitboard(!(u64::MAX >> (8 * (7 - rank)))) }
}

/// A small cache of [`PawnEntry`], indexed by the pawns themselves.
pub(super) struct PawnCache {
    entries: Box<[PawnEntry]>,
}

impl PawnCache {
    /// The logarithm to base 2 of the number of entries. Each takes 64 bytes.
    const BITS: u32 = 13;

    pub fn new() -> PawnCache {
        let none = PawnEntry::structure(&Pieces::EMPTY, &mut super::trace::NoTrace);
        PawnCache { entries: vec![none; 1 << Self::BITS].into_boxed_slice() }
    }

    /// Returns the index of the entry for these pawns.
    #[inline]
    fn place(pawns: Both<Bitboard>) -> usize {
        let hash = pawns[Color::White].0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ pawns[Color::Black].0.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        (hash >> (64 - Self::BITS)) as usize // the upper bits of the products depend on all pawns
    }

    /// Prefetches the entry for these pawns.
    #[inline]
    pub fn prefetch(&self, pieces: &Pieces) {
        cassius_search::prefetch(&self.entries[Self::place(pawns(pieces))]);
    }

    /// Returns the entry for these pawns and kings, and computes it if it is missing.
    #[inline]
    pub fn probe(&mut self, pieces: &Pieces, kings: Both<Square>) -> &PawnEntry {
        let pawns = pawns(pieces);
        let entry = &mut self.entries[Self::place(pawns)];
        if entry.pawns != pawns {
            *entry = PawnEntry::structure(pieces, &mut super::trace::NoTrace);
        }
        if Color::ALL.iter().any(|side| entry.kings[*side] != kings[*side] as u8) {
            entry.shelters(kings, &mut super::trace::NoTrace);
        }
        entry
    }
}
