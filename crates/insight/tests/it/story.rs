//! The story of a game: openings, phases, accuracy, key moments.

use cassius_chess::pgn::Game;
use cassius_insight::{Analyst, Effort, MomentKind, Story, annotate, erase, write_into};

fn annotated(pgn: &str) -> (Game, cassius_insight::AnnotatedGame) {
    let effort = Effort { nodes: 5_000, plan_nodes: 0, ..Effort::default() };
    let mut analyst = Analyst::new(effort, 1).expect("memory");
    let game: Game = pgn.parse().expect("a game");
    let annotated =
        annotate(&mut analyst, &game, &mut |_, _| true).expect("an answer").expect("not interrupted");
    (game, annotated)
}

fn story(pgn: &str) -> Story {
    Story::of(&annotated(pgn).1)
}

fn ends(pgn: &str) -> Option<(bool, MomentKind)> {
    let last = story(pgn).moments.into_iter().next_back()?;
    Some((last.white, last.kind))
}

const EVEN: &str = "[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
const WON: &str = "[FEN \"4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1\"]\n";

#[test]
fn endings_away_from_the_board_are_judged() {
    assert_eq!(ends(&format!("{EVEN}\n1. Kd2 Kd7 1-0")), Some((false, MomentKind::ResignedTooEarly)));
    let time = format!("{EVEN}[Termination \"Time forfeit\"]\n\n1. Kd2 Kd7 1-0");
    assert_eq!(ends(&time), Some((false, MomentKind::LostOnTime)));
    let rules = format!("{EVEN}[Termination \"Rules infraction\"]\n\n1. Kd2 Kd7 1-0");
    assert_eq!(ends(&rules), None);
    // A name is not looked for within words.
    for (names, why, kind) in [
        ("[White \"A\"]\n[Black \"B\"]\n", "Abandoned", None),
        ("[White \"Alice\"]\n[Black \"In\"]\n", "Rules infraction", None),
        ("[White \"Tim\"]\n[Black \"Bob\"]\n", "Time forfeit", Some(MomentKind::LostOnTime)),
        (
            "[White \"Time\"]\n[Black \"Bob\"]\n",
            "Time won - Bob resigned",
            Some(MomentKind::ResignedTooEarly),
        ),
    ] {
        let game = format!("{EVEN}{names}[Termination \"{why}\"]\n\n1. Kd2 Kd7 1-0");
        assert_eq!(ends(&game).map(|(_, kind)| kind), kind, "{game}");
    }
    // Who did not come has not resigned.
    assert_eq!(ends("[Result \"0-1\"]\n\n0-1"), None);
    assert_eq!(ends(&format!("{WON}\n1. Kd2 Kd7 1-0")), None);
    assert_eq!(ends(&format!("{WON}\n1. Kd2 Kd7 1/2-1/2")), Some((true, MomentKind::DrawnTooEarly)));
    assert_eq!(ends(&format!("{EVEN}\n1. Kd2 Kd7 1/2-1/2")), None);
    assert_eq!(ends(&format!("{EVEN}\n1. Kd2 Kd7 *")), None);
    // Over on the board: nobody resigned.
    assert_eq!(ends("1. f3 e5 2. g4 Qh4# 0-1").map(|(_, kind)| kind), Some(MomentKind::Error));
}

/// Neither a resignation nor a loss on time is said without a witness.
#[test]
fn how_a_side_lost_is_as_the_game_says() {
    for (tags, said, told) in [
        ("", "", Some("Black loses from a position that holds: Black has ")),
        ("[Termination \"Time forfeit\"]", "", Some("Black runs out of time in")),
        ("[Termination \"normal\"]", "", Some("Black resigns in")),
        ("[Termination \"A won by resignation\"]", "", Some("Black resigns in")),
        ("", "{ Black resigns. }", Some("Black resigns in")),
        ("[Termination \"Normal\"]", "{Black forfeits on time}", Some("Black runs out of time in")),
        ("", "{ In time trouble. }", Some("Black loses from")),
        ("", "{ Black castles just on time. }", Some("Black loses from")),
        ("", "(1... Kd8 { and Black resigns })", Some("Black loses from")),
        ("[Termination \"Normal\"]", "{ Black forfeits the right to castle. }", Some("Black resigns in")),
        ("[Black \"Resi Resign\"]", "{ Resi Resign was tired. }", Some("Black loses from")),
        ("", "{adjudicated}", None),
    ] {
        let pgn = format!("{EVEN}{tags}\n\n1. Kd2 Kd7 {said} 1-0");
        let last = story(&pgn).moments.pop();
        let text = last.as_ref().map(|moment| moment.text.as_str());
        assert_eq!(text.is_some(), told.is_some(), "{pgn} {text:?}");
        assert!(text.unwrap_or_default().starts_with(told.unwrap_or_default()), "{pgn} {text:?}");
    }
}

#[test]
fn the_end_is_told_in_the_game_and_taken_back() {
    let (mut game, annotated) = annotated(&format!("{EVEN}[Termination \"Normal\"]\n\n1. Kd2 Kd7 1-0"));
    write_into(&mut game, &annotated);
    let text = game.to_string();
    assert!(text.replace('\n', " ").contains("Black resigns in a position that holds"), "{text}");
    let again = text.parse::<Game>().expect("a game");
    assert_eq!(again.to_string(), text);
    erase(&mut game);
    assert!(!game.to_string().contains("resigns"), "{game}");
}

#[test]
fn openings_are_named() {
    let opening = story("1. e4 c5 2. Nf3 d6 3. a4 *").opening.expect("a name");
    let said = (opening.code.as_str(), opening.name.as_str(), opening.plies);
    assert_eq!(said, ("B50", "Sicilian Defense: Modern Variations", 4));
    assert_eq!(story(&format!("{EVEN}\n1. Kd2 Kd7 *")).opening, None);
}

#[test]
fn clocks_are_read() {
    let pgn = "1. e4 { [%clk 1:02:03] } e5 { [%eval 0.3] [%clk 0:00:04.5] good } 2. Nf3 { [%clk x] } *";
    let (_, annotated) = annotated(pgn);
    let clocks: Vec<Option<f64>> = annotated.moves.iter().map(|mv| mv.clock).collect();
    assert_eq!(clocks, [Some(3723.0), Some(4.5), None]);
}

#[test]
fn phases_follow_each_other() {
    let story = story(&format!("{EVEN}\n1. Kd2 Kd7 *"));
    assert_eq!((story.middlegame, story.endgame), (None, Some(0)));
    let opening = self::story("1. e4 e5 *");
    assert_eq!((opening.middlegame, opening.endgame), (None, None));
}
