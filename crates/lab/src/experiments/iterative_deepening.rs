//! Measures the savings of iterative deepening, aspiration, killers and a table in real games, in nodes.

use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_chess::{Evaluator, Position};
use cassius_games::Connect4;
use cassius_search::alpha_beta::aspiration::Aspiration;
use cassius_search::alpha_beta::draws::{Draws, Repetition};
use cassius_search::alpha_beta::horizon::{Alter, Altered, Plies};
use cassius_search::alpha_beta::memory::Memory;
use cassius_search::alpha_beta::order::{Killers, NoisyFirst};
use cassius_search::alpha_beta::quiescence::Captures;
use cassius_search::alpha_beta::windows::WholeWindow;
use cassius_search::game::MoveIndexed;
use cassius_search::{
    Checks, Component, Depth, Depths, Evaluate, Game, Keyed, Limits, MAX_PLY, Noisy, Off, Progress, Request,
    Score, Slots, Statics, Switch, Table, search,
};
use std::cell::Cell;
use std::fmt::Display;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The figures that Marsland & Campbell quote for single programs.
pub static ITERATIVE_DEEPENING: Experiment = Experiment {
    id: "iterative-deepening",
    claim: "Iterative deepening alone costs 5 to 20 % more than one search to \
            the full depth; aspiration saves 23 %; killers may save nothing; \
            with a table one more ply costs less than optimal alpha-beta's; it makes endings 5 times \
            cheaper, pawn endings far more",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§II.A to D: figures of TECH, BELLE, BLITZ, and of Fishburn & Finkel's checkers",
    cases: None,
    uses: &[],
    run,
};

/// Openings of Connect Four, as columns.
const CONNECT_FOUR: [&str; 6] = ["", "4", "44", "43", "4453", "33546"];

/// Middlegame positions.
pub(super) const MIDDLEGAMES: [&str; 6] = [
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1P1BPN2/PB1N1PPP/R2Q1RK1 w - - 2 10",
    "4k2r/1pb2ppp/1p2p3/1R1p4/3P4/2r1PN2/P4PPP/1R4K1 b - - 3 22",
    "3q2k1/pb3p1p/4pbp1/2r5/PpN2N2/1P2P2P/5PP1/Q2R2K1 b - - 4 26",
];

/// Endgame positions with pieces.
pub(super) const ENDINGS: [&str; 3] = [
    "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Reuben Fine's position of locked pawns, in which only the kings move.
const FINE: &str = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";

/// The size of the table in MiB.
const MIB: usize = 16;

/// The varied settings.
#[derive(Clone, Copy, Debug)]
struct Setting {
    /// Whether every depth is searched in turn. Otherwise the first iteration is one ply, which orders
    /// the root's moves, and the second has all plies.
    deepening: bool,
    aspiration: bool,
    killers: bool,
}

const DIRECT: Setting = Setting { deepening: false, aspiration: false, killers: true };
const DEEPENING: Setting = Setting { deepening: true, ..DIRECT };
const ASPIRATION: Setting = Setting { aspiration: true, ..DEEPENING };
const NO_KILLERS: Setting = Setting { killers: false, ..DEEPENING };

/// The iterations have 1, 2, … plies or, if a leap is given, 1 ply and then that number of plies.
#[derive(Clone, Copy, Debug, Default)]
struct Iterations {
    leap: Option<i32>,
}

impl Component for Iterations {
    const NAME: &'static str = "Iterations";
}

impl<G: Game> Alter<G> for Iterations {
    fn iteration(&self, n: usize, inner: Depths) -> Depths {
        self.leap.filter(|_| n > 1).map_or(inner, |plies| Depths::both(Depth::plies(plies)))
    }
}

/// Alpha-beta with the survey's enhancements: noisy moves first, then killers. `M` is the memory, `D`
/// detects draws.
struct Enhanced<E, M, D>(PhantomData<(E, M, D)>);

cassius_search::recipe! {
    impl [G, E, M, D] Enhanced<E, M, D>, game G, where [
        G: Noisy + Checks + MoveIndexed,
        E: Evaluate<G>,
        M: Memory<G>,
        D: Draws<G>,
    ] {
        Setting = (E, D);
        Horizon = Altered<Iterations, Plies>;
        Quiescence = Captures;
        Memory = M;
        Order = (NoisyFirst, Switch<Killers>);
        Windows = WholeWindow;
        Aspiration = Aspiration;
    }
}

/// Limits of a number of nodes and the end of the experiment. Records the cost of each finished
/// iteration.
struct Until<'a> {
    nodes: u64,
    stop: &'a AtomicBool,
    finished: Mutex<Vec<u64>>,
}

impl Until<'_> {
    fn new(nodes: u64, stop: &AtomicBool) -> Until<'_> {
        Until { nodes, stop, finished: Mutex::new(Vec::new()) }
    }
}

impl Limits for Until<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (nodes < self.nodes && !self.ends_now()).then(|| self.nodes.min(nodes + 1024))
    }

    fn ends_now(&self) -> bool {
        self.stop.load(Relaxed)
    }

    fn go_on(&self, progress: &Progress) -> bool {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner).push(progress.nodes);
        true
    }
}

/// The cost of a search.
#[derive(Clone, Debug)]
struct Spent {
    /// The nodes to the end of each finished iteration.
    nodes: Vec<u64>,
    /// The last value.
    value: Score,
}

impl Spent {
    fn all(&self) -> f64 {
        self.nodes.last().copied().unwrap_or(0) as f64
    }
}

fn spend<G, E, M, D>(root: &G, memory: M, setting: Setting, depth: usize, limits: Until<'_>) -> Spent
where
    G: Noisy + Checks + MoveIndexed,
    E: Evaluate<G> + Default,
    M: Memory<G>,
    D: Draws<G>,
{
    let mut slots: Slots<G, Enhanced<E, M, D>> = Slots::new(E::default(), memory, Off);
    slots.horizon.change.leap = (!setting.deepening).then_some(depth as i32);
    // All captures and evasions are searched, so that the value does not depend on the window and every
    // setting must find the same one.
    slots.quiescence = Captures { margin: 10_000, exchange: 0, evasions: 1 };
    slots.order.1.on = i32::from(setting.killers);
    slots.aspiration.from = if setting.aspiration { 2 } else { i32::MAX };
    let iterations = if setting.deepening { depth } else { 2 };
    let answer = search(&mut slots, &Request::new(root, &limits).to_iteration(iterations), &mut |_| {});
    let nodes = limits.finished.into_inner().unwrap_or_else(PoisonError::into_inner);
    Spent { nodes, value: answer.score().unwrap_or(Score::DRAW) }
}

/// Positions of one game, which are searched with each setting in turn.
struct Bench<'a, G, E, D> {
    game: &'static str,
    roots: Vec<G>,
    table: &'a Table,
    context: &'a Context<'a>,
    /// The number of finished steps, and the number of all steps.
    steps: &'a Cell<usize>,
    of: usize,
    /// The evaluation and the draw detection.
    parts: PhantomData<(E, D)>,
}

impl<G, E, D> Bench<'_, G, E, D>
where
    G: Keyed + Noisy + Checks + MoveIndexed,
    E: Evaluate<G> + Default,
    D: Draws<G>,
{
    /// Searches every position to the given number of plies or nodes, each with an empty table or none.
    fn spend(
        &self,
        table: bool,
        setting: Setting,
        depth: usize,
        nodes: u64,
    ) -> Result<Vec<Spent>, Interrupted> {
        let limits = || Until::new(nodes, self.context.stop);
        let each = |root: &G| match table {
            true => {
                self.table.clear();
                spend::<G, E, Table, D>(root, self.table.clone(), setting, depth, limits())
            }
            false => spend::<G, E, Off, D>(root, Off, setting, depth, limits()),
        };
        let spent = self.roots.iter().map(each).collect();
        self.steps.set(self.steps.get() + 1);
        self.context.step(self.steps.get(), self.of)?;
        Ok(spent)
    }

    /// Compares all settings at one depth.
    fn compare(&self, depth: usize, quoted: &Quoted, findings: &mut Findings) -> Result<(), Interrupted> {
        let mut series = Vec::new();
        for table in [false, true] {
            let search = |setting| self.spend(table, setting, depth, u64::MAX);
            let direct = search(DIRECT)?;
            let deepening = search(DEEPENING)?;
            let aspiration = search(ASPIRATION)?;
            let no_killers = search(NO_KILLERS)?;

            let mut row = |quantity: &str, paper, ours, tolerance, reason: Option<&'static str>| {
                let conditions: [&dyn Display; 3] = [&self.game, &depth, &yes(table)];
                let tolerance = match (paper, tolerance) {
                    // It would agree with the opposite, too.
                    (Some(paper), Tolerance::Interval(half)) if half >= f64::abs(paper) => Tolerance::Any,
                    _ => tolerance,
                };
                findings.row(quantity, &conditions, paper, ours, tolerance).because(reason);
            };
            // The paper quotes searches without a table, except for the growth.
            let without = |figure: Option<f64>| figure.filter(|_| !table);
            let all = direct.iter().map(Spent::all).sum();
            row("nodes of the direct search", None, all, Tolerance::Any, None);
            for (quantity, quoted, more, than) in [
                ("iterative deepening, nodes, %", quoted.deepening, &deepening, &direct),
                ("aspiration, nodes, %", quoted.aspiration, &aspiration, &deepening),
                ("killers, nodes, %", quoted.killers, &deepening, &no_killers),
            ] {
                let total = |of: &[Spent], left_out| kept(of, left_out).map(Spent::all).sum::<f64>();
                let percent = |left_out| 100.0 * (total(more, left_out) / total(than, left_out) - 1.0);
                let (percent, interval) = jackknife(direct.len(), percent);
                row(quantity, without(quoted), percent, interval, Some(OTHERS));
            }
            let (growth, interval) = jackknife(direct.len(), |left_out| growth(&deepening, depth, left_out));
            let quoted_growth = quoted.growth.filter(|_| table);
            row("factor of one more ply", quoted_growth, growth, interval, Some(OTHERS));
            let optimal = self.optimal_growth();
            row("factor of optimal alpha-beta", None, optimal, Tolerance::Any, None);
            let claimed = quoted_growth.map(|_| 1.0);
            let tolerance = if claimed.is_some() { Tolerance::Exact } else { Tolerance::Any };
            let less = f64::from(u8::from(growth < optimal));
            row("one more ply costs less than optimal alpha-beta's (1: yes)", claimed, less, tolerance, None);
            let same =
                |other: &[Spent]| other.iter().zip(&direct).filter(|(a, b)| a.value == b.value).count();
            let all = [&deepening, &aspiration, &no_killers];
            let differing = all.map(|other| (direct.len() - same(other)) as f64).iter().sum();
            // A table answers from other lines, so draws by repetition may differ.
            let (tolerance, reason) = match table {
                true => (Tolerance::Any, Some("with a table draws by repetition may come out otherwise")),
                false => (Tolerance::Exact, None),
            };
            row("values other than the direct search's", Some(0.0), differing, tolerance, reason);
            series.push(by_depth(table, &deepening));
        }
        findings.plot(self.plot(series));
        Ok(())
    }

    /// Returns the factor by which one more ply multiplies the leaves of optimal alpha-beta, over two plies:
    /// the root of the mean number of moves (§I, B(W, D)).
    fn optimal_growth(&self) -> f64 {
        let mut moves = Vec::new();
        let mut all = 0;
        for root in &self.roots {
            moves.clear();
            root.moves(&mut moves);
            all += moves.len();
        }
        (all as f64 / self.roots.len() as f64).sqrt()
    }

    /// Measures the savings of the table by depth, and the depth that a search reaches within a node
    /// limit.
    fn endings(
        &self,
        depth: usize,
        gain: f64,
        budget: Option<u64>,
        findings: &mut Findings,
    ) -> Result<(), Interrupted> {
        let [without, with] =
            [self.spend(false, DEEPENING, depth, u64::MAX)?, self.spend(true, DEEPENING, depth, u64::MAX)?];
        for depth in (depth - 4..=depth).step_by(2) {
            let factor = nodes_to(&without, depth, None) / nodes_to(&with, depth, None);
            findings
                .row(
                    "nodes without a table / with it",
                    &[&self.game, &depth, &""],
                    Some(gain),
                    factor,
                    Tolerance::Any,
                )
                .because(UNNAMED);
        }
        let mut series = vec![by_depth(false, &without), by_depth(true, &with)];
        if let Some(budget) = budget {
            for (table, series) in [false, true].into_iter().zip(&mut series) {
                let spent = self.spend(table, DEEPENING, MAX_PLY, budget)?;
                let reached = spent.iter().map(|spent| spent.nodes.len()).min().unwrap_or(0);
                let quantity = format!("plies within {budget} nodes");
                findings
                    .row(
                        &quantity,
                        &[&self.game, &"", &yes(table)],
                        table.then_some(PAWN_PLIES),
                        reached as f64,
                        Tolerance::Any,
                    )
                    .because(UNNAMED);
                *series = by_depth(table, &spent);
            }
        }
        findings.plot(self.plot(series));
        Ok(())
    }

    fn plot(&self, series: Vec<Series>) -> Plot {
        Plot {
            name: self.game.to_lowercase().replace(' ', "-"),
            title: format!("{}: nodes of iterative deepening", self.game),
            x: "iteration, plies".into(),
            y: "nodes".into(),
            scale: Scale::Logarithmic,
            series,
        }
    }
}

fn yes(table: bool) -> &'static str {
    if table { "yes" } else { "no" }
}

/// Returns all positions but one.
fn kept(spent: &[Spent], left_out: Option<usize>) -> impl Iterator<Item = &Spent> {
    spent.iter().enumerate().filter(move |(place, _)| Some(*place) != left_out).map(|(_, spent)| spent)
}

/// Returns a figure of some positions, and the 95 % interval that results from leaving out each position
/// in turn.
fn jackknife(positions: usize, figure: impl Fn(Option<usize>) -> f64) -> (f64, Tolerance) {
    // Student's t for 5 degrees of freedom: both sets have six positions.
    const T: f64 = 2.571;
    let without: Vec<f64> = (0..positions).map(|place| figure(Some(place))).collect();
    let n = positions as f64;
    let mean = without.iter().sum::<f64>() / n;
    let variance = without.iter().map(|one| (one - mean).powi(2)).sum::<f64>() * (n - 1.0) / n;
    (figure(None), Tolerance::Interval(T * variance.sqrt()))
}

/// Returns the nodes of all positions together, to the end of an iteration.
fn nodes_to(spent: &[Spent], depth: usize, left_out: Option<usize>) -> f64 {
    kept(spent, left_out).map(|spent| spent.nodes[depth - 1] as f64).sum()
}

/// Returns the factor by which an iteration costs more than the one before: the geometric mean of the
/// last two, because odd and even depths differ.
fn growth(spent: &[Spent], depth: usize, left_out: Option<usize>) -> f64 {
    let iteration = |depth: usize| nodes_to(spent, depth, left_out) - nodes_to(spent, depth - 1, left_out);
    (iteration(depth) / iteration(depth - 2)).sqrt()
}

/// Returns the nodes to the end of every iteration that was finished in all positions.
fn by_depth(table: bool, spent: &[Spent]) -> Series {
    let depths = spent.iter().map(|spent| spent.nodes.len()).min().unwrap_or(0);
    let name = if table { "with a table" } else { "without a table" };
    let points = (1..=depths).map(|depth| (depth as f64, nodes_to(spent, depth, None)));
    Series::new(name, points)
}

/// Figures that the paper quotes: per cent of more nodes (or time), and growth from ply to ply.
#[derive(Default)]
struct Quoted {
    deepening: Option<f64>,
    aspiration: Option<f64>,
    killers: Option<f64>,
    growth: Option<f64>,
}

/// Checkers, counted in nodes.
const CHECKERS: Quoted = Quoted { deepening: Some(20.0), aspiration: None, killers: None, growth: None };
/// TECH, in time, and BELLE, whose growth is "5 – 6".
const CHESS: Quoted =
    Quoted { deepening: Some(5.0), aspiration: Some(-23.0), killers: Some(0.0), growth: Some(5.5) };
/// "A factor of 5 or more" in endings.
const TABLE_GAIN: f64 = 5.0;
const OTHERS: &str = "quoted of other programs, in other positions, mostly in time";
const UNNAMED: &str = "the paper names neither positions nor depths";
/// "Well over a hundred-fold" in certain endings of kings and pawns.
const PAWN_GAIN: f64 = 100.0;
/// "More than 30 ply" in certain endings of kings and pawns.
const PAWN_PLIES: f64 = 30.0;

/// Returns a table that also answers nodes with an open window. With whole windows there are no others.
fn whole_table() -> Table {
    let mut table = Table::new(MIB).expect("a small table fits into memory");
    table.visit(&mut |parameter, value| {
        if parameter.name == "answer_pv" {
            *value = 1;
        }
    });
    table
}

fn read<G: std::str::FromStr>(positions: &[&str]) -> Vec<G> {
    let legal = |text: &&str| text.parse().ok().expect("the positions of this file are legal");
    positions.iter().map(legal).collect()
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let [four, middle, ending, fine] = if context.quick { [7, 4, 6, 11] } else { [11, 6, 10, 16] };
    let budget = if context.quick { 500_000 } else { 5_000_000 };
    let table = whole_table();
    let (steps, of) = (Cell::new(0), 8 + 8 + 2 + 4);
    context.step(0, of)?;
    let mut findings = Findings { conditions: vec!["positions", "D", "table"], ..Findings::default() };

    let bench = |game, positions: &[&str]| Bench::<Position, Evaluator, Repetition> {
        game,
        roots: read(positions),
        table: &table,
        context,
        steps: &steps,
        of,
        parts: PhantomData,
    };
    let connect_four = Bench::<Connect4, Statics, Off> {
        game: "Connect Four",
        roots: read(&CONNECT_FOUR),
        table: &table,
        context,
        steps: &steps,
        of,
        parts: PhantomData,
    };
    connect_four.compare(four, &CHECKERS, &mut findings)?;
    bench("middlegames", &MIDDLEGAMES).compare(middle, &CHESS, &mut findings)?;
    bench("endings", &ENDINGS).endings(ending, TABLE_GAIN, None, &mut findings)?;
    bench("locked pawns", &[FINE]).endings(fine, PAWN_GAIN, Some(budget), &mut findings)?;

    findings.notes = vec![
        "Judged with an interval over the positions, though the paper quotes other programs, \
         checkers where ours is Connect Four, and mostly time where ours are nodes. Where the interval is \
         wider than the figure it is not judged."
            .into(),
        "All searches are alpha-beta with whole windows, all captures and evasions at the horizon, noisy \
         moves first, then killers. The direct search looks one ply ahead to order the root's moves, then \
         searches to D plies at once. Without a table, deepening keeps only the order of the root's moves \
         and the killers; TECH kept the principal variation."
            .into(),
        "Aspiration and killers: per cent more nodes than iterative deepening \
         without them. Without a table no setting may change a value, and \
         that is judged. With one, draws by repetition may come out otherwise."
            .into(),
        format!("A table of {MIB} MiB, emptied before each position. Locked pawns: Fine's position, {FINE}."),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until(stop: &AtomicBool) -> Until<'_> {
        Until::new(u64::MAX, stop)
    }

    #[test]
    fn a_leap_is_a_search_to_the_same_depth() {
        let stop = AtomicBool::new(false);
        for root in read::<Connect4>(&CONNECT_FOUR) {
            let [leap, step] = [DIRECT, DEEPENING]
                .map(|setting| spend::<_, Statics, Off, Off>(&root, Off, setting, 5, until(&stop)));
            assert_eq!(leap.value, step.value);
            assert_eq!((leap.nodes.len(), step.nodes.len()), (2, 5));
            assert!(step.nodes.is_sorted() && leap.nodes[0] == step.nodes[0]);
        }
    }

    /// Every setting changes the nodes of some search, and the value of none.
    #[test]
    fn settings_change_nodes_and_no_value() {
        let stop = AtomicBool::new(false);
        for position in &MIDDLEGAMES[4..] {
            let root: Position = position.parse().unwrap();
            let spend =
                |setting| spend::<_, Evaluator, Off, Repetition>(&root, Off, setting, 3, until(&stop));
            let plain = spend(DEEPENING);
            for other in [DIRECT, ASPIRATION, NO_KILLERS].map(spend) {
                assert_eq!(other.value, plain.value);
                assert_ne!(other.all(), plain.all());
            }
        }
    }

    /// A table that answers saves nodes in games with transpositions.
    #[test]
    fn a_table_answers() {
        let stop = AtomicBool::new(false);
        let root: Position = FINE.parse().unwrap();
        let without = spend::<_, Evaluator, Off, Repetition>(&root, Off, DEEPENING, 11, until(&stop));
        let with =
            spend::<_, Evaluator, Table, Repetition>(&root, whole_table(), DEEPENING, 11, until(&stop));
        assert!(with.all() < without.all() / 2.0, "{} of {}", with.all(), without.all());
    }

    #[test]
    fn a_budget_ends_between_iterations() {
        let stop = AtomicBool::new(false);
        let root: Position = FINE.parse().unwrap();
        let whole = spend::<_, Evaluator, Off, Repetition>(&root, Off, DEEPENING, 7, until(&stop)).nodes;
        let budget = whole[5] + 1;
        let part =
            spend::<_, Evaluator, Off, Repetition>(&root, Off, DEEPENING, 7, Until::new(budget, &stop));
        assert_eq!(part.nodes, whole[..6]);
    }

    #[test]
    fn can_be_interrupted() {
        let stop = AtomicBool::new(true);
        assert!(run(&Context::new(true, &|_, _| {}, &stop)).is_err());
    }
}
