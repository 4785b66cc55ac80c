//! The compiled part of the Python package `cassius`, as the module `cassius._native`.
//!
//! Questions and answers are JSON, as for the page of a browser. What a user sees is written in Python, in
//! the folder `cassius`, which turns questions and answers into typed objects. Objects of the user cross the
//! border as they are: callbacks, and games written in Python.
//!
//! | file | what it does |
//! |---|---|
//! | `watch.rs` | ends a search: by its nodes, its time, a signal, or an exception |
//! | `engine.rs` | searches chess positions |
//! | `insight.rs` | explains positions, annotates games |
//! | `proofs.rs` | proves mates, certifies values, checks certificates |
//! | `python_game.rs` | makes a game of the library of a game written in Python |
//! | `games.rs` | searches games |
//! | `pgn.rs` | takes collections of games apart |
//! | `study.rs` | keeps studies |

mod engine;
mod games;
mod insight;
mod message;
mod pgn;
mod proofs;
mod python_game;
mod study;
mod watch;

use pyo3::prelude::*;

/// The compiled part of the package. Questions and answers are JSON; see the module `cassius`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::engine::{Engine, recipes};
    #[pymodule_export]
    use crate::games::{games, python_game_recipes, search_game, search_python_game};
    #[pymodule_export]
    use crate::insight::{annotate, explain};
    #[pymodule_export]
    use crate::pgn::Games;
    #[pymodule_export]
    use crate::proofs::{certificate_json, certify, certify_game, check, prove_mate};
    #[pymodule_export]
    use crate::study::Study;

    /// The version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The greatest number of iterations, and of plies of a line.
    #[pymodule_export]
    const MAX_PLY: usize = cassius_search::MAX_PLY;
}
