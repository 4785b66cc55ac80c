//! Writes files completely or not at all.

use crate::Error;
use anyhow::{Context as _, bail};
use cassius_lab::kept::sync_folder_of;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Writes a file. The content is first written to a temporary file in the same folder, which then replaces
/// the file: the file has either its new or its old content. A device or a pipe is written to directly,
/// a link is followed.
///
/// # Errors
/// If the file cannot be written. The message contains the path.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    fill(path, |out| out.write_all(content.as_ref()))
}

/// Writes a file piece by piece, in the same way as [`write()`].
///
/// # Errors
/// If the file cannot be written. The message contains the path.
pub fn fill(path: &Path, pieces: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<(), Error> {
    let done = || -> io::Result<()> {
        let place = place(path);
        if is_device(path) {
            let mut out = BufWriter::new(OpenOptions::new().append(true).open(path)?);
            return pieces(&mut out).and_then(|()| out.flush());
        }
        refuse_protected(&place)?;
        let (part, file) = beside(&place)?;
        if let Ok(replaced) = fs::metadata(&place) {
            file.set_permissions(replaced.permissions())?;
        }
        let mut out = BufWriter::new(file);
        let done = pieces(&mut out)
            .and_then(|()| out.into_inner()?.sync_all())
            .and_then(|()| fs::rename(&part, &place))
            // After this, files that the content was made from may be removed.
            .and_then(|()| sync_folder_of(&place));
        if done.is_err() {
            let _ = fs::remove_file(&part);
        }
        done
    };
    done().with_context(|| path.display().to_string())
}

/// Checks that a file can be written, before the work that fills it is done. Leaves nothing behind.
///
/// # Errors
/// If it cannot be written. The message contains the path.
pub fn try_write(path: &Path) -> Result<(), Error> {
    let done = || -> io::Result<()> {
        let place = place(path);
        if place.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if is_device(path) {
            return Ok(());
        }
        refuse_protected(&place)?;
        beside(&place).and_then(|(part, _)| fs::remove_file(part))
    };
    done().with_context(|| path.display().to_string())
}

/// Refuses to replace a file that is write-protected, though its folder would allow it.
fn refuse_protected(place: &Path) -> io::Result<()> {
    match fs::metadata(place) {
        Ok(there) if there.permissions().readonly() => Err(io::Error::other("the file is write-protected")),
        _ => Ok(()),
    }
}

/// Reads a text file, or standard input if the path is `-`.
///
/// # Errors
/// If it cannot be read, is no text in UTF-8, or is longer than a gigabyte.
pub fn read_text(path: &Path) -> io::Result<String> {
    const MOST: u64 = 1 << 30;
    let mut bytes = Vec::new();
    let mut read = |input: &mut dyn io::Read| input.take(MOST + 1).read_to_end(&mut bytes);
    match path == Path::new("-") {
        true => read(&mut io::stdin().lock())?,
        false => read(&mut File::open(path)?)?,
    };
    if bytes.len() as u64 > MOST {
        return Err(io::Error::other("longer than a gigabyte"));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("not a text in UTF-8"))
}

/// Checks, before work is done for them, that outputs can be written and overwrite neither each other nor
/// an input. The output `-` is none of them.
///
/// # Errors
/// If one cannot be written, or would overwrite something. The message contains its name.
pub fn prepare(outputs: &[&Path], inputs: &[impl AsRef<Path>]) -> Result<(), Error> {
    let files: Vec<&Path> = outputs.iter().copied().filter(|path| *path != Path::new("-")).collect();
    keep_apart(&files, inputs)?;
    files.iter().try_for_each(|path| try_write(path))
}

/// Refuses an output that would overwrite another output or an input.
///
/// # Errors
/// If there is such an output. The message contains its name.
pub fn keep_apart(outputs: &[&Path], inputs: &[impl AsRef<Path>]) -> Result<(), Error> {
    for (index, output) in outputs.iter().enumerate() {
        if outputs[..index].iter().any(|other| place(other) == place(output)) {
            bail!("{} would be written twice: name two files", output.display());
        }
        let same = |input: &&Path| input.exists() && place(input) == place(output);
        if let Some(input) = inputs.iter().map(AsRef::as_ref).find(same) {
            bail!("{} would be overwritten: write to another file", input.display());
        }
    }
    Ok(())
}

/// Whether the path exists and is neither a file nor a folder, or names what this process has open, such as
/// `/dev/stdout`: that may be a file, which is added to, as the shell was told, and not replaced. Such a path
/// is written to directly, without a temporary file.
pub fn is_device(path: &Path) -> bool {
    let is_open =
        ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|open| path.starts_with(open));
    is_open || path.exists() && !path.is_file() && !path.is_dir()
}

/// Returns the canonical path of a file that exists or will be created.
fn place(path: &Path) -> PathBuf {
    // A link to a missing file leads to the place of that file.
    if let Ok(target) = fs::read_link(path)
        && !path.exists()
    {
        return path.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = || {
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(folder).unwrap_or_else(|| path.into())
}

/// Creates a new temporary file beside `place`. Existing files are never reused.
fn beside(place: &Path) -> io::Result<(PathBuf, File)> {
    let named = |number: u32| {
        let mut name = OsString::from(place);
        name.push(if number == 0 { ".part".into() } else { format!(".part{number}") });
        PathBuf::from(name)
    };
    for number in 0.. {
        let part = named(number);
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (part, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_else_is_touched() {
        let folder = std::env::temp_dir().join(format!("cassius-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, part) = (folder.join("a.txt"), folder.join("a.txt.part"));
        fs::write(&part, "mine").unwrap();
        try_write(&file).unwrap();
        write(&file, "new").unwrap();
        assert_eq!([&file, &part].map(|path| fs::read_to_string(path).unwrap()), ["new", "mine"]);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        let none: [&Path; 0] = [];
        let again = folder.join(".").join("a.txt");
        assert!(keep_apart(&[&file, &part], &none).is_ok());
        assert!(keep_apart(&[&file, &again], &none).is_err());
        assert!(keep_apart(&[&folder.join("b"), &folder.join(".").join("b")], &none).is_err());
        assert!(keep_apart(&[&again], &[&file]).is_err());
        assert_eq!(read_text(&file).unwrap(), "new");
        let mut protected = fs::metadata(&file).unwrap().permissions();
        protected.set_readonly(true);
        fs::set_permissions(&file, protected).unwrap();
        assert!(try_write(&file).is_err() && write(&file, "newer").is_err());
        assert_eq!(read_text(&file).unwrap(), "new");
        fs::remove_dir_all(&folder).unwrap();
    }
}
