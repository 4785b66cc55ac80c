//! Certificates as text and as JSON: any text, honest certificates, and plans of two searches, with a
//! few changes. A certificate that can be read is written as an equivalent one, and an accepted one
//! holds.

#[path = "../../crates/cassius/tests/it/common/forgeries.rs"]
mod forgeries;

use cassius_search::plans::certificate::to_json;
use forgeries::{edited, honest, keeps_its_promises, pasted_text};

/// Interprets the input as a text, or after a 0 as a number and changes of the honest certificate of
/// that number.
pub fn run(bytes: &[u8]) {
    let Some((number, edits)) = bytes.strip_prefix(&[0]).and_then(|bytes| bytes.split_first_chunk()) else {
        keeps_its_promises(&String::from_utf8_lossy(bytes));
        return;
    };
    let number = u64::from(u16::from_le_bytes(*number));
    let certificate = honest(number);
    let two = |at: &[u8]| u16::from_le_bytes([at[0], at[1]]);
    let edits: Vec<_> =
        edits.chunks_exact(5).take(8).map(|edit| (two(edit), edit[2], two(&edit[3..]))).collect();
    for written in [to_json(&certificate), certificate.to_string()].into_iter().chain(pasted_text(number)) {
        keeps_its_promises(&edited(&written, &edits));
    }
}
