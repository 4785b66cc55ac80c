//! `cassius annotate`: games, annotated.

use super::explain::EffortArgs;
use crate::{Error, terminal, whole_file};
use anyhow::{Context as _, bail};
use cassius_chess::pgn::{Game, Games};
use cassius_insight::{AnnotatedGame, Effort, REVISION, annotate, erase, html, write_into};
use cassius_lab::kept::{Kept, fnv};
use cassius_lab::parallel;
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
for, each as it was when that side was last to move. Only moves (a square, $7) are those that had
to be found and were; ?!, ? and ?? lower the win probability by 10, 20 and 30 %. Comments,
variations and glyphs of others stay, evaluations of others are replaced. To annotate again writes
the same.
With --out or --html, what is done is kept beside that file (FILE.jsonl) until all is done: the
same command goes on where it was broken off. Games that cannot be read are named and left out.

Examples:
  cassius annotate game.pgn > annotated.pgn
  cassius annotate game.pgn --html game.html
  cassius annotate games.pgn --out annotated.pgn --jobs 4
  cassius annotate games.pgn --nodes 1M --plan-nodes 0 --out annotated.pgn")]
pub struct AnnotateArgs {
    /// Files with games (PGN), or `-` for standard input.
    #[arg(required = true, value_name = "PGN")]
    inputs: Vec<String>,
    /// Where to write the annotated games; otherwise, and without --html, they are printed.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a page for a browser, of all the games: a board to step through, values, both sides' safety, only moves, errors. It needs no network.
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
    let outputs: Vec<&Path> = args.out.iter().chain(&args.html).map(PathBuf::as_path).collect();
    if args.out.is_some() && args.out == args.html {
        bail!("--out and --html name the same file: {}", outputs[0].display());
    }
    for output in &outputs {
        refuse_inputs(output, &args.inputs)?;
        whole_file::try_write(output)?;
    }
    let (games, broken) = read(&args.inputs);
    let kept = outputs.first().map(|output| journal(output));
    let kept = kept.map(|path| {
        Kept::open(&path).map(|kept| (kept, path.clone())).with_context(|| path.display().to_string())
    });
    let kept = kept.transpose()?;
    let annotated = annotate_all(&games, &args, kept.as_ref().map(|(kept, _)| kept))?;
    if let Some(path) = &args.html {
        whole_file::write(path, &html(&annotated))?;
    }
    let text = written(games, &annotated, args.json)?;
    match &args.out {
        Some(path) => whole_file::write(path, &text)?,
        None if args.html.is_some() && !args.json => {}
        None => anstream::stdout().lock().write_all(text.as_bytes())?,
    }
    if let Some((kept, path)) = kept {
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

/// Annotates what has not been annotated before.
fn annotate_all(
    games: &[Game],
    args: &AnnotateArgs,
    kept: Option<&Kept>,
) -> Result<Vec<AnnotatedGame>, Error> {
    let effort = args.effort.effort(Effort::of_a_game());
    let key = |game: &Game| {
        format!("{REVISION} {effort:?} {} MiB {:016x}", args.effort.hash, fnv(game.to_string().as_bytes()))
    };
    let mut annotated: Vec<Option<AnnotatedGame>> =
        games.iter().map(|game| kept.and_then(|kept| kept.get(&key(game)))).collect();
    let todo: Vec<usize> = (0..games.len()).filter(|index| annotated[*index].is_none()).collect();
    let plies =
        |indices: &[usize]| indices.iter().map(|index| games[*index].moves.len() as u64 + 1).sum::<u64>();
    let (steps, begin) = (if effort.plan_nodes > 0 { 2 } else { 1 }, Instant::now());
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
            kept.put(&key(&games[index]), &game);
        }
        annotated[index] = Some(game);
        true
    })?;
    bar.finish_and_clear();
    let done = plies(&todo);
    if (args.out.is_some() || args.html.is_some()) && !args.json && done > 0 {
        let seconds = begin.elapsed().as_secs_f64();
        let again = games.len() - todo.len();
        let mut out = anstream::stdout().lock();
        write!(
            out,
            "{} games, {done} positions in {seconds:.1} s, {:.2} a second",
            todo.len(),
            done as f64 / seconds
        )?;
        writeln!(
            out,
            "{}",
            if again > 0 { format!("; {again} games were done before") } else { String::new() }
        )?;
    }
    Ok(annotated.into_iter().flatten().collect())
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

/// An output must not be one of the inputs: an error would lose both.
fn refuse_inputs(output: &Path, inputs: &[String]) -> Result<(), Error> {
    let same = |input: &&String| {
        let known = |path: &Path| fs::canonicalize(path).ok();
        let input = known(Path::new(input));
        [output, &whole_file::part(output)]
            .into_iter()
            .any(|output| input.is_some() && known(output) == input)
    };
    match inputs.iter().find(same) {
        Some(input) => bail!("{input} would be overwritten: write to another file"),
        None => Ok(()),
    }
}
