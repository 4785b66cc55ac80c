//! Tests whether searches end: positions in which one side is forced for ever, under every depth rule.

use super::depth_rules::{Longest, Watched, slots};
use super::full_width::Until;
use super::measure::MIB;
use crate::Player;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use cassius_chess::figures::{PERPETUAL, QUEENS};
use cassius_chess::recipes::{AnyLaboratory, Bare};
use cassius_chess::tablebase::Endgames;
use cassius_chess::{EngineError, Evaluator, Position};
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::{MAX_PLY, Recipe, Request, Setting, Table, search};

/// The effect of S(0) = 0, and of two remedies: a minimum price of every move, and a maximum length of
/// lines.
pub static ENDINGS: Experiment = Experiment {
    id: "endings",
    claim: "A forced move adds nothing to the depth of a plan (S(0) = 0), so in the published algorithm only \
            the rules of the game end a line on which one side is always forced; if every move has a minimum \
            cost, or lines have a maximum length, every search ends",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§6, S(0); the second half is this library's",
    cases: Some(|| RULES.iter().map(|rule| rule.name).collect()),
    uses: &[],
    run,
};

/// One side almost never has a choice: the pawn queens, and Black can only be checked.
const ONE_SIDED: &str = "8/Pk6/8/1p6/8/P1K5/8/6B1 w - - 37 130";
/// 1. Qh5+ Kg8 2. Qe8+ Kh7, and so on: every move of Black is the only one, and any other White move
///    lets Black mate on g2.
const ONLY_MOVES: &str = "4Q3/6pk/5p2/8/8/8/rq4PP/6K1 w - - 0 1";
/// White's king has no move. The rook checks for ever, because taking it is stalemate.
const STALEMATE: &str = "7k/R7/8/8/8/6pp/7p/7K w - - 0 1";
/// Black's king and rook are shut in, and he has only pawn moves; White must not let them out.
const LOCKED: &str = "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1";
/// The side to move loses its pawn.
const TREBUCHET: &str = "8/8/8/3pK3/2kP4/8/8/8 w - - 0 1";

const POSITIONS: [(&str, &str); 7] = [
    ("one-sided", ONE_SIDED),
    ("perpetual", PERPETUAL),
    ("queens", QUEENS),
    ("only-moves", ONLY_MOVES),
    ("stalemate", STALEMATE),
    ("locked", LOCKED),
    ("trébuchet", TREBUCHET),
];

/// A depth rule, as a player.
struct Rule {
    name: &'static str,
    player: &'static str,
    /// Whether its searches are expected to end.
    ends: bool,
    search: Searching,
}

type Searching = fn(&Context<'_>, &Effort, &Player) -> Result<Vec<Ending>, Unfinished>;

const fn rule(name: &'static str, player: &'static str, search: Searching) -> Rule {
    Rule { name, player, ends: true, search }
}

/// Returns the rule of a player with [`Abc`]. These players change one setting at a time.
const fn abc(name: &'static str, player: &'static str) -> Rule {
    rule(name, player, searched::<AnyLaboratory>)
}

const RULES: [Rule; 35] = [
    rule("plies", "lab", searched::<AnyLaboratory>),
    rule("check-replies", "lab,+CheckReplies", searched::<AnyLaboratory>),
    rule("uncounted-checks", "lab,+UncountedChecks", searched::<AnyLaboratory>),
    rule("fractional", "lab,+Interest", searched::<AnyLaboratory>),
    rule("extend-horizon", "lab,+ExtendHorizon", searched::<AnyLaboratory>),
    rule("complicated", "lab,+Complicated", searched::<AnyLaboratory>),
    rule("sex", "sex", searched::<AnyLaboratory>),
    rule("dual-credit", "dual-credit", searched::<AnyLaboratory>),
    rule("likelihood", "likelihood", searched::<AnyLaboratory>),
    rule("coupled", "lab-coupled", searched::<AnyLaboratory>),
    abc("abc", "lab-abc"),
    abc("abc-gamma-1", "lab-abc,Abc.gamma=100"),
    abc("abc-gamma-30", "lab-abc,Abc.gamma=3000"),
    abc("abc-floor-0.1", "lab-abc,Abc.floor=10"),
    abc("abc-floor-0.5", "lab-abc,Abc.floor=50"),
    abc("abc-floor-1", "lab-abc,Abc.floor=100"),
    abc("abc-delta-1", "lab-abc,Abc.delta=1"),
    abc("abc-delta-200", "lab-abc,Abc.delta=200"),
    abc("abc-branching-8", "lab-abc,Abc.branching=8"),
    abc("abc-branching-100", "lab-abc,Abc.branching=100"),
    abc("abc-coupled", "lab-abc,Abc.coupling=100"),
    abc("abc-printed-coupled", "lab-abc,Abc.floor=0,Abc.coupling=100"),
    abc("abc-sibling-quiescence", "lab-abc,+SiblingQuiescence"),
    abc("abc-static-estimator", "lab-abc,+StaticEstimator"),
    abc("abc-reduced-searches", "lab-abc,+ReducedSearches"),
    abc("abc-memory", "lab-abc,+RememberedOptions"),
    abc("abc-order", "lab-abc,+OrderedOptions"),
    abc("abc-static-margin", "lab-abc,+StaticMargin"),
    abc("abc-legal-moves", "lab-abc,+LegalMoves,LegalMoves.quiet=1"),
    abc("abc-failed-pass", "lab-abc,+FailedPass"),
    abc("abc-soft", "lab-abc,Abc.soft=1"),
    abc("abc-printed", "lab-abc,Abc.floor=0"),
    Rule { ends: false, ..abc("abc-printed-endless", "lab-abc,Abc.floor=0,Abc.longest=0") },
    rule("bare-abc", "abc", searched::<Bare<Abc>>),
    rule("bare-abc-printed", "abc,Abc.floor=0", searched::<Bare<Abc>>),
];

/// The last iteration, the node limit, and the size of the table.
struct Effort {
    iteration: usize,
    nodes: u64,
    mib: usize,
}

const QUICK: Effort = Effort { iteration: 1, nodes: 30_000, mib: 1 };
const FULL: Effort = Effort { iteration: 4, nodes: 50_000_000, mib: MIB };

/// The result of a search.
struct Ending {
    /// Whether it ended within its node limit.
    ended: bool,
    nodes: u64,
    longest: Longest,
    seconds: Option<f64>,
}

/// Searches all positions.
fn searched<R>(context: &Context<'_>, effort: &Effort, player: &Player) -> Result<Vec<Ending>, Unfinished>
where
    R: Recipe<
            Position,
            Setting: Setting<Position, Evaluate = Evaluator, Knowledge = Endgames>,
            Memory = Table,
        >,
{
    let table = Table::new(effort.mib).map_err(EngineError::from)?;
    // As in the recipes of these names.
    let table = if player.recipe == "abc" { table.strict() } else { table };
    let mut slots = slots::<Watched<R>>(player, &table);
    let mut endings = Vec::new();
    for (_, fen) in POSITIONS {
        let position: Position = fen.parse().expect("a position of this file's own");
        table.clear();
        slots.forget();
        slots.observe = Default::default();
        let limits = Until { nodes: effort.nodes, stop: context.stop };
        let start = context.clock.map(|clock| clock.now());
        let request = Request::new(&position, &limits).to_iteration(effort.iteration);
        let answer = search(&mut slots, &request, &mut |_| {});
        context.go_on()?;
        endings.push(Ending {
            ended: answer.complete,
            nodes: answer.nodes,
            longest: std::mem::take(&mut slots.observe).1,
            seconds: context.clock.zip(start).map(|(clock, start)| (clock.now() - start).as_secs_f64()),
        });
    }
    Ok(endings)
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    let mut findings = Findings { conditions: vec!["rule", "position"], ..Findings::default() };
    let rules: Vec<&Rule> = RULES.iter().filter(|rule| context.wants(rule.name)).collect();
    for (done, rule) in rules.iter().enumerate() {
        context.step(done, rules.len())?;
        let player = rule.player.parse().expect("a player of this file's own");
        let endings = (rule.search)(context, effort, &player)?;
        for ((position, _), Ending { ended, nodes, longest, seconds }) in POSITIONS.iter().zip(endings) {
            let number = |yes: bool| f64::from(u8::from(yes));
            let mut row = |quantity: &str, claimed: Option<f64>, ours| {
                let tolerance = if claimed.is_some() { Tolerance::Exact } else { Tolerance::Any };
                findings.row(quantity, &[&rule.name, position], claimed, ours, tolerance);
            };
            row("ends (1: yes)", rule.ends.then_some(1.0), number(ended));
            let endless = number(longest.plies >= MAX_PLY);
            row("a line goes to the greatest ply (1: yes)", rule.ends.then_some(0.0), endless);
            row("nodes", None, nodes as f64);
            row("longest line, plies", None, longest.plies as f64);
            if player.recipe.ends_with("abc") {
                row("values in lists on it", None, longest.moves as f64);
            }
            if let Some(seconds) = seconds {
                row("seconds", None, seconds);
            }
        }
    }
    context.step(rules.len(), rules.len())?;
    let positions = POSITIONS.map(|(name, fen)| format!("{name} is {fen}")).join(", ");
    let players = RULES.map(|rule| format!("{} is `{}`", rule.name, rule.player)).join(", ");
    findings.notes = vec![
        format!(
            "To the end of iteration {}, within {} nodes; {} MiB of table, one thread. \
             Positions, settings, iteration and limit are our choice; perpetual and queens \
             are those of `endless-checks`. Iteration and limit were chosen after a look at \
             the same positions: within 300,000 nodes few rules get to iteration 8; within a \
             million nodes `bare-abc` does not end where one side is forced, and within ten \
             million, with lines as long as they take, S at least 0.1 does not, nor S as printed.",
            effort.iteration, effort.nodes, effort.mib
        ),
        format!(
            "{positions}. {players}. But for abc-printed-coupled one setting of Abc \
             is changed at a time: γ is 5, b 30, the floor ¼, δ 50 and c 0 otherwise."
        ),
        "Judged is whether a search ends within the nodes, and that no line goes to the \
         greatest ply. Where every move has a least price f, a plan of d own moves needs no \
         more than d/f of them on a line, but for those that a singular extension makes free; \
         with c = 1 every move adds a move to the other side's plan too; and no line of `Abc` \
         is longer than 4 times the plies of the iteration (`Abc.longest`), which ends S as \
         printed, S(0) = 0 and c = 0. Only shown: the same with lines as long as they take."
            .into(),
        format!(
            "Lines are with the captures of quiescence at their end; the greatest ply is {MAX_PLY}. *Values \
             in lists*: moves of the positions on the longest line (the first of its length), each of which \
             keeps one static value of {} bytes until its parent is left; nothing else of a rule grows with \
             the line. Seconds are processor time, in the profile that was run.",
            size_of::<cassius_search::Score>()
        ),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_search::Game as _;
    use std::sync::atomic::AtomicBool;

    /// The positions are as described: the checked side has one move, again and again.
    #[test]
    fn only_moves_are_the_only_ones() {
        let mut position: Position = ONLY_MOVES.parse().unwrap();
        for (check, reply) in [("e8h5", "h7g8"), ("h5e8", "g8h7")].repeat(2) {
            position.play(position.parse_uci(check).unwrap());
            assert_eq!(position.legal_moves().len(), 1);
            position.play(position.parse_uci(reply).unwrap());
        }
        let start: Position = ONLY_MOVES.parse().unwrap();
        let mut mated = start.clone();
        for mv in ["h2h3", "b2g2"] {
            mated.play(mated.parse_uci(mv).unwrap());
        }
        assert!(mated.is_checkmate());
    }

    /// White has only rook moves, and taking the rook is stalemate.
    #[test]
    fn the_rook_cannot_be_taken() {
        let start: Position = STALEMATE.parse().unwrap();
        assert!(start.legal_moves().iter().all(|mv| start.uci(*mv).starts_with("a7")));
        let mut taken = start.clone();
        for mv in ["a7h7", "h8h7"] {
            taken.play(taken.parse_uci(mv).unwrap());
        }
        assert!(taken.is_stalemate());
    }

    /// In the trébuchet every move of either side gives up the pawn's square.
    #[test]
    fn whoever_moves_loses_the_pawn() {
        for turn in ["w", "b"] {
            let position: Position = TREBUCHET.replace(" w ", &format!(" {turn} ")).parse().unwrap();
            for mv in position.legal_moves() {
                let mut after = position.clone();
                after.play(mv);
                assert!(after.legal_moves().iter().any(|reply| {
                    let uci = after.uci(*reply);
                    uci.ends_with("d4") || uci.ends_with("d5")
                }));
            }
        }
    }

    /// A search with one counter ends at once. With S as printed it does not end where one side is
    /// forced, unless the length of lines is limited.
    #[test]
    fn what_ends_and_what_does_not() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        let effort = Effort { iteration: 3, nodes: 20_000, mib: 1 };
        let endings = |name: &str, and: &str| {
            let rule = RULES.iter().find(|rule| rule.name == name).unwrap();
            (rule.search)(&context, &effort, &format!("{}{and}", rule.player).parse().unwrap()).unwrap()
        };
        assert!(endings("plies", "").iter().all(|ending| ending.ended));
        let printed = endings("abc-printed", ",Abc.longest=0");
        assert!(!printed[0].ended && printed[0].nodes == effort.nodes && printed[0].longest.plies > 3);
        let limited = endings("abc-printed", "");
        assert!(limited[0].ended && limited[0].nodes < effort.nodes);
    }

    /// The search of the experiment is the search that plays: it has the same number of nodes.
    #[test]
    fn every_rule_is_its_player() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        for rule in &RULES {
            let player: Player = rule.player.parse().unwrap();
            let effort = Effort { iteration: 4, nodes: 5_000, mib: 1 };
            let endings = (rule.search)(&context, &effort, &player).unwrap();
            let mut engine = player.engine(effort.mib, 1).unwrap();
            for ((_, fen), ending) in POSITIONS.iter().zip(endings) {
                let position: Position = fen.parse().unwrap();
                engine.forget();
                let limits = Until { nodes: effort.nodes, stop: &stop };
                let request = Request::new(&position, &limits).to_iteration(effort.iteration);
                assert_eq!(engine.search(&request, &mut |_| {}).nodes, ending.nodes, "{} {fen}", rule.name);
            }
        }
    }
}
