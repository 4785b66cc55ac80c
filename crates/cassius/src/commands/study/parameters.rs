//! The parameters of a study: how far judgements are trusted, and how much effort a leaf is worth.

use crate::Error;
use anyhow::bail;
use cassius_search::study::{Errors, Steps};
use cassius_search::{Component as _, Parameter};

/// Sets parameters by their names, such as `Errors.judged`.
///
/// # Errors
/// If there is no such parameter, or the value is outside of its range.
pub fn set(errors: &mut Errors, steps: &mut Steps, settings: &[(String, i32)]) -> Result<(), Error> {
    for (name, value) in settings {
        let mut result = Err(None);
        let mut names = Vec::new();
        let mut each = |parameter: &Parameter, old: &mut i32| {
            names.push(parameter.full_name());
            if !parameter.full_name().eq_ignore_ascii_case(name) {
                return;
            }
            let Parameter { min, max, unit, .. } = parameter;
            result = Err(Some(format!("from {min} to {max} {unit}")));
            if (*min..=*max).contains(value) {
                *old = *value;
                result = Ok(());
            }
        };
        errors.visit(&mut each);
        steps.visit(&mut each);
        match result {
            Ok(()) => (),
            Err(Some(range)) => bail!("{name} is {range}, not {value}"),
            Err(None) => bail!("there is no parameter {name}; there are {}", names.join(", ")),
        }
    }
    Ok(())
}
