//! Converts a strategy into a [certificate](crate::plans::certificate): a plan of one side in which
//! every line is certain.
//!
//! The value is that of a win within this many plies. S is 0 throughout, because nothing has to be made
//! safer, so that no options are named.

use super::{Step, Strategy};
use crate::depth::Depth;
use crate::game::Game;
use crate::plans::certificate::format::VERSION;
use crate::plans::certificate::{Certificate, Name, Plan, Step as Entry};
use crate::score::Score;
use std::fmt;

/// The strategy has more positions than a file may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge(
    /// The greatest number of positions.
    pub usize,
);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the strategy has more than {} positions when it is written line by line", self.0)
    }
}

impl std::error::Error for TooLarge {}

/// Returns the certificate of a strategy that was replayed and wins in `plies` plies, at least one.
/// Parts that several lines share are written out for each line, up to `most` positions. The caller
/// fills in the names of the game, the position and the values. `name` must name moves as a
/// [`Referee`](crate::plans::certificate::Referee) does.
///
/// # Errors
/// If there are more than `most` positions.
pub fn certificate<G: Game>(
    position: &G,
    strategy: &Strategy<G::Move>,
    plies: usize,
    most: usize,
    name: &dyn Fn(&G, G::Move) -> String,
) -> Result<Certificate, TooLarge> {
    let steps = &strategy.steps;
    let mut writer = Writer { steps, most, left: most, name };
    let root = writer.entry(position, steps.len().saturating_sub(1), 0)?;
    let mover_wins = matches!(root, Entry::Own { .. });
    let plan = Some(Plan { depth: Depth::CERTAIN, root });
    let (at_least, at_most) = if mover_wins { (plan, None) } else { (None, plan) };
    Ok(Certificate {
        version: VERSION,
        game: String::new(),
        position: String::new(),
        values: String::new(),
        margin: Score(1),
        safety: vec![Depth::ZERO],
        value: if mover_wins { Score::win_in(plies) } else { Score::loss_in(plies) },
        at_least,
        at_most,
    })
}

struct Writer<'a, G: Game> {
    steps: &'a [Step<G::Move>],
    most: usize,
    /// The number of positions that may still be written.
    left: usize,
    name: &'a dyn Fn(&G, G::Move) -> String,
}

impl<G: Game> Writer<'_, G> {
    fn entry(&mut self, position: &G, at: usize, ply: usize) -> Result<Entry, TooLarge> {
        self.left = self.left.checked_sub(1).ok_or(TooLarge(self.most))?;
        Ok(match self.steps.get(at) {
            None | Some(Step::Won) => Entry::Over { value: Score::win_in(ply) },
            Some(Step::Own { mv, next }) => Entry::Own {
                mv: self.called(position, *mv),
                options: Vec::new(),
                next: Box::new(self.after(position, *mv, *next, ply)?),
            },
            Some(Step::Other(replies)) => {
                let mut entries = Vec::with_capacity(replies.len());
                for (mv, next) in replies {
                    entries.push((self.called(position, *mv), self.after(position, *mv, *next, ply)?));
                }
                Entry::Other(entries)
            }
        })
    }

    fn after(&mut self, position: &G, mv: G::Move, next: usize, ply: usize) -> Result<Entry, TooLarge> {
        let mut child = position.clone();
        child.play(mv);
        self.entry(&child, next, ply + 1)
    }

    fn called(&self, position: &G, mv: G::Move) -> Name {
        (self.name)(position, mv).into()
    }
}
