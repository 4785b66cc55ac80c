//! The program as a UCI engine: golden sessions, guarantees about `bestmove`, the speed of `stop`,
//! determinism.

use crate::common::{Engine, assert_golden};
use cassius_chess::Position;
use cassius_chess::evaluation::{Evaluation, Evaluator};
use cassius_chess::levels::Levels;
use std::time::{Duration, Instant};

const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";

#[test]
fn it_introduces_itself() {
    let mut engine = Engine::start();
    engine.ask("uci", "uciok");
    engine.ask("isready", "readyok");
    engine.ask("ucinewgame\nisready", "readyok");
    assert_golden!("uci_introduction", engine.quit());
}

#[test]
fn it_finds_mates_and_sees_finished_games() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_ShowWDL value true");
    engine.send(MATE_IN_ONE);
    engine.ask("go depth 2", "bestmove");
    engine.ask("go mate 1", "bestmove");
    engine.send("position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    engine.ask("go depth 2", "bestmove");
    engine.send("position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
    engine.ask("go movetime 10", "bestmove");
    assert_golden!("uci_mates", engine.quit());
}

#[test]
fn it_names_what_it_does_not_understand_and_goes_on() {
    let mut engine = Engine::start();
    for line in [
        "",
        "xyzzy",
        "setoption",
        "setoption name Hash value lots",
        "setoption name Hash value 0",
        "setoption name Nonsense value 1",
        "setoption name Recipe value omelette",
        "setoption name Parameters value NullMove",
        "setoption name Recipe value plies",
        "setoption name Parameters value NullMove.reduction=200,Omelette.eggs=3",
        "setoption name EvalFile value /no/such/net",
        "setoption name Evaluation value classical",
        "setoption name SyzygyPath value /no/such/place",
        "setoption name UCI_ShowWDL value perhaps",
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1",
        "position startpos moves e2e4 e7e5 e4e5 g8f6",
        "position startpos moves e2e4 nonsense",
        "position startpos e2e4",
        "debug perhaps",
        "register later",
        "stop",
        "ponderhit",
        "go depth x searchmoves e2e5 nodes 1 quickly",
    ] {
        engine.send(line);
    }
    engine.until("bestmove");
    engine.ask("isready", "readyok");
    let said = engine.quit();
    // The one or two nodes of the search depend on timing; the error messages do not.
    let kept: Vec<&str> = said.lines().filter(|line| !line.starts_with("info depth")).collect();
    let best = kept.iter().filter(|line| line.starts_with("bestmove")).count();
    assert_eq!(best, 1);
    let kept: Vec<&str> = kept.into_iter().filter(|line| !line.starts_with("bestmove")).collect();
    assert_golden!("uci_misunderstandings", kept.join("\n"));
}

/// The parameters are those of the last list. A list with a mistake changes nothing.
#[test]
fn a_list_of_parameters_replaces_the_one_before() {
    let mut nodes = Vec::new();
    for list in [
        &["<empty>"][..],
        &["NullMove.reduction=0"],
        &["NullMove.reduction=0", "<empty>"],
        &["NullMove.reduction=0", "Singular.margin=4"],
        &["Singular.margin=4"],
        &["Singular.margin=4", "NullMove.reduction=0,Omelette.eggs=3"],
    ] {
        let mut engine = Engine::start();
        list.iter().for_each(|list| engine.send(&format!("setoption name Parameters value {list}")));
        engine.ask("go depth 8", "bestmove");
        let said = engine.quit();
        let last = said.lines().rfind(|line| line.starts_with("info depth 8 ")).expect("eight plies");
        nodes.push(last.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next()).map(String::from));
    }
    assert!(nodes[0] != nodes[1] && nodes[0] == nodes[2], "{nodes:?}");
    assert!(nodes[3] == nodes[4] && nodes[4] == nodes[5], "{nodes:?}");
}

/// If S is so small that lines run to the maximum ply, their number is reported, here and in JSON.
#[test]
fn lines_that_are_cut_off_are_told() {
    const PAWNS: &str = "8/pp5k/8/8/8/8/PP5K/8 w - - 0 1";
    const SLOW: &str = "Abc.gamma=100,Abc.branching=256,Abc.delta=1";
    let mut engine = Engine::start();
    engine.send("setoption name Recipe value abc-paper");
    engine.send(&format!("position fen {PAWNS}"));
    engine.ask("go nodes 2000", "bestmove");
    assert!(!engine.said.contains("cut off"), "{}", engine.said);
    engine.send(&format!("setoption name Parameters value {SLOW}"));
    engine.ask("go nodes 20000", "bestmove");
    let told = engine.said.lines().find(|line| line.contains("cut off")).expect("lines cut off");
    let count =
        told.strip_prefix("info string ").and_then(|told| told.strip_suffix(" lines cut off at ply 200"));
    let count: u64 = count.expect(told).parse().expect("a number");

    let arguments =
        ["analyse", PAWNS, "--recipe", "abc-paper", "--nodes", "20k", "--set", SLOW, "--hash", "64"];
    let output = crate::common::run(&[&arguments[..], &["--json"]].concat(), "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(json["lines_cut_off"], count);
    let text = crate::common::run(&arguments, "").stdout;
    assert!(String::from_utf8_lossy(&text).contains(&format!(", {count} lines cut off at ply 200")));
}

/// A user who asks for threads that would be idle is told so.
#[test]
fn idle_threads_are_named() {
    let mut engine = Engine::start();
    for line in [
        "setoption name Recipe value cns",
        "setoption name Threads value 3",
        "setoption name Recipe value ccns",
    ] {
        engine.send(line);
    }
    engine.ask("isready", "readyok");
    let said = engine.quit();
    let idle: Vec<&str> = said.lines().filter(|line| line.contains("one thread searches")).collect();
    assert_eq!(idle, ["info string recipe cns expands one leaf at a time: one thread searches, not 3"]);
}

#[test]
fn the_position_survives_a_wrong_one() {
    let mut engine = Engine::start();
    engine.send(MATE_IN_ONE);
    engine.send("position startpos moves e2e4 e2e4");
    engine.until("info string illegal move 'e2e4' (number 2");
    assert_eq!(engine.ask("go depth 3", "bestmove"), "bestmove a1a8");
}

#[test]
fn every_form_of_go_is_answered_once() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5");
    for go in [
        "go depth 3",
        "go nodes 500",
        "go movetime 20",
        "go wtime 300 btime 300",
        "go wtime 300",
        "go btime 300",
        "go btime 300 winc 5 wtime 200 binc 5 movestogo 3",
        "go winc 20 binc 20",
        "go wtime -50 btime -50",
        "go wtime 0 btime 0 winc 0 binc 0",
        "go movestogo 1 wtime 50 btime 50",
        "go mate 1 nodes 300",
        "go searchmoves a2a3 h2h3 depth 2",
        "go depth 2 searchmoves a2a3",
        "go depth 1000000 nodes 300",
        "go depth -3",
    ] {
        let best = engine.ask(go, "bestmove");
        assert_ne!(best, "bestmove 0000", "{go}");
        if go.contains("searchmoves") {
            assert!(best.starts_with("bestmove a2a3") || best.starts_with("bestmove h2h3"), "{go}: {best}");
        }
        assert_eq!(engine.ask("isready", "readyok"), "readyok");
    }
    let said = engine.quit();
    assert_eq!(said.lines().filter(|line| line.starts_with("bestmove")).count(), 16);
}

#[test]
fn infinite_and_ponder_wait() {
    let mut engine = Engine::start();
    engine.send(MATE_IN_ONE);
    for (go, release) in [
        ("go infinite", "stop"),
        ("go infinite depth 1", "stop"),
        ("go ponder depth 1", "ponderhit"),
        ("go ponder wtime 100 btime 100", "ponderhit"),
        ("go ponder movetime 30", "stop"),
    ] {
        engine.send(go);
        let early = engine.listen(Duration::from_millis(150));
        assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{go}: {early:?}");
        engine.ask("isready", "readyok");
        assert!(engine.ask(release, "bestmove").starts_with("bestmove a1a8"));
        let late = engine.listen(Duration::from_millis(30));
        assert!(late.is_empty(), "{go}: {late:?} after bestmove");
    }
    // Nor is a mate that does not exist.
    engine.send("position startpos");
    engine.send("go ponder mate 1");
    let early = engine.listen(Duration::from_millis(150));
    assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{early:?}");
    engine.ask("ponderhit", "bestmove");
    // A finished game is no exception.
    engine.send("position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
    engine.send("go infinite");
    let early = engine.listen(Duration::from_millis(50));
    assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{early:?}");
    assert_eq!(engine.ask("stop", "bestmove"), "bestmove 0000");
}

#[test]
fn a_second_go_ends_the_first() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send(MATE_IN_ONE);
    engine.send("go infinite");
    engine.send("stop");
    engine.until("bestmove");
    assert!(engine.until("bestmove").starts_with("bestmove a1a8"), "{}", engine.said);
    assert!(engine.listen(Duration::from_millis(50)).is_empty());
}

#[test]
fn stop_is_obeyed_at_once() {
    let mut engine = Engine::start();
    let mut times = Vec::new();
    for recipe in ["plies", "coupled", "bare", "abc"] {
        engine.send(&format!("setoption name Recipe value {recipe}"));
        for threads in [1, 2] {
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
            engine.ask("isready", "readyok");
            engine.send("go infinite");
            engine.listen(Duration::from_millis(100));
            let start = Instant::now();
            engine.ask("stop", "bestmove");
            times.push(start.elapsed());
        }
    }
    println!("stop: {times:?}");
    // 50 ms are promised, but a busy machine needs more time to wake a process.
    times.sort();
    assert!(times[times.len() / 2] < Duration::from_millis(250), "{times:?}");
    assert!(times.last() < Some(&Duration::from_secs(5)), "{times:?}");
}

#[test]
fn a_node_limit_is_exact_and_deterministic() {
    let search = |recipe: &str| {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Recipe value {recipe}"));
        engine.send("setoption name MultiPV value 2");
        engine.send("position startpos moves d2d4 d7d5 c2c4");
        engine.ask("go nodes 12345", "bestmove");
        engine.send("ucinewgame");
        engine.ask("go nodes 12345", "bestmove");
        let said = engine.quit();
        // Compares the lines without times.
        let keep = |line: &str| -> String {
            let words: Vec<&str> = line.split(' ').collect();
            let timed = |at: usize| at > 0 && ["time", "nps"].contains(&words[at - 1]);
            (0..words.len()).filter(|at| !timed(*at)).map(|at| words[at]).collect::<Vec<_>>().join(" ")
        };
        said.lines().map(keep).collect::<Vec<_>>()
    };
    for recipe in ["plies", "coupled"] {
        let first = search(recipe);
        assert_eq!(first, search(recipe), "{recipe}");
        // A new game is searched like the first.
        let best: Vec<&String> = first.iter().filter(|line| line.starts_with("bestmove")).collect();
        assert_eq!(best.len(), 2);
        assert_eq!(best[0], best[1], "{recipe}");
        // The last report of either line has the nodes of the whole search.
        for end in (0..first.len()).filter(|&at| first[at].starts_with("bestmove")) {
            for (line, multipv) in first[end - 2..end].iter().zip([" multipv 1 ", " multipv 2 "]) {
                assert!(line.contains(" nodes 12345 ") && line.contains(multipv), "{recipe}: {line}");
            }
        }
    }
}

#[test]
fn chess960_castles_by_taking_the_rook() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_Chess960 value true");
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1 e8e7");
    assert!(engine.ask("d", "info string").contains("8/4k3/8/8/8/8/8/5RK1 w"));
    engine.send("setoption name UCI_Chess960 value false");
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8e7");
    assert!(engine.ask("d", "info string").contains("8/4k3/8/8/8/8/8/5RK1 w"));
}

/// With a queen more, and with each evaluation. A question during a search is answered after it.
#[test]
fn the_static_value_is_told() {
    let mut engine = Engine::start();
    engine.send("position fen 4k3/8/8/8/8/8/8/3QK3 b - - 0 1");
    for name in ["network", "classical"] {
        engine.send(&format!("setoption name Evaluation value {name}"));
        let position: Position = "4k3/8/8/8/8/8/8/3QK3 b - - 0 1".parse().expect("a position");
        let evaluation = Evaluation::named(name).expect("an evaluation");
        let value = Evaluator::of(&evaluation).evaluate(&position, position.turn(), 0);
        assert!(value < -500, "{value}");
        let told = format!("info string static value {value} centipawns for the side to move ({name})");
        assert_eq!(engine.ask("eval", "info string static"), told);
    }
    engine.send("go infinite\neval\nstop");
    engine.until("bestmove");
    engine.until("info string static value");
}

#[test]
fn limited_strength_searches_less() {
    let [lowest, highest] = Levels::built_in().ratings();
    let treated = |asked: i64, as_: i64| format!("info string option UCI_Elo: {asked} is treated as {as_}\n");
    for (asked, complaint) in [
        (lowest, String::new()),
        // The engine must not play at full strength then.
        (lowest - 1, treated(lowest - 1, lowest)),
        (i64::MIN, treated(i64::MIN, lowest)),
    ] {
        let mut engine = Engine::start();
        engine.send("setoption name UCI_LimitStrength value true");
        engine.send(&format!("setoption name UCI_Elo value {}", highest + 1));
        engine.until(treated(highest + 1, highest).trim_end());
        engine.send(&format!("setoption name UCI_Elo value {asked}"));
        // Far more than the patience of a test.
        engine.ask("go movetime 600000", "bestmove");
        let said = engine.quit();
        let (_, since) = said.rsplit_once("> setoption").expect("what was sent");
        assert!(since.contains(&complaint), "{said}");
        assert_eq!(since.contains("UCI_Elo:"), !complaint.is_empty(), "{said}");
        let nodes = |line: &str| line.split_once(" nodes ")?.1.split(' ').next()?.parse::<u64>().ok();
        let most = since.lines().filter_map(nodes).max().expect("a report");
        assert!(most < 1000, "{said}");
    }
}

/// A property test of the clock covers the time limits of a single move; this test plays a whole game by
/// the clock. A user of a busy machine sets `Move Overhead`, and a machine that runs all tests at once
/// is busy.
#[test]
fn games_by_the_clock_are_not_lost_on_time() {
    for (time, increment, plies) in [(2000, 10, 120), (2000, 0, 80)] {
        let mut engine = Engine::start();
        engine.send("setoption name Move Overhead value 1000");
        let mut clocks = [Duration::from_millis(time); 2];
        let mut moves = String::new();
        for ply in 0..plies {
            engine.send(&format!("position startpos{moves}"));
            let [white, black] = clocks.map(|clock| clock.as_millis());
            let start = Instant::now();
            let go = format!("go wtime {white} btime {black} winc {increment} binc {increment}");
            let best = engine.ask(&go, "bestmove");
            let spent = start.elapsed();
            let clock = &mut clocks[ply % 2];
            assert!(spent < *clock, "ply {ply} took {spent:?} of {clock:?}");
            *clock = *clock - spent + Duration::from_millis(increment);
            let best = best.split(' ').nth(1).expect("a move").to_string();
            if best == "0000" {
                break;
            }
            moves += if ply == 0 { " moves " } else { " " };
            moves += &best;
        }
    }
}
