//! Tests whether limits hold: how long a search goes on after `stop`, and whether everything ends in
//! time.
//!
//! `cargo bench -p cassius --bench limits -- stop [RUNS] [RECIPE…]`: for every recipe (or those named),
//! every position, and one or two threads, prints the median and the worst time from `stop` to the end
//! of the search, in milliseconds.
//!
//! `cargo bench -p cassius --bench limits -- soak [RUNS] [SEED]`: runs random recipes and commands with
//! random limits on positions with very large trees. Each run must end within its limit and 50 ms. Those
//! that do not are reported, at once and again at the end, and the exit status is 1.
//!
//! Times are meaningful only on a machine that is otherwise idle. `cargo test` only checks that both
//! run.

use cassius::clock::{Allowance, Clock, Control, Time};
use cassius_chess::{Engine, Position, RECIPES};
use cassius_search::{Game as _, Request, split_mix};
use std::process::{Command, ExitCode, Stdio};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

/// A name, and a position.
type Named = (&'static str, &'static str);

const QUEENS: Named = ("queens", "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ w - - 0 1");
const KIWIPETE: Named = ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
const START: Named = ("startpos", "startpos");

/// Captures, promotions, checks, forced lines, repetition: positions that are difficult for a search.
const EXPLOSIVE: [Named; 10] = [
    START,
    KIWIPETE,
    QUEENS,
    ("many moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
    ("promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
    ("pawns to promote", "8/PPPPPPPk/8/8/8/8/pppppppK/8 w - - 0 1"),
    ("one reply", "7K/5k2/8/8/8/8/7p/6rb w - - 0 1"),
    ("perpetual check", "6k1/5ppp/8/8/8/8/q4PPP/1Q4K1 b - - 0 1"),
    ("rooks and queens", "rrrqkrrr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RRRQKRRR w - - 0 1"),
    ("mate", "2b3k1/4rrpp/p2p4/2pP2RQ/1pP1Pp1N/1P3P1P/1q6/6RK w - - 0 1"),
];

/// How much later than its limit a search may end.
const GRACE: Duration = Duration::from_millis(50);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let small = !std::env::args().any(|argument| argument == "--bench");
    let number = |place: usize| arguments.get(place).and_then(|argument| argument.parse::<u64>().ok());
    let named = |name: &str| arguments.first().is_none_or(|first| first == name);
    if named("stop") {
        let recipes = &arguments.get(1 + usize::from(number(1).is_some())..).unwrap_or_default();
        stop(number(1).unwrap_or(if small { 1 } else { 20 }), recipes, small);
    }
    if named("soak") {
        let late = soak(number(1).unwrap_or(if small { 3 } else { 300 }), number(2).unwrap_or(1), small);
        if late > 0 && !small {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Pseudo-random numbers (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        split_mix(&mut self.0) % sides
    }

    fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u64) as usize]
    }
}

/// Searches with an allowance. Stops the search after `stop`, if it is given. Returns when it ended, and
/// when it was stopped.
fn search(
    engine: &mut Engine,
    position: &Position,
    allowance: &Allowance,
    stop: Option<Duration>,
) -> (Duration, Duration) {
    let control = Control::new(Instant::now(), false);
    let clock = Clock::new(allowance, position.count_moves(), control.clone());
    let request = Request::new(position, &clock);
    let threads = if clock.is_brief() { 1 } else { usize::MAX };
    scope(|scope| {
        let stopped = stop.map(|after| {
            let control = &control;
            scope.spawn(move || {
                sleep(after);
                control.stop();
                control.elapsed()
            })
        });
        engine.search_with(threads, &request, &mut |_| {});
        let ended = control.elapsed();
        (ended, stopped.map_or(ended, |stopped| stopped.join().expect("a thread that sleeps")))
    })
}

fn stop(runs: u64, recipes: &[String], small: bool) {
    let asked = |name: &str| recipes.is_empty() || recipes.iter().any(|recipe| recipe == name);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let mut dice = Dice(1);
    println!("milliseconds from stop to the end, median and worst of {runs}");
    for recipe in RECIPES.iter().filter(|recipe| asked(recipe.name)).take(if small { 2 } else { usize::MAX })
    {
        for (name, fen) in [START, KIWIPETE, QUEENS] {
            let position: Position = fen.parse().expect("a position");
            for threads in [1, 2] {
                let mut engine = Engine::new(recipe.name, 16, threads).expect("an engine");
                if engine.threads() < threads {
                    continue;
                }
                let mut times: Vec<Duration> = Vec::new();
                for _ in 0..runs.max(1) {
                    engine.forget();
                    let after = Duration::from_millis(dice.below(if small { 5 } else { 200 }));
                    let (ended, stopped) = search(&mut engine, &position, &Allowance::default(), Some(after));
                    times.push(ended.saturating_sub(stopped));
                }
                times.sort();
                let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
                println!(
                    "{:<14} {name:<9} {threads} {:>8.2} {:>8.2}",
                    recipe.name,
                    milliseconds(median),
                    milliseconds(worst)
                );
            }
        }
    }
}

/// Returns how many runs did not end in time.
fn soak(runs: u64, seed: u64, small: bool) -> usize {
    let mut dice = Dice(seed);
    let started = run(&["--version".into()], Duration::from_secs(60));
    let start_up = if started.is_zero() { Duration::ZERO } else { started };
    let mut late: Vec<String> = Vec::new();
    for _ in 0..runs {
        let (name, fen) = *dice.of(&EXPLOSIVE);
        let limit = Duration::from_millis(1 + dice.below(if small { 20 } else { 500 }));
        let (what, over) = match dice.below(2) {
            0 => in_process(&mut dice, fen, limit),
            _ => command(&mut dice, fen, limit, start_up),
        };
        if over > GRACE {
            let line = format!("{what}, {name}: {} ms, {} ms late", limit.as_millis(), over.as_millis());
            println!("{line}");
            late.push(line);
        }
    }
    println!("seed {seed}: {} of {runs} ended more than {} ms late", late.len(), GRACE.as_millis());
    late.iter().for_each(|line| println!("  {line}"));
    late.len()
}

/// Runs a search by a recipe. Returns how late it ended.
fn in_process(dice: &mut Dice, fen: &str, limit: Duration) -> (String, Duration) {
    let position: Position = fen.parse().expect("a position");
    let (recipe, threads) = (dice.of(RECIPES).name, 1 + dice.below(2) as usize);
    let mut engine = Engine::new(recipe, 16, threads).expect("an engine");
    let mut allowance = Allowance { time: Time::Exact(limit), ..Allowance::default() };
    let stop = match dice.below(3) {
        0 => None,
        1 => {
            allowance.nodes = Some(1 + dice.below(100_000));
            None
        }
        _ => {
            allowance.time = Time::Unlimited;
            Some(limit)
        }
    };
    let (ended, stopped) = search(&mut engine, &position, &allowance, stop);
    let due = if stop.is_some() { stopped } else { limit };
    (format!("recipe {recipe}, {threads} threads"), ended.saturating_sub(due))
}

/// Runs a command. Returns how late it ended.
fn command(dice: &mut Dice, fen: &str, limit: Duration, start_up: Duration) -> (String, Duration) {
    let recipe = dice.of(RECIPES);
    let tree = dice.of(&["cns", "ccns", "cns-value"]);
    let time = format!("{}ms", limit.as_millis());
    let nodes = (1 + dice.below(1_000)).to_string();
    // With a node limit alone, a command takes as long as it needs, but no more than some seconds.
    let (words, due): (Vec<&str>, Duration) = match dice.below(7) {
        0 => (vec!["analyse", fen, "--time", &time, "--recipe", recipe.name], limit),
        1 => (vec!["certify", fen, "--time", &time], limit),
        2 => (vec!["certify", fen, "--nodes", &nodes], Duration::from_secs(10)),
        3 => (vec!["grow", fen, "--time", &time, "--recipe", tree], limit),
        4 => (vec!["mate", fen, "--time", &time], limit),
        5 => (vec!["explain", fen, "--nodes", &nodes, "--plan-nodes", &nodes], Duration::from_secs(20)),
        _ => (vec!["mate", fen, "--any", "--time", &time], limit),
    };
    let words: Vec<String> = words.into_iter().map(String::from).collect();
    let taken = run(&words, due + Duration::from_secs(30));
    (words.join(" "), taken.saturating_sub(due + start_up))
}

/// Returns how long the program takes with these arguments. It is killed after `most`.
fn run(arguments: &[String], most: Duration) -> Duration {
    let start = Instant::now();
    let mut program = Command::new(env!("CARGO_BIN_EXE_cassius"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    loop {
        if let Some(status) = program.try_wait().expect("a child") {
            assert_ne!(status.code(), Some(2), "wrong arguments: {arguments:?}");
            break;
        }
        if start.elapsed() > most {
            let _ = program.kill();
            let _ = program.wait();
            break;
        }
        sleep(Duration::from_millis(1));
    }
    start.elapsed()
}
