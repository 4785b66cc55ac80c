//! Dual credit with delayed extensions: forced and forcing moves earn credit for their side, which is
//! later cashed for plies.
//!
//! *Reference:* Campbell, Hoane & Hsu 2002, on Deep Blue, which cites McAllester & Yuret 1993: each side
//! has a credit. Once it exceeds a limit it is cashed for depth, and the other side loses as much.
//! *Deviations:* all whole plies are cashed once the limit is reached. The amounts that the sorts of
//! moves earn are our choice, and so is that the other side's credit may become negative.
//! *Soundness:* a depth rule. A move earns less than a ply, so that every line ends.
//! *Worth:* beside other depth rules in results/depth-rules.md.

use super::{Horizon, Sort, Step};
use crate::depth::{Depth, Depths};
use crate::game::{Checks, Noisy};
use crate::window::Window;

crate::component! {
    /// One depth and a credit for each side.
    pub struct DualCredit {
        /// Credit for a noisy move.
        noisy: 0 in 0..=95 "hundredths of a ply",
        /// Credit for a move that gives check.
        check: 50 in 0..=95 "hundredths of a ply",
        /// Credit for a reply to a check.
        reply: 50 in 0..=95 "hundredths of a ply",
        /// Credit for the only legal move.
        only: 75 in 0..=95 "hundredths of a ply",
        /// From how much on credit is cashed.
        limit: 200 in 0..=800 "hundredths of a ply",
    }
}

/// The count of [`DualCredit`] on a line.
#[derive(Clone, Copy, Debug)]
pub struct Account {
    depth: Depth,
    /// Both credits: `lower` is that of the side to move.
    credit: Depths,
}

impl DualCredit {
    fn earned(&self, sort: Sort) -> Depth {
        let hundredths = match sort {
            Sort::Only => self.only,
            Sort::Reply => self.reply,
            Sort::Check => self.check,
            Sort::Noisy => self.noisy,
            Sort::Ordinary => 0,
        };
        Depth(hundredths * Depth::PLY.0 / 100)
    }

    /// Adds `earned` to the credit of the side to move, which cashes all whole plies once it has reached
    /// the limit.
    #[inline]
    fn book(&self, account: &Account, earned: Depth) -> Account {
        let Account { mut depth, mut credit } = *account;
        credit.lower += earned;
        if earned > Depth::ZERO && credit.lower >= Depth(self.limit * Depth::PLY.0 / 100) {
            let cashed = Depth::plies(credit.lower.whole_plies());
            depth += cashed;
            credit.lower -= cashed;
            credit.upper -= cashed;
        }
        Account { depth, credit }
    }
}

impl<G: Checks + Noisy> Horizon<G> for DualCredit {
    type Count = Account;

    fn root(&mut self, depths: Depths, _: Window) -> Account {
        Account { depth: depths.lower.max(depths.upper), credit: Depths::default() }
    }

    #[inline]
    fn remaining(&self, count: &Account, _: Window) -> Depths {
        Depths::both(count.depth)
    }

    #[inline]
    fn child(&mut self, count: &Account, step: &Step<'_, G>) -> Account {
        let Account { depth, credit } = self.book(count, self.earned(step.sort()));
        Account { depth: depth - Depth::PLY, credit: credit.flip() }
    }

    #[inline]
    fn pass(&self, count: &Account) -> Account {
        Account { depth: count.depth - Depth::PLY, credit: count.credit.flip() }
    }

    #[inline]
    fn lengthen(&self, count: &Account, more: Depth) -> Account {
        Account { depth: count.depth + more, ..*count }
    }

    /// An extension of the side to move is booked as credit too.
    #[inline]
    fn lengthen_own(&self, count: &Account, more: Depth) -> Account {
        self.book(count, more)
    }
}
