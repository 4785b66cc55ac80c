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
//! was answered; [`JudgedMove::verified`] says which.
//!
//! *Reference:* dynamic options, McAllester & Yuret 1993, §9: a move is an option if a search says that it holds.

use crate::{Effort, Features, Natural, Verdict, chance, error_chance, score_of};
use cassius_chess::recipes::Full;
use cassius_chess::tablebase::Endgames;
use cassius_chess::{Evaluator, Move, Position};
use cassius_search::{
    Answer, Aspiration, Bound, Checks as _, Game as _, Nodes, Plies, Question, Repeats as _, Request, Score,
    Slots, Table, TableError, search,
};
use serde::{Deserialize, Serialize};

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
        Value { score: score.0, mate, chance: chance(score) }
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
        if legal.is_empty() {
            return None;
        }
        let Effort { nodes, delta, .. } = self.effort;
        let mut unknown = legal.clone();
        unknown.retain(|mv| known.is_none_or(|known| known.mv != *mv));
        let asked = if unknown.is_empty() { &legal } else { &unknown };
        let found = ask(&mut self.search, (position, before), asked, None, usize::MAX, nodes / 3);
        let mut spent = found.nodes;
        let (mut best, mut score) = (found.best()?, found.score()?);
        let iteration = found.lines[0].iteration.max(1);
        let mut line = sans(position, &found.lines[0].pv);
        if let Some(known) = known.filter(|known| known.score >= score || unknown.is_empty()) {
            (best, score) = (known.mv, known.score);
            let follows = known.line.iter().take(iteration).cloned();
            line = std::iter::once(position.san(best)).chain(follows).collect();
        }
        let least = chance(score) - delta;
        let glances = self.glance(position, before, &legal, &mut spent);
        let favourite = glances.iter().fold(0.0, |most: f64, glance| most.max(*glance));

        let mut judged = Vec::with_capacity(legal.len());
        for (index, (mv, at_a_glance)) in legal.iter().zip(&glances).enumerate() {
            let verdict = if *mv == best || least <= 0.0 {
                (true, iteration)
            } else if let Some(known) = known.filter(|known| known.mv == *mv) {
                (chance(known.score) >= least, iteration)
            } else {
                let budget = nodes.saturating_sub(spent) / (legal.len() - index) as u64;
                let asked = Some(score_of(least));
                let answer = ask(&mut self.search, (position, before), &[*mv], asked, iteration, budget);
                spent += answer.nodes;
                match answer.lines.first().filter(|line| line.iteration > 0) {
                    Some(line) => (line.bound != Bound::Upper, line.iteration),
                    None => (*at_a_glance >= least, 0), // nothing more is known
                }
            };
            judged.push((
                *mv,
                JudgedMove {
                    san: position.san(*mv),
                    uci: position.uci(*mv),
                    holds: verdict.0,
                    verified: verdict.1,
                    at_a_glance: *at_a_glance,
                    looks_right: *at_a_glance >= favourite - delta,
                },
            ));
        }
        let rank = |(mv, of): &(Move, JudgedMove)| {
            (*mv != best, !of.holds, std::cmp::Reverse(order(of.at_a_glance)))
        };
        judged.sort_by_key(rank);

        let weight = |of: &JudgedMove| (PREFERENCE * (of.at_a_glance - favourite)).exp();
        let sum = |pick: fn(&JudgedMove) -> bool| -> f64 {
            judged.iter().map(|(_, of)| if pick(of) { weight(of) } else { 0.0 }).sum()
        };
        let temptation = sum(|of| !of.holds) / sum(|_| true);
        let holding = judged.iter().filter(|(_, of)| of.holds).count();
        let looks_best = judged[0].1.at_a_glance >= favourite;
        let natural =
            (holding == 1).then(|| Natural::of(position, best, before.last(), looks_best)).flatten();
        let room = Room { holding, legal: legal.len(), least: least.max(0.0), temptation, natural };

        let candidates = judged.iter().filter(|(_, of)| of.looks_right && !of.holds).take(CANDIDATES);
        let confirmed = candidates.filter_map(|(mv, of)| {
            let mut after = position.clone();
            after.play(*mv);
            let mut line = before.to_vec();
            line.push(position.clone());
            let answer = ask(&mut self.search, (&after, &line), &[], None, iteration, nodes / 20);
            spent += answer.nodes;
            let (chance, refutation) = match answer.lines.first() {
                None => (0.5, Vec::new()), // the game is over: it is stalemate, since a mate holds
                Some(line) if line.iteration > 0 && line.bound != Bound::Upper => {
                    (1.0 - chance(line.score), sans(&after, &line.pv))
                }
                Some(_) => return None, // nothing was found that it can do no better than
            };
            let trap = Trap { san: of.san.clone(), at_a_glance: of.at_a_glance, chance, refutation };
            (chance < room.least).then_some(trap)
        });
        let traps = confirmed.take(TRAPS).collect();
        let recapture = Natural::of(position, best, before.last(), false) == Some(Natural::Recapture);
        let features = Features {
            share: room.share(),
            recapture,
            in_check: position.in_check(),
            chance: chance(score),
            legal: legal.len(),
            temptation,
        };
        Some(Judged {
            fen: position.to_string(),
            white: position.turn().is_white(),
            value: score.into(),
            line,
            iteration,
            room,
            traps,
            verdict: Verdict::of(least, holding, legal.len(), natural),
            features,
            nodes: spent,
            moves: judged.into_iter().map(|(_, of)| of).collect(),
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

    /// The win probability after each move as it looks at shallow depth.
    fn glance(
        &mut self,
        position: &Position,
        before: &[Position],
        legal: &[Move],
        spent: &mut u64,
    ) -> Vec<f64> {
        self.shallow.forget();
        self.shallow.memory.clear();
        let mut look = |mv: &Move| {
            let answer =
                ask(&mut self.shallow, (position, before), &[*mv], None, self.effort.shallow, u64::MAX);
            *spent += answer.nodes;
            answer.score().map_or(0.5, chance)
        };
        legal.iter().map(&mut look).collect()
    }
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

/// A line in standard algebraic notation, move by move.
pub(crate) fn sans(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut sans = Vec::with_capacity(line.len());
    for mv in line {
        if !position.legal_moves().contains(mv) {
            break;
        }
        sans.push(position.san(*mv));
        position.play(*mv);
    }
    sans
}
