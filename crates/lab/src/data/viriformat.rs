//! Reads and writes games in the format of the engine Viridithas, which other trainers read as well.
//!
//! A file is a sequence of games. A game is a packed position of 32 bytes, then four bytes for each move
//! (the move, and the value for White in centipawns), then four zero bytes. All numbers are
//! little-endian.
//!
//! | bytes | of a packed position |
//! |---|---|
//! | 8 | occupied squares, a1 first |
//! | 16 | four bits for each of them: pawn 0 … king 5, a rook that may castle 6; Black's with 8 added |
//! | 1 | en passant square or 64; 128 is added if Black is to move |
//! | 1 | plies since the last capture or pawn move |
//! | 2 | number of the move |
//! | 2 | a value, not used for games |
//! | 1 | result: 2 White won, 1 draw, 0 Black won |
//! | 1 | not used |
//!
//! A move is from + 64 · to. In castling, `to` is the rook's square. 0x4000 is added for en passant,
//! 0x8000 for castling, and 0xc000 + 0x1000 · (0 knight … 3 queen) for a promotion.
//!
//! *Reference*: the crate `viriformat` (Cosmo Bobak), against which the tests compare. That crate
//! expects well-formed files; this reader checks its input.

use super::DataGame;
use cassius_chess::{Move, Position, pgn::GameResult};
use cassius_search::Game as _;
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, FromSetup as _, Piece, Role, Setup, Square};
use std::io::{self, BufRead, Write};
use std::num::NonZeroU32;
use thiserror::Error;

pub(super) const HEADER: usize = 32;
const MOVE: usize = 4;
const ROLES: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const CASTLING_ROOK: u8 = 6;
const EN_PASSANT: u16 = 0x4000;
const CASTLING: u16 = 0x8000;
const PROMOTION: u16 = 0xc000;

/// Why a game cannot be read.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends within a game.
    #[error("cut off: the file ends within a game")]
    CutOff,
    /// The first position is not legal.
    #[error("invalid first position: {0}")]
    Position(String),
    /// The result is not valid.
    #[error("invalid result {0}; expected 0, 1 or 2")]
    Result(u8),
    /// The move cannot be played.
    #[error("ply {ply}: not a legal move: {code:#06x}")]
    Move {
        /// The ply, from 1.
        ply: usize,
        /// The code of the move.
        code: u16,
    },
}

/// Writes a game.
///
/// ```
/// use cassius_chess::{Position, pgn::GameResult};
/// use cassius_lab::data::{DataGame, viriformat};
/// let start = Position::default();
/// let e4 = start.parse_move("e4")?;
/// let game = DataGame { start, result: GameResult::Draw, moves: vec![(e4, 25)] };
/// let mut bytes = Vec::new();
/// viriformat::write(&game, &mut bytes)?;
/// assert_eq!(bytes.len(), 40);
/// assert_eq!(viriformat::read(&mut bytes.as_slice())?, Some(game));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it cannot be written.
pub fn write(game: &DataGame, out: &mut impl Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(HEADER + MOVE * (game.moves.len() + 1));
    bytes.extend(header(game));
    for (mv, value) in &game.moves {
        bytes.extend(code(*mv).to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; MOVE]);
    out.write_all(&bytes)
}

/// Reads the next game; `None` at the end of the file.
///
/// # Errors
/// If what follows is not a game of legal moves.
pub fn read(from: &mut impl BufRead) -> Result<Option<DataGame>, DataError> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let bytes: [u8; HEADER] = exactly(from)?;
    let start = unpack(&bytes)?;
    let result = match bytes[30] {
        2 => GameResult::WhiteWins,
        1 => GameResult::Draw,
        0 => GameResult::BlackWins,
        other => return Err(DataError::Result(other)),
    };
    let (mut position, mut moves) = (start.clone(), Vec::new());
    loop {
        let [a, b, c, d]: [u8; MOVE] = exactly(from)?;
        if [a, b, c, d] == [0; MOVE] {
            return Ok(Some(DataGame { start, result, moves }));
        }
        let wanted = u16::from_le_bytes([a, b]);
        let legal = position.legal_moves().into_iter().find(|mv| code(*mv) == wanted);
        let mv = legal.ok_or(DataError::Move { ply: moves.len() + 1, code: wanted })?;
        moves.push((mv, i16::from_le_bytes([c, d])));
        position.play(mv);
    }
}

/// Counts the complete games, their moves and their bytes, without checking the moves. A position without
/// pieces is no game and ends the count: a file may end in zeros after a loss of power.
///
/// # Errors
/// If the file cannot be read.
pub fn scan(from: &mut impl BufRead) -> io::Result<Scan> {
    scan_with_last(from).map(|[_, scan]| scan)
}

/// As [`scan`], with the counts without the last game before.
pub(super) fn scan_with_last(from: &mut impl BufRead) -> io::Result<[Scan; 2]> {
    let [mut before, mut scan] = [Scan::default(); 2];
    loop {
        let mut part = Scan { games: scan.games + 1, bytes: scan.bytes + HEADER as u64, ..scan };
        match next::<HEADER>(from)? {
            Some(header) if header[..8] != [0; 8] => {}
            _ => return Ok([before, scan]),
        }
        loop {
            let Some(four) = next::<MOVE>(from)? else { return Ok([before, scan]) };
            part.bytes += MOVE as u64;
            if four == [0; MOVE] {
                break;
            }
            part.positions += 1;
        }
        before = std::mem::replace(&mut scan, part);
    }
}

/// The counts of [`scan`], for complete games only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// The number of games.
    pub games: u64,
    /// The number of positions with a move and a value.
    pub positions: u64,
    /// The number of bytes.
    pub bytes: u64,
}

/// Reads so many bytes; `None` if the file ends before.
fn next<const N: usize>(from: &mut impl BufRead) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    match from.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn exactly<const N: usize>(from: &mut impl BufRead) -> Result<[u8; N], DataError> {
    next(from)?.ok_or(DataError::CutOff)
}

fn code(mv: Move) -> u16 {
    let squares = mv.from() as u16 | (mv.to() as u16) << 6;
    let kind = match mv.promotion() {
        Some(role) => PROMOTION | (role as u16 - Role::Knight as u16) << 12,
        None if mv.castling_side().is_some() => CASTLING,
        None if mv.is_en_passant() => EN_PASSANT,
        None => 0,
    };
    squares | kind
}

fn header(game: &DataGame) -> [u8; HEADER] {
    let setup = game.start.to_setup();
    let occupied = setup.board.occupied();
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&u64::from(occupied).to_le_bytes());
    for (index, square) in occupied.into_iter().enumerate() {
        let Some(piece) = setup.board.piece_at(square) else { continue };
        let castles = setup.castling_rights.contains(square);
        let role = if castles { CASTLING_ROOK } else { piece.role as u8 - Role::Pawn as u8 };
        let colour = if piece.color.is_white() { 0 } else { 8 };
        // A legal position has no more than 32 pieces.
        bytes[8 + index / 2] |= (role | colour) << (4 * (index % 2));
    }
    let turn = if setup.turn.is_white() { 0 } else { 128 };
    bytes[24] = turn | setup.ep_square.map_or(64, |square| square as u8);
    bytes[25] = setup.halfmoves.min(255) as u8;
    let fullmoves = setup.fullmoves.get().min(u16::MAX.into()) as u16;
    bytes[26..28].copy_from_slice(&fullmoves.to_le_bytes());
    bytes[30] = match game.result {
        GameResult::WhiteWins => 2,
        GameResult::Draw | GameResult::Unfinished => 1,
        GameResult::BlackWins => 0,
    };
    bytes
}

fn unpack(bytes: &[u8; HEADER]) -> Result<Position, DataError> {
    let wrong = |what: &str| DataError::Position(what.into());
    let occupied = Bitboard(u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")));
    if occupied.count() > 32 {
        return Err(wrong("more than 32 pieces"));
    }
    let (mut board, mut castling_rights) = (Board::empty(), Bitboard::EMPTY);
    for (index, square) in occupied.into_iter().enumerate() {
        let four = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = Color::from_white(four < 8);
        let role = match four & 7 {
            CASTLING_ROOK => {
                castling_rights.add(square);
                Role::Rook
            }
            number => *ROLES.get(usize::from(number)).ok_or_else(|| wrong("an unknown piece"))?,
        };
        board.set_piece_at(square, Piece { color, role });
    }
    let en_passant = bytes[24] & 127;
    let setup = Setup {
        board,
        castling_rights,
        turn: Color::from_white(bytes[24] < 128),
        ep_square: Square::try_from(en_passant).ok(),
        halfmoves: bytes[25].into(),
        fullmoves: NonZeroU32::new(u16::from_le_bytes([bytes[26], bytes[27]]).into())
            .ok_or_else(|| wrong("move number 0"))?,
        ..Setup::empty()
    };
    if en_passant > 64 {
        return Err(wrong("an unknown en passant square"));
    }
    let mode = CastlingMode::detect(&setup);
    let chess = Chess::from_setup(setup, mode)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .map_err(|error| DataError::Position(error.to_string()))?;
    Ok(Position::from_chess(&chess))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::viriformat::dataformat::Game as OtherGame;
    use proptest::prelude::*;

    /// Returns a game of random moves from a position, with random values.
    fn random_game(start: &str, seed: u64, plies: usize) -> DataGame {
        let start: Position = start.parse().unwrap();
        let (mut position, mut random) = (start.clone(), crate::random::Random(seed));
        let mut moves = Vec::new();
        while moves.len() < plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[random.below(legal.len() as u64) as usize];
            moves.push((mv, random.below(60_000) as i16));
            position.play(mv);
        }
        let result = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins][seed as usize % 3];
        DataGame { start, result, moves }
    }

    const STARTS: [&str; 5] = [
        "startpos",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    ];

    fn bytes(game: &DataGame) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(game, &mut bytes).unwrap();
        bytes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn read_as_written_here_and_by_its_own_library(
            start in 0..STARTS.len(), seed: u64, plies in 0..120usize
        ) {
            let game = random_game(STARTS[start], seed, plies);
            let written = bytes(&game);
            prop_assert_eq!(read(&mut written.as_slice()).unwrap(), Some(game.clone()));

            let other = OtherGame::deserialise_from(&mut written.as_slice(), Vec::new()).unwrap();
            let mut ours = game.positions();
            let mut same = true;
            other.visit_positions(|board, value| {
                let (position, _, mine) = ours.next().unwrap();
                let fen = board.to_string();
                let fields = |fen: &str| fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
                same &= fields(&fen) == fields(&position.to_string()) && value == i32::from(mine);
            });
            prop_assert!(same && ours.next().is_none());
            let mut again = Vec::new();
            other.serialise_into(&mut again).unwrap();
            prop_assert_eq!(again, written);
        }

        #[test]
        fn whatever_is_read_no_panic(mut written in Just(bytes(&random_game("startpos", 1, 30))),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
            length in any::<prop::sample::Index>()
        ) {
            for (place, byte) in changes {
                let place = place.index(written.len());
                written[place] = byte;
            }
            let whole = written.len();
            written.truncate(length.index(whole + 1));
            let mut from = written.as_slice();
            while let Ok(Some(_)) = read(&mut from) {}
            let counted = scan(&mut written.as_slice()).unwrap();
            prop_assert!(counted.bytes <= written.len() as u64);
        }
    }

    #[test]
    fn starting_positions_as_its_own_library_reads_them() {
        for fen in STARTS {
            let game = random_game(fen, 1, 0);
            let other = OtherGame::deserialise_from(&mut bytes(&game).as_slice(), Vec::new()).unwrap();
            let (theirs, ours) = (other.initial_position().to_string(), game.start.to_string());
            let fields = |fen: &str| fen.split(' ').map(str::to_string).collect::<Vec<_>>();
            let (theirs, ours) = (fields(&theirs), fields(&ours));
            assert_eq!(theirs[..5], ours[..5], "{fen}");
        }
    }

    #[test]
    fn what_is_cut_off_is_not_counted() {
        let games = [random_game("startpos", 1, 9), random_game("startpos", 2, 5)];
        let written: Vec<u8> = games.iter().flat_map(bytes).collect();
        let whole = Scan { games: 2, positions: 14, bytes: written.len() as u64 };
        assert_eq!(scan(&mut written.as_slice()).unwrap(), whole);
        let first = Scan { games: 1, positions: 9, bytes: 32 + 40 };
        assert_eq!(scan_with_last(&mut written.as_slice()).unwrap(), [first, whole]);
        for zeros in [1, 31, 32, 36, 4_096] {
            let longer = [&written[..], &vec![0; zeros]].concat();
            assert_eq!(scan(&mut longer.as_slice()).unwrap(), whole, "{zeros}");
        }
        for cut in first.bytes..whole.bytes {
            assert_eq!(scan(&mut &written[..cut as usize]).unwrap(), first);
            let mut from = &written[..cut as usize];
            read(&mut from).unwrap();
            assert_eq!(read(&mut from).is_err(), cut > first.bytes, "{cut}");
        }
    }
}
