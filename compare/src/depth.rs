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

fn theirs<G: Compared>(depth: usize, options: IterativeOptions) -> Result<(i32, f64), Box<dyn Error>> {
    let mut search = IterativeSearch::new(TheirStatics::<G>::default(), options);
    search.set_max_depth(depth as u8);
    let begin = processor_time()?;
    search.choose_move(&G::start());
    Ok((i32::from(search.root_value()), processor_time()? - begin))
}

/// Times both, and prints the medians.
pub fn compare<G: Compared>(depth: usize) -> Result<(), Box<dyn Error>> {
    let (mut times, mut nodes) = (vec![Vec::new(); 1 + options().len()], 0);
    for _ in 0..RUNS {
        let (value, searched, seconds) = ours::<G>(depth)?;
        times[0].push(seconds);
        nodes = searched;
        for (times, (name, options)) in times[1..].iter_mut().zip(options()) {
            let (other, seconds) = theirs::<G>(depth, options)?;
            times.push(seconds);
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
    println!("{:<36} {:8.3} s  {nodes} nodes", "cassius-search", seconds[0]);
    for (seconds_taken, (name, _)) in seconds[1..].iter().zip(options()) {
        println!("{name:<36} {seconds_taken:8.3} s  {:.1} times ours", seconds_taken / seconds[0]);
    }
    Ok(())
}
