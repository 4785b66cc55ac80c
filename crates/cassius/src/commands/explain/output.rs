//! Output for an explained position.

use super::ExplainArgs;
use crate::commands::analyse::input::Item;
use crate::commands::analyse::output::{claim, claimable, end_of_game, heading};
use crate::commands::schema::VERSION;
use crate::terminal::{DIM, STRONG, counted};
use cassius_insight::human::Player;
use cassius_insight::{
    Effort, Explanation, Judged, LastChance, Natural, PlanSafety, Practical, Run, Verdict, numbered,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// The maximum length of a displayed line of play, in plies.
const LONGEST: usize = 8;

/// Returns several lines of text.
pub fn text(
    item: &Item,
    explained: Option<&Explanation>,
    last_chance: Option<&LastChance>,
    args: &ExplainArgs,
) -> String {
    let mut text = heading(item);
    let Some(explained) = explained else {
        let _ = writeln!(text, "  {}", end(item));
        if let Some(chance) = last_chance {
            let _ = writeln!(text, "  {}", missed(item, chance));
        }
        text.push('\n');
        return text;
    };
    if let Some(claim) = claim(item) {
        let _ = writeln!(text, "  {claim}");
    }
    let own = &explained.own;
    let white = own.white;
    let number = item.position.fullmoves();
    let value = if white { own.value } else { own.value.of_the_other_side() };
    let _ = writeln!(text, "  {}", explained.headline());
    let _ = writeln!(
        text,
        "  {} to move; White: {STRONG}{value}{STRONG:#}, {} win probability{}; {}",
        name(white),
        percent(value.chance),
        value.wdl.map_or(String::new(), |wdl| {
            let [wins, draws, losses] = wdl.map(|games| games as usize);
            format!(
                " (of 1,000 engine games: {}, {}, {})",
                counted(wins, "win", "wins"),
                counted(draws, "draw", "draws"),
                counted(losses, "loss", "losses")
            )
        }),
        numbered(&own.line, number, white, LONGEST),
    );
    if let Some(outlook) = explained.outlook() {
        let _ = writeln!(text, "  {outlook}");
    }
    let title = |side: bool| format!("{:<7}", format!("{}:", name(side)));
    let _ = writeln!(text, "  {STRONG}{}{STRONG:#} {}", title(white), room(own, &explained.runs[0], args));
    refutations(&mut text, own, number, args);
    let after = numbered(&own.line[..1], number, white, 1);
    match &explained.other {
        None => {
            let _ = writeln!(text, "  {STRONG}{}{STRONG:#} the game is over after {after}", title(!white));
        }
        Some(other) => {
            let run = &explained.runs[1];
            let _ = writeln!(
                text,
                "  {STRONG}{}{STRONG:#} after {after} {}",
                title(!white),
                room(other, run, args)
            );
            refutations(&mut text, other, number + u32::from(!white), args);
        }
    }
    let player = Player::from(f64::from(args.elo));
    for (index, (of, problems)) in explained.by_problems(&player).into_iter().enumerate() {
        let then = of.then.as_ref();
        let errs =
            then.and_then(|then| errors(then, &player)).map_or("nothing is left to lose".into(), |errs| {
                let loses = percent(problems);
                format!("{errs} of players at {} Elo err; the average player loses {loses}", args.elo)
            });
        let after = numbered(std::slice::from_ref(&of.san), number, white, 1);
        let title = if index == 0 { "practical chances:" } else { "" };
        let _ = writeln!(text, "  {title:<18} after {after} {errs}");
    }
    if args.more {
        let mut searched = format!("iteration {}, {} nodes", own.iteration, explained.nodes);
        if args.effort.effort(Effort::default()).plan_nodes > 0 {
            let plans = &explained.plans;
            for (side, plan) in [(white, &plans.own), (!white, &plans.other)] {
                let _ = match plan.nothing_to_hold() {
                    true => writeln!(text, "  {}'s plan: none, there is nothing to hold", name(side)),
                    false => writeln!(
                        text,
                        "  {}'s plan for at least {}: {}",
                        name(side),
                        percent(plan.least),
                        safety(plan, number, white)
                    ),
                };
            }
            let asked = [(white, &plans.own), (!white, &plans.other)];
            let asked: Vec<_> = asked.into_iter().filter(|(_, plan)| !plan.nothing_to_hold()).collect();
            let most = Effort::default().plan_depth.to_f64();
            let more = if asked.iter().any(|(_, plan)| plan.answered < most) {
                ", more nodes may go deeper"
            } else {
                ""
            };
            let depth =
                |(side, plan): &(bool, &PlanSafety)| format!("{:.2} for {}", plan.answered, name(*side));
            let asked = asked.iter().map(depth).collect::<Vec<_>>().join(" and ");
            let nodes = plans.nodes;
            let nodes = counted(nodes as usize, "node", "nodes");
            let _ = write!(searched, "; plans decided up to depth {asked} ({nodes}{more})");
        }
        let _ = writeln!(text, "  {DIM}{searched}{DIM:#}");
        let _ = writeln!(
            text,
            "  {DIM}the numbers of both sides come from one position and are not independent{DIM:#}"
        );
    }
    if args.effort.is_other() {
        let judge = &explained.judge;
        let _ = writeln!(
            text,
            "  {DIM}judged by {judge}; plans are left out: they need our own evaluation{DIM:#}"
        );
    }
    text.push('\n');
    text
}

/// Says where the result of a finished game was last open.
fn missed(item: &Item, chance: &LastChance) -> String {
    let judged = &chance.judged;
    let position = &item.before[item.before.len() - chance.plies];
    let number = position.fullmoves();
    let (verb, holds) = match end_of_game(&item.position) {
        Some(end) if end.starts_with("checkmate") => ("could last hold", "holds"),
        _ => ("was last winning", "wins"),
    };
    let best = numbered(&judged.line[..1], number, judged.white, 1);
    format!(
        "{} {verb} {} before the end, with {} win probability: {best} {holds}{}",
        name(judged.white),
        if chance.plies == 1 { "one ply".into() } else { format!("{} plies", chance.plies) },
        percent(judged.value.chance),
        if judged.room.holding == 1 && judged.is_verified() { ", and nothing else does" } else { "" },
    )
}

/// Returns the result of a finished game, by its position or by those before it.
fn end(item: &Item) -> String {
    let claimed = || claimable(item).map(|rule| format!("{rule}: a draw"));
    end_of_game(&item.position).or_else(claimed).unwrap_or_default()
}

/// Returns how many of such players err: an interval for those whom the model has not seen.
fn errors(judged: &Judged, player: &Player) -> Option<String> {
    let chance = judged.error_chance(*player)?;
    Some(match judged.error_interval(player) {
        Some([least, most]) if percent(least) != percent(most) => {
            format!("{:.0} to {}", 100.0 * least, percent(most))
        }
        _ => percent(chance),
    })
}

/// Describes how much room a side has, and which moves hold.
fn room(judged: &Judged, run: &Run, args: &ExplainArgs) -> String {
    let room = &judged.room;
    let holding: Vec<&str> = judged.moves.iter().filter(|of| of.holds).map(|of| of.san.as_str()).collect();
    let shown = if args.more { holding.len() } else { holding.len().min(args.lines.into()) };
    let mut moves = holding[..shown].join(", ");
    if shown < holding.len() {
        moves += ", …";
    }
    let hold = if room.holding == 1 { "holds" } else { "hold" };
    let count = format!("{} of {} moves {hold}", room.holding, room.legal);
    let mut text = match (judged.verdict, room.natural) {
        (Verdict::Lost, _) => "lost, whatever is played".to_string(),
        (Verdict::Only, _) => format!("{STRONG}only move{STRONG:#} {moves} ({count})"),
        (Verdict::Natural, Some(Natural::SoleLegal)) => format!("{moves} is the only legal move"),
        (Verdict::Natural, Some(Natural::Recapture)) => format!("{moves} recaptures, and nothing else holds"),
        (Verdict::Natural, Some(Natural::Mates)) => format!("{moves} mates, and nothing else holds"),
        (Verdict::Natural, Some(Natural::Retreat)) => {
            format!("{moves} is the only safe retreat, and nothing else holds")
        }
        (Verdict::Natural, Some(Natural::Expected)) => {
            format!("{moves} is what nearly everybody plays, and nothing else holds")
        }
        (Verdict::Natural, _) => format!("{moves} wins material, and nothing else holds"),
        (Verdict::Few, _) => format!("few moves: {moves} ({count})"),
        (Verdict::Some, _) => format!("some room: {moves} ({count})"),
        (Verdict::Free, _) => format!("free: {moves} ({count})"),
    };
    let unverified = judged.moves.iter().filter(|of| of.verified == 0).count();
    if unverified > 0 {
        let _ = write!(text, " ({unverified} not verified)");
    }
    if run.moves.len() > 1 {
        let more = if run.may_go_on { "at least " } else { "" };
        let _ = write!(text, "; {more}{} only moves in a row: {}", run.moves.len(), run.moves.join(", "));
    }
    // If every move holds, no error is predicted.
    let player = Player::from(f64::from(args.elo));
    if let Some(chance) = errors(judged, &player)
        && room.holding < room.legal
    {
        let _ = write!(text, "; at {} Elo {chance} err", args.elo);
        if let Some((of, share)) = judged.tempting(&player).filter(|(_, share)| *share >= TEMPTING) {
            let _ = write!(text, ", {} play {}", percent(share), of.san);
        }
    }
    text
}

/// The smallest chance of a wrong move that is shown.
const TEMPTING: f64 = 0.05;

/// Lists the moves that look right, with their refutations.
fn refutations(text: &mut String, judged: &Judged, number: u32, args: &ExplainArgs) {
    let shown = if args.more { judged.traps.len() } else { 1 };
    for trap in judged.traps.iter().take(shown) {
        let _ = writeln!(
            text,
            "          looks right, does not hold: {}, which leaves {} {}",
            numbered(&trap.line(), number, judged.white, LONGEST),
            name(judged.white),
            percent(trap.chance)
        );
    }
}

fn safety(plan: &PlanSafety, number: u32, white: bool) -> String {
    let mut text = match plan.depth {
        None => "none found".to_string(),
        Some(_) if plan.certain => "certain to the end".into(),
        Some(depth) => format!("{depth:.2} moves deep"),
    };
    if !plan.critical.is_empty() {
        let _ = write!(text, ", least safe in {}", numbered(&plan.critical, number, white, 2 * LONGEST));
    }
    if let Some(against) = plan.against {
        let _ = write!(text, "; a plan against it {against:.2} moves deep");
    }
    text
}

fn percent(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance)
}

fn name(white: bool) -> &'static str {
    if white { "White" } else { "Black" }
}

#[derive(JsonSchema, Serialize)]
#[schemars(title = "cassius explain --json")]
struct Json<'a> {
    /// The version of this format.
    version: u32,
    /// Where the position comes from, if from a file.
    #[serde(skip_serializing_if = "str::is_empty")]
    place: &'a str,
    /// Its name in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// The position.
    fen: String,
    /// How the game has ended. Then of the other fields only `last_chance` may follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    /// A draw that can be claimed. The game may go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    /// Where the result was last open, if the position is the end of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_chance: Option<&'a LastChance>,
    /// The rating of the players of whom `error_chance`, `human` and `practical_chances` tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    elo: Option<u16>,
    /// The chance of an error of the side to move, and of the other side after the best move; `null` where
    /// there is nothing to lose.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_chance: Option<[Option<f64>; 2]>,
    /// What a player of that rating would do, for both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    human: Option<[Option<Human>; 2]>,
    /// How likely such a player on the other side errs after each move of `practical`. The move after which
    /// the player is expected to lose most comes first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    practical_chances: Vec<Chance<'a>>,
    /// What matters, in a sentence or two.
    #[serde(skip_serializing_if = "Option::is_none")]
    headline: Option<String>,
    /// How likely the value is to move, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    outlook: Option<String>,
    #[serde(flatten)]
    explained: Option<&'a Explanation>,
}

/// The chance that a player of the given rating on the other side errs after a move.
#[derive(JsonSchema, Serialize)]
struct Chance<'a> {
    /// The move, in standard algebraic notation.
    san: &'a str,
    /// The chance of an error; `null` where there is nothing left to lose.
    error_chance: Option<f64>,
    /// How much win probability the player is expected to lose.
    expected_loss: f64,
}

impl Chance<'_> {
    fn of(practical: &Practical, expected_loss: f64, elo: u16) -> Chance<'_> {
        let then = practical.then.as_ref();
        let error_chance = then.and_then(|then| then.error_chance(f64::from(elo)));
        Chance { san: &practical.san, error_chance, expected_loss }
    }
}

/// What a player of the given rating would do.
#[derive(JsonSchema, Serialize)]
struct Human {
    /// The chance of each legal move, in the order of `moves`.
    shares: Vec<f64>,
    /// How much win probability the player is expected to lose.
    expected_loss: f64,
    /// An interval for the chance of an error, if the rating is outside of what the model has seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_interval: Option<[f64; 2]>,
}

impl Human {
    fn of(judged: &Judged, elo: u16) -> Human {
        let player = Player::from(f64::from(elo));
        let shares = judged.shares(&player).into_iter().map(|share| (share * 1e4).round() / 1e4);
        Human {
            shares: shares.collect(),
            expected_loss: judged.expected_loss(&player),
            error_interval: judged.error_interval(&player),
        }
    }
}

/// Returns the schema of the JSON.
pub fn schema() -> schemars::Schema {
    crate::commands::schema::of::<Json<'_>>()
}

/// Returns one line of JSON: the explanation, with the chances of an error of the side to move and of
/// the other side.
pub fn json(
    item: &Item,
    explained: Option<&Explanation>,
    last_chance: Option<&LastChance>,
    elo: u16,
) -> String {
    let error = |judged: &Judged| judged.error_chance(f64::from(elo));
    let human = |judged: &Judged| Human::of(judged, elo);
    let by_problems = explained.map(|it| it.by_problems(&Player::from(f64::from(elo)))).unwrap_or_default();
    let json = Json {
        version: VERSION,
        place: &item.place,
        name: item.name.as_deref(),
        fen: item.position.to_string(),
        end: explained.is_none().then(|| end(item)),
        claim: explained.and_then(|_| claim(item)),
        last_chance,
        elo: explained.map(|_| elo),
        error_chance: explained.map(|it| [error(&it.own), it.other.as_ref().and_then(error)]),
        human: explained.map(|it| [Some(human(&it.own)), it.other.as_ref().map(human)]),
        practical_chances: by_problems.into_iter().map(|(of, loss)| Chance::of(of, loss, elo)).collect(),
        headline: explained.map(Explanation::headline),
        outlook: explained.and_then(Explanation::outlook),
        explained,
    };
    serde_json::to_string(&json).expect("strings and numbers")
}
