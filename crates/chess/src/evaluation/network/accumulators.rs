//! The hidden layers of recent positions, from which those of the next one are computed.

use super::{Aligned, Base, Network, bucket, input, is_mirrored};
use crate::evaluation::classical::Classical;
use crate::evaluation::{MAX_VALUE, Pieces};
use shakmaty::{Bitboard, Color, Role};
use std::sync::Arc;

/// How many plies of a line keep their hidden layers. A line that is longer overwrites the first ones.
const PLIES: usize = 64;

/// A position of the line is used if it differs by at most this many pieces.
const NEAR: usize = 8;

/// The hidden layers of one position of each ply, as last evaluated there, and of four positions by view
/// and mirroring, for views that no position of the line has.
///
/// The layers of a position are copied from those of the most similar position among its own ply (a
/// sibling), the two plies before it (its ancestors), and the four. The pieces that differ are added and
/// taken away.
pub(in crate::evaluation) struct Accumulators {
    network: Arc<Network>,
    /// The positions; after those by ply come the four.
    known: Vec<Known>,
    /// For each of the positions, the layers of Black's view and of White's.
    layers: Aligned,
    /// The evaluation that the network adds to, if it does not stand alone.
    base: Option<Classical>,
    /// The pieces by which the last two positions differed: a buffer.
    changes: Changes,
}

/// What the layers of a position were computed from.
#[derive(Clone, Copy)]
struct Known {
    pieces: Pieces,
    /// By view: black, white.
    mirrored: [bool; 2],
}

const VIEWS: [Color; 2] = [Color::Black, Color::White];

impl Accumulators {
    pub fn new(network: Arc<Network>) -> Accumulators {
        let none = Known { pieces: Pieces::EMPTY, mirrored: [false; 2] };
        let mut known = vec![none; PLIES + 4];
        for view in [0, 1] {
            known[PLIES + 2 * view + 1].mirrored = [true; 2];
        }
        let layers = Aligned::new(&network.bias.repeat(2 * known.len()));
        let base = (network.base == Base::Classical).then(Classical::new);
        Accumulators { known, layers, network, base, changes: Changes::NONE }
    }

    /// Computes the value for White; 0 when a king is missing, or if the evaluation that the network adds to
    /// knows that the side that stands better cannot win.
    pub fn value(&mut self, pieces: &Pieces, turn: Color, ply: usize) -> i32 {
        let king = |color: Color| (pieces.by_role(Role::King) & pieces.by_side(color)).first();
        let (Some(black), Some(white)) = (king(Color::Black), king(Color::White)) else { return 0 };
        let base = self.base.as_mut().map_or(Some(0), |base| base.unless_drawn(pieces, turn));
        let Some(base) = base else { return 0 };
        let place = ply % PLIES;
        self.refresh(place, &Known { pieces: *pieces, mirrored: [black, white].map(is_mirrored) });
        let bucket = bucket(pieces.occupied().count());
        let [us, them] = [turn as usize & 1, turn.other() as usize & 1];
        let value = self.network.output(self.layer(place, us), self.layer(place, them), bucket);
        let value = if turn.is_white() { value } else { -value };
        (base + value).clamp(-MAX_VALUE, MAX_VALUE)
    }

    /// Whether the evaluation that the network adds to knows that the side that stands better cannot win.
    pub fn knows_a_draw(&mut self, pieces: &Pieces, turn: Color) -> bool {
        self.base.as_mut().is_some_and(|base| base.unless_drawn(pieces, turn).is_none())
    }

    /// Prefetches the caches of the evaluation that the network adds to.
    #[inline]
    pub fn prefetch(&self, pieces: &Pieces) {
        if let Some(base) = &self.base {
            base.prefetch(pieces);
        }
    }

    /// Computes both layers of a position for its place.
    #[inline]
    fn refresh(&mut self, place: usize, new: &Known) {
        let Some(near) = self.most_similar(place, new) else { return self.renew(place, new) };
        self.changes.set(&self.known[near].pieces, &new.pieces);
        if near != place || !self.changes.are_none() {
            self.update(0, near, place, new.mirrored[0]);
            self.update(1, near, place, new.mirrored[1]);
        }
        self.known[place] = *new;
    }

    /// The place of the position of the line that is most similar to a new one, if one is similar enough.
    #[inline]
    fn most_similar(&self, place: usize, new: &Known) -> Option<usize> {
        let distance = |near: usize| {
            let known = &self.known[near];
            let distance = distance(&known.pieces, &new.pieces);
            (known.mirrored == new.mirrored && distance <= NEAR).then_some((distance, near))
        };
        let [parent, before] = [1, 2].map(|back| (place + PLIES - back) % PLIES);
        match distance(parent) {
            // One move away: nothing is nearer, except a sibling that takes back less.
            Some((0..=3, parent)) => Some(parent),
            found => [found, distance(place), distance(before)].into_iter().flatten().min().map(|it| it.1),
        }
    }

    /// Computes both layers from the positions that are kept by view and mirroring.
    #[cold]
    fn renew(&mut self, place: usize, new: &Known) {
        for view in [0, 1] {
            let kept = PLIES + 2 * view + usize::from(new.mirrored[view]);
            self.changes.set(&self.known[kept].pieces, &new.pieces);
            self.update(view, kept, kept, new.mirrored[view]);
            self.changes = Changes::NONE;
            self.update(view, kept, place, new.mirrored[view]);
            self.known[kept].pieces = new.pieces;
        }
        self.known[place] = *new;
    }

    fn layer(&self, place: usize, view: usize) -> &[i16] {
        let width = self.network.width;
        &self.layers[(2 * place + view) * width..][..width]
    }

    /// Computes a layer from that of another place by the changes, or changes it in its place.
    #[inline]
    fn update(&mut self, view: usize, from: usize, to: usize, mirrored: bool) {
        let (network, changes) = (&*self.network, &self.changes);
        let width = network.width;
        let row = |piece: &u16| network.row(seen_from(*piece, view, mirrored));
        let range = |place: usize| (2 * place + view) * width..(2 * place + view + 1) * width;
        let (added, removed) = (changes.added.list(), changes.removed.list());
        if from != to {
            let [source, target] = self
                .layers
                .get_disjoint_mut([range(from), range(to)])
                .expect("the layers of two places do not overlap");
            match (added, removed) {
                // A quiet move, and a capture.
                ([one], [other]) => return exchange(target, source, row(one), row(other)),
                ([one], [other, taken]) => return capture(target, source, row(one), row(other), row(taken)),
                _ => target.copy_from_slice(source),
            }
        }
        let target = &mut self.layers[range(to)];
        added.iter().for_each(|piece| add(target, row(piece)));
        removed.iter().for_each(|piece| subtract(target, row(piece)));
    }
}

/// About the number of pieces by which two positions differ; a promotion counts less.
#[inline]
fn distance(one: &Pieces, other: &Pieces) -> usize {
    Color::ALL.map(|side| (one.by_side(side) ^ other.by_side(side)).count()).iter().sum()
}

/// The pieces by which two positions differ, by their inputs in White's view, not mirrored.
struct Changes {
    added: List,
    removed: List,
}

impl Changes {
    const NONE: Changes = Changes { added: List::EMPTY, removed: List::EMPTY };

    /// Finds the pieces that must be added to and removed from one position to get another.
    #[inline]
    fn set(&mut self, before: &Pieces, after: &Pieces) {
        (self.added.count, self.removed.count) = (0, 0);
        let [white, black] = Color::ALL.map(|side| before.by_side(side) ^ after.by_side(side));
        for role in Role::ALL {
            let (was, is) = (before.by_role(role), after.by_role(role));
            // Most roles have not moved.
            if ((was ^ is) | (was & (black | white))).is_empty() {
                continue;
            }
            for color in VIEWS {
                let (old, new) = (was & before.by_side(color), is & after.by_side(color));
                self.added.extend(color, role, new & !old);
                self.removed.extend(color, role, old & !new);
            }
        }
    }

    #[inline(always)]
    fn are_none(&self) -> bool {
        self.added.count + self.removed.count == 0
    }
}

/// At most one piece for each square.
struct List {
    pieces: [u16; 64],
    count: usize,
}

impl List {
    const EMPTY: List = List { pieces: [0; 64], count: 0 };

    #[inline(always)]
    fn extend(&mut self, color: Color, role: Role, squares: Bitboard) {
        for square in squares {
            self.pieces[self.count & 63] = input(Color::White, false, color, role, square) as u16;
            self.count += 1;
        }
    }

    #[inline(always)]
    fn list(&self) -> &[u16] {
        &self.pieces[..self.count.min(64)]
    }
}

/// The input of a piece in a view, from its input in White's view, not mirrored.
#[inline(always)]
const fn seen_from(piece: u16, view: usize, mirrored: bool) -> u16 {
    const HALF: u16 = super::INPUTS as u16 / 2;
    let seen = match view == Color::White as usize {
        true => piece,
        false if piece < HALF => (piece + HALF) ^ 56,
        false => (piece - HALF) ^ 56,
    };
    if mirrored { seen ^ 7 } else { seen }
}

#[inline(always)]
fn add(target: &mut [i16], row: &[i16]) {
    for (unit, weight) in target.iter_mut().zip(row) {
        *unit = unit.wrapping_add(*weight);
    }
}

#[inline(always)]
fn subtract(target: &mut [i16], row: &[i16]) {
    for (unit, weight) in target.iter_mut().zip(row) {
        *unit = unit.wrapping_sub(*weight);
    }
}

#[inline(always)]
fn exchange(target: &mut [i16], source: &[i16], added: &[i16], removed: &[i16]) {
    let changes = source.iter().zip(added).zip(removed);
    for (target, ((source, added), removed)) in target.iter_mut().zip(changes) {
        *target = source.wrapping_add(*added).wrapping_sub(*removed);
    }
}

#[inline(always)]
fn capture(target: &mut [i16], source: &[i16], added: &[i16], removed: &[i16], taken: &[i16]) {
    let changes = source.iter().zip(added).zip(removed.iter().zip(taken));
    for (target, ((source, added), (removed, taken))) in target.iter_mut().zip(changes) {
        *target = source.wrapping_add(*added).wrapping_sub(*removed).wrapping_sub(*taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Square;

    #[test]
    fn a_piece_is_seen_from_each_view() {
        for (view, color) in VIEWS.iter().flat_map(|view| VIEWS.map(|color| (*view, color))) {
            for role in Role::ALL {
                for square in Square::ALL {
                    let piece = input(Color::White, false, color, role, square) as u16;
                    for mirrored in [false, true] {
                        let seen = seen_from(piece, view as usize, mirrored);
                        assert_eq!(usize::from(seen), input(view, mirrored, color, role, square));
                    }
                }
            }
        }
    }
}
