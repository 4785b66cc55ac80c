//! `cassius tree` as people and programs use it: the papers' figures, limits, and texts that are not
//! trees.

use crate::common::{assert_golden, run, transcript};
use serde_json::Value;
use std::path::PathBuf;

fn judged(arguments: &[&str]) -> Value {
    let output = run(&[&["tree", "--json"], arguments].concat(), "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// McAllester & Yuret 1993, §4 and §5, Figs. 1 to 3: "six leaf nodes in A[T] must conspire"; the
/// strategy alone falls to one. The uniform tree has six conspirators too, all at one level; those of
/// the strategy come from three.
#[test]
fn figures_1_to_3_have_the_papers_numbers() {
    let (one, two, three) = (judged(&["abc-1"]), judged(&["abc-2"]), judged(&["abc-3"]));
    assert_eq!(one["lower"]["conspirators"], 1);
    assert_eq!(two["max"]["strategies"][0]["conspirators"], 6);
    assert_eq!(two["max"]["strategies"][0]["conspiracy_depth"], 5);
    assert_eq!(two["lower"]["plies"], serde_json::json!({ "1": 1, "3": 2, "5": 3 }));
    assert_eq!(three["lower"]["conspirators"], 6);
    assert_eq!(three["lower"]["plies"], serde_json::json!({ "3": 6 }));
    assert_eq!(two["lower"]["conspirators"], 6);
    // The order of the failure polynomial is the number of conspirators (§3).
    assert_eq!([&one, &two, &three].map(|tree| &tree["max"]["failure"]["order"]), [1, 6, 6]);
}

/// §5 and §6, Fig. 4: eight conspirators each; every leaf at depth 7; the first child at 5 and 3; at
/// most five and three conspirators of one level; 1.8 and 2.2 with S(1), S(3), S(5) = 0.4, 0.9, 1.
#[test]
fn figure_4_has_the_papers_numbers() {
    for (name, first, level, adjusted) in [("abc-4-left", 5, 5, 1.8), ("abc-4-right", 3, 3, 2.2)] {
        let found = judged(&[name]);
        let best = &found["max"]["strategies"][0];
        assert_eq!(best["conspirators"], 8, "{name}");
        assert_eq!(best["conspiracy_depth"], 7);
        assert_eq!(best["adjusted_depth"], adjusted);
        let nodes = best["nodes"].as_array().expect("nodes");
        assert_eq!(nodes[1]["conspiracy_depth"], first);
        assert!(nodes.iter().filter(|node| node["leaf"] == true).all(|leaf| leaf["conspiracy_depth"] == 7));
        let levels = found["lower"]["plies"].as_object().expect("plies");
        assert_eq!(levels.values().map(|leaves| leaves.as_u64().expect("a number")).max(), Some(level));
        // Another S, number by number: S(1), S(3), S(5) = 1/2, 3/4, 7/8.
        let other = judged(&[name, "--safety", "0,0.5,0.5,0.75,0.75,0.875"]);
        let depth = if first == 5 { 0.875 + 0.5 + 0.5 } else { 0.75 + 0.75 + 0.5 };
        assert_eq!(other["max"]["strategies"][0]["adjusted_depth"], depth);
    }
}

#[test]
fn trees_are_judged_in_words() {
    assert_golden!("tree_text", transcript(&["tree", "A:0(B:1(E:0 F:1) C:0!)", "--samples", "1000"], ""));
    assert_golden!(
        "tree_figure",
        transcript(&["tree", "abc-2", "--strategies", "2", "--samples", "1000", "--safety", "half"], "")
    );
    assert_golden!(
        "tree_input",
        transcript(
            &["tree", "-", "--target", "-3,2", "--delta", "2", "--strategies", "1", "--samples", "1000"],
            "root:1(a:-2(x:1! x:3!)\n b:4(-1! 1))"
        )
    );
}

#[test]
fn what_is_no_tree_is_named() {
    let bad = |arguments: &[&str], input: &str| transcript(&[&["tree"], arguments].concat(), input);
    let all = [
        bad(&["omelette"], ""),
        bad(&["A:0(B:1 C)"], ""),
        bad(&["-"], "0(0\n (0)))"),
        bad(&["-"], ""),
        bad(&["0(1 2)", "--safety", "0,0.5,0.4"], ""),
        bad(&["0(1 2)", "--safety", "eggs"], ""),
        bad(&["0(1 2)", "--epsilon", "0.6"], ""),
        bad(&["0(1 2)", "--delta", "0"], ""),
        bad(&["0(1 2)", "--svg", "/no/such/place/tree.svg"], ""),
    ];
    assert_golden!("tree_refusals", all.concat());
}

/// Returns a full tree of the given number of moves and plies.
fn uniform(width: usize, plies: usize) -> String {
    match plies {
        0 => "0".into(),
        _ => format!("0({})", vec![uniform(width, plies - 1); width].join(" ")),
    }
}

/// The number of strategies grows exponentially with the tree: they are counted, not listed. A tree that
/// is too large is reported.
#[test]
fn large_trees_have_limits() {
    // 2^1 · 2^(2·…): with two moves and n plies, m strategies become 2m² every two plies.
    let found = judged(&[&uniform(2, 6), "--strategies", "3", "--samples", "100"]);
    assert_eq!(found["max"]["count"], 2 * 8 * 8);
    assert_eq!(found["max"]["strategies"].as_array().map(Vec::len), Some(3));
    let found = judged(&[&uniform(2, 11), "--strategies", "2", "--samples", "100"]);
    assert_eq!(found["nodes"], 4095);
    assert_eq!(found["lower"]["conspirators"], 64);
    assert_eq!(found["max"]["count"].to_string(), (1u128 << 63).to_string());
    assert_eq!(found["max"]["failure"]["polynomial"], Value::Null);
    let notes = found["notes"].to_string();
    assert!(notes.contains("2 of them listed") && notes.contains("no polynomial"), "{notes}");
    let said = transcript(&["tree", "-"], &uniform(10, 4));
    assert!(said.contains("error: the tree has 11111 nodes; at most 10000 are allowed"), "{said}");
    let said = transcript(&["tree", "-", "--svg", "/tmp/never.svg"], &uniform(2, 8));
    assert!(said.contains("error: the tree has 511 nodes; a picture has at most 400"), "{said}");
    let said = transcript(&["tree", "-", "--samples", "1M"], &uniform(2, 8));
    assert!(said.contains("exit code: 2"), "{said}");
    let said = transcript(&["tree", "-", "--samples", "1000000"], &uniform(2, 8));
    assert!(
        said.contains("error: --samples 1000000: at most 391389 are allowed for a tree of 511 nodes"),
        "{said}"
    );
    // Deep trees need no stack, and wide ones little time.
    let deep = format!("{}0{}", "0(".repeat(9_999), ")".repeat(9_999));
    let found = judged_input(&deep, &["--samples", "10", "--strategies", "1"]);
    assert_eq!((&found["nodes"], &found["lower"]["conspirators"]), (&10_000.into(), &1.into()));
    let wide = format!("0({})", (1..10_000).map(|value| value.to_string()).collect::<Vec<_>>().join(" "));
    let found = judged_input(&wide, &["--samples", "10", "--strategies", "1"]);
    assert_eq!((&found["value"], &found["max"]["count"]), (&9_999.into(), &9_999.into()));
}

fn judged_input(tree: &str, arguments: &[&str]) -> Value {
    let output = run(&[&["tree", "-", "--json"], arguments].concat(), tree);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// The picture has every node, whatever its label, and its tags are well formed.
#[test]
fn a_page_is_drawn() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("tree.svg").display().to_string();
    for tree in ["abc-4-left", "A<&\">:0(\u{1b}[31m:1(E:0! F:1) C:0)", "7", "cns-growth"] {
        let found = judged(&[tree, "--svg", &path, "--samples", "100"]);
        let svg = std::fs::read_to_string(&path).expect("a page");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains('\u{1b}'));
        let shapes = svg.matches("<circle").count() + svg.matches("<rect").count();
        assert!(shapes as u64 > found["nodes"].as_u64().expect("a number"), "{tree}");
        assert!(!svg.contains("A<&") && svg.matches("<text").count() == svg.matches("</text>").count());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
    // The tree's own file is not overwritten.
    let figure = folder.join("figure.txt").display().to_string();
    std::fs::write(&figure, "0(1 2)").expect("a file");
    let said = transcript(&["tree", &figure, "--svg", &figure], "");
    assert!(said.contains("would be overwritten") && said.ends_with("exit code: 1\n"), "{said}");
}

/// The coefficients of its polynomial cancel, which must not reach the probability.
#[test]
fn large_trees_have_right_probabilities() {
    let tree = format!("0(0({}))", ["0"; 100].join(" "));
    let report = judged(&[&tree, "--epsilon", "0.5", "--samples", "10"]);
    assert_eq!(report["max"]["failure"]["probability"], 1.0);
    let held = report["min"]["failure"]["probability"].as_f64().expect("a number");
    assert!((held - 0.5_f64.powi(100)).abs() < 1e-40, "{held}");
}

/// A label that looks like the place of another node is no name.
#[test]
fn names_are_those_of_one_node() {
    let report = judged(&["A:0(0 1:0)"]).to_string();
    assert!(report.contains("\"1\"") && report.contains("\"2\""), "{report}");
}
