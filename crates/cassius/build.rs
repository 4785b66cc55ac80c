//! Puts the files of the page into the program, if the page was built: `web/dist`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let own = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let page = own.join("../../web/dist");
    // What does not exist would be looked for, and everything compiled again, each time.
    let watched =
        [page.clone(), own.join("../../web"), own.join("build.rs")].into_iter().find(|path| path.exists());
    println!("cargo::rerun-if-changed={}", watched.expect("this file").display());
    let mut list = String::from("const FILES: &[(&str, &[u8])] = &[\n");
    for file in files(&page) {
        let name = file.strip_prefix(&page).expect("in the folder").to_str().expect("a plain name");
        let _ = writeln!(list, "    ({:?}, include_bytes!({:?})),", name.replace('\\', "/"), file);
    }
    list += "];\n";
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("page.rs");
    fs::write(out, list).expect("the build folder can be written");
}

/// Returns the files of a folder and those in it, or none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
