//! Chooses the network that is built in: the file that `EVALFILE` names, or the project's own.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let own = Path::new("src/evaluation/network/default.net");
    let given = env::var_os("EVALFILE").filter(|file| !file.is_empty());
    let path = given.as_ref().map_or(own, Path::new);
    let file = fs::canonicalize(path).unwrap_or_else(|error| panic!("EVALFILE {}: {error}", path.display()));
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env=CASSIUS_NETWORK={}", file.display());
}
