//! The two positions of Kaindl 1983: the variations that his program MERLIN announced, and the depth and
//! nodes that they took.

use super::full_width::{FullWidth, Until};
use super::measure::MIB;
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance, Unfinished};
use cassius_chess::figures::{KAINDL_1, KAINDL_2};
use cassius_chess::{Engine, Evaluation, Evaluator, Move, Position};
use cassius_search::alpha_beta::NodeKind;
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::{CheckReplies, Discounted, Horizon, Plies, UncountedChecks};
use cassius_search::alpha_beta::observe::{Observe, Recorded, TreeRecorder};
use cassius_search::alpha_beta::order::{Killers, NoisyFirst};
use cassius_search::alpha_beta::quiescence::{KillerMoves, MateThreat, PromotionThreat, Quiescence, Widened};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::game::{Threat, Threats as _};
use cassius_search::{
    Checks as _, Component, Evaluate, Game, Off, Recipe, Report, Request, Score, Slots, Spare, Stopped,
    Switch, Window, Worker, search,
};
use std::cell::Cell;
use std::fmt::Display;
use std::rc::Rc;

/// The results of MERLIN for the two figures.
pub static KAINDL_FIGURES: Experiment = Experiment {
    id: "kaindl-figures",
    claim: "With killers and promotion threats in quiescence, 1.Rh8 is found after 3 plies; with mate \
            threats there, mate in 9 plies is found after 2, and in 11 if every check is tried; the recipe \
            `kaindl` finds the same",
    paper: "H. Kaindl: Searching to Variable Depth in Computer Chess, 1983",
    section: "§II and §III, Figures 1 and 2",
    cases: None,
    uses: &[],
    run,
};

/// "1.Ra8-h8 … announcing the main variation 1...Ra2*a7 2.Rh8-h7+ Kf7-e6 3.Rh7*Ra7."
const ANNOUNCED: [&str; 5] = ["a8h8", "a2a7", "h8h7", "f7e6", "h7a7"];

/// After 1.Rh8 Ra1+ 2.Kf2 Ra2+ 3.Ke3.
const THREATENED: &str = "7R/P4k2/8/8/8/4K3/r7/8 b - - 5 3";

/// The recipe that models the paper's search.
const RECIPE: &str = "kaindl";

/// The first move of the mate.
const SACRIFICE: &str = "h5h7";

/// The nodes that MERLIN searched for the mate, and those of them in quiescence.
const MERLIN_NODES: f64 = 623.0;
const MERLIN_QUIESCENCE: f64 = 58.0;

/// MERLIN's search, as far as it is described: alpha-beta with killers.
type Merlin<H, Q, V> = FullWidth<Evaluator, H, Q, (NoisyFirst, Killers), Repetition, V, MinimalWindow>;

/// Replies to checks have no cost.
type Replies = Discounted<CheckReplies, Plies>;

/// Replies to checks have no cost, and neither have checks that leave a single answer.
type RepliesAndChecks = Discounted<(CheckReplies, UncountedChecks), Plies>;

fn read(fen: &str) -> Position {
    fen.parse().expect("the figures are legal positions")
}

fn slots<H, Q, V>() -> Slots<Position, Merlin<H, Q, V>>
where
    H: Horizon<Position>,
    Q: Quiescence<Position>,
    V: Observe<Position> + Default,
{
    Slots::new(Evaluator::of(&Evaluation::Classical), Off, Off)
}

fn solve<R: Recipe<Position>>(
    slots: &mut Slots<Position, R>,
    fen: &str,
    plies: usize,
    context: &Context<'_>,
) -> Result<Report<Move>, Interrupted> {
    let limits = Until::stopped(context.stop);
    let answer = search(slots, &Request::new(&read(fen), &limits).to_iteration(plies), &mut |_| {});
    match answer.complete {
        true => answer.lines.into_iter().next().ok_or(Interrupted),
        false => Err(Interrupted),
    }
}

/// Returns how many moves of the variation announced by MERLIN the search announces as well, and its
/// value.
fn figure_1(killers: bool, threats: bool, context: &Context<'_>) -> Result<(usize, Score), Interrupted> {
    let mut slots = slots::<Plies, Widened<Spare<KillerMoves>, Spare<PromotionThreat>>, Off>();
    slots.quiescence.sources.on = i32::from(killers);
    slots.quiescence.standing.on = i32::from(threats);
    let line = solve(&mut slots, KAINDL_1, 3, context)?;
    Ok((announced(&line), line.score))
}

/// Searches with the recipe by name, with some parameters set, to the given number of plies.
fn by_name(
    fen: &str,
    plies: usize,
    settings: &[(&str, i32)],
    context: &Context<'_>,
) -> Result<Report<Move>, Unfinished> {
    let mut engine = Engine::new(RECIPE, MIB, 1)?;
    engine.set_evaluation(Evaluation::Classical)?;
    for (name, value) in settings {
        engine.set_parameter(name, *value)?;
    }
    let (position, limits) = (read(fen), Until::stopped(context.stop));
    let answer = engine.search(&Request::new(&position, &limits).to_iteration(plies), &mut |_| {});
    let line = answer.lines.into_iter().next().filter(|_| answer.complete);
    Ok(line.ok_or(Interrupted)?)
}

/// Returns in how many plies a line mates; 0 if it does not.
fn mates(line: &Report<Move>) -> usize {
    line.score.plies_to_end().filter(|_| line.score.is_win()).unwrap_or(0)
}

/// Returns how many moves of the variation announced by MERLIN a line has.
fn announced(line: &Report<Move>) -> usize {
    line.pv.iter().zip(ANNOUNCED).take_while(|(mv, announced)| mv.to_string() == *announced).count()
}

/// Tests both figures with the recipe by name, at the plies that the paper states, and without parts of
/// it.
fn judge_by_name(context: &Context<'_>, findings: &mut Findings) -> Result<(), Unfinished> {
    let (killers, threats) = (("KillerMoves.on", 0), ("PromotionThreat.on", 0));
    let cases: [(&str, &[(&str, i32)], _, _); 3] = [
        ("recipe kaindl", &[], Some(ANNOUNCED.len() as f64), Tolerance::Exact),
        ("recipe kaindl without KillerMoves", &[killers], None, Tolerance::Any),
        ("recipe kaindl without PromotionThreat", &[threats], None, Tolerance::Any),
    ];
    for (setting, settings, paper, tolerance) in cases {
        let line = by_name(KAINDL_1, 3, settings, context)?;
        let conditions: [&dyn Display; 3] = [&"1", &3, &setting];
        findings.row(
            "plies of the announced variation",
            &conditions,
            paper,
            announced(&line) as f64,
            tolerance,
        );
        findings.row("value, hundredths of a pawn", &conditions, None, line.score.0.into(), Tolerance::Any);
    }
    for (setting, every, mate) in
        [("recipe kaindl, MateThreat.every_check=0,every_move=0", 0, 9.0), ("recipe kaindl", 1, 11.0)]
    {
        for (plies, paper, tolerance) in [(1, None, Tolerance::Any), (2, Some(mate), Tolerance::Exact)] {
            let settings = ["MateThreat.every_check", "MateThreat.every_move"].map(|name| (name, every));
            let line = by_name(KAINDL_2, plies, &settings, context)?;
            let conditions: [&dyn Display; 3] = [&"2", &plies, &setting];
            findings.row("plies of the mate announced", &conditions, paper, mates(&line) as f64, tolerance);
            findings.row("nodes", &conditions, None, line.nodes as f64, Tolerance::Any);
        }
    }
    Ok(())
}

fn judge_figure_1(context: &Context<'_>, findings: &mut Findings) -> Result<(), Interrupted> {
    let whole = "killers, threats of promotion";
    let found = [
        (whole, figure_1(true, true, context)?),
        ("killers", figure_1(true, false, context)?),
        ("threats of promotion", figure_1(false, true, context)?),
        ("captures only", figure_1(false, false, context)?),
    ];
    for (quiescence, (same, value)) in found {
        let (paper, tolerance) = match quiescence == whole {
            true => (Some(ANNOUNCED.len() as f64), Tolerance::Exact),
            false => (None, Tolerance::Any),
        };
        let conditions: [&dyn Display; 3] = [&"1", &3, &quiescence];
        findings.row("plies of the announced variation", &conditions, paper, same as f64, tolerance);
        findings.row("value, hundredths of a pawn", &conditions, None, value.0.into(), Tolerance::Any);
    }

    let threatened = read(THREATENED);
    let mut counter_moves = Vec::new();
    threatened.counter_moves(Threat::Promotion, &mut counter_moves);
    let looks = f64::from(u8::from(threatened.may_threaten(Threat::Promotion)));
    let conditions: [&dyn Display; 3] = [&"1, after 3.Ke3", &"", &""];
    findings.row("the promotion seems to threaten (1: yes)", &conditions, Some(1.0), looks, Tolerance::Exact);
    let count = counter_moves.len() as f64;
    findings.row("counter-moves", &conditions, Some(0.0), count, Tolerance::Exact);
    for (switch, paper, threats) in [(1, 1.0, "with threats"), (0, 0.0, "without threats")] {
        let refused = f64::from(u8::from(refused(switch, context)? > 0));
        let conditions: [&dyn Display; 3] = [&"1, after two checks", &3, &threats];
        let quantity = "a static value is refused for less (1: yes)";
        findings.row(quantity, &conditions, Some(paper), refused, Tolerance::Exact);
    }
    Ok(())
}

/// Returns the number of horizon nodes like the one after 1.Rh8 Ra1+ 2.Kf2 Ra2+ 3.Ke3 – Black has
/// checked twice, and could stand pat – whose value is below the static one.
fn refused(switch: i32, context: &Context<'_>) -> Result<usize, Interrupted> {
    let mut slots = slots::<Replies, Widened<KillerMoves, Switch<PromotionThreat>>, TreeRecorder<Position>>();
    slots.quiescence.standing.on = switch;
    solve(&mut slots, KAINDL_1, 3, context)?;
    let nodes = &slots.observe.nodes;
    let above = |node: &Recorded<Position>| node.parent.map(|parent| &nodes[parent]);
    let checked = |node: Option<&Recorded<Position>>| node.is_some_and(|node| node.position.in_check());
    let alike = |node: &&Recorded<Position>| {
        let fourth = above(node);
        let second = fourth.and_then(above).and_then(above);
        node.ply == 5 && !node.position.in_check() && checked(fourth) && checked(second)
    };
    let mut evaluator = Evaluator::of(&Evaluation::Classical);
    let below = |node: &&Recorded<Position>| {
        node.position.may_threaten(Threat::Promotion)
            && node.value.is_some_and(|value| value < Evaluate::evaluate(&mut evaluator, &node.position))
    };
    Ok(nodes.iter().filter(alike).filter(below).count())
}

/// Counts the nodes that a quiescence search enters, besides the node at which it starts.
#[derive(Clone, Default)]
struct Counted<Q> {
    search: Q,
    nodes: Rc<Cell<u64>>,
}

impl<Q: Component> Component for Counted<Q> {
    const NAME: &'static str = Q::NAME;
}

impl<G: Game, Q: Quiescence<G>> Quiescence<G> for Counted<Q> {
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let before = worker.nodes();
        let value = self.search.value::<R, N>(worker, position, window, ply);
        self.nodes.set(self.nodes.get() + worker.nodes() - before);
        value
    }
}

/// The mate that is announced in Figure 2.
struct Announced {
    /// The length of the mate in plies; 0 if there is none.
    mate: usize,
    nodes: u64,
    /// The share of the nodes in quiescence, in per cent.
    quiescence: f64,
}

fn figure_2<H: Horizon<Position>>(
    plies: usize,
    every_check: i32,
    context: &Context<'_>,
) -> Result<Announced, Interrupted> {
    let mut slots = slots::<H, Counted<Widened<Off, MateThreat>>, Off>();
    let threat = &mut slots.quiescence.search.standing;
    (threat.every_check, threat.every_move) = (every_check, 0);
    slots.horizon.visit(&mut |parameter, value| match (parameter.component, parameter.name) {
        ("UncountedChecks", "answers") => *value = 1,
        ("UncountedChecks", "noisy") => *value = 0,
        _ => {}
    });
    let line = solve(&mut slots, KAINDL_2, plies, context)?;
    let quiescence = 100.0 * slots.quiescence.nodes.get() as f64 / line.nodes as f64;
    Ok(Announced { mate: mates(&line), nodes: line.nodes, quiescence })
}

fn judge_figure_2(context: &Context<'_>, findings: &mut Findings) -> Result<(), Interrupted> {
    let cases = [
        ("replies uncounted", 3, figure_2::<Replies> as fn(_, _, &Context<'_>) -> _),
        ("replies and single-answer checks uncounted", 2, figure_2::<RepliesAndChecks>),
    ];
    for (rule, plies, search) in cases {
        for (checks, every_check, mate) in [("", 0, 9.0), (", every check", 1, 11.0)] {
            let (before, found) =
                (search(plies - 1, every_check, context)?, search(plies, every_check, context)?);
            let setting = format!("{rule}{checks}");
            let mut row = |quantity, plies: usize, paper, ours, tolerance| {
                findings.row(quantity, &[&"2", &plies, &setting], paper, ours, tolerance).because(
                    (tolerance == Tolerance::Any)
                        .then_some("MERLIN's evaluation and order of moves are not published"),
                );
            };
            row("plies of the mate announced", plies - 1, None, before.mate as f64, Tolerance::Any);
            row("plies of the mate announced", plies, Some(mate), found.mate as f64, Tolerance::Exact);
            // MERLIN's figures are for its own search to two plies, and without every check.
            let of_merlin = |figure| (plies == 2 && every_check == 0).then_some(figure);
            row("nodes", plies, of_merlin(MERLIN_NODES), found.nodes as f64, Tolerance::Any);
            let quoted = of_merlin(MERLIN_QUIESCENCE);
            row("nodes beyond the horizon, %", plies, quoted, found.quiescence, Tolerance::Any);
        }
    }
    let plies = counted_plies(EVERY_REPLY, context)?;
    let conditions: [&dyn Display; 3] = [&"2", &"", &"replies uncounted, static values at the horizon"];
    findings.row("plies that show the mate", &conditions, Some(7.0), plies as f64, Tolerance::Exact);
    Ok(())
}

/// A margin of [`CheckReplies`] with which no reply is counted.
pub(super) const EVERY_REPLY: i32 = 30_000;

/// Returns the smallest depth at which a search without quiescence finds that the sacrifice of Figure 2
/// mates; 0 if it does not in 11 plies. Replies to checks are not counted if the static value plus a
/// margin exceeds α.
pub(super) fn counted_plies(margin: i32, context: &Context<'_>) -> Result<usize, Interrupted> {
    let root = read(KAINDL_2);
    let sacrifice: Vec<Move> =
        root.legal_moves().into_iter().filter(|mv| mv.to_string() == SACRIFICE).collect();
    let limits = Until::stopped(context.stop);
    for plies in 1..=11 {
        let request = Request { moves: &sacrifice, ..Request::new(&root, &limits).to_iteration(plies) };
        let mut slots = slots::<Replies, Off, Off>();
        slots.horizon.discount.margin = margin;
        let answer = search(&mut slots, &request, &mut |_| {});
        if !answer.complete {
            return Err(Interrupted);
        } else if answer.score().is_some_and(|score| score == Score::win_in(11)) {
            return Ok(plies);
        }
    }
    Ok(0)
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let mut findings = Findings { conditions: vec!["figure", "plies", "setting"], ..Findings::default() };
    context.step(0, 3)?;
    judge_by_name(context, &mut findings)?;
    context.step(1, 3)?;
    judge_figure_1(context, &mut findings)?;
    context.step(2, 3)?;
    judge_figure_2(context, &mut findings)?;
    (context.progress)(3, 3);
    findings.notes = vec![
        format!("Figure 1 is {KAINDL_1}, Figure 2 {KAINDL_2}: positions 18 and 49 of Win at Chess."),
        "The recipe `kaindl` is what the program plays under that name, here with the classical evaluation: \
         alpha-beta with a table and nothing selective, and the paper's quiescence and uncounted \
         moves."
            .into(),
        "The other rows: its parts alone, alpha-beta with killers and minimal windows, no table; nodes are \
         those of all iterations. MERLIN's evaluation, order and move selection are not known: its 623 nodes \
         and 58 % are shown beside ours, not judged. Whether it counted the position at the horizon to its \
         quiescence search is not said; here it is not."
            .into(),
        "A mate of 0 plies is none. The 7 plies that show the \
         mate are found with 1.Qxh7+ as the only move at the root."
            .into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_search::alpha_beta::quiescence::Captures;
    use std::sync::atomic::AtomicBool;

    /// The count beyond the horizon is the number of nodes that the search enters in addition to those
    /// of a search without quiescence. With the whole window in both searches, and one ply, the tree
    /// above the horizon is the same.
    #[test]
    fn nodes_beyond_the_horizon_are_those_that_quiescence_adds() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        let root = read(KAINDL_2);
        let mut plain = slots::<Plies, Off, Off>();
        let mut counted = slots::<Plies, Counted<Captures>, Off>();
        let mv = root.legal_moves()[0];
        let (limits, moves) = (Until::stopped(context.stop), [mv]);
        let request = Request { moves: &moves, ..Request::new(&root, &limits).to_iteration(1) };
        let without = search(&mut plain, &request, &mut |_| {}).nodes;
        let with = search(&mut counted, &request, &mut |_| {}).nodes;
        assert!(counted.quiescence.nodes.get() > 0);
        assert_eq!(with - without, counted.quiescence.nodes.get());
    }
}
