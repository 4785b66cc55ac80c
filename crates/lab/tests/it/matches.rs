//! Matches: the games are the same in any order and with any number of jobs, and no game is lost or
//! repeated after an interruption.

use cassius_chess::openings::{Opening, builtin};
use cassius_chess::{Position, pgn};
use cassius_lab::matches::contestant::{Asked, Choice, Contestant, Failure, Guest, Seat};
use cassius_lab::matches::game::{Ending, Rules};
use cassius_lab::matches::ledger::{self, Ledger, LedgerError};
use cassius_lab::matches::{Match, MatchError, Pace, PairRecord, Tally, TimeManager, World, play};
use cassius_lab::statistics::Sprt;
use cassius_lab::{Budget, Clock, Player};
use cassius_search::{Limits, Nodes, Score};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A clock that advances by a millisecond whenever it is read.
#[derive(Default)]
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Relaxed))
    }
}

/// A time manager that always allots the same few nodes.
struct FewNodes;

impl TimeManager for FewNodes {
    fn limits<'a>(&'a self, _: Duration, _: Duration, _: usize) -> Box<dyn Limits + 'a> {
        Box::new(Nodes(100))
    }
}

fn own(text: &str) -> Contestant<'static> {
    text.parse::<Player>().unwrap().into()
}

fn game(openings: &[Opening]) -> Match<'_> {
    Match {
        players: [own("plies"), own("lab-coupled,NullMove.on=0")],
        pace: Pace::PerMove(Budget { nodes: Some(200), ..Budget::default() }),
        openings,
        seed: 7,
        pairs: 6,
        rules: Rules { max_moves: 30, ..Rules::default() },
        hash: 1,
        threads: 1,
        sprt: None,
    }
}

/// Resumes the match until `most` more pairs are finished, and writes them to the ledger.
fn play_some(game: &Match<'_>, jobs: usize, path: &Path, most: usize) -> Vec<PairRecord> {
    let (mut ledger, mut records) = Ledger::open(path, &ledger::header(game)).unwrap();
    let (clock, stop) = (Ticks::default(), AtomicBool::new(false));
    let world = World { clock: &clock, manager: &FewNodes, stop: &stop, jobs };
    let done = records.clone();
    let mut new = 0;
    play(game, &done, &world, &mut |record| {
        if new < most {
            ledger.add(record).unwrap();
            records.push(record.clone());
            new += 1;
        }
        new < most
    })
    .unwrap();
    records.sort_by_key(|record| record.pair);
    records
}

fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cassius-{}-{name}.jsonl", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn interrupted_and_resumed_is_the_same_match() {
    let openings = builtin();
    let game = game(&openings);
    let (whole, parts) = (file("whole"), file("parts"));
    let expected = play_some(&game, 1, &whole, usize::MAX);
    assert_eq!(expected.iter().map(|record| record.pair).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);

    assert_eq!(play_some(&game, 3, &parts, 2).len(), 2);
    // Killed while writing: an incomplete line.
    OpenOptions::new().append(true).open(&parts).unwrap().write_all(b"{\"pair\":5,\"ope").unwrap();
    assert_eq!(play_some(&game, 2, &parts, 1).len(), 3);
    assert_eq!(play_some(&game, 2, &parts, usize::MAX), expected);

    // After the match is finished, nothing is played again.
    let before = fs::read(&parts).unwrap();
    assert_eq!(play_some(&game, 1, &parts, usize::MAX), expected);
    assert_eq!(fs::read(&parts).unwrap(), before);

    // More pairs may be requested later.
    let longer = Match { pairs: 7, ..game };
    assert_eq!(play_some(&longer, 1, &parts, usize::MAX)[..6], expected);
    fs::remove_file(whole).unwrap();
    fs::remove_file(parts).unwrap();
}

#[test]
fn colours_and_openings_are_paired() {
    let openings = builtin();
    let path = file("pairs");
    for record in play_some(&game(&openings), 2, &path, 3) {
        let games = record.games.map(|game| (game.pgn.parse::<cassius_chess::pgn::Game>().unwrap(), game));
        assert_eq!(games[0].0.tag("White"), Some("plies"));
        assert_eq!(games[1].0.tag("Black"), Some("plies"));
        for (text, game) in &games {
            let opening = &text.moves[..text.moves.len() - game.plies];
            assert!(openings.iter().any(|known| known.name == record.opening && known.moves == opening));
            assert_eq!(text.tag("Termination"), Some(game.ending.to_string().as_str()));
            assert_eq!(text.comments.len(), game.plies);
        }
        assert_ne!(games[0].1.pgn, games[1].1.pgn);
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn another_match_is_refused() {
    let openings = builtin();
    let first = game(&openings);
    let path = file("other");
    drop(Ledger::open(&path, &ledger::header(&first)).unwrap());
    let other = Match { seed: 8, ..game(&openings) };
    let error = Ledger::open(&path, &ledger::header(&other)).unwrap_err();
    assert_eq!(error.to_string(), "this is the state of another match: its seed is 7, not 8");
    for text in ["{}\n", "[White \"A\"]\n", "half a line of something else"] {
        fs::write(&path, text).unwrap();
        let error = Ledger::open(&path, &ledger::header(&first)).unwrap_err();
        assert!(matches!(error, LedgerError::NotALedger), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::write(&path, format!("{}\nx\n", ledger::header(&first))).unwrap();
    let error = Ledger::open(&path, &ledger::header(&first)).unwrap_err();
    assert!(error.to_string().starts_with("line 2: "), "{error}");
    fs::remove_file(path).unwrap();
}

#[test]
fn equal_players_score_half_of_every_pair() {
    let openings = builtin();
    let mut same = game(&openings);
    same.players[1] = same.players[0].clone();
    let path = file("same");
    for record in play_some(&same, 2, &path, 3) {
        assert_eq!(record.half_points(), 2);
        assert!(record.games[0].pgn.contains("[White \"plies (first)\"]"));
    }
    fs::remove_file(path).unwrap();
}

/// The clock runs out faster than the few nodes are searched.
#[test]
fn a_clock_that_runs_out_loses() {
    let openings = builtin();
    let game = Match {
        pace: Pace::Clock {
            base: Duration::from_millis(5),
            increment: Duration::ZERO,
            margin: Duration::ZERO,
        },
        pairs: 1,
        ..game(&openings)
    };
    let path = file("clock");
    let records = play_some(&game, 1, &path, 1);
    // White moves first and loses both times.
    assert!(records[0].games.iter().all(|game| game.ending == Ending::Time));
    assert_eq!(records[0].half_points(), 2);
    let tally = Tally::of(&records);
    assert_eq!((tally.games, tally.time_losses), ([1, 0, 1], [1, 1]));
    fs::remove_file(path).unwrap();
}

#[test]
fn a_sequential_test_ends_the_match() {
    let openings = builtin();
    let mut clear = game(&openings);
    clear.players = [own("plies"), own("plies,Aspiration.from=5")];
    clear.sprt = Some(Sprt { elo0: 300.0, elo1: 600.0, ..Sprt::default() });
    // A few more pairs than needed may finish before the ledger has written those that decide.
    clear.pairs = 100;
    let path = file("sprt");
    let records = play_some(&clear, 1, &path, usize::MAX);
    assert!(records.len() < 100, "{} pairs", records.len());
    assert!(Tally::of(&records).decides(clear.sprt.as_ref()));
    fs::remove_file(path).unwrap();
}

#[test]
fn a_stopped_match_gives_up_its_games() {
    let openings = builtin();
    let game = game(&openings);
    let (clock, stop) = (Ticks::default(), AtomicBool::new(true));
    let world = World { clock: &clock, manager: &FewNodes, stop: &stop, jobs: 2 };
    let tally = play(&game, &[], &world, &mut |_| panic!("a pair was finished")).unwrap();
    assert_eq!(tally.pairs.pairs(), 0);
}

/// An engine that plays the first legal move, until it fails in its fourth move of each game. It cannot begin
/// more than so many games.
struct Fragile {
    failure: Failure,
    games: u64,
    begun: AtomicU64,
}

impl Fragile {
    fn new(failure: Failure, games: u64) -> Fragile {
        Fragile { failure, games, begun: AtomicU64::new(0) }
    }
}

impl Guest for Fragile {
    fn name(&self) -> &str {
        "Fragile"
    }

    fn identity(&self) -> String {
        "Fragile (fragile, Glass=thin)".into()
    }

    fn seat(&self) -> Result<Box<dyn Seat + '_>, MatchError> {
        Ok(Box::new(Glass { fragile: self, left: 0 }))
    }
}

struct Glass<'a> {
    fragile: &'a Fragile,
    left: usize,
}

impl Seat for Glass<'_> {
    fn begin(&mut self, _: &Position) -> Result<(), MatchError> {
        if self.fragile.begun.fetch_add(1, Relaxed) >= self.fragile.games {
            return Err(MatchError::Guest("no glass left".into()));
        }
        self.left = 3;
        Ok(())
    }

    fn choose(&mut self, asked: &Asked<'_>) -> Result<Choice, Failure> {
        assert_eq!(asked.moves.len(), asked.before.len());
        let Some(left) = self.left.checked_sub(1) else { return Err(self.fragile.failure.clone()) };
        self.left = left;
        let mv = asked.position.legal_moves()[0];
        // It tells a value in some moves only.
        let value = (left % 2 == 0).then_some(Score(12));
        Ok(Choice { mv, value, depth: 1, elapsed: Duration::ZERO })
    }
}

/// A failure loses the game, with its reason; the match goes on, and every kind is counted for the player
/// that failed.
#[test]
fn a_guest_that_fails_loses_the_game() {
    let openings = builtin();
    for (failure, ending, counts) in [
        (Failure::Crash("it {broke}".into()), Ending::Crash, [[0, 0], [0, 4], [0, 0]]),
        (Failure::IllegalMove("e2e5".into()), Ending::IllegalMove, [[0, 0], [0, 0], [0, 4]]),
        (Failure::Time("too late".into()), Ending::Time, [[0, 4], [0, 0], [0, 0]]),
    ] {
        let fragile = Fragile::new(failure.clone(), u64::MAX);
        let players = [own("plies"), Contestant::Guest(&fragile)];
        let game = Match { players, pairs: 2, ..game(&openings) };
        let path = file("fragile");
        let records = play_some(&game, 1, &path, usize::MAX);
        let tally = Tally::of(&records);
        assert_eq!(tally.games, [4, 0, 0]);
        assert_eq!([tally.time_losses, tally.crashes, tally.illegal_moves], counts);
        for record in records.iter().flat_map(|record| &record.games) {
            assert_eq!((record.ending, &record.failure), (ending, &Some(failure.to_string())));
            let text: pgn::Game = record.pgn.parse().unwrap();
            let said = failure.to_string().replace('}', ")");
            assert_eq!(text.comments.last().unwrap().1, format!("Fragile: {said}"));
            assert!(text.comments.iter().any(|(_, comment)| comment == "?/1"), "{}", record.pgn);
            assert!([text.tag("White"), text.tag("Black")].contains(&Some("Fragile")));
        }
        // The state names the engine with its options: another is refused.
        let header = ledger::header(&game);
        assert_eq!(header["players"][1], "Fragile (fragile, Glass=thin)");
        let other = Match { players: [own("plies"), own("bare")], ..game };
        assert!(Ledger::open(&path, &ledger::header(&other)).is_err());
        fs::remove_file(path).unwrap();
    }
}

/// A guest that cannot begin a game ends the match, which can be resumed.
#[test]
fn a_guest_that_cannot_begin_ends_the_match() {
    let openings = builtin();
    let path = file("no-glass");
    let (clock, stop) = (Ticks::default(), AtomicBool::new(false));
    let world = World { clock: &clock, manager: &FewNodes, stop: &stop, jobs: 1 };
    let fragile = Fragile::new(Failure::Crash("broken".into()), 5);
    let players = [own("plies"), Contestant::Guest(&fragile)];
    let match_ = Match { players, pairs: 4, ..game(&openings) };
    let (mut ledger, _) = Ledger::open(&path, &ledger::header(&match_)).unwrap();
    let error = play(&match_, &[], &world, &mut |record| ledger.add(record).is_ok()).unwrap_err();
    assert_eq!(error, MatchError::Guest("no glass left".into()));
    drop(ledger);
    let again = Fragile::new(Failure::Crash("broken".into()), u64::MAX);
    let players = [own("plies"), Contestant::Guest(&again)];
    let records = play_some(&Match { players, ..match_ }, 2, &path, usize::MAX);
    assert_eq!(records.iter().map(|record| record.pair).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(again.begun.load(Relaxed), 4);
    fs::remove_file(path).unwrap();
}
