//! Output for a game and a search of it.

use super::Facts;
use crate::terminal::{DIM, STRONG};
use crate::uci::info;
use cassius_games::named::Named;
use cassius_search::recipes::Capability;
use cassius_search::{Bound, Report, Score};
use serde::Serialize;
use std::fmt::Write as _;

/// The results of a search.
#[derive(Serialize)]
pub struct Found {
    pub game: String,
    pub position: String,
    /// The result of the game, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    pub recipe: &'static str,
    /// Values are for the side to move.
    pub lines: Vec<Line>,
    pub nodes: u64,
    /// Whether a tree or a list was full.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub full: bool,
    /// The number of lines that ended at the maximum ply and not at their depth.
    #[serde(skip_serializing_if = "is_none")]
    pub lines_cut_off: u64,
    pub time_ms: u64,
}

/// Whether a count is zero.
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// A line of play.
#[derive(Serialize)]
pub struct Line {
    #[serde(skip)]
    shown: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    won_in_plies: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_in_plies: Option<usize>,
    /// `won` or `lost`, if this is proven but the number of plies is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    iteration: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    own_plan_plies: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_plan_plies: Option<f64>,
    /// For a best-first search: the range of values that `iteration` wrong leaves could cause. If
    /// `iteration` is 0, the range is what is known of the value. `None` is no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    greatest: Option<i32>,
    #[serde(skip)]
    trust: String,
    longest_line_plies: usize,
    moves: Vec<String>,
}

impl Line {
    /// Creates the line of a search report.
    pub fn new<M>(report: &Report<M>, moves: Vec<String>) -> Line {
        let score = report.score;
        let known = report.bound.is_some();
        let plies = score.plies_to_end();
        let depths = report.range.is_none().then_some(report.depths);
        let finite = |score: Score| (score.0.abs() < Score::INFINITE.0).then_some(score.0);
        Line {
            shown: match report.range {
                Some((least, greatest)) if is_between(report.iteration, least, greatest) => {
                    format!("{} to {}", limit(least), limit(greatest))
                }
                _ => value(score, report.bound),
            },
            value: (known && !score.is_decided()).then_some(score.0),
            won_in_plies: plies.filter(|_| known && score.is_win()),
            lost_in_plies: plies.filter(|_| known && score.is_loss()),
            proven: (known && score.is_decided() && plies.is_none()).then(|| decided(score)),
            bound: match report.bound {
                Some(Bound::Lower) => Some("lower"),
                Some(Bound::Upper) => Some("upper"),
                Some(Bound::Exact) | None => None,
            },
            iteration: report.iteration,
            own_plan_plies: depths.map(|depths| depths.lower.to_f64()),
            other_plan_plies: depths.map(|depths| depths.upper.to_f64()),
            least: report.range.and_then(|(least, _)| finite(least)),
            greatest: report.range.and_then(|(_, greatest)| finite(greatest)),
            trust: trust(report),
            longest_line_plies: report.max_ply,
            moves,
        }
    }
}

/// Whether exactly the two bounds are known.
fn is_between(iteration: usize, least: Score, greatest: Score) -> bool {
    iteration == 0 && least < greatest && -Score::INFINITE < least && greatest < Score::INFINITE
}

/// Returns how far a value can be trusted: the depths of both plans, or the range that a number of wrong
/// leaves could cause.
fn trust<M>(report: &Report<M>) -> String {
    let Some((least, greatest)) = report.range else {
        let (own, other) = (report.depths.lower.to_f64(), report.depths.upper.to_f64());
        let iteration = report.iteration;
        return format!("iteration {iteration}: own plan {own:.1} plies deep, the other side's {other:.1}");
    };
    if report.iteration == 0 {
        return match (least, greatest) {
            _ if least == greatest => "exact value".into(),
            _ if is_between(0, least, greatest) => "proven bounds".into(),
            (_, Score::INFINITE) if least == -Score::INFINITE => match report.bound {
                Some(_) => "an estimate; nothing is proven".into(),
                None => "nothing is known yet".into(),
            },
            _ => format!("between {} and {}", limit(least), limit(greatest)),
        };
    }
    let leaves = if report.iteration == 1 { "leaf" } else { "leaves" };
    format!(
        "with {} wrong {leaves} it could be from {} to {}",
        report.iteration,
        limit(least),
        limit(greatest)
    )
}

/// Formats one end of a range.
fn limit(score: Score) -> String {
    match score {
        Score::INFINITE => "+∞".into(),
        _ if score == -Score::INFINITE => "−∞".into(),
        _ => value(score, Some(Bound::Exact)),
    }
}

/// The maximum length of a displayed line of play, in plies.
const LONGEST: usize = 24;

/// Returns several lines of text, below the board if there is one.
pub fn text(found: &Found, board: Option<&str>, seconds: f64) -> String {
    let title = format!("{} {}", found.game, first_line(&found.position));
    let mut text = format!("{STRONG}{}{STRONG:#}\n", title.trim_end());
    for row in board.into_iter().flat_map(str::lines) {
        let _ = writeln!(text, "  {DIM}{row}{DIM:#}");
    }
    if let Some(end) = &found.end {
        let _ = writeln!(text, "  {end}");
        return text;
    }
    for (index, line) in found.lines.iter().enumerate() {
        let moves = &line.moves[..line.moves.len().min(LONGEST)];
        let more = if moves.len() < line.moves.len() { " …" } else { "" };
        let _ =
            writeln!(text, "  {:>2}. {STRONG}{}{STRONG:#}  {}{more}", index + 1, line.shown, moves.join(" "));
        let _ = writeln!(text, "      {DIM}{}; longest line {}{DIM:#}", line.trust, line.longest_line_plies);
    }
    let cut_off = match found.lines_cut_off {
        0 => String::new(),
        count => format!(", {}", info::lines_cut_off(count)),
    };
    let _ = writeln!(
        text,
        "  {DIM}recipe {}, {} nodes, {seconds:.2} s, {:.0} nodes/s{cut_off}{DIM:#}",
        found.recipe,
        found.nodes,
        found.nodes as f64 / seconds.max(1e-6)
    );
    text
}

/// Returns the first line of a text, with a mark if there are more.
fn first_line(text: &str) -> String {
    match text.split_once('\n') {
        Some((first, _)) => format!("{first} …"),
        None => text.into(),
    }
}

/// Formats a value for the side to move. Without a bound, nothing is known.
pub fn value(score: Score, bound: Option<Bound>) -> String {
    let sign = match bound {
        Some(Bound::Lower) => "≥ ",
        Some(Bound::Upper) => "≤ ",
        Some(Bound::Exact) => "",
        None => return "?".into(),
    };
    match score.plies_to_end() {
        Some(1) if score.is_win() => format!("{sign}won in 1 ply"),
        Some(plies) if score.is_win() => format!("{sign}won in {plies} plies"),
        Some(1) => format!("{sign}lost in 1 ply"),
        Some(plies) => format!("{sign}lost in {plies} plies"),
        None if score.is_decided() => format!("{sign}{}", decided(score)),
        None => format!("{sign}{:+}", score.0),
    }
}

/// Returns whether a decided value is a win or a loss.
fn decided(score: Score) -> &'static str {
    if score > Score::DRAW { "won" } else { "lost" }
}

/// Returns the result of a finished game from its value for the side to move.
pub fn end(score: Score) -> String {
    match score {
        _ if score.is_win() => "the game is over: the side to move has won".into(),
        _ if score.is_loss() => "the game is over: the side to move has lost".into(),
        Score::DRAW => "the game is over: a draw".into(),
        Score(value) => format!("the game is over: {value:+} for the side to move"),
    }
}

/// Returns how positions of a game are given to the program.
pub fn positions(game: Named) -> String {
    let file = if game == Named::Tree { "; or a file with such a tree" } else { "" };
    format!("{}{file}", game.notation())
}

/// Describes a game in words.
pub fn facts_text(facts: &Facts) -> String {
    let words = |things: Vec<String>| if things.is_empty() { "nothing".into() } else { things.join(", ") };
    let mut text = format!("{STRONG}{:<12}{STRONG:#} {}\n", facts.game.name(), facts.called);
    let _ = writeln!(text, "  position   {}", positions(facts.game));
    let _ = writeln!(text, "  has        {}", words(facts.has.iter().map(ToString::to_string).collect()));
    let can = facts.recipes.iter().filter(|(_, _, lacking)| lacking.is_empty());
    let _ = writeln!(text, "  can play   {}", words(can.map(|(name, _, _)| name.to_string()).collect()));
    for (name, _, lacking) in facts.recipes.iter().filter(|(_, _, lacking)| !lacking.is_empty()) {
        let lacking = words(lacking.iter().map(ToString::to_string).collect());
        let _ = writeln!(text, "  cannot     {DIM}{name}: no {lacking}{DIM:#}");
    }
    text
}

/// Describes a game for programs.
pub fn facts_json(facts: &Facts) -> serde_json::Value {
    let words = |things: &[Capability]| -> Vec<String> { things.iter().map(ToString::to_string).collect() };
    let recipe = |facts: &(&str, &str, Vec<Capability>)| {
        let (name, summary, lacking) = facts;
        serde_json::json!({ "recipe": name, "summary": summary, "lacks": words(lacking) })
    };
    serde_json::json!({
        "game": facts.game.name(), "called": facts.called, "positions": positions(facts.game),
        "has": words(&facts.has),
        "recipes": facts.recipes.iter().map(recipe).collect::<Vec<_>>(),
    })
}
