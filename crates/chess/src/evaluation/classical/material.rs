//! Material: piece values, pairs of roles that help or hinder each other, game phase. Cached by the
//! material on the board.

use super::tapered::Tapered;
use super::trace::{Account, NoTrace, Trace};
use super::weights as w;
use super::{Both, Pieces};
use shakmaty::{Board, Color, Role};

/// Game phase with all pieces on the board: 1 for a minor piece, 2 for a rook, 4 for a queen.
pub const FULL_PHASE: i32 = 24;

/// Everything that depends only on the number of pieces of each role and colour.
#[derive(Clone, Copy)]
pub(super) struct MaterialEntry {
    key: u64,
    /// White minus black.
    pub score: Tapered,
    /// Game phase, 0 to [`FULL_PHASE`].
    pub phase: i32,
}

/// Pawns, knights, bishops, rooks and queens.
type Counts = Both<[i32; 5]>;

const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

#[inline(always)]
fn counts(pieces: &Pieces) -> Counts {
    let count = |side| ROLES.map(|role| pieces.of(side, role).count() as i32);
    Both::new(count(Color::White), count(Color::Black))
}

/// Returns what one piece adds to the key of the material: six bits for each count, so that different
/// counts never share a key. Kings add nothing.
pub(crate) const fn unit(color: Color, role: Role) -> u64 {
    match role {
        Role::King => 0,
        _ => 1 << (6 * (5 * (color as u32 & 1) + role as u32 - 1)),
    }
}

/// Computes the key of these pieces by counting them.
pub(crate) fn key(board: &Board) -> u64 {
    board.iter().map(|(_, piece)| unit(piece.color, piece.role)).fold(0, u64::wrapping_add)
}

impl MaterialEntry {
    /// Computes the entry for these pieces from scratch.
    pub fn new<T: Trace>(pieces: &Pieces, trace: &mut T) -> MaterialEntry {
        MaterialEntry::compute(pieces, trace)
    }

    #[inline(never)]
    fn compute<T: Trace>(pieces: &Pieces, trace: &mut T) -> MaterialEntry {
        let counts = &counts(pieces);
        let score = side(Color::White, counts, trace) - side(Color::Black, counts, trace);
        let of_side = |side| {
            let [_, knights, bishops, rooks, queens] = counts[side];
            knights + bishops + 2 * rooks + 4 * queens
        };
        let phase = FULL_PHASE.min(of_side(Color::White) + of_side(Color::Black));
        MaterialEntry { key: pieces.material, score, phase }
    }
}

/// Computes one side's material.
///
/// *Reference*: the pairs are the second-degree polynomial of Stockfish 11 (`material.cpp`), after Tord
/// Romstad.
fn side<T: Trace>(us: Color, counts: &Counts, trace: &mut T) -> Tapered {
    let account = Account::Side(us);
    let (ours, theirs) = (&counts[us], &counts[!us]);
    let mut score = Tapered::ZERO;
    let mut pair = 0;
    for (role, &count) in ours.iter().enumerate() {
        score += trace.take(account, &w::MATERIAL, role, count);
        for other in 0..=role {
            // Pieces of the same kind are counted in pairs of distinct pieces.
            let own = if other == role { count * (count - 1) / 2 } else { count * ours[other] };
            score += trace.take(account, &w::WITH_OWN, pair, own);
            if other != role {
                score += trace.take(account, &w::AGAINST, pair - role, count * theirs[other]);
            }
            pair += 1;
        }
    }
    score
}

/// A small cache of [`MaterialEntry`], looked up by the key of the material.
pub(super) struct MaterialCache {
    entries: Box<[MaterialEntry]>,
}

impl MaterialCache {
    /// The number of entries, a power of two. Each takes 16 bytes.
    const SIZE: usize = 2048;

    pub fn new() -> MaterialCache {
        let none = MaterialEntry::compute(&Pieces::EMPTY, &mut NoTrace);
        MaterialCache { entries: vec![none; Self::SIZE].into_boxed_slice() }
    }

    /// Returns the entry for these pieces, and computes it if it is missing.
    #[inline]
    pub fn probe(&mut self, pieces: &Pieces) -> MaterialEntry {
        let key = pieces.material;
        let entry = &mut self.entries[(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as usize % Self::SIZE];
        if entry.key != key {
            *entry = MaterialEntry::compute(pieces, &mut NoTrace);
        }
        *entry
    }
}
