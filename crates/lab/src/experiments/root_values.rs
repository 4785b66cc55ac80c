//! Tests that the survey's tables and orders change the nodes of a search but not its value.

use super::full_width::{FullWidth, Until};
use super::iterative_deepening::MIDDLEGAMES;
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance, Unfinished};
use cassius_chess::{Evaluator, Position};
use cassius_games::random_game::{Rules, Shape};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{RandomGame, Uneventful};
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::memory::{Memory, SingleBound};
use cassius_search::alpha_beta::order::{CounterKillers, DistantKillers, Killers, Reorder};
use cassius_search::alpha_beta::windows::WholeWindow;
use cassius_search::game::Defuse;
use cassius_search::{
    Component, Evaluate, Game as _, Keyed, Noisy, Off, Request, Score, Slots, Spare, Statics, Table, search,
};

/// The value that no enhancement of the survey may change.
pub static ROOT_VALUES: Experiment = Experiment {
    id: "root-values",
    claim: "Alpha-beta with a table of one or two bounds per position, with killers from two plies away, \
            counter-killers or dynamic reordering, returns the same root value as plain alpha-beta to the \
            same depth",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§II.B and §II.C",
    cases: None,
    uses: &[],
    run,
};

/// The results at the roots: the values, and the number of all nodes.
struct Found {
    values: Vec<Option<Score>>,
    nodes: u64,
}

/// The orders of the survey, each behind a switch.
type Orders = (Spare<Killers>, Spare<DistantKillers>, Spare<CounterKillers>, Spare<Reorder>);

/// The names of all orders.
const ALL: [&str; 4] = [Killers::NAME, DistantKillers::NAME, CounterKillers::NAME, Reorder::NAME];

/// Searches every root to the given number of plies, with the named orders. `memory` creates an empty
/// memory for each.
fn find<G, E, M>(
    (roots, depth): (&[G], usize),
    memory: &dyn Fn() -> M,
    orders: &[&str],
    context: &Context<'_>,
) -> Result<Found, Interrupted>
where
    G: Keyed + Noisy + Defuse,
    E: Evaluate<G> + Default,
    M: Memory<G>,
{
    type Searched<E, M> = FullWidth<E, Plies, Off, Orders, Off, Off, WholeWindow, M>;
    let limits = Until::stopped(context.stop);
    let mut found = Found { values: Vec::new(), nodes: 0 };
    for root in roots {
        let mut slots: Slots<G, Searched<E, M>> = Slots::new(E::default(), memory(), Off);
        slots.order.visit(&mut |parameter, value| {
            if parameter.name == "on" {
                *value = i32::from(orders.contains(&parameter.component));
            }
        });
        let answer = search(&mut slots, &Request::new(root, &limits).to_iteration(depth), &mut |_| {});
        if !answer.complete {
            return Err(Interrupted);
        }
        found.values.push(answer.score());
        found.nodes += answer.nodes;
    }
    Ok(found)
}

/// Plain alpha-beta and its variants on the same roots.
struct Comparison<'a, G> {
    name: &'static str,
    /// The roots, and the depth to which they are searched.
    task: (&'a [G], usize),
    plain: Found,
}

impl<'a, G: Keyed + Noisy + Defuse> Comparison<'a, G> {
    fn new<E: Evaluate<G> + Default>(
        name: &'static str,
        roots: &'a [G],
        depth: usize,
        context: &Context<'_>,
    ) -> Result<Self, Interrupted> {
        let task = (roots, depth);
        Ok(Comparison { name, task, plain: find::<G, E, Off>(task, &|| Off, &[], context)? })
    }

    fn judge(&self, variant: &str, found: &Found, findings: &mut Findings) {
        let (roots, depth) = self.task;
        let same = found.values.iter().zip(&self.plain.values).filter(|(a, b)| a == b).count();
        let share = same as f64 / roots.len() as f64;
        let nodes = found.nodes as f64 / self.plain.nodes as f64;
        let conditions: [&dyn std::fmt::Display; 3] = [&self.name, &depth, &variant];
        findings.row("share of equal root values", &conditions, Some(1.0), share, Tolerance::Exact);
        findings.row("nodes, plain alpha-beta = 1", &conditions, None, nodes, Tolerance::Any);
    }

    fn orders<E: Evaluate<G> + Default>(
        &self,
        context: &Context<'_>,
        findings: &mut Findings,
    ) -> Result<(), Interrupted> {
        let titles = ["killers", "killers two plies away", "counter-killers", "dynamic reordering"];
        for (title, order) in titles.into_iter().zip(ALL) {
            self.judge(title, &find::<G, E, Off>(self.task, &|| Off, &[order], context)?, findings);
        }
        Ok(())
    }

    fn tables<E: Evaluate<G> + Default>(
        &self,
        context: &Context<'_>,
        findings: &mut Findings,
    ) -> Result<(), Interrupted> {
        let single = find::<G, E, _>(self.task, &single_bound, &[], context)?;
        self.judge("table, one bound", &single, findings);
        let two = find::<G, E, _>(self.task, &two_bounds, &[], context)?;
        self.judge("table, two bounds", &two, findings);
        let all = find::<G, E, _>(self.task, &two_bounds, &ALL, context)?;
        self.judge("two bounds and all orders", &all, findings);
        Ok(())
    }
}

/// Returns a table of one MiB.
fn single_bound() -> SingleBound {
    SingleBound::new(1).expect("a small table")
}

/// Returns a table of one MiB that also answers nodes with an open window, because with whole windows
/// there are hardly any others.
fn two_bounds() -> Table {
    let mut table = Table::new(1).expect("a small table").strict();
    table.visit(&mut |parameter, value| {
        if parameter.name == "answer_pv" {
            *value = 1;
        }
    });
    table
}

/// Returns games in which a position occurs at one ply only, and therefore always with the same depth to
/// go.
fn games(shape: Shape, count: u64) -> Vec<RandomGame> {
    let rules = Rules { shape, branching: 6, spread: 200, checks: 10, ..Rules::default() };
    (0..count).map(|seed| Rules { seed, ..rules }.root()).filter(|root| !root.is_over()).collect()
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let (count, chess) = if context.quick { (60, 4) } else { (1000, 5) };
    let mut findings = Findings { conditions: vec!["games", "D", "search"], ..Findings::default() };
    let shapes = [("random games", Shape::Tree), ("random games that transpose", Shape::Layers(8))];
    for (done, (name, shape)) in shapes.into_iter().enumerate() {
        context.step(done, 4)?;
        let roots = games(shape, count);
        let compared = Comparison::new::<Statics>(name, &roots, 6, context)?;
        compared.orders::<Statics>(context, &mut findings)?;
        compared.tables::<Statics>(context, &mut findings)?;
    }
    context.step(2, 4)?;
    let tree = |seed| Uneventful(RandomTree::new(Values::StronglyOrdered, 8, 5, seed));
    let roots: Vec<Uneventful<RandomTree>> = (0..count / 4).map(tree).collect();
    let compared = Comparison::new::<Statics>("strongly ordered trees", &roots, 5, context)?;
    compared.orders::<Statics>(context, &mut findings)?;
    compared.tables::<Statics>(context, &mut findings)?;
    context.step(3, 4)?;
    let read = |fen: &&str| fen.parse().expect("positions of this crate's own");
    let roots: Vec<Position> = MIDDLEGAMES.iter().map(read).collect();
    let compared = Comparison::new::<Evaluator>("chess", &roots, chess, context)?;
    compared.orders::<Evaluator>(context, &mut findings)?;
    context.step(4, 4)?;
    findings.notes = vec![
        "Iterative deepening with whole windows, static values at the horizon; \
         each enhancement alone, where not said otherwise. Nodes are those of all iterations."
            .into(),
        "A table keeps the value if a position comes with the same depth to go whenever it comes: so it is \
         in these games. In chess it is not, where an entry that was searched deeper gives another, better \
         founded value; there the orders only are judged."
            .into(),
    ];
    Ok(findings)
}
