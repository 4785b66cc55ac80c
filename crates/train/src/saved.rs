//! A trainer as bytes, to go on later.

use crate::{Network, Shape, Trainer};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"castrain";

/// Why bytes are not a saved trainer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SavedError {
    /// They do not begin as one.
    #[error("not a saved training")]
    Other,
    /// They end too early, or too late.
    #[error("a saved training of this shape has {expected} bytes, not {found}")]
    Length {
        /// The number of bytes for the shape.
        expected: usize,
        /// The number of bytes present.
        found: usize,
    },
    /// The shape is impossible.
    #[error("the width must be a multiple of 16, and there must be inputs and buckets")]
    Shape,
}

/// The size of the head: the magic number, three sizes, the number of steps.
const HEAD: usize = 8 + 3 * 4 + 8;

impl Trainer {
    /// Returns everything that the next step depends on.
    ///
    /// ```
    /// use cassius_train::{Shape, Trainer};
    /// let trainer = Trainer::new(Shape { inputs: 4, width: 16, buckets: 2 }, 7);
    /// let again = Trainer::from_bytes(&trainer.to_bytes())?;
    /// assert_eq!(again.network(), trainer.network());
    /// # Ok::<(), cassius_train::SavedError>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let Shape { inputs, width, buckets } = self.network.shape;
        let mut bytes = MAGIC.to_vec();
        bytes.extend([inputs, width, buckets].into_iter().flat_map(|size| (size as u32).to_le_bytes()));
        bytes.extend(self.steps.to_le_bytes());
        for numbers in [&self.network.weights, &self.moments[0], &self.moments[1]] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Reads what [`to_bytes`](Trainer::to_bytes) has written.
    ///
    /// # Errors
    /// If it is something else, or cut off.
    pub fn from_bytes(bytes: &[u8]) -> Result<Trainer, SavedError> {
        if bytes.len() < HEAD || bytes[..8] != *MAGIC {
            return Err(SavedError::Other);
        }
        let (sizes, _) = bytes[8..20].as_chunks();
        let [inputs, width, buckets] =
            [0, 1, 2].map(|index: usize| u32::from_le_bytes(sizes[index]) as usize);
        let shape = Shape { inputs, width, buckets };
        let sensible = [inputs, width, buckets].iter().all(|size| (1..=1 << 16).contains(size));
        if !sensible || width % crate::kernel::LANES != 0 {
            return Err(SavedError::Shape);
        }
        let expected = HEAD + 3 * 4 * shape.weights();
        if bytes.len() != expected {
            return Err(SavedError::Length { expected, found: bytes.len() });
        }
        let steps = u64::from_le_bytes(bytes[20..HEAD].try_into().map_err(|_| SavedError::Other)?);
        let numbers: Vec<f32> =
            bytes[HEAD..].as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let mut parts = numbers.chunks(shape.weights()).map(<[f32]>::to_vec);
        let mut next = || parts.next().unwrap_or_default();
        let mut trainer = Trainer::of(Network { shape, weights: next() });
        trainer.moments = [next(), next()];
        trainer.steps = steps;
        Ok(trainer)
    }
}
