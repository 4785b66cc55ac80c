//! Proves forced wins by depth-first proof-number search.
//!
//! The question is whether one side can win within n plies, whatever the other side does. There are
//! three answers. Yes: with a [`Strategy`] that [`replay`] confirms by the rules alone. No: this is also
//! a proof. Unknown: a limit was reached first.
//!
//! | step | here |
//! |---|---|
//! | proof and disproof numbers (Allis 1994, §2), seen by the side to move (Nagai 2002) | `numbers` |
//! | df-pn: a position is searched until its numbers reach thresholds (Nagai 2002) | `df_pn` |
//! | its last three plies | `last_plies` |
//! | the table of what is known, in memory of a fixed size | [`ProofTable`] |
//! | what a game adds: draws, first numbers, moves that may win | [`Attack`] |
//! | a win of any length; the shortest win | [`Prover::any`], [`Prover::shortest`] |
//! | the winner's strategy, read from the table | [`Prover::strategy`], [`Strategy`] |
//! | replaying the strategy | [`replay`] |
//! | the strategy as a certificate, which can be saved to a file | [`certificate`] |
//! | single moves and lines | [`Prover::line`], [`Prover::refutation`] |
//! | an answer to a [`Request`](crate::alpha_beta::Request) | [`search()`] |
//!
//! *What a win is:* the game is over and the side that would have to move has lost
//! ([`Outcome::Loss`](crate::game::Outcome::Loss)). Games in which the last mover loses, and games for
//! points, cannot be won in this sense. A draw by rule ([`Attack::is_drawn`]) is not a win either. The
//! number of plies determines the winner: a win ends with a move of the winner. With an odd number of
//! plies left the winner is to move; with an even number the other side is to move.
//!
//! *Repetition:* a state of the search is a position together with the plies left. It cannot recur, and
//! a shortest win does not pass the same position twice. Moves played before the root do not matter.

mod attack;
mod certificate;
mod df_pn;
mod last_plies;
mod line;
mod numbers;
mod replay;
mod search;
mod shortest;
mod strategy;
mod table;

pub use attack::{Attack, ChecksBefore, Mobility, Sight, by_mobility};
pub use certificate::{TooLarge, certificate};
pub use replay::{Flaw, FlawKind, Replayed, replay};
pub use search::search;
pub use strategy::{Step, Strategy};
pub use table::ProofTable;

use crate::alpha_beta::MAX_PLY;
use crate::game::{Game, Keyed};
use crate::limits::{Limits, Stopped};
use df_pn::Child;
use numbers::Numbers;

/// Proves and disproves wins in any positions of a game.
///
/// ```
/// use cassius_search::proof::{Answer, Mobility, ProofTable, Prover, replay};
/// use cassius_search::{Game, Keyed, Outcome, Unlimited, mix};
///
/// /// Take one or two stones; who takes the last one wins.
/// #[derive(Clone)]
/// struct Stones(u64);
///
/// impl Game for Stones {
///     type Move = u64;
///     fn moves(&self, moves: &mut Vec<u64>) {
///         moves.extend((1..=2).filter(|taken| *taken <= self.0));
///     }
///     fn play(&mut self, taken: u64) {
///         self.0 -= taken;
///     }
///     fn outcome(&self) -> Outcome {
///         Outcome::Loss
///     }
/// }
///
/// impl Keyed for Stones {
///     fn key(&self) -> u64 {
///         mix(self.0)
///     }
///     fn code(&self, taken: u64) -> u16 {
///         taken as u16
///     }
/// }
///
/// let mut prover = Prover::new(Mobility, ProofTable::new(1)?, &Unlimited);
/// assert_eq!(prover.shortest(&Stones(7), 9, &mut |_, _| {}), Answer::Proven { plies: 5, shortest: true });
/// assert_eq!(prover.within(&Stones(9), 9), Answer::Disproven { within: 9 });
///
/// let strategy = prover.strategy(&Stones(7), 5).expect("no limit").expect("a win");
/// assert_eq!(replay(&Stones(7), &strategy, |_| false).expect("no hole").plies, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prover<'a, G: Game, A> {
    attack: A,
    table: ProofTable,
    limits: &'a dyn Limits,
    next_poll: u64,
    nodes: u64,
    /// The moves of every position on the line, with what is known about them.
    children: Vec<Child<G>>,
    /// The number of entries in `children` that belong to the root.
    root_children: usize,
    /// The moves of the positions that are being listed or searched.
    moves: Vec<G::Move>,
    /// The reply that refuted the most recent attack of two plies.
    refutation: Option<G::Move>,
    /// The node count at which this question is put off for another one: see [`Prover::any`].
    pause: u64,
}

/// The answer to a question about a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Answer {
    /// The win is forced.
    Proven {
        /// The number of plies within which it is forced.
        plies: usize,
        /// Whether it is proven that no win is shorter.
        shortest: bool,
    },
    /// There is no win.
    Disproven {
        /// The number of plies within which there is none.
        within: usize,
    },
    /// A limit was reached first.
    Unknown {
        /// The greatest number of plies within which a win has been disproven so far.
        disproven: Option<usize>,
        /// The proof number of the last question: at least this many open positions must be won to prove
        /// the win.
        proof: u32,
        /// The disproof number of the last question.
        disproof: u32,
    },
}

impl<'a, G: Game, A: Attack<G>> Prover<'a, G, A> {
    /// Creates a prover. It counts its nodes, which are the moves that it plays, over all of its
    /// questions.
    pub fn new(attack: A, table: ProofTable, limits: &'a dyn Limits) -> Self {
        Prover {
            attack,
            table,
            limits,
            next_poll: 0,
            nodes: 0,
            children: Vec::new(),
            root_children: 0,
            moves: Vec::new(),
            refutation: None,
            pause: u64::MAX,
        }
    }

    /// Returns the number of nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the table with everything proven so far, for a prover with other limits.
    pub fn into_table(self) -> ProofTable {
        self.table
    }

    /// Replays a strategy as [`replay`](fn@replay) does, within the limits.
    ///
    /// # Errors
    /// Returns the first flaw, or [`FlawKind::Stopped`].
    pub fn replay(
        &self,
        position: &G,
        strategy: &Strategy<G::Move>,
        drawn: impl Fn(&G) -> bool,
    ) -> Result<Replayed<G::Move>, Flaw<G::Move>>
    where
        G: Keyed,
    {
        replay::replay_within(position, strategy, drawn, self.limits)
    }

    /// Returns the attack, which is what the prover knows about the game.
    pub fn attack(&self) -> &A {
        &self.attack
    }

    /// Asks whether the winner wins within this many plies, at most [`MAX_PLY`]. With an odd number the
    /// side to move is to win, with an even number the other side.
    ///
    /// # Panics
    /// If `plies` is greater than [`MAX_PLY`]. The same holds for the other questions.
    pub fn within(&mut self, position: &G, plies: usize) -> Answer {
        match self.ask(position, plies) {
            Ok(Some(found)) => Answer::Proven { plies: found, shortest: found <= 1 },
            Ok(None) => Answer::Disproven { within: plies },
            Err(Stopped) => self.unknown(plies, None),
        }
    }

    /// Returns the number of plies within which a win is proven, or `None` if it is disproven.
    fn ask(&mut self, position: &G, plies: usize) -> Result<Option<usize>, Stopped> {
        assert!(plies <= MAX_PLY, "a proof of {plies} plies is longer than any search");
        self.children.clear();
        self.moves.clear();
        self.root_children = 0;
        if self.attack.is_drawn(position) {
            return Ok(None);
        }
        let known = self.mid(position, plies, Numbers::NO_LIMIT)?;
        let won = known.numbers == Numbers::decided(true, plies % 2 == 1);
        Ok(won.then_some(known.plies.into()))
    }

    /// Returns the answer to a question that was given up.
    fn unknown(&self, plies: usize, disproven: Option<usize>) -> Answer {
        let Numbers { phi, delta } = self.root_numbers();
        let (proof, disproof) = if plies % 2 == 1 { (phi, delta) } else { (delta, phi) };
        Answer::Unknown { disproven, proof, disproof }
    }
}
