//! A million expansions in one tree: measures the memory for each node, and whether the last expansions
//! cost more than the first.

use super::iterative_deepening::MIDDLEGAMES;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_chess::{Position, QuietLeaves};
use cassius_games::Connect4;
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::alpha_beta::draws::{Draws, Repetition};
use cassius_search::best_first::{
    Assess, BestSuccessor, Bounds, ConspiracyNumbers, ControlledConspiracy, Ended, Grower, Growth, Payload,
    Static, Tree,
};
use cassius_search::game::Threaded;
use cassius_search::{Off, Statics, Unlimited};
use std::time::Duration;

/// The paper measures none of this, but the practicability of a tree in memory depends on it.
pub static GROWTH_SCALE: Experiment = Experiment {
    id: "growth-scale",
    claim: "A tree in memory can grow to a million expansions, and an expansion then costs the same as at \
            the beginning",
    paper: "D. A. McAllester: Conspiracy Numbers for Min-Max Search, 1988",
    section: "§4, whose sequences change along one path only",
    cases: Some(|| CASES.iter().map(|case| case.name).collect()),
    uses: &[],
    run,
};

/// A game, the contents of its nodes, and the rule that grows its tree.
struct Case {
    name: &'static str,
    measure: fn(&Context<'_>) -> Result<Measured, Unfinished>,
}

const CASES: [Case; 5] = [
    Case { name: "chess-cns", measure: chess::<BestSuccessor> },
    Case { name: "chess-ccns", measure: chess::<ControlledConspiracy> },
    Case { name: "chess-cns-value", measure: chess::<ConspiracyNumbers> },
    Case {
        name: "connect4-cns",
        measure: |context| {
            let growth = BestSuccessor::default();
            measure::<_, Bounds<9>, _, _, Off>(context, 400, &Connect4::default(), growth, Static(Statics))
        },
    },
    Case {
        name: "random-tree-31-conspirators",
        measure: |context| {
            let begin = RandomTree::new(Values::Incremental, 10, 60, 1);
            let growth = ConspiracyNumbers::default();
            measure::<_, Bounds<32>, _, _, Off>(context, 1_500, &begin, growth, Static(Statics))
        },
    },
];

/// Half decades.
const MARKS: [usize; 7] = [1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000];

const QUICK: [usize; 2] = [300, 1_000];

/// The measurements of one tree.
struct Measured {
    node_bytes: usize,
    /// Why the tree stopped growing, if it did.
    ended: Option<Ended>,
    /// The number of expansions, of nodes, and of plies of the deepest line, and the mean time of the
    /// expansions since the previous mark.
    marks: Vec<(usize, usize, usize, Option<Duration>)>,
}

fn chess<R: Growth<Bounds<9>> + Default>(context: &Context<'_>) -> Result<Measured, Unfinished> {
    let position: Position = MIDDLEGAMES[1].parse().expect("a middlegame");
    measure::<_, _, _, _, Repetition>(context, 2_500, &position, R::default(), QuietLeaves::default())
}

fn measure<G, P, R, A, D>(
    context: &Context<'_>,
    mib: usize,
    position: &G,
    growth: R,
    assess: A,
) -> Result<Measured, Unfinished>
where
    G: Threaded,
    P: Payload,
    R: Growth<P>,
    A: Assess<G, P>,
    D: Draws<G>,
{
    let (mib, marks) = if context.quick { (mib / 10, &QUICK[..]) } else { (mib, &MARKS[..]) };
    let mut grower = Grower::<G, P, R, A, D>::new(mib, growth, assess)?;
    grower.begin(position, &[], &[]);
    let mut measured =
        Measured { node_bytes: Tree::<G::Move, P>::NODE_BYTES, ended: None, marks: Vec::new() };
    let mut expansions = 0;
    for &mark in marks {
        let (before, begun) = (expansions, context.clock.map(|clock| clock.now()));
        while expansions < mark {
            if expansions % 1_000 == 0 {
                context.go_on()?;
            }
            if let Err(ended) = grower.step(&Unlimited) {
                measured.ended = Some(ended);
                break;
            }
            expansions += 1;
        }
        let spent = context.clock.zip(begun).map(|(clock, begun)| clock.now() - begun);
        let each = spent.filter(|_| expansions > before).map(|spent| spent / (expansions - before) as u32);
        measured.marks.push((expansions, grower.tree.len(), grower.max_ply(), each));
        if measured.ended.is_some() {
            break;
        }
    }
    Ok(measured)
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let mut findings = Findings { conditions: vec!["tree", "expansions"], ..Findings::default() };
    let mut series = Vec::new();
    for (step, case) in CASES.iter().enumerate().filter(|(_, case)| context.wants(case.name)) {
        context.step(step, CASES.len())?;
        let measured = (case.measure)(context)?;
        let mut row = |quantity: &str, expansions: usize, ours: f64| {
            findings.row(quantity, &[&case.name, &expansions], None, ours, Tolerance::Any);
        };
        let mut points = Vec::new();
        for &(expansions, nodes, plies, each) in &measured.marks {
            row("nodes", expansions, nodes as f64);
            row("bytes a node", expansions, measured.node_bytes as f64);
            row("plies of the deepest line", expansions, plies as f64);
            if let Some(each) = each {
                let micros = each.as_secs_f64() * 1e6;
                row("microseconds an expansion", expansions, micros);
                points.push(((expansions as f64).log10(), micros));
            }
        }
        if let (Some((_, first)), Some((_, last))) = (points.first(), points.last()) {
            let expansions = measured.marks.last().map_or(0, |mark| mark.0);
            row("times what the first thousand cost", expansions, last / first);
        }
        if let Some(ended) = measured.ended {
            let why = if ended == Ended::Full { "the tree was full" } else { "nothing was left to do" };
            findings.notes.push(format!("{}: it ended before the last mark, because {why}.", case.name));
        }
        series.push(Series::new(case.name, points));
    }
    (context.progress)(CASES.len(), CASES.len());
    if series.iter().any(|series| !series.points.is_empty()) {
        findings.plot(Plot {
            name: "cost".into(),
            title: "Time of an expansion as the tree grows".into(),
            x: "expansions, decimal logarithm".into(),
            y: "microseconds".into(),
            scale: Scale::Logarithmic,
            series,
        });
    }
    findings.notes.push(
        "An expansion lists and judges all children of a leaf and brings the \
         path to the root up to date. Chess leaves are judged by a quiescence \
         search. Times are means of the expansions since the mark before."
            .into(),
    );
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// A node of plain conspiracy counts takes less than 64 bytes, one with long sequences less than
    /// 160.
    #[test]
    fn nodes_are_small() {
        for (case, bytes) in CASES.iter().zip([64, 64, 64, 64, 160]) {
            let stop = AtomicBool::new(false);
            let measured = (case.measure)(&Context::new(true, &|_, _| {}, &stop)).unwrap();
            assert!(measured.node_bytes < bytes, "{}: {}", case.name, measured.node_bytes);
            assert!(measured.ended.is_none() && measured.marks.len() == QUICK.len(), "{}", case.name);
        }
    }
}
