//! Where a study grows next.
//!
//! *Reference:* McAllester 1988, §9: prove the best move best, or disprove the rest, by judging the leaves
//! on which that depends. Here the leaf is found by following, from the root, the moves to which the chance
//! that another move is best is most sensitive (Baum & Smith 1997). Growth by value is that of R. Korf,
//! D. Chickering, Best-first Minimax Search, 1996.
//! *Deviations:* leaves in work count as if their values were confirmed, so that further leaves can be named
//! meanwhile (virtual losses are the counterpart in Monte Carlo tree search).
//! *Soundness:* a value is the minimax of what was judged, whichever leaf is next.
//! *Worth:* Measured in chess, 513 hard positions of three suites, 10 million nodes each: 343 were solved by
//! weights and 322 by value, 37 only by weights and 16 only by value (p = 0.005); by one search 352.

use super::chances::{Greatest, STEPS, widths};
use super::tree::{Leaf, PositionId, Target, Tree};
use super::{Basis, Chances, Errors, chances_to_be_greatest};
use crate::best_first::Whose;
use crate::score::Score;
use std::collections::HashSet;

/// Which leaf is judged next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Growth {
    /// The leaf on which it depends most whether the best move is best.
    #[default]
    Weighted,
    /// The leaf of the best line, by minimax of the values.
    ByValue,
    /// The leaf on which the value depends most, if one side, relative to the root, has one move for every
    /// position: that side's other moves are not looked at as long as its move is best.
    Repertoire(Whose),
}

crate::component! {
    /// How much effort is spent on a leaf, and when a leaf is judged again instead of followed.
    ///
    /// *Worth:* following a move shows nothing of the moves beside it, and values of unequal effort compare
    /// badly. Measured in chess, 100 hard positions with a first judgement of a hundredth of all nodes: 43
    /// were solved where leaves were judged once, 62 where they were judged up to 4 times as much, and 70 up
    /// to 16 times; by one search of as many nodes 69. With a first judgement of a four-hundredth 53 were
    /// solved up to 16 times and 70 up to 64 times. So a leaf should get up to a sixth of everything.
    pub struct Steps {
        /// The effort of a first judgement.
        effort: 100_000 in 1..=1_000_000_000 "nodes",
        /// By what the effort is multiplied when a leaf is judged again.
        again: 4 in 2..=100 "times",
        /// The greatest effort for a leaf, in first judgements. Up to that a leaf is judged again before its
        /// best move is followed; 1: no leaf is judged again.
        most: 16 in 1..=1_000 "times",
    }
}

impl Steps {
    /// Returns the effort for a leaf that was judged with this effort, or `None` if its best move is to be
    /// followed instead.
    pub(super) fn again(&self, effort: u64) -> Option<u64> {
        let next = effort.saturating_mul(self.again as u64);
        (next <= (self.effort as u64).saturating_mul(self.most as u64)).then_some(next)
    }
}

/// Where a part of a position's value comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum After {
    /// From the position after a followed move.
    Position(PositionId),
    /// From the leaf.
    Leaf,
}

/// A part of a position's value: a followed move, or the leaf.
pub(super) struct Part<M> {
    /// The followed move, or the best of the others, if it is known.
    pub mv: Option<M>,
    /// Where its value comes from; `None` for a repetition.
    pub after: Option<After>,
    /// The value; `None` if it is only supposed.
    pub value: Option<Score>,
    /// The chances, for the position's side to move.
    pub chances: Chances,
}

/// Returns the parts of a position's value, without moves that are left out.
pub(super) fn parts<M: Copy + PartialEq>(tree: &Tree<M>, id: PositionId, errors: &Errors) -> Vec<Part<M>> {
    let node = &tree.nodes[id.index()];
    let edges = node.edges.iter().filter(|edge| !edge.excluded).map(|edge| match edge.to {
        Target::Position(to) => {
            let child = &tree.nodes[to.index()];
            Part {
                mv: Some(edge.mv),
                after: Some(After::Position(to)),
                value: child.known.then(|| (-child.value).at_root(1)),
                chances: child.chances.flip(),
            }
        }
        Target::Repetition => {
            Part { mv: Some(edge.mv), after: None, value: Some(Score::DRAW), chances: Chances::certain(0.0) }
        }
    });
    let leaf = node.leaf.iter().map(|leaf| Part {
        mv: leaf.best,
        after: Some(After::Leaf),
        value: leaf.is_judged().then_some(leaf.value),
        chances: leaf.chances(errors),
    });
    edges.chain(leaf).collect()
}

/// Returns the parts that compete at the root, none if the game is over. If the best move was judged together
/// with others, these count as one more part, of which only that is known.
pub(super) fn root_parts<M: Copy + PartialEq>(tree: &Tree<M>, errors: &Errors) -> Vec<Part<M>> {
    let root = &tree.nodes[0];
    if root.over {
        return Vec::new();
    }
    let mut parts = parts(tree, PositionId::ROOT, errors);
    let is_best = best(&parts).is_some_and(|best| parts[best].after == Some(After::Leaf));
    if let Some(leaf) =
        root.leaf.as_ref().filter(|leaf| is_best && leaf.basis == Basis::Judged && root.open > 1)
    {
        let others = match leaf.in_work {
            true => Chances::certain(errors.scale().of(errors.others(leaf.value))),
            false => errors.chances(errors.others(leaf.value), Basis::Supposed, leaf.effort, leaf.unrest),
        };
        parts.push(Part { mv: None, after: Some(After::Leaf), value: None, chances: others });
    }
    parts
}

/// Returns the place of the best part by value, the first of equals.
pub(super) fn best<M>(parts: &[Part<M>]) -> Option<usize> {
    (0..parts.len()).rev().max_by_key(|&place| parts[place].value)
}

/// How sensitive the chance that another move is best is to a position's chances.
type Weights = [f32; STEPS];

/// Weights below this are none: they do not matter, and processors are slow with numbers that nearly vanish.
const TINY: f32 = 1e-20;

/// Returns the weights of each part of a position, given those of the position.
fn shares(weights: &Weights, parts: &[Chances]) -> Vec<Weights> {
    // The product of all others without a division: from the left, then from the right.
    let mut shares: Vec<Weights> = Vec::with_capacity(parts.len());
    let mut before = Greatest::of_none();
    for part in parts {
        shares.push(std::array::from_fn(|step| weights[step] * before.below()[step]));
        before.add(part);
    }
    let mut after = Greatest::of_none();
    for (share, part) in shares.iter_mut().zip(parts).rev() {
        for (weight, below) in share.iter_mut().zip(after.below()) {
            *weight *= below;
            if *weight < TINY {
                *weight = 0.0;
            }
        }
        after.add(part);
    }
    shares
}

/// How much the verdict hangs on a part with these weights: sensitivity times doubt.
fn influence(weights: &Weights, part: &Chances) -> f32 {
    weights.iter().zip(part.doubt()).map(|(weight, doubt)| weight * doubt).sum()
}

/// Returns the weights of each part of the root: how sensitive the chance that another move is best is to the
/// chances of the best move and of each of its rivals.
fn at_root(parts: &[Chances], best: usize) -> Vec<Weights> {
    let rivals = |left_out: Option<usize>| {
        let mut greatest = Greatest::of_none();
        let others = parts.iter().enumerate();
        let rivals = others.filter(|(other, _)| *other != best && Some(*other) != left_out);
        rivals.for_each(|(_, part)| greatest.add(part));
        greatest
    };
    // The density of a value at each step, from both sides.
    let density = |below: &Weights| -> Weights {
        std::array::from_fn(|step| {
            let (before, after) = (below[step.saturating_sub(1)], below[(step + 1).min(STEPS - 1)]);
            (after - before) / 2.0
        })
    };
    let mut own = Greatest::of_none();
    own.add(&parts[best]);
    let of_best = density(own.below());
    (0..parts.len())
        .map(|part| match part == best {
            // P(rival > best) changes with the best move's chances as the density of the best rival.
            true => density(rivals(None).below()),
            false => {
                let rest = rivals(Some(part));
                std::array::from_fn(|step| of_best[step] * rest.below()[step])
            }
        })
        .collect()
}

/// Returns the position whose leaf is next among those that can be reached from `start`, or `None` if no leaf
/// there matters.
pub(super) fn next<M: Copy + PartialEq>(
    tree: &Tree<M>,
    growth: Growth,
    errors: &Errors,
    start: PositionId,
) -> Option<PositionId> {
    let mover = match growth {
        Growth::ByValue => return by_value(tree, start, &mut HashSet::new()),
        Growth::Weighted => None,
        Growth::Repertoire(side) => Some(side == Whose::Mover),
    };
    weighted(tree, errors, mover, start, &widths())
}

/// Whether a leaf can be judged.
fn is_free<M>(leaf: &Leaf<M>) -> bool {
    !leaf.in_work && leaf.basis != Basis::Proven
}

/// Follows the parts with the most influence. The side with a repertoire, if there is one, has one move.
fn weighted<M: Copy + PartialEq>(
    tree: &Tree<M>,
    errors: &Errors,
    repertoire: Option<bool>,
    at: PositionId,
    weights: &Weights,
) -> Option<PositionId> {
    /// Less influence is none.
    const LEAST: f32 = 1e-9;
    let node = &tree.nodes[at.index()];
    let parts = match at == PositionId::ROOT && repertoire.is_none() {
        true => root_parts(tree, errors),
        false => parts(tree, at, errors),
    };
    let chances: Vec<Chances> = parts.iter().map(|part| part.chances).collect();
    let into = |part: &Part<M>, weights: &Weights| match part.after? {
        After::Leaf => node.leaf.as_ref().filter(|leaf| is_free(leaf)).map(|_| at),
        After::Position(to) => {
            // There the values are those of the other side.
            let mut weights = *weights;
            weights.reverse();
            weighted(tree, errors, repertoire, to, &weights)
        }
    };
    let chooses = repertoire.map_or(at == PositionId::ROOT, |mover| mover == node.mover);
    let best = best(&parts)?;
    let likeliest = match chooses && parts.len() > 1 {
        false => best,
        true => {
            let greatest = chances_to_be_greatest(&chances);
            (0..parts.len()).rev().max_by(|&a, &b| greatest[a].total_cmp(&greatest[b]))?
        }
    };
    // A move that is likelier to be best than the best one so far, and of which nothing is known, is next.
    if likeliest != best
        && parts[likeliest].value.is_none()
        && let Some(next) = into(&parts[likeliest], weights)
    {
        return Some(next);
    }
    // A root with a single part is only to be valued.
    let shares = match at == PositionId::ROOT && parts.len() > 1 && repertoire.is_none() {
        true => at_root(&chances, best),
        false => shares(weights, &chances),
    };
    let of = |place: usize| match chooses && repertoire.is_some() && place != best {
        true => 0.0,
        false => influence(&shares[place], &chances[place]),
    };
    let mut places: Vec<(f32, usize)> = (0..parts.len()).map(|place| (of(place), place)).collect();
    places.retain(|(influence, _)| *influence > LEAST);
    places.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let next = places.into_iter().find_map(|(_, place)| into(&parts[place], &shares[place]));
    // If the best move so far is surely not the best, all depends on the likeliest one.
    next.or_else(|| if likeliest == best { None } else { into(&parts[likeliest], weights) })
}

/// Returns the first leaf that is not being judged, the best lines first. `without` are positions after which
/// there is none.
fn by_value<M: Copy + PartialEq>(
    tree: &Tree<M>,
    at: PositionId,
    without: &mut HashSet<PositionId>,
) -> Option<PositionId> {
    if without.contains(&at) {
        return None;
    }
    let node = &tree.nodes[at.index()];
    let leaf = node.leaf.as_ref().filter(|leaf| is_free(leaf));
    // The best line cannot be told while a move beside it is not judged.
    if leaf.is_some_and(|leaf| !leaf.is_judged()) {
        return Some(at);
    }
    let mut values: Vec<(Score, After)> = Vec::new();
    for edge in node.edges.iter().filter(|edge| !edge.excluded) {
        let Target::Position(to) = edge.to else { continue };
        let child = &tree.nodes[to.index()];
        let value = (-child.value).at_root(1);
        values.push((if child.known { value } else { Score::INFINITE }, After::Position(to)));
    }
    values.extend(leaf.map(|leaf| (leaf.value, After::Leaf)));
    values.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
    let next = values.into_iter().find_map(|(_, after)| match after {
        After::Position(to) => by_value(tree, to, without),
        After::Leaf => Some(at),
    });
    if next.is_none() {
        without.insert(at);
    }
    next
}
