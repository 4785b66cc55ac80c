//! The file of a study: what is told is kept, whatever happens.

use cassius_chess::Position;
use cassius_search::best_first::Whose;
use cassius_search::study::{
    Asked, Change, Errors, Growth, Judgement, LeafId, PositionId, Refused, Steps, Study, Target,
};
use cassius_search::{Game as _, Keyed as _, Score};
use cassius_study::{Found, Judge, StudyError, StudyFile, What, Wish};
use proptest::prelude::*;
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// All rules of growth; the one with which a study begins is not the first.
const GROWTHS: [Growth; 4] =
    [Growth::ByValue, Growth::Repertoire(Whose::Mover), Growth::Repertoire(Whose::Other), Growth::Weighted];

const ROOT: &str = "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1";

/// Returns the path of a file that does not exist yet.
fn place() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("cassius-study-{}-{}.study", std::process::id(), NEXT.fetch_add(1, Relaxed));
    let path = std::env::temp_dir().join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn root() -> Position {
    ROOT.parse().expect("a position")
}

fn judge() -> Judge {
    Judge { name: "table".into(), options: "Hash=1".into() }
}

/// A table of answers: what follows from the position and the moves that are left out. A few values are
/// mates.
fn answer(asked: &Asked<Position>) -> Found {
    let seed = asked.position.key() ^ (asked.without.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let moves: Vec<_> =
        asked.position.legal_moves().into_iter().filter(|mv| !asked.without.contains(mv)).collect();
    let value = match seed % 64 {
        0 => Score::win_in(2 * (seed / 64 % 5) as usize + 1),
        1 => Score::loss_in(2 * (seed / 64 % 5) as usize + 2),
        _ => Score((seed / 64 % 200) as i32 - 100),
    };
    Found { line: vec![moves[(seed / 1024) as usize % moves.len()]], ..Found::new(value, asked.effort) }
}

/// Returns everything in a study that can be seen.
fn seen(study: &Study<Position>) -> Vec<String> {
    (0..study.len() as u32)
        .map(PositionId)
        .map(|id| {
            let parts = (study.position(id).to_string(), study.edges(id), study.leaf(id));
            format!("{parts:?} {:?} {:?}", study.value(id), study.chances(id))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// A study in a file grows as one in memory, leaf for leaf, and is the same after any number of stops,
    /// also between a question and its answer.
    #[test]
    fn a_file_grows_as_a_study_in_memory(
        stops in prop::collection::vec((1..12_usize, any::<bool>()), 1..8),
        growth in prop::sample::select(GROWTHS.to_vec()),
    ) {
        let path = place();
        let mut memory = cassius_study::study(root());
        memory.growth = growth;
        let mut file = StudyFile::create(&path, &root()).expect("a new file");
        let (errors, steps) = (memory.errors().clone(), memory.steps.clone());
        file.set(growth, errors, steps).expect("it can be written");
        for (judgements, asks) in stops {
            for _ in 0..judgements {
                let (here, there) = (memory.ask(1).pop(), file.ask(1).expect("a file").pop());
                prop_assert_eq!(here.is_some(), there.is_some());
                let (Some(here), Some(there)) = (here, there) else { break };
                prop_assert_eq!(here.leaf, there.leaf);
                prop_assert_eq!(&here.without, &there.without);
                prop_assert_eq!(here.effort, there.effort);
                let found = answer(&there);
                let told = Judgement::estimate(found.value, found.line[0], found.effort);
                memory.tell(here.leaf, told).expect("it was asked for");
                file.tell(there.leaf, &judge(), &found).expect("it was asked for");
            }
            if asks {
                file.ask(1).expect("a file");
            }
            drop(file);
            file = StudyFile::open(&path).expect("a study");
        }
        prop_assert_eq!(file.effort().expect("a file").0 as usize, judged(&mut memory));
        // What was followed for a question that was never answered is asked in memory, too.
        memory.ask(1).into_iter().for_each(|asked| memory.give_back(asked.leaf));
        file.ask(1).expect("a file").into_iter().for_each(|asked| file.give_back(asked.leaf));
        prop_assert!(seen(file.study()) == seen(&memory));
        drop(file);
        std::fs::remove_file(path).expect("it is there");
    }
}

/// Every rule of growth is read as it was written.
#[test]
fn rules_of_growth_are_kept() {
    let path = place();
    drop(StudyFile::create(&path, &root()).expect("a new file"));
    for growth in GROWTHS {
        let mut file = StudyFile::open(&path).expect("a study");
        assert_ne!(file.study().growth, growth, "it is another one");
        let (errors, steps) = (file.study().errors().clone(), file.study().steps.clone());
        file.set(growth, errors, steps).expect("it can be written");
        drop(file);
        assert_eq!(StudyFile::open(&path).expect("a study").study().growth, growth);
    }
    std::fs::remove_file(path).expect("it is there");
}

/// Returns the number of judgements among the changes of a study.
fn judged(study: &mut Study<Position>) -> usize {
    study.changes().iter().filter(|change| matches!(change, Change::Judged { .. })).count()
}

#[test]
fn what_is_known_is_not_asked_again() {
    let path = place();
    let mut file = StudyFile::create(&path, &root()).expect("a new file");
    for _ in 0..20 {
        let asked = file.ask(1).expect("a file").remove(0);
        file.tell(asked.leaf, &judge(), &answer(&asked)).expect("it was asked for");
    }
    let next = file.ask(1).expect("a file").remove(0);
    file.give_back(next.leaf);
    let expected = seen(file.study());
    drop(file);
    // Without its changes, the study is a table of answers.
    let db = Connection::open(&path).expect("a database");
    db.execute_batch("DELETE FROM changed; DELETE FROM position WHERE id > 0").expect("an empty study");
    drop(db);
    let mut file = StudyFile::open(&path).expect("a study");
    assert_eq!(file.study().len(), 1);
    let asked = file.ask(1).expect("a file").remove(0);
    assert_eq!(asked.leaf, next.leaf);
    file.give_back(asked.leaf);
    assert!(file.effort().expect("a file").0 <= 20, "nothing was judged again");
    assert!(seen(file.study()) == expected);
    let db = Connection::open(&path).expect("a database");
    let rows = db.query_row("SELECT count(*) FROM judgement", [], |row| row.get::<_, i64>(0));
    assert_eq!(rows.expect("a number"), 20);
    std::fs::remove_file(path).expect("it is there");
}

/// A study takes the judgements of another one, and asks only for what neither has.
#[test]
fn judgements_are_imported() {
    let (one, other) = (place(), place());
    let mut file = StudyFile::create(&one, &root()).expect("a new file");
    for _ in 0..20 {
        let asked = file.ask(1).expect("a file").remove(0);
        file.tell(asked.leaf, &judge(), &answer(&asked)).expect("it was asked for");
    }
    let next = file.ask(1).expect("a file").remove(0);
    drop(file);
    let mut file = StudyFile::create(&other, &root()).expect("a new file");
    assert_eq!(file.import(&one).expect("a study"), 20);
    assert_eq!(file.import(&one).expect("a study"), 0, "nothing is new");
    assert_eq!(file.ask(1).expect("a file").remove(0).leaf, next.leaf);
    let judges = file.judges().expect("a file");
    let [(by, used, nodes)] = &judges[..] else { panic!("{judges:?}") };
    assert!(*by == judge() && (1..=20).contains(used), "those that were used count");
    assert_eq!(*nodes, 0, "their nodes are not this study's");
    drop(file);
    std::fs::write(&one, "no study, but longer than a hundred bytes".repeat(9)).expect("a file");
    let mut file = StudyFile::open(&other).expect("a study");
    assert!(matches!(file.import(&one), Err(StudyError::NoStudy)));
    drop(file);
    for path in [one, other] {
        std::fs::remove_file(path).expect("it is there");
    }
}

#[test]
fn files_of_others_are_left_alone() {
    let path = place();
    assert!(matches!(StudyFile::open(&path), Err(StudyError::File(_))), "it does not exist");
    std::fs::write(&path, "my diary, which is longer than a hundred bytes".repeat(9)).expect("a file");
    assert!(matches!(StudyFile::open(&path), Err(StudyError::NoStudy)));
    assert!(matches!(StudyFile::create(&path, &root()), Err(StudyError::Exists)));
    std::fs::remove_file(&path).expect("it is there");

    let db = Connection::open(&path).expect("a database");
    db.execute_batch("CREATE TABLE mine (x)").expect("a table");
    drop(db);
    assert!(matches!(StudyFile::open(&path), Err(StudyError::NoStudy)));
    assert!(matches!(StudyFile::create(&path, &root()), Err(StudyError::Exists)));
    std::fs::remove_file(&path).expect("it is there");

    drop(StudyFile::create(&path, &root()).expect("a new file"));
    let db = Connection::open(&path).expect("a database");
    db.pragma_update(None, "user_version", 99).expect("a version");
    drop(db);
    assert!(matches!(StudyFile::open(&path), Err(StudyError::Version(99))));
    std::fs::remove_file(path).expect("it is there");
}

/// What was spent on a move is what was spent on the positions after it.
#[test]
fn nodes_are_told_for_each_move() {
    let path = place();
    let mut file = StudyFile::create(&path, &root()).expect("a new file");
    let steps = Steps { effort: 100, most: 1, ..Steps::default() };
    file.set(Growth::Weighted, Errors::default(), steps).expect("a file");
    let mut spent: HashMap<PositionId, u64> = HashMap::new();
    for number in 1..=200 {
        let asked = file.ask(1).expect("a file").remove(0);
        *spent.entry(asked.leaf.position).or_default() += number;
        file.tell(asked.leaf, &judge(), &Found { nodes: number, ..answer(&asked) }).expect("it fits");
    }
    fn after(study: &Study<Position>, at: PositionId, reached: &mut HashSet<PositionId>) {
        if reached.insert(at) {
            for edge in study.edges(at) {
                if let Target::Position(to) = edge.to {
                    after(study, to, reached);
                }
            }
        }
    }
    let verdict = file.verdict();
    assert!(verdict.moves.iter().filter(|of| of.after.is_some()).count() > 1);
    for (candidate, nodes) in verdict.moves.iter().zip(file.nodes_of(&verdict).expect("a file")) {
        let mut reached = HashSet::new();
        match (candidate.mv, candidate.after) {
            (_, Some(to)) => after(file.study(), to, &mut reached),
            (Some(_), None) => drop(reached.insert(PositionId::ROOT)),
            (None, None) => {
                assert_eq!(nodes, None);
                continue;
            }
        }
        let sum = reached.iter().map(|at| spent.get(at).copied().unwrap_or(0)).sum();
        assert_eq!(nodes, Some(sum), "{:?}", candidate.mv);
    }
    drop(file);
    std::fs::remove_file(path).expect("it is there");
}

/// Where a program was killed before it had begun a study, one can be begun.
#[test]
fn a_study_is_begun_after_all() {
    let stages: [&[&str]; 4] = [
        &[],
        &["PRAGMA journal_mode = wal"],
        &["PRAGMA journal_mode = wal", "BEGIN", cassius_study::SCHEMA],
        &["PRAGMA journal_mode = wal", "BEGIN", cassius_study::SCHEMA, "PRAGMA application_id = 1"],
    ];
    for stage in stages {
        let (path, killed) = (place(), place());
        std::fs::write(&path, "").expect("a file");
        let db = Connection::open(&path).expect("a database");
        stage.iter().for_each(|sql| db.execute_batch(sql).expect("it is done"));
        // What is on the disk at this moment is what is left when the program is killed.
        std::fs::copy(&path, &killed).expect("a copy");
        let log = |path: &PathBuf| path.with_extension("study-wal");
        if log(&path).exists() {
            std::fs::copy(log(&path), log(&killed)).expect("a copy");
        }
        drop(db);
        assert!(!StudyFile::is_begun(&killed), "{stage:?}");
        drop(StudyFile::create(&killed, &root()).expect("a new study"));
        assert!(StudyFile::is_begun(&killed));
        drop(StudyFile::open(&killed).expect("a study"));
        std::fs::remove_file(&path).expect("it is there");
        for end in ["", "-shm", "-wal"] {
            let _ = std::fs::remove_file(format!("{}{end}", killed.display())); // not all are there
        }
    }
}

/// Whatever is wrong in a file is named, with the number of the change.
#[test]
fn broken_files_are_refused() {
    for (harm, complaint) in [
        ("UPDATE setting SET value = 'x' WHERE name = 'root'", "change 0: root: "),
        ("INSERT INTO setting VALUES ('growth', 'wild')", "change 0: growth 'wild'"),
        ("INSERT INTO setting VALUES ('Steps.again', '1')", "change 0: Steps.again is out of range"),
        ("UPDATE changed SET move = 'a1a9' WHERE kind = 'followed'", "change 4: "),
        ("UPDATE changed SET target = 7 WHERE kind = 'followed'", "change 4: the study has no such position"),
        ("UPDATE changed SET position = 99 WHERE id = 3", "change 3: no position 99"),
        ("UPDATE changed SET followed = 5 WHERE id = 1", "change 1: the leaf is no longer open"),
        ("UPDATE judgement SET line = 'a1a8'", "change 1: "),
        ("UPDATE judgement SET cp = NULL, mate = NULL", "change 1: the judgement has no value"),
        ("UPDATE judgement SET cp = 1, mate = 1", "change 1: the judgement has no value"),
        ("UPDATE changed SET judgement = NULL", "change 1: the judgement is missing"),
    ] {
        let path = place();
        let mut file = StudyFile::create(&path, &root()).expect("a new file");
        for _ in 0..6 {
            let asked = file.ask(1).expect("a file").remove(0);
            file.tell(asked.leaf, &judge(), &answer(&asked)).expect("it was asked for");
        }
        drop(file);
        let db = Connection::open(&path).expect("a database");
        db.pragma_update(None, "foreign_keys", false).expect("a setting");
        assert!(db.execute(harm, []).expect(harm) > 0, "{harm}");
        drop(db);
        let error = StudyFile::open(&path).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with(complaint), "{harm}: {error}");
        std::fs::remove_file(path).expect("it is there");
    }
}

#[test]
fn two_programs_do_not_grow_one_study() {
    let path = place();
    let mut one = StudyFile::create(&path, &root()).expect("a new file");
    let mut other = StudyFile::open(&path).expect("a study");
    let asked = one.ask(1).expect("a file").remove(0);
    let same = other.ask(1).expect("nothing was written yet").remove(0);
    one.tell(asked.leaf, &judge(), &answer(&asked)).expect("it was asked for");
    let refused = other.tell(same.leaf, &judge(), &answer(&same));
    assert!(matches!(refused, Err(StudyError::Changed)), "{refused:?}");
    // What the other has found by then would not fit what is in the file.
    assert!(matches!(other.ask(1), Err(StudyError::Behind)));
    let set = other.set(Growth::Weighted, Errors::default(), Steps::default());
    assert!(matches!(set, Err(StudyError::Behind)));
    drop((one, other));
    assert_eq!(StudyFile::open(&path).expect("a study").effort().expect("a file").0, 1);
    std::fs::remove_file(path).expect("it is there");
}

/// One program at a time grows a study, and there is no trace of it afterwards.
#[test]
fn a_study_is_grown_alone() {
    let path = place();
    drop(StudyFile::create(&path, &root()).expect("a new file"));
    let one = StudyFile::alone(&path).expect("nobody else");
    assert!(matches!(StudyFile::alone(&path), Err(StudyError::Growing)));
    drop(one);
    drop(StudyFile::alone(&path).expect("nobody else"));
    let beside = path.with_extension("study.growing");
    assert!(!beside.exists());
    std::fs::remove_file(path).expect("it is there");
}

/// The number of a study changes with what was judged, and with what was decided.
#[test]
fn other_studies_have_other_numbers() {
    let (mut numbers, mut made) = (HashSet::new(), 0);
    for value in [20, 600] {
        let path = place();
        let mut file = StudyFile::create(&path, &root()).expect("a new file");
        let mut tell = |file: &StudyFile| {
            made += 1;
            numbers.insert(file.fingerprint().expect("a file"));
        };
        let asked = file.ask(1).expect("a file").remove(0);
        file.tell(asked.leaf, &judge(), &Found { value: Score(value), ..answer(&asked) }).expect("a leaf");
        tell(&file);
        let other = root().legal_moves().into_iter().find(|mv| !answer(&asked).line.contains(mv));
        file.wish(&Wish { line: Vec::new(), what: What::Exclude(other.expect("a move")) }).expect("a file");
        file.fulfil().expect("a file");
        tell(&file);
        drop(file);
        let file = StudyFile::open(&path).expect("a study");
        assert!(numbers.contains(&file.fingerprint().expect("a file")), "it is read again");
        drop(file);
        std::fs::remove_file(path).expect("it is there");
    }
    assert_eq!(numbers.len(), made);
}

/// What is wanted is judged first, also after a stop, and once.
#[test]
fn what_is_wanted_is_judged_first() {
    let path = place();
    let mut file = StudyFile::create(&path, &root()).expect("a new file");
    let asked = file.ask(1).expect("a file").remove(0);
    file.tell(asked.leaf, &judge(), &answer(&asked)).expect("it was asked for");
    let mv = root().parse_uci("c6e5").expect("a move");
    file.wish(&Wish { line: Vec::new(), what: What::Include(mv) }).expect("a wish");
    assert_eq!(file.fulfil().expect("a file"), ["look at Ne5: done"]);
    drop(file);
    let mut file = StudyFile::open(&path).expect("a study");
    let asked = file.ask(1).expect("a file").remove(0);
    assert_eq!(asked.line, [mv]);
    file.tell(asked.leaf, &judge(), &answer(&asked)).expect("it was asked for");
    drop(file);
    let mut file = StudyFile::open(&path).expect("a study");
    let again = file.ask(1).expect("a file").remove(0);
    assert_ne!(again.leaf, asked.leaf);
    std::fs::remove_file(path).expect("it is there");
}

/// A line through a move that is left out is refused, and values that are supposed stay what they are.
#[test]
fn what_was_decided_stays() {
    let path = place();
    let mut file = StudyFile::create(&path, &root()).expect("a new file");
    let mv = root().parse_uci("f6d7").expect("a move");
    for what in [What::Exclude(mv), What::Include(mv), What::Exclude(mv)] {
        file.wish(&Wish { line: Vec::new(), what }).expect("a wish");
    }
    file.wish(&Wish { line: vec![mv], what: What::Prefer(false) }).expect("a wish");
    let said = file.fulfil().expect("a file");
    assert_eq!(said[..3], ["leave out Nd7: done", "look at Nd7: done", "leave out Nd7: done"]);
    assert_eq!(said[3], "no longer prefer 1... Nd7: it was not preferred");
    assert!(file.study().edges(PositionId::ROOT)[0].excluded);
    let (growth, steps) = (file.study().growth, file.study().steps.clone());
    let errors = cassius_search::study::Errors { gap: 1500, ..file.study().errors().clone() };
    let refused = file.set(growth, errors, steps);
    assert!(matches!(refused, Err(StudyError::Fixed(_))), "{refused:?}");
    drop(file);
    // A file of a program that was killed before it wrote anything.
    std::fs::write(&path, "").expect("a file");
    drop(StudyFile::create(&path, &root()).expect("there is nothing to lose"));
    std::fs::remove_file(path).expect("it is there");
}

#[test]
fn wishes_are_fulfilled() {
    let path = place();
    let mut file = StudyFile::create(&path, &root()).expect("a new file");
    let asked = file.ask(1).expect("a file").remove(0);
    file.tell(asked.leaf, &judge(), &answer(&asked)).expect("it was asked for");
    let (reply, mv) = (root().parse_uci("f6d5").expect("a move"), root().parse_uci("d8d6").expect("a move"));
    let mut elsewhere = StudyFile::open(&path).expect("a study");
    elsewhere.wish(&Wish { line: Vec::new(), what: What::Exclude(mv) }).expect("a wish");
    let mut after = root();
    after.play(reply);
    let answer = after.parse_uci("g2g4").expect("a move");
    elsewhere.wish(&Wish { line: vec![reply], what: What::Include(answer) }).expect("a wish");
    drop(elsewhere);
    assert_eq!(file.fulfil().expect("a file"), ["leave out Rd6: done", "after 1... Nd5: look at g4: done"]);
    assert_eq!(file.fulfil().expect("a file"), [] as [&str; 0]);
    let mut elsewhere = StudyFile::open(&path).expect("a study");
    elsewhere.wish(&Wish { line: vec![reply, answer], what: What::Prefer(true) }).expect("a wish");
    elsewhere.wish(&Wish { line: vec![reply, answer], what: What::Prefer(false) }).expect("a wish");
    elsewhere.wish(&Wish { line: vec![reply], what: What::Prefer(true) }).expect("a wish");
    drop(elsewhere);
    assert_eq!(
        file.fulfil().expect("a file"),
        ["prefer 1... Nd5 2. g4: done", "no longer prefer 1... Nd5 2. g4: done", "prefer 1... Nd5: done"]
    );
    let preferred: Vec<u32> =
        (0..file.study().len() as u32).filter(|id| file.study().is_preferred(PositionId(*id))).collect();
    assert_eq!(preferred.len(), 1);
    drop(file);
    let file = StudyFile::open(&path).expect("a study");
    assert!(file.study().is_preferred(PositionId(preferred[0])), "it is kept");
    let edges = file.study().edges(PositionId::ROOT);
    let followed: Vec<_> = edges.iter().map(|edge| (edge.mv, edge.excluded)).collect();
    assert_eq!(followed, [(mv, true), (reply, false)]);
    let Target::Position(to) = edges[1].to else { panic!("it leads somewhere") };
    assert_eq!(file.study().edges(to)[0].mv, answer);
    let gone = LeafId { position: PositionId::ROOT, followed: 0 };
    let mut file = file;
    let found = Found { line: vec![mv], ..Found::new(Score(3), 9) };
    assert!(matches!(file.tell(gone, &judge(), &found), Err(StudyError::Refused(Refused::NoLeaf))));
    // The other moves on the way are judged too, unless the line is left out meanwhile.
    let asked = file.ask(2).expect("a file");
    assert_eq!((asked[0].leaf.position, &asked[0].without[..]), (to, &[answer][..]));
    assert_eq!(asked[1].line, [reply, answer]);
    drop(file);
    let mut file = StudyFile::open(&path).expect("a study");
    file.wish(&Wish { line: Vec::new(), what: What::Exclude(reply) }).expect("a wish");
    file.fulfil().expect("a file");
    assert!(!file.study().is_reached(to));
    assert!(file.ask(5).expect("a file").iter().all(|asked| !asked.line.starts_with(&[reply])));
    std::fs::remove_file(path).expect("it is there");
}

/// A proof is taken from another study only where it ends before the fifty-move rule does.
#[test]
fn a_proof_is_not_taken_near_the_fifty_move_rule() {
    let one = place();
    let position = |clock: &str| format!("7k/8/5K2/8/8/8/8/Q7 w - - {clock}").parse::<Position>().unwrap();
    let mut file = StudyFile::create(&one, &position("0 1")).expect("a new file");
    let asked = file.ask(1).expect("a file").remove(0);
    let mv = asked.position.parse_uci("f6g6").expect("a move");
    let proof = Found { line: vec![mv], proven: true, ..Found::new(Score::win_in(3), asked.effort) };
    file.tell(asked.leaf, &judge(), &proof).expect("it was asked for");
    drop(file);
    for (clock, is_taken) in [("70 90", true), ("79 90", true), ("98 90", false)] {
        let other = place();
        let mut file = StudyFile::create(&other, &position(clock)).expect("a new file");
        assert_eq!(file.import(&one).expect("a study"), 1);
        assert_eq!(file.ask(1).expect("a file").is_empty(), is_taken, "{clock}");
        std::fs::remove_file(other).expect("it is there");
    }
    std::fs::remove_file(one).expect("it is there");
}

#[test]
fn the_schema_has_a_word_on_every_table() {
    let tables = cassius_study::SCHEMA.matches("CREATE TABLE").count();
    let before = cassius_study::SCHEMA.split("CREATE TABLE").map(|before| before.trim_end().lines().last());
    let told = before.take(tables).filter(|last| last.is_some_and(|line| line.starts_with("--"))).count();
    assert_eq!((tables, told), (6, 6));
}
