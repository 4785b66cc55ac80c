//! Parses games that are generated from a seed, written as a few fields: `7,3,6`.

use thiserror::Error;

/// The reason why a comma-separated text does not describe a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FieldError {
    /// A field is missing.
    #[error("the {field} is missing; expected {form}")]
    Missing {
        /// The meaning of the missing field.
        field: &'static str,
        /// The form that the whole text should have.
        form: &'static str,
    },
    /// A field is not a number, or not one in its range.
    #[error("the {field} must be a number from {least} to {most}, not `{found}`")]
    BadNumber {
        /// The meaning of the field.
        field: &'static str,
        /// The smallest number allowed.
        least: u64,
        /// The largest number allowed.
        most: u64,
        /// The text found.
        found: String,
    },
    /// A field is not one of the known words.
    #[error("the {field} must be one of {known}, not `{found}`")]
    UnknownWord {
        /// The meaning of the field.
        field: &'static str,
        /// The known words.
        known: &'static str,
        /// The text found.
        found: String,
    },
    /// There are too many fields.
    #[error("unexpected field `{found}`; expected {form}")]
    TooMany {
        /// The first superfluous field.
        found: String,
        /// The form that the whole text should have.
        form: &'static str,
    },
}

/// Reads the fields of a text one after another.
pub(crate) struct Fields<'a> {
    rest: std::str::Split<'a, char>,
    form: &'static str,
}

impl<'a> Fields<'a> {
    /// Creates a reader of `text`, which should have the form `form`.
    pub fn new(text: &'a str, form: &'static str) -> Self {
        Fields { rest: text.split(','), form }
    }

    /// Returns the next field, if there is one.
    pub fn word(&mut self) -> Option<&'a str> {
        self.rest.next().map(str::trim)
    }

    /// Parses the next field as a number in a range.
    pub fn number(&mut self, field: &'static str, least: u64, most: u64) -> Result<u64, FieldError> {
        let word = self.word().filter(|word| !word.is_empty());
        let found = word.ok_or(FieldError::Missing { field, form: self.form })?;
        in_range(field, found, least, most)
    }

    /// Returns an error if there are fields left.
    pub fn end(mut self) -> Result<(), FieldError> {
        match self.word() {
            None => Ok(()),
            Some(found) => Err(FieldError::TooMany { found: found.into(), form: self.form }),
        }
    }
}

/// Parses a number in a range.
pub(crate) fn in_range(field: &'static str, found: &str, least: u64, most: u64) -> Result<u64, FieldError> {
    let number = found.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| FieldError::BadNumber { field, least, most, found: found.into() })
}
