//! Tic-tac-toe, which plain minimax can search to the end.

use crate::mix;
use cassius_search::game::{Bounded, Defuse, LastMoveWins, MoveIndexed, Structured};
use cassius_search::{Checks, Game, Keyed, Noisy, Off, Outcome, Pass, Score, Static, playable};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A position. X moves first. A move is a square, 0 to 8 in reading order.
///
/// It is written as three rows of `X`, `O` and `.`; white space is ignored. It is also parsed from the
/// squares taken in turn, 1 to 9 in reading order.
///
/// ```
/// use cassius_games::TicTacToe;
/// use cassius_search::{minimax, Score, Statics};
///
/// assert_eq!(minimax(&TicTacToe::default(), &mut Statics, 9), Score::DRAW);
/// let fork: TicTacToe = "X.. .O. ..X".parse()?; // O must not take a corner
/// assert_eq!(minimax(&fork, &mut Statics, 9), Score::DRAW);
/// let forked: TicTacToe = "X.O .O. X.X".parse()?;
/// assert_eq!(minimax(&forked, &mut Statics, 9), Score::loss_in(2));
/// assert_eq!("5971".parse::<TicTacToe>()?.to_string(), "O..\n.X.\nX.O");
/// # Ok::<(), cassius_games::tictactoe::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TicTacToe {
    mine: u16,
    theirs: u16,
}

const BOARD: u16 = 0o777;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    /// Returns the squares on which `side` would complete a line with its next mark.
    fn completing(self, side: u16) -> u16 {
        let empty = BOARD & !(self.mine | self.theirs);
        let missing = |line: u16| if (line & !side).count_ones() == 1 { line & !side } else { 0 };
        LINES.into_iter().map(missing).fold(0, |all, square| all | square) & empty
    }

    fn wins(self, square: u8) -> bool {
        self.completing(self.mine) >> square & 1 != 0
    }

    fn noise(self) -> u16 {
        self.empty() & (self.completing(self.mine) | self.completing(self.theirs))
    }

    fn is_lost(self) -> bool {
        LINES.into_iter().any(|line| line & !self.theirs == 0)
    }

    fn empty(self) -> u16 {
        if self.is_lost() { 0 } else { BOARD & !(self.mine | self.theirs) }
    }

    fn x_to_move(self) -> bool {
        self.mine.count_ones() == self.theirs.count_ones()
    }
}

fn squares(set: u16) -> impl Iterator<Item = u8> {
    (0..9).filter(move |square| set >> square & 1 != 0)
}

impl Game for TicTacToe {
    type Move = u8;

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(squares(self.empty()));
    }

    fn play(&mut self, square: u8) {
        *self = TicTacToe { mine: self.theirs, theirs: self.mine | 1 << square };
    }

    fn is_over(&self) -> bool {
        self.empty() == 0
    }

    fn outcome(&self) -> Outcome {
        if self.is_lost() { Outcome::Loss } else { Outcome::Draw }
    }
}

/// The number of lines still open to the mover minus the number of lines open to the other side.
impl Static for TicTacToe {
    fn static_value(&self) -> Score {
        let open = |other: u16| LINES.into_iter().filter(|line| line & other == 0).count() as i32;
        Score(open(self.theirs) - open(self.mine))
    }
}

/// A side can win if there is a line without a mark of the other side. Its threats bound how soon.
impl Bounded for TicTacToe {
    fn bounds(&self, ply: usize) -> (Score, Score) {
        if self.completing(self.mine) != 0 {
            return (Score::win_in(ply + 1), Score::win_in(ply + 1));
        }
        let open = |other: u16| LINES.into_iter().any(|line| line & other == 0);
        let greatest = if open(self.theirs) { Score::win_in(ply + 3) } else { Score::DRAW };
        let least = match self.completing(self.theirs) {
            _ if !open(self.mine) => Score::DRAW,
            0 => Score::loss_in(ply + 4),
            _ => Score::loss_in(ply + 2),
        };
        (least, greatest)
    }
}

impl LastMoveWins for TicTacToe {}

impl Keyed for TicTacToe {
    fn key(&self) -> u64 {
        mix(u64::from(self.mine) << 9 | u64::from(self.theirs) | 1 << 18)
    }

    fn code(&self, square: u8) -> u16 {
        u16::from(square) + 1
    }
}

impl MoveIndexed for TicTacToe {
    const MOVE_INDICES: usize = 9;

    fn move_index(&self, square: u8) -> usize {
        usize::from(square)
    }
}

/// A square is defended by occupying it.
impl Defuse for TicTacToe {
    fn defuses(&self, square: u8, threat: usize) -> bool {
        self.move_index(square) == threat
    }
}

/// The squares of one side.
impl Structured for TicTacToe {
    const PARTS: usize = 2;

    fn part_key(&self, part: usize) -> u64 {
        mix(if part == 0 { self.theirs } else { self.mine }.into())
    }
}

/// The side to move is in check if the other side threatens to complete a line, or has completed one.
impl Checks for TicTacToe {
    fn in_check(&self) -> bool {
        self.is_lost() || self.completing(self.theirs) != 0
    }
}

/// No move is worse than a pass.
impl Pass for TicTacToe {
    fn may_pass(&self) -> bool {
        !self.in_check()
    }

    fn pass(&mut self) {
        std::mem::swap(&mut self.mine, &mut self.theirs);
    }
}

/// Noisy moves complete a line or block one.
impl Noisy for TicTacToe {
    fn noisy_moves(&self, moves: &mut Vec<u8>) {
        moves.extend(squares(self.noise()));
    }

    fn is_noisy(&self, square: u8) -> bool {
        self.noise() >> square & 1 != 0
    }

    fn gain(&self, square: u8) -> Score {
        if self.wins(square) { Score::MAX_ESTIMATE } else { Score(8) }
    }

    fn noisy_rank(&self, square: u8) -> i32 {
        i32::from(self.wins(square))
    }

    fn exchange_at_least(&self, square: u8, threshold: Score) -> bool {
        self.wins(square) || threshold <= Score(0)
    }
}

playable!(TicTacToe, "tic-tac-toe", draws: Off);

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, o) = if self.x_to_move() { (self.mine, self.theirs) } else { (self.theirs, self.mine) };
        for square in 0..9 {
            let stone = if x >> square & 1 != 0 {
                'X'
            } else if o >> square & 1 != 0 {
                'O'
            } else {
                '.'
            };
            write!(f, "{stone}{}", if square == 2 || square == 5 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

/// The reason why a text is not a position of tic-tac-toe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ParseError {
    /// A character other than `X`, `O` and `.`.
    #[error("`{0}` is not X, O or .")]
    BadSquare(char),
    /// The text does not have nine squares.
    #[error("the board must have nine squares")]
    BadSize,
    /// A move to an occupied square.
    #[error("move {at}: square {square} is taken")]
    Taken {
        /// The number of the move, counted from 1.
        at: usize,
        /// The square, counted from 1.
        square: u32,
    },
    /// A move after the end of the game.
    #[error("move {at}: the game is over")]
    GameOver {
        /// The number of the move, counted from 1.
        at: usize,
    },
    /// A move that is not a square.
    #[error("move {at}: `{found}` is not a square from 1 to 9")]
    BadMove {
        /// The number of the move, counted from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// The position cannot result from alternating moves, or play continued after a win.
    #[error("no game leads to this position")]
    Unreachable,
}

impl FromStr for TicTacToe {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<TicTacToe, ParseError> {
        let is_moves = text.trim().starts_with(|c: char| c.is_ascii_digit()) || text.trim().is_empty();
        if is_moves { TicTacToe::from_moves(text) } else { TicTacToe::from_board(text) }
    }
}

impl TicTacToe {
    fn from_moves(text: &str) -> Result<TicTacToe, ParseError> {
        let mut position = TicTacToe::default();
        for (at, found) in (1..).zip(text.trim().chars()) {
            let square = found.to_digit(10).filter(|square| *square > 0);
            let square = square.ok_or(ParseError::BadMove { at, found })?;
            if position.is_over() {
                return Err(ParseError::GameOver { at });
            }
            if position.empty() >> (square - 1) & 1 == 0 {
                return Err(ParseError::Taken { at, square });
            }
            position.play(square as u8 - 1);
        }
        Ok(position)
    }

    fn from_board(text: &str) -> Result<TicTacToe, ParseError> {
        let (mut x, mut o, mut size) = (0u16, 0u16, 0);
        for stone in text.chars().filter(|c| !c.is_whitespace()) {
            if size == 9 {
                return Err(ParseError::BadSize);
            }
            match stone {
                'X' => x |= 1 << size,
                'O' => o |= 1 << size,
                '.' => {}
                other => return Err(ParseError::BadSquare(other)),
            }
            size += 1;
        }
        let (mine, theirs) = if x.count_ones() == o.count_ones() { (x, o) } else { (o, x) };
        let by_turns = matches!(x.count_ones().checked_sub(o.count_ones()), Some(0 | 1));
        match () {
            _ if size != 9 => Err(ParseError::BadSize),
            _ if !by_turns || (TicTacToe { mine: theirs, theirs: mine }).is_lost() => {
                Err(ParseError::Unreachable)
            }
            _ => Ok(TicTacToe { mine, theirs }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft;
    use cassius_search::{Statics, minimax};

    #[test]
    fn counts_every_game() {
        let counts: Vec<u64> = (0..=9).map(|depth| perft(&TicTacToe::default(), depth)).collect();
        assert_eq!(counts, [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]);
    }

    #[test]
    fn is_a_draw() {
        assert_eq!(minimax(&TicTacToe::default(), &mut Statics, 9), Score::DRAW);
    }

    #[test]
    fn the_corner_opening_is_met_in_the_centre() {
        for (square, value) in [(4, Score::DRAW), (1, Score::loss_in(5)), (8, Score::loss_in(5))] {
            let mut position = TicTacToe::default();
            position.play(0);
            position.play(square);
            assert_eq!(-minimax(&position, &mut Statics, 9), value, "reply {square}");
        }
    }

    #[test]
    fn reads_what_it_prints() {
        for text in ["...\n...\n...", "X..\n.O.\n..X", "XOX\nXOO\nOXX"] {
            assert_eq!(text.parse::<TicTacToe>().unwrap().to_string(), text);
        }
        assert_eq!("XX......".parse::<TicTacToe>(), Err(ParseError::BadSize));
        assert_eq!("X.........".parse::<TicTacToe>(), Err(ParseError::BadSize));
        assert_eq!("X...?....".parse::<TicTacToe>(), Err(ParseError::BadSquare('?')));
        for text in ["XX.......", "O........", "XXXOOO...", "XXXOO.O.."] {
            assert_eq!(text.parse::<TicTacToe>(), Err(ParseError::Unreachable), "{text}");
        }
    }

    #[test]
    fn threats_are_checks_and_noise() {
        let position: TicTacToe = "XX. OO. ...".parse().unwrap();
        assert!(position.in_check());
        let mut noisy = Vec::new();
        position.noisy_moves(&mut noisy);
        assert_eq!(noisy, [2, 5]);
        assert!(position.exchange_at_least(2, Score(100)) && !position.exchange_at_least(5, Score(1)));
    }
}
