//! Stability: counts the conspiracy numbers of the trees that alpha-beta searches, during the search.
//!
//! A conspiracy number answers the following question. How many of the leaves that were searched must
//! change to make the root worth δ less, or δ more, than before? A value that depends on one leaf is
//! less trustworthy than one that depends on twenty.
//!
//! *Reference:* McAllester & Yuret 1993, §2: C< and C>, for the tree that has been searched; counted as in
//! [`conspirators`](crate::plans::strategy::conspirators).
//! *Deviations:* δ is measured from the value of the previous search of the root, because the present
//! value is not known before the search ends. Therefore a node needs only two numbers, however large the
//! tree is.
//!
//! How alpha-beta affects the numbers:
//! * Children that were never searched do not count. After a cutoff there may be other children that
//!   hold the value, or that could take it away. The number for the whole tree would be different:
//!   greater where all children have to change, smaller where one is enough.
//! * A move that is searched again, for example with a wider window after a null window, counts as it
//!   was searched last.
//! * A node that ends without searching a move is a leaf: at the horizon, by a bound in the
//!   transposition table, by a null move that fails high, or by a draw on the line. What is searched
//!   before a node's moves, such as the null move, is not part of the tree.
//! * If the game is over, no leaf conspires.
//! * If a node is worth more to its side than every move that was searched, it stands pat, or moves were
//!   pruned with a bound. Its value then counts as that of one more leaf. If a capture is better than
//!   standing pat, standing pat does not count.
//! * If ProbCut, the test of a singular move or a source of options searches moves beforehand, these moves
//!   count twice.
//!
//! *Soundness:* does not change the search. The numbers agree with the definition for the tree that was
//! searched, provided that values are not clipped to windows.

use crate::alpha_beta::observe::Observe;
use crate::game::Game;
use crate::plans::strategy::{Conspirators, Side};
use crate::score::Score;
use crate::window::Window;

/// Counts the conspirators against the plans of both sides, for every search of the root.
///
/// ```
/// use cassius_search::plans::strategy::Conspirators;
/// use cassius_search::{Game, Outcome, Score, Window};
/// use cassius_search::alpha_beta::observe::Observe;
/// use cassius_search::plans::Stability;
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
/// // What a search would tell of one ply: both moves are worth 5.
/// let mut stability = Stability::default();
/// stability.around = Some(Score(5));
/// stability.enter(&Stones(9), Window::FULL, 0);
/// for taken in 1..=2 {
///     Observe::<Stones>::play(&mut stability, taken, 0);
///     stability.enter(&Stones(9 - taken), Window::FULL, 1);
///     Observe::<Stones>::leave(&mut stability, Score(-5), 1);
/// }
/// Observe::<Stones>::leave(&mut stability, Score(5), 0);
/// let root = stability.roots[0];
/// assert_eq!(root.lower, Conspirators::Leaves(2)); // both must become worse
/// assert_eq!(root.upper, Conspirators::Leaves(1)); // one that becomes better is enough
/// ```
#[derive(Clone, Debug)]
pub struct Stability {
    /// δ, in evaluation units, more than 0.
    pub margin: Score,
    /// The value that is to become δ less or δ more, for the side to move at the root. If it is `None`,
    /// nothing is counted. Every finished search of the root sets it to its own value.
    pub around: Option<Score>,
    /// The searches of the root for which numbers were counted, in order. The caller may clear the list.
    pub roots: Vec<RootStability>,
    open: Vec<Open>,
}

impl Default for Stability {
    fn default() -> Self {
        Stability { margin: Score(1), around: None, roots: Vec::new(), open: Vec::new() }
    }
}

/// The stability of a search of the root. Values are from the point of view of the side to move there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootStability {
    /// The value of this search.
    pub value: Score,
    /// The value that is to become δ less or δ more. Usually this is the value of the previous search.
    pub around: Score,
    /// The fewest leaves that must change for the root to be at most `around` − δ.
    pub lower: Conspirators,
    /// The fewest leaves that must change for the root to be at least `around` + δ.
    pub upper: Conspirators,
}

/// The numbers against the plan of MAX, who moves at the root, and against the plan of MIN.
type Numbers = [Conspirators; 2];

const SIDES: [Side; 2] = [Side::Max, Side::Min];

/// A node whose search has not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    over: bool,
    /// Whether a move is being searched, or has been.
    plays: bool,
    /// The numbers of all moves except the last one.
    before: Option<Numbers>,
    /// The numbers of the last move as it was searched last, and its value for the side to move.
    last: Option<(Numbers, Score)>,
    /// The value of the best of all moves except the last one.
    best: Score,
}

/// Returns the side to move at this ply.
fn mover(ply: usize) -> Side {
    if ply.is_multiple_of(2) { Side::Max } else { Side::Min }
}

impl Open {
    /// Adds the last move to the others. It will not be searched again.
    fn settle(&mut self, mover: Side) {
        let Some((last, value)) = self.last.take() else { return };
        self.best = self.best.max(value);
        self.before = Some(self.before.map_or(last, |before| join(before, last, mover)));
    }
}

/// Joins the numbers of two moves. If the conspiracy is against the plan of the side to move, all of its
/// moves have to be refuted; otherwise one move is enough.
fn join(a: Numbers, b: Numbers, mover: Side) -> Numbers {
    std::array::from_fn(|i| if SIDES[i] == mover { a[i] + b[i] } else { a[i].min(b[i]) })
}

impl Stability {
    /// Returns the numbers of a leaf with this value for MAX.
    fn leaf(&self, around: Score, value: Score, over: bool) -> Numbers {
        SIDES.map(|against| match against.fails(value, against.limit(around, self.margin)) {
            true => Conspirators::Leaves(0),
            false if over => Conspirators::Never,
            false => Conspirators::Leaves(1),
        })
    }
}

impl<G: Game> Observe<G> for Stability {
    fn enter(&mut self, position: &G, _: Window, ply: usize) {
        if ply == 0 {
            self.open.clear(); // the previous search may have been stopped
        }
        if self.around.is_some() {
            let over = position.is_over();
            self.open.push(Open { over, plays: false, before: None, last: None, best: -Score::INFINITE });
        }
    }

    fn play(&mut self, _: G::Move, ply: usize) {
        let Some(node) = self.open.last_mut() else { return };
        node.settle(mover(ply));
        node.plays = true;
    }

    fn leave(&mut self, value: Score, ply: usize) {
        if let (Some(mut node), Some(around)) = (self.open.pop(), self.around) {
            let mover = mover(ply);
            let leaf = self.leaf(around, if mover == Side::Max { value } else { -value }, node.over);
            node.settle(mover);
            let numbers = match node.before {
                None => leaf,
                Some(moves) if value > node.best => join(moves, leaf, mover),
                Some(moves) => moves,
            };
            match self.open.last_mut() {
                Some(above) if above.plays => above.last = Some((numbers, -value)),
                Some(_) => {}
                None => {
                    self.roots.push(RootStability { value, around, lower: numbers[0], upper: numbers[1] })
                }
            }
        }
        if ply == 0 {
            self.around = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;

    /// A position in which the game goes on or is over.
    #[derive(Clone)]
    struct Position {
        over: bool,
    }

    impl Game for Position {
        type Move = ();
        fn moves(&self, moves: &mut Vec<()>) {
            moves.extend((!self.over).then_some(()));
        }
        fn play(&mut self, (): ()) {}
        fn outcome(&self) -> Outcome {
            Outcome::Draw
        }
    }

    fn enter(observer: &mut Stability, ply: usize) {
        observer.enter(&Position { over: false }, Window::FULL, ply);
    }

    fn leave(observer: &mut Stability, value: i32, ply: usize) {
        Observe::<Position>::leave(observer, Score(value), ply);
    }

    fn visit(observer: &mut Stability, over: bool, value: i32, ply: usize) {
        observer.enter(&Position { over }, Window::FULL, ply);
        leave(observer, value, ply);
    }

    fn play(observer: &mut Stability, ply: usize) {
        Observe::<Position>::play(observer, (), ply);
    }

    #[test]
    fn what_counts() {
        let mut observer = Stability { margin: Score(10), ..Stability::default() };
        visit(&mut observer, false, 20, 0);
        assert!(observer.roots.is_empty(), "around what?");
        enter(&mut observer, 0); // a search that is stopped
        play(&mut observer, 0);
        enter(&mut observer, 1);

        enter(&mut observer, 0);
        visit(&mut observer, false, -90, 1); // a pass
        play(&mut observer, 0);
        visit(&mut observer, false, -90, 1);
        visit(&mut observer, false, -15, 1); // the same again: 15
        play(&mut observer, 0);
        visit(&mut observer, true, 0, 1); // drawn
        play(&mut observer, 0);
        visit(&mut observer, false, -12, 1);
        leave(&mut observer, 15, 0);
        let [root] = observer.roots[..] else { panic!("{:?}", observer.roots) };
        assert_eq!((root.value, root.around), (Score(15), Score(20)));
        assert_eq!(root.lower, Conspirators::Leaves(2), "15 and 12 to 10");
        assert_eq!(root.upper, Conspirators::Leaves(1), "one of them to 30");

        enter(&mut observer, 0);
        play(&mut observer, 0);
        visit(&mut observer, true, -12, 1);
        leave(&mut observer, 16, 0); // more than the move: it stands pat
        let root = observer.roots[1];
        assert_eq!(root.around, Score(15));
        assert_eq!((root.lower, root.upper), (Conspirators::Never, Conspirators::Leaves(1)));
    }
}
