//! Honest and forged certificates, and the guarantees of reader and checker for any text: for the tests
//! and for `fuzz/`.

use cassius::commands::check::{read, replay};
use cassius_chess::evaluation::Evaluation;
use cassius_chess::{Position, certificate as chess, figures};
use cassius_games::Judge;
use cassius_games::explicit::{NodeId, Tree, TreePosition};
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::plans::certificate::{
    Certificate, Checking, Established, Name, Plan, Referee, Step, Work, certify, common_values,
    establishes_its_value, pasted, to_json,
};
use cassius_search::{
    Depth, Depths, Game, Nodes, Off, Score, Static as _, Statics, Table, Unlimited, Window,
};
use std::sync::LazyLock;

/// Certificates of chess positions, as far as a few nodes reach.
static CHESS: LazyLock<Vec<Certificate>> = LazyLock::new(|| {
    let mate = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    let positions = [mate, figures::KAINDL_1, figures::PERPETUAL, "7k/5Q2/8/8/8/8/8/K7 b - - 0 1"];
    let certified = |fen: &str| {
        let position: Position = fen.parse().expect("a position");
        let (asked, table) = (Depths::both(Depth(60)), Table::new(1).expect("a small table"));
        chess::certify(
            &position,
            asked,
            Abc::default(),
            &Evaluation::default(),
            table,
            &Nodes(3_000),
            &mut |_| {},
        )
    };
    positions.into_iter().filter_map(certified).map(|found| found.certificate).collect()
});

/// Returns an honest certificate for each number. One in sixteen is of chess, the others are of trees
/// generated from the number.
pub fn honest(number: u64) -> Certificate {
    match number % 16 {
        0 => CHESS[(number / 16) as usize % CHESS.len()].clone(),
        _ => of_a_tree(number),
    }
}

fn of_a_tree(number: u64) -> Certificate {
    let mut state = number;
    let mut draw = |below: u64| {
        // The upper half of Knuth's linear congruential generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut tree = Tree::new("a", Score(0));
    let mut open = vec![NodeId::ROOT];
    while let Some(node) = open.pop() {
        let ply = tree.node(node).ply() as u64;
        let children = if ply == 0 { 1 + draw(3) } else { draw(5).saturating_sub(ply / 2) };
        for _ in 0..children {
            let (label, value) = (format!("m{}", tree.len()), Score(draw(9) as i32 - 4));
            open.push(tree.add(node, &label, value));
        }
    }
    let mut abc = Abc::default();
    (abc.delta, abc.floor) = (1 + draw(4) as i32, 5 + draw(40) as i32);
    let asked = Depths { lower: Depth(1 + draw(600) as i32), upper: Depth(1 + draw(600) as i32) };
    let parts = (Statics, Table::new(1).expect("a small table"));
    let judge = &mut Judge::new(label);
    let found = certify::<TreePosition<'_>, Off, Off, Statics>(
        &tree.root(),
        asked,
        abc,
        parts,
        &Unlimited,
        judge,
        &mut |_| {},
    );
    let mut certificate = found.expect("a root with children").certificate;
    certificate.game = "tree".into();
    certificate.position = tree.to_string();
    certificate.values = "the game's own".into();
    certificate
}

fn label(position: &TreePosition<'_>, child: u16) -> String {
    let mut below = *position;
    below.play(child);
    below.label().into()
}

/// Combines plans of two searches of one tree in one certificate, for a value between those of the
/// plans. Returns `None` if there is no such value.
pub fn pasted_text(number: u64) -> Option<String> {
    let tree: Tree = honest(number | 1).position.parse().ok()?;
    let delta = 1 + (number / 16 % 4) as i32;
    let searched = |asked: i32| {
        let mut abc = Abc::default();
        (abc.delta, abc.floor) = (delta, 20);
        let parts = (Statics, Table::new(1).expect("a small table"));
        let (judge, asked) = (&mut Judge::new(label), Depths::both(Depth(asked)));
        certify::<TreePosition<'_>, Off, Off, Statics>(
            &tree.root(),
            asked,
            abc,
            parts,
            &Unlimited,
            judge,
            &mut |_| {},
        )
    };
    let [first, second] = [searched(30)?.certificate, searched(400)?.certificate];
    let (lower, upper) = common_values(&first, &second)?;
    let value = Score(lower.0 + (number % (1 + upper.0 - lower.0) as u64) as i32);
    let mut certificate = pasted(&tree.root(), (&first, &second), value, &mut Judge::new(label))?;
    certificate.game = "tree".into();
    certificate.position = tree.to_string();
    certificate.values = "the game's own".into();
    Some(certificate.to_string())
}

/// A change of a text: the place, the kind, and the source or replacement.
pub type Edit = (u16, u8, u16);

/// Significant numbers, and some texts that are not numbers.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "60",
    "240",
    "999999",
    "1000000",
    "-32002",
    "2147483648",
    "certain",
    "\"certain\"",
    "0.5",
];

/// Returns a text with words and lines exchanged, duplicated and left out.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_string();
    for &(place, how, other) in edits {
        let by_lines = how % 2 == 0;
        let mut parts: Vec<&str> = match by_lines {
            true => text.split_inclusive('\n').collect(),
            false => text.split_inclusive([' ', '\n', ',', ':', '[', ']', '{', '}']).collect(),
        };
        if parts.is_empty() {
            break;
        }
        let (place, other) = (usize::from(place) % parts.len(), usize::from(other));
        let another = other % parts.len();
        let number;
        match how / 2 % 5 {
            0 => drop(parts.remove(place)),
            1 => parts.insert(place, parts[another]),
            2 => parts[place] = parts[another],
            3 => parts.swap(place, another),
            _ => {
                // Replaces a number, or whatever else is in its place; the character that ends it stays.
                let end = parts[place].chars().last().filter(|end| !end.is_alphanumeric());
                number =
                    format!("{}{}", NUMBERS[other % NUMBERS.len()], end.map_or(String::new(), String::from));
                parts[place] = &number;
            }
        }
        text = parts.concat();
    }
    text
}

/// Reads and replays any text. Checks that a certificate that can be read can be written in both formats
/// and reads back the same, and that an accepted one holds. Returns whether it was accepted.
pub fn keeps_its_promises(text: &str) -> bool {
    let certificate = match read(text) {
        Ok(certificate) => certificate,
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            return false;
        }
    };
    for written in [certificate.to_string(), to_json(&certificate)] {
        assert_eq!(read(&written).as_ref(), Ok(&certificate), "{written}");
    }
    let Ok(established) = replay(&certificate, &Checking::customary(&certificate), None) else {
        return false;
    };
    // Shared parts of lines have the same meaning as the written-out lines.
    let Some(certificate) = certificate.written_out(200_000) else { return true };
    agrees(&certificate, &established);
    match &*certificate.game {
        "chess" => {
            let position: Position = certificate.position.parse().expect("it was accepted");
            let mut referee = chess::Referee::new();
            holds(&certificate, &position, &mut referee);
        }
        "tree" => {
            let tree: Tree = certificate.position.parse().expect("it was accepted");
            let named =
                tree.preorder().all(|node| tree.node(node).label().starts_with('m') || node == NodeId::ROOT);
            let names: std::collections::HashSet<_> =
                tree.preorder().map(|node| tree.node(node).label()).collect();
            // Nodes are named by their labels where no two are the same.
            if named && names.len() == tree.len() {
                holds(&certificate, &tree.root(), &mut Judge::new(label));
                certain_is_minimax(&certificate, &tree);
            }
        }
        _ => {}
    }
    true
}

fn plans(certificate: &Certificate) -> impl Iterator<Item = (bool, &Plan, Score)> {
    let value = certificate.value;
    let at_least = certificate.at_least.iter().map(move |plan| (true, plan, value));
    at_least.chain(certificate.at_most.iter().map(move |plan| (false, plan, -value)))
}

/// Checks that the checker's result is the content of the certificate.
fn agrees(certificate: &Certificate, established: &Established) {
    let Established { at_least, at_most, .. } = established;
    assert!(at_least.is_some() || at_most.is_some());
    assert_eq!(established.common.is_some(), at_least.is_some() && at_most.is_some());
    assert_eq!(established.common.is_some(), establishes_its_value(certificate));
    assert_eq!(at_least.is_some(), certificate.at_least.is_some());
    assert_eq!(at_most.is_some(), certificate.at_most.is_some());
    for ((_, plan, promised), held) in plans(certificate).zip(at_least.iter().chain(at_most)) {
        assert_eq!(held.depth, plan.depth);
        assert!(held.weakest_value >= promised);
        let ends = |over: bool| {
            let ends = plan.root.positions().filter(|step| match step {
                Step::Over { .. } => over,
                Step::Leaf { .. } => !over,
                _ => false,
            });
            ends.count()
        };
        assert_eq!((held.leaves, held.over), (ends(false), ends(true)));
        let mut step = &plan.root;
        for mv in &held.weakest {
            step = match step {
                Step::Own { mv: played, next, .. } if mv == played => next,
                Step::Other(replies) => &replies.iter().find(|(reply, _)| reply == mv).expect("a reply").1,
                _ => panic!("the weakest line is one of the plan's"),
            };
        }
        match step {
            Step::Leaf { value, depth } => assert_eq!((*value, *depth), (held.weakest_value, plan.depth)),
            Step::Over { value } => assert_eq!((*value, Depth::CERTAIN), (held.weakest_value, plan.depth)),
            _ => panic!("the weakest line ends"),
        }
    }
}

/// Checks that the plans are plans in the sense of McAllester and Yuret (1993, §4 to §6), by an
/// independent use of the definitions.
fn holds<G: Game>(certificate: &Certificate, position: &G, referee: &mut impl Referee<G>) {
    for (at_least, plan, promised) in plans(certificate) {
        let mut least = Depth::CERTAIN;
        let mut ways = vec![(vec![position.clone()], &plan.root, at_least, Depth::ZERO)];
        while let Some((line, step, own, depth)) = ways.pop() {
            let (position, ply) = (line.last().expect("a position"), line.len() - 1);
            let seen = |value: Score| if own { value } else { -value };
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let names: Vec<Name> = moves.iter().map(|mv| Name::from(referee.name(position, *mv))).collect();
            let after = |mv: &Name| {
                let place = names.iter().position(|name| name == mv).expect("a legal move");
                let mut line = line.clone();
                let mut child = position.clone();
                child.play(moves[place]);
                line.push(child);
                line
            };
            let open = certificate.version > 1 && referee.goes_on(position);
            let end = match (position.is_over() && !open, ply > 0 && referee.is_drawn(&line)) {
                (true, _) => Some(seen(position.outcome().score(ply))),
                (false, true) => Some(Score::DRAW),
                (false, false) => None,
            };
            match step {
                Step::Over { value } => {
                    let at_once = Score::loss_in(ply);
                    assert_eq!(*value, end.unwrap_or(at_once));
                    assert!(*value >= promised);
                }
                Step::Leaf { value, depth: stated } => {
                    assert_eq!((end, *stated), (None, depth));
                    let found =
                        if open { position.outcome().score(ply) } else { static_value(referee, position) };
                    assert_eq!(*value, seen(found));
                    assert!(*value >= promised);
                    least = least.min(depth);
                }
                Step::Own { mv, options, next } => {
                    assert!(own && end.is_none());
                    // Fewer options than there are make a plan no deeper, so any of them may be left out.
                    for (place, option) in options.iter().enumerate() {
                        assert!(option != mv && !options[..place].contains(option), "{option}");
                        let line = after(option);
                        let child = line.last().expect("a child");
                        let value = match child.is_over() {
                            true => child.outcome().score(ply + 1),
                            false => static_value(referee, child),
                        };
                        assert!(-value > promised - certificate.margin, "{option} is no option");
                    }
                    let safety = &certificate.safety;
                    assert!(safety.is_sorted());
                    ways.push((after(mv), next, !own, depth + safety[options.len().min(safety.len() - 1)]));
                }
                Step::Same(_) => panic!("written out"),
                Step::Other(replies) => {
                    assert!(!own && end.is_none());
                    let mut answered: Vec<Name> = replies.iter().map(|(name, _)| name.clone()).collect();
                    let mut legal = names.clone();
                    answered.sort();
                    legal.sort();
                    assert_eq!(answered, legal);
                    ways.extend(replies.iter().map(|(mv, next)| (after(mv), next, !own, depth)));
                }
            }
        }
        assert_eq!(least, plan.depth);
    }
}

fn static_value<G: Game>(referee: &mut impl Referee<G>, position: &G) -> Score {
    referee.value(position, Window::FULL, &mut Work::unlimited()).expect("no limit")
}

/// Checks that a certain value is true of the whole tree.
fn certain_is_minimax(certificate: &Certificate, tree: &Tree) {
    let mut values: Vec<Score> = tree.preorder().map(|_| Score::DRAW).collect();
    for node in tree.preorder().collect::<Vec<_>>().into_iter().rev() {
        let below = tree.node(node).children().iter().map(|child| -values[child.index()]);
        values[node.index()] = below.max().unwrap_or(tree.at(node).static_value());
    }
    let minimax = values[NodeId::ROOT.index()];
    for (at_least, plan, promised) in plans(certificate) {
        let value = if at_least { minimax } else { -minimax };
        assert!(plan.depth < Depth::CERTAIN || value >= promised, "{certificate}");
    }
}
