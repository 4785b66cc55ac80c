//! Tests that the transposition table never claims more than was stored.

use crate::common::cases;
use cassius_games::random_game::Rules;
use cassius_search::alpha_beta::memory::{Found, Hit, Memory, SingleBound};
use cassius_search::alpha_beta::sharing::Sharing;
use cassius_search::{Bound, Component, Depth, Depths, Game, Keyed, Outcome, Score, Table, Window};
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A position that consists only of its key. A move is its code.
#[derive(Clone, Copy, Debug)]
struct Key(u64);

impl Game for Key {
    type Move = u16;
    fn moves(&self, moves: &mut Vec<u16>) {
        moves.extend(1..=u16::MAX);
    }
    fn play(&mut self, _: u16) {}
    fn outcome(&self) -> Outcome {
        Outcome::Draw
    }
}

impl Keyed for Key {
    fn key(&self) -> u64 {
        self.0
    }
    fn code(&self, mv: u16) -> u16 {
        mv
    }
}

fn set(table: &mut Table, name: &str, value: i32) {
    let mut found = false;
    table.visit(&mut |parameter, place| {
        if parameter.name == name {
            (*place, found) = (value, true);
        }
    });
    assert!(found);
}

/// A search result: value and window, depths, and where it was found.
#[derive(Clone, Copy, Debug)]
struct Store {
    position: usize,
    ply: usize,
    value: Score,
    window: Window,
    depths: Depths,
    best: Option<u16>,
    standing: Option<Score>,
}

impl Store {
    fn found(&self) -> Found<u16> {
        Found {
            value: self.value,
            at_edge: self.window.clip(self.value),
            bound: self.window.bound(self.value),
            depths: self.depths,
            best: self.best,
            static_eval: self.standing,
            was_pv: false,
        }
    }
}

fn scores() -> impl Strategy<Value = Score> {
    prop_oneof![
        4 => (-40..40i32).prop_map(Score),
        1 => (-28_999..=28_999i32).prop_map(Score),
        1 => (0usize..200).prop_map(|n| Score::win_in(n + 200)),
        1 => (0usize..200).prop_map(|n| Score::loss_in(n + 200)),
    ]
}

fn stores() -> impl Strategy<Value = Store> {
    let depth =
        prop_oneof![(-500..20_000i32), (0..24_000 / 240).prop_map(|plies| plies * 240), (-480..960i32)];
    let window = (scores(), 1..60i32, 0..4u8).prop_map(|(alpha, width, open)| match open {
        0 => Window::FULL,
        1 => Window::above(alpha),
        _ => Window { alpha, beta: alpha + Score(width) },
    });
    let place = (0usize..12, 0usize..200);
    let value = prop_oneof![scores(), Just(Score(5))];
    (place, value, window, depth.clone(), depth, prop::option::of(1..9u16), prop::option::of(-50..50i32))
        .prop_map(|((position, ply), value, window, lower, upper, best, standing)| Store {
            position,
            ply,
            value,
            window,
            depths: Depths { lower: Depth(lower), upper: Depth(upper) },
            best,
            standing: standing.map(Score),
        })
}

/// All that was ever stored about a position, relative to it.
#[derive(Default)]
struct Shown {
    lower: Vec<(Score, Depth)>,
    upper: Vec<(Score, Depth)>,
    moves: Vec<u16>,
    standing: Vec<Score>,
}

/// Returns one of twelve positions that share two buckets of four entries, so that they replace each
/// other.
fn key(position: usize) -> Key {
    Key(if position < 6 { 1 << 60 } else { 3 << 61 } | ((position as u64 * 0x9e37_79b9) & 0xFFFF_FFFF))
}

fn probe(table: &Table, position: usize, ply: usize) -> Hit {
    Memory::<Key>::probe(table, &key(position), ply)
}

proptest! {
    #![proptest_config(cases(600))]

    /// Every bound of a hit was stored, at least as tightly, to at least that depth. Depths are rounded down
    /// to a 16th of a ply, which a table that is not strict gives back. Wins and losses count from the node
    /// of the hit.
    #[test]
    fn a_hit_claims_nothing_that_was_not_shown(
        stores in prop::collection::vec(stores(), 1..60), strict in any::<bool>(), keep in 0..9i32,
        age in 0usize..60,
    ) {
        let mut table = Table::new(1).unwrap();
        if strict {
            table = table.strict();
        }
        set(&mut table, "keep", keep);
        let mut shown: HashMap<usize, Shown> = HashMap::new();
        for (i, store) in stores.iter().enumerate() {
            if i == age {
                Memory::<Key>::begin_search(&table);
            }
            let found = store.found();
            Memory::<Key>::store(&table, &key(store.position), store.ply, &found);
            let claim = if strict { found.at_edge } else { found.value }.at_node(store.ply);
            let at = shown.entry(store.position).or_default();
            // A plan's depth below a node cannot be negative: a negative remaining depth is at least 0.
            let depth = |depth: Depth| depth.max(Depth::ZERO);
            if found.bound != Bound::Upper {
                at.lower.push((claim, depth(store.depths.lower)));
            }
            if found.bound != Bound::Lower {
                at.upper.push((claim, depth(store.depths.upper)));
            }
            at.moves.extend(store.best);
            at.standing.extend(store.standing);

            for position in 0..12 {
                let ply = (store.ply + 3 * i) % 200;
                let hit = probe(&table, position, ply);
                if hit == Hit::NONE {
                    continue;
                }
                let at = shown.get(&position).expect("a hit for something stored");
                let given_back = if strict { Depth::ZERO } else { Depth(Depth::PLY.0 / 16 - 1) };
                let deep = |hit: Depth, shown: Depth| hit - given_back <= shown;
                if hit.depths.lower >= Depth::ZERO {
                    let lower = hit.lower.at_node(ply);
                    prop_assert!(
                        at.lower.iter().any(|(v, d)| *v >= lower && deep(hit.depths.lower, *d)),
                        "{:?}", hit
                    );
                    prop_assert_eq!((hit.depths.lower - given_back).0 % (Depth::PLY.0 / 16), 0);
                }
                if hit.depths.upper >= Depth::ZERO {
                    let upper = hit.upper.at_node(ply);
                    prop_assert!(
                        at.upper.iter().any(|(v, d)| *v <= upper && deep(hit.depths.upper, *d)),
                        "{:?}", hit
                    );
                }
                prop_assert!(
                    hit.lower <= hit.upper
                        || hit.depths.lower < Depth::ZERO
                        || hit.depths.upper < Depth::ZERO
                );
                prop_assert!(hit.mv == 0 || at.moves.contains(&hit.mv));
                prop_assert!(hit.static_eval.is_none_or(|s| at.standing.contains(&s)));
            }

            // What has just been stored is found, to within a 16th of a ply, unless a deeper entry
            // stays.
            let hit = probe(&table, store.position, store.ply);
            prop_assert!(hit != Hit::NONE);
            let sixteenth = Depth(Depth::PLY.0 / 16);
            let least = |d: Depth| d.max(Depth::ZERO).0.min(4094 * sixteenth.0);
            if found.bound != Bound::Upper {
                prop_assert!(hit.depths.lower.0 > least(store.depths.lower) - sixteenth.0);
            }
            if found.bound != Bound::Lower {
                prop_assert!(hit.depths.upper.0 > least(store.depths.upper) - sixteenth.0);
            }
            if found.bound == Bound::Exact {
                prop_assert_eq!((hit.lower, hit.upper), (store.value, store.value));
            }
            prop_assert!(store.best.is_none_or(|mv| hit.mv == mv));
        }
    }

    /// A hit is an answer only as far as its bounds show, to the required depth of each side's own plan.
    #[test]
    fn an_answer_owes_nothing(
        store in stores(), window in (-40..40i32, 1..30i32), remaining in (0..20_000i32, 0..20_000i32),
    ) {
        let table = Table::new(1).unwrap().strict();
        let found = store.found();
        Memory::<Key>::store(&table, &key(store.position), store.ply, &found);
        let window = Window::new(Score(window.0), Score(window.0 + window.1));
        let remaining = Depths { lower: Depth(remaining.0), upper: Depth(remaining.1) };
        let hit = probe(&table, store.position, store.ply);
        let claim = found.at_edge;
        let (low, high) = (found.bound != Bound::Upper, found.bound != Bound::Lower);
        match hit.answer(window, |_| remaining) {
            Some(value) => match window.bound(value) {
                Bound::Lower => {
                    prop_assert!(low && claim >= window.beta && store.depths.lower >= remaining.lower)
                }
                Bound::Upper => {
                    prop_assert!(high && claim <= window.alpha && store.depths.upper >= remaining.upper)
                }
                Bound::Exact => prop_assert!(
                    low && high && value == claim
                        && store.depths.lower >= remaining.lower && store.depths.upper >= remaining.upper
                ),
            },
            None => {
                // An entry with a 16th of a ply to spare is not refused.
                let spare = |have: Depth, remaining: Depth| {
                    have.0 >= remaining.0 + Depth::PLY.0 / 16 && have.0 <= 60_000
                };
                prop_assert!(!(low && claim >= window.beta && spare(store.depths.lower, remaining.lower)));
                prop_assert!(!(high && claim <= window.alpha && spare(store.depths.upper, remaining.upper)));
            }
        }
    }

    /// A window is narrowed exactly by those bounds that are deep enough. The narrowed window contains
    /// every value that window and bounds permit.
    #[test]
    fn a_hit_narrows_by_what_was_shown(
        bounds in (-40..40i32, -40..40i32), depths in (0..10i32, 0..10i32), window in (-40..40i32, 1..30i32),
        remaining in (0..10i32, 0..10i32),
    ) {
        let plies = |(lower, upper)| Depths { lower: Depth::plies(lower), upper: Depth::plies(upper) };
        let (lower, upper) = (Score(bounds.0.min(bounds.1)), Score(bounds.0.max(bounds.1)));
        let hit = Hit { lower, upper, depths: plies(depths), ..Hit::NONE };
        let (window, remaining) =
            (Window::new(Score(window.0), Score(window.0 + window.1)), plies(remaining));
        let narrow = hit.narrow(window, |_| remaining);
        let (low, high) = (hit.depths.lower >= remaining.lower, hit.depths.upper >= remaining.upper);
        prop_assert_eq!(narrow.alpha, if low { window.alpha.max(lower) } else { window.alpha });
        prop_assert_eq!(narrow.beta, if high { window.beta.min(upper) } else { window.beta });
        // The window is empty exactly where the hit is an answer.
        prop_assert_eq!(narrow.alpha >= narrow.beta, hit.answer(window, |_| remaining).is_some());
        prop_assert_eq!(Hit::NONE.narrow(window, |_| remaining), window);
    }

    /// A win in n plies from a node is stored as such, and found as a win from any other root.
    #[test]
    fn wins_and_losses_count_from_the_node(n in 0usize..150, there in 0usize..150, here in 0usize..150) {
        let table = Table::new(1).unwrap();
        for value in [Score::win_in(n + there), Score::loss_in(n + there)] {
            let depths = Depths::both(Depth::PLY);
            let (bound, best, static_eval) = (Bound::Exact, None, None);
            let found = Found { value, at_edge: value, bound, depths, best, static_eval, was_pv: false };
            Memory::<Key>::store(&table, &Key(7), there, &found);
            let hit = Memory::<Key>::probe(&table, &Key(7), here);
            let expected = if value.is_win() { Score::win_in(n + here) } else { Score::loss_in(n + here) };
            prop_assert_eq!((hit.lower, hit.upper), (expected, expected));
        }
    }
}

/// Contradicting bounds of two searches are not kept together.
#[test]
fn contradictions_are_forgotten() {
    let table = Table::new(1).unwrap();
    let store = |value: i32, window: (i32, i32), plies: i32| {
        let window = Window::new(Score(window.0), Score(window.1));
        let value = Score(value);
        let (at_edge, bound) = (window.clip(value), window.bound(value));
        let depths = Depths::both(Depth::plies(plies));
        let found = Found { value, at_edge, bound, depths, best: None, static_eval: None, was_pv: false };
        Memory::<Key>::store(&table, &Key(1), 0, &found);
        Memory::<Key>::probe(&table, &Key(1), 0)
    };
    assert_eq!(store(10, (0, 10), 3).lower, Score(10));
    let hit = store(5, (5, 20), 4); // at most 5, after "at least 10"
    assert_eq!((hit.upper, hit.depths.upper.whole_plies()), (Score(5), 4));
    assert!(hit.depths.lower < Depth::ZERO);
    let hit = store(7, (0, 7), 4); // and at least 7 again
    assert_eq!(hit.lower, Score(7));
    assert!(hit.depths.upper < Depth::ZERO);
}

#[test]
fn clear_forgets_and_age_does_not() {
    let table = Table::new(1).unwrap();
    let depths = Depths::both(Depth::PLY);
    let found = Found {
        value: Score(3),
        at_edge: Score(3),
        bound: Bound::Exact,
        depths,
        best: Some(4),
        static_eval: None,
        was_pv: false,
    };
    let single = SingleBound::new(1).unwrap();
    // Few, many, none, and few again: clearing touches only what was written.
    for count in [3, 5000, 0, 1] {
        let keys = || (0..count as u64).map(|key| Key(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        for key in keys() {
            Memory::<Key>::store(&table, &key, 0, &found);
            Memory::<Key>::store(&single, &key, 0, &found);
        }
        Memory::<Key>::begin_search(&table);
        let known = || {
            let known = |probe: &dyn Fn(&Key) -> Hit| keys().filter(|key| probe(key).mv == 4).count();
            [known(&|key| table.probe(key, 0)), known(&|key| single.probe(key, 0))]
        };
        let all = known();
        assert!(all.iter().all(|known| *known >= count - count / 10), "{all:?} of {count}");
        table.clear();
        single.clear();
        assert_eq!(known(), [0, 0]);
        assert_eq!((table.permille_full(), single.permille_full()), (0, 0));
    }
}

/// A position that was on the principal variation stays marked, whatever is stored of it later and however
/// old it gets. The mark touches nothing else.
#[test]
fn the_mark_of_the_principal_variation_stays() {
    let table = Table::new(1).unwrap();
    let (depths, bound) = (Depths::both(Depth::plies(3)), Bound::Exact);
    let found = |value, was_pv| {
        let static_eval = Some(Score(5));
        Found {
            value: Score(value),
            at_edge: Score(value),
            bound,
            depths,
            best: Some(4),
            static_eval,
            was_pv,
        }
    };
    let keys = [1, 2, 3, 4, 5, 6, 7, 8].map(|place| Key(place << 50));
    for round in 0..300 {
        for (key, marked) in keys.iter().zip([true, false].into_iter().cycle()) {
            Memory::<Key>::store(&table, key, 0, &found(round, marked && round == 0));
            let hit = table.probe(key, 0);
            assert_eq!((hit.was_pv, hit.lower, hit.upper), (marked, Score(round), Score(round)));
            let plies = [hit.depths.lower, hit.depths.upper].map(Depth::whole_plies);
            assert_eq!((hit.mv, plies, hit.static_eval), (4, [3; 2], Some(Score(5))));
        }
        assert!(table.permille_full() > 0, "all are of this search");
        Memory::<Key>::begin_search(&table);
        assert_eq!(table.permille_full(), 0);
    }
    table.clear();
    assert!(!table.probe(&keys[0], 0).was_pv);
}

/// A move is marked from the beginning to the end of its search, or until a thread abandons the search.
/// Nodes are shared only between several threads.
#[test]
fn threads_mark_what_they_search() {
    let table = Table::new(1).unwrap();
    let sharing = || Memory::<Key>::sharing(&table);
    let searched = |key, mv| sharing().is_searched(&Key(key), mv);
    let divides = |plies| Sharing::<Key>::divides(sharing(), Depth::plies(plies));
    let begin_search = |threads| Sharing::<Key>::begin_search(sharing(), threads);
    assert!(!divides(20));
    begin_search(2);
    assert!(divides(3) && !divides(2));
    sharing().begin(&Key(1 << 20), 7);
    assert!(searched(1 << 20, 7) && !searched(1 << 20, 8) && !searched(2 << 20, 7));
    sharing().end(&Key(1 << 20), 7);
    assert!(!searched(1 << 20, 7));
    let leave: [&dyn Fn(); 2] = [&|| Sharing::<Key>::abandon(sharing()), &|| begin_search(2)];
    for leave in leave {
        sharing().begin(&Key(1 << 20), 7);
        leave();
        assert!(!searched(1 << 20, 7));
    }
    begin_search(1);
    assert!(!divides(20));
}

/// Threads write entries for a few keys of one bucket, each with a fixed pattern. A reader must not
/// accept a mixture of two patterns.
fn hammer(patterns: &[(u64, Found<u16>)]) {
    let mut table = Table::new(1).unwrap();
    set(&mut table, "keep", 100);
    let (stop, start) = (AtomicBool::new(false), Barrier::new(3));
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (table, stop, start) = (table.clone(), &stop, &start);
            scope.spawn(move || {
                start.wait();
                for (key, found) in patterns.iter().skip(thread).step_by(2).cycle() {
                    if stop.load(Relaxed) {
                        break;
                    }
                    Memory::<Key>::store(&table, &Key(*key), 0, found);
                }
            });
        }
        start.wait();
        let (mut hits, mut consistent) = (0, true);
        for i in 0..40_000_000 {
            let (key, _) = patterns[i % patterns.len()];
            let hit = Memory::<Key>::probe(&table, &Key(key), 0);
            if hit == Hit::NONE {
                continue;
            }
            hits += 1;
            consistent &= patterns.iter().filter(|p| p.0 == key).any(|(_, found)| {
                hit.upper == found.value
                    && hit.depths.upper.whole_plies() == found.depths.upper.whole_plies()
                    && Some(hit.mv) == found.best
            });
            if hits == 10_000_000 || !consistent {
                break;
            }
        }
        stop.store(true, Relaxed);
        assert!(consistent, "a hit mixes two entries");
        assert!(hits > 1_000, "{hits} hits say little");
    });
}

fn at_most(value: i32, plies: i32, mv: u16) -> Found<u16> {
    let depths = Depths::both(Depth::plies(plies));
    let value = Score(value);
    Found {
        value,
        at_edge: value,
        bound: Bound::Upper,
        depths,
        best: Some(mv),
        static_eval: None,
        was_pv: false,
    }
}

#[test]
fn torn_entries_of_two_positions_do_not_verify() {
    let patterns: Vec<_> = (0..6u16)
        .map(|i| ((5 << 60) | (u64::from(i) * 77), at_most(i32::from(i) * 10, 2 * i32::from(i), i + 1)))
        .collect();
    hammer(&patterns);
}

/// With two results for one position, the verification must bind the depths to the bounds.
#[test]
fn torn_entries_of_one_position_do_not_verify() {
    hammer(&[(9 << 59, at_most(10, 2, 4)), (9 << 59, at_most(11, 9, 5))]);
    hammer(&[(9 << 59, at_most(10, 2, 4)), (9 << 59, at_most(10, 9, 4))]);
    hammer(&[(9 << 59, at_most(-70, 12, 300)), (9 << 59, at_most(40, 1, 77))]);
}

/// The requirement of the table on a game: different moves of a position have different codes.
#[test]
fn a_remembered_move_is_found_again() {
    let root = Rules { ends: 0, ..Rules::default() }.root();
    let table = Table::new(1).unwrap();
    for mv in crate::common::moves(&root) {
        let found = Found {
            value: Score(0),
            at_edge: Score(0),
            bound: Bound::Exact,
            depths: Depths::both(Depth::PLY),
            best: Some(mv),
            static_eval: Some(Score(-7)),
            was_pv: false,
        };
        table.store(&root, 0, &found);
        let hit = table.probe(&root, 0);
        assert_eq!(hit.static_eval, Some(Score(-7)));
        for other in crate::common::moves(&root) {
            assert_eq!(table.names(hit.mv, &root, other), other == mv);
        }
    }
}

/// A depth is rounded when it is stored. What is searched again to the same depth is found all the same; in a
/// strict table it is searched again.
#[test]
fn the_same_depth_is_found() {
    let depth = Depth(Depth::plies(7).0 + 37);
    for (table, answers) in [(Table::new(1).unwrap(), true), (Table::new(1).unwrap().strict(), false)] {
        Memory::<Key>::store(&table, &Key(1), 0, &Found { depths: Depths::both(depth), ..at_most(5, 7, 3) });
        let hit = Memory::<Key>::probe(&table, &Key(1), 0);
        let answer = |depth| hit.answer(Window::above(Score(5)), |_| Depths::both(depth));
        assert_eq!(answer(depth), answers.then_some(Score(5)));
        assert_eq!(answer(depth + Depth(Depth::PLY.0 / 16)), None);
        assert_eq!(answer(Depth::plies(7)), Some(Score(5)));
        // There is no lower bound: it is no mate either.
        assert_eq!(hit.lower, -Score::INFINITE);
    }
}
