//! Judges one position: its value, every legal move, and what only seems to hold.
//!
//! | step | asked of the search |
//! |---|---|
//! | the value v and the best move | the value, with a third of the nodes |
//! | does each other move hold? | is the position after it still worth v − δ?, to the same iteration, with a minimal window |
//! | which moves look right? | the value of every move to a few plies, by a search that has seen nothing else |
//! | what refutes those that look right and do not hold? | the value after them; a [`Trap`] is only what this confirms: it is below v − δ |
//!
//! The search is that of the recipe `plies`. A move whose question is cut short by the node limit is judged by the last iteration that
//! was answered; [`JudgedMove::verified`] says which. Where endgame tables know the position, they say what each move is worth, and nothing is
//! asked of the search but a line.
//!
//! *Reference:* dynamic options, McAllester & Yuret 1993, §9: a move is an option if a search says that it holds.

use crate::{Effort, Features, Natural, Verdict, chance, error_chance, score_of};
use cassius_chess::recipes::Full;
use cassius_chess::tablebase::{self, Endgames, RankedMove};
use cassius_chess::{Evaluator, Move, Position};
use cassius_search::{
    Answer, Aspiration, Bound, Checks as _, Game as _, Nodes, Plies, Question, Repeats as _, Request, Score,
    Slots, Table, TableError, search,
};
use serde::{Deserialize, Serialize};
use std::fmt;

type Search = Slots<Position, Full<Plies, Question<Aspiration>>>;

/// What the side to move has got, if the game is over: by mate or stalemate, by the fifty-move rule or for want of material, or since the
/// position, which `before` have led to, stands there for the third time.
///
/// ```
/// use cassius_chess::pgn::Game;
/// use cassius_insight::over;
/// use cassius_search::Score;
///
/// let game: Game = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2".parse()?;
/// let positions: Vec<_> = game.positions().collect();
/// assert_eq!(over(&positions[8], &positions[..8]), Some(Score::DRAW));
/// assert_eq!(over(&positions[7], &positions[..7]), None);
/// # Ok::<(), cassius_chess::pgn::PgnError>(())
/// ```
pub fn over(position: &Position, before: &[Position]) -> Option<Score> {
    if position.is_over() {
        return Some(position.outcome().score(0));
    }
    let earlier = before.iter().rev().take(position.reversible_plies()).filter(|other| *other == position);
    (position.drawn_by_rule() || earlier.count() >= 2).then_some(Score::DRAW)
}

/// Judges positions. It remembers what it has searched, so that neighbouring positions of a game are judged alike; what was judged before
/// may change what is found, until [`Analyst::forget`].
pub struct Analyst {
    effort: Effort,
    table: Table,
    search: Search,
    /// Sees a few plies, and nothing that the other has seen.
    shallow: Search,
}

/// A move whose value is known, because the position after it has been judged already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known<'a> {
    /// The move.
    pub mv: Move,
    /// Its value for the side that plays it.
    pub score: Score,
    /// What follows, in standard algebraic notation.
    pub line: &'a [String],
}

/// The value of a position, for one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// In hundredths of a pawn; proven wins and losses as [`Score`] has them.
    pub score: i32,
    /// Moves until somebody is mated, negative if it is this side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The win probability, from 0 to 1.
    pub chance: f64,
}

impl From<Score> for Value {
    fn from(score: Score) -> Value {
        let moves = |plies: usize| plies as i32;
        let mate = score.plies_to_end().map(moves);
        let mate = mate.map(|plies| if score.is_win() { (plies + 1) / 2 } else { -(plies / 2) });
        // How far away a table was asked says nothing to anybody.
        let by_table = mate.is_none() && score.is_decided();
        let score = if by_table { Score(score.0.signum() * Score::KNOWN_WIN.0) } else { score };
        Value { score: score.0, mate, chance: chance(score) }
    }
}

impl fmt::Display for Value {
    /// As players write it: `+0.31`, `#3` or `#-3`, `mate` if it stands on the board; `won` or `lost` if endgame tables say no more than that.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate {
            Some(0) => f.write_str("mate"),
            Some(moves) => write!(f, "#{moves}"),
            None if Score(self.score).is_decided() => {
                f.write_str(if self.score > 0 { "won" } else { "lost" })
            }
            None => write!(f, "{:+.2}", f64::from(self.score) / 100.0),
        }
    }
}

impl Value {
    /// The same for the other side.
    pub fn of_the_other_side(&self) -> Value {
        Value { score: -self.score, mate: self.mate.map(|moves| -moves), chance: 1.0 - self.chance }
    }
}

/// What was found about a position, for its side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The position.
    pub fen: String,
    /// Whether White is to move.
    pub white: bool,
    /// Its value.
    pub value: Value,
    /// The best line, in standard algebraic notation.
    pub line: Vec<String>,
    /// The last iteration that was finished: plies that were searched, more where the search is selective.
    pub iteration: usize,
    /// Every legal move, the best first, then those that hold, then the others, each as they look at shallow depth.
    pub moves: Vec<JudgedMove>,
    /// How much room there is.
    pub room: Room,
    /// Moves that look right and do not hold, the most tempting first: three at most, of six that were looked at.
    pub traps: Vec<Trap>,
    /// A word for it.
    pub verdict: Verdict,
    /// What the chance of an error is computed from.
    pub features: Features,
    /// Nodes searched.
    pub nodes: u64,
}

impl Judged {
    /// The best move.
    pub fn best(&self) -> &JudgedMove {
        &self.moves[0]
    }

    /// The chance that a player with this Elo rating errs here. None where there is nothing to lose, and where the one move that holds mates at once
    /// or takes what hangs: the model that foretells it does not know that anybody plays these.
    pub fn error_chance(&self, elo: f64) -> Option<f64> {
        let foretold = !matches!(self.room.natural, Some(Natural::Mates | Natural::Hanging));
        (foretold && self.verdict != Verdict::Lost).then(|| error_chance(&self.features, elo))
    }

    /// The only move that holds, if there is but one and it has to be found.
    pub fn only_move(&self) -> Option<&JudgedMove> {
        (self.verdict == Verdict::Only).then(|| self.best())
    }
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedMove {
    /// In standard algebraic notation.
    pub san: String,
    /// As UCI writes it.
    pub uci: String,
    /// Whether it keeps the win probability within δ.
    pub holds: bool,
    /// The iteration that says so; as deep as the value's, unless nodes ran out. 0 if there were none: then it holds if it looks so.
    pub verified: usize,
    /// The win probability after it, as it looks at shallow depth.
    pub at_a_glance: f64,
    /// Whether that is within δ of what looks best.
    pub looks_right: bool,
}

/// How many moves hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Room {
    /// Moves that hold …
    pub holding: usize,
    /// … of so many legal ones.
    pub legal: usize,
    /// The least win probability after a move that holds: v − δ.
    pub least: f64,
    /// How likely a player who sees a few plies and chooses by what he sees, with probabilities in proportion to e^(20 W), plays a
    /// move that does not hold, from 0 to 1.
    pub temptation: f64,
    /// Why the only move is no feat, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub natural: Option<Natural>,
}

impl Room {
    /// Moves that hold ÷ legal moves.
    pub fn share(&self) -> f64 {
        self.holding as f64 / self.legal as f64
    }
}

/// A move that looks right and does not hold, as a search after it has confirmed: what it leaves is less than [`Room::least`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trap {
    /// The move, in standard algebraic notation.
    pub san: String,
    /// The win probability after it, as it looks at shallow depth …
    pub at_a_glance: f64,
    /// … and as it is.
    pub chance: f64,
    /// What follows.
    pub refutation: Vec<String>,
}

impl Trap {
    /// The move, and what follows.
    pub fn line(&self) -> Vec<String> {
        std::iter::once(&self.san).chain(&self.refutation).cloned().collect()
    }
}

/// How many traps are told of …
const TRAPS: usize = 3;

/// … and how many moves are searched to find them.
const CANDIDATES: usize = 2 * TRAPS;

/// Logit of the shallow player's choice for a unit of win probability.
const PREFERENCE: f64 = 20.0;

/// Nodes for a glance at one move, which takes some hundreds: more only where captures have no end …
const GLANCE: u64 = 20_000;

/// … and for all moves of a position.
const GLANCES: u64 = 20 * GLANCE;

/// A position that is being judged, with what is known of it so far.
struct Judging<'a> {
    position: &'a Position,
    before: &'a [Position],
    known: Option<Known<'a>>,
    /// What endgame tables say of each move; nothing if they do not know the position.
    ranked: Vec<RankedMove>,
    best: Move,
    score: Score,
    line: Vec<String>,
    iteration: usize,
    nodes: u64,
}

impl Judging<'_> {
    /// What a move is worth by the tables.
    fn by_table(&self, mv: Move) -> Option<Score> {
        self.ranked.iter().find(|ranked| ranked.mv == mv).map(RankedMove::score)
    }

    /// What a move is known to be worth.
    fn worth(&self, mv: Move) -> Option<Score> {
        self.by_table(mv).or_else(|| self.known.filter(|known| known.mv == mv).map(|known| known.score))
    }
}

impl Analyst {
    /// One with so much effort for a position, and a table of so many MiB.
    pub fn new(effort: Effort, mib: usize) -> Result<Analyst, TableError> {
        let make = |table: &Table| Search::new(Evaluator::new(), table.clone(), Endgames::default());
        let table = Table::new(mib)?;
        let (search, shallow) = (make(&table), make(&Table::new(1)?));
        Ok(Analyst { effort, table, search, shallow })
    }

    /// How much is looked at for a position.
    pub fn effort(&self) -> &Effort {
        &self.effort
    }

    /// Changes how much is looked at.
    pub fn set_effort(&mut self, effort: Effort) {
        self.effort = effort;
    }

    /// Asks endgame tables too: for what the moves of a position are worth, and in the tree. Neither a glance nor a plan is helped by them. What
    /// was searched before is forgotten.
    pub fn set_endgames(&mut self, endgames: Endgames) {
        self.search.knowledge = endgames;
        self.forget();
    }

    /// Forgets everything that has been searched.
    pub fn forget(&mut self) {
        self.table.clear();
        self.search.forget();
    }

    /// The table, to be used for something else; what is in it must then be forgotten.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Judges `position`, which `before` have led to, first to last, whether or not somebody may claim a draw. None if no move is left. If the position after one of its
    /// moves has been judged already, the search is for the value of the others, and the greater of the two counts.
    pub fn judge(
        &mut self,
        position: &Position,
        before: &[Position],
        known: Option<Known<'_>>,
    ) -> Option<Judged> {
        let legal = position.legal_moves();
        let mut judging = self.valued(position, before, known, &legal)?;
        let least = chance(judging.score) - self.effort.delta;
        let mut moves = self.verified(&mut judging, &legal, least);
        moves.sort_by_key(|(mv, of)| {
            (*mv != judging.best, !of.holds, std::cmp::Reverse(order(of.at_a_glance)))
        });
        let traps = self.traps(&mut judging, &moves, least);
        let favourite = moves.iter().fold(0.0, |most: f64, (_, of)| most.max(of.at_a_glance));
        let holding = moves.iter().filter(|(_, of)| of.holds).count();
        let natural = |looks_best| Natural::of(position, judging.best, before.last(), looks_best);
        let room = Room {
            holding,
            legal: legal.len(),
            least: least.max(0.0),
            temptation: temptation(&moves, favourite),
            natural: (holding == 1).then(|| natural(moves[0].1.at_a_glance >= favourite)).flatten(),
        };
        let features = Features {
            share: room.share(),
            recapture: natural(false) == Some(Natural::Recapture),
            in_check: position.in_check(),
            chance: chance(judging.score),
            legal: legal.len(),
            temptation: room.temptation,
        };
        Some(Judged {
            fen: position.to_string(),
            white: position.turn().is_white(),
            value: judging.score.into(),
            line: judging.line,
            iteration: judging.iteration,
            room,
            traps,
            verdict: Verdict::of(least, holding, legal.len(), room.natural),
            features,
            nodes: judging.nodes,
            moves: moves.into_iter().map(|(_, of)| of).collect(),
        })
    }

    /// The best move and its value, by a search of so many nodes for nothing else: of `moves`, or of all if these are none. None if no move is left.
    pub fn value(
        &mut self,
        position: &Position,
        before: &[Position],
        moves: &[Move],
        nodes: u64,
    ) -> Option<(Move, Value)> {
        let found = ask(&mut self.search, (position, before), moves, None, usize::MAX, nodes);
        Some((found.best()?, found.score()?.into()))
    }

    /// What the position is worth, and the best move, with a third of the nodes.
    fn valued<'a>(
        &mut self,
        position: &'a Position,
        before: &'a [Position],
        known: Option<Known<'a>>,
        legal: &[Move],
    ) -> Option<Judging<'a>> {
        let ranked = self.ranked(position, before);
        let asked: Vec<Move> = match tablebase::best(&ranked, true) {
            [] => legal.iter().copied().filter(|mv| known.is_none_or(|known| known.mv != *mv)).collect(),
            best => moves_of(best),
        };
        let all_known = asked.is_empty();
        let asked = if all_known { legal } else { &asked };
        let found = ask(&mut self.search, (position, before), asked, None, usize::MAX, self.effort.nodes / 3);
        let (mut best, mut score) = (found.best()?, found.score()?);
        // A table knows who wins; a search may know how soon.
        if let Some(by_table) = ranked.first().map(RankedMove::score) {
            let proven = score.plies_to_end().is_some();
            let agrees = by_table.0 == Score::KNOWN_WIN.0 * score.0.signum();
            score = if proven && agrees { score } else { by_table };
        }
        let iteration = found.lines[0].iteration.max(1);
        let mut line = self.line(position, before, &found.lines[0].pv);
        if let Some(known) = known.filter(|known| known.score >= score || all_known) {
            (best, score) = (known.mv, known.score);
            let follows = known.line.iter().take(iteration).cloned();
            line = std::iter::once(position.san(best)).chain(follows).collect();
        }
        let nodes = found.nodes;
        Some(Judging { position, before, known, ranked, best, score, line, iteration, nodes })
    }

    /// Every move, as it looks at shallow depth, and whether a search as deep as that for the value says that it is worth `least`.
    fn verified(&mut self, judging: &mut Judging<'_>, legal: &[Move], least: f64) -> Vec<(Move, JudgedMove)> {
        let Judging { position, before, best, iteration, .. } = *judging;
        let glances = self.glance(judging, legal);
        let favourite = glances.iter().fold(0.0, |most: f64, glance| most.max(*glance));
        let mut verify = |(index, (mv, at_a_glance)): (usize, (&Move, &f64))| {
            let (holds, verified) = if *mv == best || least <= 0.0 {
                (true, iteration)
            } else if let Some(worth) = judging.worth(*mv) {
                (chance(worth) >= least, iteration)
            } else {
                let budget = self.effort.nodes.saturating_sub(judging.nodes) / (legal.len() - index) as u64;
                let asked = Some(score_of(least));
                let answer = ask(&mut self.search, (position, before), &[*mv], asked, iteration, budget);
                judging.nodes += answer.nodes;
                match answer.lines.first().filter(|line| line.iteration > 0) {
                    Some(line) => (line.bound != Bound::Upper, line.iteration),
                    None => (*at_a_glance >= least, 0), // nothing more is known
                }
            };
            let of = JudgedMove {
                san: position.san(*mv),
                uci: position.uci(*mv),
                holds,
                verified,
                at_a_glance: *at_a_glance,
                looks_right: *at_a_glance >= favourite - self.effort.delta,
            };
            (*mv, of)
        };
        legal.iter().zip(&glances).enumerate().map(&mut verify).collect()
    }

    /// What looks right and does not hold, the most tempting first, as far as a search after it confirms that it leaves less than `least`. If that
    /// search finds a move to hold after all, the first verdict stays, which has seen more: of ten such moves of the games Kasparov played against Deep
    /// Blue in 1997, at 150,000 nodes a position, four hold with a million nodes for each value.
    fn traps(&mut self, judging: &mut Judging<'_>, moves: &[(Move, JudgedMove)], least: f64) -> Vec<Trap> {
        let candidates = moves.iter().filter(|(_, of)| of.looks_right && !of.holds).take(CANDIDATES);
        let confirmed = candidates.filter_map(|(mv, of)| {
            let mut after = judging.position.clone();
            after.play(*mv);
            let mut before = judging.before.to_vec();
            before.push(judging.position.clone());
            let (iteration, nodes) = (judging.iteration, self.effort.nodes / 20);
            let replies = moves_of(tablebase::best(&self.ranked(&after, &before), true));
            let answer = ask(&mut self.search, (&after, &before), &replies, None, iteration, nodes);
            judging.nodes += answer.nodes;
            let (found, refutation) = match answer.lines.first() {
                None => (0.5, Vec::new()), // the game is over: it is stalemate, since a mate holds
                Some(line) if line.iteration > 0 && line.bound != Bound::Upper => {
                    (1.0 - chance(line.score), self.line(&after, &before, &line.pv))
                }
                Some(_) => return None, // nothing was found that it can do no better than
            };
            let chance = judging.by_table(*mv).map_or(found, chance);
            let trap = Trap { san: of.san.clone(), at_a_glance: of.at_a_glance, chance, refutation };
            (chance < least).then_some(trap)
        });
        confirmed.take(TRAPS).collect()
    }

    /// What endgame tables say of every move, the best first; nothing if they do not know the position, nor how long it takes, since the fifty-move rule counts.
    fn ranked(&self, position: &Position, before: &[Position]) -> Vec<RankedMove> {
        let mut ranked = self.search.knowledge.rank(position, before);
        ranked.retain(|ranked| ranked.distance.is_some());
        ranked
    }

    /// A line in standard algebraic notation, as far as tables that know it do not belie it.
    fn line(&self, position: &Position, before: &[Position], moves: &[Move]) -> Vec<String> {
        let (mut position, mut before) = (position.clone(), before.to_vec());
        let mut line = Vec::with_capacity(moves.len());
        for mv in moves {
            let ranked = self.ranked(&position, &before);
            let kept = tablebase::best(&ranked, false).iter().any(|ranked| ranked.mv == *mv);
            if !position.legal_moves().contains(mv) || (!ranked.is_empty() && !kept) {
                break;
            }
            line.push(position.san(*mv));
            before.push(position.clone());
            position.play(*mv);
        }
        line
    }

    /// The win probability after each move as it looks at shallow depth.
    fn glance(&mut self, judging: &mut Judging<'_>, legal: &[Move]) -> Vec<f64> {
        self.shallow.forget();
        self.shallow.memory.clear();
        let asked = (judging.position, judging.before);
        let mut left = GLANCES;
        let mut look = |mv: &Move| {
            let answer = ask(&mut self.shallow, asked, &[*mv], None, self.effort.shallow, GLANCE.min(left));
            left = left.saturating_sub(answer.nodes);
            judging.nodes += answer.nodes;
            answer.score().map_or(0.5, chance)
        };
        legal.iter().map(&mut look).collect()
    }
}

fn moves_of(ranked: &[RankedMove]) -> Vec<Move> {
    ranked.iter().map(|ranked| ranked.mv).collect()
}

/// How likely somebody who chooses by a glance plays a move that does not hold.
fn temptation(moves: &[(Move, JudgedMove)], favourite: f64) -> f64 {
    let weight = |of: &JudgedMove| (PREFERENCE * (of.at_a_glance - favourite)).exp();
    let sum = |pick: fn(&JudgedMove) -> bool| -> f64 {
        moves.iter().map(|(_, of)| if pick(of) { weight(of) } else { 0.0 }).sum()
    };
    sum(|of| !of.holds) / sum(|_| true)
}

/// A search for a value, or for whether it is at least so much.
fn ask(
    slots: &mut Search,
    (position, before): (&Position, &[Position]),
    moves: &[Move],
    at_least: Option<Score>,
    iterations: usize,
    nodes: u64,
) -> Answer<Move> {
    slots.aspiration.at_least = at_least;
    let limits = Nodes(nodes);
    let request = Request { before, moves, iterations, ..Request::new(position, &limits) };
    search(slots, &request, &mut |_| {})
}

/// Chances in an order that is total.
fn order(chance: f64) -> u64 {
    (chance * 1e15) as u64
}

/// The first moves of a line, with their numbers: `12. Nf3 d5 13. c4 …`. It begins with move `number` of White or of Black, and ends after `most` plies, with
/// an ellipsis if there is more.
///
/// ```
/// let line = ["Nf3", "d5", "c4"].map(String::from);
/// assert_eq!(cassius_insight::numbered(&line, 7, false, 2), "7... Nf3 8. d5 …");
/// ```
pub fn numbered(line: &[String], number: u32, white: bool, most: usize) -> String {
    let first = 2 * number + u32::from(!white);
    let word = |(index, mv): (usize, &String)| match first + index as u32 {
        ply if ply.is_multiple_of(2) => format!("{}. {mv}", ply / 2),
        ply if index == 0 => format!("{}... {mv}", ply / 2),
        _ => mv.clone(),
    };
    let mut words: Vec<String> = line.iter().take(most).enumerate().map(word).collect();
    words.extend((line.len() > most).then(|| "…".into()));
    words.join(" ")
}
