//! A FEN that can be read is written as an equivalent one.

use cassius_chess::Position;

pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(position) = text.trim().parse::<Position>() {
        let written = position.to_string();
        assert_eq!(written.parse::<Position>().as_ref(), Ok(&position), "{written}");
        for mv in position.legal_moves() {
            assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
        }
    }
}
