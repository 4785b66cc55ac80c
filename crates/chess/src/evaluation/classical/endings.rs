//! Corrects the value of endings that the sum of terms misjudges: how much of an advantage counts, and
//! where to drive a bare king.

use super::king_and_pawn;
use super::masks::*;
use super::{Both, Pieces};
use shakmaty::{Bitboard, Color, Role, Square};

/// The scale at which an endgame advantage counts in full.
pub const FULL_SCALE: i32 = 128;

const fn worth(role: Role) -> i32 {
    match role {
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::Pawn | Role::King => 0,
    }
}

/// Returns the value of a side's knights, bishops, rooks and queens, in pawns.
fn men(side: Bitboard, pieces: &Pieces) -> i32 {
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| worth(role) * (side & pieces.by_role(role)).count() as i32)
        .sum()
}

/// Returns the share of the endgame advantage of `strong` that counts, in 128ths.
///
/// *Reference*: the scale factors of Stockfish 11 (`material.cpp`,
/// `Evaluation::scale_factor`) and Ethereal (`evaluateScaleFactor`), simplified.
pub(super) fn scale(strong: Color, pieces: &Pieces, kings: Both<Square>, turn: Color) -> i32 {
    let pawns = pieces.by_role(Role::Pawn);
    let ours = pawns & pieces.by_side(strong);
    if let Some(pawn) = only_pawn(pieces, ours) {
        let wins = king_and_pawn::wins(strong, turn, kings[strong], kings[!strong], pawn);
        return if wins { FULL_SCALE } else { 0 };
    }
    let theirs = pawns & pieces.by_side(!strong);
    let (knights, bishops) = (pieces.by_role(Role::Knight), pieces.by_role(Role::Bishop));
    let (rooks, queens) = (pieces.by_role(Role::Rook), pieces.by_role(Role::Queen));
    let minors = knights | bishops;

    if ours.is_empty() {
        let (more, less) = (men(pieces.by_side(strong), pieces), men(pieces.by_side(!strong), pieces));
        if more - less <= 3 {
            // Less than a piece ahead: no win without pawns.
            return match (more, less) {
                (..=3, _) => 0,
                (_, 0..=3) => 8,
                _ => 28,
            };
        }
        let two_knights = more == 6 && (knights & pieces.by_side(strong)).count() == 2;
        if two_knights {
            return if theirs.is_empty() { 0 } else { 16 };
        }
    }

    // A bishop that does not guard the promotion corner of its rook pawns.
    let own_minors = minors & pieces.by_side(strong);
    let heavy = (rooks | queens) & pieces.by_side(strong);
    if heavy.is_empty() && ours.any() && (own_minors & knights).is_empty() && !own_minors.more_than_one() {
        let file = if ours.is_subset(Bitboard::from_file(shakmaty::File::A)) {
            Some(shakmaty::File::A)
        } else if ours.is_subset(Bitboard::from_file(shakmaty::File::H)) {
            Some(shakmaty::File::H)
        } else {
            None
        };
        if let Some(file) = file {
            let corner = Square::from_coords(file, (!strong).backrank());
            let wrong = own_minors.first().is_none_or(|bishop| bishop.is_light() != corner.is_light());
            if wrong && kings[!strong].distance(corner) <= 1 {
                return 0;
            }
        }
    }

    let one_bishop_each = (bishops & pieces.by_side(Color::White)).count() == 1
        && (bishops & pieces.by_side(Color::Black)).count() == 1;
    if one_bishop_each && (bishops & LIGHT_SQUARES).count() == 1 {
        if (knights | rooks | queens).is_empty() {
            return OPPOSITE_BISHOPS;
        }
        return OPPOSITE_BISHOPS_AND_PIECES;
    }
    (FEW_PAWNS_BASE + FEW_PAWNS_STEP * ours.count() as i32).min(FULL_SCALE)
}

const OPPOSITE_BISHOPS: i32 = 64;
const OPPOSITE_BISHOPS_AND_PIECES: i32 = 108;
/// The scale without pawns. Each pawn of the stronger side adds to it.
const FEW_PAWNS_BASE: i32 = 104;
const FEW_PAWNS_STEP: i32 = 6;

/// The bonus for a pawn that wins against a bare king.
const WON_PAWN: i32 = 400;

/// Returns the pawn of king and pawn against king, if these are all the pieces and `ours` has it.
#[inline]
fn only_pawn(pieces: &Pieces, ours: Bitboard) -> Option<Square> {
    if pieces.occupied().count() == 3 { ours.first() } else { None }
}

/// The bonus when a bare king faces at least a rook: the position is lost for it.
const BARE_KING: i32 = 300;

/// A bonus for driving a bare king to an edge (with bishop and knight, to a corner that the bishop
/// guards) and for bringing the own king near. It only orders positions that are already won.
pub(super) fn drive(strong: Color, pieces: &Pieces, kings: Both<Square>) -> i32 {
    let weak = !strong;
    let ours = pieces.by_side(strong);
    if let Some(pawn) = only_pawn(pieces, ours & pieces.by_role(Role::Pawn)) {
        // It is won, or its scale is 0 and this does not count.
        return WON_PAWN + 20 * relative_rank(strong, pawn) as i32;
    }
    if pieces.by_side(weak).more_than_one() || men(ours, pieces) < worth(Role::Rook) {
        return 0;
    }
    let (knights, bishops) = (pieces.by_role(Role::Knight) & ours, pieces.by_role(Role::Bishop) & ours);
    let rest = ours & !(knights | bishops | pieces.by_role(Role::King));
    let (hunted, hunter) = (kings[weak], kings[strong]);
    let near = 7 - hunted.distance(hunter) as i32;
    let edge = if rest.is_empty() && bishops.count() == 1 && knights.count() == 1 {
        let light = bishops.intersects(LIGHT_SQUARES);
        let corners = if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        2 * (7 - corners.map(|corner| corner.distance(hunted)).into_iter().min().unwrap_or(0) as i32)
    } else {
        let out =
            |coordinate: u32| if coordinate < 4 { 3 - coordinate as i32 } else { coordinate as i32 - 4 };
        2 * (out(hunted.file().to_u32()) + out(hunted.rank().to_u32()))
    };
    BARE_KING + 12 * edge + 8 * near
}
