//! Draws by repetition and by rule.
//!
//! *Soundness:* a position that occurred before on the line, at least four plies earlier, is scored as a
//! draw at its first repetition: a side that could avoid the repetition there could have avoided it
//! before. A position from the game before the root must repeat twice.

use crate::alpha_beta::draws::Draws;
use crate::component::Component;
use crate::game::Repeats;

/// Stores the keys of the line from the beginning of the game.
#[derive(Clone, Debug, Default)]
pub struct Repetition {
    keys: Vec<u64>,
}

impl Repetition {
    /// Returns the key of the position that stood `back` plies before the one at the end of the line.
    #[inline]
    pub(super) fn key(&self, back: usize) -> u64 {
        self.keys[self.keys.len() - back]
    }
}

impl Component for Repetition {
    const NAME: &'static str = "Repetition";
}

impl<G: Repeats> Draws<G> for Repetition {
    fn start(&mut self, before: &[G]) {
        self.keys.clear();
        self.keys.extend(before.iter().map(Repeats::repetition_key));
    }

    #[inline]
    fn is_draw(&self, position: &G, ply: usize) -> bool {
        if position.drawn_by_rule() {
            return true;
        }
        let reversible = position.reversible_plies();
        if reversible < 4 {
            return false;
        }
        let key = position.repetition_key();
        let mut earlier = 0;
        for back in (4..=reversible.min(self.keys.len())).step_by(2) {
            if self.key(back) == key {
                earlier += 1;
                if back <= ply || earlier == 2 {
                    return true;
                }
            }
        }
        false
    }

    #[inline]
    fn push(&mut self, position: &G) {
        self.keys.push(position.repetition_key());
    }

    #[inline]
    fn pop(&mut self) {
        self.keys.pop();
    }

    fn repetition(position: &G) -> Option<(u64, usize)> {
        Some((position.repetition_key(), position.reversible_plies()))
    }
}
