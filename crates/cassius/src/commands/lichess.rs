//! `cassius lichess`: an engine for the analysis board of lichess.org.
//!
//! *Reference:* the external engine protocol of lichess.org: an engine is registered with the account of a
//! token; then it asks the broker for work, and answers with the lines of UCI.

use crate::setup::mib;
use crate::{Error, terminal};
use anyhow::{Context as _, bail};
use cassius_chess::Position;
use cassius_search::Game as _;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, available_parallelism};
use std::time::Duration;
use std::{env, fs};

/// Arguments of `cassius lichess`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Lichess needs a token of your account with the scopes engine:read and engine:write. It is read from \
LICHESS_API_TOKEN, or from a file. Then choose the engine in the menu of lichess.org/analysis. What you \
analyse there is sent by Lichess to this program, and its lines back.

Examples:
  LICHESS_API_TOKEN=lip_... cassius lichess
  cassius lichess --token-file token.txt --threads 4 --hash 1024")]
pub struct LichessArgs {
    /// File with the token, instead of the environment's LICHESS_API_TOKEN.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Name of the engine on Lichess. One that is registered by this name already is replaced.
    #[arg(long, value_name = "NAME", default_value = "Cassius")]
    name: String,
    /// Most threads that Lichess may ask for; all processors if missing.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Largest transposition table that Lichess may ask for, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = mib())]
    hash: u32,
    /// Address of Lichess.
    #[arg(long, value_name = "URL", default_value = "https://lichess.org")]
    lichess: String,
    /// Address of its broker of work.
    #[arg(long, value_name = "URL", default_value = "https://engine.lichess.ovh")]
    broker: String,
}

/// What Lichess is told of an engine.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Registration<'a> {
    name: &'a str,
    max_threads: usize,
    max_hash: u32,
    default_depth: u32,
    variants: [&'static str; 1],
    provider_secret: &'a str,
}

/// An engine that is registered already.
#[derive(Deserialize)]
struct Registered {
    id: String,
    name: String,
}

/// A position to analyse.
#[derive(Deserialize)]
struct Job {
    id: String,
    work: Work,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Work {
    session_id: String,
    threads: u32,
    hash: u32,
    multi_pv: u32,
    initial_fen: String,
    moves: Vec<String>,
    /// Milliseconds, plies, or nodes; without any of them until the user goes on.
    movetime: Option<u64>,
    depth: Option<u64>,
    nodes: Option<u64>,
}

/// Offers the engine to Lichess until the program is ended.
pub fn run(args: LichessArgs) -> Result<(), Error> {
    let token = match &args.token_file {
        Some(path) => fs::read_to_string(path).with_context(|| path.display().to_string())?,
        None => env::var("LICHESS_API_TOKEN")
            .context("a token is missing: set LICHESS_API_TOKEN, or name a file with --token-file")?,
    };
    let threads = args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    // A connection that has gone without a word is noticed.
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(Duration::from_secs(30)))
        .timeout_recv_response(Some(Duration::from_secs(90)))
        .build()
        .into();
    let secret = secret()?;
    register(&agent, &args, token.trim(), threads, &secret)?;
    terminal::note(format_args!("{} is offered to {}; Ctrl-C ends the program", args.name, args.lichess));
    let mut engine = Engine::start()?;
    let mut answering: Option<JoinHandle<()>> = None;
    let mut pause = 1;
    let broker = format!("{}/api/external-engine/work", args.broker);
    loop {
        let asked = agent.post(&broker).send_json(serde_json::json!({ "providerSecret": secret }));
        let job = match asked {
            // There was no work for some time. A broker that does not wait is not asked without end.
            Ok(response) if response.status() != 200 => {
                pause = 1;
                thread::sleep(Duration::from_millis(100));
                continue;
            }
            Ok(mut response) => response.body_mut().read_json::<Job>().map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let job = match job {
            Ok(job) => job,
            Err(error) => {
                terminal::complain(format_args!("no work from {}: {error}", args.broker));
                thread::sleep(Duration::from_secs(pause));
                pause = (2 * pause).min(30);
                continue;
            }
        };
        pause = 1;
        // The user has gone on to another position.
        engine.stop();
        if let Some(last) = answering.take() {
            let _ = last.join();
        }
        if !engine.lives() {
            engine = Engine::start()?;
        }
        let lines = engine.analyse(&job.work)?;
        let (agent, url) = (agent.clone(), format!("{broker}/{}", job.id));
        let stdin = engine.stdin.clone();
        answering = Some(thread::spawn(move || {
            let mut lines = lines;
            let sent = agent.post(url).send(ureq::SendBody::from_reader(&mut lines));
            // Nobody reads on: the user has gone, which is no error.
            if sent.is_err() {
                write(&stdin, "stop");
            }
            let _ = io::copy(&mut lines, &mut io::sink());
        }));
    }
}

/// Registers the engine, in place of one of the same name.
fn register(
    agent: &ureq::Agent,
    args: &LichessArgs,
    token: &str,
    threads: usize,
    secret: &str,
) -> Result<(), Error> {
    let (url, bearer) = (format!("{}/api/external-engine", args.lichess), format!("Bearer {token}"));
    let refused = || format!("{} does not accept the engine", args.lichess);
    let registration = Registration {
        name: &args.name,
        max_threads: threads,
        max_hash: args.hash,
        default_depth: 25,
        variants: ["chess"],
        provider_secret: secret,
    };
    let mut known = agent.get(&url).header("Authorization", &bearer).call().with_context(refused)?;
    let known: Vec<Registered> = known.body_mut().read_json().with_context(refused)?;
    let own = known.into_iter().find(|engine| engine.name == args.name);
    let request = match own {
        Some(Registered { id, .. }) => agent.put(format!("{url}/{id}")),
        None => agent.post(&url),
    };
    request.header("Authorization", &bearer).send_json(registration).with_context(refused)?;
    Ok(())
}

/// Returns a secret by which the broker knows this program.
fn secret() -> Result<String, Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context("no random numbers")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// This program as a UCI engine.
struct Engine {
    child: Child,
    stdin: Arc<Mutex<ChildStdin>>,
    /// Its lines, while nobody analyses.
    lines: Arc<Mutex<Receiver<String>>>,
    session: String,
}

/// Sends a command. What comes from outside cannot make two of it.
fn write(stdin: &Mutex<ChildStdin>, line: &str) {
    let line = line.replace(['\n', '\r'], " ");
    // An engine that has ended is started again for the next job.
    let _ = writeln!(stdin.lock().unwrap_or_else(PoisonError::into_inner), "{line}");
}

impl Engine {
    fn start() -> Result<Engine, Error> {
        let program = env::current_exe().context("this program")?;
        let mut child =
            Command::new(program).arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the engine has no standard input and output")
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let (stdin, lines) = (Arc::new(Mutex::new(stdin)), Arc::new(Mutex::new(lines)));
        let engine = Engine { child, stdin, lines, session: String::new() };
        write(&engine.stdin, "setoption name UCI_Chess960 value true");
        Ok(engine)
    }

    fn lives(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    fn stop(&self) {
        write(&self.stdin, "stop");
    }

    /// Begins to analyse, and returns the lines that tell a value. They end with the search. Of a position
    /// that is no chess position there are none.
    fn analyse(&mut self, work: &Work) -> Result<Lines, Error> {
        if let Err(error) = position(work) {
            terminal::complain(format_args!("a position of Lichess is left out: {error:#}"));
            return Ok(Lines { from: self.lines.clone(), rest: Vec::new(), ended: true });
        }
        if self.session != work.session_id {
            self.session.clone_from(&work.session_id);
            write(&self.stdin, "ucinewgame");
        }
        for (name, value) in [("Threads", work.threads), ("Hash", work.hash), ("MultiPV", work.multi_pv)] {
            write(&self.stdin, &format!("setoption name {name} value {value}"));
        }
        write(&self.stdin, &format!("position fen {} moves {}", work.initial_fen, work.moves.join(" ")));
        let limit = [("movetime", work.movetime), ("depth", work.depth), ("nodes", work.nodes)];
        let limit = limit.into_iter().find_map(|(name, value)| value.map(|value| format!("{name} {value}")));
        write(&self.stdin, &format!("go {}", limit.unwrap_or_else(|| "infinite".into())));
        Ok(Lines { from: self.lines.clone(), rest: Vec::new(), ended: false })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the position that is to be analysed.
fn position(work: &Work) -> Result<Position, Error> {
    let start: Position = work.initial_fen.parse().context(work.initial_fen.clone())?;
    work.moves.iter().try_fold(start, |mut position, name| {
        let mv = position.parse_uci(name).with_context(|| format!("{position}, {name}"))?;
        position.play(mv);
        Ok(position)
    })
}

/// The lines of a search that tell a value, as bytes. They end with its best move.
struct Lines {
    from: Arc<Mutex<Receiver<String>>>,
    rest: Vec<u8>,
    ended: bool,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() && !self.ended {
            let line = self.from.lock().unwrap_or_else(PoisonError::into_inner).recv();
            match line {
                Ok(line) if line.starts_with("info ") && line.contains(" score ") => {
                    self.rest = (line + "\n").into_bytes();
                }
                Ok(line) => self.ended = line.starts_with("bestmove"),
                Err(_) => self.ended = true,
            }
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}
