//! The lines of play that McAllester and Yuret draw: both depths at each ply, and the ply at which the
//! search stops.

use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::figures::{
    ABC_8, ABC_9, ABC_10, ABC_11, ABC_11_OPEN, ABC_12, ABC_12_BETA_0, ABC_12_QUIESCENCE, ABC_13, ABC_14, Line,
};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::alpha_beta::horizon::{Abc, Entered, Horizon, Safety, Step, suffices};
use cassius_search::{Depth, Depths, Score, Static, Statics, Window};

/// The statements of §8 and §9 about the figures.
pub static ABC_LINES: Experiment = Experiment {
    id: "abc-lines",
    claim: "Max depth and min depth along a quiet line, a combination, a sacrifice, a failed attack, an \
            exchange and checks; and the ply at which each search stops: a search with a narrower window \
            never continues where the wider one stopped",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§7, §8, §9.1, §9.2, Fig. 8 to 14",
    cases: None,
    uses: &[],
    run,
};

/// The statements of the text about one figure.
struct Stated {
    line: Line,
    /// Pairs of ply and max depth.
    max: &'static [(usize, f64)],
    /// Pairs of ply and min depth.
    min: &'static [(usize, f64)],
    /// The ply at which the search stops.
    stop: Option<usize>,
}

const fn stated(
    line: Line,
    max: &'static [(usize, f64)],
    min: &'static [(usize, f64)],
    stop: Option<usize>,
) -> Stated {
    Stated { line, max, min, stop }
}

const STATED: [Stated; 10] = [
    stated(ABC_8, &[(4, 2.0)], &[(4, 2.0)], Some(4)),
    stated(ABC_9, &[(5, 2.0), (7, 3.0), (8, 0.0)], &[(7, 0.5), (8, 2.5)], Some(13)),
    stated(ABC_10, &[], &[], Some(13)),
    stated(ABC_11, &[], &[], Some(12)),
    // "The depth would not climb".
    stated(ABC_11_OPEN, &[], &[(8, 0.0), (12, 0.0)], None),
    stated(ABC_12, &[(9, 0.0)], &[], Some(13)),
    stated(ABC_12_QUIESCENCE, &[(8, 0.0), (13, 2.0)], &[], Some(13)),
    stated(ABC_12_BETA_0, &[], &[], None),
    stated(ABC_13, &[], &[(2, 0.0)], None),
    stated(ABC_14, &[(1, 0.0)], &[(2, 0.0)], None),
];

/// One node of a line, seen by MAX.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measured {
    /// The depth in plies; `None` if the search does not consider it.
    max: Option<f64>,
    min: Option<f64>,
    stops: bool,
}

/// Returns the depths that the search's own depth rule measures along a line, from ply 1 on.
fn measure(line: &Line) -> Vec<Measured> {
    along(&line.tree().root(), line.backbone.len(), line.window)
}

/// Returns the same along the first moves of any game, for one window.
fn along<G: Static>(root: &G, plies: usize, window: Window) -> Vec<Measured> {
    let mut abc = Abc::new(Safety::half(), Line::MARGIN);
    let mut carried = Horizon::<G>::root(&mut abc, Depths::both(Line::TARGET), window);
    let (mut position, mut window, mut moves) = (root.clone(), window, Vec::new());
    let mut measured = Vec::new();
    for ply in 0..plies {
        moves.clear();
        position.moves(&mut moves);
        let Some(&mv) = moves.first() else { break };
        let entered = Entered { position: &position, moves: &moves, window, ply, cut: false, options: None };
        abc.enter(&entered, &mut Statics);
        let mut child = position.clone();
        child.play(mv);
        let step = Step { position: &position, child: &child, mv, index: 0, moves: moves.len(), window, ply };
        carried = abc.child(&carried, &step);
        (position, window) = (child, window.flip());
        let value = position.static_value();
        let remaining = match window.contains(value) {
            true => Horizon::<G>::remaining_inside(&abc, &carried, window, value),
            false => Horizon::<G>::remaining(&abc, &carried, window),
        };
        // The rule counts remaining depth in plies of both sides; a plan has every second of them.
        let reached = |remaining: Depth| Line::TARGET.to_f64() - remaining.to_f64() / 2.0;
        let mover = (value > window.alpha).then(|| reached(remaining.lower));
        let other = (value < window.beta).then(|| reached(remaining.upper));
        let (max, min) = if ply % 2 == 0 { (other, mover) } else { (mover, other) };
        measured.push(Measured { max, min, stops: suffices(window, value, remaining) });
    }
    measured
}

/// The number of nodes that stop with some window, and how many of these do not stop with a window
/// inside it.
struct Narrowed {
    stop: u64,
    go_on: u64,
}

/// Counts over random lines, each with pairs of windows of which one lies inside the other.
fn narrowed(lines: u64) -> Narrowed {
    let window = |alpha, beta| Window::new(Score(alpha), Score(beta));
    let windows = [Window::FULL, window(-8, 8), window(-4, 4), window(-1, 3), window(0, 1), window(-4, -3)];
    let mut narrowed = Narrowed { stop: 0, go_on: 0 };
    for seed in 0..lines {
        let root = RandomTree::new(Values::Coarse(9), 3, 12, seed);
        let measured = windows.map(|window| along(&root, 12, window));
        for (wide, through_wide) in windows.iter().zip(&measured) {
            let inside =
                |narrow: &Window| narrow != wide && wide.alpha <= narrow.alpha && narrow.beta <= wide.beta;
            for (_, through_narrow) in windows.iter().zip(&measured).filter(|(narrow, _)| inside(narrow)) {
                let stops = through_wide.iter().zip(through_narrow).filter(|(wide, _)| wide.stops);
                let (all, on) =
                    stops.fold((0, 0), |(all, on), (_, narrow)| (all + 1, on + u64::from(!narrow.stops)));
                narrowed.stop += all;
                narrowed.go_on += on;
            }
        }
    }
    narrowed
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let mut findings = Findings { conditions: vec!["figure", "ply"], ..Findings::default() };
    for (done, stated) in STATED.iter().enumerate() {
        context.step(done, STATED.len())?;
        let line = &stated.line;
        let measured = measure(line);
        let mut series = [("max depth", Vec::new()), ("min depth", Vec::new())];
        for (ply, node) in (1usize..).zip(&measured) {
            let sides = [("max depth", node.max, stated.max), ("min depth", node.min, stated.min)];
            for ((quantity, depth, said), (_, points)) in sides.into_iter().zip(&mut series) {
                let Some(depth) = depth else { continue };
                let paper = said.iter().find(|(at, _)| *at == ply).map(|(_, depth)| *depth);
                findings.row(quantity, &[&line.name, &ply], paper, depth, Tolerance::Exact);
                points.push((ply as f64, depth));
            }
        }
        let stop = measured.iter().position(|node| node.stops).map(|at| at + 1);
        if stop.is_some() || stated.stop.is_some() {
            let paper = stated.stop.map(|ply| ply as f64);
            let (at, ours) =
                (stop.or(stated.stop).unwrap_or_default(), stop.map_or(f64::NAN, |at| at as f64));
            findings.row("the search stops", &[&line.name, &at], paper, ours, Tolerance::Exact);
        }
        findings.plot(Plot {
            name: format!("line-{}", done + 1),
            title: line.name.into(),
            x: "ply".into(),
            y: "depth, in plies of one side".into(),
            scale: Scale::Linear,
            series: series.map(|(name, points)| Series::new(name, points)).to_vec(),
        });
    }
    (context.progress)(STATED.len(), STATED.len());
    let Narrowed { stop, go_on } = narrowed(if context.quick { 50 } else { 2000 });
    let mut row = |quantity: &str, paper: Option<f64>, ours: u64| {
        let tolerance = if paper.is_some() { Tolerance::Exact } else { Tolerance::Any };
        findings.row(quantity, &[&"random lines", &"any"], paper, ours as f64, tolerance);
    };
    row("nodes that stop", None, stop);
    row("of them, those that go on with a narrower window", Some(0.0), go_on);
    findings.notes = vec![
        "Three moves at every node but the check's reply, S(k) = k/2, margin ½, targets of two plies. \
         A depth is missing where the search does not look at it (N in the figures)."
            .into(),
        "The figures are lost: the column of the paper holds what \
         its sentences say, and the lines were worked out from them."
            .into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares all depths of the figures, not only those stated in the text.
    #[test]
    fn depths_are_those_of_the_figures() {
        for Stated { line, .. } in STATED {
            let measured = measure(&line);
            assert_eq!(measured.len(), line.backbone.len());
            for (at, node) in measured.iter().enumerate() {
                let figure = [line.max[at], line.min[at]].map(|depth| depth.map(|depth| depth.to_f64()));
                assert_eq!([node.max, node.min], figure, "{} ply {}", line.name, at + 1);
                assert_eq!(node.stops, line.stop == Some(at + 1), "{} ply {}", line.name, at + 1);
            }
        }
    }

    #[test]
    fn with_narrower_windows_searches_stop_no_later() {
        let Narrowed { stop, go_on } = narrowed(100);
        assert!(stop > 1000 && go_on == 0, "{go_on} of {stop}");
    }
}
