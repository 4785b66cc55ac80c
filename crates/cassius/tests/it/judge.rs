//! Another UCI engine as the judge of `explain`, `annotate` and the laboratory. The engine is Cassius.

use crate::common::{run, transcript};
use std::fs;
use std::path::PathBuf;

const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n";
const RETI: &str = "7K/8/k1P5/7p/8/8/8/8 w - - 0 1";

fn itself() -> String {
    format!("'{}'", env!("CARGO_BIN_EXE_cassius"))
}

/// Returns a path for a file of this name, which does not exist yet.
fn place(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("judge");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    path.display().to_string()
}

fn annotated(arguments: &[&str], input: &str) -> (String, String) {
    let output = run(&[&["annotate", "-", "--nodes", "3k"], arguments].concat(), input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    (String::from_utf8(output.stdout).expect("text"), errors)
}

/// The engine is named, our plans are left out, and annotating again gives the same text.
#[test]
fn an_engine_judges_a_game() {
    let engine = itself();
    let (first, errors) = annotated(&["--engine", &engine], GAME);
    assert!(errors.is_empty(), "{errors}");
    assert!(first.contains("[%safe ?,?") && first.contains("5. Nxf7 $4"), "{first}");
    let (again, _) = annotated(&["--engine", &engine], &first);
    assert_eq!(again, first);
    // Two processes say the same as one.
    let two = [GAME, "\n", GAME.replace("4. Nxe5", "4. O-O").split(" Qg5").next().expect("a game"), " *\n"]
        .concat();
    let one_process = annotated(&["--engine", &engine], &two).0;
    assert_eq!(annotated(&["--engine", &engine, "--jobs", "2"], &two).0, one_process);
}

/// Returns the command of an engine with another name, which ends when it has heard so many lines.
#[cfg(unix)]
fn mortal(lines: usize) -> String {
    let engine = env!("CARGO_BIN_EXE_cassius");
    format!(
        "sh -c \"i=0; while [ $i -lt {lines} ] && read -r line; do echo $line; i=$((i+1)); done | \
         '{engine}' | sed -u 's/^id name .*/id name Mortal/'\""
    )
}

/// An engine that ends in the middle is started again, and the result is the same.
#[cfg(unix)]
#[test]
fn a_dead_engine_costs_nothing() {
    let whole = annotated(&["--engine", &itself()], GAME).0;
    let (same, errors) = annotated(&["--engine", &mortal(60)], GAME);
    assert_eq!(same.replace(" with Mortal, 3000 nodes a", ", 3000 and 0 nodes a"), whole);
    assert!(errors.contains("before it answered '") && errors.contains("; it is started again"), "{errors}");
    // One that answers nothing is named in a line, and what was done stays.
    let out = place("out.pgn");
    let never = mortal(4);
    let said = transcript(
        &["annotate", "-", "--nodes", "1k", "--engine", &never, "--out", &out, "--engine-patience", "5s"],
        GAME,
    );
    assert!(said.contains("; it was started again 2 times") && said.ends_with("exit code: 1\n"), "{said}");
    assert!(said.contains("out.pgn.jsonl contains 0 games; the same command continues"), "{said}");
}

/// What an engine has answered once it is not asked again.
#[test]
fn answers_are_kept() {
    let (engine, cache) = (itself(), place("answers.jsonl"));
    let arguments = ["--engine", &engine, "--engine-cache", &cache];
    let first = annotated(&arguments, GAME).0;
    let size = fs::metadata(&cache).expect("answers").len();
    assert_eq!(annotated(&arguments, GAME).0, first);
    assert_eq!(fs::metadata(&cache).expect("answers").len(), size);
    // With other nodes the questions are others.
    let output = run(&[&["explain", RETI, "--nodes", "2k"], &arguments[..]].concat(), "");
    assert!(output.status.success());
    assert!(fs::metadata(&cache).expect("answers").len() > size);
    fs::write(&cache, "something else\n").expect("a file");
    let said = transcript(&[&["explain", RETI], &arguments[..]].concat(), "");
    assert!(said.contains("answers.jsonl: not a file of measurements"), "{said}");
}

/// An engine that was built anew is asked again.
#[cfg(unix)]
#[test]
fn answers_of_another_program_are_not_taken() {
    use std::os::unix::fs::PermissionsExt as _;
    let (engine, cache) = (place("engine"), place("of-programs.jsonl"));
    let lines_with = |version: &str| {
        fs::write(&engine, format!("#!/bin/sh\n# {version}\nexec {}\n", itself())).expect("a program");
        fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("its permissions");
        let arguments = ["explain", RETI, "--nodes", "2k", "--engine", &engine, "--engine-cache", &cache];
        assert!(run(&arguments, "").status.success());
        fs::read_to_string(&cache).expect("answers").lines().count()
    };
    let lines = lines_with("1");
    assert_eq!(lines_with("1"), lines);
    assert_eq!(lines_with("2"), 2 * lines);
}

#[test]
fn a_position_is_explained_by_an_engine() {
    let engine = itself();
    let explain =
        |arguments: &[&str]| transcript(&[&["explain", RETI, "--engine", &engine], arguments].concat(), "");
    let said = explain(&["--nodes", "60k"]);
    assert!(said.contains("White must find Kg7: nothing else holds."), "{said}");
    assert!(said.contains("of 1,000 engine games: ") && said.contains("plans are left out"), "{said}");
    assert!(explain(&["--engine-time", "20ms"]).ends_with("exit code: 0\n"));
    for (arguments, complaint) in [
        (&["--plan-nodes", "100"][..], "cannot be used with"),
        (
            &["--nodes", "1k", "--engine-time", "1s"],
            "--engine-time cannot be used where the number of nodes is given; use one of the two",
        ),
        (&["--engine-option", "Wishes=1"], "has no option 'Wishes'"),
    ] {
        let said = explain(arguments);
        assert!(said.contains(complaint) && !said.ends_with("exit code: 0\n"), "{said}");
    }
    let said = transcript(&["explain", RETI, "--engine", "no-such-engine"], "");
    assert!(said.contains("'no-such-engine' cannot be started"), "{said}");
}

/// Returns the command of an engine that answers every question with these lines.
#[cfg(unix)]
fn script(lines: &[&str]) -> String {
    let told: String = lines.iter().map(|line| format!("echo {line}; ")).collect();
    format!(
        "sh -c \"while read -r line; do case $line in uci) echo id name Script; \
         echo option name MultiPV type spin default 1 min 1 max 99; echo uciok;; \
         isready) echo readyok;; go*) {told};; esac; done\""
    )
}

/// The move that an engine plays counts where it tells no line.
#[cfg(unix)]
#[test]
fn an_engine_need_not_tell_everything() {
    let mated = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let said = |fen: &str, lines: &[&str]| {
        transcript(&["explain", fen, "--nodes", "1k", "--engine", &script(lines)], "")
    };
    let silent = said(mated, &["info depth 5 score mate 1 nodes 100", "bestmove d8h4"]);
    assert!(silent.contains("2... Qh4#") && !silent.contains("2... e4"), "{silent}");
    let nothing = said(mated, &["info depth 5 score cp 0 nodes 100", "bestmove a1a1"]);
    assert!(nothing.contains("names no legal move") && nothing.ends_with("exit code: 1\n"), "{nothing}");
    let lost = said(mated, &["info depth 0 score mate 0 nodes 100 pv d8h4", "bestmove d8h4"]);
    assert!(lost.contains("claims that the side to move is mated"), "{lost}");
}

/// An engine that does not know Chess960 is not asked about it.
#[cfg(unix)]
#[test]
fn chess960_is_not_asked_of_all() {
    let fen = "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1";
    let engine = script(&["info depth 1 score cp 0 nodes 1 pv a2a3", "bestmove a2a3"]);
    let said = transcript(&["explain", fen, "--nodes", "1k", "--engine", &engine], "");
    assert!(said.contains("needs Chess960, and the engine has no UCI_Chess960"), "{said}");
}

/// A Chess960 game needs the engine's own way to castle.
#[test]
fn chess960_is_judged() {
    let game = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
        [FEN \"1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1\"]\n\n1. O-O O-O 2. a3 *\n";
    let (said, _) = annotated(&["--engine", &itself()], game);
    assert!(said.contains("1. O-O ") && said.contains("[%eval "), "{said}");
}
