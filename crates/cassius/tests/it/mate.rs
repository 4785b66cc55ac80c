//! `cassius mate` and `go mate` as people and programs use them.

use crate::common::{Engine, assert_golden, run, transcript};
use serde_json::Value;
use std::path::PathBuf;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const KAINDL: &str = "2b3k1/4rrpp/p2p4/2pP2RQ/1pP1Pp1N/1P3P1P/1q6/6RK w - - 0 1";
const ROOKS: &str = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1";

/// Returns a path for a file of this name.
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

/// Nobody has won because a mate was looked for.
#[test]
fn a_finished_game_names_no_other_winner() {
    let checkmate = &json(&["R6k/5ppp/8/8/8/8/8/6K1 b - - 0 1"], "")[0];
    assert_eq!((&checkmate["winner"], checkmate["side"].as_str()), (&Value::Null, Some("black")));
    assert_eq!(checkmate["end"], "checkmate: White has won");
    let stalemate = &json(&["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "")[0];
    assert_eq!((&stalemate["winner"], stalemate["end"].as_str()), (&Value::Null, Some("stalemate: a draw")));
    let none = &json(&[KAINDL, "--moves", "2"], "")[0];
    assert_eq!((&none["winner"], &none["end"]), (&Value::Null, &Value::Null));
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
    // No part of the certificate can be removed.
    let text = std::fs::read_to_string(&path).expect("a file");
    let reply = text.lines().find(|line| line.starts_with("? ")).expect("a reply");
    let (kept, _) = reply.rsplit_once(' ').expect("a move");
    std::fs::write(&path, text.replacen(reply, kept, 1)).expect("a file");
    assert!(!run(&["check", &path], "").status.success());
    // If no mate is found, nothing is written.
    let output = run(&["mate", KAINDL, "--moves", "2", "--out", &place("none.txt")], "");
    assert!(!output.status.success() && !PathBuf::from(place("none.txt")).exists());
}

/// The table may know a shorter win of a position that comes again below. That one is written.
#[test]
fn no_line_of_a_proof_passes_a_position_twice() {
    let path = place("again.txt");
    let position = "6k1/4p1p1/4P3/5K1Q/p7/8/P7/8 b - - 0 1";
    let output = run(&["mate", position, "--mated", "--moves", "4", "--nodes", "1500", "--out", &path], "");
    assert!(output.status.success(), "{output:?}");
    assert!(run(&["check", &path], "").status.success());
}

/// What the input says of one side is no answer to a question about the other.
#[test]
fn a_stated_mate_is_of_one_side() {
    let suite = place("stated.epd");
    std::fs::write(&suite, "7k/8/8/8/8/8/R7/1R2K3 w - - dm 2;\n").expect("a file");
    let said = transcript(&["mate", &suite, "--mated", "--moves", "2"], "");
    assert!(said.contains("no mate in 2 by Black (proven)") && !said.contains("the input says"), "{said}");
}

/// A proof takes no account of the game before it, in which a draw may be near.
#[test]
fn the_game_before_it_counts() {
    let head = "[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/R7/1R2K3 w - - 0 1\"]\n\n1. Ra3 Kh7 2. Ra2";
    for (more, said, field) in [
        ("*", "White mates in 4 (proven shortest)", None),
        ("Kh8 *", "some position has occurred twice, so nothing is proven", Some("repeated")),
        ("Kh8 3. Ra3 Kh7 4. Ra2 Kh8 *", "a draw can be claimed by threefold repetition", Some("drawn")),
    ] {
        let game = format!("{head} {more}\n");
        // The other side is to move after the first.
        let mated: &[&str] = if field.is_none() { &["--mated"] } else { &[] };
        let told = transcript(&[&["mate", "-"], mated].concat(), &game);
        assert!(told.contains(said), "{told}");
        let found = &json(&[&["-"], mated].concat(), &game)[0];
        assert_eq!(found["mate_in"].is_null(), field.is_some(), "{found}");
        assert!(field.is_none_or(|field| found[field] == true && found["no_mate_in"].is_null()), "{found}");
        let claim = "threefold repetition: a draw can be claimed";
        let told = transcript(&["analyse", "-", "--ply", "last", "--nodes", "2000"], &game);
        assert_eq!(told.contains(claim), field == Some("drawn"), "{told}");
        let told = transcript(&["analyse", "-", "--ply", "last", "--nodes", "2000", "--json"], &game);
        assert_eq!(told.contains(claim), field == Some("drawn"), "{told}");
    }
}

#[test]
fn a_game_that_is_over_says_how() {
    for (position, end) in [
        ("R5k1/5ppp/8/8/8/8/8/7K b - - 100 80", "the game is over, checkmate: White has won"),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "the game is over, stalemate: a draw"),
    ] {
        let said = transcript(&["mate", position], "");
        assert!(said.contains(end), "{said}");
    }
}

#[test]
fn it_gives_up_and_says_how_far_it_came() {
    let said = transcript(&["mate", "startpos", "--nodes", "50k"], "");
    assert!(said.contains("undecided: no mate in") && said.contains("proof number"), "{said}");
    assert!(said.contains("50000 nodes") && said.ends_with("exit code: 0\n"), "{said}");
    let said = String::from_utf8(run(&["mate", "startpos", "--nodes", "1"], "").stdout).expect("text");
    assert!(said.contains("  1 node, "), "{said}");
    let found = &json(&["startpos", "--nodes", "10"], "")[0];
    assert!(
        found["mate_in"].is_null() && found["no_mate_in"].as_u64() < Some(2) && found["nodes"] == 10,
        "{found}"
    );
}

#[test]
fn what_is_empty_and_what_would_be_overwritten_is_said() {
    let said = transcript(&["mate", "-"], "");
    assert!(said.contains("no position in standard input") && said.ends_with("exit code: 1\n"), "{said}");
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/own.epd");
    let suite = format!("{} bm #1;\n", BACK_RANK.trim_end_matches(" 0 1"));
    std::fs::write(path, &suite).expect("a file");
    for arguments in [["mate", path, "--out", path], ["check", path, "--dot", path]] {
        let said = transcript(&arguments, "");
        assert!(said.contains("would be overwritten") && said.ends_with("exit code: 1\n"), "{said}");
        assert_eq!(std::fs::read_to_string(path).expect("the file"), suite);
    }
}

#[test]
fn suites_are_counted() {
    let suite = format!(
        "{BACK_RANK} bm #1;\n7k/8/8/8/8/8/R7/1R2K3 w - - dm 2;\n7k/8/8/8/8/8/R7/1R2K3 w - - dm 1;\n\
         7k/8/8/8/8/8/R7/1R2K3 w - - dm 3;\n6k1/8/8 w - -\n7k/8/8/8/8/8/R7/1R2K3 b - - bm #-3;\n"
    );
    let suite = suite.replace(" 0 1 bm", " bm");
    let said = transcript(&["mate", "-"], &suite);
    assert!(said.contains("3 of 5 solved, 3 with a mate of the stated length, 2 stated wrongly"), "{said}");
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
    // If there is no mate, this is reported, and a move is played nevertheless. The search ends with any
    // limits.
    engine.send("position startpos");
    for (go, said) in [
        ("go mate 2", "info string no mate in 2 (proven)"),
        ("go mate 9 nodes 5000", "info string no mate in 9 found (undecided)"),
        ("go mate 9 movetime 100", "info string no mate in 9 found (undecided)"),
        ("go mate 9 wtime 2000 btime 2000", "info string no mate in 9 found (undecided)"),
        ("go mate 4000000000 nodes 2000", "info string no mate in 100 found (undecided)"),
    ] {
        engine.ask(go, said);
        assert_ne!(engine.until("bestmove"), "bestmove 0000", "{go}");
    }
    // Where a draw can be claimed nothing is proven.
    let clock = BACK_RANK.replace(" 0 1", " 100 80");
    assert_ne!(clock, BACK_RANK);
    engine.send(&format!("position fen {clock}"));
    engine
        .ask("go mate 3", "info string go mate: a draw can be claimed by the fifty-move rule, so nothing is");
    assert_eq!(engine.until("bestmove"), "bestmove a1a8");
    let over = transcript(&["mate", "R5k1/5ppp/8/8/8/8/8/7K b - - 100 80"], "");
    assert!(over.contains("the game is over") && !over.contains("drawn by"), "{over}");
    // With some of the moves only.
    engine.send(&format!("position fen {BACK_RANK}"));
    engine.ask("go mate 3 searchmoves a1a2 a1a8", "info string mate in 1 proven; no mate with these");
    assert_eq!(engine.until("bestmove"), "bestmove a1a8");
    let none = "info string no mate in 1 with these moves (proven)";
    engine.ask("go mate 1 searchmoves a1a2 a1a7 nodes 5000", none);
    assert_ne!(engine.until("bestmove"), "bestmove a1a8");
    engine.ask("go mate 0", "info string go mate: 0 is treated as 1");
    assert_eq!(engine.until("bestmove"), "bestmove a1a8");
    // With other first moves too; a repeated move counts once. The search ends even without a limit.
    engine.send("setoption name MultiPV value 3");
    engine.ask("go mate 12", "info string no other mate in 12 found (undecided)");
    assert_eq!(engine.until("bestmove"), "bestmove a1a8");
    engine.ask("go mate 1 searchmoves a1a8 a1a2 a1a8", "info string no other mate in 1 with these moves");
    assert_eq!(engine.until("bestmove"), "bestmove a1a8");
    engine.send("position fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    for (go, more) in [
        ("go mate 2", "info string no other mate in 2 (proven)"),
        ("go mate 3", "info depth 5 seldepth 5 multipv 3 score mate 3 "),
    ] {
        engine.ask(go, "info depth 3 seldepth 3 multipv 1 score mate 2 ");
        engine.until("info string mate in 2 proven; no mate is shorter");
        engine.until("info depth 3 seldepth 3 multipv 2 score mate 2 ");
        engine.until(more);
        engine.until("bestmove");
    }
    engine.send("setoption name MultiPV value 1");
    engine.send(&format!("position fen {BACK_RANK}"));
    // The given time is used.
    let begin = std::time::Instant::now();
    engine.ask("go mate 1 searchmoves a1a2 movetime 700", none);
    engine.until("bestmove");
    assert!(begin.elapsed() >= std::time::Duration::from_millis(600));
    engine.send("position startpos");
    engine.send("go mate 30");
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_ne!(engine.ask("stop", "bestmove"), "bestmove 0000");
    engine.send("go mate 1 infinite");
    let early = engine.listen(std::time::Duration::from_millis(100));
    assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{early:?}");
    engine.ask("stop", "bestmove");
    let said = engine.quit();
    assert!(
        said.contains("score mate 6 ") && said.contains("mate in 6 proven; no mate is shorter"),
        "{said}"
    );
}

/// The proof table is as large as `Hash` says. If it does not fit in memory, this is reported, and a
/// move is played.
#[cfg(target_os = "linux")]
#[test]
fn go_mate_without_memory_is_answered() {
    // Memory for one such table, but not for two.
    let program = env!("CARGO_BIN_EXE_cassius");
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", &format!("ulimit -v 1800000 && exec '{program}'")]);
    let mut engine = Engine::of(&mut limited);
    engine.send("setoption name Hash value 1000");
    engine.send(&format!("position fen {BACK_RANK}"));
    engine.ask("go mate 2", "info string go mate: a table of 1000 MiB does not fit into memory");
    assert_eq!(engine.until("bestmove"), "bestmove a1a8");
    engine.send("setoption name Hash value 100");
    engine.ask("go mate 2", "info string mate in 1 proven");
    assert_eq!(engine.until("bestmove"), "bestmove a1a8");
}

/// Returns the command of the program itself, as another engine.
fn itself() -> String {
    format!("'{}' uci", env!("CARGO_BIN_EXE_cassius"))
}

const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - bm #1;\n7k/8/8/8/8/8/R7/1R2K3 w - - dm 2;\n\
                     7k/8/8/8/8/8/R7/1R2K3 w - - dm 1;\n7k/8/8/8/8/8/R7/1R2K3 b - - bm #-3;\n";

#[test]
fn another_engine_is_asked_the_same() {
    let found = json(&["-", "--nodes", "50k", "--beside", &itself()], SUITE);
    // A mate in two is not a mate in one. For the side to move, only a mate by that side counts.
    for (found, mate_in) in found.iter().zip([Some(1), Some(2), None, Some(3)]) {
        let beside = &found["beside"];
        assert_eq!(beside["mate_in"].as_u64(), mate_in, "{found}");
        assert_eq!(found["mate_in"], beside["mate_in"], "{found}");
        assert!(beside["name"].as_str().is_some_and(|name| name.starts_with("Cassius ")), "{found}");
        assert!(beside["impossible"] == false && beside["time_ms"].is_u64(), "{found}");
    }
    let beside = &found[4]["beside"];
    assert_eq!(
        (&beside["positions"], &beside["both"], &beside["impossible"]),
        (&4.into(), &3.into(), &0.into())
    );
    for side in ["here", "there"] {
        assert_eq!((&beside[side]["mates"], &beside[side]["alone"]), (&3.into(), &0.into()), "{beside}");
        assert!(beside[side]["seconds"].as_f64() > Some(0.0), "{beside}");
    }
    let said = transcript(&["mate", BACK_RANK, "--nodes", "50k", "--beside", &itself()], "");
    assert!(said.contains(" claims mate in 1; "), "{said}");
    assert!(said.contains("1 mates proven, 1 claimed by Cassius "), "{said}");
    assert!(said.contains(" in 1 positions: 1 by both, 0 only here, 0 only there; "), "{said}");
    // The engine is not asked about a finished game.
    let over = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let found = json(&[over, "--mated", "--beside", &itself()], "");
    assert!(found.len() == 1 && found[0]["beside"].is_null() && found[0]["mate_in"] == 0, "{found:?}");
}

#[test]
fn jobs_change_nothing_but_the_time() {
    let suite = SUITE.repeat(3);
    let found = |jobs| {
        let mut found = json(&["-", "--nodes", "20k", "--jobs", jobs, "--beside", &itself()], &suite);
        let totals = found.pop().expect("totals");
        for found in &mut found {
            found["time_ms"] = 0.into();
            found["beside"]["time_ms"] = 0.into();
        }
        (found, totals["beside"]["both"].clone(), totals["nodes"].clone())
    };
    let one = found("1");
    assert_eq!((one.0.len(), &one.1), (12, &9.into()));
    assert_eq!(found("3"), one);
}

/// Error messages have one line and appear at once.
#[test]
fn another_engine_that_is_none_is_named() {
    let complaint = |beside: &[&str], complaint: &str| {
        let said = transcript(&[&["mate", BACK_RANK, "--beside-patience", "300ms"], beside].concat(), "");
        assert_eq!(said.lines().count(), 3, "{said}");
        assert!(said.contains(&format!("stderr: error: {complaint}")), "{said}");
        assert!(said.ends_with("exit code: 1\n"), "{said}");
    };
    complaint(&["--beside", "no-such-engine --x"], "'no-such-engine --x' cannot be started: ");
    let (command, patient) = (itself(), ["--beside-patience", "60s"]);
    let option = ["mate", BACK_RANK, "--beside", &command, "--beside-option", "Wishes=1"];
    let said = transcript(&[&option[..], &patient].concat(), "");
    assert!(said.contains(" has no option 'Wishes'") && said.ends_with("exit code: 1\n"), "{said}");
    if cfg!(unix) {
        complaint(&["--beside", "sleep 1000"], "'sleep 1000' did not answer 'uciok' within 0.3 s");
        complaint(&["--beside", "yes"], "'yes' did not answer 'uciok' within 0.3 s");
        let said = transcript(&["mate", BACK_RANK, "--beside", "true", patient[0], patient[1]], "");
        assert!(
            said.contains("stderr: error: 'true' ended (exit status: 0) before it answered 'uciok'"),
            "{said}"
        );
    }
    let said = transcript(&["mate", BACK_RANK, "--beside", "'stockfish"], "");
    assert!(said.contains("the quote ' is not closed") && said.ends_with("exit code: 2\n"), "{said}");
}

/// Returns the command of an engine of a few lines, which answers `go` with the given text and records
/// its input.
#[cfg(unix)]
fn script(go: &str, heard: &str) -> String {
    let _ = std::fs::remove_file(heard);
    format!(
        "sh -c \"while read -r line; do echo $line >> '{heard}'; case $line in uci) echo id name Liar; \
         echo option name Hash type spin default 1 min 1 max 32; \
         echo option name Style type string default dull; echo uciok;; \
         isready) echo readyok;; go*) {go};; esac; done\""
    )
}

#[cfg(unix)]
#[test]
fn an_impossible_claim_is_called_so() {
    let heard = place("heard.txt");
    let liar =
        script("echo info score mate 1; echo info score mate 2 lowerbound; echo bestmove a2a3", &heard);
    let arguments = ["--hash", "16", "--beside", &liar, "--beside-option", "style=bold"];
    let found = json(&[&["-", "--nodes", "50k", "--time", "9s"], &arguments[..]].concat(), SUITE);
    let claims: Vec<bool> = found[..4].iter().map(|found| found["beside"]["impossible"] == true).collect();
    assert_eq!(claims, [false, true, true, false], "{found:?}");
    let beside = &found[4]["beside"];
    assert_eq!((&beside["name"], &beside["impossible"]), (&"Liar".into(), &2.into()));
    assert_eq!((&beside["here"]["alone"], &beside["there"]["mates"]), (&2.into(), &1.into()), "{beside}");
    let heard = std::fs::read_to_string(heard).expect("what it heard");
    let start = "uci\nsetoption name Hash value 16\nsetoption name style value bold\nisready\nucinewgame\n\
                 position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\nisready\n\
                 go mate 1 movetime 9000 nodes 50000\nucinewgame\n";
    assert!(heard.starts_with(start), "{heard}");
    let said = transcript(&[&["mate", ROOKS], &arguments[..]].concat(), "");
    assert!(said.contains("Liar claims mate in 1, which is impossible; "), "{said}");
    assert!(said.contains("; 1 more claim is impossible\n"), "{said}");
    // Settings that the engine does not allow.
    let said = transcript(&["mate", ROOKS, "--hash", "64", "--beside", &liar], "");
    assert!(
        said.contains("allows a table of at most 32 MiB: lower --hash\n") && said.ends_with("exit code: 1\n"),
        "{said}"
    );
}

/// Results found before the failure are displayed and counted.
#[cfg(unix)]
#[test]
fn another_engine_may_die_or_fall_silent() {
    for (death, complaint, patience) in [
        ("exit 3", " ended (exit status: 3) before it answered 'bestmove'", "60s"),
        ("sleep 20", " did not answer 'bestmove' within 1 s", "500ms"),
    ] {
        let go = format!("case $line in *2*) {death};; *) echo bestmove a1a8;; esac");
        let engine = script(&go, &place("dying.txt"));
        let limits = ["--time", "500ms", "--hash", "1", "--beside-patience", patience];
        let said = transcript(&[&["mate", "-", "--beside", &engine], &limits[..]].concat(), SUITE);
        assert!(said.contains("Liar finds no mate in 1; ") && said.contains("White mates in 2"), "{said}");
        assert!(!said.contains("no mate in 1 by White"), "{said}");
        assert!(
            said.contains("2 of 2 solved") && said.contains(" in 1 positions: 0 by both, 1 only here, "),
            "{said}"
        );
        assert_eq!(said.matches("stderr: ").count(), 1, "{said}");
        let position = "stderr: error: 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1, go mate 2 movetime 500: 'sh ";
        assert!(said.contains(position) && said.contains(complaint), "{said}");
        assert!(said.ends_with("exit code: 1\n"), "{said}");
    }
}
