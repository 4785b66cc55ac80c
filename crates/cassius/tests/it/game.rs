//! `cassius game` as users run it: games other than chess, and the recipes that they do not support.

use crate::common::{assert_golden, run, transcript};
use std::path::PathBuf;

fn search(arguments: &[&str]) -> serde_json::Value {
    let all: Vec<&str> = ["game", "search"].iter().chain(arguments).chain(&["--json"]).copied().collect();
    let output = run(&all, "");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one object")
}

#[test]
fn games_are_listed() {
    assert_golden!("game_list", transcript(&["game", "list"], ""));
    let all = String::from_utf8(run(&["game", "list", "--json"], "").stdout).expect("text");
    assert!(all.lines().count() > 5, "{all}");
    for line in all.lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("one object a line");
        assert!(game["recipes"].as_array().is_some_and(|recipes| recipes.len() > 10), "{line}");
    }
}

#[test]
fn games_are_searched() {
    for (name, arguments) in [
        ("game_connect4", &["connect4", "4455", "--depth", "6"][..]),
        ("game_othello", &["othello", "f5d6c3", "--depth", "4"]),
        ("game_othello_pass", &["othello", "d3c3b3b2f5a3a1c1", "--depth", "2", "--recipe", "abc"]),
        ("game_beginning", &["tictactoe", "--depth", "2"]),
        ("game_tictactoe", &["tictactoe", "X.. .O. ..X", "--lines", "2", "--depth", "7"]),
        ("game_tree", &["tree", "A:0(B:1(E:0 F:1) C:0)", "--depth", "2", "--recipe", "alphabeta"]),
        ("game_random_tree", &["random-tree", "1,3,4", "--recipe", "abc", "--depth", "4"]),
        ("game_tictactoe_moves", &["tictactoe", "12475", "--depth", "3", "--recipe", "bare"]),
        ("game_pns", &["connect4", "444", "--recipe", "pns", "--nodes", "500"]),
        ("game_pns_won", &["connect4", "4455", "--recipe", "pns", "--lines", "2"]),
        ("game_df_pn", &["tictactoe", "X.. .O. ..X", "--recipe", "df-pn", "--lines", "4"]),
        ("game_sss_star", &["tictactoe", "X.. .O. ..X", "--recipe", "sss-star", "--lines", "2"]),
        ("game_uct", &["hex", "3 swap b2", "--recipe", "uct", "--lines", "2"]),
        ("game_puct", &["hex", "5", "--recipe", "puct", "--nodes", "2k", "--hash", "1"]),
        ("game_full", &["connect4", "4", "--recipe", "dual-star", "--hash", "1"]),
        ("game_finished", &["tictactoe", "XXX OO. ..."]),
    ] {
        let all: Vec<&str> = ["game", "search"].iter().chain(arguments).copied().collect();
        assert_golden!(name, transcript(&all, ""));
    }
}

/// B* has the bounds that the game provides: it reports the value, or its known bounds.
#[test]
fn b_star_shows_bounds() {
    let said = |arguments: &[&str]| {
        transcript(&[&["game", "search"][..], arguments, &["--recipe", "b-star"]].concat(), "")
    };
    let won = said(&["connect4", "4455"]);
    assert!(won.contains("won in 3 plies") && won.contains("exact value"), "{won}");
    let open = said(&["connect4", "4", "--nodes", "2k"]);
    assert!(open.contains(" plies to won in ") && open.contains("proven bounds"), "{open}");
}

/// Forced moves add nothing to the depth of `abc-paper`. Only the maximum ply ends a line of them, and
/// this is reported.
#[test]
fn lines_that_are_cut_off_are_counted() {
    let tree = format!("{}0{}", "0(".repeat(250), ")".repeat(250));
    let arguments = ["tree", &tree, "--recipe", "abc-paper", "--depth", "2"];
    assert_eq!(search(&arguments)["lines_cut_off"], 2);
    let output = run(&[&["game", "search"][..], &arguments].concat(), "");
    assert!(String::from_utf8_lossy(&output.stdout).contains(", 2 lines cut off at ply 200"), "{output:?}");
    let short = search(&["tree", "0(0(0))", "--recipe", "abc-paper", "--depth", "2"]);
    assert_eq!(short.get("lines_cut_off"), None);
}

#[test]
fn values_are_the_known_ones() {
    let draw = search(&["tictactoe"]);
    assert_eq!((&draw["lines"][0]["value"], &draw["recipe"]), (&0.into(), &"pvs".into()));
    // Three in a row with both ends open, as columns and as a board.
    let board = ".......\n.......\n.......\n.......\n...OO..\n...XX..";
    for recipe in ["pvs", "bare-coupled", "lab", "sex"] {
        for position in ["4455", board] {
            let won = search(&["connect4", position, "--recipe", recipe, "--nodes", "30k"]);
            assert_eq!(won["lines"][0]["won_in_plies"], 3, "{recipe}");
        }
    }
    // The end of the shortest game, which leaves O without discs, as moves and as a board.
    let board = "--------\n--------\n----X---\n---OXX--\n---OOOX-\n---OXX--\n----X---\n--------\nX";
    for position in ["e6f4e3f6g5d6e7f5", board] {
        let won = search(&["othello", position, "--depth", "1"]);
        assert_eq!((&won["lines"][0]["value"], &won["lines"][0]["moves"][0]), (&6_400.into(), &"c5".into()));
    }
    // The centre of three rows wins, and whoever may swap takes it.
    for (position, won) in
        [("3", true), ("3 b2", false), ("3 swap b2", true), (". . .\n . X .\n  . . .", false)]
    {
        let result = if won { "won_in_plies" } else { "lost_in_plies" };
        assert!(search(&["hex", position])["lines"][0][result].is_number(), "{position}");
        let proven = search(&["hex", position, "--recipe", "uct"]);
        assert_eq!(proven["lines"][0]["proven"], if won { "won" } else { "lost" });
    }
    let scout = search(&["random-tree", "5,4,5", "--depth", "5", "--recipe", "scout"]);
    let pvs = search(&["random-tree", "5,4,5", "--depth", "5"]);
    assert_eq!(scout["lines"][0]["value"], pvs["lines"][0]["value"]);
}

/// A game has no state from earlier searches: a repeated search is the same, node for node.
#[test]
fn a_search_repeats_itself() {
    let strip = |mut found: serde_json::Value| {
        found["time_ms"] = 0.into();
        found
    };
    let arguments = ["random-game", "7,4,cycles=9", "--recipe", "kaindl", "--nodes", "10k"];
    let found = strip(search(&arguments));
    assert_eq!(found, strip(search(&arguments)));
    assert_eq!(found["nodes"], 10_000);
}

#[test]
fn switches_reach_the_search() {
    let nodes = |more: &[&str]| {
        let all: Vec<&str> =
            ["connect4", "44", "--recipe", "lab", "--depth", "8"].iter().chain(more).copied().collect();
        search(&all)["nodes"].as_u64().expect("a number")
    };
    let usual = nodes(&[]);
    for more in
        [["--without", "NullMove,Razoring"], ["--with", "checkreplies"], ["--set", "NullMove.reduction=100"]]
    {
        assert_ne!(nodes(&more), usual, "{more:?}");
    }
}

#[test]
fn positions_come_from_files_and_standard_input() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("figure.txt");
    std::fs::write(&path, "A:0(\n  B:1(E:0 F:1)\n  C:0)\n").expect("a file");
    let name = path.display().to_string();
    assert_eq!(search(&["tree", &name, "--depth", "1"])["lines"][0]["moves"][0], "B");
    std::fs::write(&path, "A:0(\n  B:1(E:0 F:x)\n  C:0)\n").expect("a file");
    let output = run(&["game", "search", "tree", &name], "");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        complaint,
        format!("error: {name}: line 2, column 11: expected a node: label:value, or value\n")
    );
    let output = run(&["game", "search", "tictactoe", "-", "--json"], "X..\n.O.\n..X\n");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_a_game_lacks_is_said_in_one_line() {
    let said = [
        &["connect4", "--recipe", "kaindl"][..],
        &["random-tree", "1,5,6", "--recipe", "lab"],
        &["random-tree", "1,5,6", "--with", "NullMove"],
        &["tree", "0(1 2)", "--with", "killers,history"],
        &["connect4", "--recipe", "lab", "--with", "HungMoves"],
        &["connect4", "--recipe", "omelette"],
        &["tictactoe", "--with", "Eggs", "--recipe", "alphabeta"],
        &["connect4", "--with", "NullMove"],
        &["connect4", "--recipe", "lab", "--with", "nullmove,KBest", "--without", "NullMove"],
        &["tictactoe", "--set", "KBest.on=7"],
        &["connect4", "448"],
        &["othello", "f5f5"],
        &["hex", "a1a1"],
        &["othello", "--recipe", "lab"],
        &["othello", "--recipe", "df-pn"],
        &["random-tree", "1,5,6", "--recipe", "df-pn"],
        &["othello", "--recipe", "cns", "--with", "LeafThreat"],
        &["tictactoe", "11"],
        &["tictactoe", "XX......."],
        &["random-tree", "1,5"],
        &["random-game", "1,5,rings=3"],
        &["random-tree"],
        &["tree", "no-such-file.txt"],
        &["tree", "A:0(B:1"],
        &["ludo"],
    ]
    .map(|arguments| {
        let all: Vec<&str> = ["game", "search"].iter().chain(arguments).copied().collect();
        let output = run(&all, "");
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        transcript(&all, "")
    });
    assert_golden!("game_refusals", said.concat());
}
