//! `cassius certify` and `cassius check` as people run them.

mod common;

use common::{assert_golden, run, transcript};
use std::path::PathBuf;

const MATE: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const ROOKS: &str = "R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1";

/// A place for a file of this name.
fn place(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("certificates");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name).display().to_string()
}

/// What the program says to these arguments; whether it is content, and its complaints.
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
    // At a limit of nodes the same, always.
    let again = |nodes| said(&["certify", ROOKS, "--depth", "2", "--nodes", nodes, "--out", "-"], "").1;
    assert_eq!(again("2k"), again("2k"));
}

#[test]
fn other_games_too() {
    for (game, position) in [
        ("connect4", "4455"),
        ("tictactoe", "519"),
        ("random-tree", "1,3,5"),
        ("random-game", "7,4,cycles=9"),
        ("tree", "A:0(B:1(E:0 F:1) C:0)"),
    ] {
        let path = place(&format!("{game}.txt"));
        let (well, told, complaints) = said(&["game", "certify", game, position, "--out", &path], "");
        assert!(well, "{game}: {complaints}");
        let (picture, dot) = (place(&format!("{game}.dot")), "--dot");
        let (well, checked, complaints) = said(&["check", &path, dot, &picture], "");
        assert!(well && told.starts_with(&checked), "{game}: {complaints}");
        let picture = std::fs::read_to_string(picture).expect("a picture");
        assert!(picture.starts_with("digraph") && picture.contains("cluster_most"), "{picture}");
    }
}

/// What is told about a certificate that can be read beside its tree.
#[test]
fn what_is_told() {
    let tree = "A:0(B:1(D:1(H:1 I:3) E:2(J:2 K:0)) C:1(F:1(L:0 M:1) G:5(N:1 O:4)))";
    let (_, text, _) = said(&["game", "certify", "tree", tree, "--out", "-"], "");
    assert_golden!("certificate_tree", text);
    assert_golden!("check_tree", transcript(&["check", "-"], &text));
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
        ("cut", honest.lines().take(9).collect::<Vec<_>>().join("\n"), "ends here, before its end"),
        ("game", honest.replacen("game: chess", "game: draughts", 1), "not a game that is known here"),
        ("values", honest.replacen("evaluation ", "evaluation 0", 1), "its values are"),
        ("position", honest.replacen("position: 6k1", "position: 6q1", 1), "position"),
        ("version", honest.replacen("certificate 1", "certificate 7", 1), "version `7` is not known"),
        ("empty", String::new(), "line 1: expected `cassius certificate 1`"),
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

#[test]
fn what_cannot_be_certified_is_said() {
    for (arguments, complaint) in [
        (&["certify", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"][..], "the game is over here"),
        (&["certify", MATE, "--depth", "0"], "above 0"),
        (&["certify", "startpos", "--nodes", "1"], "allow more nodes or time"),
        (&["certify", MATE, "--set", "Abc.gamma=1"], "must be from 100"),
        (&["certify", MATE, "--set", "Abc.beta=1"], "Abc.gamma, Abc.branching"),
        (&["certify", MATE, "--out", "nowhere/at/all.txt"], "nowhere/at/all.txt"),
        (&["game", "certify", "tictactoe", "XXX OO. ..."], "the game is over here"),
    ] {
        let (well, _, complaints) = said(arguments, "");
        assert!(!well && complaints.contains(complaint), "{arguments:?}: {complaints}");
    }
}
