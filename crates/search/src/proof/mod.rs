//! Proofs of forced wins by depth-first proof-number search.
//!
//! *Can one side win within n plies, whatever the other does?* The answer is yes, with a [`Strategy`] that a [`replay`] confirms
//! with the rules alone; or no, which is a proof too; or that the limits came first.
//!
//! | step | here |
//! |---|---|
//! | proof and disproof numbers (Allis 1994, §2), seen by the side to move (Nagai 2002) | `numbers` |
//! | df-pn: a position is searched until its numbers reach thresholds (Nagai 2002) | `df_pn` |
//! | its last three plies | `last_plies` |
//! | what is remembered, in memory of a given size | [`ProofTable`] |
//! | what a game adds: draws, first numbers, moves that may win | [`Attack`] |
//! | any win, of whatever length; the shortest | [`Prover::any`], [`Prover::shortest`] |
//! | the winner's strategy, read from the table | [`Prover::strategy`], [`Strategy`] |
//! | replaying it | [`replay`] |
//! | as a certificate, which has a file | [`certificate`] |
//! | single moves and lines; an answer to a [`Request`](crate::Request) | [`Prover::line`], [`Prover::refutation`], [`search()`] |
//!
//! *What a win is:* the game is over and the side that would have to move has lost ([`Outcome::Loss`](crate::Outcome::Loss)). A game whose last
//! mover loses, and points, are not won here; a draw by rule ([`Attack::is_drawn`]) is none either. Whose win is asked for is told by
//! the plies: a win ends with a move of the winner, so with an odd number of plies left he is to move, with an
//! even number the other side is.
//!
//! *Repetition:* the state that is searched is a position together with the plies left. It cannot come back, and a shortest win passes no
//! position twice. What was played before the root counts for nothing.

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

use crate::{Game, Limits, MAX_PLY, Stopped};
use df_pn::Child;
use numbers::Numbers;

/// Proves and disproves wins of any positions of a game.
///
/// ```
/// use cassius_search::proof::{Answer, Mobility, ProofTable, Prover, replay};
/// use cassius_search::{Game, Keyed, Outcome, Unlimited};
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
///         self.0
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
    /// The moves of every position on the line, with what is known of them.
    children: Vec<Child<G>>,
    /// How many of them are the root's.
    root_children: usize,
    /// Moves of the positions that are being listed or searched through.
    moves: Vec<G::Move>,
    /// The reply that refuted the last attack of two plies.
    refutation: Option<G::Move>,
    /// The node count at which the question is put off for another: [`Prover::any`].
    pause: u64,
}

/// What is found about a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is forced.
    Proven {
        /// Within so many plies.
        plies: usize,
        /// Whether it is proven that no win is shorter.
        shortest: bool,
    },
    /// There is none.
    Disproven {
        /// Within so many plies.
        within: usize,
    },
    /// The limits came first.
    Unknown {
        /// What has been disproven by then: within so many plies.
        disproven: Option<usize>,
        /// The proof number of the last question: of so many open positions at least, all must be won.
        proof: u32,
        /// Its disproof number.
        disproof: u32,
    },
}

impl<'a, G: Game, A: Attack<G>> Prover<'a, G, A> {
    /// A prover that counts its nodes, the moves it plays, for all its questions together.
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

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The table, with what is proven by now: for a prover with other limits.
    pub fn into_table(self) -> ProofTable {
        self.table
    }

    /// What it knows of the game.
    pub fn attack(&self) -> &A {
        &self.attack
    }

    /// Whether the winner wins within so many plies, at most [`MAX_PLY`]. With an odd number the side to move is to win, with
    /// an even number the other side.
    ///
    /// # Panics
    /// With more plies than that; so do the other questions.
    pub fn within(&mut self, position: &G, plies: usize) -> Answer {
        match self.ask(position, plies) {
            Ok(Some(found)) => Answer::Proven { plies: found, shortest: found <= 1 },
            Ok(None) => Answer::Disproven { within: plies },
            Err(Stopped) => self.unknown(plies, None),
        }
    }

    /// The plies within which a win is proven.
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

    /// The answer to a question that was given up.
    fn unknown(&self, plies: usize, disproven: Option<usize>) -> Answer {
        let Numbers { phi, delta } = self.root_numbers();
        let (proof, disproof) = if plies % 2 == 1 { (phi, delta) } else { (delta, phi) };
        Answer::Unknown { disproven, proof, disproof }
    }
}
