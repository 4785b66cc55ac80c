//! Certificates as text and as JSON: any, and honest ones with a few changes. What is read is written as what means the
//! same, and what is accepted holds.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/cassius/tests/common/forgeries.rs"]
mod forgeries;

use cassius::certificate::to_json;
use forgeries::{Edit, edited, honest, keeps_its_promises, pasted_text};

fuzz_target!(|input: (&str, u64, bool, Vec<Edit>)| {
    let (text, number, json, edits) = input;
    keeps_its_promises(text);
    let certificate = honest(number);
    let written = if json { to_json(&certificate) } else { certificate.to_string() };
    keeps_its_promises(&edited(&written, &edits));
    if let Some(pasted) = pasted_text(number) {
        keeps_its_promises(&edited(&pasted, &edits));
    }
});
