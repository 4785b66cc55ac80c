//! Tests the feature `serde`: what a user keeps is read as it was written, and has the form in which it was
//! kept before.

use cassius_search::alpha_beta::Proof;
use cassius_search::game::Outcome;
use cassius_search::limits::Progress;
use cassius_search::study::{Judgement, Study};
use cassius_search::{
    Answer, Bound, Depth, Depths, Engine, Game, Keyed, Nodes, Off, Request, Score, Static, Window, playable,
    proof,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::fmt::Debug;

/// Take one, two or three stones; who takes the last one wins.
#[derive(Clone)]
struct Stones(u8);

impl Game for Stones {
    type Move = u8;

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(1..=self.0.min(3));
    }

    fn play(&mut self, taken: u8) {
        self.0 -= taken;
    }

    fn outcome(&self) -> Outcome {
        Outcome::Loss
    }
}

impl Static for Stones {}

impl Keyed for Stones {
    fn key(&self) -> u64 {
        self.0.into()
    }

    fn code(&self, mv: u8) -> u16 {
        mv.into()
    }
}

playable!(Stones, "a heap of stones", draws: Off);

/// Asserts that a thing is written in this form, and is the same after it is read again.
#[track_caller]
fn kept<T: Serialize + DeserializeOwned + Debug>(thing: &T, form: Value) {
    assert_eq!(serde_json::to_value(thing).unwrap(), form);
    let read: T = serde_json::from_str(&form.to_string()).unwrap();
    assert_eq!(format!("{read:?}"), format!("{thing:?}"));
}

#[test]
fn values_are_numbers_and_names() {
    kept(&Score::win_in(3), json!(31_997));
    kept(&Score(-25), json!(-25));
    kept(&Depths { lower: Depth::PLY, upper: Depth::plies(2) }, json!({ "lower": 240, "upper": 480 }));
    kept(&Window::new(Score(-1), Score(1)), json!({ "alpha": -1, "beta": 1 }));
    kept(&[Bound::Lower, Bound::Upper, Bound::Exact], json!(["Lower", "Upper", "Exact"]));
    kept(&[Proof::Proven, Proof::Disproven, Proof::Unknown], json!(["Proven", "Disproven", "Unknown"]));
    kept(&(Outcome::Loss, Outcome::Points(Score(300))), json!(["Loss", { "Points": 300 }]));
    kept(&Nodes(1_000), json!(1_000));
    kept(
        &proof::Answer::Proven { plies: 5, shortest: true },
        json!({ "Proven": { "plies": 5, "shortest": true } }),
    );
    let progress =
        Progress { nodes: 9, iteration: 2, score: Score(1), stable: 1, fall: 0, effort: 0.1 + 0.2 };
    let read: Progress = serde_json::from_str(&serde_json::to_string(&progress).unwrap()).unwrap();
    assert_eq!(read.effort, progress.effort);
}

#[test]
fn answers_are_read_as_written() {
    for name in ["pvs", "cns", "pns"] {
        let engine = Engine::<Stones>::new(name, 1).unwrap();
        let request = Request { lines: 2, ..Request::new(&Stones(7), &Nodes(10_000)) };
        let answer = engine.search(&request, &mut |_| {});
        assert!(!answer.lines.is_empty(), "{name}");
        let read: Answer<u8> = serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap();
        assert_eq!(format!("{read:?}"), format!("{answer:?}"), "{name}");
        assert_eq!(read.proof(), Proof::Proven, "{name}");
        let parameters = serde_json::to_value(engine.parameters()).unwrap();
        assert!(parameters[0][0]["name"].is_string() && parameters[0][1].is_i64(), "{parameters}");
    }
}

/// The changes of a study are kept as text. Replayed, they give the same verdict.
#[test]
fn a_study_is_its_changes() {
    let mut study = Study::new(Stones(9));
    let mut kept = Vec::new();
    loop {
        let asked = study.ask(1).pop();
        kept.extend(study.changes().iter().map(|change| serde_json::to_string(change).unwrap()));
        let Some(asked) = asked else { break };
        let mut moves = Vec::new();
        asked.position.moves(&mut moves);
        moves.retain(|mv| !asked.without.contains(mv));
        study.tell(asked.leaf, Judgement::estimate(Score(7), moves[0], asked.effort)).unwrap();
    }
    let mut again = Study::new(Stones(9));
    for change in &kept {
        again.replay(&serde_json::from_str(change).unwrap()).unwrap();
    }
    assert!(kept.len() > 9);
    assert_eq!(
        serde_json::to_value(again.verdict()).unwrap(),
        serde_json::to_value(study.verdict()).unwrap()
    );
}
