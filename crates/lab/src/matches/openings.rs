//! Assigns openings to the pairs of a match.

use crate::random::Random;
use cassius_chess::openings::Opening;
use cassius_search::Score;
use cassius_search::game::{Game, Noisy};
use std::borrow::Cow;

/// Returns the opening of a pair. All openings are played once, in an order drawn from the seed, before
/// any is repeated. Each round has another order.
///
/// An opening that is repeated is continued by two moves drawn at random, none of which loses material at
/// once. Otherwise games would be repeated, and other games would be alike.
///
/// # Panics
/// If there are no openings.
pub(super) fn opening_of_pair(openings: &[Opening], seed: u64, pair: u64) -> Cow<'_, Opening> {
    let count = openings.len() as u64;
    let round = pair / count;
    let mut random = Random(seed ^ round.wrapping_mul(0xd134_2543_de82_ef95));
    let mut order: Vec<usize> = (0..openings.len()).collect();
    random.shuffle(&mut order);
    let opening = &openings[order[(pair % count) as usize]];
    if round == 0 {
        return Cow::Borrowed(opening);
    }
    let mut random = Random(seed ^ pair.wrapping_mul(0xa076_1d64_78bd_642f));
    let (mut opening, mut position) = (opening.clone(), opening.position());
    for _ in 0..PLIES {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves.retain(|mv| position.exchange_at_least(*mv, Score::DRAW));
        let mut after = position.clone();
        let Some(&mv) = moves.get(random.below(moves.len().max(1) as u64) as usize) else { break };
        after.play(mv);
        if after.is_over() {
            break;
        }
        opening.moves.push(mv);
        position = after;
    }
    Cow::Owned(opening)
}

/// The number of moves by which a repeated opening is continued.
const PLIES: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_opening_once_a_round() {
        let openings = &cassius_chess::openings::builtin()[..7];
        let order = |seed, from: u64| -> Vec<String> {
            (from..from + 7)
                .map(|pair| opening_of_pair(openings, seed, pair).position().to_string())
                .collect()
        };
        assert_eq!(order(1, 0).into_iter().collect::<BTreeSet<_>>().len(), 7);
        assert_eq!(order(1, 0), order(1, 0));
        assert_ne!(order(1, 0), order(2, 0));
        assert_ne!(order(1, 0), order(1, 7));
    }

    #[test]
    fn a_repeated_opening_is_continued() {
        let openings = &cassius_chess::openings::builtin()[..3];
        let of = |pair| opening_of_pair(openings, 1, pair).into_owned();
        let first: Vec<Opening> = (0..3).map(of).collect();
        assert!(first.iter().all(|opening| openings.contains(opening)));
        let later: Vec<Opening> = (3..60).map(of).collect();
        for opening in &later {
            let plain = openings.iter().find(|plain| plain.name == opening.name).expect("one of the three");
            assert_eq!(opening.moves.len(), plain.moves.len() + PLIES);
            assert!(opening.moves.starts_with(&plain.moves) && !opening.position().is_over());
        }
        let different: BTreeSet<String> = later.iter().map(|it| it.position().to_string()).collect();
        assert!(different.len() > 50, "{}", different.len());
    }

    #[test]
    fn where_there_is_no_move_an_opening_ends() {
        let start = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1".parse().expect("a position");
        let stuck = [Opening { name: String::new(), start, moves: Vec::new() }];
        assert!(opening_of_pair(&stuck, 1, 5).moves.is_empty());
    }
}
