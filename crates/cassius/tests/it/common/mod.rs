//! Runs the program as its users do: as a process.
#![allow(dead_code, unused_macros, unused_imports)]

pub mod bombs;
pub mod forgeries;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Returns the command of the program.
pub fn cassius() -> Command {
    Command::new(env!("CARGO_BIN_EXE_cassius"))
}

/// Runs the program with arguments and a text for its standard input.
pub fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = cassius()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The program may end before it has read everything.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

/// Runs the program with a limit on the size of files, in blocks. It is not killed when it exceeds the
/// limit.
#[cfg(unix)]
pub fn limited(blocks: usize, arguments: &[&str]) -> Output {
    let script = format!(r#"trap '' XFSZ; ulimit -f {blocks}; exec "$@""#);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh"]).arg(cassius().get_program()).args(arguments);
    shell.output().expect("a shell")
}

/// Returns output, error messages and exit code as one text.
pub fn transcript(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut all = format!("$ cassius {}\n", arguments.join(" "));
    all += &text(&output.stdout);
    for line in text(&output.stderr).lines() {
        all += &format!("stderr: {line}\n");
    }
    all + &format!("exit code: {}\n", output.status.code().unwrap_or(-1))
}

/// The parts of the output that differ between runs, or with every improvement of the search.
pub const FILTERS: [(&str, &str); 12] = [
    (r"Cassius \d+\.\d+\.\d+", "Cassius [version]"),
    (r"combo default .*", "combo default [recipes]"),
    (r"(: |of )plies, coupled[a-z0-9, -]*[a-z0-9]", "$1[recipes]"),
    (r"nodes \d+", "nodes [n]"),
    (r"nps \d+", "nps [n]"),
    (r"hashfull \d+", "hashfull [n]"),
    (r"seldepth \d+", "seldepth [n]"),
    (r#"(longest.line(?:_plies":)? ?)\d+"#, "$1[n]"),
    (r" time \d+", " time [ms]"),
    (r#""nodes":\d+,"time_ms":\d+"#, r#""nodes":[n],"time_ms":[ms]"#),
    (r"\d+ nodes, \d+\.\d+ s, \d+ nodes/s", "[n] nodes, [t] s, [n] nodes/s"),
    (r"\d+ nodes?, \d+\.\d+ s", "[n] nodes, [t] s"),
];

/// Compares a text with the snapshot of this name.
macro_rules! assert_golden {
    ($name:expr, $text:expr) => {
        insta::with_settings!(
            { filters => crate::common::FILTERS.to_vec(), prepend_module_to_snapshot => false },
            { insta::assert_snapshot!($name, $text) }
        )
    };
}
pub(crate) use assert_golden;

/// The program as a UCI engine.
pub struct Engine {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    /// All output, and all input with `> ` in front.
    pub said: String,
}

/// Longer than any answer takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Engine {
    /// Starts the engine, and waits until it is ready.
    pub fn start() -> Engine {
        Engine::of(&mut cassius())
    }

    /// Starts the engine by another command.
    pub fn of(command: &mut Command) -> Engine {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let stdin = child.stdin.take().expect("piped");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Engine { child, stdin, lines, said: String::new() };
        engine.send("isready");
        engine.until("readyok");
        engine.said.clear();
        engine
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.said += &format!("> {line}\n");
        writeln!(self.stdin, "{line}").expect("the engine listens");
    }

    /// Returns the next line that begins with `start`, and skips those before it.
    pub fn until(&mut self, start: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    self.said += &format!("{line}\n");
                    if line.starts_with(start) {
                        return line;
                    }
                }
                Err(error) => panic!("no line '{start}…' ({error}); said:\n{}", self.said),
            }
        }
    }

    /// Sends a line and waits for another.
    pub fn ask(&mut self, line: &str, answer: &str) -> String {
        self.send(line);
        self.until(answer)
    }

    /// Returns all output within this time.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    self.said += &format!("{line}\n");
                    lines.push(line);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return lines,
            }
        }
    }

    /// Ends the engine, and returns its output.
    pub fn quit(mut self) -> String {
        self.send("quit");
        let deadline = Instant::now() + PATIENCE;
        while self.child.try_wait().expect("a child").is_none() {
            assert!(Instant::now() < deadline, "quit is not obeyed; said:\n{}", self.said);
            std::thread::sleep(Duration::from_millis(5));
        }
        let rest: Vec<String> = self.lines.iter().collect();
        rest.iter().for_each(|line| self.said += &format!("{line}\n"));
        std::mem::take(&mut self.said)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill(); // the process may already have ended
        let _ = self.child.wait();
    }
}
