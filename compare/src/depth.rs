//! Equal depth: how long each takes from the start, to the same value.

use crate::MIB;
use crate::games::{Compared, TheirStatics};
use cassius_search::{Request, Score, Table, Unlimited, search};
use minimax::{IterativeOptions, IterativeSearch, Strategy};
use std::error::Error;
use std::fs;

/// How often each is timed. The median counts.
const RUNS: usize = 5;

/// Returns the processor time of this thread in seconds. What other programs do meanwhile counts little.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let times = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: u64 = times.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds as f64 / 1e9)
}

/// Returns the value, the nodes and the time of a search. Tables are made before.
fn ours<G: Compared>(depth: usize) -> Result<(Score, u64, f64), Box<dyn Error>> {
    let mut slots = G::slots(Table::new(MIB)?);
    let start = G::start().searched();
    let request = Request::new(&start, &Unlimited).to_iteration(depth);
    let begin = processor_time()?;
    let answer = search(&mut slots, &request, &mut |_| {});
    let seconds = processor_time()? - begin;
    Ok((answer.score().ok_or("the game is over")?, answer.nodes, seconds))
}

/// What the crate `minimax` offers for alpha-beta that changes no value.
pub fn options() -> [(&'static str, IterativeOptions); 7] {
    let base = IterativeOptions::new().with_table_byte_size(MIB << 20);
    [
        ("minimax, default", base),
        ("minimax, counter-moves", base.with_countermoves()),
        ("minimax, counter-moves and history", base.with_countermoves().with_countermove_history()),
        ("minimax, aspiration", base.with_aspiration_window(20)),
        ("minimax, MTD(f)", base.with_mtdf()),
        ("minimax, steps of two plies", base.with_double_step_increment()),
        ("minimax, aspiration, two plies", base.with_aspiration_window(20).with_double_step_increment()),
    ]
}

fn theirs<G: Compared>(depth: usize, options: IterativeOptions) -> Result<(i32, u64, f64), Box<dyn Error>> {
    let mut search = IterativeSearch::new(TheirStatics::<G>::default(), options);
    search.set_max_depth(depth as u8);
    let begin = processor_time()?;
    search.choose_move(&G::start());
    let seconds = processor_time()? - begin;
    // The number of nodes is only in a text: "... Explored N nodes to depth ...".
    let told = search.stats(&mut G::start());
    let nodes = told.split("Explored ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    Ok((i32::from(search.root_value()), nodes.ok_or("no number of nodes")?, seconds))
}

/// Times both, and prints the medians.
pub fn compare<G: Compared>(depth: usize) -> Result<(), Box<dyn Error>> {
    let (mut times, mut nodes) = (vec![Vec::new(); 1 + options().len()], vec![0; 1 + options().len()]);
    for _ in 0..RUNS {
        let (value, searched, seconds) = ours::<G>(depth)?;
        times[0].push(seconds);
        nodes[0] = searched;
        for (at, (name, options)) in (1..).zip(options()) {
            let (other, searched, seconds) = theirs::<G>(depth, options)?;
            times[at].push(seconds);
            nodes[at] = searched;
            if value.0 != other {
                return Err(format!("{name} finds {other} where we find {value:?}").into());
            }
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let seconds: Vec<f64> = times.iter_mut().map(median).collect();
    println!("{}, from the start to depth {depth}, median of {RUNS}", G::TITLE);
    let names = ["cassius-search"].into_iter().chain(options().map(|(name, _)| name));
    for ((name, nodes), taken) in names.zip(nodes).zip(&seconds) {
        let (speed, ratio) = (nodes as f64 / taken / 1e6, taken / seconds[0]);
        println!(
            "{name:<36} {taken:8.3} s {nodes:>10} nodes, {speed:5.1} million a second {ratio:6.1} times"
        );
    }
    Ok(())
}
