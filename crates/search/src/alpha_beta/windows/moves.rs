//! Chooses the windows with which the moves of an open node are searched.
//!
//! *Reference:* Marsland & Campbell 1981, §III.
//! *Deviations:* the paper's palphabeta and SCOUT take no window. Here a node on the principal variation
//! has the window that its driver gives; without aspiration that is the whole window, as in the paper.
//! Values are integers, so a minimal window is one unit wide.
//! *Soundness:* each preserves the minimax value on integer scores. Two searches of a node may
//! contradict each other if they are selective, or if a table is combined with draws by repetition.
//! Palphabeta and SCOUT then use the result of the second search, even if it is a bound.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::windows::{Turn, Windows};
use crate::depth::Depth;
use crate::score::Score;
use crate::window::Window;

crate::component! {
    /// Searches every move with the node's window: plain alpha-beta.
    pub struct WholeWindow {}
}

impl Windows for WholeWindow {
    const MINIMAL: bool = false;

    #[inline]
    fn minimal_first(&self, _: &Turn) -> bool {
        false
    }
}

crate::component! {
    /// Tests every move except the first against α with a null window. A move that beats α is searched
    /// with the whole window, and its moves are searched in the same way: principal variation search.
    pub struct MinimalWindow {}
}

impl Windows for MinimalWindow {
    const MINIMAL: bool = true;

    #[inline]
    fn minimal_first(&self, turn: &Turn) -> bool {
        turn.tried > 0
    }
}

crate::component! {
    /// Tests only the last move with a null window. If it cannot beat the best of the others, nothing more
    /// need be known about it ("for the last subtree", where the idea was first proposed). If it can, it is
    /// searched again, at every open node.
    pub struct LastMinimal {}
}

impl Windows for LastMinimal {
    const MINIMAL: bool = true;

    #[inline]
    fn minimal_first(&self, turn: &Turn) -> bool {
        turn.tried > 0 && turn.tried + 1 == turn.moves
    }
}

crate::component! {
    /// palphabeta: tests every move except the first with a null window. A move that beats α is searched
    /// again by plain alpha-beta, since the test has shown a lower bound of its value.
    ///
    /// *Deviations:* the second window begins one below that bound, so that a variation worth exactly
    /// the bound is found.
    pub struct Palphabeta {}
}

impl Windows for Palphabeta {
    const MINIMAL: bool = true;
    const PLAIN: bool = true;

    #[inline]
    fn minimal_first(&self, turn: &Turn) -> bool {
        turn.tried > 0
    }

    #[inline]
    fn again(&self, window: Window, value: Score) -> Window {
        Window::new(value - Score(1), window.beta)
    }
}

crate::component! {
    /// [`Palphabeta`] down to two plies above the horizon, and plain alpha-beta below: only the first moves
    /// of a principal continuation are usually reliable.
    pub struct PalphabetaAbove {}
}

impl Windows for PalphabetaAbove {
    const MINIMAL: bool = true;
    const PLAIN: bool = true;

    #[inline]
    fn minimal_first(&self, turn: &Turn) -> bool {
        turn.tried > 0 && turn.remaining >= Depth::plies(2)
    }

    #[inline]
    fn again(&self, window: Window, value: Score) -> Window {
        Palphabeta {}.again(window, value)
    }
}

crate::component! {
    /// SCOUT: tests every move except the first with a null window. A move that beats α is evaluated
    /// afresh, as if nothing were known about it.
    ///
    /// *Reference:* also Pearl 1980. The survey's second form uses the test of palphabeta and not a
    /// Boolean test. It visits the same nodes, because it forgets the value of the test too.
    pub struct ScoutWindow {}
}

impl Windows for ScoutWindow {
    const MINIMAL: bool = true;

    #[inline]
    fn minimal_first(&self, turn: &Turn) -> bool {
        turn.tried > 0
    }

    #[inline]
    fn again(&self, _: Window, _: Score) -> Window {
        Window::FULL
    }
}
