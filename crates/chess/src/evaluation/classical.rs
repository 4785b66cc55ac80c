//! The classical evaluation: a sum of hand-crafted terms with tuned weights.
//!
//! Each term has a middlegame and an endgame weight ([`Tapered`]). The material left determines how the two
//! are mixed. All weights are in [`weights`], each with a description. The code that computes the terms is
//! organised as follows.
//!
//! | file | terms |
//! |---|---|
//! | `material` | piece values, pairs of roles; cached |
//! | `pawns` | squares and structure of the pawns, shelter of the kings; cached |
//! | `scan` | knights, bishops, rooks, queens: squares, mobility, outposts, files |
//! | `king` | attack on the king: danger, squared |
//! | `threats` | attacked pieces, pawn threats, restriction, space |
//! | `passed` | passed pawns with kings, path and rooks |
//! | `endings` | how much of an endgame advantage counts; driving a bare king |
//! | `king_and_pawn` | which positions of king and pawn against king are won |
//!
//! *References*: most terms are common in hand-crafted evaluations and described in the Chess
//! Programming Wiki; the forms of king danger, complexity and several threats follow Ethereal (Andrew
//! Grant) and Stockfish 11. The weights are this project's own, see [`weights`].

mod endings;
pub mod king;
pub(super) mod king_and_pawn;
mod masks;
mod material;
mod passed;
mod pawns;
mod scan;
mod tapered;
mod threats;
pub mod trace;
pub mod weights;

pub use endings::FULL_SCALE;
pub use material::FULL_PHASE;
pub use tapered::Tapered;

pub(crate) use masks::{DIAGONALS, STRAIGHTS};
pub(crate) use material::{key as material_key, unit as material_unit};

use super::pieces::Both;
use super::{MAX_VALUE, Pieces};
use masks::FLANKS;
use material::{MaterialCache, MaterialEntry};
use pawns::{PawnCache, PawnEntry};
use scan::Scan;
use shakmaty::{Color, Role, Square};
use trace::{Account, NoTrace, Trace};
use weights as w;

/// The parts of a value before they are mixed. All are from white's view.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The sum of all terms except complexity.
    pub sum: Tapered,
    /// The complexity of the position, which is added to the endgame advantage. It never takes away more
    /// than the advantage, and never adds more.
    pub complexity: i32,
    /// The share of an endgame advantage of black (0) or white (1) that counts, out of [`FULL_SCALE`].
    /// In play only the entry of the better side is computed.
    pub scales: [i32; 2],
    /// Game phase, 0 to [`FULL_PHASE`].
    pub phase: i32,
    /// Added at the end, untuned, if black (0) or white (1) has the endgame advantage.
    pub extras: [i32; 2],
}

impl Parts {
    const NOTHING: Parts =
        Parts { sum: Tapered::ZERO, complexity: 0, scales: [0; 2], phase: 0, extras: [0; 2] };

    /// Returns the endgame value with complexity, unscaled.
    pub fn endgame(&self) -> i32 {
        let eg = self.sum.eg();
        eg + eg.signum() * self.complexity.clamp(-eg.abs(), eg.abs())
    }

    /// Whether the side that stands better cannot win (scale 0).
    pub fn is_drawn(&self) -> bool {
        self.scales[usize::from(self.sum.eg() > 0)] == 0
    }

    /// Returns the value for white, in centipawns; 0 if the better side cannot win.
    pub fn mix(&self) -> i32 {
        if self.is_drawn() {
            return 0;
        }
        let better = usize::from(self.sum.eg() > 0);
        let eg = self.endgame() * self.scales[better] / FULL_SCALE;
        (self.sum.mg() * self.phase + eg * (FULL_PHASE - self.phase)) / FULL_PHASE + self.extras[better]
    }
}

/// The classical evaluation with its caches.
pub(in crate::evaluation) struct Classical {
    material: MaterialCache,
    pawns: PawnCache,
}

impl Classical {
    pub fn new() -> Classical {
        Classical { material: MaterialCache::new(), pawns: PawnCache::new() }
    }

    /// Computes the value for White; 0 when a king is missing.
    pub fn value(&mut self, pieces: &Pieces, turn: Color) -> i32 {
        self.unless_drawn(pieces, turn).unwrap_or(0)
    }

    /// Computes the value for White; `None` if the side that stands better cannot win, or a king is missing.
    pub fn unless_drawn(&mut self, pieces: &Pieces, turn: Color) -> Option<i32> {
        let kings = kings(pieces)?;
        let material = self.material.probe(pieces);
        let pawns = self.pawns.probe(pieces, kings);
        let parts = parts(pieces, kings, turn, material, pawns, &mut NoTrace);
        (!parts.is_drawn()).then(|| parts.mix().clamp(-MAX_VALUE, MAX_VALUE))
    }

    /// Prefetches the caches for these pieces.
    #[inline]
    pub fn prefetch(&self, pieces: &Pieces) {
        self.pawns.prefetch(pieces);
    }
}

/// Evaluates without a cache and reports every weight that counted to `trace`.
///
/// For tuning and for explaining a value; see [`trace`].
pub fn explain<T: Trace>(board: impl Into<Pieces>, turn: Color, trace: &mut T) -> Parts {
    let pieces = board.into();
    let Some(kings) = kings(&pieces) else { return Parts::NOTHING };
    let material = MaterialEntry::new(&pieces, trace);
    let pawns = PawnEntry::new(&pieces, kings, trace);
    parts(&pieces, kings, turn, material, &pawns, trace)
}

#[inline]
fn kings(pieces: &Pieces) -> Option<Both<Square>> {
    Some(Both::new(
        pieces.of(Color::White, Role::King).first()?,
        pieces.of(Color::Black, Role::King).first()?,
    ))
}

#[inline]
fn parts<T: Trace>(
    pieces: &Pieces,
    kings: Both<Square>,
    turn: Color,
    material: MaterialEntry,
    entry: &PawnEntry,
    trace: &mut T,
) -> Parts {
    let mut sum = material.score + entry.total();
    let mut scan = Scan::new(pieces, kings);
    sum += scan.pieces(Color::White, entry, trace);
    sum -= scan.pieces(Color::Black, entry, trace);
    sum += of_side(Color::White, &scan, entry, turn, trace);
    sum -= of_side(Color::Black, &scan, entry, turn, trace);

    let complexity = complexity(pieces, kings, entry, trace);
    let mut scales = [0; 2];
    let mut extras = [0; 2];
    if T::COMPLETE || sum.eg() > 0 {
        scales[1] = endings::scale(Color::White, pieces, kings, turn);
        extras[1] = endings::drive(Color::White, pieces, kings);
    }
    if T::COMPLETE || sum.eg() <= 0 {
        scales[0] = endings::scale(Color::Black, pieces, kings, turn);
        extras[0] = -endings::drive(Color::Black, pieces, kings);
    }
    Parts { sum, complexity, scales, phase: material.phase, extras }
}

/// Sums the terms of one side that need the attacks of both.
///
/// `us` is a constant where this is called, and this is inlined there: the code of neither side branches on
/// the side. A single copy for both sides was not faster.
#[inline(always)]
fn of_side<T: Trace>(us: Color, scan: &Scan, entry: &PawnEntry, turn: Color, trace: &mut T) -> Tapered {
    let to_move = turn == us;
    let mut sum = king::king(us, scan, entry.danger[us], to_move, trace);
    sum += threats::threats(us, scan, to_move, trace);
    if entry.passed.any() {
        sum += passed::passed(us, scan, entry.passed, to_move, trace);
    }
    if to_move {
        sum += trace.one(Account::Side(us), &w::TEMPO, 0);
    }
    sum
}

/// Computes how difficult the position is to defend for the side that stands worse.
fn complexity<T: Trace>(pieces: &Pieces, kings: Both<Square>, entry: &PawnEntry, trace: &mut T) -> i32 {
    let pawns = pieces.by_role(Role::Pawn);
    let both_flanks = FLANKS.iter().all(|flank| pawns.intersects(*flank));
    let pawn_ending = (pieces.occupied() & !pawns & !pieces.by_role(Role::King)).is_empty();
    let (black, white) = (kings[Color::Black], kings[Color::White]);
    let outflanking = white.file().distance(black.file()) as i32
        - (white.rank().to_u32() as i32 - black.rank().to_u32() as i32).abs();
    let infiltration = white.rank().to_u32() > 3 || black.rank().to_u32() < 4;
    let mut sum = Tapered::ZERO;
    let mut add = |index, count| sum += trace.take(Account::Complexity, &w::COMPLEXITY, index, count);
    add(0, 1);
    add(1, pawns.count() as i32);
    add(2, i32::from(both_flanks));
    add(3, i32::from(pawn_ending));
    add(4, outflanking);
    add(5, i32::from(infiltration));
    add(6, entry.passed.count() as i32);
    sum.eg()
}
