//! `cassius lab selfplay`.

use crate::setup::{parse_count, parse_nodes};
use crate::terminal;
use crate::{Error, whole_file};
use anyhow::{Context as _, bail};
use cassius_lab::Player;
use cassius_lab::data::Archive;
use cassius_lab::selfplay::{self, Settings, World};
use serde_json::Value;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The file of the games, and that of their settings.
pub const GAMES: &str = "games.viri";
pub const SETTINGS: &str = "selfplay.json";

/// The setting by which searches are told apart.
pub const SEARCH: &str = "search";

/// Returns the value of [`SEARCH`].
pub fn search_of(player: &Player) -> Result<String, Error> {
    Ok(format!("{:016x}", player.trees()?))
}

/// Arguments of `cassius lab selfplay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
DIR/games.viri contains the games in viriformat, which other trainers can read too. DIR/selfplay.json \
contains the settings. After an interruption, the same command continues, unless the search of the player \
has changed. The same settings give the same games, with the same version of the program.

Examples:
  cassius lab selfplay --out data --games 1000
  nice cassius lab selfplay --out data --jobs 4 --nodes 5k --pause data/pause
  cassius lab data data/games.viri")]
pub struct SelfplayArgs {
    /// Folder for the games; if it already contains games, more are added.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of games in the file at which to stop; without it, play until interrupted.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    games: Option<u64>,
    /// Player of both sides: a recipe, optionally with changes to it, as in `cassius match`.
    #[arg(long, value_name = "PLAYER", default_value_t)]
    player: Player,
    /// Number of nodes after which no further iteration starts.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_nodes)]
    nodes: u64,
    /// Number of nodes after which a search ends at once; 8 times --nodes by default.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    hard_nodes: Option<u64>,
    /// Minimum and maximum number of random plies at the start of a game.
    #[arg(long, num_args = 2, value_names = ["MIN", "MAX"],
        default_values_t = Settings::default().random_plies)]
    random_plies: Vec<u64>,
    /// Random seed for the games.
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    seed: u64,
    /// Size of the transposition table of each game in MiB.
    #[arg(
        long, value_name = "MIB", default_value_t = 2,
        value_parser = clap::value_parser!(u32).range(1..=65536),
    )]
    hash: u32,
    /// Number of games played at the same time.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    jobs: u16,
    /// While this file exists, no new game starts.
    #[arg(long, value_name = "FILE")]
    pause: Option<PathBuf>,
}

impl SelfplayArgs {
    fn settings(&self) -> Result<Settings, Error> {
        if self.random_plies[0] > self.random_plies[1] || self.random_plies[1] > 100 {
            bail!("--random-plies: MIN must not be more than MAX, and MAX not more than 100");
        }
        if self.random_plies[1] == 0 {
            bail!("--random-plies: MAX must be at least 1, else all games are the same");
        }
        let hard_nodes = self.hard_nodes.unwrap_or(self.nodes.saturating_mul(8));
        if hard_nodes < self.nodes {
            bail!("--hard-nodes must not be less than --nodes");
        }
        self.player.engine(1, 1).with_context(|| self.player.to_string())?;
        Ok(Settings {
            player: self.player.clone(),
            soft_nodes: self.nodes,
            hard_nodes,
            random_plies: [self.random_plies[0], self.random_plies[1]],
            seed: self.seed,
            hash: self.hash as usize,
            ..Settings::default()
        })
    }
}

/// Plays games for training data, or continues a file of them.
pub fn run(args: &SelfplayArgs) -> Result<(), Error> {
    let settings = args.settings()?;
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let path = args.out.join("games.viri");
    let mut archive = Archive::open(&path).with_context(|| path.display().to_string())?;
    let before = archive.found();
    let most = args.games.unwrap_or(u64::MAX);
    let mut now = settings.to_json();
    now[SEARCH] = search_of(&args.player)?.into();
    check_settings(&args.out.join(SETTINGS), &now, before.games, before.games >= most)?;

    let bar = terminal::progress(args.games.unwrap_or(0));
    bar.set_position(before.games);
    bar.reset_eta();
    let (begin, stop) = (Instant::now(), AtomicBool::new(false));
    let wait = || {
        while args.pause.as_ref().is_some_and(|pause| pause.exists()) {
            std::thread::sleep(Duration::from_millis(200));
        }
    };
    let world = World { jobs: args.jobs.into(), stop: &stop, before_game: &wait };
    let mut saved = Ok(());
    selfplay::generate(&settings, before.games..most, &world, &mut |game| {
        saved = archive.add(game);
        bar.inc(1);
        let new = archive.found().positions - before.positions;
        let speed = new as f64 / begin.elapsed().as_secs_f64().max(0.001);
        bar.set_message(format!("{} positions, {speed:.0} per second", archive.found().positions));
        saved.is_ok()
    })?;
    bar.finish_and_clear();
    let found = archive.found();
    saved.and_then(|()| archive.close()).with_context(|| path.display().to_string())?;
    let mut out = anstream::stdout().lock();
    let new = found.games - before.games;
    writeln!(out, "{}: {} games ({new} new), {} positions", path.display(), found.games, found.positions)?;
    Ok(())
}

/// Refuses settings that differ from those of the games in the file. What search it is does not matter if the
/// games are complete; earlier versions did not keep it.
pub fn check_settings(path: &Path, now: &Value, games: u64, is_complete: bool) -> Result<(), Error> {
    let was: Value = match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).with_context(|| path.display().to_string())?,
        Err(error) if error.kind() == io::ErrorKind::NotFound && games == 0 => Value::Null,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!("{} is missing, which says how the games beside it were made", path.display())
        }
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let Value::Object(fields) = now else { return Ok(()) };
    // There is nothing yet that was made with these settings.
    let is_known = |field: &str| was.get(field).is_some();
    if games == 0 && (was.is_null() || fields.keys().all(|field| field == SEARCH || is_known(field))) {
        return whole_file::write(path, format!("{now:#}\n"));
    }
    let differs = |(field, value): &(&String, &Value)| *field != SEARCH && was.get(field) != Some(value);
    if let Some((field, value)) = fields.iter().find(differs) {
        let was = was.get(field).unwrap_or(&Value::Null);
        bail!("{}: these games have {field} {was}, not {value}: use another --out", path.display());
    }
    let (named, search) = (path.display(), fields.get(SEARCH));
    match (was.get(SEARCH), search) {
        (was, now) if was == now || is_complete => Ok(()),
        (None, Some(now)) => bail!(
            "{named}: these games are of an earlier version, perhaps of another search: use another --out, \
             or add \"{SEARCH}\": {now} if it is the same"
        ),
        _ => bail!("{named}: these games are of another search: use another --out"),
    }
}
