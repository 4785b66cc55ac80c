//! Lines of files, however long.

use std::io::{self, BufRead, Read as _};

/// The greatest length of a line in bytes.
const LONGEST: u64 = 64 << 20;

/// Reads a line with its end, and adds it to `bytes`. Returns its length, 0 at the end of the file.
///
/// ```
/// use cassius_chess::notation::read_line;
/// let mut line = Vec::new();
/// assert_eq!(read_line(&mut "1. e4\n1... e5".as_bytes(), &mut line)?, 6);
/// assert_eq!(line, b"1. e4\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If it cannot be read, or is longer than 64 MiB: then it is no text of people or programs, and might never
/// end. If it begins with the byte order mark of UTF-16.
pub fn read_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let start = bytes.len();
    let length = reader.by_ref().take(LONGEST).read_until(b'\n', bytes)?;
    if length as u64 == LONGEST && !bytes.ends_with(b"\n") {
        return Err(io::Error::other(format!("a line of more than {} MiB", LONGEST >> 20)));
    }
    if matches!(&bytes[start..], [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the text is in UTF-16: save it as UTF-8"));
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_end_is_refused() {
        let mut endless = io::BufReader::new(io::repeat(0));
        assert!(read_line(&mut endless, &mut Vec::new()).is_err());
        let (mut last, mut line) = ("a\nb".as_bytes(), Vec::new());
        let lengths = [(); 3].map(|()| read_line(&mut last, &mut line).unwrap());
        assert_eq!((lengths, line), ([2, 1, 0], b"a\nb".to_vec()));
    }
}
