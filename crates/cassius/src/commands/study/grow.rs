//! `cassius study grow`.

use super::engines::EnginesArgs;
use super::live::{InWork, Progress, View};
use super::pool::{Leaves, Report, Worker};
use super::proofs::ProofArgs;
use super::{open, parameters, show, with_name};
use crate::commands::analyse::output::end_of_game;
use crate::setup::{parse_count, parse_duration, parse_effort, parse_position, parse_setting};
use crate::{Error, terminal};
use anyhow::{anyhow, bail, ensure};
use cassius_chess::Position;
use cassius_search::best_first::Whose;
use cassius_search::game::Repeats as _;
use cassius_search::study::{Asked, Errors, Growth, LeafId, Refused, Steps};
use cassius_study::{StudyError, StudyFile};
use shakmaty::Color;
use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Arguments of `cassius study grow`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A file that does not exist is created; it needs --position. Ctrl-C ends the run when the judgements in \
work are there, and shows the verdict; a second one ends it at once, and nothing that was judged is \
lost.
Settings given once are kept in the file, and hold until they are given again; only Errors.gap and \
Errors.unit are fixed by the first judgement. Parameters: \
Errors.effort, .judged, .inherited, .gap, .others and .exponent (how far judgements are trusted; \
`cassius study measure` finds them), and Steps.effort, .again and .most (the nodes for a leaf, by what \
they are multiplied when it is judged again, and up to how many times the first).")]
pub struct GrowArgs {
    /// File of the study.
    #[arg(value_name = "STUDY")]
    file: PathBuf,
    /// The position of a new study: a FEN, or `startpos`.
    #[arg(long, value_name = "FEN", value_parser = parse_position)]
    position: Option<Position>,
    /// Nodes for the first judgement of a leaf. Short for --set Steps.effort=N.
    #[arg(long, value_name = "N", value_parser = parse_effort)]
    nodes: Option<u64>,
    /// Which leaf is next: the one on which it depends most whether the best move is best; that of the best
    /// line; or the one on which the value depends most if White, or Black, has one move for each position.
    #[arg(long, value_name = "RULE", value_enum)]
    growth: Option<Rule>,
    /// Set a parameter, such as Errors.judged=150; may be repeated.
    #[arg(long = "set", value_name = "COMPONENT.NAME=VALUE", value_parser = parse_setting)]
    set: Vec<(String, i32)>,
    /// Clear an engine's table before each leaf, so that a judgement depends on nothing but the leaf.
    /// Otherwise the engines go on with what they have found, and judge better.
    #[arg(long)]
    fresh: bool,
    /// Show the verdict, the moves, what the verdict hangs on and what is being judged while the study grows,
    /// on the whole terminal.
    #[arg(long)]
    live: bool,
    /// Stop after this time, when the judgements in work are there.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Stop when the study has this many judgements.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    judgements: Option<u64>,
    /// Stop when the engines have searched this many nodes for the study.
    #[arg(long = "total-nodes", value_name = "N", value_parser = parse_count)]
    total: Option<u64>,
    /// Stop when the chance that another move is best is less than this.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    doubt: Option<f32>,
    #[command(flatten)]
    engines: EnginesArgs,
    #[command(flatten)]
    proofs: ProofArgs,
}

/// A rule of growth.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Rule {
    Weighted,
    ByValue,
    RepertoireWhite,
    RepertoireBlack,
}

fn parse_percent(text: &str) -> Result<f32, String> {
    let number: f32 = text.trim().trim_end_matches('%').trim().parse().map_err(|_| "expected a number")?;
    if (0.0..=100.0).contains(&number) { Ok(number / 100.0) } else { Err("expected 0 to 100 %".into()) }
}

/// How often limits and wishes are looked at while nothing else happens.
const LOOK: Duration = Duration::from_millis(200);

/// Grows a study.
pub fn run(args: &GrowArgs) -> Result<(), Error> {
    View::is_possible(args.live)?;
    let interrupted = interrupted(args.live)?;
    let (mut workers, proofs) = (Vec::new(), args.proofs.open()?);
    for job in 0..args.engines.jobs()? {
        let (launch, peer) = args.engines.start(job, true)?;
        let mut worker = Worker::new(launch, peer, Some(proofs.clone()));
        worker.remember(!args.fresh);
        worker.end_with(interrupted.clone());
        workers.push(worker);
    }
    // A setting that is refused begins no study, nor does an engine that does not know the position.
    parameters::set(&mut Errors::default(), &mut Steps::default(), &args.set)?;
    let all_know = |position: &Position| {
        workers.iter().try_for_each(|worker| {
            ensure!(worker.knows(position), "'{}' does not support Chess960", worker.name().name);
            Ok(())
        })
    };
    args.position.iter().try_for_each(all_know)?;
    let alone = StudyFile::alone(&args.file).map_err(|error| with_name(error, &args.file))?;
    let mut file = begin(args)?;
    set(&mut file, args).map_err(|error| error.context(args.file.display().to_string()))?;
    all_know(file.study().root())?;
    let why = grow(&mut file, workers, args, &interrupted)?;
    drop(alone);
    terminal::note(format_args!("{why}"));
    show::print(&mut file, &args.file, false)
}

/// Opens the study, or creates it.
fn begin(args: &GrowArgs) -> Result<StudyFile, Error> {
    if StudyFile::is_begun(&args.file) {
        let file = open(&args.file)?;
        let root = file.study().root();
        // Positions are equal whatever their clocks, but a clock may decide the game.
        let is_root = |position: &Position| position == root && position.halfmoves() == root.halfmoves();
        if let Some(position) = args.position.as_ref().filter(|position| !is_root(position)) {
            bail!("{}: this is a study of {root}, not of {position}", args.file.display());
        }
        return Ok(file);
    }
    let Some(position) = &args.position else {
        bail!("{}: there is no such study; --position begins one", args.file.display());
    };
    if let Some(end) = end_of_game(position) {
        bail!("the game is over in this position ({end})");
    }
    if position.drawn_by_rule() {
        bail!("a draw can be claimed in this position by the fifty-move rule");
    }
    StudyFile::create(&args.file, position).map_err(|error| with_name(error, &args.file))
}

/// Sets what was given.
fn set(file: &mut StudyFile, args: &GrowArgs) -> Result<(), Error> {
    let (mut errors, mut steps) = (file.study().errors().clone(), file.study().steps.clone());
    let mut settings = args.set.clone();
    if let Some(nodes) = args.nodes {
        settings.push(("Steps.effort".into(), i32::try_from(nodes).unwrap_or(i32::MAX)));
    }
    parameters::set(&mut errors, &mut steps, &settings)?;
    let turn = file.study().root().turn();
    let side = |color: Color| if color == turn { Whose::Mover } else { Whose::Other };
    let growth = match args.growth {
        None => file.study().growth,
        Some(Rule::Weighted) => Growth::Weighted,
        Some(Rule::ByValue) => Growth::ByValue,
        Some(Rule::RepertoireWhite) => Growth::Repertoire(side(Color::White)),
        Some(Rule::RepertoireBlack) => Growth::Repertoire(side(Color::Black)),
    };
    Ok(file.set(growth, errors, steps)?)
}

/// So many engines are tried on a leaf.
const TRIES: usize = 2;

/// Returns a flag that Ctrl-C and the like set. The second time they end the program, as they usually do;
/// if the whole terminal is used, [`View::show`] ends it.
fn interrupted(live: bool) -> Result<Arc<AtomicBool>, Error> {
    let flag = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS {
        if !live {
            // In this order: what the first one sets, the second one finds.
            flag::register_conditional_default(signal, flag.clone())?;
        }
        flag::register(signal, flag.clone())?;
    }
    Ok(flag)
}

/// Lets the workers judge leaves until a limit is reached. Returns which one.
fn grow(
    file: &mut StudyFile,
    workers: Vec<Worker>,
    args: &GrowArgs,
    interrupted: &AtomicBool,
) -> Result<&'static str, Error> {
    let (give, leaves) = channel();
    let leaves: Leaves = Arc::new(Mutex::new(leaves));
    let (report, reports) = channel();
    let mut working = workers.len();
    let threads: Vec<_> = workers
        .into_iter()
        .map(|mut worker| {
            worker.say_by(report.clone());
            let (root, leaves, report) = (file.study().root().clone(), leaves.clone(), report.clone());
            thread::spawn(move || worker.work(&root, &leaves, &report))
        })
        .collect();
    drop(report);

    let named = |error| with_name(error, &args.file);
    let (start, mut view) = (Instant::now(), View::new(args.live)?);
    let (judged, mut nodes) = file.effort().map_err(named)?;
    let (mut failed, mut left): (HashMap<LeafId, usize>, Option<String>) = (HashMap::new(), None);
    let (mut progress, mut last, mut ends) = (Progress { judged, ..Progress::default() }, None, false);
    let result = loop {
        for done in file.fulfil().map_err(named)? {
            view.note(&done);
            view.renew();
        }
        progress.elapsed = start.elapsed();
        ends |= view.show(file, &progress, interrupted.load(Relaxed))?;
        let (judged, in_work) = (progress.judged, progress.in_work.len());
        let expected: u64 = progress.in_work.iter().map(|work| work.effort).sum();
        let limits = [
            (ends, "it was stopped"),
            (args.time.is_some_and(|time| progress.elapsed >= time), "time is up"),
            (
                args.judgements.is_some_and(|most| judged + in_work as u64 >= most),
                "the study has the number of judgements asked for",
            ),
            (args.total.is_some_and(|most| nodes + expected >= most), "the study has the nodes asked for"),
            (
                args.doubt.is_some_and(|least| file.doubt() < least),
                "the best move is as certain as asked for",
            ),
        ];
        let over = limits.into_iter().find_map(|(is_reached, name)| is_reached.then_some(name));
        if over.is_none() && in_work < working {
            let left = args.judgements.map_or(u64::MAX, |most| most.saturating_sub(judged + in_work as u64));
            for asked in file.ask((working - in_work).min(left as usize)).map_err(named)? {
                progress.in_work.push(in_work_of(file, &asked));
                if give.send(asked).is_err() {
                    break;
                }
            }
            progress.judged += file.taken();
        }
        if progress.in_work.is_empty() {
            break match (over, left) {
                (Some(limit), _) => Ok(limit),
                (None, _) if working == 0 => {
                    Err(anyhow!("{}no engine is left", last.map_or_else(String::new, |why| why + "; ")))
                }
                (None, Some(why)) => Err(anyhow!("{why}; nothing else is left to judge")),
                (None, None) => Ok("no other position matters to the verdict"),
            };
        }
        let report = match reports.recv_timeout(LOOK) {
            Ok(report) => report,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break Err(anyhow!("no engine is left")),
        };
        ends |= interrupted.load(Relaxed);
        let leaf = match report {
            Report::Note(text) => {
                view.note(&text);
                continue;
            }
            Report::Judged(asked, judge, found) => {
                match file.tell(asked.leaf, &judge, &found) {
                    Ok(()) => progress.judged += 1,
                    // A wish has changed it meanwhile. It is asked for anew.
                    Err(StudyError::Refused(Refused::NoLeaf)) => {
                        view.note("a leaf has changed while it was judged")
                    }
                    Err(error) => return Err(named(error)),
                }
                progress.nodes += found.nodes;
                nodes += found.nodes;
                asked.leaf
            }
            // Without process groups, Ctrl-C reaches the engines, too.
            Report::Failed(asked, _) if ends => {
                file.give_back(asked.leaf);
                asked.leaf
            }
            Report::Failed(asked, why) => {
                let times = failed.entry(asked.leaf).or_insert(0);
                *times += 1;
                // A leaf that was given back would be the next one again.
                match *times < TRIES {
                    true => file.give_back(asked.leaf),
                    false => {
                        view.note(&format!("{why}; the position is left for another run"));
                        left = Some(why);
                    }
                }
                asked.leaf
            }
            Report::GivenUp(asked, why) => {
                working -= 1;
                file.give_back(asked.leaf);
                if !ends {
                    view.note(&format!("{why}; it is given up"));
                }
                last = Some(why);
                asked.leaf
            }
        };
        progress.in_work.retain(|work| work.leaf != leaf);
    };
    drop(view);
    drop(give);
    threads.into_iter().for_each(|thread| {
        let _ = thread.join();
    });
    result
}

/// Says what is being judged.
fn in_work_of(file: &StudyFile, asked: &Asked<Position>) -> InWork {
    let line = file.study().root().line_to_san(&asked.line);
    let place = if line.is_empty() { "at the root".to_string() } else { format!("after {line}") };
    let name = match asked.without.len() {
        0 => place,
        several => format!("{place}, without {}", show::counted(several as u64, "move")),
    };
    InWork { leaf: asked.leaf, name, effort: asked.effort, since: Instant::now() }
}
