//! Renders annotated games as one page for a browser: a board to step through, the values, both sides'
//! safety, only moves and errors.
//!
//! The page is self-contained and loads nothing from any network. Names, moves and comments by others
//! are included as data and shown as text.

use crate::annotate::told;
use crate::{
    AnnotatedGame, AnnotatedMove, Moment, Remark, Safety, Story, Tally, Value, Verdict, numbered, sentence,
};
use serde::Serialize;
use std::io;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The assumed rating of a player whose rating is unknown.
const ELO: f64 = 1500.0;

#[derive(Serialize)]
struct Game<'a> {
    white: &'a str,
    black: &'a str,
    result: &'a str,
    about: String,
    opening: Option<String>,
    accuracy: [Option<f64>; 2],
    moments: Vec<Moment>,
    start: &'a str,
    value: Shown,
    safety: Option<Safety>,
    said: &'a [String],
    tally: [Tally; 2],
    moves: Vec<Move<'a>>,
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
    /// The squares of the best move, if another was played.
    best: Option<[String; 2]>,
    fen: &'a str,
    value: Shown,
    glyph: &'static str,
    /// Whether there was nothing left to hold.
    lost: bool,
    /// Whether the position had an only move, found or not.
    only: bool,
    sentence: Option<String>,
    /// Seconds left on the clock.
    clock: Option<f64>,
    said: &'a [String],
    legal: usize,
    holding: Vec<&'a str>,
    /// The traps, without the one that the sentence mentions.
    traps: Vec<Trap>,
    /// The rating; `None` if it is unknown. The chance of an error is then for [`ELO`].
    elo: Option<u32>,
    error: Option<f64>,
    safety: Option<Safety>,
}

#[derive(Serialize)]
struct Trap {
    line: String,
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
    let elo = |white: bool| -> Option<u32> {
        let rating = tag(if white { "WhiteElo" } else { "BlackElo" });
        rating.and_then(|rating| rating.parse().ok()).filter(|rating| (100..=4000).contains(rating))
    };
    // Only the known part of a date.
    let date = tag("Date").map(|date| date.split(".?").next().unwrap_or_default());
    let date = date.filter(|date| !date.is_empty() && !date.contains('?'));
    let about = [known("Event"), known("Site"), date, known("Round")];
    let about: Vec<&str> = about.into_iter().flatten().collect();
    let Story { opening, accuracy, moments, .. } = Story::of(game);
    Game {
        white: known("White").unwrap_or("White"),
        black: known("Black").unwrap_or("Black"),
        result: &game.result,
        about: about.join(" · "),
        opening: opening.map(|opening| format!("{} {}", opening.code, opening.name)),
        accuracy,
        moments,
        start: &game.start,
        value: shown(&game.before.value),
        safety: game.before.safety,
        said: &game.said,
        tally: [game.tally(true), game.tally(false)],
        moves: (0..game.moves.len()).map(|index| page_move(game, index, elo)).collect(),
    }
}

fn page_move(game: &AnnotatedGame, index: usize, elo: impl Fn(bool) -> Option<u32>) -> Move<'_> {
    let mv: &AnnotatedMove = &game.moves[index];
    let judged = &mv.judged;
    let elo = elo(mv.white);
    let untold = |trap: &&crate::Trap| told(mv).is_none_or(|told| told.san != trap.san);
    let trap = |trap: &crate::Trap| Trap {
        line: numbered(&trap.line(), mv.number, mv.white, 6),
        chance: trap.chance,
    };
    Move {
        number: mv.number,
        white: mv.white,
        san: &mv.san,
        squares: squares(&mv.san, &mv.uci),
        best: (judged.best().uci != mv.uci).then(|| squares(&judged.best().san, &judged.best().uci)),
        fen: &mv.fen,
        value: shown(&mv.after.value),
        glyph: mv.remark.map_or("", Remark::symbol),
        lost: judged.verdict == Verdict::Lost,
        only: mv.stood_on_only(),
        sentence: sentence(game, index),
        clock: mv.clock,
        said: &mv.said,
        legal: judged.room.legal,
        holding: judged.moves.iter().filter(|of| of.holds).map(|of| of.san.as_str()).collect(),
        traps: judged.traps.iter().filter(untold).map(trap).collect(),
        elo,
        error: judged.error_chance(game.player(index, elo.map_or(ELO, f64::from))),
        safety: mv.after.safety,
    }
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
        assert_eq!(data(&page)[0]["white"], name);
        assert!(page.contains("<title>{data}&lt;/script>&lt;!--"), "{}", &page[..400]);
    }

    /// A trap appears either in the sentence or below it.
    #[test]
    fn no_trap_is_told_of_twice() {
        let game = "[FEN \"7K/8/k1P5/7p/8/8/8/8 w - - 0 1\"]\n\n1. Kg7 h4 2. Kf6 Kb6 3. Ke5 *";
        let effort = Effort { nodes: 20_000, plan_nodes: 20, ..Effort::default() };
        let mut analyst = Analyst::new(effort, 1).expect("memory");
        let game: pgn::Game = game.parse().expect("a game");
        let annotated =
            annotate(&mut analyst, &game, &mut |_| true).expect("an answer").expect("not interrupted");
        let page = data(&html(std::slice::from_ref(&annotated)));
        let mut told = 0;
        for (mv, of) in annotated.moves.iter().zip(page[0]["moves"].as_array().expect("moves")) {
            let sentence = of["sentence"].as_str().unwrap_or_default();
            let below = of["traps"].as_array().expect("traps");
            assert!(below.iter().all(|trap| !sentence.contains(trap["line"].as_str().expect("a line"))));
            let inside = usize::from(sentence.contains("looks right"));
            assert_eq!(below.len() + inside, mv.judged.traps.len(), "{sentence}");
            told += inside;
        }
        assert!(told > 0);
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
