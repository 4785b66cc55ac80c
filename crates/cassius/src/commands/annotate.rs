//! `cassius annotate`: games, annotated.

use super::explain::EffortArgs;
use crate::{Error, terminal, whole_file};
use anyhow::{Context as _, bail};
use cassius_chess::pgn::{Game, Games};
use cassius_insight::{AnnotatedGame, Effort, REVISION, annotate, erase, html, write_into};
use cassius_lab::kept::{Kept, fnv};
use cassius_lab::parallel;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Arguments of `cassius annotate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each game is judged from its end to its beginning, so that neighbouring values agree. After each
move stands [%eval V], the value for White as other programs write it, and [%safe W,B]: how deep
White's and Black's plans to keep the value are, in own moves with all the options one could wish
for, each as it was when that side was last to move; 0 where no plan was shown, - where nothing is
left to hold. Only moves (a square, $7) are those that had to be found and were; ?!, ? and ?? lower
the win probability by 10, 20 and 30 %. Comments, variations and glyphs of others stay, evaluations
of others are replaced. To annotate again writes the same.
With --out or --html, what is done is kept beside that file (FILE.jsonl) until all is done: the
same command goes on where it was broken off. Games that cannot be read, or follow other rules than
those of chess and Chess960, are named and left out.

Examples:
  cassius annotate game.pgn > annotated.pgn
  cassius annotate game.pgn --html game.html
  cassius annotate games.pgn --out annotated.pgn --jobs 4
  cassius annotate games.pgn --nodes 1M --plan-nodes 0 --out annotated.pgn")]
pub struct AnnotateArgs {
    /// Files with games (PGN), or `-` for standard input.
    #[arg(required = true, value_name = "PGN")]
    inputs: Vec<String>,
    /// Where to write the annotated games; otherwise, and without --html, they are printed. `-` for standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a page for a browser, of all the games: a board to step through, values, both sides' safety, only moves, errors. It needs no network. `-` for standard output.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// One JSON object a game, a line each, in the place of PGN.
    #[arg(long)]
    json: bool,
    /// Games at the same time, each on a thread with a table of its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    #[command(flatten)]
    effort: EffortArgs,
}

/// Annotates every game of every input. What is broken is named and left out.
pub fn run(args: AnnotateArgs) -> Result<(), Error> {
    let is_file = |path: &&Path| *path != Path::new("-");
    let (out, page) = (args.out.as_deref().filter(is_file), args.html.as_deref().filter(is_file));
    let printed = out.is_none() && (args.out.is_some() || args.html.is_none() || args.json);
    let page_printed = args.html.is_some() && page.is_none();
    if printed && page_printed {
        bail!("standard output would be written twice: name a file");
    }
    let mut outputs: Vec<&Path> = out.into_iter().chain(page).collect();
    let journal =
        outputs.first().filter(|output| !whole_file::is_device(output)).map(|output| journal(output));
    outputs.extend(journal.as_deref());
    whole_file::keep_apart(&outputs, &args.inputs)?;
    outputs.iter().try_for_each(|output| whole_file::try_write(output))?;

    let (games, broken) = read(&args.inputs);
    if games.is_empty() {
        bail!("there is no game to annotate: nothing is written");
    }
    let keys: Vec<String> = games.iter().map(|game| args.key(game)).collect();
    let kept = journal.as_deref().map(|path| open(path, &keys)).transpose()?;
    let (annotated, told) = annotate_all(&games, &keys, &args, kept.as_ref())?;
    if args.html.is_some() {
        put(page, &html(&annotated))?;
    }
    if printed || out.is_some() {
        put(out, &written(games, &annotated, args.json)?)?;
    }
    // Nothing is mixed with games or a page that are read on from there.
    let read_on = printed || page_printed || out.is_some_and(whole_file::is_device);
    if !read_on && !args.json && !told.is_empty() {
        writeln!(anstream::stdout().lock(), "{told}")?;
    }
    if let Some((kept, path)) = kept.zip(journal) {
        // A journal that could not be written is no loss any more.
        drop(kept);
        let _ = fs::remove_file(path);
    }
    match broken {
        0 => Ok(()),
        1 => bail!("1 file or game could not be read; what could was done"),
        _ => bail!("{broken} files or games could not be read; what could was done"),
    }
}

impl AnnotateArgs {
    /// How much is looked at.
    fn effort(&self) -> Effort {
        self.effort.effort(Effort::of_a_game())
    }

    /// Everything on which the annotation of a game depends.
    fn key(&self, game: &Game) -> String {
        let (effort, hash) = (self.effort(), self.effort.hash);
        format!("{REVISION} {effort:?} {hash} MiB {:016x}", fnv(game.to_string().as_bytes()))
    }
}

/// Writes a file, or, if none is named, to standard output.
fn put(file: Option<&Path>, text: &str) -> Result<(), Error> {
    match file {
        Some(path) => whole_file::write(path, text),
        None => Ok(anstream::stdout().lock().write_all(text.as_bytes())?),
    }
}

/// What a run before this one has done of these games.
fn open(path: &Path, keys: &[String]) -> Result<Kept, Error> {
    let name = path.display();
    let kept = Kept::open(path).with_context(|| name.to_string())?;
    let keys: BTreeSet<&String> = keys.iter().collect();
    match kept.keys().iter().filter(|key| !keys.contains(key)).count() {
        0 => Ok(kept),
        others => {
            let games = if others == 1 { "1 game".into() } else { format!("{others} games") };
            bail!(
                "{name} holds {games} annotated otherwise or not of this input: end that run, write elsewhere, or delete the file"
            )
        }
    }
}

/// The games in their order, and how many could not be read; these are named.
fn read(inputs: &[String]) -> (Vec<Game>, usize) {
    let (mut games, mut broken) = (Vec::new(), 0);
    let mut complain = |what: std::fmt::Arguments<'_>| {
        broken += 1;
        terminal::complain(what);
    };
    for input in inputs {
        let (name, reader): (&str, Box<dyn BufRead>) = match input.as_str() {
            "-" => ("standard input", Box::new(BufReader::new(io::stdin()))),
            path => match File::open(path) {
                Ok(file) => (path, Box::new(BufReader::new(file))),
                Err(error) => {
                    complain(format_args!("{path}: {error}"));
                    continue;
                }
            },
        };
        let mut none = true;
        for game in Games::new(reader) {
            none = false;
            match game {
                Ok(mut game) => {
                    erase(&mut game);
                    games.push(game);
                }
                Err(error) => complain(format_args!("{name}: {error}")),
            }
        }
        if none {
            complain(format_args!("{name}: no game"));
        }
    }
    (games, broken)
}

/// Annotates what has not been annotated before. Also returns how long it took, in words.
fn annotate_all(
    games: &[Game],
    keys: &[String],
    args: &AnnotateArgs,
    kept: Option<&Kept>,
) -> Result<(Vec<AnnotatedGame>, String), Error> {
    let mut annotated: Vec<Option<AnnotatedGame>> =
        keys.iter().map(|key| kept.and_then(|kept| kept.get(key))).collect();
    let todo: Vec<usize> = (0..games.len()).filter(|index| annotated[*index].is_none()).collect();
    let plies =
        |indices: &[usize]| indices.iter().map(|index| games[*index].moves.len() as u64 + 1).sum::<u64>();
    let (steps, begin) = (if args.effort().plan_nodes > 0 { 2 } else { 1 }, Instant::now());
    let bar = terminal::progress(steps * plies(&todo));
    let enough = AtomicBool::new(false);
    let work = || -> Result<_, Error> {
        let mut analyst = args.effort.analyst(Effort::of_a_game())?;
        let bar = &bar;
        Ok(move |index: &usize| {
            let mut progress = |_| {
                bar.inc(1);
                true
            };
            annotate(&mut analyst, &games[*index], &mut progress).map(|annotated| (*index, annotated))
        })
    };
    parallel::run(&todo, args.jobs.into(), work, &enough, &mut |(index, game): (usize, AnnotatedGame)| {
        if let Some(kept) = kept {
            kept.put(&keys[index], &game);
        }
        annotated[index] = Some(game);
        true
    })?;
    bar.finish_and_clear();
    let (done, seconds) = (plies(&todo), begin.elapsed().as_secs_f64());
    let count = |games: usize| if games == 1 { "1 game".into() } else { format!("{games} games") };
    let mut told = String::new();
    if done > 0 {
        let rate = done as f64 / seconds;
        told = format!("{}, {done} positions in {seconds:.1} s, {rate:.2} a second", count(todo.len()));
        if todo.len() < games.len() {
            let before = games.len() - todo.len();
            told += &format!("; {} {} done before", count(before), if before == 1 { "was" } else { "were" });
        }
    }
    Ok((annotated.into_iter().flatten().collect(), told))
}

/// The games with what was found.
fn written(games: Vec<Game>, annotated: &[AnnotatedGame], json: bool) -> Result<String, Error> {
    let mut text = String::new();
    for (mut game, found) in games.into_iter().zip(annotated) {
        if json {
            text += &serde_json::to_string(found)?;
        } else {
            write_into(&mut game, found);
            text += &game.to_string();
        }
        text.push('\n');
    }
    Ok(text)
}

/// Where is kept what is done.
fn journal(output: &Path) -> PathBuf {
    let mut name = OsString::from(output);
    name.push(".jsonl");
    name.into()
}
