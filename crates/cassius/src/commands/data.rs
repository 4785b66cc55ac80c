//! `cassius lab data`.

use super::selfplay::{GAMES, SEARCH, SETTINGS, check_settings, search_of};
use crate::setup::parse_nodes;
use crate::terminal::{self, STRONG};
use crate::{Error, whole_file};
use anyhow::{Context as _, bail};
use cassius_lab::Player;
use cassius_lab::data::prepare::{Content, Prepared};
use cassius_lab::data::relabel::{self, relabel};
use cassius_lab::data::{Archive, DataGame, Summary, viriformat};
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};

/// Arguments of `cassius lab data`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without --out, the contents of each file are described. With it, everything in the files is written to \
one file, without duplicates. If its name ends in .bullet, positions are written, in the format of the \
trainer bullet: those from which a static value can be learned (not in check, no capture or promotion \
played, within 30 pawns). If it ends in .txt, the same positions are written for `cassius lab tune`. \
Otherwise games are written, in viriformat. Games are not replaced if a file beside them says how they were \
made. If FILE.held-out exists, --held-out must be given again.

With --relabel every position is searched again, which takes about as long as to play the games. After \
an interruption, the same command continues, with the games that were there when it began. Duplicates stay. \
FILE.json says how the values were made.

`cassius lab tune` holds out the last lines of a .txt file: without --shuffle those of whole games.

Examples:
  cassius lab data data/games.viri
  cassius lab data *.viri --json
  cassius lab data a/games.viri b/games.viri --shuffle 1 --held-out 50 --out positions.bullet
  cassius lab data data/games.viri --out judged.txt
  cassius lab data old.viri --relabel plies,EvalFile=new.net --nodes 1k --jobs 2 --out new.viri")]
pub struct DataArgs {
    /// Files of games (viriformat).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per file.
    #[arg(long, conflicts_with_all = ["out", "shuffle", "held_out", "relabel", "nodes", "jobs"])]
    json: bool,
    /// Write the games or positions to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write them in random order, that of this seed.
    #[arg(long, value_name = "SEED", requires = "out")]
    shuffle: Option<u64>,
    /// Write one game in N, or its positions, to FILE.held-out instead.
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u64).range(2..))]
    held_out: Option<u64>,
    /// Value every position anew by a search of this player, as in `cassius match`.
    #[arg(long, value_name = "PLAYER", requires = "out", conflicts_with_all = ["shuffle", "held_out"])]
    relabel: Option<Player>,
    /// Number of nodes after which no further iteration starts.
    #[arg(
        long, value_name = "N", default_value = "1000", value_parser = parse_nodes, requires = "relabel",
        conflicts_with_all = ["shuffle", "held_out"],
    )]
    nodes: u64,
    /// Number of games valued at the same time.
    #[arg(
        long, value_name = "N", default_value_t = 1, requires = "relabel",
        conflicts_with_all = ["shuffle", "held_out"],
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    jobs: u16,
}

/// Describes files of games, or writes their contents anew. Fails at the first game that cannot be read.
pub fn run(args: &DataArgs) -> Result<(), Error> {
    match (&args.out, &args.relabel) {
        (None, _) => describe(args),
        (Some(out), None) => write(args, out),
        (Some(out), Some(player)) => value_anew(args, player, out),
    }
}

/// Calls `each` with every game of a file, in order.
pub fn read(path: &Path, each: &mut dyn FnMut(DataGame) -> Result<(), Error>) -> Result<(), Error> {
    read_first(path, u64::MAX, each)
}

/// Calls `each` with so many games of a file, in order, or with all if there are fewer.
fn read_first(
    path: &Path,
    most: u64,
    each: &mut dyn FnMut(DataGame) -> Result<(), Error>,
) -> Result<(), Error> {
    let named = || path.display().to_string();
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).with_context(named)?);
    for number in 1..=most {
        let game = viriformat::read(&mut file).with_context(|| format!("{}: game {number}", named()))?;
        let Some(game) = game else { break };
        each(game)?;
    }
    Ok(())
}

/// Returns the number of complete games in a file, to which a run may be writing.
fn games_in(path: &Path) -> Result<u64, Error> {
    let mut games = 0;
    let read = read(path, &mut |_| {
        games += 1;
        Ok(())
    });
    match read {
        Err(error) if is_cut_off(&error) => note_cut_off(path),
        read => read?,
    }
    Ok(games)
}

/// Whether a file cannot be read to its end because it ends within a game.
pub fn is_cut_off(error: &Error) -> bool {
    matches!(error.downcast_ref(), Some(viriformat::DataError::CutOff))
}

/// Says that an incomplete game at the end of a file is left out.
pub fn note_cut_off(path: &Path) {
    terminal::note(format_args!("{}: its last game is incomplete and left out", path.display()));
}

fn describe(args: &DataArgs) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    for path in &args.files {
        let named = || path.display().to_string();
        let mut summary = Summary::default();
        read(path, &mut |game| {
            summary.add(&game);
            Ok(())
        })?;
        let Summary { games, results: [white, draws, black], positions, quiet, values } = summary;
        if args.json {
            let object = json!({
                "file": named(), "games": games, "white_wins": white, "draws": draws, "black_wins": black,
                "positions": positions, "quiet": quiet, "values_below_100_300_1000_and_beyond": values,
            });
            writeln!(out, "{object}")?;
            continue;
        }
        let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        writeln!(out, "{STRONG}{}{STRONG:#}", named())?;
        let [w, d, b] = [white, draws, black].map(|part| share(part, games));
        writeln!(out, "games      {games}: White won {w:.1} %, draws {d:.1} %, Black won {b:.1} %")?;
        let length = positions as f64 / games.max(1) as f64;
        writeln!(
            out,
            "positions  {positions}, {length:.1} per game; quiet {:.1} %",
            share(quiet, positions)
        )?;
        let [small, clear, large, won] = values.map(|part| share(part, positions));
        writeln!(
            out,
            "values     below 1 pawn {small:.1} %, 1 to 3 pawns {clear:.1} %, 3 to 10 pawns {large:.1} %, \
             10 pawns or more {won:.1} %"
        )?;
    }
    out.flush()?;
    Ok(())
}

fn write(args: &DataArgs, path: &Path) -> Result<(), Error> {
    let (content, what) = match path.extension().and_then(OsStr::to_str) {
        Some("bullet") => (Content::Positions, "positions"),
        Some("txt") => (Content::Lines, "positions"),
        _ => (Content::Games, "games"),
    };
    let mut held_out = path.as_os_str().to_owned();
    held_out.push(".held-out");
    let files = [path, Path::new(&held_out)];
    let files = &files[..1 + usize::from(args.held_out.is_some())];
    whole_file::prepare(files, &with_origins(&args.files))?;
    if content == Content::Games {
        for file in files {
            refuse_described(file, origin(file))?;
        }
    }
    if args.held_out.is_none() && Path::new(&held_out).exists() {
        let held_out = Path::new(&held_out).display();
        bail!("{held_out} is of an earlier --held-out: use this option, remove it, or choose another --out");
    }
    let mut prepared = Prepared::new(content, args.held_out);
    for file in &args.files {
        read(file, &mut |game| {
            prepared.add(&game);
            Ok(())
        })?;
    }
    if let Some(seed) = args.shuffle {
        prepared.shuffle(seed);
        if content == Content::Lines {
            terminal::note(format_args!(
                "`cassius lab tune` holds out the last lines, which now are of games that it trains on"
            ));
        }
    }
    let mut out = terminal::stdout(true);
    for (part, file) in files.iter().enumerate() {
        whole_file::fill(file, |out| prepared.write(part, out))?;
        writeln!(out, "{}: {} {what}", file.display(), prepared.counts()[part])?;
    }
    writeln!(out, "{} duplicates left out", prepared.duplicates())?;
    Ok(())
}

/// Games that are valued before they are written: so many are held in memory.
const PIECE: usize = 1_000;

fn value_anew(args: &DataArgs, player: &Player, path: &Path) -> Result<(), Error> {
    if let Some("txt" | "bullet") = path.extension().and_then(OsStr::to_str) {
        bail!("with --relabel games are written, not positions: choose another name for --out");
    }
    player.engine(1, 1).with_context(|| player.to_string())?;
    let named = || path.display().to_string();
    if args.files.iter().any(|file| is_same(file, path)) {
        bail!("{}: a file cannot be read and written at the same time: choose another --out", named());
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".json");
    let beside = Path::new(&beside);
    refuse_described(path, origin(path).filter(|origin| origin != beside))?;
    let there: Vec<u64> = args.files.iter().map(|file| games_in(file)).collect::<Result<_, _>>()?;
    let (soft_nodes, hard_nodes) = (args.nodes, args.nodes.saturating_mul(8));
    let settings = relabel::Settings { player: player.clone(), soft_nodes, hard_nodes, hash: 2 };
    let mut archive = Archive::open(path).with_context(named)?;
    let before = archive.found().games;
    // The numbers of games when this began. What has been added since would be between others.
    let begun = || -> Option<Vec<u64>> {
        let about: Value = serde_json::from_str(&fs::read_to_string(beside).ok()?).ok()?;
        serde_json::from_value(about["games"].clone()).ok()
    };
    let counts = begun().filter(|_| before > 0).unwrap_or_else(|| there.clone());
    let files: Vec<Value> =
        args.files.iter().map(|file| json!({ "file": file, "made": made(file) })).collect();
    let about = json!({
        "values_of": player.identity(), SEARCH: search_of(player)?, "soft_nodes": soft_nodes, "files": files,
        "games": counts,
    });
    check_settings(beside, &about, before, before >= counts.iter().sum())?;
    for ((file, count), there) in args.files.iter().zip(&counts).zip(&there) {
        match there.cmp(count) {
            Ordering::Less => bail!("{}: {there} games, but {count} when this began", file.display()),
            Ordering::Greater => {
                let new = there - count;
                terminal::note(format_args!("{}: {new} games added since are left out", file.display()));
            }
            Ordering::Equal => {}
        }
    }
    let bar = terminal::progress(counts.iter().sum());
    bar.set_position(before);
    let (mut number, mut waiting) = (0, Vec::new());
    let mut value = |games: &mut Vec<DataGame>| -> Result<(), Error> {
        let mut saved = Ok(());
        relabel(games, &settings, args.jobs.into(), &mut |game| {
            saved = archive.add(game);
            bar.inc(1);
            saved.is_ok()
        })?;
        games.clear();
        saved.with_context(named)
    };
    for (file, count) in args.files.iter().zip(counts) {
        read_first(file, count, &mut |game| {
            number += 1;
            if number > before {
                waiting.push(game);
            }
            if waiting.len() >= PIECE { value(&mut waiting) } else { Ok(()) }
        })?;
    }
    value(&mut waiting)?;
    bar.finish_and_clear();
    let games = archive.found().games;
    archive.close().with_context(named)?;
    let mut out = terminal::stdout(true);
    writeln!(out, "{}: {games} games ({} new), valued by {player}", path.display(), games - before)?;
    Ok(())
}

/// Returns what is known of how the games of a file were made: what its [`origin`] says. Null if nothing is
/// known.
pub fn made(path: &Path) -> Value {
    let text = origin(path).and_then(|origin| fs::read_to_string(origin).ok());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Returns the file that says how the games of a file were made: that of `lab data --relabel` if it has
/// valued them, else that of `lab selfplay` if it has played them.
fn origin(path: &Path) -> Option<PathBuf> {
    let mut valued = path.as_os_str().to_owned();
    valued.push(".json");
    let is_played = path.file_name().is_some_and(|name| name == GAMES);
    let played = is_played.then(|| path.with_file_name(SETTINGS));
    [Some(valued.into()), played].into_iter().flatten().find(|origin| origin.exists())
}

/// Returns files of games, and those that say how they were made.
pub fn with_origins(files: &[PathBuf]) -> Vec<PathBuf> {
    files.iter().cloned().chain(files.iter().filter_map(|file| origin(file))).collect()
}

/// Refuses to write other games where a file says how those were made that are there.
fn refuse_described(path: &Path, origin: Option<PathBuf>) -> Result<(), Error> {
    let Some(origin) = origin else { return Ok(()) };
    bail!("{} says how {} was made: choose another --out", origin.display(), path.display());
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
