//! Drivers: one search to a depth, iterative deepening, pairs of moves, aspiration, several lines, several threads.
//!
//! All of them call the one skeleton.

use crate::alphabeta::{Root, RootScout};
use crate::slot::{Aspire, Deepen, Failure, Memory, Order};
use crate::worker::{MAX_PLY, RootMove, Worker};
use crate::{
    Bound, Depths, Evaluate, Game, Horizon, Limits, Progress, Recipe, Score, Slots, Stopped, Threaded, Window,
};
use team::{Member, SetWhenDropped, Team};

#[cfg(test)]
mod model;
mod sync;
mod team;

/// What to search, and how long.
pub struct Request<'a, G: Game> {
    /// The root.
    pub position: &'a G,
    /// The positions of the game before the root, first to last: for repetitions.
    pub before: &'a [G],
    /// The moves to consider at the root; empty for all.
    pub moves: &'a [G::Move],
    /// How many best lines to find, at least 1.
    pub lines: usize,
    /// The last iteration.
    pub iterations: usize,
    /// When to stop.
    pub limits: &'a dyn Limits,
}

impl<'a, G: Game> Request<'a, G> {
    /// One line, all moves, as deep as the limits allow.
    pub fn new(position: &'a G, limits: &'a dyn Limits) -> Self {
        Request { position, before: &[], moves: &[], lines: 1, iterations: MAX_PLY, limits }
    }

    /// The same with a last iteration.
    pub fn to_iteration(self, iterations: usize) -> Self {
        Request { iterations, ..self }
    }
}

/// A line found, or a bound for one.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// The iteration: 1, 2, …, or as the slot `Deepening` says.
    pub iteration: usize,
    /// The depths asked for: `lower` of the plan of the side to move, `upper` of the other side's.
    pub depths: Depths,
    /// Of a [best-first search](crate::best_first): the least and greatest value that `iteration` conspirators can give the
    /// root. It has no depths.
    pub range: Option<(Score, Score)>,
    /// The longest line looked at, in plies.
    pub max_ply: usize,
    /// Which line: 0 for the best.
    pub line: usize,
    /// Its value for the side to move.
    pub score: Score,
    /// What `score` bounds.
    pub bound: Bound,
    /// Nodes so far, of all threads.
    pub nodes: u64,
    /// The moves.
    pub pv: Vec<M>,
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct Answer<M> {
    /// The best lines of the last iteration that has anything to say, best first. Empty if the game is over.
    pub lines: Vec<Report<M>>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Those of the first thread that were searched to count options ([`Options`](crate::Options)).
    pub option_nodes: u64,
    /// How often a line was ended, in any thread, because it had reached [`MAX_PLY`] and not because it was deep enough.
    pub cut_off: u64,
    /// Whether every iteration asked for was finished.
    pub complete: bool,
    /// Whether it ended because a tree in memory ([`best_first`](crate::best_first)) has no room for more.
    pub full: bool,
}

impl<M> Answer<M> {
    /// Nothing searched, and nothing found.
    pub(crate) fn nothing() -> Self {
        Answer { lines: Vec::new(), nodes: 0, option_nodes: 0, cut_off: 0, complete: true, full: false }
    }
}

impl<M: Copy> Answer<M> {
    /// The move to play.
    pub fn best(&self) -> Option<M> {
        self.lines.first().and_then(|line| line.pv.first().copied())
    }

    /// The value of the best line.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}

/// Iterative deepening on one thread.
///
/// `report` is told of every line of every iteration, and of failures of the aspiration window.
pub fn search<G: Game, R: Recipe<G>>(
    slots: &mut Slots<G, R>,
    request: &Request<'_, G>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Answer<G::Move> {
    slots.memory.begin_search(1);
    slots.start(request.before);
    iterate(slots, request, request.limits, None, report)
}

/// Iterative deepening on one thread for each of `team`. They share what their memories share and, from
/// now on, what their orders learn; an iteration that one of them has finished is finished for all. Reports and
/// answer are those of the first.
///
/// All members must hold one memory, and no other search may run on it meanwhile: it would set how many share it.
/// With one member this is [`search`].
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
            leader.memory.begin_search(1 + helpers.len());
            leader.start(request.before);
            for helper in helpers.iter_mut() {
                helper.start(request.before);
                helper.order.share(&leader.order);
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
                answer.cut_off += helping.into_iter().filter_map(|helper| helper.join().ok()).sum::<u64>();
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
                report(best); // the last iteration found a better move before it was stopped
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
        // Stopped before anything was known.
        line.score = worker.slots.evaluate.evaluate_at_a_glance(request.position);
        line.iteration = 0;
    }
    answer.nodes = total(worker.nodes());
    answer.option_nodes = worker.option_nodes;
    answer.cut_off = worker.cut_off;
    answer
}

/// Takes the lines of the worker into the answer. Of an unfinished iteration only those count of which more is known than
/// what they are worth at most; the others stay as they were, and so does one whose line is now known by its first move only.
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
    let known = |line: &usize| {
        let root = &worker.root[*line];
        finished || root.score > -Score::INFINITE && root.bound != Bound::Upper
    };
    let mut kept: Vec<_> =
        (0..lines).take_while(known).map(|line| worker.report(iteration, line, total)).collect();
    for old in std::mem::take(&mut answer.lines) {
        match kept.iter().position(|new| new.pv[0] == old.pv[0]) {
            Some(place) if !finished && kept[place].bound == Bound::Lower && kept[place].pv.len() == 1 => {
                kept[place] = old;
            }
            Some(_) => {}
            None if kept.len() < lines => kept.push(old),
            None => {}
        }
    }
    if kept.is_empty() {
        kept.push(worker.report(iteration, 0, total)); // stopped before anything was known: any move
    }
    answer.lines = kept;
}

/// What the searches of one iteration are told.
struct Iteration<'a, G: Game> {
    position: &'a G,
    /// Which it is.
    number: usize,
    lines: usize,
    in_team: bool,
    /// Nodes of all threads, given those of this one.
    total: &'a dyn Fn(u64) -> u64,
}

/// The best lines, best first, one after the other without the moves of those before it.
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
        // Stable: moves that were not searched keep their order behind those that were.
        best_first(&mut worker.root[line..]);
        done?;
        // A line may turn out better than some found before it: these move down, and are told again.
        let place = worker.root[..line].partition_point(|root| root.score >= worker.root[line].score);
        worker.root[place..=line].rotate_right(1);
        for line in place..=line {
            report(&worker.report(iteration.number, line, iteration.total));
        }
    }
    Ok(())
}

/// Every root move by itself: its value and the best reply to it. Best first.
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
    best_first(&mut worker.root);
    done?;
    (0..iteration.lines).for_each(|line| report(&worker.report(iteration.number, line, iteration.total)));
    Ok(())
}

/// Puts root moves in order, equals as they are. A function of its own: recipes are many, moves are few, and a sort is much machine code.
fn best_first<M>(root: &mut [RootMove<M>]) {
    root.sort_by_key(|root| std::cmp::Reverse(root.score));
}

/// One iteration for one line, repeated while it fails.
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
    let (mut least, mut most) = (-Score::INFINITE, Score::INFINITE);
    for count in 1.. {
        let root = worker.slots.horizon.root(depths, window);
        worker.stack.clear();
        let value = if R::Aspiration::TESTS && window.is_minimal() {
            worker.search::<RootScout>(iteration.position, window, root, 0, false)?
        } else {
            worker.search::<Root>(iteration.position, window, root, 0, false)?
        };
        match window.bound(value) {
            Bound::Lower => least = least.max(value),
            Bound::Upper => most = most.min(value),
            Bound::Exact => return Ok(value),
        }
        if window == Window::FULL || worker.slots.aspiration.takes_a_bound() {
            return Ok(value);
        }
        best_first(&mut worker.root[line..]);
        report(&worker.report(iteration.number, line, iteration.total));
        window = worker.slots.aspiration.widen(&Failure { window, value, count, least, most });
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
            max_ply: self.max_ply,
            line,
            score: if root.score > -Score::INFINITE { root.score } else { root.previous },
            bound: root.bound,
            nodes: total(self.nodes()),
            pv: root.pv.clone(),
        }
    }
}
