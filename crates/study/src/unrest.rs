//! Where judgements are wrong by more than usual.

use cassius_chess::Position;
use cassius_search::Keyed;
use cassius_search::study::Study;

/// Returns by what the errors of judgements in a position differ from the usual ones: with few pieces a
/// value changes more when it is searched deeper. Measured as in `docs/book/src/players/study.md`.
///
/// ```
/// use cassius_chess::Position;
/// let endgame: Position = "8/5pk1/6p1/8/3R4/5P2/r5PP/6K1 w - - 0 1".parse()?;
/// assert!(cassius_study::unrest(&endgame) > cassius_study::unrest(&Position::default()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn unrest(position: &Position) -> f32 {
    by_pieces(position.board().occupied().count())
}

/// Returns the [unrest] of positions with so many pieces.
pub(crate) const fn by_pieces(pieces: usize) -> f32 {
    match pieces {
        25.. => 0.8,
        13..=24 => 1.35,
        _ => 1.8,
    }
}

/// Begins a study of a position, with the [unrest](unrest) of chess.
///
/// ```
/// let study = cassius_study::study(cassius_chess::Position::default());
/// assert_eq!(study.len(), 1);
/// ```
pub fn study(root: Position) -> Study<Position> {
    Study::with_key(root, unrest, <Position as Keyed>::key)
}
