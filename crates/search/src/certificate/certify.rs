//! A search that keeps its plans.
//!
//! *Reference:* McAllester & Yuret 1993, §7, Theorem 1: alpha-beta-conspiracy search examines a tree that contains a
//! plan of each side for the value found, each as deep as was asked for. Nothing is added to the printed procedure but
//! what leaves the theorem alone: minimal windows, the order of moves, and a memory that names moves only.
//! *Deviations:* those of [`Abc`], of which one matters here: S is at least its `floor`. Lines are over by the end of the game, by draws, and
//! where nothing could be worse than losing at once; a line of the greatest length ends with less depth than was asked for.
//! *Soundness:* every certificate says how deep its plans are; whoever wants to be sure has it checked.

use super::format::VERSION;
use super::record::{Note, PlanRecorder};
use super::{Certificate, Name, Plan, Referee, Step};
use crate::{
    Abc, Advice, Depth, Depths, Draws, Evaluate, Game, Horizon, Keyed, Limits, MinimalWindow, Off, Order,
    Patience, Question, Recipe, Report, Request, Score, Slots, Stopped, Table, Window, search,
};
use std::marker::PhantomData;

/// The recipe of [`certify`]: exact, with static values by `E`, draws by `D` and the order `O`.
#[derive(Debug)]
pub struct Exact<E, D, O>(PhantomData<(E, D, O)>);

impl<G: Keyed, E: Evaluate<G>, D: Draws<G>, O: Order<G>> Recipe<G> for Exact<E, D, O> {
    type Evaluate = E;
    type Observe = PlanRecorder<G::Move>;
    type Draws = D;
    type Horizon = Abc;
    type Options = Off;
    type Quiescence = Off;
    type Memory = Advice<Table>;
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
    slots.horizon = slots.horizon.asking_at_most(asked);
    let reaches = |n: &usize| {
        let depths = Horizon::<G>::iteration(&slots.horizon, *n);
        depths.lower >= asked.lower && depths.upper >= asked.upper
    };
    let iterations = (1..=2 * crate::MAX_PLY).find(reaches)?;
    let request = Request::new(position, limits).to_iteration(iterations);
    let answer = search(&mut slots, &request, report);
    limits.wrap_up();
    let certificate = write_down(&mut slots, position, referee, &Patience::new(limits)).ok()??;
    let as_deep = |plan: &Option<Plan>, asked| plan.as_ref().is_some_and(|plan| plan.depth >= asked);
    let complete = as_deep(&certificate.at_least, asked.lower) && as_deep(&certificate.at_most, asked.upper);
    Some(Certified { certificate, complete, nodes: answer.nodes })
}

/// The slots of an exact search that keeps its plans.
pub(super) fn exact<G: Keyed, D: Draws<G>, O: Order<G>, E: Evaluate<G>>(
    abc: Abc,
    (evaluate, table): (E, Table),
) -> Slots<G, Exact<E, D, O>> {
    let mut slots: Slots<G, Exact<E, D, O>> = Slots::new(evaluate, Advice(table), Off);
    slots.horizon = abc;
    (slots.horizon.coupling, slots.horizon.longest, slots.horizon.soft) = (0, 0, 0);
    slots
}

/// The plans of the last search that came to an end, and what they are worth.
pub(super) fn write_down<G: Keyed, D: Draws<G>, O: Order<G>, E: Evaluate<G>>(
    slots: &mut Slots<G, Exact<E, D, O>>,
    position: &G,
    referee: &mut impl Referee<G>,
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
    let mut plan = |notes: Option<Vec<Note<G::Move>>>, own: bool| {
        let Some(notes) = notes else { return Ok(None) };
        let promised = if own { value } else { -value };
        let mut writer = Writer {
            certificate: &certificate,
            referee,
            evaluate: &mut slots.evaluate,
            patience,
            promised,
            least: Depth::CERTAIN,
        };
        let mut line = vec![position.clone()];
        let root = writer.step(&mut notes.into_iter(), &mut line, own, Depth::ZERO)?;
        Ok(Some(Plan { depth: writer.least, root }))
    };
    let (at_least, at_most) = (plan(plans.at_least, true)?, plan(plans.at_most, false)?);
    (certificate.at_least, certificate.at_most) = (at_least, at_most);
    Ok(Some(certificate))
}

/// Writes down what a plan is worth, position by position.
struct Writer<'a, R, E> {
    certificate: &'a Certificate,
    referee: &'a mut R,
    /// The search's own: it remembers values that the referee would find again.
    evaluate: &'a mut E,
    patience: &'a Patience<'a>,
    promised: Score,
    least: Depth,
}

impl<R, E> Writer<'_, R, E> {
    fn step<G: Game>(
        &mut self,
        notes: &mut impl Iterator<Item = Note<G::Move>>,
        line: &mut Vec<G>,
        own: bool,
        depth: Depth,
    ) -> Result<Step, Stopped>
    where
        R: Referee<G>,
        E: Evaluate<G>,
    {
        let position = line.last().expect("a line has a first position").clone();
        Ok(match notes.next().expect("a plan is whole") {
            Note::Own(mv) => {
                let options = self.options(&position, mv, line.len())?;
                let depth = depth + self.certificate.safety_of(options.len());
                let (mv, next) = self.play(&position, mv, notes, line, own, depth)?;
                Step::Own { mv, options, next: Box::new(next) }
            }
            Note::Other(count) => {
                let mut reply = || match notes.next() {
                    Some(Note::Reply(mv)) => self.play(&position, mv, notes, line, own, depth),
                    _ => unreachable!("replies follow their number"),
                };
                Step::Other((0..count).map(|_| reply()).collect::<Result<_, _>>()?)
            }
            Note::Reply(_) => unreachable!("replies follow their number"),
            Note::End => {
                let ply = line.len() - 1;
                let seen = |value: Score| if own { value } else { -value };
                if position.is_over() && !self.referee.goes_on(&position) {
                    return Ok(Step::Over { value: seen(position.outcome().score(ply)) });
                }
                if self.referee.is_drawn(line) {
                    return Ok(Step::Over { value: Score::DRAW });
                }
                if self.promised <= Score::loss_in(ply) {
                    return Ok(Step::Over { value: Score::loss_in(ply) });
                }
                self.least = self.least.min(depth);
                let value = match position.is_over() {
                    true => position.outcome().score(ply),
                    false => self.evaluate(&position)?,
                };
                Step::Leaf { value: seen(value), depth }
            }
        })
    }

    fn play<G: Game>(
        &mut self,
        position: &G,
        mv: G::Move,
        notes: &mut impl Iterator<Item = Note<G::Move>>,
        line: &mut Vec<G>,
        own: bool,
        depth: Depth,
    ) -> Result<(Name, Step), Stopped>
    where
        R: Referee<G>,
        E: Evaluate<G>,
    {
        let mut child = position.clone();
        child.play(mv);
        line.push(child);
        let next = self.step(notes, line, !own, depth)?;
        line.pop();
        Ok((self.referee.name(position, mv).into(), next))
    }

    /// The exact value of a position with moves.
    fn evaluate<G>(&mut self, position: &G) -> Result<Score, Stopped>
    where
        E: Evaluate<G>,
    {
        self.evaluate.evaluate_patiently(position, Window::FULL, self.patience)
    }

    /// The moves other than `mv` that hold what is promised, counted here and, once more, by the checker; the positions after them are `ply` below the root.
    fn options<G: Game>(&mut self, position: &G, mv: G::Move, ply: usize) -> Result<Vec<Name>, Stopped>
    where
        R: Referee<G>,
        E: Evaluate<G>,
    {
        let (mut moves, mut options) = (Vec::new(), Vec::new());
        position.moves(&mut moves);
        for other in moves.into_iter().filter(|other| *other != mv) {
            let mut child = position.clone();
            child.play(other);
            let value = if child.is_over() { child.outcome().score(ply) } else { self.evaluate(&child)? };
            if -value > self.promised - self.certificate.margin {
                options.push(self.referee.name(position, other).into());
            }
        }
        Ok(options)
    }
}
