//! Tests every recipe, and every component that can be switched, on real positions.

use cassius_chess::tablebase::Tablebases;
use cassius_chess::{Engine, EngineError, Position, RECIPES};
use cassius_search::alpha_beta::recipes::presets::NOTHING_SELECTIVE;
use cassius_search::{Nodes, Request, Unlimited};

/// Every move of Black is forced here, and White can keep checking and threatening: careless extensions
/// never terminate.
const EXPLOSIVE: &str = "8/Pk6/8/1p6/8/P1K5/8/6B1 w - - 37 130";

/// Whether an engine completes this many iterations, or fills its memory, within 100,000 nodes.
fn ends(engine: &mut Engine, iterations: usize) -> bool {
    let position: Position = EXPLOSIVE.parse().expect("a position");
    let request = Request::new(&position, &Nodes(100_000)).to_iteration(iterations);
    let answer = engine.search(&request, &mut |_| {});
    answer.complete || answer.full
}

#[test]
fn forced_lines_end_under_every_depth_rule() {
    for recipe in RECIPES {
        let mut engine = Engine::new(recipe.name, 1, 1).expect("a recipe");
        if recipe.name == "abc-paper" {
            // Only its limits end the search.
            assert!(!ends(&mut engine, 6));
        } else if recipe.name.contains("abc") {
            assert!(ends(&mut engine, 3), "{}", recipe.name);
            // With the printed S forced moves are free. If nothing else ends a line, the second
            // iteration reaches the maximum ply.
            engine.set_parameter("Abc.floor", 0).expect("a parameter");
            assert!(ends(&mut engine, 2), "{} as printed, lines with an end", recipe.name);
            engine.set_parameter("Abc.longest", 0).expect("a parameter");
            engine.forget();
            assert!(ends(&mut engine, 1) && !ends(&mut engine, 2), "{} as printed", recipe.name);
        } else {
            assert!(ends(&mut engine, 6), "{}", recipe.name);
        }
    }
    for discount in [
        "CheckReplies",
        "UncountedChecks",
        "Interest",
        "ExtendHorizon",
        "Complicated",
        "EvaluatorAsks",
        "NearPv",
    ] {
        for recipe in ["plies", "coupled", "sex", "dual-credit", "likelihood"] {
            let mut engine = Engine::new(recipe, 1, 1).expect("a recipe");
            engine.switch(discount, true).expect("a component");
            assert!(ends(&mut engine, 4), "{recipe} with {discount}");
        }
    }
}

/// A switched component has an effect: somewhere the tree differs.
#[test]
fn every_switch_changes_the_tree() {
    let positions = [
        EXPLOSIVE,
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    let tree = |engine: &mut Engine, position: &str| {
        engine.forget();
        let position: Position = position.parse().expect("a position");
        let request = Request::new(&position, &Nodes(60_000)).to_iteration(10);
        let answer = engine.search(&request, &mut |_| {});
        (answer.nodes, format!("{:?}", answer.lines))
    };
    for recipe in ["lab", "kaindl"] {
        let mut engine = Engine::new(recipe, 1, 1).expect("a recipe");
        let usual = positions.map(|position| (position, tree(&mut engine, position)));
        let components = Engine::new(recipe, 1, 1).expect("a recipe").components();
        assert!(components.iter().any(|(_, on)| *on) && components.iter().any(|(_, on)| !*on));
        // A preset of the laboratory is tested for what it switches on; everything else is tested in the
        // laboratory.
        let presets = Engine::new(recipe, 1, 1).expect("a recipe").recipe().presets;
        let switches_on = |component: &str| {
            presets.iter().copied().flatten().any(|preset| *preset == (&*format!("{component}.on"), 1))
        };
        let asked = |(component, _): &(&str, bool)| recipe == "lab" || switches_on(component);
        for (component, on) in components.into_iter().filter(asked) {
            let mut engine = Engine::new(recipe, 1, 1).expect("a recipe");
            engine.switch(component, !on).expect("a switch");
            let changes = usual.iter().any(|(position, usual)| tree(&mut engine, position) != *usual);
            assert!(changes, "{recipe}: {component} changes nothing");
        }
    }
}

/// A recipe uses its presets and reports them. Explicit settings override them, with any number of
/// threads.
#[test]
fn presets_are_set() {
    for recipe in RECIPES {
        let mut engine = Engine::new(recipe.name, 1, 2).expect("a recipe");
        let parameters = engine.parameters();
        for (name, value) in recipe.presets.iter().copied().flatten() {
            let has = parameters.iter().find(|(parameter, _)| parameter.full_name() == *name);
            assert_eq!(has.map(|(_, value)| *value), Some(*value), "{}: {name}", recipe.name);
        }
    }
    let mut engine = Engine::new("kaindl", 1, 1).expect("a recipe");
    engine.switch("HungMoves", false).expect("a component");
    engine.set_threads(2);
    assert!(engine.components().contains(&("HungMoves", false)));
    assert!(engine.components().contains(&("KillerMoves", true)));
    engine.set_recipe("lab").expect("a recipe");
    assert!(engine.components().contains(&("KillerMoves", false)));
    assert!(engine.components().contains(&("NullMove", true)));
}

/// A laboratory with all selectivity off searches like the recipe that has no switches.
#[test]
fn without_selectivity_the_laboratory_is_bare() {
    for (laboratory, bare) in [("lab", "bare"), ("lab-coupled", "bare-coupled")] {
        let mut engine = Engine::new(laboratory, 1, 1).expect("a recipe");
        for (name, value) in NOTHING_SELECTIVE {
            engine.set_parameter(name, *value).expect("a parameter");
        }
        assert_eq!(nodes(&mut engine), nodes(&mut Engine::new(bare, 1, 1).expect("a recipe")), "{bare}");
    }
}

/// The value of a search without selectivity does not depend on the windows.
#[test]
fn every_window_finds_the_same_value() {
    let value = |recipe: &str, component: &str| {
        let mut engine = Engine::new(recipe, 1, 1).expect("a recipe");
        NOTHING_SELECTIVE
            .iter()
            .for_each(|(name, value)| engine.set_parameter(name, *value).expect("a parameter"));
        // A table that is never probed, and quiescence that omits nothing.
        for (name, value) in [
            ("Table.above", 20),
            ("Captures.margin", 10_000),
            ("Captures.exchange", 0),
            ("Captures.evasions", 1),
        ] {
            engine.set_parameter(name, value).expect("a parameter");
        }
        if !component.is_empty() {
            engine.switch(component, true).expect("a component");
        }
        let position: Position = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1".parse().expect("a position");
        engine.search(&Request::new(&position, &Unlimited).to_iteration(4), &mut |_| {}).score()
    };
    for recipe in ["lab", "sex", "likelihood"] {
        let usual = value(recipe, "");
        for component in
            ["WholeWindow", "LastMinimal", "Palphabeta", "PalphabetaAbove", "ScoutWindow", "Mtd", "FailHard"]
        {
            assert_eq!(value(recipe, component), usual, "{recipe} with {component}");
        }
    }
}

/// A fixed recipe and its laboratory are the same search.
#[test]
fn the_laboratory_searches_as_the_recipe_does() {
    for recipe in RECIPES {
        let Some(laboratory) = recipe.laboratory else { continue };
        let tree = |name| {
            let position: Position = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
                .parse()
                .expect("a position");
            let mut engine = Engine::new(name, 1, 1).expect("a recipe");
            let request = Request::new(&position, &Nodes(100_000));
            format!("{:?}", engine.search(&request, &mut |_| {}).lines)
        };
        assert_eq!(tree(recipe.name), tree(laboratory), "{}", recipe.name);
    }
}

/// With S = 1 options do not count, and a search whose options are counted by free searches is the search
/// without them, node for node. With another S it is not, also if they count only where no fail low is
/// expected. In a new game it begins anew.
#[test]
fn free_searches_leave_the_search_alone() {
    for fen in [
        "r1bqk2r/p3npbp/1pn1p1p1/2pp4/4P3/2PPBNP1/PP3PBP/RN1Q1RK1 w kq - 0 9",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "6k1/5pp1/8/3B4/8/5P2/2b3PP/6K1 w - - 0 1",
    ] {
        let position: Position = fen.parse().expect("a position");
        let tree = |engine: &mut Engine| {
            let mut said = Vec::new();
            engine.search(&Request::new(&position, &Nodes(5_000)), &mut |report| {
                said.push((report.iteration, report.nodes, report.score, report.pv.clone()));
            });
            said
        };
        let mut oracle = Engine::new("lab-oracle", 1, 1).expect("a recipe");
        let counted = tree(&mut oracle);
        oracle.forget();
        assert_eq!(tree(&mut oracle), counted, "{fen}");
        let alone = tree(&mut Engine::new("lab", 1, 1).expect("a recipe"));
        let mut cut_only = Engine::new("lab-oracle", 1, 1).expect("a recipe");
        for (name, value) in [("LegalMoves.on", 1), ("LegalMoves.quiet", 1), ("FreeSearches.cut_only", 1)] {
            cut_only.set_parameter(name, value).expect("a parameter");
        }
        let counted_at_cut_nodes = tree(&mut cut_only);
        oracle.set_parameter("Abc.floor", 100).expect("a parameter");
        assert_eq!(tree(&mut oracle), alone, "{fen}");
        for of in [&counted, &counted_at_cut_nodes] {
            assert_ne!(*of, alone, "{fen}");
        }
        assert_ne!(counted_at_cut_nodes, counted, "{fen}");
    }
}

/// However long a search beside the search would take, it ends.
#[test]
fn free_searches_end() {
    let position: Position = "8/8/8/8/8/2k5/1r6/3K4 b - - 0 1".parse().expect("a position");
    let mut engine = Engine::new("lab-oracle", 1, 1).expect("a recipe");
    engine.set_parameter("FreeSearches.most", 1).expect("a parameter");
    let answer = engine.search(&Request::new(&position, &Nodes(20_000)), &mut |_| {});
    assert!(answer.nodes <= 20_000 && answer.best().is_some());
}

fn nodes(engine: &mut Engine) -> u64 {
    let position: Position =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().expect("a position");
    engine.search(&Request::new(&position, &Nodes(1_000_000)).to_iteration(6), &mut |_| {}).nodes
}

/// What an engine has learned is kept as long as depths have the same meaning. After a change the engine
/// searches like a new one. Setting the same value again is not a change.
#[test]
fn other_rules_begin_anew() {
    type Change = fn(&mut Engine) -> Result<(), EngineError>;
    let new = |recipe| Engine::new(recipe, 1, 1).expect("a recipe");
    let changes: [(&str, Change); 6] = [
        ("bare", |engine| engine.set_recipe("single-bound")),
        ("single-bound", |engine| engine.set_recipe("scout")),
        ("plies", |engine| engine.set_recipe("coupled")),
        ("plies", |engine| engine.switch("NullMove", false)),
        ("lab", |engine| engine.switch("Interest", true)),
        ("lab", |engine| engine.set_parameter("NullMove.reduction", 0)),
    ];
    for (index, (recipe, change)) in changes.iter().enumerate() {
        let (mut fresh, mut used) = (new(recipe), new(recipe));
        change(&mut fresh).expect("a change");
        let usual = nodes(&mut used);
        change(&mut used).expect("a change");
        let changed = nodes(&mut used);
        assert_eq!(changed, nodes(&mut fresh), "change {index}");
        assert_ne!(changed, usual, "change {index}");
    }
    let (mut left, mut set) = (new("lab"), new("lab"));
    let first = [&mut left, &mut set].map(nodes)[0];
    set.set_recipe("lab").expect("a recipe");
    set.switch("NullMove", true).expect("a component");
    let (parameter, value) = set.parameters()[0];
    set.set_parameter(&parameter.full_name(), value).expect("a parameter");
    let second = nodes(&mut set);
    assert_eq!(second, nodes(&mut left));
    assert!(second < first, "what was learned still counts");
}

/// Endgame tables are a part of the rules too. Replacing none by none is not a change. The table here
/// has only a valid name and size: with this many pieces on the board it is never probed.
#[test]
fn other_endgame_tables_begin_anew() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("KQvK.rtbw"), [0; 16]).expect("a file");
    let tables = || Some(Tablebases::open(folder.to_str().expect("a path")).expect("a table by its name"));
    let mut engine = Engine::new("plies", 1, 1).expect("a recipe");
    let first = nodes(&mut engine);
    engine.set_tablebases(None);
    assert!(nodes(&mut engine) < first, "what was learned still counts");
    engine.set_tablebases(tables());
    assert_eq!(nodes(&mut engine), first);
    engine.set_tablebases(tables());
    assert_eq!(nodes(&mut engine), first);
    engine.set_tablebases(None);
    assert_eq!(nodes(&mut engine), first);
}

/// Either kind of table fills during a search, and can be cleared.
#[test]
fn either_table_can_be_looked_into() {
    for recipe in ["bare", "single-bound"] {
        let mut engine = Engine::new(recipe, 1, 1).expect("a recipe");
        let table = engine.table();
        assert_eq!(table.permille_full(), 0, "{recipe}");
        engine.search(&Request::new(&Position::default(), &Nodes(50_000)), &mut |_| {});
        assert!(table.permille_full() > 20, "{recipe}");
        engine.forget();
        assert_eq!(table.permille_full(), 0, "{recipe}");
    }
}

#[test]
fn what_cannot_be_switched_is_told() {
    let mut engine = Engine::new("bare", 1, 1).expect("a recipe");
    assert_eq!(engine.components(), [("Network", true)]);
    assert!(engine.switch("NullMove", true).is_err());
    assert_eq!(engine.recipe().name, "bare");
    let mut engine = Engine::new("plies", 1, 1).expect("a recipe");
    let error = engine.switch("NulMove", false).unwrap_err().to_string();
    assert!(error.contains("no component `NulMove`") && error.contains("NullMove"), "{error}");
    engine.switch("nullmove", false).expect("whatever the case");
    assert_eq!(engine.recipe().name, "lab");
    assert!(engine.components().contains(&("NullMove", false)));
}
