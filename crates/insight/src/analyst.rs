//! Judges one position: its value, every legal move, and the moves that only seem to hold.
//!
//! | step | question to the [judge](Judge) |
//! |---|---|
//! | value v and best move | the value, with a third of the nodes |
//! | does each other move hold? | is the position after it worth v − δ? (same iteration, minimal window) |
//! | which moves look right? | the value of every move to a few plies, by a separate search of our own |
//! | what refutes the tempting moves? | the value after them; a [`Trap`] is below v − δ |
//!
//! The judge is our own search, unless [`Analyst::with_judge`] names another. A move whose question is cut
//! short by the node limit is judged by the last iteration that was completed; [`JudgedMove::verified`] is
//! the number of that iteration. Where endgame tables have the position, they give the value of each move,
//! and the search provides only a line.
//!
//! *Reference:* dynamic options, McAllester & Yuret 1993, §9: a move is an option if a search
//! establishes that it holds.

use crate::human::{
    Choice, Doubt, HumanModel, LOOKS, ODDS, Player, SEEN, SEEN_YEARS, SumWeights, Sums, Utility, shares,
};
use crate::judge::{Asked, Judge, JudgeError, Own};
use crate::{EXPECTED, Effort, Natural, Verdict, chance, score_of};
use cassius_chess::evaluation::Evaluation;
use cassius_chess::notation::{Pawns, moves_to_mate};
use cassius_chess::tablebase::{self, Endgames, RankedMove};
use cassius_chess::{Move, Position};
use cassius_search::alpha_beta::memory::TableError;
use cassius_search::game::Repeats as _;
use cassius_search::{Bound, Game as _, Limits, Score, Table, Unlimited};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Returns the result for the side to move if the game is over: by mate or stalemate, by the fifty-move
/// rule, by insufficient material, or by the third occurrence of the position. `before` are the
/// positions that led to it.
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

/// Judges positions. It keeps what it has searched, so that neighbouring positions of a game are judged
/// consistently. Earlier judgements may therefore influence later ones, until [`Analyst::forget`].
pub struct Analyst {
    effort: Effort,
    judge: Box<dyn Judge>,
    endgames: Endgames,
    /// Searches a few plies, without access to what the judge has found.
    shallow: Own,
    human: Arc<HumanModel>,
    /// The evaluation of the shallow search and of plans.
    evaluation: Evaluation,
    /// The table for plans: that of our own search.
    table: Table,
    limits: Arc<dyn Limits + Send>,
}

/// A move whose value is known because the position after it has already been judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known<'a> {
    /// The move.
    pub mv: Move,
    /// Its value for the side that plays it.
    pub score: Score,
    /// Wins, draws and losses for the side that plays it, if the judge told them.
    pub wdl: Option<[u32; 3]>,
    /// The continuation, in standard algebraic notation.
    pub line: &'a [String],
}

/// The value of a position, for one side.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Value {
    /// The score in hundredths of a pawn. A win in `n` plies is 32000 − `n`, one of unknown length 30000;
    /// losses are negative.
    pub score: i32,
    /// The number of moves to mate, negative if this side is mated; 0 if the game has ended by mate, and
    /// `score` tells who has won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The win probability, from 0 to 1.
    pub chance: f64,
    /// Wins, draws and losses in 1,000 games, as the engine that judged expects them, if it told them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u32; 3]>,
}

impl From<Score> for Value {
    fn from(score: Score) -> Value {
        let mate = moves_to_mate(score);
        // The distance at which a table was probed is meaningless to a reader.
        let by_table = mate.is_none() && score.is_decided();
        let score = if by_table { Score(score.0.signum() * Score::KNOWN_WIN.0) } else { score };
        Value { score: score.0, mate, chance: chance(score), wdl: None }
    }
}

impl fmt::Display for Value {
    /// Writes the value in the usual notation: `+0.31`, `#3` or `#-3`, `mate` if mate is on the board;
    /// `won` or `lost` if endgame tables give only the result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate {
            Some(0) => f.write_str("mate"),
            Some(moves) => write!(f, "#{moves}"),
            None => Pawns(Score(self.score)).fmt(f),
        }
    }
}

impl Value {
    /// Returns the value from the other side's point of view.
    pub fn of_the_other_side(&self) -> Value {
        Value {
            score: -self.score,
            mate: self.mate.map(|moves| -moves),
            chance: 1.0 - self.chance,
            wdl: self.wdl.map(|[wins, draws, losses]| [losses, draws, wins]),
        }
    }
}

/// The findings about a position, for its side to move.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Judged {
    /// The position.
    pub fen: String,
    /// Whether White is to move.
    pub white: bool,
    /// Its value.
    pub value: Value,
    /// The best line, in standard algebraic notation.
    pub line: Vec<String>,
    /// The last completed iteration: the number of plies searched, more where the search is selective.
    pub iteration: usize,
    /// Every legal move: the best first, then those that hold, then the others, each group in the order
    /// of the shallow search.
    pub moves: Vec<JudgedMove>,
    /// How many moves hold.
    pub room: Room,
    /// Moves that look right and do not hold, the most tempting first: at most three, out of at most six
    /// that were examined.
    pub traps: Vec<Trap>,
    /// The verdict, in a word.
    pub verdict: Verdict,
    /// What turns the sum over the moves into the chance of an error.
    pub sums: SumWeights,
    /// Nodes searched.
    pub nodes: u64,
}

impl Judged {
    /// Returns the best move.
    pub fn best(&self) -> &JudgedMove {
        &self.moves[0]
    }

    /// Returns the chance that a player chooses each move, in the order of [`Judged::moves`].
    ///
    /// ```
    /// # use cassius_chess::Position;
    /// # use cassius_insight::{Analyst, Effort, human::Player};
    /// # let mut analyst = Analyst::new(Effort { nodes: 20_000, plan_nodes: 0, ..Effort::default() }, 4)?;
    /// // Black has just taken a knight on c3: everybody takes back.
    /// let position: Position = "rnbqk2r/pppp1ppp/4pn2/8/2PP4/2b5/PP2PPPP/R1BQKBNR w KQkq - 0 5".parse()?;
    /// let judged = analyst.judge(&position, &[], None)?.expect("moves");
    /// let shares = judged.shares(&Player::from(1500.0));
    /// assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    /// assert!(judged.error_chance(1500.0) < Some(0.2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shares(&self, player: &Player) -> Vec<f64> {
        let utilities: Vec<Utility> = self.moves.iter().map(|of| of.utility).collect();
        shares(&utilities, player)
    }

    /// Returns the chance that a player errs here: that the move chosen lowers the win probability by more
    /// than 0.10. Each move counts by how many choose it, and by how likely it is an error: a verdict of the
    /// judge is not always right. It is no less than the share of those who choose the most
    /// [tempting](Judged::tempting) move, of which is said that it does not hold. Returns `None` where there
    /// is nothing to lose.
    pub fn error_chance(&self, player: impl Into<Player>) -> Option<f64> {
        let player = player.into();
        match self.verdict {
            Verdict::Lost => None,
            _ if self.moves.len() == 1 => Some(0.0),
            _ => {
                let tempted = self.tempting(&player).map_or(0.0, |(_, share)| share);
                Some(self.sums.error_chance(&self.sums_of(&player), &player).max(tempted))
            }
        }
    }

    /// Whether each move was judged by a search of its own, and none at a glance because the nodes ran out.
    pub fn is_verified(&self) -> bool {
        self.moves.iter().all(|of| of.verified > 0)
    }

    /// Says that moves hold; that they were found to, if others were not searched.
    pub(crate) fn hold(&self) -> &'static str {
        match (self.is_verified(), self.room.holding) {
            (true, 1) => "holds",
            (true, _) => "hold",
            (false, 1) => "was found to hold",
            (false, _) => "were found to hold",
        }
    }

    /// Returns what is added up over the moves.
    fn sums_of(&self, player: &Player) -> Sums {
        let holds = self.moves.iter().zip(self.shares(player)).filter(|(of, _)| of.holds);
        Sums {
            errors: self.errors(player).map(|(_, chance)| chance).sum(),
            holds: holds.map(|(_, share)| share).sum(),
            share: self.room.share(),
            chance: self.value.chance,
        }
    }

    /// Returns the moves other than the best, with the chance that each is played and is an error.
    fn errors(&self, player: &Player) -> impl Iterator<Item = (&JudgedMove, f64)> {
        let moves = self.moves.iter().zip(self.shares(player)).skip(1);
        moves.map(|(of, share)| (of, share * of.doubt.chance(player)))
    }

    /// Returns an interval for the chance of an error if the rating or the year is outside of what the model
    /// has seen: from the nearest rating that it has seen to this one, and with odds that differ by [`ODDS`]
    /// in another year. Returns `None` inside, and where there is nothing to lose.
    pub fn error_interval(&self, player: &Player) -> Option<[f64; 2]> {
        let nearest = Player { elo: player.elo.clamp(*SEEN.start(), *SEEN.end()), ..*player };
        let other_year = player.year.is_some_and(|year| !SEEN_YEARS.contains(&year));
        if nearest.elo == player.elo && !other_year {
            return None;
        }
        let [one, other] = [self.error_chance(*player)?, self.error_chance(nearest)?];
        let factor = if other_year { ODDS } else { 1.0 };
        let with_odds = |chance: f64, factor: f64| factor * chance / (1.0 - chance + factor * chance);
        Some([with_odds(one.min(other), 1.0 / factor), with_odds(one.max(other), factor)])
    }

    /// Returns the wrong move that most players choose, and the chance of it.
    pub fn tempting(&self, player: &Player) -> Option<(&JudgedMove, f64)> {
        let wrong = self.moves.iter().zip(self.shares(player)).filter(|(of, _)| !of.holds);
        wrong.max_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// Returns how much win probability a player is expected to lose here by errors. An error loses at least
    /// δ; it is taken to lose what its refutation, or else the last look, says.
    pub fn expected_loss(&self, player: &Player) -> f64 {
        let loss = |of: &JudgedMove| {
            let after = self.traps.iter().find(|trap| trap.san == of.san).map(|trap| trap.chance);
            let least = self.value.chance - self.room.least;
            (self.value.chance - after.unwrap_or(of.looks[LOOKS - 1])).max(least)
        };
        let losses: f64 = self.errors(player).map(|(of, chance)| chance * loss(of)).sum();
        let errors: f64 = self.errors(player).map(|(_, chance)| chance).sum();
        let chance = self.error_chance(*player).unwrap_or(0.0);
        if errors > 0.0 { losses / errors * chance } else { 0.0 }
    }

    /// Returns the only move that holds, if there is exactly one and it has to be found.
    pub fn only_move(&self) -> Option<&JudgedMove> {
        (self.verdict == Verdict::Only).then(|| self.best())
    }
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct JudgedMove {
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// Whether it keeps the win probability within δ of the best.
    pub holds: bool,
    /// The iteration that established `holds`: as deep as the value's, unless the nodes ran out. 0 if no
    /// iteration was completed; then `holds` follows from the shallow search.
    pub verified: usize,
    /// The win probability after it, according to the shallow search.
    pub at_a_glance: f64,
    /// Whether that is within δ of the move that looks best.
    pub looks_right: bool,
    /// The win probability after it at each look of a human: at once, and after one, two and three iterations
    /// of the shallow search.
    pub looks: [f64; LOOKS],
    /// How much it appeals to a human: [`Judged::shares`].
    pub utility: Utility,
    /// How likely it is an error if it is played; the best move is none.
    pub doubt: Doubt,
}

/// How many moves hold.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Room {
    /// The number of moves that hold.
    pub holding: usize,
    /// The number of legal moves.
    pub legal: usize,
    /// The smallest win probability after a move that holds: v − δ.
    pub least: f64,
    /// The probability, from 0 to 1, that a shallow player chooses a move that does not hold. This
    /// player sees a few plies and chooses with probabilities in proportion to e^(20 W).
    pub temptation: f64,
    /// The reason why the only move is easy to find, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub natural: Option<Natural>,
}

impl Room {
    /// Returns the number of moves that hold ÷ the number of legal moves.
    pub fn share(&self) -> f64 {
        self.holding as f64 / self.legal as f64
    }
}

/// A move that looks right and does not hold. A search after the move has confirmed that it leaves less
/// than [`Room::least`].
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Trap {
    /// The move, in standard algebraic notation.
    pub san: String,
    /// The win probability after it, according to the shallow search.
    pub at_a_glance: f64,
    /// The actual win probability after it.
    pub chance: f64,
    /// The refutation, in standard algebraic notation.
    pub refutation: Vec<String>,
}

impl Trap {
    /// Returns the move and its refutation.
    pub fn line(&self) -> Vec<String> {
        std::iter::once(&self.san).chain(&self.refutation).cloned().collect()
    }
}

/// The maximum number of traps that are reported.
const TRAPS: usize = 3;

/// The maximum number of moves that are searched to find them.
const CANDIDATES: usize = 2 * TRAPS;

/// The logit of the shallow player's choice per unit of win probability.
const PREFERENCE: f64 = 20.0;

/// The node limit for the shallow search of one move. It takes some hundreds of nodes; more only where
/// the capture search explodes.
const GLANCE: u64 = 20_000;

/// The node limit for the shallow search of all moves of a position.
const GLANCES: u64 = 20 * GLANCE;

/// A position being judged, with the findings so far.
struct Judging<'a> {
    position: &'a Position,
    before: &'a [Position],
    known: Option<Known<'a>>,
    /// The endgame tables' verdict on each move; empty if they do not have the position.
    ranked: Vec<RankedMove>,
    best: Move,
    score: Score,
    wdl: Option<[u32; 3]>,
    line: Vec<String>,
    iteration: usize,
    nodes: u64,
}

impl<'a> Judging<'a> {
    fn asked(&self) -> Asked<'a> {
        Asked { position: self.position, before: self.before }
    }
}

impl Judging<'_> {
    /// Returns the value of a move according to the tables.
    fn by_table(&self, mv: Move) -> Option<Score> {
        self.ranked.iter().find(|ranked| ranked.mv == mv).map(RankedMove::score)
    }

    /// Returns the value of a move, if it is known.
    fn worth(&self, mv: Move) -> Option<Score> {
        self.by_table(mv).or_else(|| self.known.filter(|known| known.mv == mv).map(|known| known.score))
    }
}

impl Analyst {
    /// Creates an analyst that asks our own search, with this effort per position and a table of `mib` MiB.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(effort: Effort, mib: usize) -> Result<Analyst, TableError> {
        Analyst::with_evaluation(effort, mib, Evaluation::default())
    }

    /// Creates an analyst whose searches and plans have this evaluation.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn with_evaluation(
        effort: Effort,
        mib: usize,
        evaluation: Evaluation,
    ) -> Result<Analyst, TableError> {
        let table = Table::new(mib)?;
        let judge = Box::new(Own::with(table.clone(), &evaluation));
        let shallow = Own::with(Table::new(1)?, &evaluation);
        let (endgames, human) = (Endgames::default(), HumanModel::built_in());
        let limits = Arc::new(Unlimited);
        Ok(Analyst { effort, judge, endgames, shallow, human, evaluation, table, limits })
    }

    /// Creates an analyst that asks another judge. Which moves look right at a glance stays our own
    /// question. Plans need our own evaluation, so an effort for plans should be 0.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn with_judge(effort: Effort, judge: Box<dyn Judge>) -> Result<Analyst, TableError> {
        Ok(Analyst::new(effort, 1)?.judged_by(judge))
    }

    /// Asks another judge from now on.
    pub fn judged_by(mut self, judge: Box<dyn Judge>) -> Analyst {
        self.judge = judge;
        self.judge.set_limits(&self.limits);
        self
    }

    /// Returns the name of the judge.
    pub fn judge_name(&self) -> String {
        self.judge.name()
    }

    /// Whether the judge is our own search with the built-in network and without endgame tables.
    pub fn is_usual(&self) -> bool {
        let evaluation = self.evaluation.number() == Evaluation::default().number();
        self.judge.is_own() && evaluation && self.endgames.tables().is_none()
    }

    /// Returns the effort per position.
    pub fn effort(&self) -> &Effort {
        &self.effort
    }

    /// Changes the effort per position.
    pub fn set_effort(&mut self, effort: Effort) {
        self.effort = effort;
    }

    /// Sets the endgame tables, which are used for the values of a position's moves and in the tree. The
    /// shallow search and the plans do not use them. Earlier search results are discarded.
    pub fn set_endgames(&mut self, endgames: Endgames) {
        self.judge.set_endgames(&endgames);
        self.endgames = endgames;
        self.forget();
    }

    /// Sets the model of what a human would play.
    pub fn set_human_model(&mut self, model: Arc<HumanModel>) {
        self.human = model;
    }

    /// Sets limits that hold for everything that is asked from now on. Once they are reached, nothing is
    /// answered any more: the limits must know it at any moment ([`Limits::ends_now`]), as a flag and a clock
    /// do. What was asked ends soon, with an error; a plan or a question to an engine that cannot be
    /// interrupted is finished first.
    ///
    /// ```
    /// use cassius_chess::Position;
    /// use cassius_insight::{Analyst, Effort, explain};
    /// use cassius_search::Until;
    /// use std::{sync::Arc, time::Duration};
    ///
    /// let mut analyst = Analyst::new(Effort { nodes: 1_000_000_000, ..Effort::default() }, 1)?;
    /// analyst.set_limits(Arc::new(Until::after(Duration::from_millis(20))));
    /// let error = explain(&mut analyst, &Position::default(), &[]).unwrap_err();
    /// assert_eq!(error.to_string(), "the search was stopped");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_limits(&mut self, limits: Arc<dyn Limits + Send>) {
        self.judge.set_limits(&limits);
        self.limits = limits;
    }

    /// Fails if the limits are reached.
    pub(crate) fn goes_on(&self) -> Result<(), JudgeError> {
        if self.limits.ends_now() { Err(JudgeError::stopped()) } else { Ok(()) }
    }

    /// Returns the judge, unless the limits are reached.
    fn asks(&mut self) -> Result<&mut dyn Judge, JudgeError> {
        self.goes_on()?;
        Ok(&mut *self.judge)
    }

    /// Discards all search results.
    pub fn forget(&mut self) {
        self.table.clear();
        self.judge.forget();
    }

    /// Returns evaluation and table for plans. The contents of the table must be cleared afterwards.
    pub(crate) fn for_plans(&self) -> (&Evaluation, &Table) {
        (&self.evaluation, &self.table)
    }

    /// Judges `position`. `before` are the positions that led to it, first to last. A draw that could be
    /// claimed does not end the game. Returns `None` if there is no legal move. If the position after
    /// one of its moves has already been judged, the search determines the value of the other moves, and
    /// the greater value counts.
    ///
    /// # Errors
    /// If the judge cannot answer. Our own search always can, until its [limits](Analyst::set_limits) are
    /// reached.
    pub fn judge(
        &mut self,
        position: &Position,
        before: &[Position],
        known: Option<Known<'_>>,
    ) -> Result<Option<Judged>, JudgeError> {
        let legal = position.legal_moves();
        let Some(mut judging) = self.valued(Asked { position, before }, known, &legal)? else {
            return Ok(None);
        };
        let least = chance(judging.score) - self.effort.delta;
        let mut moves = self.verified(&mut judging, &legal, least)?;
        moves.sort_by_key(|(mv, of)| {
            (*mv != judging.best, !of.holds, std::cmp::Reverse(order(of.at_a_glance)))
        });
        let traps = self.traps(&mut judging, &moves, least)?;
        let favourite = moves.iter().fold(0.0, |most: f64, (_, of)| most.max(of.at_a_glance));
        let holding = moves.iter().filter(|(_, of)| of.holds).count();
        let natural = || {
            let looks_best = moves[0].1.at_a_glance >= favourite;
            Natural::of(position, judging.best, before.last(), looks_best).or_else(|| {
                let utilities: Vec<Utility> = moves.iter().map(|(_, of)| of.utility).collect();
                let share = shares(&utilities, &Player::from(1500.0))[0];
                (share >= EXPECTED).then_some(Natural::Expected)
            })
        };
        let room = Room {
            holding,
            legal: legal.len(),
            least: least.max(0.0),
            temptation: temptation(&moves, favourite),
            natural: (holding == 1).then(natural).flatten(),
        };
        Ok(Some(Judged {
            fen: position.to_string(),
            white: position.turn().is_white(),
            value: Value { wdl: judging.wdl, ..judging.score.into() },
            line: judging.line,
            iteration: judging.iteration,
            room,
            traps,
            verdict: Verdict::of(least, holding, legal.len(), room.natural),
            sums: self.human.sums,
            nodes: judging.nodes,
            moves: moves.into_iter().map(|(_, of)| of).collect(),
        }))
    }

    /// Returns the best move and its value, by a separate search of this many nodes: of `moves`, or of
    /// all moves if `moves` is empty. Returns `None` if there is no legal move.
    ///
    /// # Errors
    /// If the judge cannot answer.
    pub fn value(
        &mut self,
        position: &Position,
        before: &[Position],
        moves: &[Move],
        nodes: u64,
    ) -> Result<Option<(Move, Value)>, JudgeError> {
        let found = self.asks()?.value(Asked { position, before }, moves, usize::MAX, nodes)?;
        Ok(found.map(|found| (found.line[0], Value { wdl: found.wdl, ..found.score.into() })))
    }

    /// Determines the value of the position and the best move, with a third of the nodes.
    fn valued<'a>(
        &mut self,
        asked: Asked<'a>,
        known: Option<Known<'a>>,
        legal: &[Move],
    ) -> Result<Option<Judging<'a>>, JudgeError> {
        let Asked { position, before } = asked;
        let ranked = self.ranked(position, before);
        let among: Vec<Move> = match tablebase::best(&ranked, true) {
            [] => legal.iter().copied().filter(|mv| known.is_none_or(|known| known.mv != *mv)).collect(),
            best => moves_of(best),
        };
        let all_known = among.is_empty();
        let among = if all_known { legal } else { &among };
        let nodes = self.effort.nodes / 3;
        let Some(found) = self.asks()?.value(asked, among, usize::MAX, nodes)? else {
            return Ok(None);
        };
        let (mut best, mut score, mut wdl) = (found.line[0], found.score, found.wdl);
        if !ranked.is_empty() && !among.contains(&best) {
            let (name, best) = (self.asks()?.name(), position.uci(best));
            return Err(JudgeError(format!("{name} answers {best}, which it was not asked about")));
        }
        // A table knows the result; a search may know how soon it comes.
        if let Some(by_table) = ranked.first().map(RankedMove::score) {
            let proven = score.plies_to_end().is_some();
            let agrees = by_table.0 == Score::KNOWN_WIN.0 * score.0.signum();
            score = if proven && agrees { score } else { by_table };
        }
        let iteration = found.iteration.max(1);
        let mut line = self.line(position, before, &found.line);
        if let Some(known) = known.filter(|known| known.score >= score || all_known) {
            (best, score, wdl) = (known.mv, known.score, known.wdl);
            let follows = known.line.iter().take(iteration).cloned();
            line = std::iter::once(position.san(best)).chain(follows).collect();
        }
        let nodes = found.nodes;
        Ok(Some(Judging { position, before, known, ranked, best, score, wdl, line, iteration, nodes }))
    }

    /// Judges every move by the shallow search, and by whether a search as deep as that for the value
    /// establishes `least`.
    fn verified(
        &mut self,
        judging: &mut Judging<'_>,
        legal: &[Move],
        least: f64,
    ) -> Result<Vec<(Move, JudgedMove)>, JudgeError> {
        let Judging { position, best, iteration, .. } = *judging;
        let looks = self.looks(judging, legal);
        let shallow = self.effort.shallow.min(LOOKS - 1);
        let favourite = looks.iter().fold(0.0, |most: f64, looks| most.max(looks[shallow]));
        let is_known = |mv: &Move| *mv == best || least <= 0.0 || judging.worth(*mv).is_some();
        let open: Vec<Move> = legal.iter().copied().filter(|mv| !is_known(mv)).collect();
        let left = self.effort.nodes.saturating_sub(judging.nodes);
        let (held, nodes) = match open.is_empty() {
            true => (Vec::new(), 0),
            false => self.asks()?.hold(judging.asked(), &open, score_of(least), iteration, left)?,
        };
        let mut held = held.into_iter();
        let mut verify = |(mv, looks): (&Move, &[f64; LOOKS])| {
            let at_a_glance = looks[shallow];
            let (holds, verified) = if *mv == best || least <= 0.0 {
                (true, iteration)
            } else if let Some(worth) = judging.worth(*mv) {
                (chance(worth) >= least, iteration)
            } else {
                match held.next().filter(|held| held.iteration > 0) {
                    Some(held) => (held.holds, held.iteration),
                    None => (at_a_glance >= least, 0), // nothing further is known
                }
            };
            let of = JudgedMove {
                san: position.san(*mv),
                uci: position.uci(*mv),
                holds,
                verified,
                at_a_glance,
                looks_right: at_a_glance >= favourite - self.effort.delta,
                looks: looks.map(|look| (look * 1e4).round() / 1e4),
                utility: Utility::default(),
                doubt: Doubt::default(),
            };
            (*mv, of)
        };
        let mut moves: Vec<(Move, JudgedMove)> = legal.iter().zip(&looks).map(&mut verify).collect();
        judging.nodes += nodes;
        let holds: Vec<bool> = moves.iter().map(|(_, of)| of.holds).collect();
        let chance = chance(judging.score);
        let verified: Vec<usize> = moves.iter().map(|(_, of)| of.verified).collect();
        let choice = Choice {
            position,
            before: judging.before,
            moves: legal,
            looks: &looks,
            holds: &holds,
            verified: &verified,
            best,
            chance,
        };
        let (features, doubts) = (choice.features(), choice.doubts());
        for ((_, of), (features, doubts)) in moves.iter_mut().zip(features.iter().zip(&doubts)) {
            of.utility = self.human.utility(features);
            of.doubt = self.human.doubt(doubts);
        }
        Ok(moves)
    }

    /// Finds the moves that look right and do not hold, the most tempting first, if a search after the
    /// move confirms that it leaves less than `least`. If that search finds that a move holds after all,
    /// the first verdict stays, which rests on a deeper search: of ten such moves of the games Kasparov
    /// played against Deep Blue in 1997, at 150,000 nodes a position, four hold with a million nodes for
    /// each value.
    fn traps(
        &mut self,
        judging: &mut Judging<'_>,
        moves: &[(Move, JudgedMove)],
        least: f64,
    ) -> Result<Vec<Trap>, JudgeError> {
        let mut traps = Vec::new();
        let candidates = moves.iter().filter(|(_, of)| of.looks_right && !of.holds).take(CANDIDATES);
        for (mv, of) in candidates {
            if traps.len() == TRAPS {
                break;
            }
            let mut after = judging.position.clone();
            after.play(*mv);
            let mut before = judging.before.to_vec();
            before.push(judging.position.clone());
            let asked = Asked { position: &after, before: &before };
            let replies = moves_of(tablebase::best(&self.ranked(&after, &before), true));
            let nodes = self.effort.nodes / 20;
            let answer = self.asks()?.value(asked, &replies, judging.iteration, nodes)?;
            judging.nodes += answer.as_ref().map_or(0, |answer| answer.nodes);
            let (found, refutation) = match answer {
                None => (0.5, Vec::new()), // the game is over: it is stalemate, since a mate holds
                Some(found) if found.iteration > 0 && found.bound != Bound::Upper => {
                    (1.0 - chance(found.score), self.line(&after, &before, &found.line))
                }
                Some(_) => continue, // the search established no lower bound for the reply
            };
            let chance = judging.by_table(*mv).map_or(found, chance);
            if chance < least {
                traps.push(Trap { san: of.san.clone(), at_a_glance: of.at_a_glance, chance, refutation });
            }
        }
        Ok(traps)
    }

    /// Returns the endgame tables' verdict on every move, the best first. Empty if they do not have the
    /// position, or do not have the distances, since the fifty-move rule counts.
    fn ranked(&self, position: &Position, before: &[Position]) -> Vec<RankedMove> {
        let mut ranked = self.endgames.rank(position, before);
        ranked.retain(|ranked| ranked.distance.is_some());
        ranked
    }

    /// Converts a line to standard algebraic notation, up to the point where tables contradict it.
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

    /// Returns the win probability after each move, at each look of the shallow search.
    fn looks(&mut self, judging: &mut Judging<'_>, legal: &[Move]) -> Vec<[f64; LOOKS]> {
        self.shallow.forget();
        let asked = judging.asked();
        let mut left = GLANCES;
        let mut look = |mv: &Move| {
            let (looks, nodes) = self.shallow.looks(asked, *mv, GLANCE.min(left));
            left = left.saturating_sub(nodes);
            judging.nodes += nodes;
            looks
        };
        legal.iter().map(&mut look).collect()
    }
}

fn moves_of(ranked: &[RankedMove]) -> Vec<Move> {
    ranked.iter().map(|ranked| ranked.mv).collect()
}

/// Returns the probability that a player who chooses by the shallow search plays a move that does not
/// hold.
fn temptation(moves: &[(Move, JudgedMove)], favourite: f64) -> f64 {
    let weight = |of: &JudgedMove| (PREFERENCE * (of.at_a_glance - favourite)).exp();
    let sum = |pick: fn(&JudgedMove) -> bool| -> f64 {
        moves.iter().map(|(_, of)| if pick(of) { weight(of) } else { 0.0 }).sum()
    };
    sum(|of| !of.holds) / sum(|_| true)
}

/// Maps chances to integers with a total order.
fn order(chance: f64) -> u64 {
    (chance * 1e15) as u64
}

/// Returns the first moves of a line, with their numbers: `12. Nf3 d5 13. c4 …`. It begins with move
/// `number` of White or of Black, and ends after `most` plies, with an ellipsis if there is more.
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
