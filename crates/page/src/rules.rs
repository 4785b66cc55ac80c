//! The rules of chess, for the page: games and positions that a user brings, and moves on the board.

use cassius_chess::notation::FenError;
use cassius_chess::pgn::{Game, GameResult, Games, PgnError, PgnErrorKind};
use cassius_chess::{Move, Position};
use cassius_insight::{erase, html_plain, html_step, over};
use cassius_search::Checks as _;
use cassius_search::game::Repeats as _;
use serde::Serialize;
use serde_json::value::RawValue;

/// What was read.
#[derive(Serialize)]
struct Read {
    games: Vec<Brought>,
    /// What could not be read, and why.
    wrong: Vec<String>,
    /// What was taken for granted.
    note: Option<String>,
}

/// A game that was brought.
#[derive(Serialize)]
struct Brought {
    /// The game with all annotations that it came with.
    pgn: String,
    /// What the page shows of it. Annotations that ours would replace are left out.
    page: Box<RawValue>,
}

/// A position that was reached.
#[derive(Serialize)]
struct Place {
    fen: String,
    white: bool,
    check: bool,
    /// Why the game is over, if it is.
    over: Option<&'static str>,
    /// Why a draw can be claimed, if it can. The game may go on.
    claim: Option<&'static str>,
    /// The legal moves: origin and target with the promotion, as in UCI, and the move with the squares that
    /// it changes.
    moves: Vec<(String, String)>,
}

impl Brought {
    fn new(mut game: Game) -> Brought {
        let pgn = game.to_string();
        erase(&mut game);
        let page = RawValue::from_string(html_plain(&game)).expect("JSON");
        Brought { pgn, page }
    }
}

/// Reads what a user pastes or drops: a FEN, or games in PGN. Returns JSON: `games`, each with `pgn` and
/// `page`; `wrong`, a list of what could not be read; and `note`. The last game may end without a result:
/// people paste a few moves.
///
/// ```
/// let read = |text| -> serde_json::Value { serde_json::from_str(&cassius_page::read(text)).unwrap() };
/// assert_eq!(read("1. e4 e5 2. Nf3 *")["games"][0]["page"]["moves"][2]["san"], "Nf3");
/// assert_eq!(read("8/8/8/8/8/4k3/4p3/4K3 w - -")["games"].as_array().unwrap().len(), 1);
/// assert_eq!(read("8/8/8/8/8/4k3/4x3/4K3 w - -")["wrong"][0], "FEN board: unknown piece 'x' on rank 2");
/// assert_eq!(read("1. e4 e5 2. Ke3 *")["games"].as_array().unwrap().len(), 0);
/// assert_eq!(read("1. e4 e5")["note"], "The last game ends without a result: it is taken as *.");
/// // What others have found is kept, and not shown.
/// let game = &read("1. e4 { [%eval 0.2] } *")["games"][0];
/// assert!(game["pgn"].as_str().unwrap().contains("[%eval 0.2]"));
/// assert!(!game["page"].to_string().contains("eval"));
/// ```
pub fn read(text: &str) -> String {
    let text = text.trim().trim_start_matches('\u{feff}');
    let first = text.split_whitespace().next().unwrap_or_default();
    let mut read = Read { games: Vec::new(), wrong: Vec::new(), note: None };
    if first.matches('/').count() == 7 || first == "startpos" {
        match text.parse::<Position>() {
            Ok(start) => read.games.push(Brought::new(Game { start, ..Game::default() })),
            Err(error) => read.wrong.push(error.to_string()),
        }
    } else {
        let mut games = Games::new(text.as_bytes()).peekable();
        // Neither tags nor moves: a lone result, or a comment.
        let mut is_empty = true;
        while let Some(game) = games.next() {
            let game = match game {
                Err(PgnError { kind: PgnErrorKind::NoResult, partial, .. }) if games.peek().is_none() => {
                    let result = partial.result;
                    let note = format!("The last game ends without a result: it is taken as {result}.");
                    read.note = Some(note);
                    Ok(*partial)
                }
                game => game,
            };
            match game {
                Ok(game) => {
                    is_empty &= game.moves.is_empty() && game.tags.is_empty();
                    read.games.push(Brought::new(game));
                }
                Err(error) => read.wrong.push(error.to_string()),
            }
        }
        if is_empty && read.wrong.is_empty() {
            read.games.clear();
            read.note = None;
            read.wrong.push("Neither a game (PGN) nor a position (FEN).".into());
        }
    }
    serde_json::to_string(&read).expect("strings")
}

/// Returns the position that moves lead to, and what can be played there, as JSON. `moves` are in standard
/// algebraic notation.
///
/// # Errors
/// If the start is no position, or a move is not legal.
///
/// ```
/// let place = cassius_page::place("startpos", &["f3", "e5", "g4"])?;
/// let place: serde_json::Value = serde_json::from_str(&place)?;
/// assert_eq!(place["moves"].as_array().unwrap().len(), 30);
/// assert!(place["moves"].as_array().unwrap().contains(&serde_json::json!(["d8h4", "Qh4# d8.h4q"])));
/// assert!(cassius_page::place("startpos", &["Ke2"]).unwrap_err().contains("Ke2"));
///
/// let twice = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(2);
/// let place: serde_json::Value = serde_json::from_str(&cassius_page::place("startpos", &twice)?)?;
/// assert_eq!(place["claim"], "the position is on the board for the third time");
/// assert!(place["over"].is_null(), "nobody has claimed the draw");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn place(start: &str, moves: &[impl AsRef<str>]) -> Result<String, String> {
    let (game, mut positions) = played(start, moves)?;
    let position = positions.pop().unwrap_or_else(|| game.last_position());
    let legal = |mv: &Move| (position.uci(*mv), html_step(&position, *mv));
    let drawn = over(&position, &positions).is_some();
    let over = match () {
        () if position.is_checkmate() => Some("checkmate"),
        () if position.is_stalemate() => Some("stalemate"),
        () if position.is_insufficient_material() => Some("a draw: too little material"),
        () => None,
    };
    let place = Place {
        fen: position.to_string(),
        white: position.turn().is_white(),
        check: position.in_check(),
        over,
        claim: (drawn && over.is_none()).then(|| match position.drawn_by_rule() {
            true => "fifty moves were played without a capture and without a pawn move",
            false => "the position is on the board for the third time",
        }),
        moves: position.legal_moves().iter().map(legal).collect(),
    };
    Ok(serde_json::to_string(&place).expect("strings"))
}

/// Returns a game with these moves as JSON: `pgn` and `page`, as from [`read`].
///
/// # Errors
/// As [`place`].
pub fn written(start: &str, moves: &[impl AsRef<str>]) -> Result<String, String> {
    let (mut game, _) = played(start, moves)?;
    end(&mut game);
    Ok(serde_json::to_string(&Brought::new(game)).expect("strings"))
}

/// Returns a game in PGN with one more move, as from [`written`]. What is known of the game stays.
///
/// # Errors
/// If the game cannot be read, or the move is not legal.
///
/// ```
/// let more = cassius_page::extended("[White \"A\"]\n\n1. e4 { Best. } e5 *", "Nf3")?;
/// assert!(more.contains("1. e4 { Best. } 1... e5 2. Nf3 *"));
/// # Ok::<(), String>(())
/// ```
pub fn extended(pgn: &str, san: &str) -> Result<String, String> {
    let mut game: Game = pgn.parse().map_err(|error: PgnError| error.to_string())?;
    let mv = game.last_position().parse_san(san).map_err(|error| format!("{san}: {error}"))?;
    game.moves.push(mv);
    end(&mut game);
    Ok(serde_json::to_string(&Brought::new(game)).expect("strings"))
}

/// Sets the result of a game that has ended on the board.
fn end(game: &mut Game) {
    let last = game.last_position();
    game.result = match () {
        () if last.is_checkmate() && last.turn().is_white() => GameResult::BlackWins,
        () if last.is_checkmate() => GameResult::WhiteWins,
        () if last.is_stalemate() || last.is_insufficient_material() => GameResult::Draw,
        () => return,
    };
}

/// Returns the game of these moves, and its positions.
pub(crate) fn played(start: &str, moves: &[impl AsRef<str>]) -> Result<(Game, Vec<Position>), String> {
    let start: Position = start.parse().map_err(|error: FenError| error.to_string())?;
    let mut positions = vec![start.clone()];
    let mut game = Game { start, ..Game::default() };
    for san in moves.iter().map(AsRef::as_ref) {
        let position = &positions[positions.len() - 1];
        let mv = position.parse_san(san).map_err(|error| format!("{san}: {error}"))?;
        let mut next = position.clone();
        cassius_search::Game::play(&mut next, mv);
        positions.push(next);
        game.moves.push(mv);
    }
    Ok((game, positions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn value(text: &str) -> Value {
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn the_last_game_needs_no_result() {
        for (text, games, wrong, note) in [
            ("1. e4 e5", 1, 0, Some("*")),
            ("[Result \"1-0\"]\n\n1. e4 e5", 1, 0, Some("1-0")),
            ("1. e4 *\n\n[White \"A\"]\n\n1. d4 d5", 2, 0, Some("*")),
            ("[White \"A\"]\n\n1. d4 d5\n\n[White \"B\"]\n\n1. e4 *", 1, 1, None),
            ("1. e4 e5 *", 1, 0, None),
            ("1. e4 e5 2. Ke3", 0, 1, None),
            ("1. e4 (1. d4", 0, 1, None),
            ("[White \"A\"]\n\n*", 1, 0, None),
            ("8/8/8/8/8/4k3/4p3/4K3 w - -", 1, 0, None),
            ("*", 0, 1, None),
            ("1-0", 0, 1, None),
            ("{ A comment. }", 0, 1, None),
            ("", 0, 1, None),
        ] {
            let read = value(&read(text));
            let count = |key: &str| read[key].as_array().expect("a list").len();
            assert_eq!((count("games"), count("wrong")), (games, wrong), "{text}: {read}");
            let expected =
                note.map(|result| format!("The last game ends without a result: it is taken as {result}."));
            assert_eq!(read["note"].as_str(), expected.as_deref(), "{text}");
        }
    }

    #[test]
    fn a_game_that_has_ended_on_the_board_has_a_result() {
        let start = "startpos";
        let mate = ["f3", "e5", "g4", "Qh4"];
        for (start, moves, result) in [
            (start, &mate[..], "0-1"),
            (start, &mate[..3], "*"),
            (start, &["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"], "1-0"),
            ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", &["Qc7"], "1/2-1/2"),
            ("k7/8/8/8/8/8/1p6/K7 w - - 0 1", &["Kxb2"], "1/2-1/2"),
        ] {
            let written = value(&written(start, moves).expect("legal moves"));
            assert_eq!(written["page"]["result"], result, "{moves:?}");
            assert!(written["pgn"].as_str().expect("a text").trim_end().ends_with(result), "{moves:?}");
        }
    }

    #[test]
    fn a_game_goes_on_with_its_tags_and_comments() {
        let pgn = "[White \"A\"]\n\n1. f3 { Not good. } e5 2. g4 *";
        let more = value(&extended(pgn, "Qh4").expect("a legal move"));
        let text = more["pgn"].as_str().expect("a text");
        assert!(text.contains("[White \"A\"]") && text.contains("Not good."), "{text}");
        assert!(text.contains("Qh4# 0-1"), "{text}");
        assert_eq!(more["page"]["moves"].as_array().expect("a list").len(), 4);
        assert!(extended(pgn, "Qh5").is_err());
    }
}
