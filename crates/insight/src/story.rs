//! The story of a game: its opening and phases, how accurately each side played, and the moments at which
//! it was decided.
//!
//! *Reference:* the phases follow `Divider` of lichess.org's source (lila), and the accuracy what it
//! publishes ([`move_accuracy`](crate::move_accuracy)). The moments are Cassius' own.
//! *Deviations:* `Divider` also looks at how mixed the pieces of both sides are; here it is not asked.

use crate::accuracy::game_accuracy;
use crate::{AnnotatedGame, AnnotatedMove, Remark, Verdict, numbered};
use cassius_chess::{Position, openings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A side that keeps this win probability can hold: about two pawns and a third are missing.
pub const CAN_HOLD: f64 = 0.30;
/// A side with this win probability is winning: it is about five pawns ahead.
pub const WINNING: f64 = 0.85;

/// A side with this win probability is better: it is about half a pawn ahead.
const BETTER: f64 = 0.57;

/// The story of a game.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Story {
    /// The opening, if it has a name.
    pub opening: Option<NamedOpening>,
    /// The number of moves of both sides before the middlegame, if there was one.
    pub middlegame: Option<usize>,
    /// The number of moves of both sides before the endgame, if there was one.
    pub endgame: Option<usize>,
    /// The accuracy of White and of Black, from 0 to 100. `None` for a side that has not moved.
    pub accuracy: [Option<f64>; 2],
    /// The key moments, in the order of the game.
    pub moments: Vec<Moment>,
}

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct NamedOpening {
    /// The code of the Encyclopaedia of Chess Openings.
    pub code: String,
    /// The name.
    pub name: String,
    /// The number of moves of both sides that the name knows.
    pub plies: usize,
}

/// A key moment of a game.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Moment {
    /// The number of moves of both sides up to and with the move that it is about.
    pub plies: usize,
    /// Whether it is about White.
    pub white: bool,
    /// What happened.
    pub kind: MomentKind,
    /// The same in a sentence.
    pub text: String,
}

/// What happened at a key moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MomentKind {
    /// The only move that holds was found.
    OnlyMoveFound,
    /// The only move that holds was missed.
    OnlyMoveMissed,
    /// A mistake or a blunder where several moves hold.
    Error,
    /// The last move before which the side that lost could hold.
    LastChance,
    /// The side resigned, or lost in a way that the game does not tell, but it could hold.
    ResignedTooEarly,
    /// The side ran out of time, but it could hold.
    LostOnTime,
    /// A draw was agreed, but the side was winning.
    DrawnTooEarly,
}

impl Story {
    /// Returns the story of an annotated game.
    ///
    /// ```
    /// use cassius_chess::pgn::Game;
    /// use cassius_insight::{Analyst, Effort, MomentKind, Story, annotate};
    ///
    /// let game: Game = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
    /// let mut analyst = Analyst::new(Effort { nodes: 20_000, plan_nodes: 0, ..Effort::default() }, 4)?;
    /// let story = Story::of(&annotate(&mut analyst, &game, &mut |_, _| true)?.expect("not interrupted"));
    /// assert_eq!(story.opening.unwrap().name, "Barnes Opening: Fool's Mate");
    /// let moment = &story.moments[0];
    /// assert_eq!((moment.plies, moment.kind), (3, MomentKind::Error));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(game: &AnnotatedGame) -> Story {
        let positions = positions(game);
        let Phases { opening, middlegame, endgame } = Phases::of(&positions);
        let white_begins = positions.first().is_none_or(|position| position.turn().is_white());
        let chances = std::iter::once(&game.before).chain(game.moves.iter().map(|mv| &mv.after));
        let chances: Vec<f64> = chances.map(|standing| standing.value.chance).collect();
        let accuracy = game_accuracy(&chances, white_begins);
        Story { opening, middlegame, endgame, accuracy, moments: moments(game) }
    }
}

/// The phases of a game, as in [`Story`].
pub(crate) struct Phases {
    pub opening: Option<NamedOpening>,
    pub middlegame: Option<usize>,
    pub endgame: Option<usize>,
}

impl Phases {
    /// Returns the phases of a game with these positions.
    pub fn of(positions: &[Position]) -> Phases {
        let middlegame = positions.iter().position(has_left_opening);
        let endgame = positions.iter().position(|position| pieces(position) <= 6);
        let opening = openings::last_name(positions).map(|(plies, name)| NamedOpening {
            code: name.code.clone(),
            name: name.name.clone(),
            plies,
        });
        let middlegame = middlegame.filter(|start| endgame.is_none_or(|end| *start < end));
        Phases { opening, middlegame, endgame }
    }
}

/// Returns the positions of the game, the start included.
pub(crate) fn positions(game: &AnnotatedGame) -> Vec<Position> {
    let fens = std::iter::once(&game.start).chain(game.moves.iter().map(|mv| &mv.fen));
    fens.map_while(|fen| fen.parse().ok()).collect()
}

/// Returns the number of pieces other than kings and pawns.
fn pieces(position: &Position) -> usize {
    let board = position.board();
    (board.occupied() & !board.kings() & !board.pawns()).count()
}

/// Whether ten pieces or fewer are left, or a side has developed so far that fewer than four of its men
/// stand on its first rank.
fn has_left_opening(position: &Position) -> bool {
    let board = position.board();
    let [white, black] = [board.white().0 & 0xff, board.black().0 >> 56];
    pieces(position) <= 10 || white.count_ones() < 4 || black.count_ones() < 4
}

/// Returns the key moments in order.
fn moments(game: &AnnotatedGame) -> Vec<Moment> {
    let loser = loser(game);
    let last_chance = loser.and_then(|white| {
        // The last position has a longer search. If it still holds, so did those before.
        let at_end = game.end.as_ref().map(|end| if white { end.chance } else { 1.0 - end.chance });
        if at_end.is_some_and(|chance| chance >= CAN_HOLD) {
            return None;
        }
        let could_hold = |mv: &AnnotatedMove| mv.white == white && mv.judged.value.chance >= CAN_HOLD;
        let last = game.moves.iter().rposition(could_hold)?;
        let mv = &game.moves[last];
        (mv.judged.value.chance - mv.loss < CAN_HOLD).then_some(last)
    });
    let moves = game.moves.iter().enumerate();
    let mut moments: Vec<Moment> =
        moves.filter_map(|(index, mv)| moment(mv, index, last_chance == Some(index))).collect();
    moments.extend(ending(game, loser));
    moments
}

/// Returns the moment of a move, if it is one.
fn moment(mv: &AnnotatedMove, index: usize, last_chance: bool) -> Option<Moment> {
    let side = if mv.white { "White" } else { "Black" };
    let san = numbered(std::slice::from_ref(&mv.san), mv.number, mv.white, 1);
    let percent = |chance: f64| format!("{:.0} %", 100.0 * chance);
    let (before, best) = (mv.judged.value.chance, &mv.judged.best().san);
    let fall = || format!("{side} falls from {} to {}", percent(before), percent(before - mv.loss));
    let kind = match mv.remark {
        Some(Remark::OnlyMove) => MomentKind::OnlyMoveFound,
        Some(_) if mv.judged.verdict == Verdict::Only && mv.judged.is_verified() => {
            MomentKind::OnlyMoveMissed
        }
        Some(Remark::Mistake | Remark::Blunder) => MomentKind::Error,
        _ if last_chance => MomentKind::LastChance,
        _ => return None,
    };
    let mut text = match kind {
        MomentKind::OnlyMoveFound => format!("{san}: {side} finds the only move."),
        MomentKind::OnlyMoveMissed => format!("{san}: {}; only {best} holds.", fall()),
        _ => format!("{san}: {}; better is {best}.", fall()),
    };
    if last_chance {
        text += " It was the last chance to hold.";
    }
    Some(Moment { plies: index + 1, white: mv.white, kind, text })
}

/// Returns what is to be said about how the game ended, if it was not over on the board.
pub(crate) fn ending_of(game: &AnnotatedGame) -> Option<Moment> {
    ending(game, loser(game))
}

/// Returns whether White lost; `None` if nobody did.
fn loser(game: &AnnotatedGame) -> Option<bool> {
    match game.result.as_str() {
        "1-0" => Some(false),
        "0-1" => Some(true),
        _ => None,
    }
}

/// How a side lost a game that was not over on the board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Resignation,
    Time,
    /// Neither a player nor the clock ended it.
    Others,
}

/// Parts of the tag `Termination` of games that neither a player nor the clock ended.
const ENDED_BY_OTHERS: [&str; 10] = [
    "infraction",
    "abandon",
    "adjudicat",
    "death",
    "emergency",
    "illegal",
    "stall",
    "connect",
    "unterminated",
    "forfeit",
];

/// Parts of comments on such games. Comments speak of the moves too, so that single words will not do.
const SAID_TO_BE_ENDED_BY_OTHERS: [&str; 4] =
    ["game abandoned", "abandons the game", "adjudicat", "disconnect"];

/// Parts of comments on games that the clock ended.
const SAID_TO_BE_ENDED_BY_TIME: [&str; 8] = [
    "loses on time",
    "lost on time",
    "wins on time",
    "won on time",
    "forfeits on time",
    "time forfeit",
    "runs out of time",
    "ran out of time",
];

/// Returns how the game ended, if the tag `Termination` or a comment on the last move says so.
fn cause(game: &AnnotatedGame) -> Option<Cause> {
    // Some sites write who won, and names may be anything.
    let names = game.tags.iter().filter(|(tag, _)| ["White", "Black"].contains(&tag.as_str()));
    let names: Vec<String> = names.map(|(_, name)| name.trim().to_lowercase()).collect();
    let plain = |text: &str| {
        let names = names.iter().filter(|name| !name.is_empty());
        names.fold(text.to_lowercase(), |text, name| without(&text, name))
    };
    let tag = game.tags.iter().find(|(tag, _)| tag == "Termination");
    let tag = tag.map_or(String::new(), |(_, value)| plain(value.trim()));
    // What is in brackets is a variation: it tells of another game.
    let said = game.moves.last()?.said.iter().filter(|text| !text.starts_with('('));
    let said = plain(&said.map(String::as_str).collect::<Vec<_>>().join(" "));
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    match () {
        () if tag.contains("time") => Some(Cause::Time),
        () if has(&tag, &ENDED_BY_OTHERS) => Some(Cause::Others),
        () if tag.contains("resign") => Some(Cause::Resignation),
        () if has(&said, &SAID_TO_BE_ENDED_BY_TIME) => Some(Cause::Time),
        () if has(&said, &SAID_TO_BE_ENDED_BY_OTHERS) => Some(Cause::Others),
        // So Lichess calls what a mate or a resignation ended.
        () if said.contains("resign") || tag == "normal" => Some(Cause::Resignation),
        () => None,
    }
}

/// Returns a text without a name, where it is not part of a longer word.
fn without(text: &str, name: &str) -> String {
    let (mut rest, mut left) = (text, String::new());
    while let Some(place) = rest.find(name) {
        let (before, after) = (&rest[..place], &rest[place + name.len()..]);
        let begins =
            !before.ends_with(char::is_alphanumeric) && (place > 0 || !left.ends_with(char::is_alphanumeric));
        let is_whole = begins && !after.starts_with(char::is_alphanumeric);
        left += before;
        if !is_whole {
            left += name;
        }
        rest = after;
    }
    left + rest
}

/// See [`ending_of`].
fn ending(game: &AnnotatedGame, loser: Option<bool>) -> Option<Moment> {
    let for_white = game.end.as_ref().filter(|_| !game.moves.is_empty())?.chance;
    let percent = |chance: f64| format!("{:.0} %", 100.0 * chance);
    let name = |white: bool| if white { "White" } else { "Black" };
    let plies = game.moves.len();
    if let Some(white) = loser {
        let chance = if white { for_white } else { 1.0 - for_white };
        if chance < CAN_HOLD {
            return None;
        }
        let side = name(white);
        let (kind, what) = match cause(game) {
            Some(Cause::Others) => return None,
            Some(Cause::Time) => (MomentKind::LostOnTime, "runs out of time in"),
            Some(Cause::Resignation) => (MomentKind::ResignedTooEarly, "resigns in"),
            None => (MomentKind::ResignedTooEarly, "loses from"),
        };
        let position = match chance {
            _ if chance >= WINNING => "a winning position",
            _ if chance >= BETTER => "a better position",
            _ => "a position that holds",
        };
        let text = format!("{side} {what} {position}: {side} has {}.", percent(chance));
        return Some(Moment { plies, white, kind, text });
    }
    let white = for_white >= 0.5;
    let chance = if white { for_white } else { 1.0 - for_white };
    (game.result == "1/2-1/2" && chance >= WINNING).then(|| {
        let side = name(white);
        let text = format!("The game is drawn, but {side} was winning: {side} has {}.", percent(chance));
        Moment { plies, white, kind: MomentKind::DrawnTooEarly, text }
    })
}
