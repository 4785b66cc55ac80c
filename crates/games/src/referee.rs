//! The judge that certificate checking needs for the games of this crate.

use cassius_search::game::Repeats;
use cassius_search::plans::certificate::{Referee, Work, WorkLimit, is_repeated_or_drawn};
use cassius_search::{Score, Static, Window};

/// A judge that uses the game's static values and a function that names moves. Positions that are equal are
/// the same: everything that follows is.
///
/// ```
/// use cassius_games::{Connect4, Judge};
/// use cassius_search::plans::certificate::{certify, check};
/// use cassius_search::{Depth, Depths, Game, Off, Statics, Table, Unlimited};
/// use cassius_search::alpha_beta::horizon::Abc;
///
/// let position: Connect4 = "4455".parse()?;
/// let mut judge = Judge::new(|_: &Connect4, column: <Connect4 as Game>::Move| column.to_string());
/// let (asked, parts) = (Depths::both(Depth::PLY), (Statics, Table::new(1)?));
/// let found = certify::<_, Off, Off, _>(
///     &position, asked, Abc::default(), parts, &Unlimited, &mut judge, &mut |_| {},
/// );
/// let certificate = found.expect("a certificate").certificate;
/// let established = check(&position, &certificate, &mut judge)?;
/// assert!(established.at_most.is_some_and(|plan| plan.depth >= Depth::PLY));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Judge<G, N> {
    name: N,
    drawn: fn(&[G]) -> bool,
    repetition: fn(&G) -> (u64, usize),
}

impl<G, N> Judge<G, N> {
    /// Creates a judge for a game without draws by repetition or rule.
    pub fn new(name: N) -> Self {
        Judge { name, drawn: |_| false, repetition: |_| (0, 0) }
    }

    /// Creates a judge for a game with such draws.
    pub fn with_draws(name: N) -> Self
    where
        G: Repeats,
    {
        let repetition = |position: &G| (position.repetition_key(), position.reversible_plies());
        Judge { name, drawn: is_repeated_or_drawn, repetition }
    }
}

impl<G: Static + PartialEq, N: Fn(&G, G::Move) -> String> Referee<G> for Judge<G, N> {
    fn value(&mut self, position: &G, _: Window, work: &mut Work) -> Result<Score, WorkLimit> {
        work.spend(1)?;
        Ok(position.static_value())
    }

    fn name(&self, position: &G, mv: G::Move) -> String {
        (self.name)(position, mv)
    }

    fn same(&self, one: &G, other: &G) -> bool {
        one == other
    }

    fn repetition(&self, position: &G) -> (u64, usize) {
        (self.repetition)(position)
    }

    fn goes_on(&self, position: &G) -> bool {
        position.is_unexpanded()
    }

    fn is_drawn(&self, line: &[G]) -> bool {
        (self.drawn)(line)
    }
}
