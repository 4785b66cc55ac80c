//! Measures the cost of one static evaluation.

use cassius_chess::{Evaluator, Position};
use cassius_search::Evaluate;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const POSITIONS: [&str; 8] = [
    "startpos",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 4 9",
    "2kr3r/pp1q1ppp/5n2/1Nb5/2Pp1B2/7Q/P4PPP/1R3RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/3bP2p/1r1B3P/6P1/R4PK1/8 w - - 3 41",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 50",
];

fn evaluation(criterion: &mut Criterion) {
    let positions: Vec<Position> = POSITIONS.map(|fen| fen.parse().unwrap()).into();
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));

    let mut evaluator = Evaluator::new();
    group.bench_function("pawns and material known", |bench| {
        bench.iter(|| {
            for position in &positions {
                black_box(Evaluate::evaluate(&mut evaluator, black_box(position)));
            }
        })
    });
    group.bench_function("first sight", |bench| {
        bench.iter_batched_ref(
            Evaluator::new,
            |evaluator| {
                for position in &positions {
                    black_box(Evaluate::evaluate(evaluator, black_box(position)));
                }
            },
            criterion::BatchSize::LargeInput,
        )
    });
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
