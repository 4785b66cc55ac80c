//! The work limit of the checker: under any limit, a certificate is either checked no further or judged
//! as it is without one, and more work never changes a judgement.

#[allow(dead_code)] // only the honest certificates and their changes are used here
#[path = "../../crates/cassius/tests/it/common/forgeries.rs"]
mod forgeries;

use cassius::commands::check::{read, replay};
use cassius_search::plans::certificate::{Checking, Problem};
use forgeries::{edited, honest};

/// Interprets the input as a work limit, the number of an honest certificate, and changes of its text.
pub fn run(bytes: &[u8]) {
    let Some((head, edits)) = bytes.split_first_chunk::<4>() else { return };
    let work = u64::from(u16::from_le_bytes([head[0], head[1]]));
    let number = u64::from(u16::from_le_bytes([head[2], head[3]]));
    let two = |at: &[u8]| u16::from_le_bytes([at[0], at[1]]);
    let edits: Vec<_> =
        edits.chunks_exact(5).take(8).map(|edit| (two(edit), edit[2], two(&edit[3..]))).collect();
    let Ok(certificate) = read(&edited(&honest(number).to_string(), &edits)) else { return };
    let judged = |work: u64| {
        replay(&certificate, &Checking { work, bounds: true }, None).map_err(|error| format!("{error:#}"))
    };
    let all = judged(u64::MAX);
    let mut was_enough = false;
    for work in [0, work / 4, work] {
        let judgement = judged(work);
        let told = Problem::WorkLimit(work).to_string();
        let is_enough = !judgement.as_ref().is_err_and(|error| error.contains(&told));
        assert!(!is_enough || judgement == all, "{work}: {judgement:?}, {all:?}");
        assert!(is_enough || !was_enough, "less than {work} was enough");
        was_enough = is_enough;
    }
}
