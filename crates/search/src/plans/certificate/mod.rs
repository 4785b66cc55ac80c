//! Certificates: a value together with the plans that establish it, for a checker that knows nothing
//! about the search.
//!
//! Two plans establish a value v (McAllester & Yuret 1993, §4 and §7). A plan of one side names a move
//! wherever that side moves, and has an answer to every move of the other side. It shows that the value
//! is at least v if every line ends in a position whose static value is at least v. In the same way, the
//! other side's plan shows that the value is at most v. The depth of a plan (§5, §6) measures how safe
//! it is. Wherever the owner of the plan moves, k other moves that would also hold the value, called
//! *options*, make the line safer by S(k). A plan is as safe as its least safe line.
//!
//! | step | here |
//! |---|---|
//! | searching by exact alpha-beta-conspiracy and keeping the plans | [`certify`](fn@certify) |
//! | asking "is it worth at least this much?", as deep as possible | [`deepest`](fn@deepest) |
//! | the plans, and the terms of their measurement | [`Certificate`] |
//! | replaying the plans with only the rules and the evaluation | [`check`](fn@check), a [`Referee`] |
//! | removing options that the depths do not need | [`Certificate::lean`] |
//! | writing out what lines share | [`Certificate::written_out`] |
//! | drawing a picture | [`Svg`], [`Dot`] |
//! | the text file, described at [`FormatError`] | `to_string` and [`str::parse`] |
//! | the JSON file, described there as well | `to_json` and `from_json`, with the feature `json` |
//! | what a reader of another form needs | [`mod@format`] |
//!
//! *Deviations:* the paper has no end of the game. A line is certain, and therefore has any depth, if it
//! ends with the game, with a repetition, or where even losing at once would hold the value. Options are
//! judged by static values, as in §7. A move into a repetition is also judged by its static value, not
//! as a draw.

mod certify;
mod check;
mod deepest;
mod dot;
pub mod format;
#[cfg(feature = "json")]
mod json;
mod lean;
mod record;
mod referee;
mod svg;
mod tampering;
mod text;
mod work;
mod written_out;

pub use certify::{Certified, Exact, certify};
pub use check::{Checking, Established, Fault, Held, Problem, Referee, check, check_as};
pub use deepest::{Claim, Deepest, deepest};
pub use dot::Dot;
pub use format::{FormatError, FormatProblem, Place, one_line};
#[cfg(feature = "json")]
pub use json::{from_json, to_json};
pub use record::{PlanMemory, PlanRecorder};
pub use referee::{is_repeated_or_drawn, quiescence_value};
pub use svg::Svg;
pub use tampering::{Tampering, common_values, establishes_its_value, pasted};
pub use work::{Work, WorkLimit};

use crate::depth::Depth;
use crate::score::Score;

/// A value and the plans that establish it.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The version of the format, from 1 to [`VERSION`](format::VERSION). The meaning of the ends of
    /// lines depends on it, see [`FormatError`].
    pub version: u8,
    /// The name of the game, for the reader.
    pub game: String,
    /// The position, in the game's notation.
    pub position: String,
    /// What the static values are: the name of an evaluation that always gives the same values.
    pub values: String,
    /// δ: an option's static value must be less than this below the value that the plan holds.
    pub margin: Score,
    /// S(0), S(1), …, in plies of one side. Beyond the end, the last entry applies. The list is not
    /// empty.
    pub safety: Vec<Depth>,
    /// v, for the side to move.
    pub value: Score,
    /// The plan of the side to move for at least v.
    pub at_least: Option<Plan>,
    /// The plan of the other side for at most v.
    pub at_most: Option<Plan>,
}

/// A plan of one side: its moves against every play of the other side.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The depth of its least safe line: [`Depth::CERTAIN`] if every line is certain.
    pub depth: Depth,
    /// The plan from the first position on.
    pub root: Step,
}

/// A move in the game's notation.
pub type Name = Box<str>;

/// A position of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The owner of the plan is to move.
    Own {
        /// The move of the owner.
        mv: Name,
        /// Other moves that hold the value: all of them, or as many as the depth needs
        /// ([`Certificate::lean`]).
        options: Vec<Name>,
        /// The step after the move.
        next: Box<Step>,
    },
    /// The other side is to move: every legal move, with the step after it.
    Other(Vec<(Name, Step)>),
    /// A line ends by a static value.
    Leaf {
        /// The static value for the owner of the plan.
        value: Score,
        /// The sum of S over the options along the line.
        depth: Depth,
    },
    /// The plan continues as from the position with this number, counted from 1 in the order of the
    /// file. That position comes earlier in the same plan and is not on the way to this step. The
    /// meaning is that everything that follows there is written out once more in the place of this step.
    Same(usize),
    /// A line ends for certain: with the game, with a repetition, or where losing at once would still
    /// hold the value.
    Over {
        /// The value for the owner of the plan.
        value: Score,
    },
}

impl Certificate {
    /// Returns the size of the certificate: approximately the number of bytes of its text.
    pub fn size(&self) -> usize {
        let names = |names: &mut dyn Iterator<Item = &Name>| names.map(|name| 1 + name.len()).sum::<usize>();
        let position = |step: &Step| match step {
            Step::Own { mv, options, .. } => 2 + names(&mut options.iter().chain([mv])),
            Step::Other(replies) => 2 + names(&mut replies.iter().map(|(name, _)| name)),
            Step::Leaf { .. } | Step::Over { .. } | Step::Same(_) => 8,
        };
        let plans = self.at_least.iter().chain(&self.at_most);
        self.position.len() + plans.flat_map(|plan| plan.root.positions()).map(position).sum::<usize>()
    }

    /// Returns S(k): how much safer k options make a line.
    pub fn safety_of(&self, options: usize) -> Depth {
        self.safety.get(options).or(self.safety.last()).copied().unwrap_or(Depth::ZERO)
    }
}

impl Step {
    /// Returns the positions of the plan from this step on. Each comes before the positions that follow
    /// it, which is the order of the file.
    pub fn positions(&self) -> impl Iterator<Item = &Step> {
        let mut ahead = vec![self];
        std::iter::from_fn(move || {
            let step = ahead.pop()?;
            match step {
                Step::Own { next, .. } => ahead.push(next),
                Step::Other(replies) => ahead.extend(replies.iter().rev().map(|(_, next)| next)),
                Step::Leaf { .. } | Step::Over { .. } | Step::Same(_) => {}
            }
            Some(step)
        })
    }

    /// Returns the number of positions of the plan from this step on.
    pub fn count(&self) -> usize {
        self.positions().count()
    }
}
