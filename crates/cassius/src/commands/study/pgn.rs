//! A study as a game with variations, and games as lines of a study.

use super::{open, with_name};
use crate::terminal;
use crate::{Error, whole_file};
use anyhow::{Context as _, bail};
use cassius_chess::notation::Pawns;
use cassius_chess::pgn::{Game, Games};
use cassius_chess::{Move, Position};
use cassius_search::study::{Edge, PositionId, Study, Target};
use cassius_search::{Game as _, Keyed as _, Score};
use cassius_study::{StudyError, StudyFile, What, Wish};
use shakmaty::Color;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Arguments of `cassius study lines`.
#[derive(Debug, clap::Args)]
pub struct LinesArgs {
    /// File of the study.
    #[arg(value_name = "STUDY")]
    file: PathBuf,
    /// Games (PGN) that pass through the study's position.
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// Plies of each game to look at, counted from the study's position.
    #[arg(
        long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u16).range(1..=400),
    )]
    plies: u16,
}

/// Adds the lines of games to a study, as wishes.
pub fn lines(args: &LinesArgs) -> Result<(), Error> {
    let mut file = open(&args.file)?;
    let name = args.games.display().to_string();
    let games = File::open(&args.games).with_context(|| name.clone())?;
    let (mut wishes, mut broken): (Vec<Wish>, usize) = (Vec::new(), 0);
    for game in Games::new(BufReader::new(games)) {
        let game = game.unwrap_or_else(|error| {
            terminal::complain(format_args!("{name}: {error}"));
            broken += 1;
            *error.partial
        });
        let key = file.study().root().key();
        let Some(at) = game.positions().position(|position| position.key() == key) else { continue };
        let mut line: Vec<Move> = game.moves[at..].iter().copied().take(args.plies.into()).collect();
        let Some(last) = line.pop() else { continue };
        let wish = Wish { line, what: What::Include(last) };
        if !wishes.contains(&wish) {
            wishes.push(wish);
        }
    }
    for wish in &wishes {
        file.wish(wish).map_err(|error| with_name(error, &args.file))?;
    }
    let lines = if wishes.len() == 1 { "line" } else { "lines" };
    terminal::note(format_args!("{} {lines} to look at", wishes.len()));
    match (wishes.len(), broken) {
        (0, 0) => bail!("{name}: no game passes through the study's position"),
        (_, 0) => Ok(()),
        _ => bail!("{name}: {broken} games could not be read to their end"),
    }
}

/// Writes a study as a game: the best line, the other moves as variations, and values for White in comments.
pub fn write(file: &StudyFile, path: &Path) -> Result<(), Error> {
    let study = file.study();
    let mut game = Game { start: study.root().clone(), ..Game::default() };
    game.set_tag("Event", "Study by Cassius");
    let mut at = (PositionId::ROOT, study.root().clone());
    loop {
        let moves = followed(study, at.0);
        let Some(&(best, value)) = moves.first() else { break };
        game.moves.push(best.mv);
        let played = game.moves.len();
        game.comments.push((played, comment(&at.1, value)));
        for &(other, value) in &moves[1..] {
            game.variations.push((played, variation(file, &at.1, other, value)?));
        }
        at.1.play(best.mv);
        match best.to {
            Target::Position(to) => at.0 = to,
            Target::Repetition => break,
        }
    }
    if study.edges(at.0).is_empty() {
        game.moves.extend(file.line_of(at.0)?);
    }
    whole_file::write(path, game.to_string())?;
    Ok(())
}

/// Returns the moves that are followed from a position, with their values, the best first.
fn followed(study: &Study<Position>, at: PositionId) -> Vec<(Edge<Move>, Score)> {
    let value = |edge: &Edge<Move>| match edge.to {
        Target::Position(to) => (-study.value(to)).from_root(1),
        Target::Repetition => Score::DRAW,
    };
    let edges = study.edges(at).iter().filter(|edge| !edge.excluded);
    let mut moves: Vec<_> = edges.map(|edge| (*edge, value(edge))).collect();
    moves.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
    moves
}

/// Returns a value for White.
fn comment(position: &Position, value: Score) -> String {
    Pawns(if position.turn() == Color::White { value } else { -value }).to_string()
}

/// Returns a move and what follows as the text of a variation.
fn variation(
    file: &StudyFile,
    position: &Position,
    edge: Edge<Move>,
    value: Score,
) -> Result<String, StudyError> {
    let number = |position: &Position| match position.turn() {
        Color::White => format!("{}.", position.fullmoves()),
        Color::Black => format!("{}...", position.fullmoves()),
    };
    let mut text = String::new();
    let (mut position, mut edge, mut value) = (position.clone(), edge, value);
    let mut others: Vec<(Edge<Move>, Score)> = Vec::new();
    loop {
        let (san, comment) = (position.san(edge.mv), comment(&position, value));
        let _ = write!(text, "{} {san} {{ {comment} }} ", number(&position));
        for (other, value) in others {
            let _ = write!(text, "( {}) ", variation(file, &position, other, value)?);
        }
        position.play(edge.mv);
        let Target::Position(to) = edge.to else { return Ok(text) };
        let mut moves = followed(file.study(), to).into_iter();
        match moves.next() {
            Some(best) => (edge, value) = best,
            None => {
                for mv in file.line_of(to)? {
                    let _ = write!(text, "{} {} ", number(&position), position.san(mv));
                    position.play(mv);
                }
                return Ok(text);
            }
        }
        others = moves.collect();
    }
}
