//! Tests which recipes and components compile for which games, against the tables of needs.

#[path = "recipes/best_first.rs"]
mod best_first;

use crate::common::{cases, layered};
use cassius_games::random_game::{Rules, Shape};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{Connect4, Hex, Othello, RandomGame, TicTacToe, Tree, TreePosition, Uneventful, figures};
use cassius_search::alpha_beta::Proof;
use cassius_search::alpha_beta::horizon::{Abc, Coupled, DualCredit, Likelihood, Plies, Sex};
use cassius_search::alpha_beta::memory::SingleBound;
use cassius_search::alpha_beta::quiescence::WideQuiescence;
use cassius_search::alpha_beta::recipes::AbcPaper;
use cassius_search::alpha_beta::recipes::presets::{KAINDL, NOTHING_SELECTIVE};
use cassius_search::game::{
    Bounded, Defuse, Hung, LastMoveWins, MoveIndexed, Repeats, Structured, Threat, Threats,
};
use cassius_search::recipes::macros::{AnyGame as _, BestFirst};
use cassius_search::recipes::{Bare, Board, Laboratory, Plain, Remembering};
use cassius_search::recipes::{Capability, EngineError, NamedRecipe, component_needs};
use cassius_search::{
    Checks, Engine, Game, Keyed, Nodes, Noisy, Off, Outcome, Pass, Playable, Recipe, Request, Score, Slots,
    Static, Statics, Switch, Table, Unlimited, capabilities_of, minimax, search,
};
use proptest::prelude::*;
use std::marker::PhantomData;

/// Declares a random game that has only the named capabilities.
macro_rules! random_game_with {
    ($name:ident: $($capability:ident)*) => {
        #[derive(Clone, Copy, PartialEq, Debug)]
        struct $name(RandomGame);

        impl Game for $name {
            type Move = u8;
            fn moves(&self, moves: &mut Vec<u8>) {
                self.0.moves(moves);
            }
            fn play(&mut self, mv: u8) {
                self.0.play(mv);
            }
            fn outcome(&self) -> Outcome {
                self.0.outcome()
            }
        }

        impl Static for $name {
            fn static_value(&self) -> Score {
                self.0.static_value()
            }
        }

        $(random_game_with!(@$capability $name);)*

        /// No recipes: the test only asks whether they would compile, which is faster.
        impl Playable for $name {
            const NAME: &'static str = stringify!($name);
            type Draws = Off;
            fn capabilities() -> Vec<Capability> {
                capabilities_of!($name)
            }
            fn recipes() -> Vec<NamedRecipe<$name>> {
                Vec::new()
            }
        }
    };
    (@Keyed $name:ident) => {
        impl Keyed for $name {
            fn key(&self) -> u64 {
                self.0.key()
            }
            fn code(&self, mv: u8) -> u16 {
                self.0.code(mv)
            }
        }
    };
    (@MoveIndexed $name:ident) => {
        impl MoveIndexed for $name {
            const MOVE_INDICES: usize = RandomGame::MOVE_INDICES;
            fn move_index(&self, mv: u8) -> usize {
                self.0.move_index(mv)
            }
        }
    };
    (@Repeats $name:ident) => {
        impl Repeats for $name {
            fn repetition_key(&self) -> u64 {
                self.0.repetition_key()
            }
            fn reversible_plies(&self) -> usize {
                self.0.reversible_plies()
            }
            fn drawn_by_rule(&self) -> bool {
                self.0.drawn_by_rule()
            }
        }
    };
    (@Noisy $name:ident) => {
        impl Noisy for $name {
            fn noisy_moves(&self, moves: &mut Vec<u8>) {
                self.0.noisy_moves(moves);
            }
            fn is_noisy(&self, mv: u8) -> bool {
                self.0.is_noisy(mv)
            }
            fn gain(&self, mv: u8) -> Score {
                self.0.gain(mv)
            }
            fn noisy_rank(&self, mv: u8) -> i32 {
                self.0.noisy_rank(mv)
            }
            fn exchange_at_least(&self, mv: u8, threshold: Score) -> bool {
                self.0.exchange_at_least(mv, threshold)
            }
        }
    };
    (@Checks $name:ident) => {
        impl Checks for $name {
            fn in_check(&self) -> bool {
                self.0.in_check()
            }
        }
    };
    (@Pass $name:ident) => {
        impl Pass for $name {
            fn may_pass(&self) -> bool {
                self.0.may_pass()
            }
            fn pass(&mut self) {
                self.0.pass();
            }
        }
    };
    (@LastMoveWins $name:ident) => {
        impl LastMoveWins for $name {}
    };
    (@Defuse $name:ident) => {
        impl Defuse for $name {
            fn defuses(&self, mv: u8, threat: usize) -> bool {
                self.0.defuses(mv, threat)
            }
        }
    };
    (@Structured $name:ident) => {
        impl Structured for $name {
            const PARTS: usize = RandomGame::PARTS;
            fn part_key(&self, part: usize) -> u64 {
                self.0.part_key(part)
            }
        }
    };
    (@Hung $name:ident) => {
        impl Hung for $name {
            fn saving_moves(&self, moves: &mut Vec<u8>) -> bool {
                self.0.saving_moves(moves)
            }
        }
    };
    (@Bounded $name:ident) => {
        impl Bounded for $name {
            fn bounds(&self, ply: usize) -> (Score, Score) {
                self.0.bounds(ply)
            }
        }
    };
    (@Threats $name:ident) => {
        impl Threats for $name {
            fn may_threaten(&self, threat: Threat) -> bool {
                self.0.may_threaten(threat)
            }
        }
    };
}

// For every capability, a game that lacks it and everything that depends on it, and has all others.
random_game_with!(Nothing:);
random_game_with!(
    NoKeys: MoveIndexed Repeats Noisy Checks Pass Defuse Hung Threats LastMoveWins Bounded Structured
);
random_game_with!(NoSlots: Keyed Repeats Noisy Checks Pass Hung Threats LastMoveWins Bounded Structured);
random_game_with!(
    NoRepetitions: Keyed MoveIndexed Noisy Checks Pass Defuse Hung Threats LastMoveWins Bounded Structured
);
random_game_with!(NoNoise: Keyed MoveIndexed Repeats Checks Pass Defuse LastMoveWins Bounded Structured);
random_game_with!(NoChecks: Keyed MoveIndexed Repeats Noisy Pass Defuse Hung LastMoveWins Bounded Structured);
random_game_with!(NoPass: Keyed MoveIndexed Repeats Noisy Checks Defuse Hung LastMoveWins Bounded Structured);
random_game_with!(
    NoAnswers: Keyed MoveIndexed Repeats Noisy Checks Pass Hung Threats LastMoveWins Bounded Structured
);
random_game_with!(
    NothingHung: Keyed MoveIndexed Repeats Noisy Checks Pass Defuse Threats LastMoveWins Bounded Structured
);
random_game_with!(
    NoBounds: Keyed MoveIndexed Repeats Noisy Checks Pass Defuse Hung Threats LastMoveWins Structured
);
random_game_with!(
    NoThreats: Keyed MoveIndexed Repeats Noisy Checks Pass Defuse Hung LastMoveWins Bounded Structured
);
random_game_with!(
    NoParts: Keyed MoveIndexed Repeats Noisy Checks Pass Defuse Hung Threats LastMoveWins Bounded
);

/// Asks the compiler whether a recipe compiles for a game.
struct Compiles<G, R>(PhantomData<(G, R)>);

trait DoesNot {
    const COMPILES: bool = false;
}
impl<G, R> DoesNot for Compiles<G, R> {}
impl<G: Game, R: Recipe<G>> Compiles<G, R> {
    const COMPILES: bool = true;
}

/// Lists every recipe by name, with whether it compiles for this game.
macro_rules! recipes_in {
    ($game:ty) => {
        recipes_in!(@$game:
            "pvs" Remembering<Plies>, "alphabeta" Plain, "palphabeta" Plain, "scout" Plain,
            "appendix" Remembering<Plies, SingleBound>, "abc" Remembering<Abc>,
            "abc-paper" AbcPaper<Board, Off, Off>, "bare" Bare<Plies>, "bare-coupled" Bare<Coupled>,
            "lab" Laboratory<Plies>, "lab-coupled" Laboratory<Coupled>, "sex" Bare<Sex>,
            "dual-credit" Bare<DualCredit>, "likelihood" Bare<Likelihood>,
            "kaindl" Laboratory<Plies, Switch<WideQuiescence>>)
    };
    (@$game:ty: $($name:literal $recipe:ty),*) => {
        vec![
            $(($name, Compiles::<$game, $recipe>::COMPILES),)*
            // The recipes that any game can play, and those that some games can play.
            ("cns", true), ("ccns", true), ("cns-value", true), ("pns", true),
            ("df-pn", BestFirst::<$game>::DF_PN.is_some()), ("b-star", BestFirst::<$game>::B_STAR.is_some()),
            ("uct", true), ("puct", true), ("sss-star", true), ("dual-star", true),
        ]
    };
}

#[test]
fn words_and_types_agree_on_recipes() {
    /// Asserts that the recipes that compile are those of the tables, and those that the game reports as
    /// playable.
    fn check<G: Playable>(capabilities: &[Capability], compiles: Vec<(&str, bool)>) {
        assert_eq!(G::capabilities(), capabilities, "{}", G::NAME);
        let needs = RandomGame::recipes();
        assert_eq!(needs.len(), compiles.len());
        for (recipe, (name, compiles)) in needs.iter().zip(&compiles) {
            assert_eq!(recipe.name, *name);
            let words = recipe.needs.iter().all(|need| capabilities.contains(need));
            assert_eq!(*compiles, words, "{name} for {}", G::NAME);
        }
        for (recipe, (name, compiles)) in G::recipes().iter().zip(&compiles) {
            assert_eq!((recipe.name, recipe.can_be_played()), (*name, *compiles));
            assert_eq!(recipe.lacking().is_empty(), *compiles);
            match Engine::<G>::new(name, 1) {
                Ok(engine) => assert!(*compiles && engine.recipe().name == *name),
                Err(EngineError::CannotPlay { lacking, .. }) => assert_eq!(lacking, recipe.lacking()),
                Err(other) => panic!("{other}"),
            }
        }
    }
    use Capability::*;
    let without = |lacking: &[Capability]| -> Vec<Capability> {
        Capability::ALL.iter().copied().filter(|capability| !lacking.contains(capability)).collect()
    };
    check::<RandomGame>(&without(&[LastMoveWins]), recipes_in!(RandomGame));
    check::<Connect4>(&without(&[Repeats, Hung]), recipes_in!(Connect4));
    check::<TicTacToe>(&without(&[Repeats, Hung, Threats]), recipes_in!(TicTacToe));
    check::<Othello>(&[Keyed, MoveIndexed, Bounded], recipes_in!(Othello));
    check::<Hex>(&[Keyed, MoveIndexed, LastMoveWins, Bounded], recipes_in!(Hex));
    check::<RandomTree>(&[Keyed, MoveIndexed, Bounded], recipes_in!(RandomTree));
    check::<TreePosition<'_>>(&[Keyed, MoveIndexed, Bounded], recipes_in!(TreePosition<'_>));
    check::<Nothing>(&[], recipes_in!(Nothing));
    check::<NoKeys>(&without(&[Keyed]), recipes_in!(NoKeys));
    check::<NoSlots>(&without(&[MoveIndexed, Defuse]), recipes_in!(NoSlots));
    check::<NoRepetitions>(&without(&[Repeats]), recipes_in!(NoRepetitions));
    check::<NoNoise>(&without(&[Noisy, Hung, Threats]), recipes_in!(NoNoise));
    check::<NoChecks>(&without(&[Checks, Threats]), recipes_in!(NoChecks));
    check::<NoPass>(&without(&[Pass, Threats]), recipes_in!(NoPass));
    check::<NoAnswers>(&without(&[Defuse]), recipes_in!(NoAnswers));
    check::<NothingHung>(&without(&[Hung]), recipes_in!(NothingHung));
    check::<NoThreats>(&without(&[Threats]), recipes_in!(NoThreats));
    check::<NoBounds>(&without(&[Bounded]), recipes_in!(NoBounds));
    check::<NoParts>(&without(&[Structured]), recipes_in!(NoParts));
}

/// Re-exports every slot and every component under its bare name, to ask the compiler whether a
/// component can fill a slot in a game.
mod all {
    pub use cassius_search::alpha_beta::correction::*;
    pub use cassius_search::alpha_beta::horizon::*;
    pub use cassius_search::alpha_beta::order::*;
    pub use cassius_search::alpha_beta::quiescence::*;
    pub use cassius_search::alpha_beta::selectivity::*;
}

struct Fills<G, C>(PhantomData<(G, C)>);

macro_rules! slots {
    ($($slot:ident $flag:ident $(in $($bound:ident)+)?;)*) => {
        #[allow(dead_code)] // some slots have components that any game can have
        trait FillsNot {
            $(const $flag: bool = false;)*
        }
        impl<G, C> FillsNot for Fills<G, C> {}
        $(impl<G: Game $($(+ $bound)+)?, C: all::$slot<G>> Fills<G, C> {
            const $flag: bool = true;
        })*
    };
}

slots! {
    Passing PASSING;
    Confirm CONFIRM;
    Prune PRUNE;
    Reduce REDUCE;
    ReduceNode REDUCE_NODE;
    Skip SKIP;
    Extend EXTEND;
    Correct CORRECT;
    Order ORDER;
    Quiescence QUIESCENCE;
    Source SOURCE;
    Standing STANDING in Noisy Checks;
    Discount DISCOUNT;
    Horizon HORIZON;
}

/// Lists every component of the recipes that depends on the game, in its slot.
macro_rules! components_in {
    ($game:ty) => {
        components_in!(@$game:
            NullMove PASSING, ProbCut CONFIRM, ReverseFutility PRUNE, Razoring PRUNE,
            LateMoveReduction REDUCE, InternalReduction REDUCE_NODE, LateMovePruning SKIP, KBest SKIP,
            Futility SKIP, HistoryPruning SKIP, NoisyOnly SKIP, ExchangePruning SKIP, Singular EXTEND,
            FailHighSingular EXTEND, CorrectionHistory CORRECT, NoisyFirst ORDER, ChecksFirst ORDER,
            Killers ORDER, Countermove ORDER, History ORDER, Continuation ORDER, CaptureHistory ORDER,
            ExposureHistory ORDER, DistantKillers ORDER, CounterKillers ORDER, Reorder ORDER,
            Captures QUIESCENCE,
            QuietChecks SOURCE, ForcingChecks SOURCE, HungMoves SOURCE, KillerMoves SOURCE,
            MateThreat STANDING, PromotionThreat STANDING, PassWhenHung STANDING, CheckReplies DISCOUNT,
            UncountedChecks DISCOUNT, Interest DISCOUNT, ExtendHorizon DISCOUNT, Complicated DISCOUNT,
            EvaluatorAsks DISCOUNT, NearPv DISCOUNT, FailHard DISCOUNT,
            Coupled HORIZON, Abc HORIZON, Sex HORIZON, DualCredit HORIZON, Likelihood HORIZON)
    };
    (@$game:ty: $($component:ident $flag:ident),*) => {
        vec![
            $((stringify!($component), Fills::<$game, all::$component>::$flag),)*
            ("Transpositions", BestFirst::<$game>::KEY.is_some()),
        ]
    };
}

#[test]
fn words_and_types_agree_on_components() {
    fn check<G: Playable>(compiles: Vec<(&str, bool)>) {
        let has = G::capabilities();
        for (component, compiles) in &compiles {
            let needs = component_needs(component).map_or(&[][..], |(_, needs)| needs);
            let words = needs.iter().all(|need| has.contains(need));
            assert_eq!(*compiles, words, "{component} in a game with {has:?}");
        }
        // Every switchable component is covered, except those independent of the game: the slots of the
        // driver.
        for recipe in G::recipes().iter().filter(|recipe| recipe.can_be_played()) {
            for (name, _) in Engine::<G>::new(recipe.name, 1).unwrap().components() {
                let listed = compiles.iter().any(|(component, compiles)| *component == name && *compiles);
                let threatens = name == "LeafThreat" && has.contains(&Capability::Pass);
                let driver = ["Aspiration", "Mtd", "MoveAndRefutation"].contains(&name);
                let window = ["WholeWindow", "LastMinimal", "Palphabeta", "PalphabetaAbove", "ScoutWindow"];
                assert!(listed || driver || threatens || window.contains(&name), "{name}");
            }
        }
    }
    check::<RandomGame>(components_in!(RandomGame));
    check::<Connect4>(components_in!(Connect4));
    check::<TicTacToe>(components_in!(TicTacToe));
    check::<Othello>(components_in!(Othello));
    check::<Hex>(components_in!(Hex));
    check::<RandomTree>(components_in!(RandomTree));
    check::<TreePosition<'_>>(components_in!(TreePosition<'_>));
    check::<Nothing>(components_in!(Nothing));
    check::<NoKeys>(components_in!(NoKeys));
    check::<NoSlots>(components_in!(NoSlots));
    check::<NoRepetitions>(components_in!(NoRepetitions));
    check::<NoNoise>(components_in!(NoNoise));
    check::<NoChecks>(components_in!(NoChecks));
    check::<NoPass>(components_in!(NoPass));
    check::<NoAnswers>(components_in!(NoAnswers));
    check::<NothingHung>(components_in!(NothingHung));
    check::<NoThreats>(components_in!(NoThreats));
    check::<NoBounds>(components_in!(NoBounds));
    check::<NoParts>(components_in!(NoParts));
}

fn value<G: Playable>(recipe: &str, position: &G, iterations: usize) -> Score {
    let engine = Engine::<G>::new(recipe, 1).unwrap();
    let request = Request::new(position, &Unlimited).to_iteration(iterations);
    engine.search(&request, &mut |_| {}).score().unwrap()
}

/// The recipes that find the minimax value to a depth in plies.
const SOUND: [&str; 5] = ["pvs", "alphabeta", "palphabeta", "scout", "appendix"];

#[test]
fn tic_tac_toe_is_a_draw() {
    for recipe in SOUND.into_iter().chain(["bare"]) {
        assert_eq!(value(recipe, &TicTacToe::default(), 9), Score::DRAW, "{recipe}");
    }
}

/// Every move of the line of a proven draw draws.
#[test]
fn the_line_of_a_proven_draw_draws() {
    for start in ["", "1", "2", "5", "51", "15"] {
        let mut position: TicTacToe = start.parse().unwrap();
        let engine = Engine::<TicTacToe>::new("pns", 1).unwrap();
        let answer = engine.search(&Request::new(&position, &Unlimited), &mut |_| {});
        assert_eq!((answer.score(), answer.complete), (Some(Score::DRAW), true), "{start}");
        let line = answer.lines[0].pv.clone();
        assert!(line.len() > 1, "{start}: {line:?}");
        for mv in line {
            position.play(mv);
            assert_eq!(minimax(&position, &mut Statics, 9), Score::DRAW, "{start}: {:?}", answer.lines[0].pv);
        }
    }
}

/// Every recipe that Connect Four can play finds the win of an open three.
#[test]
fn connect_four_is_won_by_an_open_three() {
    let position: Connect4 = "4455".parse().unwrap();
    let recipes = Connect4::recipes();
    let playable: Vec<_> = recipes.iter().filter(|recipe| recipe.can_be_played()).collect();
    assert!(playable.len() > 10);
    for recipe in playable {
        let engine = Engine::<Connect4>::new(recipe.name, 1).unwrap();
        let answer = engine.search(&Request::new(&position, &Nodes(30_000)), &mut |_| {});
        match recipe.name {
            // Plies are not counted.
            "pns" | "uct" | "puct" => assert_eq!(answer.score(), Some(Score::KNOWN_WIN)),
            "b-star" => assert!(answer.complete), // no other move is as good
            name => assert_eq!(answer.score(), Some(Score::win_in(3)), "{name}"),
        }
        assert!(["3", "6"].contains(&answer.best().unwrap().to_string().as_str()), "{}", recipe.name);
    }
}

#[test]
fn the_papers_trees() {
    for (tree, depth) in [(figures::cns_1(), 9), (figures::cns_2(), 9), (figures::theorem_2(), 9)] {
        let expected = minimax(&tree.root(), &mut Statics, depth);
        for recipe in SOUND {
            assert_eq!(value(recipe, &tree.root(), depth), expected, "{recipe}");
        }
    }
}

/// Made uneventful, a tree has what the recipe `kaindl` needs. Nothing that the recipe looks for occurs.
#[test]
fn an_uneventful_tree_is_searched_like_kaindl() {
    type Kaindl =
        cassius_search::alpha_beta::recipes::Laboratory<(Statics, Off), Plies, Switch<WideQuiescence>>;
    let lacking = [Capability::Repeats, Capability::LastMoveWins, Capability::Bounded];
    let all = Capability::ALL.iter().copied();
    let expected: Vec<_> = all.filter(|capability| !lacking.contains(capability)).collect();
    assert_eq!(capabilities_of!(Uneventful<RandomTree>), expected);
    let tree = Uneventful(RandomTree::new(Values::Independent, 3, 5, 7));
    let mut slots = Slots::<_, Kaindl>::new(Statics, Table::new(1).unwrap(), Off);
    slots.visit(&mut |parameter, value| {
        let name = parameter.full_name();
        let presets = NOTHING_SELECTIVE.iter().chain(KAINDL);
        presets.filter(|(preset, _)| *preset == name).for_each(|(_, preset)| *value = *preset);
    });
    let answer = search(&mut slots, &Request::new(&tree, &Unlimited).to_iteration(5), &mut |_| {});
    assert_eq!(answer.score(), Some(minimax(&tree, &mut Statics, 5)));
}

/// A changed switch has an effect: the search differs.
#[test]
fn switches_switch() {
    let wide = RandomTree::new(Values::Independent, 8, 7, 5);
    let deep = RandomTree::new(Values::Incremental, 2, 14, 5);
    let nodes = |switch: Option<(&str, bool)>| {
        let mut engine = Engine::<RandomTree>::new("pvs", 1).unwrap();
        if let Some((component, on)) = switch {
            assert!(engine.components().contains(&(component, !on)));
            for on in [on, !on, on] {
                engine.switch(component, on).unwrap();
                assert!(engine.components().contains(&(component, on)));
            }
        }
        [(wide, 7), (deep, 14)].map(|(tree, iterations)| {
            engine.clear();
            engine.search(&Request::new(&tree, &Unlimited).to_iteration(iterations), &mut |_| {}).nodes
        })
    };
    let usual = nodes(None);
    let switches = [
        ("Aspiration", false),
        ("Mtd", true),
        ("KBest", true),
        ("InternalReduction", true),
        ("Singular", true),
        ("WholeWindow", true),
        ("LastMinimal", true),
        ("Palphabeta", true),
        ("PalphabetaAbove", true),
        ("NearPv", true),
        ("FailHard", true),
        ("FailHighSingular", true),
    ];
    for switch in switches {
        assert_ne!(nodes(Some(switch)), usual, "{switch:?}");
    }
}

/// Without all the moves of the loser no win is proven: in tic-tac-toe there is none.
#[test]
fn what_is_left_out_proves_nothing() {
    for recipe in ["pvs", "alphabeta", "abc", "lab"] {
        let mut engine = Engine::<TicTacToe>::new(recipe, 1).unwrap();
        engine.switch("KBest", true).unwrap();
        engine.set_parameter("KBest.k", 1).unwrap();
        let root = TicTacToe::default();
        let answer = engine.search(&Request::new(&root, &Unlimited).to_iteration(9), &mut |_| {});
        assert!(answer.lines[0].score > Score::DRAW, "{recipe}: the loser has no choice");
        assert_eq!(answer.proof(), Proof::Unknown, "{recipe}: {:?}", answer.lines[0]);
    }
}

#[test]
fn what_cannot_be_is_said_in_words() {
    let error = |recipe| Engine::<Connect4>::new(recipe, 1).unwrap_err().to_string();
    let kaindl = error("kaindl");
    assert!(
        kaindl.starts_with(
            "recipe `kaindl` needs hung pieces, which Connect Four does not have; recipes for this game: \
             pvs, "
        ),
        "{kaindl}"
    );
    assert!(!kaindl.ends_with("kaindl"));
    assert!(error("omelette").starts_with("unknown recipe `omelette`; known recipes: pvs, "));
    let mut engine = Engine::<RandomTree>::new("pvs", 1).unwrap();
    assert_eq!(
        engine.switch("nullmove", true).unwrap_err().to_string(),
        "component `NullMove` needs passes, which a random tree does not have"
    );
    let unknown = engine.switch("Eggs", true).unwrap_err().to_string();
    assert!(unknown.starts_with("recipe `pvs` has no component `Eggs` to switch; it has: "), "{unknown}");
    assert!(!unknown.contains("is in"), "{unknown}");
    let mut four = Engine::<Connect4>::new("pvs", 1).unwrap();
    let elsewhere = four.switch("NullMove", true).unwrap_err();
    assert!(elsewhere.to_string().ends_with("; `NullMove` is in: lab, lab-coupled"), "{elsewhere}");
    assert!(matches!(four.set_parameter("Table.eggs", 1), Err(EngineError::UnknownParameter { .. })));
    let wide = four.set_parameter("KBest.on", 2).unwrap_err().to_string();
    assert_eq!(wide, "KBest.on must be from 0 to 1 (0 or 1), not 2");
}

#[test]
fn games_are_read_from_fields() {
    let tree = |text: &str| text.parse::<RandomTree>().map_err(|error| error.to_string());
    assert_eq!(tree("1, 3,4"), Ok(RandomTree::new(Values::Independent, 3, 4, 1)));
    assert_eq!(tree("1,3,4,incremental"), Ok(RandomTree::new(Values::Incremental, 3, 4, 1)));
    let form = "seed,width,depth or seed,width,depth,values";
    assert_eq!(tree("1,3"), Err(format!("the depth is missing; expected {form}")));
    assert_eq!(tree(""), Err(format!("the seed is missing; expected {form}")));
    assert_eq!(tree("1,0,4"), Err("the width must be a number from 1 to 10000, not `0`".into()));
    assert_eq!(
        tree("1,3,4,eggs"),
        Err("the values must be one of independent, strongly-ordered, incremental, not `eggs`".into())
    );
    assert_eq!(tree("1,3,4,incremental,5"), Err(format!("unexpected field `5`; expected {form}")));
    let game = |text: &str| text.parse::<RandomGame>().map_err(|error| error.to_string());
    let rules = Rules { seed: 9, branching: 3, ..Rules::default() };
    assert_eq!(game("9,3,tree"), Ok(rules.root()));
    assert_eq!(game("9,3,layers=5"), Ok(Rules { shape: Shape::Layers(5), ..rules }.root()));
    assert_eq!(
        game("9,3,layers"),
        Err("the number of places must be a number from 1 to 4294967295, not ``".into())
    );
}

proptest! {
    #![proptest_config(cases(60))]

    /// The recipes without selectivity find the value of the plain recursion.
    #[test]
    fn random_trees_have_their_minimax_value(seed in any::<u64>(), width in 1u16..6, depth in 1u16..6) {
        let tree: RandomTree = format!("{seed},{width},{depth}").parse().unwrap();
        let expected = minimax(&tree, &mut Statics, depth.into());
        for recipe in SOUND {
            prop_assert_eq!(value(recipe, &tree, depth.into()), expected, "{}", recipe);
        }
    }

    #[test]
    fn random_games_too(rules in layered(), depth in 1usize..5) {
        let root = rules.root();
        if !root.is_over() {
            let expected = minimax(&root, &mut Statics, depth);
            for recipe in SOUND {
                prop_assert_eq!(value(recipe, &root, depth), expected, "{}", recipe);
            }
        }
    }
}

proptest! {
    /// Any text is either parsed or refused, and what is parsed can be searched.
    #[test]
    fn no_text_panics(
        text in "[0-9]{0,4}(,[0-9]{0,6}){0,4}|[0-9],[0-9],(layers|cycles|tree)=?[0-9]{0,3}|[0-9]{0,12}|\
                 [XO. ]{0,12}|[XO-]{65}|[A-C:0-9()! -]{0,30}|\\PC{0,20}",
    ) {
        fn search<G: Playable>(position: &G) {
            for recipe in ["pvs", "abc"] {
                let engine = Engine::<G>::new(recipe, 1).unwrap();
                let answer = engine.search(&Request::new(position, &Nodes(50)), &mut |_| {});
                assert_eq!(answer.best().is_none(), position.is_over());
            }
        }
        if let Ok(position) = text.parse::<RandomTree>() { search(&position) }
        if let Ok(position) = text.parse::<RandomGame>() { search(&position) }
        if let Ok(position) = text.parse::<Connect4>() { search(&position) }
        if let Ok(position) = text.parse::<TicTacToe>() { search(&position) }
        if let Ok(position) = text.parse::<Othello>() { search(&position) }
        if let Ok(position) = text.parse::<Hex>() { search(&position) }
        if let Ok(tree) = text.parse::<Tree>() { search(&tree.root()) }
    }
}

/// Whatever a search knew when it was stopped, it does not call a won game lost, or a lost one won.
#[test]
fn a_stopped_search_proves_nothing_false() {
    fn check<G: Playable>(moves: &str, position: &G, depth: usize) {
        let value = minimax(position, &mut Statics, depth);
        for recipe in G::recipes() {
            let Ok(engine) = Engine::<G>::new(recipe.name, 1) else { continue };
            for limit in (0..60).chain((60..2_000).step_by(97)) {
                let limits = Nodes(limit);
                let answer = engine.search(&Request::new(position, &limits).to_iteration(depth), &mut |_| {});
                let said = format!("{} at {moves}, {limit} nodes", recipe.name);
                match answer.proof() {
                    Proof::Proven => assert!(value > Score::DRAW, "won: {said}"),
                    Proof::Disproven => assert!(value <= Score::DRAW, "not won: {said}"),
                    Proof::Unknown => {}
                }
            }
        }
    }
    for moves in ["5", "12", "52", "159", "1523", "15934", "51937", "52734"] {
        check(moves, &moves.parse::<TicTacToe>().unwrap(), 9);
    }
}
