//! Tests studies on completely known trees. A binary of its own, which takes seconds to compile.

use cassius_games::random_game::{Rules, Shape};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{Connect4, RandomGame, TicTacToe};
use cassius_search::best_first::{Bounds, Payload as _, Whose};
use cassius_search::study::{
    Asked, Basis, Chances, Change, Edge, Errors, Growth, Judgement, LeafId, PositionId, Refused, Steps,
    Study, Target, chances_to_be_greatest,
};
use cassius_search::{Evaluate, Game, Keyed, Outcome, Score, Statics, minimax};
use proptest::prelude::*;

/// Judges a leaf by minimax to a depth, among the moves that the leaf stands for.
fn judge<G: Game>(asked: &Asked<G>, depth: usize) -> Judgement<G::Move>
where
    Statics: Evaluate<G>,
{
    let mut moves = Vec::new();
    asked.position.moves(&mut moves);
    moves.retain(|mv| !asked.without.contains(mv));
    let value = |mv: &G::Move| {
        let mut child = asked.position.clone();
        child.play(*mv);
        (-minimax(&child, &mut Statics, depth - 1)).at_root(1)
    };
    let best = moves.into_iter().rev().max_by_key(value).expect("a leaf has moves");
    Judgement::estimate(value(&best), best, asked.effort)
}

/// Grows a study by so many judgements.
fn grow<G: Game + Keyed>(study: &mut Study<G>, judgements: usize, depth: usize)
where
    Statics: Evaluate<G>,
{
    for _ in 0..judgements {
        let Some(asked) = study.ask(1).pop() else { break };
        let judgement = judge(&asked, depth);
        study.tell(asked.leaf, judgement).expect("it was asked for");
    }
}

fn tree(seed: u64, width: u16, depth: u16) -> RandomTree {
    RandomTree::new(Values::Incremental, width, depth, seed)
}

fn follow<G: Game + Keyed>(study: &mut Study<G>, at: PositionId, mv: G::Move) -> PositionId {
    match study.include(at, mv) {
        Ok(Target::Position(to)) => to,
        other => panic!("{other:?}"),
    }
}

fn told<G: Game + Keyed>(study: &mut Study<G>, position: PositionId, value: i32, best: G::Move) -> LeafId {
    let leaf = LeafId { position, followed: study.edges(position).len() as u16 };
    study.tell(leaf, Judgement::estimate(Score(value), best, 100_000)).expect("a leaf");
    leaf
}

/// Where the side to move makes no difference to a position, it does to what is needed there.
#[test]
fn a_position_of_both_sides_is_two() {
    let mut study = Study::new(Stones(5));
    let after_one = follow(&mut study, PositionId::ROOT, 1);
    let own = follow(&mut study, after_one, 1);
    let other = follow(&mut study, PositionId::ROOT, 2);
    assert_ne!(own, other);
    assert_eq!(study.find(&Stones(3)), Some(own));
    let leaf = told(&mut study, other, 0, 1);
    assert_eq!(study.value(PositionId::ROOT), Score::DRAW);
    let found = study.conspiracy(Whose::Mover, Score(10)).expect("leaves can change it");
    assert!(found.members.iter().any(|member| member.leaf == leaf), "{found:?}");
}

/// What is only supposed beside what is known has to be found first.
#[test]
fn a_leaf_that_was_not_judged_does_not_raise_the_value() {
    let mut study = Study::new(Stones(9));
    told(&mut study, PositionId::ROOT, 50, 1);
    let after_one = follow(&mut study, PositionId::ROOT, 1);
    told(&mut study, after_one, 100, 1);
    let rest = LeafId { position: PositionId::ROOT, followed: 1 };
    assert_eq!(study.value(PositionId::ROOT), Score(-100));
    assert!(study.worth(rest) > Score(10), "it is supposed to be better");
    let found = study.conspiracy(Whose::Mover, Score(10)).expect("a leaf can change it");
    assert_eq!(found.members.iter().map(|member| member.leaf).collect::<Vec<_>>(), [rest]);
    assert!(found.chance < 1.0, "{found:?}");
}

/// That no leaf is left is found out once for each position, not once for each line.
#[test]
fn a_study_without_leaves_is_soon_seen_through() {
    let mut study = Study::new(Stones(80));
    study.growth = Growth::ByValue;
    let mut at = 0;
    while at < study.len() {
        let id = PositionId(at as u32);
        for mv in 1..=study.position(id).0.min(2) {
            study.include(id, mv).expect("a legal move");
        }
        at += 1;
    }
    assert!(study.len() > 100);
    assert!(study.ask(1).is_empty());
}

/// Mirror images have other moves, and are other positions.
#[test]
fn mirror_images_are_not_shared() {
    let mut study = Study::new(Connect4::default());
    let mut moves = Vec::new();
    study.root().moves(&mut moves);
    moves.sort_unstable();
    let after = |mv| {
        let mut child = *study.root();
        child.play(mv);
        child
    };
    let (left, right) = (moves[0], moves[moves.len() - 1]);
    assert_eq!(after(left).key(), after(right).key());
    assert_ne!(follow(&mut study, PositionId::ROOT, left), follow(&mut study, PositionId::ROOT, right));
    let mut shared = Study::with_key(Connect4::default(), |_| 1.0, Connect4::key);
    assert_eq!(follow(&mut shared, PositionId::ROOT, left), follow(&mut shared, PositionId::ROOT, right));
}

/// Returns the bounds of a position by the definition: a leaf is one more child, for the same side to move.
/// One of which nothing is known does not raise the value beside what is known.
fn bounds<G: Game + Keyed>(study: &Study<G>, at: PositionId) -> Bounds<8> {
    let mut children: Vec<Bounds<8>> = Vec::new();
    for edge in study.edges(at) {
        children.push(match edge.to {
            Target::Position(to) => bounds(study, to),
            Target::Repetition => Bounds::over(Score::DRAW),
        });
    }
    let Some(leaf) = study.leaf(at) else {
        return match children.is_empty() {
            true => Bounds::over(study.value(at)),
            false => Bounds::back_up(children.iter()),
        };
    };
    let own = match leaf.basis {
        Basis::Proven => Bounds::over(leaf.value),
        _ => Bounds::leaf(leaf.value),
    };
    let up: Bounds<8> = match leaf.basis == Basis::Supposed && study.is_known(at) {
        true => Bounds::leaf(-Score::INFINITE),
        false => own,
    };
    children.push(Bounds { mover: own.other, other: up.mover });
    Bounds::back_up(children.iter())
}

/// Judges by a function of the line and of the best move, for the side to move at the root; the best move is
/// the first that is left.
fn judged_by<G: Game>(asked: &Asked<G>, value: impl Fn(&[G::Move]) -> i32) -> Judgement<G::Move> {
    let mut moves = Vec::new();
    asked.position.moves(&mut moves);
    moves.retain(|mv| !asked.without.contains(mv));
    let mut line = asked.line.clone();
    line.push(moves[0]);
    let side = if asked.line.len().is_multiple_of(2) { 1 } else { -1 };
    Judgement::estimate(Score(side * value(&line)), moves[0], asked.effort)
}

/// Where the best move is refuted, the others are looked at, also for a repertoire.
#[test]
fn a_refuted_move_is_left() {
    for growth in [Growth::Weighted, Growth::Repertoire(Whose::Mover), Growth::ByValue] {
        let mut study = Study::new(tree(1, 4, 8));
        study.growth = growth;
        study.steps = Steps { effort: 1_000_000, ..Steps::default() };
        let mut moves = Vec::new();
        study.root().moves(&mut moves);
        let value = |line: &[_]| match (line.first() == moves.first(), line.len()) {
            (true, 1) => 30,
            (true, _) => -900,
            (false, _) => 10,
        };
        for number in 0..25 {
            let asked = study.ask(1).pop();
            let asked = asked.unwrap_or_else(|| panic!("{growth:?} {number}: {:?}", study.verdict()));
            study.tell(asked.leaf, judged_by(&asked, value)).expect("it was asked for");
        }
        let verdict = study.verdict();
        assert_eq!(verdict.moves[0].value, Some(Score(10)), "{growth:?}: {:?}", verdict.moves);
        assert_ne!(verdict.moves[0].mv, Some(moves[0]), "{growth:?}");
    }
}

/// One judgement says little of the moves that it has not chosen.
#[test]
fn a_verdict_begins_with_doubt() {
    let mut study = Study::new(tree(1, 4, 8));
    assert_eq!((study.doubt(), study.verdict().doubt()), (1.0, 1.0), "nothing was judged");
    for _ in 0..3 {
        grow(&mut study, 1, 1);
        let (doubt, verdict) = (study.doubt(), study.verdict());
        assert!(doubt > 0.02 && (doubt - verdict.doubt()).abs() < 1e-5, "{doubt} {verdict:?}");
        assert!(verdict.conspiracies.is_empty() && verdict.moves.len() == 2);
    }
}

/// What was only included has no value, and a move beside a win does not win by itself.
#[test]
fn a_move_that_was_not_judged_has_no_value() {
    let mut study = Study::new(tree(1, 4, 8));
    let mut moves = Vec::new();
    study.root().moves(&mut moves);
    let root = LeafId { position: PositionId::ROOT, followed: 0 };
    study.tell(root, Judgement::estimate(Score::win_in(3), moves[0], 1_000_000)).expect("a leaf");
    let Ok(Target::Position(to)) = study.include(PositionId::ROOT, moves[1]) else { panic!("a position") };
    assert!(!study.is_known(to));
    let verdict = study.verdict();
    assert_eq!((verdict.moves[0].mv, verdict.moves[0].value), (Some(moves[0]), Some(Score::win_in(3))));
    assert!(verdict.moves[0].chance > 0.99, "{verdict:?}");
    assert!(verdict.moves[1..].iter().all(|candidate| candidate.value.is_none()));
    let asked = study.ask_at(to).expect("it was not judged");
    assert!(study.ask_at(to).is_none(), "it is being judged");
    study.tell(asked.leaf, judge(&asked, 1)).expect("it was asked for");
    assert!(study.is_known(to) && study.ask_at(to).is_none());
}

/// Far from 0, too, the greater of two values is known to be the greater one.
#[test]
fn large_values_are_told_apart() {
    let scale = cassius_search::study::Scale { unit: 100.0 };
    for (more, less) in [(2_500, 1_500), (9_000, 3_000), (-1_500, -2_500)] {
        let chances = [more, less].map(|value| Chances::logistic(scale.of(Score(value)), 0.05));
        let greatest = chances_to_be_greatest(&chances);
        assert!(greatest[0] > 0.95, "{more} {less}: {greatest:?}");
    }
    let mate = Chances::certain(scale.of(Score::win_in(5)));
    let most = Chances::logistic(scale.of(Score::MAX_ESTIMATE), 0.05);
    assert!(chances_to_be_greatest(&[mate, most])[0] > 0.99);
    assert_eq!(most.above(scale.of(Score::win_in(5))), 0.0);
}

/// Returns a study of a random game in which judgements are little trusted.
fn unsure(seed: u64, shape: Shape) -> Study<RandomGame> {
    let mut study = Study::new(Rules { seed, shape, ends: 5, ..Rules::default() }.root());
    study.trust(Errors { unit: 8, effort: 6_000_000, ..Errors::default() });
    study.steps = Steps { most: 1, ..Steps::default() };
    study
}

/// There are conspiracies in the studies whose conspiracies are tested below.
#[test]
fn verdicts_hang_on_something() {
    let (mut trees, mut layers, mut cycles) = (0, 0, 0);
    for seed in 0..40 {
        let mut study = Study::new(tree(seed, 4, 6));
        grow(&mut study, 30, 1);
        trees += usize::from(!study.verdict().conspiracies.is_empty());
        for (shape, count) in [(Shape::Layers(4), &mut layers), (Shape::Cycles(20), &mut cycles)] {
            let mut study = unsure(seed, shape);
            grow(&mut study, 8, 2);
            *count += usize::from(!study.verdict().conspiracies.is_empty());
        }
    }
    let counts = [trees, layers, cycles];
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}

/// A preferred line of several moves, none of which the verdict hangs on, gets every second leaf.
#[test]
fn a_long_line_is_preferred() {
    let mut study = Study::new(tree(3, 4, 8));
    grow(&mut study, 10, 1);
    let (mut at, mut line) = (PositionId::ROOT, Vec::new());
    for _ in 0..3 {
        let mut moves = Vec::new();
        study.position(at).moves(&mut moves);
        let worst = *moves.last().expect("a move");
        let Ok(Target::Position(to)) = study.include(at, worst) else { panic!("a position") };
        line.push(worst);
        at = to;
    }
    study.prefer(at, true).expect("a position");
    let mut there = 0;
    for _ in 0..30 {
        let asked = study.ask(1).pop().expect("a leaf");
        there += usize::from(asked.line.starts_with(&line));
        study.tell(asked.leaf, judge(&asked, 1)).expect("it was asked for");
    }
    assert!((14..=18).contains(&there), "{there}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// If all leaves are equally likely to be wrong, the most probable conspiracies are the smallest: their
    /// sizes are those of McAllester 1988, §4.
    #[test]
    fn equal_chances_count_conspirators(
        seed: u64, judgements in 1..40_usize, by_value: bool, value in -12..=12,
    ) {
        let mut study = Study::new(tree(seed, 3, 5));
        // So little effort that nothing is known.
        study.trust(Errors { effort: 1_000_000_000, exponent: 100, ..Errors::default() });
        study.steps = Steps { effort: 1, most: 1, ..Steps::default() };
        study.growth = if by_value { Growth::ByValue } else { Growth::Weighted };
        grow(&mut study, judgements, 1);
        let bounds = bounds(&study, PositionId::ROOT);
        for side in [Whose::Mover, Whose::Other] {
            let found = study.conspiracy(side, Score(value));
            let size = found.as_ref().map(|conspiracy| conspiracy.members.len());
            match bounds.needed(side, Score(value)) {
                Some(needed) => prop_assert_eq!(size, Some(needed), "{:?}", side),
                None => prop_assert!(size.is_none_or(|size| size > 7), "{:?}: {:?}", side, size),
            }
            if let Some(conspiracy) = found {
                let chance = 0.5_f32.powi(conspiracy.members.len() as i32);
                prop_assert!((conspiracy.chance - chance).abs() < 0.01);
            }
        }
    }

    /// What is backed up move by move is what is computed from the leaves, and a replayed study is the same.
    #[test]
    fn a_study_is_the_result_of_its_changes(
        seed: u64, judgements in 1..60_usize, at_once in 1..5_usize, cycles: bool,
    ) {
        let shape = if cycles { Shape::Cycles(30) } else { Shape::Layers(5) };
        let game = Rules { seed, shape, ends: 5, ..Rules::default() }.root();
        let mut study = Study::new(game);
        let mut done = 0;
        while done < judgements {
            let mut asked = study.ask(at_once);
            if asked.is_empty() {
                break;
            }
            let leaves: Vec<LeafId> = asked.iter().map(|asked| asked.leaf).collect();
            prop_assert!(leaves.iter().enumerate().all(|(place, leaf)| !leaves[..place].contains(leaf)));
            // The last one is given back, the others are judged in another order.
            if asked.len() > 2 {
                study.give_back(asked.pop().expect("several").leaf);
            }
            asked.reverse();
            for asked in asked {
                study.tell(asked.leaf, judge(&asked, 2)).expect("it was asked for");
                done += 1;
            }
        }
        let changes = study.changes();
        let mut again = Study::new(game);
        for change in &changes {
            again.replay(change).expect("it was made before");
        }
        prop_assert_eq!(study.len(), again.len());
        let mut anew = Study::new(*again.root());
        changes.iter().for_each(|change| anew.replay(change).expect("it was made before"));
        anew.trust(Errors::default()); // computes everything from the leaves
        let mut together = Study::new(*again.root());
        let replayed = together.at_once(|study| changes.iter().try_for_each(|change| study.replay(change)));
        prop_assert!(replayed.is_ok());
        for number in 0..study.len() as u32 {
            let id = PositionId(number);
            prop_assert_eq!(study.edges(id), again.edges(id));
            prop_assert_eq!(study.leaf(id), again.leaf(id));
            for other in [&again, &anew, &together] {
                prop_assert_eq!(study.value(id), other.value(id));
                prop_assert_eq!(study.chances(id), other.chances(id));
            }
        }
    }

    /// A value is the minimax of the judgements, and the chances of the moves sum up to 1.
    #[test]
    fn verdicts_are_consistent(seed: u64, judgements in 1..60_usize) {
        let mut study = Study::new(tree(seed, 4, 6));
        grow(&mut study, judgements, 1);
        let verdict = study.verdict();
        let sum: f32 = verdict.moves.iter().map(|candidate| candidate.chance).sum();
        prop_assert!((sum - 1.0).abs() < 1e-4);
        prop_assert_eq!(verdict.moves[0].value, Some(study.value(PositionId::ROOT)));
        for conspiracy in &verdict.conspiracies {
            prop_assert!(!conspiracy.members.is_empty());
            let product: f32 = conspiracy.members.iter().map(|member| member.chance).product();
            prop_assert!((product - conspiracy.chance).abs() < 1e-3 * product);
        }
        prop_assert!(verdict.conspiracies.windows(2).all(|pair| pair[0].chance >= pair[1].chance - 1e-6));
    }

    /// If the leaves of a conspiracy have the values named, and no others change, another move is best; also
    /// where positions are shared, and moves can be repeated.
    #[test]
    fn a_conspiracy_does_what_it_says(seed: u64, judgements in 5..80_usize, cycles: bool) {
        let shape = if cycles { Shape::Cycles(20) } else { Shape::Layers(4) };
        let mut study = unsure(seed, shape);
        grow(&mut study, judgements, 2);
        let verdict = study.verdict();
        for conspiracy in &verdict.conspiracies {
            let members = conspiracy.members.iter();
            let changed: Vec<(LeafId, Score)> = members.map(|of| (of.leaf, of.needed)).collect();
            let now = study.best_if(&changed);
            prop_assert!(now != verdict.moves[0].mv, "{:?} {:?}", conspiracy, verdict.moves);
            for of in conspiracy.members.iter().filter(|of| of.judged) {
                prop_assert_eq!(of.at_least, of.needed > of.value, "{:?}", of);
            }
        }
    }

    /// What would be best if leaves had other values is what is best in a study in which they were judged so.
    #[test]
    fn other_values_are_tried_out(
        seed: u64, judgements in 1..60_usize, values in prop::collection::vec(-50..50, 1..4), cycles: bool,
    ) {
        let shape = if cycles { Shape::Cycles(20) } else { Shape::Layers(4) };
        let game = Rules { seed, shape, ends: 5, ..Rules::default() }.root();
        let mut study = Study::new(game);
        grow(&mut study, judgements, 2);
        let mut changes = study.changes();
        let mut judged: Vec<(LeafId, Score)> = Vec::new();
        for (number, value) in values.into_iter().enumerate() {
            let at = PositionId((seed >> (16 * number)) as u32 % study.len() as u32);
            if study.leaf(at).is_some_and(|leaf| leaf.basis == Basis::Judged) {
                judged.push((LeafId { position: at, followed: study.edges(at).len() as u16 }, Score(value)));
            }
        }
        for change in &mut changes {
            if let Change::Judged { leaf, judgement } = change {
                // Of two values for a leaf the second one counts.
                let other = judged.iter().rev().find(|(id, _)| id == leaf);
                judgement.value = other.map_or(judgement.value, |(_, value)| *value);
            }
        }
        let mut other = Study::new(game);
        changes.iter().for_each(|change| other.replay(change).expect("it fits as well"));
        let before = study.verdict();
        let best = other.verdict().moves.first().and_then(|best| best.mv);
        prop_assert_eq!(study.best_if(&judged), best);
        prop_assert_eq!(format!("{before:?}"), format!("{:?}", study.verdict()), "nothing is changed");
    }

    /// A study that nothing can change any more is right, whoever judges. Chances are stored for values at
    /// a distance: moves that are closer together are not told apart.
    #[test]
    fn a_finished_study_is_right(seed: u64, by_value: bool) {
        let game = tree(seed, 3, 4);
        let mut study = Study::new(game);
        // Most values are far enough apart, and errors so large that nothing is settled before it is known.
        study.trust(Errors { unit: 8, effort: 6_000_000, ..Errors::default() });
        study.steps = Steps { most: 1, ..Steps::default() };
        study.growth = if by_value { Growth::ByValue } else { Growth::Weighted };
        grow(&mut study, 2_000, 1);
        prop_assert!(study.ask(1).is_empty());
        if by_value {
            prop_assert_eq!(study.value(PositionId::ROOT), minimax(&game, &mut Statics, 4));
        }
        let best = study.verdict().moves[0].mv.expect("a move");
        let mut child = game;
        child.play(best);
        let place = |value: Score| study.errors().scale().of(value);
        let (found, value) = (-minimax(&child, &mut Statics, 3), minimax(&game, &mut Statics, 4));
        prop_assert!((place(found) - place(value)).abs() <= 0.1, "{:?} {:?}", found, value);
    }
}

/// Take one or two stones; who takes the last one wins.
#[derive(Clone)]
struct Stones(u8);

impl Game for Stones {
    type Move = u8;
    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend((1..=2).filter(|taken| *taken <= self.0));
    }
    fn play(&mut self, taken: u8) {
        self.0 -= taken;
    }
    fn outcome(&self) -> Outcome {
        Outcome::Loss
    }
}

impl Keyed for Stones {
    fn key(&self) -> u64 {
        cassius_search::mix(self.0.into())
    }
    fn code(&self, mv: u8) -> u16 {
        mv.into()
    }
}

proptest! {
    /// What is called proven is so, even if some judges claim wins and losses that they cannot prove, and if
    /// all judges prove what they say, the value is proven in the end.
    #[test]
    fn what_is_proven_is_true(stones in 1..12_u8, seed: u64, honest: bool) {
        let mut study = Study::new(Stones(stones));
        let mut random = seed;
        for _ in 0..100 {
            let Some(asked) = study.ask(1).pop() else { break };
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let Stones(left) = asked.position;
            // The best of the moves that the leaf stands for leaves a multiple of three, if there is one.
            let moves: Vec<u8> =
                (1..=left.min(2)).filter(|taken| !asked.without.contains(taken)).collect();
            let good = moves.iter().find(|taken| (left - **taken) % 3 == 0);
            let value = if good.is_some() { Score::win_in(1) } else { Score::loss_in(2) };
            let judgement = match honest || random >> 63 == 0 {
                true => Judgement { best: good.copied(), ..Judgement::proven(value) },
                false => Judgement::estimate(-value, moves[0], asked.effort),
            };
            study.tell(asked.leaf, judgement).expect("it was asked for");
            let verdict = study.verdict();
            let first = &verdict.moves[0];
            let wins = first.value.is_some_and(Score::is_win);
            // A proof that the position is lost names no move.
            let truth = first.mv.map_or(stones % 3 != 0, |mv| (stones - mv) % 3 == 0);
            prop_assert!(!verdict.proven || wins == truth, "{:?}", verdict);
        }
        prop_assert!(study.verdict().proven || !honest);
    }
}

/// A proof that names no move is about the best one, whichever that is. It proves nothing of those that are
/// left when a move is followed, unless all lose.
#[test]
fn a_proof_is_not_of_the_moves_that_are_left() {
    let root = LeafId { position: PositionId::ROOT, followed: 0 };
    let mut won = Study::new(Stones(4));
    won.tell(root, Judgement::proven(Score::win_in(3))).expect("a leaf");
    assert!(won.verdict().proven);
    won.exclude(PositionId::ROOT, 1).expect("the other one is left"); // The only move that wins.
    assert!(!won.verdict().proven && !won.value(PositionId::ROOT).is_win());

    let mut lost = Study::new(Stones(3));
    lost.tell(root, Judgement::proven(Score::loss_in(2))).expect("a leaf");
    lost.exclude(PositionId::ROOT, 1).expect("the other one is left");
    assert!(lost.verdict().proven && lost.value(PositionId::ROOT) == Score::loss_in(2));
}

/// A wish that is refused changes nothing.
#[test]
fn the_only_move_stays() {
    let mut study = Study::new(Stones(1));
    let asked = study.ask(1).pop().expect("a leaf");
    assert_eq!(study.exclude(PositionId::ROOT, 1), Err(Refused::LastMove));
    assert_eq!(study.exclude(PositionId::ROOT, 2), Err(Refused::Move));
    assert!(study.changes().is_empty());
    study.tell(asked.leaf, Judgement::proven(Score::win_in(1))).expect("it is the same leaf");
}

/// Values far from a draw are looked at from the right side in every position: the growth goes on, and looks
/// at both sides' moves.
#[test]
fn a_study_grows_when_one_side_is_ahead() {
    for (seed, ahead) in (0..40).map(|seed| (seed, if seed % 2 == 0 { 400 } else { -400 })) {
        let mut study = Study::new(tree(seed, 4, 8));
        let mut plies = [0; 2];
        for judgements in 0..60 {
            let asked = study.ask(1).pop();
            let asked = asked.unwrap_or_else(|| panic!("seed {seed}: nothing matters after {judgements}"));
            let side = if asked.line.len().is_multiple_of(2) { 1 } else { -1 };
            plies[asked.line.len() % 2] += 1;
            let found = judge(&asked, 1);
            let value = Score(5 * found.value.0 + side * ahead);
            let best = found.best.expect("a move");
            study.tell(asked.leaf, Judgement::estimate(value, best, asked.effort)).expect("it was asked for");
        }
        assert!(plies.iter().all(|plies| *plies >= 10), "seed {seed}: {plies:?}");
    }
}

/// With a repertoire, that side has one move in every position on the line to the next leaf.
#[test]
fn a_repertoire_has_one_move() {
    for (seed, side) in (0..40).map(|seed| (seed, if seed % 2 == 0 { Whose::Mover } else { Whose::Other })) {
        let mut study = Study::new(tree(seed, 4, 6));
        study.growth = Growth::Repertoire(side);
        for _ in 0..30 {
            let Some(asked) = study.ask(1).pop() else { break };
            let mut at = PositionId::ROOT;
            for (ply, mv) in asked.line.iter().enumerate() {
                let edges = study.edges(at);
                let next = edges.iter().find(|edge| edge.mv == *mv).expect("it is followed");
                let Target::Position(to) = next.to else { panic!("a cycle") };
                if (ply % 2 == 0) == (side == Whose::Mover) {
                    let value = |edge: &Edge<_>| match edge.to {
                        Target::Position(to) => -study.value(to),
                        Target::Repetition => Score::DRAW,
                    };
                    assert!(edges.iter().all(|edge| value(edge) <= value(next)));
                }
                at = to;
            }
            let judgement = judge(&asked, 1);
            study.tell(asked.leaf, judgement).expect("it was asked for");
        }
    }
}

/// A preferred line gets more leaves, and no value changes by the preference itself.
#[test]
fn a_preferred_line_is_looked_at_more() {
    let leaves = |preferred: bool| {
        let mut study = Study::new(tree(3, 4, 8));
        grow(&mut study, 10, 1);
        let worst = study.edges(PositionId::ROOT).last().expect("a move").mv;
        let Ok(Target::Position(at)) = study.include(PositionId::ROOT, worst) else { panic!("a position") };
        let before = *study.chances(PositionId::ROOT);
        study.prefer(at, preferred).expect("a position");
        assert_eq!(&before, study.chances(PositionId::ROOT));
        let mut there = 0;
        for _ in 0..30 {
            let Some(asked) = study.ask(1).pop() else { break };
            there += usize::from(asked.line.first() == Some(&worst));
            let judgement = judge(&asked, 1);
            study.tell(asked.leaf, judgement).expect("it was asked for");
        }
        there
    };
    assert!(leaves(true) > leaves(false), "{} {}", leaves(true), leaves(false));
}

/// A leaf that changes while it is judged is asked for anew, and the old answer is refused.
#[test]
fn a_leaf_may_change_while_it_is_judged() {
    let mut study = Study::new(tree(1, 4, 6));
    grow(&mut study, 1, 1);
    let asked = study.ask(2).pop().expect("a leaf");
    let mut moves = Vec::new();
    asked.position.moves(&mut moves);
    moves.retain(|mv| !asked.without.contains(mv));
    study.include(asked.leaf.position, moves[0]).expect("a legal move");
    assert_eq!(study.tell(asked.leaf, judge(&asked, 1)), Err(Refused::NoLeaf));
    let again = LeafId { followed: asked.leaf.followed + 1, ..asked.leaf };
    assert!(!study.leaf(asked.leaf.position).expect("other moves").in_work);
    let judgement = Judgement::estimate(Score(1), moves[1], 1);
    assert_eq!(study.tell(again, judgement), Ok(()));
}

/// For a verdict, leaves that are being judged are no more certain than before.
#[test]
fn leaves_in_work_do_not_make_a_verdict_surer() {
    for seed in 0..20 {
        let mut study = Study::new(tree(seed, 4, 6));
        grow(&mut study, 12, 1);
        let (doubt, whole) = (study.doubt(), study.verdict().doubt());
        assert!((doubt - whole).abs() < 1e-5);
        let asked = study.ask(3);
        assert!(!asked.is_empty());
        let while_judged = study.doubt();
        let is_judged = |leaf: &LeafId| study.leaf(leaf.position).is_some_and(|leaf| leaf.in_work);
        assert!(asked.iter().all(|asked| is_judged(&asked.leaf)), "they are still being judged");
        asked.iter().for_each(|asked| study.give_back(asked.leaf));
        assert_eq!(while_judged, study.doubt(), "{seed}");
    }
}

#[test]
fn leaves_in_work_are_not_named_again() {
    let mut study = Study::new(TicTacToe::default());
    let asked = study.ask(9);
    assert_eq!(asked.len(), 1, "there is only the root");
    assert!(study.ask(1).is_empty());
    study.give_back(asked[0].leaf);
    assert_eq!(study.ask(1)[0].leaf, asked[0].leaf);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut study = Study::new(TicTacToe::default());
    let root = LeafId { position: PositionId::ROOT, followed: 0 };
    let mut moves = Vec::new();
    study.root().moves(&mut moves);
    let judgement = Judgement::estimate(Score(7), moves[0], 10);
    assert_eq!(study.tell(LeafId { followed: 1, ..root }, judgement), Err(Refused::NoLeaf));
    let elsewhere = LeafId { position: PositionId(5), followed: 0 };
    assert_eq!(study.tell(elsewhere, judgement), Err(Refused::NoPosition));
    assert_eq!(study.tell(root, Judgement { best: None, ..judgement }), Err(Refused::Move));
    study.include(PositionId::ROOT, moves[0]).expect("a legal move");
    assert_eq!(study.tell(root, judgement), Err(Refused::NoLeaf));
    let left = LeafId { followed: 1, ..root };
    assert_eq!(study.tell(left, judgement), Err(Refused::Move), "it is followed");
    let other = Judgement::estimate(Score(7), moves[1], 10);
    assert_eq!(study.tell(left, other), Ok(()));
    assert_eq!(study.value(PositionId::ROOT), Score(7));

    // Moves that are left out do not count, but the last one cannot be left out.
    for &mv in &moves[1..8] {
        study.exclude(PositionId::ROOT, mv).expect("another one is left");
    }
    study.exclude(PositionId::ROOT, moves[8]).expect("the first one is left");
    assert_eq!(study.exclude(PositionId::ROOT, moves[0]), Err(Refused::LastMove));
    assert_eq!(study.verdict().moves.len(), 1);
    study.include(PositionId::ROOT, moves[8]).expect("it is allowed again");
    assert_eq!(study.verdict().moves.len(), 2);
}

/// A position that can be reached in two ways is judged once, and a way back counts as a draw.
#[test]
fn positions_are_shared() {
    let mut study = Study::new(TicTacToe::default());
    let line = |study: &mut Study<TicTacToe>, places: [usize; 3]| {
        let mut at = PositionId::ROOT;
        for place in places {
            let position = study.position(at);
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let mv = moves.into_iter().find(|mv| usize::from(*mv) == place).expect("a free place");
            let Target::Position(to) = study.include(at, mv).expect("a legal move") else {
                panic!("a cycle")
            };
            at = to;
        }
        at
    };
    let (one, other) = (line(&mut study, [0, 4, 8]), line(&mut study, [8, 4, 0]));
    assert_eq!(one, other);
    let before = *study.chances(PositionId::ROOT);
    let leaf = LeafId { position: one, followed: 0 };
    study.tell(leaf, Judgement::proven(Score::DRAW)).expect("it is a leaf");
    assert_ne!(&before, study.chances(PositionId::ROOT));
}

/// Where the best lines of two moves end in one position, what parts them is named.
#[test]
fn a_shared_leaf_does_not_hide_the_others() {
    let mut study = Study::new(TicTacToe::default());
    let root = PositionId::ROOT;
    let mut judge = Vec::new();
    for line in [[0, 4, 8], [8, 4, 0]] {
        let mut at = root;
        for mv in line {
            judge.push(at);
            at = follow(&mut study, at, mv);
        }
        judge.push(at);
    }
    judge.sort();
    judge.dedup();
    // All other moves are a little worse for the side that has them.
    for at in judge {
        let moves = study.line_to(at).len();
        let shared = moves == 3;
        let value = Score(if shared {
            -20
        } else if moves % 2 == 0 {
            10
        } else {
            -30
        });
        let asked = study.ask_at(at).expect("it was not judged");
        study.tell(asked.leaf, judged_by(&asked, |_| value.0 * if moves % 2 == 0 { 1 } else { -1 })).unwrap();
    }
    let verdict = study.verdict();
    assert_eq!(verdict.moves[0].value, verdict.moves[1].value, "the lines end in one position");
    let first = &verdict.conspiracies[0];
    assert!(first.chance > 0.1, "{first:?}");
    let changed: Vec<(LeafId, Score)> = first.members.iter().map(|of| (of.leaf, of.needed)).collect();
    assert_ne!(study.best_if(&changed), verdict.moves[0].mv, "{first:?}");
}

#[test]
fn chances_are_those_of_independent_values() {
    let (sure, wide) = (Chances::certain(1.0), Chances::logistic(0.0, 0.5));
    assert!(sure.above(0.8) > 0.999 && sure.above(1.2) < 0.001);
    assert!((wide.above(0.0) - 0.5).abs() < 1e-3);
    assert!((wide.quantile(0.5)).abs() < 0.06);
    assert!((wide.flip().above(0.3) - (1.0 - wide.above(-0.3))).abs() < 1e-3);
}
