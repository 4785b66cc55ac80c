//! `cassius mate`: forced mates, proven and replayed, or the proof that there is none.

mod output;

use super::analyse::input::{self, Item, Ply};
use crate::clock::{Budget, Clock};
use crate::setup::{LimitArgs, mib};
use crate::{Error, terminal};
use anyhow::{Context as _, bail};
use cassius_chess::mate::{Aim, Mate, MateSearch, Winner};
use cassius_chess::{Move, certificate};
use cassius_search::proof::ProofTable;
use output::{Found, Summary};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `cassius mate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Mates and that there are none are proven, by proof-number search; every mate that is shown was replayed against all defences by the rules
alone. A mate is sought first, and then shorter ones until it is proven that there is none; --any takes whatever comes first. Of a position with `dm N` or `bm #N` only a mate in N is asked for, unless --moves says
otherwise (with a negative N the side to move is mated); they are counted at the end.
Without a limit each position gets ten seconds.

Examples:
  cassius mate '2b3k1/4rrpp/p2p4/2pP2RQ/1pP1Pp1N/1P3P1P/1q6/6RK w - - 0 1'
  cassius mate '6k1/5ppp/8/8/8/8/8/R6K w - - 0 1' --moves 3 --all
  cassius mate '6k1/5ppp/8/8/8/8/8/R6K w - - 0 1' --out mate.txt
  cassius mate mates.epd --any --time 1s --json")]
pub struct MateArgs {
    /// FENs, `startpos`, files with EPDs, FENs or games (PGN; their last positions), or `-` for standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// Mate in at most so many moves, or the proof that there is none.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_MOVES))]
    moves: Option<u16>,
    /// Any mate, not the shortest.
    #[arg(long)]
    any: bool,
    /// The other side is to mate.
    #[arg(long)]
    mated: bool,
    /// Name every first move that mates in as few moves.
    #[arg(long, conflicts_with = "mated")]
    all: bool,
    /// Time a position: 500ms, 5s, 2m; a bare number means seconds.
    #[arg(long, value_name = "TIME", value_parser = crate::setup::parse_duration)]
    time: Option<Duration>,
    /// Nodes a position: moves that are played in the search.
    #[arg(long, value_name = "N", value_parser = crate::setup::parse_count)]
    nodes: Option<u64>,
    /// Size in MiB of the table that proofs are kept in.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = mib())]
    hash: u32,
    /// One JSON object a position, a line each.
    #[arg(long)]
    json: bool,
    /// Write the winner's moves against every defence, as a certificate that `cassius check` replays; `-` for standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The longest mate that is looked for.
const MOST_MOVES: i64 = cassius_search::MAX_PLY as i64 / 2;

/// Time a position if nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// Positions of a certificate, at most: a file of some hundred megabytes.
const LARGEST: usize = 2_000_000;

/// Looks for mates in every position of every input. What is broken is named and left out.
pub fn run(args: MateArgs) -> Result<(), Error> {
    let sources = input::sources(&args.inputs);
    let count = input::count(&sources, Ply::Last);
    if args.out.is_some() && count != Some(1) {
        bail!("--out writes one proof: name one position on the command line");
    }
    let bar = terminal::progress(count.unwrap_or(0));
    let (mut broken, mut summary) = (0, Summary::default());
    for item in sources.iter().flat_map(|source| source.items(Ply::Last)) {
        let item = match item {
            Ok(item) => item,
            Err(complaint) => {
                broken += 1;
                bar.suspend(|| terminal::complain(format_args!("{complaint}")));
                continue;
            }
        };
        let found = search(&item, &args)?;
        summary.count(&found);
        let quiet = args.out.as_deref() == Some(Path::new("-"));
        bar.suspend(|| {
            let mut out = anstream::stdout().lock();
            match args.json {
                _ if quiet => (),
                true => writeln!(out, "{}", output::json(&item, &found))?,
                false => write!(out, "{}", output::text(&item, &found))?,
            }
            out.flush()
        })?;
        if let Some(path) = &args.out {
            write(path, &item, &found)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if summary.stated > 0 {
        let mut out = anstream::stdout().lock();
        match args.json {
            true => writeln!(out, "{}", summary.json())?,
            false => writeln!(out, "{summary}")?,
        }
    }
    match broken {
        0 => Ok(()),
        1 => bail!("1 input could not be read; what could was done"),
        _ => bail!("{broken} inputs could not be read; what could was done"),
    }
}

/// Looks for mates in one position.
fn search(item: &Item, args: &MateArgs) -> Result<Found, Error> {
    let mut limits = LimitArgs { nodes: args.nodes, time: args.time, depth: None };
    if !limits.any() {
        limits.time = Some(DEFAULT_TIME);
    }
    let clock = Clock::start(&Budget { settled: false, ..limits.budget() });
    let table = ProofTable::new(args.hash as usize)?;
    let stated = item.mate.filter(|mate| *mate != 0 && i64::from(mate.unsigned_abs()) <= MOST_MOVES);
    let winner =
        if args.mated || stated.is_some_and(|mate| mate < 0) { Winner::Other } else { Winner::Mover };
    let stated = stated.map(|mate| mate.unsigned_abs() as usize);
    let moves = args.moves.map(usize::from).or(stated).unwrap_or(MOST_MOVES as usize);
    let plies = winner.plies(moves);
    let aim = match args.moves.is_some() || stated.is_some() {
        _ if args.any => Aim::Any(plies),
        true => Aim::Within(plies),
        false => Aim::Shortest(plies),
    };

    let mut search = MateSearch::new(table, &clock);
    let mut mate: Option<Mate> = None;
    let answer = search.find(&item.position, aim, &mut |_, found| mate = Some(found));
    let mut also: Vec<(Move, Option<bool>)> = Vec::new();
    if args.all
        && let Some(mate) = &mate
        && winner == Winner::Mover
    {
        let first = mate.replayed.line.first();
        also = search.solutions(&item.position, mate.replayed.plies);
        also.retain(|(mv, mates)| Some(mv) != first && *mates != Some(false));
    }
    let (nodes, elapsed) = (search.nodes(), clock.control().elapsed());
    Ok(Found { winner, stated, answer, mate, also, nodes, elapsed })
}

/// Writes a proof down, once it is read again and checked.
fn write(path: &Path, item: &Item, found: &Found) -> Result<(), Error> {
    let Some(mate) = &found.mate else { bail!("no mate was found: {} is not written", path.display()) };
    if mate.replayed.plies == 0 {
        bail!("the game is over here: there is nothing to write down");
    }
    let proof = mate.certificate(&item.position, LARGEST)?;
    certificate::check(&proof)?;
    match path == Path::new("-") {
        true => anstream::stdout().lock().write_all(proof.to_string().as_bytes())?,
        false => fs::write(path, proof.to_string()).with_context(|| path.display().to_string())?,
    }
    Ok(())
}
