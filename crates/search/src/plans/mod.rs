//! Plans behind values, and certificates that a checker can replay.

pub mod certificate;
mod stability;
pub mod strategy;

pub use stability::{RootStability, Stability};
