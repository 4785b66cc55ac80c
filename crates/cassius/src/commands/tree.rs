//! `cassius tree`: judges a tree that the user types, by the definitions of McAllester & Yuret 1993, §2
//! to §6.

mod picture;
mod report;
mod text;

use crate::{Error, terminal, whole_file};
use anyhow::{Context as _, bail};
use cassius_games::explicit::ParseError;
use cassius_games::{Tree, figures};
use cassius_search::Score;
use cassius_search::alpha_beta::horizon::{Safety, SafetyError};
use report::{Asked, Report};
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

/// Arguments of `cassius tree`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A node is written as label:value, followed by its children in parentheses. Labels are optional.
Values are static values from the point of view of MAX, who moves at the root. A leaf is a position \
that was not expanded, so its value may be wrong. An exclamation mark, as in 'C:0!', means that the \
game ends there and the value is exact.
A node without a unique label is named by its place: 1.2 is the second child of the root's first \
child. A node deep in the tree is named by its number in reading order: #7 is the seventh node.

Each strategy is shown with its value, C (C_max or C_min, the minimum number of leaves of its \
augmentation that defeat it), d (its conspiracy depth), D (its adjusted depth), its options and its \
weakest line. The number of strategies grows exponentially with the tree. All are counted; the best \
one and others, up to --strategies in total, are listed.
S is one of illustrative (0, 0.4, 0.65, 0.9, 0.95, 1, after ABC §6), half (k/2), any-option (1 for any \
option), one (1 for every move), power:GAMMA,B (1 - ((B - k) / B)^GAMMA), or the numbers S(0), S(1), \
… themselves, of which the last applies to all greater k.
Trees of more than 10000 nodes, and pictures of more than 400, are refused.

Figures: cns-1, cns-2, cns-growth, abc-1, abc-2, abc-3, abc-4-left, abc-4-right, theorem-2, \
theorem-2-same-value, theorem-2-smaller.

Examples:
  cassius tree 'A:0(B:1(E:0 F:1) C:0)'
  cassius tree abc-4-left --safety 0,0.5,0.75,1 --svg page.svg
  cassius tree figure.txt --target -3,0,3 --delta 2 --json
  echo '0(0(0 0!) 0(0 0))' | cassius tree - --epsilon 0.05 --samples 100000")]
pub struct TreeArgs {
    /// A file, the tree itself, the name of a figure, or `-` for standard input.
    #[arg(value_name = "FILE|TEXT", allow_hyphen_values = true)]
    tree: String,
    /// δ: a plan fails if its value falls by N or more; a move is an option if its value is less than N
    /// below that of the plan.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(i32).range(1..=60_000),
    )]
    delta: i32,
    /// S: how much a move adds to the depth of a plan, by its number of options k.
    #[arg(long, value_name = "NAME|NUMBERS", default_value = "illustrative", value_parser = parse_safety)]
    safety: Safety,
    /// Target values for the root; by default the values of the leaves.
    #[arg(long, value_name = "VALUES", value_delimiter = ',', allow_hyphen_values = true,
        value_parser = clap::value_parser!(i32).range(-30_000..=30_000))]
    target: Vec<i32>,
    /// Maximum number of strategies to list for each side.
    #[arg(
        long, value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..=10_000),
    )]
    strategies: u32,
    /// ε: probability that a leaf is worth +∞, and also that it is worth −∞.
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = parse_epsilon)]
    epsilon: f64,
    /// Number of random samples of the leaf values.
    #[arg(
        long, value_name = "N", default_value_t = 10_000,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000),
    )]
    samples: u32,
    /// Random seed for the samples.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the results as one JSON object.
    #[arg(long)]
    json: bool,
    /// Also draw the tree and the results, as an SVG page.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The maximum number of nodes of a tree that is judged, and of one that is drawn.
const MOST_NODES: usize = 10_000;
const MOST_DRAWN: usize = 400;
/// The maximum number of nodes that are visited for random samples, which takes a few seconds.
const MOST_LOOKS: u64 = 200_000_000;
/// The maximum length of the text, in bytes.
const MOST_BYTES: u64 = 4 << 20;

fn parse_safety(text: &str) -> Result<Safety, SafetyError> {
    text.parse()
}

fn parse_epsilon(text: &str) -> Result<f64, String> {
    let epsilon: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if (0.0..=0.5).contains(&epsilon) { Ok(epsilon) } else { Err("ε must be from 0 to 0.5".into()) }
}

/// Judges a tree and prints the results.
pub fn run(args: TreeArgs) -> Result<(), Error> {
    let (tree, input) = read(&args.tree)?;
    if tree.len() > MOST_NODES {
        bail!("the tree has {} nodes; at most {MOST_NODES} are allowed", tree.len());
    }
    if args.svg.is_some() && tree.len() > MOST_DRAWN {
        bail!("the tree has {} nodes; a picture has at most {MOST_DRAWN}: leave out --svg", tree.len());
    }
    if u64::from(args.samples) * tree.len() as u64 > MOST_LOOKS {
        let most = MOST_LOOKS / tree.len() as u64;
        bail!("--samples {}: at most {most} are allowed for a tree of {} nodes", args.samples, tree.len());
    }
    if let Some(path) = &args.svg {
        if path == Path::new("-") {
            bail!("--svg needs a file: the results are written to standard output");
        }
        let inputs: Vec<&Path> = input.iter().map(PathBuf::as_path).collect();
        whole_file::prepare(&[path], &inputs)?;
    }
    let asked = Asked {
        margin: Score(args.delta),
        safety: args.safety,
        targets: args.target,
        strategies: args.strategies as usize,
        epsilon: args.epsilon,
        samples: args.samples,
        seed: args.seed,
    };
    let report = Report::of(&tree, &asked);
    let mut out = terminal::stdout(args.svg.is_some());
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?,
        false => out.write_all(text::of(&tree, &report).as_bytes())?,
    }
    if let Some(path) = &args.svg {
        whole_file::write(path, picture::of(&tree, &report))?;
    }
    if args.json {
        report.notes.iter().for_each(|note| terminal::note(format_args!("{note}")));
    }
    Ok(())
}

/// Returns the output for a small tree, with few samples: text, JSON and picture. For fuzzers.
///
/// # Errors
/// If the text is not a tree. The message contains the place.
pub fn shown(text: &str) -> Result<[String; 3], Error> {
    let tree: Tree = text.parse()?;
    if tree.len() > MOST_DRAWN {
        bail!("more than {MOST_DRAWN} nodes");
    }
    let asked = Asked {
        margin: Score(1),
        safety: Safety::illustrative(),
        targets: Vec::new(),
        strategies: 5,
        epsilon: 0.1,
        samples: 20,
        seed: 1,
    };
    let report = Report::of(&tree, &asked);
    Ok([text::of(&tree, &report), serde_json::to_string(&report)?, picture::of(&tree, &report)])
}

/// Returns the tree that the argument denotes, and the file it was read from, if any.
fn read(given: &str) -> Result<(Tree, Option<PathBuf>), Error> {
    let fault = |place: &str, error: ParseError| anyhow::anyhow!("{place}: {error}");
    if given == "-" {
        let text = whole(io::stdin().lock()).context("standard input")?;
        return Ok((text.parse().map_err(|error| fault("standard input", error))?, None));
    }
    let path = Path::new(given);
    if path.exists() && !path.is_dir() {
        let text =
            File::open(path).map_err(Error::from).and_then(whole).with_context(|| given.to_string())?;
        return Ok((text.parse().map_err(|error| fault(given, error))?, Some(path.into())));
    }
    if let Some(figure) = figures::named(given) {
        return Ok((figure, None));
    }
    match given.parse() {
        Ok(tree) => Ok((tree, None)),
        // The argument has neither a value nor a bracket, so it is hardly meant as a tree.
        Err(_) if !given.contains([':', '(', ' ']) => {
            bail!("{given}: neither a file, nor the name of a figure, nor a tree such as 'A:0(B:1 C:0)'")
        }
        Err(error) => Err(fault("the tree", error)),
    }
}

/// Reads a text of bounded length.
fn whole(from: impl Read) -> Result<String, Error> {
    let mut text = String::new();
    from.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        bail!("the text is longer than {} MiB", MOST_BYTES >> 20);
    }
    Ok(text)
}
