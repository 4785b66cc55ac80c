//! The shortest win.

use super::{Answer, Attack, Prover};
use crate::{Game, Stopped};

impl<G: Game, A: Attack<G>> Prover<'_, G, A> {
    /// The shortest win within so many plies: asks for one within 1, 3, 5 … plies (or 0, 2, 4 …: see [`Prover::within`]).
    pub fn shortest(&mut self, position: &G, most: usize) -> Answer {
        let mut disproven = None;
        for plies in (most % 2..=most).step_by(2) {
            match self.ask(position, plies) {
                Ok(Some(plies)) => return Answer::Proven { plies, shortest: true },
                Ok(None) => disproven = Some(plies),
                Err(Stopped) => return self.unknown(plies, disproven),
            }
        }
        Answer::Disproven { within: most }
    }

    /// Any win within so many plies, and then shorter ones, until the limits come or there is none; `found` is told of each with the
    /// plies that it takes.
    pub fn shorten(&mut self, position: &G, most: usize, found: &mut dyn FnMut(&mut Self, usize)) -> Answer {
        let mut proven = None;
        let mut most = Some(most);
        while let Some(within) = most {
            match self.ask(position, within) {
                Ok(Some(plies)) => {
                    found(self, plies);
                    proven = Some(plies);
                    most = plies.checked_sub(2);
                }
                Ok(None) if proven.is_none() => return Answer::Disproven { within },
                Ok(None) => break,
                Err(Stopped) => {
                    let unknown = self.unknown(within, None);
                    return proven.map_or(unknown, |plies| Answer::Proven { plies, shortest: false });
                }
            }
        }
        let plies = proven.unwrap_or_default();
        Answer::Proven { plies, shortest: true }
    }
}
