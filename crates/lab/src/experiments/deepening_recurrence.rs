//! The survey's estimate of the cost of one more ply, with its misprints, compared with measurements.

use super::leaves::{TABLE_1, fewest, simulate};
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::random_tree::Values;
use std::fmt::Display;

/// Marsland & Campbell's recurrence for the cost of iterative deepening.
pub static DEEPENING_RECURRENCE: Experiment = Experiment {
    id: "deepening-recurrence",
    claim: "Leaves of a strongly ordered tree obey A(W, D) = A(W, D − 1) + B(W, D) + \
            (W − 1) B(W − 1, D − 2), so that A is about 2B for W > 20 and D > 4",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§II.D",
    cases: None,
    uses: &[],
    run,
};

/// A(24, 3) and A(24, 4) of Table 1, on which the paper's calculation is based.
const A_24_3: u64 = 857;
const A_24_4: u64 = 2946;
/// The results of the paper's calculation.
const PRINTED_24_4: u64 = 3066;
const PRINTED_24_5: u64 = 30_018;

/// The tolerance of "(W − 1) B(W − 1, D − 2) is approximately equal to B(W, D)" and of "A ≈ 2B".
const APPROXIMATE: Tolerance = Tolerance::Relative(0.2);

const SLIP: &str = "3066 is a misprint for 3043: 23·46 for 23·45";
const MEASURED: &str = "30018 starts from the measured A(24, 4) = 2946, not from the estimate before it";
const ODD_ONLY: &str = "A is about 2B for odd D only, for even D about 1.5 times that";
const ELSEWHERE: &str = "the paper says it of W > 20 and D > 4 only";
/// The narrowest of the trees, which the recurrence overestimates by more than it may.
const NARROWEST: u16 = 8;
const NARROW: &str = "the recurrence overestimates narrow trees";

/// Returns the addition of the last ply: B(W, D) + (W − 1) B(W − 1, D − 2).
fn last_ply(width: u64, depth: u32) -> u64 {
    fewest(width, depth) + (width - 1) * fewest(width - 1, depth - 2)
}

/// Returns A(W, D) by the recurrence, starting from A(W, 1) = W.
fn estimate(width: u64, depth: u32) -> u64 {
    width + (2..=depth).map(|depth| last_ply(width, depth)).sum::<u64>()
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let trials = if context.quick { 100 } else { 1000 };
    let steps = 1 + TABLE_1.len() / 2;
    let mut findings = Findings { conditions: vec!["W", "D", "from"], ..Findings::default() };
    context.step(0, steps)?;
    worked_examples(&mut findings);
    for (step, pair) in TABLE_1[..3].iter().zip(&TABLE_1[3..]).enumerate() {
        context.step(step, steps)?;
        let (three, four) = pair;
        let [at_three, at_four] =
            [3, 4].map(|depth| simulate(Values::StronglyOrdered, three.width, depth, trials).mean);
        let more = last_ply(three.width.into(), 4) as f64;
        let mut row = |from: &str, paper: f64, ours: f64| {
            let conditions: [&dyn Display; 3] = [&three.width, &4, &from];
            let row = findings.row("A, recurrence", &conditions, Some(paper), ours, APPROXIMATE);
            if three.width == NARROWEST {
                row.because(NARROW);
            }
        };
        row("A(W, 3) and A(W, 4) of Table 1", four.a.mean, three.a.mean + more);
        row("A(W, 3) and A(W, 4) of our trees", at_four, at_three + more);
    }
    context.step(steps - 1, steps)?;
    ratios(&mut findings);
    (context.progress)(steps, steps);
    findings.plot(plot());
    findings.notes = vec![
        "\"A, recurrence\": in the column of the paper stands the measured \
         A(W, 4), in ours what the recurrence makes of A(W, 3). The last two rows \
         of a width are the same comparison for the paper's trees and for ours."
            .into(),
        "3066 is an arithmetic slip: 23·46 for 23·45. The recurrence gives 3043.".into(),
        "30018 is exact, but it starts from the measured A(24, 4), not from the estimate before it: \
         from 3043 it would be 30115, from the printed 3066 30138."
            .into(),
        "A is about 2B for odd D only. For even D it is about 1.5 times that, \
         because A(W, D − 1) is not small beside B(W, D)."
            .into(),
    ];
    Ok(findings)
}

/// Adds the two figures that the paper calculates.
fn worked_examples(findings: &mut Findings) {
    let slip = A_24_3 + fewest(24, 4) + 23 * (fewest(23, 2) + 1);
    let right = A_24_3 + last_ply(24, 4);
    let (four, five) = (Some(PRINTED_24_4 as f64), Some(PRINTED_24_5 as f64));
    let mut row = |depth: u32, from: &str, paper, ours: u64, reason: Option<&'static str>| {
        let conditions: [&dyn Display; 3] = [&24, &depth, &from];
        findings.row("A, worked out", &conditions, paper, ours as f64, Tolerance::Exact).because(reason);
    };
    row(4, "A(24, 3) = 857", four, right, Some(SLIP));
    row(4, "A(24, 3) = 857, 46 for 45", four, slip, None);
    row(5, "A(24, 4) = 2946, measured", five, A_24_4 + last_ply(24, 5), None);
    row(5, "A(24, 4) = 3043", five, right + last_ply(24, 5), Some(MEASURED));
    row(5, "A(24, 4) = 3066", five, slip + last_ply(24, 5), Some(MEASURED));
}

const WIDTHS: [u16; 5] = [20, 25, 30, 35, 40];

/// Adds A / 2B and the approximations that it is based on.
fn ratios(findings: &mut Findings) {
    for width in WIDTHS {
        for depth in 4..=8 {
            let (w, b) = (u64::from(width), fewest(width.into(), depth) as f64);
            let claimed = width > 20 && depth > 4;
            let mut row = |quantity: &str, ours, reason: Option<&'static str>| {
                let conditions: [&dyn Display; 3] = [&width, &depth, &"A(W, 1) = W"];
                let (tolerance, reason) =
                    if claimed { (APPROXIMATE, reason) } else { (Tolerance::Any, Some(ELSEWHERE)) };
                findings.row(quantity, &conditions, Some(1.0), ours, tolerance).because(reason);
            };
            row("A / 2B", ratio(width, depth), (depth % 2 == 0).then_some(ODD_ONLY));
            row("(W − 1) B(W − 1, D − 2) / B", (last_ply(w, depth) as f64 - b) / b, None);
        }
    }
}

fn ratio(width: u16, depth: u32) -> f64 {
    estimate(width.into(), depth) as f64 / (2 * fewest(width.into(), depth)) as f64
}

fn plot() -> Plot {
    let line = |depth: u32| {
        Series::new(
            format!("D = {depth}"),
            WIDTHS.iter().map(|width| (f64::from(*width), ratio(*width, depth))),
        )
    };
    Plot {
        name: "ratio".into(),
        title: "A / 2B by the recurrence: near 1 for odd D only".into(),
        x: "width W".into(),
        y: "A / 2B".into(),
        scale: Scale::Linear,
        series: (4..=8).map(line).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calculated by hand from Table 1.
    #[test]
    fn the_recurrence_by_hand() {
        assert_eq!(last_ply(24, 4), 1151 + 23 * 45);
        assert_eq!(A_24_3 + last_ply(24, 4), 3043);
        assert_eq!(A_24_4 + last_ply(24, 5), 2946 + 14_399 + 23 * 551);
        assert_eq!([8, 16].map(|width| last_ply(width, 4)), [127 + 7 * 13, 511 + 15 * 29]);
        assert_eq!(estimate(3, 2), 3 + 5 + 2);
    }

    #[test]
    fn near_2b_for_odd_depths_only() {
        for width in 20..=40 {
            for depth in [5, 7] {
                assert!((1.0..1.1).contains(&ratio(width, depth)), "{width}, {depth}");
            }
            for depth in [4, 6, 8] {
                assert!((1.4..1.6).contains(&ratio(width, depth)), "{width}, {depth}");
            }
        }
    }
}
