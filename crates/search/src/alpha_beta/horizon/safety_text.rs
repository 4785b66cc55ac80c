//! Parses S from text: a name, the parameters of its family, or a list of values.

use super::Safety;
use std::fmt;
use std::str::FromStr;

impl Safety {
    /// Returns the values that §6 of McAllester & Yuret 1993 calls reasonable: S(1), S(3), S(5) are 0.4,
    /// 0.9 and 1. S(0) is 0. S(2) and S(4) are the midpoints, because the paper does not give them.
    pub fn illustrative() -> Safety {
        Safety::Table(vec![0.0, 0.4, 0.65, 0.9, 0.95, 1.0])
    }
}

/// The names of S and their descriptions, shown to users.
pub const SAFETY_NAMES: [(&str, &str); 4] = [
    ("illustrative", "0, 0.4, 0.65, 0.9, 0.95, 1, after the example of §6"),
    ("half", "k/2, as in Figs. 8 to 14"),
    ("any-option", "1 for any option, 0 for none"),
    ("one", "1 for every move, whatever its options"),
];

/// The maximum number of values in a text for S, and the maximum of each value.
const MOST: usize = 256;

/// The reason why a text does not describe an S.
#[derive(Clone, PartialEq, Debug)]
pub enum SafetyError {
    /// The text is not a name, and this part of it is not a number.
    Unknown(String),
    /// `power:` is not followed by γ ≥ 1 and b from 1 to 1000.
    Power,
    /// A number is negative or too large.
    Range(f64),
    /// S decreases.
    Falls {
        /// The number of options at which S decreases.
        options: usize,
        /// S of this number of options.
        value: f64,
        /// S of one option fewer.
        before: f64,
    },
    /// Too many numbers.
    Long(usize),
}

impl fmt::Display for SafetyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SafetyError::Unknown(found) => {
                let names: Vec<&str> = SAFETY_NAMES.iter().map(|(name, _)| *name).collect();
                write!(
                    f,
                    "`{found}` is not a valid S; expected {}, power:GAMMA,B, or S(0), S(1), … such as \
                     0,0.5,1",
                    names.join(", ")
                )
            }
            SafetyError::Power => {
                f.write_str("power: must be followed by γ (at least 1) and b (1 to 1000), as in power:5,30")
            }
            SafetyError::Range(found) => {
                write!(f, "{found} is out of range: every S(k) must be from 0 to {MOST}")
            }
            SafetyError::Falls { options, value, before } => {
                write!(f, "S must not decrease: S({options}) is {value}, S({}) is {before}", options - 1)
            }
            SafetyError::Long(found) => write!(f, "{found} numbers are too many: at most {MOST} are allowed"),
        }
    }
}

impl std::error::Error for SafetyError {}

/// ```
/// use cassius_search::alpha_beta::horizon::Safety;
/// assert_eq!("half".parse(), Ok(Safety::half()));
/// assert_eq!("0,0.5,1".parse(), Ok(Safety::Table(vec![0.0, 0.5, 1.0])));
/// assert_eq!("power:5,30".parse(), Ok(Safety::Power { gamma: 5.0, branching: 30 }));
/// let error = "0,0.5,0.4".parse::<Safety>().unwrap_err();
/// assert_eq!(error.to_string(), "S must not decrease: S(2) is 0.4, S(1) is 0.5");
/// ```
impl FromStr for Safety {
    type Err = SafetyError;

    fn from_str(text: &str) -> Result<Safety, SafetyError> {
        match text.trim() {
            "illustrative" => return Ok(Safety::illustrative()),
            "half" => return Ok(Safety::half()),
            "any-option" => return Ok(Safety::any_option()),
            "one" => return Ok(Safety::one()),
            text => {
                if let Some(numbers) = text.strip_prefix("power:") {
                    return power(numbers).ok_or(SafetyError::Power);
                }
            }
        }
        let number = |word: &str| {
            let word = word.trim();
            let number: f64 = word.parse().map_err(|_| SafetyError::Unknown(word.into()))?;
            if (0.0..=MOST as f64).contains(&number) { Ok(number) } else { Err(SafetyError::Range(number)) }
        };
        let values = text.split(',').map(number).collect::<Result<Vec<f64>, _>>()?;
        if values.len() > MOST {
            return Err(SafetyError::Long(values.len()));
        }
        match values.windows(2).position(|pair| pair[1] < pair[0]) {
            Some(at) => {
                Err(SafetyError::Falls { options: at + 1, value: values[at + 1], before: values[at] })
            }
            None => Ok(Safety::Table(values)),
        }
    }
}

fn power(numbers: &str) -> Option<Safety> {
    let (gamma, branching) = numbers.split_once(',')?;
    let (gamma, branching): (f64, usize) = (gamma.trim().parse().ok()?, branching.trim().parse().ok()?);
    let known = gamma.is_finite() && gamma >= 1.0 && (1..=1000).contains(&branching);
    known.then_some(Safety::Power { gamma, branching })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> SafetyError {
        text.parse::<Safety>().unwrap_err()
    }

    #[test]
    fn every_name_is_read() {
        for (name, _) in SAFETY_NAMES {
            assert!(name.parse::<Safety>().is_ok(), "{name}");
        }
        assert_eq!([1, 3, 5, 9].map(|k| Safety::illustrative().of(k)), [0.4, 0.9, 1.0, 1.0]);
    }

    #[test]
    fn what_is_no_s_is_refused() {
        assert_eq!(error("omelette"), SafetyError::Unknown("omelette".into()));
        assert_eq!(error("0,,1"), SafetyError::Unknown("".into()));
        assert_eq!(error("0,-1"), SafetyError::Range(-1.0));
        assert!(matches!(error("NaN"), SafetyError::Range(_)));
        assert_eq!(error("0,257"), SafetyError::Range(257.0));
        assert_eq!(error("1,0.5"), SafetyError::Falls { options: 1, value: 0.5, before: 1.0 });
        assert_eq!(error(&vec!["1"; 257].join(",")), SafetyError::Long(257));
        for text in ["power:", "power:5", "power:0.5,30", "power:5,0", "power:inf,30", "power:5,30,1"] {
            assert_eq!(error(text), SafetyError::Power, "{text}");
        }
    }
}
