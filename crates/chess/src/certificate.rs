//! Certificates of chess positions.
//!
//! *Reference:* McAllester & Yuret 1993, §8: static values are those of the stand-pat or capture game,
//! without captures that lose an exchange, over the evaluation of this crate. See
//! [`cassius_search::plans::certificate`].

use crate::evaluation::Evaluation;
use crate::{Evaluator, Move, Position};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::alpha_beta::order::{
    ChecksFirst, Continuation, Countermove, History, Killers, NoisyFirst,
};
use cassius_search::alpha_beta::quiescence::StandPatOrCapture;
use cassius_search::game::Repeats as _;
use cassius_search::plans::certificate::{
    self, Certificate, Certified, Checking, Claim, Deepest, Established, Fault, Work, WorkLimit,
    is_repeated_or_drawn, quiescence_value,
};
use cassius_search::{Depths, Limits, Report, Score, Table, Window};
use std::sync::LazyLock;
use thiserror::Error;

/// The name of the game in chess certificates.
pub const GAME: &str = "chess";

type Order = (NoisyFirst, ChecksFirst, Killers, Countermove, History, Continuation);

/// Returns the description of the static values: the stand-pat or capture game, without captures that
/// lose an exchange, over the evaluation, which is identified by its [number](Evaluation::number).
pub fn values(evaluation: &Evaluation) -> String {
    format!("stand pat or capture without losing an exchange, evaluation {:016x}", evaluation.number())
}

/// Evaluates a position, bypassing the cache of values.
fn evaluate(evaluator: &mut Evaluator, position: &Position) -> Score {
    Score(evaluator.evaluate(position, position.turn(), position.halfmoves()))
}

/// Searches until each side's plan has the requested depth, and returns value and plans; static values are
/// those of `evaluation`. Returns `None`
/// if the game is over or `limits` end the search before its first iteration is complete.
///
/// ```
/// use cassius_chess::evaluation::Evaluation;
/// use cassius_chess::{Position, certificate, figures};
/// use cassius_search::{Depth, Depths, Table, Unlimited};
/// use cassius_search::alpha_beta::horizon::Abc;
///
/// let position: Position = figures::KAINDL_1.parse()?;
/// let asked = Depths::both(Depth::PLY);
/// let (abc, table) = (Abc::default(), Table::new(1)?);
/// let evaluation = Evaluation::default();
/// let found =
///     certificate::certify(&position, asked, abc, &evaluation, table, &Unlimited, &mut |_| {});
/// let text = found.expect("a certificate").certificate.to_string();
///
/// let established = certificate::check(&text.parse()?)?;
/// assert!(established.at_least.expect("a plan of White").depth >= Depth::PLY);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify(
    position: &Position,
    asked: Depths,
    abc: Abc,
    evaluation: &Evaluation,
    table: Table,
    limits: &dyn Limits,
    report: &mut dyn FnMut(&Report<Move>),
) -> Option<Certified> {
    let position = &as_written(position);
    let evaluate = StandPatOrCapture::new(Evaluator::of(evaluation));
    let referee = &mut Referee::of(evaluation);
    let parts = (evaluate, table);
    let mut certified = certificate::certify::<_, Repetition, Order, _>(
        position, asked, abc, parts, limits, referee, report,
    )?;
    let about = &mut certified.certificate;
    (about.game, about.position, about.values) = (GAME.into(), position.to_string(), values(evaluation));
    Some(certified)
}

/// Returns the position as it is read back from a certificate. A game of Chess960 may have castling rights of
/// standard chess, and in the text of the position it is a position of that, in which castling moves have
/// other names.
pub(crate) fn as_written(position: &Position) -> Position {
    let written: Option<Position> = position.to_string().parse().ok();
    match written {
        Some(written) => position.clone().with_castling_mode(written.castling_mode()),
        None => position.clone(),
    }
}

/// Finds the deepest plans that support, and that oppose, what `claim` says of the position; see
/// [`deepest`](cassius_search::plans::certificate::deepest). Where plans are found, the certificates are
/// complete: they can be checked.
///
/// ```
/// use cassius_chess::evaluation::Evaluation;
/// use cassius_chess::{Position, certificate};
/// use cassius_search::plans::certificate::Claim;
/// use cassius_search::{Depth, Nodes, Score, Table};
/// use cassius_search::alpha_beta::horizon::Abc;
///
/// let position: Position = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1".parse()?;
/// let step = Depth::from_f64(0.25);
/// let claim = Claim { at_least: Score(100), step, most: Depth::PLY, abc: Abc::default() };
/// let evaluation = Evaluation::default();
/// let shown = certificate::deepest(&position, &claim, &evaluation, Table::new(1)?, &Nodes(5_000));
/// let held = shown.held.expect("a rook and a pawn are worth a pawn");
/// assert_eq!(certificate::check(&held)?.at_least.unwrap().depth, held.at_least.unwrap().depth);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deepest(
    position: &Position,
    claim: &Claim,
    evaluation: &Evaluation,
    table: Table,
    limits: &dyn Limits,
) -> Deepest {
    let position = &as_written(position);
    let parts = (StandPatOrCapture::new(Evaluator::of(evaluation)), table);
    let referee = &mut Referee::of(evaluation);
    let mut shown = certificate::deepest::<_, Repetition, Order, _>(position, claim, parts, limits, referee);
    for about in [&mut shown.held, &mut shown.broken].into_iter().flatten() {
        (about.game, about.position, about.values) = (GAME.into(), position.to_string(), values(evaluation));
    }
    shown
}

/// The reason why a certificate does not establish anything.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum CheckError {
    /// It is a certificate of another game.
    #[error("the game is `{0}`, not {GAME}")]
    OtherGame(String),
    /// Its position is invalid.
    #[error("position: {0}")]
    Position(crate::notation::FenError),
    /// Its static values are those of no evaluation at hand.
    #[error("its values are `{stated}`, but those at hand are {known}", known = known.join(" and "))]
    OtherValues {
        /// The values that the certificate states.
        stated: String,
        /// The values at hand, each with the name of its evaluation.
        known: Vec<String>,
    },
    /// A statement in it is false.
    #[error(transparent)]
    Fault(Fault),
}

/// Replays a certificate with only the rules and the evaluation that it names, which must be one of this
/// program's.
///
/// # Errors
/// The statement that is false, and its location.
pub fn check(certificate: &Certificate) -> Result<Established, CheckError> {
    check_as(certificate, &Checking::customary(certificate), None)
}

/// Like [`check`], with another method of checking, and with one more evaluation that the certificate may
/// name.
///
/// # Errors
/// The statement that is false, and its location.
pub fn check_as(
    certificate: &Certificate,
    how: &Checking,
    other: Option<&Evaluation>,
) -> Result<Established, CheckError> {
    if certificate.game != GAME {
        return Err(CheckError::OtherGame(certificate.game.clone()));
    }
    let position: Position = certificate.position.parse().map_err(CheckError::Position)?;
    let evaluation = find(&certificate.values, other)?;
    certificate::check_as(&position, certificate, &mut Referee::of(&evaluation), how)
        .map_err(CheckError::Fault)
}

/// Finds the evaluation with these values, among this program's and another one.
fn find(stated: &str, other: Option<&Evaluation>) -> Result<Evaluation, CheckError> {
    static OURS: LazyLock<Vec<(Evaluation, String)>> = LazyLock::new(|| {
        let ours = Evaluation::NAMES.into_iter().filter_map(Evaluation::named);
        ours.map(|evaluation| (evaluation.clone(), values(&evaluation))).collect()
    });
    let other = other.map(|evaluation| (evaluation.clone(), values(evaluation)));
    let mut known = Vec::new();
    for (evaluation, values) in OURS.iter().chain(&other) {
        if values == stated {
            return Ok(evaluation.clone());
        }
        known.push(format!("`{values}` ({})", evaluation.name()));
    }
    Err(CheckError::OtherValues { stated: stated.into(), known })
}

/// The chess knowledge that the certificate checker needs.
pub struct Referee {
    evaluator: Evaluator,
}

impl Referee {
    /// Creates a referee with the default evaluation.
    pub fn new() -> Referee {
        Referee::of(&Evaluation::default())
    }

    /// Creates a referee with this evaluation.
    pub fn of(evaluation: &Evaluation) -> Referee {
        Referee { evaluator: Evaluator::of(evaluation) }
    }
}

impl Default for Referee {
    fn default() -> Self {
        Referee::new()
    }
}

impl certificate::Referee<Position> for Referee {
    fn value(&mut self, position: &Position, window: Window, work: &mut Work) -> Result<Score, WorkLimit> {
        quiescence_value(position, window, work, &mut |position| evaluate(&mut self.evaluator, position))
    }

    fn name(&self, position: &Position, mv: Move) -> String {
        position.uci(mv)
    }

    fn same(&self, one: &Position, other: &Position) -> bool {
        // Equality leaves out the clock, with which static values fade and the game is drawn.
        one == other
            && one.halfmoves() == other.halfmoves()
            && one.reversible_plies() == other.reversible_plies()
    }

    fn repetition(&self, position: &Position) -> (u64, usize) {
        (position.repetition_key(), position.reversible_plies())
    }

    fn is_drawn(&self, line: &[Position]) -> bool {
        is_repeated_or_drawn(line)
    }
}
