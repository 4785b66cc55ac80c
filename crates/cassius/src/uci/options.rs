//! The options: declared once, in [`declarations`].

use super::command::excerpt;
use cassius_chess::RECIPES;
use std::time::Duration;

/// Largest table, in MiB.
pub const MAX_HASH: i64 = 1 << 20;
const MAX_THREADS: i64 = 1024;
const MAX_LINES: i64 = 256;
const ELO: (i64, i64) = (1000, 2800);

/// Values of the options that the protocol itself needs. The others live in the engine.
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
}

impl Default for Options {
    fn default() -> Options {
        Options {
            lines: 1,
            chess960: false,
            show_wdl: false,
            overhead: Duration::from_millis(10),
            limit_strength: false,
            elo: ELO.1,
        }
    }
}

impl Options {
    /// Nodes that a player of limited strength may search: none if strength is not limited.
    ///
    /// 30 at 1000 Elo, and twice as many for every 130 Elo more. That is a rule of thumb, not a
    /// calibration: it orders the levels rightly and their distances roughly.
    pub fn node_limit(&self) -> Option<u64> {
        let doublings = (self.elo - ELO.0) as f64 / 130.0;
        self.limit_strength.then(|| (30.0 * doublings.exp2()) as u64)
    }
}

/// A change of the engine that an option asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Size of the table in MiB.
    Hash(usize),
    /// Threads.
    Threads(usize),
    /// Search recipe.
    Recipe(&'static str),
    /// A parameter of the recipe.
    Parameter(String, i32),
    /// Directories with endgame tables; empty for none.
    SyzygyPath(String),
    /// Forget everything.
    Clear,
}

/// The lines that tell a user interface which options there are.
pub fn declarations() -> Vec<String> {
    let options = Options::default();
    let recipes: String = RECIPES.iter().map(|recipe| format!(" var {}", recipe.name)).collect();
    vec![
        format!("Hash type spin default 64 min 1 max {MAX_HASH}"),
        format!("Threads type spin default 1 min 1 max {MAX_THREADS}"),
        format!("MultiPV type spin default {} min 1 max {MAX_LINES}", options.lines),
        "Ponder type check default false".into(),
        format!("Move Overhead type spin default {} min 0 max 5000", options.overhead.as_millis()),
        "UCI_Chess960 type check default false".into(),
        "UCI_ShowWDL type check default false".into(),
        "UCI_LimitStrength type check default false".into(),
        format!("UCI_Elo type spin default {} min {} max {}", options.elo, ELO.0, ELO.1),
        "SyzygyPath type string default <empty>".into(),
        "Clear Hash type button".into(),
        format!("Recipe type combo default {}{recipes}", RECIPES[0].name),
        "Parameters type string default <empty>".into(),
    ]
}

/// Sets an option. The answer is what the engine has to change, or why the option stays as it was.
///
/// Names are compared without regard to case, as the protocol asks.
pub fn set(options: &mut Options, name: &str, value: &str) -> Result<Vec<Setting>, String> {
    let number = |min: i64, max: i64| match value.parse::<i64>() {
        Ok(number) if (min..=max).contains(&number) => Ok(number),
        _ => Err(format!("option {name}: from {min} to {max}, not '{}'", excerpt(value))),
    };
    let check = || match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("option {name}: true or false, not '{}'", excerpt(value))),
    };
    let mut settings = Vec::new();
    match name.to_ascii_lowercase().as_str() {
        "hash" => settings.push(Setting::Hash(number(1, MAX_HASH)? as usize)),
        "threads" => settings.push(Setting::Threads(number(1, MAX_THREADS)? as usize)),
        "multipv" => options.lines = number(1, MAX_LINES)? as usize,
        "ponder" => drop(check()?), // `go ponder` says all that is needed
        "move overhead" => options.overhead = Duration::from_millis(number(0, 5000)? as u64),
        "uci_chess960" => options.chess960 = check()?,
        "uci_showwdl" => options.show_wdl = check()?,
        "uci_limitstrength" => options.limit_strength = check()?,
        "uci_elo" => options.elo = number(ELO.0, ELO.1)?,
        "syzygypath" => settings.push(Setting::SyzygyPath(text(value).into())),
        "clear hash" => settings.push(Setting::Clear),
        "recipe" => {
            let recipe = RECIPES.iter().find(|recipe| recipe.name.eq_ignore_ascii_case(value));
            let names = || RECIPES.iter().map(|recipe| recipe.name).collect::<Vec<_>>().join(", ");
            let recipe = recipe
                .ok_or_else(|| format!("option Recipe: one of {}, not '{}'", names(), excerpt(value)))?;
            settings.push(Setting::Recipe(recipe.name));
        }
        "parameters" => {
            for setting in text(value).split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
                let (name, value) = crate::setup::parse_setting(setting).map_err(|_| {
                    format!("option Parameters: Component.name=value, not '{}'", excerpt(setting))
                })?;
                settings.push(Setting::Parameter(name, value));
            }
        }
        // Sent by some user interfaces to every engine.
        "uci_analysemode" | "uci_opponent" | "uci_engineabout" => (),
        _ => return Err(format!("unknown option '{}'", excerpt(name))),
    }
    Ok(settings)
}

/// `<empty>` is how the protocol writes an empty string.
fn text(value: &str) -> &str {
    if value == "<empty>" { "" } else { value }
}
