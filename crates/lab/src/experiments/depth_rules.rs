//! Compares depth rules on one skeleton: one counter, counters of both sides, credit, and the depths of
//! plans.

use super::measure::{MIB, Noting, Still, Subject, exercises, games_until, positions};
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::plot::{Bars, Plot, Scale, Series};
use crate::statistics::Pentanomial;
use crate::suite::Summary;
use crate::{Budget, Player};
use cassius_chess::recipes::AnyLaboratory;
use cassius_chess::tablebase::Endgames;
use cassius_chess::{EngineError, Evaluator, Move, Position, RECIPES};
use cassius_search::alpha_beta::horizon::{Alter, Altered, Entered};
use cassius_search::alpha_beta::observe::{Counters, Instability, Observe};
use cassius_search::alpha_beta::options::Listing;
use cassius_search::{
    Component, Depths, Evaluate, Game, Recipe, Report, Request, Setting, Slots, Table, Window, search,
};
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::time::Duration;

/// The comparison.
pub static DEPTH_RULES: Experiment = Experiment {
    id: "depth-rules",
    claim: "A line may end when one counter has run out (fractional plies), when the counters of both sides \
            have run out (SEX), when credit is used up (dual credit), or when each side's plan is safe \
            enough (ABC); which of these rules plays best has not been published",
    paper: "D. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993; D. Levy, D. Broughton, M. Taylor: \
            The SEX Algorithm in Computer Chess, 1989; M. Campbell, A. J. Hoane, F. Hsu: Deep Blue, 2002; \
            D. Eppstein: Which nodes to search? Full-width vs. selective search, 1999",
    section: "§11 of the first, which is empty",
    cases: Some(|| RULES.iter().map(|rule| rule.name).collect()),
    uses: &[Input::Exercises, Input::Kept],
    run,
};

/// The recipe whose evaluation, order and pruning all rules share. It counts every move as a ply.
pub(super) const REFERENCE: &str = "lab";

/// A depth rule, as a player of the skeleton.
struct Rule {
    name: &'static str,
    player: &'static str,
}

const RULES: [Rule; 15] = [
    Rule { name: REFERENCE_NAME, player: REFERENCE },
    Rule { name: AGAIN, player: "lab,LateMoveReduction.base=76" },
    Rule { name: "fractional", player: "lab,+Interest" },
    Rule { name: "sex", player: "sex" },
    Rule { name: "dual-credit", player: "dual-credit" },
    Rule { name: "abc", player: "lab-abc" },
    Rule { name: "abc-printed", player: "lab-abc,Abc.floor=0" },
    Rule { name: "abc-quiescence", player: QUIESCENT },
    Rule { name: "uncoupled", player: "lab-abc,Abc.floor=100,Abc.soft=1" },
    Rule { name: "coupled", player: "lab-coupled" },
    Rule { name: "learned", player: LEARNED },
    Rule { name: "learned-one-depth", player: ONE_DEPTH },
    Rule { name: "learned-uncoupled", player: UNCOUPLED },
    Rule { name: "learned-cheap", player: CHEAP },
    Rule { name: "random", player: RANDOM },
];

const REFERENCE_NAME: &str = "plies";

/// Nearest to the paper's advice (§6, §8, §10.2): options are counted by quiescence values of the other
/// moves, and S(1), S(3), S(5) are .40, .79, .93, where its example has .4, .9, 1.0.
const QUIESCENT: &str = "lab-abc,+SiblingQuiescence,Abc.gamma=1500,Abc.floor=0";

/// As [`LEARNED`], but a move adds to its owner's plan only, as in the paper.
const UNCOUPLED: &str = "lab-two-depths,LearnedOptions.farness=300,Abc.coupling=0";

/// The same rule with other trees: what differs here differs by chance. It is not played.
const AGAIN: &str = "plies-again";

/// Coupled depths; S is ½ where the estimate that was learned finds no option.
pub(super) const LEARNED: &str = "lab-two-depths,LearnedOptions.farness=300";

/// The same estimate for one depth: S counts for both plans, except where a fail low is expected.
pub(super) const ONE_DEPTH: &str = "lab-two-depths,LearnedOptions.farness=300,Abc.one_depth=1";

/// As [`LEARNED`], estimated only far from the leaves, as in the match by the clock of `two-depths`.
const CHEAP: &str = "lab-two-depths,LearnedOptions.farness=700";

/// As [`LEARNED`], but nodes without an option are drawn by chance, about as many.
pub(super) const RANDOM: &str = "lab-two-depths,-LearnedOptions,+RandomOptions,RandomOptions.farness=300";

/// The pairs that are kept together.
const BATCH: u64 = 20;

/// A rule whose interval ends below this is not played further at a pace.
const HOPELESS: f64 = -100.0;

/// The amount of work.
struct Effort {
    /// The node limits of an exercise.
    budgets: &'static [u64],
    /// The node limit of a position whose search is observed.
    watched: u64,
    /// The nodes for each move, and the pairs of games at each.
    paces: &'static [(u64, u64)],
    /// The times for each move, and the pairs of games at each.
    timed: &'static [(Duration, u64)],
}

const QUICK: Effort = Effort { budgets: &[2_000], watched: 3_000, paces: &[(200, 1)], timed: &[] };
const FULL: Effort = Effort {
    budgets: &[10_000, 50_000, 250_000],
    watched: 50_000,
    paces: &[(2_000, 400), (10_000, 200), (50_000, 60)],
    timed: &[(Duration::from_millis(10), 120), (Duration::from_millis(40), 60)],
};

/// Observations of the searches of one rule.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Watch {
    searches: u64,
    /// Sums over the searches: finished iterations, and the longest line of each search in plies,
    /// without quiescence.
    iterations: u64,
    longest: u64,
    /// Searches with an iteration that took more than [`EXPLOSION`] times the nodes of all earlier ones.
    explosions: u64,
    /// The moves searched, and those after which the plans owe different depths.
    steps: u64,
    unequal: u64,
    /// The nodes entered, those of which the number of options was estimated, and of these those without
    /// one: where a fail low was expected, and where a fail high was.
    entered: u64,
    estimated: [u64; 2],
    without: [u64; 2],
    /// The best moves, and the nodes at the end of iteration [`SAME`], by position.
    best: Vec<String>,
    same: Vec<Option<u64>>,
    /// Sums of the counts of [`Instability`].
    again: u64,
    taken_back: u64,
}

/// The largest cost of an iteration, as a multiple of all earlier iterations together. Those count as at
/// least [`FIRST`] nodes.
const EXPLOSION: u64 = 20;
const FIRST: u64 = 500;

/// The iteration whose cost is compared.
const SAME: usize = 10;

/// The measurements of a rule.
struct Case {
    name: &'static str,
    solved: Vec<Option<Summary>>,
    watch: Option<Watch>,
    /// Games against the reference, at equal nodes and then at each time.
    games: Vec<(String, Pentanomial)>,
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    Ok(findings(context, effort, &measure(context, effort)?))
}

/// Measures all cases. The slowest measurement comes last, for all of them.
fn measure(context: &Context<'_>, effort: &Effort) -> Result<Vec<Case>, Unfinished> {
    let subject = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    let reference = subject(REFERENCE)?;
    let rules: Vec<&Rule> = RULES.iter().filter(|rule| context.wants(rule.name)).collect();
    let nodes = |&(nodes, pairs)| (Budget { nodes: Some(nodes), ..Budget::default() }, pairs);
    let time = |&(time, pairs)| (Budget { time: Some(time), ..Budget::default() }, pairs);
    let paces: Vec<(Budget, u64)> =
        effort.paces.iter().map(nodes).chain(effort.timed.iter().map(time)).collect();
    let steps = (1 + paces.len()) * rules.len();
    let mut cases = Vec::new();
    for (done, rule) in rules.into_iter().enumerate() {
        context.step(done, steps)?;
        let subject = subject(rule.player)?;
        let solved =
            effort.budgets.iter().map(|nodes| subject.solves(context, *nodes)).collect::<Result<_, _>>()?;
        let key =
            format!("{subject}: {}, watched for {} nodes, {MIB} MiB, 2", exercises(context), effort.watched);
        let watch = context.once(&key, || watch(context, effort.watched, &subject.player))?;
        cases.push((subject, Case { name: rule.name, solved, watch, games: Vec::new() }));
    }
    for (pace, (budget, pairs)) in paces.iter().enumerate() {
        let count = cases.len();
        for (number, (subject, case)) in cases.iter_mut().enumerate() {
            context.step((1 + pace) * count + number, steps)?;
            if ![REFERENCE_NAME, AGAIN].contains(&case.name) {
                let subjects = [subject as &Subject, &reference];
                let tally = games_until(context, subjects, *budget, BATCH, *pairs, is_hopeless)?;
                case.games.push((budget.to_string(), tally));
            }
        }
    }
    context.step(steps, steps)?;
    Ok(cases.into_iter().map(|(_, case)| case).collect())
}

/// Whether the rule is certainly too weak.
fn is_hopeless(games: &Pentanomial) -> bool {
    games.elo().high < HOPELESS
}

/// The longest line, including captures in quiescence, and the number of moves of its positions. This is
/// the number of static values in the lists of `Abc` at its end.
#[derive(Default)]
pub(super) struct Longest {
    line: Vec<Position>,
    pub plies: usize,
    pub moves: usize,
}

impl Observe<Position> for Longest {
    fn enter(&mut self, position: &Position, _: Window, ply: usize) {
        self.line.truncate(ply);
        if ply > self.plies {
            let mut moves = Vec::new();
            let count = |position: &Position| {
                moves.clear();
                position.moves(&mut moves);
                moves.len()
            };
            self.plies = ply;
            self.moves = self.line.iter().map(count).sum();
        }
        self.line.push(position.clone());
    }
}

/// Counts the moves after which both plans owe the same depth, and the others; and the nodes without an
/// option by an estimate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DepthCounts {
    steps: u64,
    unequal: u64,
    entered: u64,
    estimated: [u64; 2],
    without: [u64; 2],
}

impl Component for DepthCounts {
    const NAME: &'static str = "DepthCounts";
}

impl<G: Game> Alter<G> for DepthCounts {
    fn enter(&mut self, entered: &Entered<'_, G>, _: &mut impl Evaluate<G>) {
        self.entered += 1;
        if let Some((Listing::Guess, options)) = entered.options {
            self.estimated[usize::from(entered.cut)] += 1;
            self.without[usize::from(entered.cut)] += u64::from(options.is_empty());
        }
    }

    fn child(&mut self, owed: impl FnOnce() -> Depths) {
        let owed = owed();
        self.steps += 1;
        self.unequal += u64::from(owed.lower != owed.upper);
    }
}

/// A recipe with observers: what this experiment asks, and what `endings` asks. One type for both is one
/// search less to compile.
pub(super) struct Watched<R>(PhantomData<R>);

cassius_search::recipe! {
    impl [R: Recipe<Position>] Watched<R>, game Position {
        Setting = R::Setting;
        Observe = ((Counters, Instability), Longest);
        Horizon = Altered<DepthCounts, R::Horizon>;
        Options = R::Options;
        Correction = R::Correction;
        Quiescence = R::Quiescence;
        Memory = R::Memory;
        Selectivity = R::Selectivity;
        Order = R::Order;
        Windows = R::Windows;
        Aspiration = R::Aspiration;
        Deepening = R::Deepening;
    }
}

/// Searches the exercises with the player's settings, or the built-in positions if there are no
/// exercises.
fn watch(context: &Context<'_>, nodes: u64, player: &Player) -> Result<Watch, Unfinished> {
    let mut watch = Watch::default();
    let mut watcher = Watcher::new(player)?;
    for position in watched(context) {
        let seen = watcher.search(&position, nodes, context, &mut |_| {});
        context.go_on()?;
        watch.searches += 1;
        watch.iterations += seen.ends.len() as u64;
        watch.longest += seen.longest as u64;
        watch.explosions += u64::from(explodes(&seen.ends, seen.nodes));
        let DepthCounts { steps, unequal, entered, estimated, without } = seen.unequal;
        watch.steps += steps;
        watch.unequal += unequal;
        watch.entered += entered;
        for kind in 0..2 {
            watch.estimated[kind] += estimated[kind];
            watch.without[kind] += without[kind];
        }
        watch.best.push(seen.best);
        watch.same.push(seen.ends.get(SAME - 1).copied());
        watch.again += seen.instability.again;
        watch.taken_back += seen.instability.high_then_low + seen.instability.low_then_high;
    }
    Ok(watch)
}

/// Returns the exercises, or the built-in positions if there are none.
fn watched(context: &Context<'_>) -> Vec<Position> {
    match context.exercises {
        [] => positions().collect(),
        exercises => exercises.iter().map(|exercise| exercise.epd.position.clone()).collect(),
    }
}

/// Whether an iteration, finished or not, took more than [`EXPLOSION`] times the nodes of all earlier
/// ones.
fn explodes(ends: &[u64], nodes: u64) -> bool {
    let mut before = 0;
    ends.iter().chain([&nodes]).any(|&end| {
        let cost = end - before;
        let explodes = cost > EXPLOSION * before.max(FIRST);
        before = end;
        explodes
    })
}

/// Returns the slots of a recipe, with the presets of the player's recipe and the player's settings.
pub(super) fn slots<R>(player: &Player, table: &Table) -> Slots<Position, R>
where
    R: Recipe<
            Position,
            Setting: Setting<Position, Evaluate = Evaluator, Knowledge = Endgames>,
            Memory = Table,
        >,
{
    let mut slots: Slots<Position, R> = Slots::new(Evaluator::new(), table.clone(), Endgames::default());
    let recipe = RECIPES.iter().find(|recipe| recipe.name == player.recipe);
    let presets: Vec<_> =
        recipe.into_iter().flat_map(|recipe| recipe.presets.iter().copied().flatten()).collect();
    slots.visit(&mut |parameter, value| {
        let switched =
            player.components.iter().find(|(name, _)| parameter.name == "on" && name == parameter.component);
        let named = parameter.full_name();
        let set = player.settings.iter().rev().find(|(name, _)| *name == named); // the last one counts
        let preset = || presets.iter().find(|(name, _)| *name == named).map(|(_, value)| *value);
        let set = set.map(|(_, value)| *value).or(switched.map(|(_, on)| i32::from(*on)));
        *value = set.or_else(preset).unwrap_or(*value);
    });
    slots
}

/// A search with observers.
struct Watcher {
    table: Table,
    slots: Slots<Position, Watched<AnyLaboratory>>,
}

/// The observations of one search.
struct Seen {
    /// Nodes at the end of each finished iteration, and of the whole search.
    ends: Vec<u64>,
    nodes: u64,
    longest: usize,
    instability: Instability,
    unequal: DepthCounts,
    best: String,
}

impl Watcher {
    /// Creates the search of the player, whose recipe is a laboratory.
    fn new(player: &Player) -> Result<Self, EngineError> {
        let table = Table::new(MIB)?;
        Ok(Watcher { slots: slots(player, &table), table })
    }

    fn search(
        &mut self,
        position: &Position,
        nodes: u64,
        context: &Context<'_>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Seen {
        self.table.clear();
        self.slots.forget();
        self.slots.observe = Default::default();
        self.slots.horizon.change = DepthCounts::default();
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let limits = Noting::of(budget.limits(&Still, context.stop));
        let answer = search(&mut self.slots, &Request::new(position, &limits), report);
        let ((counters, instability), _) = std::mem::take(&mut self.slots.observe);
        Seen {
            ends: limits.seen().iter().map(|progress| progress.nodes).collect(),
            nodes: answer.nodes,
            longest: counters.nodes.len().saturating_sub(1),
            instability,
            unequal: self.slots.horizon.change,
            best: answer.best().map(|best| position.uci(best)).unwrap_or_default(),
        }
    }
}

fn findings(context: &Context<'_>, effort: &Effort, cases: &[Case]) -> Findings {
    let mut findings = Findings { conditions: vec!["rule", "limit"], ..Findings::default() };
    for case in cases {
        let mut row = |quantity: &str, limit: &str, value: f64| {
            findings.row(quantity, &[&case.name, &limit], None, value, Tolerance::Any);
        };
        for (nodes, summary) in effort.budgets.iter().zip(&case.solved) {
            if let Some(summary) = summary {
                row("solved", &format!("{nodes} nodes"), summary.solved as f64);
            }
        }
        if let Some(watch) = &case.watch {
            let Watch { searches, iterations, longest, explosions, again, taken_back, .. } = *watch;
            let limit = format!("{} nodes", effort.watched);
            let mean = |sum: u64| sum as f64 / searches.max(1) as f64;
            row("iterations", &limit, mean(iterations));
            row("longest line", &limit, mean(longest));
            row("explosions", &limit, explosions as f64);
            row("taken back", &limit, 1000.0 * taken_back as f64 / again.max(1) as f64);
            let percent = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
            row("unequal %", &limit, percent(watch.unequal, watch.steps));
            if watch.estimated != [0; 2] {
                row("estimated %", &limit, percent(watch.estimated.iter().sum(), watch.entered));
                let kinds = ["no option, fail low expected %", "no option, fail high expected %"];
                for (kind, quantity) in kinds.iter().enumerate() {
                    row(quantity, &limit, percent(watch.without[kind], watch.estimated[kind]));
                }
            }
            let of_plies = cases[0].watch.as_ref().filter(|_| cases[0].name == REFERENCE_NAME);
            if let Some(plies) = of_plies {
                let pairs = watch.same.iter().zip(&plies.same);
                let logs: Vec<f64> =
                    pairs.filter_map(|(own, plies)| Some(((*own)? as f64 / (*plies)? as f64).ln())).collect();
                let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
                row("nodes for the same iterations %", &limit, 100.0 * mean.exp());
                let others = watch.best.iter().zip(&plies.best).filter(|(own, plies)| own != plies).count();
                row("other moves %", &limit, 100.0 * others as f64 / searches.max(1) as f64);
            }
        }
        for (limit, pairs) in &case.games {
            let elo = pairs.elo();
            if pairs.pairs() > 0 {
                row("games", limit, 2.0 * pairs.pairs() as f64);
                row("Elo", limit, elo.value);
            }
            if pairs.pairs() > 0 && elo.error().is_finite() {
                row("±", limit, elo.error());
            }
        }
    }
    let middle = effort.paces[effort.paces.len() / 2].0;
    let shown = Budget { nodes: Some(middle), ..Budget::default() }.to_string();
    let points = |case: &Case| {
        let of = |(nodes, summary): (&u64, &Option<Summary>)| {
            Some((*nodes as f64, summary.as_ref()?.solved as f64))
        };
        effort.budgets.iter().zip(&case.solved).filter_map(of).collect::<Vec<_>>()
    };
    findings.plot(Plot {
        name: "solved".into(),
        title: "Exercises solved by nodes".into(),
        x: "nodes".into(),
        y: "solved".into(),
        scale: Scale::Logarithmic,
        series: cases.iter().map(|case| Series::new(case.name, points(case))).collect(),
    });
    let bar = |case: &Case| {
        let (_, games) = case.games.iter().find(|(limit, _)| *limit == shown)?;
        (games.pairs() > 0).then(|| (case.name.to_string(), games.elo()))
    };
    findings.plot(Bars {
        name: "elo".into(),
        title: format!("Elo against plies, {shown} a move"),
        x: "Elo, 95 % interval".into(),
        from: 0.0,
        bars: cases.iter().filter_map(bar).collect(),
    });
    let players = RULES.map(|rule| format!("{} is `{}`", rule.name, rule.player)).join(", ");
    let games = effort.paces.iter().map(|(nodes, pairs)| format!("{pairs} pairs at {nodes} nodes a move"));
    let timed = effort
        .timed
        .iter()
        .map(|(time, pairs)| format!("{pairs} pairs at {} ms of processor time a move", time.as_millis()));
    let games = games.chain(timed).collect::<Vec<_>>().join(", ");
    let watched = match context.exercises.len() {
        0 => format!("{} built-in positions; no exercises: name a suite with --suite", positions().count()),
        count => format!("{count} exercises"),
    };
    findings.notes = vec![
        format!(
            "One skeleton, evaluation, order and pruning, those of `{REFERENCE}`; {MIB} MiB, one thread; \
             every rule with the prices that it is declared with or named with; none was tuned by games. \
             {players}. The table keeps what is only probable where a depth depends on the window \
             (`Table.strict` is 0), as it does for every rule in play."
        ),
        format!(
            "Of {watched}. *iterations* finished and *longest line* in plies, quiescence not counted: \
             means. *explosions*: searches in which one iteration took more than {EXPLOSION} times the \
             nodes of all before it, these counted as {FIRST} at least. *taken back*: of 1000 nodes that \
             were searched again at once with a wider window, those that contradicted their bound. \
             *unequal*: of the moves searched, those after which the plans owe different depths (%). \
             *estimated*: of the nodes whose moves are searched, those of which the number of options is \
             estimated (%); *no option*: of these, those for which the estimate is 0. *nodes for the same \
             iterations*: {SAME} iterations, in percent of those of plies, geometric mean over the positions \
             in which both finish them; a ply is not the same in all rules. *other \
             moves*: of the best moves, those that differ from those of plies (%); for *plies-again*, the \
             same rule with other trees, they differ by chance."
        ),
        format!(
            "*Elo* against `{REFERENCE}`, half of the 95 % interval beside it: {games}, built-in openings, \
             seed 1. A rule whose interval ends below {HOPELESS} is not played further at that pace. This \
             is checked after every {BATCH} pairs; the interval does not allow for it. -inf: every game was \
             lost."
        ),
    ];
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite;
    use std::sync::atomic::AtomicBool;

    fn agrees(player: &str) {
        let player: Player = player.parse().unwrap();
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        let (mut watcher, mut engine) = (Watcher::new(&player).unwrap(), player.engine(MIB, 1).unwrap());
        for position in positions() {
            let (mut watched, mut played) = (Vec::new(), Vec::new());
            let note = |reports: &mut Vec<_>, report: &Report<Move>| {
                reports.push((report.iteration, report.nodes, report.score, report.pv.clone()));
            };
            watcher.search(&position, 2_000, &context, &mut |report| note(&mut watched, report));
            engine.forget();
            let budget = Budget { nodes: Some(2_000), ..Budget::default() };
            let limits = budget.limits(&Still, &stop);
            engine.search(&Request::new(&position, &limits), &mut |report| note(&mut played, report));
            assert_eq!(watched, played, "{player}");
        }
    }

    /// The observed search is the search that plays, node for node.
    #[test]
    fn every_rule_is_its_player() {
        agrees("lab");
        agrees("lab,+Interest");
        agrees("sex");
        agrees("dual-credit");
        agrees("lab-abc");
        agrees("lab-abc,Abc.floor=0");
        agrees("lab-abc,Abc.floor=100,Abc.soft=1");
        agrees("lab-coupled");
        agrees(LEARNED);
        agrees(ONE_DEPTH);
        agrees(CHEAP);
    }

    #[test]
    fn an_iteration_that_costs_too_much_explodes() {
        assert!(!explodes(&[100, 1_000, 12_000], 50_000));
        assert!(explodes(&[100, 1_000], 22_000), "21 times what was before, not finished");
        assert!(!explodes(&[100, 1_000], 20_000));
        assert!(explodes(&[], 10_001) && !explodes(&[], 10_000), "the first counts as {FIRST}");
    }

    /// With S as printed, and without a limit on the length of lines, the depths of plans follow
    /// one-sided forced lines for ever. One counter does not.
    #[test]
    fn one_sided_forced_lines_explode() {
        let epd = "8/Pk6/8/1p6/8/P1K5/8/6B1 w - - bm a8=Q+; id \"one-sided\";\n";
        let (exercises, broken) = suite::read("x.epd", epd.as_bytes());
        assert!(broken.is_empty());
        let stop = AtomicBool::new(false);
        let context = Context { exercises: &exercises, ..Context::new(true, &|_, _| {}, &stop) };
        let explosions = |player: &str| watch(&context, 20_000, &player.parse().unwrap()).unwrap().explosions;
        assert_eq!(explosions("lab"), 0);
        assert_eq!(explosions("lab-abc,Abc.floor=0,Abc.longest=0"), 1);
    }
}
