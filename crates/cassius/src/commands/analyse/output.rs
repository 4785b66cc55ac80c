//! Output for an analysed position.

use super::input::Item;
use crate::terminal::{DIM, STRONG, harmless_text};
use crate::uci::info;
use cassius_chess::notation::{Pawns, moves_to_mate};
use cassius_chess::{Move, Position};
use cassius_search::game::Repeats as _;
use cassius_search::{Answer, Bound, Report, Score};
use serde::Serialize;
use shakmaty::Color;
use std::fmt::Write as _;
use std::time::Duration;

/// The results of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The answer with its lines.
    pub answer: Answer<Move>,
    /// The time it took.
    pub elapsed: Duration,
    /// The name of the recipe.
    pub recipe: &'static str,
}

/// The maximum length of a displayed line of play, in plies.
const LONGEST: usize = 24;

/// Returns the place and the name of a position, followed by the position.
pub fn heading(item: &Item) -> String {
    let mut text = String::new();
    let mut title: Vec<String> = Vec::new();
    title.extend((!item.place.is_empty()).then(|| item.place.clone()));
    title.extend(item.name.clone());
    title.extend(played(item).map(|played| format!("after {played}")));
    if !title.is_empty() {
        let _ = writeln!(text, "{STRONG}{}{STRONG:#}", harmless_text(&title.join("  ")));
    }
    let _ = writeln!(text, "{DIM}{}{DIM:#}", item.position);
    text
}

/// Returns several lines of text.
pub fn text(item: &Item, found: &Found) -> String {
    let mut text = heading(item);
    let position = &item.position;
    if let Some(end) = end_of_game(position) {
        let _ = writeln!(text, "  {end}\n");
        return text;
    }
    if let Some(claim) = claim(item) {
        let _ = writeln!(text, "  {claim}");
    }
    let _ = writeln!(text, "  {} to move; + is good for White", name(position.turn()));
    for (index, line) in found.answer.lines.iter().enumerate() {
        let moves = &line.pv[..line.pv.len().min(LONGEST)];
        let more = if moves.len() < line.pv.len() { " …" } else { "" };
        let value = value(position.turn(), line.score, line.bound);
        let _ = writeln!(
            text,
            "  {:>2}. {STRONG}{value:>7}{STRONG:#}  {}{more}",
            index + 1,
            position.line_to_san(moves)
        );
        let _ = writeln!(
            text,
            "               {DIM}{}; longest line {}{DIM:#}",
            trust(position.turn(), line),
            line.max_ply
        );
    }
    let seconds = found.elapsed.as_secs_f64();
    let cut_off = match found.answer.cut_off {
        0 => String::new(),
        count => format!(", {}", info::lines_cut_off(count)),
    };
    let _ = writeln!(
        text,
        "  {DIM}recipe {}, {} nodes, {seconds:.2} s, {:.0} nodes/s{cut_off}{}{DIM:#}\n",
        found.recipe,
        found.answer.nodes,
        found.answer.nodes as f64 / seconds.max(1e-6),
        if found.answer.full { ", stopped because the tree is full: increase --hash" } else { "" }
    );
    text
}

/// Returns how far a line's value can be trusted: the depths of both plans, or the range that a number
/// of wrong leaves could cause.
fn trust(turn: Color, line: &Report<Move>) -> String {
    let Some((least, greatest)) = line.range else {
        let (white, black) = info::depths(turn, line);
        return format!(
            "iteration {}: White's plan {white:.1} plies deep, Black's {black:.1}",
            line.iteration
        );
    };
    let (low, high) = if turn.is_white() { (least, greatest) } else { (greatest, least) };
    let bound = |score: Score| match score {
        _ if score.0.abs() < Score::INFINITE.0 => value(turn, score, Some(Bound::Exact)),
        _ if score.0 * side(turn) > 0 => "+∞".into(),
        _ => "−∞".into(),
    };
    if line.iteration == 0 {
        return match () {
            () if least == greatest => "exact value".into(),
            () if (least, greatest) == (-Score::INFINITE, Score::INFINITE) => "nothing is known yet".into(),
            () => format!("from {} to {}", bound(low), bound(high)),
        };
    }
    let leaves = if line.iteration == 1 { "leaf" } else { "leaves" };
    format!("with {} wrong {leaves} it could be from {} to {}", line.iteration, bound(low), bound(high))
}

/// Returns one line of progress while the search runs.
pub fn message(position: &Position, report: &Report<Move>) -> String {
    let value = value(position.turn(), report.score, report.bound);
    format!("{} {value} {}", report.iteration, position.line_to_san(&report.pv[..report.pv.len().min(4)]))
}

/// Formats a value from White's side: `+0.31`, `#3`, `≥+1.20` for a bound.
fn value(turn: Color, score: Score, bound: Option<Bound>) -> String {
    let Some(bound) = bound else { return "?".into() };
    let sign = match for_white(turn, bound) {
        Bound::Lower => "≥",
        Bound::Upper => "≤",
        Bound::Exact => "",
    };
    format!("{sign}{}", Pawns(Score(score.0 * side(turn))))
}

fn side(turn: Color) -> i32 {
    if turn.is_white() { 1 } else { -1 }
}

fn for_white(turn: Color, bound: Bound) -> Bound {
    match (turn, bound) {
        (Color::Black, Bound::Lower) => Bound::Upper,
        (Color::Black, Bound::Upper) => Bound::Lower,
        _ => bound,
    }
}

fn played(item: &Item) -> Option<String> {
    let before = item.before.last()?;
    Some(before.line_to_san(&[item.played?]))
}

fn name(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}

/// Returns the result of a game that the rules have ended, by its position alone.
pub fn end_of_game(position: &Position) -> Option<String> {
    if position.is_checkmate() {
        Some(format!("checkmate: {} has won", name(!position.turn())))
    } else if position.is_stalemate() {
        Some("stalemate: a draw".into())
    } else if position.is_insufficient_material() {
        Some("insufficient material: a draw".into())
    } else {
        None
    }
}

/// Whether the position has occurred three times in its game.
pub fn is_threefold(item: &Item) -> bool {
    let since = item.before.iter().rev().take(item.position.reversible_plies());
    since.filter(|earlier| **earlier == item.position).count() >= 2
}

/// Says that a draw can be claimed, and by which rule. The game may go on.
pub fn claim(item: &Item) -> Option<String> {
    claimable(item).map(|rule| format!("{rule}: a draw can be claimed"))
}

/// Returns the rule by which a draw can be claimed.
pub fn claimable(item: &Item) -> Option<&'static str> {
    match () {
        () if end_of_game(&item.position).is_some() => None,
        () if item.position.halfmoves() >= 100 => Some("fifty-move rule"),
        () if is_threefold(item) => Some("threefold repetition"),
        () => None,
    }
}

#[derive(Serialize)]
struct JsonPosition<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    place: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    fen: String,
    turn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    /// A draw that can be claimed. The game may go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    recipe: &'a str,
    /// Scores are for White.
    lines: Vec<JsonLine>,
    nodes: u64,
    #[serde(skip_serializing_if = "is_none")]
    lines_cut_off: u64,
    time_ms: u64,
}

/// Whether a count is zero.
fn is_none(count: &u64) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct JsonLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    white_score_cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_mate_in: Option<i32>,
    /// `won` or `lost` for White, if that is proven but not in how many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    white_proven: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    iteration: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_plan_plies: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black_plan_plies: Option<f64>,
    /// For a best-first search: the range of scores that this many wrong leaves could cause. `None` is
    /// no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    conspirators: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_least_cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_greatest_cp: Option<i32>,
    longest_line_plies: usize,
    uci: Vec<String>,
    san: String,
}

/// Returns one line of JSON.
pub fn json(item: &Item, found: &Found) -> String {
    let position = &item.position;
    let line = |report: &Report<Move>| {
        let turn = position.turn();
        let (score, mate) = (report.score.0 * side(turn), moves_to_mate(report.score));
        let decided = report.score.is_decided();
        let result = if score > 0 { "won" } else { "lost" };
        let known = report.bound.is_some();
        let (white, black) = info::depths(turn, report);
        let depths = report.range.is_none();
        let range = report.range.map(|(least, greatest)| match turn {
            Color::White => (least, greatest),
            Color::Black => (-greatest, -least),
        });
        let finite = |score: Score| (score.0.abs() < Score::INFINITE.0).then_some(score.0);
        JsonLine {
            white_score_cp: (known && !decided).then_some(score),
            white_mate_in: mate.map(|moves| moves * side(turn)),
            white_proven: (known && decided && mate.is_none()).then_some(result),
            bound: match report.bound.map(|bound| for_white(turn, bound)) {
                Some(Bound::Lower) => Some("lower"),
                Some(Bound::Upper) => Some("upper"),
                Some(Bound::Exact) | None => None,
            },
            iteration: report.iteration,
            white_plan_plies: depths.then_some(white),
            black_plan_plies: depths.then_some(black),
            conspirators: report.range.map(|_| report.iteration),
            white_least_cp: range.and_then(|(least, _)| finite(least)),
            white_greatest_cp: range.and_then(|(_, greatest)| finite(greatest)),
            longest_line_plies: report.max_ply,
            uci: info::uci_moves(position, &report.pv),
            san: position.line_to_san(&report.pv),
        }
    };
    let object = JsonPosition {
        place: &item.place,
        name: item.name.as_deref(),
        played: played(item),
        fen: position.to_string(),
        turn: position.turn().to_string(),
        end: end_of_game(position),
        claim: claim(item),
        recipe: found.recipe,
        lines: found.answer.lines.iter().map(line).collect(),
        nodes: found.answer.nodes,
        lines_cut_off: found.answer.cut_off,
        time_ms: u64::try_from(found.elapsed.as_millis()).unwrap_or(u64::MAX),
    };
    serde_json::to_string(&object).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}
