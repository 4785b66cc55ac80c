//! Compares this library with the crate `minimax` 0.6: Connect Four from the empty board to a fixed
//! depth.
//!
//! Both search the same board with the same evaluation, the same order of moves at generation and a
//! table of 64 MiB, on one thread, iterating from depth 1. Both must find the same value. `cargo bench
//! -p cassius-games --bench connect4`; an argument after `--` sets another depth than the default.

use cassius_games::{
    Connect4,
    connect4::{Column, Exact, WinsAtOnce},
};
use cassius_search::{Evaluate, Game, Request, Score, Slots, Statics, Table, Unlimited};
use minimax::{Evaluation, IterativeOptions, IterativeSearch, Strategy, Winner};
use std::time::Instant;

const MIB: usize = 64;

fn ours(depth: usize) -> (Score, u64) {
    let table = Table::new(MIB).expect("memory for a table").above(2);
    let mut slots = Slots::<Connect4, Exact>::new(Statics, table, WinsAtOnce);
    let board = Connect4::default();
    let answer = cassius_search::search(
        &mut slots,
        &Request::new(&board, &Unlimited).to_iteration(depth),
        &mut |_| {},
    );
    (answer.score().expect("a game that is not over"), answer.nodes)
}

struct Theirs;

impl minimax::Game for Theirs {
    type S = Connect4;
    type M = Column;

    fn generate_moves(board: &Connect4, moves: &mut Vec<Column>) -> Option<Winner> {
        if let Some(winner) = Self::get_winner(board) {
            return Some(winner);
        }
        board.moves(moves);
        None
    }

    fn apply(board: &mut Connect4, column: Column) -> Option<Connect4> {
        let mut next = *board;
        next.play(column);
        Some(next)
    }

    fn get_winner(board: &Connect4) -> Option<Winner> {
        match board.is_over() {
            true if board.is_lost() => Some(Winner::PlayerJustMoved),
            true => Some(Winner::Draw),
            false => None,
        }
    }

    fn zobrist_hash(board: &Connect4) -> u64 {
        board.fingerprint().wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
    }
}

#[derive(Default)]
struct TheirStatics;

impl minimax::Evaluator for TheirStatics {
    type G = Theirs;

    fn evaluate(&self, board: &Connect4) -> Evaluation {
        Statics.evaluate(board).0 as Evaluation
    }
}

fn theirs(depth: usize, options: IterativeOptions) -> i32 {
    let mut search = IterativeSearch::new(TheirStatics, options.with_table_byte_size(MIB << 20));
    search.set_max_depth(depth as u8);
    search.choose_move(&Connect4::default());
    i32::from(search.root_value())
}

fn main() {
    let depth = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(14);
    let (mut times, mut nodes) = ([const { Vec::new() }; 3], 0);
    for _ in 0..5 {
        let clock = Instant::now();
        let (value, searched) = ours(depth);
        times[0].push(clock.elapsed().as_secs_f64());
        nodes = searched;
        let options =
            [IterativeOptions::new(), IterativeOptions::new().with_countermoves().with_countermove_history()];
        for (times, options) in times[1..].iter_mut().zip(options) {
            let clock = Instant::now();
            let other = theirs(depth, options);
            times.push(clock.elapsed().as_secs_f64());
            assert_eq!(value.0, other, "both searches must find the same value at depth {depth}");
        }
    }
    let median = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!("Connect Four, empty board, depth {depth}, median of 5");
    println!("cassius-search                {:8.3} s   {nodes} nodes", median[0]);
    println!("minimax 0.6, default          {:8.3} s   {:.1} times slower", median[1], median[1] / median[0]);
    println!("minimax 0.6, counter-moves    {:8.3} s   {:.1} times slower", median[2], median[2] / median[0]);
}
