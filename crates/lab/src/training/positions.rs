//! Positions of games, packed for training.

use crate::data::DataGame;
use crate::random::Random;
use cassius_chess::evaluation::network::{input, is_mirrored};
use cassius_chess::{Evaluator, Position, pgn::GameResult};
use cassius_search::Keyed as _;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash as _, Hasher};

/// A position with its value and the result of its game, in 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed {
    occupied: u64,
    /// Four bits for each occupied square: role 1 to 6, and 8 for Black.
    pieces: [u8; 16],
    /// For White, in centipawns.
    value: i16,
    /// Half-points of White.
    result: u8,
    white_to_move: bool,
    /// What the classical evaluation says, for the side to move, if it is to be added to.
    pub(super) known: i16,
}

impl Packed {
    /// Packs a position. `value` is for White.
    pub fn new(position: &Position, value: i16, result: GameResult) -> Packed {
        let board = position.board();
        let mut pieces = [0; 16];
        for (index, (_, piece)) in board.iter().enumerate().take(32) {
            let colour = if piece.color.is_white() { 0 } else { 8 };
            pieces[index / 2] |= (piece.role as u8 | colour) << (4 * (index % 2));
        }
        let result = match result {
            GameResult::WhiteWins => 2,
            GameResult::Draw | GameResult::Unfinished => 1,
            GameResult::BlackWins => 0,
        };
        let (occupied, white_to_move) = (board.occupied().0, position.turn().is_white());
        Packed { occupied, pieces, value, result, white_to_move, known: 0 }
    }

    fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Bitboard(self.occupied).into_iter().zip(0..32).filter_map(|(square, index): (Square, usize)| {
            let four = self.pieces[index / 2] >> (4 * (index % 2)) & 15;
            let role = Role::try_from(four & 7).ok()?;
            Some((square, Piece { color: Color::from_white(four < 8), role }))
        })
    }

    /// Returns the pieces on their squares, and the side to move.
    pub fn board(&self) -> (Board, Color) {
        let mut board = Board::empty();
        self.pieces().for_each(|(square, piece)| board.set_piece_at(square, piece));
        (board, Color::from_white(self.white_to_move))
    }

    /// Writes the active inputs of both views, and returns their number.
    pub fn inputs(&self, us: &mut [u16; 32], them: &mut [u16; 32]) -> usize {
        let turn = Color::from_white(self.white_to_move);
        let mut mirrored = [false; 2];
        for (square, piece) in self.pieces() {
            if piece.role == Role::King {
                mirrored[piece.color as usize & 1] = is_mirrored(square);
            }
        }
        let mut count = 0;
        for (square, piece) in self.pieces() {
            for (view, inputs) in [(turn, &mut *us), (turn.other(), &mut *them)] {
                let mirrored = mirrored[view as usize & 1];
                inputs[count] = input(view, mirrored, piece.color, piece.role, square) as u16;
            }
            count += 1;
        }
        count
    }

    /// Returns the result that the side to move can expect: a mixture of the result and of the value.
    pub fn target(&self, slope: f64, result_share: f64) -> f64 {
        let expected = expectation(f64::from(self.value), slope);
        let white = result_share * f64::from(self.result) / 2.0 + (1.0 - result_share) * expected;
        if self.white_to_move { white } else { 1.0 - white }
    }
}

fn expectation(value: f64, slope: f64) -> f64 {
    1.0 / (1.0 + (-value / slope).exp())
}

/// Quiet positions of games, without duplicates. Those of one game in [`HELD_OUT`](Positions::HELD_OUT)
/// are held out of the training.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    trained: Vec<Packed>,
    pub(super) held_out: Vec<Packed>,
    seen: HashSet<u64, BuildHasherDefault<Itself>>,
    games: u64,
    digest: u64,
    /// The positions left out as duplicates.
    pub duplicates: u64,
}

impl Positions {
    /// One game in this many is held out.
    pub const HELD_OUT: u64 = 50;

    /// Adds the positions of a game in which a static value can be learned: quiet ones that are not
    /// decided. The network is to add to the values of `base`. Where `base` knows a draw it adds nothing, and
    /// there is nothing to learn.
    pub fn add(&mut self, game: &DataGame, mut base: Option<&mut Evaluator>) {
        let held_out = self.games.is_multiple_of(Self::HELD_OUT);
        self.games += 1;
        for (position, value) in game.learnable() {
            if base.as_mut().is_some_and(|base| base.knows_a_draw(&position, position.turn())) {
                continue;
            }
            if !self.seen.insert(position.key()) {
                self.duplicates += 1;
                continue;
            }
            let mut packed = Packed::new(&position, value, game.result);
            if let Some(evaluator) = &mut base {
                packed.known = evaluator.evaluate(&position, position.turn(), 0) as i16;
            }
            if held_out { &mut self.held_out } else { &mut self.trained }.push(packed);
        }
    }

    /// Forgets which positions have been seen, and shuffles: no more will be added.
    pub fn finish(&mut self, seed: u64) {
        self.seen = HashSet::default();
        Random(seed).shuffle(&mut self.trained);
        Random(seed).shuffle(&mut self.held_out);
        let mut digest = DefaultHasher::new();
        [&self.trained, &self.held_out].hash(&mut digest);
        self.digest = digest.finish();
    }

    /// Returns a number that tells these positions, their values and results, their order, and which are held
    /// out, from others; 0 before [`finish`](Positions::finish).
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.trained.len() + self.held_out.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the positions to train on, and those that are held out.
    pub fn split(&self) -> (&[Packed], &[Packed]) {
        (&self.trained, &self.held_out)
    }

    /// Fits the slope: the value in centipawns at which the expected result is 73 %.
    pub fn slope(&self) -> f64 {
        let sample = &self.trained[..self.trained.len().min(200_000)];
        let loss = |slope: f64| -> f64 {
            let error = |packed: &Packed| {
                let expected = expectation(f64::from(packed.value), slope).clamp(1e-6, 1.0 - 1e-6);
                let result = f64::from(packed.result) / 2.0;
                -result * expected.ln() - (1.0 - result) * (1.0 - expected).ln()
            };
            sample.iter().map(error).sum()
        };
        // The loss has one minimum; a golden section finds it.
        let (mut low, mut high) = (20.0f64, 2_000.0f64);
        let ratio = (5.0f64.sqrt() - 1.0) / 2.0;
        for _ in 0..30 {
            let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
            if loss(left) < loss(right) { high = right } else { low = left }
        }
        ((low + high) / 2.0).round()
    }
}

/// A hash is its own hash.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_chess::evaluation::network;
    use cassius_search::Game as _;

    const FENS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k2r/8/8/8/8/8/8/R3K3 b - - 0 1",
    ];

    #[test]
    fn unpacked_as_packed() {
        for fen in FENS {
            let position: Position = fen.parse().unwrap();
            let packed = Packed::new(&position, -77, GameResult::WhiteWins);
            let (board, turn) = packed.board();
            assert_eq!((&board, turn), (position.board(), position.turn()), "{fen}");
            let (mut us, mut them) = ([0; 32], [0; 32]);
            let count = packed.inputs(&mut us, &mut them);
            assert_eq!(count, board.occupied().count());
            for (view, inputs) in [(turn, us), (turn.other(), them)] {
                let mirrored = network::is_mirrored(board.king_of(view).unwrap());
                let of = |(square, piece): (Square, Piece)| {
                    network::input(view, mirrored, piece.color, piece.role, square) as u16
                };
                assert_eq!(inputs[..count], board.iter().map(of).collect::<Vec<_>>(), "{fen}");
            }
        }
        assert_eq!(size_of::<Packed>(), 32);
    }

    #[test]
    fn targets_are_for_the_side_to_move() {
        let white: Position = FENS[0].parse().unwrap();
        let mut black = white.clone();
        black.play(black.parse_move("e4").unwrap());
        let target = |position: &Position, value, result, share| {
            Packed::new(position, value, result).target(150.0, share)
        };
        assert_eq!(target(&white, 0, GameResult::WhiteWins, 1.0), 1.0);
        assert_eq!(target(&black, 0, GameResult::WhiteWins, 1.0), 0.0);
        assert_eq!(target(&black, 0, GameResult::Draw, 0.5), 0.5);
        let ahead = target(&white, 150, GameResult::Draw, 0.0);
        assert!((ahead - 0.731).abs() < 0.001, "{ahead}");
        assert!((target(&black, 150, GameResult::Draw, 0.0) - (1.0 - ahead)).abs() < 1e-9);
    }

    #[test]
    fn only_quiet_positions_once() {
        let start = Position::default();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (mv, value) in [("e4", 20), ("d5", 30), ("exd5", 40), ("Qxd5", 3001), ("Nc3", 10)] {
            let mv = position.parse_move(mv).unwrap();
            moves.push((mv, value));
            position.play(mv);
        }
        let game = DataGame { start, result: GameResult::Draw, moves };
        let mut positions = Positions::default();
        positions.add(&game, None); // the first game is held out
        positions.add(&game, None);
        // The captures are left out, and the value beyond the limit stood at one of them.
        assert_eq!((positions.split().0.len(), positions.split().1.len(), positions.duplicates), (0, 3, 3));
    }
}
