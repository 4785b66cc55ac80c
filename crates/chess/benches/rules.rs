//! Measures the cost of a node without its evaluation: moves, play, key, exchange.

use cassius_chess::{Position, perft};
use cassius_search::{Checks, Game, Keyed, Noisy, Score};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::Position as _;
use std::hint::black_box;

const POSITIONS: [&str; 6] = [
    "startpos",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 4 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/3bP2p/1r1B3P/6P1/R4PK1/8 w - - 3 41",
];

fn rules(criterion: &mut Criterion) {
    let positions: Vec<Position> = POSITIONS.map(|fen| fen.parse().unwrap()).into();
    let listed: Vec<_> =
        positions.iter().map(|position| (position.clone(), position.legal_moves())).collect();
    let moves_in_all: usize = listed.iter().map(|(_, moves)| moves.len()).sum();

    let mut group = criterion.benchmark_group("list");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut moves = Vec::with_capacity(256);
    group.bench_function("moves", |bench| {
        bench.iter(|| {
            for position in &positions {
                moves.clear();
                black_box(position).moves(&mut moves);
                black_box(&moves);
            }
        })
    });
    group.bench_function("noisy moves", |bench| {
        bench.iter(|| {
            for position in &positions {
                moves.clear();
                black_box(position).noisy_moves(&mut moves);
                black_box(&moves);
            }
        })
    });
    let chess: Vec<shakmaty::Chess> = positions.iter().map(Position::to_chess).collect();
    group.bench_function("shakmaty moves", |bench| {
        bench.iter(|| {
            for position in &chess {
                black_box(black_box(position).legal_moves());
            }
        })
    });
    group.finish();

    let mut group = criterion.benchmark_group("move");
    group.throughput(Throughput::Elements(moves_in_all as u64));
    group.bench_function("copy, play, key, check", |bench| {
        bench.iter(|| {
            for (position, moves) in &listed {
                for mv in moves {
                    let mut next = black_box(position).clone();
                    next.play(*mv);
                    black_box((next.key(), next.in_check(), &next));
                }
            }
        })
    });
    group.bench_function("shakmaty copy, play, check", |bench| {
        bench.iter(|| {
            for (position, (_, moves)) in chess.iter().zip(&listed) {
                for mv in moves {
                    let mut next = black_box(position).clone();
                    next.play_unchecked((*mv).into());
                    black_box((next.is_check(), &next));
                }
            }
        })
    });
    group.bench_function("exchange at least 0", |bench| {
        bench.iter(|| {
            for (position, moves) in &listed {
                for mv in moves {
                    black_box(black_box(position).exchange_at_least(*mv, Score(0)));
                }
            }
        })
    });
    group.finish();

    let kiwipete = &positions[1];
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    group.throughput(Throughput::Elements(4_085_603));
    group.bench_function("kiwipete 4", |bench| bench.iter(|| perft(black_box(kiwipete), 4)));
    group.finish();
}

criterion_group!(benches, rules);
criterion_main!(benches);
