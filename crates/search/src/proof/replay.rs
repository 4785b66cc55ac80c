//! The checker of strategies: knows the rules, and nothing of the search.

use super::{Step, Strategy};
use crate::{Keyed, MAX_PLY, Outcome};
use std::fmt;

/// What a strategy has been found to do.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed<M> {
    /// Whether the side to move in the first position is the winner.
    pub mover_wins: bool,
    /// He needs so many plies at most.
    pub plies: usize,
    /// A line that takes so long.
    pub line: Vec<M>,
    /// How many positions were looked at.
    pub positions: usize,
}

/// The first thing in a strategy that is not so.
#[derive(Clone, PartialEq, Debug)]
pub struct Flaw<M> {
    /// The moves from the first position to the one that is wrong.
    pub line: Vec<M>,
    /// What is wrong.
    pub kind: FlawKind<M>,
}

/// What can be wrong with a strategy.
#[derive(Clone, PartialEq, Debug)]
pub enum FlawKind<M> {
    /// A move that the rules do not know here.
    NotLegal(M),
    /// A move of the other side that is not answered.
    NotAnswered(M),
    /// A move of the other side that is answered twice.
    AnsweredTwice(M),
    /// The game is not over here.
    NotOver,
    /// The game is over here, and not won.
    NotWon,
    /// The game is drawn here by rule.
    Drawn,
    /// The strategy goes on where the game is over.
    GoesOn,
    /// The strategy moves for one side, and then for the other.
    OtherSideMoves,
    /// There is no such step, or it does not stand before the one that needs it.
    NoStep(usize),
    /// Longer than any search.
    TooLong,
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
            FlawKind::GoesOn => f.write_str("the strategy goes on where the game is over"),
            FlawKind::OtherSideMoves => f.write_str("it is the other side's strategy from here on"),
            FlawKind::NoStep(step) => write!(f, "there is no step {step} to go on with"),
            FlawKind::TooLong => write!(f, "longer than {MAX_PLY} plies"),
        }
    }
}

impl<M: fmt::Debug> std::error::Error for Flaw<M> {}

/// Replays a strategy against every move of the other side. `drawn` says whether a position with moves is drawn by rule.
///
/// A step that several lines share is replayed once for each position that it is used in, positions told apart by
/// [`Keyed::exact_key`].
///
/// # Errors
/// The first thing that is not so, and where.
pub fn replay<G: Keyed>(
    position: &G,
    strategy: &Strategy<G::Move>,
    drawn: impl Fn(&G) -> bool,
) -> Result<Replayed<G::Move>, Flaw<G::Move>> {
    let steps = &strategy.steps;
    let mut replay = Replay {
        steps,
        drawn,
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

struct Replay<'a, M, D> {
    steps: &'a [Step<M>],
    drawn: D,
    /// The moves from the first position to the present one. After a flaw: those that lead to it.
    line: Vec<M>,
    /// For every step the position it was replayed in last, and the plies of its longest line.
    longest: Vec<Option<(u64, usize)>>,
    positions: usize,
    /// Whether the winner moves in positions after an even number of plies.
    owner: Option<bool>,
}

impl<M: Copy + PartialEq + fmt::Debug, D> Replay<'_, M, D> {
    /// Replays the step `at`, used by the step `by`; returns the plies of its longest line.
    fn step<G: Keyed<Move = M>>(&mut self, position: &G, at: usize, by: usize) -> Result<usize, FlawKind<M>>
    where
        D: Fn(&G) -> bool,
    {
        // What follows stands before: so no strategy goes round.
        let steps = self.steps;
        let step = steps.get(at).filter(|_| at < by).ok_or(FlawKind::NoStep(at))?;
        // Where the game is won the other side would have to move.
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

    /// Plays a legal move, replays what follows, and takes it back.
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

    /// The line from a step that was replayed in which the other side holds out longest.
    fn longest_line(&self, mut at: usize) -> Vec<M> {
        let plies = |step: usize| self.longest[step].map_or(0, |(_, plies)| plies);
        let mut line = Vec::new();
        loop {
            let next = match &self.steps[at] {
                Step::Won => return line,
                Step::Own { mv, next } => Some((*mv, *next)),
                // The last of several maxima: replies are in the game's own order.
                Step::Other(replies) => replies.iter().copied().max_by_key(|(_, next)| plies(*next)),
            };
            let Some((mv, next)) = next else { return line };
            line.push(mv);
            at = next;
        }
    }
}
