//! Experiments as data: a claim of a paper, how to measure it, and the results.
//!
//! To add an experiment, write a file in `experiments/` that defines an [`Experiment`], and list it in
//! [`EXPERIMENTS`](crate::experiments::EXPERIMENTS). Its `run` returns rows: the paper's figure, our
//! figure, and the tolerance between them. Verdicts, CSV, JSON and plots are derived from the rows.

mod report;

pub use report::Report;

use crate::Clock;
use crate::kept::Kept;
use crate::matches::{MatchError, TimeManager};
use crate::plot::Figure;
use crate::rated::RatedGame;
use crate::suite::Exercise;
use cassius_chess::EngineError;
use cassius_chess::evaluation::Evaluation;
use cassius_insight::{Analyst, Effort, Judge, JudgeError};
use cassius_search::alpha_beta::memory::TableError;
use cassius_search::best_first::OutOfMemory;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A claim and how to test it.
pub struct Experiment {
    /// The name on the command line.
    pub id: &'static str,
    /// The claim, in one sentence.
    pub claim: &'static str,
    /// The paper that makes the claim: authors, title, year.
    pub paper: &'static str,
    /// The place in the paper.
    pub section: &'static str,
    /// The names of the cases, if they can be run one by one ([`Context::only`]).
    pub cases: Option<fn() -> Vec<&'static str>>,
    /// What of its context it uses, of what may be there or not.
    pub uses: &'static [Input],
    /// Runs the measurement.
    pub run: fn(&Context<'_>) -> Result<Findings, Unfinished>,
}

/// What an experiment may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Positions with known answers ([`Context::exercises`]).
    Exercises,
    /// Games of players with ratings ([`Context::games`]).
    Games,
    /// Another engine that judges ([`Context::judge`]).
    Judge,
    /// Kept measurements ([`Context::kept`]).
    Kept,
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experiment").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns the cases of a list with commas in between. The name of a case may contain commas itself; of the
/// names that fit, the longest counts.
///
/// ```
/// use cassius_lab::experiment::named_cases;
/// let cases = ["cns", "ccns", "ccns, leaves not searched"];
/// assert_eq!(named_cases("CNS,ccns", &cases), Ok(vec!["cns", "ccns"]));
/// assert_eq!(named_cases("ccns, leaves not searched,cns", &cases), Ok(vec![cases[2], "cns"]));
/// assert_eq!(named_cases("ccns, leaves searched", &cases), Err("leaves searched"));
/// ```
///
/// # Errors
/// The first part of the list that names no case.
pub fn named_cases<'a, 'b>(list: &'a str, cases: &[&'b str]) -> Result<Vec<&'b str>, &'a str> {
    let (mut found, mut rest) = (Vec::new(), Some(list));
    while let Some(list) = rest {
        let commas = list.match_indices(',').map(|(at, _)| at);
        let ends: Vec<usize> = commas.chain([list.len()]).collect();
        let case_until = |end: usize| {
            let name = list[..end].trim();
            let case = cases.iter().find(|case| case.eq_ignore_ascii_case(name))?;
            Some((end, *case))
        };
        let longest = ends.iter().rev().find_map(|end| case_until(*end));
        let (end, case) = longest.ok_or(list[..ends[0]].trim())?;
        found.push(case);
        rest = list.get(end + 1..);
    }
    Ok(found)
}

/// The settings of a run of an experiment.
pub struct Context<'a> {
    /// Runs smaller cases only, for a first look: seconds instead of minutes.
    pub quick: bool,
    /// Called with the number of finished steps and the number of all steps.
    pub progress: &'a dyn Fn(usize, usize),
    /// Ends the experiment early when set.
    pub stop: &'a AtomicBool,
    /// The clock, for experiments that measure at equal time. Without it, they make no such measurement.
    pub clock: Option<&'a dyn Clock>,
    /// What games with a clock for each player need.
    pub clocks: Option<Clocks<'a>>,
    /// The number of games and exercises that run at the same time.
    pub jobs: usize,
    /// Positions with known answers, for experiments that count how many are solved.
    pub exercises: &'a [Exercise],
    /// Games of players with ratings, for experiments on human moves.
    pub games: &'a [RatedGame],
    /// Another engine that judges the positions of these games; our own search if there is none.
    pub judge: Option<OtherJudge<'a>>,
    /// The cases to run, for experiments whose cases have names; all if empty.
    pub only: &'a [String],
    /// The file of kept measurements, so that no long measurement is made twice.
    pub kept: Option<&'a Kept>,
    /// Uses kept measurements only: a measurement that is not in the file is left out.
    pub kept_only: bool,
}

/// What games with a clock for each player need.
#[derive(Clone, Copy)]
pub struct Clocks<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Allocates the time.
    pub manager: &'a dyn TimeManager,
}

/// Another engine as the judge.
#[derive(Clone, Copy)]
pub struct OtherJudge<'a> {
    /// Everything on which its answers depend, for the keys of kept measurements.
    pub name: &'a str,
    /// Starts it, once for every job.
    pub start: &'a (dyn Fn() -> Result<Box<dyn Judge>, JudgeError> + Sync),
}

/// Returns an analyst that asks this judge. Our own search has a table of `mib` MiB.
///
/// # Errors
/// If there is not enough memory, or the engine cannot be started.
pub fn analyst(judge: Option<OtherJudge<'_>>, effort: Effort, mib: usize) -> Result<Analyst, Unfinished> {
    Ok(match judge {
        None => Analyst::new(effort, mib)?,
        Some(judge) => Analyst::with_judge(effort, (judge.start)()?)?,
    })
}

/// Returns everything about this judge on which its answers depend, for the keys of kept measurements. Our
/// own search has a table of `mib` MiB.
pub fn name_of(judge: Option<OtherJudge<'_>>, mib: usize) -> String {
    match judge {
        None => format!("{mib} MiB, evaluation {:016x}", Evaluation::default().number()),
        Some(judge) => judge.name.to_string(),
    }
}

impl<'a> Context<'a> {
    /// Creates a context without a clock, exercises, or a selection of cases.
    pub fn new(quick: bool, progress: &'a dyn Fn(usize, usize), stop: &'a AtomicBool) -> Context<'a> {
        Context {
            quick,
            progress,
            stop,
            clock: None,
            clocks: None,
            jobs: 1,
            exercises: &[],
            games: &[],
            judge: None,
            only: &[],
            kept: None,
            kept_only: false,
        }
    }

    /// Keeps a measurement. If it cannot be kept, ends the experiment, because the measurements that
    /// follow would be lost as well.
    pub fn keep<T: Serialize>(&self, key: &str, measured: &T) {
        if self.kept.is_some_and(|kept| !kept.put(key, measured)) {
            self.stop.store(true, Relaxed);
        }
    }

    /// Returns the measurement kept under `key`, or measures it with `measure` and keeps it. If only kept
    /// measurements are used, one of another version of the program will do, and it is `None` if there is
    /// none. The key must contain everything on which the measurement depends.
    ///
    /// # Errors
    /// Those of `measure`.
    pub fn once<T: Serialize + DeserializeOwned, E>(
        &self,
        key: &str,
        measure: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let known = self.kept.and_then(|kept| kept.known(key, self.kept_only));
        if known.is_some() || self.kept_only {
            return Ok(known);
        }
        let measured = measure()?;
        self.keep(key, &measured);
        Ok(Some(measured))
    }

    /// Whether this case is to be run.
    pub fn wants(&self, case: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only.eq_ignore_ascii_case(case))
    }

    /// Reports that a step is done, and checks whether to go on.
    ///
    /// # Errors
    /// If the experiment is to end early.
    pub fn step(&self, done: usize, of: usize) -> Result<(), Interrupted> {
        (self.progress)(done, of);
        self.go_on()
    }

    /// Checks whether to go on.
    ///
    /// # Errors
    /// If the experiment is to end early.
    pub fn go_on(&self) -> Result<(), Interrupted> {
        if self.stop.load(Relaxed) { Err(Interrupted) } else { Ok(()) }
    }
}

/// The experiment was ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Why an experiment has no findings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// The experiment was ended early.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A player cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A match cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The tree of a best-first search does not fit in memory.
    #[error(transparent)]
    Tree(#[from] OutOfMemory),
    /// There are no games, or none of them is usable.
    #[error("no rated games: use --pgn FILE, with games that have the tags WhiteElo and BlackElo")]
    NoGames,
    /// A table does not fit in memory.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The engine that judges does not answer.
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

/// The results of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The names of the conditions, the same for every row.
    pub conditions: Vec<&'static str>,
    /// The table.
    pub rows: Vec<Row>,
    /// The plots of the table.
    pub plots: Vec<Figure>,
    /// Remarks for the reader, one sentence each.
    pub notes: Vec<String>,
}

/// A quantity under certain conditions: the paper's figure and our figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the quantity.
    pub quantity: String,
    /// The value of every condition.
    pub conditions: Vec<String>,
    /// What is expected: the paper's figure, the result of its formula, or what its claim implies. `None` if
    /// nothing is.
    pub paper: Option<f64>,
    /// Our figure.
    pub ours: f64,
    /// How far our figure may be from the paper's.
    pub tolerance: Tolerance,
    /// Why the row is not judged although the paper has a figure, or why it differs: a misprint, or a
    /// detail that the paper leaves open.
    pub reason: Option<&'static str>,
}

/// How far a figure may be from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// The figures must be equal.
    Exact,
    /// The difference may be this share of the expected figure.
    Relative(f64),
    /// The difference may be this large, in the unit of the figure.
    Absolute(f64),
    /// The difference may be half the width of its 95 % interval, for figures of a sample.
    Interval(f64),
    /// The figure is shown, not judged.
    Any,
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tolerance::Exact => f.write_str("exact"),
            Tolerance::Relative(share) => write!(f, "±{} %", share * 100.0),
            Tolerance::Absolute(much) if *much > 1e-3 => write!(f, "±{}", (much * 1e4).round() / 1e4),
            Tolerance::Absolute(much) => write!(f, "±{much}"),
            Tolerance::Interval(half) => write!(f, "±{half:.2} (95 %)"),
            Tolerance::Any => f.write_str("not judged"),
        }
    }
}

/// The result of the comparison of a figure with the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The figure agrees with the paper.
    Agrees,
    /// The figure differs from the paper.
    Differs,
    /// The figure differs from the paper, and the row gives the reason.
    DiffersAsKnown,
    /// The figure is not compared with anything.
    NotJudged,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "DIFFERS",
            Verdict::DiffersAsKnown => "differs as known",
            Verdict::NotJudged => "–",
        })
    }
}

impl Row {
    /// Compares the figures.
    ///
    /// ```
    /// use cassius_lab::experiment::{Row, Tolerance, Verdict};
    /// let row = |ours, tolerance| Row {
    ///     quantity: "leaves".into(), conditions: vec![], paper: Some(100.0), ours, tolerance, reason: None,
    /// };
    /// assert_eq!(row(101.0, Tolerance::Exact).verdict(), Verdict::Differs);
    /// assert_eq!(row(101.0, Tolerance::Relative(0.01)).verdict(), Verdict::Agrees);
    /// assert_eq!(row(101.0, Tolerance::Any).verdict(), Verdict::NotJudged);
    /// ```
    pub fn verdict(&self) -> Verdict {
        let Some(paper) = self.paper else { return Verdict::NotJudged };
        let far = (self.ours - paper).abs();
        let within = match self.tolerance {
            Tolerance::Exact => self.ours == paper, // also correct for infinite figures
            Tolerance::Relative(share) => far <= share * paper.abs(),
            Tolerance::Absolute(much) | Tolerance::Interval(much) => far <= much,
            Tolerance::Any => return Verdict::NotJudged,
        };
        match (within, self.reason) {
            (true, _) => Verdict::Agrees,
            (false, Some(_)) => Verdict::DiffersAsKnown,
            (false, None) => Verdict::Differs,
        }
    }

    /// Sets the reason why the row is not judged although the paper has a figure, or why it differs from
    /// the paper if it does.
    ///
    /// ```
    /// use cassius_lab::experiment::{Findings, Tolerance, Verdict};
    /// let mut findings = Findings::default();
    /// findings
    ///     .row("leaves", &[], Some(3066.0), 3043.0, Tolerance::Exact)
    ///     .because("3066 is a misprint for 3043");
    /// assert_eq!(findings.rows[0].verdict(), Verdict::DiffersAsKnown);
    /// assert!(findings.hold());
    /// ```
    pub fn because(&mut self, reason: impl Into<Option<&'static str>>) {
        self.reason = reason.into();
    }
}

/// The number of rows with each verdict. Every row with a figure of a paper is in one of three classes:
/// judged and agreeing, judged and differing, not judged for a stated reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Judged and agreeing.
    pub agreeing: usize,
    /// Judged and differing, for an unknown reason.
    pub differing: usize,
    /// Judged and differing, by reason: misprints, and details that a paper leaves open.
    pub known: BTreeMap<&'static str, usize>,
    /// Not judged, by reason.
    pub not_judged: BTreeMap<&'static str, usize>,
    /// Our own figures, which have no counterpart in a paper.
    pub own: usize,
}

impl Tally {
    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.agreeing += other.agreeing;
        self.differing += other.differing;
        self.own += other.own;
        other.known.iter().for_each(|(reason, count)| *self.known.entry(reason).or_default() += count);
        other
            .not_judged
            .iter()
            .for_each(|(reason, count)| *self.not_judged.entry(reason).or_default() += count);
    }

    /// Returns the number of figures that a paper gives.
    pub fn of_papers(&self) -> usize {
        self.agreeing + self.differing + total(&self.known) + total(&self.not_judged)
    }
}

fn total(by_reason: &BTreeMap<&'static str, usize>) -> usize {
    by_reason.values().sum()
}

impl fmt::Display for Tally {
    /// Writes one line for each class that is not empty, and one for each reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = |f: &mut fmt::Formatter<'_>, by_reason: &BTreeMap<&'static str, usize>| {
            by_reason.iter().try_for_each(|(reason, count)| writeln!(f, "  {count}: {reason}"))
        };
        match self.of_papers() {
            0 => writeln!(f, "A demonstration: no figure is expected")?,
            all => writeln!(f, "{} of {all} expected figures are judged and agree", self.agreeing)?,
        }
        if self.differing > 0 {
            writeln!(f, "{} are judged and DIFFER", self.differing)?;
        }
        if !self.known.is_empty() {
            writeln!(f, "{} are judged and differ, as known:", total(&self.known))?;
            reasons(f, &self.known)?;
        }
        if !self.not_judged.is_empty() {
            writeln!(f, "{} are not judged:", total(&self.not_judged))?;
            reasons(f, &self.not_judged)?;
        }
        Ok(())
    }
}

impl Findings {
    /// Adds a plot.
    pub fn plot(&mut self, plot: impl Into<Figure>) {
        self.plots.push(plot.into());
    }

    /// Adds a row.
    pub fn row(
        &mut self,
        quantity: &str,
        conditions: &[&dyn fmt::Display],
        paper: Option<f64>,
        ours: f64,
        tolerance: Tolerance,
    ) -> &mut Row {
        let conditions = conditions.iter().map(ToString::to_string).collect();
        self.rows.push(Row { quantity: quantity.into(), conditions, paper, ours, tolerance, reason: None });
        self.rows.last_mut().expect("it has just been added")
    }

    /// Whether every row with a figure of the paper agrees with it or states a reason.
    pub fn hold(&self) -> bool {
        self.differing() == 0 && self.unexplained() == 0
    }

    /// Returns the number of rows with a figure of the paper that are not judged and state no reason.
    pub fn unexplained(&self) -> usize {
        let unexplained =
            |row: &&Row| row.paper.is_some() && row.verdict() == Verdict::NotJudged && row.reason.is_none();
        self.rows.iter().filter(unexplained).count()
    }

    /// Counts the rows by verdict.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for row in &self.rows {
            let reason = row.reason.unwrap_or("no reason is given");
            match row.verdict() {
                Verdict::Agrees => tally.agreeing += 1,
                Verdict::Differs => tally.differing += 1,
                Verdict::DiffersAsKnown => *tally.known.entry(reason).or_default() += 1,
                Verdict::NotJudged if row.paper.is_some() => {
                    *tally.not_judged.entry(reason).or_default() += 1
                }
                Verdict::NotJudged => tally.own += 1,
            }
        }
        tally
    }

    /// Returns the number of rows that differ from the paper for an unknown reason.
    pub fn differing(&self) -> usize {
        self.rows.iter().filter(|row| row.verdict() == Verdict::Differs).count()
    }

    /// Returns the table as comma-separated values, headings first.
    pub fn to_csv(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| csv_cell(cell)).collect();
            format!("{}\n", cells.join(","))
        };
        let mut csv = line(&self.headings());
        csv.extend(self.rows.iter().map(|row| line(&row.cells())));
        csv
    }

    /// Returns the table for people, headings first. It has the same cells as the comma-separated
    /// values. If no row is compared with a paper, it has one line for each set of conditions and one
    /// column for each quantity instead.
    pub fn table(&self) -> Vec<Vec<String>> {
        if self.rows.iter().any(|row| row.paper.is_some()) {
            return [self.headings()].into_iter().chain(self.rows.iter().map(Row::cells)).collect();
        }
        let (mut quantities, mut lines): (Vec<&String>, Vec<&Vec<String>>) = (Vec::new(), Vec::new());
        for row in &self.rows {
            if !quantities.contains(&&row.quantity) {
                quantities.push(&row.quantity);
            }
            if !lines.contains(&&row.conditions) {
                lines.push(&row.conditions);
            }
        }
        let cell = |conditions: &Vec<String>, quantity: &String| {
            let row = self.rows.iter().find(|row| row.conditions == *conditions && row.quantity == *quantity);
            row.map_or_else(String::new, |row| rounded(row.ours))
        };
        let names = self.conditions.iter().map(ToString::to_string);
        let headings = names.chain(quantities.iter().map(ToString::to_string)).collect();
        let lines = lines.into_iter().map(|conditions| {
            conditions
                .iter()
                .cloned()
                .chain(quantities.iter().map(|quantity| cell(conditions, quantity)))
                .collect()
        });
        [headings].into_iter().chain(lines).collect()
    }

    /// Returns the headings of the table, in the order of [`Row::cells`].
    pub fn headings(&self) -> Vec<String> {
        let fixed = ["paper", "ours", "tolerance", "verdict", "why"];
        let names = ["quantity"].iter().chain(&self.conditions).chain(&fixed);
        names.map(ToString::to_string).collect()
    }

    /// Returns everything but the plots, for programs. `quick` says that only smaller cases were run.
    ///
    /// ```
    /// use cassius_lab::experiment::{Findings, Tolerance};
    /// use cassius_lab::experiments::EXPERIMENTS;
    /// let mut findings = Findings { conditions: vec!["depth"], ..Findings::default() };
    /// findings.row("leaves", &[&4], Some(1151.0), 1151.0, Tolerance::Exact);
    /// let report = serde_json::to_value(findings.report(EXPERIMENTS[0], false))?;
    /// assert_eq!(report["rows"][0]["ours"], 1151.0);
    /// assert_eq!(report["rows"][0]["conditions"]["depth"], "4");
    /// assert_eq!(report["rows"][0]["agrees"], true);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn report<'a>(&'a self, experiment: &Experiment, quick: bool) -> Report<'a> {
        Report::new(self, experiment, quick)
    }
}

impl Row {
    /// Returns the row as text, in the order of [`Findings::headings`].
    pub fn cells(&self) -> Vec<String> {
        let verdict = match self.verdict() {
            Verdict::NotJudged => String::new(),
            verdict => verdict.to_string().to_lowercase(),
        };
        let figures = [
            self.paper.map_or_else(String::new, figure),
            figure(self.ours),
            self.tolerance.to_string(),
            verdict,
            self.reason.filter(|_| self.verdict() != Verdict::Agrees).unwrap_or_default().to_string(),
        ];
        [self.quantity.clone()].into_iter().chain(self.conditions.iter().cloned()).chain(figures).collect()
    }
}

/// Formats a whole number without a fraction, and other numbers with four digits after the point.
pub fn figure(value: f64) -> String {
    let value = value + 0.0; // turns −0 into 0
    if value == value.trunc() { format!("{value:.0}") } else { format!("{value:.4}") }
}

/// Formats a value as [`figure`] does, but with fewer digits: one after the point from 10 on, two below.
fn rounded(value: f64) -> String {
    let value = value + 0.0;
    match value.abs() {
        _ if value == value.trunc() => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

fn csv_cell(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_compared_stands_side_by_side() {
        let mut findings = Findings { conditions: vec!["component"], ..Findings::default() };
        findings.row("solved", &[&"Killers"], None, 7.0, Tolerance::Any);
        findings.row("Elo", &[&"Killers"], None, -12.34, Tolerance::Any);
        findings.row("Elo", &[&"History"], None, 1.234, Tolerance::Any);
        let lines = findings.table();
        assert_eq!(
            lines,
            [["component", "solved", "Elo"], ["Killers", "7", "-12.3"], ["History", "", "1.23"]]
        );
        findings.row("Elo", &[&"Reorder"], Some(1.0), 1.0, Tolerance::Exact);
        assert_eq!(findings.table()[0], findings.headings());
    }

    #[test]
    fn every_figure_of_a_paper_is_in_one_of_three_classes() {
        let mut findings = Findings::default();
        findings.row("a", &[], Some(1.0), 1.0, Tolerance::Exact).because("it would be a misprint");
        findings.row("b", &[], Some(3066.0), 3043.0, Tolerance::Exact).because("a misprint");
        findings.row("c", &[], Some(20.0), 55.0, Tolerance::Any).because("other positions");
        findings.row("d", &[], None, 7.0, Tolerance::Any);
        findings.row("e", &[], Some(20.0), 21.0, Tolerance::Interval(1.5));
        assert!(findings.hold());
        let tally = findings.tally();
        assert_eq!((tally.of_papers(), tally.agreeing, tally.differing, tally.own), (4, 2, 0, 1));
        assert_eq!(tally.known, [("a misprint", 1)].into());
        assert_eq!(tally.not_judged, [("other positions", 1)].into());
        let said = "2 of 4 expected figures are judged and agree\n\
                    1 are judged and differ, as known:\n  1: a misprint\n\
                    1 are not judged:\n  1: other positions\n";
        assert_eq!(tally.to_string(), said);

        let mut unexplained = findings.clone();
        unexplained.row("f", &[], Some(1.0), 2.0, Tolerance::Any);
        assert!(!unexplained.hold());
        findings.row("g", &[], Some(1.0), 2.0, Tolerance::Exact);
        assert!(!findings.hold());
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let row = Row {
            quantity: "leaves, \"perfect\"".into(),
            conditions: vec!["8".into()],
            paper: Some(71.0),
            ours: 70.5,
            tolerance: Tolerance::Exact,
            reason: None,
        };
        let findings = Findings { conditions: vec!["W"], rows: vec![row], ..Findings::default() };
        let expected = "quantity,W,paper,ours,tolerance,verdict,why\n\
                        \"leaves, \"\"perfect\"\"\",8,71,70.5000,exact,differs,\n";
        assert_eq!(findings.to_csv(), expected);
        assert!(!findings.hold());
    }
}
