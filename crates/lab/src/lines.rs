//! A file to which lines are added. Lines that were added stay complete, even if writing the next one
//! fails.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// What lines are written to: a file, or a file that fails in tests.
pub(crate) trait Medium: Read + Write + Seek + std::fmt::Debug + Send {
    /// Truncates the file to this length in bytes.
    fn set_len(&mut self, length: u64) -> io::Result<()>;
    /// Returns when the written data would survive a loss of power.
    fn sync(&mut self) -> io::Result<()>;
}

impl Medium for File {
    fn set_len(&mut self, length: u64) -> io::Result<()> {
        File::set_len(self, length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Tries to lock a file, and returns whether another run has locked it. The lock of a file that was just
/// closed may still be held by a process that is being started at this moment, so a lock is waited for a
/// little. Where files cannot be locked, none is locked.
pub fn is_locked_elsewhere(file: &File) -> bool {
    (0..20).all(|_| {
        let locked = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        if locked {
            std::thread::sleep(Duration::from_millis(5));
        }
        locked
    })
}

/// A medium, and the length of its complete lines. Whatever follows those is overwritten.
#[derive(Debug)]
pub(crate) struct Lines {
    pub medium: Box<dyn Medium>,
    /// The length of the complete lines, in bytes.
    pub whole: u64,
}

impl Lines {
    /// Writes a line after the last complete one, over any incomplete line. Returns the place where it
    /// begins.
    ///
    /// # Errors
    /// If the line cannot be written or may be lost. The line is then not in the file.
    pub fn add(&mut self, line: &str) -> io::Result<u64> {
        let start = self.whole;
        self.medium.set_len(start)?;
        self.medium.seek(SeekFrom::Start(start))?;
        if let Err(error) = self.medium.write_all(line.as_bytes()).and_then(|()| self.medium.sync()) {
            // An incomplete line would only take up space, which may be what is lacking.
            let _ = self.medium.set_len(start);
            return Err(error);
        }
        self.whole += line.len() as u64;
        Ok(start)
    }
}

/// Returns when the directory entries in the folder of a file would survive a loss of power. This is
/// needed for a new file and for one that was moved there.
///
/// # Errors
/// If they would not. A folder that cannot be opened, as on Windows, or that cannot be synchronised, is
/// left to the system.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

#[cfg(test)]
pub(crate) mod faulty {
    //! Files that fail on demand.

    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    /// The kind of failure.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Fault {
        /// One call fails. If it writes, half of the data is written.
        Once,
        /// The disk is full: every later write stops halfway. Files can still be truncated.
        NoRoom,
        /// The process is killed: no later call has any effect.
        Killed,
    }

    /// A file that fails in the call with a given number, counted from 0.
    #[derive(Debug)]
    pub struct Faulty {
        file: File,
        fault: Fault,
        left: usize,
        failed: Arc<AtomicBool>,
    }

    impl Faulty {
        /// Creates a file, and a flag that tells whether it has failed.
        pub fn new(file: File, fault: Fault, left: usize) -> (Faulty, Arc<AtomicBool>) {
            let failed = Arc::new(AtomicBool::new(false));
            (Faulty { file, fault, left, failed: failed.clone() }, failed)
        }

        /// Whether this call fails.
        fn fails(&mut self, writes: bool) -> io::Result<bool> {
            if self.failed.load(Relaxed) {
                return match self.fault {
                    Fault::Once => Ok(false),
                    Fault::NoRoom => Ok(writes),
                    Fault::Killed => Err(io::Error::other("killed")),
                };
            }
            let fails = self.left == 0;
            self.left = self.left.saturating_sub(1);
            self.failed.store(fails, Relaxed);
            Ok(fails)
        }

        fn call<T>(&mut self, done: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
            match self.fails(false)? {
                true => Err(io::Error::other("failed")),
                false => done(&mut self.file),
            }
        }
    }

    impl Read for Faulty {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.file.read(bytes)
        }
    }

    impl Seek for Faulty {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.call(|file| file.seek(to))
        }
    }

    impl Write for Faulty {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.fails(true)? {
                true => {
                    self.file.write_all(&bytes[..bytes.len() / 2])?;
                    Err(io::ErrorKind::StorageFull.into())
                }
                // Writes in pieces, as a system is allowed to do.
                false => self.file.write(&bytes[..bytes.len().min(7)]),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Medium for Faulty {
        fn set_len(&mut self, length: u64) -> io::Result<()> {
            self.call(|file| file.set_len(length))
        }

        fn sync(&mut self) -> io::Result<()> {
            self.call(|file| file.sync_data())
        }
    }
}
