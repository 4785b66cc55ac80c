//! The procedure AB of the survey's appendix (Marsland & Campbell 1981): as corrected, it gives plain
//! minimax; with any one of the printed slips put back, it goes wrong.

mod common;

use cassius_games::random_game::Shape;
use cassius_games::{RandomGame, Static, Statics};
use cassius_search::{Bound, Game, Keyed, Score, minimax};
use common::*;
use proptest::prelude::*;
use std::collections::HashMap;

/// What the printed procedure does otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slip {
    /// An upper bound from the table lowers β, and `score >= beta` is then always true.
    UpperBoundCuts,
    /// `evaluate(p.i)` is taken for the value of p.
    SignOfEvaluate,
    /// The loop begins with the second move although the table named none.
    FirstMoveSkipped,
    /// A hit is stored again, with the length asked for and a flag made from the window.
    HitStoredAgain,
    /// The flag compares with α and β as the table has narrowed them.
    FlagOfNarrowedWindow,
    /// A mate or stalemate is stored with a flag made from the window.
    EndStoredAsBound,
}

/// Scores count from the node, as all that is stored.
#[derive(Clone, Copy, Debug)]
struct Entry<M> {
    len: usize,
    score: Score,
    flag: Bound,
    mv: Option<M>,
}

struct Appendix<G: Keyed> {
    slips: Vec<Slip>,
    table: HashMap<u64, Entry<G::Move>>,
    /// Nodes that the table did not answer.
    nodes: u64,
}

impl<G: Static + Keyed> Appendix<G> {
    fn new(slips: &[Slip]) -> Self {
        Appendix { slips: slips.to_vec(), table: HashMap::new(), nodes: 0 }
    }

    fn has(&self, slip: Slip) -> bool {
        self.slips.contains(&slip)
    }

    fn evaluate(&mut self, p: &G, ply: usize) -> Score {
        self.nodes += 1;
        if p.is_over() { p.outcome().score(ply) } else { p.static_value() }
    }

    fn store(&mut self, p: &G, ply: usize, len: usize, score: Score, flag: Bound, mv: Option<G::Move>) {
        self.table.insert(p.key(), Entry { len, score: score.from_node(ply), flag, mv });
    }

    /// The value of `p`, which has `depth` > 0 plies to go, clipped to the window.
    fn ab(&mut self, p: &G, mut alpha: Score, mut beta: Score, depth: usize, ply: usize) -> Score {
        let window = (alpha, beta);
        let flag = |score: Score, (alpha, beta): (Score, Score)| match score {
            _ if score >= beta => Bound::Lower,
            _ if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let hit = self.table.get(&p.key()).copied();
        if let Some(Entry { score, flag: known, mv, .. }) = hit.filter(|entry| entry.len >= depth) {
            let score = score.from_root(ply);
            match known {
                Bound::Exact => {}
                Bound::Lower => alpha = alpha.max(score),
                Bound::Upper => beta = beta.min(score),
            }
            let cuts = match self.has(Slip::UpperBoundCuts) {
                true => score >= beta,
                false => alpha >= beta,
            };
            if known == Bound::Exact || cuts {
                if self.has(Slip::HitStoredAgain) {
                    let window = if self.has(Slip::FlagOfNarrowedWindow) { (alpha, beta) } else { window };
                    self.store(p, ply, depth, score, flag(score, window), mv);
                }
                return score;
            }
        }

        self.nodes += 1;
        let mut moves = moves(p);
        if moves.is_empty() {
            let score = p.outcome().score(ply);
            let known = if self.has(Slip::EndStoredAsBound) { flag(score, window) } else { Bound::Exact };
            self.store(p, ply, depth, score, known, None);
            return score;
        }
        let first = hit.and_then(|entry| entry.mv).and_then(|mv| moves.iter().position(|other| *other == mv));
        moves[..=first.unwrap_or(0)].rotate_right(1);
        let skipped = usize::from(first.is_none() && self.has(Slip::FirstMoveSkipped));

        let (mut score, mut best) = (alpha, hit.and_then(|entry| entry.mv));
        for mv in moves.into_iter().skip(skipped) {
            let child = after(p, mv);
            let value = if depth > 1 {
                -self.ab(&child, -beta, -score, depth - 1, ply + 1)
            } else if self.has(Slip::SignOfEvaluate) {
                self.evaluate(&child, ply + 1)
            } else {
                -self.evaluate(&child, ply + 1)
            };
            if value > score {
                (score, best) = (value, Some(mv));
                if score >= beta {
                    break;
                }
            }
        }
        let window = if self.has(Slip::FlagOfNarrowedWindow) { (alpha, beta) } else { window };
        self.store(p, ply, depth, score, flag(score, window), best);
        score
    }

    /// Deepens to `depth` with one table; the value of the last iteration.
    fn solve(&mut self, root: &G, depth: usize) -> Score {
        let infinite = Score::INFINITE;
        (1..=depth).map(|depth| self.ab(root, -infinite, infinite, depth, 0)).last().expect("a depth")
    }
}

fn appendix(root: &RandomGame, depth: usize, slips: &[Slip]) -> (Score, Appendix<RandomGame>) {
    let mut appendix = Appendix::new(slips);
    (appendix.solve(root, depth), appendix)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn corrected_it_is_minimax(rules in layered(), depth in 1usize..6) {
        let root = rules.root();
        if !root.is_over() {
            prop_assert_eq!(appendix(&root, depth, &[]).0, minimax(&root, &mut Statics, depth));
        }
    }
}

/// Games with few positions a ply, so that the table is hit again and again.
fn transposing() -> impl Iterator<Item = RandomGame> {
    games(Shape::Layers(4), 400)
}

const DEPTH: usize = 6;

/// In how many games the value is wrong; the corrected form is right in all of them.
fn wrong(slips: &[Slip]) -> usize {
    let is_wrong = |root: &RandomGame| {
        let value = minimax(root, &mut Statics, DEPTH);
        assert_eq!(appendix(root, DEPTH, &[]).0, value);
        appendix(root, DEPTH, slips).0 != value
    };
    transposing().filter(is_wrong).count()
}

/// Nodes that the table does not answer, in all games.
fn nodes(slips: &[Slip]) -> u64 {
    transposing().map(|root| appendix(&root, DEPTH, slips).1.nodes).sum()
}

#[test]
fn an_upper_bound_within_the_window_is_no_value() {
    assert!(wrong(&[Slip::UpperBoundCuts]) > 0);
}

#[test]
fn a_leaf_is_valued_for_the_side_that_moves_there() {
    assert!(wrong(&[Slip::SignOfEvaluate]) > 0);
}

#[test]
fn without_a_move_from_the_table_the_first_is_searched_too() {
    assert!(wrong(&[Slip::FirstMoveSkipped]) > 0);
}

/// No value is wrong for it, but a deep result gives way to a shallow one, and a true score to a bound.
#[test]
fn a_hit_is_not_stored_again() {
    let left = |root: &RandomGame, slips: &[Slip]| {
        let (value, mut appendix) = appendix(root, DEPTH, slips);
        // The root is asked for again, less deep, with a window below its value.
        appendix.ab(root, value - Score(2), value - Score(1), 1, 0);
        let entry = appendix.table[&root.key()];
        (entry.len, entry.flag)
    };
    for root in transposing() {
        assert_eq!(left(&root, &[]), (DEPTH, Bound::Exact));
        assert_eq!(left(&root, &[Slip::HitStoredAgain]), (1, Bound::Lower));
    }
    assert_eq!(wrong(&[Slip::HitStoredAgain]), 0);
    assert!(nodes(&[Slip::HitStoredAgain]) > nodes(&[]));
}

/// Alone it only forgets that a score between the original α and β is a true one. But a hit that is stored again with such a
/// flag turns an upper bound into a lower one.
#[test]
fn a_flag_is_of_the_window_that_was_asked_for() {
    assert_eq!(wrong(&[Slip::FlagOfNarrowedWindow]), 0);
    assert!(nodes(&[Slip::FlagOfNarrowedWindow]) > nodes(&[]));
    assert!(wrong(&[Slip::HitStoredAgain, Slip::FlagOfNarrowedWindow]) > 0);
}

/// As a bound it is asked for again by every other window.
#[test]
fn the_end_of_a_game_is_a_true_score() {
    assert_eq!(wrong(&[Slip::EndStoredAsBound]), 0);
    assert!(nodes(&[Slip::EndStoredAsBound]) > nodes(&[]));
}
