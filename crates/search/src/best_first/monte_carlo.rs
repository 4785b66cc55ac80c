//! Monte Carlo tree search: grows a tree where moves have done well or have been tried little.
//!
//! A node counts its visits and adds up their chances. A chance is a number from 0 (lost) through ½
//! (drawn) to 1 (won), for the side to move. A visit follows a line of moves to a leaf. It assesses the
//! leaf, adds the leaf's children without visits, and counts in every node of the line. What the finished
//! games of the tree prove is kept beside the counts.
//!
//! *Reference:* UCT is from L. Kocsis, C. Szepesvári, Bandit Based Monte-Carlo Planning, 2006, §2.3, with
//! UCB1 (their equation 1). PUCT was proposed by C. Rosin, Multi-armed Bandits with Episode Context, 2011;
//! the formula is that of D. Silver and others, Mastering the Game of Go without Human Knowledge, 2017,
//! Methods (*Select*). Proofs are those of M. Winands, Y. Björnsson, J.-T. Saito, Monte-Carlo Tree Search
//! Solver, 2008, §3, with bounds for draws as in T. Cazenave, A. Saffidine, Score Bounded Monte-Carlo Tree
//! Search, 2010, §3.
//! *Deviations:* a leaf is expanded by its first visit, as in Silver and others; Kocsis and Szepesvári
//! leave this open. A node's chance is clipped to what is proven, so that a proven node has its exact
//! chance from then on, also for its earlier visits. A move is not followed if it cannot raise what is
//! proven for its side. A move without visits counts as a draw under PUCT and goes first under UCT.
//! *Soundness:* what is proven is true: won, drawn or lost. A game for points is won by a single point.
//! Everything else is an estimate. UCT converges to the minimax value if leaves are assessed without a
//! constant error.
//! *Worth:* not measured in play.

use super::{Choice, Growth, NodeId, Outlook, Payload, Tree};
use crate::score::Score;
use std::cmp::Reverse;

/// The chance 1 in the unit of sums. Whole numbers make a sum independent of its order.
const ONE: u64 = 1 << 16;
/// The number of evaluation units that make the odds of a win ten times as great.
const TENFOLD: f64 = 400.0;

/// What the visits to a node have found, for its side to move.
///
/// ```
/// use cassius_search::Score;
/// use cassius_search::best_first::{Payload, Visits};
///
/// let lost = Visits::over(Score::loss_in(1));
/// let open = Visits::unvisited(0.5);
/// let visited = Visits::assessed(0.25, 0.5);
/// // A first visit finds a chance of 1/4 and two moves. Nothing is known about either.
/// let node = visited.renewed([open, open].iter());
/// assert_eq!((node.visits(), node.chance(), node.proven()), (1, Some(0.25), None));
/// // After one of the moves, the other side turns out to have lost.
/// let node = visited.renewed([open, lost].iter());
/// assert_eq!((node.chance(), node.proven()), (Some(1.0), Some(Score::KNOWN_WIN)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Visits {
    /// The sum of the chances of all visits, in units of 1 / [`ONE`].
    total: u64,
    visits: u32,
    /// The chance that the first visit found, in the same unit.
    first: u32,
    prior: f32,
    /// The worst and the best result that are not ruled out: −1 a loss, 0 a draw, 1 a win.
    least: i8,
    greatest: i8,
}

impl Visits {
    /// Returns the payload of a leaf without visits. `prior` says how likely the move that leads to it
    /// is to be best. The priors of all moves of a position add up to 1. Only PUCT uses it.
    pub fn unvisited(prior: f32) -> Visits {
        Visits { total: 0, visits: 0, first: 0, prior, least: -1, greatest: 1 }
    }

    /// Returns the payload of a leaf whose first visit has found this chance, from 0 to 1. The visit is
    /// counted when the leaf has its children ([`renewed`](Payload::renewed)).
    pub fn assessed(chance: f64, prior: f32) -> Visits {
        Visits { first: (chance.clamp(0.0, 1.0) * ONE as f64).round() as u32, ..Visits::unvisited(prior) }
    }

    /// Returns the number of visits.
    pub fn visits(&self) -> u32 {
        self.visits
    }

    /// Returns the mean chance of all visits, from 0 to 1, or the exact one if the result is proven.
    /// `None` if there is neither.
    pub fn chance(&self) -> Option<f64> {
        match self.visits {
            _ if self.is_proven() => Some(worth(self.least) as f64 / ONE as f64),
            0 => None,
            visits => Some(self.total as f64 / (f64::from(visits) * ONE as f64)),
        }
    }

    /// Returns the prior.
    pub fn prior(&self) -> f32 {
        self.prior
    }

    pub(super) fn set_prior(&mut self, prior: f32) {
        self.prior = prior;
    }

    /// Returns a [known win](Score::KNOWN_WIN), a draw or a known loss if it is proven.
    pub fn proven(&self) -> Option<Score> {
        self.is_proven().then_some(Score(Score::KNOWN_WIN.0 * i32::from(self.least)))
    }

    fn is_proven(&self) -> bool {
        self.least == self.greatest
    }

    /// Whether the result of this node, as a move of its parent, could be better for the parent's side
    /// than what is proven for the parent.
    fn can_raise(&self, parent: &Visits) -> bool {
        -self.least > parent.least
    }

    /// Returns the rank of this node as the move to play at its parent; the least is the best. `draws` says
    /// whether a draw is better than the move with the most visits.
    fn rank(&self, draws: bool) -> Rank {
        match (self.least, self.greatest) {
            (_, -1) => Rank::Wins,
            (_, 0) if draws => Rank::Draws,
            (1, _) => Rank::Loses,
            (0, 0) => Rank::DrawsOnly,
            _ if self.visits == 0 => Rank::Unknown,
            _ => Rank::Visited(Reverse(self.visits), self.total),
        }
    }
}

/// The ranks of moves, the best one first. Of moves with equal visits, the one with the least total for
/// the other side is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Wins,
    Draws,
    Visited(Reverse<u32>, u64),
    DrawsOnly,
    Unknown,
    Loses,
}

/// Returns the chance of a result, in units of 1 / [`ONE`].
fn worth(result: i8) -> u64 {
    (ONE / 2).saturating_add_signed(i64::from(result) * (ONE / 2) as i64)
}

impl Payload for Visits {
    const ESTIMATES: bool = true;
    const SHARES: bool = false;

    fn over(value: Score) -> Self {
        let result = value.0.signum() as i8;
        Visits { least: result, greatest: result, ..Visits::unvisited(0.0) }
    }

    fn back_up<'a>(children: impl Iterator<Item = &'a Self>) -> Self {
        Visits::assessed(0.5, 0.0).renewed(children)
    }

    /// Adds the visits of the children to the first visit of the node itself.
    fn renewed<'a>(&self, children: impl Iterator<Item = &'a Self>) -> Self {
        let mut node = Visits { total: self.first.into(), visits: 1, least: -1, greatest: -1, ..*self };
        for child in children {
            node.visits += child.visits; // each has added nodes to the tree, which are fewer than 2³²
            node.total += u64::from(child.visits) * ONE - child.total;
            node.least = node.least.max(-child.greatest);
            node.greatest = node.greatest.max(-child.least);
        }
        let all = |result| u64::from(node.visits) * worth(result);
        node.total = node.total.clamp(all(node.least), all(node.greatest));
        node
    }

    /// Returns what is proven, and otherwise the chance as an estimate: a [`Score`] of 400 is a chance of
    /// 10 to 1. A leaf without visits is worth a draw.
    fn value(&self) -> Score {
        self.proven().unwrap_or_else(|| {
            let chance = self.chance().unwrap_or(0.5);
            let value = TENFOLD * (chance / (1.0 - chance)).log10(); // infinite if the chance is 0 or 1
            Score(value.round() as i32).clamp_estimate()
        })
    }

    /// Returns the range that is proven. It is infinite on a side where nothing is proven.
    fn range(&self, _: usize) -> (Score, Score) {
        match (self.least, self.greatest) {
            (least, greatest) if least == greatest => (self.value(), self.value()),
            (least, greatest) => (
                if least == 0 { Score::DRAW } else { -Score::INFINITE },
                if greatest == 0 { Score::DRAW } else { Score::INFINITE },
            ),
        }
    }

    /// Returns a move that is proven to win, else the move with the most visits, or one that is proven to
    /// draw at least if that has no chance above ½. Ties are broken by the chance, then by the leftmost
    /// move. A proven loss comes last. `None` if there are only moves without visits and proven losses.
    fn best<'a>(children: impl Iterator<Item = &'a Self> + Clone) -> Option<usize> {
        let most = children.clone().filter(|child| !child.is_proven()).min_by_key(|child| child.rank(false));
        let draws = most.and_then(Visits::chance).is_none_or(|others| others >= 0.5);
        let (index, best) = children.enumerate().min_by_key(|(_, child)| child.rank(draws))?;
        (best.rank(draws) != Rank::Unknown).then_some(index)
    }
}

/// How a move is selected in a node that has been visited: the move with the greatest urgency.
///
/// ```
/// use cassius_search::best_first::{Payload, Selection, Visits};
///
/// // One visit, with a chance of 1/4 for the other side.
/// let visited = Visits::assessed(0.25, 0.5).renewed([Visits::unvisited(1.0)].iter());
/// let urgency = |selection: Selection| selection.urgency(1.0, 4, &visited);
/// assert_eq!(urgency(Selection::Uct), 0.75 + (4.0f64.ln() / 1.0).sqrt());
/// assert_eq!(urgency(Selection::Puct), 0.75 + 0.5 * 4.0f64.sqrt() / 2.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// UCB1: c̄ + C · √(ln N / n), where c̄ is the mean chance of the move, n its visits, and N those of
    /// the node. Infinite for a move without visits (Kocsis & Szepesvári 2006, §2.3).
    Uct,
    /// c̄ + C · p · √N / (1 + n) with the prior p of the move (Silver and others 2017). Here c̄ is ½ for a
    /// move without visits: a draw, as there.
    Puct,
}

impl Selection {
    /// Returns the urgency of a child of a node with this many visits, with the constant C.
    pub fn urgency(self, exploration: f64, visits: u32, child: &Visits) -> f64 {
        let (all, own) = (f64::from(visits), f64::from(child.visits));
        let mean = 1.0 - child.chance().unwrap_or(0.5);
        match self {
            Selection::Uct if child.visits == 0 => f64::INFINITY,
            Selection::Uct => mean + exploration * (all.ln() / own).sqrt(),
            Selection::Puct => mean + exploration * f64::from(child.prior) * all.sqrt() / (1.0 + own),
        }
    }
}

crate::component! {
    /// Follows the most urgent moves to a leaf, until the result of the root is proven.
    ///
    /// ```
    /// use cassius_search::best_first::{Grower, MonteCarlo, NodeId, RandomGames, Simulated, Uniform};
    /// use cassius_search::{Game, Nodes, Off, Outcome, Request, Score};
    ///
    /// /// Take one or two stones; who takes the last one wins.
    /// #[derive(Clone)]
    /// struct Stones(u8);
    /// impl Game for Stones {
    ///     type Move = u8;
    ///     fn moves(&self, moves: &mut Vec<u8>) {
    ///         moves.extend((1..=2).filter(|taken| *taken <= self.0));
    ///     }
    ///     fn play(&mut self, taken: u8) {
    ///         self.0 -= taken;
    ///     }
    ///     fn outcome(&self) -> Outcome {
    ///         Outcome::Loss
    ///     }
    /// }
    ///
    /// let assess = Simulated { chance: RandomGames::default(), priors: Uniform };
    /// let mut grower = Grower::<Stones, _, _, _, Off>::new(1, MonteCarlo::uct(), assess)?; // 1 MiB
    /// let answer = grower.search(&Request::new(&Stones(40), &Nodes(2_000)), &mut |_| {});
    /// assert_eq!(answer.best(), Some(1)); // leaves a multiple of three
    /// let answer = grower.search(&Request::new(&Stones(4), &Nodes(2_000)), &mut |_| {});
    /// assert_eq!(grower.tree.payload(NodeId::ROOT).proven(), Some(Score::KNOWN_WIN));
    /// assert!(answer.complete);
    /// # Ok::<(), cassius_search::best_first::OutOfMemory>(())
    /// ```
    pub struct MonteCarlo {
        /// How a move is selected: 0 by UCT, 1 by PUCT.
        selection: 0 in 0..=1 "0 or 1",
        /// C: how much a move counts that has been tried little. 1414 is √2, as in UCB1.
        exploration: 1414 in 0..=100_000 "thousandths of a game",
    }
}

impl MonteCarlo {
    /// Selects by UCT, with the default exploration.
    pub fn uct() -> MonteCarlo {
        MonteCarlo { selection: 0, ..MonteCarlo::default() }
    }

    /// Selects by PUCT, with the default exploration.
    pub fn puct() -> MonteCarlo {
        MonteCarlo { selection: 1, ..MonteCarlo::default() }
    }

    /// Returns how moves are selected.
    pub fn selection(&self) -> Selection {
        if self.selection == 0 { Selection::Uct } else { Selection::Puct }
    }

    /// Returns the most urgent child of a node that is not proven, the leftmost of equals. `None` if the
    /// node is a leaf.
    fn select<M: Copy>(&self, tree: &Tree<M, Visits>, node: NodeId) -> Option<NodeId> {
        let parent = tree.payload(node);
        let exploration = f64::from(self.exploration) / 1000.0;
        let (mut best, mut greatest) = (None, f64::NEG_INFINITY);
        for child in tree.children(node) {
            let payload = tree.payload(child);
            if payload.can_raise(parent) {
                let urgency = self.selection().urgency(exploration, parent.visits, payload);
                if urgency > greatest {
                    (best, greatest) = (Some(child), urgency);
                }
            }
        }
        best
    }
}

impl Growth<Visits> for MonteCarlo {
    fn choose<M: Copy>(&self, tree: &Tree<M, Visits>, choices: &mut Vec<Choice>) {
        if tree.payload(NodeId::ROOT).is_proven() {
            return;
        }
        let mut node = NodeId::ROOT;
        while let Some(next) = self.select(tree, node) {
            node = next;
        }
        debug_assert!(tree.is_leaf(node), "a node that is not proven has a child that can raise it");
        choices.push(Choice::new(node));
    }

    fn outlook<M: Copy>(&self, tree: &Tree<M, Visits>) -> Outlook {
        Outlook { conspirators: 0, best: tree.best_child(NodeId::ROOT) }
    }
}
