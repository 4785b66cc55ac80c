//! `cassius grow`: shows the tree of a best-first search.

mod draw;
mod shown;

use crate::clock::Clock;
use crate::setup::{EngineArgs, LimitArgs, TREE_RECIPE, parse_position, tree_recipe_names};
use crate::{Error, terminal, whole_file};
use anyhow::Context as _;
use cassius_chess::Position;
use cassius_search::Request;
use serde_json::json;
use shown::Shown;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `cassius grow`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("recipe", |recipe| recipe.default_value(TREE_RECIPE).value_parser(tree_recipe_names())))]
#[command(after_help = "\
A best-first search keeps its tree in memory. Each expanded node is shown with the move that leads \
to it, its value, the range of values that the stated number of wrong leaves could cause, and the \
number of leaves that must change to change the value by the margin, down (↓) and up (↑). 9+ means \
more leaves than are counted, or that no number is enough. --set BestSuccessor.threshold=100 counts \
up to a hundred leaves, in larger nodes.
Values are from White's point of view.
Without a limit, the tree grows to 2000 nodes. Without --leaves, only expanded nodes are shown.

Examples:
  cassius grow 'R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1'
  cassius grow startpos --recipe cns-value --nodes 500 --format svg --out tree.svg
  cassius grow startpos --recipe ccns --nodes 20k --plies 4 --format dot | dot -Tpdf > tree.pdf
  cassius grow startpos --leaves --format json --out tree.json")]
pub struct GrowArgs {
    /// A FEN in quotes, or `startpos`.
    #[arg(value_name = "FEN", value_parser = parse_position)]
    position: Position,
    /// Number of plies of the tree to show.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = crate::setup::parse_depth)]
    plies: usize,
    /// Show leaves as well.
    #[arg(long)]
    leaves: bool,
    /// Change of the value for which conspirators are counted, in hundredths of a pawn.
    #[arg(
        long, value_name = "CP", default_value_t = 50,
        value_parser = clap::value_parser!(u16).range(1..=10_000),
    )]
    margin: u16,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Output file; standard output by default.
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
    /// One node per line, with its children below it.
    Text,
    /// Graphviz input.
    Dot,
    /// An SVG picture.
    Svg,
    /// JSON for programs. `margin_cp` is null where leaves are counted that prove a win or a loss.
    Json,
}

/// The node limit if no limit is given.
const NODES: u64 = 2_000;

/// Grows a tree and writes it.
pub fn run(args: GrowArgs) -> Result<(), Error> {
    let out = args.out.as_deref().filter(|path| *path != Path::new("-"));
    whole_file::prepare(out.as_slice(), args.engine.evaluation.eval_file.as_slice())?;
    args.limits.agree_with(&args.engine.recipe)?;
    let mut engine = args.engine.build()?;
    let mut allowance = args.limits.allowance();
    if !args.limits.any() {
        allowance.nodes = Some(NODES);
    }
    let clock = Clock::start(&allowance);
    let request = Request { iterations: args.limits.iterations(), ..Request::new(&args.position, &clock) };
    let answer = engine.search(&request, &mut |_| {});
    let conspirators = answer.lines.first().map_or(1, |line| line.iteration);
    let tree = engine.tree().context("the recipe keeps its tree")?;
    let shown = Shown::of(tree, &args.position, conspirators, args.margin, args.plies, args.leaves);
    let best = answer.best().map_or("none".into(), |best| args.position.san(best));
    let leaves = if conspirators == 1 { "leaf" } else { "leaves" };
    let key = match (conspirators, tree.most()) {
        (0, 0) => "[bounds on the value]".into(),
        (0, _) => "[proven bounds]; ↓ ↑ leaves that prove a loss or a win".into(),
        _ => format!(
            "[range of the value with {conspirators} wrong {leaves}]; ↓ ↑ leaves that change it by {:.2}",
            f64::from(args.margin) / 100.0
        ),
    };
    let (name, nodes, bytes) = (engine.recipe().name, tree.len(), tree.node_bytes());
    let heading = format!("{name}, {nodes} nodes of {bytes} bytes; best {best}; {key}");
    let text = match args.format {
        Format::Text => draw::text(&shown, &heading),
        Format::Dot => draw::dot(&shown, &heading),
        Format::Svg => draw::svg(&shown, &heading),
        Format::Json => {
            let fen = args.position.to_string();
            let best = answer.best().map(|best| args.position.san(best));
            let margin = (conspirators > 0).then_some(args.margin);
            let tree = json!({
                "fen": fen, "recipe": name, "nodes": nodes, "best": best, "margin_cp": margin, "root": shown,
            });
            serde_json::to_string_pretty(&tree)? + "\n"
        }
    };
    match out {
        Some(path) => whole_file::write(path, &text)?,
        None => anstream::stdout().lock().write_all(text.as_bytes())?,
    }
    if answer.full {
        terminal::note(format_args!("the tree is full: increase --hash"));
    }
    Ok(())
}
