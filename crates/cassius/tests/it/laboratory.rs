//! `solve`, `match` and `lab` as users run them: exit codes, error messages, and a match that is killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn cassius() -> Command {
    Command::new(env!("CARGO_BIN_EXE_cassius"))
}

fn run(args: &[&str]) -> Output {
    cassius().args(args).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Creates an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn solve_does_what_it_can_and_says_what_it_cannot() {
    let suite = folder("solve").join("suite.epd");
    let lines = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"mate\";\n\
                 6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra9; id \"wrong\";\n\
                 6k1/5ppp/8/8/8/8 w - - bm Ra8; id \"short\";\n";
    fs::write(&suite, lines).expect("a suite");
    let path = suite.to_str().expect("a path");
    let output = run(&["solve", path, "--nodes", "1k", "--hash", "1", "--details"]);
    assert_eq!(output.status.code(), Some(1));
    let (said, complaints) = (text(&output.stdout), text(&output.stderr));
    assert!(said.contains("1 of 1 solved (100.0 %)"), "{said}");
    assert!(complaints.contains("suite.epd: line 2: bm: 'Ra9' is not a move"), "{complaints}");
    assert!(complaints.contains("suite.epd: line 3: FEN board: 6 ranks, not 8"), "{complaints}");

    fs::write(&suite, lines.lines().next().unwrap_or_default()).expect("a suite");
    let output = run(&["solve", path, "--nodes", "1k", "--hash", "1", "--json"]);
    assert!(output.status.success());
    let objects: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((objects[0]["id"].as_str(), objects[0]["solved"].as_bool()), (Some("mate"), Some(true)));
    assert_eq!((objects[1]["solved"].as_u64(), objects[1]["positions"].as_u64()), (Some(1), Some(1)));
}

/// A suite is given to another engine as well, and each position is counted for both.
#[cfg(unix)]
#[test]
fn solve_asks_another_engine_too() {
    let suite = folder("solve-beside").join("suite.epd");
    let lines = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"mate\";\n\
                 6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8#; id \"no mate\";\n";
    fs::write(&suite, lines).expect("a suite");
    let arguments = ["solve", suite.to_str().expect("a path"), "--nodes", "1k", "--hash", "1", "--beside"];
    let engine = |go: &str| {
        let script = "while read -r line; do case $line in uci) echo id name Other; echo uciok;; \
                      isready) echo readyok;; go*) ";
        format!("sh -c \"{script}{go};; esac; done\"")
    };
    let with = |go: &str, more: &[&str]| run(&[&arguments[..], &[&engine(go)], more].concat());
    let output = with("echo bestmove a1a7", &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let expected = "1 of 2 solved by Other with the same limits: 0 by both, 1 only here, 1 only there";
    assert!(said.contains("1 of 2 solved (50.0 %)") && said.contains(expected), "{said}");

    let output = with("echo info depth 3 score cp 900 nodes 7 pv a1a8; echo bestmove a1a8", &["--json"]);
    let objects: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let beside = &objects[0]["beside"];
    assert_eq!((beside["answer"].as_str(), beside["solved"].as_bool()), (Some("Ra8#"), Some(true)));
    assert_eq!((beside["score"]["cp"].as_i64(), beside["nodes"].as_u64()), (Some(900), Some(7)));
    assert_eq!(objects[2]["beside"]["both"].as_u64(), Some(1));

    let output = with("echo bestmove a1a1", &[]);
    assert!(text(&output.stderr).contains("mate: Other chose the illegal move 'a1a1'"), "{output:?}");

    // What was solved before the engine died is shown.
    let output = with("exit 3", &["--details"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("mate                         yes"), "{}", text(&output.stdout));
    let complaint = "error: mate: 'sh ";
    assert!(text(&output.stderr).starts_with(complaint), "{}", text(&output.stderr));
}

/// Returns the games of a state file, by pair.
fn games(state: &Path) -> BTreeMap<u64, String> {
    let text = fs::read_to_string(state).unwrap_or_default();
    let whole = text.lines().skip(1).filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut games = BTreeMap::new();
    for record in whole {
        let twice = games.insert(record["pair"].as_u64().expect("a number"), record["games"].to_string());
        assert!(twice.is_none(), "pair {} twice", record["pair"]);
    }
    games
}

#[test]
fn a_match_that_is_killed_goes_on_as_if_nothing_had_happened() {
    let folder = folder("match");
    let args = |name: &str, jobs: &str| {
        let base = folder.join(name).to_string_lossy().into_owned();
        let fixed = ["match", "plies", "lab,NullMove.on=0", "--nodes", "300", "--pairs", "20", "--hash", "1"];
        let mut args: Vec<String> = fixed.iter().map(ToString::to_string).collect();
        args.extend(["--max-moves", "20", "--seed", "5", "--jobs", jobs, "--out"].map(String::from));
        args.push(base);
        args
    };
    let whole = cassius().args(args("whole", "1")).output().expect("the program starts");
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let expected = games(&folder.join("whole.jsonl"));
    assert_eq!(expected.len(), 20);

    let state = folder.join("parts.jsonl");
    for wanted in [2, 5] {
        // A match that has ended before it is killed begins anew.
        for left in (0..20).rev() {
            let mut child = cassius()
                .args(args("parts", "2"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            let begin = Instant::now();
            while games(&state).len() < wanted && begin.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(2));
            }
            let _ = child.kill(); // the process may have ended by itself
            child.wait().expect("it ends");
            let played = games(&state).len();
            assert!(played >= wanted, "{played} pairs in a minute");
            if played < expected.len() {
                break;
            }
            assert!(left > 0, "it always ends before it is killed");
            fs::remove_file(&state).expect("the state");
            fs::remove_file(state.with_extension("pgn")).expect("the games");
        }
    }
    let rest = cassius().args(args("parts", "2")).output().expect("the program starts");
    assert!(rest.status.success(), "{}", text(&rest.stderr));
    assert_eq!(games(&state), expected);
    assert_eq!(text(&whole.stdout), text(&rest.stdout));
    let pgn = |name: &str| fs::read_to_string(folder.join(name)).expect("games");
    assert_eq!(pgn("whole.pgn"), pgn("parts.pgn"));
}

/// If the disk becomes full while the state or the games are written, this is reported, and the same
/// command resumes the match.
#[test]
#[cfg(unix)]
fn a_match_without_room_goes_on() {
    let folder = folder("room");
    let fixed = "match plies lab,NullMove.on=0 --nodes 100 --pairs 6 --hash 1 --max-moves 10 --jobs 2 --out";
    let play = |name: &str, blocks: Option<usize>| {
        let base = folder.join(name).to_string_lossy().into_owned();
        let arguments: Vec<&str> = fixed.split(' ').chain([&*base]).collect();
        match blocks {
            Some(blocks) => crate::common::limited(blocks, &arguments),
            None => cassius().args(arguments).output().expect("the program starts"),
        }
    };
    let whole = play("whole", None);
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let expected = games(&folder.join("whole.jsonl"));
    for blocks in [0, 1, 2, 4, 7] {
        let [state, written] = ["parts.jsonl", "parts.pgn"].map(|name| folder.join(name));
        let _ = (fs::remove_file(&state), fs::remove_file(&written));
        let failed = play("parts", Some(blocks));
        assert_eq!(failed.status.code(), Some(1), "{blocks}");
        assert!(text(&failed.stderr).contains("File too large"), "{}", text(&failed.stderr));
        let rest = play("parts", None);
        assert!(rest.status.success(), "{blocks}: {}", text(&rest.stderr));
        assert_eq!(games(&state), expected);
        assert_eq!(text(&whole.stdout), text(&rest.stdout));
        let pgn = |name: &str| fs::read_to_string(folder.join(name)).expect("games");
        assert_eq!(pgn("whole.pgn"), pgn("parts.pgn"));
    }
}

#[test]
fn an_experiment_leaves_a_table_and_a_picture() {
    let folder = folder("lab");
    let out = folder.to_str().expect("a path");
    let output = run(&["lab", "run", "alpha-beta-leaves", "--quick", "--out", out]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.contains("agree"), "{said}");
    let csv = fs::read_to_string(folder.join("alpha-beta-leaves.csv")).expect("a table");
    assert!(csv.contains("\"leaves, full window (B)\",24,4,Table 1,1151,1151,exact,agrees,\n"), "{csv}");
    let json = fs::read_to_string(folder.join("alpha-beta-leaves.json")).expect("a report");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["rows"].as_array().expect("a table").len(), csv.lines().count() - 1);
    assert!(json["quick"] == true && json["holds"] == true, "{json}");
    assert!(
        fs::read_to_string(folder.join("alpha-beta-leaves-leaves.svg")).expect("a plot").contains("<svg")
    );

    // Exercises from a file, for one case of an experiment.
    let suite = folder.join("suite.epd");
    fs::write(&suite, "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"mate\";\n").expect("a suite");
    let suite = suite.to_str().expect("a path");
    let some = ["lab", "run", "ablation", "--quick", "--suite", suite, "--out", out];
    let output = run(&[&some[..], &["--only", "killers"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let csv = fs::read_to_string(folder.join("ablation.csv")).expect("a table");
    assert!(csv.contains("\nsolved with,Killers,on,,1,"), "{csv}");
    assert!(csv.lines().skip(1).all(|row| row.split(',').nth(1) == Some("Killers")), "{csv}");
    let output = run(&[&some[..], &["--only", "Luck"]].concat());
    assert!(text(&output.stderr).contains("--only Luck: unknown case; known cases: "), "{output:?}");
    // The table of a full run is left alone.
    let refused = |arguments: &[&str], complaint: &str| {
        let output = run(&[&["lab", "run"], arguments].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains(complaint) && said.lines().count() == 1, "{arguments:?}: {said}");
    };
    let less = "ablation.csv: this table is of a run without --quick: choose another --out";
    let report = folder.join("ablation.json");
    fs::write(&report, r#"{ "quick": false }"#).expect("a report");
    refused(&["ablation", "--quick", "--only", "Killers", "--out", out], less);
    fs::remove_file(report).expect("a report");
    refused(&["ablation", "--quick", "--out", out], less);
    refused(&["ablation", "--quick", "--kept", "--out", out], less);
    assert_eq!(fs::read_to_string(folder.join("ablation.csv")).expect("a table"), csv);
    // An option that no experiment uses is refused.
    let unused = " is of no use here; these experiments use it: ";
    refused(&["appendix", "stability", "--suite", suite], &format!("--suite{unused}best-first, hard"));
    refused(&["appendix", "--engine", "x"], &format!("--engine{unused}known-positions, key-moments, human"));
    refused(&["ablation", "--pgn", "x"], &format!("--pgn{unused}moving-values, human-error, human-moves"));

    let output = run(&["lab", "run", "no-such-thing"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr)
            .contains("unknown experiment `no-such-thing`; known experiments: alpha-beta-leaves")
    );
}

/// Where nothing is kept, `--kept` leaves an old table alone and says so.
#[test]
fn an_empty_table_replaces_nothing() {
    let folder = folder("lab-kept");
    let (out, table) = (folder.to_str().expect("a path"), folder.join("signal-order.csv"));
    fs::write(&table, "old\n").expect("a table");
    let output = run(&["lab", "run", "signal-order", "--quick", "--kept", "--out", out]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "error: signal-order: no measurement of it is kept; an old table is left as it is\n"
    );
    assert_eq!(
        (text(&output.stdout).as_str(), fs::read_to_string(&table).expect("a table")),
        ("", "old\n".into())
    );
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
    // Nor is anything measured that never is kept.
    let output = run(&["lab", "run", "appendix", "--quick", "--kept", "--out", out]);
    assert!(text(&output.stderr).contains("appendix: no measurement of it is kept"), "{output:?}");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);

    // The name of a case may contain a comma.
    let output = run(&[
        &["lab", "run", "singular-margins", "--quick", "--kept", "--out", out][..],
        &["--only", "two depths, extended alike"],
    ]
    .concat());
    assert!(text(&output.stderr).contains("no measurement of it is kept"), "{}", text(&output.stderr));
    let output = run(&["lab", "run", "singular-margins", "--only", "two depths,three depths"]);
    assert!(text(&output.stderr).contains("--only three depths: unknown case"), "{}", text(&output.stderr));
}

#[test]
fn weights_are_fitted_and_written() {
    let folder = folder("tune");
    let (data, weights) = (folder.join("judged.txt"), folder.join("weights.rs"));
    let (data_path, weights_path) = (data.to_str().expect("a path"), weights.to_str().expect("a path"));
    let source = include_str!("../../../chess/src/evaluation/classical/weights.rs");
    let lines = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;300;1
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1;-50;0
";
    fs::write(&data, lines).expect("data");
    fs::write(&weights, source).expect("a source");
    let output = run(&["lab", "tune", data_path, "--epochs", "3", "--rewrite", weights_path]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.starts_with("2 positions, slope "), "{said}");
    let written = fs::read_to_string(&weights).expect("the source");
    assert!(written.starts_with("//!") && written != source, "{written}");
    for (arguments, complaint) in [
        (["--rewrite", data_path], "these are not the weights"),
        (["--rate", "nan"], "--rate must be a number above 0"),
        (["--slope", "inf"], "--slope must be a number above 0"),
        (["--rate", "1e308"], "the fit has diverged"),
    ] {
        let refused = run(&[&["lab", "tune", data_path][..], &arguments].concat());
        assert!(!refused.status.success() && text(&refused.stderr).contains(complaint), "{complaint}");
    }

    fs::write(&data, format!("{lines}8/8/8/8/8/8/8/8 w - - 0 1;0;0.5\n")).expect("data");
    let output = run(&["lab", "tune", data_path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("judged.txt: line 3: "), "{}", text(&output.stderr));
    let output = run(&["lab", "tune", data_path, "--batch", "0"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn selfplay_goes_on_and_gives_the_same_games() {
    let generate = |folder: &Path, more: &[&str]| {
        let out = folder.to_str().expect("a path");
        run(&[&["lab", "selfplay", "--out", out, "--nodes", "50", "--hash", "1"], more].concat())
    };
    let (whole, broken) = (folder("selfplay-whole"), folder("selfplay-broken"));
    assert!(generate(&whole, &["--games", "6", "--jobs", "2"]).status.success());
    let games = fs::read(whole.join("games.viri")).expect("games");

    // The process is killed within the third game, continued, and then run again with nothing left to
    // do.
    assert!(generate(&broken, &["--games", "3"]).status.success());
    let file = broken.join("games.viri");
    let part = fs::read(&file).expect("games");
    assert!(games.starts_with(&part) && part.len() < games.len());
    fs::write(&file, &part[..part.len() - 5]).expect("a file");
    for _ in 0..2 {
        assert!(generate(&broken, &["--games", "6"]).status.success());
        assert!(fs::read(&file).expect("games") == games);
    }

    let refused = generate(&broken, &["--games", "7", "--seed", "2"]);
    assert!(!refused.status.success());
    assert!(text(&refused.stderr).contains("these games have seed 1, not 2: use another --out"));
    assert!(fs::read(&file).expect("games") == games);

    // The search is a setting, too, which earlier versions did not keep.
    let settings = broken.join("selfplay.json");
    let mut written: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&settings).expect("settings")).expect("JSON");
    for (search, complaint) in [(Some("0"), "of another search"), (None, "of an earlier version")] {
        match search {
            Some(search) => written["search"] = search.into(),
            None => drop(written.as_object_mut().expect("settings").remove("search")),
        }
        fs::write(&settings, written.to_string()).expect("settings");
        let refused = generate(&broken, &["--games", "7"]);
        assert!(text(&refused.stderr).contains(&format!("these games are {complaint}")), "{refused:?}");
        assert!(generate(&broken, &["--games", "6"]).status.success());
        assert!(fs::read(&file).expect("games") == games);
    }

    let shown = run(&["lab", "data", file.to_str().expect("a path"), "--json"]);
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    assert_eq!(shown["games"], 6);
    assert_eq!((games.len() as u64 - 6 * 36) / 4, shown["positions"].as_u64().expect("a number"));
    fs::write(&file, &games[..games.len() - 5]).expect("a file");
    let cut = run(&["lab", "data", file.to_str().expect("a path")]);
    assert!(!cut.status.success());
    assert!(
        text(&cut.stderr).contains("game 6: cut off: the file ends within a game"),
        "{}",
        text(&cut.stderr)
    );
}

#[test]
fn games_are_prepared_for_a_trainer() {
    let folder = folder("prepared");
    let path = |name: &str| folder.join(name).to_str().expect("a path").to_string();
    let games = path("games.viri");
    let made = run(&["lab", "selfplay", "--out", &path(""), "--nodes", "20", "--hash", "1", "--games", "12"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let data = |more: &[&str]| run(&[&["lab", "data"], more].concat());
    let shown = |file: &str| -> serde_json::Value {
        serde_json::from_slice(&data(&[file, "--json"]).stdout).expect("JSON")
    };

    // Every game twice, the second time in another file.
    let copy = path("copy.viri");
    fs::copy(&games, &copy).expect("a copy");
    let all = path("all.viri");
    let output = data(&[&games, &copy, "--out", &all, "--shuffle", "1", "--held-out", "4"]);
    let said = text(&output.stdout);
    let expected = format!("{all}: 9 games\n{all}.held-out: 3 games\n12 duplicates left out\n");
    assert_eq!(said, expected, "{}", text(&output.stderr));
    let held_out = format!("{all}.held-out");
    let [whole, kept, held] = [&games, &all, &held_out].map(|file| shown(file)["positions"].as_u64());
    assert_eq!(whole, Some(kept.expect("a number") + held.expect("a number")));

    // Games that are held out are not in the other file as well.
    let refused = data(&[&games, "--out", &all]);
    assert!(text(&refused.stderr).contains("all.viri.held-out is of an earlier --held-out"), "{refused:?}");
    assert_eq!(shown(&all)["games"], 9);

    // The positions that a trainer learns from.
    let positions = path("all.bullet");
    let output = data(&[&games, "--out", &positions]);
    let bytes = fs::metadata(&positions).expect("a file").len();
    assert!(text(&output.stdout).starts_with(&format!("{positions}: {} positions\n", bytes / 32)));
    assert!(bytes.is_multiple_of(32) && bytes / 32 > 100);

    // The same positions as text, from which the evaluation is fitted.
    let judged = path("judged.txt");
    assert!(data(&[&games, "--out", &judged]).status.success());
    let lines = fs::read_to_string(&judged).expect("text").lines().count();
    assert_eq!(lines as u64, bytes / 32);
    let tuned = run(&["lab", "tune", &judged, "--epochs", "1"]);
    assert!(text(&tuned.stdout).starts_with(&format!("{lines} positions")), "{}", text(&tuned.stderr));

    // Values by another search; an interrupted one goes on.
    let valued = path("valued.viri");
    let again = ["--relabel", "plies", "--nodes", "40", "--jobs", "2", "--out", &valued];
    assert!(data(&[&[games.as_str()], &again[..]].concat()).status.success());
    let new = fs::read(&valued).expect("games");
    assert_eq!(shown(&valued)["positions"], shown(&games)["positions"]);
    assert!(new != fs::read(&games).expect("games"));
    fs::write(&valued, &new[..new.len() / 2]).expect("a file");
    let output = data(&[&[games.as_str()], &again[..]].concat());
    assert!(text(&output.stdout).contains(": 12 games ("), "{}", text(&output.stderr));
    assert!(fs::read(&valued).expect("games") == new);
    // What is added meanwhile is left out: the games go on where they were.
    let before = fs::read(&games).expect("games");
    let other = fs::read(&copy).expect("games");
    fs::write(&games, [&before[..], &other[..]].concat()).expect("more games");
    fs::write(&valued, &new[..new.len() / 2]).expect("a file");
    let output = data(&[&[games.as_str()], &again[..]].concat());
    assert!(text(&output.stderr).contains("12 games added since are left out"), "{}", text(&output.stderr));
    assert!(fs::read(&valued).expect("games") == new);
    fs::write(&games, before).expect("games");
    // The card of a network tells of both.
    let net = path("v.net");
    let refused = run(&["lab", "train", &valued, "--out", &net]);
    assert!(text(&refused.stderr).contains(" positions to train on: too few for a step of "), "{refused:?}");
    let trained =
        run(&["lab", "train", &valued, "--out", &net, "--width", "32", "--passes", "1", "--batch", "64"]);
    assert!(trained.status.success(), "{}", text(&trained.stderr));
    let shown = run(&["lab", "card", &net]);
    let shown = text(&shown.stdout);
    for expected in [
        "cassius lab selfplay --out data-1-1 --games 12 --player plies --nodes 20 ",
        "cassius lab data data-1-1/games.viri --relabel plies --nodes 40 --out data-1.viri",
        "cassius lab train data-1.viri ",
    ] {
        assert!(shown.contains(expected), "{shown}");
    }
    // Of games that were not trained on no more are made again, and a card's words stay words.
    let bytes = fs::read(&net).expect("a network");
    let (head, weights) = bytes.split_at(bytes.iter().position(|&byte| byte == b'\n').expect("a line"));
    let mut head: serde_json::Value = serde_json::from_slice(head).expect("JSON");
    let card = &mut head["card"];
    card["data"][0]["games"] = 7.into();
    card["data"][0]["settings"]["files"][0]["made"]["seed"] = "$(ls)".into();
    card["options"]["result_share"] = 0.123456789.into();
    let other = path("other.net");
    fs::write(&other, [head.to_string().as_bytes(), weights].concat()).expect("a network");
    let shown = run(&["lab", "card", &other]);
    let shown = text(&shown.stdout);
    assert!(shown.contains(" --games 7 --player plies ") && !shown.contains("$(ls)"), "{shown}");
    assert!(shown.contains(" --result-share 0.123456789 "), "{shown}");
    let refused = data(&[&games, "--relabel", "bare", "--nodes", "40", "--out", &valued]);
    assert!(text(&refused.stderr).contains("these games have values_of"), "{}", text(&refused.stderr));
    // What says how games were made is true: they are not replaced, and no others are put in their place.
    for (from, out) in [(&copy, &valued), (&copy, &games), (&copy, &path("elsewhere/games.viri"))] {
        fs::create_dir_all(path("elsewhere")).expect("a folder");
        fs::write(path("elsewhere/selfplay.json"), "{}").expect("settings");
        let before = fs::read(out).ok();
        let refused = data(&[from, "--out", out]);
        assert!(text(&refused.stderr).contains(&format!("says how {out} was made")), "{refused:?}");
        assert!(fs::read(out).ok() == before);
    }
    let refused = data(&[&copy, "--relabel", "plies", "--out", &path("elsewhere/games.viri")]);
    assert!(text(&refused.stderr).contains("elsewhere/selfplay.json says how"), "{refused:?}");
    let refused = run(&["lab", "train", &games, "--out", &path("selfplay")]);
    assert!(text(&refused.stderr).contains("selfplay.json would be overwritten"), "{refused:?}");

    // A run may be writing to the source; and what cannot be read leaves nothing behind.
    let whole = fs::read(&games).expect("games");
    fs::write(&games, &whole[..whole.len() - 5]).expect("games");
    fs::write(&valued, &new[..new.len() / 2]).expect("a file");
    let early = path("early.viri");
    let output = data(&[&games, "--relabel", "plies", "--nodes", "20", "--out", &early]);
    assert!(text(&output.stderr).contains("games.viri: its last game is incomplete"), "{output:?}");
    assert!(text(&output.stdout).contains(": 11 games (11 new)"), "{output:?}");
    fs::write(&games, [&whole[..], &whole[..50]].concat()).expect("games");
    let output = data(&[&[games.as_str()], &again[..]].concat());
    assert!(text(&output.stdout).contains(": 12 games ("), "{output:?}");
    assert!(fs::read(&valued).expect("games") == new);
    fs::write(&games, whole).expect("games");
    let none = path("none.viri");
    assert!(!data(&[&judged, "--relabel", "plies", "--out", &none]).status.success());
    assert!(!Path::new(&none).exists());
    let refused = data(&[&games, "--relabel", "plies", "--out", &games]);
    assert!(text(&refused.stderr).contains("cannot be read and written"), "{}", text(&refused.stderr));
}

/// The reader of what is printed may go away; a file that was asked for is written all the same.
#[test]
fn files_are_written_though_nobody_reads_what_is_printed() {
    let folder = folder("unread");
    let path = folder.join("mate.txt");
    let mut child = cassius()
        .args(["certify", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "--depth", "1", "--out"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    assert!(child.wait().expect("a process").success());
    assert!(fs::read_to_string(&path).expect("a certificate").ends_with("end\n"));
}

/// Nothing is written over what it is made from, and nothing else is lost.
#[test]
fn no_input_is_overwritten() {
    let folder = folder("apart");
    let path = |name: &str| folder.join(name).to_str().expect("a path").to_string();
    let played =
        run(&["lab", "selfplay", "--out", &path(""), "--nodes", "20", "--hash", "1", "--games", "2"]);
    assert!(played.status.success());
    fs::write(path("book.pgn"), "1. e4 e5 *\n").expect("a book");
    fs::write(path("won.epd"), "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\n").expect("a book");
    let tree = path("a.tree");
    fs::write(&tree, "A:0(B:1(E:0 F:1) C:0)\n").expect("a tree");
    let study = path("a.study");
    assert!(run(&["study", "grow", &study, "--position", "startpos", "--judgements", "1"]).status.success());
    let (games, book, net) = (path("games.viri"), path("book.pgn"), path("a.net"));
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../chess/src/evaluation/network/default.net");
    fs::copy(own, &net).expect("a network");
    let with_net = format!("plies,EvalFile={net}");
    let base = path("book");
    let play = ["match", "plies", "bare", "--nodes", "20", "--pairs", "1"];
    for (arguments, complaint) in [
        (vec!["lab", "odds", &games, "--write", &games], "would be overwritten"),
        (vec!["lab", "options", &games, "--write", &games], "would be overwritten"),
        (vec!["lab", "train", &games, "--out", &games], "would be overwritten"),
        (vec!["lab", "data", &games, "--out", &games], "would be overwritten"),
        (vec!["lab", "human", &book, "--write", &book], "would be overwritten"),
        (
            vec!["lab", "human", &book, "--engine", "x", "--study", &study, "--write", &study],
            "would be overwritten",
        ),
        (vec!["lab", "human", &book, "--recalibrate", &tree, "--write", &tree], "would be overwritten"),
        (vec!["certify", "startpos", "--eval-file", &net, "--out", &net], "would be overwritten"),
        (vec!["grow", "startpos", "--eval-file", &net, "--out", &net], "would be overwritten"),
        (vec!["game", "certify", "tree", &tree, "--out", &tree], "would be overwritten"),
        (vec!["lab", "human", &book, "--write", "x", "--kept", "x"], "would be written twice"),
        (vec!["lab", "levels", "--engine", "x", "--out", "x", "--write", "x"], "would be written twice"),
        (
            vec!["lab", "levels", "--engine", "x", "--player", &with_net, "--write", &net],
            "would be overwritten",
        ),
        (vec!["study", "show", &study, "--pgn", &study], "would be overwritten"),
        (vec!["study", "show", &study, "--html", "x", "--pgn", "x"], "would be written twice"),
        ([&play[..], &["--openings", &book, "--out", &base]].concat(), "would be overwritten"),
        ([&play[..], &["--out", &base]].concat(), "no state of a match beside it"),
        ([&play[..], &["--sprt", "0", "inf"]].concat(), "--sprt: ELO0 and ELO1 must be numbers"),
        ([&play[..], &["--sprt", "0", "9000"]].concat(), "must be numbers from -2000 to 2000"),
        (vec!["grow", "startpos", "--out", "/no/such/place"], "/no/such/place"),
        (vec!["mate", "startpos", "--out", "/no/such/place"], "/no/such/place"),
        (vec!["explain", "startpos", "--plans", "/no/such/place"], "/no/such/place-white.txt"),
        (vec!["genfens", "1", "seed", "1", "book", &path("won.epd")], "no balanced opening"),
        (vec!["genfens", "1", "book"], "book: the name of a file, or None"),
        (vec!["lab", "selfplay", "--out", "x", "--random-plies", "0", "0"], "all games are the same"),
        (vec!["lab", "spsa", "--tune", "NullMove.reduction", "--steps", "0"], "--steps must be"),
        (vec!["analyse", "startpos", "--recipe", "pns", "--depth", "2"], "pns has no depth limit"),
        (vec!["grow", "startpos", "--recipe", "b-star", "--depth", "2"], "b-star has no depth limit"),
        (vec!["match", "pns", "plies", "--depth", "2"], "pns has no depth limit"),
        (vec!["bench", "--recipe", "pns", "--depth", "2"], "pns has no depth limit"),
    ] {
        let before = fs::read_dir(&folder).expect("the folder").count();
        let output = run(&arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains(complaint) && said.lines().count() == 1, "{arguments:?}: {said}");
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), before, "{arguments:?}");
    }
    // What is named is used, or nothing is.
    let empty = path("empty.epd");
    std::fs::write(&empty, "").expect("a file");
    for (arguments, complaint) in [
        (["human-error", "--quick", "--pgn", &book], "no rated game in "),
        (["ablation", "--quick", "--suite", &empty], "no exercise in "),
        (["key-moments", "--engine=x", "--engine-time", "2ms"], "measurements are by numbers of nodes"),
    ] {
        let refused = run(&[&["lab", "run"][..], &arguments].concat());
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        assert!(text(&refused.stderr).contains(complaint), "{arguments:?}: {}", text(&refused.stderr));
    }
    // What would do nothing is refused.
    for arguments in [
        &["lab", "data", &games, "--json", "--relabel", "plies"][..],
        &["lab", "data", &games, "--json", "--shuffle", "1"],
        &["lab", "human", &book, "--recalibrate", "--deeper", "9"],
        &["lab", "data", &games, "--out", "x", "--shuffle", "1", "--jobs", "2"],
        &["match", "plies", "bare", "--nodes", "5", "--margin", "5s"],
        &["lab", "spsa", "--tune", "NullMove.reduction", "--pairs", "18446744073709551615"],
    ] {
        let refused = run(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {}", text(&refused.stderr));
    }
    assert!(run(&["lab", "data", &games]).status.success());
    assert!(run(&["study", "show", &study]).status.success());
    assert_eq!(fs::read_to_string(&book).expect("a book"), "1. e4 e5 *\n");
}

#[test]
fn odds_are_fitted_to_games() {
    let folder = folder("odds");
    let path = |name: &str| folder.join(name).to_str().expect("a path").to_string();
    let play = |games: &str| {
        run(&["lab", "selfplay", "--out", &path(""), "--nodes", "20", "--hash", "1", "--games", games])
    };
    assert!(play("1").status.success());
    let refused = run(&["lab", "odds", &path("games.viri")]);
    assert!(text(&refused.stderr).contains("these games do not suffice"), "{}", text(&refused.stderr));
    assert!(play("150").status.success());
    let fitted = run(&["lab", "odds", &path("games.viri"), "--write", &path("odds.txt")]);
    let said = text(&fitted.stdout);
    assert!(said.starts_with("150 games, ") && said.contains("predicted"), "{said}{}", text(&fitted.stderr));
    let written = fs::read_to_string(path("odds.txt")).expect("weights");
    assert!(written.starts_with("# Fitted by `cassius lab odds` to 150 games, "), "{written}");
    assert!(cassius_chess::odds::Odds::parse(&written).is_some(), "{written}");
}

#[test]
fn options_are_learned_from_games() {
    let folder = folder("options");
    let path = |name: &str| folder.join(name).to_str().expect("a path").to_string();
    let play = ["lab", "selfplay", "--out", &path(""), "--nodes", "20", "--hash", "1", "--games", "10"];
    assert!(run(&play).status.success());
    let learn = |jobs: &str, out: &str| {
        let (games, out) = (path("games.viri"), path(out));
        run(&[
            "lab",
            "options",
            &games,
            "--positions",
            "10",
            "--nodes",
            "2k",
            "--jobs",
            jobs,
            "--write",
            &out,
        ])
    };
    let said = learn("1", "one.txt");
    assert!(said.status.success(), "{}", text(&said.stderr));
    let said = text(&said.stdout);
    assert!(said.contains("positions, 2000 nodes each") && said.contains(" held out"), "{said}");
    assert!(!said.contains(" 0 held out"), "{said}");
    assert!(learn("2", "two.txt").status.success());
    let written = fs::read_to_string(path("one.txt")).expect("weights");
    assert!(written.starts_with("# Learned by `cassius lab options` from "), "{written}");
    assert_eq!(written, fs::read_to_string(path("two.txt")).expect("weights"));

    let refused = run(&["lab", "options", &path("games.viri"), "--positions", "5", "--nodes", "10"]);
    assert!(text(&refused.stderr).contains("more --nodes are needed"), "{}", text(&refused.stderr));
    let refused = run(&["lab", "options", &path("none.viri")]);
    assert!(text(&refused.stderr).contains("none.viri: "), "{}", text(&refused.stderr));
}

#[test]
fn levels_are_measured_against_rated_levels() {
    let folder = folder("levels");
    let path = |name: &str| folder.join(name).to_str().expect("a path").to_string();
    let (kept, weights) = (path("levels.jsonl"), path("levels.txt"));
    let [low, high] = cassius_chess::levels::Levels::built_in().ratings();
    let ratings = format!("{},{},{}", low + 50, low + 200, (low + 350).min(high));
    let engine = env!("CARGO_BIN_EXE_cassius");
    let command = [
        &["lab", "levels", "--engine", engine, "--ratings", &ratings, "--nodes", "100k", "--pairs", "4"][..],
        &["--hash", "1", "--out", &kept, "--write", &weights],
    ];
    let command = command.concat();
    let measured = run(&command);
    let said = text(&measured.stdout);
    assert!(said.contains("against") && said.contains("rating"), "{said}{}", text(&measured.stderr));
    let written = fs::read_to_string(&weights).expect("weights");
    assert!(
        written.starts_with("# Fitted by `cassius lab levels` to 72 games of plies against"),
        "{written}"
    );
    assert!(cassius_chess::levels::Levels::parse(&written).is_some(), "{written}");

    // Nothing is played twice, even if other levels have been built in since.
    let lines = fs::read_to_string(&kept).expect("matches");
    assert_eq!(lines.lines().filter(|line| line.contains(": nodes of ")).count(), 3, "{lines}");
    assert_eq!(text(&run(&command).stdout), said);
    assert_eq!(fs::read_to_string(&kept).expect("matches"), lines);

    let refused = run(&["lab", "levels", "--engine", engine, "--ratings", "9"]);
    assert!(
        !refused.status.success() && text(&refused.stderr).contains("UCI_Elo"),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn a_network_is_trained_and_plays() {
    let folder = folder("train");
    let path = |name: &str| folder.join(name).to_str().expect("a path").to_string();
    let games =
        run(&["lab", "selfplay", "--out", &path(""), "--nodes", "20", "--hash", "1", "--games", "120"]);
    assert!(games.status.success(), "{}", text(&games.stderr));
    let train = |passes: &str| {
        let (games, out) = (path("games.viri"), path("toy.net"));
        run(&["lab", "train", &games, "--out", &out, "--width", "32", "--passes", passes, "--batch", "256"])
    };
    let output = train("2");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.contains("the classical evaluation has a loss of 0.0"), "{said}");
    assert!(said.contains("\npass   2  loss 0.0") && said.contains("toy.net: width 32"), "{said}");
    let card: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path("toy.net.json")).expect("a card")).expect("JSON");
    assert_eq!(
        (card["data"][0]["games"].as_u64(), card["losses"].as_array().map(Vec::len)),
        (Some(120), Some(2))
    );
    assert_eq!(card["data"][0]["settings"]["soft_nodes"], 20);
    assert!(fs::read_to_string(path("toy.net.svg")).expect("a plot").contains("held out"));

    // Two runs do not train the same network.
    assert!(!folder.join("toy.net.training.lock").exists());
    let other = fs::File::create(path("toy.net.training.lock")).expect("a file");
    other.lock().expect("a lock");
    let output = train("3");
    assert!(text(&output.stderr).contains("another run is training this network"), "{output:?}");
    drop(other);

    // The card leads back to the network.
    let shown = run(&["lab", "card", &path("toy.net")]);
    let shown = text(&shown.stdout);
    let player: cassius_lab::Player =
        format!("plies,EvalFile={}", path("toy.net")).parse().expect("a player");
    let identity = player.identity();
    let (_, checksum) = identity.rsplit_once('(').expect("a number");
    let checksum = checksum.trim_end_matches(')');
    assert!(shown.contains(&format!(", checksum of the file {checksum}\n")), "{identity}: {shown}");
    assert!(shown.contains("\n      120 ") && shown.contains(" held out\n"), "{shown}");
    let leads_back = |shown: &str, commands: usize, network: &str| {
        let again = folder.join(format!("{network} again"));
        fs::create_dir(&again).expect("a folder");
        let lines = shown.lines().filter_map(|line| line.strip_prefix("cassius "));
        for command in lines.clone() {
            let words: Vec<&str> = command.split(' ').collect();
            let output = cassius().current_dir(&again).args(&words).output().expect("the program starts");
            assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        }
        assert_eq!(lines.count(), commands, "{shown}");
        let [made, again] = [path(network), path(&format!("{network} again/again.net"))];
        assert!(fs::read(made).expect("a network") == fs::read(again).expect("one"));
    };
    leads_back(&shown, 2, "toy.net");

    // A training may start from a network, and its card leads back too.
    let [games, toy, more] = ["games.viri", "toy.net", "more.net"].map(path);
    let start =
        |from: &str| run(&["lab", "train", &games, "--out", &more, "--start", from, "--batch", "256"]);
    let started = run(&[
        &["lab", "train", &games, "--out", &more, "--start", &toy, "--passes", "1"][..],
        &["--rate", "0.0003", "--batch", "256"],
    ]
    .concat());
    let said = text(&started.stdout);
    assert!(said.contains("the network to start from has a loss of 0.0"), "{said}{}", text(&started.stderr));
    let shown = run(&["lab", "card", &more]);
    let shown = text(&shown.stdout);
    assert!(shown.contains("started from the network of evaluation "), "{shown}");
    assert!(shown.contains(" --start start.net --passes 1 --batch 256 --rate 0.0003 "), "{shown}");
    leads_back(&shown, 4, "more.net");
    for (from, expected) in [
        (&more, "more.net would be overwritten"),
        (&games, "games.viri: not a network: the first line"),
        (&path("none.net"), "none.net: "),
    ] {
        let refused = start(from);
        assert!(!refused.status.success() && text(&refused.stderr).contains(expected), "{refused:?}");
    }
    // The built-in network needs no file, and its width is not asked for.
    fs::remove_file(path("more.net.training")).expect("a saved training");
    let own = run(&["lab", "train", &games, "--out", &more, "--start", "built-in", "--passes", "1"]);
    assert!(text(&own.stderr).contains("too few for a step of 16384"), "{own:?}");
    let refused = run(&["lab", "train", &games, "--out", &more, "--start", "built-in", "--width", "32"]);
    assert!(text(&refused.stderr).contains("cannot be used with"), "{refused:?}");

    let json = run(&["lab", "card", &path("toy.net"), "--json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text(&json.stdout)).expect("JSON"), card);
    let own = run(&["lab", "card"]);
    let own = text(&own.stdout);
    assert!(own.starts_with("the built-in network, evaluation ") && own.contains("\n768 inputs, "), "{own}");

    // A training goes on with the games with which it began, though others have been added since; another
    // number of passes is another training.
    let network = fs::read(path("toy.net")).expect("a network");
    let whole = fs::read(path("games.viri")).expect("games");
    let said_of = |games: &[&[u8]], passes: &str| {
        fs::write(path("games.viri"), games.concat()).expect("games");
        let output = train(passes);
        let is_same = fs::read(path("toy.net")).expect("a network") == network;
        (output.status.success() && is_same, text(&output.stderr))
    };
    let (is_same, said) = said_of(&[&whole, &whole[..40]], "2");
    assert!(is_same && said.is_empty(), "{said}");
    let (is_same, said) = said_of(&[&whole, &whole], "2");
    assert!(is_same && said.contains("120 games added since are left out; to train on"), "{said}");
    let (is_same, said) = said_of(&[&whole, &whole], "3");
    assert!(!is_same && said.contains("begun with other settings or data"), "{said}");
    let (is_same, said) = said_of(&[&whole[..whole.len() - 4]], "2");
    assert!(!is_same && said.contains("119 games, but 120 when the training began"), "{said}");

    // A training that begins leaves out a game that is being written.
    fs::remove_file(path("toy.net.training")).expect("it is there");
    let (is_same, said) = said_of(&[&whole, &whole[..40]], "2");
    assert!(is_same && said.contains("its last game is incomplete"), "{said}");

    let player = format!("plies,EvalFile={}", path("toy.net"));
    let played = run(&["match", &player, "plies", "--nodes", "200", "--pairs", "3"]);
    assert!(text(&played.stdout).contains("games        6:"), "{}", text(&played.stderr));
    let bench = |more: &[&str]| {
        let output = run(&[&["bench", "--depth", "4"], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).lines().next().expect("a signature").to_string()
    };
    let signatures =
        [bench(&[]), bench(&["--evaluation", "classical"]), bench(&["--eval-file", &path("toy.net")])];
    assert!(signatures[0] != signatures[1] && signatures[1] != signatures[2], "{signatures:?}");

    // A network that was loaded stays if networks are switched on, and cannot be switched off.
    let on = bench(&["--eval-file", &path("toy.net"), "--with", "Network"]);
    assert_eq!(on, signatures[2]);
    let played = run(&["match", &format!("{player},+Network"), &player, "--nodes", "200", "--pairs", "3"]);
    assert!(text(&played.stdout).contains(", 50.0 %\n"), "{}", text(&played.stdout));
    for command in [
        &["match", &format!("{player},-Network"), "plies"][..],
        &["bench", "--eval-file", &path("toy.net"), "--without", "network"],
        &["bench", "--evaluation", "network", "--without", "network"],
        &["solve", &path("games.viri"), "--evaluation", "classical", "--with", "Network"],
    ] {
        let refused = run(command);
        assert!(!refused.status.success(), "{command:?}");
        assert!(text(&refused.stderr).contains("one evaluation"), "{}", text(&refused.stderr));
    }

    // A certificate names its evaluation, and is checked with it.
    let certify = |out: &str, more: &[&str]| {
        let output = run(&[&["certify", "startpos", "--depth", "0.5", "--out", out], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    certify(&path("own.txt"), &["--evaluation", "network"]);
    certify(&path("toy.txt"), &["--eval-file", &path("toy.net")]);
    assert!(run(&["check", &path("own.txt")]).status.success());
    let refused = run(&["check", &path("toy.txt")]);
    assert!(text(&refused.stderr).contains("but those at hand are `stand pat"), "{}", text(&refused.stderr));
    let both = run(&["check", &path("toy.txt"), &path("own.txt"), "--eval-file", &path("toy.net")]);
    assert!(both.status.success(), "{}", text(&both.stderr));
    let explain = |more: &[&str]| {
        let output =
            run(&[&["explain", "startpos", "--nodes", "2k", "--plan-nodes", "50", "--json"], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_string()
    };
    assert_ne!(explain(&[]), explain(&["--eval-file", &path("toy.net")]));

    let missing = run(&["match", "plies,EvalFile=no.net", "plies"]);
    assert!(text(&missing.stderr).contains("no.net: No such file"), "{}", text(&missing.stderr));
    let wrong = run(&["analyse", "startpos", "--nodes", "10", "--eval-file", &path("games.viri")]);
    assert!(text(&wrong.stderr).contains("games.viri: not a network"), "{}", text(&wrong.stderr));
}

#[test]
fn parameters_are_tuned_by_games() {
    let file = folder("spsa").join("kept.jsonl");
    let tune = |more: &[&str]| {
        let out = file.to_str().expect("a path");
        let common = ["lab", "spsa", "lab", "--nodes", "100", "--pairs", "2", "--steps", "2", "--out", out];
        run(&[&common[..], more].concat())
    };
    let output = tune(&["--tune", "NullMove.reduction=30", "--component", "razoring"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(said.starts_with("8 games: ") && said.contains("NullMove.reduction     300 -> "), "{said}");
    assert!(said.contains("lab,NullMove.reduction=") && said.contains(",Razoring."), "{said}");
    let again = tune(&["--tune", "NullMove.reduction=30", "--component", "razoring", "--jobs", "2"]);
    assert_eq!(text(&again.stdout), said);

    let refused = |more: &[&str], why: &str| {
        let output = tune(more);
        assert!(!output.status.success() && text(&output.stderr).contains(why), "{}", text(&output.stderr));
    };
    refused(&["--tune", "NullMove.reduction"], "another tuning is kept here: its tuned is ");
    refused(
        &["--tune", "NullMove.reduction=30", "--component", "razoring", "--seed", "2"],
        "its seed is 1, not 2",
    );
    let none = run(&["match", "lab", "plies", "--nodes", "0"]);
    assert!(text(&none.stderr).contains("must be at least 1"), "{none:?}");
    refused(&[], "nothing to tune");
    refused(&["--tune", "NullMove.luck"], "recipe `lab` has no parameter `NullMove.luck`");
    refused(&["--component", "Luck"], "no such component");
    for reach in ["NullMove.slope=-1", "NullMove.reduction=100000"] {
        refused(&["--tune", reach], "above 0 and at most the width of its range");
    }
    refused(&["--tune", "NullMove.slope,NullMove.slope=2"], "NullMove.slope is named twice");

    // Earlier versions did not keep the search. What they finished is shown, and the rest is not continued.
    let lines = fs::read_to_string(&file).expect("steps");
    let (settings, steps) = lines.split_once('\n').expect("settings and steps");
    let mut settings: serde_json::Value = serde_json::from_str(settings).expect("settings");
    settings["value"].as_object_mut().expect("an object").remove("search").expect("the search");
    let (first, _) = steps.split_once('\n').expect("two steps");
    let tuned = ["--tune", "NullMove.reduction=30", "--component", "razoring"];
    fs::write(&file, format!("{settings}\n{steps}")).expect("a file");
    assert_eq!(text(&tune(&tuned).stdout), said);
    fs::write(&file, format!("{settings}\n{first}\n")).expect("a file");
    refused(&tuned, "an earlier version has begun this tuning");
}
