//! Certificates of chess positions and of random games: created, checked, and tampered with.

use super::measure::Still;
use crate::Budget;
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance, Unfinished};
use cassius_chess::evaluation::Evaluation;
use cassius_chess::{Position, openings};
use cassius_games::random_game::{Rules, Shape};
use cassius_games::{Judge, RandomGame};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::plans::certificate::{
    Certificate, Certified, Problem, Referee, Tampering, certify, check, common_values,
    establishes_its_value, pasted,
};
use cassius_search::{Depth, Depths, Game, Keyed as _, Off, Score, Statics, Table};

/// Theorem 1 as certificates that a checker can refute.
pub static CERTIFICATES: Experiment = Experiment {
    id: "certificates",
    claim: "The searched tree contains a plan of each side for the value found; each plan is written to a \
            file and replayed using only the rules and the evaluation",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§7, Theorem 1",
    cases: None,
    uses: &[],
    run,
};

/// The number of certificates of each game, and the nodes for each position.
struct Effort {
    certificates: usize,
    nodes: u64,
    /// How often plans of different searches are combined: in chess, where it takes long, and in random
    /// games.
    pastings: [usize; 2],
}

const QUICK: Effort = Effort { certificates: 10, nodes: 1000, pastings: [100, 300] };
const FULL: Effort = Effort { certificates: 1000, nodes: 3000, pastings: [1000, 9000] };

/// The maximum number of positions tried for each certificate.
const MOST: usize = 50;

/// The results for the certificates of one game.
#[derive(Default)]
struct Tally {
    tried: usize,
    made: usize,
    hold: usize,
    tampered: usize,
    refused: usize,
    /// Among the faults in a single position of a plan: all of them, and those for which the checker
    /// named exactly that position.
    placed: usize,
    named: usize,
    positions: usize,
    bytes: usize,
    pasted: Pasted,
}

/// The results for combined plans of different searches of one position, claimed as one value.
#[derive(Default)]
struct Pasted {
    made: usize,
    /// Combinations that nevertheless establish the value, by the definition.
    true_values: usize,
    /// Combinations that are accepted as a value, and the number of these that do not establish it.
    accepted: usize,
    wrongly: usize,
    /// Combinations that are reported as two bounds.
    bounds: usize,
}

impl Pasted {
    /// Combines each plan of one search with that of another, for a few values that both establish.
    fn take<G: Game>(
        &mut self,
        position: &G,
        searches: &[Certificate],
        referee: &mut impl Referee<G>,
        most: usize,
    ) {
        let pairs = searches.iter().flat_map(|first| searches.iter().map(move |second| (first, second)));
        for (first, second) in pairs.filter(|(first, second)| first != second) {
            let Some((lower, upper)) = common_values(first, second) else { continue };
            let mut values = vec![lower, Score((lower.0 + upper.0) / 2), upper];
            values.dedup();
            for value in values {
                if self.made == most {
                    return;
                }
                let Some(certificate) = pasted(position, (first, second), value, referee) else { continue };
                self.made += 1;
                let truly = establishes_its_value(&certificate);
                self.true_values += usize::from(truly);
                match check(position, &certificate, referee) {
                    Ok(established) => {
                        self.accepted += usize::from(established.common.is_some());
                        self.wrongly += usize::from(!truly);
                    }
                    Err(fault) => self.bounds += usize::from(fault.problem == Problem::TwoBounds),
                }
            }
        }
    }
}

impl Tally {
    /// Checks a certificate as read from its text, and again after each tampering.
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

/// Returns positions some plies after built-in openings. The moves are chosen by the position's number.
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
    let [in_chess, in_games] = effort.pastings;
    let steps = 2 * effort.certificates + in_chess + in_games;
    let go_on = |done: usize| -> Result<(), Interrupted> { context.step(done, steps) };
    let budget = Budget { nodes: Some(effort.nodes), ..Budget::default() };
    let (mut chess, mut random) = (Tally::default(), Tally::default());
    // The searches of one position differ in S, by γ in hundredths.
    let kinds = [100, 500, 2_000, 10_000].map(|gamma| {
        let mut abc = Abc::default();
        abc.gamma = gamma;
        abc
    });
    let searched = |position: &Position, abc: &Abc| {
        let (limits, table) = (budget.limits(&Still, context.stop), Table::new(1).expect("a small table"));
        cassius_chess::certificate::certify(
            position,
            asked,
            abc.clone(),
            &Evaluation::default(),
            table,
            &limits,
            &mut |_| {},
        )
    };
    for position in chess_positions().filter(|it| !it.is_over()).take(MOST * in_chess) {
        go_on(chess.pasted.made)?;
        if chess.pasted.made == in_chess {
            break;
        }
        let found = kinds.iter().filter_map(|abc| searched(&position, abc));
        let certificates: Vec<_> = found.map(|found| found.certificate).collect();
        let referee = &mut cassius_chess::certificate::Referee::new();
        chess.pasted.take(&position, &certificates, referee, in_chess);
    }
    for position in chess_positions().filter(|it| !it.is_over()).take(MOST * effort.certificates) {
        go_on(in_chess + chess.made)?;
        if chess.made == effort.certificates {
            break;
        }
        chess.tried += 1;
        if let Some(found) = searched(&position, &Abc::default()) {
            chess.take(&position, &found, &mut cassius_chess::certificate::Referee::new());
        }
    }
    let name = |game: &RandomGame, mv| game.code(mv).to_string();
    let mut judge = Judge::with_draws(name);
    let searched = |game: &RandomGame, abc: &Abc, judge: &mut Judge<_, _>| {
        let (limits, parts) =
            (budget.limits(&Still, context.stop), (Statics, Table::new(1).expect("a small table")));
        certify::<_, Repetition, Off, _>(game, asked, abc.clone(), parts, &limits, judge, &mut |_| {})
    };
    for game in random_games().filter(|it| !it.is_over()).take(MOST * in_games) {
        go_on(in_chess + effort.certificates + random.pasted.made)?;
        if random.pasted.made == in_games {
            break;
        }
        let found = kinds.iter().filter_map(|abc| searched(&game, abc, &mut judge));
        let certificates: Vec<_> = found.map(|found| found.certificate).collect();
        random.pasted.take(&game, &certificates, &mut judge, in_games);
    }
    for game in random_games().filter(|it| !it.is_over()).take(MOST * effort.certificates) {
        go_on(in_chess + in_games + effort.certificates + random.made)?;
        if random.made == effort.certificates {
            break;
        }
        random.tried += 1;
        if let Some(found) = searched(&game, &Abc::default(), &mut judge) {
            random.take(&game, &found, &mut judge);
        }
    }
    context.step(steps, steps)?;
    Ok(findings(effort, [("chess", &chess), ("random games", &random)]))
}

fn findings(effort: &Effort, tallies: [(&str, &Tally); 2]) -> Findings {
    let mut findings = Findings { conditions: vec!["game"], ..Findings::default() };
    for ((game, tally), pastings) in tallies.into_iter().zip(effort.pastings) {
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
        let pasted = &tally.pasted;
        row("pasted", Some(pastings), pasted.made);
        row("pasted that establish the value by definition", None, pasted.true_values);
        row("accepted as a value", Some(pasted.true_values), pasted.accepted);
        row("accepted and not a value", Some(0), pasted.wrongly);
        row("said to be two bounds", Some(pasted.made - pasted.true_values), pasted.bounds);
    }
    findings.notes = vec![format!(
        "Chess: positions up to 26 plies after built-in openings; random games: trees, and games in which \
         positions come back. {} nodes each, S as by default; the plans are those of the last iteration that \
         was finished, and a position whose first was not has no certificate. Each certificate is written, \
         read and checked, and once more after each of {} kinds of tampering with each of its plans. \
         *Named*: the checker names the very position that was tampered with. *Pasted*: the plan for at \
         least of one search, the plan for at most of another of the same position, with the options and \
         depths that they have for one of the values that both hold; the definition of §7 is looked up line \
         by line. What is expected stands where a paper's figure would.",
        effort.nodes,
        Tampering::ALL.len()
    )];
    findings
}
