//! Grows one file to many positions, each judged once, by a search of one ply, and tells what that costs.
//!
//! `cargo bench -p cassius-study --bench million -- [POSITIONS] [FILE]`: questions and answers a second,
//! bytes a position in the file, and the time to open the file again. The file is removed in the end unless
//! it is named. `cargo test` grows a thousand positions.

use cassius_chess::{Evaluator, Move, Position};
use cassius_search::study::{Asked, Errors, Growth, PositionId, Steps};
use cassius_search::{Evaluate, Game as _};
use cassius_study::{Found, Judge, StudyFile};
use std::path::PathBuf;
use std::time::Instant;

const ROOT: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

/// Judges a leaf by a search of one ply.
fn answer(asked: &Asked<Position>, evaluator: &mut Evaluator) -> Found {
    let mut moves = asked.position.legal_moves();
    moves.retain(|mv| !asked.without.contains(mv));
    let mut value = |mv: Move| {
        let mut child = asked.position.clone();
        child.play(mv);
        match child.is_over() {
            true => -child.outcome().score(1),
            false => -Evaluate::evaluate(evaluator, &child),
        }
    };
    let (value, best) = moves.iter().map(|mv| (value(*mv), *mv)).max_by_key(|it| it.0).expect("a move");
    Found { line: vec![best], ..Found::new(value, asked.effort) }
}

/// Returns errors that leave the verdict open, however many leaves are judged: eight times as wide as those
/// of a judge that searches.
fn errors_of_one_ply() -> Errors {
    let errors = Errors::default();
    let wide = |width: i32| 8 * width;
    let (judged, inherited, others) = (wide(errors.judged), wide(errors.inherited), wide(errors.others));
    Errors { judged, inherited, others, ..errors }
}

/// Returns the memory of this process in MiB, where the system tells it.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? >> 10)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let small = !std::env::args().any(|argument| argument == "--bench");
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let most = arguments.first().and_then(|number| number.parse().ok()).unwrap_or(match small {
        true => 1_000,
        false => 1_000_000,
    });
    let named = arguments.get(1).map(PathBuf::from);
    let path = named.clone().unwrap_or_else(|| {
        std::env::temp_dir().join(format!("cassius-million-{}.study", std::process::id()))
    });
    let root: Position = ROOT.parse()?;
    let mut file = StudyFile::create(&path, &root)?;
    file.set(Growth::Weighted, errors_of_one_ply(), Steps { most: 1, ..Steps::default() })?;
    let judge = Judge { name: "one ply".into(), options: String::new() };
    let mut evaluator = Evaluator::new();
    let (start, mut answers) = (Instant::now(), 0_u64);
    let mut next = most / 10;
    while file.study().len() < most {
        let Some(asked) = file.ask(1)?.pop() else { break };
        file.tell(asked.leaf, &judge, &answer(&asked, &mut evaluator))?;
        answers += 1;
        if file.study().len() >= next {
            let speed = answers as f64 / start.elapsed().as_secs_f64();
            println!("{} positions, {answers} answers, {speed:.0} a second", file.study().len());
            next += most / 10;
        }
    }
    let positions = file.study().len();
    let length = |id| file.study().line_to(PositionId(id)).len();
    let longest = (0..positions as u32).map(length).max().unwrap_or(0);
    println!("longest line {longest} plies");
    let verdict = Instant::now();
    let named_positions = file.verdict().conspiracies.len();
    println!("verdict with {named_positions} conspiracies in {:.3} s", verdict.elapsed().as_secs_f64());
    println!("memory {} MiB", memory().map_or_else(|| "?".into(), |mib| mib.to_string()));
    drop(file);
    let bytes = std::fs::metadata(&path)?.len();
    println!("{} bytes a position in the file", bytes / positions as u64);
    let open = Instant::now();
    let file = StudyFile::open(&path)?;
    assert_eq!(file.study().len(), positions);
    println!("opened in {:.1} s", open.elapsed().as_secs_f64());
    drop(file);
    if named.is_none() {
        std::fs::remove_file(&path)?;
    }
    Ok(())
}
