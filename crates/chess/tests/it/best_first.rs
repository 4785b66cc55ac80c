//! Tests the best-first recipes in the engine.

use cassius_chess::{Engine, Move, Position};
use cassius_search::best_first::{Grown, NodeId};
use cassius_search::{Nodes, Request, Score};
use std::collections::HashSet;

const RECIPES: [&str; 3] = ["cns", "ccns", "cns-value"];
/// A position in which pieces reach a square by more than one way, and one in which the choice is soon
/// decided.
const POSITIONS: [&str; 2] = ["5rk1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"];

fn engine(recipe: &str, depth: i32, threads: usize) -> Engine {
    let mut engine = Engine::new(recipe, 4, threads).expect("a recipe");
    engine.set_parameter("LeafSearch.depth", depth).expect("a parameter");
    engine
}

/// The observable part of a node: its move, and its range for every number of conspirators up to eight.
type Seen = (Option<Move>, [(Score, Score); 9]);

/// Returns all nodes of a tree, a node before its children. Shared nodes appear once.
fn seen(tree: &dyn Grown<Move>) -> Vec<Seen> {
    let mut nodes = vec![NodeId::ROOT];
    let mut known = HashSet::new();
    let mut next = 0;
    while let Some(&node) = nodes.get(next) {
        nodes.extend(tree.children(node).into_iter().filter(|child| known.insert(*child)));
        next += 1;
    }
    let ranges = |node| std::array::from_fn(|conspirators| tree.range(node, conspirators));
    nodes.into_iter().map(|node| (tree.mv(node), ranges(node))).collect()
}

/// Returns the trees that an engine grows with this many nodes.
fn trees(engine: &mut Engine, nodes: u64) -> Vec<Seen> {
    let mut all = Vec::new();
    for position in POSITIONS {
        let position: Position = position.parse().expect("a position");
        engine.forget();
        let answer = engine.search(&Request::new(&position, &Nodes(nodes)), &mut |_| {});
        assert!(answer.best().is_some());
        all.extend(seen(engine.tree().expect("the recipe keeps its tree")));
    }
    all
}

#[test]
fn every_parameter_changes_the_tree() {
    for recipe in RECIPES {
        let mut engine = engine(recipe, 0, 1);
        let grown = trees(&mut engine, 4_000);
        for (parameter, value) in engine.parameters() {
            let name = parameter.full_name();
            let changes = [parameter.min, parameter.max, parameter.min + 1].into_iter().any(|other| {
                let other = if name == "LeafSearch.depth" { 1 } else { other };
                engine.set_parameter(&name, other).expect("a value");
                trees(&mut engine, 4_000) != grown
            });
            assert!(changes, "{recipe}: {name}");
            engine.set_parameter(&name, value).expect("its value");
        }
        assert!(trees(&mut engine, 4_000) == grown, "{recipe}: as before");
    }
}

/// The tree does not depend on the number of threads that grow it. A search of leaves on one thread
/// starts afresh each time, so that it is reproducible too.
#[test]
fn trees_are_the_same_again() {
    let mut alone = engine("ccns", 0, 1);
    let mut together = engine("ccns", 0, 3);
    for window in [0, 60] {
        for engine in [&mut alone, &mut together] {
            engine.set_parameter("ControlledConspiracy.window", window).expect("a parameter");
        }
        assert!(trees(&mut alone, 6_000) == trees(&mut together, 6_000), "window {window}");
    }
    let mut searched = engine("ccns", 3, 1);
    assert!(trees(&mut searched, 500) == trees(&mut searched, 500));
}

/// Where there is no time to search the leaves, the static assessment still gives a move.
#[test]
fn there_is_always_a_move() {
    for recipe in RECIPES {
        let position: Position = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1".parse().expect("a position");
        let mut engine = engine(recipe, 30, 1);
        let answer = engine.search(&Request::new(&position, &Nodes(0)), &mut |_| {});
        assert_eq!(answer.best().expect("a move").to_string(), "a1a8", "{recipe}");
    }
}

/// A sole legal move is searched for its value too.
#[test]
fn the_sole_move_is_looked_into() {
    let position: Position = "r3k2r/ppp2ppp/8/8/8/8/PPP1qPPP/R3K2R w kq - 0 1".parse().expect("a position");
    for recipe in RECIPES {
        let answer = engine(recipe, 0, 1).search(&Request::new(&position, &Nodes(3_000)), &mut |_| {});
        assert!(answer.nodes > 2_000, "{recipe}: {}", answer.nodes);
        let range = answer.lines[0].range.expect("a range");
        assert!(range.0.0 > -3_000 && range.1.0 < 3_000, "{recipe}: {range:?}");
    }
}

/// The tree gets all the memory, except where leaves are searched.
#[test]
fn a_search_of_leaves_has_its_table() {
    let capacity = |engine: &mut Engine, depth: i32| {
        engine.set_parameter("LeafSearch.depth", depth).expect("a parameter");
        engine.search(&Request::new(&Position::default(), &Nodes(100)), &mut |_| {});
        engine.tree().expect("the recipe keeps its tree").capacity()
    };
    for recipe in RECIPES {
        let mut engine = Engine::new(recipe, 8, 1).expect("a recipe");
        let (all, part) = (capacity(&mut engine, 0), capacity(&mut engine, 2));
        assert!((all * 3 / 4).abs_diff(part) <= 1, "{recipe}: {all} {part}");
        assert_eq!(capacity(&mut engine, 0), all, "{recipe}");
    }
}

/// Trees with sequences of different lengths agree on the numbers of conspirators that both distinguish.
/// A threshold above the shortest length selects longer sequences.
#[test]
fn sequences_are_as_long_as_the_threshold_asks() {
    for (recipe, growth) in
        RECIPES.into_iter().zip(["BestSuccessor", "ControlledConspiracy", "ConspiracyNumbers"])
    {
        let threshold = &format!("{growth}.threshold");
        let position: Position = POSITIONS[1].parse().expect("a position");
        let mut engine = engine(recipe, 0, 1);
        let mut grown = |threshold: Option<i32>, nodes: u64| {
            if let Some(value) = threshold {
                engine.set_parameter(&format!("{growth}.threshold"), value).expect("a threshold");
            }
            let answer = engine.search(&Request::new(&position, &Nodes(nodes)), &mut |_| {});
            let tree = engine.tree().expect("the recipe keeps its tree");
            (tree.node_bytes(), tree.most(), answer.lines[0].iteration, seen(tree))
        };
        let (bytes, most, conspirators, short) = grown(None, 300);
        assert_eq!((bytes, most), (52, 8), "{threshold}");
        assert!(conspirators < 8, "{threshold}: the choice of a leaf does not depend on the length yet");
        for (value, bytes) in [(9, 148), (32, 148), (33, 420), (100, 420), (8, 52)] {
            let (found, _, _, longer) = grown(Some(value), 300);
            assert_eq!(found, bytes, "{threshold}={value}");
            assert!(longer == short, "{threshold}={value}");
        }
        let (_, _, conspirators, tree) = grown(Some(1), 100_000);
        assert_eq!(conspirators, 1, "{threshold}=1");
        let (_, _, conspirators, larger) = grown(Some(12), 4 * tree.len() as u64);
        assert!(conspirators > 1 && larger.len() > tree.len(), "{threshold}=12");
    }
}

/// Each recipe finds a mate in one, on one thread, and has no move where there is none.
#[test]
fn relatives_of_conspiracy_numbers_find_mates() {
    let mate = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"; // mate in one
    let stalemate = "7k/5Q2/8/8/8/8/8/7K b - - 0 1";
    for recipe in ["pns", "b-star", "sss-star", "dual-star"] {
        let mut engine = Engine::new(recipe, 4, 2).expect("a recipe");
        assert_eq!(engine.threads(), 1, "{recipe}");
        let position: Position = mate.parse().expect("a position");
        let answer = engine.search(&Request::new(&position, &Nodes(50_000)).to_iteration(2), &mut |_| {});
        assert_eq!(answer.best().expect("a move").to_string(), "a1a8", "{recipe}");
        let score = answer.score().expect("a value");
        assert!(
            if recipe == "pns" { score == Score::KNOWN_WIN } else { score == Score::win_in(1) },
            "{recipe}: {score:?}"
        );
        assert!(answer.complete, "{recipe}");
        let over: Position = stalemate.parse().expect("a position");
        assert!(engine.search(&Request::new(&over, &Nodes(100)), &mut |_| {}).best().is_none(), "{recipe}");
    }
}

/// An interval of B* is as wide as its margin, and its lower end is the value of a pass.
#[test]
fn intervals_come_from_margins_and_threats() {
    let position: Position = POSITIONS[0].parse().expect("a position");
    let width = |margin: i32, threat: i32| {
        let mut engine = Engine::new("b-star", 4, 1).expect("a recipe");
        engine.set_parameter("LeafMargin.margin", margin).expect("a margin");
        engine.set_parameter("LeafThreat.on", threat).expect("a switch");
        engine.search(&Request::new(&position, &Nodes(0)), &mut |_| {});
        let tree = engine.tree().expect("the recipe keeps its tree");
        let widths = tree.children(NodeId::ROOT).into_iter().map(|child| {
            let (least, greatest) = tree.range(child, 0);
            (greatest - least).0
        });
        widths.max().expect("moves")
    };
    assert_eq!(width(0, 0), 0);
    assert_eq!(width(30, 0), 60);
    assert!(width(30, 1) > 60, "a pass loses a rook here and there");
}
