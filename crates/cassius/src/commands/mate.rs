//! `cassius mate`: forced mates, proven and replayed, or the proof that there is none.

mod beside;
mod output;

use super::analyse::input::{self, Item, Ply};
use crate::clock::{Budget, Clock};
use crate::peer::Peer;
use crate::setup::{LimitArgs, mib};
use crate::{Error, terminal, whole_file};
use anyhow::bail;
use beside::{Beside, BesideArgs};
use cassius_chess::mate::{Aim, Mate, MateSearch, Winner};
use cassius_chess::{Move, certificate};
use cassius_lab::parallel;
use cassius_search::proof::ProofTable;
use output::{Found, Summary};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Arguments of `cassius mate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Mates and that there are none are proven, by proof-number search; every mate that is shown was replayed against all defences by the \
rules alone. A mate is sought first, and then shorter ones until it is proven that there is none; --any takes whatever comes first. Of a \
position with `dm N` or `bm #N` only a mate in N is asked for, unless --moves says otherwise (with a negative N the side to move is \
mated); they are counted at the end. Without a limit each position gets ten seconds.

Another engine (--beside) is asked `go mate N` about each position afterwards, under the same limits, with one thread and as large a \
table; N is 100 where any mate will do. With one job the two never run at the same time. What it claims is the last mate in at most N \
moves that it gives as an exact value. Nobody checks it; but where it is proven here that there is none so short, that is said. Many \
engines stop at the first mate in N that they see: so does --any here.

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
    /// Positions at the same time, each with a table, and another engine, of its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// One JSON object a position, a line each.
    #[arg(long)]
    json: bool,
    /// Write the winner's moves against every defence, as a certificate that `cassius check` replays;
    /// `-` for standard output.
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
    whole_file::keep_apart(&out, &args.inputs)?;
    let (mut items, mut broken) = (Vec::new(), 0);
    for item in input::sources(&args.inputs).iter().flat_map(|source| source.items(Ply::Last)) {
        match item {
            Ok(item) => items.push(Item { before: Vec::new(), ..item }), // the game before it has no use here
            Err(complaint) => {
                broken += 1;
                terminal::complain(format_args!("{complaint}"));
            }
        }
    }
    if args.out.is_some() && items.len() != 1 {
        bail!("--out writes one proof: name one position");
    }

    let bar = terminal::progress(items.len() as u64);
    let enough = AtomicBool::new(false);
    let work = || -> Result<_, Error> {
        let mut peer = args.beside.start(args.hash)?;
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
        let mut out = anstream::stdout().lock();
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
    let answers = |peer: &&mut Peer| !item.position.legal_moves().is_empty() && peer.knows(&item.position);
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
        let mut out = anstream::stdout().lock();
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
    let clock = Clock::start(&Budget { settled: false, ..args.limits().budget() });
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
    Ok(Found { winner, moves, stated, answer, mate, also, nodes, elapsed, beside: None })
}

/// Writes a proof, after reading it back and checking it.
fn write(path: &Path, item: &Item, found: &Found) -> Result<(), Error> {
    let Some(mate) = &found.mate else { bail!("no mate was found: {} is not written", path.display()) };
    if mate.replayed.plies == 0 {
        bail!("the game is over here: there is nothing to write down");
    }
    let proof = mate.certificate(&item.position, LARGEST)?;
    certificate::check(&proof)?;
    match path == Path::new("-") {
        true => anstream::stdout().lock().write_all(proof.to_string().as_bytes())?,
        false => whole_file::write(path, &proof.to_string())?,
    }
    Ok(())
}
