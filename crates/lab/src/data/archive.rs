//! A file of games to which games are added.

use super::{DataGame, viriformat};
use crate::lines::is_locked_elsewhere;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// A file of games, locked while it is open. A game that was being written when its process was killed is
/// cut off.
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
    /// If it cannot be read or written, or another process has opened it.
    pub fn open(path: &Path) -> io::Result<Archive> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if is_locked_elsewhere(&file) {
            return Err(io::Error::other("another run is writing games to this file"));
        }
        let found = viriformat::scan(&mut BufReader::with_capacity(1 << 20, &file))?;
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
