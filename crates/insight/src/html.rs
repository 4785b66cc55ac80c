//! Renders annotated games as one page for a browser: a board to step through, the values, both sides'
//! safety, only moves and errors, and lines that can be played on the board.
//!
//! The page is self-contained and loads nothing from any network. Names, moves and comments by others
//! are included as data and shown as text.

use crate::annotate::{ELO, elo_of};
use crate::story::ending_of;
use crate::{
    AnnotatedGame, AnnotatedMove, Judged, Moment, Natural, Remark, Safety, Story, Tally, Value, Verdict,
};
use cassius_chess::{Move as ChessMove, Position};
use cassius_search::Game as _;
use serde::Serialize;
use std::io;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The smallest chance of a wrong move that is shown.
const TEMPTING: f64 = 0.05;

/// The number of plies of a line that can be played.
const PLIES: usize = 8;

/// The number of moves that hold which are listed.
const LISTED: usize = 12;

#[derive(Serialize)]
struct Game<'a> {
    /// White and Black.
    players: [Player<'a>; 2],
    result: &'a str,
    /// How the game ended, if it is known.
    ended: Option<String>,
    about: String,
    opening: Option<String>,
    accuracy: [Option<f64>; 2],
    /// The numbers of plies before the middlegame and before the endgame.
    phases: [Option<usize>; 2],
    /// The seconds on both clocks at the start.
    clock: Option<f64>,
    moments: Vec<Moment>,
    start: &'a str,
    value: Shown,
    safety: Option<Safety>,
    said: &'a [String],
    tally: [Tally; 2],
    moves: Vec<Move<'a>>,
}

#[derive(Serialize)]
struct Player<'a> {
    name: &'a str,
    title: Option<&'a str>,
    elo: Option<u32>,
}

/// A value for White.
#[derive(Serialize)]
struct Shown {
    text: String,
    chance: f64,
}

#[derive(Serialize)]
struct Move<'a> {
    number: u32,
    white: bool,
    san: &'a str,
    /// The origin and target squares of the moving piece, the king when castling.
    squares: [String; 2],
    /// The best line, if another move was played.
    best: Option<Line>,
    fen: &'a str,
    value: Shown,
    glyph: &'static str,
    /// Whether there was nothing left to hold.
    lost: bool,
    /// Whether the position had an only move, found or not.
    only: bool,
    /// Whether the player had to be careful: `only`, `few` or empty.
    care: &'static str,
    /// What was asked of the player before the move.
    asked: String,
    sentence: Option<String>,
    /// Seconds left on the clock.
    clock: Option<f64>,
    said: &'a [String],
    legal: usize,
    /// The number of moves that hold.
    held: usize,
    /// Some of them, the best first, each with the squares that it changes.
    holding: Vec<String>,
    traps: Vec<Line>,
    /// The rating; `None` if it is unknown. The chance of an error is then for [`ELO`].
    elo: Option<u32>,
    error: Option<f64>,
    /// An interval for it, where the model is outside of what it has seen.
    errors: Option<[f64; 2]>,
    /// The wrong move that most players choose, and the chance of it, if it is not small.
    tempting: Option<(&'a str, f64)>,
    safety: Option<Safety>,
}

/// A line from the position before a move.
#[derive(Serialize)]
struct Line {
    /// The moves, each with the squares that it changes: see [`step`].
    moves: Vec<String>,
    /// Whether it goes on.
    more: bool,
    /// Its value for White.
    value: Option<String>,
    /// The win probability of White.
    chance: f64,
}

/// Returns the page of these games.
///
/// ```
/// use cassius_chess::pgn::Game;
/// use cassius_insight::{Analyst, Effort, annotate, html};
///
/// let game: Game = "[White \"</script>\"]\n\n1. f3 e5 2. g4 Qh4# 0-1".parse()?;
/// let mut analyst = Analyst::new(Effort { nodes: 1_000, plan_nodes: 20, ..Effort::default() }, 1)?;
/// let annotated = annotate(&mut analyst, &game, &mut |_| true)?.expect("not interrupted");
/// let page = html(&[annotated]);
/// assert!(page.starts_with("<!doctype html>"));
/// assert_eq!(page.matches("</script>").count(), 2, "names are no markup");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn html(games: &[AnnotatedGame]) -> String {
    let title = match games {
        [] => "No games".into(),
        [game] => html_title(&game.tags),
        several => format!("{} games", several.len()),
    };
    let mut page = Vec::new();
    write_html(&mut page, &title, games.iter().map(|game| Ok(html_of(game)))).expect("memory");
    String::from_utf8(page).expect("text")
}

/// Returns the title of a page with one game that has these tags.
pub fn html_title(tags: &[(String, String)]) -> String {
    let [white, black] = ["White", "Black"].map(|name| known(tags, name).unwrap_or(name));
    format!("{white} – {black}")
}

/// Returns one game as [`write_html`] expects it: a small part of what is known about it.
pub fn html_of(game: &AnnotatedGame) -> String {
    // In a script element only `</` and `<!--` could end the data.
    serde_json::to_string(&page_of(game)).expect("strings and numbers").replace('<', "\\u003c")
}

/// Writes the page of these games, with no more than one in memory at a time.
///
/// # Errors
/// The errors of the games and of `out`.
pub fn write_html(
    out: &mut dyn io::Write,
    title: &str,
    games: impl IntoIterator<Item = io::Result<String>>,
) -> io::Result<()> {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let mut games = games.into_iter();
    // Inserted text is not searched for further placeholders.
    let mut rest = PAGE;
    while let Some((start, end)) = rest.find('{').zip(rest.find('}')) {
        out.write_all(&rest.as_bytes()[..start])?;
        match &rest[start..=end] {
            "{title}" => out.write_all(title.as_bytes())?,
            "{style}" => out.write_all(STYLE.as_bytes())?,
            "{script}" => out.write_all(SCRIPT.as_bytes())?,
            _ => {
                out.write_all(b"[")?;
                for (index, game) in games.by_ref().enumerate() {
                    out.write_all(if index > 0 { b",\n" } else { b"" })?;
                    out.write_all(game?.as_bytes())?;
                }
                out.write_all(b"]")?;
            }
        }
        rest = &rest[end + 1..];
    }
    out.write_all(rest.as_bytes())
}

/// Returns the value of a tag, unless the value is empty or unknown.
fn known<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let tag = tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    tag.filter(|value| !value.is_empty() && !value.contains('?'))
}

fn page_of(game: &AnnotatedGame) -> Game<'_> {
    let tag = |name: &str| game.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    let known = |name: &str| known(&game.tags, name);
    let elo = |white: bool| elo_of(&game.tags, white);
    // Only the known part of a date.
    let date = tag("Date").map(|date| date.split(".?").next().unwrap_or_default());
    let date = date.filter(|date| !date.is_empty() && !date.contains('?'));
    let round = known("Round").filter(|round| *round != "-").map(|round| format!("round {round}"));
    let judged = game.judged_by_another().then(|| format!("judged by {}", game.judge));
    let about = [known("Event"), known("Site"), date, round.as_deref(), judged.as_deref()];
    let about: Vec<&str> = about.into_iter().flatten().filter(|part| *part != "-").collect();
    let title = |name: &str| known(name).filter(|title| *title != "-");
    let Story { opening, middlegame, endgame, accuracy, moments } = Story::of(game);
    Game {
        players: [
            Player { name: known("White").unwrap_or("White"), title: title("WhiteTitle"), elo: elo(true) },
            Player { name: known("Black").unwrap_or("Black"), title: title("BlackTitle"), elo: elo(false) },
        ],
        result: &game.result,
        ended: ended(game, known("Termination")),
        about: about.join(" · "),
        opening: opening.map(|opening| format!("{} {}", opening.code, opening.name)),
        accuracy,
        phases: [middlegame, endgame],
        clock: known("TimeControl").and_then(first_clock),
        moments,
        start: &game.start,
        value: shown(&game.before.value),
        safety: game.before.safety,
        said: &game.said,
        tally: [game.tally(true), game.tally(false)],
        moves: (0..game.moves.len()).map(|index| page_move(game, index, elo)).collect(),
    }
}

/// Returns how the game ended: what the last position says, or else the tag `Termination`.
fn ended(game: &AnnotatedGame, tag: Option<&str>) -> Option<String> {
    let last = game.moves.last().map_or(&game.start, |mv| &mv.fen);
    let position = last.parse::<Position>().ok();
    let on_board = position.and_then(|position| match () {
        () if position.is_checkmate() => Some("checkmate"),
        () if position.is_stalemate() => Some("stalemate"),
        () => None,
    });
    let tag = tag.filter(|tag| !["normal", "unterminated", "-"].contains(&tag.to_lowercase().as_str()));
    on_board.or(tag).map(str::to_string)
}

/// Returns the seconds that a time control gives for the first moves: `300+3`, `40/7200:3600`.
fn first_clock(control: &str) -> Option<f64> {
    let first = control.split(':').next()?.rsplit('/').next()?.split('+').next()?;
    first.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0)
}

fn page_move(game: &AnnotatedGame, index: usize, elo: impl Fn(bool) -> Option<u32>) -> Move<'_> {
    let mv: &AnnotatedMove = &game.moves[index];
    let judged = &mv.judged;
    let elo = elo(mv.white);
    let player = game.player(index, elo.map_or(ELO, f64::from));
    let position = judged.fen.parse::<Position>().ok();
    let for_white = |chance: f64| if mv.white { chance } else { 1.0 - chance };
    let line = |moves: &[String], value: Option<&Value>, chance: f64| Line {
        moves: position.as_ref().map_or(Vec::new(), |position| steps(position, moves)),
        more: moves.len() > PLIES,
        value: value
            .map(|value| if mv.white { value.to_string() } else { value.of_the_other_side().to_string() }),
        chance: for_white(chance),
    };
    let alone = |san: &String| {
        position.as_ref().map_or(Vec::new(), |position| steps(position, std::slice::from_ref(san)))
    };
    let holding = || judged.moves.iter().filter(|of| of.holds);
    // The move that was played is always among those that are listed.
    let listed = holding().enumerate().filter(|(index, of)| *index < LISTED || of.uci == mv.uci);
    let value = &judged.value;
    Move {
        number: mv.number,
        white: mv.white,
        san: &mv.san,
        squares: squares(&mv.san, &mv.uci),
        best: (judged.best().uci != mv.uci).then(|| line(&judged.line, Some(value), value.chance)),
        fen: &mv.fen,
        value: shown(&mv.after.value),
        glyph: mv.remark.map_or("", Remark::symbol),
        lost: judged.verdict == Verdict::Lost,
        only: mv.stood_on_only(),
        care: match judged.verdict {
            Verdict::Only if mv.stood_on_only() => "only",
            Verdict::Few => "few",
            _ => "",
        },
        asked: asked(mv),
        sentence: sentence(game, index),
        clock: mv.clock,
        said: &mv.said,
        legal: judged.room.legal,
        held: judged.room.holding,
        holding: listed.flat_map(|(_, of)| alone(&of.san)).collect(),
        traps: judged.traps.iter().map(|trap| line(&trap.line(), None, trap.chance)).collect(),
        elo,
        error: judged.error_chance(player),
        errors: judged.error_interval(&player),
        tempting: judged
            .tempting(&player)
            .filter(|(_, share)| *share >= TEMPTING)
            .map(|(of, share)| (of.san.as_str(), share)),
        safety: mv.after.safety,
    }
}

/// Returns what the position before a move asks of its player.
fn asked(mv: &AnnotatedMove) -> String {
    let Judged { room, verdict, .. } = &mv.judged;
    let side = if mv.white { "White" } else { "Black" };
    let (holding, legal) = (room.holding, room.legal);
    match verdict {
        Verdict::Lost => format!("{side} is lost, whatever is played."),
        Verdict::Only if mv.stood_on_only() => {
            format!("{side} has to find an only move: one of {legal} moves holds.")
        }
        Verdict::Only => format!("{side} has one move that holds, and opening books name it."),
        Verdict::Natural if room.natural == Some(Natural::SoleLegal) => format!("{side} has one legal move."),
        Verdict::Natural => format!("{side} has one move that holds, and anybody plays it."),
        Verdict::Few => format!("{side} has to choose well: {holding} of {legal} moves hold."),
        Verdict::Some => format!("{side} has some room: {holding} of {legal} moves hold."),
        Verdict::Free if holding == legal => format!("{side} is free to choose: all {legal} moves hold."),
        Verdict::Free => format!("{side} is free to choose: {holding} of {legal} moves hold."),
    }
}

/// Returns the remark on a move, without the lines, which are shown apart. After the last move it also
/// says if a side gave away the end of the game.
fn sentence(game: &AnnotatedGame, index: usize) -> Option<String> {
    let mv = &game.moves[index];
    let side = if mv.white { "White" } else { "Black" };
    let percent = |chance: f64| format!("{:.0} %", 100.0 * chance);
    let before = mv.judged.value.chance;
    let remark = mv.remark.map(|remark| match remark {
        Remark::OnlyMove => match game.run(index) {
            0 | 1 => "The only move.".into(),
            run => format!("The only move: {side} has now found {run} in a row."),
        },
        _ => format!("{side} falls from {} to {}.", percent(before), percent(before - mv.loss)),
    });
    let ending = (index + 1 == game.moves.len()).then(|| ending_of(game)).flatten();
    let sentences: Vec<String> = remark.into_iter().chain(ending.map(|ending| ending.text)).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Returns the moves of a line, each with the squares that it changes.
fn steps(position: &Position, moves: &[String]) -> Vec<String> {
    let mut position = position.clone();
    let played = moves.iter().take(PLIES).map_while(|san| {
        let mv = position.parse_san(san).ok()?;
        let before = position.clone();
        position.play(mv);
        Some(step(&before, mv, &position, san))
    });
    played.collect()
}

/// Returns a move and the squares that it changes, each followed by what stands there after it: first the
/// origin and the target of the moving piece. A dot is an empty square: `exd6 e5.d6Pd5.`.
fn step(before: &Position, mv: ChessMove, after: &Position, san: &str) -> String {
    let own = squares(san, &before.uci(mv));
    let [old, new] = [before, after].map(Position::board);
    let there = |square: &str| {
        let piece = new.occupied().into_iter().find(|at| at.to_string() == square);
        piece.and_then(|at| new.piece_at(at)).map_or('.', |piece| piece.char())
    };
    let mut text = format!("{san} ");
    for square in &own {
        text += square;
        text.push(there(square));
    }
    for at in old.occupied() | new.occupied() {
        let square = at.to_string();
        if old.piece_at(at) != new.piece_at(at) && !own.contains(&square) {
            text += &square;
            text.push(there(&square));
        }
    }
    text
}

/// Returns the origin and the target of the moving piece. UCI gives the rook's square in castling if the
/// rook need not stand in the corner.
fn squares(san: &str, uci: &str) -> [String; 2] {
    let file = match () {
        () if san.starts_with("O-O-O") => "c",
        () if san.starts_with("O-O") => "g",
        () => &uci[2..3],
    };
    [uci[..2].into(), format!("{file}{}", &uci[3..4])]
}

fn shown(value: &Value) -> Shown {
    Shown { text: value.to_string(), chance: value.chance }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analyst, Effort, annotate};
    use cassius_chess::pgn;

    fn page(games: &[&str]) -> String {
        let effort = Effort { nodes: 300, plan_nodes: 20, ..Effort::default() };
        let mut analyst = Analyst::new(effort, 1).expect("memory");
        let annotated = games.iter().map(|game| {
            let game: pgn::Game = game.parse().expect("a game");
            annotate(&mut analyst, &game, &mut |_| true).expect("an answer").expect("not interrupted")
        });
        html(&annotated.collect::<Vec<_>>())
    }

    fn data(page: &str) -> serde_json::Value {
        let (_, data) = page.split_once("id=\"data\">").expect("the data");
        serde_json::from_str(data.split_once("</script>").expect("its end").0).expect("JSON")
    }

    #[test]
    fn nothing_leads_outside_and_nothing_is_markup() {
        let name = "{data}</script><!--<img src=x onerror=alert(1)>";
        let page = page(&[&format!("[White \"{name}\"]\n\n1. e4 *")]);
        // The only address is the SVG namespace, which is not fetched.
        assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org/2000/svg").count());
        for outside in ["src=\"", "@import", "url(", "<link", "<img"] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert_eq!(data(&page)[0]["players"][0]["name"], name);
        assert!(page.contains("<title>{data}&lt;/script>&lt;!--"), "{}", &page[..400]);
    }

    /// Plays a step of a line on a board as the page does, and returns the squares with their pieces.
    fn play(board: &mut std::collections::BTreeMap<String, char>, step: &str) {
        let (_, squares) = step.split_once(' ').expect("a move and squares");
        for changed in squares.as_bytes().chunks(3) {
            let square = String::from_utf8(changed[..2].to_vec()).expect("ASCII");
            match changed[2] {
                b'.' => board.remove(&square),
                piece => board.insert(square, char::from(piece)),
            };
        }
    }

    fn pieces(position: &Position) -> std::collections::BTreeMap<String, char> {
        let board = position.board();
        let piece = |at| board.piece_at(at).map(|piece| (at.to_string(), piece.char()));
        board.occupied().into_iter().filter_map(piece).collect()
    }

    #[test]
    fn steps_change_the_right_squares() {
        for (fen, line) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O O-O-O Rfe1 Rhe8"),
            ("4k3/P7/8/4pP2/8/8/6p1/4K2R w K e6 0 2", "fxe6 gxh1=Q+ Kd2 Qb7 a8=Q+"),
            // Chess960: the king, or both, end on squares where one of them stood.
            ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O Kd7 Kh2"),
            ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O Kd7 Kh2"),
            ("1rk5/8/8/8/8/8/8/4K3 b b - 0 1", "O-O-O Kf1 Kb7"),
        ] {
            let mut position: Position = fen.parse().expect("a FEN");
            let moves: Vec<String> = line.split(' ').map(String::from).collect();
            let steps = steps(&position, &moves);
            assert_eq!(steps.len(), moves.len(), "{line}");
            let mut board = pieces(&position);
            for (san, step) in moves.iter().zip(&steps) {
                position.play(position.parse_san(san).expect("a legal move"));
                play(&mut board, step);
                assert_eq!(board, pieces(&position), "{step}");
            }
        }
        let position: Position = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1".parse().expect("a FEN");
        assert_eq!(steps(&position, &["exd6".into()]), ["exd6 e5.d6Pd5."]);
        let broken = ["Kd2".into(), "nonsense".into(), "Ke1".into()];
        assert_eq!(steps(&position, &broken), ["Kd2 e1.d2K"]);
    }

    /// Every line starts in the position before the move, and its moves can be played.
    #[test]
    fn lines_can_be_played() {
        let game = "[FEN \"7K/8/k1P5/7p/8/8/8/8 w - - 0 1\"]\n\n1. Kg7 h4 2. Kf6 Kb6 3. Ke5 h3 4. Kf4 *";
        let effort = Effort { nodes: 20_000, plan_nodes: 0, ..Effort::default() };
        let mut analyst = Analyst::new(effort, 1).expect("memory");
        let game: pgn::Game = game.parse().expect("a game");
        let annotated =
            annotate(&mut analyst, &game, &mut |_| true).expect("an answer").expect("not interrupted");
        let page = page_of(&annotated);
        let (mut traps, mut best) = (0, 0);
        for (mv, of) in annotated.moves.iter().zip(&page.moves) {
            for (trap, line) in mv.judged.traps.iter().zip(&of.traps) {
                assert_eq!(line.moves.len(), (1 + trap.refutation.len()).min(PLIES));
                assert!(line.moves[0].starts_with(&trap.san));
                traps += 1;
            }
            assert_eq!(of.best.is_some(), mv.judged.best().san != mv.san);
            best += of.best.iter().filter(|line| line.moves.len() == mv.judged.line.len().min(PLIES)).count();
            assert_eq!(of.holding.len(), of.held.min(LISTED));
        }
        assert!(traps > 0 && best > 0, "{traps} traps, {best} best lines");
        assert_eq!(page.moves[0].asked, "White has to find an only move: one of 4 moves holds.");
        assert_eq!(page.moves[0].sentence.as_deref(), Some("The only move."));
    }

    #[test]
    fn what_the_tags_say_is_shown() {
        let game = "[White \"A\"]\n[WhiteElo \"2400\"]\n[WhiteTitle \"IM\"]\n[BlackTitle \"-\"]\n\
            [TimeControl \"40/7200:3600\"]\n[Termination \"Time forfeit\"]\n\
            [Round \"3\"]\n\n1. e4 { [%clk 1:59:58] } 1-0";
        let page = data(&page(&[game]));
        let white = serde_json::json!({ "name": "A", "title": "IM", "elo": 2400 });
        assert_eq!(page[0]["players"][0], white);
        let black = serde_json::json!({ "name": "Black", "title": null, "elo": null });
        assert_eq!(page[0]["players"][1], black);
        assert_eq!(page[0]["ended"], "Time forfeit");
        assert_eq!(page[0]["clock"], 7200.0);
        assert_eq!(page[0]["about"], "round 3");
        assert_eq!(first_clock("300+3"), Some(300.0));
        assert_eq!((first_clock("-"), first_clock("?")), (None, None));
        let mate = data(&self::page(&["[Termination \"Normal\"]\n\n1. f3 e5 2. g4 Qh4# 0-1"]));
        assert_eq!(mate[0]["ended"], "checkmate");
    }

    #[test]
    fn a_king_that_castles_goes_where_it_goes() {
        assert_eq!(squares("O-O", "b1g1"), ["b1", "g1"]);
        assert_eq!(squares("O-O-O+", "e8a8"), ["e8", "c8"]);
        assert_eq!(squares("O-O", "e1g1"), ["e1", "g1"]);
        assert_eq!(squares("a8=Q", "a7a8q"), ["a7", "a8"]);
    }

    #[test]
    fn several_games_and_none() {
        let two = page(&[
            "[WhiteElo \"nan\"]\n[BlackElo \"1234\"]\n[Date \"1858.??.??\"]\n\n1. e4 e5 *",
            "1. d4 *",
        ]);
        let two = data(&two);
        assert_eq!(two.as_array().map(Vec::len), Some(2));
        let moves = &two[0]["moves"];
        assert!(moves[0]["elo"].is_null() && moves[1]["elo"] == 1234);
        assert!((0.0..1.0).contains(&moves[0]["error"].as_f64().expect("a chance")));
        assert_eq!(two[0]["about"], "1858");
        assert_eq!(data(&html(&[])), serde_json::json!([]));
    }
}
