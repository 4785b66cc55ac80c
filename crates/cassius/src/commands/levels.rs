//! `cassius lab levels`.

use super::match_::{EngineTime, LoadArgs, MOST_PAIRS, OpeningArgs, RuleArgs, tell_failures};
use super::solve::Wall;
use crate::peer::player::EnginePlayer;
use crate::peer::{CommandLine, Launch};
use crate::setup::parse_nodes;
use crate::terminal::{self, STRONG};
use crate::{Error, whole_file};
use anyhow::Context as _;
use cassius_chess::levels::Levels;
use cassius_lab::kept::Kept;
use cassius_lab::levels::{Meeting, fit};
use cassius_lab::matches::contestant::{Contestant, Guest as _};
use cassius_lab::matches::{self, Match, Pace, World, ledger};
use cassius_lab::{Budget, Player};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Arguments of `cassius lab levels`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The other engine must have the options UCI_LimitStrength and UCI_Elo. For each of its ratings there are \
three matches: with the number of nodes that the engine's own UCI_Elo means now, with half and with \
twice as many. Games that the other engine loses because it ends, is silent, or names an illegal move \
are told, and count. Then the curve is fitted that gives every number of nodes a rating. The engine's own \
levels (UCI_Elo) are in crates/chess/src/levels.txt.

Examples:
  cassius lab levels --engine stockfish --jobs 2 --out levels.jsonl \\
    --write crates/chess/src/levels.txt
  cassius lab levels --engine ./other --ratings 1500,1800,2100 --pairs 100 --nodes 50k

With --out, it can be interrupted; the same command continues it. The numbers of nodes stay those of the \
beginning, even if other levels have been built in since.")]
pub struct LevelsArgs {
    /// UCI engine with rated levels: a program, or a program with its arguments in quotes.
    #[arg(long, value_name = "COMMAND")]
    engine: CommandLine,
    /// Ratings at which it plays.
    #[arg(
        long, value_name = "ELO", value_delimiter = ',',
        default_values_t = [1400, 1600, 1800, 2000, 2200, 2400, 2600],
    )]
    ratings: Vec<u32>,
    /// Its number of nodes per move. It must suffice for the depth that its highest level searches.
    #[arg(long, value_name = "N", default_value = "100k", value_parser = parse_nodes)]
    nodes: u64,
    /// Player whose levels are measured, as in `cassius match`.
    #[arg(long, value_name = "PLAYER", default_value_t)]
    player: Player,
    /// Number of pairs of games in each match.
    #[arg(
        long, value_name = "N", default_value_t = 20,
        value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS),
    )]
    pairs: u64,
    /// File in which every match is kept, and found again.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the weights to this file.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    #[command(flatten)]
    load: LoadArgs,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    rules: Box<RuleArgs>,
}

/// How long the engine may take to get ready.
const PATIENCE: Duration = Duration::from_secs(10);

/// Measures the levels, or continues.
pub fn run(args: &LevelsArgs) -> Result<(), Error> {
    args.player.engine(1, 1).with_context(|| args.player.to_string())?;
    let outputs: Vec<&Path> = args.write.iter().chain(&args.out).map(PathBuf::as_path).collect();
    let network = args.player.eval_file.as_ref().map(|file| file.path());
    let read: Vec<&Path> = args.openings.openings.iter().map(PathBuf::as_path).chain(network).collect();
    whole_file::prepare(&outputs, &read)?;
    let openings = args.openings.read()?;
    let kept = args.out.as_ref().map(|path| -> Result<Kept, Error> {
        let named = || path.display().to_string();
        let kept = Kept::open(path).with_context(named)?;
        kept.lock().with_context(named)?;
        Ok(kept)
    });
    let kept = kept.transpose()?;
    let (clock, stop) = (Wall::start(), AtomicBool::new(false));
    let world = World { clock: &clock, manager: &EngineTime, stop: &stop, jobs: args.load.jobs.into() };
    let mut meetings = Vec::new();
    let mut ratings = args.ratings.clone();
    ratings.sort_unstable();
    ratings.dedup();
    let rated = |rating: u32| -> Result<(u32, EnginePlayer), Error> {
        let options = [("UCI_LimitStrength", "true".into()), ("UCI_Elo", rating.to_string())];
        let options = options.map(|(name, value)| (name.to_string(), value)).to_vec();
        let (command, patience) = (args.engine.clone(), PATIENCE);
        let launch = Launch { command, hash: args.load.hash, threads: 1, options, patience, apart: false };
        Ok((rating, EnginePlayer::new(launch, false)?))
    };
    // A rating that the engine does not have is refused before the first game.
    let others: Vec<(u32, EnginePlayer)> = ratings.into_iter().map(rated).collect::<Result<_, _>>()?;
    let search = args.player.trees()?;
    let bar = terminal::progress(others.len() as u64 * 3 * args.pairs);
    'all: for (rating, other) in &others {
        let rating = *rating;
        let program = other.program().map_or(String::new(), |number| format!("{number:016x}, "));
        // Kept, since other levels may have been built in when the command is continued.
        let key = format!("{}, {search:016x}: nodes of {rating}", args.player.identity());
        let before = kept.as_ref().and_then(|kept| kept.get::<u64>(&key));
        let middle = before.unwrap_or_else(|| Levels::built_in().nodes(rating.into()));
        if before.is_none() && kept.as_ref().is_some_and(|kept| !kept.put(&key, &middle)) {
            break; // closing the file says why
        }
        for nodes in [(middle / 2).max(1), middle, 2 * middle] {
            let game = Match {
                players: [Contestant::Limited(args.player.clone(), nodes), Contestant::Guest(other)],
                pace: Pace::PerMove(Budget { nodes: Some(args.nodes), ..Budget::default() }),
                openings: &openings,
                seed: args.openings.seed,
                pairs: args.pairs,
                rules: args.rules.rules(),
                hash: args.load.hash as usize,
                threads: 1,
                sprt: None,
            };
            let key = format!("{}, {search:016x}, {program}{} pairs", ledger::header(&game), args.pairs);
            let meeting = match kept.as_ref().and_then(|kept| kept.get::<Meeting>(&key)) {
                Some(meeting) => {
                    bar.inc(args.pairs);
                    meeting
                }
                None => {
                    let tally = matches::play(&game, &[], &world, &mut |record| {
                        bar.inc(1);
                        tell_failures(&bar, &game, record);
                        true
                    })?;
                    let failures = tally.crashes[1] + tally.illegal_moves[1] + tally.time_losses[1];
                    if failures > 0 {
                        let lost = format!("{failures} of {} games were lost by a failure", 2 * args.pairs);
                        bar.suspend(|| {
                            terminal::note(format_args!("{rating} Elo, {nodes} nodes: {lost}, and count"));
                        });
                    }
                    let meeting = Meeting { nodes, rating: rating.into(), games: tally.games };
                    if kept.as_ref().is_some_and(|kept| !kept.put(&key, &meeting)) {
                        break 'all; // closing the file says why
                    }
                    meeting
                }
            };
            meetings.push((meeting, other.name().to_string()));
        }
    }
    bar.finish_and_clear();
    if let (Some(kept), Some(path)) = (kept, &args.out) {
        kept.close().with_context(|| path.display().to_string())?;
    }
    write(args, &meetings)
}

fn write(args: &LevelsArgs, meetings: &[(Meeting, String)]) -> Result<(), Error> {
    let played: Vec<Meeting> = meetings.iter().map(|(meeting, _)| *meeting).collect();
    let mut out = terminal::stdout(args.write.is_some());
    writeln!(out, "{STRONG}  nodes  against  games  score{STRONG:#}")?;
    for it in &played {
        let (games, score) = (it.games.iter().sum::<u64>(), 100.0 * it.score());
        writeln!(out, "{:7}  {:7}  {games:5}  {score:4.1} %", it.nodes, it.rating)?;
    }
    let levels = fit(&played)?;
    writeln!(out, "\n{STRONG}  nodes  rating{STRONG:#}")?;
    let [least, most] = levels.nodes;
    let doubled = std::iter::successors(Some(least), |nodes| Some(2 * nodes));
    for nodes in doubled.take_while(|nodes| *nodes < most).chain([most]) {
        writeln!(out, "{nodes:7}  {:6.0}", levels.rating(nodes))?;
    }
    if let Some(path) = &args.write {
        let games: u64 = played.iter().flat_map(|it| it.games).sum();
        let other = meetings.first().map_or("", |(_, name)| name);
        let about = format!(
            "Fitted by `cassius lab levels` to {games} games of {} against {other} with UCI_Elo {} to {}",
            args.player,
            args.ratings.iter().min().unwrap_or(&0),
            args.ratings.iter().max().unwrap_or(&0),
        );
        whole_file::write(path, levels.to_text(&about))?;
        writeln!(out, "\n{}: written", path.display())?;
    }
    Ok(())
}
