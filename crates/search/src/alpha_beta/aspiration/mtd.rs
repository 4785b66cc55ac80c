//! MTD(f), SSS* and DUAL*: an iteration is a series of null-window searches, and the memory keeps the
//! results of each.
//!
//! The answers approach the value from both sides or from one side. Started at the previous value, this
//! is MTD(f). Started at +∞, it descends in steps and scores the same leaves in the same order as
//! Stockman's SSS*. Started at −∞, it ascends and scores those of DUAL*. When the bounds meet, a search
//! with a window around the value retrieves the principal variation from the memory.
//!
//! *Reference:* Plaat, Schaeffer, Pijls & de Bruin 1996, who found the identity; SSS* is named by
//! McAllester 1988, §1.
//! *Deviations:* the final window, and a limit on the series. The whole window is searched where
//! selective searches contradict each other, or where every step has the minimum size, as under a depth
//! rule that clips.
//! *Soundness:* the final value lies inside its window, so it is the minimax value.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::aspiration::{Aspire, Failure};
use crate::score::Score;
use crate::window::Window;

crate::component! {
    /// Null windows at the root until the bounds meet.
    pub struct Mtd {
        /// Where an iteration begins: 0 at the last value (MTD(f)), 1 at +∞ (SSS*), 2 at −∞ (DUAL*).
        start: 0 in 0..=2 "0, 1 or 2",
        /// Questions asked before the whole window is searched.
        most: 100 in 1..=10000 "searches",
    }
}

impl Aspire for Mtd {
    const MINIMAL: bool = true;

    fn window(&self, previous: Option<Score>, _: usize) -> Window {
        match (self.start, previous) {
            // A window beyond the quickest win or loss would be answered without a search.
            (1, _) => Window::above(Score::win_in(2)),
            (2, _) => Window::above(Score::loss_in(3)),
            (_, Some(value)) => Window::above(value - Score(1)),
            (_, None) => Window::FULL,
        }
    }

    fn widen(&self, failure: &Failure) -> Window {
        let Failure { window, value, count, lower, upper } = *failure;
        let gives_up = count >= self.most as u32 || !window.is_minimal() || lower > upper;
        if gives_up || value <= -Score::INFINITE || value >= Score::INFINITE {
            Window::FULL
        } else if lower == upper {
            Window::new(value - Score(1), value + Score(1))
        } else if value >= window.beta {
            Window::above(value)
        } else {
            Window::above(value - Score(1))
        }
    }
}
