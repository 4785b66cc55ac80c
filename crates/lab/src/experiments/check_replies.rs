//! Uncounted replies to checks: measures the savings of following only replies that might still help.

use super::full_width::{FullWidth, Until};
use super::iterative_deepening::{ENDINGS, MIDDLEGAMES};
use super::kaindl_figures::{EVERY_REPLY, counted_plies};
use crate::experiment::{Context, Experiment, Findings, Input, Interrupted, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_chess::figures::KAINDL_2;
use cassius_chess::{Evaluation, Evaluator, Position};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::{CheckReplies, Discounted, Horizon, Plies};
use cassius_search::alpha_beta::order::{Killers, NoisyFirst};
use cassius_search::alpha_beta::quiescence::Captures;
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::{Off, Request, Slots, search};
use std::fmt::Display;

/// Kaindl's optimistic condition on uncounted replies to checks.
pub static CHECK_REPLIES: Experiment = Experiment {
    id: "check-replies",
    claim: "Not counting replies to checks only where an optimistic estimate exceeds the value already \
            reached costs fewer nodes than never counting them",
    paper: "H. Kaindl: Searching to Variable Depth in Computer Chess, 1983",
    section: "§III",
    cases: None,
    uses: &[Input::Exercises],
    run,
};

type Searched<H> = FullWidth<Evaluator, H, Captures, (NoisyFirst, Killers), Repetition, Off, MinimalWindow>;

/// Replies to checks have no cost.
type Replies = Discounted<CheckReplies, Plies>;

/// Added to the static value for an optimistic estimate, in hundredths of a pawn: nothing, a pawn, a
/// piece.
const MARGINS: [i32; 3] = [0, 100, 300];

/// A queen as margin. With so optimistic an estimate hardly any reply is counted, and the search may
/// equal the unconditional one node for node. It is shown, not judged.
const QUEEN: i32 = 900;

/// A set of positions, and the depth of their searches.
struct Set {
    name: &'static str,
    positions: Vec<Position>,
    depth: usize,
}

/// Returns the nodes of all positions of a set together. Each is searched with an empty table.
fn nodes<H: Horizon<Position>>(
    set: &Set,
    depth: usize,
    prepare: impl Fn(&mut H),
    context: &Context<'_>,
) -> Result<u64, Interrupted> {
    let limits = Until::stopped(context.stop);
    let mut sum = 0;
    for position in &set.positions {
        let mut slots: Slots<Position, Searched<H>> =
            Slots::new(Evaluator::of(&Evaluation::Classical), Off, Off);
        prepare(&mut slots.horizon);
        let answer = search(&mut slots, &Request::new(position, &limits).to_iteration(depth), &mut |_| {});
        if !answer.complete {
            return Err(Interrupted);
        }
        sum += answer.nodes;
    }
    Ok(sum)
}

fn sets(context: &Context<'_>) -> Vec<Set> {
    let read = |fens: &[&str]| -> Vec<Position> {
        fens.iter().map(|fen| fen.parse().expect("positions of this crate's own")).collect()
    };
    let [figure, middle, ending, exercise] = if context.quick { [4, 4, 6, 3] } else { [5, 6, 9, 5] };
    let exercises = context.exercises.iter().map(|exercise| exercise.epd.position.clone()).collect();
    let mut sets = vec![
        Set { name: "Figure 2", positions: read(&[KAINDL_2]), depth: figure },
        Set { name: "middlegames", positions: read(&MIDDLEGAMES), depth: middle },
        Set { name: "endings", positions: read(&ENDINGS), depth: ending },
        Set { name: "exercises", positions: exercises, depth: exercise },
    ];
    sets.retain(|set| !set.positions.is_empty());
    sets
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let sets = sets(context);
    let mut findings = Findings { conditions: vec!["positions", "D", "estimate"], ..Findings::default() };
    let mut series = Vec::new();
    for (done, set) in sets.iter().enumerate() {
        let replies =
            |margin: i32, depth| nodes::<Replies>(set, depth, |rule| rule.discount.margin = margin, context);
        for depth in set.depth - 1..=set.depth {
            context.step(2 * done + depth + 1 - set.depth, 2 * sets.len())?;
            let plies = nodes::<Plies>(set, depth, |_| {}, context)? as f64;
            let all = replies(EVERY_REPLY, depth)? as f64;
            let mut row = |quantity: &str, estimate: &str, paper, ours, tolerance| {
                findings.row(quantity, &[&set.name, &depth, &estimate], paper, ours, tolerance);
            };
            row("nodes, every ply counted", "", None, plies, Tolerance::Any);
            let dearer = all / plies;
            row("nodes, every ply counted = 1", "unconditional", None, dearer, Tolerance::Any);
            let mut points = Vec::new();
            for margin in MARGINS.into_iter().chain([QUEEN]) {
                let share = replies(margin, depth)? as f64 / all;
                let estimate = format!("static value + {margin}");
                row("nodes, unconditional = 1", &estimate, None, share, Tolerance::Any);
                if margin < QUEEN {
                    let saves = f64::from(u8::from(share < 1.0));
                    row("fewer than unconditional (1: yes)", &estimate, Some(1.0), saves, Tolerance::Exact);
                }
                points.push((f64::from(margin), share));
            }
            if depth == set.depth {
                series.push(Series::new(format!("{}, D = {depth}", set.name), points));
            }
        }
    }
    // The paper's figure is for replies that are never counted.
    let estimates = MARGINS.into_iter().chain([QUEEN]);
    let estimates =
        estimates.map(|margin| (margin, format!("static value + {margin}"), None, Tolerance::Any));
    let unconditional = (EVERY_REPLY, "unconditional".to_string(), Some(7.0), Tolerance::Exact);
    for (margin, estimate, paper, tolerance) in estimates.chain([unconditional]) {
        let plies = counted_plies(margin, context)? as f64;
        let conditions: [&dyn Display; 3] = [&"Figure 2", &"", &estimate];
        findings.row("plies that show the mate", &conditions, paper, plies, tolerance);
    }
    (context.progress)(2 * sets.len(), 2 * sets.len());
    findings.plot(Plot {
        name: "nodes".into(),
        title: "Nodes with the optimistic condition on uncounted replies to checks".into(),
        x: "margin over the static value, hundredths of a pawn".into(),
        y: "nodes, unconditional = 1".into(),
        scale: Scale::Linear,
        series,
    });
    findings.notes = vec![
        "Alpha-beta with killers, minimal windows and captures at the horizon; \
         no table, nothing selective; nodes of all iterations and positions together."
            .into(),
        "The paper's plies that show the mate are without the condition; with it they are shown, not judged. \
         1.Qxh7+ is then the only move at the root, and the values at the horizon are static."
            .into(),
        format!(
            "Whether there are fewer nodes is not judged with a margin of {QUEEN}: so much hope leaves \
             hardly a reply to be counted, and the search may be the unconditional one, node for node. \
             Positions, depths and margins are our choice."
        ),
        "The paper does not say how the estimate is made: here it is the static value and a margin. \
         It gives no figures either, only that the extension should be worth its costs."
            .into(),
    ];
    if context.exercises.is_empty() {
        findings.notes.push("More positions can be named with --suite.".into());
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// With a margin that exceeds every difference between values, the replies are unconditional.
    #[test]
    fn an_estimate_optimistic_enough_is_no_condition() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        let set = &sets(&context)[0];
        let nodes =
            |margin| nodes::<Replies>(set, 3, |rule| rule.discount.margin = margin, &context).unwrap();
        assert_eq!(nodes(29_999), nodes(EVERY_REPLY));
        assert_ne!(nodes(0), nodes(EVERY_REPLY));
    }

    /// With the condition, the mate of Figure 2 is found at no greater depth than without it.
    #[test]
    fn the_condition_does_not_hide_the_mate() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        for margin in MARGINS.into_iter().chain([QUEEN, EVERY_REPLY]) {
            assert_eq!(counted_plies(margin, &context), Ok(7), "{margin}");
        }
    }
}
