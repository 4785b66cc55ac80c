//! `cassius lab spsa`.

use super::match_::{EngineTime, LoadArgs, MOST_PAIRS, OpeningArgs, PaceArgs, RuleArgs};
use super::solve::Wall;
use crate::Error;
use crate::setup::parse_count;
use crate::terminal::{self, STRONG};
use anyhow::{Context as _, bail};
use cassius_lab::Player;
use cassius_lab::kept::Kept;
use cassius_lab::matches::World;
use cassius_lab::spsa::{Settings, SpsaError, Step, Tuned};
use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Arguments of `cassius lab spsa`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
In each pair of games every parameter is moved up or down at random: for one player one way, for the \
other player the other way. The result moves all of them a little towards the winner. \
REACH is how far a parameter is moved at the end of the tuning, further at the beginning. Without it, \
it is a twelfth of the value, or a hundredth of the range if that is more, up to half of the value; \
what it is is told. What was found must be confirmed by a match: `cassius match NEW OLD`.

Examples:
  cassius lab spsa lab --tune NullMove.reduction,NullMove.slope=4 --nodes 50k \\
    --steps 500 --jobs 2 --out null
  cassius lab spsa plies,EvalFile=first.net --component Futility --component Razoring \\
    --out margins

With --out, the tuning can be interrupted; the same command continues it.")]
pub struct SpsaArgs {
    /// Player whose parameters are tuned, as in `cassius match`.
    #[arg(value_name = "PLAYER", default_value_t)]
    player: Player,
    /// Parameters to tune; may be repeated.
    #[arg(long, value_name = "COMPONENT.NAME[=REACH]", value_delimiter = ',')]
    tune: Vec<String>,
    /// Tune all parameters of a component, except whether it takes part; may be repeated.
    #[arg(long, value_name = "COMPONENT", value_delimiter = ',')]
    component: Vec<String>,
    /// Number of steps.
    #[arg(long, value_name = "N", default_value = "500", value_parser = parse_count)]
    steps: u64,
    /// Number of pairs of games in each step.
    #[arg(
        long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS),
    )]
    pairs: u64,
    /// How far a parameter moves at the end for each half point by which a pair is not even, as a share of
    /// its reach. A pair that is won twice has two half points more.
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    rate: f64,
    /// File in which every step is kept, and found again.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    load: LoadArgs,
    #[command(flatten)]
    pace: PaceArgs,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    rules: Box<RuleArgs>,
}

impl SpsaArgs {
    /// Returns the parameters to tune.
    fn tuned(&self) -> Result<Vec<Tuned>, Error> {
        let mut named = self.tune.clone();
        let parameters = self.player.engine(1, 1)?.parameters();
        for component in &self.component {
            let of_it = parameters.iter().filter(|(parameter, _)| {
                parameter.component.eq_ignore_ascii_case(component) && parameter.name != "on"
            });
            let before = named.len();
            named.extend(of_it.map(|(parameter, _)| parameter.full_name()));
            if named.len() == before {
                bail!("--component {component}: {} has no such component with parameters", self.player);
            }
        }
        if named.is_empty() {
            bail!("nothing to tune: use --tune or --component");
        }
        let tuned: Result<Vec<Tuned>, SpsaError> =
            named.iter().map(|text| Tuned::named(text, &self.player)).collect();
        let tuned = tuned?;
        let twice =
            tuned.iter().enumerate().find(|(at, it)| tuned[..*at].iter().any(|other| other.name == it.name));
        match twice {
            Some((_, it)) => bail!("{} is named twice", it.name),
            None => Ok(tuned),
        }
    }
}

/// Tunes parameters, or continues.
pub fn run(args: &SpsaArgs) -> Result<(), Error> {
    if !(args.rate > 0.0 && args.rate <= 1.0) {
        bail!("--rate must be more than 0 and at most 1");
    }
    if args.steps == 0 {
        bail!("--steps must be at least 1");
    }
    let openings = args.openings.read()?;
    let settings = Settings {
        player: args.player.clone(),
        tuned: args.tuned()?,
        steps: args.steps,
        pairs: args.pairs,
        rate: args.rate,
        pace: args.pace.pace([&args.player])?,
        openings: &openings,
        rules: args.rules.rules(),
        hash: args.load.hash as usize,
        seed: args.openings.seed,
    };
    for Tuned { name, start, min, max, reach } in &settings.tuned {
        terminal::note(format_args!("{name}: {start}, from {min} to {max}, moved by {reach:.2}"));
        if *reach < 0.5 {
            terminal::note(format_args!(
                "{name}: values are whole numbers, and rounding may hide such moves"
            ));
        }
    }
    let key = |number: u64| format!("step {number}");
    let kept = args.out.as_ref().map(|path| -> Result<Kept, Error> {
        let named = || path.display().to_string();
        let kept = Kept::open(path).with_context(named)?;
        kept.lock().with_context(named)?;
        let without_search = settings.to_json();
        let mut now = without_search.clone();
        now["search"] = format!("{:016x}", args.player.trees()?).into();
        match kept.get::<Value>("settings") {
            None if kept.keys().is_empty() => drop(kept.put("settings", &now)),
            None => bail!("{}: no tuning is kept here: use another file", path.display()),
            Some(was) if was == now => {}
            // Earlier versions did not keep what search it is. If all steps are there, nothing is played.
            Some(was)
                if was == without_search
                    && (0..args.steps).all(|number| kept.get::<Step>(&key(number)).is_some()) => {}
            Some(was) if was == without_search => bail!(
                "{}: an earlier version has begun this tuning, perhaps with another search: use another file",
                path.display()
            ),
            Some(was) => {
                let fields = now.as_object().into_iter().flatten();
                let other = fields.map(|(name, value)| (name, value, &was[name])).find(|it| it.1 != it.2);
                let why = match other {
                    Some((name, value, was)) if name != "search" => {
                        format!(": its {name} is {was}, not {value}")
                    }
                    _ => ", of another search".into(),
                };
                bail!("{}: another tuning is kept here{why}: use another file", path.display())
            }
        }
        Ok(kept)
    });
    let kept = kept.transpose()?;
    let found = |number: u64| kept.as_ref().and_then(|kept| kept.get::<Step>(&key(number)));

    let bar = terminal::progress(settings.steps);
    let (clock, stop) = (Wall::start(), AtomicBool::new(false));
    let world = World { clock: &clock, manager: &EngineTime, stop: &stop, jobs: args.load.jobs.into() };
    let mut step = settings.begin();
    let mut resumed = 0;
    for number in 0..settings.steps {
        step = match found(number) {
            Some(step) => {
                resumed += 1;
                step
            }
            None => {
                let Some(next) = settings.step(number, &step, &world)? else { break };
                if kept.as_ref().is_some_and(|kept| !kept.put(&key(number), &next)) {
                    break;
                }
                next
            }
        };
        bar.set_position(number + 1);
        if number == resumed {
            bar.reset_eta();
        }
    }
    bar.finish_and_clear();
    if let (Some(kept), Some(path)) = (kept, &args.out) {
        kept.close().with_context(|| path.display().to_string())?;
    }
    write(&settings, &step)
}

fn write(settings: &Settings<'_>, step: &Step) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    let [wins, draws, losses] = step.games;
    writeln!(out, "{} games: +{wins} ={draws} -{losses}, {}", wins + draws + losses, settings.pace)?;
    let width = settings.tuned.iter().map(|it| it.name.len()).max().unwrap_or(0);
    let mut changed = Vec::new();
    for (it, value) in settings.tuned.iter().zip(&step.values) {
        let reaches = (value - f64::from(it.start)) / it.reach;
        writeln!(out, "  {:<width$}  {:>6} -> {value:>8.1}  {reaches:>+5.1} reaches", it.name, it.start)?;
        changed.push(format!("{}={}", it.name, value.round()));
    }
    writeln!(out, "{STRONG}{},{}{STRONG:#}", settings.player, changed.join(","))?;
    Ok(())
}
