//! Measures how much sooner several threads on one table reach a fixed depth than one thread.
//!
//! `cargo bench -p cassius-chess --bench threads -- THREADS DEPTH RUNS POSITIONS` (defaults: 2, 16, 3,
//! 20). The positions are balanced openings. One thread and several threads take turns, each with an
//! empty table of 64 MiB. The results of several threads differ from run to run, so each position is run
//! several times and its median is used. Positions differ still more: twenty determine the mean to
//! within about 0.08, a hundred and fifty to within 0.03.

use cassius_chess::{Engine, openings};
use cassius_search::{Request, Unlimited};
use std::time::Instant;

fn main() {
    let small = !std::env::args().any(|arg| arg == "--bench"); // `cargo test` only checks that it runs
    let mut numbers = std::env::args().filter_map(|arg| arg.parse::<usize>().ok());
    let mut next = |default| numbers.next().unwrap_or(default);
    let (threads, depth, runs) =
        (next(2).max(2), next(if small { 6 } else { 16 }), next(if small { 1 } else { 3 }).max(1));
    let openings = openings::builtin();
    let count = next(20).clamp(1, openings.len());
    let positions = openings.iter().step_by(openings.len() / count).take(count);

    let mut engines = [1, threads].map(|threads| Engine::new("plies", 64, threads).expect("an engine"));
    let (mut speed, mut nodes, mut total) = (0.0, 0.0, [0.0; 2]);
    for opening in positions {
        let position = opening.position();
        let mut ratios = Vec::new();
        let mut more = Vec::new();
        for _ in 0..runs {
            let [one, many] = [0, 1].map(|index| {
                engines[index].forget();
                let clock = Instant::now();
                let request = Request::new(&position, &Unlimited).to_iteration(depth);
                let answer = engines[index].search(&request, &mut |_| {});
                let seconds = clock.elapsed().as_secs_f64();
                total[index] += seconds;
                (seconds, answer.nodes as f64)
            });
            ratios.push(one.0 / many.0);
            more.push(many.1 / one.1);
        }
        speed += median(ratios).ln();
        nodes += median(more).ln();
    }
    let mean = |sum: f64| (sum / count as f64).exp();
    println!(
        "{count} positions to depth {depth}, {runs} runs each: \
         {:.1} s with one thread, {:.1} s with {threads}",
        total[0], total[1]
    );
    println!(
        "{:.2} times sooner (geometric mean of the medians), with {:.2} times the nodes",
        mean(speed),
        mean(nodes)
    );
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
