//! Tests what the crates may depend on and mention, by reading their source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// Returns every line of the sources of the crates that are independent of any particular game.
fn lines() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for name in ["search", "games"] {
        sources(&crates().join(name).join("src"), &mut files);
    }
    assert!(files.len() > 30);
    let numbered = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("a source file");
        let place = |i: usize| format!("{}:{}", file.display(), i + 1);
        text.lines().enumerate().map(|(i, line)| (place(i), line.to_string())).collect::<Vec<_>>()
    };
    files.iter().flat_map(numbered).collect()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Permitted mentions: a unit given as an example, a program that a paper names, and where a worth was
/// measured.
const ALLOWED: [&str; 2] = ["(centipawns in chess)", "Measured in chess,"];

/// The search and its toy games are independent of any particular game.
#[test]
fn no_word_of_one_game_in_the_search() {
    let chess = [
        "chess",
        "shakmaty",
        "pawn",
        "pawns",
        "knight",
        "knights",
        "bishop",
        "bishops",
        "rook",
        "rooks",
        "queen",
        "queens",
        "king",
        "kings",
        "castling",
        "castle",
        "checkmate",
        "stalemate",
        "enpassant",
    ];
    let mut offences = Vec::new();
    for (place, line) in lines() {
        let line = ALLOWED.iter().fold(line, |line, allowed| line.replace(allowed, ""));
        for word in words(&line) {
            let named = ["FEN", "UCI", "SAN", "Fen", "Uci", "San"].contains(&word);
            if named || chess.contains(&word.to_lowercase().as_str()) {
                offences.push(format!("{place}: `{word}`"));
            }
        }
    }
    assert!(offences.is_empty(), "{offences:#?}");
}

/// No clock, no output, no files: limits and reports are passed in through traits. One of the limits is a
/// moment of time.
#[test]
fn the_search_is_deaf_and_mute() {
    let forbidden = [
        "println!",
        "eprintln!",
        "print!(",
        "dbg!(",
        "std::time",
        "Instant::now",
        "SystemTime",
        "std::fs",
        "std::io",
        "std::env",
        "std::net",
    ];
    for (place, line) in lines() {
        let example = line.trim_start().starts_with("///") || line.trim_start().starts_with("//!");
        let is_limit = place.contains("search/src/limits.rs");
        for word in forbidden {
            let time = ["std::time", "Instant::now"].contains(&word);
            assert!(example || (is_limit && time) || !line.contains(word), "{place}: {word}");
        }
    }
}

/// The top-level modules of the search have no circular imports.
#[test]
fn no_circle_of_modules_in_the_search() {
    let root = crates().join("search").join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let top = |file: &Path| {
        let first = file.strip_prefix(&root).expect("inside").components().next().expect("a name");
        first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_string()
    };
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| top(file) != "lib") {
        let text = fs::read_to_string(file).expect("a source file");
        let code = text.lines().filter_map(|line| line.split("//").next());
        let named = code.flat_map(|line| line.split("crate::").skip(1)).filter_map(|rest| words(rest).next());
        imports.entry(top(file)).or_default().extend(named.map(str::to_string));
    }
    let modules: BTreeSet<String> = imports.keys().cloned().collect();
    for (module, named) in &mut imports {
        named.retain(|name| name != module && modules.contains(name));
    }
    // A module without remaining imports is not part of a circle.
    while let Some(done) = imports.iter().find(|(_, named)| named.is_empty()).map(|(name, _)| name.clone()) {
        imports.remove(&done);
        for named in imports.values_mut() {
            named.remove(&done);
        }
    }
    assert!(modules.len() > 10 && imports.is_empty(), "{imports:#?}");
}

/// Returns the names of the dependencies in one table of a manifest.
fn dependencies(name: &str, table: &str) -> Vec<String> {
    let text = fs::read_to_string(crates().join(name).join("Cargo.toml")).expect("a manifest");
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == format!("[{table}]");
        } else if inside && let Some((key, _)) = line.split_once('=') {
            found.push(key.trim().split('.').next().unwrap_or_default().to_string());
        }
    }
    found
}

#[test]
fn arrows_point_downwards() {
    let ours = |name: &str| -> Vec<String> {
        let mut found = dependencies(name, "dependencies");
        found.retain(|dependency| dependency.starts_with("cassius"));
        found.sort();
        found
    };
    // The search stands alone: what a feature needs has to be asked for.
    let manifest = fs::read_to_string(crates().join("search/Cargo.toml")).expect("a manifest");
    assert!(!manifest.contains("\ndefault = "), "no feature comes by itself");
    for name in dependencies("search", "dependencies") {
        let optional = format!("\n{name} = {{ workspace = true, optional = true }}\n");
        assert!(manifest.contains(&optional), "{name}");
    }
    assert_eq!(ours("games"), ["cassius-search"]);
    assert_eq!(ours("chess"), ["cassius-search"]);
    assert_eq!(ours("insight"), ["cassius-chess", "cassius-search"]);
    assert_eq!(ours("page"), ["cassius-chess", "cassius-insight", "cassius-search"]);
    assert_eq!(ours("study"), ["cassius-chess", "cassius-search"]);
    assert!(ours("train").is_empty(), "the trainer knows no game");
    let below_lab = ["cassius-chess", "cassius-games", "cassius-insight", "cassius-search", "cassius-train"];
    assert!(ours("lab").iter().all(|name| below_lab.contains(&name.as_str())));
}

/// The rules of chess come from one library, which one crate wraps.
#[test]
fn only_the_chess_crates_know_the_chess_library() {
    for name in ["search", "games"] {
        for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let found = dependencies(name, table);
            assert!(
                !found
                    .iter()
                    .any(|name| ["shakmaty", "shakmaty-syzygy", "pgn-reader"].contains(&name.as_str())),
                "{name}"
            );
        }
    }
    assert!(dependencies("chess", "dependencies").contains(&"shakmaty".to_string()));
}
