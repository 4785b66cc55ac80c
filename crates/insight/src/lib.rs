//! Presents what a search knows to people: how safe the value of a position is for White and for Black.
//!
//! | question of a player | item | measured by |
//! |---|---|---|
//! | how good is it? | [`Judged::value`] | a search; as a [win probability](chance()) |
//! | which moves keep it? | [`Judged::moves`], [`Room`] | one search per legal move that only decides this |
//! | which moves only seem to keep it? | [`Trap`] | the same search, three plies deep |
//! | how deep is the plan for it? | [`PlanSafety`] | alpha-beta-conspiracy search (McAllester & Yuret 1993) |
//! | is there a move that must be found? | [`Verdict`] | moves that hold; whether a sole one is natural |
//! | will the value last? | [`movement`] | moves that hold, of both sides |
//! | what would a human play, how often err? | [`human`], [`Judged::error_chance`] | a choice model |
//!
//! Plan safety is computed once for each side. Every other number is about the side to move. The moves
//! that the other side has to find are determined after the best move; [`explain`] does both. Both
//! sides' numbers come from one position, so that they are not independent: a sharp position is sharp
//! for both.
//!
//! Everything is measured with a stated [`Effort`] in nodes, on one thread, and is reproducible from run
//! to run. The number of lines to display does not affect any of it.

mod accuracy;
mod analyst;
mod annotate;
mod chance;
mod effort;
mod explain;
mod html;
pub mod human;
mod judge;
pub mod movement;
mod plans;
mod story;
mod verdict;

/// Incremented whenever the same effort may give other findings than before. Every key under which
/// findings are stored must include it.
pub const REVISION: u32 = 8;

pub use accuracy::move_accuracy;
pub use analyst::{Analyst, Judged, JudgedMove, Known, Room, Trap, Value, numbered, over};
pub use annotate::{
    AnnotatedGame, AnnotatedMove, END_EFFORT, MARKS, Remark, Safety, Standing, Tally, annotate, clock, erase,
    sentence, write_into,
};
pub use chance::{SLOPE, chance, score_of};
pub use effort::Effort;
pub use explain::{Explanation, LastChance, Practical, Run, explain, explain_unclaimed, last_chance};
pub use html::{
    html, html_explained, html_move, html_of, html_pieces, html_plain, html_step, html_title, write_html,
};
pub use judge::{Asked, Found, Held, Judge, JudgeError, Own};
pub use plans::{PlanSafety, Plans};
pub use story::{CAN_HOLD, Moment, MomentKind, NamedOpening, Story, WINNING};
pub use verdict::{EXPECTED, Natural, Verdict};
