//! Output for people: error messages, styles, progress. Colours and progress bars appear on a terminal
//! only.

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt;
use std::io;

/// The style of errors.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The style of the most important parts.
pub const STRONG: Style = Style::new().bold();
/// The style of minor details.
pub const DIM: Style = Style::new().dimmed();

/// Replaces characters that must not be sent to a terminal or that a picture cannot contain.
pub fn printable(c: char) -> char {
    if c.is_control() || ['\u{fffe}', '\u{ffff}'].contains(&c) { '\u{fffd}' } else { c }
}

/// Replaces such characters in a stranger's text.
pub fn harmless_text(text: &str) -> String {
    text.chars().map(printable).collect()
}

/// Returns a count with its noun in the singular or plural.
pub fn counted(many: usize, one: &str, several: &str) -> String {
    format!("{many} {}", if many == 1 { one } else { several })
}

/// Standard output of a command that also writes files. If its reader has gone, what is printed is lost, and
/// the files are written all the same.
pub struct Stdout {
    out: anstream::AutoStream<io::StdoutLock<'static>>,
    /// Whether there are files to be written.
    files: bool,
}

/// Returns standard output. `files` says whether the command writes files too; without them, an output that
/// nobody reads is an error.
pub fn stdout(files: bool) -> Stdout {
    Stdout { out: anstream::stdout().lock(), files }
}

impl Stdout {
    fn unless_lost<T>(&self, done: io::Result<T>, lost: T) -> io::Result<T> {
        match done {
            Err(error) if self.files && error.kind() == io::ErrorKind::BrokenPipe => Ok(lost),
            done => done,
        }
    }
}

impl io::Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.write(bytes);
        self.unless_lost(done, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.unless_lost(done, ())
    }
}

/// Replaces such characters in the text of a message, which may quote a stranger's file.
fn harmless(what: fmt::Arguments<'_>) -> String {
    what.to_string().chars().map(|c| if c == '\n' { c } else { printable(c) }).collect()
}

/// Prints an error on standard error, in one line.
pub fn complain(what: fmt::Arguments<'_>) {
    use std::io::Write as _;
    // If standard error is closed, the message is lost.
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {}", harmless(what));
}

/// Prints a remark on standard error, in one line.
pub fn note(what: fmt::Arguments<'_>) {
    use std::io::Write as _;
    let _ = writeln!(anstream::stderr(), "{STRONG}note:{STRONG:#} {}", harmless(what));
}

/// Returns a progress bar on standard error for `len` pieces of work. It is invisible unless standard
/// error is a terminal. With one piece, or none if their number is not known, only time and message are
/// shown.
///
/// Hide it while printing with [`ProgressBar::suspend`].
pub fn progress(len: u64) -> ProgressBar {
    let template = match len {
        0 => "{spinner} {pos} done  {elapsed}  {msg}",
        1 => "{spinner} {elapsed}  {msg}",
        _ => "{wide_bar} {pos}/{len}  {elapsed} of {duration}  {msg}",
    };
    let bar = ProgressBar::new(len);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
