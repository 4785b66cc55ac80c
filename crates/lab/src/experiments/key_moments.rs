//! Compares the key moments of sixteen famous games with the marks that published annotators gave.
//!
//! `key_moments.pgn` has the moves of the six games that Kasparov played against Deep Blue in 1997, and of
//! ten classics that were chosen before anything was measured, with the marks and who gave them. The list was
//! made without an engine. Annotators mark for reasons of their own: a `!` praises a plan, a `?!` doubts one.

use crate::experiment::{
    Context, Experiment, Findings, Input, OtherJudge, Tolerance, Unfinished, analyst, name_of,
};
use crate::parallel;
use cassius_chess::pgn::{Game, Games};
use cassius_insight::{
    AnnotatedGame, AnnotatedMove, Effort, JudgeError, Moment, MomentKind, REVISION, Remark, Story, annotate,
    erase, numbered,
};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the moments that players know are found.
pub static KEY_MOMENTS: Experiment = Experiment {
    id: "key-moments",
    claim: "The key moments of a game are those that published annotators mark",
    paper: "None: marks of published annotators, named in key_moments.pgn",
    section: "sixteen games, chosen before measuring",
    cases: None,
    uses: &[Input::Judge, Input::Kept],
    run,
};

const GAMES: &str = include_str!("key_moments.pgn");

/// The node limit of a position.
const FULL: u64 = 500_000;
const QUICK: u64 = 1_000;
/// The size of the table, in MiB.
const MIB: usize = 64;

/// What annotators may say about a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// `?` or `??`, or a win that was missed.
    Error,
    /// `?!`.
    Doubtful,
    /// The only move, or the saving one.
    Only,
    /// The side resigned too early.
    Resigns,
    /// `!`, `!!` or `!?`.
    Praise,
}

const MARKS: [(Mark, &str); 5] = [
    (Mark::Error, "? and ??"),
    (Mark::Doubtful, "?!"),
    (Mark::Only, "only moves"),
    (Mark::Resigns, "resigned too early"),
    (Mark::Praise, "praised moves that hold"),
];

/// Returns the marks of a game: the number of plies, the mark, and who gave it.
fn marks(game: &Game) -> Vec<(usize, Mark, &str)> {
    let mark = |(at, text): &'_ (usize, String)| -> Option<(usize, Mark)> {
        let glyph =
            |numbers: &[u32]| game.glyphs.iter().any(|(of, number)| of == at && numbers.contains(number));
        let (kind, _) = text.split_once(": ")?;
        Some((
            *at,
            match kind {
                "only move" => Mark::Only,
                "resigns too early" => Mark::Resigns,
                "brilliant" => Mark::Praise,
                _ if glyph(&[6]) => Mark::Doubtful,
                _ => Mark::Error,
            },
        ))
    };
    let comments = game.comments.iter();
    comments
        .filter_map(|comment| {
            let (at, mark) = mark(comment)?;
            Some((at, mark, comment.1.split_once(": ")?.1))
        })
        .collect()
}

/// What is said about a game.
#[derive(Clone, Serialize, Deserialize)]
struct Told {
    judge: String,
    moves: Vec<Said>,
    moments: Vec<Moment>,
}

/// What is said about a move.
#[derive(Clone, Serialize, Deserialize)]
struct Said {
    san: String,
    loss: f64,
    remark: Option<Remark>,
    holds: bool,
}

impl Told {
    fn of(game: &AnnotatedGame) -> Told {
        let said = |mv: &AnnotatedMove| Said {
            san: numbered(std::slice::from_ref(&mv.san), mv.number, mv.white, 1),
            loss: (mv.loss * 1e3).round() / 1e3,
            remark: mv.remark,
            holds: mv.judged.moves.iter().any(|of| of.uci == mv.uci && of.holds),
        };
        let moves = game.moves.iter().map(said).collect();
        Told { judge: game.judge.clone(), moves, moments: Story::of(game).moments }
    }

    /// Whether this is about the moves of this game.
    fn is_of(&self, game: &Game) -> bool {
        let played = game.positions().zip(&game.moves).map(|(position, mv)| position.san(*mv));
        let said = self.moves.iter().map(|said| said.san.rsplit(' ').next().unwrap_or_default());
        said.eq(played)
    }
}

/// Whether the same is said about the move after so many plies.
fn is_hit(told: &Told, plies: usize, mark: Mark) -> bool {
    let mv = &told.moves[plies - 1];
    let is_moment =
        |kinds: &[MomentKind]| told.moments.iter().any(|it| it.plies == plies && kinds.contains(&it.kind));
    match mark {
        Mark::Error => is_moment(&[MomentKind::Error, MomentKind::OnlyMoveMissed, MomentKind::LastChance]),
        Mark::Doubtful => {
            matches!(mv.remark, Some(Remark::Inaccuracy | Remark::Mistake | Remark::Blunder))
        }
        Mark::Only => is_moment(&[MomentKind::OnlyMoveFound]),
        Mark::Resigns => is_moment(&[MomentKind::ResignedTooEarly]),
        Mark::Praise => mv.holds,
    }
}

/// Returns the games.
pub(super) fn games() -> Vec<Game> {
    Games::new(GAMES.as_bytes()).map(|game| game.expect("a game of the table")).collect()
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let mut games = games();
    if context.quick {
        games.truncate(2);
    }
    let effort =
        Effort { nodes: if context.quick { QUICK } else { FULL }, plan_nodes: 0, ..Effort::default() };
    let annotated = annotated(context, &games, effort)?;
    let judge = annotated.iter().flatten().next().map_or(String::new(), |game| game.judge.clone());
    let mut findings = Findings { conditions: vec!["mark"], ..Findings::default() };
    let mut counts = MARKS.map(|_| [0.0; 2]);
    let (mut ours, mut alone) = (0.0, 0.0);
    findings.notes.push(format!("Values by {judge}, {} nodes a position.", effort.nodes));
    let missing = annotated.iter().filter(|told| told.is_none()).count();
    if missing > 0 {
        findings.notes.push(format!("{missing} of {} games are not annotated yet.", games.len()));
    }
    for (game, told) in games.iter().zip(&annotated).filter_map(|(game, told)| Some((game, told.as_ref()?))) {
        let marks = marks(game);
        let (mut hits, mut misses, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (plies, mark, who) in &marks {
            let mv = &told.moves[plies - 1];
            let san = &mv.san;
            let hit = is_hit(told, *plies, *mark);
            let index = MARKS.iter().position(|(of, _)| of == mark).expect("every mark is listed");
            counts[index][0] += 1.0;
            counts[index][1] += f64::from(u8::from(hit));
            if *mark != Mark::Praise {
                let what = MARKS[index].1;
                let loss = format!("loses {:.0} %", 100.0 * mv.loss);
                if hit { &mut hits } else { &mut misses }.push(format!("{san} ({what}, {who}; {loss})"));
            }
        }
        for moment in &told.moments {
            ours += 1.0;
            let marked = marks.iter().any(|(plies, mark, _)| *plies == moment.plies && *mark != Mark::Praise);
            if !marked {
                alone += 1.0;
                others.push(moment.text.trim_end_matches('.').to_string());
            }
        }
        let said = |list: &[String]| if list.is_empty() { "none".into() } else { list.join("; ") };
        findings.notes.push(format!(
            "**{}**, {} – {}. *Found:* {}. *Missed:* {}. *Found here alone:* {}.",
            game.tag("Event").unwrap_or_default(),
            game.tag("White").unwrap_or_default(),
            game.tag("Black").unwrap_or_default(),
            said(&hits),
            said(&misses),
            said(&others)
        ));
    }
    for ((_, name), [marked, found]) in MARKS.iter().zip(counts) {
        findings.row("marked", &[name], None, marked, Tolerance::Any);
        findings.row("found", &[name], None, found, Tolerance::Any);
    }
    findings.row("key moments", &[&"ours"], None, ours, Tolerance::Any);
    findings.row("key moments", &[&"ours, at most praised by annotators"], None, alone, Tolerance::Any);
    Ok(findings)
}

/// Annotates the games, or finds them in the file of kept measurements. Those that are to be found there, and
/// are not, have no annotations.
fn annotated(context: &Context<'_>, games: &[Game], effort: Effort) -> Result<Vec<Option<Told>>, Unfinished> {
    let judge: Option<OtherJudge<'_>> = context.judge;
    let by = name_of(judge, MIB);
    let key = |index: usize| {
        let name = games[index].tag("Event").unwrap_or_default();
        format!("key moments, revision {REVISION}: {name}, {} nodes, {by}", effort.nodes)
    };
    let known = |index: usize| -> Option<Told> {
        let told = context.kept.and_then(|kept| kept.known(&key(index), context.kept_only));
        // The key does not have the moves, and the game may have been corrected.
        told.filter(|told: &Told| told.is_of(&games[index]))
    };
    let mut found: Vec<Option<Told>> = (0..games.len()).map(known).collect();
    let is_todo = |index: &usize| !context.kept_only && found[*index].is_none();
    let todo: Vec<usize> = (0..games.len()).filter(is_todo).collect();
    let (stop, mut failed, mut done) = (context.stop, None, 0);
    let work = || -> Result<_, Unfinished> {
        let mut analyst = analyst(judge, effort, MIB)?;
        Ok(move |index: &usize| {
            let mut game = games[*index].clone();
            erase(&mut game);
            game.glyphs.clear();
            let annotated = annotate(&mut analyst, &game, &mut |_, _| !stop.load(Relaxed)).transpose()?;
            Some(annotated.map(|annotated| (*index, Told::of(&annotated))))
        })
    };
    let enough = AtomicBool::new(false);
    context.step(0, todo.len())?;
    parallel::run(
        &todo,
        context.jobs,
        work,
        &enough,
        &mut |annotated: Result<_, JudgeError>| match annotated {
            Ok((index, annotated)) => {
                context.keep(&key(index), &annotated);
                found[index] = Some(annotated);
                done += 1;
                context.step(done, todo.len()).is_ok()
            }
            Err(error) => {
                failed = Some(error);
                false
            }
        },
    )?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    context.go_on()?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kept::Kept;
    use cassius_chess::{Move, Position};

    /// Every mark of the table belongs to a move of its game, and the list has the moments that made this
    /// measurement worth making.
    #[test]
    fn the_table_is_whole() {
        let games = games();
        assert_eq!(games.len(), 16);
        assert_eq!(games.iter().map(|game| marks(game).len()).sum::<usize>(), 89);
        for game in &games {
            assert!(marks(game).iter().all(|(plies, _, _)| (1..=game.moves.len()).contains(plies)));
        }
        let has = |game: usize, plies: usize, mark: Mark| {
            marks(&games[game]).iter().any(|(at, of, _)| (*at, *of) == (plies, mark))
        };
        assert!(has(1, 71, Mark::Praise) && has(1, 73, Mark::Praise) && has(1, 89, Mark::Resigns));
        assert!(has(5, 14, Mark::Error));
    }

    /// What is kept of a game that has changed since is left aside.
    #[test]
    fn what_is_kept_of_other_moves_does_not_count() {
        let path = std::env::temp_dir().join(format!("cassius-moments-{}.jsonl", std::process::id()));
        let (stop, kept) = (AtomicBool::new(false), Kept::open(&path).expect("a file"));
        let context = Context { kept: Some(&kept), kept_only: true, ..Context::new(true, &|_, _| {}, &stop) };
        let told = |game: &Game| {
            let said = |(index, (position, mv)): (usize, (Position, &Move))| Said {
                san: numbered(&[position.san(*mv)], 1 + index as u32 / 2, index % 2 == 0, 1),
                loss: 0.0,
                remark: None,
                holds: true,
            };
            let moves = game.positions().zip(&game.moves).enumerate().map(said).collect();
            Told { judge: "nobody".into(), moves, moments: Vec::new() }
        };
        let games = games();
        let keep = |game: &Game, told: &Told| {
            let (name, by) = (game.tag("Event").expect("a name"), name_of(None, MIB));
            kept.put(&format!("key moments, revision {REVISION}: {name}, {QUICK} nodes, {by}"), told);
        };
        let missing = || run(&context).expect("findings").notes[1].contains("are not annotated yet");
        keep(&games[0], &told(&games[0]));
        keep(&games[1], &told(&games[1]));
        assert!(!missing());
        let mut shorter = told(&games[0]);
        shorter.moves.truncate(3);
        keep(&games[0], &shorter);
        assert!(missing());
        keep(&games[0], &told(&games[1]));
        assert!(missing());
        kept.close().expect("written");
        std::fs::remove_file(path).expect("a file");
    }
}
