//! `cassius lab options`.

use super::data::read;
use crate::setup::parse_count;
use crate::terminal::{self, STRONG};
use crate::{Error, whole_file};
use anyhow::ensure;
use cassius_chess::Position;
use cassius_lab::options::{Collector, Example, Quality, Training, quality, train};
use cassius_lab::parallel;
use cassius_search::Game as _;
use std::convert::Infallible;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Arguments of `cassius lab options`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Positions of the games, evenly spread, are searched. At some nodes the moves that hold the value are counted \
by searches, and the network learns to estimate their number from what is known without a search. One game \
in five is held out. What the component LearnedOptions uses is in crates/chess/src/evaluation/options.txt.

Examples:
  cassius lab options data/games.viri --positions 100
  cassius lab options data/games.viri --jobs 2 --write crates/chess/src/evaluation/options.txt")]
pub struct OptionsArgs {
    /// Files of games (viriformat).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Number of positions.
    #[arg(
        long, value_name = "N", default_value_t = 6000,
        value_parser = clap::value_parser!(u32).range(5..=1_000_000),
    )]
    positions: u32,
    /// Nodes for each position.
    #[arg(long, value_name = "N", default_value = "5k", value_parser = parse_count)]
    nodes: u64,
    /// Number of positions searched at the same time.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    jobs: u16,
    /// Write the weights to this file.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// One game in this many is held out.
const HELD_OUT: usize = 5;

/// Learns to estimate how many options a position has.
pub fn run(args: &OptionsArgs) -> Result<(), Error> {
    whole_file::prepare(args.write.as_deref().as_slice(), &args.files)?;
    let positions = positions(args)?;
    let numbered: Vec<(usize, &Position)> =
        positions.iter().map(|(_, position)| position).enumerate().collect();
    let mut found: Vec<(usize, Vec<Example>)> = Vec::new();
    let work = || {
        let nodes = args.nodes;
        Ok::<_, Infallible>(move |&(number, position): &(usize, &Position)| {
            // A position's examples depend on nothing else, so that the number of jobs makes no difference.
            let mut collector = Collector::new(nodes, number as u64).ok()?;
            Some((number, collector.examples(position)))
        })
    };
    let progress = terminal::progress(positions.len() as u64);
    let mut each = |examples| {
        found.push(examples);
        progress.inc(1);
        true
    };
    parallel::run(&numbered, args.jobs.into(), work, &AtomicBool::new(false), &mut each)
        .unwrap_or_else(|never| match never {});
    progress.finish_and_clear();
    ensure!(found.len() == positions.len(), "not enough memory");
    found.sort_by_key(|(number, _)| *number);
    // Positions of one game are alike. They are on one side.
    let (mut learned, mut held) = (Vec::new(), Vec::new());
    for ((game, _), (_, examples)) in positions.iter().zip(found) {
        if game % HELD_OUT == HELD_OUT - 1 { &mut held } else { &mut learned }.extend(examples);
    }
    ensure!(!learned.is_empty(), "no node was far enough from the leaves: more --nodes are needed");
    if held.is_empty() {
        terminal::note(format_args!("nothing is held out: more games or --positions are needed"));
    }
    let network = train(&learned, Training::default());

    let mut out = terminal::stdout(args.write.is_some());
    let about = format!(
        "{} positions, {} nodes each; {} examples to learn from, {} held out",
        positions.len(),
        args.nodes,
        learned.len(),
        held.len()
    );
    writeln!(out, "{about}")?;
    writeln!(
        out,
        "\n{STRONG}                    correlation of S  only moves found  of those said{STRONG:#}"
    )?;
    let holding: Vec<Example> = held.iter().copied().filter(|example| example.holding > 0).collect();
    let rows = [("learned from", &learned), ("held out", &held), ("where a move holds", &holding)];
    for (name, examples) in rows {
        match quality(&network, examples.iter().copied()) {
            Quality { correlation: Some(correlation), found: Some(found), right: Some(right) } => {
                let (found, right) = (100.0 * found, 100.0 * right);
                writeln!(out, "{name:<18}  {correlation:>16.3}  {found:>14.1} %  {right:>11.1} %")?
            }
            _ => writeln!(out, "{name:<18}  too few examples")?,
        }
    }
    if let Some(path) = &args.write {
        let files: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
        let text = format!("# Learned by `cassius lab options` from {}: {about}\n{network}", files.join(" "));
        whole_file::write(path, text)?;
        writeln!(out, "\n{}: written", path.display())?;
    }
    Ok(())
}

/// Returns positions of all games, evenly spread, each with the number of its game among those that have one
/// here.
fn positions(args: &OptionsArgs) -> Result<Vec<(usize, Position)>, Error> {
    let mut all = 0;
    for path in &args.files {
        read(path, &mut |game| {
            all += game.moves.len();
            Ok(())
        })?;
    }
    ensure!(all > 0, "there are no positions in these files");
    let (wanted, mut number, mut games, mut positions) = (args.positions as usize, 0, 0, Vec::new());
    for path in &args.files {
        read(path, &mut |game| {
            let before = positions.len();
            for (position, _, _) in game.positions() {
                number += 1;
                if number * wanted / all > (number - 1) * wanted / all && !position.is_over() {
                    positions.push((games, position.clone()));
                }
            }
            games += usize::from(positions.len() > before);
            Ok(())
        })?;
    }
    Ok(positions)
}
