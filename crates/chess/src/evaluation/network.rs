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
//! (`accumulators.rs`). All arithmetic is with integers, and the same on every processor.
//!
//! # File
//!
//! The first line is a JSON object. It states the shape and carries the *card*: how the network was made.
//! The weights follow, little-endian, in the order of [`Weights`].
//!
//! ```text
//! {"cassius_network":1,"inputs":"768, mirrored by the king","width":64,"adds_to":"the classical evaluation",
//! "activation":"squared clipped relu","units":[255,64],
//! "heads":[{"name":"value","buckets":8,"scale":153}],"card":{…}}
//! ```
//!
//! *References*: Yu Nasu 2018, "Efficiently Updatable Neural-Network-based Evaluation Functions for
//! Computer Shogi"; two views, squared activation and output buckets are customary in engines since 2021.

mod accumulators;

pub(super) use accumulators::Accumulators;

use super::{Evaluation, Evaluator};
use serde_json::{Value, json};
use shakmaty::{Color, Role, Square};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};
use thiserror::Error;

/// The number of inputs of each view: own and other pieces, six roles, 64 squares.
pub const INPUTS: usize = 768;
/// The number of sets of output weights.
pub const BUCKETS: usize = 8;
/// A hidden unit of 1.0 is stored as this number.
pub const HIDDEN_UNIT: i32 = 255;
/// An output weight of 1.0 is stored as this number.
pub const OUTPUT_UNIT: i32 = 64;
/// The largest output weight, so that its product with a hidden unit fits into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 128;
/// Widths are multiples of this number.
pub const LANES: usize = 32;
/// The largest width.
pub const MAX_WIDTH: usize = 2048;

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

/// What the output of a network is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The network has learned the whole value.
    Nothing,
    /// The network corrects the classical evaluation.
    Classical,
}

impl Base {
    const fn name(self) -> &'static str {
        match self {
            Base::Nothing => "nothing",
            Base::Classical => "the classical evaluation",
        }
    }
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

/// The weights of a network as whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// For each input, what it adds to the hidden layer: [`INPUTS`] × width, in 1/[`HIDDEN_UNIT`].
    pub input: Vec<i16>,
    /// The hidden layer of an empty board: width, in 1/[`HIDDEN_UNIT`].
    pub bias: Vec<i16>,
    /// For each bucket, the weights of the hidden layer of the side to move, then those of the other
    /// side: [`BUCKETS`] × 2 × width, in 1/[`OUTPUT_UNIT`], at most ±[`MAX_OUTPUT_WEIGHT`].
    pub output: Vec<i16>,
    /// For each bucket, what is added: [`BUCKETS`], in 1/([`HIDDEN_UNIT`] · [`OUTPUT_UNIT`]).
    pub output_bias: Vec<i32>,
    /// The value in centipawns of an output of 1.0.
    pub scale: i32,
}

/// Why a network cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The first line is not that of a network.
    #[error("not a network: the first line must be a JSON object with the key cassius_network")]
    NoNetwork,
    /// The file is of another version.
    #[error("version {0} of the format; this program reads version 1")]
    Version(u64),
    /// The shape is not one that this program computes.
    #[error("{0}")]
    Shape(String),
    /// The file has another length than its shape requires.
    #[error("expected {expected} bytes of weights, found {found}")]
    Length {
        /// The number of bytes for this shape.
        expected: usize,
        /// The number of bytes present.
        found: usize,
    },
    /// An output weight is too large.
    #[error("an output weight is {0}, beyond ±{MAX_OUTPUT_WEIGHT}")]
    TooLarge(i16),
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
    /// # Ok::<(), cassius_chess::evaluation::network::NetworkError>(())
    /// ```
    ///
    /// # Errors
    /// If the lengths do not fit together or a weight is too large.
    pub fn new(weights: &Weights, base: Base, card: Value) -> Result<Network, NetworkError> {
        let width = weights.bias.len();
        check_width(width)?;
        let lengths = [weights.input.len(), weights.output.len(), weights.output_bias.len()];
        if lengths != [INPUTS * width, BUCKETS * 2 * width, BUCKETS] {
            return Err(NetworkError::Shape(format!("the weights do not have the width {width}")));
        }
        let most = MAX_OUTPUT_WEIGHT;
        if let Some(large) = weights.output.iter().find(|weight| !(-most..=most).contains(*weight)) {
            return Err(NetworkError::TooLarge(*large));
        }
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
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or(NetworkError::NoNetwork)?;
        let head: Value = serde_json::from_slice(&bytes[..end]).map_err(|_| NetworkError::NoNetwork)?;
        match head["cassius_network"].as_u64() {
            None => return Err(NetworkError::NoNetwork),
            Some(1) => {}
            Some(other) => return Err(NetworkError::Version(other)),
        }
        let width = head["width"].as_u64().and_then(|width| usize::try_from(width).ok()).unwrap_or(0);
        check_width(width)?;
        let scale = head["heads"][0]["scale"].as_i64().and_then(|scale| i32::try_from(scale).ok());
        let scale = scale.filter(|scale| (1..=10_000).contains(scale));
        let scale = scale.ok_or_else(|| NetworkError::Shape("the scale must be from 1 to 10000".into()))?;
        let base = [Base::Nothing, Base::Classical].into_iter().find(|base| head["adds_to"] == base.name());
        let base = base.ok_or_else(|| {
            NetworkError::Shape(format!("adds_to: this program does not know {}", head["adds_to"]))
        })?;
        let heads = head["heads"].as_array().map_or(0, Vec::len);
        for (key, wanted, found) in [
            ("inputs", json!(NAME_OF_INPUTS), &head["inputs"]),
            ("activation", json!(NAME_OF_ACTIVATION), &head["activation"]),
            ("units", json!([HIDDEN_UNIT, OUTPUT_UNIT]), &head["units"]),
            (
                "the first head",
                json!(["value", BUCKETS]),
                &json!([head["heads"][0]["name"], head["heads"][0]["buckets"]]),
            ),
            ("the number of heads", json!(1), &json!(heads)),
        ] {
            if *found != wanted {
                let message = format!("{key}: this program computes {wanted}, and the file has {found}");
                return Err(NetworkError::Shape(message));
            }
        }
        let mut rest = Reader(&bytes[end + 1..]);
        let expected = 2 * (INPUTS * width + width + BUCKETS * 2 * width) + 4 * BUCKETS;
        if rest.0.len() != expected {
            return Err(NetworkError::Length { expected, found: rest.0.len() });
        }
        let weights = Weights {
            input: rest.shorts(INPUTS * width),
            bias: rest.shorts(width),
            output: rest.shorts(BUCKETS * 2 * width),
            output_bias: rest.words(BUCKETS),
            scale,
        };
        Network::new(&weights, base, head["card"].clone())
    }

    /// Returns the network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = json!({
            "cassius_network": 1,
            "inputs": NAME_OF_INPUTS,
            "width": self.width,
            "adds_to": self.base.name(),
            "activation": NAME_OF_ACTIVATION,
            "units": [HIDDEN_UNIT, OUTPUT_UNIT],
            "heads": [{ "name": "value", "buckets": BUCKETS, "scale": self.scale }],
            "card": self.card,
        });
        let mut bytes = format!("{head}\n").into_bytes();
        let layers = self.input.iter().chain(self.bias.iter()).chain(self.output.iter());
        bytes.extend(layers.flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes
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
    // All products together might not fit into 32 bits; those of one lane do.
    let mut lanes = [0i32; LANES];
    for (layer, weights) in layer.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
        for (lane, (unit, weight)) in lanes.iter_mut().zip(layer.iter().zip(weights)) {
            let unit = (*unit).clamp(0, HIDDEN_UNIT as i16);
            *lane += i32::from(unit.wrapping_mul(*weight)) * i32::from(unit);
        }
    }
    lanes.iter().map(|lane| i64::from(*lane)).sum()
}

const NAME_OF_INPUTS: &str = "768, mirrored by the king";
const NAME_OF_ACTIVATION: &str = "squared clipped relu";

fn check_width(width: usize) -> Result<(), NetworkError> {
    match width > 0 && width <= MAX_WIDTH && width.is_multiple_of(LANES) {
        true => Ok(()),
        false => {
            let message = format!("the width must be a multiple of {LANES} up to {MAX_WIDTH}, not {width}");
            Err(NetworkError::Shape(message))
        }
    }
}

/// The rest of a file, long enough for what is read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn shorts(&mut self, count: usize) -> Vec<i16> {
        let (numbers, rest) = self.0.split_at(2 * count);
        self.0 = rest;
        numbers.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect()
    }

    fn words(&mut self, count: usize) -> Vec<i32> {
        let (numbers, rest) = self.0.split_at(4 * count);
        self.0 = rest;
        numbers.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect()
    }
}
