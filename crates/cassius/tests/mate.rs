//! `cassius mate` and `go mate` as people and programs use them.

mod common;

use common::{Engine, assert_golden, run, transcript};
use serde_json::Value;
use std::path::PathBuf;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const KAINDL: &str = "2b3k1/4rrpp/p2p4/2pP2RQ/1pP1Pp1N/1P3P1P/1q6/6RK w - - 0 1";
const ROOKS: &str = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1";

/// A place for a file of this name.
fn place(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mate");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name).display().to_string()
}

fn json(arguments: &[&str], input: &str) -> Vec<Value> {
    let output = run(&[&["mate", "--json"], arguments].concat(), input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

#[test]
fn mates_and_none() {
    assert_golden!("mate_one", transcript(&["mate", BACK_RANK], ""));
    assert_golden!("mate_none", transcript(&["mate", KAINDL, "--moves", "2"], ""));
    assert_golden!("mate_all", transcript(&["mate", ROOKS, "--all"], ""));
    let black = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 1 2";
    assert_golden!("mate_json", transcript(&["mate", black, "--json"], ""));
    assert_golden!("mate_mated", transcript(&["mate", "7k/8/8/8/8/8/R7/1R2K3 b - - 0 1", "--mated"], ""));
    let over = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_golden!("mate_over", transcript(&["mate", over, "--mated"], ""));
}

#[test]
fn a_long_mate_is_proven_and_can_be_checked() {
    let found = &json(&[KAINDL], "")[0];
    assert_eq!((&found["mate_in"], &found["no_mate_in"]), (&6.into(), &5.into()));
    let path = place("kaindl.txt");
    let output = run(&["mate", KAINDL, "--any", "--moves", "6", "--out", &path], "");
    assert!(output.status.success(), "{output:?}");
    let checked = String::from_utf8(run(&["check", &path], "").stdout).expect("text");
    assert!(checked.contains("won in 11 plies") && checked.contains("certain"), "{checked}");
    // Nothing can be taken out of it.
    let text = std::fs::read_to_string(&path).expect("a file");
    let reply = text.lines().find(|line| line.starts_with("? ")).expect("a reply");
    let (kept, _) = reply.rsplit_once(' ').expect("a move");
    std::fs::write(&path, text.replacen(reply, kept, 1)).expect("a file");
    assert!(!run(&["check", &path], "").status.success());
    // What is not found is not written.
    let output = run(&["mate", KAINDL, "--moves", "2", "--out", &place("none.txt")], "");
    assert!(!output.status.success() && !PathBuf::from(place("none.txt")).exists());
}

#[test]
fn it_gives_up_and_says_how_far_it_came() {
    let said = transcript(&["mate", "startpos", "--nodes", "50k"], "");
    assert!(said.contains("given up: no mate in") && said.contains("proof number"), "{said}");
    assert!(said.contains("50000 nodes") && said.ends_with("exit code: 0\n"), "{said}");
    let found = &json(&["startpos", "--nodes", "10"], "")[0];
    assert!(
        found["mate_in"].is_null() && found["no_mate_in"].as_u64() < Some(2) && found["nodes"] == 10,
        "{found}"
    );
}

#[test]
fn suites_are_counted() {
    let suite = format!(
        "{BACK_RANK} bm #1;\n7k/8/8/8/8/8/R7/1R2K3 w - - dm 2;\n7k/8/8/8/8/8/R7/1R2K3 w - - dm 1;\n\
         7k/8/8/8/8/8/R7/1R2K3 w - - dm 3;\n6k1/8/8 w - -\n7k/8/8/8/8/8/R7/1R2K3 b - - bm #-3;\n"
    );
    let suite = suite.replace(" 0 1 bm", " bm");
    let said = transcript(&["mate", "-"], &suite);
    assert!(said.contains("3 of 5 solved, 3 with as short a mate as stated, 2 stated wrongly"), "{said}");
    let totals = json(&["-"], &format!("{BACK_RANK} ;\n{} bm #1;\n", &BACK_RANK[..BACK_RANK.len() - 4]));
    assert_eq!((totals.len(), &totals[2]["as_stated"], &totals[2]["positions"]), (3, &1.into(), &1.into()));
    assert!(said.contains("stderr: error: standard input:5: ") && said.ends_with("exit code: 1\n"), "{said}");
}

#[test]
fn go_mate_is_proven() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KAINDL}"));
    let best = engine.ask("go mate 6", "bestmove");
    assert!(best.starts_with("bestmove h5h7 ponder g8h7"), "{best}");
    engine.send(&format!("position fen {BACK_RANK}"));
    engine.ask("go mate 5", "bestmove a1a8");
    // No mate: said so, and a move all the same. It ends, whatever the limits.
    engine.send("position startpos");
    for (go, said) in [
        ("go mate 2", "info string no mate in 2, proven"),
        ("go mate 9 nodes 5000", "info string no mate in 9 found, given up"),
        ("go mate 9 movetime 100", "info string no mate in 9 found, given up"),
        ("go mate 9 wtime 2000 btime 2000", "info string no mate in 9 found, given up"),
        ("go mate 4000000000 nodes 2000", "info string no mate in 100 found, given up"),
    ] {
        engine.ask(go, said);
        assert_ne!(engine.until("bestmove"), "bestmove 0000", "{go}");
    }
    engine.send("go mate 30");
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_ne!(engine.ask("stop", "bestmove"), "bestmove 0000");
    engine.send("go mate 1 infinite");
    let early = engine.listen(std::time::Duration::from_millis(100));
    assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{early:?}");
    engine.ask("stop", "bestmove");
    let said = engine.quit();
    assert!(said.contains("score mate 6 ") && said.contains("mate in 6, proven: none is shorter"), "{said}");
}
