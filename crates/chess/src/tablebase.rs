//! Endgame tables in the Syzygy format.
//!
//! In the tree a table gives the result ([`Tablebases::wdl`]). At the root it gives the moves that
//! achieve it, with the fifty-move rule considered ([`Tablebases::rank`]).

use crate::moves::Move;
use crate::position::Position;
use cassius_search::alpha_beta::knowledge::Knowledge;
use cassius_search::game::Repeats as _;
use cassius_search::{Bound, Game as _, Score};
use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{AmbiguousWdl, Dtz, MaybeRounded, SyzygyError, Tablebase};
use std::cmp::Reverse;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;

pub use shakmaty_syzygy::Wdl;

/// The reason why tables cannot be used.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A directory cannot be read.
    #[error("endgame tables: cannot read '{directory}': {error}")]
    Unreadable {
        /// The directory.
        directory: String,
        /// The error reported by the system.
        error: io::Error,
    },
    /// The directories contain no table.
    #[error("endgame tables: no Syzygy table (*.rtbw) in '{0}'")]
    NoTables(String),
    /// The position has castling rights, which tables do not cover.
    #[error("endgame tables: the position has castling rights")]
    Castling,
    /// The position has more pieces than any table.
    #[error("endgame tables: the position has {pieces} pieces, the tables only up to {largest}")]
    TooManyPieces {
        /// The number of pieces on the board.
        pieces: usize,
        /// The number of pieces in the largest table.
        largest: usize,
    },
    /// A table is missing or corrupt.
    #[error("endgame tables: {0}")]
    Probe(SyzygyError),
}

/// The verdict of the tables on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The result after the move for the side that plays it, with best play and the clock as it stands.
    /// The cases with `Maybe` are undecided only because tables round distances.
    pub outcome: AmbiguousWdl,
    /// The number of plies to the next capture or pawn move (or mate), counted from before the move;
    /// negative when losing, 0 when drawn; `None` if only the outcome is known.
    pub distance: Option<i32>,
}

impl RankedMove {
    /// Returns the value of the move for the side that plays it. A win that the fifty-move rule spoils
    /// has the smallest value above a draw.
    pub fn score(&self) -> Score {
        match self.outcome {
            AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => Score::KNOWN_WIN,
            AmbiguousWdl::CursedWin => Score(1),
            AmbiguousWdl::Draw => Score::DRAW,
            AmbiguousWdl::BlessedLoss => Score(-1),
            AmbiguousWdl::MaybeLoss | AmbiguousWdl::Loss => -Score::KNOWN_WIN,
        }
    }

    /// Whether the outcome is certain: no distance was rounded, and a win or a loss was held against the
    /// clock.
    pub fn is_certain(&self) -> bool {
        match self.outcome {
            AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => false,
            AmbiguousWdl::Win | AmbiguousWdl::Loss => self.distance.is_some(),
            AmbiguousWdl::CursedWin | AmbiguousWdl::Draw | AmbiguousWdl::BlessedLoss => true,
        }
    }

    /// Returns a rank, of which a greater one is better: by the outcome, then by the distance – short
    /// when winning, long when losing.
    fn rank(&self) -> impl Ord + use<> {
        let distance = self.distance.unwrap_or(0);
        (self.outcome, Reverse(distance))
    }
}

/// A set of Syzygy tables.
///
/// ```no_run
/// use cassius_chess::{Position, tablebase::{Tablebases, Wdl}};
///
/// let tables = Tablebases::open("/tables/3-4-5;/tables/6")?;
/// let position: Position = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1".parse()?;
/// assert_eq!(tables.wdl(&position), Some(Wdl::Win));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
}

impl Tablebases {
    /// Opens the tables of several directories, separated by `;` (or by `:`, except on Windows).
    ///
    /// ```
    /// use cassius_chess::tablebase::Tablebases;
    /// let error = Tablebases::open("/no/such/place").unwrap_err().to_string();
    /// assert!(error.starts_with("endgame tables: cannot read '/no/such/place': "));
    /// ```
    #[cfg(not(target_family = "wasm"))]
    pub fn open(path: &str) -> Result<Tablebases, TablebaseError> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        let separators: &[char] = if cfg!(windows) { &[';'] } else { &[';', ':'] };
        for directory in path.split(separators).map(str::trim).filter(|directory| !directory.is_empty()) {
            files += tables
                .add_directory(directory)
                .map_err(|error| TablebaseError::Unreadable { directory: directory.into(), error })?;
        }
        if files == 0 { Err(TablebaseError::NoTables(path.into())) } else { Ok(Tablebases { tables, files }) }
    }

    /// Opens no tables: WebAssembly has no files.
    ///
    /// # Errors
    /// Always.
    #[cfg(target_family = "wasm")]
    pub fn open(path: &str) -> Result<Tablebases, TablebaseError> {
        Err(TablebaseError::NoTables(path.into()))
    }

    /// Returns the maximum number of pieces, kings included, of any table.
    pub fn largest(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Returns the number of table files.
    pub fn files(&self) -> usize {
        self.files
    }

    fn covers(&self, position: &Position) -> Result<(), TablebaseError> {
        let (pieces, largest) = (position.board().occupied().count(), self.largest());
        if position.castling_rooks().any() {
            Err(TablebaseError::Castling)
        } else if pieces > largest {
            Err(TablebaseError::TooManyPieces { pieces, largest })
        } else {
            Ok(())
        }
    }

    /// Returns the result of the game for the side to move. It applies only right after a capture or
    /// pawn move, when the fifty-move rule has no history. Returns `None` otherwise, and whenever no
    /// table has the position.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        if position.halfmoves() != 0 || self.covers(position).is_err() {
            return None;
        }
        self.tables.probe_wdl_after_zeroing(&position.to_chess()).ok()
    }

    /// Returns all legal moves with their outcomes, best first. Without the distance tables only the
    /// outcome is known, and the clock is not considered.
    ///
    /// See [`best`] for the moves that keep the outcome.
    pub fn rank(&self, position: &Position) -> Result<Vec<RankedMove>, TablebaseError> {
        self.covers(position)?;
        let moves = position.legal_moves();
        let ranked = moves.iter().map(|mv| self.by_distance(position, *mv)).collect();
        let ranked: Result<Vec<RankedMove>, SyzygyError> = match ranked {
            Err(SyzygyError::MissingTable { .. }) => {
                moves.iter().map(|mv| self.by_outcome(position, *mv)).collect()
            }
            other => other,
        };
        let mut ranked = ranked.map_err(TablebaseError::Probe)?;
        ranked.sort_by_key(|mv| Reverse(mv.rank()));
        Ok(ranked)
    }

    fn by_distance(&self, position: &Position, mv: Move) -> Result<RankedMove, SyzygyError> {
        let mut next = position.clone();
        next.play(mv);
        let chess = next.to_chess();
        if chess.is_checkmate() {
            return Ok(RankedMove { mv, outcome: AmbiguousWdl::Win, distance: Some(1) });
        }
        let distance = self.tables.probe_dtz(&chess)?;
        Ok(judge(mv, distance, next.halfmoves()))
    }

    fn by_outcome(&self, position: &Position, mv: Move) -> Result<RankedMove, SyzygyError> {
        let mut next = position.clone();
        next.play(mv);
        let wdl = self.tables.probe_wdl_after_zeroing(&next.to_chess())?;
        Ok(RankedMove { mv, outcome: AmbiguousWdl::from(-wdl), distance: None })
    }
}

/// Judges a move from the distance for the other side after it, and the clock.
fn judge(mv: Move, after: MaybeRounded<Dtz>, clock: u32) -> RankedMove {
    let outcome = opposite(AmbiguousWdl::from_dtz_and_halfmoves(after, clock));
    let Dtz(after) = after.ignore_rounding();
    // A capture or pawn move has a distance of one ply, regardless of what follows.
    let distance = match (clock, after.signum()) {
        (_, 0) => 0,
        (0, sign) => -sign,
        (_, sign) => -after - sign,
    };
    RankedMove { mv, outcome, distance: Some(distance) }
}

fn opposite(outcome: AmbiguousWdl) -> AmbiguousWdl {
    match outcome {
        AmbiguousWdl::Loss => AmbiguousWdl::Win,
        AmbiguousWdl::MaybeLoss => AmbiguousWdl::MaybeWin,
        AmbiguousWdl::BlessedLoss => AmbiguousWdl::CursedWin,
        AmbiguousWdl::Draw => AmbiguousWdl::Draw,
        AmbiguousWdl::CursedWin => AmbiguousWdl::BlessedLoss,
        AmbiguousWdl::MaybeWin => AmbiguousWdl::MaybeLoss,
        AmbiguousWdl::Win => AmbiguousWdl::Loss,
    }
}

/// Returns the moves of a ranking that keep the best outcome, best first. With `progress`, returns only
/// those that also take the shortest way there (the longest, when losing); use this once positions have
/// begun to repeat.
pub fn best(ranked: &[RankedMove], progress: bool) -> &[RankedMove] {
    let Some(first) = ranked.first() else { return ranked };
    let kept = ranked
        .iter()
        .take_while(|mv| mv.outcome == first.outcome && (!progress || mv.distance == first.distance))
        .count();
    &ranked[..kept]
}

/// Fills the search's slot for knowledge: endgame tables or none, shared by all threads.
///
/// A win or loss from the tables is a bound, not a value: the search may still find a mate.
#[derive(Clone, Debug, Default)]
pub struct Endgames {
    tables: Option<Arc<Tablebases>>,
    hits: Arc<AtomicU64>,
}

impl Endgames {
    /// Creates knowledge from these tables.
    pub fn new(tables: Tablebases) -> Endgames {
        Endgames { tables: Some(Arc::new(tables)), hits: Arc::default() }
    }

    /// Returns the tables.
    pub fn tables(&self) -> Option<&Tablebases> {
        self.tables.as_deref()
    }

    /// Returns the number of table hits.
    pub fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    /// Returns all legal moves with their outcomes, best first; empty if no table has the position. It
    /// is also empty if the position is not a draw, and one among `before`, which led here, has occurred
    /// twice since the last capture or pawn move: tables do not consider repetitions, and some move may now
    /// be a draw. What is drawn stays drawn.
    pub fn rank(&self, position: &Position, before: &[Position]) -> Vec<RankedMove> {
        let Some(tables) = self.tables() else { return Vec::new() };
        let ranked = tables.rank(position).unwrap_or_default();
        let is_draw = ranked.first().is_some_and(|best| best.score() == Score::DRAW);
        if !is_draw && has_repeated(position, before) {
            return Vec::new();
        }
        self.hits.fetch_add(ranked.len() as u64, Relaxed);
        ranked
    }

    /// Returns the moves at a root that keep the outcome and make progress; empty where
    /// [`Endgames::rank`] is. If the position is won and some position has occurred twice, only moves count
    /// after which no third time can follow at once.
    pub fn root_moves(&self, position: &Position, before: &[Position]) -> Vec<Move> {
        let mut ranked = self.rank(position, before);
        if ranked.is_empty() && has_repeated(position, before) {
            ranked = self.tables().and_then(|tables| tables.rank(position).ok()).unwrap_or_default();
            ranked.retain(|ranked| ranked.score() > Score::DRAW && !may_repeat(position, before, ranked.mv));
        }
        best(&ranked, true).iter().map(|ranked| ranked.mv).collect()
    }
}

/// Whether a position, this one included, has occurred twice since the last capture or pawn move.
pub fn has_repeated(position: &Position, before: &[Position]) -> bool {
    let since = &before[before.len().saturating_sub(position.reversible_plies())..];
    since.contains(position) || (0..since.len()).any(|index| since[..index].contains(&since[index]))
}

/// Whether a position occurs for the third time after a move, or can after a reply to it.
fn may_repeat(position: &Position, before: &[Position], mv: Move) -> bool {
    let history: Vec<&Position> = before.iter().chain([position]).collect();
    let is_third = |now: &Position| {
        let since = &history[history.len().saturating_sub(now.reversible_plies())..];
        since.iter().filter(|earlier| **earlier == now).count() >= 2
    };
    let mut after = position.clone();
    after.play(mv);
    is_third(&after)
        || after.legal_moves().into_iter().any(|reply| {
            let mut later = after.clone();
            later.play(reply);
            is_third(&later)
        })
}

impl Knowledge<Position> for Endgames {
    #[inline]
    fn probe(&mut self, position: &Position, ply: usize) -> Option<(Score, Bound)> {
        let wdl = self.tables.as_deref()?.wdl(position)?;
        self.hits.fetch_add(1, Relaxed);
        let win = Score(Score::KNOWN_WIN.0 - ply as i32);
        Some(match wdl {
            Wdl::Win => (win, Bound::Lower),
            Wdl::Loss => (-win, Bound::Upper),
            Wdl::CursedWin => (Score(1), Bound::Exact),
            Wdl::BlessedLoss => (Score(-1), Bound::Exact),
            Wdl::Draw => (Score::DRAW, Bound::Exact),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the folder of tables for the tests that need real ones (at least all with three pieces).
    fn directory() -> String {
        std::env::var("CASSIUS_SYZYGY").expect("CASSIUS_SYZYGY names a folder of Syzygy tables")
    }

    fn tables() -> Tablebases {
        Tablebases::open(&directory()).unwrap()
    }

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn errors_say_where() {
        for path in ["", ";;", concat!(env!("CARGO_MANIFEST_DIR"), "/src")] {
            let error = Tablebases::open(path).unwrap_err().to_string();
            assert_eq!(error, format!("endgame tables: no Syzygy table (*.rtbw) in '{path}'"));
        }
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(Tablebases::open(file).unwrap_err().to_string().contains(file));
    }

    #[test]
    #[ignore = "needs tables: set CASSIUS_SYZYGY"]
    fn positions_beyond_the_tables_are_told() {
        let tables = tables();
        let says = |fen| tables.rank(&position(fen)).unwrap_err().to_string();
        assert_eq!(
            says("4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
            "endgame tables: the position has castling rights"
        );
        let crowd = says("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1");
        let largest = tables.largest();
        let says = format!("endgame tables: the position has 16 pieces, the tables only up to {largest}");
        assert_eq!(crowd, says);
    }

    #[test]
    #[ignore = "needs tables: set CASSIUS_SYZYGY"]
    fn repetitions_are_not_known() {
        let game = "[FEN \"8/8/8/8/8/2k5/8/KQ6 w - - 0 1\"]\n\n1. Qe4 Kb3 2. Qb1+ Kc3 3. Qe4 *";
        let game: crate::pgn::Game = game.parse().unwrap();
        let positions: Vec<Position> = game.positions().collect();
        let endgames = Endgames::new(tables());
        assert!(!endgames.rank(&positions[3], &positions[..3]).is_empty());
        for ply in 4..=5 {
            assert!(endgames.rank(&positions[ply], &positions[..ply]).is_empty(), "{ply}");
        }
    }

    #[test]
    #[ignore = "needs tables: set CASSIUS_SYZYGY"]
    fn outcomes_in_the_tree() {
        let tables = tables();
        let wdl = |fen| tables.wdl(&position(fen));
        assert_eq!(wdl("8/8/8/8/8/2k5/8/KQ6 w - - 0 1"), Some(Wdl::Win));
        assert_eq!(wdl("8/8/8/8/8/2k5/8/KQ6 b - - 0 1"), Some(Wdl::Loss));
        assert_eq!(wdl("8/8/8/8/8/1k6/8/KN6 b - - 0 1"), Some(Wdl::Draw));
        assert_eq!(wdl("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"), Some(Wdl::Loss));
        assert_eq!(wdl("4k3/8/8/4P3/4K3/8/8/8 b - - 0 1"), Some(Wdl::Draw));
        // No answer with a history, castling rights or too many pieces.
        assert_eq!(wdl("8/8/8/8/8/2k5/8/KQ6 w - - 1 1"), None);
        assert_eq!(wdl("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
        assert_eq!(wdl("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1"), None);
    }

    #[test]
    #[ignore = "needs tables: set CASSIUS_SYZYGY"]
    fn the_root_keeps_a_win() {
        let tables = tables();
        // The pawn is lost if it does not promote at once.
        let root = position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
        let ranked = tables.rank(&root).unwrap();
        assert_eq!(ranked.len(), root.legal_moves().len());
        let names = |moves: &[RankedMove]| moves.iter().map(|mv| root.san(mv.mv)).collect::<Vec<_>>();
        assert_eq!(names(best(&ranked, false)), ["e8=Q", "e8=R"]);
        assert!(ranked[2..].iter().all(|mv| mv.outcome == AmbiguousWdl::Draw && mv.distance == Some(0)));
        // An immediate mate comes first.
        let root = position("k7/8/1K6/8/8/8/7Q/8 w - - 99 90");
        let ranked = tables.rank(&root).unwrap();
        let mates = best(&ranked, false);
        assert!(mates.iter().all(|mv| root.san(mv.mv).ends_with('#')), "{mates:?}");
    }

    #[test]
    #[ignore = "needs tables: set CASSIUS_SYZYGY"]
    fn the_clock_decides() {
        let tables = tables();
        // King and rook far from mate: won with a fresh clock, drawn with an old one.
        let fresh = tables.rank(&position("8/8/8/8/3k4/8/8/R6K w - - 0 1")).unwrap();
        assert_eq!(fresh[0].outcome, AmbiguousWdl::Win);
        let distance = fresh[0].distance.unwrap();
        assert!((15..=40).contains(&distance), "{distance}");
        assert!(best(&fresh, true).len() < best(&fresh, false).len());
        assert!(fresh.windows(2).all(|pair| pair[0].rank() >= pair[1].rank()));
        let old = tables.rank(&position("8/8/8/8/3k4/8/8/R6K w - - 90 90")).unwrap();
        assert_eq!(old[0].outcome, AmbiguousWdl::CursedWin);
        // The weaker side delays mate as long as possible.
        let losing = tables.rank(&position("8/8/8/8/3k4/8/8/R6K b - - 0 1")).unwrap();
        assert_eq!(losing[0].outcome, AmbiguousWdl::Loss);
        assert!(losing[0].distance <= losing.last().unwrap().distance);
    }

    #[test]
    #[ignore = "needs tables: set CASSIUS_SYZYGY"]
    fn without_distances_the_outcome_remains() {
        let directory = std::env::temp_dir().join(format!("cassius-wdl-only-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        for name in ["KQvK.rtbw", "KPvK.rtbw", "KRvK.rtbw", "KBvK.rtbw", "KNvK.rtbw"] {
            std::fs::copy(std::path::Path::new(&self::directory()).join(name), directory.join(name)).unwrap();
        }
        let tables = Tablebases::open(directory.to_str().unwrap()).unwrap();
        let root = position("8/4P3/8/8/8/8/k7/4K3 w - - 12 60");
        let ranked = tables.rank(&root).unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        assert!(ranked.iter().all(|mv| mv.distance.is_none()));
        let names: Vec<String> = best(&ranked, false).iter().map(|mv| root.san(mv.mv)).collect();
        assert!(names.contains(&"e8=Q".to_string()) && !names.contains(&"e8=N".to_string()), "{names:?}");
    }

    #[test]
    fn rounding_leaves_cases_open() {
        let mv = Position::default().legal_moves()[0];
        let judged = |after, clock| judge(mv, after, clock).outcome;
        assert_eq!(judged(MaybeRounded::Precise(Dtz(-60)), 40), AmbiguousWdl::Win);
        assert_eq!(judged(MaybeRounded::Rounded(Dtz(-60)), 40), AmbiguousWdl::MaybeWin);
        assert_eq!(judged(MaybeRounded::Precise(Dtz(-60)), 41), AmbiguousWdl::CursedWin);
        assert_eq!(judged(MaybeRounded::Precise(Dtz(60)), 41), AmbiguousWdl::BlessedLoss);
        assert_eq!(judged(MaybeRounded::Precise(Dtz(0)), 41), AmbiguousWdl::Draw);
        assert_eq!(judge(mv, MaybeRounded::Precise(Dtz(-20)), 0).distance, Some(1));
        assert_eq!(judge(mv, MaybeRounded::Precise(Dtz(-20)), 5).distance, Some(21));
        assert_eq!(judge(mv, MaybeRounded::Precise(Dtz(20)), 5).distance, Some(-21));
    }
}
