//! The horizon example of Eppstein 1999: Black's bishop on a2 is lost, and checks by pawns push its loss beyond the
//! horizon of a search to a fixed depth, at the price of the pawns.

use cassius_chess::{Move, Position};
use cassius_search::{
    CheckReplies, Component, Coupled, Discounted, DualCredit, Evaluate, ExtendHorizon, Game as _, History,
    Horizon, Interest, Killers, Likelihood, MinimalWindow, NodeKind, Noisy as _, NoisyFirst, Off, Plies,
    Quiescence, Recipe, Repetition, Request, Score, Sex, Slots, Stopped, UncountedChecks, Unlimited, Window,
    Worker, search,
};
use shakmaty::Role;
use std::marker::PhantomData;

/// The notes' diagram is lost; this is a position as they describe it. If the bishop takes b3 and is taken, White has
/// three connected passed pawns; the rook goes by h1, a1 to a2.
const EXAMPLE: &str = "8/5k2/8/3p1p2/4p3/1P6/b1PK3R/8 b - - 0 1";

/// Pawns, as beginners count them.
struct Material;

impl Evaluate<Position> for Material {
    fn evaluate(&mut self, position: &Position) -> Score {
        let values =
            [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
        let board = position.board();
        let of = |color| -> i32 {
            values
                .iter()
                .map(|&(role, value)| value * (board.by_role(role) & board.by_color(color)).count() as i32)
                .sum()
        };
        Score(of(position.turn()) - of(position.turn().other()))
    }
}

/// Stand pat, also in check, or capture; promotions are not tried.
#[derive(Clone, Default)]
struct StandPat;

impl Component for StandPat {
    const NAME: &'static str = "StandPat";
}

impl Quiescence<Position> for StandPat {
    fn value<R: Recipe<Position>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, Position, R>,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if position.is_over() {
            return Ok(position.outcome().score(ply));
        }
        let mut best = worker.evaluate(position);
        let mut moves = Vec::new();
        position.noisy_moves(&mut moves);
        for mv in moves.into_iter().filter(|mv| mv.is_capture()) {
            if best >= window.beta {
                break;
            }
            let mut child = position.clone();
            child.play(mv);
            worker.count(ply + 1)?;
            let below = Window::new(window.alpha.max(best), window.beta).flip();
            best = best.max(-self.value::<R, N>(worker, &child, below, ply + 1)?);
        }
        Ok(best)
    }
}

/// A search to a fixed depth with quiescence by captures: nothing selective.
struct FullWidth<H>(PhantomData<H>);

impl<H: Horizon<Position>> Recipe<Position> for FullWidth<H> {
    type Evaluate = Material;
    type Observe = Off;
    type Draws = Repetition;
    type Horizon = H;
    type Quiescence = StandPat;
    type Memory = Off;
    type Knowledge = Off;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type Order = (NoisyFirst, Killers, History);
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = MinimalWindow;
    type Aspiration = Off;
    type Deepening = Off;
}

/// What each of Black's moves changes of the material, by a search to so many plies.
fn changes<H: Horizon<Position> + Default>(plies: usize, set: impl Fn(&mut H)) -> Vec<(Move, i32)> {
    let position: Position = EXAMPLE.parse().expect("a position");
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let now = Material.evaluate(&position);
    let value = |&mv: &Move| {
        let mut slots: Slots<Position, FullWidth<H>> = Slots::new(Material, Off, Off);
        set(&mut slots.horizon);
        let only = [mv];
        let request = Request { moves: &only, ..Request::new(&position, &Unlimited).to_iteration(plies) };
        let answer = search(&mut slots, &request, &mut |_| {});
        (mv, (answer.score().expect("a line") - now).0)
    };
    moves.iter().map(value).collect()
}

/// The pawn check's change, and the best of the others.
fn choice<H: Horizon<Position> + Default>(plies: usize, set: impl Fn(&mut H)) -> (i32, i32) {
    let best = |is_check: bool| {
        let of = changes(plies, &set).into_iter().filter(|(mv, _)| (mv.to_string() == "e4e3") == is_check);
        of.map(|(_, change)| change).max().expect("a move")
    };
    (best(true), best(false))
}

#[test]
fn a_fixed_depth_throws_a_pawn_away() {
    // The loss is not seen; then it is, but for the check, after which it is one ply too far; then always.
    let by_depth = [(3, (-1, 0)), (4, (-1, 0)), (5, (-1, -2)), (6, (-1, -2)), (7, (-2, -2))];
    for (plies, expected) in by_depth {
        assert_eq!(choice::<Plies>(plies, |_| {}), expected, "{plies} plies");
    }
}

/// With forced lines searched deeper the check gains nothing at the depth at which it was preferred.
#[test]
fn other_depth_rules_see_through_it() {
    type Uncounted = Discounted<(CheckReplies, UncountedChecks), Plies>;
    let uncounted = |rule: &mut Uncounted| (rule.discount.1.answers, rule.discount.1.most) = (20, 2);
    assert_eq!(choice(5, uncounted), (-2, -2));
    assert_eq!(choice::<Discounted<ExtendHorizon, Plies>>(5, |_| {}), (-2, -2));
    assert_eq!(choice::<Sex>(5, |_| {}), (-2, -2));
}

/// Not all do: replies alone are too few, and with ever so many free checks White's own hide the loss again.
#[test]
fn not_all_do() {
    type Uncounted = Discounted<(CheckReplies, UncountedChecks), Plies>;
    let uncounted = |rule: &mut Uncounted| (rule.discount.1.answers, rule.discount.1.most) = (20, 3);
    assert_eq!(choice(5, uncounted), (-1, -2));
    assert_eq!(choice::<Discounted<CheckReplies, Plies>>(5, |_| {}), (-1, -2));
    assert_eq!(choice::<Discounted<Interest, Plies>>(5, |_| {}), (-1, -2));
    assert_eq!(choice::<Likelihood>(5, |_| {}), (-1, -2));
    assert_eq!(choice::<DualCredit>(5, |_| {}), (-1, -2));
    assert_eq!(choice::<Coupled>(5, |_| {}), (-1, -2));
}
