//! Tests the widened quiescence search against its definition, and that every part of it has an effect.

use crate::common::*;
use cassius_games::random_game::{Rules, Shape};
use cassius_games::{Connect4, RandomGame};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::observe::{Recorded, TreeRecorder};
use cassius_search::alpha_beta::quiescence::{
    Captures, ForcingChecks, HungMoves, KillerMoves, MateThreat, PassWhenHung, PromotionThreat, QuietChecks,
    Widened,
};
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow};
use cassius_search::game::{Hung as _, Threat, Threats};
use cassius_search::{
    Checks, Component as _, Game, Noisy, Off, Parameter, Pass, Score, Slots, Static, Statics, Switch,
};
use proptest::prelude::*;

type Sources = (Switch<QuietChecks>, Switch<ForcingChecks>, Switch<HungMoves>, Switch<KillerMoves>);
type Standings = (Switch<MateThreat>, Switch<PromotionThreat>, Switch<PassWhenHung>);
type Everything = Widened<Sources, Standings>;

/// All components, without pruning. Each bit switches one.
fn everything(bits: u8) -> Everything {
    let mut whole = Everything { captures: plain_captures(), ..Everything::default() };
    let on = |bit: u8| i32::from(bits >> bit & 1 != 0);
    let (sources, standing) = (&mut whole.sources, &mut whole.standing);
    (sources.0.on, sources.1.on, sources.2.on, sources.3.on) = (on(0), on(1), on(2), on(3));
    (standing.0.on, standing.1.on, standing.2.on) = (on(4), on(5), on(6));
    whole
}

/// All but the killers, which depend on earlier searches.
const DEFINED: u8 = 0b111_0111;

fn eventful() -> impl Strategy<Value = Rules> {
    let shape = prop_oneof![Just(Shape::Tree), (1u32..9).prop_map(Shape::Layers)];
    (any::<u64>(), shape, 2u8..5, 10u8..60, 0u8..5, 0u16..200, 5u8..35, 15u8..45).prop_map(
        |(seed, shape, branching, noisy, pieces, spread, checks, ends)| Rules {
            seed,
            shape,
            branching,
            noisy,
            pieces,
            spread,
            ends,
            checks,
            ..Rules::default()
        },
    )
}

/// The stand-pat game, written out without a window.
struct Definition<'a>(&'a Everything);

#[derive(Clone, Copy, Default)]
struct At {
    ply: usize,
    depth: usize,
    checks: usize,
    passed: bool,
    hunt: usize,
}

impl Definition<'_> {
    fn value(&self, position: &RandomGame, at: At) -> Score {
        if at.hunt > 0
            && let Some(mate) = shortest_mate(position, at.ply, at.hunt)
        {
            return mate;
        }
        if position.is_over() {
            return position.outcome().score(at.ply);
        }
        let after = |mv: u8, hunt| {
            let child = after(position, mv);
            let counts = !position.in_check() && !position.is_noisy(mv) && child.in_check();
            let checks = at.checks + usize::from(counts);
            let below = At { ply: at.ply + 1, depth: at.depth + 1, checks, passed: false, hunt };
            -self.value(&child, below)
        };
        if position.in_check() {
            return moves(position).into_iter().map(|mv| after(mv, 0)).max().unwrap();
        }
        let mut selected = Vec::new();
        position.noisy_moves(&mut selected);
        selected.extend(moves(position).into_iter().filter(|mv| self.quiet(position, *mv, at)));
        let (mut least, mut hunt) = (position.static_value(), 0);
        if let Some(mate) = self.mate_threat(position, at) {
            (least, hunt) = (mate, self.0.standing.0.component.checks as usize);
            position.counter_moves(Threat::Mate, &mut selected);
            if self.0.standing.0.component.every_check != 0 {
                let quiet = moves(position).into_iter().filter(|mv| !position.is_noisy(*mv));
                selected.extend(quiet.filter(|mv| position.gives_check(*mv)));
            }
        } else if let Some(left) = self.promotion_threat(position, at) {
            least = left;
            position.counter_moves(Threat::Promotion, &mut selected);
        } else if let Some(value) = self.pass_when_hung(position, at, selected.is_empty()) {
            least = value.clamp_estimate();
        }
        let value = selected.into_iter().map(|mv| after(mv, hunt)).fold(least, Score::max);
        // No loss is proven before every move has been tried.
        if !value.is_loss() {
            return value;
        }
        moves(position).into_iter().map(|mv| after(mv, hunt)).fold(value, Score::max)
    }

    fn quiet(&self, position: &RandomGame, mv: u8, at: At) -> bool {
        let (checks, forcing, hung, _) = &self.0.sources;
        let gives_check = !position.is_noisy(mv) && position.gives_check(mv);
        let few = moves(&after(position, mv)).len() <= forcing.component.replies as usize;
        checks.is_on() && gives_check && at.depth < checks.component.plies as usize
            || forcing.is_on()
                && gives_check
                && few
                && at.checks < forcing.component.line as usize
                && (forcing.component.losing != 0 || position.exchange_at_least(mv, Score::DRAW))
            || hung.is_on() && at.depth < hung.component.plies as usize && saving(position).1.contains(&mv)
    }

    fn mate_threat(&self, position: &RandomGame, at: At) -> Option<Score> {
        let Switch { component, .. } = &self.0.standing.0;
        let asks = self.0.standing.0.is_on() && !at.passed && at.depth < component.plies as usize;
        let mate = || shortest_mate(&passed(position), at.ply + 1, component.checks as usize);
        (asks && position.may_threaten(Threat::Mate)).then(mate).flatten().map(|score| -score)
    }

    fn promotion_threat(&self, position: &RandomGame, at: At) -> Option<Score> {
        let Switch { component, .. } = &self.0.standing.1;
        let asks = self.0.standing.1.is_on() && !at.passed && at.depth < component.plies as usize;
        if !asks || !position.may_threaten(Threat::Promotion) {
            return None;
        }
        let passed = passed(position);
        let promotions = moves(&passed).into_iter().filter(|mv| passed.promotes(*mv));
        let below = At { ply: at.ply + 2, depth: at.depth + 2, passed: false, hunt: 0, ..at };
        let left = promotions.map(|mv| self.value(&after(&passed, mv), below)).min();
        left.filter(|left| *left <= position.static_value() - Score(component.margin))
    }

    fn pass_when_hung(&self, position: &RandomGame, at: At, nothing_selected: bool) -> Option<Score> {
        let Switch { component, .. } = &self.0.standing.2;
        let asks = self.0.standing.2.is_on() && !at.passed && at.depth < component.plies as usize;
        let (hung, saving) = saving(position);
        let below = At { ply: at.ply + 1, depth: at.depth + 1, passed: true, hunt: 0, ..at };
        (asks && nothing_selected && position.may_pass() && hung && saving.is_empty())
            .then(|| -self.value(&passed(position), below))
    }
}

fn passed(position: &RandomGame) -> RandomGame {
    let mut passed = *position;
    passed.pass();
    passed
}

fn saving(position: &RandomGame) -> (bool, Vec<u8>) {
    let mut moves = Vec::new();
    let hung = position.saving_moves(&mut moves);
    (hung, moves)
}

/// Returns the shortest win in which every move gives check or ends the game, against every defence.
fn shortest_mate(position: &RandomGame, ply: usize, checks: usize) -> Option<Score> {
    let children = || moves(position).into_iter().map(|mv| after(position, mv));
    let forcing = || children().filter(|child| child.in_check() || child.is_over());
    (1..=checks)
        .find_map(|allowed| forcing().find_map(|child| mated(&child, ply + 1, allowed - 1)).map(|s| -s))
}

fn mated(position: &RandomGame, ply: usize, checks: usize) -> Option<Score> {
    if position.is_over() {
        return Some(position.outcome().score(ply)).filter(|score| score.is_loss());
    }
    let replies = moves(position).into_iter().map(|mv| shortest_mate(&after(position, mv), ply + 1, checks));
    replies.map(|mate| mate.map(|score| -score)).collect::<Option<Vec<_>>>()?.into_iter().max()
}

fn minimax_then(definition: &Definition<'_>, position: &RandomGame, depth: usize, ply: usize) -> Score {
    if depth == 0 || position.is_over() {
        return definition.value(position, At { ply, ..At::default() });
    }
    let value = |mv| -minimax_then(definition, &after(position, mv), depth - 1, ply + 1);
    moves(position).into_iter().map(value).max().expect("a game that is not over")
}

proptest! {
    #![proptest_config(cases(6000))]

    /// For any components, window and order, the value is that of the game that the components define.
    #[test]
    fn widened_is_the_game_it_defines(
        rules in eventful(), depth in 1usize..4, order in 0u8..64, bits in 0u8..128,
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        for bits in [bits & DEFINED, DEFINED] {
            let mut whole = everything(bits);
            (whole.sources.0.component.plies, whole.sources.1.component.line) = (1, 1);
            whole.standing.1.component.margin = 10;
            let expected = minimax_then(&Definition(&whole), &root, depth, 0);
            let mut plain =
                Slots::<RandomGame, Plain<Plies, WholeWindow, Off, Off, Everything>>::new(Statics, Off, Off);
            plain.quiescence = whole.clone();
            prop_assert_eq!(run_to(&mut plain, &root, depth).score(), expected, "{:b}", bits);
            let mut minimal = Slots::<RandomGame, Ordered<Plies, MinimalWindow, Off, Off, Everything>>::new(
                Statics, Off, Off,
            );
            minimal.quiescence = whole;
            set_order(&mut minimal.order, u16::from(order));
            prop_assert_eq!(run_to(&mut minimal, &root, depth).score(), expected, "{:b}", bits);
        }
    }

    /// With everything off it equals the capture search, node for node.
    #[test]
    fn widened_by_nothing_is_captures(
        rules in eventful(), depth in 1usize..4, exchange in 0i32..2, evasions in 0i32..2,
    ) {
        type With<Q> = Ordered<Plies, MinimalWindow, Off, Off, Q, Off, TreeRecorder<RandomGame>>;
        let root = rules.root();
        let captures = Captures { margin: 10, exchange, evasions };
        let mut usual = Slots::<RandomGame, With<Captures>>::new(Statics, Off, Off);
        usual.quiescence = captures.clone();
        let mut off = Slots::<RandomGame, With<Everything>>::new(Statics, Off, Off);
        off.quiescence = Widened { captures: captures.clone(), ..everything(0) };
        let mut empty = Slots::<RandomGame, With<Widened>>::new(Statics, Off, Off);
        empty.quiescence.captures = captures;
        if !root.is_over() {
            let score = run_to(&mut usual, &root, depth).score();
            prop_assert_eq!(run_to(&mut off, &root, depth).score(), score);
            prop_assert_eq!(run_to(&mut empty, &root, depth).score(), score);
        }
        let node = |node: &Recorded<RandomGame>| (node.position, node.ply, node.window, node.value);
        let nodes: Vec<_> = usual.observe.nodes.iter().map(node).collect();
        prop_assert_eq!(off.observe.nodes.iter().map(node).collect::<Vec<_>>(), nodes.clone());
        prop_assert_eq!(empty.observe.nodes.iter().map(node).collect::<Vec<_>>(), nodes);
    }
}

/// Returns the nodes of some searches with these parameters.
fn nodes(set: &dyn Fn(&Parameter, &mut i32)) -> Vec<u64> {
    let rules = |seed| Rules { seed, branching: 6, checks: 20, ends: 20, spread: 200, ..Rules::default() };
    let search = |root| {
        let mut slots =
            Slots::<RandomGame, Ordered<Plies, MinimalWindow, Off, Off, Everything>>::new(Statics, Off, Off);
        slots.quiescence.visit(&mut |parameter, value| set(parameter, value));
        run_to(&mut slots, &root, 4).answer.nodes
    };
    (0..40).map(|seed| rules(seed).root()).filter(|root| !root.is_over()).map(search).collect()
}

/// Every switch and every parameter, set to one end of its range or the other, changes the node count
/// somewhere.
#[test]
fn no_option_of_quiescence_is_dead() {
    // Here quiet moves mostly lose an exchange, so the sources have an effect only if that is ignored.
    let usual = |parameter: &Parameter, value: &mut i32| {
        if parameter.name == "exchange" {
            *value = 0;
        }
    };
    let expected = nodes(&usual);
    let mut parameters = Vec::new();
    Everything::default().visit(&mut |parameter, _| parameters.push(*parameter));
    for parameter in parameters {
        let with = |end: i32| {
            nodes(&|other, value| {
                usual(other, value);
                if (other.component, other.name) == (parameter.component, parameter.name) {
                    *value = end;
                }
            })
        };
        let changes = with(parameter.min) != expected || with(parameter.max) != expected;
        assert!(changes, "{}.{} changes nothing", parameter.component, parameter.name);
    }
}

/// Quiet moves can repeat positions. With every check at every ply a cyclic game still ends.
#[test]
fn unlimited_checks_end() {
    let mut repeated = 0;
    for seed in 0..60 {
        let rules = Rules {
            seed,
            shape: Shape::Cycles(12),
            branching: 2,
            noisy: 0,
            ends: 0,
            checks: 50,
            ..Rules::default()
        };
        type With<D> = Plain<Plies, MinimalWindow, Off, Off, Widened<QuietChecks>, D>;
        let mut slots = Slots::<RandomGame, With<Repetition>>::new(Statics, Off, Off);
        slots.quiescence.sources.plies = 200;
        let said = run_to(&mut slots, &rules.root(), 2);
        assert!(said.answer.complete);
        repeated += usize::from(said.score() == Score::DRAW);
    }
    assert!(repeated > 0);
}

/// The other side's open three is detected one ply before it arises, and so are the moves that stop it.
#[test]
fn an_open_three_threatens() {
    let position: Connect4 = "445".parse().unwrap(); // X threatens to make three in a row with both ends open
    assert!(position.may_threaten(Threat::Mate) && !position.in_check());
    let mut counters = Vec::new();
    position.counter_moves(Threat::Mate, &mut counters);
    assert_eq!(counters.iter().map(|column| column.to_string()).collect::<String>(), "36");
}
