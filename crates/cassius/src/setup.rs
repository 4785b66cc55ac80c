//! Options that several commands share: the engine and its limits.

use crate::clock::{Allowance, Time};
use crate::{Error, terminal};
use anyhow::Context as _;
use cassius_chess::evaluation::Evaluation;
use cassius_chess::{Engine, Position, RECIPES, RecipeInfo};
use cassius_lab::{EvalFile, Player};
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::path::PathBuf;
use std::time::Duration;

/// Which engine. Flatten it into a command's arguments.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// Search recipe; `cassius recipes` lists them.
    #[arg(long, value_name = "NAME", default_value = RECIPES[0].name, value_parser = recipe_names())]
    pub recipe: String,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = mib())]
    pub hash: u32,
    /// Number of search threads.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    pub threads: u16,
    /// What is changed of the recipe.
    #[command(flatten)]
    pub changes: ChangeArgs,
    /// Which evaluation.
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
}

/// What is changed of a recipe. Flatten it into a command's arguments.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ChangeArgs {
    /// Switch on a component of the recipe; `cassius recipes NAME` lists the components. Of windows, and
    /// of depth rules, the first listed that is on counts: switch earlier ones off by --without.
    #[arg(long = "with", value_name = "COMPONENT", value_delimiter = ',')]
    pub with: Vec<String>,
    /// Switch off a component of the recipe.
    #[arg(long = "without", value_name = "COMPONENT", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Set a parameter of the recipe, such as NullMove.reduction=200; may be repeated.
    #[arg(
        long = "set", value_name = "COMPONENT.NAME=VALUE", value_parser = parse_setting,
        value_delimiter = ',',
    )]
    pub settings: Vec<(String, i32)>,
}

impl ChangeArgs {
    /// It is an error if a network is loaded or named and switched off, or another evaluation is named and
    /// the network switched on.
    pub fn agree_with(&self, evaluation: &EvaluationArgs) -> Result<(), Error> {
        let is_in = |names: &[String]| names.iter().any(|name| name.eq_ignore_ascii_case("Network"));
        let named = match (&evaluation.eval_file, evaluation.evaluation.as_deref()) {
            (Some(_), _) if is_in(&self.without) => "--eval-file and --without Network",
            (_, Some("network")) if is_in(&self.without) => "--evaluation network and --without Network",
            (_, Some("classical")) if is_in(&self.with) => "--evaluation classical and --with Network",
            _ => return Ok(()),
        };
        anyhow::bail!("{named}: use one of them, there is only one evaluation")
    }

    /// Changes the recipe of an engine.
    pub fn apply(&self, engine: &mut Engine) -> Result<(), Error> {
        for (name, on) in switches(&self.with, &self.without)? {
            let option = if on { "--with" } else { "--without" };
            engine.switch(name, on).with_context(|| format!("{option} {name}"))?;
        }
        for (name, value) in &self.settings {
            engine.set_parameter(name, *value).with_context(|| format!("--set {name}={value}"))?;
        }
        Ok(())
    }
}

/// Which evaluation. Flatten it into a command's arguments.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct EvaluationArgs {
    /// Static evaluation: hand-crafted terms, or what the built-in network has learned.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Evaluation::NAMES))]
    pub evaluation: Option<String>,
    /// Evaluate by the network in this file; `cassius lab train` writes such files.
    #[arg(long, value_name = "FILE", conflicts_with = "evaluation")]
    pub eval_file: Option<PathBuf>,
}

impl EvaluationArgs {
    /// Returns the evaluation that was asked for, or the default one.
    pub fn chosen(&self) -> Result<Evaluation, Error> {
        if let Some(path) = &self.eval_file {
            return Ok(Evaluation::load(path)?);
        }
        Ok(self.evaluation.as_deref().and_then(Evaluation::named).unwrap_or_default())
    }
}

impl EngineArgs {
    /// Builds the engine.
    pub fn build(&self) -> Result<Engine, Error> {
        self.changes.agree_with(&self.evaluation)?;
        let mut engine = Engine::new(&self.recipe, self.hash as usize, self.threads.into())?;
        engine.set_evaluation(self.evaluation.chosen()?)?;
        self.changes.apply(&mut engine)?;
        if let Some(why) = engine.idle_threads() {
            terminal::note(format_args!("{why}"));
        }
        Ok(engine)
    }

    /// Returns the recipe and its changed parameters, for the laboratory.
    pub fn player(&self) -> Result<Player, Error> {
        self.changes.agree_with(&self.evaluation)?;
        let ChangeArgs { with, without, settings } = &self.changes;
        let mut components: Vec<_> =
            switches(with, without)?.map(|(name, on)| (name.to_string(), on)).collect();
        if let Some(evaluation) = &self.evaluation.evaluation {
            components.push(("Network".into(), evaluation == "network"));
        }
        Ok(Player {
            recipe: self.recipe.clone(),
            components,
            settings: settings.clone(),
            eval_file: self.evaluation.eval_file.as_ref().map(EvalFile::new),
        })
    }
}

/// Returns the components to switch on, followed by those to switch off. It is an error if a component
/// is in both lists.
pub fn switches<'a>(
    with: &'a [String],
    without: &'a [String],
) -> Result<impl Iterator<Item = (&'a str, bool)>, Error> {
    let is_off = |on: &&String| without.iter().any(|off| off.eq_ignore_ascii_case(on));
    if let Some(name) = with.iter().find(is_off) {
        anyhow::bail!("{name} is both switched on and off: use either --with or --without {name}");
    }
    let on = with.iter().map(|name| (name.as_str(), true));
    Ok(on.chain(without.iter().map(|name| (name.as_str(), false))))
}

/// Returns the names of all recipes, for options that take one.
pub fn recipe_names() -> PossibleValuesParser {
    names(|_| true)
}

/// The default recipe of commands that grow a tree.
pub const TREE_RECIPE: &str = "cns";

/// Returns the names of the recipes that keep their trees.
pub fn tree_recipe_names() -> PossibleValuesParser {
    names(|recipe| recipe.keeps_tree)
}

fn names(which: fn(&RecipeInfo) -> bool) -> PossibleValuesParser {
    let value = |recipe: &'static RecipeInfo| PossibleValue::new(recipe.name).help(recipe.summary);
    PossibleValuesParser::new(RECIPES.iter().filter(|recipe| which(recipe)).map(value))
}

/// The largest table, in MiB.
pub const MAX_HASH: i64 = 1 << 20;

/// Returns the parser of table sizes in MiB.
pub fn mib() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=MAX_HASH)
}

/// How long to think about one position. Flatten it into a command's arguments.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits (the first one reached ends the search)")]
pub struct LimitArgs {
    /// Maximum number of nodes per position; exact with one thread, but recipes that grow a tree always
    /// expand the root.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub nodes: Option<u64>,
    /// Maximum time per position: 500ms, 5s, 2m; a bare number means seconds.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// Maximum number of iterations per position.
    #[arg(long, value_name = "N", value_parser = parse_depth)]
    pub depth: Option<usize>,
}

impl LimitArgs {
    /// Whether any limit is set.
    pub fn any(&self) -> bool {
        self.nodes.is_some() || self.time.is_some() || self.depth.is_some()
    }

    /// Returns the limits on nodes and time. The depth limit is not among them: it is the number of
    /// iterations of the request.
    pub fn allowance(&self) -> Allowance {
        let time = self.time.map_or(Time::Unlimited, Time::Exact);
        Allowance { nodes: self.nodes, time, ..Allowance::default() }
    }

    /// It is an error if a depth is given to a recipe without iterations, whose search it could not end.
    pub fn agree_with(&self, recipe: &str) -> Result<(), Error> {
        if self.depth.is_some() && WITHOUT_DEPTH.contains(&recipe) {
            anyhow::bail!("recipe {recipe} has no depth limit: leave out --depth");
        }
        Ok(())
    }

    /// Returns the number of the last iteration.
    pub fn iterations(&self) -> usize {
        self.depth.unwrap_or(cassius_search::MAX_PLY)
    }
}

/// The recipes that search without iterations.
pub const WITHOUT_DEPTH: [&str; 4] = ["pns", "b-star", "uct", "puct"];

/// Parses a position: a FEN or `startpos`. For clap.
pub fn parse_position(text: &str) -> Result<Position, String> {
    text.parse().map_err(|error: cassius_chess::notation::FenError| error.to_string())
}

/// Parses a number of iterations: at least one, at most [`cassius_search::MAX_PLY`]. For clap.
pub fn parse_depth(text: &str) -> Result<usize, String> {
    let most = cassius_search::MAX_PLY;
    let depth = text.parse().ok().filter(|depth| (1..=most).contains(depth));
    depth.ok_or_else(|| format!("expected a number from 1 to {most}"))
}

/// Parses a duration: a number followed by `ms`, `s`, `m` or `h`. Without a unit, the number is in
/// seconds.
///
/// ```
/// use cassius::setup::parse_duration;
/// use std::time::Duration;
/// assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
/// assert_eq!(parse_duration("20ms"), Ok(Duration::from_millis(20)));
/// assert!(parse_duration("soon").is_err());
/// ```
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 500ms, 5s, 2m or 1h".into()),
    };
    let number: f64 =
        digits.trim().parse().map_err(|_| "expected a time such as 500ms, 5s, 2m or 1h".to_string())?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| "the time is out of range".to_string())
}

/// Parses a count: digits, with `_` allowed between them, and the suffixes `k`, `M` and `G` for
/// thousands, millions and billions.
///
/// ```
/// use cassius::setup::parse_count;
/// assert_eq!(parse_count("250k"), Ok(250_000));
/// assert_eq!(parse_count("1_000"), Ok(1000));
/// assert!(parse_count("many").is_err());
/// ```
pub fn parse_count(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['k', 'K', 'm', 'M', 'G']);
    let scale = match &text[digits.len()..] {
        "" => 1,
        "k" | "K" => 1_000,
        "m" | "M" => 1_000_000,
        "G" => 1_000_000_000,
        _ => return Err("expected a number such as 50000, 250k or 3M".into()),
    };
    let number: Option<u64> = digits.replace('_', "").parse().ok();
    number
        .and_then(|number| number.checked_mul(scale))
        .ok_or_else(|| "expected a number such as 50000, 250k or 3M".into())
}

/// Parses the nodes for a move: a count of at least 1. An engine that is told to search no node searches
/// without an end.
pub fn parse_nodes(text: &str) -> Result<u64, String> {
    let nodes = parse_count(text)?;
    if nodes > 0 { Ok(nodes) } else { Err("must be at least 1".into()) }
}

/// Parses the nodes for a first judgement: as many as `Steps.effort` may be.
pub fn parse_effort(text: &str) -> Result<u64, String> {
    let nodes = parse_count(text)?;
    if (1..=1_000_000_000).contains(&nodes) { Ok(nodes) } else { Err("expected 1 to 1G nodes".into()) }
}

/// Parses `Component.name=value`.
pub fn parse_setting(text: &str) -> Result<(String, i32), String> {
    let wrong = || format!("expected Component.name=value, not '{text}'");
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = value.trim().parse().map_err(|_| wrong())?;
    Ok((name.trim().to_string(), value))
}
