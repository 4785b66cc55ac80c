//! A player: a recipe and its changed parameters.

use cassius_chess::evaluation::{Evaluation, LoadError};
use cassius_chess::{Engine, EngineError, RECIPES};
use cassius_search::fnv;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// A recipe by name and the parameters that differ from their defaults.
///
/// As text: the recipe's name, followed by `Component.parameter=value`, `+Component`, `-Component` or
/// `EvalFile=path`, separated by commas.
///
/// ```
/// use cassius_lab::Player;
///
/// let player: Player = "lab,NullMove.on=0".parse()?;
/// assert_eq!(player.recipe, "lab");
/// assert_eq!(player.to_string(), "lab,NullMove.on=0");
/// let engine = player.engine(1, 1)?;
/// assert_eq!(engine.recipe().name, "lab");
/// let without = "plies,-NullMove".parse::<Player>()?.engine(1, 1)?;
/// assert_eq!(without.recipe().name, "lab"); // where components have switches
/// assert!("lab,NullMove.on=2".parse::<Player>()?.engine(1, 1).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The recipe's name.
    pub recipe: String,
    /// The components to switch on or off. They are set before any parameter, wherever they stand in the
    /// text.
    pub components: Vec<(String, bool)>,
    /// The parameters and their values, in the order in which they are set.
    pub settings: Vec<(String, i32)>,
    /// The file of its network; without it, the default evaluation is used.
    pub eval_file: Option<EvalFile>,
}

/// The file of a network. It is read once, when it is first needed. Clones share what was read: what a run
/// does is not changed by a file that is changed meanwhile. Two of them are equal if their paths are.
#[derive(Clone)]
pub struct EvalFile {
    path: PathBuf,
    /// The network, and a hash of the bytes of the file.
    read: Arc<OnceLock<(Evaluation, u64)>>,
}

impl EvalFile {
    /// Names a file, which is not read yet.
    pub fn new(path: impl Into<PathBuf>) -> EvalFile {
        EvalFile { path: path.into(), read: Arc::default() }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn read(&self) -> Result<&(Evaluation, u64), LoadError> {
        if let Some(read) = self.read.get() {
            return Ok(read);
        }
        let (evaluation, bytes) = Evaluation::load_with_bytes(&self.path)?;
        // If another thread was faster, what it has read counts.
        Ok(self.read.get_or_init(|| (evaluation, fnv(bytes.iter().copied()))))
    }
}

impl PartialEq for EvalFile {
    fn eq(&self, other: &EvalFile) -> bool {
        self.path == other.path
    }
}

impl Eq for EvalFile {}

impl fmt::Debug for EvalFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EvalFile").field(&self.path).finish()
    }
}

/// The name of the setting that chooses a network.
const EVAL_FILE: &str = "EvalFile";

/// Why a text does not describe a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// A setting is not of the form `Component.parameter=value`.
    #[error("expected Component.parameter=value, +Component or -Component, not '{0}'")]
    Setting(String),
    /// The value of a setting is not a whole number.
    #[error("{name}: expected a whole number, not '{value}'")]
    Number {
        /// The parameter.
        name: String,
        /// The text of the value.
        value: String,
    },
    /// It has a network of its own, which is switched off.
    #[error("-Network and EvalFile: a player has one evaluation, so only one of them")]
    TwoEvaluations,
}

impl Player {
    /// Creates an engine with this recipe and these parameters, a table of `mib` MiB, and `threads`
    /// threads.
    ///
    /// # Errors
    /// If there is no such recipe, component or parameter, a value is out of range, the network cannot be
    /// read, or the table does not fit in memory.
    pub fn engine(&self, mib: usize, threads: usize) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(&self.recipe, mib, threads)?;
        if let Some(file) = &self.eval_file {
            let (evaluation, _) = file.read()?;
            engine.set_evaluation(evaluation.clone())?;
        }
        for (name, on) in &self.components {
            engine.switch(name, *on)?;
        }
        for (name, value) in &self.settings {
            engine.set_parameter(name, *value)?;
        }
        Ok(engine)
    }

    /// Returns everything that tells the player from another: its text, and a number that changes with its
    /// evaluation.
    pub fn identity(&self) -> String {
        let number = match &self.eval_file {
            Some(file) => file.read().map_or(0, |(_, number)| *number),
            None => Evaluation::default().number(),
        };
        format!("{self} ({number:016x})")
    }

    /// Returns a number that changes with its search: the hash of what it reports on a few positions.
    ///
    /// # Errors
    /// Those of [`engine`](Player::engine).
    pub fn trees(&self) -> Result<u64, EngineError> {
        const NODES: u64 = 2_000;
        crate::experiments::trees(self, NODES, &AtomicBool::new(false))
    }

    /// Adds a setting, given as `Component.parameter=value`, `+Component` or `-Component`.
    ///
    /// # Errors
    /// If it does not have that form.
    pub fn set(&mut self, setting: &str) -> Result<(), PlayerError> {
        for (sign, on) in [('+', true), ('-', false)] {
            if let Some(component) = setting.trim().strip_prefix(sign) {
                self.components.push((component.trim().into(), on));
                return Ok(());
            }
        }
        let (name, value) =
            setting.split_once('=').ok_or_else(|| PlayerError::Setting(setting.trim().into()))?;
        let (name, value) = (name.trim(), value.trim());
        if name == EVAL_FILE {
            self.eval_file = Some(EvalFile::new(value));
            return Ok(());
        }
        let number =
            value.parse().map_err(|_| PlayerError::Number { name: name.into(), value: value.into() })?;
        self.settings.push((name.into(), number));
        Ok(())
    }
}

impl Default for Player {
    /// Returns the default recipe without changes.
    fn default() -> Player {
        let recipe = RECIPES[0].name.into();
        Player { recipe, components: Vec::new(), settings: Vec::new(), eval_file: None }
    }
}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Player, PlayerError> {
        let mut parts = text.split(',');
        let recipe = parts.next().unwrap_or_default().trim().to_string();
        let mut player = Player { recipe, ..Player::default() };
        parts.try_for_each(|setting| player.set(setting))?;
        let is_without = |(name, on): &(String, bool)| !on && name.eq_ignore_ascii_case("Network");
        if player.eval_file.is_some() && player.components.iter().any(is_without) {
            return Err(PlayerError::TwoEvaluations);
        }
        Ok(player)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.recipe)?;
        if let Some(file) = &self.eval_file {
            write!(f, ",{EVAL_FILE}={}", file.path.display())?;
        }
        let sign = |on| if on { '+' } else { '-' };
        self.components.iter().try_for_each(|(name, on)| write!(f, ",{}{name}", sign(*on)))?;
        self.settings.iter().try_for_each(|(name, value)| write!(f, ",{name}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_chess::evaluation::network;

    /// What plays in a run is what its identity was computed from, though the file is replaced or removed.
    #[test]
    fn the_network_is_read_once() {
        let path = std::env::temp_dir().join(format!("cassius-player-{}.net", std::process::id()));
        let bytes = network::own().to_bytes();
        std::fs::write(&path, &bytes).unwrap();
        let player: Player = format!("plies,EvalFile={}", path.display()).parse().unwrap();
        let early = player.clone();
        let identity = player.identity();
        assert!(identity.ends_with(&format!(" ({:016x})", fnv(bytes.iter().copied()))), "{identity}");

        std::fs::write(&path, "something else").unwrap();
        let later: Player = player.to_string().parse().unwrap();
        assert!(later.engine(1, 1).is_err() && later == player);
        std::fs::remove_file(&path).unwrap();
        for player in [&player, &early, &player.clone()] {
            assert_eq!(player.engine(1, 1).unwrap().evaluation().name(), "network");
            assert_eq!(player.identity(), identity);
        }
    }
}
