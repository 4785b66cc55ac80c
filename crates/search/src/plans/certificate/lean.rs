//! Removes the options that the depths of plans do not need.
//!
//! The file of a plan consists mostly of options, and most of them belong to lines that are safer than
//! the plan anyway. A plan only claims the depth of its least safe line. Therefore options are removed
//! from the ends of the lines upwards, as long as no other line becomes as unsafe as the least safe one.
//! The plan then claims the same depth as before and has the same weakest lines.

use super::written_out::Positions;
use super::{Certificate, Plan, Step};
use crate::depth::Depth;

impl Certificate {
    /// Returns a certificate with the same value and with plans of the same depths, without the options
    /// that the depths do not need.
    ///
    /// If a plan has references that [`check`](super::check()) rejects, it is left unchanged.
    pub fn lean(mut self) -> Certificate {
        let safety = self.safety.clone();
        for plan in [&mut self.at_least, &mut self.at_most].into_iter().flatten() {
            if let Some(kept) = needed(plan, &safety) {
                keep(plan, &kept, &safety);
            }
        }
        self
    }
}

/// Returns S of this many options.
fn of(safety: &[Depth], options: usize) -> Depth {
    safety.get(options).or(safety.last()).copied().unwrap_or(Depth::ZERO)
}

/// Returns how many options each position of a plan needs.
fn needed(plan: &Plan, safety: &[Depth]) -> Option<Vec<usize>> {
    let positions = Positions::of(plan);
    let count = positions.steps.len();
    let next = |at: usize| -> Option<Vec<usize>> {
        Some(match positions.steps[at] {
            Step::Own { .. } => vec![at + 1],
            Step::Other(replies) => {
                let after = |&at: &usize| Some(positions.ends[at]);
                std::iter::successors(Some(at + 1), after).take(replies.len()).collect()
            }
            Step::Same(number) => vec![positions.target(at, *number)?],
            Step::Leaf { .. } | Step::Over { .. } => vec![],
        })
    };

    // First pass: an order in which every position comes after all positions that lead to it, and for
    // each position the least depth that a line has reached there.
    let mut ways = vec![0_u32; count];
    for at in 0..count {
        next(at)?.into_iter().for_each(|to| ways[to] += 1);
    }
    let mut before = vec![Depth::CERTAIN; count];
    before[0] = Depth::ZERO;
    let mut order = vec![0];
    for done in 0..count {
        let at = *order.get(done)?;
        let own = match positions.steps[at] {
            Step::Own { options, .. } => of(safety, options.len()),
            _ => Depth::ZERO,
        };
        for to in next(at)? {
            before[to] = before[to].min(before[at] + own);
            ways[to] -= 1;
            if ways[to] == 0 {
                order.push(to);
            }
        }
    }

    // Second pass, from the ends upwards: the least depth that lines still gain from each position on.
    let mut after = vec![Depth::ZERO; count];
    let mut kept = vec![0; count];
    for &at in order.iter().rev() {
        let below = next(at)?.into_iter().map(|to| after[to]).min();
        after[at] = match positions.steps[at] {
            Step::Leaf { .. } => Depth::ZERO,
            Step::Over { .. } => Depth::CERTAIN,
            Step::Other(_) | Step::Same(_) => below.unwrap_or(Depth::CERTAIN),
            Step::Own { options, .. } => {
                let below = below.unwrap_or(Depth::CERTAIN);
                let certain = below == Depth::CERTAIN;
                let reaches = |options| before[at] + of(safety, options) + below;
                let all = reaches(options.len());
                let enough = |options: &usize| match all > plan.depth {
                    true => reaches(*options) > plan.depth,
                    false => reaches(*options) == all,
                };
                kept[at] = if certain { 0 } else { (0..options.len()).find(enough).unwrap_or(options.len()) };
                if certain { Depth::CERTAIN } else { of(safety, kept[at]) + below }
            }
        };
    }
    Some(kept)
}

/// Keeps this many options of each position, and recomputes the depths at the ends of lines.
fn keep(plan: &mut Plan, kept: &[usize], safety: &[Depth]) {
    let mut ahead = vec![(&mut plan.root, Depth::ZERO)];
    for &options_kept in kept {
        let Some((step, before)) = ahead.pop() else { return };
        match step {
            Step::Own { options, next, .. } => {
                options.truncate(options_kept);
                ahead.push((next, before + of(safety, options.len())));
            }
            Step::Other(replies) => ahead.extend(replies.iter_mut().rev().map(|(_, next)| (next, before))),
            Step::Leaf { depth, .. } => *depth = before,
            Step::Over { .. } | Step::Same(_) => {}
        }
    }
}
