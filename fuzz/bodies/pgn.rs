//! PGN files with any content. A game that can be read can be written and read again without loss. A
//! game that cannot be read gives one error message. No text is skipped silently.

use cassius_chess::pgn::{Game, Games};

pub fn run(bytes: &[u8]) {
    let mut games = 0;
    for game in Games::new(bytes) {
        games += 1;
        match game {
            Ok(game) => {
                let again: Game = game.to_string().parse().expect("what was written");
                assert_eq!(
                    (&again.moves, &again.glyphs, again.result),
                    (&game.moves, &game.glyphs, game.result)
                );
                let behind =
                    |game: &Game| game.variations.iter().map(|line| line.behind.len()).collect::<Vec<_>>();
                assert_eq!((again.comments.len(), behind(&again)), (game.comments.len(), behind(&game)));
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
    let said = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"%");
    let text = bytes
        .split(|byte| *byte == b'\n')
        .any(|line| said(&line) && line.iter().any(u8::is_ascii_alphanumeric));
    assert!(games > 0 || !text, "there was something, and nothing was said of it");
}
