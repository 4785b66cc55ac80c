//! Writes out plans without references, and provides plans as lists of positions, in which references
//! can be followed.

use super::{Certificate, Plan, Step};
use crate::depth::Depth;

/// The positions of a plan, in the order of its file.
pub(super) struct Positions<'a> {
    pub steps: Vec<&'a Step>,
    /// For each position, the index at which the positions that follow from it end.
    pub ends: Vec<usize>,
}

impl<'a> Positions<'a> {
    pub fn of(plan: &'a Plan) -> Positions<'a> {
        let steps: Vec<&Step> = plan.root.positions().collect();
        let mut ends = vec![0; steps.len()];
        for at in (0..steps.len()).rev() {
            ends[at] = match steps[at] {
                Step::Own { .. } => ends[at + 1],
                Step::Other(replies) => (0..replies.len()).fold(at + 1, |next, _| ends[next]),
                _ => at + 1,
            };
        }
        Positions { steps, ends }
    }

    /// Returns the target of a reference at `at`: an earlier position with moves that is not on the way
    /// to the reference. `None` if `number` is not such a position.
    pub fn target(&self, at: usize, number: usize) -> Option<usize> {
        let target = number.checked_sub(1).filter(|target| *target < at && self.ends[*target] <= at)?;
        matches!(self.steps[target], Step::Own { .. } | Step::Other(_)).then_some(target)
    }
}

impl Certificate {
    /// Returns the certificate without references: parts that several lines share are written out for
    /// each line. `None` if the result has more than `most` positions.
    pub fn written_out(&self, most: usize) -> Option<Certificate> {
        let mut left = most;
        let mut written = |plan: &Option<Plan>| {
            let Some(plan) = plan else { return Some(None) };
            let mut writer = Writer { certificate: self, positions: Positions::of(plan), left: &mut left };
            Some(Some(Plan { depth: plan.depth, root: writer.step(0, 0, Depth::ZERO)? }))
        };
        let (at_least, at_most) = (written(&self.at_least)?, written(&self.at_most)?);
        Some(Certificate { at_least, at_most, ..self.head() })
    }

    /// Returns the certificate without its plans.
    pub(super) fn head(&self) -> Certificate {
        Certificate {
            version: self.version,
            game: self.game.clone(),
            position: self.position.clone(),
            values: self.values.clone(),
            margin: self.margin,
            safety: self.safety.clone(),
            value: self.value,
            at_least: None,
            at_most: None,
        }
    }
}

struct Writer<'a> {
    certificate: &'a Certificate,
    positions: Positions<'a>,
    left: &'a mut usize,
}

impl Writer<'_> {
    fn step(&mut self, at: usize, ply: usize, depth: Depth) -> Option<Step> {
        *self.left = self.left.checked_sub(1)?;
        if ply > crate::alpha_beta::MAX_PLY {
            return None;
        }
        Some(match self.positions.steps[at] {
            Step::Own { mv, options, .. } => {
                let depth = depth + self.certificate.safety_of(options.len());
                let next = Box::new(self.step(at + 1, ply + 1, depth)?);
                Step::Own { mv: mv.clone(), options: options.clone(), next }
            }
            Step::Other(replies) => {
                let (mut next, mut written) = (at + 1, Vec::with_capacity(replies.len()));
                for (mv, _) in replies {
                    written.push((mv.clone(), self.step(next, ply + 1, depth)?));
                    next = self.positions.ends[next];
                }
                Step::Other(written)
            }
            Step::Same(number) => {
                *self.left += 1;
                self.step(self.positions.target(at, *number)?, ply, depth)?
            }
            Step::Leaf { value, .. } => Step::Leaf { value: *value, depth },
            Step::Over { value } => Step::Over { value: *value },
        })
    }
}
