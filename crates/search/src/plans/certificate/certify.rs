//! Searches a position, keeps the plans of both sides, and makes a certificate of them.
//!
//! *Reference:* McAllester & Yuret 1993, §7, Theorem 1: alpha-beta-conspiracy search examines a tree
//! that contains, for each side, a plan for the value found, as deep as was asked for. The additions to
//! the published procedure do not affect the theorem: null windows, move ordering, and a memory. The
//! memory names hash moves. If a position occurs again, it also answers with the plans that were found
//! for it ([`PlanMemory`] explains why the theorem covers this).
//! *Deviations:* those of [`Abc`]. One of them matters here: S is at least its `floor`. A line is over
//! at the end of the game, at a draw, and where nothing can be worse than losing at once. A line of the
//! greatest length ends with less depth than was asked for.
//! *Soundness:* every certificate states how deep its plans are, and a checker can verify it.

use super::format::VERSION;
use super::record::{GoesOn, Kept, Key, Place, PlanMemory, PlanRecorder};
use super::{Certificate, Name, Plan, Referee, Step};
use crate::alpha_beta::aspiration::Question;
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::horizon::{Abc, Horizon};
use crate::alpha_beta::memory::Table;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::windows::MinimalWindow;
use crate::alpha_beta::{Report, Request, Slots, search};
use crate::component::Off;
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Game, Keyed};
use crate::limits::{Limits, Patience, Stopped};
use crate::score::Score;
use crate::window::Window;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// The recipe of [`certify`]: exact, with static values by `E`, draws by `D` and the order `O`.
#[derive(Debug)]
pub struct Exact<E, D, O>(PhantomData<(E, D, O)>);

crate::recipe! {
    impl [G: Keyed, E: Evaluate<G>, D: Draws<G>, O: Order<G>] Exact<E, D, O>, game G {
        Setting = (E, D);
        Observe = PlanRecorder<G::Move, D>;
        Horizon = Abc;
        Memory = PlanMemory<G::Move>;
        Order = O;
        Windows = MinimalWindow;
        Aspiration = Question<Off>;
    }
}

/// A certificate and the cost of finding it.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The certificate. The caller fills in the names of the game, the position and the values.
    pub certificate: Certificate,
    /// Whether both plans are as deep as was asked for.
    pub complete: bool,
    /// The number of nodes searched.
    pub nodes: u64,
}

/// Searches `position` until each side's plan is as deep as `asked`, measured in own plies with all
/// their options, and returns the value and the plans. `limits` may stop the search earlier; then the
/// result is that of the last finished iteration. Returns `None` in four cases: no iteration was
/// finished; the game is over; the plans cannot be written down within the limits; or no iteration is as deep
/// as `asked`, which [`MAX_PLY`](crate::alpha_beta::MAX_PLY) bounds. For the writing, the same limits apply
/// once more, after they have been told that the search is [over](Limits::wrap_up).
///
/// `abc` sets S and δ. Its other settings are overridden: the other side's moves do not make a plan
/// deeper, no line ends for its length, and no value is outside its window. `referee` is what a checker
/// will know. Static values of the search and of the referee must be the same, and `D` may not look ahead as
/// [`UpcomingRepetition`](crate::alpha_beta::draws::UpcomingRepetition) does: the checker would refuse the
/// certificate.
pub fn certify<G: Keyed, D: Draws<G>, O: Order<G>, E: Evaluate<G>>(
    position: &G,
    asked: Depths,
    abc: Abc,
    slots: (E, Table),
    limits: &dyn Limits,
    referee: &mut impl Referee<G>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Option<Certified> {
    let mut slots = exact::<G, D, O, E>(abc, slots);
    slots.memory.share(&slots.observe);
    slots.horizon = slots.horizon.asking_at_most(asked);
    let reaches = |n: &usize| {
        let depths = Horizon::<G>::iteration(&slots.horizon, *n);
        depths.lower >= asked.lower && depths.upper >= asked.upper
    };
    let iterations = (1..=2 * crate::alpha_beta::MAX_PLY).find(reaches)?;
    let request = Request::new(position, limits).to_iteration(iterations);
    let answer = search(&mut slots, &request, report);
    limits.wrap_up();
    let certificate =
        write_down(&mut slots, position, referee, Some(asked), &Patience::new(limits)).ok()??;
    let as_deep = |plan: &Option<Plan>, asked| plan.as_ref().is_some_and(|plan| plan.depth >= asked);
    let complete = as_deep(&certificate.at_least, asked.lower) && as_deep(&certificate.at_most, asked.upper);
    Some(Certified { certificate, complete, nodes: answer.nodes })
}

/// Returns the slots of an exact search that keeps its plans.
pub(super) fn exact<G: Keyed, D: Draws<G>, O: Order<G>, E: Evaluate<G>>(
    abc: Abc,
    (evaluate, table): (E, Table),
) -> Slots<G, Exact<E, D, O>> {
    let mut slots: Slots<G, Exact<E, D, O>> = Slots::new(evaluate, PlanMemory::new(table), Off);
    slots.horizon = abc;
    (slots.horizon.coupling, slots.horizon.longest, slots.horizon.soft) = (0, 0, 0);
    slots
}

/// Writes down the plans of the last finished search, with their depths. If lines are to share parts,
/// `share` gives the depth that each plan must keep.
pub(super) fn write_down<G: Keyed, D: Draws<G>, O: Order<G>, E: Evaluate<G>>(
    slots: &mut Slots<G, Exact<E, D, O>>,
    position: &G,
    referee: &mut impl Referee<G>,
    share: Option<Depths>,
    patience: &Patience<'_>,
) -> Result<Option<Certificate>, Stopped> {
    let Some((value, plans)) = slots.observe.take() else { return Ok(None) };
    let mut certificate = Certificate {
        version: VERSION,
        game: String::new(),
        position: String::new(),
        values: String::new(),
        margin: Score(slots.horizon.delta),
        safety: slots.horizon.safety(),
        value,
        at_least: None,
        at_most: None,
    };
    let common = match (&plans.at_least, &plans.at_most) {
        (Some(at_least), Some(at_most)) => common_line(at_least, at_most),
        _ => Vec::new(),
    };
    let mut plan = |kept: Option<Arc<Kept<G::Move>>>, own: bool| {
        let Some(kept) = kept else { return Ok(None) };
        let promised = if own { value } else { -value };
        let mut writer = Writer {
            certificate: &certificate,
            referee,
            evaluate: &mut slots.evaluate,
            patience,
            promised,
            share: share.map(|asked| if own { asked.lower } else { asked.upper }),
            line: vec![position.clone()],
            places: Vec::new(),
            count: 0,
            written: HashMap::new(),
        };
        let (root, depth, _) = writer.step(&kept, own, Depth::ZERO, Some(&common))?;
        Ok(Some(Plan { depth, root }))
    };
    let (at_least, at_most) = (plan(plans.at_least, true)?, plan(plans.at_most, false)?);
    (certificate.at_least, certificate.at_most) = (at_least, at_most);
    Ok(Some(certificate))
}

/// Returns the line that both plans have in common.
fn common_line<M: Copy + PartialEq>(at_least: &Arc<Kept<M>>, at_most: &Arc<Kept<M>>) -> Vec<M> {
    let (mut line, mut plans) = (Vec::new(), [at_least, at_most]);
    while let (GoesOn::Own(mv, next), GoesOn::Other(replies))
    | (GoesOn::Other(replies), GoesOn::Own(mv, next)) = (&plans[0].goes_on, &plans[1].goes_on)
    {
        let Some((_, answer)) = replies.iter().find(|(reply, _)| reply == mv) else { break };
        line.push(*mv);
        plans = [next, answer];
    }
    line
}

/// A step as it is written down, the depth that the plan reaches, and the plan that was actually
/// written.
type Part<M> = (Step, Depth, Arc<Kept<M>>);

/// The same for a reply, with the name of the move.
type Reply<M> = (Name, Step, Depth, Arc<Kept<M>>);

/// Writes down a plan with its depths, position by position.
struct Writer<'a, G: Game, R, E> {
    certificate: &'a Certificate,
    referee: &'a mut R,
    /// The evaluation of the search. It remembers values that the referee would have to compute again.
    evaluate: &'a mut E,
    patience: &'a Patience<'a>,
    promised: Score,
    /// The depth that the plan must keep if its lines share parts; `None` if they do not.
    share: Option<Depth>,
    /// The positions from the first to the present one.
    line: Vec<G>,
    /// The places of the positions before the present one, which identify repetitions.
    places: Vec<Place>,
    /// The number of positions written so far.
    count: usize,
    /// What has been written for each position and number of plies.
    written: HashMap<Key, Written<G::Move>>,
}

/// A part of the plan that has been written.
struct Written<M> {
    /// The number of its position.
    number: usize,
    /// The depth from this position on.
    depth: Depth,
    /// The plan that was to be written.
    meant: Arc<Kept<M>>,
    /// The plan that was actually written.
    kept: Arc<Kept<M>>,
}

impl<G: Keyed, R: Referee<G>, E: Evaluate<G>> Writer<'_, G, R, E> {
    /// Writes the plan from the present position on. Returns the step, the depth measured from the first
    /// position, and the plan that was actually written. That plan differs from `kept` if another part
    /// of the plan serves just as well.
    ///
    /// `common` is the rest of the line that the plans of both sides have in common, if the present position
    /// is on it. There no other part serves: it need not lead to the leaf that both plans share.
    fn step(
        &mut self,
        kept: &Arc<Kept<G::Move>>,
        own: bool,
        depth: Depth,
        common: Option<&[G::Move]>,
    ) -> Result<Part<G::Move>, Stopped> {
        let position = self.line.last().expect("a line has a first position").clone();
        let ply = self.line.len() - 1;
        self.patience.judge(1)?;
        self.count += 1;
        let number = self.count;
        if matches!(kept.goes_on, GoesOn::End) {
            let (step, reached) = self.end(&position, own, depth)?;
            return Ok((step, reached, kept.clone()));
        }
        let key = (position.exact_key(), ply, kept.place.back);
        if let Some(floor) = self.share
            && common.is_none()
            && let Some(written) = self.written.get(&key)
        {
            let reached = plus(depth, written.depth);
            let serves = reached >= floor || Arc::ptr_eq(&written.meant, kept);
            if serves && !written.kept.repeats(&self.places) {
                return Ok((Step::Same(written.number), reached, written.kept.clone()));
            }
        }
        self.places.push(kept.place);
        let (step, reached, goes_on) = match &kept.goes_on {
            GoesOn::Own(mv, next) => {
                let options = self.options(&position, *mv)?;
                let depth = depth + self.certificate.safety_of(options.len());
                let (name, step, reached, instead) = self.play(&position, *mv, next, own, depth, common)?;
                let goes_on = (!Arc::ptr_eq(&instead, next)).then_some(GoesOn::Own(*mv, instead));
                (Step::Own { mv: name, options, next: Box::new(step) }, reached, goes_on)
            }
            GoesOn::Other(replies) => {
                let mut least = Depth::CERTAIN;
                let mut written = Vec::with_capacity(replies.len());
                let mut others = Vec::with_capacity(replies.len());
                for (mv, next) in replies {
                    let (name, step, reached, instead) =
                        self.play(&position, *mv, next, own, depth, common)?;
                    least = least.min(reached);
                    written.push((name, step));
                    others.push((*mv, instead));
                }
                let same = others.iter().zip(replies).all(|(other, meant)| Arc::ptr_eq(&other.1, &meant.1));
                (Step::Other(written), least, (!same).then_some(GoesOn::Other(others)))
            }
            GoesOn::End => unreachable!("an end has been written"),
        };
        self.places.pop();
        let instead =
            goes_on.map_or_else(|| kept.clone(), |goes_on| Arc::new(Kept { place: kept.place, goes_on }));
        if self.share.is_some() && !kept.place.leans {
            let below = if reached == Depth::CERTAIN { reached } else { reached - depth };
            let written = Written { number, depth: below, meant: kept.clone(), kept: instead.clone() };
            let deeper = |old: &Written<_>| old.depth >= below;
            if !self.written.get(&key).is_some_and(deeper) {
                self.written.insert(key, written);
            }
        }
        Ok((step, reached, instead))
    }

    fn end(&mut self, position: &G, own: bool, depth: Depth) -> Result<(Step, Depth), Stopped> {
        let ply = self.line.len() - 1;
        let seen = |value: Score| if own { value } else { -value };
        let over = match position.is_over() {
            true if self.referee.goes_on(position) => None,
            true => Some(seen(position.outcome().score(ply))),
            false if self.referee.is_drawn(&self.line) => Some(Score::DRAW),
            false => None,
        };
        let at_once = Score::loss_in(ply);
        if let Some(value) = over.or((self.promised <= at_once).then_some(at_once)) {
            return Ok((Step::Over { value }, Depth::CERTAIN));
        }
        let value = match position.is_over() {
            true => position.outcome().score(ply),
            false => self.evaluate.evaluate_patiently(position, Window::FULL, self.patience)?,
        };
        Ok((Step::Leaf { value: seen(value), depth }, depth))
    }

    fn play(
        &mut self,
        position: &G,
        mv: G::Move,
        next: &Arc<Kept<G::Move>>,
        own: bool,
        depth: Depth,
        common: Option<&[G::Move]>,
    ) -> Result<Reply<G::Move>, Stopped> {
        let common = common.and_then(<[_]>::split_first).filter(|(first, _)| **first == mv);
        let mut child = position.clone();
        child.play(mv);
        self.line.push(child);
        let (next, reached, instead) = self.step(next, !own, depth, common.map(|(_, rest)| rest))?;
        self.line.pop();
        Ok((self.referee.name(position, mv).into(), next, reached, instead))
    }

    /// Returns the moves other than `mv` that hold the promised value. They are counted here and again
    /// by the checker.
    fn options(&mut self, position: &G, mv: G::Move) -> Result<Vec<Name>, Stopped> {
        let ply = self.line.len();
        let bar = self.promised - self.certificate.margin;
        let (mut moves, mut options) = (Vec::new(), Vec::new());
        position.moves(&mut moves);
        for other in moves.into_iter().filter(|other| *other != mv) {
            let mut child = position.clone();
            child.play(other);
            let value = match child.is_over() {
                true => child.outcome().score(ply),
                false if self.referee.is_drawn(std::slice::from_ref(&child)) => Score::DRAW,
                // The only question is whether the value is below −bar.
                false => {
                    let window = Window::above(-bar - Score(1));
                    self.evaluate.evaluate_patiently(&child, window, self.patience)?
                }
            };
            if -value > bar {
                options.push(self.referee.name(position, other).into());
            }
        }
        Ok(options)
    }
}

/// Adds the depth below a position. If the depth below is certain, so is the sum.
fn plus(depth: Depth, below: Depth) -> Depth {
    if below == Depth::CERTAIN { below } else { depth + below }
}
