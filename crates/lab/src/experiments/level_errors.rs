//! Tests whether the errors of static values at different levels of a tree are less correlated than at
//! one level, and derives S from the result.

use super::full_width::Until;
use super::measure::Subject;
use super::stability::position;
use crate::Player;
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use crate::prediction::Bootstrap;
use crate::statistics::Estimate;
use cassius_chess::certificate::Referee;
use cassius_chess::{Engine, Move, Position};
use cassius_search::alpha_beta::horizon::Safety;
use cassius_search::plans::certificate::{Referee as _, Work};
use cassius_search::{Game as _, Request, Score, Window};

/// The assumptions of §4 and §6.
pub static LEVEL_ERRORS: Experiment = Experiment {
    id: "level-errors",
    claim: "Errors of static values at different levels of a tree are less correlated than errors at one \
            level, so the more options a move has, the less each of them counts",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§4 and §6: \"this seems plausible in chess\"",
    cases: None,
    uses: &[Input::Kept],
    run,
};

/// The amount of work.
#[derive(Clone, Copy)]
struct Effort {
    roots: usize,
    /// The node limit of the search whose value is taken as true.
    nodes: u64,
    /// The number of resamples for intervals.
    resamples: usize,
}

const QUICK: Effort = Effort { roots: 14, nodes: 300, resamples: 100 };
const FULL: Effort = Effort { roots: 420, nodes: 6_000, resamples: 1000 };

/// δ, in centipawns. A move is an option if its static value is less than this below the best. It fails
/// if its true value is not.
const MARGIN: i32 = 50;
/// The plies of each line.
const PLIES: usize = 6;
/// The node limit for the choice of the moves of a line.
const CHOICE: u64 = 1_000;
/// The limit at which errors are clipped, in centipawns: a mate counts as no larger an error than a
/// queen.
const LARGEST: i32 = 900;
/// A root whose static value is beyond this is decided.
const DECIDED: i32 = 300;
/// The maximum number of options for which S is measured, at nodes that have at least that many.
const OPTIONS: usize = 10;

/// The names of the questions.
const ERRORS: &str = "errors, centipawns";
const CORRELATION: &str = "correlation of errors";
const FAILING: &str = "fails, if the other does, %";
const ANY: &str = "fails, whatever the other does, %";
const CONSPIRATORS: &str = "conspirators as good as independent";
const SHAPE: &str = "S(k) / S(10)";
const GAMMA: &str = "γ";

/// A position after an option.
struct Leaf {
    /// The true value less the static value, for the side that has the option.
    error: f64,
    /// Whether the option fails to hold the value that the best static value of its siblings promises.
    fails: bool,
}

/// A node of a line, with the moves that seem to hold its value, the best first.
struct Level {
    line: usize,
    ply: usize,
    leaves: Vec<Leaf>,
    /// For each line, which of the leaves it goes on with: `None` if it does not, or with another move. The
    /// root is on both lines.
    played: [Option<usize>; 2],
}

/// The levels of both lines from one root.
type Root = Vec<Level>;

/// A searcher that starts with an empty state for every position.
struct Judge<'a> {
    context: &'a Context<'a>,
    engine: Engine,
    referee: Referee,
    nodes: u64,
}

impl Judge<'_> {
    /// Searches for the side to move. Returns the value and the best of these moves, or of all moves.
    fn search(
        &mut self,
        position: &Position,
        moves: &[Move],
        nodes: u64,
    ) -> Result<(Score, Option<Move>), Unfinished> {
        self.engine.forget();
        let limits = Until { nodes, stop: self.context.stop };
        let answer = self.engine.search(&Request { moves, ..Request::new(position, &limits) }, &mut |_| {});
        self.context.go_on()?;
        let value = answer.score().unwrap_or(Score::DRAW);
        Ok((value, answer.best()))
    }

    /// Returns the quiescence value for the side to move, which is the paper's static value (§8).
    fn static_value(&mut self, position: &Position) -> i32 {
        if position.is_over() {
            return position.outcome().score(0).0;
        }
        let value = self.referee.value(position, Window::FULL, &mut Work::unlimited());
        value.expect("there is no limit").0
    }

    /// Judges the children of a node of a line. `next` are the moves that the lines go on with.
    fn level(
        &mut self,
        position: &Position,
        line: usize,
        ply: usize,
        next: [Option<Move>; 2],
    ) -> Result<Level, Unfinished> {
        let mut children = Vec::new();
        for mv in position.legal_moves() {
            let mut child = position.clone();
            child.play(mv);
            children.push((-self.static_value(&child), mv, child));
        }
        children.sort_by_key(|(value, ..)| -value);
        let best = children.first().map_or(0, |(value, ..)| *value);
        let (mut leaves, mut played) = (Vec::new(), [None; 2]);
        for (value, mv, child) in children.iter().take_while(|(value, ..)| *value > best - MARGIN) {
            // The value of a finished game is not an estimate.
            if child.is_over() {
                continue;
            }
            let found = -self.search(child, &[], self.nodes)?.0.0;
            let error = (found - value).clamp(-LARGEST, LARGEST);
            for (played, next) in played.iter_mut().zip(next) {
                if next == Some(*mv) {
                    *played = Some(leaves.len());
                }
            }
            leaves.push(Leaf { error: error.into(), fails: found <= best - MARGIN });
        }
        Ok(Level { line, ply, leaves, played })
    }

    /// Follows two lines from a root: the best move and the best of the others, each followed by the
    /// moves that seem best.
    fn root(&mut self, root: &Position) -> Result<Root, Unfinished> {
        let (_, best) = self.search(root, &[], CHOICE)?;
        let others: Vec<Move> = root.legal_moves().into_iter().filter(|mv| Some(*mv) != best).collect();
        if others.is_empty() {
            return Ok(Vec::new());
        }
        let (_, second) = self.search(root, &others, CHOICE)?;
        let firsts = [best, second];
        let mut levels = vec![self.level(root, 0, 0, firsts)?];
        for (line, first) in firsts.into_iter().enumerate() {
            let (mut position, mut next) = (root.clone(), first);
            for ply in 1..PLIES {
                let Some(mv) = next else { break };
                position.play(mv);
                if position.is_over() {
                    break;
                }
                next = self.search(&position, &[], CHOICE)?.1;
                let mut of_line = [None; 2];
                of_line[line] = next;
                levels.push(self.level(&position, line, ply, of_line)?);
            }
        }
        Ok(levels)
    }
}

/// The relation of two leaves of one tree. The distance is in moves along the tree. No leaf is above the
/// other: the move that a line goes on with is not paired with what comes after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pair {
    /// Children of one node: distance 2.
    Siblings,
    /// Children of different nodes at the same ply: the distance is twice that ply.
    Cousins(usize),
    /// Children of two nodes of one line, this many plies apart: the distance is that number plus 2.
    Apart(usize),
}

impl Pair {
    const ALL: [Pair; 8] = [
        Pair::Siblings,
        Pair::Cousins(4),
        Pair::Cousins(6),
        Pair::Apart(1),
        Pair::Apart(2),
        Pair::Apart(3),
        Pair::Apart(4),
        Pair::Apart(5),
    ];

    fn name(self) -> String {
        match self {
            Pair::Siblings => "one node, distance 2".into(),
            Pair::Cousins(distance) => format!("one level, other node, distance {distance}"),
            Pair::Apart(plies) if plies % 2 == 0 => {
                format!("{plies} plies apart, distance {}", plies + 2)
            }
            Pair::Apart(plies) => format!(
                "{plies} {} apart, other side's, distance {}",
                if plies == 1 { "ply" } else { "plies" },
                plies + 2
            ),
        }
    }

    /// Whether two levels have this relation. For siblings, both are the same level.
    fn holds(self, a: &Level, b: &Level) -> bool {
        match self {
            Pair::Siblings => a.line == b.line && a.ply == b.ply,
            Pair::Cousins(distance) => a.ply == b.ply && a.line < b.line && 2 * (a.ply + 1) == distance,
            // The root is on both lines.
            Pair::Apart(plies) => b.ply == a.ply + plies && (a.line == b.line || a.ply == 0),
        }
    }
}

/// A leaf of a pair.
#[derive(Clone, Copy)]
struct Unit {
    /// Its error less the mean of its ply, in units of its ply's deviation.
    error: f64,
    fails: bool,
}

impl Level {
    /// Returns the leaves but for one.
    fn units(&self, spread: &[[f64; 2]], without: Option<usize>) -> Vec<Unit> {
        let [mean, deviation] = spread[self.ply];
        let unit = |leaf: &Leaf| Unit { error: (leaf.error - mean) / deviation, fails: leaf.fails };
        let others = self.leaves.iter().enumerate().filter(|(place, _)| Some(*place) != without);
        others.map(|(_, leaf)| unit(leaf)).collect()
    }
}

/// The sums of one root over its pairs of one relation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    pairs: f64,
    /// The sum of products of errors. Errors are those of the side at the first level.
    product: f64,
    /// The sums of the squares of the first and of the second of each pair.
    squares: [f64; 2],
    /// The number of pairs of which the first fails, and of those of which both fail. Each pair also
    /// counts in the reverse order.
    one: f64,
    both: f64,
}

impl Sums {
    fn add(&mut self, other: &Sums, weight: f64) {
        self.pairs += weight * other.pairs;
        self.product += weight * other.product;
        self.squares = [0, 1].map(|i| self.squares[i] + weight * other.squares[i]);
        self.one += weight * other.one;
        self.both += weight * other.both;
    }

    /// Returns the mean over pairs of leaves, as one pair; nothing if there are none.
    fn mean(pairs: impl Iterator<Item = (Unit, Unit)>, side: f64) -> Sums {
        let (mut n, mut sum) = (0.0, Sums::default());
        for (a, b) in pairs {
            n += 1.0;
            let [one, two] = [a.fails, b.fails].map(|fails| f64::from(u8::from(fails)));
            let pair = Sums {
                pairs: 1.0,
                product: side * a.error * b.error,
                squares: [a.error * a.error, b.error * b.error],
                one: one + two,
                both: 2.0 * one * two,
            };
            sum.add(&pair, 1.0);
        }
        let mut mean = Sums::default();
        if n > 0.0 {
            mean.add(&sum, 1.0 / n);
        }
        mean
    }

    /// Returns the mean over pairs of different leaves of one node.
    fn of_siblings(leaves: &[Unit]) -> Sums {
        let others = |x: usize| leaves.iter().enumerate().filter(move |(y, _)| *y != x);
        let pairs = leaves.iter().enumerate().flat_map(|(x, a)| others(x).map(|(_, b)| (*a, *b)));
        Sums::mean(pairs, 1.0)
    }

    /// Returns the mean over pairs of a leaf of one node and a leaf of another, so many plies below.
    fn of_nodes(first: &[Unit], second: &[Unit], plies: usize) -> Sums {
        let side = if plies.is_multiple_of(2) { 1.0 } else { -1.0 };
        Sums::mean(first.iter().flat_map(|a| second.iter().map(|b| (*a, *b))), side)
    }
}

/// Returns the mean and deviation of errors at each ply, over all roots.
fn spread(roots: &[Root]) -> Vec<[f64; 2]> {
    (0..PLIES)
        .map(|ply| {
            let errors = || {
                roots
                    .iter()
                    .flatten()
                    .filter(|level| level.ply == ply)
                    .flat_map(|level| level.leaves.iter())
                    .map(|leaf| leaf.error)
            };
            let n = errors().count().max(1) as f64;
            let mean = errors().sum::<f64>() / n;
            [
                mean,
                (errors().map(|error| (error - mean).powi(2)).sum::<f64>() / n).sqrt().max(f64::MIN_POSITIVE),
            ]
        })
        .collect()
}

/// Returns the pairs of nodes of one root that have this relation, the earlier node first.
fn nodes(root: &Root, pair: Pair) -> impl Iterator<Item = [&Level; 2]> {
    let both = move |a, b| if pair.holds(a, b) { Some([a, b]) } else { pair.holds(b, a).then_some([b, a]) };
    root.iter().enumerate().flat_map(move |(i, a)| root[i..].iter().filter_map(move |b| both(a, b)))
}

/// Returns the leaves of two different nodes without the one of the first node that is above the second.
fn apart([first, second]: [&Level; 2], spread: &[[f64; 2]]) -> [Vec<Unit>; 2] {
    let above = if first.ply < second.ply { first.played[second.line] } else { None };
    [first.units(spread, above), second.units(spread, None)]
}

/// Returns the sums of one root's pairs of one relation. Every pair of nodes has the same weight, however
/// many options it has.
fn sums(root: &Root, pair: Pair, spread: &[[f64; 2]]) -> Sums {
    let mut sums = Sums::default();
    for [first, second] in nodes(root, pair) {
        let of_pair = if pair == Pair::Siblings {
            Sums::of_siblings(&first.units(spread, None))
        } else {
            let [a, b] = apart([first, second], spread);
            Sums::of_nodes(&a, &b, second.ply - first.ply)
        };
        sums.add(&of_pair, 1.0);
    }
    sums
}

/// Returns the sums of one root's pairs in one node, and of its pairs so many plies apart, over the same
/// leaves of the same nodes: those of two nodes so many plies apart that have at least two leaves each. Each
/// of the two nodes counts half for the pairs in one node, so that every leaf has the same weight in both.
fn matched(root: &Root, plies: usize, spread: &[[f64; 2]]) -> [Sums; 2] {
    let [mut within, mut between] = [Sums::default(); 2];
    for two in nodes(root, Pair::Apart(plies)) {
        let [a, b] = apart(two, spread);
        if a.len() > 1 && b.len() > 1 {
            within.add(&Sums::of_siblings(&a), 0.5);
            within.add(&Sums::of_siblings(&b), 0.5);
            between.add(&Sums::of_nodes(&a, &b, plies), 1.0);
        }
    }
    [within, between]
}

/// Adds the sums of all roots, each weighted by how often it was drawn.
fn total(of: &[Sums], drawn: &[u32]) -> Sums {
    let mut sum = Sums::default();
    of.iter().zip(drawn).for_each(|(root, times)| sum.add(root, f64::from(*times)));
    sum
}

fn correlation(sums: &Sums) -> Option<f64> {
    let [one, two] = sums.squares;
    (one > 0.0 && two > 0.0).then(|| sums.product / (one * two).sqrt())
}

/// Returns how often one option fails if the other does, in per cent.
fn given(sums: &Sums) -> Option<f64> {
    (sums.one > 0.0).then(|| 100.0 * sums.both / sums.one)
}

/// Returns how often one option fails, in per cent.
fn any(sums: &Sums) -> Option<f64> {
    (sums.pairs > 0.0).then(|| 50.0 * sums.one / sums.pairs)
}

/// How often options of one level fail together. For 1, 2, … options: the sum, over levels whose best
/// option fails, of the chance that this many options chosen at random all fail; and the number of these
/// levels.
#[derive(Clone, Debug, Default)]
struct Together {
    levels: f64,
    all_fail: [f64; OPTIONS],
}

fn together(root: &Root) -> Together {
    let mut sum = Together::default();
    for level in root.iter().filter(|level| level.leaves.len() > OPTIONS && level.leaves[0].fails) {
        let options = &level.leaves[1..];
        let failing = options.iter().filter(|leaf| leaf.fails).count() as f64;
        let mut chance = 1.0;
        for (k, sum) in sum.all_fail.iter_mut().enumerate() {
            chance *= (failing - k as f64).max(0.0) / (options.len() - k) as f64;
            *sum += chance;
        }
        sum.levels += 1.0;
    }
    sum
}

/// Returns −ln of the chance that 1, 2, … options all fail, in units of the first. This is the
/// equivalent number of independent conspirators.
fn strength(of: &[Together], drawn: &[u32]) -> Option<[f64; OPTIONS]> {
    let mut sum = Together::default();
    for (root, times) in of.iter().zip(drawn) {
        let times = f64::from(*times);
        sum.levels += times * root.levels;
        sum.all_fail.iter_mut().zip(root.all_fail).for_each(|(sum, more)| *sum += times * more);
    }
    let strength = sum.all_fail.map(|all_fail| -(all_fail / sum.levels).ln());
    (sum.levels > 0.0 && strength.iter().all(|s| s.is_finite() && *s > 0.0)).then_some(strength)
}

/// Returns S(k) of the paper's family in units of S(10), for k = 1, 2, …, 10.
fn family(gamma: f64) -> [f64; OPTIONS] {
    let safety = Safety::Power { gamma, branching: 30 };
    std::array::from_fn(|k| safety.of(k + 1) / safety.of(OPTIONS))
}

/// Returns the family for γ from 1 to 60.
fn families() -> Vec<(f64, [f64; OPTIONS])> {
    (100..=6000)
        .step_by(10)
        .map(|hundredths| f64::from(hundredths) / 100.0)
        .map(|gamma| (gamma, family(gamma)))
        .collect()
}

/// Returns the γ whose S has the measured shape, by least squares.
fn fitted(strength: &[f64; OPTIONS], families: &[(f64, [f64; OPTIONS])]) -> f64 {
    let shape = strength.map(|s| s / strength[OPTIONS - 1]);
    let off =
        |family: &[f64; OPTIONS]| family.iter().zip(shape).map(|(s, ours)| (s - ours).powi(2)).sum::<f64>();
    families.iter().min_by(|a, b| off(&a.1).total_cmp(&off(&b.1))).map_or(1.0, |(gamma, _)| *gamma)
}

/// The stored form of a level.
#[derive(serde::Serialize, serde::Deserialize)]
struct KeptLevel {
    line: usize,
    ply: usize,
    errors: Vec<i32>,
    fails: Vec<bool>,
    played: [Option<usize>; 2],
}

/// The number changes whenever what is kept does.
const REVISION: u32 = 2;

fn measure(context: &Context<'_>, effort: Effort) -> Result<Vec<Root>, Unfinished> {
    let engine = Engine::new("plies", 1, 1)?;
    let mut judge = Judge { context, engine, referee: Referee::new(), nodes: effort.nodes };
    let limits = Until::stopped(context.stop);
    let subject = Subject::new(context, Player::default())?;
    let mut roots = Vec::new();
    for number in 0..effort.roots {
        context.step(number, effort.roots)?;
        let key =
            format!("{subject}: root {number}, {} nodes, δ {MARGIN}, revision {REVISION}", effort.nodes);
        let kept = context.once(&key, || -> Result<Vec<KeptLevel>, Unfinished> {
            // These factors have no common divisor with the number of openings or of plies.
            let root = position(7 * number + 3, &limits)?;
            if root.is_over() || judge.static_value(&root).abs() > DECIDED {
                return Ok(Vec::new());
            }
            let keep = |level: Level| KeptLevel {
                line: level.line,
                ply: level.ply,
                errors: level.leaves.iter().map(|leaf| leaf.error as i32).collect(),
                fails: level.leaves.iter().map(|leaf| leaf.fails).collect(),
                played: level.played,
            };
            Ok(judge.root(&root)?.into_iter().map(keep).collect())
        })?;
        let level = |kept: KeptLevel| Level {
            line: kept.line,
            ply: kept.ply,
            leaves: kept
                .errors
                .iter()
                .zip(kept.fails)
                .map(|(error, fails)| Leaf { error: (*error).into(), fails })
                .collect(),
            played: kept.played,
        };
        let levels: Root = kept.into_iter().flatten().map(level).collect();
        if !levels.is_empty() {
            roots.push(levels);
        }
    }
    context.step(effort.roots, effort.roots)?;
    Ok(roots)
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { QUICK } else { FULL };
    let roots = measure(context, effort)?;
    Ok(report(&roots, effort))
}

/// Reports all results for the roots.
fn report(roots: &[Root], effort: Effort) -> Findings {
    let mut findings = Findings { conditions: vec!["question", "leaves"], ..Findings::default() };
    let everything = vec![1; roots.len()];
    let bootstrap = Bootstrap { resamples: effort.resamples, seed: 1 };
    let interval = |statistic: &dyn Fn(&[u32]) -> Option<f64>| -> Option<Estimate> {
        bootstrap.interval(statistic(&everything)?, roots.len(), statistic).ok()
    };
    let spread = spread(roots);
    for (ply, [mean, deviation]) in spread.iter().enumerate() {
        let of_ply =
            || roots.iter().flatten().filter(|level| level.ply == ply).flat_map(|level| &level.leaves);
        let leaves = of_ply().count();
        let name = format!("below ply {ply}");
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[&ERRORS, &name], None, value, Tolerance::Any);
        };
        row("leaves", leaves as f64);
        if leaves > 0 {
            row("mean error", *mean);
            row("deviation", *deviation);
            row("fail %", 100.0 * of_ply().filter(|leaf| leaf.fails).count() as f64 / leaves as f64);
        }
    }
    let mut row = |quantity: &str, question: &str, of: &str, value: f64| {
        findings.row(quantity, &[&question, &of], None, value, Tolerance::Any);
    };
    let mut estimated = |question: &str, of: &str, estimate: Option<Estimate>| {
        if let Some(estimate) = estimate {
            row("value", question, of, estimate.value);
            row("from", question, of, estimate.low);
            row("to", question, of, estimate.high);
        }
    };
    let of_pairs =
        Pair::ALL.map(|pair| roots.iter().map(|root| sums(root, pair, &spread)).collect::<Vec<_>>());
    for (pair, sums) in Pair::ALL.into_iter().zip(&of_pairs) {
        estimated(CORRELATION, &pair.name(), interval(&|drawn| correlation(&total(sums, drawn))));
    }
    let sums_of = |pair: Pair| {
        let place = Pair::ALL.iter().position(|other| *other == pair).expect("one of them");
        &of_pairs[place]
    };
    let [within, between]: [Vec<Sums>; 2] =
        [0, 1].map(|side| roots.iter().map(|root| matched(root, 2, &spread)[side]).collect());
    let differences = [
        ("one node less 2 plies apart, the same nodes", [&within, &between]),
        ("one level less 2 plies apart, both at distance 4", [Pair::Cousins(4), Pair::Apart(2)].map(sums_of)),
        ("one level less 4 plies apart, both at distance 6", [Pair::Cousins(6), Pair::Apart(4)].map(sums_of)),
    ];
    let difference = |[a, b]: [&Vec<Sums>; 2], of: fn(&Sums) -> Option<f64>| {
        interval(&|drawn| Some(of(&total(a, drawn))? - of(&total(b, drawn))?))
    };
    for (name, sides) in differences {
        estimated(CORRELATION, name, difference(sides, correlation));
    }
    // Failures of one side: levels that are an even number of plies apart.
    for (pair, sums) in Pair::ALL.into_iter().zip(&of_pairs) {
        if !matches!(pair, Pair::Apart(plies) if plies % 2 == 1) {
            estimated(FAILING, &pair.name(), interval(&|drawn| given(&total(sums, drawn))));
            estimated(ANY, &pair.name(), interval(&|drawn| any(&total(sums, drawn))));
        }
    }
    for (name, sides) in differences {
        estimated(FAILING, name, difference(sides, given));
    }
    let togethers: Vec<Together> = roots.iter().map(together).collect();
    let levels = togethers.iter().map(|root| root.levels).sum::<f64>();
    let conspirators = |k: usize| interval(&|drawn| strength(&togethers, drawn).map(|s| s[k - 1] / s[0]));
    let shape = |k: usize| interval(&|drawn| strength(&togethers, drawn).map(|s| s[k - 1] / s[OPTIONS - 1]));
    let shown = [1, 2, 3, 5, 7, 10];
    for k in shown {
        estimated(CONSPIRATORS, &format!("{k} options"), conspirators(k));
    }
    let mut points = Vec::new();
    for k in shown {
        let found = shape(k);
        estimated(SHAPE, &format!("{k} options"), found);
        points.extend(found.map(|found| (k as f64, found)));
    }
    let families = families();
    let gamma = |drawn: &[u32]| strength(&togethers, drawn).map(|s| fitted(&s, &families));
    estimated(GAMMA, "S of this shape", interval(&gamma));
    row("levels", CONSPIRATORS, "with more than ten options, the best failing", levels);
    for k in shown {
        for gamma in [1.0, 5.0, 30.0] {
            row(&format!("γ = {gamma}"), SHAPE, &format!("{k} options"), family(gamma)[k - 1]);
        }
    }
    plots(&mut findings, &points);
    findings.notes = vec![
        format!(
            "{} positions up to 40 plies after built-in openings, each side playing what it finds two plies \
             deep, none decided (static value beyond {DECIDED} centipawns). From each two lines of {PLIES} \
             plies, the best move and the best of the others and what follows. At each node of the lines the \
             moves whose static value is less than {MARGIN} centipawns below the best: static is the \
             quiescence value, true is what the recipe plies finds with {} nodes, each from an empty table. \
             Errors are true less static for the side that has the move, cut off at {LARGEST}; a move fails \
             if its true value is not above the best static value less {MARGIN}.",
            roots.len(),
            effort.nodes
        ),
        "Correlations are of errors less the mean of their ply, in units of its deviation, seen by one side; \
         each pair of nodes counts once, however many moves it has. Distance is the number of moves between \
         two leaves by way of the tree. The move that a line goes on with is not paired with moves after it. \
         The difference of one node and 2 plies apart is over the same moves of the same nodes: those of two \
         nodes 2 plies apart with at least two moves each. It is therefore not the difference of two other \
         rows. The other differences are over different nodes. Intervals (95 %) are by draws of whole \
         positions."
            .into(),
        format!(
            "Conspirators: −ln of the chance that so many options, drawn from those of a \
             node with more than {OPTIONS}, all fail where its best move fails, in units of \
             one option's; independent errors would make it k. S(k) / S(10) is the same in \
             units of ten options', beside that of the paper's family with b = 30; γ is that \
             of the family that is nearest to it by least squares. 5 is the default of Abc."
        ),
    ];
    findings
}

fn plots(findings: &mut Findings, points: &[(f64, Estimate)]) {
    let mut measured = Series::new("measured, 95 %", points.iter().map(|(k, s)| (*k, s.value)));
    measured.reach = points.iter().map(|(_, s)| s.error()).collect();
    let of = |name: &str, gamma: f64| {
        Series::new(name, family(gamma).into_iter().enumerate().map(|(k, s)| ((k + 1) as f64, s)))
    };
    findings.plot(Plot {
        name: "s".into(),
        title: "What options add, in units of ten of them".into(),
        x: "options of one move".into(),
        y: "S(k) / S(10)".into(),
        scale: Scale::Linear,
        series: vec![measured, of("γ = 1", 1.0), of("γ = 5", 5.0), of("γ = 30", 30.0)],
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::sync::atomic::AtomicBool;

    fn level(line: usize, ply: usize, errors: &[f64]) -> Level {
        let leaf = |error: &f64| Leaf { error: *error, fails: *error < 0.0 };
        Level { line, ply, leaves: errors.iter().map(leaf).collect(), played: [None; 2] }
    }

    /// Units as they are: the errors are not divided by their deviation.
    const AS_THEY_ARE: [[f64; 2]; PLIES] = [[0.0, 1.0]; PLIES];

    /// Returns random errors for many roots. Each error has a part common to a node's children, a part
    /// common to the whole root, and a part of the leaf alone.
    fn drawn(roots: usize, of_node: f64, of_root: f64) -> Vec<Root> {
        let mut random = Random(1);
        let mut normal =
            move || (0..12).map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20)).sum::<f64>() - 6.0;
        let mut root = |_| {
            let shared = of_root * normal();
            let mut levels = Vec::new();
            for (line, ply) in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)] {
                let node = of_node * normal();
                // For the side that moves there.
                let side = if ply % 2 == 0 { 1.0 } else { -1.0 };
                let errors: Vec<f64> = (0..12).map(|_| side * (shared + node + normal())).collect();
                levels.push(level(line, ply, &errors));
            }
            levels
        };
        (0..roots).map(&mut root).collect()
    }

    fn value(findings: &Findings, question: &str, of: &str) -> f64 {
        let row = findings
            .rows
            .iter()
            .find(|row| row.conditions[0] == question && row.conditions[1].starts_with(of));
        row.unwrap_or_else(|| panic!("{question} {of}: {}", findings.to_csv())).ours
    }

    /// The correlations put into the errors are recovered: siblings share both parts, other leaves only
    /// the root's part, at any level.
    #[test]
    fn correlations_are_those_that_were_put_in() {
        let findings = report(&drawn(600, 1.0, 1.0), QUICK);
        for (of, expected) in [
            ("one node", 2.0 / 3.0),
            ("one level", 1.0 / 3.0),
            ("1 ply", 1.0 / 3.0),
            ("2 plies", 1.0 / 3.0),
            ("3 plies", 1.0 / 3.0),
        ] {
            let found = value(&findings, CORRELATION, of);
            assert!((found - expected).abs() < 0.06, "{of}: {found}, not {expected}");
        }
        let between = value(&findings, CORRELATION, "one level less 2 plies");
        assert!(between.abs() < 0.05, "{between}");
    }

    /// The move that a line goes on with is above what comes after it, and in no pair with it. On the other
    /// line another move is.
    #[test]
    fn what_is_above_is_left_out() {
        let of = |played| {
            let mut first = level(0, 0, &[5.0, 1.0, 2.0]);
            first.played = played;
            let root = vec![first, level(0, 1, &[7.0]), level(0, 2, &[3.0]), level(1, 2, &[10.0])];
            sums(&root, Pair::Apart(2), &AS_THEY_ARE)
        };
        for (played, line, other) in [
            ([None; 2], 8.0 / 3.0, 8.0 / 3.0),
            ([Some(0), None], 1.5, 8.0 / 3.0),
            ([Some(0), Some(2)], 1.5, 3.0),
        ] {
            let product = of(played).product;
            assert!((product - (3.0 * line + 10.0 * other)).abs() < 1e-12, "{played:?}: {product}");
        }
        assert_eq!(of([Some(0), Some(2)]).squares, [2.5 + 13.0, 109.0]);
        // Siblings are at distance 2, whichever is played.
        let mut root = vec![level(0, 0, &[5.0, 1.0])];
        root[0].played = [Some(0), Some(1)];
        assert_eq!(sums(&root, Pair::Siblings, &AS_THEY_ARE).product, 5.0);
        // On one level nothing is above.
        let mut root = vec![level(0, 1, &[5.0, 1.0]), level(1, 1, &[2.0])];
        root[0].played = [Some(0), None];
        assert_eq!(sums(&root, Pair::Cousins(4), &AS_THEY_ARE).product, 6.0);
    }

    /// Whatever is not a matter of pairs is the same within nodes and between them, and a node with one move
    /// left counts for neither.
    #[test]
    fn both_sides_of_a_difference_are_of_the_same_nodes() {
        let mut root = vec![
            level(0, 0, &[-5.0, 1.0, 2.0]),
            level(0, 1, &[4.0, -1.0]),
            level(0, 2, &[3.0, -2.0, -8.0]),
            level(0, 3, &[6.0]),
            level(1, 1, &[1.0, 2.0]),
            level(1, 2, &[-9.0]),
            level(1, 3, &[-7.0, 9.0]),
        ];
        root[0].played = [Some(1), Some(0)];
        let [within, between] = matched(&root, 2, &AS_THEY_ARE);
        // Plies 0 and 2 of line 0, 1 and 3 of line 1.
        assert_eq!((within.pairs, between.pairs), (2.0, 2.0));
        assert!((within.one - between.one).abs() < 1e-12);
        let [a, b] = between.squares;
        assert!(within.squares.iter().all(|square| (square - (a + b) / 2.0).abs() < 1e-12));
        let products = [-10.0, (3.0 * -2.0 + 3.0 * -8.0 + 2.0 * 8.0) / 3.0, 2.0, -63.0];
        assert!((within.product - products.iter().sum::<f64>() / 2.0).abs() < 1e-12);
        assert!((between.product - (-1.5 * (-7.0 / 3.0) + 1.5)).abs() < 1e-12);
        // The move that is played leaves one.
        root[0].leaves.pop();
        assert_eq!(matched(&root, 2, &AS_THEY_ARE)[0].pairs, 1.0);
    }

    /// The lines go on with the moves that are said to be played.
    #[test]
    fn what_is_played_is_known() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        let engine = Engine::new("plies", 1, 1).unwrap();
        let mut judge = Judge { context: &context, engine, referee: Referee::new(), nodes: 20 };
        let position = Position::default();
        let (mut places, mut leaves) = (Vec::new(), 0);
        for mv in position.legal_moves() {
            let level = judge.level(&position, 1, 4, [None, Some(mv)]).unwrap();
            assert_eq!(level.played[0], None);
            leaves = level.leaves.len();
            let Some(place) = level.played[1] else { continue };
            let mut child = position.clone();
            child.play(mv);
            let found = -judge.search(&child, &[], 20).unwrap().0.0;
            assert_eq!(level.leaves[place].error, f64::from(found + judge.static_value(&child)));
            places.push(place);
        }
        places.sort_unstable();
        assert_eq!(places, (0..leaves).collect::<Vec<_>>());
        let root = judge.root(&position).unwrap();
        let played = |level: &Level| level.played.iter().flatten().count();
        assert_ne!(root[0].played[0], root[0].played[1]);
        assert!(root[1..].iter().all(|level| level.played[1 - level.line].is_none()));
        assert!(root[1..].iter().map(played).sum::<usize>() > 5);
    }

    /// With independent errors every option is a conspirator, and S is a straight line; with shared
    /// errors each option counts for less.
    #[test]
    fn shared_errors_bend_s() {
        let independent = report(&drawn(4000, 0.0, 0.0), QUICK);
        for k in [2, 3] {
            let found = value(&independent, CONSPIRATORS, &format!("{k} options"));
            assert!((found - k as f64).abs() < 0.1 * k as f64, "{k}: {found}");
        }
        let shared = report(&drawn(600, 2.0, 0.0), QUICK);
        assert!(value(&shared, CONSPIRATORS, "10 options") < 4.0);
        assert!(value(&shared, GAMMA, "S of") > 3.0);
    }

    #[test]
    fn a_few_positions_can_be_measured() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        let leaves: f64 = (0..PLIES).map(|ply| value(&findings, ERRORS, &format!("below ply {ply}"))).sum();
        assert!(leaves > 300.0, "{}", findings.to_csv());
        assert!(value(&findings, CORRELATION, "one node").abs() <= 1.0);
    }

    #[test]
    fn the_family_is_found_again() {
        for gamma in [1.0, 5.0, 12.5] {
            let found = fitted(&family(gamma).map(|s| 3.0 * s), &families());
            assert!((found - gamma).abs() < 0.051, "{gamma}: {found}");
        }
    }
}
