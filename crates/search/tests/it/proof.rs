//! Tests proofs of forced wins: results equal those of plain exhaustive search, and strategies are
//! replayed.

use crate::common::{after, cases, layered, moves};
use cassius_games::random_game::{Rules, Shape};
use cassius_games::{Connect4, Judge, RandomGame, TicTacToe};
use cassius_search::game::Repeats;
use cassius_search::plans::certificate::{Certificate, check};
use cassius_search::proof::{
    Answer, Attack, ChecksBefore, FlawKind, Mobility, ProofTable, Prover, Step, Strategy, TooLarge,
    certificate, replay,
};
use cassius_search::{Game, Keyed, Nodes, Outcome, StopFlag, Unlimited};
use proptest::prelude::{Just, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use std::collections::HashMap;

/// Random games with draws by rule: the number of quiet plies matters too.
struct WithPatience;

impl Attack<RandomGame> for WithPatience {
    fn key(&self, position: &RandomGame, _: usize) -> u64 {
        position.key() ^ (position.quiet_plies() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn is_drawn(&self, position: &RandomGame) -> bool {
        position.drawn_by_rule()
    }
}

/// The definition: with an odd number of plies the side to move must win, with an even number the other
/// side.
fn wins<G: Game>(position: &G, plies: usize, drawn: &dyn Fn(&G) -> bool) -> bool {
    let attacks = plies % 2 == 1;
    let moves = moves(position);
    match plies {
        _ if moves.is_empty() => !attacks && position.outcome() == Outcome::Loss,
        _ if drawn(position) => false,
        0 => false,
        _ if attacks => moves.iter().any(|mv| wins(&after(position, *mv), plies - 1, drawn)),
        _ => moves.iter().all(|mv| wins(&after(position, *mv), plies - 1, drawn)),
    }
}

/// Asks all questions about a position, with tables of several sizes, and compares the answers with the
/// definition.
fn agrees<G: Keyed, A: Attack<G>>(position: &G, attack: fn() -> A, most: usize) {
    let drawn = |position: &G| attack().is_drawn(position);
    let wins: Vec<bool> = (0..=most).map(|plies| wins(position, plies, &drawn)).collect();
    for entries in [4, 50, 5000] {
        let table = || ProofTable::with_entries(entries).unwrap();
        // One prover for all questions, in either order, and one prover for each.
        let mut all = Prover::new(attack(), table(), &Unlimited);
        for plies in (0..=most).chain((0..=most).rev()) {
            for answer in [
                all.within(position, plies),
                Prover::new(attack(), table(), &Unlimited).within(position, plies),
            ] {
                match answer {
                    Answer::Proven { plies: found, .. } => {
                        assert!(wins[plies] && found <= plies && found % 2 == plies % 2 && wins[found]);
                    }
                    Answer::Disproven { within } => assert!(within == plies && !wins[plies]),
                    Answer::Unknown { .. } => panic!("no limit was set"),
                }
            }
        }
        for most in [most, most - 1] {
            let shortest = (most % 2..=most).step_by(2).find(|plies| wins[*plies]);
            let expected = match shortest {
                Some(plies) => Answer::Proven { plies, shortest: true },
                None => Answer::Disproven { within: most },
            };
            let mut prover = Prover::new(attack(), table(), &Unlimited);
            match prover.any(position, most) {
                Answer::Proven { plies, shortest } => {
                    assert!(
                        wins[plies]
                            && plies % 2 == most % 2
                            && (!shortest || expected == Answer::Proven { plies, shortest })
                    );
                }
                answer => assert_eq!(answer, expected),
            }
            let mut found = Vec::new();
            let mut prover = Prover::new(attack(), table(), &Unlimited);
            let answer = prover.shortest(position, most, &mut |prover, plies| {
                let strategy = prover.strategy(position, plies).expect("no limit").expect("a win");
                let replayed = replay(position, &strategy, drawn).unwrap_or_else(|flaw| panic!("{flaw}"));
                assert!(replayed.plies <= plies && replayed.plies % 2 == plies % 2);
                assert_eq!(replayed.mover_wins, plies % 2 == 1);
                let last = replayed.line.iter().fold(position.clone(), |position, mv| after(&position, *mv));
                assert_eq!((replayed.line.len(), last.outcome()), (replayed.plies, Outcome::Loss));
                assert!(last.is_over());
                found.push(plies);
            });
            assert_eq!(answer, expected);
            assert_eq!(found.last().copied(), shortest);
            if let Some(plies) = shortest {
                let strategy = all.strategy(position, plies).expect("no limit").expect("a win");
                assert_eq!(replay(position, &strategy, drawn).expect("no flaw").plies, plies);
                if let Some(less) = plies.checked_sub(2) {
                    assert_eq!(all.strategy(position, less), Ok(None));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn random_games(rules in layered(), ends in 15u8..50) {
        let root = Rules { ends, ..rules }.root();
        agrees(&root, || Mobility, 7);
        agrees(&root, || ChecksBefore, 7);
    }

    /// Games with repetitions, and draws by rule.
    #[test]
    fn random_games_that_go_round(
        rules in layered(), ends in 20u8..50, places in 2u32..9,
        patience in prop_oneof![Just(u16::MAX), 1u16..6],
    ) {
        let root = Rules {
            shape: Shape::Cycles(places),
            ends,
            patience,
            branching: rules.branching.min(3),
            ..rules
        }
        .root();
        agrees(&root, || WithPatience, 8);
    }

    #[test]
    fn tic_tac_toe(seed in any::<u64>(), plies in 2usize..9) {
        agrees(&played(TicTacToe::default(), seed, plies), || Mobility, 7);
    }

    #[test]
    fn connect_four(seed in any::<u64>(), plies in 8usize..36) {
        agrees(&played(Connect4::default(), seed, plies), || Mobility, 5);
    }
}

/// A strategy against mirror images of Connect Four, which share a key, has moves for both.
#[test]
fn mirror_images() {
    for moves in ["44345", "4444", "444"] {
        agrees(&moves.parse::<Connect4>().expect("a position"), || Mobility, 5);
    }
}

/// Returns the position after `plies` moves drawn from a seed, or where the game is over.
fn played<G: Game>(mut position: G, mut seed: u64, plies: usize) -> G {
    for _ in 0..plies {
        let moves = moves(&position);
        if moves.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        position.play(moves[(seed >> 33) as usize % moves.len()]);
    }
    position
}

/// Searched to the end: the first player does not win, but does after 1. corner, edge.
#[test]
fn tic_tac_toe_to_the_end() {
    let mut prover = Prover::new(Mobility, ProofTable::new(1).unwrap(), &Unlimited);
    assert_eq!(prover.within(&TicTacToe::default(), 9), Answer::Disproven { within: 9 });
    let edge: TicTacToe = "12".parse().unwrap();
    assert_eq!(prover.shortest(&edge, 7, &mut |_, _| {}), Answer::Proven { plies: 5, shortest: true });
    assert_eq!(prover.within(&edge, 3), Answer::Disproven { within: 3 });
}

/// A limit on nodes is exact, and what has been disproven so far is reported.
#[test]
fn it_gives_up_and_says_so() {
    for nodes in [1, 10, 1000, 20_000] {
        let limits = Nodes(nodes);
        let mut prover = Prover::new(Mobility, ProofTable::new(1).unwrap(), &limits);
        let answer = prover.any(&Connect4::default(), 41);
        let Answer::Unknown { disproven, proof, disproof } = answer else { panic!("{answer:?}") };
        assert_eq!(prover.nodes(), nodes);
        // The first win of the first player takes at least seven plies, and no win in seven is forced.
        match nodes {
            1 => assert_eq!(disproven, None),
            20_000 => assert!(disproven >= Some(7) && proof > 0 && disproof > 0),
            _ => (),
        }
        assert!(prover.strategy(&Connect4::default(), 41).is_err());
    }
}

/// A win that is found before the limit is reached is kept, and is not called the shortest.
#[test]
fn a_win_found_before_the_limit_counts() {
    let (mut early, mut whole) = (0, 0);
    for seed in 0..40 {
        let position = played(Connect4::default(), seed, 14);
        let ask = |nodes: u64| {
            let limits = Nodes(nodes);
            Prover::new(Mobility, ProofTable::new(1).unwrap(), &limits).shortest(
                &position,
                13,
                &mut |_, _| {},
            )
        };
        let Answer::Proven { plies: least, shortest: true } = ask(u64::MAX) else { continue };
        for power in 0..14 {
            match ask(1 << power) {
                Answer::Proven { plies, shortest: true } => {
                    assert_eq!(plies, least);
                    whole += 1;
                }
                Answer::Proven { plies, shortest: false } => {
                    assert!(plies >= least);
                    early += 1;
                }
                answer => assert!(matches!(answer, Answer::Unknown { .. }), "{answer:?}"),
            }
        }
    }
    assert!(early > 0 && whole > 0, "{early} {whole}");
}

/// Interleaved questions get the same answers as consecutive ones.
#[test]
fn taking_turns() {
    let mut slices = 0;
    for seed in 0..60 {
        let position = played(Connect4::default(), seed, 12);
        let prover = || Prover::new(Mobility, ProofTable::new(1).unwrap(), &Unlimited);
        let expected = prover().shortest(&position, 15, &mut |_, _| {});
        let mut prover = prover();
        match (prover.any(&position, 15), expected) {
            (Answer::Proven { plies, shortest: false }, Answer::Proven { plies: least, .. }) => {
                assert!(plies >= least)
            }
            (answer, expected) => assert_eq!(answer, expected),
        }
        slices += usize::from(prover.nodes() > 50_000);
    }
    assert!(slices > 10, "{slices}");
}

/// A win of tic-tac-toe in five plies: the corner against the edge.
fn corner_against_edge() -> (TicTacToe, Strategy<<TicTacToe as Game>::Move>) {
    let position: TicTacToe = "12".parse().unwrap();
    let mut prover = Prover::new(Mobility, ProofTable::new(1).unwrap(), &Unlimited);
    assert_eq!(prover.shortest(&position, 7, &mut |_, _| {}), Answer::Proven { plies: 5, shortest: true });
    let strategy = prover.strategy(&position, 5).expect("no limit").expect("a win");
    (position, strategy)
}

fn refused<G: Keyed>(position: &G, strategy: &Strategy<G::Move>) -> FlawKind<G::Move> {
    replay(position, strategy, |_| false).expect_err("refused").kind
}

#[test]
fn tampering_is_refused() {
    let (position, honest) = corner_against_edge();
    let taken = moves(&TicTacToe::default())[0];
    let tampered = |tamper: &dyn Fn(&mut Strategy<_>)| {
        let mut strategy = honest.clone();
        tamper(&mut strategy);
        refused(&position, &strategy)
    };
    let last = honest.steps.len() - 1;
    let own = honest.steps.iter().position(|step| matches!(step, Step::Own { .. })).expect("a move");
    let other = honest.steps.iter().position(|step| matches!(step, Step::Other(_))).expect("replies");
    let replies = |strategy: &mut Strategy<_>, change: &dyn Fn(&mut Vec<_>)| match &mut strategy.steps[other]
    {
        Step::Other(replies) => change(replies),
        step => panic!("{step:?}"),
    };

    let hole = tampered(&|it| replies(it, &|replies| replies.truncate(replies.len() - 1)));
    assert!(matches!(hole, FlawKind::NotAnswered(_)), "{hole:?}");
    let twice = tampered(&|it| replies(it, &|replies| replies.push(replies[0])));
    assert!(matches!(twice, FlawKind::AnsweredTwice(_)), "{twice:?}");
    let illegal = tampered(&|it| replies(it, &|replies| replies[0].0 = taken));
    assert_eq!(illegal, FlawKind::NotLegal(taken));
    let illegal = tampered(&|it| it.steps[own] = Step::Own { mv: taken, next: 0 });
    assert_eq!(illegal, FlawKind::NotLegal(taken));
    let early = tampered(&|it| it.steps[last] = Step::Won);
    assert_eq!(early, FlawKind::NotOver);
    let early = tampered(&|it| it.steps[own] = Step::Won);
    assert!(matches!(early, FlawKind::NotOver | FlawKind::OtherSideMoves), "{early:?}");
    let late = tampered(&|it| {
        it.steps.insert(1, Step::Other(Vec::new()));
        for step in it.steps.iter_mut() {
            match step {
                Step::Won => (),
                Step::Own { next, .. } => *next += 1,
                Step::Other(replies) => replies.iter_mut().for_each(|(_, next)| *next += 1),
            }
        }
    });
    assert_eq!(late, FlawKind::GoesOn);
    let Step::Own { mv, .. } = honest.steps[last] else { panic!("the winner begins") };
    let round = tampered(&|it| it.steps[last] = Step::Own { mv, next: last });
    assert_eq!(round, FlawKind::NoStep(last));
    let nowhere = tampered(&|it| it.steps[last] = Step::Own { mv, next: 10_000 });
    assert_eq!(nowhere, FlawKind::NoStep(10_000));
    let side = tampered(&|it| {
        let next = it.steps.iter().position(|step| matches!(step, Step::Own { .. })).expect("a move");
        it.steps[last] = Step::Own { mv, next };
    });
    assert_eq!(side, FlawKind::OtherSideMoves);
    assert_eq!(tampered(&|it| it.steps.clear()), FlawKind::NoStep(usize::MAX));
    // Every other first move has other replies.
    for mv in moves(&position).into_iter().filter(|other| *other != mv) {
        let Step::Own { next, .. } = honest.steps[last] else { panic!("the winner begins") };
        tampered(&|it| it.steps[last] = Step::Own { mv, next });
    }

    // A false win: the full board of a drawn game.
    let drawn: TicTacToe = "123546879".parse().unwrap();
    assert_eq!(refused(&drawn, &Strategy { steps: vec![Step::Won] }), FlawKind::NotWon);
    // A draw by rule, in the first position and later.
    let flaw = replay(&position, &honest, |_| true).expect_err("refused");
    assert!(flaw.kind == FlawKind::Drawn && flaw.line.is_empty());
    let key = after(&position, mv).key();
    let flaw = replay(&position, &honest, |position| position.key() == key).expect_err("refused");
    assert!(flaw.kind == FlawKind::Drawn && flaw.line == [mv], "{flaw}");
}

/// A replay ends when the limits are reached.
#[test]
fn a_replay_polls_its_limits() {
    let (position, strategy) = corner_against_edge();
    let stop = StopFlag::default();
    let prover = Prover::new(Mobility, ProofTable::new(1).unwrap(), &stop);
    assert_eq!(prover.replay(&position, &strategy, |_| false).expect("no flaw").plies, 5);
    stop.0.store(true, std::sync::atomic::Ordering::Relaxed);
    let flaw = prover.replay(&position, &strategy, |_| false).expect_err("stopped");
    assert_eq!(flaw.kind, FlawKind::Stopped);
}

/// A strategy longer than any search is refused, here in a random game without wins.
#[test]
fn endless_strategies_are_refused() {
    let game = Rules { shape: Shape::Cycles(3), ends: 0, branching: 1, pieces: 0, ..Rules::default() }.root();
    let mut steps = vec![Step::Won];
    for index in 0..300 {
        let mv = moves(&game)[0];
        steps.push(if index % 2 == 0 {
            Step::Own { mv, next: index }
        } else {
            Step::Other(vec![(mv, index)])
        });
    }
    assert_eq!(refused(&game, &Strategy { steps }), FlawKind::TooLong);
}

/// A step shared by several lines is stored once, and is valid only for the position it was written for.
#[test]
fn shared_steps_are_replayed_where_they_are_used() {
    let (position, honest) = corner_against_edge();
    let uses = honest.steps.iter().flat_map(|step| match step {
        Step::Won => Vec::new(),
        Step::Own { next, .. } => vec![*next],
        Step::Other(replies) => replies.iter().map(|(_, next)| *next).collect(),
    });
    let mut count: HashMap<usize, usize> = HashMap::new();
    uses.for_each(|next| *count.entry(next).or_default() += 1);
    assert!(count[&0] > 1);
    // All replies get the answer to the first one.
    let mut strategy = honest.clone();
    for step in &mut strategy.steps {
        if let Step::Other(replies) = step {
            let first = replies[0].1;
            replies.iter_mut().for_each(|(_, next)| *next = first);
        }
    }
    assert_ne!(strategy, honest);
    refused(&position, &strategy);
}

/// A strategy is a certificate of a win, which a checker without knowledge of proofs confirms.
#[test]
fn strategies_are_certificates() {
    let (position, strategy) = corner_against_edge();
    let name = |position: &TicTacToe, mv| position.code(mv).to_string();
    let written = certificate(&position, &strategy, 5, 1000, &name).expect("small");
    let text = written.to_string();
    assert_eq!(text.parse::<Certificate>().as_ref(), Ok(&written));
    let held = check(&position, &written, &mut Judge::new(name)).expect("holds").at_least.expect("a plan");
    assert_eq!((held.leaves, held.depth), (0, cassius_search::Depth::CERTAIN));
    assert_eq!(certificate(&position, &strategy, 5, 3, &name), Err(TooLarge(3)));
    // A win in three is not what this strategy guarantees.
    let mut bold = written.clone();
    bold.value = cassius_search::Score::win_in(3);
    assert!(check(&position, &bold, &mut Judge::new(name)).is_err());
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn strategies_of_either_side_are_certificates(
        rules in layered(), places in 2u32..9, cycles in any::<bool>(), ends in 20u8..50,
    ) {
        let shape = if cycles { Shape::Cycles(places) } else { rules.shape };
        let root = Rules { shape, ends, branching: rules.branching.min(3), ..rules }.root();
        let name = |position: &RandomGame, mv| position.code(mv).to_string();
        for most in [6, 7] {
            let mut prover = Prover::new(ChecksBefore, ProofTable::new(1).unwrap(), &Unlimited);
            let Answer::Proven { plies, .. } = prover.shortest(&root, most, &mut |_, _| {}) else { continue };
            if plies > 0 {
                let strategy = prover.strategy(&root, plies).expect("no limit").expect("a win");
                let written = certificate(&root, &strategy, plies, 100_000, &name).expect("small");
                let held = check(&root, &written, &mut Judge::with_draws(name));
                let held = held.unwrap_or_else(|fault| panic!("{fault}\n{written}"));
                prop_assert_eq!(held.at_least.is_some(), plies % 2 == 1);
                prop_assert!(held.at_least.or(held.at_most).is_some_and(|held| held.leaves == 0));
            }
        }
    }
}
