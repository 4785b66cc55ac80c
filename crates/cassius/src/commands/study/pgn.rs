//! A study as a game with variations, and games as lines of a study.

use super::show::counted;
use super::{open, with_name};
use crate::Error;
use crate::terminal;
use anyhow::{Context as _, bail};
use cassius_chess::pgn::{Game, Games, PgnError, Variation};
use cassius_chess::{Move, Position};
use cassius_insight::Value;
use cassius_search::study::{Edge, PositionId, Target};
use cassius_search::{Game as _, Keyed as _, Score};
use cassius_study::{StudyError, StudyFile, What, Wish};
use shakmaty::Color;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

/// Arguments of `cassius study lines`.
#[derive(Debug, clap::Args)]
pub struct LinesArgs {
    /// File of the study.
    #[arg(value_name = "STUDY")]
    file: PathBuf,
    /// Games (PGN) that pass through the study's position. Their variations are looked at, too.
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
    let (mut wishes, mut broken, mut number): (Vec<Wish>, usize, usize) = (Vec::new(), 0, 0);
    for game in Games::new(BufReader::new(games)) {
        let mut complain = |said: String, error: PgnError| {
            terminal::complain(format_args!("{name}: {said}"));
            broken += 1;
            *error.partial
        };
        let game = game.unwrap_or_else(|error| complain(error.to_string(), error));
        number += 1;
        let mut in_variation =
            |error: PgnError| complain(format!("game {number}, in a variation: {}", error.kind), error);
        let mut all = Vec::new();
        add_lines(&[], &game, 0, &mut in_variation, &mut all);
        let key = file.study().root().key();
        for moves in all {
            let line = Game { start: game.start.clone(), moves, ..Game::default() };
            let Some(at) = line.positions().position(|position| position.key() == key) else { continue };
            let mut line: Vec<Move> = line.moves[at..].iter().copied().take(args.plies.into()).collect();
            let Some(last) = line.pop() else { continue };
            let wish = Wish { line, what: What::Include(last) };
            if !wishes.contains(&wish) {
                wishes.push(wish);
            }
        }
    }
    for wish in &wishes {
        file.wish(wish).map_err(|error| with_name(error, &args.file))?;
    }
    let lines = if wishes.len() == 1 { "line" } else { "lines" };
    if !wishes.is_empty() {
        terminal::note(format_args!("{} {lines} to look at", wishes.len()));
    }
    match (wishes.len(), broken) {
        (0, 0) => bail!("{name}: no game goes on from the study's position"),
        (_, 0) => Ok(()),
        _ => bail!("{name}: {} could not be read to the end", counted(broken as u64, "game")),
    }
}

/// Variations in variations are followed so deep.
const DEEPEST: usize = 50;

/// Adds the moves of a game, and those of each of its variations from the start of the game on. `depth` is
/// the number of variations around it.
fn add_lines(
    before: &[Move],
    game: &Game,
    depth: usize,
    complain: &mut dyn FnMut(PgnError) -> Game,
    lines: &mut Vec<Vec<Move>>,
) {
    lines.push([before, &game.moves].concat());
    if depth == DEEPEST {
        if !game.variations.is_empty() {
            terminal::note(format_args!("variations within {DEEPEST} others are left out"));
        }
        return;
    }
    for (played, variation) in game.read_variations() {
        let variation = variation.unwrap_or_else(&mut *complain);
        add_lines(&[before, &game.moves[..played]].concat(), &variation, depth + 1, complain, lines);
    }
}

/// Returns a study as a game: the best line, the other moves as variations, and values for White in comments.
/// A move without a value was not judged.
pub fn text(file: &StudyFile) -> Result<String, Error> {
    let study = file.study();
    let mut game = Game { start: study.root().clone(), ..Game::default() };
    game.set_tag("Event", "Study by Cassius");
    let mut at = (PositionId::ROOT, study.root().clone());
    // A position is written once, though several lines lead to it: there may be very many lines.
    let mut written = HashSet::new();
    loop {
        written.insert(at.0);
        let Ahead { line, moves } = ahead(file, at.0)?;
        let (best, value) = match (line.first(), moves.first()) {
            (Some(best), _) => (*best, Some(study.value(at.0))),
            (None, Some((edge, value))) => (edge.mv, *value),
            (None, None) => break,
        };
        game.moves.push(best);
        let played = game.moves.len();
        game.comments.extend(value.and_then(|value| Some((played, comment(&at.1, value)?))));
        for &(other, value) in &moves[usize::from(line.is_empty())..] {
            let text = variation(file, &at.1, other, value, &mut written)?;
            game.variations.push(Variation { up_to: played, text, behind: Vec::new() });
        }
        game.moves.extend(line.iter().skip(1));
        at.1.play(best);
        match moves.first().filter(|_| line.is_empty()).map(|(edge, _)| edge.to) {
            Some(Target::Position(to)) => at.0 = to,
            _ => break,
        }
    }
    Ok(game.to_string())
}

/// What comes after a position.
struct Ahead {
    /// The line of the moves that are not followed, if the best move is among them.
    line: Vec<Move>,
    /// The moves that are followed, with their values if they are known, the best first.
    moves: Vec<(Edge<Move>, Option<Score>)>,
}

fn ahead(file: &StudyFile, at: PositionId) -> Result<Ahead, StudyError> {
    let study = file.study();
    let value = |edge: &Edge<Move>| match edge.to {
        Target::Position(to) => study.is_known(to).then(|| (-study.value(to)).at_root(1)),
        Target::Repetition => Some(Score::DRAW),
    };
    let edges = study.edges(at).iter().filter(|edge| !edge.excluded);
    let mut moves: Vec<_> = edges.map(|edge| (*edge, value(edge))).collect();
    moves.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
    let best = moves.first().and_then(|(_, value)| *value);
    let leaf = study.leaf(at).filter(|leaf| leaf.is_judged()).map(|leaf| leaf.value);
    let line = if leaf > best { file.line_of(at)? } else { Vec::new() };
    Ok(Ahead { line, moves })
}

/// Returns the value for White after a move, in braces and in the form that other programs read, from the
/// value of the move in the position before it. There is none if the move ends the game.
fn comment(before: &Position, value: Score) -> Option<String> {
    let value = value.at_node(1);
    let value = Value::from(if before.turn() == Color::White { value } else { -value });
    match value.mate {
        Some(0) => None,
        Some(moves) => Some(format!("[%eval #{moves}]")),
        None => Some(format!("[%eval {:.2}]", f64::from(value.score) / 100.0)),
    }
}

/// Returns a move and what follows as the text of a variation.
fn variation(
    file: &StudyFile,
    position: &Position,
    edge: Edge<Move>,
    value: Option<Score>,
    written: &mut HashSet<PositionId>,
) -> Result<String, StudyError> {
    let mut text = String::new();
    let (mut position, mut at, mut mv, mut value) = (position.clone(), edge.to, edge.mv, value);
    let mut others: Vec<(Edge<Move>, Option<Score>)> = Vec::new();
    loop {
        let _ = write!(text, "{} ", numbered(&position, mv));
        if let Some(value) = value.and_then(|value| comment(&position, value)) {
            let _ = write!(text, "{{ {value} }} ");
        }
        for (other, value) in others {
            let _ = write!(text, "( {}) ", variation(file, &position, other, value, written)?);
        }
        position.play(mv);
        let Target::Position(to) = at else { return Ok(text) };
        if !written.insert(to) {
            text += "{ as in another line } ";
            return Ok(text);
        }
        let Ahead { line, mut moves } = ahead(file, to)?;
        if let Some((first, rest)) = line.split_first() {
            let _ = write!(text, "{} ", numbered(&position, *first));
            if let Some(value) = comment(&position, file.study().value(to)) {
                let _ = write!(text, "{{ {value} }} ");
            }
            for (other, value) in moves {
                let _ = write!(text, "( {}) ", variation(file, &position, other, value, written)?);
            }
            position.play(*first);
            let _ = write!(text, "{} ", position.line_to_san(rest));
            return Ok(text);
        }
        if moves.is_empty() {
            return Ok(text);
        }
        let (best, known) = moves.remove(0);
        (at, mv, value, others) = (best.to, best.mv, known, moves);
    }
}

/// Returns a move with its number.
fn numbered(position: &Position, mv: Move) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", position.fullmoves(), position.san(mv))
}
