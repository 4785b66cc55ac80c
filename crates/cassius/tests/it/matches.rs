//! Matches against other engines. The engine is Cassius, as it is or with something done to what it hears and
//! says, or a few lines of shell.

use crate::common::{assert_golden, cassius, run, transcript};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

fn itself() -> String {
    format!("'{}'", env!("CARGO_BIN_EXE_cassius"))
}

/// Creates an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matches").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Plays a match, and returns what is printed as JSON, the notes, and the seconds that it took.
fn played(arguments: &[&str]) -> (Value, String, f64) {
    let begin = Instant::now();
    let output = run(&[&["match", "--json", "--hash", "1"], arguments].concat(), "");
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{notes}");
    (serde_json::from_slice(&output.stdout).expect("JSON"), notes, begin.elapsed().as_secs_f64())
}

/// Returns the games of a state file, in order.
fn games(state: &Path) -> Vec<Value> {
    let text = fs::read_to_string(state).unwrap_or_default();
    let pairs = text.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut pairs: Vec<Value> = pairs.collect();
    pairs.sort_by_key(|pair| pair["pair"].as_u64());
    pairs.iter().flat_map(|pair| pair["games"].as_array().expect("games").clone()).collect()
}

/// Returns the moves and values of a game in PGN, without its tags.
fn moves(game: &Value) -> String {
    game["pgn"].as_str().and_then(|text| text.split_once("\n\n")).expect("a game").1.into()
}

/// At a fixed number of nodes an engine beside us plays the very moves that it plays as a recipe here.
#[test]
fn a_match_against_itself_is_the_match_of_its_recipes() {
    let folder = folder("itself");
    let (here, there) = (folder.join("here"), folder.join("there"));
    let [here, there] = [&here, &there].map(|path| path.to_str().expect("a path"));
    let (engine, fixed) = (itself(), "--nodes 600 --pairs 3 --max-moves 24 --jobs 2 --out");
    let fixed: Vec<&str> = fixed.split(' ').collect();
    let own = played(&[&["plies", "coupled"], &fixed[..], &[here]].concat()).0;
    let recipe = ["--engine-option", "Recipe=coupled"];
    let (other, notes, _) =
        played(&[&["plies", "--engine", &engine], &recipe[..], &fixed, &[there]].concat());
    assert!(notes.is_empty(), "{notes}");
    assert_eq!(own["pentanomial"], other["pentanomial"]);
    let states = [here, there].map(|base| games(Path::new(&format!("{base}.jsonl"))));
    assert_eq!(states[0].len(), 6);
    assert_eq!(
        states[0].iter().map(moves).collect::<String>(),
        states[1].iter().map(moves).collect::<String>()
    );
    let name = other["match"]["players"][1].as_str().expect("a name");
    assert!(name.starts_with("Cassius ") && name.ends_with(", Recipe=coupled)"), "{name}");
    let written = fs::read_to_string(format!("{there}.pgn")).expect("games");
    assert_eq!(written.matches("[White \"plies\"]\n[Black \"Cassius ").count(), 3, "{written}");
}

/// Each engine has its own options, and is told of the game what the protocol has for it.
#[test]
#[cfg(unix)]
fn a_match_of_two_engines_tells_each_what_it_needs() {
    let folder = folder("told");
    let engine = |name: &str| {
        let heard = folder.join(name).display().to_string();
        let engine = env!("CARGO_BIN_EXE_cassius");
        (format!("sh -c \"tee '{heard}' | '{engine}'\""), heard)
    };
    let openings = folder.join("openings.epd");
    fs::write(&openings, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -\n").expect("openings");
    let openings = openings.to_str().expect("a path");
    let ((first, first_heard), (second, second_heard)) = (engine("first"), engine("second"));
    let engines = ["--engine", &first, "--engine-option", "Recipe=bare", "--engine", &second];
    let options = ["--engine-option", "Recipe=coupled", "--engine-option", "Hash=2"];
    let rest = ["--openings", openings, "--pairs", "1", "--nodes", "300"];
    let (result, notes, _) = played(&[&engines[..], &options, &rest].concat());
    assert!(notes.is_empty(), "{notes}");
    assert_eq!(
        (&result["crashes"], &result["wins"], &result["losses"]),
        (&[0, 0].into(), &1.into(), &1.into())
    );
    let heard = [first_heard, second_heard].map(|heard| fs::read_to_string(heard).expect("what it heard"));
    assert_golden!("match_told_first", heard[0]);
    assert_golden!("match_told_second", heard[1]);
}

/// Returns the command of our engine, whose answers go through `sed`.
#[cfg(unix)]
fn edited(edit: &str) -> String {
    format!("sh -c \"'{}' | sed -u '{edit}'\"", env!("CARGO_BIN_EXE_cassius"))
}

/// Returns the command of an engine that ends when it has heard so many lines.
#[cfg(unix)]
fn mortal(lines: usize) -> String {
    let engine = env!("CARGO_BIN_EXE_cassius");
    format!(
        "sh -c \"i=0; while [ $i -lt {lines} ] && read -r line; do echo $line; i=$((i+1)); done | \
         '{engine}'\""
    )
}

/// Returns the command of an engine of a few lines, which answers `go` with the given text.
#[cfg(unix)]
fn script(go: &str) -> String {
    format!(
        "sh -c \"while read -r line; do case $line in uci) echo id name Script; echo uciok;; \
         isready) echo readyok;; go*) {go};; esac; done\""
    )
}

/// An engine that dies in the middle of each game loses it, is started again, and the reason is told.
#[test]
#[cfg(unix)]
fn a_match_goes_on_when_an_engine_dies() {
    let base = folder("dies").join("games");
    let base = base.to_str().expect("a path");
    let mortal = mortal(15);
    let arguments = ["match", "plies", "--engine", &mortal, "--nodes", "200", "--pairs", "2", "--hash", "1"];
    let said = transcript(&[&arguments[..], &["--out", base]].concat(), "");
    let place = base.strip_suffix("games").expect("a folder");
    let said = said
        .replace(env!("CARGO_BIN_EXE_cassius"), "cassius")
        .replace(place, "")
        .replace(" (exit status: 0)", "");
    assert_golden!("match_dies", said);
    let written = fs::read_to_string(format!("{base}.pgn")).expect("games");
    assert_eq!(written.matches("[Termination \"abandoned: the engine ended").count(), 4, "{written}");
    for game in games(Path::new(&format!("{base}.jsonl"))) {
        let game: cassius_chess::pgn::Game = game["pgn"].as_str().expect("a game").parse().expect("PGN");
        let last = &game.comments.last().expect("a comment").1;
        assert!(last.contains("' ended") && last.ends_with(" before it answered 'bestmove'"), "{last}");
    }
}

/// An engine that can no longer be started ends the match, and is not given any more games to lose.
#[test]
#[cfg(unix)]
fn a_match_ends_when_an_engine_is_gone() {
    let folder = folder("gone");
    let [base, count] = ["games", "count"].map(|name| folder.join(name).display().to_string());
    // It is started to learn its name, and for the two games of a pair.
    let engine = mortal(15).replace(
        "i=0;",
        &format!("echo >> '{count}'; if [ $(wc -l < '{count}') -gt 3 ]; then exit 4; fi; i=0;"),
    );
    let arguments = ["match", "plies", "--engine", &engine, "--nodes", "200", "--hash", "1", "--out", &base];
    let said = transcript(&[&arguments[..], &["--pairs", "2"]].concat(), "");
    assert!(said.contains("; the same command continues the match\n"), "{said}");
    assert!(said.contains(" before it answered 'uciok'; it was started again 2 times;"), "{said}");
    assert!(said.ends_with("exit code: 1\n"), "{said}");
    let state = folder.join("games.jsonl");
    let first = games(&state);
    assert_eq!(first.len(), 2, "{said}");
    fs::remove_file(&count).expect("a file");
    let said = transcript(&[&arguments[..], &["--pairs", "2"]].concat(), "");
    assert!(said.contains("crashed      0 by the first player, 4 by the second\n"), "{said}");
    let all = games(&state);
    assert_eq!((&all[..2], all.len()), (&first[..], 4), "{said}");
}

/// Illegal moves, answers without a move, silence, floods of nonsense and late answers each lose the game for
/// their own reason, and nothing takes for ever.
#[test]
#[cfg(unix)]
fn a_match_counts_every_kind_of_failure() {
    const CLOCK: [&str; 6] = ["--tc", "1+0.1", "--margin", "500ms", "--engine-patience", "3s"];
    const NODES: [&str; 4] = ["--nodes", "100", "--engine-patience", "3s"];
    let cases: [(String, &[&str], &str, &str); 8] = [
        (edited("s/^bestmove .*/bestmove e2e6/"), &NODES, "illegal_moves", "'e2e6' is not legal here"),
        (edited("s/^bestmove .*/bestmove/"), &CLOCK, "illegal_moves", "its answer names no move"),
        (edited("s/^bestmove .*/bestmove (none)/"), &CLOCK, "illegal_moves", "'(none)' is not a move"),
        (edited("/^bestmove/d"), &CLOCK, "time_losses", "did not answer 'bestmove' within 4.5 s"),
        (edited("/^bestmove/d"), &NODES, "crashes", "did not answer 'bestmove' within 3.1 s"),
        (script("yes nonsense"), &CLOCK, "time_losses", "did not answer 'bestmove' within 4.5 s"),
        (script("exit 3"), &NODES, "crashes", " before it answered 'bestmove'"),
        (script("echo bestmove 0000"), &CLOCK, "illegal_moves", "'0000' is not a move"),
    ];
    let check = |(engine, pace, kind, reason): &(String, &[&str], &str, &str)| {
        let fixed = ["plies", "--engine", engine, "--pairs", "1", "--max-moves", "5"];
        let (result, notes, seconds) = played(&[&fixed, *pace].concat());
        assert_eq!(result["wins"], 2, "{engine}: {result}");
        for other in ["time_losses", "crashes", "illegal_moves"] {
            let count = if other == *kind { 2 } else { 0 };
            assert_eq!(result[other], Value::from([0, count]), "{engine}: {result}");
        }
        assert_eq!(notes.lines().count(), 2, "{notes}");
        assert!(notes.contains("note: game 1.1, lost by ") && notes.contains(reason), "{notes}");
        assert!(seconds < 60.0, "{engine}: {seconds} s");
    };
    // Most of the time is waiting.
    std::thread::scope(|scope| {
        for case in &cases {
            scope.spawn(move || check(case));
        }
    });
}

/// Levels are measured though the other engine fails: what it loses so is told.
#[test]
#[cfg(unix)]
fn levels_are_measured_though_an_engine_fails() {
    let kept = folder("levels-fails").join("levels.jsonl").display().to_string();
    let engine = edited("s/^bestmove .*/bestmove e2e6/");
    let levels = ["lab", "levels", "--engine", &engine, "--nodes", "100", "--pairs", "1", "--hash", "1"];
    let [low, _] = cassius_chess::levels::Levels::built_in().ratings();
    let ratings = format!("{low},{}", low + 50);
    let output = run(&[&levels[..], &["--ratings", &ratings, "--out", &kept]].concat(), "");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("note: game 1.2, lost by Cassius") && said.contains("'e2e6' is not legal"),
        "{said}"
    );
    assert!(said.contains(" nodes: 2 of 2 games were lost by a failure, and count"), "{said}");
    // A number of nodes and three matches of each rating.
    assert_eq!(fs::read_to_string(&kept).expect("matches").lines().count(), 8, "{said}");
}

/// Which of two players of one name has failed is told.
#[test]
#[cfg(unix)]
fn two_engines_of_one_name_are_told_apart() {
    let (whole, broken) = (itself(), edited("s/^bestmove .*/bestmove e2e6/"));
    let (_, notes, _) = played(&["--engine", &whole, "--engine", &broken, "--nodes", "100", "--pairs", "1"]);
    assert_eq!(notes.matches(" (second): '").count(), 2, "{notes}");
}

/// An engine that answers, but too late, loses on time and need not be started again.
#[test]
#[cfg(unix)]
fn a_match_measures_the_time_of_an_engine() {
    let late = script("sleep 3; echo bestmove a2a3");
    let base = folder("late");
    let openings = base.join("openings.epd");
    fs::write(&openings, "7k/8/8/8/8/8/R7/1R2K3 w - -\n").expect("openings");
    let openings = openings.to_str().expect("a path");
    let arguments = ["--engine", &late, "--engine", &itself(), "--openings", openings, "--pairs", "1"];
    let (result, notes, _) =
        played(&[&arguments[..], &["--tc", "1", "--margin", "500ms", "--engine-patience", "30s"]].concat());
    assert_eq!(notes.lines().count(), 1, "{notes}");
    assert_eq!(result["time_losses"], Value::from([1, 0]), "{result}");
    // In the other game it has Black, and names a move of White.
    assert_eq!(result["illegal_moves"], Value::from([1, 0]), "{result}");
}

/// What is wrong with an engine, or with the number of players, is said in one line before the first game.
#[test]
fn a_match_that_cannot_begin_says_why() {
    let base = folder("cannot").join("games");
    let engine = itself();
    let chess960 = folder("cannot").join("chess960.epd");
    fs::write(&chess960, "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1\n").expect("openings");
    let chess960 = chess960.to_str().expect("a path");
    let mut cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["plies", "--engine", "no-such-engine --x"], "error: 'no-such-engine --x' cannot be started: "),
        (vec!["plies", "--engine", &engine, "--engine-option", "Wishes=1"], " has no option 'Wishes'"),
        (
            vec!["plies", "--engine", &engine, "--engine-option", "Recipe=soup"],
            "takes one of plies, coupled, ",
        ),
        (
            vec!["plies", "--engine", &engine, "--engine-option", "Threads=0"],
            "a whole number from 1 to 1024 as",
        ),
        (vec!["--engine", &engine], "one player is missing: name a recipe before --engine, or give --engine"),
        (
            vec!["plies", "coupled", "--engine", &engine],
            "more than two players: --engine takes the place of B",
        ),
    ];
    let script;
    if cfg!(unix) {
        script = "sh -c 'read x; echo uciok; read x; read x; echo readyok; sleep 1'".to_string();
        cases.push((vec!["plies", "--engine", "true"], "error: 'true' ended"));
        cases.push((
            vec!["plies", "--engine", "sleep 100", "--engine-patience", "300ms"],
            "'sleep 100' did not answer 'uciok' within 0.3 s and was ended",
        ));
        cases.push((
            vec![
                "plies",
                "--engine",
                "sh -c 'read x; echo uciok; read x; echo readyok'",
                "--openings",
                chess960,
            ],
            " does not play Chess960, which the openings need: no UCI_Chess960",
        ));
        cases.push((vec!["plies", "--engine", &script, "--threads", "2"], "has no option Threads"));
    }
    for (arguments, complaint) in cases {
        let out = ["match", "--nodes", "10", "--pairs", "1", "--out", base.to_str().expect("a path")];
        let said = transcript(&[&out[..], &arguments].concat(), "");
        assert_eq!(said.lines().count(), 3, "{said}");
        assert!(said.contains(complaint) && said.ends_with("exit code: 1\n"), "{said}");
        assert!(!base.with_extension("jsonl").exists(), "{said}");
    }
    let said = transcript(&["match", "plies"], "");
    assert!(said.contains("<B>") && said.ends_with("exit code: 2\n"), "{said}");
}

/// Chess960 is played with the engine's own way to castle.
#[test]
fn a_match_may_be_of_chess960() {
    let openings = folder("chess960").join("openings.epd");
    fs::write(&openings, "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1\n").expect("openings");
    let (engine, openings) = (itself(), openings.display().to_string());
    let arguments = ["--engine", &engine, "--openings", &openings, "--nodes", "200", "--max-moves", "12"];
    let (result, notes, _) = played(&[&["plies", "--pairs", "2"], &arguments[..]].concat());
    assert!(notes.is_empty(), "{notes}");
    assert_eq!(result["illegal_moves"], Value::from([0, 0]), "{result}");
}

/// A match against an engine that is killed goes on with the same command, and is refused to another engine.
#[test]
fn a_match_against_an_engine_that_is_killed_goes_on() {
    let folder = folder("killed");
    let engine = itself();
    let arguments = |name: &str, option: &str| -> Vec<String> {
        let base = folder.join(name).display().to_string();
        let fixed = "match plies --nodes 600 --pairs 8 --hash 1 --max-moves 20 --jobs 2 --engine";
        let fixed = fixed.split(' ').map(String::from);
        fixed.chain([engine.clone(), "--engine-option".into(), option.into(), "--out".into(), base]).collect()
    };
    let said =
        |arguments: Vec<String>| transcript(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "");
    let whole = said(arguments("whole", "Recipe=bare"));
    assert!(whole.ends_with("exit code: 0\n"), "{whole}");
    let state = folder.join("parts.jsonl");
    // A match that has ended before it is killed begins anew.
    for left in (0..20).rev() {
        let mut child = cassius()
            .args(arguments("parts", "Recipe=bare"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let begin = Instant::now();
        while games(&state).len() < 4 && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill(); // the process may have ended by itself
        child.wait().expect("it ends");
        let played = games(&state).len();
        assert!(played >= 4, "{played} games in a minute");
        if played < 16 {
            break;
        }
        assert!(left > 0, "it always ends before it is killed");
        fs::remove_file(&state).expect("the state");
        fs::remove_file(state.with_extension("pgn")).expect("the games");
    }
    let refused = said(arguments("parts", "Recipe=coupled"));
    assert!(refused.contains("this is the state of another match: its players is "), "{refused}");
    let rest = said(arguments("parts", "Recipe=bare"));
    assert_eq!(rest.replace("parts", "whole"), whole);
    assert_eq!(games(&state), games(&folder.join("whole.jsonl")));
    let pgn = |name: &str| fs::read_to_string(folder.join(name)).expect("games");
    assert_eq!(pgn("whole.pgn"), pgn("parts.pgn"));
}

/// A match is not continued with another program of the same name.
#[test]
#[cfg(unix)]
fn a_match_is_not_continued_with_another_program() {
    let folder = folder("rebuilt");
    let [engine, base] = ["engine", "games"].map(|name| folder.join(name).display().to_string());
    let started = format!("exec '{}'\n", env!("CARGO_BIN_EXE_cassius"));
    fs::write(&engine, format!("#!/bin/sh\n{started}")).expect("a script");
    std::fs::set_permissions(&engine, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("its mode");
    let said = || {
        let fixed = ["match", "plies", "--nodes", "20", "--max-moves", "2", "--pairs", "1", "--hash", "1"];
        transcript(&[&fixed[..], &["--engine", &engine, "--out", &base]].concat(), "")
    };
    assert!(said().ends_with("exit code: 0\n"));
    assert!(said().ends_with("exit code: 0\n"));
    fs::write(&engine, format!("#!/bin/sh\n# built again\n{started}")).expect("a script");
    let refused = said();
    assert!(refused.contains("the program of an engine has changed since"), "{refused}");
}

/// Games end by the rules that are given, and a match by its sequential test.
#[test]
fn a_match_ends_by_its_rules_and_its_test() {
    let openings = folder("rules").join("won.epd");
    fs::write(&openings, "8/8/3k4/8/8/8/8/K6Q w - -\n").expect("openings");
    let fixed = ["plies", "bare", "--nodes", "50"];
    let won = ["--openings", openings.to_str().expect("a path"), "--pairs", "1", "--max-moves", "3"];
    let play = |arguments: &[&str]| played(&[&fixed[..], arguments].concat()).0;
    let count = |result: &Value| ["wins", "draws", "losses"].map(|of| result[of].as_u64().expect("a number"));
    // Usually nobody resigns before the fourth move.
    let usual = play(&won);
    assert_eq!(count(&usual), [0, 2, 0], "{usual}");
    let resigned = play(&[&won[..], &["--resign", "1", "200"]].concat());
    assert_eq!(count(&resigned), [1, 0, 1], "{resigned}");
    let rules = |result: &Value| result["match"]["rules"].as_str().expect("the rules").to_string();
    assert!(rules(&resigned).starts_with("resign 1 moves at 200 cp, "), "{resigned}");
    let open = play(&[&won[..], &["--resign", "0", "0", "--draw", "0", "0", "0"]].concat());
    assert!(rules(&open).starts_with("no resignation, no draw by value, "), "{open}");

    // All games are drawn at once, which is enough for the test after two of a hundred pairs.
    let test = ["--sprt", "-200", "-100", "--normalized", "--alpha", "0.4", "--beta", "0.4"];
    let drawn = play(&[&["--pairs", "100", "--draw", "1", "1", "30000"][..], &test].concat());
    assert_eq!((count(&drawn), &drawn["pentanomial"]), ([0, 4, 0], &[0, 0, 2, 0, 0].into()), "{drawn}");
    assert!(rules(&drawn).contains(", draw from move 1 after 1 moves within 30000 cp, "), "{drawn}");
    let test = &drawn["sprt"];
    let asked = ["elo0", "elo1", "alpha", "beta"].map(|of| test[of].as_f64().expect("a number"));
    assert_eq!((asked, &test["model"]), ([-200.0, -100.0, 0.4, 0.4], &"normalized".into()), "{test}");
    assert_eq!(test["verdict"], "-100 Elo accepted, rather than -200", "{test}");
    assert!(test["llr"].as_f64() > test["upper"].as_f64(), "{test}");
}
