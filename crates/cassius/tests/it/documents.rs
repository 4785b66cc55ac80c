//! Checks that everything that the documents name exists: files, headings, tests, commands.
//!
//! The Rust blocks of the README run as documentation tests of the crate.

use cassius::commands::cli::Cli;
use clap::Parser as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns every document of the project with its text.
fn documents() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root(), root().join("docs"), root().join("papers"), root().join("results")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && path.starts_with(root().join("docs")) {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(&path).expect("a document");
                found.push((path, text));
            }
        }
    }
    assert!(found.len() >= 60, "{} documents: the book among them", found.len());
    found
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .collect::<String>();
    kept.replace(' ', "-")
}

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for (path, text) in documents() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            let known = || {
                let text = fs::read_to_string(&target).unwrap_or_default();
                text.lines().any(|line| {
                    line.starts_with('#') && anchor(line.trim_start_matches('#').trim()) == heading
                })
            };
            if !target.exists() || !heading.is_empty() && !known() {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

/// Whether a file has a test of this name: `#[test]` is among the attributes and comments before it.
fn is_test(source: &str, function: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let begin = format!("fn {function}(");
    (0..lines.len()).filter(|at| lines[*at].starts_with(&begin)).any(|at| {
        let before = lines[..at].iter().rev();
        before
            .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
            .any(|line| *line == "#[test]")
    })
}

/// A test is named as `crates/…/file.rs::function`.
#[test]
fn named_tests_exist() {
    let mut missing = Vec::new();
    let mut count = 0;
    for (path, text) in documents() {
        for name in text.split('`').filter(|code| code.starts_with("crates/") && code.contains(".rs::")) {
            count += 1;
            let (file, function) = name.split_once("::").expect("two parts");
            let source = fs::read_to_string(root().join(file)).unwrap_or_default();
            if !is_test(&source, function) {
                missing.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(count > 200, "{count} tests named");
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Returns the words of a command line, up to a pipe or redirection. Quotes are as in a shell.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '|' | '>' | '<' | '#' | '&') => break,
            (None, ' ') => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The program understands every command line of the documents. A line that ends with `\` goes on.
#[test]
fn commands_can_be_said() {
    let mut count = 0;
    for (path, text) in documents() {
        let mut in_shell = false;
        for line in text.replace("\\\n", "").lines() {
            if line.starts_with("```") {
                in_shell = line == "```sh";
            }
            let said = line.strip_prefix("cargo run --release -- ").or(line.strip_prefix("cassius "));
            let Some(arguments) = said.filter(|_| in_shell) else { continue };
            count += 1;
            let arguments = std::iter::once("cassius".to_string()).chain(words(arguments));
            match Cli::try_parse_from(arguments) {
                Err(error) if error.use_stderr() => panic!("{}: {line}\n{error}", path.display()),
                _ => {}
            }
        }
    }
    assert!(count >= 10, "{count} command lines");
}

/// Returns what the program says in the root of the project.
fn said(arguments: &[String], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cassius"));
    command.args(arguments).current_dir(root()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("input");
    let output = child.wait_with_output().expect("output");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The README shows what the program says to its commands, and over UCI. `…` stands for what is left out, and
/// times are not compared.
#[test]
fn samples_of_the_readme_are_true() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let (mut asked, mut count) = (Vec::new(), 0);
    for block in readme.split("```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').expect("lines");
        let command = text.strip_prefix("cargo run --release -- ").or(text.strip_prefix("cassius "));
        if language == "sh" {
            asked = command.map_or(Vec::new(), |command| words(command.trim_end()));
            continue;
        }
        let over_uci = text.split_once("info ").filter(|_| text.starts_with("position "));
        let (answer, shown) = match over_uci {
            Some((input, _)) => (said(&[], input), &text[input.len()..]),
            None if language == "text" && !asked.is_empty() => (said(&asked, ""), text),
            None => continue,
        };
        count += 1;
        let mut rest = answer.as_str();
        for line in shown.lines() {
            let untimed = line.split_once(" nodes, ").filter(|_| line.ends_with(" nodes/s"));
            let line = untimed.map_or(line, |(line, _)| line);
            for part in line.split('…').map(str::trim) {
                let from = rest.find(part).unwrap_or_else(|| panic!("`{part}` is not in {answer}"));
                rest = &rest[from + part.len()..];
            }
        }
        asked.clear();
    }
    assert_eq!(count, 4, "samples");
}

/// Returns the part of a file's head that begins with a marker, or its first sentence, in one line.
fn head_part(head: &[&str], marker: Option<&str>) -> Option<String> {
    let starts = |line: &&str| marker.is_none_or(|marker| line.starts_with(&format!("*{marker}:*")));
    let from = head.iter().position(starts)?;
    let goes_on = |(index, line): &(usize, &&str)| *index == 0 || !line.is_empty() && !line.starts_with('*');
    let lines: Vec<&str> =
        head[from..].iter().enumerate().take_while(goes_on).map(|(_, line)| *line).collect();
    let text = lines.join(" ");
    Some(
        marker
            .map_or(text.clone(), |marker| text.replacen(&format!("*{marker}:*"), "", 1))
            .trim()
            .to_string(),
    )
}

/// Removes links to other items, which are only for the documentation of the crate.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[`") {
        let (name, after) = after.split_once("`]").expect("a link ends");
        plain += &format!("{before}`{name}`");
        rest = match after.strip_prefix('(') {
            Some(target) => target.split_once(')').expect("a target ends").1,
            None => after,
        };
    }
    plain + rest
}

/// The tables that contain the value of components.
struct Worth {
    ablation: String,
    option_counting: String,
}

impl Worth {
    fn read() -> Worth {
        let table = |name: &str| fs::read_to_string(root().join("results").join(name)).expect("a table");
        Worth { ablation: table("ablation.csv"), option_counting: table("option-counting.csv") }
    }

    /// Returns the known results for some components, one sentence each, and the tables that contain
    /// them.
    fn of<'a>(&self, components: impl Iterator<Item = &'a str> + Clone) -> (Vec<String>, Vec<&'static str>) {
        type Known<'b> = &'b dyn Fn(&str) -> Option<String>;
        let tables: [(&str, Known<'_>); 2] = [
            ("results/ablation.md", &|component| ablated(component, &self.ablation)),
            ("results/option-counting.md", &|component| counted(component, &self.option_counting)),
        ];
        let (mut sentences, mut known) = (Vec::new(), Vec::new());
        for (table, say) in tables {
            let said: Vec<String> = components.clone().filter_map(say).collect();
            if !said.is_empty() {
                known.push(table);
            }
            sentences.extend(said);
        }
        (sentences, known)
    }
}

/// Returns the sentences with which a head refers to a table. The figures are in the table and nowhere
/// else.
fn figures_in(table: &str) -> [String; 2] {
    ["figures", "Figures"].map(|figures| format!("{figures} in {table}."))
}

/// Returns the worth that a head states, without its references to tables, and the tables that it refers
/// to.
fn worth_said<'a>(head: &[&str], tables: &[&'a str]) -> (String, Vec<&'a str>) {
    let mut said = head_part(head, Some("Worth")).unwrap_or_default();
    let mut named = Vec::new();
    for &table in tables {
        for figures in figures_in(table) {
            if said.contains(&figures) {
                said = said.replace(&figures, "");
                named.push(table);
            }
        }
    }
    (said.split_whitespace().collect::<Vec<_>>().join(" "), named)
}

/// Returns our figure in the table row that begins with `begins`. The paper's figure precedes it.
fn figure(table: &str, begins: &str) -> Option<f64> {
    table.lines().find_map(|row| {
        let rest = row.strip_prefix(begins)?.strip_prefix(',')?;
        let figure = rest.split(',').nth(1).expect("paper, ours");
        Some(figure.parse::<f64>().expect("a figure"))
    })
}

/// Returns the result of the ablation for a component.
fn ablated(component: &str, ablation: &str) -> Option<String> {
    let of = |quantity: &str| {
        ["on", "off", "MinimalWindow", "Table"] // the last two are components that another one replaces
            .iter()
            .find_map(|usually| figure(ablation, &format!("{quantity},{component},{usually}")))
    };
    let mut parts = vec![format!("nodes ×{:.2}", of("nodes")?)];
    if let (Some(with), Some(without)) = (of("solved with"), of("solved without")) {
        parts.push(format!("solved {with} : {without}"));
    }
    for (pace, at) in
        [("nodes", "at equal nodes"), ("time", "at equal time"), ("deep", "at ten times the nodes")]
    {
        if let (Some(elo), Some(error)) = (of(&format!("Elo ({pace})")), of(&format!("± ({pace})"))) {
            parts.push(format!("Elo {elo:+.0} ± {error:.0} {at}"));
        }
    }
    Some(format!("`{component}`: {}.", parts.join(", ")))
}

/// Returns the result of the games for a way to count options.
fn counted(way: &str, games: &str) -> Option<String> {
    let in_form = |form: &str| {
        let of = |quantity: &str| figure(games, &format!("{quantity},{way},{form}"));
        let elo = |pace: &str| {
            let elo = of(&format!("Elo ({pace})"))?;
            let error = of(&format!("± ({pace})")).map(|error| format!(" ± {error:.0}"));
            Some(format!("{elo:+.0}{} at equal {pace}", error.unwrap_or_default()))
        };
        Some(format!("{form} form Elo {}, {}", elo("nodes")?, elo("time")?))
    };
    let (paper, coupled) = (in_form("paper")?, in_form("coupled")?);
    Some(format!("`{way}`: {paper}; {coupled}."))
}

/// Returns the components that a file declares.
fn declared(source: &str) -> impl Iterator<Item = &str> + Clone {
    let after = source.lines().filter_map(|line| line.trim().strip_prefix("pub struct "));
    after.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next())
}

/// The tables that have figures of components.
const TABLES: [&str; 2] = ["results/ablation.md", "results/option-counting.md"];

/// The folders of components, with their headings.
const FOLDERS: [(&str, &str); 14] = [
    ("alpha_beta/horizon", "Depth rules"),
    ("alpha_beta/deepening", "Deepening"),
    ("alpha_beta/aspiration", "Windows of the root"),
    ("alpha_beta/windows", "Windows of moves"),
    ("alpha_beta/correction", "Correction"),
    ("alpha_beta/quiescence", "Quiescence"),
    ("alpha_beta/memory", "Memory"),
    ("alpha_beta/sharing", "Sharing"),
    ("alpha_beta/order", "Order"),
    ("alpha_beta/selectivity", "Selectivity"),
    ("alpha_beta/options", "Options"),
    ("best_first", "Best-first search"),
    ("proof", "Proofs"),
    ("study", "Studies"),
];

/// Returns the source files of a folder of components, by name, with their texts.
fn sources(folder: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join("crates/search/src").join(folder)).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        (name.into(), fs::read_to_string(&file).expect("a source file"))
    };
    files.into_iter().map(read).collect()
}

/// Returns the head of a file, line by line.
fn head(text: &str) -> Vec<&str> {
    text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect()
}

/// Returns the index of components, made from the heads of their files and the tables of the ablation
/// and of option counting.
fn component_index() -> String {
    let mut index = String::from(
        "# Components\n\n\
         Made from the heads of the files: `CASSIUS_UPDATE=1 cargo test -p cassius documents` \
         writes it anew. Parameters, with ranges and units: `cassius recipes NAME`.\n\n\
         Figures under *worth* are those of [the ablation](results/ablation.md), which says how they were \
         measured: nodes to a fixed depth with the component over without it, or over what it stands in the \
         place of; exercises solved, with : without; Elo likewise. Of ways to count options they are those \
         of [the games](results/option-counting.md) against plies, some together with another way where they \
         are silent; -inf: all were lost.\n",
    );
    let measured = Worth::read();
    for (folder, title) in FOLDERS {
        index += &format!(
            "\n## {title}\n\n| file | what it does | reference | minimax value | worth |\n\
             |---|---|---|---|---|\n"
        );
        for (name, text) in sources(folder) {
            let head = head(&text);
            let Some(soundness) = head_part(&head, Some("Soundness")) else { continue };
            let what = head_part(&head, None).expect("a head");
            let reference = head_part(&head, Some("Reference")).unwrap_or_default();
            let (mut worth, _) = measured.of(declared(&text));
            let (said, _) = worth_said(&head, &TABLES);
            if !said.is_empty() {
                worth.insert(0, said);
            }
            let worth = if worth.is_empty() { "–".into() } else { worth.join(" ") };
            let cells =
                [what, reference, soundness, worth].map(|cell| without_links(&cell).replace('|', "\\|"));
            index += &format!("| [{name}](crates/search/src/{folder}/{name}) | {} |\n", cells.join(" | "));
        }
    }
    index
}

/// A head refers to a table exactly if the table has figures of the component, and says "not measured"
/// if none has.
#[test]
fn heads_say_what_was_measured() {
    let measured = Worth::read();
    let mut wrong = Vec::new();
    let mut named = 0;
    for (folder, _) in FOLDERS {
        for (name, text) in sources(folder) {
            let head = head(&text);
            if head_part(&head, Some("Soundness")).is_none() {
                continue;
            }
            let (_, known) = measured.of(declared(&text));
            let (said, says) = worth_said(&head, &TABLES);
            named += says.len();
            if says != known || !known.is_empty() && said.to_lowercase().contains("not measured") {
                wrong.push(format!("{folder}/{name}: figures in {known:?}, its head names {says:?}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(named > 30, "{named}");
}

#[test]
fn components_are_indexed() {
    let path = root().join("COMPONENTS.md");
    let index = component_index();
    if std::env::var_os("CASSIUS_UPDATE").is_some() {
        fs::write(&path, &index).expect("the index");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == index,
        "COMPONENTS.md is out of date: CASSIUS_UPDATE=1 cargo test -p cassius documents"
    );
    assert!(index.lines().filter(|line| line.starts_with("| [")).count() > 40);
}
