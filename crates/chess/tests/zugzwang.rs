//! Where a pass is worth more than any move: what null move makes of it, and what its guard mends.

use cassius_chess::{Evaluator, Position};
use cassius_search::{
    Captures, Checks, Component, Depth, Killers, MinimalWindow, Node, NoisyFirst, NullMove, Off, Pass as _,
    Passing, Plies, Recipe, Repetition, Request, Score, Slots, Table, Unlimited, search,
};
use std::marker::PhantomData;

/// A pass wherever the side to move is not in check, or only where the game's guard allows one.
#[derive(Default)]
struct Pass<const GUARDED: bool>;

impl<const GUARDED: bool> Component for Pass<GUARDED> {
    const NAME: &'static str = "Pass";
}

impl<const GUARDED: bool> Passing<Position> for Pass<GUARDED> {
    fn pass(&self, node: &Node<'_, Position>) -> Option<(Position, Depth)> {
        let (position, beta) = (node.position, node.window.beta);
        let allowed = if GUARDED { position.may_pass() } else { !position.in_check() };
        let tried =
            allowed && node.high >= Depth::plies(2) && node.standing >= beta && beta > -Score::MAX_ESTIMATE;
        tried.then(|| {
            let mut child = position.clone();
            child.pass();
            (child, Depth::plies(2))
        })
    }
}

/// Alpha-beta with quiescence, a table, an order – and this way to pass.
struct Passes<N>(PhantomData<N>);

impl<N: Passing<Position>> Recipe<Position> for Passes<N> {
    type Evaluate = Evaluator;
    type Observe = Off;
    type Draws = Repetition;
    type Horizon = Plies;
    type Quiescence = Captures;
    type Memory = Table;
    type Knowledge = Off;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = N;
    type Order = (NoisyFirst, Killers);
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = MinimalWindow;
    type Aspiration = Off;
    type Deepening = Off;
}

/// Value and best move of a search to a depth.
fn solve<N: Passing<Position> + Default>(fen: &str, depth: usize) -> (Score, String) {
    let position: Position = fen.parse().unwrap();
    let table = Table::new(1).unwrap();
    let mut slots = Slots::<Position, Passes<N>>::new(Evaluator::new(), table, Off);
    let answer = search(&mut slots, &Request::new(&position, &Unlimited).to_iteration(depth), &mut |_| {});
    (answer.score().unwrap(), answer.best().unwrap().to_string())
}

/// Endings of pawns alone, and depths at which a pass makes a difference. The guard forbids every pass
/// until a pawn has promoted.
const PAWNS: [(&str, usize); 5] = [
    ("8/8/8/8/3p4/3P1k2/8/4K3 w - - 0 1", 9),
    ("8/8/3k4/3P4/3K4/8/8/8 w - - 0 1", 9),
    ("8/8/1k6/p1p5/P1P5/1K6/8/8 w - - 0 1", 9),
    ("8/8/8/2k5/p1p5/P1P5/1K6/8 b - - 0 1", 7),
    ("k7/8/K1P5/8/8/8/8/8 w - - 0 1", 7),
];

#[test]
fn the_guard_mends_what_a_pass_spoils_in_pawn_endings() {
    for (fen, depth) in PAWNS {
        let right = solve::<Off>(fen, depth);
        assert_ne!(solve::<Pass<false>>(fen, depth).0, right.0, "{fen}");
        assert_eq!(solve::<Pass<true>>(fen, depth), right, "{fen}");
        assert_eq!(solve::<NullMove>(fen, depth), right, "{fen}");
    }
}

/// White waits, for whatever Black moves loses something. Both have pieces, so that the guard sees no danger.
#[test]
fn the_guard_does_not_see_zugzwang_with_pieces() {
    let fen = "1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1";
    let (value, best) = solve::<Off>(fen, 5);
    assert_eq!(best, "g5h6", "the waiting move");
    let (guarded, other) = solve::<NullMove>(fen, 5);
    assert!(guarded < value && other != best, "{guarded:?} {other}");
}
