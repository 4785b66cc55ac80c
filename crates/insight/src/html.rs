//! Renders annotated games as one page for a browser: a board to step through, the values, both sides'
//! safety, only moves and errors, and lines that can be played on the board.
//!
//! The page is self-contained and loads nothing from any network. Names, moves and comments by others
//! are included as data and shown as text.

use crate::annotate::{ELO, clock, elo_of, said};
use crate::story::{Phases, ending_of, positions};
use crate::{
    AnnotatedGame, AnnotatedMove, Explanation, Judged, JudgedMove, Moment, Natural, PlanSafety, Remark, Run,
    Safety, Story, Tally, Value, Verdict, human,
};
use cassius_chess::{Move as ChessMove, Position, pgn};
use cassius_search::Game as _;
use serde::Serialize;
use std::borrow::Cow;
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
    ended: Option<&'a str>,
    about: String,
    opening: Option<String>,
    /// The numbers of plies before the middlegame and before the endgame.
    phases: [Option<usize>; 2],
    /// The seconds on both clocks at the start.
    clock: Option<f64>,
    start: String,
    said: Vec<String>,
    moves: Vec<Move<'a>>,
    #[serde(flatten)]
    found: Option<FoundGame>,
}

/// What is known of a game once it is annotated.
#[derive(Serialize)]
struct FoundGame {
    accuracy: [Option<f64>; 2],
    moments: Vec<Moment>,
    value: Shown,
    safety: Option<Safety>,
    tally: [Tally; 2],
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
    san: Cow<'a, str>,
    /// The origin and target squares of the moving piece, the king when castling.
    squares: [String; 2],
    fen: Cow<'a, str>,
    /// Seconds left on the clock.
    clock: Option<f64>,
    said: Cow<'a, [String]>,
    #[serde(flatten)]
    found: Option<FoundMove<'a>>,
}

/// What is known of a move once it is annotated.
#[derive(Serialize)]
struct FoundMove<'a> {
    value: Shown,
    /// The best line, if another move was played.
    best: Option<Line>,
    glyph: &'static str,
    /// Whether the position had an only move, found or not.
    only: bool,
    sentence: Option<String>,
    #[serde(flatten)]
    asked: Asked<'a>,
    /// The rating of the player; `None` if it is unknown. The chance of an error is then for [`ELO`].
    elo: Option<u32>,
    safety: Option<Safety>,
}

/// What a position asks of the side to move.
#[derive(Serialize)]
struct Asked<'a> {
    /// The same in a sentence.
    asked: String,
    /// Whether there is nothing left to hold.
    lost: bool,
    /// Whether the player has to be careful: `only`, `few` or empty.
    care: &'static str,
    legal: usize,
    /// The number of moves that hold.
    held: usize,
    /// Some of them, the best first, each with the squares that it changes.
    holding: Vec<String>,
    traps: Vec<Line>,
    error: Option<f64>,
    /// An interval for it, where the model is outside of what it has seen.
    errors: Option<[f64; 2]>,
    /// The wrong move that most players choose, and the chance of it, if it is not small.
    tempting: Option<(&'a str, f64)>,
}

/// An explained position.
#[derive(Serialize)]
struct Explained<'a> {
    headline: String,
    outlook: Option<String>,
    value: Shown,
    /// The side to move, and the other side after the best move, unless the game is then over.
    sides: [Option<ExplainedSide<'a>>; 2],
    /// The depth of the plan of White and of Black.
    safety: Safety,
    /// The rating for which chances of an error are shown.
    elo: f64,
    judge: &'a str,
    /// Nodes searched, the nodes of plans left out, and the last iteration.
    nodes: u64,
    iteration: usize,
}

#[derive(Serialize)]
struct ExplainedSide<'a> {
    white: bool,
    number: u32,
    best: Line,
    /// The precise moves in a row that the side has to find.
    run: &'a [String],
    /// Whether there may be more of them.
    run_may_go_on: bool,
    #[serde(flatten)]
    asked: Asked<'a>,
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
/// let annotated = annotate(&mut analyst, &game, &mut |_, _| true)?.expect("not interrupted");
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

/// Returns the pieces as symbols of an SVG, for other pages: `#p` to `#k`, drawn on 45 by 45 units.
///
/// ```
/// let pieces = cassius_insight::html_pieces();
/// assert!(pieces.starts_with("<svg") && pieces.trim_end().ends_with("</svg>"));
/// assert_eq!(pieces.matches("<symbol").count(), 6);
/// ```
pub fn html_pieces() -> &'static str {
    let start = PAGE.find("<svg").unwrap_or_default();
    let end = PAGE.find("<header>").unwrap_or(PAGE.len());
    &PAGE[start..end]
}

/// Returns the title of a page with one game that has these tags.
pub fn html_title(tags: &[(String, String)]) -> String {
    let [white, black] = ["White", "Black"].map(|name| known(tags, name).unwrap_or(name));
    format!("{white} – {black}")
}

/// Returns one game as [`write_html`] expects it: a small part of what is known about it.
pub fn html_of(game: &AnnotatedGame) -> String {
    data(&page_of(game))
}

/// Returns a game that has not been annotated, as the page shows it until it is.
///
/// ```
/// let game: cassius_chess::pgn::Game = "1. f3 e5 *".parse()?;
/// let plain: serde_json::Value = serde_json::from_str(&cassius_insight::html_plain(&game))?;
/// assert_eq!(plain["moves"][1]["san"], "e5");
/// assert!(plain["moves"][1]["value"].is_null(), "nothing is known yet");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn html_plain(game: &pgn::Game) -> String {
    let positions: Vec<Position> = game.positions().collect();
    let result = game.result.to_string();
    let moves = game.moves.iter().zip(positions.windows(2)).enumerate().map(|(index, (mv, places))| {
        let [before, after] = places else { unreachable!("windows of two") };
        let (san, uci) = (before.san(*mv), before.uci(*mv));
        Move {
            number: before.fullmoves(),
            white: before.turn().is_white(),
            squares: squares(&san, &uci),
            san: san.into(),
            fen: after.to_string().into(),
            clock: clock(game, index + 1),
            said: said(game, index + 1).into(),
            found: None,
        }
    });
    let head = Head { tags: &game.tags, result: &result, judge: None, positions: &positions };
    data(&head.game(said(game, 0), moves.collect(), None))
}

/// Returns one move of an annotated game, as the page shows it.
pub fn html_move(game: &AnnotatedGame, index: usize) -> String {
    data(&page_move(game, index, |white| elo_of(&game.tags, white)))
}

/// Returns an explained position as the page shows it, for players of this Lichess rating.
pub fn html_explained(position: &Position, explained: &Explanation, elo: f64) -> String {
    let player = human::Player::from(elo);
    let own = &explained.own;
    let [own_run, other_run] = &explained.runs;
    let other = explained.other.as_ref().map(|other| {
        let after: Position = other.fen.parse().expect("a position that was judged");
        explained_side(&after, other, other_run, &player)
    });
    let white = position.turn().is_white();
    let depth = |plan: &PlanSafety| (!plan.nothing_to_hold()).then(|| plan.depth.unwrap_or(0.0));
    let [own_depth, other_depth] = [&explained.plans.own, &explained.plans.other].map(depth);
    data(&Explained {
        headline: explained.headline(),
        outlook: explained.outlook(),
        value: shown(&if white { own.value } else { own.value.of_the_other_side() }),
        sides: [Some(explained_side(position, own, own_run, &player)), other],
        safety: match white {
            true => Safety { white: own_depth, black: other_depth },
            false => Safety { white: other_depth, black: own_depth },
        },
        elo,
        judge: &explained.judge,
        nodes: explained.nodes,
        iteration: own.iteration,
    })
}

fn explained_side<'a>(
    position: &Position,
    judged: &'a Judged,
    run: &'a Run,
    player: &human::Player,
) -> ExplainedSide<'a> {
    ExplainedSide {
        white: position.turn().is_white(),
        number: position.fullmoves(),
        best: line(position, &judged.line, Some(&judged.value), judged.value.chance),
        run: &run.moves,
        run_may_go_on: run.may_go_on,
        asked: asked_of(position, judged, false, player, None),
    }
}

/// Returns a move and the squares that it changes, each followed by what stands there after it: first the
/// origin and the target of the moving piece. A dot is an empty square.
///
/// ```
/// let position: cassius_chess::Position = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1".parse()?;
/// let mv = position.parse_san("exd6")?;
/// assert_eq!(cassius_insight::html_step(&position, mv), "exd6 e5.d6Pd5.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn html_step(position: &Position, mv: ChessMove) -> String {
    let mut after = position.clone();
    after.play(mv);
    step(position, mv, &after, &position.san(mv))
}

/// Returns data that may stand in a script element.
fn data(value: &impl Serialize) -> String {
    // In a script element only `</` and `<!--` could end the data.
    serde_json::to_string(value).expect("strings and numbers").replace('<', "\\u003c")
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

/// What a page says of a game as a whole.
struct Head<'a, 'b> {
    tags: &'a [(String, String)],
    result: &'a str,
    /// The engine that judged, if it was another one.
    judge: Option<&'a str>,
    positions: &'b [Position],
}

impl<'a> Head<'a, '_> {
    fn game(&self, said: Vec<String>, moves: Vec<Move<'a>>, found: Option<FoundGame>) -> Game<'a> {
        let tag = |name: &str| self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
        let known = |name: &str| known(self.tags, name);
        let elo = |white: bool| elo_of(self.tags, white);
        // Only the known part of a date.
        let date = tag("Date").map(|date| date.split(".?").next().unwrap_or_default());
        let date = date.filter(|date| !date.is_empty() && !date.contains('?'));
        let round = known("Round").filter(|round| *round != "-").map(|round| format!("round {round}"));
        let judged = self.judge.map(|judge| format!("judged by {judge}"));
        let about = [known("Event"), known("Site"), date, round.as_deref(), judged.as_deref()];
        let about: Vec<&str> = about.into_iter().flatten().filter(|part| *part != "-").collect();
        let title = |name: &str| known(name).filter(|title| *title != "-");
        let Phases { opening, middlegame, endgame } = Phases::of(self.positions);
        Game {
            players: [
                Player {
                    name: known("White").unwrap_or("White"),
                    title: title("WhiteTitle"),
                    elo: elo(true),
                },
                Player {
                    name: known("Black").unwrap_or("Black"),
                    title: title("BlackTitle"),
                    elo: elo(false),
                },
            ],
            result: self.result,
            ended: self.positions.last().and_then(|last| ended(last, known("Termination"))),
            about: about.join(" · "),
            opening: opening.map(|opening| format!("{} {}", opening.code, opening.name)),
            phases: [middlegame, endgame],
            clock: known("TimeControl").and_then(first_clock),
            start: self.positions.first().map_or(String::new(), Position::to_string),
            said,
            moves,
            found,
        }
    }
}

fn page_of(game: &AnnotatedGame) -> Game<'_> {
    let Story { accuracy, moments, .. } = Story::of(game);
    let judge = game.judged_by_another().then_some(game.judge.as_str());
    let positions = positions(game);
    let head = Head { tags: &game.tags, result: &game.result, judge, positions: &positions };
    let found = FoundGame {
        accuracy,
        moments,
        value: shown(&game.before.value),
        safety: game.before.safety,
        tally: [game.tally(true), game.tally(false)],
    };
    let elo = |white: bool| elo_of(&game.tags, white);
    let moves = (0..game.moves.len()).map(|index| page_move(game, index, elo)).collect();
    head.game(game.said.clone(), moves, Some(found))
}

/// Returns how the game ended: what the last position says, or else the tag `Termination`.
fn ended<'a>(last: &Position, tag: Option<&'a str>) -> Option<&'a str> {
    let on_board = match () {
        () if last.is_checkmate() => Some("checkmate"),
        () if last.is_stalemate() => Some("stalemate"),
        () => None,
    };
    let tag = tag.filter(|tag| !["normal", "unterminated", "-"].contains(&tag.to_lowercase().as_str()));
    on_board.or(tag)
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
    let position: Position = judged.fen.parse().expect("a position that was judged");
    let value = &judged.value;
    let best = || line(&position, &judged.line, Some(value), value.chance);
    let found = FoundMove {
        value: shown(&mv.after.value),
        best: (judged.best().uci != mv.uci).then(best),
        glyph: mv.remark.map_or("", Remark::symbol),
        only: mv.stood_on_only(),
        sentence: sentence(game, index),
        asked: asked_of(&position, judged, mv.is_by_heart(), &player, Some(&mv.uci)),
        elo,
        safety: mv.after.safety,
    };
    Move {
        number: mv.number,
        white: mv.white,
        san: mv.san.as_str().into(),
        squares: squares(&mv.san, &mv.uci),
        fen: mv.fen.as_str().into(),
        clock: mv.clock,
        said: mv.said.as_slice().into(),
        found: Some(found),
    }
}

/// Returns a line from a position, with its value for the side to move.
fn line(position: &Position, moves: &[String], value: Option<&Value>, chance: f64) -> Line {
    let white = position.turn().is_white();
    let for_white = |value: &Value| if white { *value } else { value.of_the_other_side() };
    Line {
        moves: steps(position, moves),
        more: moves.len() > PLIES,
        value: value.map(|value| for_white(value).to_string()),
        chance: if white { chance } else { 1.0 - chance },
    }
}

/// Returns what a position asks of a player. `only` says whether it has an only move that has to be found,
/// `played` is the move of the game, if there is one.
fn asked_of<'a>(
    position: &Position,
    judged: &'a Judged,
    by_heart: bool,
    player: &human::Player,
    played: Option<&str>,
) -> Asked<'a> {
    let alone = |san: &String| steps(position, std::slice::from_ref(san));
    let holding = judged.moves.iter().filter(|of| of.holds);
    // The move that was played is always among those that are listed.
    let listed = |(index, of): &(usize, &JudgedMove)| *index < LISTED || played == Some(&of.uci);
    let tempting = judged.tempting(player).filter(|(_, share)| *share >= TEMPTING);
    Asked {
        asked: asked(judged, by_heart),
        lost: judged.verdict == Verdict::Lost,
        care: match judged.verdict {
            Verdict::Only if by_heart => "",
            Verdict::Only if judged.is_verified() => "only",
            Verdict::Only | Verdict::Few => "few",
            _ => "",
        },
        legal: judged.room.legal,
        held: judged.room.holding,
        holding: holding.enumerate().filter(listed).flat_map(|(_, of)| alone(&of.san)).collect(),
        traps: judged.traps.iter().map(|trap| line(position, &trap.line(), None, trap.chance)).collect(),
        error: judged.error_chance(*player),
        errors: judged.error_interval(player),
        tempting: tempting.map(|(of, share)| (of.san.as_str(), share)),
    }
}

/// Returns what a position asks of the side to move, in a sentence. Books may name the only move: then it is
/// known by heart.
fn asked(judged: &Judged, by_heart: bool) -> String {
    let Judged { room, verdict, .. } = judged;
    let side = if judged.white { "White" } else { "Black" };
    let (holding, legal, hold) = (room.holding, room.legal, judged.hold());
    match verdict {
        Verdict::Lost => format!("{side} is lost, whatever is played."),
        Verdict::Only if by_heart => format!("{side} has one move that holds, and opening books name it."),
        Verdict::Only if judged.is_verified() => {
            format!("{side} has to find an only move: one of {legal} moves holds.")
        }
        Verdict::Only => format!("{side} has to find a move: one of {legal} was found to hold."),
        Verdict::Natural if room.natural == Some(Natural::SoleLegal) => format!("{side} has one legal move."),
        Verdict::Natural => {
            format!("{side} has one move that {hold}, {}.", room.natural.map_or("", Natural::reason))
        }
        Verdict::Few => format!("{side} has to choose well: {holding} of {legal} moves {hold}."),
        Verdict::Some => format!("{side} has some room: {holding} of {legal} moves {hold}."),
        Verdict::Free if holding == legal => format!("{side} is free to choose: all {legal} moves {hold}."),
        Verdict::Free => format!("{side} is free to choose: {holding} of {legal} moves {hold}."),
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

    fn page(games: &[&str]) -> String {
        let effort = Effort { nodes: 300, plan_nodes: 20, ..Effort::default() };
        let mut analyst = Analyst::new(effort, 1).expect("memory");
        let annotated = games.iter().map(|game| {
            let game: pgn::Game = game.parse().expect("a game");
            annotate(&mut analyst, &game, &mut |_, _| true).expect("an answer").expect("not interrupted")
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
            annotate(&mut analyst, &game, &mut |_, _| true).expect("an answer").expect("not interrupted");
        let page = page_of(&annotated);
        let (mut traps, mut best) = (0, 0);
        let found = || page.moves.iter().map(|mv| mv.found.as_ref().expect("it is annotated"));
        for (mv, of) in annotated.moves.iter().zip(found()) {
            for (trap, line) in mv.judged.traps.iter().zip(&of.asked.traps) {
                assert_eq!(line.moves.len(), (1 + trap.refutation.len()).min(PLIES));
                assert!(line.moves[0].starts_with(&trap.san));
                traps += 1;
            }
            assert_eq!(of.best.is_some(), mv.judged.best().san != mv.san);
            best += of.best.iter().filter(|line| line.moves.len() == mv.judged.line.len().min(PLIES)).count();
            assert_eq!(of.asked.holding.len(), of.asked.held.min(LISTED));
        }
        assert!(traps > 0 && best > 0, "{traps} traps, {best} best lines");
        let first = found().next().expect("a move");
        assert_eq!(first.asked.asked, "White has to find an only move: one of 4 moves holds.");
        assert_eq!(first.sentence.as_deref(), Some("The only move."));
    }

    /// What a page shows of a game before it is annotated stays when it is.
    #[test]
    fn a_plain_game_is_part_of_the_annotated_one() {
        let text = "[White \"A\"]\n[BlackElo \"1500\"]\n[TimeControl \"60+0\"]\n\n{ Before. } 1. e4 \
            { [%clk 0:00:59] Bold. } e5 2. f4 (2. Nf3) exf4 { [%eval 0.1] } 3. g3 fxg3 4. Nf3 g2 \
            5. Rg1 gxf1=Q+ 1/2-1/2";
        let game: pgn::Game = text.parse().expect("a game");
        let whole = &data(&page(&[text]))[0];
        let mut erased = game.clone();
        crate::erase(&mut erased);
        let plain: serde_json::Value = serde_json::from_str(&html_plain(&erased)).expect("JSON");
        let parts = |value: &serde_json::Value| value.as_object().expect("an object").clone();
        for (name, value) in parts(&plain).into_iter().filter(|(name, _)| name != "moves") {
            assert_eq!(value, whole[&name], "{name}");
        }
        for (index, mv) in plain["moves"].as_array().expect("moves").iter().enumerate() {
            for (name, value) in parts(mv) {
                assert_eq!(value, whole["moves"][index][&name], "{index} {name}");
            }
        }
        assert_eq!(plain["moves"].as_array().map(Vec::len), Some(10));
        assert!(plain["moves"][0]["said"].to_string().contains("Bold"), "{plain}");
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
