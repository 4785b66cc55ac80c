//! Tests the recipe `abc-paper` against the paper's definitions, written out: Figs. 6 and 7 with exact
//! quiescence values.

use crate::common::*;
use cassius_games::{RandomGame, Tree, TreePosition};
use cassius_search::alpha_beta::horizon::{Abc, Horizon, Plies};
use cassius_search::alpha_beta::options::SiblingQuiescence;
use cassius_search::alpha_beta::quiescence::ExactQuiescence;
use cassius_search::alpha_beta::recipes::AbcPaper;
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow, Windows};
use cassius_search::recipes::Board;
use cassius_search::{
    Answer, Checks, Depth, Depths, Game, MAX_PLY, Noisy, Off, Request, Score, Slots, Static, Statics, Table,
    Unlimited, Window, search, search_parallel,
};
use proptest::prelude::*;

/// Plays the stand-pat or capture game of §8 to its end.
fn stand_pat(position: &RandomGame, rules: &ExactQuiescence, first: bool) -> Score {
    if position.is_over() {
        let value = position.outcome().score(0);
        return if first { value } else { value.clamp_estimate() };
    }
    let evades = rules.evasions == 1 && position.in_check();
    let mut best = if evades { -Score::MAX_ESTIMATE } else { position.static_value() };
    for mv in moves(position) {
        let captures =
            position.is_noisy(mv) && (rules.exchange == 0 || position.exchange_at_least(mv, Score::DRAW));
        if evades || captures {
            best = best.max(-stand_pat(&after(position, mv), rules, false));
        }
    }
    best
}

/// Returns the value of that game, with wins and losses counted from the root.
fn quiet(position: &RandomGame, ply: usize) -> Score {
    match position.is_over() {
        true => position.outcome().score(ply),
        false => stand_pat(position, &ExactQuiescence::default(), true),
    }
}

/// Figs. 6 and 7 for the side to move: the lists of its own options and of the other side's, root first.
struct Printed {
    safety: Vec<Depth>,
    delta: i32,
    /// Whether moves after the first are searched with a minimal window first.
    minimal: bool,
}

#[derive(Clone, Copy)]
struct Plans<'a> {
    asked: Depths,
    own: &'a [Vec<Score>],
    other: &'a [Vec<Score>],
}

impl Printed {
    /// Returns the depth of a plan that holds `value`, from its owner's view. Nothing exceeds +∞.
    fn depth(&self, lists: &[Vec<Score>], value: Score) -> Depth {
        let options = |list: &Vec<Score>| match value >= Score::INFINITE {
            true => 0,
            false => list.iter().filter(|v| **v > value - Score(self.delta)).count(),
        };
        let s = |options: usize| self.safety[options.min(self.safety.len() - 1)];
        lists.iter().fold(Depth::ZERO, |sum, list| sum + s(options(list)))
    }

    fn terminates(&self, value: Score, window: Window, plans: Plans<'_>) -> bool {
        let own = |value| self.depth(plans.own, value) >= plans.asked.lower;
        let other = |value: Score| self.depth(plans.other, -value) >= plans.asked.upper;
        if value >= window.beta {
            own(window.beta)
        } else if value <= window.alpha {
            other(window.alpha)
        } else {
            own(value) && other(value)
        }
    }

    fn abc(&self, position: &RandomGame, window: Window, ply: usize, plans: Plans<'_>) -> Score {
        let value = quiet(position, ply);
        if position.is_over() || self.terminates(value, window, plans) {
            return window.clip(value);
        }
        self.children(position, &moves(position), window, ply, plans).0
    }

    /// Returns the value of a node with moves in this order, and the value of each move when it was
    /// searched.
    fn children(
        &self,
        position: &RandomGame,
        order: &[u8],
        mut window: Window,
        ply: usize,
        plans: Plans<'_>,
    ) -> (Score, Vec<Score>) {
        let mut values = vec![];
        for &mv in order {
            let others = order.iter().filter(|other| **other != mv);
            let list = others.map(|&other| -quiet(&after(position, other), ply + 1)).collect();
            let own: Vec<_> = plans.own.iter().cloned().chain([list]).collect();
            let below = Plans { asked: plans.asked.flip(), own: plans.other, other: &own };
            let child = after(position, mv);
            let asks = self.minimal && !values.is_empty();
            let asked = if asks { Window::above(window.alpha) } else { window };
            let mut value = -self.abc(&child, asked.flip(), ply + 1, below);
            if asks && window.contains(value) {
                value = -self.abc(&child, window.flip(), ply + 1, below);
            }
            let improves = values.is_empty() || value > window.alpha;
            values.push(if improves { value } else { -Score::INFINITE });
            window.alpha = window.alpha.max(value);
            if value >= window.beta {
                break;
            }
        }
        (window.alpha, values)
    }
}

/// Searches once without a table.
fn searched<W: Windows>(position: &RandomGame, horizon: Abc, iterations: usize) -> Answer<u8> {
    type Recipe<W> = AbcPaper<Board, ExactQuiescence, SiblingQuiescence, Off, Off, W>;
    let mut slots = Slots::<RandomGame, Recipe<W>>::new(Statics, Off, Off);
    slots.horizon = horizon;
    search(&mut slots, &Request::new(position, &Unlimited).to_iteration(iterations), &mut |_| {})
}

proptest! {
    #![proptest_config(cases(1500))]

    /// Value and best move equal the definition's for whole windows, which are Fig. 6 literally, and for
    /// minimal windows, iteration by iteration, with the best root moves of the last iteration first.
    #[test]
    fn the_recipe_is_its_definition(
        root in finite(), iterations in 1usize..5, gamma in 100..600, branching in 1..5, delta in 1..6,
        minimal in any::<bool>(),
    ) {
        // Few moves make a whole ply, since these games have few moves.
        let mut horizon = Abc::as_printed();
        (horizon.gamma, horizon.branching, horizon.delta) = (gamma, branching, delta);
        let printed = Printed { safety: horizon.safety(), delta: horizon.delta, minimal };
        let mut order = moves(&root);
        let mut value = Score::DRAW;
        for iteration in 1..=iterations {
            let asked = Horizon::<RandomGame>::iteration(&horizon, iteration);
            let plans = Plans { asked, own: &[], other: &[] };
            let (found, values) = printed.children(&root, &order, Window::FULL, 0, plans);
            let mut scored: Vec<_> = order.iter().zip(values).collect();
            scored.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
            order = scored.into_iter().map(|(mv, _)| *mv).collect();
            value = found;
        }
        let answer = match minimal {
            true => searched::<MinimalWindow>(&root, horizon, iterations),
            false => searched::<WholeWindow>(&root, horizon, iterations),
        };
        prop_assert_eq!((answer.score(), answer.best()), (Some(value), order.first().copied()));
    }

    /// Alpha-beta, narrow windows and a table that stores bounds do not change the value, however often
    /// it is searched.
    #[test]
    fn exact_quiescence_is_the_stand_pat_game(
        root in finite(), depth in 1usize..4, exchange in 0..2, evasions in 0..2,
    ) {
        type WithTable = Ordered<Plies, MinimalWindow, Table, Off, ExactQuiescence>;
        fn minimax(position: &RandomGame, depth: usize, ply: usize, rules: &ExactQuiescence) -> Score {
            if position.is_over() {
                position.outcome().score(ply)
            } else if depth == 0 {
                stand_pat(position, rules, true)
            } else {
                moves(position)
                    .into_iter()
                    .map(|mv| -minimax(&after(position, mv), depth - 1, ply + 1, rules))
                    .max()
                    .unwrap()
            }
        }
        let rules = ExactQuiescence { exchange, evasions };
        let table = Table::new(1).unwrap();
        for _ in 0..2 {
            let mut slots = Slots::<RandomGame, WithTable>::new(Statics, table.clone(), Off);
            slots.quiescence = rules;
            prop_assert_eq!(run_to(&mut slots, &root, depth).score(), minimax(&root, depth, 0, &rules));
        }
    }
}

/// A table that is used for nothing else stores static values: the second search plays out fewer
/// captures.
#[test]
fn static_values_are_remembered() {
    type WithTable = Ordered<Plies, MinimalWindow, Table, Off, ExactQuiescence>;
    let [mut first, mut second] = [0; 2];
    for root in games(cassius_games::random_game::Shape::Tree, 20) {
        let table = Table::new(1).unwrap().above(20);
        for nodes in [&mut first, &mut second] {
            let mut slots = Slots::<RandomGame, WithTable>::new(Statics, table.clone(), Off);
            *nodes += run_to(&mut slots, &root, 2).answer.nodes;
        }
    }
    assert!(second < first * 9 / 10, "{second} of {first} nodes");
}

/// Returns a line of `plies` forced moves.
fn forced(plies: usize) -> Tree {
    format!("{}0{}", "0(".repeat(plies), ")".repeat(plies)).parse().expect("a tree")
}

/// Forced moves add no depth. Only the library's maximum ply ends the line, and every such cut-off is
/// counted, by each thread.
#[test]
fn lines_cut_off_are_counted() {
    type Recipe = AbcPaper<Board, Off, Off>;
    let count = |tree: &Tree, threads: usize, iterations: usize| {
        let memory = Table::new(0).unwrap().strict();
        let mut team: Vec<_> = (0..threads)
            .map(|_| Slots::<TreePosition<'_>, Recipe>::new(Statics, memory.clone(), Off))
            .collect();
        let root = tree.root();
        let request = Request::new(&root, &Unlimited).to_iteration(iterations);
        search_parallel(&mut team, &request, &mut |_| {}).cut_off
    };
    assert_eq!(count(&forced(MAX_PLY - 1), 1, 3), 0);
    assert_eq!(count(&forced(MAX_PLY + 20), 1, 1), 1);
    assert_eq!(count(&forced(MAX_PLY + 20), 1, 3), 3);
    assert!(count(&forced(MAX_PLY + 20), 2, 3) >= 1);
}
