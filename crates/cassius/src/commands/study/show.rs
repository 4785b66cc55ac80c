//! `cassius study show`.

use super::output::shown;
use super::{open, with_name};
use crate::terminal::{DIM, STRONG};
use crate::{Error, whole_file};
use anyhow::ensure;
use cassius_chess::notation::Pawns;
use cassius_chess::{Move, Position};
use cassius_search::Score;
use cassius_search::game::Game as _;
use cassius_search::study::{Candidate, Conspiracy, Conspirator, PositionId, Verdict};
use cassius_study::{StudyError, StudyFile};
use shakmaty::{Color, File, Rank, Square};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Arguments of `cassius study show`.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// File of the study.
    #[arg(value_name = "STUDY")]
    file: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Also write the tree as a game with variations and values, as PGN. `-` prints only this.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Also write a page for a browser, on which the tree can be walked. `-` prints only this.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Shows a study.
pub fn run(args: &ShowArgs) -> Result<(), Error> {
    let outputs: Vec<&Path> = args.pgn.iter().chain(&args.html).map(PathBuf::as_path).collect();
    whole_file::prepare(&outputs, &[&args.file])?;
    let mut file = open(&args.file)?;
    let standard = Some(Path::new("-"));
    let to_standard = [&args.pgn, &args.html].map(|path| path.as_deref() == standard);
    let printed = to_standard.iter().filter(|is_so| **is_so).count() + usize::from(args.json);
    ensure!(printed <= 1, "only one of --json, --pgn - and --html - can be printed");
    if let Some(path) = &args.pgn {
        write(path, &super::pgn::text(&file)?)?;
    }
    if let Some(path) = &args.html {
        write(path, &super::html::page(&mut file)?)?;
    }
    if to_standard.contains(&true) { Ok(()) } else { print(&mut file, &args.file, args.json) }
}

/// Writes a file, or prints what would be in it.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    if path != Path::new("-") {
        return whole_file::write(path, text);
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints a study, the file of which has this name.
pub fn print(file: &mut StudyFile, name: &Path, as_json: bool) -> Result<(), Error> {
    let verdict = file.verdict();
    let text = match as_json {
        true => shown(file, &verdict).map(|shown| serde_json::to_string(&shown).expect("numbers") + "\n"),
        false => text(file, &verdict),
    };
    let mut out = anstream::stdout().lock();
    write!(out, "{}", text.map_err(|error| with_name(error, name))?)?;
    Ok(out.flush()?)
}

/// A value of the study for White.
pub struct ForWhite<'a>(pub &'a Position);

impl ForWhite<'_> {
    /// Returns a value in pawns.
    pub fn pawns(&self, value: Score) -> String {
        Pawns(if self.0.turn() == Color::White { value } else { -value }).to_string()
    }

    /// Returns a range of values.
    pub fn range(&self, (low, high): (Score, Score)) -> String {
        match self.0.turn() {
            Color::White => format!("{} to {}", self.pawns(low), self.pawns(high)),
            Color::Black => format!("{} to {}", self.pawns(high), self.pawns(low)),
        }
    }
}

/// Returns the study as text. Values are for White.
fn text(file: &StudyFile, verdict: &Verdict<Move>) -> Result<String, StudyError> {
    let study = file.study();
    let root = study.root();
    let mut text = String::new();
    let _ = writeln!(text, "{root}");
    let _ = writeln!(text, "{STRONG}{}{STRONG:#}\n", sentence(root, verdict));
    let _ = writeln!(
        text,
        "{STRONG}{:<10} {:>7}  {:>18}  {:>7}  {:>7}{STRONG:#}",
        "move", "value", "80 % within", "best", "nodes"
    );
    for (candidate, nodes) in verdict.moves.iter().zip(file.nodes_of(verdict)?) {
        let Candidate { value, range, chance, .. } = candidate;
        let value = value.map_or_else(|| "–".to_string(), |value| ForWhite(root).pawns(value));
        let range = ForWhite(root).range(*range);
        let percent = percent(*chance);
        let (name, nodes) = (name(root, candidate), rounded(nodes));
        let _ = writeln!(text, "{name:<10} {value:>7}  {range:>18}  {percent:>7}  {nodes:>7}");
    }
    let excluded: Vec<String> = excluded(file).map(|mv| root.san(mv)).collect();
    if !excluded.is_empty() {
        let _ = writeln!(text, "left out: {}", excluded.join(", "));
    }
    let waiting = file.waiting()?;
    if !waiting.is_empty() {
        let _ = writeln!(text, "when it grows: {}", waiting.join("; "));
    }
    for (number, conspiracy) in verdict.conspiracies.iter().enumerate() {
        let _ = writeln!(text, "\n{STRONG}{}. {}{STRONG:#}", number + 1, heading(root, conspiracy));
        for member in &conspiracy.members {
            let named = describe(file, member)?;
            let _ = writeln!(text, "  {named}");
            if let Some(line) = &named.expected {
                let _ = writeln!(text, "  {line}");
            }
            let _ = writeln!(text, "  {DIM}{}{DIM:#}", study.position(member.leaf.position));
        }
        let positions: Vec<Position> =
            conspiracy.members.iter().map(|member| study.position(member.leaf.position)).collect();
        text.push_str(&diagrams(&positions));
    }
    let judges = file.judges()?;
    let _ = writeln!(text, "\n{}", counted(verdict.positions as u64, "position"));
    for (judge, judgements, nodes) in judges {
        let options = if judge.options.is_empty() { String::new() } else { format!(" ({})", judge.options) };
        let judgements = counted(judgements, "judgement");
        let _ = writeln!(text, "{judgements} by {}{options}, {nodes} nodes", judge.name);
    }
    Ok(text)
}

/// Returns a number of nodes with two or three digits.
pub fn rounded(nodes: Option<u64>) -> String {
    let Some(nodes) = nodes else { return "–".into() };
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    match units.into_iter().find(|(unit, _)| nodes >= *unit) {
        None => nodes.to_string(),
        Some((unit, name)) if nodes < 10 * unit => format!("{:.1}{name}", nodes as f64 / unit as f64),
        Some((unit, name)) => format!("{}{name}", nodes / unit),
    }
}

/// Returns a number of things.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Returns the moves that are left out at the root.
pub fn excluded(file: &StudyFile) -> impl Iterator<Item = Move> {
    file.study().edges(PositionId::ROOT).iter().filter(|edge| edge.excluded).map(|edge| edge.mv)
}

/// Returns diagrams, side by side in the order of the positions, seen by White.
fn diagrams(positions: &[Position]) -> String {
    const ABREAST: usize = 4;
    let mut text = String::new();
    for row in positions.chunks(ABREAST) {
        let mut line = |cells: Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| format!("  {cell:<17}")).collect();
            let _ = writeln!(text, "{}", cells.concat().trim_end());
        };
        line(row.iter().map(|at| format!("{} to move", at.turn())).collect());
        for rank in Rank::ALL.into_iter().rev() {
            let ranks = row.iter().map(|at| {
                let piece = |file| at.board().piece_at(Square::from_coords(file, rank));
                let letter = |file| piece(file).map_or('.', |piece| piece.char()).to_string();
                File::ALL.map(letter).join(" ")
            });
            line(ranks.collect());
        }
    }
    text
}

/// Returns the verdict in one sentence.
pub fn sentence(root: &Position, verdict: &Verdict<Move>) -> String {
    let Some(best) = verdict.moves.first() else { return "The game is over.".into() };
    let Some(score) = best.value else { return "Nothing was judged yet.".into() };
    let (mv, value) = (name(root, best), ForWhite(root).pawns(score));
    if best.mv.is_none() {
        return format!("The value is {value}; that is proven.");
    }
    if root.count_moves() == 1 {
        let claimed = score.is_decided() && score > Score::DRAW && !verdict.proven;
        let more = if claimed { "; that it wins is what the engines say, and is not proven" } else { "" };
        return format!("{mv} ({value}) is the only move{more}.");
    }
    let is_won = score > Score::DRAW;
    if score.is_decided() && (is_won || verdict.proven) {
        let how_soon = if score.is_win() || score.is_loss() { format!(" ({value})") } else { String::new() };
        return match verdict.proven {
            true if is_won => format!("{mv}{how_soon} wins."),
            true => format!("{mv}{how_soon} is best; that it loses is proven."),
            false => format!("{mv}{how_soon} wins, as the engines say; that is not proven."),
        };
    }
    let sure = percent(best.chance);
    // The move with the best value need not be the likeliest one: the values of others may be less certain.
    if let Some(other) = verdict.moves[1..].iter().find(|other| other.chance > best.chance) {
        let (other, chance) = (name(root, other), percent(other.chance));
        return format!(
            "{mv} ({value}) has the best value ({sure}), but {other} may well be better ({chance})."
        );
    }
    let more = match verdict.conspiracies.len() {
        0 => String::new(),
        1 => "; the misjudgement most likely to change that is below".into(),
        several => format!("; the {several} misjudgements most likely to change that are below"),
    };
    format!(
        "{mv} ({value}) is best with a chance of {}{more}.",
        sure.replace('>', "more than").replace('<', "less than")
    )
}

/// Says what a conspiracy would change.
pub fn heading(root: &Position, conspiracy: &Conspiracy<Move>) -> String {
    let instead = conspiracy.instead.map_or_else(|| "another move".to_string(), |mv| root.san(mv));
    let chance = percent(conspiracy.chance);
    const WORDS: [&str; 8] = ["two", "three", "four", "five", "six", "seven", "eight", "nine"];
    match conspiracy.members.len() {
        1 => format!("one position ({chance}): {instead} is best if"),
        several => {
            let several = WORDS.get(several - 2).map_or_else(|| several.to_string(), |word| word.to_string());
            format!("{several} positions ({chance}): {instead} is best if together")
        }
    }
}

/// Returns the name of a root move.
pub fn name(root: &Position, candidate: &Candidate<Move>) -> String {
    match (candidate.mv, candidate.after) {
        (Some(mv), Some(_)) => root.san(mv),
        (Some(mv), None) => format!("{} …", root.san(mv)),
        (None, _) => "others".into(),
    }
}

/// Returns a chance in per cent. None is certain: it depends on what is supposed of errors.
pub fn percent(chance: f32) -> String {
    match 100.0 * chance {
        least if least > 0.0 && least < 0.1 => "< 0.1 %".into(),
        most if most >= 99.95 => "> 99.9 %".into(),
        percent => format!("{percent:.1} %"),
    }
}

/// A position on which the verdict hangs, in words.
pub struct Named {
    /// Where it is.
    pub place: String,
    /// The value that would suffice, and the one that it has.
    pub misjudged: String,
    /// The first moves of the line that the engine expects, if the value was judged.
    pub expected: Option<String>,
}

impl std::fmt::Display for Named {
    /// Writes all but the line that is expected.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.misjudged)
    }
}

/// This many plies of a line are shown.
const PLIES: usize = 8;

/// Names a position on which the verdict hangs.
pub fn describe(file: &StudyFile, member: &Conspirator<Move>) -> Result<Named, StudyError> {
    let study = file.study();
    let at = study.position(member.leaf.position);
    let white = ForWhite(&at);
    let place = match (member.line.is_empty(), member.leaf.followed) {
        (true, 0) => "at the root".to_string(),
        (true, _) => "another move at the root".into(),
        (false, 0) => format!("after {}", study.root().line_to_san(&member.line)),
        (false, _) => format!("another move after {}", study.root().line_to_san(&member.line)),
    };
    let up = member.at_least == at.turn().is_white();
    let (value, needed) = (white.pawns(member.value), white.pawns(member.needed));
    let or = if up { "or more" } else { "or less" };
    let line = if member.judged { file.line_of(member.leaf.position)? } else { Vec::new() };
    let shown = at.line_to_san(&line[..line.len().min(PLIES)]);
    let more = if line.len() > PLIES { " …" } else { "" };
    let expected = (!line.is_empty()).then(|| format!("expected: {shown}{more}"));
    let basis = match member.judged {
        true => format!("instead of {value}, judged"),
        false => format!("where {value} is supposed"),
    };
    let misjudged = format!("{needed} {or} {basis} ({})", percent(member.chance));
    Ok(Named { place, misjudged, expected })
}
