//! The file of a network. The build script reads it as well, so that only a network is built in.
//!
//! The first line is a JSON object. It states the shape and carries the *card*: how the network was made.
//! The weights follow, little-endian, in the order of [`Weights`].
//!
//! ```text
//! {"cassius_network":1,"inputs":"768, mirrored by the king","width":64,"adds_to":"the classical evaluation",
//! "activation":"squared clipped relu","units":[255,64],
//! "heads":[{"name":"value","buckets":8,"scale":153}],"card":{…}}
//! ```

use serde_json::{Value, json};
use thiserror::Error;

/// The number of inputs of each view: own and other pieces, six roles, 64 squares.
pub const INPUTS: usize = 768;
/// The number of sets of output weights.
pub const BUCKETS: usize = 8;
/// A hidden unit of 1.0 is stored as this number.
pub const HIDDEN_UNIT: i32 = 255;
/// An output weight of 1.0 is stored as this number.
pub const OUTPUT_UNIT: i32 = 64;
/// The largest weight and bias of the hidden layer, so that the sum for 32 pieces fits into 16 bits.
pub const MAX_INPUT_WEIGHT: i16 = i16::MAX / 33;
/// The largest output weight, so that its product with a hidden unit fits into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 128;
/// Widths are multiples of this number.
pub const LANES: usize = 32;
/// The largest width.
pub const MAX_WIDTH: usize = 2048;

const NAME_OF_INPUTS: &str = "768, mirrored by the king";
const NAME_OF_ACTIVATION: &str = "squared clipped relu";

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

impl Weights {
    /// Returns the width of the hidden layer.
    ///
    /// # Errors
    /// If the lengths do not fit together or a weight is too large.
    pub fn width(&self) -> Result<usize, NetworkError> {
        let width = self.bias.len();
        check_width(width)?;
        let lengths = [self.input.len(), self.output.len(), self.output_bias.len()];
        if lengths != [INPUTS * width, BUCKETS * 2 * width, BUCKETS] {
            return Err(NetworkError::Shape(format!("the weights do not have the width {width}")));
        }
        let limits = [
            ("an input weight", &self.input, MAX_INPUT_WEIGHT),
            ("a bias of the hidden layer", &self.bias, MAX_INPUT_WEIGHT),
            ("an output weight", &self.output, MAX_OUTPUT_WEIGHT),
        ];
        for (what, weights, most) in limits {
            if let Some(&large) = weights.iter().find(|weight| !(-most..=most).contains(*weight)) {
                return Err(NetworkError::TooLarge { what, large, most });
            }
        }
        Ok(width)
    }
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
    /// A weight is so large that a sum may not fit into its number of bits.
    #[error("{what} is {large}, beyond ±{most}")]
    TooLarge {
        /// Which kind of weight it is.
        what: &'static str,
        /// The weight.
        large: i16,
        /// How large it may be.
        most: i16,
    },
}

/// Returns the first line of a file.
pub fn head(width: usize, base: Base, scale: i32, card: &Value) -> String {
    let head = json!({
        "cassius_network": 1,
        "inputs": NAME_OF_INPUTS,
        "width": width,
        "adds_to": base.name(),
        "activation": NAME_OF_ACTIVATION,
        "units": [HIDDEN_UNIT, OUTPUT_UNIT],
        "heads": [{ "name": "value", "buckets": BUCKETS, "scale": scale }],
        "card": card,
    });
    format!("{head}\n")
}

/// Reads a file: the weights, what the network is added to, and its card.
///
/// # Errors
/// If it is not a network, or one that this program cannot compute.
pub fn read(bytes: &[u8]) -> Result<(Weights, Base, Value), NetworkError> {
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
    weights.width()?;
    Ok((weights, base, head["card"].clone()))
}

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
