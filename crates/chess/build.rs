//! Chooses the network that is built in: the file that `EVALFILE` names, or the project's own. What is not a
//! network is refused.

// Only reading is needed here.
#[allow(dead_code)]
#[path = "src/evaluation/network/file.rs"]
mod file;

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let own = Path::new("src/evaluation/network/default.net");
    let given = env::var_os("EVALFILE").filter(|file| !file.is_empty());
    let path = given.as_ref().map_or(own, Path::new);
    match network(path) {
        Ok(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-env=CASSIUS_NETWORK={}", path.display());
        }
        Err(error) => println!("cargo::error=EVALFILE {}: {error}", path.display()),
    }
}

/// Returns the absolute path of a network.
pub fn network(path: &Path) -> Result<PathBuf, Box<dyn std::error::Error>> {
    file::read(&fs::read(path)?)?;
    Ok(fs::canonicalize(path)?)
}
