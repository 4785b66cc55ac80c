//! Annotated games as one page for a browser: a board to step through, the values, both sides' safety, only moves and errors.
//!
//! The page is a file of its own: it asks for nothing from any network. Names and moves go in as data and are shown as text;
//! comments and variations of others do not go in.

use crate::annotate::told;
use crate::{AnnotatedGame, AnnotatedMove, Remark, Safety, Tally, Value, Verdict, numbered, sentence};
use serde::Serialize;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// For a player whose rating is not known.
const ELO: f64 = 1500.0;

#[derive(Serialize)]
struct Game<'a> {
    white: &'a str,
    black: &'a str,
    result: &'a str,
    about: String,
    start: &'a str,
    value: Shown,
    safety: Option<Safety>,
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
    uci: &'a str,
    best: &'a str,
    fen: &'a str,
    value: Shown,
    glyph: &'static str,
    /// Whether there was nothing left to hold.
    lost: bool,
    /// Whether it stood on an only move, found or not.
    only: bool,
    sentence: Option<String>,
    legal: usize,
    holding: Vec<&'a str>,
    /// But for the one that the sentence tells of.
    traps: Vec<Trap>,
    /// None if it is not known: the chance of an error is then for [`ELO`].
    elo: Option<u32>,
    error: Option<f64>,
    safety: Option<Safety>,
}

#[derive(Serialize)]
struct Trap {
    line: String,
    chance: f64,
}

/// The page of these games.
///
/// ```
/// use cassius_chess::pgn::Game;
/// use cassius_insight::{Analyst, Effort, annotate, html};
///
/// let game: Game = "[White \"</script>\"]\n\n1. f3 e5 2. g4 Qh4# 0-1".parse()?;
/// let mut analyst = Analyst::new(Effort { nodes: 1_000, plan_nodes: 20, ..Effort::default() }, 1)?;
/// let annotated = annotate(&mut analyst, &game, &mut |_| true).expect("not interrupted");
/// let page = html(&[annotated]);
/// assert!(page.starts_with("<!doctype html>"));
/// assert_eq!(page.matches("</script>").count(), 2, "names are no markup");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn html(games: &[AnnotatedGame]) -> String {
    let shown: Vec<Game<'_>> = games.iter().map(page_of).collect();
    let title = match &shown[..] {
        [] => "No games".into(),
        [game] => format!("{} – {}", game.white, game.black),
        several => format!("{} games", several.len()),
    };
    // In a script element nothing but `</` and `<!--` could end the data.
    let data = serde_json::to_string(&shown).expect("strings and numbers").replace('<', "\\u003c");
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let filled = |place: &str| match place {
        "{title}" => Some(&*title),
        "{style}" => Some(STYLE),
        "{data}" => Some(&*data),
        "{script}" => Some(SCRIPT),
        _ => None,
    };
    // What is filled in is not looked at for places to fill.
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
    let mut rest = PAGE;
    while let Some((start, end)) = rest.find('{').zip(rest.find('}')) {
        page += &rest[..start];
        page += filled(&rest[start..=end]).unwrap_or_default();
        rest = &rest[end + 1..];
    }
    page + rest
}

fn page_of(game: &AnnotatedGame) -> Game<'_> {
    let tag = |name: &str| game.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    let known = |name: &str| tag(name).filter(|value| !value.is_empty() && !value.contains('?'));
    let elo = |white: bool| -> Option<u32> {
        let rating = tag(if white { "WhiteElo" } else { "BlackElo" });
        rating.and_then(|rating| rating.parse().ok()).filter(|rating| (100..=4000).contains(rating))
    };
    // Of a date what is known.
    let date = tag("Date").map(|date| date.split(".?").next().unwrap_or_default());
    let date = date.filter(|date| !date.is_empty() && !date.contains('?'));
    let about = [known("Event"), known("Site"), date, known("Round")];
    let about: Vec<&str> = about.into_iter().flatten().collect();
    Game {
        white: known("White").unwrap_or("White"),
        black: known("Black").unwrap_or("Black"),
        result: &game.result,
        about: about.join(" · "),
        start: &game.start,
        value: shown(&game.before.value),
        safety: game.before.safety,
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
        uci: &mv.uci,
        best: &judged.best().uci,
        fen: &mv.fen,
        value: shown(&mv.after.value),
        glyph: mv.remark.map_or("", Remark::symbol),
        lost: judged.verdict == Verdict::Lost,
        only: judged.verdict == Verdict::Only,
        sentence: sentence(game, index),
        legal: judged.room.legal,
        holding: judged.moves.iter().filter(|of| of.holds).map(|of| of.san.as_str()).collect(),
        traps: judged.traps.iter().filter(untold).map(trap).collect(),
        elo,
        error: judged.error_chance(elo.map_or(ELO, f64::from)),
        safety: mv.after.safety,
    }
}

fn shown(value: &Value) -> Shown {
    let text = match value.mate {
        Some(0) => "mate".into(),
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(value.score) / 100.0),
    };
    Shown { text, chance: value.chance }
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
            annotate(&mut analyst, &game, &mut |_| true).expect("not interrupted")
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
        // The one address is the name of SVG, which is not fetched.
        assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org/2000/svg").count());
        for outside in ["src=\"", "@import", "url(", "<link", "<img"] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert_eq!(data(&page)[0]["white"], name);
        assert!(page.contains("<title>{data}&lt;/script>&lt;!--"), "{}", &page[..400]);
    }

    /// A trap stands in the sentence or below it.
    #[test]
    fn no_trap_is_told_of_twice() {
        let game = "[FEN \"7K/8/k1P5/7p/8/8/8/8 w - - 0 1\"]\n\n1. Kg7 h4 2. Kf6 Kb6 3. Ke5 *";
        let effort = Effort { nodes: 20_000, plan_nodes: 20, ..Effort::default() };
        let mut analyst = Analyst::new(effort, 1).expect("memory");
        let game: pgn::Game = game.parse().expect("a game");
        let annotated = annotate(&mut analyst, &game, &mut |_| true).expect("not interrupted");
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
