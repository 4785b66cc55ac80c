//! Tests the state that a team shares under loom. Loom tries the possible interleavings of the threads,
//! and every value that the memory model lets them observe. The source under test is that of the
//! searches; only the atomics and the lock are loom's.

mod sync {
    pub(super) use loom::sync::Mutex;
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
}

#[path = "team.rs"]
#[allow(clippy::duplicate_mod)] // the same source, compiled against loom's atomics
mod team;

use crate::alpha_beta::RootMove;
use crate::limits::{Limits as _, Nodes};
use crate::score::Score;
use crate::window::Bound;
use loom::sync::Arc;
use loom::thread;
use team::{Member, SetWhenDropped, Team};

/// Tries every interleaving with at most two preemptions. A higher bound takes minutes and has found
/// nothing.
fn model(run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(run);
}

/// A distinguishable result for the search of an iteration.
fn found(iteration: usize) -> [RootMove<u16>; 1] {
    let score = Score(iteration as i32);
    let (bound, mv) = (Bound::Exact, iteration as u16);
    [RootMove { mv, score, bound, previous: score, pv: vec![mv], reply: None, nodes: 1 }]
}

/// Runs iterations the way the driver's `iterate` does, with one poll in each. Returns the last one
/// finished.
fn iterate(member: &Member<'_, u16>, last: usize) -> usize {
    let (mut iteration, mut nodes) = (0, 0);
    while iteration < last {
        iteration += 1;
        member.begin(iteration);
        nodes += 1;
        if member.poll(nodes).is_some() {
            member.finish(iteration, &found(iteration));
        } else if let Some((later, root)) = member.finished(iteration) {
            assert!(later >= iteration);
            assert_eq!(root[0].score, found(later)[0].score, "what is told is of the iteration that is told");
            iteration = later;
        } else {
            return iteration - 1;
        }
    }
    iteration
}

#[test]
fn what_a_member_takes_over_is_whole_and_later() {
    static LIMITS: Nodes = Nodes(1_000);
    model(|| {
        let team = Arc::new(Team::new(2, &LIMITS));
        let helped = team.clone();
        let helper = thread::spawn(move || {
            let member = Member::new(&helped, 1);
            let finished = iterate(&member, 2);
            // Only a stop signalled by the leader keeps a helper from finishing its last iteration.
            assert!(finished == 2 || helped.stop.load(sync::Relaxed));
        });
        {
            let _ends_helpers = SetWhenDropped(&team.stop);
            let member = Member::new(&team, 0);
            // Only the leader polls the limits, and they allow this many nodes.
            assert_eq!(iterate(&member, 2), 2);
            assert!((2..=4).contains(&member.total(2)));
        }
        helper.join().unwrap();
        let member = Member::new(&team, 0);
        assert!(member.finished(2).is_some_and(|(last, root)| last == 2 && root[0].mv == 2));
        assert!(member.finished(3).is_none());
    });
}

/// A limit that is reached stops the leader, and the end of the leader stops every helper.
#[test]
fn the_end_of_the_leader_is_the_end_of_all() {
    static LIMITS: Nodes = Nodes(0);
    model(|| {
        let team = Arc::new(Team::<u16>::new(2, &LIMITS));
        let helped = team.clone();
        let helper = thread::spawn(move || {
            let member = Member::new(&helped, 1);
            member.begin(1);
            while member.poll(1).is_some() {
                thread::yield_now();
            }
            assert!(member.finished(1).is_none());
        });
        let member = Member::new(&team, 0);
        member.begin(1);
        assert!(member.poll(1).is_none());
        drop(SetWhenDropped(&team.stop));
        helper.join().unwrap();
    });
}
