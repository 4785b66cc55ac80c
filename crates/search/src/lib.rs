//! Game-tree search for any two-player game (work in progress).

mod alphabeta;
mod component;
mod depth;
mod draws;
mod driver;
mod game;
mod horizon;
mod limits;
mod memory;
mod minimax;
mod move_stack;
mod observe;
mod order;
mod quiescence;
mod recipe;
mod score;
mod selectivity;
mod slot;
mod window;
mod worker;

pub use alphabeta::{NodeKind, Pv, Root, Scout};
pub use component::{Component, Off, Parameter, Switch, Visitor};
pub use depth::{Depth, Depths};
pub use draws::Repetition;
pub use driver::{Answer, Aspiration, Report, Request, search, search_parallel};
pub use game::{
    Checks, Evaluate, Game, Hung, Keyed, Noisy, Outcome, Pass, Repeats, Slotted, Threat, Threats,
};
pub use horizon::{Abc, CheckReplies, Coupled, Horizon, Plies, Safety, Step, suffices};
pub use limits::{Limits, Nodes, Progress, StopFlag, Stopped, Unlimited};
pub use memory::{Hit, Table, TableError, prefetch};
pub use minimax::minimax;
pub use observe::{Counters, Recorded, TreeRecorder};
pub use order::{ChecksFirst, Continuation, Countermove, History, Killers, NoisyFirst};
pub use quiescence::{
    Captures, ForcingChecks, HungMoves, KillerMoves, MateThreat, PassWhenHung, PromotionThreat, QuietChecks,
    Site, Source, Standing, Trail, Verdict, Widened,
};
pub use recipe::{Candidate, Node, Recipe, Slots};
pub use score::Score;
pub use selectivity::{
    ExchangePruning, Futility, InternalReduction, LateMovePruning, LateMoveReduction, NullMove, Razoring,
    ReverseFutility, Singular,
};
pub use slot::{
    Aspire, Draws, Extend, Facts, Found, Knowledge, Memory, MinimalWindow, Observe, Order, Passing, Prune,
    Quiescence, Reduce, ReduceNode, Singularity, Skip, Skipped, WholeWindow, Windows, rank,
};
pub use window::{Bound, Window};
pub use worker::{MAX_PLY, RootMove, Worker};
