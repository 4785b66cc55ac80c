//! The commands as users run them: golden transcripts, and bad input of every kind with its exit code.

use crate::common::{assert_golden, run, transcript};
use std::path::PathBuf;

const MATE: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";

/// Creates a file with this text, in the folder of this test.
fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("commands");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

/// Removes the folder of the files from a transcript.
fn tidy(text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("commands");
    text.replace(&format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR), "")
}

#[test]
fn analyse_positions() {
    assert_golden!("analyse_mate", transcript(&["analyse", MATE, "--depth", "3", "--recipe", "plies"], ""));
    let black = "6k1/8/8/8/8/8/r4PPP/6K1 b - - 0 1";
    assert_golden!(
        "analyse_mate_by_black",
        transcript(&["analyse", black, "--depth", "3", "--json", "--recipe", "plies"], "")
    );
    // A FEN without quotes, several inputs, finished games.
    let mut arguments: Vec<&str> = "analyse 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1".split(' ').collect();
    arguments.push("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    arguments.extend(["--nodes", "100"]);
    assert_golden!("analyse_finished", transcript(&arguments, ""));
}

#[test]
fn analyse_standard_input() {
    let epd = format!("# a comment\n{MATE}; \n6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"back rank\";\n");
    assert_golden!("analyse_epd", transcript(&["analyse", "-", "--depth", "2", "--recipe", "plies"], &epd));
    let pgn = "[White \"Fool\"]\n[Black \"Scholar\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    assert_golden!(
        "analyse_pgn",
        transcript(&["analyse", "-", "--depth", "4", "--ply", "3", "--recipe", "plies"], pgn)
    );
    assert_golden!(
        "analyse_pgn_last",
        transcript(&["analyse", "-", "--ply", "last", "--json", "--recipe", "plies"], pgn)
    );
}

#[test]
fn analyse_every_position_of_a_game() {
    let output = run(&["analyse", "-", "--nodes", "200", "--json"], "1. e4 e5 2. Nf3 *");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), 4);
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("one object a line");
        assert!(value["lines"][0]["uci"][0].is_string(), "{line}");
        assert!(value["nodes"].as_u64().is_some_and(|nodes| nodes <= 200), "{line}");
    }
}

#[test]
fn analysis_is_the_same_every_time() {
    let arguments = ["analyse", "startpos", "--nodes", "20k", "--lines", "3", "--json"];
    let strip = |output: std::process::Output| {
        let mut value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        value["time_ms"] = 0.into();
        value
    };
    assert_eq!(strip(run(&arguments, "")), strip(run(&arguments, "")));
}

#[test]
fn broken_input_is_named_and_the_rest_is_done() {
    let analyse = |arguments: &[&str]| {
        let all: Vec<&str> = ["analyse"]
            .iter()
            .chain(arguments)
            .chain(&["--depth", "1", "--recipe", "plies"])
            .copied()
            .collect();
        tidy(&transcript(&all, ""))
    };
    assert_golden!("bad_fen", analyse(&["6k1/5ppp/8/8/8/8/8/R6X w - - 0 1", MATE]));
    assert_golden!("bad_position", analyse(&["6k1/5ppp/8/8/8/8/8/R7 w - - 0 1"]));
    assert_golden!("bad_path", analyse(&["no-such-file.pgn"]));
    let epd = file(
        "broken.epd",
        "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra9;\n6k1/8/8 w - -\n8/8/8/8/8/4k3/4p3/4K3 w - -\n",
    );
    assert_golden!("bad_epd", analyse(&[&epd]));
    let pgn = file(
        "broken.pgn",
        "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"C\"]\n\n\
         1. e4 { never closed",
    );
    assert_golden!("bad_pgn", analyse(&[&pgn, "--ply", "4"]));
    // Of a game that begins elsewhere, or of none at all, nothing is readable.
    let unread = file("unread.pgn", "[FEN \"not a fen\"]\n\n1. Kd2 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n");
    let said = analyse(&[&unread]);
    assert!(!said.contains("ply 0") && said.matches("unread.pgn: game ").count() == 2, "{said}");
    assert_golden!("bad_tables", analyse(&["startpos", "--syzygy", "/no/such/place"]));
    assert_golden!("bad_parameter", analyse(&["startpos", "--set", "Omelette.eggs=3"]));
}

/// A file that is missing does not keep the others from being done.
#[test]
fn what_is_missing_is_named_and_the_rest_is_done() {
    let suite = file("rest.epd", "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#;\n");
    for files in [["no-such.epd", &suite], [&suite, "no-such.epd"]] {
        let solved = transcript(&[&["solve", "--nodes", "1k"], &files[..]].concat(), "");
        assert!(solved.contains("1 of 1 solved") && solved.contains("error: no-such.epd: "), "{solved}");
        assert!(
            solved.contains("1 file could not be read") && solved.ends_with("exit code: 1\n"),
            "{solved}"
        );
    }
    let nothing = transcript(&["solve", "no-such.epd"], "");
    assert!(
        nothing.contains("error: there is nothing to solve") && !nothing.contains("solved ("),
        "{nothing}"
    );
}

/// File names are not always text.
#[test]
#[cfg(unix)]
fn files_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt as _;
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.pgn");
    let path = PathBuf::from(file("any-name", "")).with_file_name(name);
    std::fs::write(&path, "1. e4 e5 *\n\n1. e4 e5 2.\n").expect("a file");
    let out = path.with_extension("out");
    for arguments in [
        &["analyse", "--nodes", "1", "--ply", "last"][..],
        &["explain", "--nodes", "1", "--plan-nodes", "0"],
        &["mate", "--nodes", "1"],
        &["annotate", "--nodes", "1", "--plan-nodes", "0", "--out"],
    ] {
        let mut command = crate::common::cassius();
        command.args(arguments);
        if arguments[0] == "annotate" {
            command.arg(&out);
        }
        let output = command.arg(&path).output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("caf\u{fffd}.pgn: game 2, line 3: the game ends without a result"), "{said}");
        assert!(!output.stdout.is_empty());
    }
    assert!(std::fs::read_to_string(out).expect("games").contains("1. e4 "));
}

#[test]
fn a_wrong_command_line_is_explained() {
    for (name, arguments) in [
        ("usage_command", vec!["omelette"]),
        ("usage_option", vec!["analyse", "startpos", "--eggs", "3"]),
        ("usage_recipe", vec!["analyse", "startpos", "--recipe", "omelette"]),
        ("usage_switch", vec!["analyse", "startpos", "--with", "NullMove", "--without", "Razoring,nullmove"]),
        ("usage_time", vec!["analyse", "startpos", "--time", "soon"]),
        ("usage_perft", vec!["perft", "8/8/8/8/8/8/8/8 w - - 0 1", "3"]),
        ("usage_recipes", vec!["recipes", "omelette"]),
    ] {
        assert_golden!(name, transcript(&arguments, ""));
    }
}

#[test]
fn perft_divides() {
    assert_golden!(
        "perft",
        transcript(&["perft", "startpos", "3"], "").split(" leaves in").next().expect("text")
    );
}

#[test]
fn bench_repeats_itself_and_ends_as_openbench_wants() {
    let signature = |more: &[&str]| {
        let output = run(&[&["bench", "--depth", "4"], more].concat(), "");
        let text = String::from_utf8(output.stdout).expect("text");
        let last = text.lines().last().expect("a line").to_string();
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"), "{last}");
        words[0].parse::<u64>().expect("a number")
    };
    assert_eq!(signature(&[]), signature(&[]));
    assert_ne!(signature(&[]), signature(&["--without", "NullMove"]));
}

/// OpenBench gives `genfens` as one argument, and `quit` as another one.
#[test]
fn openings_are_made_as_openbench_wants() {
    let made = |arguments: &[&str]| {
        let output = run(arguments, "");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("text");
        let fen = |line: &str| {
            let fen = line.strip_prefix("info string genfens ").expect("its sign");
            assert_eq!(fen.split(' ').count(), 6, "{fen}");
            fen.parse::<cassius_chess::Position>().expect("a position")
        };
        text.lines().map(fen).collect::<Vec<_>>()
    };
    let six = made(&["genfens 6 seed 42 book None ", "quit"]);
    assert_eq!(six.len(), 6);
    assert_eq!(six, made(&["genfens", "6", "seed", "42"]));
    assert_ne!(six, made(&["genfens 6 seed 43 book None x", "quit"]));
    assert_eq!(made(&["genfens", "0"]).len(), 0);
    let book = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("genfens.epd");
    std::fs::write(&book, "8/5k2/8/8/8/8/R3K3/8 w - - id \"won\";\n4k3/4p3/8/8/8/8/4P3/4K3 w - -\n")
        .expect("a file");
    let from_book = made(&[&format!("genfens 3 seed 1 book {} ", book.display()), "quit"]);
    // What is won is left out.
    assert!(from_book.iter().all(|position| position.board().rooks().is_empty()));
    assert_eq!(from_book.len(), 3);
    for (arguments, complaint) in [
        (["genfens", "3", "seed", "x"], "the seed is a number, not 'x'"),
        (["genfens", "3", "book", "none.epd"], "none.epd: No such file"),
    ] {
        let output = run(&arguments, "");
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(complaint), "{said}");
    }
}

#[test]
fn recipes_and_completions_are_listed() {
    let list = String::from_utf8(run(&["recipes"], "").stdout).expect("text");
    assert!(list.starts_with("plies") && list.contains("coupled"), "{list}");
    let one = String::from_utf8(run(&["recipes", "coupled"], "").stdout).expect("text");
    assert!(one.contains("LateMoveReduction."), "{one}");
    let all = String::from_utf8(run(&["recipes", "--all", "--json"], "").stdout).expect("text");
    assert!(all.lines().count() >= list.lines().count(), "{all}");
    for line in all.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("one object a line");
        assert!(value["parameters"].is_array());
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell], "");
        assert!(output.status.success() && output.stdout.len() > 1000, "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    let _ = std::fs::remove_dir_all(&folder);
    let output = run(&["man", folder.to_str().expect("a path")], "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for page in ["cassius", "cassius-explain", "cassius-study-grow", "cassius-lab-selfplay"] {
        let text = std::fs::read_to_string(folder.join(format!("{page}.1"))).expect("a page");
        assert!(text.contains(&format!(".TH {page} 1")), "{page}");
    }
}
