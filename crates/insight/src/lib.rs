//! What a search knows, told to people: how safe the value of a position is for White and for Black.
//!
//! | question of a player | here | measured by |
//! |---|---|---|
//! | how good is it? | [`Judged::value`] | a search; as a [win probability](chance()) |
//! | which moves keep it? | [`Judged::moves`], [`Room`] | for each legal move a search that asks only whether it does |
//! | which moves only look as if they did? | [`Trap`] | the same search, three plies deep |
//! | how far is the plan behind it thought out? | [`PlanSafety`] | alpha-beta-conspiracy search (McAllester & Yuret 1993), one question for each side |
//! | is it one of those moves that must be found? | [`Verdict`] | how many moves hold, and whether common sense plays them |
//! | how often does a player err here? | [`error_chance`] | a logistic fit |
//!
//! A number is about the side to move. What the other side has to find is asked after the best move: [`explain`] does both.
//! Both sides' numbers grow out of one position, so that they are not independent: where a position is sharp, it is sharp for both.
//!
//! Everything is measured with a stated [`Effort`] in nodes, by one thread, and comes out the same from run to run. How many lines
//! somebody wants to see is none of these questions.

mod analyst;
mod annotate;
mod chance;
mod effort;
mod error_chance;
mod explain;
mod html;
mod plans;
mod verdict;

/// Raised by one whenever the same effort may find something else than before: to be part of every key under which findings are kept.
pub const REVISION: u32 = 5;

pub use analyst::{Analyst, Judged, JudgedMove, Known, Room, Trap, Value, numbered, over};
pub use annotate::{
    AnnotatedGame, AnnotatedMove, Remark, Safety, Standing, Tally, annotate, erase, sentence, write_into,
};
pub use chance::{chance, score_of};
pub use effort::Effort;
pub use error_chance::{COEFFICIENTS, Coefficients, Features, error_chance};
pub use explain::{Explanation, Run, explain};
pub use html::{html, html_of, html_title, write_html};
pub use plans::{PlanSafety, Plans};
pub use verdict::{Natural, Verdict};
