//! EPD files with any content.

use cassius_chess::notation::EpdLines;

pub fn run(bytes: &[u8]) {
    for line in EpdLines::new(bytes) {
        match line {
            Ok((_, epd)) => drop(epd.to_string()),
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
}
