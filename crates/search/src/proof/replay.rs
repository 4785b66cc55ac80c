//! Checks strategies. The checker uses the rules and nothing of the search.

use super::{Step, Strategy};
use crate::alpha_beta::MAX_PLY;
use crate::game::{Keyed, Outcome};
use crate::limits::{Limits, Unlimited};
use std::fmt;

/// What a replay has confirmed about a strategy.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed<M> {
    /// Whether the side to move in the first position is the winner.
    pub mover_wins: bool,
    /// The greatest number of plies that the winner needs.
    pub plies: usize,
    /// A line of this length.
    pub line: Vec<M>,
    /// The number of positions that were checked.
    pub positions: usize,
}

/// The first error in a strategy.
#[derive(Clone, PartialEq, Debug)]
pub struct Flaw<M> {
    /// The moves from the first position to the one with the error.
    pub line: Vec<M>,
    /// The kind of error.
    pub kind: FlawKind<M>,
}

/// The kinds of errors in a strategy.
#[derive(Clone, PartialEq, Debug)]
pub enum FlawKind<M> {
    /// The move is not legal here.
    NotLegal(M),
    /// The strategy does not answer this move of the other side.
    NotAnswered(M),
    /// The strategy answers this move of the other side twice.
    AnsweredTwice(M),
    /// The game is not over here.
    NotOver,
    /// The game is over here, but not won.
    NotWon,
    /// The game is drawn here by rule.
    Drawn,
    /// The strategy continues although the game is over.
    GoesOn,
    /// The strategy plays for both sides.
    OtherSideMoves,
    /// There is no step with this index, or it does not come before the step that refers to it.
    NoStep(usize),
    /// The line is longer than [`MAX_PLY`].
    TooLong,
    /// A limit was reached before the end of the replay. The strategy may be correct.
    Stopped,
}

impl<M: fmt::Debug> fmt::Display for Flaw<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line.as_slice() {
            [] => f.write_str("first position: ")?,
            line => write!(f, "after {line:?}: ")?,
        }
        match &self.kind {
            FlawKind::NotLegal(mv) => write!(f, "{mv:?} is not legal"),
            FlawKind::NotAnswered(mv) => write!(f, "{mv:?} is not answered"),
            FlawKind::AnsweredTwice(mv) => write!(f, "{mv:?} is answered twice"),
            FlawKind::NotOver => f.write_str("the game is not over"),
            FlawKind::NotWon => f.write_str("the game is not won"),
            FlawKind::Drawn => f.write_str("the game is drawn"),
            FlawKind::GoesOn => f.write_str("the strategy continues where the game is over"),
            FlawKind::OtherSideMoves => f.write_str("the strategy plays for the other side from here on"),
            FlawKind::NoStep(step) => write!(f, "there is no step {step} to continue with"),
            FlawKind::TooLong => write!(f, "the line is longer than {MAX_PLY} plies"),
            FlawKind::Stopped => f.write_str("the replay was stopped before its end"),
        }
    }
}

impl<M: fmt::Debug> std::error::Error for Flaw<M> {}

/// Replays a strategy against every move of the other side. `drawn` returns whether a position with
/// moves is drawn by rule.
///
/// A step that several lines share is replayed for each position in which it is used, once or more often.
/// [`Keyed::exact_key`] distinguishes positions.
///
/// # Errors
/// Returns the first error and its place.
pub fn replay<G: Keyed>(
    position: &G,
    strategy: &Strategy<G::Move>,
    drawn: impl Fn(&G) -> bool,
) -> Result<Replayed<G::Move>, Flaw<G::Move>> {
    replay_within(position, strategy, drawn, &Unlimited)
}

/// Replays like [`replay`], but ends with [`FlawKind::Stopped`] when a limit is reached.
pub(super) fn replay_within<G: Keyed>(
    position: &G,
    strategy: &Strategy<G::Move>,
    drawn: impl Fn(&G) -> bool,
    limits: &dyn Limits,
) -> Result<Replayed<G::Move>, Flaw<G::Move>> {
    let steps = &strategy.steps;
    let mut replay = Replay {
        steps,
        drawn,
        limits,
        line: Vec::new(),
        longest: vec![None; steps.len()],
        positions: 0,
        owner: None,
    };
    let start = steps.len().wrapping_sub(1);
    let plies = match replay.step(position, start, steps.len()) {
        Ok(plies) => plies,
        Err(kind) => return Err(Flaw { line: replay.line, kind }),
    };
    let (positions, mover_wins) = (replay.positions, replay.owner == Some(true));
    Ok(Replayed { mover_wins, plies, line: replay.longest_line(start), positions })
}

/// The limits are checked once in this many positions.
const POLL: usize = 16;

struct Replay<'a, M, D> {
    steps: &'a [Step<M>],
    drawn: D,
    limits: &'a dyn Limits,
    /// The moves from the first position to the present one. After an error, the moves that lead to it.
    line: Vec<M>,
    /// For every step, the position in which it was replayed last, and the plies of its longest line.
    longest: Vec<Option<(u64, usize)>>,
    positions: usize,
    /// Whether the winner is to move after an even number of plies.
    owner: Option<bool>,
}

impl<M: Copy + PartialEq + fmt::Debug, D> Replay<'_, M, D> {
    /// Replays the step `at`, which the step `by` refers to. Returns the plies of its longest line.
    fn step<G: Keyed<Move = M>>(&mut self, position: &G, at: usize, by: usize) -> Result<usize, FlawKind<M>>
    where
        D: Fn(&G) -> bool,
    {
        // A step may only refer to earlier steps. This rules out cycles.
        let steps = self.steps;
        let step = steps.get(at).filter(|_| at < by).ok_or(FlawKind::NoStep(at))?;
        // Where the game is won, the loser would be to move.
        let even = self.line.len().is_multiple_of(2);
        let owner = if matches!(step, Step::Own { .. }) { even } else { !even };
        if *self.owner.get_or_insert(owner) != owner {
            return Err(FlawKind::OtherSideMoves);
        }
        let key = position.exact_key();
        if let Some((replayed, plies)) = self.longest[at]
            && replayed == key
        {
            return Ok(plies);
        }
        if self.line.len() > MAX_PLY {
            return Err(FlawKind::TooLong);
        }
        self.positions += 1;
        if self.positions.is_multiple_of(POLL) && self.limits.ends_now() {
            return Err(FlawKind::Stopped);
        }
        let mut legal = Vec::new();
        position.moves(&mut legal);
        let plies = match step {
            Step::Won if !legal.is_empty() => return Err(FlawKind::NotOver),
            Step::Won if position.outcome() != Outcome::Loss => return Err(FlawKind::NotWon),
            Step::Won => 0,
            _ if legal.is_empty() => return Err(FlawKind::GoesOn),
            _ if (self.drawn)(position) => return Err(FlawKind::Drawn),
            Step::Own { mv, .. } if !legal.contains(mv) => return Err(FlawKind::NotLegal(*mv)),
            Step::Own { mv, next } => self.go_on(position, *mv, *next, at)?,
            Step::Other(replies) => {
                let mut unanswered = legal.clone();
                for (mv, _) in replies {
                    match unanswered.iter().position(|legal| legal == mv) {
                        Some(place) => drop(unanswered.swap_remove(place)),
                        None if legal.contains(mv) => return Err(FlawKind::AnsweredTwice(*mv)),
                        None => return Err(FlawKind::NotLegal(*mv)),
                    }
                }
                if let Some(mv) = unanswered.first() {
                    return Err(FlawKind::NotAnswered(*mv));
                }
                let mut longest = 0;
                for (mv, next) in replies {
                    longest = longest.max(self.go_on(position, *mv, *next, at)?);
                }
                longest
            }
        };
        self.longest[at] = Some((key, plies));
        Ok(plies)
    }

    /// Plays a legal move, replays the following step, and takes the move back.
    fn go_on<G: Keyed<Move = M>>(
        &mut self,
        position: &G,
        mv: M,
        next: usize,
        by: usize,
    ) -> Result<usize, FlawKind<M>>
    where
        D: Fn(&G) -> bool,
    {
        let mut child = position.clone();
        child.play(mv);
        self.line.push(mv);
        let plies = self.step(&child, next, by)?;
        self.line.pop();
        Ok(1 + plies)
    }

    /// Returns the line from a replayed step in which the other side holds out longest.
    fn longest_line(&self, mut at: usize) -> Vec<M> {
        let plies = |step: usize| self.longest[step].map_or(0, |(_, plies)| plies);
        let mut line = Vec::new();
        loop {
            let next = match &self.steps[at] {
                Step::Won => return line,
                Step::Own { mv, next } => Some((*mv, *next)),
                // `max_by_key` returns the last of several maxima. Replies are in the order in which the
                // game lists them.
                Step::Other(replies) => replies.iter().copied().max_by_key(|(_, next)| plies(*next)),
            };
            let Some((mv, next)) = next else { return line };
            line.push(mv);
            at = next;
        }
    }
}
