//! Games or positions of some files, without duplicates, shuffled, a part of them held out.
//!
//! Positions are written in the format of the trainer bullet, which other trainers read as well: 32 bytes
//! each, seen from the side to move. Its own library packs them. Or they are written as the lines of text
//! that [`tune`](crate::tune) reads.

use super::{DataGame, viriformat};
use crate::random::Random;
use bulletformat::ChessBoard;
use cassius_chess::{Position, pgn::GameResult};
use cassius_search::{Game as _, Keyed as _};
use shakmaty::{Color, Role};
use std::collections::HashSet;
use std::io::{self, Write};

/// What is written of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The game, in viriformat.
    Games,
    /// The positions from which a static value can be learned ([`DataGame::learnable`]).
    Positions,
    /// The same positions as text, `FEN;value;result`, both for White ([`crate::tune`]).
    Lines,
}

/// Games or positions, collected game by game.
#[derive(Debug)]
pub struct Prepared {
    content: Content,
    /// One game in this many is held out.
    held_out_of: Option<u64>,
    /// What is kept, and what is held out.
    parts: [Vec<Vec<u8>>; 2],
    seen: HashSet<u64>,
    games: u64,
    duplicates: u64,
}

impl Prepared {
    /// Creates an empty collection. With `held_out_of` one game in this many is held out, with all its
    /// positions.
    ///
    /// ```
    /// use cassius_chess::{Position, pgn::GameResult};
    /// use cassius_lab::data::{DataGame, prepare::{Content, Prepared}};
    /// let start = Position::default();
    /// let moves = vec![(start.parse_move("e4")?, 25)];
    /// let game = DataGame { start, result: GameResult::Draw, moves };
    /// let mut prepared = Prepared::new(Content::Positions, None);
    /// (0..2).for_each(|_| prepared.add(&game));
    /// assert_eq!((prepared.counts(), prepared.duplicates()), ([1, 0], 1));
    /// let mut bytes = Vec::new();
    /// prepared.write(0, &mut bytes)?;
    /// assert_eq!(bytes.len(), 32);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(content: Content, held_out_of: Option<u64>) -> Prepared {
        let (parts, seen) = ([Vec::new(), Vec::new()], HashSet::new());
        Prepared { content, held_out_of, parts, seen, games: 0, duplicates: 0 }
    }

    /// Adds a game, or its positions, unless they have been added before.
    pub fn add(&mut self, game: &DataGame) {
        let held_out = self.held_out_of.is_some_and(|of| self.games.is_multiple_of(of.max(1)));
        self.games += 1;
        let part = usize::from(held_out);
        let mut bytes = Vec::new();
        match self.content {
            Content::Games => {
                if self.is_new(line_of(game)) && viriformat::write(game, &mut bytes).is_ok() {
                    self.parts[part].push(bytes);
                }
            }
            Content::Positions | Content::Lines => {
                for (position, value) in game.learnable() {
                    if self.is_new(position.key()) {
                        self.parts[part].push(match self.content {
                            Content::Lines => line(&position, value, game.result),
                            _ => packed(&position, value, game.result),
                        });
                    }
                }
            }
        }
    }

    fn is_new(&mut self, key: u64) -> bool {
        let new = self.seen.insert(key);
        self.duplicates += u64::from(!new);
        new
    }

    /// Shuffles both parts.
    pub fn shuffle(&mut self, seed: u64) {
        self.parts.iter_mut().for_each(|part| Random(seed).shuffle(part));
    }

    /// Returns the numbers of games or positions: of those kept, and of those held out.
    pub fn counts(&self) -> [usize; 2] {
        self.parts.each_ref().map(Vec::len)
    }

    /// Returns the number of games or positions that were left out, because they occurred before.
    pub const fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Writes a part: 0 what is kept, 1 what is held out.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, part: usize, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        self.parts[part].iter().try_for_each(|bytes| out.write_all(bytes))
    }
}

/// A number that differs between games with different positions.
fn line_of(game: &DataGame) -> u64 {
    let mut position = game.start.clone();
    let mut line = position.key();
    for (mv, _) in &game.moves {
        position.play(*mv);
        line = line.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ position.key();
    }
    line
}

/// What a result is worth for White.
fn points(result: GameResult) -> f32 {
    match result {
        GameResult::WhiteWins => 1.0,
        GameResult::BlackWins => 0.0,
        GameResult::Draw | GameResult::Unfinished => 0.5,
    }
}

/// Writes a position as text. `value` is for White, in centipawns.
fn line(position: &Position, value: i16, result: GameResult) -> Vec<u8> {
    format!("{position};{value};{}\n", points(result)).into_bytes()
}

/// Packs a position for bullet. `value` is for White, in centipawns.
fn packed(position: &Position, value: i16, result: GameResult) -> Vec<u8> {
    let board = position.board();
    let sides = [Color::White, Color::Black].map(|color| board.by_color(color));
    let roles = Role::ALL.map(|role| board.by_role(role));
    let mut boards = [0; 8];
    for (to, from) in boards.iter_mut().zip(sides.into_iter().chain(roles)) {
        *to = from.0;
    }
    let result = points(result);
    let turn = usize::from(position.turn().is_black());
    let board = ChessBoard::from_raw(boards, turn, value, result).expect("every piece has a role");
    let mut bytes = Vec::with_capacity(size_of::<ChessBoard>());
    bytes.extend(board.occ.to_le_bytes());
    bytes.extend(board.pcs);
    bytes.extend(board.score.to_le_bytes());
    bytes.extend([board.result, board.ksq, board.opp_ksq]);
    bytes.extend(board.extra);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use bulletformat::BulletFormat as _;

    fn game(line: &[&str], result: GameResult) -> DataGame {
        let start = Position::default();
        let mut position = start.clone();
        let moves = line.iter().enumerate().map(|(ply, san)| {
            let mv = position.parse_move(san).expect("a legal move");
            position.play(mv);
            (mv, 10 * ply as i16)
        });
        DataGame { start, result, moves: moves.collect() }
    }

    const LINES: [&[&str]; 3] = [&["e4", "e5", "Nf3"], &["e4", "d5", "exd5", "Qxd5"], &["e4", "e5", "Nc3"]];

    #[test]
    fn what_other_trainers_read_is_what_was_there() {
        let mut prepared = Prepared::new(Content::Positions, None);
        LINES.iter().for_each(|line| prepared.add(&game(line, GameResult::BlackWins)));
        // The second line adds nothing: two captures are played in it, after positions that are known.
        assert_eq!((prepared.counts(), prepared.duplicates()), ([3, 0], 5));
        let mut bytes = Vec::new();
        prepared.write(0, &mut bytes).expect("memory");
        assert_eq!(bytes.len(), 3 * 32);
        let after_e4 = &bytes[32..64];
        assert_eq!(i16::from_le_bytes([after_e4[24], after_e4[25]]), -10, "for the side to move");
        let mut position = Position::default();
        position.play(position.parse_move("e4").expect("a move"));
        let board: ChessBoard = format!("{} | 10 | 0.0", position).parse().expect("their text form");
        assert_eq!((board.score(), board.result_idx()), (-10, 2), "Black won, and is to move");
        assert_eq!(after_e4[..24], [&board.occ.to_le_bytes()[..], &board.pcs].concat());
        assert_eq!(after_e4[26..29], [board.result, board.ksq, board.opp_ksq]);
    }

    #[test]
    fn games_are_kept_once_and_some_are_held_out() {
        let all: Vec<DataGame> = LINES.iter().map(|line| game(line, GameResult::Draw)).collect();
        let mut prepared = Prepared::new(Content::Games, Some(3));
        all.iter().chain(&all).for_each(|game| prepared.add(game));
        assert_eq!((prepared.counts(), prepared.duplicates()), ([2, 1], 3));
        let (mut one, mut other) = (Vec::new(), Vec::new());
        prepared.write(0, &mut one).expect("memory");
        for seed in 0..10 {
            prepared.shuffle(seed);
            other.clear();
            prepared.write(0, &mut other).expect("memory");
            assert_eq!(one.len(), other.len());
        }
        let mut held_out = Vec::new();
        prepared.write(1, &mut held_out).expect("memory");
        assert_eq!(viriformat::read(&mut held_out.as_slice()).expect("a game"), Some(all[0].clone()));
    }
}
