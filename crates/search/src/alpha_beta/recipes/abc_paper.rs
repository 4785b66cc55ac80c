//! The recipe `abc-paper`: alpha-beta-conspiracy search as printed by McAllester & Yuret.
//!
//! *Reference:* McAllester & Yuret 1993: Fig. 6 and 7, with narrow windows after §7; S of §6; quiescence
//! values as the static values of nodes and of options, §8, §9.1 and §10.2.
//! *Deviations:* those of [`Abc`]; iterations with growing depths, one table, and draws by repetition
//! and by rule. Lines end at [`MAX_PLY`](crate::alpha_beta::MAX_PLY);
//! [`Answer::cut_off`](crate::alpha_beta::Answer::cut_off) counts how often.

use crate::alpha_beta::horizon::Abc;
use crate::alpha_beta::memory::{Memory, Table};
use crate::alpha_beta::options::{Options, SiblingQuiescence};
use crate::alpha_beta::order::Order;
use crate::alpha_beta::quiescence::{ExactQuiescence, Quiescence};
use crate::alpha_beta::windows::{MinimalWindow, Windows};
use crate::alpha_beta::{Setting, Slots};
use crate::component::Off;
use crate::game::Game;
use std::marker::PhantomData;

/// The search for the setting `S`. Static values are those of the quiescence search `Q`, and the values
/// of options are found by `C`. With [`Off`] for both, plain static values are used, which makes no
/// difference in a game without captures. `O` is the move order, `M` the memory, and `W` chooses the
/// windows with which moves are searched. With [`WholeWindow`](crate::alpha_beta::windows::WholeWindow)
/// it is Fig. 6 to the letter, and very slow, since a narrow window ends most lines sooner.
#[derive(Debug)]
pub struct AbcPaper<S, Q = ExactQuiescence, C = SiblingQuiescence, O = Off, M = Table, W = MinimalWindow>(
    PhantomData<(S, Q, C, O, M, W)>,
);

crate::recipe! {
    impl [G, S, Q, C, O, M, W] AbcPaper<S, Q, C, O, M, W>, game G, where [
        G: Game,
        S: Setting<G>,
        Q: Quiescence<G>,
        C: Options<G>,
        O: Order<G>,
        M: Memory<G>,
        W: Windows,
    ] {
        Setting = S;
        Horizon = Abc;
        Options = C;
        Quiescence = Q;
        Memory = M;
        Order = O;
        Windows = W;
    }
    and {
        fn set(slots: &mut Slots<G, Self>) {
            slots.horizon = Abc::as_printed();
        }
    }
}
