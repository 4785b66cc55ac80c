//! The games that are compared, and how the crate `minimax` sees them: the same board, the same rules, the
//! same static values, the same order of moves at generation.

use cassius_games::connect4::Column;
use cassius_games::{Connect4, Hex, Uneventful, hex};
use cassius_search::game::Threaded;
use cassius_search::{Game, Keyed, Outcome, Playable, Recipe, Setting, Slots, Statics, Table};
use minimax::{Evaluation, IterativeOptions, Winner};
use std::marker::PhantomData;

/// A game of the comparison.
pub trait Compared: Playable + Keyed + Threaded<Move: Eq> + 'static {
    /// The name as it is printed.
    const TITLE: &'static str;
    /// The depth to which all search, unless another is asked for.
    const DEPTH: usize;

    /// The game as our alpha-beta search sees it, and its recipe.
    type Searched: Game<Move = Self::Move>;
    type Exact: Recipe<Self::Searched, Setting: Setting<Self::Searched, Evaluate = Statics>, Memory = Table>;
    fn searched(&self) -> Self::Searched;
    fn slots(table: Table) -> Slots<Self::Searched, Self::Exact>;

    /// Settings with which `minimax` is fastest at equal depth, or nearly so.
    fn fastest(options: IterativeOptions) -> IterativeOptions;

    /// The position from which all openings start.
    fn start() -> Self;
    /// The number of plies of an opening.
    const OPENING: usize;

    /// A hash that tells positions apart, and indices of moves below `INDICES`, for their tables.
    fn hash(&self) -> u64;
    const INDICES: u16;
    fn index(mv: Self::Move) -> u16;
    /// Some move, which fills their table of counter-moves before there is anything to fill it with.
    fn any_move() -> Self::Move;
}

impl Compared for Connect4 {
    const TITLE: &'static str = "Connect Four";
    const DEPTH: usize = 17;
    const OPENING: usize = 2;

    type Searched = Connect4;
    type Exact = cassius_games::connect4::Exact;

    fn searched(&self) -> Connect4 {
        *self
    }

    fn slots(table: Table) -> Slots<Connect4, Self::Exact> {
        Slots::new(Statics, table.above(2), cassius_games::connect4::WinsAtOnce)
    }

    fn fastest(options: IterativeOptions) -> IterativeOptions {
        options.with_aspiration_window(20).with_double_step_increment()
    }

    fn start() -> Connect4 {
        Connect4::default()
    }

    // The key would do for their values, but it is that of the mirror image, too, and their moves are not.
    fn hash(&self) -> u64 {
        self.fingerprint().wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
    }

    const INDICES: u16 = 7;

    fn index(mv: Column) -> u16 {
        mv.index() as u16
    }

    fn any_move() -> Column {
        Column::CENTRE_FIRST[0]
    }
}

/// Our alpha-beta search of Hex. All moves are quiet.
#[derive(Debug)]
pub enum Ordered {}

cassius_search::recipe! {
    impl [] Ordered, game Uneventful<Hex> {
        Setting = (Statics, cassius_search::Off);
        Horizon = cassius_search::alpha_beta::horizon::Plies;
        Memory = Table;
        Order = (
            cassius_search::alpha_beta::order::Killers,
            cassius_search::alpha_beta::order::Countermove,
            cassius_search::alpha_beta::order::History,
        );
        Windows = cassius_search::alpha_beta::windows::MinimalWindow;
        Aspiration = cassius_search::alpha_beta::aspiration::Aspiration;
    }
}

impl Compared for Hex {
    const TITLE: &'static str = "Hex 7 × 7";
    const DEPTH: usize = 5;
    const OPENING: usize = 1;

    type Searched = Uneventful<Hex>;
    type Exact = Ordered;

    fn searched(&self) -> Uneventful<Hex> {
        Uneventful(*self)
    }

    fn slots(table: Table) -> Slots<Uneventful<Hex>, Ordered> {
        Slots::new(Statics, table, cassius_search::Off)
    }

    fn fastest(options: IterativeOptions) -> IterativeOptions {
        options.with_countermoves().with_countermove_history()
    }

    fn start() -> Hex {
        Hex::new(7).expect("a size of Hex")
    }

    fn hash(&self) -> u64 {
        self.key()
    }

    const INDICES: u16 = 256;

    fn index(mv: hex::Move) -> u16 {
        Hex::start().code(mv) - 1
    }

    fn any_move() -> hex::Move {
        hex::Move::cell(4, 4).expect("the centre")
    }
}

/// A game as the crate `minimax` sees it.
pub struct Theirs<G>(PhantomData<G>);

fn winner<G: Game>(position: &G) -> Winner {
    match position.outcome() {
        Outcome::Win => Winner::PlayerToMove,
        Outcome::Loss => Winner::PlayerJustMoved,
        Outcome::Draw | Outcome::Points(_) => Winner::Draw,
    }
}

impl<G: Compared> minimax::Game for Theirs<G> {
    type S = G;
    type M = G::Move;

    fn generate_moves(position: &G, moves: &mut Vec<G::Move>) -> Option<Winner> {
        position.moves(moves);
        moves.is_empty().then(|| winner(position))
    }

    fn apply(position: &mut G, mv: G::Move) -> Option<G> {
        let mut next = position.clone();
        next.play(mv);
        Some(next)
    }

    fn get_winner(position: &G) -> Option<Winner> {
        position.is_over().then(|| winner(position))
    }

    fn zobrist_hash(position: &G) -> u64 {
        position.hash()
    }

    fn null_move(_: &G) -> Option<G::Move> {
        Some(G::any_move())
    }

    fn table_index(mv: G::Move) -> u16 {
        G::index(mv)
    }

    fn max_table_index() -> u16 {
        G::INDICES
    }
}

/// The static values of the game.
pub struct TheirStatics<G>(PhantomData<G>);

impl<G> Default for TheirStatics<G> {
    fn default() -> Self {
        TheirStatics(PhantomData)
    }
}

impl<G: Compared> minimax::Evaluator for TheirStatics<G> {
    type G = Theirs<G>;

    fn evaluate(&self, position: &G) -> Evaluation {
        position.static_value().0 as Evaluation
    }
}
