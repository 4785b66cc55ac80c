//! `cassius study` as users run it. The engine that judges is a script, or this program with few nodes.

#![cfg(unix)]

use cassius_search::best_first::Whose;
use cassius_search::study::Growth;
use cassius_study::StudyFile;
use rusqlite::Connection;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cassius");
const ROOT: &str = "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1";

/// Returns the path of a study that does not exist yet.
fn place() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("studies");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{}-{}.study", std::process::id(), NEXT.fetch_add(1, Relaxed)));
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", path.display()));
    }
    path
}

fn study(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).arg("study").args(arguments).stdin(Stdio::null()).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns a study of so many judgements by this program, 200 nodes each, which depend on the leaf alone.
fn grown(path: &Path, judgements: &str) -> Output {
    let path = path.to_str().expect("a path");
    let settings = ["--fresh", "--nodes", "200", "--hash", "1", "--judgements", judgements];
    study(&[&["grow", path, "--position", ROOT], &settings[..]].concat())
}

/// Returns everything in the file.
fn contents(path: &Path) -> Vec<String> {
    let db = Connection::open(path).expect("a study");
    let mut rows = Vec::new();
    for table in ["setting", "position", "engine", "judgement", "changed"] {
        let mut select = db.prepare(&format!("SELECT * FROM {table} ORDER BY 1")).expect("a table");
        let columns = select.column_count();
        let mut found = select.query([]).expect("rows");
        while let Some(row) = found.next().expect("a row") {
            let cells: Vec<_> = (0..columns).map(|column| row.get_ref(column).expect("a cell")).collect();
            rows.push(format!("{table} {cells:?}"));
        }
    }
    rows
}

#[test]
fn a_study_grows_and_is_shown() {
    let path = place();
    let output = grown(&path, "40");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let sentence = said.lines().nth(1).unwrap_or_default();
    assert!(said.starts_with(ROOT), "{said}");
    assert!(
        sentence.contains(") is best with a chance of ") || sentence.contains(") has the best value ("),
        "{said}"
    );
    assert!(said.contains("40 judgements by Cassius "), "{said}");
    assert_eq!(text(&output.stderr), "note: the study has the number of judgements asked for\n");
    let name = path.to_str().expect("a path");
    assert_eq!(text(&study(&["show", name]).stdout), said, "it is shown as it was left");

    let output = study(&["show", name, "--json"]);
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let chances = shown["moves"].as_array().expect("moves").iter();
    let sum: f64 = chances.map(|candidate| candidate["chance"].as_f64().expect("a number")).sum();
    assert!((sum - 1.0).abs() < 1e-3, "{sum}");
    assert!(shown["conspiracies"][0]["members"][0]["fen"].is_string());

    // Growing goes on, and what was wished happens.
    let best = shown["moves"][0]["move"].as_str().expect("a move");
    assert!(study(&["exclude", name, best]).status.success());
    let output = study(&["grow", name, "--nodes", "200", "--hash", "1", "--judgements", "50"]);
    let root: cassius_chess::Position = ROOT.parse().expect("a position");
    let san = root.san(root.parse_uci(best).expect("legal"));
    let said = text(&output.stderr);
    assert!(said.contains(&format!("note: leave out {san}: done")), "{said}");
    assert!(text(&output.stdout).contains("50 judgements by Cassius "), "{}", text(&output.stdout));
    let shown: serde_json::Value =
        serde_json::from_slice(&study(&["show", name, "--json"]).stdout).expect("JSON");
    assert_ne!(shown["moves"][0]["move"].as_str(), Some(best));
}

/// No engine is asked where a draw can be claimed.
#[test]
fn a_leaf_is_drawn_by_the_fifty_move_rule() {
    let path = place();
    let name = path.to_str().expect("a path");
    let grow = |more: &[&str]| study(&[&["grow", name, "--nodes", "200", "--hash", "1"], more].concat());
    let position = ["--position", "8/8/8/8/3k4/8/8/R6K w - - 99 90", "--judgements", "1"];
    assert!(grow(&position).status.success());
    assert!(study(&["include", name, "Ra2"]).status.success());
    assert!(grow(&["--judgements", "2"]).status.success());
    let shown: serde_json::Value =
        serde_json::from_slice(&study(&["show", name, "--json"]).stdout).expect("JSON");
    let judges: Vec<&str> = shown["judges"]
        .as_array()
        .expect("judges")
        .iter()
        .filter_map(|judge| judge["name"].as_str())
        .collect();
    assert!(judges.contains(&"Rules of chess"), "{shown}");
}

/// Returns the number of judgements in a study, which may be growing.
fn judged(path: &Path) -> u64 {
    let file = StudyFile::is_begun(path).then(|| StudyFile::open(path).ok()).flatten();
    file.and_then(|file| file.effort().ok()).map_or(0, |(judgements, _)| judgements)
}

/// Killed at any moment, a study is the same in the end.
#[test]
fn a_killed_study_is_the_same_in_the_end() {
    let (whole, mut killed) = (place(), place());
    assert!(grown(&whole, "300").status.success());
    let grow = |path: &Path| {
        Command::new(PROGRAM)
            .args(["study", "grow", path.to_str().expect("a path"), "--position", ROOT])
            .args(["--fresh", "--nodes", "200", "--hash", "1", "--judgements", "300"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts")
    };
    let kill = |mut child: Child| {
        child.kill().expect("it is killed"); // SIGKILL
        child.wait().expect("it ends");
    };
    // The first time, something is judged and something is left to judge. Where the study has ended before
    // that is seen, another one is begun.
    for left in (0..20).rev() {
        let (child, begun) = (grow(&killed), Instant::now());
        while judged(&killed) == 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing is judged");
            sleep(Duration::from_millis(5));
        }
        kill(child);
        if judged(&killed) < 300 {
            break;
        }
        assert!(left > 0, "it always ends before it is killed");
        killed = place();
    }
    assert!(contents(&killed) != contents(&whole));
    for number in 0..50_u64 {
        let child = grow(&killed);
        // 60 to 259 ms, in an order that mixes them.
        sleep(Duration::from_millis(60 + 4 * (number * 17 % 50) + number % 4));
        kill(child);
    }
    let output = grown(&killed, "300");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(contents(&killed) == contents(&whole));
}

/// Ctrl-C, and a request to end, show the verdict.
#[test]
fn an_interrupted_study_shows_its_verdict() {
    for signal in ["-INT", "-TERM"] {
        let path = place();
        let name = path.to_str().expect("a path");
        let child = Command::new(PROGRAM)
            .args(["study", "grow", name, "--position", ROOT, "--nodes", "200", "--hash", "1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let begun = Instant::now();
        while !text(&study(&["show", name]).stdout).contains(" judgements by Cassius ") {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing is judged");
            sleep(Duration::from_millis(20));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("it runs").success());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(text(&output.stderr), "note: it was stopped\n");
        assert!(text(&output.stdout).contains(" judgements by Cassius "), "{output:?}");
    }
}

/// The second request to end is heeded at once, and leaves the terminal as it was.
#[test]
fn a_study_on_the_whole_terminal_ends_at_once_when_told_twice() {
    let path = place();
    let name = path.to_str().expect("a path");
    let pid = path.with_extension("pid");
    // `script` gives the program a terminal.
    let grow = format!("{PROGRAM} study grow {name} --position '{ROOT}' --nodes 1G --hash 1 --live");
    let command = format!("stty rows 40 cols 120; echo $$ > {}; exec {grow}", pid.display());
    let mut child = Command::new("script")
        .args(["--quiet", "--flush", "--return", "--command", &command, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut output = child.stdout.take().expect("a pipe");
    let (mut seen, mut part) = (String::new(), [0; 4096]);
    let mut read_until = |what: &str| {
        while !seen.contains(what) {
            let count = output.read(&mut part).expect("it can be read");
            assert!(count > 0, "{what:?} is not in {seen:?}");
            seen.push_str(&String::from_utf8_lossy(&part[..count]));
        }
    };
    let tell = || {
        let id = std::fs::read_to_string(&pid).expect("a number");
        assert!(Command::new("kill").args(["-TERM", id.trim()]).status().expect("it runs").success());
    };
    read_until("at the root");
    tell();
    read_until("these"); // only what changes is written, and so not the spaces
    tell();
    read_until("\x1b[?1049l");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

/// A study does not end before there is reason to be sure.
#[test]
fn a_study_grows_until_it_is_sure() {
    let path = place();
    let name = path.to_str().expect("a path");
    let settings = ["--nodes", "200", "--hash", "1", "--judgements", "30", "--doubt", "0.1%"];
    let output = study(&[&["grow", name, "--position", "startpos"], &settings[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("30 judgements by Cassius "), "{said}");
    assert!(!said.contains("100.0 %"), "{said}");

    // Each limit is named.
    for (limit, why) in [
        (["--doubt", "100%"], "the best move is as certain as asked for"),
        (["--total-nodes", "1"], "the study has the nodes asked for"),
        (["--time", "0s"], "time is up"),
    ] {
        let output = study(&[&["grow", name, "--hash", "1"], &limit[..]].concat());
        assert_eq!(text(&output.stderr), format!("note: {why}\n"));
        assert!(text(&output.stdout).contains("30 judgements by Cassius "), "nothing was added");
    }
    let mate = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    let path = place();
    let name = path.to_str().expect("a path");
    let output = study(&["grow", name, "--position", mate, "--nodes", "200", "--hash", "1"]);
    assert_eq!(text(&output.stderr), "note: no other position matters to the verdict\n");
}

/// A repertoire is for White or Black, whoever is to move, and is kept so.
#[test]
fn a_study_grows_by_a_rule() {
    let growth = |position: &str, rule: &str| {
        let path = place();
        let name = path.to_str().expect("a path");
        let settings = ["--nodes", "200", "--hash", "1", "--judgements", "2", "--growth", rule];
        let output = study(&[&["grow", name, "--position", position], &settings[..]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        // It holds until another one is given.
        let output = study(&["grow", name, "--hash", "1", "--judgements", "3"]);
        assert!(text(&output.stdout).contains("3 judgements by Cassius "), "{output:?}");
        StudyFile::open(&path).expect("a study").study().growth
    };
    let [mover, other] = [Whose::Mover, Whose::Other].map(Growth::Repertoire);
    for (rule, white_to_move, black_to_move) in [
        ("weighted", Growth::Weighted, Growth::Weighted),
        ("by-value", Growth::ByValue, Growth::ByValue),
        ("repertoire-white", mover, other),
        ("repertoire-black", other, mover),
    ] {
        assert_eq!(growth("startpos", rule), white_to_move, "{rule}");
        assert_eq!(growth(ROOT, rule), black_to_move, "{rule}");
    }
}

/// The judgements of another study are taken once.
#[test]
fn a_study_is_imported() {
    let (path, other) = (place(), place());
    assert!(grown(&path, "1").status.success() && grown(&other, "12").status.success());
    let [name, from] = [&path, &other].map(|path| path.to_str().expect("a path"));
    // Both have judged the first position.
    for added in ["11 new judgements", "0 new judgements"] {
        let output = study(&["import", name, from]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), format!("note: {added}\n"));
    }
    let nowhere = place();
    let nowhere = nowhere.to_str().expect("a path");
    let output = study(&["import", name, nowhere]);
    assert_eq!((output.status.code(), text(&output.stderr).matches(nowhere).count()), (Some(1), 1));
}

/// A game or a page can be printed, but not two things at once.
#[test]
fn a_study_is_printed_as_a_game() {
    let path = place();
    let name = path.to_str().expect("a path");
    assert!(grown(&path, "10").status.success());
    let output = study(&["show", name, "--pgn", "-"]);
    assert!(text(&output.stdout).starts_with("[Event \"Study by Cassius\"]\n"), "{output:?}");
    assert!(text(&study(&["show", name, "--html", "-"]).stdout).starts_with("<!"));
    let output = study(&["show", name, "--pgn", "-", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("only one of --json, --pgn - and --html - can be printed"));
    assert!(!Path::new("-").exists());
}

/// While a program grows a study, another one does not.
#[test]
fn a_study_is_grown_by_one_program() {
    let path = place();
    let name = path.to_str().expect("a path");
    assert!(grown(&path, "1").status.success());
    let alone = StudyFile::alone(&path).expect("nobody else");
    let output = grown(&path, "2");
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains(&format!("{name}: another program is growing this study")), "{said}");
    drop(alone);
    assert!(grown(&path, "2").status.success());
}

/// An engine that crashes after a thousand answers is named and started again, and the study is the same.
/// (Some of the judgements are proofs, which need no engine.)
#[test]
fn a_late_crash_changes_nothing() {
    let (whole, crashed) = (place(), place());
    let grow = |path: &Path, engine: &str| {
        let path = path.to_str().expect("a path");
        let limits = ["--fresh", "--nodes", "20", "--hash", "1", "--judgements", "1200"];
        let settings = [&limits[..], &["--engine", engine]].concat();
        study(&[&["grow", path, "--position", ROOT], &settings[..]].concat())
    };
    assert!(grow(&whole, &format!("{PROGRAM} uci")).status.success());
    let breaks = format!(
        "sh -c \"n=0; while read -r line; do case $line in go*) n=$((n+1)); [ $n -gt 1000 ] && exit;; \
         esac; echo $line; done | {PROGRAM} uci\""
    );
    let output = grow(&crashed, &breaks);
    let complaints = text(&output.stderr);
    assert!(output.status.success(), "{complaints}");
    assert_eq!(complaints.matches("before it answered 'bestmove'; it is started again").count(), 1);
    assert!(contents(&crashed) == contents(&whole));
}

/// An engine goes on with what it has found, unless each leaf is to be judged afresh.
#[test]
fn an_engine_remembers() {
    for (fresh, games) in [(&[][..], 1), (&["--fresh"][..], 8)] {
        let path = place();
        let (name, heard) = (path.to_str().expect("a path"), path.with_extension("heard"));
        let engine = format!("sh -c \"tee {} | {PROGRAM} uci\"", heard.display());
        let settings = ["--nodes", "200", "--hash", "1", "--judgements", "8", "--engine", &engine];
        let output = study(&[&["grow", name, "--position", ROOT], &settings[..], fresh].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let heard = fs::read_to_string(&heard).expect("what the engine was told");
        assert_eq!((heard.matches("ucinewgame").count(), heard.matches("go nodes").count()), (games, 8));
    }
}

/// A position at which an engine always dies is left, and the study goes on.
#[test]
fn one_bad_position_does_not_end_a_study() {
    let (path, again) = (place(), place());
    assert!(grown(&path, "20").status.success());
    let shown = study(&["show", path.to_str().expect("a path"), "--json"]);
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    let moves = shown["moves"].as_array().expect("moves");
    let followed = moves.iter().find(|of| of["followed"] == true).expect("a move that is followed");
    let mv = followed["move"].as_str().expect("a move");
    let engine = format!(
        "sh -c \"while read -r line; do case $line in *moves?{mv}) exit;; esac; echo $line; done | \
         {PROGRAM} uci\""
    );
    let name = again.to_str().expect("a path");
    let settings = ["--fresh", "--nodes", "200", "--hash", "1", "--judgements", "20", "--engine", &engine];
    let output = study(&[&["grow", name, "--position", ROOT], &settings[..]].concat());
    let complaints = text(&output.stderr);
    assert!(output.status.success(), "{complaints}");
    assert_eq!(complaints.matches("the position is left for another run").count(), 1, "{complaints}");
    assert!(text(&output.stdout).contains("20 judgements by Cassius "), "{}", text(&output.stdout));
}

/// A script that answers as an engine: `$line` is what it reads, `go` is done for each search.
fn engine(go: &str) -> String {
    format!(
        "sh -c \"while read -r line; do case $line in uci) echo id name Odd; echo uciok;; \
         isready) echo readyok;; go*) {go};; esac; done\""
    )
}

/// Whatever an engine does wrong is named. Nothing is lost, and nothing wrong is kept.
#[test]
fn bad_engines_are_named() {
    let path = place();
    assert!(grown(&path, "10").status.success());
    let before = contents(&path);
    let name = path.to_str().expect("a path");
    let patience = "300ms";
    for (go, complaint) in [
        ("exit 3", "ended (exit status: 3) before it answered 'bestmove'"),
        ("sleep 9", "did not answer 'bestmove' within "),
        ("echo info score cp 5 pv e2e5; echo bestmove e2e5", "chose the illegal move 'e2e5' in "),
        ("echo bestmove a7a6", "gave no value for "),
        ("echo info score cp 5; echo bestmove", "named no move in "),
        ("echo info score mate 0 pv a7a6; echo bestmove a7a6", "claims that the side to move is mated in "),
    ] {
        let engine = engine(go);
        let output = study(&[
            "grow",
            name,
            "--engine",
            &engine,
            "--nodes",
            "200",
            "--judgements",
            "12",
            "--engine-patience",
            patience,
        ]);
        let complaints = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{go}: {complaints}");
        assert!(complaints.contains(complaint), "{go}: {complaints}");
        assert!(complaints.contains("it was started again 2 times; it is given up"), "{go}: {complaints}");
        let after = contents(&path);
        let judged = |rows: &[String]| rows.iter().filter(|row| row.starts_with("judgement")).count();
        assert_eq!(judged(&after), judged(&before), "{go}");
    }
    // One that does not start.
    let output = study(&["grow", name, "--engine", "sh -c 'exit 1'", "--judgements", "12"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("ended (exit status: 1) before it answered 'uciok'"));
    // A good one beside a bad one does the work.
    let good = format!("{PROGRAM} uci");
    let bad = engine("exit 3");
    let output = study(&[
        "grow",
        name,
        "--engine",
        &bad,
        "--engine",
        &good,
        "--jobs",
        "2",
        "--nodes",
        "200",
        "--hash",
        "1",
        "--judgements",
        "30",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("30 judgements by Cassius "), "{}", text(&output.stdout));
}

/// An engine that answers a question late does not answer the next one with it.
#[test]
fn late_answers_are_not_taken_for_others() {
    let path = place();
    let name = path.to_str().expect("a path");
    let late = engine(
        "echo info score cp 999 pv a7a6; echo bestmove a7a6; echo info score cp 7 pv h2h3; \
                       echo bestmove h2h3",
    );
    let output = study(&["grow", name, "--position", ROOT, "--engine", &late, "--nodes", "200"]);
    assert_eq!(output.status.code(), Some(1));
    let complaints = text(&output.stderr);
    assert!(complaints.contains("answered twice, or answered an earlier question"), "{complaints}");
    assert!(complaints.ends_with("nothing else is left to judge\n"), "{complaints}");
    // Neither of the two answers is kept: which one is meant is not known.
    assert!(!contents(&path).iter().any(|row| row.starts_with("judgement")));
    // An answer that was on its way before the question is noticed, too.
    let early = engine("echo info score cp 7 pv h2h3; echo bestmove h2h3")
        .replace("isready) ", "isready) echo bestmove a2a3; ");
    let output = study(&["grow", name, "--engine", &early, "--nodes", "200"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("answered twice"), "{}", text(&output.stderr));
}

/// An engine's word for a mate is no proof.
#[test]
fn what_an_engine_says_is_not_proven() {
    let path = place();
    let name = path.to_str().expect("a path");
    let liar = engine("echo info score mate 3 pv a7a6; echo bestmove a7a6");
    let arguments = ["--engine", &liar, "--nodes", "200", "--judgements", "1", "--mate-nodes", "0"];
    let output = study(&[&["grow", name, "--position", ROOT], &arguments[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("a6 … (#-3) wins, as the engines say; that is not proven."), "{said}");
    let shown = text(&study(&["show", name, "--json"]).stdout);
    assert!(shown.contains("\"proven\":false"), "{shown}");
    // Nor is it where there is no other move.
    let (path, only) = (place(), "k6r/8/8/8/8/8/1q5P/K7 w - - 0 1");
    let liar = engine("echo info score mate 3 pv a1b2; echo bestmove a1b2");
    let arguments = ["--engine", &liar, "--nodes", "200", "--judgements", "1", "--mate-nodes", "0"];
    let file = path.to_str().expect("a path");
    let said = text(&study(&[&["grow", file, "--position", only], &arguments[..]].concat()).stdout);
    let expected = "Kxb2 … (#3) is the only move; that it wins is what the engines say, and is not proven.";
    assert!(said.contains(expected), "{said}");
    let refused = study(&["grow", name, "--engine", &liar, "--engine-option", "MultiPV=2"]);
    assert!(text(&refused.stderr).contains("MultiPV cannot be set"), "{}", text(&refused.stderr));
}

/// Wishes that wait are shown. A line that was not preferred cannot be preferred no longer.
#[test]
fn wishes_wait_until_the_study_grows() {
    let path = place();
    assert!(grown(&path, "3").status.success());
    let name = path.to_str().expect("a path");
    assert!(study(&["exclude", name, "--line", "1... Qc5", "2. g4"]).status.success());
    assert!(study(&["prefer", name, "a6 Kh1", "--not"]).status.success());
    let waiting = "when it grows: after 1... Qc5: leave out g4; no longer prefer 1... a6 2. Kh1\n";
    let said = text(&study(&["show", name]).stdout);
    assert!(said.contains(waiting), "{said}");
    let refused = study(&["include", name, "a6 Kh1"]);
    assert!(text(&refused.stderr).contains("expected one move, not 'a6 Kh1'"), "{}", text(&refused.stderr));
    let said = text(&grown(&path, "4").stderr);
    assert!(said.contains("note: after 1... Qc5: leave out g4: done\n"), "{said}");
    assert!(said.contains("note: no longer prefer 1... a6 2. Kh1: it was not preferred\n"), "{said}");
    let shown = study(&["show", name]);
    let said = text(&shown.stdout);
    assert!(!said.contains("when it grows") && !said.contains("\na6 "), "{said}");
}

/// Lines of games are looked at, and the study is written as a game that can be read.
#[test]
fn games_in_and_out() {
    let path = place();
    assert!(grown(&path, "12").status.success());
    let (name, games) = (path.to_str().expect("a path"), path.with_extension("pgn"));
    let game = format!(
        "[SetUp \"1\"]\n[FEN \"{ROOT}\"]\n\n1... Nd5 2. g4 \
         (2. Bb2 Ne3 (2... Nf4 {{a note}} 3. Nxf4) 3. Kh1) 2... Ne3 3. h3 *\n\n1. e4 *\n"
    );
    fs::write(&games, game).expect("a file");
    let games = games.to_str().expect("a path");
    let output = study(&["lines", name, games, "--plies", "3"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "note: 3 lines to look at\n");
    let output = study(&["grow", name, "--nodes", "200", "--hash", "1", "--judgements", "18"]);
    for mv in ["Ne3", "Nf4"] {
        assert!(text(&output.stderr).contains(&format!("look at {mv}: done")), "{}", text(&output.stderr));
    }
    let out = path.with_extension("out.pgn");
    let out = out.to_str().expect("a path");
    assert!(study(&["show", name, "--pgn", out]).status.success());
    let written = fs::read_to_string(out).expect("a file").replace('\n', " ");
    assert!(written.contains("1... Nd5 {") && written.contains("2. g4 {"), "{written}");
    let shown = Command::new(PROGRAM).args(["analyse", out, "--nodes", "10"]).output().expect("it runs");
    assert!(shown.status.success(), "{}", text(&shown.stderr));

    fs::write(games, "1. e4 e5 *\n").expect("a file");
    let output = study(&["lines", name, games]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no game goes on from the study's position"));
}

/// That a side loses is said to be proven, if it is.
#[test]
fn a_proven_loss_is_said() {
    let path = place();
    let name = path.to_str().expect("a path");
    let lost = "7k/8/8/8/8/8/8/RR2K3 b - - 0 1";
    let output = study(&["grow", name, "--position", lost, "--nodes", "3000", "--judgements", "10"]);
    assert!(text(&output.stdout).contains("is best; that it loses is proven."), "{output:?}");
}

/// A forced mate closes a leaf before an engine is asked.
#[test]
fn mates_need_no_engine() {
    let path = place();
    let name = path.to_str().expect("a path");
    let rooks = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    let nobody = engine("exit 3");
    let output = study(&["grow", name, "--position", rooks, "--engine", &nobody, "--judgements", "5"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("Ra8# … (#1) wins."), "{said}");
    let game = path.with_extension("pgn");
    let game = game.to_str().expect("a path");
    assert!(study(&["show", name, "--pgn", game]).status.success());
    let written = fs::read_to_string(game).expect("a file");
    assert!(written.contains("1. Ra8# *"), "a game that is over has no value: {written}");
    assert!(said.contains("1 judgement by Proof-number search"), "{said}");
    // Without the longest defence, the mate is as long as the others let it be.
    let path = place();
    let name = path.to_str().expect("a path");
    let lost = "6k1/3R4/1K2R3/8/8/8/8/8 b - - 0 1";
    let grow = ["grow", name, "--position", lost, "--engine", &nobody, "--judgements", "5"];
    let said = text(&study(&grow).stdout);
    assert!(said.contains("Kf8 … (#2) "), "{said}");
    assert!(study(&["exclude", name, "Kf8"]).status.success());
    let said = text(&study(&grow).stdout);
    assert!(said.contains("Kh8 … (#1) "), "{said}");
}

/// Errors are measured, and studies tried, once for each position: a second run reads what is kept.
#[test]
fn errors_and_studies_are_measured() {
    let path = place();
    let suite = path.with_extension("epd");
    fs::write(
        &suite,
        "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - bm Qc5; id \"x\";\n\
                       2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - bm Qxg7+; id \"y\";\n",
    )
    .expect("a file");
    let (suite, out) = (suite.to_str().expect("a path"), path.with_extension("jsonl"));
    let out = out.to_str().expect("a path");
    let _ = fs::remove_file(out);
    let arguments = ["measure", suite, "--nodes", "50", "--hash", "1", "--out", out];
    let output = study(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("judged with 50 nodes ") && said.contains("--set Errors.effort=50 "), "{said}");
    let kept = fs::read_to_string(out).expect("a file");
    assert_eq!(text(&study(&[&arguments[..], &["--jobs", "2"]].concat()).stdout), said);
    assert_eq!(fs::read_to_string(out).expect("a file"), kept, "nothing was measured again");
    fs::remove_file(out).expect("it is there");

    let arguments =
        ["trial", suite, "--nodes", "100", "--total-nodes", "1k", "--then", "3", "--hash", "1", "--out", out];
    let output = study(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.starts_with("2 positions, 1000 nodes each: one search "), "{said}");
    assert!(said.contains("with 3 times as many nodes by weights ") && said.contains("predicted"), "{said}");
    assert_eq!(text(&study(&arguments).stdout), said);
    fs::remove_file(out).expect("it is there");

    let arguments = ["workers", suite, "--workers", "1,3", "--nodes", "100", "--total-nodes", "2k"];
    let arguments = [&arguments[..], &["--hash", "1", "--out", out]].concat();
    let output = study(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.starts_with("2 positions, 2000 nodes each\n"), "{said}");
    let rows: Vec<&str> = said.lines().skip(2).map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(rows, ["1", "3"]);
    let kept = fs::read_to_string(out).expect("a file");
    assert_eq!(text(&study(&arguments).stdout), said);
    assert_eq!(fs::read_to_string(out).expect("a file"), kept, "nothing was judged again");
    fs::remove_file(out).expect("it is there");
}

/// The page has what the verdict hangs on, and no markup of others.
#[test]
fn a_page_is_written() {
    let path = place();
    assert!(grown(&path, "30").status.success());
    let (name, page) = (path.to_str().expect("a path"), path.with_extension("html"));
    assert!(study(&["show", name, "--html", page.to_str().expect("a path")]).status.success());
    let page = fs::read_to_string(page).expect("a page");
    let data = page.split_once("application/json\">").and_then(|(_, rest)| rest.split_once("</script>"));
    let shown: serde_json::Value = serde_json::from_str(data.expect("data").0).expect("JSON");
    assert_eq!(shown["positions"][0]["fen"].as_str(), Some(ROOT));
    let path = shown["conspiracies"][0]["members"][0]["path"].as_array().expect("positions of the page");
    let positions = shown["positions"].as_array().expect("positions").len() as u64;
    assert!(path[0] == 0 && path.iter().all(|at| at.as_u64() < Some(positions)), "{path:?}");
    assert!(!page.contains("{{") && page.matches("</script>").count() == 2);
}

/// What a study has found takes the place of the engine's answers, where it knows them.
#[test]
fn a_study_explains() {
    let path = place();
    assert!(grown(&path, "60").status.success());
    let name = path.to_str().expect("a path");
    let shown: serde_json::Value =
        serde_json::from_slice(&study(&["show", name, "--json"]).stdout).expect("JSON");
    let engine = format!("{PROGRAM} uci");
    let value = shown["moves"][0]["value"]["score"].as_i64().expect("a value");
    let arguments = ["explain", ROOT, "--engine", &engine, "--nodes", "2k", "--json", "--study", name];
    let output = Command::new(PROGRAM).args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let explained = text(&output.stdout);
    let best = shown["moves"][0]["move"].as_str().expect("a move");
    let position: cassius_chess::Position = ROOT.parse().expect("a position");
    let san = position.san(position.parse_uci(best).expect("a legal move"));
    assert!(explained.contains(&format!("\"{san}")), "{san}: {explained}");
    assert!(explained.contains("with a study"), "{explained}");
    let explained: serde_json::Value = serde_json::from_str(&explained).expect("JSON");
    assert_eq!(explained["own"]["value"]["score"].as_i64(), Some(value), "it is the value of the study");
    let output = Command::new(PROGRAM).args(["explain", ROOT, "--study", name]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2), "an engine is needed for what the study does not know");
    let arguments = ["explain", ROOT, "--study", name, "--plan-nodes", "0"];
    let output = Command::new(PROGRAM).args(arguments).output().expect("it runs");
    assert_eq!(text(&output.stderr), "error: --study needs --engine\n");
}

/// The best line of a study has no errors: what an engine finds in a search of its own does not count there.
#[test]
fn a_study_annotates() {
    let path = place();
    assert!(grown(&path, "60").status.success());
    let (name, game) = (path.to_str().expect("a path"), path.with_extension("pgn"));
    let game = game.to_str().expect("a path");
    assert!(study(&["show", name, "--pgn", game]).status.success());
    let engine = format!("{PROGRAM} uci");
    let arguments = ["annotate", game, "--engine", &engine, "--nodes", "20", "--study", name];
    let output = Command::new(PROGRAM).args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let annotated = text(&output.stdout).replace('\n', " ");
    let shown: serde_json::Value =
        serde_json::from_slice(&study(&["show", name, "--json"]).stdout).expect("JSON");
    // Black is to move at the root.
    let value = -shown["moves"][0]["value"]["score"].as_i64().expect("a value") as f64 / 100.0;
    let position: cassius_chess::Position = ROOT.parse().expect("a position");
    let mv = position.parse_uci(shown["moves"][0]["move"].as_str().expect("a move")).expect("legal");
    let first = format!("1... {} {{ [%eval {value:.2}]", position.san(mv));
    assert!(annotated.contains(&first), "{first}: {annotated}");
}

#[test]
fn what_is_wrong_is_said() {
    let path = place();
    let name = path.to_str().expect("a path");
    let complaint = |arguments: &[&str]| {
        let output = study(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        text(&output.stderr)
    };
    assert!(complaint(&["grow", name]).contains("there is no such study; --position begins one"));
    assert_eq!(complaint(&["show", name]).matches(name).count(), 1, "it is named once");
    #[cfg(unix)]
    assert!(complaint(&["show", name]).contains("No such file or directory"));
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    assert!(complaint(&["grow", name, "--position", mated]).contains("the game is over in this position"));
    let said = complaint(&["grow", name, "--position", "8/8/8/8/3k4/8/8/R6K w - - 100 90"]);
    assert!(said.contains("a draw can be claimed in this position by the fifty-move rule"), "{said}");
    assert!(grown(&path, "1").status.success());
    let other = complaint(&["grow", name, "--position", "startpos"]);
    assert!(other.contains(&format!("this is a study of {ROOT}, not of ")), "{other}");
    let clock = ROOT.replace(" 0 1", " 40 80");
    let other = complaint(&["grow", name, "--position", &clock]);
    assert!(other.contains(&format!("this is a study of {ROOT}, not of {clock}")), "{other}");
    let growing = format!("{name}.growing");
    fs::write(&growing, "my diary").expect("a file");
    assert!(complaint(&["grow", name]).contains(&format!("{name}: {growing} is in the way: move it")));
    assert_eq!(fs::read_to_string(&growing).expect("a file"), "my diary");
    fs::remove_file(&growing).expect("a file");
    let wrong = complaint(&["grow", name, "--set", "Errors.judged=0"]);
    assert!(wrong.contains("Errors.judged is from 1 to 3000 thousandths of a unit, not 0"), "{wrong}");
    let wrong = complaint(&["grow", name, "--set", "Errors.x=0"]);
    assert!(wrong.contains("there is no parameter Errors.x; there are Errors.unit, "), "{wrong}");
    assert!(complaint(&["exclude", name, "Ke5"]).contains("Ke5"));
    fs::write(&path, "my diary, which is longer than a hundred bytes".repeat(9)).expect("a file");
    assert!(complaint(&["show", name]).contains("this is not a study file"));
}
