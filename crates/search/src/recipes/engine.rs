//! Searches any game through one value, which holds a recipe chosen by name, a table and parameters.

use super::capability::and;
use super::playable::{Memory, Settings, Ways};
use super::{Capability, NamedRecipe, Playable, component_needs};
use crate::alpha_beta::memory::TableError;
use crate::alpha_beta::{Answer, Report, Request};
use crate::component::Parameter;
use std::error::Error;
use std::fmt;

/// The reason why an engine cannot be set up as requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineError {
    /// No recipe has this name.
    UnknownRecipe {
        /// The name requested.
        name: String,
        /// The known recipes.
        known: String,
    },
    /// The recipe does not compile for the game.
    CannotPlay {
        /// The recipe.
        recipe: &'static str,
        /// The game.
        game: &'static str,
        /// What the game lacks.
        lacking: Vec<Capability>,
        /// The recipes that the game can play.
        others: String,
    },
    /// The component does not compile for the game.
    CannotSwitch {
        /// The component.
        component: &'static str,
        /// The game.
        game: &'static str,
        /// What the game lacks.
        lacking: Vec<Capability>,
    },
    /// The recipe has no switchable component of this name.
    UnknownComponent {
        /// The recipe.
        recipe: &'static str,
        /// The component requested.
        component: String,
        /// The components that can be switched.
        known: String,
        /// The recipes that the game can play and in which the component can be switched.
        others: Vec<&'static str>,
    },
    /// The recipe has no such parameter.
    UnknownParameter {
        /// The recipe.
        recipe: &'static str,
        /// The parameter requested.
        parameter: String,
    },
    /// The value is outside the parameter's range.
    OutOfRange {
        /// The parameter.
        parameter: Parameter,
        /// The value requested.
        value: i32,
    },
    /// The table does not fit into memory.
    Table(TableError),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::UnknownRecipe { name, known } => {
                write!(f, "unknown recipe `{name}`; known recipes: {known}")
            }
            EngineError::CannotPlay { recipe, game, lacking, others } => {
                let lacking = and(lacking);
                write!(f, "recipe `{recipe}` needs {lacking}, which {game} does not have")?;
                write!(f, "; recipes for this game: {others}")
            }
            EngineError::CannotSwitch { component, game, lacking } => {
                write!(f, "component `{component}` needs {}, which {game} does not have", and(lacking))
            }
            EngineError::UnknownComponent { recipe, component, known, others } => {
                write!(f, "recipe `{recipe}` has no component `{component}` to switch")?;
                if !known.is_empty() {
                    write!(f, "; it has: {known}")?;
                }
                match others.as_slice() {
                    [] => Ok(()),
                    others => write!(f, "; `{component}` is in: {}", others.join(", ")),
                }
            }
            EngineError::UnknownParameter { recipe, parameter } => {
                write!(f, "recipe `{recipe}` has no parameter `{parameter}`")
            }
            EngineError::OutOfRange { parameter, value } => {
                let Parameter { min, max, unit, .. } = parameter;
                write!(f, "{} must be from {min} to {max} ({unit}), not {value}", parameter.full_name())
            }
            EngineError::Table(error) => error.fmt(f),
        }
    }
}

impl Error for EngineError {}

impl From<TableError> for EngineError {
    fn from(error: TableError) -> EngineError {
        EngineError::Table(error)
    }
}

/// A recipe for one game, with its memory and its parameters.
///
/// ```
/// use cassius_games::{Connect4, RandomTree};
/// use cassius_search::{Engine, Request, Score, Unlimited};
///
/// let engine = Engine::<Connect4>::new("bare", 1)?;
/// let position: Connect4 = "4455".parse()?;
/// let answer = engine.search(&Request::new(&position, &Unlimited).to_iteration(4), &mut |_| {});
/// assert_eq!(answer.score(), Some(Score::win_in(3)));
///
/// let error = Engine::<RandomTree>::new("bare", 1).unwrap_err().to_string();
/// assert!(
///     error.starts_with("recipe `bare` needs noisy moves and checks, which a random tree does not have;")
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine<G: Playable> {
    recipe: NamedRecipe<G>,
    ways: Ways<G>,
    memory: Memory,
    /// The parameters that were set, as `Component.name` and value.
    settings: Vec<(String, i32)>,
}

impl<G: Playable> fmt::Debug for Engine<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("recipe", &self.recipe.name).finish_non_exhaustive()
    }
}

impl<G: Playable> Engine<G> {
    /// Creates an engine with the recipe of this name. It gets a table of `mib` MiB, or a tree or list
    /// of that size.
    ///
    /// # Errors
    /// If there is no such recipe, the game lacks what it needs, or the table does not fit.
    pub fn new(recipe: &str, mib: usize) -> Result<Engine<G>, EngineError> {
        let names = |keep: fn(&NamedRecipe<G>) -> bool| {
            let all = G::recipes().into_iter().filter(keep);
            all.map(|recipe| recipe.name).collect::<Vec<_>>().join(", ")
        };
        let Some(recipe) = G::recipes().into_iter().find(|known| known.name == recipe) else {
            return Err(EngineError::UnknownRecipe { name: recipe.into(), known: names(|_| true) });
        };
        let Some(ways) = recipe.ways else {
            return Err(EngineError::CannotPlay {
                recipe: recipe.name,
                game: G::NAME,
                lacking: recipe.lacking(),
                others: names(NamedRecipe::can_be_played),
            });
        };
        let memory = Memory::new(mib, ways.keeps)?;
        Ok(Engine { recipe, ways, memory, settings: ways.settings() })
    }

    /// Creates an engine with the first of the recipes `bare`, `pvs` and `alphabeta` that the game can play.
    /// They search as deep as the limits allow and leave nothing out, so that a win or loss is proven.
    ///
    /// # Errors
    /// If the table does not fit.
    pub fn with_default(mib: usize) -> Result<Engine<G>, EngineError> {
        let mut playable = G::recipes();
        playable.retain(NamedRecipe::can_be_played);
        let can = |name: &&str| playable.iter().any(|recipe| recipe.name == *name);
        Engine::new(["bare", "pvs"].into_iter().find(can).unwrap_or("alphabeta"), mib)
    }

    /// Returns the recipe.
    pub fn recipe(&self) -> &NamedRecipe<G> {
        &self.recipe
    }

    /// Returns the parameters of the recipe with their values.
    pub fn parameters(&self) -> Vec<(Parameter, i32)> {
        parameters(self.ways, &self.memory, &self.settings)
    }

    /// Returns the components that can be switched, and whether each is on.
    pub fn components(&self) -> Vec<(&'static str, bool)> {
        switches(self.parameters())
    }

    /// Returns the recipes that the game can play and in which this component can be switched.
    fn recipes_with(&self, component: &str) -> Vec<&'static str> {
        let has = |ways: Ways<G>| {
            let switches = switches(parameters(ways, &self.memory, &[]));
            switches.iter().any(|(name, _)| name.eq_ignore_ascii_case(component))
        };
        let recipes = G::recipes().into_iter().filter(|recipe| recipe.ways.is_some_and(has));
        recipes.map(|recipe| recipe.name).collect()
    }

    /// Switches a component on or off. The name is matched without regard to case.
    ///
    /// # Errors
    /// If the game lacks what the component needs, or the recipe has no switch for it.
    pub fn switch(&mut self, component: &str, on: bool) -> Result<(), EngineError> {
        let components = self.components();
        let named = |(name, _): &&(&'static str, bool)| name.eq_ignore_ascii_case(component);
        if let Some((name, _)) = components.iter().find(named) {
            return self.set_parameter(&format!("{name}.on"), i32::from(on));
        }
        if let Some((name, needs)) = component_needs(component) {
            let has = G::capabilities();
            let lacking: Vec<Capability> = needs.iter().copied().filter(|need| !has.contains(need)).collect();
            if !lacking.is_empty() {
                return Err(EngineError::CannotSwitch { component: name, game: G::NAME, lacking });
            }
        }
        Err(EngineError::UnknownComponent {
            recipe: self.recipe.name,
            component: component.into(),
            known: components.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
            others: self.recipes_with(component),
        })
    }

    /// Sets a parameter, named as `Component.parameter`. What was learned with the previous value is
    /// discarded.
    ///
    /// # Errors
    /// If the recipe has no such parameter, or the value is outside its range.
    pub fn set_parameter(&mut self, name: &str, value: i32) -> Result<(), EngineError> {
        let parameters = self.parameters();
        let Some((parameter, present)) =
            parameters.iter().find(|(parameter, _)| parameter.full_name().eq_ignore_ascii_case(name))
        else {
            return Err(EngineError::UnknownParameter { recipe: self.recipe.name, parameter: name.into() });
        };
        if !(parameter.min..=parameter.max).contains(&value) {
            return Err(EngineError::OutOfRange { parameter: *parameter, value });
        }
        let name = parameter.full_name();
        self.settings.retain(|(set, _)| *set != name);
        self.settings.push((name, value));
        if value != *present {
            self.memory.clear();
        }
        Ok(())
    }

    /// Forgets what earlier searches have found, as before another game.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Searches on one thread and calls `report` with every line found. A table is kept between
    /// searches; a tree or list is rebuilt for each search. Before a position of another game, such as
    /// another random tree, [`clear`](Self::clear) the engine: keys tell positions of one game apart.
    pub fn search(
        &self,
        request: &Request<'_, G>,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Answer<G::Move> {
        (self.ways.search)(&self.memory, &self.settings, request, report)
    }
}

/// Returns the parameters of a recipe with the values they have under these settings.
fn parameters<G: Playable>(ways: Ways<G>, memory: &Memory, settings: Settings<'_>) -> Vec<(Parameter, i32)> {
    let mut parameters = Vec::new();
    (ways.visit)(memory, settings, &mut |parameter, value| parameters.push((*parameter, *value)));
    parameters
}

/// Filters the parameters that switch a component. Each becomes the component's name and whether it is
/// on.
fn switches(parameters: Vec<(Parameter, i32)>) -> Vec<(&'static str, bool)> {
    let switches = parameters.into_iter().filter(|(parameter, _)| parameter.name == "on");
    switches.map(|(parameter, value)| (parameter.component, value != 0)).collect()
}
