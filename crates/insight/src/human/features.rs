//! The features of a move that decide whether a human plays it.

use super::{DOUBTS, Features, LOOKS};
use cassius_chess::{Move, Position, exchange_at_least};
use cassius_search::{Checks as _, Game as _, Pass as _};
use shakmaty::{Bitboard, CastlingSide, Role, Square, attacks};

/// A position with what is known about its moves before their features are computed.
pub struct Choice<'a> {
    /// The position.
    pub position: &'a Position,
    /// The positions that led to it.
    pub before: &'a [Position],
    /// The legal moves.
    pub moves: &'a [Move],
    /// The win probability after each move, at each look.
    pub looks: &'a [[f64; LOOKS]],
    /// Whether each move holds.
    pub holds: &'a [bool],
    /// The iteration that established it.
    pub verified: &'a [usize],
    /// The best move.
    pub best: Move,
    /// The win probability.
    pub chance: f64,
}

impl Choice<'_> {
    /// Returns the features of each legal move.
    pub fn features(&self) -> Vec<Features> {
        let around = Around::of(self);
        self.moves.iter().enumerate().map(|(index, mv)| around.features(self, index, *mv)).collect()
    }

    /// Returns for each legal move what decides whether it is an error if it is played: the values of
    /// [`DOUBTS`](super::DOUBTS), those for the rating without it.
    pub fn doubts(&self) -> Vec<[f32; DOUBTS.len()]> {
        let around = Around::of(self);
        let share = around.holding as f32 / self.moves.len() as f32;
        let doubt = |(index, mv): (usize, &Move)| {
            let loss = |look: usize| (around.most[look] - self.looks[index][look]).max(0.0);
            let holds = f32::from(u8::from(self.holds[index]));
            let depth = (self.verified[index] as f32).min(DEEPEST) / 4.0;
            [
                1.0,
                holds,
                middling(loss(1)),
                middling(loss(2)),
                small(loss(3)),
                middling(loss(3)),
                loss(3) as f32,
                (1.0 - holds) * depth,
                holds * depth,
                share,
                (self.chance - 0.5).abs() as f32,
                f32::from(u8::from(mv.is_capture())),
                1.0,
                holds,
            ]
        };
        self.moves.iter().enumerate().map(doubt).collect()
    }
}

/// The depth beyond which the verdict of the judge is not taken to be more certain: deeper searches were not
/// examined.
const DEEPEST: f32 = 14.0;

/// What the moves of a position have in common.
struct Around {
    /// The best win probability at each look.
    most: [f64; LOOKS],
    holding: usize,
    endgame: bool,
    /// Where the other side's last move ended, and whether it captured something.
    last: Option<(Square, bool)>,
    /// Where the own last move began and ended.
    own_last: Option<(Square, Square)>,
    /// The own pieces that would be lost if nothing were done.
    hanging: Bitboard,
    /// Whether a capture wins material.
    wins: bool,
}

impl Around {
    fn of(choice: &Choice<'_>) -> Around {
        let position = choice.position;
        let mut most = [0.0_f64; LOOKS];
        for looks in choice.looks {
            most.iter_mut().zip(looks).for_each(|(most, look)| *most = most.max(*look));
        }
        let board = position.board();
        let pieces = (board.occupied() & !board.kings() & !board.pawns()).count();
        let mut hanging = Bitboard::EMPTY;
        if position.may_pass() {
            let mut passed = position.clone();
            passed.pass();
            let taken = passed.legal_moves().into_iter().filter(|mv| mv.is_capture());
            taken.filter(|mv| exchange_at_least(&passed, *mv, 1)).for_each(|mv| hanging.add(mv.to()));
        }
        let before = choice.before;
        Around {
            most,
            holding: choice.holds.iter().filter(|holds| **holds).count(),
            endgame: pieces <= 6,
            last: before.last().and_then(|before| played(before, position)).map(|(_, to, took)| (to, took)),
            own_last: match before {
                [.., first, second] => played(first, second).map(|(from, to, _)| (from, to)),
                _ => None,
            },
            hanging,
            wins: choice.moves.iter().any(|mv| mv.is_capture() && exchange_at_least(position, *mv, 1)),
        }
    }

    fn features(&self, choice: &Choice<'_>, index: usize, mv: Move) -> Features {
        let (position, looks) = (choice.position, choice.looks[index]);
        let board = position.board();
        let (us, role, from, to) = (position.turn(), mv.role(), mv.from(), mv.destination());
        let mut after = position.clone();
        after.play(mv);
        let losses: [f64; LOOKS] = std::array::from_fn(|look| (self.most[look] - looks[look]).max(0.0));
        let flag = |is: bool| f32::from(u8::from(is));
        let ahead = (choice.chance - 0.5) as f32 * 2.0;
        let exchange = |threshold| exchange_at_least(position, mv, threshold);
        let (wins, safe) = (exchange(1), exchange(0));
        let takes = mv.is_capture();
        let even = takes && safe && !wins;
        let check = after.in_check();
        let forward = us.fold_wb(1, -1) * (i32::from(to.rank()) - i32::from(from.rank()));
        let by_pawn =
            |square| (attacks::pawn_attacks(us, square) & board.pawns() & board.by_color(!us)).any();
        let (last, last_took) = self.last.map_or((None, false), |(to, took)| (Some(to), took));
        let queens = takes && mv.capture() == Some(Role::Queen) && role == Role::Queen;
        let protected =
            (after.board().attacks_to(to, us, after.board().occupied()) & after.board().by_color(us)).any();
        let repeats = choice.before.contains(&after);
        let is_away = |square: Square| square != from && board.by_color(us).contains(square);
        let left_hanging = self.hanging.into_iter().filter(|square| is_away(*square)).any(|square| {
            // It still stands there, and can still be taken with profit.
            after.board().by_color(us).contains(square)
                && after
                    .legal_moves()
                    .iter()
                    .any(|reply| reply.to() == square && exchange_at_least(&after, *reply, 1))
        });
        let lesser = board.attacks_to(from, !us, board.occupied()) & board.by_color(!us);
        let mut lesser = lesser.into_iter().filter_map(|square| board.role_at(square));
        let from_lesser = lesser.any(|attacker| worth(attacker) < worth(role)) && role != Role::King;
        let steady = |sign: f64| (1..LOOKS).all(|look| sign * (losses[look - 1] - losses[look]) > 0.001);
        let dense = [
            small(losses[0]),
            middling(losses[0]),
            losses[0] as f32,
            small(losses[1]),
            middling(losses[1]),
            losses[1] as f32,
            small(losses[2]),
            middling(losses[2]),
            losses[2] as f32,
            small(losses[3]),
            middling(losses[3]),
            losses[3] as f32,
            flag(losses[0] <= 0.0),
            flag(losses[1] <= 0.0),
            flag(losses[2] <= 0.0),
            flag(losses[3] <= 0.0),
            flag(choice.holds[index]),
            flag(mv == choice.best),
            flag(choice.holds[index] && self.holding == 1),
            flag(takes && wins),
            flag(even),
            flag(takes && !safe),
            mv.capture().map_or(0.0, worth) / 9.0,
            flag(takes && last_took && last == Some(mv.to())),
            flag(takes && last == Some(mv.to())),
            flag(!takes && !safe),
            flag(role != Role::Pawn && by_pawn(to)),
            flag(check && safe),
            flag(check && !safe),
            flag(after.is_checkmate()),
            flag(mv.promotion() == Some(Role::Queen)),
            flag(mv.promotion().is_some_and(|role| role != Role::Queen)),
            flag(mv.castling_side() == Some(CastlingSide::KingSide)),
            flag(mv.castling_side() == Some(CastlingSide::QueenSide)),
            flag(self.hanging.contains(from) && safe),
            flag(left_hanging),
            threatened(&after) / 9.0,
            flag(position.in_check() && role == Role::King),
            flag(position.in_check() && role != Role::King && !takes),
            flag(self.own_last.is_some_and(|(_, to)| to == from)),
            flag(self.own_last == Some((to, from))),
            last.map_or(0.0, |last| (7 - last.distance(to)) as f32 / 7.0),
            flag(takes && !last_took && last == Some(mv.to())),
            flag(forward < 0 && !matches!(role, Role::King | Role::Pawn)),
            flag(forward > 0 && !matches!(role, Role::King | Role::Pawn)),
            from.distance(to) as f32 / 7.0,
            passed_rank(position, mv),
            flag(
                role == Role::Pawn
                    && !takes
                    && (attacks::pawn_attacks(us, to) & board.by_piece((!us).pawn())).any(),
            ),
            flag(role == Role::Pawn && shields(position, from)),
            flag(mv.is_double_push()),
            flag(even) * ahead,
            flag(queens),
            flag(queens) * ahead,
            flag(repeats),
            flag(repeats) * ahead,
            near_king(&after, to) / 4.0,
            flag(protected),
            flag(from_lesser && safe),
            flag(self.wins && !takes),
            flag(steady(1.0)),
            flag(steady(-1.0)),
            flag(attacks_loose(&after, to)),
        ];
        let own = |square: Square| us.fold_wb(square, square.flip_vertical()) as u16;
        let kind = role as u16 - 1;
        let phase = u16::from(self.endgame);
        Features { dense, places: [(phase * 6 + kind) * 64 + own(to), kind * 64 + own(from)] }
    }
}

/// A loss on a scale on which two hundredths of win probability are much.
fn small(loss: f64) -> f32 {
    (1.0 - (-loss / 0.02).exp()) as f32
}

/// A loss on a scale on which eight hundredths are much.
fn middling(loss: f64) -> f32 {
    (1.0 - (-loss / 0.08).exp()) as f32
}

/// The usual values of the pieces, in pawns; the king counts as 9 where it attacks or is attacked.
fn worth(role: Role) -> f32 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen | Role::King => 9.0,
    }
}

/// Returns where the move between two positions began and ended, and whether it captured something. The
/// positions need not belong together.
fn played(before: &Position, after: &Position) -> Option<(Square, Square, bool)> {
    let side = before.turn();
    let (old, new) = (before.board().by_color(side), after.board().by_color(side));
    let (left, reached) = (old & !new, new & !old);
    let took = after.board().by_color(!side).count() < before.board().by_color(!side).count();
    // In castling two pieces move: the king counts.
    let king = |squares: Bitboard, position: &Position| squares & position.board().kings();
    let pick = |squares: Bitboard, position: &Position| match squares.count() {
        1 => squares.first(),
        2 => king(squares, position).first(),
        _ => None,
    };
    Some((pick(left, before)?, pick(reached, after)?, took))
}

/// Returns the value of the greatest piece that the side which has just moved threatens to win.
fn threatened(after: &Position) -> f32 {
    if !after.may_pass() {
        return 0.0;
    }
    let mut passed = after.clone();
    passed.pass();
    let captures = passed.legal_moves().into_iter().filter(|mv| mv.is_capture());
    let won = captures.filter(|mv| exchange_at_least(&passed, *mv, 1)).filter_map(Move::capture);
    won.map(worth).fold(0.0, f32::max)
}

/// Returns how far a passed pawn gets by this move, from 0 to 1.
fn passed_rank(position: &Position, mv: Move) -> f32 {
    if mv.role() != Role::Pawn {
        return 0.0;
    }
    let (us, to, board) = (position.turn(), mv.to(), position.board());
    let theirs = board.by_piece((!us).pawn());
    let stops = |square: Square| {
        let ahead = us.fold_wb(square.rank() > to.rank(), square.rank() < to.rank());
        ahead && (i32::from(square.file()) - i32::from(to.file())).abs() <= 1
    };
    let rank = us.fold_wb(i32::from(to.rank()), 7 - i32::from(to.rank()));
    if theirs.into_iter().any(stops) { 0.0 } else { rank as f32 / 7.0 }
}

/// Whether a pawn stands on the files next to its king, on the king's side of the board and in front of it.
fn shields(position: &Position, pawn: Square) -> bool {
    let us = position.turn();
    let Some(king) = position.board().king_of(us) else { return false };
    let ahead = us.fold_wb(pawn.rank() > king.rank(), pawn.rank() < king.rank());
    let near = (i32::from(pawn.rank()) - i32::from(king.rank())).abs() <= 2;
    let files = (i32::from(pawn.file()) - i32::from(king.file())).abs() <= 1;
    ahead && near && files && !matches!(i32::from(king.file()), 3 | 4)
}

/// Returns the number of squares next to the other king that the piece which has just moved attacks.
fn near_king(after: &Position, to: Square) -> f32 {
    let board = after.board();
    let Some(king) = board.king_of(after.turn()) else { return 0.0 };
    (board.attacks_from(to) & attacks::king_attacks(king)).count() as f32
}

/// Whether the piece that has just moved attacks a piece, not a pawn, that nothing protects.
fn attacks_loose(after: &Position, to: Square) -> bool {
    let (board, them) = (after.board(), after.turn());
    let attacked = board.attacks_from(to) & board.by_color(them) & !board.pawns() & !board.kings();
    attacked
        .into_iter()
        .any(|square| (board.attacks_to(square, them, board.occupied()) & board.by_color(them)).is_empty())
}
