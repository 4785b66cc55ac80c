//! MTD(f), SSS* and DUAL*: an iteration is a series of questions with minimal windows, and the
//! memory keeps what each has shown.
//!
//! The answers close in on the value from both sides, or from one. Begun at the last value this is
//! MTD(f). Begun at +∞ it comes down in steps and scores the leaves that Stockman's SSS* scores, in the
//! same order; begun at −∞ it goes up, and scores those of DUAL*. When the bounds meet, one window around the
//! value brings the principal variation out of the memory.
//!
//! *Reference:* Plaat, Schaeffer, Pijls & de Bruin 1996, who found the identity; SSS* is named by McAllester 1988, §1.
//! *Deviations:* the last window, and an end to the series: where selective searches
//! contradict each other, or where each step is as small as can be, as under a depth rule that clips, the whole
//! window is searched.
//! *Soundness:* the final value lies inside its window, so it is minimax's.
//! *Worth:* figures in results/ablation.md.

use crate::{Aspire, Failure, Score, Window};

crate::component! {
    /// Minimal windows at the root until the bounds meet.
    pub struct Mtd {
        /// Where an iteration begins: 0 at the last value (MTD(f)), 1 at +∞ (SSS*), 2 at −∞ (DUAL*).
        start: 0 in 0..=2 "0, 1 or 2",
        /// Questions asked before the whole window is searched.
        most: 100 in 1..=10000 "searches",
    }
}

impl Aspire for Mtd {
    const TESTS: bool = true;

    fn window(&self, previous: Option<Score>, _: usize) -> Window {
        match (self.start, previous) {
            // Beyond the quickest win and loss the answer would be known without a search.
            (1, _) => Window::above(Score::win_in(2)),
            (2, _) => Window::above(Score::loss_in(3)),
            (_, Some(value)) => Window::above(value - Score(1)),
            (_, None) => Window::FULL,
        }
    }

    fn widen(&self, failure: &Failure) -> Window {
        let Failure { window, value, count, least, most } = *failure;
        let gives_up = count >= self.most as u32 || !window.is_minimal() || least > most;
        if gives_up || value <= -Score::INFINITE || value >= Score::INFINITE {
            Window::FULL
        } else if least == most {
            Window::new(value - Score(1), value + Score(1))
        } else if value >= window.beta {
            Window::above(value)
        } else {
            Window::above(value - Score(1))
        }
    }
}
