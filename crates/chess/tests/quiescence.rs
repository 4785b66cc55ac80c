//! The widened quiescence search in chess: what is hung and what threatens, and the two positions of Kaindl 1983.

use cassius_chess::{Evaluator, Move, Position};
use cassius_search::{
    Captures, CheckReplies, Checks as _, Component, Depth, Evaluate as _, Game as _, Horizon, Hung as _,
    HungMoves, KillerMoves, Killers, MateThreat, MinimalWindow, NoisyFirst, Off, PassWhenHung, Plies,
    PromotionThreat, Quiescence, QuietChecks, Recipe, Repetition, Report, Request, Score, Slots, Step,
    Threat, Threats as _, TreeRecorder, Unlimited, Widened, Window, search,
};
use std::marker::PhantomData;

/// Alpha-beta with killers, no table, nothing selective: the search of the paper.
struct Paper<H, Q>(PhantomData<(H, Q)>);

impl<H: Horizon<Position>, Q: Quiescence<Position>> Recipe<Position> for Paper<H, Q> {
    type Evaluate = Evaluator;
    type Observe = TreeRecorder<Position>;
    type Draws = Repetition;
    type Horizon = H;
    type Quiescence = Q;
    type Memory = Off;
    type Knowledge = Off;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type Order = (NoisyFirst, Killers);
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = MinimalWindow;
    type Aspiration = Off;
}

struct Said {
    score: Score,
    pv: String,
    nodes: u64,
}

fn run<H, Q>(slots: &mut Slots<Position, Paper<H, Q>>, fen: &str, iterations: usize) -> Said
where
    H: Horizon<Position>,
    Q: Quiescence<Position>,
{
    let position: Position = fen.parse().unwrap();
    let mut last: Option<Report<Move>> = None;
    let request = Request::new(&position, &Unlimited).to_iteration(iterations);
    let answer = search(slots, &request, &mut |report| last = Some(report.clone()));
    let pv: Vec<String> = last.unwrap().pv.iter().map(Move::to_string).collect();
    Said { score: answer.score().unwrap(), pv: pv.join(" "), nodes: answer.nodes }
}

fn slots<H: Default + Horizon<Position>, Q: Default + Quiescence<Position>>() -> Slots<Position, Paper<H, Q>>
{
    Slots::new(Evaluator::new(), Off, Off)
}

const FIGURE_1: &str = "R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1";
const FIGURE_2: &str = "2b3k1/4rrpp/p2p4/2pP2RQ/1pP1Pp1N/1P3P1P/1q6/6RK w - - 0 1";

#[test]
fn probe() {
    for n in 1..=3 {
        let mut s = slots::<CheckReplies<Plies>, Widened<KillerMoves, PromotionThreat>>();
        let said = run(&mut s, FIGURE_1, n);
        eprintln!("fig1 both {n}: {:?} {} {}", said.score, said.pv, said.nodes);
        let mut s = slots::<CheckReplies<Plies>, Widened<KillerMoves, Off>>();
        let said = run(&mut s, FIGURE_1, n);
        eprintln!("fig1 killers {n}: {:?} {} {}", said.score, said.pv, said.nodes);
        let mut s = slots::<CheckReplies<Plies>, Widened<Off, PromotionThreat>>();
        let said = run(&mut s, FIGURE_1, n);
        eprintln!("fig1 threat {n}: {:?} {} {}", said.score, said.pv, said.nodes);
        let mut s = slots::<CheckReplies<Plies>, Captures>();
        let said = run(&mut s, FIGURE_1, n);
        eprintln!("fig1 captures {n}: {:?} {} {}", said.score, said.pv, said.nodes);
        let mut s = slots::<Plies, Widened<KillerMoves, PromotionThreat>>();
        let said = run(&mut s, FIGURE_1, n);
        eprintln!("fig1 plies both {n}: {:?} {} {}", said.score, said.pv, said.nodes);
    }
    for every in [0, 1] {
        for n in 1..=3 {
            let mut s = slots::<CheckReplies<Plies>, Widened<Off, MateThreat>>();
            s.quiescence.standing.every_check = every;
            let said = run(&mut s, FIGURE_2, n);
            eprintln!("fig2 every {every} {n}: {:?} {} {}", said.score, said.pv, said.nodes);
        }
    }
}
