//! Plays one game between two players, by the rules of chess and by rules that cut games short.

use super::contestant::{Asked, Seat};
use super::{MatchError, Pace};
use cassius_chess::openings::Opening;
use cassius_chess::{Position, pgn};
use cassius_search::game::Repeats as _;
use cassius_search::{Game as _, Score};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The rules that cut games short. The values of both players must agree, so that one player's
/// misjudgement decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The game is lost for the side that both players see far enough behind.
    pub resign: Option<Resign>,
    /// The game is drawn.
    pub draw: Option<DrawRule>,
    /// The game is drawn after this many moves of each side, without those of the opening.
    pub max_moves: usize,
}

/// The rule of resignation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resign {
    /// The number of consecutive moves of each side.
    pub moves: usize,
    /// The minimum disadvantage, in centipawns.
    pub score: i32,
}

/// The rule of a draw by agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The first move number of the game at which the rule applies.
    pub from_move: u32,
    /// The number of consecutive moves of each side.
    pub moves: usize,
    /// The maximum distance of the value from equality, in centipawns.
    pub score: i32,
}

impl Default for Rules {
    /// Returns the default rules: resignation at 7 pawns for 4 moves; a draw from move 40 at 0.12 pawns
    /// for 8 moves; at most 200 moves.
    fn default() -> Rules {
        Rules {
            resign: Some(Resign { moves: 4, score: 700 }),
            draw: Some(DrawRule { from_move: 40, moves: 8, score: 12 }),
            max_moves: 200,
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.resign {
            Some(Resign { moves, score }) => write!(f, "resign {moves} moves at {score} cp")?,
            None => write!(f, "no resignation")?,
        }
        match self.draw {
            Some(DrawRule { from_move, moves, score }) => {
                write!(f, ", draw from move {from_move} after {moves} moves within {score} cp")?;
            }
            None => write!(f, ", no draw by value")?,
        }
        write!(f, ", draw after {} moves, both players agreeing, no tables", self.max_moves)
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// The same position occurred for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or pawn move.
    FiftyMoves,
    /// Neither side has enough material to mate.
    Material,
    /// A clock ran out, or an engine had to be ended because it exceeded its time.
    Time,
    /// The engine of one player ended, or did not answer.
    Crash,
    /// The engine of one player named a move that is not legal.
    IllegalMove,
    /// Both players judged it lost.
    Resignation,
    /// Both players judged it drawn.
    Agreement,
    /// The game reached the maximum number of moves.
    Length,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::Repetition => "threefold repetition",
            Ending::FiftyMoves => "fifty-move rule",
            Ending::Material => "insufficient material",
            Ending::Time => "time forfeit",
            Ending::Crash => "abandoned: the engine ended or did not answer",
            Ending::IllegalMove => "rules infraction: illegal move",
            Ending::Resignation => "adjudication: both see it lost",
            Ending::Agreement => "adjudication: both see it drawn",
            Ending::Length => "adjudication: too many moves",
        })
    }
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The moves, the result, and a comment for each move: the value for the player, the iteration, and
    /// with clocks the seconds.
    pub game: pgn::Game,
    /// Why the game ended.
    pub ending: Ending,
    /// The number of plies that the players chose.
    pub plies: usize,
    /// What the engine that lost did wrong, if it played no move for this reason.
    pub failure: Option<String>,
}

/// Plays a game; `white` is the index of the player with the white pieces. Returns `None` if the game is
/// abandoned.
///
/// # Errors
/// If a player cannot begin.
pub(super) fn play(
    opening: &Opening,
    white: usize,
    pace: &Pace,
    rules: &Rules,
    seats: &mut [Box<dyn Seat + '_>; 2],
    given_up: &(dyn Fn() -> bool + Sync),
) -> Result<Option<PlayedGame>, MatchError> {
    for seat in seats.iter_mut() {
        seat.begin(&opening.start)?;
    }
    let mut game =
        pgn::Game { start: opening.start.clone(), moves: opening.moves.clone(), ..pgn::Game::default() };
    let mut before: Vec<Position> = game.positions().collect();
    let mut position = before.pop().unwrap_or_else(|| opening.start.clone());
    let mut clocks = match pace {
        Pace::Clock { base, .. } => [*base; 2],
        Pace::PerMove(_) => [Duration::MAX; 2],
    };
    let mut values = Vec::new();
    loop {
        if let Some((result, ending)) =
            end_of_game(&position, &before).or_else(|| rules.judge(&position, &values))
        {
            game.result = result;
            return Ok(Some(PlayedGame { game, ending, plies: values.len(), failure: None }));
        }
        let mover = if position.turn().is_white() { white } else { 1 - white };
        let clocks_by_colour = [clocks[white], clocks[1 - white]];
        let asked = Asked {
            moves: &game.moves,
            before: &before,
            position: &position,
            pace,
            clocks: clocks_by_colour,
            given_up,
        };
        let answer = seats[mover].choose(&asked);
        if given_up() {
            return Ok(None);
        }
        let choice = match answer {
            Ok(choice) => choice,
            Err(failure) => {
                let Some(ending) = failure.ending() else { return Ok(None) };
                game.result = win_of(position.turn().is_black());
                let failure = Some(failure.to_string());
                return Ok(Some(PlayedGame { game, ending, plies: values.len(), failure }));
            }
        };
        if let Pace::Clock { increment, margin, .. } = pace {
            if choice.elapsed > clocks[mover].saturating_add(*margin) {
                game.result = win_of(position.turn().is_black());
                let (ending, plies) = (Ending::Time, values.len());
                return Ok(Some(PlayedGame { game, ending, plies, failure: None }));
            }
            clocks[mover] = clocks[mover].saturating_sub(choice.elapsed).saturating_add(*increment);
        }
        game.moves.push(choice.mv);
        let mut comment = format!("{}/{}", choice.value.map_or("?".into(), show), choice.depth);
        if !pace.is_deterministic() {
            comment += &format!(" {:.3}s", choice.elapsed.as_secs_f64());
        }
        game.comments.push((game.moves.len(), comment));
        values.push(choice.value);
        before.push(position.clone());
        position.play(choice.mv);
    }
}

fn win_of(white: bool) -> pgn::GameResult {
    if white { pgn::GameResult::WhiteWins } else { pgn::GameResult::BlackWins }
}

/// Formats a value as match runners do: `+0.35`, `+M3`, `-M2`.
fn show(value: Score) -> String {
    match value.plies_to_end() {
        Some(plies) if value.is_win() => format!("+M{plies}"),
        Some(plies) => format!("-M{plies}"),
        None => format!("{:+.2}", f64::from(value.0) / 100.0),
    }
}

/// Returns the result if the game is over by the rules of chess.
pub(crate) fn end_of_game(position: &Position, before: &[Position]) -> Option<(pgn::GameResult, Ending)> {
    use pgn::GameResult::Draw;
    if position.legal_moves().is_empty() {
        return Some(match position.is_checkmate() {
            true => (win_of(position.turn().is_black()), Ending::Checkmate),
            false => (Draw, Ending::Stalemate),
        });
    }
    if position.is_insufficient_material() {
        return Some((Draw, Ending::Material));
    }
    if position.halfmoves() >= 100 {
        return Some((Draw, Ending::FiftyMoves));
    }
    let earlier = before.iter().rev().take(position.reversible_plies()).filter(|other| *other == position);
    (earlier.count() >= 2).then_some((Draw, Ending::Repetition))
}

impl Rules {
    /// Returns the result if the game is cut short before `position`; `values` are those of the moves
    /// played, each for the side that moved, where it told one.
    pub(crate) fn judge(
        &self,
        position: &Position,
        values: &[Option<Score>],
    ) -> Option<(pgn::GameResult, Ending)> {
        let white = position.turn().is_white();
        // The values for the side to move now, last first.
        let seen = values
            .iter()
            .rev()
            .enumerate()
            .map(|(back, value)| value.map(|value| if back % 2 == 0 { -value.0 } else { value.0 }));
        let for_long = |moves: usize, holds: &dyn Fn(i32) -> bool| {
            moves > 0
                && values.len() >= 2 * moves
                && seen.clone().take(2 * moves).all(|value| value.is_some_and(holds))
        };
        if let Some(Resign { moves, score }) = self.resign {
            if for_long(moves, &|value| value <= -score) {
                return Some((win_of(!white), Ending::Resignation));
            }
            if for_long(moves, &|value| value >= score) {
                return Some((win_of(white), Ending::Resignation));
            }
        }
        if let Some(DrawRule { from_move, moves, score }) = self.draw
            && position.fullmoves() >= from_move
            && for_long(moves, &|value| value.abs() <= score)
        {
            return Some((pgn::GameResult::Draw, Ending::Agreement));
        }
        (values.len() >= self.max_moves.saturating_mul(2)).then_some((pgn::GameResult::Draw, Ending::Length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::GameResult::{BlackWins, Draw, WhiteWins};

    fn judge(rules: Rules, values: &[i32], fen: &str) -> Option<(pgn::GameResult, Ending)> {
        let values: Vec<Option<Score>> = values.iter().map(|value| Some(Score(*value))).collect();
        rules.judge(&fen.parse().unwrap(), &values)
    }

    const EARLY: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 12";
    const LATE: &str = "4k3/8/8/8/8/8/8/4K2R b K - 0 60";

    #[test]
    fn both_must_see_it() {
        let rules = Rules { resign: Some(Resign { moves: 2, score: 700 }), ..Rules::default() };
        assert_eq!(judge(rules, &[-800, 900, -800, 900], EARLY), Some((BlackWins, Ending::Resignation)));
        assert_eq!(judge(rules, &[800, -900, 800, -900], EARLY), Some((WhiteWins, Ending::Resignation)));
        assert_eq!(judge(rules, &[-800, 600, -800, 900], EARLY), None);
        assert_eq!(judge(rules, &[900, -800, 900], EARLY), None);
        assert_eq!(judge(rules, &[-800, 900, -800, 900], LATE), Some((WhiteWins, Ending::Resignation)));
        // A player that tells no value does not agree.
        let told = [Some(Score(-800)), None, Some(Score(-800)), Some(Score(900))];
        assert_eq!(rules.judge(&EARLY.parse().unwrap(), &told), None);
    }

    #[test]
    fn draws_by_value_only_late() {
        let rules = Rules { draw: Some(DrawRule { from_move: 40, moves: 2, score: 12 }), ..Rules::default() };
        assert_eq!(judge(rules, &[5, -5, 12, 0], LATE), Some((Draw, Ending::Agreement)));
        assert_eq!(judge(rules, &[5, -5, 13, 0], LATE), None);
        assert_eq!(judge(rules, &[5, -5, 12, 0], EARLY), None);
        let short = Rules { max_moves: 2, ..rules };
        assert_eq!(judge(short, &[5, -5, 12, 0], EARLY), Some((Draw, Ending::Length)));
    }

    #[test]
    fn ends_by_the_rules_of_chess() {
        let end = |fen: &str| end_of_game(&fen.parse().unwrap(), &[]);
        assert_eq!(end("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), Some((WhiteWins, Ending::Checkmate)));
        assert_eq!(end("k7/2K5/1Q6/8/8/8/8/8 b - - 0 1"), Some((Draw, Ending::Stalemate)));
        assert_eq!(end("k7/2K5/8/8/8/8/8/8 b - - 0 1"), Some((Draw, Ending::Material)));
        assert_eq!(end("k7/2K5/8/8/8/8/8/7R b - - 100 80"), Some((Draw, Ending::FiftyMoves)));
        assert_eq!(end("k7/2K5/8/8/8/8/8/7R b - - 99 80"), None);
    }

    #[test]
    fn the_third_time_is_a_draw() {
        let mut position = Position::default();
        let mut before = Vec::new();
        for (count, mv) in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"].iter().enumerate() {
            assert_eq!(end_of_game(&position, &before), None, "after {count}");
            let mv = position.parse_move(mv).unwrap();
            before.push(position.clone());
            position.play(mv);
        }
        assert_eq!(end_of_game(&position, &before), Some((Draw, Ending::Repetition)));
    }
}
