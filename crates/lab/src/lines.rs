//! A file of lines that grows: what has been added stays whole, whatever becomes of the next line.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Where lines are written. A file; in tests, one that fails.
pub(crate) trait Medium: Read + Write + Seek + std::fmt::Debug + Send {
    /// Cuts off what stands behind so many bytes.
    fn set_len(&mut self, length: u64) -> io::Result<()>;
    /// Returns when what was written survives a loss of power.
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

/// A medium, and how much of it is whole lines. What stands behind those is written over.
#[derive(Debug)]
pub(crate) struct Lines {
    pub medium: Box<dyn Medium>,
    /// In bytes.
    pub whole: u64,
}

impl Lines {
    /// Writes a line after the last whole one, wherever half a line may have been left. Returns where it begins.
    ///
    /// # Errors
    /// If it cannot be written or may be lost; then it is not there.
    pub fn add(&mut self, line: &str) -> io::Result<u64> {
        let start = self.whole;
        self.medium.set_len(start)?;
        self.medium.seek(SeekFrom::Start(start))?;
        if let Err(error) = self.medium.write_all(line.as_bytes()).and_then(|()| self.medium.sync()) {
            // Half a line would only take the room that may be missing.
            let _ = self.medium.set_len(start);
            return Err(error);
        }
        self.whole += line.len() as u64;
        Ok(start)
    }
}

/// Returns when the names in the folder of a file survive a loss of power: that of a new file, or of one that was moved there.
///
/// # Errors
/// If they do not. Folders that cannot be opened, as on Windows, or not be asked, are left to the system.
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
    //! Files that fail when they are told to.

    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    /// What goes wrong.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Fault {
        /// One call fails; what it was to write is half written.
        Once,
        /// There is no room any more: every write from here on stops halfway. Files can be cut.
        NoRoom,
        /// The process is killed: nothing happens from here on.
        Killed,
    }

    /// A file whose call of this number, from 0, goes wrong.
    #[derive(Debug)]
    pub struct Faulty {
        file: File,
        fault: Fault,
        left: usize,
        failed: Arc<AtomicBool>,
    }

    impl Faulty {
        /// With something to ask whether it has failed.
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
                // In pieces, as the system may.
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
