//! Tests whether the errors of static values at different levels of a tree are less correlated than at
//! one level, and derives S from the result.

use super::full_width::Until;
use super::measure::Subject;
use super::stability::position;
use crate::Player;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
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

    /// Judges the children of a node of a line.
    fn level(&mut self, position: &Position, line: usize, ply: usize) -> Result<Level, Unfinished> {
        let mut children = Vec::new();
        for mv in position.legal_moves() {
            let mut child = position.clone();
            child.play(mv);
            children.push((-self.static_value(&child), child));
        }
        children.sort_by_key(|(value, _)| -value);
        let best = children.first().map_or(0, |(value, _)| *value);
        let mut leaves = Vec::new();
        for (value, child) in children.iter().take_while(|(value, _)| *value > best - MARGIN) {
            // The value of a finished game is not an estimate.
            if child.is_over() {
                continue;
            }
            let found = -self.search(child, &[], self.nodes)?.0.0;
            let error = (found - value).clamp(-LARGEST, LARGEST);
            leaves.push(Leaf { error: error.into(), fails: found <= best - MARGIN });
        }
        Ok(Level { line, ply, leaves })
    }

    /// Follows two lines from a root: the best move and the best of the others, each followed by the
    /// moves that seem best.
    fn root(&mut self, root: &Position) -> Result<Root, Unfinished> {
        let mut levels = vec![self.level(root, 0, 0)?];
        let (_, best) = self.search(root, &[], CHOICE)?;
        let others: Vec<Move> = root.legal_moves().into_iter().filter(|mv| Some(*mv) != best).collect();
        if others.is_empty() {
            return Ok(Vec::new());
        }
        let (_, second) = self.search(root, &others, CHOICE)?;
        for (line, first) in [best, second].into_iter().enumerate() {
            let (mut position, mut next) = (root.clone(), first);
            for ply in 1..PLIES {
                let Some(mv) = next else { break };
                position.play(mv);
                if position.is_over() {
                    break;
                }
                levels.push(self.level(&position, line, ply)?);
                next = self.search(&position, &[], CHOICE)?.1;
            }
        }
        Ok(levels)
    }
}

/// The relation of two leaves of one tree. The distance is in moves along the tree.
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

/// The sums of one root over its pairs of one relation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    pairs: f64,
    /// The sum of products of errors, each less the mean of its ply and in units of its ply's deviation.
    product: f64,
    /// The sums of the squares of the first and of the second of each pair.
    squares: [f64; 2],
    /// The number of pairs of which the first fails, and of those of which both fail. Each pair also
    /// counts in the reverse order.
    one: f64,
    both: f64,
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

/// Returns the sums of one root's pairs of one relation. Every pair of levels has the same weight,
/// however many options it has. Errors are those of the side at the first level.
fn sums(root: &Root, pair: Pair, spread: &[[f64; 2]]) -> Sums {
    let mut sums = Sums::default();
    for (i, a) in root.iter().enumerate() {
        for b in &root[i..] {
            let (first, second) = if a.ply <= b.ply { (a, b) } else { (b, a) };
            if !pair.holds(first, second) && !pair.holds(second, first) {
                continue;
            }
            let same = std::ptr::eq(first, second);
            let side = if (second.ply - first.ply).is_multiple_of(2) { 1.0 } else { -1.0 };
            let unit =
                |level: &Level, leaf: &Leaf| (leaf.error - spread[level.ply][0]) / spread[level.ply][1];
            let (mut n, mut product, mut squares, mut fails, mut both) = (0.0, 0.0, [0.0; 2], 0.0, 0.0);
            for (x, leaf) in first.leaves.iter().enumerate() {
                for (_, other) in second.leaves.iter().enumerate().filter(|(y, _)| !same || *y != x) {
                    n += 1.0;
                    let (one, two) = (unit(first, leaf), unit(second, other));
                    product += side * one * two;
                    squares = [squares[0] + one * one, squares[1] + two * two];
                    fails += f64::from(u8::from(leaf.fails)) + f64::from(u8::from(other.fails));
                    both += 2.0 * f64::from(u8::from(leaf.fails && other.fails));
                }
            }
            if n > 0.0 {
                sums.pairs += 1.0;
                sums.product += product / n;
                sums.squares = [sums.squares[0] + squares[0] / n, sums.squares[1] + squares[1] / n];
                sums.one += fails / n;
                sums.both += both / n;
            }
        }
    }
    sums
}

/// Adds the sums of all roots, each weighted by how often it was drawn.
fn total(of: &[Sums], drawn: &[u32]) -> Sums {
    of.iter().zip(drawn).fold(Sums::default(), |sum, (root, times)| {
        let times = f64::from(*times);
        Sums {
            pairs: sum.pairs + times * root.pairs,
            product: sum.product + times * root.product,
            squares: [0, 1].map(|i| sum.squares[i] + times * root.squares[i]),
            one: sum.one + times * root.one,
            both: sum.both + times * root.both,
        }
    })
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
}

fn measure(context: &Context<'_>, effort: Effort) -> Result<Vec<Root>, Unfinished> {
    let engine = Engine::new("plies", 1, 1)?;
    let mut judge = Judge { context, engine, referee: Referee::new(), nodes: effort.nodes };
    let limits = Until::stopped(context.stop);
    let subject = Subject::new(context, Player::default())?;
    let mut roots = Vec::new();
    for number in 0..effort.roots {
        context.step(number, effort.roots)?;
        let key = format!("{subject}: root {number}, {} nodes, δ {MARGIN}", effort.nodes);
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
    let place = |pair: Pair| Pair::ALL.iter().position(|other| *other == pair).expect("one of them");
    let difference = |a: Pair, b: Pair, of: fn(&Sums) -> Option<f64>| {
        let (a, b) = (&of_pairs[place(a)], &of_pairs[place(b)]);
        interval(&|drawn| Some(of(&total(a, drawn))? - of(&total(b, drawn))?))
    };
    let differences = [
        ("one node less 2 plies apart", Pair::Siblings, Pair::Apart(2)),
        ("one level less 2 plies apart, both at distance 4", Pair::Cousins(4), Pair::Apart(2)),
        ("one level less 4 plies apart, both at distance 6", Pair::Cousins(6), Pair::Apart(4)),
    ];
    for (name, a, b) in differences {
        estimated(CORRELATION, name, difference(a, b, correlation));
    }
    // Failures of one side: levels that are an even number of plies apart.
    for (pair, sums) in Pair::ALL.into_iter().zip(&of_pairs) {
        if !matches!(pair, Pair::Apart(plies) if plies % 2 == 1) {
            estimated(FAILING, &pair.name(), interval(&|drawn| given(&total(sums, drawn))));
            estimated(ANY, &pair.name(), interval(&|drawn| any(&total(sums, drawn))));
        }
    }
    for (name, a, b) in differences {
        estimated(FAILING, name, difference(a, b, given));
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
         two leaves by way of the tree. Intervals (95 %) are by draws of whole positions."
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
        Level { line, ply, leaves: errors.iter().map(leaf).collect() }
    }

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
