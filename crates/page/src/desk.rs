//! Answers the questions of the page that take a search.

use crate::rules::played;
use cassius_chess::pgn::Game;
use cassius_insight::{
    Analyst, AnnotatedGame, Effort, annotate, explain_unclaimed, html_explained, html_move, html_of,
    last_chance, numbered, write_into,
};
use cassius_search::Limits;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

/// A question of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Question {
    /// Explain a position.
    Explain {
        /// The position where the moves begin, as FEN; `startpos` is the usual one.
        start: String,
        /// The moves that lead to it, in standard algebraic notation.
        moves: Vec<String>,
        /// Nodes for the moves of each side; the default of [`Effort`] if missing.
        #[serde(default)]
        nodes: Option<u64>,
        /// The Lichess rating for which chances of an error are shown.
        elo: f64,
    },
    /// Annotate a game.
    Annotate {
        /// The game.
        pgn: String,
        /// Nodes for the moves of a position; [`Effort::of_a_game`] if missing.
        #[serde(default)]
        nodes: Option<u64>,
    },
}

/// An answer to a question. What the page shows is in the form of `cassius_insight::html_of`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A position is explained: [`html_explained`]. This is the last answer.
    Explained {
        /// What the page shows.
        page: Box<RawValue>,
    },
    /// The game is over in the position. This is the last answer.
    Over {
        /// What there is to say.
        text: String,
    },
    /// A move was judged.
    Move {
        /// The number of steps left, and of all steps.
        left: usize,
        /// The number of all steps.
        of: usize,
        /// The index of the move.
        at: usize,
        /// What the page shows of the move: [`html_move`].
        page: Box<RawValue>,
    },
    /// A step was done of which nothing is shown yet.
    Left {
        /// The number of steps left.
        left: usize,
        /// The number of all steps.
        of: usize,
    },
    /// A game is annotated. This is the last answer.
    Game {
        /// What the page shows: [`html_of`].
        page: Box<RawValue>,
        /// The annotated game in PGN.
        pgn: String,
        /// Nodes searched.
        nodes: u64,
    },
    /// The question cannot be answered. This is the last answer.
    Wrong {
        /// The reason.
        text: String,
    },
}

fn raw(page: String) -> Box<RawValue> {
    RawValue::from_string(page).expect("JSON")
}

/// Answers questions, one after the other. The same question gets the same answers, whatever was asked
/// before.
///
/// ```
/// use cassius_page::{Answer, Desk, Question};
///
/// let mut desk = Desk::new(4)?;
/// let (start, moves) = ("startpos".into(), ["f3", "e5", "g4"].map(String::from).to_vec());
/// let question = Question::Explain { start, moves, nodes: Some(10_000), elo: 1500.0 };
/// let mut answers = Vec::new();
/// desk.answer(&question, &mut |answer| {
///     answers.push(answer);
///     true
/// });
/// let [Answer::Explained { page }] = &answers[..] else { panic!("{answers:?}") };
/// let page: serde_json::Value = serde_json::from_str(page.get())?;
/// assert_eq!(page["value"]["text"], "#-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Desk {
    analyst: Analyst,
}

impl Desk {
    /// Returns a desk with a transposition table of this size.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mib: usize) -> Result<Desk, cassius_search::alpha_beta::memory::TableError> {
        Ok(Desk::of(Analyst::new(Effort::default(), mib)?))
    }

    /// Returns a desk of this analyst, whose effort follows from the questions.
    pub fn of(analyst: Analyst) -> Desk {
        Desk { analyst }
    }

    /// Sets limits for all questions, such as a flag that is set when nobody waits for the answer any longer.
    pub fn set_limits(&mut self, limits: Arc<dyn Limits + Send>) {
        self.analyst.set_limits(limits);
    }

    /// Answers a question. `tell` receives the answers, and returns whether there is anybody who listens.
    pub fn answer(&mut self, question: &Question, tell: &mut dyn FnMut(Answer) -> bool) {
        let last = match question {
            Question::Explain { start, moves, nodes, elo } => self.explain(start, moves, *nodes, *elo),
            Question::Annotate { pgn, nodes } => self.annotate(pgn, *nodes, tell),
        };
        match last {
            Ok(Some(answer)) => tell(answer),
            Ok(None) => false,
            Err(text) => tell(Answer::Wrong { text }),
        };
    }

    fn explain(
        &mut self,
        start: &str,
        moves: &[String],
        nodes: Option<u64>,
        elo: f64,
    ) -> Result<Option<Answer>, String> {
        if !(400.0..=3000.0).contains(&elo) {
            return Err(format!("the rating {elo} is not from 400 to 3000"));
        }
        self.analyst.set_effort(with_nodes(Effort::default(), nodes));
        let (_, mut before) = played(start, moves)?;
        let position = before.pop().expect("a start");
        // A draw that can be claimed does not end the game: the page says so beside the explanation.
        let explained = explain_unclaimed(&mut self.analyst, &position, &before);
        if let Some(explained) = explained.map_err(|error| error.to_string())? {
            return Ok(Some(Answer::Explained { page: raw(html_explained(&position, &explained, elo)) }));
        }
        let missed = last_chance(&mut self.analyst, &position, &before).map_err(|error| error.to_string())?;
        let text = missed.map_or("The game is over.".into(), |chance| {
            let at = &before[before.len() - chance.plies];
            let best = numbered(&chance.judged.line[..1], at.fullmoves(), chance.judged.white, 1);
            let side = if chance.judged.white { "White" } else { "Black" };
            let (verb, does) = match position.is_checkmate() {
                true => ("could last hold", "holds"),
                false => ("was last winning", "wins"),
            };
            let plies = match chance.plies {
                1 => "one ply".into(),
                plies => format!("{plies} plies"),
            };
            format!("The game is over. {side} {verb} {plies} before the end: {best} {does}.")
        });
        Ok(Some(Answer::Over { text }))
    }

    fn annotate(
        &mut self,
        pgn: &str,
        nodes: Option<u64>,
        tell: &mut dyn FnMut(Answer) -> bool,
    ) -> Result<Option<Answer>, String> {
        let mut game: Game = pgn.parse().map_err(|error| format!("{error}"))?;
        self.analyst.set_effort(with_nodes(Effort::of_a_game(), nodes));
        let (plies, mut of) = (game.moves.len(), 0);
        let mut progress = |so_far: &AnnotatedGame, left: usize| {
            of = of.max(left + 1);
            let known = so_far.moves.len();
            let judges = left > plies; // plans come last
            tell(match known {
                1.. if judges => {
                    Answer::Move { left, of, at: plies - known, page: raw(html_move(so_far, 0)) }
                }
                _ => Answer::Left { left, of },
            })
        };
        let found = annotate(&mut self.analyst, &game, &mut progress).map_err(|error| error.to_string())?;
        Ok(found.map(|found| {
            write_into(&mut game, &found);
            Answer::Game { page: raw(html_of(&found)), pgn: game.to_string(), nodes: found.nodes }
        }))
    }
}

fn with_nodes(effort: Effort, nodes: Option<u64>) -> Effort {
    Effort { nodes: nodes.unwrap_or(effort.nodes), ..effort }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_that_can_be_claimed_does_not_end_the_game() {
        let mut desk = Desk::new(1).expect("memory");
        let thrice = ["Qb2+", "Kg8", "Qb1", "Kh8"].repeat(2).into_iter().map(String::from).collect();
        for (start, moves, goes_on) in [
            ("7k/8/8/8/8/8/8/KQ6 w - - 0 1", thrice, true),
            ("7k/8/8/8/8/8/8/KQ6 w - - 100 80", Vec::new(), true),
            ("7k/8/8/8/8/8/8/KB6 w - - 0 1", Vec::new(), false),
        ] {
            let question = Question::Explain { start: start.into(), moves, nodes: Some(3_000), elo: 1500.0 };
            let mut answers = Vec::new();
            desk.answer(&question, &mut |answer| {
                answers.push(answer);
                true
            });
            match &answers[..] {
                [Answer::Explained { .. }] => assert!(goes_on, "{start}"),
                [Answer::Over { .. }] => assert!(!goes_on, "{start}"),
                others => panic!("{start}: {others:?}"),
            }
        }
    }
}
