//! The recipes of the alpha-beta family.

use super::Playable;
use crate::alpha_beta::Setting;
use crate::alpha_beta::aspiration::AspirationSwitches;
use crate::alpha_beta::deepening::MoveAndRefutation;
use crate::alpha_beta::horizon::{Discounted, EvaluatorAsks, FailHard, Horizon, NearPv, Plies};
use crate::alpha_beta::memory::{Memory, Table};
use crate::alpha_beta::order::{ChecksFirst, Continuation, Countermove, History, Killers, NoisyFirst};
use crate::alpha_beta::quiescence::Captures;
use crate::alpha_beta::selectivity::{FailHighSingular, InternalReduction, KBest, Selectivity, Singular};
use crate::alpha_beta::windows::WindowSwitches;
use crate::component::{Off, Spare, Switch};
use crate::game::{Checks, Game, Keyed, MoveIndexed, Noisy, Statics};
use std::marker::PhantomData;

/// The depth rule `H`, with the components around it that any game can have, each behind a switch.
pub type Around<H> = Discounted<(Spare<EvaluatorAsks>, Spare<NearPv>, Spare<FailHard>), H>;

/// Plain principal variation search to a depth in plies, for every game. Other windows are behind
/// switches.
#[derive(Debug)]
pub struct Plain;

crate::recipe! {
    impl [G: Playable] Plain, game G {
        Setting = (Statics, G::Draws);
        Horizon = Around<Plies>;
        Selectivity = FewMoves;
        Windows = WindowSwitches;
        Aspiration = AspirationSwitches;
        Deepening = Spare<MoveAndRefutation>;
    }
}

/// Principal variation search with the depth rule `H` and the table `M`, for games with hash keys. The
/// components that any such game can have are behind switches.
#[derive(Debug)]
pub struct Remembering<H, M = Table>(PhantomData<(H, M)>);

crate::recipe! {
    impl [G: Playable + Keyed, H: Horizon<G>, M: Memory<G>] Remembering<H, M>, game G {
        Setting = (Statics, G::Draws);
        Horizon = Around<H>;
        Memory = M;
        Selectivity = WithKeys;
        Windows = WindowSwitches;
        Aspiration = AspirationSwitches;
        Deepening = Spare<MoveAndRefutation>;
    }
}

/// Restricts the search to the best moves by static value, behind a switch.
#[derive(Debug)]
pub enum FewMoves {}

impl<G: Game> Selectivity<G> for FewMoves {
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type ProbCut = Off;
    type LateMovePruning = Spare<KBest>;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
}

/// The selective components that a game with hash keys can have, behind switches.
#[derive(Debug)]
pub enum WithKeys {}

impl<G: Keyed> Selectivity<G> for WithKeys {
    type InternalReduction = Spare<InternalReduction>;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type ProbCut = Off;
    type LateMovePruning = Spare<KBest>;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = (Spare<Singular>, Spare<FailHighSingular>);
    type LateMoveReduction = Off;
}

/// [`Remembering`] with quiescence and move ordering, for games that also have noisy moves and checks.
#[derive(Debug)]
pub struct Bare<H>(PhantomData<H>);

crate::recipe! {
    impl [G: Playable + Keyed + MoveIndexed + Noisy + Checks, H: Horizon<G>] Bare<H>, game G {
        Setting = (Statics, G::Draws);
        Horizon = Around<H>;
        Quiescence = Switch<Captures>;
        Memory = Table;
        Order = (
            Switch<NoisyFirst>,
            Switch<ChecksFirst>,
            Switch<Killers>,
            Switch<Countermove>,
            Switch<History>,
            Switch<Continuation>,
        );
        Windows = WindowSwitches;
        Aspiration = AspirationSwitches;
        Deepening = Spare<MoveAndRefutation>;
    }
}

/// The recipe with every component behind a switch, with the depth rule `H` and the quiescence `Q`.
pub type Laboratory<H, Q = Switch<Captures>> = crate::alpha_beta::recipes::Laboratory<Board, H, Q>;

/// What depends on the game: static values, draws, and no endgame tables.
#[derive(Debug)]
pub enum Board {}

impl<G: Playable> Setting<G> for Board {
    type Evaluate = Statics;
    type Draws = G::Draws;
    type Knowledge = Off;
}
