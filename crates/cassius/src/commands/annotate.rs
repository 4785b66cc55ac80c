//! `cassius annotate`: annotates games.

use super::explain::{EffortArgs, Sources};
use super::schema::VERSION;
use crate::{Error, terminal, whole_file};
use anyhow::{Context as _, bail};
use cassius_chess::pgn::{Game, Games};
use cassius_insight::{
    AnnotatedGame, Effort, REVISION, Story, annotate, erase, html_of, html_title, write_html, write_into,
};
use cassius_lab::kept::Kept;
use cassius_lab::parallel;
use cassius_search::fnv;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Arguments of `cassius annotate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each game is analysed from its end to its beginning, so that neighbouring values agree.
After each move, [%eval V] gives the value for White in the form that other programs use.
[%safe W,B] gives the depths of White's and Black's plans to keep the value, each from when that \
side was last to move. The unit is one own move with ample options; a move with few options counts \
less. 0 means that no plan was found, - that nothing is left to hold, and ? that plans were not \
searched (--plan-nodes 0).
An only move (a square, $7) had to be found and was played. ?!, ? and ?? mark a loss of at least 5, \
10 and 15 percentage points of win probability, as on Lichess.
After the last move it is said if a side lost although its position held, or the game was drawn in a \
won position. That a side resigned or ran out of time is said only if the tag Termination or a comment \
on the last move says so.
Existing comments, variations and glyphs are kept; existing evaluations are replaced. Annotating the \
output again gives the same text.
With --out or --html, finished games are saved next to that file, in FILE.jsonl, until all games are \
done. After an interruption, the same command continues; only unfinished games start again. Without \
these options, games are printed as they are finished.
Games that cannot be read, or that are neither chess nor Chess960, are reported and skipped. At a game of \
Chess960 an --engine that does not know it ends the command.

Examples:
  cassius annotate game.pgn > annotated.pgn
  cassius annotate game.pgn --html game.html
  cassius annotate games.pgn --out annotated.pgn --jobs 4
  cassius annotate games.pgn --nodes 1M --plan-nodes 0 --out annotated.pgn
  cassius annotate games.pgn --engine stockfish --jobs 2 --engine-cache answers.jsonl \\
    --out annotated.pgn")]
pub struct AnnotateArgs {
    /// Files with games (PGN), or `-` for standard input.
    #[arg(required = true, value_name = "PGN")]
    inputs: Vec<OsString>,
    /// File for the annotated games; `-` for standard output. Without it, they are printed unless --html
    /// is given.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// File for a web page of all games, with a board to step through, values, the safety of both sides,
    /// only moves and errors; `-` for standard output. The page needs no network.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write one JSON object per game, one per line, instead of PGN: the annotations, and the story with
    /// opening, phases, accuracy and key moments.
    #[arg(long)]
    json: bool,
    /// Number of games annotated at the same time, each by a thread with its own table.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    jobs: u16,
    #[command(flatten)]
    effort: EffortArgs,
}

/// The output of a game: for a file of games, for the page, or both.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    text: Option<String>,
    page: Option<String>,
}

/// A game as JSON.
#[derive(JsonSchema, Serialize)]
#[schemars(title = "cassius annotate --json")]
struct Told<'a> {
    /// The version of this format.
    version: u32,
    #[serde(flatten)]
    game: &'a AnnotatedGame,
    story: Story,
}

/// Returns the schema of the JSON.
pub(super) fn schema() -> schemars::Schema {
    super::schema::of::<Told<'_>>()
}

/// Annotates every game of every input. Broken games are reported and left out.
pub fn run(args: AnnotateArgs) -> Result<(), Error> {
    let is_file = |path: &&Path| *path != Path::new("-");
    let (out, page) = (args.out.as_deref().filter(is_file), args.html.as_deref().filter(is_file));
    let page_printed = args.html.is_some() && page.is_none();
    let printed = args.writes_games() && out.is_none();
    if printed && page_printed {
        bail!("standard output would be written twice: name a file for one of them");
    }
    let mut outputs: Vec<&Path> = out.into_iter().chain(page).collect();
    let journal = outputs.iter().find(|output| !whole_file::is_device(output)).map(|output| journal(output));
    outputs.extend(journal.as_deref());
    whole_file::prepare(&outputs, &args.effort.files(&args.inputs))?;

    let (games, broken) = read(&args.inputs);
    let title = match &games[..] {
        [] => bail!("no game to annotate: nothing was written"),
        [game] => html_title(&game.tags),
        several => format!("{} games", several.len()),
    };
    let sources = args.effort.sources(Effort::of_a_game())?;
    let told = match &journal {
        None => print_all(&games, &args, &sources, (out, page), &title)?,
        Some(journal) => {
            let keys: Vec<String> = games.iter().map(|game| args.key(game, &sources)).collect();
            let told = keep_all(&games, &keys, &args, &sources, journal)?;
            let kept = open(journal, &keys)?;
            let read = |key: &String| {
                let lost = || io::Error::other(format!("{} was changed during the run", journal.display()));
                kept.get::<Written>(key).ok_or_else(lost)
            };
            let write_page = || {
                let games = keys.iter().map(|key| Ok(read(key)?.page.unwrap_or_default()));
                if args.html.is_some() { fill(page, |out| write_html(out, &title, games)) } else { Ok(()) }
            };
            let write_games = || {
                let mut games = keys.iter().map(|key| Ok(read(key)?.text.unwrap_or_default()));
                let all = |out: &mut dyn Write| {
                    games.try_for_each(|game: io::Result<String>| out.write_all(game?.as_bytes()))
                };
                if args.writes_games() { fill(out, all) } else { Ok(()) }
            };
            // The reader of printed output may close the pipe, so files are written first.
            if page_printed || page.is_some_and(whole_file::is_device) {
                write_games().and_then(|()| write_page())?;
            } else {
                write_page().and_then(|()| write_games())?;
            }
            // The results have been written elsewhere, so the journal is no longer needed, unless it holds
            // the games of another input.
            let others = kept.keys().into_iter().filter(|key| !keys.contains(key)).count();
            drop(kept);
            match others {
                0 => drop(fs::remove_file(journal)),
                others => terminal::note(format_args!(
                    "{} is kept: it has {} that this input does not have; delete it if you do not need them",
                    journal.display(),
                    count(others)
                )),
            }
            told
        }
    };
    // Nothing is added to output that another program may read.
    let read_on = printed || page_printed || [out, page].into_iter().flatten().any(whole_file::is_device);
    if !read_on && !args.json && !told.is_empty() {
        writeln!(anstream::stdout().lock(), "{told}")?;
    }
    match broken {
        0 => Ok(()),
        1 => bail!("1 file or game could not be read; the rest was processed"),
        _ => bail!("{broken} files or games could not be read; the rest was processed"),
    }
}

/// Incremented whenever the same findings are written in another way.
const EDITION: u32 = 2;

impl AnnotateArgs {
    /// Returns the effort of the search.
    fn effort(&self) -> Effort {
        self.effort.effort(Effort::of_a_game())
    }

    /// Whether games are written, and not only a page.
    fn writes_games(&self) -> bool {
        self.out.is_some() || self.html.is_none() || self.json
    }

    /// Returns everything on which the output of a game depends.
    fn key(&self, game: &Game, sources: &Sources) -> String {
        let sources = sources.key();
        let (effort, hash, tables) = (self.effort(), self.effort.hash, self.effort.syzygy.as_deref());
        let (version, wanted) =
            (env!("CARGO_PKG_VERSION"), [self.writes_games(), self.json, self.html.is_some()]);
        let game = fnv(game.to_string().bytes());
        format!(
            "{version} {REVISION} {EDITION} {effort:?} {hash} MiB {tables:?} {wanted:?} {game:016x} {sources}"
        )
    }

    /// Returns the output of a game with its annotations.
    fn written(&self, game: &Game, found: &AnnotatedGame) -> Written {
        let text = || match self.json {
            true => {
                let told = Told { version: VERSION, game: found, story: Story::of(found) };
                serde_json::to_string(&told).expect("strings and numbers") + "\n"
            }
            false => {
                let mut game = game.clone();
                write_into(&mut game, found);
                format!("{game}\n")
            }
        };
        Written { text: self.writes_games().then(text), page: self.html.is_some().then(|| html_of(found)) }
    }
}

/// Writes a file, or standard output if none is given.
fn fill(file: Option<&Path>, pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    match file {
        Some(path) => whole_file::fill(path, pieces),
        None => {
            let mut out = anstream::stdout().lock();
            pieces(&mut out).and_then(|()| out.flush()).context("standard output")
        }
    }
}

/// Opens the journal, which contains the games that an earlier run has finished.
fn open(path: &Path, keys: &[String]) -> Result<Kept, Error> {
    let name = path.display();
    let kept = Kept::open(path).with_context(|| name.to_string())?;
    let keys: BTreeSet<&String> = keys.iter().collect();
    let (ours, others): (Vec<_>, Vec<_>) = kept.keys().into_iter().partition(|key| keys.contains(key));
    // A game that was corrected since then is annotated again. If no game of this input is in the
    // journal, it belongs to another run.
    match ours.is_empty() && !others.is_empty() {
        false => Ok(kept),
        true => bail!(
            "{name} contains {} annotated with other settings or from other input: finish that run, choose \
             another output file, or delete this one",
            count(others.len())
        ),
    }
}

/// Returns the games in order, and the number of those that could not be read. Those are reported.
fn read(inputs: &[OsString]) -> (Vec<Game>, usize) {
    let (mut games, mut broken) = (Vec::new(), 0);
    let mut complain = |what: std::fmt::Arguments<'_>| {
        broken += 1;
        terminal::complain(what);
    };
    for input in inputs {
        let path = Path::new(input);
        let name = if input == "-" { "standard input".into() } else { path.to_string_lossy() };
        let reader: Box<dyn BufRead> = match File::open(path) {
            _ if input == "-" => Box::new(BufReader::new(io::stdin())),
            _ if path.is_dir() => {
                complain(format_args!("{name}: a folder, not a file"));
                continue;
            }
            Ok(file) => Box::new(BufReader::new(file)),
            Err(error) => {
                complain(format_args!("{name}: {error}"));
                continue;
            }
        };
        let mut none = true;
        for (number, game) in (1..).zip(Games::new(reader)) {
            none = false;
            match game {
                Ok(mut game) => {
                    if let Some(doubt) = game.doubt() {
                        terminal::note(format_args!("{name}: game {number}: {doubt}"));
                    }
                    erase(&mut game);
                    games.push(game);
                }
                Err(error) => complain(format_args!("{name}: {error}")),
            }
        }
        if none {
            complain(format_args!("{name}: no game found"));
        }
    }
    (games, broken)
}

/// Annotates the games that are not in the journal yet, and adds them to it. Returns the time it took,
/// as text.
fn keep_all(
    games: &[Game],
    keys: &[String],
    args: &AnnotateArgs,
    sources: &Sources,
    journal: &Path,
) -> Result<String, Error> {
    let kept = open(journal, keys)?;
    let mut seen = BTreeSet::new();
    // A game that occurs twice is annotated once.
    let different: Vec<usize> = (0..games.len()).filter(|index| seen.insert(&keys[*index])).collect();
    let is_done = |index: &usize| kept.get::<Written>(&keys[*index]).is_some();
    let (before, todo): (Vec<usize>, Vec<usize>) = different.iter().partition(|index| is_done(index));
    if !todo.is_empty() {
        kept.lock().with_context(|| journal.display().to_string())?;
    }
    let mut done = before.len();
    let mut each = |index: usize, written| {
        let is_kept = kept.put(&keys[index], &written);
        done += usize::from(is_kept);
        is_kept
    };
    let told = annotate_all(games, &todo, args, sources, &mut each);
    kept.close().with_context(|| {
        let (name, done) = (journal.display(), count(done));
        format!("{name} contains {done}, and no more can be saved; the same command continues from there")
    })?;
    let mut told = told.with_context(|| {
        format!("{} contains {}; the same command continues from there", journal.display(), count(done))
    })?;
    let is_or_are = |games: usize, one, several| if games == 1 { one } else { several };
    let repeated = games.len() - different.len();
    for (games, what) in [
        (before.len(), is_or_are(before.len(), "was done earlier", "were done earlier")),
        (repeated, is_or_are(repeated, "is a duplicate", "are duplicates")),
    ] {
        if games > 0 {
            told += &format!("{}{} {what}", if told.is_empty() { "" } else { "; " }, count(games));
        }
    }
    Ok(told)
}

/// Annotates all games and prints each as soon as it and those before it are done. Returns the time it
/// took, as text.
fn print_all(
    games: &[Game],
    args: &AnnotateArgs,
    sources: &Sources,
    (out, page): (Option<&Path>, Option<&Path>),
    title: &str,
) -> Result<String, Error> {
    let mut printer: Box<dyn Write> = match out {
        Some(path) => {
            Box::new(File::options().append(true).open(path).with_context(|| path.display().to_string())?)
        }
        None => Box::new(anstream::stdout()),
    };
    let (mut waiting, mut pages, mut error) = (BTreeMap::new(), Vec::new(), None);
    let todo: Vec<usize> = (0..games.len()).collect();
    let told = annotate_all(games, &todo, args, sources, &mut |index, written: Written| {
        waiting.insert(index, written);
        while let Some(written) = waiting.remove(&pages.len()) {
            let text = written.text.unwrap_or_default();
            if let Err(failed) = printer.write_all(text.as_bytes()).and_then(|()| printer.flush()) {
                error = Some(failed);
                return false;
            }
            pages.push(written.page.unwrap_or_default());
        }
        true
    })?;
    if let Some(error) = error {
        return Err(error)
            .with_context(|| out.map_or("standard output".into(), |path| path.display().to_string()));
    }
    if args.html.is_some() {
        fill(page, |out| write_html(out, title, pages.into_iter().map(Ok)))?;
    }
    Ok(told)
}

/// Annotates these games and passes each output to `each` as soon as it is done. Ends if `each` cannot
/// keep it. Returns the time it took, as text.
fn annotate_all(
    games: &[Game],
    todo: &[usize],
    args: &AnnotateArgs,
    sources: &Sources,
    each: &mut dyn FnMut(usize, Written) -> bool,
) -> Result<String, Error> {
    let plies: u64 = todo.iter().map(|index| games[*index].moves.len() as u64 + 1).sum();
    let (steps, begin) = (if args.effort().plan_nodes > 0 { 2 } else { 1 }, Instant::now());
    let bar = terminal::progress(steps * plies);
    let enough = AtomicBool::new(false);
    let work = || -> Result<_, Error> {
        let mut analyst = args.effort.analyst(Effort::of_a_game(), sources)?;
        let (bar, enough) = (&bar, &enough);
        Ok(move |index: &usize| {
            let mut progress = |_: &AnnotatedGame, _| {
                bar.inc(1);
                !enough.load(Relaxed)
            };
            let found = annotate(&mut analyst, &games[*index], &mut progress).transpose()?;
            Some(found.map(|found| (*index, args.written(&games[*index], &found))))
        })
    };
    let mut failed = None;
    parallel::run(todo, args.jobs.into(), work, &enough, &mut |written| match written {
        Ok((index, written)) => bar.suspend(|| each(index, written)),
        Err(error) => {
            failed = Some(error);
            false
        }
    })?;
    bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(error.into());
    }
    if plies == 0 {
        return Ok(String::new());
    }
    let seconds = begin.elapsed().as_secs_f64();
    let rate = plies as f64 / seconds;
    Ok(format!("{}, {plies} positions in {seconds:.1} s, {rate:.2} per second", count(todo.len())))
}

fn count(games: usize) -> String {
    if games == 1 { "1 game".into() } else { format!("{games} games") }
}

/// Returns the path of the journal.
fn journal(output: &Path) -> PathBuf {
    let mut name = OsString::from(output);
    name.push(".jsonl");
    name.into()
}
