//! Tests certificates: what a search establishes can be replayed, and anything else is refused.

use crate::common::*;
use cassius_games::figures::augmented_strategy;
use cassius_games::random_game::{Rules, Shape};
use cassius_games::{Connect4, Judge, RandomGame, Tree};
use cassius_search::alpha_beta::draws::{Draws, Repetition};
use cassius_search::alpha_beta::horizon::{Abc, Safety};
use cassius_search::alpha_beta::order::Order;
use cassius_search::game::Repeats;
use cassius_search::plans::certificate::{
    Certificate, Certified, Checking, Claim, Name, Problem, Referee, Step, Tampering, Work, WorkLimit,
    certify, check, check_as, common_values, deepest, establishes_its_value, pasted,
};
use cassius_search::{
    Depth, Depths, Game, Keyed, Limits, Nodes, Off, Score, Static, Statics, Table, Unlimited, Window,
};
use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns a referee that knows the static values and names moves by their codes.
fn plainly<G: Static + Keyed + PartialEq>() -> impl Referee<G> {
    Judge::new(|position: &G, mv| position.code(mv).to_string())
}

/// Returns a referee that also knows the draws.
fn with_draws<G: Static + Keyed + Repeats + PartialEq>() -> impl Referee<G> {
    Judge::with_draws(|position: &G, mv| position.code(mv).to_string())
}

fn certified<G: Static + Keyed, D: Draws<G>, O: Order<G>>(
    position: &G,
    abc: Abc,
    asked: Depths,
    referee: &mut impl Referee<G>,
) -> Option<Certified> {
    let parts = (Statics, Table::new(1).unwrap());
    certify::<G, D, O, Statics>(position, asked, abc, parts, &Unlimited, referee, &mut |_| {})
}

/// Asserts that a certificate and its text are equivalent, and that the checker confirms what the search
/// claims.
fn holds<G: Static + Keyed>(
    position: &G,
    certified: &Certified,
    asked: Depths,
    referee: &mut impl Referee<G>,
) {
    let certificate = &certified.certificate;
    assert!(certified.complete);
    let text = certificate.to_string();
    assert_eq!(text.parse().as_ref(), Ok(certificate), "{text}");
    let found = check(position, certificate, referee).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    let [lower, upper] = [found.at_least, found.at_most].map(|held| held.expect("both plans"));
    assert!(lower.depth >= asked.lower && upper.depth >= asked.upper, "{asked:?}: {lower:?}, {upper:?}");
}

fn small_games() -> impl Strategy<Value = Rules> {
    layered().prop_map(|rules| Rules {
        shape: Shape::Tree,
        ends: 25 + rules.ends,
        branching: rules.branching + 1,
        ..rules
    })
}

fn targets() -> impl Strategy<Value = Depths> {
    let quarter = |q: i32| Depth(q * Depth::PLY.0 / 4);
    (1..=8, 1..=8).prop_map(move |(lower, upper)| Depths { lower: quarter(lower), upper: quarter(upper) })
}

fn safeties() -> impl Strategy<Value = Safety> {
    prop_oneof![
        Just(Safety::Table(vec![0.0, 0.5, 1.0])),
        Just(Safety::one()),
        (1f64..60.0, 1usize..9).prop_map(|(gamma, branching)| Safety::Power { gamma, branching }),
        Just(Safety::Table(vec![0.1, 0.4, 0.65, 0.9, 0.95, 1.0])),
    ]
}

proptest! {
    #![proptest_config(cases(1000))]

    /// The certificates of a search hold in trees, for any S, δ and depths.
    #[test]
    fn certificates_hold(rules in small_games(), safety in safeties(), delta in 1..9i32, asked in targets()) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let mut abc = Abc::new(safety, Score(delta));
        abc.floor = 20;
        let certified =
            certified::<_, Off, Orders>(&root, abc, asked, &mut plainly()).expect("a certificate");
        holds(&root, &certified, asked, &mut plainly());
    }

    /// The deepest plan for or against a value has the depth it claims, and can be replayed. Less effort
    /// shows less.
    #[test]
    fn the_deepest_plans_hold(
        rules in small_games(), safety in safeties(), delta in 1..9i32, value in -30..30i32, step in 1..5i32,
        most in 1..12i32,
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let mut abc = Abc::new(safety, Score(delta));
        abc.floor = 20;
        let quarter = |q: i32| Depth(q * Depth::PLY.0 / 4);
        let claim = Claim { at_least: Score(value), step: quarter(step), most: quarter(most), abc };
        let ask = |limits: &dyn Limits| {
            let parts = (Statics, Table::new(1).unwrap());
            deepest::<_, Off, Orders, _>(&root, &claim, parts, limits, &mut plainly())
        };
        let shown = ask(&Unlimited);
        prop_assert_eq!(shown.answered, claim.most);
        prop_assert!(shown.depth().max(shown.refuted()).is_some_and(|depth| depth >= claim.most));
        for (certificate, held) in [(&shown.held, true), (&shown.broken, false)] {
            let Some(certificate) = certificate else { continue };
            prop_assert_eq!(certificate.value, Score(value - i32::from(!held)));
            let found = check(&root, certificate, &mut plainly()).unwrap_or_else(|fault| panic!("{fault}"));
            let (plan, found) = match held {
                true => (certificate.at_least.as_ref(), found.at_least),
                false => (certificate.at_most.as_ref(), found.at_most),
            };
            let (plan, found) = (plan.expect("a plan"), found.expect("a plan"));
            prop_assert_eq!(plan.depth, found.depth);
            match plan.weakest() {
                Some((line, depth, value)) => {
                    prop_assert_eq!((line, depth, value), (found.weakest, found.depth, found.weakest_value));
                }
                None => prop_assert_eq!(found.depth, Depth::CERTAIN),
            }
        }
        // Less effort shows less, and reports how much was answered.
        let cut = ask(&Nodes(shown.nodes / 2));
        prop_assert!(cut.nodes <= shown.nodes / 2 && cut.answered <= shown.answered);
        prop_assert!(cut.depth() <= shown.depth() && cut.refuted() <= shown.refuted());
    }

    /// The same in games with repetitions.
    #[test]
    fn certificates_hold_with_draws(rules in layered(), places in 2u32..7, asked in targets()) {
        let root =
            Rules { shape: Shape::Cycles(places), ends: 15, branching: 3, patience: 8, ..rules }.root();
        prop_assume!(!root.is_over());
        let certified =
            certified::<_, Repetition, Orders>(&root, Abc::default(), asked, &mut with_draws())
                .expect("a certificate");
        holds(&root, &certified, asked, &mut with_draws());
    }

    /// Any change in a plan is refused by the checker, which names the position.
    #[test]
    fn tampering_is_refused(
        rules in small_games(), delta in 1..9i32, asked in targets(), at_least in any::<bool>(),
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let mut abc = Abc::default();
        abc.delta = delta;
        let honest = certified::<_, Off, Orders>(&root, abc, asked, &mut plainly())
            .expect("a certificate")
            .certificate;
        for tamper in Tampering::ALL {
            let mut certificate = honest.clone();
            let Some(line) = tamper.apply(&mut certificate, at_least) else { continue };
            let fault = check(&root, &certificate, &mut plainly())
                .expect_err(&format!("{tamper:?} passes:\n{certificate}"));
            if !line.is_empty() || tamper.is_in_a_step() {
                prop_assert_eq!(&fault.line, &line, "{:?}: {}", tamper, fault);
                prop_assert_eq!(fault.at_least, at_least);
            }
        }
        // A text truncated at any place.
        let text = honest.to_string();
        let lines: Vec<&str> = text.lines().collect();
        for cut in 0..lines.len() {
            prop_assert!(lines[..cut].join("\n").parse::<Certificate>().is_err());
        }
    }

    /// A text that is almost a certificate, or not one at all, is refused with a message and never
    /// causes a panic.
    #[test]
    fn any_text_is_read_or_refused(
        rules in small_games(), junk in ".{0,40}", place in any::<prop::sample::Index>(),
        lines in prop::collection::vec("[!?.#] ?[0-9 -]{0,12}", 0..12),
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let asked = Depths::both(Depth::PLY);
        let honest = certified::<_, Off, Orders>(&root, Abc::default(), asked, &mut plainly())
            .expect("a certificate")
            .certificate;
        let text = honest.to_string();
        let mut all: Vec<&str> = text.lines().collect();
        let place = place.index(all.len());
        all.insert(place, &junk);
        let _ = all.join("\n").parse::<Certificate>().map(|read| check(&root, &read, &mut plainly()));
        all.splice(place..=place, lines.iter().map(String::as_str));
        let _ = all.join("\n").parse::<Certificate>().map(|read| check(&root, &read, &mut plainly()));
        // A text with one changed word never causes a panic, and never gives a value, a margin or an S
        // out of range.
        let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for number in [i32::MIN, i32::MAX, -32_002, -32_001, -32_000, -1, 0, 32_001, 1_000_000] {
            let mut changed: Vec<String> = words.iter().map(|word| word.to_string()).collect();
            let place = place % changed.len();
            let end = if changed[place].ends_with('\n') { "\n" } else { " " };
            changed[place] = format!("{number}{end}");
            if let Ok(read) = changed.concat().parse::<Certificate>()
                && check(&root, &read, &mut plainly()).is_ok()
            {
                prop_assert!(read.margin.0 > 0 && read.value.0.abs() <= 32_000, "{}", changed.concat());
            }
        }
    }
}

/// A referee that identifies no positions, so that steps shared by several lines are checked on each.
struct InFull<R>(R);

impl<R: Referee<RandomGame>> Referee<RandomGame> for InFull<R> {
    fn value(&mut self, position: &RandomGame, window: Window, work: &mut Work) -> Result<Score, WorkLimit> {
        self.0.value(position, window, work)
    }

    fn name(&self, position: &RandomGame, mv: <RandomGame as Game>::Move) -> String {
        self.0.name(position, mv)
    }

    fn is_drawn(&self, line: &[RandomGame]) -> bool {
        self.0.is_drawn(line)
    }
}

fn references(certificate: &Certificate) -> usize {
    let plans = certificate.at_least.iter().chain(&certificate.at_most);
    plans.flat_map(|plan| plan.root.positions()).filter(|step| matches!(step, Step::Same(_))).count()
}

proptest! {
    #![proptest_config(cases(300))]

    /// A plan with shared steps is equivalent to its expansion, even with repetitions. It makes no
    /// difference whether a shared step is checked once or for each line. Any change is detected.
    #[test]
    fn what_lines_share_is_written_once(
        rules in layered(), places in 3..40u32, asked in targets(), at_least in any::<bool>(),
        patience in 5..40u16,
    ) {
        let root = Rules { shape: Shape::Cycles(places), ends: 10, branching: 3, patience, ..rules }.root();
        prop_assume!(!root.is_over());
        let found = certified::<_, Repetition, Orders>(&root, Abc::default(), asked, &mut with_draws())
            .expect("a certificate");
        holds(&root, &found, asked, &mut with_draws());
        holds(&root, &found, asked, &mut InFull(with_draws()));
        let certificate = found.certificate;
        let established = check(&root, &certificate, &mut with_draws());
        prop_assert_eq!(&established, &check(&root, &certificate, &mut InFull(with_draws())));
        let written_out = certificate.written_out(1_000_000).expect("not too large");
        prop_assert_eq!(references(&written_out), 0);
        prop_assert_eq!(&established, &check(&root, &written_out, &mut with_draws()));
        prop_assert!(establishes_its_value(&certificate));
        let lean = certificate.clone().lean();
        prop_assert_eq!(&established, &check(&root, &lean, &mut with_draws()));
        prop_assert!(lean.size() <= certificate.size());
        prop_assert_eq!(&lean.clone().lean(), &lean);
        for tampering in Tampering::ALL {
            let mut changed = certificate.clone();
            if tampering.apply(&mut changed, at_least).is_some() {
                prop_assert!(
                    check(&root, &changed, &mut InFull(with_draws())).is_err(),
                    "{:?}: {}", tampering, changed
                );
                prop_assert!(
                    check(&root, &changed, &mut with_draws()).is_err(),
                    "{:?}: {}", tampering, changed
                );
            }
        }
        // A reference to another step has another meaning, or none: the two ways of checking agree.
        for number in 0..8 {
            let mut changed = certificate.clone();
            let plan = if at_least { &mut changed.at_least } else { &mut changed.at_most };
            refer_to(&mut plan.as_mut().expect("a plan").root, number);
            prop_assert_eq!(
                check(&root, &changed, &mut InFull(with_draws())),
                check(&root, &changed, &mut with_draws()),
                "{}", changed
            );
        }
    }
}

/// Redirects every reference to this position.
fn refer_to(step: &mut Step, to: usize) {
    match step {
        Step::Own { next, .. } => refer_to(next, to),
        Step::Other(replies) => replies.iter_mut().for_each(|(_, next)| refer_to(next, to)),
        Step::Same(number) => *number = to,
        Step::Leaf { .. } | Step::Over { .. } => {}
    }
}

/// A reference requires version 2, points backwards, and points neither to an end nor to a step of its
/// own line.
#[test]
fn references_lead_somewhere() {
    let tree: Tree = "A:0(B:1(E:0 F:1) C:0)".parse().unwrap();
    for (version, plan, problem) in [
        (2, "! 1 2\n= 1", Problem::NoSuchPosition(1)),
        (2, "! 1 2\n= 2", Problem::NoSuchPosition(2)),
        (2, "! 1 2\n= 3", Problem::NoSuchPosition(3)),
        (2, "! 1 2\n= 0", Problem::NoSuchPosition(0)),
        (2, "! 1 2\n? 1 2\n. 0 120\n= 3", Problem::NoSuchPosition(3)),
        (2, "= 1", Problem::NothingToShow),
        (1, "! 1 2\n= 1", Problem::Terms("version 1 has no references (`= N`)")),
    ] {
        let text = format!(
            "cassius certificate {version}\ngame: tree\nposition: {tree}\nvalues: statics\nmargin: 1\n\
             safety: 0 120\nvalue: 0\nat least, depth: 0\n{plan}\nend\n"
        );
        let certificate: Certificate = text.parse().unwrap();
        assert_eq!(certificate.to_string(), text);
        assert_eq!(
            check(&tree.root(), &certificate, &mut plainly()).expect_err(plan).problem,
            problem,
            "{plan}"
        );
        assert!(certificate.written_out(100).is_none(), "{plan}");
    }
}

/// Pastes plans of two searches of one game together, for a value between those of the plans. They are two
/// bounds, each of them right, and a value only where the definition says so. Returns whether they are a
/// value; `None` if they cannot be pasted.
fn is_pasted_to_a_value(root: &RandomGame, delta: i32, asked: [Depths; 2], share: i32) -> Option<bool> {
    let mut abc = Abc::new(Safety::Table(vec![0.1, 0.5, 1.0]), Score(delta));
    abc.floor = 10;
    let [first, second] = asked.map(|asked| {
        certified::<_, Off, Orders>(root, abc.clone(), asked, &mut plainly())
            .expect("a certificate")
            .certificate
    });
    assert!(establishes_its_value(&first) && establishes_its_value(&second));
    let (lower, upper) = common_values(&first, &second)?;
    let value = Score(lower.0 + (upper.0 - lower.0) * share / 4);
    let certificate = pasted(root, (&first, &second), value, &mut plainly())?;
    let truly = establishes_its_value(&certificate);
    let mut how = Checking::customary(&certificate);
    match check_as(root, &certificate, &mut plainly(), &how) {
        Ok(established) => assert!(truly && established.common.is_some()),
        Err(fault) => assert!(!truly && fault.problem == Problem::TwoBounds, "{fault}"),
    }
    how.bounds = true;
    let bounds = check_as(root, &certificate, &mut plainly(), &how).expect("two bounds");
    assert_eq!(bounds.common.is_some(), truly);
    Some(truly)
}

proptest! {
    #![proptest_config(cases(60))]

    /// Plans of different searches are two bounds, each of them right. They are a value only where the
    /// definition says so. The plans of one search are a value.
    #[test]
    fn pasted_plans_are_two_bounds(
        rules in small_games(), delta in 1..9i32, first in targets(), second in targets(), share in 0..=4i32,
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        is_pasted_to_a_value(&root, delta, [first, second], share);
    }
}

/// Some plans that are pasted together are a value, and some are not.
#[test]
fn pasted_plans_are_of_both_kinds() {
    let (mut values, mut bounds) = (0, 0);
    let asked = [30, 400].map(|depth| Depths::both(Depth(depth)));
    for seed in 0..60 {
        let root = Rules { seed, ends: 35, branching: 3, ..Rules::default() }.root();
        if !root.is_over() {
            match is_pasted_to_a_value(&root, 1 + seed as i32 % 4, asked, seed as i32 % 5) {
                Some(true) => values += 1,
                Some(false) => bounds += 1,
                None => (),
            }
        }
    }
    assert!(values > 3 && bounds > 3, "{values} {bounds}");
}

/// The values +5 and −5 of two searches of one tree, combined, were once accepted for any value in
/// between.
#[test]
fn two_searches_of_one_tree_have_no_value_together() {
    let tree: Tree =
        "A:0(B:5(C:-5(c1:0 c2:0) D:-5(d1:0 d2:0)) X:5(Y:-5(y1:0 y2:0) Z:-5(z1:0 z2:0)))".parse().unwrap();
    let root = tree.root();
    let forged = |value: i32| {
        let text = format!(
            "cassius certificate 2\ngame: tree\nposition: {tree}\nvalues: statics\nmargin: 1\nsafety: 0 120\n\
             value: {value}\nat least, depth: 120\n! 1 2\n. 5 120\n\
             at most, depth: 120\n? 1 2\n! 1 2\n. 5 120\n! 1 2\n. 5 120\nend\n"
        );
        check(&root, &text.parse().unwrap(), &mut plainly())
    };
    for value in [-4, 0, 3] {
        assert_eq!(forged(value).expect_err("no value").problem, Problem::TwoBounds);
    }
}

/// A work limit is kept, and reported.
#[test]
fn the_work_limit_is_told() {
    let game = games(Shape::Tree, 1).next().unwrap();
    let found = certified::<_, Off, Off>(&game, Abc::default(), Depths::both(Depth::PLY), &mut plainly());
    let certificate = found.expect("a certificate").certificate;
    let with = |work| check_as(&game, &certificate, &mut plainly(), &Checking { work, bounds: false });
    let least = (0..100_000).find(|work| with(*work).is_ok()).expect("enough");
    assert!(least < 50 * certificate.size() as u64, "{least}");
    for work in [0, 1, least / 2, least - 1] {
        assert_eq!(with(work).expect_err("too little").problem, Problem::WorkLimit(work));
    }
}

/// The limits hold for the writing, too.
#[test]
fn the_writing_can_be_ended() {
    #[derive(Default)]
    struct NoTimeToWrite(AtomicBool);
    impl Limits for NoTimeToWrite {
        fn poll(&self, nodes: u64) -> Option<u64> {
            (!self.ends_now()).then_some(nodes + 1)
        }

        fn ends_now(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }

        fn wrap_up(&self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let (game, asked) = (Connect4::default(), Depths::both(Depth(3 * Depth::PLY.0)));
    let found =
        certified::<_, Off, Off>(&game, Abc::default(), asked, &mut plainly()).expect("a certificate");
    assert!(found.certificate.size() > 1_000, "{}", found.certificate.size());
    let slots = (Statics, Table::new(1).unwrap());
    let limits = NoTimeToWrite::default();
    let none =
        certify::<_, Off, Off, _>(&game, asked, Abc::default(), slots, &limits, &mut plainly(), &mut |_| {});
    assert!(none.is_none());
}

/// Each kind of tampering is applied at least once.
#[test]
fn every_kind_of_tampering_is_tried() {
    let mut tried = [0; Tampering::ALL.len()];
    let asked = Depths::both(Depth(Depth::PLY.0 / 2));
    for game in games(Shape::Tree, 12).chain(games(Shape::Cycles(12), 12)) {
        let found = certified::<_, Repetition, Off>(&game, Abc::default(), asked, &mut with_draws())
            .expect("a certificate");
        for (tampering, tried) in Tampering::ALL.iter().zip(&mut tried) {
            let mut certificate = found.certificate.clone();
            if tampering.apply(&mut certificate, true).is_some() {
                assert!(check(&game, &certificate, &mut with_draws()).is_err(), "{tampering:?}");
                *tried += 1;
            }
        }
    }
    assert!(tried.iter().all(|tried| *tried > 0), "{tried:?}");
}

/// A value out of the range of scores would make any plan hold, and is refused.
#[test]
fn terms_out_of_range_are_refused() {
    let tree: Tree = "A:0(B:1(E:0 F:1) C:0)".parse().unwrap();
    let asked = Depths::both(Depth::PLY);
    let found = certified::<_, Off, Off>(&tree.root(), Abc::default(), asked, &mut plainly()).unwrap();
    for change in [
        (|it: &mut Certificate| it.value = Score(i32::MIN)) as fn(&mut Certificate),
        |it| it.value = Score(i32::MAX),
        |it| it.margin = Score(i32::MIN),
        |it| it.margin = Score(0),
        |it| it.safety.clear(),
        |it| it.safety = vec![Depth(-1)],
        |it| it.safety = vec![Depth(2), Depth(1)],
        |it| it.safety = vec![Depth(2), Depth(Depth::PLY.0 + 1)],
    ] {
        let mut certificate = found.certificate.clone();
        change(&mut certificate);
        let fault = check(&tree.root(), &certificate, &mut plainly()).expect_err("refused");
        assert!(matches!(fault.problem, Problem::Terms(_)), "{fault}");
    }
}

/// A tree that is small enough to follow by hand: B holds 2, by I against D and by J against E; C would
/// hold 1.
#[test]
fn a_tree_written_out() {
    let tree: Tree = "A:0(B:1(D:1(H:1 I:3) E:2(J:2 K:0)) C:1(F:1(L:0 M:1) G:5(N:1 O:4)))".parse().unwrap();
    let root = tree.root();
    let asked = Depths::both(Depth::PLY);
    let abc = Abc::new(Safety::Table(vec![0.0, 0.5, 1.0]), Score(2));
    let certified = certified::<_, Off, Off>(&root, abc, asked, &mut plainly()).expect("a certificate");
    assert!(!certified.complete, "the tree is not so deep");
    let established = check(&root, &certified.certificate, &mut plainly()).expect("it holds");
    assert_eq!(established.common, Some(["1", "2", "1"].map(Name::from).to_vec()));
    let said = certified.certificate.to_string();
    let plans = said.split_once("value: 2\n").expect("the value").1;
    let expected = [
        "at least, depth: 120",
        "! 1 2",
        "? 2 1",
        "! 1",
        ". 2 120",
        "! 2 1",
        ". 3 240", // the order of replies is that of the search
        "at most, depth: 0",
        "? 1 2",
        "! 2 1",
        "? 1 2",
        ". -2 120",
        ". 0 120",
        "! 1",
        "? 1 2",
        ". 0 0",
        ". -1 0",
        "end",
    ];
    assert_eq!(plans.lines().collect::<Vec<_>>(), expected);
}

/// Fig. 2 of McAllester and Yuret has the stated depth: six conspirators, one more than the options
/// along a line, at any place on it. With S(k) = k/b that is 5/b of a move. Fig. 4's trees are 1.8 and
/// 2.2 deep with the S of §6. Marked as terminal, the same leaves are certain.
#[test]
fn depths_of_the_figures() {
    let b = 10;
    let conspiracy = Safety::Power { gamma: 1.0, branching: b };
    let correlated = Safety::Table(vec![0.0, 0.4, 0.65, 0.9, 0.95, 1.0]);
    for (options, safety, expected) in [
        ([1, 2, 2], &conspiracy, 0.5),
        ([5, 1, 1], &conspiracy, 0.7),
        ([3, 3, 1], &conspiracy, 0.7),
        ([5, 1, 1], &correlated, 1.8),
        ([3, 3, 1], &correlated, 2.2),
    ] {
        let tree = augmented_strategy(&options, 2);
        let asked = Depths::both(Depth::from_f64(expected));
        let abc = Abc::new(safety.clone(), Score(1));
        let depth = |tree: &Tree| {
            let root = tree.root();
            let found =
                certified::<_, Off, Off>(&root, abc.clone(), asked, &mut plainly()).expect("a certificate");
            let held =
                check(&root, &found.certificate, &mut plainly()).expect("it holds").at_least.expect("a plan");
            assert_eq!(held.weakest_value, Score(0));
            held.depth
        };
        assert_eq!(depth(&tree), Depth::from_f64(expected), "{tree}");
        let mut ended = tree.clone();
        for node in tree.preorder().filter(|node| tree.node(*node).children().is_empty()) {
            ended.end(node);
        }
        assert_eq!(depth(&ended), Depth::CERTAIN, "{ended}");
    }
}

/// In version 1 a leaf of a written tree was the end of the game. In version 2 it is the end only where
/// it is marked.
#[test]
fn version_1_is_checked_as_it_was_meant() {
    let mut tree: Tree = "A:0(B:1 C:0)".parse().unwrap();
    let text = "cassius certificate 1\ngame: tree\nposition: A:0(B:1 C:0)\nvalues: statics\nmargin: 1\n\
                safety: 0 120\nvalue: 1\nat least, depth: certain\n! 1\n# 1\nend\n";
    let mut certificate: Certificate = text.parse().unwrap();
    assert_eq!(certificate.to_string(), text);
    assert!(check(&tree.root(), &certificate, &mut plainly()).is_ok());
    certificate.version = 2;
    let fault = check(&tree.root(), &certificate, &mut plainly()).expect_err("an open leaf is not certain");
    assert_eq!(fault.problem, Problem::NotOver);
    tree.end(tree.find("B").unwrap());
    assert!(check(&tree.root(), &certificate, &mut plainly()).is_ok());
}

/// A finished game has nothing to certify.
#[test]
fn nothing_to_certify() {
    let tree: Tree = "A:3!".parse().unwrap();
    let asked = Depths::both(Depth::PLY);
    assert!(certified::<_, Off, Off>(&tree.root(), Abc::default(), asked, &mut plainly()).is_none());
}

/// Mirror images of Connect Four share a key, but not their moves.
#[test]
fn plans_for_mirror_images_are_told_apart() {
    let mut referee = Judge::new(|_: &Connect4, column: <Connect4 as Game>::Move| column.to_string());
    for moves in ["44", "4444", "44345"] {
        let position: Connect4 = moves.parse().expect("a position");
        let asked = Depths::both(Depth::PLY);
        let certified = certified::<_, Off, Off>(&position, Abc::default(), asked, &mut referee);
        holds(&position, &certified.expect("a certificate"), asked, &mut referee);
    }
}
