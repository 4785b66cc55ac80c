//! Precomputed sets of squares, and shifts for moves of pieces.

use super::Both;
use shakmaty::{Bitboard, Color, File, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Files a and h.
pub(super) const EDGE_FILES: Bitboard = Bitboard(FILE_A | FILE_H);
pub(super) const LIGHT_SQUARES: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);
pub(super) const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// Files a to d, and e to h.
pub(super) const FLANKS: [Bitboard; 2] = [Bitboard(0x0F0F_0F0F_0F0F_0F0F), Bitboard(0xF0F0_F0F0_F0F0_F0F0)];

/// Shifts by one step towards the other side's back rank.
#[inline(always)]
pub(super) const fn up(us: Color, set: Bitboard) -> Bitboard {
    if us.is_white() { Bitboard(set.0 << 8) } else { Bitboard(set.0 >> 8) }
}

/// Shifts by one step towards our own back rank.
#[inline(always)]
pub(super) const fn down(us: Color, set: Bitboard) -> Bitboard {
    if us.is_white() { Bitboard(set.0 >> 8) } else { Bitboard(set.0 << 8) }
}

/// Returns the attacks of our pawns towards file a, and towards file h.
#[inline(always)]
pub(super) const fn pawn_attacks(us: Color, pawns: Bitboard) -> (Bitboard, Bitboard) {
    let west = Bitboard((pawns.0 & !FILE_A) >> 1);
    let east = Bitboard((pawns.0 & !FILE_H) << 1);
    (up(us, west), up(us, east))
}

/// Returns the square from our side's point of view, as white would see it.
#[inline(always)]
pub(super) const fn relative(us: Color, square: Square) -> Square {
    if us.is_white() { square } else { square.flip_vertical() }
}

/// Returns the rank counted from our side, 0 to 7.
#[inline(always)]
pub(super) const fn relative_rank(us: Color, square: Square) -> usize {
    relative(us, square).rank().to_usize()
}

/// Returns the ranks from `first` to `last`, counted from each side.
pub(super) const fn ranks(first: u32, last: u32) -> Both<Bitboard> {
    let mut set = Bitboard(0);
    let mut rank = first;
    while rank <= last {
        set.0 |= 0xFF << (8 * rank);
        rank += 1;
    }
    Both::new(set, set.flip_vertical())
}

/// Returns the file folded onto the queenside: 0 for a and h, 3 for d and e.
#[inline(always)]
pub(super) const fn edge_distance(file: File) -> usize {
    let file = file.to_usize();
    if file < 4 { file } else { 7 - file }
}

/// Returns all squares of the files that contain a square of `set`.
#[inline(always)]
pub(super) const fn file_fill(set: Bitboard) -> Bitboard {
    let mut set = set.0;
    set |= set >> 8;
    set |= set >> 16;
    set |= set >> 32;
    set |= set << 8;
    set |= set << 16;
    set |= set << 32;
    Bitboard(set)
}

/// Returns the square of `set` that is nearest to our back rank, or `None` if `set` is empty.
#[inline(always)]
pub(super) fn rearmost(us: Color, set: Bitboard) -> Option<Square> {
    if us.is_white() { set.first() } else { set.last() }
}

/// Returns the file of a square.
#[inline(always)]
pub(super) const fn file_of(square: Square) -> Bitboard {
    Bitboard::from_file(square.file())
}

/// Returns the rank of a square.
#[inline(always)]
pub(super) const fn rank_of(square: Square) -> Bitboard {
    Bitboard::from_rank(square.rank())
}

/// Returns the files adjacent to that of a square.
#[inline(always)]
pub(super) const fn adjacent_files(square: Square) -> Bitboard {
    let file = FILE_A << square.file().to_u32();
    Bitboard((file & !FILE_A) >> 1 | (file & !FILE_H) << 1)
}

const fn ahead(side: Color, square: usize) -> u64 {
    let rank = square / 8;
    if side.is_white() {
        if rank == 7 { 0 } else { u64::MAX << (8 * (rank + 1)) }
    } else if rank == 0 {
        0
    } else {
        u64::MAX >> (8 * (8 - rank))
    }
}

const fn beside(file: usize) -> u64 {
    let file = FILE_A << file;
    (file & !FILE_A) >> 1 | (file & !FILE_H) << 1
}

const fn squares_ahead(side: Color, front: bool, flanks: bool) -> [Bitboard; 64] {
    let mut table = [Bitboard(0); 64];
    let mut square = 0;
    while square < 64 {
        let mut files = 0;
        if front {
            files |= FILE_A << (square % 8);
        }
        if flanks {
            files |= beside(square % 8);
        }
        table[square] = Bitboard(files & ahead(side, square));
        square += 1;
    }
    table
}

const fn for_both(front: bool, flanks: bool) -> Both<[Bitboard; 64]> {
    Both::new(squares_ahead(Color::White, front, flanks), squares_ahead(Color::Black, front, flanks))
}

/// The squares in front of a square, on its file.
pub(super) static FRONT: Both<[Bitboard; 64]> = for_both(true, false);
/// The squares in front, on the adjacent files: enemy pawns there could attack the square.
pub(super) static FRONT_FLANKS: Both<[Bitboard; 64]> = for_both(false, true);
/// Both of the above: a pawn is passed if no enemy pawn is here.
pub(super) static FRONT_SPAN: Both<[Bitboard; 64]> = for_both(true, true);

const fn king_zones(side: Color) -> [Bitboard; 64] {
    let mut table = [Bitboard(0); 64];
    let mut square = 0;
    while square < 64 {
        let king = 1u64 << square;
        let row = king | (king & !FILE_A) >> 1 | (king & !FILE_H) << 1;
        let near = row | row << 8 | row >> 8;
        table[square] = Bitboard(if side.is_white() { near | near << 8 } else { near | near >> 8 });
        square += 1;
    }
    table
}

/// The king's square, the squares around it, and the three squares in front of those.
pub(super) static KING_ZONE: Both<[Bitboard; 64]> =
    Both::new(king_zones(Color::White), king_zones(Color::Black));

const fn lines(diagonal: bool) -> [Bitboard; 64] {
    let mut table = [Bitboard(0); 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let (files, ranks) = ((from % 8_usize).abs_diff(to % 8), (from / 8_usize).abs_diff(to / 8));
            let on_line = if diagonal { files == ranks } else { files == 0 || ranks == 0 };
            if from != to && on_line {
                table[from] = Bitboard(table[from].0 | 1 << to);
            }
            to += 1;
        }
        from += 1;
    }
    table
}

/// The squares that a bishop attacks on an empty board.
pub(crate) static DIAGONALS: [Bitboard; 64] = lines(true);
/// The squares that a rook attacks on an empty board.
pub(crate) static STRAIGHTS: [Bitboard; 64] = lines(false);

const fn file_proximity() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut file = 0;
    while file < 8 {
        let mut files = 1;
        while files < 256 {
            let mut distance = 0;
            while distance < 8 {
                let left = file >= distance && files >> (file - distance) & 1 == 1;
                let right = file + distance < 8 && files >> (file + distance) & 1 == 1;
                if left || right {
                    break;
                }
                distance += 1;
            }
            table[file][files] = distance as u8;
            files += 1;
        }
        file += 1;
    }
    table
}

/// The number of files from a file to the nearest of a set of files; 0 for the empty set.
pub(super) static FILE_PROXIMITY: [[u8; 256]; 8] = file_proximity();

const fn distances() -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let (files, ranks) = ((from % 8_usize).abs_diff(to % 8), (from / 8_usize).abs_diff(to / 8));
            table[from][to] = if files > ranks { files as u8 } else { ranks as u8 };
            to += 1;
        }
        from += 1;
    }
    table
}

static DISTANCES: [[u8; 64]; 64] = distances();

/// Returns the number of king steps from one square to another, 0 to 7.
#[inline(always)]
pub(super) fn steps(from: Square, to: Square) -> usize {
    usize::from(DISTANCES[from as usize][to as usize] & 7)
}
