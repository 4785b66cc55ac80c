//! Measures how well room, traps and plan safety predict the errors of rated players.
//!
//! Each position is judged independently (`moves`), and each move that counts is one observation. Models
//! are fitted to a random half of the games and reported on the other half.

mod models;
mod moves;

use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::prediction::earlier::error_chance;
use crate::prediction::{
    Bootstrap, Logistic, Observation, PredictionError, RIDGE, auc_difference, auc_interval, brier,
    calibration, figures, folds, log_loss,
};
use crate::rated::{self, RatedGame};
use crate::statistics::Estimate;
use cassius_insight::Effort;
use models::{FIRST, MEASURES, NAMES};
use moves::{Checked, Measured, Moved};
use std::collections::BTreeSet;

/// A claim of this project.
pub static HUMAN_ERROR: Experiment = Experiment {
    id: "human-error",
    claim: "The number of moves that hold, and of moves that only look right, predicts how often a player of \
            a given rating errs",
    paper: "A first study of this project: 638 rated games of amateurs",
    section: "areas of .66 for the number of moves that hold, \
              .68 for their share, .71 for the shallow player, .73 for a model",
    cases: None,
    uses: &[Input::Games, Input::Kept],
    run,
};

/// The node limit of a position. More nodes would find more errors, but take longer.
const FULL: u64 = 20_000;
const QUICK: u64 = 500;
/// The node limit of each plan.
const FULL_PLAN: u64 = 200;
const QUICK_PLAN: u64 = 20;

/// The seed of the halves and folds, and the number of folds.
const SEED: u64 = 1;
const FOLDS: usize = 10;
const BINS: usize = 10;

/// Bands of ratings: the name and the lower end.
const BANDS: [(&str, f64); 4] =
    [("below 1200", 0.0), ("1200–1599", 1200.0), ("1600–1999", 1600.0), ("2000 and more", 2000.0)];

/// Well-known games with invented ratings, for a quick run.
pub(super) const EXAMPLES: &str = r#"
[White "Anderssen"]
[Black "Kieseritzky"]
[WhiteElo "2100"]
[BlackElo "1900"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6
10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2
18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0

[White "Morphy"]
[Black "Duke of Brunswick and Count Isouard"]
[WhiteElo "2200"]
[BlackElo "1400"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0

[White "Réti"]
[Black "Tartakower"]
[WhiteElo "2100"]
[BlackElo "2000"]

1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4 9. Qd8+
Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0

[White "Légal"]
[Black "Saint Brie"]
[WhiteElo "1900"]
[BlackElo "1100"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
"#;

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let examples;
    let games: &[RatedGame] = match context.games {
        [] if context.quick => {
            examples = rated::read("examples", EXAMPLES.as_bytes()).0;
            &examples
        }
        [] => return Err(Unfinished::NoGames),
        games => games,
    };
    let (nodes, plan_nodes) = if context.quick { (QUICK, QUICK_PLAN) } else { (FULL, FULL_PLAN) };
    let effort = Effort { nodes, plan_nodes, ..Effort::default() };
    let measured = moves::measure(context, games, effort)?;
    let mut findings = Findings { conditions: vec!["what", "of"], ..Findings::default() };
    describe(&mut findings, games.len(), &measured, &effort);
    if let Err(error) = report(&mut findings, &measured) {
        findings.notes.push(format!("These games are too few to say more: {error}."));
    }
    Ok(findings)
}

/// Adds the description of the data and of the measurement.
fn describe(findings: &mut Findings, games: usize, measured: &[Measured], effort: &Effort) {
    let sum = |of: &dyn Fn(&Measured) -> usize| -> f64 { measured.iter().map(of).sum::<usize>() as f64 };
    let mut row = |what: &str, count: f64| {
        findings.row("count", &[&what, &"all games"], None, count, Tolerance::Any);
    };
    row("games", games as f64);
    row("games measured", measured.len() as f64);
    row("moves", sum(&|game| game.played.moves.len()));
    row("errors", sum(&|game| game.played.moves.iter().filter(|moved| moved.is_error()).count()));
    for (index, why) in
        ["left out: opening", "left out: one legal move", "left out: decided"].iter().enumerate()
    {
        row(why, sum(&|game| game.played.left_out[index]));
    }
    findings.notes.push(format!(
        "Every position is judged with {} nodes. A move is an error if it lowers the win probability by more \
         than {}; a move holds if it lowers it by at most {}, and looks right if it seems to at a shallow \
         search of {} iterations. Left out are the first {} plies, positions with one legal move, and those \
         where the win probability is farther than {} from one half. What is kept of a move is rounded to \
         four places. At a tenth of the positions, drawn by chance, there are plans, and a longer look: \
         three searches with {} nodes each, for the value, for that of the second-best move, and for that \
         after the move that was played, none knowing of the others.",
        effort.nodes,
        moves::ERROR,
        effort.delta,
        effort.shallow,
        moves::BOOK,
        moves::UNDECIDED,
        moves::LONGER * effort.nodes,
    ));
    findings.notes.push(
        "Errors and measures come from the same short search, each position judged for itself: where it \
         errs, both do. How much that flatters is seen where errors are those of the longer look. There is \
         no model of wins, draws and losses here, and so no sharpness of that kind."
            .into(),
    );
}

/// The model whose chances are shown to players.
const AS_IT_IS: &str = "error_chance as it is";

fn as_it_is(moved: &Moved) -> f64 {
    error_chance(&moved.features, moved.elo)
}

/// The observations, and their moves in the same order.
struct Sample {
    moves: Vec<Moved>,
    /// The observations with all features, and those with the features of the first study.
    with_temptation: Vec<Observation>,
    first: Vec<Observation>,
}

impl Sample {
    fn new<'a>(moves: impl Iterator<Item = (usize, &'a Moved)>) -> Sample {
        let mut sample = Sample { moves: Vec::new(), with_temptation: Vec::new(), first: Vec::new() };
        for (game, moved) in moves {
            sample.moves.push(*moved);
            sample.with_temptation.push(models::observation(game, moved, NAMES.len()));
            sample.first.push(models::observation(game, moved, FIRST));
        }
        sample
    }

    fn pick(&self, which: impl Fn(usize) -> bool) -> Sample {
        let all = (0..self.moves.len()).filter(|index| which(*index));
        Sample::new(all.map(|index| (self.first[index].group, &self.moves[index])))
    }

    fn scores(&self, score: impl Fn(&Moved) -> f64) -> Vec<f64> {
        self.moves.iter().map(score).collect()
    }

    fn chances(&self, model: &Logistic) -> Vec<f64> {
        self.scores(|moved| model.chance(&models::numbers(moved)))
    }
}

fn report(findings: &mut Findings, measured: &[Measured]) -> Result<(), PredictionError> {
    let bootstrap = Bootstrap::default();
    let moves = measured.iter().flat_map(|game| game.played.moves.iter().map(|moved| (game.game, moved)));
    let all = Sample::new(moves);
    let halves = folds::halves(&all.first, SEED)?;
    let half = |which: usize| all.pick(|index| halves[which].binary_search(&index).is_ok());
    let (developed, reported) = (half(0), half(1));
    let (development, report) = ("developed on", "reported on");

    let mut areas = Vec::new();
    for (name, measure) in MEASURES {
        area(findings, (name, "all games"), auc_interval(&all.first, &all.scores(measure), &bootstrap)?);
        let on_report = auc_interval(&reported.first, &reported.scores(measure), &bootstrap)?;
        area(findings, (name, report), on_report);
        areas.push((name.to_string(), on_report));
    }
    plans(findings, measured, &bootstrap);

    let refitted = Logistic::fit(&developed.first, RIDGE)?;
    let with_temptation = Logistic::fit(&developed.with_temptation, RIDGE)?;
    let models = [
        ("first study's model", reported.chances(&models::first_study())),
        ("model fitted anew", reported.chances(&refitted)),
        ("model with temptation", reported.chances(&with_temptation)),
        (AS_IT_IS, reported.scores(as_it_is)),
    ];
    for (name, chances) in &models {
        let found = auc_interval(&reported.first, chances, &bootstrap)?;
        area(findings, (name, report), found);
        scores(findings, (name, report), &reported.first, chances)?;
        areas.push((name.to_string(), found));
    }
    for (name, observations) in
        [("model fitted anew", &developed.first), ("model with temptation", &developed.with_temptation)]
    {
        // Games without a move that counts are in no fold, and few games may not fill two.
        let games: BTreeSet<usize> = observations.iter().map(|observation| observation.group).collect();
        let chances = match folds::out_of_fold(observations, FOLDS.min(games.len()), RIDGE, SEED) {
            Ok(chances) => chances,
            Err(error) => {
                findings.notes.push(format!("The {name} is not cross-validated: {error}."));
                continue;
            }
        };
        let of = format!("{development}, cross-validated");
        area(findings, (name, &of), auc_interval(observations, &chances, &bootstrap)?);
        scores(findings, (name, &of), observations, &chances)?;
    }

    let temptation = reported.scores(|moved| moved.features.temptation);
    let [(_, first), (_, anew), (_, with), (_, now)] = &models;
    for (name, one, other) in [
        ("gain: fitted anew over the first study's", anew, first),
        ("gain: temptation over fitted anew", with, anew),
        ("gain: model with temptation over temptation alone", with, &temptation),
        ("gain: model with temptation over error_chance as it is", with, now),
    ] {
        area(findings, (name, report), auc_difference(&reported.first, one, other, &bootstrap)?);
    }

    for (index, (band, from)) in BANDS.iter().enumerate() {
        let below = BANDS.get(index + 1).map_or(f64::INFINITY, |band| band.1);
        let part = reported.pick(|index| (*from..below).contains(&reported.moves[index].elo));
        let of = format!("{report}, {band}");
        let errors = part.first.iter().filter(|observation| observation.error).count() as f64;
        let count = part.first.len() as f64;
        for (quantity, value) in [("count", count), ("errors %", 100.0 * errors / count.max(1.0))] {
            findings.row(quantity, &[&"moves", &of], None, value, Tolerance::Any);
        }
        for (name, chances) in [
            ("first study's model", part.chances(&models::first_study())),
            ("model with temptation", part.chances(&with_temptation)),
            (AS_IT_IS, part.scores(as_it_is)),
        ] {
            let mean = chances.iter().sum::<f64>() / count.max(1.0);
            findings.row("predicted %", &[&name, &of], None, 100.0 * mean, Tolerance::Any);
            if let Ok(found) = auc_interval(&part.first, &chances, &bootstrap) {
                area(findings, (name, &of), found);
            }
        }
    }

    let is_reported = |game: usize| reported.first.iter().any(|observation| observation.group == game);
    let fitted = |moved: &Moved| with_temptation.chance(&models::numbers(moved));
    longer_look(findings, measured, &is_reported, &fitted, &bootstrap);

    for (name, chances) in &models {
        let bins = calibration(&reported.first, chances, BINS)?;
        for (number, bin) in bins.iter().enumerate() {
            let conditions: [&dyn std::fmt::Display; 2] = [name, &format!("{report}, bin {}", number + 1)];
            let Estimate { value, low, high } = bin.observed;
            for (quantity, value) in [
                ("count", bin.count as f64),
                ("errors %", 100.0 * value),
                ("predicted %", 100.0 * bin.predicted),
                ("from", 100.0 * low),
                ("to", 100.0 * high),
            ] {
                findings.row(quantity, &conditions, None, value, Tolerance::Any);
            }
        }
        let file = format!("calibration-{}", name.replace([' ', '\'', '_'], "-"));
        findings.plot(figures::reliability(&file, &format!("Calibration: {name}"), &bins));
    }
    findings.plot(figures::areas("areas", "What predicts errors, on the games not fitted to", &areas));

    findings.notes.push(format!(
        "The games are dealt into two halves by chance: models are fitted to the one ({} moves), and \
         reported on the other ({} moves). Areas (AUC, in percent: 50 says nothing) and their differences \
         have 95 % intervals by {} draws of whole games; shares of errors have Wilson's, which take moves as \
         independent. Each measure alone counts in the direction that its name says.",
        developed.moves.len(),
        reported.moves.len(),
        bootstrap.resamples,
    ));
    findings.notes.push(
        "Beside these, a first study (638 games of amateurs, one of whom played half of the moves; another \
         program's values) found .66 for the number of moves that hold, .68 for their share, .71 for a \
         shallow player and .73 for its model, each within .03."
            .into(),
    );
    for (name, model) in [("fitted anew", &refitted), ("with temptation", &with_temptation)] {
        let terms = model.coefficients.iter().zip(NAMES).map(|(of, name)| format!("{of:+.2} {name}"));
        let terms: Vec<String> = terms.collect();
        findings.notes.push(format!(
            "Logit of the model {name}: {:.2} {}.",
            model.intercept,
            terms.join(" ")
        ));
    }
    Ok(())
}

/// Adds the plans alone, compared with other measures of the same positions. They are left out if there
/// are too few.
fn plans(findings: &mut Findings, measured: &[Measured], bootstrap: &Bootstrap) {
    let mut depths = Vec::new();
    let drawn = measured.iter().flat_map(|game| game.planned.iter().map(move |planned| (game, planned)));
    let moves = drawn.filter_map(|(game, (ply, own, other))| {
        let moved = game.played.moves.iter().find(|moved| moved.ply == *ply)?;
        depths.push((*own, *other));
        Some((game.game, moved))
    });
    let sample = Sample::new(moves);
    let measures = [
        ("shallower plan of one's own", depths.iter().map(|(own, _)| -own).collect()),
        ("shallower plan of the other side", depths.iter().map(|(_, other)| -other).collect()),
        ("a smaller share holds", sample.scores(|moved| -moved.features.share)),
        ("more temptation", sample.scores(|moved| moved.features.temptation)),
    ];
    let of = "a tenth of the positions";
    findings.row("count", &[&"moves", &of], None, sample.moves.len() as f64, Tolerance::Any);
    for (name, scores) in measures {
        if let Ok(found) = auc_interval(&sample.first, &scores, bootstrap) {
            area(findings, (name, of), found);
        }
    }
}

/// Adds the same measures and models with errors determined by a longer search, and the measures that
/// only this search provides.
fn longer_look(
    findings: &mut Findings,
    measured: &[Measured],
    is_reported: &dyn Fn(usize) -> bool,
    fitted: &dyn Fn(&Moved) -> f64,
    bootstrap: &Bootstrap,
) {
    let looked: Vec<(usize, &Moved, &Checked)> = measured
        .iter()
        .flat_map(|game| game.checked.iter().map(move |checked| (game, checked)))
        .filter_map(|(game, checked)| {
            let moved = game.played.moves.iter().find(|moved| moved.ply == checked.0)?;
            Some((game.game, moved, checked))
        })
        .collect();
    let is_error = |(.., checked): &(usize, &Moved, &Checked)| checked.3 > moves::ERROR;
    let of = "a longer look";
    let both = |of: &&(usize, &Moved, &Checked)| is_error(of) && of.1.is_error();
    for (what, count) in [
        ("moves", looked.len()),
        ("errors of the short look", looked.iter().filter(|(_, moved, _)| moved.is_error()).count()),
        ("errors", looked.iter().filter(|of| is_error(of)).count()),
        ("errors of both", looked.iter().filter(both).count()),
    ] {
        findings.row("count", &[&what, &of], None, count as f64, Tolerance::Any);
    }
    type Score<'a> = (&'static str, &'a dyn Fn(&Moved, &Checked) -> f64);
    let measures: [Score<'_>; 6] = [
        ("fewer moves hold", &|moved, _| -(moved.holding as f64)),
        ("a smaller share holds", &|moved, _| -moved.features.share),
        ("more temptation", &|moved, _| moved.features.temptation),
        ("second-best move farther behind", &|_, checked| checked.2),
        ("value that changes with the longer look", &|moved, checked| {
            (checked.1 - moved.features.chance).abs()
        }),
        ("closer to equality", &|_, checked| -(checked.1 - 0.5).abs()),
    ];
    let models: [Score<'_>; 2] =
        [("model with temptation", &|moved, _| fitted(moved)), (AS_IT_IS, &|moved, _| as_it_is(moved))];
    let mut areas = |scores: &[Score<'_>], of: &str, keep: &dyn Fn(usize) -> bool, short: bool| {
        let kept: Vec<_> = looked.iter().filter(|(game, ..)| keep(*game)).collect();
        let observation = |of: &&(usize, &Moved, &Checked)| Observation {
            features: Vec::new(),
            error: if short { of.1.is_error() } else { is_error(of) },
            group: of.0,
        };
        let observations: Vec<Observation> = kept.iter().map(observation).collect();
        for (name, score) in scores {
            let scores: Vec<f64> = kept.iter().map(|(_, moved, checked)| score(moved, checked)).collect();
            if let Ok(found) = auc_interval(&observations, &scores, bootstrap) {
                area(findings, (name, of), found);
            }
        }
    };
    areas(&measures, of, &|_| true, false);
    areas(&models, "a longer look, reported on", is_reported, false);
    areas(&models, "the short look at the same, reported on", is_reported, true);
}

/// Adds an area, or a difference of areas.
fn area(findings: &mut Findings, (what, of): (&str, &str), found: Estimate) {
    for (quantity, value) in [("AUC %", found.value), ("from", found.low), ("to", found.high)] {
        findings.row(quantity, &[&what, &of], None, 100.0 * value, Tolerance::Any);
    }
}

fn scores(
    findings: &mut Findings,
    (what, of): (&str, &str),
    observations: &[Observation],
    chances: &[f64],
) -> Result<(), PredictionError> {
    for (quantity, value) in
        [("Brier %", brier(observations, chances)?), ("log loss %", log_loss(observations, chances)?)]
    {
        findings.row(quantity, &[&what, &of], None, 100.0 * value, Tolerance::Any);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kept::Kept;
    use std::sync::atomic::AtomicBool;

    fn table(context: &Context<'_>) -> String {
        run(context).unwrap().to_csv()
    }

    /// The measured moves are the same for any number of jobs, and after an interrupted run.
    #[test]
    fn games_are_measured_once_and_alike() {
        let (stop, games) = (AtomicBool::new(false), rated::read("examples", EXAMPLES.as_bytes()).0);
        assert_eq!(games.len(), 4);
        let alone = Context { games: &games, ..Context::new(true, &|_, _| {}, &stop) };
        let expected = table(&alone);
        assert!(
            expected.lines().any(|line| line.starts_with("count,errors,") && !line.contains(",0,")),
            "{expected}"
        );
        assert_eq!(table(&Context { jobs: 3, ..alone }), expected);
        assert_eq!(table(&Context { games: &[], ..alone }), expected); // the same games are built in

        let path = std::env::temp_dir().join(format!("cassius-human-error-{}.jsonl", std::process::id()));
        let kept = Kept::open(&path).unwrap();
        let broken_off = AtomicBool::new(false);
        let progress =
            |done: usize, _: usize| broken_off.store(done >= 2, std::sync::atomic::Ordering::Relaxed);
        let first =
            Context { games: &games, kept: Some(&kept), ..Context::new(true, &progress, &broken_off) };
        assert!(matches!(run(&first), Err(Unfinished::Interrupted(_))));
        kept.close().unwrap();

        let kept = Kept::open(&path).unwrap();
        let steps = std::cell::Cell::new(0);
        let progress = |_: usize, of: usize| steps.set(of);
        let again = Context { games: &games, kept: Some(&kept), ..Context::new(true, &progress, &stop) };
        assert_eq!(table(&again), expected);
        // The first two were kept, and the third if it was finished by then.
        assert!((1..=2).contains(&steps.get()), "{}", steps.get());
        assert_eq!(table(&Context { kept_only: true, ..again }), expected);
        kept.close().unwrap();
        std::fs::remove_file(path).unwrap();
    }

    /// Returns a game with twenty moves, of which these are errors.
    fn made_up(game: usize, is_error: impl Fn(usize) -> bool) -> Measured {
        let moved = |index: usize| Moved {
            ply: 10 + index,
            elo: 1500.0 + game as f64,
            loss: if is_error(index) { 0.2 } else { 0.0 },
            features: crate::prediction::earlier::Features {
                share: 0.1 + 0.01 * (7 * index % 20) as f64,
                recapture: index.is_multiple_of(3),
                in_check: false,
                chance: 0.5,
                legal: 30,
                temptation: 0.3,
            },
            holding: 3,
            traps: 1,
            only: false,
        };
        let moves = (0..20).map(moved).collect();
        let played = moves::Played { moves, ..moves::Played::default() };
        Measured { game, played, planned: Vec::new(), checked: Vec::new() }
    }

    /// Games without a move that counts do not count for the folds, and where there are too few for folds the
    /// rest is reported.
    #[test]
    fn few_games_are_reported_on() {
        let rows_of = |games: Vec<Measured>| {
            let mut findings = Findings { conditions: vec!["what", "of"], ..Findings::default() };
            report(&mut findings, &games).expect("enough to say more");
            let has = |of: &str| findings.rows.iter().any(|row| row.conditions[1].contains(of));
            [has("cross-validated"), has("reported on, below 1200")]
        };
        let without_moves =
            |game: usize| Measured { played: moves::Played::default(), ..made_up(game, |_| true) };
        let sparse: Vec<_> = (0..8)
            .map(
                |game| {
                    if game % 2 == 0 { made_up(game, |index| index % 4 == 1) } else { without_moves(game) }
                },
            )
            .collect();
        assert_eq!(rows_of(sparse), [true, true]);
        // Of the two games that models are fitted to, one has all errors.
        let observation = |group| Observation { features: Vec::new(), error: false, group };
        let [developed, _] =
            folds::halves(&[0, 1, 2, 3].map(observation), SEED).expect("enough games for halves");
        let one_sided: Vec<_> = (0..4)
            .map(|game| {
                made_up(
                    game,
                    |index| if developed.contains(&game) { game == developed[0] } else { index % 4 == 1 },
                )
            })
            .collect();
        assert_eq!(rows_of(one_sided), [false, true]);
    }

    #[test]
    fn a_broken_game_is_named_and_left_out() {
        let file = EXAMPLES.replace("Nd5# 1-0", "Nd6# 1-0");
        let (games, broken) = rated::read("examples", file.as_bytes());
        assert_eq!(games.len(), 3);
        assert!(broken.len() == 1 && broken[0].starts_with("examples: game 4, line "), "{broken:?}");
    }

    #[test]
    fn games_are_asked_for() {
        let stop = AtomicBool::new(false);
        let error = run(&Context::new(false, &|_, _| {}, &stop)).unwrap_err();
        assert!(error.to_string().contains("--pgn FILE"));
    }
}
