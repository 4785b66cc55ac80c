//! The JSON of `cassius study show --json`.

use super::pool::line;
use super::show::excluded;
use crate::commands::schema::{self, VERSION};
use cassius_chess::Move;
use cassius_insight::Value;
use cassius_search::study::Verdict;
use cassius_study::{StudyError, StudyFile};
use schemars::JsonSchema;
use serde::Serialize;

/// A study. Values are for the side to move at the root; those of a position on which the verdict hangs, for
/// the side to move there.
#[derive(JsonSchema, Serialize)]
#[schemars(title = "cassius study show --json")]
pub struct Shown {
    /// The version of this format.
    version: u32,
    /// The position that is studied, as FEN.
    root: String,
    /// The moves there; the best one first, then by their chances to be best. Empty if the game is over.
    moves: Vec<Candidate>,
    /// The moves that are left out there, in UCI notation.
    excluded: Vec<String>,
    /// The chance that another move than the first one is best.
    doubt: f32,
    /// Whether the value of the first move is proven.
    proven: bool,
    /// What was asked for and is done when the study grows, in words.
    waiting: Vec<String>,
    /// What would have to be misjudged for another move to be best; the most probable error first.
    conspiracies: Vec<Conspiracy>,
    /// The number of positions.
    positions: usize,
    /// Who judged.
    judges: Vec<Judged>,
}

/// A move at the root, or all that are not followed.
#[derive(JsonSchema, Serialize)]
struct Candidate {
    /// The move, in UCI notation; `null` for moves that were not judged.
    #[serde(rename = "move")]
    mv: Option<String>,
    /// Whether the move is followed. If not, it was judged with all others that are not.
    followed: bool,
    /// The value by minimax of the judged values; `null` if it is only supposed.
    value: Option<Value>,
    /// The values between which the true value lies with a chance of 80 %.
    range: [Value; 2],
    /// The chance that the move is best.
    chance: f32,
    /// The nodes that were searched for the positions after it, or for all moves that are not followed if it
    /// is one of them; `null` for moves that were not judged.
    nodes: Option<u64>,
}

/// Positions that would have to be misjudged together for another move to be best.
#[derive(JsonSchema, Serialize)]
struct Conspiracy {
    /// The chance of that.
    chance: f32,
    /// The move that would then be best, in UCI notation, if it is known.
    instead: Option<String>,
    /// The positions.
    members: Vec<Member>,
}

/// A position that would have to be misjudged.
#[derive(JsonSchema, Serialize)]
struct Member {
    /// The moves from the root, in UCI notation.
    line: Vec<String>,
    /// The position, as FEN.
    fen: String,
    /// The moves that do not count, since they are followed, in UCI notation.
    without: Vec<String>,
    /// The value of the best of the other moves.
    value: Value,
    /// Whether it was judged, or taken over from the position before.
    judged: bool,
    /// The value that would suffice.
    needed: Value,
    /// Whether that is the least such value for the side to move; otherwise it is the greatest.
    at_least: bool,
    /// The chance of that.
    chance: f32,
    /// The line that the engine expects, in UCI notation, if the value was judged.
    expected: Vec<String>,
}

/// What an engine did.
#[derive(JsonSchema, Serialize)]
struct Judged {
    /// Its name.
    name: String,
    /// Its options.
    options: String,
    /// The number of its judgements.
    judgements: u64,
    /// The nodes that it searched for them.
    nodes: u64,
}

/// Returns the schema of the JSON.
pub fn schema() -> schemars::Schema {
    schema::of::<Shown>()
}

/// Returns what is to be shown.
pub fn shown(file: &StudyFile, verdict: &Verdict<Move>) -> Result<Shown, StudyError> {
    let study = file.study();
    let root = study.root();
    let word = |mv: Move| root.uci(mv);
    let nodes = file.nodes_of(verdict)?;
    let moves = verdict.moves.iter().zip(nodes).map(|(candidate, nodes)| Candidate {
        mv: candidate.mv.map(word),
        followed: candidate.after.is_some(),
        value: candidate.value.map(Value::from),
        range: [candidate.range.0.into(), candidate.range.1.into()],
        chance: candidate.chance,
        nodes,
    });
    let mut conspiracies = Vec::new();
    for conspiracy in &verdict.conspiracies {
        let members = conspiracy.members.iter();
        let members = members
            .map(|member| {
                let at = study.position(member.leaf.position);
                let expected = if member.judged { file.line_of(member.leaf.position)? } else { Vec::new() };
                Ok(Member {
                    expected: line(&at, &expected),
                    line: line(root, &member.line),
                    fen: at.to_string(),
                    without: study.edges(member.leaf.position).iter().map(|edge| at.uci(edge.mv)).collect(),
                    value: member.value.into(),
                    judged: member.judged,
                    needed: member.needed.into(),
                    at_least: member.at_least,
                    chance: member.chance,
                })
            })
            .collect::<Result<Vec<_>, StudyError>>()?;
        let (chance, instead) = (conspiracy.chance, conspiracy.instead.map(word));
        conspiracies.push(Conspiracy { chance, instead, members });
    }
    let judges = file.judges()?.into_iter().map(|(judge, judgements, nodes)| Judged {
        name: judge.name,
        options: judge.options,
        judgements,
        nodes,
    });
    Ok(Shown {
        version: VERSION,
        root: root.to_string(),
        moves: moves.collect(),
        excluded: excluded(file).map(word).collect(),
        doubt: verdict.doubt(),
        proven: verdict.proven,
        waiting: file.waiting()?,
        conspiracies,
        positions: verdict.positions,
        judges: judges.collect(),
    })
}
