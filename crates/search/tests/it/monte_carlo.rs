//! Tests Monte Carlo tree search against its definition: a recursive search that keeps every result in a
//! list, and minimax.

use crate::common::*;
use cassius_games::TicTacToe;
use cassius_games::random_game::{RandomGame, Rules};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::best_first::{
    Chance, Evaluated, Grower, MonteCarlo, NodeId, Payload, RandomGames, RandomPlay, Simulated, Tree,
    Uniform, Visits,
};
use cassius_search::game::Threaded;
use cassius_search::{Game, Keyed, Nodes, Off, Request, Score, Statics, Unlimited, minimax};
use proptest::prelude::*;

/// A node of the naive search.
struct Naive<G: Game> {
    position: G,
    mv: Option<G::Move>,
    prior: f64,
    children: Vec<Naive<G>>,
    /// The chance that the first visit found, for the side to move.
    first: Option<f64>,
}

impl<G: Game> Naive<G> {
    fn new(position: G, mv: Option<G::Move>, prior: f64) -> Self {
        Naive { position, mv, prior, children: Vec::new(), first: None }
    }

    fn visits(&self) -> u32 {
        u32::from(self.first.is_some()) + self.children.iter().map(Naive::visits).sum::<u32>()
    }

    /// The worst and the best result that the finished games below the node allow.
    fn proven(&self) -> (i32, i32) {
        if self.position.is_over() {
            let result = self.position.outcome().score(0).0.signum();
            return (result, result);
        }
        let all: Vec<_> = self.children.iter().map(Naive::proven).collect();
        if all.is_empty() {
            return (-1, 1);
        }
        (all.iter().map(|c| -c.1).max().unwrap(), all.iter().map(|c| -c.0).max().unwrap())
    }

    /// The sum of the chances of all visits, clipped to what is proven.
    fn total(&self) -> f64 {
        let other = |child: &Naive<G>| f64::from(child.visits()) - child.total();
        let sum = self.first.unwrap_or(0.0) + self.children.iter().map(other).sum::<f64>();
        let worth = |result: i32| f64::from(self.visits()) * (0.5 + 0.5 * f64::from(result));
        let (least, greatest) = self.proven();
        sum.clamp(worth(least), worth(greatest))
    }

    /// Follows the most urgent moves to a leaf, and visits it.
    fn visit(
        &mut self,
        puct: bool,
        c: f64,
        chance: &mut impl Chance<G>,
        weight: &impl Fn(&G, G::Move) -> f32,
    ) {
        if self.first.is_none() {
            let all = moves(&self.position);
            let sum: f32 = all.iter().map(|&mv| weight(&self.position, mv)).sum();
            for mv in all {
                let mut child = self.position.clone();
                let prior = weight(&self.position, mv) / sum;
                child.play(mv);
                self.children.push(Naive::new(child, Some(mv), prior.into()));
            }
            // Games that are over come in the order of their results.
            self.children.sort_by_key(|child| match child.proven() {
                (least, greatest) if least == greatest => least,
                _ => 0,
            });
            self.first = Some((chance.chance(&self.position) * 65_536.0).round() / 65_536.0);
            return;
        }
        let (n, least) = (f64::from(self.visits()), self.proven().0);
        let urgency = |child: &Naive<G>| {
            let own = f64::from(child.visits());
            let mean = if own == 0.0 { 0.5 } else { 1.0 - child.total() / own };
            match puct {
                true => mean + c * child.prior * n.sqrt() / (1.0 + own),
                false if own == 0.0 => f64::INFINITY,
                false => mean + c * (n.ln() / own).sqrt(),
            }
        };
        let mut best: Option<(f64, usize)> = None;
        for (index, child) in self.children.iter().enumerate() {
            let urgency = urgency(child);
            if -child.proven().0 > least && best.is_none_or(|(greatest, _)| urgency > greatest) {
                best = Some((urgency, index));
            }
        }
        let (_, index) = best.expect("not proven");
        self.children[index].visit(puct, c, chance, weight);
    }

    /// Asserts that a node of the tree and everything below it are the same.
    fn assert_same(&self, tree: &Tree<G::Move, Visits>, node: NodeId) {
        let payload = tree.payload(node);
        assert_eq!((tree.mv(node), payload.visits()), (self.mv, self.visits()));
        let (least, greatest) = self.proven();
        assert_eq!(payload.proven().map(|score| score.0.signum()), (least == greatest).then_some(least));
        if self.visits() > 0 {
            assert_eq!(payload.chance(), Some(self.total() / f64::from(self.visits())));
        }
        let children: Vec<_> = tree.children(node).collect();
        assert_eq!(children.len(), self.children.len());
        for (child, &node) in self.children.iter().zip(&children) {
            child.assert_same(tree, node);
        }
    }

    /// The mean of the results of all visits below the node, without proofs: what textbooks call Q.
    fn mean(&self) -> f64 {
        fn sum<G: Game>(node: &Naive<G>) -> f64 {
            let below = |child: &Naive<G>| f64::from(child.visits()) - sum(child);
            node.first.unwrap_or(0.0) + node.children.iter().map(below).sum::<f64>()
        }
        sum(self) / f64::from(self.visits())
    }
}

type Search<G, C, P = Uniform> = Grower<G, Visits, MonteCarlo, Simulated<C, P>, Off>;

fn search<G: Threaded, C: Chance<G>>(growth: MonteCarlo, chance: C) -> Search<G, C> {
    Grower::new(16, growth, Simulated { chance, priors: Uniform }).expect("16 MiB")
}

/// A weight that depends on the move and the position.
fn weight<G: Keyed>(position: &G, mv: G::Move) -> f32 {
    f32::from((position.key() as u16 ^ position.code(mv).wrapping_mul(40_503)) % 7 + 1)
}

/// Compares the search with the naive one after every visit.
fn check<G: Threaded + Keyed, C: Chance<G>>(
    root: &G,
    visits: usize,
    selection: i32,
    exploration: i32,
    chance: impl Fn() -> C,
) {
    let assess = Simulated { chance: chance(), priors: weight::<G> };
    let growth = MonteCarlo { selection, exploration };
    let mut grower = Grower::<G, Visits, _, _, Off>::new(16, growth, assess).expect("16 MiB");
    grower.begin(root, &[], &[]);
    let (mut naive, mut chance) = (Naive::new(root.clone(), None, 1.0), chance());
    for visit in 0..visits {
        if grower.step(&Unlimited).is_err() {
            assert_eq!(naive.proven().0, naive.proven().1);
            break;
        }
        naive.visit(selection == 1, f64::from(exploration) / 1000.0, &mut chance, &weight::<G>);
        assert_eq!(naive.visits() as usize, visit + 1);
    }
    assert!(!grower.tree.recompute());
    naive.assert_same(&grower.tree, NodeId::ROOT);
}

fn values() -> Evaluated<Statics> {
    let mut evaluated = Evaluated::new(Statics);
    evaluated.parameters.tenfold = 20;
    evaluated
}

proptest! {
    #![proptest_config(cases(60))]

    /// Games with wins, draws, losses and points, which are soon proven.
    #[test]
    fn it_is_its_definition(
        game in finite(), selection in 0i32..2, exploration in prop_oneof![Just(0), 100i32..3_000],
    ) {
        check(&game, 60, selection, exploration, values);
        check(&game, 60, selection, exploration, RandomGames::default);
    }

    #[test]
    fn it_is_its_definition_in_long_games(
        seed in any::<u64>(), selection in 0i32..2, exploration in 0i32..3_000,
    ) {
        let game = Rules { seed, noisy: 0, ..Rules::default() }.root();
        if !game.is_over() {
            check(&game, 80, selection, exploration, || RandomGames::new(RandomPlay { seed: 3, plies: 40 }));
        }
        check(&TicTacToe::default(), 80, selection, exploration, RandomGames::default);
    }

    /// Where nothing is proven, a chance is the mean of what the visits have found.
    #[test]
    fn a_chance_is_a_mean(seed in any::<u64>(), selection in 0i32..2) {
        let root = RandomTree::new(Values::Incremental, 3, 30, seed);
        let (mut naive, mut chance) = (Naive::new(root, None, 1.0), values());
        let mut grower = search(MonteCarlo { selection, exploration: 1_000 }, values());
        grower.begin(&root, &[], &[]);
        for _ in 0..80 {
            grower.step(&Unlimited).expect("room");
            naive.visit(selection == 1, 1.0, &mut chance, &|_: &RandomTree, _| 1.0);
        }
        let root = grower.tree.payload(NodeId::ROOT);
        prop_assert_eq!((root.proven(), root.visits()), (None, 80));
        prop_assert_eq!(root.chance(), Some(naive.mean()));
    }

    /// Without limits the search ends when it has proven the value, whatever the leaves were thought to be
    /// worth, and plays a move of that value.
    #[test]
    fn proofs_are_minimax(game in finite(), selection in 0i32..2, misled in any::<bool>()) {
        let value = minimax(&game, &mut Statics, 13);
        let chance =
            move |position: &RandomGame| if misled { (position.key() % 3) as f64 / 2.0 } else { 0.5 };
        let mut search = search(MonteCarlo { selection, exploration: 500 }, chance);
        let answer = search.search(&Request::new(&game, &Unlimited), &mut |_| {});
        let known = Score(Score::KNOWN_WIN.0 * value.0.signum());
        prop_assert_eq!((answer.score(), answer.complete), (Some(known), true));
        let root = search.tree.payload(NodeId::ROOT);
        prop_assert_eq!((root.proven(), root.range(0)), (Some(known), (known, known)));
        let mut child = game;
        child.play(answer.best().unwrap());
        prop_assert_eq!((-minimax(&child, &mut Statics, 12).0).signum(), value.0.signum());
    }

    /// What is proven before the search ends is true at every node of the tree.
    #[test]
    fn what_is_proven_on_the_way_is_true(game in finite(), nodes in 5u64..200) {
        let mut search = search(MonteCarlo::uct(), RandomGames::default());
        search.search(&Request::new(&game, &Nodes(nodes)), &mut |_| {});
        let mut line = Vec::new();
        for node in search.tree.nodes() {
            search.tree.line_to(node, &mut line);
            let mut position = game;
            line.iter().filter_map(|&node| search.tree.mv(node)).for_each(|mv| position.play(mv));
            let value = minimax(&position, &mut Statics, 13).0.signum();
            let (least, greatest) = search.tree.payload(node).range(0);
            prop_assert!(least.0.signum() <= value && value <= greatest.0.signum());
        }
    }
}

/// The move becomes one of minimax, in most games long before the value is proven.
#[test]
fn it_converges_to_minimax() {
    let mut early = 0;
    for growth in [MonteCarlo::uct(), MonteCarlo::puct()] {
        for first in 0..9 {
            let mut position = TicTacToe::default();
            position.play(first);
            let value = minimax(&position, &mut Statics, 8).0.signum();
            let keeps = |mv: &u8| {
                let mut child = position;
                child.play(*mv);
                -minimax(&child, &mut Statics, 7).0.signum() == value
            };
            let good: Vec<u8> = moves(&position).into_iter().filter(keeps).collect();
            let mut search = search(growth.clone(), RandomGames::default());
            search.begin(&position, &[], &[]);
            let (mut visits, mut wrong) = (0, 0);
            while search.step(&Unlimited).is_ok() {
                visits += 1;
                let best = search.tree.best_child(NodeId::ROOT).and_then(|child| search.tree.mv(child));
                if best.is_none_or(|mv| !good.contains(&mv)) {
                    wrong = visits;
                }
            }
            assert!(wrong < visits, "{position}");
            early += u32::from(2 * wrong < visits);
        }
    }
    assert!(early >= 9, "{early}");
}

/// A seed and a node limit determine everything. Another seed gives other games.
#[test]
fn a_seed_determines_the_search() {
    let reports = |seed| {
        let chance = RandomGames::new(RandomPlay { seed, ..RandomPlay::default() });
        let mut search = search(MonteCarlo::uct(), chance);
        [0; 2].map(|_| {
            let mut said = String::new();
            search.search(&Request::new(&TicTacToe::default(), &Nodes(2_000)), &mut |report| {
                said += &format!("{report:?}")
            });
            said
        })
    };
    let [first, second] = reports(5);
    assert_eq!(first, second, "a search does not depend on the one before");
    assert_eq!(first, reports(5)[0]);
    assert_ne!(first, reports(6)[0]);
}

/// A game that ends with the last ply that may be played is not a draw.
#[test]
fn a_game_may_end_with_its_last_ply() {
    let position: TicTacToe = "XX. OOX XOO".parse().expect("a position");
    for (plies, chance) in [(0, 0.5), (1, 1.0)] {
        let mut games = RandomGames::new(RandomPlay { plies, ..RandomPlay::default() });
        assert_eq!(games.chance(&position), chance, "{plies} plies");
    }
}

/// A prior draws visits to its move. Weights without a sum count as equal.
#[test]
fn priors_draw_visits() {
    let visits = |weight: fn(&RandomTree, u16) -> f32| {
        let root = RandomTree::new(Values::Incremental, 4, 20, 1);
        let assess = Simulated { chance: |_: &RandomTree| 0.5, priors: weight };
        let mut grower = Grower::<_, Visits, _, _, Off>::new(1, MonteCarlo::puct(), assess).expect("1 MiB");
        grower.begin(&root, &[], &[]);
        (0..41).for_each(|_| assert!(grower.step(&Unlimited).is_ok()));
        let tree = &grower.tree;
        let mut visits: Vec<_> =
            tree.children(NodeId::ROOT).map(|node| (tree.mv(node), tree.payload(node).visits())).collect();
        visits.sort_unstable();
        visits.into_iter().map(|(_, visits)| visits).collect::<Vec<_>>()
    };
    assert_eq!(visits(|_, _| 1.0), [10; 4]);
    assert_eq!(visits(|_, _| 0.0), [10; 4]);
    assert_eq!(visits(|_, _| f32::INFINITY), [10; 4]);
    let skewed = visits(|_, mv| if mv == 2 { 7.0 } else { 1.0 });
    assert!(skewed[2] > 25 && skewed.iter().all(|&visits| visits > 0), "{skewed:?}");
}

/// Before anything is proven the value is an estimate, and no bound is claimed.
#[test]
fn estimates_are_no_proofs() {
    let mut search = search(MonteCarlo::uct(), RandomGames::default());
    let answer = search.search(&Request::new(&TicTacToe::default(), &Nodes(300)), &mut |_| {});
    let best = &answer.lines[0];
    assert!(!answer.complete && !best.score.is_decided() && best.score > Score::DRAW, "{best:?}");
    assert_eq!(best.range, Some((-Score::INFINITE, Score::INFINITE)));
    let most = search.tree.children(NodeId::ROOT).max_by_key(|&child| search.tree.payload(child).visits());
    assert_eq!(answer.best(), search.tree.mv(most.unwrap()));
}

#[test]
fn a_draw_that_is_proven_beats_a_worse_chance() {
    let visited = |chance: f64| Visits::assessed(chance, 0.0).renewed([Visits::unvisited(1.0)].iter());
    let (drawn, lost) = (Visits::over(Score::DRAW), Visits::over(Score::win_in(2)));
    let best = |children: &[Visits]| Visits::best(children.iter());
    assert_eq!(best(&[visited(0.6), drawn, lost]), Some(1));
    assert_eq!(best(&[drawn, visited(0.4), lost]), Some(1));
    assert_eq!(best(&[lost, drawn]), Some(1));
    assert_eq!(best(&[lost, visited(0.9)]), Some(1));
    assert_eq!(best(&[lost, Visits::unvisited(1.0)]), None);
    assert_eq!(best(&[drawn, visited(0.4), Visits::over(Score::loss_in(2))]), Some(2));
    assert_eq!(best(&[lost, lost]), Some(0));
}
