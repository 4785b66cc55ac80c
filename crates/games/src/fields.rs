//! Games that are drawn from a seed, written as a few fields: `7,3,6`.

use thiserror::Error;

/// Why a text with commas does not describe a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FieldError {
    /// A field is not there.
    #[error("the {field} is missing; expected {form}")]
    Missing {
        /// What it would have said.
        field: &'static str,
        /// How the whole text looks.
        form: &'static str,
    },
    /// A field is not a number, or not one in its range.
    #[error("the {field} must be a number from {least} to {most}, not `{found}`")]
    BadNumber {
        /// What it says.
        field: &'static str,
        /// The least number allowed.
        least: u64,
        /// The greatest number allowed.
        most: u64,
        /// The text.
        found: String,
    },
    /// A field is not one of the words that are known.
    #[error("the {field} must be one of {known}, not `{found}`")]
    UnknownWord {
        /// What it says.
        field: &'static str,
        /// The words.
        known: &'static str,
        /// The text.
        found: String,
    },
    /// More fields than there are.
    #[error("`{found}` is one too many; expected {form}")]
    TooMany {
        /// The first of them.
        found: String,
        /// How the whole text looks.
        form: &'static str,
    },
}

/// The fields of a text, one after the other.
pub(crate) struct Fields<'a> {
    rest: std::str::Split<'a, char>,
    form: &'static str,
}

impl<'a> Fields<'a> {
    /// Of a text that should look like `form`.
    pub fn new(text: &'a str, form: &'static str) -> Self {
        Fields { rest: text.split(','), form }
    }

    /// The next, if there is one.
    pub fn word(&mut self) -> Option<&'a str> {
        self.rest.next().map(str::trim)
    }

    /// The next, a number in a range.
    pub fn number(&mut self, field: &'static str, least: u64, most: u64) -> Result<u64, FieldError> {
        let word = self.word().filter(|word| !word.is_empty());
        let found = word.ok_or(FieldError::Missing { field, form: self.form })?;
        in_range(field, found, least, most)
    }

    /// There must be none left.
    pub fn end(mut self) -> Result<(), FieldError> {
        match self.word() {
            None => Ok(()),
            Some(found) => Err(FieldError::TooMany { found: found.into(), form: self.form }),
        }
    }
}

/// Reads a number in a range.
pub(crate) fn in_range(field: &'static str, found: &str, least: u64, most: u64) -> Result<u64, FieldError> {
    let number = found.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| FieldError::BadNumber { field, least, most, found: found.into() })
}
