//! The model of what a human would play.

use crate::properties::{analyst, config, game};
use cassius_chess::{Move, Position};
use cassius_insight::Verdict;
use cassius_insight::human::{
    Choice, FEATURES, Features, HumanModel, LOOKS, PARTS, Player, ROWS, SEEN, SEEN_YEARS, Utility, shares,
};
use cassius_search::Game as _;
use proptest::prelude::*;
use shakmaty::Square;

/// Returns the features of all moves, with looks and verdicts drawn from `seed`.
fn features(position: &Position, before: &[Position], moves: &[Move], seed: &[u16]) -> Vec<Features> {
    let number = |index: usize| f64::from(seed[index % seed.len()] % 1000) / 1000.0;
    let looks: Vec<[f64; LOOKS]> =
        (0..moves.len()).map(|index| std::array::from_fn(|look| number(4 * index + look))).collect();
    let holds: Vec<bool> = (0..moves.len()).map(|index| index == 0 || number(index) > 0.5).collect();
    let (best, chance) = (moves[0], number(7));
    let verified = vec![7; moves.len()];
    Choice { position, before, moves, looks: &looks, holds: &holds, verified: &verified, best, chance }
        .features()
}

/// Returns the same position with the colours exchanged.
fn mirrored(position: &Position) -> Position {
    let fen = position.to_string();
    let mut words: Vec<String> = fen.split(' ').map(str::to_string).collect();
    let swap = |text: &str| -> String {
        let case = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(case).collect()
    };
    words[0] = words[0].split('/').rev().map(swap).collect::<Vec<_>>().join("/");
    words[1] = if words[1] == "w" { "b".into() } else { "w".into() };
    words[2] = swap(&words[2]);
    words[3] = words[3].replace('3', "x").replace('6', "3").replace('x', "6");
    words.join(" ").parse().expect("a position")
}

proptest! {
    #![proptest_config(config(60))]

    /// The model knows no difference between White and Black.
    #[test]
    fn colours_do_not_matter(
        choices in prop::collection::vec(any::<u16>(), 1..120),
        seed in prop::collection::vec(any::<u16>(), 40),
    ) {
        let game = game(&choices);
        let mut positions: Vec<Position> = game.positions().collect();
        let mut position = positions.pop().expect("a start");
        // The history of castling rights and passant squares is part of both.
        if position.legal_moves().is_empty() {
            position = positions.pop().expect("a game is not over at once");
        }
        let moves = position.legal_moves();
        let found = features(&position, &positions, &moves, &seed);
        let other = mirrored(&position);
        let others: Vec<Position> = positions.iter().map(mirrored).collect();
        let flipped = |mv: &Move| {
            let [from, to] = [mv.from(), mv.to()].map(Square::flip_vertical);
            let same = |other: &&Move| {
                (other.from(), other.to(), other.promotion()) == (from, to, mv.promotion())
            };
            let legal = other.legal_moves();
            *legal.iter().find(same).expect("the same move")
        };
        let moves: Vec<Move> = moves.iter().map(flipped).collect();
        prop_assert_eq!(features(&other, &others, &moves, &seed), found);
    }

    /// The chances of the moves add up to 1, for every player, and what is told about errors follows from
    /// them.
    #[test]
    fn chances_are_chances(
        choices in prop::collection::vec(any::<u16>(), 0..100), nodes in 1u64..3000, elo in -1e4..1e4,
        seconds in prop::option::of(-1e3..1e9),
        year in prop::option::of(0.0..1e4),
        clock in prop::option::of(-1.0..1e6),
    ) {
        let game = game(&choices);
        let positions: Vec<Position> = game.positions().collect();
        let (position, before) = positions.split_last().expect("a start");
        let judged = analyst(nodes).judge(position, before, None).expect("an answer");
        let Some(judged) = judged else { return Ok(()) };
        let player = Player { elo, seconds, year, clock, chess_com: elo > 0.0 };
        let shares = judged.shares(&player);
        prop_assert_eq!(shares.len(), judged.moves.len());
        prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert!(shares.iter().all(|share| *share >= 0.0));
        let chance = judged.error_chance(player).unwrap_or(0.0);
        prop_assert!((0.0..1.0).contains(&chance));
        prop_assert_eq!(judged.error_chance(player).is_none(), judged.verdict == Verdict::Lost);
        let loss = judged.expected_loss(&player);
        prop_assert!((0.0..=1.0).contains(&loss));
        prop_assert!(loss + 1e-9 >= chance * (judged.value.chance - judged.room.least));
        if let Some((of, share)) = judged.tempting(&player) {
            prop_assert!(!of.holds && (0.0..=1.0).contains(&share));
        }
        let interval = judged.error_interval(&player);
        prop_assert!(interval.is_none_or(|[least, most]| 0.0 <= least && least <= most && most <= 1.0));
        let is_seen = SEEN.contains(&elo) && year.is_none_or(|year| SEEN_YEARS.contains(&year));
        prop_assert!(!is_seen || interval.is_none());
        prop_assert!(interval.is_none_or(|[least, most]| (least - 1e-9..=most + 1e-9).contains(&chance)));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        prop_assert_eq!(HumanModel::parse(&text), None);
    }

    #[test]
    fn no_further_line_panics(row: u64, numbers in prop::collection::vec(any::<i64>(), 0..8)) {
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        let text = format!("{}{row}: {}\n", HumanModel::built_in().to_text(""), numbers.join(" "));
        let is_row = row < (ROWS - FEATURES.len()) as u64 && numbers.len() == PARTS;
        prop_assert!(is_row || HumanModel::parse(&text).is_none());
        let last = format!("{}{}: 1 1 1 1 1 1\n", HumanModel::built_in().to_text(""), u64::MAX);
        prop_assert_eq!(HumanModel::parse(&last), None);
    }
}

/// The file that is built in has a weight for every feature, and is written as it is read.
#[test]
fn the_weights_are_read_as_they_are_written() {
    let model = HumanModel::built_in();
    assert_eq!(model.weights.len(), ROWS);
    for about in ["", "Fitted by hand\nto nothing"] {
        assert_eq!(HumanModel::parse(&model.to_text(about)).as_ref(), Some(model.as_ref()));
    }
    let built_in = include_str!("../../src/human.txt");
    assert!(built_in.starts_with(&model.to_text("Fitted").lines().take(5).collect::<Vec<_>>().join("\n")));
    let weight = |name: &str| {
        let row = FEATURES.iter().position(|feature| *feature == name).expect("a feature");
        model.weights[row]
    };
    assert!(
        weight("holds")[0] > 0.0
            && weight("recapture")[0] > 0.0
            && weight("leaves another piece hanging")[0] < 0.0
    );
    let broken = model.to_text("").replacen("recapture:", "rekapture:", 1);
    assert_eq!(HumanModel::parse(&broken), None);
}

/// A greater utility is a greater chance; a rating counts as its part says.
#[test]
fn the_rating_counts() {
    let utilities = [Utility([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]), Utility([0.5, 0.0, 0.0, 0.0, 0.0, 0.0])];
    let weak = shares(&utilities, &Player::from(1500.0));
    let strong = shares(&utilities, &Player::from(2300.0));
    assert!((weak[1] / weak[0] - 0.5_f64.exp()).abs() < 1e-9);
    assert!((strong[0] / strong[1] - 1.5_f64.exp()).abs() < 1e-6);
}

/// What was last played counts: a recapture is taken for granted.
#[test]
fn recaptures_are_expected() {
    let start: Position =
        "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 0 4".parse().expect("a FEN");
    let mut after = start.clone();
    after.play(start.parse_uci("b4c3").expect("legal"));
    let judged =
        analyst(20_000).judge(&after, std::slice::from_ref(&start), None).expect("an answer").expect("moves");
    let shares = judged.shares(&Player::from(1500.0));
    let takes: f64 =
        judged.moves.iter().zip(&shares).filter(|(of, _)| of.uci == "b2c3").map(|(_, share)| share).sum();
    assert!(takes > 0.8, "{takes}");
    assert!(judged.error_chance(1500.0) < judged.error_chance(800.0));
}
