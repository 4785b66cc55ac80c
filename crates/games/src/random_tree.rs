//! Uniform trees of width W and depth D that are generated from a seed without being stored, with values
//! that have the statistics of the papers' experiments.
//!
//! A position knows the hash of its path, from which everything is drawn. The same seed therefore gives
//! the same tree on every machine.

use crate::fields::{FieldError, Fields};
use crate::{draw, mix};
use cassius_search::game::{Bounded, MoveIndexed};
use cassius_search::{Game, Keyed, Off, Outcome, Score, Static, playable};
use std::str::FromStr;

/// How the values of a [`RandomTree`] are generated. All are seen by MAX, who moves at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// "R trees": all values are independent and uniform in 0..=127 (Marsland & Campbell 1981, §I).
    Independent,
    /// Like `Independent`, with n distinct values: uniform in 0..n. Few distinct values make many ties,
    /// and alpha-beta cuts off at ties.
    Coarse(u16),
    /// "Strongly ordered": the first move is best in 70 % of all nodes, and, in nodes of five moves or more,
    /// the best move is among the first quarter in 90 % (Marsland & Campbell 1981, §I, which leaves the
    /// construction open).
    ///
    /// Here a node's value is drawn first: 0..=127 at the root, the same value for the best child, and a
    /// uniform, strictly worse value for the others (but within 0..=127, so that ties occur at the ends
    /// of the range). Static values are these values, so that any depth below D is a strongly ordered
    /// tree too.
    StronglyOrdered,
    /// A child's value is its parent's value plus a uniform draw from −n..=n, where n is the number of
    /// plies from the parent to the bottom. The root's value is 0 (McAllester 1988, §8, with W = 10 and
    /// D = 6).
    Incremental,
    /// The moves of every node are in order, the best first: alpha-beta scores the fewest leaves,
    /// W^⌈D/2⌉ + W^⌊D/2⌋ − 1 (Marsland & Campbell 1981, §I). Needs W^(D−1) below 29 000.
    BestFirst,
    /// The best move is last, so that alpha-beta never cuts off and scores W^D leaves. Needs W^(D−1)
    /// below 29 000.
    WorstFirst,
    /// The same value everywhere (McAllester & Yuret 1993, §2; McAllester 1988, §7).
    Constant(Score),
}

/// A position in a uniform random tree. A move is the number of a child.
///
/// ```
/// use cassius_games::random_tree::{RandomTree, Values};
/// use cassius_games::perft;
/// use cassius_search::{minimax, Statics};
///
/// let tree = RandomTree::new(Values::Independent, 5, 4, 1);
/// assert_eq!(perft(&tree, 4), 625);
/// let value = |seed| minimax(&RandomTree::new(Values::Independent, 5, 4, seed), &mut Statics, 4);
/// assert_eq!(value(1), value(1));
/// assert_ne!(value(1), value(2));
/// assert_eq!("1,5,4".parse(), Ok(tree)); // seed, width, depth
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomTree {
    values: Values,
    width: u16,
    depth: u16,
    ply: u16,
    max_to_move: bool,
    value: i32,
    path: u64,
}

/// Streams of [`draw`]: one for each quantity drawn at a node.
const VALUE: u64 = 0;
const GROUP: u64 = 1;
const BEST: u64 = 2;

impl RandomTree {
    /// Creates the root of a tree of `depth` plies in which every inner node has `width` moves.
    pub fn new(values: Values, width: u16, depth: u16, seed: u64) -> RandomTree {
        let path = mix(seed);
        let value = match values {
            Values::Independent | Values::StronglyOrdered => draw(path, VALUE, 128) as i32,
            Values::Coarse(distinct) => draw(path, VALUE, distinct.into()) as i32,
            Values::Constant(value) => value.0,
            Values::Incremental | Values::BestFirst | Values::WorstFirst => 0,
        };
        RandomTree { values, width, depth, ply: 0, max_to_move: true, value, path }
    }

    /// Returns the number of plies from the root.
    pub fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    /// Returns the index of the best move of a strongly ordered node.
    fn best(&self) -> u16 {
        let width = u64::from(self.width);
        let quarter = width.div_ceil(4);
        let (from, to) = match draw(self.path, GROUP, 10) {
            0..7 => (0, 1),
            7..9 if quarter > 1 => (1, quarter),
            _ if width > 1 => (quarter, width),
            _ => (0, 1),
        };
        (from + draw(self.path, BEST, to - from)) as u16
    }

    /// Returns the value of `child`, whose path is `path`.
    fn child_value(&self, child: u16, path: u64) -> i32 {
        let value = self.value;
        let uniform = |from: i32, to: i32| from + draw(path, VALUE, (to - from + 1).max(1) as u64) as i32;
        let ranked = |rank: u16| {
            // The number of plies above the bottom row, where siblings share a value.
            let above = u32::from(self.depth).saturating_sub(u32::from(self.ply) + 2);
            let row = i32::from(self.width).saturating_pow(above);
            if self.ply + 1 == self.depth {
                value
            } else {
                value.saturating_add(row.saturating_mul(i32::from(rank)))
            }
        };
        match self.values {
            Values::Independent => uniform(0, 127),
            Values::Coarse(distinct) => uniform(0, i32::from(distinct) - 1),
            Values::StronglyOrdered if child == self.best() => value,
            Values::StronglyOrdered if self.max_to_move => uniform(0, (value - 1).max(0)),
            Values::StronglyOrdered => uniform((value + 1).min(127), 127),
            Values::Incremental => {
                let reach = i32::from(self.depth.saturating_sub(self.ply));
                value + uniform(-reach, reach)
            }
            Values::BestFirst if self.max_to_move => ranked(self.width - 1 - child),
            Values::BestFirst => ranked(child),
            Values::WorstFirst if self.max_to_move => ranked(child),
            Values::WorstFirst => ranked(self.width - 1 - child),
            Values::Constant(_) => value,
        }
    }
}

impl Game for RandomTree {
    type Move = u16;

    fn moves(&self, moves: &mut Vec<u16>) {
        if self.ply < self.depth {
            moves.extend(0..self.width);
        }
    }

    fn play(&mut self, child: u16) {
        let path = mix(self.path.wrapping_add(u64::from(child) + 1));
        self.value = self.child_value(child, path);
        self.path = path;
        self.ply += 1;
        self.max_to_move = !self.max_to_move;
    }

    fn is_over(&self) -> bool {
        self.ply >= self.depth || self.width == 0
    }

    fn outcome(&self) -> Outcome {
        Outcome::Points(self.static_value())
    }
}

impl Static for RandomTree {
    fn static_value(&self) -> Score {
        let value = Score(self.value).clamp_estimate();
        if self.max_to_move { value } else { -value }
    }
}

/// The bounds are the smallest and largest value that this kind of tree can still have.
impl Bounded for RandomTree {
    fn bounds(&self, _: usize) -> (Score, Score) {
        let left = u32::from(self.depth.saturating_sub(self.ply));
        let (least, greatest) = match self.values {
            Values::Independent | Values::StronglyOrdered => (0, 127),
            Values::Coarse(distinct) => (0, (i32::from(distinct) - 1).max(0)),
            // The sum of n, n − 1, … over the plies below.
            Values::Incremental => {
                let reach = (left * (left + 1) / 2) as i32;
                (self.value - reach, self.value + reach)
            }
            Values::BestFirst | Values::WorstFirst => {
                let ranks = i32::from(self.width).saturating_pow(left.saturating_sub(1)) - 1;
                (self.value, self.value.saturating_add(ranks))
            }
            Values::Constant(_) => (self.value, self.value),
        };
        let (least, greatest) = (Score(least).clamp_estimate(), Score(greatest).clamp_estimate());
        if self.max_to_move { (least, greatest) } else { (-greatest, -least) }
    }
}

/// Every path has its own key, except for hash collisions. Trees with the same seed share them.
impl Keyed for RandomTree {
    fn key(&self) -> u64 {
        mix(self.path ^ u64::from(self.max_to_move))
    }

    fn code(&self, child: u16) -> u16 {
        child + 1
    }
}

/// Moves with the same number share a slot. From the 64th on, all moves share one.
impl MoveIndexed for RandomTree {
    const MOVE_INDICES: usize = 64;

    fn move_index(&self, child: u16) -> usize {
        usize::from(child).min(Self::MOVE_INDICES - 1)
    }
}

playable!(RandomTree, "a random tree", draws: Off);

/// Parses the root of a tree: `seed,width,depth`, followed by the kind of values if they are not
/// independent: `seed,width,depth,strongly-ordered` or `seed,width,depth,incremental`.
impl FromStr for RandomTree {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<RandomTree, FieldError> {
        let mut fields = Fields::new(text, "seed,width,depth or seed,width,depth,values");
        let seed = fields.number("seed", 0, u64::MAX)?;
        let width = fields.number("width", 1, 10_000)? as u16;
        let depth = fields.number("depth", 0, 1_000)? as u16;
        let values = match fields.word() {
            None | Some("independent") => Values::Independent,
            Some("strongly-ordered") => Values::StronglyOrdered,
            Some("incremental") => Values::Incremental,
            Some(other) => {
                return Err(FieldError::UnknownWord {
                    field: "values",
                    known: "independent, strongly-ordered, incremental",
                    found: other.into(),
                });
            }
        };
        fields.end()?;
        Ok(RandomTree::new(values, width, depth, seed))
    }
}
