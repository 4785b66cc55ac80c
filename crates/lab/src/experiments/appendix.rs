//! The procedure AB of the survey's appendix. In its corrected form it returns the minimax value. The
//! printed form has six slips. Three of them give wrong values, each put back alone. The other three
//! only cost nodes, and two of these together give wrong values too.

use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use cassius_games::RandomGame;
use cassius_games::random_game::{Rules, Shape};
use cassius_search::{Bound, Engine, Game, Keyed, Request, Score, Static, Statics, Unlimited, minimax};
use std::collections::HashMap;

/// The survey's alpha-beta with a table, on one page.
pub static APPENDIX: Experiment = Experiment {
    id: "appendix",
    claim: "Alpha-beta with a table, as a procedure on one page, returns the minimax value",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "Appendix",
    cases: None,
    uses: &[],
    run,
};

/// A deviation of the printed procedure from the corrected one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slip {
    /// An upper bound from the table lowers β, and `score >= beta` is then always true.
    UpperBoundCuts,
    /// `evaluate(p.i)` is used as the value of p.
    SignOfEvaluate,
    /// The loop begins with the second move although the table had no move.
    FirstMoveSkipped,
    /// After a table hit, the value is stored again, with the requested length and a flag made from the
    /// window.
    HitStoredAgain,
    /// The flag is made by comparison with α and β as narrowed by the table.
    FlagOfNarrowedWindow,
    /// A mate or stalemate is stored with a flag made from the window.
    EndStoredAsBound,
}

/// Scores are relative to the node, like all stored scores.
#[derive(Clone, Copy, Debug)]
struct Entry<M> {
    len: usize,
    score: Score,
    flag: Bound,
    mv: Option<M>,
}

struct Appendix<G: Keyed> {
    slips: Vec<Slip>,
    table: HashMap<u64, Entry<G::Move>>,
    /// Nodes that the table did not answer.
    nodes: u64,
}

impl<G: Static + Keyed> Appendix<G> {
    fn new(slips: &[Slip]) -> Self {
        Appendix { slips: slips.to_vec(), table: HashMap::new(), nodes: 0 }
    }

    fn has(&self, slip: Slip) -> bool {
        self.slips.contains(&slip)
    }

    fn evaluate(&mut self, p: &G, ply: usize) -> Score {
        self.nodes += 1;
        if p.is_over() { p.outcome().score(ply) } else { p.static_value() }
    }

    fn store(&mut self, p: &G, ply: usize, len: usize, score: Score, flag: Bound, mv: Option<G::Move>) {
        self.table.insert(p.key(), Entry { len, score: score.at_node(ply), flag, mv });
    }

    /// Returns the value of `p`, which has `depth` > 0 plies to go, clipped to the window.
    fn ab(&mut self, p: &G, mut alpha: Score, mut beta: Score, depth: usize, ply: usize) -> Score {
        let window = (alpha, beta);
        let flag = |score: Score, (alpha, beta): (Score, Score)| match score {
            _ if score >= beta => Bound::Lower,
            _ if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let hit = self.table.get(&p.key()).copied();
        if let Some(Entry { score, flag: known, mv, .. }) = hit.filter(|entry| entry.len >= depth) {
            let score = score.at_root(ply);
            match known {
                Bound::Exact => {}
                Bound::Lower => alpha = alpha.max(score),
                Bound::Upper => beta = beta.min(score),
            }
            let cuts = match self.has(Slip::UpperBoundCuts) {
                true => score >= beta,
                false => alpha >= beta,
            };
            if known == Bound::Exact || cuts {
                if self.has(Slip::HitStoredAgain) {
                    let window = if self.has(Slip::FlagOfNarrowedWindow) { (alpha, beta) } else { window };
                    self.store(p, ply, depth, score, flag(score, window), mv);
                }
                return score;
            }
        }

        self.nodes += 1;
        let mut moves = Vec::new();
        p.moves(&mut moves);
        if moves.is_empty() {
            let score = p.outcome().score(ply);
            let known = if self.has(Slip::EndStoredAsBound) { flag(score, window) } else { Bound::Exact };
            self.store(p, ply, depth, score, known, None);
            return score;
        }
        let first = hit.and_then(|entry| entry.mv).and_then(|mv| moves.iter().position(|other| *other == mv));
        moves[..=first.unwrap_or(0)].rotate_right(1);
        let skipped = usize::from(first.is_none() && self.has(Slip::FirstMoveSkipped));

        let (mut score, mut best) = (alpha, hit.and_then(|entry| entry.mv));
        for mv in moves.into_iter().skip(skipped) {
            let mut child = p.clone();
            child.play(mv);
            let value = if depth > 1 {
                -self.ab(&child, -beta, -score, depth - 1, ply + 1)
            } else if self.has(Slip::SignOfEvaluate) {
                self.evaluate(&child, ply + 1)
            } else {
                -self.evaluate(&child, ply + 1)
            };
            if value > score {
                (score, best) = (value, Some(mv));
                if score >= beta {
                    break;
                }
            }
        }
        let window = if self.has(Slip::FlagOfNarrowedWindow) { (alpha, beta) } else { window };
        self.store(p, ply, depth, score, flag(score, window), best);
        score
    }

    /// Deepens to `depth` with one table. Returns the value of the last iteration.
    fn solve(&mut self, root: &G, depth: usize) -> Score {
        let infinite = Score::INFINITE;
        (1..=depth).map(|depth| self.ab(root, -infinite, infinite, depth, 0)).last().expect("a depth")
    }
}

fn appendix(root: &RandomGame, depth: usize, slips: &[Slip]) -> (Score, Appendix<RandomGame>) {
    let mut appendix = Appendix::new(slips);
    (appendix.solve(root, depth), appendix)
}

/// Returns games with few positions at each ply, so that table hits are frequent.
fn transposing(count: u64) -> Vec<RandomGame> {
    let rules = Rules { shape: Shape::Layers(4), branching: 6, spread: 200, checks: 10, ..Rules::default() };
    (0..count).map(|seed| Rules { seed, ..rules }.root()).filter(|game| !game.is_over()).collect()
}

/// The depth of the searches.
const DEPTH: usize = 6;

/// The results of the searches of some games.
struct Found {
    /// The number of games whose value is not the minimax value.
    wrong: usize,
    /// Nodes that the table did not answer, in all games.
    nodes: u64,
}

fn find(games: &[RandomGame], slips: &[Slip]) -> Found {
    let mut found = Found { wrong: 0, nodes: 0 };
    for root in games {
        let (value, appendix) = appendix(root, DEPTH, slips);
        found.wrong += usize::from(value != minimax(root, &mut Statics, DEPTH));
        found.nodes += appendix.nodes;
    }
    found
}

/// Searches the games with the skeleton, using the recipe named after the procedure.
fn find_by_recipe(games: &[RandomGame]) -> Found {
    let mut found = Found { wrong: 0, nodes: 0 };
    for root in games {
        let engine = Engine::<RandomGame>::new(RECIPE, 1).expect("a recipe for every game with keys");
        let answer = engine.search(&Request::new(root, &Unlimited).to_iteration(DEPTH), &mut |_| {});
        found.wrong += usize::from(answer.score() != Some(minimax(root, &mut Statics, DEPTH)));
        found.nodes += answer.nodes;
    }
    found
}

/// The recipe that reduces the skeleton to the procedure.
const RECIPE: &str = "appendix";

/// The procedure with none of the slips, with each alone, and with all.
const VERSIONS: [(&str, &[Slip]); 9] = [
    ("corrected", &[]),
    ("an upper bound cuts", &[Slip::UpperBoundCuts]),
    ("sign of a leaf", &[Slip::SignOfEvaluate]),
    ("first move skipped", &[Slip::FirstMoveSkipped]),
    ("hit stored again", &[Slip::HitStoredAgain]),
    ("flag of the narrowed window", &[Slip::FlagOfNarrowedWindow]),
    ("hit stored again with such a flag", &[Slip::HitStoredAgain, Slip::FlagOfNarrowedWindow]),
    ("end stored as a bound", &[Slip::EndStoredAsBound]),
    (
        "all slips",
        &[
            Slip::UpperBoundCuts,
            Slip::SignOfEvaluate,
            Slip::FirstMoveSkipped,
            Slip::HitStoredAgain,
            Slip::FlagOfNarrowedWindow,
            Slip::EndStoredAsBound,
        ],
    ),
];

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let games = transposing(if context.quick { 100 } else { 2000 });
    let corrected = find(&games, &[]).nodes as f64;
    let mut findings = Findings { conditions: vec!["games", "D", "procedure"], ..Findings::default() };
    for (done, (name, slips)) in VERSIONS.into_iter().enumerate() {
        context.step(done, VERSIONS.len())?;
        let Found { wrong, nodes } = find(&games, slips);
        let conditions: [&dyn std::fmt::Display; 3] = [&games.len(), &DEPTH, &name];
        let reason = (!slips.is_empty()).then_some("a slip of the printed procedure, put back");
        findings
            .row("values that are not minimax's", &conditions, Some(0.0), wrong as f64, Tolerance::Exact)
            .because(reason);
        let share = nodes as f64 / corrected;
        findings.row("nodes, corrected = 1", &conditions, None, share, Tolerance::Any);
    }
    let Found { wrong, nodes } = find_by_recipe(&games);
    let conditions: [&dyn std::fmt::Display; 3] = [&games.len(), &DEPTH, &"recipe `appendix`"];
    findings.row("values that are not minimax's", &conditions, Some(0.0), wrong as f64, Tolerance::Exact);
    let share = nodes as f64 / corrected;
    findings.row("nodes, corrected = 1", &conditions, None, share, Tolerance::Any);
    (context.progress)(VERSIONS.len(), VERSIONS.len());
    findings.notes = vec![
        "The procedure is the paper's, with its slips put right; below it stands each slip put back alone, \
         and all together: where values are wrong, the procedure as printed is. The recipe `appendix` is the \
         corrected one by the skeleton; it counts the nodes that its table answers too."
            .into(),
        "Random games in which every ply has four places, so that positions transpose, \
         each with the same depth to go whenever it comes; iterative deepening with one table."
            .into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Trees and layered games of every size, drawn one after the other. Cycles are excluded. In a cycle
    /// a position recurs with less depth to go, the table answers with a result of greater depth, and
    /// the value is not the minimax value of the requested depth.
    #[test]
    fn corrected_it_is_minimax() {
        let mut state = 1993_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut searched = 0;
        while searched < 400 {
            let layers = draw(9) as u32;
            let rules = Rules {
                seed: draw(1 << 31),
                shape: if layers == 0 { Shape::Tree } else { Shape::Layers(layers) },
                branching: 1 + draw(4) as u8,
                ends: draw(25) as u8,
                noisy: draw(60) as u8,
                pieces: draw(5) as u8,
                checks: draw(40) as u8,
                spread: draw(30) as u16,
                patience: u16::MAX,
            };
            let (root, depth) = (rules.root(), 1 + draw(5) as usize);
            if !root.is_over() {
                assert_eq!(appendix(&root, depth, &[]).0, minimax(&root, &mut Statics, depth), "{rules:?}");
                searched += 1;
            }
        }
    }

    /// The recipe searches as the procedure does: it finds the same values, and it counts no more nodes
    /// than the table's answers explain.
    #[test]
    fn the_recipe_is_the_procedure() {
        let games = transposing(200);
        let (ours, recipe) = (find(&games, &[]), find_by_recipe(&games));
        assert_eq!((ours.wrong, recipe.wrong), (0, 0));
        assert!(
            recipe.nodes >= ours.nodes && recipe.nodes < 2 * ours.nodes,
            "{} {}",
            recipe.nodes,
            ours.nodes
        );
    }

    /// Returns the number of games with a wrong value. The corrected form is right in all of them.
    fn wrong(slips: &[Slip]) -> usize {
        let games = transposing(400);
        assert_eq!(find(&games, &[]).wrong, 0);
        find(&games, slips).wrong
    }

    fn nodes(slips: &[Slip]) -> u64 {
        find(&transposing(400), slips).nodes
    }

    #[test]
    fn an_upper_bound_within_the_window_is_no_value() {
        assert!(wrong(&[Slip::UpperBoundCuts]) > 0);
    }

    #[test]
    fn a_leaf_is_valued_for_the_side_that_moves_there() {
        assert!(wrong(&[Slip::SignOfEvaluate]) > 0);
    }

    #[test]
    fn without_a_move_from_the_table_the_first_is_searched_too() {
        assert!(wrong(&[Slip::FirstMoveSkipped]) > 0);
    }

    /// Storing a hit again makes no value wrong, but it replaces a deep result by a shallow one, and an
    /// exact score by a bound.
    #[test]
    fn a_hit_is_not_stored_again() {
        let left = |root: &RandomGame, slips: &[Slip]| {
            let (value, mut appendix) = appendix(root, DEPTH, slips);
            // The root is searched again, less deep, with a window below its value.
            appendix.ab(root, value - Score(2), value - Score(1), 1, 0);
            let entry = appendix.table[&root.key()];
            (entry.len, entry.flag)
        };
        for root in transposing(400) {
            assert_eq!(left(&root, &[]), (DEPTH, Bound::Exact));
            assert_eq!(left(&root, &[Slip::HitStoredAgain]), (1, Bound::Lower));
        }
        assert_eq!(wrong(&[Slip::HitStoredAgain]), 0);
        assert!(nodes(&[Slip::HitStoredAgain]) > nodes(&[]));
    }

    /// Alone, this slip only forgets that a score between the original α and β is exact. But if a hit is
    /// stored again with such a flag, an upper bound becomes a lower bound.
    #[test]
    fn a_flag_is_of_the_window_that_was_asked_for() {
        assert_eq!(wrong(&[Slip::FlagOfNarrowedWindow]), 0);
        assert!(nodes(&[Slip::FlagOfNarrowedWindow]) > nodes(&[]));
        assert!(wrong(&[Slip::HitStoredAgain, Slip::FlagOfNarrowedWindow]) > 0);
    }

    /// Stored as a bound, the end of a game is searched again for every other window.
    #[test]
    fn the_end_of_a_game_is_a_true_score() {
        assert_eq!(wrong(&[Slip::EndStoredAsBound]), 0);
        assert!(nodes(&[Slip::EndStoredAsBound]) > nodes(&[]));
    }
}
