//! Othello on bitboards.
//!
//! A square is a bit, in reading order: a1 is the lowest, h1 the eighth, h8 the highest. Two words, the
//! mover's discs and the other side's, are all that the rules need. From a square, a line of the other
//! side's discs is followed by shifts, in eight directions, with four steps each up and down.
//!
//! A side without a legal move passes, and that pass is a move. The game is over when neither side has a
//! legal move.
//!
//! *Unit:* a hundredth of a disc. A finished game is worth a hundred for each disc by which it is won,
//! where empty squares count for the winner; this is the score as players define it. All 64 squares then
//! belong to a side, so the smallest win is a win by two discs, 200. Static values stay below that: an
//! unfinished game never looks as good as the narrowest win, nor as bad as the narrowest defeat.
//!
//! *Capabilities it lacks.* No side is ever in check, and no kind of move stands out as noisy: every
//! move turns discs over and changes mobility. A pass that the rules do not require would often be the
//! best move, because the obligation to move is what loses endgames. Such a pass says nothing about the
//! moves, so the game does not implement [`Pass`](cassius_search::Pass).

mod endgame;
mod text;

pub use endgame::{Endgame, FastestFirst, FreePasses};
pub use text::ParseError;

use crate::mix;
use cassius_search::game::{Bounded, MoveIndexed};
use cassius_search::{Game, Keyed, Off, Outcome, Score, Static, playable};

/// A position. X, black, moves first.
///
/// It is parsed from the moves played, in which forced passes may be omitted, or from the 64 squares in
/// reading order, `X`, `O` and `-` or `.`, followed by the side to move. White space is ignored. It
/// prints the second form, in rows.
///
/// ```
/// use cassius_games::Othello;
/// use cassius_search::{minimax, Score, Statics};
///
/// let position: Othello = "f5d6c3".parse()?;
/// assert_eq!(position.to_string(), "
/// --------
/// --------
/// --X-----
/// ---XX---
/// ---OXX--
/// ---O----
/// --------
/// --------
/// O".trim_start());
/// assert_eq!(position.to_string().parse(), Ok(position));
///
/// // One of the shortest games: X leaves no disc to O, and has all 64 squares.
/// let game: Othello = "e6f4e3f6g5d6e7f5".parse()?;
/// assert_eq!(minimax(&game, &mut Statics, 1), Score(6_400));
/// # Ok::<(), cassius_games::othello::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Othello {
    mine: u64,
    theirs: u64,
    o_to_move: bool,
}

/// A move: a square to place a disc on, or a pass. Printed as `f5`, file and row, or `pass`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move(u8);

const SQUARES: u8 = 64;
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares next to a corner on the edge, and the squares diagonal to it: occupying them gives the
/// corner away.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The order in which moves are listed.
const CLASSES: [u64; 4] = [CORNERS, !(CORNERS | C_SQUARES | X_SQUARES), C_SQUARES, X_SQUARES];

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
/// The squares that a sideways line can pass through: such a line ends at the edge.
const INNER: u64 = !(FILE_A | FILE_H);
/// The step from a square to the next along its row, its two diagonals and its file, with the squares
/// that such lines can pass through.
const LINES: [(u32, u64); 4] = [(1, INNER), (7, INNER), (9, INNER), (8, !0)];

/// The value of a disc in the final score.
const DISC: i32 = 100;
/// Weights of the static value: a corner held, a legal move, a disc next to an empty square.
const CORNER: i32 = 16;
const MOBILITY: i32 = 1;
const FRONTIER: i32 = -2;

impl Move {
    /// A pass: there is no square to place a disc on.
    pub const PASS: Move = Move(SQUARES);

    /// Returns the square in this file and row, both from 1 to 8.
    pub const fn square(file: u8, row: u8) -> Option<Move> {
        match (file, row) {
            (1..=8, 1..=8) => Some(Move((row - 1) * 8 + file - 1)),
            _ => None,
        }
    }

    /// Returns the square's bit, or 0 for a pass.
    const fn bit(self) -> u64 {
        if self.0 < SQUARES { 1 << self.0 } else { 0 }
    }
}

/// Returns the discs of `between` that form a contiguous line from `from`, in steps of `step`, upwards
/// and downwards.
#[inline]
const fn runs(from: u64, between: u64, step: u32) -> (u64, u64) {
    let mut up = between & (from << step);
    let mut down = between & (from >> step);
    up |= between & (up << step);
    down |= between & (down >> step);
    // A run has at most six discs. The shifts above cover two; each further step adds two.
    let up_by_two = between & (between << step);
    let down_by_two = between & (between >> step);
    up |= up_by_two & (up << (2 * step));
    down |= down_by_two & (down >> (2 * step));
    up |= up_by_two & (up << (2 * step));
    down |= down_by_two & (down >> (2 * step));
    (up, down)
}

/// Returns the empty squares where the side with the discs `mine` can place one.
#[inline]
fn places(mine: u64, theirs: u64) -> u64 {
    let ends = LINES.into_iter().map(|(step, inner)| {
        let (up, down) = runs(mine, theirs & inner, step);
        (up << step) | (down >> step)
    });
    ends.fold(0, |all, ends| all | ends) & !(mine | theirs)
}

/// Returns the discs that are turned over by placing a disc of `mine` on `square`.
#[inline]
fn turned(square: u64, mine: u64, theirs: u64) -> u64 {
    let turned = LINES.into_iter().map(|(step, inner)| {
        let (up, down) = runs(square, theirs & inner, step);
        let closed = |run: u64, end: u64| if end & mine != 0 { run } else { 0 };
        closed(up, up << step) | closed(down, down >> step)
    });
    turned.fold(0, |all, turned| all | turned)
}

/// Returns the squares adjacent to these, in all eight directions.
#[inline]
const fn beside(squares: u64) -> u64 {
    let rows = squares | (squares & !FILE_H) << 1 | (squares & !FILE_A) >> 1;
    rows | rows << 8 | rows >> 8
}

impl Default for Othello {
    /// Returns the initial position.
    fn default() -> Othello {
        Othello { mine: 0x0000_0008_1000_0000, theirs: 0x0000_0010_0800_0000, o_to_move: false }
    }
}

impl Othello {
    /// Returns the number of empty squares.
    #[inline]
    pub const fn empties(self) -> usize {
        (self.mine | self.theirs).count_zeros() as usize
    }

    /// Returns the number of discs by which the side to move would win if the game ended here. Empty
    /// squares count for the winner.
    #[inline]
    pub const fn lead(self) -> i32 {
        let lead = self.mine.count_ones() as i32 - self.theirs.count_ones() as i32;
        lead + lead.signum() * self.empties() as i32
    }

    /// Returns the squares where the side to move can place a disc.
    #[inline]
    fn my_places(self) -> u64 {
        places(self.mine, self.theirs)
    }

    #[inline]
    fn their_places(self) -> u64 {
        places(self.theirs, self.mine)
    }

    /// Whether the side to move has no move other than a pass.
    #[inline]
    pub fn must_pass(self) -> bool {
        self.my_places() == 0 && self.their_places() != 0
    }

    /// Whether the move is legal here.
    #[inline]
    pub fn is_legal(self, mv: Move) -> bool {
        if mv == Move::PASS { self.must_pass() } else { self.my_places() & mv.bit() != 0 }
    }
}

/// Returns the discs in an unbroken row from an owned corner along an edge: they can never be turned
/// over.
fn safe(discs: u64) -> u64 {
    const EDGES: [(u64, u32); 4] = [(0xff, 1), (0xff << 56, 1), (FILE_A, 8), (FILE_H, 8)];
    let runs = EDGES.into_iter().map(|(edge, step)| {
        let (mut up, mut down) = (discs & edge & CORNERS, discs & edge & CORNERS);
        for _ in 0..7 {
            up |= up << step & discs & edge;
            down |= down >> step & discs & edge;
        }
        up | down
    });
    runs.fold(0, |all, run| all | run)
}

/// Each side keeps its stable discs; every other square can go to either side.
impl Bounded for Othello {
    fn bounds(&self, _: usize) -> (Score, Score) {
        let kept = |discs: u64| 2 * safe(discs).count_ones() as i32;
        let all = i32::from(SQUARES);
        (Score(DISC * (kept(self.mine) - all)), Score(DISC * (all - kept(self.theirs))))
    }
}

impl Game for Othello {
    type Move = Move;

    #[inline]
    fn moves(&self, moves: &mut Vec<Move>) {
        let places = self.my_places();
        if places == 0 && self.their_places() != 0 {
            moves.push(Move::PASS);
        }
        for class in CLASSES {
            let mut squares = places & class;
            while squares != 0 {
                moves.push(Move(squares.trailing_zeros() as u8));
                squares &= squares - 1;
            }
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let square = mv.bit(); // a pass places no disc and turns none over
        let turned = turned(square, self.mine, self.theirs);
        *self = Othello {
            mine: self.theirs & !turned,
            theirs: self.mine | turned | square,
            o_to_move: !self.o_to_move,
        };
    }

    #[inline]
    fn count_moves(&self) -> usize {
        match self.my_places().count_ones() {
            0 => usize::from(self.their_places() != 0),
            count => count as usize,
        }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.my_places() == 0 && self.their_places() == 0
    }

    #[inline]
    fn outcome(&self) -> Outcome {
        Outcome::Points(Score(DISC * self.lead()))
    }
}

/// Counts corners, which cannot be turned over; mobility, the number of moves; and the frontier, the
/// discs that border on an empty square and therefore give moves to the other side. The value is that of
/// the side to move minus that of the other side.
///
/// It is at most 192, in hundredths of a disc: with `e` empty squares a side has at most `e` moves, at
/// most `64 − e` discs are on the frontier, and 4 · 16 + e + 2 (64 − e) = 192 − e.
impl Static for Othello {
    #[inline]
    fn static_value(&self) -> Score {
        let frontier = beside(!(self.mine | self.theirs));
        let worth = |discs: u64, places: u64| {
            let count = |squares: u64| squares.count_ones() as i32;
            CORNER * count(discs & CORNERS) + MOBILITY * count(places) + FRONTIER * count(discs & frontier)
        };
        Score(worth(self.mine, self.my_places()) - worth(self.theirs, self.their_places()))
    }
}

/// The key ignores colours: values are relative to the side to move.
impl Keyed for Othello {
    #[inline]
    fn key(&self) -> u64 {
        mix(self.mine.wrapping_add(mix(self.theirs)))
    }

    #[inline]
    fn code(&self, mv: Move) -> u16 {
        u16::from(mv.0) + 1
    }
}

/// One slot for each square and one for the pass.
impl MoveIndexed for Othello {
    const MOVE_INDICES: usize = SQUARES as usize + 1;

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        usize::from(mv.0)
    }
}

playable!(Othello, "Othello", draws: Off);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{draw, perft};
    use cassius_search::{Statics, minimax};

    fn position(text: &str) -> Othello {
        text.parse().unwrap()
    }

    fn moves(position: &Othello) -> Vec<Move> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves
    }

    /// Plays random moves until at most `empties` squares are empty or the game is over.
    pub(super) fn random_play(seed: u64, empties: usize) -> Othello {
        let mut position = Othello::default();
        for ply in 0.. {
            let moves = moves(&position);
            if position.empties() <= empties || moves.is_empty() {
                break;
            }
            position.play(moves[draw(seed, ply, moves.len() as u64) as usize]);
        }
        position
    }

    #[test]
    fn counts_positions() {
        let counts: Vec<u64> = (0..=9).map(|depth| perft(&Othello::default(), depth)).collect();
        assert_eq!(counts, [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288]);
        // The published number for ten plies includes games that end after nine.
        assert_eq!(perft(&Othello::default(), 10) + finished(&Othello::default(), 9), 24_571_284);
    }

    /// Returns the number of games that end after exactly `plies` plies.
    fn finished(position: &Othello, plies: usize) -> u64 {
        let after = |mv| {
            let mut child = *position;
            child.play(mv);
            finished(&child, plies - 1)
        };
        match plies {
            0 => u64::from(position.is_over()),
            _ => moves(position).into_iter().map(after).sum(),
        }
    }

    /// Returns the discs that a disc on `square` turns over, computed square by square as the rules
    /// define it.
    fn turned_slowly(square: u8, mine: u64, theirs: u64) -> u64 {
        let (file, row) = (i32::from(square % 8), i32::from(square / 8));
        let bit = |steps: i32, (dx, dy): (i32, i32)| {
            let (x, y) = (file + steps * dx, row + steps * dy);
            if (0..8).contains(&x) && (0..8).contains(&y) { 1u64 << (8 * y + x) } else { 0 }
        };
        let directions = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        let line = |direction: (i32, i32)| {
            let length = (1..).take_while(|steps| theirs & bit(*steps, direction) != 0).count() as i32;
            let closed = mine & bit(length + 1, direction) != 0;
            if closed { (1..=length).map(|steps| bit(steps, direction)).sum() } else { 0 }
        };
        directions.filter(|direction| *direction != (0, 0)).map(line).sum()
    }

    #[test]
    fn shifts_turn_over_what_squares_show() {
        for seed in 0..20_000 {
            // Alternates between crowded and sparse boards.
            let sparse = if seed % 2 == 0 { mix(seed ^ 1 << 40) } else { !0 };
            let (all, colour) = (mix(seed) & sparse, mix(seed ^ 1 << 50));
            let (mine, theirs) = (all & colour, all & !colour);
            let mut slowly = 0;
            for square in (0..SQUARES).filter(|square| all >> square & 1 == 0) {
                let expected = turned_slowly(square, mine, theirs);
                assert_eq!(turned(1 << square, mine, theirs), expected);
                slowly |= u64::from(expected != 0) << square;
            }
            assert_eq!(places(mine, theirs), slowly);
        }
    }

    /// One row is enough: O has a move and X has none, then the reverse, then neither has one.
    #[test]
    fn who_cannot_move_passes() {
        let row = |row: &str, side: char| position(&format!("{row}{}{side}", "-".repeat(56)));
        let stuck = row("OX------", 'X');
        assert!(stuck.must_pass() && !stuck.is_over());
        assert_eq!((moves(&stuck), stuck.count_moves()), (vec![Move::PASS], 1));
        let mut passed = stuck;
        passed.play(Move::PASS);
        assert_eq!(passed, row("OX------", 'O'));
        assert_eq!(moves(&passed), [Move::square(3, 1).unwrap()]);
        assert_eq!(perft(&stuck, 2), 1);
        passed.play(Move::square(3, 1).unwrap());
        assert_eq!(passed, row("OOO-----", 'X'));
        assert!(passed.is_over() && moves(&passed).is_empty());
        assert_eq!(passed.outcome(), Outcome::Points(Score(-6_400)));
        assert_eq!(minimax(&stuck, &mut Statics, 2), Score(-6_400));
    }

    #[test]
    fn empty_squares_are_the_winners() {
        let row = |row: &str| position(&format!("{row}{}X", "-".repeat(56)));
        for (discs, lead) in [("XX-O----", 63 - 1), ("X--OO---", 1 - 63), ("X--O----", 0)] {
            assert_eq!(row(discs).lead(), lead, "{discs}");
        }
        let full = |x: usize| position(&format!("{}{}O", "X".repeat(x), "O".repeat(64 - x)));
        for x in 0..=64 {
            assert_eq!(full(x).outcome(), Outcome::Points(Score(100 * (64 - 2 * x as i32))));
        }
    }

    /// Boards that occur in games, and boards that do not.
    fn boards() -> impl Iterator<Item = Othello> {
        let played = (0..3_000).map(|seed| random_play(seed, draw(seed, 99, 60) as usize));
        let drawn = (0..3_000).map(|seed| {
            let (all, colour) = (mix(seed), mix(seed ^ 1 << 50));
            Othello { mine: all & colour, theirs: all & !colour, o_to_move: seed % 2 == 0 }
        });
        played.chain(drawn)
    }

    /// No estimate is as good as the smallest win, 200, nor as bad as the smallest defeat.
    #[test]
    fn a_win_is_better_than_any_estimate() {
        const { assert!(64 * DISC <= Score::MAX_ESTIMATE.0) };
        for position in boards() {
            assert!(position.static_value().0.abs() < 2 * DISC, "{position}");
        }
        // Four corners, each next to empty squares, and no move for either side.
        let corners = Othello { mine: CORNERS, theirs: 0, o_to_move: false };
        assert_eq!(corners.static_value(), Score(4 * CORNER + 4 * FRONTIER));
    }

    /// Both sides, and all eight symmetries of a board, give the same value.
    #[test]
    fn values_are_symmetric() {
        let mirrored = |board: u64| board.swap_bytes();
        let transposed = |board: u64| {
            let squares = (0..64).filter(|square| board >> square & 1 != 0);
            squares.map(|square| 1u64 << (square % 8 * 8 + square / 8)).sum::<u64>()
        };
        for position in boards() {
            let Othello { mine, theirs, o_to_move } = position;
            let value = position.static_value();
            assert_eq!(Othello { mine: theirs, theirs: mine, o_to_move }.static_value(), -value);
            let other = Othello { o_to_move: !o_to_move, ..position };
            assert_eq!((other.static_value(), other.key()), (value, position.key()));
            for turn in [&mirrored as &dyn Fn(u64) -> u64, &transposed] {
                let image = Othello { mine: turn(mine), theirs: turn(theirs), o_to_move };
                assert_eq!(image.static_value(), value, "{position}\n{image}");
                assert_eq!(image.count_moves(), position.count_moves());
            }
        }
    }

    /// Corners are listed first, the squares that give them away last. Each move is listed once and is
    /// legal.
    #[test]
    fn moves_are_listed_by_class() {
        assert_eq!(CLASSES.into_iter().fold(0, |all, class| all | class), !0);
        for position in boards() {
            let moves = moves(&position);
            let class = |mv: &Move| CLASSES.into_iter().position(|class| class & mv.bit() != 0);
            assert!(moves.is_sorted_by_key(class));
            assert!(moves.iter().all(|mv| position.is_legal(*mv)));
            assert_eq!(moves.len(), position.count_moves());
            assert_eq!(moves.is_empty(), position.is_over());
            assert_eq!(moves == [Move::PASS], position.must_pass());
        }
    }
}
