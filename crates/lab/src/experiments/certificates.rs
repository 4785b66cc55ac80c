//! Certificates of chess positions and of random games: made, checked, tampered with.

use super::measure::Still;
use crate::Budget;
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance, Unfinished};
use cassius_chess::{Position, openings};
use cassius_games::random_game::{Rules, Shape};
use cassius_games::{Judge, RandomGame, Statics};
use cassius_search::certificate::{Certified, Referee, Tampering, certify, check, is_repeated_or_drawn};
use cassius_search::{Abc, Depth, Depths, Game, Keyed as _, Off, Repetition, Table};

/// Theorem 1 as a machine that can be caught lying.
pub static CERTIFICATES: Experiment = Experiment {
    id: "certificates",
    claim: "The tree searched contains a plan of each side for the value found: each is written down and replayed by rules and evaluation alone",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§7, Theorem 1",
    cases: None,
    run,
};

/// Certificates of each game, and nodes for each position.
struct Effort {
    certificates: usize,
    nodes: u64,
}

const QUICK: Effort = Effort { certificates: 10, nodes: 1000 };
const FULL: Effort = Effort { certificates: 1000, nodes: 3000 };

/// How many positions are tried at most for each certificate.
const MOST: usize = 50;

/// What became of the certificates of one game.
#[derive(Default)]
struct Tally {
    tried: usize,
    made: usize,
    hold: usize,
    tampered: usize,
    refused: usize,
    /// Of the faults that are in one position of a plan: all, and those for which just that position was named.
    placed: usize,
    named: usize,
    positions: usize,
    bytes: usize,
}

impl Tally {
    /// A certificate is checked as its text says it, and once more after each tampering.
    fn take<G: Game>(&mut self, position: &G, certified: &Certified, referee: &mut impl Referee<G>) {
        let text = certified.certificate.to_string();
        let Ok(honest) = text.parse() else { return };
        self.made += 1;
        self.bytes += text.len();
        self.hold += usize::from(check(position, &honest, referee).is_ok());
        let plans = honest.at_least.iter().chain(&honest.at_most);
        self.positions += plans.map(|plan| plan.root.count()).sum::<usize>();
        for (tampering, at_least) in Tampering::ALL.iter().flat_map(|it| [(it, true), (it, false)]) {
            let mut certificate = honest.clone();
            let Some(line) = tampering.apply(&mut certificate, at_least) else { continue };
            if certificate == honest {
                continue;
            }
            self.tampered += 1;
            let fault = check(position, &certificate, referee).err();
            self.refused += usize::from(fault.is_some());
            if tampering.is_in_a_step() {
                self.placed += 1;
                self.named +=
                    usize::from(fault.is_some_and(|fault| fault.line == line && fault.at_least == at_least));
            }
        }
    }
}

/// Positions some plies after built-in openings, moves picked by number.
pub(super) fn chess_positions() -> impl Iterator<Item = Position> {
    let openings = openings::builtin();
    (0..).map(move |number: usize| {
        let mut position = openings[number % openings.len()].position();
        for ply in 0..4 + number % 23 {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let Some(mv) = moves.get((number * 31 + ply * 17) % moves.len().max(1)) else { break };
            position.play(*mv);
        }
        position
    })
}

fn random_games() -> impl Iterator<Item = RandomGame> {
    (0..).map(|seed: u64| {
        let shape = if seed.is_multiple_of(2) { Shape::Tree } else { Shape::Cycles(7) };
        Rules { seed, shape, branching: 2 + (seed % 4) as u8, patience: 20, ..Rules::default() }.root()
    })
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    let asked = Depths::both(Depth::plies(3));
    let steps = 2 * effort.certificates;
    let go_on = |done: usize| -> Result<(), Interrupted> { context.step(done, steps) };
    let budget = Budget { nodes: Some(effort.nodes), ..Budget::default() };
    let (mut chess, mut random) = (Tally::default(), Tally::default());
    for position in chess_positions().filter(|it| !it.is_over()).take(MOST * effort.certificates) {
        go_on(chess.made)?;
        if chess.made == effort.certificates {
            break;
        }
        chess.tried += 1;
        let limits = budget.limits(&Still, context.stop);
        let table = Table::new(1).expect("a small table");
        let found = cassius_chess::certificate::certify(
            &position,
            asked,
            Abc::default(),
            table,
            &limits,
            &mut |_| {},
        );
        if let Some(found) = found {
            chess.take(&position, &found, &mut cassius_chess::certificate::Referee::new());
        }
    }
    for game in random_games().filter(|it| !it.is_over()).take(MOST * effort.certificates) {
        go_on(effort.certificates + random.made)?;
        if random.made == effort.certificates {
            break;
        }
        random.tried += 1;
        let limits = budget.limits(&Still, context.stop);
        let parts = (Statics, Table::new(1).expect("a small table"));
        let name = |game: &RandomGame, mv| game.code(mv).to_string();
        let mut judge = Judge::with_draws(name, is_repeated_or_drawn);
        let found = certify::<_, Repetition, Off, _>(
            &game,
            asked,
            Abc::default(),
            parts,
            &limits,
            &mut judge,
            &mut |_| {},
        );
        if let Some(found) = found {
            random.take(&game, &found, &mut judge);
        }
    }
    context.step(steps, steps)?;
    Ok(findings(effort, [("chess", &chess), ("random games", &random)]))
}

fn findings(effort: &Effort, tallies: [(&str, &Tally); 2]) -> Findings {
    let mut findings = Findings { conditions: vec!["game"], ..Findings::default() };
    for (game, tally) in tallies {
        let mut row = |quantity: &str, expected: Option<usize>, ours: usize| {
            findings.row(quantity, &[&game], expected.map(|it| it as f64), ours as f64, Tolerance::Exact);
        };
        row("positions", None, tally.tried);
        row("certificates", Some(effort.certificates), tally.made);
        row("that hold", Some(tally.made), tally.hold);
        row("tampered with", None, tally.tampered);
        row("refused", Some(tally.tampered), tally.refused);
        row("faults in one position", None, tally.placed);
        row("named", Some(tally.placed), tally.named);
        row("positions in plans", None, tally.positions);
        row("bytes", None, tally.bytes);
    }
    findings.notes = vec![format!(
        "Chess: positions up to 26 plies after built-in openings; random games: trees, and games in which positions come back. \
         {} nodes each, S as by default; the plans are those of the last iteration that was finished, and a position whose first was not has no certificate. Each certificate is written, read and \
         checked, and once more after each of {} kinds of tampering with each of its plans. *Named*: the checker names the very position \
         that was tampered with. What is expected stands where a paper's figure would.",
        effort.nodes,
        Tampering::ALL.len()
    )];
    findings
}
