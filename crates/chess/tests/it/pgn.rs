//! Tests reading and writing of games.

use cassius_chess::Position;
use cassius_chess::notation::EpdLines;
use cassius_chess::pgn::{Game, GameResult, Games, Variation};
use cassius_search::Game as _;
use proptest::prelude::*;

fn games(text: &str) -> Vec<Result<Game, String>> {
    Games::new(text.as_bytes()).map(|game| game.map_err(|error| error.to_string())).collect()
}

const GAME: &str = r#"[Event "Vienna \"A\""]
[Site "?"]
[Date "1910.??.??"]
[Round "?"]
[White "Réti"]
[Black "Tartakower"]
[Result "1-0"]
[Opening "Caro-Kann"]

1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 $6 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5
8. O-O-O Nxe4 $4 { Loses at once. The rest is one of the most famous mates there
is. } 9. Qd8+ $3 Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0
"#;

#[test]
fn a_game_is_written_as_it_is_read() {
    let game: Game = GAME.parse().unwrap();
    assert_eq!(game.to_string(), GAME);
    assert_eq!((game.moves.len(), game.result), (21, GameResult::WhiteWins));
    assert_eq!(game.tag("Event"), Some("Vienna \"A\""));
    assert!(game.last_position().is_checkmate());
    assert_eq!(game.positions().count(), 22);
    let again: Game = game.to_string().parse().unwrap();
    assert_eq!((again.moves, again.comments, again.glyphs), (game.moves, game.comments, game.glyphs));
}

#[test]
fn the_main_line_is_found_in_what_surrounds_it() {
    let text = "\u{feff}% a line to skip\n\
                1.e4! (1.d4 d5 (1...Nf6 {Indian (not here)}) 2.c4) e5 ; to the end (of line\n\
                2 . Nf3 Nc6?! $14 3.Bb5 a6 4.0-0 {over\nlines} 4...Nf6 1/2-1/2\n\n1. d4 *\n1. c4 *";
    let games = games(text);
    assert_eq!(games.len(), 3);
    let first = games[0].as_ref().unwrap();
    let line = Position::default().line_to_san(&first.moves);
    assert_eq!(line, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6");
    assert_eq!(first.moves.len(), 8);
    assert_eq!(first.result, GameResult::Draw);
    assert_eq!(first.glyphs, [(1, 1), (4, 6), (4, 14)]);
    assert_eq!(first.comments, [(2, "to the end (of line".into()), (7, "over lines".into())]);
    let variation = |up_to, text: &str| Variation { up_to, text: text.into(), behind: Vec::new() };
    assert_eq!(first.variations, [variation(1, "1.d4 d5 ( 1...Nf6 { Indian (not here) } ) 2.c4")]);
    let text = first.to_string();
    assert!(text.contains("1. e4 $1 (1.d4 d5 ( 1...Nf6 { Indian (not here) } ) 2.c4 ) 1... e5"), "{text}");
    let again: Game = text.parse().unwrap();
    assert_eq!((again.to_string(), &again.variations), (text, &first.variations));
    assert_eq!(games[2].as_ref().unwrap().result, GameResult::Unfinished);
}

#[test]
fn what_is_said_behind_the_result_is_said_of_that_game() {
    let text = "1. e4 1-0 {one} ; two\n{three}\n{four}\n\n[Event \"2\"]\n\n1. d4 0-1\n{five}\n\n\
                {six\n\nlines}\n\n; seven\n\n1. c4 *\n\n{eight}\n";
    let games: Vec<Game> = games(text).into_iter().map(Result::unwrap).collect();
    let said = |game: &Game| game.comments.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
    assert_eq!(
        games.iter().map(said).collect::<Vec<_>>(),
        [vec!["one", "two", "three", "four"], vec!["five", "six lines", "seven"], vec!["eight"]]
    );
}

/// Some programs end all moves with `*`.
#[test]
fn a_result_that_only_the_tag_has_stays() {
    let game: Game = "[Result \"1-0\"]\n\n1. e4 e5 *".parse().unwrap();
    assert_eq!((game.result, game.tagged, game.doubt()), (GameResult::WhiteWins, None, None));
    let text = game.to_string();
    assert!(text.contains("[Result \"1-0\"]") && text.ends_with("1. e4 e5 1-0\n"), "{text}");
    assert_eq!(text.parse::<Game>().unwrap().result, game.result);
}

#[test]
fn every_glyph_stays() {
    let game: Game = "$13 1. d4 $1$146 d5!$10 2. c4 $300 *".parse().unwrap();
    assert_eq!(game.glyphs, [(0, 13), (1, 1), (1, 146), (2, 1), (2, 10), (3, 300)]);
    let again: Game = game.to_string().parse().unwrap();
    assert_eq!(again.glyphs, game.glyphs);
}

#[test]
fn other_rules_are_refused() {
    let text = "[Variant \"Antichess\"]\n\n1. e3 b5 *\n\n[Variant \"From Position\"]\n\n1. e4 *\n";
    let games = games(text);
    assert_eq!(
        games[0].as_ref().unwrap_err(),
        "game 1, line 1: tag Variant: 'Antichess' is neither chess nor Chess960"
    );
    assert_eq!(games[1].as_ref().unwrap().moves.len(), 1);
}

#[test]
fn a_mark_of_byte_order_may_stand_before_latin_1() {
    let text = b"\xef\xbb\xbf[White \"R\xe9ti\"]\n\n1. e4 *\n";
    let game = Games::new(&text[..]).next().unwrap().unwrap();
    assert_eq!((game.tag("White"), game.moves.len()), (Some("R\u{e9}ti"), 1));
}

#[test]
fn a_bad_game_does_not_stop_the_next() {
    let text = "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb9 a6 1-0\n\n\
                [FEN \"8/8/8 w - -\"]\n\n1. e4 *\n\n\
                [White \"C]\n\n1. e4 e5 *\n\n\
                [White \"D\"]\n\n1. e4 rubbish e5 *\n\n\
                [White \"E\"]\n\n1. e4 Nf6 2. Nf3 Nd5 3. Ne5 Nf6 0-1\n\n\
                [White \"F\"]\n\n1. e4 (1. d4 {never closed\n[Event \"x\"]\n";
    let errors: Vec<String> = games(text).into_iter().map(|game| game.err().unwrap_or_default()).collect();
    assert_eq!(
        errors,
        [
            "game 1, line 3: move 3.: 'Bb9' is not a move",
            "game 2, line 5: tag FEN: FEN board: 3 ranks, not 8",
            "game 3, line 9: broken tag: [White \"C]",
            "game 4, line 15: move 1...: 'rubbish' is not a move",
            "",
            "game 6, line 23: the text ends within a comment",
        ]
    );
    let partial = |text: &str| Games::new(text.as_bytes()).next().unwrap().unwrap_err().partial;
    assert_eq!(partial("[White \"C]\n\n1. e4 e5 *").moves.len(), 2);
    assert_eq!(partial("1. e4 e5 (2. d4").moves.len(), 2);
}

#[test]
fn what_stands_around_a_game_belongs_to_it() {
    let text = "{ A file. }\n[White \"A\"]\n\n1. e4 e5 1-0 { Black resigns. } { At once. }\n\n\
                \u{feff}[White \"B\"]\n\n1. d4 (1. c4 c5 1... d5 2. Nf3 *\n\n[White \"C\"]\n\n1. c4 *\n";
    let games = games(text);
    assert_eq!(games.len(), 3);
    let first = games[0].as_ref().unwrap();
    assert_eq!((first.tag("White"), first.result), (Some("A"), GameResult::WhiteWins));
    let comments = [(0, "A file."), (2, "Black resigns."), (2, "At once.")];
    assert_eq!(first.comments, comments.map(|(at, text)| (at, text.to_string())));
    // An unclosed variation hides the rest of its game, but it is reported.
    assert_eq!(games[1].as_ref().unwrap_err(), "game 2, line 10: the text ends within a variation");
    assert_eq!(games[2].as_ref().unwrap().tag("White"), Some("C"));
}

#[test]
fn a_comment_that_is_never_closed_ends_where_the_next_game_begins() {
    let rest = "[White \"B\"]\n\n1. e4 {x} e5 2. Nf3 1-0\n\n[White \"C\"]\n\n1. d4 d5 *\n";
    for first in ["1. e4 {oops *", "1. e4 (1. d4 {oops *", "1. e4 * {oops"] {
        let text = format!("[White \"A\"]\n\n{first}\n\n{rest}");
        for text in [text.replace('\n', "\r\n"), text] {
            let error = Games::new(text.as_bytes()).next().unwrap().unwrap_err();
            assert_eq!(error.to_string(), "game 1, line 3: the text ends within a comment");
            assert_eq!((error.partial.tag("White"), error.partial.moves.len()), (Some("A"), 1));
            let games = games(&text);
            assert_eq!(games.len(), 3);
            let whole = |index: usize| games[index].as_ref().unwrap();
            assert_eq!((whole(1).tag("White"), whole(1).moves.len()), (Some("B"), 3));
            assert_eq!(whole(1).comments, [(1, "x".to_string())]);
            assert_eq!((whole(2).tag("White"), whole(2).moves.len()), (Some("C"), 2));
        }
    }
}

#[test]
fn brackets_in_a_comment_are_part_of_it() {
    let comments = [
        "so\n\n[%eval 0.3] it goes",
        "so\n\n[%clk 0:05:00]",
        "so\n[White \"B\"]",
        "[White \"B\"]",
        "\n[White \"B\"]",
        "so\n\n[see \"B\"]",
        "so\n\n[As \n\n[White says, \"B\"]",
        "so\n\n[]\n\n[\"]\n\n[",
        "so\n\n it is [White \"B\"]",
    ];
    for comment in comments {
        let text = format!("[White \"A\"]\n\n1. e4 {{{comment}}} e5 *\n");
        for text in [text.replace('\n', "\r\n"), text] {
            let game: Game = text.parse().unwrap();
            let words: Vec<&str> = comment.split_whitespace().collect();
            assert_eq!((game.moves.len(), &game.comments), (2, &vec![(1, words.join(" "))]));
        }
    }
}

#[test]
fn what_is_not_unicode_is_latin_1() {
    let text = b"[White \"M\xfcller\"]\n[Black \"M\xc3\xbcller\"]\n\n1. e4 *\n";
    let game = Games::new(&text[..]).next().unwrap().unwrap();
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("Müller"), Some("Müller")));
    // Windows has letters and quotation marks where Latin-1 has control characters.
    let text = b"[White \"\x8aim\xe1nek, \x8eeljko\"]\n[Black \"O\x92Kelly\"]\n\n1. e4 { \x84Gut\x93 } *\n";
    let game = Games::new(&text[..]).next().unwrap().unwrap();
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("Šimánek, Željko"), Some("O’Kelly")));
    assert!(game.to_string().contains("{ „Gut“ }"), "{game}");
}

#[test]
fn utf_16_is_named() {
    let text = "1. e4 *\n";
    for (mark, bytes) in
        [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes)]
    {
        let text: Vec<u8> = mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect();
        let errors: Vec<String> = Games::new(&text[..]).map(|game| game.unwrap_err().to_string()).collect();
        assert_eq!(errors, ["game 1, line 1: cannot be read: the text is in UTF-16: save it as UTF-8"]);
        let error = EpdLines::new(&text[..]).next().unwrap().unwrap_err().to_string();
        assert_eq!(error, "line 1: cannot be read: the text is in UTF-16: save it as UTF-8");
    }
}

/// Returns two games with every element that a game may have.
fn two_games() -> String {
    let second = "[White \"B\"]\n[FEN \"8/8/8/8/8/4k3/8/4K2R w K - 0 40\"]\n\n\
                  40. O-O $1 (40. Rh3+ Ke4 $5 { so }) Ke2 ; end\n41. Rf2+ 1/2-1/2\n";
    format!("{GAME}\n{second}")
}

/// Truncated at any place, a game is reported, and the part before the cut is read.
#[test]
fn a_game_that_is_cut_off_is_named() {
    let text = two_games();
    let (first, end) = (GAME.trim_end().len(), text.trim_end().len());
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let mut named = 0;
    for at in places {
        let cut = &text[..at];
        let read = games(cut);
        let broken = read.iter().filter(|game| game.is_err()).count();
        let is_whole = at == 0 || (first..=first + 2).contains(&at) || at >= end;
        assert_eq!(broken, usize::from(!is_whole), "{cut}\n{read:?}");
        assert_eq!(read.len(), usize::from(at > 0) + usize::from(at > first + 2), "{cut}");
        if at > first {
            assert_eq!(read[0].as_ref().unwrap().to_string(), GAME);
        }
        named += broken;
        // The next game is not part of it. (`1/2` is a result, but only at the end of a text.)
        if !is_whole && !cut.ends_with("1/2") {
            let joined = format!("{cut}\n\n[Event \"next\"]\n\n1. h4 *\n");
            let read = games(&joined);
            let last = read.last().unwrap().as_ref();
            assert_eq!(last.map(|game| game.moves.len()), Ok(1), "{joined}");
            assert!(read.iter().filter(|game| game.is_err()).count() == 1, "{joined}\n{read:?}");
        }
    }
    assert!(named > 400, "{named}");
}

/// A game truncated at any of a hundred byte offsets is reported.
#[test]
fn of_a_hundred_cuts_a_hundred_are_named() {
    let game = GAME.trim_end().as_bytes();
    let named = |cut: usize| Games::new(&game[..1 + cut * (game.len() - 2) / 99]).any(|game| game.is_err());
    assert_eq!((0..100).filter(|cut| named(*cut)).count(), 100);
}

#[test]
fn a_game_ends_with_its_result() {
    let complaints = |text: &str| {
        let found = games(text).into_iter();
        found
            .map(|game| game.map_or_else(|error| error, |game| game.moves.len().to_string()))
            .collect::<Vec<_>>()
    };
    let no_result = "the game ends without a result (1-0, 0-1, 1/2-1/2 or *)";
    for (text, expected) in [
        ("1. e4 e5 2.", vec![format!("game 1, line 1: {no_result}")]),
        ("1. e4 e5\n2.\n\n", vec![format!("game 1, line 2: {no_result}")]),
        ("1.", vec![format!("game 1, line 1: {no_result}")]),
        ("[White \"only tags\"]", vec![format!("game 1, line 1: {no_result}")]),
        ("1. e4 e5 2.\n\n1. d4 *", vec![format!("game 1, line 1: {no_result}"), "1".into()]),
        (
            "[White \"A\"]\n\n[White \"B\"]\n\n1. d4 *",
            vec![format!("game 1, line 1: {no_result}"), "1".into()],
        ),
        ("1. e4 *\n\n{ The end. }", vec!["1".into()]),
        ("1. e4 *\n\n{ Game 2 } e4 e5 0-1", vec!["1".into(), "2".into()]),
        ("{ The end. }", vec![format!("game 1, line 1: {no_result}")]),
        ("1. e4 e5 1/2", vec!["game 1, line 1: move 2.: '1/2' is not a move".into()]),
        ("1. e4 e5 1/2\n", vec!["2".into()]),
        // The reader adds nothing that is not in the text.
        ("1. e4 e5 1-0 2. Nf3 *", vec!["game 1, line 1: unexpected '2.' after the result".into()]),
        (
            "1. e4 e5 1-0 *\n1. d4 *",
            vec!["game 1, line 1: unexpected '*' after the result".into(), "1".into()],
        ),
        (
            "1. e4 1-0 2. d4 d5 {so} 1-0 {yes}\n\n1. d4 *",
            vec!["game 1, line 1: unexpected '2.' after the result".into(), "1".into()],
        ),
        (
            "1. e4 *\n\n2. Nf3 *",
            vec!["1".into(), "game 2, line 3: the game begins with move 2, but it has no FEN tag".into()],
        ),
        (
            "1. e4 1-0 1. d4 d5 0-1 [White \"C\"] *\nc4 c5 Nc3 *",
            vec!["1".into(), "2".into(), "0".into(), "3".into()],
        ),
        ("1. e4 1-0 (1. d4) {why} $1\n\n", vec!["game 1, line 1: unexpected '$1' after the result".into()]),
        // The reader loses nothing.
        ("1. e4 ) e5 *", vec!["game 1, line 1: unmatched ')'".into()]),
        ("1. e4 {a} b} e5 *", vec!["game 1, line 1: move 1...: 'b' is not a move".into()]),
        ("1. e4 0000 2. d4 *", vec!["game 1, line 1: move 1...: '0000' is not a move".into()]),
    ] {
        assert_eq!(complaints(text), expected, "{text}");
    }
    // A number repeated on the next lines is a matter of style.
    assert_eq!(complaints("1. e4\n\n1... e5 2. d4\n\n2... d5 *"), ["4"]);
}

#[test]
fn what_is_no_glyph_is_named() {
    for (glyph, named) in [
        ("$-1", "$-1"),
        ("$", "$"),
        ("$+1", "$+1"),
        ("$99999999999", "$99999999999"),
        ("$1$", "$"),
        ("!!!", "!!!"),
        ("!e5", "!e5"),
    ] {
        for place in ["1. e4", "1. e4 "] {
            let error = games(&format!("{place}{glyph} e5 *")).remove(0).unwrap_err();
            let says = format!(
                "game 1, line 1: '{named}' is not a glyph; expected $ and a number, or one of ! ? !! ?? !? ?!"
            );
            assert_eq!(error, says);
        }
    }
    let partial = Games::new("1. e4 $-1 e5 $3 *".as_bytes()).next().unwrap().unwrap_err().partial;
    assert_eq!((partial.moves.len(), partial.glyphs), (2, vec![(2, 3)]));
}

#[test]
fn a_comment_behind_a_variation_stays_there() {
    let text = "1. e4 e5 2. Nf3 { best } (2. f4 { gambit } ) { Instead of it } { White develops. } (2. Nc3 ) \
                { This is possible, too. } 2... Nc6 (2... d6 ) { The end. } * ";
    let game: Game = text.parse().unwrap();
    assert!(game.to_string().replace('\n', " ").ends_with(text), "{game}");
    let comments: Vec<&str> = game.comments_at(3).collect();
    assert_eq!(comments, ["best", "Instead of it", "White develops.", "This is possible, too."]);
}

#[test]
fn brackets_within_a_variation_stay() {
    let game: Game = "1. e4 (1. d4 [x] } d5) e5 *".parse().unwrap();
    assert_eq!((game.variations[0].up_to, game.variations[0].text.as_str()), (1, "1. d4 [ x ] } d5"));
    assert_eq!(game.to_string().parse::<Game>().unwrap().variations, game.variations);
}

#[test]
fn other_starts() {
    let text = "[Variant \"Chess960\"]\n\
                [FEN \"nrkbbrnq/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRNQ w FBfb - 0 1\"]\n\n1. O-O-O *";
    // Only the bishop on d1 stands between b1 and c1.
    let error = text.parse::<Game>().unwrap_err().to_string();
    assert_eq!(error, "game 1, line 4: move 1.: 'O-O-O' is not legal here");

    let text = "[FEN \"rkr5/ppp2p2/8/8/8/8/PPP2P2/RKR5 b CAca - 3 40\"]\n\n40... O-O 41. O-O *\n";
    let game: Game = text.parse().unwrap();
    assert_eq!(game.moves.len(), 2);
    let written = game.to_string();
    assert!(written.contains(
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"rkr5/ppp2p2/8/8/8/8/PPP2P2/RKR5 b KQkq - 3 40\"]"
    ));
    assert!(written.ends_with("\n40... O-O 41. O-O *\n"), "{written}");
    assert_eq!(written.parse::<Game>().unwrap().moves, game.moves);
}

#[test]
fn an_empty_text_has_no_game() {
    assert!(games("").is_empty());
    assert!(games(" \n\n%x\n").is_empty());
    assert_eq!(games("[White \"only tags\"]").len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn random_games_are_read_back(
        choices in prop::collection::vec(any::<u16>(), 0..200),
        comments in prop::collection::vec((0usize..200, "[ -z]{1,120}"), 0..4),
        value in "\\PC{0,40}",
    ) {
        let mut game = Game::default();
        let mut position = game.start.clone();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() { break }
            let mv = moves[choice as usize % moves.len()];
            game.moves.push(mv);
            position.play(mv);
        }
        game.set_tag("White", value);
        for (at, text) in comments {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if !text.is_empty() && at <= game.moves.len() { game.comments.push((at, text)) }
        }
        game.comments.sort_by_key(|(at, _)| *at);
        let text = game.to_string();
        let read: Game = text.parse().unwrap();
        prop_assert_eq!(&read.moves, &game.moves);
        prop_assert_eq!(&read.comments, &game.comments);
        prop_assert_eq!(read.tag("White"), game.tag("White"));
        if game.comments.is_empty() {
            prop_assert!(text.split("\n\n").last().unwrap().lines().all(|line| line.chars().count() <= 80));
        }
    }

    #[test]
    fn nothing_makes_the_reader_panic(
        text in "([\\[\\](){};$!?.*%\n\" ]|1\\. |e4|Nf3|O-O|1-0|White|\\PC){0,120}",
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        for game in Games::new(text.as_bytes()) {
            let whole = game.is_ok();
            let game = game.unwrap_or_else(|error| *error.partial);
            let again = game.to_string().parse::<Game>();
            prop_assert!(!whole || again.is_ok_and(|again| again.moves == game.moves), "{game}");
        }
        // Text without a game is an error.
        let read = Games::new(text.as_bytes()).count();
        let blank = text.lines().all(|line| line.starts_with('%') || line.trim().is_empty());
        prop_assert!(blank || read > 0, "{text}");
        let _ = Games::new(&bytes[..]).count();
    }
}

/// Old files annotate positions with the symbols of the Informant.
#[test]
fn signs_between_moves_are_glyphs() {
    let game: Game = "1. e4 = e5 ± 2. Nf3!? -+ Nc6 □ ∞ 3. Bb5 N *".parse().expect("a game");
    assert_eq!(game.moves.len(), 5);
    assert_eq!(game.glyphs, [(1, 10), (2, 16), (3, 5), (3, 19), (4, 7), (4, 13), (5, 146)]);
}

/// A sequence of many words, none of which should begin a line.
#[test]
fn many_brackets_in_a_row_are_broken_over_lines() {
    let brackets: Vec<String> = (1..60).map(|number| format!("[{number}]")).collect();
    let game =
        format!("1. e4 {{ {} }} e5 {{ 99 %  of [%clk 0:05:00] [%emt 0:00:01] }} *", brackets.join(" "));
    let game: Game = game.parse().expect("a game");
    let text = game.to_string();
    assert!(text.lines().all(|line| line.chars().count() <= 80 && !line.starts_with('%')), "{text}");
    let again: Game = text.parse().expect("a game");
    assert_eq!(again.comments, game.comments);
}

/// Programs and people wrap comments anywhere.
#[test]
fn a_percent_sign_within_a_comment_is_text() {
    let text = "1. f3 { [%eval -0.58] [%safe 1.00,2.00,$6] White falls from 51 % to 45 %. } \
                (1. e4 { In 54 % of all games. } e5) 1... e5 { [%clk 0:05:00] } *";
    let game: Game = text.parse().unwrap();
    for width in 1..text.len() {
        let mut wrapped = String::new();
        for word in text.split(' ') {
            let column = wrapped.len() - wrapped.rfind('\n').map_or(0, |end| end + 1);
            wrapped += if column + 1 + word.len() > width { "\n" } else { " " };
            wrapped += word;
        }
        let again: Game = wrapped.parse().unwrap();
        assert_eq!((again.moves, again.comments), (game.moves.clone(), game.comments.clone()), "{wrapped}");
        assert_eq!(again.variations, game.variations, "{wrapped}");
    }
}

/// A variation may end with a result, or with none.
#[test]
fn variations_with_results_are_read() {
    for text in ["1... c5 2. Nf3 1-0", "1... c5 2. Nf3 1-0 {cited}", "1... c5 2. Nf3 *", "1... c5 2. Nf3"] {
        let game: Game = format!("1. e4 e5 ({text}) 2. Nf3 *").parse().expect("a game");
        let (played, variation) = game.read_variations().next().expect("a variation");
        assert_eq!((played, variation.expect(text).moves.len()), (1, 2), "{text}");
    }
    let game: Game = "1. e4 e5 (1... c5 2. Ng3) 2. Nf3 *".parse().expect("a game");
    let (_, variation) = game.read_variations().next().expect("a variation");
    assert_eq!(variation.expect_err("no such move").line, 1);
}

/// A backslash stands for itself, unless it stands before a quotation mark or another one.
#[test]
fn no_backslash_is_lost() {
    let game: Game = r#"[Source "C:\db\games.pgn \"mine\" a\\b"]

1. e4 *"#
        .parse()
        .expect("a game");
    assert_eq!(game.tag("Source"), Some(r#"C:\db\games.pgn "mine" a\b"#));
    let again: Game = game.to_string().parse().expect("a game");
    assert_eq!(again.tag("Source"), game.tag("Source"));
}
