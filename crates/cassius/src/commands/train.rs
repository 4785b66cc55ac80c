//! `cassius lab train`.

use super::data::{is_cut_off, made, note_cut_off, with_origins};
use crate::setup::parse_count;
use crate::terminal::{self, STRONG};
use crate::{Error, whole_file};
use anyhow::{Context as _, bail};
use cassius_chess::Evaluator;
use cassius_chess::evaluation::Evaluation;
use cassius_chess::evaluation::network::{self, Network};
use cassius_lab::data::viriformat;
use cassius_lab::kept::is_locked_elsewhere;
use cassius_lab::training::{Extent, Losses, Options, Positions, ResumeError, Training, loss_of, plot};
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments of `cassius lab train`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The network is written to FILE, its card to FILE.json, a plot of the losses to FILE.svg. After each \
pass the training is saved in FILE.training; after an interruption, the same command continues, with the \
games that were there when it began. The same games and options give the same network, whatever the \
number of threads.

Examples:
  cassius lab train data/games.viri --out first.net
  cassius lab train data/*/games.viri --out second.net --width 384 --passes 30 --threads 2
  cassius lab train new/games.viri --out third.net --start second.net --rate 0.0001 --passes 3
  cassius match plies,EvalFile=second.net plies --nodes 5k --pairs 500")]
pub struct TrainArgs {
    /// Files of games (viriformat).
    #[arg(value_name = "GAMES", required = true)]
    files: Vec<PathBuf>,
    /// File of the network.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Network whose weights to start from; `built-in` is that of this program. By default the first weights
    /// are random.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["width", "alone"])]
    start: Option<PathBuf>,
    /// Width of the hidden layer, a multiple of 32.
    #[arg(long, value_name = "N", default_value_t = Options::default().width)]
    width: usize,
    /// Number of passes over the positions.
    #[arg(long, value_name = "N", default_value_t = Options::default().passes)]
    passes: usize,
    /// Learn the whole value; by default the network learns what to add to the classical evaluation.
    #[arg(long)]
    alone: bool,
    /// Number of positions per step.
    #[arg(long, value_name = "N", default_value_t = Options::default().batch)]
    batch: usize,
    /// Initial step size of Adam.
    #[arg(long, value_name = "RATE", default_value_t = Options::default().rate)]
    rate: f32,
    /// Share of the game result in the target, 0 to 1; the rest is the value of the search.
    #[arg(long, value_name = "SHARE", default_value_t = Options::default().result_share)]
    result_share: f64,
    /// Random seed for the first weights and the order of the positions.
    #[arg(long, value_name = "N", default_value_t = Options::default().seed)]
    seed: u64,
    /// Use at most this many games of each file.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    games: Option<u64>,
    /// Number of threads. More than 8 are no faster.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=64),
    )]
    threads: u16,
}

impl TrainArgs {
    fn options(&self) -> Result<Options, Error> {
        if self.width == 0 || !self.width.is_multiple_of(32) || self.width > 2048 {
            bail!("--width must be a multiple of 32, at most 2048");
        }
        if self.passes == 0 || self.batch == 0 {
            bail!("--passes and --batch must be at least 1");
        }
        if !(0.0..=1.0).contains(&self.result_share) {
            bail!("--result-share must be from 0 to 1");
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            bail!("--rate must be more than 0 and at most 1");
        }
        let &TrainArgs { width, passes, alone, batch, rate, result_share, seed, .. } = self;
        Ok(Options { width, passes, alone, batch, rate, result_share, seed, start: None })
    }

    /// Reads the network to start from.
    fn start(&self) -> Result<Option<Arc<Network>>, Error> {
        let Some(path) = &self.start else { return Ok(None) };
        if path.as_os_str() == "built-in" {
            return Ok(Some(network::own()));
        }
        let read = || anyhow::Ok(Network::from_bytes(&fs::read(path)?)?);
        Ok(Some(Arc::new(read().with_context(|| path.display().to_string())?)))
    }
}

/// A locked file, so that no other run trains the same network at the same time. It is removed at the end.
struct Alone {
    place: PathBuf,
    _file: File,
}

impl Alone {
    fn with(place: PathBuf) -> Result<Alone, Error> {
        let file = File::create(&place).with_context(|| place.display().to_string())?;
        if is_locked_elsewhere(&file) {
            bail!("{}: another run is training this network", place.display());
        }
        Ok(Alone { place, _file: file })
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.place);
    }
}

/// Trains a network on games, or continues.
pub fn run(args: &TrainArgs) -> Result<(), Error> {
    let (mut options, start) = (args.options()?, args.start()?);
    if let Some(network) = &start {
        options = options.starting_from(network);
    }
    let [saved, card, curve] = [".training", ".json", ".svg"].map(|extension| with(&args.out, extension));
    let inputs: Vec<_> = with_origins(&args.files).into_iter().chain(args.start.clone()).collect();
    whole_file::prepare(&[&args.out, &saved, &card, &curve], &inputs)?;
    let _alone = Alone::with(with(&args.out, ".training.lock"))?;
    let named = || saved.display().to_string();
    let begun = match fs::read(&saved) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(named),
    };
    let before = match &begun {
        Some(bytes) => Training::extent(bytes).with_context(named)?,
        None => Extent::default(),
    };
    // An earlier version has saved no numbers of games.
    let is_known = !before.games.is_empty();
    if is_known && (before.games.len() != args.files.len() || before.most != args.games) {
        return Err(ResumeError::Other).with_context(named);
    }
    let (mut positions, mut about) = (Positions::default(), Vec::new());
    let mut extent = Extent { games: Vec::new(), most: args.games };
    for (number, path) in args.files.iter().enumerate() {
        let count = before.games.get(number).copied();
        let games = read(path, args, options.alone, count, &mut positions)
            .with_context(|| path.display().to_string())?;
        let Games { games, positions, new } = games;
        if new > 0 {
            terminal::note(format_args!(
                "{}: {new} games added since are left out; to train on them, remove {}",
                path.display(),
                saved.display()
            ));
        }
        about.push(json!({ "games": games, "positions": positions, "settings": made(path) }));
        extent.games.push(games);
    }
    positions.finish(args.seed);
    let (trained, held_out) = positions.split();
    if held_out.is_empty() {
        bail!("no game is held out of {} quiet positions: more different games are needed", positions.len());
    }
    if trained.len() < args.batch {
        bail!(
            "only {} quiet positions to train on: too few for a step of {}; more games or a smaller --batch \
             are needed",
            trained.len(),
            args.batch
        );
    }
    let mut out = terminal::stdout(true);
    writeln!(
        out,
        "{} positions, {} held out, {} duplicates left out, slope {} centipawns",
        trained.len(),
        held_out.len(),
        positions.duplicates,
        positions.slope()
    )?;
    let mut known = vec![("the classical evaluation", Evaluator::of(&Evaluation::Classical))];
    known.extend(start.iter().map(|network| ("the network to start from", network.evaluator())));
    for (name, mut evaluator) in known {
        let loss = loss_of(&mut evaluator, held_out, positions.slope(), options.result_share);
        writeln!(out, "{name} has a loss of {loss:.6} over those held out")?;
    }
    out.flush()?;

    let mut training = match (&begun, &start) {
        (Some(bytes), _) => Training::resume(bytes, &options, &positions).with_context(named)?,
        (None, Some(network)) => Training::begin_from(network, &options, &positions),
        (None, None) => Training::begin(&options, &positions),
    };
    for (number, losses) in training.losses().iter().enumerate() {
        writeln!(out, "{}", shown(number + 1, losses))?;
    }
    while !training.is_complete() {
        let bar = terminal::progress(1000);
        let mut smooth = None;
        let losses = training.pass(&positions, args.threads.into(), &mut |share, loss| {
            let mean = smooth.map_or(loss, |mean: f64| 0.98 * mean + 0.02 * loss);
            smooth = Some(mean);
            bar.set_position((1000.0 * share) as u64);
            bar.set_message(format!("loss {mean:.6}"));
            true
        });
        bar.finish_and_clear();
        let Some(losses) = losses else { break };
        whole_file::write(&saved, training.to_bytes(&positions, &extent))?;
        writeln!(out, "{}", shown(training.losses().len(), &losses))?;
        out.flush()?;
    }
    let network = training.network(&positions, &json!(about))?;
    whole_file::write(&args.out, network.to_bytes())?;
    whole_file::write(&card, format!("{:#}\n", network.card()))?;
    whole_file::write(&curve, plot(training.losses()).to_svg())?;
    let rounding = &network.card()["rounding"];
    writeln!(out, "{STRONG}{}{STRONG:#}: width {}", args.out.display(), network.width())?;
    writeln!(
        out,
        "rounding changes values by {:.2} centipawns, at most {:.1}",
        rounding["mean_cp"].as_f64().unwrap_or(0.0),
        rounding["most_cp"].as_f64().unwrap_or(0.0)
    )?;
    Ok(())
}

fn shown(number: usize, losses: &Losses) -> String {
    format!("pass {number:>3}  loss {:.6}, held out {:.6}", losses.trained, losses.held_out)
}

fn with(path: &Path, extension: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(extension);
    path.into()
}

/// What was read of a file.
struct Games {
    games: u64,
    positions: usize,
    /// The games that were added after the training began.
    new: u64,
}

/// Adds the games of a file: as many as there were when the training began, if it has begun.
fn read(
    path: &Path,
    args: &TrainArgs,
    alone: bool,
    begun: Option<u64>,
    positions: &mut Positions,
) -> Result<Games, Error> {
    let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
    let bar = terminal::progress(file.get_ref().metadata()?.len());
    let mut evaluator = Evaluator::of(&Evaluation::Classical);
    let (mut games, before) = (0, positions.len());
    while begun.or(args.games).is_none_or(|most| games < most) {
        let game = viriformat::read(&mut file).with_context(|| format!("game {}", games + 1));
        let game = match game {
            Ok(Some(game)) => game,
            Ok(None) => break,
            // A run may be writing to the file.
            Err(error) if is_cut_off(&error) => {
                note_cut_off(path);
                break;
            }
            Err(error) => return Err(error),
        };
        bar.inc(36 + 4 * game.moves.len() as u64);
        positions.add(&game, if alone { None } else { Some(&mut evaluator) });
        games += 1;
    }
    bar.finish_and_clear();
    let mut new = 0;
    if let Some(begun) = begun {
        if games < begun {
            let saved = with(&args.out, ".training");
            bail!(
                "{games} games, but {begun} when the training began: remove {} to begin again",
                saved.display()
            );
        }
        // With --games no more would be read, however many there are.
        let most = args.games.unwrap_or(u64::MAX).saturating_sub(begun);
        if most > 0 {
            new = viriformat::scan(&mut file)?.games.min(most);
        }
    }
    Ok(Games { games, positions: positions.len() - before, new })
}
