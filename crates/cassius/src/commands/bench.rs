//! `cassius bench`.

use crate::setup::{ChangeArgs, EvaluationArgs, LimitArgs, WITHOUT_DEPTH, parse_depth, recipe_names};
use crate::{Error, terminal};
use cassius_chess::{Engine, Position, RECIPES};
use cassius_search::alpha_beta::recipes::presets::NOTHING_SELECTIVE;
use cassius_search::{Nodes, Request};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Arguments of `cassius bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The node count is the signature of a recipe and an evaluation: it changes if and only if the search or the \
evaluation changes. \
The last line has the form that OpenBench reads.

Examples:
  cassius bench
  cassius bench --recipe coupled --without NullMove --details")]
pub struct BenchArgs {
    /// Recipe to search with.
    #[arg(long, value_name = "NAME", default_value = RECIPES[0].name, value_parser = recipe_names())]
    recipe: String,
    /// Search with every recipe in turn.
    #[arg(long, conflicts_with_all = ["recipe", "with", "without", "settings"])]
    all: bool,
    /// Number of iterations per position, instead of the recipe's own number.
    #[arg(long, value_name = "N", value_parser = parse_depth)]
    depth: Option<usize>,
    /// Show the result of every position.
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    changes: ChangeArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// The size of the table in MiB, which is part of the signature.
const HASH: usize = 16;

/// Openings, middlegames, endings, mates, and some positions that are difficult for a search. All are
/// legal.
const POSITIONS: &str = include_str!("bench.epd");

/// Returns a number of iterations and a node limit for each position. With these, a recipe takes some
/// seconds.
fn limits(recipe: &str) -> (usize, u64) {
    match recipe {
        // As printed, this rule follows forced lines to their end, however deep: only the node limit
        // bounds it.
        "abc" | "abc-paper" => (3, 50_000),
        "ccns" => (2, 500), // each node is the root of a search
        // Deeper iterations of these follow forced lines for minutes.
        "sex" | "lab-abc" => (6, u64::MAX),
        "lab-oracle" => (10, u64::MAX), // the searches that count options take most of the time
        name if name.contains("cns") => (2, 20_000),
        // For some of these recipes iterations have no meaning.
        name if name == "pns" || name.ends_with("-star") => (3, 20_000),
        name if name.starts_with("bare") => (6, u64::MAX),
        // Full width, to some depth; forced lines are followed further.
        name if is_full_width(name) => (6, 100_000),
        _ => (13, u64::MAX),
    }
}

fn is_full_width(recipe: &str) -> bool {
    let named = RECIPES.iter().find(|info| info.name == recipe);
    named.is_some_and(|info| info.presets.contains(&NOTHING_SELECTIVE))
}

/// Searches the positions to a fixed depth (or number of nodes), with one thread and an empty table
/// each.
pub fn run(args: BenchArgs) -> Result<(), Error> {
    let positions: Vec<Position> = POSITIONS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let names: Vec<&str> = match args.all {
        true => RECIPES.iter().map(|recipe| recipe.name).collect(),
        false => vec![&args.recipe],
    };
    if !args.all {
        LimitArgs { depth: args.depth, ..LimitArgs::default() }.agree_with(&args.recipe)?;
    }
    args.changes.agree_with(&args.evaluation)?;
    let evaluation = args.evaluation.chosen()?;
    let bar = terminal::progress((positions.len() * names.len()) as u64);
    let mut out = anstream::stdout().lock();
    let (mut total, mut time) = (0, Duration::ZERO);
    for name in names {
        let mut engine = Engine::new(name, HASH, 1)?;
        engine.set_evaluation(evaluation.clone())?;
        args.changes.apply(&mut engine)?;
        let (depth, nodes) = limits(name);
        let depth = args.depth.unwrap_or(depth);
        let limits = Nodes(nodes);
        let (mut sum, begin) = (0, Instant::now());
        for position in &positions {
            engine.forget();
            let request = Request::new(position, &limits).to_iteration(depth);
            let answer = engine.search(&request, &mut |_| {});
            sum += answer.nodes;
            bar.inc(1);
            if args.details {
                let best = answer.best().map_or_else(|| "–".into(), |mv| position.san(mv));
                bar.suspend(|| writeln!(out, "{:>10}  {best:<7} {position}", answer.nodes))?;
            }
        }
        time += begin.elapsed();
        total += sum;
        let depth = if WITHOUT_DEPTH.contains(&name) { String::new() } else { format!(", depth {depth}") };
        bar.suspend(|| writeln!(out, "recipe {name}{depth}, signature {sum}"))?;
    }
    bar.finish_and_clear();
    let speed = (total as f64 / time.as_secs_f64().max(1e-6)) as u64;
    writeln!(out, "{total} nodes {speed} nps")?;
    Ok(())
}
