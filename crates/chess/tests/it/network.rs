//! The network evaluation: what is updated equals what is computed anew, and files are checked.

use cassius_chess::evaluation::network::{
    self, BUCKETS, Base, HIDDEN_UNIT, INPUTS, Network, NetworkError, OUTPUT_UNIT, Weights, bucket, input,
    is_mirrored,
};
use cassius_chess::evaluation::{Evaluation, Evaluator};
use cassius_chess::{Engine, Position};
use cassius_search::{Game as _, Nodes, Request, Score, split_mix};
use proptest::prelude::*;
use serde_json::json;
use shakmaty::{Board, Color, Role};
use std::path::Path;
use std::sync::Arc;

/// The build script.
#[allow(dead_code)]
#[path = "../../build.rs"]
mod build;

const WIDTH: usize = 32;

fn weights(seed: u64) -> Weights {
    let mut state = seed;
    let mut list = |count: usize, most: i64| -> Vec<i16> {
        (0..count)
            .map(|_| (split_mix(&mut state) % (2 * most as u64 + 1)) as i64 - most)
            .map(|it| it as i16)
            .collect()
    };
    Weights {
        input: list(INPUTS * WIDTH, 60),
        bias: list(WIDTH, 100),
        output: list(BUCKETS * 2 * WIDTH, 128),
        output_bias: list(BUCKETS, 3000).into_iter().map(i32::from).collect(),
        scale: 300,
    }
}

fn made(seed: u64, base: Base) -> Network {
    Network::new(&weights(seed), base, json!({ "seed": seed })).expect("weights that fit")
}

/// The value as the file format defines it, for the side to move.
fn by_definition(weights: &Weights, board: &Board, turn: Color) -> i32 {
    let layer = |view: Color| -> Vec<i64> {
        let king = board.king_of(view).expect("a king");
        let mut layer: Vec<i64> = weights.bias.iter().map(|bias| i64::from(*bias)).collect();
        for (square, piece) in board {
            let input = input(view, is_mirrored(king), piece.color, piece.role, square);
            let row = &weights.input[input * WIDTH..][..WIDTH];
            layer.iter_mut().zip(row).for_each(|(unit, weight)| *unit += i64::from(*weight));
        }
        layer
    };
    let bucket = bucket(board.occupied().count());
    let output = &weights.output[bucket * 2 * WIDTH..][..2 * WIDTH];
    let both = [layer(turn), layer(turn.other())].concat();
    let activated = both.into_iter().map(|unit| unit.clamp(0, i64::from(HIDDEN_UNIT)).pow(2));
    let sum: i64 = activated.zip(output).map(|(unit, weight)| unit * i64::from(*weight)).sum();
    let sum = sum / i64::from(HIDDEN_UNIT) + i64::from(weights.output_bias[bucket]);
    (sum * i64::from(weights.scale) / i64::from(HIDDEN_UNIT * OUTPUT_UNIT)) as i32
}

/// Positions of random games, in an order in which a search could meet them: forward, and often back.
fn wander(start: &str, seed: u64, steps: usize) -> Vec<Position> {
    let mut state = seed;
    let mut line: Vec<Position> = vec![start.parse().expect("a legal position")];
    let mut seen = Vec::new();
    for _ in 0..steps {
        let position = line.last().expect("at least the first").clone();
        let moves = position.legal_moves();
        seen.push(position.clone());
        if moves.is_empty() || line.len() > 1 && split_mix(&mut state).is_multiple_of(3) {
            line.truncate(1 + (split_mix(&mut state) as usize) % line.len());
            continue;
        }
        let mut next = position;
        next.play(moves[split_mix(&mut state) as usize % moves.len()]);
        line.push(next);
    }
    seen
}

const STARTS: [&str; 4] = [
    "startpos",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn updated_equals_computed_by_definition(start in 0..STARTS.len(), seed: u64) {
        let weights = weights(seed);
        let network = Network::new(&weights, Base::Nothing, json!(null)).unwrap();
        let mut evaluator = network.evaluator();
        for position in wander(STARTS[start], seed, 120) {
            let (turn, halfmoves) = (position.turn(), position.halfmoves());
            let exact = by_definition(&weights, position.board(), turn);
            prop_assert_eq!(evaluator.evaluate(&position, turn, 0), exact, "{}", position);
            let value = cassius_search::Evaluate::evaluate(&mut evaluator, &position).0;
            prop_assert_eq!(value, network.evaluator().evaluate(&position, turn, halfmoves), "{}", position);
        }
    }

    #[test]
    fn mirrored_positions_are_worth_the_same(start in 0..STARTS.len(), seed: u64) {
        for base in [Base::Nothing, Base::Classical] {
            let mut evaluator = made(seed, base).evaluator();
            for position in wander(STARTS[start], seed, 40) {
                let (board, turn) = (position.board().clone(), position.turn());
                let value = evaluator.evaluate(&board, turn, 3);
                prop_assert_eq!(value, evaluator.evaluate(&board.into_mirrored(), turn.other(), 3));
            }
        }
    }

    #[test]
    fn a_changed_file_is_refused_or_read(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        length in any::<prop::sample::Index>()
    ) {
        let mut bytes = made(1, Base::Classical).to_bytes();
        let head = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        for (place, byte) in changes {
            let place = place.index(head + 1);
            bytes[place] = byte;
        }
        let _ = Network::from_bytes(&bytes);
        let cut = length.index(bytes.len());
        prop_assert!(Network::from_bytes(&bytes[..cut]).is_err());
    }
}

#[test]
fn a_correction_is_added() {
    let (alone, added) = (made(5, Base::Nothing), made(5, Base::Classical));
    for position in wander("startpos", 5, 60) {
        let value = |mut evaluator: Evaluator| evaluator.evaluate(&position, position.turn(), 0);
        let classical = value(Evaluator::of(&Evaluation::Classical));
        assert_eq!(value(added.evaluator()), classical + value(alone.evaluator()), "{position}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |weights: &Weights| Network::new(weights, Base::Nothing, json!(null)).unwrap_err();
    let good = weights(1);
    let short = Weights { bias: good.bias[..31].to_vec(), ..good.clone() };
    assert!(matches!(refused(&short), NetworkError::Shape(_)));
    let short = Weights { input: good.input[1..].to_vec(), ..good.clone() };
    assert!(matches!(refused(&short), NetworkError::Shape(_)));
    let mut large = good.clone();
    large.output[7] = 129;
    assert_eq!(refused(&large), NetworkError::TooLarge { what: "an output weight", large: 129, most: 128 });
    let mut large = good.clone();
    large.input[3] = -1100;
    assert_eq!(refused(&large), NetworkError::TooLarge { what: "an input weight", large: -1100, most: 992 });

    let bytes = made(1, Base::Nothing).to_bytes();
    let head = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    let text = String::from_utf8(bytes[..head].to_vec()).unwrap();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let mut other = text.replace(from, to).into_bytes();
        other.extend(&bytes[head..]);
        Network::from_bytes(&other).unwrap_err().to_string()
    };
    let told = [
        with("\"cassius_network\":1", "\"cassius_network\":2"),
        with("\"cassius_network\":1", "\"network\":1"),
        with("\"width\":32", "\"width\":64"),
        with("\"width\":32", "\"width\":33"),
        with("\"scale\":300", "\"scale\":0"),
        with("\"buckets\":8", "\"buckets\":9"),
        with("squared clipped", "clipped"),
        with("\"adds_to\":\"nothing\"", "\"adds_to\":\"the moon\""),
    ];
    assert_eq!(
        told,
        [
            "version 2 of the format; this program reads version 1",
            "not a network: the first line must be a JSON object with the key cassius_network",
            "expected 100512 bytes of weights, found 50272",
            "the width must be a multiple of 32 up to 2048, not 33",
            "the scale must be from 1 to 10000",
            "the first head: this program computes [\"value\",8], and the file has [\"value\",9]",
            "activation: this program computes \"squared clipped relu\", and the file has \"clipped relu\"",
            "adds_to: this program does not know \"the moon\"",
        ]
    );
}

#[test]
fn a_board_without_a_king_is_worth_nothing() {
    let mut evaluator = made(3, Base::Nothing).evaluator();
    assert_eq!(evaluator.evaluate(&Board::empty(), Color::White, 0), 0);
}

/// Certificates and journals know a network by its number, also where it differs from another one only in
/// positions with few pieces.
#[test]
fn the_number_changes_with_the_weights() {
    let (mut bytes, built_in) = (network::own().to_bytes(), Evaluation::default().number());
    let number =
        |bytes: &[u8]| Evaluation::Network(Arc::new(Network::from_bytes(bytes).expect("a network"))).number();
    assert_eq!(number(&bytes), built_in);
    // The last numbers are the biases of the buckets, the first of which are for the fewest pieces.
    let place = bytes.len() - 4 * BUCKETS;
    bytes[place] ^= 64;
    assert_ne!(number(&bytes), built_in);
}

#[test]
fn the_built_in_network_says_how_it_was_made() {
    let network = network::own();
    let card = network.card();
    assert!(card["losses"].as_array().is_some_and(|losses| !losses.is_empty()), "{card}");
    assert!(card["positions"].as_u64() > Some(1_000_000), "{card}");
    let mut evaluator = Evaluator::of(&Evaluation::Network(network));
    let queen_up = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse::<Position>().unwrap();
    assert!(queen_up.board().by_role(Role::Queen).count() == 1);
    assert!(evaluator.evaluate(&queen_up, Color::White, 0) > 300);
}

#[test]
fn an_engine_changes_its_evaluation() {
    let position = Position::default();
    let limits = Nodes(5_000);
    let request = Request::new(&position, &limits);
    let mut engine = Engine::new("plies", 1, 1).unwrap();
    assert_eq!(engine.evaluation().name(), "network", "the default");
    engine.switch("network", false).unwrap();
    assert_eq!(engine.evaluation().name(), "classical");
    let classical = engine.search(&request, &mut |_| {});
    engine.switch("network", true).unwrap();
    assert_eq!((engine.recipe().name, engine.evaluation().name()), ("plies", "network"));
    let network = engine.search(&request, &mut |_| {});
    assert_ne!((classical.score(), classical.nodes), (network.score(), network.nodes));
    engine.set_recipe("coupled").unwrap();
    assert_eq!(engine.evaluation().name(), "network");
    engine.set_recipe("plies").unwrap();
    engine.set_evaluation(Evaluation::Classical).unwrap();
    let again = engine.search(&request, &mut |_| {});
    assert_eq!((classical.score(), classical.nodes), (again.score(), again.nodes));

    // Every kind of search computes with it.
    let shifted = |base: i32| {
        let weights = Weights { output_bias: vec![base; BUCKETS], output: vec![0; 512], ..weights(1) };
        Evaluation::Network(Arc::new(Network::new(&weights, Base::Nothing, json!(null)).unwrap()))
    };
    for recipe in ["plies", "abc", "ccns", "cns", "b-star", "sss-star"] {
        let constant = shifted(HIDDEN_UNIT * OUTPUT_UNIT);
        assert_ne!(value_with(recipe, constant), value_with(recipe, Evaluation::Classical), "{recipe}");
    }
}

/// The value of the starting position after two iterations.
fn value_with(recipe: &str, evaluation: Evaluation) -> Option<Score> {
    let (position, limits) = (Position::default(), Nodes(5_000));
    let mut engine = Engine::new(recipe, 1, 1).unwrap();
    engine.set_evaluation(evaluation).unwrap();
    engine.search(&Request::new(&position, &limits).to_iteration(2), &mut |_| {}).score()
}

#[test]
fn only_a_network_is_built_in() {
    let refused = |file: &str| build::network(Path::new(file)).expect_err("no network").to_string();
    assert!(refused("Cargo.toml").starts_with("not a network"), "{}", refused("Cargo.toml"));
    assert!(!refused("no.net").is_empty());
    assert!(build::network(Path::new("src/evaluation/network/default.net")).is_ok());
}
