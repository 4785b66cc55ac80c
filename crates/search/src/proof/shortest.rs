//! Finds any win, or the shortest win.
//!
//! It is often easier to prove a win within many plies than to disprove one within few. Therefore any
//! win is sought first, and then shorter ones. When the question was asked for 1, 3, 5 … plies in turn
//! instead, 55 of 100 mates in two to 20 moves were solved in a second each. When it was asked for the
//! exact length of the win, 84 were solved.

use super::{Answer, Attack, Prover};
use crate::game::Game;
use crate::limits::Stopped;

/// The number of nodes in the first slice of [`Prover::any`].
const SLICE: u64 = 1 << 13;

impl<G: Game, A: Attack<G>> Prover<'_, G, A> {
    /// Searches for any win within this many plies. With too few plies there is no win, and with too
    /// many the search goes astray. Therefore the search alternates between several numbers of plies,
    /// starting from the least one that is open. Every round adds one more number of plies and doubles
    /// the nodes for each.
    pub fn any(&mut self, position: &G, most: usize) -> Answer {
        let mut disproven = None;
        let mut least = most % 2;
        let (mut slice, mut width) = (SLICE, 1);
        while least <= most {
            for plies in (least..=most).step_by(2).take(width) {
                self.pause = self.nodes.saturating_add(slice);
                self.next_poll = self.next_poll.min(self.pause);
                let answer = self.ask(position, plies);
                let paused = self.nodes >= self.pause;
                self.pause = u64::MAX;
                match answer {
                    Ok(Some(found)) => {
                        let shortest = found < 2 || disproven.is_some_and(|within| within + 2 >= found);
                        return Answer::Proven { plies: found, shortest };
                    }
                    Ok(None) => (disproven, least) = (Some(plies), plies + 2),
                    Err(Stopped) if paused => (),
                    Err(Stopped) => return self.unknown(plies, disproven),
                }
            }
            (slice, width) = (slice.saturating_mul(2), width + 1);
        }
        Answer::Disproven { within: most }
    }

    /// Searches for a win within this many plies, and then for shorter ones, until there is none or a
    /// limit is reached. Calls `found` for each win with the number of plies that it takes.
    pub fn shortest(&mut self, position: &G, most: usize, found: &mut dyn FnMut(&mut Self, usize)) -> Answer {
        let mut proven = None;
        let mut within = most;
        loop {
            match self.ask(position, within) {
                Ok(Some(plies)) => {
                    found(self, plies);
                    proven = Some(plies);
                    match plies.checked_sub(2) {
                        Some(less) => within = less,
                        None => return Answer::Proven { plies, shortest: true },
                    }
                }
                Ok(None) => {
                    let shortest = |plies| Answer::Proven { plies, shortest: true };
                    return proven.map_or(Answer::Disproven { within }, shortest);
                }
                Err(Stopped) => {
                    let unknown = self.unknown(within, None);
                    return proven.map_or(unknown, |plies| Answer::Proven { plies, shortest: false });
                }
            }
        }
    }
}
