//! Tests proven mates: against exhaustive search, and on known problems.

use cassius_chess::mate::{Aim, Mate, MateSearch, Mating, Winner};
use cassius_chess::{Position, certificate, figures};
use cassius_search::game::Repeats as _;
use cassius_search::proof::{Answer, Attack as _, ProofTable};
use cassius_search::{Game as _, Nodes, Unlimited};

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

fn find(position: &Position, aim: Aim) -> (Answer, Vec<Mate>) {
    let mut mates = Vec::new();
    let table = ProofTable::new(4).unwrap();
    let answer = MateSearch::new(table, &Unlimited).find(position, aim, &mut |_, mate| mates.push(mate));
    (answer, mates)
}

/// Returns the positions of a random game from the seed.
fn by_chance(mut seed: u64, start: &str) -> impl Iterator<Item = Position> {
    let mut now = position(start);
    std::iter::from_fn(move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves = now.legal_moves();
        let mv = *moves.get((seed >> 33) as usize % moves.len().max(1))?;
        now.play(mv);
        Some(now.clone())
    })
}

const OPEN: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
const BARE: &str = "8/8/4k3/8/1Q1K4/8/6R1/8 w - - 0 1";

/// The definition: with an odd number of plies the side to move mates, with an even number the other
/// side does.
fn mates(position: &Position, plies: usize) -> bool {
    let moves = position.legal_moves();
    let after = |mv| {
        let mut child = position.clone();
        child.play(mv);
        child
    };
    match plies {
        _ if moves.is_empty() => plies.is_multiple_of(2) && position.is_checkmate(),
        _ if position.drawn_by_rule() => false,
        0 => false,
        _ if plies % 2 == 1 => moves.into_iter().any(|mv| mates(&after(mv), plies - 1)),
        _ => moves.into_iter().all(|mv| mates(&after(mv), plies - 1)),
    }
}

#[test]
fn mates_are_recognised() {
    let mut mated = 0;
    for seed in 0..60 {
        for start in [OPEN, BARE] {
            for position in by_chance(seed, start).take(150) {
                for mv in position.legal_moves() {
                    let mut child = position.clone();
                    child.play(mv);
                    assert_eq!(Mating.is_lost(&child), child.is_checkmate(), "{child}");
                    mated += usize::from(child.is_checkmate());
                }
            }
        }
    }
    assert!(mated > 20, "{mated}");
}

#[test]
fn short_mates_are_those_of_the_definition() {
    let (mut proven, mut disproven) = (0, 0);
    for seed in 0..12 {
        for (start, most) in [(OPEN, 3), (BARE, 4)] {
            for position in by_chance(seed, start).take(60).step_by(3) {
                for plies in most - 1..=most {
                    let shortest = (plies % 2..=plies).step_by(2).find(|plies| mates(&position, *plies));
                    for aim in [Aim::Within(plies), Aim::Shortest(plies)] {
                        let (answer, mates) = find(&position, aim);
                        match shortest {
                            Some(plies) => {
                                assert_eq!(answer, Answer::Proven { plies, shortest: true }, "{position}");
                                let mate = mates.last().expect("told");
                                assert_eq!(mate.replayed.plies, plies);
                                proven += 1;
                            }
                            None => {
                                assert_eq!(answer, Answer::Disproven { within: plies }, "{position}");
                                assert!(mates.is_empty());
                                disproven += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(proven > 50 && disproven > 50, "{proven} {disproven}");
}

/// Kaindl's Figure 2: eleven plies.
#[test]
fn kaindls_mate() {
    let position = position(figures::KAINDL_2);
    for aim in [Aim::Within(11), Aim::Shortest(31)] {
        let (answer, mates) = find(&position, aim);
        assert_eq!(answer, Answer::Proven { plies: 11, shortest: true });
        let mate = mates.last().expect("told");
        assert!(position.line_to_san(&mate.replayed.line).starts_with("1. Qxh7+ Kxh7 2. Rh5+ Kg8 3. Ng6"));
        let written = mate.certificate(&position, 100_000).expect("small");
        let read = written.to_string().parse().expect("a certificate");
        let plan = certificate::check(&read).expect("it holds").at_least.expect("a plan of White");
        assert_eq!(plan.leaves, 0);
    }
    assert_eq!(find(&position, Aim::Within(9)).0, Answer::Disproven { within: 9 });
    let (answer, mates) = find(&position, Aim::Any(31));
    let Answer::Proven { plies, .. } = answer else { panic!("{answer:?}") };
    assert!(plies >= 11 && mates.len() == 1 && mates[0].replayed.plies == plies);
}

/// The side to move is mated whatever it plays. Wherever the limit falls, also between a proof and its
/// extraction, a mate reported as the shortest is the shortest.
#[test]
fn no_limit_makes_a_mate_the_shortest() {
    for (fen, shortest) in [(figures::KAINDL_2, 11), ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 3)] {
        let position = position(fen);
        let mut proven = 0;
        for step in 0..95 {
            let nodes = (50.0 * 1.1_f64.powi(step)) as u64;
            let limits = Nodes(nodes);
            let mut search = MateSearch::new(ProofTable::new(1).unwrap(), &limits);
            let mut told = Vec::new();
            let answer = search
                .find(&position, Aim::Shortest(31), &mut |_, mate: Mate| told.push(mate.replayed.plies));
            if let Answer::Proven { plies, shortest: is_shortest } = answer {
                proven += 1;
                assert_eq!(told.last(), Some(&plies), "{fen}: {nodes} nodes");
                assert!(plies >= shortest, "{fen}: {nodes} nodes");
                assert!(!is_shortest || plies == shortest, "{fen}: {nodes} nodes: {plies}");
            }
        }
        assert!(proven > 0, "{fen}");
    }
}

#[test]
fn the_other_side_mates() {
    let mut after = position(figures::KAINDL_2);
    after.play(after.parse_move("Qxh7+").unwrap());
    assert_eq!(Winner::Other.plies(5), 10);
    let (answer, mates) = find(&after, Aim::Within(10));
    assert_eq!(answer, Answer::Proven { plies: 10, shortest: true });
    let written = mates[0].certificate(&after, 100_000).expect("small");
    assert!(certificate::check(&written).expect("it holds").at_most.is_some_and(|plan| plan.leaves == 0));
}

/// Two rooks mate by force, but not before the fifty-move rule makes a draw.
#[test]
fn the_clock_may_run_out() {
    let mate =
        |clock: u32| find(&position(&format!("7k/8/8/8/8/8/R7/1R2K3 w - - {clock} 80")), Aim::Within(5)).0;
    let fresh = mate(0);
    let Answer::Proven { plies, shortest: true } = fresh else { panic!("{fresh:?}") };
    assert_eq!(plies, 3);
    // The mating move may be the hundredth ply, but not a later one.
    assert_eq!(mate(97), fresh);
    assert_eq!(mate(98), Answer::Disproven { within: 5 });
}

#[test]
fn every_solution_is_named() {
    let position = position("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    let mut search = MateSearch::new(ProofTable::new(4).unwrap(), &Unlimited);
    let solutions = search.solutions(&position, 3);
    assert_eq!(solutions.len(), position.legal_moves().len());
    for (mv, mate) in solutions {
        let mut child = position.clone();
        child.play(mv);
        assert_eq!(mate, Some(mates(&child, 2)), "{mv}");
    }
    // Stopped early, the search proves nothing.
    let limits = Nodes(1);
    let mut search = MateSearch::new(ProofTable::new(4).unwrap(), &limits);
    assert!(search.solutions(&position, 3).iter().filter(|(_, mate)| mate.is_none()).count() > 20);
}

#[test]
fn moves_and_plies() {
    assert_eq!((Winner::Mover.plies(3), Winner::Other.plies(3)), (5, 6));
    assert_eq!((Winner::moves(5), Winner::moves(6), Winner::moves(0)), (3, 3, 0));
    assert_eq!((Winner::Mover.plies(100), Winner::Other.plies(usize::MAX)), (199, 200));
}

/// One search may be asked about both sides: results for one are not used for the other.
#[test]
fn both_sides_may_be_asked_of_one_search() {
    for clock in [0, 1, 2, 80] {
        let position = position(&format!("7k/8/5K2/6Q1/8/8/8/8 b - - {clock} 80"));
        let mut search = MateSearch::new(ProofTable::new(16).unwrap(), &Unlimited);
        let mut ask = |plies| search.find(&position, Aim::Within(plies), &mut |_, _| {});
        assert!(matches!(ask(199), Answer::Disproven { .. }), "a bare king does not mate");
        assert!(matches!(ask(4), Answer::Proven { .. }), "clock {clock}");
    }
}
