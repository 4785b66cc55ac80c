//! A FEN that is read is written as one that means the same.
#![no_main]

use cassius_chess::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(position) = text.parse::<Position>() {
        let written = position.to_string();
        assert_eq!(written.parse::<Position>().as_ref(), Ok(&position), "{written}");
        for mv in position.legal_moves() {
            assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
        }
    }
});
