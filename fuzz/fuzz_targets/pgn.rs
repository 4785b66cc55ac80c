//! PGN files of any content; a game that is read can be written and read again.
#![no_main]

use cassius_chess::pgn::{Game, Games};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for game in Games::new(bytes) {
        match game {
            Ok(game) => {
                let again: Game = game.to_string().parse().expect("what was written");
                assert_eq!(again.moves, game.moves);
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
});
