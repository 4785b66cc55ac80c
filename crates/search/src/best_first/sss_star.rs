//! SSS* and DUAL*: minimax to a fixed depth, best-first.
//!
//! A list holds states, each a node with what it can be worth at most, its merit; the next to be worked at is the best, the leftmost of
//! equals. A node where the side chooses for which the search works is split into all of its moves; of a node of the other side one reply
//! is settled after the other, and each can only lower the merit. So a line is left as soon as another can be worth more, and the first
//! node that is settled where there is a choice is the best choice.
//!
//! *Reference:* Stockman 1979. DUAL*, Marsland, Reinefeld & Schaeffer 1987, is the same for the other side: values are negated, and the root is no
//! choice. *Best-First Fixed-Depth Minimax*, Plaat and others 1996, finds the same by minimal windows ([`Mtd`](crate::Mtd)).
//! *Deviations:* the list is a heap. States below a settled node leave it when they come to its top, or when there is no room for others,
//! instead of at once. A game may be over before the depth, or drawn on the line.
//! *Soundness:* preserves the minimax value, and scores no leaf that alpha-beta in the same order, cutting at ties, does not score.
//! *Worth:* the leaves of `Mtd`'s form, in the same order (`cassius lab run sss-star`); not measured in play.

use crate::{Draws, Evaluate, Game, Off, Patience, Request, Score, Stopped, Unlimited, Window};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt;
use std::rc::Rc;

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Star {
    /// SSS*: for the side to move at the root. Values come down from +∞.
    Sss,
    /// DUAL*: for the other side. Values go up from −∞.
    Dual,
}

/// What the search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution<M> {
    /// The minimax value of the root, for the side to move.
    pub value: Score,
    /// A best move; none if the game is over or the depth is 0.
    pub best: Option<M>,
    /// How many leaves were scored.
    pub leaves: u64,
    /// How many of them by the evaluation: the game went on. If none, a deeper search finds the same.
    pub estimates: u64,
    /// How many moves were played.
    pub nodes: u64,
    /// The most states on the list, with those that no longer count.
    pub states: usize,
}

/// There is no room on the list for more than so many states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListFull(pub usize);

impl fmt::Display for ListFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the list has no room for more than {} states", self.0)
    }
}

impl std::error::Error for ListFull {}

/// Why a search did not come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unsolved {
    /// After so many nodes.
    Full(ListFull, u64),
    /// By its limits, after so many nodes.
    Stopped(u64),
}

/// Searches `position` to `depth` plies with a list of at most `most` states (and at least one); these keep the positions on their lines in
/// memory, so that there are at most `depth` times as many.
///
/// # Errors
/// If the list is full, and more than half of it still counts.
///
/// ```
/// use cassius_search::best_first::{ListFull, Star, sss_star};
/// use cassius_search::{Game, Outcome, Score};
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
/// for star in [Star::Sss, Star::Dual] {
///     let solution = sss_star(&Stones(4), 9, &mut |_: &Stones| Score::DRAW, star, 100)?;
///     assert_eq!((solution.value, solution.best), (Score::win_in(3), Some(1)));
/// }
/// # Ok::<(), ListFull>(())
/// ```
pub fn sss_star<G: Game>(
    position: &G,
    depth: usize,
    evaluate: &mut impl Evaluate<G>,
    star: Star,
    most: usize,
) -> Result<Solution<G::Move>, ListFull> {
    let request = Request::new(position, &Unlimited);
    search::<_, Off>(&request, depth, evaluate, star, most).map_err(|unsolved| match unsolved {
        Unsolved::Full(full, _) => full,
        Unsolved::Stopped(_) => unreachable!("there are no limits"),
    })
}

/// The same for a position with a game before it, some of its moves, and as long as the limits allow.
pub(super) fn search<G: Game, D: Draws<G>>(
    request: &Request<'_, G>,
    depth: usize,
    evaluate: &mut impl Evaluate<G>,
    star: Star,
    most: usize,
) -> Result<Solution<G::Move>, Unsolved> {
    let mut draws = D::default();
    draws.start(request.before);
    let mut search = Search {
        request,
        depth,
        evaluate,
        draws,
        star,
        most: most.max(1),
        list: BinaryHeap::new(),
        moves: Vec::new(),
        found: Solution { value: Score::DRAW, best: None, leaves: 0, estimates: 0, nodes: 0, states: 0 },
        patience: Patience::new(request.limits),
    };
    search.run().map_err(|ended| match ended {
        Ended::Full => Unsolved::Full(ListFull(search.most), search.found.nodes),
        Ended::Stopped => Unsolved::Stopped(search.found.nodes),
    })?;
    Ok(search.found)
}

/// A node that has been reached.
struct Node<G> {
    position: G,
    ply: usize,
    /// Which of its siblings it is, from the left.
    place: usize,
    above: Option<Rc<Node<G>>>,
    /// A best choice has been found here: states below no longer count.
    settled: Cell<bool>,
}

impl<G> Node<G> {
    /// The node, the one above it, and so on to the root.
    fn line(&self) -> impl Iterator<Item = &Node<G>> {
        std::iter::successors(Some(self), |node| node.above.as_deref())
    }

    /// Whether a node above it has been settled.
    fn is_out(&self) -> bool {
        self.line().skip(1).any(|above| above.settled.get())
    }

    /// `Less` if it stands on the left of the other.
    fn across(&self, other: &Node<G>) -> Ordering {
        let shared = self.ply.min(other.ply);
        let up = |node: &Node<G>| node.ply - shared;
        let pairs = self.line().skip(up(self)).zip(other.line().skip(up(other)));
        let parted = pairs.take_while(|(a, b)| !std::ptr::eq(*a, *b)).last();
        parted.map_or(self.ply.cmp(&other.ply), |(a, b)| a.place.cmp(&b.place))
    }
}

/// How many states there is surely room for in so many MiB, where lines have `depth` plies.
pub(super) fn states_within<G: Game>(mib: usize, depth: usize) -> usize {
    // A node stands beside two counts; the list may have grown to twice what it needs.
    let node = size_of::<Node<G>>() + 2 * size_of::<usize>();
    mib.saturating_mul(1 << 20) / (2 * size_of::<State<G>>() + depth.saturating_mul(node))
}

/// A node on the list.
struct State<G> {
    /// What it can be worth at most, for the side for which the search works.
    merit: Score,
    /// Whether all that matters below it is known, so that the merit is its value, or it is worth no more elsewhere.
    solved: bool,
    node: Rc<Node<G>>,
}

/// Greater is earlier: of greater merit, or further to the left.
impl<G> Ord for State<G> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.merit.cmp(&other.merit).then_with(|| other.node.across(&self.node))
    }
}

impl<G> PartialOrd for State<G> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<G> PartialEq for State<G> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<G> Eq for State<G> {}

struct Search<'a, G: Game, E, D> {
    request: &'a Request<'a, G>,
    depth: usize,
    evaluate: &'a mut E,
    /// Where no line has been followed.
    draws: D,
    star: Star,
    most: usize,
    list: BinaryHeap<State<G>>,
    moves: Vec<G::Move>,
    found: Solution<G::Move>,
    /// Counts nodes, and asks the limits.
    patience: Patience<'a>,
}

enum Ended {
    Full,
    Stopped,
}

impl From<Stopped> for Ended {
    fn from(_: Stopped) -> Ended {
        Ended::Stopped
    }
}

impl<G: Game, E: Evaluate<G>, D: Draws<G>> Search<'_, G, E, D> {
    /// Stockman's operator Γ, applied to the best state until the root is solved.
    fn run(&mut self) -> Result<(), Ended> {
        let position = self.request.position.clone();
        let root = Node { position, ply: 0, place: 0, above: None, settled: Cell::new(false) };
        let mut best: Option<(Score, usize)> = None;
        self.put(Score::INFINITE, false, Rc::new(root))?;
        loop {
            let State { merit, solved, node } = self.list.pop().expect("the root comes back in the end");
            if node.is_out() {
                continue;
            }
            if !solved {
                self.open(merit, node)?;
                continue;
            }
            let Some(above) = node.above.clone() else {
                self.list_moves(&node);
                self.found.best = best.map(|(_, place)| self.moves[place]);
                self.found.value = self.seen(merit, 0);
                return Ok(());
            };
            // The first that is solved where the root is a choice; else the last to lower the merit.
            if above.ply == 0 && best.is_none_or(|(least, _)| merit < least) {
                best = Some((merit, node.place));
            }
            if self.chooses(above.ply) {
                above.settled.set(true);
                self.put(merit, true, above)?;
                continue;
            }
            self.list_moves(&above);
            match self.child(&above, node.place + 1)? {
                Some(next) => self.put(merit, false, next)?,
                None => self.put(merit, true, above)?,
            }
        }
    }

    /// Scores a leaf; puts every choice, or the first reply, on the list.
    fn open(&mut self, merit: Score, node: Rc<Node<G>>) -> Result<(), Ended> {
        let drawn = self.is_drawn(&node);
        self.list_moves(&node);
        let over = self.moves.is_empty();
        if drawn || over || node.ply == self.depth {
            self.found.leaves += 1;
            let value = match () {
                () if drawn => Score::DRAW,
                () if over => node.position.outcome().score(node.ply),
                () => {
                    self.found.estimates += 1;
                    self.evaluate.evaluate_patiently(&node.position, Window::FULL, &self.patience)?
                }
            };
            let value = self.seen(value, node.ply);
            return self.put(merit.min(value), true, node);
        }
        let wanted = if self.chooses(node.ply) { self.moves.len() } else { 1 };
        for place in 0..wanted {
            if let Some(child) = self.child(&node, place)? {
                self.put(merit, false, child)?;
            }
        }
        Ok(())
    }

    /// Whether the side for which the search works has the move.
    fn chooses(&self, ply: usize) -> bool {
        ply.is_multiple_of(2) == (self.star == Star::Sss)
    }

    /// A value for the side to move, seen by the side for which the search works; and the other way round.
    fn seen(&self, value: Score, ply: usize) -> Score {
        if self.chooses(ply) { value } else { -value }
    }

    /// Whether the line to a node below the root ends in a draw.
    fn is_drawn(&mut self, node: &Node<G>) -> bool {
        let mut line: Vec<&Node<G>> = node.line().skip(1).collect();
        line.reverse();
        line.iter().for_each(|above| self.draws.push(&above.position));
        let drawn = !line.is_empty() && self.draws.is_draw(&node.position, node.ply);
        line.iter().for_each(|_| self.draws.pop());
        drawn
    }

    fn list_moves(&mut self, node: &Node<G>) {
        self.moves.clear();
        node.position.moves(&mut self.moves);
        if node.ply == 0 && !self.request.moves.is_empty() {
            self.moves.retain(|mv| self.request.moves.contains(mv));
        }
    }

    /// A child of the node whose moves have been listed.
    fn child(&mut self, above: &Rc<Node<G>>, place: usize) -> Result<Option<Rc<Node<G>>>, Stopped> {
        let Some(&mv) = self.moves.get(place) else { return Ok(None) };
        self.patience.count()?;
        self.found.nodes = self.patience.nodes();
        let mut position = above.position.clone();
        position.play(mv);
        let settled = Cell::new(false);
        Ok(Some(Rc::new(Node { position, ply: above.ply + 1, place, above: Some(above.clone()), settled })))
    }

    fn put(&mut self, merit: Score, solved: bool, node: Rc<Node<G>>) -> Result<(), Ended> {
        if self.list.len() >= self.most {
            self.list.retain(|state| !state.node.is_out());
            // With less to gain every state would be looked at again and again.
            if self.list.len() > self.most / 2 {
                return Err(Ended::Full);
            }
        }
        self.list.push(State { merit, solved, node });
        self.found.states = self.found.states.max(self.list.len());
        Ok(())
    }
}
