//! What lichess.org writes into an analysed game: a sentence such as `(0.47 → -3.63) Blunder. Nf3 was best.`,
//! a glyph, and the line of the engine as a variation. It is taken out where new values replace the old ones.

use cassius_chess::pgn::Game;

/// The beginnings of the sentence, with the glyph that belongs to each.
const LABELS: [(&str, u32); 5] = [
    ("Inaccuracy. ", 6),
    ("Mistake. ", 2),
    ("Blunder. ", 4),
    ("Checkmate is now unavoidable. ", 0),
    ("Lost forced checkmate sequence. ", 0),
];

/// The glyphs that may come with a sentence about a mate.
const ANY: [u32; 3] = [2, 4, 6];

/// Removes the sentences, their glyphs, and the variations that begin with the move that was best.
pub fn erase(game: &mut Game) {
    for (at, text) in &mut game.comments {
        while let Some((glyph, best)) = cut(text) {
            let glyphs = if glyph == 0 { &ANY[..] } else { &[glyph] };
            game.glyphs.retain(|(of, number)| of != at || !glyphs.contains(number));
            // A line with a comment, a glyph or another variation in it is not the engine's alone.
            let is_its_line = |text: &str| {
                text.split_whitespace().nth(1) == Some(best.as_str())
                    && !text.contains(['{', '$', '(', '!', '?'])
            };
            game.variations.retain(|(of, text)| of != at || !is_its_line(text));
        }
    }
}

/// Cuts a sentence out of a comment. Returns its glyph and the move that was best.
fn cut(text: &mut String) -> Option<(u32, String)> {
    let (start, end, glyph, best) = LABELS.iter().find_map(|(label, glyph)| {
        let start = text.find(label)?;
        let (best, _) = text[start + label.len()..].split_once(" was best.")?;
        let is_move = !best.is_empty() && !best.contains(char::is_whitespace);
        let end = start + label.len() + best.len() + " was best.".len();
        is_move.then(|| (start, end, *glyph, best.to_string()))
    })?;
    // The values before the label: `(0.47 → -3.63) `.
    let before = text[..start].trim_end();
    let values = before.ends_with(')').then(|| before.rfind('(')).flatten();
    let start = values.filter(|open| before[*open..].contains(" → ")).unwrap_or(before.len());
    let kept = [text[..start].trim_end(), text[end..].trim_start()];
    let kept: Vec<&str> = kept.into_iter().filter(|part| !part.is_empty()).collect();
    *text = kept.join(" ");
    Some((glyph, best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_sentence_its_glyph_and_its_line_go() {
        let text = "1. e4 { [%eval 0.3] } 1... f6?? { (0.30 → 1.47) Mistake. e5 was best. } { [%eval 1.47] } \
                    (1... e5 2. Nf3) (1... c5 { mine }) 2. Nf3 $1 { A good move. Mistake. } *";
        let mut game: Game = text.replace("f6??", "f6 $2").parse().expect("a game");
        erase(&mut game);
        let said: Vec<&str> = game.comments.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(said, ["[%eval 0.3]", "", "[%eval 1.47]", "A good move. Mistake."]);
        assert_eq!(game.glyphs, [(3, 1)]);
        assert_eq!(game.variations.len(), 1);
        assert!(game.variations[0].1.contains("mine"));
    }

    #[test]
    fn a_line_with_somebodys_comment_stays() {
        for line in ["1... e5 { I feared f4. } 2. f4", "1... e5 2. f4!"] {
            let text = format!("1. e4 1... f6 {{ (0.30 → 1.47) Mistake. e5 was best. }} ({line}) *");
            let mut game: Game = text.parse().expect("a game");
            erase(&mut game);
            assert_eq!(game.variations.len(), 1, "{line}");
        }
    }

    #[test]
    fn what_is_around_stays() {
        let mut text =
            "Before. (#3 → 0.10) Lost forced checkmate sequence. Qh5# was best. [%clk 0:01:00]".to_string();
        assert_eq!(cut(&mut text), Some((0, "Qh5#".to_string())));
        assert_eq!(text, "Before. [%clk 0:01:00]");
        let mut mine = "Blunder. I think this was best.".to_string();
        assert_eq!(cut(&mut mine), None);
    }

    proptest! {
        #[test]
        fn no_comment_panics(text in "(Mistake. |was best.|\\(|→|\\)| |Nf3|\\PC){0,12}") {
            let mut text = text;
            while cut(&mut text).is_some() {}
        }
    }
}
