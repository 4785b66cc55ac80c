//! A file of games to which games are added.

use super::DataGame;
use super::viriformat::{self, DataError};
use crate::lines::is_locked_elsewhere;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// A file of games, locked while it is open. A game that was being written when its process was killed is
/// cut off. So are zeros at the end, which a loss of power may leave, with the last game before them.
///
/// ```
/// use cassius_lab::data::{Archive, DataGame};
/// use cassius_chess::{Position, pgn::GameResult};
/// let path = std::env::temp_dir().join(format!("cassius-archive-{}.viri", std::process::id()));
/// let game = DataGame { start: Position::default(), result: GameResult::Draw, moves: Vec::new() };
/// for games in 0..2 {
///     let mut archive = Archive::open(&path)?;
///     assert_eq!(archive.found().games, games);
///     archive.add(&game)?;
///     archive.close()?;
/// }
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Archive {
    file: File,
    found: viriformat::Scan,
}

impl Archive {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    /// If it cannot be read or written, holds something else, or another process has opened it. It is then
    /// left unchanged.
    pub fn open(path: &Path) -> io::Result<Archive> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if is_locked_elsewhere(&file) {
            return Err(io::Error::other("another run is writing games to this file"));
        }
        let [before, mut found] = viriformat::scan_with_last(&mut BufReader::with_capacity(1 << 20, &file))?;
        // Zeros in any file may look like the ends of games.
        if found.games > 0 {
            file.seek(SeekFrom::Start(0))?;
            let first = viriformat::read(&mut BufReader::new(&file));
            if !matches!(first, Ok(Some(_))) {
                return Err(io::Error::other("the file holds something else than games"));
            }
        }
        // What follows the last game may only be the beginning of another one, or zeros.
        file.seek(SeekFrom::Start(found.bytes))?;
        let ends_in_zeros = found.games > 0 && are_zeros(&file)?;
        file.seek(SeekFrom::Start(found.bytes))?;
        match viriformat::read(&mut BufReader::new(&file)) {
            // The zeros may begin within the last game, and end it like a complete one.
            _ if ends_in_zeros => found = before,
            Ok(None) => {}
            // Less than the head of a game says nothing of what it is, unless games stand before it.
            Err(DataError::CutOff)
                if found.games > 0 || file.metadata()?.len() >= viriformat::HEADER as u64 => {}
            Err(DataError::Io(error)) => return Err(error),
            Ok(Some(_)) | Err(_) => return Err(io::Error::other("the file holds something else than games")),
        }
        file.set_len(found.bytes)?;
        file.seek(SeekFrom::Start(found.bytes))?;
        Ok(Archive { file, found })
    }

    /// Returns what the file holds.
    pub const fn found(&self) -> viriformat::Scan {
        self.found
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written. The file then holds the games before.
    pub fn add(&mut self, game: &DataGame) -> io::Result<()> {
        const SYNC: u64 = 64;
        let mut bytes = Vec::new();
        viriformat::write(game, &mut bytes)?;
        // What an earlier error has left of a game is written over.
        self.file.seek(SeekFrom::Start(self.found.bytes))?;
        if let Err(error) = self.file.write_all(&bytes) {
            // An incomplete game would only take up space, which may be what is lacking.
            let _ = self.file.set_len(self.found.bytes);
            return Err(error);
        }
        self.found.games += 1;
        self.found.positions += game.moves.len() as u64;
        self.found.bytes += bytes.len() as u64;
        if self.found.games.is_multiple_of(SYNC) { self.file.sync_data() } else { Ok(()) }
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// If that fails.
    pub fn close(self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// Whether something follows, and all of it is zeros.
fn are_zeros(file: &File) -> io::Result<bool> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut length = 0;
    loop {
        reader.consume(length);
        let bytes = reader.fill_buf()?;
        if bytes.iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        if bytes.is_empty() {
            return Ok(length > 0);
        }
        length = bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of something else is left alone, and the beginning of a game is cut off.
    #[test]
    fn only_a_game_that_is_not_complete_is_removed() {
        let path = std::env::temp_dir().join(format!("cassius-archive-{}", std::process::id()));
        for text in [
            "\0".repeat(500).as_str(),
            &format!("ustar{}", "\0".repeat(10_000)),
            "8/8/8/8/8/8/8/K1k5 w - - 0 1",
            &"8/8/8/8/8/8/8/K1k5 w - - 0 1;12;0.5\n".repeat(100),
        ] {
            std::fs::write(&path, text).expect("a file");
            assert!(Archive::open(&path).is_err());
            assert_eq!(std::fs::read_to_string(&path).expect("a file"), text);
        }

        let start = cassius_chess::Position::default();
        let e4 = start.parse_move("e4").expect("a move");
        let result = cassius_chess::pgn::GameResult::Draw;
        let mut bytes = Vec::new();
        viriformat::write(&DataGame { start, result, moves: vec![(e4, 25)] }, &mut bytes).expect("a game");
        let whole = bytes.len();
        for cut in 1..whole {
            std::fs::write(&path, [&bytes[..], &bytes[..cut]].concat()).expect("a file");
            let archive = Archive::open(&path).expect("a game and the beginning of another");
            assert_eq!((archive.found().games, archive.found().bytes), (1, whole as u64), "{cut}");
        }
        std::fs::remove_file(&path).expect("it is there");
    }

    /// After a loss of power a file has its length, but zeros instead of its last games. They are added again
    /// as they were.
    #[test]
    fn zeros_at_the_end_are_removed() {
        let path = std::env::temp_dir().join(format!("cassius-archive-zeros-{}", std::process::id()));
        let start = cassius_chess::Position::default();
        let e4 = start.parse_move("e4").expect("a move");
        let result = cassius_chess::pgn::GameResult::Draw;
        let games =
            [0, 1, 2].map(|value| DataGame { start: start.clone(), result, moves: vec![(e4, value)] });
        let mut bytes = Vec::new();
        games.iter().for_each(|game| viriformat::write(game, &mut bytes).expect("a game"));
        let (one, whole) = (bytes.len() / 3, bytes.len());
        // The second game is followed by zeros, or they begin within it; they end anywhere.
        for from in (one..=2 * one).step_by(4) {
            for length in [from + 36, whole, whole + 1, 4_096] {
                let mut left = bytes[..from].to_vec();
                left.resize(length, 0);
                std::fs::write(&path, &left).expect("a file");
                let mut archive = Archive::open(&path).expect("games and zeros");
                let found = archive.found().games as usize;
                assert_eq!(archive.found().bytes, (found * one) as u64, "{from} {length}");
                games[found..].iter().for_each(|game| archive.add(game).expect("it is written"));
                archive.close().expect("it is written");
                assert!(std::fs::read(&path).expect("a file") == bytes, "{from} {length}");
            }
        }
        std::fs::remove_file(&path).expect("it is there");
    }
}
