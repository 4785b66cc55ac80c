//! Output for a position.

use super::Item;
use super::beside::{self, Beside, Tally};
use crate::commands::analyse::output::{end_of_game, is_threefold};
use crate::terminal::{DIM, STRONG, counted, harmless_text};
use crate::uci::info;
use cassius_chess::Move;
use cassius_chess::mate::{Mate, Winner, no_mate_in};
use cassius_chess::tablebase::has_repeated;
use cassius_search::proof::Answer;
use serde::Serialize;
use shakmaty::Color;
use std::fmt::{self, Write as _};
use std::time::Duration;

/// The results of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The side that was to mate.
    pub winner: Winner,
    /// The maximum number of moves of the mate.
    pub moves: usize,
    /// The number of moves that the input states.
    pub stated: Option<usize>,
    /// The answer.
    pub answer: Answer,
    /// The mate, if there is one.
    pub mate: Option<Mate>,
    /// Other first moves that mate in the same number of moves, or may do so.
    pub also: Vec<(Move, Option<bool>)>,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The time it took.
    pub elapsed: Duration,
    /// Why no mate was looked for, if so.
    pub barred: Option<Barred>,
    /// The answer of another engine, if one was asked.
    pub beside: Option<Beside>,
}

/// Why no mate is looked for. A proof takes no account of the game before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Barred {
    /// A draw can be claimed by the fifty-move rule.
    FiftyMoves,
    /// A draw can be claimed, because the position has occurred three times.
    Threefold,
    /// Some position has occurred twice.
    Repeated,
}

impl Barred {
    /// Returns the reason that a position and the game before it have.
    pub fn of(item: &Item) -> Option<Barred> {
        let (position, before) = (&item.position, &item.before);
        match () {
            () if position.legal_moves().is_empty() => None,
            () if position.halfmoves() >= 100 => Some(Barred::FiftyMoves),
            () if is_threefold(item) => Some(Barred::Threefold),
            () if has_repeated(position, before) => Some(Barred::Repeated),
            () => None,
        }
    }
}

impl Found {
    /// Returns the number of moves of the mate.
    fn mate_in(&self) -> Option<usize> {
        self.mate.as_ref().map(|mate| Winner::moves(mate.replayed.plies))
    }

    /// Whether it is proven that no mate is shorter.
    fn is_shortest(&self) -> bool {
        matches!(self.answer, Answer::Proven { shortest: true, .. })
    }

    /// Returns the number of moves within which it is proven that there is no mate.
    pub fn no_mate_in(&self) -> Option<usize> {
        no_mate_in(self.answer)
    }

    /// Returns other solutions: the proven ones, or those that are possible.
    fn others(&self, proven: bool) -> impl Iterator<Item = Move> {
        self.also.iter().filter(move |(_, mates)| mates.is_some() == proven).map(|(mv, _)| *mv)
    }
}

fn name(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}

/// Returns several lines of text.
pub fn text(item: &Item, found: &Found) -> String {
    let mut text = String::new();
    let position = &item.position;
    let title: Vec<&str> = [item.place.as_str()]
        .into_iter()
        .chain(item.name.as_deref())
        .filter(|part| !part.is_empty())
        .collect();
    if !title.is_empty() {
        let _ = writeln!(text, "{STRONG}{}{STRONG:#}", harmless_text(&title.join("  ")));
    }
    let _ = writeln!(text, "{DIM}{position}{DIM:#}");
    let winner = name(found.winner.color(position));
    match &found.mate {
        Some(mate) if mate.replayed.plies == 0 => {
            let _ = writeln!(text, "  {STRONG}checkmate{STRONG:#}: {winner} has won");
        }
        Some(mate) => {
            let moves = Winner::moves(mate.replayed.plies);
            let proof = if found.is_shortest() { "proven shortest" } else { "there may be shorter mates" };
            let line = position.line_to_san(&mate.replayed.line);
            let _ = writeln!(text, "  {STRONG}{winner} mates in {moves}{STRONG:#} ({proof}): {line}");
        }
        None if let Some(barred) = found.barred => {
            let why = match barred {
                Barred::FiftyMoves => "a draw can be claimed by the fifty-move rule",
                Barred::Threefold => "a draw can be claimed by threefold repetition",
                Barred::Repeated => "some position has occurred twice, so nothing is proven",
            };
            let _ = writeln!(text, "  {STRONG}{why}{STRONG:#}: no mate is looked for");
        }
        None if position.legal_moves().is_empty() => {
            let end = end_of_game(position).unwrap_or_default();
            let _ = writeln!(text, "  {STRONG}the game is over{STRONG:#}, {end}");
        }
        None => {
            let none = |moves| format!("no mate in {moves} by {winner} (proven)");
            let _ = match (found.answer, found.no_mate_in()) {
                (Answer::Disproven { .. }, Some(moves)) => {
                    writeln!(text, "  {STRONG}{}{STRONG:#}", none(moves))
                }
                (_, Some(moves)) => {
                    writeln!(text, "  {STRONG}undecided{STRONG:#}: {}; longer mates unknown", none(moves))
                }
                _ => writeln!(text, "  {STRONG}undecided{STRONG:#}: nothing is proven"),
            };
            if let Answer::Unknown { proof, disproof, .. } = found.answer {
                let _ = writeln!(text, "  {DIM}proof number {proof}, disproof number {disproof}{DIM:#}");
            }
        }
    }
    let others = match found.is_shortest() {
        true => [(true, "equally short"), (false, "perhaps equally short, undecided")],
        false => [(true, "in no more moves"), (false, "perhaps in no more moves, undecided")],
    };
    for (proven, words) in others {
        let moves: Vec<String> = found.others(proven).map(|mv| position.san(mv)).collect();
        if !moves.is_empty() {
            let _ = writeln!(text, "  {words}: {}", moves.join(" "));
        }
    }
    if let Some(stated) = found.stated
        && found.verdict() == Verdict::Wrong
    {
        let _ = writeln!(text, "  {STRONG}the input says mate in {stated}{STRONG:#}");
    }
    let replayed = found.mate.as_ref().map(|mate| match mate.replayed.positions {
        1 => ", 1 position replayed".to_string(),
        positions => format!(", {positions} positions replayed"),
    });
    let _ = writeln!(
        text,
        "  {DIM}{}, {:.2} s{}{DIM:#}",
        counted(found.nodes as usize, "node", "nodes"),
        found.elapsed.as_secs_f64(),
        replayed.unwrap_or_default()
    );
    if let Some(beside) = &found.beside {
        let _ = writeln!(text, "  {}", beside.text(found.moves, found.no_mate_in()));
    }
    text.push('\n');
    text
}

/// The comparison of an answer with the statement of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// A mate of the stated length.
    AsStated,
    /// A longer mate.
    Longer,
    /// The statement is disproven: there is no mate, or a shorter one.
    Wrong,
    /// The search gave up, or was asked for fewer moves.
    Open,
}

impl Found {
    fn verdict(&self) -> Verdict {
        let Some(stated) = self.stated else { return Verdict::Open };
        match self.mate_in() {
            Some(moves) if moves < stated => Verdict::Wrong,
            Some(moves) if moves == stated => Verdict::AsStated,
            Some(_) if self.no_mate_in() >= Some(stated) => Verdict::Wrong,
            Some(_) => Verdict::Longer,
            None if self.no_mate_in() >= Some(stated) => Verdict::Wrong,
            None => Verdict::Open,
        }
    }
}

/// The number of solved positions among those with stated mates, and the results of another engine.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The number of positions for which the input states a mate.
    stated: usize,
    as_stated: usize,
    longer: usize,
    wrong: usize,
    nodes: u64,
    elapsed: Duration,
    beside: Tally,
}

impl Summary {
    /// Counts an answer.
    pub fn count(&mut self, found: &Found) {
        self.beside.count(found);
        if found.stated.is_none() {
            return;
        }
        self.stated += 1;
        self.nodes += found.nodes;
        self.elapsed += found.elapsed;
        match found.verdict() {
            Verdict::AsStated => self.as_stated += 1,
            Verdict::Longer => self.longer += 1,
            Verdict::Wrong => self.wrong += 1,
            Verdict::Open => (),
        }
    }
}

impl Summary {
    /// Whether there is nothing to report: no mate was stated, and no other engine was asked.
    pub fn is_empty(&self) -> bool {
        self.stated == 0 && self.beside.is_empty()
    }

    /// Returns the summary as JSON, on one line.
    pub fn json(&self) -> String {
        let mut object = serde_json::json!({
            "solved": self.as_stated + self.longer,
            "positions": self.stated,
            "as_stated": self.as_stated,
            "stated_wrongly": self.wrong,
            "nodes": self.nodes,
            "seconds": self.elapsed.as_secs_f64(),
        });
        if !self.beside.is_empty() {
            object["beside"] = serde_json::json!(self.beside);
        }
        object.to_string()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.stated > 0 {
            writeln!(
                f,
                "{STRONG}{} of {} solved{STRONG:#}, {} with a mate of the stated length, {} stated wrongly; \
                 {} nodes, {:.1} s in total",
                self.as_stated + self.longer,
                self.stated,
                self.as_stated,
                self.wrong,
                self.nodes,
                self.elapsed.as_secs_f64()
            )?;
        }
        if !self.beside.is_empty() {
            writeln!(f, "{}", self.beside)?;
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    place: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    fen: String,
    /// The side whose mate was looked for.
    side: String,
    /// The same, if it mates or has mated.
    winner: Option<String>,
    /// How the game has ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    /// The number of moves, if there is a mate.
    mate_in: Option<usize>,
    /// The number of moves within which it is proven that there is no mate.
    no_mate_in: Option<usize>,
    /// Whether a draw can be claimed by the fifty-move rule or by repetition, so that no mate is looked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    drawn: bool,
    /// Whether some position has occurred twice, so that no mate is looked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stated: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disproof_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    perhaps_also: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replayed: Option<usize>,
    nodes: u64,
    time_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<beside::Json<'a>>,
}

/// Returns one line of JSON.
pub fn json(item: &Item, found: &Found) -> String {
    let position = &item.position;
    let numbers = match found.answer {
        Answer::Unknown { proof, disproof, .. } => Some((proof, disproof)),
        _ => None,
    };
    let line = found.mate.as_ref().map(|mate| &mate.replayed.line);
    let others = |proven| found.others(proven).map(|mv| position.uci(mv)).collect();
    let side = found.winner.color(position).to_string();
    let object = Json {
        place: &item.place,
        name: item.name.as_deref(),
        fen: position.to_string(),
        winner: found.mate.is_some().then(|| side.clone()),
        side,
        end: position.legal_moves().is_empty().then(|| end_of_game(position)).flatten(),
        mate_in: found.mate_in(),
        no_mate_in: found.no_mate_in(),
        drawn: matches!(found.barred, Some(Barred::FiftyMoves | Barred::Threefold)),
        repeated: found.barred == Some(Barred::Repeated),
        stated: found.stated,
        proof_number: numbers.map(|(proof, _)| proof),
        disproof_number: numbers.map(|(_, disproof)| disproof),
        uci: line.map(|line| info::uci_moves(position, line)),
        san: line.map(|line| position.line_to_san(line)),
        also: others(true),
        perhaps_also: others(false),
        replayed: found.mate.as_ref().map(|mate| mate.replayed.positions),
        nodes: found.nodes,
        time_ms: u64::try_from(found.elapsed.as_millis()).unwrap_or(u64::MAX),
        beside: found.beside.as_ref().map(|beside| beside.json(found.no_mate_in())),
    };
    serde_json::to_string(&object).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}
