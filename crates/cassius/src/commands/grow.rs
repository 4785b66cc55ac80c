//! `cassius grow`: shows the tree of a best-first search.

mod draw;
mod shown;

use crate::clock::Clock;
use crate::setup::{EngineArgs, LimitArgs, TREE_RECIPE, parse_position, tree_recipe_names};
use crate::{Error, terminal, whole_file};
use anyhow::Context as _;
use cassius_chess::Position;
use cassius_search::Request;
use shown::Shown;
use std::io::Write as _;
use std::path::PathBuf;

/// Arguments of `cassius grow`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("recipe", |recipe| recipe.default_value(TREE_RECIPE).value_parser(tree_recipe_names())))]
#[command(after_help = "\
A best-first search keeps its tree. Of every node that it has expanded there stand the move that
leads to it, its value, what so many wrong leaves could make of it, and how many leaves it takes
to change it by the margin, up and down; 9+ are more than are counted, or no number suffices.
--set BestSuccessor.threshold=100 counts up to a hundred, in larger nodes.
Values are White's.
Without a limit the tree grows to 2000 nodes. Without --leaves only nodes that were expanded are
shown.

Examples:
  cassius grow 'R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1'
  cassius grow startpos --recipe cns-value --nodes 500 --format svg --out tree.svg
  cassius grow startpos --recipe ccns --nodes 20k --plies 4 --format dot | dot -Tpdf > tree.pdf
  cassius grow startpos --leaves --format json --out tree.json")]
pub struct GrowArgs {
    /// A FEN in quotes, or `startpos`.
    #[arg(value_name = "FEN", value_parser = parse_position)]
    position: Position,
    /// Show so many plies of the tree.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = crate::setup::parse_depth)]
    plies: usize,
    /// Show leaves too.
    #[arg(long)]
    leaves: bool,
    /// The change that conspirators are counted for, in hundredths of a pawn.
    #[arg(long, value_name = "CP", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    margin: u16,
    /// How to write it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write it; without it standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What a tree is written as.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// A node a line, its children below it.
    Text,
    /// For Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// For programs.
    Json,
}

/// The node limit if no limit is given.
const NODES: u64 = 2_000;

/// Grows a tree and writes it.
pub fn run(args: GrowArgs) -> Result<(), Error> {
    let mut engine = args.engine.build()?;
    let mut budget = args.limits.budget();
    if !args.limits.any() {
        budget.nodes = Some(NODES);
    }
    let clock = Clock::start(&budget);
    let request = Request { iterations: args.limits.iterations(), ..Request::new(&args.position, &clock) };
    let answer = engine.search(&request, &mut |_| {});
    let conspirators = answer.lines.first().map_or(1, |line| line.iteration);
    let tree = engine.tree().context("the recipe keeps its tree")?;
    let shown = Shown::of(tree, &args.position, conspirators, args.margin, args.plies, args.leaves);
    let best = answer.best().map_or("none".into(), |best| args.position.san(best));
    let leaves = if conspirators == 1 { "leaf" } else { "leaves" };
    let key = match (conspirators, tree.most()) {
        (0, 0) => "[between what the value lies]".into(),
        (0, _) => "[what is proven]; ↓ ↑ leaves that prove a loss or a win".into(),
        _ => format!(
            "[what {conspirators} wrong {leaves} could make of the value]; ↓ ↑ leaves that change it by {:.2}",
            f64::from(args.margin) / 100.0
        ),
    };
    let (name, nodes, bytes) = (engine.recipe().name, tree.len(), tree.node_bytes());
    let heading = format!("{name}, {nodes} nodes of {bytes} bytes; best {best}; {key}");
    let text = match args.format {
        Format::Text => draw::text(&shown, &heading),
        Format::Dot => draw::dot(&shown, &heading),
        Format::Svg => draw::svg(&shown, &heading),
        Format::Json => draw::json(&shown, &args.position.to_string(), engine.recipe().name, tree.len())?,
    };
    match &args.out {
        Some(path) => whole_file::write(path, &text)?,
        None => anstream::stdout().lock().write_all(text.as_bytes())?,
    }
    if answer.full {
        terminal::note(format_args!("the tree is full; --hash gives it more room"));
    }
    Ok(())
}
