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
A tree is label:value and children in parentheses. Labels may be left out. Values are static
values seen by MAX, who moves at the root. A leaf is a position that was not expanded: its value
may be wrong. An exclamation mark ends the game there, 'C:0!': its value is exact.
A node without a label, or whose label stands twice, is called by its place: 1.2 is the second
child of the root's first, #7 the seventh node as they are read, where that is deep.

Every strategy is shown with its value, C (C_max or C_min: the fewest leaves of its augmentation
that defeat it), d (its conspiracy depth), D (its adjusted depth), its options, and its weakest
line. Their number grows exponentially with the tree: they are counted, and the best and as many
more as --strategies says are listed.
S is illustrative (0, 0.4, 0.65, 0.9, 0.95, 1, after ABC §6), half (k/2), any-option (1 for any
option), one (1 for every move), power:GAMMA,B (1 - ((B - k) / B)^GAMMA), or the numbers S(0),
S(1), … themselves; beyond the last one it stays as it is.
Trees of more than 10000 nodes are refused, pictures of more than 400.

Figures: cns-1, cns-2, cns-growth, abc-1, abc-2, abc-3, abc-4-left, abc-4-right, theorem-2,
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
    /// δ: a plan has failed when it is worth so much less; an option is worth more than that.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..=60_000))]
    delta: i32,
    /// S: what so many options add to the depth of a plan.
    #[arg(long, value_name = "NAME|NUMBERS", default_value = "illustrative", value_parser = parse_safety)]
    safety: Safety,
    /// Values to which the root is to be brought, instead of those of the leaves.
    #[arg(long, value_name = "VALUES", value_delimiter = ',', allow_hyphen_values = true,
        value_parser = clap::value_parser!(i32).range(-30_000..=30_000))]
    target: Vec<i32>,
    /// List so many strategies of each side.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    strategies: u32,
    /// ε: how likely a leaf is to be worth +∞, and how likely −∞.
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = parse_epsilon)]
    epsilon: f64,
    /// Draw the leaves so many times.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    samples: u32,
    /// The same seed draws the same.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// One JSON object.
    #[arg(long)]
    json: bool,
    /// Draw a page with the tree and what is found, besides.
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
    if (0.0..=0.5).contains(&epsilon) { Ok(epsilon) } else { Err("ε is from 0 to 0.5".into()) }
}

/// Judges a tree and prints the results.
pub fn run(args: TreeArgs) -> Result<(), Error> {
    let (tree, input) = read(&args.tree)?;
    if tree.len() > MOST_NODES {
        bail!("the tree has {} nodes; at most {MOST_NODES} are judged", tree.len());
    }
    if args.svg.is_some() && tree.len() > MOST_DRAWN {
        bail!("the tree has {} nodes; a picture has at most {MOST_DRAWN}: leave out --svg", tree.len());
    }
    if u64::from(args.samples) * tree.len() as u64 > MOST_LOOKS {
        let most = MOST_LOOKS / tree.len() as u64;
        bail!("--samples {}: of a tree of {} nodes at most {most} can be drawn", args.samples, tree.len());
    }
    if let Some(path) = &args.svg {
        let inputs: Vec<&Path> = input.iter().map(PathBuf::as_path).collect();
        whole_file::keep_apart(&[path], &inputs)?;
        whole_file::try_write(path)?;
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
    let mut out = anstream::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?,
        false => out.write_all(text::of(&tree, &report).as_bytes())?,
    }
    if let Some(path) = &args.svg {
        whole_file::write(path, &picture::of(&tree, &report))?;
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
    if path.is_file() {
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
            bail!("{given}: no such file, no figure of this name, and no tree, as 'A:0(B:1 C:0)' is one")
        }
        Err(error) => Err(fault("the tree", error)),
    }
}

/// Reads a text of bounded length.
fn whole(from: impl Read) -> Result<String, Error> {
    let mut text = String::new();
    from.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        bail!("longer than {} MiB", MOST_BYTES >> 20);
    }
    Ok(text)
}
