//! Connect Four on bitboards.
//!
//! Each column takes seven bits: the lowest row is the lowest bit, and the seventh bit is always empty,
//! so that lines do not wrap around the edge:
//!
//! ```text
//!  5 12 19 26 33 40 47
//!  4 11 18 25 32 39 46
//!  3 10 17 24 31 38 45
//!  2  9 16 23 30 37 44
//!  1  8 15 22 29 36 43
//!  0  7 14 21 28 35 42
//! ```
//!
//! Two words, the mover's stones and all stones, represent the whole position. Adding a column's lowest
//! bit to all stones carries into the column's lowest empty cell. A move is therefore one addition, and
//! a test for four in a row takes two shifts per direction.

use crate::mix;
use cassius_search::alpha_beta::aspiration::Mtd;
use cassius_search::alpha_beta::deepening::MoveAndRefutation;
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::knowledge::Knowledge;
use cassius_search::alpha_beta::order::{Facts, Order};
use cassius_search::alpha_beta::selectivity::{Selectivity, Skip, Skipped};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::alpha_beta::{Candidate, Node};
use cassius_search::game::{Bounded, Defuse, MoveIndexed, Structured, Threat, Threats};
use cassius_search::{
    Bound, Checks, Depth, Evaluate, Game, Keyed, LastMoveWins, Noisy, Off, Outcome, Pass, Score, Slots,
    Static, Statics, Table, playable,
};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A position. X moves first.
///
/// It is parsed from the columns played, counted from 1, or from the board as it is printed.
///
/// ```
/// use cassius_games::Connect4;
/// use cassius_search::{minimax, Checks, Score, Statics};
///
/// let position: Connect4 = "4455".parse()?;
/// assert_eq!(position.to_string(), "
/// .......
/// .......
/// .......
/// .......
/// ...OO..
/// ...XX..".trim_start());
/// assert_eq!(position.to_string().parse(), Ok(position));
///
/// // Three in a row with both ends open: X wins with his second stone from here.
/// assert_eq!(minimax(&position, &mut Statics, 4), Score::win_in(3));
/// assert!("44553".parse::<Connect4>()?.in_check());
/// # Ok::<(), cassius_games::connect4::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Connect4 {
    mine: u64,
    all: u64,
}

/// A move: the column to drop a stone into. It is printed as its number, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Column(u8);

const WIDTH: usize = 7;
const HEIGHT: usize = 6;
/// The distance in bits from a column to the next.
const STRIDE: usize = HEIGHT + 1;

/// The cells of the lowest row.
const BOTTOM: u64 = {
    let (mut row, mut column) = (0, 0);
    while column < WIDTH {
        row |= 1 << (column * STRIDE);
        column += 1;
    }
    row
};
/// Every cell.
const BOARD: u64 = BOTTOM * ((1 << HEIGHT) - 1);
/// The first, third and fifth rows.
const ODD_ROWS: u64 = BOTTOM * 0b01_0101;

impl Column {
    /// All columns, the centre first: a reasonable static move order.
    pub const CENTRE_FIRST: [Column; WIDTH] =
        [Column(3), Column(2), Column(4), Column(1), Column(5), Column(0), Column(6)];

    /// Returns the column with this number, from 1 to 7.
    pub const fn number(number: u8) -> Option<Column> {
        if 1 <= number && number <= WIDTH as u8 { Some(Column(number - 1)) } else { None }
    }

    /// Returns the index of the column, from 0 to 6.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    const fn bottom(self) -> u64 {
        1 << (self.0 as usize * STRIDE)
    }

    const fn cells(self) -> u64 {
        self.bottom() * ((1 << HEIGHT) - 1)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// Whether `stones` hold four in a row.
#[inline]
const fn has_four(stones: u64) -> bool {
    const fn along(stones: u64, step: usize) -> u64 {
        let pairs = stones & (stones >> step);
        pairs & (pairs >> (2 * step))
    }
    along(stones, 1) | along(stones, STRIDE) | along(stones, STRIDE - 1) | along(stones, STRIDE + 1) != 0
}

impl Connect4 {
    /// Returns the number of stones on the board.
    #[inline]
    pub const fn stones(self) -> usize {
        self.all.count_ones() as usize
    }

    /// Returns a number that differs between any two positions: in each column, the mover's stones with
    /// a marker bit above the top stone.
    #[inline]
    pub const fn fingerprint(self) -> u64 {
        self.all + BOTTOM + self.mine
    }

    #[inline]
    const fn theirs(self) -> u64 {
        self.mine ^ self.all
    }

    /// Whether the side that has just moved has four in a row.
    #[inline]
    pub const fn is_lost(self) -> bool {
        has_four(self.theirs())
    }

    /// Returns the lowest empty cell of every column that is not full.
    #[inline]
    const fn landing(self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    #[inline]
    const fn cell(self, column: Column) -> u64 {
        self.landing() & column.cells()
    }

    /// Returns the empty cells that would complete four in a row for `stones`.
    #[inline]
    const fn completing(self, stones: u64) -> u64 {
        /// Returns the cells whose line along `step`, in either direction, holds three other cells of
        /// `s` that make four with them.
        const fn along(s: u64, step: usize) -> u64 {
            let below = (s << step) & (s << (2 * step));
            let above = (s >> step) & (s >> (2 * step));
            below & ((s << (3 * step)) | (s >> step)) | above & ((s >> (3 * step)) | (s << step))
        }
        let upright = (stones << 1) & (stones << 2) & (stones << 3);
        let cells = upright | along(stones, STRIDE) | along(stones, STRIDE - 1) | along(stones, STRIDE + 1);
        cells & BOARD & !self.all
    }

    /// Whether the mover completes four in a row with this move.
    #[inline]
    pub const fn wins(self, column: Column) -> bool {
        has_four(self.mine | self.cell(column))
    }

    /// Returns the landing cells where either side completes four in a row.
    #[inline]
    const fn noise(self) -> u64 {
        (self.completing(self.mine) | self.completing(self.theirs())) & self.landing()
    }

    /// Returns the landing cells after which the other side cannot complete four in a row at once. If there
    /// are none, it returns one landing cell, which is as bad as any other.
    #[inline]
    fn safe(&self) -> u64 {
        let (landing, threats) = (self.landing(), self.completing(self.theirs()));
        let blocks = threats & landing;
        let safe = if blocks == 0 { landing } else { blocks } & !(threats >> 1);
        if safe == 0 || blocks.count_ones() > 1 { landing & landing.wrapping_neg() } else { safe }
    }

    /// Whether the other side, if it were to move, could threaten to complete four in a row in two
    /// places at once.
    fn theirs_may_fork(self) -> bool {
        let forks = |column: Column| {
            let mut child = Connect4 { mine: self.theirs(), all: self.all };
            child.play(column);
            (child.completing(child.theirs()) & child.landing()).count_ones() > 1
        };
        Column::CENTRE_FIRST.into_iter().any(|column| self.cell(column) != 0 && forks(column))
    }

    /// Appends the columns of the given landing cells, without a branch per column.
    #[inline]
    fn list(cells: u64, moves: &mut Vec<Column>) {
        let (first, mut length) = (moves.len(), 0);
        moves.extend_from_slice(&Column::CENTRE_FIRST);
        let list = &mut moves[first..][..WIDTH];
        for column in Column::CENTRE_FIRST {
            list[length] = column;
            length += usize::from(cells & column.cells() != 0);
        }
        moves.truncate(first + length);
    }
}

impl Game for Connect4 {
    type Move = Column;

    #[inline]
    fn moves(&self, moves: &mut Vec<Column>) {
        if !self.is_lost() {
            Self::list(self.landing(), moves);
        }
    }

    #[inline]
    fn play(&mut self, column: Column) {
        self.mine ^= self.all;
        self.all |= self.all + column.bottom();
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.is_lost() || self.landing() == 0
    }

    #[inline]
    fn outcome(&self) -> Outcome {
        if self.is_lost() { Outcome::Loss } else { Outcome::Draw }
    }
}

/// Counts the cells that complete four in a row, and the stones in the centre. A cell counts more in the
/// rows that zugzwang gives to its owner: odd rows for X, who moves first, even rows for O.
impl Static for Connect4 {
    #[inline]
    fn static_value(&self) -> Score {
        const CENTRE: u64 = Column(3).cells();
        const MIDDLE: u64 = Column(2).cells() | CENTRE | Column(4).cells();
        let theirs = self.theirs();
        let worth = |stones: u64, rows: u64| {
            let threats = self.completing(stones);
            8 * threats.count_ones()
                + 16 * (threats & rows).count_ones()
                + (stones & CENTRE).count_ones()
                + (stones & MIDDLE).count_ones()
        };
        let x_to_move = self.all.count_ones() & 1 == 0;
        let (my_rows, their_rows) = if x_to_move { (ODD_ROWS, !ODD_ROWS) } else { (!ODD_ROWS, ODD_ROWS) };
        Score(worth(self.mine, my_rows) as i32 - worth(theirs, their_rows) as i32)
    }

    /// Returns `None`, which asks for a deeper search, if the other side could win with its next stone.
    fn judged_value(&self, _: Depth) -> Option<Score> {
        (!self.in_check()).then(|| self.static_value())
    }
}

/// A side can still win as long as it can complete four in a row. Its threats bound how soon.
impl Bounded for Connect4 {
    fn bounds(&self, ply: usize) -> (Score, Score) {
        let (mine, theirs) = (self.completing(self.mine), self.completing(self.theirs()));
        if mine & self.landing() != 0 {
            return (Score::win_in(ply + 1), Score::win_in(ply + 1));
        }
        let greatest = if has_four(BOARD & !self.theirs()) { Score::win_in(ply + 3) } else { Score::DRAW };
        let least = match theirs {
            _ if !has_four(BOARD & !self.mine) => Score::DRAW,
            0 => Score::loss_in(ply + 4),
            _ => Score::loss_in(ply + 2),
        };
        (least, greatest)
    }
}

impl LastMoveWins for Connect4 {}

/// A position and its mirror image have the same value and share a key. A move is encoded as it appears
/// in the image that determines the key.
impl Keyed for Connect4 {
    #[inline]
    fn key(&self) -> u64 {
        let stones = self.fingerprint();
        mix(stones.min(mirrored(stones)))
    }

    /// Tells mirror images apart.
    #[inline]
    fn exact_key(&self) -> u64 {
        mix(self.fingerprint())
    }

    #[inline]
    fn code(&self, column: Column) -> u16 {
        let stones = self.fingerprint();
        let column = u16::from(column.0);
        if mirrored(stones) < stones { WIDTH as u16 - column } else { column + 1 }
    }
}

/// Returns the board with its columns in reverse order.
#[inline]
const fn mirrored(board: u64) -> u64 {
    const COLUMN: u64 = (1 << STRIDE) - 1;
    const fn swapped(board: u64, near: usize, far: usize) -> u64 {
        let (near, far) = (near * STRIDE, far * STRIDE);
        (board >> far & COLUMN) << near | (board >> near & COLUMN) << far
    }
    swapped(board, 0, 6) | swapped(board, 1, 5) | swapped(board, 2, 4) | board & (COLUMN << (3 * STRIDE))
}

impl MoveIndexed for Connect4 {
    const MOVE_INDICES: usize = WIDTH * STRIDE;

    #[inline]
    fn move_index(&self, column: Column) -> usize {
        (self.cell(column).trailing_zeros() as usize).min(Self::MOVE_INDICES - 1)
    }
}

/// A cell is defended by occupying it.
impl Defuse for Connect4 {
    #[inline]
    fn defuses(&self, column: Column, threat: usize) -> bool {
        self.move_index(column) == threat
    }
}

/// The stones of one side.
impl Structured for Connect4 {
    const PARTS: usize = 2;

    #[inline]
    fn part_key(&self, part: usize) -> u64 {
        mix(if part == 0 { self.theirs() } else { self.mine })
    }
}

/// The side to move is in check if the other side threatens to complete four in a row with its next
/// stone, or has completed them.
impl Checks for Connect4 {
    #[inline]
    fn in_check(&self) -> bool {
        self.is_lost() || self.completing(self.theirs()) & self.landing() != 0
    }
}

/// Zugzwang decides many games, so passing is tried only while the board is fairly empty.
impl Pass for Connect4 {
    #[inline]
    fn may_pass(&self) -> bool {
        self.stones() < WIDTH * HEIGHT / 2 && !self.in_check()
    }

    #[inline]
    fn pass(&mut self) {
        self.mine ^= self.all;
    }
}

/// Noisy moves complete four in a row or prevent the other side from doing so.
impl Noisy for Connect4 {
    #[inline]
    fn noisy_moves(&self, moves: &mut Vec<Column>) {
        if !self.is_lost() {
            Self::list(self.noise(), moves);
        }
    }

    // A test of one cell costs less than to find all. Inlined, it is shared by all who ask about a move.
    #[inline(always)]
    fn is_noisy(&self, column: Column) -> bool {
        self.wins(column) || has_four(self.theirs() | self.cell(column))
    }

    fn gain(&self, column: Column) -> Score {
        if self.wins(column) { Score::MAX_ESTIMATE } else { Score(24) }
    }

    fn noisy_rank(&self, column: Column) -> i32 {
        i32::from(self.wins(column))
    }

    /// A winning move reaches every threshold. A move that lets the other side win at once reaches none.
    fn exchange_at_least(&self, column: Column, threshold: Score) -> bool {
        let mut child = *self;
        child.play(column);
        self.wins(column)
            || threshold <= Score(0) && child.completing(child.mine) & child.landing() == 0
            || threshold <= -Score::MAX_ESTIMATE
    }
}

/// A stone that completes four in two places at once wins by force. Three in a row with both ends open
/// creates this threat.
impl Threats for Connect4 {
    fn may_threaten(&self, threat: Threat) -> bool {
        threat == Threat::Mate && self.theirs_may_fork()
    }

    /// Appends the columns after which the other side no longer has such a stone.
    fn counter_moves(&self, threat: Threat, moves: &mut Vec<Column>) {
        if threat == Threat::Mate && !self.is_lost() {
            let parries = |column: &Column| {
                let mut child = *self;
                child.play(*column);
                child.pass();
                !child.theirs_may_fork()
            };
            let quiet = self.landing() & !self.noise();
            let columns = Column::CENTRE_FIRST.into_iter().filter(|column| quiet & column.cells() != 0);
            moves.extend(columns.filter(parries));
        }
    }
}

playable!(Connect4, "Connect Four", draws: Off);

/// Scores a position as won if the side to move can complete four in a row with its next stone.
///
/// *Soundness:* exact; a search of one ply finds the same value.
#[derive(Clone, Copy, Debug, Default)]
pub struct WinsAtOnce;

impl Knowledge<Connect4> for WinsAtOnce {
    #[inline]
    fn probe(&mut self, position: &Connect4, ply: usize) -> Option<(Score, Bound)> {
        let wins = position.completing(position.mine) & position.landing() != 0;
        (wins && !position.is_lost()).then_some((Score::win_in(ply + 1), Bound::Exact))
    }
}

cassius_search::component! {
    /// Leaves out moves after which the other side wins at once, unless no other move is left.
    ///
    /// *Soundness:* exact; a search of two plies finds that these moves lose, and none loses sooner.
    pub struct SafeMoves {}
}

impl Skip<Connect4> for SafeMoves {
    const USES_STATIC_EVAL: bool = false;

    #[inline]
    fn select(
        &self,
        node: &Node<'_, Connect4>,
        moves: &mut Vec<Column>,
        first: usize,
        _: &mut impl Evaluate<Connect4>,
    ) -> bool {
        let is_over = moves.len() == first;
        if node.fail_high_depth > Depth::PLY && !is_over {
            moves.truncate(first);
            Connect4::list(node.position.safe(), moves);
        }
        false
    }

    #[inline]
    fn skip(&self, _: &Node<'_, Connect4>, _: &Candidate<Column>, _: bool) -> Skipped {
        Skipped::No
    }
}

impl Selectivity<Connect4> for SafeMoves {
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type ProbCut = Off;
    type LateMovePruning = SafeMoves;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
}

cassius_search::component! {
    /// Tries first the columns after which the static value is best for the side that moved.
    ///
    /// *Reference:* J. Slagle, J. Dixon, Experiments With Some Programs That Search Game Trees, 1969: fixed
    /// ordering, by the static values of successors.
    /// *Soundness:* an order; the value is unchanged.
    /// *Worth:* to depth 17 from the start 16 % fewer nodes than with `NoisyFirst`, `ChecksFirst` and
    /// `History` together, in 17 % less time.
    pub struct BestFirst {}
}

impl Order<Connect4> for BestFirst {
    #[inline]
    fn rank(&self, node: &Node<'_, Connect4>, column: Column, _: Facts) -> i32 {
        let mut child = *node.position;
        child.play(column);
        -child.static_value().0
    }
}

/// The fastest recipe found for the exact minimax value of this game: wins are recognised one ply before
/// they happen, moves that lose at once are left out, and columns are tried in the order of static values.
/// Iterations go in steps of two plies, since the value of this game swings with every ply, and each is a
/// series of minimal windows.
///
/// ```
/// use cassius_games::connect4::{Connect4, Exact, WinsAtOnce};
/// use cassius_search::{search, Request, Score, Slots, Statics, Table, Unlimited};
///
/// let table = Table::new(16)?.above(2); // nearer to the horizon a search is cheaper than a look
/// let mut slots = Slots::<Connect4, Exact>::new(Statics, table, WinsAtOnce);
/// let position: Connect4 = "4455".parse()?;
/// let answer = search(&mut slots, &Request::new(&position, &Unlimited).to_iteration(8), &mut |_| {});
/// assert_eq!(answer.score(), Some(Score::win_in(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Exact;

cassius_search::recipe! {
    impl [] Exact, game Connect4 {
        Setting = (Statics, Off, WinsAtOnce);
        Horizon = Plies;
        Memory = Table;
        Selectivity = SafeMoves;
        Order = BestFirst;
        Windows = MinimalWindow;
        Aspiration = Mtd;
        Deepening = MoveAndRefutation;
    }
    and {
        fn set(slots: &mut Slots<Connect4, Self>) {
            slots.deepening.shallow = 3;
            slots.deepening.from = 5;
        }
    }
}

impl fmt::Display for Connect4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = if self.stones().is_multiple_of(2) { self.mine } else { self.theirs() };
        for row in (0..HEIGHT).rev() {
            for column in 0..WIDTH {
                let cell = 1 << (column * STRIDE + row);
                let stone = match () {
                    _ if self.all & cell == 0 => '.',
                    _ if x & cell != 0 => 'X',
                    _ => 'O',
                };
                write!(f, "{stone}")?;
            }
            if row > 0 {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// The reason why a text is not a position of Connect Four.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ParseError {
    /// A character that is neither a column nor a cell of a board.
    #[error("`{found}` (character {at}) is neither a column (1 to 7) nor a cell (X, O or .)")]
    BadCharacter {
        /// Its position in the text, counted from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// A move into a full column.
    #[error("move {at}: column {column} is full")]
    FullColumn {
        /// The number of the move, counted from 1.
        at: usize,
        /// The column.
        column: Column,
    },
    /// A move after the end of the game.
    #[error("move {at}: the game is over")]
    GameOver {
        /// The number of the move, counted from 1.
        at: usize,
    },
    /// A board of the wrong size.
    #[error("a board must have six rows of seven cells, not {cells} cells")]
    BadSize {
        /// The number of cells found.
        cells: usize,
    },
    /// A stone above an empty cell.
    #[error("column {column} has a stone above an empty cell")]
    Hanging {
        /// The column.
        column: Column,
    },
    /// The stone counts do not result from alternating moves.
    #[error("X has {x} stones and O has {o}; X must have as many as O, or one more")]
    NotByTurns {
        /// The number of X's stones.
        x: u32,
        /// The number of O's stones.
        o: u32,
    },
    /// The side to move has four in a row.
    #[error("the side to move has already won")]
    AlreadyWon,
}

impl FromStr for Connect4 {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Connect4, ParseError> {
        if text.contains(['.', 'X', 'O']) { Connect4::from_board(text) } else { Connect4::from_moves(text) }
    }
}

impl Connect4 {
    fn from_moves(text: &str) -> Result<Connect4, ParseError> {
        let mut position = Connect4::default();
        for (at, found) in (1..).zip(text.trim().chars()) {
            let number = found.to_digit(10).and_then(|digit| Column::number(digit as u8));
            let column = number.ok_or(ParseError::BadCharacter { at, found })?;
            if position.is_lost() {
                return Err(ParseError::GameOver { at });
            }
            if position.cell(column) == 0 {
                return Err(ParseError::FullColumn { at, column });
            }
            position.play(column);
        }
        Ok(position)
    }

    fn from_board(text: &str) -> Result<Connect4, ParseError> {
        let (mut x, mut o, mut cells) = (0u64, 0u64, 0);
        for (at, found) in (1..).zip(text.chars()).filter(|(_, c)| !c.is_whitespace()) {
            let cell = match cells {
                0..42 => 1 << (cells % WIDTH * STRIDE + (HEIGHT - 1 - cells / WIDTH)),
                _ => 0, // too large, which is detected below
            };
            match found {
                'X' => x |= cell,
                'O' => o |= cell,
                '.' => {}
                _ => return Err(ParseError::BadCharacter { at, found }),
            }
            cells += 1;
        }
        if cells != WIDTH * HEIGHT {
            return Err(ParseError::BadSize { cells });
        }
        let all = x | o;
        let hangs = |column: &Column| {
            let stones = all & column.cells();
            stones & (stones + column.bottom()) != 0
        };
        if let Some(column) = Column::CENTRE_FIRST.into_iter().find(hangs) {
            return Err(ParseError::Hanging { column });
        }
        let mine = match (x.count_ones(), o.count_ones()) {
            (xs, os) if xs == os => x,
            (xs, os) if xs == os + 1 => o,
            (x, o) => return Err(ParseError::NotByTurns { x, o }),
        };
        if has_four(mine) { Err(ParseError::AlreadyWon) } else { Ok(Connect4 { mine, all }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{draw, perft};
    use cassius_search::{Statics, minimax};

    fn position(text: &str) -> Connect4 {
        text.parse().unwrap()
    }

    #[test]
    fn counts_positions() {
        let counts: Vec<u64> = (0..=8).map(|depth| perft(&Connect4::default(), depth)).collect();
        assert_eq!(counts, [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
    }

    /// Whether `stones` hold four in a row, tested cell by cell.
    fn has_four_slowly(stones: u64) -> bool {
        let stone = |x: i32, y: i32| {
            (0..WIDTH as i32).contains(&x)
                && (0..HEIGHT as i32).contains(&y)
                && stones >> (x * 7 + y) & 1 != 0
        };
        let starts = (0..WIDTH as i32).flat_map(|x| (0..HEIGHT as i32).map(move |y| (x, y)));
        starts
            .flat_map(|start| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|step| (start, step)))
            .any(|((x, y), (dx, dy))| (0..4).all(|i| stone(x + i * dx, y + i * dy)))
    }

    #[test]
    fn shifts_find_the_lines_that_cells_show() {
        for seed in 0..20_000 {
            let pile = |column: u64| ((1 << draw(seed, column, 7)) - 1) << (column * 7);
            let all: u64 = (0..7).map(pile).sum();
            let mine = mix(seed) & all;
            assert_eq!(has_four(mine), has_four_slowly(mine));
            if !has_four(mine) {
                let cells = (0..49).map(|cell| 1 << cell).filter(|cell| BOARD & !all & cell != 0);
                let slowly = cells.filter(|cell| has_four_slowly(mine | cell)).sum::<u64>();
                assert_eq!(Connect4 { mine, all }.completing(mine), slowly);
            }
        }
    }

    /// Solved positions of late games. The values are numbers of plies to the end of the game.
    #[test]
    fn solved_positions() {
        for (text, value) in [
            ("2252576253462244111563365343671351441", Score::loss_in(4)),
            ("7422341735647741166133573473242566", Score::win_in(7)),
            ("23163416124767223154467471272416755633", Score::DRAW),
        ] {
            let position = position(text);
            assert_eq!(minimax(&position, &mut Statics, 42), value, "{text}\n{position}");
        }
    }

    #[test]
    fn errors_are_told() {
        let error = |text: &str| text.parse::<Connect4>().unwrap_err();
        assert_eq!(error("448"), ParseError::BadCharacter { at: 3, found: '8' });
        assert_eq!(error("1111111").to_string(), "move 7: column 1 is full");
        assert_eq!(error("12121212"), ParseError::GameOver { at: 8 });
        assert_eq!(error("X"), ParseError::BadSize { cells: 1 });
        let board = |last: &str| format!("{}{last}", ".......\n".repeat(5));
        assert_eq!(error(&board("XOZ....")), ParseError::BadCharacter { at: 43, found: 'Z' });
        assert_eq!(error(&board("XX.....")), ParseError::NotByTurns { x: 2, o: 0 });
        assert_eq!(
            error(&board("XXXX...").replacen("....", "OOOO", 1)),
            ParseError::Hanging { column: Column(3) }
        );
        assert_eq!(error("4444444"), ParseError::FullColumn { at: 7, column: Column(3) });
    }

    #[test]
    fn noise_is_wins_and_blocks() {
        let position = position("445533"); // both sides have an open three
        let noisy = |position: &Connect4| {
            let mut moves = Vec::new();
            position.noisy_moves(&mut moves);
            moves.iter().map(Column::to_string).collect::<String>()
        };
        assert_eq!(noisy(&position), "26");
        assert!(position.wins(Column(1)) && !position.wins(Column(3)));
        assert_eq!(noisy(&Connect4::default()), "");
        assert!(position.exchange_at_least(Column(1), Score(1_000)));
    }
}
