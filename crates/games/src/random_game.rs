//! Irregular random games with nearly every capability, for property tests.
//!
//! A game is drawn from its seed like a [`RandomTree`](crate::RandomTree), but nothing is uniform:
//! positions differ in the number of their moves; games end early by win, loss, draw or points;
//! positions may transpose or repeat; moves are noisy; sides are in check and pass.

use crate::fields::{FieldError, Fields, in_range};
use crate::{draw, mix};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::game::{Bounded, Defuse, Hung, MoveIndexed, Repeats, Structured, Threat, Threats};
use cassius_search::{Checks, Depth, Game, Keyed, Noisy, Outcome, Pass, Score, Static, playable};
use std::str::FromStr;

/// The distribution from which a game is drawn. Chances are in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The seed of the game.
    pub seed: u64,
    /// Which paths lead to the same position.
    pub shape: Shape,
    /// The maximum number of moves of a position. Each position has between 1 and this many moves unless
    /// the game is over.
    pub branching: u8,
    /// The chance that the game is over, at any position including the root.
    pub ends: u8,
    /// The chance that a move is noisy.
    pub noisy: u8,
    /// The number of noisy moves that a game can have: each takes a piece that is then gone.
    pub pieces: u8,
    /// The chance that the side to move is in check.
    pub checks: u8,
    /// Static values are drawn from −spread..=spread. A small spread gives many ties.
    pub spread: u16,
    /// The number of quiet plies after which the game is drawn by rule.
    pub patience: u16,
}

/// Which paths of a [`RandomGame`] lead to the same position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// None: every path leads to a different position.
    Tree,
    /// Each ply has this many positions, each reached by many paths. No position repeats.
    Layers(u32),
    /// The whole game has this many positions between two noisy moves: positions repeat, and lines need
    /// not end. Noisy moves cannot be undone.
    Cycles(u32),
}

impl Default for Rules {
    /// A tree with up to four moves per position, in which every kind of event occurs.
    fn default() -> Rules {
        Rules {
            seed: 0,
            shape: Shape::Tree,
            branching: 4,
            ends: 8,
            noisy: 25,
            pieces: 4,
            checks: 15,
            spread: 20,
            patience: u16::MAX,
        }
    }
}

impl Rules {
    /// Returns the initial position.
    ///
    /// ```
    /// use cassius_games::random_game::{Rules, Shape};
    /// use cassius_search::{Keyed, Statics, minimax};
    ///
    /// let rules = Rules { shape: Shape::Cycles(10), ..Rules::default() };
    /// let value = |seed| minimax(&Rules { seed, ..rules }.root(), &mut Statics, 5);
    /// assert_eq!(value(3), value(3));
    /// assert_ne!(Rules { seed: 3, ..rules }.root().key(), Rules { seed: 4, ..rules }.root().key());
    /// ```
    pub fn root(self) -> RandomGame {
        RandomGame { rules: self, place: 0, ply: 0, quiet: 0, pieces: self.pieces, max_to_move: true }
    }
}

/// A position of a random game. A move is a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomGame {
    rules: Rules,
    place: u64,
    /// The number of moves played. With layers it is a part of the position.
    ply: u16,
    /// Plies since the last noisy move.
    quiet: u16,
    pieces: u8,
    max_to_move: bool,
}

/// Streams of [`draw`]: one for each quantity drawn at a position.
const VALUE: u64 = 0;
const END: u64 = 1;
const MOVES: u64 = 2;
const OUTCOME: u64 = 3;
const CHECK: u64 = 4;
const MAY_PASS: u64 = 5;
const HUNG: u64 = 6;
const MAY_PROMOTE: u64 = 7;
const MAY_MATE: u64 = 8;
/// Streams for each move.
const NOISY: u64 = 1 << 8;
const GAIN: u64 = 2 << 8;
const EXCHANGE: u64 = 3 << 8;
const SAVES: u64 = 4 << 8;
const PROMOTES: u64 = 5 << 8;
const COUNTERS: u64 = 6 << 8;
const EXPOSED: u64 = 7 << 8;
/// Streams for each move and threat.
const DEFUSE: u64 = 1 << 16;

impl RandomGame {
    /// Returns the number of quiet plies since the game began or a noisy move was played.
    pub fn quiet_plies(&self) -> usize {
        usize::from(self.quiet)
    }

    /// Returns the state without the side to move.
    fn board(&self) -> u64 {
        let ply = if let Shape::Layers(_) = self.rules.shape { self.ply } else { 0 };
        mix(mix(self.rules.seed).wrapping_add(self.place)
            ^ u64::from(ply) << 48
            ^ u64::from(self.pieces) << 40)
    }

    fn draw(&self, stream: u64, below: u64) -> u64 {
        draw(self.key(), stream, below)
    }

    fn happens(&self, stream: u64, percent: u8) -> bool {
        self.draw(stream, 100) < u64::from(percent)
    }

    fn quiet_moves(&self) -> impl Iterator<Item = u8> {
        (0..self.count()).filter(|mv| !self.is_noisy(*mv))
    }

    fn count(&self) -> u8 {
        if self.happens(END, self.rules.ends) {
            0
        } else {
            1 + self.draw(MOVES, u64::from(self.rules.branching)) as u8
        }
    }
}

impl Game for RandomGame {
    type Move = u8;

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(0..self.count());
    }

    fn play(&mut self, mv: u8) {
        let next = mix(self.key().wrapping_add(u64::from(mv) + 1));
        let noisy = self.is_noisy(mv);
        self.place = match self.rules.shape {
            Shape::Tree => next,
            Shape::Layers(places) | Shape::Cycles(places) => next % u64::from(places.max(1)),
        };
        self.pieces -= u8::from(noisy);
        self.quiet = if noisy { 0 } else { self.quiet.saturating_add(1) };
        self.ply = self.ply.saturating_add(1);
        self.max_to_move = !self.max_to_move;
    }

    fn is_over(&self) -> bool {
        self.count() == 0
    }

    fn outcome(&self) -> Outcome {
        match self.draw(OUTCOME, 4) {
            0 => Outcome::Win,
            1 => Outcome::Loss,
            2 => Outcome::Draw,
            _ => Outcome::Points(self.static_value()),
        }
    }
}

/// The value of the board, which a pass does not change.
impl Static for RandomGame {
    fn static_value(&self) -> Score {
        let spread = i32::from(self.rules.spread);
        let value = Score(draw(self.board(), VALUE, 2 * spread as u64 + 1) as i32 - spread).clamp_estimate();
        if self.max_to_move { value } else { -value }
    }

    /// Returns `None`, which asks for a deeper search, when in check.
    fn judged_value(&self, _: Depth) -> Option<Score> {
        (!self.in_check()).then(|| self.static_value())
    }
}

/// The game may end with the next move.
impl Bounded for RandomGame {
    fn bounds(&self, ply: usize) -> (Score, Score) {
        (Score::loss_in(ply + 1), Score::win_in(ply + 1))
    }
}

/// The key is that of the place. Games with other rules may have the same keys.
impl Keyed for RandomGame {
    fn key(&self) -> u64 {
        mix(self.board() ^ u64::from(self.max_to_move))
    }

    fn code(&self, mv: u8) -> u16 {
        u16::from(mv) + 1
    }
}

/// Moves with the same number share a slot.
impl MoveIndexed for RandomGame {
    const MOVE_INDICES: usize = 256;

    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }

    const EXPOSURES: usize = 2;

    fn exposure(&self, mv: u8) -> usize {
        self.draw(EXPOSED + u64::from(mv), Self::EXPOSURES as u64) as usize
    }
}

/// A move defuses a third of all threats.
impl Defuse for RandomGame {
    fn defuses(&self, mv: u8, threat: usize) -> bool {
        self.draw(DEFUSE + ((threat as u64) << 8) + u64::from(mv), 3) == 0
    }
}

/// The pieces left, and a part that an eighth of all positions have in common.
impl Structured for RandomGame {
    const PARTS: usize = 2;

    fn part_key(&self, part: usize) -> u64 {
        let common = if part == 0 { u64::from(self.pieces) } else { self.place % 8 };
        mix(common << 2 | (part as u64) << 1 | u64::from(self.max_to_move))
    }
}

impl Checks for RandomGame {
    fn in_check(&self) -> bool {
        self.happens(CHECK, self.rules.checks)
    }
}

/// Passing may be tried in half of the positions without check. No position before a pass can repeat
/// after it.
impl Pass for RandomGame {
    fn may_pass(&self) -> bool {
        !self.in_check() && self.happens(MAY_PASS, 50)
    }

    fn pass(&mut self) {
        self.quiet = 0;
        self.max_to_move = !self.max_to_move;
    }
}

/// Noisy moves take pieces, so a line of noisy moves ends.
impl Noisy for RandomGame {
    fn noisy_moves(&self, moves: &mut Vec<u8>) {
        moves.extend((0..self.count()).filter(|mv| self.is_noisy(*mv)));
    }

    fn is_noisy(&self, mv: u8) -> bool {
        self.pieces > 0 && self.happens(NOISY + u64::from(mv), self.rules.noisy)
    }

    fn gain(&self, mv: u8) -> Score {
        Score(if self.is_noisy(mv) {
            self.draw(GAIN + u64::from(mv), u64::from(self.rules.spread) + 1) as i32
        } else {
            0
        })
    }

    /// A noisy move takes back if it has the same number as the move before it.
    fn takes_back(&self, mv: u8, before: u8) -> bool {
        mv == before
    }

    fn noisy_rank(&self, mv: u8) -> i32 {
        self.gain(mv).0
    }

    /// Even gains and odd ones.
    const NOISY_KINDS: usize = 2;

    fn noisy_kind(&self, mv: u8) -> usize {
        self.gain(mv).0 as usize % Self::NOISY_KINDS
    }

    /// An exchange ends at a random value between the gain and a loss of the spread.
    fn exchange_at_least(&self, mv: u8, threshold: Score) -> bool {
        let (gain, spread) = (self.gain(mv).0, i32::from(self.rules.spread));
        gain - self.draw(EXCHANGE + u64::from(mv), (gain + spread + 1) as u64) as i32 >= threshold.0
    }
}

/// In a third of the positions something is hung. One quiet move in four saves it.
impl Hung for RandomGame {
    fn saving_moves(&self, moves: &mut Vec<u8>) -> bool {
        let hung = self.happens(HUNG, 33);
        if hung {
            moves.extend(self.quiet_moves().filter(|mv| self.happens(SAVES + u64::from(*mv), 25)));
        }
        hung
    }
}

/// Each threat is possible in a third of the positions. Every other noisy move promotes, and every other
/// quiet move is a counter-move against either threat.
impl Threats for RandomGame {
    fn may_threaten(&self, threat: Threat) -> bool {
        match threat {
            Threat::Promotion => self.happens(MAY_PROMOTE, 33),
            Threat::Mate => self.happens(MAY_MATE, 33),
        }
    }

    fn promotes(&self, mv: u8) -> bool {
        self.is_noisy(mv) && self.happens(PROMOTES + u64::from(mv), 50)
    }

    fn counter_moves(&self, _: Threat, moves: &mut Vec<u8>) {
        moves.extend(self.quiet_moves().filter(|mv| self.happens(COUNTERS + u64::from(*mv), 50)));
    }
}

impl Repeats for RandomGame {
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    fn reversible_plies(&self) -> usize {
        if let Shape::Cycles(_) = self.rules.shape { self.quiet_plies() } else { 0 }
    }

    fn drawn_by_rule(&self) -> bool {
        self.quiet >= self.rules.patience && self.count() > 0
    }

    fn leads_to(&self, earlier: u64) -> bool {
        (0..self.count()).any(|mv| {
            let mut child = *self;
            child.play(mv);
            child.key() == earlier
        })
    }
}

playable!(RandomGame, "a random game", draws: Repetition);

/// Parses the initial position of a game: `seed,branching`, followed by the shape if it is not a tree:
/// `seed,branching,layers=9` or `seed,branching,cycles=9`. All other rules are those of
/// [`Rules::default`].
///
/// ```
/// use cassius_games::RandomGame;
/// use cassius_games::random_game::{Rules, Shape};
///
/// let rules = Rules { seed: 7, branching: 3, shape: Shape::Cycles(9), ..Rules::default() };
/// assert_eq!("7,3,cycles=9".parse(), Ok(rules.root()));
/// ```
impl FromStr for RandomGame {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<RandomGame, FieldError> {
        let mut fields = Fields::new(text, "seed,branching or seed,branching,shape");
        let seed = fields.number("seed", 0, u64::MAX)?;
        let branching = fields.number("branching", 1, 255)? as u8;
        let places = |found| in_range("number of places", found, 1, u32::MAX.into()).map(|n| n as u32);
        let word = fields.word().unwrap_or("tree");
        let shape = match word.split_once('=').unwrap_or((word, "")) {
            ("tree", "") => Shape::Tree,
            ("layers", number) => Shape::Layers(places(number)?),
            ("cycles", number) => Shape::Cycles(places(number)?),
            _ => {
                let known = "tree, layers=N, cycles=N";
                return Err(FieldError::UnknownWord { field: "shape", known, found: word.into() });
            }
        };
        fields.end()?;
        Ok(Rules { seed, branching, shape, ..Rules::default() }.root())
    }
}
