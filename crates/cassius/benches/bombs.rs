//! Measures how long `cassius check` takes at most for files that are made to keep it busy: `cargo bench
//! -p cassius --bench bombs -- 500`.

#[path = "../tests/it/common/bombs.rs"]
mod bombs;

use cassius::commands::check::{read, replay};
use cassius_search::plans::certificate::Checking;
use std::time::{Duration, Instant};

fn main() {
    let count = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(50);
    let (mut longest, mut total) = ((Duration::ZERO, 0), Duration::ZERO);
    let mut told = std::collections::BTreeMap::<String, usize>::new();
    for number in 0..count {
        let text = bombs::bomb(number);
        assert!(text.len() <= bombs::LARGEST, "{number}: {}", text.len());
        let start = Instant::now();
        let outcome = match read(&text) {
            Err(_) => "not read".to_string(),
            Ok(found) => match replay(&found, &Checking::customary(&found), None) {
                Ok(_) => "accepted".into(),
                Err(error) if format!("{error:#}").contains("work limit") => "work limit".into(),
                Err(_) => "refused".into(),
            },
        };
        let time = start.elapsed();
        *told.entry(outcome).or_default() += 1;
        total += time;
        longest = longest.max((time, number));
    }
    println!("{count} files: {told:?}");
    println!(
        "longest {:.2} s (number {}), all {:.1} s",
        longest.0.as_secs_f64(),
        longest.1,
        total.as_secs_f64()
    );
}
