//! The UCI session: one answer to each search, for any input. An empty line ends the running search.

use cassius::uci::session::{Effect, Session};

pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut session = Session::default();
    let (mut running, mut started, mut answered, mut over, mut quit) = (false, 0, 0, 0, false);
    let mut see = |effects: Vec<Effect>, running: &mut bool, quit: &mut bool| {
        for effect in effects {
            assert!(!*quit, "nothing after quit");
            match effect {
                Effect::Search(_) => {
                    assert!(!*running, "one search at a time");
                    *running = true;
                    started += 1;
                }
                Effect::Say(line) if line.starts_with("bestmove") => answered += 1,
                Effect::Say(line) if line.starts_with("info depth 0") => over += 1,
                Effect::Say(line) => assert_eq!(line.lines().count(), 1, "{line:?}"),
                Effect::Set(_) | Effect::Evaluate(_) => assert!(!*running, "the engine is away"),
                Effect::Stop | Effect::PonderHit => assert!(*running, "nothing to stop"),
                Effect::Quit => *quit = true,
            }
        }
        (started, answered, over)
    };
    for line in text.lines() {
        if line.is_empty() && running {
            running = false;
            see(session.finished("bestmove e2e4".into()), &mut running, &mut quit);
        } else {
            see(session.line(line), &mut running, &mut quit);
        }
        if quit {
            break;
        }
    }
    if !quit {
        see(session.end(), &mut running, &mut quit);
    }
    while !quit {
        assert!(running, "neither searching nor at the end");
        running = false;
        see(session.finished("bestmove e2e4".into()), &mut running, &mut quit);
    }
    let (started, answered, over) = see(Vec::new(), &mut running, &mut quit);
    assert_eq!(answered, started + over);
}
