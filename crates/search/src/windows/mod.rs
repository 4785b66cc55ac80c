//! Windows: which one an iteration opens with, and which one each move is searched with.
//!
//! The first is the slot [`Aspire`](crate::Aspire), the second [`Windows`](crate::Windows). All of
//! these search the same tree in another order of questions: the value is the same.

mod aspiration;
mod moves;
mod mtd;
mod question;

pub use aspiration::Aspiration;
pub use moves::{LastMinimal, MinimalWindow, Palphabeta, PalphabetaAbove, ScoutWindow, WholeWindow};
pub use mtd::Mtd;
pub use question::Question;

use crate::{Spare, Switch};

/// The ways to search the moves of a node, to be switched: the first that is on, else [`MinimalWindow`].
pub type Asking = (
    Spare<WholeWindow>,
    (Spare<LastMinimal>, (Spare<Palphabeta>, (Spare<PalphabetaAbove>, (Spare<ScoutWindow>, MinimalWindow)))),
);

/// The ways to open an iteration, to be switched.
pub type Openings = (Switch<Aspiration>, Spare<Mtd>);
