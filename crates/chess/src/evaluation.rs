//! The static evaluation: estimates the value of a quiet position without search.
//!
//! There are two of them, and an [`Evaluation`] says which one is used: the [`classical`] one, a sum of
//! hand-crafted terms, and the [`network`], which has learned from games of the engine against itself.
//! An [`Evaluator`] computes either, with the caches of one thread.
//!
//! Both are symmetric: with board and colours mirrored they return the same value. Both compute with
//! integers, so that a value is the same on every processor.

pub mod classical;
mod game;
mod memo;
pub mod network;
mod pieces;

pub use network::Network;
pub use pieces::Pieces;

use crate::{EXCHANGE_VALUES, openings};
use cassius_search::{fnv, mix};
use classical::Classical;
use memo::Memo;
use network::Accumulators;
use shakmaty::Color;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

/// Computes what evaluations look up, which takes some tens of milliseconds. Without this call the first
/// evaluation that needs it does so, whatever the limits of its search.
pub fn prepare() {
    classical::king_and_pawn::prepare();
}

/// Which evaluation is used.
///
/// ```
/// use cassius_chess::evaluation::{Evaluation, Evaluator};
/// use shakmaty::{Board, Color};
/// let mut evaluator = Evaluator::of(&Evaluation::Classical);
/// assert!(evaluator.evaluate(&Board::new(), Color::White, 0).abs() < 60);
/// ```
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The hand-crafted terms.
    Classical,
    /// A network.
    Network(Arc<Network>),
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Network(network::own())
    }
}

impl Evaluation {
    /// The names of the evaluations, the default one first.
    pub const NAMES: [&str; 2] = ["network", "classical"];

    /// Returns the evaluation with one of the [`NAMES`](Evaluation::NAMES).
    ///
    /// ```
    /// use cassius_chess::evaluation::Evaluation;
    /// assert!(matches!(Evaluation::named("network"), Some(Evaluation::Network(_))));
    /// assert!(Evaluation::named("oracle").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Evaluation> {
        match name {
            "classical" => Some(Evaluation::Classical),
            "network" => Some(Evaluation::Network(network::own())),
            _ => None,
        }
    }

    /// Returns the name: `classical` or `network`.
    pub const fn name(&self) -> &'static str {
        match self {
            Evaluation::Classical => "classical",
            Evaluation::Network(_) => "network",
        }
    }

    /// Returns a number that changes when the weights of a network, the values of the classical evaluation in
    /// the built-in openings, or those of exchanges do.
    ///
    /// ```
    /// use cassius_chess::evaluation::Evaluation;
    /// assert_eq!(Evaluation::default().number(), Evaluation::default().number());
    /// assert_ne!(Evaluation::default().number(), Evaluation::Classical.number());
    /// ```
    pub fn number(&self) -> u64 {
        let mut evaluator = Evaluator::of(self);
        let evaluations = openings::builtin().into_iter().map(|opening| {
            let position = opening.position();
            evaluator.evaluate(&position, position.turn(), position.halfmoves())
        });
        let number = fnv(EXCHANGE_VALUES.into_iter().chain(evaluations).map(|value| value as u32));
        // Openings have many pieces, and do not show all weights. Of the built-in network they show enough:
        // there is only one.
        match self {
            Evaluation::Network(network) => number ^ mix(network.hash() ^ network::own().hash()),
            Evaluation::Classical => number,
        }
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a network. The message names the file.
    pub fn load(path: &Path) -> Result<Evaluation, LoadError> {
        Evaluation::load_with_bytes(path).map(|(evaluation, _)| evaluation)
    }

    /// As [`load`](Evaluation::load). Also returns the bytes of the file, which tell it from other files.
    ///
    /// # Errors
    /// Those of [`load`](Evaluation::load).
    pub fn load_with_bytes(path: &Path) -> Result<(Evaluation, Vec<u8>), LoadError> {
        let wrong = |why: String| LoadError { path: path.display().to_string(), why };
        // A device or a pipe might never end.
        if !path.is_file() {
            let missing = std::fs::metadata(path).err().map(|error| error.to_string());
            return Err(wrong(missing.unwrap_or_else(|| "not a file".into())));
        }
        let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let network = Network::from_bytes(&bytes).map_err(|error| wrong(error.to_string()))?;
        Ok((Evaluation::Network(Arc::new(network)), bytes))
    }
}

/// Why a network file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {why}")]
pub struct LoadError {
    path: String,
    why: String,
}

/// The static evaluation, with its caches.
///
/// ```
/// use cassius_chess::evaluation::Evaluator;
/// use shakmaty::{Board, Color};
///
/// let mut evaluator = Evaluator::new();
/// let start = evaluator.evaluate(&Board::new(), Color::White, 0);
/// assert!(start.abs() < 60, "the first move is worth a little: {start}");
/// ```
pub struct Evaluator {
    kind: Kind,
    memo: Memo,
}

enum Kind {
    Classical(Classical),
    Network(Box<Accumulators>),
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl std::fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator").finish_non_exhaustive()
    }
}

impl Evaluator {
    /// Creates an evaluator of the default evaluation, with empty caches.
    pub fn new() -> Evaluator {
        Evaluator::of(&Evaluation::default())
    }

    /// Creates an evaluator of this evaluation, with empty caches.
    pub fn of(evaluation: &Evaluation) -> Evaluator {
        let kind = match evaluation {
            Evaluation::Classical => Kind::Classical(Classical::new()),
            Evaluation::Network(network) => Kind::Network(Box::new(Accumulators::new(network.clone()))),
        };
        Evaluator { kind, memo: Memo::new() }
    }

    /// Returns the value for the side to move, in centipawns.
    ///
    /// `halfmoves` is the number of half-moves since the last capture or pawn move. The result is within
    /// ±[`MAX_VALUE`]. It is 0 when a king is missing.
    pub fn evaluate(&mut self, board: impl Into<Pieces>, turn: Color, halfmoves: u32) -> i32 {
        fade(self.compute(&board.into(), turn, 0), turn, halfmoves)
    }

    /// Whether the side that stands better cannot win, as far as the classical evaluation knows, whose value
    /// is then 0 whatever a network adds to it. A network that adds to nothing knows of no such position.
    ///
    /// ```
    /// use cassius_chess::{Evaluation, Evaluator, Position};
    ///
    /// let wrong_bishop: Position = "7k/8/8/8/8/7P/3K4/5B2 w - - 0 1".parse()?;
    /// assert!(Evaluator::of(&Evaluation::Classical).knows_a_draw(&wrong_bishop, wrong_bishop.turn()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn knows_a_draw(&mut self, board: impl Into<Pieces>, turn: Color) -> bool {
        match &mut self.kind {
            Kind::Classical(classical) => classical.unless_drawn(&board.into(), turn).is_none(),
            Kind::Network(network) => network.knows_a_draw(&board.into(), turn),
        }
    }

    /// Evaluates a position with a key, under which the value is cached. `ply` counts the moves of the
    /// line: positions with consecutive numbers are likely to be alike.
    #[inline]
    pub(crate) fn recall(
        &mut self,
        key: u64,
        board: impl Into<Pieces>,
        turn: Color,
        halfmoves: u32,
        ply: usize,
    ) -> i32 {
        let value = self.memo.get(key).unwrap_or_else(|| {
            let value = self.compute(&board.into(), turn, ply);
            self.memo.set(key, value);
            value
        });
        fade(value, turn, halfmoves)
    }

    /// Computes the value for White, without the fade of the fifty-move rule.
    fn compute(&mut self, pieces: &Pieces, turn: Color, ply: usize) -> i32 {
        match &mut self.kind {
            Kind::Classical(classical) => classical.value(pieces, turn),
            Kind::Network(network) => network.value(pieces, turn, ply),
        }
    }
}

/// Converts a value for White to the side to move, and reduces it as the fifty-move rule approaches.
#[inline]
fn fade(value: i32, turn: Color, halfmoves: u32) -> i32 {
    let value = value * (FADE - halfmoves.min(100) as i32) / FADE;
    if turn.is_white() { value } else { -value }
}

/// The scale on which an advantage fades with half-moves without progress: after `n` of them `n / FADE`
/// of it is gone. 100 half-moves make a draw.
const FADE: i32 = 220;

/// The maximum of the evaluation.
pub const MAX_VALUE: i32 = 20_000;

#[cfg(test)]
mod tests {
    use super::*;
    use classical::trace::NoTrace;
    use classical::weights as w;
    use shakmaty::Board;
    use shakmaty::fen::Fen;

    const FENS: &[&str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
        "8/8/4k3/8/8/3PK3/8/8 w - - 0 1",
        "2kr3r/pp1q1ppp/5n2/1Nb5/2Pp1B2/7Q/P4PPP/1R3RK1 w - - 0 1",
        "6k1/5pp1/8/3B4/8/5P2/2b3PP/6K1 w - - 0 1",
        "r1bq1rk1/pp3pbp/2np1np1/2pPp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 b - - 0 9",
        "4k3/P6p/8/1b6/8/8/r6P/R3K3 b - - 0 1",
    ];

    fn board(fen: &str) -> (Board, Color) {
        let setup = fen.parse::<Fen>().expect("valid FEN").into_setup();
        (setup.board, setup.turn)
    }

    /// An evaluator of each evaluation.
    fn evaluators() -> impl Iterator<Item = Evaluator> {
        Evaluation::NAMES
            .into_iter()
            .map(|name| Evaluator::of(&Evaluation::named(name).expect("one of them")))
    }

    #[test]
    fn mirrored_positions_are_worth_the_same() {
        for mut evaluator in evaluators() {
            for fen in FENS {
                let (board, turn) = board(fen);
                for turn in [turn, turn.other()] {
                    assert_eq!(
                        evaluator.evaluate(&board, turn, 7),
                        evaluator.evaluate(&board.clone().into_mirrored(), turn.other(), 7),
                        "{fen}"
                    );
                }
            }
        }
    }

    /// Creates a key whose cache slot is shared by many positions.
    fn zobrist_like(fen: &str) -> u64 {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        BuildHasherDefault::<DefaultHasher>::default().hash_one(fen) & !0xffc
    }

    #[test]
    fn the_cache_changes_nothing() {
        let mut evaluator = Evaluator::of(&Evaluation::Classical);
        for fen in FENS.iter().chain(FENS) {
            let (board, turn) = board(fen);
            let fresh = classical::explain(&board, turn, &mut NoTrace).mix();
            let cached = evaluator.evaluate(&board, turn, 0);
            assert_eq!(cached, if turn.is_white() { fresh } else { -fresh }, "{fen}");
            for halfmoves in [0, 50] {
                let key = zobrist_like(fen);
                let expected = evaluator.evaluate(&board, turn, halfmoves);
                assert_eq!(evaluator.recall(key, &board, turn, halfmoves, 0), expected, "{fen}");
            }
        }
    }

    #[test]
    fn every_weight_has_a_number_of_its_own() {
        let mut next = 0;
        for term in w::TERMS {
            assert_eq!(term.first, next, "{}", term.name);
            next += term.values.len();
        }
        assert_eq!(next, w::COUNT);
    }

    #[test]
    fn drawn_material_is_worth_little() {
        evaluators().for_each(drawn_material_is_worth_little_to);
    }

    fn drawn_material_is_worth_little_to(mut evaluator: Evaluator) {
        for fen in [
            "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
            "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1",
            "k7/8/P7/8/8/2B1K3/8/8 w - - 0 1",
            "k7/8/P7/8/8/4K3/8/8 w - - 0 1",
        ] {
            let (board, turn) = board(fen);
            assert!(evaluator.evaluate(&board, turn, 0).abs() <= 30, "{fen}");
        }
        for fen in ["8/8/4k3/8/8/3RK3/8/8 w - - 0 1", "8/8/4k3/8/8/2BNK3/8/8 w - - 0 1"] {
            let (board, turn) = board(fen);
            assert!(evaluator.evaluate(&board, turn, 0) > 300, "{fen}");
        }
    }

    #[test]
    fn absurd_boards_do_no_harm() {
        evaluators().for_each(absurd_boards_do_no_harm_to);
    }

    fn absurd_boards_do_no_harm_to(mut evaluator: Evaluator) {
        assert_eq!(evaluator.evaluate(&Board::empty(), Color::White, 0), 0);
        for fen in [
            "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQKk w - - 0 1",
            "PPPPPPPP/PPPPPPPP/PPPPPPPP/KPPPPPPk/pppppppp/pppppppp/pppppppp/pppppppp b - - 0 1",
            "rrrrrrrr/rrrrrrrr/rrrrrrrr/kbbbbbbb/nnnnnnnK/NNNNNNNN/BBBBBBBB/RRRRRRRR b - - 0 1",
        ] {
            let (board, turn) = board(fen);
            assert!(evaluator.evaluate(&board, turn, u32::MAX).abs() <= MAX_VALUE, "{fen}");
        }
    }
}
