//! Random and mutated input for every reader and for the UCI loop. The targets in `fuzz/` are for longer
//! runs.

use crate::common::bombs;
use crate::common::forgeries::{edited, honest, keeps_its_promises, pasted_text};
use cassius::uci::session::{Effect, Session};
use cassius_chess::Position;
use cassius_chess::notation::{Epd, EpdLines};
use cassius_chess::pgn::{Game, Games};
use cassius_search::plans::certificate::to_json;
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

/// Words that have a meaning for some reader.
const WORDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "register",
    "debug",
    "on",
    "off",
    "d",
    "eval",
    "position",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e5",
    "g1f3",
    "e1g1",
    "e7e8q",
    "0000",
    "go",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "setoption",
    "name",
    "value",
    "Hash",
    "Threads",
    "MultiPV",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "UCI_LimitStrength",
    "UCI_Elo",
    "Recipe",
    "coupled",
    "abc",
    "Parameters",
    "NullMove.base=3",
    "Move",
    "Overhead",
    "Clear",
    "true",
    "false",
    "1",
    "2",
    "0",
    "-1",
    "300",
    "99999999999999999999",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "w",
    "b",
    "KQkq",
    "-",
    "8/8/8/8/8/4k3/4p3/4K3",
    "6k1/5ppp/8/8/8/8/8/R6K",
    "é",
    "\u{0}",
    "=",
    ",",
    "<empty>",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        20 => prop::sample::select(WORDS).prop_map(str::to_string),
        1 => "\\PC{0,12}",
    ]
}

/// Generates valid lines, with words changed, left out or duplicated.
fn line() -> impl Strategy<Value = String> {
    let valid = prop::sample::select(vec![
        "go depth 2",
        "go nodes 200",
        "go infinite",
        "go ponder nodes 100",
        "go movetime 3",
        "stop",
        "ponderhit",
        "isready",
        "ucinewgame",
        "position startpos moves e2e4 e7e5",
        "setoption name MultiPV value 2",
        "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
        "position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
        "setoption name Recipe value coupled",
        "go wtime 20 btime 20 winc 1 binc 1",
        "go searchmoves e2e4 nodes 50",
        "setoption name UCI_ShowWDL value true",
        "setoption name Clear Hash",
        "setoption name Threads value 2",
    ]);
    let mutated =
        (valid.clone(), any::<prop::sample::Index>(), word(), 0..3).prop_map(|(line, at, word, how)| {
            let mut words: Vec<String> = line.split(' ').map(str::to_string).collect();
            let at = at.index(words.len());
            match how {
                0 => words[at] = word,
                1 => drop(words.remove(at)),
                _ => words.insert(at, word),
            }
            words.join(" ")
        });
    prop_oneof![
        4 => valid.prop_map(str::to_string),
        3 => mutated,
        1 => prop::collection::vec(word(), 0..8).prop_map(|words| words.join(" ")),
    ]
}

/// Generates a position, an EPD or a game: valid text with a few characters changed.
fn mutated_text() -> impl Strategy<Value = String> {
    let valid = prop::sample::select(vec![
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";",
        "8/8/8/8/8/4k3/8/4K2R w - - dm 3; hmvc 4; c0 \"x\";",
        "[White \"A\"]\n[FEN \"8/8/8/8/8/4k3/8/4K2R w K - 0 1\"]\n\n1. O-O {c} (1. Rh3+ $1) Ke2 ; end\n\
         2. Rf2+ 1-0\n",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 1/2-1/2",
    ]);
    let change = (
        any::<prop::sample::Index>(),
        prop_oneof![any::<char>(), Just('/'), Just('9'), Just('"'), Just('{')],
    );
    (valid, prop::collection::vec(change, 0..5)).prop_map(|(text, changes)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (at, character) in changes {
            let at = at.index(characters.len());
            match character {
                '9' => drop(characters.remove(at)),
                other => characters[at] = other,
            }
            if characters.is_empty() {
                characters.push(' ');
            }
        }
        characters.into_iter().collect()
    })
}

fn read_everything(text: &str) {
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse::<Position>().ok().as_ref(), Some(&position));
        for mv in position.legal_moves() {
            assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
        }
    }
    let _ = text.parse::<Epd>();
    EpdLines::new(text.as_bytes()).for_each(drop);
    for game in Games::new(text.as_bytes()).flatten() {
        let again: Game = game.to_string().parse().expect("what was written can be read");
        assert_eq!(again.moves, game.moves);
    }
    let position = Position::default();
    let _ = (
        position.parse_san(text),
        position.parse_uci(text),
        position.parse_move(text),
        position.parse_line(text),
    );
    let _ = cassius::setup::parse_duration(text);
    let _ = cassius::setup::parse_count(text);
    let _ = cassius::setup::parse_setting(text);
    let _ = cassius::uci::command::read(text);
    Session::default().line(text);
}

/// The counts of searches and answers of the state machine.
#[derive(Default)]
struct Observer {
    started: usize,
    answered: usize,
    /// Answers without a search, because the game was over.
    over: usize,
    running: bool,
    quit: bool,
}

impl Observer {
    fn finish(&mut self, session: &mut Session) {
        self.running = false;
        self.see(&session.finished("bestmove e2e4".into()));
    }

    fn see(&mut self, effects: &[Effect]) {
        for effect in effects {
            assert!(!self.quit, "nothing after quit");
            match effect {
                Effect::Search(_) => {
                    assert!(!self.running, "one search at a time");
                    self.running = true;
                    self.started += 1;
                }
                Effect::Say(line) if line.starts_with("bestmove") => self.answered += 1,
                Effect::Say(line) if line.starts_with("info depth 0") => self.over += 1,
                Effect::Say(line) => assert!(!line.contains(['\n', '\r']), "one line: {line:?}"),
                Effect::Set(_) | Effect::Evaluate(_) => assert!(!self.running, "the engine is away"),
                Effect::Stop | Effect::PonderHit => assert!(self.running, "nothing to stop"),
                Effect::Quit => self.quit = true,
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// For any text, `cassius tree` refuses it, or shows it without a panic and writes it as an
    /// equivalent text.
    #[test]
    fn trees_are_shown_or_refused(
        text in "(-?[0-9]{1,5}|[A-C]:[0-9]|<&>:-1|0|1)(!|\\(|\\)| |0|1|-1|[A-C]:[0-9]){0,40}",
    ) {
        for text in [text.clone(), balanced(&text)] {
            if let Ok([words, json, picture]) = cassius::commands::tree::shown(&text) {
                let tree: cassius_games::Tree = text.parse().expect("a tree");
                prop_assert_eq!(tree.to_string().parse(), Ok(tree));
                prop_assert!(words.contains("Max strategies") && picture.ends_with("</svg>\n"));
                prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
            }
        }
    }
}

/// Returns the text with its missing closing parentheses.
fn balanced(text: &str) -> String {
    let open = text.matches('(').count();
    let closed = text.matches(')').count();
    format!("{text}{}", ")".repeat(open.saturating_sub(closed)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn readers_do_not_panic_on_noise(text in "\\PC{0,80}") {
        read_everything(&text);
    }

    #[test]
    fn readers_do_not_panic_on_broken_text(text in mutated_text()) {
        read_everything(&text);
    }

    #[test]
    fn no_noise_is_a_certificate(text in "[!?.#{}\\[\\]:\", \na-e0-9-]{0,80}", json in any::<bool>()) {
        let head = if json { "{\"format\": \"cassius certificate\"," } else { "cassius certificate 2\n" };
        prop_assert!(!keeps_its_promises(&text));
        let text = format!("{head}{text}");
        prop_assert!(!keeps_its_promises(&text));
    }

    /// An honest certificate is accepted in both formats. A changed certificate is accepted only if it
    /// is still true.
    #[test]
    fn what_is_accepted_holds(
        number in any::<u64>(), json in any::<bool>(),
        edits in prop::collection::vec(any::<(u16, u8, u16)>(), 0..4),
    ) {
        let certificate = honest(number);
        let text = if json { to_json(&certificate) } else { certificate.to_string() };
        prop_assert!(keeps_its_promises(&text), "{}", text);
        keeps_its_promises(&edited(&text, &edits));
    }

    /// Plans of two searches are accepted as a value only where the definition holds. This is checked
    /// for every accepted certificate.
    #[test]
    fn pasted_plans_keep_their_promises(
        number in any::<u64>(), edits in prop::collection::vec(any::<(u16, u8, u16)>(), 0..3),
    ) {
        if let Some(text) = pasted_text(number) {
            keeps_its_promises(&text);
            keeps_its_promises(&edited(&text, &edits));
        }
    }

    /// There is exactly one answer for each search, whatever the commands are and whenever searches end.
    #[test]
    fn the_session_keeps_its_promises(lines in prop::collection::vec((line(), any::<bool>()), 0..40)) {
        let mut session = Session::default();
        let mut observer = Observer::default();
        for (line, ends) in lines {
            observer.see(&session.line(&line));
            if ends && observer.running {
                observer.finish(&mut session);
            }
        }
        observer.see(&session.end());
        while !observer.quit {
            prop_assert!(observer.running, "neither searching nor at the end");
            observer.finish(&mut session);
        }
        prop_assert_eq!(observer.answered, observer.started + observer.over);
        prop_assert!(!session.is_searching());
    }
}

/// When the input ends, a search that has a limit goes on to it, and one that has none is stopped.
#[test]
fn what_ends_by_itself_may_do_so() {
    let stops = |lines: &[&str]| {
        let mut session = Session::default();
        for line in lines {
            session.line(line);
        }
        session.end().iter().any(|effect| matches!(effect, Effect::Stop))
    };
    assert!(!stops(&["go movetime 900"]) && !stops(&["go ponder movetime 900", "ponderhit"]));
    assert!(!stops(&["go depth 9"]) && !stops(&["go mate 3"]) && !stops(&["go nodes 9"]));
    assert!(stops(&["go"]) && stops(&["go infinite"]) && stops(&["go ponder movetime 900"]));
    assert!(stops(&["go movetime x"]) && stops(&["go infinite", "ponderhit"]));
}

/// Thirty thousand commands arrive while a search runs. Ten thousand of them wait, and the overrun is
/// reported once. Each search that was started is answered.
#[test]
fn a_flood_of_commands_is_bounded() {
    let mated = "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let flood = [
        "position startpos",
        "go depth 3",
        "stop",
        mated,
        "go infinite",
        "setoption name MultiPV value 2",
        "ponderhit",
    ];
    let (mut session, mut observer) = (Session::default(), Observer::default());
    observer.see(&session.line("go infinite"));
    let mut told = 0;
    for line in flood.iter().cycle().take(30_000) {
        let effects = session.line(line);
        told += effects
            .iter()
            .filter(|it| matches!(it, Effect::Say(line) if line.contains("wait for the end")))
            .count();
        observer.see(&effects);
    }
    assert_eq!(told, 1);
    assert_eq!((observer.started, observer.answered), (1, 0));
    while observer.running {
        observer.finish(&mut session);
    }
    // A seventh of the ten thousand are searches of the first position, another seventh end at once.
    assert!((1_400..1_500).contains(&observer.started), "{}", observer.started);
    assert_eq!(observer.answered, observer.started + observer.over);
    observer.see(&session.line("position startpos"));
    observer.see(&session.line("go depth 1"));
    assert!(observer.running);
}

/// Some changes matter. Others, such as another order of replies, do not. Both kinds occur, so the
/// checks of accepted certificates are executed.
#[test]
fn some_forgeries_are_true() {
    let (mut refused, mut accepted) = (0, 0);
    for number in 0..400 {
        let honest = honest(number).to_string();
        let edit = (honest.len() as u16).wrapping_mul(7_919).wrapping_add(number as u16);
        let changed = edited(&honest, &[(edit, 2 * (number % 5) as u8 + 1, edit / 3)]);
        match keeps_its_promises(&changed) {
            false => refused += 1,
            true if changed != honest => accepted += 1,
            true => {}
        }
    }
    assert!(refused > 200 && accepted > 5, "{refused} {accepted}");
}

/// Plans of two searches of one tree are often no value together, and then they are refused. Some are.
#[test]
fn some_pasted_plans_are_a_value() {
    let texts: Vec<String> = (0..100).filter_map(pasted_text).collect();
    let accepted = texts.iter().filter(|text| keeps_its_promises(text)).count();
    let refused = texts.len() - accepted;
    assert!(accepted > 5 && refused > 5, "{accepted} {refused}");
}

/// A certificate that is made to keep the checker busy is checked, refused or given up, with no more
/// work than the usual limit for its size.
#[test]
fn bombs_are_checked_to_an_end() {
    use cassius::commands::check::{read, replay};
    use cassius_search::plans::certificate::Checking;
    let (mut readable, mut limited) = (0, 0);
    for number in 0..10 {
        let text = bombs::bomb(number);
        assert!(text.len() <= bombs::LARGEST);
        let Ok(found) = read(&text) else { continue };
        readable += 1;
        // A hundredth of this limit is soon reached, and much less at once.
        let customary = Checking::customary(&found);
        for part in [100, 100_000] {
            let how = Checking { work: customary.work / part, ..customary };
            if let Err(error) = replay(&found, &how, None) {
                let told = format!("{error:#}");
                assert_eq!(told.lines().count(), 1, "{told}");
                limited += usize::from(told.contains("the check stopped at the work limit of "));
            }
        }
    }
    assert!(readable > 5 && limited > 3, "{readable} {limited}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// The whole loop, with real searches: it answers each of them, whether the input ends or asks it to
    /// quit.
    #[test]
    fn the_loop_survives(lines in prop::collection::vec(line(), 0..12), quits: bool) {
        // Slow commands are left out. An open search is stopped by the end of the input.
        let slow = |line: &String| {
            let many = ["99999999999999999999", "300"].iter().any(|number| line.contains(number));
            line.contains("Hash")
                || line.contains("Threads value 3")
                || (many && line.contains("depth"))
                || (line.starts_with("go")
                    && !["nodes", "infinite", "movetime 3", "depth 2"].iter().any(|l| line.contains(l)))
        };
        let mut script: Vec<String> = lines.into_iter().filter(|line| !slow(line)).collect();
        script.extend(quits.then(|| "quit".into()));
        let (mut session, mut observer) = (Session::default(), Observer::default());
        for line in &script {
            if !observer.quit {
                observer.see(&session.line(line));
            }
        }
        if !observer.quit {
            observer.see(&session.end());
        }
        while !observer.quit {
            observer.finish(&mut session);
        }
        let said = talk(&script.join("\n"));
        let best = said.lines().filter(|line| line.starts_with("bestmove")).count();
        prop_assert_eq!(best, observer.answered, "{:?}", script);
    }
}

/// Runs the loop in this process.
fn talk(script: &str) -> String {
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("not poisoned").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut output = Shared::default();
    let input = std::io::Cursor::new(script.as_bytes().to_vec());
    cassius::uci::run(input, &mut output).expect("no trouble");
    let bytes = output.0.lock().expect("not poisoned").clone();
    String::from_utf8(bytes).expect("text")
}
