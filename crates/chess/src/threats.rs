//! Detects threats statically: hung pieces, pawns about to promote, kings in danger; and the moves that
//! may answer them.
//!
//! *Reference:* Kaindl 1983, §II, which names the kinds of counter-moves and leaves the criteria open.
//! *Soundness:* hints for a search, which verifies them.

use crate::Position;
use crate::moves::Move;
use cassius_search::game::{Hung, Threat, Threats};
use cassius_search::{Checks as _, Game as _, Noisy, Pass as _, Score};
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

/// Returns the squares of the pieces that the side to move can win by an exchange. `moves` is a scratch
/// buffer.
fn winnable(position: &Position, moves: &mut Vec<Move>) -> Bitboard {
    let first = moves.len();
    position.noisy_moves(moves);
    let wins = |mv: &&Move| mv.is_capture() && position.exchange_at_least(**mv, Score(1));
    let squares = moves[first..].iter().filter(wins).map(|mv| mv.to()).collect();
    moves.truncate(first);
    squares
}

/// Appends the quiet legal moves for which `keep` is true.
fn list_quiet(position: &Position, moves: &mut Vec<Move>, keep: impl FnMut(&Move) -> bool) {
    let mut quiet = position.legal_moves();
    quiet.retain(|mv| !mv.is_noisy());
    moves.extend(quiet.into_iter().filter(keep));
}

/// Returns the squares on which the side to move, which is not in check, stands to lose something.
/// `room` is a scratch buffer.
fn hung(position: &Position, room: &mut Vec<Move>) -> Bitboard {
    let mut passed = position.clone();
    passed.pass();
    winnable(&passed, room) & position.board().by_color(position.turn())
}

/// Returns the number of things that make a position hard to judge: a check, hung pieces, a threat to
/// promote, a threat to mate.
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
    /// A move that saves one piece but loses an exchange in doing so does not count.
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

/// Returns the free promotion squares of pawns that are one step away.
fn promotion_squares(position: &Position, side: Color) -> Bitboard {
    let board = position.board();
    let seventh = Bitboard::from_rank(side.relative_rank(Rank::Seventh));
    (board.by_piece(side.pawn()) & seventh).shift(side.fold_wb(8, -8)) & !board.occupied()
}

/// Returns the squares next to the king of `side` that its own pieces do not occupy.
fn room(position: &Position, side: Color) -> Bitboard {
    let board = position.board();
    let king = board.king_of(side).map_or(Bitboard::EMPTY, attacks::king_attacks);
    king & !board.by_color(side)
}

impl Threats for Position {
    /// Detects a promotion threat if a pawn of the other side can promote with a single step. Detects a
    /// mate threat if more enemy pieces attack squares next to the king than the king has flight
    /// squares.
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

    /// Appends the moves that block or additionally guard a critical square: the promotion square, or a
    /// square next to the own king. Against mate, also appends king moves, and moves of pieces next to
    /// the king, which give it room.
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
