//! `cassius study measure`.

use super::engines::EnginesArgs;
use super::measured::{self, once};
use super::pool::Worker;
use crate::Error;
use crate::commands::analyse::input::{self, Item, Ply};
use crate::setup::parse_effort;
use crate::terminal::{self, STRONG};
use anyhow::ensure;
use cassius_chess::{Move, Position};
use cassius_lab::kept::Kept;
use cassius_search::game::Game as _;
use cassius_search::study::{Asked, LeafId, PositionId};
use cassius_search::{Component as _, Score};
use cassius_study::measure::{Ladder, Measured, Sample, Spread, measure};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

/// Arguments of `cassius study measure`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each position is judged with --nodes, and with 4, 16 and 64 times as many. The last judgement takes \
the place of the truth. It is also judged after the best move of the first judgement, and without it. \
The parameters at the end are those that a study of this engine should have.

Example:
  cassius study measure positions.epd --engine stockfish --nodes 100k --jobs 2 --out errors.jsonl")]
pub struct MeasureArgs {
    /// FENs, `startpos`, files with EPDs, FENs or games (PGN; --ply chooses their positions).
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<OsString>,
    /// Positions of games: `all`, `last`, or after this many plies.
    #[arg(long, value_name = "PLY", default_value = "last")]
    ply: Ply,
    /// Nodes for the first judgement.
    #[arg(long, value_name = "N", default_value = "100k", value_parser = parse_effort)]
    nodes: u64,
    /// File in which the judgements are kept. They are not repeated when the command is run again.
    /// An engine is known by its name and options.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    engines: EnginesArgs,
}

/// Fewer positions than these say little.
const FEW: usize = 50;

/// Measures errors.
pub fn run(args: &MeasureArgs) -> Result<(), Error> {
    let mut items = Vec::new();
    let mut broken = 0;
    for item in input::sources(&args.inputs).iter().flat_map(|source| source.items(args.ply)) {
        match item {
            Ok(item) if item.position.legal_moves().is_empty() => (),
            Ok(item) => items.push(Item { before: Vec::new(), ..item }),
            Err(complaint) => {
                broken += 1;
                terminal::complain(format_args!("{complaint}"));
            }
        }
    }
    ensure!(!items.is_empty(), "there is no position to measure");
    let ladder = Ladder { first: args.nodes, times: 4, steps: 4 };
    let samples = measured::each(&args.engines, args.out.as_deref(), &items, |worker, item, kept| {
        sample(worker, &item.position, ladder, kept)
    })?;
    let mut out = anstream::stdout().lock();
    write!(out, "{}", text(&measure(&samples, ladder)))?;
    out.flush()?;
    if samples.len() < FEW {
        terminal::note(format_args!("so few positions say little; measure {FEW} or more"));
    }
    input::summary(&args.inputs, items.len(), broken)
}

/// Judges a position in every way that is needed.
fn sample(
    worker: &mut Worker,
    position: &Position,
    ladder: Ladder,
    kept: Option<&Kept>,
) -> Result<Sample, String> {
    let mut ask = |line: &[Move], without: &[Move], effort: u64| -> Result<(Score, Option<Move>), String> {
        let mut at = position.clone();
        line.iter().for_each(|mv| at.play(*mv));
        if at.legal_moves().is_empty() {
            return Ok((at.outcome().score(0), None));
        }
        let leaf = LeafId { position: PositionId::ROOT, followed: 0 };
        let (line, without) = (line.to_vec(), without.to_vec());
        let judged = once(worker, position, &Asked { leaf, position: at, line, without, effort }, kept)?;
        Ok((judged.value, judged.best))
    };
    let mut values = Vec::new();
    let mut best = None;
    for effort in ladder.efforts() {
        let (value, mv) = ask(&[], &[], effort)?;
        best = best.or(mv);
        values.push(value);
    }
    let best = best.ok_or("no move was named")?;
    let has_others = position.count_moves() > 1;
    let mut both = |effort| -> Result<(Score, Option<Score>), String> {
        let after = (-ask(&[best], &[], effort)?.0).at_root(1);
        let others = has_others.then(|| ask(&[], &[best], effort)).transpose()?;
        Ok((after, others.map(|(value, _)| value)))
    };
    let (after, others) = both(ladder.last())?;
    let followed = both(ladder.first)?;
    let pieces = position.board().occupied().count();
    Ok(Sample { pieces, values, after, others, followed })
}

/// Returns the findings as text.
fn text(measured: &Measured) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{STRONG}{:<40} {:>9} {:>8} {:>8} {:>8}{STRONG:#}",
        "error on the scale asinh(pawns)", "positions", "middle", "width", "by mean"
    );
    let mut row = |name: &str, spread: &Spread| {
        let Spread { count, middle, width, by_mean } = spread;
        let _ = writeln!(text, "{name:<40} {count:>9} {middle:>8.3} {width:>8.3} {by_mean:>8.3}");
    };
    for (effort, spread) in &measured.judged {
        row(&format!("judged with {effort} nodes"), spread);
    }
    let named = [
        ("taken over by the position after it", &measured.inherited),
        ("the other moves, below the best", &measured.others),
        ("best move followed", &measured.followed),
    ];
    named.iter().for_each(|(name, spread)| spread.iter().for_each(|spread| row(name, spread)));
    measured.parts.iter().for_each(|(name, spread)| row(name, spread));
    let mut settings = Vec::new();
    measured.errors.clone().visit(&mut |parameter, value| {
        settings.push(format!("--set {}={value}", parameter.full_name()));
    });
    let _ = writeln!(text, "\n{}", settings.join(" "));
    text
}
