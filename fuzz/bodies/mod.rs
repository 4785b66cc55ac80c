//! What is asked of any input, as plain functions: by libFuzzer of inputs that it makes (`fuzz_targets/`), and by the ordinary
//! tests of the kept ones (`seeds/`, `crates/cassius/tests/seeds.rs`). A body panics where a promise is broken.

pub mod certificate;
pub mod epd;
pub mod fen;
pub mod journal;
pub mod pgn;
pub mod tree;
pub mod uci;

/// What a target does with its input.
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
];
