//! Another engine, which is asked for the same mates under the same limits.

use super::output::Found;
use crate::peer::Claim;
use crate::terminal::STRONG;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// The other engine's answer for a position.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Its name.
    pub name: String,
    /// Its answer.
    pub claim: Claim,
}

impl Beside {
    /// Whether it claims a mate in a number of moves within which it is proven that there is none.
    fn is_impossible(&self, no_mate_in: Option<usize>) -> bool {
        self.claim.mate_in.is_some_and(|moves| no_mate_in >= Some(moves))
    }

    /// Returns a line of text. `moves` is the number of moves that the engine was asked for,
    /// `no_mate_in` the number within which it is proven that there is no mate.
    pub fn text(&self, moves: usize, no_mate_in: Option<usize>) -> String {
        let claim = match self.claim.mate_in {
            Some(moves) if self.is_impossible(no_mate_in) => {
                format!("claims mate in {moves}, {STRONG}which is impossible{STRONG:#}")
            }
            Some(moves) => format!("claims mate in {moves}"),
            None => format!("finds no mate in {moves}"),
        };
        format!("{} {claim}; {:.2} s", self.name, self.claim.elapsed.as_secs_f64())
    }

    /// Returns the same for JSON.
    pub fn json(&self, no_mate_in: Option<usize>) -> Json<'_> {
        Json {
            name: &self.name,
            mate_in: self.claim.mate_in,
            impossible: self.is_impossible(no_mate_in),
            time_ms: u64::try_from(self.claim.elapsed.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// The other engine's answer, as a JSON object.
#[derive(Debug, Serialize)]
pub struct Json<'a> {
    name: &'a str,
    mate_in: Option<usize>,
    impossible: bool,
    time_ms: u64,
}

/// The numbers of mates found by one program or by both.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Tally {
    name: String,
    positions: usize,
    here: Side,
    there: Side,
    both: usize,
    /// Claims that are proven wrong. They do not count as mates.
    impossible: usize,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Side {
    mates: usize,
    alone: usize,
    seconds: f64,
}

impl Tally {
    /// Counts a position, if the other engine was asked.
    pub fn count(&mut self, found: &Found) {
        let Some(beside) = &found.beside else { return };
        let impossible = beside.is_impossible(found.no_mate_in());
        let here = found.mate.is_some();
        let there = beside.claim.mate_in.is_some() && !impossible;
        self.name.clone_from(&beside.name);
        self.positions += 1;
        self.both += usize::from(here && there);
        self.impossible += usize::from(impossible);
        self.here.count(here, there, found.elapsed);
        self.there.count(there, here, beside.claim.elapsed);
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }
}

impl Side {
    fn count(&mut self, found: bool, other: bool, elapsed: Duration) {
        self.mates += usize::from(found);
        self.alone += usize::from(found && !other);
        self.seconds += elapsed.as_secs_f64();
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { name, positions, here, there, both, impossible } = self;
        write!(
            f,
            "{STRONG}{} mates proven, {} claimed by {name}{STRONG:#} in {positions} positions: {both} by \
             both, {} only here, {} only there; {:.1} s here, {:.1} s there",
            here.mates, there.mates, here.alone, there.alone, here.seconds, there.seconds
        )?;
        match impossible {
            0 => Ok(()),
            1 => write!(f, "; 1 more claim is impossible"),
            _ => write!(f, "; {impossible} more claims are impossible"),
        }
    }
}
