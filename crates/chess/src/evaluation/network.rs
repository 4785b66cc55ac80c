//! A network that has learned from games of the engine against itself.
//!
//! Each side has the same hidden layer, which sees the pieces from that side's view: its own and the
//! other's, with the board mirrored so that its king is on the files a to d. The value is a sum over both
//! layers, with weights that depend on the number of pieces on the board. A network either gives the whole
//! value or corrects the classical evaluation ([`Base`]).
//!
//! ```text
//! inputs 768 (side, role, square) → width, twice → squared clipped ReLU → 1 of 8 by number of pieces
//! ```
//!
//! Hidden layers are kept for recent positions and updated by the pieces that differ
//! (`accumulators.rs`). All arithmetic is with integers, and the same on every processor. The file is
//! described in `file.rs`.
//!
//! *References*: Yu Nasu 2018, "Efficiently Updatable Neural-Network-based Evaluation Functions for
//! Computer Shogi"; two views, squared activation and output buckets are customary in engines since 2021.

mod accumulators;
mod file;

pub(super) use accumulators::Accumulators;
pub use file::{
    BUCKETS, Base, HIDDEN_UNIT, INPUTS, LANES, MAX_INPUT_WEIGHT, MAX_OUTPUT_WEIGHT, MAX_WIDTH, NetworkError,
    OUTPUT_UNIT, Weights,
};

use super::{Evaluation, Evaluator};
use cassius_search::fnv;
use serde_json::Value;
use shakmaty::{Color, Role, Square};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};
use wide::{i16x16, i32x8};

/// The number of the input for a piece in one side's view. `mirrored` says that the side's king is on
/// the files e to h.
///
/// ```
/// use cassius_chess::evaluation::network::input;
/// use shakmaty::{Color, Piece, Role, Square};
/// let knight = Piece { color: Color::White, role: Role::Knight };
/// assert_eq!(input(Color::White, true, knight.color, knight.role, Square::G1), 64 + 1);
/// assert_eq!(input(Color::Black, false, knight.color, knight.role, Square::G1), 7 * 64 + 62);
/// ```
#[inline(always)]
pub const fn input(view: Color, mirrored: bool, color: Color, role: Role, square: Square) -> usize {
    let other = (view as usize ^ color as usize) & 1;
    let turned = if matches!(view, Color::White) { 0 } else { 56 };
    let flipped = if mirrored { 7 } else { 0 };
    (other * 6 + role as usize - 1) * 64 + (square as usize ^ turned ^ flipped)
}

/// Whether a view is mirrored: its king is on the files e to h.
#[inline(always)]
pub const fn is_mirrored(king: Square) -> bool {
    king as usize & 4 != 0
}

/// The set of output weights for a number of pieces on the board.
#[inline(always)]
pub const fn bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 4;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// Numbers that begin at an address that suits the processor.
#[derive(Debug)]
struct Aligned {
    numbers: Vec<i16>,
    start: usize,
}

impl Aligned {
    /// The size of a cache line, in numbers.
    const LINE: usize = 32;

    fn new(numbers: &[i16]) -> Aligned {
        let mut aligned = vec![0; numbers.len() + Aligned::LINE];
        let start = aligned.as_ptr().align_offset(2 * Aligned::LINE).min(Aligned::LINE);
        aligned[start..start + numbers.len()].copy_from_slice(numbers);
        aligned.truncate(start + numbers.len());
        Aligned { numbers: aligned, start }
    }
}

impl Deref for Aligned {
    type Target = [i16];

    #[inline(always)]
    fn deref(&self) -> &[i16] {
        &self.numbers[self.start..]
    }
}

impl DerefMut for Aligned {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [i16] {
        &mut self.numbers[self.start..]
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Aligned {
        Aligned::new(self)
    }
}

impl PartialEq for Aligned {
    fn eq(&self, other: &Aligned) -> bool {
        **self == **other
    }
}

/// A network: its weights, and the card that tells how it was made.
#[derive(Clone, PartialEq)]
pub struct Network {
    width: usize,
    base: Base,
    input: Aligned,
    bias: Aligned,
    output: Aligned,
    output_bias: [i32; BUCKETS],
    scale: i32,
    card: Value,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("width", &self.width)
            .field("card", &self.card)
            .finish_non_exhaustive()
    }
}

/// Returns the network that is built into this program.
pub fn own() -> Arc<Network> {
    static OWN: LazyLock<Arc<Network>> = LazyLock::new(|| {
        let bytes = include_bytes!(env!("CASSIUS_NETWORK"));
        Arc::new(Network::from_bytes(bytes).expect("the built-in network is one: a test reads it"))
    });
    OWN.clone()
}

impl Network {
    /// Creates a network from its weights and its card.
    ///
    /// ```
    /// use cassius_chess::evaluation::network::{BUCKETS, Base, INPUTS, Network, Weights};
    /// let width = 32;
    /// let weights = Weights {
    ///     input: vec![1; INPUTS * width],
    ///     bias: vec![0; width],
    ///     output: vec![0; BUCKETS * 2 * width],
    ///     output_bias: vec![255 * 64 / 10; BUCKETS],
    ///     scale: 400,
    /// };
    /// let network = Network::new(&weights, Base::Nothing, serde_json::json!({"made": "by hand"}))?;
    /// assert_eq!(Network::from_bytes(&network.to_bytes())?, network);
    /// assert_eq!(network.weights(), weights);
    /// # Ok::<(), cassius_chess::evaluation::network::NetworkError>(())
    /// ```
    ///
    /// # Errors
    /// If the lengths do not fit together or a weight is too large.
    pub fn new(weights: &Weights, base: Base, card: Value) -> Result<Network, NetworkError> {
        let width = weights.width()?;
        let mut output_bias = [0; BUCKETS];
        output_bias.copy_from_slice(&weights.output_bias);
        let [input, bias, output] =
            [&weights.input, &weights.bias, &weights.output].map(|it| Aligned::new(it));
        Ok(Network { width, base, input, bias, output, output_bias, scale: weights.scale, card })
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If it is not a network, or one that this program cannot compute.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let (weights, base, card) = file::read(bytes)?;
        Network::new(&weights, base, card)
    }

    /// Returns the weights.
    pub fn weights(&self) -> Weights {
        Weights {
            input: self.input.to_vec(),
            bias: self.bias.to_vec(),
            output: self.output.to_vec(),
            output_bias: self.output_bias.to_vec(),
            scale: self.scale,
        }
    }

    /// Returns the network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = file::head(self.width, self.base, self.scale, &self.card).into_bytes();
        let layers = self.input.iter().chain(self.bias.iter()).chain(self.output.iter());
        bytes.extend(layers.flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes
    }

    /// Returns a hash of everything on which values depend.
    pub(super) fn hash(&self) -> u64 {
        let words = self.input.iter().chain(self.bias.iter()).chain(self.output.iter());
        let words = words.map(|weight| *weight as u64).chain(self.output_bias.map(|bias| bias as u64));
        let head = [self.width as u64, self.base as u64, self.scale as u64];
        fnv(head.into_iter().chain(words))
    }

    /// Returns an evaluator that computes this network.
    pub fn evaluator(&self) -> Evaluator {
        Evaluator::of(&Evaluation::Network(Arc::new(self.clone())))
    }

    /// Returns the width of the hidden layer of each side.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns what the network's value is added to.
    pub const fn base(&self) -> Base {
        self.base
    }

    /// Returns the card: how the network was made, as its maker wrote it.
    pub const fn card(&self) -> &Value {
        &self.card
    }

    /// Returns what an input adds to the hidden layer.
    #[inline(always)]
    fn row(&self, input: u16) -> &[i16] {
        &self.input[usize::from(input) * self.width..][..self.width]
    }

    /// Returns the value for the side to move, in centipawns, from the hidden layers of both sides.
    #[inline(always)]
    fn output(&self, us: &[i16], them: &[i16], bucket: usize) -> i32 {
        let weights = &self.output[bucket * 2 * self.width..][..2 * self.width];
        let (for_us, for_them) = weights.split_at(self.width);
        let sum = sum(us, for_us) + sum(them, for_them);
        let sum = sum / i64::from(HIDDEN_UNIT) + i64::from(self.output_bias[bucket]);
        (sum * i64::from(self.scale) / i64::from(HIDDEN_UNIT * OUTPUT_UNIT)) as i32
    }
}

/// The sum of the activated units of a layer times their weights.
#[inline(always)]
fn sum(layer: &[i16], weights: &[i16]) -> i64 {
    let (layer, weights) = (layer.as_chunks().0, weights.as_chunks().0);
    let (least, most) = (i16x16::ZERO, i16x16::splat(HIDDEN_UNIT as i16));
    let mut sums = i32x8::ZERO;
    for (layer, weights) in layer.iter().zip(weights) {
        let units = i16x16::new(*layer).max(least).min(most);
        sums += (units * i16x16::new(*weights)).dot(units);
    }
    sums.to_array().into_iter().map(i64::from).sum()
}

/// Each of the eight sums of a layer fits into 32 bits: an eighth of the products.
const _: () =
    assert!(MAX_WIDTH as i64 / 8 * (HIDDEN_UNIT as i64).pow(2) * (MAX_OUTPUT_WEIGHT as i64) < 1 << 31);
