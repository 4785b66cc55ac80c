//! Checks which crates may be used, as `deny.toml` states it, for developers who have not installed
//! `cargo deny`. Compiling that takes longer than all lints together.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the strings of a list in `deny.toml`.
fn list(name: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("deny.toml")).expect("a file");
    let (_, rest) = text.split_once(&format!("\n{name} = [")).expect("a list");
    let (list, _) = rest.split_once(']').expect("the end of the list");
    list.split('"').skip(1).step_by(2).map(str::to_string).collect()
}

/// Returns the names, versions and sources in `Cargo.lock`.
fn locked() -> Vec<[String; 3]> {
    let text = fs::read_to_string(root().join("Cargo.lock")).expect("a file");
    let packages = text.split("[[package]]").skip(1).map(|package| {
        ["name", "version", "source"].map(|field| {
            let line = package.lines().find_map(|line| line.strip_prefix(&format!("{field} = ")));
            line.unwrap_or_default().trim_matches('"').to_string()
        })
    });
    packages.collect()
}

#[test]
fn sources_are_known_and_versions_are_one() {
    let packages = locked();
    assert!(packages.len() > 50);
    let skipped = list("skip");
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for [name, version, source] in &packages {
        let ours = source.is_empty() && name.starts_with("cassius");
        assert!(ours || source == CRATES_IO, "{name} {version} comes from '{source}'");
        let package = format!("{name}@{version}");
        if !skipped.iter().any(|skipped| package.starts_with(&format!("{skipped}."))) {
            versions.entry(name).or_default().insert(version);
        }
    }
    let several: Vec<_> = versions.iter().filter(|(_, versions)| versions.len() > 1).collect();
    assert!(several.is_empty(), "several versions: {several:?}");
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` can be satisfied.
fn is_allowed(license: &str, allowed: &[String]) -> bool {
    // Old manifests have a slash for OR. AND binds more tightly.
    let text = license.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = text.split_whitespace().peekable();
    either(&mut words, allowed) && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut met = both(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        met |= both(words, allowed);
    }
    met
}

fn both(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut met = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words, allowed);
    }
    met
}

fn one(words: &mut Words<'_>, allowed: &[String]) -> bool {
    match words.next() {
        Some("(") => {
            let met = either(words, allowed);
            met & (words.next() == Some(")"))
        }
        name => {
            // A licence with an exception is in the list as a whole, or is not allowed.
            let name = match words.next_if_eq(&"WITH") {
                Some(_) => name.zip(words.next()).map(|(name, exception)| format!("{name} WITH {exception}")),
                None => name.map(str::to_string),
            };
            name.is_some_and(|name| allowed.contains(&name))
        }
    }
}

#[test]
fn expressions_are_read() {
    let allowed = ["MIT", "Unicode-3.0", "ISC WITH other-exception"].map(String::from);
    for (license, expected) in [
        ("MIT", true),
        ("Apache-2.0", false),
        ("Apache-2.0/MIT", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("MIT AND Apache-2.0", false),
        ("Apache-2.0 OR MIT AND Unicode-3.0", true),
        ("Apache-2.0 WITH LLVM-exception OR MIT", true),
        ("MIT WITH LLVM-exception", false),
        ("ISC WITH other-exception", true),
        ("ISC", false),
        ("(MIT", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(license, &allowed), expected, "{license}");
    }
}

/// Checks the crates that are built on this system, because others need not be present. Below `search`
/// and `games`, which have licences different from the program's, nothing may require the GPL.
#[test]
fn licences_are_allowed() {
    let cargo = || Command::new(env!("CARGO"));
    let version = cargo().arg("-vV").output().expect("cargo runs").stdout;
    let version = String::from_utf8(version).expect("text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let arguments = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host];
    let output = cargo().current_dir(root()).args(arguments).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    assert!(packages.len() > 50);
    let license = |package: &Value| package["license"].as_str().unwrap_or_default().to_string();
    let allowed = list("allow");
    for package in packages {
        let license = license(package);
        assert!(is_allowed(&license, &allowed), "{} is under '{license}'", package["name"]);
    }

    let permissive: Vec<String> =
        allowed.iter().filter(|license| !license.starts_with("GPL")).cloned().collect();
    let names: BTreeMap<&str, &Value> =
        packages.iter().map(|package| (package["id"].as_str().expect("an id"), package)).collect();
    let nodes = metadata["resolve"]["nodes"].as_array().expect("a list");
    let needs: BTreeMap<&str, Vec<&str>> = nodes
        .iter()
        .map(|node| {
            let linked = |dep: &&Value| {
                dep["dep_kinds"]
                    .as_array()
                    .is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
            };
            let deps = node["deps"].as_array().expect("a list").iter().filter(linked);
            (node["id"].as_str().expect("an id"), deps.filter_map(|dep| dep["pkg"].as_str()).collect())
        })
        .collect();
    let ours = |name: &str| *names.iter().find(|(_, package)| package["name"] == name).expect("a crate").0;
    let (mut open, mut seen) = (vec![ours("cassius-search"), ours("cassius-games")], BTreeSet::new());
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let license = license(names[id]);
            assert!(is_allowed(&license, &permissive), "{id} is under '{license}'");
            open.extend(&needs[id]);
        }
    }
    assert!(seen.len() > 2);
}
