//! Ends a search: by its nodes, its time, a signal such as an interrupt from the keyboard, or an exception.

use cassius_search::{Limits, Progress};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How often signals are looked for.
const GLANCE: Duration = Duration::from_millis(50);

/// The limits of one search, and the exception that ended it, if one did.
pub struct Watch {
    nodes: u64,
    until: Option<Instant>,
    /// When the search ends, if the rest of the time is kept for the work after it.
    half: Option<Instant>,
    wraps_up: AtomicBool,
    /// Nodes between two looks.
    step: u64,
    /// Whether a proven win or loss ends the search.
    settled: bool,
    stopped: AtomicBool,
    error: Mutex<Option<PyErr>>,
    /// The thread that started the search. Only there may Python ask for signals.
    caller: ThreadId,
    next_glance: Mutex<Instant>,
}

impl Watch {
    /// Returns a watch without limits, which looks after each 1,024 nodes.
    pub fn new() -> Watch {
        Watch {
            nodes: u64::MAX,
            until: None,
            half: None,
            wraps_up: AtomicBool::new(false),
            step: 1024,
            settled: false,
            stopped: AtomicBool::new(false),
            error: Mutex::new(None),
            caller: thread::current().id(),
            next_glance: Mutex::new(Instant::now() + GLANCE),
        }
    }

    /// Returns the watch with a limit of nodes and of time in seconds.
    pub fn within(self, nodes: Option<u64>, seconds: Option<f64>) -> Watch {
        let until = seconds.and_then(|seconds| {
            let time = Duration::try_from_secs_f64(seconds).ok()?;
            Instant::now().checked_add(time)
        });
        Watch { nodes: nodes.unwrap_or(u64::MAX), until, ..self }
    }

    /// Returns the watch, which keeps half of its time for the work after the search.
    pub fn keeping_half(self) -> Watch {
        let now = Instant::now();
        let half = self.until.map(|until| now + until.saturating_duration_since(now) / 2);
        Watch { half, ..self }
    }

    /// Returns the watch; a proven win or loss now ends the search if `settled`.
    pub fn settled(self, settled: bool) -> Watch {
        Watch { settled, ..self }
    }

    /// Returns the watch, which now looks at each node: for games whose nodes are slow and may fail.
    pub fn at_each_node(self) -> Watch {
        Watch { step: 1, ..self }
    }

    /// Ends the search with an exception. The first one counts.
    pub fn fail(&self, error: PyErr) {
        let mut kept = self.error.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.get_or_insert(error);
        self.stopped.store(true, Relaxed);
    }

    /// Whether an exception ended the search.
    pub fn has_failed(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Calls a callback, if there is one; its exception ends the search.
    pub fn tell(&self, callback: Option<&Py<PyAny>>, text: impl FnOnce() -> String) {
        let Some(callback) = callback.filter(|_| !self.has_failed()) else { return };
        let text = text();
        if let Err(error) = Python::attach(|py| callback.call1(py, (text,)).map(drop)) {
            self.fail(error);
        }
    }

    /// Lets Python handle signals, at most once in a while.
    fn glance(&self) {
        if thread::current().id() != self.caller {
            return;
        }
        let now = Instant::now();
        let mut next = self.next_glance.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if now >= *next {
            *next = now + GLANCE;
            drop(next);
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.fail(error);
            }
        }
    }

    /// Returns the exception that ended the search, if one did.
    pub fn result(&self) -> PyResult<()> {
        let mut kept = self.error.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.take().map_or(Ok(()), Err)
    }
}

impl Limits for Watch {
    fn wrap_up(&self) {
        self.wraps_up.store(true, Relaxed);
    }

    fn poll(&self, nodes: u64) -> Option<u64> {
        let goes_on = nodes < self.nodes && !self.ends_now();
        goes_on.then(|| self.nodes.min(nodes.saturating_add(self.step)))
    }

    fn ends_now(&self) -> bool {
        self.glance();
        let until = if self.wraps_up.load(Relaxed) { self.until } else { self.half.or(self.until) };
        self.has_failed() || until.is_some_and(|until| Instant::now() >= until)
    }

    fn go_on(&self, progress: &Progress) -> bool {
        // A mate that deeper iterations have confirmed will not get shorter.
        let confirmed = progress.score.plies_to_end().is_some_and(|plies| progress.iteration > plies + 3);
        !(self.settled && confirmed)
    }
}
