//! Correction history: the static value is corrected by how wrong it was in positions that share a part
//! with this one.
//!
//! *Reference:* correction history of Caissa (Witek 2023); the tables are those that Stockfish has had
//! since 2024. After a search the static value's error is kept under the key of each part of the position
//! ([`Structured`]) and under the last two moves. A later static value is corrected by the sum.
//! *Deviations:* which parts there are is the game's choice. A counter is pulled back towards zero in
//! proportion to its size, as in [`History`](crate::alpha_beta::order::History). A transposition table
//! keeps the static value as it was before the correction.
//! *Soundness:* changes only static values. With them, and values of quiescence search if `quiescence` is
//! on, the value may change.
//! *Worth:* Elo +52 ± 27 at 5,000 nodes with the classical evaluation (400 games), +70 ± 22 with a network
//! (600). Where few pieces are left, positions that differ share
//! every part, and their errors add up; without a limit (`most`) a drawn study is then judged as lost.
//! The limit costs nothing: 100 against none +8 ± 19, 30 against 100 −1 ± 22 (600 games each).

use super::Correct;
use crate::alpha_beta::Node;
use crate::alpha_beta::order::counters::Counters;
use crate::game::{Checks, Noisy, Structured};
use crate::score::Score;

crate::component! {
    /// A counter for every part of a position, and for every pair of moves.
    pub struct CorrectionHistory {
        /// Weight of the first part, which changes least.
        first: 200 in 0..=400 "hundredths",
        /// Weight of each other part.
        others: 200 in 0..=400 "hundredths",
        /// Weight of the last two moves.
        moves: 200 in 0..=400 "hundredths",
        /// Most that a static value is corrected by.
        most: 40 in 0..=10_000 "evaluation units",
        /// How fast a counter follows the errors.
        rate: 4 in 1..=64 "counter units per evaluation unit and ply",
        /// Whether quiescence search uses corrected values too: 1 yes, 0 no.
        quiescence: 1 in 0..=1 "0 or 1",
    }
    state {
        /// The counters of the parts, one block for each, and those of pairs of moves.
        counters: Counters = Counters::default(),
    }
}

/// Counters of a part, a power of two.
const PART: usize = 1 << 14;
/// Counters of pairs of moves, a power of two.
const PAIRS: usize = 1 << 16;
/// Counter units that correct by one evaluation unit. With a weight of 100 a counter corrects by 32 at
/// most.
const UNIT: i32 = 512;
/// Most that one node changes a counter.
const MOST: i32 = 4096;

impl CorrectionHistory {
    /// Calls `each` with every counter of a position and its weight in hundredths. A plain loop: its body is
    /// repeated for each part, without a jump that depends on the part.
    #[inline(always)]
    fn counters<G: Structured>(
        &self,
        position: &G,
        [last, before]: [Option<usize>; 2],
        mut each: impl FnMut(usize, i32),
    ) {
        for part in 0..G::PARTS {
            let weight = if part == 0 { self.first } else { self.others };
            each(part * PART + position.part_key(part) as usize % PART, weight);
        }
        if let Some(last) = last {
            let pair = (last as u64) << 32 | before.map_or(0, |before| before as u64 + 1);
            let place = (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % PAIRS;
            each(G::PARTS * PART + place, self.moves);
        }
    }
}

impl<G: Structured + Noisy + Checks> Correct<G> for CorrectionHistory {
    #[inline]
    fn correction(&self, position: &G, previous: [Option<usize>; 2]) -> Score {
        let mut sum = 0;
        self.counters(position, previous, |place, weight| sum += self.counters.get(place) * weight);
        Score((sum / (100 * UNIT)).clamp(-self.most, self.most))
    }

    #[inline]
    fn in_quiescence(&self) -> bool {
        self.quiescence != 0
    }

    fn learn(&mut self, node: &Node<'_, G>, best: Option<G::Move>, error: Score) {
        let position = node.position;
        if position.in_check() || best.is_some_and(|mv| position.is_noisy(mv)) {
            return; // the static value says nothing, or what is won at once is not its business
        }
        let plies = node.fail_high_depth.max(node.fail_low_depth).whole_plies().max(1);
        let bonus = error.0.saturating_mul(self.rate * plies).clamp(-MOST, MOST);
        self.counters(position, node.previous, |place, _| self.counters.nudge(place, bonus));
    }

    fn start(&mut self) {
        self.counters.start(G::PARTS * PART + PAIRS);
    }

    fn share(&mut self, leader: &Self) {
        self.counters = leader.counters.share();
    }

    fn forget(&mut self) {
        self.counters.clear();
    }
}
