//! Search drivers: search to a depth, iterative deepening, pairs of moves, aspiration, several lines and
//! several threads.
//!
//! All of them call the same alpha-beta skeleton.

use crate::alpha_beta::aspiration::{Aspire, Failure};
use crate::alpha_beta::deepening::Deepen;
use crate::alpha_beta::horizon::Horizon;
use crate::alpha_beta::memory::Memory;
use crate::alpha_beta::sharing::Sharing;
use crate::alpha_beta::{MAX_PLY, RootMove, Worker};
use crate::alpha_beta::{Recipe, Slots};
use crate::alpha_beta::{Root, RootScout};
use crate::depth::Depths;
use crate::game::{Evaluate, Game, Threaded};
use crate::limits::{Limits, Progress, Stopped};
use crate::score::Score;
use crate::window::{Bound, Window};
use std::panic::resume_unwind;
use team::{Member, SetWhenDropped, Team};

#[cfg(test)]
mod model;
mod sync;
mod team;

/// What to search, and for how long.
pub struct Request<'a, G: Game> {
    /// The root.
    pub position: &'a G,
    /// The positions of the game before the root, in order. They are needed to detect repetitions.
    pub before: &'a [G],
    /// The moves to consider at the root; empty for all. Moves that are not legal are left out: if none is
    /// legal, nothing is searched and the answer has no line.
    pub moves: &'a [G::Move],
    /// The number of best lines to find, at least 1.
    pub lines: usize,
    /// The last iteration: plies in the alpha-beta family, `df-pn`, SSS\* and DUAL\*, conspirators in `cns`
    /// and its relatives, which end at their threshold if that is less. Other best-first searches have no
    /// iterations. With 0, nothing is searched and the answer has no line.
    pub iterations: usize,
    /// The limits of the search.
    pub limits: &'a dyn Limits,
}

impl<'a, G: Game> Request<'a, G> {
    /// Creates a request for one line with all root moves, as deep as the limits allow.
    pub fn new(position: &'a G, limits: &'a dyn Limits) -> Self {
        Request { position, before: &[], moves: &[], lines: 1, iterations: MAX_PLY, limits }
    }

    /// Returns the same request with a last iteration.
    pub fn to_iteration(self, iterations: usize) -> Self {
        Request { iterations, ..self }
    }
}

/// A principal variation with its value, or a bound on that value.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report<M> {
    /// The iteration: 1, 2, …, or as chosen by the slot `Deepening`. 0 if the search was stopped before it
    /// knew any value: then the score is the static value.
    pub iteration: usize,
    /// The depths that the iteration requires: `lower` of the plan of the side to move, `upper` of the
    /// other side's.
    pub depths: Depths,
    /// For a [best-first search](crate::best_first): the least and the greatest value that `iteration`
    /// conspirators can give the root. It has no depths.
    pub range: Option<(Score, Score)>,
    /// The length of the longest line searched, in plies.
    pub max_ply: usize,
    /// The number of the line, 0 for the best.
    pub line: usize,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether `score` is exact or a bound. `None` if nothing is known about the value: then `score` is a
    /// draw, which means nothing.
    pub bound: Option<Bound>,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// The moves of the line.
    pub pv: Vec<M>,
}

/// Whether the side to move wins, as far as a search has proven it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Proof {
    /// It wins: its value is greater than a draw.
    Proven,
    /// It does not win: it draws at most.
    Disproven,
    /// Neither is proven.
    Unknown,
}

impl<M> Report<M> {
    /// Returns whether the side to move is proven to win with this line. An estimate proves nothing.
    ///
    /// With a transposition table the proof is as certain as its keys: it recognises a position by 32 bits
    /// beside its place. [Proofs](crate::proof) and [certificates](crate::plans::certificate) can be checked.
    ///
    /// ```
    /// use cassius_search::alpha_beta::Proof;
    /// use cassius_search::{Bound, Depth, Depths, Report, Score};
    ///
    /// let report = |score, bound| Report {
    ///     score,
    ///     bound,
    ///     iteration: 4,
    ///     depths: Depths::both(Depth::plies(4)),
    ///     range: None,
    ///     max_ply: 4,
    ///     line: 0,
    ///     nodes: 100,
    ///     pv: vec!['a'],
    /// };
    /// assert_eq!(report(Score::win_in(3), Some(Bound::Exact)).proof(), Proof::Proven);
    /// assert_eq!(report(Score::loss_in(2), Some(Bound::Upper)).proof(), Proof::Disproven);
    /// assert_eq!(report(Score(250), Some(Bound::Exact)).proof(), Proof::Unknown);
    /// assert_eq!(report(Score::DRAW, None).proof(), Proof::Unknown);
    /// ```
    pub fn proof(&self) -> Proof {
        // A range holds for certain if it does not depend on leaves.
        let (least, greatest) =
            self.range.filter(|_| self.iteration == 0).unwrap_or((-Score::INFINITE, Score::INFINITE));
        let ended = self.score.is_decided();
        match self.bound {
            _ if least > Score::DRAW => Proof::Proven,
            _ if greatest <= Score::DRAW => Proof::Disproven,
            Some(Bound::Exact | Bound::Lower) if ended && self.score > Score::DRAW => Proof::Proven,
            Some(Bound::Exact | Bound::Upper) if ended && self.score < Score::DRAW => Proof::Disproven,
            _ => Proof::Unknown,
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer<M> {
    /// The lines of the last iteration that produced a result, best first. Empty if the game is over, or if
    /// nothing was to be searched.
    pub lines: Vec<Report<M>>,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Nodes that the first thread searched to count options
    /// ([`Options`](crate::alpha_beta::options::Options)).
    pub option_nodes: u64,
    /// How often any thread cut off a line because it had reached [`MAX_PLY`] and not because it was
    /// deep enough.
    pub cut_off: u64,
    /// Whether every requested iteration was finished. A [best-first search](crate::best_first) that ends
    /// before that is complete only if what it looked for is proven.
    pub complete: bool,
    /// Whether the search ended because a tree in memory ([`best_first`](crate::best_first)) was full.
    pub full: bool,
}

impl<M> Answer<M> {
    /// Returns the answer of a search that has searched nothing.
    pub fn nothing() -> Self {
        Answer { lines: Vec::new(), nodes: 0, option_nodes: 0, cut_off: 0, complete: true, full: false }
    }
}

impl<M: Copy> Answer<M> {
    /// Returns the move to play; `None` if there is no line, or if the search was stopped before it had a
    /// move.
    pub fn best(&self) -> Option<M> {
        self.lines.first().and_then(|line| line.pv.first().copied())
    }

    /// Returns the value of the best line. `None` if nothing is known about it, or if there is no line.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().filter(|line| line.bound.is_some()).map(|line| line.score)
    }

    /// Returns whether the side to move is proven to win ([`Report::proof`]), with the moves of the request
    /// if it names some. Unknown if there is no line. Alpha-beta proves wins and losses, but no draws.
    pub fn proof(&self) -> Proof {
        self.lines.first().map_or(Proof::Unknown, Report::proof)
    }
}

/// Searches by iterative deepening on one thread.
///
/// `report` receives every line of every iteration, and every failure of the aspiration window.
pub fn search<G: Game, R: Recipe<G>>(
    slots: &mut Slots<G, R>,
    request: &Request<'_, G>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Answer<G::Move> {
    slots.memory.begin_search();
    slots.memory.sharing().begin_search(1);
    slots.start(request.before);
    iterate(slots, request, request.limits, None, report)
}

/// Searches by iterative deepening on one thread per member of `team`. The threads share what their
/// memories share and, from now on, the history of their move orders. An iteration that one thread has
/// finished counts as finished for all. Reports and answer come from the first member.
///
/// All members must hold the same memory. No other search may run on that memory meanwhile, because it
/// would change the number of threads recorded there. With one member this is [`search`].
///
/// ```
/// use cassius_games::Connect4;
/// use cassius_search::prelude::*;
/// use cassius_search::{Statics, recipes::Remembering, search_parallel};
///
/// let table = Table::new(1)?;
/// let member = || Slots::<Connect4, Remembering<Plies>>::new(Statics, table.clone(), Off);
/// let mut team = [member(), member()];
/// let position = "4455".parse()?;
/// let request = Request::new(&position, &Unlimited).to_iteration(4);
/// assert_eq!(search_parallel(&mut team, &request, &mut |_| {}).score(), Some(Score::win_in(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search_parallel<G, R>(
    team: &mut [Slots<G, R>],
    request: &Request<'_, G>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Answer<G::Move>
where
    G: Threaded,
    R: Recipe<G>,
    Slots<G, R>: Send,
{
    match team {
        [] => Answer::nothing(),
        [alone] => search(alone, request, report),
        [leader, helpers @ ..] => {
            leader.memory.begin_search();
            leader.memory.sharing().begin_search(1 + helpers.len());
            leader.start(request.before);
            for helper in helpers.iter_mut() {
                helper.start(request.before);
                helper.share(leader);
            }
            let team = Team::new(1 + helpers.len(), request.limits);
            std::thread::scope(|scope| {
                let ends_helpers = SetWhenDropped(&team.stop);
                let search = |slots, member: Member<'_, _>| {
                    iterate(slots, request, &member, Some(&member), &mut |_| {})
                };
                let helping: Vec<_> = (1..)
                    .zip(helpers)
                    .map(|(index, slots)| {
                        let member = Member::new(&team, index);
                        scope.spawn(move || search(slots, member).cut_off)
                    })
                    .collect();
                let leads = Member::new(&team, 0);
                let mut answer = iterate(leader, request, &leads, Some(&leads), report);
                drop(ends_helpers);
                for helper in helping {
                    answer.cut_off += helper.join().unwrap_or_else(|panic| resume_unwind(panic));
                }
                answer
            })
        }
    }
}

fn iterate<G: Game, R: Recipe<G>>(
    slots: &mut Slots<G, R>,
    request: &Request<'_, G>,
    limits: &dyn Limits,
    member: Option<&Member<'_, G::Move>>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Answer<G::Move> {
    let total = &|own| member.map_or(own, |member| member.total(own));
    let mut worker = Worker::new(slots, limits);
    worker.root = root_moves(request);
    worker.some_moves = !request.moves.is_empty();
    let lines = request.lines.clamp(1, worker.root.len().max(1));
    let mut answer = Answer::nothing();
    let mut stable = 0;
    let mut iteration = 0;
    let last = request.iterations.min(MAX_PLY);
    while iteration < last && !worker.root.is_empty() {
        let pairs = iteration == 0 && worker.slots.deepening.pairs();
        iteration = worker.slots.deepening.next(iteration).min(last);
        if let Some(member) = member {
            member.begin(iteration);
        }
        for root in &mut worker.root {
            root.previous = root.score;
            root.score = -Score::INFINITE;
        }
        let before = answer.lines.first().map(|line| (line.pv[0], line.score));
        let searched = if pairs { find_pairs } else { find_lines };
        let about = Iteration {
            position: request.position,
            number: iteration,
            lines,
            in_team: member.is_some(),
            total,
        };
        let done = searched(&mut worker, &about, report);
        let mut finished = done.is_ok();
        if finished {
            member.inspect(|member| member.finish(iteration, &worker.root));
        } else if let Some((later, root)) = member.and_then(|member| member.finished(iteration)) {
            worker.abandon(request.before);
            (iteration, worker.root, finished) = (later, root, true);
            for line in 0..lines {
                report(&worker.report(iteration, line, total));
            }
        }
        if finished || worker.root[0].score > -Score::INFINITE || answer.lines.is_empty() {
            keep(&worker, &mut answer, iteration, lines, finished, total);
        }
        if !finished {
            answer.complete = false;
            let best = answer.lines.first().expect("a root with moves");
            if before.is_some_and(|(mv, _)| mv != best.pv[0]) {
                // The last iteration found a better move before it was stopped. The other lines move down.
                let nodes = total(worker.nodes());
                answer.lines.iter().for_each(|line| report(&Report { nodes, ..line.clone() }));
            }
            break;
        }
        let best = &worker.root[0];
        let same = before.is_some_and(|(mv, _)| mv == best.mv);
        stable = if same { stable + 1 } else { 0 };
        let spent = worker.root.iter().map(|root| root.nodes).sum::<u64>();
        let progress = Progress {
            nodes: worker.nodes(),
            iteration,
            score: best.score,
            stable,
            fall: before.map_or(0, |(_, score)| score.0 - best.score.0),
            effort: best.nodes as f64 / spent.max(1) as f64,
        };
        if !limits.go_on(&progress) {
            answer.complete = iteration == request.iterations;
            break;
        }
    }
    for line in answer.lines.iter_mut().filter(|line| line.score == -Score::INFINITE) {
        // The search was stopped before any value was known: this is the value of no search at all.
        line.score = worker.slots.evaluate.evaluate_at_a_glance(request.position);
        (line.iteration, line.depths, line.bound) = (0, Depths::default(), Some(Bound::Exact));
    }
    answer.nodes = total(worker.nodes());
    answer.option_nodes = worker.option_nodes;
    answer.cut_off = worker.cut_off;
    answer
}

/// Copies the worker's lines into the answer. Of an unfinished iteration it takes only lines with an
/// exact value or a lower bound, and keeps the earlier result of every other line. It also keeps the
/// earlier result of a line if the new one is a proven loss, since a move that was not searched yet may be
/// better. If the new one is only a lower bound whose variation has a single move, it keeps the earlier
/// variation, with its value unless the line has moved up.
fn keep<G: Game, R: Recipe<G>>(
    worker: &Worker<'_, G, R>,
    answer: &mut Answer<G::Move>,
    iteration: usize,
    lines: usize,
    finished: bool,
    total: &dyn Fn(u64) -> u64,
) where
    G::Move: Copy,
{
    let is_lost = |score: Score| score.is_decided() && score < Score::DRAW;
    let known = |line: &usize| {
        let root = &worker.root[*line];
        finished || root.score > -Score::INFINITE && root.bound != Bound::Upper && !is_lost(root.score)
    };
    let mut kept: Vec<_> =
        (0..lines).take_while(known).map(|line| worker.report(iteration, line, total)).collect();
    for old in std::mem::take(&mut answer.lines) {
        match kept.iter().position(|new| new.pv[0] == old.pv[0]) {
            Some(place)
                if !finished && kept[place].bound == Some(Bound::Lower) && kept[place].pv.len() == 1 =>
            {
                match old.line == place {
                    true => kept[place] = old,
                    false => kept[place].pv = old.pv,
                }
            }
            Some(_) => {}
            None if kept.len() < lines => kept.push(old),
            None => {}
        }
    }
    if kept.is_empty() {
        // Stopped in the first iteration: any move will do. What is known of one bounds the root from below.
        let mut any = worker.report(iteration, 0, total);
        match worker.root[0].bound {
            Bound::Upper => any.score = -Score::INFINITE,
            Bound::Exact | Bound::Lower => any.bound = Some(Bound::Lower),
        }
        kept.push(any);
    }
    for (number, line) in kept.iter_mut().enumerate() {
        line.line = number;
    }
    answer.lines = kept;
}

/// The parameters of the searches of one iteration.
struct Iteration<'a, G: Game> {
    position: &'a G,
    /// The number of the iteration.
    number: usize,
    lines: usize,
    in_team: bool,
    /// Returns the nodes of all threads, given those of this thread.
    total: &'a dyn Fn(u64) -> u64,
}

/// Finds the best lines one after another, each without the first moves of the lines before it. Best
/// first.
fn find_lines<G: Game, R: Recipe<G>>(
    worker: &mut Worker<'_, G, R>,
    iteration: &Iteration<'_, G>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Result<(), Stopped> {
    for line in 0..iteration.lines {
        worker.root_part = line..worker.root.len();
        let done = aspire(worker, iteration, line, report);
        if done.is_ok() && iteration.in_team {
            worker.complete_pv(iteration.position, line, iteration.number);
        }
        // The sort is stable: moves that were not searched keep their order behind those that were.
        sort_by_score(&mut worker.root[line..]);
        done?;
        // A line may turn out better than some found before it. Those move down and are reported again.
        let place = worker.root[..line].partition_point(|root| root.score >= worker.root[line].score);
        worker.root[place..=line].rotate_right(1);
        for line in place..=line {
            report(&worker.report(iteration.number, line, iteration.total));
        }
    }
    Ok(())
}

/// Searches every root move separately, for its value and the best reply to it. Best first.
fn find_pairs<G: Game, R: Recipe<G>>(
    worker: &mut Worker<'_, G, R>,
    iteration: &Iteration<'_, G>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Result<(), Stopped> {
    let done = (0..worker.root.len()).try_for_each(|index| {
        worker.root_part = index..index + 1;
        aspire(worker, iteration, index, &mut |_| {})?;
        if iteration.in_team {
            worker.complete_pv(iteration.position, index, iteration.number);
        }
        Ok(())
    });
    sort_by_score(&mut worker.root);
    done?;
    (0..iteration.lines).for_each(|line| report(&worker.report(iteration.number, line, iteration.total)));
    Ok(())
}

/// Sorts root moves by score; equal ones keep their order. This is a separate function because sorting
/// compiles to much code: there are many recipes but few move types.
fn sort_by_score<M>(root: &mut [RootMove<M>]) {
    root.sort_by_key(|root| std::cmp::Reverse(root.score));
}

/// Searches one iteration of one line, and repeats the search while it fails outside its window.
fn aspire<G: Game, R: Recipe<G>>(
    worker: &mut Worker<'_, G, R>,
    iteration: &Iteration<'_, G>,
    line: usize,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Result<Score, Stopped> {
    let depths = worker.slots.horizon.iteration(iteration.number);
    let previous = worker.root[line].previous;
    let previous = (previous > -Score::INFINITE).then_some(previous);
    let mut window = worker.slots.aspiration.window(previous, iteration.number);
    let (mut lower, mut upper) = (-Score::INFINITE, Score::INFINITE);
    for count in 1.. {
        let root = worker.slots.horizon.root(depths, window);
        worker.stack.clear();
        let value = if R::Aspiration::MINIMAL && window.is_minimal() {
            worker.search::<RootScout>(iteration.position, window, root, 0, false)?
        } else {
            worker.search::<Root>(iteration.position, window, root, 0, false)?
        };
        match window.bound(value) {
            Bound::Lower => lower = lower.max(value),
            Bound::Upper => upper = upper.min(value),
            Bound::Exact => return Ok(value),
        }
        if window == Window::FULL || worker.slots.aspiration.accepts_bound() {
            if window.bound(value) == Bound::Upper {
                worker.bound_root(value);
            }
            return Ok(value);
        }
        sort_by_score(&mut worker.root[line..]);
        report(&worker.report(iteration.number, line, iteration.total));
        window = worker.slots.aspiration.widen(&Failure { window, value, count, lower, upper });
    }
    unreachable!("the window grows until it is full")
}

fn root_moves<G: Game>(request: &Request<'_, G>) -> Vec<RootMove<G::Move>> {
    let mut moves = Vec::new();
    request.position.moves(&mut moves);
    if !request.moves.is_empty() {
        moves.retain(|mv| request.moves.contains(mv));
    }
    let root = |mv| RootMove {
        mv,
        score: -Score::INFINITE,
        bound: Bound::Upper,
        previous: -Score::INFINITE,
        pv: vec![mv],
        reply: None,
        nodes: 0,
    };
    moves.into_iter().map(root).collect()
}

impl<G: Game, R: Recipe<G>> Worker<'_, G, R> {
    fn report(&self, iteration: usize, line: usize, total: &dyn Fn(u64) -> u64) -> Report<G::Move> {
        let root = &self.root[line];
        Report {
            iteration,
            depths: self.slots.horizon.iteration(iteration),
            range: None,
            // That of another thread may have been taken over with its line.
            max_ply: self.max_ply.max(root.pv.len()),
            line,
            score: if root.score > -Score::INFINITE { root.score } else { root.previous },
            bound: Some(root.bound),
            nodes: total(self.nodes()),
            pv: root.pv.clone(),
        }
    }
}
