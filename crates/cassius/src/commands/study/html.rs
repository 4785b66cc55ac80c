//! A study as a page for a browser: a board, the moves of each position, and what the verdict hangs on. The
//! page loads nothing from any network.

use super::show::{ForWhite, Named, counted, describe, heading, name, percent, rounded, sentence};
use crate::Error;
use cassius_chess::{Move, Position};
use cassius_search::Score;
use cassius_search::study::{PositionId, Study, Target};
use cassius_study::StudyFile;
use serde_json::{Value, json};
use std::collections::HashMap;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// At most this many positions are on the page, those near the root first. Everything that the verdict hangs
/// on is there.
const MOST: usize = 5_000;

/// Returns the page.
pub fn page(file: &mut StudyFile) -> Result<String, Error> {
    let data = data(file)?.to_string().replace('<', "\\u003c");
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (what, after) = after.split_once("}}").unwrap_or((after, ""));
        page += before;
        page += match what {
            "pieces" => cassius_insight::html_pieces(),
            "style" => STYLE,
            "script" => SCRIPT,
            _ => &data,
        };
        rest = after;
    }
    page += rest;
    Ok(page)
}

/// Returns all that the page shows.
fn data(file: &mut StudyFile) -> Result<Value, Error> {
    let verdict = file.verdict();
    let (file, study) = (&*file, file.study());
    let root = study.root();
    let mut shown = vec![PositionId::ROOT];
    for conspiracy in &verdict.conspiracies {
        for member in &conspiracy.members {
            shown.extend(walked(study, &member.line));
        }
    }
    let mut places: HashMap<PositionId, usize> = HashMap::new();
    let mut order: Vec<PositionId> = Vec::new();
    let mut add = |id: PositionId, order: &mut Vec<PositionId>| {
        places.entry(id).or_insert_with(|| {
            order.push(id);
            order.len() - 1
        });
    };
    shown.into_iter().for_each(|id| add(id, &mut order));
    let mut next = 0;
    while next < order.len() && order.len() < MOST {
        for edge in study.edges(order[next]) {
            if let Target::Position(to) = edge.to {
                add(to, &mut order);
            }
        }
        next += 1;
    }

    let mut positions = Vec::new();
    for id in &order {
        positions.push(position(file, *id, &places)?);
    }
    let moves: Vec<Value> = verdict
        .moves
        .iter()
        .zip(file.nodes_of(&verdict)?)
        .map(|(candidate, nodes)| {
            json!({
                "name": name(root, candidate),
                "value": candidate.value.map(|value| ForWhite(root).pawns(value)),
                "range": ForWhite(root).range(candidate.range),
                "chance": candidate.chance,
                "percent": percent(candidate.chance),
                "nodes": rounded(nodes),
                "to": candidate.after.and_then(|id| places.get(&id)),
            })
        })
        .collect();
    let mut conspiracies = Vec::new();
    for conspiracy in &verdict.conspiracies {
        let mut members = Vec::new();
        for member in &conspiracy.members {
            let path: Vec<_> = walked(study, &member.line).iter().filter_map(|id| places.get(id)).collect();
            let Named { place, misjudged, expected } = describe(file, member)?;
            members.push(json!({
                "path": path,
                "fen": study.position(member.leaf.position).to_string(),
                "place": place,
                "misjudged": misjudged,
                "expected": expected,
            }));
        }
        conspiracies.push(json!({ "heading": heading(root, conspiracy), "members": members }));
    }
    let mut judges = Vec::new();
    for (judge, judgements, nodes) in file.judges()? {
        let options = if judge.options.is_empty() { String::new() } else { format!(" ({})", judge.options) };
        let judgements = counted(judgements, "judgement");
        judges.push(format!("{judgements} by {}{options}, {nodes} nodes", judge.name));
    }
    Ok(json!({
        "sentence": sentence(root, &verdict),
        "moves": moves,
        "conspiracies": conspiracies,
        "positions": positions,
        "all": study.len(),
        "judges": judges,
    }))
}

/// Returns the positions from the root along a line.
fn walked(study: &Study<Position>, line: &[Move]) -> Vec<PositionId> {
    let mut path = vec![PositionId::ROOT];
    for mv in line {
        let edge = study.edges(path[path.len() - 1]).iter().find(|edge| edge.mv == *mv);
        let Some(Target::Position(to)) = edge.map(|edge| edge.to) else { break };
        path.push(to);
    }
    path
}

/// Returns the value of the move to a position, if it is known.
fn known(study: &Study<Position>, to: PositionId) -> Option<Score> {
    study.is_known(to).then(|| (-study.value(to)).at_root(1))
}

/// Returns a position with its moves, the best first.
fn position(file: &StudyFile, id: PositionId, places: &HashMap<PositionId, usize>) -> Result<Value, Error> {
    let study: &Study<_> = file.study();
    let at = study.position(id);
    let white = ForWhite(&at);
    let mut moves: Vec<(Option<Score>, Value)> = study
        .edges(id)
        .iter()
        .map(|edge| {
            let (value, to) = match edge.to {
                Target::Position(to) => (known(study, to), places.get(&to)),
                Target::Repetition => (Some(Score::DRAW), None),
            };
            let shown = json!({
                "san": at.san(edge.mv),
                "uci": at.uci(edge.mv),
                "value": value.map(|value| white.pawns(value)),
                "to": to,
                "repeats": edge.to == Target::Repetition,
                "excluded": edge.excluded,
                "best": !edge.excluded && value == Some(study.value(id)),
            });
            (value.filter(|_| !edge.excluded), shown)
        })
        .collect();
    moves.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
    let leaf = study.leaf(id).filter(|leaf| leaf.is_judged());
    let leaf = match leaf {
        None => None,
        Some(leaf) => {
            let line = file.line_of(id)?;
            Some(json!({ "value": white.pawns(leaf.value), "line": at.line_to_san(&line) }))
        }
    };
    Ok(json!({
        "fen": at.to_string(),
        "value": study.is_known(id).then(|| white.pawns(study.value(id))),
        "over": at.legal_moves().is_empty(),
        "moves": moves.into_iter().map(|(_, shown)| shown).collect::<Vec<_>>(),
        "leaf": leaf,
    }))
}
