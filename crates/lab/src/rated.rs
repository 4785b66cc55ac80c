//! Games of players with known ratings.

use cassius_chess::pgn::{Game, Games};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::BufRead;

/// A game and the ratings of its players.
#[derive(Clone, Debug)]
pub struct RatedGame {
    /// The game.
    pub game: Game,
    /// The Elo ratings of White and Black.
    pub elo: [f64; 2],
}

/// Reads the rated games of a PGN file. Also returns one message for every game that is broken, has no
/// ratings, or is a duplicate: it has the same moves, player names and ratings as an earlier game.
///
/// ```
/// let file = "[WhiteElo \"1500\"]\n[BlackElo \"1480\"]\n\n1. e4 e5 *\n\n1. d4 *\n\n1. e5 *\n";
/// let (games, broken) = cassius_lab::rated::read("x.pgn", file.as_bytes());
/// assert_eq!(games[0].elo, [1500.0, 1480.0]);
/// assert_eq!(broken[0], "x.pgn: game 2: no tags WhiteElo and BlackElo");
/// assert!(broken[1].starts_with("x.pgn: game 3, line 8: move 1.: "));
/// ```
pub fn read(source: &str, reader: impl BufRead) -> (Vec<RatedGame>, Vec<String>) {
    read_more(source, reader, &mut Seen::default())
}

/// The games that were read from all files.
#[derive(Debug, Default)]
pub struct Seen {
    /// The number of files.
    files: usize,
    /// For each game the file, its name, and the number of the game there.
    games: HashMap<String, (usize, String, usize)>,
}

/// Reads the rated games of one of several files. A game of an earlier file is a duplicate, too.
///
/// ```
/// use cassius_lab::rated::{Seen, read_more};
/// let (file, mut seen) = ("[WhiteElo \"1500\"]\n[BlackElo \"1480\"]\n\n1. e4 e5 *\n", Seen::default());
/// assert_eq!(read_more("x.pgn", file.as_bytes(), &mut seen).0.len(), 1);
/// let (games, broken) = read_more("y.pgn", file.as_bytes(), &mut seen);
/// assert!(games.is_empty());
/// assert_eq!(broken, ["y.pgn: game 1: the same as game 1 of x.pgn"]);
/// ```
pub fn read_more(source: &str, reader: impl BufRead, seen: &mut Seen) -> (Vec<RatedGame>, Vec<String>) {
    let (mut games, mut broken) = (Vec::new(), Vec::new());
    seen.files += 1;
    let file = seen.files;
    for (game, number) in Games::new(reader).zip(1..) {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                broken.push(format!("{source}: {error}"));
                continue;
            }
        };
        let [Some(white), Some(black)] = [elo(&game, "WhiteElo"), elo(&game, "BlackElo")] else {
            broken.push(format!("{source}: game {number}: no tags WhiteElo and BlackElo"));
            continue;
        };
        match seen.games.entry(name(&game)) {
            Entry::Occupied(first) => {
                let (of, other, first) = first.get();
                let other = if *of == file { String::new() } else { format!(" of {other}") };
                broken.push(format!("{source}: game {number}: the same as game {first}{other}"));
            }
            Entry::Vacant(place) => {
                place.insert((file, source.into(), number));
                games.push(RatedGame { game, elo: [white, black] });
            }
        }
    }
    (games, broken)
}

/// Returns the text that identifies a game: start, moves, names and ratings.
fn name(game: &Game) -> String {
    let tags = ["White", "Black", "WhiteElo", "BlackElo"].map(|tag| game.tag(tag).unwrap_or_default());
    format!("{} {tags:?} {:?}", game.start, game.moves)
}

/// Returns a rating, if it is one that a person can have. For unrated players, files contain 0, `?` or
/// `-`.
fn elo(game: &Game, tag: &str) -> Option<f64> {
    let elo: u32 = game.tag(tag)?.trim().parse().ok()?;
    (1..5000).contains(&elo).then_some(f64::from(elo))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_counts_once() {
        let game = |white: &str, moves: &str| {
            format!("[White \"{white}\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1480\"]\n\n{moves} *\n\n")
        };
        let file = [
            game("A", "1. e4 e5"),
            game("B", "1. e4 e5"),
            game("A", "1. e4 { well } e5"),
            game("A", "1. e4"),
        ];
        let (games, broken) = read("x.pgn", file.concat().as_bytes());
        assert_eq!(games.len(), 3);
        assert_eq!(broken, ["x.pgn: game 3: the same as game 1"]);

        // A collection and a part of it are read together, the part twice.
        let (mut seen, part) = (Seen::default(), game("C", "1. d4") + &game("B", "1. e4 e5"));
        let of_files = ["x.pgn", "y.pgn", "y.pgn"].map(|source| {
            let text = if source == "x.pgn" { file.concat() } else { part.clone() };
            let (games, broken) = read_more(source, text.as_bytes(), &mut seen);
            (games.len(), broken.join("\n"))
        });
        let twice = "y.pgn: game 1: the same as game 1 of y.pgn\ny.pgn: game 2: the same as game 2 of x.pgn";
        assert_eq!(
            of_files,
            [
                (3, "x.pgn: game 3: the same as game 1".into()),
                (1, "y.pgn: game 2: the same as game 2 of x.pgn".into()),
                (0, twice.into()),
            ]
        );
    }
}
