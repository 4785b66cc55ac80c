//! Aspiration: each iteration begins with a narrow window around the previous value.
//!
//! *Reference:* Marsland & Campbell 1981, §II.A: there are three outcomes. A value equal to an edge is a
//! failure, and the search is repeated with that edge moved outwards.
//! *Deviations:* the edge moves in growing steps; it moves to infinity at once only with `reopen`. In
//! that case the other edge moves to the one that failed: (V + e, ∞) or (−∞, V − e) as printed, except
//! for one unit, so that a value equal to the edge is found. A second failure opens the whole window.
//! *Soundness:* the final value lies inside its window, so it is the minimax value.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::aspiration::{Aspire, Failure};
use crate::score::Score;
use crate::window::{Bound, Window};

crate::component! {
    /// A window around the previous value, widened where it fails.
    pub struct Aspiration {
        /// First iteration with a window.
        from: 5 in 1..=30 "iterations",
        /// Half the width of the first window.
        width: 18 in 1..=1000 "evaluation units",
        /// Growth of the width after a failure.
        growth: 200 in 101..=1000 "hundredths",
        /// Whether a failed search is repeated beyond the edge that failed, as printed: 1 yes, 0 within a
        /// wider window.
        reopen: 0 in 0..=1 "0 or 1",
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
        if self.reopen != 0 {
            return beyond(failure);
        }
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

/// Returns the window beyond the edge that failed, including that edge.
fn beyond(failure: &Failure) -> Window {
    let Window { alpha, beta } = failure.window;
    match failure.window.bound(failure.value) {
        _ if failure.count > 1 => Window::FULL,
        Bound::Upper => Window { alpha: Window::FULL.alpha, beta: alpha + Score(1) },
        _ => Window { alpha: beta - Score(1), beta: Window::FULL.beta },
    }
}

fn around(value: Score, width: i32) -> Window {
    Window::new((value - Score(width)).max(-Score::INFINITE), (value + Score(width)).min(Score::INFINITE))
}
