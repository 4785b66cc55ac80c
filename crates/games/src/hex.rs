//! Hex on a board of up to 13 × 13 cells.
//!
//! A cell is a bit of its row, and the board is a list of rows for each side. A cell has six neighbours:
//! two in its row, two in the row above and two in the row below. On a slanted board those in the other
//! rows are the two nearest cells:
//!
//! ```text
//! a1 b1 c1
//!   a2 b2 c2
//!     a3 b3 c3
//! ```
//!
//! X joins the top with the bottom, O the left with the right. There are no draws: a full board has
//! exactly one winner (J. Nash; D. Gale, The Game of Hex and the Brouwer Fixed-Point Theorem, 1979).
//!
//! *Swap rule:* it is off unless it is asked for. If it is on, the second player may answer the first
//! stone by taking its colour. No stone moves: only the players change places. So the other player is to
//! move, with O, and a swap is a move that leaves the board as it is.
//!
//! *Unit:* a hundredth of a stone. A static value says how many stones fewer the side to move needs to
//! join its edges than the other side needs, if each of them moved alone.

use crate::mix;
use cassius_search::game::{Bounded, LastMoveWins, MoveIndexed};
use cassius_search::{Game, Keyed, Off, Outcome, Score, Static, playable};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The greatest number of rows.
const MOST: usize = 13;

/// A set of cells: a bit for each column, in each row.
type Cells = [u16; MOST];

/// A position. X moves first. By default the board is empty and has eleven rows.
///
/// It is parsed from the board as it is printed, or from the moves played. Before the moves may come the
/// number of rows and the word `swap`, which puts the swap rule into force. After the first move, `swap`
/// is the move.
///
/// ```
/// use cassius_games::Hex;
/// use cassius_search::{minimax, Score, Statics};
///
/// let position: Hex = "3 b2a3".parse()?;
/// assert_eq!(position.to_string(), "
/// . . .
///  . X .
///   O . .".trim_start());
/// assert_eq!(position.to_string().parse(), Ok(position));
///
/// // The centre is joined to both edges by two cells each.
/// assert_eq!(minimax(&position, &mut Statics, 3), Score::win_in(3));
/// // With the swap rule, a player who gives the first stone away loses it.
/// assert!(minimax(&"3 swap b2".parse::<Hex>()?, &mut Statics, 9).is_win());
/// # Ok::<(), cassius_games::hex::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hex {
    x: Cells,
    o: Cells,
    key: u64,
    size: u8,
    stones: u8,
    /// Whether the side that moved last has joined its edges.
    over: bool,
    /// Whether the second player may still swap.
    swap: bool,
}

/// A move: a cell to place a stone on, or a swap. Printed as `c4`, column and row, or `swap`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move(u8);

impl Move {
    /// Takes the colour of the first stone.
    pub const SWAP: Move = Move(u8::MAX);

    /// Returns the cell in this column and row, both from 1 to 13.
    pub const fn cell(column: u8, row: u8) -> Option<Move> {
        match (column, row) {
            (1..=13, 1..=13) => Some(Move((row - 1) << 4 | (column - 1))),
            _ => None,
        }
    }

    const fn row(self) -> usize {
        (self.0 >> 4) as usize
    }

    const fn column(self) -> usize {
        (self.0 & 15) as usize
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::SWAP => f.write_str("swap"),
            cell => write!(f, "{}{}", char::from(b'a' + cell.column() as u8), cell.row() + 1),
        }
    }
}

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    X,
    O,
}

/// Returns the part of the key that stands for the swap rule.
const SWAP_KEY: u64 = mix(0x5a);

impl Default for Hex {
    fn default() -> Hex {
        Hex::empty(11)
    }
}

impl Hex {
    /// Returns the empty board with this number of rows, from 1 to 13, without the swap rule.
    pub const fn new(size: u8) -> Option<Hex> {
        match size {
            1..=13 => Some(Hex::empty(size)),
            _ => None,
        }
    }

    const fn empty(size: u8) -> Hex {
        let key = mix(1 << 10 | size as u64);
        Hex { x: [0; MOST], o: [0; MOST], key, size, stones: 0, over: false, swap: false }
    }

    /// Puts the swap rule into force. It has no effect once there are two stones, and none on a board of one
    /// cell, where the first stone wins.
    #[must_use]
    pub const fn with_swap(self) -> Hex {
        match self.stones < 2 && !self.swap && self.size > 1 {
            true => Hex { swap: true, key: self.key ^ SWAP_KEY, ..self },
            false => self,
        }
    }

    /// Returns the number of rows, which is that of columns too.
    pub const fn size(&self) -> usize {
        self.size as usize
    }

    /// Whether the side to move may take the colour of the only stone.
    pub const fn may_swap(&self) -> bool {
        self.swap && self.stones == 1 && !self.over
    }

    /// Every cell of a row.
    const fn row(&self) -> u16 {
        (1 << self.size) - 1
    }

    const fn mover(&self) -> Side {
        if self.stones.is_multiple_of(2) { Side::X } else { Side::O }
    }

    const fn other(&self) -> Side {
        if self.stones.is_multiple_of(2) { Side::O } else { Side::X }
    }

    const fn of(&self, side: Side) -> &Cells {
        match side {
            Side::X => &self.x,
            Side::O => &self.o,
        }
    }

    /// Returns the cells that are free.
    fn free(&self) -> Cells {
        let mut free = [0; MOST];
        for (row, free) in free.iter_mut().enumerate().take(self.size()) {
            *free = self.row() & !(self.x[row] | self.o[row]);
        }
        free
    }

    /// Returns the cells on the edge from which a side starts, and those on the edge that it wants to
    /// reach.
    fn edges(&self, side: Side) -> [Cells; 2] {
        let (size, mut edges) = (self.size(), [[0; MOST]; 2]);
        match side {
            Side::X => (edges[0][0], edges[1][size - 1]) = (self.row(), self.row()),
            Side::O => (0..size).for_each(|row| (edges[0][row], edges[1][row]) = (1, 1 << (size - 1))),
        }
        edges
    }

    /// Returns the cells of a row that are neighbours of `cells`. Some may be off the board.
    const fn near(&self, cells: &Cells, row: usize) -> u16 {
        let mut near = cells[row] << 1 | cells[row] >> 1;
        if row > 0 {
            near |= cells[row - 1] | cells[row - 1] >> 1;
        }
        if row + 1 < self.size() {
            near |= cells[row + 1] | cells[row + 1] << 1;
        }
        near
    }

    /// Adds all cells of `within` to which `cells` lead through cells of `within`.
    fn flood(&self, cells: &mut Cells, within: &Cells) {
        loop {
            let mut grown = false;
            for row in 0..self.size() {
                let new = self.near(cells, row) & within[row] & !cells[row];
                cells[row] |= new;
                grown |= new != 0;
            }
            if !grown {
                return;
            }
        }
    }

    /// Whether the stone in this cell is joined to both edges of its side.
    fn joins(&self, side: Side, cell: Move) -> bool {
        if usize::from(self.stones.div_ceil(2)) < self.size() {
            return false;
        }
        let mut group = [0; MOST];
        group[cell.row()] = 1 << cell.column();
        self.flood(&mut group, self.of(side));
        self.edges(side).iter().all(|edge| meet(&group, edge))
    }

    /// Returns the least number of further stones by which a side joins its edges. `None` if the other
    /// side has joined its own.
    fn distance(&self, side: Side) -> Option<usize> {
        let (own, free, [start, end]) = (self.of(side), self.free(), self.edges(side));
        let mut reached = [0; MOST];
        (0..self.size()).for_each(|row| reached[row] = own[row] & start[row]);
        for stones in 0.. {
            self.flood(&mut reached, own);
            if meet(&reached, &end) {
                return Some(stones);
            }
            // One more stone is next to what is reached, or on the edge.
            let before = reached;
            for row in 0..self.size() {
                reached[row] |= (self.near(&before, row) | start[row]) & free[row];
            }
            if reached == before {
                return None;
            }
        }
        None
    }

    /// Returns the least numbers of stones by which the side to move and the other side join their
    /// edges. The game must not be over.
    fn distances(&self) -> [usize; 2] {
        [self.mover(), self.other()].map(|side| self.distance(side).unwrap_or(0))
    }
}

/// Whether two sets have a cell in common.
fn meet(a: &Cells, b: &Cells) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

impl Game for Hex {
    type Move = Move;

    fn moves(&self, moves: &mut Vec<Move>) {
        if self.over {
            return;
        }
        for row in 0..self.size() {
            let mut free = self.row() & !(self.x[row] | self.o[row]);
            while free != 0 {
                moves.push(Move((row << 4) as u8 | free.trailing_zeros() as u8));
                free &= free - 1;
            }
        }
        if self.may_swap() {
            moves.push(Move::SWAP);
        }
    }

    fn play(&mut self, mv: Move) {
        let side = self.mover();
        if self.swap && self.stones == 1 {
            (self.swap, self.key) = (false, self.key ^ SWAP_KEY);
        }
        if mv == Move::SWAP {
            return;
        }
        let cells = match side {
            Side::X => &mut self.x,
            Side::O => &mut self.o,
        };
        cells[mv.row()] |= 1 << mv.column();
        self.stones += 1;
        self.key ^= mix(1 << 9 | u64::from(mv.0) << 1 | side as u64);
        self.over = self.joins(side, mv);
    }

    fn count_moves(&self) -> usize {
        match self.over {
            true => 0,
            false => self.size() * self.size() - usize::from(self.stones) + usize::from(self.may_swap()),
        }
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn outcome(&self) -> Outcome {
        Outcome::Loss
    }
}

/// Compares the numbers of stones that the sides still need. A side that may swap takes the better side.
impl Static for Hex {
    fn static_value(&self) -> Score {
        let [own, other] = self.distances().map(|stones| 100 * stones as i32);
        Score(if self.may_swap() { (other - own).abs() } else { other - own })
    }
}

/// A side wins at the earliest when it has placed the stones that it still needs.
impl Bounded for Hex {
    fn bounds(&self, ply: usize) -> (Score, Score) {
        let [own, other] = self.distances();
        match self.swap {
            true => (Score::loss_in(ply + 2), Score::win_in(ply + 1)),
            false => (Score::loss_in(ply + 2 * other), Score::win_in(ply + 2 * own - 1)),
        }
    }
}

impl LastMoveWins for Hex {}

impl Keyed for Hex {
    fn key(&self) -> u64 {
        self.key
    }

    fn code(&self, mv: Move) -> u16 {
        u16::from(mv.0) + 1
    }
}

impl MoveIndexed for Hex {
    const MOVE_INDICES: usize = 256;

    fn move_index(&self, mv: Move) -> usize {
        mv.0.into()
    }
}

playable!(Hex, "Hex", draws: Off);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.size() {
            if row > 0 {
                write!(f, "\n{:row$}", "")?;
            }
            for column in 0..self.size() {
                let stone = match 1 << column {
                    cell if self.x[row] & cell != 0 => 'X',
                    cell if self.o[row] & cell != 0 => 'O',
                    _ => '.',
                };
                write!(f, "{}{stone}", if column > 0 { " " } else { "" })?;
            }
        }
        if self.swap { f.write_str("\nswap") } else { Ok(()) }
    }
}

/// The reason why a text is not a position of Hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ParseError {
    /// A character that belongs neither to a move nor to a board.
    #[error("`{found}` (character {at}) is neither part of a move, such as c4, nor a cell (X, O or .)")]
    BadCharacter {
        /// Its position in the text, counted from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// A number of rows that is not possible.
    #[error("a board has 1 to 13 rows, not {rows}")]
    BadSize {
        /// The number of rows.
        rows: usize,
    },
    /// A board that is not as wide as it is high.
    #[error("a board has as many columns as rows, which {cells} cells have not")]
    NotSquare {
        /// The number of cells found.
        cells: usize,
    },
    /// A move to a cell that is not on the board.
    #[error("move {at}: the board has {rows} rows and columns")]
    OffBoard {
        /// The number of the move, counted from 1.
        at: usize,
        /// The number of rows.
        rows: usize,
    },
    /// A move to a cell that has a stone.
    #[error("move {at}: there is a stone on {cell}")]
    Taken {
        /// The number of the move, counted from 1.
        at: usize,
        /// The cell.
        cell: Move,
    },
    /// A swap that the rules do not allow.
    #[error("move {at}: only the first stone can be swapped, and only under the swap rule")]
    NoSwap {
        /// The number of the move, counted from 1.
        at: usize,
    },
    /// A move after the end of the game.
    #[error("move {at}: the game is over")]
    GameOver {
        /// The number of the move, counted from 1.
        at: usize,
    },
    /// The stone counts do not result from alternating moves.
    #[error("X has {x} stones and O has {o}; X must have as many as O, or one more")]
    NotByTurns {
        /// The number of X's stones.
        x: u32,
        /// The number of O's stones.
        o: u32,
    },
    /// The side to move has joined its edges.
    #[error("the side to move has already won")]
    AlreadyWon,
}

impl FromStr for Hex {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Hex, ParseError> {
        if text.contains(['.', 'X', 'O']) { Hex::from_board(text) } else { Hex::from_moves(text) }
    }
}

impl Hex {
    fn from_moves(text: &str) -> Result<Hex, ParseError> {
        let mut rest = text.trim_start();
        let number = |rest: &mut &str| {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (digits, after) = rest.split_at(digits);
            *rest = after;
            (!digits.is_empty()).then(|| digits.parse().unwrap_or(usize::MAX))
        };
        let mut position = Hex::default();
        if let Some(rows) = number(&mut rest) {
            let size = u8::try_from(rows).ok().and_then(Hex::new);
            position = size.ok_or(ParseError::BadSize { rows })?;
        }
        if let Some(after) = rest.trim_start().strip_prefix("swap") {
            (position, rest) = (position.with_swap(), after);
        }
        for at in 1.. {
            rest = rest.trim_start();
            let Some(found) = rest.chars().next() else { break };
            let bad = ParseError::BadCharacter { at: 1 + text.chars().count() - rest.chars().count(), found };
            let mv = match rest.strip_prefix("swap") {
                Some(after) => {
                    rest = after;
                    Move::SWAP
                }
                None => {
                    let column = ('a'..='z').zip(1..).find(|&(name, _)| name == found).ok_or(bad)?.1;
                    rest = &rest[1..];
                    let row = number(&mut rest).ok_or(bad)?;
                    let size = 1..=position.size();
                    let cell = Move::cell(column, u8::try_from(row).unwrap_or(0));
                    cell.filter(|_| size.contains(&row) && size.contains(&column.into()))
                        .ok_or(ParseError::OffBoard { at, rows: position.size() })?
                }
            };
            match mv {
                _ if position.over => return Err(ParseError::GameOver { at }),
                Move::SWAP if !position.may_swap() => return Err(ParseError::NoSwap { at }),
                Move::SWAP => (),
                cell if position.free()[cell.row()] >> cell.column() & 1 == 0 => {
                    return Err(ParseError::Taken { at, cell });
                }
                _ => (),
            }
            position.play(mv);
        }
        Ok(position)
    }

    fn from_board(text: &str) -> Result<Hex, ParseError> {
        let (board, swap) = match text.trim_end().strip_suffix("swap") {
            Some(board) => (board, true),
            None => (text, false),
        };
        let mut cells = Vec::new();
        for (at, found) in (1..).zip(board.chars()).filter(|(_, c)| !c.is_whitespace()) {
            match found {
                'X' | 'O' | '.' => cells.push(found),
                _ => return Err(ParseError::BadCharacter { at, found }),
            }
        }
        let rows = cells.len().isqrt();
        if rows * rows != cells.len() {
            return Err(ParseError::NotSquare { cells: cells.len() });
        }
        let size = u8::try_from(rows).ok().and_then(Hex::new);
        let mut position = size.ok_or(ParseError::BadSize { rows })?;
        let stones = |of: char| {
            let cells = cells.iter().enumerate().filter(move |(_, stone)| **stone == of);
            cells.map(|(index, _)| Move((index / rows) as u8 * 16 + (index % rows) as u8))
        };
        let (x, o) = (stones('X').count() as u32, stones('O').count() as u32);
        if x != o && x != o + 1 {
            return Err(ParseError::NotByTurns { x, o });
        }
        // The stones are placed in turn. It does not matter in which order.
        let (mut xs, mut os) = (stones('X'), stones('O'));
        while let Some(mv) = if position.mover() == Side::X { xs.next() } else { os.next() } {
            position.play(mv);
        }
        position.over = position.distance(position.other()) == Some(0);
        if position.distance(position.mover()) == Some(0) {
            return Err(ParseError::AlreadyWon);
        }
        Ok(if swap { position.with_swap() } else { position })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{draw, perft};
    use cassius_search::{Statics, minimax};

    fn position(text: &str) -> Hex {
        text.parse().unwrap()
    }

    /// Whether the stones of a side join its edges, found cell by cell.
    fn joined_slowly(position: &Hex, side: Side) -> bool {
        let size = position.size() as i32;
        let has = |row: i32, column: i32| {
            (0..size).contains(&row)
                && (0..size).contains(&column)
                && position.of(side)[row as usize] >> column & 1 != 0
        };
        let along = |row, column| if side == Side::X { row } else { column };
        let start = |cell: &(i32, i32)| along(cell.0, cell.1) == 0;
        let cells = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        let mut seen: Vec<_> = cells.filter(|cell| has(cell.0, cell.1) && start(cell)).collect();
        let mut next = 0;
        while let Some(&(row, column)) = seen.get(next) {
            next += 1;
            for (down, right) in [(0, 1), (0, -1), (1, 0), (1, -1), (-1, 0), (-1, 1)] {
                let cell = (row + down, column + right);
                if has(cell.0, cell.1) && !seen.contains(&cell) {
                    seen.push(cell);
                }
            }
        }
        seen.iter().any(|cell| along(cell.0, cell.1) == size - 1)
    }

    /// Plays random moves until the game is over, or until the board is full.
    fn random(size: u8, seed: u64, to_the_end: bool, mut each: impl FnMut(&Hex)) -> Hex {
        let mut position = Hex::new(size).unwrap();
        for ply in 0.. {
            each(&position);
            let mut moves = Vec::new();
            let over = position.over;
            position.over = over && !to_the_end;
            position.moves(&mut moves);
            position.over = over;
            if moves.is_empty() {
                break;
            }
            let winner = position.over;
            position.play(moves[draw(seed, ply, moves.len() as u64) as usize]);
            position.over |= winner;
        }
        position
    }

    #[test]
    fn a_winner_has_joined_its_edges() {
        for seed in 0..300 {
            let size = 1 + (seed % 13) as u8;
            random(size, seed, false, |position| {
                assert!(!joined_slowly(position, position.mover()), "{position}");
                assert_eq!(position.is_over(), joined_slowly(position, position.other()), "{position}");
                assert_eq!(position.distance(position.other()) == Some(0), position.is_over());
            });
        }
    }

    /// However the stones lie on a full board, exactly one side has joined its edges.
    #[test]
    fn a_full_board_has_one_winner() {
        let mut won = [0, 0];
        for seed in 0..400 {
            let position = random(1 + (seed % 13) as u8, seed, true, |_| ());
            assert_eq!(usize::from(position.stones), position.size() * position.size());
            let [x, o] = [Side::X, Side::O].map(|side| joined_slowly(&position, side));
            assert!(x != o, "{position}");
            assert_eq!(position.distance(Side::X), x.then_some(0));
            assert_eq!(position.distance(Side::O), o.then_some(0));
            won[usize::from(o)] += 1;
        }
        assert!(won[0] > 100 && won[1] > 100, "{won:?}");
    }

    /// The distance of a side is the number of moves that it needs if it moves alone.
    #[test]
    fn distances_are_shortest() {
        /// Places one stone of the side after the other, on any free cell.
        fn slowly(position: &Hex, side: Side, most: usize) -> Option<usize> {
            if joined_slowly(position, side) {
                return Some(0);
            }
            let mut best = None;
            for (row, &free) in position.free().iter().enumerate().filter(|_| most > 0) {
                for column in (0..position.size()).filter(|column| free >> column & 1 != 0) {
                    let mut with = *position;
                    match side {
                        Side::X => with.x[row] |= 1 << column,
                        Side::O => with.o[row] |= 1 << column,
                    }
                    let rest = slowly(&with, side, best.map_or(most - 1, |best: usize| best.min(most) - 1));
                    best = best.into_iter().chain(rest.map(|rest| rest + 1)).min();
                }
            }
            best
        }
        for seed in 0..30 {
            random(3, seed, false, |position| {
                for side in [Side::X, Side::O] {
                    assert_eq!(position.distance(side), slowly(position, side, 3), "{position}");
                }
            });
        }
    }

    #[test]
    fn the_first_player_wins_on_small_boards() {
        for (size, plies) in [(1, 1), (2, 3), (3, 5)] {
            let empty = Hex::new(size).unwrap();
            assert_eq!(minimax(&empty, &mut Statics, 9), Score::win_in(plies), "{size}");
            // Whoever moves first, the second player takes what is better.
            let swap = minimax(&empty.with_swap(), &mut Statics, 10);
            assert_eq!(swap.is_win(), size == 1, "{size}");
        }
        // On two rows the cells of the short diagonal win, the other two lose.
        for (first, wins) in [("a1", false), ("b1", true), ("a2", true), ("b2", false)] {
            let reply = minimax(&position(&format!("2 {first}")), &mut Statics, 9);
            assert_eq!(reply.is_loss(), wins, "{first}");
            assert!(minimax(&position(&format!("2 swap {first}")), &mut Statics, 9).is_win());
        }
    }

    #[test]
    fn bounds_hold() {
        for (size, seed) in [2, 3].into_iter().flat_map(|size| (0..100).map(move |seed| (size, seed))) {
            random(size, seed, false, |position| {
                for position in [*position, position.with_swap()] {
                    if (size == 2 || position.stones > 1) && !position.is_over() {
                        let (least, greatest) = position.bounds(0);
                        let value = minimax(&position, &mut Statics, 9);
                        assert!(least <= value && value <= greatest, "{position}");
                    }
                }
            });
        }
    }

    #[test]
    fn keys_tell_positions_apart() {
        let same = [position("5 a1b2c3"), position("5 c3b2a1")];
        assert_eq!(same[0], same[1]);
        let mut keys: Vec<u64> =
            ["5 a1b2c3", "5 b2a1c3", "6 a1b2c3", "5 a1", "5 swap a1", "5 swap", "5", "5 a2"]
                .map(|text| position(text).key())
                .to_vec();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 8);
        assert_eq!(position("5 swap a1 swap"), position("5 a1"));
        assert_eq!(position("5 swap a1 b1"), position("5 a1 b1"));
    }

    #[test]
    fn counts_positions() {
        let counts = |text: &str| (1..=3).map(|depth| perft(&position(text), depth)).collect::<Vec<_>>();
        assert_eq!(counts("3"), [9, 72, 504]);
        assert_eq!(counts("3 swap"), [9, 81, 576]);
        assert_eq!(counts("2 a1b2"), [2, 1, 0]);
        assert_eq!(position("3 a1").count_moves(), 8);
        assert_eq!(position("3 swap a1").count_moves(), 9);
    }

    #[test]
    fn errors_are_told() {
        let error = |text: &str| text.parse::<Hex>().unwrap_err();
        assert_eq!(error("a1 ?"), ParseError::BadCharacter { at: 4, found: '?' });
        assert_eq!(error("a1 b"), ParseError::BadCharacter { at: 4, found: 'b' });
        assert_eq!(error("Z1"), ParseError::BadCharacter { at: 1, found: 'Z' });
        assert_eq!(error("14"), ParseError::BadSize { rows: 14 });
        assert_eq!(error("0"), ParseError::BadSize { rows: 0 });
        assert_eq!(error("5 a1 a6").to_string(), "move 2: the board has 5 rows and columns");
        assert_eq!(error("a1 z1"), ParseError::OffBoard { at: 2, rows: 11 });
        assert_eq!(position("1 swap a1"), position("1 a1"));
        assert_eq!(error("a1 a1").to_string(), "move 2: there is a stone on a1");
        assert_eq!(error("a1 swap"), ParseError::NoSwap { at: 2 });
        assert_eq!(error("swap a1 b1 swap"), ParseError::NoSwap { at: 3 });
        assert_eq!(error("2 b1 a1 a2 b2"), ParseError::GameOver { at: 4 });
        assert_eq!(error(".."), ParseError::NotSquare { cells: 2 });
        assert_eq!(error(&".".repeat(196)), ParseError::BadSize { rows: 14 });
        assert_eq!(error("X..X"), ParseError::NotByTurns { x: 2, o: 0 });
        assert_eq!(error("X.\n #."), ParseError::BadCharacter { at: 5, found: '#' });
        assert_eq!(error("XO XO"), ParseError::AlreadyWon);
    }
}
