//! SSS* and DUAL*: search minimax to a fixed depth, best-first.
//!
//! A list holds states. A state is a node together with its merit, an upper bound of its value. The
//! state with the greatest merit is worked on next, the leftmost of equals. The search works for one
//! side. A node where that side is to move is split into all of its moves. At a node of the other side
//! the replies are settled one after the other, and each can only lower the merit. A line is therefore
//! left as soon as another line can be worth more. The first child that is settled at a node of the
//! searching side is its best choice.
//!
//! *Reference:* Stockman 1979. DUAL*, Marsland, Reinefeld & Schaeffer 1987, is the same for the other
//! side: values are negated, and the root is a node of the other side. *Best-First Fixed-Depth Minimax*,
//! Plaat and others 1996, finds the same by null windows ([`Mtd`](crate::alpha_beta::aspiration::Mtd)).
//! *Deviations:* the list is a heap. States below a settled node are not removed at once; they are
//! removed when they come to the top, or when there is no room for other states. A game may be over
//! before the full depth, or drawn on the line.
//! *Soundness:* preserves the minimax value. It evaluates no leaf that alpha-beta does not evaluate with
//! the same move order and cutoffs at ties.
//! *Worth:* it evaluates the same leaves as `Mtd` with the same move order (`cassius lab run sss-star`);
//! not measured in play.

use crate::alpha_beta::Request;
use crate::alpha_beta::draws::Draws;
use crate::component::Off;
use crate::game::{Evaluate, Game};
use crate::limits::{Patience, Stopped, Unlimited};
use crate::score::Score;
use crate::window::Window;
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt;
use std::rc::Rc;

/// Selects one of the two algorithms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Star {
    /// SSS*: searches for the side to move at the root. Merits come down from +∞.
    Sss,
    /// DUAL*: searches for the other side. Values go up from −∞.
    Dual,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution<M> {
    /// The minimax value of the root, for the side to move.
    pub value: Score,
    /// A best move; `None` if the game is over or the depth is 0.
    pub best: Option<M>,
    /// The number of leaves that were scored.
    pub leaves: u64,
    /// The number of leaves that were scored by the evaluation, because the game was not over. If there
    /// are none, a deeper search finds the same.
    pub estimates: u64,
    /// The number of moves that were played.
    pub nodes: u64,
    /// The greatest number of states on the list, including those that no longer count.
    pub states: usize,
}

/// The list has no room for more than this many states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListFull(pub usize);

impl fmt::Display for ListFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the list has no room for more than {} states", self.0)
    }
}

impl std::error::Error for ListFull {}

/// Why a search did not finish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unsolved {
    /// The list was full, after this many nodes.
    Full(ListFull, u64),
    /// A limit was reached, after this many nodes.
    Stopped(u64),
}

/// Searches `position` to `depth` plies, with a list of at most `most` states (and at least one). States
/// keep the positions on their lines in memory, so there are at most `depth` times as many positions.
///
/// # Errors
/// If the list is full and more than half of it still counts.
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
    let mut moves = Vec::new();
    position.moves(&mut moves);
    search::<_, Off>(&request, &moves, depth, evaluate, star, most).map_err(|unsolved| match unsolved {
        Unsolved::Full(full, _) => full,
        Unsolved::Stopped(_) => unreachable!("there are no limits"),
    })
}

/// Searches a position with the game before it, restricted to these moves, in the order in which they are
/// listed, and to the limits of the request.
pub(super) fn search<G: Game, D: Draws<G>>(
    request: &Request<'_, G>,
    moves: &[G::Move],
    depth: usize,
    evaluate: &mut impl Evaluate<G>,
    star: Star,
    most: usize,
) -> Result<Solution<G::Move>, Unsolved> {
    let mut draws = D::default();
    draws.start(request.before);
    let mut search = Search {
        request,
        at_root: moves,
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
    /// The index among its siblings, from the left.
    place: usize,
    above: Option<Rc<Node<G>>>,
    /// Whether a best choice has been found here. If so, the states below no longer count.
    settled: Cell<bool>,
}

impl<G> Node<G> {
    /// Returns the node, its parent, and so on up to the root.
    fn line(&self) -> impl Iterator<Item = &Node<G>> {
        std::iter::successors(Some(self), |node| node.above.as_deref())
    }

    /// Whether a node above this one has been settled.
    fn is_out(&self) -> bool {
        self.line().skip(1).any(|above| above.settled.get())
    }

    /// Compares the places in the tree. `Less` if this node is to the left of the other.
    fn across(&self, other: &Node<G>) -> Ordering {
        let shared = self.ply.min(other.ply);
        let up = |node: &Node<G>| node.ply - shared;
        let pairs = self.line().skip(up(self)).zip(other.line().skip(up(other)));
        let parted = pairs.take_while(|(a, b)| !std::ptr::eq(*a, *b)).last();
        parted.map_or(self.ply.cmp(&other.ply), |(a, b)| a.place.cmp(&b.place))
    }
}

/// Returns a number of states that is certain to fit into this many MiB if lines have `depth` plies.
pub(super) fn states_within<G: Game>(mib: usize, depth: usize) -> usize {
    // An `Rc` stores two counts next to the node, and the list may have grown to twice the size it
    // needs.
    let node = size_of::<Node<G>>() + 2 * size_of::<usize>();
    mib.saturating_mul(1 << 20) / (2 * size_of::<State<G>>() + depth.saturating_mul(node))
}

/// A state on the list.
struct State<G> {
    /// The greatest value that the node can have, for the side for which the search works.
    merit: Score,
    /// Whether everything that matters below the node is known. Then the merit is its value, or less if
    /// other nodes of the line limit it.
    solved: bool,
    node: Rc<Node<G>>,
}

/// The greater state comes first: the one with the greater merit, then the one further to the left.
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
    /// The moves of the root that are searched.
    at_root: &'a [G::Move],
    depth: usize,
    evaluate: &'a mut E,
    /// The rule for draws, before any line has been followed.
    draws: D,
    star: Star,
    most: usize,
    list: BinaryHeap<State<G>>,
    moves: Vec<G::Move>,
    found: Solution<G::Move>,
    /// Counts nodes and checks the limits.
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
    /// Applies Stockman's operator Γ to the best state until the root is solved.
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
            // The best move is the first one solved if the searching side moves at the root, and
            // otherwise the last one that lowered the merit.
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

    /// Scores a leaf. At an inner node, puts all moves of the searching side, or the first reply of the
    /// other side, on the list.
    fn open(&mut self, merit: Score, node: Rc<Node<G>>) -> Result<(), Ended> {
        let drawn = self.is_drawn(&node);
        self.list_moves(&node);
        let over = self.moves.is_empty();
        if drawn || over || node.ply == self.depth {
            self.patience.judge(1)?;
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

    /// Whether the side for which the search works is to move.
    fn chooses(&self, ply: usize) -> bool {
        ply.is_multiple_of(2) == (self.star == Star::Sss)
    }

    /// Converts a value between the side to move and the side for which the search works.
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
        match node.ply {
            0 => self.moves.extend_from_slice(self.at_root),
            _ => node.position.moves(&mut self.moves),
        }
    }

    /// Returns a child of the node whose moves have been listed.
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
            // If less than half of the list were freed, it would be scanned again and again.
            if self.list.len() > self.most / 2 {
                return Err(Ended::Full);
            }
        }
        self.list.push(State { merit, solved, node });
        self.found.states = self.found.states.max(self.list.len());
        Ok(())
    }
}
