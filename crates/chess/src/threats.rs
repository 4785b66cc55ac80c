//! What a static look tells of threats: what is hung, which pawn promotes next, whether the king is in danger; and the
//! moves that may help.
//!
//! *Reference:* Kaindl 1983, §II, which names the kinds of counter-moves and leaves the criteria open.
//! *Soundness:* hints for a search, which finds out whether they are right.

use crate::Position;
use crate::moves::Move;
use cassius_search::{Checks as _, Game as _, Hung, Noisy, Pass as _, Score, Threat, Threats};
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

/// The squares of what the side to move can win by an exchange. `moves` is room to work in.
fn winnable(position: &Position, moves: &mut Vec<Move>) -> Bitboard {
    let first = moves.len();
    position.noisy_moves(moves);
    let wins = |mv: &&Move| mv.is_capture() && position.exchange_at_least(**mv, Score(1));
    let squares = moves[first..].iter().filter(wins).map(|mv| mv.to()).collect();
    moves.truncate(first);
    squares
}

/// Appends the quiet legal moves of which `keep` says so.
fn list_quiet(position: &Position, moves: &mut Vec<Move>, keep: impl FnMut(&Move) -> bool) {
    let mut quiet = position.legal_moves();
    quiet.retain(|mv| !mv.is_noisy());
    moves.extend(quiet.into_iter().filter(keep));
}

/// The squares of the side to move, which is not in check, of which the other side could win something.
fn hung(position: &Position, room: &mut Vec<Move>) -> Bitboard {
    let mut passed = position.clone();
    passed.pass();
    winnable(&passed, room) & position.board().by_color(position.turn())
}

/// How many things make a position hard to judge: a check, pieces that are hung, a threat to promote, a
/// threat to mate.
pub(crate) fn unclear(position: &Position) -> usize {
    let threats =
        [Threat::Promotion, Threat::Mate].iter().filter(|threat| position.may_threaten(**threat)).count();
    threats
        + match position.in_check() {
            true => 1,
            false => hung(position, &mut Vec::new()).count(),
        }
}

impl Hung for Position {
    /// A move that saves one piece and loses an exchange for it is none.
    fn saving_moves(&self, moves: &mut Vec<Move>) -> bool {
        let mut room = Vec::new();
        let hung = hung(self, &mut room);
        if hung.is_empty() {
            return false;
        }
        list_quiet(self, moves, |&mv| {
            if !self.exchange_at_least(mv, Score::DRAW) {
                return false;
            }
            let mut child = self.clone();
            child.play(mv);
            let still = winnable(&child, &mut room);
            match hung.contains(mv.from()) {
                true => !still.contains(mv.destination()),
                false => (hung & !still).any(),
            }
        });
        true
    }
}

/// The promotion squares, still free, of pawns that are one step away.
fn promotion_squares(position: &Position, side: Color) -> Bitboard {
    let board = position.board();
    let seventh = Bitboard::from_rank(side.relative_rank(Rank::Seventh));
    (board.by_piece(side.pawn()) & seventh).shift(side.fold_wb(8, -8)) & !board.occupied()
}

/// The squares next to the king of `side` that its own pieces leave free.
fn room(position: &Position, side: Color) -> Bitboard {
    let board = position.board();
    let king = board.king_of(side).map_or(Bitboard::EMPTY, attacks::king_attacks);
    king & !board.by_color(side)
}

impl Threats for Position {
    /// A pawn that can promote by a step; a king next to which more enemy pieces see a square than it has
    /// squares to go.
    fn may_threaten(&self, threat: Threat) -> bool {
        let (board, us) = (self.board(), self.turn());
        match threat {
            Threat::Promotion => promotion_squares(self, !us).any(),
            Threat::Mate => {
                let Some(king) = board.king_of(us) else { return false };
                let without_king = board.occupied().without(king);
                let safe = |square: &Square| board.attacks_to(*square, !us, without_king).is_empty();
                let flights = room(self, us).into_iter().filter(safe).count();
                let near = attacks::king_attacks(king);
                let attackers = near
                    .into_iter()
                    .fold(Bitboard::EMPTY, |all, square| all | board.attacks_to(square, !us, without_king));
                (attackers & !board.pawns() & !board.kings()).count() > flights
            }
        }
    }

    fn promotes(&self, mv: Move) -> bool {
        mv.promotion() == Some(Role::Queen)
    }

    /// Moves that block a square that matters or guard it once more: where the pawn promotes, or next to the own king.
    /// Against mate also moves of the king, and moves from next to it, which make room.
    fn counter_moves(&self, threat: Threat, moves: &mut Vec<Move>) {
        let (board, us) = (self.board(), self.turn());
        let Some(king) = board.king_of(us) else { return };
        let (squares, leaves) = match threat {
            Threat::Promotion => (promotion_squares(self, !us), Bitboard::EMPTY),
            Threat::Mate => (room(self, us), attacks::king_attacks(king).with(king)),
        };
        list_quiet(self, moves, |&mv| {
            if squares.contains(mv.destination()) || leaves.contains(mv.from()) {
                return true;
            }
            let mut child = self.clone();
            child.play(mv);
            let guards =
                |board: &shakmaty::Board, square| board.attacks_to(square, us, board.occupied()).count();
            squares.into_iter().any(|square| guards(child.board(), square) > guards(board, square))
        });
    }
}
