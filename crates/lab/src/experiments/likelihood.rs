//! Compares Floyd's products of likelihoods with sums of their logarithms, and measures the cost of
//! lines of either kind.

use super::full_width::{FullWidth, Until};
use super::iterative_deepening::{ENDINGS, MIDDLEGAMES};
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_chess::{Evaluator, Position};
use cassius_search::alpha_beta::horizon::{Horizon, Likelihood, Plies, Sort, Step};
use cassius_search::alpha_beta::observe::Observe;
use cassius_search::alpha_beta::order::{Killers, NoisyFirst};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::{Component, Depth, Depths, Game, Off, Request, Score, Slots, Window, search};

/// Floyd's proposal, as reported by Kaindl.
pub static LIKELIHOOD: Experiment = Experiment {
    id: "likelihood",
    claim: "A line ends when the product of its moves' likelihoods falls below a threshold, that is, when \
            the sum of their logarithms does",
    paper: "H. Kaindl: Searching to Variable Depth in Computer Chess, 1983 (R. W. Floyd, 1965)",
    section: "§IV",
    cases: None,
    uses: &[],
    run,
};

/// The rule as printed: multiplies the likelihoods, and ends a line when the product is below the
/// threshold. The likelihoods are those of [`Likelihood`]. The threshold is the product of as many
/// ordinary moves as there are plies.
#[derive(Default)]
struct Product {
    likelihoods: Likelihood,
}

/// The small factor by which a threshold lies above the product of ordinary moves alone, so that the product
/// "becomes less".
const LESS: f64 = 1.0 + 1e-9;

impl Product {
    fn likelihood(&self, sort: Sort) -> f64 {
        let Likelihood { only, reply, check, noisy, ordinary, .. } = self.likelihoods;
        let percent = match sort {
            Sort::Only => only,
            Sort::Reply => reply,
            Sort::Check => check,
            Sort::Noisy => noisy,
            Sort::Ordinary => ordinary,
        };
        f64::from(percent) / 100.0
    }
}

impl Component for Product {
    const NAME: &'static str = "Product";
}

impl Horizon<Position> for Product {
    /// The product so far, relative to a threshold of 1.
    type Count = f64;

    fn root(&mut self, depths: Depths, _: Window) -> f64 {
        self.likelihood(Sort::Ordinary).powi(-depths.lower.whole_plies())
    }

    fn remaining(&self, product: &f64, _: Window) -> Depths {
        Depths::both(if *product < LESS { Depth::ZERO } else { Depth::PLY })
    }

    fn child(&mut self, product: &f64, step: &Step<'_, Position>) -> f64 {
        product * self.likelihood(step.sort())
    }

    fn pass(&self, product: &f64) -> f64 {
        product * self.likelihood(Sort::Ordinary)
    }

    fn lengthen(&self, product: &f64, more: Depth) -> f64 {
        product / self.likelihood(Sort::Ordinary).powi(more.whole_plies())
    }
}

/// The ends of lines: the number of nodes without a successor, at each ply.
#[derive(Default)]
struct Ends {
    at: Vec<u64>,
    /// The ply of the node entered last, until another node is left.
    newest: Option<usize>,
}

impl<G: Game> Observe<G> for Ends {
    fn enter(&mut self, _: &G, _: Window, ply: usize) {
        self.newest = Some(ply);
    }

    fn leave(&mut self, _: Score, ply: usize) {
        if self.newest.take() == Some(ply) {
            if self.at.len() <= ply {
                self.at.resize(ply + 1, 0);
            }
            self.at[ply] += 1;
        }
    }
}

type Searched<H> = FullWidth<Evaluator, H, Off, (NoisyFirst, Killers), Off, Ends, MinimalWindow>;

/// The results of the searches of all positions.
struct Found {
    values: Vec<Score>,
    nodes: Vec<u64>,
    /// The ends of lines of all positions together, by ply, in all iterations.
    ends: Vec<u64>,
}

impl Found {
    fn all_nodes(&self) -> f64 {
        self.nodes.iter().sum::<u64>() as f64
    }

    /// Returns the mean ply at which a line ends.
    fn mean_end(&self) -> f64 {
        let sum: f64 = self.ends.iter().enumerate().map(|(ply, ends)| ply as f64 * *ends as f64).sum();
        sum / self.ends.iter().sum::<u64>() as f64
    }
}

fn find<H: Horizon<Position>>(
    positions: &[Position],
    n: usize,
    context: &Context<'_>,
) -> Result<Found, Interrupted> {
    let mut found = Found { values: Vec::new(), nodes: Vec::new(), ends: Vec::new() };
    let limits = Until::stopped(context.stop);
    for position in positions {
        let mut slots: Slots<Position, Searched<H>> = Slots::new(Evaluator::new(), Off, Off);
        let answer = search(&mut slots, &Request::new(position, &limits).to_iteration(n), &mut |_| {});
        if !answer.complete {
            return Err(Interrupted);
        }
        found.values.extend(answer.score());
        found.nodes.push(answer.nodes);
        let ends = slots.observe.at;
        found.ends.resize(found.ends.len().max(ends.len()), 0);
        found.ends.iter_mut().zip(ends).for_each(|(sum, more)| *sum += more);
    }
    Ok(found)
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let read = |fens: &[&str]| -> Vec<Position> {
        fens.iter().map(|fen| fen.parse().expect("positions of this crate's own")).collect()
    };
    let [middle, ending] = if context.quick { [3, 4] } else { [5, 6] };
    let sets = [("middlegames", read(&MIDDLEGAMES), middle), ("endings", read(&ENDINGS), ending)];
    let mut findings = Findings { conditions: vec!["positions", "iteration"], ..Findings::default() };
    let steps = middle + ending;
    let mut done = 0;
    for (name, positions, deepest) in &sets {
        let mut series = Vec::new();
        for n in 1..=*deepest {
            context.step(done, steps)?;
            done += 1;
            let plies = find::<Plies>(positions, n, context)?;
            let sum = find::<Likelihood>(positions, n, context)?;
            let product = find::<Product>(positions, n, context)?;
            let mut row = |quantity, paper, ours, tolerance| {
                findings.row(quantity, &[name, &n], paper, ours, tolerance);
            };
            let differing = |differ: &dyn Fn(usize) -> bool| {
                (0..positions.len()).filter(|position| differ(*position)).count() as f64
            };
            let values = differing(&|position| sum.values[position] != product.values[position]);
            let nodes = differing(&|position| sum.nodes[position] != product.nodes[position]);
            row("positions with another value by products", Some(0.0), values, Tolerance::Exact);
            row("positions with other nodes by products", Some(0.0), nodes, Tolerance::Exact);
            let ratio = sum.all_nodes() / plies.all_nodes();
            row("nodes, plies = 1", None, ratio, Tolerance::Any);
            row("mean ply at which a line ends", None, sum.mean_end(), Tolerance::Any);
            row("longest line, plies", None, (sum.ends.len() - 1) as f64, Tolerance::Any);
            if n == *deepest {
                for (rule, found) in [("plies", &plies), ("likelihoods", &sum)] {
                    let points = found.ends.iter().enumerate().map(|(ply, ends)| (ply as f64, *ends as f64));
                    series.push(Series::new(rule, points));
                }
            }
        }
        findings.plot(Plot {
            name: (*name).into(),
            title: format!("Where lines end, {name}, iteration {deepest}"),
            x: "ply".into(),
            y: "ends of lines, all iterations".into(),
            scale: Scale::Logarithmic,
            series,
        });
    }
    (context.progress)(steps, steps);
    findings.notes = vec![
        "Likelihoods are those of the rule `Likelihood`, which adds logarithms \
         in 240ths of a ply; the products are multiplied as the paper says. \
         The threshold of iteration n is the likelihood of n ordinary moves."
            .into(),
        "Alpha-beta with killers and minimal windows, \
         static values at the horizon, no table, nothing selective."
            .into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_nodes_without_successors() {
        let root: Position = MIDDLEGAMES[0].parse().unwrap();
        let mut ends = Ends::default();
        let mut visit = |enter: bool, ply| match enter {
            true => Observe::<Position>::enter(&mut ends, &root, Window::FULL, ply),
            false => Observe::<Position>::leave(&mut ends, Score::DRAW, ply),
        };
        let walk = [(true, 0), (true, 1), (true, 2), (false, 2), (true, 2), (false, 2), (false, 1)];
        walk.into_iter()
            .chain([(true, 1), (false, 1), (false, 0)])
            .for_each(|(enter, ply)| visit(enter, ply));
        assert_eq!(ends.at, [0, 1, 2]);
    }
}
