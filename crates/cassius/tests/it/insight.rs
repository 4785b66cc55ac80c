//! `cassius explain` and `cassius annotate` as people and programs use them.

use crate::common::{assert_golden, run, transcript};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const RETI: &str = "7K/8/k1P5/7p/8/8/8/8 w - - 0 1";
const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"1400\"]\n\n\
    1. e4 { [%eval 0.3] [%clk 0:05:00] } e5 2. Nf3 Nc6 (2... d6 { Philidor } 3. d4) \
    3. Bc4 Nd4 4. Nxe5 $1 { A trap. } Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n";

/// Returns a path for a file of this name, which does not exist yet.
fn place(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("insight");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    path.display().to_string()
}

fn text(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn explained(arguments: &[&str]) -> Value {
    let text =
        text(&[&["explain", "--json", "--nodes", "30k", "--plan-nodes", "300"], arguments].concat(), "");
    serde_json::from_str(&text).expect("an object")
}

#[test]
fn positions_are_explained() {
    let effort = ["--nodes", "40k", "--plan-nodes", "300"];
    let explain = |arguments: &[&str]| transcript(&[&["explain"], arguments, &effort[..]].concat(), "");
    assert_golden!("explain_reti", explain(&[RETI, "--more"]));
    assert_golden!("explain_start", explain(&["startpos"]));
    let italian = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    assert_golden!("explain_black", explain(&[italian, "--elo", "900"]));
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_golden!("explain_over", explain(&[mated]));
    assert_golden!("explain_broken", explain(&["8/8/8/8/8/8/8/8 w - - 0 1"]));
}

/// A win that is proven, but not in how many moves, is no number of centipawns.
#[test]
fn a_proven_win_has_no_centipawns() {
    let position = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1";
    let found = text(&["analyse", position, "--recipe", "pns", "--nodes", "20k", "--json"], "");
    let found: Value = serde_json::from_str(&found).expect("an object");
    let line = &found["lines"][0];
    assert_eq!((&line["white_proven"], &line["white_score_cp"]), (&Value::from("won"), &Value::Null));
    let suite = "7k/8/8/8/8/8/R7/1R2K3 w - - bm Rb7; id \"rooks\";";
    let solved = text(&["solve", "-", "--recipe", "pns", "--nodes", "20k", "--json"], suite);
    assert!(solved.contains(r#""score":{"proven":"won"}"#), "{solved}");
}

/// What is said of the best move is the same in both places.
#[test]
fn practical_chances_agree_with_the_explanation() {
    let position = "rn2kb1r/p1p2ppp/8/1p1qp3/4P1b1/2N2N2/PPP2PPP/R1BQKB1R b KQkq - 0 1";
    let found = explained(&[position, "--practical", "3"]);
    let practical = found["practical"].as_array().expect("a list");
    let best = practical.iter().find(|of| of["san"] == found["own"]["line"][0]).expect("the best move");
    assert!(found["other"].is_object() && best["then"] == found["other"], "{found}");
    let chances = found["practical_chances"].as_array().expect("a list");
    let losses: Vec<_> = chances.iter().map(|of| of["expected_loss"].as_f64().expect("a number")).collect();
    assert!(losses.len() == practical.len() && losses.is_sorted_by(|more, less| more >= less), "{found}");
    let of_best = chances.iter().find(|of| of["san"] == best["san"]).expect("the best move");
    assert_eq!(of_best["error_chance"], found["error_chance"][1]);
}

/// Where a draw could be claimed but was not, the game went on.
#[test]
fn a_claim_that_was_not_made_ends_no_game() {
    let game = |start: &str, moves: &str| format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n\n{moves}\n");
    let (fifty, thrice, drawn) = (place("fifty.pgn"), place("thrice.pgn"), place("drawn.pgn"));
    let start = "7k/8/8/8/8/8/R7/1R2K3 w - - 98 90";
    fs::write(&fifty, game(start, "90. Kd1 Kg8 91. Rb7 Kf8 92. Ra8# 1-0")).expect("a file");
    let start = "7k/8/8/8/8/8/R7/1R2K3 b - - 0 1";
    let moves = "1... Kg8 2. Kd1 Kh8 3. Ke1 Kg8 4. Kd1 Kh8 5. Ke1 Kg8 6. Rb7 Kf8 7. Ra8# 1-0";
    fs::write(&thrice, game(start, moves)).expect("a file");

    let start = "7k/8/8/8/8/8/R7/1R2K3 w - - 98 90";
    fs::write(&drawn, game(start, "90. Kd1 Kg8 91. Ke1 Kh8 1/2-1/2")).expect("a file");

    // No move is an error by a rule that nobody applied, or because of a draw that was claimed in the end.
    for (file, count) in [(&fifty, 5), (&drawn, 4)] {
        let found = text(&["annotate", file, "--nodes", "2k", "--plan-nodes", "0", "--json"], "");
        let found: Value = serde_json::from_str(found.lines().next().expect("a line")).expect("JSON");
        let moves = found["moves"].as_array().expect("a list");
        assert_eq!(moves.len(), count, "{found}");
        assert!(moves.iter().all(|mv| mv["remark"].is_null()), "{found}");
    }
    assert_eq!(explained(&[&drawn])["end"], "fifty-move rule: a draw");

    for (file, ply, claim) in [(&fifty, "4", "fifty-move rule"), (&thrice, "9", "threefold repetition")] {
        let claim = format!("{claim}: a draw can be claimed");
        let found = explained(&[file, "--ply", ply]);
        assert_eq!(found["claim"], claim.as_str());
        let chance = found["own"]["value"]["chance"].as_f64().expect("a number");
        assert!(chance > 0.9, "{found}");
        let shown = text(&["analyse", file, "--ply", ply, "--nodes", "1k"], "");
        assert!(shown.contains(&claim) && shown.contains("1. "), "{shown}");
    }
}

#[test]
fn an_explanation_repeats_itself_whatever_is_shown() {
    let position = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 9";
    let first = explained(&[position]);
    assert_eq!(first, explained(&[position, "--lines", "1"]));
    assert_eq!(first, explained(&[position, "--lines", "200", "--more"]));
    // Earlier explanations have no effect on later ones.
    let both =
        text(&["explain", "--json", "--nodes", "30k", "--plan-nodes", "300", "startpos", position], "");
    let second: Value = serde_json::from_str(both.lines().nth(1).expect("two lines")).expect("an object");
    assert_eq!(first, second);
    // For a finished game, the result is reported.
    let stalemate = explained(&["k7/8/1Q6/8/8/8/8/7K b - - 0 1"]);
    assert_eq!(stalemate["end"], "stalemate: a draw");
    // Every legal move is judged.
    assert_eq!(first["own"]["moves"].as_array().map(Vec::len), Some(42));
    assert_eq!(first["own"]["room"]["legal"], 42);
    // More nodes change the result; another rating changes only the chance of an error.
    let more = text(&["explain", "--json", "--nodes", "60k", "--plan-nodes", "300", position], "");
    assert_ne!(serde_json::from_str::<Value>(&more).expect("an object")["nodes"], first["nodes"]);
    let weak = explained(&[position, "--elo", "800"]);
    assert_eq!(weak["own"], first["own"]);
    assert!(weak["error_chance"][0].as_f64() > first["error_chance"][0].as_f64());
}

/// The checker can replay the reported plans, and they are as deep as stated.
#[test]
fn plans_can_be_checked() {
    let prefix = place("plans").trim_end_matches(".txt").to_string();
    let position = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2NB1N2/PP3PPP/R1BQ1RK1 b - - 0 9";
    let said = text(
        &["explain", position, "--json", "--nodes", "20k", "--plan-nodes", "400", "--plans", &prefix],
        "",
    );
    let said: Value = serde_json::from_str(&said).expect("an object");
    for (side, plan, of) in [("white", "other", "at_most"), ("black", "own", "at_least")] {
        let checked = text(&["check", &format!("{prefix}-{side}.txt"), "--json"], "");
        let checked: Value = serde_json::from_str(&checked).expect("an object");
        let depth = checked[of]["depth"].as_f64().unwrap_or_else(|| panic!("{checked}")) / 240.0;
        let told = said["plans"][plan]["depth"].as_f64().expect("a plan");
        assert!((depth - told).abs() < 0.01, "{side}: {depth}, {told}");
    }
    // Plans can be written for a single position only.
    let output = run(&["explain", "startpos", position, "--nodes", "100", "--plans", &prefix], "");
    assert!(!output.status.success());
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("--plans needs a single position"),
        "{output:?}"
    );
}

#[test]
fn a_plan_that_was_not_shown_is_not_written() {
    let prefix = place("unshown").trim_end_matches(".txt").to_string();
    let white = format!("{prefix}-white.txt");
    fs::write(&white, "mine").expect("a file");
    let output = run(&["explain", "startpos", "--nodes", "2k", "--plan-nodes", "0", "--plans", &prefix], "");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("increase --plan-nodes"), "{output:?}");
    assert_eq!(fs::read_to_string(&white).expect("a file"), "mine");
    let output = run(&["explain", "8/8/8/3k4/8/8/8/K7 w - - 0 1", "--plans", &prefix], "");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("insufficient material: a draw"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no plan to write"), "{output:?}");
    // There are moves, but nothing to search.
    let output = run(&["analyse", "8/8/8/8/8/4k3/8/4K1N1 w - - 0 1", "--json"], "");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"lines\":[],\"nodes\":0,"), "{output:?}");
}

/// Annotates with little effort.
fn annotated(arguments: &[&str], input: &str) -> String {
    text(&[&["annotate", "--nodes", "8k", "--plan-nodes", "60"], arguments].concat(), input)
}

#[test]
fn games_are_annotated_and_what_others_wrote_stays() {
    let once = annotated(&["-"], GAME);
    assert_golden!("annotate", once.clone());
    let flat = once.replace('\n', " ");
    for kept in ["[%clk 0:05:00]", "(2... d6 { Philidor } 3. d4 )", "$1 { A trap. }", "[WhiteElo \"1400\"]"] {
        assert!(flat.contains(kept), "{kept}: {once}");
    }
    assert!(!flat.contains("[%eval 0.3]"), "{once}");
    assert!(once.lines().all(|line| line.chars().count() <= 80), "{once}");
    // A second annotation writes the same text.
    assert_eq!(annotated(&["-"], &once), once);
    let json: Value = serde_json::from_str(&annotated(&["-", "--json"], GAME)).expect("an object");
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(14));
    assert_eq!(json["moves"][13]["fen"], "r1b1kbnr/pppp1Npp/8/8/4q3/5n2/PPPPBP1P/RNBQKR2 w Qkq - 2 8");
}

#[test]
fn a_broken_game_is_named_and_the_rest_is_done() {
    let short = |number: usize| format!("[Round \"{number}\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n");
    let games: String = (1..=100)
        .map(|number| if number == 37 { "1. e4 Ke7 2. d4 *\n\n".into() } else { short(number) })
        .collect();
    let (input, out) = (place("hundred.pgn"), place("hundred-annotated.pgn"));
    fs::write(&input, games).expect("a file");
    let effort = ["--nodes", "200", "--plan-nodes", "0", "--jobs", "2"];
    let output = run(&[&["annotate", &input, "--out", &out], &effort[..]].concat(), "");
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("hundred.pgn: game 37, line 145: move 1...: 'Ke7' is not legal here"), "{said}");
    let written = fs::read_to_string(&out).expect("a file");
    assert_eq!(written.matches("[Round ").count(), 99);
    assert!(!PathBuf::from(format!("{out}.jsonl")).exists());
    // The games are in the order of the input.
    let rounds: Vec<&str> = written.lines().filter(|line| line.starts_with("[Round ")).collect();
    assert!(
        rounds[0] == "[Round \"1\"]" && rounds[36] == "[Round \"38\"]" && rounds[98] == "[Round \"100\"]"
    );
}

#[test]
fn what_is_done_is_not_done_again() {
    let (input, out) = (place("resumed.pgn"), place("resumed-annotated.pgn"));
    let journal = format!("{out}.jsonl");
    let _ = fs::remove_file(&journal);
    let games: String =
        (0..5).map(|number| format!("{}\n", GAME.replace("\"A\"", &format!("\"{number}\"")))).collect();
    fs::write(&input, &games).expect("a file");
    let effort = ["--nodes", "20k", "--plan-nodes", "20"];
    let annotate = || run(&[&["annotate", &input, "--out", &out], &effort[..]].concat(), "");
    assert!(annotate().status.success());
    let whole = fs::read_to_string(&out).expect("a file");
    // The process is killed when two games are done.
    fs::remove_file(&out).expect("a file");
    let mut command = crate::common::cassius();
    command.args(["annotate", &input, "--out", &out]).args(effort);
    let mut child = command.spawn().expect("the program runs");
    let lines = || fs::read_to_string(&journal).map_or(0, |kept| kept.lines().count());
    while lines() < 2 {
        assert!(child.try_wait().expect("a process").is_none(), "it has ended without a journal");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().expect("a process");
    child.wait().expect("a process");
    assert!(!PathBuf::from(&out).exists());
    // The next run continues from there, except for a line that was cut off.
    let kept = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, &kept[..kept.len() - 40]).expect("a file");
    let before = kept.lines().count() - 1;
    assert!(before > 0, "{kept}");
    let output = annotate();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let again = match before {
        1 => "; 1 game was done earlier".into(),
        _ => format!("; {before} games were done earlier"),
    };
    assert!(output.status.success() && said.contains(&again), "{said}");
    assert_eq!(fs::read_to_string(&out).expect("a file"), whole);
    assert!(!PathBuf::from(&journal).exists());
    // What a journal has of other games is kept.
    let first = kept.lines().next().expect("a game");
    fs::write(&journal, format!("{first}\n{}\n", first.replacen(" MiB ", " MIB ", 1))).expect("a file");
    let output = annotate();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && said.contains("it has 1 game that this input does not have"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&out).expect("a file"), whole);
    assert_eq!(fs::read_to_string(&journal).expect("a journal").matches(" MIB ").count(), 1);
}

/// The journal runs out of space: it contains complete lines only, its earlier games remain, and the
/// same command continues the work.
#[test]
#[cfg(unix)]
fn a_journal_without_room_is_said_and_nothing_is_lost() {
    let (input, out) = (place("room.pgn"), place("room-annotated.pgn"));
    let journal = format!("{out}.jsonl");
    let _ = fs::remove_file(&journal);
    let games: String =
        (0..4).map(|number| format!("{}\n", GAME.replace("\"A\"", &format!("\"{number}\"")))).collect();
    fs::write(&input, &games).expect("a file");
    let arguments = ["annotate", &input, "--nodes", "300", "--plan-nodes", "0"];
    let whole = text(&arguments, "");
    fs::write(&out, "mine").expect("a file");
    let output = crate::common::limited(4, &[&arguments[..], &["--out", &out]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(
        said.contains("and no more can be saved; the same command continues from there: File too large"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&out).expect("a file"), "mine");
    let kept = fs::read_to_string(&journal).expect("a journal");
    let done = kept.lines().count();
    assert!(kept.ends_with('\n') && (1..4).contains(&done), "{done}: {kept}");
    let again = text(&[&arguments[..], &["--out", &out]].concat(), "");
    assert!(
        again.contains(if done == 1 { "; 1 game was done earlier" } else { " were done earlier" }),
        "{again}"
    );
    assert_eq!(fs::read_to_string(&out).expect("a file"), whole);
    assert!(!PathBuf::from(&journal).exists());
}

/// The process is killed before, during and after the replacement of the file: the same command finishes
/// the work, and judges nothing again.
#[test]
#[cfg(unix)]
fn it_may_be_killed_while_the_file_takes_its_place() {
    let (input, out, page) = (place("placed.pgn"), place("placed-annotated.pgn"), place("placed.html"));
    let journal = format!("{out}.jsonl");
    let arguments =
        ["annotate", &input, "--nodes", "300", "--plan-nodes", "0", "--html", &page, "--out", &out];
    fs::write(&input, GAME).expect("a file");
    text(&arguments, "");
    let written = || [&out, &page].map(|path| fs::read(path).ok());
    let whole = written();
    // A complete journal of a run that had no space for the page, which is longer.
    for path in [&out, &page] {
        let _ = fs::remove_file(path);
    }
    let blocks = (whole[1].as_ref().expect("a page").len() - 1) / 512;
    assert!(!crate::common::limited(blocks, &arguments).status.success());
    let kept = fs::read(&journal).expect("a journal");
    assert!(kept.ends_with(b"\n") && written() == [None, None]);
    let part = format!("{out}.part");
    for (state, out_is_there, page_is_there) in
        [(None, false, false), (Some("half"), false, true), (None, false, true), (None, true, true)]
    {
        for (path, is_there, text) in [(&out, out_is_there, &whole[0]), (&page, page_is_there, &whole[1])] {
            let _ = fs::remove_file(path);
            if is_there {
                fs::write(path, text.as_ref().expect("a file")).expect("a file");
            }
        }
        let _ = fs::remove_file(&part);
        if let Some(half) = state {
            fs::write(&part, half).expect("a file");
        }
        fs::write(&journal, &kept).expect("a journal");
        let said = text(&arguments, "");
        assert!(said.contains("1 game was done earlier") && !said.contains(" per second"), "{said}");
        assert_eq!(written(), whole);
        assert!(!PathBuf::from(&journal).exists());
    }
    let _ = fs::remove_file(&part);
}

#[test]
fn a_page_can_be_printed() {
    let page = annotated(&["-", "--html", "-"], GAME);
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    let (_, data) = page.split_once("id=\"data\">").expect("the data");
    let data: Value = serde_json::from_str(data.split_once("</script>").expect("its end").0).expect("JSON");
    assert_eq!(data[0]["moves"].as_array().map(Vec::len), Some(14));
    // The comments of other annotators are included as well.
    assert_eq!(data[0]["moves"][3]["said"], serde_json::json!(["(2... d6 { Philidor } 3. d4)"]));
    assert_eq!(data[0]["moves"][6]["said"], serde_json::json!(["A trap."]));
    assert_eq!(data[0]["moves"][0]["said"], serde_json::json!([]));
    let twice = run(&["annotate", "-", "--html", "-", "--out", "-"], GAME);
    assert!(String::from_utf8_lossy(&twice.stderr).contains("would be written twice"), "{twice:?}");
}

#[test]
fn endgame_tables_that_are_not_there_are_said() {
    for arguments in [&["explain", RETI][..], &["annotate", "-"]] {
        let output = run(&[arguments, &["--syzygy", "/no/such/place"]].concat(), GAME);
        assert!(!output.status.success() && output.stdout.is_empty());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("endgame tables: cannot read '/no/such/place'"), "{said}");
    }
}

/// The kept results of other games are not lost when one game was corrected, and an unreadable line is
/// done again.
#[test]
#[cfg(unix)]
fn a_corrected_game_is_done_anew() {
    let (input, out) = (place("corrected.pgn"), place("corrected-annotated.pgn"));
    let journal = format!("{out}.jsonl");
    let _ = fs::remove_file(&journal);
    let games = |names: [&str; 3]| names.map(|name| GAME.replace("\"A\"", &format!("\"{name}\""))).join("\n");
    let arguments = ["annotate", &input, "--nodes", "300", "--plan-nodes", "0"];
    let to_file = [&arguments[..], &["--out", &out]].concat();
    fs::write(&input, games(["a", "b", "c"])).expect("a file");
    assert!(!crate::common::limited(4, &to_file).status.success());
    let kept = fs::read_to_string(&journal).expect("a journal");
    let first: Value = serde_json::from_str(kept.lines().next().expect("a line")).expect("JSON");
    fs::write(&journal, format!("{kept}{{\"key\":{},\"value\":1}}\n", first["key"])).expect("a file");
    fs::write(&input, games(["a", "corrected", "c"])).expect("a file");
    text(&to_file, "");
    assert_eq!(fs::read_to_string(&out).expect("a file"), text(&arguments, ""));
    // Nothing is taken from another run.
    fs::write(&journal, kept).expect("a file");
    let other = run(&[&to_file[..], &["--html", &place("corrected.html")]].concat(), "");
    assert!(String::from_utf8_lossy(&other.stderr).contains("annotated with other settings"), "{other:?}");
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_lost() {
    let input = place("kept.pgn");
    fs::write(&input, GAME).expect("a file");
    let output = run(&["annotate", &input, "--out", &input, "--nodes", "100"], "");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("would be overwritten"), "{output:?}");
    assert_eq!(fs::read_to_string(&input).expect("a file"), GAME);

    // A journal must not overwrite an input either. A file that cannot be written is reported before the
    // work begins.
    let journal = place("out.pgn.jsonl");
    fs::write(&journal, GAME).expect("a file");
    let output = run(&["annotate", &journal, "--out", &place("out.pgn"), "--nodes", "100"], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("would be overwritten"), "{output:?}");
    assert_eq!(fs::read_to_string(&journal).expect("a file"), GAME);
    let nowhere = place("no/such/folder/out.pgn");
    let output = run(&["annotate", &input, "--out", &nowhere], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("out.pgn: No such file"), "{output:?}");
    let twice = place("twice");
    let output = run(&["annotate", &input, "--out", &twice, "--html", &twice], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("would be written twice"), "{output:?}");
    let folder = PathBuf::from(&twice).parent().expect("a folder").join(".").join("twice");
    let output = run(&["annotate", &input, "--out", &twice, "--html", &folder.display().to_string()], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("would be written twice"), "{output:?}");

    // If there is no game, or the journal belongs to other games, nothing is written.
    let (out, journal) = (place("held.pgn"), place("held.pgn.jsonl"));
    let other = "{\"key\":\"another game\",\"value\":1}\n";
    fs::write(&out, "mine").expect("a file");
    fs::write(&journal, other).expect("a file");
    for (input, complaint) in [(&place("none.pgn"), "nothing was written"), (&input, "from other input")] {
        let output = run(&["annotate", input, "--out", &out, "--nodes", "100"], "");
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains(complaint), "{output:?}");
        let held = [&out, &journal].map(|path| fs::read_to_string(path).expect("a file"));
        assert_eq!(held, ["mine", other]);
    }
    // Nothing is mixed with games that are passed to another program.
    let printed = annotated(&[&input, "--out", "-", "--html", &place("also.html")], "");
    assert!(printed.starts_with("[Event ") && printed.ends_with(" 0-1\n\n"), "{printed}");

    let missing = run(&["annotate", &place("missing.pgn"), &input, "--nodes", "100"], "");
    assert!(!missing.status.success());
    assert!(String::from_utf8_lossy(&missing.stderr).contains("missing.pgn: No such file"), "{missing:?}");
    assert!(String::from_utf8_lossy(&missing.stdout).contains("[%eval "), "the other game is annotated");

    let folder = run(&["annotate", env!("CARGO_TARGET_TMPDIR")], "");
    assert!(String::from_utf8_lossy(&folder.stderr).contains(": a folder, not a file"), "{folder:?}");

    let nothing = run(&["annotate", "-"], "");
    assert!(!nothing.status.success());
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("standard input: no game"), "{nothing:?}");
}

/// Another model of human moves has other chances of an error, and what is no model is refused.
#[test]
fn another_model_of_human_moves_is_used() {
    let explain = |more: &[&str]| {
        let effort = ["explain", "startpos", "--json", "--nodes", "500", "--plan-nodes", "0"];
        run(&[&effort[..], more].concat(), "")
    };
    let chance = |more: &[&str]| {
        let output = explain(more);
        assert!(output.status.success(), "{output:?}");
        let said: Value = serde_json::from_slice(&output.stdout).expect("an object");
        said["error_chance"][0].as_f64().expect("a chance")
    };
    let built_in = include_str!("../../../insight/src/human.txt");
    let (same, other, broken) = (place("same.txt"), place("other.txt"), place("broken.txt"));
    let weight = built_in.lines().find(|line| line.starts_with("sum: constant: ")).expect("a weight");
    fs::write(&same, built_in).expect("a file");
    fs::write(&other, built_in.replacen(weight, "sum: constant: 9000", 1)).expect("a file");
    fs::write(&broken, built_in.replacen("is best: ", "is worst: ", 1)).expect("a file");
    let own = chance(&[]);
    assert_eq!(chance(&["--human-model", &same]), own);
    assert!(chance(&["--human-model", &other]) > own + 0.5, "{own}");
    for (file, complaint) in [
        (&broken, "broken.txt: not a model of human moves\n"),
        (&place("none.txt"), "none.txt: No such file"),
    ] {
        let output = explain(&["--human-model", file]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
        assert!(said.contains(complaint) && said.lines().count() == 1, "{said}");
    }
}

/// A full disk is reported.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let output = crate::common::cassius()
        .args(["explain", RETI, "--nodes", "100", "--plan-nodes", "0"])
        .stdout(full)
        .output()
        .expect("the program runs");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"), "{output:?}");
}

/// The pages for players show the output of the program. `CASSIUS_UPDATE=1` rewrites them.
#[test]
fn the_pages_for_players_say_what_the_program_says() {
    // The statements of the sentences around the examples.
    says_what_the_program_says(
        "docs/insight.md",
        &[
            &["at least 3 only moves in a row: Kg7, Kf6, Ke5", "free: "],
            &["free: ", "looks right, does not hold: 6. Nxd5 Nxd5 7. "],
            &["only move Nc3 (1 of 44 moves holds)", "(3 of 32 moves hold)"],
        ],
    );
    says_what_the_program_says("docs/book/src/players/explain.md", &[&["White must find Kg7"]]);
}

/// Compares the examples of a page with what the program prints, which must contain the facts of each.
fn says_what_the_program_says(page: &str, facts: &[&[&str]]) {
    let path = format!("{}/../../{page}", env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(&path).expect("the page");
    let (mut new, mut rest, mut shown) = (String::new(), page.as_str(), 0);
    while let Some((before, after)) = rest.split_once("$ cassius explain '") {
        let (asked, after) = after.split_once('\n').expect("the output after the command");
        let (position, more) = asked.split_once('\'').expect("a quoted position");
        let (_, after) = after.split_once("```").expect("the end of the block");
        let arguments: Vec<&str> = ["explain", position].into_iter().chain(more.split_whitespace()).collect();
        let said = text(&arguments, "");
        assert!(facts[shown].iter().all(|fact| said.contains(fact)), "{said}");
        new += &format!("{before}$ cassius explain '{asked}\n{}\n```", said.trim_end());
        (rest, shown) = (after, shown + 1);
    }
    new += rest;
    assert_eq!(shown, facts.len());
    if std::env::var_os("CASSIUS_UPDATE").is_some() {
        fs::write(path, &new).expect("the page is written");
    }
    assert!(page == new || std::env::var_os("CASSIUS_UPDATE").is_some(), "stale:\n{new}");
}
