//! Formats the results of a search.

use cassius_chess::notation::moves_to_mate;
use cassius_chess::odds::Odds;
use cassius_chess::{Move, Position};
use cassius_search::{Answer, Bound, Game as _, MAX_PLY, Report, Score};
use shakmaty::Color;
use std::fmt::Write as _;
use std::time::Duration;

/// The contents of an info line besides the report itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// The time since `go`.
    pub elapsed: Duration,
    /// The occupancy of the transposition table, in thousandths.
    pub hash_full: usize,
    /// The number of hits in endgame tables.
    pub table_hits: u64,
    /// Whether to show the chances of win, draw and loss.
    pub wdl: bool,
}

/// Returns the info line of a report on `position`; `None` if there is no value yet.
pub fn line(position: &Position, report: &Report<Move>, facts: &Facts) -> Option<String> {
    let bound = report.bound?;
    let millis = facts.elapsed.as_millis();
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        report.iteration,
        report.max_ply.max(1),
        report.line + 1,
        score(report.score)
    );
    match bound {
        Bound::Lower => text.push_str(" lowerbound"),
        Bound::Upper => text.push_str(" upperbound"),
        Bound::Exact => (),
    }
    if facts.wdl {
        let pieces = position.board().occupied().count();
        let [win, draw, loss] = Odds::built_in().of(report.score, pieces);
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let speed = (report.nodes as f64 / facts.elapsed.as_secs_f64().max(0.000_1)) as u64;
    let _ = write!(
        text,
        " nodes {} nps {speed} hashfull {} tbhits {} time {millis} pv",
        report.nodes, facts.hash_full, facts.table_hits
    );
    for mv in uci_moves(position, &report.pv) {
        let _ = write!(text, " {mv}");
    }
    Some(text)
}

/// Returns how far the value of a report can be trusted. For a search by plans, these are the depths of
/// White's and Black's plan, if they differ. For a best-first search, this is the range of root values
/// that a number of wrong leaves could cause, for the side to move.
pub fn trust(position: &Position, report: &Report<Move>) -> Option<String> {
    if let Some((least, greatest)) = report.range {
        let bound = |value: Score| match value {
            Score::INFINITE => "inf".into(),
            _ if value == -Score::INFINITE => "-inf".into(),
            value => score(value),
        };
        let (conspirators, least, greatest) = (report.iteration, bound(least), bound(greatest));
        return Some(match conspirators {
            0 => format!("info string least {least} greatest {greatest}"),
            _ => format!("info string conspirators {conspirators} least {least} greatest {greatest}"),
        });
    }
    let (white, black) = depths(position.turn(), report);
    (white != black).then(|| format!("info string plans white {white:.1} black {black:.1}"))
}

/// Returns the message about lines that ended at the maximum ply and not at their depth, if there are
/// any.
pub fn cut_off(answer: &Answer<Move>) -> Option<String> {
    (answer.cut_off > 0).then(|| format!("info string {}", lines_cut_off(answer.cut_off)))
}

/// Returns the message that `count` lines ended at the maximum ply.
pub fn lines_cut_off(count: u64) -> String {
    let lines = if count == 1 { "line" } else { "lines" };
    format!("{count} {lines} cut off at ply {MAX_PLY}")
}

/// Returns the depths, in plies, to which White's and Black's plan were searched.
pub fn depths(turn: Color, report: &Report<Move>) -> (f64, f64) {
    let (own, other) = (report.depths.lower.to_f64(), report.depths.upper.to_f64());
    if turn.is_white() { (own, other) } else { (other, own) }
}

/// Returns a score in the notation of the protocol.
pub fn score(score: Score) -> String {
    match moves_to_mate(score) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", score.0),
    }
}

/// Returns the moves of a line in the notation of the protocol. The line ends before a move that is not
/// legal.
pub fn uci_moves(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut moves = Vec::with_capacity(line.len());
    for mv in line {
        if !position.legal_moves().contains(mv) {
            break;
        }
        moves.push(position.uci(*mv));
        position.play(*mv);
    }
    moves
}

/// Returns the line that ends a search: `bestmove`, with the reply to ponder on.
pub fn best_move(position: &Position, answer: &Answer<Move>) -> String {
    let line = answer.lines.first().map(|line| line.pv.as_slice());
    best_line(position, line.unwrap_or_default())
}

/// Returns the `bestmove` line for a principal variation.
pub fn best_line(position: &Position, line: &[Move]) -> String {
    match uci_moves(position, line).as_slice() {
        [] => "bestmove 0000".into(),
        [best] => format!("bestmove {best}"),
        [best, reply, ..] => format!("bestmove {best} ponder {reply}"),
    }
}

/// Returns the info line for a position in which the game is over.
pub fn game_over(position: &Position) -> String {
    let score = if position.checkers().any() { "mate 0" } else { "cp 0" };
    format!("info depth 0 score {score}")
}
