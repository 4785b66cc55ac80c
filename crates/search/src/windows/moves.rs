//! Which windows the moves of an open node are searched with.
//!
//! *Reference:* Marsland & Campbell 1981, §III.
//! *Deviations:* the paper's palphabeta and SCOUT take no window. Here a node on the principal variation has the one
//! that its driver gives; without aspiration that is the whole window, as there. Values are integers, so that a
//! minimal window is one unit wide.
//! *Soundness:* each preserves the minimax value on integer scores. Where two searches of a node contradict each other, as selective ones
//! may and tables with draws by repetition can, palphabeta and SCOUT take the second one's word, even for a bound.
//! *Worth:* figures in results/ablation.md.

use crate::slot::{Turn, Windows};
use crate::{Depth, Score, Window};

crate::component! {
    /// Every move is searched with the node's own window: plain alpha-beta.
    pub struct WholeWindow {}
}

impl Windows for WholeWindow {
    const MINIMAL: bool = false;

    #[inline]
    fn asks(&self, _: &Turn) -> bool {
        false
    }
}

crate::component! {
    /// Every move but the first is asked whether it beats α; if so, it has the whole window, and its moves
    /// are searched in the same way: principal variation search.
    pub struct MinimalWindow {}
}

impl Windows for MinimalWindow {
    const MINIMAL: bool = true;

    #[inline]
    fn asks(&self, turn: &Turn) -> bool {
        turn.tried > 0
    }
}

crate::component! {
    /// Only the last move is asked: if it cannot beat the best of the others, nothing more need be
    /// known of it ("for the last subtree", where the idea was first proposed).
    pub struct LastMinimal {}
}

impl Windows for LastMinimal {
    const MINIMAL: bool = true;

    #[inline]
    fn asks(&self, turn: &Turn) -> bool {
        turn.tried > 0 && turn.tried + 1 == turn.moves
    }
}

crate::component! {
    /// palphabeta: every move but the first is asked; one that beats α is searched again by plain alpha-beta,
    /// for it is known to be worth what the question has shown.
    ///
    /// *Deviations:* the second window begins one below that value, so that a variation that is worth just
    /// this is found.
    pub struct Palphabeta {}
}

impl Windows for Palphabeta {
    const MINIMAL: bool = true;
    const PLAIN: bool = true;

    #[inline]
    fn asks(&self, turn: &Turn) -> bool {
        turn.tried > 0
    }

    #[inline]
    fn again(&self, window: Window, value: Score) -> Window {
        Window::new(value - Score(1), window.beta)
    }
}

crate::component! {
    /// [`Palphabeta`] down to two plies above the horizon, plain alpha-beta below: there a question costs as
    /// much as the answer.
    pub struct PalphabetaAbove {}
}

impl Windows for PalphabetaAbove {
    const MINIMAL: bool = true;
    const PLAIN: bool = true;

    #[inline]
    fn asks(&self, turn: &Turn) -> bool {
        turn.tried > 0 && turn.owed >= Depth::plies(2)
    }

    #[inline]
    fn again(&self, window: Window, value: Score) -> Window {
        Palphabeta {}.again(window, value)
    }
}

crate::component! {
    /// SCOUT: every move but the first is asked; one that beats α is evaluated afresh, as if nothing were
    /// known of it.
    ///
    /// *Reference:* also Pearl 1980. The survey's second form, whose question is palphabeta's and not a
    /// Boolean test, visits the same nodes: it forgets the answer's value too.
    pub struct ScoutWindow {}
}

impl Windows for ScoutWindow {
    const MINIMAL: bool = true;

    #[inline]
    fn asks(&self, turn: &Turn) -> bool {
        turn.tried > 0
    }

    #[inline]
    fn again(&self, _: Window, _: Score) -> Window {
        Window::FULL
    }
}
