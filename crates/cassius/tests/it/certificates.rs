//! `cassius certify` and `cassius check` as users run them.

use crate::common::{assert_golden, bombs, run, transcript};
use cassius_search::Depth;
use cassius_search::plans::certificate::{Certificate, Checking, from_json, to_json};
use serde_json::Value;
use std::path::PathBuf;

const MATE: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const ROOKS: &str = "R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1";

/// Returns a path for a file of this name.
fn place(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("certificates");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name).display().to_string()
}

/// Returns whether the program succeeds with these arguments, its output, and its error messages.
fn said(arguments: &[&str], input: &str) -> (bool, String, String) {
    let output = run(arguments, input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn what_is_certified_can_be_checked() {
    let path = place("rooks.txt");
    let (well, told, _) = said(&["certify", ROOKS, "--depth", "0.5", "--out", &path], "");
    assert!(well && told.contains("at least") && told.contains("weakest line"), "{told}");
    let (well, checked, complaints) = said(&["check", &path], "");
    assert!(well, "{complaints}");
    assert!(told.starts_with(&checked), "{told}\n{checked}");

    let (_, text, _) = said(&["certify", MATE, "--out", "-"], "");
    let (well, checked, _) = said(&["check", "-"], &text);
    assert!(well && checked.contains("won in 1 ply") && checked.contains("certain"), "{checked}");
    // With a node limit, the result is always the same.
    let again = |nodes| said(&["certify", ROOKS, "--depth", "2", "--nodes", nodes, "--out", "-"], "").1;
    assert_eq!(again("2k"), again("2k"));
}

/// Certificates written by earlier versions of this program still hold.
#[test]
fn version_1_still_passes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/certificates");
    for name in ["version-1-chess.txt", "version-1-random-game.json", "version-1-tree.txt"] {
        let (well, told, complaints) = said(&["check", &format!("{folder}/{name}")], "");
        assert!(well && told.contains("at least") && told.contains("at most"), "{name}: {complaints}");
    }
}

/// The examples in the description of the format are certificates.
#[test]
fn the_documented_examples_hold() {
    let description = include_str!("../../../search/src/plans/certificate/format.rs");
    let example = |kind: &str| {
        let start = description.find(&format!("/// ```{kind}\n")).expect("an example") + 8 + kind.len();
        let end = start + description[start..].find("/// ```").expect("its end");
        let lines = description[start..end].lines().map(|line| line.trim_start_matches("///").trim());
        lines.collect::<Vec<_>>().join("\n")
    };
    let checked = ["text", "json"].map(|kind| said(&["check", "-"], &example(kind)));
    assert!(checked[0].0 && checked[0] == checked[1], "{checked:?}");
    assert!(checked[0].1.contains("at least +0"), "{checked:?}");
}

#[test]
fn other_games_too() {
    for (game, position) in [
        ("connect4", "4455"),
        ("othello", "f5d6c3"),
        ("hex", "3 swap b1"),
        ("tictactoe", "519"),
        ("random-tree", "1,3,5"),
        ("random-game", "7,4,cycles=9"),
        ("tree", "A:0(B:1(E:0 F:1) C:0)"),
    ] {
        let path = place(&format!("{game}.txt"));
        let (well, told, complaints) = said(&["game", "certify", game, position, "--out", &path], "");
        assert!(well, "{game}: {complaints}");
        let drawn = |option: &str, name: &str| {
            let picture = place(&format!("{game}{name}"));
            let (well, checked, complaints) = said(&["check", &path, option, &picture], "");
            assert!(well && told.starts_with(&checked), "{game}: {complaints}");
            std::fs::read_to_string(picture).expect("a picture")
        };
        let dot = drawn("--picture", ".dot");
        assert!(dot.starts_with("digraph") && dot.contains("cluster_most"), "{dot}");
        assert_eq!(drawn("--dot", ".graph"), dot);
        let svg = drawn("--picture", ".svg");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("at most"), "{svg}");
    }
}

/// The reports on a certificate that is small enough to be compared with its tree.
#[test]
fn what_is_told() {
    let tree = "A:0(B:1(D:1(H:1 I:3) E:2(J:2 K:0)) C:1(F:1(L:0 M:1) G:5(N:1 O:4)))";
    let (_, text, _) = said(&["game", "certify", "tree", tree, "--out", "-"], "");
    assert_golden!("certificate_tree", text);
    assert_golden!("check_tree", transcript(&["check", "-"], &text));
    let (_, json, _) = said(&["game", "certify", "tree", tree, "--json"], "");
    assert_golden!("certificate_tree_json", json);
    assert_golden!("check_tree_json", transcript(&["check", "-", "--json"], &json));
}

/// Both formats have the same content, whichever command writes them and wherever.
#[test]
fn json_says_what_the_text_says() {
    let (text, json) = (place("both.txt"), place("both.json"));
    for (command, position) in [
        (&["certify"][..], ROOKS),
        (&["certify"], MATE),
        (&["game", "certify", "random-game"], "7,4,cycles=9"),
        (&["game", "certify", "connect4"], "4455"),
    ] {
        let ask = |more: &[&str]| {
            said(&[command, &[position, "--depth", "0.5", "--nodes", "20k"], more].concat(), "")
        };
        let ((_, told, _), (_, told_of_json, _)) = (ask(&["--out", &text]), ask(&["--json", "--out", &json]));
        assert_eq!(told.lines().next(), told_of_json.lines().next());
        let [plain, structured] =
            [&text, &json].map(|path| std::fs::read_to_string(path).expect("a certificate"));
        assert_eq!(ask(&["--json"]).1, structured);
        let read = from_json(&structured).expect("JSON");
        assert_eq!(read.to_string(), plain);
        assert_eq!(to_json(&plain.parse().expect("text")), structured);
        let checked = [&text, &json].map(|path| said(&["check", path], ""));
        assert!(checked[0].0 && checked[0] == checked[1], "{checked:?}");
        let (well, checked, _) = said(&["check", "--json", &json, &text], "");
        let checked: Vec<Value> =
            checked.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(well && checked.len() == 2 && checked[0]["value"] == checked[1]["value"]);
        let plans = [("at_least", &read.at_least), ("at_most", &read.at_most)];
        for (name, plan) in plans {
            let stated = match plan.as_ref().expect("a plan").depth {
                Depth::CERTAIN => Value::from("certain"),
                depth => Value::from(depth.0),
            };
            assert_eq!(checked[0][name]["depth"], stated);
            assert!(!checked[0][name]["weakest"]["moves"].as_array().expect("moves").is_empty());
        }
    }
}

/// Faults in JSON are reported with their place, in words and in JSON.
#[test]
fn broken_json_is_named() {
    let (_, honest, _) = said(&["certify", MATE, "--json"], "");
    let deep = "[".repeat(100_000);
    let options = honest.find("\"options\"").expect("options");
    let long = format!(r#"{{"move":"a1a8","options":[]}},{}"#, r#"{"replies":["g8h8"]},"#.repeat(500));
    for (name, json, complaint) in [
        (
            "version",
            honest.replacen("\"version\": 2", "\"version\": 7", 1),
            "version: version `7` is not known",
        ),
        (
            "format",
            honest.replacen("cassius cert", "cassius conc", 1),
            "format: expected `cassius certificate 2`",
        ),
        ("none", "{}".into(), "line 1, column 2: missing field `format`"),
        ("missing", honest.replacen("\"margin\": 50,", "", 1), "missing field `margin`"),
        ("twice", honest.replacen("\"margin\"", "\"value\": 1, \"margin\"", 1), "duplicate field `value`"),
        ("unknown", honest.replacen("\"margin\"", "\"marge\"", 1), "line 7, column 9: unknown field `marge`"),
        (
            "word",
            honest.replacen("\"value\": 31999", "\"value\": \"much\"", 1),
            "invalid type: string \"much\"",
        ),
        (
            "number",
            honest.replacen("\"value\": 31999", "\"value\": 99999999999", 1),
            "value: `99999999999` is not a number or is out of range",
        ),
        (
            "fraction",
            honest.replacen("\"margin\": 50", "\"margin\": 0.5", 1),
            "margin: `0.5` is not a number",
        ),
        ("safety", replaced(&honest, "\"safety\": [", "]", ""), "safety: expected S(0)"),
        (
            "depth",
            honest.replacen("\"certain\"", "\"sure\"", 1),
            "at_least: expected a number or \"certain\"",
        ),
        (
            "neither",
            honest.replacen("\"options\"", "\"replies\"", 1),
            "at_least, position 1: expected `move` and `options`",
        ),
        ("white", honest.replacen("\"a1a8\"", "\"a1 a8\"", 1), "names of moves without white space"),
        (
            "more",
            honest.replacen("{\"over\"", "{\"over\":0},{\"over\"", 1),
            "at_least, position 3: there is more after the end",
        ),
        (
            "less",
            replaced(&honest, "\"options\":[]}", "]", ""),
            "at_least, position 2, after a1a8: the certificate ends here",
        ),
        ("long", honest.replacen("{\"move\":\"a1a8\",\"options\":[]},", &long, 1), "longer than"),
        ("cut", honest[..options].into(), "EOF while parsing"),
        ("behind", honest.clone() + "}", "trailing characters"),
        ("deep", honest.replacen("\"margin\": 50", &format!("\"margin\": {deep}"), 1), "line 7"),
        ("deeper", format!("{{\"format\": {deep}"), "recursion limit"),
        (
            "illegal",
            honest.replacen("\"a1a8\"", "\"a1a9\"", 1),
            "plan for at least, first position: a1a9 is not legal",
        ),
    ] {
        let path = place(&format!("{name}.json"));
        std::fs::write(&path, json).expect("a file");
        let (well, told, complaints) = said(&["check", &path], "");
        assert!(!well && told.is_empty() && complaints.contains(complaint), "{name}: {complaints}");
        assert_eq!(complaints.lines().count(), 2, "{complaints}");
        let (well, told, complaints) = said(&["check", "--json", &path], "");
        assert!(!well && complaints.lines().count() == 1, "{name}: {complaints}");
        let told: Value = serde_json::from_str(&told).expect("JSON");
        let error = told["error"].as_str().expect("an error");
        assert!(told["holds"] == false && error.contains(complaint), "{name}: {told}");
        assert!(error.ends_with(told["problem"].as_str().expect("a problem")), "{name}: {told}");
    }
}

/// Returns the text with other content between the first `from` and the next `to`.
fn replaced(text: &str, from: &str, to: &str, between: &str) -> String {
    let start = text.find(from).expect("a beginning") + from.len();
    let end = start + text[start..].find(to).expect("an end");
    format!("{}{between}{}", &text[..start], &text[end..])
}

#[test]
fn what_is_not_so_is_named_and_the_rest_is_done() {
    let (_, honest, _) = said(&["certify", MATE, "--out", "-"], "");
    let good = place("good.txt");
    std::fs::write(&good, &honest).expect("a file");
    for (name, text, complaint) in [
        (
            "illegal",
            honest.replacen("! a1a8", "! a1a9", 1),
            "plan for at least, first position: a1a9 is not legal",
        ),
        ("value", honest.replacen("value: 31999", "value: 31998", 1), "plan for at most"),
        ("cut", honest.lines().take(9).collect::<Vec<_>>().join("\n"), "ends here, but it is incomplete"),
        ("game", honest.replacen("game: chess", "game: draughts", 1), "unknown game; known games: chess"),
        ("values", honest.replacen("evaluation ", "evaluation 0", 1), "its values are"),
        ("position", honest.replacen("position: 6k1", "position: 6q1", 1), "position"),
        ("version", honest.replacen("certificate 2", "certificate 7", 1), "version `7` is not known"),
        ("empty", String::new(), "line 1: expected `cassius certificate 2`"),
    ] {
        let path = place(name);
        std::fs::write(&path, text).expect("a file");
        let (well, checked, complaints) = said(&["check", &path, &good], "");
        assert!(!well && complaints.contains(complaint), "{name}: {complaints}");
        assert!(checked.contains("won in 1 ply"), "{name}: {checked}");
    }
    let (well, _, complaints) = said(&["check", &place("nowhere")], "");
    assert!(!well && complaints.contains("nowhere"), "{complaints}");
}

/// Two plans that end at different places are refused, unless two bounds are wanted.
#[test]
fn two_bounds_are_accepted_if_they_are_wanted() {
    let path = place("bounds.txt");
    let text = "cassius certificate 2\ngame: tree\nposition: a:0(b:0(c:4(d:0)))\nvalues: the game's own\n\
                margin: 1\nsafety: 48 240\nvalue: 4\nat least, depth: 48\n! b\n? c\n. 4 48\n\
                at most, depth: 48\n? b\n! c\n? d\n. 0 48\nend\n";
    std::fs::write(&path, text).expect("a file");
    let (well, told, complaints) = said(&["check", &path], "");
    assert!(!well && told.is_empty(), "{told}");
    assert!(complaints.contains("both plans, after b c: ") && complaints.contains("they are two bounds"));
    let (well, told, complaints) = said(&["check", &path, "--bounds"], "");
    assert!(well && complaints.is_empty(), "{complaints}");
    assert!(told.contains("  two bounds, but no value: the plans do not meet in one leaf\n"), "{told}");
    assert!(told.contains("  at least +4 by a plan of the side to move, 0.20 moves deep; "), "{told}");
    assert!(told.contains("  at most +4 by a plan of the other side, 0.20 moves deep; "), "{told}");
    let (well, told, _) = said(&["check", &path, "--bounds", "--json"], "");
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert!(well && told["holds"] == true && told["at_most"]["depth"] == 48, "{told}");
}

/// The work limit is raised by the factor that is given.
#[test]
fn the_work_limit_is_raised() {
    // A plan of one move, after which queens capture each other without end.
    let text = bombs::bomb(30);
    let found: Certificate = text.parse().expect("it can be read");
    let most = 2 * Checking::customary(&found).work;
    let (well, _, complaints) = said(&["check", "-", "--work", "2"], &text);
    let expected = format!("the work limit of {most} positions and moves: --work 20 raises the limit");
    assert!(!well && complaints.contains(&expected), "{complaints}");
}

#[test]
fn what_cannot_be_certified_is_said() {
    for (arguments, complaint) in [
        (&["certify", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"][..], "the game is over in this position"),
        (&["certify", MATE, "--depth", "0"], "above 0"),
        (&["certify", "startpos", "--nodes", "1"], "allow more nodes or time"),
        (&["certify", MATE, "--set", "Abc.gamma=1"], "must be from 100"),
        (&["certify", MATE, "--set", "Abc.beta=1"], "Abc.gamma, Abc.branching"),
        (&["certify", MATE, "--out", "nowhere/at/all.txt"], "nowhere/at/all.txt"),
        (&["game", "certify", "tictactoe", "XXX OO. ..."], "the game is over in this position"),
    ] {
        let (well, _, complaints) = said(arguments, "");
        assert!(!well && complaints.contains(complaint), "{arguments:?}: {complaints}");
    }
}
