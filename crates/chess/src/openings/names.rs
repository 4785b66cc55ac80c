//! Names of openings, by position.
//!
//! *Reference:* the names and codes of lichess-org/chess-openings (CC0 1.0), about 3,800.
//! *Deviations:* none. A position has its name by whatever moves it was reached.

use crate::position::Position;
use cassius_search::{Game as _, Keyed as _};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Each line says in what it differs from the line before; see the head of the file.
const NAMES: &str = include_str!("../../data/opening-names.txt");

/// The name of an opening.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Name {
    /// The code of the Encyclopaedia of Chess Openings, from `A00` to `E99`.
    pub code: String,
    /// The name, with its variation after a colon.
    pub name: String,
}

/// Returns the name of the opening that ends with this position, if it has one.
///
/// ```
/// use cassius_chess::{Position, openings};
/// use cassius_search::Game as _;
///
/// let mut position = Position::default();
/// for mv in position.parse_line("e4 c5 Nf3 d6").unwrap() {
///     position.play(mv);
/// }
/// let name = openings::name(&position).unwrap();
/// assert_eq!((name.code.as_str(), name.name.as_str()), ("B50", "Sicilian Defense: Modern Variations"));
/// ```
pub fn name(position: &Position) -> Option<&'static Name> {
    names().get(&position.key())
}

/// Returns the name of the last of these positions that has one, and the index of that position.
pub fn last_name<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Option<(usize, &'static Name)> {
    let named = positions.into_iter().enumerate().map(|(index, position)| (index, name(position)));
    named.filter_map(|(index, name)| Some((index, name?))).last()
}

/// The names by the keys of their positions.
fn names() -> &'static HashMap<u64, Name> {
    static NAMED: OnceLock<HashMap<u64, Name>> = OnceLock::new();
    // A line that cannot be parsed is skipped; the tests ensure that there is none.
    NAMED.get_or_init(|| lines().flatten().collect())
}

/// Parses the lines. A position that occurs twice has the name of the later line.
fn lines() -> impl Iterator<Item = Result<(u64, Name), String>> {
    let (mut path, mut last) = (vec![Position::default()], Name::default());
    let lines = NAMES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(move |line| {
        let invalid = |why: &dyn std::fmt::Display| format!("{line}: {why}");
        let fields: Vec<&str> = line.split('\t').collect();
        let [plies, moves, code, letters, rest] = fields[..] else {
            return Err(invalid(&"five fields expected"));
        };
        path.truncate(1 + plies.parse::<usize>().map_err(|error| invalid(&error))?);
        let from = path[path.len() - 1].clone();
        for mv in from.parse_line(moves).map_err(|error| invalid(&error))? {
            let mut next = path[path.len() - 1].clone();
            next.play(mv);
            path.push(next);
        }
        let letters: usize = letters.parse().map_err(|error| invalid(&error))?;
        last.name = last.name.chars().take(letters).chain(rest.chars()).collect();
        if !code.is_empty() {
            last.code = code.into();
        }
        Ok((path[path.len() - 1].key(), last.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_opening() {
        let all: Vec<(u64, Name)> = lines().collect::<Result<_, _>>().unwrap();
        assert_eq!((all.len(), names().len()), (3807, 3807), "two lines lead to one position");
        for (_, name) in &all {
            let code = name.code.as_bytes();
            assert!(code.len() == 3 && (b'A'..=b'E').contains(&code[0]), "{name:?}");
            assert!(!name.name.is_empty() && !name.name.contains('\t'), "{name:?}");
        }
    }

    #[test]
    fn transpositions_and_late_moves_are_named() {
        let walk = |line: &str| {
            let mut positions = vec![Position::default()];
            for mv in positions[0].parse_line(line).unwrap() {
                let mut next = positions[positions.len() - 1].clone();
                next.play(mv);
                positions.push(next);
            }
            positions
        };
        let said = |line: &str| {
            let positions = walk(line);
            last_name(&positions).map(|(plies, name)| format!("{plies} {} {}", name.code, name.name))
        };
        assert_eq!(said(""), None);
        assert_eq!(said("d4 d5 c4"), said("c4 d5 d4"));
        assert_eq!(said("e4 e5 Nf3 Nc6 Bb5 a6 Ke2").unwrap(), "6 C70 Ruy Lopez: Morphy Defense");
    }
}
