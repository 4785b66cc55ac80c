//! Alpha-beta-conspiracy depth: counts how many independent options each plan has.
//!
//! For each side, the depth of a line counts the moves that this side could have played instead. At each
//! of its nodes above, the siblings of the chosen move that would also hold the value are *options*; k
//! options add S(k) to the depth of its plan. A forced move adds nothing, so forced lines are searched
//! deeper.
//!
//! *Reference:* McAllester & Yuret 1993: the procedure and its termination test §7, Fig. 6 and 7; S §6;
//! incremental depths §10.1. Fig. 6 is the skeleton (`skeleton.rs`), Fig. 7 is
//! [`suffices`](super::suffices) and [`Abc::depth`]. The paper's max-depth is the depth of the side to
//! move at max nodes and of the other side at min nodes.
//! *Deviations:* values are clipped to the window (except with `soft` = 1), as the paper's proof assumes and
//! its figure does not. A finished game has its exact value and counts as infinitely deep. Values are
//! integers, so the paper's margin of ½ is `delta` = 1. In the paper a move adds nothing to the other side's
//! plan (c = 0, `coupling`), and S counts for the mover's plan only (`one_depth` = 0), at all of its nodes
//! (`cut_only` = 0). With the printed S(0) = 0, a line on which one side is always forced ends only by the
//! rules of the game. Therefore S is at least `floor`, which with the other defaults raises S(0) and S(1) to
//! a quarter. In addition, no line is followed beyond `longest` times the plies of the iteration (rounded up
//! to whole moves of both sides). With the other defaults and without singular extensions no line reaches
//! that limit. An S that is given explicitly ([`Abc::new`]) has neither restriction. The static values of
//! all siblings are computed once, when their parent is entered. The child itself is left out by index, not
//! by value.
//! *Soundness:* a depth rule. The value returned is established by a max and a min strategy of the required
//! depths (first theorem of §7). This does not hold where `longest` has ended a line or `soft` has returned
//! a value outside the window, nor with `one_depth` or `cut_only`: there the value, and what a table stores
//! of it, is only probable. With S = 1 and c = 1 it counts plies.

use super::{Entered, Horizon, Step};
use crate::alpha_beta::options::Listing;
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Game};
use crate::score::Score;
use crate::side::Side;
use crate::window::Window;

/// The function S: the depth that k options add to a plan. S is increasing; that of §6 is at most 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Safety {
    /// 1 − ((b − k) / b)^γ, and 1 for k ≥ b (§6).
    Power {
        /// γ ≥ 1: the greater it is, the less the number of options beyond the first matters.
        gamma: f64,
        /// b: the typical number of moves in a position.
        branching: usize,
    },
    /// S(0), S(1), … in plies. Beyond the end, the last value applies.
    Table(Vec<f64>),
}

impl Safety {
    /// Returns S(k) = k/2, as in the paper's figures 8 to 14.
    pub fn half() -> Safety {
        Safety::Table((0..=64).map(|k| f64::from(k) / 2.0).collect())
    }

    /// Returns S = 1 for any number of options except 0: only singular moves are followed deeper.
    pub fn any_option() -> Safety {
        Safety::Table(vec![0.0, 1.0])
    }

    /// Returns S = 1 for every move: each plan's depth counts its owner's moves.
    pub fn one() -> Safety {
        Safety::Table(vec![1.0])
    }

    /// Returns S(k) for k = `options`.
    ///
    /// ```
    /// use cassius_search::alpha_beta::horizon::Safety;
    /// let conspiracy_depth = Safety::Power { gamma: 1.0, branching: 30 };
    /// assert!((conspiracy_depth.of(6) - 0.2).abs() < 1e-12);
    /// assert_eq!(conspiracy_depth.of(40), 1.0);
    /// // γ = b does not reach ply depth: S(1) is about 1 − 1/e there.
    /// let ply_like = Safety::Power { gamma: 30.0, branching: 30 };
    /// assert!((ply_like.of(1) - 0.6383).abs() < 1e-4);
    /// ```
    pub fn of(&self, options: usize) -> f64 {
        match self {
            Safety::Power { branching, .. } if options >= *branching => 1.0,
            Safety::Power { gamma, branching } => {
                1.0 - ((branching - options) as f64 / *branching as f64).powf(*gamma)
            }
            Safety::Table(values) => values.get(options).or(values.last()).copied().unwrap_or(0.0),
        }
    }
}

crate::component! {
    /// The plan depths of McAllester & Yuret.
    pub struct Abc {
        /// γ of S.
        gamma: 500 in 100..=30000 "hundredths",
        /// b of S: from this many options on, a move is a whole ply.
        branching: 30 in 1..=256 "moves",
        /// Least that a move adds, however few options it has: it ends lines on which one side is
        /// always forced. 0 is S as printed.
        floor: 25 in 0..=100 "hundredths",
        /// δ, the singular margin: an option may be worth less than δ below the value.
        delta: 50 in 1..=1000 "evaluation units",
        /// c: what a move adds to the depth of the other side's plan. 0 is the paper's; 100 with S = 1
        /// counts plies.
        coupling: 0 in 0..=100 "hundredths",
        /// How much of c an extension for the mover's plan adds to the other side's.
        share: 100 in 0..=100 "hundredths",
        /// 1: S counts for both plans, except where a fail low is expected: there a move is a ply of both.
        /// With c = 100 this is one depth.
        one_depth: 0 in 0..=1 "0 or 1",
        /// 1: where a fail low is expected a move is a ply of its owner's plan, however few options it has.
        cut_only: 0 in 0..=1 "0 or 1",
        /// How long a line may become: its end is taken to be safe, however forced the line is. 0: as
        /// long as it takes.
        longest: 4 in 0..=100 "times the plies of the iteration, rounded up to moves of both sides",
        /// 1: values outside the window are returned as they are, though how safe the excess is nobody
        /// has asked.
        soft: 0 in 0..=1 "0 or 1",
    }
    state {
        /// S in place of the one that `gamma` and `branching` describe.
        safety: Option<Safety> = None,
        /// What is asked for at most, if that is less than an iteration would.
        most: Option<Depths> = None,
        /// What every iteration asks for, if not for more than the last.
        asked: Option<Depths> = None,
        /// S(0), S(1), …, up to where it stays constant.
        table: Vec<Depth> = Vec::new(),
        /// At how many plies lines end.
        end: usize = 0,
        /// Static values of the moves of every node on the line, for the node's mover.
        values: Vec<Score> = Vec::new(),
        /// The entered nodes on the line, root first.
        lists: Vec<OptionList> = Vec::new(),
    }
}

/// The options of one node on the line: a range of `Abc::values`.
#[derive(Clone, Debug)]
struct OptionList {
    start: usize,
    owner: Side,
    /// Whether the node is expected to fail low.
    all: bool,
    /// Whether there is one value for each move. If not, every value may be that of an option.
    of_moves: bool,
    /// Set if the values come from a component that was called with a null window. It holds the only
    /// value for which they can be counted, and how many options hold that value. A search below that
    /// needs the count for another value gets the same answer.
    bar: Option<(Score, usize)>,
    /// S, where it is the same whichever move is chosen. Then the values are not kept.
    known: Option<Depth>,
    chosen: usize,
}

/// The count of [`Abc`] on a line: the required depth of each plan and the depth reached so far.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    mover: Side,
    ply: usize,
    /// The number of nodes above that were entered. Nodes that passed were not.
    lists: usize,
    asked: Depths,
    /// Depths reached: `lower` of the mover's plan relative to β, `upper` of the other side's plan
    /// relative to α.
    reached: Depths,
    /// The window to which `reached` refers.
    window: Window,
}

impl Abc {
    /// Creates the rule with any S, unchanged: without a floor and with lines of unlimited length.
    pub fn new(safety: Safety, delta: Score) -> Abc {
        Abc { safety: Some(safety), delta: delta.0, floor: 0, longest: 0, ..Abc::default() }
    }

    /// Creates the rule with the S that `gamma` and `branching` describe, as printed: without a floor
    /// and with lines of unlimited length.
    pub fn as_printed() -> Abc {
        Abc { floor: 0, longest: 0, ..Abc::default() }
    }

    /// Returns the same rule, but no iteration requires more than these depths.
    pub fn asking_at_most(self, depths: Depths) -> Abc {
        Abc { most: Some(depths), ..self }
    }

    /// Returns the same rule, but every iteration requires these depths.
    pub fn asking(self, depths: Depths) -> Abc {
        Abc { asked: Some(depths), ..self }
    }

    /// Returns S(0), S(1), … as used by the rule. Beyond the end, the last value applies.
    pub fn safety(&self) -> Vec<Depth> {
        let power =
            Safety::Power { gamma: f64::from(self.gamma) / 100.0, branching: self.branching as usize };
        let safety = self.safety.clone().unwrap_or(power);
        let floor = f64::from(self.floor) / 100.0;
        let constant_from = match &safety {
            Safety::Power { branching, .. } => *branching,
            Safety::Table(values) => values.len().saturating_sub(1),
        };
        let mut table: Vec<_> =
            (0..=constant_from).map(|k| Depth::from_f64(safety.of(k).max(floor))).collect();
        let last = table[table.len() - 1];
        table.truncate(1 + table.iter().rposition(|s| *s != last).map_or(0, |place| place + 1));
        table
    }

    fn prepare(&mut self, asked: Depths) {
        self.table = self.safety();
        let Depths { lower, upper } = self.in_plies(asked, Depths::default());
        self.end = match self.longest {
            0 => usize::MAX,
            times => lower.max(upper).whole_plies().max(1) as usize * times as usize,
        };
        self.values.clear();
        self.lists.clear();
    }

    /// Returns S of the number of options in one list, for a plan that is to hold `value` (from its
    /// owner's point of view).
    #[inline]
    fn safety_of_list(&self, index: usize, value: Score) -> Depth {
        self.lists[index].known.unwrap_or_else(|| self.count_list(index, value))
    }

    fn count_list(&self, index: usize, value: Score) -> Depth {
        let list = &self.lists[index];
        let value = list.bar.map_or(value, |(bar, _)| bar);
        if value >= Score::INFINITE {
            return self.table[0];
        }
        let holds = |v: &Score| *v > value - Score(self.delta);
        let options = match list.bar {
            Some((_, held)) => held,
            None => {
                let end = self.lists.get(index + 1).map_or(self.values.len(), |next| next.start);
                self.values[list.start..end].iter().filter(|v| holds(v)).count()
            }
        };
        let chosen =
            list.of_moves && list.chosen != usize::MAX && holds(&self.values[list.start + list.chosen]);
        self.table[(options - usize::from(chosen)).min(self.table.len() - 1)]
    }

    /// Returns the max-depth or min-depth of Fig. 7: the depth of `owner`'s plan to hold `value`, from
    /// its owner's point of view, after the first `lists` nodes.
    fn depth(&self, lists: usize, owner: Side, value: Score) -> Depth {
        let added = |index: usize| match self.lists[index].owner == owner {
            true => self.added_to_owner(index, value),
            false => self.added_to_other(index, value),
        };
        (0..lists).fold(Depth::ZERO, |sum, index| sum + added(index))
    }

    /// Returns what the move at a node adds to its owner's plan to hold `value`.
    #[inline]
    fn added_to_owner(&self, index: usize, value: Score) -> Depth {
        match (self.one_depth == 1 || self.cut_only == 1) && self.lists[index].all {
            true => Depth::PLY,
            false => self.safety_of_list(index, value),
        }
    }

    /// Returns what the move at a node adds to the plan of the side that does not move there, and is to hold
    /// `value` from its own point of view.
    #[inline]
    fn added_to_other(&self, index: usize, value: Score) -> Depth {
        self.coupled(match self.one_depth == 1 && !self.lists[index].all {
            true => self.safety_of_list(index, Score(1) - value),
            false => Depth::PLY,
        })
    }

    /// Returns how much a depth added to one side's plan adds to the other side's plan.
    #[inline]
    fn coupled(&self, own: Depth) -> Depth {
        Depth(own.0 * self.coupling / 100)
    }

    /// Converts the missing depths to plies. Two plies, one of each side, add 1 + c to a plan if S is 1.
    #[inline]
    fn in_plies(&self, asked: Depths, reached: Depths) -> Depths {
        let plies = |own: Depth| match self.coupling {
            100 => own, // without a division
            coupling => Depth(own.0 * 200 / (100 + coupling)),
        };
        Depths { lower: plies(asked.lower - reached.lower), upper: plies(asked.upper - reached.upper) }
    }

    /// Returns the least remaining depths: those if every move on the line had the maximum S.
    fn owed_at_least(&self, count: &Spent) -> Depths {
        if count.ply >= self.end {
            return Depths::default();
        }
        let most = *self.table.iter().max().expect("S(0)");
        let own = self.lists[..count.lists].iter().filter(|list| list.owner == count.mover).count() as i32;
        let others = count.lists as i32 - own;
        let (most, of_other) = match (self.one_depth, self.cut_only) {
            (0, 0) => (most, Depth::PLY),
            (0, _) => (most.max(Depth::PLY), Depth::PLY),
            _ => (most.max(Depth::PLY), most.max(Depth::PLY)),
        };
        let reached = |own, others| Depth(own * most.0 + others * self.coupled(of_other).0);
        self.in_plies(count.asked, Depths { lower: reached(own, others), upper: reached(others, own) })
    }

    /// Returns the depths of both plans at the edges of a window of `mover`, from the first `lists`
    /// lists.
    fn depths(&self, lists: usize, mover: Side, window: Window) -> Depths {
        Depths {
            lower: self.depth(lists, mover, window.beta),
            upper: self.depth(lists, mover.other(), -window.alpha),
        }
    }
}

impl<G: Game> Horizon<G> for Abc {
    type Count = Spent;

    fn fails_soft(&self) -> bool {
        self.soft == 1
    }

    /// An iteration of n plies requires (n + 1) / 2 moves by the side to move and n / 2 by the other
    /// side.
    fn iteration(&self, n: usize) -> Depths {
        if let Some(asked) = self.asked {
            return asked;
        }
        let (own, others) = (Depth::plies((n as i32 + 1) / 2), Depth::plies(n as i32 / 2));
        let depths = Depths { lower: own + self.coupled(others), upper: others + self.coupled(own) };
        self.most.map_or(depths, |most| Depths {
            lower: depths.lower.min(most.lower),
            upper: depths.upper.min(most.upper),
        })
    }

    fn root(&mut self, asked: Depths, window: Window) -> Spent {
        self.prepare(asked);
        Spent { mover: Side::Max, ply: 0, lists: 0, asked, reached: Depths::default(), window }
    }

    #[inline]
    fn remaining(&self, count: &Spent, window: Window) -> Depths {
        if count.ply >= self.end {
            return Depths::default();
        }
        let reached = if window == count.window {
            count.reached
        } else {
            self.depths(count.lists, count.mover, window)
        };
        self.in_plies(count.asked, reached)
    }

    fn remaining_inside(&self, count: &Spent, _: Window, value: Score) -> Depths {
        if count.ply >= self.end {
            return Depths::default();
        }
        let lower = self.depth(count.lists, count.mover, value);
        let upper = self.depth(count.lists, count.mover.other(), -value);
        self.in_plies(count.asked, Depths { lower, upper })
    }

    #[inline]
    fn may_stop(&self, count: &Spent, window: Window) -> bool {
        // In an open window plans are measured against the static value, which may be easier to hold.
        let remaining = match window.is_minimal() {
            true => Horizon::<G>::remaining(self, count, window),
            false => self.owed_at_least(count),
        };
        remaining.lower <= Depth::ZERO || remaining.upper <= Depth::ZERO
    }

    #[inline]
    fn counts_options(&self) -> bool {
        true
    }

    /// In a null window, options are counted for β. Only if a search with another window begins below,
    /// such as a test for singularity, are the lists above used for another value.
    fn option_window(&self, window: Window) -> Window {
        match window.is_minimal() {
            true => Window::above(window.beta - Score(self.delta)),
            false => Window::FULL,
        }
    }

    fn enter(&mut self, entered: &Entered<'_, G>, evaluate: &mut impl Evaluate<G>) {
        let owner = if entered.ply.is_multiple_of(2) { Side::Max } else { Side::Min };
        let of_moves = entered.options.is_none_or(|(listing, _)| listing == Listing::Moves);
        let all = entered.window.is_minimal() && !entered.cut;
        let (start, mut bar, mut known) = (self.values.len(), None, None);
        match entered.options {
            Some((_, values)) => {
                if entered.window.is_minimal() {
                    let Window { beta, .. } = entered.window;
                    let holding = values.iter().filter(|v| **v > beta - Score(self.delta)).count();
                    bar = Some((beta, holding));
                    let options = match beta >= Score::INFINITE {
                        true => Some(0),
                        false if !of_moves => Some(holding),
                        false => (holding == values.len()).then(|| holding.saturating_sub(1)),
                    };
                    known = options.map(|options| self.table[options.min(self.table.len() - 1)]);
                }
                if known.is_none() {
                    self.values.extend_from_slice(values);
                }
            }
            None => {
                let within = Horizon::<G>::option_window(self, entered.window);
                entered.value_moves(within, evaluate, &mut self.values);
            }
        }
        self.lists.push(OptionList { start, owner, all, of_moves, bar, known, chosen: usize::MAX });
    }

    fn leave(&mut self) {
        let list = self.lists.pop().expect("retract follows expand");
        self.values.truncate(list.start);
    }

    #[inline]
    fn child(&mut self, count: &Spent, step: &Step<'_, G>) -> Spent {
        let top = self.lists.len() - 1;
        self.lists[top].chosen = step.index;
        // §10.1: if the edge has not moved, only the new list is needed; a moved edge needs all of them.
        let Window { alpha, beta } = step.window;
        let lower = if beta == count.window.beta {
            count.reached.lower + self.added_to_owner(top, beta)
        } else {
            self.depth(top + 1, count.mover, beta)
        };
        let upper = if alpha == count.window.alpha {
            count.reached.upper + self.added_to_other(top, -alpha)
        } else {
            self.depth(top + 1, count.mover.other(), -alpha)
        };
        let reached = Depths { lower, upper };
        debug_assert_eq!(reached, self.depths(top + 1, count.mover, step.window), "incremental depths");
        Spent {
            mover: count.mover.other(),
            ply: count.ply + 1,
            lists: top + 1,
            asked: count.asked.flip(),
            reached: reached.flip(),
            window: step.window.flip(),
        }
    }

    fn pass(&self, count: &Spent) -> Spent {
        let shorter = Horizon::<G>::lengthen(self, count, -Depth::PLY);
        Spent {
            mover: count.mover.other(),
            ply: count.ply + 1,
            lists: count.lists,
            asked: shorter.asked.flip(),
            reached: count.reached.flip(),
            window: count.window.flip(),
        }
    }

    fn lengthen(&self, count: &Spent, more: Depth) -> Spent {
        Spent { asked: count.asked.plus(Depth(more.0 * (100 + self.coupling) / 200)), ..*count }
    }

    /// Adds an extension for the mover: `more` is required of its plan, and a share of c times as much of the
    /// other side's.
    fn lengthen_own(&self, count: &Spent, more: Depth) -> Spent {
        let others = Depth(self.coupled(more).0 * self.share / 100);
        let asked = Depths { lower: count.asked.lower + more, upper: count.asked.upper + others };
        Spent { asked, ..*count }
    }
}
