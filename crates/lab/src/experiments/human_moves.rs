//! Measures how well the model of what a human would play guesses the moves of rated players, and how well it
//! predicts their errors.
//!
//! Every figure is reported twice: for the players that no model is fitted to, a third by name, and for all.
//! Use the first on a collection that the model was fitted to, the second on another.

use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::human::{BOOK, ERROR, Scene, Settings, UNDECIDED, scenes};
use crate::prediction::{
    Bootstrap, Observation, PredictionError, auc_difference, auc_interval, calibration, figures, log_loss,
};
use crate::rated::{self, RatedGame};
use cassius_chess::certificate;
use cassius_chess::evaluation::Evaluation;
use cassius_insight::human::HumanModel;
use cassius_search::fnv;

/// A claim of this project.
pub static HUMAN_MOVES: Experiment = Experiment {
    id: "human-moves",
    claim: "What people of a given rating play, and how often they err, follows from how the moves look at a \
            glance and from what they do",
    paper: "None: a claim of this project. McIlroy-Young et al., \"Aligning Superhuman AI with Human \
            Behavior\", 2020, guess 50 to 53 % of the moves with networks",
    section: "the model and its weights: crates/insight/src/human.txt",
    cases: None,
    uses: &[Input::Games, Input::Judge, Input::Kept],
    run,
};

/// The node limit of a position.
const FULL: u64 = 20_000;
const QUICK: u64 = 500;

/// Bands of ratings: the name and the lower end.
const BANDS: [(&str, f64); 5] = [
    ("below 1000", 0.0),
    ("1000–1399", 1000.0),
    ("1400–1799", 1400.0),
    ("1800–2199", 1800.0),
    ("2200 and more", 2200.0),
];

/// Seconds on the clock below which a player is short of time.
const SHORT: f64 = 20.0;

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let examples;
    let games: &[RatedGame] = match context.games {
        [] if context.quick => {
            examples = rated::read("examples", super::human_error::EXAMPLES.as_bytes()).0;
            &examples
        }
        [] => return Err(Unfinished::NoGames),
        games => games,
    };
    let nodes = if context.quick { QUICK } else { FULL };
    let settings = Settings {
        nodes,
        jobs: context.jobs,
        judge: context.judge,
        kept: context.kept,
        kept_only: context.kept_only,
        stop: context.stop,
    };
    let scenes = scenes(games, &settings, &|done, of| (context.progress)(done, of))?;
    let model = HumanModel::built_in();
    let mut findings = Findings { conditions: vec!["what", "of"], ..Findings::default() };
    let judge = context.judge.map_or_else(
        || format!("Cassius' own search ({})", certificate::values(&Evaluation::default())),
        |judge| judge.name.to_string(),
    );
    findings.notes.push(format!(
        "Every position is judged by {judge}, with {nodes} nodes; the model is that with the hash {:016x}. \
         A move is an error if it lowers the win probability by more than {ERROR}. Left out are the first \
         {BOOK} plies, positions with one legal move, those where the win probability is farther than \
         {UNDECIDED} from one half, players whose rating changed by more than 30 points in the game, and \
         what a player played after their sixtieth game.",
        fnv(model.to_text("").bytes()),
    ));
    let seen: Vec<Seen> = scenes.iter().map(|scene| Seen::new(scene, &model)).collect();
    for (group, all) in [("players held out", false), ("all players", true)] {
        let seen: Vec<&Seen> = seen.iter().filter(|seen| all || seen.held_out).collect();
        if let Err(error) = report(&mut findings, group, &seen, all) {
            findings.notes.push(format!("The {group} are too few to say more: {error}."));
        }
    }
    findings.notes.push(
        "First choice: the move with the greatest chance according to the model, and the best move \
         according to the judge. Areas (AUC, in percent: 50 says nothing) have 95 % intervals by draws of \
         whole games; shares of errors have Wilson's. `error_chance` is the earlier model of errors, a \
         logistic function of seven features, on the same moves."
            .into(),
    );
    findings.notes.push(
        "Players are told a chance that is no less than the share of the most tempting wrong move; here it \
         is measured without that floor."
            .into(),
    );
    Ok(findings)
}

/// What is reported of a scene.
struct Seen {
    game: usize,
    held_out: bool,
    elo: f64,
    clock: Option<f64>,
    legal: usize,
    /// Whether the move that was played is the first choice of the model, and of the judge.
    first: bool,
    best: bool,
    /// The chance of the move that was played.
    share: f64,
    /// The chance of an error according to the model, and to the earlier one.
    error: f64,
    earlier: f64,
    loss: f64,
    is_error: bool,
}

impl Seen {
    fn new(scene: &Scene, model: &HumanModel) -> Seen {
        let shares = scene.shares(model);
        let share = shares[scene.found.played];
        Seen {
            game: scene.game,
            held_out: scene.held_out,
            elo: scene.player.elo,
            clock: scene.player.clock,
            legal: shares.len(),
            first: shares.iter().all(|other| *other <= share),
            best: scene.found.best == scene.found.played,
            share,
            error: scene.error(model, &shares).clamp(1e-9, 1.0 - 1e-9),
            earlier: scene.found.earlier.clamp(1e-9, 1.0 - 1e-9),
            loss: scene.found.loss,
            is_error: scene.is_error(),
        }
    }
}

fn observations(seen: &[&Seen]) -> Vec<Observation> {
    let one = |seen: &&Seen| Observation { features: Vec::new(), error: seen.is_error, group: seen.game };
    seen.iter().map(one).collect()
}

fn report(findings: &mut Findings, group: &str, seen: &[&Seen], plots: bool) -> Result<(), PredictionError> {
    let mut row = |quantity: &str, what: &str, of: &str, value: f64| {
        findings.row(quantity, &[&what, &of], None, value, Tolerance::Any);
    };
    let mean = |seen: &[&Seen], of: &dyn Fn(&Seen) -> f64| -> f64 {
        seen.iter().map(|seen| of(seen)).sum::<f64>() / seen.len().max(1) as f64
    };
    let flag = |is: bool| 100.0 * f64::from(u8::from(is));
    row("count", "moves", group, seen.len() as f64);
    row("first choice right %", "model", group, mean(seen, &|seen| flag(seen.first)));
    row("first choice right %", "best move", group, mean(seen, &|seen| flag(seen.best)));
    row("log loss of the move", "model", group, mean(seen, &|seen| -seen.share.max(1e-12).ln()));
    row("log loss of the move", "every move alike", group, mean(seen, &|seen| (seen.legal as f64).ln()));
    row("mean loss %", "moves", group, mean(seen, &|seen| 100.0 * seen.loss));

    let all = observations(seen);
    let errors: Vec<f64> = seen.iter().map(|seen| seen.error).collect();
    let earlier: Vec<f64> = seen.iter().map(|seen| seen.earlier).collect();
    let bootstrap = Bootstrap::default();
    for (name, chances) in [("model", &errors), ("error_chance", &earlier)] {
        let area = auc_interval(&all, chances, &bootstrap)?;
        for (quantity, value) in [("AUC %", area.value), ("from", area.low), ("to", area.high)] {
            row(quantity, name, group, 100.0 * value);
        }
        row("log loss of an error", name, group, log_loss(&all, chances)?);
    }
    let gain = auc_difference(&all, &errors, &earlier, &bootstrap)?;
    for (quantity, value) in [("AUC %", gain.value), ("from", gain.low), ("to", gain.high)] {
        row(quantity, "gain over error_chance", group, 100.0 * value);
    }

    let part = |row: &mut dyn FnMut(&str, &str, &str, f64), name: &str, seen: &[&Seen]| {
        let of = format!("{group}, {name}");
        row("count", "moves", &of, seen.len() as f64);
        row("first choice right %", "model", &of, mean(seen, &|seen| flag(seen.first)));
        row("first choice right %", "best move", &of, mean(seen, &|seen| flag(seen.best)));
        row("errors %", "moves", &of, mean(seen, &|seen| flag(seen.is_error)));
        row("predicted %", "model", &of, mean(seen, &|seen| 100.0 * seen.error));
        row("predicted %", "error_chance", &of, mean(seen, &|seen| 100.0 * seen.earlier));
    };
    for (index, (band, from)) in BANDS.iter().enumerate() {
        let below = BANDS.get(index + 1).map_or(f64::INFINITY, |band| band.1);
        let of: Vec<&Seen> = seen.iter().filter(|seen| (*from..below).contains(&seen.elo)).copied().collect();
        part(&mut row, band, &of);
    }
    let short = |seen: &&&Seen| seen.clock.is_some_and(|clock| clock < SHORT);
    let short: Vec<&Seen> = seen.iter().filter(short).copied().collect();
    part(&mut row, &format!("below {SHORT} s on the clock"), &short);

    let bins = calibration(&all, &errors, 10)?;
    for (number, bin) in bins.iter().enumerate() {
        let of = format!("{group}, tenth {}", number + 1);
        row("predicted %", "model", &of, 100.0 * bin.predicted);
        row("errors %", "model", &of, 100.0 * bin.observed.value);
        row("from", "model", &of, 100.0 * bin.observed.low);
        row("to", "model", &of, 100.0 * bin.observed.high);
    }
    if plots {
        findings.plot(figures::reliability("calibration", "Errors, predicted and made", &bins));
    }
    Ok(())
}
