//! Tests singular extensions against the paper's definition, written out, with one depth and with two.

use crate::common::*;
use cassius_games::RandomGame;
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::alpha_beta::horizon::{Abc, Coupled, Horizon, Plies, Safety, suffices};
use cassius_search::alpha_beta::selectivity::{FailHighSingular, Selectivity};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::{Depth, Depths, Game, Off, Score, Slots, Static, Statics, Window};
use proptest::prelude::*;
use std::marker::PhantomData;

/// Principal variation search with singular extensions only.
struct Extending<H>(PhantomData<H>);

cassius_search::recipe! {
    impl [H: Horizon<RandomTree>] Extending<H>, game RandomTree {
        Setting = (Statics, Off);
        Horizon = H;
        Selectivity = OnlySingular;
        Windows = MinimalWindow;
    }
}

enum OnlySingular {}

impl Selectivity<RandomTree> for OnlySingular {
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type ProbCut = Off;
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = FailHighSingular;
    type LateMoveReduction = Off;
}

/// How the remaining depths are counted, in plies: the depth of the plan of the side to move (`lower`)
/// and of the other side's. With one depth a move costs a ply of both. With two, it costs two plies of
/// its owner's plan only.
#[derive(Clone, Copy)]
enum Rule {
    One,
    Two,
}

impl Rule {
    fn child(self, left: Depths) -> Depths {
        match self {
            Rule::One => left.plus(-Depth::PLY).flip(),
            Rule::Two => Depths { lower: left.lower - Depth::plies(2), ..left }.flip(),
        }
    }

    /// Returns the depths after a singular extension: one depth increases for both, or the depth of the
    /// side that had no choice.
    fn extended(self, left: Depths, more: Depth) -> Depths {
        match self {
            Rule::One => left.plus(more),
            Rule::Two => Depths { lower: left.lower + more + more, ..left },
        }
    }
}

/// The search of §9.3 on top of minimax through windows.
struct Defined<'a> {
    rule: Rule,
    singular: &'a FailHighSingular,
    nodes: u64,
    extended: u64,
}

impl Defined<'_> {
    fn value(
        &mut self,
        position: &RandomTree,
        window: Window,
        left: Depths,
        ply: usize,
        principal: bool,
    ) -> Score {
        self.nodes += 1;
        let rule = self.rule;
        let clip = |value| match rule {
            Rule::One => value,
            Rule::Two => window.clip(value),
        };
        if position.is_over() {
            return clip(position.outcome().score(ply));
        }
        if ply > 0 && suffices(window, position.static_value(), left) {
            return clip(position.static_value());
        }
        let (mut alpha, beta) = (window.alpha, window.beta);
        let mut best = match self.rule {
            Rule::One => -Score::INFINITE,
            Rule::Two => alpha,
        };
        let below = self.rule.child(left);
        for (tried, mv) in moves(position).into_iter().enumerate() {
            let child = after(position, mv);
            let open = Window::new(alpha, beta);
            let mut value;
            if !principal || tried > 0 {
                let asked = if principal { Window::above(alpha) } else { open };
                value = -self.value(&child, asked.flip(), below, ply + 1, false);
                if principal && open.contains(value) {
                    value = -self.value(&child, open.flip(), below, ply + 1, true);
                }
            } else {
                value = -self.value(&child, open.flip(), below, ply + 1, true);
            }
            if ply > 0
                && value > alpha
                && left.lower >= Depth::plies(self.singular.min_depth)
                && self.is_singular(position, mv, open.clip(value), left, ply, principal)
            {
                self.extended += 1;
                let extension = Depth(self.singular.extension * Depth::PLY.0 / 100);
                let longer = self.rule.child(self.rule.extended(left, extension));
                value = -self.value(&child, open.flip(), longer, ply + 1, principal);
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if value >= beta {
                break;
            }
        }
        clip(best)
    }

    /// v_{d−r}[n'] < v_r − δ for all siblings n' of the move.
    fn is_singular(
        &mut self,
        position: &RandomTree,
        mv: u16,
        root_value: Score,
        left: Depths,
        ply: usize,
        principal: bool,
    ) -> bool {
        let margin = if principal { self.singular.pv_margin } else { self.singular.margin };
        let bar = root_value - Score(margin);
        let less = -Depth(self.singular.reduction * Depth::PLY.0 / 100);
        let below = self.rule.child(left.plus(less));
        let asked = Window::above(bar - Score(1));
        let mut others = moves(position).into_iter().filter(|other| *other != mv);
        others.all(|other| -self.value(&after(position, other), asked.flip(), below, ply + 1, false) < bar)
    }
}

/// Searches one iteration that requires `depths` with the skeleton; returns value and nodes.
fn searched<H: Horizon<RandomTree>>(
    tree: &RandomTree,
    rule: H,
    depths: Depths,
    singular: &FailHighSingular,
) -> (Score, u64) {
    let mut slots = Slots::<RandomTree, Extending<Always<H>>>::new(Statics, Off, Off);
    slots.horizon = always(rule, depths);
    slots.selectivity.extend = singular.clone();
    let said = run_to(&mut slots, tree, 1);
    (said.score(), said.answer.nodes)
}

fn singulars() -> impl Strategy<Value = FailHighSingular> {
    (1..4i32, 1..3i32, 1..40i32, 1..40i32, 0..2i32).prop_map(
        |(min_depth, reduction, margin, pv_margin, extension)| FailHighSingular {
            min_depth,
            reduction: 100 * reduction,
            margin,
            pv_margin,
            extension: 100 * extension,
        },
    )
}

fn trees() -> impl Strategy<Value = RandomTree> {
    let values = prop_oneof![Just(Values::Independent), Just(Values::StronglyOrdered)];
    (values, 2u16..4, any::<u64>()).prop_map(|(values, width, seed)| RandomTree::new(values, width, 7, seed))
}

proptest! {
    #![proptest_config(cases(400))]

    /// One depth: both plans are searched deeper. Value and nodes are the same as the definition's.
    #[test]
    fn with_one_depth_it_is_the_definition(tree in trees(), plies in 2..5i32, singular in singulars()) {
        let depths = Depths::both(Depth::plies(plies));
        let mut defined = Defined { rule: Rule::One, singular: &singular, nodes: 0, extended: 0 };
        let value = defined.value(&tree, Window::FULL, depths, 0, true);
        prop_assert_eq!(searched(&tree, Plies {}, depths, &singular), (value, defined.nodes));
    }

    /// Two depths: only the plan of the side that had no choice is searched deeper.
    #[test]
    fn with_two_depths_it_is_the_definition(
        tree in trees(), own in 1..4i32, other in 0..3i32, singular in singulars(),
    ) {
        // In own moves, each of which is two plies.
        let asked = Depths { lower: Depth::plies(own), upper: Depth::plies(other) };
        let left = Depths { lower: Depth::plies(2 * own), upper: Depth::plies(2 * other) };
        let mut defined = Defined { rule: Rule::Two, singular: &singular, nodes: 0, extended: 0 };
        let value = defined.value(&tree, Window::FULL, left, 0, true);
        let abc = Abc::new(Safety::one(), Score(1));
        prop_assert_eq!(searched(&tree, abc, asked, &singular), (value, defined.nodes));
    }

    /// An extension is granted to the side to move. In a rule with two depths its plan needs the
    /// additional depth, and the other side's plan needs a share of the part of it that it counts of the
    /// mover's moves. In a rule with one depth both need it.
    #[test]
    fn an_extension_goes_to_the_side_that_had_no_choice(
        own in 0..9i32, other in 0..9i32, more in 1..9i32, coupling in 0..=100i32, share in 0..=100i32,
        own_share in 0..=100i32,
    ) {
        type Tree = RandomGame;
        let depths = Depths { lower: Depth::plies(own), upper: Depth::plies(other) };
        let more = Depth::plies(more);
        fn remaining<H: Horizon<Tree>>(rule: &mut H, depths: Depths, more: Depth) -> [Depths; 2] {
            let line = rule.root(depths, Window::FULL);
            let longer = rule.lengthen_own(&line, more);
            [rule.remaining(&line, Window::FULL), rule.remaining(&longer, Window::FULL)]
        }
        let [before, after] = remaining(&mut Plies {}, Depths::both(depths.lower), more);
        prop_assert_eq!(after, before.plus(more));

        let shared = Depth(more.0 * coupling / 100 * share / 100);
        let mut coupled = Coupled { coupling, share, own: own_share, ..Coupled::default() };
        let [before, after] = remaining(&mut coupled, depths, more);
        let kept = Depth(more.0 * own_share / 100);
        prop_assert_eq!(after, Depths { lower: before.lower + kept, upper: before.upper + shared });

        // In plies, of which two, one of each side, add 1 + c to a plan.
        let mut abc = Abc::new(Safety::one(), Score(1));
        (abc.coupling, abc.share) = (coupling, share);
        let [_, after] = remaining(&mut abc, depths, more);
        let plies = |own: Depth| Depth(own.0 * 200 / (100 + coupling));
        let lower = plies(depths.lower + more);
        prop_assert_eq!(after, Depths { lower, upper: plies(depths.upper + shared) });
    }
}

/// The comparison is meaningful: moves are extended in many of the searches, and the forms differ.
#[test]
fn moves_are_extended() {
    let singular =
        FailHighSingular { margin: 10, pv_margin: 10, reduction: 100, min_depth: 1, extension: 100 };
    let mut extended = [0, 0];
    for seed in 0..40 {
        let tree = RandomTree::new(Values::StronglyOrdered, 3, 7, seed);
        for (rule, count) in [Rule::One, Rule::Two].into_iter().zip(&mut extended) {
            let mut defined = Defined { rule, singular: &singular, nodes: 0, extended: 0 };
            defined.value(&tree, Window::FULL, Depths::both(Depth::plies(4)), 0, true);
            *count += defined.extended;
        }
    }
    assert!(extended[0] > 100 && extended[1] > 100 && extended[0] != extended[1], "{extended:?}");
}

/// Every parameter changes the search somewhere.
#[test]
fn no_parameter_is_dead() {
    let usual = FailHighSingular { margin: 10, pv_margin: 5, reduction: 100, min_depth: 2, extension: 100 };
    let nodes = |singular: &FailHighSingular| -> u64 {
        let trees = (0..30).map(|seed| RandomTree::new(Values::Independent, 3, 7, seed));
        let depths = Depths::both(Depth::plies(4));
        trees.map(|tree| searched(&tree, Plies {}, depths, singular).1).sum()
    };
    let before = nodes(&usual);
    for changed in [
        FailHighSingular { margin: 40, ..usual.clone() },
        FailHighSingular { pv_margin: 40, ..usual.clone() },
        FailHighSingular { reduction: 200, ..usual.clone() },
        FailHighSingular { min_depth: 3, ..usual.clone() },
        FailHighSingular { extension: 50, ..usual.clone() },
    ] {
        assert_ne!(nodes(&changed), before, "{changed:?}");
    }
}
