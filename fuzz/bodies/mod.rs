//! The checks for any input, as plain functions. libFuzzer calls them with generated inputs
//! (`fuzz_targets/`), and the ordinary tests call them with kept ones (`seeds/`,
//! `crates/cassius/tests/it/seeds.rs`). A body panics if a guarantee is broken.

pub mod certificate;
pub mod epd;
pub mod fen;
pub mod journal;
pub mod pgn;
pub mod tree;
pub mod uci;
pub mod work;

/// The function that a target applies to its input.
pub type Body = fn(&[u8]);

/// Every target: its name, which is that of its folder in `seeds/`, and its body.
pub const TARGETS: &[(&str, Body)] = &[
    ("certificate", certificate::run),
    ("epd", epd::run),
    ("fen", fen::run),
    ("journal", journal::run),
    ("pgn", pgn::run),
    ("tree", tree::run),
    ("uci", uci::run),
    ("work", work::run),
];
