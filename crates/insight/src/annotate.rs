//! Annotates a whole game: how safe each side is after every move, which moves had to be found, which
//! were errors.
//!
//! The game is judged from its end to its beginning. The value of a position is passed on to the
//! position before it as the value of the move played. The value of that earlier position is the greater
//! of this value and the value of the other moves. The values of neighbouring positions therefore agree,
//! and the best move never loses anything.
//!
//! Annotations are marked, so that annotating the game again gives the same text, and the annotations of
//! others stay.

mod lichess;

use crate::human::Player;
use crate::judge::OWN_NAME;
use crate::{Analyst, JudgeError, Judged, Known, Trap, Value, Verdict, numbered, over, story};
use cassius_chess::pgn::{Game, GameResult};
use cassius_chess::{Move, Position, openings};
use cassius_search::{Game as _, Score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A game with its annotations.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct AnnotatedGame {
    /// The name of the engine whose values these are.
    pub judge: String,
    /// The tags of the game.
    pub tags: Vec<(String, String)>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The starting position.
    pub start: String,
    /// Comments of others before the first move, without commands.
    pub said: Vec<String>,
    /// The standing before the first move.
    pub before: Standing,
    /// The moves.
    pub moves: Vec<AnnotatedMove>,
    /// The value for White of the last position, by a search of [`END_EFFORT`] times the nodes, if the game
    /// has a result and was not over on the board. Whether somebody gave up too early deserves a longer look.
    pub end: Option<Value>,
    /// The effort: nodes for the moves of a position, and for each of the two plans.
    pub effort: [u64; 2],
    /// Nodes searched, not counting those for `end`.
    pub nodes: u64,
}

/// How many times the nodes of a position are searched for [`AnnotatedGame::end`].
pub const END_EFFORT: u64 = 10;

/// The standing of both sides.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Standing {
    /// The value for White.
    pub value: Value,
    /// The safety of both plans; `None` if plans were not requested.
    pub safety: Option<Safety>,
}

/// The depths of both sides' plans that keep the value, in own moves with all their options. Each depth
/// is from the position in which that side was last to move, since a side that is not to move has one
/// move less to show its plan by.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Safety {
    /// The depth for White; 0 if no plan was shown, `None` if White had nothing to hold.
    pub white: Option<f64>,
    /// The depth for Black.
    pub black: Option<f64>,
}

/// A move of the game.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct AnnotatedMove {
    /// The number of the move.
    pub number: u32,
    /// Whether White played it.
    pub white: bool,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The position after it.
    pub fen: String,
    /// The findings about the position before it.
    pub judged: Judged,
    /// The decrease of the win probability of its side, from 0 to 1.
    pub loss: f64,
    /// The remark on the move, if any.
    pub remark: Option<Remark>,
    /// The chance that a player of this rating plays it; of 1500 if the file does not say.
    pub share: f64,
    /// The chance that such a player errs here; `None` if there was nothing to lose.
    pub error_chance: Option<f64>,
    /// Whether it leads to a position that opening books have a name for. Then it is no only move that had
    /// to be found.
    pub book: bool,
    /// The seconds left on the clock of the player after the move, if the file says so (`[%clk 0:05:00]`).
    pub clock: Option<f64>,
    /// Comments of others on the move, without commands, and variations in brackets.
    pub said: Vec<String>,
    /// The standing after the move.
    pub after: Standing,
}

/// A remark on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remark {
    /// The only move that holds, and it had to be found.
    OnlyMove,
    /// It lowers the win probability by at least 0.05: see [`MARKS`].
    Inaccuracy,
    /// It lowers the win probability by at least 0.10.
    Mistake,
    /// It lowers the win probability by at least 0.15.
    Blunder,
}

/// By how much a move at least lowers the win probability of its side, from 0 to 1, to be marked. These are
/// the marks of lichess.org, whose scale reaches from −1 to 1, so that its thresholds are twice these.
pub const MARKS: [(f64, Remark); 3] =
    [(0.15, Remark::Blunder), (0.10, Remark::Mistake), (0.05, Remark::Inaccuracy)];

impl Remark {
    fn of(judged: &Judged, found: bool, loss: f64) -> Option<Remark> {
        let mark = MARKS.into_iter().find(|(least, _)| loss >= *least).map(|(_, remark)| remark);
        let is_only = judged.verdict == Verdict::Only && judged.is_verified();
        mark.or_else(|| (found && is_only).then_some(Remark::OnlyMove))
    }

    /// Returns the usual symbol in print.
    pub fn symbol(self) -> &'static str {
        match self {
            Remark::OnlyMove => "□",
            Remark::Inaccuracy => "?!",
            Remark::Mistake => "?",
            Remark::Blunder => "??",
        }
    }

    /// Returns the numeric annotation glyph of PGN: `?!`, `?`, `??`; `□`.
    pub fn glyph(self) -> u32 {
        match self {
            Remark::OnlyMove => 7,
            Remark::Inaccuracy => 6,
            Remark::Mistake => 2,
            Remark::Blunder => 4,
        }
    }
}

impl AnnotatedMove {
    /// Whether the move was the only one that holds, and books name it.
    pub(crate) fn is_by_heart(&self) -> bool {
        self.book && self.judged.verdict == Verdict::Only && self.uci == self.judged.best().uci
    }

    /// Whether the position before the move had an only move that had to be found: one that books do not
    /// name. All other moves were searched, and do not hold.
    pub fn stood_on_only(&self) -> bool {
        self.judged.verdict == Verdict::Only && self.judged.is_verified() && !self.is_by_heart()
    }

    fn is_only(&self) -> bool {
        self.remark == Some(Remark::OnlyMove)
    }
}

/// The assumed rating of a player whose rating is unknown.
pub(crate) const ELO: f64 = 1500.0;

/// Returns the rating of White or of Black, if the tags have one that a person can have.
pub(crate) fn elo_of(tags: &[(String, String)], white: bool) -> Option<u32> {
    let name = if white { "WhiteElo" } else { "BlackElo" };
    let rating = tags.iter().find(|(tag, _)| tag == name).and_then(|(_, rating)| rating.parse().ok());
    rating.filter(|rating| (100..=4000).contains(rating))
}

impl AnnotatedGame {
    /// Whether the values are those of another engine.
    pub fn judged_by_another(&self) -> bool {
        self.judge != OWN_NAME
    }

    /// Returns the player of move `index`, as far as the file tells, with this rating.
    pub fn player(&self, index: usize, elo: f64) -> Player {
        let clock = index.checked_sub(2).and_then(|last| self.moves[last].clock);
        Player::of(&self.tags, elo).with_clock(clock)
    }

    /// Returns the number of consecutive moves of one side, up to move `index`, that were only moves and
    /// were found.
    pub fn run(&self, index: usize) -> usize {
        let own = self.moves[..=index].iter().rev().step_by(2);
        own.take_while(|mv| mv.is_only()).count()
    }
}

/// Annotates a game. After each position `progress` is told what is known so far, and the number of steps
/// left, and returns whether to continue. What is known so far is a game of its own: first the last position,
/// then with one more move each time, and at last, if plans are asked for, the whole game with one more
/// position's safety each time. Returns `None` if `progress` stops it.
///
/// # Errors
/// If the judge cannot answer. Our own search always can, until its [limits](Analyst::set_limits) are
/// reached.
///
/// ```
/// use cassius_chess::pgn::Game;
/// use cassius_insight::{Analyst, Effort, Remark, annotate, write_into};
///
/// let mut game: Game = "1. f3 e5 2. g4 { Careless. } Qh4# 0-1".parse()?;
/// let mut analyst = Analyst::new(Effort { nodes: 20_000, plan_nodes: 100, ..Effort::default() }, 4)?;
/// let mut known = Vec::new();
/// let annotated = annotate(&mut analyst, &game, &mut |so_far, left| {
///     known.push((so_far.moves.len(), left));
///     true
/// });
/// let annotated = annotated?.expect("not interrupted");
/// assert_eq!(known[..5], [(0, 9), (1, 8), (2, 7), (3, 6), (4, 5)]);
/// assert_eq!(known[5..], [(4, 4), (4, 3), (4, 2), (4, 1), (4, 0)]);
/// assert_eq!(annotated.moves[2].remark, Some(Remark::Blunder));
///
/// write_into(&mut game, &annotated);
/// let text = game.to_string().replace('\n', " ");
/// assert!(text.contains("2. g4 $4 { Careless. } { [%eval #-1] [%safe "), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn annotate(
    analyst: &mut Analyst,
    game: &Game,
    progress: &mut dyn FnMut(&AnnotatedGame, usize) -> bool,
) -> Result<Option<AnnotatedGame>, JudgeError> {
    analyst.forget();
    let positions: Vec<Position> = game.positions().collect();
    let asks_plans = analyst.effort().plan_nodes > 0;
    let mut others = game.clone();
    erase(&mut others);
    let mut found = AnnotatedGame {
        judge: analyst.judge_name(),
        tags: game.tags.clone(),
        result: game.result.to_string(),
        start: String::new(),
        said: Vec::new(),
        before: Standing { value: Value::from(Score::DRAW), safety: None },
        moves: Vec::with_capacity(game.moves.len()),
        end: end(analyst, game, &positions)?,
        effort: [analyst.effort().nodes, analyst.effort().plan_nodes],
        nodes: 0,
    };
    // The position after the one at hand: what was found, and its score.
    let mut later: Option<(Option<Judged>, Score)> = None;
    let mut last = None;
    let rules = fifty_moves(game, &positions);
    for (index, position) in positions.iter().enumerate().rev() {
        let (here, before) = (as_played(position, rules[index]), &positions[..index]);
        // The side that moves into such a position could have claimed the draw, whatever it played.
        let claims = rules.get(index + 1) == Some(&FiftyMoves::Claimed);
        let known = later.as_ref().map(|(after, score)| {
            let after = after.as_ref().filter(|_| !claims);
            Known {
                mv: game.moves[index],
                score: if claims { Score::DRAW } else { (-*score).at_root(1) },
                wdl: after.and_then(|after| after.value.of_the_other_side().wdl),
                line: after.map_or(&[], |after| &after.line),
            }
        });
        // A game that continued was not over.
        let end = if known.is_none() { ended(game, position, before) } else { None };
        let judged = if end.is_none() { analyst.judge(&here, before, known)? } else { None };
        let judged = judged.map(|judged| Judged { fen: position.to_string(), ..judged });
        found.nodes += judged.as_ref().map_or(0, |judged| judged.nodes);
        let score = judged.as_ref().map(|judged| Score(judged.value.score)).or(end).unwrap_or(Score::DRAW);
        let value = Value { wdl: judged.as_ref().and_then(|judged| judged.value.wdl), ..Value::from(score) };
        let value = if position.turn().is_white() { value } else { value.of_the_other_side() };
        let after = std::mem::replace(&mut found.before, Standing { value, safety: None });
        if let Some(mv) = game.moves.get(index) {
            let judged = judged.clone().expect("a move was played here");
            let elo = elo_of(&game.tags, position.turn().is_white()).map_or(ELO, f64::from);
            let left = index.checked_sub(1).and_then(|last| clock(&others, last));
            let player = Player::of(&game.tags, elo).with_clock(left);
            let of_others = (clock(&others, index + 1), said(&others, index + 1));
            let places = (position, &positions[index + 1]);
            let worth = match position.turn().is_white() {
                _ if claims => 0.5,
                true => after.value.chance,
                false => 1.0 - after.value.chance,
            };
            found.moves.insert(0, annotated(places, *mv, judged, (after, worth), &player, of_others));
        } else {
            last.clone_from(&judged);
        }
        (found.start, found.said) = (position.to_string(), said(&others, index));
        later = Some((judged, score));
        if !progress(&found, index + if asks_plans { positions.len() } else { 0 }) {
            return Ok(None);
        }
    }
    // The plan of each side from when it was last to move.
    let mut safety = None;
    for (index, position) in positions.iter().enumerate().filter(|_| asks_plans) {
        let judged = found.moves.get(index).map(|mv| &mv.judged).or(last.as_ref());
        if let Some(chance) = judged.map(|judged| judged.value.chance) {
            let mut depth = |own| {
                let here = as_played(position, rules[index]);
                let (plan, spent) = analyst.plan(&here, chance, own);
                found.nodes += spent;
                (!plan.nothing_to_hold()).then(|| plan.depth.unwrap_or(0.0))
            };
            let own = depth(true);
            let Safety { white, black } = safety.unwrap_or_else(|| {
                let other = depth(false);
                Safety { white: other, black: other }
            });
            safety = Some(match position.turn().is_white() {
                true => Safety { white: own, black },
                false => Safety { white, black: own },
            });
        }
        let standing = match index.checked_sub(1) {
            None => &mut found.before,
            Some(mv) => &mut found.moves[mv].after,
        };
        standing.safety = safety;
        if !progress(&found, positions.len() - 1 - index) {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

/// How the fifty-move rule counts in a position of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FiftyMoves {
    /// As it stands.
    Running,
    /// Without a capture or a pawn move after it, the game went on although a draw could be claimed, and
    /// nobody claimed it later. If the rule counted for moves that were not played, those that were would
    /// look like errors.
    Unclaimed,
    /// A draw can be claimed, and without a capture or a pawn move the game ended with one.
    Claimed,
}

/// Returns how the fifty-move rule counts in each position.
fn fifty_moves(game: &Game, positions: &[Position]) -> Vec<FiftyMoves> {
    let end = game.moves.len();
    let last = &positions[end];
    let is_drawn = game.result == GameResult::Draw;
    let (mut claimed, mut is_past) = match last.halfmoves() {
        ..100 => (false, false),
        _ if ended_on_the_board(last) => (false, last.halfmoves() > 100),
        _ => (is_drawn, !is_drawn),
    };
    let mut found = vec![FiftyMoves::Running; positions.len()];
    for index in (0..=end).rev() {
        let is_past_limit = positions[index].halfmoves() >= 100;
        if index < end {
            let is_reversible = positions[index + 1].halfmoves() > 0;
            claimed &= is_reversible;
            is_past &= is_reversible;
            is_past |= is_past_limit && !claimed;
        }
        found[index] = match () {
            () if is_past => FiftyMoves::Unclaimed,
            () if claimed && is_past_limit => FiftyMoves::Claimed,
            () => FiftyMoves::Running,
        };
    }
    found
}

/// Whether the game is over without a claim.
fn ended_on_the_board(position: &Position) -> bool {
    position.is_over() || position.is_insufficient_material()
}

/// Returns the result of a game for the side to move in its last position. A claim counts if the game was
/// drawn.
fn ended(game: &Game, last: &Position, before: &[Position]) -> Option<Score> {
    let counts = game.result == GameResult::Draw || ended_on_the_board(last);
    over(last, before).filter(|_| counts)
}

/// Returns a position as it is judged.
fn as_played(position: &Position, rule: FiftyMoves) -> Position {
    if rule == FiftyMoves::Unclaimed { position.with_new_clock() } else { position.clone() }
}

/// Returns the value for White of the last position, unless the game has no result or ended there.
fn end(analyst: &mut Analyst, game: &Game, positions: &[Position]) -> Result<Option<Value>, JudgeError> {
    let Some((last, before)) = positions.split_last() else { return Ok(None) };
    if before.is_empty() || game.result == GameResult::Unfinished || ended(game, last, before).is_some() {
        return Ok(None);
    }
    let here = as_played(last, fifty_moves(game, positions)[before.len()]);
    let found = analyst.value(&here, before, &[], END_EFFORT * analyst.effort().nodes)?;
    Ok(found.map(|(_, value)| if last.turn().is_white() { value } else { value.of_the_other_side() }))
}

fn annotated(
    (position, next): (&Position, &Position),
    mv: Move,
    judged: Judged,
    (after, worth): (Standing, f64),
    player: &Player,
    (clock, said): (Option<f64>, Vec<String>),
) -> AnnotatedMove {
    let white = position.turn().is_white();
    let uci = position.uci(mv);
    let is_best = judged.best().uci == uci;
    let loss = if is_best { 0.0 } else { (judged.value.chance - worth).max(0.0) };
    let book = openings::name(next).is_some();
    let found = is_best && !book;
    let shares = judged.moves.iter().zip(judged.shares(player));
    let places = |chance: f64| (chance * 1e4).round() / 1e4;
    AnnotatedMove {
        share: shares.filter(|(of, _)| of.uci == uci).map(|(_, share)| places(share)).sum(),
        error_chance: judged.error_chance(*player).map(places),
        number: position.fullmoves(),
        white,
        san: position.san(mv),
        uci,
        fen: next.to_string(),
        loss,
        remark: Remark::of(&judged, found, loss),
        book,
        judged,
        clock,
        said,
        after,
    }
}

/// Returns the seconds on the clock that a comment after `played` moves gives: `[%clk 1:02:03.4]`.
pub fn clock(game: &Game, played: usize) -> Option<f64> {
    game.comments_at(played)
        .filter_map(|text| {
            let (_, time) = text.split_once("[%clk ")?;
            let (time, _) = time.split_once(']')?;
            time.trim().split(':').try_fold(0.0, |sum, part| {
                let part: f64 = part.parse().ok().filter(|part: &f64| part.is_finite() && *part >= 0.0)?;
                Some(60.0 * sum + part)
            })
        })
        .next()
}

/// Returns the comments in a game after `played` moves, without commands such as `[%clk 0:05:00]`.
pub(crate) fn said(game: &Game, played: usize) -> Vec<String> {
    let comments = game.comments.iter().filter(|(at, _)| *at == played);
    let mut said: Vec<String> = comments.map(|(_, text)| text.clone()).collect();
    for variation in game.variations.iter().filter(|variation| variation.up_to == played) {
        said.push(format!("({})", variation.text));
        said.extend_from_slice(&variation.behind);
    }
    for text in &mut said {
        cut(text, "[%", |_| ());
        let parts: Vec<&str> = text.split("{ }").map(str::trim).filter(|part| !part.is_empty()).collect();
        *text = parts.join(" ");
    }
    said.retain(|text| !text.is_empty());
    said
}

/// The number of plies of a line that are written.
const SHOWN: usize = 6;

/// The command that marks our part of a comment. A sentence of ours extends to the next such mark.
const MARK: &str = "[%safe ";
const END: &str = "[%safe]";

/// The end of our tag `Annotator`.
const OF_NODES: &str = " nodes a position";

/// Writes the annotations into the game. Each move gets `[%eval …]`, the value for White in the format
/// of other programs, and `[%safe W,B]`, the depths of the plans of White and Black (`-` for a side with
/// nothing to hold, `?` where no plans were requested). A move with a remark also gets a glyph and a
/// sentence. Earlier annotations of this kind are replaced. Other comments, variations and glyphs stay,
/// except for other evaluations. A sentence ends with `[%safe]`, so that it can be distinguished from
/// what others add to the comment. A move that already has a glyph by somebody else keeps it.
pub fn write_into(game: &mut Game, annotated: &AnnotatedGame) {
    erase(game);
    for (index, mv) in annotated.moves.iter().enumerate() {
        let played = index + 1;
        let judged_before = game.glyphs.iter().any(|(at, glyph)| *at == played && (1..=9).contains(glyph));
        let glyph = mv.remark.map(Remark::glyph).filter(|_| !judged_before);
        game.glyphs.extend(glyph.map(|glyph| (played, glyph)));
        game.comments.push((played, comment(annotated, index, glyph)));
    }
    let is_ours = |by: &str| by.starts_with("Cassius ") && by.ends_with(OF_NODES);
    if game.tag("Annotator").is_none_or(is_ours) {
        let [nodes, plans] = annotated.effort;
        let by = match annotated.judged_by_another() {
            false => format!("{OWN_NAME}, {nodes} and {plans}{OF_NODES}"),
            true => format!("{OWN_NAME} with {}, {nodes}{OF_NODES}", annotated.judge),
        };
        game.set_tag("Annotator", by);
    }
}

/// Removes what [`write_into`] has written, evaluations by others, and the sentences, glyphs and lines of an
/// analysis by lichess.org. Comments by others stay, even
/// within the same comment: many programs merge all comments on a move into one.
pub fn erase(game: &mut Game) {
    let Game { comments, variations, glyphs, .. } = &mut *game;
    let mut clean = |at: usize, text: &mut String| {
        cut(text, MARK, |tag| {
            let glyph = tag.split_once('$').and_then(|(_, glyph)| glyph.parse().ok());
            glyphs.retain(|(of, number)| (*of, Some(*number)) != (at, glyph));
        });
        cut(text, "[%eval ", |_| ());
    };
    comments.iter_mut().for_each(|(at, text)| clean(*at, text));
    for variation in variations {
        variation.behind.iter_mut().for_each(|text| clean(variation.up_to, text));
    }
    lichess::erase(game);
    game.comments.retain(|(_, text)| !text.is_empty());
    for variation in &mut game.variations {
        variation.behind.retain(|text| !text.is_empty());
    }
}

/// Cuts out the commands that begin with `start`, and tells `seen` what stands in them behind it. After
/// [`MARK`] a sentence of ours is cut out too. The text is gone through once, however many commands it has.
fn cut(text: &mut String, start: &str, mut seen: impl FnMut(&str)) {
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text.as_str());
    // Where brackets were opened. An unclosed one is not a command, whatever brackets follow.
    let mut open = Vec::new();
    while let Some(at) = rest.find(['[', ']']) {
        kept += &rest[..at];
        if rest[at..].starts_with('[') {
            open.push(kept.len());
            kept.push('[');
            rest = &rest[at + 1..];
            continue;
        }
        rest = &rest[at + 1..];
        let command = open.last().and_then(|at| Some((*at, kept[*at..].strip_prefix(start)?)));
        let Some((at, command)) = command else {
            kept.push(']');
            continue;
        };
        seen(command);
        kept.truncate(kept[..at].trim_end().len());
        open.pop();
        let ours = rest.find("[%").and_then(|at| rest[at..].strip_prefix(END));
        rest = ours.filter(|_| start == MARK).unwrap_or(rest).trim_start();
        if !kept.is_empty() && !rest.is_empty() {
            kept.push(' ');
        }
    }
    kept += rest;
    *text = kept;
}

/// Returns the comment after a move.
fn comment(game: &AnnotatedGame, index: usize, glyph: Option<u32>) -> String {
    let mv = &game.moves[index];
    let value = &mv.after.value;
    let eval = match value.mate {
        Some(0) => String::new(), // the game is over
        Some(moves) => format!("[%eval #{moves}] "),
        None => format!("[%eval {:.2}] ", f64::from(value.score) / 100.0),
    };
    let depth = |depth: Option<f64>| depth.map_or("-".into(), |depth| format!("{depth:.2}"));
    let depths = |safety: Safety| [safety.white, safety.black].map(depth);
    let [white, black]: [String; 2] = mv.after.safety.map_or(["?", "?"].map(String::from), depths);
    let glyph = glyph.map_or(String::new(), |glyph| format!(",${glyph}"));
    let mut text = format!("{eval}{MARK}{white},{black}{glyph}]");
    if let Some(sentence) = sentence(game, index) {
        text += &format!(" {sentence} {END}");
    }
    text
}

/// Returns the trap that the [`sentence`] mentions: for an only move the most tempting one, for an error
/// the one that was played.
pub(crate) fn told(mv: &AnnotatedMove) -> Option<&Trap> {
    let traps = &mv.judged.traps;
    match mv.remark? {
        Remark::OnlyMove => traps.first(),
        _ => traps.iter().find(|trap| trap.san == mv.san),
    }
}

/// Returns the sentence about a move, if there is a remark. After the last move it also says if a side lost
/// from a position that holds, or the game was drawn in a won one.
pub fn sentence(game: &AnnotatedGame, index: usize) -> Option<String> {
    let ending = (index + 1 == game.moves.len()).then(|| story::ending_of(game)).flatten();
    match (remark(game, index), ending) {
        (Some(remark), Some(ending)) => Some(format!("{remark} {}", ending.text)),
        (remark, ending) => remark.or(ending.map(|ending| ending.text)),
    }
}

/// Returns the sentence about the remark on a move.
fn remark(game: &AnnotatedGame, index: usize) -> Option<String> {
    let mv = &game.moves[index];
    let judged = &mv.judged;
    let side = if mv.white { "White" } else { "Black" };
    let percent = |chance: f64| format!("{:.0} %", 100.0 * chance);
    let line = |moves: &[String]| numbered(moves, mv.number, mv.white, SHOWN);
    if mv.remark? == Remark::OnlyMove {
        let run = game.run(index);
        let again = if run > 1 { format!(", the {} in a row", ordinal(run)) } else { String::new() };
        let trap = told(mv).map_or(String::new(), |trap| {
            format!(" {} looks right, but leaves {side} {}.", line(&trap.line()), percent(trap.chance))
        });
        return Some(format!("Only move{again}.{trap}"));
    }
    let now = judged.value.chance - mv.loss;
    let from = format!("{side} falls from {} to {}.", percent(judged.value.chance), percent(now));
    let (best, holding) = (line(&judged.line), judged.room.holding);
    let played_holds = judged.moves.iter().any(|of| of.san == mv.san && of.holds);
    let held = match judged.verdict {
        Verdict::Only if !played_holds && judged.is_verified() => {
            format!("Only {} holds: {best}.", judged.best().san)
        }
        _ if played_holds => format!("Better {best}."),
        // Others, which were not searched, may hold.
        Verdict::Only => format!("Better {best}; no other move was found to hold."),
        _ => format!("Better {best}; {holding} of {} moves {}.", judged.room.legal, judged.hold()),
    };
    let trap = told(mv).map_or(String::new(), |trap| {
        let number = mv.number + u32::from(!mv.white);
        let answer = numbered(&trap.refutation, number, !mv.white, SHOWN - 1);
        match answer.is_empty() {
            true => " It looks right, but it is stalemate.".into(),
            false => format!(" It looks right, but the answer is {answer}."),
        }
    });
    // A line that is cut short ends in an ellipsis, which needs no full stop.
    Some(format!("{from} {held}{trap}").replace("….", "…"))
}

fn ordinal(number: usize) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    match number {
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        5 => "fifth".into(),
        _ => format!("{number}{suffix}"),
    }
}

/// How often a side had an only move, and how often it found it; and its errors by size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Tally {
    /// The number of moves played.
    pub moves: usize,
    /// The number of positions in which one move held and had to be found.
    pub only: usize,
    /// The number of those in which it was found.
    pub found: usize,
    /// The number of moves that are marked as inaccuracies.
    pub inaccuracies: usize,
    /// The number that are marked as mistakes.
    pub mistakes: usize,
    /// The number that are marked as blunders.
    pub blunders: usize,
}

impl AnnotatedGame {
    /// Returns the tally of White or of Black.
    pub fn tally(&self, white: bool) -> Tally {
        let mut tally = Tally::default();
        for mv in self.moves.iter().filter(|mv| mv.white == white) {
            tally.moves += 1;
            tally.only += usize::from(mv.stood_on_only());
            match mv.remark {
                Some(Remark::OnlyMove) => tally.found += 1,
                Some(Remark::Inaccuracy) => tally.inaccuracies += 1,
                Some(Remark::Mistake) => tally.mistakes += 1,
                Some(Remark::Blunder) => tally.blunders += 1,
                None => {}
            }
        }
        tally
    }
}
