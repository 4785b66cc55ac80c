//! EPD files of any content.
#![no_main]

use cassius_chess::notation::EpdLines;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for line in EpdLines::new(bytes) {
        match line {
            Ok((_, epd)) => drop(epd.to_string()),
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
});
