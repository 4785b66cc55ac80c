//! `cassius lab odds`.

use super::data::read;
use crate::terminal::{self, STRONG};
use crate::{Error, whole_file};
use cassius_lab::outcomes::Outcomes;
use cassius_search::Score;
use std::io::Write as _;
use std::path::PathBuf;

/// Arguments of `cassius lab odds`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One position in eight of each game is used, and one game in five is held out: the table compares the \
chances predicted for the side to move in its positions with the wins. The intervals (95 %) keep the \
positions of a game together. What the engine shows (UCI_ShowWDL) is in crates/chess/src/odds.txt.

Examples:
  cassius lab odds data/games.viri
  cassius lab odds data/*/games.viri --write crates/chess/src/odds.txt")]
pub struct OddsArgs {
    /// Files of games (viriformat).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the weights to this file.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Fits the chances of a win, a draw and a loss to games.
pub fn run(args: &OddsArgs) -> Result<(), Error> {
    whole_file::prepare(args.write.as_deref().as_slice(), &args.files)?;
    let mut outcomes = Outcomes::default();
    for path in &args.files {
        read(path, &mut |game| {
            outcomes.add(&game);
            Ok(())
        })?;
    }
    let fitted = outcomes.fit()?;
    let (games, positions) = outcomes.counts();
    let mut out = terminal::stdout(args.write.is_some());
    writeln!(out, "{games} games, {positions} positions")?;
    writeln!(out, "\n{STRONG}predicted  won              positions{STRONG:#}")?;
    for bin in &fitted.bins {
        let [predicted, won, low, high] =
            [bin.predicted, bin.observed.value, bin.observed.low, bin.observed.high].map(|it| 100.0 * it);
        writeln!(out, "{predicted:6.1} %  {won:5.1} % [{low:.1}, {high:.1}]  {}", bin.count)?;
    }
    writeln!(out, "\n{STRONG}value   pieces  win  draw  loss (thousandths){STRONG:#}")?;
    for value in [0, 50, 100, 200, 400] {
        for pieces in [32, 20, 10] {
            let [win, draw, loss] = fitted.odds.of(Score(value), pieces);
            writeln!(out, "{:5.1}   {pieces:6}  {win:3}  {draw:4}  {loss:4}", f64::from(value) / 100.0)?;
        }
    }
    if let Some(path) = &args.write {
        let files: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
        let about = format!(
            "Fitted by `cassius lab odds` to {games} games, {positions} positions: {}",
            files.join(" ")
        );
        whole_file::write(path, fitted.odds.to_text(&about))?;
        writeln!(out, "\n{}: written", path.display())?;
    }
    Ok(())
}
