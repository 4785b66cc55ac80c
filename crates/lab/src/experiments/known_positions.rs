//! Known positions – only moves, fortresses, wins with alternatives, dead draws, double-edged equalities –
//! and whether the verdicts of the insight measures on them are as expected. `known_positions.epd` was
//! written without knowledge of the measure, then corrected with Stockfish 15.1. `known_positions_2.epd` was
//! added later, without sight of what the measure says of its positions; its facts were checked with the same
//! engine.

use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished, analyst};
use cassius_chess::notation::{Epd, EpdLines};
use cassius_insight::{Effort, Explanation, Verdict, explain};

/// The number of verdicts on known positions that are as expected, by effort.
pub static KNOWN_POSITIONS: Experiment = Experiment {
    id: "known-positions",
    claim: "Cassius judges how much room each side has as strong players and theory do",
    paper: "None: the table of positions is this laboratory's, written without knowledge of the measure, \
            then corrected with Stockfish 15.1",
    section: "the reason is given with each position",
    cases: None,
    uses: &[Input::Judge],
    run,
};

/// The tables with their names.
const TABLES: [(&str, &str); 2] = [
    ("first table", include_str!("known_positions.epd")),
    ("second table", include_str!("known_positions_2.epd")),
];

/// The node limits of a position, for each side.
const FULL: [u64; 3] = [10_000, 100_000, 1_000_000];

/// The value for White, the verdict for White, and that for Black, each as a word.
type Words = [String; 3];

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let tables = TABLES.map(|(name, table)| (name, positions(table)));
    let efforts = if context.quick { &FULL[..1] } else { &FULL[..] };
    let steps = efforts.len() * tables.iter().map(|(_, positions)| positions.len()).sum::<usize>();
    let mut findings = Findings { conditions: vec!["nodes", "table"], ..Findings::default() };
    let mut step = 0;
    for nodes in efforts {
        let effort = Effort { nodes: *nodes, plan_nodes: 0, ..Effort::default() };
        let mut analyst = analyst(context.judge, effort, 16)?;
        let mut notes = Vec::new();
        for (table, positions) in &tables {
            let (mut right, mut both) = ([0; 3], 0);
            for epd in positions {
                context.step(step, steps)?;
                step += 1;
                let expected = expected(epd);
                let explained = explain(&mut analyst, &epd.position, &[])?;
                let explained = explained.expect("no position of the table is over");
                let mut found = found(&explained);
                // It is not enough that there is an only move: it has to be the right one.
                let own = if explained.own.white { 1 } else { 2 };
                let is_best = |uci: &str| epd.position.parse_uci(uci).is_ok_and(|mv| epd.best.contains(&mv));
                if expected[own] == "only" && explained.own.only_move().is_some_and(|mv| !is_best(&mv.uci)) {
                    found[own] = "another only move".into();
                }
                let agrees: [bool; 3] = std::array::from_fn(|of| found[of] == expected[of]);
                right.iter_mut().zip(agrees).for_each(|(right, agrees)| *right += u32::from(agrees));
                both += u32::from(agrees[1] && agrees[2]);
                if agrees != [true; 3] {
                    let why = epd.text("c1").filter(|_| analyst.is_usual());
                    notes.push(miss(epd, &explained, &found, &expected, why));
                }
            }
            let count = positions.len() as f64;
            for (quantity, ours) in [
                ("positions", count),
                ("value right", f64::from(right[0])),
                ("White right", f64::from(right[1])),
                ("Black right", f64::from(right[2])),
                ("both sides right", f64::from(both)),
            ] {
                findings.row(quantity, &[nodes, table], None, ours, Tolerance::Any);
            }
        }
        notes.insert(0, format!("Judged by {}. Not as expected with {nodes} nodes:", analyst.judge_name()));
        findings.notes = notes; // the notes of the greatest effort remain
    }
    Ok(findings)
}

fn positions(table: &str) -> Vec<Epd> {
    EpdLines::new(table.as_bytes()).map(|line| line.expect("a line of the table").1).collect()
}

/// Returns the positions of both tables.
pub(super) fn tables() -> [Vec<Epd>; 2] {
    TABLES.map(|(_, table)| positions(table))
}

/// Returns the expected value for White, as a word.
pub(super) fn expected_value(epd: &Epd) -> String {
    epd.text("value").unwrap_or_default().to_string()
}

fn expected(epd: &Epd) -> Words {
    let text = |code: &str| epd.text(code).unwrap_or_default().to_string();
    [expected_value(epd), text("white"), text("black")]
}

/// Returns White's chance as a word.
pub(super) fn value_word(chance: f64) -> &'static str {
    match chance {
        chance if chance >= 0.85 => "won",
        chance if chance >= 0.60 => "better",
        chance if chance > 0.40 => "equal",
        chance if chance > 0.15 => "worse",
        _ => "lost",
    }
}

fn found(explained: &Explanation) -> Words {
    let own = &explained.own;
    let value = value_word(if own.white { own.value.chance } else { 1.0 - own.value.chance });
    let (own, other) = (Some(own.verdict), explained.other.as_ref().map(|other| other.verdict));
    let (white, black) = if explained.own.white { (own, other) } else { (other, own) };
    [value.into(), word(white), word(black)]
}

fn word(verdict: Option<Verdict>) -> String {
    let word = match verdict {
        None => "over",
        Some(Verdict::Lost) => "lost",
        Some(Verdict::Only) => "only",
        Some(Verdict::Natural) => "natural",
        Some(Verdict::Few) => "few",
        Some(Verdict::Some) => "some",
        Some(Verdict::Free) => "free",
    };
    word.into()
}

/// Describes a miss: what was found and what was expected, why it was expected, and, where it is known,
/// why the measure fails.
fn miss(epd: &Epd, explained: &Explanation, found: &Words, expected: &Words, why: Option<&str>) -> String {
    let parts = ["value", "White", "Black"].iter().zip(found.iter().zip(expected));
    let differ: Vec<String> = parts
        .filter(|(_, (found, expected))| found != expected)
        .map(|(part, (found, expected))| format!("{part} {found}, not {expected}"))
        .collect();
    let holding = explained.own.moves.iter().filter(|of| of.holds).map(|of| of.san.as_str());
    let holding: Vec<&str> = holding.take(8).collect();
    let mut note = format!(
        "{}: {} (value {:+} for the side to move; {} … hold). *Expected:* {}",
        epd.id().unwrap_or_default(),
        differ.join("; "),
        explained.own.value.score,
        holding.join(" "),
        epd.text("c0").unwrap_or_default()
    );
    if let Some(why) = why {
        note.push_str(" *Missed:* ");
        note.push_str(why);
    }
    note
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_insight::over;
    use std::sync::atomic::AtomicBool;

    /// The numbers are not a goal, but the current result. A change of the search or of the evaluation
    /// that changes the result must change them here.
    #[test]
    fn so_many_come_out_as_expected() {
        let stop = AtomicBool::new(false);
        let findings = run(&Context::new(true, &|_, _| {}, &stop)).expect("findings");
        let figures: Vec<f64> = findings.rows.iter().map(|row| row.ours).collect();
        let now = [69.0, 49.0, 49.0, 48.0, 36.0, 100.0, 82.0, 69.0, 69.0, 53.0];
        assert_eq!(
            (cassius_insight::REVISION, &figures[..]),
            (8, &now[..]),
            "other findings: another revision"
        );
        assert!(findings.notes.len() > 1);
    }

    /// Every line of the table states the expected verdicts, in words that the measure can return.
    #[test]
    fn the_table_can_be_met() {
        let words = ["lost", "only", "natural", "few", "some", "free"];
        let values = ["won", "better", "equal", "worse", "lost"];
        let positions = TABLES.map(|(_, table)| positions(table));
        assert_eq!(positions.each_ref().map(Vec::len), [69, 100]);
        for epd in positions.iter().flatten() {
            let [value, white, black] = expected(epd);
            assert!(values.contains(&value.as_str()), "{:?}", epd.id());
            assert!(words.contains(&white.as_str()) && words.contains(&black.as_str()), "{:?}", epd.id());
            assert_eq!(over(&epd.position, &[]), None, "{:?}", epd.id());
            assert!(!epd.best.is_empty(), "{:?}", epd.id());
            assert!(epd.text("c0").is_some_and(|why| why.len() > 20), "{:?}", epd.id());
            assert!(epd.text("c1").is_none_or(|why| why.len() > 20), "{:?}", epd.id());
        }
    }
}
