//! Determines which moves answer a move that the other side threatens.

use crate::Position;
use crate::moves::Move;
use cassius_search::game::{Defuse, MoveIndexed};
use shakmaty::{Bitboard, Rank, Role, Square, attacks};

impl Defuse for Position {
    /// Whether the move takes the piece that would move, leaves its target, adds a guard to it, or
    /// blocks the way. Castling counts only where its rook leaves the target. A threat to castle or to
    /// take en passant is never defused.
    fn defuses(&self, mv: Move, threat: usize) -> bool {
        let Some((role, target)) = self.threatened(threat) else { return false };
        let (board, us) = (self.board(), self.turn());
        if mv.is_castling() {
            return mv.to() == target && self.movers(role, target).any();
        }
        let (from, to) = (mv.from(), mv.to());
        let movers = self.movers(role, target);
        if movers.is_empty() {
            return false;
        }
        let takes = movers.contains(to);
        let leaves = from == target;
        let in_the_way = movers.into_iter().any(|mover| attacks::between(mover, target).contains(to));
        let stops = role == Role::Pawn && to == target && !board.by_color(us).contains(target);
        let after = board.occupied().without(from).with(to);
        let before = attacks::attacks(from, mv.role().of(us), board.occupied());
        let guards =
            attacks::attacks(to, mv.placed().of(us), after).contains(target) && !before.contains(target);
        takes || leaves || in_the_way || stops || guards
    }
}

impl Position {
    /// Returns the piece and the target of a slot, if the slot is a move of the other side.
    fn threatened(&self, slot: usize) -> Option<(Role, Square)> {
        const SIDE: usize = Position::MOVE_INDICES / 2;
        let theirs = (self.turn().other() as usize & 1) * SIDE;
        let number = slot.checked_sub(theirs).filter(|number| *number < SIDE)?;
        let role = Role::try_from(number as u32 / 64 + 1).ok()?;
        Some((role, Square::new(number as u32 % 64)))
    }

    /// Returns the other side's pieces of this role that could go to `target` if it were their turn.
    fn movers(&self, role: Role, target: Square) -> Bitboard {
        let (board, us) = (self.board(), self.turn());
        let them = us.other();
        let pieces = board.by_role(role) & board.by_color(them);
        if board.by_color(them).contains(target) {
            return Bitboard::EMPTY;
        }
        if role == Role::Pawn && !board.by_color(us).contains(target) {
            let is_push = |pawn: &Square| {
                let step = them.fold_wb(8, -8);
                let once = pawn.offset(step) == Some(target);
                let twice = pawn.offset(2 * step) == Some(target)
                    && pawn.rank() == them.relative_rank(Rank::Second)
                    && (attacks::between(*pawn, target) & board.occupied()).is_empty();
                once || twice
            };
            return pieces.into_iter().filter(is_push).collect();
        }
        board.attacks_to(target, them, board.occupied()) & pieces
    }
}
