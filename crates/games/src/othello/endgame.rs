//! Solves endgames of Othello: a recipe, and the components that it adds to the search.

use super::{Move, Othello};
use cassius_search::alpha_beta::Node;
use cassius_search::alpha_beta::aspiration::Aspiration;
use cassius_search::alpha_beta::horizon::{Discount, Discounted, Plies, Step};
use cassius_search::alpha_beta::order::{Facts, Order};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::{Depth, Game, Off, Statics, Table, component};

component! {
    /// A pass costs no depth, so that depth counts discs. Two passes never follow each other, so a line
    /// is at most twice as long as without this component.
    ///
    /// *Soundness:* a depth rule; a search to the end of the game returns the minimax value.
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
    /// Orders the moves that leave the other side the fewest moves first. Their trees are the smallest,
    /// and mobility is an advantage.
    ///
    /// *Reference:* customary in programs that play Othello, under this name.
    /// *Soundness:* an order; the value is unchanged.
    pub struct FastestFirst {
        /// Nearer to the end the moves are searched as they are listed, which is cheaper than to look
        /// at each.
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

/// The fastest recipe found for solving an endgame. It counts discs, not plies, so that the iteration
/// numbered by the [empty squares](Othello::empties) reaches the end of every line. It uses minimal
/// windows, a table and [`FastestFirst`].
///
/// ```
/// use cassius_games::othello::{Endgame, Othello};
/// use cassius_search::{search, Off, Request, Score, Slots, Statics, Table, Unlimited};
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

cassius_search::recipe! {
    impl [] Endgame, game Othello {
        Setting = (Statics, Off);
        Horizon = Discounted<FreePasses, Plies>;
        Memory = Table;
        Order = FastestFirst;
        Windows = MinimalWindow;
        Aspiration = Aspiration;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_play;
    use super::*;
    use cassius_search::{Engine, Request, Score, Slots, Unlimited, minimax, search};

    fn solved(position: &Othello) -> Score {
        let mut slots = Slots::<Othello, Endgame>::new(Statics, Table::new(1).unwrap(), Off);
        let request = Request::new(position, &Unlimited).to_iteration(position.empties());
        search(&mut slots, &request, &mut |_| {}).score().unwrap()
    }

    /// In endgames of random games the recipes find the same value as plain minimax.
    #[test]
    fn endgames_are_solved() {
        let mut passes = 0;
        for seed in 0..60 {
            let position = random_play(seed, 8);
            if position.is_over() {
                continue;
            }
            let plies = 2 * position.empties(); // there are no two passes in a row
            let expected = minimax(&position, &mut Statics, plies);
            assert_eq!(expected.0 % 200, 0, "{position}"); // not a static value
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

    /// The reason why the game offers no pass to a search: in every fourth of these endgames a pass
    /// would be better than every move.
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

    /// A test position of the Fédération Française d'Othello: X wins by 38.
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
