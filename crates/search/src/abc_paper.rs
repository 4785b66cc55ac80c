//! The recipe `abc-paper`: alpha-beta-conspiracy search as McAllester & Yuret print it.
//!
//! *Reference:* McAllester & Yuret 1993: Fig. 6 and 7, with narrow windows after §7; S of §6; quiescence
//! values as the static values of nodes and of options, §8, §9.1 and §10.2.
//! *Deviations:* those of [`Abc`]; iterations with growing depths, one table, and draws by repetition and by
//! rule. Lines end at [`MAX_PLY`](crate::MAX_PLY), and [`Answer::cut_off`](crate::Answer::cut_off) says how
//! often.

use crate::{
    Abc, ExactQuiescence, Game, Memory, MinimalWindow, Off, Options, Order, Quiescence, Recipe, Setting,
    SiblingQuiescence, Slots, Table, Windows,
};
use std::marker::PhantomData;

/// The search for the setting `S`. Static values are those of the quiescence `Q`, those of options are found
/// by `C`; with [`Off`] for both they are plain ones, which in a game without captures is the same. `O` is
/// the order, `M` the memory, and `W` says with which windows moves are searched: with
/// [`WholeWindow`](crate::WholeWindow) it is Fig. 6 to the letter, and very slow, since a narrow window ends
/// most lines sooner.
#[derive(Debug)]
pub struct AbcPaper<S, Q = ExactQuiescence, C = SiblingQuiescence, O = Off, M = Table, W = MinimalWindow>(
    PhantomData<(S, Q, C, O, M, W)>,
);

impl<G, S, Q, C, O, M, W> Recipe<G> for AbcPaper<S, Q, C, O, M, W>
where
    G: Game,
    S: Setting<G>,
    Q: Quiescence<G>,
    C: Options<G>,
    O: Order<G>,
    M: Memory<G>,
    W: Windows,
{
    type Evaluate = S::Evaluate;
    type Observe = Off;
    type Draws = S::Draws;
    type Horizon = Abc;
    type Options = C;
    type Quiescence = Q;
    type Memory = M;
    type Knowledge = S::Knowledge;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type Order = O;
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = W;
    type Aspiration = Off;
    type Deepening = Off;

    fn set(slots: &mut Slots<G, Self>) {
        slots.horizon = Abc::as_printed();
    }
}
