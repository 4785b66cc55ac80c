//! Measures the cost of each slot of the skeleton: empty, filled, and behind a run-time switch.
//!
//! `RUSTFLAGS=-Ctarget-cpu=x86-64-v3 cargo bench -p cassius-chess --bench slots`
//!
//! Instructions are counted by valgrind (it does not support AVX-512, hence the flag), so that the load of
//! the machine has no effect. For each slot four programs search the same six positions to the same depth:
//! the playing recipe without corrections, endgame tables and the rank of checks; with this slot behind a
//! [`Switch`] that is on (the same tree); behind one that is off; and with this slot [`Off`] (the same tree
//! as with the switch off). The last line compares the skeleton with every slot empty with a hand-written
//! alpha-beta. An argument after `--` sets another depth than the default.

use cassius_chess::{Position, evaluation::Evaluator};
use cassius_search::alpha_beta::aspiration::Aspiration;
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::order::Order;
use cassius_search::alpha_beta::order::{Continuation, Countermove, History, Killers, NoisyFirst};
use cassius_search::alpha_beta::quiescence::{Captures, Quiescence};
use cassius_search::alpha_beta::selectivity::{
    ExchangePruning, Futility, InternalReduction, LateMovePruning, LateMoveReduction, NullMove, Passing,
    Prune, Razoring, Reduce, ReduceNode, ReverseFutility, Singular, Skip,
};
use cassius_search::alpha_beta::selectivity::{Extend, Selectivity};
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow};
use cassius_search::{Evaluate, Game, Off, Recipe, Request, Score, Slots, Switch, Table, Unlimited};
use std::marker::PhantomData;
use std::process::{Command, exit};

const POSITIONS: [&str; 6] = [
    "startpos",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppp/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// The ways in which a slot can be filled.
trait How {
    type Of<C>;
}
struct Direct;
struct Switched;
struct Empty;
impl How for Direct {
    type Of<C> = C;
}
impl How for Switched {
    type Of<C> = Switch<C>;
}
impl How for Empty {
    type Of<C> = Off;
}

/// The playing recipe in plies, with each slot as a type parameter.
#[allow(clippy::type_complexity)]
struct Filled<Q, I, V, Z, N, O, M, F, X, S, L>(PhantomData<(Q, I, V, Z, N, O, M, F, X, S, L)>);

cassius_search::recipe! {
    impl [
        Q: How, I: How, V: How, Z: How, N: How, O: How, M: How, F: How, X: How, S: How, L: How
    ] Filled<Q, I, V, Z, N, O, M, F, X, S, L>, game Position, where [
        Q::Of<Captures>: Quiescence<Position>,
        I::Of<InternalReduction>: ReduceNode<Position>,
        V::Of<ReverseFutility>: Prune<Position>,
        Z::Of<Razoring>: Prune<Position>,
        N::Of<NullMove>: Passing<Position>,
        (NoisyFirst,
        Killers,
        O::Of<Countermove>,
        History,
        Continuation): Order<Position>,
        M::Of<LateMovePruning>: Skip<Position>,
        F::Of<Futility>: Skip<Position>,
        X::Of<ExchangePruning>: Skip<Position>,
        S::Of<Singular>: Extend<Position>,
        L::Of<LateMoveReduction>: Reduce<Position>,
    ] {
        Setting = (Evaluator, Repetition);
        Horizon = Plies;
        Quiescence = Q::Of<Captures>;
        Memory = Table;
        Selectivity = Selected<I, V, Z, N, M, F, X, S, L>;
        Order = (NoisyFirst, Killers, O::Of<Countermove>, History, Continuation);
        Windows = MinimalWindow;
        Aspiration = Aspiration;
    }
}

/// The selective components of [`Filled`].
#[allow(clippy::type_complexity)]
struct Selected<I, V, Z, N, M, F, X, S, L>(PhantomData<(I, V, Z, N, M, F, X, S, L)>);

impl<I: How, V: How, Z: How, N: How, M: How, F: How, X: How, S: How, L: How> Selectivity<Position>
    for Selected<I, V, Z, N, M, F, X, S, L>
where
    I::Of<InternalReduction>: ReduceNode<Position>,
    V::Of<ReverseFutility>: Prune<Position>,
    Z::Of<Razoring>: Prune<Position>,
    N::Of<NullMove>: Passing<Position>,
    M::Of<LateMovePruning>: Skip<Position>,
    F::Of<Futility>: Skip<Position>,
    X::Of<ExchangePruning>: Skip<Position>,
    S::Of<Singular>: Extend<Position>,
    L::Of<LateMoveReduction>: Reduce<Position>,
{
    type InternalReduction = I::Of<InternalReduction>;
    type ReverseFutility = V::Of<ReverseFutility>;
    type Razoring = Z::Of<Razoring>;
    type NullMove = N::Of<NullMove>;
    type ProbCut = Off;
    type LateMovePruning = M::Of<LateMovePruning>;
    type Futility = F::Of<Futility>;
    type ExchangePruning = X::Of<ExchangePruning>;
    type Extend = S::Of<Singular>;
    type LateMoveReduction = L::Of<LateMoveReduction>;
}

/// A recipe in which every slot that may be empty is empty.
struct Nothing;

cassius_search::recipe! {
    impl [] Nothing, game Position {
        Setting = (Evaluator, Off);
        Horizon = Plies;
        Windows = WholeWindow;
    }
}

/// Searches every position and returns the nodes.
macro_rules! searched {
    ($recipe:ty, $off:expr, $depth:expr) => {{
        let mut nodes = 0;
        for fen in POSITIONS {
            let table = Table::new(1).expect("a MiB");
            let mut slots = Slots::<Position, $recipe>::new(Evaluator::new(), table, Off);
            slots.visit(&mut |parameter, value| {
                if parameter.name == "on" && $off {
                    *value = 0;
                }
            });
            nodes += search(&mut slots, fen, $depth);
        }
        nodes
    }};
}

fn search<R>(slots: &mut Slots<Position, R>, fen: &str, depth: usize) -> u64
where
    R: Recipe<Position>,
{
    let position: Position = fen.parse().expect("a legal position");
    let request = Request::new(&position, &Unlimited).to_iteration(depth);
    cassius_search::search(slots, &request, &mut |_| {}).nodes
}

/// A hand-written alpha-beta search.
fn by_hand(
    evaluator: &mut Evaluator,
    position: &Position,
    mut alpha: Score,
    beta: Score,
    depth: usize,
    ply: usize,
    nodes: &mut u64,
) -> Score {
    *nodes += 1;
    if depth == 0 {
        return if position.is_over() {
            position.outcome().score(ply)
        } else {
            Evaluate::evaluate(evaluator, position)
        };
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.outcome().score(ply);
    }
    let mut best = -Score::INFINITE;
    for mv in moves {
        let mut child = position.clone();
        child.play(mv);
        let value = -by_hand(evaluator, &child, -beta, -alpha, depth - 1, ply + 1, nodes);
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// A variant: its name, and a function that searches to a depth.
type Variant = (String, Box<dyn Fn(usize) -> u64>);

fn variants() -> Vec<Variant> {
    type D = Direct;
    type S = Switched;
    let mut list: Vec<Variant> = Vec::new();
    macro_rules! variant {
        ($name:expr, $how:expr, $off:expr, $recipe:ty) => {
            list.push((format!("{}/{}", $name, $how), Box::new(|depth| searched!($recipe, $off, depth))));
        };
    }
    variant!("all", "direct", false, Filled<D, D, D, D, D, D, D, D, D, D, D>);
    macro_rules! slot {
        ($name:expr, $($how:ident),*) => {
            macro_rules! one {
                ($h:ty, $label:expr, $off:expr) => {{
                    type H = $h;
                    variant!($name, $label, $off, Filled<$($how),*>);
                }};
            }
            one!(Switched, "on", false);
            one!(Switched, "off", true);
            one!(Empty, "empty", false);
        };
    }
    slot!("Quiescence", H, D, D, D, D, D, D, D, D, D, D);
    slot!("InternalReduction", D, H, D, D, D, D, D, D, D, D, D);
    slot!("ReverseFutility", D, D, H, D, D, D, D, D, D, D, D);
    slot!("Razoring", D, D, D, H, D, D, D, D, D, D, D);
    slot!("NullMove", D, D, D, D, H, D, D, D, D, D, D);
    slot!("Order (one of five)", D, D, D, D, D, H, D, D, D, D, D);
    slot!("LateMovePruning", D, D, D, D, D, D, H, D, D, D, D);
    slot!("Futility", D, D, D, D, D, D, D, H, D, D, D);
    slot!("ExchangePruning", D, D, D, D, D, D, D, D, H, D, D);
    slot!("Extend", D, D, D, D, D, D, D, D, D, H, D);
    slot!("LateMoveReduction", D, D, D, D, D, D, D, D, D, D, H);
    variant!("all", "switched", false, Filled<S, S, S, S, S, S, S, S, S, S, S>);
    list.push((
        "skeleton/empty".into(),
        Box::new(|depth| {
            let search = |fen| {
                let mut slots = Slots::<Position, Nothing>::new(Evaluator::new(), Off, Off);
                search(&mut slots, fen, depth)
            };
            POSITIONS.into_iter().map(search).sum()
        }),
    ));
    list.push((
        "skeleton/by hand".into(),
        Box::new(|depth| {
            let mut nodes = 0;
            for fen in POSITIONS {
                let (mut evaluator, position) = (Evaluator::new(), fen.parse().expect("a legal position"));
                for depth in 1..=depth {
                    let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
                    by_hand(&mut evaluator, &position, alpha, beta, depth, 0, &mut nodes);
                }
            }
            nodes
        }),
    ));
    list
}

/// Returns instructions and nodes of one variant, as counted by valgrind in a separate process.
fn counted(name: &str, depth: usize) -> (f64, f64) {
    let program = std::env::current_exe().expect("this program has a path");
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["--one", name, &depth.to_string()])
        .output();
    let output = match run {
        Ok(output) if output.status.success() => output,
        Ok(output) => {
            eprintln!("slots: valgrind failed on '{name}': {}", String::from_utf8_lossy(&output.stderr));
            eprintln!("slots: set RUSTFLAGS=-Ctarget-cpu=x86-64-v3 if an instruction is unknown to it");
            exit(1);
        }
        Err(error) => {
            eprintln!("slots: cannot run valgrind, which counts the instructions: {error}");
            exit(1);
        }
    };
    let report = String::from_utf8_lossy(&output.stderr);
    let instructions = report.lines().find_map(|line| line.split_once("Collected : ")?.1.parse().ok());
    let nodes = String::from_utf8_lossy(&output.stdout).trim().parse().ok();
    (instructions.expect("callgrind's total"), nodes.expect("the number of nodes"))
}

/// Returns the instructions per node between two depths, so that the cost of program start cancels.
fn per_node(name: &str, depth: usize) -> (f64, f64) {
    let ((few, start), (many, end)) = (counted(name, 1), counted(name, depth));
    ((many - few) / (end - start), end)
}

/// Compares the trees without counting instructions. `cargo test` runs this.
fn the_trees_are_the_same(variants: &[Variant]) {
    let nodes = |name: &str| {
        let (_, run) = variants.iter().find(|(known, _)| known == name).expect("a known variant");
        run(3)
    };
    let direct = nodes("all/direct");
    for slot in variants.iter().filter_map(|(name, _)| name.strip_suffix("/off")) {
        assert_eq!(nodes(&format!("{slot}/on")), direct, "{slot}");
        assert_eq!(nodes(&format!("{slot}/off")), nodes(&format!("{slot}/empty")), "{slot}");
    }
    println!("every switch leaves the tree as it is; `cargo bench` counts what it costs");
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let variants = variants();
    if let [_, flag, name, depth] = &args[..]
        && flag == "--one"
    {
        let depth = depth.parse().expect("a depth");
        let (_, run) = variants.iter().find(|(known, _)| known == name).expect("a known variant");
        println!("{}", run(depth));
        return;
    }
    if !args.iter().any(|arg| arg == "--bench") {
        return the_trees_are_the_same(&variants);
    }
    let depth = args.iter().filter_map(|arg| arg.parse().ok()).next().unwrap_or(6);

    let (direct, nodes) = per_node("all/direct", depth);
    println!(
        "Instructions a node, six positions to depth {depth}; the playing recipe: {direct:.0} ({nodes} nodes)"
    );
    println!("{:22} {:>12} {:>8}   {:>10} {:>10} {:>8}", "slot", "switch on", "", "switch off", "empty", "");
    let slots: Vec<&str> = variants.iter().filter_map(|(name, _)| name.strip_suffix("/empty")).collect();
    for slot in slots.into_iter().filter(|&slot| slot != "skeleton") {
        let (on, same) = per_node(&format!("{slot}/on"), depth);
        assert_eq!(same, nodes, "{slot}: a switch that is on must not change the tree");
        let (off, left) = per_node(&format!("{slot}/off"), depth);
        let (empty, same) = per_node(&format!("{slot}/empty"), depth);
        assert_eq!(same, left, "{slot}: a switch that is off must leave the tree of the empty slot");
        let more = |of: f64, than: f64| 100.0 * (of / than - 1.0);
        println!(
            "{slot:22} {on:>12.0} {:>+7.2}%   {off:>10.0} {empty:>10.0} {:>+7.2}%",
            more(on, direct),
            more(off, empty)
        );
    }
    let (all, same) = per_node("all/switched", depth);
    assert_eq!(same, nodes, "switches that are on must not change the tree");
    println!("{:22} {all:>12.0} {:>+7.2}%", "all eleven at once", 100.0 * (all / direct - 1.0));

    let shallow = depth.min(4);
    let ((hand, nodes), (skeleton, same)) =
        (per_node("skeleton/by hand", shallow), per_node("skeleton/empty", shallow));
    println!(
        "Alpha-beta by hand {hand:.0}, the skeleton with every slot empty {skeleton:.0}: \
         {:+.2}%  ({nodes} and {same} nodes, depth {shallow})",
        100.0 * (skeleton / hand - 1.0)
    );
}
