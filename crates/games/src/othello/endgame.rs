//! Endgames of Othello, played out: a recipe, and what it adds to the search.

use super::{Move, Othello};
use crate::Statics;
use cassius_search::{
    Aspiration, Depth, Discount, Discounted, Facts, Game, MinimalWindow, Node, Off, Order, Plies, Recipe,
    Step, Table, component,
};

component! {
    /// A pass costs no depth, so that depth counts discs. No two passes follow each other: a line is at most twice as long as
    /// without it.
    ///
    /// *Soundness:* a depth rule; to the end of the game the value is minimax's.
    pub struct FreePasses {}
}

impl Discount<Othello> for FreePasses {
    type Note = ();

    #[inline]
    fn discount(&mut self, (): (), step: &Step<'_, Othello>) -> (Depth, ()) {
        (if step.mv == Move::PASS { Depth::PLY } else { Depth::ZERO }, ())
    }
}

component! {
    /// Orders the moves that leave the other side the fewest moves first: their trees are the smallest, and to be mobile
    /// is to be well off.
    ///
    /// *Reference:* customary in programs that play Othello, under this name.
    /// *Soundness:* an order; the value is unchanged.
    pub struct FastestFirst {
        /// Nearer to the end the moves are searched as they are listed, which is cheaper than to look at each.
        from: 4 in 0..=60 "empty squares",
    }
}

impl Order<Othello> for FastestFirst {
    #[inline]
    fn rank(&self, node: &Node<'_, Othello>, mv: Move, _: Facts) -> i32 {
        if node.position.empties() < self.from as usize {
            return 0;
        }
        let mut child = *node.position;
        child.play(mv);
        -(child.my_places().count_ones() as i32)
    }
}

/// The recipe that plays out an endgame soonest, of those tried: discs are counted, not plies, so that the iteration
/// that has as many as there are [empty squares](Othello::empties) reaches the end of every line; minimal windows, a table, [`FastestFirst`].
///
/// ```
/// use cassius_games::othello::{Endgame, Othello};
/// use cassius_games::Statics;
/// use cassius_search::{Off, Request, Score, Slots, Table, Unlimited, search};
///
/// let mut slots = Slots::<Othello, Endgame>::new(Statics, Table::new(16)?, Off);
/// let position: Othello = "
/// OOOOOOOX
/// -OOOOOOX
/// OXOXOOXX
/// OXXOOXXX
/// OXOOXXXX
/// O--OXOXX
/// OOOOXXOX
/// --XXX-OO
/// X".parse()?;
/// let request = Request::new(&position, &Unlimited).to_iteration(position.empties());
/// let answer = search(&mut slots, &request, &mut |_| {});
/// assert_eq!(answer.score(), Some(Score(1_000))); // X wins by ten discs
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Endgame;

impl Recipe<Othello> for Endgame {
    type Evaluate = Statics;
    type Observe = Off;
    type Draws = Off;
    type Horizon = Discounted<FreePasses, Plies>;
    type Options = Off;
    type Quiescence = Off;
    type Memory = Table;
    type Knowledge = Off;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type Order = FastestFirst;
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = MinimalWindow;
    type Aspiration = Aspiration;
    type Deepening = Off;
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_play;
    use super::*;
    use crate::Engine;
    use cassius_search::{Request, Score, Slots, Unlimited, minimax, search};

    fn solved(position: &Othello) -> Score {
        let mut slots = Slots::<Othello, Endgame>::new(Statics, Table::new(1).unwrap(), Off);
        let request = Request::new(position, &Unlimited).to_iteration(position.empties());
        search(&mut slots, &request, &mut |_| {}).score().unwrap()
    }

    /// Endgames of random games: the recipes find what plain minimax does.
    #[test]
    fn endgames_are_solved() {
        let mut passes = 0;
        for seed in 0..60 {
            let position = random_play(seed, 8);
            if position.is_over() {
                continue;
            }
            let plies = 2 * position.empties(); // no two passes in a row
            let expected = minimax(&position, &mut Statics, plies);
            assert_eq!(expected.0 % 200, 0, "{position}"); // no static value
            passes += usize::from(position.must_pass());
            assert_eq!(solved(&position), expected, "{position}");
            for recipe in ["pvs", "alphabeta", "palphabeta", "scout", "abc"] {
                let engine = Engine::<Othello>::new(recipe, 1).unwrap();
                let request = Request::new(&position, &Unlimited).to_iteration(plies);
                let answer = engine.search(&request, &mut |_| {});
                assert_eq!(answer.score(), Some(expected), "{recipe}\n{position}");
            }
        }
        assert!(passes > 0);
    }

    /// Why the game offers no pass to a search: in every fourth of these endgames it would be better than every move.
    #[test]
    fn to_have_to_move_is_a_burden() {
        let (mut burdens, mut positions) = (0, 0);
        for position in (0..200).map(|seed| random_play(seed, 10)) {
            let passed = Othello { mine: position.theirs, theirs: position.mine, ..position };
            if position.my_places() != 0 && passed.my_places() != 0 {
                burdens += u32::from(-solved(&passed) > solved(&position));
                positions += 1;
            }
        }
        assert!(positions > 150 && 5 * burdens > positions, "{burdens} of {positions}");
    }

    /// A test position by the Fédération Française d'Othello: X wins by 38.
    #[test]
    #[ignore = "takes long"]
    fn ffo_40() {
        let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
        let mut slots = Slots::<Othello, Endgame>::new(Statics, Table::new(256).unwrap(), Off);
        let position: Othello = text.parse().unwrap();
        let answer = search(&mut slots, &Request::new(&position, &Unlimited).to_iteration(20), &mut |_| {});
        assert_eq!((answer.score(), answer.best()), (Some(Score(3_800)), Move::square(1, 2)));
    }
}
