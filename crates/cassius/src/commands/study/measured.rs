//! Measurements by engines: each once, kept in a file, several at the same time.

use super::engines::EnginesArgs;
use super::pool::Worker;
use crate::{Error, terminal};
use anyhow::{Context as _, anyhow};
use cassius_chess::{Move, Position};
use cassius_lab::kept::Kept;
use cassius_lab::parallel;
use cassius_search::Score;
use cassius_search::study::Asked;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// Measures every item, in order, by as many engines as there are jobs. What was measured before is in the
/// file `out`, if there is one.
///
/// # Errors
/// The first failure. What was measured until then is kept.
pub fn each<I: Sync, T: Send>(
    engines: &EnginesArgs,
    out: Option<&Path>,
    items: &[I],
    measure: impl Fn(&mut Worker, &I, Option<&Kept>) -> Result<T, String> + Sync,
) -> Result<Vec<T>, Error> {
    let open = |path: &Path| {
        let kept = Kept::open(path).and_then(|kept| kept.lock().map(|()| kept));
        kept.with_context(|| path.display().to_string())
    };
    let kept = out.map(open).transpose()?;
    let bar = terminal::progress(items.len() as u64);
    let (enough, job) = (AtomicBool::new(false), Mutex::new(0));
    let work = || -> Result<_, Error> {
        let mut number = job.lock().map_err(|_| anyhow!("another job failed"))?;
        let (launch, peer) = engines.start(*number, false)?;
        *number += 1;
        let mut worker = Worker::new(launch, peer, None);
        let (measure, kept) = (&measure, kept.as_ref());
        Ok(move |item: &I| Some(measure(&mut worker, item, kept)))
    };
    let (mut all, mut failed) = (Vec::new(), None);
    parallel::run_in_order(items, engines.jobs()?, work, &enough, &mut |measured| {
        bar.inc(1);
        match measured {
            Ok(measured) => all.push(measured),
            Err(why) => {
                failed.get_or_insert(why);
            }
        }
        failed.is_none()
    })?;
    bar.finish_and_clear();
    kept.map_or(Ok(()), Kept::close)?;
    failed.map_or(Ok(all), |why| Err(anyhow!(why)))
}

/// What an engine found about a leaf.
pub struct Judged {
    pub value: Score,
    pub best: Option<Move>,
    pub nodes: u64,
}

/// Returns what an engine finds about a leaf of a study of `root`. It is asked once: later the answer is
/// among what was kept.
pub fn once(
    worker: &mut Worker,
    root: &Position,
    asked: &Asked<Position>,
    kept: Option<&Kept>,
) -> Result<Judged, String> {
    let at = &asked.position;
    let mut without: Vec<String> = asked.without.iter().map(|mv| at.uci(*mv)).collect();
    without.sort();
    let key = format!("{} {at} without {without:?} {}", worker.identity(), asked.effort);
    if let Some((value, best, nodes)) = kept.and_then(|kept| kept.get::<(i32, String, u64)>(&key)) {
        return Ok(Judged { value: Score(value), best: at.parse_uci(&best).ok(), nodes });
    }
    let found = worker.judge(root, asked)?;
    let judged = Judged { value: found.value, best: found.line.first().copied(), nodes: found.nodes };
    let word = judged.best.map(|mv| at.uci(mv)).unwrap_or_default();
    match kept.is_some_and(|kept| !kept.put(&key, &(judged.value.0, word, judged.nodes))) {
        true => Err("the judgements cannot be kept".into()),
        false => Ok(judged),
    }
}
