//! Certificates: a value together with the plans that establish it, for a checker that knows nothing of the search.
//!
//! A value v is established by two plans (McAllester & Yuret 1993, §4 and §7). One side's plan names a
//! move wherever that side moves and an answer to every move of the other side; it shows that the value is at least v
//! because every line of it ends in a position whose static value is at least v. The other side's plan shows
//! in the same way that it is at most v. How safe a plan is, is told by its depth (§5, §6): wherever its owner
//! moves, k other moves that would hold the value as well, *options*, make the line safer by S(k), and the
//! plan is as safe as its least safe line.
//!
//! | step | here |
//! |---|---|
//! | a search by exact alpha-beta-conspiracy that keeps its plans | [`certify`](fn@certify) |
//! | the same for one question, is it worth at least so much?, as deep as can be shown | [`deepest`](fn@deepest) |
//! | the plans, and what they were measured with | [`Certificate`] |
//! | replaying them with the rules and the evaluation alone | [`check`](fn@check), a [`Referee`] |
//! | without what its lines share | [`Certificate::written_out`] |
//! | as a picture | [`Svg`], [`Dot`] |
//! | as a file | `to_string` and [`str::parse`], described at [`FormatError`]; so is the same as JSON, for which [`mod@format`] has what a reader needs |
//!
//! *Deviations:* the paper has no end of the game. A line that ends with the game, with a repetition, or where not even
//! losing at once would be too bad, is certain: it is as deep as one likes. Options are judged by static values, as in §7, and a move
//! into a repetition by its static value, not as a draw.

mod certify;
mod check;
mod deepest;
mod dot;
pub mod format;
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
pub use format::{FormatError, FormatProblem, Place};
pub use record::{PlanMemory, PlanRecorder};
pub use referee::{is_repeated_or_drawn, quiescence_value};
pub use svg::Svg;
pub use tampering::{Tampering, common_values, establishes_its_value, pasted};
pub use work::{Work, WorkLimit};

use crate::{Depth, Score};

/// A value, and the plans that establish it.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The version of the form, from 1 to [`VERSION`](format::VERSION): what ends of lines mean depends on it, see [`FormatError`].
    pub version: u8,
    /// Which game: for the reader.
    pub game: String,
    /// The position, in the game's notation.
    pub position: String,
    /// What static values are: the name of an evaluation that always gives the same ones.
    pub values: String,
    /// δ: an option's static value may be less than this below the value that the plan holds.
    pub margin: Score,
    /// S(0), S(1), …, in plies of one side; beyond the end, the last one. Not empty.
    pub safety: Vec<Depth>,
    /// v, for the side to move.
    pub value: Score,
    /// The plan of the side to move for at least v.
    pub at_least: Option<Plan>,
    /// The plan of the other side for at most v.
    pub at_most: Option<Plan>,
}

/// A plan of one side: what it plays whatever the other side does.
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
    /// The owner of the plan moves.
    Own {
        /// What he plays.
        mv: Name,
        /// What he could have played instead.
        options: Vec<Name>,
        /// What comes then.
        next: Box<Step>,
    },
    /// The other side moves: every legal move of it, and what comes then.
    Other(Vec<(Name, Step)>),
    /// A line ends.
    Leaf {
        /// Static value for the owner of the plan.
        value: Score,
        /// S of the options along the line.
        depth: Depth,
    },
    /// The plan goes on as from the position with this number, counted from 1 in the order of the file: an earlier one of the same plan that is not on the
    /// way here. In the place of this step stands what follows there, written out once more.
    Same(usize),
    /// A line ends for certain: with the game, with a repetition, or where losing at once would still hold the value.
    Over {
        /// The value for the owner of the plan.
        value: Score,
    },
}

impl Certificate {
    /// How large it is: about as many bytes as its text has.
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

    /// S(k): how much safer k options make a line.
    pub fn safety_of(&self, options: usize) -> Depth {
        self.safety.get(options).or(self.safety.last()).copied().unwrap_or(Depth::ZERO)
    }
}

impl Step {
    /// The positions of the plan from here on, each before what comes after it: the order of its file.
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

    /// How many positions the plan has from here on.
    pub fn count(&self) -> usize {
        self.positions().count()
    }
}
