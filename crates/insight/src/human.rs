//! What a human would play: the chance of every legal move, for a player of a given rating.
//!
//! A conditional choice model: a move is played with probability e^u ÷ Σ e^u over the legal moves. The
//! utility u of a move is a weighted sum of its [`FEATURES`], which have names, and of two tables: the
//! piece and the square it goes to, for the middlegame and the endgame, and the piece and the square it
//! leaves. The weight of a feature is linear in the rating and in what is known of the game ([`Player`]).
//! All weights are in one file, human.txt, which `cassius lab human` fits to rated games.
//!
//! *Reference:* D. McFadden, "Conditional logit analysis of qualitative choice behavior", 1974; for chess,
//! the model of K. W. Regan and G. McC. Haworth, "Intrinsic Chess Ratings", AAAI 2011. *Deviations:* Regan
//! and Haworth use the values of one deep search; here shallow searches and properties of the move that
//! people see are features too.

mod features;

pub use features::Choice;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};

/// The number of looks at a move: without a reply, and after one, two and three iterations of the shallow
/// search.
pub const LOOKS: usize = 4;

/// The names of the features of a move, in the order of their weights.
pub const FEATURES: [&str; 62] = [
    // How it looks: by how much it seems worse than the move that looks best.
    "loss at once, small",
    "loss at once, middling",
    "loss at once",
    "loss after 1 iteration, small",
    "loss after 1 iteration, middling",
    "loss after 1 iteration",
    "loss after 2 iterations, small",
    "loss after 2 iterations, middling",
    "loss after 2 iterations",
    "loss after 3 iterations, small",
    "loss after 3 iterations, middling",
    "loss after 3 iterations",
    "looks best at once",
    "looks best after 1 iteration",
    "looks best after 2 iterations",
    "looks best after 3 iterations",
    // What the judge found.
    "holds",
    "is best",
    "is the only one that holds",
    // What it does.
    "capture that wins material",
    "even capture",
    "capture that loses material",
    "value of what is captured",
    "recapture",
    "captures the piece that just moved",
    "puts a piece where it is lost",
    "goes where a pawn attacks it",
    "safe check",
    "check that loses material",
    "mate",
    "promotes to a queen",
    "promotes to another piece",
    "castles on the king side",
    "castles on the queen side",
    "rescues the piece that moves",
    "leaves another piece hanging",
    "value of what it threatens",
    "king leaves check",
    "check is blocked",
    "moves the piece of the last move again",
    "takes the last move back",
    "nearness to the other side's last move",
    "captures there when nothing was captured",
    "goes backward",
    "goes forward",
    "length",
    "advances a passed pawn",
    "pawn attacks a pawn",
    "pawn moves in front of its king",
    "pawn moves two squares",
    "even capture, for each unit ahead",
    "trades queens",
    "trades queens, for each unit ahead",
    "repeats a position",
    "repeats a position, for each unit ahead",
    "attacks squares next to the king",
    "lands on a protected square",
    "attacked piece moves away from a lesser one",
    "quiet move in a position with a winning capture",
    "looks better with each iteration",
    "looks worse with each iteration",
    "attacks an unprotected piece",
];

/// The names of what decides whether a move that is played is an error, in the order of their weights. The
/// judge may be mistaken, the more so the less deep it looked; and where strong players choose a move that
/// does not hold, it is more often right than where weak ones do.
pub const DOUBTS: [&str; 14] = [
    "error: constant",
    "error: holds",
    "error: loss after 1 iteration, middling",
    "error: loss after 2 iterations, middling",
    "error: loss after 3 iterations, small",
    "error: loss after 3 iterations, middling",
    "error: loss after 3 iterations",
    "error: does not hold, by depth",
    "error: holds, by depth",
    "error: share of the moves that hold",
    "error: distance from equality",
    "error: capture",
    "error: rating",
    "error: rating, if it holds",
];

/// The names of what turns the sum over all moves into the chance of an error, in the order of their weights.
/// The sum alone is too sure of itself.
pub const SUMS: [&str; 8] = [
    "sum: constant",
    "sum: logit of the sum over the moves",
    "sum: logit of the chance that the move holds",
    "sum: share of the moves that hold",
    "sum: distance from equality",
    "sum: rating",
    "sum: rating, for each unit of the logit",
    "sum: logit of the sum above -1",
];

const DENSE: usize = FEATURES.len();
const TO: usize = 2 * 6 * 64;
const FROM: usize = 6 * 64;

/// The parts of each weight: a constant, and by how much it changes with the rating, the time of the game,
/// the year, a short clock, and on chess.com instead of Lichess.
pub const PARTS: usize = 6;

/// The features of a legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// The values of [`FEATURES`].
    pub dense: [f32; DENSE],
    /// The places in the tables: piece and target, piece and origin.
    pub places: [u16; 2],
}

/// A player, as far as the file of a game tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// The Elo rating on the platform.
    pub elo: f64,
    /// The time for the game in seconds: the base time and the increments for 40 moves.
    pub seconds: Option<f64>,
    /// The year of the game. Ratings do not mean the same in every year.
    pub year: Option<f64>,
    /// Seconds on the clock before the move.
    pub clock: Option<f64>,
    /// Whether the game was played on chess.com. Other platforms count as Lichess.
    pub chess_com: bool,
}

impl From<f64> for Player {
    /// Returns a player of whom only the rating is known.
    fn from(elo: f64) -> Player {
        Player { elo, seconds: None, year: None, clock: None, chess_com: false }
    }
}

/// The ratings of the players to whom the model was fitted, but for a few.
pub const SEEN: std::ops::RangeInclusive<f64> = 700.0..=2400.0;
/// The years of their games, but for a few.
pub const SEEN_YEARS: std::ops::RangeInclusive<f64> = 2013.0..=2022.0;
/// By which factor the odds of an error may differ from what is told, in other years. In games of 2026 the
/// tenth of the moves for which the model is most wrong has odds of 0.29 where 0.33 are told; of smaller
/// chances the odds differ by up to a factor of 1.5.
pub const ODDS: f64 = 1.4;

impl Player {
    /// Returns a player with this rating, and what the tags of the game tell: `TimeControl`, `UTCDate` or
    /// `Date`, `Site`.
    ///
    /// ```
    /// use cassius_chess::pgn::Game;
    /// use cassius_insight::human::Player;
    /// let game: Game = "[Date \"2022.??.??\"]\n[TimeControl \"180+2\"]\n\n1. e4 *".parse()?;
    /// let player = Player::of(&game.tags, 1500.0);
    /// assert_eq!((player.seconds, player.year), (Some(260.0), Some(2022.0)));
    /// # Ok::<(), cassius_chess::pgn::PgnError>(())
    /// ```
    pub fn of(tags: &[(String, String)], elo: f64) -> Player {
        let tag = |name: &str| tags.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str());
        let time = tag("TimeControl").and_then(|control| {
            let (base, increment) = control.split_once('+').unwrap_or((control, "0"));
            let (base, increment) = (base.parse::<u32>().ok()?, increment.parse::<u32>().ok()?);
            Some(f64::from(base) + 40.0 * f64::from(increment)).filter(|seconds| *seconds > 0.0)
        });
        let year = |name: &str| tag(name)?.get(..4)?.parse::<u32>().ok();
        let year = ["UTCDate", "Date"].into_iter().find_map(year).map(f64::from);
        let chess_com = tag("Site").is_some_and(|site| site.to_lowercase().contains("chess.com"));
        Player { elo, seconds: time, year, clock: None, chess_com }
    }

    /// Returns the same player with so many seconds on the clock.
    pub fn with_clock(self, clock: Option<f64>) -> Player {
        Player { clock, ..self }
    }

    /// Returns what the parts of the weights are multiplied by. What is not known counts as ten minutes a
    /// game on Lichess in the year 2020, with time on the clock.
    pub fn known(&self) -> [f64; PARTS] {
        let time = self.seconds.map_or(0.0, |seconds| (seconds.clamp(30.0, 7200.0) / 600.0).ln() / 2.0);
        let year = self.year.map_or(0.0, |year| (year.clamp(2010.0, 2030.0) - 2020.0) / 5.0);
        let short = self.clock.map_or(0.0, |clock| (60.0 / clock.max(1.0)).ln().max(0.0) / 2.0);
        let elo = (self.elo.clamp(400.0, 3000.0) - 1500.0) / 400.0;
        [1.0, elo, time, year, short, f64::from(u8::from(self.chess_com))]
    }
}

/// The utility of a move: a part for each of [`Player::known`].
#[derive(Clone, Copy, Debug, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Utility(pub [f32; PARTS]);

/// The logit of the chance that a move is an error if it is played: a constant, and a part for the rating.
#[derive(Clone, Copy, Debug, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Doubt(pub [f32; 2]);

impl Doubt {
    /// Returns the chance that the move is an error if this player plays it.
    pub fn chance(self, player: &Player) -> f64 {
        let [constant, by_rating] = self.0.map(f64::from);
        1.0 / (1.0 + (-(constant + by_rating * player.known()[1])).exp())
    }
}

/// The weights of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanModel {
    /// A row for each feature, then for each place in the tables.
    pub weights: Vec<[f32; PARTS]>,
    /// The weights of [`DOUBTS`].
    pub doubts: [f32; DOUBTS.len()],
    /// The weights of [`SUMS`].
    pub sums: SumWeights,
}

/// The weights of [`SUMS`].
#[derive(Clone, Copy, Debug, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
pub struct SumWeights(pub [f32; SUMS.len()]);

/// What the lines of the file are.
const LAYOUT: &str = "\
The weights of the model of what a human would play, in thousandths. Each has six parts: a constant, and by
how much it changes with the rating (a unit is 400 points, from 1500), the time of the game, the year, a
short clock, and on chess.com. First the features by name. Then, with one part, what decides whether a move
is an error. Then the tables by place: 0 to 767 the piece and its target (middlegame, endgame), 768 to 1151
the piece and its origin; pawn to king, a1 to h8 as the player sees the board.";

/// The number of rows of [`HumanModel::weights`].
pub const ROWS: usize = DENSE + TO + FROM;

/// The model that is built in.
static BUILT_IN: LazyLock<Arc<HumanModel>> = LazyLock::new(|| {
    let model = HumanModel::parse(include_str!("human.txt"));
    Arc::new(model.expect("a test reads the file"))
});

impl HumanModel {
    /// Returns the model that is built in.
    pub fn built_in() -> Arc<HumanModel> {
        BUILT_IN.clone()
    }

    /// Reads the weights, as [`HumanModel::to_text`] writes them. Returns `None` if the text is something
    /// else.
    pub fn parse(text: &str) -> Option<HumanModel> {
        let mut weights = vec![[0.0; PARTS]; ROWS];
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        for (row, name) in FEATURES.iter().enumerate() {
            let (of, numbers) = lines.next()?.split_once(':')?;
            weights[row] = if of == *name { numbers_of(numbers)? } else { return None };
        }
        let (mut doubts, mut sums) = ([0.0; DOUBTS.len()], SumWeights::default());
        for (weight, name) in doubts.iter_mut().zip(DOUBTS).chain(sums.0.iter_mut().zip(SUMS)) {
            let number = lines.next()?.strip_prefix(name)?.strip_prefix(": ")?;
            *weight = number.parse::<i32>().ok()? as f32 / 1000.0;
        }
        for line in lines {
            let (row, numbers) = line.split_once(':')?;
            *weights.get_mut(row.parse::<usize>().ok()?.checked_add(DENSE)?)? = numbers_of(numbers)?;
        }
        Some(HumanModel { weights, doubts, sums })
    }

    /// Returns the weights as text: a line for each feature with its name and the parts of its weight, and
    /// a line for each place of the tables that has a weight. The first lines say what the weights are, and
    /// what they were fitted to; there are none if `about` is empty.
    pub fn to_text(&self, about: &str) -> String {
        let numbers = |weights: &[f32; PARTS]| {
            let each = weights.iter().map(|weight| format!("{}", (weight * 1000.0).round() as i32));
            each.collect::<Vec<_>>().join(" ")
        };
        let layout = if about.is_empty() { "" } else { LAYOUT };
        let mut text: String =
            layout.lines().chain(about.lines()).map(|line| format!("# {line}\n")).collect();
        for (row, weights) in self.weights.iter().enumerate() {
            if row == DENSE {
                let doubts = DOUBTS.iter().zip(self.doubts).chain(SUMS.iter().zip(self.sums.0));
                text.extend(
                    doubts.map(|(name, weight)| format!("{name}: {}\n", (weight * 1000.0).round() as i32)),
                );
            }
            match FEATURES.get(row) {
                Some(name) => text += &format!("{name}: {}\n", numbers(weights)),
                None if weights.iter().all(|weight| weight.abs() < 0.0005) => (),
                None => text += &format!("{}: {}\n", row - DENSE, numbers(weights)),
            }
        }
        text
    }

    /// Returns the utility of a move.
    pub fn utility(&self, features: &Features) -> Utility {
        let mut utility = [0.0; PARTS];
        for (row, value) in features.rows() {
            for (part, weight) in utility.iter_mut().zip(&self.weights[row]) {
                *part += weight * value;
            }
        }
        Utility(utility.map(rounded))
    }
}

impl HumanModel {
    /// Returns how likely it is that a move is an error if it is played.
    pub fn doubt(&self, inputs: &[f32; DOUBTS.len()]) -> Doubt {
        let of = |range: std::ops::Range<usize>| -> f32 {
            range.map(|index| self.doubts[index] * inputs[index]).sum()
        };
        Doubt([of(0..BY_RATING), of(BY_RATING..DOUBTS.len())].map(rounded))
    }
}

/// What is added up over the moves of a position, for the chance of an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sums {
    /// The sum over all moves but the best: how many choose the move, times how likely it is an error.
    pub errors: f64,
    /// The chance that a move is chosen that holds.
    pub holds: f64,
    /// The number of moves that hold ÷ the number of legal moves.
    pub share: f64,
    /// The win probability.
    pub chance: f64,
}

impl Sums {
    /// Returns the values of [`SUMS`].
    pub fn inputs(&self, player: &Player) -> [f64; SUMS.len()] {
        let logit = |chance: f64| {
            let chance = chance.clamp(1e-4, 1.0 - 1e-4);
            (chance / (1.0 - chance)).ln()
        };
        let (errors, elo) = (logit(self.errors), player.known()[1]);
        [
            1.0,
            errors,
            logit(self.holds),
            self.share,
            (self.chance - 0.5).abs(),
            elo,
            elo * errors,
            (errors + 1.0).max(0.0),
        ]
    }
}

impl SumWeights {
    /// Returns the chance of an error.
    pub fn error_chance(&self, sums: &Sums, player: &Player) -> f64 {
        let terms =
            sums.inputs(player).into_iter().zip(self.0).map(|(input, weight)| input * f64::from(weight));
        1.0 / (1.0 + (-terms.sum::<f64>()).exp())
    }
}

/// From here on the weights of [`DOUBTS`] are multiplied by the rating.
const BY_RATING: usize = 12;

/// Rounds to three places. More have no meaning and take space in files.
fn rounded(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}

/// Reads the parts of a weight, in thousandths.
fn numbers_of(text: &str) -> Option<[f32; PARTS]> {
    let mut numbers = text.split_whitespace().map(|word| word.parse::<i32>().ok());
    let mut weights = [0.0; PARTS];
    for weight in &mut weights {
        *weight = numbers.next()?? as f32 / 1000.0;
    }
    numbers.next().is_none().then_some(weights)
}

impl Features {
    /// Returns the rows of the weights that count, with the value of the feature.
    pub fn rows(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let dense = self.dense.iter().copied().enumerate().filter(|(_, value)| *value != 0.0);
        let [to, from] = self.places.map(usize::from);
        dense.chain([(DENSE + to, 1.0), (DENSE + TO + from, 1.0)])
    }
}

/// Returns the chance of every move from its utility, for this player.
pub fn shares(utilities: &[Utility], player: &Player) -> Vec<f64> {
    let known = player.known();
    let of = |utility: &Utility| -> f64 {
        utility.0.iter().zip(known).map(|(part, known)| f64::from(*part) * known).sum()
    };
    let utilities: Vec<f64> = utilities.iter().map(of).collect();
    let most = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = utilities.iter().map(|utility| (utility - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}
