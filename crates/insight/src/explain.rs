//! Explains a position: both sides' numbers, and how many precise moves in a row each side needs.

use crate::human::Player;
use crate::movement::{LATER, MOVE, chance_to_move};
use crate::plans::plan;
use crate::story::{CAN_HOLD, WINNING};
use crate::{
    Analyst, Effort, JudgeError, Judged, JudgedMove, Known, Natural, PlanSafety, Plans, Verdict, chance, over,
};
use cassius_chess::Position;
use cassius_search::{Game as _, Keyed as _, Score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The explanation of a position.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Explanation {
    /// The name of the engine whose values these are.
    pub judge: String,
    /// The findings for the side to move.
    pub own: Judged,
    /// The findings for the other side, after the best move; `None` if the game is then over.
    pub other: Option<Judged>,
    /// The chance that a search with twelve times the nodes that found the value changes the win probability
    /// by more than 0.05. It is absent where nothing was measured: for proven values, if the game is over
    /// after the best move, for other engines, other evaluations and endgame tables, and for fewer than
    /// 20,000 or more than 1,000,000 nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movement: Option<f64>,
    /// The safety of the plans that keep the value.
    pub plans: Plans,
    /// The precise moves in a row that each side has to find.
    pub runs: [Run; 2],
    /// The practical chances of moves that hold, if they were asked for: [`Effort::practical`].
    pub practical: Vec<Practical>,
    /// Nodes searched, not counting those of the plans.
    pub nodes: u64,
}

/// A move that holds, and what it asks of the other side.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Practical {
    /// The move, in standard algebraic notation.
    pub san: String,
    /// The position after it, as the other side has to judge it; `None` if the game is over.
    pub then: Option<Judged>,
}

impl Practical {
    /// Returns how much win probability the other side is expected to lose after the move, if it is such a
    /// player.
    pub fn problems(&self, player: &Player) -> f64 {
        self.then.as_ref().map_or(0.0, |then| then.expected_loss(player))
    }
}

impl Explanation {
    /// Returns the moves whose practical chances were examined, the one that sets the hardest problems first:
    /// after it the other side is expected to lose most.
    pub fn by_problems(&self, player: &Player) -> Vec<(&Practical, f64)> {
        let mut moves: Vec<_> = self.practical.iter().map(|of| (of, of.problems(player))).collect();
        moves.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        moves
    }
}

/// Moves in a row that one side, the side to move or the other, has to find if both sides play the best
/// moves.
#[derive(Clone, Debug, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Run {
    /// The moves, in standard algebraic notation: each is the only one that holds, and not a natural
    /// one.
    pub moves: Vec<String>,
    /// Whether the run may continue: it was cut off at [`LONGEST`](Run::LONGEST).
    pub may_go_on: bool,
}

impl Explanation {
    /// Returns what matters most, in a sentence or two: who stands how, and who has to be careful.
    ///
    /// ```
    /// # use cassius_chess::Position;
    /// # use cassius_insight::{Analyst, Effort, explain};
    /// # let mut analyst = Analyst::new(Effort { nodes: 60_000, plan_nodes: 0, ..Effort::default() }, 4)?;
    /// let position: Position = "7K/8/k1P5/7p/8/8/8/8 w - - 0 1".parse()?;
    /// let explained = explain(&mut analyst, &position, &[])?.expect("the game is not over");
    /// let said = explained.headline();
    /// assert!(said.contains("White must find Kg7: nothing else holds."), "{said}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn headline(&self) -> String {
        let own = &self.own;
        let name = |white: bool| if white { "White" } else { "Black" };
        let (side, other) = (name(own.white), name(!own.white));
        let best = &own.best().san;
        let chance = own.value.chance;
        let (ahead, most) = if chance >= 0.5 { (side, chance) } else { (other, 1.0 - chance) };
        let stands = match most {
            _ if own.value.mate.is_some() => format!("{ahead} mates."),
            _ if most >= 0.9 => format!("{ahead} is winning."),
            _ if most >= 0.7 => format!("{ahead} is much better."),
            _ if most >= 0.57 => format!("{ahead} is better."),
            _ => "About equal.".into(),
        };
        let holding = own.moves.iter().filter(|mv| mv.holds).map(|mv| mv.san.as_str());
        let counted = format!("{} of {} moves {}", own.room.holding, own.room.legal, own.hold());
        let asked = match own.verdict {
            Verdict::Lost => format!("{side} is lost, whatever is played."),
            Verdict::Only if own.is_verified() => format!("{side} must find {best}: nothing else holds."),
            Verdict::Only => format!("{side} must find {best}: nothing else was found to hold."),
            Verdict::Natural => {
                let seen = if own.is_verified() { "Only" } else { "As far as was searched only" };
                let reason = own.room.natural.map_or("", Natural::reason);
                format!("{seen} {best} holds, {reason}.")
            }
            Verdict::Few => {
                format!("{side} has to choose well: {} {}.", both(&holding.collect::<Vec<_>>()), own.hold())
            }
            Verdict::Some => format!("{side} has some room: {counted}."),
            Verdict::Free => format!("{side} is free to choose: {counted}."),
        };
        let then = match self.other.as_ref() {
            Some(next) if next.verdict == Verdict::Only && next.is_verified() => {
                format!(" After {best} {other} must find {}.", next.best().san)
            }
            Some(next) if next.verdict == Verdict::Only => {
                format!(
                    " After {best} {other} must find {}: nothing else was found to hold.",
                    next.best().san
                )
            }
            Some(next) if next.verdict == Verdict::Few => {
                format!(" After {best} {other} has to choose well.")
            }
            _ => String::new(),
        };
        format!("{stands} {asked}{then}")
    }
}

impl Explanation {
    /// Returns a sentence that says how likely the value is to move, if that is known.
    ///
    /// ```
    /// # use cassius_insight::{Analyst, Effort, explain};
    /// # let mut analyst = Analyst::new(Effort { nodes: 20_000, plan_nodes: 0, ..Effort::default() }, 4)?;
    /// let explained = explain(&mut analyst, &Default::default(), &[])?.expect("the game is not over");
    /// let said = explained.outlook().expect("a value of our own search");
    /// assert!(said.starts_with("With 12 times the nodes the win probability"), "{said}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outlook(&self) -> Option<String> {
        let of_a_hundred = 100.0 * self.movement?;
        let often = match of_a_hundred {
            of if of < 1.0 => "fewer than 1".into(),
            of => format!("about {of:.0}"),
        };
        Some(format!(
            "With {LATER} times the nodes the win probability changes by more than {} points in {often} % of \
             such positions.",
            100.0 * MOVE
        ))
    }
}

/// Joins two or three words: `a and b`, `a, b and c`.
fn both(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        words => words.concat(),
    }
}

/// The maximum number of times that a value is judged again.
const DOUBTS: usize = 2;

impl Run {
    /// The maximum length of a run that is searched for.
    pub const LONGEST: usize = 3;
}

/// Explains a position. `before` are the positions that led to it, first to last. Returns `None` if the
/// game is [`over`] there.
///
/// ```
/// use cassius_chess::Position;
/// use cassius_insight::{Analyst, Effort, Verdict, explain};
///
/// // Réti 1921: only one move catches the pawn, or brings the own one home.
/// let position: Position = "7K/8/k1P5/7p/8/8/8/8 w - - 0 1".parse()?;
/// let mut analyst = Analyst::new(Effort { nodes: 60_000, plan_nodes: 500, ..Effort::default() }, 4)?;
/// let explained = explain(&mut analyst, &position, &[])?.expect("the game is not over");
/// assert_eq!(explained.own.only_move().map(|only| only.san.as_str()), Some("Kg7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the judge cannot answer. Our own search always can, until its [limits](Analyst::set_limits) are
/// reached.
pub fn explain(
    analyst: &mut Analyst,
    position: &Position,
    before: &[Position],
) -> Result<Option<Explanation>, JudgeError> {
    if over(position, before).is_some() { Ok(None) } else { explain_unclaimed(analyst, position, before) }
}

/// Explains a position as [`explain`] does, but also where a draw can be claimed: by the fifty-move rule, or
/// because the position is on the board for the third time. Returns `None` if there is no legal move, or too
/// little material. Where a draw can be claimed by the fifty-move rule, its count starts afresh, since
/// otherwise the game would be over after most moves. Repetitions are counted from there, too, and the
/// certificates of the plans are for the position with that count.
///
/// # Errors
/// As [`explain`].
pub fn explain_unclaimed(
    analyst: &mut Analyst,
    position: &Position,
    before: &[Position],
) -> Result<Option<Explanation>, JudgeError> {
    if position.is_over() || position.is_insufficient_material() {
        return Ok(None);
    }
    if position.halfmoves() >= 100 {
        let found = explain_unclaimed(analyst, &position.with_new_clock(), before)?;
        return Ok(found.map(|found| with_clock_of(position, found)));
    }
    analyst.forget();
    let effort = *analyst.effort();
    let Some(mut own) = analyst.judge(position, before, None)? else { return Ok(None) };
    let mut nodes = own.nodes;
    let (mut after, mut line, mut other);
    let mut doubts = 0;
    loop {
        line = before.to_vec();
        after = play(position, &own, &mut line);
        other = judge(analyst, &after, &line)?;
        // The judgement one move later may contradict the value. Then the position is judged again with
        // what is known now.
        let Some(found) = &other else { break };
        nodes += found.nodes;
        let seen_later = (-Score(found.value.score)).at_root(1);
        if doubts == DOUBTS || (chance(seen_later) - own.value.chance).abs() <= effort.delta {
            break;
        }
        doubts += 1;
        let mv = position.parse_uci(&own.best().uci).expect("a legal move");
        let wdl = found.value.of_the_other_side().wdl;
        let known = Known { mv, score: seen_later, wdl, line: &found.line };
        own = analyst.judge(position, before, Some(known))?.expect("the game is not over");
        nodes += own.nodes;
    }
    analyst.set_effort(Effort { nodes: effort.nodes / 2, ..effort });
    let own_run = run(analyst, (position, before), Some(&own), other.as_ref(), &mut nodes);
    let other_run = run(analyst, (&after, &line), other.as_ref(), None, &mut nodes);
    analyst.set_effort(Effort { nodes: effort.nodes / 4, ..effort });
    let practical = practical(analyst, (position, before), &own, other.as_ref(), &mut nodes);
    analyst.set_effort(effort);
    let (runs, practical) = ([own_run?, other_run?], practical?);
    let (own_plan, spent) = analyst.plan(position, own.value.chance, true);
    analyst.goes_on()?;
    let (other_plan, more) = analyst.plan(position, own.value.chance, false);
    let plans = Plans { own: own_plan, other: other_plan, nodes: spent + more };
    let judge = analyst.judge_name();
    let other_usual = other.as_ref().filter(|_| analyst.is_usual());
    let movement = other_usual.and_then(|other| chance_to_move(&own, other, effort.nodes));
    Ok(Some(Explanation { judge, own, other, movement, plans, runs, practical, nodes }))
}

/// The last position of a finished game in which the result was still open.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct LastChance {
    /// How many plies before the end it was.
    pub plies: usize,
    /// The position, judged for its side to move: the one that lost, or one that was winning a game that
    /// ended in a draw.
    pub judged: Judged,
}

/// Finds the last position of a finished game in which the side that lost could hold ([`CAN_HOLD`]), or, if
/// the game ended in a draw, in which the side to move was winning ([`WINNING`]). `position` is the end of
/// the game, `before` are the positions that led to it. Looks back [`LastChance::FARTHEST`] plies, with a
/// tenth of the nodes for each position. Returns `None` if there is none, or if the game is not over.
///
/// ```
/// use cassius_chess::pgn::Game;
/// use cassius_insight::{Analyst, Effort, last_chance};
///
/// let game: Game = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
/// let positions: Vec<_> = game.positions().collect();
/// let mut analyst = Analyst::new(Effort { nodes: 100_000, plan_nodes: 0, ..Effort::default() }, 4)?;
/// let found = last_chance(&mut analyst, &positions[4], &positions[..4])?.expect("a chance");
/// assert_eq!(found.plies, 2); // White's second move lost
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the judge cannot answer. Our own search always can, until its [limits](Analyst::set_limits) are
/// reached.
pub fn last_chance(
    analyst: &mut Analyst,
    position: &Position,
    before: &[Position],
) -> Result<Option<LastChance>, JudgeError> {
    let Some(result) = over(position, before) else { return Ok(None) };
    let (loser, least) = match result {
        Score::DRAW => (None, WINNING),
        _ => (Some(position.turn()), CAN_HOLD),
    };
    analyst.forget();
    let nodes = analyst.effort().nodes / 10;
    let (last, rest) = (position, before);
    for (plies, index) in (1..=LastChance::FARTHEST).zip((0..before.len()).rev()) {
        let (position, before) = (&before[index], &before[..index]);
        if loser.is_some_and(|loser| position.turn() != loser) {
            continue;
        }
        let value = analyst.value(position, before, &[], nodes)?;
        let next = rest.get(index + 1).unwrap_or(last);
        if value.is_some_and(|(_, value)| value.chance >= least) {
            let judged = judge(analyst, position, before)?.filter(|judged| judged.value.chance >= least);
            // Where the best move was played, what followed has shown that it does not hold.
            let was_played = |judged: &Judged| {
                position.parse_move(&judged.best().san).is_ok_and(|mv| {
                    let mut child = position.clone();
                    child.play(mv);
                    child.key() == next.key()
                })
            };
            if let Some(judged) = judged.filter(|judged| !was_played(judged)) {
                return Ok(Some(LastChance { plies, judged }));
            }
        }
    }
    Ok(None)
}

impl LastChance {
    /// The number of plies that are looked back.
    pub const FARTHEST: usize = 80;
}

impl Analyst {
    /// Finds a plan of the side to move, or of the other side, that keeps the value of a position, given
    /// as the win probability of the side to move. Also returns the number of nodes searched. If there
    /// is nothing to hold, no plan is searched for. Earlier search results are discarded.
    pub fn plan(&mut self, position: &Position, chance: f64, own: bool) -> (PlanSafety, u64) {
        let Effort { delta, plan_nodes, plan_depth, .. } = *self.effort();
        let least = if own { chance } else { 1.0 - chance } - delta;
        let planned = match least > 0.0 {
            true => plan(position, (own, least), (plan_nodes, plan_depth), self.for_plans()),
            false => Default::default(),
        };
        self.forget();
        planned
    }
}

/// Returns an explanation whose positions have the halfmove clock of `position` again.
fn with_clock_of(position: &Position, mut found: Explanation) -> Explanation {
    let after = |uci: &str| {
        let mut after = position.clone();
        after.play(position.parse_uci(uci).expect("a legal move"));
        after.to_string()
    };
    found.own.fen = position.to_string();
    if let Some(other) = &mut found.other {
        other.fen = after(&found.own.best().uci);
    }
    for Practical { san, then } in &mut found.practical {
        let of = found.own.moves.iter().find(|of| of.san == *san);
        if let (Some(of), Some(then)) = (of, then) {
            then.fen = after(&of.uci);
        }
    }
    found
}

/// Judges a position, unless the game is over.
fn judge(
    analyst: &mut Analyst,
    position: &Position,
    before: &[Position],
) -> Result<Option<Judged>, JudgeError> {
    if over(position, before).is_some() { Ok(None) } else { analyst.judge(position, before, None) }
}

/// Judges the positions after the first moves that hold.
fn practical(
    analyst: &mut Analyst,
    (position, before): (&Position, &[Position]),
    own: &Judged,
    after_best: Option<&Judged>,
    nodes: &mut u64,
) -> Result<Vec<Practical>, JudgeError> {
    let most = analyst.effort().practical;
    let mut line = before.to_vec();
    line.push(position.clone());
    let mut examine = |of: &JudgedMove| {
        if of.uci == own.best().uci {
            return Ok(Practical { san: of.san.clone(), then: after_best.cloned() });
        }
        let mut after = position.clone();
        after.play(position.parse_uci(&of.uci).expect("a legal move"));
        let then = judge(analyst, &after, &line)?;
        *nodes += then.as_ref().map_or(0, |then| then.nodes);
        Ok(Practical { san: of.san.clone(), then })
    };
    own.moves.iter().filter(|of| of.holds).take(most).map(&mut examine).collect()
}

/// Finds the moves in a row that the side to move has to find. This position and the one after the best
/// move may have been judged already.
fn run(
    analyst: &mut Analyst,
    (position, before): (&Position, &[Position]),
    judged: Option<&Judged>,
    reply: Option<&Judged>,
    nodes: &mut u64,
) -> Result<Run, JudgeError> {
    let mut found = Run::default();
    let (mut position, mut line) = (position.clone(), before.to_vec());
    let (mut judged, mut reply) = (judged.cloned(), reply.cloned());
    while let Some(here) = judged.take().filter(|here| here.verdict == Verdict::Only) {
        found.moves.push(here.best().san.clone());
        if found.moves.len() == Run::LONGEST {
            found.may_go_on = true;
            break;
        }
        position = play(&position, &here, &mut line);
        let mut anew = |position: &Position, line: &[Position]| {
            let judged = judge(analyst, position, line)?;
            *nodes += judged.as_ref().map_or(0, |judged| judged.nodes);
            Ok(judged)
        };
        let answer = match reply.take() {
            Some(answer) => Some(answer),
            None => anew(&position, &line)?,
        };
        let Some(answer) = answer else { break };
        position = play(&position, &answer, &mut line);
        judged = anew(&position, &line)?;
    }
    Ok(found)
}

/// Returns the position after the best move, and appends this one to `before`.
fn play(position: &Position, judged: &Judged, before: &mut Vec<Position>) -> Position {
    before.push(position.clone());
    let mut after = position.clone();
    after.play(position.parse_uci(&judged.best().uci).expect("a legal move"));
    after
}
