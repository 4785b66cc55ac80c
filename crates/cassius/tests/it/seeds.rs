//! Runs the fuzz targets on the kept inputs, and on truncated and changed versions of these. The inputs
//! are the same on every machine.

#[path = "../../../../fuzz/bodies/mod.rs"]
mod bodies;

use std::fs;
use std::path::{Path, PathBuf};

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// Returns the kept inputs of a target, with their names.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = fs::read_dir(fuzz().join("seeds").join(target)).expect("seeds");
    let mut seeds: Vec<_> = folder
        .map(|entry| {
            let path = entry.expect("a file").path();
            (path.display().to_string(), fs::read(&path).expect("a file"))
        })
        .collect();
    seeds.sort();
    seeds
}

/// Pseudo-random numbers.
struct Draws(u64);

impl Draws {
    fn below(&mut self, below: usize) -> usize {
        // The upper half of Knuth's linear congruential generator.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

/// Returns `number`-dependent changes of an input: truncated, with bytes exchanged, and with pieces left
/// out, duplicated or taken from another input.
fn changed(seed: &[u8], other: &[u8], number: usize) -> Vec<u8> {
    let mut draws = Draws(number as u64 * 7_919 + seed.len() as u64);
    let mut bytes = seed.to_vec();
    for _ in 0..1 + draws.below(3) {
        let (at, to) = (draws.below(bytes.len()), draws.below(bytes.len() + 1));
        let piece = at.min(to)..at.max(to).min(at.min(to) + 40);
        match draws.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(piece)),
            2 => bytes = [&bytes[..to], &bytes[piece], &bytes[to..]].concat(),
            3 => {
                let from = draws.below(other.len());
                bytes.splice(piece, other[from..other.len().min(from + 40)].iter().copied());
            }
            4 if at < bytes.len() => bytes[at] = draws.below(256) as u8,
            _ if at < bytes.len() => bytes[at] = b"\n \"{}()[]0-$;%/1"[draws.below(16)],
            _ => {}
        }
    }
    bytes
}

/// The number of changes of each seed.
const CHANGES: usize = 100;

#[test]
fn kept_inputs_break_nothing() {
    for (target, run) in bodies::TARGETS {
        let seeds = seeds(target);
        for (index, (name, seed)) in seeds.iter().enumerate() {
            assert!(seed.len() <= 8 << 10, "{name} is too long to be kept");
            let ask = |what: &dyn std::fmt::Display, bytes: &[u8]| {
                if std::panic::catch_unwind(|| run(bytes)).is_err() {
                    panic!("{target}: {name}, {what}: {:?}", String::from_utf8_lossy(bytes));
                }
            };
            ask(&"whole", seed);
            let other = &seeds[(index + 1) % seeds.len()].1;
            for number in 0..CHANGES {
                ask(&format_args!("change {number}"), &changed(seed, other, number));
            }
        }
    }
}

/// Every target has seeds, and every target is in every list.
#[test]
fn every_target_is_in_every_list() {
    let names = |folder: &str, suffix: &str| {
        let folder = fs::read_dir(fuzz().join(folder)).expect("a folder");
        let names = folder.map(|entry| entry.expect("a file").file_name().into_string().expect("text"));
        let mut names: Vec<_> = names
            .filter_map(|name| Some(name.strip_suffix(suffix)?.to_string()))
            .filter(|name| name != "mod")
            .collect();
        names.sort();
        names
    };
    let targets: Vec<&str> = bodies::TARGETS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names("fuzz_targets", ".rs"), targets);
    assert_eq!(names("bodies", ".rs"), targets);
    assert_eq!(names("seeds", ""), targets);
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).expect("a file");
    let readme = fs::read_to_string(fuzz().join("README.md")).expect("a file");
    for target in targets {
        assert!(manifest.contains(&format!("name = \"{target}\"")), "Cargo.toml: {target}");
        assert!(readme.contains(target), "README.md: {target}");
        assert!(!seeds(target).is_empty());
    }
}
