//! A search that keeps its plans.
//!
//! *Reference:* McAllester & Yuret 1993, §7, Theorem 1: alpha-beta-conspiracy search examines a tree that contains a
//! plan of each side for the value found, each as deep as was asked for. Nothing is added to the printed procedure but
//! what leaves the theorem alone: minimal windows, the order of moves, and a memory that names moves and, where a position comes up again, answers with
//! the plans that it has found for it ([`PlanMemory`] says why the theorem covers that).
//! *Deviations:* those of [`Abc`], of which one matters here: S is at least its `floor`. Lines are over by the end of the game, by draws, and
//! where nothing could be worse than losing at once; a line of the greatest length ends with less depth than was asked for.
//! *Soundness:* every certificate says how deep its plans are; whoever wants to be sure has it checked.

use super::format::VERSION;
use super::record::{GoesOn, Kept, Key, Place, PlanMemory, PlanRecorder};
use super::{Certificate, Name, Plan, Referee, Step};
use crate::{
    Abc, Depth, Depths, Draws, Evaluate, Game, Horizon, Keyed, Limits, MinimalWindow, Off, Order, Patience,
    Question, Recipe, Report, Request, Score, Slots, Stopped, Table, Window, search,
};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// The recipe of [`certify`]: exact, with static values by `E`, draws by `D` and the order `O`.
#[derive(Debug)]
pub struct Exact<E, D, O>(PhantomData<(E, D, O)>);

impl<G: Keyed, E: Evaluate<G>, D: Draws<G>, O: Order<G>> Recipe<G> for Exact<E, D, O> {
    type Evaluate = E;
    type Observe = PlanRecorder<G::Move, D>;
    type Draws = D;
    type Horizon = Abc;
    type Options = Off;
    type Quiescence = Off;
    type Memory = PlanMemory<G::Move>;
    type Knowledge = Off;
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
    type Windows = MinimalWindow;
    type Aspiration = Question<Off>;
    type Deepening = Off;
}

/// A certificate, and what it cost.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The certificate; who asked for it fills in what the game, the position and the values are called.
    pub certificate: Certificate,
    /// Whether both plans are as deep as was asked for.
    pub complete: bool,
    /// Nodes searched.
    pub nodes: u64,
}

/// Searches `position` until each side's plan is as deep as `asked`, in own plies with all their options, and returns value and plans.
/// `limits` may stop the search earlier: then they are those of the last iteration that was finished. None if there is none, if
/// the game is over, or if the plans cannot be written down within the same limits once more, told that the search is
/// [over](Limits::wrap_up).
///
/// `abc` says what S and δ are (the other side's moves make no plan deeper, no line ends for its length, no value is outside its window), `referee` what a checker will know; static values of both must be the same.
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
    let iterations = (1..=2 * crate::MAX_PLY).find(reaches)?;
    let request = Request::new(position, limits).to_iteration(iterations);
    let answer = search(&mut slots, &request, report);
    limits.wrap_up();
    let certificate =
        write_down(&mut slots, position, referee, Some(asked), &Patience::new(limits)).ok()??;
    let as_deep = |plan: &Option<Plan>, asked| plan.as_ref().is_some_and(|plan| plan.depth >= asked);
    let complete = as_deep(&certificate.at_least, asked.lower) && as_deep(&certificate.at_most, asked.upper);
    Some(Certified { certificate, complete, nodes: answer.nodes })
}

/// The slots of an exact search that keeps its plans.
pub(super) fn exact<G: Keyed, D: Draws<G>, O: Order<G>, E: Evaluate<G>>(
    abc: Abc,
    (evaluate, table): (E, Table),
) -> Slots<G, Exact<E, D, O>> {
    let mut slots: Slots<G, Exact<E, D, O>> = Slots::new(evaluate, PlanMemory::new(table), Off);
    slots.horizon = abc;
    (slots.horizon.coupling, slots.horizon.longest, slots.horizon.soft) = (0, 0, 0);
    slots
}

/// The plans of the last search that came to an end, and what they are worth. If their lines are to share what they can, `share` says how
/// deep each plan is to stay.
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
        let (root, depth, _) = writer.step(&kept, own, Depth::ZERO)?;
        Ok(Some(Plan { depth, root }))
    };
    let (at_least, at_most) = (plan(plans.at_least, true)?, plan(plans.at_most, false)?);
    (certificate.at_least, certificate.at_most) = (at_least, at_most);
    Ok(Some(certificate))
}

/// A step as it is written down, the depth of the plan from there, and what is kept of it.
type Part<M> = (Step, Depth, Arc<Kept<M>>);

/// The same of a reply, with its name.
type Reply<M> = (Name, Step, Depth, Arc<Kept<M>>);

/// Writes down what a plan is worth, position by position.
struct Writer<'a, G: Game, R, E> {
    certificate: &'a Certificate,
    referee: &'a mut R,
    /// The search's own: it remembers values that the referee would find again.
    evaluate: &'a mut E,
    patience: &'a Patience<'a>,
    promised: Score,
    /// How deep the plan is to stay if its lines share what they can.
    share: Option<Depth>,
    /// The positions from the first to the present one …
    line: Vec<G>,
    /// … and what repetitions of those before it are recognised by.
    places: Vec<Place>,
    /// How many positions are written.
    count: usize,
    /// What is written for each position after so many plies.
    written: HashMap<Key, Written<G::Move>>,
}

/// A part of the plan that is written.
struct Written<M> {
    /// The number of its position.
    number: usize,
    /// How deep it is from there on.
    depth: Depth,
    /// What was to be written …
    meant: Arc<Kept<M>>,
    /// … and what was.
    kept: Arc<Kept<M>>,
}

impl<G: Keyed, R: Referee<G>, E: Evaluate<G>> Writer<'_, G, R, E> {
    /// A plan from the present position on; how deep it is from the first position on; and what was written, which is not what was to be
    /// where another part of the plan does as well.
    fn step(&mut self, kept: &Arc<Kept<G::Move>>, own: bool, depth: Depth) -> Result<Part<G::Move>, Stopped> {
        let position = self.line.last().expect("a line has a first position").clone();
        let ply = self.line.len() - 1;
        self.count += 1;
        let number = self.count;
        if matches!(kept.goes_on, GoesOn::End) {
            let (step, reached) = self.end(&position, own, depth)?;
            return Ok((step, reached, kept.clone()));
        }
        let key = (position.exact_key(), ply, kept.place.back);
        if let Some(floor) = self.share
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
                let (name, step, reached, instead) = self.play(&position, *mv, next, own, depth)?;
                let goes_on = (!Arc::ptr_eq(&instead, next)).then_some(GoesOn::Own(*mv, instead));
                (Step::Own { mv: name, options, next: Box::new(step) }, reached, goes_on)
            }
            GoesOn::Other(replies) => {
                let mut least = Depth::CERTAIN;
                let mut written = Vec::with_capacity(replies.len());
                let mut others = Vec::with_capacity(replies.len());
                for (mv, next) in replies {
                    let (name, step, reached, instead) = self.play(&position, *mv, next, own, depth)?;
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
    ) -> Result<Reply<G::Move>, Stopped> {
        let mut child = position.clone();
        child.play(mv);
        self.line.push(child);
        let (next, reached, instead) = self.step(next, !own, depth)?;
        self.line.pop();
        Ok((self.referee.name(position, mv).into(), next, reached, instead))
    }

    /// The moves other than `mv` that hold what is promised, counted here and, once more, by the checker.
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
                // Whether it is below −bar is all that is asked.
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

/// What is certain from here on is so from the first position on.
fn plus(depth: Depth, below: Depth) -> Depth {
    if below == Depth::CERTAIN { below } else { depth + below }
}
