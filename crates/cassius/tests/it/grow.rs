//! `cassius grow` and the best-first recipes as people and programs use them.

use crate::common::{Engine, assert_golden, run, transcript};
use serde_json::Value;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
/// Kaindl 1983, Fig. 1.
const ROOK: &str = "R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1";

#[test]
fn a_tree_can_be_looked_at() {
    assert_golden!(
        "grow_text",
        transcript(&["grow", ROOK, "--recipe", "cns", "--nodes", "400", "--plies", "4"], "")
    );
    assert_golden!(
        "grow_leaves",
        transcript(
            &[
                "grow", BACK_RANK, "--recipe", "ccns", "--nodes", "30", "--plies", "1", "--leaves",
                "--margin", "900"
            ],
            ""
        )
    );
    // The default recipe keeps its tree; recipes that do not are refused.
    let of = |recipe: &[&str]| run(&[&["grow", BACK_RANK, "--nodes", "60"], recipe].concat(), "").stdout;
    assert_eq!(of(&[]), of(&["--recipe", "cns"]));
    let said = transcript(&["grow", BACK_RANK, "--recipe", "plies"], "");
    assert!(
        said.contains("[possible values: cns, ccns, cns-value, pns, b-star]")
            && said.ends_with("exit code: 2\n"),
        "{said}"
    );
}

#[test]
fn programs_and_pictures_have_the_same_tree() {
    let of = |format: &str| {
        let arguments = ["grow", ROOK, "--recipe", "cns-value", "--nodes", "200", "--format", format];
        String::from_utf8(run(&arguments, "").stdout).expect("text")
    };
    fn count(node: &Value) -> usize {
        1 + node["children"].as_array().expect("children").iter().map(count).sum::<usize>()
    }
    let json: Value = serde_json::from_str(&of("json")).expect("JSON");
    let nodes = count(&json["root"]);
    assert!(nodes > 1 && json["nodes"].as_u64() > Some(100), "{json}");
    assert_eq!(of("text").lines().count(), 1 + nodes, "a heading, and nodes");
    assert_eq!(
        of("dot").matches("label=").count(),
        2 * nodes,
        "a heading, nodes, and moves that lead to them"
    );
    let svg = of("svg");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<circle").count(), nodes);
}

/// The settings of leaves, margins and threats, change the tree.
#[test]
fn leaves_have_margins_and_threats() {
    let tree = |set: &[&str]| {
        let plain = ["grow", ROOK, "--recipe", "cns", "--nodes", "400", "--leaves", "--plies", "1"];
        let output = run(&plain.iter().chain(set).copied().collect::<Vec<_>>(), "");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let plain = tree(&[]);
    for set in ["LeafMargin.margin=30", "LeafThreat.on=1"] {
        assert_ne!(tree(&["--set", set]), plain, "{set}");
    }
    assert_eq!(tree(&["--set", "LeafMargin.margin=0"]), plain);
}

#[test]
fn best_first_recipes_play() {
    for recipe in ["cns", "ccns", "cns-value"] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Recipe value {recipe}"));
        engine.send("setoption name Hash value 1");
        engine.send(&format!("position fen {BACK_RANK}"));
        // A result found before the first report is reported at the end.
        let line = engine.ask("go depth 2", "info depth");
        assert!(line.contains(" score mate 1 ") && line.contains(" pv a1a8"), "{recipe}: {line}");
        engine.until("bestmove a1a8");
        let best = engine.ask("go nodes 3000", "bestmove");
        assert!(best.starts_with("bestmove a1a8"), "{recipe}: {best}");
        // A tree whose leaves are searched is full late.
        engine.send("setoption name LeafSearch.depth value 0");
        engine.send("position startpos");
        // Without a limit the search ends when the tree is full, and reports this.
        let full = engine.ask("go depth 8", "info string the tree is full");
        assert!(full.contains("Hash"), "{recipe}: {full}");
    }
    let said = transcript(&["analyse", BACK_RANK, "--recipe", "cns", "--nodes", "2k", "--json"], "");
    assert!(said.contains("\"conspirators\":") && !said.contains("white_plan_plies"), "{said}");
}

/// The relatives of conspiracy numbers: each plays the mate, and two prove it.
#[test]
fn their_relatives_play() {
    for recipe in ["pns", "b-star", "sss-star", "dual-star"] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Recipe value {recipe}"));
        engine.send("setoption name Hash value 1");
        engine.send(&format!("position fen {BACK_RANK}"));
        let best = engine.ask("go nodes 3000", "bestmove");
        assert!(best.starts_with("bestmove a1a8"), "{recipe}: {best}");
        engine.send("position startpos");
        engine.ask("go movetime 50", "bestmove");
    }
    // Their trees can be displayed, with proofs or intervals. They have no counts of leaves.
    let grown = |recipe| transcript(&["grow", BACK_RANK, "--recipe", recipe, "--leaves", "--plies", "1"], "");
    let (proofs, intervals) = (grown("pns"), grown("b-star"));
    assert!(proofs.contains("leaves that prove a loss or a win") && proofs.contains(" ↓∞ ↑0"), "{proofs}");
    assert!(intervals.contains("[bounds on the value]") && !intervals.contains('↑'), "{intervals}");
    let said = |recipe| transcript(&["analyse", BACK_RANK, "--recipe", recipe, "--nodes", "3k"], "");
    assert!(said("pns").contains("exact value"), "{}", said("pns"));
}
