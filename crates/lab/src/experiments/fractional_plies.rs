//! Plies in 24ths: how long a line can become if interesting moves cost less.

use super::full_width::{FullWidth, Until};
use super::iterative_deepening::{ENDINGS, MIDDLEGAMES};
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_chess::{Evaluator, Position};
use cassius_games::random_game::{Rules, Shape};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::{Discounted, Interest, Plies};
use cassius_search::alpha_beta::observe::Counters;
use cassius_search::game::Repeats;
use cassius_search::{Checks, Component, Evaluate, MAX_PLY, Noisy, Off, Request, Slots, Statics, search};

/// Eppstein's method that makes extensions end.
pub static FRACTIONAL_PLIES: Experiment = Experiment {
    id: "fractional-plies",
    claim: "If no move extends a line by a whole ply, every line ends: with extensions of at most e 24ths of \
            a ply per move, no line of a search of L plies is longer than ⌈24 L / (24 − e)⌉ plies",
    paper: "D. Eppstein: Which nodes to search? Full-width vs. selective search, lecture notes, 1999",
    section: "Selective extensions",
    cases: None,
    uses: &[],
    run,
};

/// A ply counter in which interesting moves cost a fraction less.
type Extended = Discounted<Interest, Plies>;

/// Returns ⌈24 L / (24 − e)⌉.
fn bound(plies: usize, most: i32) -> usize {
    (24 * plies).div_ceil(24 - most as usize)
}

/// Returns the longest line of a search to the given number of plies, in plies. If `all` is set, every
/// kind of interest reduces the cost by the maximum for one move.
fn longest<G, E>(
    root: &G,
    plies: usize,
    most: i32,
    all: bool,
    context: &Context<'_>,
) -> Result<usize, Interrupted>
where
    G: Checks + Noisy + Repeats,
    E: Evaluate<G> + Default,
{
    type Searched<E> = FullWidth<E, Extended, Off, Off, Repetition, Counters>;
    let mut slots: Slots<G, Searched<E>> = Slots::new(E::default(), Off, Off);
    let interest = &mut slots.horizon.discount;
    if all {
        interest.visit(&mut |_, value| *value = 24);
    }
    interest.most = most;
    let limits = Until::stopped(context.stop);
    let answer = search(&mut slots, &Request::new(root, &limits).to_iteration(plies), &mut |_| {});
    if answer.complete { Ok(slots.observe.nodes.len() - 1) } else { Err(Interrupted) }
}

/// Returns the longest line of each of several random games in which this share of positions, in per
/// cent, is check.
fn in_games(
    (branching, checks): (u8, u8),
    (plies, most): (usize, i32),
    games: u64,
    context: &Context<'_>,
) -> Result<Vec<usize>, Interrupted> {
    let rules = Rules { shape: Shape::Tree, branching, ends: 0, checks, noisy: 0, ..Rules::default() };
    let longest = |seed| longest::<_, Statics>(&Rules { seed, ..rules }.root(), plies, most, true, context);
    (0..games).map(longest).collect()
}

/// Returns the longest line of each of the chess positions.
fn in_chess((plies, most): (usize, i32), context: &Context<'_>) -> Result<Vec<usize>, Interrupted> {
    let longest = |fen: &&str| {
        let root: Position = fen.parse().expect("positions of this crate's own");
        longest::<_, Evaluator>(&root, plies, most, false, context)
    };
    MIDDLEGAMES.iter().chain(&ENDINGS).map(longest).collect()
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let [games, deepest] = if context.quick { [4, 3] } else { [40, 4] };
    let steps = deepest + 2;
    let mut findings = Findings { conditions: vec!["positions", "L", "e"], ..Findings::default() };
    // Returns the longest of the lines.
    let mut judge = |positions: &str, (plies, most): (usize, i32), all: bool, lengths: &[usize]| -> usize {
        let bound = bound(plies, most);
        let greatest = lengths.iter().copied().max().unwrap_or(0);
        let mut row = |quantity, paper, ours: usize, tolerance| {
            findings.row(quantity, &[&positions, &plies, &most], paper, ours as f64, tolerance);
        };
        if all {
            row("longest line, plies", Some(bound as f64), greatest, Tolerance::Exact);
        } else {
            row("longest line, plies", None, greatest, Tolerance::Any);
            let longer = lengths.iter().filter(|length| **length > bound).count();
            row("positions with a line above the bound", Some(0.0), longer, Tolerance::Exact);
        }
        greatest
    };

    let mut series = Vec::new();
    for plies in 1..=deepest {
        context.step(plies - 1, steps)?;
        let mut points = Vec::new();
        for most in [0, 4, 8, 12, 16] {
            let limits = (plies, most);
            for (checks, kind) in [(20, "20 % checks"), (60, "60 % checks")] {
                judge(kind, limits, false, &in_games((2, checks), limits, games as u64, context)?);
            }
            let lengths = in_games((2, 100), limits, games as u64, context)?;
            points.push((f64::from(most), judge("every move a check", limits, true, &lengths) as f64));
        }
        series.push(Series::new(format!("L = {plies}"), points));
    }
    context.step(deepest, steps)?;
    for limits in [(1, 20), (3, 20), (1, 23), (4, 23), (8, 23)] {
        judge("every move forced", limits, true, &in_games((1, 100), limits, 1, context)?);
    }
    context.step(deepest + 1, steps)?;
    for plies in 1..=if context.quick { 3 } else { 4 } {
        for most in [8, 12, 16] {
            judge("chess", (plies, most), false, &in_chess((plies, most), context)?);
        }
    }
    let endless = in_games((1, 100), (1, 24), 1, context)?[0] as f64;
    let conditions: [&dyn std::fmt::Display; 3] = [&"every move forced", &1, &24];
    findings.row("longest line, plies", &conditions, None, endless, Tolerance::Any);
    (context.progress)(steps, steps);

    findings.plot(Plot {
        name: "lines".into(),
        title: "Longest line if every move is interesting".into(),
        x: "e, 24ths of a ply".into(),
        y: "plies".into(),
        scale: Scale::Linear,
        series,
    });
    findings.notes = vec![
        format!(
            "{games} random games at each setting, in which every sort of interest \
             gives e 24ths; chess, nine positions, with the component's own \
             amounts and e as the most for a move, static values at the horizon."
        ),
        format!(
            "The notes say that every line ends, not when: a move costs at least \
             24 − e of the 24 L that there are. With e = 24, against which they \
             warn, forced moves end at the greatest ply that is searched, {MAX_PLY}."
        ),
    ];
    Ok(findings)
}
