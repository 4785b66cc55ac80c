//! `cassius match`.

use super::judge::parse_option;
use super::solve::Wall;
use crate::clock::{self, Control, Time};
use crate::peer::player::EnginePlayer;
use crate::peer::{CommandLine, Launch};
use crate::setup::{LimitArgs, parse_depth, parse_duration, parse_nodes};
use crate::terminal::{self, STRONG};
use crate::{Error, whole_file};
use anyhow::{Context as _, anyhow, bail};
use cassius_chess::openings::{self, Opening};
use cassius_lab::matches::contestant::Contestant;
use cassius_lab::matches::game::{DrawRule, Resign, Rules};
use cassius_lab::matches::ledger::{self, Ledger};
use cassius_lab::matches::{self, Match, Pace, PairRecord, Tally, TimeManager, World};
use cassius_lab::statistics::{Estimate, Model, Sprt, Verdict};
use cassius_lab::{Budget, Player};
use cassius_search::Limits;
use clap::ArgMatches;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use shakmaty::CastlingMode;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// More pairs than anyone plays; every one of them takes memory.
pub(super) const MOST_PAIRS: u64 = 10_000_000;

/// Arguments of `cassius match`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A player is a recipe, optionally with changes to it:
  plies  coupled  plies,-NullMove,+Interest  lab,Killers.on=0
--engine COMMAND takes the place of B: the second player is another UCI engine. Given twice, both \
players are engines, such as two builds of one program. An engine that exceeds its clock, ends, is \
silent, or names an illegal move loses the game; unless it was only late, it is started again. The \
report counts this for each player. \
Every opening is played twice, with colours reversed. One that comes up again is continued by two \
random moves, none of which loses material at once. Results are from the first player's point of \
view. With a fixed number of nodes and one thread, the same seed gives the same games.

Examples:
  cassius match plies coupled --nodes 20k --pairs 200 --out plies-coupled
  cassius match lab lab,NullMove.on=0 --tc 2+0.02 --jobs 4 --sprt 0 5 --pairs 10000 \\
    --out null-move
  cassius match plies bare --time 50ms --openings book.pgn --plies 12
  cassius match plies --engine stockfish --engine-option 'Use NNUE=false' --tc 2+0.02 \\
    --out without-nnue
  cassius match --engine ./new --engine ./old --engine-option Recipe=coupled --nodes 20k --jobs 2

With --out, the match can be interrupted; the same command continues it.")]
pub struct MatchArgs {
    /// The first player: a recipe. Left out if --engine is given twice.
    #[arg(value_name = "A", required_unless_present = "engine")]
    first: Option<Player>,
    /// The second player: a recipe. Left out if --engine is given.
    #[arg(value_name = "B", required_unless_present = "engine")]
    second: Option<Player>,
    /// Number of pairs of games.
    #[arg(
        long, value_name = "N", default_value_t = 50,
        value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS),
    )]
    pairs: u64,
    /// Save the games as BASE.pgn and the state of the match as BASE.jsonl; if it exists, continue it.
    #[arg(long, value_name = "BASE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    load: LoadArgs,
    /// Number of search threads of each player.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    threads: u16,
    /// Print the result as a JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engines: Engines,
    #[command(flatten)]
    pace: PaceArgs,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    rules: Box<RuleArgs>,
    #[command(flatten)]
    test: Box<TestArgs>,
}

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Another engine as a player (in place of B; given twice, of both)")]
struct EngineArgs {
    /// UCI engine that plays: a program, or a program with its arguments in quotes. It has a table of --hash
    /// MiB and --threads threads, unless --engine-option says otherwise.
    #[arg(long = "engine", id = "engine", value_name = "COMMAND")]
    commands: Vec<CommandLine>,
    /// Set an option of the engine, such as EvalFile=small.nnue; may be repeated. With two engines it is that
    /// of the --engine before it.
    #[arg(
        long = "engine-option", id = "engine-option", value_name = "NAME=VALUE", requires = "engine",
        value_parser = parse_option,
    )]
    options: Vec<(String, String)>,
    /// How long an engine may take to get ready, or exceed its time, before it is ended and started again.
    #[arg(
        long = "engine-patience", value_name = "TIME", requires = "engine", default_value = "10s",
        value_parser = parse_duration,
    )]
    patience: Duration,
}

/// The engines, each with its own options.
#[derive(Debug)]
struct Engines {
    engines: Vec<(CommandLine, Vec<(String, String)>)>,
    patience: Duration,
}

impl clap::FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Engines, clap::Error> {
        let places = |id| matches.indices_of(id).into_iter().flatten().collect::<Vec<usize>>();
        let (engines_at, options_at) = (places("engine"), places("engine-option"));
        let EngineArgs { commands, options, patience } = EngineArgs::from_arg_matches(matches)?;
        let mut engines: Vec<_> = commands.into_iter().map(|command| (command, Vec::new())).collect();
        for (option, at) in options.into_iter().zip(options_at) {
            let before = engines_at.iter().filter(|engine| **engine < at).count();
            if let Some((_, options)) = engines.get_mut(before.saturating_sub(1)) {
                options.push(option);
            }
        }
        Ok(Engines { engines, patience })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Engines::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        EngineArgs::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        EngineArgs::augment_args_for_update(command)
    }
}

/// What games take of the machine.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct LoadArgs {
    /// Number of games played at the same time.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    pub(super) jobs: u16,
    /// Size of each player's transposition table in MiB.
    #[arg(
        long, value_name = "MIB", default_value_t = 16,
        value_parser = clap::value_parser!(u32).range(1..=65536),
    )]
    pub(super) hash: u32,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Time control (default: 20k nodes per move)")]
pub(super) struct PaceArgs {
    /// Maximum number of nodes per move.
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    nodes: Option<u64>,
    /// Maximum time per move: 50ms, 1s.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Maximum number of iterations per move.
    #[arg(long, value_name = "N", value_parser = parse_depth)]
    depth: Option<usize>,
    /// Clock of each player: base+increment in seconds, such as 2+0.02.
    #[arg(
        long, value_name = "BASE+INC", value_parser = parse_clock,
        conflicts_with_all = ["nodes", "time", "depth"],
    )]
    tc: Option<(Duration, Duration)>,
    /// Time by which a player may exceed its clock before it loses the game.
    #[arg(
        long, value_name = "TIME", default_value = "50ms", value_parser = parse_duration, requires = "tc",
        conflicts_with_all = ["nodes", "time", "depth"],
    )]
    margin: Duration,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Openings (default: built-in balanced lines)")]
pub(super) struct OpeningArgs {
    /// EPD or PGN file of openings.
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,
    /// Number of plies to take from each game of a PGN file.
    #[arg(long, value_name = "N", default_value_t = 16)]
    plies: usize,
    /// Random seed for the order of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Adjudication (both players must agree; no endgame tables)")]
pub(super) struct RuleArgs {
    /// A game is lost after MOVES moves in a row at CP centipawns or more behind; a 0 turns this off.
    #[arg(long, num_args = 2, value_names = ["MOVES", "CP"], default_values_t = [4, 700])]
    resign: Vec<u32>,
    /// From move FROM on, a game is drawn after MOVES moves in a row within CP centipawns; 0 0 0 turns this
    /// off.
    #[arg(long, num_args = 3, value_names = ["FROM", "MOVES", "CP"], default_values_t = [40, 8, 12])]
    draw: Vec<u32>,
    /// Number of moves after which a game is drawn, whatever the players think.
    #[arg(long, value_name = "N", default_value_t = 200,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    max_moves: usize,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Sequential test")]
struct TestArgs {
    /// End the match once it is clear whether the Elo difference is ELO1 rather than ELO0.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_hyphen_values = true)]
    sprt: Option<Vec<f64>>,
    /// Probability of accepting ELO1 wrongly.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt", value_parser = parse_chance)]
    alpha: f64,
    /// Probability of accepting ELO0 wrongly.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt", value_parser = parse_chance)]
    beta: f64,
    /// Take ELO0 and ELO1 as normalized Elo.
    #[arg(long, requires = "sprt")]
    normalized: bool,
}

fn parse_clock(text: &str) -> Result<(Duration, Duration), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Ok((parse_duration(base)?, parse_duration(increment)?))
}

fn parse_chance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(chance) if 0.0 < chance && chance < 0.5 => Ok(chance),
        _ => Err("expected a number between 0 and 0.5".into()),
    }
}

impl PaceArgs {
    /// Returns the pace. It is an error if it does not end the searches of these players.
    pub(super) fn pace<'a>(&self, players: impl IntoIterator<Item = &'a Player>) -> Result<Pace, Error> {
        let limits = LimitArgs { nodes: self.nodes, time: self.time, depth: self.depth };
        players.into_iter().try_for_each(|player| limits.agree_with(&player.recipe))?;
        if let Some((base, increment)) = self.tc {
            return Ok(Pace::Clock { base, increment, margin: self.margin });
        }
        let mut budget = Budget { nodes: self.nodes, time: self.time, depth: self.depth };
        if budget.is_unlimited() {
            budget.nodes = Some(20_000);
        }
        Ok(Pace::PerMove(budget))
    }
}

impl OpeningArgs {
    pub(super) fn read(&self) -> Result<Vec<Opening>, Error> {
        let Some(path) = &self.openings else { return Ok(openings::builtin()) };
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let named = || path.display().to_string();
        let mut read = openings::read(BufReader::new(file), Some(self.plies)).with_context(named)?;
        let repeats = openings::leave_out_repeats(&mut read);
        if repeats > 0 {
            let why = "they end in positions of earlier ones";
            terminal::note(format_args!("{}: {repeats} openings left out: {why}", named()));
        }
        Ok(read)
    }
}

impl RuleArgs {
    pub(super) fn rules(&self) -> Rules {
        let cp = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
        let resign = Resign { moves: self.resign[0] as usize, score: cp(self.resign[1]) };
        let draw =
            DrawRule { from_move: self.draw[0], moves: self.draw[1] as usize, score: cp(self.draw[2]) };
        Rules {
            resign: (resign.moves > 0 && resign.score > 0).then_some(resign),
            draw: (draw.moves > 0).then_some(draw),
            max_moves: self.max_moves,
        }
    }
}

impl TestArgs {
    fn sprt(&self) -> Result<Option<Sprt>, Error> {
        let Some(elo) = &self.sprt else { return Ok(None) };
        let most = Sprt::MOST_ELO;
        if !elo.iter().all(|elo| elo.abs() <= most) || elo[0] >= elo[1] {
            bail!("--sprt: ELO0 and ELO1 must be numbers from -{most} to {most}, and ELO0 the smaller one");
        }
        let model = if self.normalized { Model::Normalized } else { Model::Logistic };
        Ok(Some(Sprt { elo0: elo[0], elo1: elo[1], alpha: self.alpha, beta: self.beta, model }))
    }
}

impl MatchArgs {
    /// Returns the engines that play, in the order of the players. Each is started once, to learn its name.
    fn engines(&self, chess960: bool) -> Result<Vec<EnginePlayer>, Error> {
        let recipes = self.first.iter().chain(&self.second).count();
        match recipes + self.engines.engines.len() {
            2 => (),
            0 | 1 => bail!("one player is missing: name a recipe before --engine, or give --engine twice"),
            _ => bail!("more than two players: --engine takes the place of B, and given twice of A and B"),
        }
        let start = |(command, options): &(CommandLine, Vec<(String, String)>)| {
            let (command, options) = (command.clone(), options.clone());
            let (hash, threads, patience) = (self.load.hash, self.threads, self.engines.patience);
            EnginePlayer::new(Launch { command, hash, threads, options, patience, apart: false }, chess960)
        };
        self.engines.engines.iter().map(start).collect()
    }
}

/// The time manager that the engine uses under UCI.
pub(super) struct EngineTime;

/// A reserve for a system that is busy elsewhere for a moment.
const RESERVE: Duration = Duration::from_millis(10);

impl TimeManager for EngineTime {
    fn limits<'a>(
        &'a self,
        remaining: Duration,
        increment: Duration,
        choices: usize,
    ) -> Box<dyn Limits + 'a> {
        let control = Control::new(Instant::now(), false);
        Box::new(limits(remaining, increment, choices, control))
    }
}

/// The same on the processor time of the thread, for games that other load must not disturb. Each search has
/// one thread, on which its clock is read, too.
pub(super) struct EngineThreadTime;

impl TimeManager for EngineThreadTime {
    fn limits<'a>(
        &'a self,
        remaining: Duration,
        increment: Duration,
        choices: usize,
    ) -> Box<dyn Limits + 'a> {
        Box::new(limits(remaining, increment, choices, Control::of_thread()))
    }
}

/// Returns the limits of a move with this much time on the clock.
fn limits(remaining: Duration, increment: Duration, choices: usize, control: Arc<Control>) -> clock::Clock {
    let time = Time::Game { remaining, increment, moves: None, overhead: RESERVE };
    let budget = clock::Allowance { time, ..clock::Allowance::default() };
    clock::Clock::new(&budget, choices, control)
}

/// Plays the match, or resumes it.
pub fn run(args: MatchArgs) -> Result<(), Error> {
    for player in args.first.iter().chain(&args.second) {
        player.engine(1, 1).with_context(|| player.to_string())?;
    }
    let openings = args.openings.read()?;
    let is_chess960 = |opening: &Opening| opening.start.castling_mode() == CastlingMode::Chess960;
    let engines = args.engines(openings.iter().any(is_chess960))?;
    let own = args.first.iter().chain(&args.second).cloned().map(Contestant::from);
    let players: Vec<_> = own.chain(engines.iter().map(|engine| Contestant::Guest(engine))).collect();
    let Ok(players) = players.try_into() else { bail!("a match has two players") };
    let game = Match {
        players,
        pace: args.pace.pace(args.first.iter().chain(&args.second))?,
        openings: &openings,
        seed: args.openings.seed,
        pairs: args.pairs,
        rules: args.rules.rules(),
        hash: args.load.hash as usize,
        threads: args.threads.into(),
        sprt: args.test.sprt()?,
    };
    let (mut archive, done) = match &args.out {
        Some(base) => {
            let (archive, done) = Archive::open(base, &game, args.openings.openings.as_ref())?;
            (Some(archive), done)
        }
        None => (None, Vec::new()),
    };

    let bar = terminal::progress(game.pairs);
    bar.set_position(done.len() as u64);
    bar.reset_eta();
    let (clock, stop) = (Wall::start(), AtomicBool::new(false));
    let world = World { clock: &clock, manager: &EngineTime, stop: &stop, jobs: args.load.jobs.into() };
    let mut sofar = Tally::of(&done);
    let mut saved = Ok(());
    let mut decided = sofar.decides(game.sprt.as_ref());
    let played = matches::play(&game, &done, &world, &mut |record| {
        sofar.add(record);
        decided |= sofar.decides(game.sprt.as_ref());
        bar.inc(1);
        tell_failures(&bar, &game, record);
        bar.set_message(in_short(&sofar, game.sprt.as_ref()));
        // After a pair could not be saved, running games may still end. The first error is the one to
        // report.
        if let (Some(archive), Ok(())) = (&mut archive, &saved) {
            saved = archive.add(record);
        }
        saved.is_ok()
    });
    bar.finish_and_clear();
    saved?;
    let tally = played.map_err(|error| match &archive {
        Some(_) => anyhow!("{error}; the same command continues the match"),
        None => error.into(),
    })?;
    // The result is told although the files may not be complete.
    let finished = archive.map_or(Ok(()), Archive::finish);
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", in_json(&game, &tally))?;
    } else {
        write_result(&mut out, &game, &tally)?;
    }
    out.flush()?;
    finished?;
    let played = tally.games.iter().sum::<u64>() / 2;
    if played < game.pairs && !decided {
        bail!("only {played} of {} pairs were played", game.pairs);
    }
    Ok(())
}

/// Tells what the engines that lost games of a pair did wrong.
pub(super) fn tell_failures(bar: &ProgressBar, game: &Match<'_>, record: &PairRecord) {
    for (index, played) in record.games.iter().enumerate() {
        if let Some(failure) = &played.failure {
            let number = format!("{}.{}", record.pair + 1, index + 1);
            let loser = &game.names()[usize::from(played.half_points > 0)];
            bar.suspend(|| terminal::note(format_args!("game {number}, lost by {loser}: {failure}")));
        }
    }
}

/// Returns the settings that must be the same when a match is resumed. Another release or build may play
/// otherwise.
fn header(game: &Match<'_>) -> Value {
    let mut header = ledger::header(game);
    header["release"] = env!("CARGO_PKG_VERSION").into();
    header["searches"] = game.players.iter().map(Contestant::search).collect();
    header
}

/// The files of a match.
struct Archive {
    state: PathBuf,
    /// The first line of the state. It is not computed again: files that it depends on may have changed.
    header: Value,
    ledger: Ledger,
    games: PathBuf,
    pgn: File,
}

impl Archive {
    /// Opens the files of a match whose openings come from this file.
    fn open(
        base: &Path,
        game: &Match<'_>,
        openings: Option<&PathBuf>,
    ) -> Result<(Archive, Vec<PairRecord>), Error> {
        let with = |extension: &str| {
            let mut path = base.as_os_str().to_owned();
            path.push(extension);
            PathBuf::from(path)
        };
        let (state, games) = (with(".jsonl"), with(".pgn"));
        whole_file::prepare(&[&state, &games], openings.as_slice())?;
        // The first line of the state is written before any game.
        let has_state = fs::read(&state).is_ok_and(|bytes| bytes.contains(&b'\n'));
        if !has_state && fs::metadata(&games).is_ok_and(|games| games.len() > 0) {
            bail!("{} exists, but no state of a match beside it: choose another --out", games.display());
        }
        let header = header(game);
        let (ledger, done) = Ledger::open(&state, &header).with_context(|| state.display().to_string())?;
        // The state is authoritative; the games are rewritten from it.
        write_games(&games, &done).with_context(|| games.display().to_string())?;
        let pgn =
            OpenOptions::new().append(true).open(&games).with_context(|| games.display().to_string())?;
        Ok((Archive { state, header, ledger, games, pgn }, done))
    }

    fn add(&mut self, record: &PairRecord) -> Result<(), Error> {
        self.ledger.add(record).with_context(|| self.state.display().to_string())?;
        let text: String = record.games.iter().map(|game| format!("{}\n", game.pgn)).collect();
        self.pgn.write_all(text.as_bytes()).with_context(|| self.games.display().to_string())
    }

    /// Sorts the games by their numbers.
    fn finish(self) -> Result<(), Error> {
        drop(self.ledger);
        let (_, mut records) =
            Ledger::open(&self.state, &self.header).with_context(|| self.state.display().to_string())?;
        records.sort_by_key(|record| record.pair);
        write_games(&self.games, &records)
    }
}

/// Writes all games at once: the file is either the old one or the new one, never an incomplete one.
fn write_games(path: &Path, records: &[PairRecord]) -> Result<(), Error> {
    let text: String =
        records.iter().flat_map(|record| &record.games).map(|game| format!("{}\n", game.pgn)).collect();
    whole_file::write(path, &text)
}

fn in_short(tally: &Tally, sprt: Option<&Sprt>) -> String {
    let llr = sprt.map_or_else(String::new, |test| format!("  LLR {:+.2}", tally.pairs.llr(test)));
    format!("Elo {}{llr}", show(tally.pairs.elo()))
}

fn show(estimate: Estimate) -> String {
    if estimate.value.is_nan() {
        return "unknown".into();
    }
    match estimate.value.is_finite() && estimate.error().is_finite() {
        true => format!("{:+.1} ± {:.1}", estimate.value, estimate.error()),
        false => format!("{:+.1} [{:+.1}, {:+.1}]", estimate.value, estimate.low, estimate.high),
    }
}

fn verdict(sprt: &Sprt, llr: f64) -> String {
    match sprt.verdict(llr) {
        Some(Verdict::Accept0) => format!("{} Elo accepted, rather than {}", sprt.elo0, sprt.elo1),
        Some(Verdict::Accept1) => format!("{} Elo accepted, rather than {}", sprt.elo1, sprt.elo0),
        None => "undecided".into(),
    }
}

fn write_result(out: &mut impl io::Write, game: &Match<'_>, tally: &Tally) -> io::Result<()> {
    let [wins, draws, losses] = tally.games;
    let pairs = tally.pairs;
    writeln!(out, "{STRONG}{} – {}{STRONG:#}", game.players[0], game.players[1])?;
    writeln!(
        out,
        "{}, {} openings, seed {}, hash {} MiB, {} thread(s)",
        game.pace,
        game.openings.len(),
        game.seed,
        game.hash,
        game.threads
    )?;
    writeln!(out, "{}", game.rules)?;
    writeln!(
        out,
        "games        {}: +{wins} ={draws} -{losses}, {:.1} %",
        wins + draws + losses,
        100.0 * pairs.score()
    )?;
    writeln!(out, "pairs        {}: {:?} (0, ½, 1, 1½, 2 points)", pairs.pairs(), pairs.0)?;
    writeln!(out, "{STRONG}Elo          {}{STRONG:#} (95 %)", show(pairs.elo()))?;
    writeln!(out, "normalized   {}", show(pairs.normalized_elo()))?;
    writeln!(out, "superiority  {:.1} %", 100.0 * pairs.los())?;
    let failures = [
        ("lost on time", tally.time_losses),
        ("crashed", tally.crashes),
        ("illegal move", tally.illegal_moves),
    ];
    for (what, [first, second]) in failures {
        if first + second > 0 {
            writeln!(out, "{what:<12} {first} by the first player, {second} by the second")?;
        }
    }
    if game.players.iter().any(Contestant::is_guest) && failures.iter().all(|(_, count)| *count == [0, 0]) {
        writeln!(out, "failures     none: no time loss, crash or illegal move")?;
    }
    if let Some(test) = &game.sprt {
        let llr = pairs.llr(test);
        writeln!(
            out,
            "LLR          {llr:+.2} ({:.2}, {:.2}) for [{}, {}] {}: {}",
            test.lower(),
            test.upper(),
            test.elo0,
            test.elo1,
            model(test),
            verdict(test, llr)
        )?;
    }
    Ok(())
}

fn model(test: &Sprt) -> &'static str {
    match test.model {
        Model::Logistic => "logistic",
        Model::Normalized => "normalized",
    }
}

fn in_json(game: &Match<'_>, tally: &Tally) -> Value {
    // JSON has no infinities: they become null.
    let estimate = |e: Estimate| json!({ "value": e.value, "low": e.low, "high": e.high });
    let sprt = game.sprt.as_ref().map(|test| {
        let llr = tally.pairs.llr(test);
        json!({
            "elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta,
            "model": model(test),
            "llr": llr, "lower": test.lower(), "upper": test.upper(), "verdict": verdict(test, llr),
        })
    });
    let [wins, draws, losses] = tally.games;
    json!({
        "match": ledger::header(game),
        "wins": wins, "draws": draws, "losses": losses,
        "pentanomial": tally.pairs.0,
        "score": tally.pairs.score(),
        "elo": estimate(tally.pairs.elo()),
        "normalized_elo": estimate(tally.pairs.normalized_elo()),
        "los": tally.pairs.los(),
        "time_losses": tally.time_losses,
        "crashes": tally.crashes,
        "illegal_moves": tally.illegal_moves,
        "sprt": sprt,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_lab::matches::contestant::{Guest, Seat};
    use cassius_lab::matches::game::Ending;
    use cassius_lab::matches::{GameRecord, MatchError};
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// An engine that is another one each time it is asked, as if its file were replaced during the match.
    struct Changing(AtomicU32);

    impl Guest for Changing {
        fn name(&self) -> &str {
            "changing"
        }

        fn identity(&self) -> String {
            self.0.fetch_add(1, Relaxed).to_string()
        }

        fn seat(&self) -> Result<Box<dyn Seat + '_>, MatchError> {
            Err(MatchError::Guest("it does not play".into()))
        }
    }

    #[test]
    fn a_match_ends_as_it_began() {
        let base = std::env::temp_dir().join(format!("cassius-match-{}", std::process::id()));
        let [state, games] = [".jsonl", ".pgn"].map(|end| PathBuf::from(format!("{}{end}", base.display())));
        let [one, other] = [0, 100].map(|number| Changing(AtomicU32::new(number)));
        let openings = openings::builtin();
        let game = Match {
            players: [Contestant::Guest(&one), Contestant::Guest(&other)],
            pace: Pace::PerMove(Budget::default()),
            openings: &openings,
            seed: 1,
            pairs: 2,
            rules: Rules::default(),
            hash: 1,
            threads: 1,
            sprt: None,
        };
        let game_of = |pair: u64| GameRecord {
            half_points: 1,
            ending: Ending::Length,
            plies: 4,
            failure: None,
            pgn: format!("{pair} *\n"),
        };
        let (mut archive, done) = Archive::open(&base, &game, None).expect("new files");
        assert!(done.is_empty());
        for pair in [1, 0] {
            let games = [game_of(pair), game_of(pair)];
            archive.add(&PairRecord { pair, opening: "x".into(), games }).expect("it is written");
        }
        archive.finish().expect("the state is that of this match");
        let text = fs::read_to_string(&games).expect("games");
        assert_eq!(
            text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
            ["0 *", "0 *", "1 *", "1 *"]
        );

        // Games without a state are not this match's, whether the state is missing or empty.
        fs::write(&state, "").expect("a state");
        let error = Archive::open(&base, &game, None).err().expect("a stranger's games");
        assert!(error.to_string().contains("no state of a match beside it"), "{error}");
        assert_eq!(fs::read_to_string(&games).expect("games"), text);

        // What is wrong with a file is told with its name.
        fs::remove_file(&state).expect("it is there");
        fs::remove_file(&games).expect("it is there");
        let (mut archive, _) = Archive::open(&base, &game, None).expect("new files");
        archive.header["seed"] = 2.into();
        let error = archive.finish().expect_err("the state of another match");
        assert!(error.to_string().contains(".jsonl"), "{error}");
        fs::remove_file(&state).expect("it is there");
        fs::remove_file(&games).expect("it is there");
    }
}
