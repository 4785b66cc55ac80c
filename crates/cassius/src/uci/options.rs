//! The options, each declared once, in [`declarations`].

use super::command::excerpt;
use crate::setup::MAX_HASH;
use cassius_chess::RECIPES;
use cassius_chess::evaluation::Evaluation;
use cassius_chess::levels::Levels;
use std::path::Path;
use std::time::Duration;

const MAX_THREADS: i64 = 1024;
const MAX_LINES: i64 = 256;

/// Values of the options that the protocol itself needs. The others are stored in the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `MultiPV`
    pub lines: usize,
    /// `UCI_Chess960`
    pub chess960: bool,
    /// `UCI_ShowWDL`
    pub show_wdl: bool,
    /// `Move Overhead`
    pub overhead: Duration,
    /// `UCI_LimitStrength`
    pub limit_strength: bool,
    /// `UCI_Elo`
    pub elo: i64,
    /// `Recipe`
    pub recipe: &'static str,
    /// `Evaluation`
    pub evaluation: &'static str,
    /// `EvalFile`
    pub eval_file: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            lines: 1,
            chess960: false,
            show_wdl: false,
            overhead: Duration::from_millis(10),
            limit_strength: false,
            elo: Levels::built_in().ratings()[1],
            recipe: RECIPES[0].name,
            evaluation: Evaluation::NAMES[0],
            eval_file: String::new(),
        }
    }
}

impl Options {
    /// A file of a network overrides the name of the evaluation.
    fn chosen_evaluation(&self) -> Setting {
        Setting::Evaluation(self.evaluation, self.eval_file.clone())
    }

    /// Returns the node limit of a player of limited strength, or `None` if strength is not limited.
    ///
    /// How the levels were found is said in the file of [`Levels`].
    pub fn node_limit(&self) -> Option<u64> {
        self.limit_strength.then(|| Levels::built_in().nodes(self.elo as f64))
    }
}

/// A change of the engine that an option requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The size of the table in MiB.
    Hash(usize),
    /// The number of threads.
    Threads(usize),
    /// The search recipe.
    Recipe(&'static str),
    /// The parameters that are set; all others have the recipe's own values.
    Parameters(Vec<(String, i32)>),
    /// Directories with endgame tables; empty for none.
    SyzygyPath(String),
    /// The evaluation: its name, and the file of its network if that is not the built-in one.
    Evaluation(&'static str, String),
    /// Clears the table and everything learned.
    Clear,
}

/// Returns the lines that declare the options to the user interface.
pub fn declarations() -> Vec<String> {
    let options = Options::default();
    let [lowest, highest] = Levels::built_in().ratings();
    let recipes: String = RECIPES.iter().map(|recipe| format!(" var {}", recipe.name)).collect();
    let evaluations = Evaluation::NAMES.map(|name| format!(" var {name}")).concat();
    vec![
        format!("Hash type spin default 64 min 1 max {MAX_HASH}"),
        format!("Threads type spin default 1 min 1 max {MAX_THREADS}"),
        format!("MultiPV type spin default {} min 1 max {MAX_LINES}", options.lines),
        "Ponder type check default false".into(),
        format!("Move Overhead type spin default {} min 0 max 5000", options.overhead.as_millis()),
        "UCI_Chess960 type check default false".into(),
        "UCI_ShowWDL type check default false".into(),
        "UCI_LimitStrength type check default false".into(),
        format!("UCI_Elo type spin default {} min {lowest} max {highest}", options.elo),
        "SyzygyPath type string default <empty>".into(),
        "Clear Hash type button".into(),
        format!("Recipe type combo default {}{recipes}", RECIPES[0].name),
        "Parameters type string default <empty>".into(),
        format!("Evaluation type combo default {}{evaluations}", options.evaluation),
        "EvalFile type string default <empty>".into(),
    ]
}

/// Sets an option. Returns the changes to make to the engine, or what is wrong with the value. The option is
/// then unchanged; but a rating out of range is treated as the nearest one, since without it the engine would
/// play at full strength.
///
/// Names are compared without regard to case, as the protocol requires.
pub fn set(options: &mut Options, name: &str, value: &str) -> Result<Vec<Setting>, String> {
    let number = |min: i64, max: i64| match value.parse::<i64>() {
        Ok(number) if (min..=max).contains(&number) => Ok(number),
        _ => Err(format!("option {name}: must be from {min} to {max}, not '{}'", excerpt(value))),
    };
    let check = || match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("option {name}: must be true or false, not '{}'", excerpt(value))),
    };
    let mut settings = Vec::new();
    match name.to_ascii_lowercase().as_str() {
        "hash" => settings.push(Setting::Hash(number(1, MAX_HASH)? as usize)),
        "threads" => settings.push(Setting::Threads(number(1, MAX_THREADS)? as usize)),
        "multipv" => options.lines = number(1, MAX_LINES)? as usize,
        "ponder" => drop(check()?), // `go ponder` carries the same information
        "move overhead" => options.overhead = Duration::from_millis(number(0, 5000)? as u64),
        "uci_chess960" => options.chess960 = check()?,
        "uci_showwdl" => options.show_wdl = check()?,
        "uci_limitstrength" => options.limit_strength = check()?,
        "uci_elo" => {
            let [lowest, highest] = Levels::built_in().ratings();
            let asked = super::command::number(value).map_or_else(|| number(lowest, highest), Ok)?;
            options.elo = asked.clamp(lowest, highest);
            if options.elo != asked {
                return Err(format!("option {name}: {asked} is treated as {}", options.elo));
            }
        }
        "syzygypath" => settings.push(Setting::SyzygyPath(text(value).into())),
        "evaluation" => {
            let named = Evaluation::NAMES.into_iter().find(|name| name.eq_ignore_ascii_case(value));
            options.evaluation = named.ok_or_else(|| {
                let names = Evaluation::NAMES.join(", ");
                format!("option Evaluation: must be one of {names}, not '{}'", excerpt(value))
            })?;
            settings.push(options.chosen_evaluation());
        }
        "evalfile" => {
            let file = text(value);
            if !file.is_empty() {
                Evaluation::load(Path::new(file)).map_err(|error| error.to_string())?;
            }
            options.eval_file = file.into();
            settings.push(options.chosen_evaluation());
        }
        "clear hash" => settings.push(Setting::Clear),
        "recipe" => {
            let recipe = RECIPES.iter().find(|recipe| recipe.name.eq_ignore_ascii_case(value));
            let names = || RECIPES.iter().map(|recipe| recipe.name).collect::<Vec<_>>().join(", ");
            let recipe = recipe.ok_or_else(|| {
                format!("option Recipe: must be one of {}, not '{}'", names(), excerpt(value))
            })?;
            options.recipe = recipe.name;
            settings.push(Setting::Recipe(recipe.name));
        }
        "parameters" => {
            let each = text(value).split(',').map(str::trim).filter(|setting| !setting.is_empty());
            let parse = |setting| {
                crate::setup::parse_setting(setting).map_err(|_| {
                    format!("option Parameters: must be Component.name=value, not '{}'", excerpt(setting))
                })
            };
            settings.push(Setting::Parameters(each.map(parse).collect::<Result<_, _>>()?));
        }
        // Some user interfaces send these options to every engine.
        "uci_analysemode" | "uci_opponent" | "uci_engineabout" => (),
        _ => return Err(format!("unknown option '{}'", excerpt(name))),
    }
    Ok(settings)
}

/// Returns the text of a value. The protocol writes an empty string as `<empty>`.
fn text(value: &str) -> &str {
    if value == "<empty>" { "" } else { value }
}
