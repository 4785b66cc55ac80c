//! Proves mates, certifies values, and checks certificates.

use crate::games::misread;
use crate::message::{Reached, read, write, wrong};
use crate::watch::Watch;
use cassius_chess::certificate;
use cassius_chess::evaluation::Evaluation;
use cassius_chess::mate::{Aim, Mate, MateSearch, Winner, no_mate_in};
use cassius_games::Judge;
use cassius_games::named::{self, CheckError, Named, UnknownGame, Visit};
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::plans::certificate::{
    Certificate, Certified, Checking, Established, Held, from_json, to_json,
};
use cassius_search::proof::{Answer, ProofTable};
use cassius_search::{Depth, Depths, Game as _, Keyed, MAX_PLY, Playable, Table};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedForMate {
    position: Reached,
    /// The greatest number of moves of the mate; shorter mates are tried first. `None`: a mate of any length.
    moves: Option<usize>,
    /// Whether the other side is to mate.
    mated: bool,
    nodes: Option<u64>,
    seconds: Option<f64>,
    /// The size of the table in MiB.
    hash: usize,
    /// The largest certificate to write, in positions; 0 for none.
    certificate: usize,
}

#[derive(Serialize)]
struct Proven {
    fen: String,
    /// Whether White is the side that is to mate.
    white: bool,
    mate_in: Option<usize>,
    shortest: bool,
    no_mate_in: Option<usize>,
    moves: Vec<String>,
    san: String,
    /// Positions of the strategy, all of them replayed.
    positions: usize,
    proof_number: Option<u32>,
    disproof_number: Option<u32>,
    certificate: Option<String>,
    nodes: u64,
}

/// Searches for a mate by proof numbers.
#[pyfunction]
pub fn prove_mate(py: Python<'_>, question: &str) -> PyResult<String> {
    let asked: AskedForMate = read(question)?;
    let (position, _) = asked.position.positions()?;
    let watch = Watch::new().within(asked.nodes, asked.seconds);
    let winner = if asked.mated { Winner::Other } else { Winner::Mover };
    let plies = winner.plies(asked.moves.unwrap_or(MAX_PLY / 2));
    let aim = if asked.moves.is_some() { Aim::Within(plies) } else { Aim::Shortest(plies) };
    let proven: PyResult<Proven> = py.detach(|| {
        let mut search = MateSearch::new(ProofTable::new(asked.hash).map_err(wrong)?, &watch);
        let mut mate: Option<Mate> = None;
        let answer = search.find(&position, aim, &mut |_, found| mate = Some(found));
        let written = mate.as_ref().filter(|mate| asked.certificate > 0 && mate.replayed.plies > 0);
        let written = written.and_then(|mate| mate.certificate(&position, asked.certificate).ok());
        let (proof, disproof) = match answer {
            Answer::Unknown { proof, disproof, .. } => (Some(proof), Some(disproof)),
            _ => (None, None),
        };
        let line = mate.as_ref().map_or(&[][..], |mate| &mate.replayed.line);
        let mut after = position.clone();
        let uci = |mv: &cassius_chess::Move| {
            let text = after.uci(*mv);
            after.play(*mv);
            text
        };
        Ok(Proven {
            fen: position.to_string(),
            white: winner.color(&position).is_white(),
            mate_in: mate.as_ref().map(|mate| Winner::moves(mate.replayed.plies)),
            shortest: matches!(answer, Answer::Proven { shortest: true, .. }),
            no_mate_in: no_mate_in(answer),
            moves: line.iter().map(uci).collect(),
            san: position.line_to_san(line),
            positions: mate.as_ref().map_or(0, |mate| mate.replayed.positions),
            proof_number: proof,
            disproof_number: disproof,
            certificate: written.map(|certificate| certificate.to_string()),
            nodes: search.nodes(),
        })
    });
    watch.result()?;
    Ok(write(&proven?))
}

#[derive(Deserialize)]
struct AskedToCertify {
    position: Reached,
    #[serde(flatten)]
    wanted: Wanted,
}

/// Which plans are wanted, and within what limits.
#[derive(Deserialize)]
struct Wanted {
    /// The depth of each side's plan, in own moves with ample options.
    depth: f64,
    nodes: Option<u64>,
    seconds: Option<f64>,
    /// The size of the table in MiB.
    hash: usize,
}

impl Wanted {
    fn watch(&self) -> Watch {
        Watch::new().within(self.nodes, self.seconds).keeping_half()
    }

    fn depths(&self) -> Depths {
        Depths::both(Depth::from_f64(self.depth))
    }
}

#[derive(Serialize)]
struct Written {
    text: String,
    complete: bool,
    nodes: u64,
    holds: Holds,
}

/// Searches for the plans that establish a value. The answer is `null` if there was no time for any.
#[pyfunction]
pub fn certify(py: Python<'_>, question: &str) -> PyResult<String> {
    let asked: AskedToCertify = read(question)?;
    let (position, _) = asked.position.positions()?;
    if position.is_over() {
        return Err(wrong(format_args!("the game is over in this position: {position}")));
    }
    let watch = asked.wanted.watch();
    let written: PyResult<Option<Written>> = py.detach(|| {
        let (table, evaluation) = (Table::new(asked.wanted.hash).map_err(wrong)?, Evaluation::default());
        let (depths, abc) = (asked.wanted.depths(), Abc::default());
        let found = certificate::certify(&position, depths, abc, &evaluation, table, &watch, &mut |_| {});
        found.map(|found| Written::new(found, |lean| certificate::check(lean).map_err(wrong))).transpose()
    });
    watch.result()?;
    Ok(write(&written?))
}

impl Written {
    /// Writes down what was found, after checking it.
    fn new(found: Certified, check: impl FnOnce(&Certificate) -> PyResult<Established>) -> PyResult<Written> {
        let lean = found.certificate.lean();
        let holds = Holds::of(&lean, &check(&lean)?);
        Ok(Written { text: lean.to_string(), complete: found.complete, nodes: found.nodes, holds })
    }
}

/// Certifies a position of a game of the library.
struct Certify<'a> {
    game: Named,
    text: &'a str,
    wanted: &'a Wanted,
    watch: &'a Watch,
}

impl Visit for Certify<'_> {
    type Output = PyResult<Option<Written>>;

    fn visit<G: Playable + Keyed + PartialEq, N: Fn(&G, G::Move) -> String>(
        self,
        position: &G,
        _: Option<String>,
        mut judge: Judge<G, N>,
    ) -> PyResult<Option<Written>> {
        let Certify { game, text, wanted, watch } = self;
        if position.is_over() {
            return Err(wrong(format_args!("the game is over in this position: {text}")));
        }
        let parts = (wanted.depths(), Abc::default(), Table::new(wanted.hash).map_err(wrong)?);
        let found = named::certify((game, text, position), parts, watch, &mut judge);
        let check = |lean: &Certificate| named::check(lean, &Checking::customary(lean)).map_err(refused);
        found.map(|found| Written::new(found, check)).transpose()
    }
}

/// Searches for the plans that establish a value of a game of the library, as [`certify`] does for chess.
#[pyfunction]
pub fn certify_game(py: Python<'_>, game: &str, position: &str, question: &str) -> PyResult<String> {
    let wanted: Wanted = read(question)?;
    let game: Named = game.parse().map_err(|error: UnknownGame| wrong(error))?;
    let watch = wanted.watch();
    let written = py.detach(|| {
        let certify = Certify { game, text: position, wanted: &wanted, watch: &watch };
        game.visit(position, certify).map_err(misread)?
    });
    watch.result()?;
    Ok(write(&written?))
}

/// Says why a certificate of a game of the library does not hold.
fn refused(error: CheckError) -> PyErr {
    match error {
        CheckError::Position(error) => misread(error),
        error => wrong(error),
    }
}

/// What a certificate establishes. Values are for the side to move.
#[derive(Serialize)]
struct Holds {
    game: String,
    position: String,
    value: i32,
    /// The line that both plans share, if they establish the value together.
    common: Option<Vec<String>>,
    at_least: Option<Plan>,
    at_most: Option<Plan>,
}

#[derive(Serialize)]
struct Plan {
    /// In own moves with all their options; `None` if every line has a certain end.
    depth: Option<f64>,
    weakest: Vec<String>,
    weakest_value: i32,
    leaves: usize,
    over: usize,
}

impl Plan {
    fn of(held: &Held) -> Plan {
        Plan {
            depth: (held.depth != Depth::CERTAIN).then(|| held.depth.to_f64()),
            weakest: held.weakest.iter().map(ToString::to_string).collect(),
            weakest_value: held.weakest_value.0,
            leaves: held.leaves,
            over: held.over,
        }
    }
}

impl Holds {
    fn of(certificate: &Certificate, established: &Established) -> Holds {
        let common = established.common.as_ref();
        Holds {
            game: certificate.game.clone(),
            position: certificate.position.clone(),
            value: certificate.value.0,
            common: common.map(|line| line.iter().map(ToString::to_string).collect()),
            at_least: established.at_least.as_ref().map(Plan::of),
            at_most: established.at_most.as_ref().map(Plan::of),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedToCheck {
    text: String,
    /// Whether two plans may be two bounds.
    bounds: bool,
    /// By how much the limit of the work is raised.
    work: u64,
}

/// Reads a certificate, which is text or JSON.
fn read_certificate(text: &str) -> PyResult<Certificate> {
    let read = if text.trim_start().starts_with('{') { from_json(text) } else { text.parse() };
    read.map_err(wrong)
}

/// Returns a certificate as JSON.
#[pyfunction]
pub fn certificate_json(py: Python<'_>, text: &str) -> PyResult<String> {
    py.detach(|| read_certificate(text).map(|certificate| to_json(&certificate)))
}

/// Replays a certificate with the rules and the evaluation alone.
#[pyfunction]
pub fn check(py: Python<'_>, question: &str) -> PyResult<String> {
    let asked: AskedToCheck = read(question)?;
    let holds: PyResult<Holds> = py.detach(|| {
        let found = read_certificate(&asked.text)?;
        let mut how = Checking::customary(&found);
        (how.work, how.bounds) = (how.work.saturating_mul(asked.work), asked.bounds);
        let established = match found.game.as_str() {
            certificate::GAME => certificate::check_as(&found, &how, None).map_err(wrong)?,
            _ => named::check(&found, &how).map_err(refused)?,
        };
        Ok(Holds::of(&found, &established))
    });
    Ok(write(&holds?))
}
