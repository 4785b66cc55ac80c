//! Two depths against one: by the clock, and at equal nodes, where their differences are told apart.

use super::depth_rules::{LEARNED, ONE_DEPTH, RANDOM, REFERENCE};
use super::measure::{MIB, Series, Subject, world};
use crate::Budget;
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::kept::Kept;
use crate::matches::game::Ending;
use crate::matches::{Pace, PairRecord};
use crate::statistics::{Estimate, elo_of_score};
use cassius_search::fnv;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::Duration;

/// The decisive test. Players, numbers of games and the rule were fixed before the first game.
pub static TWO_DEPTHS: Experiment = Experiment {
    id: "two-depths",
    claim: "An alpha-beta search with a depth for the plan of each side plays better than one with one depth",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§1 and §12; §11, Empirical Results, is empty",
    cases: Some(|| {
        let mut cases: Vec<&str> = MATCHES.iter().map(|of| of.case).collect();
        cases.dedup();
        cases
    }),
    uses: &[Input::Kept],
    run,
};

/// What both share, as it was tuned with one depth, and with two (results/spsa-two-depths.sh).
const SHARED: [&str; 2] = [
    "NullMove.reduction=300,NullMove.slope=22,NullMove.per_ply=209,LateMoveReduction.base=70,\
     LateMoveReduction.divisor=270,LateMoveReduction.pv=73,LateMoveReduction.cut=163,\
     LateMoveReduction.worsening=69,LateMoveReduction.killer=125,LateMoveReduction.check=337,\
     LateMoveReduction.history=9231,Singular.margin=1,Singular.double=22,Singular.extension=114,\
     ReverseFutility.margin=67,ReverseFutility.improving=97,Futility.base=102,Futility.margin=86,\
     LateMovePruning.base=2,ExchangePruning.quiet=58,ExchangePruning.noisy=22",
    "NullMove.reduction=342,NullMove.slope=22,NullMove.per_ply=203,LateMoveReduction.base=90,\
     LateMoveReduction.divisor=238,LateMoveReduction.pv=108,LateMoveReduction.cut=128,\
     LateMoveReduction.worsening=102,LateMoveReduction.killer=116,LateMoveReduction.check=352,\
     LateMoveReduction.history=9417,Singular.margin=2,Singular.double=20,Singular.extension=100,\
     ReverseFutility.margin=53,ReverseFutility.improving=70,Futility.base=71,Futility.margin=69,\
     LateMovePruning.base=4,ExchangePruning.quiet=67,ExchangePruning.noisy=17",
];
/// What only two depths have, as tuned with the latter; `farness` was given.
const OF_TWO: &str = "LearnedOptions.farness=700,Abc.floor=54,Abc.delta=45,Abc.share=93,Abc.coupling=100";
/// The same estimate far from the leaves, and nothing tuned.
const UNTUNED: &str = "LearnedOptions.farness=700";

/// A player: a recipe and changes to it.
fn player(recipe: &str, changes: &[&str]) -> String {
    let changes = changes.iter().filter(|change| !change.is_empty());
    changes.fold(recipe.to_string(), |player, change| format!("{player},{change}"))
}

/// The search with one depth that people play with, and these values.
fn one(shared: usize) -> String {
    player("plies", &[SHARED[shared]])
}

/// The search with two depths and these values.
fn two(shared: usize) -> String {
    player("two-depths", &[SHARED[shared], OF_TWO])
}

/// The same, but S without an option is half a ply, and an extension is as much for either plan: whole plies
/// stay whole.
fn rounded(shared: usize) -> String {
    player("two-depths", &[SHARED[shared], OF_TWO, "Abc.floor=50,Abc.share=100"])
}

/// The search with two depths and the values that it had before it was tuned.
fn untuned() -> String {
    player("two-depths", &[UNTUNED])
}

/// A match between two players.
#[derive(Clone, Copy)]
struct Match {
    /// What is compared.
    name: &'static str,
    /// Whose values both players have, if both have the same ones.
    values: &'static str,
    /// The name of its case.
    case: &'static str,
    players: fn() -> [String; 2],
    pace: Pace,
    pairs: u64,
    /// The number of its first pair.
    first: u64,
    /// The pairs that are kept together.
    batch: u64,
}

/// A clock for each player. It is the processor time of a thread, so that other load on the machine costs
/// nobody time.
const fn clock(seconds: u64, milliseconds: u64) -> Pace {
    let (base, increment) = (Duration::from_secs(seconds), Duration::from_millis(milliseconds));
    Pace::Clock { base, increment, margin: Duration::from_millis(50) }
}

const fn nodes(nodes: u64) -> Pace {
    Pace::PerMove(Budget { nodes: Some(nodes), time: None, depth: None })
}

/// The decisive comparison: twins that differ in the rule of depth only. Half of the games are played with
/// the values that were tuned with one depth, half with those that were tuned with two, so that the luck of
/// a tuning is on both sides.
const TWINS: &str = "two depths against one";
/// Whose values these are.
const VALUES: [&str; 2] = ["tuned with one", "tuned with two"];
const BOTH: &str = "both together";

/// The first pair. Earlier ones have the lines of the list as they are; later ones continue them by two
/// random moves. The seed is not that of the tuning.
const FIRST: u64 = 408;
const SEED: u64 = 2;

/// A match of twins.
const fn twins(shared: usize, case: &'static str, pace: Pace, pairs: u64, batch: u64) -> Match {
    Match {
        name: TWINS,
        values: VALUES[shared],
        case,
        players: if shared == 0 { || [two(0), one(0)] } else { || [two(1), one(1)] },
        pace,
        pairs,
        first: FIRST + shared as u64 * pairs,
        batch,
    }
}

/// Another match at so many nodes a move.
const fn other(
    name: &'static str,
    case: &'static str,
    players: fn() -> [String; 2],
    at: u64,
    pairs: u64,
) -> Match {
    Match { name, values: "", case, players, pace: nodes(at), pairs, first: FIRST, batch: 25 }
}

/// The recipe of [`LEARNED`] and its counterpart with one depth in plies, without singular extensions.
const NOT_SINGULAR: fn() -> [String; 2] = || [LEARNED, REFERENCE].map(|of| player(of, &["-Singular"]));

const MATCHES: [Match; 20] = [
    twins(0, DECISIVE, clock(2, 20), 1_325, 10),
    twins(1, DECISIVE, clock(2, 20), 1_325, 10),
    twins(0, "10+0.1", clock(10, 100), 150, 5),
    twins(1, "10+0.1", clock(10, 100), 150, 5),
    twins(0, "20k", nodes(20_000), 500, 25),
    twins(1, "20k", nodes(20_000), 500, 25),
    other("two depths against one, each with its values", "20k", || [two(1), one(0)], 20_000, 500),
    other("one depth, tuned against not tuned", "tuning", || [one(0), "plies".into()], 20_000, 500),
    other("two depths, tuned against not tuned", "tuning", || [two(1), untuned()], 20_000, 500),
    // These were added when the ones above had been played.
    other("two depths against one, not tuned", "untuned", || [untuned(), "plies".into()], 20_000, 500),
    other(
        "one depth, with what was tuned with two, against not tuned",
        "borrowed",
        || [one(1), "plies".into()],
        20_000,
        500,
    ),
    other(
        "one depth, S against plies",
        "one-s",
        || [player("two-depths", &[UNTUNED, "Abc.one_depth=1"]), "plies".into()],
        20_000,
        500,
    ),
    other(
        "S for its owner's plan against S for both",
        "same-s",
        || [player(LEARNED, &["Abc.cut_only=1"]), ONE_DEPTH.into()],
        10_000,
        500,
    ),
    other(
        "S at all nodes against S where a fail high is expected",
        "same-nodes",
        || [LEARNED.into(), player(LEARNED, &["Abc.cut_only=1"])],
        10_000,
        500,
    ),
    other("S estimated against S by chance", "chance", || [LEARNED, RANDOM].map(String::from), 10_000, 500),
    other("S against plies, both without singular extensions", "not-singular", NOT_SINGULAR, 10_000, 500),
    // Whether it matters that S and extensions are fractions of a ply.
    other("two depths, S ½, against one: tuned with one", "rounded", || [rounded(0), one(0)], 20_000, 500),
    other("two depths, S ½, against one: tuned with two", "rounded", || [rounded(1), one(1)], 20_000, 500),
    // About as many nodes as by the clock, where two depths are behind: is it the time, or the nodes?
    twins(0, "80k", nodes(80_000), 250, 25),
    twins(1, "80k", nodes(80_000), 250, 25),
];
const QUICK: Pace = nodes(200);

/// What is kept of a pair of games, without the names of its parts: there are thousands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Parts", into = "Parts")]
struct Pair {
    /// The hash of the name of the line from which it was continued.
    line: u32,
    /// The half points of the first player in both games.
    half_points: [u8; 2],
    endings: [Ending; 2],
    plies: [usize; 2],
    /// Hashes of the moves.
    moves: [u32; 2],
}

/// Returns a number that tells one text from another.
fn hash(text: &str) -> u32 {
    fnv(text.bytes()) as u32
}

/// The parts of a pair, in this order.
type Parts = (u32, [u8; 2], [Ending; 2], [usize; 2], [u32; 2]);

impl From<Parts> for Pair {
    fn from((line, half_points, endings, plies, moves): Parts) -> Pair {
        Pair { line, half_points, endings, plies, moves }
    }
}

impl From<Pair> for Parts {
    fn from(pair: Pair) -> Parts {
        (pair.line, pair.half_points, pair.endings, pair.plies, pair.moves)
    }
}

impl Pair {
    fn of(record: &PairRecord) -> Pair {
        let [one, two] = &record.games;
        Pair {
            line: hash(&record.opening),
            half_points: [one.half_points, two.half_points],
            endings: [one.ending, two.ending],
            plies: [one.plies, two.plies],
            moves: [&one.pgn, &two.pgn].map(|pgn| hash(&moves_of(pgn))),
        }
    }

    /// The share of the points of the first player.
    fn score(&self) -> f64 {
        f64::from(self.half_points.iter().sum::<u8>()) / 4.0
    }

    /// The games that ended so, and were lost (or won) by the first player.
    fn lost(&self, ending: Ending, by_first: bool) -> usize {
        let lost = if by_first { 0 } else { 2 };
        self.half_points
            .iter()
            .zip(self.endings)
            .filter(|(half, end)| (**half, *end) == (lost, ending))
            .count()
    }
}

/// Returns the moves of a game, without tags and comments.
fn moves_of(pgn: &str) -> String {
    let text = pgn.rsplit_once("]\n").map_or(pgn, |(_, moves)| moves);
    let outside = text.split('}').map(|part| part.split('{').next().unwrap_or_default());
    // Lines end elsewhere if comments are longer.
    outside.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// A match that was played.
struct Case {
    of: Match,
    pace: String,
    pairs: Vec<Pair>,
    /// How many of the pairs were played by the search of another version.
    of_another_version: usize,
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let subject =
        |player: String| Subject::new(context, player.parse().expect("a player of this file's own"));
    let matches: Vec<&Match> = MATCHES.iter().filter(|of| context.wants(of.case)).collect();
    let pairs = |of: &Match| if context.quick { 1 } else { of.pairs };
    let steps = matches.iter().map(|of| pairs(of) as usize).sum();
    let (mut cases, mut done) = (Vec::new(), 0);
    for of in matches {
        let [first, second] = (of.players)();
        let subjects = [&subject(first)?, &subject(second)?];
        let pace = if context.quick { QUICK } else { of.pace };
        let series = Series { subjects, pace, most: of.pairs, seed: SEED };
        let (mut played, mut of_another_version) = (Vec::new(), 0);
        let others = || context.kept.map_or(0, Kept::of_other_versions);
        for begin in (0..pairs(of)).step_by(of.batch as usize) {
            context.step(done + begin as usize, steps)?;
            let Some(world) = world(context, pace) else { break };
            let numbers = of.first + begin..of.first + (begin + of.batch).min(pairs(of));
            let before = others();
            let of_batch: Option<Vec<Pair>> = context.once(&series.key(&numbers), || {
                let records = series.play(context, &world, numbers.clone())?;
                Ok::<_, Unfinished>(records.iter().map(Pair::of).collect())
            })?;
            let Some(of_batch) = of_batch else { break };
            of_another_version += if others() > before { of_batch.len() } else { 0 };
            played.extend(of_batch);
        }
        done += pairs(of) as usize;
        // The margin of a clock is left out.
        let name = pace.to_string().split(" (").next().unwrap_or_default().to_string();
        cases.push(Case { of: *of, pace: name, pairs: played, of_another_version });
    }
    context.step(steps, steps)?;
    Ok(findings(&cases))
}

/// Returns the games of twins at each pace, with either values.
fn together(cases: &[Case]) -> Vec<Case> {
    let twins: Vec<&Case> = cases.iter().filter(|case| case.of.name == TWINS).collect();
    let of_pace = |chunk: &[&Case]| Case {
        of: Match { values: BOTH, pairs: chunk.iter().map(|case| case.of.pairs).sum(), ..chunk[0].of },
        pace: chunk[0].pace.clone(),
        pairs: chunk.iter().flat_map(|case| case.pairs.clone()).collect(),
        of_another_version: chunk.iter().map(|case| case.of_another_version).sum(),
    };
    twins.chunk_by(|one, other| one.of.case == other.of.case).map(of_pace).collect()
}

/// A difference that is worth having, in Elo.
const WORTH: f64 = 10.0;

/// The case that the rule is about.
const DECISIVE: &str = "2+0.02";

/// Returns the ends of the interval of 90 %, which the rule of two one-sided tests asks for.
fn interval_of_90(elo: Estimate) -> [f64; 2] {
    [elo.low, elo.high].map(|end| elo.value + (end - elo.value) * 1.645 / 1.96)
}

/// The verdict, by the rule that was fixed before the first game.
fn verdict(elo: Estimate) -> &'static str {
    match (elo, interval_of_90(elo)) {
        (Estimate { low, .. }, _) if low > 0.0 => "better",
        (Estimate { high, .. }, _) if high < 0.0 => "worse",
        (_, [low, high]) if low > -WORTH && high < WORTH => "no difference worth 10 Elo",
        _ => "undecided",
    }
}

fn findings(cases: &[Case]) -> Findings {
    let conditions = vec!["what", "values", "pace"];
    let mut findings = Findings { conditions, ..Findings::default() };
    let together = together(cases);
    for case in cases.iter().chain(&together).filter(|case| !case.pairs.is_empty()) {
        let Case { of, pace, pairs, of_another_version } = case;
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[&of.name, &of.values, pace], None, value, Tolerance::Any);
        };
        let elo = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
        let independent = Estimate::of_mean(pairs.iter().map(Pair::score).enumerate()).map(elo);
        let games = 2 * pairs.len();
        row("games", games as f64);
        row("points %", 100.0 * pairs.iter().map(Pair::score).sum::<f64>() / pairs.len() as f64);
        row("Elo", independent.value);
        for (quantity, error) in [("±", independent.error()), ("± by line", by_line(pairs).error())] {
            if error.is_finite() {
                row(quantity, error);
            }
        }
        let drawn = pairs.iter().flat_map(|pair| pair.half_points).filter(|half| *half == 1).count();
        row("drawn %", 100.0 * drawn as f64 / games as f64);
        let different: BTreeSet<u32> = pairs.iter().flat_map(|pair| pair.moves).collect();
        row("different", different.len() as f64);
        let lost = |by_first| pairs.iter().map(|pair| pair.lost(Ending::Time, by_first)).sum::<usize>();
        row("lost on time", lost(true) as f64);
        row("won on time", lost(false) as f64);
        if *of_another_version > 0 {
            row("of another version", 2.0 * *of_another_version as f64);
        }
    }
    let decisive = together.iter().find(|case| case.of.case == DECISIVE);
    let decisive = decisive.filter(|case| case.pairs.len() as u64 == case.of.pairs);
    let [with_two, with_one] = [two(1), one(0)].map(|player| format!("`{player}`"));
    findings.notes = vec![
        format!(
            "*Two depths* against *one*: twins that differ in their rule of depth only, and have the same \
             values of what they share. Those *tuned with one* are those of {with_one}, those *tuned with \
             two* those of {with_two}, as are the values that only two depths have; both tunings had the \
             same effort. *S ½*: S without an option is ½, not .54, and an extension is as much for either \
             plan, not 93 % for the other: whole plies stay whole. Of the matches at equal nodes those after \
             the fifth were added when most of the first five had been played. At 10,000 nodes nothing is \
             tuned, and S is that of `{LEARNED}`. *For its owner's plan*: with `Abc.cut_only=1` it is 1 \
             where a fail low is expected. *For both*: `{ONE_DEPTH}`, which has the same S at the same \
             nodes, but for both plans. *By chance*: `{RANDOM}`, where the nodes without an option are \
             drawn by lot, about as many, except in \
             check. Options are not estimated in open windows, that is on the principal variation: there S \
             is 1."
        ),
        format!(
            "Half of the 95 % interval beside Elo: of pairs that are independent, and *by line*, where all \
             that continue built-in lines of one name are kept together. *Different*: games that differ in \
             their moves. Clocks run by the processor time of the thread that searches. {MIB} MiB, one \
             thread, seed {SEED}; every line is continued by two random moves. The players were tuned with \
             another seed, but some of these beginnings may have come up there. Players and numbers of \
             games were fixed before the first game, and with them this rule, for the interval *by line* of \
             *{BOTH}* at {DECISIVE}: two depths are *better* or *worse* if it does not contain zero; there \
             is *no difference worth {WORTH} Elo* if the interval of 90 % lies within {WORTH}; else it is \
             *undecided*. A first run of the decisive match was broken off after 1,880 games with the \
             values tuned with one, in which two depths were −24 ± 10: a fault of the table was found that \
             mostly two depths met. Those games do not count, since the search of both players has changed."
        ),
    ];
    if let Some(case) = decisive {
        let elo = by_line(&case.pairs);
        let [low, high] = interval_of_90(elo);
        let verdict = verdict(elo);
        findings
            .notes
            .push(format!("By that rule: {verdict}. The interval of 90 % is [{low:.1}, {high:.1}]."));
    }
    findings
}

/// Returns the difference in Elo, with an interval that keeps the pairs of one line together.
fn by_line(pairs: &[Pair]) -> Estimate {
    let elo = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
    Estimate::of_mean(pairs.iter().map(|pair| (pair.line, pair.score()))).map(elo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_decided_beforehand_is_what_is_said() {
        let of =
            |value: f64, error: f64| verdict(Estimate { value, low: value - error, high: value + error });
        assert_eq!(of(9.0, 8.0), "better");
        assert_eq!(of(-9.0, 8.0), "worse");
        assert_eq!(of(1.0, 8.0), "no difference worth 10 Elo");
        assert_eq!(of(4.0, 8.0), "undecided");
        assert_eq!(of(1.0, 20.0), "undecided");
    }

    #[test]
    fn comments_are_no_moves() {
        let pgn = "[White \"a\"]\n[Black \"b\"]\n\n1. e4 { +0.2/9 0.1s }\ne5 { -0.1/8 } 1-0\n";
        let same = "[White \"c\"]\n\n1. e4 { +0.3/7 } e5\n1-0\n";
        assert_eq!(moves_of(pgn), "1. e4 e5 1-0");
        assert_eq!(moves_of(pgn), moves_of(same));
    }

    /// Lines of the list as they are, which were played when the players were tuned, are left out.
    #[test]
    fn lines_are_continued() {
        let lines = cassius_chess::openings::builtin().len() as u64;
        assert_eq!(FIRST, lines);
        for of in MATCHES {
            assert!(of.first >= lines, "{}, {}", of.name, of.case);
        }
    }

    #[test]
    fn twins_are_counted_together() {
        let pair = |half: u8| Pair {
            line: 0,
            half_points: [half; 2],
            endings: [Ending::Checkmate; 2],
            plies: [80, 90],
            moves: [1, 2],
        };
        let case = |of: Match, half: u8| Case {
            of,
            pace: "2+0.02".into(),
            pairs: vec![pair(half); 20],
            of_another_version: 0,
        };
        let findings = findings(&[case(MATCHES[0], 2), case(MATCHES[1], 1)]);
        let ours = |quantity: &str, values: &str| {
            let is = |row: &&crate::experiment::Row| row.quantity == quantity && row.conditions[1] == values;
            findings.rows.iter().find(is).unwrap_or_else(|| panic!("{}", findings.to_csv())).ours
        };
        assert_eq!((ours("games", VALUES[0]), ours("points %", VALUES[0])), (40.0, 100.0));
        assert_eq!((ours("games", BOTH), ours("points %", BOTH)), (80.0, 75.0));
        assert_eq!(findings.notes.len(), 2, "there is no verdict before all are played");
    }

    #[test]
    fn a_pair_is_kept_without_the_names_of_its_parts() {
        let pair = Pair {
            line: 7,
            half_points: [2, 1],
            endings: [Ending::Checkmate, Ending::FiftyMoves],
            plies: [80, 90],
            moves: [1, 2],
        };
        let text = serde_json::to_string(&pair).expect("a pair");
        assert_eq!(text, r#"[7,[2,1],["checkmate","fifty_moves"],[80,90],[1,2]]"#);
        assert_eq!(serde_json::from_str::<Pair>(&text).expect("the same pair"), pair);
    }

    #[test]
    fn losses_on_time_are_told_from_wins() {
        let pair = Pair {
            line: 0,
            half_points: [0, 2],
            endings: [Ending::Time, Ending::Time],
            plies: [80, 90],
            moves: [1, 2],
        };
        assert_eq!([true, false].map(|first| pair.lost(Ending::Time, first)), [1, 1]);
        assert_eq!(pair.lost(Ending::Crash, true), 0);
    }
}
