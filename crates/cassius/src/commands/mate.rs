//! `cassius mate`: forced mates, proven and replayed, or the proof that there is none.

mod beside;
mod output;

use super::analyse::input::{self, Item, Ply};
use super::beside::BesideArgs;
use crate::clock::{Allowance, Clock};
use crate::peer::Peer;
use crate::setup::{LimitArgs, mib};
use crate::{Error, terminal, whole_file};
use anyhow::{Context as _, bail};
use beside::Beside;
use cassius_chess::mate::{Aim, Mate, MateSearch, Winner};
use cassius_chess::{Move, certificate};
use cassius_lab::parallel;
use cassius_search::game::Repeats as _;
use cassius_search::proof::{Answer, ProofTable};
use output::{Barred, Found, Summary};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Arguments of `cassius mate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Proof-number search proves each mate, or that there is none. Every mate shown was replayed against \
all defences using only the rules. After the first mate, the search looks for shorter ones until it \
proves that there are none; --any stops at the first mate. \
Where a draw can be claimed, or some position has occurred twice in a game, nothing is proven. \
For a position with `dm N` or `bm #N`, the search looks only for a mate in at most N moves, unless \
--moves is given; a negative N means that the side to move is mated. These positions are summarised \
at the end. Without a limit, each position is searched for ten seconds.

--beside sends `go mate N` to another engine for each position afterwards, with the same limits, one \
thread and a table of the same size; without a number of moves, N is 100. With one job, the two \
engines never run at the same time. The engine's claim is the last mate in at most N moves that it \
reports with an exact score. The claim is not verified, but it is marked as impossible if it is \
proven here that no mate is that short. Many engines stop at the first mate in N that they find, as \
--any does here.

Examples:
  cassius mate '2b3k1/4rrpp/p2p4/2pP2RQ/1pP1Pp1N/1P3P1P/1q6/6RK w - - 0 1'
  cassius mate '6k1/5ppp/8/8/8/8/8/R6K w - - 0 1' --moves 3 --all
  cassius mate '6k1/5ppp/8/8/8/8/8/R6K w - - 0 1' --out mate.txt
  cassius mate mates.epd --any --time 1s --json
  cassius mate mates.epd --any --time 1s --beside stockfish --beside-option 'Use NNUE=false'")]
pub struct MateArgs {
    /// FENs, `startpos`, files with EPDs, FENs or games (PGN; their last positions), or `-` for
    /// standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<OsString>,
    /// Search for a mate in at most N moves, or for a proof that there is none.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_MOVES))]
    moves: Option<u16>,
    /// Stop at the first mate, even if it is not the shortest.
    #[arg(long)]
    any: bool,
    /// Search for mates by the side that is not to move.
    #[arg(long)]
    mated: bool,
    /// Show every first move that mates in the same number of moves.
    #[arg(long, conflicts_with = "mated")]
    all: bool,
    /// Maximum time per position: 500ms, 5s, 2m; a bare number means seconds.
    #[arg(long, value_name = "TIME", value_parser = crate::setup::parse_duration)]
    time: Option<Duration>,
    /// Maximum number of nodes per position; a node is a move played in the search.
    #[arg(long, value_name = "N", value_parser = crate::setup::parse_count)]
    nodes: Option<u64>,
    /// Size of the proof table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = mib())]
    hash: u32,
    /// Number of positions searched at the same time, each with its own table and its own other engine.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    jobs: u16,
    /// Print one JSON object per position, one per line.
    #[arg(long)]
    json: bool,
    /// File for a certificate of the winner's moves against every defence, for `cassius check`; `-` for
    /// standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    beside: BesideArgs,
}

/// The longest mate that can be searched for, in moves.
const MOST_MOVES: i64 = cassius_search::MAX_PLY as i64 / 2;

/// The time for a position if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// The maximum number of positions of a certificate, which give a file of some hundred megabytes.
const LARGEST: usize = 2_000_000;

/// Searches for mates in every position of every input. Broken inputs are reported and left out.
pub fn run(args: MateArgs) -> Result<(), Error> {
    let out: Vec<&Path> = args.out.iter().map(PathBuf::as_path).collect();
    whole_file::prepare(&out, &args.inputs)?;
    let (mut items, mut broken) = (Vec::new(), 0);
    for item in input::sources(&args.inputs).iter().flat_map(|source| source.items(Ply::Last)) {
        match item {
            Ok(mut item) => {
                // Only positions that may come again count, and there may be very many games.
                let old = item.before.len().saturating_sub(item.position.reversible_plies());
                item.before = item.before.split_off(old);
                items.push(item);
            }
            Err(complaint) => {
                broken += 1;
                terminal::complain(format_args!("{complaint}"));
            }
        }
    }
    if args.json && args.is_quiet() {
        bail!("--json and `--out -` both write to standard output: give --out a file");
    }
    if args.out.is_some() && items.len() > 1 {
        bail!("--out writes a single proof: give exactly one position");
    }

    let bar = terminal::progress(items.len() as u64);
    let enough = AtomicBool::new(false);
    let work = || -> Result<_, Error> {
        let mut peer = args.beside.start(args.hash, 1)?;
        let (items, args, enough) = (&items, &args, &enough);
        Ok(move |number: &usize| {
            let done = solve(&items[*number], args, peer.as_mut());
            enough.fetch_or(done.error.is_some(), Relaxed);
            Some((*number, done))
        })
    };
    let (mut summary, mut result) = (Summary::default(), Ok(()));
    // Positions are displayed in the order of the input, each as soon as those before it are done.
    let (mut waiting, mut shown) = (BTreeMap::new(), 0);
    let numbers: Vec<usize> = (0..items.len()).collect();
    let ended = parallel::run(&numbers, args.jobs.into(), work, &enough, &mut |(number, done)| {
        waiting.insert(number, done);
        while let Some(Done { found, error }) = waiting.remove(&shown) {
            let told = found.map_or(Ok(()), |found| {
                summary.count(&found);
                bar.suspend(|| tell(&items[shown], &found, &args))
            });
            if result.is_ok() {
                result = told.and(error.map_or(Ok(()), Err));
            }
            bar.inc(1);
            shown += 1;
        }
        result.is_ok()
    });
    bar.finish_and_clear();
    if !summary.is_empty() && !args.is_quiet() {
        let mut out = terminal::stdout(args.out.is_some());
        match args.json {
            true => writeln!(out, "{}", summary.json())?,
            false => write!(out, "{summary}")?,
        }
    }
    result.and(ended)?;
    input::summary(&args.inputs, items.len(), broken)
}

/// The result of a position. In case of an error, something may have been found before it.
struct Done {
    found: Option<Found>,
    error: Option<Error>,
}

/// Searches for mates in one position, and then asks the other engine, if there is one.
fn solve(item: &Item, args: &MateArgs, peer: Option<&mut Peer>) -> Done {
    let mut found = match search(item, args) {
        Ok(found) => found,
        Err(error) => return Done { found: None, error: Some(error) },
    };
    let mut error = None;
    // Few engines expect a position without moves, and not all support Chess960.
    let goes_on = !item.position.legal_moves().is_empty() && found.barred.is_none();
    let answers = |peer: &&mut Peer| goes_on && peer.knows(&item.position);
    if let Some(peer) = peer.filter(answers) {
        match peer.mate(&item.position, found.winner, found.moves, &args.limits()) {
            Ok(claim) => found.beside = Some(Beside { name: peer.name().into(), claim }),
            Err(complaint) => error = Some(complaint),
        }
    }
    Done { found: Some(found), error }
}

/// Prints the results, and writes the certificate.
fn tell(item: &Item, found: &Found, args: &MateArgs) -> Result<(), Error> {
    if !args.is_quiet() {
        let mut out = terminal::stdout(args.out.is_some());
        match args.json {
            true => writeln!(out, "{}", output::json(item, found))?,
            false => write!(out, "{}", output::text(item, found))?,
        }
        out.flush()?;
    }
    args.out.as_ref().map_or(Ok(()), |path| write(path, item, found))
}

impl MateArgs {
    /// Whether standard output is used for the certificate.
    fn is_quiet(&self) -> bool {
        self.out.as_deref() == Some(Path::new("-"))
    }

    /// Returns the limits of a position.
    fn limits(&self) -> LimitArgs {
        let limits = LimitArgs { nodes: self.nodes, time: self.time, depth: None };
        match limits.any() {
            true => limits,
            false => LimitArgs { time: Some(DEFAULT_TIME), ..limits },
        }
    }
}

/// Searches for mates in one position.
fn search(item: &Item, args: &MateArgs) -> Result<Found, Error> {
    let clock = Clock::start(&Allowance { settled: false, ..args.limits().allowance() });
    let table = ProofTable::new(args.hash as usize)?;
    let stated = item.mate.filter(|mate| i64::from(mate.unsigned_abs()) <= MOST_MOVES);
    let winner =
        if args.mated || stated.is_some_and(|mate| mate < 0) { Winner::Other } else { Winner::Mover };
    // What the input says of the other side is no answer to this question.
    let stated = stated.filter(|mate| (*mate < 0) == (winner == Winner::Other));
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
    let barred = Barred::of(item);
    let answer = match barred {
        None => search.find(&item.position, aim, &mut |_, found| mate = Some(found)),
        Some(_) => Answer::Unknown { disproven: None, proof: 1, disproof: 1 },
    };
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
    Ok(Found { winner, moves, stated, answer, mate, also, nodes, elapsed, barred, beside: None })
}

/// Writes a proof, after reading it back and checking it.
fn write(path: &Path, item: &Item, found: &Found) -> Result<(), Error> {
    let Some(mate) = &found.mate else { bail!("no mate was found: {} was not written", path.display()) };
    if mate.replayed.plies == 0 {
        bail!("the game is over in this position: there is nothing to write");
    }
    let proof = mate.certificate(&item.position, LARGEST)?;
    certificate::check(&proof)
        .context("the proof that would be written does not hold; please report this")?;
    match path == Path::new("-") {
        true => anstream::stdout().lock().write_all(proof.to_string().as_bytes())?,
        false => whole_file::write(path, proof.to_string())?,
    }
    Ok(())
}
