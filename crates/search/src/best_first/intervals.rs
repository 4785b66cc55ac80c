//! Assessors that make intervals for leaves from evaluations.
//!
//! *Reference:* Berliner 1979 leaves the intervals to the game. The pessimistic value after a pass and
//! the margin are from McAllester 1988, §10.
//! *Soundness:* the intervals that a game itself states ([`Shown`]) contain the true value. The others
//! are guesses, and an interval that does not contain the true value may lead [`BStar`](super::BStar) to
//! the wrong move.
//! *Worth:* not measured in play.

use super::{Asked, Assess, Bounds, Interval, Leaf};
use crate::component::{Component, Visitor};
use crate::game::{Bounded, Evaluate, Game, Pass};
use crate::limits::{Patience, Stopped};
use crate::score::Score;
use crate::window::Window;

/// Gives a leaf the interval from one evaluation to another. The interval is correct if the first
/// evaluation is never too high and the second never too low.
///
/// The upper bound is harder to get. If a side passes, it roughly keeps what it has ([`Passed`]). To
/// know how much it may gain, an evaluation has to see all of its threats.
///
/// ```
/// use cassius_search::best_first::{BStar, Between, Grower, Interval, NodeId};
/// use cassius_search::{Game, Nodes, Off, Outcome, Request, Score};
///
/// /// Take one or two coins from the left end of the row, and then the other side does.
/// #[derive(Clone)]
/// struct Row {
///     coins: &'static [i32],
///     ahead: i32,
/// }
/// impl Game for Row {
///     type Move = usize;
///     fn moves(&self, moves: &mut Vec<usize>) {
///         moves.extend((1..=2).filter(|taken| *taken <= self.coins.len()));
///     }
///     fn play(&mut self, taken: usize) {
///         let (coins, rest) = self.coins.split_at(taken);
///         *self = Row { coins: rest, ahead: -self.ahead - coins.iter().sum::<i32>() };
///     }
///     fn outcome(&self) -> Outcome {
///         Outcome::Points(Score(self.ahead))
///     }
/// }
///
/// // One side gets all that is left, or the other does.
/// let least = |row: &Row| Score(row.ahead - row.coins.iter().sum::<i32>());
/// let most = |row: &Row| Score(row.ahead + row.coins.iter().sum::<i32>());
/// let assess = Between { pessimistic: least, optimistic: most };
/// let mut grower = Grower::<Row, Interval, _, _, Off>::new(1, BStar::default(), assess)?; // 1 MiB
/// let row = Row { coins: &[1, 9, 2, 3], ahead: 0 };
/// let answer = grower.search(&Request::new(&row, &Nodes(1_000)), &mut |_| {});
/// assert_eq!(answer.best(), Some(2)); // takes 10, and may lose the other 5
/// assert_eq!(grower.tree.payload(NodeId::ROOT), &Interval::new(Score(5), Score(15)));
/// assert_eq!(answer.nodes, 5); // the other move's replies show that it cannot have more
/// # Ok::<(), cassius_search::best_first::OutOfMemory>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Between<L, U> {
    /// Gives the pessimistic value.
    pub pessimistic: L,
    /// Gives the optimistic value.
    pub optimistic: U,
}

impl<G: Game, L: Evaluate<G> + Send, U: Evaluate<G> + Send> Assess<G, Interval> for Between<L, U> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Interval> {
        self.assess_as(position, &Asked::anything(ply))
    }

    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<Interval> {
        if position.is_over() {
            return Leaf::Over(position.outcome().score(asked.ply));
        }
        let pessimistic = asked.whole_value(&mut self.pessimistic, position).clamp_estimate();
        let optimistic = asked.whole_value(&mut self.optimistic, position).clamp_estimate();
        Leaf::Open(Interval::new(pessimistic, optimistic))
    }
}

/// Evaluates a position as if the side to move passed, but not higher than the position's own value.
/// This is a pessimistic value unless a pass is the best move. If a pass is not allowed, it is the
/// position's own value. (McAllester 1988, §10.)
#[derive(Clone, Copy, Debug, Default)]
pub struct Passed<E>(pub E);

impl<G: Pass, E: Evaluate<G>> Evaluate<G> for Passed<E> {
    const LONG: bool = E::LONG;

    fn evaluate(&mut self, position: &G) -> Score {
        let value = self.0.evaluate(position);
        passed(position).map_or(value, |passed| value.min(-self.0.evaluate(&passed)))
    }

    fn evaluate_patiently(
        &mut self,
        position: &G,
        _: Window,
        patience: &Patience<'_>,
    ) -> Result<Score, Stopped> {
        let value = self.0.evaluate_patiently(position, Window::FULL, patience)?;
        let Some(passed) = passed(position) else { return Ok(value) };
        Ok(value.min(-self.0.evaluate_patiently(&passed, Window::FULL, patience)?))
    }

    fn evaluate_at_a_glance(&mut self, position: &G) -> Score {
        let value = self.0.evaluate_at_a_glance(position);
        passed(position).map_or(value, |passed| value.min(-self.0.evaluate_at_a_glance(&passed)))
    }
}

/// Returns the position after a pass, if a pass is allowed.
fn passed<G: Pass>(position: &G) -> Option<G> {
    if position.is_over() || !position.may_pass() {
        return None;
    }
    let mut passed = position.clone();
    passed.pass();
    Some(passed)
}

crate::component! {
    /// Sets how far an interval reaches beyond the static value.
    pub struct Optimism {
        /// How far an interval reaches above the static value; where nobody can pass, below it too.
        margin: 10 in 0..=1000 "evaluation units",
    }
}

/// Gives a leaf the interval from its value after a [pass](Passed) to a margin above its static value.
#[derive(Clone, Debug, Default)]
pub struct Optimist<E> {
    /// Gives the pessimistic value; its inner evaluation gives the static value.
    pub value: Passed<E>,
    /// The margin above the static value.
    pub parameters: Optimism,
}

impl<E> Optimist<E> {
    /// Uses this evaluation, with the default margin.
    pub fn new(evaluate: E) -> Self {
        Optimist { value: Passed(evaluate), parameters: Optimism::default() }
    }
}

impl<G: Pass, E: Evaluate<G> + Send> Assess<G, Interval> for Optimist<E> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Interval> {
        self.assess_as(position, &Asked::anything(ply))
    }

    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<Interval> {
        if position.is_over() {
            return Leaf::Over(position.outcome().score(asked.ply));
        }
        let pessimistic = asked.whole_value(&mut self.value, position).clamp_estimate();
        let optimistic = asked.whole_value(&mut self.value.0, position) + Score(self.parameters.margin);
        Leaf::Open(Interval::new(pessimistic, optimistic.clamp_estimate()))
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.parameters.visit(visitor);
    }
}

/// Gives a leaf the interval from a margin below its static value to a margin above it. For games in
/// which no side can pass.
///
/// ```
/// use cassius_search::best_first::{Assess, Interval, Leaf, Spread};
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
/// let mut spread = Spread::new(|_: &Stones| Score(3));
/// assert_eq!(spread.assess(&Stones(4), 0), Leaf::Open(Interval::new(Score(-7), Score(13))));
/// assert_eq!(spread.assess(&Stones(0), 2), Leaf::Over(Score::loss_in(2)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Spread<E> {
    /// Gives the static value.
    pub value: E,
    /// The margin on both sides.
    pub parameters: Optimism,
}

impl<E> Spread<E> {
    /// Uses this evaluation, with the default margin.
    pub fn new(evaluate: E) -> Self {
        Spread { value: evaluate, parameters: Optimism::default() }
    }
}

impl<G: Game, E: Evaluate<G> + Send> Assess<G, Interval> for Spread<E> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Interval> {
        self.assess_as(position, &Asked::anything(ply))
    }

    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<Interval> {
        if position.is_over() {
            return Leaf::Over(position.outcome().score(asked.ply));
        }
        let (value, margin) = (asked.whole_value(&mut self.value, position), Score(self.parameters.margin));
        Leaf::Open(Interval::new((value - margin).clamp_estimate(), (value + margin).clamp_estimate()))
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.parameters.visit(visitor);
    }
}

/// Gives a leaf the interval that the game itself [states](Bounded). It always contains the true value,
/// so everything that [`BStar`](super::BStar) proves with it is true.
///
/// ```
/// use cassius_search::best_first::{BStar, Grower, Interval, NodeId, Shown};
/// use cassius_search::{Game, Nodes, Off, Outcome, Request, Score};
/// use cassius_search::game::Bounded;
///
/// /// Take one or two coins from the left end of the row, and then the other side does.
/// #[derive(Clone)]
/// struct Row {
///     coins: &'static [i32],
///     ahead: i32,
/// }
/// impl Game for Row {
///     type Move = usize;
///     fn moves(&self, moves: &mut Vec<usize>) {
///         moves.extend((1..=2).filter(|taken| *taken <= self.coins.len()));
///     }
///     fn play(&mut self, taken: usize) {
///         let (coins, rest) = self.coins.split_at(taken);
///         *self = Row { coins: rest, ahead: -self.ahead - coins.iter().sum::<i32>() };
///     }
///     fn outcome(&self) -> Outcome {
///         Outcome::Points(Score(self.ahead))
///     }
/// }
/// /// One side gets all that is left, or the other does.
/// impl Bounded for Row {
///     fn bounds(&self, _: usize) -> (Score, Score) {
///         let left: i32 = self.coins.iter().sum();
///         (Score(self.ahead - left), Score(self.ahead + left))
///     }
/// }
///
/// let mut grower = Grower::<Row, Interval, _, _, Off>::new(1, BStar::default(), Shown)?; // 1 MiB
/// let row = Row { coins: &[1, 9, 2, 3], ahead: 0 };
/// let answer = grower.search(&Request::new(&row, &Nodes(1_000)), &mut |_| {});
/// assert_eq!(answer.best(), Some(2)); // takes 10, and may lose the other 5
/// assert_eq!(grower.tree.payload(NodeId::ROOT), &Interval::new(Score(5), Score(15)));
/// # Ok::<(), cassius_search::best_first::OutOfMemory>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown;

impl<G: Bounded> Assess<G, Interval> for Shown {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Interval> {
        if position.is_over() {
            return Leaf::Over(position.outcome().score(ply));
        }
        let (pessimistic, optimistic) = position.bounds(ply);
        Leaf::Open(Interval::new(pessimistic, optimistic))
    }
}

/// Makes intervals from an assessor of bounds sequences (McAllester 1988, §10). An interval reaches from
/// the lowest to the highest finite value that the assessor gives a leaf, however many conspirators that
/// takes. A [margin](super::LeafMargin) and a [threat](super::LeafThreat) make the intervals wide.
/// Without both, the interval is the static value.
///
/// ```
/// use cassius_search::best_first::{Assess, Bounds, Furthest, Interval, Leaf, Margin, Static};
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
/// let mut judge = Furthest(Margin::new(Static(|_: &Stones| Score(3))));
/// judge.0.parameters.margin = 10;
/// assert_eq!(judge.assess(&Stones(4), 0), Leaf::Open(Interval::new(Score(-7), Score(13))));
/// assert_eq!(judge.assess(&Stones(0), 2), Leaf::Over(Score::loss_in(2)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Furthest<A>(pub A);

/// The number of elements that a margin needs: V, V, V − m.
const ELEMENTS: usize = 3;

impl<G: Game, A: Assess<G, Bounds<ELEMENTS>>> Assess<G, Interval> for Furthest<A> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Interval> {
        self.assess_as(position, &Asked::anything(ply))
    }

    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<Interval> {
        match self.0.assess_as(position, asked) {
            Leaf::Open(bounds) => {
                Leaf::Open(Interval::new(-bounds.other.furthest(), bounds.mover.furthest()))
            }
            Leaf::Over(value) => Leaf::Over(value),
        }
    }

    fn begin(&mut self) {
        self.0.begin();
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.0.visit(visitor);
    }
}
