//! Game-tree search for any two-player game.
//!
//! Two families. Depth-first: one alpha-beta skeleton, whose every step is a typed slot of a [`Recipe`], under any depth rule
//! ([`Horizon`]) and driven by [`search`]. Best-first: one tree in memory, grown by conspiracy numbers and their relatives ([`best_first`]). What a
//! game must tell them is [`Game`]; what it may tell beyond that are capabilities of their own. Plans behind values, and their certificates,
//! belong to both ([`strategy`], [`certificate`]).

mod abc_paper;
mod alphabeta;
pub mod best_first;
pub mod certificate;
mod component;
mod deepening;
mod depth;
mod draws;
mod driver;
mod game;
mod horizon;
mod laboratory;
mod limits;
mod memory;
mod minimax;
mod move_stack;
mod observe;
mod options;
mod order;
pub mod proof;
mod quiescence;
mod recipe;
mod score;
mod selectivity;
mod slot;
mod stability;
pub mod strategy;
mod window;
mod windows;
mod worker;

pub use abc_paper::AbcPaper;
pub use alphabeta::{NodeKind, Pv, Root, RootScout, Scout, Whole};
pub use component::{Component, Off, Parameter, Spare, Switch, Visitor};
pub use deepening::MoveAndRefutation;
pub use depth::{Depth, Depths};
pub use draws::Repetition;
pub use driver::{Answer, Report, Request, search, search_parallel};
pub use game::{
    Bounded, Checks, Defuse, Evaluate, Game, Hung, Keyed, LastMoveWins, Noisy, Outcome, Pass, Repeats,
    Slotted, Threaded, Threat, Threats,
};
pub use horizon::{
    Abc, CheckReplies, Complicated, Coupled, Discount, Discounted, Discounts, DualCredit, EvaluatorAsks,
    Expanded, ExtendHorizon, FailHard, Horizon, Interest, Likelihood, NearPv, Plies, SAFETY_NAMES, Safety,
    SafetyError, Sex, Sort, Step, UncountedChecks, suffices,
};
pub use laboratory::{Laboratory, Setting, presets};
pub use limits::{Limits, Nodes, Patience, Progress, StopFlag, Stopped, Unlimited};
pub use memory::{Advice, Hit, SingleBound, Table, TableError, prefetch};
pub use minimax::minimax;
pub use observe::{Counters, Instability, Recorded, TreeRecorder};
pub use options::{
    FailedPass, LegalMoves, OptionRecorder, OptionSources, OrderedOptions, ReducedSearches,
    RememberedOptions, RootOptions, SiblingQuiescence, StaticEstimator, StaticMargin,
};
pub use order::{
    ChecksFirst, Continuation, CounterKillers, Countermove, DistantKillers, History, Killers, NoisyFirst,
    Reorder,
};
pub use quiescence::{
    Captures, ExactQuiescence, ForcingChecks, HungMoves, KillerMoves, MateThreat, PassWhenHung,
    PromotionThreat, QuietChecks, Site, Source, StandPatOrCapture, Standing, Trail, Verdict, WideQuiescence,
    Widened,
};
pub use recipe::{Candidate, Node, Recipe, Slots};
pub use score::Score;
pub use selectivity::{
    ExchangePruning, FailHighSingular, Futility, InternalReduction, KBest, LateMovePruning,
    LateMoveReduction, NoisyOnly, NullMove, Razoring, ReverseFutility, Singular,
};
pub use slot::{
    Aspire, Deepen, Draws, Extend, Facts, Failure, Found, Knowledge, Listing, Memory, Observe, Options,
    Order, Passing, Prune, Quiescence, Reduce, ReduceNode, Singularity, Skip, Skipped, Turn, Windows, rank,
};
pub use stability::{RootStability, Stability};
pub use window::{Bound, Window};
pub use windows::{
    Asking, Aspiration, LastMinimal, MinimalWindow, Mtd, Openings, Palphabeta, PalphabetaAbove, Question,
    ScoutWindow, WholeWindow,
};
pub use worker::{MAX_PLY, RootMove, Worker};
