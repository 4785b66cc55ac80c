//! Aspiration: each iteration begins with a narrow window around the last value.
//!
//! *Reference:* Marsland & Campbell 1981, §II.A: three outcomes; a value equal to
//! an edge is a failure, and the search is repeated with that edge moved outwards.
//! *Deviations:* the edge moves by steps that grow, not at once to infinity.
//! *Soundness:* the final value lies inside its window, so it is minimax's.

use crate::{Aspire, Bound, Failure, Score, Window};

crate::component! {
    /// A window around the last value, widened where it fails.
    pub struct Aspiration {
        /// First iteration with a window.
        from: 5 in 1..=30 "iterations",
        /// Half the width of the first window.
        width: 18 in 1..=1000 "evaluation units",
        /// Growth of the width after a failure.
        growth: 200 in 101..=1000 "hundredths",
    }
}

impl Aspire for Aspiration {
    fn window(&self, previous: Option<Score>, iteration: usize) -> Window {
        match previous {
            Some(value) if iteration >= self.from as usize && !value.is_decided() => {
                around(value, self.width)
            }
            _ => Window::FULL,
        }
    }

    fn widen(&self, failure: &Failure) -> Window {
        let width = (0..failure.count).fold(self.width, |w, _| (w * self.growth / 100 + 1).min(10_000));
        if width > 1000 || failure.value.is_decided() {
            return Window::FULL;
        }
        let (window, wide) = (failure.window, around(failure.value, width));
        match window.bound(failure.value) {
            Bound::Upper => Window { alpha: wide.alpha, beta: window.beta },
            _ => Window { alpha: window.alpha, beta: wide.beta },
        }
    }
}

fn around(value: Score, width: i32) -> Window {
    Window::new((value - Score(width)).max(-Score::INFINITE), (value + Score(width)).min(Score::INFINITE))
}
