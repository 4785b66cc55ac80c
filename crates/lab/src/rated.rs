//! Games of players whose ratings are known.

use cassius_chess::pgn::{Game, Games};
use std::io::BufRead;

/// A game, and how strong its players are.
#[derive(Clone, Debug)]
pub struct RatedGame {
    /// The game.
    pub game: Game,
    /// The Elo ratings of White and Black.
    pub elo: [f64; 2],
}

/// Reads the rated games of a PGN file, and one line of text for every game that is broken or has no ratings.
///
/// ```
/// let file = "[WhiteElo \"1500\"]\n[BlackElo \"1480\"]\n\n1. e4 e5 *\n\n1. d4 *\n\n1. e5 *\n";
/// let (games, broken) = cassius_lab::rated::read("x.pgn", file.as_bytes());
/// assert_eq!(games[0].elo, [1500.0, 1480.0]);
/// assert_eq!(broken[0], "x.pgn: game 2: no WhiteElo and BlackElo");
/// assert!(broken[1].starts_with("x.pgn: game 3, line 8: move 1.: "));
/// ```
pub fn read(source: &str, reader: impl BufRead) -> (Vec<RatedGame>, Vec<String>) {
    let (mut games, mut broken) = (Vec::new(), Vec::new());
    for (index, game) in Games::new(reader).enumerate() {
        match game {
            Ok(game) => match [elo(&game, "WhiteElo"), elo(&game, "BlackElo")] {
                [Some(white), Some(black)] => games.push(RatedGame { game, elo: [white, black] }),
                _ => broken.push(format!("{source}: game {}: no WhiteElo and BlackElo", index + 1)),
            },
            Err(error) => broken.push(format!("{source}: {error}")),
        }
    }
    (games, broken)
}

/// A rating that a person can have: unrated players stand as 0, `?` or `-`.
fn elo(game: &Game, tag: &str) -> Option<f64> {
    let elo: u32 = game.tag(tag)?.trim().parse().ok()?;
    (1..5000).contains(&elo).then_some(f64::from(elo))
}
