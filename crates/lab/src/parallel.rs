//! Runs independent jobs on several threads and reports their results in the order in which they finish.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

/// Runs the jobs of `todo` on at most `threads` threads. The jobs are started in order. `work` creates a
/// worker for each thread. A worker turns a job into a result, or into `None` if it was interrupted.
/// `each` is called with every result on the calling thread and returns whether to go on. Once it
/// returns false, no further job is started.
///
/// # Errors
/// The first error of a worker that cannot be created. The jobs of the other workers are done
/// nevertheless.
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
                }
            }
        }
    });
    error.map_or(Ok(()), Err)
}
