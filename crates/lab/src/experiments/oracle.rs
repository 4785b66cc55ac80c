//! What two depths are worth if counting options costs nothing.

use super::measure::{MIB, Next, Subject, batches_of_games};
use crate::Budget;
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::plot::Bars;
use crate::statistics::{Estimate, Pentanomial, elo_of_score};
use std::fmt::Display;

/// Two depths with options counted by searches that are not paid for, against one depth.
pub static ORACLE: Experiment = Experiment {
    id: "oracle",
    claim: "The depth of a plan, which grows more slowly where the plan has few options, is a better depth \
            to search to than one in plies, if options are counted well: at no cost, by searches",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§6, and §11, Empirical Results, which is empty",
    cases: Some(|| PACES.iter().map(|pace| pace.name).collect()),
    uses: &[Input::Kept],
    run,
};

/// One depth, and otherwise the same components.
const REFERENCE: &str = "lab";

/// What S is, with the settings of the program. Where so many options are found, S is 1 whatever the others
/// are.
const SAFETIES: [(&str, &str); 2] = [
    ("½, 1", "Abc.floor=50,Abc.branching=1,Abc.gamma=100,FreeSearches.enough=2"),
    ("½, ½, ½, ¾, 1", "Abc.floor=50,Abc.branching=4,Abc.gamma=100,FreeSearches.enough=5"),
];

/// How much less than the value an option may be worth.
const MARGINS: [i32; 3] = [25, 50, 100];

/// What is compared with what.
struct Form {
    name: &'static str,
    /// Settings of the player besides S, and of the opponent.
    settings: &'static str,
    opponent: Opponent,
    safeties: &'static [(&'static str, &'static str)],
    margins: &'static [i32],
}

enum Opponent {
    /// [`REFERENCE`] with these settings.
    OneDepth(&'static str),
    /// The player itself with these settings.
    Itself(&'static str),
}

/// One depth, with S at the same nodes.
const SAME_S: Opponent = Opponent::Itself(",Abc.cut_only=0,Abc.one_depth=1");
/// The same with S of ¾, so that both plans together get no more than the one plan.
const SHARED_S: Opponent = Opponent::Itself(",Abc.cut_only=0,Abc.one_depth=1,Abc.floor=75");

/// Settings that follow those of [`FAR`].
macro_rules! far {
    ($more:literal) => {
        concat!(",+LegalMoves,LegalMoves.quiet=1", $more)
    };
}
/// Settings that follow those of [`FAR_DEEPER`].
macro_rules! deeper {
    ($more:literal) => {
        concat!(far!(",FreeSearches.reduction=0"), $more)
    };
}
/// Settings that follow those of [`FAR_DEEPER_CUT_ONLY`].
macro_rules! cut_only {
    ($more:literal) => {
        concat!(deeper!(",Abc.cut_only=1,FreeSearches.cut_only=1"), $more)
    };
}

/// All moves count as options where the searches do not count them.
const FAR: &str = far!("");
/// [`FAR`], with c = 0.
const FAR_UNCOUPLED: &str = far!(",Abc.coupling=0");
/// [`FAR`], and S is 1 where a fail low is expected.
const FAR_CUT: &str = far!(",Abc.cut_only=1");
/// [`FAR`], with searches of the moves to one ply less than the node owes.
const FAR_DEEPER: &str = deeper!("");
/// [`FAR_DEEPER`], and S is 1 where a fail low is expected.
const FAR_DEEPER_CUT: &str = deeper!(",Abc.cut_only=1");
/// [`FAR_DEEPER_CUT`], and where a fail low is expected nothing is counted.
const FAR_DEEPER_CUT_ONLY: &str = cut_only!("");
/// [`FAR_DEEPER`], on the principal variation only.
const FAR_DEEPER_OPEN: &str = deeper!(",FreeSearches.open=1");
/// [`FAR_DEEPER_OPEN`], with the value of the node and nothing of its moves.
const FAR_DEEPER_VALUE: &str = deeper!(",FreeSearches.open=1,FreeSearches.values=2");
/// [`FAR_DEEPER_CUT_ONLY`], with the values of the moves on the principal variation.
const FAR_DEEPER_CUT_EXACT: &str = cut_only!(",FreeSearches.values=1");
/// [`FAR_DEEPER_CUT_ONLY`], and S is 1 where a move holds; on the principal variation, for claims not above
/// the value of the node.
const FAR_DEEPER_CUT_NONE: &str = cut_only!(",FreeSearches.holding=2,FreeSearches.values=2");
/// [`FAR_DEEPER_CUT_ONLY`], and S is 1 unless exactly one move holds, on the principal variation too.
const FAR_DEEPER_CUT_ONE: &str = cut_only!(",FreeSearches.holding=1,FreeSearches.values=3");
/// [`FAR_DEEPER_CUT_ONLY`], off the principal variation.
const FAR_DEEPER_MINIMAL: &str = cut_only!(",FreeSearches.open=2");
/// [`FAR_DEEPER`], with one depth and S = 1 where a fail low is expected.
const FAR_DEEPER_SINGLE: &str = deeper!(",Abc.cut_only=0,Abc.one_depth=1");
/// [`FAR_DEEPER_SINGLE`], and where a fail low is expected nothing is counted.
const FAR_DEEPER_SINGLE_ONLY: &str = deeper!(",FreeSearches.cut_only=1,Abc.one_depth=1");
/// [`FAR_DEEPER_CUT`], with S = 1 at nodes that owe less than four plies.
const FARTHER_DEEPER_CUT: &str = deeper!(",Abc.cut_only=1,FreeSearches.farness=400");
/// [`FAR_DEEPER_CUT`], with searches that are a ply shorter.
const FAR_DEEP_CUT: &str = far!(",FreeSearches.reduction=100,Abc.cut_only=1");
/// [`FAR_DEEPER`], and S is 1 unless exactly one move holds.
const FAR_DEEPER_ONE: &str = deeper!(",FreeSearches.holding=1");
/// [`FAR_DEEPER`], and S is 1 if any move holds.
const FAR_DEEPER_NONE: &str = deeper!(",FreeSearches.holding=2");
/// [`FAR`], and nothing is selective.
const FAR_BARE: &str = ",+LegalMoves,LegalMoves.quiet=1,-CorrectionHistory,-InternalReduction,\
                        -ReverseFutility,-Razoring,-NullMove,-LateMovePruning,-Futility,-ExchangePruning,\
                        -Singular,-LateMoveReduction";
const BARE: &str = ",-CorrectionHistory,-InternalReduction,-ReverseFutility,-Razoring,-NullMove,\
                    -LateMovePruning,-Futility,-ExchangePruning,-Singular,-LateMoveReduction";

const EVERYWHERE: Form = Form {
    name: "static values near the leaves",
    settings: "",
    opponent: Opponent::OneDepth(""),
    safeties: &SAFETIES,
    margins: &MARGINS,
};
const ONLY_FAR: Form = Form {
    name: "S = 1 near the leaves",
    settings: FAR,
    opponent: Opponent::OneDepth(""),
    safeties: SAFETIES.split_at(1).0,
    margins: &MARGINS,
};
/// The other S, which has steps.
const GRADED: Form = Form { safeties: SAFETIES.split_at(1).1, margins: &[50], ..ONLY_FAR };
/// Each move is searched two plies deeper: to one ply less than the node owes.
const DEEPER: Form =
    Form { name: "S = 1 near the leaves, deeper searches", settings: FAR_DEEPER, margins: &[50], ..ONLY_FAR };
/// S = 1 where a fail low is expected.
const DEEPER_CUT: Form = Form {
    name: "S = 1 near the leaves and where a fail low is expected, deeper searches",
    settings: FAR_DEEPER_CUT,
    ..DEEPER
};
/// [`DEEPER_CUT`], and where a fail low is expected nothing is counted, which takes less time.
const DEEPER_CUT_ONLY: Form = Form { settings: FAR_DEEPER_CUT_ONLY, ..DEEPER_CUT };
/// The same, and on the principal variation options are counted for every claim above the value less δ.
const DEEPER_CUT_EXACT: Form = Form {
    name: "S = 1 near the leaves and where a fail low is expected, deeper searches, values of moves",
    settings: FAR_DEEPER_CUT_EXACT,
    ..DEEPER
};
/// Whether the gain comes from knowing that no move holds, or that the value is less than is claimed.
const DEEPER_CUT_NONE: Form = Form {
    name: "S = 1 near the leaves, where a fail low is expected and where a move holds, deeper searches",
    settings: FAR_DEEPER_CUT_NONE,
    ..DEEPER
};
/// Whether it comes from knowing that exactly one does.
const DEEPER_CUT_ONE: Form = Form {
    name: "S = 1 near the leaves, where a fail low is expected and unless one move holds, deeper searches",
    settings: FAR_DEEPER_CUT_ONE,
    ..DEEPER
};
/// [`DEEPER_CUT`], for its owner's plan against both.
const DEEPER_SAME: Form = Form {
    name: "S = 1 near the leaves, deeper searches, against one depth with the same S",
    opponent: SAME_S,
    ..DEEPER_CUT
};
/// [`DEEPER_SAME`], and where a fail low is expected nothing is counted, which takes less time.
const DEEPER_SAME_ONLY: Form = Form { settings: FAR_DEEPER_CUT_ONLY, ..DEEPER_SAME };
/// [`DEEPER_CUT`], for its owner's plan against half as much for each.
const DEEPER_SHARED: Form = Form {
    name: "S = 1 near the leaves, deeper searches, against one depth that shares S",
    opponent: SHARED_S,
    ..DEEPER_CUT
};
/// What one depth gains by it.
const DEEPER_SINGLE: Form = Form {
    name: "one depth, S = 1 near the leaves and where a fail low is expected, deeper searches",
    settings: FAR_DEEPER_SINGLE,
    ..DEEPER
};
/// [`DEEPER_SINGLE`], and where a fail low is expected nothing is counted, which takes less time.
const DEEPER_SINGLE_ONLY: Form = Form { settings: FAR_DEEPER_SINGLE_ONLY, ..DEEPER_SINGLE };
/// Whether the gain comes from nodes that owe two or three plies.
const DEEPER_FARTHER: Form = Form {
    name: "S = 1 at less than four plies and where a fail low is expected, deeper searches",
    settings: FARTHER_DEEPER_CUT,
    ..DEEPER
};
/// Each move is searched a ply deeper than in [`ONLY_FAR`].
const DEEP_CUT: Form = Form {
    name: "S = 1 near the leaves and where a fail low is expected, searches a ply deeper",
    settings: FAR_DEEP_CUT,
    ..DEEPER
};
/// Whether the gain comes from only moves.
const DEEPER_ONE: Form = Form {
    name: "S = 1 near the leaves and where no move holds, deeper searches",
    settings: FAR_DEEPER_ONE,
    ..DEEPER
};
/// Whether it comes from nodes at which no move holds.
const DEEPER_NONE: Form = Form {
    name: "S = 1 near the leaves and where a move holds, deeper searches",
    settings: FAR_DEEPER_NONE,
    ..DEEPER
};
/// How much of the gain comes from the principal variation, where two depths can do what one cannot.
const DEEPER_OPEN: Form = Form {
    name: "S = 1 near the leaves and off the principal variation, deeper searches",
    settings: FAR_DEEPER_OPEN,
    ..DEEPER
};
/// [`DEEPER_OPEN`] without a count: how much comes from knowing the value.
const DEEPER_VALUE: Form = Form {
    name: "S = ½ on the principal variation for claims above the value of the node, deeper searches",
    settings: FAR_DEEPER_VALUE,
    ..DEEPER
};
/// How much of it comes from elsewhere.
const DEEPER_MINIMAL: Form = Form {
    name: "S = 1 near the leaves and unless a fail high is expected, deeper searches",
    settings: FAR_DEEPER_MINIMAL,
    ..DEEPER
};
/// Both play the search of 1993.
const UNSELECTIVE: Form = Form {
    name: "S = 1 near the leaves, nothing selective",
    settings: FAR_BARE,
    opponent: Opponent::OneDepth(BARE),
    safeties: SAFETIES.split_at(1).0,
    margins: &MARGINS,
};
/// S where no fail low is expected, for its owner's plan against both.
const SAME: Form = Form {
    name: "S = 1 near the leaves, against one depth with the same S",
    settings: FAR_CUT,
    opponent: SAME_S,
    margins: &[50],
    ..ONLY_FAR
};
/// A move adds to its owner's plan only.
const UNCOUPLED: Form =
    Form { name: "S = 1 near the leaves, c = 0", settings: FAR_UNCOUPLED, margins: &[50], ..ONLY_FAR };

/// Games at a number of nodes for each move.
struct Pace {
    name: &'static str,
    nodes: u64,
    pairs: u64,
    /// The pairs that are kept together.
    batch: u64,
    form: &'static Form,
}

const PACES: [Pace; 26] = [
    Pace { name: "5k", nodes: 5_000, pairs: 500, batch: 50, form: &EVERYWHERE },
    Pace { name: "5k-far", nodes: 5_000, pairs: 500, batch: 50, form: &ONLY_FAR },
    Pace { name: "5k-graded", nodes: 5_000, pairs: 500, batch: 50, form: &GRADED },
    Pace { name: "5k-deeper", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER },
    Pace { name: "5k-deeper-cut", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER_CUT },
    Pace { name: "5k-deeper-same", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER_SAME },
    Pace { name: "5k-deeper-shared", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER_SHARED },
    Pace { name: "5k-deeper-single", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER_SINGLE },
    Pace { name: "5k-deeper-far", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER_FARTHER },
    Pace { name: "5k-deep-cut", nodes: 5_000, pairs: 200, batch: 10, form: &DEEP_CUT },
    Pace { name: "5k-deeper-one", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER_ONE },
    Pace { name: "5k-deeper-none", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER_NONE },
    Pace { name: "5k-deeper-open", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER_OPEN },
    Pace { name: "5k-deeper-minimal", nodes: 5_000, pairs: 200, batch: 10, form: &DEEPER_MINIMAL },
    Pace { name: "5k-bare", nodes: 5_000, pairs: 500, batch: 50, form: &UNSELECTIVE },
    Pace { name: "5k-same", nodes: 5_000, pairs: 500, batch: 50, form: &SAME },
    Pace { name: "5k-uncoupled", nodes: 5_000, pairs: 200, batch: 10, form: &UNCOUPLED },
    Pace { name: "50k-deeper-cut", nodes: 50_000, pairs: 100, batch: 10, form: &DEEPER_CUT_ONLY },
    Pace { name: "50k-deeper-same", nodes: 50_000, pairs: 20, batch: 5, form: &DEEPER_SAME_ONLY },
    Pace { name: "50k-deeper-single", nodes: 50_000, pairs: 20, batch: 5, form: &DEEPER_SINGLE_ONLY },
    Pace { name: "50k-deeper-exact", nodes: 50_000, pairs: 20, batch: 5, form: &DEEPER_CUT_EXACT },
    Pace { name: "50k-deeper-one", nodes: 50_000, pairs: 20, batch: 5, form: &DEEPER_CUT_ONE },
    Pace { name: "50k-deeper-none", nodes: 50_000, pairs: 20, batch: 5, form: &DEEPER_CUT_NONE },
    Pace { name: "50k-deeper-open", nodes: 50_000, pairs: 20, batch: 5, form: &DEEPER_OPEN },
    Pace { name: "50k-deeper-open-value", nodes: 50_000, pairs: 20, batch: 5, form: &DEEPER_VALUE },
    Pace { name: "50k-far", nodes: 50_000, pairs: 200, batch: 10, form: &ONLY_FAR },
];
const QUICK: [Pace; 7] = [
    Pace { name: "5k", nodes: 200, pairs: 1, batch: 1, form: &EVERYWHERE },
    Pace { name: "5k-far", nodes: 200, pairs: 1, batch: 1, form: &ONLY_FAR },
    Pace { name: "5k-deeper", nodes: 200, pairs: 1, batch: 1, form: &DEEPER },
    Pace { name: "5k-bare", nodes: 200, pairs: 1, batch: 1, form: &UNSELECTIVE },
    Pace { name: "5k-same", nodes: 200, pairs: 1, batch: 1, form: &SAME },
    Pace { name: "5k-uncoupled", nodes: 200, pairs: 1, batch: 1, form: &UNCOUPLED },
    Pace { name: "5k-deeper-open", nodes: 200, pairs: 1, batch: 1, form: &DEEPER_OPEN },
];

/// How many times the nodes of a move the searches that count the options of one node may take.
const MOST: u64 = 10;

struct Case {
    safety: &'static str,
    margin: i32,
    pace: &'static Pace,
    /// The games, as they are kept.
    batches: Vec<Pentanomial>,
}

impl Case {
    fn games(&self) -> Pentanomial {
        let mut sum = Pentanomial::default();
        self.batches.iter().for_each(|batch| sum.add_all(*batch));
        sum
    }
}

/// Returns the difference in Elo of several cells together. They have the same openings and the same
/// opponent, so that the games of one batch are kept together.
fn together(cells: &[Case]) -> Estimate {
    let of = |case: &'_ Case| {
        let batches = case.batches.clone().into_iter().enumerate();
        batches
            .flat_map(|(number, batch)| batch.shares().map(move |share| (number, share)).collect::<Vec<_>>())
    };
    Estimate::of_mean(cells.iter().flat_map(of)).map(|score| elo_of_score(score.clamp(0.0, 1.0)))
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let paces: &[Pace] = if context.quick { &QUICK } else { &PACES };
    let subject = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    let cells = |pace: &'static Pace| {
        let safeties = pace.form.safeties.iter();
        safeties.flat_map(move |safety| pace.form.margins.iter().map(move |margin| (pace, safety, *margin)))
    };
    let cells: Vec<_> = paces.iter().filter(|pace| context.wants(pace.name)).flat_map(cells).collect();
    let mut cases = Vec::new();
    for (done, &(pace, (safety, settings), margin)) in cells.iter().enumerate() {
        context.step(done, cells.len())?;
        let Form { settings: besides, opponent, .. } = pace.form;
        let most = (MOST * pace.nodes).div_ceil(1000);
        let player = format!("lab-oracle,{settings},Abc.delta={margin},FreeSearches.most={most}{besides}");
        let opponent = match opponent {
            Opponent::OneDepth(settings) => format!("{REFERENCE}{settings}"),
            Opponent::Itself(settings) => format!("{player}{settings}"),
        };
        let subjects = [&subject(&player)?, &subject(&opponent)?];
        let budget = Budget { nodes: Some(pace.nodes), ..Budget::default() };
        let mut batches = Vec::new();
        batches_of_games(context, subjects, budget, pace.batch, pace.pairs, &mut |batch| {
            batches.push(batch);
            Next::Play
        })?;
        cases.push(Case { safety, margin, pace, batches });
    }
    context.step(cells.len(), cells.len())?;
    Ok(findings(cases))
}

fn findings(mut cases: Vec<Case>) -> Findings {
    let conditions = vec!["form", "S of 0, 1, … options", "δ", "nodes a move"];
    let mut findings = Findings { conditions, ..Findings::default() };
    cases.retain(|case| !case.batches.is_empty());
    let mut told = |case: &Case, margin: &dyn Display, games: u64, elo: Estimate| {
        let mut row = |quantity: &str, value: f64| {
            let conditions: [&dyn Display; 4] =
                [&case.pace.form.name, &case.safety, margin, &case.pace.nodes];
            findings.row(quantity, &conditions, None, value, Tolerance::Any);
        };
        row("games", games as f64);
        row("Elo", elo.value);
        if elo.error().is_finite() {
            row("±", elo.error());
        }
    };
    let pairs = |cells: &[Case]| cells.iter().map(|case| case.games().pairs()).sum::<u64>();
    for case in &cases {
        told(case, &case.margin, 2 * case.games().pairs(), case.games().elo());
    }
    // All δ together say more than each of them.
    let same = |one: &Case, other: &Case| (one.pace.name, one.safety) == (other.pace.name, other.safety);
    for cells in cases.chunk_by(same).filter(|cells| cells.len() > 1) {
        told(&cells[0], &"all", 2 * pairs(cells), together(cells));
    }
    let bar = |case: &Case| {
        let Pace { name, .. } = case.pace;
        (format!("{name}: S {}, δ {}", case.safety, case.margin), case.games().elo())
    };
    findings.plot(Bars {
        name: "elo".into(),
        title: "Two depths whose options are counted for nothing".into(),
        x: "Elo, 95 % interval".into(),
        from: 0.0,
        bars: cases.iter().map(bar).collect(),
    });
    findings.notes = vec![format!(
        "`lab-oracle` against `{REFERENCE}`: the same selective components, singular extensions among them, \
         and with S = 1 the same tree, node for node. A move is also a ply of the other side's plan \
         (c = 1). Where a node owes two plies or more, each of its moves is searched by the playing recipe \
         to three plies less than the node owes, with a table and histories of its own, and is an option if \
         it is worth more than the value to be held less δ. On the principal variation a search of the node \
         itself, a ply deeper than those of its moves, says what that value is; there a claim above it has \
         no option, a claim below it has all moves for options, and only for that value itself does the \
         number of moves that hold count. These searches cost neither nodes nor time, but end after {MOST} \
         times the nodes of a move, and then every move not yet searched is an option. Elsewhere *static \
         values* of the moves are counted, in the six cells that were named first; this is not the truth, \
         and where it was measured alone it lost. In the other forms every legal move is an option there, \
         so that S is 1. *nothing selective*: both play the search of 1993, without reductions, pruning, \
         corrections of values or singular extensions. *deeper searches*: to one ply less than the node \
         owes; *a ply deeper*: to two plies less. *where no move holds*, *where a move holds*: S is 1 there \
         too, but on the principal variation, where two moves or more hold, only for claims of the value \
         itself or less. *unless one move holds*: S is 1 unless exactly one move holds, on the principal \
         variation too. *values of moves*: on the principal variation their values are found, and options \
         counted for every claim. *for claims above the value of the node*: S is 1 everywhere else; nothing \
         is counted. *where a fail low is expected*: S is 1 at nodes with a minimal window that are expected \
         to fail low; at 50,000 nodes nothing is counted there, which takes less time. *off the principal \
         variation*: S is 1 where the window is minimal. *unless a fail high is expected*: S is less than 1 \
         only where the window is minimal and a fail high is expected. *one depth with the same S*: both \
         have S at the same nodes, and 1 where a fail low is expected; for one of them it counts for both \
         plans. *one depth that shares S*: where two depths have S of ½ for the plan of the side to move, \
         it has S of ¾ for both. *c = 0*: a move adds to its owner's plan only. *Elo*: half of the 95 % \
         interval beside it; *all*: the games with every δ together. They have the same openings, and the \
         interval keeps those of one batch together. Built-in openings, seed 1, {MIB} MiB."
    )];
    findings
}
