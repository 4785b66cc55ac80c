//! What people see: complaints, styles, progress. Colours and bars appear on a terminal only.

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt;

/// For what went wrong.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// For what the eye should find first.
pub const STRONG: Style = Style::new().bold();
/// For what may be passed over.
pub const DIM: Style = Style::new().dimmed();

/// Says on standard error, in one line, what went wrong.
pub fn complain(what: fmt::Arguments<'_>) {
    use std::io::Write as _;
    // Nothing can be done if standard error is closed.
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {what}");
}

/// Says on standard error, in one line, what is to be known about what was done.
pub fn note(what: fmt::Arguments<'_>) {
    use std::io::Write as _;
    let _ = writeln!(anstream::stderr(), "{STRONG}note:{STRONG:#} {what}");
}

/// A progress bar on standard error for `len` pieces of work, invisible unless that is a terminal.
/// With one piece, or none if their number is not known, only time and message are shown.
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
