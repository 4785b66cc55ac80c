//! What lichess.org writes into an analysed game: a sentence such as `(0.47 → -3.63) Blunder. Nf3 was best.`,
//! a glyph, and the line of the engine as a variation. It is taken out where new values replace the old ones.
//! In its studies the sentence is a comment of its own without the two values. Within somebody's text it has
//! them: otherwise it is part of the text.

use cassius_chess::pgn::{Game, Variation};

/// The sentence up to the move, with the glyph that belongs to it.
const LABELS: [(&str, u32); 5] = [
    ("Inaccuracy.", 6),
    ("Mistake.", 2),
    ("Blunder.", 4),
    ("Checkmate is now unavoidable.", 0),
    ("Lost forced checkmate sequence.", 0),
];

/// The end of the sentence.
const WAS_BEST: &str = " was best.";

/// The glyphs that may come with a sentence about a mate.
const ANY: [u32; 3] = [2, 4, 6];

/// Removes the sentences, their glyphs, and the variations that begin with the move that was best.
pub fn erase(game: &mut Game) {
    let Game { comments, variations, glyphs, .. } = game;
    let mut lines = Vec::new();
    let mut clean = |at: usize, text: &mut String| {
        cut(text, |glyph, best| {
            let its = if glyph == 0 { &ANY[..] } else { &[glyph] };
            glyphs.retain(|(of, number)| *of != at || !its.contains(number));
            lines.push((at, best.to_string()));
        });
    };
    comments.iter_mut().for_each(|(at, text)| clean(*at, text));
    for variation in &mut *variations {
        variation.behind.iter_mut().for_each(|text| clean(variation.up_to, text));
    }
    variations.retain(|Variation { up_to, text, behind }| {
        // A line with a comment, a glyph or another variation in it is not the engine's alone.
        let is_bare = behind.iter().all(String::is_empty) && !text.contains(['{', '$', '(', '!', '?']);
        let begins = |best: &String| text.split_whitespace().nth(1) == Some(best);
        !(is_bare && lines.iter().any(|(at, best)| at == up_to && begins(best)))
    });
}

/// Cuts the sentences out of a comment, and tells `seen` the glyph and the move that was best.
fn cut(text: &mut String, mut seen: impl FnMut(u32, &str)) {
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text.as_str());
    // The length of the commands that the text begins with, so far.
    let mut commands = 0;
    while let Some((before, after)) = rest.split_once(WAS_BEST) {
        kept += before;
        rest = after;
        commands += commands_in(kept.get(commands..).unwrap_or_default());
        let Some((start, glyph, best)) = sentence(&kept, commands) else {
            kept += WAS_BEST;
            continue;
        };
        seen(glyph, best);
        kept.truncate(kept[..start].trim_end().len());
        rest = rest.trim_start();
        if !kept.is_empty() && !rest.is_empty() {
            kept.push(' ');
        }
    }
    kept += rest;
    *text = kept;
}

/// Returns the length of the commands that a text begins with, and of the spaces about them.
fn commands_in(text: &str) -> usize {
    let mut rest = text.trim_start();
    while let Some((_, after)) = rest.strip_prefix("[%").and_then(|rest| rest.split_once(']')) {
        rest = after.trim_start();
    }
    text.len() - rest.len()
}

/// Returns where the sentence begins that ends with this text, its glyph and the move. The text begins with
/// commands of this length.
fn sentence(text: &str, commands: usize) -> Option<(usize, u32, &str)> {
    let (before, best) = text.rsplit_once(' ').filter(|(_, best)| !best.is_empty())?;
    let (before, glyph) =
        LABELS.iter().find_map(|(label, glyph)| Some((before.strip_suffix(label)?, *glyph)))?;
    let before = before.trim_end();
    // `(0.47 → -3.63)`, `(Mate in 3 → Mate in 12)`: seven words at most.
    let words = before.rmatch_indices(' ').map(|(at, _)| at + 1).chain([0]).take(7);
    let mut values = words.filter(|at| before[*at..].starts_with('(') && before[*at..].contains(" → "));
    let start = match before.ends_with(')') {
        true => values.next(),
        false => (before.len() <= commands).then_some(before.len()),
    };
    Some((start?, glyph, best))
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
        assert!(game.variations[0].text.contains("mine"));
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

    fn cut_out(text: &str) -> (String, Vec<(u32, String)>) {
        let (mut text, mut found) = (text.to_string(), Vec::new());
        cut(&mut text, |glyph, best| found.push((glyph, best.to_string())));
        (text, found)
    }

    #[test]
    fn what_is_around_stays() {
        for values in ["#3 → 0.10", "Mate in 3 → 0.10", "Mate in 3 → Mate in 12"] {
            let text =
                format!("Before. ({values}) Lost forced checkmate sequence. Qh5# was best. [%clk 0:01:00]");
            let (text, found) = cut_out(&text);
            assert_eq!((text.as_str(), found), ("Before. [%clk 0:01:00]", vec![(0, "Qh5#".to_string())]));
        }
        // A label of somebody else may stand before.
        let text = "First Mistake. Then more. (0.30 → 1.47) Mistake. d4 was best.";
        assert_eq!(cut_out(text), ("First Mistake. Then more.".into(), vec![(2, "d4".into())]));
    }

    #[test]
    fn without_values_it_is_a_comment_of_its_own() {
        let found = vec![(4, "Qh4#".to_string())];
        assert_eq!(cut_out("Blunder. Qh4# was best."), (String::new(), found.clone()));
        assert_eq!(cut_out("[%eval 0.3] Blunder. Qh4# was best."), ("[%eval 0.3]".into(), found));
        let (text, found) = cut_out("Blunder. Qh4# was best. [%csl Ra1] Blunder. Qh5# was best. Mine.");
        assert_eq!((text.as_str(), found.len()), ("[%csl Ra1] Mine.", 2));
        for mine in [
            "Blunder. I think this was best.",
            "I thought: Blunder. Qh4# was best.",
            "[%eval 0.3] I thought: Blunder. Qh4# was best.",
            "(Mine) Blunder. Qh4# was best.",
        ] {
            assert_eq!(cut_out(mine), (mine.to_string(), Vec::new()));
        }
    }

    proptest! {
        #[test]
        fn no_comment_panics(text in "(Mistake. | was best.|\\(|→|\\)| |Nf3|\\PC){0,12}") {
            cut_out(&text);
        }
    }
}
