//! Runs independent jobs on several threads and reports their results in the order in which they finish.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

/// Runs the jobs of `todo` on at most `threads` threads. The jobs are started in order. `work` creates a
/// worker for each thread. A worker turns a job into a result, or into `None` if it was interrupted.
/// `each` is called with every result on the calling thread and returns whether to go on. Once it
/// returns false, or a worker cannot be created, no further job is started; it is still called with the
/// results of those that run.
///
/// # Errors
/// The first error of a worker that cannot be created.
pub fn run<J, T, E, W>(
    todo: &[J],
    threads: usize,
    work: impl Fn() -> Result<W, E> + Sync,
    enough: &AtomicBool,
    each: &mut dyn FnMut(T) -> bool,
) -> Result<(), E>
where
    J: Sync,
    T: Send,
    E: Send,
    W: FnMut(&J) -> Option<T>,
{
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel::<Result<T, E>>();
    let mut error = None;
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, todo.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                let mut worker = match work() {
                    Ok(worker) => worker,
                    Err(error) => {
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                while !enough.load(Relaxed) {
                    let Some(job) = todo.get(next.fetch_add(1, Relaxed)) else { break };
                    let Some(result) = worker(job) else { break };
                    if sender.send(Ok(result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for result in results {
            match result {
                Ok(result) => {
                    if !each(result) {
                        enough.store(true, Relaxed);
                    }
                }
                Err(e) => {
                    error.get_or_insert(e);
                    enough.store(true, Relaxed);
                }
            }
        }
    });
    error.map_or(Ok(()), Err)
}

/// As [`run`], but `each` is called with the results in the order of the jobs, and not again once it has
/// returned false.
///
/// ```
/// use cassius_lab::parallel::run_in_order;
/// use std::sync::atomic::AtomicBool;
/// let (enough, mut squares) = (AtomicBool::new(false), Vec::new());
/// let work = || Ok::<_, ()>(|number: &u64| Some(number * number));
/// run_in_order(&[3, 1, 2], 2, work, &enough, &mut |square| {
///     squares.push(square);
///     true
/// })?;
/// assert_eq!(squares, [9, 1, 4]);
/// # Ok::<(), ()>(())
/// ```
///
/// # Errors
/// Those of [`run`].
pub fn run_in_order<J, T, E, W>(
    todo: &[J],
    threads: usize,
    work: impl Fn() -> Result<W, E> + Sync,
    enough: &AtomicBool,
    each: &mut dyn FnMut(T) -> bool,
) -> Result<(), E>
where
    J: Sync,
    T: Send,
    E: Send,
    W: FnMut(&J) -> Option<T>,
{
    let places: Vec<usize> = (0..todo.len()).collect();
    let numbered = || {
        let mut worker = work()?;
        Ok(move |place: &usize| Some((*place, worker(&todo[*place])?)))
    };
    let (mut next, mut waiting, mut goes_on) = (0, BTreeMap::new(), true);
    run(&places, threads, numbered, enough, &mut |(place, result): (usize, T)| {
        waiting.insert(place, result);
        while goes_on && let Some(result) = waiting.remove(&next) {
            next += 1;
            goes_on = each(result);
        }
        goes_on
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The others have been found, or are found later.
    #[test]
    fn in_order_nothing_follows_what_was_refused() {
        let refused = AtomicBool::new(false);
        let work = || {
            Ok::<_, ()>(|job: &usize| {
                while *job > 0 && !refused.load(Relaxed) {
                    std::thread::yield_now();
                }
                Some(*job)
            })
        };
        let mut seen = Vec::new();
        run_in_order(&[0, 1, 2, 3], 4, work, &AtomicBool::new(false), &mut |job| {
            seen.push(job);
            refused.store(true, Relaxed);
            false
        })
        .expect("workers");
        assert_eq!(seen, [0]);
    }
}
