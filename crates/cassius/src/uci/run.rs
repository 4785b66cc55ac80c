//! The event loop: receives lines and events, and carries out effects.

use super::info::{self, Facts};
use super::mate;
use super::options::Setting;
use super::session::{Effect, Order, Session};
use crate::clock::{Clock, Control, Lateness};
use cassius_chess::evaluation::{Evaluation, Evaluator};
use cassius_chess::tablebase::Tablebases;
use cassius_chess::{Engine, Move, RECIPES, prepare};
use cassius_search::{Report, Request};
use std::io::{self, BufRead, Read as _, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// An event that the loop receives.
enum Event {
    /// A line of input, and when it arrived.
    Line(Instant, String),
    /// A line that is too long has begun.
    TooLong,
    /// The end of the input.
    End,
    /// The input has just ended, or a time after that has passed.
    Late,
    /// A line of output of a search.
    Say(String),
    /// A search has ended. Contains the engine, the line with the best move, and the lateness.
    Found(Box<Engine>, String, Lateness),
    /// The search thread ended without an answer.
    Lost,
}

/// After the end of the input, a search that neither nodes nor time will end is stopped after this time:
/// nobody may be there any more to read its answer.
const GRACE: Duration = Duration::from_secs(60);

/// The stack size of the search thread, for the recursion of the search.
const STACK: usize = 16 << 20;

/// Speaks UCI on `input` and `output` until `quit` or the end of the input.
pub fn run(input: impl BufRead + Send + 'static, output: &mut dyn Write) -> io::Result<()> {
    let (events, inbox) = channel();
    let reader = events.clone();
    thread::spawn(move || read(input, &reader));
    let engine = Engine::new(RECIPES[0].name, 64, 1).map_err(io::Error::other)?;
    prepare(); // before a clock runs
    let mut host = Host {
        output,
        events,
        engine: Some(Box::new(engine)),
        control: None,
        late: Lateness::default(),
        quitting: false,
    };
    let (mut session, mut late) = (Session::default(), false);
    while let Ok(event) = inbox.recv() {
        let mut now = Instant::now();
        let effects = match event {
            Event::Line(when, line) => {
                now = when;
                session.line(&line)
            }
            Event::TooLong => {
                vec![Effect::Say(format!("info string a line of more than {LONGEST_LINE} bytes is left out"))]
            }
            Event::End => {
                let events = host.events.clone();
                thread::spawn(move || {
                    while events.send(Event::Late).is_ok() {
                        thread::sleep(GRACE);
                    }
                });
                session.end()
            }
            Event::Late if late && session.may_take_long() => session.line("stop"),
            Event::Late => {
                late = true;
                Vec::new()
            }
            Event::Say(line) => vec![Effect::Say(line)],
            Event::Found(engine, best, late) => {
                host.engine = Some(engine);
                host.late = late;
                host.control = None;
                session.finished(best)
            }
            // It is better to end the program than to leave an engine that never answers.
            Event::Lost => return Err(io::Error::other("the search failed; this is a bug in Cassius")),
        };
        for effect in effects {
            host.obey(effect, now)?;
        }
        host.output.flush()?;
        if host.quitting {
            break;
        }
    }
    Ok(())
}

/// The longest line that is read, in bytes. A longer one is left out.
const LONGEST_LINE: u64 = 1 << 20;

fn read(mut input: impl BufRead, events: &Sender<Event>) {
    let (mut bytes, mut goes_on) = (Vec::new(), false);
    loop {
        bytes.clear();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(length) => {
                let is_rest = std::mem::replace(&mut goes_on, !bytes.ends_with(b"\n"));
                if is_rest || goes_on && length as u64 == LONGEST_LINE {
                    if !is_rest && events.send(Event::TooLong).is_err() {
                        return;
                    }
                    continue;
                }
                let line = String::from_utf8_lossy(&bytes).into_owned();
                if events.send(Event::Line(Instant::now(), line)).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(_) => break,
        }
    }
    let _ = events.send(Event::End); // an error means that the loop has already ended
}

struct Host<'a> {
    output: &'a mut dyn Write,
    events: Sender<Event>,
    /// `None` while a search runs.
    engine: Option<Box<Engine>>,
    control: Option<Arc<Control>>,
    late: Lateness,
    quitting: bool,
}

impl Host<'_> {
    fn obey(&mut self, effect: Effect, now: Instant) -> io::Result<()> {
        match effect {
            Effect::Say(line) => writeln!(self.output, "{line}")?,
            Effect::Evaluate(position) => {
                if let Some(engine) = &self.engine {
                    let evaluation = engine.evaluation();
                    let name = evaluation.name();
                    let mut evaluator = Evaluator::of(evaluation);
                    let value = evaluator.evaluate(&*position, position.turn(), position.halfmoves());
                    writeln!(
                        self.output,
                        "info string static value {value} centipawns for the side to move ({name})"
                    )?;
                }
            }
            Effect::Set(setting) => {
                if let Some(engine) = &mut self.engine
                    && let Err(complaint) = set(engine, setting)
                {
                    writeln!(self.output, "info string {complaint}")?;
                }
            }
            Effect::Search(order) => self.search(*order, now)?,
            Effect::Stop => {
                if let Some(control) = &self.control {
                    control.stop();
                }
            }
            Effect::PonderHit => {
                if let Some(control) = &self.control {
                    control.ponderhit();
                }
            }
            Effect::Quit => self.quitting = true,
        }
        Ok(())
    }

    fn search(&mut self, order: Order, start: Instant) -> io::Result<()> {
        let Some(engine) = self.engine.take() else { return Ok(()) }; // only one search at a time
        let control = Control::new(start, order.ponder);
        self.control = Some(control.clone());
        let (events, late) = (self.events.clone(), self.late);
        thread::Builder::new().name("search".into()).stack_size(STACK).spawn(move || {
            let alarm = Alarm(events);
            search(engine, &order, (control, late), &alarm.0);
        })?;
        Ok(())
    }
}

/// Tells the loop if the search thread panics.
struct Alarm(Sender<Event>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if thread::panicking() {
            drop(self.0.send(Event::Lost));
        }
    }
}

fn set(engine: &mut Engine, setting: Setting) -> Result<(), String> {
    let is_of_threads = matches!(setting, Setting::Recipe(_) | Setting::Threads(_));
    let done = match setting {
        Setting::Hash(mib) => engine.set_hash(mib),
        Setting::Recipe(name) => engine.set_recipe(name),
        Setting::Parameters(settings) => engine.set_parameters(settings),
        Setting::Threads(threads) => {
            engine.set_threads(threads);
            Ok(())
        }
        Setting::SyzygyPath(path) => {
            let open = |path: &str| Tablebases::open(path).map_err(|error| error.to_string());
            let tables = if path.is_empty() { None } else { Some(open(&path)?) };
            engine.set_tablebases(tables);
            Ok(())
        }
        Setting::Evaluation(name, file) => {
            let evaluation = match file.is_empty() {
                true => Evaluation::named(name).unwrap_or_default(),
                false => Evaluation::load(Path::new(&file)).map_err(|error| error.to_string())?,
            };
            engine.set_evaluation(evaluation)
        }
        Setting::Clear => {
            engine.forget();
            Ok(())
        }
    };
    done.map_err(|error| error.to_string())?;
    engine.idle_threads().filter(|_| is_of_threads).map_or(Ok(()), Err)
}

/// Runs a search, on the search thread.
fn search(
    mut engine: Box<Engine>,
    order: &Order,
    (control, mut late): (Arc<Control>, Lateness),
    events: &Sender<Event>,
) {
    // The loop stops listening only when the program ends.
    let say = |line| drop(events.send(Event::Say(line)));
    let mut allowance = order.allowance.clone();
    if let Some(moves) = order.allowance.mate {
        let (mated, nodes) = mate::search(order, moves, engine.table().mib(), &control, &say);
        if let Some(best) = mated {
            drop(events.send(Event::Found(engine, best, late)));
            return;
        }
        allowance = mate::rest(&allowance, order.is_infinite(), nodes, &control, order.iterations);
    }
    let (table, endgames) = (engine.table(), engine.endgames());
    let hits = endgames.hits();
    let choices = match order.moves.len() {
        0 => order.position.legal_moves().len(),
        moves => moves,
    };
    let limits = Clock::new(&allowance, choices, control).allowing_for(late);
    let request = Request {
        position: &order.position,
        before: &order.before,
        moves: &order.moves,
        lines: order.lines,
        iterations: order.iterations,
        limits: &limits,
    };
    let tell = |report: &Report<Move>| {
        let facts = Facts {
            elapsed: limits.control().elapsed(),
            hash_full: table.permille_full(),
            table_hits: endgames.hits() - hits,
            wdl: order.wdl,
        };
        if let Some(line) = info::line(&order.position, report, &facts) {
            say(line);
        }
        if report.line == 0
            && let Some(trust) = info::trust(&order.position, report)
        {
            say(trust);
        }
    };
    let mut told = 0;
    let threads = if limits.is_brief() { 1 } else { usize::MAX };
    let answer = engine.search_with(threads, &request, &mut |report| {
        told = report.nodes;
        tell(report);
    });
    if let (Some(hard), Some(spent)) = (limits.hard(), limits.control().spent()) {
        late.note(hard, spent);
    }
    if !answer.complete && answer.nodes > told {
        // The search was stopped within an iteration: report the nodes of the whole search.
        answer.lines.iter().for_each(|line| tell(&Report { nodes: answer.nodes, ..line.clone() }));
    }
    if answer.full {
        say("info string the tree is full: increase Hash".into());
    }
    info::cut_off(&answer).into_iter().for_each(say);
    let best = info::best_move(&order.position, &answer);
    drop(events.send(Event::Found(engine, best, late)));
}
