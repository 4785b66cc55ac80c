//! `cassius recipes`.

use crate::Error;
use cassius_chess::{Engine, RECIPES};
use std::io::Write as _;

/// Arguments of `cassius recipes`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cassius recipes                 every recipe with its summary
  cassius recipes coupled         one recipe with its parameters and the components that can be switched
  cassius recipes abc             for a recipe from a paper, also each point in which it differs
  cassius recipes --all --json    everything, for programs")]
pub struct RecipesArgs {
    /// Show the parameters of this recipe.
    recipe: Option<String>,
    /// Show the parameters of every recipe.
    #[arg(long, conflicts_with = "recipe")]
    all: bool,
    /// Print one JSON object per recipe.
    #[arg(long)]
    json: bool,
}

/// Lists recipes and parameters.
pub fn run(args: RecipesArgs) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    if let Some(name) = &args.recipe {
        Engine::new(name, 1, 1)?; // fails if there is no such recipe
    }
    let width = 1 + RECIPES.iter().map(|info| info.name.len()).max().unwrap_or(0);
    for info in RECIPES {
        if args.recipe.as_ref().is_some_and(|name| name != info.name) {
            continue;
        }
        let mut engine = Engine::new(info.name, 1, 1)?;
        let (parameters, components) = (engine.parameters(), engine.components());
        if args.json {
            let parameters: Vec<_> = parameters
                .iter()
                .map(|(p, value)| {
                    serde_json::json!({
                        "name": p.full_name(), "value": value, "default": p.default,
                        "min": p.min, "max": p.max, "unit": p.unit, "doc": p.doc.trim(),
                    })
                })
                .collect();
            let recipe = serde_json::json!({
                "recipe": info.name, "summary": info.summary, "parameters": parameters,
                "components": components.iter().map(|(name, on)| (name.to_string(), serde_json::json!(on)))
                    .collect::<serde_json::Map<_, _>>(),
                "differs_from_paper": info.differs_from_paper().collect::<Vec<_>>(),
            });
            writeln!(out, "{recipe}")?;
            continue;
        }
        let default = if info.name == RECIPES[0].name { " (default)" } else { "" };
        writeln!(out, "{:<width$}{}{default}", info.name, info.summary)?;
        if args.all || args.recipe.is_some() {
            for (p, value) in parameters {
                let name = p.full_name();
                let range = format!("{}..{}", p.min, p.max);
                writeln!(out, "  {name:<34}{value:>7}  {range:<14}{}: {}", p.unit, p.doc.trim())?;
            }
            let named = |on: bool| -> Vec<&str> {
                components.iter().filter(|component| component.1 == on).map(|component| component.0).collect()
            };
            for (option, names) in [("--without", named(true)), ("--with", named(false))] {
                if !names.is_empty() {
                    writeln!(out, "  {option}: {}", names.join(", "))?;
                }
            }
            if info.differs_from_paper().next().is_some() {
                writeln!(out, "  differs from the paper:")?;
            }
            for point in info.differs_from_paper() {
                writeln!(out, "  - {point}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
