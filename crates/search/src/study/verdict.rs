//! What a study says: the chances of each move, and what the verdict hangs on.
//!
//! *Reference:* McAllester 1988, §3 and §5: a conspiracy is a set of leaves that change a value together.
//! Where one move of a side suffices, the cheapest counts; where all moves are needed, their costs are added.
//! There each leaf costs 1. Here it costs −ln p, where p is the chance that it is misjudged by so much. So
//! the cheapest conspiracy is the most probable one.
//! *Soundness:* exact for a tree. A leaf on several lines is paid for on each of them, so that a more
//! probable conspiracy may be missed. Each one is tried out: if its leaves have the values named, another
//! move is best.
//! *Worth:* Measured in chess, 398 positions, studies of about 75 judgements that were continued to ten times
//! as many nodes: the best move changed in 49. The later values of the named leaves alone, on average 5.7,
//! change it in 33 of them, those of as many random leaves in 8, and that of the leaf of the best line in 17.

use super::growth::{self, After, Part, best, root_parts};
use super::tree::{Leaf, PositionId, Target, Tree};
use super::{Basis, Chances, Errors, LeafId, Scale, chances_to_be_greatest};
use crate::best_first::Whose;
use crate::score::Score;

/// The verdict of a study.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Verdict<M> {
    /// The moves at the root: the best by value first, then by their chances to be best. Empty if the game is
    /// over.
    pub moves: Vec<Candidate<M>>,
    /// What would have to be wrong for another move to be best; the most probable conspiracy first. No leaf
    /// belongs to two of them.
    pub conspiracies: Vec<Conspiracy<M>>,
    /// The number of positions.
    pub positions: usize,
    /// Whether the value of the first move is proven: by the rules, by an endgame table or by a search for
    /// mates. What an engine says is no proof. A proven mate may be possible sooner.
    pub proven: bool,
}

/// A move at the root, or all moves that were not followed.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate<M> {
    /// The move; `None` for moves that were not judged.
    pub mv: Option<M>,
    /// The value by minimax of the judged values; `None` if it is only supposed.
    pub value: Option<Score>,
    /// The values between which the true value lies with a chance of 80 %.
    pub range: (Score, Score),
    /// The chance that this move is best.
    pub chance: f32,
    /// The position after the move, if it is followed.
    pub after: Option<PositionId>,
}

/// Leaves that would have to be misjudged together.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conspiracy<M> {
    /// The leaves.
    pub members: Vec<Conspirator<M>>,
    /// The chance that all of them are misjudged by so much.
    pub chance: f32,
    /// The move that would then be best, if it is known.
    pub instead: Option<M>,
}

/// A leaf of a conspiracy.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conspirator<M> {
    /// The leaf.
    pub leaf: LeafId,
    /// The moves from the root to its position.
    pub line: Vec<M>,
    /// The best move there, if it was judged.
    pub best: Option<M>,
    /// The value for the side to move there.
    pub value: Score,
    /// Whether it was judged, or its value is that of the position before.
    pub judged: bool,
    /// The value that would suffice. Where nobody has judged the position, that may be the supposed value.
    pub needed: Score,
    /// Whether that is the least such value; otherwise it is the greatest.
    pub at_least: bool,
    /// The chance of that.
    pub chance: f32,
}

/// Which way a value is to change, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Up,
    Down,
}

/// The cost of moving every position's value across a limit.
struct Costs<'a, M> {
    tree: &'a Tree<M>,
    errors: &'a Errors,
    /// The limit, for the side to move at the root.
    limit: f32,
    /// Leaves that are not to change.
    fixed: &'a [LeafId],
    up: Vec<f32>,
    down: Vec<f32>,
}

impl<'a, M: Copy + PartialEq> Costs<'a, M> {
    fn new(
        tree: &'a Tree<M>,
        errors: &'a Errors,
        order: &[PositionId],
        limit: f32,
        fixed: &'a [LeafId],
    ) -> Self {
        let costs = vec![f32::INFINITY; tree.nodes.len()];
        let mut costs = Costs { tree, errors, limit, fixed, up: costs.clone(), down: costs };
        for &id in order {
            let node = &tree.nodes[id.index()];
            if node.over {
                let place = errors.scale().of(node.value);
                costs.up[id.index()] = free_if(place > costs.limit_at(id));
                costs.down[id.index()] = free_if(place <= costs.limit_at(id));
                continue;
            }
            let parts: Vec<After> = after(tree, id);
            // A repetition is worth 0 in any case.
            let repeats = node.edges.iter().any(|edge| !edge.excluded && edge.to == Target::Repetition);
            let up = parts.iter().map(|part| costs.of_part(id, *part, Way::Up));
            let up =
                up.fold(if repeats { free_if(0.0 > costs.limit_at(id)) } else { f32::INFINITY }, f32::min);
            let down: f32 = parts.iter().map(|part| costs.of_part(id, *part, Way::Down)).sum();
            let down = down + if repeats { free_if(0.0 <= costs.limit_at(id)) } else { 0.0 };
            (costs.up[id.index()], costs.down[id.index()]) = (up, down);
        }
        costs
    }

    /// Returns the limit for the side to move at a position.
    fn limit_at(&self, id: PositionId) -> f32 {
        if self.tree.nodes[id.index()].mover { self.limit } else { -self.limit }
    }

    /// Returns the cost of moving a part of a position's value, for the side to move there.
    fn of_part(&self, id: PositionId, part: After, way: Way) -> f32 {
        match (part, way) {
            (After::Position(to), Way::Up) => self.down[to.index()],
            (After::Position(to), Way::Down) => self.up[to.index()],
            (After::Leaf, _) => {
                self.tree.nodes[id.index()].leaf.map_or(0.0, |leaf| self.of_leaf(id, &leaf, way))
            }
        }
    }

    fn of_leaf(&self, id: PositionId, leaf: &Leaf<M>, way: Way) -> f32 {
        let (place, limit) = (self.errors.scale().of(leaf.value), self.limit_at(id));
        // As in the tree, what is supposed does not raise a value beside what is known.
        let counts = leaf.basis != Basis::Supposed || !self.tree.nodes[id.index()].known;
        let is_there = match way {
            Way::Up => place > limit && counts,
            Way::Down => place <= limit,
        };
        if is_there || leaf.basis == Basis::Proven || self.fixed.contains(&leaf_id(self.tree, id)) {
            return free_if(is_there);
        }
        -self.chance_of_leaf(leaf, limit, way).max(f32::MIN_POSITIVE).ln()
    }

    fn chance_of_leaf(&self, leaf: &Leaf<M>, limit: f32, way: Way) -> f32 {
        let above = leaf.chances_if_free(self.errors).above(limit);
        if way == Way::Up { above } else { 1.0 - above }
    }

    /// Adds the leaves that have to change so that a part of a position's value moves.
    fn collect(&self, id: PositionId, part: After, way: Way, members: &mut Vec<Conspirator<M>>) {
        let cost = self.of_part(id, part, way);
        if cost == 0.0 {
            return; // it is there already
        }
        match part {
            After::Leaf if members.iter().any(|member| member.leaf == leaf_id(self.tree, id)) => (),
            After::Leaf => members.extend(self.tree.nodes[id.index()].leaf.map(|leaf| {
                let limit = self.limit_at(id);
                Conspirator {
                    leaf: leaf_id(self.tree, id),
                    line: self.tree.line_to(id),
                    best: leaf.best,
                    value: leaf.value,
                    judged: leaf.is_judged(),
                    needed: across(self.errors.scale(), limit, way),
                    at_least: way == Way::Up,
                    chance: self.chance_of_leaf(&leaf, limit, way),
                }
            })),
            After::Position(to) => {
                self.collect_at(to, if way == Way::Up { Way::Down } else { Way::Up }, members);
            }
        }
    }

    /// Adds the leaves that have to change so that a position's value moves.
    fn collect_at(&self, id: PositionId, way: Way, members: &mut Vec<Conspirator<M>>) {
        let parts = after(self.tree, id);
        match way {
            // One part is enough.
            Way::Up => {
                let of = |part: &After| self.of_part(id, *part, way);
                let cheapest = parts.into_iter().min_by(|a, b| of(a).total_cmp(&of(b)));
                cheapest.into_iter().for_each(|part| self.collect(id, part, way, members));
            }
            Way::Down => parts.into_iter().for_each(|part| self.collect(id, part, way, members)),
        }
    }

    /// Whether the best part of the root is not the best one any more, if these leaves have the values that
    /// they need, and no others change.
    fn changes<T>(
        &self,
        order: &[PositionId],
        parts: &[Part<T>],
        best: usize,
        members: &[Conspirator<M>],
    ) -> bool {
        let scale = self.errors.scale();
        let mut places = vec![0.0; self.tree.nodes.len()];
        let of_leaf = |id: PositionId, leaf: &Leaf<M>| {
            let member = members.iter().find(|member| member.leaf == leaf_id(self.tree, id));
            scale.of(member.map_or(leaf.value, |member| member.needed))
        };
        // As in the tree, what is supposed counts only where nothing is known, unless it is assumed here.
        let mut known = vec![false; self.tree.nodes.len()];
        let of_part = |places: &[f32], known: &[bool], id: PositionId, after: Option<After>| match after {
            Some(After::Position(to)) => (-places[to.index()], known[to.index()]),
            Some(After::Leaf) => self.tree.nodes[id.index()].leaf.map_or((0.0, false), |leaf| {
                let assumed = members.iter().any(|member| member.leaf == leaf_id(self.tree, id));
                (of_leaf(id, &leaf), assumed || leaf.basis != Basis::Supposed)
            }),
            None => (0.0, true), // a repetition
        };
        for &id in order {
            let node = &self.tree.nodes[id.index()];
            let repeats = node.edges.iter().any(|edge| !edge.excluded && edge.to == Target::Repetition);
            let all = after(self.tree, id).into_iter().map(Some).chain(repeats.then_some(None));
            (places[id.index()], known[id.index()]) = match node.over {
                true => (scale.of(node.value), true),
                false => {
                    let parts: Vec<(f32, bool)> =
                        all.map(|after| of_part(&places, &known, id, after)).collect();
                    let any_known = parts.iter().any(|(_, known)| *known);
                    let count = parts.iter().filter(|(_, known)| *known == any_known);
                    (count.fold(f32::NEG_INFINITY, |most, (place, _)| most.max(*place)), any_known)
                }
            };
        }
        let of = |part: usize| of_part(&places, &known, PositionId::ROOT, parts[part].after);
        (0..parts.len()).any(|other| other != best && of(other).1 && of(other).0 > of(best).0)
    }
}

/// Returns the first value across a limit.
fn across(scale: Scale, limit: f32, way: Way) -> Score {
    let nearest = scale.score(limit);
    match way {
        Way::Up if scale.of(nearest) > limit => nearest,
        Way::Up => nearest + Score(1),
        Way::Down if scale.of(nearest) < limit => nearest,
        Way::Down => nearest - Score(1),
    }
}

fn free_if(is_there: bool) -> f32 {
    if is_there { 0.0 } else { f32::INFINITY }
}

fn leaf_id<M>(tree: &Tree<M>, position: PositionId) -> LeafId {
    LeafId { position, followed: tree.nodes[position.index()].edges.len() as u16 }
}

/// Returns where the parts of a position's value come from.
fn after<M: Copy + PartialEq>(tree: &Tree<M>, id: PositionId) -> Vec<After> {
    let node = &tree.nodes[id.index()];
    let edges = node.edges.iter().filter(|edge| !edge.excluded).filter_map(|edge| match edge.to {
        Target::Position(to) => Some(After::Position(to)),
        Target::Repetition => None,
    });
    edges.chain(node.leaf.as_ref().map(|_| After::Leaf)).collect()
}

impl<M: Copy + PartialEq> Verdict<M> {
    pub(super) fn of(tree: &Tree<M>, errors: &Errors) -> Verdict<M> {
        /// As many conspiracies are named at most, and none less probable than this.
        const MOST: usize = 5;
        const LEAST: f32 = 0.001;
        let parts = root_parts(tree, errors);
        let chances: Vec<Chances> = parts.iter().map(|part| part.chances).collect();
        let greatest = chances_to_be_best(tree, &parts, &chances);
        let scale = errors.scale();
        let candidate = |place: usize| Candidate {
            mv: parts[place].mv,
            value: parts[place].value,
            range: (scale.score(chances[place].quantile(0.9)), scale.score(chances[place].quantile(0.1))),
            chance: greatest[place],
            after: match parts[place].after {
                Some(After::Position(to)) => Some(to),
                _ => None,
            },
        };
        let best = best(&parts);
        let mut places: Vec<usize> = (0..parts.len()).filter(|place| Some(*place) != best).collect();
        places.sort_by(|&a, &b| greatest[b].total_cmp(&greatest[a]));
        let moves = best.into_iter().chain(places).map(candidate).collect();

        let (mut conspiracies, mut fixed) = (Vec::new(), Vec::new());
        // Moves that were judged together have one leaf.
        let parts =
            if tree.nodes[0].over { Vec::new() } else { growth::parts(tree, PositionId::ROOT, errors) };
        if let Some(best) = best.filter(|_| parts.len() > 1) {
            let order = tree.bottom_up();
            while conspiracies.len() < MOST {
                let Some(next) = conspiracy(tree, errors, &order, &parts, best, &fixed) else { break };
                if next.chance < LEAST || next.members.is_empty() {
                    break;
                }
                fixed.extend(next.members.iter().map(|member| member.leaf));
                conspiracies.push(next);
            }
        }
        conspiracies.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        let proven = tree.nodes[0].over || best.is_some_and(|best| is_proven(tree, &parts[best]));
        Verdict { moves, conspiracies, positions: tree.nodes.len(), proven }
    }

    /// Returns the chance that another move than the first one is best: 1 if nothing was judged.
    pub fn doubt(&self) -> f32 {
        match self.moves.first() {
            Some(first) if first.value.is_none() => 1.0,
            _ => self.moves.iter().skip(1).fold(0.0, |sum, candidate| sum + candidate.chance),
        }
    }
}

/// Whether the value of a part of the root is proven.
fn is_proven<M: Copy + PartialEq>(tree: &Tree<M>, part: &Part<M>) -> bool {
    match part.after {
        Some(After::Position(to)) => tree.is_proven(to),
        Some(After::Leaf) => tree.nodes[0].leaf.is_some_and(|leaf| leaf.basis == Basis::Proven),
        None => false,
    }
}

/// Returns the chances of the parts of the root to be best. All wins are in one place of the scale: beside a
/// proven one the others have none.
fn chances_to_be_best<M: Copy + PartialEq>(
    tree: &Tree<M>,
    parts: &[Part<M>],
    chances: &[Chances],
) -> Vec<f32> {
    let is_won = |part: &Part<M>| part.value.is_some_and(|value| value.is_decided() && value > Score::DRAW);
    match best(parts).filter(|&best| is_won(&parts[best]) && is_proven(tree, &parts[best])) {
        Some(best) => (0..parts.len()).map(|part| if part == best { 1.0 } else { 0.0 }).collect(),
        None => chances_to_be_greatest(chances),
    }
}

/// Returns the chance that another part than the one with the best value is best.
pub(super) fn doubt<M: Copy + PartialEq>(tree: &Tree<M>, errors: &Errors) -> f32 {
    let parts = root_parts(tree, errors);
    let chances: Vec<Chances> = parts.iter().map(|part| part.chances).collect();
    best(&parts).map_or(0.0, |best| match parts[best].value {
        Some(_) => 1.0 - chances_to_be_best(tree, &parts, &chances)[best],
        None => 1.0,
    })
}

/// Returns the most probable conspiracy that gives the root at least this value for one of the sides. `None`
/// if none can. If it has the value already, the conspiracy has no members, unless a leaf of which nothing is
/// known is supposed to spoil it.
pub(super) fn conspiracy_to<M: Copy + PartialEq>(
    tree: &Tree<M>,
    errors: &Errors,
    side: Whose,
    value: Score,
) -> Option<Conspiracy<M>> {
    if value.is_decided() && value < Score::DRAW {
        return Some(Conspiracy { members: Vec::new(), chance: 1.0, instead: None }); // nothing is worse
    }
    let place = |value: Score| errors.scale().of(value);
    let (way, limit) = match side {
        Whose::Mover => (Way::Up, place((value - Score(1)).clamp_estimate()) / 2.0 + place(value) / 2.0),
        Whose::Other => (Way::Down, place(-value) / 2.0 + place((Score(1) - value).clamp_estimate()) / 2.0),
    };
    let costs = Costs::new(tree, errors, &tree.bottom_up(), limit, &[]);
    let mut members = Vec::new();
    let cost = match way {
        Way::Up => costs.up[0],
        Way::Down => costs.down[0],
    };
    if cost.is_infinite() {
        return None;
    }
    costs.collect_at(PositionId::ROOT, way, &mut members);
    Some(Conspiracy { members, chance: (-cost).exp(), instead: None })
}

/// Returns the most probable conspiracy that makes another part of the root the best one: it moves the best
/// part below a limit and another one above.
fn conspiracy<M: Copy + PartialEq>(
    tree: &Tree<M>,
    errors: &Errors,
    order: &[PositionId],
    parts: &[Part<M>],
    best: usize,
    fixed: &[LeafId],
) -> Option<Conspiracy<M>> {
    /// The number of limits that are tried, and by how much a value must be exceeded.
    const LIMITS: usize = 9;
    const LEAST: f32 = 0.005;
    let root = PositionId::ROOT;
    let place = |part: &Part<M>| match (part.value, &tree.nodes[0].leaf) {
        (Some(value), _) => errors.scale().of(value),
        (None, leaf) => leaf.map_or(0.0, |leaf| errors.scale().of(leaf.value)),
    };
    let rivals: Vec<usize> = (0..parts.len()).filter(|&part| part != best).collect();
    let high = place(&parts[best]);
    let low = rivals.iter().map(|&rival| place(&parts[rival])).fold(f32::NEG_INFINITY, f32::max) - LEAST;
    let limits = (0..LIMITS).map(|number| low + (high - low) * number as f32 / (LIMITS - 1) as f32);
    let is_below = |part: usize, member: &Conspirator<M>| match parts[part].after {
        Some(After::Position(to)) => to == member.leaf.position || tree.leads_to(to, member.leaf.position),
        _ => false,
    };
    let mut found: Option<(f32, Conspiracy<M>)> = None;
    // Nothing is below a loss.
    for limit in limits.filter(|limit| limit.abs() < Scale::WON) {
        let mut fixed = fixed.to_vec();
        loop {
            let costs = Costs::new(tree, errors, order, limit, &fixed);
            let of = |part: usize, way: Way| match parts[part].after {
                Some(after) => costs.of_part(root, after, way),
                None => free_if(if way == Way::Up { 0.0 > limit } else { 0.0 <= limit }),
            };
            let cheapest = rivals.iter().copied().min_by(|&a, &b| of(a, Way::Up).total_cmp(&of(b, Way::Up)));
            let Some(rival) = cheapest else { break };
            let cost = of(best, Way::Down) + of(rival, Way::Up);
            if cost.is_infinite() || found.as_ref().is_some_and(|(least, _)| cost >= *least) {
                break;
            }
            let mut members = Vec::new();
            for (part, way) in [(best, Way::Down), (rival, Way::Up)] {
                parts[part].after.into_iter().for_each(|after| costs.collect(root, after, way, &mut members));
            }
            if costs.changes(order, parts, best, &members) {
                let chance = members.iter().map(|member| member.chance).product();
                found = Some((cost, Conspiracy { members, chance, instead: parts[rival].mv }));
                break;
            }
            // A leaf after both moves moves both. Others have to part them.
            let shared = members.iter().filter(|of| is_below(best, of) && is_below(rival, of));
            let before = fixed.len();
            fixed.extend(shared.map(|member| member.leaf));
            if fixed.len() == before {
                break;
            }
        }
    }
    found.map(|(_, conspiracy)| conspiracy)
}
